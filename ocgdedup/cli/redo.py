"""The command redo."""

from __future__ import annotations

import argparse

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.terminal import json_text, show, write_result
from ocgdedup.errors import ExitStatus


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.history import redo_step  # 20 ms

    step = redo_step(options.database)
    if options.json:
        write_result(json_text(step))
    else:
        show(f"redone: step {step.number}, {step.changes}")
    return ExitStatus.DONE


COMMAND = Command("redo", _add_options, run_command)
