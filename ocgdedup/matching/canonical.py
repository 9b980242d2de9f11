"""Which record of a group is the kept game (SQL: master).

Owns what a truncated record is, and the order in which records are preferred. header_merge.py
merges the headers of the others into the kept game.
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

_RECORDS_OF_END = 3  # so many records with the same end are right

_GO_PASS = 0x3FF  # of Go: docs/file-format.md
_E1, _E8 = 4, 60
_CENTRE = frozenset((27, 28, 35, 36))  # d4, e4, d5, e5


class Length(NamedTuple):
    """How a record's mainline ends: truncated, or with a tail of plies after the game's end."""

    is_cut: bool = False
    has_tail: bool = False


class Member(NamedTuple):
    """A record of a group. `is_cut`, `has_tail`: see Length."""

    header: GameHeader
    is_cut: bool = False
    has_tail: bool = False


def chosen_ids(ids: Iterable[int], choices: Mapping[int, Collection[int]]) -> frozenset[int]:
    """Return the games of a group that the user wants to keep; empty if there are none.

    `choices`: for each chosen game, the games over which the user chose it. A game does not count
    if the user chose another game of the group over it. If no game is left, because the choices go
    round in a circle, all chosen games count.
    """
    winners = frozenset(game_id for game_id in ids if game_id in choices)
    return winners.difference(*(choices[winner] for winner in winners)) or winners


def choose_master(
    members: Sequence[Member],
    *,
    keep: str = BEST_HEADER,
    chosen: Collection[int] = (),
    kind: GameKind = CHESS,
) -> int:
    """Return the ID of the kept game; raise ValueError without members.

    If the user has `chosen` some of the members, it is one of these, truncated or not. `keep` is
    the first criterion:

    - "best-header": the highest header score;
    - "longest": the most moves, without a tail;
    - "annotated": comments and variations, then either of them;
    - "first": the lowest ID, so that a collection read first keeps its records.

    The header score, an end without a tail, the length, annotations and the lowest ID decide ties.
    Whatever `keep` is, a truncated record is kept only if all records are truncated, and then one
    of the longest. Records that are not truncated differ by a few plies at most, and the longer one
    need not be right. So in chess the number of fields that another record has better comes before
    the length.
    """
    if not members:
        raise ValueError("a group without members")
    members = [member for member in members if member.header.game_id in chosen] or members
    left = [member for member in members if not member.is_cut]
    if not left:
        longest = max(member.header.plies for member in members)
        left = [member for member in members if member.header.plies == longest]
    if keep != BEST_HEADER:
        left = _first_by(_ORDERS[keep], left)
    if len(left) > 1:
        left = _first_by(lambda member: (-header_score(member.header), member.has_tail), left)
    if kind is CHESS and len({member.header.plies for member in left}) > 1:
        counts = count_worse_fields([member.header for member in members])
        worse = dict(zip((member.header.game_id for member in members), counts, strict=True))
        left = _first_by(lambda member: (worse[member.header.game_id],), left)
    return preferred_record(member.header for member in left).game_id


def _first_by(order: Callable[[Member], tuple[int, ...]], members: list[Member]) -> list[Member]:
    """Return the members for which the order is the lowest."""
    orders = [order(member) for member in members]
    lowest = min(orders)
    return [member for member, own in zip(members, orders, strict=True) if own == lowest]


def _annotations(member: Member) -> int:
    return bool(member.header.has_comments) + bool(member.header.has_variations)


_ORDERS: dict[str, Callable[[Member], tuple[int, ...]]] = {
    BEST_HEADER: lambda member: (),
    "longest": lambda member: (member.has_tail, -member.header.plies),
    "annotated": lambda member: (-_annotations(member),),
    "first": lambda member: (member.header.game_id,),
}
KEEP_CHOICES = tuple(_ORDERS)


def true_lengths(mainlines: Sequence[bytes]) -> list[Length]:
    """Return for each record how its mainline ends, by comparing the ends.

    `mainlines`: move blobs of one played game. A mainline that is more than NEAR_PLIES shorter than
    another one is truncated. Among ends that are nearer to each other, one is the end of the game

    1. if three records or more end there, and fewer records at any other ply;
    2. else, if kings go to the centre squares in all plies after it. So players tell an electronic
       board the result. These plies are a tail.

    Records that end before are truncated, records that end later have a tail. If neither rule
    applies, near ends count as equally long.
    """
    plies = [len(blob) // 2 for blob in mainlines]
    if len(set(plies)) < 2:
        return [Length()] * len(plies)
    return _lengths(_last_of_game(mainlines, plies), plies)


def go_lengths(mainlines: Sequence[bytes]) -> list[Length]:
    """Return the same for Go games; passes at the end do not count as moves.

    The player who moved last need not be the winner. An end that three records share is right.
    """
    plies = [len(blob) // 2 for blob in mainlines]
    return _lengths([_last_stone(blob) for blob in mainlines], plies)


def _lengths(last: Sequence[int], plies: Sequence[int]) -> list[Length]:
    """Compare the end of each record, with and without its tail, with the possible ends."""
    # Those that may be the game's end; 0 is not one if another record has moves.
    longest = max(last)
    least = max(min(longest, 1), longest - NEAR_PLIES)
    near = [count for count in last if count >= least]
    ends = _agreed_ends(near) or near
    return [
        Length(is_cut=own < min(ends), has_tail=written > own or own > max(ends))
        for own, written in zip(last, plies, strict=True)
    ]


def _last_stone(blob: bytes) -> int:
    """Return the number of moves without the passes at the end."""
    plies = len(blob) // 2
    while plies and (blob[2 * plies - 2] | blob[2 * plies - 1] << 8) & _GO_PASS == _GO_PASS:
        plies -= 1
    return plies


def _agreed_ends(ends: Sequence[int]) -> list[int]:
    """Return the end that three records or more share, unless as many share another end."""
    ranked = Counter(ends).most_common(2)
    if ranked[0][1] < _RECORDS_OF_END:
        return []
    return [] if len(ranked) > 1 and ranked[1][1] == ranked[0][1] else [ranked[0][0]]


def _last_of_game(mainlines: Sequence[bytes], plies: Sequence[int]) -> list[int]:
    """Return the plies of each mainline without moves of kings to the centre after another end."""
    counts = Counter(plies)
    last = []
    for blob, written in zip(mainlines, plies, strict=True):
        own = written
        if counts[written] < _RECORDS_OF_END:
            for end in range(max(written - NEAR_PLIES, 1), written):
                if end in counts and _kings_to_centre(blob, end):
                    own = end
                    break
        last.append(own)
    return last


def _kings_to_centre(blob: bytes, end: int) -> bool:
    """Tell if all plies from `end` on are moves of kings to d4, e4, d5 or e5.

    Kings are followed from e1 and e8. In games with other king squares no such plies are found.
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
