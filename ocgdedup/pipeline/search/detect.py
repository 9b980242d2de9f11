"""Find duplicates: scan, candidate pairs, verdicts, groups."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import NamedTuple, TypeVar

import apsw

from ocgdedup._kernels.search import ORDER_ROW_BYTES, DeltaFinder, DuplicateFinder, GameBatch
from ocgdedup.game_kind import CHESS, GO, GameKind, kind_of
from ocgdedup.matching.addresses import TAGS as ADDRESS_TAGS
from ocgdedup.matching.addresses import address_in_comment, address_in_tags, address_of
from ocgdedup.matching.evidence import (
    DIFFERENT_MOVES,
    GO_WEIGHTS,
    UNRELATED,
    Gates,
    Weights,
    class_of,
    gates_for,
    summary_of,
)
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.name_decisions import DIFFERENT, different_groups
from ocgdedup.matching.names.name_decisions import groups as groups_of_names
from ocgdedup.matching.names.name_form import letters_for_search, reading_for_search
from ocgdedup.model import Comparison
from ocgdedup.pipeline.search import spill
from ocgdedup.pipeline.search.delta import (
    NewGames,
    search_new_games,
    write_small_files,
)
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.pipeline.search.search_files import NewSearchFiles, SearchFiles
from ocgdedup.pipeline.search.search_memory import SearchMemory
from ocgdedup.pipeline.search.spill import ONE_THREAD, Resources
from ocgdedup.pipeline.search.stages import ORDER, order_games, read_games, run_stages
from ocgdedup.pipeline.search.stored_counts import StoredCounts, WriteState
from ocgdedup.store import possible_duplicates as store
from ocgdedup.store.connection import little_memory, map_file, use_little_memory
from ocgdedup.store.deleted_games import deleted_among, deleted_ids
from ocgdedup.store.file_state import Verdicts, stored_verdicts, write_verdicts
from ocgdedup.store.games import id_span
from ocgdedup.store.name_decisions import ids_of_names, name_decisions, players_of_names
from ocgdedup.store.names import game_kind
from ocgdedup.store.search_reader import (
    AddressReader,
    DifferentPlayers,
    GameReader,
    NameForms,
)
from ocgdedup.version import __version__

Finder = TypeVar("Finder", bound=DuplicateFinder)


class SearchOptions(NamedTuple):
    """Options on which verdicts depend; games shorter than `min_plies` are not searched.

    `go_weights` replace `weights` for Go games. `named`: gates that the user set; near-identical
    games outside them are not grouped. `min_shorter`: nor are truncated games that are shorter by
    fewer plies.
    """

    gates: Gates = Gates()
    weights: Weights = Weights()
    min_plies: int = 0
    go_weights: Weights = GO_WEIGHTS
    named: Gates | None = None
    min_shorter: int = 0

    def weights_for(self, kind: GameKind) -> Weights:
        return {CHESS: self.weights, GO: self.go_weights}[kind]


class SearchResult(NamedTuple):
    """Results of a search; `games`: how many were searched, without the `deleted` ones.

    `decided`: games that the user has decided about; `choices`: for each game that the user wants
    to keep, the games it replaces. `last_searched_id`: the last search had the same games up to
    this ID, unchanged; None if that is uncertain. `corrected`: games whose moves or annotations the
    user corrected.

    `scope`: if not None, the groups and possible duplicates are only those of these games, and the
    others are as after the last search, whose counts are `counts`. `write_state`: takes the counts
    of this search for the next one. `changed`: games whose players or filled-in fields changed
    since the last search.
    """

    games: int
    deleted: frozenset[int]
    groups: GroupBatch
    possible_duplicates: list[store.PossiblePair]
    finder: DuplicateFinder
    decided: frozenset[int] = frozenset()
    choices: Mapping[int, Collection[int]] = {}
    last_searched_id: int | None = None
    corrected: frozenset[int] = frozenset()
    scope: frozenset[int] | None = None
    counts: StoredCounts | None = None
    write_state: WriteState | None = None
    changed: frozenset[int] = frozenset()

    @property
    def kind(self) -> GameKind:
        return kind_of(self.finder.is_go)

    def lone_deleted(self) -> list[int]:
        """Return the deleted games that were searched and are in no group with a game in Games."""
        deleted = self.deleted if self.scope is None else self.deleted & self.scope
        lone = deleted.difference(self.groups.ids)
        return sorted(game_id for game_id in lone if game_id in self.finder)

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
    stores_verdicts: bool = False,
    memory: SearchMemory | None = None,
    may_be_partial: bool = False,
) -> SearchResult:
    """Find duplicate groups and possible duplicates.

    `decisions`: the user's (ID, ID, whether they are the same game); `choices`: the user's (ID to
    keep, ID of the other game). Unless `judge_all`, verdicts of the last search that still hold are
    used; `stores_verdicts`: write those of this one in the transaction of the caller. `memory`: the
    files of the last search and for the next one; with `may_be_partial`, the result may then have
    only the games that new ones affect.
    """
    decisions, choices = list(decisions), list(choices)
    text = verdict_options(connection, options)
    last_verdicts = None if judge_all else stored_verdicts(connection, text)
    changed = {} if last_verdicts is None else last_verdicts.changed
    store_edges = partial(write_verdicts, connection, text) if stores_verdicts else None
    memory = None if game_kind(connection) is GO else memory
    delta = new_files = None
    if memory is not None and may_be_partial and last_verdicts is not None:
        new = read_new_games(connection, options, resources, memory.last(), last_verdicts)
        if new is not None:
            new_files = memory.begin(new.files)
            with contextlib.suppress(ValueError):  # files are damaged, or do not fit the database
                delta = search_new_games(new, decisions, choices, new_files)
    if memory is not None and delta is None:
        new_files = memory.begin(None)
    if delta is None and changed:
        last_verdicts = None
    last_id = None if last_verdicts is None else last_verdicts.last_id
    if delta is not None:
        finder: DuplicateFinder = delta.finder
        if store_edges is not None:
            store_edges(iter(delta.verdicts))
    else:
        finder = searched_finder(
            connection, options, decisions, resources,
            None if memory is not None else last_verdicts,  # the next search needs all keys
            store_edges, new_files,
        )  # fmt: skip
    if new_files is not None:
        write_small_files(new_files, decisions, choices, delta)
    decided = frozenset(game_id for first, second, _ in decisions for game_id in (first, second))
    deleted = frozenset(deleted_ids(connection))
    count = finder.games - sum(game_id in finder for game_id in deleted)
    if delta is not None:
        deleted &= delta.scope
    groups = GroupBatch.of_finder(finder)
    return SearchResult(
        count, deleted, groups.without(deleted), possible_duplicates_of(finder, groups, deleted),
        finder, decided, reject_by_kept(choices), last_id,
        scope=None if delta is None else delta.scope,
        counts=None if delta is None else delta.counts,
        write_state=None if memory is None else memory.write_counts,
        changed=frozenset(changed),
    )  # fmt: skip


def read_new_games(
    connection: apsw.Connection,
    options: SearchOptions,
    resources: Resources,
    files: SearchFiles | None,
    last_verdicts: Verdicts,
) -> NewGames | None:
    """Read the games after the last search.

    None without the files of the last search, and if memory does not suffice.
    """
    if files is None:
        return None
    _, newest = id_span(connection) or (0, 0)
    new = max(newest - last_verdicts.last_id, 0)
    known = len(files.map(ORDER)) // ORDER_ROW_BYTES
    if not spill.may_search_new_games(connection, resources, known, new):
        return None
    if spill.may_map_file(connection, resources):
        map_file(connection)
    reader = _reader(connection, options)
    reader.open(f"> {last_verdicts.last_id}")
    while not reader.batch.is_read:
        reader.read()
    finder = _finder(connection, options, reader.batch, DeltaFinder)
    return NewGames(connection, reader, finder, last_verdicts, files, options.min_plies)


def possible_duplicates_of(
    finder: DuplicateFinder, groups: GroupBatch, deleted: frozenset[int]
) -> list[store.PossiblePair]:
    """Return the possible duplicates; another game of its group replaces each deleted game."""
    pairs = finder.possible_duplicates()
    paired = {game_id for pair in pairs for game_id in (pair.first, pair.second)} & deleted
    replacements: dict[int, int] = {}
    if paired:
        for ids, _ in groups:
            present = next((game_id for game_id in ids if game_id not in deleted), None)
            if present is not None:
                replacements.update((game_id, present) for game_id in paired.intersection(ids))
    scores: dict[tuple[int, int], float] = {}  # the best of each pair
    for pair in pairs:
        first, second = sorted(
            replacements.get(game_id, game_id) for game_id in (pair.first, pair.second)
        )
        if first != second and first not in paired and second not in paired:
            scores[first, second] = max(pair.score, scores.get((first, second), pair.score))
    return [
        judged_pair(finder, store.PossiblePair(*ids, "", None, ""))._replace(score=round(score, 2))
        for ids, score in sorted(scores.items())
    ]


def judged_pair(finder: DuplicateFinder, pair: store.PossiblePair) -> store.PossiblePair:
    """Return a pair with the class, score and evidence of its two records."""
    comparison = finder.compare(*pair.games)
    return pair._replace(
        duplicate_class=class_of(comparison),
        score=round(comparison.score, 2),
        evidence=summary_of(comparison),
    )


def pairs_with_verdicts(
    connection: apsw.Connection, options: SearchOptions
) -> Iterator[store.PossiblePair]:
    """Yield possible duplicates and decided pairs by ID, without those of purged games.

    Decided pairs that no search has listed get a verdict: for these, all games are read once.
    """
    unlisted = store.stored_possible_duplicates(connection, "Class = ''")
    games = {game_id for pair in unlisted for game_id in pair.games}
    finder = None
    if games:
        finder = ordered_finder(connection, options, store.decided_pairs(connection), games)
    for pair in store.listed_possible_duplicates(connection):
        if finder is None or pair.duplicate_class:
            yield pair
        elif finder.compare(*pair.games).kind == UNRELATED:
            yield pair._replace(score=None, evidence=DIFFERENT_MOVES)
        else:
            yield judged_pair(finder, pair)


def replace_deleted_in_pairs(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]],
    resources: Resources,
) -> None:
    """Replace games deleted since the search in possible duplicates by others of their groups.

    If there are such pairs, this searches again with the stored verdicts.
    """
    pairs = store.stored_possible_duplicates(connection, "Decision IS NULL AND Class <> ''")
    if deleted_among(connection, {game_id for row in pairs for game_id in row.games}):
        result = find_duplicates(connection, options, decisions, (), resources, judge_all=False)
        store.write_possible_duplicates(connection, result.possible_duplicates)


def reject_by_kept(choices: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Return the games that the user rejected, by the game to keep in their place."""
    rejected: dict[int, set[int]] = {}
    for kept, other in choices:
        rejected.setdefault(kept, set()).add(other)
    return rejected


