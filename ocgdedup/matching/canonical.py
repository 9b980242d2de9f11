"""Which record of a played game is its master: the one that stays.

Owns what a cut-off score is, and the order of masters. What the master's header gets from the
others is header_merge.py's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ocgdedup.matching.header_merge import count_worse_fields
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import BEST_HEADER, GameHeader

# Ends so near each other (in plies) do not say by themselves which one is the game's: a record
# may have lost the last plies, or have got some when the pieces were put back.
NEAR_PLIES = 4

_AGREEING_RECORDS = 3  # so many that end alike are right about the end

_PASS = 0x3FF  # of Go: docs/file-format.md
_E1, _E8 = 4, 60
_CENTRE = frozenset((27, 28, 35, 36))  # d4, e4, d5, e5


class Length(NamedTuple):
    """How a record's mainline ends: before the game does, or with plies that are none of it."""

    is_cut: bool = False
    has_tail: bool = False


class Member(NamedTuple):
    """A record of a group. `is_cut`, `has_tail`: see Length."""

    header: GameHeader
    is_cut: bool = False
    has_tail: bool = False


def chosen_ids(ids: Iterable[int], choices: Mapping[int, Collection[int]]) -> frozenset[int]:
    """Return which games of a group a user wants to stay; empty if he chose none of them.

    `choices` has for each game that he chose those over which he did. A game over which he chose
    another of the group is out; if that takes out all, because his choices go round in a circle,
    they all count alike.
    """
    winners = frozenset(game_id for game_id in ids if game_id in choices)
    return winners.difference(*(choices[winner] for winner in winners)) or winners


def choose_master(
    members: Sequence[Member],
    *,
    keep: str = BEST_HEADER,
    chosen: Collection[int] = (),
    is_go: bool = False,
) -> int:
    """Return the ID of the record that stays; raise ValueError without members.

    Where some of the members are `chosen` by the user, it is one of these, cut off or not. `keep`
    says what comes first:

    - "best-header": the highest header score;
    - "longest": the longest score, plies that are none of the game not counted;
    - "annotated": comments and variations, then either of them;
    - "first": the lowest ID, so that a collection read first keeps its records.

    Then come the header score, an end without a tail, the longer score, annotations, the lowest
    ID. Whatever `keep` is, a cut-off record is master only if all are, and then a longest one.
    What is not cut off differs by a few plies at most, and the longer score need not be the right
    one: before the length, the record comes that has fewer fields worse than another's (not of Go,
    where no record is asked what is better).
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
    if not is_go and len({member.header.plies for member in left}) > 1:
        counts = count_worse_fields([member.header for member in members])
        worse = dict(zip((member.header.game_id for member in members), counts, strict=True))
        left = _first_by(lambda member: (worse[member.header.game_id],), left)
    return min(left, key=_last_order).header.game_id


def best_of_equal(headers: Sequence[GameHeader], scores: Sequence[int]) -> int:
    """Return the place of the master among records of the same moves, by the header scores.

    The same as choose_master(keep=BEST_HEADER), for what most groups are.
    """
    best = max(scores)
    if scores.count(best) == 1:
        return scores.index(best)
    tied = [place for place, score in enumerate(scores) if score == best]
    return min(tied, key=lambda place: _last_order(Member(headers[place])))


def _first_by(order: Callable[[Member], tuple[int, ...]], members: list[Member]) -> list[Member]:
    """Return the members for which the order is the lowest."""
    orders = [order(member) for member in members]
    lowest = min(orders)
    return [member for member, own in zip(members, orders, strict=True) if own == lowest]


def _last_order(member: Member) -> tuple[int, int, int]:
    return -member.header.plies, -_annotations(member), member.header.game_id


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

    `mainlines` are move blobs of one played game. A mainline that is more than NEAR_PLIES shorter
    than another is cut off. Of ends that are nearer to each other one counts as the game's

    1. if three records or more end there, and not as many elsewhere;
    2. else, if the plies after it are kings that go to the centre squares, by which players tell
       an electronic board the result: these are a tail.

    Those before such an end are cut off, those behind it have a tail. Where nothing tells, ends
    that are near count as equally long.
    """
    plies = [len(blob) // 2 for blob in mainlines]
    if len(set(plies)) < 2:
        return [Length()] * len(plies)
    last = _last_of_game(mainlines, plies)
    near = _near_ends(last)
    return _lengths(last, plies, _agreed_ends(near) or near)


def go_lengths(mainlines: Sequence[bytes]) -> list[Length]:
    """Return the same of Go games; passes at the end are no moves of the game.

    Who moves last says nothing there of who has won. Where three records agree, they are right.
    """
    plies = [len(blob) // 2 for blob in mainlines]
    last = [_last_stone(blob) for blob in mainlines]
    near = _near_ends(last)
    return _lengths(last, plies, _agreed_ends(near) or near)


def _near_ends(last: Sequence[int]) -> list[int]:
    """Return the ends that may be the game's; no moves are no end where others have some."""
    longest = max(last)
    least = min(longest, 1)
    return [count for count in last if count >= max(least, longest - NEAR_PLIES)]


def _lengths(last: Sequence[int], plies: Sequence[int], ends: Sequence[int]) -> list[Length]:
    """Compare where each game ends, as it is written too, with the ends that count."""
    return [
        Length(
            is_cut=own < min(ends),
            has_tail=written > own or own > max(ends),
        )
        for own, written in zip(last, plies, strict=True)
    ]


def _last_stone(blob: bytes) -> int:
    """Return how many moves there are up to the last that is no pass."""
    plies = len(blob) // 2
    while plies and _move_at(blob, plies - 1) & _PASS == _PASS:
        plies -= 1
    return plies


def _move_at(blob: bytes, ply: int) -> int:
    return int.from_bytes(blob[2 * ply : 2 * ply + 2], "little")


def _agreed_ends(ends: Sequence[int]) -> list[int]:
    """Return the end that three records or more share, unless as many share another."""
    ranked = Counter(ends).most_common(2)
    if ranked[0][1] < _AGREEING_RECORDS:
        return []
    return [] if len(ranked) > 1 and ranked[1][1] == ranked[0][1] else [ranked[0][0]]


def _last_of_game(mainlines: Sequence[bytes], plies: Sequence[int]) -> list[int]:
    """Return the plies of each mainline without kings put into the centre after another's end."""
    counts = Counter(plies)
    last = []
    for blob, written in zip(mainlines, plies, strict=True):
        own = written
        if counts[written] < _AGREEING_RECORDS:
            for end in range(max(written - NEAR_PLIES, 1), written):
                if end in counts and _kings_to_centre(blob, end):
                    own = end
                    break
        last.append(own)
    return last


def _kings_to_centre(blob: bytes, end: int) -> bool:
    """Tell if all plies from `end` on are kings that go to d4, e4, d5 or e5.

    Kings are followed from e1 and e8; games that start otherwise have no such plies.
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
