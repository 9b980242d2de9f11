"""SQL of pairs of games for reports: duplicates with their kept games, possible duplicates.

Reads any version of the schema, and files of OCGDB; values of missing columns are None.
"""

# Not `from __future__ import annotations`: a named tuple would compile each annotation.
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import apsw

from ocgdedup.store.connection import column_names, id_list
from ocgdedup.store.duplicates import flags_in_games
from ocgdedup.store.games import can_be_id, tables_with_games
from ocgdedup.wording import JOIN_STATUS, SUSPECT


class PairSide(NamedTuple):
    """A game as a report names it; `plies` counts the mainline.

    `source`, `number`: its input file and its number there.
    """

    game_id: int
    white: str | None
    black: str | None
    event: str | None
    date: str | None
    round: str | None
    result: str | None
    plies: int | None
    fen: str | None
    moves: bytes | None
    header_score: int | None
    has_comments: int | None
    has_variations: int | None
    source: str | None = None
    number: int | None = None


class StoredPair(NamedTuple):
    """A duplicate (`game`) and its kept game, or possible duplicates with the later game first.

    `status` is DuplicateStatus or SUSPECT; `kind` is the class in which suspects would be
    duplicates.
    """

    status: str | None
    group: int | None
    reason: str | None
    kind: str | None
    score: float | None
    evidence: str | None
    decision: str | None
    game: PairSide
    master: PairSide


class GameRow(NamedTuple):
    """A game to show; `number` is its number in the source, `is_removed` 1 if deleted.

    `kept_plies` are those of the kept game of its group.
    """

    game_id: int
    event: str | None
    site: str | None
    date: str | None
    round: str | None
    white: str | None
    black: str | None
    result: str | None
    white_elo: int | None
    black_elo: int | None
    time_control: str | None
    eco: str | None
    fen: str | None
    extra_tags: str | None
    moves: bytes | None
    status: str | None
    group: int | None
    reason: str | None
    has_comments: int | None
    has_variations: int | None
    header_optimized: int | None
    source: str | None
    number: int | None
    kept_plies: int | None
    is_removed: int


class Suspicion(NamedTuple):
    """The search's finding on a possible duplicate, and the user's decision.

    `master`: the game that the user wants to keep, if chosen.
    """

    kind: str | None
    score: float | None
    evidence: str | None
    decision: str | None
    master: int | None = None


# Columns of PairSide and GameRow: columns of Games, or the name with an ID.
_NAMES: dict[str, tuple[str | None, str]] = {
    "White": ("Players", "WhiteID"), "Black": ("Players", "BlackID"),
    "Event": ("Events", "EventID"), "Site": ("Sites", "SiteID"), "Source": ("Sources", "SourceID"),
}  # fmt: skip
_SIDE = (
    "ID", "White", "Black", "Event", "Date", "Round", "Result", "PlyCount", "FEN", "Moves2",
    "HeaderScore", "HasComments", "HasVariations", "Source", "SourceNumber",
)  # fmt: skip
_SHOWN = (
    "ID", "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo",
    "TimeControl", "ECO", "FEN", "ExtraTags", "Moves2", "DuplicateStatus", "DuplicateGroup",
    "DuplicateReason", "HasComments", "HasVariations", "HeaderOptimized", "Source",
    "SourceNumber",
)  # fmt: skip
# What tells two games apart: their tags and moves, not what a search finds out.
_CONTENT = _SHOWN[1:15]


_KEPT_PLIES = "SELECT PlyCount FROM Games AS Kept WHERE Kept.ID = Game.DuplicateGroup"


def stored_pairs(connection: apsw.Connection) -> Iterator[StoredPair]:
    """Yield each duplicate with its master, by group and ID, then possible duplicates by ID.

    Pairs that the user has decided about are included. Deleted games, which are not in Games, are
    not.
    """
    existing = column_names(connection, "FlaggedGames")
    sides = f"{_columns('Game', _SIDE, existing)}, {_columns('Master', _SIDE, existing)}"
    games = "CROSS JOIN FlaggedGames AS Game CROSS JOIN FlaggedGames AS Master"
    # An index of DuplicateGroup, if it exists, avoids a sort.
    selects = [
        f"SELECT Flags.DuplicateStatus, Flags.DuplicateGroup, Flags.DuplicateReason, "
        f"Flags.DuplicateStatus, NULL, NULL, NULL, {sides} "
        f"FROM {flags_in_games(connection)} AS Flags {games} "
        "WHERE Game.ID = Flags.ID AND Master.ID = Flags.DuplicateGroup "
        "AND Flags.DuplicateGroup <> Flags.ID ORDER BY Flags.DuplicateGroup, Flags.ID"
    ]
    if column_names(connection, "Suspects"):
        selects.append(
            f"SELECT '{SUSPECT}', NULL, NULL, Class, Score, Evidence, Decision, {sides} "
            f"FROM Suspects {games} "
            "WHERE Game.ID = GameID2 AND Master.ID = GameID1 ORDER BY GameID1, GameID2"
        )
    for row in chain.from_iterable(map(connection.execute, selects)):
        game, master = row[7 : 7 + len(_SIDE)], row[7 + len(_SIDE) :]
        yield StoredPair._make((*row[:7], PairSide._make(game), PairSide._make(master)))


