"""The command run: its outputs by name, and its summary as text or JSON."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ocgdedup.cli import shared, show, terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.search import add_resources, add_search
from ocgdedup.cli.options.shared import REPORT_ENDINGS, add_fail_on, add_flags, add_lists, add_names
from ocgdedup.cli.terminal import ask, choose_reporter, tell, write_result
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.files.compress import COMPRESSED_ENDINGS
from ocgdedup.tables.formats import STDOUT_ARGUMENT
from ocgdedup.wording import STATUSES, counted, joined

if TYPE_CHECKING:
    from ocgdedup.commands.create import CreateResult
    from ocgdedup.commands.run import RunRequest, RunResult
    from ocgdedup.store.reports import SourceCounts

_SOURCES_SHOWN = 20  # input files with a line of their own
_COUNTS = ("games", "new", "duplicates", "truncated", "possible_duplicates", "rejected")
_NAMES = ("names", "persons", "fide_persons", "unresolved_names")
_PHASES = {"load": "reading", "players": "players", "duplicates": "duplicates", "export": "writing"}


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("inputs", nargs="*")
    command.add_argument("-o", "--output")
    add_flags(command, "--no-output")
    command.add_argument("--new-games")
    command.add_argument("--db")
    command.add_argument("--duplicates")
    command.add_argument(
        "--report",
        metavar="FILE.html",
        help="write a report of the results: .html to read, or all pairs as "
        f"{joined(REPORT_ENDINGS, 'or')}",
    )
    command.add_argument("--rejects")
    add_search(command)
    add_lists(command)
    add_names(command)
    add_flags(command, "--no-ids")
    command.add_argument("--tidy")
    add_resources(command)
    add_flags(command, "--no-search-file")
    add_fail_on(command)
    add_flags(command, "--json", "--force")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Run all phases and print the summary, on standard error if standard output has the games."""
    from ocgdedup.commands.run import run  # 71 ms

    _check_named(options)
    request = _request(options)
    result = run(request, choose_reporter(options))
    if options.json or not options.quiet:
        _show(request, result, as_json=options.json)
    return ExitStatus.DONE if result.loaded is None else shared.load_status(result.loaded, options)


def _request(options: argparse.Namespace) -> RunRequest:
    from ocgdedup.commands.run import RunRequest  # 59 ms
    from ocgdedup.commands.tidy import read_steps  # 1 ms
    from ocgdedup.pipeline.export.text_form import CLEAN  # 11 ms

    return RunRequest(
        **shared.given(options, RunRequest),
        database=_database_of(options),
        lists=shared.list_files(options),
        form=CLEAN._replace(ids=not options.no_ids).with_names(options.names),
        options=shared.named_options(options),
        tidy_steps=None if options.tidy is None else read_steps(options.tidy),
        report_path=options.report,
        write_report=shared.report_writer(options.report),
        rejects_path=options.rejects,
        resources=shared.resources_of(options),
    )


def _check_named(options: argparse.Namespace) -> None:
    """Raise UsageError unless the user named a clean file or decided to write none."""
    if options.output is not None and options.no_output:
        raise UsageError("run: -o names the clean file and --no-output writes none; leave one out")
    if (options.output, options.new_games) == (None, None) and not options.no_output:
        raise UsageError(
            "run: nothing to write; name the clean file with -o CLEAN.pgn, or a file for the new "
            "games with --new-games NEW.pgn, or update only the database with --no-output"
        )


def _database_of(options: argparse.Namespace) -> str:
    """Return the name of the database, by default that of the clean file with another ending."""
    output: str | None = options.output
    if options.db is not None:
        return str(options.db)
    if output is None:
        raise UsageError("run: without -o, name the database with --db GAMES.db3")
    if output == STDOUT_ARGUMENT:
        raise UsageError("run: -o - gives the database no name; name it with --db GAMES.db3")
    if output.endswith(("/", os.sep)):
        raise UsageError(f"{output}: is a folder; name a file")
    stem = output
    for ending in (*COMPRESSED_ENDINGS, ".pgn", ".sgf"):
        stem = stem[: -len(ending)] if stem.lower().endswith(ending) else stem
    return f"{stem}.db3"


def _show(request: RunRequest, result: RunResult, *, as_json: bool) -> None:
    if result.loaded is not None and not as_json:
        show.show_faults(result.loaded, None)
    to_error = STDOUT_ARGUMENT in request.game_outputs()
    if as_json:
        from ocgdedup.deprecated import with_old_keys  # 1 ms

        values = with_old_keys("run", _summary(request, result))
        text = json.dumps(values, ensure_ascii=to_error, indent=2)
        (ask if to_error else write_result)(f"{text}\n")
        return
    write_line = tell if to_error else terminal.show
    for name, text in _lines(request, result):
        for line in terminal.wrapped_lines(text, name or " "):
            write_line(line)


