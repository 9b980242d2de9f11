"""export: write games to PGN or SGF files, duplicates to a file of their own, or write tables.

With --format, games, persons and names become tables for other programs.
"""

from __future__ import annotations

import contextlib
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ocgdedup import __version__
from ocgdedup.commands.kind_checks import check_chess_options, check_endings, check_format
from ocgdedup.commands.outputs import (
    NewFiles,
    check_folder,
    check_free,
    check_outputs,
    is_part_name,
    is_special,
    left_parts,
    new_file,
    new_files,
    new_folder,
    part_names,
    present_parts,
    standard_output,
)
from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import UsageError
from ocgdedup.files.compress import COMPRESSED_ENDINGS, Output, check_compression, compressed
from ocgdedup.files.manifest import NAME as MANIFEST
from ocgdedup.files.manifest import HashedFile, ListedFile, write_manifest
from ocgdedup.model import Reporter
from ocgdedup.pipeline.export.emit import GameWriter
from ocgdedup.pipeline.export.select import criteria_of, select_games
from ocgdedup.pipeline.export.tables import TableReader, write_table
from ocgdedup.pipeline.export.text_form import CLEAN, TextForm
from ocgdedup.pipeline.ingest.lossless import LosslessReader
from ocgdedup.store import games
from ocgdedup.store.connection import (
    Database,
    one_state,
    open_database,
    store_errors,
)
from ocgdedup.store.selection import SelectedCopies, SelectedGames, Selection, id_lists
from ocgdedup.store.variant import game_kind
from ocgdedup.tables.columns import (
    ALIASES,
    LOSSLESS_GAMES,
    LOSSLESS_TABLES,
    PLAYER_NAMES,
    PLAYERS,
    SOURCES,
    TABLES,
)
from ocgdedup.tables.formats import EXPORT_FORMATS, PGN, TABLE_FORMATS
from ocgdedup.tables.parquet_file import ParquetFile
from ocgdedup.tables.table_file import open_table
from ocgdedup.wording import counted

STDOUT_ARGUMENT = "-"


class ExportRequest(NamedTuple):
    """What the user asked for; "-" is standard output, None no such file.

    By default games are written whole but for evaluation profiles ([%evp]) of ChessBase.

    `split`: games a file, 0 for one file. The file of copies holds those that the selection is
    true of, removed ones too. `format`: "pgn" or "sgf", refused if the games are of the other
    kind; None: whichever fits. `keep_evp`, `strip_evp`: the user asked to keep evaluation
    profiles, or to leave them out.
    """

    database: str
    output: str | None
    duplicates: str | None = None
    selection: Selection = Selection()
    form: TextForm = CLEAN
    split: int = 0
    force: bool = False
    format: str | None = None
    keep_evp: bool = False
    strip_evp: bool = False


class ExportResult(NamedTuple):
    """Counts of written games and duplicates, and of duplicates left out.

    `removed` of the copies had been deleted before. `files` are those of the games.
    """

    games: int = 0
    left_out: int = 0
    copies: int = 0
    removed: int = 0
    files: Sequence[str] = ()


def export(
    request: ExportRequest, reporter: Reporter, noted: contextlib.ExitStack | None = None
) -> ExportResult:
    """Write games to files that get their names when all of them are whole.

    `noted`: see new_files(). Raises UsageError for a selection that cannot be made and for files
    that are there already.
    """
    _check_files(request)
    database = open_database(request.database)
    try:
        with (
            store_errors(request.database, "cannot be read"),
            one_state(database.connection),
            new_files([request.database], noted, may_replace=request.force) as files,
        ):
            _check_kind(request, database)
            return _Export(database, request, reporter, files).run()
    finally:
        database.close()


def _check_files(request: ExportRequest) -> None:
    """Refuse what cannot be written, before any work."""
    if request.form.canonical_names and request.form.original_names:
        raise UsageError(
            "export: --names canonical does not go with --original-names; leave one out"
        )
    outputs = [path for path in (request.output, request.duplicates) if path is not None]
    if not outputs:
        raise UsageError("export: nothing to write; name a file with -o or --duplicates")
    if outputs.count(STDOUT_ARGUMENT) > 1:
        raise UsageError("export: -o and --duplicates cannot both be standard output")
    paths = [path for path in outputs if path != STDOUT_ARGUMENT]
    check_outputs(paths, [request.database])
    for path in paths:
        check_compression(path)
        if request.split and path == request.output:
            if request.duplicates and is_part_name(path, request.duplicates):
                raise UsageError(
                    f"{request.duplicates}: could be a part of {path}; name another file"
                )
            _check_parts(path, request)
        else:
            check_free(path, force=request.force)


def _check_parts(output: str, request: ExportRequest) -> None:
    if is_special(output):
        raise UsageError(f"{output}: is not a file; --split writes files")
    parts = present_parts(output)
    check_outputs(parts, [request.database])
    for path in parts:
        check_free(path, force=request.force)


