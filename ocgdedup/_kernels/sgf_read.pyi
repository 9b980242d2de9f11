"""Read a block of SGF: Go games, their moves, keys and properties."""

from collections.abc import Callable
from typing import Any

# Why a record cannot be stored as a game.
NO_GAME: int
OTHER_GAME: int
BOARD: int
# Kinds of annotations.
COMMENT: int
PROPERTIES: int
NODE: int
BRANCH: int
# Reasons for cutting a game.
OFF_BOARD: int
NO_POINT: int
OPEN_VALUE: int
NO_VALUE: int
STRAY: int
OPEN_TREE: int
TOO_LONG: int
TOO_DEEP: int

class SgfBlock:
    """A block of SGF text and its parsed games."""

    consumed: int
    parsed: bool
    def __init__(
        self, text: bytes, usual_charset: str | None = None, is_sure: bool = False
    ) -> None:
        """Set the text; `usual_charset`: of records that declare none and are not UTF-8.

        `is_sure`: also of records that declare another charset.
        """

    def parse(self, final: bool, has_more: bool = False) -> int:
        """Parse all games; return the number of records, rejected ones included.

        Unless `final`, a game without an end in the text is left out, and `consumed` (bytes) is its
        start. If `final` and `has_more` are set, that game is cut as too long.
        """

    @property
    def game_count(self) -> int:
        """Number of records, rejected ones included."""

    @property
    def move_count(self) -> int:
        """Number of moves of all games."""

    @property
    def newlines(self) -> int:
        """Number of line ends in the consumed part."""

    def lines_before(self, place: int) -> int:
        """Return the number of line ends before an offset in the text (bytes)."""

    def raw(self, start: int, end: int) -> bytes:
        """Return bytes of the text."""

    def letters_of(self, start: int, end: int, charset: str | None) -> str:
        """Decode a range of the text (bytes); None is UTF-8."""

    def records(self, charset_of: Callable[[str | None, bytes], str]) -> list[tuple[Any, ...]]:
        """Return the fields of sgf.records.SgfRecord of each record.

        `charset_of(declared or None, bytes)`: the codec of a record that is not UTF-8.
        """
