"""Rows that a load inserts are made by the names of columns."""

from __future__ import annotations

import pytest

from ocgdedup.game_columns import INSERTED_COLUMNS
from ocgdedup.store.games import inserted_row


def test_values_come_to_their_columns_and_the_rest_is_null() -> None:
    row = dict(zip(INSERTED_COLUMNS, inserted_row({"GameHash": 2, "Date": "?"}), strict=True))
    assert {name: value for name, value in row.items() if value is not None} == {
        "Date": "?",
        "GameHash": 2,
    }


def test_a_name_that_is_no_column_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no columns that a load inserts: \['Dates'\]"):
        inserted_row({"Dates": "?"})
