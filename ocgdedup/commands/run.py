"""run: load files, consolidate players, find duplicates, export; each time only what is new.

Each phase is a transaction of its own, so a stopped run continues after the last complete phase.
"""

from __future__ import annotations

import contextlib
import shlex
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ocgdedup.commands.create import CreateRequest, CreateResult, create, reject_paths
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest, DedupResult, ReportWriter
from ocgdedup.commands.export import ExportRequest, ExportResult, export
from ocgdedup.commands.kind_checks import check_endings, check_names
from ocgdedup.commands.outputs import (
    check_outputs,
    check_replaceable,
    has_content,
    reading,
    reopen_killed_run,
    writing,
)
from ocgdedup.commands.publication import is_unpublished
from ocgdedup.commands.tidy import TidySteps, check_kind, tidy
from ocgdedup.errors import OcgdedupError, UsageError, one_command
from ocgdedup.files.decompress import refuse_address
from ocgdedup.files.inputs import list_inputs
from ocgdedup.game_kind import CHESS
from ocgdedup.model import ListFiles, Reporter, SilentReporter
from ocgdedup.pipeline.export.text_form import CLEAN, TextForm
from ocgdedup.pipeline.search.named_options import NamedOptions
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.pipeline.tidy.openings import MISSING
from ocgdedup.pipeline.tidy.steps import TidiedTag
from ocgdedup.store.connection import Database
from ocgdedup.store.loads import first_new_game
from ocgdedup.store.names import game_kind
from ocgdedup.store.reports import SourceCounts, count_rows_if_present, sum_up_sources
from ocgdedup.store.selection import Selection
from ocgdedup.tables.formats import STDOUT_ARGUMENT, TEXT_FORMATS, check_name

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult


_SHOWN_IDS = 10


class RunRequest(NamedTuple):
    """A request of the user; without `inputs`, nothing is loaded.

    `output`: the clean file, None to write none. `new_games`: the file for the kept games among
    those that this run, and earlier runs that did not finish, imported. `options`, `defaults`,
    `write_report`: see DedupRequest. `form`: of the games. `tidy_steps`: None for the ECO codes
    that are missing.
    """

    database: str
    inputs: Sequence[str]
    output: str | None
    duplicates: str | None = None
    new_games: str | None = None
    lists: ListFiles = ListFiles()
    form: TextForm = CLEAN._replace(ids=True)
    options: NamedOptions = NamedOptions()
    defaults: bool = False
    tidy_steps: TidySteps | None = None
    report_path: str | None = None
    write_report: ReportWriter | None = None
    rejects_path: str | None = None
    resources: Resources = Resources()
    force: bool = False

    def game_outputs(self) -> list[str]:
        """Return the outputs of games, "-" for standard output."""
        outputs = (self.output, self.duplicates, self.new_games)
        return [path for path in outputs if path is not None]

    def game_files(self) -> list[str]:
        """Return the output files of games."""
        return [path for path in self.game_outputs() if path != STDOUT_ARGUMENT]


class RunResult(NamedTuple):
    """The results of the phases, None for a skipped phase; `elapsed_s` by phase.

    `tidied`: what the steps of tidying changed. `sources`: counts for each input file; the first
    `earlier_sources` were imported before. `new_games`: written as such.
    """

    loaded: CreateResult | None
    players: PlayersResult | None
    duplicates: DedupResult
    written: ExportResult
    sources: Sequence[SourceCounts]
    elapsed_s: dict[str, float]
    earlier_sources: int = 0
    tidied: Sequence[TidiedTag] = ()
    new_games: int = 0


def run(request: RunRequest, reporter: Reporter) -> RunResult:
    """Run the phases on what is new; if a phase fails, the changes of the earlier ones stay.

    Raises UsageError, before any work, for an existing output that no run wrote.
    """
    with one_command():
        return _run(request, reporter)


