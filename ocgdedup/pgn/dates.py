"""Convert a Date tag value, in any form that people write, to the form of the PGN standard.

Must not know which tag, game or file the value came from.

PGN standard 8.1.1.3: a date has ten characters, YYYY.MM.DD, with a question mark for each unknown
digit.

DateQuality is a number of two digits, 0 if no digit is known:

tens, the precision: 0 = year unknown or incomplete, 1 = year, 2 = month, 3 = day;
ones, the certainty: 3 = a possible date in the standard form, 2 = another form with one
interpretation, 1 = a guess or a repair.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

UNKNOWN_DATE = "????.??.??"

_STANDARD, _ONE_READING, _GUESS = 3, 2, 1

_Parts = tuple[str, str, str]  # year, month and day: four, two and two digits or "?"
_Reading = tuple[_Parts, int]  # with its certainty

_FIRST_YEAR, _LAST_YEAR = 1400, 2099
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_MAX_CHARS = 60  # a longer text is not a date: it may be a whole comment

# Patterns stay text: re compiles each once, when first used, so import is cheap.
_STANDARD_FORM = r"([0-9?]{4})\.([0-9?]{2})\.([0-9?]{2})"
_SPACED_SEPARATOR = r" ?([-./,]) ?"
_TIME_OF_DAY = (
    r"(?<=[0-9])[t ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?[ap]m)?"
    r" ?(z|utc|gmt|[-+][0-9]{2}:?[0-9]{2})?$"
)

_YEAR = r"[0-9?]{4}"
_SHORT_YEAR = r"'?([0-9]{2})"
_COMPACT = r"([0-9]{4})([0-9]{2})([0-9]{2})"
_YEAR_MONTH = r"([0-9?]{4})[-./, ]([0-9?]{1,2})"
_MONTH_YEAR = r"([0-9?]{1,2})[-./, ]([0-9?]{4})"
_YEAR_FIRST = r"([0-9?]{4})([-./, ])([0-9?]{1,2})\2([0-9?]{1,2})"
_YEAR_LAST = r"([0-9?]{1,2})([-./, ])([0-9?]{1,2})\2([0-9?]{4})"
_SHORT_YEAR_TRIPLE = r"([0-9?]{1,2})([-./, ])([0-9?]{1,2})\2'?([0-9?]{2})"
_DAYS_YEAR_FIRST = r"([0-9]{4})([-./ ])([0-9]{1,2})\2[0-9]{1,2}-[0-9]{1,2}"
_DAYS_YEAR_LAST = r"[0-9]{1,2}\.?-[0-9]{1,2}([./ ])([0-9]{1,2})\1([0-9]{4})"

_WORD_OR_NUMBER = r"[^\W\d_]+|[0-9?]+"
_WORDED_DATE = r"(?:[^\W\d_]|[0-9?]|[-./,' ])+"
# "12th of March", "12 de marzo de 1998", "1er mars", "1º de marzo", and the Russian for "year".
_FILLER_WORDS = "st nd rd th of the de del den der le el il er o г года"  # noqa: RUF001  # codespell:ignore
_FILLERS = frozenset(_FILLER_WORDS.split())

# One line a month: English, German, French, Spanish, Italian, Dutch, Russian (both cases).
_MONTH_LINES = (
    "january januar jänner janvier enero gennaio januari январь января",  # codespell:ignore
    "february februar février febrero febbraio februari февраль февраля",  # codespell:ignore
    "march märz maerz mars marzo maart mrt март марта",
    "april avril abril aprile апрель апреля",
    "may mai mayo maggio mei май мая",
    "june juni juin junio giugno июнь июня",  # codespell:ignore
    "july juli juillet julio luglio июль июля",  # codespell:ignore
    "august août agosto augustus август августа",
    "september septembre septiembre setiembre settembre сентябрь сентября",
    "october oktober octobre octubre ottobre октябрь октября",  # codespell:ignore
    "november novembre noviembre ноябрь ноября",
    "december dezember décembre diciembre dicembre декабрь декабря",  # codespell:ignore
)


def parse_date(text: str) -> tuple[str, int]:
    """Return the date of a tag value as "YYYY.MM.DD", and its DateQuality.

    Never raises: a value that is not a date gives "????.??.??" and 0. No "?" becomes a digit.
    """
    standard = re.fullmatch(_STANDARD_FORM, text)
    if standard:
        year, month, day = map(_group, standard.groups())
        # Some programs write "00" for "??": clear, but not the standard form.
        is_standard = (year, month, day) == standard.groups()
        return _grade((year, month, day), _STANDARD if is_standard else _ONE_READING)
    if len(text) > _MAX_CHARS:
        return UNKNOWN_DATE, 0
    # In small letters without accents, with ASCII digits and dashes, without a time of day.
    tidy = re.sub(_SPACED_SEPARATOR, r"\1", " ".join(_fold(text).split()))
    tidy = re.sub(_TIME_OF_DAY, "", tidy).rstrip(".,")
    readers = _read_year_first, _read_year_last, _read_short_year, _read_days, _read_words
    reading = next(filter(None, (read(tidy) for read in readers)), None)
    return _grade(*reading) if reading else (UNKNOWN_DATE, 0)


def _grade(parts: _Parts, certainty: int) -> tuple[str, int]:
    """Return the text and the quality of a reading; an impossible date is repaired."""
    possible = parts if _is_possible(parts) else _repair(parts)
    text = ".".join(possible)
    if text == UNKNOWN_DATE:
        return text, 0
    known_parts = next((index for index, part in enumerate(possible) if "?" in part), 3)
    return text, 10 * known_parts + (certainty if possible == parts else _GUESS)


# The calendar


def _fits(pattern: str, number: int) -> bool:
    digits = str(number).zfill(len(pattern))
    return all(mark in ("?", digit) for mark, digit in zip(pattern, digits, strict=True))


@lru_cache(maxsize=256)
def _years(pattern: str) -> tuple[int, ...]:
    # Cached: one date needs it several times, and most incomplete dates have "????".
    return tuple(year for year in range(_FIRST_YEAR, _LAST_YEAR + 1) if _fits(pattern, year))


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _is_possible(parts: _Parts) -> bool:
    """Return whether a day of the calendar matches these digits, where "?" is any digit."""
    years = _years(parts[0])
    months = [month for month in range(1, 13) if _fits(parts[1], month)]
    if not years or not months:
        return False
    longest = max(
        _MONTH_DAYS[month - 1] + (month == 2 and any(map(_is_leap, years))) for month in months
    )
    return any(_fits(parts[2], day) for day in range(1, longest + 1))


def _repair(parts: _Parts) -> _Parts:
    """Return a possible date: swap month and day, or replace impossible parts by "?"."""
    year, month, day = parts
    if not _years(year):
        year = "????"
    if not _is_possible((year, month, "??")):
        day_is_month = "?" not in day and _is_possible((year, day, "??"))
        is_swapped = day_is_month and _is_possible((year, "??", month))
        # A day without a valid month means nothing.
        month, day = (day, month) if is_swapped else ("??", "??")
    return (year, month, day) if _is_possible((year, month, day)) else (year, month, "??")


# Tidying


def _fold(text: str) -> str:
    # Decompose after casefold(), which makes letters with accents, too.
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(_fold_char(char) for char in decomposed)


def _fold_char(char: str) -> str:
    if char.isascii():
        return char
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    category = unicodedata.category(char)
    if category == "Pd" or char == "\N{MINUS SIGN}":
        return "-"
    if char == "\N{RIGHT SINGLE QUOTATION MARK}":
        return "'"
    # Cf: left-to-right marks and the like, pasted in from web pages.
    return "" if category in ("Mn", "Cf") else char


def _group(digits: str) -> str:
    """Return a year, month or day at its full width; zeros become "?"."""
    if digits in ("?", "0", "00"):
        return "??"
    return "????" if digits == "0000" else digits.zfill(2)


# Forms of digits only


def _read_year_first(text: str) -> _Reading | None:
    if re.fullmatch(_YEAR, text):
        return (_group(text), "??", "??"), _ONE_READING
    pair = re.fullmatch(_YEAR_MONTH, text)
    if pair:
        return _year_and_month(pair[1], pair[2])
    triple = re.fullmatch(_YEAR_FIRST, text)
    if triple:
        return (_group(triple[1]), _group(triple[3]), _group(triple[4])), _ONE_READING
    compact = re.fullmatch(_COMPACT, text)
    if not compact:
        return None
    # Eight digits that are not a possible date may be any number.
    parts = _group(compact[1]), _group(compact[2]), _group(compact[3])
    return (parts, _ONE_READING) if _is_possible(parts) else None


def _read_year_last(text: str) -> _Reading | None:
    pair = re.fullmatch(_MONTH_YEAR, text)
    if pair:
        return _year_and_month(pair[2], pair[1])
    triple = re.fullmatch(_YEAR_LAST, text)
    return _day_or_month_first(triple[1], triple[3], _group(triple[4])) if triple else None


def _read_short_year(text: str) -> _Reading | None:
    alone = re.fullmatch(_SHORT_YEAR, text)
    if alone:
        return (_full_year(alone[1]), "??", "??"), _GUESS
    triple = re.fullmatch(_SHORT_YEAR_TRIPLE, text)
    if not triple:
        return None
    first, second, third = triple[1], triple[3], triple[4]
    if _is_year_only(first):
        return (_full_year(first), _group(second), _group(third)), _GUESS
    parts, _ = _day_or_month_first(first, second, _full_year(third))
    return parts, _GUESS


def _year_and_month(year: str, month: str, certainty: int = _ONE_READING) -> _Reading | None:
    # Not repaired: "1998/99" is a season, not a month.
    parts = _group(year), _group(month), "??"
    return (parts, certainty) if _is_possible(parts) else None


def _day_or_month_first(first: str, second: str, year: str) -> _Reading:
    """Return day first, as European sources write, unless only month first is possible.

    American sources write month first, mostly with "/". If both orders are possible and differ,
    the result is a guess.
    """
    day_first = year, _group(second), _group(first)
    month_first = year, _group(first), _group(second)
    if not _is_possible(month_first) or day_first == month_first:
        return day_first, _ONE_READING
    if not _is_possible(day_first):
        return month_first, _ONE_READING
    return day_first, _GUESS


def _is_year_only(digits: str) -> bool:
    return digits.isdecimal() and int(digits) > 31


def _full_year(digits: str) -> str:
    if not digits.isdecimal() or len(digits) != 2:
        return "????"
    return ("20" if int(digits) < 30 else "19") + digits


# Several days, and months in words


def _read_days(text: str) -> _Reading | None:
    """Read "12-14.03.1998" and "1998.03.12-15": the month is known, the day is not."""
    year_first = re.fullmatch(_DAYS_YEAR_FIRST, text)
    if year_first:
        return _year_and_month(year_first[1], year_first[3], _GUESS)
    year_last = re.fullmatch(_DAYS_YEAR_LAST, text)
    return _year_and_month(year_last[3], year_last[2], _GUESS) if year_last else None


_MONTH_NAMES = tuple(_fold(line).split() for line in _MONTH_LINES)


def _month_named(word: str) -> str | None:
    """Return the month whose name begins with the word; None for no or several ("jui")."""
    months = [
        f"{month:02}"
        for month, names in enumerate(_MONTH_NAMES, start=1)
        if any(name.startswith(word) for name in names)
    ]
    return months[0] if len(months) == 1 and len(word) >= 3 else None


def _read_words(text: str) -> _Reading | None:
    """Read "March 1998", "12 Mar 1998", "Mar 12, 1998", "12-14 March 1998"."""
    if not re.fullmatch(_WORDED_DATE, text):
        return None
    tokens = re.findall(_WORD_OR_NUMBER, text)
    numbers = [token for token in tokens if token[0] in "0123456789?"]
    words = [token for token in tokens if token not in numbers and token not in _FILLERS]
    month = _month_named(words[0]) if len(words) == 1 else None
    return _month_and_numbers(month, numbers) if month else None


def _month_and_numbers(month: str, numbers: list[str]) -> _Reading | None:
    full_years = [number for number in numbers if len(number) == 4]
    others = [number for number in numbers if len(number) <= 2]
    if len(full_years) > 1 or len(full_years) + len(others) != len(numbers):
        return None
    if not full_years:
        if len(others) == 1 and _is_year_only(others[0]):
            return (_full_year(others[0]), month, "??"), _GUESS
        if len(others) != 2:
            return None
        day, short = reversed(others) if _is_year_only(others[0]) else others
        return (_full_year(short), month, _group(day)), _GUESS
    year = _group(full_years[0])
    if len(others) <= 1:
        day = _group(others[0]) if others else "??"
        return (year, month, day), _ONE_READING
    return ((year, month, "??"), _GUESS) if len(others) == 2 else None
