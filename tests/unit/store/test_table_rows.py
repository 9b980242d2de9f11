"""Rows for tables: fields in the requested order, bytes that are not UTF-8."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.store import selection
from ocgdedup.store.connection import one_state

GAMES = [{"ID": number, "Round": str(number)} for number in (-5, 1, 2, 3, 10**12)]


def rounds(connection: apsw.Connection, ids: list[int]) -> list[object]:
    place = selection.GAME_FIELDS.index("Round")
    return [row[place] for rows in selection.game_fields(connection, ids) for row in rows]


def test_fields_come_in_the_order_of_the_ids(connection, add_games) -> None:
    add_games(*GAMES)
    expected = [10**12, 2, -5, 3]
    assert rounds(connection, expected) == [str(number) for number in expected]
    assert rounds(connection, [3, 77, 1]) == ["3", "1"]  # there is no game 77
    assert rounds(connection, []) == []


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (None, (None, None)),
        ('{"WhiteFideId":"12","BlackFideId":"34"}', ("12", "34")),
        ('{"Annotator":"\\"WhiteFideId\\""}', (None, None)),
        ('{"a":"b","BlackFideId":""}', (None, "")),
    ],
)
def test_tags_without_a_column(
    connection, add_games, tags: str | None, expected: tuple[object, ...]
) -> None:
    add_games({"ID": 1, "ExtraTags": tags})
    names = ("WhiteFideId", "BlackFideId")
    ((row,),) = selection.game_fields(connection, [1], names)
    assert row[-2:] == expected


def test_one_state_ends_its_transaction(connection) -> None:
    with one_state(connection):
        assert connection.in_transaction
    assert not connection.in_transaction
    with pytest.raises(ZeroDivisionError), one_state(connection):
        raise ZeroDivisionError
    assert not connection.in_transaction
