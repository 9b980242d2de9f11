"""The root of a record to columns and tags."""

import json

import pytest

from ocgdedup.pgn.dates import parse_date
from ocgdedup.sgf.rows import capitals_of, root_values


def values(*properties):
    return root_values(list(properties), parse_date)


def tags_of(*properties):
    tags = values(*properties).tags
    return json.loads(tags) if tags else {}


def test_columns():
    row = values(
        ("EV", "39th Meijin"), ("PC", "Tokyo"), ("PW", " Cho\nChikun "), ("PB", "Rin\\] Kaiho"),
        ("DT", "1983-02-16,17"), ("RO", "1"), ("TM", "28800"), ("RE", "W+2.5"), ("KM", "5.5"),
    )  # fmt: skip
    assert row[:-1] == (
        "39th Meijin", "Tokyo", "Cho Chikun", "Rin] Kaiho", "1983.02.16", 33, "1", "28800", "1-0",
    )  # fmt: skip
    assert json.loads(row.tags) == {"DT": "1983-02-16,17", "RE": "W+2.5", "KM": "5.5"}


def test_empty_record():
    assert values() == ("", "", "", "", "????.??.??", 0, "", "", "*", None)


@pytest.mark.parametrize(
    ("text", "date", "is_kept"),
    [
        ("1983-02-16", "1983.02.16", False), ("1983-02", "1983.02.??", False),
        ("1983", "1983.??.??", False), ("1983-02-16,17", "1983.02.16", True),
        ("16 Feb 1983", "1983.02.16", True), ("long ago", "????.??.??", True),
        ("1846-09-11", "1846.09.11", False),
    ],
)  # fmt: skip
def test_dates(text, date, is_kept):
    row = values(("DT", text))
    assert row.date == date
    assert (row.tags is not None) == is_kept


@pytest.mark.parametrize(
    ("text", "result", "is_kept"),
    [
        ("B+R", "0-1", True), ("W+", "1-0", False), ("0", "1/2-1/2", False),
        ("Jigo", "1/2-1/2", True), ("?", "*", True), ("Void", "*", True),
    ],
)  # fmt: skip
def test_results(text, result, is_kept):
    row = values(("RE", text))
    assert row.result == result
    assert (row.tags is not None) == is_kept


def test_properties_of_the_file_are_no_tags():
    assert tags_of(("GM", "1"), ("FF", "4"), ("CA", "gb2312"), ("SZ", "19"), ("AP", "x:1")) == {
        "AP": "x:1"
    }


def test_second_property_of_a_name():
    row = values(("PB", "a"), ("PB", "b"), ("PB", "c"), ("KM", "1"), ("KM", "2"))
    assert row.black == "a"
    assert json.loads(row.tags) == {"PB_2": "b", "PB_3": "c", "KM": "1", "KM_2": "2"}


@pytest.mark.parametrize(
    ("properties", "event", "date", "kept"),
    [
        ([("TE", "LG"), ("RD", "2003-05-06"), ("KO", "6.5")], "LG", "2003.05.06", {"KM": "6.5"}),
        ([("RD", "2003年5月6日")], "", "2003.05.06", {"DT": "2003年5月6日"}),
        ([("RD", "Round 5"), ("KO", "none")], "", "????.??.??", {}),
        ([("EV", "A"), ("DT", "1999"), ("KM", "0"), ("TE", "B"), ("RD", "2003"), ("KO", "6.5")],
         "A", "1999.??.??", {"KM": "0"}),
        ([("EV", ""), ("DT", ""), ("KM", ""), ("TE", "B"), ("RD", "2003"), ("KO", "375")],
         "B", "2003.??.??", {"KM": "375"}),
    ],
)  # fmt: skip
def test_event_date_and_komi_as_chinese_programs_write_them(properties, event, date, kept):
    """Standard properties count more, and what was read stays."""
    root = values(*properties)
    assert (root.event, root.date) == (event, date)
    read = {name: text for name, text in properties if name in ("TE", "RD", "KO")}
    assert tags_of(*properties) == read | kept


def test_long_text_keeps_its_lines():
    assert tags_of(("GC", "a\nb"), ("XX", "a\nb"), ("SO", "a\nb")) == {
        "GC": "a\nb", "XX": "a\nb", "SO": "a b",
    }  # fmt: skip


def test_small_letters_of_names():
    assert [capitals_of(name) for name in ("CoPyright", "PB", "ev", "Black", "xyz")] == [
        "CP", "PB", "EV", "B", "xyz",
    ]  # fmt: skip
