"""players: consolidate names, undo or explain it, and look up names.

create and dedup use this module to check and read the lists and to consolidate names.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import BinaryIO, NamedTuple

import apsw

from ocgdedup.commands import outputs
from ocgdedup.commands.history import INDEPENDENT, last_of, state_before
from ocgdedup.commands.name_decisions import decisions_about
from ocgdedup.commands.removal import shrink
from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import UsageError
from ocgdedup.fide.lists import RatingList
from ocgdedup.fide.name_table import read_alias_file
from ocgdedup.files.decompress import refuse_address
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.model import ListFiles, Reporter
from ocgdedup.pipeline.corrections.settle import settle_corrections
from ocgdedup.pipeline.players import answers, decided_names
from ocgdedup.pipeline.players import unresolved_names as unresolved
from ocgdedup.pipeline.players.name_lists import (
    ImportedAliases,
    ImportedList,
    import_aliases,
    import_fide_list,
)
from ocgdedup.pipeline.players.persons import PlayersSummary, explain_go, is_current
from ocgdedup.store import connection as store
from ocgdedup.store import fide_players, players
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.fide_players import RemovedSpellings
from ocgdedup.store.file_state import players_change, result_changes
from ocgdedup.store.games import GAME_TABLES
from ocgdedup.store.history import (
    DEDUP,
    DELETE,
    EDIT,
    PLAYERS,
    RESTORE,
    UNDO_OF,
    require_last,
    transaction,
)
from ocgdedup.store.migrations import migrate
from ocgdedup.store.names import game_kind
from ocgdedup.store.undo import old_state
from ocgdedup.tables.formats import TSV, check_name
from ocgdedup.tables.spreadsheet import table_lines
from ocgdedup.wording import counted

STANDARD_STREAM = "-"
REPORT_COLUMNS = (
    "Name", "Games", "Person", "FideID", "Scope", "Stage", "Score", "Reason", "Candidates",
    "DecidedBy",
)  # fmt: skip
UNRESOLVED_COLUMNS = ("Name", "Games", "Candidates", "Reason", "DecidedBy")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BLANKS = str.maketrans("\t\r", "  ")  # the separators of the output


_UNDO = UNDO_OF.format(PLAYERS)
# Steps that may follow the run that is undone.
_INDEPENDENT = (*INDEPENDENT, DEDUP, DELETE, RESTORE, EDIT, _UNDO, UNDO_OF.format(DEDUP))


class PlayersRequest(NamedTuple):
    """A request of the user; `again`: look up every name again.

    `back_fill`, `store_list`: None as last time. `dedup_follows`: do not warn of reverted merges.
    """

    database: str
    lists: ListFiles = ListFiles()
    report_path: str | None = None
    force: bool = False
    again: bool = False
    back_fill: bool | None = None
    store_list: bool | None = None
    dedup_follows: bool = False
    removed_aliases: str | None = None


class PlayersResult(NamedTuple):
    """The result; None for lists that were not read.

    `month`: of the FIDE list, `month_source`: where it comes from. `has_reduced_list`: list entries
    of other players were deleted. `stored_entries`: of the FIDE list, if only those of players in
    the database are stored and the request was about the list. `aliases`: players of the spelling
    file, `spelling_lines`: what else it has, by kind.
    """

    summary: PlayersSummary
    elapsed_s: float
    fide_list: ImportedList | None = None
    month: str | None = None
    month_source: str = ""
    aliases: int | None = None
    has_reduced_list: bool = False
    spelling_lines: Mapping[str, int] | None = None
    removed_spellings: RemovedSpellings | None = None
    stored_entries: int | None = None


def _words(result: PlayersResult) -> str:
    """Return the text of the history on a run."""
    summary = result.summary
    return f"{counted(summary.persons, 'player')} of {counted(summary.names, 'name')}"


class ResolvedNames(NamedTuple):
    """Counts of lines: all, with a person, with a FIDE ID, and by stage."""

    names: int
    resolved: int
    with_fide_id: int
    by_stage: Counter[str]


def consolidate_players(request: PlayersRequest, reporter: Reporter) -> PlayersResult:
    """Read the lists into the database and consolidate its names: all of it or nothing.

    Raises UsageError if OCGDB wrote the database or the report exists, RatingListError for an
    invalid list.
    """
    path = request.database
    if request.report_path is not None:
        _check_output(request.report_path, [path, *request.lists.paths()], force=request.force)
        check_name(request.report_path, "csv")
    check_lists(request.lists)
    with _open_ours(path, writable=True) as database:
        with store_errors(path, "nothing was changed"):
            check_kind(database.connection, request.lists)
            _check_options(database.connection, request)
            migrate(database, reporter)
            if request.store_list is False:
                reporter.warn(
                    f"{path}: --no-store-list shrinks the file: it cannot be undone, nor can the "
                    "steps before it"
                )
            with (
                transaction(database.connection, PLAYERS) as change,
                players_change(database.connection),
            ):
                removed = _remove_aliases(database, request.removed_aliases, reporter)
                result = consolidate_names(
                    database.connection,
                    request.lists,
                    reporter,
                    again=request.again,
                    back_fill=request.back_fill,
                    store_list=request.store_list,
                )
                change.words = _words(result)
        result = result._replace(removed_spellings=removed)
        if result.has_reduced_list:
            remedy = "VACUUM in any SQLite client does it"
            shrink(database, "the FIDE list was reduced", remedy, reporter)
        if not request.dedup_follows:
            warn_of_merges(result, reporter)
        if request.report_path is not None:
            with store_errors(path, "cannot be read"):
                _write_report(database.connection, request.report_path, may_replace=request.force)
    return result


def unresolved_names(path: str) -> list[unresolved.UnresolvedName]:
    """Return the unresolved names of a database, those with the most games first."""
    with _open_ours(path) as database, store_errors(path, "cannot be read"):
        _require_players(database.connection, path)
        return list(unresolved.unresolved_names(database.connection))


def _require_players(connection: apsw.Connection, path: str) -> None:
    if not store.column_names(connection, "Persons"):
        raise UsageError(
            f"{path}: an older version of ocgdedup wrote this file, which has no players yet; run "
            f"'ocgdedup players {path}' first"
        )


def write_tsv(path: str, output: str, lines: Iterable[str], *, force: bool = False) -> None:
    """Write lines about a database to a new file."""
    _check_output(output, [path], force=force)
    check_name(output, TSV)
    with outputs.new_file(output, may_replace=force) as handle:
        handle.writelines(f"{line}\n".encode() for line in lines)


def _remove_aliases(
    database: Database, name: str | None, reporter: Reporter
) -> RemovedSpellings | None:
    """Remove spellings if asked for; raise UsageError if nothing has the name."""
    if name is None:
        return None
    removed = fide_players.remove_aliases(database.connection, name)
    unknown = (
        f"{database.path}: an older version of ocgdedup read {name} and did not store which "
        "spellings it has; "
    )
    remedy = f"read the same file again with --aliases {name}, then remove it"
    if removed.unknown_files and removed.unknown_files == removed.files:
        raise UsageError(f"{unknown}{remedy}")
    if removed.unknown_files:
        reporter.warn(f"{unknown}only those that it had later were removed; {remedy}")
    if not removed.files and not removed.spellings:
        raise UsageError(
            f"{database.path}: --aliases-remove {name}: no spelling file and no spelling in one is "
            "called so; the table RatingLists has the files"
        )
    players.judge_players_anew(database.connection)
    return removed


def warn_of_merges(result: PlayersResult, reporter: Reporter) -> None:
    """Warn if a consolidation has reverted merges of dedup."""
    if result.summary.reverted_merges:
        reporter.warn("merges of dedup were undone; run dedup again")


def check_lists(lists: ListFiles) -> None:
    """Check the lists before any long work.

    Raises UsageError for a pipe, which cannot be read twice, RatingListError for an invalid list.
    """
    for path in lists.paths():
        if path == STANDARD_STREAM or outputs.is_special(path):
            raise UsageError(f"{path}: a list is read more than once; name a file, not a pipe")
    if lists.fide is not None:
        RatingList(lists.fide).close()
    if lists.aliases is not None:
        next(read_alias_file(lists.aliases), None)


def check_kind(connection: apsw.Connection, lists: ListFiles) -> None:
    """Raise UsageError for a FIDE list and a Go database."""
    if game_kind(connection).has_fide_list:
        return
    if lists.fide is not None or lists.month is not None:
        option = "--fide-xml" if lists.fide is not None else "--list-month"
        raise UsageError(
            f"{option}: the FIDE list has chess players, and these are Go games; leave it out (a "
            "list of Go players goes with --aliases FILE)"
        )


def _check_options(connection: apsw.Connection, request: PlayersRequest) -> None:
    """Raise UsageError for options that do not apply to the games or lists of a database."""
    if game_kind(connection).has_fide_list:
        has_no_list = request.lists.fide is None and fide_players.lacks_players(connection)
        if request.store_list and has_no_list:
            raise UsageError(
                "--store-list: the database keeps only the FIDE list entries of its own players; "
                "give the list: --fide-xml LIST"
            )
        return
    if request.back_fill is not None:
        raise UsageError(
            f"{'--fill' if request.back_fill else '--no-fill'}: values are filled in from the FIDE "
            "list, and this database holds Go games; leave it out"
        )
    if request.store_list is not None:
        option = "--store-list" if request.store_list else "--no-store-list"
        raise UsageError(
            f"{option}: the FIDE list has chess players, this database holds Go games; leave it out"
        )


def consolidate_names(
    connection: apsw.Connection,
    lists: ListFiles,
    reporter: Reporter,
    *,
    again: bool = False,
    back_fill: bool | None = None,
    store_list: bool | None = None,
) -> PlayersResult:
    """Read the lists and consolidate the names, in the transaction of the caller.

    `store_list`: keep the whole FIDE list, not only the players of games; None: as last time.
    """
    began = time.monotonic()
    check_kind(connection, lists)
    imported: ImportedList | None = None
    aliases: ImportedAliases | None = None
    was_whole = fide_players.stores_whole_list(connection)
    stays_whole = was_whole if store_list is None else store_list
    has_options = again or any(
        option is not None for option in (back_fill, store_list, lists.month, lists.aliases)
    )
    with store.little_memory(connection):
        if lists.fide is not None:
            imported = import_fide_list(
                connection,
                lists.fide,
                reporter,
                month=lists.month,
                may_be_older=lists.may_be_older,
                again=not was_whole and (has_options or not is_current(connection)),
                aside=not stays_whole,
            )
            warn_of_list(lists, imported, reporter)
        if stays_whole and not was_whole:
            fide_players.store_whole_list(connection)
        if lists.aliases is not None:
            aliases = import_aliases(connection, lists.aliases, reporter)
        summary = decided_names.resolve_players(
            connection, reporter, list_month=lists.month, again=again, back_fill=back_fill
        )
        settle_corrections(connection)
        is_reduced = not stays_whole and fide_players.reduce_list(connection)
    stored_entries: int | None = None
    if not stays_whole and (imported is not None or store_list is False):
        stored_entries = fide_players.fide_player_count(connection)
    month, source = lists.month, "--list-month" if lists.month else ""
    if imported is not None and month is None:
        month, source = imported.month, imported.month_source
    elapsed_s = time.monotonic() - began
    return PlayersResult(
        summary, elapsed_s, imported, month, source, aliases and aliases.players, is_reduced,
        aliases and aliases.lines, stored_entries=stored_entries,
    )  # fmt: skip


def warn_of_list(lists: ListFiles, imported: ImportedList, reporter: Reporter) -> None:
    """Warn of skipped entries of the rating list and of a doubtful month."""
    if imported.skipped:
        reporter.warn(
            f"{lists.fide}: skipped "
            f"{counted(imported.skipped, 'unreadable entry', 'unreadable entries')}, the first at "
            f"{imported.first_skipped}"
        )
    if imported.repeated:
        reporter.warn(
            f"{lists.fide}: skipped {counted(imported.repeated, 'entry', 'entries')} with the FIDE "
            "ID of an earlier entry"
        )
    month, source = lists.month or imported.month, imported.month_source
    period = imported.newest_period
    if month is None or period is None or abs(_months(month) - _months(period)) <= 1:
        return
    reporter.warn(
        f"{lists.fide}: {'--list-month' if lists.month else source} says {month}, but the newest "
        f"rating period in the list is {period}; {month} is used, and --list-month sets another"
    )


def _months(month: str) -> int:
    return 12 * int(month[:4]) + int(month[5:])


def undo_players(path: str, reporter: Reporter) -> int:
    """Undo the last run, but no later step, and keep the lists; return the number of games.

    Raises UsageError if there is none.
    """
    with _open_ours(path):
        since = last_of(path, PLAYERS, _INDEPENDENT)
    from ocgdedup.pipeline.check.game_values import renew_hashes_of  # 11 ms

    with (
        state_before(path, since) as old,
        open_database(path, writable=True) as database,
        store_errors(path, "nothing was changed"),
        old_state(database.connection, old),
    ):
        connection = database.connection
        with transaction(connection, _UNDO) as change, result_changes(connection):
            require_last(connection, path, since)
            restored = decided_names.undo_players(connection)
            for table in GAME_TABLES:
                renew_hashes_of(connection, table, None)
            settle_corrections(connection)
            change.words = f"run of step {since[0].number} undone"
            return restored


def explain_stored(path: str, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield lines for each name that explain which player it means by the lists in a database."""
    with _open_ours(path) as database, store_errors(path, "cannot be read"):
        _require_players(database.connection, path)
        explain = _EXPLAINERS[game_kind(database.connection)]
        texts = decoded(names)
        for name, lines in zip(texts, explain(database.connection, texts), strict=True):
            yield [*lines, *decisions_about(database.connection, name)]


