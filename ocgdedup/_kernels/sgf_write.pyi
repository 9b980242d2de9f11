"""Write moves of Go games as SGF text: kernels/go/sgf_write.pyx."""

def move_nodes(moves: bytes, first: int, stop: int, lines: int, on_line: int) -> str:
    """Return the moves `first` to before `stop` (plies from 0) as SGF nodes.

    `lines`: board size; `on_line`: nodes per line, 0 for no line ends. There is no line end before
    the first node or after the last.

    Raises ValueError for a blob of odd length, plies out of range, and a stored move that is not on
    the board; the message names the ply.
    """
