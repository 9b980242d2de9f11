"""SQL of a report on a whole database: totals, counts for charts, duplicates and their games.

A duplicate is a game with a DuplicateStatus whose master exists; deleted games count too. Reads
only databases of the current schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import CHESS, GO
from ocgdedup.store.connection import column_names
from ocgdedup.store.games import GAME_TABLES
from ocgdedup.store.pairs import are_known
from ocgdedup.store.suspects import Suspect

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


class ReportedCopy(NamedTuple):
    """A duplicate and the ID of its master."""

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
    is_merged: int
    is_removed: int


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


def count_merged(connection: apsw.Connection) -> int:
    """Return the number of games into which something of a duplicate was merged."""
    return int(connection.execute("SELECT count(*) FROM Games WHERE HeaderOptimized = 1").get)


def count_groups(connection: apsw.Connection) -> int:
    """Return the number of masters with a duplicate."""
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
    """Return (source of the master, source of the duplicate, duplicates), most first."""
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
    """Return (year of the master's date, duplicates) by year."""
    year = "substr(Master.Date, 1, 4)"
    sql = f"{_COPIES} SELECT {year}, count(*) {_WITH_MASTERS} GROUP BY 1 ORDER BY 1"
    return list(connection.execute(sql))


def lengths_of_all(connection: apsw.Connection, plies_a_bin: int) -> dict[int, int]:
    """Return the number of records by length, in bins of `plies_a_bin`; deleted ones included."""
    each = " UNION ALL ".join(f"SELECT PlyCount FROM {table}" for table in GAME_TABLES)
    sql = f"SELECT {_bin_of('PlyCount')}, count(*) FROM ({each}) GROUP BY 1"
    return dict(connection.execute(sql, (plies_a_bin,)))


def lengths_of_copies(connection: apsw.Connection, plies_a_bin: int) -> dict[int, int]:
    """Return the same for duplicates."""
    sql = f"{_COPIES} SELECT {_bin_of('Copies.PlyCount')}, count(*) {_WITH_MASTERS} GROUP BY 1"
    return dict(connection.execute(sql, (plies_a_bin,)))


def _bin_of(plies: str) -> str:
    return f"min(coalesce({plies}, 0) / ?, {_LAST_BIN})"


def master_scores(connection: apsw.Connection) -> Iterator[tuple[int, int]]:
    """Yield (ID, header score before any merge) of each master, by ID."""
    sql = (
        f"{_COPIES} SELECT DISTINCT Master.ID, coalesce(Kept.HeaderScore, 0) {_WITH_MASTERS} "
        "LEFT JOIN DuplicateFlags AS Kept ON Kept.GameID = Master.ID ORDER BY 1"
    )
    yield from connection.execute(sql)


def reported_copies(connection: apsw.Connection, statuses: Iterable[str]) -> Iterator[ReportedCopy]:
    """Yield all duplicates of some classes by master and ID."""
    sql = (
        f"{_COPIES} SELECT Copies.ID, Copies.DuplicateGroup, Copies.DuplicateStatus, "
        f"Copies.DuplicateReason {_WITH_MASTERS} "
        "WHERE Copies.DuplicateStatus IN (SELECT value FROM json_each(?)) ORDER BY 2, 1"
    )
    return map(ReportedCopy._make, connection.execute(sql, (json.dumps([*statuses]),)))


def likeliest_suspects(connection: apsw.Connection) -> Iterator[Suspect]:
    """Yield the possible duplicates: undecided ones first, then by falling score.

    Pairs of which a game was purged are left out.
    """
    known = are_known(connection, ("GameID1", "GameID2"))
    sql = (
        "SELECT GameID1, GameID2, Class, Score, Evidence, Decision, MasterID FROM Suspects "
        f"WHERE {known} ORDER BY Decision IS NOT NULL, Score DESC, GameID1, GameID2"
    )
    return map(Suspect._make, connection.execute(sql))


def reported_games(connection: apsw.Connection, ids: Iterable[int]) -> Iterator[ReportedGame]:
    """Yield games by ID, deleted ones after the others; unknown IDs are left out."""
    chosen = json.dumps(sorted(set(ids)))
    for is_removed, table in enumerate(GAME_TABLES):
        sql = f"""
            SELECT G.ID, White.Name, Black.Name, Events.Name, Sites.Name, G.Date, G.Round,
                G.Result, G.WhiteElo, G.BlackElo, G.ECO, G.PlyCount, Sources.Name, G.SourceNumber,
                Flags.HeaderScore, coalesce(G.HeaderOptimized, 0), {is_removed}
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
