"""The Python interface: the commands as functions, and the games of a database as objects.

`import ocgdedup` offers all of this. The functions are those that the command line calls, with its
defaults; nothing is kept between two calls. Warnings go to the module `warnings`, as
OcgdedupWarning, unless a Reporter is given. Errors are OcgdedupError and its subclasses.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import sys
import warnings
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import chess.pgn

from ocgdedup import sql_functions
from ocgdedup.commands import outputs
from ocgdedup.commands.check import CheckResult, check_database
from ocgdedup.commands.create import CreateRequest, CreateResult
from ocgdedup.commands.create import create as _create
from ocgdedup.commands.dedup import dedup as _dedup
from ocgdedup.commands.dedup_explain import explain_merge, explain_pair
from ocgdedup.commands.dedup_search import DedupRequest, DedupResult, ReportWriter
from ocgdedup.commands.dedup_undo import undo_dedup
from ocgdedup.commands.export import ExportRequest, ExportResult
from ocgdedup.commands.export import export as _export
from ocgdedup.commands.find import opened_search
from ocgdedup.commands.info import FileInfo, read_info
from ocgdedup.commands.kind_checks import check_chess_options
from ocgdedup.commands.players import PlayersRequest, PlayersResult, consolidate_players
from ocgdedup.commands.review import decide_all
from ocgdedup.commands.run import RunRequest, RunResult
from ocgdedup.commands.run import run as _run
from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.matching.evidence import ACCURACIES
from ocgdedup.model import GivenDecision, ListFiles, Reporter
from ocgdedup.notebook import GameRows, NotebookGame, PairView
from ocgdedup.pgn.strip import Stripping
from ocgdedup.pipeline.export.emit import pgn_of_games
from ocgdedup.pipeline.export.select import criteria_of
from ocgdedup.pipeline.export.tables import TableReader
from ocgdedup.pipeline.export.text_form import CLEAN, TextForm
from ocgdedup.pipeline.find.games import FindRequest, FoundGame
from ocgdedup.pipeline.search.groups import ResolveOptions
from ocgdedup.pipeline.search.named_options import NamedOptions, last_options
from ocgdedup.pipeline.search.overview import reported_pairs
from ocgdedup.pipeline.search.pairs import games_of, pairs_of
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.reports.pair_files import PAIRS, pair_columns
from ocgdedup.reports.report_file import report_kind, write_report
from ocgdedup.store import database as store
from ocgdedup.store import games as stored_games
from ocgdedup.store.connection import one_state
from ocgdedup.store.duplicates import stored_groups
from ocgdedup.store.names import game_kind
from ocgdedup.store.possible_duplicates import DIFFERENT, SAME, Suspect, stored_suspects
from ocgdedup.store.selection import Selection, id_lists, selected_games
from ocgdedup.tables.columns import GAMES_OF_KIND, Columns

# What `import ocgdedup` offers; ocgdedup/__init__.py names the same.
__all__ = [
    "CheckResult", "CreateResult", "DedupResult", "ExportResult", "FileInfo", "FoundGame",
    "GameDatabase", "MoveArrays", "OcgdedupWarning", "PlayersResult", "ResolveOptions", "RunResult",
    "Selection", "Stripping", "TextForm", "check", "create", "dedup", "explain", "export", "find",
    "info", "open", "players", "report", "review", "run", "undo",
]  # fmt: skip
Path = str | os.PathLike[str]
_NAME = "ocgdedup"
_NEW_GAME = functools.partial(chess.pgn.GameBuilder, Game=NotebookGame)
_UNIQUE = Selection()  # all games that are no flagged copies


class OcgdedupWarning(UserWarning):
    """What a command would print as a warning."""


def _callers_level() -> int:
    """Return for warnings.warn(), called by a reporter, how far up the user's own code is."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == _NAME:
        level, frame = level + 1, frame.f_back
    return level