def _lines(request: RunRequest, result: RunResult) -> Iterator[tuple[str, str]]:
    """Yield the label and the text of each line of the summary."""
    if result.loaded is not None:
        yield from _loaded_lines(request, result.loaded)
    if result.players is not None:
        nothing_new = "; nothing new" if result.players.summary.is_unchanged else ""
        yield "players", f"{show.spellings_text(result.players.summary)}{nothing_new}"
        if result.players.fide_list is not None:
            yield "FIDE list", show.list_text(result.players)
    yield from _source_lines(result.sources, result.earlier_sources)
    resolved = result.duplicates.resolved
    yield "duplicates", show.duplicates_text(resolved)
    where = request.duplicates or "name a file with --duplicates"
    changed = [show.tidied_text(step) for step in result.tidied if step.filled + step.replaced]
    if changed:
        yield "tidied", "; ".join(changed)
    annotations = show.annotations_text(resolved, where)
    if annotations is not None:
        yield "annotated", annotations
    possible = result.duplicates.possible_duplicates
    pairs = f"{counted(possible, 'possible duplicate')}, both games kept"
    yield "possible", pairs if possible else "no possible duplicates"
    yield from _written_lines(request, result)
    if request.report_path is not None:
        yield "report", request.report_path
    yield "database", request.database
    if possible:
        yield "next", f"ocgdedup review {shlex.quote(request.database)}"
    parts = [f"{_PHASES[phase]} {seconds:.1f}" for phase, seconds in result.elapsed_s.items()]
    yield "time", f"{sum(result.elapsed_s.values()):.1f} s ({', '.join(parts)})"


def _written_lines(request: RunRequest, result: RunResult) -> Iterator[tuple[str, str]]:
    counts = (
        (request.output, result.written.games, "game"),
        (request.new_games, result.new_games, "new game"),
        (request.duplicates, result.written.duplicates, "duplicate"),
    )
    texts = [f"{counted(count, noun)} to {path}" for path, count, noun in counts if path]
    yield from zip(("written", "", ""), texts, strict=False)


def _loaded_lines(request: RunRequest, loaded: CreateResult) -> Iterator[tuple[str, str]]:
    summary = loaded.summary
    read = counted(summary.games, "game")
    if summary.faults:
        read += f", {summary.faults:,} read up to an error"
    if summary.skipped:
        read += f"; skipped {counted(len(summary.skipped), 'file')}: already imported"
    yield "read", read
    if summary.unwanted:
        yield "deleted", f"before: {show.unwanted_text(summary.unwanted)}"
    if summary.rejects:
        texts = counted(summary.rejects, "text that is", "texts that are")
        yield "rejected", f"{texts} not a game, written to {loaded.rejects_path}"
    if summary.damaged:
        yield "damaged", f"{counted(summary.damaged, 'input file')}, read up to the damage"


def _source_lines(sources: Sequence[SourceCounts], earlier: int) -> Iterator[tuple[str, str]]:
    """Yield a line for each new input file, the most new games first, and one for earlier files.

    If there are many new files: for the largest ones, or for folders.
    """
    new = sources[earlier:]
    shown = _largest(new)
    label = "files"
    # Folders if the largest files have less than half of the games: one game in each file, say.
    if sum(source.games for source in shown) < sum(source.games for source in new) / 2:
        new, label = _folders(new), "folders"
        shown = _largest(new)
    for source in shown:
        yield label, f"{source.name}: {counted(source.games, 'game')}, {show.source_text(source)}"
        label = ""
    if len(new) > len(shown):
        yield "", f"and {len(new) - len(shown):,} more (see 'ocgdedup info --json')"
    if earlier:
        games = counted(sum(source.games for source in sources[:earlier]), "game")
        yield label, f"imported before: {counted(earlier, 'file')}, {games}"


def _largest(sources: Sequence[SourceCounts]) -> list[SourceCounts]:
    return sorted(sources, key=lambda source: (-source.new, -source.games))[:_SOURCES_SHOWN]


def _folders(sources: Sequence[SourceCounts]) -> list[SourceCounts]:
    """Return the counts by folder, in the order of their first files."""
    by_folder: dict[str, list[SourceCounts]] = {}
    for source in sources:
        by_folder.setdefault(f"{os.path.dirname(source.name) or '.'}/", []).append(source)
    return [
        files[0]._replace(
            name=f"{folder} ({counted(len(files), 'file')})",
            **{count: sum(getattr(file, count) for file in files) for count in _COUNTS},
        )
        for folder, files in by_folder.items()
    ]


def _summary(request: RunRequest, result: RunResult) -> dict[str, object]:
    """Return the summary for programs; its keys are documented in docs/reference.md."""
    loaded, players, resolved = result.loaded, result.players, result.duplicates.resolved
    return {
        "database": request.database,
        "output": request.output,
        "duplicates": request.duplicates,
        "new_games": request.new_games,
        "report": request.report_path,
        "rejects": loaded.rejects_path if loaded else None,
        "games_read": loaded.summary.games if loaded else 0,
        "games_truncated_at_error": loaded.summary.faults if loaded else 0,
        "texts_rejected": loaded.summary.rejects if loaded else 0,
        "games_unwanted": loaded.summary.unwanted if loaded else 0,
        "inputs_damaged": loaded.summary.damaged if loaded else 0,
        "inputs_skipped": list(loaded.summary.skipped) if loaded else [],
        "games": result.duplicates.games,
        **{count: getattr(players.summary, count) if players else None for count in _NAMES},
        "groups": resolved.groups,
        "duplicates_by_class": {kind: resolved.duplicates.get(kind, 0) for kind in STATUSES},
        "longer": resolved.longer,
        "diverging": resolved.diverging,
        "annotations_merged": resolved.annotations_merged,
        "annotations_left": resolved.annotations_left,
        "possible_duplicates": result.duplicates.possible_duplicates,
        "tidied": terminal.plain(result.tidied),
        "sources": [source._asdict() for source in result.sources],
        "games_written": result.written.games,
        "duplicates_written": result.written.duplicates,
        "new_games_written": result.new_games,
        "elapsed_s": {phase: round(seconds, 3) for phase, seconds in result.elapsed_s.items()},
    }


COMMAND = Command("run", _add_options, run_command)
