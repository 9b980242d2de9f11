"""Names of events: which may mean one tournament, and which says more.

A festival has several tournaments, whose names differ in a word or a number: "A" and "B", "Rapid",
"Women". event_marks.txt lists such words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ocgdedup.data_files import read_sections
from ocgdedup.matching.field_choice import plain_alphanumerics
from ocgdedup.matching.names.letters import plain_letters

_SECTIONS = read_sections(__file__, "event_marks.txt")
_HARD, _SOFT = (
    {word: line.split()[0] for line in _SECTIONS[title].splitlines() for word in line.split()}
    for title in ("hard", "soft")
)
_CATEGORY = re.compile(r"\(?\bcat\.?\s*(?:\d+|[ivx]+)\b\)?", re.IGNORECASE)
_WORD = re.compile(r"\d+(?:(?:st|nd|rd|th)\b|\.(?= ))|[us]\d\d\b|chess960|[^\W\d_]+|\d+")
_SEASON = re.compile(r"\b((?:1[89]|20)?\d\d)[-/]\d{1,4}\b")
_AGE = re.compile(r"[us]\d\d")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|\.)")
# Names that many tournaments have.
_GENERIC = frozenset(
    ("", "it", "int", "international", "tournament", "turnier", "tournoi", "torneo", "event", "rr",
     "gmt", "gm", "im", "imt", "invitational", "invitation", "chess")
)  # fmt: skip
_FIRST_LETTERS = 3
_SECTION_LETTERS = frozenset("abcdegh")  # f is for finals, m for matches


class EventMarks(NamedTuple):
    """What tells a tournament from others of the same festival; `numbers` without years."""

    hard: frozenset[str]
    soft: frozenset[str]
    numbers: frozenset[str]
    ordinals: frozenset[str]


@lru_cache(maxsize=1 << 14)
def event_marks(event: str, year: int) -> EventMarks:
    """Return the marks of an event that was played in a year."""
    words = _words(event, year)
    ordinals = {match[1] for word in words if (match := _ORDINAL.fullmatch(word))}
    numbers = {word.lstrip("0") for word in words if word.isdigit()}
    hard = {_HARD[word] for word in words if word in _HARD}
    hard |= {word for word in words if word in _SECTION_LETTERS or _AGE.fullmatch(word)}
    soft = {_SOFT[word] for word in words if word in _SOFT}
    return EventMarks(*map(frozenset, (hard, soft, numbers, ordinals)))


def _words(event: str, year: int | None = None) -> list[str]:
    """Return the words and numbers of an event, without its category, year and season."""
    text = plain_letters(_CATEGORY.sub(" ", event)).lower()
    if year is None:
        return _WORD.findall(text)
    years = {number for y in (year - 1, year, year + 1) for number in (f"{y}", f"{y % 100:02}")}
    # Seasons: 1930/31, 2006-7, and 3031.
    text = _SEASON.sub(lambda match: " " if match[1] in years else match[0], text)
    years |= {f"{first % 100:02}{(first + 1) % 100:02}" for first in (year - 1, year)}
    return [word for word in _WORD.findall(text) if word not in years]


def may_be_one(event: str, other: str, year: int) -> bool:
    """Return whether two names of events may mean one tournament; other evidence must decide."""
    if is_generic(event) or is_generic(other):
        return True
    marks, others = event_marks(event, year), event_marks(other, year)
    if marks.hard != others.hard:
        return False
    if marks.soft and others.soft and marks.soft.isdisjoint(others.soft):
        return False
    if marks.ordinals and others.ordinals:
        return marks[2:] == others[2:]
    # "6th Open" may be called "Open" or "6. Open"; "Open 2" is another one than "Open".
    return marks.numbers | marks.ordinals == others.numbers | others.ordinals or (
        marks.numbers == others.numbers
    )


@lru_cache(maxsize=1 << 14)
def is_generic(event: str) -> bool:
    """Return whether many tournaments have this name, such as "It (cat.12)"."""
    return plain_alphanumerics(_CATEGORY.sub(" ", event)) in _GENERIC


@lru_cache(maxsize=1 << 14)
def event_key(event: str, year: int) -> str:
    """Return a text that is equal for spellings of one name: "World op", "2010 World Open".

    Categories and years do not count, nor does the order of words.
    """
    words = (_ORDINAL.sub(r"\1", word) for word in _words(event, year))
    return " ".join(sorted({_HARD.get(word, _SOFT.get(word, word)) for word in words}))


def rank_of_name(event: str, town: str) -> int:
    """Return how much a name of an event says: 0 nothing, 1 the town alone, 2 more.

    `town`: of town_key().
    """
    if {*_words(event)} <= _GENERIC | {"open", "op"}:
        return 0
    # One word with the first letters of the town is another spelling of it: Berne, Munchen.
    is_town = len(event.split()) == 1 and event.isalpha() and _has_first_letters(event, town)
    return 1 if is_town or plain_alphanumerics(event) == town else 2


def _has_first_letters(event: str, town: str) -> bool:
    return bool(town) and plain_alphanumerics(event)[:_FIRST_LETTERS] == town[:_FIRST_LETTERS]
