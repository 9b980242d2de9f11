"""dedup: resolve players, find duplicates, flag them, merge headers, delete on request."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import apsw

from ocgdedup import __version__
from ocgdedup.commands.publication import (
    UNPUBLISHED,
    Publication,
    finish_killed_run,
    publication,
    publish,
)
from ocgdedup.errors import UsageError
from ocgdedup.files.decompress import refuse_address
from ocgdedup.matching.evidence import TERMS, VERDICTS
from ocgdedup.model import Reporter
from ocgdedup.pipeline.search.detect import (
    SearchOptions,
    SearchResult,
    by_winner,
    counting_options,
    find_duplicates,
    name_present_games,
)
from ocgdedup.pipeline.search.groups import Resolved, ResolveOptions
from ocgdedup.pipeline.search.named_options import NamedOptions, last_options, note_options
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store.connection import (
    Database,
    count_rows,
    one_state,
    open_database,
    store_errors,
    transaction,
)
from ocgdedup.store.duplicates import (
    are_stale,
    has_duplicates,
    has_flags,
    may_lack_merges,
    removed_flags,
    searched_at,
    stored_flag_rows,
    stored_flags,
)
from ocgdedup.store.file_state import (
    LastResult,
    is_changed_by_others,
    note_result,
    own_changes,
    unchanged_result,
)
from ocgdedup.store.games import can_be_id, count_games
from ocgdedup.store.loads import ANY_FILE, RUN_REPORT
from ocgdedup.store.merged_headers import MergedTag, has_final_merges, merged_tags
from ocgdedup.store.migrate import migrate
from ocgdedup.store.names import PLAYERS_STATE, read_state
from ocgdedup.store.pairs import groups_of, unknown_ids
from ocgdedup.store.removed_games import purge, restore_games
from ocgdedup.store.search_state import (
    Basis,
    count_flagged,
    count_not_truncated,
    current_basis,
    has_pending_decisions,
    last_basis,
    last_key,
    last_search,
    note_decisions,
    note_flags,
    write_basis,
)
from ocgdedup.store.suspects import (
    Suspect,
    count_suspects,
    decided_pairs,
    decisions,
    stored_suspects,
    write_suspects,
)
from ocgdedup.store.undo_duplicates import begin_undo, can_undo, reset, undo
from ocgdedup.store.verdicts import are_stored, forget_stale_verdicts
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult
    from ocgdedup.commands.removal import Removed
    from ocgdedup.pipeline.search.key_groups import KeyedGroups, KeyOptions, MethodResult
    from ocgdedup.pipeline.search.resolve import Plan

OpenFile = Callable[[str], AbstractContextManager[BinaryIO]]
ReportWriter = Callable[[Database, SearchOptions, OpenFile, Resources], object]
_UNCHANGED = "nothing was changed"
_SHOWN_IDS = 5


class DedupRequest(NamedTuple):
    """What the user asked for.

    `options`: those that the user named; the others are those of the last search, unless
    `defaults`. `full`: judge all groups anew; `delete`: move copies to RemovedGames, after writing
    them to a PGN file; `purge`: drop what was removed and shrink the file; `min_header_quality`:
    groups whose master has fewer points are not deleted; `write_report`: is called with the
    database, the options of the search and what opens a file before any game is deleted, and may
    read whatever it reports. `force`: replace a report that exists; `is_part_of_run`: the command
    `run` has checked it. `by_key`: games are duplicates by this key alone; then only `keep` of the
    options counts. `jobs`, `memory_bytes`, `temp_folder`: see Resources.
    """

    database: str
    options: NamedOptions = NamedOptions()
    defaults: bool = False
    dry_run: bool = False
    full: bool = False
    delete: bool = False
    purge: bool = False
    min_header_quality: int = 0
    write_report: ReportWriter | None = None
    with_players: bool = True
    fide_list: str | None = None
    aliases: str | None = None
    list_month: str | None = None
    replace_list: bool = False
    force: bool = False
    is_part_of_run: bool = False
    by_key: KeyOptions | None = None
    jobs: int = 1
    memory_bytes: int | None = None
    temp_folder: str | None = None

    @property
    def search(self) -> SearchOptions:
        return self.options.search()

    @property
    def resolve(self) -> ResolveOptions:
        return self.options.resolve()

    @property
    def has_lists(self) -> bool:
        return self.fide_list is not None or self.aliases is not None


class DedupResult(NamedTuple):
    """What was found; `players` is None if the names were left as they are.

    `is_unchanged`: nothing was new, so nothing was judged; `can_undo`: this run can be taken back.
    `purged`: games that were dropped for good, None if that was not asked for; `not_purged`:
    deleted games that are still kept, since the last search did not say which game stands for each;
    `restored`: deleted games that are no longer duplicates, for instance by decisions of the user.
    """

    games: int
    resolved: Resolved
    suspects: int
    players: PlayersResult | None
    removed: Removed | None
    is_unchanged: bool
    can_undo: bool = False
    purged: int | None = None
    not_purged: int = 0
    restored: int = 0


class ResetResult(NamedTuple):
    """What a reset took back.

    `decisions` of the user stay, and so do the merges that a purge made final, if there are any.
    """

    groups: int
    duplicates: int
    merged: int
    suspects: int
    put_back: int
    decisions: int
    has_final_merges: bool


def dedup(
    request: DedupRequest, *, may_upgrade: Callable[[str], bool], reporter: Reporter
) -> DedupResult:
    """Resolve names, find duplicates, flag, merge and delete them: all of it or nothing.

    A dry run only counts. `may_upgrade` is asked if OCGDB wrote the database; without its leave
    nothing is changed. Raises RatingListError for a list that is none.
    """
    _check_lists(request, reporter)
    refuse_address(request.temp_folder or "", is_output=True)
    path = request.database
    published = [] if request.dry_run else finish_killed_run(path, reporter)
    database = open_database(path, writable=not request.dry_run)
    try:
        with store_errors(path, _UNCHANGED):
            if not database.is_ours:
                _upgrade(database, request.dry_run, may_upgrade, reporter)
                database = database._replace(is_ours=True)
            options = options_over_last(database.connection, request.options, request.defaults)
            request = request._replace(options=options)
            if request.dry_run:
                with one_state(database.connection):
                    return _count(database, request)
            migrate(database, reporter)
            with publication(path, published) as outputs:
                # After a purge the next run searches again.
                changes = own_changes if request.purge else contextlib.nullcontext
                with transaction(database.connection), changes(database.connection):
                    result = _change(database, request, outputs, reporter)
                    outputs.list_in(database.connection)
                    if not request.purge:
                        _note_result(database.connection, result)
                with store_errors(path, UNPUBLISHED):
                    publish(database, reporter, outputs)
        if request.purge:
            from ocgdedup.commands.removal import shrink_after_purge

            shrink_after_purge(database, result.purged, reporter)
    finally:
        database.close()
    return result


def options_over_last(
    connection: apsw.Connection, named: NamedOptions, defaults: bool
) -> NamedOptions:
    """Return what is named, and what is not from the last search, unless `defaults`."""
    return named if defaults else named.over(last_options(connection))


def _change(
    database: Database, request: DedupRequest, outputs: Publication, reporter: Reporter
) -> DedupResult:
    """Do all that is one transaction, of the caller's."""
    players = None
    if request.purge and not request.delete and not _must_apply_decisions(database):
        result = _before_purge(database)
    else:
        left = _as_left(database, request)
        if left is None:
            players = _consolidate(database, request, reporter)
            if request.by_key is None:
                left = _search(database, request, reporter)
            else:
                left = _search_by_key(database, request, request.by_key, reporter)
        result = left
    if request.write_report is not None:
        outputs.report_kind = RUN_REPORT if request.is_part_of_run else ANY_FILE
        outputs.keeps_published = result.is_unchanged
        outputs.may_replace_report = request.force or request.is_part_of_run
        reporter.start("report", None, None)
        opened = outputs.opened_report
        request.write_report(database, request.search, opened, _resources(request))
        reporter.finish()
    result = _remove(database, request, result, outputs)
    if request.purge:
        result = _purge(database.connection, request.search, result)
    return result._replace(players=players)


