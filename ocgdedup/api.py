"""The Python interface: the commands as functions, and the games of a database as objects.

`import ocgdedup` exports all of it. The functions run the same code as the command line, with the
same defaults; calls share no state. Warnings are OcgdedupWarning of the module `warnings`, unless
you pass a Reporter. Errors are subclasses of OcgdedupError.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import chess.pgn

from ocgdedup import sql_functions
from ocgdedup.commands import outputs
from ocgdedup.commands.check import CheckResult, check_database
from ocgdedup.commands.compare import CompareRequest, CompareResult
from ocgdedup.commands.compare import compare as _compare
from ocgdedup.commands.create import CreateRequest, CreateResult
from ocgdedup.commands.create import create as _create
from ocgdedup.commands.dedup import dedup as _dedup
from ocgdedup.commands.dedup_explain import explain_merge, explain_pair
from ocgdedup.commands.dedup_search import DedupRequest, DedupResult, ReportWriter
from ocgdedup.commands.dedup_undo import undo_dedup
from ocgdedup.commands.delete import ChangedGames, DeleteRequest
from ocgdedup.commands.delete import delete as _delete
from ocgdedup.commands.delete import restore as _restore
from ocgdedup.commands.edit import EditRequest, EditResult
from ocgdedup.commands.edit import edit as _edit
from ocgdedup.commands.export import ExportRequest, ExportResult
from ocgdedup.commands.export import export as _export
from ocgdedup.commands.find import opened_search
from ocgdedup.commands.history import read_history, redo_step, undo_steps
from ocgdedup.commands.info import FileInfo, read_info
from ocgdedup.commands.kind_checks import check_chess_options
from ocgdedup.commands.players import (
    PlayersRequest,
    PlayersResult,
    consolidate_players,
    undo_players,
)
from ocgdedup.commands.review import decide_all
from ocgdedup.commands.run import RunRequest, RunResult
from ocgdedup.commands.run import run as _run
from ocgdedup.commands.tidy import TidySteps, read_steps
from ocgdedup.commands.tidy import tidy as _tidy
from ocgdedup.deprecated import accept_old_arguments, add_old_names, renamed_class, warn_caller
from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.matching.evidence import ACCURACIES
from ocgdedup.model import GivenDecision, IngestSummary, ListFiles, Reporter
from ocgdedup.notebook import GameRows, NotebookGame, PairView
from ocgdedup.pgn.strip import AnnotationFilter as AnnotationFilter
from ocgdedup.pipeline.check.findings import Finding
from ocgdedup.pipeline.export.emit import pgn_of_games
from ocgdedup.pipeline.export.select import criteria_of
from ocgdedup.pipeline.export.tables import TableReader
from ocgdedup.pipeline.export.text_form import CLEAN, TextForm
from ocgdedup.pipeline.find.games import FindRequest, FoundGame
from ocgdedup.pipeline.players.persons import PlayersSummary
from ocgdedup.pipeline.search.groups import Resolved, ResolveOptions
from ocgdedup.pipeline.search.named_options import NamedOptions, last_options
from ocgdedup.pipeline.search.overview import reported_pairs
from ocgdedup.pipeline.search.pairs import games_of, pairs_of
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.pipeline.tidy.steps import TidiedTag
from ocgdedup.reports.correction_files import read_corrections
from ocgdedup.reports.decision_files import one_decision
from ocgdedup.reports.pair_files import PAIRS, pair_columns
from ocgdedup.reports.report_file import report_kind, write_report
from ocgdedup.store import database as store
from ocgdedup.store import games as stored_games
from ocgdedup.store.connection import one_state
from ocgdedup.store.duplicates import stored_groups
from ocgdedup.store.history import Step
from ocgdedup.store.names import game_kind
from ocgdedup.store.possible_duplicates import (
    DIFFERENT,
    SAME,
    PossiblePair,
    stored_possible_duplicates,
)
from ocgdedup.store.reports import DuplicateState
from ocgdedup.store.selection import Selection, id_lists, selected_games
from ocgdedup.tables.columns import GAMES_OF_KIND, Columns
from ocgdedup.tables.formats import TEXT_FORMATS, named_format

__all__ = [
    "AnnotationFilter", "ChangedGames", "CheckResult", "CompareResult", "CreateResult",
    "DedupResult", "EditResult", "ExportResult", "FileInfo", "FoundGame", "GameDatabase",
    "MoveArrays", "OcgdedupWarning", "PlayersResult", "ResolveOptions", "RunResult", "Selection",
    "TextForm", "TidiedTag", "check", "compare", "create", "decide", "dedup", "delete", "edit",
    "explain", "export", "find", "history", "info", "open", "players", "redo", "report", "restore",
    "review", "run", "tidy", "undo",
]  # fmt: skip

add_old_names(
    CheckResult, DedupResult, DuplicateState, ExportResult, FileInfo, Finding, FoundGame,
    IngestSummary, NamedOptions, PlayersSummary, Resolved, Selection, PossiblePair,
)  # fmt: skip
accept_old_arguments(Selection)
Path = str | os.PathLike[str]
_NEW_GAME = functools.partial(chess.pgn.GameBuilder, Game=NotebookGame)
_UNIQUE = Selection()  # all games that are not flagged as duplicates


class OcgdedupWarning(UserWarning):
    """A warning that a command would print."""


class WarningReporter:
    """Turns warnings of a command into Python warnings; shows no progress."""

    def start(self, *_: Any, **__: Any) -> None: ...
    def advance(self, *_: Any, **__: Any) -> None: ...
    def finish(self) -> None: ...

    def warn(self, message: str) -> None:
        warn_caller(message, OcgdedupWarning)


class MoveArrays(NamedTuple):
    """Moves of several games, end to end.

    `ids`: IDs of the games (int64); `moves`: 2-byte moves (uint16, docs/file-format.md); `starts`:
    the index in `moves` at which each game begins, then the length of `moves` (int64).
    numpy.frombuffer() reads each array without copying it.
    """

    ids: array[int]
    starts: array[int]
    moves: array[int]


class GameDatabase:
    """The games of a database, for reading; `with ocgdedup.open(path) as database:` closes it.

    The default selection is all games that are not flagged as duplicates, by ID.
    """

    def __init__(self, path: Path) -> None:
        self._database = store.open_database(os.fspath(path))
        self._has_functions = False

    def __enter__(self) -> GameDatabase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @property
    def path(self) -> str:
        """The path of the file, as it was given."""
        return self._database.path

    def __len__(self) -> int:
        """Return the number of games, including duplicates."""
        return stored_games.count_games(self._database.connection)

    @property
    def is_go(self) -> bool:
        """Whether the games are Go games, not chess games."""
        return self._kind.is_go

    @property
    def _kind(self) -> GameKind:
        return game_kind(self._database.connection)

    def moves(self, game_id: int) -> list[str]:
        """Return the mainline of a game as SAN, of a Go game as SGF ("B[pd]").

        Raises KeyError for an unknown ID.
        """
        try:
            with self._reading():
                (game,) = games_of(self._database, [game_id])
        except UsageError as error:
            raise KeyError(game_id) from error
        return game.texts

    def game(self, game_id: int) -> chess.pgn.Game:
        """Return a game with its comments, NAGs and variations.

        Raises KeyError for an unknown ID, UsageError for a Go game.
        """
        self._require_chess()
        return _parsed(self.pgn(game_id))

    def pgn(self, game_id: int) -> str:
        """Return a game as PGN (Go: SGF); raise KeyError for an unknown ID."""
        with self._reading():
            (text,) = pgn_of_games(self._database, [game_id])
        if text is None:
            raise KeyError(game_id)
        return text.decode()

    def games(self, selection: Selection = _UNIQUE) -> Games:
        """Return games to iterate over, or to convert to an Arrow table or a data frame."""
        return Games(self, selection)

    def pairs(self) -> GameRows:
        """Return each duplicate with its kept game, then the possible duplicates, as a table.

        docs/report.md explains the columns, with the score and each of its terms.
        """

        def read() -> Iterator[Columns]:
            with self._reading():
                connection = self._database.connection
                search = last_options(connection).search()
                yield from pair_columns(reported_pairs(connection, search))

        return GameRows(PAIRS, read)

    def pair(self, first: int, second: int) -> PairView:
        """Return two games to show side by side in a notebook; raise KeyError for an unknown ID."""
        try:
            with self._reading():
                (shown,) = pairs_of(self._database, [(first, second)])
        except UsageError as error:
            raise KeyError((first, second)) from error
        return PairView(shown)

    def _read_games(self, selection: Selection) -> Iterator[tuple[int, chess.pgn.Game]]:
        """Yield IDs and games, as game() returns them."""
        self._require_chess()
        with self._reading():
            for ids in self._chosen(selection):
                for game_id, text in zip(ids, pgn_of_games(self._database, ids), strict=True):
                    if text is not None:
                        yield game_id, _parsed(text.decode())

    def rows(self, selection: Selection = _UNIQUE) -> Iterator[dict[str, Any]]:
        """Yield each game as a dictionary; docs/tables.md explains the columns of chess and Go."""
        for columns in self.columns(selection):
            for values in zip(*columns.values(), strict=True):
                yield dict(zip(columns, values, strict=True))

    def columns(self, selection: Selection = _UNIQUE) -> Iterator[dict[str, Sequence[Any]]]:
        """Yield batches of games, as one sequence for each column of rows()."""
        with self._reading():
            reader = TableReader(self._database)
            for values in reader.games(self._chosen(selection)):
                yield dict(zip(reader.games_table.column_names, values, strict=True))

    def move_arrays(self, selection: Selection = _UNIQUE) -> Iterator[MoveArrays]:
        """Yield the moves of batches of games."""
        with self._reading():
            for chosen in self._chosen(selection):
                ids, starts, moves = array("q"), array("q", [0]), array("H")
                for game_id, blob in stored_games.move_blobs(self._database.connection, chosen):
                    ids.append(game_id)
                    moves.frombytes(blob or b"")
                    starts.append(len(moves))
                if sys.byteorder == "big":
                    moves.byteswap()
                yield MoveArrays(ids, starts, moves)

    def groups(self) -> Iterator[list[int]]:
        """Yield the IDs of each duplicate group, the kept game first."""
        with self._reading():
            yield from stored_groups(self._database.connection)

    def possible_duplicates(self) -> Iterator[PossiblePair]:
        """Yield the possible duplicates, including pairs that the user has decided."""
        with self._reading():
            yield from stored_possible_duplicates(self._database.connection)

    def execute(self, sql: str, bindings: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT, which may call the functions of ocgdedup.sql_functions.

        schema/README.md explains the tables.
        """
        if not self._has_functions:
            sql_functions.register(self._database.connection)
            self._has_functions = True
        return store.select_rows(self._database, sql, bindings)

    def _reading(self) -> contextlib.AbstractContextManager[None]:
        """Turn the error of an invalid stored value into a StoreError."""
        return store.store_errors(self.path, "cannot be read")

    def _require_chess(self) -> None:
        if self._kind is not CHESS:
            raise UsageError(
                f"{self.path}: holds Go games, which python-chess cannot represent; use "
                "pgn(), which returns SGF, moves(), rows(), columns() or move_arrays()"
            )

    def _chosen(self, selection: Selection) -> Iterator[list[int]]:
        check_chess_options(self._database, selection)
        criteria = criteria_of(self._database, selection, WarningReporter())
        return id_lists(selected_games(self._database.connection, criteria).ids)


