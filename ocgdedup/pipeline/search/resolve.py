"""Choose the kept game of each group, merge headers, write flags.

Groups that have not changed since the last run are skipped. The caller owns the transaction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress, islice, zip_longest
from typing import NamedTuple

import apsw

from ocgdedup import model
from ocgdedup._kernels.search import COLOURS, HEADERS, NOTES, OPEN, FlagRows
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.matching.clusters import same_games, wrongly_represented
from ocgdedup.matching.consensus import outweighs
from ocgdedup.matching.evidence import CONTINUATION, TRUNCATED, UNRELATED, status_of
from ocgdedup.matching.field_choice import event_rank, plain_alphanumerics
from ocgdedup.matching.go_tags import TAG_POINTS
from ocgdedup.matching.header_merge import MergedHeader, merge_headers
from ocgdedup.matching.header_score import POINTS, UNKNOWN_PAIRS, header_score, is_named
from ocgdedup.matching.kept_game import chosen_ids
from ocgdedup.matching.name_choice import (
    NO_GIVEN_NAMES,
    are_strangers,
    best_names,
    best_of_two_names,
    likeliest,
    may_be_one,
)
from ocgdedup.matching.names.name_decisions import DecidedNames
from ocgdedup.matching.names.name_words import PARTICLES
from ocgdedup.matching.round_days import DatedRecord, outweighed_days
from ocgdedup.model import Comparison, GameHeader, KeptGames, Reporter
from ocgdedup.pgn.openings import openings
from ocgdedup.pipeline.search.annotations import (
    NO_PLIES,
    AnnotatedDuplicate,
    MergedAnnotations,
    merge_annotations,
)
from ocgdedup.pipeline.search.consensus import Consensus
from ocgdedup.pipeline.search.detect import SearchResult, reject_by_kept
from ocgdedup.pipeline.search.groups import Group, GroupBatch, Resolved, ResolveOptions, indexes_of
from ocgdedup.pipeline.search.kept_games import kept_game_index
from ocgdedup.pipeline.search.spill import Resources, may_map_file
from ocgdedup.pipeline.search.variations import differing_moves, rest_of_moves
from ocgdedup.store import merges as store
from ocgdedup.store.connection import has_rows, on_threads, readers_beside
from ocgdedup.store.corrections import games_with_own_moves
from ocgdedup.store.duplicates import Flags, stored_flag_rows, write_flag_rows
from ocgdedup.store.games import RANGE_GAMES
from ocgdedup.store.name_decisions import name_decisions
from ocgdedup.store.search_state import count_not_truncated, last_choices, write_choices
from ocgdedup.wording import EXACT_STATUS, NEAR_IDENTICAL_STATUS, ROTATED, SWAPPED, TRUNCATED_STATUS

_GROUPS_AT_ONCE = 5_000  # in a batch, whose headers are in memory
# Threads choose kept games for this many batches: with fewer they are slower, more take memory.
_FEWEST_BATCHES, _MOST_BATCHES = 8, 200


def _best_of_two(
    name: str, other: str, is_listed: bool, consensus: Consensus | None = None
) -> Sequence[str] | None:
    fide_id = 1 if is_listed else None  # any ID will do, if both names have the same
    best = best_of_two_names(name, fide_id, other, fide_id)
    return best if best is None or consensus is None else likeliest(best, consensus)


def _best_of_votes(
    names: Sequence[str], counting: Sequence[bool], is_listed: bool, consensus: Consensus | None
) -> Sequence[str] | None:
    """Return the best of the names that count; None if one is another player's than the first."""
    votes = [(name, 1 if is_listed else None) for name in names]
    if any(are_strangers(votes[0], vote) or are_strangers(vote, votes[0]) for vote in votes):
        return None
    best = best_names(tuple(compress(votes, counting)))
    return best if consensus is None else likeliest(best, consensus)


def _outweighed_days(
    consensus: Consensus, records: Sequence[tuple[int, str, str]]
) -> Collection[str]:
    return outweighed_days([DatedRecord(*record) for record in records], consensus)


