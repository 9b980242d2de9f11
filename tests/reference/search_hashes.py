"""The hashes of the search for duplicates; they determine the order of games."""

from __future__ import annotations

from ocgdedup.thresholds import DOUBTFUL_ROUND, NAMED_ROUND
from tests.reference.header_text import Date, Round, date_number

_MASK = (1 << 64) - 1
_RESULTS = ("", "white", "black", "draw")


def mixed(x: int) -> int:
    """Mix 64 bits by the finalizer of SplitMix64."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK
    return x ^ x >> 31


def joined(key: int, value: int) -> int:
    return mixed((key * 0x9E3779B97F4A7C15 + value + 1) & _MASK)


def joined_all(*values: int) -> int:
    """Combine the first value with all others."""
    key, *rest = values
    for value in rest:
        key = joined(key, value)
    return key


def hash_bytes(raw: bytes) -> int:
    words = [int.from_bytes(raw[at : at + 8], "little") for at in range(0, len(raw), 8)]
    return joined_all(len(raw), *words)


def event_key(letters: bytes) -> int:
    return joined_all(0, *letters)


def round_number(result: Round, *, is_doubtful: bool) -> int:
    """Return a round in the kernel's format."""
    if isinstance(result, str):
        return NAMED_ROUND | hash_bytes(result.encode()) & DOUBTFUL_ROUND - 1
    return (result[0] << 15 | result[1] if result else 0) | DOUBTFUL_ROUND * is_doubtful


def content_hash(
    date: Date,
    round_: int,
    result: str,
    elos: tuple[int, int],
    fide_ids: tuple[int, int],
    names: tuple[int, int],
    texts: tuple[bytes, bytes],
    moves: bytes,
) -> int:
    """Return the hash that sorts games with equal moves.

    `names`: hashes of the names. `elos`, `fide_ids`: without those that were filled in.
    """
    key = joined_all(
        date_number(date),
        round_,
        _RESULTS.index(result),
        elos[0] << 16 | elos[1],
        fide_ids[0] << 32 | fide_ids[1],
        *names,
        *(event_key(text) for text in texts),
    )
    return joined(key, hash_bytes(moves))


def hash_run(moves: bytes) -> int:
    """Return the hash of eight moves."""
    first, second = (int.from_bytes(moves[at : at + 8], "little") for at in (0, 8))
    key = (first * 0x9E3779B97F4A7C15 ^ second * 0xC2B2AE3D27D4EB4F) & _MASK
    key = (key ^ key >> 29) * 0xBF58476D1CE4E5B9 & _MASK
    return key ^ key >> 32


def opening_lanes(moves: bytes) -> list[int]:
    """Return 16 bits for each four of the first sixteen moves."""
    pieces = [moves[at : at + 8] for at in range(0, 32, 8)]
    return [mixed(int.from_bytes(piece, "little")) & 0xFFFF for piece in pieces]
