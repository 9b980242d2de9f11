"""A record with its players exchanged, so that its fields go beside those of the master.

Owns what belongs to a player. That somebody mixed up the colours the search finds out; what plain
names tell of it is here for records that were not compared.
"""

from __future__ import annotations

import re

from ocgdedup.matching import go_tags
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.model import GameHeader

_NAME_CHARS = 3  # names that begin alike are of the same player, in one game
_COLOUR_MEMBER = rf'(?<=[{{,]")(White|Black)(?=\w*":)|{go_tags.SHORT_COLOUR_MEMBER}'


def with_colours_of(master: GameHeader, record: GameHeader) -> GameHeader:
    """Return a record, with its players exchanged if surnames have them the other way round."""
    if not (record.white and master.white and record.black and master.black):
        return record
    if record.white[:_NAME_CHARS] == master.white[:_NAME_CHARS] or record.black == master.black:
        return record  # nearly all: spares taking names apart
    own, other = _surnames(record), _surnames(master)
    if not (own[0] & other[1] and own[1] & other[0]) or own[0] & other[0] or own[1] & other[1]:
        return record
    return exchanged(record)


def exchanged(record: GameHeader) -> GameHeader:
    """Return a record with its players exchanged.

    The result stays: it goes with the moves, and these are the same.
    """
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
        extra_tags=record.extra_tags and re.sub(_COLOUR_MEMBER, _other_colour, record.extra_tags),
    )


def _surnames(header: GameHeader) -> tuple[set[str], set[str]]:
    white, black = (name_form(name or "") for name in (header.white, header.black))
    return set(white.surname), set(black.surname)


def _other_colour(found: re.Match[str]) -> str:
    return go_tags.OTHER_COLOUR[found[0]]
