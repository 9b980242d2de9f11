"""The day of a round, derived from the other games of the event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from ocgdedup.matching.round_days import RoundDay, outweighed_days
from tests.support.headers import header

Game = tuple[str, str] | tuple[str, str, int]  # round, date, source


class Games:
    """Dates of rounds of one event, by game ID."""

    def __init__(self, games: Mapping[int, Game]) -> None:
        self._rows = {game_id: row_of(*game) for game_id, game in games.items()}

    def round_of(self, game_id: int) -> RoundDay:
        return self._rows[game_id]

    def days_of(self, event: int) -> Mapping[RoundDay, int]:
        return Counter(row for row in self._rows.values() if row.event == event)


def row_of(round_: str, date: str, source: int = 1) -> RoundDay:
    number, _, game = round_.partition(".")
    year, month, day = (int(part.replace("?", "0")) for part in date.split("."))
    packed = int(number) << 15 | int(game or 0)
    return RoundDay(7, source, packed, year << 9 | month << 5 | day)


def losers(records: list[Game], others: list[Game]) -> list[str]:
    """Return the losing dates of the records of one game; `others`: games of the event."""
    games = dict(enumerate([*records, *others], 1))
    headers = [
        header(game_id, event="Open", date=games[game_id][1], date_quality=33)
        for game_id in range(1, len(records) + 1)
    ]
    return sorted(outweighed_days(headers, Games(games)))


TWO: list[Game] = [("3", "1999.05.03"), ("3", "1999.05.04")]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([], []),
        ([("3", "1999.05.04")], ["1999.05.03"]),
        ([("3", "1999.05.03")], ["1999.05.04"]),
        ([("3", "1999.05.03"), ("3", "1999.05.04")], []),
        ([("3", "1999.05.03"), ("3", "1999.05.04"), ("3", "1999.05.04")], ["1999.05.03"]),
        ([("3", "1999.05.05")], []),
        ([("4", "1999.05.03")], []),  # one game may be wrong itself
        ([("4", "1999.05.03"), ("5", "1999.05.03")], ["1999.05.04"]),
        ([("2", "1999.05.04"), ("1", "1999.05.04")], ["1999.05.03"]),
        ([("2", "1999.05.02"), ("4", "1999.05.05")], []),
    ],
)
def test_games_of_the_same_and_of_other_rounds(others: list[Game], expected: list[str]) -> None:
    assert losers(TWO, others) == expected


def test_other_rounds_may_leave_several_days() -> None:
    dates = ("1999.05.02", "1999.05.03", "1999.05.05")
    later: list[Game] = [("4", "1999.05.04"), ("5", "1999.05.04")]
    assert losers([("3", date) for date in dates], later) == ["1999.05.05"]


def test_events_of_other_years_decide_nothing() -> None:
    """They may have the same name."""
    later: list[Game] = [("4", "1999.05.10"), ("5", "1999.05.11")]
    assert losers([("3", "1999.05.03"), ("3", "1999.06.20")], later) == ["1999.06.20"]
    assert losers([("3", "1999.05.03"), ("3", "2000.05.02")], later) == []


def test_impossible_days_and_unknown_rounds_decide_nothing() -> None:
    assert losers([("3", "1999.02.30"), ("3", "1999.05.04")], [("3", "1999.05.04")]) == []
    assert losers([("0", "1999.05.03"), ("0", "1999.05.04")], [("0", "1999.05.04")]) == []
    assert losers([("3", "1999.05.??"), ("3", "1999.05.04")], [("3", "1999.05.03")]) == []


# --- sources with one day for all rounds ----------------------------------------------------------

ONE_DAY: list[Game] = [(str(number), "1999.05.01") for number in range(1, 10)]


def test_first_day_of_an_event_is_not_believed_for_all_rounds() -> None:
    records: list[Game] = [("4", "1999.05.01", 1), ("4", "1999.05.04", 2)]
    other_days: list[Game] = [("1", "1999.05.01", 2)]
    assert losers(records, [*ONE_DAY, *other_days]) == ["1999.05.01"]
    assert losers(records, [*ONE_DAY[:1], *other_days]) == []  # two rounds say little


def test_event_of_one_day_is_believed() -> None:
    """A blitz tournament: no source has games on several days."""
    assert losers([("4", "1999.05.01", 1), ("4", "1999.05.02", 2)], ONE_DAY) == []


# --- boards and games of a match ------------------------------------------------------------------


def test_boards_of_a_round_are_played_on_one_day() -> None:
    records: list[Game] = [("3.1", "1999.05.03"), ("3.1", "1999.05.04")]
    assert losers(records, [("3.2", "1999.05.04"), ("3.7", "1999.05.04")]) == ["1999.05.03"]


def test_games_of_a_match_are_played_on_several_days() -> None:
    """Games 2.1 and 2.2 were, so 3.2 is no evidence about 3.1."""
    records: list[Game] = [("3.1", "1999.05.03"), ("3.1", "1999.05.04")]
    match: list[Game] = [("2.1", "1999.04.30"), ("2.2", "1999.05.01")]
    assert losers(records, [*match, ("3.2", "1999.05.04")]) == []


# --- a round a day --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([("2", "1999.05.03"), ("5", "1999.05.06")], ["1999.05.03"]),  # 3 on 4 May
        ([("1", "1999.05.02"), ("2", "1999.05.03")], ["1999.05.03"]),
        ([("4", "1999.05.04"), ("6", "1999.05.06")], ["1999.05.04"]),
        ([("2", "1999.05.01"), ("5", "1999.05.08")], []),  # more than two days a round
        ([("2", "1999.05.03"), ("5", "1999.05.04")], []),  # several rounds a day
        ([("7", "1999.05.08"), ("8", "1999.05.09")], []),  # too far away
        ([("2", "1999.05.03")], []),
        ([("2", "1999.05.02"), ("2", "1999.05.03"), ("5", "1999.05.06")], []),
    ],
)
def test_round_a_day(others: list[Game], expected: list[str]) -> None:
    assert losers(TWO, others) == expected


def test_a_round_a_day_is_less_than_the_majority() -> None:
    others: list[Game] = [("2", "1999.05.03"), ("5", "1999.05.06")]
    assert losers([*TWO, ("3", "1999.05.03")], others) == []
