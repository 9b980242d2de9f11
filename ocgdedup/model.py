"""What crosses layers: small immutable records and the protocol of progress reports.

Named tuples, not dataclasses: those import `inspect`, a tenth of the start-up time of a command.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class FaultNotice(NamedTuple):
    """A game that was kept up to an error."""

    source: str
    line: int
    number: int
    ply: int
    reason: str


class RejectNotice(NamedTuple):
    """A block of text that is no game; it went to the reject file as it is."""

    source: str
    line: int
    number: int
    reason: str


class IngestSummary(NamedTuple):
    """What a load did; `first_id` is the ID of its first game."""

    first_id: int
    games: int
    faults: int
    rejects: int
    damaged: int


class ExactSummary(NamedTuple):
    """What a search for exact duplicates found; `copies` counts games that have a master."""

    games: int
    copies: int
    groups: int


class Reporter(Protocol):
    """What a long phase tells while it runs; implementations live in the command line."""

    def start(self, phase: str, total_bytes: int | None, total_games: int | None) -> None:
        """Begin a phase of known size in bytes or games, if either is known."""

    def advance(self, games: int, position_bytes: int) -> None:
        """Tell how many games are done, and how many bytes of the input."""

    def warn(self, message: str) -> None:
        """Tell what the user should know though the work goes on."""

    def finish(self) -> None:
        """End the phase."""
