"""The finder against slow references: verdicts, candidate pairs, groups, possible duplicates."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.matching.evidence import (
    ACCURACIES,
    MATCH,
    NON_MATCH,
    Gates,
)
from ocgdedup.model import Comparison
from tests.reference.candidate_pairs import Candidates, sorted_games, theory_of
from tests.reference.duplicate_groups import Edge, Grouping
from tests.reference.equal_records import are_one_record
from tests.reference.evidence import judge
from tests.reference.game_record import Game, have_other_addresses, share_address
from tests.support.copy_games import GATES, WEIGHTS, Record, Search, search
from tests.support.random_copies import collections

_TUPLES = ("sides", "terms")

fixed = settings(max_examples=100)

all_gates = st.sampled_from(
    [
        GATES,
        ACCURACIES["strict"],
        ACCURACIES["tolerant"],
        Gates(dynamic=True),
        Gates(max_indel=20, min_ratio=0.8, min_winkler=0.8, monge_elkan=0.9),
        Gates(min_truncated_ratio=0.9, min_shared=0.9),
        Gates(start_ply=4, min_measured=20, min_plies=30, max_length_share=0.5),
    ]
)
shorter = st.sampled_from([0, 1, 12, 40])


def numbers_of(verdict: Comparison) -> dict[str, Any]:
    """Return fields and terms by name; only the kind if the moves are unrelated."""
    if not verdict.kind:
        return {"kind": 0}
    white, black = verdict.sides
    terms = {f"{name} term": value for name, value in verdict.terms._asdict().items()}
    single = {name: value for name, value in verdict._asdict().items() if name not in _TUPLES}
    return {**single, **terms, "white side": white, "black side": black}


class Searched:
    """Games in sorted order, and the finder's comparison of two places."""

    def __init__(
        self,
        records: list[Record],
        gates: Gates = GATES,
        named: Gates | None = None,
        min_shorter: int = 0,
    ) -> None:
        self.games: list[Game] = sorted_games(records)
        self.search: Search = search(records, gates=gates, named=named, min_shorter=min_shorter)

    def compare(self, left: int, right: int, *, lenient: bool = False) -> Comparison:
        numbers = self.games[left].number, self.games[right].number
        return self.search.compare(*numbers, lenient=lenient)

    def numbers(self, places: list[int]) -> list[int]:
        return sorted(self.games[place].number for place in places)


@fixed
@given(collections, all_gates, st.none() | all_gates, shorter)
def test_verdicts(
    records: list[Record], gates: Gates, named: Gates | None, min_shorter: int
) -> None:
    searched = Searched(records, gates, named, min_shorter)
    games = searched.games
    theory = [theory_of(games, place) for place in range(len(games))]
    for left, right in combinations(range(len(games)), 2):
        known = max(theory[left], theory[right])
        for lenient in (False, True):
            expected = judge(
                games[left],
                games[right],
                known,
                WEIGHTS,
                gates,
                lenient=lenient,
                named=named,
                min_shorter=min_shorter,
            )
            comparison = searched.compare(left, right, lenient=lenient)
            assert numbers_of(comparison) == pytest.approx(numbers_of(expected))


@fixed
@given(collections, st.none() | all_gates, shorter)
def test_groups_and_suspects(records: list[Record], named: Gates | None, min_shorter: int) -> None:
    """Groups from the kernel's own verdicts, so that rounding does not change them."""
    searched = Searched(records, named=named, min_shorter=min_shorter)
    candidates = Candidates(
        searched.games, lambda left, right: searched.compare(left, right).kind != 0
    )
    assert searched.search.search_result.finder.pairs_judged == candidates.judged
    grouping = Grouping(
        len(records),
        edges_of(searched, candidates),
        WEIGHTS,
        lambda left, right: may_be_one(searched, left, right),
        lambda left, right: are_one_record(searched.games[left], searched.games[right]),
        lambda left, right: not searched.compare(left, right, lenient=True).refused,
    )
    groups = sorted(searched.numbers(group) for group in grouping.groups())
    assert searched.search.groups == groups
    suspects = [tuple(searched.numbers(list(edge[:2]))) for edge in grouping.suspects()]
    assert searched.search.suspects == sorted(suspects)


def edges_of(searched: Searched, candidates: Candidates) -> list[Edge]:
    compared = [(*pair, searched.compare(*pair)) for pair in candidates.pairs]
    return [
        Edge(left, right, score_of(searched, left, right), verdict.verdict, verdict.rule)
        for left, right, verdict in compared
        if verdict.verdict != NON_MATCH
    ]


def score_of(searched: Searched, left: int, right: int) -> float:
    """Return the score of an edge; a match by address is above all sums."""
    comparison = searched.compare(left, right)
    is_sure = share_address(searched.games[left], searched.games[right])
    return (
        comparison.score + CONSTANTS["ADDRESS_SCORE"]
        if is_sure and comparison.verdict == MATCH
        else comparison.score
    )


def may_be_one(searched: Searched, left: int, right: int) -> bool:
    if have_other_addresses(searched.games[left], searched.games[right]):
        return False
    comparison = searched.compare(left, right, lenient=True)
    if comparison.kind and comparison.rule == CONSTANTS["RULE_SAME_ADDRESS"]:
        return True
    return comparison.kind != 0 and comparison.score >= WEIGHTS.contradiction
