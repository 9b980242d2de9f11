"""create: load PGN or SGF files into a new or existing database."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ocgdedup.commands.database_inputs import as_read, with_databases
from ocgdedup.commands.outputs import check_free, check_outputs, has_content, new_file, reading
from ocgdedup.commands.publication import (
    UNPUBLISHED,
    Publication,
    finish_killed_run,
    publication,
    publish,
    sha256_of,
)
from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import LastingChanges, PgnReadError, UsageError
from ocgdedup.files.inputs import InputFile, list_inputs, unread_messages
from ocgdedup.files.records import remove_leftovers
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.game_kind import GAME_KINDS, kind_of
from ocgdedup.model import FaultNotice, IngestSummary, ListFiles, LoadedText, Reporter
from ocgdedup.pgn.rejects import RejectFile, is_reject_file
from ocgdedup.pipeline.ingest.blocks import Ingest, Notices, texts_of
from ocgdedup.pipeline.ingest.signatures import fill_signatures, wants_signatures
from ocgdedup.store import database as store
from ocgdedup.store import games, loads
from ocgdedup.store.connection import is_sqlite_file, require_file_name
from ocgdedup.store.deleted_games import delete_unwanted
from ocgdedup.store.file_state import games_are_added
from ocgdedup.store.history import IMPORT, PLAYERS, transaction
from ocgdedup.store.loads import MORE_REJECTS, REJECTS, StoredLoad, faults_of
from ocgdedup.store.migrations import migrate
from ocgdedup.store.name_decisions import has_decisions
from ocgdedup.store.names import game_kind
from ocgdedup.tables.formats import DATABASES, TEXT_FORMATS, TSV, check_name
from ocgdedup.tables.spreadsheet import quoted_row
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult

MAX_FAULTS = 20
_UTF8_MARK = b"\xef\xbb\xbf"


class CreateRequest(NamedTuple):
    """A request of the user; `rejects_path` None: beside the database.

    `lists`: consolidate the names after the load. `only_new`: skip texts that were loaded before.
    `signatures`: make them for chess games, too. `again`: repeat a finished load of the same
    inputs, and bring records back that the user deleted. `other_files`: in folders of inputs, and
    used for something else. `is_part_of_run`: note the games as new for the command `run`.
    """

    database: str
    inputs: Sequence[str]
    append: bool = False
    force: bool = False
    jobs: int = 1
    with_indexes: bool = True
    index_records: bool = False
    rejects_path: str | None = None
    report_path: str | None = None
    lists: ListFiles = ListFiles()
    only_new: bool = False
    signatures: bool = False
    again: bool = False
    other_files: Sequence[str] = ()
    is_part_of_run: bool = False


class CreateResult(NamedTuple):
    """The result; `faults`: the first ones, `rejects_path`: None without rejects.

    `players`: None without lists. `loaded_before`: the UTC time of a finished load of the same
    inputs that was not repeated, None for a new load.
    """

    summary: IngestSummary
    faults: list[FaultNotice]
    rejects_path: str | None
    players: PlayersResult | None
    loaded_before: str | None = None


class _Repeated(Exception):
    """The inputs are those of a finished load; this load is rolled back."""

    def __init__(self, load: StoredLoad) -> None:
        super().__init__()
        self.load = load


class _Load(NamedTuple):
    """A running load."""

    request: CreateRequest
    files: Sequence[InputFile]
    notices: Notices
    rejects: RejectFile
    outputs: Publication
    reporter: Reporter


class _Loaded(NamedTuple):
    summary: IngestSummary
    players: PlayersResult | None


def create(request: CreateRequest, reporter: Reporter) -> CreateResult:
    """Load the inputs: all of them or nothing.

    A finished load of the same inputs is not repeated; its output files are completed. Raises
    UsageError if the database exists (with `append`: if it does not), PgnReadError for a missing
    input or if nothing can be read, RatingListError for an invalid list.
    """
    files = with_databases(list_inputs(request.inputs))
    _check_files(request, files)
    used = (request.database, *request.lists.paths(), *request.other_files)
    for message in unread_messages(request.inputs, used):
        reporter.warn(message)
    if has_content(request.database) and is_sqlite_file(request.database):
        finish_killed_run(request.database, reporter)
    finished = _finished_load(request, files)
    if finished is not None:
        return _result_of(request, finished)
    _check_free(request)
    if request.lists.month is not None and request.lists.fide is None:
        raise UsageError("create: --list-month is of a rating list; give that with --fide-xml")
    if request.lists.paths():
        from ocgdedup.commands.players import check_lists  # 67 ms

        check_lists(request.lists)
    faults: list[FaultNotice] = []

    def add_fault(fault: FaultNotice) -> None:
        if len(faults) < MAX_FAULTS:  # all are in the database, and there may be millions
            faults.append(fault)

    try:
        with (
            as_read(files, request.database) as files,
            publication(request.database) as outputs,
        ):
            kind = REJECTS if request.force and not request.append else MORE_REJECTS
            rejects = RejectFile(lambda: outputs.file(reject_paths(request)[0], kind))
            load = _Load(
                request, files, Notices(add_fault, rejects.add), rejects, outputs, reporter
            )
            try:
                summary, players = (_append if request.append else _create_new)(load)
            finally:
                rejects.close()
    except _Repeated as repeated:
        return _result_of(request, repeated.load)
    if request.report_path is not None:
        _write_report(request, summary)
    return CreateResult(summary, faults, _reject_path(request, summary), players)


def _finished_load(request: CreateRequest, files: Sequence[InputFile]) -> StoredLoad | None:
    """Return the finished load that this load would repeat, if this is known before reading."""
    if request.only_new or request.again or not has_content(request.database):
        return None
    input_bytes = _input_bytes(files)
    if (request.force and not request.append) or (request.append and input_bytes is None):
        return None  # an overwritten database; or a pipe, for which _note_load() checks later
    if not is_sqlite_file(request.database):
        return None
    with reading(request.database) as database:
        if not loads.may_have_loaded(database.connection, input_bytes):
            return None
        return loads.find_load(database.connection, _fingerprint(request, texts_of(files)))


def _result_of(request: CreateRequest, load: StoredLoad) -> CreateResult:
    """Return the result of a finished load, and write its report again."""
    if request.report_path is not None:
        _write_report(request, load.summary)
    with store.open_database(request.database) as database:
        summary = load.summary._replace(is_go=game_kind(database.connection).is_go)
    return CreateResult(summary, [], _reject_path(request, summary), None, load.date)


def _input_bytes(files: Sequence[InputFile]) -> int | None:
    """Return the size of all inputs on disk, None if one of them is a pipe."""
    sizes = [file.size_bytes for file in files]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _fingerprint(request: CreateRequest, texts: Sequence[LoadedText]) -> str:
    """Return a hash that is equal for loads of the same inputs with the same options."""
    lists = [(path, sha256_of(path)) for path in request.lists.paths()]
    options = (
        request.with_indexes, request.index_records, request.signatures, request.only_new, lists,
    )  # fmt: skip
    content = repr(([text[:2] for text in texts], options))
    return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()


def _write_report(request: CreateRequest, summary: IngestSummary) -> None:
    assert request.report_path is not None
    with store.open_database(request.database) as database, new_file(request.report_path) as handle:
        handle.write(b"file\tline\tgame\tply\treason\n")
        for row in faults_of(database.connection, summary.first_id):
            text = "\t".join(" ".join(str(value).split()) for value in quoted_row(row))
            handle.write(text.encode("utf-8", "surrogateescape") + b"\n")


def reject_paths(request: CreateRequest) -> list[str]:
    """Return the possible reject files: the user's, or one beside the database for each game kind.

    The order is that of GAME_KINDS.
    """
    if request.rejects_path is not None:
        return [request.rejects_path]
    base = os.path.splitext(request.database)[0]
    return [f"{base}.rejects.{kind.text_format}" for kind in GAME_KINDS]


def _reject_path(request: CreateRequest, summary: IngestSummary) -> str | None:
    """Return the reject file of a load, None if it has no rejects."""
    paths = reject_paths(request)
    path = paths[0] if len(paths) == 1 else paths[GAME_KINDS.index(kind_of(summary.is_go))]
    return path if summary.rejects else None


def _check_files(request: CreateRequest, files: Sequence[InputFile]) -> None:
    """Raise UsageError, before any work, for a request that would lose a file or fail later."""
    for path in (request.database, os.path.realpath(request.database)):
        require_file_name(path, is_output=True)
    outputs = reject_paths(request)
    if request.report_path is not None:
        outputs.append(request.report_path)
    _check_kinds(files)
    inputs = [*(file.path_as_given for file in files), *request.lists.paths()]
    check_outputs(outputs, inputs, database=request.database)
    check_name(request.rejects_path or "", *TEXT_FORMATS)
    check_name(request.report_path or "", TSV)
    if os.path.exists(request.database) and not os.path.isfile(request.database):
        raise UsageError(f"{request.database}: is not a regular file; name the database to create")
    if request.append and not os.path.exists(request.database):
        raise UsageError(
            f"{request.database}: there is no such database to append to; leave out "
            "--append to create it"
        )
    if not has_content(request.database):
        check_name(request.database, *DATABASES)
    elif not request.append and not is_sqlite_file(request.database):
        raise UsageError(
            f"{request.database}: already exists and is not an ocgdedup database; the "
            "first argument is the database to create"
        )


def _check_free(request: CreateRequest) -> None:
    """Raise UsageError, before any work, for files that would be replaced without --force."""
    if request.append or request.force:
        return
    if has_content(request.database):
        raise UsageError(
            f"{request.database}: already exists; add to it with --append, "
            "or overwrite it with --force"
        )
    for rejects in filter(os.path.exists, reject_paths(request)):
        raise UsageError(
            f"{rejects}: already exists and may contain rejected texts that you still need; "
            "move it away, name another with --rejects, or overwrite it with --force"
        )
    if request.report_path is not None:
        check_free(request.report_path, force=False)


def _check_kinds(files: Sequence[InputFile]) -> None:
    for file in files:
        if file.manifest is not None or file.size_bytes is None or file.database is not None:
            continue
        with open(file.path_as_given, "rb") as handle:
            head = handle.read(16).removeprefix(_UTF8_MARK)
        if head.startswith((b"<?xml", b"<playerslist")):
            raise UsageError(
                f"{file.path_as_given}: is XML, not a file of games; if it is a rating list of "
                "FIDE, name it with --fide-xml"
            )


def _create_new(load: _Load) -> _Loaded:
    request = load.request
    replaces = request.force and os.path.exists(request.database)
    remove_leftovers(os.path.dirname(os.path.realpath(request.database)))
    file = TemporaryFile(request.database)
    try:
        loaded = _fill(file.name, load)
        store.publish_database(file, replace=request.force)
    finally:
        file.discard()
    stale = reject_paths(request)[0]  # written for the replaced database
    if loaded.summary.rejects:
        with (
            store.open_database(request.database, writable=True) as database,
            store.store_errors(request.database, UNPUBLISHED),
        ):
            publish(database, load.reporter, load.outputs)
    elif replaces and not request.rejects_path and os.path.isfile(stale) and is_reject_file(stale):
        os.remove(stale)
    return loaded


def _fill(temporary_name: str, load: _Load) -> _Loaded:
    request, reporter = load.request, load.reporter
    draft = LastingChanges(is_draft=True)  # the file is not published yet
    with draft, store.store_errors(request.database, "could not be written"):
        connection = store.create_database(temporary_name)
        try:
            with transaction(connection, IMPORT) as change:
                summary = _ingest(connection, load)
                change.words = _words(summary)
            with transaction(connection, PLAYERS):
                players = _consolidate(connection, request, reporter)
                _apply_decisions(connection)
            games.build_note_indexes(connection)
            if request.with_indexes or request.index_records:
                reporter.start("indexing", None, None)
                _build_indexes(connection, request)
                reporter.finish()
        finally:
            connection.close()
    return _Loaded(summary, players)


def _build_indexes(connection: apsw.Connection, request: CreateRequest) -> None:
    if request.with_indexes:
        games.build_hash_indexes(connection)
    if request.index_records:
        games.build_indexes(connection, (games.RECORD_INDEX,))


def _note_load(connection: apsw.Connection, load: _Load, summary: IngestSummary) -> None:
    """Note a load as finished, with its rejects; raise _Repeated if it was finished before."""
    request, texts = load.request, summary.texts
    fingerprint = _fingerprint(request, texts)
    if request.only_new and summary.games and all(text.is_repeated for text in texts):
        # The text of a pipe is only known after reading it.
        skipped = (*summary.skipped, *(text.name for text in texts))
        raise _Repeated(StoredLoad(None, IngestSummary(summary.first_id, 0, 0, 0, 0, skipped)))
    finished = loads.find_load(connection, fingerprint)
    if finished is not None and not (request.only_new or request.again):
        raise _Repeated(finished)
    if texts:
        loads.write_load(connection, fingerprint, _input_bytes(load.files), summary)
    if request.is_part_of_run and summary.games:
        loads.note_new_games(connection, summary.first_id)
    load.rejects.close(_reject_path(request, summary))
    load.outputs.list_in(connection)


def _consolidate(
    connection: apsw.Connection, request: CreateRequest, reporter: Reporter
) -> PlayersResult | None:
    """Consolidate the names if there are lists, in the transaction of the caller."""
    if not request.lists.paths():
        return None
    from ocgdedup.commands.players import consolidate_names, warn_of_merges  # 69 ms

    result = consolidate_names(connection, request.lists, reporter)
    warn_of_merges(result, reporter)
    return result


def _apply_decisions(connection: apsw.Connection) -> None:
    """Apply the user's decisions about names to new games."""
    if has_decisions(connection):
        from ocgdedup.pipeline.players.decided_names import apply_decisions  # 73 ms

        apply_decisions(connection)


