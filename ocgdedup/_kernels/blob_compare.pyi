"""Similarity of two move blobs: kernels/search/blob_compare.pyx.

A move blob is defined in docs/file-format.md: two bytes per ply; an empty blob is a game without
moves. Moves are compared as stored, not replayed, so blobs with different start positions can be
compared too, though this may mean little. All functions except prefix_indel_distance() are
symmetric.

The package calls the first two functions. Only tests call the others, which are the measures that
the search for duplicates uses in C.

Every function works without the GIL. It raises ValueError for a blob of odd length, for a blob of
more than 1,048,576 plies, and for a limit out of range.
"""

from typing import TypeAlias

Blob: TypeAlias = bytes | bytearray | memoryview  # contiguous, of bytes; aligned or not

def common_plies(left: Blob, right: Blob) -> int:
    """Return the number of leading plies that two games share."""

def common_tail(left: Blob, right: Blob) -> int:
    """Return the number of trailing plies that two games share; for equal games, all plies."""

def indel_distance(left: Blob, right: Blob, *, most: int = 64) -> int:
    """Return the least number of insertions plus deletions that turn one game into the other.

    If it exceeds `most` (0 to 64), most + 1 is returned. A missing move counts 1, a replaced move
    2, two exchanged moves of a player 4. The time is plies times distance (Myers 1986).
    """

def prefix_indel_distance(left: Blob, right: Blob, *, most: int = 64) -> tuple[int, int]:
    """Return the least indel distance of `left` to any prefix of `right`, and the prefix's plies.

    The result is (0, plies of left) if `left` is a prefix of `right`. Of prefixes at the same
    distance the longest counts, but a smaller distance comes first: a wrong last ply of `left` is
    one deletion, not a replacement. The result is (most + 1, 0) if the distance exceeds `most` (0
    to 64).
    """

def jaro_winkler(left: Blob, right: Blob) -> float:
    """Return the Jaro-Winkler similarity (Winkler 1990), with moves for letters, 0.0 to 1.0.

    As in rapidfuzz, each of the first four common plies adds 0.1 if the Jaro similarity is above
    0.7, and two empty games are equal. If more than 2,048 plies of both games remain after the
    common opening, the time is quadratic.
    """

def monge_elkan(left: Blob, right: Blob) -> float:
    """Return the Monge-Elkan similarity (1996) of two games (moves for words), 0.0 to 1.0.

    For each ply i of one game, take the best likeness to plies i - 4 to i + 4 of the other game:
    equal moves 1, moves with an equal origin or target square (bits 0 to 5, 6 to 11) 0.5, others 0.
    The result is the mean over the plies of `left` and the mean over those of `right`, averaged. It
    is 1.0 for two empty games, 0.0 if one is empty.
    """
