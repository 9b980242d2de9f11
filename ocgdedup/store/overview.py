"""SQL that summarizes a database of any version or of OCGDB: counts, sources, phases, sizes.

Reads no move blobs and changes nothing.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import GO
from ocgdedup.model import USUAL_LINES
from ocgdedup.store.connection import Database, column_names, count_rows
from ocgdedup.store.duplicates import are_stale, flags_in_games, searched_at
from ocgdedup.store.fide_players import RatingList, last_list, stores_whole_list
from ocgdedup.store.names import PLAYERS_STATE, read_state
from ocgdedup.store.persons import count_games_with_both, count_persons, newest_game, newest_ids
from ocgdedup.store.search_state import count_not_truncated, current_basis, last_basis
from ocgdedup.store.suspects import stored_suspects
from ocgdedup.store.undo import UNDO_PLAYERS
from ocgdedup.store.undo_log import UNDO
from ocgdedup.store.variant import game_kind
from ocgdedup.wording import SUBSUMPTION_STATUS

# dbstat reads every page: a second for each gigabyte, if the file is not in memory.
MEASURED_BYTES = 256 << 20

_GAMES = """
    SELECT count(*), coalesce(sum({PlyCount}), 0), count(nullif({FEN}, '')), min(Year), max(Year),
        coalesce(sum({HasComments}), 0), coalesce(sum({HasVariations}), 0),
        count(*) FILTER (WHERE ID > ? OR {CoreHash} IS NULL), coalesce(sum({HeaderOptimized}), 0)
    FROM (SELECT *, CASE WHEN substr(Date, 1, 4) GLOB '[0-9][0-9][0-9][0-9]'
        THEN CAST(substr(Date, 1, 4) AS INTEGER) END AS Year FROM Games)
"""
_OURS = (
    "PlyCount", "FEN", "HasComments", "HasVariations", "CoreHash", "HeaderOptimized",
)  # fmt: skip
# In "SZ[13]AB[dd]" the board size follows the third letter.
_LINES = """
    SELECT coalesce(CAST(substr(FEN, 4) AS INTEGER), {usual}), count(*)
    FROM Games GROUP BY 1 ORDER BY 2 DESC, 1 DESC
"""
_STONES = """
    SELECT count(*) FILTER (WHERE Handicap > 1 OR (HasBlack AND NOT HasWhite)),
        count(*) FILTER (WHERE HasWhite)
    FROM (
        SELECT instr(FEN, 'AB[') > 0 AS HasBlack, instr(FEN, 'AW[') > 0 AS HasWhite,
            CASE WHEN instr(ExtraTags, '"HA"') AND json_valid(ExtraTags)
                THEN CAST(coalesce(ExtraTags ->> 'HA', 0) AS INTEGER) ELSE 0 END AS Handicap
        FROM Games
    )
"""
_SOURCES = """
    SELECT Name, Size, ImportDate, coalesce(Games, 0), coalesce(New, 0), coalesce(Duplicates, 0),
        coalesce(Truncated, 0), coalesce(Possible, 0), coalesce(Rejected, 0)
    FROM Sources LEFT JOIN (
        SELECT SourceID AS ID, sum(IsThere) AS Games,
            sum(IsThere AND DuplicateStatus IS NULL) AS New,
            sum(DuplicateStatus IS NOT NULL) AS Duplicates,
            sum(IsTruncated) AS Truncated
        FROM ({records}) GROUP BY SourceID
    ) AS Records USING (ID) LEFT JOIN (
        SELECT SourceID AS ID, count(*) AS Possible FROM Games WHERE ID IN ({possible}) GROUP BY 1
    ) AS Pairs USING (ID) LEFT JOIN (
        SELECT SourceID AS ID, count(*) AS Rejected FROM Rejects GROUP BY 1
    ) AS Texts USING (ID)
    ORDER BY Sources.ID
