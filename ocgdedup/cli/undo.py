"""The command undo."""

from __future__ import annotations

import argparse
import shlex

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.terminal import json_text, show, write_result
from ocgdedup.errors import ExitStatus


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("number", nargs="?", type=_number)
    add_flags(command, "--json")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text}: is not the number of a step")
    return int(text)


def run_command(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.history import undo_steps  # 20 ms

    undone = undo_steps(options.database, options.number)
    if options.json:
        write_result(json_text(undone))
        return ExitStatus.DONE
    for step in undone:
        show(f"undone: step {step.number}, {step.changes}")
    if undone:
        show(f"redo with: ocgdedup redo {shlex.quote(options.database)}")
    else:
        show("nothing to undo: there is no later step")
    return ExitStatus.DONE


COMMAND = Command("undo", _add_options, run_command)