NAME_RULES = store.NameRules(
    outweighs, is_named, event_rank, plain_alphanumerics, _best_of_two, may_be_one,
    frozenset(word.encode() for word in NO_GIVEN_NAMES | PARTICLES), UNKNOWN_PAIRS,
)  # fmt: skip


class ResolvedGroup(NamedTuple):
    """A group with its kept game; `flags`: of all its games, the kept game first, if not yet added.

    `swapped`: duplicates with White and Black exchanged. In Go, `rotated`: duplicates whose board
    is rotated or reflected; `other_starts`: duplicates that start with other stones. `is_open`: the
    mainlines differ, or a rule that the kernel does not know chose the kept game.
    """

    kept_game: GameHeader
    duplicates: list[GameHeader]
    flags: dict[int, Flags]
    verdicts: dict[int, Comparison]
    swapped: set[int]
    rotated: set[int]
    other_starts: set[int]
    is_open: bool


class Plan(NamedTuple):
    """What a search is to write: the groups that changed since the last search.

    `stored`: flags before the search, of deleted games too, in the scope of the search; unchanged
    ones are marked as kept.
    `consensus`: counts over all records, None if headers are not merged by them.
    """

    stored: FlagRows
    changed: GroupBatch
    consensus: Consensus | None

    @property
    def has_changes(self) -> bool:
        return bool(self.changed) or not self.stored.all_unchanged


def plan_groups(
    connection: apsw.Connection,
    search_result: SearchResult,
    options: ResolveOptions,
    *,
    rewrites_all: bool,
) -> Plan:
    """Compare the groups of a search with the stored flags; `rewrites_all`: write all groups."""
    stored = stored_flag_rows(connection, search_result.scope)
    for game_id in search_result.deleted:
        if game_id not in search_result.finder:
            stored.mark_unchanged(game_id)  # the search did not read it
    consensus = None
    if options.has_consensus(search_result.kind):
        consensus = Consensus(connection, search_result)
    if rewrites_all:
        return Plan(stored, search_result.groups, consensus)
    are_kept = _unchanged(search_result, stored, reject_by_kept(last_choices(connection)))
    if consensus is not None and search_result.last_searched_id is not None:
        before = bytes(are_kept)
        consensus.unsettle(search_result.groups, are_kept)
        unsettled = [index for index in indexes_of(are_kept, 0) if before[index]]
        for index in _merged_alike(connection, search_result, consensus, unsettled, options):
            are_kept[index] = 1
    for index in indexes_of(are_kept, 1) if search_result.changed else ():
        are_kept[index] = search_result.changed.isdisjoint(search_result.groups[index].ids)
    stored.mark_groups_unchanged(search_result.groups.ids, search_result.groups.ends, are_kept)
    changed = (search_result.groups[index] for index in indexes_of(are_kept, 0))
    return Plan(stored, GroupBatch.of(changed), consensus)


def _merged_alike(
    connection: apsw.Connection,
    search_result: SearchResult,
    consensus: Consensus,
    indexes: Sequence[int],
    options: ResolveOptions,
) -> Iterator[int]:
    """Yield the indexes of the groups whose headers would be merged as they were before."""
    groups = GroupBatch.of(search_result.groups[index] for index in indexes)
    consensus.collect_events(groups)
    headers = _headers_of(connection, search_result, consensus)
    chooser = _Chooser(search_result, options, _decided_names(connection))
    for start in range(0, len(indexes), _GROUPS_AT_ONCE):
        batch = groups[start : start + _GROUPS_AT_ONCE]
        chosen = chooser.kept_games(headers, batch, merges_again=True)
        by_python = _indexes_with(chosen.kinds, _kinds_for_python(options))
        left = set(by_python)
        kept = [game_id for i, game_id in enumerate(chosen.kept_ids) if i not in left]
        same = store.games_as_merged(connection, kept, chosen.merges)
        yield from (
            indexes[start + i] for i, game_id in enumerate(chosen.kept_ids) if game_id in same
        )
        opened = chooser.resolve_groups(connection, [batch[i] for i in by_python])
        for i, group in zip(by_python, opened, strict=True):
            _, changes = chooser.merged_header(group, consensus)
            tags = store.merged_tags(connection, group.kept_game.game_id, with_final=False)
            if sorted(changes) == [row[1:] for row in tags]:
                yield indexes[start + i]


