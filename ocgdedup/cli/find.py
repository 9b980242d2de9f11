"""The command find: print matching games as a table or as JSON."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.selection import add_conditions, selection_of
from ocgdedup.cli.options.shared import add_database, add_flag, natural, positive
from ocgdedup.cli.terminal import choose_reporter, tell, write_lines
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.files.decompress import refuse_address
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.pipeline.find.games import FindRequest, FoundGames

_MOST_PATTERN = 1 << 20  # letters


def _add_options(command: argparse.ArgumentParser) -> None:
    add_database(command)
    _add_moves(command)
    _add_likeness(command)
    add_conditions(command)
    command.add_argument(
        "--limit",
        type=positive,
        default=0,
        metavar="N",
        help="stop after the first N games",
    )
    add_flag(command, "--json", "print one JSON object per line for each game")


def _add_moves(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--signature-a",
        metavar="MOVES",
        help="games with these moves 20, 40 and 60, as printed by 'ocgdedup signatures'; write "
        "_ for an unknown letter (docs/reference.md)",
    )
    command.add_argument(
        "--signature-b",
        metavar="MOVES",
        help="games with these moves 31, 51 and 71, written like --signature-a",
    )
    command.add_argument(
        "--move",
        action="append",
        default=[],
        metavar="N=MOVE",
        help="games with this move N (chess: ply N, or 10w for White's move 10), such as "
        "20=e2e4, 20=e4 or, in Go, 20=qo; repeatable (docs/reference.md)",
    )
    command.add_argument(
        "--position",
        metavar="TEXT",
        help="games in which this position occurs: in chess a FEN or its first fields, in Go "
        "all stones, such as 'AB[pd][dp]AW[dd]' (docs/reference.md)",
    )
    _add_pattern(command)
    add_flag(
        command,
        "--symmetric",
        "Go: also match signatures, moves, position and pattern in all eight rotations and "
        "reflections",
    )
    command.add_argument(
        "--size",
        type=natural,
        metavar="N",
        help="Go: games on boards of N lines, at most 25 (default with --symmetric: 19)",
    )


def _add_pattern(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--pattern",
        metavar="TEXT",
        help="games with a position that matches this pattern, such as 'Q = 3' or, in Go, "
        "'.XO/?X.'; @FILE reads it from a file (docs/find.md)",
    )
    command.add_argument(
        "--at",
        type=natural,
        metavar="N",
        help="match the pattern only after N moves (chess: plies)",
    )
    add_flag(command, "--swap-colours", "Go: also match the pattern with colours swapped")


def _add_likeness(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--like",
        type=int,
        metavar="ID",
        help="games similar to this one, the most similar first: same moves (Go: also rotated "
        "or mirrored), first 100 moves, signatures A and B, first 50 moves",
    )
    command.add_argument(
        "--md5",
        metavar="HEX",
        help="games with this MD5 sum of all moves, of the first 50 or 100 moves, or the "
        "canonical one (Go: as printed by sgfinfo -md5 and -can)",
    )


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print the games that match the options."""
    from ocgdedup.commands.find import opened_search

    request = request_of(options)
    reporter = choose_reporter(options)
    shown = itertools.count()
    with opened_search(options.database, request, reporter) as games:
        write_lines(line for line in _lines(games, options) if next(shown) >= 0)
    if not options.quiet:
        lines = next(shown)
        count = lines if options.json or not lines else lines - 1  # a table has a heading
        tell(f"{options.database}: {_count_text(count, options.limit)}")
    return ExitStatus.DONE


def request_of(options: argparse.Namespace) -> FindRequest:
    """Return the request for these options."""
    from ocgdedup.pipeline.find.games import FindRequest

    signatures = {"SignatureA": options.signature_a, "SignatureB": options.signature_b}
    return FindRequest(
        signatures={column: text for column, text in signatures.items() if text is not None},
        moves=tuple(options.move),
        like=options.like,
        md5=options.md5,
        position=options.position,
        pattern=_pattern(options.pattern),
        at=options.at,
        swap_colours=options.swap_colours,
        selection=selection_of(options),
        lines=options.size,
        symmetric=options.symmetric,
        limit=options.limit,
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


def _count_text(count: int, limit: int) -> str:
    if not count:
        return "no game found"
    text = f"{counted(count, 'game')} found"
    return f"{text} (--limit {limit})" if count == limit else text


def _lines(matches: FoundGames, options: argparse.Namespace) -> Iterator[str]:
    from ocgdedup.reports.found_games import found_lines, found_object

    if options.json:
        for game in matches.games:
            yield json.dumps(found_object(game, matches.kind), ensure_ascii=False)
        return
    import shutil  # takes 5 ms

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else None
    yield from found_lines(matches.games, matches.kind, width=width, fits=matches.fits)


COMMAND = Command(
    "find",
    "Find chess or Go games by moves, positions, players, years and other conditions. If "
    "you give several conditions, a game must meet all of them. Flagged duplicates are shown "
    "and marked as duplicates; deleted games are not shown. The database is not changed.",
    (
        "ocgdedup find games.db3 --move 46=g3",
        "ocgdedup find games.db3 --signature-a 'e7c5________'",
        "ocgdedup find games.db3 --position 5rk1/pp4pp/4p3/2R3Q1/3n4/2q4r/P1P2PPP/5RK1",
        "ocgdedup find games.db3 --like 17",
        "ocgdedup find games.db3 --player 'Tal, Mihail' --year 1957-1960 --json",
        "ocgdedup find games.db3 --event championship --result 1-0 --min-plies 60",
        "ocgdedup find games.db3 --pattern 'R = 0 and r = 0 and Q = 1 and q = 1'",
        "ocgdedup find go.db3 --signature-a qo??hn --symmetric",
        "ocgdedup find go.db3 --signature-a 'oc????'",
        "ocgdedup find go.db3 --position 'AB[pd][dp]AW[dd][pp]' --move 20=qo",
        "ocgdedup find go.db3 --pattern '.XO/?.X' --symmetric --swap-colours",
    ),
    _add_options,
    run_command,
)
