"""Options that several commands share, and types of option values."""

from __future__ import annotations

import argparse

from ocgdedup.tables.formats import REPORT_FORMATS

REPORT_ENDINGS = tuple(f".{form}" for form in REPORT_FORMATS)  # of lists of pairs

_MOST_DIGITS = 9  # of a number that is not an ID: 32 bits
_UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9}


def add_flags(options: argparse._ActionsContainer, *names: str) -> None:
    """Add options without a value to a command or a group of options."""
    for name in names:
        options.add_argument(name, action="store_true")


def add_fail_on(command: argparse.ArgumentParser) -> None:
    """Add --fail-on: when an import ends with status 1."""
    command.add_argument("--fail-on", choices=("rejects", "faults", "never"), default="faults")


def add_games(command: argparse.ArgumentParser) -> None:
    """Add IDs of games, and -g, their name in older versions; ids_of() reads both."""
    command.add_argument("games", nargs="*", type=int)
    command.add_argument(
        "-g", "--game", dest="more_games", type=int, action="extend", nargs="+", default=[]
    )


def ids_of(options: argparse.Namespace) -> list[int]:
    """Return the IDs of add_games()."""
    return [*options.games, *options.more_games]


def add_lists(command: argparse.ArgumentParser) -> None:
    """Add the lists for looking up names, and the month of the rating list."""
    command.add_argument("--fide-xml")
    command.add_argument("--aliases")
    add_flags(command, "--replace-list")
    command.add_argument("--list-month", type=month)


def add_names(command: argparse.ArgumentParser) -> None:
    """Add --names."""
    command.add_argument("--names", choices=("canonical", "merged", "file"))


def month(text: str) -> str:
    """Parse a month (YYYY-MM)."""
    year, _, number = text.partition("-")
    is_number = text.isascii() and year.isdigit() and number.isdigit()
    if not (is_number and len(year) == 4 and len(number) == 2 and 1 <= int(number) <= 12):
        raise argparse.ArgumentTypeError(f"{text!r} is no month such as 2025-02")
    return text


def share(text: str) -> float:
    """Parse a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return number


def size_bytes(text: str) -> int:
    """Parse a size in bytes, with K, M or G for thousands, millions or billions."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    try:
        size = float(number) * _UNITS[unit]
    except (KeyError, ValueError):
        size = 0
    if not 1 <= size < 1e15:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 500M or 2G")
    return int(size)


def positive(text: str) -> int:
    """Parse an integer of at least 1."""
    number = natural(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def natural(text: str) -> int:
    """Parse an integer of at least 0 with at most nine digits."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    if len(text.lstrip("0")) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"{text} is too large a number")
    return int(text)
