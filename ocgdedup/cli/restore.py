"""The command restore."""

from __future__ import annotations

import argparse

from ocgdedup.cli import terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.delete import show_games
from ocgdedup.cli.options.search import add_resources
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.shared import resources_of
from ocgdedup.errors import ExitStatus


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("ids", nargs="*", type=int)
    add_flags(command, "--json")
    add_resources(command)


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Restore deleted games."""
    from ocgdedup.commands.delete import restore  # 50 ms

    reporter = terminal.choose_reporter(options)
    result = restore(options.database, reporter, options.ids, resources_of(options))
    return show_games(options, "restored", result)


COMMAND = Command("restore", _add_options, run_command)
