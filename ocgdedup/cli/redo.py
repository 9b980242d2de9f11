"""The command redo."""

from __future__ import annotations

import argparse
import json

from ocgdedup.cli.command import Command
from ocgdedup.cli.history import step_object
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.terminal import show
from ocgdedup.errors import ExitStatus


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.history import redo_step  # 20 ms

    step = redo_step(options.database)
    if options.json:
        show(json.dumps(step_object(step)))
    else:
        show(f"redone: step {step.number}, {step.changes}")
    return ExitStatus.DONE


COMMAND = Command("redo", _add_options, run_command)