def count_groups_found(
    connection: apsw.Connection, search_result: SearchResult, options: ResolveOptions
) -> Resolved:
    """Count the groups and duplicates of a search without writing them; leave out deleted games.

    Only groups with different mainlines or deleted games need headers, to choose the kept game.
    """
    batch, deleted = search_result.groups, search_result.deleted
    chooser = _Chooser(search_result, options)
    counts = Counter[str]()
    groups, opened, truncated = 0, list[Group](), list[tuple[int, int]]()
    start = 0
    for index, end in enumerate(batch.ends):
        lines = batch.lines[start:end]
        if lines.count(lines[0]) < len(lines) or not deleted.isdisjoint(batch.ids[start:end]):
            opened.append(batch[index])
        else:
            groups += 1
            counts[EXACT_STATUS] += len(lines) - 1
        start = end
    for first in range(0, len(opened), _GROUPS_AT_ONCE):
        part = opened[first : first + _GROUPS_AT_ONCE]
        for group in chooser.resolve_groups(connection, part):
            flags = [
                (game_id, row)
                for game_id, row in group.flags.items()
                if row.status is not None and game_id not in deleted
            ]
            groups += bool(flags)
            counts.update(row.status for _, row in flags if row.status is not None)
            truncated += [(i, row.group) for i, row in flags if row.status == TRUNCATED_STATUS]
    longer, diverging = count_not_truncated(connection, truncated)
    return Resolved(groups, dict(sorted(counts.items())), longer=longer, diverging=diverging)


def choose_kept_games(
    connection: apsw.Connection,
    search_result: SearchResult,
    plan: Plan,
    options: ResolveOptions,
    resources: Resources,
    *,
    harmless_changes: int,
) -> list[KeptGames]:
    """Choose the kept games of the changed groups on threads, for resolve().

    Return nothing if threads would not help. Call this before anything else is written, since each
    thread has a connection of its own. `harmless_changes`: the number of rows of this transaction
    that changed, none of them a game or a name.
    """
    batches = list(_batches(plan.changed))
    count = min(resources.jobs, len(batches))
    if (
        count < 2
        or not _FEWEST_BATCHES <= len(batches) <= _MOST_BATCHES
        or store.has_merges(connection)
    ):
        return []
    if plan.consensus is not None:
        plan.consensus.collect_events(plan.changed)
    with readers_beside(
        connection,
        count,
        harmless_changes=harmless_changes,
        seeks=True,
        # The connection may have mapped the file too, but the search has freed its keys by now.
        maps_file=may_map_file(connection, resources, count),
    ) as readers:
        if len(readers) < 2:
            return []
        headers = [_headers_of(reader, search_result, plan.consensus) for reader in readers]
        chooser = _Chooser(search_result, options)
        with on_threads(headers, chooser.kept_games, batches) as chosen:
            return list(chosen)


def _eco_of(search_result: SearchResult, game_id: int) -> str | None:
    """Return the ECO code of the moves of a game that was searched; None if it has none."""
    finder = search_result.finder
    if search_result.kind is not CHESS or game_id not in finder or finder.starts_elsewhere(game_id):
        return None
    (opening,) = openings().of_games([finder.mainline(game_id)])
    return None if opening is None else opening.eco


def name_rules(consensus: Consensus | None) -> store.NameRules:
    """Return the rules for names, with the counts over all records."""
    days = None if consensus is None else partial(_outweighed_days, consensus)
    return NAME_RULES._replace(
        best_of_two=partial(_best_of_two, consensus=consensus),
        best_of_votes=partial(_best_of_votes, consensus=consensus),
        outweighed_days=days,
    )


