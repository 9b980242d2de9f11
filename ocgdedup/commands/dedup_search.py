"""The searches of dedup: the request, the result, and writing the changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ocgdedup.commands.outputs import OpenFile
from ocgdedup.model import ListFiles, Reporter
from ocgdedup.pipeline.search.detect import (
    SearchOptions,
    SearchResult,
    counting_options,
    find_duplicates,
    reject_by_kept,
)
from ocgdedup.pipeline.search.groups import Resolved, ResolveOptions
from ocgdedup.pipeline.search.named_options import NamedOptions, note_options
from ocgdedup.pipeline.search.search_memory import SearchMemory
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.pipeline.search.stored_counts import packed_counts
from ocgdedup.store import search_state
from ocgdedup.store.connection import Database
from ocgdedup.store.corrections import games_with_own_moves, has_corrections
from ocgdedup.store.deleted_games import restore_games
from ocgdedup.store.duplicates import (
    are_stale,
    deleted_flags,
    has_duplicates,
    may_lack_merges,
    stored_flags,
)
from ocgdedup.store.file_state import (
    forget_stale_verdicts,
    has_verdicts,
    is_changed_by_others,
)
from ocgdedup.store.games import count_games
from ocgdedup.store.name_decisions import has_decisions
from ocgdedup.store.possible_duplicates import (
    PossiblePair,
    count_possible_duplicates,
    decided_pairs,
    kept_choices,
    stored_possible_duplicates,
    write_possible_duplicates,
)
from ocgdedup.version import __version__
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult
    from ocgdedup.commands.removal import DeletedGames
    from ocgdedup.pipeline.search.key_groups import KeyedGroups, KeyOptions
    from ocgdedup.pipeline.search.resolve import Plan

ReportWriter = Callable[[Database, SearchOptions, OpenFile, Resources], object]
_SHOWN_IDS = 5


class DedupRequest(NamedTuple):
    """A request of the user.

    `options`: named by the user; the others are those of the last search, or their defaults with
    `defaults`. `full`: compare all games again. `delete`: move duplicates to RemovedGames, after
    writing them to a file. `purge`: delete the games of RemovedGames for good and shrink the
    file. `min_header_quality`: do not delete groups whose kept game has fewer points.
    `write_report`: called before any game is deleted. `force`: replace an existing report;
    `is_part_of_run`: the command `run` has checked it. `by_key`: games with equal keys are
    duplicates; then `keep` is the only option that applies. `memory`: what the search remembers.
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
    lists: ListFiles = ListFiles()
    force: bool = False
    is_part_of_run: bool = False
    by_key: KeyOptions | None = None
    resources: Resources = Resources()
    memory: SearchMemory | None = None

    @property
    def search(self) -> SearchOptions:
        return self.options.search()

    @property
    def resolve(self) -> ResolveOptions:
        return self.options.resolve()


class DedupResult(NamedTuple):
    """The result; `players` is None if no names were consolidated.

    `is_unchanged`: nothing was new, so no games were compared. `can_undo`: this run can be undone.
    `purged`: the number of games deleted for good, None without a purge. `not_purged`: deleted
    games without a kept game in the last search, which the purge leaves. `restored`: deleted games
    that are no longer duplicates, for example by decisions of the user.
    """

    games: int
    resolved: Resolved
    possible_duplicates: int
    players: PlayersResult | None = None
    deleted: DeletedGames | None = None
    is_unchanged: bool = False
    can_undo: bool = False
    purged: int | None = None
    not_purged: int = 0
    restored: int = 0


