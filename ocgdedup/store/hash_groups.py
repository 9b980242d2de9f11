"""SQL of the six methods of OCGDB's study: games in the order of a key that a load has computed.

A method groups games whose keys are equal. The key is made of columns of Games alone; whether
equal keys mean equal moves is for others to find out.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.store.connection import column_names

# Which columns make the key. The first is a hash with an index of its own; the others refine it.
_KEY_COLUMNS = {
    "last-position": ("FinalZobrist",),
    "last-position+length": ("FinalZobrist", "PlyCount"),
    "all-positions": ("PositionsKey",),
    "every-5": ("SampledKey",),
    "moves": ("MoveHash",),
    "moves+players": ("MoveHash", "White", "Black"),
}
METHODS = tuple(_KEY_COLUMNS)

KeyedGame = tuple[tuple[int | None, ...], str | None, bytes]

# The inner query runs on the index of the hash alone, where there is one; blobs are read only of
# games that share theirs.
_SELECT = """
    SELECT {key}, FEN, Moves2 FROM Games
    WHERE {hash} IN (SELECT {hash} FROM Games GROUP BY {hash} HAVING count(*) > 1)
        AND PlyCount >= ?
    ORDER BY {key}
"""


def keyed_games(connection: apsw.Connection, method: str, min_plies: int) -> Iterator[KeyedGame]:
    """Yield (key, FEN, move blob) of all games of `min_plies` plies or more that share their hash.

    Games of one key come together; some keys have one game alone. Raises UsageError for a method
    that is none of METHODS, and for a database that has no hash columns yet.
    """
    if method not in _KEY_COLUMNS:
        raise UsageError(f"{method}: is no method; there are {', '.join(METHODS)}")
    there = column_names(connection, "Games")
    columns = _KEY_COLUMNS[method]
    if columns[0] not in there:
        raise UsageError(
            f"{method}: the database has no column {columns[0]} yet; 'ocgdedup dedup --upgrade' "
            "adds it"
        )
    key = ", ".join(
        _player_key(name, there) if name in ("White", "Black") else name for name in columns
    )
    rows = connection.execute(_SELECT.format(key=key, hash=columns[0]), (min_plies,))
    for *values, fen, blob in rows:
        yield tuple(values), fen, blob or b""


def _player_key(side: str, there: set[str]) -> str:
    """Name a player by his person if a consolidation found it, else by his name.

    Names are unique, so that their IDs stand for their text; below 0, lest one be a person's.
    """
    person = f"{side}PersonID"
    return f"coalesce({person}, -{side}ID)" if person in there else f"-{side}ID"
