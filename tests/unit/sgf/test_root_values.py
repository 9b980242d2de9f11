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
    komi_points,
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
        ("ca. 196", "0196.??.??", 11),
        ("196 AD", "0196.??.??", 12),
        ("Summer 1846", "1846.??.??", 12),
        ("fall of 2003", "2003.??.??", 12),
        ("mid-1846", "1846.??.??", 12),
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
        "", "?", "none", "Not played", "before 1846", "960+", "196", "196 ADs", "1830s", "c. -100",
        "14-05-2001", "1996.05.06", "1996/05/06", "19960506", "1996-5-6", "1996 May 6", "1996-051",
        "2917-01-02", "0000-00-00", "????-??-??", "1996-05.06", "cabbage 1996",
    ],
)  # fmt: skip
def test_other_forms_are_left_to_others(text):
    assert read_date(text) == (UNKNOWN_DATE, 0)


@pytest.mark.parametrize(
    ("text", "date", "quality"),
    [
        ("2003年5月6日", "2003.05.06", 32),
        ("2003年5月", "2003.05.??", 22),
        ("2003年", "2003.??.??", 12),
        ("2003年05月06日", "2003.05.06", 32),
        ("2003 年 5 月 6 日", "2003.05.06", 32),
        ("2003年5月6日(火)", "2003.05.06", 32),
        ("2003年5月6、7日", "2003.05.06", 32),
        ("2003年5月6～7日", "2003.05.06", 32),
        ("2003年5月6號", "2003.05.06", 32),
        ("2003년 5월 6일", "2003.05.06", 32),
        ("2003년5월", "2003.05.??", 22),
        ("２００３年５月６日", "2003.05.06", 32),
        ("２００３－０５－０６", "2003.05.06", 32),
        ("2003-05-06 東京", "2003.05.06", 32),
        ("昭和45年3月2日", "1970.03.02", 32),
        ("昭和４５年３月", "1970.03.??", 22),
        ("㍼45年3月2日", "1970.03.02", 32),
        ("明治6年1月5日", "1873.01.05", 32),
        ("明治5年11月3日", "1872.??.??", 11),  # the calendar of the moon
        ("大正元年10月1日", "1912.10.01", 32),
        ("平成31年4月30日", "2019.04.30", 32),
        ("令和2年1月1日", "2020.01.01", 32),
        ("2003年5月6日?", "2003.05.06", 31),
        ("2003年5月頃", "2003.05.??", 21),
        ("约2003年", "2003.??.??", 11),
        ("2003年13月6日", "2003.??.??", 11),
        ("2003年2月30日", "2003.02.??", 21),
        ("2003年?月?日", "2003.??.??", 12),
    ],
)
def test_east_asian_dates(text, date, quality):
    assert read_date(text) == (date, quality)
    assert parse_date(date)[0] == date


@pytest.mark.parametrize(
    "text",
    [
        "03年5月6日", "昭和65年3月2日", "昭和0年1月1日", "平成32年1月1日", "文化3年5月6日",
        "2003年春", "2003年5月6", "5月6日", "第45期", "2003年(平成15年)5月6日", "年月日", "昭和年",
    ],
)  # fmt: skip
def test_dates_that_are_half_understood_say_nothing(text):
    assert read_date(text) == (UNKNOWN_DATE, 0)


@given(st.text("0123456789元昭和明治年月日년월일?-～ 、頃", max_size=16))
def test_any_signs_give_a_date_that_stands(text):
    date, quality = read_date(text)
    assert (date == UNKNOWN_DATE) == (quality == 0)
    if date[:4] >= "1400" and "?" not in date[:4]:  # chess is no older
        assert parse_date(date)[0] == date
    assert read_date(date_value(date))[0] == date


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
    if date[:4] >= "1400" and "?" not in date[:4]:  # chess is no older
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