_EXPLAINERS = {CHESS: answers.explain, GO: explain_go}


def explain_by_lists(
    names: Sequence[str], lists: ListFiles, reporter: Reporter
) -> Iterator[list[str]]:
    """Yield the lines of explain_stored() for lists without a database."""
    check_lists(lists)
    yield from answers.explain_with_lists(
        decoded(names), fide_path=lists.fide or "", aliases_path=lists.aliases, reporter=reporter
    )


def resolve_file(
    names_path: str, output: str, lists: ListFiles, reporter: Reporter, *, force: bool = False
) -> ResolvedNames:
    """Look up the names of a file, one per line; write five fields for each, in order.

    Fields, separated by tabs: name, FIDE ID or nothing, canonical name or nothing, stage, score
    with 3 decimals. "-" is standard input or output. Raises UsageError if the output exists.
    """
    if output != STANDARD_STREAM:
        _check_output(output, [names_path, *lists.paths()], force=force)
        check_name(output, TSV)
    check_lists(lists)
    names = _read_names(names_path)
    if output == STANDARD_STREAM:
        with outputs.standard_output() as stream:
            return _write_resolved(names, lists, stream, reporter)
    with outputs.new_file(output, may_replace=force) as handle:
        return _write_resolved(names, lists, handle, reporter)