def _headers_of(
    connection: apsw.Connection, search_result: SearchResult, consensus: Consensus | None
) -> store.GroupHeaders:
    counts = None if consensus is None else consensus.counts
    rules = name_rules(consensus)._replace(eco_of=partial(_eco_of, search_result))
    if _decided_names(connection) is not None:
        rules = rules._replace(best_of_votes=None)  # a decided name may not be the best
    return store.GroupHeaders(connection, POINTS, TAG_POINTS, rules, counts)


def _batches(groups: GroupBatch) -> Iterator[GroupBatch]:
    for start in range(0, len(groups), _GROUPS_AT_ONCE):
        yield groups[start : start + _GROUPS_AT_ONCE]


def _decided_names(connection: apsw.Connection) -> DecidedNames | None:
    """Return the user's decisions about names, None if there are none."""
    decisions = name_decisions(connection)
    return DecidedNames(decisions) if decisions else None


class _Chooser:
    """Chooses the kept games of groups: the kernel does it, or Python for groups of other rules."""

    def __init__(
        self,
        search_result: SearchResult,
        options: ResolveOptions,
        decided: DecidedNames | None = None,
    ) -> None:
        self._search_result, self._options, self._decided = search_result, options, decided
        self._leaves_all = options.keep != model.BEST_HEADER or search_result.kind is not CHESS
        self._special = search_result.deleted.union(search_result.choices, search_result.corrected)

    def kept_games(
        self, headers: store.GroupHeaders, batch: GroupBatch, *, merges_again: bool = False
    ) -> KeptGames:
        """Return the kernel's choices; see GroupHeaders.kept_games()."""
        stay_open = bytearray([self._leaves_all]) * len(batch)  # a flag for each group
        if self._special and not self._leaves_all:
            stay_open = bytearray(not self._special.isdisjoint(group.ids) for group in batch)
        return headers.kept_games(
            batch.ids, batch.lines, batch.ends, stay_open,
            self._search_result.finder.has_swapped_colours,
            is_merging=self._options.merge, merges_again=merges_again,
        )  # fmt: skip

    def resolve_groups(
        self, connection: apsw.Connection, groups: Sequence[Group]
    ) -> list[ResolvedGroup]:
        headers = iter(store.read_headers(connection, [i for group in groups for i in group.ids]))
        return [self.resolve(group, list(islice(headers, len(group.ids)))) for group in groups]

    def resolve(self, group: Group, headers: list[GameHeader]) -> ResolvedGroup:
        """Choose the kept game of a group, and compare the other games with it."""
        search_result = self._search_result
        scores = [header_score(header) for header in headers]
        index = kept_game_index(search_result, group, headers, self._options.keep)
        kept_game, kept_line = headers[index], group.lines[index]
        kept_id, finder = kept_game.game_id, search_result.finder
        flags = {kept_id: Flags(None, kept_id, None, scores[index])}
        resolved = ResolvedGroup(kept_game, [], flags, {}, set(), set(), set(), is_open=True)
        for header, line, score in zip(headers, group.lines, scores, strict=True):
            game_id = header.game_id
            if game_id == kept_id:
                continue
            status, reason = EXACT_STATUS, None
            if line != kept_line:
                verdict = search_result.compare(kept_id, game_id)
                is_decided = not search_result.decided.isdisjoint((kept_id, game_id))
                if verdict.kind == UNRELATED and not is_decided:
                    continue  # only other records of the group connect the two
                resolved.verdicts[game_id] = verdict
                status, reason = status_of(verdict)
                if verdict.is_swapped:
                    resolved.swapped.add(game_id)
                if search_result.kind is GO and not finder.starts_alike(kept_id, game_id):
                    resolved.other_starts.add(game_id)
            elif self.has_swapped_colours(kept_game, header):
                reason = SWAPPED
                resolved.swapped.add(game_id)
            if search_result.kind.has_symmetry and finder.symmetry(kept_id, game_id):
                resolved.rotated.add(game_id)
                reason = reason or ROTATED
            resolved.duplicates.append(header)
            resolved.flags[game_id] = Flags(status, kept_id, reason, score)
        return resolved

    def merged_header(self, group: ResolvedGroup, consensus: Consensus | None) -> MergedHeader:
        return merge_headers(
            group.kept_game, group.duplicates, kind=self._search_result.kind, swapped=group.swapped,
            other_starts=group.other_starts, database=consensus, decided=self._decided,
            eco_of=partial(_eco_of, self._search_result),
        )  # fmt: skip

    def has_swapped_colours(self, kept_game: GameHeader, header: GameHeader) -> bool:
        return (
            header.white != kept_game.white
            and header.black != kept_game.black
            and self._search_result.finder.has_swapped_colours(kept_game.game_id, header.game_id)
        )

    def annotated(self, group: ResolvedGroup, duplicate: GameHeader) -> AnnotatedDuplicate:
        """Return at which plies annotations of a duplicate fit the kept game."""
        kept, game_id = group.kept_game.game_id, duplicate.game_id
        verdict = group.verdicts.get(game_id)
        if game_id in group.rotated:  # the annotations name points of the other orientation
            return AnnotatedDuplicate(kept, game_id, NO_PLIES)
        if verdict is None:
            return AnnotatedDuplicate(kept, game_id, group.kept_game.plies)
        if verdict.kind == CONTINUATION:
            if self._search_result.finder.starts_elsewhere(game_id):
                return AnnotatedDuplicate(kept, game_id, verdict.plies, verdict.longer)
            return AnnotatedDuplicate(kept, game_id, verdict.first_difference, -verdict.longer)
        plies, has_more = verdict.first_difference, duplicate.plies > verdict.first_difference
        continues = has_more and verdict.kind == TRUNCATED
        branches = has_more and plies < group.kept_game.plies and self._search_result.kind is CHESS
        return AnnotatedDuplicate(kept, game_id, plies, continues=continues, branches=branches)


