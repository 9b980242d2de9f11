"""SQL that summarizes a database: totals, counts for charts, duplicates, sources, sizes.

A duplicate is a game with a DuplicateStatus whose kept game exists; deleted games count too. Reads
no move blobs and changes nothing. The rows of reports need the current schema; summaries can be
made of any version and of OCGDB's files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import CHESS, GO
from ocgdedup.model import USUAL_LINES
from ocgdedup.store.connection import Database, column_names, count_rows
from ocgdedup.store.duplicates import (
    are_known,
    are_stale,
    flags_in_games,
    merge_conditions,
    searched_at,
)
from ocgdedup.store.fide_players import (
    RatingList,
    last_list,
    spelling_line_counts,
    stores_whole_list,
)
from ocgdedup.store.games import GAME_TABLES
from ocgdedup.store.history import DEDUP, PLAYERS, time_of_last
from ocgdedup.store.names import PLAYERS_STATE, PLAYERS_TIME, game_kind, read_state
from ocgdedup.store.players import count_games_with_both, count_persons, newest_game, newest_ids
from ocgdedup.store.possible_duplicates import PossiblePair, stored_possible_duplicates
from ocgdedup.store.search_state import count_not_truncated, current_basis, last_basis
from ocgdedup.wording import TRUNCATED_STATUS

BIN_WIDTHS = {CHESS: 10, GO: 20}  # of PlyCount
_LAST_BIN = 20  # 200 plies of chess and more, 400 moves of Go
_COPY_COLUMNS = "ID, DuplicateGroup, DuplicateStatus, DuplicateReason, PlyCount, SourceID"
_FLAGGED = "DuplicateFlags JOIN {} ON ID = GameID WHERE DuplicateStatus IS NOT NULL"
_COPIES = f"""
    WITH Copies AS (
        SELECT {_COPY_COLUMNS}, 0 AS IsRemoved FROM {_FLAGGED.format("Games")}
        UNION ALL SELECT {_COPY_COLUMNS}, 1 FROM {_FLAGGED.format("RemovedGames")}
    )
"""
_WITH_MASTERS = "FROM Copies JOIN Games AS Master ON Master.ID = Copies.DuplicateGroup"
_REJECTS = """
    SELECT Sources.Name, Line, SourceNumber, Reason FROM Rejects
    LEFT JOIN Sources ON Sources.ID = SourceID ORDER BY Rejects.ID
"""
_CUT_GAMES = """
    FROM Faults JOIN (
        SELECT ID, SourceID, SourceNumber FROM Games
        UNION ALL SELECT ID, SourceID, SourceNumber FROM RemovedGames
    ) AS Kept ON Kept.ID = GameID
"""
_FAULTS = f"""
    SELECT Sources.Name, Line, Kept.SourceNumber, Faults.GameID, Faults.Ply, Reason,
        substr(Rest, 1, ?)
    {_CUT_GAMES} LEFT JOIN Sources ON Sources.ID = Kept.SourceID ORDER BY Faults.ID
"""

# dbstat reads every page: a second for each gigabyte, if the file is not in memory.
MEASURED_BYTES = 256 << 20
_GAMES = """
    SELECT count(*), coalesce(sum({PlyCount}), 0), count(nullif({FEN}, '')), min(Year), max(Year),
        coalesce(sum({HasComments}), 0), coalesce(sum({HasVariations}), 0),
        count(*) FILTER (WHERE ID > ? OR {CoreHash} IS NULL),
        coalesce(sum({merged_header}), 0), coalesce(sum({merged_notes}), 0)
    FROM (SELECT *, CASE WHEN substr(Date, 1, 4) GLOB '[0-9][0-9][0-9][0-9]'
        THEN CAST(substr(Date, 1, 4) AS INTEGER) END AS Year FROM Games) AS Rows
"""
_OURS = (
    "PlyCount", "FEN", "HasComments", "HasVariations", "CoreHash",
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
_CODES = """
    SELECT upper(substr(ECO, 1, 3)), count(*) FROM Games
    WHERE ECO GLOB '[A-Ea-e][0-9][0-9]*' GROUP BY 1 ORDER BY 2 DESC, 1
