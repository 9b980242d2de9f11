"""Go: SGF, moves and boards."""

from collections.abc import Callable
from typing import Any, Self

from typing_extensions import disjoint_base

# --- go_moves -------------------------------------------------------------------------------------
# Decode move blobs of Go games: points, board, keys (docs/file-format.md).

COLOUR: int
PASS: int
SYMMETRIES: int

def move_texts(moves: bytes) -> list[str]:
    """Return the moves as colour and point: "Bpd"; a pass is the colour alone."""

def rotate_moves(moves: bytes, lines: int, symmetry: int) -> bytes:
    """Return a blob rotated by a symmetry; numbers that are not moves on the board stay.

    `lines`: board size; `symmetry`: 0 to 7, as numbered in docs/file-format.md.
    """

def keys_of(moves: bytes, start: str | None = None) -> tuple[int, int, int, int, int]:
    """Return MoveHash, FinalZobrist, PositionsKey, SampledKey (as in SQLite), SpecialMoves.

    Raises ValueError for a move that is not on the board, and for an invalid start.
    """

def board_after(moves: bytes, start: str | None = None, plies: int | None = None) -> list[str]:
    """Return the board after all moves, or the first `plies`, row by row from the top.

    Strings of "." empty, "X" black, "O" white. Raises ValueError as keys_of().
    """

# --- sgf_read -------------------------------------------------------------------------------------
# Read a block of SGF: Go games, their moves, keys and properties.

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

@disjoint_base
class SgfBlock:
    """A block of SGF text and its parsed games."""

    consumed: int
    parsed: bool
    def __new__(
        cls, text: bytes, default_charset: str | None = None, overrides: bool = False
    ) -> Self:
        """Set the text; `default_charset`: for records that declare none and are not UTF-8.

        `overrides`: use it also for records that declare another charset.
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

    def lines_before(self, offset: int) -> int:
        """Return the number of line ends before an offset in the text (bytes)."""

    def raw(self, start: int, end: int) -> bytes:
        """Return bytes of the text."""

    def letters_of(self, start: int, end: int, charset: str | None) -> str:
        """Decode a range of the text (bytes); None is UTF-8."""

    def records(self, charset_of: Callable[[str | None, bytes], str]) -> list[tuple[Any, ...]]:
        """Return the fields of sgf.records.SgfRecord of each record.

        `charset_of(declared or None, bytes)`: the codec of a record that is not UTF-8.
        """

# --- sgf_write ------------------------------------------------------------------------------------
# Write moves of Go games as SGF text.

def move_nodes(moves: bytes, first: int, stop: int, lines: int, on_line: int) -> str:
    """Return the moves `first` to before `stop` (plies from 0) as SGF nodes.

    `lines`: board size; `on_line`: nodes per line, 0 for no line ends. There is no line end before
    the first node or after the last.

    Raises ValueError for a blob of odd length, plies out of range, and a stored move that is not on
    the board; the message names the ply.
    """
