"""Completion for shells, made by shtab from the parser.

The metavar of an argument decides how it is completed: GAMES.db3 is a .db3 file, FILE and INPUT
are any file, ID and NAME are not completed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

import shtab

from ocgdedup.cli.command import arguments_of, commands_of

ANY_FILE = frozenset({"FILE", "ID|FILE", "INPUT", "LIST"})
FOLDER = frozenset({"DIR", "FOLDER"})


def completion_script(
    parser: argparse.ArgumentParser, summaries: Mapping[str, str], shell: str
) -> str:
    """Return the completion for bash, zsh or fish; it changes the parser, which is not run then.

    `summaries`: of the commands, by their names.
    """
    _mark_files(parser)
    for name, command in commands_of(parser).items():
        command.description = summaries[name]  # the full description is too long here
        _mark_files(command)
    script: str = shtab.complete(parser, shell=shell)
    if shell == "zsh":
        # shtab means "one or more", but zsh reads it as exactly one.
        script = script.replace('\n  "(*):', '\n  "*:')
    return script.rstrip("\n") + "\n"


def _mark_files(command: argparse.ArgumentParser) -> None:
    for action in arguments_of(command):
        kind = _completion(action)
        if kind is not None:
            action.complete = kind  # type: ignore[attr-defined]  # shtab's own attribute


def _completion(action: argparse.Action) -> dict[str, str | dict[str, str]] | None:
    """Return how shtab completes an argument; None: not at all, or by its choices."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if metavar in ANY_FILE:
        return dict(shtab.FILE)
    if metavar in FOLDER:
        return dict(shtab.DIRECTORY)
    suffix = re.fullmatch(r"[A-Z]+(\.[a-z0-9]+)", metavar)
    # The metavar names one of several kinds: a report may be .csv or .json, a list compressed.
    if suffix is None:
        return None
    if suffix[1] != ".db3":
        return dict(shtab.FILE)
    # shtab puts the pattern into brackets, which zsh reads as a file qualifier.
    return {**shtab.glob("*.db3"), "zsh": "_files -g '*.db3'"}