def search_by_evidence(
    database: Database, request: DedupRequest, reporter: Reporter
) -> DedupResult:
    """Find duplicates and write the changes, unless nothing has changed since the last search."""
    connection = database.connection
    only_added = has_verdicts(connection)
    basis = search_state.current_basis(
        connection, options_text(connection, request), only_added=only_added
    )
    last = search_state.last_basis(connection)
    if last == basis and not (request.full or are_stale(connection)):
        _warn_of_changes(database, reporter)
        forget_stale_verdicts(connection)
        note_options(connection, request.options)
        return unchanged(connection)
    reporter.start("duplicates: search", None, None)
    earlier_changes = connection.total_changes()
    may_be_partial = last is not None and last.options == basis.options and not request.full
    search_result = _search_result(database, request, may_be_partial=may_be_partial)
    # A search stores verdicts, which only the next search reads.
    search_changes = 0 if earlier_changes else connection.total_changes()
    planned = _plan(database, request, (basis, last), search_result, reporter)
    search_result, plan = planned.search_result, planned.plan
    has_changes = _has_changes(connection, request, basis, planned)
    from ocgdedup.pipeline.search.resolve import choose_kept_games, resolve  # 8 ms

    chosen = choose_kept_games(
        connection, search_result, plan, request.resolve, request.resources,
        harmless_changes=search_changes,
    )  # fmt: skip
    reporter.finish()
    flags = _ChangedFlags(connection, search_result, plan)
    resolved = resolve(connection, search_result, plan, request.resolve, reporter, chosen)
    resolved = flags.counted(resolved)
    write_possible_duplicates(connection, search_result.possible_duplicates, search_result.scope)
    # Merged headers may have new names; the next run must not treat them as new.
    basis = search_state.current_basis(connection, basis.options, only_added=only_added)
    search_state.write_basis(connection, basis, resolved.flag_sums)
    note_options(connection, request.options)
    _write_counts(connection, search_result, plan, resolved)
    return DedupResult(
        search_state.count_games_of(connection, basis),
        resolved,
        count_possible_duplicates(connection),
        can_undo=has_changes or planned.restored > 0,
        restored=planned.restored,
    )


class _ChangedFlags:
    """The counts of the flags that a search changes, before it is written, to count them again."""

    def __init__(
        self, connection: apsw.Connection, search_result: SearchResult, plan: Plan
    ) -> None:
        self._connection = connection
        self._is_partial = search_result.scope is not None
        self._stored: search_state.FlagCounts | None = None
        if search_result.counts is not None and search_state.are_sums_left(
            connection, search_result.counts.flags.sums
        ):
            self._stored = search_result.counts.flags
            self._ids = {*plan.changed.ids, *plan.stored.changed_ids()}
            self._before = search_state.flag_counts(connection, self._ids)

    def counted(self, resolved: Resolved) -> Resolved:
        """Return the result of a search with the counts of all flags that are now there."""
        if not self._is_partial:
            return _with_lengths(self._connection, resolved)
        if self._stored is None:  # games were deleted since the last search
            counts = search_state.flag_counts(self._connection)
        else:
            after = search_state.flag_counts(self._connection, self._ids)
            counts = self._stored.changed(self._before, after)
        return resolved._replace(
            groups=counts.groups, duplicates=counts.duplicates, flag_sums=counts.sums,
            longer=counts.longer, diverging=counts.diverging,
        )  # fmt: skip


def _write_counts(
    connection: apsw.Connection, search_result: SearchResult, plan: Plan, resolved: Resolved
) -> None:
    """Pass on the counts of a search for the next one."""
    if search_result.write_state is None:
        return
    if resolved.flag_sums is None:
        counts = search_state.flag_counts(connection)
    else:
        counts = search_state.FlagCounts(
            resolved.flag_sums, resolved.groups, resolved.longer, resolved.diverging
        )
    headers = None if plan.consensus is None else plan.consensus.counts
    search_result.write_state(
        packed_counts(headers, counts, search_result.groups, search_result.scope)
    )


class _Planned(NamedTuple):
    """A search and the changes that it will write; `restored`: the number of restored games."""

    search_result: SearchResult
    plan: Plan
    last: search_state.Basis | None  # of the last search, None if games were restored
    writes_all: bool  # all groups, not only the changed ones
    restored: int


