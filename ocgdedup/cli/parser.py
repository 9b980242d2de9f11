"""The commands, and the parser of the whole command line."""

from __future__ import annotations

import argparse

from ocgdedup.cli.command import Command, HelpFormatter, Parser
from ocgdedup.errors import EXIT_MEANINGS
from ocgdedup.version import __version__

SHELLS = ("bash", "zsh", "fish")
NAMES = (
    "run", "create", "compare", "dedup", "review", "decide", "edit", "delete", "restore",
    "players", "tidy", "find", "printpgn", "signatures", "export", "info", "history", "undo",
    "redo", "check", "distributed",
)  # fmt: skip


def load_command(name: str) -> Command:
    """Return a command; imports only its module, to save start-up time."""
    match name:
        case "run":
            from ocgdedup.cli.run import COMMAND  # 13 ms
        case "create":
            from ocgdedup.cli.create import COMMAND  # 13 ms
        case "compare":
            from ocgdedup.cli.compare import COMMAND  # 9 ms
        case "dedup":
            from ocgdedup.cli.dedup import COMMAND  # 14 ms
        case "review":
            from ocgdedup.cli.review import COMMAND  # 7 ms
        case "decide":
            from ocgdedup.cli.decide import COMMAND  # 8 ms
        case "delete":
            from ocgdedup.cli.delete import COMMAND  # 12 ms
        case "restore":
            from ocgdedup.cli.restore import COMMAND  # 12 ms
        case "players":
            from ocgdedup.cli.players import COMMAND  # 16 ms
        case "tidy":
            from ocgdedup.cli.tidy import COMMAND  # 9 ms
        case "edit":
            from ocgdedup.cli.edit import COMMAND  # 12 ms
        case "find":
            from ocgdedup.cli.find import COMMAND  # 12 ms
        case "printpgn":
            from ocgdedup.cli.printpgn import COMMAND  # 5 ms
        case "signatures":
            from ocgdedup.cli.signatures import COMMAND  # 6 ms
        case "export":
            from ocgdedup.cli.export import COMMAND  # 16 ms
        case "info":
            from ocgdedup.cli.info import COMMAND  # 9 ms
        case "history":
            from ocgdedup.cli.history import COMMAND  # 6 ms
        case "undo":
            from ocgdedup.cli.undo import COMMAND  # 6 ms
        case "redo":
            from ocgdedup.cli.redo import COMMAND  # 6 ms
        case "check":
            from ocgdedup.cli.check import COMMAND  # 7 ms
        case "distributed":
            from ocgdedup.cli.distributed import COMMAND  # 14 ms
        case _:
            raise ValueError(f"{name}: is not a command")
    return COMMAND


def summaries() -> dict[str, str]:
    """Return the summaries of all commands by their names."""
    return {name: load_command(name).summary for name in NAMES}


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    `command`: the first word of the command line. If it is a known command, the parser has only
    this command, which takes a fifth of the time; with --version it has none. The messages are the
    same, since none lists the commands.
    """
    parser: argparse.ArgumentParser = Parser(
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
    if command != "--version":
        for name in (command,) if command in NAMES else NAMES:
            load_command(name).add_to(commands)
    return parser


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
        from ocgdedup.cli.completion import completion_script  # 37 ms

        print(completion_script(parser, summaries(), str(values)), end="")
        parser.exit()
