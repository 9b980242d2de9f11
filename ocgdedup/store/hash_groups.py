"""SQL of keys computed on import: the six of OCGDB's study, and that of a whole record.

A key uses only columns of Games. Callers must check whether equal keys mean equal moves. Players
are those before any merge of headers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.store.connection import column_names
from ocgdedup.store.games import GAME_TABLES
from ocgdedup.wording import counted

RECORD = "record"  # equal start, moves, seven tags and annotations
# The columns of each key. The first is an indexed hash; the others refine it.
_STUDY_COLUMNS = {
    "last-position": ("FinalZobrist",),
    "last-position+length": ("FinalZobrist", "PlyCount"),
    "all-positions": ("PositionsKey",),
    "every-5": ("SampledKey", "FinalZobrist"),  # the last position, and every fifth
    "moves": ("MoveHash",),
    "moves+players": ("MoveHash", "White", "Black"),
}
_KEY_COLUMNS = {**_STUDY_COLUMNS, RECORD: ("GameHash",)}
METHODS, KEYS = tuple(_STUDY_COLUMNS), tuple(_KEY_COLUMNS)

_SIDES = ("White", "Black")
_MERGED = "HeaderOptimized"  # in the first version with UnmergedHeaders


def reason_of(method: str) -> str:
    """Return the DuplicateReason of games that are duplicates by a key alone."""
    return f"by {method}"


class KeyedGame(NamedTuple):
    """A game and its key; `fen` is as stored, `is_removed` 1 for one of RemovedGames."""

    key: tuple[int | None, ...]
    game_id: int
    is_removed: int
    fen: str | None
    moves: bytes


# The inner query uses only the index of the hash, if it exists; blobs are read only of games that
# share a hash.
_SELECT = """
    SELECT {key}, ID, IsRemoved, FEN, Moves2 FROM ({games})
    WHERE {hash} IN (SELECT {hash} FROM ({hashes}) GROUP BY {hash} HAVING count(*) > 1)
        AND PlyCount >= ?
    ORDER BY {key}, ID
"""
# Each game comes right before the games that continue it.
_IN_ORDER = """
    SELECT {key}, ID, IsRemoved, FEN, Moves2 FROM ({games})
    WHERE MoveHash IS NOT NULL AND PlyCount >= ? AND FEN IS {start}
    ORDER BY {scope} Moves2, ID
"""


def keyed_games(
    connection: apsw.Connection, method: str, min_plies: int, *, with_removed: bool = False
) -> Iterator[KeyedGame]:
    """Yield all games of `min_plies` plies or more that share the hash of a method, by key and ID.

    Some keys have only one game. Raises UsageError for a method that is not in KEYS, and for a
    database without hash columns.
    """
    columns = _key_columns(connection, method)
    if method == RECORD:  # databases of an older version or of OCGDB
        without = connection.execute("SELECT count(*) FROM Games WHERE GameHash IS NULL").get
        if without:
            raise UsageError(
                f"{RECORD}: {counted(without, 'game has', 'games have')} no GameHash, because an "
                "older version or another program read them; import the files again with "
                "'ocgdedup create'"
            )
    sql = _SELECT.format(
        key=", ".join(columns),
        hash=columns[0],
        games=_games(connection, columns, with_removed=with_removed),
        hashes=_games(connection, columns[:1], with_removed=with_removed),
    )
    return _rows(connection, sql, min_plies)


def games_by_moves(
    connection: apsw.Connection, method: str, min_plies: int, *, has_start: bool
) -> Iterator[KeyedGame]:
    """Yield games of `min_plies` plies or more, including deleted games, by their moves as bytes.

    If the method uses players, games are first sorted by players: the key is what must be equal in
    games of which one may be a prefix of the other. `has_start`: games with a start position of
    their own, else the others.
    """
    scope = [name for name in _key_columns(connection, method) if name in _SIDES]
    sql = _IN_ORDER.format(
        key=", ".join(scope or ["NULL"]),
        games=_games(connection, ["MoveHash", *scope], with_removed=True),
        start="NOT NULL" if has_start else "NULL",
        scope="".join(f"{name}, " for name in scope),
    )
    return _rows(connection, sql, min_plies)


def _rows(connection: apsw.Connection, sql: str, min_plies: int) -> Iterator[KeyedGame]:
    for *key, game_id, is_removed, fen, moves in connection.execute(sql, (min_plies,)):
        yield KeyedGame(tuple(key), game_id, is_removed, fen, moves or b"")


def _key_columns(connection: apsw.Connection, method: str) -> tuple[str, ...]:
    if method not in _KEY_COLUMNS:
        raise UsageError(f"{method}: unknown key; known are {', '.join(KEYS)}")
    existing = column_names(connection, "Games")
    columns = _KEY_COLUMNS[method]
    if columns[0] not in existing:
        raise UsageError(
            f"{method}: the database has no column {columns[0]} yet; 'ocgdedup dedup --upgrade' "
            "adds it"
        )
    return columns


def _games(connection: apsw.Connection, columns: Sequence[str], *, with_removed: bool) -> str:
    """Return a query for games with these columns of a key, optionally with deleted games."""
    selects = []
    for is_removed, table in enumerate(GAME_TABLES if with_removed else ("Games",)):
        existing = column_names(connection, table)
        own = ", ".join(
            f"{_player(name, existing, table)} AS {name}" if name in _SIDES else f"{table}.{name}"
            for name in columns
            if name != "PlyCount"
        )
        unmerged = ""
        if table == "Games" and any(name in _SIDES for name in columns) and _MERGED in existing:
            unmerged = "LEFT JOIN UnmergedHeaders AS Unmerged ON GameID = Games.ID"
        if existing:
            selects.append(
                f"SELECT {own}, {table}.PlyCount, {table}.ID, {is_removed} AS IsRemoved, "
                f"{table}.FEN, {table}.Moves2 FROM {table} {unmerged}"
            )
    return " UNION ALL ".join(selects)


def _player(side: str, existing: set[str], table: str) -> str:
    """Return the SQL of the player ID of a side, or of a negative ID of its name if unresolved.

    Names are unique, so their IDs represent their text; they are negative to differ from player
    IDs.
    """
    own, before = (
        f"coalesce({name}.{side}PersonID, -{name}.{side}ID)"
        if f"{side}PersonID" in existing
        else f"-{name}.{side}ID"
        for name in (table, "Unmerged")
    )
    if table != "Games" or _MERGED not in existing:
        return own
    return f"CASE WHEN GameID IS NULL THEN {own} ELSE {before} END"
