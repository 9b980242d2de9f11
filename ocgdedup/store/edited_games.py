"""SQL for a file of games that was edited: games to compare, and moves to replace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

import apsw

from ocgdedup.game_columns import GAME_COLUMNS, MOVE_KEYS
from ocgdedup.store.connection import has_rows, id_list
from ocgdedup.store.games import (
    ANNOTATION_COLUMNS,
    COMMENT_COLUMNS,
    Row,
    delete_rows_of,
    games_in_ranges,
    insert_rows,
)

_CHOSEN = "IN (SELECT value FROM json_each(?))"
_TAGS = {column.tag: column for column in GAME_COLUMNS if column.tag and column.tag != "FEN"}
_VALUES = ", ".join(
    f"(SELECT Name FROM {column.references} WHERE ID = {name})"
    if (name := column.name) and column.references
    else f"CAST({name} AS TEXT)"
    for column in _TAGS.values()
)
_UNKNOWN = (None, "", "????.??.??")
_MOVES = ("FEN", "Moves2", "PlyCount", *MOVE_KEYS, "SpecialMoves", "HasComments", "HasVariations")


def read_games(
    connection: apsw.Connection,
) -> Iterator[list[tuple[int, int, dict[str, str], str | None, str | None, bytes, int]]]:
    """Yield the games of an import, range by range.

    Each has ID, number in the source, tags, other tags as JSON, start, moves and MoveHash.
    """
    sql = (
        f"SELECT ID, SourceNumber, ExtraTags, FEN, Moves2, MoveHash, {_VALUES} FROM Games "
        "WHERE ID > ? ORDER BY ID LIMIT ?"
    )
    for rows in games_in_ranges(connection, sql):
        yield [
            (game_id, number, _known(values), extra, fen, moves or b"", move_hash)
            for game_id, number, extra, fen, moves, move_hash, *values in rows
        ]


def _known(values: list[str | None]) -> dict[str, str]:
    pairs = zip(_TAGS, values, strict=True)
    return {tag: value for tag, value in pairs if value is not None and value not in _UNKNOWN}


def games_with_moves(connection: apsw.Connection, hashes: Collection[int]) -> dict[int, list[int]]:
    """Return the games that are no duplicates, by MoveHash, one of `hashes`."""
    found: dict[int, list[int]] = defaultdict(list)
    if hashes:
        rows = connection.execute(
            "SELECT MoveHash, ID FROM FlaggedGames "
            f"WHERE MoveHash {_CHOSEN} AND DuplicateStatus IS NULL ORDER BY ID",
            (id_list(hashes),),
        )
        for move_hash, game_id in rows:
            found[move_hash].append(game_id)
    return found


def known_ids(connection: apsw.Connection, ids: Collection[int]) -> set[int]:
    """Return which of some IDs games have that are not deleted."""
    sql = f"SELECT ID FROM Games WHERE ID {_CHOSEN}"
    return {row[0] for row in connection.execute(sql, (id_list(ids),))}


def replace_moves(
    connection: apsw.Connection, copy: apsw.Connection, row_ids: Mapping[int, int]
) -> None:
    """Replace moves and annotations of games by those of games of `copy`, whose IDs are given.

    Signatures and position filters of the games are deleted.
    """
    settings = ", ".join(f"{name} = ?" for name in _MOVES)
    for game_id, row_id in row_ids.items():
        sql = f"SELECT {', '.join(_MOVES)} FROM Games WHERE ID = ?"
        values: Row = copy.execute(sql, (row_id,)).get
        connection.execute(f"UPDATE Games SET {settings} WHERE ID = ?", (*values, game_id))
        connection.execute(
            "UPDATE UnmergedHeaders SET HasComments = ?, HasVariations = ? WHERE GameID = ?",
            (*values[-2:], game_id),
        )
    for table in ("Comments", "Annotations", "Signatures", "PositionFilters"):
        delete_rows_of(connection, table, row_ids)
    for table, columns in (("Comments", COMMENT_COLUMNS), ("Annotations", ANNOTATION_COLUMNS)):
        if not has_rows(copy, table):
            continue
        others = ", ".join(columns[1:])
        sql = f"SELECT {others} FROM {table} WHERE GameID = ? ORDER BY ID"
        for game_id, row_id in row_ids.items():
            rows = [(game_id, *row) for row in copy.execute(sql, (row_id,))]
            insert_rows(connection, table, rows)
