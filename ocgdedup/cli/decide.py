"""The command decide: a decision about one pair of games."""

from __future__ import annotations

import argparse

from ocgdedup.cli import terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.review import apply_decisions
from ocgdedup.errors import ExitStatus


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("ids", nargs=2, type=int)
    command.add_argument("decision", choices=("same", "different", "none"))
    command.add_argument("--keep", type=int)
    command.add_argument("--note")
    add_flags(command, "--apply")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Write a decision about one pair."""
    from ocgdedup.commands.review import decide_all  # 54 ms
    from ocgdedup.reports.decision_files import one_decision  # 57 ms

    first, second = options.ids
    word, keep, note = options.decision, options.keep, options.note
    given = one_decision("decide", first, second, word, keep, note)
    count = decide_all(options.database, [given], terminal.choose_reporter(options))
    if not options.quiet:
        pair = f"games {given.first} and {given.second}"
        terminal.show(f"{pair}: {given.decision or 'undecided'}{'' if count else ', as before'}")
    return apply_decisions(options, count)


COMMAND = Command("decide", _add_options, run_command)
