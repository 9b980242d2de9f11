"""The command export."""

from __future__ import annotations

import argparse
import importlib
import os

from ocgdedup.cli.terminal import choose_reporter
from ocgdedup.errors import ExitStatus

_TABLE_FORMS = ("parquet", "csv", "jsonl")
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Write the games to a file or to standard output."""
    form = options.format or _form_by_name(options.output)
    if form != "pgn":
        return _write_tables(options, form)
    count: int = importlib.import_module("ocgdedup.commands.export").export(
        options.database,
        options.output,
        force=options.force,
        reporter=choose_reporter(quiet=options.quiet),
    )
    if not options.quiet and options.output != "-":
        print(f"games: {count}, written to {options.output}")
    return ExitStatus.DONE


def _form_by_name(output: str) -> str:
    """Return what the ending of a name asks for; PGN is what any other means."""
    stem, ending = os.path.splitext(output.lower())
    if ending in _COMPRESSED:  # no PGN either, though tables are not compressed here
        ending = os.path.splitext(stem)[1]
    form = ending.removeprefix(".")
    return form if form in _TABLE_FORMS else "pgn"


def _write_tables(options: argparse.Namespace, form: str) -> ExitStatus:
    """Write tables for other programs."""
    tables = importlib.import_module("ocgdedup.commands.export_tables")
    counts: dict[str, int] = tables.export_tables(
        tables.TablesRequest(options.database, options.output, form, options.force),
        choose_reporter(quiet=options.quiet),
    )
    if not options.quiet and options.output != "-":
        rows = ", ".join(f"{name}: {count}" for name, count in counts.items())
        print(f"{rows}, written to {options.output}")
    return ExitStatus.DONE
