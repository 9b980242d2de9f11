"""Cells that a spreadsheet does not run, and the way back to their texts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocgdedup.tables.spreadsheet import plain_cell, quoted_cell, quoted_row

STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
texts = st.text() | st.text(st.sampled_from("'=+-@\t\r1a＝＋－＠"), max_size=6)


@given(texts)
@example("=cmd|' /C calc'!A0")
@example("'=1")
@example("''-1")
@example("-")
@example("'")
def test_a_text_comes_back(text: str) -> None:
    assert plain_cell(quoted_cell(text)) == text


@given(texts)
@example("＝1+1")
@example("＋1")
@example("－1")
@example("＠SUM(1)")
def test_no_cell_is_a_formula(text: str) -> None:
    cell = quoted_cell(text)
    assert cell in ("-", "－") or not cell.startswith(STARTS)


@given(texts, texts)
def test_different_texts_are_different_cells(left: str, right: str) -> None:
    assert (quoted_cell(left) == quoted_cell(right)) == (left == right)


@pytest.mark.parametrize("text", ["", "-", "a=b", "Carlsen, Magnus", "'t Ven", "1-0", " =1"])
def test_other_texts_stay(text: str) -> None:
    assert quoted_cell(text) == plain_cell(text) == text


def test_numbers_stay() -> None:
    assert quoted_row([-1, None, 2.5, "-1", "+1"]) == [-1, None, 2.5, "'-1", "'+1"]
