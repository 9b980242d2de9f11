"""Stored text of SGF: what is SGF, and what stays when properties go."""

import pytest

from ocgdedup.sgf.tree import name_of, pieces_of
from ocgdedup.sgf.writer import CLOCKS, JUDGEMENTS, stripped_text

COMMENT = frozenset("C")


@pytest.mark.parametrize(
    "text",
    [
        "LB[dd:1]", "LB [dd:1]\n[ee:2] TR[aa]", "(;B[aa];W[bb])", "(;B[aa](;W[bb])(;W[cc];B[]))",
        ";", ";C[x]", ";;C[x];LB[a]", "(;)", "AddBlack[aa]", "C[a\\]b\\\\]", "(;(;)(;))",
    ],
)  # fmt: skip
def test_sgf(text):
    assert "".join(pieces_of(text)) == text


@pytest.mark.parametrize(
    ("text", "whole"),
    [("LB[dd", "LB[dd]"), ("(;B[aa]", "(;B[aa])"), ("(;B[aa](;W[b\\", "(;B[aa](;W[b\\\\]))")],
)
def test_open_ends(text, whole):
    assert "".join(pieces_of(text)) == whole


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("C[a]]", "C[a\\]]"),
        ("C[a [b] c]", "C[a [b\\] c]"),
        ("(;C[see [1], [2]] and]LB[aa:1];B[bb])", "(;C[see [1\\], [2\\]\\] and]LB[aa:1];B[bb])"),
        ("(;C[\\] :] ) x];B[bb])", "(;C[\\] :\\] ) x];B[bb])"),
    ],
)
def test_bare_brackets(text, mended):
    assert "".join(pieces_of(text)) == mended
    assert "".join(pieces_of(mended)) == mended


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "x", "LB", "[x]", "LB[a]x", "LB[a];", ";LB[a](;)", "()", "(LB[a])", "(;B[a]))",
        "(;B[a])(;B[b])", "(;B[a]) C[x]", "(;B[a](;W[b]);W[c])", ")", "(", "(;B[a](",
        "(;B[a](;W[b])C[c])", "1[a]",
    ],
)  # fmt: skip
def test_no_sgf(text):
    assert pieces_of(text) is None


def test_names():
    assert [name_of(piece) for piece in pieces_of("(;AddBlack [aa]C[x])")] == [
        "",
        "",
        "AB",
        "C",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("LB[a]TR[b]", COMMENT, "LB[a]TR[b]"),
        ("C[a]TR[b]", COMMENT, "TR[b]"),
        (";C[a]", COMMENT, ";"),  # more of the node may follow
        (";C[a]TR[b]", COMMENT, ";TR[b]"),
        ("(;B[a]C[x\\]];W[b])", COMMENT, "(;B[a];W[b])"),
        ("(;C[x];W[b])", COMMENT, "(;W[b])"),
        ("(;B[a];C[x])", COMMENT, "(;B[a])"),
        ("(;B[a];C[x];W[b])", COMMENT, "(;B[a];W[b])"),
        ("(;C[x](;W[b])(;W[c]))", COMMENT, "(;(;W[b])(;W[c]))"),
        ("(;C[x])", COMMENT, None),
        ("(;C[x];C[y])", COMMENT, None),
        ("(;B[a];C[x](;W[b])(;W[c]))", COMMENT, "(;B[a](;W[b])(;W[c]))"),
        ("BL[10]OB[3]C[x]", CLOCKS, "C[x]"),
        ("TE[1]GB[1]C[x]", JUDGEMENTS, "C[x]"),
        ("no sgf", COMMENT, None),
        ("no sgf", CLOCKS, "no sgf"),
    ],
)
def test_stripped(text, names, expected):
    assert stripped_text(text, names, variations=False) == expected


def test_variations_go():
    assert stripped_text("(;B[a])", frozenset(), variations=True) is None
    assert stripped_text(";B[a]", frozenset(), variations=True) == ";B[a]"
