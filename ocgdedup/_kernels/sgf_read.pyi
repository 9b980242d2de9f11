"""Read a block of SGF: Go games, their moves, keys and properties."""

from collections.abc import Callable
from typing import Any

# Why a record is no game that can be stored.
NO_GAME: int
OTHER_GAME: int
BOARD: int
# What a note is.
COMMENT: int
PROPERTIES: int
NODE: int
BRANCH: int
# What is wrong where a game was cut.
OFF_BOARD: int
NO_POINT: int
OPEN_VALUE: int
NO_VALUE: int
STRAY: int
OPEN_TREE: int
TOO_LONG: int
TOO_DEEP: int

class SgfBlock:
    """A block of SGF text, and what was read in it."""

    consumed: int
    parsed: bool
    def __init__(
        self, text: bytes, usual_charset: str | None = None, is_sure: bool = False
    ) -> None:
        """Take the text; `usual_charset`: of records that name none, if it is not UTF-8.

        `is_sure`: of those too that name another.
        """

    def parse(self, final: bool, goes_on: bool = False) -> int:
        """Read all games; return how many records were read, rejects included.

        Unless `final`, a game that has no end in the text is left out, and `consumed` (bytes) says
        where it begins; if it is final though the text `goes_on`, that game is cut, as too long.
        """

    @property
    def game_count(self) -> int:
        """Number of records that were read, rejects included."""

    @property
    def move_count(self) -> int:
        """Number of moves of all games."""

    @property
    def newlines(self) -> int:
        """Number of line ends in the part that was consumed."""

    def lines_before(self, place: int) -> int:
        """Return the number of line ends before a place of the text (bytes)."""

    def raw(self, start: int, end: int) -> bytes:
        """Return bytes of the text."""

    def letters_of(self, start: int, end: int, charset: str | None) -> str:
        """Return a part of the text (bytes) in letters; None is UTF-8."""

    def records(self, charset_of: Callable[[str | None, bytes], str]) -> list[tuple[Any, ...]]:
        """Return the fields of sgf.records.SgfRecord of each record.

        `charset_of(declared or None, bytes)`: the codec of a record that is no UTF-8.
        """
