"""Slow reference of signatures: text and hashlib, from docs/file-format.md and RFC 1321."""

import hashlib
import struct

from tests.reference.go_symmetries import SYMMETRIES

A, B = (20, 40, 60), (31, 51, 71)
COLOUR, PASS = 1 << 10, 31 | 31 << 5


def values_of(moves):
    """Return the numbers of a move blob."""
    return struct.unpack(f"<{len(moves) // 2}H", moves)


def lines_of(start):
    return 19 if start is None else int(start[3 : start.index("]")])


def setup_of(start):
    """Return the points of black and of white stones as (column, row)."""
    stones = {"AB": [], "AW": []}
    for part in (start or "]").split("]")[1:-1]:
        name, _, point = part.rpartition("[")
        current = name or current  # noqa: F821
        stones[current].append((ord(point[0]) - 97, ord(point[1]) - 97))
    return stones["AB"], stones["AW"]


def letters(point):
    return "".join(chr(97 + number) for number in point)


def rotated(points, symmetry, lines):
    return [SYMMETRIES[symmetry](*point, lines - 1) for point in points]


def go_texts(moves, lines, symmetry=0):
    """Return two letters for each move on a rotated board; a pass is tt."""
    texts = []
    for value in values_of(moves):
        point = value & 31, value >> 5 & 31
        is_pass = value & PASS == PASS
        texts.append("tt" if is_pass else letters(rotated([point], symmetry, lines)[0]))
    return texts


def chess_texts(moves):
    """Return the squares of each half-move, and the letter of its promotion."""
    squares, promotions = [], []
    for value in values_of(moves):
        both = value & 63, value >> 6 & 63
        named = "".join("abcdefgh"[square & 7] + str(1 + (square >> 3)) for square in both)
        squares.append(named if value else "0000")
        promotions.append("  nbrq"[value >> 12 & 7].strip())
    return squares, promotions


def picked(texts, numbers, absent):
    return "".join(texts[n - 1] if n <= len(texts) else absent for n in numbers)


def md5(text):
    return hashlib.md5((text + "\n").encode("ascii"), usedforsecurity=False).digest()


def go_row(game_id, start, moves):
    """Return the row of Signatures of a Go game."""
    lines = lines_of(start)
    forms, digests = [], []
    for symmetry in range(8):
        setup = "".join(
            letters(point)
            for stones in setup_of(start)
            for point in sorted(rotated(stones, symmetry, lines))
        )
        texts = go_texts(moves, lines, symmetry)
        forms.append((picked(texts, A, "??"), picked(texts, B, "??")))
        digests.append(tuple(md5(setup + "".join(texts[:n])) for n in (None, 50, 100)))
    return (game_id, *forms[0], min(map("".join, forms)), *digests[0], min(d[0] for d in digests))


def chess_row(game_id, epd, moves):
    """Return the row of Signatures of a chess game; `epd` None: the standard start."""
    squares, promotions = chess_texts(moves)
    texts = [a + b for a, b in zip(squares, promotions, strict=True)]
    start = "" if epd is None else f"{epd}\n"
    digests = [md5(start + "".join(texts[:n])) for n in (None, 50, 100)]
    both = picked(squares, A, "????"), picked(squares, B, "????")
    return (game_id, *both, "".join(both), *digests, digests[0])
