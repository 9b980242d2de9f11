"""White and Black in the records of one game: which records name other people than the kept game.

Owns from which records no field of a player may be merged. The caller passes the rules for names:
those of name_choice.py, or for Go those of go_choice.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ocgdedup.matching import go_tags
from ocgdedup.matching.header_score import is_named
from ocgdedup.matching.name_choice import AreStrangers, Vote, strangers_to_first
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.model import GameHeader

# By side, "White" and "Black": IDs of records that name another person there than the kept game.
Strangers = Mapping[str, Collection[int]]


class NameRules(NamedTuple):
    """How names are compared: if they are of different people, and if they may be of one."""

    are_strangers: AreStrangers
    may_be_one: Callable[[str, str], bool]


class Side(NamedTuple):
    """Indexes of one player's fields in GameHeader."""

    tag: str
    name: int
    person: int
    fide_id: int

    def votes(self, records: Iterable[GameHeader]) -> tuple[Vote, ...]:
        """Return the player's name and FIDE ID in each record."""
        return tuple([(record[self.name], record[self.fide_id]) for record in records])  # type: ignore[misc]  # by index


WHITE, BLACK = SIDES = tuple(
    Side(tag, *map(GameHeader._fields.index, (name, f"{name}_person_id", f"{name}_fide_id")))
    for tag, name in (("White", "white"), ("Black", "black"))
)


def side_of(tag: str) -> str:
    """Return the side of a tag, "White" or "Black"; "" for a tag of the game."""
    own = next((side.tag for side in SIDES if tag.startswith(side.tag)), "")
    return own or go_tags.RANK_SIDES.get(tag, "")


def strangers_of(records: Sequence[GameHeader], rules: NameRules) -> Strangers:
    """Return the records with other players than the first one, unless they outvote it."""
    strangers: dict[str, Collection[int]] = {}
    for side in SIDES:
        own = records[0][side.name]
        strangers[side.tag] = ()
        if [None for record in records if record[side.name] != own]:
            places = strangers_to_first(side.votes(records), rules.are_strangers)
            strangers[side.tag] = {records[place].game_id for place in places}
    return strangers


def outvoted_sides(
    master: GameHeader, givers: Mapping[str, GameHeader], rules: NameRules
) -> Sequence[Side]:
    """Return the sides on which the kept game gets the name of another person.

    `givers`: the records whose values it gets, by field.
    """
    changed = [side for side in SIDES if side.tag in givers]
    return [
        side for side in changed if rules.are_strangers(*side.votes([givers[side.tag], master]))
    ]


def strangers_to_chosen(
    records: Sequence[GameHeader],
    givers: Mapping[str, GameHeader],
    rules: NameRules,
    sides: Iterable[Side],
) -> Strangers:
    """Return the records that name, on some sides, other people than the merged header."""
    strangers: dict[str, Collection[int]] = {}
    for side in sides:
        own, *votes = side.votes([givers.get(side.tag, records[0]), *records])
        strangers[side.tag] = {
            record.game_id
            for record, vote in zip(records, votes, strict=True)
            if rules.are_strangers(own, vote)
        }
    return strangers


def joined(left: Strangers, right: Strangers) -> Strangers:
    """Return the union of two sets of strangers."""
    return {side.tag: {*left.get(side.tag, ()), *right.get(side.tag, ())} for side in SIDES}


def own_opponents(
    records: Sequence[GameHeader], givers: Mapping[str, GameHeader], rules: NameRules
) -> Strangers:
    """Return the records that would make a player his own opponent, by the side that changes.

    They name the opponent on that side. Return none if both names of the kept game may be of one
    player.
    """
    if givers.keys().isdisjoint(side.tag for side in SIDES):
        return {}
    master = records[0]
    white = givers.get("White", master).white
    black = givers.get("Black", master).black
    if not _may_be_one(white, black, rules) or _may_be_one(master.white, master.black, rules):
        return {}
    strangers: dict[str, Collection[int]] = {}
    for side, opponent in zip(SIDES, (black, white), strict=True):
        if side.tag in givers:
            strangers[side.tag] = {
                r.game_id for r in records[1:] if _may_be_one(r[side.name], opponent, rules)
            }
    return strangers


def _may_be_one(name: object, other: object, rules: NameRules) -> bool:
    if not isinstance(name, str) or not isinstance(other, str):
        return False
    return rules.may_be_one(name, other) and is_named(name) and is_named(other)


# Exchange the players of a record, so that its fields can be compared with the kept game's.
#
# Owns which fields and tags belong to a player. The search finds exchanged colours when it compares
# moves; for records that it did not compare, with_colours_of() decides by the surnames.

_NAME_CHARS = 3  # within a group, names with the same beginning are of the same player
_COLOUR_MEMBER = rf'(?<=[{{,]")(White|Black)(?=\w*":)|{go_tags.SHORT_COLOUR_MEMBER}'


def with_colours_of(master: GameHeader, record: GameHeader) -> GameHeader:
    """Return a record, with its players exchanged if the surnames are the other way round."""
    if not (record.white and master.white and record.black and master.black):
        return record
    if record.white[:_NAME_CHARS] == master.white[:_NAME_CHARS] or record.black == master.black:
        return record  # nearly all records; saves parsing the names
    own, other = _surnames(record), _surnames(master)
    if not (own[0] & other[1] and own[1] & other[0]) or own[0] & other[0] or own[1] & other[1]:
        return record
    return exchanged(record)


def exchanged(record: GameHeader) -> GameHeader:
    """Return a record with its players exchanged.

    The result is not exchanged: it belongs to the moves, which are equal.
    """
    tags = record.extra_tags
    if tags:
        tags = re.sub(_COLOUR_MEMBER, lambda colour: go_tags.OTHER_COLOUR[colour[0]], tags)
    return record._replace(
        white=record.black,
        black=record.white,
        white_elo=record.black_elo,
        black_elo=record.white_elo,
        white_person_id=record.black_person_id,
        black_person_id=record.white_person_id,
        white_fide_id=record.black_fide_id,
        black_fide_id=record.white_fide_id,
        core_hash=None,
        extra_tags=tags,
    )


def _surnames(header: GameHeader) -> tuple[set[str], set[str]]:
    white, black = (name_form(name or "") for name in (header.white, header.black))
    return set(white.surname), set(black.surname)
