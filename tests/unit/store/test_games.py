"""Games in the store: which number comes next."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.errors import StoreError
from ocgdedup.store.games import next_id
from ocgdedup.store.loads import insert_source

LAST = 2**63 - 1


def test_numbers_begin_at_one(connection: apsw.Connection) -> None:
    assert next_id(connection, "Games") == 1
    assert next_id(connection, "Sources") == 1


def test_the_next_number_is_behind_the_last_one(connection: apsw.Connection, add_games) -> None:
    add_games({"ID": 2**62})
    insert_source(connection, 7, "a.pgn", 1, "")
    assert next_id(connection, "Games") == 2**62 + 1
    assert next_id(connection, "Sources") == 8


@pytest.mark.parametrize("last", [LAST, LAST - 1, LAST - 1_000_000])
def test_numbers_that_end_are_told(connection: apsw.Connection, add_games, last: int) -> None:
    add_games({"ID": last})
    insert_source(connection, last, "a.pgn", 1, "")
    for table in ("Games", "Sources"):
        with pytest.raises(
            StoreError, match=rf"a\.db3: no more rows .* to {table}, whose last ID is {last}"
        ):
            next_id(connection, table)
