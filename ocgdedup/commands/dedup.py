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
    apply_name_decisions,
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
from ocgdedup.pipeline.search.named_options import NamedOptions, note_options, options_over_last
from ocgdedup.pipeline.search.search_files import delete_files
from ocgdedup.pipeline.search.search_memory import SearchMemory
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store import connection as store
from ocgdedup.store import search_state
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.deleted_games import purge
from ocgdedup.store.duplicates import are_stale, may_lack_merges, searched_at
from ocgdedup.store.file_state import (
    LastResult,
    are_stored,
    note_result,
    players_come_first,
    result_changes,
    search_token,
    unchanged_result,
)
from ocgdedup.store.history import DEDUP, Change, transaction
from ocgdedup.store.loads import ANY_FILE, RUN_REPORT
from ocgdedup.store.migrations import migrate
from ocgdedup.store.name_decisions import has_decisions
from ocgdedup.store.names import PLAYERS_STATE, read_state
from ocgdedup.store.possible_duplicates import count_possible_duplicates, decided_pairs
from ocgdedup.store.tidied import keep_tidied
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult

_UNCHANGED = "nothing was changed"


def dedup(
    request: DedupRequest, *, may_upgrade: Callable[[str], bool], reporter: Reporter
) -> DedupResult:
    """Resolve names, find duplicates, flag, merge and delete them: all of it or nothing.

    A dry run only counts. `may_upgrade` is called if OCGDB wrote the database; if it returns False,
    nothing changes. Raises RatingListError for an invalid list.
    """
    _check_lists(request, reporter)
    refuse_address(request.resources.temp_folder or "", is_output=True)
    path = request.database
    published = [] if request.dry_run else finish_killed_run(path, reporter)
    with open_database(path, writable=not request.dry_run) as database:
        with store_errors(path, _UNCHANGED):
            if not database.is_ours:
                if request.dry_run or not may_upgrade(path):
                    raise UsageError(
                        f"{path}: OCGDB wrote this file, which has no hash columns yet; run "
                        f"'ocgdedup dedup --upgrade {path}' to add them (a copy of the file is "
                        "kept)"
                    )
                from ocgdedup.commands.upgrade import upgrade_database  # 2 ms

                upgrade_database(database, reporter)
                database = database._replace(is_ours=True)
            options = options_over_last(database.connection, request.options, request.defaults)
            request = request._replace(options=options)
            if request.dry_run:
                with store.one_state(database.connection):
                    return count_duplicates(database, request)
            migrate(database, reporter)
            with publication(path, published) as outputs:
                # After a purge the next run searches again.
                changes = result_changes if request.purge else contextlib.nullcontext
                keeps_files = request.resources.keeps_search_files
                with SearchMemory(path, search_token(database.connection)) as memory:
                    has_memory = keeps_files and not request.purge
                    request = request._replace(memory=memory if has_memory else None)
                    with (
                        transaction(database.connection, DEDUP) as change,
                        changes(database.connection),
                    ):
                        result = _change(database, request, outputs, reporter)
                        _describe(change, result)
                        outputs.list_in(database.connection)
                        if not request.purge:
                            token = memory.token if has_memory else None
                            _note_result(database.connection, result, token)
                    memory.publish()
                if not keeps_files:
                    delete_files(path)
                with store_errors(path, UNPUBLISHED):
                    publish(database, reporter, outputs)
            free, pages = map(database.connection.pragma, ("freelist_count", "page_count"))
        if request.purge and (result.purged or 4 * free > pages):
            from ocgdedup.commands.removal import shrink  # 8 ms

            purged = f"{counted(result.purged or 0, 'game was', 'games were')} purged"
            shrink(database, purged, "run 'ocgdedup dedup --purge' again to shrink it", reporter)
    return result


def _describe(change: Change, result: DedupResult) -> None:
    """Write the text of the history on a run; a run without changes is no step."""
    change.can_be_undone = not result.purged
    has_players = result.players is not None and not result.players.summary.is_unchanged
    if not (result.can_undo or result.purged or has_players):
        change.kind = None
        return
    groups, duplicates = result.resolved.groups, sum(result.resolved.duplicates.values())
    words = [counted(groups, "group"), counted(duplicates, "duplicate")]
    if result.deleted is not None:
        words.append(f"{result.deleted.games:,} deleted")
    if result.purged:
        words.append(f"{result.purged:,} purged")
    change.words = ", ".join(words)


def _change(
    database: Database, request: DedupRequest, outputs: Publication, reporter: Reporter
) -> DedupResult:
    """Make all changes, in the transaction of the caller."""
    result = _result_to_purge(database) if request.purge and not request.delete else None
    if result is None:
        result = _last_result(database, request)
    if result is None:
        result = _search(database, request, reporter)
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
        if store.has_rows(database.connection, "RemovedGames"):
            reporter.warn(
                f"{database.path}: --purge removes games for good: it cannot be undone, nor can "
                "the steps before it"
            )
        result = _purge(database.connection, request, result, reporter)
    if not result.is_unchanged or result.deleted is not None or result.purged:
        apply_name_decisions(database.connection)
    return result


def _search(database: Database, request: DedupRequest, reporter: Reporter) -> DedupResult:
    players = _consolidate(database, request, reporter)
    with keep_tidied(database.connection):
        if request.by_key is None:
            result = search_by_evidence(database, request, reporter)
        else:
            result = search_by_key(database, request, request.by_key, reporter)
    return result._replace(players=players)


