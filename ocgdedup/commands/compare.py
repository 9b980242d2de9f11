"""compare: what other collections have that the first one lacks. Changes no input."""

from __future__ import annotations

import contextlib
import os
import tempfile
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from ocgdedup.commands.database_inputs import as_read, with_databases
from ocgdedup.commands.outputs import check_free, check_outputs, new_files, standard_output
from ocgdedup.errors import LastingChanges
from ocgdedup.files.compress import Output, compressed
from ocgdedup.files.decompress import refuse_address
from ocgdedup.files.inputs import InputFile, list_inputs
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.model import Reporter
from ocgdedup.pipeline.export.emit import GameWriter
from ocgdedup.pipeline.export.tables import BATCH_ROWS, write_table
from ocgdedup.pipeline.export.text_form import CLEAN
from ocgdedup.pipeline.ingest.blocks import Ingest, LoadedFile, Notices
from ocgdedup.pipeline.search.differences import flag_duplicates, flag_equal_moves
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store import games
from ocgdedup.store.connection import Database
from ocgdedup.store.database import create_database, open_database, store_errors
from ocgdedup.store.differences import (
    BETTER,
    LONGER,
    NEW,
    POSSIBLE,
    difference_rows,
    find_differences,
    new_games,
)
from ocgdedup.store.games import Row
from ocgdedup.store.history import transaction
from ocgdedup.store.name_decisions import has_decisions
from ocgdedup.store.selection import id_lists
from ocgdedup.tables.columns import COLUMNS_OF, Columns, Table
from ocgdedup.tables.formats import (
    REPORT_FORMATS,
    STDOUT_ARGUMENT,
    TEXT_FORMATS,
    check_name,
    kind_of,
)
from ocgdedup.tables.table_file import open_table
from ocgdedup.wording import counted

REPORT = Table("differences", COLUMNS_OF["differences"])
_FACTS = REPORT.column_names.index("FirstID") - REPORT.column_names.index("Source")


class CompareRequest(NamedTuple):
    """A request of the user: databases, files or folders of games.

    `output`: a file for the games that `first` lacks. `moves_only`: games with equal moves are
    duplicates, whatever their headers.
    """

    first: str
    others: Sequence[str]
    output: str | None = None
    report_path: str | None = None
    moves_only: bool = False
    force: bool = False
    resources: Resources = Resources()


class CompareResult(NamedTuple):
    """Counts; `games`, `other_games`: in the first collection and in the others.

    `new`: played games that the first collection lacks, `better` and `longer`: of which the others
    have a better record, and one with more moves than all records of the first collection.
    `possible_duplicates`: pairs of a game of the first collection and another.
    """

    games: int
    other_games: int
    new: int
    better: int
    longer: int
    possible_duplicates: int

    @property
    def is_different(self) -> bool:
        return any(self[2:])


def compare(request: CompareRequest, reporter: Reporter) -> CompareResult:
    """Compare collections in a temporary database, and write the outputs.

    Raises UsageError for an output that may not be written, PgnReadError for a missing input.
    """
    first, others = (
        with_databases(list_inputs(paths)) for paths in ([request.first], request.others)
    )
    files = [*first, *others]
    _check_outputs(request, [file.path_as_given for file in files])
    folder = request.resources.temp_folder or tempfile.gettempdir()
    temporary = TemporaryFile(os.path.join(folder, f"compared-{os.urandom(8).hex()}.db3"))
    try:
        with (
            LastingChanges(is_draft=True),
            as_read(files, temporary.place) as files,
        ):
            parts = files[: len(first)], files[len(first) :]
            loaded, counts = _load(temporary.name, parts, request, reporter)
        with (
            open_database(temporary.name, writable=True) as database,
            store_errors(temporary.name, "the games cannot be compared"),
        ):
            found = _find(database, counts[0].next_id, request, reporter)
            _write(database, request, loaded, reporter)
    finally:
        temporary.discard()
    return CompareResult(
        counts[0].games, counts[1].games, found[NEW], found[BETTER] + found[LONGER], found[LONGER],
        found[POSSIBLE],
    )  # fmt: skip