def searched_finder(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]],
    resources: Resources = ONE_THREAD,
    last_verdicts: Verdicts | None = None,
    store_edges: Callable[[Iterator[bytes]], None] | None = None,
    files: NewSearchFiles | None = None,
) -> DuplicateFinder:
    """Return a finder that has searched the whole collection; arguments as in run_stages()."""
    finder, spill_files, jobs = _with_all_games(connection, options, resources)
    run_stages(
        finder, decisions, jobs=jobs, spill_files=spill_files, last_verdicts=last_verdicts,
        store_edges=store_edges, files=files,
        may_copy_moves=spill.may_copy_moves(connection, resources, finder.batch.plies),
    )  # fmt: skip
    return finder


def unsearched_finder(connection: apsw.Connection, options: SearchOptions) -> DuplicateFinder:
    """Return a finder that has read and sorted all games, for callers that run the stages."""
    finder = unsorted_finder(connection, options)
    finder.sort()
    return finder


def unsorted_finder(connection: apsw.Connection, options: SearchOptions) -> DuplicateFinder:
    """Return a finder that has read all games."""
    reader = _reader(connection, options)
    read_games(connection, reader)
    return _finder(connection, options, reader.batch, DuplicateFinder)


def ordered_finder(
    connection: apsw.Connection,
    options: SearchOptions,
    decisions: Iterable[tuple[int, int, bool]],
    games: Collection[int] | None = None,
    *,
    resources: Resources = ONE_THREAD,
) -> DuplicateFinder:
    """Return a finder that compares `games` (default: all) as a search of all games would.

    It has no groups.
    """
    spill_files = None
    if games is None:
        finder, spill_files, _ = _with_all_games(connection, options, resources)
    else:
        with little_memory(connection):
            reader = _reader(connection, options)
            reader.read_near(games)
        finder = _finder(connection, options, reader.batch, DuplicateFinder)
    order_games(finder, decisions, spill_files=spill_files)
    return finder


