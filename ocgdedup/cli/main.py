"""Parse the command line, run the command, choose the exit status.

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

from ocgdedup.cli import show
from ocgdedup.cli.dedup import run_dedup, show_pairs
from ocgdedup.cli.options import build_parser
from ocgdedup.cli.players import run_players
from ocgdedup.cli.terminal import choose_reporter
from ocgdedup.errors import ExitStatus, OcgdedupError

if TYPE_CHECKING:
    from ocgdedup.commands.create import CreateResult


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
        fide_list=options.fide_xml,
        aliases=options.aliases,
    )
    began = time.monotonic()
    result: CreateResult = command.create(request, choose_reporter(quiet=options.quiet))
    elapsed_s = time.monotonic() - began
    if result.players is not None:
        elapsed_s -= result.players.elapsed_s  # the games/s are those of the load
    if not options.quiet:
        show.show_faults(result, options.report)
        show.show_create(result, elapsed_s)
        if result.players is not None:
            show.show_players(result.players, options.database)
    summary = result.summary
    if summary.faults or summary.rejects or summary.damaged:
        return ExitStatus.DONE_WITH_REJECTS
    return ExitStatus.DONE


def _printpgn(options: argparse.Namespace) -> ExitStatus:
    if options.games is None:
        return show_pairs(options)
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
    "dedup": run_dedup,
    "players": run_players,
    "printpgn": _printpgn,
    "export": _export,
}