def _check_outputs(request: CompareRequest, inputs: Sequence[str]) -> None:
    refuse_address(request.resources.temp_folder or "", is_output=True)
    outputs = [path for path in (request.output, request.report_path) if path is not None]
    paths = [path for path in outputs if path != STDOUT_ARGUMENT or path is request.report_path]
    check_outputs(paths, inputs)
    if request.output not in (None, STDOUT_ARGUMENT):
        check_name(request.output or "", *TEXT_FORMATS, is_packed=True)
    if request.report_path is not None:
        kind_of(request.report_path, REPORT_FORMATS)
    for path in paths:
        check_free(path, force=request.force)


class _Counts(NamedTuple):
    games: int
    next_id: int


def _load(
    path: str,
    parts: Sequence[Sequence[InputFile]],
    request: CompareRequest,
    reporter: Reporter,
) -> tuple[list[LoadedFile], list[_Counts]]:
    """Load both parts into a new database; return their files, and the counts of each part."""
    connection = create_database(path)
    loaded: list[LoadedFile] = []
    counts: list[_Counts] = []
    notices = Notices(lambda _: None, lambda _, __: None)
    with contextlib.closing(connection), store_errors(path, "cannot be written"):
        with transaction(connection):
            for files in parts:
                ingest = Ingest(connection, notices, reporter)
                summary = ingest.load(files, jobs=request.resources.jobs)
                loaded += ingest.files
                counts.append(_Counts(summary.games, games.next_id(connection, "Games")))
                if summary.rejects:
                    rejects = counted(summary.rejects, "text that is", "texts that are")
                    reporter.warn(f"left out {rejects} not a game")
            if has_decisions(connection):
                from ocgdedup.pipeline.players.decided_names import apply_decisions  # 73 ms

                apply_decisions(connection)
        games.build_note_indexes(connection)
    return loaded, counts


def _find(
    database: Database, first_id: int, request: CompareRequest, reporter: Reporter
) -> dict[str, int]:
    connection = database.connection
    connection.pragma("journal_mode", "off")
    connection.pragma("synchronous", "off")
    with transaction(connection):
        if request.moves_only:
            flag_equal_moves(connection, first_id, reporter)
        else:
            flag_duplicates(connection, first_id, request.resources, reporter)
    return find_differences(connection, first_id)


def _write(
    database: Database,
    request: CompareRequest,
    loaded: Sequence[LoadedFile],
    reporter: Reporter,
) -> None:
    inputs = [file.path for file in loaded]
    with new_files(inputs, may_replace=request.force) as files, contextlib.ExitStack() as opened:
        if request.output is not None:
            output: Output
            if request.output == STDOUT_ARGUMENT:
                output = opened.enter_context(standard_output())
            else:
                handle = opened.enter_context(files.opened(request.output))
                output = opened.enter_context(compressed(handle, request.output))
            ids = new_games(database.connection)
            for _, text in GameWriter(database, CLEAN).games_of(id_lists(ids)):
                output.write(text)
        if request.report_path is not None:
            handle = opened.enter_context(files.opened(request.report_path))
            form = kind_of(request.report_path, REPORT_FORMATS)
            table = open_table(form, handle, REPORT, is_safe_csv=True)
            rows = _report_rows(difference_rows(database.connection), loaded)
            write_table(table, rows, None, reporter)


def _report_rows(rows: Iterable[Row], loaded: Sequence[LoadedFile]) -> Iterator[Columns]:
    """Yield rows of REPORT as columns, with the IDs that games have in the databases given."""

    def place(new_id: int | None) -> tuple[str | None, int | None]:
        if new_id is None:
            return None, None
        file = loaded[bisect_right(loaded, new_id, key=attrgetter("first_id")) - 1]
        return file.path, None if file.shift is None else new_id - file.shift

    def reported(row: Row) -> Row:
        difference, game, *facts = row
        mine = _FACTS + 2
        return (difference, *place(game), *facts[:_FACTS], place(row[mine])[1], *row[mine + 1 :])

    left = map(reported, rows)
    while batch := list(islice(left, BATCH_ROWS)):
        yield list(zip(*batch, strict=True))
