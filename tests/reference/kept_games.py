"""Kept game and merges of a group by the rules of matching/: reference of resolve_groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ocgdedup.model import GameHeader
from tests.reference.headers.header_merge import merge_headers
from tests.reference.headers.header_score import header_score


class PlainGroup(NamedTuple):
    """Kept game, header scores and kinds of annotations of a group, and the work that it needs."""

    kept: int
    scores: list[int]
    notes: list[int]
    needs_merge: bool
    needs_notes: bool
    may_have_colours: bool


def plain_group(headers: Sequence[GameHeader]) -> PlainGroup:
    """Resolve a group of equal mainlines."""
    scores = [header_score(header) for header in headers]
    notes = [bool(record.has_comments) + bool(record.has_variations) for record in headers]
    order = [
        (-score, -record.plies, -count, record.game_id)
        for score, record, count in zip(scores, headers, notes, strict=True)
    ]
    kept = headers[order.index(min(order))]
    return PlainGroup(
        kept.game_id,
        scores,
        notes,
        bool(merge_headers(kept, headers).values),
        any(count for count, record in zip(notes, headers, strict=True) if record is not kept),
        any(record.white != kept.white and record.black != kept.black for record in headers),
    )