@pytest.mark.parametrize(
    ("result", "texts"),
    [
        (
            "0-1",
            "黑中盘胜 黑中盤勝 黑胜 黑方胜 黑胜3目半 黑胜3.75子 黑胜2又3/4子 黑胜2¾子 黒中押し勝ち "
            "黒番中押し勝ち 黒番2目半勝ち 黒２目半勝ち 黒時間切れ勝ち 흑불계승 흑3집반승 "
            "흑반집승 흑시간승 "
            "흑승 흑번불계승 흑2.5집승 白认输 白認輸 白投了 白中盘负 白超时负 백기권 "
            "백시간패 共254手，黑中盘胜 "
            "254手完白中押し負け BWINS Black+3.5 Black+R"
        ),
        (
            "1-0",
            "白胜3目半 白胜 白中盘胜 白番2目半勝ち 白半目勝ち 白勝 白中押勝 白一目半勝ち 白贏 "
            "白超时胜 "
            "白胜1/4子 白の2目半勝ち 백불계승 백3집반승 백승 黑认输 黑负 黒投了 흑기권패 "
            "흑불계패 White+2"
        ),
        ("1/2-1/2", "Jigo JIGO Draw 和棋 和局 持碁 ジゴ 引き分け 무승부 비김 Tie 持碁(ジゴ)"),
        (
            "*",
            "黑 白 黑3目半 黑贴3目半胜 黑不胜 黑胜白胜 黑胜? 黑胜或和 黑先 白胜黑负 黒白 "
            "無勝負 打掛 打ち掛け 勝ち "
            "中盘胜 흑 백 흑백승 흑승? 불계승 흑선 和? 不和 黑优 黑棋 "
            "Black Blackwins? Blackwinning White+? Bl "
            "Blackmoves whitewinsthematch"
        ),
    ],
)  # fmt: skip
def test_results_in_words(result, texts):
    assert {text: read_result(text) for text in texts.split()} == dict.fromkeys(
        texts.split(), result
    )


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("White wins by resignation", "1-0"), ("White wins by 3.5 points", "1-0"),
        ("W wins on time", "1-0"), ("Black Resign(s)", "1-0"), ("Black resigned", "1-0"),
        ("Black loses on time", "1-0"), ("B wins", "0-1"), ("Black won", "0-1"),
        ("Black wins by half a point.", "0-1"), ("White Resigns", "0-1"), ("W + 3", "1-0"),
        ("White lost by forfeit", "0-1"), ("흑 불계승", "0-1"), ("백 3집반승", "1-0"),
        ("黑 中盘胜", "0-1"), ("白番 中押し勝ち。", "1-0"), ("Black wins or draw", "*"),
        ("Black wins by 3.5 or 4.5", "*"), ("White is winning", "*"), ("Black resigns?", "*"),
        ("Black beats White", "*"), ("White to win", "*"), ("No result", "*"),
        ("White resigns, Black wins", "*"), ("draw?", "*"),
    ],
)  # fmt: skip
def test_results_in_several_words(text, result):
    assert read_result(text) == result


@pytest.mark.parametrize("sign", ["1", "半", "目", "1/", "1手", "中押し", "時間", "共1手"])
@pytest.mark.parametrize("colour", ["黑", "白", "흑", "Black", "Black wins by "])
def test_long_texts_take_no_longer(colour, sign):
    """A pattern that tries all ways to divide such a text would not come to an end."""
    assert read_result(colour + (sign * 70)[: 79 - len(colour)] + "x") == "*"
    assert read_result(colour + sign * 100_000) == "*"


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("6.5", 6.5), ("0", 0), ("-5.50", -5.5), ("6,5", 6.5), ("０.5", 0.5), ("99", 99),
        ("375", 7.5), ("3.75", 7.5), ("650", 6.5), ("750", 7.5), ("325", 6.5), ("-375", -7.5),
        ("2.75", 5.5), ("550", 5.5), ("3又3/4子", 7.5), ("贴2又3/4子", 5.5), ("3子", 6),
        ("6目半", 6.5), ("コミ五目半", 5.5), ("6집반", 6.5), ("7点", 7), ("", None), ("none", None),
        ("6.5.5", None), ("1e5", None), ("3/4", None), ("9" * 5000 + "目", None),
    ],
)  # fmt: skip
def test_komi(text, points):
    """Fox writes hundredths, Chinese records count stones."""
    assert komi_points(text) == points


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_a_result_and_its_value_say_the_same(result):
    assert read_result(result_value(result)) == result


def test_no_result_is_no_value():
    assert result_value(None) == result_value("*") == ""
