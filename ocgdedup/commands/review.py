"""review: show pairs of games to the user, and write each decision at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.errors import UsageError
from ocgdedup.matching.clusters import contradictions
from ocgdedup.model import GivenDecision, Reporter
from ocgdedup.pipeline.search.detect import SearchOptions, ordered_finder, pairs_with_verdicts
from ocgdedup.pipeline.search.judge import Judge
from ocgdedup.pipeline.search.kept_games import default_kept_game
from ocgdedup.pipeline.search.named_options import last_options
from ocgdedup.pipeline.search.pairs import ShownPair, ids_of_group, pairs_of, require_game_ids
from ocgdedup.store import connection as store
from ocgdedup.store.connection import Database
from ocgdedup.store.database import is_in_place, open_database, store_errors
from ocgdedup.store.deleted_games import deleted_among
from ocgdedup.store.duplicates import (
    are_stale,
    content_hashes,
    group_ids,
    near_identical_ids,
    unknown_ids,
)
from ocgdedup.store.file_state import verdicts_still_hold
from ocgdedup.store.games import count_games
from ocgdedup.store.history import DECISION, transaction
from ocgdedup.store.migrations import migrate
from ocgdedup.store.possible_duplicates import (
    Decision,
    PossiblePair,
    decided_pairs,
    decisions,
    listed_possible_duplicates,
    write_decision,
)
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.pipeline.search.overview import Overview

Pair = tuple[int, int]
_MAX_ERRORS = 10  # in one message
_PAGE_PAIRS = 500  # judged at once: 30 MB at most
_UNREAD = "cannot be read"
_AGAIN = "start 'ocgdedup review' again"


class ContradictionError(UsageError):
    """A decision contradicts earlier ones."""


class ReviewRequest(NamedTuple):
    """Pairs to review: a `pair`, a `group`, `near_identical` duplicates, or possible duplicates.

    `group`: a game of it. `decided`: with the last two, decided pairs too, after the others.
    """

    database: str
    pair: Pair | None = None
    group: int | None = None
    near_identical: bool = False
    decided: bool = False


class Review:
    """A review in progress; `pairs`: those to review, in their order.

    Raises UsageError for unknown IDs, and for a game without a group.
    """

    def __init__(self, database: Database, request: ReviewRequest, reporter: Reporter) -> None:
        self._database = database
        self._reporter = reporter
        self._page = -1
        self._content: Mapping[int, bytes] = {}  # hashes of the shown pair
        self.pairs = _requested_pairs(database, request)
        if request.near_identical and self.pairs:
            with self._reading():
                decided = decided_pairs(database.connection)
                finder = ordered_finder(database.connection, self._search(), decided)
                self.pairs.sort(key=lambda pair: finder.compare(*pair).score)
        if request.pair is None and request.group is None:
            self.pairs = _undecided_first(database.connection, self.pairs, request.decided)

    def _search(self) -> SearchOptions:
        # The user may name games that were too short for the last search.
        return last_options(self._database.connection).search()._replace(min_plies=0)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Report progress while all games are read."""
        self._reporter.start("reading the games", None, count_games(self._database.connection))
        yield
        self._reporter.finish()

    def _judge_of(self, number: int) -> Judge:
        """Return the Judge for a pair; one Judge, which reads all games, serves a page of pairs."""
        page = number // _PAGE_PAIRS
        if page != self._page:
            connection = self._database.connection
            pairs = self.pairs[page * _PAGE_PAIRS :][:_PAGE_PAIRS]
            games = {game_id for pair in pairs for game_id in pair}
            with self._reading():
                decided = decided_pairs(connection)
                self._judge = Judge(connection, self._search(), games, decided)
            self._page = page
        return self._judge

    def shown(self, number: int) -> tuple[ShownPair, list[str]]:
        """Return a pair, with the game that is kept by default on the left, and the evidence.

        Raises UsageError if a game has been purged since.
        """
        first, second = self.pairs[number]
        with store_errors(self._database.path, _UNREAD):
            require_game_ids(self._database, (first, second))
            judge = self._judge_of(number)
            ids = self._left_first(judge.finder, first, second)
            with store.one_state(self._database.connection):
                (pair,) = pairs_of(self._database, [ids])
                self._content = content_hashes(self._database.connection, ids)
            return pair, judge.in_words(first, second)

    def _left_first(self, finder: DuplicateFinder, first: int, second: int) -> Pair:
        """Return the pair with the game first that is kept by default or is in its group."""
        connection = self._database.connection
        groups = [group_ids(connection, game_id) or [game_id] for game_id in (first, second)]
        members = {*groups[0], *groups[1]}
        members -= deleted_among(connection, members)
        if groups[0] == groups[1]:
            is_second = groups[0][0] == second
        elif members:
            kept_id = default_kept_game(connection, finder, sorted(members))
            is_second = kept_id in groups[1]
        else:
            is_second = False  # both are deleted
        return (second, first) if is_second else (first, second)

    def decided(self) -> int:
        """Return how many of the pairs are decided."""
        with store_errors(self._database.path, _UNREAD):
            decided = {row.games for row in decisions(self._database.connection)}
        return sum((min(pair), max(pair)) in decided for pair in self.pairs)

    def decide(self, number: int, decision: str | None, master: int | None = None) -> None:
        """Write the decision about the shown pair; None deletes it.

        Raises ContradictionError if it contradicts earlier decisions, UsageError if the file or a
        game of the pair has changed since.
        """
        first, second = sorted(self.pairs[number])
        given = GivenDecision("review", first, second, decision, master)
        decide_all(
            self._database.path,
            [given],
            self._reporter,
            lambda database: _require_same(database, self._database, self._content),
        )


