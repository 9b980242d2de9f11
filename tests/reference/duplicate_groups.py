"""Groups from edges with a veto, and possible duplicates: reference of duplicate_groups.pxd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.matching.evidence import (
    MATCH,
    RULE_NONE,
    RULE_OUTSIDE_GATES,
    Weights,
)

_MOST_POSSIBLE = CONSTANTS["MOST_POSSIBLE_DUPLICATES"]

Members = list[int]


class Edge(NamedTuple):
    """Two places of games, left < right, with score and verdict."""

    left: int
    right: int
    score: float
    verdict: int = MATCH
    rule: int = RULE_NONE


class Grouping:
    """Groups of `count` games; `may_be_one(left, right)`: whether they do not contradict.

    `passes(left, right)`: whether they pass the gates that the user named.
    """

    def __init__(
        self,
        count: int,
        edges: Sequence[Edge],
        weights: Weights,
        may_be_one: Callable[[int, int], bool],
        are_one_record: Callable[[int, int], bool],
        passes: Callable[[int, int], bool] = lambda left, right: True,
    ) -> None:
        self._count = count
        self._edges = sorted(edges, key=_surest_first)
        self._weights = weights
        self._may_be_one = may_be_one
        self._are_one_record = are_one_record
        self._passes = passes
        self._doubtful: set[int] = set()
        self._members = self._joined()
        for _ in range(CONSTANTS["MOST_ROUNDS"]):
            if not self._find_doubtful():
                return
            self._members = self._joined()

    def groups(self) -> list[Members]:
        """Return the groups of more than one game, by their places."""
        groups_by_id = {id(group): sorted(group) for group in self._members if len(group) > 1}
        return sorted(groups_by_id.values())

    def suspects(self) -> list[Edge]:
        """Return the strongest edge between each two groups, if it is a possible duplicate.

        A group that matches many others has none.
        """
        strongest: dict[frozenset[int], Edge | None] = {}
        partners: Counter[int] = Counter()
        refused: list[Edge] = []
        for edge in self._edges:
            pair = frozenset(id(self._members[place]) for place in edge[:2])
            if len(pair) == 1 or pair in strongest:
                continue
            if self._are_apart_by_gates(edge):
                strongest[pair] = None
                if self._is_suspect(edge):
                    refused.append(edge)
            elif not _is_crowded(partners, pair):
                strongest[pair] = edge if self._is_suspect(edge) else None
                if strongest[pair] is not None:
                    partners.update(pair)
        crowded = [pair for pair in strongest if _is_crowded(partners, pair)]
        return refused + [edge for pair, edge in strongest.items() if edge and pair not in crowded]

    def _are_apart_by_gates(self, edge: Edge) -> bool:
        """Return whether only the gates that the user named keep two groups apart."""
        if edge.rule == RULE_OUTSIDE_GATES:
            return True
        if edge.verdict != MATCH or {edge.left, edge.right} & self._doubtful:
            return False
        left, right = self._members[edge.left], self._members[edge.right]
        return not self._contradict(left, right) and not self._pass(left, right)

    def _is_suspect(self, edge: Edge) -> bool:
        if (
            edge.rule == CONSTANTS["RULE_LONG_EQUAL_MOVES"]
            or {edge.left, edge.right} & self._doubtful
        ):
            return True
        return not self._contradict(self._members[edge.left], self._members[edge.right])

    def _accepted(self) -> list[Edge]:
        return [edge for edge in self._edges if edge.verdict == MATCH]

    def _joined(self) -> list[Members]:
        """Return the group of each game, from the edges between games that are not ambiguous."""
        members = [[place] for place in range(self._count)]
        for edge in self._accepted():
            left, right = members[edge.left], members[edge.right]
            is_doubtful = bool({edge.left, edge.right} & self._doubtful)
            if left is right or (is_doubtful and not self._are_one_record(edge.left, edge.right)):
                continue
            is_pair = len(left) == len(right) == 1
            if is_pair or (not self._contradict(left, right) and self._pass(left, right)):
                # The larger group keeps its order; of equal ones, the one that begins first.
                first, second = sorted((left, right), key=lambda group: (-len(group), group[0]))
                first += second
                for place in second:
                    members[place] = first
        return members

    def _contradict(self, left: Members, right: Members) -> bool:
        # The kernel compares only a few representatives of equal mainlines.
        return not all(self._may_be_one(min(i, k), max(i, k)) for i in left for k in right)

    def _pass(self, left: Members, right: Members) -> bool:
        return all(self._passes(min(i, k), max(i, k)) for i in left for k in right)

    def _find_doubtful(self) -> bool:
        """Mark games that match two groups about equally well; return whether any are new."""
        best: dict[int, float] = {}
        for edge in self._edges:
            if self._members[edge.left] is self._members[edge.right]:
                for place in edge[:2]:
                    best[place] = max(edge.score, best.get(place, edge.score))
        before = len(self._doubtful)
        for edge in self._accepted():
            is_inner = self._members[edge.left] is self._members[edge.right]
            if is_inner or {edge.left, edge.right} & self._doubtful:
                continue
            if self._are_apart_by_gates(edge):
                continue
            for place in edge[:2]:
                if place in best and best[place] < edge.score + self._weights.margin:
                    self._doubtful.add(place)
        return len(self._doubtful) > before


def _surest_first(edge: Edge) -> tuple[float, ...]:
    return -edge.verdict, -edge.score, edge.left, edge.right


def _is_crowded(partners: Counter[int], pair: frozenset[int]) -> bool:
    return any(partners[group] > _MOST_POSSIBLE for group in pair)
