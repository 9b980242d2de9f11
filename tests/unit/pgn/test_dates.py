"""Dates: every form that is read, every form that is refused, and the laws of the result."""

from __future__ import annotations

import datetime
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.pgn.dates import UNKNOWN_DATE, parse_date

PGN_DATE = re.compile(r"[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
QUALITIES = {0, 1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33}

real_dates = st.dates(datetime.date(1400, 1, 1), datetime.date(2099, 12, 31))
date_like = st.text("0123456789?.-/ ,':tTmarMAR\u2013\u0663", max_size=24)
worded = st.lists(
    st.sampled_from(["12", "3", "98", "1998", "mar", "März", "июня", "th", "-", ".", " ", "??"]),
    max_size=8,
).map("".join)
standard_form = st.from_regex(r"[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "quality"),
    [
        ("1998.03.12", 33),
        ("2000.02.29", 33),
        ("1998.03.??", 23),
        ("1998.03.1?", 23),
        ("1998.??.??", 13),
        ("1998.??.12", 13),
        ("1998.1?.05", 13),
        ("199?.??.??", 3),
        ("????.03.12", 3),
        ("????.02.29", 3),
        ("????.??.??", 0),
    ],
)
def test_standard_form_stays(text: str, quality: int) -> None:
    assert parse_date(text) == (text, quality)


@pytest.mark.parametrize(
    ("text", "date", "quality"),
    [
        ("1998.02.30", "1998.02.??", 21),
        ("1900.02.29", "1900.02.??", 21),
        ("1998.13.05", "1998.05.13", 31),
        ("1998.30.02", "1998.02.??", 21),
        ("1998.13.??", "1998.??.??", 11),
        ("1998.14.13", "1998.??.??", 11),
        ("1998.??.32", "1998.??.??", 11),
        ("2919.03.12", "????.03.12", 1),
        ("1998.00.00", "1998.??.??", 12),
        ("1998.03.00", "1998.03.??", 22),
        ("0000.00.00", UNKNOWN_DATE, 0),
    ],
)
def test_impossible_standard_form_is_repaired(text: str, date: str, quality: int) -> None:
    assert parse_date(text) == (date, quality)


@pytest.mark.parametrize(
    ("text", "date", "quality"),
    [
        ("1998", "1998.??.??", 12),
        ("199?", "199?.??.??", 2),
        ("????", UNKNOWN_DATE, 0),
        ("1998.03", "1998.03.??", 22),
        ("1998-??", "1998.??.??", 12),
        ("03/1998", "1998.03.??", 22),
        ("1998-3-12", "1998.03.12", 32),
        ("1998.3.12", "1998.03.12", 32),
        ("1998/03/12", "1998.03.12", 32),
        ("1998 03 12", "1998.03.12", 32),
        (" 1998.03.12 ", "1998.03.12", 32),
        ("1998.?.?", "1998.??.??", 12),
        ("1998-??-??", "1998.??.??", 12),
        ("1998-02-30", "1998.02.??", 21),
        ("1998-13-05", "1998.05.13", 31),
        ("19980312", "1998.03.12", 32),
        ("1998-03-12T14:30:00Z", "1998.03.12", 32),
        ("1998-03-12 14:30:00.5 +02:00", "1998.03.12", 32),
        ("1998.03.12 14:30", "1998.03.12", 32),
        ("19980312T1430", UNKNOWN_DATE, 0),
        ("12.03.1998 2:30 pm", "1998.03.12", 31),
    ],
)
def test_year_first(text: str, date: str, quality: int) -> None:
    assert parse_date(text) == (date, quality)


@pytest.mark.parametrize(
    ("text", "date", "quality"),
    [
        ("13.03.1998", "1998.03.13", 32),
        ("13. 3. 1998", "1998.03.13", 32),
        ("03/13/1998", "1998.03.13", 32),
        ("03.03.1998", "1998.03.03", 32),
        ("03.04.1998", "1998.04.03", 31),
        ("03/04/1998", "1998.04.03", 31),
        ("??.03.1998", "1998.03.??", 21),
        ("??.??.1998", "1998.??.??", 12),
        ("31.02.1998", "1998.02.??", 21),
        ("02/30/1998", "1998.02.??", 21),
        ("45.03.1998", "1998.03.??", 21),
        ("13.14.1998", "1998.??.??", 11),
    ],
)
def test_year_last_is_day_first_unless_impossible(text: str, date: str, quality: int) -> None:
    assert parse_date(text) == (date, quality)


@pytest.mark.parametrize(
    ("text", "date", "quality"),
    [
        ("98", "1998.??.??", 11),
        ("'05", "2005.??.??", 11),
        ("29", "2029.??.??", 11),
        ("30", "1930.??.??", 11),
        ("12.3.98", "1998.03.12", 31),
        ("13.3.98", "1998.03.13", 31),
        ("98.03.12", "1998.03.12", 31),
        ("3/13/98", "1998.03.13", 31),
        ("01.02.03", "2003.02.01", 31),
        ("12 Mar 98", "1998.03.12", 31),
        ("98-Mar-12", "1998.03.12", 31),
        ("March 98", "1998.03.??", 21),
        ("Mar '98", "1998.03.??", 21),
    ],
)
def test_two_digit_year_is_a_guess(text: str, date: str, quality: int) -> None:
    assert parse_date(text) == (date, quality)


@pytest.mark.parametrize(
    ("text", "date", "quality"),
    [
        ("March 1998", "1998.03.??", 22),
        ("12 Mar 1998", "1998.03.12", 32),
        ("Mar. 12, 1998", "1998.03.12", 32),
        ("12-MAR-1998", "1998.03.12", 32),
        ("1998-Mar-12", "1998.03.12", 32),
        ("12th of March 1998", "1998.03.12", 32),
        ("?? March 1998", "1998.03.??", 22),
        ("31 Feb 1998", "1998.02.??", 21),
        ("12. März 1998", "1998.03.12", 32),
        ("12 MÄR 1998", "1998.03.12", 32),
        ("1er août 1998", "1998.08.01", 32),
        ("févr. 1998", "1998.02.??", 22),
        ("12 de enero de 1998", "1998.01.12", 32),
        ("1º maggio 1998", "1998.05.01", 32),
        ("12 mrt 1998", "1998.03.12", 32),
        ("12 mei 1998", "1998.05.12", 32),
        ("12 Марта 1998 г.", "1998.03.12", 32),
        ("май 1998", "1998.05.??", 22),
        ("12 июн 1998", "1998.06.12", 32),
        ("jui 1998", UNKNOWN_DATE, 0),
        ("March", UNKNOWN_DATE, 0),
        ("March 12", UNKNOWN_DATE, 0),
    ],
)
def test_month_in_words(text: str, date: str, quality: int) -> None:
    assert parse_date(text) == (date, quality)


@pytest.mark.parametrize(
    "text",
    ["12-14.03.1998", "12.-14.3.1998", "1998.03.12-15", "12-14 March 1998", "March 12-14, 1998"],
)
def test_several_days_leave_the_month(text: str) -> None:
    assert parse_date(text) == ("1998.03.??", 21)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "?",
        "Spring 1998",
        "1998/99",
        "rubbish",
        "1300",
        "2100",
        "1.2.3",
        "192.168.100.1",
        "12345678",
        "1998.03.12.1",
        "²",
        "5",
        "1998 1999",
        "12 Mar Apr 1998",
        "1" * 10_000,
    ],
)
def test_no_date(text: str) -> None:
    assert parse_date(text) == (UNKNOWN_DATE, 0)