class WarningReporter:
    """Turns warnings of a command into Python's; shows no progress."""

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        """Do nothing."""

    def advance(self, games: int, position_bytes: int) -> None:
        """Do nothing."""

    def warn(self, message: str) -> None:
        """Give the message to the module `warnings`."""
        warnings.warn(message, OcgdedupWarning, stacklevel=_callers_level())

    def finish(self) -> None:
        """Do nothing."""


class MoveArrays(NamedTuple):
    """Moves of some games, end to end.

    `ids`: the games (int64); `starts`: where the moves of each begin in `moves`, and at last where
    all end (int64, one longer than `ids`); `moves`: 2-byte moves (uint16, docs/file-format.md).
    numpy.frombuffer() takes each without a copy.
    """

    ids: array[int]
    starts: array[int]
    moves: array[int]


class GameDatabase:
    """The games of a database, for reading; `with ocgdedup.open(path) as database:` closes it.

    What takes a selection goes by all games that are no flagged copies if none is given, by
    rising ID.
    """

    def __init__(self, path: Path) -> None:
        self._database = store.open_database(os.fspath(path))
        self._has_functions = False

    def __enter__(self) -> GameDatabase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; nothing can be read after that."""
        self._database.close()

    @property
    def path(self) -> str:
        """The name of the file, as it was given."""
        return self._database.path

    def __len__(self) -> int:
        """Return the number of games, copies too."""
        return stored_games.count_games(self._database.connection)

    @property
    def is_go(self) -> bool:
        """Whether the games are games of Go, not of chess."""
        return self._kind.is_go

    @property
    def _kind(self) -> GameKind:
        return game_kind(self._database.connection)

    def moves(self, game_id: int) -> list[str]:
        """Return the mainline of a game: SAN, of Go moves as SGF has them, "B[pd]".

        Raises KeyError if there is no game of that ID.
        """
        try:
            with self._reading():
                (game,) = games_of(self._database, [game_id])
        except UsageError as error:
            raise KeyError(game_id) from error
        return game.texts

    def game(self, game_id: int) -> chess.pgn.Game:
        """Return a game with its comments, NAGs and variations; raise KeyError if there is none.

        Raises UsageError for games of Go: python-chess has none.
        """
        self._require_chess()
        return _parsed(self.pgn(game_id))

    def pgn(self, game_id: int) -> str:
        """Return a game as PGN text, for Go SGF; raise KeyError if there is none of that ID."""
        with self._reading():
            (text,) = pgn_of_games(self._database, [game_id])
        if text is None:
            raise KeyError(game_id)
        return text.decode()

    def games(self, selection: Selection = _UNIQUE) -> Games:
        """Return games: to go through, as a table of Arrow, or as a data frame."""
        return Games(self, selection)

    def pairs(self) -> GameRows:
        """Return each duplicate with its kept game, then the possible duplicates, as a table.

        With the score and each term of it; docs/report.md explains the columns.
        """

        def read() -> Iterator[Columns]:
            with self._reading():
                connection = self._database.connection
                search = last_options(connection).search()
                yield from pair_columns(reported_pairs(connection, search))

        return GameRows(PAIRS, read)

    def pair(self, first: int, second: int) -> PairView:
        """Return two games to see side by side in a notebook; raise KeyError for an unknown ID."""
        try:
            with self._reading():
                (shown,) = pairs_of(self._database, [(first, second)])
        except UsageError as error:
            raise KeyError((first, second)) from error
        return PairView(shown)

    def _read_games(self, selection: Selection) -> Iterator[tuple[int, chess.pgn.Game]]:
        """Yield the ID and the game, with its comments, NAGs and variations.

        Raises UsageError for games of Go, as game() does.
        """
        self._require_chess()
        with self._reading():
            for ids in self._chosen(selection):
                for game_id, text in zip(ids, pgn_of_games(self._database, ids), strict=True):
                    if text is not None:
                        yield game_id, _parsed(text.decode())

    def rows(self, selection: Selection = _UNIQUE) -> Iterator[dict[str, Any]]:
        """Yield each game as a dictionary of the columns of table games in docs/tables.md.

        Games of Go have columns of their own there.
        """
        for columns in self.columns(selection):
            for values in zip(*columns.values(), strict=True):
                yield dict(zip(columns, values, strict=True))

    def columns(self, selection: Selection = _UNIQUE) -> Iterator[dict[str, Sequence[Any]]]:
        """Yield some thousand games at a time, as one sequence for each column of rows()."""
        with self._reading():
            reader = TableReader(self._database)
            for values in reader.games(self._chosen(selection)):
                yield dict(zip(reader.games_table.column_names, values, strict=True))

    def move_arrays(self, selection: Selection = _UNIQUE) -> Iterator[MoveArrays]:
        """Yield the moves of some thousand games at a time."""
        with self._reading():
            for ids in self._chosen(selection):
                yield self._move_arrays(ids)

    def _move_arrays(self, ids: list[int]) -> MoveArrays:
        arrays = MoveArrays(array("q"), array("q", [0]), array("H"))
        for game_id, blob in stored_games.move_blobs(self._database.connection, ids):
            arrays.ids.append(game_id)
            arrays.moves.frombytes(blob or b"")
            arrays.starts.append(len(arrays.moves))
        if sys.byteorder == "big":
            arrays.moves.byteswap()
        return arrays

    def groups(self) -> Iterator[list[int]]:
        """Yield the IDs of each group of copies, the master first, as dedup left them."""
        with self._reading():
            yield from stored_groups(self._database.connection)

    def suspects(self) -> Iterator[Suspect]:
        """Yield the pairs that are likely, but not surely, one game, decided ones too."""
        with self._reading():
            yield from stored_suspects(self._database.connection)

    def execute(self, sql: str, bindings: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT; schema/README.md explains the tables.

        It knows the functions of ocgdedup.sql_functions.
        """
        if not self._has_functions:
            sql_functions.register(self._database.connection)
            self._has_functions = True
        return store.select_rows(self._database, sql, bindings)

    def _reading(self) -> contextlib.AbstractContextManager[None]:
        """Return what names a value that no version of the program stores, as StoreError."""
        return store.store_errors(self.path, "cannot be read")

    def _require_chess(self) -> None:
        if self._kind is not CHESS:
            raise UsageError(
                f"{self.path}: holds Go games, python-chess has no objects for them; take "
                "pgn(), which gives SGF, moves(), rows(), columns() or move_arrays()"
            )

    def _chosen(self, selection: Selection) -> Iterator[list[int]]:
        check_chess_options(self._database, selection)
        criteria = criteria_of(self._database, selection, WarningReporter())
        return id_lists(selected_games(self._database.connection, criteria).ids)


