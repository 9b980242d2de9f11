"""DT and RE: what values of real files mean, and that nothing is said that they do not say."""

import datetime
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.pgn.dates import parse_date
from ocgdedup.sgf.root_values import (
    UNKNOWN_DATE,
    date_value,
    read_date,
    read_result,
    result_value,
)

real_dates = st.dates(datetime.date(1400, 1, 1), datetime.date(2099, 12, 31))


@pytest.mark.parametrize(
    ("text", "date", "quality"),
    [
        ("1996-05-06", "1996.05.06", 33),
        ("1996-05", "1996.05.??", 23),
        ("1996", "1996.??.??", 13),
        (" 1996-05-06 ", "1996.05.06", 33),
        ("1996-05-06,07,08", "1996.05.06", 33),
        ("1996-05-06, 07", "1996.05.06", 32),
        ("1996-05-27,28,06-01", "1996.05.27", 33),
        ("1996-12-27,1997-01-03", "1996.12.27", 33),
        ("1996-05,06", "1996.05.??", 23),
        ("1999-12,2000-01", "1999.12.??", 23),
        ("1995,1996", "1995.??.??", 13),
        ("2001-09-08 19:30", "2001.09.08", 32),
        ("1846-09-11..14", "1846.09.11", 32),
        ("1846-09-11~14", "1846.09.11", 32),
        ("1846-09-11 (Koka 3 VII 21)", "1846.09.11", 32),
        ("1846-09-11 or 12", "1846.09.11", 31),
        ("1846-09-11?", "1846.09.11", 31),
        ("1846?", "1846.??.??", 11),
        ("ca. 1670", "1670.??.??", 11),
        ("c. 1670", "1670.??.??", 11),
        ("1846+", "1846.??.??", 12),
        ("1996-05-00", "1996.05.??", 22),
        ("1996-00-00", "1996.??.??", 12),
        ("1996-??-??", "1996.??.??", 13),
        ("199?", "199?.??.??", 3),
        ("1996-02-30", "1996.02.??", 21),
        ("2000-02-29", "2000.02.29", 33),
        ("1900-02-29", "1900.02.??", 21),
        ("1996-13-05", "1996.??.??", 11),
        ("1998-99", "1998.??.??", 11),
    ],
)
def test_first_day_is_read(text, date, quality):
    assert read_date(text) == (date, quality)


@pytest.mark.parametrize(
    "text",
    [
        "", "?", "none", "Not played", "Summer 1846", "960+", "196 AD", "ca. 196", "14-05-2001",
        "1996.05.06", "1996/05/06", "19960506", "1996-5-6", "1996 May 6", "1996-051", "2917-01-02",
        "0000-00-00", "????-??-??", "1996-05.06", "cabbage 1996",
    ],
)  # fmt: skip
def test_other_forms_are_left_to_others(text):
    assert read_date(text) == (UNKNOWN_DATE, 0)


@given(real_dates, st.sampled_from([4, 7, 10]))
def test_date_and_value_say_the_same(day, length):
    value = day.isoformat()[:length]
    date, quality = read_date(value)
    assert quality == {4: 13, 7: 23, 10: 33}[length]
    assert date_value(date) == value


@given(st.text("0123456789?-, .~c", max_size=16))
def test_any_text_gives_a_date_that_stands(text):
    date, quality = read_date(text)
    assert re.fullmatch(r"[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}", date)
    assert (date == UNKNOWN_DATE) == (quality == 0)
    assert parse_date(date)[0] == date
    assert read_date(date_value(date))[0] == date
    assert set(re.findall("[0-9]", date)) <= set(text)


@pytest.mark.parametrize(
    ("date", "value"),
    [(UNKNOWN_DATE, ""), ("1996.??.06", "1996-??-06"), ("199?.??.??", "199?"), ("", "")],
)
def test_a_date_as_value(date, value):
    assert date_value(date) == value


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("W+R", "1-0"), ("W+", "1-0"), ("W+3.5", "1-0"), ("B+Resign", "0-1"), ("b+2", "0-1"),
        ("B +2", "0-1"), ("\uff37\uff0b\uff12", "1-0"), ("0", "1/2-1/2"), ("Draw", "1/2-1/2"),
        ("Jigo", "1/2-1/2"), (" jigo ", "1/2-1/2"), ("Void", "*"), ("?", "*"), ("", "*"),
        ("X+", "*"), ("W", "*"), ("White", "*"), ("0.5", "*"), ("Left unfinished", "*"),
    ],
)  # fmt: skip
def test_results(text, result):
    assert read_result(text) == result


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_a_result_and_its_value_say_the_same(result):
    assert read_result(result_value(result)) == result


def test_no_result_is_no_value():
    assert result_value(None) == result_value("*") == ""
