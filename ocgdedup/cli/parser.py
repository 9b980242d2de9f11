"""The command line: declares each command once; commands and options read back from the parser.

Imports only argparse and the options, so that `--help` and the man pages need no built kernels.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ocgdedup import __version__
from ocgdedup.cli.options.check import add_check, add_info
from ocgdedup.cli.options.create import add_create, add_distributed
from ocgdedup.cli.options.export import add_export
from ocgdedup.cli.options.find import add_find, add_printpgn, add_signatures
from ocgdedup.cli.options.players import add_players
from ocgdedup.cli.options.run import add_run
from ocgdedup.cli.options.search import add_dedup, add_review
from ocgdedup.cli.options.shared import HelpFormatter
from ocgdedup.errors import EXIT_MEANINGS

SHELLS = ("bash", "zsh", "fish")

_COMMANDS = {
    "run": add_run,
    "create": add_create,
    "dedup": add_dedup,
    "review": add_review,
    "players": add_players,
    "find": add_find,
    "printpgn": add_printpgn,
    "signatures": add_signatures,
    "export": add_export,
    "info": add_info,
    "check": add_check,
    "distributed": add_distributed,
}


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    `command`: if it is a known command, the parser has only this command, which takes a fifth of
    the time. The messages are the same, since none lists the commands.
    """
    parser = argparse.ArgumentParser(
        prog="ocgdedup",
        formatter_class=HelpFormatter,
        description="Find duplicate games in PGN files (chess) and SGF files (Go). Import the "
        "games into one SQLite database, flag the duplicates, resolve player names, and write "
        "clean PGN or SGF files.",
        epilog="'ocgdedup COMMAND --help' shows the options of a command, with examples. "
        "Exit status: "
        + "; ".join(f"{int(status)} {meaning}" for status, meaning in EXIT_MEANINGS.items())
        + ".",
    )
    parser.add_argument("--version", action="version", version=f"ocgdedup {__version__}")
    PrintCompletion.add_to(parser)
    # With prog, argparse does not format a usage line, which would import shutil.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, prog=parser.prog
    )
    for name, add in _COMMANDS.items():
        if command not in _COMMANDS or name == command:
            add(commands)
    return parser


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command by its name, in the order of the help."""
    return dict(_subparsers(parser).choices)


def summaries_of(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the summary of each command."""
    actions = _subparsers(parser)._choices_actions
    return {action.dest: action.help or "" for action in actions}


def examples_of(command: argparse.ArgumentParser) -> list[str]:
    """Return the examples of a command, each a line of shell."""
    lines = (command.epilog or "").splitlines()
    return [line.strip() for line in lines if line.startswith("  ")]


def arguments_of(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the visible arguments and options, without commands."""
    for action in command._actions:
        hidden = action.help == argparse.SUPPRESS
        if not hidden and not isinstance(action, argparse._SubParsersAction):
            yield action


def _subparsers(
    parser: argparse.ArgumentParser,
) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action
    raise ValueError(f"{parser.prog}: has no commands")


class PrintCompletion(argparse.Action):
    """Print the completion for a shell and exit, as --version does."""

    @classmethod
    def add_to(cls, parser: argparse.ArgumentParser) -> None:
        """Add the option to the parser of the whole command line."""
        parser.add_argument(
            "--print-completion",
            action=cls,
            choices=SHELLS,
            default=argparse.SUPPRESS,
            help="print the shell completion for commands, options and file names (how to "
            "install it: docs/reference.md)",
        )

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        # Not at the top: importing shtab takes as long as the whole command line.
        from ocgdedup.cli.completion import completion_script

        print(completion_script(parser, str(values)), end="")
        parser.exit()
