"""export --format: games, persons and names of a database as tables for other programs."""

from __future__ import annotations

import os
from typing import NamedTuple

from ocgdedup.commands.game_kind import check_chess_options
from ocgdedup.commands.output_folder import check_folder, new_folder
from ocgdedup.commands.outputs import (
    check_free,
    check_outputs,
    is_special,
    new_file,
    standard_output,
)
from ocgdedup.errors import UsageError
from ocgdedup.model import Reporter
from ocgdedup.pipeline.select import criteria_of, select_games
from ocgdedup.pipeline.tables import TableReader, write_table
from ocgdedup.store.connection import (
    Database,
    one_state,
    open_database,
    store_errors,
)
from ocgdedup.store.selection import Selection, id_lists
from ocgdedup.tables.columns import PLAYER_NAMES, PLAYERS, TABLES
from ocgdedup.tables.table_file import open_table

STDOUT_ARGUMENT = "-"
_FOREIGN_ENDINGS = (".pgn", ".parquet", ".csv", ".jsonl")
_PACKED_ENDINGS = (".gz", ".bz2", ".xz", ".zst", ".zip")


class TablesRequest(NamedTuple):
    """What to write: `form` is "parquet", "csv" or "jsonl".

    `output` is a folder for all tables; a file, if the name ends in the form, for the games alone;
    or "-", standard output, for the games alone. `is_safe_csv`: texts of CSV are no formulas to a
    spreadsheet.
    """

    database: str
    output: str
    form: str
    force: bool = False
    selection: Selection = Selection()
    is_safe_csv: bool = False


def export_tables(request: TablesRequest, reporter: Reporter) -> dict[str, int]:
    """Write the tables; return the rows of each by its name.

    Files get their names when all are whole.
    """
    _check(request)
    database = open_database(request.database)
    try:
        with store_errors(request.database, "cannot be read"), one_state(database.connection):
            check_chess_options(database, request.selection)
            return _write(request, database, reporter)
    finally:
        database.close()


def _check(request: TablesRequest) -> None:
    """Refuse an output that cannot be written, or must not."""
    output, form = request.output, request.form
    if output == STDOUT_ARGUMENT:
        if form == "parquet":
            raise UsageError("-: Parquet is not written to standard output; name a file or folder")
        return
    if output.lower().endswith(_PACKED_ENDINGS):
        raise UsageError(f"{output}: tables are written plain; compress the file afterwards")
    if _is_file(output, form):
        check_outputs([output], [request.database])
        check_free(output, force=request.force)
        return
    if output.lower().endswith(_FOREIGN_ENDINGS):
        raise UsageError(
            f"{output}: is no name for {form}; name a file that ends in .{form}, or a folder"
        )
    check_folder(output, _file_names(form), [request.database], force=request.force)


def _is_file(output: str, form: str) -> bool:
    """Tell if a file is meant, not a folder."""
    if output.lower().endswith(f".{form}"):
        return True
    return os.path.exists(output) and not os.path.isdir(output) and is_special(output)


def _file_names(form: str) -> list[str]:
    return [f"{table.name}.{form}" for table in TABLES]


def _write(request: TablesRequest, database: Database, reporter: Reporter) -> dict[str, int]:
    """Write to standard output, a file or a folder; return the rows of each table."""
    output, form = request.output, request.form
    selected = select_games(database, criteria_of(database, request.selection, reporter)).ids
    reader = TableReader(database)
    games = reader.games_table
    total = len(selected)
    rows = reader.games(id_lists(selected))
    if output == STDOUT_ARGUMENT:
        with standard_output() as stream:
            target = open_table(form, stream, games, is_safe_csv=request.is_safe_csv)
            return {games.name: write_table(target, rows, total, reporter)}
    if _is_file(output, form):
        with new_file(output, [request.database], may_replace=request.force) as handle:
            target = open_table(form, handle, games, is_safe_csv=request.is_safe_csv)
            return {games.name: write_table(target, rows, total, reporter)}
    counts = {}
    names = _file_names(form)
    # Games come first: the reader counts them for the other two.
    tables = ((games, rows), (PLAYERS, reader.players()), (PLAYER_NAMES, reader.player_names()))
    with new_folder(output, names, [request.database]) as opened:
        for (table, columns), name in zip(tables, names, strict=True):
            with opened(name) as handle:
                target = open_table(form, handle, table, is_safe_csv=request.is_safe_csv)
                counts[table.name] = write_table(
                    target, columns, total if table is games else None, reporter
                )
    return counts
