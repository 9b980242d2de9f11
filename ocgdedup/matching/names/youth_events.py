"""Recognise events for children and juniors by the name of the event or the site.

Owns the words, in the languages of the countries with most events; in a file of its own, since it
is data. Knows nothing of games.
"""

from __future__ import annotations

import re

_WORDS = (
    # English, German
    "youth", "youngster", "young stars", "child", "school", "schol", "junior", "girls",
    "pupil", "schul", "jugend", "nachwuchs", "kinder",
    # French, Spanish, Portuguese, Italian
    "jeunes", "scolaire", "enfant", "poussin", "minimes", "benjamin", "juvenil", "infantil",
    "escolar", "menores", "giovanil", "ragazz",
    # Slavic languages, Hungarian
    "cadet", "kadet", "pionier", "pioneer", "pionir", "szkol", "mlodzi", "dziec", "mladez",
    "mladin", "detsk", "otrok", "ifjusagi",
)  # fmt: skip
_LIMITS = (
    r"\b[uf][ .-]?0?(?:[6-9]|1[0-9]|20)\b",  # U12, U-08
    r"\b(?:under|sub|unter|moins de)[ -]?(?:[6-9]|1[0-9]|20)\b",
    r"\b[bg]u?-?(?:08|[89]|1[0-9]|20)\b",  # boys B10, girls G18
    r"\b[we]u?y\w*(?:[89]|1[0-9]|20)\b",  # World and European youth, WYb12
)
_WHOLE_WORDS = (r"\bkids?\b", r"(?<!lost )\bboys\b", r"\(jun\)", r"\bjr\b")
_YOUTH = re.compile("|".join((*_WORDS, *_WHOLE_WORDS, *_LIMITS)))


def is_youth_event(name: str | None) -> bool:
    """Return whether an event or a site is one for children or juniors, by its name."""
    return name is not None and _YOUTH.search(name.lower()) is not None
