"""The options of a search for duplicates, of dedup and run."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import natural, positive, share, size_bytes
from ocgdedup.model import ANNOTATIONS

KEEP_CHOICES = ("best-header", "longest", "annotated", "first")


def add_search(command: argparse.ArgumentParser, plycount: str = "") -> None:
    """Add the options of a search; `plycount` ends the help of that option.

    None has a default here: what is not named is taken from the last search.
    """
    command.add_argument(
        "--defaults",
        action="store_true",
        help="forget the options of the last search; otherwise options that you do not name have "
        "their values from the last search",
    )
    command.add_argument(
        "--plycount",
        type=natural,
        metavar="N",
        help="leave out games of fewer than N plies, or N moves in Go games "
        f"(default: 0{plycount})",
    )
    command.add_argument(
        "--subsumption-min-shorter",
        type=natural,
        metavar="N",
        help="group a truncated game only if it is shorter by at least N plies; other truncated "
        "games become possible duplicates (default: no such condition)",
    )
    _add_gates(command)
    _add_kept_games(command)


def add_resources(command: argparse.ArgumentParser) -> None:
    """Add what a search may use of the machine."""
    command.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="use N threads (default: one for each processor, at most 4)",
    )
    command.add_argument(
        "--memory",
        type=size_bytes,
        metavar="SIZE",
        help="memory that the search for duplicates may use, such as 500M or 2G; a larger "
        "collection is searched in parts (default: a quarter of the physical memory, at most 2G)",
    )
    command.add_argument(
        "--temp-dir",
        metavar="DIR",
        help="folder of the temporary files of such a search, which take about the size of the "
        "database (default: $TMPDIR, or else the folder of the database)",
    )


def _add_gates(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--join-accuracy",
        "--accuracy",
        choices=("strict", "normal", "tolerant"),
        help="group near-identical games only within these gates; other near-identical games "
        "become possible duplicates. Each option --join-... and --monge-elkan turns the gates on; "
        "options that you do not name have the value of normal (default: no gates, the evidence "
        "decides; docs/duplicates.md)",
    )
    for name, kind, value, text in (
        ("start", natural, "15", "ply from which similarity is measured"),
        ("compare", natural, "10", "least number of plies to compare, else the whole game"),
        ("ply", natural, "10", "least number of plies of both games"),
    ):
        option = {"start": "ply-start", "compare": "min-compare", "ply": "min-ply"}[name]
        command.add_argument(
            f"--join-{option}", type=kind, metavar="N", help=f"gates: {text} (default: {value})"
        )
    command.add_argument(
        "--join-diff-ratio",
        type=share,
        metavar="X",
        help="gates: largest difference in length, as a share of the longer game (default: 0.15)",
    )
    command.add_argument(
        "--join-dynamic",
        action="store_true",
        help="gates: let the limits follow the number of plies (in Go games they always do)",
    )
    command.add_argument(
        "--monge-elkan",
        type=share,
        nargs="?",
        const=0.95,
        metavar="X",
        help="gates: also require this Monge-Elkan similarity of the moves (default: 0.95)",
    )


def _add_kept_games(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--keep",
        choices=KEEP_CHOICES,
        help="which game of a group is kept; never a truncated game if the whole game is in the "
        "group (default: best-header)",
    )
    command.add_argument(
        "--no-merge", action="store_true", help="leave the headers of the kept games alone"
    )
    command.add_argument(
        "--keep-annotations",
        choices=ANNOTATIONS,
        help="comments, NAGs and variations of the kept game: those of all records merged, of the "
        "record with the longest text alone, or its own alone (default: merge)",
    )
    command.add_argument(
        "--merge-variations",
        action="store_true",
        help="keep the differing moves of duplicates as variations of the kept game",
    )
