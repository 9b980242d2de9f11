"""Go records as SGF text: FF[4], UTF-8.

Owns the layout of a record. Must not know where it comes from, nor files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ocgdedup.sgf.root import Header, root_properties, start_of
from ocgdedup.sgf.tree import Note, layout_of, tree_text

_FORMAT = "(;GM[1]FF[4]CA[UTF-8]"


class Record(NamedTuple):
    """A game; `start` and `notes` as a database has them (docs/go.md), `moves` as a blob."""

    header: Header
    start: str | None
    moves: bytes
    notes: Sequence[Note] = ()


class SgfWriter:
    """Writes records in lines of `width` columns, 0: each on one line.

    A line that holds comments, or what is written as it stood, is as long as that is.
    `read_date`: which Date a DT value means.
    """

    def __init__(self, width: int, read_date: Callable[[str], str]) -> None:
        self._width = width
        self._layout = layout_of(width)
        self._read_date = read_date
        self._end = ")\n\n" if width else ")\n"

    def write(self, record: Record) -> bytes:
        """Return a record as text in UTF-8.

        Raises ValueError for a start that is none and a move that is not on the board.
        """
        size, lines, stones = start_of(record.start, self._width)
        root = root_properties(record.header, self._read_date)
        tree = tree_text(record.moves, record.notes, lines, self._layout)
        line_end = self._layout.line_end
        # What belongs to the root goes on behind its last property.
        parts = [_FORMAT + size, *root, *stones, tree] if tree else [_FORMAT + size, *root, *stones]
        return f"{line_end.join(parts)}{self._end}".encode()
