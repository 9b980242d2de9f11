"""Phase 4: choose the kept game of each group, merge headers, write flags.

Groups that have not changed since the last run are skipped. All writes belong to the transaction of
the caller.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, zip_longest
from typing import NamedTuple

import apsw

from ocgdedup import model
from ocgdedup._kernels.search import COLOURS, HEADERS, NOTES, OPEN, FlagRows
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.matching.canonical import chosen_ids
from ocgdedup.matching.clusters import same_games, wrongly_represented
from ocgdedup.matching.consensus import outweighs
from ocgdedup.matching.evidence import CONTINUES, NO_KIND, PREFIX, status_of
from ocgdedup.matching.field_choice import is_event_like, plain_alphanumerics
from ocgdedup.matching.go_tags import TAG_POINTS
from ocgdedup.matching.header_merge import MergedHeader, merge_headers
from ocgdedup.matching.header_score import POINTS, UNKNOWN_PAIRS, header_score, is_named
from ocgdedup.matching.name_choice import NO_GIVEN_NAMES, best_of_two_names, may_be_one
from ocgdedup.matching.names.name_words import PARTICLES
from ocgdedup.model import Comparison, GameHeader, KeptGames, Reporter
from ocgdedup.pipeline.search.annotations import (
    NO_PLIES,
    AnnotatedDuplicate,
    MergedAnnotations,
    merge_annotations,
)
from ocgdedup.pipeline.search.consensus import Consensus
from ocgdedup.pipeline.search.detect import SearchResult, by_winner
from ocgdedup.pipeline.search.groups import Group, GroupBatch, Resolved, ResolveOptions, places_of
from ocgdedup.pipeline.search.masters import place_of_master
from ocgdedup.pipeline.search.spill import Resources, may_map_file
from ocgdedup.pipeline.search.variations import differing_moves, rest_of_moves
from ocgdedup.store import merges as store
from ocgdedup.store.connection import has_rows, on_threads, readers_beside
from ocgdedup.store.duplicates import Flags, stored_flag_rows, write_flag_rows
from ocgdedup.store.games import RANGE_GAMES
from ocgdedup.store.merges import (
    GroupHeaders,
    Merge,
    add_variations,
    annotated_among,
    read_headers,
)
from ocgdedup.store.search_state import count_not_truncated, last_choices, write_choices
from ocgdedup.wording import EXACT_STATUS, JOIN_STATUS, ROTATED, SUBSUMPTION_STATUS, SWAPPED

_GROUPS_AT_ONCE = 5_000  # whose headers are in memory
# Of groups whose headers are read on threads: with fewer it is slower, more take memory.
_FEWEST_BATCHES, _MOST_BATCHES = 8, 200


def _best_of_two(name: str, other: str, is_listed: bool) -> Sequence[str] | None:
    fide_id = 1 if is_listed else None  # any one will do: both names have it
    return best_of_two_names(name, fide_id, other, fide_id)


NAME_RULES = store.NameRules(
    outweighs, is_named, is_event_like, plain_alphanumerics, _best_of_two, may_be_one,
    frozenset(word.encode() for word in NO_GIVEN_NAMES | PARTICLES), UNKNOWN_PAIRS,
)  # fmt: skip


class _Done(NamedTuple):
    """A group that has been resolved; `flags`: of its games, its master first, if not yet noted.

    `swapped`: games with White and Black exchanged. In Go, `rotated`: games whose board is rotated
    or reflected; `other_starts`: games that start with other stones. `is_open`: its games differ,
    or another rule than the usual one chose the master.
    """

    master: GameHeader
    others: list[GameHeader]
    flags: dict[int, Flags]
    verdicts: dict[int, Comparison]
    swapped: set[int]
    rotated: set[int]
    other_starts: set[int]
    is_open: bool


class Plan(NamedTuple):
    """What of a search is to be written: groups that are not as they were.

    `stored`: flags as they are, of removed games too; those that stay are marked as kept.
    `consensus`: what all records say, None if headers are not merged by it.
    """

    stored: FlagRows
    changed: GroupBatch
    consensus: Consensus | None

    @property
    def has_changes(self) -> bool:
        return bool(self.changed) or not self.stored.all_kept


def plan_groups(
    connection: apsw.Connection,
    search_result: SearchResult,
    options: ResolveOptions,
    *,
    everything: bool,
) -> Plan:
    """Compare the groups found with those that are flagged; `everything`: all are to be written."""
    stored = stored_flag_rows(connection)
    for game_id in search_result.removed:
        if game_id not in search_result.finder:
            stored.keep(game_id)  # of what a search leaves out it has nothing to say
    consensus = None
    if options.has_consensus(search_result.kind):
        consensus = Consensus(connection, search_result)
    if everything:
        return Plan(stored, search_result.groups, consensus)
    are_kept = _unchanged(search_result, stored, by_winner(last_choices(connection)))
    if consensus is not None and search_result.last_known_id is not None:
        before = bytes(are_kept)
        consensus.unsettle(search_result.groups, are_kept)
        unsettled = [place for place in places_of(are_kept, 0) if before[place]]
        for place in _as_merged(connection, search_result, consensus, unsettled, options):
            are_kept[place] = 1
    stored.keep_groups(search_result.groups.ids, search_result.groups.ends, are_kept)
    changed = (search_result.groups[place] for place in places_of(are_kept, 0))
    return Plan(stored, GroupBatch.of(changed), consensus)


def _as_merged(
    connection: apsw.Connection,
    search_result: SearchResult,
    consensus: Consensus,
    places: Sequence[int],
    options: ResolveOptions,
) -> Iterator[int]:
    """Yield the places of those groups whose merged headers would be as they are."""
    groups = GroupBatch.of(search_result.groups[place] for place in places)
    consensus.collect_events(groups)
    headers = _headers_of(connection, consensus)
    chooser = _Chooser(search_result, options)
    for start in range(0, len(places), _GROUPS_AT_ONCE):
        part = groups[start : start + _GROUPS_AT_ONCE]
        chosen = chooser.kept_games(headers, part, merges_again=True)
        by_python = _places_of(chosen.kinds, _kinds_for_python(options))
        left = set(by_python)
        kept = [game_id for i, game_id in enumerate(chosen.masters) if i not in left]
        same = store.games_as_merged(connection, kept, chosen.merges)
        yield from (
            places[start + i] for i, game_id in enumerate(chosen.masters) if game_id in same
        )
        done = _resolve_groups(connection, search_result, [part[i] for i in by_python], options)
        for i, group in zip(by_python, done, strict=True):
            _, changes = _merged_header(group, consensus, search_result.kind)
            master_id = group.master.game_id
            stored = [row[1:] for row in store.merged_tags(connection, master_id, with_final=False)]
            if sorted(changes) == stored:
                yield places[start + i]


def count_found(
    connection: apsw.Connection, search_result: SearchResult, options: ResolveOptions
) -> Resolved:
    """Return groups and duplicates of a search that is not to be written, without removed games.

    Only groups with different mainlines need headers, for the choice of the kept game.
    """
    batch, removed = search_result.groups, search_result.removed
    counts = Counter[str]()
    groups, opened, truncated = 0, list[Group](), list[tuple[int, int]]()
    start = 0
    for place, end in enumerate(batch.ends):
        lines = batch.lines[start:end]
        if lines.count(lines[0]) < len(lines) or not removed.isdisjoint(batch.ids[start:end]):
            opened.append(batch[place])
        else:
            groups += 1
            counts[EXACT_STATUS] += len(lines) - 1
        start = end
    for first in range(0, len(opened), _GROUPS_AT_ONCE):
        part = opened[first : first + _GROUPS_AT_ONCE]
        for done in _resolve_groups(connection, search_result, part, options):
            flags = [
                (game_id, row)
                for game_id, row in done.flags.items()
                if row.status is not None and game_id not in removed
            ]
            groups += bool(flags)
            counts.update(row.status for _, row in flags if row.status is not None)
            truncated += [(i, row.group) for i, row in flags if row.status == SUBSUMPTION_STATUS]
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
    """Read the headers of the changed groups on threads, for resolve(); none if that is no use.

    To be called before anything else is written: each thread has a connection of its own.
    `harmless_changes`: so many rows were changed, none of a game or a name.
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
        headers = [_headers_of(reader, plan.consensus) for reader in readers]
        chooser = _Chooser(search_result, options)
        with on_threads(headers, chooser.kept_games, batches) as chosen:
            return list(chosen)


