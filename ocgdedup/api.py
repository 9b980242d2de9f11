"""The Python interface: the commands as functions, and the games of a database as objects.

`import ocgdedup` offers all of this. The functions are those that the command line calls, with its
defaults; nothing is kept between two calls. Warnings go to the module `warnings`, as
OcgdedupWarning, unless a Reporter is given. Errors are OcgdedupError and its subclasses.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from array import array
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple, TypedDict, Unpack

import chess.pgn

from ocgdedup.commands.create import CreateRequest, CreateResult
from ocgdedup.commands.create import create as _create
from ocgdedup.commands.dedup import DedupRequest, DedupResult, undo_dedup
from ocgdedup.commands.dedup import dedup as _dedup
from ocgdedup.commands.export import ExportRequest, ExportResult
from ocgdedup.commands.export import export as _export
from ocgdedup.commands.game_kind import check_chess_options
from ocgdedup.commands.players import PlayersRequest, PlayersResult, consolidate_players
from ocgdedup.commands.run import RunRequest, RunResult
from ocgdedup.commands.run import run as _run
from ocgdedup.errors import UsageError
from ocgdedup.matching.evidence import ACCURACIES
from ocgdedup.model import Reporter
from ocgdedup.pgn.strip import Stripping
from ocgdedup.pipeline.emit import pgn_of_games
from ocgdedup.pipeline.groups import ResolveOptions
from ocgdedup.pipeline.name_lists import ListFiles
from ocgdedup.pipeline.named_options import NamedOptions
from ocgdedup.pipeline.pairs import games_of
from ocgdedup.pipeline.select import criteria_of, select_games
from ocgdedup.pipeline.tables import TableReader
from ocgdedup.pipeline.text_form import TextForm
from ocgdedup.store import connection as store
from ocgdedup.store import games as stored_games
from ocgdedup.store.duplicates import stored_groups
from ocgdedup.store.selection import Selection, id_lists
from ocgdedup.store.suspects import Suspect, stored_suspects
from ocgdedup.store.variant import holds_go

# What `import ocgdedup` offers; ocgdedup/__init__.py names the same.
__all__ = [
    "CreateResult", "DedupResult", "ExportResult", "GameDatabase", "MoveArrays", "OcgdedupWarning",
    "PlayersResult", "ResolveOptions", "RunResult", "Selection", "Stripping", "TextForm", "create",
    "dedup", "export", "open", "players", "run", "undo",
]  # fmt: skip
_UNIQUE = Selection()  # all games that are no flagged copies


class OcgdedupWarning(UserWarning):
    """What a command would print as a warning."""


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
        warnings.warn(message, OcgdedupWarning, stacklevel=2)

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

    def __init__(self, path: str) -> None:
        self._database = store.open_database(path)

    def __enter__(self) -> GameDatabase:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        return holds_go(self._database.connection)

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

    def games(self, selection: Selection = _UNIQUE) -> Iterator[tuple[int, chess.pgn.Game]]:
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
        found = MoveArrays(array("q"), array("q", [0]), array("H"))
        for game_id, blob in stored_games.move_blobs(self._database.connection, ids):
            found.ids.append(game_id)
            found.moves.frombytes(blob or b"")
            found.starts.append(len(found.moves))
        if sys.byteorder == "big":
            found.moves.byteswap()
        return found

    def groups(self) -> Iterator[list[int]]:
        """Yield the IDs of each group of copies, the master first, as dedup left them."""
        with self._reading():
            yield from stored_groups(self._database.connection)

    def suspects(self) -> Iterator[Suspect]:
        """Yield the pairs that are likely, but not surely, one game, decided ones too."""
        with self._reading():
            yield from stored_suspects(self._database.connection)

    def execute(self, sql: str, bindings: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT; schema/README.md explains the tables."""
        return store.select_rows(self._database, sql, bindings)

    def _reading(self) -> contextlib.AbstractContextManager[None]:
        """Return what names a value that no version of the program stores, as StoreError."""
        return store.store_errors(self.path, "cannot be read")

    def _require_chess(self) -> None:
        if self.is_go:
            raise UsageError(
                f"{self.path}: holds games of Go, python-chess has no objects for them; take "
                "pgn(), which gives SGF, moves(), rows(), columns() or move_arrays()"
            )

    def _chosen(self, selection: Selection) -> Iterator[list[int]]:
        check_chess_options(self._database, selection)
        criteria = criteria_of(self._database, selection, WarningReporter())
        return id_lists(select_games(self._database, criteria).ids)


