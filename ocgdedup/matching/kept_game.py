"""Which record of a duplicate group is the kept game (SQL: master).

Owns which records count as truncated, and the criteria for the kept game. header_merge.py merges
the headers of the other records into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ocgdedup._kernels.search import preferred_record
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.matching.header_merge import count_worse_fields
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import BEST_HEADER, GameHeader
from ocgdedup.thresholds import NEAR_PLIES

_RECORDS_OF_END = 3  # records with the same end that prove it

_GO_PASS = 0x3FF  # an encoded pass: docs/file-format.md
_E1, _E8 = 4, 60
_CENTRE = frozenset((27, 28, 35, 36))  # d4, e4, d5, e5


class Length(NamedTuple):
    """How a record's mainline ends: truncated, or with a tail of plies after the game's end."""

    is_truncated: bool = False
    has_tail: bool = False


class Member(NamedTuple):
    """A record of a group. `is_truncated`, `has_tail`: see Length."""

    header: GameHeader
    is_truncated: bool = False
    has_tail: bool = False


def chosen_ids(ids: Iterable[int], choices: Mapping[int, Collection[int]]) -> frozenset[int]:
    """Return the games of a group that the user wants to keep; empty if there are none.

    `choices`: for each chosen game, the games that the user rejected for it. A chosen game that was
    also rejected does not count, unless all were, because the choices go round in a circle.
    """
    chosen = frozenset(game_id for game_id in ids if game_id in choices)
    return chosen.difference(*(choices[game_id] for game_id in chosen)) or chosen


def choose_kept_game(
    members: Sequence[Member],
    *,
    criterion: str = BEST_HEADER,
    chosen: Collection[int] = (),
    kind: GameKind = CHESS,
) -> int:
    """Return the ID of the kept game; raise ValueError without members.

    If the user has `chosen` some members, one of these is kept, truncated or not. `criterion` is
    the first criterion:

    - "best-header": the highest header score;
    - "longest": the most moves, without a tail;
    - "annotated": comments and variations, then either of them;
    - "first": the lowest ID, so that a collection read first keeps its records.

    The header score, an end without a tail, the length, annotations and the lowest ID decide ties.
    A truncated record is kept only if all records are truncated, and then one of the longest.
    Records that are not truncated differ by a few plies at most, and the longer one need not be
    right. So in chess, the number of fields in which another record is better comes before the
    length.
    """
    if not members:
        raise ValueError("a group without members")
    members = [member for member in members if member.header.game_id in chosen] or members
    candidates = [member for member in members if not member.is_truncated]
    if not candidates:
        candidates = _lowest_by(lambda member: (-member.header.plies,), members)
    if criterion != BEST_HEADER:
        candidates = _lowest_by(_KEYS[criterion], candidates)
    if len(candidates) > 1:
        candidates = _lowest_by(
            lambda member: (-header_score(member.header), member.has_tail), candidates
        )
    if kind is CHESS and len({member.header.plies for member in candidates}) > 1:
        counts = count_worse_fields([member.header for member in members])
        worse = dict(zip((member.header.game_id for member in members), counts, strict=True))
        candidates = _lowest_by(lambda member: (worse[member.header.game_id],), candidates)
    return preferred_record(member.header for member in candidates).game_id


def _lowest_by(
    key_of: Callable[[Member], tuple[int, ...]], members: Sequence[Member]
) -> list[Member]:
    """Return the members with the lowest key."""
    keys = list(map(key_of, members))
    lowest = min(keys)
    return [member for member, key in zip(members, keys, strict=True) if key == lowest]


_KEYS: dict[str, Callable[[Member], tuple[int, ...]]] = {
    BEST_HEADER: lambda member: (),
    "longest": lambda member: (member.has_tail, -member.header.plies),
    "annotated": lambda member: (
        -bool(member.header.has_comments) - bool(member.header.has_variations),
    ),
    "first": lambda member: (member.header.game_id,),
}
KEPT_GAME_CRITERIA = tuple(_KEYS)


def true_lengths(mainlines: Sequence[bytes]) -> list[Length]:
    """Return for each record of a chess game whether it is truncated or has a tail.

    `mainlines`: move blobs of one played game. A mainline that is more than NEAR_PLIES shorter than
    another one is truncated. Among ends that are nearer to each other, one is the end of the game

    1. if three records or more end there, and fewer records at any other ply;
    2. else, if kings go to the centre squares in all plies after it: players signal the result to
       an electronic board in this way. These plies are a tail.

    Records that end earlier are truncated, records that end later have a tail. If neither rule
    applies, near ends count as equally long.
    """
    plies = [len(blob) // 2 for blob in mainlines]
    if len(set(plies)) < 2:
        return [Length()] * len(plies)
    counts = Counter(plies)
    return _lengths([_plies_without_tail(blob, counts) for blob in mainlines], plies)


def go_lengths(mainlines: Sequence[bytes]) -> list[Length]:
    """Return the same for records of a Go game; passes at the end do not count as moves."""
    plies = [len(blob) // 2 for blob in mainlines]
    return _lengths([_moves_before_passes(blob) for blob in mainlines], plies)


def _lengths(game_plies: Sequence[int], plies: Sequence[int]) -> list[Length]:
    """Compare each record's plies, without its tail, with the possible ends of the game."""
    # 0 is not a possible end if another record has moves.
    longest = max(game_plies)
    least = max(min(longest, 1), longest - NEAR_PLIES)
    near = [count for count in game_plies if count >= least]
    ends = _agreed_ends(near) or near
    return [
        Length(count < min(ends), has_tail=count < with_tail or count > max(ends))
        for count, with_tail in zip(game_plies, plies, strict=True)
    ]


def _moves_before_passes(blob: bytes) -> int:
    plies = len(blob) // 2
    while plies and (blob[2 * plies - 2] | blob[2 * plies - 1] << 8) & _GO_PASS == _GO_PASS:
        plies -= 1
    return plies


def _agreed_ends(ends: Sequence[int]) -> list[int]:
    """Return the end that three records or more share, unless as many share another end."""
    ranked = Counter(ends).most_common(2)
    is_tied = len(ranked) > 1 and ranked[1][1] == ranked[0][1]
    return [] if ranked[0][1] < _RECORDS_OF_END or is_tied else [ranked[0][0]]


def _plies_without_tail(blob: bytes, counts: Mapping[int, int]) -> int:
    """Return the plies before the kings go to the centre; `counts`: records by length."""
    plies = len(blob) // 2
    if counts[plies] >= _RECORDS_OF_END:
        return plies
    ends = (end for end in range(max(plies - NEAR_PLIES, 1), plies) if end in counts)
    return next((end for end in ends if _kings_go_to_centre(blob, end)), plies)


def _kings_go_to_centre(blob: bytes, end: int) -> bool:
    """Return whether all plies from `end` on are king moves to d4, e4, d5 or e5.

    Kings are followed from e1 and e8; other start squares are not recognised.
    """
    moves = [low | high << 8 for low, high in zip(blob[::2], blob[1::2], strict=True)]
    if any(move >> 6 & 63 not in _CENTRE for move in moves[end:]):
        return False
    kings = {_E1, _E8}
    for ply, move in enumerate(moves):
        origin = move & 63
        if origin in kings:
            kings.remove(origin)
            kings.add(move >> 6 & 63)
        elif ply >= end:
            return False
    return True
