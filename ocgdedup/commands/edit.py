"""edit: correct tags, moves and annotations of games, and write notes on games."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import apsw

from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import UsageError, raise_errors
from ocgdedup.model import Reporter
from ocgdedup.pipeline.corrections.settle import original_headers, settle_corrections
from ocgdedup.pipeline.corrections.values import checked_tag, checked_value, read_value
from ocgdedup.pipeline.players.decided_names import apply_decisions
from ocgdedup.pipeline.search.pairs import require_game_ids
from ocgdedup.store.connection import Database
from ocgdedup.store.corrections import Correction, corrections, write_corrections, write_notes
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.duplicates import mark_stale
from ocgdedup.store.file_state import result_changes, result_still_holds
from ocgdedup.store.history import (
    DEDUP,
    DELETE,
    EDIT,
    PLAYERS,
    REPAIR,
    RESTORE,
    TIDY,
    steps,
    transaction,
)
from ocgdedup.store.migrations import migrate
from ocgdedup.store.names import game_kind, name_of, write_info
from ocgdedup.store.players import judge_players_anew
from ocgdedup.store.selection import Selection, selected_games
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.pipeline.corrections.edited_games import EditedGames

# Steps that may change values of games that the user did not name.
_CHANGING = (DEDUP, PLAYERS, DELETE, RESTORE, REPAIR, TIDY)


# Location in a file, "" if there is none; game ID; tag; value, None if it is cleared.
GivenCorrection: TypeAlias = tuple[str, int, str, str | None]


class EditRequest(NamedTuple):
    """Corrections to write at once: the same for several games, or those of a file.

    `ids` or `selection`: the games that get `values` (by tag, None: cleared) and `note` ("":
    deleted). `given`: of a table. `games_file`: a PGN file that was exported and edited.
    """

    database: str
    ids: Sequence[int] = ()
    values: Mapping[str, str | None] = {}
    note: str | None = None
    selection: Selection | None = None
    given: Sequence[GivenCorrection] = ()
    games_file: str | None = None


class EditResult(NamedTuple):
    """Counts of changed games, tags, notes and games with other moves or annotations.

    `ambiguous`: games of a PGN file that could not be assigned, in words.
    """

    games: int = 0
    values: int = 0
    notes: int = 0
    movetexts: int = 0
    ambiguous: Sequence[str] = ()


def edit(
    request: EditRequest, may_edit: Callable[[int], bool], reporter: Reporter
) -> EditResult | None:
    """Correct games in one transaction: all of it or nothing; None if may_edit() returns False.

    `may_edit` is asked about the number of the selected games. Raises UsageError for an unknown
    game, a tag that cannot be set, and an invalid value.
    """
    path = request.database
    with open_database(path, writable=True) as database:
        require_ours(database)
        with store_errors(path, "nothing was changed"):
            migrate(database, reporter)
            edited = _edited_games(database, request, reporter)
            ids: Sequence[int] = request.ids
            if request.selection is not None:
                ids = _selected(database, request.selection, reporter)
                if not may_edit(len(ids)):
                    return None
            given = [*request.given]
            given += [("", i, tag, text) for i in ids for tag, text in request.values.items()]
            notes = {} if request.note is None else dict.fromkeys(ids, request.note.strip())
            if edited is not None:
                given += edited.values
                notes = dict(edited.notes)
            rows = _checked(database, given)
            require_game_ids(database, [*notes, *(row.game_id for row in rows)])
            return _write(database, request, rows, notes, edited)


def _write(
    database: Database,
    request: EditRequest,
    rows: Sequence[Correction],
    notes: Mapping[int, str],
    edited: EditedGames | None,
) -> EditResult:
    """Write everything in one transaction."""
    connection = database.connection
    movetexts = {} if edited is None else edited.movetexts
    is_note_alone = not rows and not movetexts
    changes = result_still_holds if is_note_alone else result_changes
    games = {*notes, *movetexts, *(row.game_id for row in rows)}
    with transaction(connection, EDIT) as change, changes(connection):
        change.words = counted(len(games), "game")
        write_notes(connection, notes)
        if edited is not None and movetexts:
            edited.write_movetexts(connection)
        new = _write_tags(connection, rows)
        if new or movetexts:
            settle_corrections(connection)
            mark_stale(connection)
            write_info(connection)
        # A file without changes that were found may have others, and must not be overwritten.
        if edited is not None and games and not edited.ambiguous:
            _note_taken(database, request)
    games = {*notes, *movetexts, *(row.game_id for row in new)}
    ambiguous = () if edited is None else edited.ambiguous
    return EditResult(len(games), len(new), len(notes), len(movetexts), ambiguous)


def _edited_games(
    database: Database, request: EditRequest, reporter: Reporter
) -> EditedGames | None:
    if request.games_file is None:
        return None
    _require_current(database, request.games_file)
    from ocgdedup.pipeline.corrections.edited_games import edited_games  # 30 ms

    return edited_games(database, request.games_file, reporter)


def _note_taken(database: Database, request: EditRequest) -> None:
    """Note that the database has all of a file of `run`, so that the next run may replace it."""
    from ocgdedup.commands.outputs import note_taken_in, written_at  # 22 ms

    assert request.games_file is not None
    if written_at(database, request.games_file) is not None:
        note_taken_in(database.connection, database.path, request.games_file)


def _require_current(database: Database, path: str) -> None:
    """Raise UsageError for a file of `run` if values have changed in the database since.

    These would be taken for changes of the user.
    """
    from ocgdedup.commands.outputs import written_at  # 22 ms

    written_s = written_at(database, path)
    if written_s is None:
        return
    written = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(written_s))
    for step in steps(database.connection):
        changed = [kind for kind in step.kinds if kind in _CHANGING]
        if changed and step.time > written:
            raise UsageError(
                f"{path}: was written before step {step.number} ({', '.join(changed)}), which may "
                f"have changed other values; 'ocgdedup undo {shlex.quote(database.path)} "
                f"{step.number - 1}' goes back to the time of the file"
            )


def _selected(database: Database, selection: Selection, reporter: Reporter) -> Sequence[int]:
    from ocgdedup.commands.kind_checks import check_chess_options  # 3 ms
    from ocgdedup.pipeline.export.select import criteria_of  # 12 ms

    check_chess_options(database, selection)
    criteria = criteria_of(database, selection, reporter)
    return selected_games(database.connection, criteria).ids


def _checked(database: Database, given: Sequence[GivenCorrection]) -> list[Correction]:
    """Return valid corrections; raise UsageError with the first invalid ones."""
    kind = game_kind(database.connection)
    rows: dict[tuple[int, str], Correction] = {}
    errors: list[str] = []
    for location, game_id, tag, text in given:
        try:
            tag = checked_tag(tag, kind)
            row = Correction(game_id, tag, checked_value(tag, text, kind))
            if rows.setdefault((game_id, tag), row) != row:
                raise UsageError(f"game {game_id}: {tag} is given twice, with different values")
        except UsageError as error:
            message = f"{location}: {error}" if location else str(error)
            if message not in errors:
                errors.append(message)
    raise_errors(errors, "errors")
    return list(rows.values())


def _write_tags(connection: apsw.Connection, rows: Sequence[Correction]) -> Sequence[Correction]:
    """Write corrections and show them; return those that are new."""
    ids = {row.game_id for row in rows}
    stored = corrections(connection, ids)
    values = {(row.game_id, row.tag): row.value for found in stored.values() for row in found}
    headers = original_headers(connection, ids)
    names = partial(name_of, connection)
    new = [
        row._replace(read_value=read_value(headers[row.game_id][1], row.game_id, row.tag, names))
        for row in rows
        if values.get((row.game_id, row.tag), "") != row.value
    ]
    if new:
        write_corrections(connection, new)
        if any(row.tag in ("White", "Black") for row in new):
            judge_players_anew(connection)
        settle_corrections(connection)
        apply_decisions(connection)
    return new