@pytest.mark.parametrize(
    "text",
    [
        "1998\u201303\u201312",
        "1998\u221203\u221212",
        "\uff11998.03.12",
        "١٩٩٨-٠٣-١٢",
        "\u200e1998-03-12",
        "1998\u00a003\u00a012",
    ],
)
def test_unicode_digits_dashes_and_spaces(text: str) -> None:
    assert parse_date(text) == ("1998.03.12", 32)


@given(st.one_of(st.text(), date_like, worded, standard_form))
def test_result_has_the_pgn_form(text: str) -> None:
    date, quality = parse_date(text)
    assert PGN_DATE.fullmatch(date)
    assert quality in QUALITIES
    assert (quality == 0) == (date == UNKNOWN_DATE)


@given(st.one_of(st.text(), date_like, worded, standard_form))
def test_reading_a_result_again_changes_nothing(text: str) -> None:
    date, quality = parse_date(text)
    again, quality_again = parse_date(date)
    assert again == date
    assert quality_again == (quality // 10 * 10 + 3 if quality else 0)


@given(standard_form)
def test_an_unknown_digit_is_never_made_known(text: str) -> None:
    known = sorted(text.replace("?", ""))
    for char in parse_date(text)[0].replace("?", ""):
        known.remove(char)


@given(real_dates)
def test_calendar_dates_are_fixed_points(day: datetime.date) -> None:
    text = day.strftime("%Y.%m.%d")
    assert parse_date(text) == (text, 33)


@given(real_dates, st.data())
def test_calendar_dates_with_hidden_digits_are_fixed_points(
    day: datetime.date, data: st.DataObject
) -> None:
    hidden = data.draw(st.sets(st.sampled_from([0, 1, 2, 3, 5, 6, 8, 9])))
    text = "".join(
        "?" if place in hidden else char for place, char in enumerate(day.strftime("%Y.%m.%d"))
    )
    assert parse_date(text)[0] == text


@given(real_dates)
def test_one_day_in_many_forms(day: datetime.date) -> None:
    expected = (day.strftime("%Y.%m.%d"), 32)
    year, month, number = day.year, day.month, day.day
    name = MONTHS[month - 1]
    for text in (
        f"{year}-{month}-{number}",
        f"{year}/{month:02}/{number:02}",
        f"{year}{month:02}{number:02}",
        f"{number} {name} {year}",
        f"{name} {number}, {year}",
    ):
        assert parse_date(text) == expected