def _write_resolved(
    names: Sequence[str], lists: ListFiles, handle: BinaryIO, reporter: Reporter
) -> ResolvedNames:
    resolved = with_fide_id = 0
    by_stage: Counter[str] = Counter()
    resolved_names = answers.resolve_names(
        names, fide_path=lists.fide or "", aliases_path=lists.aliases, reporter=reporter
    )
    for name, fide_id, canonical, stage, score in resolved_names:
        fields = (name, "" if fide_id is None else str(fide_id), canonical.translate(_BLANKS))
        handle.write(f"{chr(9).join(fields)}\t{stage}\t{score:.3f}\n".encode())
        with_fide_id += fide_id is not None
        if canonical:
            resolved += 1
            by_stage[stage] += 1
    handle.flush()
    return ResolvedNames(len(names), resolved, with_fide_id, by_stage)


def _read_names(path: str) -> list[str]:
    if path == STANDARD_STREAM:
        if sys.stdin is None:
            raise UsageError("standard input: is closed; name a file with the names")
        raw = sys.stdin.buffer.read()
    else:
        refuse_address(path)
        with open(path, "rb") as handle:
            raw = handle.read()
    if raw.startswith(_UTF16_MARKS):
        raise UsageError(f"{path}: is UTF-16; save it as UTF-8")
    lines = raw.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    if not lines[-1]:
        lines.pop()  # after the last line end
    return [_decode(line.removesuffix(b"\r")).translate(_BLANKS) for line in lines]


