"""Read commands and options from the parser: for man pages, completion, docs and tests.

Nothing here names a command, so a new command needs no change.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator


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
