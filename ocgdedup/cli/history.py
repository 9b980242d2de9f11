"""The command history: print the steps."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.terminal import json_text, plain, show, write_lines, write_result
from ocgdedup.errors import ExitStatus
from ocgdedup.reports.terminal_text import printable

if TYPE_CHECKING:
    from ocgdedup.store.history import Step


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.history import read_history  # 20 ms

    history = read_history(options.database)
    if options.json:
        steps = [plain(step) | {"undone": True} for step in history.undone]
        steps += [plain(step) | {"undone": False} for step in history.steps]
        write_result(json_text(steps))
        return ExitStatus.DONE
    for step in history.undone:
        write_lines(map(printable, _lines(step, "undone")))
    for step in history.steps:
        write_lines(map(printable, _lines(step, "" if step.can_be_undone else "cannot be undone")))
    if not history.steps and not history.undone:
        show("the history is empty")
    return ExitStatus.DONE


def _lines(step: Step, note: str) -> list[str]:
    """Return the lines of a step: number and time, then what changed and the command."""
    time = step.time.replace("T", " ").rstrip("Z")
    lines = [f"{step.number:>4}  {time} UTC" + (f"  ({note})" if note else "")]
    lines += [f"      {text}" for text in step.changes.split("; ")]
    if step.command:
        lines.append(f"      $ {step.command}")
    return lines


COMMAND = Command("history", _add_options, run_command)