add_old_names(GameDatabase)


class Games(GameRows):
    """Games of a selection; iterating yields the ID and a chess.pgn.Game."""

    def __init__(self, database: GameDatabase, selection: Selection) -> None:
        self._database = database
        self._selection = selection
        super().__init__(GAMES_OF_KIND[database._kind], self._columns)

    def __iter__(self) -> Iterator[tuple[int, chess.pgn.Game]]:
        return self._database._read_games(self._selection)

    def _columns(self) -> Iterator[Columns]:
        for columns in self._database.columns(self._selection):
            yield list(columns.values())


def _parsed(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text), Visitor=_NEW_GAME)
    assert game is not None, "each text is that of one game"
    return game


def __getattr__(name: str) -> Any:
    return globals()[renamed_class(name)]


def open(path: Path) -> GameDatabase:
    """Open a database of ours, or of OCGDB, for reading.

    Raises UsageError if there is none, StoreError if the file is something else.
    """
    return GameDatabase(path)


# --- the commands ---------------------------------------------------------------------------------


def create(
    database: Path,
    inputs: Path | Iterable[Path],
    *,
    append: bool = False,
    force: bool = False,
    only_new: bool = False,
    again: bool = False,
    jobs: int = 1,
    no_index: bool = False,
    index_records: bool = False,
    signatures: bool = False,
    rejects: Path | None = None,
    report: Path | None = None,
    fide_xml: Path | None = None,
    aliases: Path | None = None,
    list_month: str | None = None,
    replace_list: bool = False,
    reporter: Reporter | None = None,
) -> CreateResult:
    """Read games into a database, as the command create does; options have its names."""
    request = CreateRequest(
        os.fspath(database), _paths(inputs), append=append, force=force, jobs=jobs,
        with_indexes=not no_index, index_records=index_records, rejects_path=_path(rejects),
        report_path=_path(report), lists=_lists(fide_xml, aliases, list_month, replace_list),
        only_new=only_new, signatures=signatures,
        again=again,
    )  # fmt: skip
    return _create(request, reporter or WarningReporter())