def _with_all_games(
    connection: apsw.Connection, options: SearchOptions, resources: Resources
) -> tuple[DuplicateFinder, spill.SpillFiles | None, int]:
    """Return a finder of all games, its temporary files (None: in memory), and the job count."""
    spill_files = spill.spill_files_for(connection, resources)
    if spill_files is not None:
        use_little_memory(connection)
    elif spill.may_map_file(connection, resources):
        map_file(connection)
    reader = _reader(connection, options)
    jobs = resources.jobs if spill_files is None else min(resources.jobs, spill_files.jobs)
    read_games(connection, reader, jobs=jobs, spill_files=spill_files)
    return _finder(connection, options, reader.batch, DuplicateFinder), spill_files, jobs


def _reader(connection: apsw.Connection, options: SearchOptions) -> GameReader:
    return GameReader(
        connection, _name_forms(game_kind(connection)), min_plies=options.min_plies,
        addresses=AddressReader(address_of, address_in_comment, address_in_tags, ADDRESS_TAGS),
        different=_different_players(connection),
    )  # fmt: skip


def _different_players(connection: apsw.Connection) -> DifferentPlayers | None:
    """Return the players of names that the user decided are different; None without decisions.

    The decisions must be applied. Names of one player are in one group. A group has the player of
    its names, and a number below 0 for its names without a player.
    """
    decisions = name_decisions(connection)
    if not any(row.decision == DIFFERENT for row in decisions):
        return None
    found = groups_of_names(decisions)
    different = different_groups(decisions, found)
    ids = ids_of_names(connection, {name.name for group in found for name in group})
    unresolved = [
        (name.game_id or 0, ids[name.name], -1 - number)
        for number in different
        for name in found[number]
        if name.name in ids
    ]
    sides = {
        number: [(ids[name.name], name.game_id) for name in found[number] if name.name in ids]
        for number in different
    }
    players = {number: players_of_names(connection, names) for number, names in sides.items()}
    pairs = {
        pair
        for number, others in different.items()
        for other in others
        for pair in product({*players[number], -1 - number}, {*players[other], -1 - other})
        if pair[0] != pair[1]
    }
    return DifferentPlayers(unresolved, pairs)


