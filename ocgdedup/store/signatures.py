"""SQL on Signatures: rows of games that lack one, and queries over all rows.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import apsw

from ocgdedup.store.connection import column_names, count_rows, has_rows, id_list
from ocgdedup.store.games import Row, build_indexes, count_games, games_in_ranges

SIGNATURE_INDEXES = (
    "SignaturesA", "SignaturesB", "SignaturesSymmetric", "SignaturesMD5", "SignaturesMD5First50",
    "SignaturesMD5First100", "SignaturesCanonicalMD5",
)  # fmt: skip
SIGNATURES = "Signatures"
REPORTED = "temp.ReportedSignatures"

_COLUMNS = (
    "GameID", "SignatureA", "SignatureB", "SymmetricSignature", "MovesMD5", "MovesMD5First50",
    "MovesMD5First100", "CanonicalMD5",
)  # fmt: skip
_ROW = f"({', '.join('?' * len(_COLUMNS))})"
# Many rows per statement take a fifth less time.
_ROWS_AT_ONCE = 250
# Columns for kernels/find/signatures.pxi. A start that is not UTF-8 must not stop a whole load.
_PLAYED = "ID, CAST(FEN AS BLOB), Moves2"
_IN_GAMES = "GameID IN (SELECT ID FROM Games)"
# Columns that the fields of DistinctCounts count.
_COUNTED = (
    "GameID", "SignatureA", "SignatureB", "SignatureA, SignatureB", "SymmetricSignature",
    "MovesMD5", "CanonicalMD5",
)  # fmt: skip
_NO_GAME = "GameID NOT IN (SELECT ID FROM Games) AND GameID NOT IN (SELECT ID FROM RemovedGames)"


def has_signatures(connection: apsw.Connection) -> bool:
    """Return whether any game has a row; False for a database of an older version."""
    return has_rows(connection, "Signatures")


def count_unsigned(connection: apsw.Connection) -> int:
    """Return the number of games without a row; removed games do not count."""
    if not column_names(connection, "Signatures"):
        return count_games(connection)
    # By rising ID the rows are met in their order; by an index of hashes it takes twenty times
    # as long.
    sql = "SELECT count(*) FROM Games NOT INDEXED WHERE ID NOT IN (SELECT GameID FROM Signatures)"
    return int(connection.execute(sql).get)


def unsigned_games(
    connection: apsw.Connection, table: str, first_id: int | None = None
) -> Iterator[list[Row]]:
    """Yield (ID, start, moves) of games of a table without a row, from an ID on, in ranges.

    The rows of a range may be written before the next range is read.
    """
    after = "?" if first_id is None else f"max(?, {first_id - 1})"
    sql = (
        f"SELECT {_PLAYED} FROM {table} WHERE ID > {after} "
        "AND ID NOT IN (SELECT GameID FROM Signatures) ORDER BY ID LIMIT ?"
    )
    return map(_decoded, games_in_ranges(connection, sql))


def played_games(connection: apsw.Connection) -> Iterator[list[Row]]:
    """Yield (ID, start, moves) of all games, in ranges; of a database of OCGDB too."""
    sql = _played_sql(connection, "ID > ?") + " LIMIT ?"
    return map(_decoded, games_in_ranges(connection, sql))


def played_games_of(connection: apsw.Connection, ids: Sequence[int]) -> dict[int, Row]:
    """Return (ID, start, moves) of these games, by ID; unknown IDs are left out."""
    sql = _played_sql(connection, "ID IN (SELECT value FROM json_each(?))")
    rows = connection.execute(sql, (id_list(ids),)).fetchall()
    return {row[0]: row for row in _decoded(rows)}


def _played_sql(connection: apsw.Connection, where: str) -> str:
    start = "CAST(FEN AS BLOB)" if "FEN" in column_names(connection, "Games") else "NULL"
    return f"SELECT ID, {start}, Moves2 FROM Games WHERE {where} ORDER BY ID"


def _decoded(rows: list[Row]) -> list[Row]:
    """Return the rows with the start as text."""
    return [
        (game_id, None if start is None else start.decode(errors="replace"), moves)
        for game_id, start, moves in rows
    ]


def insert_signatures(
    connection: apsw.Connection, rows: Sequence[Row], table: str = SIGNATURES
) -> None:
    """Insert rows as kernels/find/signatures.pxi makes them."""
    head = f"INSERT INTO {table} ({', '.join(_COLUMNS)}) VALUES "
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[start : start + _ROWS_AT_ONCE]
        values = list(chain.from_iterable(some))
        connection.execute(head + ", ".join([_ROW] * len(some)), values)


def make_reported_table(connection: apsw.Connection) -> None:
    """Create the temporary table REPORTED, which insert_signatures() fills, for a report.

    It lasts as long as the connection, which may be read-only.
    """
    connection.execute(f"CREATE TEMP TABLE {REPORTED} ({', '.join(_COLUMNS)})")


class DistinctCounts(NamedTuple):
    """Number of games with signatures, and numbers of distinct signatures."""

    games: int
    a: int
    b: int
    both: int
    symmetric: int
    md5: int
    canonical_md5: int


def distinct_counts(connection: apsw.Connection, table: str) -> DistinctCounts:
    """Count in Signatures, or in REPORTED; removed games do not count."""
    # SELECT DISTINCT reads an index, if it exists, without sorting.
    return DistinctCounts._make(
        count_rows(connection, f"(SELECT DISTINCT {columns} FROM {table} WHERE {_IN_GAMES})")
        for columns in _COUNTED
    )


def equal_signatures(connection: apsw.Connection, table: str, letters: int) -> Iterator[list[int]]:
    """Yield the games, one for each MovesMD5, that share both signatures.

    `letters`: number of letters of a move. Games without a move 40 are left out.
    """
    rows = connection.execute(
        f"WITH Sequences(A, B, ID) AS ({_sequences(table, letters, '<>')}) "
        "SELECT group_concat(ID) FROM Sequences GROUP BY A, B HAVING count(*) > 1 ORDER BY min(ID)"
    )
    return (sorted(map(int, ids.split(","))) for (ids,) in rows)


def count_pairs_of_one(connection: apsw.Connection, table: str, letters: int) -> tuple[int, int]:
    """Return the number of pairs that share signature A but not B, and B but not A.

    Counts the games of equal_signatures(): one for each MovesMD5, no short ones.
    """
    sequences = f"WITH Sequences(A, B, ID) AS ({_sequences(table, letters, '<>')}) "
    pairs = f"{sequences}SELECT coalesce(sum(n * (n - 1) / 2), 0) FROM "
    of_a, of_b, of_both = (
        int(
            connection.execute(
                f"{pairs}(SELECT count(*) AS n FROM Sequences GROUP BY {columns})"
            ).get
        )
        for columns in ("A", "B", "A, B")
    )
    return of_a - of_both, of_b - of_both


def count_short(connection: apsw.Connection, table: str, letters: int) -> int:
    """Return the number of distinct move sequences that equal_signatures() leaves out."""
    return count_rows(connection, f"({_sequences(table, letters, '=')})")


def _sequences(table: str, letters: int, is_absent: str) -> str:
    return (
        f"SELECT SignatureA, SignatureB, min(GameID) FROM {table} WHERE {_IN_GAMES} "
        f"AND substr(SignatureA, {letters + 1}, 1) {is_absent} '?' "
        "GROUP BY SignatureA, SignatureB, MovesMD5"
    )


def build_signature_indexes(connection: apsw.Connection) -> None:
    """Build the missing indexes."""
    build_indexes(connection, SIGNATURE_INDEXES)


def stored_signatures(
    connection: apsw.Connection, table: str
) -> Iterator[list[tuple[Row, int | None, Row | None]]]:
    """Yield (game as in unsigned_games(), MoveHash, its row or None) of a table, in ranges.

    Texts of the row are bytes, since a damaged one may not be UTF-8.
    """
    columns = ", ".join(f"CAST({name} AS BLOB)" for name in _COLUMNS[1:])
    sql = (
        f"SELECT {_PLAYED}, MoveHash, GameID, {columns} FROM {table} "
        "LEFT JOIN Signatures ON GameID = ID WHERE ID > ? ORDER BY ID LIMIT ?"
    )
    for rows in games_in_ranges(connection, sql):
        games = _decoded([row[:3] for row in rows])
        yield [
            (game, row[3], None if row[4] is None else row[5:])
            for game, row in zip(games, rows, strict=True)
        ]


def lost_signatures(connection: apsw.Connection) -> list[int]:
    """Return the IDs of rows without a game, not even a removed one."""
    rows = connection.execute(f"SELECT GameID FROM Signatures WHERE {_NO_GAME} ORDER BY 1")
    return [row[0] for row in rows]
