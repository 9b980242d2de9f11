"""Convert dates, results and komi of a Go record between `DT`, `RE` and `KM` values and columns.

Must not know which game or file a value came from.

SGF FF[4], `DT`: "YYYY-MM-DD ... Partial dates are allowed: "YYYY" - game was played in YYYY,
"YYYY-MM" - game was played in YYYY, month MM"; more days follow after commas, each without the
parts that equal those of the day before: "1996-05-06,07,08". `RE`: "0" or "Draw", "B+" and "W+"
with the margin, "Void", "?". The sections below read values in words.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# Dates in Chinese, Japanese and Korean records (2003年5月6日, 昭和45年3月2日): the signs of
# year, month and day, and the Japanese eras from Meiji on. _possible() checks the calendar later.

# Name -> the year before its first year, and its last year; a later year is an error.
_ERAS = {
    "明治": (1867, 45), "大正": (1911, 15), "昭和": (1925, 64), "平成": (1988, 31),
    "令和": (2018, 81),
}  # fmt: skip
_FIRST_SOLAR_YEAR = 1873  # Japan adopted the Gregorian calendar; months before are lunar

# Patterns stay text: re compiles each once, when first used, so import is cheap.
# The sign of the day may follow several days: 6-7日.
_DAY = (
    rf"(?:(?P<year>[0-9?]{{4}})|(?P<era>{'|'.join(_ERAS)}) ?(?P<of_era>[0-9]{{1,2}}|元)) ?[年년]"
    r"(?: ?(?P<month>[0-9?]{1,2}) ?[月월]"
    r"(?: ?(?P<day>[0-9?]{1,2}) ?(?:[日号號일]|(?= ?[-~〜・,、] ?[0-9])))?)?"
)


class FirstDay(NamedTuple):
    """Year, month and day as digits ("??" if missing), and the text that follows.

    `has_signs`: written with East Asian signs; `is_lunar`: month and day are left out, since they
    belong to the lunar calendar.
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
    year = match["year"]
    if not year:
        before, last = _ERAS[match["era"]]
        years = 1 if match["of_era"] == "元" else int(match["of_era"])
        if not 1 <= years <= last:
            return None
        year = str(before + years)
    is_lunar = match["era"] is not None and int(year) < _FIRST_SOLAR_YEAR
    numbers = (match[name] or "?" for name in ("month", "day"))
    month, day = ("??" if number == "?" else number.rjust(2, "0") for number in numbers)
    parts = (year, "??", "??") if is_lunar else (year, month, day)
    is_day = match["day"] is not None
    return FirstDay(parts, text[match.end() :], is_day, has_signs=True, is_lunar=is_lunar)


# Results in words, as servers write them in English, Chinese, Japanese and Korean. A text with an
# unknown word is ignored.

WHITE, BLACK, DRAW = "W", "B", "0"

_DRAWS = frozenset(
    ("0", "draw", "drawn", "jigo", "tie", "和", "和棋", "和局", "平局", "持碁", "持棋", "ジゴ")
).union(("持碁ジゴ", "引き分け", "引分け", "引分", "무승부", "비김", "화국"))
_COLOURS = {
    "b": BLACK, "black": BLACK, "黑": BLACK, "黒": BLACK, "흑": BLACK,
    "w": WHITE, "white": WHITE, "白": WHITE, "백": WHITE,
}  # fmt: skip
LONGEST_TEXT = 80  # a longer text is not a result
_OPPONENT = {BLACK: WHITE, WHITE: BLACK}

# Brackets, stops, and the number of moves ("共254手", "254手完").
_NOISE = r"[()\[\]:,。、]|\.$|!$|共?[0-9]+手(?:完|止|终|終|まで|で)?"
_POINTS = r"[0-9]+(?:[./\u2044][0-9]+)*"
_MARGIN = (
    r"(?:の|で|以)?[0-9./\u2044\u3007一二三四五六七八九十百半又分之目子点點路집반점호]+"
    r"(?:差|の|で|차|로)?"
)
_MANNER = (
    r"(?:の|で)?(?:中盘|中盤|中押し?|불계|기권|시간|반칙|超时|超時|时间|時間切れ|時間|反則|犯规)"
    r"(?:で|로)?"
)
_EAST_ASIAN = (
    r"(?P<colour>[黑黒白흑백])(?:方|棋|番|번|이|의)?"
    rf"(?:(?:{_MARGIN}|{_MANNER})?(?:(?P<wins>获胜|獲勝|胜利|勝利|勝ち|胜|勝|赢|贏|승리|승)"
    rf"(?:{_MARGIN}|{_MANNER})?|(?:负|負け|負|败|敗|패배|패))"
    r"|认输|認輸|投了|投子|投子认输|投子認輸|弃权|棄権|기권)"
)
_REASON = (
    rf"(?:by|on|with|in)?(?:resign(?:ation)?|time(?:out)?|forfeit|timeforfeit|default|"
    rf"(?:halfa?|{_POINTS})(?:points?|pts?|moku|stones?|zi)?)"
)
_ENGLISH = (
    rf"(?P<colour>black|white|b|w)(?:(?P<wins>wins?|won)(?:{_REASON})?"
    rf"|\+(?P<plus>(?:{_REASON}|r|t|f)?)"
    rf"|resign(?:s|ed)?|forfeit(?:s|ed)?|(?:loses|lost)(?:{_REASON})?)"
)


