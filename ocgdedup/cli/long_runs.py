"""Helpers of the commands that import games: threads, exit status, SIGTERM."""

from __future__ import annotations

import argparse
import signal
from typing import TYPE_CHECKING

from ocgdedup.errors import ExitStatus
from ocgdedup.files.portable import processors

if TYPE_CHECKING:
    from ocgdedup.commands.create import CreateResult


def default_jobs() -> int:
    """Return the default number of parser threads."""
    return min(4, processors())


def load_status(result: CreateResult, options: argparse.Namespace) -> ExitStatus:
    """Return the exit status of an import according to --fail-on."""
    summary = result.summary
    failures = {
        "rejects": summary.rejects or summary.damaged,
        "faults": summary.faults or summary.rejects or summary.damaged,
        "never": 0,
    }
    return ExitStatus.DONE_WITH_REJECTS if failures[options.fail_on] else ExitStatus.DONE


def tidy_up_when_killed() -> None:
    """Clean up after SIGTERM (shutdown, time limit) as after Ctrl-C."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
