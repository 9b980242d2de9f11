"""SQL on tidied values: values of headers that the program improves after the search.

A tidied value is a merged value without another game: the original header is in UnmergedHeaders,
and MergedTags has the value that was read, with the reason TIDIED. So the search compares what was
read. A search that writes a group anew drops its merged values, so searches run in keep_tidied().
All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import apsw

from ocgdedup.game_columns import BY_NAME, GAME_COLUMNS
from ocgdedup.model import Reason
from ocgdedup.store.connection import id_list
from ocgdedup.store.corrections import name_id
from ocgdedup.store.games import RANGE_GAMES
from ocgdedup.store.merges import save_headers

_COLUMNS = {c.tag: c.name for c in GAME_COLUMNS if c.tag and c.is_merged}
_BY_USER = f"""
    SELECT GameID FROM Corrections WHERE Tag = ?1
    UNION SELECT GameID FROM MergedTags WHERE Tag = ?1 AND Reason = '{Reason.CORRECTED}'
"""
_LOG = (
    f"INSERT INTO MergedTags VALUES (?, ?, ?, ?, NULL, '{Reason.TIDIED}') "
    "ON CONFLICT DO UPDATE SET After = excluded.After, FromGameID = NULL, Reason = excluded.Reason"
)
# A guessed day, month or year: see pgn/dates.py.
_QUALITY = "CASE WHEN ?1 NOT LIKE '%?%' THEN 31 WHEN ?1 LIKE '%.??' THEN 21 ELSE 11 END"
_TIDIED = f"SELECT Tag, GameID, After FROM MergedTags WHERE Reason = '{Reason.TIDIED}'"
_DROPPED = """
    SELECT * FROM temp.Tidied WHERE GameID IN (SELECT ID FROM Games) AND NOT EXISTS (
        SELECT 1 FROM MergedTags AS M WHERE M.GameID = Tidied.GameID AND M.Tag = Tidied.Tag
    ) ORDER BY Tag
"""
_MARK = "UPDATE Games SET HeaderOptimized = 1 WHERE ID IN (SELECT value FROM json_each(?))"


def games_to_classify(
    connection: apsw.Connection, tag: str, *, missing: bool
) -> Iterator[tuple[int, str | None, bytes | None]]:
    """Yield ID, value of a tag, and moves of the games that begin with the standard start.

    `missing`: only games without a value of the tag, or with an ECO that is no code. Games are left
    out in which the user corrected the tag.
    """
    sql = f"SELECT ID, {_value_of(tag)}, Moves2 FROM Games WHERE coalesce(FEN, '') = '' "
    if missing:
        pattern = "[A-Ea-e][0-9][0-9]*" if tag == "ECO" else "*[^?]*"
        sql += f"AND coalesce({_value_of(tag)}, '') NOT GLOB '{pattern}' "
    return connection.execute(f"{sql} AND ID NOT IN ({_BY_USER})", (tag,))


def corrected_games(connection: apsw.Connection, tag: str) -> set[int]:
    """Return the IDs of the games in which the user corrected a tag."""
    return {row[0] for row in connection.execute(_BY_USER, (tag,))}


@contextmanager
def keep_tidied(connection: apsw.Connection) -> Iterator[None]:
    """Write tidied values again that are dropped meanwhile, unless another value is merged."""
    if connection.execute(f"{_TIDIED} LIMIT 1").fetchone() is None:
        yield
        return
    connection.execute(f"CREATE TEMP TABLE Tidied AS {_TIDIED}")
    try:
        yield
        dropped: list[Any] = connection.execute(_DROPPED).fetchall()
        for tag, rows in groupby(dropped, itemgetter(0)):
            write_tidied(connection, tag, {game_id: value for _, game_id, value in rows})
    finally:
        connection.execute("DROP TABLE IF EXISTS temp.Tidied")


def write_tidied(connection: apsw.Connection, tag: str, values: Mapping[int, str]) -> int:
    """Write a tag of games, unless the user corrected it; return the number of changed games.

    Names are inserted if they are new.
    """
    corrected = corrected_games(connection, tag)
    given = iter(values.items())
    changed = 0
    while batch := dict(islice(given, RANGE_GAMES)):
        sql = f"SELECT ID, {_value_of(tag)} FROM Games WHERE ID IN (SELECT value FROM json_each(?))"
        before = {
            game_id: text
            for game_id, text in connection.execute(sql, (id_list(batch),))
            if text != batch[game_id] and game_id not in corrected
        }
        changed += len(before)
        chosen = id_list(before)
        save_headers(connection, chosen)
        _set(connection, tag, {game_id: batch[game_id] for game_id in before})
        connection.execute(_MARK, (chosen,))
        connection.executemany(
            _LOG,
            [(game_id, tag, text or "?", batch[game_id]) for game_id, text in before.items()],
        )
    return changed


def _value_of(tag: str) -> str:
    """Return an SQL expression for the value of a tag in Games, NULL for none."""
    column = _COLUMNS.get(tag)
    if column is None:
        return f"iif(json_valid(ExtraTags), ExtraTags ->> '$.\"{tag}\"', NULL)"
    table = BY_NAME[column].references
    if table:
        return f"(SELECT nullif(Name, '') FROM {table} WHERE {table}.ID = {column})"
    return f"nullif({column}, '')"


def _set(connection: apsw.Connection, tag: str, values: Mapping[int, str]) -> None:
    column = _COLUMNS.get(tag)
    if column is None:
        sql = (
            f"UPDATE Games SET ExtraTags = json_set(coalesce(ExtraTags, '{{}}'), '$.\"{tag}\"', ?) "
            "WHERE ID = ?"
        )
    else:
        quality = f", DateQuality = {_QUALITY}" if column == "Date" else ""
        sql = f"UPDATE Games SET {column} = ?1{quality} WHERE ID = ?2"
    table = None if column is None else BY_NAME[column].references
    if table:
        ids = {name: name_id(connection, table, name) for name in {*values.values()}}
        connection.executemany(sql, [(ids[name], game_id) for game_id, name in values.items()])
    else:
        connection.executemany(sql, [(text, game_id) for game_id, text in values.items()])
