"""Rows of Signatures and PositionFilters for a database of a test, by a slow reckoning.

What a game must fit to be found, too: by reading its moves one by one.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ocgdedup.pipeline.positions import fill_position_filters
from ocgdedup.store.connection import open_database, transaction
from ocgdedup.store.games import build_indexes
from tests.support.databases import query

INDEXES = (
    "SignaturesA", "SignaturesB", "SignaturesSymmetric", "SignaturesMD5", "SignaturesMD5First50",
    "SignaturesMD5First100", "SignaturesCanonicalMD5",
)  # fmt: skip
A, B = (20, 40, 60), (31, 51, 71)


def square(number: int) -> str:
    return "abcdefgh"[number & 7] + str((number >> 3) + 1)


def move_texts(blob: bytes | None, *, is_go: bool) -> list[str]:
    """Return each move as signatures have it: the point, or the two squares."""
    blob = blob or b""
    values = [blob[at] | blob[at + 1] << 8 for at in range(0, len(blob), 2)]
    if not is_go:
        return [square(value & 63) + square(value >> 6 & 63) for value in values]
    points = [value & 1023 for value in values]
    return ["tt" if p == 1023 else chr(97 + (p & 31)) + chr(97 + (p >> 5)) for p in points]


def turned(point: str, turn: int, lines: int = 19) -> str:
    """Turn a point as sgfinfo numbers it; a pass, and none, stay."""
    if point in ("tt", "??"):
        return point
    x, y, s = ord(point[0]) - 97, ord(point[1]) - 97, lines - 1
    forms = ((x, y), (x, s - y), (y, s - x), (y, x), (s - x, s - y), (s - x, y), (s - y, x),
             (s - y, s - x))  # fmt: skip
    return "".join(chr(97 + place) for place in forms[turn])


def signature(moves: list[str], numbers: tuple[int, ...], *, is_go: bool) -> str:
    none = "??" if is_go else "????"
    return "".join(moves[n - 1] if n <= len(moves) else none for n in numbers)


def md5(moves: list[str]) -> bytes:
    return hashlib.md5(("".join(moves) + "\n").encode(), usedforsecurity=False).digest()


def signature_row(game_id: int, moves: list[str], *, is_go: bool) -> tuple[object, ...]:
    """Return a row of Signatures; boards of 19 lines without a setup."""
    forms = [[turned(m, turn) for m in moves] for turn in range(8)] if is_go else [moves]
    first, second = (signature(moves, numbers, is_go=is_go) for numbers in (A, B))
    symmetric = min(signature(form, (*A, *B), is_go=is_go) for form in forms)
    return (
        game_id, first, second, symmetric, md5(moves), md5(moves[:50]), md5(moves[:100]),
        min(map(md5, forms)),
    )  # fmt: skip


def sign_games(path: Path | str, *, is_go: bool) -> None:
    """Write both tables for all games, and their indexes."""
    rows = [
        signature_row(game_id, move_texts(blob, is_go=is_go), is_go=is_go)
        for game_id, blob in query(path, "SELECT ID, Moves2 FROM Games")
    ]
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("INSERT INTO Signatures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database = open_database(str(path), writable=True)
    with contextlib.closing(database), transaction(database.connection):
        build_indexes(database.connection, INDEXES)
        assert fill_position_filters(database.connection) == len(rows)


def games_with(path: Path | str, wished: dict[int, str], *, is_go: bool) -> list[int]:
    """Return the games that have these moves; ? for any letter, all - for no such move."""
    return [
        game_id
        for game_id, blob in query(path, "SELECT ID, Moves2 FROM Games ORDER BY ID")
        if all(_fits(move_texts(blob, is_go=is_go), *wish) for wish in wished.items())
    ]


def _fits(moves: list[str], number: int, wished: str) -> bool:
    if set(wished) == {"-"}:
        return number > len(moves)
    return number <= len(moves) and all(
        one in ("?", other) for one, other in zip(wished, moves[number - 1], strict=True)
    )


def all_forms(wished: dict[int, str]) -> Iterator[dict[int, str]]:
    for turn in range(8):
        yield {number: turned(point, turn) for number, point in wished.items()}
