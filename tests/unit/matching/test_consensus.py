"""Values of a game that are outweighed by other records of a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from ocgdedup.matching.consensus import outweighed, outweighs
from ocgdedup.matching.header_merge import FieldChange, merge_headers
from ocgdedup.matching.round_days import RoundDay
from ocgdedup.model import GameHeader, Reason
from ocgdedup.thresholds import EVENT, PLAYER, SITE
from tests.reference.frequency_rank import frequency_rank
from tests.support.headers import header


def packed(date: str) -> int:
    year, month, day = (int(part.replace("?", "0")) for part in date.split("."))
    return year << 9 | month << 5 | day


class Records:
    """A database of counts of records by name, and by event, round and date."""

    def __init__(
        self,
        counts: Mapping[str, int] | None = None,
        games: list[tuple[int, str, int, str, int]] | None = None,
        sites: Mapping[str, int] | None = None,
    ) -> None:
        self.counts = counts or {}
        self.sites = sites or {}  # of the only event
        # By game: (event, source, round << 15 | board, date).
        self.rounds = {
            game_id: RoundDay(hash(event) & 0xFFFF, source, number << 15, packed(date))
            for game_id, event, number, date, source in games or ()
        }

    def frequency_rank(self, kind: int, text: str, other: str) -> int:
        return frequency_rank(self.counts.get(text, 1), self.counts.get(other, 1))

    def round_of(self, game_id: int) -> RoundDay:
        return self.rounds.get(game_id, RoundDay(0, 1, 0, 0))

    def count_names_with(self, word: str) -> int:
        return 1

    def count_records_of(self, name: str) -> int:
        return self.counts.get(name, 1)

    def games_at(self, event: int, site: str) -> int:
        return self.sites.get(site, 0)

    def days_of(self, event: int) -> Mapping[RoundDay, int]:
        return Counter(row for row in self.rounds.values() if row.event == event)


@pytest.mark.parametrize(
    ("records", "others", "expected"),
    [(1, 1, 0), (6, 3, 1), (19, 10, 0), (20, 10, 1), (21, 11, 0), (110, 11, 1), (10, 1, 3),
     (20, 2, 3), (19, 2, 2), (3, 1, 2), (2, 1, 1), (30, 3, 1), (5, 0, 0), (0, 0, 0)],
)  # fmt: skip
def test_frequency_rank(records: int, others: int, expected: int) -> None:
    assert frequency_rank(records, others) == expected
    assert frequency_rank(others, records) == -expected


@pytest.mark.parametrize(
    ("frequent", "rare", "expected"),
    [
        ("Sokolov, I", "Sooklov, I", True),
        ("Sokolov, Ivan", "Sokolow, Ivan", True),
        ("Kasparov, Garry", "Kasparov,G", False),  # says less, and nothing else
        ("Kasparov,G", "Kasparov, Garry", False),
        ("Wang, Yu", "Wang, Yue", False),  # two players
        ("Li Chao1", "Li Chao2", False),
        ("Kasparov, Garry", "Karpov, Anatoly", False),
        ("Kasparov, Garry", "NN", False),
        ("Li, X", "Li, Y", False),
        ("Petrosian, T", "Petrosian, A", False),
        ("Li Chao2", "Li, Chao2", False),
        ("Costa, Jean Luc", "Costa, Jean-Luc", False),
    ],
)
def test_slips_in_names(frequent: str, rare: str, *, expected: bool) -> None:
    assert outweighs(PLAYER, frequent, rare, 1) == expected


@pytest.mark.parametrize(
    ("kind", "frequent", "rare", "expected"),
    [
        (SITE, "Nachod CZE", "Nachod CZE RUS", False),  # not rare enough
        (SITE, "London", "026.London IT (E.V.)", True),
        (SITE, "Paris m2", "021.Paris  m (E.V)", True),
        (SITE, "Linares", "Linaers", True),
        (SITE, "Linares ESP", "Linares", False),
        (SITE, "York", "New York", False),
        (SITE, "Paris", "Paris 8th district", False),
        (SITE, "Germany", "Hamburg", False),
        (EVENT, "Linares 11th", "Linares 12th", False),
        (EVENT, "Linares", "Linares super GM", False),
        (EVENT, "?", "Linares", False),
        (EVENT, "Linares", "?", False),
    ],
)
def test_rare_texts(kind: int, frequent: str, rare: str, *, expected: bool) -> None:
    assert outweighs(kind, frequent, rare, 1) == expected


def test_nickname_of_a_game_is_no_event() -> None:
    nickname = "The golden coins game"
    assert outweighs(EVENT, "DSB Congress", nickname, 3)
    assert not outweighs(EVENT, "DSB Congress", nickname, 2)
    assert not outweighs(SITE, "DSB Congress", nickname, 3)
    for event in ("Moscow (ol)", "SPICE Cup", "London 1851", "Breslau"):
        assert not outweighs(EVENT, "DSB Congress", event, 3)


def test_rare_country_behind_a_place() -> None:
    assert outweighs(SITE, "Nachod CZE", "Nachod CZE RUS", 2)
    assert outweighs(SITE, "Emden", "Emden RUS", 2)
    assert not outweighs(SITE, "Emden", "Emden Rus", 2)
    assert not outweighs(EVENT, "Emden", "Emden RUS", 2)


def test_place_does_not_take_the_place_of_an_event() -> None:
    assert outweighs(EVENT, "Breslau", "Lewitzky - Marshall", 3)
    assert not outweighs(EVENT, "Breslau", "Lewitzky - Marshall", 3, ("Breslau GER",))


def test_listed_player_keeps_the_listed_spelling() -> None:
    records = [
        header(1, white="Sokolow, Ivan", white_person_id=1),
        header(2, white="Sokolov, Ivan"),
    ]
    database = Records({"Sokolov, Ivan": 200})
    assert outweighed(records, database) == {}
    plain = [records[0]._replace(white_fide_id=None), records[1]]
    assert outweighed(plain, database) == {"White": {"Sokolow, Ivan"}}


def test_rare_spelling_is_merged_away() -> None:
    kept = header(1, white="Sooklov, I", black="Karpov, Anatoly")
    other = header(2, white="Sokolov, I", black="Karpov, Anatoly")
    database = Records({"Sokolov, I": 200})
    merge = merge_headers(kept, [kept, other], database=database)
    assert merge.changes == [FieldChange("White", "Sooklov, I", "Sokolov, I", 2, Reason.SUPPORTED)]
    assert merge_headers(other, [kept, other], database=database).values == {}


@pytest.mark.parametrize(
    ("plain", "with_country", "plain_there", "with_country_there", "loses"),
    [
        (20, 5, 3, 1, True),
        (20, 5, 2, 1, False),  # one other game says little
        (20, 5, 9, 2, False),  # another game of the event has the country too
        (9, 5, 9, 1, False),  # the place has the country as often
        (20, 2, 1, 1, True),  # hardly anybody has the country
        (200, 30, 9, 1, False),  # many have it
    ],
)
def test_country_that_no_other_game_of_the_event_has(
    plain: int, with_country: int, plain_there: int, with_country_there: int, loses: bool
) -> None:
    records = [header(1, event="Open", site="Nachod"), header(2, event="Open", site="Nachod RUS")]
    database = Records(
        {"Nachod": plain, "Nachod RUS": with_country},
        sites={"Nachod": plain_there, "Nachod RUS": with_country_there},
    )
    result = outweighed(records, database)
    assert list(result.get("Site", ())) == (["Nachod RUS"] if loses else [])


def dated(game_id: int, date: str, **fields: object) -> GameHeader:
    return header(game_id, event="Open", date=date, date_quality=33, **fields)


def test_day_of_the_round_is_merged() -> None:
    kept, other = dated(1, "1999.05.03", round="3"), dated(2, "1999.05.04", round="3")
    games = [(1, "Open", 3, kept.date, 1), (2, "Open", 3, other.date, 1)]
    games.append((3, "Open", 3, "1999.05.04", 1))
    merge = merge_headers(kept, [kept, other], database=Records(games=games))
    assert merge.changes == [FieldChange("Date", "1999.05.03", "1999.05.04", 2, Reason.ROUND_DAY)]


def test_many_values_are_not_compared_with_each_other() -> None:
    """Only artificial groups have them, and the time would be quadratic."""
    names = [
        "Sokolov, Ivan",
        *(f"Sokolov, Iva{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(99)),
    ]
    asked = []

    class Asked(Records):
        def frequency_rank(self, kind: int, text: str, other: str) -> int:
            asked.append(text)
            return super().frequency_rank(kind, text, other)

    records = [header(number, white=name) for number, name in enumerate(names, 1)]
    assert outweighed(records, Asked({"Sokolov, Ivan": 500})) == {}
    assert asked == []
    assert outweighed(records[:9], Asked({"Sokolov, Ivan": 500})) != {}
