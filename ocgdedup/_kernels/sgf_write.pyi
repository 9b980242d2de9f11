"""Moves of Go to SGF text: kernels/go/sgf_write.pyx."""

def move_nodes(moves: bytes, first: int, stop: int, lines: int, on_line: int) -> str:
    """Return the moves `first` to `stop` (plies from 0, `stop` not among them) as SGF nodes.

    `lines`: of the board; `on_line`: how many nodes a line has, 0 for no line ends. There is no
    line end before the first node nor behind the last one.

    Raises ValueError for a blob of odd length, plies that are not there, and a stored move that
    is not on the board: it names the ply.
    """