def deleted_without_kept_game(
    connection: apsw.Connection, search_result: SearchResult, plan: Plan, options: ResolveOptions
) -> list[int]:
    """Return the deleted games that are not duplicates of the kept game of their group.

    They were duplicates of a game that another game now replaces.
    """
    if not search_result.deleted:
        return []
    groups = [group for group in plan.changed if not search_result.deleted.isdisjoint(group.ids)]
    resolved = _Chooser(search_result, options).resolve_groups(connection, groups)
    return sorted(
        game_id
        for group, resolved_group in zip(groups, resolved, strict=True)
        for game_id in group.ids
        if game_id in search_result.deleted and game_id not in resolved_group.flags
    )


def wrongly_deleted(
    search_result: SearchResult, stored: FlagRows, decisions: Sequence[tuple[int, int, bool]]
) -> list[int]:
    """Return the deleted, unsearched games that differ from their kept game by user decisions.

    Their kept game is that of their old group, which may have new members. `stored`: the flags
    before the search; `decisions`: (ID, ID, whether they are the same game).
    """
    decided = same_games(decisions).keys()
    kept = {
        game_id: Flags(*flags).group
        for game_id in decided & search_result.deleted
        if game_id not in search_result.finder and (flags := stored.get(game_id)) is not None
    }
    if not kept:
        return []
    concerned = decided | set(kept.values())
    groups = {
        game_id: group.ids[0]
        for group in search_result.groups
        for game_id in concerned.intersection(group.ids)
    }
    return wrongly_represented(decisions, kept, lambda game_id: groups.get(game_id, game_id))


