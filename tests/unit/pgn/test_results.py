"""Results: the spellings that mean one of the four values, and those that must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.pgn.odd_values import parse_result

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


@pytest.mark.parametrize(
    ("result", "texts"),
    [
        ("1-0", ["1:0", "1\u20130", "1 - 0", "1-O", "1-o", "1\u22120", "１-０", "1-0F", "1-0 ff"]),
        ("1-0", ["1-0 (time)", "1-0 (White wins on time)", "+:-", "+ -", "+-", "+ - -"]),
        ("1-0", ["White wins", " 1-0\n", "1-0 forfeit", "1-0 w.o."]),
        ("0-1", ["0:1", "0\u20141", "O-1", "-:+", "- +", "-+", "- - +", "0-1F", "Black wins"]),
        ("1/2-1/2", ["1/2", "½-½", "½", "½:½", "½ - 1/2", "0.5-0.5", "0,5-0,5", "0.5", ".5-.5"]),
        ("1/2-1/2", ["1/2:1/2", "1/2 \u2013 1/2", "draw", "DRAW", "Remis", "tablas", "Ничья"]),
        ("1/2-1/2", ["1/2-1/2 (agreed)", "½-½ ff"]),
        ("1-0", ["1F-0F", "1-0 w/o", "1-0 (ff)", "black resigns", "White won by forfeit"]),
        ("0-1", ["0f:1f", "0–1 kampflos", "White resigned"]),
        ("*", ["", " ", "?"]),
    ],
)
def test_spellings(result: str, texts: list[str]) -> None:
    assert {text: parse_result(text) for text in texts} == dict.fromkeys(texts, result)


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "0",
        "2",
        "=",
        "+/-",
        "-/+",
        "+=",
        "0-0",
        "0:0",
        "O-O",
        "-:-",
        "---",
        "1-1",
        "1/2-0",
        "½-0",
        "1½",
        "1.5",
        "10",
        "1--0",
        "-",
        "-/-",
        "0F-0F",
        "1-0 (ff",
        "1-0ff)",
        "1-0" * 40,
        "1-0 (0-1)",
        "1-0 0-1",
        "2-0",
        "rubbish",
        "1-0-0",
        "white",
        "F",
        "(time)",
        "11/2-1/2",
    ],
)
def test_no_result(text: str) -> None:
    assert parse_result(text) is None


def test_evaluations_are_results_without_moves() -> None:
    results = {"+/-": "1-0", "-/+": "0-1", " = ": "1/2-1/2", "+=": None, "0-0": None, "1-0": "1-0"}
    assert {text: parse_result(text, without_moves=True) for text in results} == results


@pytest.mark.parametrize("result", RESULTS)
def test_results_are_fixed_points(result: str) -> None:
    assert parse_result(result) == result


@given(st.one_of(st.text(), st.text("01oO/2½.,5-:+*? fF()\u2013")))
def test_answer_is_a_result_or_none(text: str) -> None:
    assert parse_result(text) in (*RESULTS, None)


@given(st.sampled_from(RESULTS), st.text(" \t\u00a0", max_size=3))
def test_spaces_do_not_matter(result: str, space: str) -> None:
    assert parse_result(space + space.join(result) + space) == result
