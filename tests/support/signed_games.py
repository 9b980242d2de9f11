"""Databases with signatures, and the games with given moves, found by reading each game."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from ocgdedup.pipeline.ingest.signatures import fill_signatures
from ocgdedup.store.database import open_database
from ocgdedup.store.history import transaction
from tests.reference.go_symmetries import rotated_point
from tests.support.databases import query


def square(number: int) -> str:
    return "abcdefgh"[number & 7] + str((number >> 3) + 1)


def move_texts(blob: bytes | None, *, is_go: bool) -> list[str]:
    """Return each move in signature form: the point, or the two squares."""
    blob = blob or b""
    values = [blob[at] | blob[at + 1] << 8 for at in range(0, len(blob), 2)]
    if not is_go:
        return [square(value & 63) + square(value >> 6 & 63) for value in values]
    points = [value & 1023 for value in values]
    return ["tt" if p == 1023 else chr(97 + (p & 31)) + chr(97 + (p >> 5)) for p in points]


def rotated(point: str, turn: int, lines: int = 19) -> str:
    """Rotate a point by a symmetry as numbered by sgfinfo; a pass and no move stay."""
    if point in ("tt", "??"):
        return point
    return rotated_point(point, turn, lines)


def md5(moves: list[str]) -> bytes:
    return hashlib.md5(("".join(moves) + "\n").encode(), usedforsecurity=False).digest()


def sign_games(path: Path | str) -> None:
    """Write signatures and position filters of all games, and their indexes."""
    database = open_database(str(path), writable=True)
    with contextlib.closing(database), transaction(database.connection):
        fill_signatures(database.connection)


def games_with(path: Path | str, wished: dict[int, str], *, is_go: bool) -> list[int]:
    """Return the games with these moves; "?" for any letter, only "-" for no such move."""
    return [
        game_id
        for game_id, blob in query(path, "SELECT ID, Moves2 FROM Games ORDER BY ID")
        if all(_fits(move_texts(blob, is_go=is_go), *wish) for wish in wished.items())
    ]


def _fits(moves: list[str], number: int, wished: str) -> bool:
    if set(wished) == {"-"}:
        return number > len(moves)
    return number <= len(moves) and all(
        left in ("?", right) for left, right in zip(wished, moves[number - 1], strict=True)
    )


def all_forms(wished: dict[int, str]) -> Iterator[dict[int, str]]:
    for turn in range(8):
        yield {number: rotated(point, turn) for number, point in wished.items()}