def resolve(
    connection: apsw.Connection,
    search_result: SearchResult,
    plan: Plan,
    options: ResolveOptions,
    reporter: Reporter,
    chosen: Sequence[KeptGames] = (),
) -> Resolved:
    """Choose kept games, merge headers and write the changed groups.

    `chosen`: the result of choose_kept_games() for this plan.
    """
    reporter.start("duplicates: headers", None, len(plan.changed.ids))
    if len(plan.stored):  # revert the merges into games whose flags change
        is_partial = search_result.scope is not None
        merged = store.merged_ids(connection, plan.stored.changed_ids() if is_partial else None)
        changed = [i for i in merged if plan.stored.is_changed(i)]
        for start in range(0, len(changed), RANGE_GAMES):
            store.revert_merges(connection, changed[start : start + RANGE_GAMES])
    if plan.consensus is not None:
        plan.consensus.collect_events(plan.changed)
    resolution = _Resolution(connection, search_result, plan, options)
    games = 0
    for batch, kept in zip_longest(_batches(plan.changed), chosen):
        resolution.add_batch(batch, kept)
        games += len(batch.ids)
        reporter.advance(games, 0)
    _update_other_flags(resolution.flags, search_result, plan.stored)
    sums = write_flag_rows(
        connection, resolution.flags, plan.stored, are_all=search_result.scope is None
    )
    write_user_choices(connection, search_result.choices)
    reporter.finish()
    return resolution.result(*plan.stored.counts(unchanged_in_games=True))._replace(flag_sums=sums)