def _as_left(database: Database, request: DedupRequest) -> DedupResult | None:
    """Return what the last run left if it is still so, without reading a table; None if not."""
    connection = database.connection
    if request.full or request.has_lists:
        return None
    left = unchanged_result(connection)
    if left is None or last_search(connection) != options_text(connection, request):
        return None
    if request.with_players and not left.names_are_current:
        return None
    if request.by_key is None:
        note_options(connection, request.options)
    resolved = Resolved(left.groups, left.duplicates, longer=left.longer, diverging=left.diverging)
    return DedupResult(left.games, resolved, left.suspects, None, None, is_unchanged=True)


def _note_result(connection: apsw.Connection, result: DedupResult) -> None:
    """Note what a run has left, for _as_left() of the next one."""
    is_noted = unchanged_result(connection) is not None and not connection.total_changes()
    if is_noted or are_stale(connection):
        return
    if result.removed is not None:
        result = _unchanged(connection)
    names_are_current = True
    if read_state(connection, PLAYERS_STATE) is not None:
        from ocgdedup.pipeline.players.persons import is_current

        names_are_current = is_current(connection)
    resolved, suspects = result.resolved, count_suspects(connection)
    left = LastResult(
        names_are_current, result.games, resolved.groups, resolved.copies, suspects,
        resolved.longer, resolved.diverging,
    )  # fmt: skip
    note_result(connection, left, verdicts=are_stored(connection))


