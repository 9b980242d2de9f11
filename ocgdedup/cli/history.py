"""The commands history, undo and redo."""

from __future__ import annotations

import argparse
import json
import shlex
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.terminal import show, write_lines
from ocgdedup.errors import ExitStatus

if TYPE_CHECKING:
    from ocgdedup.store.history import Step


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--json")


def _add_undo_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("number", nargs="?", type=_number)
    add_flags(command, "--json")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text}: is not the number of a step")
    return int(text)


def _show_history(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.history import read_history  # 20 ms

    history = read_history(options.database)
    if options.json:
        steps = [_object(step) | {"undone": True} for step in history.undone]
        steps += [_object(step) | {"undone": False} for step in history.steps]
        show(json.dumps(steps))
        return ExitStatus.DONE
    for step in history.undone:
        write_lines(_lines(step, "undone"))
    for step in history.steps:
        write_lines(_lines(step, "" if step.can_be_undone else "cannot be undone"))
    if not history.steps:
        show("the history is empty")
    return ExitStatus.DONE


def _undo(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.history import undo_steps  # 20 ms

    undone = undo_steps(options.database, options.number)
    if options.json:
        show(json.dumps([_object(step) for step in undone]))
        return ExitStatus.DONE
    for step in undone:
        show(f"undone: step {step.number}, {step.changes}")
    if undone:
        show(f"redo with: ocgdedup redo {shlex.quote(options.database)}")
    else:
        show("nothing to undo: there is no later step")
    return ExitStatus.DONE


def _redo(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.history import redo_step  # 20 ms

    step = redo_step(options.database)
    if options.json:
        show(json.dumps(_object(step)))
    else:
        show(f"redone: step {step.number}, {step.changes}")
    return ExitStatus.DONE


def _lines(step: Step, note: str) -> list[str]:
    """Return the lines of a step: number and time, then what changed and the command."""
    time = step.time.replace("T", " ").rstrip("Z")
    lines = [f"{step.number:>4}  {time} UTC" + (f"  ({note})" if note else "")]
    lines += [f"      {text}" for text in step.changes.split("; ")]
    if step.command:
        lines.append(f"      $ {step.command}")
    return lines


def _object(step: Step) -> dict[str, object]:
    return {
        "number": step.number,
        "time": step.time,
        "command": step.command,
        "kinds": list(step.kinds),
        "changes": step.changes,
        "can_be_undone": step.can_be_undone,
    }


HISTORY = Command("history", _add_options, _show_history)
UNDO = Command("undo", _add_undo_options, _undo)
REDO = Command("redo", _add_options, _redo)