def _headers_of(connection: apsw.Connection, consensus: Consensus | None) -> GroupHeaders:
    counts = None if consensus is None else consensus.counts
    return GroupHeaders(connection, POINTS, TAG_POINTS, NAME_RULES, counts)


def _batches(groups: GroupBatch) -> Iterator[GroupBatch]:
    for start in range(0, len(groups), _GROUPS_AT_ONCE):
        yield groups[start : start + _GROUPS_AT_ONCE]


class _Chooser:
    """Has the kernel choose kept games, except in groups whose rules it does not know."""

    def __init__(self, search_result: SearchResult, options: ResolveOptions) -> None:
        self._leaves_all = options.keep != model.BEST_HEADER or search_result.kind is not CHESS
        self._special = search_result.removed.union(search_result.choices)
        self._has_swapped_colours = search_result.finder.has_swapped_colours
        self._is_merging = options.merge

    def kept_games(
        self, headers: GroupHeaders, batch: GroupBatch, *, merges_again: bool = False
    ) -> KeptGames:
        """Return the kernel's choices; see GroupHeaders.kept_games()."""
        left = bytearray([self._leaves_all]) * len(batch)  # 1 for each group that stays open
        if self._special and not self._leaves_all:
            left = bytearray(not self._special.isdisjoint(group.ids) for group in batch)
        return headers.kept_games(
            batch.ids, batch.lines, batch.ends, left, self._has_swapped_colours,
            is_merging=self._is_merging, merges_again=merges_again,
        )  # fmt: skip