class Games(GameRows):
    """Games of a selection: `for game_id, game in games` has them as objects of python-chess."""

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
    """Read PGN or SGF into a database, as the command create does; options have its names."""
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
    reporter: Reporter | None = None,
) -> DedupResult:
    """Find duplicates and flag them, as the command dedup does; options have its names.

    `accuracy`: the gates of near-identical games, "strict", "normal" or "tolerant". What is None is
    as in the last search of the database, unless `defaults`. `memory` in bytes; `report`: a file
    of all pairs, of one of report_file.KINDS by its ending.
    """
    request = DedupRequest(
        os.fspath(database), _named_options(accuracy, resolve), defaults=defaults,
        dry_run=dry_run, full=full, delete=delete, purge=purge,
        min_header_quality=min_header_quality,
        write_report=_report_writer(report, database, force=force),
        with_players=not no_players, lists=_lists(fide_xml, aliases, list_month, replace_list),
        force=force,
        resources=Resources(jobs, memory, _path(temp_dir)),
    )  # fmt: skip
    return _dedup(request, may_upgrade=lambda _: False, reporter=reporter or WarningReporter())


def undo(database: Path, *, reporter: Reporter | None = None) -> int | None:
    """Undo the last dedup; return how many games changed back, None if there was no run."""
    return undo_dedup(os.fspath(database), reporter or WarningReporter())


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
    reporter: Reporter | None = None,
) -> ExportResult:
    """Write games as PGN or SGF, as the command export does; options have its names.

    `form`: line width, what to leave out, which names to write.
    """
    request = ExportRequest(
        os.fspath(database), os.fspath(output), duplicates=_path(duplicates), selection=selection,
        form=form, split=split, force=force, format=format, keep_evp=keep_evp,
    )  # fmt: skip
    return _export(request, reporter or WarningReporter())