def decoded(names: Iterable[str]) -> list[str]:
    """Decode names of the command line, which need not be UTF-8."""
    return [_decode(os.fsencode(name)) for name in names]


def _decode(raw: bytes) -> str:
    """Decode UTF-8, or else windows-1252, which contains most of Latin-1."""
    for charset in ("utf-8", "windows-1252"):
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def _write_report(connection: apsw.Connection, path: str, *, may_replace: bool) -> None:
    with outputs.new_file(path, may_replace=may_replace) as handle:
        resolved = ((*row, None, None) for row in players.merges(connection))
        without_player = (
            (row.name, row.games, None, None, "unresolved", None, None, row.reason, row.candidates,
             row.decided_by)
            for row in unresolved.unresolved_names(connection)
        )  # fmt: skip
        lines = table_lines(REPORT_COLUMNS, chain(resolved, without_player), delimiter=",")
        handle.writelines(f"{line}\r\n".encode() for line in lines)


def _check_output(path: str, inputs: Sequence[str], *, force: bool) -> None:
    outputs.check_outputs([path], inputs)
    outputs.check_free(path, force=force)


def _open_ours(path: str, *, writable: bool = False) -> Database:
    database = open_database(path, writable=writable)
    try:
        require_ours(database)
    except UsageError:
        database.close()
        raise
    return database
