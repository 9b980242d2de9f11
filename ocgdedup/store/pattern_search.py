"""The search for patterns in games, by the chess kernel, which reads the rows itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup.files.portable import processors
from ocgdedup.store.connection import column_names, readers_beside
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
    parts = map(select.format, _all_parts(connection) if ids is None else _parts_of(ids))
    first = list(islice(parts, 2))
    threads = min(processors(), _MOST_THREADS) if len(first) > 1 else 0
    with readers_beside(connection, threads if threads > 1 else 0) as readers:
        if readers:
            yield from _in_threads(finder, readers, [*first, *parts])
        else:
            for sql in (*first, *parts):
                yield from _scan(finder, connection, sql)


def _all_parts(connection: apsw.Connection) -> Iterator[str]:
    """Yield conditions that divide the games into parts."""
    last = -(2**63)
    while True:
        end = connection.execute(_LAST_OF_PART, (last, _GAMES_AT_ONCE)).get
        if end is None:
            return
        yield f"ID > {last} AND ID <= {end}"
        last = end


def _parts_of(ids: Sequence[int]) -> Iterator[str]:
    ordered = iter(sorted(ids))
    while some := list(islice(ordered, _IDS_AT_ONCE)):
        yield f"ID IN ({','.join(map(str, some))})"


def _in_threads(
    finder: PatternFinder, readers: Sequence[apsw.Connection], parts: Sequence[str]
) -> Iterator[Place]:
    from concurrent.futures import Future, ThreadPoolExecutor  # takes 10 ms to import

    free = deque(readers)

    def scan(sql: str) -> list[Place]:
        reader = free.popleft()
        try:
            return _scan(finder, reader, sql)
        finally:
            free.append(reader)

    running: deque[Future[list[Place]]] = deque()
    with ThreadPoolExecutor(len(readers)) as threads:
        try:
            for sql in parts:
                if len(running) == 2 * len(readers):
                    yield from running.popleft().result()
                running.append(threads.submit(scan, sql))
            while running:
                yield from running.popleft().result()
        finally:
            for future in running:
                future.cancel()


def _scan(finder: PatternFinder, connection: apsw.Connection, sql: str) -> list[Place]:
    with using_kernel(connection, chess_kernel, "cannot be read"):
        return list(map(Place._make, finder.scan(connection, sql)))
