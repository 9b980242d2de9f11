"""Run command lines in tests."""

from __future__ import annotations

import sys
from typing import NamedTuple, Protocol


class Outcome(NamedTuple):
    """Exit status and both streams of one command."""

    status: int
    out: str
    err: str


class Command(Protocol):
    def __call__(self, *arguments: object, stdin: bytes | None = None) -> Outcome: ...


def command_line(*arguments: object) -> list[str]:
    """Return the arguments of a process that runs the command line."""
    return [sys.executable, "-m", "ocgdedup", *map(str, arguments)]


def run_lines(command: Command, *lines: str) -> None:
    """Run command lines one after another; none may fail."""
    for line in lines:
        outcome = command(*line.split(), "-q")
        assert outcome.status in (0, 1), (line, outcome)