def players(
    database: Path,
    fide_xml: Path | None = None,
    aliases: Path | None = None,
    *,
    list_month: str | None = None,
    replace_list: bool = False,
    report: Path | None = None,
    force: bool = False,
    again: bool = False,
    fill: bool | None = None,
    store_list: bool | None = None,
    reporter: Reporter | None = None,
) -> PlayersResult:
    """Find out who played, as the command players does.

    `fill`: fill in FIDE IDs, titles and Elos; `store_list`: keep the FIDE list whole, not only the
    players of the games; None: as last time.
    """
    lists = _lists(fide_xml, aliases, list_month, replace_list)
    request = PlayersRequest(
        os.fspath(database), lists, report_path=_path(report), force=force, again=again,
        back_fill=fill, store_list=store_list,
    )  # fmt: skip
    return consolidate_players(request, reporter or WarningReporter())


def dedup(
    database: Path,
    *,
    accuracy: str | None = None,
    resolve: ResolveOptions | None = None,
    defaults: bool = False,
    dry_run: bool = False,
    full: bool = False,
    delete: bool = False,
    purge: bool = False,
    min_header_quality: int = 0,
    report: Path | None = None,
    force: bool = False,
    no_players: bool = False,
    fide_xml: Path | None = None,
    aliases: Path | None = None,
    list_month: str | None = None,
    replace_list: bool = False,
    jobs: int = 1,
    memory: int | None = None,
    temp_dir: Path | None = None,
    no_search_file: bool = False,
    reporter: Reporter | None = None,
) -> DedupResult:
    """Find duplicates and flag them, as the command dedup does; options have its names.

    `accuracy`: the gates of near-identical games, "strict", "normal" or "tolerant". `accuracy` and
    `resolve` that are None have the values of the last search, unless `defaults`. `memory`: bytes.
    `report`: file of all pairs, in the format that its name ends in (report_file.KINDS).
    """
    request = DedupRequest(
        os.fspath(database), _named_options(accuracy, resolve), defaults=defaults,
        dry_run=dry_run, full=full, delete=delete, purge=purge,
        min_header_quality=min_header_quality,
        write_report=_report_writer(report, database, force=force),
        with_players=not no_players, lists=_lists(fide_xml, aliases, list_month, replace_list),
        force=force,
        resources=Resources(jobs, memory, _path(temp_dir), not no_search_file),
    )  # fmt: skip
    return _dedup(request, may_upgrade=lambda _: False, reporter=reporter or WarningReporter())


