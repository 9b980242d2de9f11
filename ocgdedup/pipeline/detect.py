"""Phase 3: find copies: scan, candidate pairs, verdicts, groups."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice, product
from typing import NamedTuple

import apsw

from ocgdedup._kernels.find_copies import CopyFinder
from ocgdedup.matching.addresses import TAGS as ADDRESS_TAGS
from ocgdedup.matching.addresses import address_in_tags, address_of
from ocgdedup.matching.evidence import (
    GO_WEIGHTS,
    NO_KIND,
    NON_MATCH,
    Gates,
    Weights,
    explain,
    go_gates,
    status_of,
    summary_of,
)
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import Comparison
from ocgdedup.pipeline.groups import GroupBatch
from ocgdedup.pipeline.search import read_games, run_stages
from ocgdedup.pipeline.slips import slip_lines
from ocgdedup.pipeline.spill import ONE_THREAD, Resources, space_for
from ocgdedup.store.connection import use_little_memory
from ocgdedup.store.copies import AddressReader, GameReader
from ocgdedup.store.removed_games import removed_ids
from ocgdedup.store.search_state import last_key
from ocgdedup.store.suspects import Suspect
from ocgdedup.store.variant import holds_go

_MOST_COMPARED = 10_000  # pairs of games of two groups, to say what keeps these apart


class SearchOptions(NamedTuple):
    """What a search rests on besides the games; `min_plies`: shorter games are left out.

    `go_weights` take the place of `weights` where the games are of Go. `named`: gates that the user
    named: near-identical games outside them are not grouped. `min_shorter`: nor are truncated
    games that are shorter by fewer plies.
    """

    gates: Gates = Gates()
    weights: Weights = Weights()
    min_plies: int = 0
    go_weights: Weights = GO_WEIGHTS
    named: Gates | None = None
    min_shorter: int = 0


class Found(NamedTuple):
    """What a search found; `games` were searched, of which `removed` are no longer in Games.

    `decided`: games that the user has had a word on; `choices`: for each game that he wants to
    stay those in whose place.
    """

    games: int
    removed: frozenset[int]
    groups: GroupBatch
    suspects: list[Suspect]
    finder: CopyFinder
    decided: frozenset[int] = frozenset()
    choices: Mapping[int, Collection[int]] = {}

    def lone_removed(self) -> list[int]:
        """Return the removed games that were searched and are copies of no game that is there."""
        grouped = self.removed.intersection(self.groups.ids)
        return sorted(one for one in self.removed - grouped if one in self.finder)

    def compare(self, first: int, second: int) -> Comparison:
        """Compare two games of one group."""
        return self.finder.compare(first, second, True)


def find_copies(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]] = (),
    choices: Iterable[tuple[int, int]] = (),
    resources: Resources = ONE_THREAD,
) -> Found:
    """Find groups of copies and suspects.

    Of the user: `decisions`: (ID, ID, is one game); `choices`: (ID that stays, ID of the other).
    """
    decisions = list(decisions)
    finder = _searched(connection, options, decisions, resources)
    decided = frozenset(one for first, second, _ in decisions for one in (first, second))
    removed = frozenset(removed_ids(connection))
    groups = GroupBatch(*finder.groups_found()).without(removed)
    suspects = [
        _suspect(finder, *pair) for pair in finder.suspects_found() if removed.isdisjoint(pair[:2])
    ]
    games = finder.games - sum(one in finder for one in removed)
    return Found(games, removed, groups, suspects, finder, decided, by_winner(choices))


def by_winner(choices: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Return for each game that the user chose those over which he did."""
    found: dict[int, set[int]] = {}
    for winner, loser in choices:
        found.setdefault(winner, set()).add(loser)
    return found


class Explained(NamedTuple):
    """A verdict on two games, and what the search of the whole collection made of it."""

    comparison: Comparison
    are_together: bool
    are_suspects: bool


