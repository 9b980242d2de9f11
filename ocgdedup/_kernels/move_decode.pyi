"""Move blobs made readable, and their keys: kernels/chess/move_decode.pyx.

`fen` is the FEN of the start position, None for the standard one. Every function raises
ValueError for a blob of odd length, a move that is not legal (naming its ply, counted from 1) and
a FEN that is no legal position. Keys are signed 64-bit integers, as SQLite stores them.
"""

def decode_uci(moves: bytes, fen: str | None = None) -> list[str]:
    """Return the moves in UCI notation, a null move as "0000".

    Castling in Chess960 is the king's square and the rook's, wherever the king goes.
    """

def decode_san(moves: bytes, fen: str | None = None) -> list[str]:
    """Return the moves in SAN (PGN standard 8.2.3), a null move as "--"."""

def decode_texts(moves: bytes, fen: str | None = None) -> tuple[str, str]:
    """Return what decode_uci() and decode_san() do, each joined by blanks; in one replay."""

def keys_of(moves: bytes, fen: str | None = None) -> tuple[int, int, int, int]:
    """Return (mainline hash, final Zobrist, positions key, sampled key), as Block.keys() does."""

def start_epd(fen: str) -> str:
    """Return the normal form of a start position: board, turn, castling and en passant square."""

def final_fen(moves: bytes, fen: str | None = None) -> str:
    """Return the FEN of the final position, with its halfmove clock and fullmove number.

    It names an en passant square only if a pawn stands ready to take there (X-FEN).
    """

def board_result(moves: bytes, fen: str | None = None) -> str | None:
    """Return "1-0" or "0-1" for mate in the final position, "1/2-1/2" for stalemate, else None."""

def perft(fen: str, depth: int) -> int:
    """Count the leaves of the tree of legal moves, found by trying every move there could be.

    Only tests call it: they compare known counts.
    """

def scratch_key(moves: bytes, fen: str | None = None) -> int:
    """Return the Polyglot key of the final position, computed from its board alone.

    Only tests call it: the reader updates its key with each move.
    """
