"""export: write the games of a database to PGN or SGF files, and duplicates to another file."""

from __future__ import annotations

import contextlib
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ocgdedup.commands.kind_checks import check_chess_options, check_endings, check_format
from ocgdedup.commands.outputs import (
    NewFiles,
    check_free,
    check_outputs,
    is_part_name,
    is_special,
    new_files,
    part_names,
    present_parts,
    reading,
    standard_output,
    warn_of_decisions,
)
from ocgdedup.errors import UsageError
from ocgdedup.files.compress import Output, compressed
from ocgdedup.model import Reporter
from ocgdedup.pipeline.export.emit import GameWriter
from ocgdedup.pipeline.export.text_form import CLEAN, TextForm
from ocgdedup.store import games
from ocgdedup.store.connection import Database, one_state
from ocgdedup.store.selection import (
    SelectedDuplicates,
    SelectedGames,
    Selection,
    id_lists,
    selected_duplicates,
    selected_games,
)
from ocgdedup.tables.formats import STDOUT_ARGUMENT, TEXT_FORMATS, check_name
from ocgdedup.wording import counted


class ExportRequest(NamedTuple):
    """A request of the user; the file "-" is standard output.

    By default, games are written in full, except evaluation profiles ([%evp]) of ChessBase.
    `duplicates`: the file for duplicates in the selection, deleted ones included. `split`: games
    per file, 0 for one file. `format`: "pgn" or "sgf", an error for the other kind of games.
    `keep_evp`, `strip_evp`: the user named these options. `tree`: write one game with the openings
    of the games up to this ply, 0 for the games themselves; `min_games`: the fewest games of a move
    in it.
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
    tree: int = 0
    min_games: int = 0


class ExportResult(NamedTuple):
    """Counts of written games, of duplicates left out, and of written duplicates (`duplicates`).

    `deleted`: deleted games among the written duplicates. `files`: of the games.
    """

    games: int = 0
    left_out: int = 0
    duplicates: int = 0
    deleted: int = 0
    files: Sequence[str] = ()


def export(
    request: ExportRequest, reporter: Reporter, noted: contextlib.ExitStack | None = None
) -> ExportResult:
    """Write games to files that get their names when all of them are complete.

    `noted`: see new_files(). Raises UsageError for an invalid selection and for existing files.
    """
    _check_files(request)
    with (
        reading(request.database) as database,
        one_state(database.connection),
        new_files([request.database], noted, may_replace=request.force) as files,
    ):
        check_format(database, request.format)
        check_endings(database, (request.output, request.duplicates))
        check_chess_options(
            database, request.selection, keep_evp=request.keep_evp, strip_evp=request.strip_evp,
            tree=bool(request.tree),
        )  # fmt: skip
        return _Export(database, request, reporter, files).run()


def _check_files(request: ExportRequest) -> None:
    """Raise UsageError, before any work, for outputs that cannot be written."""
    if request.form.canonical_names and request.form.original_names:
        raise UsageError("export: canonical names do not go with original names; leave one out")
    outputs = [path for path in (request.output, request.duplicates) if path is not None]
    if not outputs:
        raise UsageError("export: nothing to write; name a file with -o or --duplicates")
    if outputs.count(STDOUT_ARGUMENT) > 1:
        raise UsageError("export: -o and --duplicates cannot both be standard output")
    paths = [path for path in outputs if path != STDOUT_ARGUMENT]
    check_outputs(paths, [request.database])
    for path in paths:
        check_name(path, *TEXT_FORMATS, is_packed=True)
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


class _Export:
    """One export while it runs."""

    def __init__(
        self, database: Database, request: ExportRequest, reporter: Reporter, files: NewFiles
    ) -> None:
        self._database = database
        self._request = request
        self._reporter = reporter
        self._files = files
        self._written_games = 0

    def run(self) -> ExportResult:
        request = self._request
        selected, duplicates = self._selected()
        self._warn_of_faults(None if selected is None else selected.ids)
        warn_of_decisions(self._database, self._request.selection, self._reporter)
        total = games.count_games(self._database.connection)
        ids = None if selected is None else selected.ids
        writer = GameWriter(self._database, request.form, ids=ids)
        result = ExportResult()
        if request.output is not None:
            self._reporter.start("writing", None, total if selected is None else len(selected.ids))
            if selected is not None and request.tree:
                count = self._write_tree(request.output, writer, selected.ids)
                result = ExportResult(count, selected.left_out, files=[request.output])
            elif selected is None:
                texts = writer.all_games(with_copies=request.selection.with_duplicates)
                self._write(request.output, texts)
                count = self._written_games
                result = ExportResult(count, total - count, files=[request.output])
            else:
                files = self._write_selected(request.output, writer, selected.ids)
                result = ExportResult(len(selected.ids), selected.left_out, files=files)
        if request.duplicates is not None:
            self._written_games = 0
            self._reporter.start("writing duplicates", None, len(duplicates))
            self._write(request.duplicates, writer.duplicates(duplicates))
            result = result._replace(duplicates=len(duplicates), deleted=duplicates.removed)
        self._reporter.finish()
        return result

    def _selected(self) -> tuple[SelectedGames | None, SelectedDuplicates]:
        """Return the games, None for all of them by ID, and the duplicates."""
        request, database = self._request, self._database
        is_selection = request.output is not None and (
            request.split > 0 or request.tree > 0 or not request.selection.is_plain
        )
        if not is_selection and request.duplicates is None:
            return None, SelectedDuplicates()
        from ocgdedup.pipeline.export.select import criteria_of  # 12 ms

        criteria = criteria_of(database, request.selection, self._reporter)
        selected = selected_games(database.connection, criteria) if is_selection else None
        if request.duplicates is None:
            return selected, SelectedDuplicates()
        return selected, selected_duplicates(database.connection, criteria)

    def _write_tree(self, output: str, writer: GameWriter, ids: array[int]) -> int:
        """Write the openings of games; return the number of games in them."""
        from ocgdedup.pipeline.export.emit_tree import TreeForm, TreeText  # 5 ms

        request = self._request
        form = TreeForm(request.tree, request.min_games, request.form.width)
        tree = TreeText(self._database, ids, form)
        if tree.games < len(ids):
            others = counted(len(ids) - tree.games, "game")
            self._reporter.warn(
                f"left out of the tree: {others} without moves or from another start position"
            )
        self._write(output, ((0, text) for text in tree.texts(writer)))
        return tree.games

    def _write_selected(self, output: str, writer: GameWriter, ids: array[int]) -> Sequence[str]:
        size = self._request.split
        if not size:
            self._write(output, writer.games_of(id_lists(ids)))
            return [output]
        paths = part_names(output, max(1, -(-len(ids) // size)))
        for number, path in enumerate(paths):
            part = ids[number * size : (number + 1) * size]
            self._write(path, writer.games_of(id_lists(part)))
        written = set(map(os.path.realpath, paths))
        stale = [path for path in present_parts(output) if os.path.realpath(path) not in written]
        if stale:
            self._reporter.warn(
                f"{stale[0]}: is left over from an earlier export"
                + (f", and {len(stale) - 1} more such files" if len(stale) > 1 else "")
            )
        return paths

    def _write(self, path: str, texts: Iterable[tuple[int, bytes]]) -> None:
        with self._opened(path) as output:
            for count, text in texts:
                output.write(text)
                self._written_games += count
                self._reporter.advance(self._written_games, 0)

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
            self._database.connection,
            with_copies=ids is not None or request.selection.with_duplicates,
        )
        count = len(faulty) if ids is None else len(faulty.intersection(ids))
        if count:
            self._reporter.warn(
                f"{counted(count, 'game is', 'games are')} read only up to an error; the rest of "
                f"{'its' if count == 1 else 'their'} text is kept in the table Faults and is not "
                "written"
            )
