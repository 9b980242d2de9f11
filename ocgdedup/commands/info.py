"""info: what is in a database and what was done with it, as one object."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ocgdedup.store import overview
from ocgdedup.store.checks import stored_indexes
from ocgdedup.store.connection import SCHEMA_VERSION, Database, open_database, store_errors
from ocgdedup.store.games import faulty_games
from ocgdedup.store.search_state import last_key

if TYPE_CHECKING:
    from ocgdedup.pipeline.search.named_options import NamedOptions

OURS, OCGDBS = "ocgdedup", "ocgdb"
_COUNTED = {
    "persons": "Persons", "comments": "Comments", "annotations": "Annotations",
    "rejects": "Rejects", "deleted_games": "RemovedGames",
}  # fmt: skip


class FileInfo(NamedTuple):
    """What `info` tells; None for what the database does not have, or was not done with it.

    `go`: of games of Go, None for chess.

    `search_options`: those that the user named for the last search, None if they were not noted.
    `search_key`: the key by which alone it went, if it did.
    """

    path: str
    size_bytes: int
    format: str
    version: int | None
    games: overview.GameCounts
    go: overview.GoCounts | None
    players: int
    events: int
    sites: int
    persons: int | None
    comments: int | None
    annotations: int | None
    rejects: int | None
    games_truncated_at_error: int
    deleted_games: int | None
    sources: list[overview.SourceCounts]
    player_state: overview.PlayerState | None
    duplicate_state: overview.DuplicateState | None
    search_options: NamedOptions | None
    search_key: str | None
    undo_players: str | None
    undo_dedup: str | None
    indexes: list[str]
    missing_indexes: list[str]
    pages: overview.Pages

    @property
    def upgrade(self) -> str | None:
        """Return the command that brings the schema up to date, None if it is."""
        if self.version is None:
            return "dedup --upgrade"
        return None if self.version == SCHEMA_VERSION else "dedup"


def read_info(path: str) -> FileInfo:
    """Sum up a database; change nothing. Raises StoreError for one that cannot be read."""
    with (
        open_database(path) as database,
        store_errors(path, "cannot be read ('ocgdedup check' may say more)"),
    ):
        return _read(database)


def _read(database: Database) -> FileInfo:
    connection = database.connection
    duplicates = overview.duplicate_state(connection)
    indexes = stored_indexes(connection)
    undo_players, undo_dedup = overview.undo_times(connection)
    key = search_options = None
    if duplicates is not None:
        # Its imports take as long as all the rest.
        from ocgdedup.pipeline.search.named_options import noted_options

        key, search_options = last_key(connection), noted_options(connection)
    return FileInfo(
        path=database.path,
        size_bytes=os.path.getsize(database.path),
        format=OURS if database.is_ours else OCGDBS,
        version=int(connection.pragma("user_version")) if database.is_ours else None,
        games=overview.sum_up_games(connection),
        go=overview.sum_up_go(connection),
        players=overview.count_names(connection, "Players"),
        events=overview.count_names(connection, "Events"),
        sites=overview.count_names(connection, "Sites"),
        **{
            field: overview.count_rows_if_present(connection, table)
            for field, table in _COUNTED.items()
        },
        games_truncated_at_error=len(faulty_games(connection)),
        sources=overview.sum_up_sources(connection),
        player_state=overview.player_state(connection),
        duplicate_state=duplicates,
        search_key=None if key is None else key.key,
        search_options=search_options,
        undo_players=undo_players,
        undo_dedup=undo_dedup,
        indexes=indexes.present,
        missing_indexes=indexes.missing,
        pages=overview.page_counts(database),
    )