"""
_RECORDS = (
    "SELECT SourceID, DuplicateStatus, {} AS IsThere, "
    f"DuplicateStatus IS '{SUBSUMPTION_STATUS}' AND coalesce(PlyCount < "
    "(SELECT PlyCount FROM Games AS Kept WHERE Kept.ID = DuplicateGroup), 0) AS IsTruncated "
    "FROM Flagged{}"
)
_POSSIBLE = (
    "SELECT GameID1 FROM Suspects WHERE Decision IS NULL "
    "UNION SELECT GameID2 FROM Suspects WHERE Decision IS NULL"
)


class GameCounts(NamedTuple):
    """Sums over all games; plies are half-moves, years None if no date has one."""

    games: int
    plies: int
    with_fen: int
    first_year: int | None
    last_year: int | None
    with_comments: int
    with_variations: int
    not_looked_up: int
    with_merged_header: int


class GoCounts(NamedTuple):
    """Counts for Go games only.

    `board_lines`: games by board size, most first. `with_handicap`: two stones or more by `HA`, or
    only black stones at the start. `set_up`: white stones at the start.
    """

    board_lines: dict[int, int]
    with_handicap: int
    set_up: int


class SourceCounts(NamedTuple):
    """A source; sizes in bytes of PGN text, the date in UTC.

    `games` are in Games, `new` of them are not duplicates. Of the `duplicates`, deleted ones
    included, some are `truncated`. `possible_duplicates`: games of pairs without a decision of the
    user. `rejected`: rejected texts.
    """

    name: str
    size_bytes: int | None
    import_date: str | None
    games: int
    new: int
    duplicates: int
    truncated: int
    possible_duplicates: int
    rejected: int


class PlayerState(NamedTuple):
    """The result of resolving names; `is_current`: nothing is new since.

    `stores_whole_list`: more of the FIDE list is stored than the players of games.
    """

    at: str | None
    lists: list[RatingList]
    persons: int
    with_fide_id: int
    games_with_both: int
    is_current: bool
    stores_whole_list: bool


class DuplicateState(NamedTuple):
    """The result of the last search for duplicates; `by_class`: duplicates in Games.

    `longer`, `diverging`: see count_not_truncated(). `is_current`: its inputs have not changed.
    """

    at: str
    groups: int
    by_class: dict[str, int]
    possible_duplicates_undecided: int
    possible_duplicates_decided: int
    is_current: bool
    longer: int
    diverging: int


class Pages(NamedTuple):
    """The pages of the file; `tables`: bytes of each table and index, None: not measured."""

    page_bytes: int
    pages: int
    free_pages: int
    tables: dict[str, int] | None


def count_rows_if_present(connection: apsw.Connection, table: str) -> int | None:
    """Return the number of rows of a table, None if it does not exist."""
    return count_rows(connection, table) if column_names(connection, table) else None


def count_names(connection: apsw.Connection, table: str) -> int:
    """Return the number of names, without the empty one."""
    return int(connection.execute(f"SELECT count(*) FROM {table} WHERE Name <> ''").get)


def sum_up_games(connection: apsw.Connection) -> GameCounts:
    """Read all games once, without their moves."""
    existing = column_names(connection, "Games")
    names = {name: name if name in existing else "NULL" for name in _OURS}
    last_seen = newest_game(read_state(connection, PLAYERS_STATE) or "")
    return GameCounts._make(connection.execute(_GAMES.format_map(names), (last_seen,)).get)


def sum_up_go(connection: apsw.Connection) -> GoCounts | None:
    """Return the counts for Go games; None for chess."""
    if game_kind(connection) is not GO:
        return None
    board_lines = dict(connection.execute(_LINES.format(usual=USUAL_LINES)))
    return GoCounts(board_lines, *connection.execute(_STONES).get)


def sum_up_sources(connection: apsw.Connection) -> list[SourceCounts]:
    """Return the sources in their order; none in a database of OCGDB."""
    if not column_names(connection, "Sources"):
        return []
    records = _RECORDS.format(1, "Games")
    if column_names(connection, "RemovedGames"):
        records += f" UNION ALL {_RECORDS.format(0, 'RemovedGames')} WHERE DuplicateStatus NOTNULL"
    possible = _POSSIBLE if column_names(connection, "Suspects") else "NULL"
    sql = _SOURCES.format(records=records, possible=possible)
    sources = [SourceCounts._make(row) for row in connection.execute(sql)]
    for source in sources:
        if not isinstance(source.import_date, str | None):
            raise TypeError(f"source {source.name}: ImportDate is not text")
    return sources


def player_state(connection: apsw.Connection) -> PlayerState | None:
    """Return the result of the last resolving of names, None if there was none."""
    state = read_state(connection, PLAYERS_STATE)
    if state is None or not column_names(connection, "Persons"):
        return None
    return PlayerState(
        read_state(connection, UNDO_PLAYERS),
        list(filter(None, (last_list(connection, kind) for kind in ("fide", "aliases")))),
        *count_persons(connection),
        count_games_with_both(connection),
        state.split(" ")[0] == newest_ids(connection),
        stores_whole_list(connection),
    )


def duplicate_state(connection: apsw.Connection) -> DuplicateState | None:
    """Return the result of the last search, None if there was none."""
    at = searched_at(connection)
    if at is None:
        return None
    sql = (
        f"SELECT coalesce(DuplicateStatus, ''), count(*) FROM {flags_in_games(connection)} "
        "GROUP BY 1 ORDER BY 2 DESC"
    )
    counts = dict(connection.execute(sql))
    decided = [row.decision is not None for row in stored_suspects(connection)]
    basis = None if are_stale(connection) else last_basis(connection)
    is_current = basis is not None and current_basis(connection, basis.options) == basis
    groups = counts.pop("", 0)
    pairs = decided.count(False), decided.count(True)
    return DuplicateState(at, groups, counts, *pairs, is_current, *count_not_truncated(connection))


def undo_times(connection: apsw.Connection) -> tuple[str | None, str | None]:
    """Return the times of the runs of players and dedup that can be undone, None if none can."""
    return read_state(connection, UNDO_PLAYERS), read_state(connection, UNDO)


def page_counts(database: Database) -> Pages:
    """Return the use of the file; tables are measured up to MEASURED_BYTES, if SQLite can."""
    connection = database.connection
    tables: dict[str, int] | None = None
    # Not every SQLite was built with dbstat.
    has_dbstat = "SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'dbstat')"
    if os.path.getsize(database.path) <= MEASURED_BYTES and connection.execute(has_dbstat).get:
        sql = (
            "SELECT name, sum(pgsize) FROM dbstat WHERE aggregate = TRUE GROUP BY 1 ORDER BY 2 DESC"
        )
        tables = dict(connection.execute(sql))
    page_bytes, pages, free_pages = (
        int(connection.pragma(name)) for name in ("page_size", "page_count", "freelist_count")
    )
    return Pages(page_bytes, pages, free_pages, tables)
