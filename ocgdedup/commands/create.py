"""create: PGN or SGF files to a new database, or to the end of one that is there."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from ocgdedup.commands.outputs import check_outputs, new_file
from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.records import remove_leftovers
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.model import FaultNotice, IngestSummary, Reporter
from ocgdedup.pgn.inputs import InputFile, list_inputs
from ocgdedup.pgn.rejects import RejectFile
from ocgdedup.pipeline.ingest import Ingest, Notices
from ocgdedup.pipeline.signatures import fill_signatures, wants_signatures
from ocgdedup.store import connection as store
from ocgdedup.store import games
from ocgdedup.store.migrate import migrate
from ocgdedup.tables.spreadsheet import quoted_row

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult

KEPT_FAULTS = 20
_UTF8_MARK = b"\xef\xbb\xbf"


class CreateRequest(NamedTuple):
    """What the user asked for; `rejects_path` None means beside the database.

    With a `fide_list` or `aliases` the names are consolidated after the load. `only_new`: texts
    whose bytes have been loaded before are passed over. `signatures`: games of chess get them too.
    """

    database: str
    inputs: Sequence[str]
    append: bool = False
    force: bool = False
    jobs: int = 1
    with_indexes: bool = True
    rejects_path: str | None = None
    report_path: str | None = None
    fide_list: str | None = None
    aliases: str | None = None
    only_new: bool = False
    signatures: bool = False

    def list_paths(self) -> list[str]:
        return [path for path in (self.fide_list, self.aliases) if path is not None]


class CreateResult(NamedTuple):
    """What was done; `faults` are the first ones, `rejects_path` is None without rejects.

    `players` is None if no list was given.
    """

    summary: IngestSummary
    faults: list[FaultNotice]
    rejects_path: str | None
    players: PlayersResult | None


class _Loaded(NamedTuple):
    summary: IngestSummary
    players: PlayersResult | None


def create(request: CreateRequest, reporter: Reporter) -> CreateResult:
    """Load the inputs; either the whole load is in the database afterwards or nothing of it.

    Raises UsageError if the database is there (or, with `append`, is not), PgnReadError if an
    input is absent or nothing of the inputs could be read, RatingListError for a list that is none.
    """
    files = list_inputs(request.inputs)
    _check_files(request, files)
    if request.list_paths():
        players = _players_command()
        players.check_lists(players.ListFiles(request.fide_list, request.aliases))
    rejects = RejectFile(reject_paths(request)[0], append=request.append)

    def publish_rejects(is_go: bool) -> bool:
        rejects.path = reject_paths(request)[-1 if is_go else 0]
        return rejects.publish()

    faults: list[FaultNotice] = []
    notices = Notices(_first_of(faults), rejects.add)
    load = _append if request.append else _create_new
    replaces = request.force and os.path.exists(request.database)
    try:
        # The rejects get their name before the database does: a run that dies between the two
        # has then lost nothing.
        summary, found = load(request, files, notices, reporter, publish_rejects)
    except BaseException:
        rejects.discard()
        raise
    if replaces and request.rejects_path is None and not summary.rejects:
        rejects.remove_stale()
    if request.report_path is not None:
        _write_report(request, summary.first_id)
    return CreateResult(summary, faults, rejects.path if summary.rejects else None, found)


def _players_command() -> Any:
    # Its imports take longer than to load 10,000 games; only a list of players needs it.
    return importlib.import_module("ocgdedup.commands.players")


def _first_of(faults: list[FaultNotice]) -> Callable[[FaultNotice], None]:
    """Keep the first faults only: all stand in the database, and there may be millions."""

    def keep(fault: FaultNotice) -> None:
        if len(faults) < KEPT_FAULTS:
            faults.append(fault)

    return keep


def _write_report(request: CreateRequest, first_id: int) -> None:
    assert request.report_path is not None
    database = store.open_database(request.database)
    try:
        with new_file(request.report_path) as handle:
            handle.write(b"file\tline\tgame\tply\treason\n")
            for row in games.faults_from(database.connection, first_id):
                text = "\t".join(" ".join(str(value).split()) for value in quoted_row(row))
                handle.write(text.encode("utf-8", "surrogateescape") + b"\n")
    finally:
        database.close()


def reject_paths(request: CreateRequest) -> list[str]:
    """Return where rejected text may go: what the user said, or beside the database.

    There the games read decide: the first name is for chess, the last for Go.
    """
    if request.rejects_path is not None:
        return [request.rejects_path]
    base = os.path.splitext(request.database)[0]
    return [f"{base}.rejects.{kind}" for kind in ("pgn", "sgf")]


def _check_files(request: CreateRequest, files: Sequence[InputFile]) -> None:
    """Refuse, before any work, whatever would lose a file or fail in the end."""
    store.require_text_name(request.database)
    outputs = reject_paths(request)
    if request.report_path is not None:
        outputs.append(request.report_path)
    _check_kinds(files)
    check_outputs(outputs, _inputs(request, files), database=request.database)
    if os.path.exists(request.database) and not os.path.isfile(request.database):
        raise UsageError(f"{request.database}: is no regular file; name the database to make")
    exists = os.path.exists(request.database) and os.path.getsize(request.database) > 0
    if request.append and not os.path.exists(request.database):
        raise UsageError(f"{request.database}: there is no such database to append to")
    if exists and not request.append and not store.is_sqlite_file(request.database):
        raise UsageError(
            f"{request.database}: is there already and is no database; the first argument is the "
            "database to make"
        )
    if request.append or request.force:
        return
    if exists:
        raise UsageError(
            f"{request.database}: is there already; add to it with --append, "
            "or overwrite it with --force"
        )
    for rejects in filter(os.path.exists, reject_paths(request)):
        raise UsageError(
            f"{rejects}: is there already and may hold rejects that you still need; "
            "move it away, name another with --rejects, or overwrite it with --force"
        )
    if request.report_path is not None and os.path.exists(request.report_path):
        raise UsageError(f"{request.report_path}: is there already; overwrite it with --force")


def _inputs(request: CreateRequest, files: Sequence[InputFile]) -> list[str]:
    return [*(file.path_as_given for file in files), *request.list_paths()]


def _check_kinds(files: Sequence[InputFile]) -> None:
    for file in files:
        if file.size_bytes is not None and store.is_sqlite_file(file.path_as_given):
            raise UsageError(f"{file.path_as_given}: is a database, no file of games")
        if file.size_bytes is not None and _is_xml(file.path_as_given):
            raise UsageError(
                f"{file.path_as_given}: is XML, no file of games; if it is a rating list of FIDE, "
                "name it with --fide-xml"
            )


def _is_xml(path: str) -> bool:
    with open(path, "rb") as handle:
        return handle.read(16).removeprefix(_UTF8_MARK).startswith((b"<?xml", b"<playerslist"))


def _create_new(
    request: CreateRequest,
    files: Sequence[InputFile],
    notices: Notices,
    reporter: Reporter,
    publish_rejects: Callable[[bool], bool],
) -> _Loaded:
    remove_leftovers(os.path.dirname(os.path.realpath(request.database)))
    file = TemporaryFile(request.database)
    try:
        loaded = _fill(file.name, request, files, notices, reporter)
        publish_rejects(loaded.summary.is_go)
        store.publish_database(file, replace=request.force)
    finally:
        file.discard()
    return loaded


def _fill(
    partial: str,
    request: CreateRequest,
    files: Sequence[InputFile],
    notices: Notices,
    reporter: Reporter,
) -> _Loaded:
    with store.store_errors(request.database, "could not be written"):
        connection = store.create_database(partial)
        try:
            with store.transaction(connection):
                summary = _ingest(connection, request, files, notices, reporter)
            with store.transaction(connection):
                players = _consolidate(connection, request, reporter)
            games.build_note_indexes(connection)
            if request.with_indexes:
                reporter.start("indexing", None, None)
                games.build_hash_indexes(connection)
                reporter.finish()
        finally:
            connection.close()
    return _Loaded(summary, players)


def _consolidate(
    connection: apsw.Connection, request: CreateRequest, reporter: Reporter
) -> PlayersResult | None:
    """Find out who played, in the transaction of the caller; without a list nothing is done."""
    if not request.list_paths():
        return None
    command = _players_command()
    lists = command.ListFiles(request.fide_list, request.aliases)
    result: PlayersResult = command.consolidate_names(connection, lists, reporter)
    command.warn_of_merges(result, reporter)
    return result


def _append(
    request: CreateRequest,
    files: Sequence[InputFile],
    notices: Notices,
    reporter: Reporter,
    publish_rejects: Callable[[bool], bool],
) -> _Loaded:
    database = store.open_database(request.database, writable=True)
    connection = database.connection
    if not database.is_ours:
        raise UsageError(
            f"{request.database}: OCGDB wrote it; run 'ocgdedup dedup --upgrade' on it first"
        )
    try:
        with store.store_errors(request.database, "nothing was added"):
            migrate(database, reporter)
        with (
            store.store_errors(request.database, "nothing was added"),
            store.transaction(connection),
        ):
            summary = _ingest(connection, request, files, notices, reporter)
            if request.with_indexes:
                games.build_hash_indexes(connection)
            players = _consolidate(connection, request, reporter)
            publish_rejects(summary.is_go)
    finally:
        connection.close()
    return _Loaded(summary, players)


def _ingest(
    connection: apsw.Connection,
    request: CreateRequest,
    files: Sequence[InputFile],
    notices: Notices,
    reporter: Reporter,
) -> IngestSummary:
    ingest = Ingest(connection, notices, reporter, only_new=request.only_new)
    summary = ingest.load(files, jobs=request.jobs)
    _require_something(summary)
    if request.signatures:
        fill_signatures(connection, reporter=reporter, with_indexes=request.with_indexes)
    elif wants_signatures(connection):
        fill_signatures(connection, summary.first_id, reporter, with_indexes=request.with_indexes)
    return summary


def _require_something(summary: IngestSummary) -> None:
    if summary.damaged and not summary.games and not summary.passed_over:
        raise PgnReadError("nothing could be read; no database was written")