@contextlib.contextmanager
def opened_review(request: ReviewRequest, reporter: Reporter) -> Iterator[Review]:
    """Open a database to review pairs.

    Raises UsageError if OCGDB wrote the database, for unknown IDs, and for a game without a group.
    """
    with open_database(request.database, writable=True) as database:
        _require_ours(database)
        with store_errors(database.path, _UNREAD):
            migrate(database, reporter)
            if are_stale(database.connection):
                reporter.warn(
                    f"{database.path}: games or names have changed since the last search; "
                    "to search again, run 'ocgdedup dedup'"
                )
            review = Review(database, request, reporter)
        yield review


class ReviewedPairs:
    """The pairs of a database for a page in the browser: read once, with the current decisions.

    `weights`: of the last search. `database` stays open, to notice if its file is replaced; the
    methods then raise UsageError.
    """

    def __init__(self, database: Database, search: SearchOptions) -> None:
        from ocgdedup.pipeline.search.overview import game_ids_of, overview_of  # 7 ms

        self.path = database.path
        self.weights = search.weights
        self._database = database
        with store.one_state(database.connection):
            self._overview = overview_of(database, search)
            ids = game_ids_of(self._overview.pairs)
            self._content = content_hashes(database.connection, ids)
        self._pairs = {
            (min(row.left, row.right), max(row.left, row.right)) for row in self._overview.pairs
        }
        store.use_little_memory(database.connection)

    @property
    def count(self) -> int:
        return len(self._overview.pairs)

    def decisions(self) -> set[Decision]:
        """Read the current decisions."""
        with open_database(self.path) as database, store_errors(self.path, _UNREAD):
            _require_same(database, self._database, {})
            return set(decisions(database.connection))

    def overview(self) -> Overview:
        """Return the content of the page."""
        return self._overview._replace(decisions=sorted(self.decisions()))

    def decide(self, given: GivenDecision, reporter: Reporter) -> None:
        """Write a decision; raise UsageError if the pair was not shown or has changed since."""
        if (given.first, given.second) not in self._pairs:
            raise UsageError(f"{self.path}: games {given.first} and {given.second} were not shown")
        content = {key: self._content.get(key, b"") for key in (given.first, given.second)}
        decide_all(
            self.path,
            [given],
            reporter,
            lambda database: _require_same(database, self._database, content),
        )


def _require_same(database: Database, shown: Database, content: Mapping[int, bytes]) -> None:
    """Raise UsageError unless this is the file of `shown` and its games have this content."""
    if not (is_in_place(shown) and is_in_place(database)):
        raise UsageError(
            f"{shown.path}: was replaced, moved or deleted during the review; {_AGAIN}"
        )
    current = content_hashes(database.connection, content)
    for game_id, before in content.items():
        if current.get(game_id) != before:
            change = "has changed" if game_id in current else "was purged"
            raise UsageError(f"{shown.path}: game {game_id} {change} since it was shown; {_AGAIN}")


def read_pairs(path: str, reporter: Reporter) -> ReviewedPairs:
    """Read possible duplicates, and duplicates with their kept games, for a page.

    Raises UsageError if OCGDB wrote the database or if it was never searched.
    """
    database = open_database(path, writable=True)
    try:
        _require_ours(database)
        with store_errors(path, _UNREAD):
            migrate(database, reporter)
            return ReviewedPairs(database, last_options(database.connection).search())
    except BaseException:
        database.close()
        raise