def search_again(
    database: Database, resources: Resources, reporter: Reporter
) -> DedupResult | None:
    """Repeat the last search, if there was one, in the transaction of the caller."""
    connection = database.connection
    if searched_at(connection) is None:
        return None
    last = search_state.last_key(connection)
    options, by_key = options_over_last(connection, NamedOptions(), False), None
    if last is not None:
        from ocgdedup.pipeline.search.key_groups import KeyOptions  # 7 ms

        by_key = KeyOptions(last.key, last.min_plies, last.include_shorter)
        options = NamedOptions(keep=last.keep)
    request = DedupRequest(
        database.path, options, full=True, with_players=False, by_key=by_key, resources=resources
    )
    result = _search(database, request, reporter)
    apply_name_decisions(connection)
    return result


def _last_result(database: Database, request: DedupRequest) -> DedupResult | None:
    """Return the result of the last run if it still holds, without reading a table."""
    connection = database.connection
    if request.full or request.lists.paths():
        return None
    last = unchanged_result(connection)
    if last is None or search_state.last_search(connection) != options_text(connection, request):
        return None
    if request.with_players and not last.names_are_current:
        return None
    if request.by_key is None:
        note_options(connection, request.options)
    resolved = Resolved(last.groups, last.duplicates, longer=last.longer, diverging=last.diverging)
    return DedupResult(last.games, resolved, last.suspects, is_unchanged=True)


def _note_result(connection: apsw.Connection, result: DedupResult, token: str | None) -> None:
    """Note the result of a run, for _last_result() of the next run."""
    is_noted = unchanged_result(connection) is not None and not connection.total_changes()
    if is_noted or are_stale(connection):
        return
    if result.deleted is not None:
        result = unchanged(connection)
    names_are_current = True
    if read_state(connection, PLAYERS_STATE) is not None:
        from ocgdedup.pipeline.players.persons import is_current  # 61 ms

        names_are_current = is_current(connection)
    resolved, suspects = result.resolved, count_possible_duplicates(connection)
    last = LastResult(
        names_are_current, result.games, resolved.groups, resolved.duplicates, suspects,
        resolved.longer, resolved.diverging,
    )  # fmt: skip
    note_result(connection, last, verdicts=are_stored(connection), token=token)


def _result_to_purge(database: Database) -> DedupResult | None:
    """Return the last result, which the user has seen; None if decisions must be applied first."""
    if search_state.has_pending_decisions(database.connection):
        key = search_state.last_key(database.connection)
        if key is None:
            return None
        raise UsageError(  # a purge searches by evidence
            f"{database.path}: your decisions since the last search are not applied yet; run "
            f"'ocgdedup dedup {key.words} {shlex.quote(database.path)}' before --purge"
        )
    if may_lack_merges(database.connection):
        raise UsageError(
            f"{database.path}: names or headers have changed since the last search, which undid "
            "the merge of headers from deleted games; run 'ocgdedup dedup' before --purge"
        )
    return unchanged(database.connection)


def _remove(
    database: Database, request: DedupRequest, result: DedupResult, outputs: Publication
) -> DedupResult:
    """Move duplicates to RemovedGames if requested, after writing them to a file."""
    if not request.delete:
        return result
    from ocgdedup.commands.removal import delete_duplicates  # 8 ms

    removed = delete_duplicates(database, request.min_header_quality, outputs.opened)
    if removed.games:
        _name_present_games(database.connection, request)
    return result._replace(
        possible_duplicates=count_possible_duplicates(database.connection),
        deleted=removed,
        can_undo=result.can_undo or removed.games > 0,
    )


def _name_present_games(connection: apsw.Connection, request: DedupRequest) -> None:
    replace_deleted_in_pairs(
        connection, request.search, decided_pairs(connection), request.resources
    )


def _purge(
    connection: apsw.Connection, request: DedupRequest, result: DedupResult, reporter: Reporter
) -> DedupResult:
    """Delete the games of RemovedGames for good."""
    has_basis = search_state.last_basis(connection) is not None
    is_decision_pending = search_state.has_pending_decisions(connection)
    _name_present_games(connection, request)
    if has_decisions(connection):
        from ocgdedup.pipeline.players.purged_decisions import carry_name_decisions  # 8 ms

        carry_name_decisions(connection, reporter)
    purged = purge(connection)
    if purged:
        from ocgdedup.pipeline.check.game_values import renew_player_hashes  # 11 ms

        renew_player_hashes(connection)
    if purged and has_basis:
        search_state.note_flags(connection)
    if purged and not is_decision_pending:  # decisions may have moved to other games
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
    from ocgdedup.commands.players import check_lists  # 80 ms

    check_lists(request.lists)
    if request.dry_run:
        reporter.warn("--dry-run changes nothing: --fide-xml and --aliases are ignored")


def _consolidate(
    database: Database, request: DedupRequest, reporter: Reporter
) -> PlayersResult | None:
    """Consolidate new names if a list is given or names were consolidated before.

    The user's decisions about names hold in any case.
    """
    is_resolved = read_state(database.connection, PLAYERS_STATE) is not None
    if not request.with_players or not (request.lists.paths() or is_resolved):
        if has_decisions(database.connection):
            from ocgdedup.pipeline.players.decided_names import apply_decisions  # 73 ms

            apply_decisions(database.connection)
        return None
    from ocgdedup.commands.players import consolidate_names  # 73 ms

    with players_come_first(database.connection):
        return consolidate_names(database.connection, request.lists, reporter)
