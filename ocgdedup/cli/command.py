"""A command of the command line: its help, its options and what runs it.

Imports little more than argparse, so that `--help` and the man pages need no built kernels.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple, NoReturn, TextIO, TypeAlias

from ocgdedup.data_files import read_data
from ocgdedup.errors import ExitStatus
from ocgdedup.reports.terminal_text import printable

Commands: TypeAlias = (
    "argparse._SubParsersAction[argparse.ArgumentParser]"  # argparse has no public name for it
)
_USUAL_COLUMNS = 80


class CommandHelp(NamedTuple):
    """The content of a file in help/; `options`: metavar (or None) and help, by option."""

    text: str  # its first sentence is the summary
    examples: tuple[str, ...]  # each a line of shell
    options: dict[str, tuple[str | None, str]]


def _read_paragraphs(name: str) -> list[str]:
    """Return the paragraphs of help/NAME.txt, but not the first, which is about the file itself."""
    return read_data(__file__, "help", f"{name}.txt").split("\n\n")[1:]


@functools.cache
def _read_help(name: str) -> CommandHelp:
    """Read the help of a command; options that it does not explain have that of shared.txt."""
    text, examples, *paragraphs = _read_paragraphs(name)
    options = {}
    for paragraph in (*_read_paragraphs("shared"), *paragraphs):
        head, *lines = paragraph.splitlines()
        option, _, metavar = head.partition(" ")
        options[option] = metavar or None, " ".join(line.strip() for line in lines)
    return CommandHelp(" ".join(text.split()), tuple(examples.splitlines()), options)


class Command(NamedTuple):
    """A command, such as create; its module in cli/ has its name, and offers it as COMMAND.

    What it does, its examples and the help of its options are in help/NAME.txt; an option whose
    help names a list of the program has it where it is added.
    """

    name: str
    add_own_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], ExitStatus]

    @property
    def examples(self) -> tuple[str, ...]:
        """Lines of shell."""
        return _read_help(self.name).examples

    @property
    def summary(self) -> str:
        """What it does, in a few words."""
        text = _read_help(self.name).text
        return text[0].lower() + text[1:].split(". ")[0].rstrip(".")

    def add_to(self, commands: Commands) -> None:
        """Add it to the parser of the whole command line."""
        text, examples, _ = _read_help(self.name)
        # One line for each example, even for a single one: a wrapped command cannot be copied.
        title = "Examples:" if len(examples) > 1 else "Example:"
        command = commands.add_parser(
            self.name,
            help=self.summary,
            description=text,
            epilog="\n  ".join((title, *examples)),
            formatter_class=HelpFormatter,
            allow_abbrev=False,  # a typing error such as "--delet" must not delete anything
        )
        self.add_options(command)

    def add_options(self, command: argparse.ArgumentParser) -> None:
        """Add its options, and those that all commands have."""
        loudness = command.add_mutually_exclusive_group()
        loudness.add_argument("-q", "--quiet", action="store_true")
        loudness.add_argument("-v", "--verbose", action="store_true")
        command.add_argument("--log-file")
        command.set_defaults(log=None)
        self.add_own_options(command)
        options = _read_help(self.name).options
        for action in command._actions:
            if action.help is None:
                long_names = (name for name in action.option_strings if name.startswith("--"))
                action.metavar, action.help = options[next(long_names, action.dest)]


class Parser(argparse.ArgumentParser):
    """Ends with one line for an error, and names the help; argparse prints 20 lines of usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(
            int(ExitStatus.FAILED),
            f"{self.prog}: error: {printable(message)}\nsee '{self.prog} --help'\n",
        )


class HelpFormatter(argparse.HelpFormatter):
    """Keeps the line breaks of a text, so that each example has its own line.

    The width is that of argparse, which makes a formatter for each option of a command, and would
    import shutil for it: a fifteenth of a small search.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns_of(sys.__stdout__) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "".join(indent + line for line in text.splitlines(keepends=True))
        return super()._fill_text(text, width, indent)


def columns_of(stream: TextIO | None) -> int:
    """Return the width of the terminal of a stream, as shutil.get_terminal_size() does."""
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns > 0:
        return columns
    if stream is None:
        return _USUAL_COLUMNS
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_COLUMNS
    except (ValueError, OSError):  # a closed output, or no terminal
        return _USUAL_COLUMNS


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command by its name, in the order of the help."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise ValueError(f"{parser.prog}: has no commands")


def arguments_of(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the visible arguments and options, without commands."""
    for action in command._actions:
        hidden = action.help == argparse.SUPPRESS
        if not hidden and not isinstance(action, argparse._SubParsersAction):
            yield action
