"""The best value of a header field among records of one game; for names see name_choice.py.

The kernel compares values (kernels/groups/header_choice.pxi); this module judges single texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ocgdedup._kernels.search import HeaderChooser, dates_agree, day_of_event
from ocgdedup.data_files import read_lines
from ocgdedup.matching.header_score import MAX_ELO, MIN_ELO
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import GameHeader

# DateQuality (schema/README.md): the year or the month is guessed.
_GUESSED_YEAR, _GUESSED_MONTH = 11, 21
_YEAR_CHARS, MONTH_CHARS = 4, 7

_EVENT_WORD = re.compile(r"\d|[a-z]+")
_EVENT_WORDS = frozenset(" ".join(read_lines(__file__, "event_words.txt")).split())
_GENERIC_WORDS = frozenset(" ".join(read_lines(__file__, "generic_event_words.txt")).split())
_GENERIC = re.compile(r"[ivx]+|.")  # numerals and letters, of editions and groups
# Beginnings of the words, with which a truncated text ends.
_CUT_WORDS = frozenset(word[:chars] for word in _GENERIC_WORDS for chars in range(3, len(word)))
_WORD = re.compile(r"[^\W\d_]+")
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def header_chooser() -> HeaderChooser:
    """Return the kernel's chooser of header values, with the rules of this module."""
    return HeaderChooser(plain_alphanumerics, event_rank, MIN_ELO, MAX_ELO)


def best_values(tag: str, records: Sequence[GameHeader]) -> list[Any]:
    """Return the best values of a field, several if tied, [] if no record has a value."""
    return header_chooser().best_values(records, tag)


@lru_cache(maxsize=1 << 14)
def is_event_like(text: str) -> bool:
    """Return whether a text has a number or a typical word of events: "DSB Congress".

    Nicknames of games have neither: "The golden coins game".
    """
    return not _EVENT_WORDS.isdisjoint(_EVENT_WORD.findall(text.lower()))


@lru_cache(maxsize=1 << 14)
def names_event(text: str) -> bool:
    """Return whether a text names an event or a place, unlike "It (cat.12)" or "5th Open"."""
    words = _WORD.findall(plain_letters(text))
    if words and words[-1].lower() in _CUT_WORDS and not words[-1].isupper():  # NOR is a country
        words.pop()
    return any(
        word not in _GENERIC_WORDS and not _GENERIC.fullmatch(word)
        for word in map(str.lower, words)
    )


def event_rank(text: str) -> int:
    """Return 0 for a text that names no event, 1 for a nickname of a game, 2 for others."""
    return 1 + is_event_like(text) if names_event(text) else 0


def plain_alphanumerics(text: str) -> str:
    """Return the letters and digits of a text, in small plain letters."""
    return _NOT_ALPHANUMERIC.sub("", plain_letters(text)).lower()


def event_date(record: GameHeader) -> str | None:
    """Return the first day of the event, from the tag EventDate; None if unknown."""
    return day_of_event(record.extra_tags)


def guess_date(date: str, record: GameHeader) -> tuple[int, str] | None:
    """Return (quality, date) with the year or month filled in from the tag EventDate.

    None if the tag adds nothing, or contradicts the date. The day is never filled in, since an
    event takes several days.
    """
    first_day = event_date(record)
    if first_day is None or not dates_agree(first_day, date):
        return None
    for chars, quality in ((MONTH_CHARS, _GUESSED_MONTH), (_YEAR_CHARS, _GUESSED_YEAR)):
        if "?" in date[:chars] and "?" not in first_day[:chars]:
            return quality, first_day[:chars] + date[chars:]
    return None
