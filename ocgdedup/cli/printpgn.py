"""The command printpgn: games as PGN, or pairs of them side by side."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Any

from ocgdedup.errors import ExitStatus


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print the games or pairs that the options name."""
    command = importlib.import_module("ocgdedup.commands.printpgn")
    if options.games is None:
        return _show_pairs(command, options)
    sys.stdout.buffer.write(command.printpgn(options.database, options.games))
    sys.stdout.buffer.flush()
    return ExitStatus.DONE


def _show_pairs(command: Any, options: argparse.Namespace) -> ExitStatus:
    """Print pairs of games side by side: those of a file, or of a group."""
    report = importlib.import_module("ocgdedup.report.side_by_side")
    wanted = None
    if options.pairs is not None:
        wanted = importlib.import_module("ocgdedup.report.pair_files").read_pairs(options.pairs)
    with command.opened_pairs(options.database, wanted, options.group) as pairs:
        for text in report.pairs_text(pairs):
            # As UTF-8 whatever the terminal's charset: the names are of all the world.
            sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
    return ExitStatus.DONE