def _append(load: _Load) -> _Loaded:
    request, reporter = load.request, load.reporter
    database = store.open_database(request.database, writable=True)
    connection = database.connection
    require_ours(database)
    try:
        with store.store_errors(request.database, "nothing was added"):
            migrate(database, reporter)
            # A list of players or a decision may change the players of earlier games.
            may_change = (
                request.lists.paths()
                or has_decisions(connection)
                or any(file.database is not None for file in load.files)
            )
            changes = contextlib.nullcontext if may_change else games_are_added
            with transaction(connection, IMPORT) as change, changes(connection):
                summary = _ingest(connection, load)
                change.words = _words(summary)
                _build_indexes(connection, request)
                players = _consolidate(connection, request, reporter)
                _apply_decisions(connection)
        with store.store_errors(request.database, UNPUBLISHED):
            publish(database, reporter, load.outputs)
    finally:
        connection.close()
    return _Loaded(summary, players)


def _words(summary: IngestSummary) -> str:
    """Return the text of the history on an import."""
    names = [text.name for text in summary.texts if not text.is_repeated]
    others = f" and {counted(len(names) - 1, 'other file')}" if len(names) > 1 else ""
    return f"{counted(summary.games, 'game')}" + (f" from {names[0]}{others}" if names else "")


def _ingest(connection: apsw.Connection, load: _Load) -> IngestSummary:
    request, reporter = load.request, load.reporter
    ingest = Ingest(connection, load.notices, reporter, only_new=request.only_new)
    summary = ingest.load(load.files, jobs=request.jobs)
    if summary.damaged and not summary.games and not summary.skipped:
        raise PgnReadError("nothing could be read; no database was written")
    _note_load(connection, load, summary)
    ingest.warn_of_repeats()
    if request.signatures:
        fill_signatures(connection, reporter=reporter, with_indexes=request.with_indexes)
    elif wants_signatures(connection):
        fill_signatures(connection, summary.first_id, reporter, with_indexes=request.with_indexes)
    if request.again:
        return summary
    return summary._replace(unwanted=delete_unwanted(connection, summary.first_id))
