"""info: the content and the state of a database, as one object."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ocgdedup.pipeline.players.name_counts import count_names
from ocgdedup.pipeline.search.search_files import size_on_disk
from ocgdedup.store import reports
from ocgdedup.store.checks import stored_indexes
from ocgdedup.store.connection import SCHEMA_VERSION, Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.games import faulty_games
from ocgdedup.store.search_state import last_key

if TYPE_CHECKING:
    from ocgdedup.pipeline.search.named_options import NamedOptions

_COUNTED_TABLES = {
    "persons": "Persons", "comments": "Comments", "annotations": "Annotations",
    "rejects": "Rejects", "deleted_games": "RemovedGames",
}  # fmt: skip


class FileInfo(NamedTuple):
    """The values that `info` shows; None for missing tables and for steps not yet run.

    `search_files_bytes`: of the files for the next search. `format`: "ocgdedup" or "ocgdb", the
    program that wrote the file. `go`: counts of Go games, None for chess. `search_options`: named
    by the user for the last search, None if unknown. `openings`: games by ECO code, None for Go.
    `search_key`: the key of the last search, None if it was by evidence.
    """

    path: str
    size_bytes: int
    search_files_bytes: int
    format: str
    version: int | None
    games: reports.GameCounts
    go: reports.GoCounts | None
    openings: dict[str, int] | None
    players: int
    events: int
    sites: int
    persons: int | None
    comments: int | None
    annotations: int | None
    rejects: int | None
    games_truncated_at_error: int
    deleted_games: int | None
    sources: list[reports.SourceCounts]
    player_state: reports.PlayerState | None
    duplicate_state: reports.DuplicateState | None
    search_options: NamedOptions | None
    search_key: str | None
    undo_players: str | None
    undo_dedup: str | None
    indexes: list[str]
    missing_indexes: list[str]
    pages: reports.Pages

    @property
    def upgrade(self) -> str | None:
        """Return the command that brings the schema up to date, None if it is."""
        if self.version is None:
            return "dedup --upgrade"
        return None if self.version == SCHEMA_VERSION else "dedup"


def read_info(path: str) -> FileInfo:
    """Sum up a database; change nothing. Raises StoreError for an unreadable one."""
    failure = "cannot be read ('ocgdedup check' may say more)"
    with open_database(path) as database, store_errors(path, failure):
        return _read(database)


def _read(database: Database) -> FileInfo:
    connection = database.connection
    duplicates = reports.duplicate_state(connection)
    indexes = stored_indexes(connection)
    undo_players, undo_dedup = reports.undo_times(connection)
    key = search_options = None
    if duplicates is not None:
        from ocgdedup.pipeline.search.named_options import noted_options  # 17 ms

        key, search_options = last_key(connection), noted_options(connection)
    return FileInfo(
        path=database.path,
        size_bytes=os.path.getsize(database.path),
        search_files_bytes=size_on_disk(database.path),
        format="ocgdedup" if database.is_ours else "ocgdb",
        version=int(connection.pragma("user_version")) if database.is_ours else None,
        games=reports.sum_up_games(connection),
        go=reports.sum_up_go(connection),
        openings=reports.count_codes(connection),
        players=count_names(connection).names,
        events=reports.count_names(connection, "Events"),
        sites=reports.count_names(connection, "Sites"),
        **{
            field: reports.count_rows_if_present(connection, table)
            for field, table in _COUNTED_TABLES.items()
        },
        games_truncated_at_error=len(faulty_games(connection)),
        sources=reports.sum_up_sources(connection),
        player_state=reports.player_state(connection),
        duplicate_state=duplicates,
        search_key=None if key is None else key.key,
        search_options=search_options,
        undo_players=undo_players,
        undo_dedup=undo_dedup,
        indexes=indexes.present,
        missing_indexes=indexes.missing,
        pages=reports.page_counts(database),
    )
