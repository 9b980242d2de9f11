"""The command dedup: choose the task and check that the options fit it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ocgdedup.cli import show, terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.search import add_resources, add_search
from ocgdedup.cli.options.shared import REPORT_ENDINGS, add_flags, add_lists, natural
from ocgdedup.cli.shared import given, list_files, named_options, report_writer, resources_of
from ocgdedup.cli.terminal import choose_reporter, tell
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.tables.formats import STDOUT_ARGUMENT
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.dedup_explain import ExplainedMerge, ExplainedPair
    from ocgdedup.commands.dedup_search import ReportWriter
    from ocgdedup.pipeline.search.key_groups import KeyOptions, MethodResult

# Options that a task does not use. Ignoring them silently would hide a misunderstanding.
_CHANGING = (
    "delete", "purge", "full", "report", "force", "no_merge", "merge_variations", "upgrade",
    "fide_xml", "aliases", "list_month", "replace_list", "min_header_quality", "keep_annotations",
)  # fmt: skip
_GATES = (
    "truncated_min_shorter", "accuracy", "gate_dynamic", "monge_elkan", "gate_diff_ratio",
    "gate_ply_start", "gate_min_compare", "gate_min_ply",
)  # fmt: skip
_SEARCH = (*_GATES, "keep", "defaults")
_BY_KEY = ("by", "include_shorter")
_RESOURCES = ("jobs", "memory", "temp_dir", "no_search_file")
# A dry run ignores these and says so.
_HARMLESS = ("fide_xml", "aliases", "list_month", "replace_list", "full", "upgrade")
_MISPLACED = {
    "--dry-run": tuple(name for name in _CHANGING if name not in _HARMLESS),
    "--restore": (*_CHANGING, *_RESOURCES, *_SEARCH, *_BY_KEY, "plycount"),
    "--undo": (*_CHANGING, *_RESOURCES, *_SEARCH, *_BY_KEY, "plycount", "no_players"),
    "--reset": (*_CHANGING, *_RESOURCES, *_SEARCH, *_BY_KEY, "plycount", "no_players"),
    "--explain": (*_CHANGING, *_RESOURCES, *_BY_KEY, "keep", "no_players"),
    "--method": (*_CHANGING, *_RESOURCES, *_SEARCH, *_BY_KEY, "no_players"),
    "--by": (*_GATES, *_RESOURCES, "defaults", "merge_variations", "keep_annotations"),
    # Without --delete, --purge searches, merges and resolves nothing.
    "--purge": (
        *_SEARCH, *_BY_KEY, *_RESOURCES, "plycount", "full", "no_merge", "merge_variations",
        "keep_annotations", "fide_xml", "aliases", "list_month", "replace_list",
    ),
}  # fmt: skip
# The same as in store/search_reader.py, which is slow to import; a test compares them.
METHOD_CHOICES = (
    "last-position", "last-position+length", "all-positions", "every-5", "moves", "moves+players",
)  # fmt: skip
KEY_CHOICES = (*METHOD_CHOICES, "record")


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--json")
    job = command.add_mutually_exclusive_group()
    add_flags(job, "--dry-run", "--undo", "--restore", "--reset")
    job.add_argument("--explain", nargs="+", type=int)
    job.add_argument("--method", action="append", choices=(*METHOD_CHOICES, "all"))
    command.add_argument(
        "--by",
        choices=KEY_CHOICES,
        metavar="KEY",
        help="flag all games with equal keys, whoever played them, instead of weighing evidence; "
        "headers are not merged; KEY: " + ", ".join(KEY_CHOICES),
    )
    add_flags(command, "--include-shorter")
    add_search(command)
    add_flags(command, "--delete")
    command.add_argument("--min-header-quality", type=natural, default=0)
    add_flags(command, "--purge", "--full")
    command.add_argument(
        "--report",
        metavar="FILE",
        help="list duplicates with their kept games, and possible duplicates, as "
        f"{', '.join(REPORT_ENDINGS)} or an .html page with charts, boards and evidence, or as CSV "
        "on standard output (-) (docs/report.md)",
    )
    add_flags(command, "--force")
    add_flags(command, "--upgrade")
    add_resources(command)
    add_flags(command, "--no-search-file")
    add_lists(command)
    add_flags(command, "--no-players")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Run the task that the options choose; raise UsageError if they exclude each other."""
    _check_options(options)
    if options.undo or options.restore or options.reset:
        _revert(options)
    elif options.explain is not None:
        _explain(options)
    elif options.method is not None:
        _compare_methods(options)
    else:
        _dedup(options)
    return ExitStatus.DONE


def _dedup(options: argparse.Namespace) -> None:
    began = time.monotonic()
    from ocgdedup.commands.dedup import dedup  # 44 ms
    from ocgdedup.commands.dedup_search import DedupRequest  # 30 ms

    request = DedupRequest(
        **given(options, DedupRequest),
        options=named_options(options),
        write_report=_report_writer(options),
        with_players=not options.no_players,
        by_key=_by_key(options),
        lists=list_files(options),
        resources=resources_of(options),
    )
    result = dedup(request, may_upgrade=_may_upgrade(options), reporter=choose_reporter(options))
    if options.json:
        values = terminal.plain(result)
        del values["resolved"]["flag_sums"]  # internal
        _write_json(options, **values)
    elif not options.quiet:
        # Standard output has only OCGDB's line, for the scripts that read it.
        if result.players is not None and not result.players.summary.is_unchanged:
            show.show_players(result.players, options.database, tell)
        for line in show.dedup_lines(result, options):
            tell(line)
        write_line = tell if options.report == STDOUT_ARGUMENT else terminal.show
        write_line(show.ocgdb_line(result, time.monotonic() - began))


