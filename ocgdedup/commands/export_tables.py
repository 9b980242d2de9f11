"""export --format: write games, players and names of a database as tables."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple

from ocgdedup.commands.kind_checks import check_chess_options
from ocgdedup.commands.outputs import (
    check_folder,
    check_free,
    check_outputs,
    is_special,
    new_file,
    new_folder,
    reading,
    standard_output,
    warn_of_decisions,
)
from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import UsageError
from ocgdedup.files.manifest import NAME as MANIFEST
from ocgdedup.files.manifest import HashedFile, ListedFile, write_manifest
from ocgdedup.model import Reporter
from ocgdedup.pipeline.export.select import criteria_of
from ocgdedup.pipeline.export.tables import TableReader, write_table
from ocgdedup.pipeline.ingest.lossless import LosslessReader
from ocgdedup.store.connection import Database, one_state
from ocgdedup.store.names import game_kind
from ocgdedup.store.selection import Selection, id_lists, selected_games
from ocgdedup.tables.columns import (
    ALIASES,
    DECISIONS,
    LOSSLESS_GAMES,
    LOSSLESS_TABLES,
    PLAYER_NAMES,
    PLAYERS,
    SOURCES,
    TABLES,
    Columns,
    Table,
)
from ocgdedup.tables.formats import STDOUT_ARGUMENT, TABLE_FORMATS, check_name
from ocgdedup.tables.parquet_file import ParquetFile
from ocgdedup.tables.table_file import open_table

_LOSSLESS_NAMES = (*(f"{table.name}.parquet" for table in LOSSLESS_TABLES), MANIFEST)


class TablesRequest(NamedTuple):
    """A request of the user; `form`: one of EXPORT_FORMATS.

    `output`: a folder for all tables; or a file, if the name ends in `form`, or "-" (standard
    output) for the games alone. `is_safe_csv`: quote texts that a spreadsheet would run as
    formulas. `is_lossless`: write a folder that `create` can read. `names`: see TableReader.
    """

    database: str
    output: str
    form: str
    force: bool = False
    selection: Selection = Selection()
    is_safe_csv: bool = False
    is_lossless: bool = False
    names: str | None = None


def export_tables(request: TablesRequest, reporter: Reporter) -> dict[str, int]:
    """Write the tables; return the number of rows by table name.

    Files get their names when all are complete.
    """
    _check(request)
    with reading(request.database) as database, one_state(database.connection):
        check_chess_options(database, request.selection)
        warn_of_decisions(database, request.selection, reporter)
        if request.is_lossless:
            require_ours(database)
        criteria = criteria_of(database, request.selection, reporter)
        ids = selected_games(database.connection, criteria).ids
        write = _write_lossless if request.is_lossless else _write
        return write(request, database, ids, reporter)


def _check(request: TablesRequest) -> None:
    """Raise UsageError for an output that may not be written."""
    output, form = request.output, request.form
    if output == STDOUT_ARGUMENT:
        if TABLE_FORMATS[form].is_binary:
            raise UsageError(
                f"-: {form.capitalize()} is not written to standard output; name a file or folder"
            )
        return
    check_name(output, form)
    if request.is_lossless and _is_file(output, form):
        raise UsageError(f"{output}: lossless tables are several files; name a folder")
    if _is_file(output, form):
        check_outputs([output], [request.database])
        check_free(output, force=request.force)
        return
    names = _LOSSLESS_NAMES if request.is_lossless else _file_names(form)
    check_folder(output, names, [request.database], force=request.force)


def _is_file(output: str, form: str) -> bool:
    """Return whether an output is a file, not a folder."""
    if output.lower().endswith(f".{form}"):
        return True
    return os.path.exists(output) and not os.path.isdir(output) and is_special(output)


def _file_names(form: str) -> list[str]:
    return [f"{table.name}.{form}" for table in TABLES]


def _write(
    request: TablesRequest, database: Database, ids: array[int], reporter: Reporter
) -> dict[str, int]:
    """Write to standard output, a file or a folder; return the number of rows by table."""
    output, form = request.output, request.form
    reader = TableReader(database, request.names)
    games = reader.games_table
    rows = reader.games(id_lists(ids))

    def write(handle: BinaryIO, table: Table, columns: Iterable[Columns]) -> int:
        target = open_table(form, handle, table, is_safe_csv=request.is_safe_csv)
        return write_table(target, columns, len(ids) if table is games else None, reporter)

    if output == STDOUT_ARGUMENT:
        with standard_output() as stream:
            return {games.name: write(stream, games, rows)}
    if _is_file(output, form):
        with new_file(output, [request.database], may_replace=request.force) as handle:
            return {games.name: write(handle, games, rows)}
    counts = {}
    names = _file_names(form)
    # Games come first: reading them counts the games of the players and names.
    tables = (
        (games, rows),
        (PLAYERS, reader.players()),
        (PLAYER_NAMES, reader.player_names()),
        (ALIASES, reader.aliases()),
    )
    with new_folder(output, names, [request.database]) as opened:
        for (table, columns), name in zip(tables, names, strict=True):
            with opened(name) as handle:
                counts[table.name] = write(handle, table, columns)
    return counts


def _write_lossless(
    request: TablesRequest, database: Database, ids: array[int], reporter: Reporter
) -> dict[str, int]:
    """Write lossless tables and their manifest; return the number of rows by table."""
    reader = LosslessReader(database.connection)
    tables = (
        (LOSSLESS_GAMES, reader.games(id_lists(ids)), len(ids)),
        (SOURCES, reader.sources(), None),
        (DECISIONS, reader.decisions(), None),
    )
    files = []
    with new_folder(request.output, _LOSSLESS_NAMES, [request.database]) as opened:
        for (table, columns, total), name in zip(tables, _LOSSLESS_NAMES, strict=False):
            with opened(name) as handle:
                hashed = HashedFile(handle)
                count = write_table(ParquetFile(hashed, table), columns, total, reporter)
                digest = hashed.sha256_hex()
                files.append(ListedFile(table.name, name, count, hashed.size_bytes, digest))
        with opened(MANIFEST) as handle:
            write_manifest(handle, game_kind(database.connection).name, files)
    return {file.table: file.rows for file in files}
