#!/usr/bin/env python3
"""Compare the SGF reader with sgfmill on real records: mainline, board at the end.

    scripts/compare_with_sgfmill.py FILE-OR-FOLDER...

Prints what differs, and a count; exits 1 if anything does. sgfmill takes the first game of a file,
and refuses some broken ones that this reader keeps up to the fault.
"""

from __future__ import annotations

import installed  # noqa: F401

# isort: split
import sys
from collections.abc import Iterator
from pathlib import Path

from sgfmill import sgf, sgf_moves
from sgfmill.boards import Board

from ocgdedup._kernels import go as go_kernel
from ocgdedup.sgf.charsets import charset_of
from ocgdedup.sgf.rows import SgfRecord

_SIGNS = {None: ".", "b": "X", "w": "O"}


def main() -> int:
    """Compare all files; return the exit status."""
    compared = differing = refused = 0
    for path in _files(sys.argv[1:]):
        raw = path.read_bytes()
        try:
            game = sgf.Sgf_game.from_bytes(raw)
        except ValueError as error:
            refused += 1
            print(f"{path}: sgfmill refuses it: {error}")
            continue
        compared += 1
        if difference := _difference(game, _first_game(raw)):
            differing += 1
            print(f"{path}: {difference}")
    print(f"{compared} games compared, {differing} differ, {refused} refused by sgfmill")
    return 1 if differing else 0


def _files(arguments: list[str]) -> Iterator[Path]:
    for argument in map(Path, arguments):
        yield from sorted(argument.rglob("*.sgf")) if argument.is_dir() else [argument]


def _first_game(raw: bytes) -> SgfRecord | None:
    block = go_kernel.SgfBlock(raw)
    block.parse(True)
    records = [SgfRecord(*fields) for fields in block.records(charset_of)]
    return next((record for record in records if not record.rejection), None)


def _difference(game: sgf.Sgf_game, record: SgfRecord | None) -> str:
    """Say what is different, "" if nothing is."""
    if record is None:
        return "has no game for this reader"
    moves = go_kernel.move_texts(record.moves)
    if moves != list(_mainline(game)):
        return f"mainline of {len(moves)} moves is another"
    board = _board(game)
    if board is not None and board != go_kernel.board_after(record.moves, record.start):
        return "board at the end is another"
    return ""


def _mainline(game: sgf.Sgf_game) -> Iterator[str]:
    size = game.get_size()
    for node in game.get_main_sequence():
        for name in node.properties():
            if name not in ("B", "W"):
                continue
            try:
                point = node.get(name)
            except ValueError:
                return
            row_and_column = "" if point is None else _letters(point, size)
            yield name + row_and_column


def _letters(point: tuple[int, int], size: int) -> str:
    row, column = point
    return chr(97 + column) + chr(97 + size - 1 - row)


def _board(game: sgf.Sgf_game) -> list[str] | None:
    """Return the last position; None where sgfmill plays on no stone or off the board."""
    try:
        board, plays = sgf_moves.get_setup_and_moves(game)
        for colour, point in plays:
            if point is not None:
                board.play(*point, colour)
    except ValueError:
        return None
    return _drawn(board)


def _drawn(board: Board) -> list[str]:
    return [
        "".join(_SIGNS[board.get(row, column)] for column in range(board.side))
        for row in reversed(range(board.side))
    ]


if __name__ == "__main__":
    sys.exit(main())