def _must_apply_decisions(database: Database) -> bool:
    """Return whether the user decided about games since the last search, which a purge must heed.

    Raises UsageError if that search was by a key: a purge searches by evidence.
    """
    if not has_pending_decisions(database.connection):
        return False
    key = last_key(database.connection)
    if key is not None:
        raise UsageError(
            f"{database.path}: your decisions since the last search are not applied yet; run "
            f"'ocgdedup dedup {key.words} {shlex.quote(database.path)}' before --purge"
        )
    return True


def _before_purge(database: Database) -> DedupResult:
    """Search nothing: what is dropped for good is what the user has seen removed."""
    if may_lack_merges(database.connection):
        raise UsageError(
            f"{database.path}: names or headers have changed since the last search, which undid "
            "the merge of headers from deleted games; run 'ocgdedup dedup' before --purge"
        )
    return _unchanged(database.connection)


def undo_dedup(path: str, reporter: Reporter) -> int | None:
    """Take the last run back; return how many games were changed back, None if there is no run."""
    database = open_database(path, writable=True)
    try:
        with store_errors(path, _UNCHANGED):
            if not database.is_ours or not can_undo(database.connection):
                return None
            migrate(database, reporter)
            with transaction(database.connection), own_changes(database.connection):
                restored = undo(database.connection)
            if has_flags(database.connection) and may_lack_merges(database.connection):
                reporter.warn(
                    f"{path}: the flags are restored, but headers that earlier runs merged are "
                    "not, because names or headers have changed since; run "
                    f"'ocgdedup dedup {path}' to merge them again"
                )
            return restored
    finally:
        database.close()


def reset_dedup(path: str, reporter: Reporter) -> ResetResult | None:
    """Take back what all runs of dedup did; return what that was, None if there is nothing."""
    database = open_database(path, writable=True)
    try:
        with store_errors(path, _UNCHANGED):
            if not database.is_ours:
                return None
            migrate(database, reporter)
            with transaction(database.connection), own_changes(database.connection):
                return _reset(database.connection)
    finally:
        database.close()


def _reset(connection: apsw.Connection) -> ResetResult | None:
    groups, copies = stored_flag_rows(connection).counts(kept_in_games=False)
    taken_back = ResetResult(
        groups,
        sum(copies.values()),
        count_rows(connection, "UnmergedHeaders"),
        count_suspects(connection),
        count_rows(connection, "RemovedGames"),
        len(decisions(connection)),
        has_final_merges(connection),
    )
    if searched_at(connection) is None and not any(taken_back[:5]):
        return None
    reset(connection)
    return taken_back