def unrepresented(
    connection: apsw.Connection, search_result: SearchResult, plan: Plan, options: ResolveOptions
) -> list[int]:
    """Return the removed games that are no duplicates of the game that is to be kept.

    They were duplicates of one that is itself replaced now.
    """
    if not search_result.removed:
        return []
    groups = [group for group in plan.changed if not search_result.removed.isdisjoint(group.ids)]
    done = _resolve_groups(connection, search_result, groups, options)
    return sorted(
        game_id
        for group, result in zip(groups, done, strict=True)
        for game_id in group.ids
        if game_id in search_result.removed and game_id not in result.flags
    )


def wrongly_removed(
    search_result: SearchResult, stored: FlagRows, decisions: Sequence[tuple[int, int, bool]]
) -> list[int]:
    """Return removed games, not searched, whose kept game is different by decisions of the user.

    The kept game is that of their old group, which may have new members now. `stored`: the flags
    before the search; `decisions`: (ID, ID, whether they are the same game).
    """
    decided = same_games(decisions).keys()
    kept = {
        game_id: Flags(*flags).group
        for game_id in decided & search_result.removed
        if game_id not in search_result.finder and (flags := stored.get(game_id)) is not None
    }
    if not kept:
        return []
    wanted = decided | set(kept.values())
    groups = {
        game_id: group.ids[0]
        for group in search_result.groups
        for game_id in wanted.intersection(group.ids)
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
    """Choose kept games, merge headers and write what has changed.

    `chosen`: what choose_kept_games() made of the plan, if anything.
    """
    reporter.start("duplicates: headers", None, len(plan.changed.ids))
    if len(plan.stored):  # take back what was merged into games whose flags do not stay
        changed = [i for i in store.merged_ids(connection) if plan.stored.is_dropped(i)]
        for start in range(0, len(changed), RANGE_GAMES):
            store.take_back_merges(connection, changed[start : start + RANGE_GAMES])
    if plan.consensus is not None:
        plan.consensus.collect_events(plan.changed)
    resolution = _Resolution(connection, search_result, plan, options)
    games = 0
    for batch, kept in zip_longest(_batches(plan.changed), chosen):
        resolution.add_batch(batch, kept)
        games += len(batch.ids)
        reporter.advance(games, 0)
    _change_others(resolution.flags, search_result, plan.stored)
    sums = write_flag_rows(connection, resolution.flags, plan.stored)
    write_choices_of(connection, search_result.choices)
    reporter.finish()
    return resolution.result(*plan.stored.counts(kept_in_games=True))._replace(flag_sums=sums)


class _Resolution:
    """Groups resolved so far: their flags, and what they come to."""

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
        self._headers = _headers_of(connection, plan.consensus)
        self._consensus = plan.consensus
        # What this run merges goes into games that have been read.
        self._may_be_merged = store.has_merges(connection)
        self._may_have_tags = has_rows(connection, "MergedTags")
        self._by_python = _kinds_for_python(options)
        self._chooser = _Chooser(search_result, options)
        self._counts = Counter[str]()  # duplicates by status
        self._changed = self._groups = self._merged = self._noted = self._annotated = 0

    def result(self, kept_groups: int, kept_copies: Mapping[str, int]) -> Resolved:
        """Return what was done; `kept_groups`, `kept_copies`: what stayed as it was."""
        copies = dict(sorted((self._counts + Counter(kept_copies)).items()))
        return Resolved(
            kept_groups + self._groups, copies, self._changed, self._merged, self._noted,
            self._annotated,
        )  # fmt: skip

    def add_batch(self, batch: GroupBatch, chosen: KeptGames | None) -> None:
        """Choose the kept games of some groups, merge into them, and note the flags."""
        if chosen is None:
            chosen = self._chooser.kept_games(self._headers, batch)
        duplicates = self.flags.add_groups(
            batch.ids, batch.ends, chosen.masters, chosen.scores, chosen.kinds,
            OPEN, EXACT_STATUS,
        )  # fmt: skip
        self._counts[EXACT_STATUS] += duplicates
        done = self._resolved_by_python(batch, chosen)
        self._changed += len(batch)
        self._groups += len(batch) - len(_places_of(chosen.kinds, OPEN))
        opened = [group for group in done if group.is_open]
        for group in opened:
            copies = 0
            for game_id, flags in group.flags.items():
                self.flags.add(game_id, *flags)
                if flags.status is not None and game_id not in self._search_result.removed:
                    self._counts[flags.status] += 1
                    copies += 1
            self._groups += copies > 0
        annotated = list(self._annotated_duplicates(batch, chosen, opened))
        notes = MergedAnnotations(0, len(annotated))
        if self._options.merge:
            self._merged += store.write_kernel_merges(
                self._connection, chosen.merges, are_first=not self._may_have_tags
            )
            self._merged += self._merge_headers(done)
            notes = self._merge_notes(opened, annotated)
        self._noted += notes.games
        self._annotated += notes.left

    def _resolved_by_python(self, batch: GroupBatch, chosen: KeptGames) -> list[_Done]:
        kinds = chosen.kinds
        places = _places_of(kinds, self._by_python)
        groups = [batch[place] for place in places]
        ids = [i for group in groups for i in group.ids]
        headers = iter(read_headers(self._connection, ids, may_be_merged=self._may_be_merged))
        done = []
        for place, group in zip(places, groups, strict=True):
            own = list(islice(headers, len(group.ids)))
            if kinds[place] & OPEN:
                done.append(_resolve_group(self._search_result, group, own, self._options))
            else:
                done.append(self._resolve_equal(own, chosen.masters[place], kinds[place]))
        return done

    def _annotated_duplicates(
        self, batch: GroupBatch, chosen: KeptGames, opened: Iterable[_Done]
    ) -> Iterator[AnnotatedDuplicate]:
        """Yield the duplicates that have annotations, those of a group in a row."""
        others = annotated_among(self._connection, batch.ids)
        places = set(_places_of(chosen.kinds, NOTES))
        if others:
            games = enumerate(batch.ids)
            places.update(bisect_right(batch.ends, i) for i, game_id in games if game_id in others)
        for place in sorted(places):
            if chosen.kinds[place] & OPEN:
                continue
            start, end = batch.start(place), batch.ends[place]
            for game_id, kinds in zip(batch.ids[start:end], chosen.notes[start:end], strict=True):
                if game_id != chosen.masters[place] and (kinds or game_id in others):
                    yield AnnotatedDuplicate(chosen.masters[place], game_id, chosen.plies[place])
        for group in opened:
            for header in group.others:
                if header.has_comments or header.has_variations or header.game_id in others:
                    yield _annotated_duplicate(self._search_result, group, header)

    def _resolve_equal(self, headers: list[GameHeader], master_id: int, kind: int) -> _Done:
        """Resolve a group of equal mainlines whose games have flags already."""
        place = [header[0] for header in headers].index(master_id)
        done = _Done(headers.pop(place), headers, {}, {}, set(), set(), set(), is_open=False)
        if kind & COLOURS:
            for header in headers:
                if _has_swapped_colours(self._search_result, done.master, header):
                    done.swapped.add(header.game_id)
                    self.flags.set_reason(header.game_id, SWAPPED)
        return done

    def _merge_headers(self, groups: Sequence[_Done]) -> int:
        """Give kept games the best of each field; return how many got anything."""
        merges = []
        kind = self._search_result.kind
        for group in groups:
            values, changes = _merged_header(group, self._consensus, kind)
            if values:
                merges.append(Merge(group.master.game_id, values, changes))
        store.write_merges(self._connection, merges)
        return len(merges)

    def _merge_notes(
        self, groups: Sequence[_Done], annotated: Sequence[AnnotatedDuplicate]
    ) -> MergedAnnotations:
        """Merge annotations of duplicates into their kept games, and moves that differ."""
        merged = MergedAnnotations(0, len(annotated))
        finder, choice = self._search_result.finder, self._options.keep_annotations
        if choice != model.OWN_ANNOTATIONS:
            merged = merge_annotations(
                self._connection, annotated, self._search_result.kind,
                longest=choice == model.LONGEST_ANNOTATIONS,
                write_rest=partial(rest_of_moves, finder),
            )  # fmt: skip
        if self._options.merge_variations:
            joins = [
                (group.master.game_id, copy.game_id)
                for group in groups
                for copy in group.others
                if group.flags[copy.game_id].status == JOIN_STATUS
            ]
            add_variations(self._connection, list(differing_moves(finder, joins)))
        return merged


def _kinds_for_python(options: ResolveOptions) -> int:
    """Return as bits what Python must do for a group."""
    return OPEN | COLOURS | (HEADERS if options.merge else 0)


def _places_of(kinds: bytearray, bits: int) -> list[int]:
    """Return the places of the groups that need any of these, in order."""
    return list(places_of(kinds.translate(bytes(kind & bits > 0 for kind in range(256))), 1))


def _change_others(rows: FlagRows, search_result: SearchResult, stored: FlagRows) -> None:
    """Add what else becomes of games that had flags: other ones, or none."""
    unsearched = {
        game_id: Flags(*flags)
        for game_id in search_result.removed
        if game_id not in search_result.finder and (flags := stored.get(game_id)) is not None
    }
    kept = dict(unsearched)
    for flags in unsearched.values():
        group = rows.group_of(flags.group)
        theirs = stored.get(flags.group)
        if group is not None:
            kept[flags.group] = flags._replace(group=group)
        elif theirs is not None and stored.is_kept(flags.group):
            kept[flags.group] = Flags(*theirs)
    follow_kept_games(kept, unsearched, search_result.removed)
    rows.add_none_of_dropped(stored)
    for game_id, before in unsearched.items():
        after = kept.get(game_id)
        if after is None:
            rows.add_none(game_id)
        elif after != before:
            rows.add(game_id, *after)


def write_choices_of(connection: apsw.Connection, choices: Mapping[int, Collection[int]]) -> None:
    """Note what a search took from the user: for each game that he chose those over which."""
    pairs = ((winner, loser) for winner, losers in choices.items() for loser in losers)
    write_choices(connection, sorted(pairs))


def follow_kept_games(
    flags_by_id: dict[int, Flags], unsearched: Iterable[int], removed: Collection[int]
) -> None:
    """Have removed games that were not searched name the game that represents theirs now."""
    for game_id in unsearched:
        flags = flags_by_id.get(game_id)
        if flags is None:
            continue
        theirs = flags_by_id.get(flags.group)
        group = flags.group if theirs is None else theirs.group
        if group in removed:
            del flags_by_id[game_id]
        else:
            flags_by_id[game_id] = flags._replace(group=group)


def count_copies(flags: Iterable[Flags]) -> tuple[int, Mapping[str, int]]:
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
    """Return 1 for each group that is as it was, else 0.

    Which one is master and what the others are to it follows from the members, and from what the
    user chose: `choices` is what he had chosen before the last search.
    """
    groups, removed, choices_now = (
        search_result.groups,
        search_result.removed,
        search_result.choices,
    )
    are_kept = stored.unchanged_groups(groups.ids, groups.ends)
    if choices == choices_now and not removed:
        return are_kept
    for place in places_of(are_kept, 1):
        ids = groups[place].ids
        master = stored.group_of(ids[0])
        if master is None or master in removed:
            are_kept[place] = 0
        elif choices != choices_now:
            present = {*ids} - removed
            before, now = chosen_ids(present, choices), chosen_ids(present, choices_now)
            are_kept[place] = now in (before, {master})
    return are_kept


def _resolve_groups(
    connection: apsw.Connection,
    search_result: SearchResult,
    groups: Sequence[Group],
    options: ResolveOptions,
) -> list[_Done]:
    headers = iter(read_headers(connection, [i for group in groups for i in group.ids]))
    return [
        _resolve_group(search_result, group, list(islice(headers, len(group.ids))), options)
        for group in groups
    ]


def _resolve_group(
    search_result: SearchResult, group: Group, headers: list[GameHeader], options: ResolveOptions
) -> _Done:
    """Resolve a group by all rules."""
    scores = [header_score(header) for header in headers]
    place = place_of_master(search_result, group, headers, options.keep)
    master, line = headers[place], group.lines[place]
    master_id = master.game_id
    flags = {master_id: Flags(None, master_id, None, scores[place])}
    done = _Done(master, [], flags, {}, set(), set(), set(), is_open=True)
    for header, own_line, score in zip(headers, group.lines, scores, strict=True):
        game_id = header.game_id
        if game_id == master_id:
            continue
        status, reason = EXACT_STATUS, None
        if own_line != line:
            verdict = search_result.compare(master_id, game_id)
            if verdict.kind == NO_KIND and search_result.decided.isdisjoint((master_id, game_id)):
                continue  # together through others alone: two games, for all that is known
            done.verdicts[game_id] = verdict
            status, reason = status_of(verdict)
            if verdict.is_swapped:
                done.swapped.add(game_id)
            if search_result.kind is GO and not search_result.finder.starts_alike(
                master_id, game_id
            ):
                done.other_starts.add(game_id)
        elif _has_swapped_colours(search_result, master, header):
            reason = SWAPPED
            done.swapped.add(game_id)
        if search_result.kind.has_symmetry and search_result.finder.symmetry(master_id, game_id):
            done.rotated.add(game_id)
            reason = reason or ROTATED
        done.others.append(header)
        done.flags[game_id] = Flags(status, master_id, reason, score)
    return done


def _merged_header(group: _Done, consensus: Consensus | None, kind: GameKind) -> MergedHeader:
    return merge_headers(
        group.master, group.others, kind=kind, swapped=group.swapped,
        other_starts=group.other_starts, database=consensus,
    )  # fmt: skip


def _has_swapped_colours(
    search_result: SearchResult, master: GameHeader, header: GameHeader
) -> bool:
    return (
        header.white != master.white
        and header.black != master.black
        and search_result.finder.has_swapped_colours(master.game_id, header.game_id)
    )


def _annotated_duplicate(
    search_result: SearchResult, group: _Done, copy: GameHeader
) -> AnnotatedDuplicate:
    """Return at which plies annotations of a duplicate fit the kept game."""
    kept, game_id = group.master.game_id, copy.game_id
    verdict = group.verdicts.get(game_id)
    if game_id in group.rotated:  # points would be other ones
        return AnnotatedDuplicate(kept, game_id, NO_PLIES)
    if verdict is None:
        return AnnotatedDuplicate(kept, game_id, group.master.plies)
    if verdict.kind == CONTINUES:
        if search_result.finder.starts_elsewhere(game_id):
            return AnnotatedDuplicate(kept, game_id, verdict.plies, verdict.longer)
        return AnnotatedDuplicate(kept, game_id, verdict.first_difference, -verdict.longer)
    plies, has_more = verdict.first_difference, copy.plies > verdict.first_difference
    continues = has_more and verdict.kind == PREFIX
    branches = has_more and plies < group.master.plies and search_result.kind is CHESS
    return AnnotatedDuplicate(kept, game_id, plies, continues=continues, branches=branches)