def _run(request: RunRequest, reporter: Reporter) -> RunResult:
    _check(request)
    elapsed_s: dict[str, float] = {}

    @contextlib.contextmanager
    def timed(phase: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        elapsed_s[phase] = time.monotonic() - began

    earlier_sources = 0
    if has_content(request.database):
        with reading(request.database) as database:
            earlier_sources = count_rows_if_present(database.connection, "Sources") or 0
    reopen_killed_run(request.database, request.game_files())
    loaded = None
    if request.inputs:
        with timed("load"):
            loaded = create(_create_request(request), reporter)
    _check_kind(request)  # now that the database has games
    with timed("players"):
        from ocgdedup.commands.players import PlayersRequest, consolidate_players  # 57 ms

        asked = PlayersRequest(request.database, request.lists, dedup_follows=True)
        players = consolidate_players(asked, reporter)
    with timed("duplicates"):
        search_result = _find(request, reporter)
        tidied = _tidy(request, reporter)
    _check_replaceable(request, request.game_files())  # again: files may have changed since
    # If the run is killed before the files are noted, their records tell that it wrote them.
    with (
        timed("export"),
        contextlib.ExitStack() as noted,
        writing(request.database, request.game_files()),
    ):
        written, new_games = _export(request, noted, reporter)
    with reading(request.database) as database:
        sources = sum_up_sources(database.connection)
    return RunResult(
        loaded, players, search_result, written, sources, elapsed_s, earlier_sources, tidied,
        new_games,
    )  # fmt: skip


def _check(request: RunRequest) -> None:
    """Raise UsageError, before any work, for a request that would fail or lose a file."""
    refuse_address(request.resources.temp_folder or "", is_output=True)
    files = [file.path_as_given for file in list_inputs(request.inputs)]
    if request.game_outputs().count(STDOUT_ARGUMENT) > 1:
        raise UsageError("run: only one of the files of games can be standard output")
    lists = request.lists.paths()
    outputs = request.game_files()
    if request.report_path is not None:
        outputs.append(request.report_path)
    rejects = reject_paths(_create_request(request))
    check_outputs([*rejects, *outputs], [*files, *lists], database=request.database)
    check_names(files, request.game_files())
    for path in request.game_files():
        check_name(path, *TEXT_FORMATS, is_packed=True)
    if not has_content(request.database) and not request.inputs:
        raise UsageError(
            f"{request.database}: there is no such database; name input files to create it"
        )
    if lists:
        from ocgdedup.commands.players import check_lists  # 58 ms

        check_lists(request.lists)
    if has_content(request.database):
        _check_kind(request)
    _check_replaceable(request, outputs)


def _check_kind(request: RunRequest) -> None:
    with reading(request.database) as database:
        check_endings(database, request.game_files())
        if request.tidy_steps is not None:
            check_kind(database, request.tidy_steps)


def _tidy(request: RunRequest, reporter: Reporter) -> list[TidiedTag]:
    steps = request.tidy_steps
    if steps is None:
        with reading(request.database) as database:
            is_chess = game_kind(database.connection) is CHESS
        steps = TidySteps(eco=MISSING if is_chess else None)
    return tidy(request.database, steps, reporter) if any(steps) else []


def _check_replaceable(request: RunRequest, outputs: Sequence[str]) -> None:
    if request.force:
        return
    database = request.database if has_content(request.database) else None
    if database is not None:
        outputs = [path for path in outputs if not is_unpublished(database, path)]
    check_replaceable(database, outputs, lambda opened, path: _edits_in(request, opened, path))


def _edits_in(request: RunRequest, database: Database, path: str) -> str:
    """Return the end of a message: the games that the user changed in an output, and the remedy."""
    overwrite = "overwrite it with --force"
    if path not in request.game_files() or game_kind(database.connection) is not CHESS:
        return f"; move it away, name another file, or {overwrite}"
    from ocgdedup.pipeline.corrections.edited_games import differing_games  # 30 ms

    taken_in = f"'ocgdedup edit {shlex.quote(request.database)} --from {shlex.quote(path)}'"
    try:
        ids = differing_games(database, path, SilentReporter())
    except OcgdedupError as error:
        return f" ({error}); correct it and take the changes in with {taken_in}, or {overwrite}"
    if not ids:
        return (
            f"; no change of a game of the database was found; take the file in with {taken_in}, "
            f"import new games with 'ocgdedup create --append', or {overwrite}"
        )
    shown = ", ".join(map(str, ids[:_SHOWN_IDS]))
    more = f" and {len(ids) - _SHOWN_IDS:,} more" if len(ids) > _SHOWN_IDS else ""
    games = "game" if len(ids) == 1 else "games"
    return f": {games} {shown}{more}; take the changes in with {taken_in}, or {overwrite}"


def _create_request(request: RunRequest) -> CreateRequest:
    appends = has_content(request.database)
    return CreateRequest(
        request.database,
        request.inputs,
        append=appends,
        force=request.force and not appends,  # replaces a stale reject file
        jobs=request.resources.jobs,
        rejects_path=request.rejects_path,
        only_new=True,
        other_files=request.lists.paths(),
        is_part_of_run=True,
    )


def _find(request: RunRequest, reporter: Reporter) -> DedupResult:
    return dedup(
        DedupRequest(
            request.database,
            request.options,
            request.defaults,
            write_report=request.write_report,
            with_players=False,
            is_part_of_run=True,
            resources=request.resources,
        ),
        may_upgrade=lambda _: False,
        reporter=reporter,
    )


def _export(
    request: RunRequest, noted: contextlib.ExitStack, reporter: Reporter
) -> tuple[ExportResult, int]:
    """Write the files of games; return the result, and the number of games written as new."""
    # force: _check_replaceable() has checked the outputs.
    of_all = ExportRequest(
        request.database, request.output, request.duplicates, form=request.form, force=True
    )
    written, new_games = ExportResult(), 0
    if request.output is not None or request.duplicates is not None:
        written = export(of_all, reporter, noted)
    if request.new_games is not None:
        with reading(request.database) as database:
            first_id = first_new_game(database.connection)
        is_new = Selection(where="FALSE" if first_id is None else f"ID >= {first_id}")
        of_new = of_all._replace(output=request.new_games, duplicates=None, selection=is_new)
        new_games = export(of_new, reporter, noted).games
    return written, new_games
