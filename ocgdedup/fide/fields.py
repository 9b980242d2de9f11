"""Parse single fields of rating lists: titles, ratings, years, months.

Owns the codes and their order. Must not know files or layouts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

# Lists before September 2012 write these codes in small letters.
_SHORT_TITLES = {
    "G": "GM", "H": "HGM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM",
    "WC": "WCM", "W": "",  # a woman; her title is not given
}  # fmt: skip
# The order of FIDE Handbook C.04.2, 2.2; the honorary title follows the title that it honours.
_BEST_FIRST = ("GM", "HGM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
_RANKS = {title: rank for rank, title in enumerate(_BEST_FIRST)}

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_WORD = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_NAMED_MONTH = rf"(?<![a-z])({_MONTH_WORD})[-_ .]?((?:19|20)?\d\d)(?!\d)"
_DIGIT_MONTH = r"(?<!\d)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d(?!\d))(?!\d{3})"
_PERIOD = rf"(\d{{4}})[-_ .]?({_MONTH_WORD})(?![a-z])"  # 2022-Sep-01
_FIRST_PERIOD = "1970"  # FIDE's first list is of 1971
_FIRST_TWO_DIGIT_YEAR = 70
_FULL_YEAR = r"(?<!\d)((?:1[89]|20)\d\d)(?:\d{4})?(?!\d)"
_SHORT_DATE = r"\s*\d{1,2}\.\d{1,2}\.(\d\d)\s*$"
_YOUNGEST_YEARS = 3
_MOST_NAME_CHARS = 200
_MOST_RATING_DIGITS = 4
_MOST_ID_DIGITS = 10  # FIDE's have up to 9
_CACHED = 1 << 14  # a few thousand different texts fill a million players


def best_title(codes: Iterable[str]) -> str:
    """Return the highest title in the modern spelling ("GM"), "" if there is none."""
    titles = [_SHORT_TITLES.get(code.upper(), code.upper()) for code in codes]
    return min(filter(None, titles), key=lambda title: _RANKS.get(title, len(_RANKS)), default="")


@lru_cache(maxsize=_CACHED)
def parse_rating(text: str) -> int | None:
    """Return the Elo points, None for blank or 0; raise ValueError for anything else."""
    stripped = text.strip()
    return _parse_digits(stripped, _MOST_RATING_DIGITS) or None if stripped else None


def parse_fide_id(text: str) -> int:
    """Return a FIDE ID; raise ValueError for any other text."""
    fide_id = _parse_digits(text.strip(), _MOST_ID_DIGITS)
    if not fide_id:
        raise ValueError("0 is not a FIDE ID")
    return fide_id


def parse_name(text: str) -> str:
    """Return a name without surrounding blanks; raise ValueError for an empty or too long text."""
    name = text.strip()
    if not 0 < len(name) <= _MOST_NAME_CHARS or "\0" in name:
        raise ValueError("no name, or a text that is too long for one")
    return name


def _parse_digits(text: str, most: int) -> int:
    """Return a whole number of at most `most` digits; int() would accept more."""
    if not (text.isascii() and text.isdigit() and len(text) <= most):
        raise ValueError(f"{text[:20]!r} is not a number of up to {most} digits")
    return int(text)


@lru_cache(maxsize=_CACHED)
def parse_birth_year(text: str, *, list_year: int | None = None) -> int | None:
    """Return the year of a year or date in any form, None for blank or 0.

    Lists until 2005 have dates like 26.06.85: the year is the latest possible one for a player in a
    list of `list_year`.
    """
    full = re.search(_FULL_YEAR, text, re.ASCII)
    if full:
        return int(full[1])
    short = re.match(_SHORT_DATE, text, re.ASCII)
    if not short:
        return None
    year = 2000 + int(short[1])
    return year if year <= (list_year or 2005) - _YOUNGEST_YEARS else year - 100


def find_month(text: str) -> str | None:
    """Return the month "YYYY-MM" in a file name or header: sep14, SEP2014, 2014-09, 20140901."""
    named = re.search(_NAMED_MONTH, text.lower(), re.ASCII)
    if named:
        year = int(named[2])
        if year < 100:
            year += 1900 if year >= _FIRST_TWO_DIGIT_YEAR else 2000
        return f"{year}-{_MONTHS.index(named[1][:3]) + 1:02}"
    digits = re.search(_DIGIT_MONTH, text, re.ASCII)
    return f"{digits[1]}-{digits[2]}" if digits else None


@lru_cache(maxsize=_CACHED)
def parse_period(text: str, last: str) -> str | None:
    """Return the month "YYYY-MM" of a rating period; None for another text.

    `last`: the latest possible month.
    """
    match = re.search(_PERIOD, text.lower(), re.ASCII)
    month = f"{match[1]}-{_MONTHS.index(match[2][:3]) + 1:02}" if match else find_month(text)
    return month if month is not None and _FIRST_PERIOD < month <= last else None