def _finder(
    connection: apsw.Connection,
    options: SearchOptions,
    batch: GameBatch,
    finder: type[Finder],
) -> Finder:
    kind = game_kind(connection)
    return finder(
        batch,
        options.weights_for(kind)._asdict(),
        gates_for(kind, options.gates)._asdict(),
        None if options.named is None else gates_for(kind, options.named)._asdict(),
        options.min_shorter,
    )


def verdict_options(connection: apsw.Connection, options: SearchOptions) -> str:
    """Return the options on which verdicts depend, as the text that is stored."""
    return repr((__version__, *counting_options(connection, options)))


def counting_options(connection: apsw.Connection, options: SearchOptions) -> tuple[object, ...]:
    """Return the options that apply to the games of a database, chess or Go.

    Their text is stored: a new option for Go must not cause a new search in chess.
    """
    kind = game_kind(connection)
    gates = gates_for(kind, options.gates)
    weights = options.weights_for(kind)
    return gates, weights, options.min_plies, options.named, options.min_shorter


def _name_forms(kind: GameKind) -> NameForms:
    if kind is CHESS:
        return NameForms(letters_for_search, reading_for_search)
    from ocgdedup.matching.names.go_spelling import plain_go_name  # 16 ms

    return NameForms(plain_letters, rewrite=plain_go_name)
