"""Options that several commands share, and types of option values."""

from __future__ import annotations

import argparse

from ocgdedup.tables.formats import REPORT_FORMATS

REPORT_ENDINGS = tuple(f".{form}" for form in REPORT_FORMATS)  # of lists of pairs

_MOST_DIGITS = 9  # of a number that is not an ID: 32 bits
_UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9}


def add_flag(options: argparse._ActionsContainer, name: str, text: str) -> None:
    """Add an option without a value, with its help, to a command or a group of options."""
    options.add_argument(name, action="store_true", help=text)


def add_database(command: argparse.ArgumentParser) -> None:
    """Add the database that a command reads or changes."""
    command.add_argument(
        "database", metavar="GAMES.db3", help="database of ocgdedup, or of OCGDB with Moves2"
    )


def add_json(command: argparse.ArgumentParser) -> None:
    """Add --json to a command whose summary is an object."""
    add_flag(command, "--json", "print the summary as a JSON object")


def add_fail_on(command: argparse.ArgumentParser) -> None:
    """Add --fail-on: when an import ends with status 1."""
    command.add_argument(
        "--fail-on",
        choices=("rejects", "faults", "never"),
        default="faults",
        help="exit with status 1 for rejected text and damaged input files (rejects), also for "
        "games with errors (faults, default), or for none of these (never)",
    )


def add_lists(command: argparse.ArgumentParser, purpose: str) -> None:
    """Add the lists for looking up names; their help begins with `purpose`."""
    command.add_argument(
        "--fide-xml",
        metavar="LIST",
        help=f"{purpose}this FIDE rating list (XML or text, may be compressed), and store it in "
        "the database",
    )
    command.add_argument(
        "--aliases",
        metavar="FILE",
        help=f"{purpose}this Scid spelling file (.ssp) or tab-separated name table "
        "(docs/players.md), and store it in the database",
    )
    add_flag(command, "--replace-list", "use this rating list even if the database has a newer one")


def add_list_month(command: argparse.ArgumentParser) -> None:
    """Add the month of the rating list."""
    command.add_argument(
        "--list-month",
        type=month,
        metavar="YYYY-MM",
        help="month of the rating list, if the file does not state it; it decides which titles "
        "and Elos are filled in",
    )


def add_names(command: argparse.ArgumentParser, default: str | None) -> None:
    """Add --names."""
    usual = default or "canonical if a FIDE list was loaded, else original"
    command.add_argument(
        "--names",
        choices=("canonical", "original"),
        default=default,
        help="player names: canonical (from the FIDE list; docs/reference.md) or original (from "
        f"the merged header); chess only (default: {usual})",
    )


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
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1") from error
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return number


def size_bytes(text: str) -> int:
    """Parse a size in bytes, with K, M or G for thousands, millions or billions."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    try:
        size = float(number) * _UNITS[unit]
    except (KeyError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 500M or 2G") from error
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
