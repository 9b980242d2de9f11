"""The command export."""

from __future__ import annotations

import argparse
import importlib

from ocgdedup.cli.terminal import choose_reporter
from ocgdedup.errors import ExitStatus


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Write the games to a file or to standard output."""
    count: int = importlib.import_module("ocgdedup.commands.export").export(
        options.database,
        options.output,
        force=options.force,
        reporter=choose_reporter(quiet=options.quiet),
    )
    if not options.quiet and options.output != "-":
        print(f"games: {count}, written to {options.output}")
    return ExitStatus.DONE
