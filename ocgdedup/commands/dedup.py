"""dedup: resolve players, find duplicates, flag them, merge headers, delete on request."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

import apsw

from ocgdedup.commands.dedup_search import (
    DedupRequest,
    DedupResult,
    count_duplicates,
    options_text,
    search_by_evidence,
    search_by_key,
    unchanged,
)
from ocgdedup.commands.publication import (
    UNPUBLISHED,
    Publication,
    finish_killed_run,
    publication,
    publish,
)
from ocgdedup.errors import UsageError
from ocgdedup.files.decompress import refuse_address
from ocgdedup.model import Reporter
from ocgdedup.pipeline.search.detect import replace_deleted_in_pairs
from ocgdedup.pipeline.search.groups import Resolved
from ocgdedup.pipeline.search.named_options import note_options, options_over_last
from ocgdedup.store import connection as store
from ocgdedup.store import search_state
from ocgdedup.store.connection import Database
from ocgdedup.store.duplicates import are_stale, may_lack_merges
from ocgdedup.store.file_state import LastResult, note_result, own_changes, unchanged_result
from ocgdedup.store.loads import ANY_FILE, RUN_REPORT
from ocgdedup.store.migrate import migrate
from ocgdedup.store.names import PLAYERS_STATE, read_state
from ocgdedup.store.removed_games import purge
from ocgdedup.store.suspects import count_suspects, decided_pairs
from ocgdedup.store.verdicts import are_stored

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult

_UNCHANGED = "nothing was changed"


def dedup(
    request: DedupRequest, *, may_upgrade: Callable[[str], bool], reporter: Reporter
) -> DedupResult:
    """Resolve names, find duplicates, flag, merge and delete them: all of it or nothing.

    A dry run only counts. `may_upgrade` is asked if OCGDB wrote the database; without its leave
    nothing is changed. Raises RatingListError for a list that is none.
    """
    _check_lists(request, reporter)
    refuse_address(request.resources.temp_folder or "", is_output=True)
    path = request.database
    published = [] if request.dry_run else finish_killed_run(path, reporter)
    with store.open_database(path, writable=not request.dry_run) as database:
        with store.store_errors(path, _UNCHANGED):
            if not database.is_ours:
                _upgrade(database, request.dry_run, may_upgrade, reporter)
                database = database._replace(is_ours=True)
            options = options_over_last(database.connection, request.options, request.defaults)
            request = request._replace(options=options)
            if request.dry_run:
                with store.one_state(database.connection):
                    return count_duplicates(database, request)
            migrate(database, reporter)
            with publication(path, published) as outputs:
                # After a purge the next run searches again.
                changes = own_changes if request.purge else contextlib.nullcontext
                with store.transaction(database.connection), changes(database.connection):
                    result = _change(database, request, outputs, reporter)
                    outputs.list_in(database.connection)
                    if not request.purge:
                        _note_result(database.connection, result)
                with store.store_errors(path, UNPUBLISHED):
                    publish(database, reporter, outputs)
        if request.purge:
            from ocgdedup.commands.removal import shrink_after_purge

            shrink_after_purge(database, result.purged, reporter)
    return result


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
                left = search_by_evidence(database, request, reporter)
            else:
                left = search_by_key(database, request, request.by_key, reporter)
        result = left
    if request.write_report is not None:
        outputs.report_kind = RUN_REPORT if request.is_part_of_run else ANY_FILE
        outputs.keeps_published = result.is_unchanged
        outputs.may_replace_report = request.force or request.is_part_of_run
        reporter.start("report", None, None)
        opened = outputs.opened_report
        request.write_report(database, request.search, opened, request.resources)
        reporter.finish()
    result = _remove(database, request, result, outputs)
    if request.purge:
        result = _purge(database.connection, request, result)
    return result._replace(players=players)


def _as_left(database: Database, request: DedupRequest) -> DedupResult | None:
    """Return what the last run left if it is still so, without reading a table; None if not."""
    connection = database.connection
    if request.full or request.lists.paths():
        return None
    left = unchanged_result(connection)
    if left is None or search_state.last_search(connection) != options_text(connection, request):
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
        result = unchanged(connection)
    names_are_current = True
    if read_state(connection, PLAYERS_STATE) is not None:
        from ocgdedup.pipeline.players.persons import is_current

        names_are_current = is_current(connection)
    resolved, suspects = result.resolved, count_suspects(connection)
    left = LastResult(
        names_are_current, result.games, resolved.groups, resolved.duplicates, suspects,
        resolved.longer, resolved.diverging,
    )  # fmt: skip
    note_result(connection, left, verdicts=are_stored(connection))


def _must_apply_decisions(database: Database) -> bool:
    """Return whether the user decided about games since the last search, which a purge must heed.

    Raises UsageError if that search was by a key: a purge searches by evidence.
    """
    if not search_state.has_pending_decisions(database.connection):
        return False
    key = search_state.last_key(database.connection)
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
    return unchanged(database.connection)


def _remove(
    database: Database, request: DedupRequest, result: DedupResult, outputs: Publication
) -> DedupResult:
    """Move duplicates to RemovedGames, if that was asked for, after writing them to a file."""
    if not request.delete:
        return result
    from ocgdedup.commands.removal import remove_copies

    removed = remove_copies(
        database, request.min_header_quality, outputs.opened, begins_run=not result.can_undo
    )
    if removed.games:
        _name_present_games(database.connection, request)
    return result._replace(
        suspects=count_suspects(database.connection),
        removed=removed,
        can_undo=result.can_undo or removed.games > 0,
    )


def _name_present_games(connection: apsw.Connection, request: DedupRequest) -> None:
    replace_deleted_in_pairs(
        connection, request.search, decided_pairs(connection), request.resources
    )


def _purge(connection: apsw.Connection, request: DedupRequest, result: DedupResult) -> DedupResult:
    """Drop what was removed for good."""
    flags_are_known = search_state.last_basis(connection) is not None
    is_decision_pending = search_state.has_pending_decisions(connection)
    _name_present_games(connection, request)
    purged = purge(connection)
    if purged:
        from ocgdedup.pipeline.check.game_values import renew_player_hashes

        renew_player_hashes(connection)
    if purged and flags_are_known:
        search_state.note_flags(connection)
    if purged and not is_decision_pending:  # some have passed to other games
        search_state.note_decisions(connection)
    return result._replace(
        can_undo=result.can_undo and not purged,
        purged=purged,
        not_purged=store.count_rows(connection, "RemovedGames"),
    )


def _check_lists(request: DedupRequest, reporter: Reporter) -> None:
    if not request.lists.paths():
        return
    if not request.with_players:
        raise UsageError(
            "dedup: --fide-xml and --aliases do not go with --no-players; leave out one of them"
        )
    # Its imports take longer than the search for duplicates among 10,000 games.
    from ocgdedup.commands.players import check_lists

    check_lists(request.lists)
    if request.dry_run:
        reporter.warn("--dry-run changes nothing: --fide-xml and --aliases are ignored")


def _consolidate(
    database: Database, request: DedupRequest, reporter: Reporter
) -> PlayersResult | None:
    """Consolidate new names, if a list is given or names have been consolidated before."""
    if not request.with_players:
        return None
    if not request.lists.paths() and read_state(database.connection, PLAYERS_STATE) is None:
        return None
    from ocgdedup.commands.players import consolidate_names

    return consolidate_names(database.connection, request.lists, reporter)


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
