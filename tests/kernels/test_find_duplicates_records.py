"""Equal records of several sources: paired one to one, even if short."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.matching.evidence import MATCH, RULE_NONE
from tests.support.copy_games import Record, Search, line, search

# The sum of a record of so few plies without a date is below that of a match.
SHORT = Record(line(1, 2), date="????.??.??", round="?", event="?", result="1/2-1/2")


def of(*sources: int, **fields: Any) -> list[Record]:
    return [SHORT._replace(source=source, **fields) for source in sources]


def sizes(result: Search, records: int) -> list[int]:
    """Return the number of records of each game, in order."""
    grouped = [len(group) for group in result.groups]
    return sorted([*grouped, *[1] * (records - sum(grouped))])


def test_a_record_of_two_names_says_too_little() -> None:
    """Without moves, event, round and day it may be any game of these players."""
    assert search(of(1, 2, moves=())).groups == []
    assert search(of(1, 2, moves=(), event="Cup")).groups == [[0, 1]]


@pytest.mark.parametrize("plies", [1, 2, 13])
def test_records_of_two_sources_are_one_game(plies: int) -> None:
    result = search(of(1, 2, moves=line(1, plies)))
    assert result.groups == [[0, 1]]
    verdict = result.compare()
    assert verdict.score < 8
    assert (verdict.verdict, verdict.rule) == (MATCH, CONSTANTS["RULE_EQUAL_RECORDS"])


@pytest.mark.parametrize("plies", [0, 1, 2, 13])
def test_equal_records_of_one_source_are_judged_by_the_sum(plies: int) -> None:
    result = search(of(1, 1, moves=line(1, plies)))
    assert not result.groups
    assert result.compare().rule == RULE_NONE


@pytest.mark.parametrize(
    "names",
    [{"white": "NN"}, {"black": "?"}, {"white": None}, {"black": SHORT.white}],
    ids=["NN", "?", "none", "one person"],
)
def test_both_players_are_named(names: dict[str, Any]) -> None:
    assert search(of(1, 2, **names)).groups == []


@pytest.mark.parametrize(
    "other",
    [
        {"white": "Euwe, Max"}, {"date": "1929.09.06"}, {"round": "4"}, {"event": "Cup"},
        {"site": "Berlin"}, {"result": "1-0"}, {"moves": line(1, 3)}, {"moves": line(2, 2)},
    ],
)  # fmt: skip
def test_the_whole_record_is_equal(other: dict[str, Any]) -> None:
    result = search([*of(1), *of(2, **other)])
    assert result.compare().rule != CONSTANTS["RULE_EQUAL_RECORDS"]
    assert not result.groups


def test_other_tags_do_not_matter() -> None:
    assert search([*of(1), *of(2, elos=(2500, 2600))]).groups == [[0, 1]]


@pytest.mark.parametrize(
    "other",
    [
        {"site": "WIESBADEN"}, {"white": "Alekhine, Alexander2"}, {"round": "3.1.2"},
        {"result": "1-0 "},
    ],
)  # fmt: skip
def test_the_roster_is_equal_as_it_is_written(other: dict[str, Any]) -> None:
    """Numbers after names distinguish namesakes, the third part of a round boards."""
    assert search([*of(1), *of(2, **other)]).compare().rule != CONSTANTS["RULE_EQUAL_RECORDS"]


def test_other_fide_ids_are_other_players() -> None:
    assert search([*of(1, fide_ids=(1, 2)), *of(2, fide_ids=(1, 3))]).groups == []


@pytest.mark.parametrize(
    ("sources", "games"),
    [
        ((1, 1, 2), [1, 2]),
        ((1, 1, 2, 2), [2, 2]),
        ((1, 1, 1, 2), [1, 1, 2]),
        ((1, 2, 2, 3), [1, 3]),
        ((1, 1, 2, 2, 2, 3), [1, 2, 3]),
        ((1, 2, 3, 4), [4]),
    ],
)
def test_the_largest_source_determines_the_number_of_games(
    sources: tuple[int, ...], games: list[int]
) -> None:
    for order in sorted(set(permutations(sources))):
        result = search(of(*order))
        assert sizes(result, len(order)) == games
        for group in result.groups:
            assert len({order[number] for number in group}) == len(group)


def test_no_more_pairs_for_the_user_than_once() -> None:
    once, twice = search(of(1, 1)), search(of(1, 1, 2, 2))
    assert len(once.suspects) == len(twice.suspects) == 1


def test_records_with_the_same_other_tags_are_paired() -> None:
    elos = [(2500, 2600), (0, 0), (2400, 2400)]
    for order in permutations(elos):
        records = [
            *(of(1, elos=left)[0] for left in elos),
            *(of(2, elos=left)[0] for left in order),
        ]
        result = search(records)
        assert len(result.groups) == 3
        assert all(records[left].elos == records[right].elos for left, right in result.groups)


def test_two_sources_with_both_versions_count_as_one_source() -> None:
    """A file with two versions of a game keeps them apart when imported twice."""
    game = SHORT._replace(moves=line(1, 16))
    versions = [game, game._replace(event="Wch")]
    once = search(versions)
    assert 7.5 < once.compare().score < 8
    twice = search([version._replace(source=source) for source in (1, 2) for version in versions])
    assert twice.groups == [[0, 2], [1, 3]]
    assert len(twice.suspects) == len(once.suspects) == 1
    elsewhere = search([versions[0], versions[1]._replace(source=2)])
    assert elsewhere.groups == [[0, 1]]


def test_the_same_groups_whatever_the_order_and_the_ids() -> None:
    rng = random.Random(7)
    records = of(1, 1, 2, 2, 2, 3, 1) + of(2, 1, 3, elos=(2500, 2600)) + of(3, moves=())
    expected = None
    for _ in range(20):
        order = rng.sample(range(len(records)), len(records))
        ids = sorted(rng.sample(range(1, 1000), len(records)))
        result = search([records[number] for number in order], ids=ids)
        groups = sorted(sorted(records[order[place]] for place in group) for group in result.groups)
        expected = expected or groups
        assert groups == expected


def test_a_long_record_is_one_game_even_if_repeated_in_a_source() -> None:
    records = [SHORT._replace(moves=line(1, 80), source=source) for source in (1, 1, 2)]
    assert search(records).groups == [[0, 1, 2]]
