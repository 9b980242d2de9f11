"""The command line: each command and each option once, with its help.

What this imports is argparse and the options alone, so that `--help` and the making of man pages
need nothing built.
"""

from __future__ import annotations

import argparse

from ocgdedup import __version__
from ocgdedup.cli.options.create import add_create
from ocgdedup.cli.options.dedup import add_dedup
from ocgdedup.cli.options.export import add_export
from ocgdedup.cli.options.players import add_players
from ocgdedup.cli.options.printpgn import add_printpgn
from ocgdedup.cli.options.review import add_review


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="ocgdedup",
        description="Turn PGN files of chess games into one SQLite database, find the games that "
        "stand in it twice, and turn it back into PGN.",
        epilog="Exit status: 0 done; 1 done, but some input was rejected or marked; 2 failed; "
        "130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"ocgdedup {__version__}")
    # With prog given, argparse need not format a usage line, which would import shutil.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, prog=parser.prog
    )
    add_create(commands)
    add_dedup(commands)
    add_review(commands)
    add_players(commands)
    add_printpgn(commands)
    add_export(commands)
    return parser