def _require_ours(database: Database) -> None:
    if not database.is_ours:
        raise UsageError(
            f"{database.path}: OCGDB wrote this file, which has no possible duplicates yet; run "
            f"'ocgdedup dedup --upgrade {database.path}' first"
        )


def _requested_pairs(database: Database, request: ReviewRequest) -> list[Pair]:
    connection, path = database.connection, database.path
    if request.pair is not None:
        first, second = request.pair
        if first == second:
            raise UsageError(f"{path}: --pair needs two different games, not {first} twice")
        require_game_ids(database, request.pair)
        return [request.pair]
    if request.group is not None:
        return ids_of_group(database, request.group)
    if request.near_identical:
        return near_identical_ids(connection)
    return [(row.first, row.second) for row in listed_possible_duplicates(connection)]


def _undecided_first(
    connection: apsw.Connection, pairs: list[Pair], with_decided: bool
) -> list[Pair]:
    decided_games = {row.games for row in decisions(connection)}
    decided = [pair for pair in pairs if (min(pair), max(pair)) in decided_games]
    undecided = [pair for pair in pairs if (min(pair), max(pair)) not in decided_games]
    return [*undecided, *decided] if with_decided else undecided


# --- without a dialogue ---------------------------------------------------------------------------


def decide_all(
    path: str,
    given: Sequence[GivenDecision],
    reporter: Reporter,
    check: Callable[[Database], None] | None = None,
) -> int:
    """Write decisions, all or none; return the number of pairs with a changed decision.

    `check` is called in the transaction: it raises an error if the database has changed since the
    user decided. Raises UsageError for unknown games, deleted games as kept games, and decisions
    that contradict others.
    """
    with open_database(path, writable=True) as database:
        _require_ours(database)
        connection = database.connection
        with store_errors(path, "no decision was written"):
            if check is None:  # otherwise the review has migrated it
                migrate(database, reporter)
            with (
                transaction(connection, DECISION, is_own_step=True) as change,
                verdicts_still_hold(connection),
            ):
                if check is not None:
                    check(database)
                _require_possible(database, given)
                before = set(decisions(connection))
                for row in given:
                    write_decision(connection, *row[1:])
                places = {
                    (min(row.first, row.second), max(row.first, row.second)): row.location
                    for row in given
                }
                _require_consistent(connection, places)
                change.words = _words(given)
                return len({row.games for row in before ^ set(decisions(connection))})


def _words(given: Sequence[GivenDecision]) -> str:
    """Return the text of the history on decisions."""
    first, *others = given
    text = f"games {first.first} and {first.second}: {first.decision or 'undecided'}"
    return f"{text}, and {counted(len(others), 'other pair')}" if others else text


def _require_consistent(connection: apsw.Connection, places: Mapping[Pair, str]) -> None:
    """Raise an error if new decisions contradict others; `places`: of the new ones, by pair."""
    for pair, chain in contradictions(decided_pairs(connection)):
        links = [(min(link), max(link)) for link in pairwise(chain)]
        place = next((places[link] for link in (pair, *links) if link in places), None)
        if place is not None:
            same = " = ".join(map(str, chain))
            raise ContradictionError(
                f"{place}: games {pair[0]} and {pair[1]} cannot be different and the same game "
                f"({same}) by your decisions; take one of these decisions back first"
            )


def _require_possible(database: Database, decisions: Sequence[GivenDecision]) -> None:
    game_ids = [game_id for row in decisions for game_id in (row.first, row.second)]
    unknown = set(unknown_ids(database.connection, game_ids))
    deleted = deleted_among(database.connection, game_ids)
    wrong = [
        f"{row.location}: game {row.kept_id} is deleted and cannot be the kept game; 'ocgdedup "
        "restore' restores deleted games"
        for row in decisions
        if row.kept_id in deleted
    ]
    wrong += [
        f"{row.location}: there is no game with ID {game_id} in {database.path}"
        for row in decisions
        for game_id in (row.first, row.second)
        if game_id in unknown
    ]
    if wrong:
        raise UsageError("; ".join(wrong[:_MAX_ERRORS]))


def listed_pairs(path: str) -> Iterator[PossiblePair]:
    """Yield possible duplicates and decided pairs by ID, without those of purged games."""
    with open_database(path) as database, store_errors(path, _UNREAD):
        # The user may have decided about games that were too short for the last search.
        search = last_options(database.connection).search()._replace(min_plies=0)
        yield from pairs_with_verdicts(database.connection, search)
