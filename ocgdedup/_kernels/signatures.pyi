"""Signatures of games: a few moves as text, MD5s of all (docs/file-format.md)."""

from collections.abc import Iterable

_Row = tuple[int, str, str, str, bytes, bytes, bytes, bytes]

def signature_rows(
    games: list[tuple[int, str | None, bytes | None]], is_go: bool
) -> list[_Row | None]:
    """Return a row of the table Signatures, or None, for each (ID, start or None, move blob).

    None: the moves are not a move blob, or the start cannot be parsed. Nothing is replayed.
    """

def moves_at(moves: bytes, numbers: Iterable[int], is_go: bool) -> str:
    """Return the moves with these numbers (from 1) in signature form: `??`, `????` if missing."""

def symmetric_form(signature: str, start: str | None = None) -> str:
    """Return the least of the eight forms of a Go signature, on the board of a start.

    Raises ValueError for letters that are not a point of the board.
    """
