"""The best events, rounds and dates, by comparing all pairs of values: slow references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ocgdedup.matching.field_choice import (
    dates_agree,
    event_rank,
    plain_alphanumerics,
)
from ocgdedup.matching.name_choice import is_in_one_case

_WITH_COUNTRY = re.compile(r"[a-z)] [A-Z]{3}$")  # Monaco MNC


def _round_parts(text: str) -> tuple[str, ...]:
    parts = text.replace(")", "").replace("(", ".").split(".")
    return tuple(part.lstrip("0") for part in parts)


def _highest(values: Iterable[str], merit: Callable[[str], tuple[Any, ...]]) -> list[str]:
    merits = {value: merit(value) for value in values}
    best = max(merits.values(), default=())
    return [value for value in merits if merits[value] == best]


def best_events(texts: Sequence[str], sites: Sequence[str]) -> list[str]:
    letters = {text: plain_alphanumerics(text) for text in texts}
    places = [plain_alphanumerics(site) for site in sites]

    def merit(text: str) -> tuple[Any, ...]:
        own = letters[text]
        is_place = any(place.startswith(own) for place in places)
        support = sum(
            letters[other] == own
            or (3 <= len(letters[other]) < len(own) and own.startswith(letters[other]))
            for other in texts
        )
        words = text.split()
        has_two = [len(word) == 3 and word.isascii() and word.isupper() for word in words[-2:]]
        two_countries = len(words) > 2 and all(has_two) and text.endswith(" ".join(words[-2:]))
        rank = event_rank(text)
        has_number = re.match(r"(\d\d\d+|0\d)\.\S", text) is not None
        names = rank > 0, not has_number, not is_place, not two_countries
        is_tidy = text.count("[") == text.count("]"), *names
        has_country = bool(_WITH_COUNTRY.search(text))
        return *is_tidy, support, rank == 2, has_country, not is_in_one_case(text), len(text)

    return _highest(letters, merit) if len(letters) > 1 else list(letters)


def best_rounds(texts: Sequence[str]) -> list[str]:
    parts = {text: _round_parts(text) for text in texts}

    def merit(text: str) -> tuple[Any, ...]:
        own = parts[text]
        support = sum(own[: len(parts[other])] == parts[other] for other in texts)
        return "?" not in text, support

    return _highest(parts, merit)


def best_dates(dates: Sequence[str]) -> list[str]:
    fewest = min(date.count("?") for date in dates)
    exact = [date for date in Counter(dates) if date.count("?") == fewest]
    return _highest(exact, lambda date: (sum(dates_agree(other, date) for other in dates),))
