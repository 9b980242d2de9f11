"""Decode move blobs of Go games: points, board, keys (docs/file-format.md)."""

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