"""
_RECORDS = (
    "SELECT SourceID, DuplicateStatus, {} AS IsThere, "
    f"DuplicateStatus IS '{TRUNCATED_STATUS}' AND coalesce(PlyCount < "
    "(SELECT PlyCount FROM Games AS Kept WHERE Kept.ID = DuplicateGroup), 0) AS IsTruncated "
    "FROM Flagged{}"
)
_POSSIBLE = (
    "SELECT GameID1 FROM Suspects WHERE Decision IS NULL "
    "UNION SELECT GameID2 FROM Suspects WHERE Decision IS NULL"
)


class ReportedDuplicate(NamedTuple):
    """A duplicate and the ID of its kept game."""

    game_id: int
    master_id: int
    status: str
    reason: str | None


class ReportedGame(NamedTuple):
    """The current header of a game; `number` is its number in its source."""

    game_id: int
    white: str | None
    black: str | None
    event: str | None
    site: str | None
    date: str | None
    round: str | None
    result: str | None
    white_elo: int | None
    black_elo: int | None
    eco: str | None
    plies: int | None
    source: str | None
    number: int | None
    header_score: int | None
    has_merged_header: int
    has_merged_notes: int
    is_deleted: int


class Cut(NamedTuple):
    """A game that was cut at an error; `rest` is the beginning of the remaining text."""

    source: str | None
    line: int
    number: int | None
    game_id: int
    plies: int
    reason: str
    rest: str


class Reject(NamedTuple):
    """A rejected text."""

    source: str | None
    line: int
    number: int
    reason: str


def has_current_schema(connection: apsw.Connection) -> bool:
    """Return whether the tables that a report reads exist."""
    needed = (
        "DuplicateFlags", "Faults", "MergedTags", "Persons", "Rejects", "RemovedGames", "Suspects",
    )  # fmt: skip
    return "HeaderOptimized" in column_names(connection, "Games") and all(
        column_names(connection, table) for table in needed
    )


def count_merged(connection: apsw.Connection) -> tuple[int, int]:
    """Return the numbers of games into whose headers, and annotations, duplicates were merged."""
    counts = ", ".join(
        f"count(*) FILTER (WHERE {condition})"
        for condition in merge_conditions(connection, "Games")
    )
    headers, notes = connection.execute(f"SELECT {counts} FROM Games").get
    return headers, notes


def count_groups(connection: apsw.Connection) -> int:
    """Return the number of kept games with a duplicate."""
    sql = f"{_COPIES} SELECT count(DISTINCT Copies.DuplicateGroup) {_WITH_MASTERS}"
    return int(connection.execute(sql).get)


def classes(connection: apsw.Connection) -> list[tuple[str, str | None, int, int]]:
    """Return (status, reason, is deleted, duplicates), most duplicates first."""
    sql = (
        f"{_COPIES} SELECT Copies.DuplicateStatus, Copies.DuplicateReason, IsRemoved, count(*) "
        f"{_WITH_MASTERS} GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3"
    )
    return list(connection.execute(sql))


def source_pairs(connection: apsw.Connection) -> list[tuple[str | None, str | None, int]]:
    """Return (source of the kept game, source of the duplicate, duplicates), most first."""
    sql = f"""
        {_COPIES}, Counted AS (
            SELECT Master.SourceID AS MasterSource, Copies.SourceID AS CopySource,
                count(*) AS Copied
            {_WITH_MASTERS} GROUP BY 1, 2
        )
        SELECT M.Name, C.Name, Copied FROM Counted
        LEFT JOIN Sources AS M ON M.ID = MasterSource
        LEFT JOIN Sources AS C ON C.ID = CopySource ORDER BY Copied DESC, M.ID, C.ID
    """
    return list(connection.execute(sql))


def years(connection: apsw.Connection) -> list[tuple[str | None, int]]:
    """Return (year of the kept game's date, duplicates) by year."""
    year = "substr(Master.Date, 1, 4)"
    sql = f"{_COPIES} SELECT {year}, count(*) {_WITH_MASTERS} GROUP BY 1 ORDER BY 1"
    return list(connection.execute(sql))


def lengths(connection: apsw.Connection, plies_a_bin: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the numbers of all records and of duplicates, by length in bins of plies."""
    each = " UNION ALL ".join(f"SELECT PlyCount FROM {table}" for table in GAME_TABLES)
    number = f"min(coalesce({{}}, 0) / ?, {_LAST_BIN}), count(*)"
    all_games = f"SELECT {number.format('PlyCount')} FROM ({each}) GROUP BY 1"
    duplicates = f"{_COPIES} SELECT {number.format('Copies.PlyCount')} {_WITH_MASTERS} GROUP BY 1"
    values = (plies_a_bin,)
    return dict(connection.execute(all_games, values)), dict(connection.execute(duplicates, values))


def kept_game_scores(connection: apsw.Connection) -> Iterator[tuple[int, int]]:
    """Yield (ID, header score before any merge) of each kept game, by ID."""
    sql = (
        f"{_COPIES} SELECT DISTINCT Master.ID, coalesce(Kept.HeaderScore, 0) {_WITH_MASTERS} "
        "LEFT JOIN DuplicateFlags AS Kept ON Kept.GameID = Master.ID ORDER BY 1"
    )
    yield from connection.execute(sql)


def reported_duplicates(
    connection: apsw.Connection, statuses: Iterable[str]
) -> Iterator[ReportedDuplicate]:
    """Yield all duplicates of some classes by kept game and ID."""
    sql = (
        f"{_COPIES} SELECT Copies.ID, Copies.DuplicateGroup, Copies.DuplicateStatus, "
        f"Copies.DuplicateReason {_WITH_MASTERS} "
        "WHERE Copies.DuplicateStatus IN (SELECT value FROM json_each(?)) ORDER BY 2, 1"
    )
    return map(ReportedDuplicate._make, connection.execute(sql, (json.dumps([*statuses]),)))


def likeliest_possible_duplicates(connection: apsw.Connection) -> Iterator[PossiblePair]:
    """Yield the possible duplicates: undecided ones first, then by falling score.

    Pairs of which a game was purged are left out.
    """
    order = "Decision IS NOT NULL, Score DESC, GameID1, GameID2"
    condition = are_known(connection, ("GameID1", "GameID2"))
    return stored_possible_duplicates(connection, condition, order)


def reported_games(connection: apsw.Connection, ids: Iterable[int]) -> Iterator[ReportedGame]:
    """Yield games by ID, deleted ones after the others; unknown IDs are left out."""
    chosen = json.dumps(sorted(set(ids)))
    merges = ", ".join(merge_conditions(connection, "G"))
    for is_deleted, table in enumerate(GAME_TABLES):
        sql = f"""
            SELECT G.ID, White.Name, Black.Name, Events.Name, Sites.Name, G.Date, G.Round,
                G.Result, G.WhiteElo, G.BlackElo, G.ECO, G.PlyCount, Sources.Name, G.SourceNumber,
                Flags.HeaderScore, {merges}, {is_deleted}
            FROM json_each(?) AS Asked CROSS JOIN {table} AS G ON G.ID = Asked.value
            LEFT JOIN DuplicateFlags AS Flags ON Flags.GameID = G.ID
            LEFT JOIN Players AS White ON White.ID = G.WhiteID
            LEFT JOIN Players AS Black ON Black.ID = G.BlackID
            LEFT JOIN Events ON Events.ID = G.EventID
            LEFT JOIN Sites ON Sites.ID = G.SiteID
            LEFT JOIN Sources ON Sources.ID = G.SourceID
        """
        yield from map(ReportedGame._make, connection.execute(sql, (chosen,)))


def reported_rejects(connection: apsw.Connection) -> Iterator[Reject]:
    """Yield the rejected texts, in the order of reading."""
    return map(Reject._make, connection.execute(_REJECTS))


def reported_cuts(connection: apsw.Connection, most_chars: int) -> Iterator[Cut]:
    """Yield the games that were cut at a fault, deleted ones included, in the order of reading.

    At most `most_chars` characters of the rest of a game.
    """
    return map(Cut._make, connection.execute(_FAULTS, (most_chars,)))


def count_cuts(connection: apsw.Connection) -> int:
    """Return the number of games that reported_cuts() yields."""
    return int(connection.execute(f"SELECT count(*) {_CUT_GAMES}").get)


def count_resolved_names(connection: apsw.Connection) -> int:
    """Return the number of names that refer to a player, at least in some games."""
    sql = (
        "SELECT count(DISTINCT PlayerID) FROM Resolutions "
        "JOIN Persons ON Persons.ID = PersonID JOIN Players ON Players.ID = PlayerID"
    )
    return int(connection.execute(sql).get)


# --- summaries ------------------------------------------------------------------------------------


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
    with_merged_notes: int


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

    `stores_whole_list`: more of the FIDE list is stored than the players of games;
    `spelling_lines`: see spelling_line_counts().
    """

    at: str | None
    lists: list[RatingList]
    persons: int
    with_fide_id: int
    games_with_both: int
    is_current: bool
    stores_whole_list: bool
    spelling_lines: Mapping[str, int]


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
    names["merged_header"], names["merged_notes"] = merge_conditions(connection, "Rows")
    last_seen = newest_game(read_state(connection, PLAYERS_STATE) or "")
    return GameCounts._make(connection.execute(_GAMES.format_map(names), (last_seen,)).get)


def sum_up_go(connection: apsw.Connection) -> GoCounts | None:
    """Return the counts for Go games; None for chess."""
    if game_kind(connection) is not GO:
        return None
    board_lines = dict(connection.execute(_LINES.format(usual=USUAL_LINES)))
    return GoCounts(board_lines, *connection.execute(_STONES).get)


def count_codes(connection: apsw.Connection) -> dict[str, int] | None:
    """Return the number of games for each ECO code, most frequent first; None for Go."""
    if game_kind(connection) is GO:
        return None
    return dict(connection.execute(_CODES))


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
        read_state(connection, PLAYERS_TIME),
        list(filter(None, (last_list(connection, kind) for kind in ("fide", "aliases")))),
        *count_persons(connection),
        count_games_with_both(connection),
        state.split(" ")[0] == newest_ids(connection),
        stores_whole_list(connection),
        spelling_line_counts(connection),
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
    decided = [row.decision is not None for row in stored_possible_duplicates(connection)]
    basis = None if are_stale(connection) else last_basis(connection)
    is_current = basis is not None and current_basis(connection, basis.options) == basis
    groups = counts.pop("", 0)
    pairs = decided.count(False), decided.count(True)
    return DuplicateState(at, groups, counts, *pairs, is_current, *count_not_truncated(connection))


def undo_times(connection: apsw.Connection) -> tuple[str | None, str | None]:
    """Return the times of the runs of players and dedup that can be undone, None if none can."""
    return time_of_last(connection, PLAYERS), time_of_last(connection, DEDUP)


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
