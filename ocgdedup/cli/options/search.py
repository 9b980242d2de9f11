"""Options of a search for duplicates: those of dedup, run and distributed."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import add_flags, natural, positive, share, size_bytes
from ocgdedup.model import ANNOTATIONS

KEEP_CHOICES = ("best-header", "longest", "annotated", "first")


def add_search(command: argparse.ArgumentParser) -> None:
    """Add the options of a search.

    No option has a default here: missing options are taken from the last search.
    """
    add_flags(command, "--defaults")
    command.add_argument("--plycount", type=natural)
    command.add_argument("--truncated-min-shorter", type=natural)
    command.add_argument("--accuracy", choices=("strict", "normal", "tolerant"))
    command.add_argument("--gate-ply-start", type=natural)
    command.add_argument("--gate-min-compare", type=natural)
    command.add_argument("--gate-min-ply", type=natural)
    command.add_argument("--gate-diff-ratio", type=share)
    add_flags(command, "--gate-dynamic")
    command.add_argument("--monge-elkan", type=share, nargs="?", const=0.95)
    command.add_argument("--keep", choices=KEEP_CHOICES)
    add_flags(command, "--no-merge")
    command.add_argument("--keep-annotations", choices=ANNOTATIONS)
    add_flags(command, "--merge-variations")


def add_resources(command: argparse.ArgumentParser) -> None:
    """Add the limits on threads, memory and temporary files."""
    command.add_argument("--jobs", type=positive)
    command.add_argument("--memory", type=size_bytes)
    command.add_argument("--temp-dir")
