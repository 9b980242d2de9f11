"""Options that select games and their order."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from ocgdedup.cli.options.shared import add_flags, natural

if TYPE_CHECKING:
    from ocgdedup.store.selection import Selection

# The same as in store/selection.py, which is slow to import; a test compares them.
ORDER_CHOICES = ("id", "date", "eco", "white")
SPEED_CHOICES = ("bullet", "blitz", "rapid", "classical")  # the same as in pgn/time_control.py
RESULT_CHOICES = ("1-0", "0-1", "1/2-1/2", "*")

_ECO = re.compile(r"[A-E]\d{0,2}", re.ASCII)


def add_selection(command: argparse.ArgumentParser) -> None:
    """Add the options of a selection; a game must meet all conditions."""
    add_flags(command, "--all")
    add_conditions(command)
    command.add_argument("--sort", choices=ORDER_CHOICES, default="id")


def add_conditions(command: argparse.ArgumentParser) -> None:
    """Add the conditions on headers, first moves and positions."""
    for option in ("--player", "--white", "--black", "--against"):
        command.add_argument(option, action="append", default=[])
    add_flags(command, "--any")
    command.add_argument("--elo", type=_elos)
    command.add_argument("--year", type=_years)
    command.add_argument("--event", action="append", default=[])
    command.add_argument("--result", action="append", default=[], choices=RESULT_CHOICES)
    add_flags(command, "--decisive")
    command.add_argument("--speed", action="append", default=[], choices=SPEED_CHOICES)
    command.add_argument("--eco", type=_eco_ranges, default=[])
    command.add_argument("--opening")
    command.add_argument("--min-plies", type=natural, default=0)
    command.add_argument("--min-header-quality", type=natural, default=0)
    command.add_argument("--where")
    command.add_argument("--moves")
    command.add_argument("--position")


def selection_of(options: argparse.Namespace) -> Selection:
    """Return the selection for the options of add_conditions()."""
    from ocgdedup.store.selection import Selection  # 19 ms

    return Selection(
        min_header_points=options.min_header_quality,
        min_plies=options.min_plies,
        players=tuple(options.player),
        years=options.year,
        eco=tuple(options.eco),
        where=options.where,
        events=tuple(options.event),
        results=tuple(options.result),
        white=tuple(options.white),
        black=tuple(options.black),
        against=tuple(options.against),
        any_player=options.any,
        elo=options.elo,
        is_decisive=options.decisive,
        speeds=tuple(options.speed),
        moves=options.moves,
        position=options.position,
        opening=options.opening,
    )


def _years(text: str) -> tuple[int | None, int | None]:
    return _range(text, 4, "years; write 1990, 1990-1999, 1990- or -1990")


def _elos(text: str) -> tuple[int | None, int | None]:
    return _range(text, 3, "Elos; write 2500-2600, 2600- or -2200")


def _range(text: str, least_digits: int, problem: str) -> tuple[int | None, int | None]:
    """Parse two numbers of up to four digits, with an open end, or one number."""
    number = rf"(\d{{{least_digits},4}})?"
    match = re.fullmatch(f"{number}(-)?{number}", text, re.ASCII)
    first, dash, last = match.groups() if match else (None, None, None)
    low = int(first) if first else None
    high = int(last) if last else None if dash else low
    if (low is None and high is None) or (low and high and low > high) or (last and not dash):
        raise argparse.ArgumentTypeError(f"{text!r} are no {problem}")
    return low, high


def _eco_ranges(text: str) -> list[tuple[str, str]]:
    ranges = []
    for part in text.upper().split(","):
        low, dash, high = part.strip().partition("-")
        high = high if dash else low
        if not (_ECO.fullmatch(low) and _ECO.fullmatch(high)) or low[: len(high)] > high:
            raise argparse.ArgumentTypeError(
                f"{part!r} are no codes of openings; write B20-B99, B22 or B2"
            )
        ranges.append((low, high))
    return ranges
