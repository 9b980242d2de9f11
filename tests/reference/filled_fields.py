"""Filled-in fields of games, in plain Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

_FILLED_SIDES = ("White", "Black")
_FIDE_ID, _TITLE, _ELO, _ELO_WAS_0 = 1, 4, 16, 64


class Facts(NamedTuple):
    """What the list says of a player; `since`: the first known day of the title."""

    fide_id: int | None
    title: str | None
    rating: int | None
    since: str | None


class Fields(NamedTuple):
    date: str | None
    tags: str | None
    white_elo: int | None
    black_elo: int | None
    bits: int


def fill(game: Fields, side: int, facts: Facts, list_month: str | None) -> Fields:
    """Fill in one side."""
    name = _FILLED_SIDES[side]
    tags, bits = game.tags, game.bits
    missing = []
    if facts.fide_id is not None and not _has_tag(tags, f"{name}FideId"):
        missing.append(f'"{name}FideId":"{facts.fide_id}"')
        bits |= _FIDE_ID << side
    if (
        facts.title
        and not _has_tag(tags, f"{name}Title")
        and bears_title(game.date, facts.since, list_month)
    ):
        missing.append(f'"{name}Title":{json.dumps(facts.title, ensure_ascii=False)}')
        bits |= _TITLE << side
    if missing:  # appended to the JSON object: the text of the others is not changed
        start = "{" if tags is None or tags.rstrip() == "{}" else f"{tags.rstrip()[:-1]},"
        tags = f"{start}{','.join(missing)}}}"
    elos = [game.white_elo, game.black_elo]
    if facts.rating and not elos[side] and list_month is not None:
        month = _month_number(game.date)
        # An Elo that is not a number is in ExtraTags, so the game has an Elo.
        if (
            month
            and abs(month - (_month_number(list_month) or 0)) <= 1
            and not _has_tag(game.tags, f"{name}Elo")
        ):
            bits |= (_ELO if elos[side] is None else _ELO | _ELO_WAS_0) << side
            elos[side] = facts.rating
    return Fields(game.date, tags, elos[0], elos[1], bits)


def withdraw(game: Fields, bits: int) -> Fields:
    """Remove the filled-in fields that `bits` name."""
    bits &= game.bits
    if not bits:
        return game
    elos = [game.white_elo, game.black_elo]
    tags = game.tags
    for side, name in enumerate(_FILLED_SIDES):
        for bit, tag in ((_FIDE_ID, "FideId"), (_TITLE, "Title")):
            if bits & bit << side:
                tags = _filled_tag(name + tag).sub("", tags or "", count=1)
                tags = None if tags in ("", "{}") else tags
        if bits & _ELO << side:
            elos[side] = 0 if game.bits & _ELO_WAS_0 << side else None
            bits |= _ELO_WAS_0 << side
    return Fields(game.date, tags, elos[0], elos[1], game.bits & ~bits)


def newly_filled(before: Fields, after: Fields) -> Iterable[str]:
    """Return the names of the fields that were filled in anew, or with another value."""
    return dict(_filled_fields(after).items() - _filled_fields(before).items()).keys()


def _filled_fields(game: Fields) -> dict[str, object]:
    elos = {"WhiteElo": game.white_elo, "BlackElo": game.black_elo}
    values = {**json.loads(game.tags or "{}"), **elos}
    return {
        side + field: values.get(side + field)
        for number, side in enumerate(_FILLED_SIDES)
        for bit, field in ((_FIDE_ID, "FideId"), (_TITLE, "Title"), (_ELO, "Elo"))
        if game.bits & bit << number
    }


def bears_title(date: str | None, since: str | None, list_month: str | None) -> bool:
    """Return whether the player had the title when the game was played."""
    month, of_list = _month_number(date), _month_number(list_month)
    if month is not None and of_list is not None and month >= of_list - 1:
        return True
    return since is not None and date is not None and since <= date.replace("?", "0")


def _has_tag(tags: str | None, name: str) -> bool:
    member = re.compile(rf'[{{,]\s*"{name}"\s*:', re.IGNORECASE)
    return tags is not None and member.search(tags) is not None


def _filled_tag(name: str) -> re.Pattern[str]:
    member = f'"{name}":"[^"\\\\]*"'
    return re.compile(rf"(?<=^\{{){member},?|,{member}")


def _month_number(date: str | None) -> int | None:
    match = re.match(r"(\d{4})[.-](\d\d)", date or "")
    return int(match[1]) * 12 + int(match[2]) if match else None
