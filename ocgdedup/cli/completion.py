"""Completion for shells, made by shtab from the parser.

What an argument takes is read off its metavar: GAMES.db3 is a file of that kind, FILE and INPUT
are any file, ID and NAME are not to be completed.
"""

from __future__ import annotations

import argparse
import re

import shtab

from ocgdedup.cli.command_tree import arguments_of, commands_of, summaries_of

ANY_FILE = frozenset({"FILE", "INPUT", "LIST"})
FOLDER = frozenset({"DIR", "FOLDER"})


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the completion for bash, zsh or fish; it changes the parser, which is not run then."""
    _mark_files(parser)
    summaries = summaries_of(parser)
    for name, command in commands_of(parser).items():
        command.description = summaries[name]  # all of it is too much beside a name
        _mark_files(command)
    script: str = shtab.complete(parser, shell=shell)
    if shell == "zsh":
        # shtab means "one or more" by it, but zsh takes it for one.
        script = script.replace('\n  "(*):', '\n  "*:')
    return script.rstrip("\n") + "\n"


def _mark_files(command: argparse.ArgumentParser) -> None:
    for action in arguments_of(command):
        kind = _completion(action)
        if kind is not None:
            action.complete = kind  # type: ignore[attr-defined]  # shtab's own attribute


def _completion(action: argparse.Action) -> dict[str, str | dict[str, str]] | None:
    """Return how shtab is to complete an argument; None: not at all, or by its choices."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if metavar in ANY_FILE:
        return dict(shtab.FILE)
    if metavar in FOLDER:
        return dict(shtab.DIRECTORY)
    suffix = re.fullmatch(r"[A-Z]+(\.[a-z0-9]+)", metavar)
    # A report may be .csv or .json, a list may be packed: the metavar names one kind of them.
    if suffix is None:
        return None
    if suffix[1] != ".db3":
        return dict(shtab.FILE)
    # shtab puts the pattern into brackets, which zsh takes for a qualifier of files.
    return {**shtab.glob("*.db3"), "zsh": "_files -g '*.db3'"}
