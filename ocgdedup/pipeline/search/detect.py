"""Phase 3: find duplicates: scan, candidate pairs, verdicts, groups."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import apsw

from ocgdedup._kernels.search import DuplicateFinder, GameBatch
from ocgdedup.game_kind import CHESS, GO, GameKind, kind_of
from ocgdedup.matching.addresses import TAGS as ADDRESS_TAGS
from ocgdedup.matching.addresses import address_in_tags, address_of
from ocgdedup.matching.evidence import GO_WEIGHTS, Gates, Weights, gates_for, status_of, summary_of
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import Comparison
from ocgdedup.pipeline.search import spill
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.pipeline.search.spill import ONE_THREAD, Resources
from ocgdedup.pipeline.search.stages import order_games, read_games, run_stages
from ocgdedup.store.connection import little_memory, map_file, use_little_memory
from ocgdedup.store.deleted_games import removed_among, removed_ids
from ocgdedup.store.file_state import Verdicts, stored_verdicts, write_verdicts
from ocgdedup.store.names import game_kind
from ocgdedup.store.possible_duplicates import Suspect, stored_suspects, write_suspects
from ocgdedup.store.search_reader import AddressReader, GameReader
from ocgdedup.version import __version__


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

    def weights_for(self, kind: GameKind) -> Weights:
        """Return the weights for a kind of games."""
        return {CHESS: self.weights, GO: self.go_weights}[kind]


class SearchResult(NamedTuple):
    """What a search found; `games` were searched, of which `removed` are no longer in Games.

    `decided`: games that the user has had a word on; `choices`: for each game that he wants to
    stay those in whose place. `last_known_id`: games up to this ID the last search had too, and
    nothing else has changed; None if that is not known.
    """

    games: int
    removed: frozenset[int]
    groups: GroupBatch
    suspects: list[Suspect]
    finder: DuplicateFinder
    decided: frozenset[int] = frozenset()
    choices: Mapping[int, Collection[int]] = {}
    last_known_id: int | None = None

    @property
    def kind(self) -> GameKind:
        """The kind of the games that were searched."""
        return kind_of(self.finder.is_go)

    def lone_removed(self) -> list[int]:
        """Return the removed games that were searched and are not duplicates of a game in Games."""
        grouped = self.removed.intersection(self.groups.ids)
        return sorted(game_id for game_id in self.removed - grouped if game_id in self.finder)

    def compare(self, first: int, second: int) -> Comparison:
        """Compare two games of one group."""
        return self.finder.compare(first, second, True)


def find_duplicates(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]] = (),
    choices: Iterable[tuple[int, int]] = (),
    resources: Resources = ONE_THREAD,
    *,
    judge_all: bool = True,
    is_kept: bool = False,
) -> SearchResult:
    """Find duplicate groups and possible duplicates.

    Of the user: `decisions`: (ID, ID, is one game); `choices`: (ID that stays, ID of the other).
    Unless `judge_all`, verdicts of the last search are taken that still hold; `is_kept`: those of
    this one are stored, in the transaction of the caller.
    """
    decisions = list(decisions)
    text = judged_by(connection, options)
    known = None if judge_all else stored_verdicts(connection, text)
    keep = partial(write_verdicts, connection, text) if is_kept else None
    finder = searched_finder(connection, options, decisions, resources, known, keep)
    decided = frozenset(game_id for first, second, _ in decisions for game_id in (first, second))
    removed = frozenset(removed_ids(connection))
    groups = GroupBatch.of_finder(finder)
    suspects = list_suspects(finder, groups, removed)
    games = finder.games - sum(game_id in finder for game_id in removed)
    return SearchResult(
        games, removed, groups.without(removed), suspects, finder, decided, by_winner(choices),
        None if known is None else known.last_id,
    )  # fmt: skip


def list_suspects(
    finder: DuplicateFinder, groups: GroupBatch, removed: frozenset[int]
) -> list[Suspect]:
    """Return the possible duplicates, with another game of its group for each removed one."""
    pairs = finder.suspects_found()
    away = removed.intersection(game_id for pair in pairs for game_id in (pair.first, pair.second))
    instead: dict[int, int] = {}
    if away:
        for ids, _ in groups:
            kept = [game_id for game_id in ids if game_id not in removed]
            if kept:
                instead.update((game_id, kept[0]) for game_id in away.intersection(ids))
    scores: dict[tuple[int, int], float] = {}  # the best of each pair
    for pair in pairs:
        first, second = sorted(
            instead.get(game_id, game_id) for game_id in (pair.first, pair.second)
        )
        if first != second and first not in away and second not in away:
            scores[first, second] = max(pair.score, scores.get((first, second), pair.score))
    suspects = []
    for (first, second), score in sorted(scores.items()):
        comparison = finder.compare(first, second)
        status, reason = status_of(comparison)
        kind = f"{status} ({reason})" if reason else status
        suspects.append(Suspect(first, second, kind, round(score, 2), summary_of(comparison)))
    return suspects


def name_present_games(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]],
    resources: Resources,
) -> None:
    """Let possible duplicates that name games deleted since name other games of their groups.

    Searches again, with the verdicts that are known, if there are such pairs.
    """
    pairs = stored_suspects(connection, "Decision IS NULL AND Class <> ''")
    if removed_among(connection, {game_id for row in pairs for game_id in row.games}):
        found = find_duplicates(connection, options, decisions, (), resources, judge_all=False)
        write_suspects(connection, found.suspects)


def by_winner(choices: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Return for each game that the user chose those over which he did."""
    losers: dict[int, set[int]] = {}
    for winner, loser in choices:
        losers.setdefault(winner, set()).add(loser)
    return losers