def _columns(table: str, columns: tuple[str, ...], existing: set[str]) -> str:
    """Return the columns of a table like Games, NULL for columns that it lacks."""
    parts = []
    for name in columns:
        names, reference = _NAMES.get(name, (None, name))
        if reference not in existing:
            parts.append("NULL")
        elif names is None:
            parts.append(f"{table}.{name}")
        else:
            parts.append(f"(SELECT Name FROM {names} WHERE {names}.ID = {table}.{reference})")
    return ", ".join(parts)


def unknown_ids(connection: apsw.Connection, game_ids: Collection[int]) -> list[int]:
    """Return the IDs that belong to no game, not even a deleted one; by rising ID."""
    tables = " UNION ALL ".join(
        f"SELECT 1 FROM {table} WHERE {table}.ID = Asked.value"
        for table in tables_with_games(connection)
    )
    beyond = {game_id for game_id in game_ids if not can_be_id(game_id)}
    rows = connection.execute(
        f"SELECT value FROM json_each(?) AS Asked WHERE NOT EXISTS ({tables})",
        (json.dumps(sorted(set(game_ids) - beyond)),),
    )
    return sorted([*beyond, *(game_id for (game_id,) in rows)])


def are_known(connection: apsw.Connection, columns: Sequence[str]) -> str:
    """Return the SQL condition that all of these columns are IDs of games, deleted or not."""
    tables = tables_with_games(connection)
    return " AND ".join(
        f"({' OR '.join(f'EXISTS (SELECT 1 FROM {table} WHERE ID = {name})' for table in tables)})"
        for name in columns
    )


def game_row(connection: apsw.Connection, game_id: int) -> GameRow | None:
    """Return a game, deleted or not; None for an unknown ID."""
    for is_removed, table in enumerate(tables_with_games(connection)):
        columns = _columns("Game", _SHOWN, column_names(connection, f"Flagged{table}"))
        row = connection.execute(
            f"SELECT {columns}, ({_KEPT_PLIES}), {is_removed} FROM Flagged{table} AS Game "
            "WHERE ID = ?",
            (game_id,),
        ).fetchone()
        if row is not None:
            return GameRow._make(row)
    return None


def content_hashes(connection: apsw.Connection, game_ids: Iterable[int]) -> dict[int, bytes]:
    """Return a hash of the tags and moves of games, deleted or not; leave out unknown IDs."""
    import hashlib  # only reviews need it

    hashes: dict[int, bytes] = {}
    ids = id_list(game_ids)
    for table in tables_with_games(connection):
        columns = _columns("Game", _CONTENT, column_names(connection, table))
        rows = connection.execute(
            f"SELECT Game.ID, {columns} FROM json_each(?) AS Asked CROSS JOIN {table} AS Game "
            "ON Game.ID = Asked.value",
            (ids,),
        )
        for game_id, *values in rows:
            text = repr(values).encode()
            hashes[game_id] = hashlib.blake2b(text, digest_size=16).digest()
    return hashes


def group_ids(connection: apsw.Connection, game_id: int) -> list[int]:
    """Return the IDs of the group of a game, the master's first; empty if it is in none."""
    sql = (
        "SELECT ID, DuplicateGroup FROM FlaggedGames "
        "WHERE DuplicateGroup = (SELECT DuplicateGroup FROM FlaggedGames WHERE ID = ?) "
        "ORDER BY DuplicateGroup <> ID, ID"
    )
    return [member for member, _ in connection.execute(sql, (game_id,))]


def groups_of(connection: apsw.Connection, game_ids: Iterable[int]) -> dict[int, int]:
    """Return the kept game of each game in the groups of some games, deleted ones included."""
    groups: dict[int, int] = {}
    sql = (
        "SELECT ID, DuplicateGroup FROM Flagged{} "
        "WHERE DuplicateGroup IS NOT NULL AND {} IN (SELECT value FROM json_each(?))"
    )
    ids = id_list(filter(can_be_id, game_ids))
    kept: set[int] = set()
    for table in tables_with_games(connection):
        rows = connection.execute(sql.format(table, "ID"), (ids,))
        kept.update(group for _, group in rows)
    for table in tables_with_games(connection) if kept else ():
        groups.update(connection.execute(sql.format(table, "DuplicateGroup"), (id_list(kept),)))
    return groups


def joined_ids(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return (master, duplicate) of each near-identical duplicate, by their IDs."""
    sql = (
        "SELECT DuplicateGroup, ID FROM FlaggedGames "
        f"WHERE DuplicateGroup IS NOT NULL AND DuplicateStatus = '{JOIN_STATUS}' ORDER BY 1, 2"
    )
    return list(connection.execute(sql))


def suspicion_of(connection: apsw.Connection, first: int, second: int) -> Suspicion | None:
    """Return the stored Suspicion about two games, None if there is none."""
    existing = column_names(connection, "Suspects")
    if not existing:
        return None
    master = "MasterID" if "MasterID" in existing else "NULL"
    row = connection.execute(
        f"SELECT Class, Score, Evidence, Decision, {master} FROM Suspects "
        "WHERE GameID1 = ? AND GameID2 = ?",
        (min(first, second), max(first, second)),
    ).fetchone()
    return None if row is None else Suspicion._make(row)