def restore_removed(path: str, reporter: Reporter) -> int:
    """Restore all games that were deleted as duplicates and not purged; return how many."""
    database = open_database(path, writable=True)
    try:
        with store_errors(path, _UNCHANGED):
            if not database.is_ours:
                return 0
            migrate(database, reporter)
            with transaction(database.connection), own_changes(database.connection):
                return restore_games(database.connection, None)
    finally:
        database.close()


class ExplainedPair(NamedTuple):
    """The verdict on two games, what the search made of them, and both in words."""

    game_ids: tuple[int, int]
    verdict: str
    score: float
    evidence: Mapping[str, float]
    are_in_one_group: bool
    are_possible_duplicates: bool
    lines: Sequence[str]


class ExplainedMerge(NamedTuple):
    """What was merged into the header of a game's group, and that in words."""

    game_id: int
    kept_game_id: int
    duplicates: int
    merged: Sequence[MergedTag]
    lines: Sequence[str]


def explain_pair(
    path: str, named: NamedOptions, first: int, second: int, *, defaults: bool = False
) -> ExplainedPair:
    """Explain the verdict on two games; change nothing.

    Raises UsageError if they are one, and for an unknown ID.
    """
    if first == second:
        raise UsageError(f"{path}: --explain needs two different games, not {first} twice")
    from ocgdedup.pipeline.search.judge import Judge  # no other call of dedup needs it

    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            search = options_over_last(database.connection, named, defaults).search()
            # Any pair can be asked for, also of games that the last search left out.
            search = search._replace(min_plies=named.plycount or 0)
            connection = database.connection
            with one_state(connection):
                game_ids = [game_id for game_id in (first, second) if can_be_id(game_id)]
                judge = Judge(
                    connection, search, game_ids, decided_pairs(connection), decisions_count=True
                )
                for game_id in (first, second):
                    if game_id not in game_ids or game_id not in judge.finder:
                        among = " that has as many plies as --plycount" if search.min_plies else ""
                        raise UsageError(f"{path}: there is no game with ID {game_id}{among}")
                explanation = judge.explained(first, second)
                return ExplainedPair(
                    (first, second),
                    VERDICTS[explanation.comparison.verdict],
                    explanation.comparison.score,
                    dict(zip(TERMS, explanation.comparison.terms, strict=True)),
                    explanation.are_together,
                    explanation.are_suspects,
                    judge.in_words(first, second, with_moves=True),
                )
    finally:
        database.close()


def explain_merge(path: str, game_id: int) -> ExplainedMerge:
    """Explain the merged values in the header of a game's group; change nothing.

    Raises UsageError for an unknown ID.
    """
    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            connection = database.connection
            if unknown_ids(connection, [game_id]):
                raise UsageError(f"{path}: there is no game with ID {game_id}")
            ids = groups_of(connection, [game_id])
            if len(ids) < 2:
                line = f"Game {game_id} has no duplicates."
                return ExplainedMerge(game_id, game_id, 0, (), [line])
            kept = ids[game_id]
            duplicates = len(ids) - 1
            lines = [f"Game {kept} is the kept game of {counted(duplicates, 'duplicate')}."]
            if kept != game_id:
                lines.insert(0, f"Game {game_id} is a duplicate of game {kept}.")
            changes = list(merged_tags(connection, kept))
    finally:
        database.close()
    return ExplainedMerge(game_id, kept, duplicates, changes, [*lines, *_merge_lines(changes)])


