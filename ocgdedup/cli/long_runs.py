"""What the commands that load games have in common: threads, and an end by the system."""

from __future__ import annotations

import argparse
import signal
from typing import TYPE_CHECKING

from ocgdedup.errors import ExitStatus
from ocgdedup.files.portable import processors

if TYPE_CHECKING:
    from ocgdedup.commands.create import CreateResult


def default_jobs() -> int:
    """Return how many threads parse unless the user says."""
    return min(4, processors())


def load_status(result: CreateResult, options: argparse.Namespace) -> ExitStatus:
    """Return the exit status of a load, as --fail-on has it."""
    summary = result.summary
    failures = {
        "rejects": summary.rejects or summary.damaged,
        "faults": summary.faults or summary.rejects or summary.damaged,
        "never": 0,
    }
    return ExitStatus.DONE_WITH_REJECTS if failures[options.fail_on] else ExitStatus.DONE


def tidy_up_when_killed() -> None:
    """Let a kill by the system's shutdown or a time limit tidy up as Ctrl-C does."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
