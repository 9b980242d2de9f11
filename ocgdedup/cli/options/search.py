"""The options of a search for duplicates, of dedup and run."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import natural, share

KEEP_CHOICES = ("best-header", "longest", "annotated", "first")


def add_search(command: argparse.ArgumentParser, plycount: str = "") -> None:
    """Add the options of a search; `plycount` ends the help of that option.

    None has a default here: what is not named is taken from the last search.
    """
    command.add_argument(
        "--defaults",
        action="store_true",
        help="forget the options of the last search; without it, options that are not named here "
        "are those of the last search",
    )
    command.add_argument(
        "--plycount",
        type=natural,
        metavar="N",
        help=f"leave out games of fewer than N plies, of Go N moves (default: 0{plycount})",
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


def _add_gates(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--join-accuracy",
        "--accuracy",
        choices=("strict", "normal", "tolerant"),
        help="group near-identical games only within the gates of this name; other near-identical "
        "games become possible duplicates. Each option --join-... and --monge-elkan turns the "
        "gates on, with normal for what is not named (default: no gates, the evidence decides; "
        "docs/duplicates.md)",
    )
    for name, kind, value, text in (
        ("start", natural, "15", "ply from which similarity is measured"),
        ("compare", natural, "10", "plies it must be measured on, else the whole game is taken"),
        ("ply", natural, "10", "plies that both games must have"),
    ):
        option = {"start": "ply-start", "compare": "min-compare", "ply": "min-ply"}[name]
        command.add_argument(
            f"--join-{option}", type=kind, metavar="N", help=f"gates: {text} (default: {value})"
        )
    command.add_argument(
        "--join-diff-ratio",
        type=share,
        metavar="X",
        help="gates: by what share of the longer game lengths may differ (default: 0.15)",
    )
    command.add_argument(
        "--join-dynamic",
        action="store_true",
        help="gates: let the limits follow the number of plies (of Go they always do)",
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
        help="which record stays; never a truncated one beside its full score (default: "
        "best-header)",
    )
    command.add_argument(
        "--no-merge", action="store_true", help="leave the headers of the kept games alone"
    )
    command.add_argument(
        "--merge-variations",
        action="store_true",
        help="keep the differing moves of duplicates as variations of the kept game",
    )
