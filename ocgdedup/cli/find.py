"""The command find: print matching games as a table or as JSON."""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.selection import add_conditions, selection_of
from ocgdedup.cli.options.shared import add_flags, natural, positive
from ocgdedup.cli.shared import given
from ocgdedup.cli.terminal import choose_reporter, tell, write_lines
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.files.decompress import refuse_address
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.pipeline.find.games import FindRequest, FoundGames

_ID = re.compile(r"-?\d+", re.ASCII)
_MOST_PATTERN = 1 << 20  # letters


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("--signature-a")
    command.add_argument("--signature-b")
    command.add_argument("--move", action="append", default=[])
    command.add_argument("--pattern")
    command.add_argument("--at", type=natural)
    add_flags(command, "--swap-colours", "--symmetric")
    command.add_argument("--size", type=natural)
    command.add_argument("--like", type=_game_or_file)
    command.add_argument("--md5")
    add_conditions(command)
    command.add_argument("--limit", type=positive, default=0)
    add_flags(command, "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print the games that match the options."""
    from ocgdedup.commands.find import opened_search  # 39 ms

    request = request_of(options)
    reporter = choose_reporter(options)
    shown = itertools.count()
    with opened_search(options.database, request, reporter) as games:
        write_lines(line for line in _lines(games, options) if next(shown) >= 0)
    if not options.quiet:
        lines = next(shown)
        count = lines if options.json or not lines else lines - 1  # a table has a heading
        found = f"{counted(count, 'game')} found" if count else "no game found"
        limit = f" (--limit {options.limit})" if count and count == options.limit else ""
        tell(f"{options.database}: {found}{limit}")
        if games.note is not None:
            tell(games.note)
    return ExitStatus.DONE


def _game_or_file(text: str) -> int | str:
    """Return an ID as a number, and else the name of a file."""
    return int(text) if _ID.fullmatch(text) else text


def request_of(options: argparse.Namespace) -> FindRequest:
    """Return the request for these options."""
    from ocgdedup.pipeline.find.games import FindRequest  # 28 ms

    signatures = {"SignatureA": options.signature_a, "SignatureB": options.signature_b}
    return FindRequest(
        **given(options, FindRequest, pattern=_pattern(options.pattern), moves=tuple(options.move)),
        signatures={column: text for column, text in signatures.items() if text is not None},
        selection=selection_of(options),
        lines=options.size,
    )


def _pattern(given: str | None) -> str | None:
    """Return the pattern, read from a file if given as @FILE."""
    if given is None or not given.startswith("@"):
        return given
    path = given[1:]
    refuse_address(path)
    try:
        with open(path, encoding="utf-8-sig") as handle:
            return handle.read(_MOST_PATTERN)
    except OSError as error:
        raise UsageError(f"--pattern: {path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"--pattern: {path}: is not UTF-8 text; save it as UTF-8") from error


def _lines(matches: FoundGames, options: argparse.Namespace) -> Iterator[str]:
    from ocgdedup.reports.found_games import found_lines, found_object  # 26 ms

    if options.json:
        from ocgdedup.deprecated import with_old_keys  # 1 ms

        for game in matches.games:
            values = with_old_keys("find", found_object(game, matches.kind))
            yield json.dumps(values, ensure_ascii=False)
        return
    import shutil  # takes 5 ms

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else None
    yield from found_lines(matches.games, matches.kind, width=width, fits=matches.detail)


COMMAND = Command("find", _add_options, run_command)
