"""The command edit: correct games and write notes on them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli import terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.selection import add_conditions, selection_of
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.tables.formats import TEXT_FORMATS, named_format
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.edit import EditRequest, EditResult


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("ids", nargs="*", type=int)
    command.add_argument("--set", action="append", default=[])
    command.add_argument("--clear", action="append", default=[])
    command.add_argument("--note")
    command.add_argument("--from", dest="from_file")
    add_conditions(command)
    add_flags(command, "--all", "--yes", "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Write the corrections and notes that the options give."""
    from ocgdedup.commands.edit import edit  # 60 ms

    request = _request(options)
    result = edit(
        request, lambda count: _may_edit(options, count), terminal.choose_reporter(options)
    )
    if result is None:
        terminal.tell("nothing was changed")
        return ExitStatus.DONE
    if options.json:
        terminal.write_result(
            terminal.json_text({"database": options.database, **terminal.plain(result)})
        )
    elif not options.quiet:
        for line in _lines(options, result):
            terminal.show(line)
    return ExitStatus.DONE_WITH_REJECTS if result.ambiguous else ExitStatus.DONE


def _lines(options: argparse.Namespace, result: EditResult) -> Iterator[str]:
    parts = []
    if result.values:
        parts.append(counted(result.values, "tag"))
    if result.movetexts:
        parts.append(f"moves or annotations of {counted(result.movetexts, 'game')}")
    if result.notes:
        parts.append(counted(result.notes, "note"))
    if parts:
        yield f"{options.database}: changed {counted(result.games, 'game')}: {', '.join(parts)}"
    else:
        yield f"{options.database}: nothing to change"
    if result.ambiguous:
        yield f"left out {counted(len(result.ambiguous), 'game')}:"
        yield from (f"  {line}" for line in result.ambiguous)


def _request(options: argparse.Namespace) -> EditRequest:
    """Return the request for the options; raise UsageError if they contradict each other."""
    from ocgdedup.commands.edit import EditRequest  # 60 ms
    from ocgdedup.store.selection import Selection  # 19 ms

    selection = selection_of(options)._replace(with_duplicates=options.all)
    values: dict[str, str | None] = dict.fromkeys(options.clear)
    for text in options.set:
        tag, sign, value = text.partition("=")
        if not sign or not tag.strip() or values.get(tag.strip(), value) != value:
            raise UsageError(f"--set {text}: write TAG=VALUE, each tag once")
        values[tag.strip()] = value
    has_values = bool(values) or options.note is not None
    has_selection = selection._replace(with_duplicates=False) != Selection()
    ways = bool(options.ids) + has_selection + (options.from_file is not None)
    if ways != 1:
        raise UsageError(
            "edit: name games by their IDs, or by conditions such as --player, or name a file "
            "with --from; one of these"
        )
    if has_values is (options.from_file is not None):
        raise UsageError(
            "edit: a file of --from has the values; leave out --set, --clear and --note"
            if has_values
            else "edit: nothing to change; give --set TAG=VALUE, --clear TAG or --note TEXT"
        )
    if options.from_file is not None:
        if named_format(options.from_file) in TEXT_FORMATS:
            return EditRequest(options.database, games_file=options.from_file)
        from ocgdedup.reports.correction_files import read_corrections  # 30 ms

        return EditRequest(options.database, given=read_corrections(options.from_file))
    return EditRequest(
        options.database,
        options.ids,
        values,
        options.note,
        None if options.ids else selection,
    )


def _may_edit(options: argparse.Namespace, count: int) -> bool:
    games = counted(count, "game")
    if options.yes or not count:
        return True
    if not terminal.is_interactive():
        raise UsageError(f"{options.database}: the conditions select {games}; confirm with --yes")
    return terminal.confirm(f"{options.database}: edit {games}?")


COMMAND = Command("edit", _add_options, run_command)
