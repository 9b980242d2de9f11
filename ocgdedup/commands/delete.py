"""delete and restore: take games out of the collection, and bring them back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.commands.dedup import search_again
from ocgdedup.commands.dedup_search import DedupResult, apply_name_decisions
from ocgdedup.commands.kind_checks import check_chess_options
from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import UsageError, unknown_games
from ocgdedup.model import Reporter
from ocgdedup.pipeline.export.select import criteria_of
from ocgdedup.pipeline.search.spill import ONE_THREAD, Resources
from ocgdedup.store import deleted_games as store
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.duplicates import mark_stale, unknown_ids
from ocgdedup.store.file_state import result_changes
from ocgdedup.store.history import DELETE, RESTORE, transaction
from ocgdedup.store.loads import games_of_source, sources_named
from ocgdedup.store.migrations import migrate
from ocgdedup.store.selection import Selection, selected_games
from ocgdedup.wording import counted, joined

_UNCHANGED = "nothing was changed"
_ALL = Selection(with_duplicates=True)


class DeleteRequest(NamedTuple):
    """Games to delete: those with these IDs, or those of an input file and a selection.

    `source`: the name of an input file, or its last part.
    """

    database: str
    ids: Sequence[int] = ()
    source: str | None = None
    selection: Selection = _ALL
    resources: Resources = ONE_THREAD


class ChangedGames(NamedTuple):
    """The number of games that were deleted or restored.

    `search`: the search for duplicates that followed, None if no group had changed.
    """

    games: int
    search: DedupResult | None


def delete(
    request: DeleteRequest, reporter: Reporter, confirm: Callable[[int], bool] = bool
) -> ChangedGames | None:
    """Delete games: searches ignore them, and imports do not bring their records back.

    If one was in a duplicate group, the duplicates are searched again. `confirm`: called with the
    number of games; if it returns False, nothing changes and the result is None. Raises UsageError
    for unknown IDs, input files, players and events.
    """
    with open_database(request.database, writable=True) as database:
        require_ours(database)
        with store_errors(request.database, _UNCHANGED):
            migrate(database, reporter)
            ids = _chosen(database, request, reporter)
            if ids and not confirm(len(ids)):
                return None
            connection = database.connection
            with transaction(connection, DELETE) as change, result_changes(connection):
                change.words = counted(len(ids), "game")
                is_grouped = store.have_results(connection, ids)
                store.delete_by_user(connection, ids)
                return _settled(database, len(ids), request.resources, reporter, is_grouped)


def restore(
    path: str,
    reporter: Reporter,
    ids: Collection[int] = (),
    resources: Resources = ONE_THREAD,
    *,
    duplicates_alone: bool = False,
) -> ChangedGames:
    """Restore deleted games that are not purged; all without IDs.

    `duplicates_alone`: only those that dedup deleted, as `dedup --restore` does. If the user had
    deleted any, the duplicates are searched again. Raises UsageError for games that are not
    deleted.
    """
    with open_database(path, writable=True) as database:
        require_ours(database)
        with store_errors(path, _UNCHANGED):
            migrate(database, reporter)
            connection = database.connection
            by_user = set(() if duplicates_alone else store.ids_by_user(connection))
            deleted = by_user.union(store.deleted_ids(connection))
            chosen = deleted.intersection(ids) if ids else deleted
            if chosen != set(ids or chosen):
                others = ", ".join(map(str, sorted(set(ids) - chosen)))
                raise UsageError(f"{path}: no deleted game has ID {others}")
            with transaction(connection, RESTORE) as change, result_changes(connection):
                change.words = counted(len(chosen), "game")
                store.restore_games(connection, chosen)
                is_new = not by_user.isdisjoint(chosen)
                return _settled(database, len(chosen), resources, reporter, is_new)


def _settled(
    database: Database, games: int, resources: Resources, reporter: Reporter, is_grouped: bool
) -> ChangedGames:
    """Search for duplicates again if groups have changed, in the transaction of the caller."""
    connection = database.connection
    search = None
    if is_grouped:
        search = search_again(database, resources, reporter)
    elif games:
        mark_stale(connection, keeps_merges=True)
    if search is None:
        apply_name_decisions(connection)
    return ChangedGames(games, search)


def _chosen(database: Database, request: DeleteRequest, reporter: Reporter) -> list[int]:
    """Return the IDs of the games to delete, without those that the user has deleted before."""
    connection, selection = database.connection, request.selection
    is_selection = request.source is not None or selection != _ALL
    if bool(request.ids) == is_selection:
        raise UsageError("delete: name games by their IDs, or choose them by --source, --where ...")
    if request.ids:
        by_user = set(store.ids_by_user(connection, request.ids))
        unknown = [i for i in unknown_ids(connection, request.ids) if i not in by_user]
        if unknown:
            raise unknown_games(database.path, *unknown)
        return sorted(set(request.ids) - by_user)
    check_chess_options(database, selection)
    of_source = None if request.source is None else _of_source(connection, request)
    if of_source is not None and selection == _ALL:
        return of_source
    selected = selected_games(connection, criteria_of(database, selection, reporter)).ids.tolist()
    return selected if of_source is None else sorted(set(selected).intersection(of_source))


def _of_source(connection: apsw.Connection, request: DeleteRequest) -> list[int]:
    """Return the IDs of all games of an input file, also of those that dedup deleted."""
    assert request.source is not None
    names = sources_named(connection, request.source)
    if len(names) != 1:
        reason = "no input file has this name; 'ocgdedup info' lists them"
        if names:
            reason = f"several input files have this name: {joined(names, 'and')}"
        raise UsageError(f"{request.database}: --source {request.source}: {reason}")
    return games_of_source(connection, names[0])