class _Resolution:
    """Resolves groups batch by batch: collects their flags and counts, and merges headers."""

    def __init__(
        self,
        connection: apsw.Connection,
        search_result: SearchResult,
        plan: Plan,
        options: ResolveOptions,
    ) -> None:
        self.flags = FlagRows()
        self._connection = connection
        self._search_result = search_result
        self._options = options
        self._headers = _headers_of(connection, search_result, plan.consensus)
        self._consensus = plan.consensus
        # What this run merges goes into games that have been read.
        self._may_be_merged = store.has_merges(connection)
        self._may_have_tags = has_rows(connection, "MergedTags")
        self._by_python = _kinds_for_python(options)
        self._chooser = _Chooser(search_result, options, _decided_names(connection))
        self._counts = Counter[str]()  # duplicates by status
        self._own_moves = games_with_own_moves(connection)
        self._changed = self._groups = self._merged = self._noted = self._annotated = 0

    def result(self, old_groups: int, old_duplicates: Mapping[str, int]) -> Resolved:
        """Return all counts; `old_groups`, `old_duplicates`: those of unchanged groups."""
        duplicates = dict(sorted((self._counts + Counter(old_duplicates)).items()))
        return Resolved(
            old_groups + self._groups, duplicates, self._changed, self._merged, self._noted,
            self._annotated,
        )  # fmt: skip

    def add_batch(self, batch: GroupBatch, chosen: KeptGames | None) -> None:
        """Choose the kept games of a batch, merge duplicates into them, and collect the flags."""
        if chosen is None:
            chosen = self._chooser.kept_games(self._headers, batch)
        self._counts[EXACT_STATUS] += self.flags.add_groups(
            batch.ids, batch.ends, chosen.kept_ids, chosen.scores, chosen.kinds,
            OPEN, EXACT_STATUS,
        )  # fmt: skip
        resolved = self._resolved_by_python(batch, chosen)
        self._changed += len(batch)
        self._groups += len(batch) - len(_indexes_with(chosen.kinds, OPEN))
        opened = [group for group in resolved if group.is_open]
        for group in opened:
            has_duplicates = False
            for game_id, flags in group.flags.items():
                self.flags.add(game_id, *flags)
                if flags.status is not None and game_id not in self._search_result.deleted:
                    self._counts[flags.status] += 1
                    has_duplicates = True
            self._groups += has_duplicates
        annotated = list(self._annotated_duplicates(batch, chosen, opened))
        notes = MergedAnnotations(0, len(annotated))
        if self._options.merge:
            self._merged += store.write_kernel_merges(
                self._connection, chosen.merges, are_first=not self._may_have_tags
            )
            self._merged += self._merge_headers(resolved)
            notes = self._merge_notes(opened, annotated)
        self._noted += notes.games
        self._annotated += notes.left

    def _resolved_by_python(self, batch: GroupBatch, chosen: KeptGames) -> list[ResolvedGroup]:
        kinds = chosen.kinds
        indexes = _indexes_with(kinds, self._by_python)
        groups = [batch[index] for index in indexes]
        ids = [game_id for group in groups for game_id in group.ids]
        headers = iter(store.read_headers(self._connection, ids, may_be_merged=self._may_be_merged))
        resolved = []
        for index, group in zip(indexes, groups, strict=True):
            members = list(islice(headers, len(group.ids)))
            if kinds[index] & OPEN:
                resolved.append(self._chooser.resolve(group, members))
            else:
                resolved.append(self._resolve_equal(members, chosen.kept_ids[index], kinds[index]))
        return resolved

    def _annotated_duplicates(
        self, batch: GroupBatch, chosen: KeptGames, opened: Iterable[ResolvedGroup]
    ) -> Iterator[AnnotatedDuplicate]:
        """Yield the duplicates that have annotations, group by group."""
        annotated = store.annotated_among(self._connection, batch.ids)
        indexes = set(_indexes_with(chosen.kinds, NOTES))
        if annotated:
            games = enumerate(batch.ids)
            indexes.update(
                bisect_right(batch.ends, i) for i, game_id in games if game_id in annotated
            )
        for index in sorted(indexes):
            if chosen.kinds[index] & OPEN:
                continue
            start, end = batch.start(index), batch.ends[index]
            for game_id, kinds in zip(batch.ids[start:end], chosen.notes[start:end], strict=True):
                if game_id != chosen.kept_ids[index] and (kinds or game_id in annotated):
                    yield AnnotatedDuplicate(chosen.kept_ids[index], game_id, chosen.plies[index])
        for group in opened:
            for header in group.duplicates:
                if header.has_comments or header.has_variations or header.game_id in annotated:
                    yield self._chooser.annotated(group, header)

    def _resolve_equal(self, headers: list[GameHeader], kept_id: int, kind: int) -> ResolvedGroup:
        """Resolve a group of equal mainlines whose flags have been added."""
        index = [header.game_id for header in headers].index(kept_id)
        group = ResolvedGroup(
            headers.pop(index), headers, {}, {}, set(), set(), set(), is_open=False
        )
        if kind & COLOURS:
            for header in headers:
                if self._chooser.has_swapped_colours(group.kept_game, header):
                    group.swapped.add(header.game_id)
                    self.flags.set_reason(header.game_id, SWAPPED)
        return group

    def _merge_headers(self, groups: Sequence[ResolvedGroup]) -> int:
        """Merge the best value of each tag into kept games; return how many changed."""
        merges = []
        for group in groups:
            values, changes = self._chooser.merged_header(group, self._consensus)
            if values:
                merges.append(store.Merge(group.kept_game.game_id, values, changes))
        store.write_merges(self._connection, merges)
        return len(merges)

    def _merge_notes(
        self, groups: Sequence[ResolvedGroup], annotated: Sequence[AnnotatedDuplicate]
    ) -> MergedAnnotations:
        """Merge annotations and differing moves of duplicates into their kept games."""
        merged = MergedAnnotations(0, len(annotated))
        if self._own_moves:  # annotations of the user stay as they are
            groups = [each for each in groups if each.kept_game.game_id not in self._own_moves]
            annotated = [each for each in annotated if each.kept not in self._own_moves]
        finder, choice = self._search_result.finder, self._options.keep_annotations
        if choice != model.OWN_ANNOTATIONS:
            merged = merge_annotations(
                self._connection, annotated, self._search_result.kind,
                longest=choice == model.LONGEST_ANNOTATIONS,
                write_rest=partial(rest_of_moves, finder),
            )  # fmt: skip
        if self._options.merge_variations:
            near_identical = (
                (group.kept_game.game_id, duplicate.game_id)
                for group in groups
                for duplicate in group.duplicates
                if group.flags[duplicate.game_id].status == NEAR_IDENTICAL_STATUS
            )
            store.add_variations(self._connection, list(differing_moves(finder, near_identical)))
        return merged


