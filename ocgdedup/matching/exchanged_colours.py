"""Exchange the players of a record, so that its fields can be compared with the kept game's.

Owns which fields and tags belong to a player. The search finds exchanged colours when it compares
moves; for records that it did not compare, with_colours_of() decides by the surnames.
"""

from __future__ import annotations

import re

from ocgdedup.matching import go_tags
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.model import GameHeader

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
