"""White and Black in the records of one game: other people than in the kept game, other colours.

Owns from which records no field of a player may be merged. The caller passes the rules for names,
of name_choice.py or go_choice.py.
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
    """Functions that compare names: whether they are, and may not be, of different people."""

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
    colour = next((side.tag for side in SIDES if tag.startswith(side.tag)), "")
    return colour or go_tags.RANK_SIDES.get(tag, "")


def strangers_of(records: Sequence[GameHeader], rules: NameRules) -> Strangers:
    """Return the records with other players than the first one, unless they outvote it."""
    strangers: dict[str, Collection[int]] = {}
    for side in SIDES:
        votes = side.votes(records)
        has_other_names = any(name != votes[0][0] for name, _ in votes)
        indexes = strangers_to_first(votes, rules.are_strangers) if has_other_names else ()
        strangers[side.tag] = {records[index].game_id for index in indexes}
    return strangers


def outvoted_sides(
    kept_game: GameHeader, givers: Mapping[str, GameHeader], rules: NameRules
) -> Sequence[Side]:
    """Return the sides on which the kept game gets the name of another person.

    `givers`: by tag, the record whose value it gets.
    """
    changed = [side for side in SIDES if side.tag in givers]
    return [
        side for side in changed if rules.are_strangers(*side.votes([givers[side.tag], kept_game]))
    ]


def strangers_to_chosen(
    records: Sequence[GameHeader],
    givers: Mapping[str, GameHeader],
    rules: NameRules,
    sides: Iterable[Side],
) -> Strangers:
    """Return the records that name other people than the merged header."""
    strangers: dict[str, Collection[int]] = {}
    for side in sides:
        merged, *votes = side.votes([givers.get(side.tag, records[0]), *records])
        strangers[side.tag] = {
            record.game_id
            for record, vote in zip(records, votes, strict=True)
            if rules.are_strangers(merged, vote)
        }
    return strangers


def joined(left: Strangers, right: Strangers) -> Strangers:
    return {side.tag: {*left.get(side.tag, ()), *right.get(side.tag, ())} for side in SIDES}


def own_opponents(
    records: Sequence[GameHeader], givers: Mapping[str, GameHeader], rules: NameRules
) -> Strangers:
    """Return the records that name the opponent on a side that gets another name.

    A player would be his own opponent. Return none if both names of the kept game may be of one
    player.
    """
    if givers.keys().isdisjoint(side.tag for side in SIDES):
        return {}
    kept_game = records[0]
    white = givers.get("White", kept_game).white
    black = givers.get("Black", kept_game).black
    if not _may_be_one(white, black, rules) or _may_be_one(kept_game.white, kept_game.black, rules):
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


# --- exchanged players ------------------------------------------------------------------------
#
# Their fields must be exchanged before they are compared with the kept game's. The search finds
# exchanged colours when it compares moves; other records are judged by the surnames.

_NAME_CHARS = 3  # within a group, names with the same beginning are of the same player
_COLOUR_MEMBER = rf'(?<=[{{,]")(White|Black)(?=\w*":)|{go_tags.SHORT_COLOUR_MEMBER}'


def with_colours_of(kept_game: GameHeader, record: GameHeader) -> GameHeader:
    """Return a record, with its players exchanged if that gives them the kept game's surnames."""
    if not (record.white and kept_game.white and record.black and kept_game.black):
        return record
    if (
        record.white[:_NAME_CHARS] == kept_game.white[:_NAME_CHARS]
        or record.black == kept_game.black
    ):
        return record  # nearly all records; saves parsing the names
    (white, black), (kept_white, kept_black) = _surnames(record), _surnames(kept_game)
    are_same = white & kept_white or black & kept_black
    is_exchanged = not are_same and white & kept_black and black & kept_white
    return exchanged(record) if is_exchanged else record


def exchanged(record: GameHeader) -> GameHeader:
    """Return a record with its players exchanged; the result stays, as the moves do."""
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