def history(database: Path) -> list[Step]:
    """Return what was done to a database, the last step first."""
    return read_history(os.fspath(database)).steps


def undo(
    database: Path,
    number: int | None = None,
    *,
    only: Literal["dedup", "players"] | None = None,
    reporter: Reporter | None = None,
) -> list[Step]:
    """Undo the last step, or all steps after `number`; return them, the last one first.

    `only`: undo the last run of this command, and keep later steps that do not depend on it. Raises
    UsageError if there is nothing to undo, or if a step cannot be undone.
    """
    path = os.fspath(database)
    if only is None:
        return undo_steps(path, number)
    done = [step for step in history(path) if only in step.kinds][:1]
    if only == "players":
        undo_players(path, reporter or WarningReporter())
    elif undo_dedup(path, reporter or WarningReporter()) is None:
        raise UsageError(f"{path}: nothing to undo: dedup has not changed this database")
    return done


def redo(database: Path) -> Step:
    """Redo the step that was undone last; return it. Raises UsageError if there is none."""
    return redo_step(os.fspath(database))


def export(
    database: Path,
    output: Path,
    *,
    duplicates: Path | None = None,
    selection: Selection = _UNIQUE,
    form: TextForm = CLEAN,
    split: int = 0,
    force: bool = False,
    format: str | None = None,
    keep_evp: bool = False,
    tree: int = 0,
    min_games: int = 0,
    reporter: Reporter | None = None,
) -> ExportResult:
    """Write games as PGN or SGF, as the command export does; options have its names.

    `form`: line width, what to leave out, which names to write.
    """
    request = ExportRequest(
        os.fspath(database), os.fspath(output), duplicates=_path(duplicates), selection=selection,
        form=form, split=split, force=force, format=format, keep_evp=keep_evp,
        tree=tree, min_games=min_games,
    )  # fmt: skip
    return _export(request, reporter or WarningReporter())


