"""Write games as PGN text: kernels/chess/pgn_write.pyx."""

from collections.abc import Iterable
from typing import TypeAlias

COLUMNS: tuple[str, ...]

Row: TypeAlias = tuple[
    int,  # game ID
    int | None,  # event: index into the list of events; site, white and black likewise
    int | None,  # site
    str | None,  # date, with dots
    str | None,  # round
    int | None,  # white
    int | None,  # Elo of White
    int | None,  # black
    int | None,  # Elo of Black
    str | None,  # result
    str | None,  # time control
    str | None,  # ECO
    str | None,  # FEN, None for the standard start position
    Iterable[tuple[str, str]] | None,  # other tags: name, value
    bytes | None,  # move blob
]

Note: TypeAlias = tuple[int, int, int, str | int]
"""(ply, position, kind, payload).

ply: 0-based, the ply that the note follows, -1 before the first. kind: 1 comment, 2 NAG (the
payload is its number), 3 variation (without its outer parentheses).
"""

def has_loose_brace(text: str) -> bool:
    """Return whether text has a closing brace that no brace before it opens."""

class PgnWriter:
    """Writes rows of games as PGN text. One object serves one thread at a time."""

    def __init__(self, width: int = 80) -> None:
        """Set the columns of a line of movetext; 0 writes the movetext of a game on one line."""

    def write(
        self,
        rows: list[Row],
        events: list[str | None],
        sites: list[str | None],
        players: list[str | None],
        notes: dict[int, list[Note]],
    ) -> bytes:
        """Return the games as PGN text in UTF-8, in the order of the rows.

        A name that is missing, None or empty is written as "?". `notes`: annotations by game ID,
        sorted by ply and position. Works without the GIL except for copying rows.

        A line breaks only at a single blank, which readers turn into a blank again. A comment that
        braces cannot hold is written after ";" on the rest of its line, however long it is.

        Raises ValueError, naming the game and the ply, if a move blob does not replay legally.
        """

    def write_in_parts(
        self,
        row: Row,
        events: list[str | None],
        sites: list[str | None],
        players: list[str | None],
        parts: Iterable[list[Note]],
        closing: bool,
    ) -> bytes:
        """Return one game as write() does; a part of its annotations at a time is in memory.

        `closing`: whether any of its comments and variations has a loose brace.
        """
