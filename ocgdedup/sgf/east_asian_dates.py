"""Dates as Chinese, Japanese and Korean records have them: 2003年5月6日, 昭和45年3月2日.

Owns the signs of year, month and day, and the eras of Japan from Meiji on. Must not know what a
calendar allows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Name -> the year before its first, and its last year. Later than the last is a slip.
_ERAS = {
    "明治": (1867, 45), "大正": (1911, 15), "昭和": (1925, 64), "平成": (1988, 31),
    "令和": (2018, 81),
}  # fmt: skip
# Japan took over the calendar of the West in 1873: months before are those of the moon.
_FIRST_SUN_YEAR = 1873

# A text, not compiled: re compiles it once, when first used, so import is cheap. The sign of the
# day may come after several days: 6-7日.
_DAY = (
    rf"(?:(?P<year>[0-9?]{{4}})|(?P<era>{'|'.join(_ERAS)}) ?(?P<of_era>[0-9]{{1,2}}|元)) ?[年년]"
    r"(?: ?(?P<month>[0-9?]{1,2}) ?[月월]"
    r"(?: ?(?P<day>[0-9?]{1,2}) ?(?:[日号號일]|(?= ?[-~〜・,、] ?[0-9])))?)?"
)


class FirstDay(NamedTuple):
    """Year, month and day as digits ("??": not said), and the text that follows.

    `has_signs`: written with those of this module; `is_lunar`: month and day, left out, were of
    another calendar.
    """

    parts: tuple[str, str, str]
    rest: str
    is_day: bool
    has_signs: bool = False
    is_lunar: bool = False


def east_asian_day(text: str) -> FirstDay | None:
    """Return the day at the start of a text in normal form NFKC; None if there is none."""
    match = re.match(_DAY, text)
    if match is None:
        return None
    year = match["year"] or _year_of_era(match["era"], match["of_era"])
    if year is None:
        return None
    is_lunar = match["era"] is not None and int(year) < _FIRST_SUN_YEAR
    month, day = (_digits(match[name]) for name in ("month", "day"))
    parts = (year, "??", "??") if is_lunar else (year, month, day)
    is_day = match["day"] is not None
    return FirstDay(parts, text[match.end() :], is_day, has_signs=True, is_lunar=is_lunar)


def _digits(number: str | None) -> str:
    return "??" if number is None or number == "?" else number.rjust(2, "0")


def _year_of_era(era: str, number: str) -> str | None:
    before, last = _ERAS[era]
    years = 1 if number == "元" else int(number)
    return str(before + years) if 1 <= years <= last else None