def run(
    database: Path,
    inputs: Path | Iterable[Path],
    output: Path | None = None,
    *,
    new_games: Path | None = None,
    duplicates: Path | None = None,
    report: Path | None = None,
    rejects: Path | None = None,
    accuracy: str | None = None,
    resolve: ResolveOptions | None = None,
    defaults: bool = False,
    fide_xml: Path | None = None,
    aliases: Path | None = None,
    list_month: str | None = None,
    replace_list: bool = False,
    jobs: int = 1,
    force: bool = False,
    no_ids: bool = False,
    tidy: str | None = None,
    memory: int | None = None,
    temp_dir: Path | None = None,
    no_search_file: bool = False,
    reporter: Reporter | None = None,
) -> RunResult:
    """Run all steps, and only on new games, as the command run does; options have its names.

    `output`: None to write no clean file. `accuracy`, `resolve`, `memory`: see dedup(). `tidy`:
    such as "eco=all,opening".
    """
    request = RunRequest(
        os.fspath(database), _paths(inputs), _path(output), duplicates=_path(duplicates),
        new_games=_path(new_games), lists=_lists(fide_xml, aliases, list_month, replace_list),
        options=_named_options(accuracy, resolve), defaults=defaults,
        tidy_steps=None if tidy is None else read_steps(tidy),
        report_path=_path(report), write_report=_report_writer(report),
        rejects_path=_path(rejects), force=force, form=CLEAN._replace(ids=not no_ids),
        resources=Resources(jobs, memory, _path(temp_dir), not no_search_file),
    )  # fmt: skip
    return _run(request, reporter or WarningReporter())


def compare(
    first: Path,
    others: Path | Iterable[Path],
    *,
    output: Path | None = None,
    report: Path | None = None,
    moves_only: bool = False,
    force: bool = False,
    jobs: int = 1,
    memory: int | None = None,
    temp_dir: Path | None = None,
    reporter: Reporter | None = None,
) -> CompareResult:
    """Count what other collections have that the first one lacks, as the command compare does.

    Options have its names. `others`: databases, files and folders, compared as one collection.
    """
    request = CompareRequest(
        os.fspath(first), _paths(others), _path(output), _path(report), moves_only, force,
        Resources(jobs, memory, _path(temp_dir)),
    )  # fmt: skip
    return _compare(request, reporter or WarningReporter())


