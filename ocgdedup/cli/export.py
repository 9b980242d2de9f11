"""The command export: choose games, format and files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.selection import add_selection, selection_of
from ocgdedup.cli.options.shared import add_flags, add_names, natural, positive
from ocgdedup.cli.shared import given
from ocgdedup.cli.terminal import choose_reporter, json_text, plain, show, tell, write_result
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.tables.formats import EXPORT_FORMATS, PGN, TEXT_FORMATS, check_name, named_format
from ocgdedup.wording import counted, joined

if TYPE_CHECKING:
    from ocgdedup.commands.export import ExportResult
    from ocgdedup.pipeline.export.text_form import TextForm
    from ocgdedup.store.selection import Selection

_OF_TEXT = ("duplicates", "split", "width", "strip", "keep_evp", "tree")
# Options that change the text of games, of which a tree has only the moves.
_NOT_FOR_TREES = ("duplicates", "split", "strip", "keep_evp", "ids")
_WIDTH = 80  # the default
STRIPPED = ("comments", "variations", "nags", "clocks", "evp")


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--json")
    command.add_argument("-o", "--output")
    command.add_argument(
        "--format",
        choices=(*TEXT_FORMATS, *EXPORT_FORMATS),
        help=f"output format; {joined(EXPORT_FORMATS, 'and')} write tables: all of them if OUT is "
        "a folder, else the games (docs/tables.md) (default: by the ending of OUT)",
    )
    add_flags(command, "--lossless", "--safe-csv")
    command.add_argument("--duplicates")
    command.add_argument("--split", type=positive, default=0)
    add_flags(command, "--force")
    add_selection(command)
    command.add_argument("--tree", type=positive, default=0)
    command.add_argument("--min-games", type=positive, default=0)
    command.add_argument("--width", type=natural, default=_WIDTH)
    command.add_argument("--strip", type=_kinds, default=())
    add_flags(command, "--keep-evp", "--ids")
    add_names(command)


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    for kind in kinds:
        if kind not in STRIPPED:
            raise argparse.ArgumentTypeError(
                f"{kind!r} is none of {', '.join(STRIPPED)} (with commas between, no blanks)"
            )
    return kinds


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Write the games to files or to standard output."""
    _check_options(options)
    form = _table_form(options)
    if options.safe_csv and form != "csv":
        raise UsageError("export: --safe-csv goes with CSV; leave it out, or add --format csv")
    if form is not None:
        return _write_tables(options, form)
    from ocgdedup.commands.export import ExportRequest, export  # 29 ms

    request = ExportRequest(
        **given(options, ExportRequest),
        selection=_selection_of(options),
        form=_form_of(options),
        strip_evp="evp" in options.strip,
    )
    result = export(request, choose_reporter(options))
    if options.json:
        write_result(json_text({"database": options.database, **plain(result)}))
    elif not options.quiet:
        # If the games go to standard output, the summary must not.
        write_line = tell if "-" in (options.output, options.duplicates) else show
        for line in _lines(options, result):
            write_line(line)
    return ExitStatus.DONE


def _selection_of(options: argparse.Namespace) -> Selection:
    """Return the selection for the options of add_selection()."""
    return selection_of(options)._replace(with_duplicates=options.all, order=options.sort)


def _form_of(options: argparse.Namespace) -> TextForm:
    from ocgdedup.pgn.strip import CLOCK_MARKS, EVALUATION_PROFILE, AnnotationFilter  # 5 ms
    from ocgdedup.pipeline.export.text_form import TextForm  # 11 ms

    marks = CLOCK_MARKS if "clocks" in options.strip else ()
    if not options.keep_evp:
        marks = (*marks, EVALUATION_PROFILE)
    kinds = {kind: kind in options.strip for kind in ("comments", "variations", "nags")}
    stripping = AnnotationFilter(**kinds, marks=marks)
    return TextForm(options.width, stripping, ids=options.ids).with_names(options.names)


