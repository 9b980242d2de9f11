"""Verdicts on a few games of a collection, in words, and the results of the search for them.

A verdict depends on the two records and on opening theory. For that, the whole collection is read
once, but only games near the asked ones stay in memory. The stored results of the last search are
used if they are those of these options and games; otherwise the search runs again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice, product
from typing import NamedTuple

import apsw

from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.matching.evidence import NON_MATCH, UNRELATED, explain
from ocgdedup.model import Comparison
from ocgdedup.pipeline.search import detect
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.pipeline.search.variations import slip_lines
from ocgdedup.store.deleted_games import deleted_among
from ocgdedup.store.duplicates import groups_of
from ocgdedup.store.names import game_kind
from ocgdedup.store.possible_duplicates import possible_duplicates_with
from ocgdedup.store.search_state import has_changed_games, last_key, last_search

_MOST_COMPARED = 10_000  # pairs of games, to explain why two groups were not joined


class Explained(NamedTuple):
    """A verdict on two games, and the result of the search of the whole collection."""

    comparison: Comparison
    are_together: bool
    are_possible_duplicates: bool


class _Results(NamedTuple):
    """Results of a search; `finder` compares the games of the groups that were asked for."""

    finder: DuplicateFinder
    possible: set[tuple[int, int]]
    group_of: Callable[[int], set[int]]


class Judge:
    """Gives verdicts on some games of a collection and on the other games of their groups.

    `decisions`: as in find_duplicates(). `decisions_count`: results of the last search are not used
    if the user has decided since.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        options: SearchOptions,
        games: Collection[int],
        decisions: Iterable[tuple[int, int, bool]] = (),
        *,
        decisions_count: bool = False,
    ) -> None:
        self._connection, self._options = connection, options
        self._decisions = list(decisions)
        self._different = {
            (min(pair), max(pair)) for *pair, is_same in self._decisions if not is_same
        }
        self._kind = game_kind(connection)
        self._weights = options.weights_for(self._kind)
        self._last_key = last_key(connection)
        self._groups = groups_of(connection, games)
        needed_ids = {*games, *self._groups}
        self.finder = detect.ordered_finder(connection, options, self._decisions, needed_ids)
        self._stored: _Results | None = None
        if _are_stored(connection, options, decisions_count):
            possible = set(possible_duplicates_with(connection, needed_ids)) - self._different
            self._removed = deleted_among(connection, needed_ids)
            self._stored = _Results(self.finder, possible, self._stored_group)
        self._searched: _Results | None = None

    def explained(self, first: int, second: int) -> Explained:
        """Return the verdict on two games; raise KeyError for an unknown ID."""
        comparison = self.finder.compare(first, second)
        results = self._results(first, second)
        return Explained(
            comparison,
            second in results.group_of(first),
            (min(first, second), max(first, second)) in results.possible,
        )

    def in_words(self, first: int, second: int, *, with_moves: bool = False) -> list[str]:
        """Return the evidence for and against a match, in words; raise KeyError for an unknown ID.

        `with_moves`: list the differing moves too.
        """
        explained = self.explained(first, second)
        lines = explain(explained.comparison, self._weights, self._kind)
        if with_moves and (explained.comparison.differences or explained.comparison.transposed):
            lines += slip_lines(self.finder, first, second)
        lines.append(self._outcome(first, second, explained))
        if self._last_key is not None:
            lines.append(
                "This is the verdict of a search by evidence. "
                f"The flags in the database are those of 'dedup {self._last_key.words}'."
            )
        return lines

    def _results(self, first: int, second: int) -> _Results:
        """Return the stored results if they cover these games, else those of a new search."""
        # No stored possible duplicate is a deleted game.
        if self._stored is not None and (
            second in self._stored_group(first) or self._removed.isdisjoint((first, second))
        ):
            return self._stored
        if self._searched is None:
            finder = detect.searched_finder(self._connection, self._options, self._decisions)
            possible = {(pair.first, pair.second) for pair in finder.possible_duplicates()}
            groups = GroupBatch.of_finder(finder)

            def group_of(game_id: int) -> set[int]:
                return next((set(ids) for ids, _ in groups if game_id in ids), {game_id})

            self._searched = _Results(finder, possible, group_of)
        return self._searched

    def _stored_group(self, game_id: int) -> set[int]:
        kept = self._groups.get(game_id)
        if kept is None:
            return {game_id}
        return {member for member, group in self._groups.items() if group == kept}

    def _outcome(self, first: int, second: int, explained: Explained) -> str:
        """Return the result of the search for a pair, and the reason if it is not the verdict."""
        if explained.are_together:
            return "The search puts them in one group."
        if explained.are_possible_duplicates:
            return "The search lists them as possible duplicates."
        if explained.comparison.verdict == NON_MATCH:
            return "The search keeps them apart."
        results = self._results(first, second)
        left, right = results.group_of(first), results.group_of(second)
        for game_id, other_id in sorted(results.possible):
            if (game_id in left and other_id in right) or (game_id in right and other_id in left):
                return (
                    f"The search lists games {game_id} and {other_id}, which are in the groups of "
                    "these two, as possible duplicates."
                )
        obstacle = self._obstacle(results.finder, left, right)
        return f"The search keeps them apart: {obstacle}."

    def _obstacle(self, finder: DuplicateFinder, left: set[int], right: set[int]) -> str:
        """Return why two groups were not joined although some of their games match or may match."""
        pairs = list(islice(product(sorted(left), sorted(right)), _MOST_COMPARED))
        for first_id, second_id in pairs:
            if (min(first_id, second_id), max(first_id, second_id)) in self._different:
                return f"you decided that games {first_id} and {second_id} are different"
        for first_id, second_id in pairs:
            comparison = finder.compare(first_id, second_id, True)
            if comparison.refused:
                return f"games {first_id} and {second_id} are outside the gates that you set"
            if comparison.kind == UNRELATED or comparison.score < self._weights.contradiction:
                return f"games {first_id} and {second_id} cannot be the same game"
        return "one of them matches several games, or they have too few moves in common"


def _are_stored(connection: apsw.Connection, options: SearchOptions, decisions_count: bool) -> bool:
    """Return whether results of these options are stored, and no games or decisions came since."""
    text = detect.verdict_options(connection, options)
    last = last_search(connection)
    return (
        last is not None
        and last.startswith(f"{text.removesuffix(')')}, ")
        and not has_changed_games(connection, decisions_count=decisions_count)
    )