class Judge:
    """Verdicts on any two games of a collection.

    It is read once and whole: how well known a line is, only that can tell. `decisions`: as in
    find_copies().
    """

    def __init__(
        self,
        connection: apsw.Connection,
        options: SearchOptions,
        decisions: Iterable[tuple[int, int, bool]] = (),
    ) -> None:
        decisions = list(decisions)
        self._finder = _searched(connection, options, decisions, ONE_THREAD)
        self._different = {(min(pair), max(pair)) for *pair, is_same in decisions if not is_same}
        self._weights = weights_for(connection, options)
        self._is_go = holds_go(connection)
        self._last_key = last_key(connection)
        self._suspects = {pair[:2] for pair in self._finder.suspects_found()}

    @property
    def finder(self) -> CopyFinder:
        return self._finder

    def explained(self, first: int, second: int) -> Explained:
        """Return the verdict on two games; raise KeyError for an unknown ID."""
        return Explained(
            self._finder.compare(first, second),
            self._finder.are_together(first, second),
            (min(first, second), max(first, second)) in self._suspects,
        )

    def in_words(self, first: int, second: int, *, with_moves: bool = False) -> list[str]:
        """Say for the user what speaks for one game and against; raise KeyError as above.

        `with_moves`: which moves differ too, for where they are not shown side by side.
        """
        found = self.explained(first, second)
        lines = explain(found.comparison, self._weights, is_go=self._is_go)
        if with_moves and (found.comparison.differences or found.comparison.transposed):
            lines += slip_lines(self._finder, first, second)
        lines.append(self._outcome(first, second, found))
        if self._last_key is not None:
            lines.append(
                "That is a search by evidence. "
                f"The flags are those of 'dedup --by {self._last_key}'."
            )
        return lines

    def _outcome(self, first: int, second: int, found: Explained) -> str:
        """Say what the search made of a pair, and why if that is not the verdict on it."""
        if found.are_together:
            return "The search has them in one group."
        if found.are_suspects:
            return "The search lists them as suspects."
        if found.comparison.verdict == NON_MATCH:
            return "The search keeps them apart."
        left, right = self._group_of(first), self._group_of(second)
        for one, other in sorted(self._suspects):
            if (one in left and other in right) or (one in right and other in left):
                return f"The search lists games {one} and {other} of their groups as suspects."
        return f"The search keeps them apart: {self._obstacle(left, right)}."

    def _group_of(self, game_id: int) -> set[int]:
        for ids, _ in GroupBatch(*self._finder.groups_found()):
            if game_id in ids:
                return set(ids)
        return {game_id}

    def _obstacle(self, left: set[int], right: set[int]) -> str:
        """Say what keeps two groups apart though games of them match, or may."""
        pairs = list(islice(product(sorted(left), sorted(right)), _MOST_COMPARED))
        for one, other in pairs:
            if (min(one, other), max(one, other)) in self._different:
                return f"you decided that games {one} and {other} are different"
        for one, other in pairs:
            found = self._finder.compare(one, other, True)
            if found.refused:
                return f"games {one} and {other} are outside the gates that you named"
            if found.kind == NO_KIND or found.score < self._weights.contradiction:
                return f"games {one} and {other} cannot be one game"
        return "one of them matches several games, or they share too little to be compared"


def _searched(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]],
    resources: Resources,
) -> CopyFinder:
    """Return a finder that has searched the whole collection."""
    is_go = holds_go(connection)
    space = space_for(connection, resources)
    if space is not None:
        use_little_memory(connection)
    reader = GameReader(
        connection,
        plain_letters,
        min_plies=options.min_plies,
        rewrite=_plain_go_name() if is_go else None,
        addresses=AddressReader(address_of, address_in_tags, ADDRESS_TAGS),
    )
    read_games(connection, reader, jobs=resources.jobs, space=space)
    finder = CopyFinder(
        reader.batch,
        weights_for(connection, options)._asdict(),
        gates_for(options.gates, is_go=is_go)._asdict(),
        None if options.named is None else gates_for(options.named, is_go=is_go)._asdict(),
        options.min_shorter,
    )
    run_stages(finder, decisions, jobs=resources.jobs, space=space)
    return finder


def weights_for(connection: apsw.Connection, options: SearchOptions) -> Weights:
    """Return the weights for the kind of game that a database holds."""
    return options.go_weights if holds_go(connection) else options.weights


def gates_for(gates: Gates, *, is_go: bool) -> Gates:
    """Return gates for a kind of game."""
    return go_gates(gates) if is_go else gates


def counting_options(connection: apsw.Connection, options: SearchOptions) -> tuple[object, ...]:
    """Return what of the options counts for the kind of game that a database holds.

    It is stored as text: what is new for one kind must not make the other be judged anew.
    """
    gates = gates_for(options.gates, is_go=holds_go(connection))
    return gates, weights_for(connection, options), options.min_plies, *options[4:]


def _plain_go_name() -> Callable[[str], str]:
    # Its imports take a fortieth of a second; chess has no need of them.
    found: Callable[[str], str] = importlib.import_module(
        "ocgdedup.matching.names.go_plain"
    ).plain_go_name
    return found


def _suspect(finder: CopyFinder, first: int, second: int, score: float) -> Suspect:
    found = finder.compare(first, second)
    status, reason = status_of(found)
    return Suspect(
        first,
        second,
        f"{status} ({reason})" if reason else status,
        round(score, 2),
        summary_of(found),
    )
