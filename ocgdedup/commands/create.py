"""create: PGN files to a new database, or to the end of one that is there."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.errors import PgnReadError, StoreError, UsageError
from ocgdedup.model import FaultNotice, IngestSummary, Reporter
from ocgdedup.pgn.inputs import InputFile, list_inputs
from ocgdedup.pgn.rejects import RejectFile
from ocgdedup.pipeline.ingest import Ingest, Notices
from ocgdedup.store import connection as store
from ocgdedup.store import games


class CreateRequest(NamedTuple):
    """What the user asked for; `rejects_path` None means beside the database."""

    database: str
    inputs: Sequence[str]
    append: bool = False
    force: bool = False
    jobs: int = 1
    with_indexes: bool = True
    rejects_path: str | None = None


class CreateResult(NamedTuple):
    """What was done; `rejects_path` is None if there were no rejects."""

    summary: IngestSummary
    faults: list[FaultNotice]
    rejects_path: str | None


def create(request: CreateRequest, reporter: Reporter) -> CreateResult:
    """Load the inputs; either the whole load is in the database afterwards or nothing of it.

    Raises UsageError if the database is there (or, with `append`, is not), PgnReadError if an
    input is absent or nothing of the inputs could be read.
    """
    files = list_inputs(request.inputs)
    _check_target(request)
    rejects = RejectFile(_rejects_path(request))
    faults: list[FaultNotice] = []
    notices = Notices(faults.append, rejects.add)
    try:
        load = _append if request.append else _create_new
        summary = load(request, files, notices, reporter)
        made = rejects.publish()
    except BaseException:
        rejects.discard()
        raise
    return CreateResult(summary, faults, rejects.path if made else None)


def _rejects_path(request: CreateRequest) -> str:
    if request.rejects_path is not None:
        return request.rejects_path
    return os.path.splitext(request.database)[0] + ".rejects.pgn"


def _check_target(request: CreateRequest) -> None:
    exists = os.path.lexists(request.database)
    if request.append and not exists:
        raise UsageError(f"{request.database}: there is no such database to append to")
    if exists and not request.append and not request.force:
        raise UsageError(
            f"{request.database}: is there already; add to it with --append, "
            "or overwrite it with --force"
        )
    folder = os.path.dirname(os.path.abspath(request.database))
    if not os.path.isdir(folder):
        raise UsageError(f"{folder}: there is no such folder")
    rejects = _rejects_path(request)
    if os.path.exists(rejects) and not request.append:
        if not request.force:
            raise UsageError(
                f"{rejects}: is there already and may hold rejects that you still need; "
                "move it away, name another with --rejects, or overwrite it with --force"
            )
        os.remove(rejects)


def _create_new(
    request: CreateRequest, files: Sequence[InputFile], notices: Notices, reporter: Reporter
) -> IngestSummary:
    partial = request.database + ".partial"
    with _only_writer(partial):
        connection = store.create_database(partial)
        try:
            with connection:
                summary = Ingest(connection, notices, reporter).load(files, jobs=request.jobs)
                _require_something(summary)
            games.build_note_indexes(connection)
            if request.with_indexes:
                reporter.start("indexing", None, None)
                games.build_hash_indexes(connection)
                reporter.finish()
        except BaseException:
            connection.close()
            os.remove(partial)
            raise
        connection.close()
        store.publish_file(partial, request.database)
    return summary


def _append(
    request: CreateRequest, files: Sequence[InputFile], notices: Notices, reporter: Reporter
) -> IngestSummary:
    database = store.open_database(request.database, writable=True)
    connection = database.connection
    if not database.is_ours:
        raise UsageError(
            f"{request.database}: OCGDB wrote it; run 'ocgdedup dedup --upgrade' on it first"
        )
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            summary = Ingest(connection, notices, reporter).load(files, jobs=request.jobs)
            _require_something(summary)
            if request.with_indexes:
                games.build_hash_indexes(connection)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    except apsw.Error as error:
        raise StoreError(f"{request.database}: nothing was added: {error}") from error
    finally:
        connection.close()
    return summary


def _require_something(summary: IngestSummary) -> None:
    if summary.damaged and not summary.games:
        raise PgnReadError("nothing could be read; no database was written")


@contextlib.contextmanager
def _only_writer(partial: str) -> Iterator[None]:
    """Hold the unfinished file against a second run; one left by a killed run is thrown away."""
    with open(partial + ".lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"{partial}: another run is writing it") from error
        try:
            with contextlib.suppress(FileNotFoundError):
                os.remove(partial)
            yield
        finally:
            os.remove(partial + ".lock")