def _plan(
    database: Database,
    request: DedupRequest,
    bases: tuple[search_state.Basis, search_state.Basis | None],
    search_result: SearchResult,
    reporter: Reporter,
) -> _Planned:
    """Plan the changes of a search; restore deleted games that are no longer duplicates."""
    from ocgdedup.pipeline.search import resolve  # 8 ms

    connection = database.connection
    decided = decided_pairs(connection)
    basis, last = bases
    restored = 0
    while True:
        # If the last search had other games, the votes for merged headers may change in any group.
        writes_all = (
            request.full
            or last is None
            or last.options != basis.options
            or search_result.last_searched_id is None
        )
        plan = resolve.plan_groups(
            connection, search_result, request.resolve, rewrites_all=writes_all
        )
        lone = (
            search_result.lone_deleted()
            or resolve.deleted_without_kept_game(connection, search_result, plan, request.resolve)
            or resolve.wrongly_deleted(search_result, plan.stored, decided)
        )
        if not lone:
            return _Planned(search_result, plan, last, writes_all, restored)
        _restore_lone(connection, lone, reporter)
        restored += len(lone)
        search_result, last = _search_result(database, request), None


def _has_changes(
    connection: apsw.Connection, request: DedupRequest, basis: search_state.Basis, planned: _Planned
) -> bool:
    """Return whether the search has a visible effect, which can then be undone."""
    from ocgdedup.pipeline.search.resolve import plan_groups  # 6 ms

    search_result, plan, last, writes_all, _ = planned
    if last is not None and (last.options != basis.options or may_lack_merges(connection)):
        return True
    is_repeated = writes_all and last is not None
    if is_repeated:
        plan = plan_groups(connection, search_result, request.resolve, rewrites_all=False)
    pairs, scope = search_result.possible_duplicates, search_result.scope
    if plan.has_changes or _possible_pairs_changed(connection, pairs, scope):
        return True
    # The undo of a deletion restores all, and merged annotations get new IDs.
    return is_repeated and request.delete and has_duplicates(connection)


def _warn_of_changes(database: Database, reporter: Reporter) -> None:
    """Warn that games may have changed although their number has not."""
    if is_changed_by_others(database.connection):
        reporter.warn(
            f"{database.path}: has been changed since the last search, but has as many games; "
            "if another program changed games, run 'ocgdedup dedup --full'"
        )


def search_by_key(
    database: Database, request: DedupRequest, by_key: KeyOptions, reporter: Reporter
) -> DedupResult:
    """Flag games with equal keys, unless nothing has changed since the last search."""
    connection = database.connection
    basis = search_state.current_basis(connection, options_text(connection, request))
    last = search_state.last_basis(connection)
    forget_stale_verdicts(connection)
    if last == basis and not (request.full or are_stale(connection)):
        _warn_of_changes(database, reporter)
        return unchanged(connection)
    reporter.start("duplicates: search", None, None)
    from ocgdedup.pipeline.search.key_groups import (  # 7 ms
        flags_to_write,
        write_groups,
        wrongly_deleted,
    )

    decided = decided_pairs(connection)
    restored = 0
    while True:
        keyed = _groups_by_key(database, request, by_key)
        removed = deleted_flags(connection)
        stored = {**stored_flags(connection), **removed}
        lone = keyed.lone_deleted or wrongly_deleted(keyed, stored, removed, decided)
        if not lone:
            break
        _restore_lone(connection, lone, reporter)
        restored += len(lone)
    new_flags = flags_to_write(connection, keyed, stored)
    has_changes = restored > 0 or last is None or last.options != basis.options
    has_changes = has_changes or new_flags != stored or _possible_pairs_changed(connection, ())
    resolved = write_groups(connection, new_flags, stored, reject_by_kept(kept_choices(connection)))
    write_possible_duplicates(connection, ())
    search_state.write_basis(connection, search_state.current_basis(connection, basis.options))
    reporter.finish()
    games = count_games(connection)
    return DedupResult(games, resolved, 0, can_undo=has_changes, restored=restored)


