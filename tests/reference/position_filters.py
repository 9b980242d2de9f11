"""Filters of positions from python-chess and from boards row by row: slow reference."""

from __future__ import annotations

import chess
import chess.polyglot

from ocgdedup._kernels import go as go_kernel

HASHES = 5
_MASK = 2**64 - 1


def mixed(number: int) -> int:
    """SplitMix64's finalizer of a multiple of the golden ratio."""
    x = number * 0x9E3779B97F4A7C15 & _MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK
    return x ^ x >> 31


def pieces_key(board: chess.Board) -> int:
    """Return the Polyglot key of the pieces alone: Black to move, no castling rights."""
    bare = chess.Board(None)
    bare.set_piece_map(board.piece_map())
    bare.turn = chess.BLACK
    return chess.polyglot.zobrist_hash(bare)


def stones_key(rows: list[str]) -> int:
    lines = len(rows)
    key = 0 if lines == 19 else mixed(4096 + lines)
    for row, text in enumerate(rows):
        for column, sign in enumerate(text):
            if sign != ".":
                near = sorted((min(column, lines - 1 - column), min(row, lines - 1 - row)))
                key += mixed(2 * (32 * near[0] + near[1]) + (1 if sign == "X" else 2))
    return key & _MASK


def places(key: int, size_bytes: int) -> set[int]:
    """Return the bits of a key in a filter."""
    number = mixed(key)
    first, step = number & 0xFFFFFFFF, number >> 32 | 1
    return {(first + i * step & 0xFFFFFFFF) * 8 * size_bytes >> 32 for i in range(HASHES)}


def filter_of(keys: list[int]) -> bytes:
    """Return the filter of a game with these positions."""
    bits = bytearray(len(keys))
    for key in keys:
        for at in places(key, len(keys)):
            bits[at >> 3] |= 1 << (at & 7)
    return bytes(bits)


def chess_keys(start: str | None, moves: list[chess.Move], *, chess960: bool = False) -> list[int]:
    board = chess.Board(start or chess.STARTING_FEN, chess960=chess960)
    keys = [pieces_key(board)]
    for move in moves:
        board.push(move)
        keys.append(pieces_key(board))
    return keys


def go_keys(start: str | None, blob: bytes) -> list[int]:
    return [
        stones_key(go_kernel.board_after(blob, start, plies)) for plies in range(len(blob) // 2 + 1)
    ]
