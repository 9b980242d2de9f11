"""How alike two move blobs are: kernels/search/blob_compare.pyx.

A move blob is as docs/file-format.md has it, two bytes a ply; the empty one is a game without
moves. Moves are compared as they are stored, not replayed, so blobs of unlike start positions can
be compared too, whatever that says. All but prefix_indel_distance() are symmetric.

The package calls the first two functions. Only tests call the others: they are the measures that
the search for duplicates uses in C.

Every function works without the GIL, and raises ValueError for a blob of odd length, one of more
than 1,048,576 plies, and a limit out of its range.
"""

from typing import TypeAlias

Blob: TypeAlias = bytes | bytearray | memoryview  # contiguous, of bytes; aligned or not

def common_plies(left: Blob, right: Blob) -> int:
    """Return how many leading plies two games share."""

def common_tail(left: Blob, right: Blob) -> int:
    """Return how many trailing plies two games share; in equal games, all of them."""

def indel_distance(left: Blob, right: Blob, *, most: int = 64) -> int:
    """Return the least insertions plus deletions that turn one game into the other.

    If it is more than `most` (0 to 64), most + 1 is returned. A move that is missing counts 1,
    one that was replaced 2, two moves of a player that changed places 4. The time goes by the
    plies times the distance (Myers 1986).
    """

def prefix_indel_distance(left: Blob, right: Blob, *, most: int = 64) -> tuple[int, int]:
    """Return the least indel distance of all of `left` to any prefix of `right`, and its plies.

    It is (0, plies of left) if `left` is a prefix of `right`. Of prefixes at the same distance
    the longest counts, but a shorter one at a smaller distance comes before: a wrong last ply of
    `left` is one deletion, not a replacement. (most + 1, 0) if it is more than `most` (0 to 64).
    """

def jaro_winkler(left: Blob, right: Blob) -> float:
    """Return the Jaro-Winkler similarity (Winkler 1990) with moves for letters, 0.0 to 1.0.

    As in rapidfuzz: the prefix of up to four plies counts 0.1 each, if Jaro's similarity is above
    0.7; two empty games are alike. If more than 2,048 plies of both are left behind the opening
    that they share, the time goes by the square of the plies.
    """

def monge_elkan(left: Blob, right: Blob) -> float:
    """Return the Monge-Elkan similarity (1996) with moves for words, 0.0 to 1.0.

    For each ply i of one game the best likeness to a ply of the other is taken, among those from
    i - 4 to i + 4 that the other has: equal moves 1, moves with an equal origin square or an equal
    target square (bits 0 to 5, 6 to 11) 0.5, others 0, as if there are none. The value is the mean
    over the plies of `left` and that over the plies of `right`, added and halved. 1.0 for two
    empty games, 0.0 if one is empty.
    """
