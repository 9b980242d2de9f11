"""The search for patterns in games, by the chess kernel, which reads the rows itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup.files.portable import processors
from ocgdedup.store.connection import column_names, on_threads, readers_beside
from ocgdedup.store.position_filters import Place
from ocgdedup.store.row_writer import using_kernel

if TYPE_CHECKING:
    from ocgdedup._kernels.chess import PatternFinder

# Between two parts Python handles Ctrl-C and shows matches.
_GAMES_AT_ONCE = 8_000
_IDS_AT_ONCE = 1_000
_MOST_THREADS = 4
_LAST_OF_PART = "SELECT max(ID) FROM (SELECT ID FROM Games WHERE ID > ? ORDER BY ID LIMIT ?)"


def places_of_pattern(
    connection: apsw.Connection, finder: PatternFinder, ids: Sequence[int] | None = None
) -> Iterator[Place]:
    """Yield the first match of a pattern, by rising game ID, in these games or in all.

    Replays the games in one thread per processor, at most four. Raises StoreError.
    """
    # OCGDB omits columns that were not requested.
    start = "nullif(FEN, '')" if "FEN" in column_names(connection, "Games") else "NULL"
    select = f"SELECT ID, {start}, Moves2 FROM Games WHERE {{}} ORDER BY ID"
    parts = map(select.format, _conditions(connection, ids))
    first = list(islice(parts, 2))
    threads = min(processors(), _MOST_THREADS) if len(first) > 1 else 0

    def scan(reader: apsw.Connection, sql: str) -> list[Place]:
        with using_kernel(reader, chess_kernel, "cannot be read"):
            return list(map(Place._make, finder.scan(reader, sql)))

    with readers_beside(connection, threads if threads > 1 else 0) as readers:
        if readers:
            with on_threads(readers, scan, [*first, *parts]) as found:
                yield from chain.from_iterable(found)
        else:
            for sql in chain(first, parts):
                yield from scan(connection, sql)


def _conditions(connection: apsw.Connection, ids: Sequence[int] | None) -> Iterator[str]:
    """Yield conditions that divide the games, or all games, into parts."""
    if ids is not None:
        ordered = iter(sorted(ids))
        while some := list(islice(ordered, _IDS_AT_ONCE)):
            yield f"ID IN ({','.join(map(str, some))})"
        return
    last = -(2**63)
    while (end := connection.execute(_LAST_OF_PART, (last, _GAMES_AT_ONCE)).get) is not None:
        yield f"ID > {last} AND ID <= {end}"
        last = end
