"""Signatures of games: a few moves as text, MD5s of all (docs/file-format.md)."""

from collections.abc import Iterable
from typing import Any

_Row = tuple[int, str, str, str, bytes, bytes, bytes, bytes]

def signature_rows(games: list[tuple[Any, ...]], is_go: bool) -> list[_Row | None]:
    """Return a row of the table Signatures, or None, for each (ID, start or None, move blob).

    None: the moves are no move blob, or the start cannot be read. Nothing is replayed.
    """

def moves_at(moves: bytes, numbers: Iterable[int], is_go: bool) -> str:
    """Return the moves of these numbers, from 1, as a signature has them: `??`, `????` for none."""

def symmetric_form(signature: str, start: str | None = None) -> str:
    """Return the smallest of the eight forms of a signature of Go, on the board of a start.

    Raises ValueError for letters that are no point of the board.
    """
