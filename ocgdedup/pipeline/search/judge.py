"""Verdicts on a few games of a collection, in words, and what the search made of them.

A verdict rests on the two records and on how well known a line is, for which the collection is read
once, but only what is near the games is kept. What a search made of them is stored; the search is
made again only if the stored results are not those of these options and games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice, product
from typing import NamedTuple

import apsw

from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.matching.evidence import NO_KIND, NON_MATCH, explain
from ocgdedup.model import Comparison
from ocgdedup.pipeline.search import detect
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.pipeline.search.variations import slip_lines
from ocgdedup.store.deleted_games import removed_among
from ocgdedup.store.duplicates import groups_of
from ocgdedup.store.names import game_kind
from ocgdedup.store.possible_duplicates import suspects_of
from ocgdedup.store.search_state import has_changed_games, last_key, last_search

_MOST_COMPARED = 10_000  # pairs of games, to find why two groups were not joined

Pair = tuple[int, int]


class Explained(NamedTuple):
    """A verdict on two games, and what the search of the whole collection made of it."""

    comparison: Comparison
    are_together: bool
    are_suspects: bool


class _Results(NamedTuple):
    """What a search found; `finder` compares the games of the groups that were asked for."""

    finder: DuplicateFinder
    suspects: set[Pair]
    group_of: Callable[[int], set[int]]


class Judge:
    """Verdicts on some games of a collection, and on those of the groups that they are in.

    `decisions`: as in find_duplicates(). With `decisions_count`, decisions since the last search
    count in its results too, which may take a search.
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
            suspects = set(suspects_of(connection, needed_ids)) - self._different
            self._removed = removed_among(connection, needed_ids)
            self._stored = _Results(self.finder, suspects, self._stored_group)
        self._searched: _Results | None = None

    def explained(self, first: int, second: int) -> Explained:
        """Return the verdict on two games; raise KeyError for an unknown ID."""
        comparison = self.finder.compare(first, second)
        results = self._results(first, second)
        return Explained(
            comparison,
            second in results.group_of(first),
            (min(first, second), max(first, second)) in results.suspects,
        )

    def in_words(self, first: int, second: int, *, with_moves: bool = False) -> list[str]:
        """Return the evidence for and against a match, in words; raise KeyError as above.

        `with_moves`: which moves differ too, for where they are not shown side by side.
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
        # Possible duplicates that are stored are not of games that are deleted.
        if self._stored is not None and (
            second in self._stored_group(first) or self._removed.isdisjoint((first, second))
        ):
            return self._stored
        if self._searched is None:
            finder = detect.searched_finder(self._connection, self._options, self._decisions)
            suspects = {(pair.first, pair.second) for pair in finder.suspects_found()}
            groups = GroupBatch.of_finder(finder)

            def group_of(game_id: int) -> set[int]:
                return next((set(ids) for ids, _ in groups if game_id in ids), {game_id})

            self._searched = _Results(finder, suspects, group_of)
        return self._searched

    def _stored_group(self, game_id: int) -> set[int]:
        kept = self._groups.get(game_id)
        if kept is None:
            return {game_id}
        return {member for member, group in self._groups.items() if group == kept}

    def _outcome(self, first: int, second: int, explained: Explained) -> str:
        """Return a line with the result of the search for a pair; why, if it is not the verdict."""
        if explained.are_together:
            return "The search puts them in one group."
        if explained.are_suspects:
            return "The search lists them as possible duplicates."
        if explained.comparison.verdict == NON_MATCH:
            return "The search keeps them apart."
        results = self._results(first, second)
        left, right = results.group_of(first), results.group_of(second)
        for game_id, other_id in sorted(results.suspects):
            if (game_id in left and other_id in right) or (game_id in right and other_id in left):
                return (
                    f"The search lists games {game_id} and {other_id}, which are in the groups of "
                    "these two, as possible duplicates."
                )
        obstacle = self._obstacle(results.finder, left, right)
        return f"The search keeps them apart: {obstacle}."

    def _obstacle(self, finder: DuplicateFinder, left: set[int], right: set[int]) -> str:
        """Return why two groups were not joined although some of their games match, or may."""
        pairs = list(islice(product(sorted(left), sorted(right)), _MOST_COMPARED))
        for first_id, second_id in pairs:
            if (min(first_id, second_id), max(first_id, second_id)) in self._different:
                return f"you decided that games {first_id} and {second_id} are different"
        for first_id, second_id in pairs:
            comparison = finder.compare(first_id, second_id, True)
            if comparison.refused:
                return f"games {first_id} and {second_id} are outside the gates that you set"
            if comparison.kind == NO_KIND or comparison.score < self._weights.contradiction:
                return f"games {first_id} and {second_id} cannot be the same game"
        return "one of them matches several games, or they have too few moves in common"


def _are_stored(connection: apsw.Connection, options: SearchOptions, decisions_count: bool) -> bool:
    """Tell if the results of a search by these options are stored, and no games came since.

    Nor decisions, if they count.
    """
    text = detect.judged_by(connection, options)
    last = last_search(connection)
    return (
        last is not None
        and last.startswith(f"{text.removesuffix(')')}, ")
        and not has_changed_games(connection, decisions_count=decisions_count)
    )
