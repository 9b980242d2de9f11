"""The parts of docs/reference.md and schema/README.md that are made from the program."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator

from ocgdedup.cli.command import arguments_of, commands_of
from ocgdedup.cli.parser import NAMES, build_parser, load_command
from ocgdedup.deprecated import ATTRIBUTES, CLASSES, KEYS, OPTIONS, VALUES
from ocgdedup.errors import EXIT_MEANINGS
from ocgdedup.game_columns import GAME_COLUMNS

from .written_files import WRITTEN_FILES

PART = re.compile(r"<!-- made: (\w+) -->\n.*?<!-- end -->", re.DOTALL)


def with_parts(text: str) -> str:
    """Return a document with its made parts anew; KeyError if one is not known."""

    def part(match: re.Match[str]) -> str:
        makers = PARTS | SCHEMA_PARTS
        lines = "\n".join(makers[match[1]](build_parser()))
        return f"<!-- made: {match[1]} -->\n\n{lines}\n\n<!-- end -->"

    return PART.sub(part, text)


def _overview(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("| command | what it does |", "|---|---|")
    for name in NAMES:
        yield f"| [`{name}`](#{name}) | {_cell(load_command(name).summary)} |"
    for action in arguments_of(parser):
        yield f"| {_invocation(parser, action)} | {_help(parser, action)} |"


def _commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    for number, (name, command) in enumerate(commands_of(parser).items()):
        if number:
            yield ""
        yield from (f"### {name}", "", command.description or "", "")
        yield from ("| argument | meaning |", "|---|---|")
        for action in arguments_of(command):
            if action.dest != "help":
                yield f"| {_invocation(command, action)} | {_help(command, action)} |"
        yield from ("", "```sh", *load_command(name).examples, "```")


def _statuses(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("| status | meaning |", "|---|---|")
    for status, meaning in EXIT_MEANINGS.items():
        yield f"| {int(status)} | {meaning} |"


def _deprecated(_: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("| where | old name | new name |", "|---|---|---|")
    renamed = {row: "" for options in OPTIONS.values() for row in options.items()}
    for old, new in renamed:
        commands = [f"`{name}`" for name, options in OPTIONS.items() if old in options]
        yield f"| {', '.join(commands)} | `{old}` | `{new}` |"
    for old, new in {row: "" for values in VALUES.values() for row in values.items()}:
        commands = [f"`{name}`" for name, values in VALUES.items() if old in values]
        yield f"| {', '.join(commands)} | `{old}` | `{new}` |"
    for command, keys in KEYS.items():
        for old, new in keys.items():
            yield f"| `{command} --json` | `{old}` | `{new}` |"
    for old, new in CLASSES.items():
        yield f"| Python | `{old}` | `{new}` |"
    for owner, attributes in ATTRIBUTES.items():
        for old, new in attributes.items():
            yield f"| Python | `{owner}.{old}` | `{new}` |"


def _files(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("| file | what it is | written by |", "|---|---|---|")
    for file in WRITTEN_FILES:
        names = [name for name, command in commands_of(parser).items() if file.is_of(command)]
        writers = (
            ", ".join(f"`{name}`" for name in names) if file.option else "all commands that write"
        )
        yield f"| `{file.name}` | {_cell(file.meaning)} | {writers} |"


def _game_columns(_: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("| column | type | meaning |", "|---|---|---|")
    for column in GAME_COLUMNS:
        mark = " ᴼ" if column.of_ocgdb else ""
        yield f"| `{column.name}`{mark} | {column.sql_type} | {column.meaning} |"


PARTS: dict[str, Callable[[argparse.ArgumentParser], Iterator[str]]] = {
    "overview": _overview,
    "commands": _commands,
    "deprecated": _deprecated,
    "statuses": _statuses,
    "files": _files,
}
SCHEMA_PARTS = {"game_columns": _game_columns}


def _invocation(command: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return an argument as it is typed: its names, what follows it behind the last one."""
    values = command._get_formatter()._format_args(action, action.dest.upper())
    if not action.option_strings:
        return f"`{_cell(values)}`"
    *short, last = action.option_strings
    named = f"{last} {values}" if action.nargs != 0 else last
    return ", ".join(f"`{_cell(name)}`" for name in (*short, named))


def _help(command: argparse.ArgumentParser, action: argparse.Action) -> str:
    return _cell(command._get_formatter()._expand_help(action))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