def winner_in_words(text: str) -> str | None:
    """Return the result in a text: WHITE, BLACK or DRAW; None if it is not certain."""
    if len(text) > LONGEST_TEXT:
        return None
    squeezed = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    plain = re.sub(_NOISE, "", squeezed)
    if squeezed in _DRAWS or plain in _DRAWS:
        return DRAW
    match = re.fullmatch(_EAST_ASIAN, plain) or re.fullmatch(_ENGLISH, plain)
    if match is None:
        return None
    groups = match.groupdict()
    colour = _COLOURS[match["colour"]]
    has_won = groups["wins"] or groups.get("plus") is not None
    return colour if has_won else _OPPONENT[colour]


UNKNOWN_DATE = "????.??.??"

# The certainty of a reading: the last digit of DateQuality (schema/README.md).
_STANDARD, _ONE_READING, _GUESS = 3, 2, 1

_WHITE_WINS, _BLACK_WINS, _DRAW, _UNDECIDED = "1-0", "0-1", "1/2-1/2", "*"
_RE_VALUES = {_WHITE_WINS: "W+", _BLACK_WINS: "B+", _DRAW: "0"}
_RESULTS: dict[str | None, str] = {
    WHITE: _WHITE_WINS, BLACK: _BLACK_WINS, DRAW: _DRAW, None: _UNDECIDED,
}  # fmt: skip

# The oldest record is from the end of the Han dynasty; an earlier year is an error.
_FIRST_YEAR, _LAST_YEAR = 100, 2099
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_FIRST_DAY = r"([0-9?]{4})(?:-([0-9?]{2})(?:-([0-9?]{2}))?)?(?![0-9])"
_MORE_DAYS = r"(?:, ?(?:[0-9]{4}(?:-[0-9]{2}){0,2}|[0-9]{2}(?:-[0-9]{2})?))*"
_ABOUT = r"(?:(?:c|ca|circa)\b\.?|约|約|약) ?"
_DOUBT = r"\?|\bor\b|或|頃|ころ|ごろ|左右|경(?!기)"
# Only this may follow a year or month without a day; else the text may hold a day.
_AFTER_PART = r" ?(?:[?+~]|\.\.|or\b|頃|ころ|ごろ|左右|경(?!기))"
# "Summer 1857", "mid-1846", "ca. 800", "196 AD"; no other form has a year of three digits.
_WORDED_YEAR = (
    r"(?:(?P<about>(?:c|ca|circa|about|around)\b\.?) ?|(?:early|mid|late)[ -]"
    r"|(?:spring|summer|autumn|fall|winter) (?:of )?|(?=\d+ ?(?:AD|CE)\b))"
    r"(?P<year>\d{3,4})(?: ?(?:AD|CE))?"
)


def read_date(text: str) -> tuple[str, int]:
    """Return the first day of a DT value as "YYYY.MM.DD", and its DateQuality.

    Never raises: a text that is not a date gives "????.??.??" and 0. No "?" becomes a digit.
    """
    text = text.strip()
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text).strip()
    about = re.match(_ABOUT, plain, re.IGNORECASE)
    start = plain[about.end() :] if about else plain
    day = _first_day(start)
    certainty = None if day is None else _certainty_of(day)
    if day is None or certainty is None:
        return _worded_year(plain)
    if day.is_lunar or about:
        certainty = _GUESS
    elif plain != text or day.has_signs:
        certainty = min(certainty, _ONE_READING)
    return _graded(day.parts, certainty)


def _worded_year(text: str) -> tuple[str, int]:
    match = re.fullmatch(_WORDED_YEAR, text, re.IGNORECASE | re.ASCII)
    if match is None:
        return UNKNOWN_DATE, 0
    year = (match["year"].zfill(4), "??", "??")
    return _graded(year, _GUESS if match["about"] else _ONE_READING)


def _first_day(text: str) -> FirstDay | None:
    """Return the day at the start of a text, in the form of SGF or with East Asian signs."""
    day = None if text.isascii() else east_asian_day(text)
    if day is not None:
        return day
    match = re.match(_FIRST_DAY, text)
    if match is None:
        return None
    parts = (match[1], match[2] or "??", match[3] or "??")
    return FirstDay(parts, text[match.end() :], is_day=match[3] is not None)


