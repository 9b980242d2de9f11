"""SQL of opening trees: the start positions of games, and their first moves, sorted and counted."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import apsw

from ocgdedup.model import PLY_BYTES
from ocgdedup.store.connection import column_names, id_list

_CHOSEN = "ID IN (SELECT value FROM json_each(?)) AND length(Moves2) > 0"


class OpeningLine(NamedTuple):
    """The first moves of `games` games, of which White won `white` and Black `black`.

    `first_id`: of one of the games; `ended`: the IDs of all games if they have no more moves, as
    text with commas between.
    """

    moves: bytes
    games: int
    white: int
    drawn: int
    black: int
    first_id: int
    ended: str | None


def start_counts(connection: apsw.Connection, ids: Iterable[int]) -> Iterator[tuple[str, int, int]]:
    """Yield (FEN, "" for the standard one, number of games, ID of the first) of games with moves.

    `ids`: of the games that count.
    """
    sql = f"SELECT {_fen(connection)}, count(*), min(ID) FROM Games WHERE {_CHOSEN} GROUP BY 1"
    return iter(connection.execute(sql, (id_list(ids),)))


def opening_lines(
    connection: apsw.Connection, ids: Iterable[int], fens: Collection[str], plies: int
) -> Iterator[OpeningLine]:
    """Yield the distinct lines of the first plies of games, sorted by their stored moves.

    Games that end after just these plies come first, in a line of their own.
    """
    sql = f"""
        SELECT substr(Moves2, 1, ?1) AS Line, count(*), sum(Result IS '1-0'),
            sum(Result IS '1/2-1/2'), sum(Result IS '0-1'), min(ID),
            group_concat(CASE WHEN length(Moves2) <= ?1 THEN ID END)
        FROM Games WHERE {_CHOSEN.replace("?", "?2")}
            AND {_fen(connection)} IN (SELECT value FROM json_each(?3))
        GROUP BY Line, length(Moves2) > ?1 ORDER BY Line, length(Moves2) > ?1
    """
    rows = connection.execute(sql, (PLY_BYTES * plies, id_list(ids), json.dumps(sorted(fens))))
    return map(OpeningLine._make, rows)


def _fen(connection: apsw.Connection) -> str:
    return "coalesce(FEN, '')" if "FEN" in column_names(connection, "Games") else "''"
