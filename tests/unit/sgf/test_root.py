"""The root of a record: which properties a header becomes, and when a tag gives way to a column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.sgf.root_values import read_date
from ocgdedup.sgf.writer import Header, root_properties

NOTHING = Header(None, None, None, None, None, None, None, None, {})


def root(**fields):
    return root_properties(NOTHING._replace(**fields), lambda text: read_date(text)[0])


def test_empty_values_are_not_written():
    assert root() == []
    assert root(date="????.??.??", result="*", white="", event="") == []


@pytest.mark.parametrize(
    ("date", "tag", "expected"),
    [
        ("1996.05.06", None, "DT[1996-05-06]"),
        ("1996.05.06", "1996-05-06,07", "DT[1996-05-06,07]"),
        ("1996.05.06", "1996", "DT[1996-05-06]"),  # another record knew the day
        ("1996.05.06", "1997-01-01", "DT[1996-05-06]"),
        ("1996.05.06", "in spring", "DT[1996-05-06]"),
        ("????.??.??", "in spring", "DT[in spring]"),
        ("????.??.??", "1996", "DT[1996]"),
        (None, "1996", "DT[1996]"),
        ("1996.??.??", None, "DT[1996]"),
        ("1996.05.??", None, "DT[1996-05]"),
        ("????.??.??", "", "DT[]"),
    ],
)
def test_date(date, tag, expected):
    assert root(date=date, tags={} if tag is None else {"DT": tag}) == [expected]


@pytest.mark.parametrize(
    ("result", "tag", "expected"),
    [
        ("1-0", None, ["RE[W+]"]),
        ("0-1", None, ["RE[B+]"]),
        ("1/2-1/2", None, ["RE[0]"]),
        ("*", None, []),
        ("1-0", "W+R", ["RE[W+R]"]),
        ("1/2-1/2", "Jigo", ["RE[Jigo]"]),
        ("*", "Void", ["RE[Void]"]),
        ("1-0", "B+R", ["RE[W+]"]),
        ("*", "B+R", []),
        (None, "Void", ["RE[Void]"]),
    ],
)
def test_result(result, tag, expected):
    assert root(result=result, tags={} if tag is None else {"RE": tag}) == expected


@pytest.mark.parametrize("kept", [{}, {"RE": "W+R", "DT": "1996-05-06,07"}])
def test_columns_have_a_fixed_order_and_tags_keep_theirs(kept):
    tags = {"KM": "6.5", **kept, "BR": "9p", "HA": ""}
    columns = {"event": "e", "site": "s", "date": "1996.05.06", "round": "r", "white": "w"}
    written = root(**columns, black="b", result="1-0", time_control="t", tags=tags)
    date, result = kept.get("DT", "1996-05-06"), kept.get("RE", "W+")
    first = ["EV[e]", f"DT[{date}]", "RO[r]", "PC[s]", "PB[b]", "PW[w]", "TM[t]", f"RE[{result}]"]
    assert written == [*first, "KM[6.5]", "BR[9p]", "HA[]"]


def test_names_of_tags():
    tags = {
        "KM": "1",
        "WhiteTitle": "9p",
        "囲": "x",
        "GM": "1",
        "SZ": "9",
        "L1": "y",
        "B": "aa",
        "pb": "z",
    }
    names = ["KM[1]", "WHITETITLE[9p]", "TAG[x]", "LTAG[y]", "BTAG[aa]", "pb[z]"]
    assert root(tags=tags) == names
    assert root(tags={"A" * 40: ""}) == ["A" * 32 + "[]"]


@pytest.mark.parametrize(
    ("columns", "tags", "expected"),
    [
        ({}, {"KM": "1", "KM_2": "2"}, ["KM[1]", "KM[2]"]),
        ({"black": "a"}, {"PB_2": "b"}, ["PB[a]", "PB[b]"]),
        ({}, {"PB_2": "b"}, ["PB[]", "PB[b]"]),
        ({}, {"RE": "Void", "RE_2": "B+", "RE_3": "W+"}, ["RE[Void]", "RE[B+]", "RE[W+]"]),
        ({"result": "1-0"}, {"RE_2": "B+"}, ["RE[W+]", "RE[B+]"]),
        ({"result": "*"}, {"RE": "W+R", "RE_2": "B+"}, ["RE[]", "RE[B+]"]),
        ({}, {"PB_2": "b", "PB_3": "c"}, ["PB[]", "PB[b]", "PB[c]"]),
    ],
)
def test_repeated_root_properties(columns, tags, expected):
    assert root(**columns, tags=tags) == expected


def test_a_line_that_looks_like_sgf():
    assert root(tags={"GC": "a\n(;EV[b"}) == ["GC[a\n\\(;EV[b]"]
    assert root(tags={"GC": "a\nEV[b]\nx"}) == ["GC[a\n\\EV[b\\]\nx]"]


@given(st.text("a]\\:[", max_size=8))
def test_escapes(text):
    (written,) = root(event=text + "x")
    assert written[:3] == "EV["
    unescaped, rest = "", written[3:]
    while rest != "]":
        assert rest[0] != "]"
        if rest[0] == "\\":
            rest = rest[1:]
        unescaped, rest = unescaped + rest[0], rest[1:]
    assert unescaped == text + "x"