def find(
    database: Path,
    *,
    selection: Selection = _UNIQUE,
    signature_a: str | None = None,
    signature_b: str | None = None,
    move: str | Iterable[str] = (),
    position: str | None = None,
    pattern: str | None = None,
    at: int | None = None,
    swap_colours: bool = False,
    like: int | Path | None = None,
    md5: str | None = None,
    size: int | None = None,
    symmetric: bool = False,
    limit: int = 0,
    reporter: Reporter | None = None,
) -> list[FoundGame]:
    """Find games by moves, positions and headers, as the command find does; options have its names.

    `selection`: conditions on headers; flagged duplicates are always found. `like`: the ID of a
    game, or a file of games.
    """
    signatures = {"SignatureA": signature_a, "SignatureB": signature_b}
    if position is not None:
        selection = selection._replace(position=position)
    request = FindRequest(
        {name: text for name, text in signatures.items() if text is not None},
        (move,) if isinstance(move, str) else tuple(move),
        like if isinstance(like, int) else _path(like),
        md5, pattern, at, swap_colours, selection, size, symmetric, limit,
    )  # fmt: skip
    with opened_search(os.fspath(database), request, reporter or WarningReporter()) as search:
        return list(search.games)


def explain(database: Path, first: int, second: int | None = None) -> list[str]:
    """Return lines that explain the verdict on two games, or the merged values of one game."""
    if second is None:
        return list(explain_merge(os.fspath(database), first).lines)
    return list(explain_pair(os.fspath(database), NamedOptions(), first, second).lines)


def review(
    database: Path,
    decisions: Iterable[tuple[int, int, str | None] | tuple[int, int, str | None, int | None]],
    *,
    reporter: Reporter | None = None,
) -> int:
    """Store decisions, all or none; return how many pairs have a new decision.

    A decision is (ID, ID, "same", "different" or None to revert a decision), optionally followed by
    the ID of the game to keep. The next dedup() applies the decisions.
    """
    given = [_given_decision(number, *row) for number, row in enumerate(decisions, 1)]
    return decide_all(os.fspath(database), given, reporter or WarningReporter())


def edit(
    database: Path,
    ids: Iterable[int] = (),
    *,
    set: Mapping[str, str] | None = None,
    clear: Iterable[str] = (),
    note: str | None = None,
    selection: Selection | None = None,
    from_file: Path | None = None,
    reporter: Reporter | None = None,
) -> EditResult:
    """Correct games and write notes, all or nothing, as the command edit does.

    `set`, `clear`: values by tag, and tags to clear, in the games of `ids` or `selection`; `note`:
    on these games. `from_file`: a table or an edited PGN file, in place of all these.
    """
    path = os.fspath(database)
    if from_file is None:
        values = {**dict.fromkeys(clear), **(set or {})}
        request = EditRequest(path, [*ids], values, note, selection)
    elif named_format(os.fspath(from_file)) in TEXT_FORMATS:
        request = EditRequest(path, games_file=os.fspath(from_file))
    else:
        request = EditRequest(path, given=read_corrections(os.fspath(from_file)))
    result = _edit(request, lambda _: True, reporter or WarningReporter())
    assert result is not None, "it is never asked"
    return result


def tidy(
    database: Path,
    *,
    eco: str | None = None,
    opening: str | None = None,
    events: bool = False,
    sites: bool = False,
    rounds: bool = False,
    dates: bool = False,
    reporter: Reporter | None = None,
) -> list[TidiedTag]:
    """Tidy tags of games, as the command tidy does; options have its names.

    `eco`, `opening`: "missing" or "all". Returns what each step changed.
    """
    steps = TidySteps(eco, opening, events, sites, rounds, dates)
    return _tidy(os.fspath(database), steps, reporter or WarningReporter())