def _groups_by_key(database: Database, request: DedupRequest, by_key: KeyOptions) -> KeyedGroups:
    from ocgdedup.pipeline.search.key_groups import find_by_key  # 7 ms

    connection = database.connection
    decided, choices = decided_pairs(connection), reject_by_kept(kept_choices(connection))
    return find_by_key(
        connection, by_key, keep=request.resolve.keep, decided=decided, choices=choices
    )


def _restore_lone(connection: apsw.Connection, ids: list[int], reporter: Reporter) -> None:
    """Restore deleted games that are no longer duplicates, as a part of this run."""
    restore_games(connection, ids)
    reporter.warn(
        f"restored {counted(len(ids), 'deleted game')}, no longer "
        f"{'a duplicate' if len(ids) == 1 else 'duplicates'} (ID "
        f"{', '.join(map(str, ids[:_SHOWN_IDS]))}{', ...' if len(ids) > _SHOWN_IDS else ''})"
    )


def _possible_pairs_changed(
    connection: apsw.Connection,
    pairs: Iterable[PossiblePair],
    scope: Collection[int] | None = None,
) -> bool:
    """Return whether these pairs differ from the stored ones; `scope`: those of these games."""
    stored = list(stored_possible_duplicates(connection, scope=scope))
    decided = {row.games for row in stored if row.decision is not None}
    return {row for row in stored if row.duplicate_class and row.decision is None} != {
        row for row in pairs if row.games not in decided
    }


def unchanged(connection: apsw.Connection) -> DedupResult:
    """Return the result of the last search."""
    resolved = _with_lengths(connection, Resolved(*search_state.count_flagged(connection)))
    suspects = count_possible_duplicates(connection)
    return DedupResult(count_games(connection), resolved, suspects, is_unchanged=True)


def _with_lengths(connection: apsw.Connection, resolved: Resolved) -> Resolved:
    longer, diverging = search_state.count_not_truncated(connection)
    return resolved._replace(longer=longer, diverging=diverging)


def apply_name_decisions(connection: apsw.Connection) -> None:
    """Give kept games the players and values that the user decided for records of their groups."""
    if has_decisions(connection):
        from ocgdedup.pipeline.players.decided_names import apply_decisions  # 73 ms

        apply_decisions(connection, has_other_groups=True)
    if has_corrections(connection):
        from ocgdedup.pipeline.corrections.settle import settle_corrections  # 73 ms

        settle_corrections(connection)


def count_duplicates(database: Database, request: DedupRequest) -> DedupResult:
    """Count duplicates without writing them: a dry run."""
    games = count_games(database.connection)
    if request.by_key is not None:
        from ocgdedup.pipeline.search.key_groups import counted_groups  # 7 ms

        flags = _groups_by_key(database, request, request.by_key).flags
        return DedupResult(games, counted_groups(database.connection, flags), 0)
    from ocgdedup.pipeline.search.resolve import count_groups_found  # 6 ms

    search_result = _search_result(database, request)
    resolved = count_groups_found(database.connection, search_result, request.resolve)
    return DedupResult(games, resolved, len(search_result.possible_duplicates))


def options_text(connection: apsw.Connection, request: DedupRequest) -> str:
    """Return the options that verdicts and kept games depend on, as text."""
    if request.by_key is not None:
        return repr((__version__, request.by_key, ResolveOptions(request.resolve.keep)))
    search = counting_options(connection, request.search)
    return repr((__version__, *search, request.resolve))


def _search_result(
    database: Database, request: DedupRequest, *, may_be_partial: bool = False
) -> SearchResult:
    connection = database.connection
    result = find_duplicates(
        connection, request.search, decided_pairs(connection), kept_choices(connection),
        request.resources, judge_all=request.full, stores_verdicts=not request.dry_run,
        memory=request.memory, may_be_partial=may_be_partial,
    )  # fmt: skip
    return result._replace(corrected=games_with_own_moves(connection))