def _kinds_for_python(options: ResolveOptions) -> int:
    """Return the bits of `kinds` for which Python, not the kernel, resolves a group."""
    return OPEN | COLOURS | (HEADERS if options.merge else 0)


def _indexes_with(kinds: bytearray, bits: int) -> list[int]:
    """Return the indexes of the groups whose kind has any of these bits."""
    return list(indexes_of(kinds.translate(bytes(kind & bits > 0 for kind in range(256))), 1))


def _update_other_flags(rows: FlagRows, search_result: SearchResult, stored: FlagRows) -> None:
    """Update or clear the flags of games that had flags and are not in a changed group."""
    unsearched = {
        game_id: Flags(*flags)
        for game_id in search_result.deleted
        if game_id not in search_result.finder and (flags := stored.get(game_id)) is not None
    }
    kept = dict(unsearched)
    for flags in unsearched.values():
        group = rows.group_of(flags.group)
        kept_flags = stored.get(flags.group)
        if group is not None:
            kept[flags.group] = flags._replace(group=group)
        elif kept_flags is not None and stored.is_unchanged(flags.group):
            kept[flags.group] = Flags(*kept_flags)
    follow_kept_games(kept, unsearched, search_result.deleted)
    rows.clear_changed(stored)
    for game_id, before in unsearched.items():
        after = kept.get(game_id)
        if after is None:
            rows.add_cleared(game_id)
        elif after != before:
            rows.add(game_id, *after)


def write_user_choices(connection: apsw.Connection, choices: Mapping[int, Collection[int]]) -> None:
    """Store the user's choices that a search used: the games that each chosen game replaces."""
    pairs = ((kept, rejected) for kept, rejects in choices.items() for rejected in rejects)
    write_choices(connection, sorted(pairs))


def follow_kept_games(
    flags_by_id: dict[int, Flags], unsearched: Iterable[int], deleted: Collection[int]
) -> None:
    """Set the groups of deleted, unsearched games to that of their kept game."""
    for game_id in unsearched:
        flags = flags_by_id.get(game_id)
        if flags is None:
            continue
        kept_flags = flags_by_id.get(flags.group)
        group = flags.group if kept_flags is None else kept_flags.group
        if group in deleted:
            del flags_by_id[game_id]
        else:
            flags_by_id[game_id] = flags._replace(group=group)


def count_group_duplicates(flags: Iterable[Flags]) -> tuple[int, Mapping[str, int]]:
    """Count groups that have duplicates, and the duplicates by status."""
    groups: set[int] = set()
    statuses: Counter[str] = Counter()
    for row in flags:
        if row.status is not None:
            groups.add(row.group)
            statuses[row.status] += 1
    return len(groups), statuses


def _unchanged(
    search_result: SearchResult, stored: FlagRows, choices: Mapping[int, Collection[int]]
) -> bytearray:
    """Return 1 for each unchanged group, else 0; `choices`: those that the last search used."""
    # The kept game and the verdicts follow from the members and from the choices of the user.
    groups, deleted = search_result.groups, search_result.deleted
    choices_now = search_result.choices
    are_kept = stored.unchanged_groups(groups.ids, groups.ends)
    if choices == choices_now and not deleted:
        return are_kept
    for index in indexes_of(are_kept, 1):
        ids = groups[index].ids
        kept_id = stored.group_of(ids[0])
        if kept_id is None or kept_id in deleted:
            are_kept[index] = 0
        elif choices != choices_now:
            present = {*ids} - deleted
            before, now = chosen_ids(present, choices), chosen_ids(present, choices_now)
            are_kept[index] = now in (before, {kept_id})
    return are_kept
