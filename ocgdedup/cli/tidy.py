"""The command tidy: set tags by the moves, and by the other games of a tournament."""

from __future__ import annotations

import argparse

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.shared import given
from ocgdedup.cli.show import tidied_text
from ocgdedup.cli.terminal import choose_reporter, json_text, plain, show, write_result
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.wording import counted


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    for name in ("--eco", "--opening"):
        command.add_argument(name, nargs="?", const="missing", choices=("missing", "all"))
    add_flags(command, "--events", "--sites", "--rounds", "--dates", "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Tidy the tags that the options name."""
    from ocgdedup.commands.tidy import TidySteps, tidy  # 50 ms

    steps = TidySteps(**given(options, TidySteps))
    if not any(steps):
        names = ", ".join(f"--{name}" for name in TidySteps._fields)
        raise UsageError(f"tidy: nothing to do; name what to tidy: {names}")
    tidied = tidy(options.database, steps, choose_reporter(options))
    if options.json:
        write_result(json_text({"database": options.database, "tidied": plain(tidied)}))
    elif not options.quiet:
        for step in tidied:
            show(tidied_text(step))
            for value in step.values:
                show(f"  {value.before} -> {value.after}: {counted(value.games, 'game')}")
    return ExitStatus.DONE


COMMAND = Command("tidy", _add_options, run_command)