def decide(
    database: Path,
    first: int,
    second: int,
    decision: str | None,
    *,
    keep: int | None = None,
    note: str | None = None,
    reporter: Reporter | None = None,
) -> int:
    """Store a decision about two games, as the command decide does; return 1 if it is new.

    `decision`: "same", "different", or None to undo a decision. `keep`: the ID of the game to keep.
    """
    given = one_decision("decide", first, second, decision or "none", keep, note)
    return decide_all(os.fspath(database), [given], reporter or WarningReporter())


def delete(
    database: Path,
    ids: Iterable[int] = (),
    *,
    source: str | None = None,
    selection: Selection = _UNIQUE,
    reporter: Reporter | None = None,
) -> ChangedGames:
    """Delete games that you do not want, as the command delete does, without a question.

    They have these IDs, or are the games of an input file (`source`) and a selection, flagged
    duplicates included.
    """
    request = DeleteRequest(
        os.fspath(database), tuple(ids), source, selection._replace(with_duplicates=True)
    )
    result = _delete(request, reporter or WarningReporter())
    assert result is not None, "it is not asked"
    return result


def restore(
    database: Path, ids: Iterable[int] = (), *, reporter: Reporter | None = None
) -> ChangedGames:
    """Restore deleted games, all without IDs, as the command restore does."""
    return _restore(os.fspath(database), reporter or WarningReporter(), tuple(ids))


def info(database: Path) -> FileInfo:
    """Return counts and states of a database, as the command info does."""
    return read_info(os.fspath(database))


def check(
    database: Path,
    *,
    repair: bool = False,
    fix_results: bool = False,
    reporter: Reporter | None = None,
) -> CheckResult:
    """Check a database, and repair it, as the command check does; options have its names."""
    return check_database(
        os.fspath(database), with_repair=repair, with_results=fix_results,
        reporter=reporter or WarningReporter(),
    )  # fmt: skip


def report(database: Path, output: Path, *, force: bool = False) -> int:
    """Write a report of the last search; return how many pairs it lists.

    The ending of `output` is one of report_file.KINDS.
    """
    path = os.fspath(output)
    report_kind(path)
    outputs.check_outputs([path], [os.fspath(database)])
    outputs.check_free(path, force=force)
    with outputs.reading(os.fspath(database)) as opened, one_state(opened.connection):
        search = last_options(opened.connection).search()
        return write_report(path, opened, search, outputs.new_file)


def _path(path: Path | None) -> str | None:
    return None if path is None else os.fspath(path)


def _lists(
    fide_xml: Path | None, aliases: Path | None, month: str | None, may_be_older: bool
) -> ListFiles:
    return ListFiles(_path(fide_xml), _path(aliases), month, may_be_older)


def _paths(inputs: Path | Iterable[Path]) -> list[str]:
    """Return the paths of input files; a single string is one path."""
    paths = [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs
    return [os.fspath(path) for path in paths]


def _given_decision(
    number: int, first: int, second: int, decision: str | None, kept: int | None = None
) -> GivenDecision:
    location = f"decision {number}"
    if decision not in (SAME, DIFFERENT, None):
        raise UsageError(f"{location}: {decision!r} is none of {SAME!r}, {DIFFERENT!r} and None")
    if first == second or kept not in (None, first, second) or (kept and decision != SAME):
        raise UsageError(f"{location}: a pair is two games, and one of the same two can be kept")
    return GivenDecision(location, min(first, second), max(first, second), decision, kept)


def _report_writer(
    report: Path | None, database: Path | None = None, *, force: bool = False
) -> ReportWriter | None:
    """Return a writer for the report; without `database` the command itself checks the file."""
    if report is None:
        return None
    path = os.fspath(report)
    report_kind(path)
    if database is not None:
        outputs.check_outputs([path], [os.fspath(database)])
        outputs.check_free(path, force=force)
    return functools.partial(write_report, path)


def _named_options(accuracy: str | None, resolve: ResolveOptions | None) -> NamedOptions:
    if accuracy is not None and accuracy not in ACCURACIES:
        raise UsageError(f"accuracy {accuracy!r} is none of {', '.join(ACCURACIES)}")
    named = NamedOptions() if resolve is None else NamedOptions.of_resolve(resolve)
    return named._replace(accuracy=accuracy)