def _certainty_of(day: FirstDay) -> int | None:
    """Rate a date by the text after it; None if that text may be a part of the date."""
    if re.fullmatch(_MORE_DAYS, day.rest):
        return _ONE_READING if " " in day.rest else _STANDARD
    if not day.is_day and not re.match(_AFTER_PART, day.rest):
        return None
    return _GUESS if re.search(_DOUBT, day.rest) else _ONE_READING


def _graded(parts: tuple[str, str, str], certainty: int) -> tuple[str, int]:
    """Return the text and the quality of a date; parts that the calendar lacks become "?"."""
    year, month, day = (re.sub("^0+$", lambda zeros: "?" * len(zeros[0]), part) for part in parts)
    if (year, month, day) != parts:
        certainty = min(certainty, _ONE_READING)  # some programs write "00" for an unknown part
    possible = _possible(year, month, day)
    if possible != (year, month, day):
        certainty = _GUESS
    date = ".".join(possible)
    if date == UNKNOWN_DATE:
        return date, 0
    known_parts = next((index for index, part in enumerate(possible) if "?" in part), 3)
    return date, 10 * known_parts + certainty


def _possible(year: str, month: str, day: str) -> tuple[str, str, str]:
    """Return the possible parts of a date, "?" for the others; a day needs a possible month."""
    if not _fits(year, _FIRST_YEAR, _LAST_YEAR):
        return "????", "??", "??"
    if not _fits(month, 1, 12):
        return year, "??", "??"
    longest = max(
        days for number, days in enumerate(_MONTH_DAYS, start=1) if _fits(month, number, number)
    )
    if month == "02" and year.isdecimal() and not _is_leap(int(year)):
        longest = 28
    return year, month, day if _fits(day, 1, longest) else "??"


def _fits(digits: str, first: int, last: int) -> bool:
    """Return whether a number in the range matches the digits, where "?" is any digit."""
    if digits.isdecimal():
        return first <= int(digits) <= last
    pattern = digits.replace("?", "[0-9]")
    width = len(digits)
    return any(re.fullmatch(pattern, f"{number:0{width}}") for number in range(first, last + 1))


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def date_value(date: str) -> str:
    """Return the DT value for a Date column, "" for an unknown date."""
    parts = date.split(".")
    while parts and not parts[-1].strip("?"):
        parts.pop()
    return "-".join(parts)


def read_result(text: str) -> str:
    """Return the Result for an RE value; "*" if it names neither a winner nor a draw."""
    start = text[:2]
    if start not in ("W+", "B+"):
        squeezed = "".join(unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).split())
        start = squeezed[:2].upper()
    result = {"W+": _WHITE_WINS, "B+": _BLACK_WINS}.get(start)
    return result or _RESULTS[winner_in_words(text)]


def shown_result(result: str | None, text: str | None) -> str | None:
    """Return the RE value to write, None if there is none.

    `text`: the tag RE, None if the game has none. It is written unless `result`, the column, has
    been changed since.
    """
    if text is None or read_result(text) != (result or _UNDECIDED):
        return result_value(result) or None
    return text


def result_value(result: str | None) -> str:
    """Return the RE value for a Result column, "" for "*" or None."""
    return _RE_VALUES.get(result or _UNDECIDED, "")


# FF[4], `KM`: "Real". Fox writes hundredths, and Chinese records count stones, each two points:
# 375 and 3.75 are 7.5 points. Only stones have quarters.
_KOMI = r"[+-]?[0-9]{1,6}(?:[.,][0-9]{0,6})?"
_KOMI_IN_WORDS = (
    r"[贴貼]?(?:コミ)?(?P<whole>[0-9]{1,3})(?:又(?P<part>[0-9])/(?P<parts>[1-9]))?"
    r"(?P<unit>[子目点點집])(?P<half>[半반])?"
)
_LEAST_HUNDREDTHS = 100  # no komi has so many points
_CHINESE_DIGITS = str.maketrans("一二三四五六七八九", "123456789")


def komi_points(text: str) -> float | None:
    """Return the points that a KM value means; None if it is not a number."""
    plain = "".join(unicodedata.normalize("NFKC", text).split()).replace("\u2044", "/")
    in_words = re.fullmatch(_KOMI_IN_WORDS, plain.translate(_CHINESE_DIGITS))
    if re.fullmatch(_KOMI, plain, re.ASCII):
        komi = float(plain.replace(",", "."))
    elif in_words:
        part, parts = in_words["part"] or 0, in_words["parts"] or 1
        komi = int(in_words["whole"]) + int(part) / int(parts) + 0.5 * bool(in_words["half"])
    else:
        return None
    if abs(komi) >= _LEAST_HUNDREDTHS:
        komi /= 100
    are_stones = komi % 0.5 == 0.25 or (in_words is not None and in_words["unit"] == "子")
    return 2 * komi if are_stones else komi