def searched_finder(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]],
    resources: Resources = ONE_THREAD,
    known: Verdicts | None = None,
    keep: Callable[[Iterator[bytes]], None] | None = None,
) -> DuplicateFinder:
    """Return a finder that has searched the whole collection; `known`, `keep`: see run_stages()."""
    finder, space, jobs = _with_all_games(connection, options, resources)
    run_stages(
        finder, decisions, jobs=jobs, space=space, known=known, keep=keep,
        copies_moves=spill.may_copy_moves(connection, resources, finder.batch.plies),
    )  # fmt: skip
    return finder


def unsearched_finder(connection: apsw.Connection, options: SearchOptions) -> DuplicateFinder:
    """Return a finder that has read all games and sorted them, for the stages to be called."""
    reader = _reader(connection, options)
    read_games(connection, reader)
    finder = _finder(connection, options, reader.batch)
    finder.sort()
    return finder


def ordered_finder(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]],
    games: Collection[int] | None = None,
    *,
    resources: Resources = ONE_THREAD,
) -> DuplicateFinder:
    """Return a finder that compares games as a search of the whole collection does.

    It compares these games, or any if None, and knows no groups.
    """
    space = None
    if games is None:
        finder, space, _ = _with_all_games(connection, options, resources)
    else:
        with little_memory(connection):
            reader = _reader(connection, options)
            reader.read_near(games)
        finder = _finder(connection, options, reader.batch)
    order_games(finder, decisions, space=space)
    return finder


def _with_all_games(
    connection: apsw.Connection, options: SearchOptions, resources: Resources
) -> tuple[DuplicateFinder, spill.Space | None, int]:
    """Return a finder that has read all games, where they are, and how many threads to use.

    They are in files if memory does not hold them, else the place is None.
    """
    space = spill.space_for(connection, resources)
    if space is not None:
        use_little_memory(connection)
    elif spill.may_map_file(connection, resources):
        map_file(connection)
    reader = _reader(connection, options)
    jobs = resources.jobs if space is None else min(resources.jobs, space.jobs)
    read_games(connection, reader, jobs=jobs, space=space)
    return _finder(connection, options, reader.batch), space, jobs


def _reader(connection: apsw.Connection, options: SearchOptions) -> GameReader:
    return GameReader(
        connection, plain_letters, min_plies=options.min_plies,
        rewrite=_NAME_FORMS[game_kind(connection)](),
        addresses=AddressReader(address_of, address_in_tags, ADDRESS_TAGS),
    )  # fmt: skip


def _finder(
    connection: apsw.Connection, options: SearchOptions, batch: GameBatch
) -> DuplicateFinder:
    kind = game_kind(connection)
    return DuplicateFinder(
        batch,
        options.weights_for(kind)._asdict(),
        gates_for(kind, options.gates)._asdict(),
        None if options.named is None else gates_for(kind, options.named)._asdict(),
        options.min_shorter,
    )


def judged_by(connection: apsw.Connection, options: SearchOptions) -> str:
    """Write what verdicts rest on besides the games."""
    return repr((__version__, *counting_options(connection, options)))


def counting_options(connection: apsw.Connection, options: SearchOptions) -> tuple[object, ...]:
    """Return what of the options counts for the kind of game that a database holds.

    It is stored as text: a new option for one kind must not cause a new search in the other.
    """
    kind = game_kind(connection)
    gates = gates_for(kind, options.gates)
    weights = options.weights_for(kind)
    return gates, weights, options.min_plies, options.named, options.min_shorter


def _plain_go_names() -> Callable[[str], str]:
    from ocgdedup.matching.names.go_spelling import plain_go_name  # 16 ms

    return plain_go_name


# What names go through before the search compares them.
_NAME_FORMS: Mapping[GameKind, Callable[[], Callable[[str], str] | None]] = {
    CHESS: lambda: None,
    GO: _plain_go_names,
}