def _lines(options: argparse.Namespace, result: ExportResult) -> Iterator[str]:
    if options.output is not None and (options.output != "-" or result.left_out):
        first, *others = result.files
        files = f"{len(result.files):,} files, {first} to {others[-1]}" if others else _name(first)
        openings = "the openings of " if options.tree else ""
        line = f"wrote {openings}{counted(result.games, 'game')} to {files}"
        if result.left_out:
            rest = "" if options.duplicates else " (--all writes them too)"
            line += f"; left out {counted(result.left_out, 'duplicate')}{rest}"
        yield line
    if options.duplicates is not None:
        deleted = f" ({result.deleted:,} of them deleted earlier)" if result.deleted else ""
        copies = counted(result.duplicates, "duplicate")
        yield f"wrote {copies}{deleted} to {_name(options.duplicates)}"


def _name(path: str) -> str:
    return "standard output" if path == "-" else path


def _check_options(options: argparse.Namespace) -> None:
    if options.output is None and options.duplicates is None:
        raise UsageError("export: name a file with -o/--output, or with --duplicates, or both")
    _check_tree_options(options)
    if options.split and options.output in (None, "-"):
        raise UsageError("export: --split writes files; name them with -o OUT.pgn")
    if options.all and options.duplicates is not None:
        raise UsageError(
            "export: --all writes duplicates among the games, --duplicates to a file of their own; "
            "leave out one"
        )
    if options.json and "-" in (options.output, options.duplicates):
        raise UsageError("export: --json prints the summary, -o - the games; leave out one")
    if options.keep_evp and "evp" in options.strip:
        raise UsageError("export: --keep-evp does not go with --strip evp; leave out one")
    if options.keep_evp and "comments" in options.strip:
        raise UsageError("export: --keep-evp does not go with --strip comments; leave out one")


def _check_tree_options(options: argparse.Namespace) -> None:
    if not options.tree:
        if options.min_games:
            raise UsageError("export: --min-games goes with --tree; leave it out, or add --tree")
        return
    if options.output is None:
        raise UsageError("export: --tree writes a file; name it with -o OUT.pgn")
    for name in _NOT_FOR_TREES:
        if getattr(options, name):
            raise UsageError(
                f"export: --{name.replace('_', '-')} does not go with --tree; leave out one"
            )
    if options.sort != "id":
        raise UsageError("export: --tree sorts moves by their games; leave out --sort")


def _table_form(options: argparse.Namespace) -> str | None:
    """Return the table format, None for PGN and SGF."""
    output: str | None = options.output
    # A name with no known ending is that of a file of PGN or SGF.
    form: str = options.format or named_format(output or "") or PGN
    if not options.format and form not in EXPORT_FORMATS and output is not None:
        check_name(output, *TEXT_FORMATS, *EXPORT_FORMATS, is_packed=True)
    if options.lossless:
        if options.names is not None:
            raise UsageError(
                "export: --lossless writes the names of the merged headers; leave out --names"
            )
        if options.format not in (None, "parquet"):
            raise UsageError(
                f"export: --lossless is for Parquet; leave out --format {options.format}"
            )
        form = "parquet"
    if form in TEXT_FORMATS:
        return None
    if output is None:
        raise UsageError("export: tables need a place; name a folder or file with -o")
    for name in _OF_TEXT:
        if getattr(options, name) not in (None, (), False, _WIDTH):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"export: {option} is for PGN and SGF, not for tables; leave it out")
    return form


def _write_tables(options: argparse.Namespace, form: str) -> ExitStatus:
    from ocgdedup.commands.export_tables import TablesRequest, export_tables  # 60 ms

    request = TablesRequest(
        **given(options, TablesRequest),
        form=form,
        selection=_selection_of(options),
        is_safe_csv=options.safe_csv,
        is_lossless=options.lossless,
    )
    counts = export_tables(request, choose_reporter(options))
    if options.json:
        write_result(json_text({"database": options.database, "rows": counts}))
    elif not options.quiet and options.output != "-":
        rows = ", ".join(f"{counted(count, 'row')} of {name}" for name, count in counts.items())
        show(f"wrote {rows} to {options.output}")
    return ExitStatus.DONE


COMMAND = Command("export", _add_options, run_command)
