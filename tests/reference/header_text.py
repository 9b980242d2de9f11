"""Comparison of headers: reference of kernels/search/header_text.pxd."""

from __future__ import annotations

import re
from datetime import date as Day
from typing import NamedTuple

from ocgdedup._kernels.search import CONSTANTS

NAMED_ROUND = CONSTANTS["NAMED_ROUND"]


class Date(NamedTuple):
    """A date; 0 if unknown. Without a year, month and day are unknown; without a month, the day."""

    year: int = 0
    month: int = 0
    day: int = 0


def _digits(text: str) -> int:
    return int(text) if re.fullmatch("[0-9]+", text) else 0


def read_date(text: str | None) -> Date:
    """Parse "YYYY.MM.DD" with any separators."""
    if text is None or len(text.encode()) < 10:
        return Date()
    year, month, day = (_digits(text[at]) for at in (slice(4), slice(5, 7), slice(8, 10)))
    if not year:
        return Date()
    if month not in range(1, 13):
        return Date(year)
    return Date(year, month, day if day <= 31 else 0)


def date_number(date: Date) -> int:
    """Return a date in the kernel's format."""
    return date.year << 9 | date.month << 5 | date.day


def _compare_full_dates(a: Date, b: Date) -> str:
    # A 31st of February is three days after the 28th.
    first, second = (Day(date.year, date.month, 1).toordinal() + date.day for date in (a, b))
    apart = abs(first - second)
    if apart == 0:
        return "SAME_DAY"
    if apart <= 3:
        return "NEAR"
    if a[1:] == b[1:] and apart <= 366:
        return "SLIP"
    if a == (b.year, b.day, b.month):
        return "SLIP"
    return "OTHER_DAY" if apart <= 31 else "OTHER_MONTH" if apart <= 366 else "YEARS_APART"


def compare_dates(a: Date, b: Date) -> int:
    return CONSTANTS[f"DATE_{_compared_dates(a, b)}"]


def _compared_dates(a: Date, b: Date) -> str:
    if not a.year or not b.year:
        return "UNKNOWN"
    if a.day and b.day:
        return _compare_full_dates(a, b)
    if a.year != b.year:
        return "OTHER_YEAR" if abs(a.year - b.year) == 1 else "YEARS_APART"
    if not a.month or not b.month:
        return "SAME_YEAR"
    months = abs(a.month - b.month)
    return ("SAME_MONTH", "SAME_YEAR")[months] if months < 2 else "OTHER_MONTH"


# Number of the round and of the game in it; or another text; None if unknown.
Round = tuple[int, int] | str | None
# "7", "7.2", "7(2)", "Game 7", "Round 7 Game 2", and 7.2.1 without the last number.
_WORDS = "round|rd|rnd|r|game|g|runde|ronde|ronda|partie|partida|board|st|nd|th"
_WORD = rf"(?<![a-z])(?:{_WORDS})(?![a-z])\.?"
_NUMBERS = re.compile(
    rf"""(?:[-?\ )#]|{_WORD})*(?:([0-9]+)[-?\ )#]*(?:
        (?:[.(]|{_WORD})(?:[-?\ )#]|{_WORD})*(?:([0-9]+)(?:[-?\ )#]|{_WORD})*)?(?:\..*)?
    )?)?""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_TOO_LONG = 30_000


def read_round(text: str | None) -> Round:
    """Parse numbers; ignore words and marks for unknown values around them."""
    result = _NUMBERS.fullmatch(text or "")
    if result is None:
        return text
    numbers = int(result[1] or 0), int(result[2] or 0)
    if max(numbers) >= _TOO_LONG:
        return text
    return numbers if any(numbers) else None


def is_doubtful(round_: Round, text: str | None, date: Date) -> bool:
    """Return whether round 1 may stand for an unknown round, as some collections write it."""
    return round_ == (1, 0) and (text or "")[:1].isdigit() and bool(date.year) and not date.day


def compare_rounds(a: Round, b: Round) -> int:
    return CONSTANTS[f"ROUND_{_compared_rounds(a, b)}"]


def _compared_rounds(a: Round, b: Round) -> str:
    if a is None or b is None:
        return "UNKNOWN"
    if a == b:
        return "SAME"
    if isinstance(a, str) or isinstance(b, str):
        return "OTHER" if isinstance(a, str) and isinstance(b, str) else "UNKNOWN"
    if a[0] == b[0] and 0 in (a[1], b[1]):
        return "PART"
    return "OTHER"


def read_result(text: str | None) -> str:
    """Return "white", "black", "draw" or "" for an open result."""
    if text is None or len(text) < 3:
        return ""
    if text[1] == "/":
        return "draw"
    if text[1] != "-":
        return ""
    return "white" if text[0] == "1" else "black"


class EventText(NamedTuple):
    """A text in lower-case letters and digits, and its first six long words without numbers."""

    letters: bytes = b""
    words: tuple[bytes, ...] = ()


def read_event(text: str | None) -> EventText:
    parts = re.findall(rb"[0-9a-z\x80-\xff]+", (text or "").encode().lower())
    words = [part for part in parts if len(part) >= 3 and not re.fullmatch(rb"[0-9]+", part)]
    return EventText(b"".join(parts), tuple(dict.fromkeys(words))[:6])


def begins_with_name(event: str | None, name: str) -> bool:
    """Return whether an event begins with a name, by their first letters."""
    letters = read_event(name).letters[:24]
    return bool(letters) and read_event(event).letters.startswith(letters)


def compare_events(a: EventText, b: EventText) -> int:
    return CONSTANTS[f"TEXT_{_compared_events(a, b)}"]


def _compared_events(a: EventText, b: EventText) -> str:
    if not a.letters or not b.letters:
        return "UNKNOWN"
    if a.letters == b.letters:
        return "EQUAL"
    starts = a.letters[:24], b.letters[:24]
    shorter = min(map(len, starts))
    if shorter >= 4 and starts[0][:shorter] == starts[1][:shorter]:
        return "EQUAL" if shorter < 24 else "SIMILAR"
    shared = sum(word in b.words for word in a.words)
    if shared and 2 * shared >= min(len(a.words), len(b.words)):
        return "SIMILAR"
    return "OTHER"
