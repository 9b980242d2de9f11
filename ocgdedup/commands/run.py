"""run: from PGN files to a clean PGN file: load, players, duplicates, export; only what is new.

Each phase is a transaction of its own, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import contextlib
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
    holds_something,
    reading,
    writing,
)
from ocgdedup.commands.publication import is_unpublished
from ocgdedup.errors import UsageError
from ocgdedup.files.decompress import refuse_address
from ocgdedup.files.inputs import list_inputs
from ocgdedup.model import ListFiles, Reporter
from ocgdedup.pipeline.export.text_form import CLEAN
from ocgdedup.pipeline.search.named_options import NamedOptions
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store.fide_players import has_fide_list
from ocgdedup.store.names import PLAYERS_STATE, read_state
from ocgdedup.store.overview import SourceCounts, sum_up_sources
from ocgdedup.tables.formats import TEXT_FORMATS, check_name

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult


class RunRequest(NamedTuple):
    """What the user asked for; without `inputs` the database is taken as it is.

    `options` and `defaults` of the search: see DedupRequest. `write_report` writes `report_path`,
    as DedupRequest has it. `canonical_names`: see
    TextForm; None: if a FIDE list was loaded.
    """

    database: str
    inputs: Sequence[str]
    output: str
    duplicates: str | None = None
    lists: ListFiles = ListFiles()
    canonical_names: bool | None = None
    options: NamedOptions = NamedOptions()
    defaults: bool = False
    report_path: str | None = None
    write_report: ReportWriter | None = None
    rejects_path: str | None = None
    resources: Resources = Resources()
    force: bool = False

    def report(self) -> list[str]:
        """Return the file of the report, if there is one."""
        return [] if self.report_path is None else [self.report_path]

    def games(self) -> list[str]:
        """Return the files of games, standard output apart."""
        return [path for path in (self.output, self.duplicates) if path not in (None, "-")]


class RunResult(NamedTuple):
    """What each phase did, None where there was nothing to do; `elapsed_s` by phase.

    `sources`: what became of the games of each input file, earlier ones too.
    """

    loaded: CreateResult | None
    players: PlayersResult | None
    duplicates: DedupResult
    written: ExportResult
    sources: Sequence[SourceCounts]
    elapsed_s: dict[str, float]


def run(request: RunRequest, reporter: Reporter) -> RunResult:
    """Do what is new of each phase; what an earlier phase did stays if a later one fails.

    Raises UsageError, before any work, for an output that is there and that no run wrote.
    """
    _check(request)
    clock = _Clock()
    loaded = players = None
    if request.inputs:
        with clock.phase("load"):
            loaded = create(_create_request(request), reporter)
    _check_endings(request)  # of a database that is new
    if _wants_players(request):
        with clock.phase("players"):
            players = _players(request, reporter)
    with clock.phase("duplicates"):
        search_result = _find(request, reporter)
    _check_replaceable(request, request.games())  # some may have come since
    # Until the files are noted, their records tell a killed run that they are its own.
    with (
        clock.phase("export"),
        contextlib.ExitStack() as noted,
        writing(request.database, request.games()),
    ):
        written = _export(request, noted, reporter)
    with reading(request.database) as database:
        sources = sum_up_sources(database.connection)
    return RunResult(loaded, players, search_result, written, sources, clock.elapsed_s)


class _Clock:
    """Seconds that each phase took."""

    def __init__(self) -> None:
        self.elapsed_s: dict[str, float] = {}

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.elapsed_s[name] = time.monotonic() - began


def _check(request: RunRequest) -> None:
    """Refuse at once whatever would fail in the end, or overwrite what is not ours."""
    refuse_address(request.resources.temp_folder or "", is_output=True)
    files = [file.path_as_given for file in list_inputs(request.inputs)]
    lists = request.lists.paths()
    outputs = [*request.games(), *request.report()]
    rejects = reject_paths(_create_request(request))
    check_outputs([*rejects, *outputs], [*files, *lists], database=request.database)
    check_names(files, request.games())
    for path in request.games():
        check_name(path, *TEXT_FORMATS, is_packed=True)
    if not holds_something(request.database) and not request.inputs:
        raise UsageError(
            f"{request.database}: there is no such database; name input files to create it"
        )
    if lists:
        from ocgdedup.commands.players import check_lists  # its imports take long

        check_lists(request.lists)
    if holds_something(request.database):
        _check_endings(request)
    _check_replaceable(request, outputs)


def _check_endings(request: RunRequest) -> None:
    """Refuse an output whose name says that it has the other kind of games."""
    with reading(request.database) as database:
        check_endings(database, request.games())


def _check_replaceable(request: RunRequest, outputs: Sequence[str]) -> None:
    if request.force:
        return
    database = request.database if holds_something(request.database) else None
    if database is not None:
        outputs = [path for path in outputs if not is_unpublished(database, path)]
    check_replaceable(database, outputs)


def _create_request(request: RunRequest) -> CreateRequest:
    is_there = holds_something(request.database)
    return CreateRequest(
        request.database,
        request.inputs,
        append=is_there,
        force=request.force and not is_there,  # a stale file of rejects, not the database
        jobs=request.resources.jobs,
        rejects_path=request.rejects_path,
        only_new=True,
    )


def _wants_players(request: RunRequest) -> bool:
    """Tell if names are to be looked up: with a list, or if that was done before."""
    if request.lists.paths():
        return True
    with reading(request.database) as database:
        return read_state(database.connection, PLAYERS_STATE) is not None


def _players(request: RunRequest, reporter: Reporter) -> PlayersResult:
    from ocgdedup.commands.players import PlayersRequest, consolidate_players

    return consolidate_players(
        PlayersRequest(request.database, request.lists, dedup_follows=True), reporter
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


def _export(request: RunRequest, noted: contextlib.ExitStack, reporter: Reporter) -> ExportResult:
    canonical = request.canonical_names
    if canonical is None:
        with reading(request.database) as database:
            canonical = has_fide_list(database.connection)
    # What is there was found to be ours, or --force was given.
    return export(
        ExportRequest(
            request.database,
            request.output,
            request.duplicates,
            form=CLEAN._replace(canonical_names=canonical),
            force=True,
        ),
        reporter,
        noted,
    )
