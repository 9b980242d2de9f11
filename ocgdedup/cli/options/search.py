"""Options of a search for duplicates: those of dedup, run and distributed."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import (
    add_flag,
    natural,
    positive,
    share,
    size_bytes,
)
from ocgdedup.model import ANNOTATIONS

KEEP_CHOICES = ("best-header", "longest", "annotated", "first")


def add_search(command: argparse.ArgumentParser, plycount: str = "") -> None:
    """Add the options of a search; `plycount` is appended to the default of --plycount.

    No option has a default here: missing options are taken from the last search.
    """
    add_flag(
        command,
        "--defaults",
        "use the defaults for options that you omit (otherwise they keep their values from the "
        "last search)",
    )
    command.add_argument(
        "--plycount",
        type=natural,
        metavar="N",
        help=f"ignore games of fewer than N plies (Go: moves) (default: 0{plycount})",
    )
    command.add_argument(
        "--subsumption-min-shorter",
        type=natural,
        metavar="N",
        help="group a truncated game only if it is at least N plies shorter, otherwise list it "
        "as a possible duplicate (default: no minimum)",
    )
    _add_gates(command)
    _add_kept_games(command)


def add_resources(command: argparse.ArgumentParser) -> None:
    """Add the limits on threads, memory and temporary files."""
    command.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="use N threads (default: number of CPUs, at most 4)",
    )
    command.add_argument(
        "--memory",
        type=size_bytes,
        metavar="SIZE",
        help="maximum memory of the search, such as 500M or 2G; larger collections are "
        "searched in parts (default: a quarter of the RAM, at most 2G)",
    )
    command.add_argument(
        "--temp-dir",
        metavar="DIR",
        help="folder for temporary files, about the size of the database, if the search needs "
        "them (default: $TMPDIR, else the folder of the database)",
    )


def _add_gates(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--join-accuracy",
        "--accuracy",
        choices=("strict", "normal", "tolerant"),
        help="gates: group near-identical games only within these limits; each --join option and "
        "--monge-elkan turns the gates on (default: off; docs/duplicates.md)",
    )
    for name, kind, value, text in (
        ("start", natural, "15", "skip N plies at the start of both games"),
        (
            "compare",
            natural,
            "10",
            "compare from the first ply if fewer than N plies would be left",
        ),
        ("ply", natural, "10", "minimum number of plies of both games"),
    ):
        option = {"start": "ply-start", "compare": "min-compare", "ply": "min-ply"}[name]
        command.add_argument(
            f"--join-{option}", type=kind, metavar="N", help=f"gates: {text} (default: {value})"
        )
    command.add_argument(
        "--join-diff-ratio",
        type=share,
        metavar="X",
        help="gates: maximum difference in length, as a share of the longer game (default: 0.15)",
    )
    add_flag(
        command,
        "--join-dynamic",
        "gates: scale the limits with the length of the shorter game (always on for Go; "
        "docs/duplicates.md)",
    )
    command.add_argument(
        "--monge-elkan",
        type=share,
        nargs="?",
        const=0.95,
        metavar="X",
        help="gates: also require this Monge-Elkan similarity of the moves (default: off; 0.95 "
        "if X is omitted)",
    )


def _add_kept_games(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--keep",
        choices=KEEP_CHOICES,
        help="game of each group to keep, never a truncated game if the group has a complete "
        "one (default: best-header)",
    )
    add_flag(command, "--no-merge", "do not merge headers into the kept games")
    command.add_argument(
        "--keep-annotations",
        choices=ANNOTATIONS,
        help="annotations of the kept game: those of all records merged, those of the record "
        "with the longest text, or only its own (default: merge)",
    )
    add_flag(
        command,
        "--merge-variations",
        "keep the differing moves of duplicates as variations of the kept game",
    )
