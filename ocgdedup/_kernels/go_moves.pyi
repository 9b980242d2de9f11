"""Move blobs of Go made readable: points, the board, their keys (docs/file-format.md)."""

COLOUR: int
PASS: int
SYMMETRIES: int

def move_texts(moves: bytes) -> list[str]:
    """Return the moves as colour and point: "Bpd"; a pass is the colour alone."""

def turn_moves(moves: bytes, lines: int, symmetry: int) -> bytes:
    """Return a blob with the board of that many lines turned; what is no move on it stays.

    `symmetry`: 0 to 7, as docs/file-format.md numbers them.
    """

def keys_of(moves: bytes, start: str | None = None) -> tuple[int, int, int, int, int]:
    """Return MoveHash, FinalZobrist, PositionsKey, SampledKey, as SQLite has them, SpecialMoves.

    Raises ValueError for a move that is not on the board, and for a start that is none.
    """

def board_after(moves: bytes, start: str | None = None, plies: int | None = None) -> list[str]:
    """Return the board after all moves, or the first `plies`, row by row from the top.

    Strings of "." empty, "X" black, "O" white. Raises ValueError as keys_of().
    """