def _revert(options: argparse.Namespace) -> None:
    """Undo the last run, restore deleted games, or reset all runs."""
    from ocgdedup.commands.dedup_undo import reset_dedup, undo_dedup  # 21 ms
    from ocgdedup.commands.delete import restore  # 40 ms

    path, reporter = options.database, choose_reporter(options)
    values: dict[str, object]
    lines: Iterable[str]
    if options.reset:
        result = reset_dedup(path, reporter)
        values, lines = {"reset": result}, show.reset_lines(result, path)
    elif options.restore:
        restored = restore(path, reporter, duplicates_alone=True).games
        values, lines = {"games_restored": restored}, [f"restored: {counted(restored, 'game')}"]
    else:
        changed = undo_dedup(path, reporter)
        values = {"games_changed_back": changed}
        lines = [f"undone: {counted(changed or 0, 'game')} changed back"]
        if changed is None:
            nothing = "nothing to undo: no run of dedup can be undone"
            lines = [f"{nothing} (to remove all flags, use --reset)"]
    if options.json:
        _write_json(options, **values)
    elif not options.quiet:
        for line in lines:
            terminal.show(line)


def _write_json(options: argparse.Namespace, **values: object) -> None:
    terminal.write_result(terminal.json_text({"database": options.database, **values}))


def _explain(options: argparse.Namespace) -> None:
    from ocgdedup.commands.dedup_explain import explain_merge, explain_pair  # 39 ms

    if len(options.explain) > 2:
        raise UsageError("dedup: --explain takes one or two game IDs")
    if len(options.explain) == 1:
        explained: ExplainedMerge | ExplainedPair = explain_merge(
            options.database, options.explain[0]
        )
    else:
        named = named_options(options)
        ids, defaults = options.explain, options.defaults
        explained = explain_pair(options.database, named, *ids, defaults=defaults)
    if options.json:
        terminal.write_result(terminal.json_text(explained))
    else:
        terminal.write_table(explained.lines)


def _compare_methods(options: argparse.Namespace) -> None:
    from ocgdedup.commands.dedup_explain import compare_by_methods  # 56 ms

    methods = None if "all" in options.method else list(dict.fromkeys(options.method))
    results = compare_by_methods(options.database, methods, options.plycount or 1)
    text = terminal.json_text(results) if options.json else method_table(results)
    terminal.write_result(text)


def _by_key(options: argparse.Namespace) -> KeyOptions | None:
    """Return the key of --by, or None for a search by evidence."""
    if options.by is None:
        return None
    plies = 1 if options.plycount is None else options.plycount
    from ocgdedup.pipeline.search.key_groups import KeyOptions  # 53 ms

    return KeyOptions(options.by, plies, options.include_shorter)


def _report_writer(options: argparse.Namespace) -> ReportWriter | None:
    """Return a writer for the report; refuse an unusable name before any work."""
    if options.report is None:
        return None
    from ocgdedup.commands.outputs import check_free, check_outputs  # 22 ms
    from ocgdedup.commands.publication import is_unpublished  # 22 ms

    write = report_writer(options.report)
    if options.report == STDOUT_ARGUMENT:
        return write
    check_outputs([options.report], [options.database])
    if not is_unpublished(options.database, options.report):
        check_free(options.report, force=options.force)
    return write


def _check_options(options: argparse.Namespace) -> None:
    for job, misplaced in _MISPLACED.items():
        if getattr(options, job[2:].replace("-", "_")) in (None, False):
            continue
        unless = ""
        if job == "--purge":
            if options.delete:
                continue
            unless = " unless --delete is given too"
        for name in misplaced:
            if getattr(options, name) not in (None, False, 0):
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"dedup: {option} does not go with {job}{unless}; leave it out")
    if options.include_shorter and options.by == "record":
        raise UsageError("--include-shorter: a shorter game is another record; use --by moves")
    if options.include_shorter and options.by is None:
        raise UsageError("dedup: --include-shorter goes with --by; leave it out")
    if options.force and options.report is None:
        raise UsageError("dedup: --force overwrites a report; name one with --report FILE")
    if options.json and options.report == STDOUT_ARGUMENT:
        raise UsageError("dedup: --json does not go with --report -, which uses the same output")
    if options.min_header_quality and not options.delete:
        raise UsageError("dedup: --min-header-quality goes with --delete; leave it out")


def _may_upgrade(options: argparse.Namespace) -> Callable[[str], bool]:
    def ask(path: str) -> bool:
        return options.upgrade or terminal.confirm(
            f"{path}: OCGDB wrote this file. Add hash columns and our tables to it? "
            "A copy of the file is kept."
        )

    return ask


_METHOD_HEADER = (
    "method", "reported", "true", "rejected", "groups", "pairs", "true pairs", "s", "CPU s",
)  # fmt: skip


def method_table(results: Sequence[MethodResult]) -> str:
    """Return one line for each method under a header, the numbers to the right."""
    rows = [_METHOD_HEADER, *map(_cells, results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        f"{row[0]:{widths[0]}}"
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        + "\n"
        for row in rows
    )


def _cells(result: MethodResult) -> tuple[str, ...]:
    counts = (
        result.reported, result.true, result.rejected, result.groups,
        result.reported_pairs, result.true_pairs,
    )  # fmt: skip
    times_s = (result.elapsed_s, result.cpu_s)
    return (result.method, *map(str, counts), *(f"{time_s:.3f}" for time_s in times_s))


COMMAND = Command("dedup", _add_options, run_command)