def _check_kind(request: ExportRequest, database: Database) -> None:
    """Refuse what does not fit the kind of games: PGN is chess, SGF is Go."""
    if request.form.canonical_names and not game_kind(database.connection).has_fide_list:
        raise UsageError(f"{database.path}: --names canonical is for chess games; leave it out")
    check_format(database, request.format)
    check_endings(database, (request.output, request.duplicates))
    check_chess_options(
        database, request.selection, keep_evp=request.keep_evp, strip_evp=request.strip_evp
    )


class _Export:
    """One export while it runs."""

    def __init__(
        self, database: Database, request: ExportRequest, reporter: Reporter, files: NewFiles
    ) -> None:
        self._database = database
        self._request = request
        self._reporter = reporter
        self._files = files
        self._done = 0

    def run(self) -> ExportResult:
        request = self._request
        selected, copies = self._selected()
        self._warn_of_faults(None if selected is None else selected.ids)
        total = games.count_games(self._database.connection)
        writer = GameWriter(self._database, request.form)
        result = ExportResult()
        if request.output is not None:
            self._reporter.start("writing", None, total if selected is None else len(selected.ids))
            if selected is None:
                texts = writer.all_games(with_copies=request.selection.with_copies)
                self._write(request.output, texts)
                result = ExportResult(self._done, total - self._done, files=[request.output])
            else:
                written = self._write_selected(request.output, writer, selected.ids)
                result = ExportResult(len(selected.ids), selected.left_out, files=written)
        if request.duplicates is not None:
            result = self._write_copies(request.duplicates, writer, copies, result)
        self._reporter.finish()
        return result

    def _selected(self) -> tuple[SelectedGames | None, SelectedCopies]:
        """Return the games, None for all of them by ID, and the duplicates for their file."""
        request, database = self._request, self._database
        is_chosen = request.output is not None and (
            request.split > 0 or not request.selection.is_plain
        )
        if not is_chosen and request.duplicates is None:
            return None, SelectedCopies()
        # Loaded when needed: what weighs headers and looks up names is of no use to most exports.
        from ocgdedup.pipeline.export.select import criteria_of, select_copies, select_games

        criteria = criteria_of(database, request.selection, self._reporter)
        chosen = select_games(database, criteria) if is_chosen else None
        if request.duplicates is None:
            return chosen, SelectedCopies()
        return chosen, select_copies(database, criteria)

    def _write_selected(self, output: str, writer: GameWriter, ids: array[int]) -> Sequence[str]:
        size = self._request.split
        if not size:
            self._write(output, writer.games_of(id_lists(ids)))
            return [output]
        paths = part_names(output, max(1, -(-len(ids) // size)))
        for number, path in enumerate(paths):
            part = ids[number * size : (number + 1) * size]
            self._write(path, writer.games_of(id_lists(part)))
        left = left_parts(output, paths)
        if left:
            self._reporter.warn(
                f"{left[0]}: is left over from an earlier export"
                + (f", and {len(left) - 1} more such files" if len(left) > 1 else "")
            )
        return paths

    def _write_copies(
        self, path: str, writer: GameWriter, copies: SelectedCopies, result: ExportResult
    ) -> ExportResult:
        self._done = 0
        self._reporter.start("writing duplicates", None, len(copies))
        self._write(path, writer.copies(copies))
        return result._replace(copies=len(copies), removed=copies.removed)

    def _write(self, path: str, texts: Iterable[tuple[int, bytes]]) -> None:
        with self._opened(path) as output:
            for number, text in texts:
                output.write(text)
                self._done += number
                self._reporter.advance(self._done, 0)

    @contextlib.contextmanager
    def _opened(self, path: str) -> Iterator[Output]:
        if path == STDOUT_ARGUMENT:
            with standard_output() as output:
                yield output
            return
        with self._files.opened(path) as handle, compressed(handle, path) as packed:
            yield packed

    def _warn_of_faults(self, ids: array[int] | None) -> None:
        request = self._request
        if request.output is None:
            return
        faulty = games.faulty_games(
            self._database.connection, with_copies=ids is not None or request.selection.with_copies
        )
        cut = len(faulty) if ids is None else len(faulty.intersection(ids))
        if cut:
            self._reporter.warn(
                f"{counted(cut, 'game is', 'games are')} truncated at an error; the rest of "
                f"{'its' if cut == 1 else 'their'} text is kept in the table Faults and is not "
                "written"
            )


# --- tables ---------------------------------------------------------------------------------------


_FOREIGN_ENDINGS = tuple(f".{form}" for form in (PGN, *EXPORT_FORMATS))
_LOSSLESS_NAMES = (*(f"{table.name}.parquet" for table in LOSSLESS_TABLES), MANIFEST)
_PACKED_ENDINGS = (*COMPRESSED_ENDINGS, ".zip")


class TablesRequest(NamedTuple):
    """What to write: `form` is one of EXPORT_FORMATS.

    `output` is a folder for all tables; a file, if the name ends in the form, for the games alone;
    or "-", standard output, for the games alone. `is_safe_csv`: texts of CSV are no formulas to a
    spreadsheet. `is_lossless`: a folder from which `create` can make a database.
    """

    database: str
    output: str
    form: str
    force: bool = False
    selection: Selection = Selection()
    is_safe_csv: bool = False
    is_lossless: bool = False


def export_tables(request: TablesRequest, reporter: Reporter) -> dict[str, int]:
    """Write the tables; return the rows of each by its name.

    Files get their names when all are whole.
    """
    _check(request)
    database = open_database(request.database)
    try:
        with store_errors(request.database, "cannot be read"), one_state(database.connection):
            check_chess_options(database, request.selection)
            if request.is_lossless:
                return _write_lossless(request, database, reporter)
            return _write(request, database, reporter)
    finally:
        database.close()


def _check(request: TablesRequest) -> None:
    """Refuse an output that cannot be written, or must not."""
    output, form = request.output, request.form
    if output == STDOUT_ARGUMENT:
        if TABLE_FORMATS[form].is_binary:
            raise UsageError(
                f"-: {form.capitalize()} is not written to standard output; name a file or folder"
            )
        return
    if output.lower().endswith(_PACKED_ENDINGS):
        raise UsageError(f"{output}: tables are written plain; compress the file afterwards")
    if request.is_lossless and _is_file(output, form):
        raise UsageError(f"{output}: lossless tables are several files; name a folder")
    if _is_file(output, form):
        check_outputs([output], [request.database])
        check_free(output, force=request.force)
        return
    if output.lower().endswith(_FOREIGN_ENDINGS):
        raise UsageError(
            f"{output}: is not a file name for {form}; name a file that ends in .{form}, "
            "or a folder"
        )
    names = _LOSSLESS_NAMES if request.is_lossless else _file_names(form)
    check_folder(output, names, [request.database], force=request.force)


def _is_file(output: str, form: str) -> bool:
    """Tell if a file is meant, not a folder."""
    if output.lower().endswith(f".{form}"):
        return True
    return os.path.exists(output) and not os.path.isdir(output) and is_special(output)


def _file_names(form: str) -> list[str]:
    return [f"{table.name}.{form}" for table in TABLES]


def _write(request: TablesRequest, database: Database, reporter: Reporter) -> dict[str, int]:
    """Write to standard output, a file or a folder; return the rows of each table."""
    output, form = request.output, request.form
    selected = select_games(database, criteria_of(database, request.selection, reporter)).ids
    reader = TableReader(database)
    games = reader.games_table
    total = len(selected)
    rows = reader.games(id_lists(selected))
    if output == STDOUT_ARGUMENT:
        with standard_output() as stream:
            target = open_table(form, stream, games, is_safe_csv=request.is_safe_csv)
            return {games.name: write_table(target, rows, total, reporter)}
    if _is_file(output, form):
        with new_file(output, [request.database], may_replace=request.force) as handle:
            target = open_table(form, handle, games, is_safe_csv=request.is_safe_csv)
            return {games.name: write_table(target, rows, total, reporter)}
    counts = {}
    names = _file_names(form)
    # Games come first: the reader counts them for the next two.
    tables = (
        (games, rows),
        (PLAYERS, reader.players()),
        (PLAYER_NAMES, reader.player_names()),
        (ALIASES, reader.aliases()),
    )
    with new_folder(output, names, [request.database]) as opened:
        for (table, columns), name in zip(tables, names, strict=True):
            with opened(name) as handle:
                target = open_table(form, handle, table, is_safe_csv=request.is_safe_csv)
                counts[table.name] = write_table(
                    target, columns, total if table is games else None, reporter
                )
    return counts


def _write_lossless(
    request: TablesRequest, database: Database, reporter: Reporter
) -> dict[str, int]:
    """Write lossless tables and their manifest; return the rows of each table."""
    require_ours(database)
    selected = select_games(database, criteria_of(database, request.selection, reporter)).ids
    reader = LosslessReader(database.connection)
    tables = (
        (LOSSLESS_GAMES, reader.games(id_lists(selected)), len(selected)),
        (SOURCES, reader.sources(), None),
    )
    files = []
    with new_folder(request.output, _LOSSLESS_NAMES, [request.database]) as opened:
        for (table, columns, total), name in zip(tables, _LOSSLESS_NAMES, strict=False):
            with opened(name) as handle:
                hashed = HashedFile(handle)
                count = write_table(ParquetFile(hashed, table), columns, total, reporter)
                digest = hashed.sha256_hex()
                files.append(ListedFile(table.name, name, count, hashed.size_bytes, digest))
        with opened(MANIFEST) as handle:
            kind = game_kind(database.connection)
            write_manifest(handle, kind.name, f"ocgdedup {__version__}", files)
    return {file.table: file.rows for file in files}
