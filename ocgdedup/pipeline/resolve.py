"""Phase 4: groups to masters: which game stays, which headers it gets, what is written.

What has not changed since the last run is left as it is. All writes belong to the transaction of
the caller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import apsw

from ocgdedup.matching.canonical import BEST_HEADER, chosen_ids
from ocgdedup.matching.evidence import (
    CONTINUES,
    EXACT_STATUS,
    JOIN_STATUS,
    NO_KIND,
    ROTATED,
    SWAPPED,
    status_of,
)
from ocgdedup.matching.header_merge import merge_headers
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import Comparison, GameHeader, Reporter
from ocgdedup.pipeline.detect import Found, by_winner
from ocgdedup.pipeline.groups import Group
from ocgdedup.pipeline.masters import place_of_master
from ocgdedup.pipeline.variations import differing_moves
from ocgdedup.store.duplicates import Flags, removed_flags, stored_flags, write_flags
from ocgdedup.store.merged_headers import Merge, read_headers, take_back_merges, write_merges
from ocgdedup.store.merged_notes import CopyWithNotes, add_variations, copy_notes
from ocgdedup.store.search_state import last_choices, write_choices

_GROUPS_AT_ONCE = 5_000  # whose headers are in memory


class ResolveOptions(NamedTuple):
    """`keep`: see choose_master(). Without `merge` masters keep their own headers.

    `merge_variations`: differing moves of nearly equal copies become variations of the master.
    """

    keep: str = BEST_HEADER
    merge: bool = True
    merge_variations: bool = False


class Resolved(NamedTuple):
    """What a resolution came to: groups, copies by status, and what was changed.

    `merged` masters got something of a copy; `noted` ones got its annotations. `annotated`: copies
    whose annotations stay with them alone.
    """

    groups: int
    copies: Mapping[str, int]
    changed_groups: int = 0
    merged: int = 0
    noted: int = 0
    annotated: int = 0


class _Done(NamedTuple):
    """A group that has been resolved, its master first.

    `swapped`: games that have the players the other way round; of Go: `turned`, whose board lies
    otherwise, and `other_starts`, which start with other stones.
    """

    master: GameHeader
    others: list[GameHeader]
    flags: dict[int, Flags]
    verdicts: dict[int, Comparison]
    swapped: Collection[int]
    turned: Collection[int]
    other_starts: Collection[int]


class Plan(NamedTuple):
    """What of a search is to be written: groups that are not as they were, flags that stay.

    Flags of removed games are among them.
    """

    stored: Mapping[int, Flags]
    kept: dict[int, Flags]
    changed: list[Group]

    @property
    def has_changes(self) -> bool:
        return bool(self.changed) or len(self.kept) != len(self.stored)


def plan_groups(connection: apsw.Connection, found: Found, *, everything: bool) -> Plan:
    """Compare the groups found with those that are flagged; `everything`: all are to be written."""
    stored = stored_flags(connection) | removed_flags(connection)
    # Of removed games that a search leaves out it has nothing to say.
    unsearched = {
        game_id: flags
        for game_id, flags in stored.items()
        if game_id in found.removed and game_id not in found.finder
    }
    if everything:
        return Plan(stored, unsearched, list(found.groups))
    kept, changed = _split(found, stored, by_winner(last_choices(connection)))
    flags = {game_id: stored[game_id] for group in kept for game_id in group if game_id in stored}
    return Plan(stored, flags | unsearched, changed)


def unrepresented(
    connection: apsw.Connection, found: Found, plan: Plan, options: ResolveOptions
) -> list[int]:
    """Return the removed games that are no duplicates of the game that is to be kept.

    They were duplicates of one that is itself replaced now.
    """
    groups = [group for group in plan.changed if not found.removed.isdisjoint(group.ids)]
    done = _resolve_groups(connection, found, groups, options)
    return sorted(
        game_id
        for group, result in zip(groups, done, strict=True)
        for game_id in group.ids
        if game_id in found.removed and game_id not in result.flags
    )


def resolve(
    connection: apsw.Connection,
    found: Found,
    plan: Plan,
    options: ResolveOptions,
    reporter: Reporter,
) -> Resolved:
    """Choose masters, merge headers and write what has changed."""
    reporter.start("copies: headers", None, sum(len(group.ids) for group in plan.changed))
    take_back_merges(connection, plan.stored.keys() - plan.kept.keys())
    wanted = plan.kept
    merged = noted = annotated = games = 0
    queue = iter(plan.changed)
    while some := list(islice(queue, _GROUPS_AT_ONCE)):
        taken: set[int] = set()
        done = _resolve_groups(connection, found, some, options)
        for group in done:
            wanted.update(group.flags)
        if options.merge:
            merged += _merge_headers(connection, done, is_go=found.finder.is_go)
            taken = _merge_notes(connection, found, done, options)
            noted += len(taken)
        annotated += sum(
            _has_notes(copy) and copy.game_id not in taken
            for group in done
            for copy in group.others
        )
        games += sum(len(group.ids) for group in some)
        reporter.advance(games, 0)
    unsearched = [game_id for game_id in found.removed if game_id not in found.finder]
    follow_kept_games(wanted, unsearched, found.removed)
    write_flags(connection, wanted, plan.stored or None)  # a foreign hand may have flagged some
    write_choices_of(connection, found.choices)
    reporter.finish()
    groups, copies = count_copies(
        flags for game_id, flags in wanted.items() if game_id not in found.removed
    )
    return Resolved(groups, copies, len(plan.changed), merged, noted, annotated)


def write_choices_of(connection: apsw.Connection, choices: Mapping[int, Collection[int]]) -> None:
    """Note what a search took from the user: for each game that he chose those over which."""
    pairs = ((winner, loser) for winner, losers in choices.items() for loser in losers)
    write_choices(connection, sorted(pairs))


def follow_kept_games(
    wanted: dict[int, Flags], unsearched: Iterable[int], removed: Collection[int]
) -> None:
    """Have removed games that were not searched name the game that represents theirs now."""
    for game_id in unsearched:
        flags = wanted.get(game_id)
        if flags is None:
            continue
        theirs = wanted.get(flags.group)
        group = flags.group if theirs is None else theirs.group
        if group in removed:
            del wanted[game_id]
        else:
            wanted[game_id] = flags._replace(group=group)


def count_copies(flags: Iterable[Flags]) -> tuple[int, Mapping[str, int]]:
    """Count groups that have copies, and these by status."""
    copies = [row for row in flags if row.status is not None]
    return len({row.group for row in copies}), Counter(str(row.status) for row in copies)


def count_found(found: Found) -> Resolved:
    """Return groups and copies of a search that is not to be written.

    What a copy is to its master is not known before one is chosen: its class is "".
    """
    sizes = [sum(game_id not in found.removed for game_id in group.ids) for group in found.groups]
    return Resolved(sum(size > 1 for size in sizes), {"": sum(sizes) - len(sizes)})


def _split(
    found: Found, stored: Mapping[int, Flags], choices: Mapping[int, Collection[int]]
) -> tuple[list[list[int]], list[Group]]:
    """Return the groups that are as they were, and the others.

    Which one is master and what the others are to it follows from the members, and from what the
    user chose: `choices` is what he had chosen before the last search.
    """
    sizes = Counter(flags.group for flags in stored.values())
    is_new = choices != found.choices
    kept: list[list[int]] = []
    changed: list[Group] = []
    for group in found.groups:
        ids = group.ids
        first = stored.get(ids[0])
        is_same = (
            first is not None
            and first.group in ids  # else somebody has taken the master out
            and first.group not in found.removed
            and sizes[first.group] == len(ids)
            and all(_group_of(stored, game_id) == first.group for game_id in ids)
            and (
                not is_new
                or _is_chosen(first.group, {*ids} - found.removed, choices, found.choices)
            )
        )
        if is_same:
            kept.append(ids)
        else:
            changed.append(group)
    return kept, changed


def _is_chosen(
    master: int,
    ids: Collection[int],
    before: Mapping[int, Collection[int]],
    now: Mapping[int, Collection[int]],
) -> bool:
    """Tell if what the user chose leaves the master of a group as it is."""
    chosen = chosen_ids(ids, now)
    return chosen in (chosen_ids(ids, before), {master})


def _group_of(stored: Mapping[int, Flags], game_id: int) -> int | None:
    flags = stored.get(game_id)
    return None if flags is None else flags.group


def _resolve_groups(
    connection: apsw.Connection, found: Found, groups: Sequence[Group], options: ResolveOptions
) -> list[_Done]:
    headers = iter(read_headers(connection, [i for group in groups for i in group.ids]))
    return [
        _resolve_group(found, group, list(islice(headers, len(group.ids))), options)
        for group in groups
    ]


def _resolve_group(
    found: Found, group: Group, headers: list[GameHeader], options: ResolveOptions
) -> _Done:
    scores = [header_score(header) for header in headers]
    place = place_of_master(found, group, headers, scores, options.keep)
    master, line = headers[place], group.lines[place]
    master_id, white, black = master.game_id, master.white, master.black
    flags = {master_id: Flags(None, master_id, None, scores[place])}
    others: list[GameHeader] = []
    verdicts: dict[int, Comparison] = {}
    swapped: set[int] = set()
    turned: set[int] = set()
    other_starts: set[int] = set()
    for header, own_line, score in zip(headers, group.lines, scores, strict=True):
        game_id = header.game_id
        if game_id == master_id:
            continue
        status, reason = EXACT_STATUS, None
        if own_line != line:
            verdict = found.compare(master_id, game_id)
            if verdict.kind == NO_KIND and found.decided.isdisjoint((master_id, game_id)):
                continue  # together through others alone: two games, for all that is known
            verdicts[game_id] = verdict
            status, reason = status_of(verdict)
            if verdict.is_swapped:
                swapped.add(game_id)
            if found.finder.is_go and not found.finder.starts_alike(master_id, game_id):
                other_starts.add(game_id)
        elif (
            header.white != white
            and header.black != black
            and found.finder.has_swapped_colours(master_id, game_id)
        ):
            reason = SWAPPED
            swapped.add(game_id)
        if found.finder.is_go and found.finder.turn(master_id, game_id):
            turned.add(game_id)
            reason = reason or ROTATED
        others.append(header)
        flags[game_id] = Flags(status, master_id, reason, score)
    return _Done(master, others, flags, verdicts, swapped, turned, other_starts)


def _merge_headers(connection: apsw.Connection, groups: Sequence[_Done], *, is_go: bool) -> int:
    """Give masters the best of each field; return how many got anything."""
    merges = []
    for group in groups:
        values, changes = merge_headers(
            group.master,
            group.others,
            is_go=is_go,
            swapped=group.swapped,
            other_starts=group.other_starts,
        )
        if values:
            merges.append(Merge(group.master.game_id, values, changes))
    write_merges(connection, merges)
    return len(merges)


def _merge_notes(
    connection: apsw.Connection, found: Found, groups: Sequence[_Done], options: ResolveOptions
) -> set[int]:
    """Copy annotations into masters that have none; return the copies whose notes these are."""
    copies = [
        CopyWithNotes(group.master.game_id, copy.game_id, _plies_in_common(group, copy))
        for group in groups
        if not _has_notes(group.master)
        for copy in sorted(group.others, key=_most_notes_first)
        if _has_notes(copy) and copy.game_id not in group.turned  # points would be other ones
    ]
    taken = copy_notes(connection, copies)
    if options.merge_variations:
        joins = [
            (group.master.game_id, copy.game_id)
            for group in groups
            for copy in group.others
            if group.flags[copy.game_id].status == JOIN_STATUS
        ]
        add_variations(connection, list(differing_moves(found.finder, joins)))
    return set(taken.values())


def _plies_in_common(group: _Done, copy: GameHeader) -> int:
    """Return after how many half-moves annotations of a copy no longer fit the master."""
    verdict = group.verdicts.get(copy.game_id)
    if verdict is None:
        return group.master.plies
    return 0 if verdict.kind == CONTINUES else verdict.first_difference


def _most_notes_first(header: GameHeader) -> tuple[int, int]:
    return -bool(header.has_comments) - bool(header.has_variations), header.game_id


def _has_notes(header: GameHeader) -> bool:
    return bool(header.has_comments or header.has_variations)
