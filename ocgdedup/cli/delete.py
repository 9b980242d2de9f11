"""The command delete."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from ocgdedup.cli import show, terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.search import add_resources
from ocgdedup.cli.options.selection import add_conditions, selection_of
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.shared import resources_of
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.delete import ChangedGames


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("ids", nargs="*", type=int)
    command.add_argument("--source")
    add_conditions(command)
    add_flags(command, "--yes", "--json")
    add_resources(command)


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Delete games; ask before if the user did not name them by their IDs."""
    from ocgdedup.commands.delete import DeleteRequest, delete  # 50 ms

    path = options.database

    def confirm(games: int) -> bool:
        if options.yes or options.ids:
            return True
        count = counted(games, "game")
        if not terminal.is_interactive():
            raise UsageError(f"{path}: {count} would be deleted; to delete them, add --yes")
        return terminal.confirm(f"{path}: delete {count}?")

    selection = selection_of(options)._replace(with_duplicates=True)
    resources = resources_of(options)
    request = DeleteRequest(path, options.ids, options.source, selection, resources)
    result = delete(request, terminal.choose_reporter(options), confirm)
    if result is None:
        terminal.tell("nothing was deleted")
        return ExitStatus.DONE
    return show_games(options, "deleted", result)


def show_games(options: argparse.Namespace, word: str, result: ChangedGames) -> ExitStatus:
    """Print how many games were "deleted" or "restored"."""
    path = options.database
    if options.json:
        values = {
            "database": path,
            f"games_{word}": result.games,
            "is_searched": bool(result.search),
        }
        terminal.write_result(terminal.json_text(values))
    elif not options.quiet:
        terminal.show(f"{word}: {counted(result.games, 'game')}")
        if result.search is not None:
            terminal.show(f"duplicates: {show.duplicates_text(result.search.resolved)}")
        if word == "deleted" and result.games:
            ids = "".join(f" {game_id}" for game_id in options.ids)
            terminal.show(f"to restore, run: ocgdedup restore {shlex.quote(path)}{ids}")
    return ExitStatus.DONE


COMMAND = Command("delete", _add_options, run_command)