def _merge_lines(changes: Sequence[MergedTag]) -> list[str]:
    if not changes:
        return ["Nothing was merged into its header."]
    cells = [
        (
            row.tag,
            f"{row.before or '?'} -> {row.after or '?'}",
            "" if row.from_game_id is None else f"game {row.from_game_id}",
            row.reason or "",
        )
        for row in changes
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rows = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return [f"  {row}" for row in rows]


def compare_by_methods(
    path: str, methods: Sequence[str] | None, min_plies: int
) -> list[MethodResult]:
    """Return what keys alone report, and how much of it moves confirm; all methods if None."""
    from ocgdedup.pipeline.search.key_groups import compare_methods
    from ocgdedup.store.hash_groups import METHODS

    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            results = compare_methods(database.connection, methods or METHODS, min_plies)
    finally:
        database.close()
    return results


def _search(database: Database, request: DedupRequest, reporter: Reporter) -> DedupResult:
    """Find and write what has changed since the last search, if anything can have."""
    connection = database.connection
    basis = current_basis(connection, options_text(connection, request))
    last = last_basis(connection)
    if last == basis and not request.full:
        _warn_of_changes(database, reporter)
        forget_stale_verdicts(connection)
        note_options(connection, request.options)
        return _unchanged(connection)
    reporter.start("duplicates: search", None, None)
    earlier_changes = connection.total_changes()
    search_result = _search_result(database, request)
    # A search stores verdicts, which nobody reads but the next one.
    own = 0 if earlier_changes else connection.total_changes()
    planned = _plan(database, request, (basis, last), search_result, reporter)
    search_result, plan = planned.search_result, planned.plan
    has_changes = _has_changes(connection, request, basis, planned)
    from ocgdedup.pipeline.search.resolve import choose_kept_games, resolve

    chosen = choose_kept_games(
        connection,
        search_result,
        plan,
        request.resolve,
        _resources(request),
        harmless_changes=own,
    )
    if has_changes and not planned.restored:
        begin_undo(connection)  # without changes the last run can still be undone
    reporter.finish()
    resolved = resolve(connection, search_result, plan, request.resolve, reporter, chosen)
    write_suspects(connection, search_result.suspects)
    # Merged headers may have new names; the next run must not treat them as new.
    write_basis(connection, current_basis(connection, basis.options), resolved.flag_sums)
    note_options(connection, request.options)
    return DedupResult(
        count_games(connection),
        _with_lengths(connection, resolved),
        len(search_result.suspects),
        None,
        None,
        is_unchanged=False,
        can_undo=has_changes or planned.restored > 0,
        restored=planned.restored,
    )


class _Planned(NamedTuple):
    """A search and what it will write.

    `last`: the basis of the search before, None if there is none or deleted games were restored.
    `everything`: all groups are written, not only those that have changed. `restored`: the number
    of deleted games that were restored.
    """

    search_result: SearchResult
    plan: Plan
    last: Basis | None
    everything: bool
    restored: int


def _plan(
    database: Database,
    request: DedupRequest,
    bases: tuple[Basis, Basis | None],
    search_result: SearchResult,
    reporter: Reporter,
) -> _Planned:
    """Plan what a search writes; restore deleted games that are no longer duplicates.

    `bases`: of this search, and of the last one before this one wrote anything.
    """
    from ocgdedup.pipeline.search.resolve import plan_groups, unrepresented, wrongly_removed

    connection = database.connection
    decided = decided_pairs(connection)
    basis, last = bases
    restored = 0
    while True:
        # If other games were searched last, all records together may support other headers now.
        everything = (
            request.full
            or last is None
            or last.options != basis.options
            or search_result.last_known_id is None
        )
        plan = plan_groups(connection, search_result, request.resolve, everything=everything)
        lone = (
            search_result.lone_removed()
            or unrepresented(connection, search_result, plan, request.resolve)
            or wrongly_removed(search_result, plan.stored, decided)
        )
        if not lone:
            return _Planned(search_result, plan, last, everything, restored)
        _restore_lone(connection, lone, reporter, begins_run=not restored)
        restored += len(lone)
        search_result, last = _search_result(database, request), None


def _has_changes(
    connection: apsw.Connection, request: DedupRequest, basis: Basis, planned: _Planned
) -> bool:
    """Return whether the user will see a difference, which can then be undone."""
    from ocgdedup.pipeline.search.resolve import plan_groups

    search_result, plan, last, everything, _ = planned
    if last is not None and last.options != basis.options:
        return True
    is_repeated = everything and last is not None
    if is_repeated:
        plan = plan_groups(connection, search_result, request.resolve, everything=False)
    if plan.has_changes or _suspects_changed(connection, search_result.suspects):
        return True
    # A deletion will be undone as a whole, and merged annotations get other IDs.
    return is_repeated and request.delete and has_duplicates(connection)


def _warn_of_changes(database: Database, reporter: Reporter) -> None:
    """Say that games may have changed though there are as many as before."""
    if is_changed_by_others(database.connection):
        reporter.warn(
            f"{database.path}: has been changed since the last search, but has as many games; "
            "if another program changed games, run 'ocgdedup dedup --full'"
        )


def _search_by_key(
    database: Database, request: DedupRequest, by_key: KeyOptions, reporter: Reporter
) -> DedupResult:
    """Flag the games with equal keys, unless the last search did and nothing is new."""
    connection = database.connection
    basis = current_basis(connection, options_text(connection, request))
    last = last_basis(connection)
    forget_stale_verdicts(connection)
    if last == basis and not request.full:
        _warn_of_changes(database, reporter)
        return _unchanged(connection)
    reporter.start("duplicates: search", None, None)
    from ocgdedup.pipeline.search.key_groups import flags_to_write, write_groups, wrongly_removed

    decided = decided_pairs(connection)
    restored = 0
    while True:
        keyed = _found_by_key(database, request, by_key)
        removed = removed_flags(connection)
        stored = {**stored_flags(connection), **removed}
        lone = keyed.lone_removed or wrongly_removed(keyed, stored, removed, decided)
        if not lone:
            break
        _restore_lone(connection, lone, reporter, begins_run=not restored)
        restored += len(lone)
    new_flags = flags_to_write(connection, keyed, stored)
    has_changes = restored > 0 or last is None or last.options != basis.options
    has_changes = has_changes or new_flags != stored or _suspects_changed(connection, ())
    if has_changes and not restored:
        begin_undo(connection)
    resolved = write_groups(connection, new_flags, stored, by_winner(_choices(connection)))
    write_suspects(connection, ())
    write_basis(connection, current_basis(connection, basis.options))
    reporter.finish()
    return DedupResult(
        count_games(connection),
        resolved,
        0,
        None,
        None,
        is_unchanged=False,
        can_undo=has_changes,
        restored=restored,
    )


def _found_by_key(database: Database, request: DedupRequest, by_key: KeyOptions) -> KeyedGroups:
    from ocgdedup.pipeline.search.key_groups import find_by_key

    connection = database.connection
    return find_by_key(
        connection,
        by_key,
        keep=request.resolve.keep,
        decided=decided_pairs(connection),
        choices=by_winner(_choices(connection)),
    )


def _choices(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return (ID that stays, ID of the other) of what the user decided."""
    return [row.choice for row in decisions(connection) if row.choice is not None]


def _restore_lone(
    connection: apsw.Connection, ids: list[int], reporter: Reporter, *, begins_run: bool
) -> None:
    """Restore deleted games that are no duplicates any more, as a part of this run."""
    if begins_run:
        begin_undo(connection)
    restore_games(connection, ids)
    reporter.warn(
        f"restored {counted(len(ids), 'deleted game')}, no longer "
        f"{'a duplicate' if len(ids) == 1 else 'duplicates'} (ID "
        f"{', '.join(map(str, ids[:_SHOWN_IDS]))}{', ...' if len(ids) > _SHOWN_IDS else ''})"
    )


def _suspects_changed(connection: apsw.Connection, suspects: Iterable[Suspect]) -> bool:
    stored = list(stored_suspects(connection))
    decided = {row[:2] for row in stored if row.decision is not None}
    return {row for row in stored if row.kind and row.decision is None} != {
        row for row in suspects if row[:2] not in decided
    }


def _unchanged(connection: apsw.Connection) -> DedupResult:
    """Return what the last search found."""
    resolved = _with_lengths(connection, Resolved(*count_flagged(connection)))
    suspects = count_suspects(connection)
    return DedupResult(count_games(connection), resolved, suspects, None, None, is_unchanged=True)


def _with_lengths(connection: apsw.Connection, resolved: Resolved) -> Resolved:
    longer, diverging = count_not_truncated(connection)
    return resolved._replace(longer=longer, diverging=diverging)


def _count(database: Database, request: DedupRequest) -> DedupResult:
    """Only find: a dry run."""
    games = count_games(database.connection)
    if request.by_key is not None:
        from ocgdedup.pipeline.search.key_groups import counted_groups

        flags = _found_by_key(database, request, request.by_key).flags
        resolved = counted_groups(database.connection, flags)
        return DedupResult(games, resolved, 0, None, None, is_unchanged=False)
    from ocgdedup.pipeline.search.resolve import count_found

    search_result = _search_result(database, request)
    resolved = count_found(database.connection, search_result, request.resolve)
    return DedupResult(games, resolved, len(search_result.suspects), None, None, is_unchanged=False)


def options_text(connection: apsw.Connection, request: DedupRequest) -> str:
    """Write what verdicts and masters depend on, besides the games."""
    if request.by_key is not None:
        return repr((__version__, request.by_key, ResolveOptions(request.resolve.keep)))
    search = counting_options(connection, request.search)
    return repr((__version__, *search, request.resolve))


def _resources(request: DedupRequest) -> Resources:
    return Resources(request.jobs, request.memory_bytes, request.temp_folder)


def _search_result(database: Database, request: DedupRequest) -> SearchResult:
    connection = database.connection
    return find_duplicates(
        connection,
        request.search,
        decided_pairs(connection),
        _choices(connection),
        _resources(request),
        judge_all=request.full,
        is_kept=not request.dry_run,
    )


def _remove(
    database: Database, request: DedupRequest, result: DedupResult, outputs: Publication
) -> DedupResult:
    """Move duplicates to RemovedGames, if that was asked for, after writing them to a file."""
    if not request.delete:
        return result
    from ocgdedup.commands.removal import remove_copies

    removed = remove_copies(
        database,
        request.search,
        request.min_header_quality,
        outputs.opened,
        begins_run=not result.can_undo,
    )
    return result._replace(
        suspects=count_suspects(database.connection),
        removed=removed,
        can_undo=result.can_undo or removed.games > 0,
    )


def _purge(connection: apsw.Connection, search: SearchOptions, result: DedupResult) -> DedupResult:
    """Drop what was removed for good."""
    flags_are_known = last_basis(connection) is not None
    is_decision_pending = has_pending_decisions(connection)
    name_present_games(connection, search, decided_pairs(connection))
    purged = purge(connection)
    if purged:
        from ocgdedup.pipeline.check.game_values import renew_player_hashes

        renew_player_hashes(connection)
    if purged and flags_are_known:
        note_flags(connection)
    if purged and not is_decision_pending:  # some have passed to other games
        note_decisions(connection)
    return result._replace(
        can_undo=result.can_undo and not purged,
        purged=purged,
        not_purged=count_rows(connection, "RemovedGames"),
    )


def _check_lists(request: DedupRequest, reporter: Reporter) -> None:
    if not request.has_lists:
        return
    if not request.with_players:
        raise UsageError(
            "dedup: --fide-xml and --aliases do not go with --no-players; leave out one of them"
        )
    # Its imports take longer than the search for duplicates among 10,000 games.
    from ocgdedup.commands.players import check_lists
    from ocgdedup.pipeline.players.name_lists import ListFiles

    check_lists(ListFiles(request.fide_list, request.aliases))
    if request.dry_run:
        reporter.warn("--dry-run changes nothing: --fide-xml and --aliases are ignored")


def _consolidate(
    database: Database, request: DedupRequest, reporter: Reporter
) -> PlayersResult | None:
    """Consolidate new names, if a list is given or names have been consolidated before."""
    if not request.with_players:
        return None
    if not request.has_lists and read_state(database.connection, PLAYERS_STATE) is None:
        return None
    from ocgdedup.commands.players import consolidate_names
    from ocgdedup.pipeline.players.name_lists import ListFiles

    lists = ListFiles(request.fide_list, request.aliases, request.list_month, request.replace_list)
    return consolidate_names(database.connection, lists, reporter)


def _upgrade(
    database: Database, dry_run: bool, may_upgrade: Callable[[str], bool], reporter: Reporter
) -> None:
    path = database.path
    if dry_run or not may_upgrade(path):
        raise UsageError(
            f"{path}: OCGDB wrote this file, which has no hash columns yet; run "
            f"'ocgdedup dedup --upgrade {path}' to add them (a copy of the file is kept)"
        )
    # Rare, and its imports take a tenth of the start-up time.
    from ocgdedup.commands.upgrade import upgrade_database

    upgrade_database(database, reporter)
