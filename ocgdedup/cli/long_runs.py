"""What the commands that load games have in common: threads, and an end by the system."""

from __future__ import annotations

import os
import signal


def default_jobs() -> int:
    """Return how many threads parse unless the user says."""
    return min(4, len(os.sched_getaffinity(0)))


def tidy_up_when_killed() -> None:
    """Let a kill by the system's shutdown or a time limit tidy up as Ctrl-C does."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