def run(
    database: Path,
    inputs: Path | Iterable[Path],
    output: Path,
    *,
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
    memory: int | None = None,
    temp_dir: Path | None = None,
    reporter: Reporter | None = None,
) -> RunResult:
    """Do all of it, and only what is new, as the command run does; options have its names.

    `accuracy`, `resolve`, `memory`: see dedup().
    """
    request = RunRequest(
        os.fspath(database), _paths(inputs), os.fspath(output), duplicates=_path(duplicates),
        lists=_lists(fide_xml, aliases, list_month, replace_list),
        options=_named_options(accuracy, resolve), defaults=defaults,
        report_path=_path(report), write_report=_report_writer(report),
        rejects_path=_path(rejects), force=force,
        resources=Resources(jobs, memory, _path(temp_dir)),
    )  # fmt: skip
    return _run(request, reporter or WarningReporter())


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
    like: int | None = None,
    md5: str | None = None,
    size: int | None = None,
    symmetric: bool = False,
    limit: int = 0,
    reporter: Reporter | None = None,
) -> list[FoundGame]:
    """Find games by moves, positions and headers, as the command find does; options have its names.

    `selection`: conditions on headers; flagged duplicates are always found.
    """
    signatures = {"SignatureA": signature_a, "SignatureB": signature_b}
    request = FindRequest(
        {name: text for name, text in signatures.items() if text is not None},
        (move,) if isinstance(move, str) else tuple(move),
        like, md5, position, pattern, at, swap_colours, selection, size, symmetric, limit,
    )  # fmt: skip
    with opened_search(os.fspath(database), request, reporter or WarningReporter()) as search:
        return list(search.games)


def explain(database: Path, first: int, second: int | None = None) -> list[str]:
    """Explain the verdict on two games, or why a game has its merged values; a line an item."""
    if second is None:
        return list(explain_merge(os.fspath(database), first).lines)
    return list(explain_pair(os.fspath(database), NamedOptions(), first, second).lines)


def review(
    database: Path,
    decisions: Iterable[tuple[int, int, str | None] | tuple[int, int, str | None, int | None]],
    *,
    reporter: Reporter | None = None,
) -> int:
    """Store decisions, all or none; return how many pairs got another one.

    A decision is (ID, ID, "same", "different" or None to take one back), and, if the user wants
    one of the two records to be kept, its ID. The next dedup() applies them.
    """
    given = [_given_decision(number, *row) for number, row in enumerate(decisions, 1)]
    return decide_all(os.fspath(database), given, reporter or WarningReporter())


def info(database: Path) -> FileInfo:
    """Sum up a database, as the command info does."""
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

    Its kind, one of report_file.KINDS, is the ending of its name.
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
    """Return the names of input files; one alone is not taken for its letters."""
    if isinstance(inputs, (str, os.PathLike)):
        return [os.fspath(inputs)]
    return [os.fspath(path) for path in inputs]


def _given_decision(
    number: int, first: int, second: int, decision: str | None, kept: int | None = None
) -> GivenDecision:
    place = f"decision {number}"
    if decision not in (SAME, DIFFERENT, None):
        raise UsageError(f"{place}: {decision!r} is none of {SAME!r}, {DIFFERENT!r} and None")
    if first == second or kept not in (None, first, second) or (kept and decision != SAME):
        raise UsageError(f"{place}: a pair is two games, and one of the same two can be kept")
    return GivenDecision(place, min(first, second), max(first, second), decision, kept)


def _report_writer(
    report: Path | None, database: Path | None = None, *, force: bool = False
) -> ReportWriter | None:
    """Return what writes a report; refuse a name that cannot be one.

    `database`: an input; None if the command itself looks at the place.
    """
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
    return named._replace(join_accuracy=accuracy)
