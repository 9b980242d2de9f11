"""A command of the command line: its help, its options and what runs it.

Imports little more than argparse, so that `--help` and the man pages need no built kernels.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from ocgdedup.errors import ExitStatus

Commands: TypeAlias = (
    "argparse._SubParsersAction[argparse.ArgumentParser]"  # argparse has no public name for it
)
_USUAL_COLUMNS = 80


class Command(NamedTuple):
    """A command, such as create; its module in cli/ has its name, and offers it as COMMAND."""

    name: str
    text: str  # its first sentence is the summary
    examples: tuple[str, ...]  # each a line of shell
    add_own_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], ExitStatus]

    @property
    def summary(self) -> str:
        """What it does, in a few words."""
        return self.text[0].lower() + self.text[1:].split(". ")[0].rstrip(".")

    def add_to(self, commands: Commands) -> None:
        """Add it to the parser of the whole command line."""
        # One line for each example, even for a single one: a wrapped command cannot be copied.
        title = "Examples:" if len(self.examples) > 1 else "Example:"
        command = commands.add_parser(
            self.name,
            help=self.summary,
            description=self.text,
            epilog="\n  ".join((title, *self.examples)),
            formatter_class=HelpFormatter,
            allow_abbrev=False,  # a typing error such as "--delet" must not delete anything
        )
        self.add_options(command)

    def add_options(self, command: argparse.ArgumentParser) -> None:
        """Add its options, and those that all commands have."""
        loudness = command.add_mutually_exclusive_group()
        loudness.add_argument(
            "-q",
            "--quiet",
            action="store_true",
            help="print errors only: no progress, warnings or summary",
        )
        loudness.add_argument(
            "-v", "--verbose", action="store_true", help="print each phase with its time"
        )
        command.add_argument(
            "--log-file",
            metavar="FILE",
            help="append a log to FILE: command line, phases with times, warnings and exit status",
        )
        command.set_defaults(log=None)
        self.add_own_options(command)


class HelpFormatter(argparse.HelpFormatter):
    """Keeps the line breaks of a text, so that each example has its own line.

    The width is that of argparse, which makes a formatter for each option of a command, and would
    import shutil for it: a fifteenth of a small search.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "".join(indent + line for line in text.splitlines(keepends=True))
        return super()._fill_text(text, width, indent)


def _columns() -> int:
    """Return the width of the terminal, as shutil.get_terminal_size() does."""
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns > 0:
        return columns
    if sys.__stdout__ is None:
        return _USUAL_COLUMNS
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _USUAL_COLUMNS
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
