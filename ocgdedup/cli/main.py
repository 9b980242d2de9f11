"""Parse the command line, run the command, choose the exit status.

Each command is imported when it is asked for: the others' imports would cost it start-up time.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from ocgdedup.cli.parser import build_parser
from ocgdedup.errors import ExitStatus, OcgdedupError


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = build_parser()
    if not words:
        parser.print_help(sys.stderr)
        print("ocgdedup: error: name a command", file=sys.stderr)
        return int(ExitStatus.FAILED)
    if words[0] == "help":
        words = [*words[1:2], "--help"]  # "help" and "help dedup", as other programs have it
    options = parser.parse_args(words)
    # A short-lived program without cycles of any size: collecting them took 5 % of a load.
    gc.disable()
    try:
        return int(_command(options.command)(options))
    except OcgdedupError as error:
        print(f"ocgdedup: error: {error}", file=sys.stderr)
        return int(error.exit_code)
    except KeyboardInterrupt:
        print("ocgdedup: interrupted; nothing was left half done", file=sys.stderr)
        return int(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        # The reader of a pipe has gone (head, less): not an error of ours.
        _give_up_output()
        return int(ExitStatus.DONE)
    except OSError as error:
        print(f"ocgdedup: error: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        if error.filename is None:
            _give_up_output()
        return int(ExitStatus.FAILED)


def _give_up_output() -> None:
    """Let Python write nowhere, at its end, what could not be written: else it fails once more."""
    with contextlib.suppress(OSError, ValueError):  # closed, or no file, as in some tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(name: str) -> Callable[[argparse.Namespace], ExitStatus]:
    """Return what runs a command: run_command() of the module of that name beside this one."""
    command: Callable[[argparse.Namespace], ExitStatus] = importlib.import_module(
        f"ocgdedup.cli.{name}"
    ).run_command
    return command
