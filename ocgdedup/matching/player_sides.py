"""White and Black in the records of one game: who is somebody else there than in the master.

Owns from which records nothing that belongs to a player may be taken. How names are compared the
caller says: by name_choice.py, of Go by go_choice.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ocgdedup.matching import field_choice, go_tags
from ocgdedup.matching.header_score import is_named
from ocgdedup.matching.name_choice import AreStrangers, Vote, strangers_to_first
from ocgdedup.model import GameHeader

# By side, "White" and "Black": IDs of records that have another person there than the master.
Strangers = Mapping[str, Collection[int]]


class NameRules(NamedTuple):
    """How names are compared: whether they are of different people, and may be of one."""

    are_strangers: AreStrangers
    may_be_one: Callable[[str, str], bool]


class Side(NamedTuple):
    """Places in GameHeader of what belongs to one player. `votes` returns who he is to each."""

    tag: str
    name: int
    person: int
    fide_id: int
    votes: Callable[[Iterable[GameHeader]], Sequence[Vote]]


def _side(tag: str, votes: Callable[[Iterable[GameHeader]], Sequence[Vote]]) -> Side:
    name = tag.lower()
    place = GameHeader._fields.index
    return Side(tag, place(name), place(f"{name}_person_id"), place(f"{name}_fide_id"), votes)


SIDES = (_side("White", field_choice.white_votes), _side("Black", field_choice.black_votes))


def side_of(tag: str) -> str:
    """Return whose tag it is, "White" or "Black"; "" for one of the game."""
    own = next((side.tag for side in SIDES if tag.startswith(side.tag)), "")
    return own or go_tags.rank_side(tag) or ""


def strangers_of(records: Sequence[GameHeader], rules: NameRules) -> Strangers:
    """Return whose players are other people than the first record's, and do not outvote him."""
    found: dict[str, Collection[int]] = {}
    for side in SIDES:
        own = records[0][side.name]
        found[side.tag] = ()
        if [None for record in records if record[side.name] != own]:
            places = strangers_to_first(side.votes(records), rules.are_strangers)
            found[side.tag] = {records[place].game_id for place in places}
    return found


def outvoted_sides(
    master: GameHeader, givers: Mapping[str, GameHeader], rules: NameRules
) -> Sequence[Side]:
    """Return on which sides the master gets another person's name.

    `givers`: the records whose values he gets, by field.
    """
    found = [side for side in SIDES if side.tag in givers]
    return [side for side in found if rules.are_strangers(*side.votes([givers[side.tag], master]))]


def strangers_to_chosen(
    records: Sequence[GameHeader],
    givers: Mapping[str, GameHeader],
    rules: NameRules,
    sides: Iterable[Side],
) -> Strangers:
    """Return whose players are, on some sides, other people than those that the master has now."""
    found: dict[str, Collection[int]] = {}
    for side in sides:
        own, *votes = side.votes([givers.get(side.tag, records[0]), *records])
        found[side.tag] = {
            record.game_id
            for record, vote in zip(records, votes, strict=True)
            if rules.are_strangers(own, vote)
        }
    return found


def joined(left: Strangers, right: Strangers) -> Strangers:
    """Return who is a stranger by either."""
    return {side.tag: {*left.get(side.tag, ()), *right.get(side.tag, ())} for side in SIDES}


def own_opponents(
    records: Sequence[GameHeader], givers: Mapping[str, GameHeader], rules: NameRules
) -> Strangers:
    """Return which records would make a player his own opponent: they have him on the other side.

    By the side that changes; nobody if the master's own names may be one player's.
    """
    if givers.keys().isdisjoint(side.tag for side in SIDES):
        return {}
    master = records[0]
    white = givers.get("White", master).white
    black = givers.get("Black", master).black
    if not _may_be_one(white, black, rules) or _may_be_one(master.white, master.black, rules):
        return {}
    found: dict[str, Collection[int]] = {}
    for side, opponent in zip(SIDES, (black, white), strict=True):
        if side.tag in givers:
            found[side.tag] = {
                r.game_id for r in records[1:] if _may_be_one(r[side.name], opponent, rules)
            }
    return found


def _may_be_one(name: object, other: object, rules: NameRules) -> bool:
    if not isinstance(name, str) or not isinstance(other, str):
        return False
    return rules.may_be_one(name, other) and is_named(name) and is_named(other)
