"""Sides of games by name, player and FIDE ID: the kernel against plain Python."""

from __future__ import annotations

import json

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocgdedup.errors import StoreError
from ocgdedup.store.players import count_sides
from tests.reference.side_counts import Sides
from tests.reference.side_counts import count_sides as plain_counts

SELECT = "SELECT White, Black, WhitePerson, BlackPerson, Tags FROM Sides"
KEYS = st.sampled_from(
    ["WhiteFideId", "BlackFideId", "whiteFideId", "WhiteFideIds", "X", '"WhiteFideId":"5"', "Été"]
)
VALUES = st.sampled_from(
    ["501", "502", " 501 ", "", "0", "00501", "1234567890", "12345678901", "5a", "-5", "é", '"',
     "5\\", ',"WhiteFideId":"501"', 501, 1.5, None]
)  # fmt: skip
TAGS = st.one_of(
    st.none(),
    st.builds(
        lambda members, colon, comma: json.dumps(
            members, separators=(comma, colon), ensure_ascii=False
        ),
        st.dictionaries(KEYS, VALUES, max_size=5),
        st.sampled_from([":", ": ", " : "]), st.sampled_from([",", " , "]),
    ),
)  # fmt: skip
NAMES = st.sampled_from([None, 0, 1, 2, 3, -1, 2**40])
PLAYERS = st.sampled_from([None, 1, 2, 7, 2**40])
SIDES = st.builds(Sides, st.tuples(NAMES, NAMES), st.tuples(PLAYERS, PLAYERS), TAGS)


def database(games: list[Sides]) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE Sides (White, Black, WhitePerson, BlackPerson, Tags TEXT)")
    connection.executemany(
        "INSERT INTO Sides VALUES (?, ?, ?, ?, ?)",
        ((*names, *players, tags) for names, players, tags in games),
    )
    return connection


@given(st.lists(SIDES, max_size=9))
@example([Sides((n, n + 1), (n % 3000, None), f'{{"BlackFideId":"{n}"}}') for n in range(9000)])
def test_counts_are_those_of_plain_python(games: list[Sides]) -> None:
    counts = count_sides(database(games), SELECT)
    for rows, expected in zip(counts, plain_counts(games), strict=True):
        assert {row[:2]: row[2] for row in rows} == expected
        assert len(rows) == len(expected)


def test_other_columns_and_errors_of_sqlite() -> None:
    connection = database([Sides((1, 2), (None, None), None)])
    with pytest.raises(ValueError, match="the query has 1 columns, not 5"):
        count_sides(connection, "SELECT White FROM Sides")
    with pytest.raises(StoreError, match="players of games cannot be read"):
        count_sides(connection, "SELECT 1, 2, 3, 4, json('x')")
