"""Parse the command line, run the command, print what it found, choose the exit status.

Each command is imported when it is asked for: the others' imports would cost it start-up time.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ocgdedup.cli.options import build_parser
from ocgdedup.cli.terminal import choose_reporter
from ocgdedup.errors import ExitStatus, OcgdedupError

if TYPE_CHECKING:
    from ocgdedup.commands.create import CreateResult
    from ocgdedup.model import ExactSummary, FaultNotice


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; return its exit status."""
    options = build_parser().parse_args(arguments)
    # A short-lived program without cycles of any size: collecting them took 5 % of a load.
    gc.disable()
    try:
        return int(_COMMANDS[options.command](options))
    except OcgdedupError as error:
        print(f"ocgdedup: error: {error}", file=sys.stderr)
        return int(error.exit_code)
    except KeyboardInterrupt:
        print("ocgdedup: interrupted; nothing was left half done", file=sys.stderr)
        return int(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        # The reader of a pipe has gone (head, less): not an error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitStatus.DONE)
    except OSError as error:
        print(f"ocgdedup: error: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        return int(ExitStatus.FAILED)


def _command(name: str) -> Any:
    return importlib.import_module(f"ocgdedup.commands.{name}")


def _default_jobs() -> int:
    return min(4, len(os.sched_getaffinity(0)))


def _create(options: argparse.Namespace) -> ExitStatus:
    command = _command("create")
    # A kill by the system's shutdown or a time limit must tidy up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    request = command.CreateRequest(
        database=options.database,
        inputs=options.inputs,
        append=options.append,
        force=options.force,
        jobs=options.jobs or _default_jobs(),
        with_indexes=not options.no_index,
        rejects_path=options.rejects,
        report_path=options.report,
    )
    began = time.monotonic()
    result: CreateResult = command.create(request, choose_reporter(quiet=options.quiet))
    elapsed_s = time.monotonic() - began
    if not options.quiet:
        _show_faults(result, options.report)
        _show_create(result, elapsed_s)
    summary = result.summary
    if summary.faults or summary.rejects or summary.damaged:
        return ExitStatus.DONE_WITH_REJECTS
    return ExitStatus.DONE


def _describe(fault: FaultNotice) -> str:
    place = f"{fault.source}:{fault.line}: game {fault.number}, after ply {fault.ply}"
    return f"{place}: {fault.reason}"


def _show_faults(result: CreateResult, report: str | None) -> None:
    for fault in result.faults:
        print(_describe(fault), file=sys.stderr)
    more = result.summary.faults - len(result.faults)
    if more:
        rest = f"all are in {report}" if report else "--report FILE.tsv lists all"
        print(
            f"... and {more} more games cut at a fault; {rest}, and so does the table Faults",
            file=sys.stderr,
        )


def _show_create(result: CreateResult, elapsed_s: float) -> None:
    summary = result.summary
    speed = summary.games / elapsed_s if elapsed_s else 0
    rejects = f"rejects: {summary.rejects}"
    if result.rejects_path:
        rejects += f" (in {result.rejects_path})"
    print(
        f"games: {summary.games}, cut at a fault: {summary.faults}, {rejects}, "
        f"elapsed: {elapsed_s:.2f} s, speed: {speed:.0f} games/s"
    )


def _may_upgrade(options: argparse.Namespace) -> Callable[[str], bool]:
    def ask(path: str) -> bool:
        if options.upgrade:
            return True
        if not sys.stdin.isatty() or not sys.stderr.isatty():
            return False
        print(
            f"{path}: OCGDB wrote this database. Add hash columns and our tables to it? "
            "A copy of the file is kept. [y/N] ",
            end="",
            file=sys.stderr,
            flush=True,
        )
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    return ask


def _dedup(options: argparse.Namespace) -> ExitStatus:
    began = time.monotonic()
    summary: ExactSummary = _command("dedup").dedup(
        options.database,
        min_plies=options.plycount,
        dry_run=options.dry_run,
        may_upgrade=_may_upgrade(options),
        reporter=choose_reporter(quiet=options.quiet),
    )
    if not options.quiet:
        print(_ocgdb_line(summary, time.monotonic() - began))
    return ExitStatus.DONE


def _ocgdb_line(summary: ExactSummary, elapsed_s: float) -> str:
    """Write OCGDB's closing line; `#duplicates` counts games that are copies, not pairs."""
    whole_s = int(elapsed_s)
    clock = f"{whole_s // 60:02}:{whole_s % 60:02}"
    if whole_s >= 3600:
        clock = f"{whole_s // 3600}:{whole_s // 60 % 60:02}:{whole_s % 60:02}"
    speed = int(summary.games / elapsed_s) if elapsed_s else 0
    return (
        f"#games: {summary.games}, elapsed: {int(elapsed_s * 1000)}ms {clock}, "
        f"speed: {speed} games/s, #duplicates: {summary.copies}"
    )


def _printpgn(options: argparse.Namespace) -> ExitStatus:
    text: bytes = _command("printpgn").printpgn(options.database, options.games)
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()
    return ExitStatus.DONE


def _export(options: argparse.Namespace) -> ExitStatus:
    count: int = _command("export").export(
        options.database,
        options.output,
        force=options.force,
        reporter=choose_reporter(quiet=options.quiet),
    )
    if not options.quiet and options.output != "-":
        print(f"games: {count}, written to {options.output}")
    return ExitStatus.DONE


_COMMANDS: dict[str, Callable[[argparse.Namespace], ExitStatus]] = {
    "create": _create,
    "dedup": _dedup,
    "printpgn": _printpgn,
    "export": _export,
}