def _parsed(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None, "each text is that of one game"
    return game


def open(path: str | os.PathLike[str]) -> GameDatabase:
    """Open a database of ours, or of OCGDB, for reading.

    Raises UsageError if there is none, StoreError if the file is something else.
    """
    return GameDatabase(os.fspath(path))


class CreateOptions(TypedDict, total=False):
    """What CreateRequest takes besides the database and the inputs."""

    append: bool
    force: bool
    jobs: int
    with_indexes: bool
    rejects_path: str | None
    report_path: str | None
    fide_list: str | None
    aliases: str | None
    list_month: str | None
    replace_list: bool
    only_new: bool
    signatures: bool
    again: bool


class DedupOptions(TypedDict, total=False):
    """What DedupRequest takes besides the database and what the user named."""

    defaults: bool
    dry_run: bool
    full: bool
    delete: bool
    purge: bool
    min_header_quality: int
    with_players: bool
    fide_list: str | None
    aliases: str | None
    list_month: str | None
    replace_list: bool
    jobs: int
    memory_bytes: int | None
    temp_folder: str | None


class ExportOptions(TypedDict, total=False):
    """What ExportRequest takes besides the database and the output."""

    duplicates: str | None
    selection: Selection
    form: TextForm
    split: int
    force: bool
    format: str | None
    keep_evp: bool
    strip_evp: bool


class RunOptions(TypedDict, total=False):
    """What RunRequest takes besides the database, inputs and output, and what the user named."""

    defaults: bool
    list_month: str | None
    replace_list: bool

    duplicates: str | None
    fide_list: str | None
    aliases: str | None
    rejects_path: str | None
    jobs: int
    force: bool
    memory_bytes: int | None
    temp_folder: str | None


def create(
    database: str,
    inputs: Sequence[str],
    *,
    reporter: Reporter | None = None,
    **options: Unpack[CreateOptions],
) -> CreateResult:
    """Read PGN into a database, as the command create does; options as CreateRequest has them."""
    return _create(CreateRequest(database, inputs, **options), reporter or WarningReporter())


def players(
    database: str,
    fide_list: str | None = None,
    aliases: str | None = None,
    *,
    list_month: str | None = None,
    replace_list: bool = False,
    reporter: Reporter | None = None,
) -> PlayersResult:
    """Find out who played, as the command players does."""
    lists = ListFiles(fide_list, aliases, list_month, replace_list)
    request = PlayersRequest(database, lists)
    return consolidate_players(request, reporter or WarningReporter())


def dedup(
    database: str,
    *,
    accuracy: str | None = None,
    resolve: ResolveOptions | None = None,
    reporter: Reporter | None = None,
    **options: Unpack[DedupOptions],
) -> DedupResult:
    """Find duplicates and flag them, as the command dedup does; options as DedupRequest has them.

    `accuracy`: the gates of near-identical games, "strict", "normal" or "tolerant". What is None is
    as in the last search of the database, unless `defaults`.
    """
    request = DedupRequest(database, _named_options(accuracy, resolve), **options)
    return _dedup(request, may_upgrade=lambda _: False, reporter=reporter or WarningReporter())


def undo(database: str, *, reporter: Reporter | None = None) -> int | None:
    """Take the last dedup back; return how many games changed back, None if there was no run."""
    return undo_dedup(database, reporter or WarningReporter())


def export(
    database: str,
    output: str,
    *,
    reporter: Reporter | None = None,
    **options: Unpack[ExportOptions],
) -> ExportResult:
    """Write games as PGN or SGF, as the command export does; options as ExportRequest has them."""
    return _export(ExportRequest(database, output, **options), reporter or WarningReporter())


def run(
    database: str,
    inputs: Sequence[str],
    output: str,
    *,
    accuracy: str | None = None,
    resolve: ResolveOptions | None = None,
    reporter: Reporter | None = None,
    **options: Unpack[RunOptions],
) -> RunResult:
    """Do all of it, and only what is new, as the command run does; options as RunRequest has them.

    `accuracy` and `resolve`: see dedup().
    """
    named = _named_options(accuracy, resolve)
    request = RunRequest(database, inputs, output, options=named, **options)
    return _run(request, reporter or WarningReporter())


def _named_options(accuracy: str | None, resolve: ResolveOptions | None) -> NamedOptions:
    if accuracy is not None and accuracy not in ACCURACIES:
        raise UsageError(f"accuracy {accuracy!r} is none of {', '.join(ACCURACIES)}")
    named = NamedOptions() if resolve is None else NamedOptions.of_resolve(resolve)
    return named._replace(join_accuracy=accuracy)
