"""What a campaign gets: one seeded case; and what one run of the program left."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
DEMO_GAMES = SCRIPTS / "demo_games"
DEMO_GO = SCRIPTS / "demo_go"


@dataclass(frozen=True)
class Case:
    """One attack: everything random in it follows from the seed."""

    campaign: str
    seed: int
    folder: Path
    """Fresh and empty; commands start in it. A campaign may use its sibling folders too."""
    kept: Path
    """Shared by all cases of the campaign in this run, for inputs that take long to make."""
    program: tuple[str, ...]
    """How to start ocgdedup: the words before its arguments."""
    games: Path = DEMO_GAMES
    go_games: Path = DEMO_GO

    def random(self) -> random.Random:
        """Return a new generator that depends on the campaign and the seed alone."""
        return random.Random(f"{self.campaign} {self.seed}")


@dataclass(frozen=True)
class Outcome:
    """One finished run of the program."""

    arguments: tuple[str, ...]
    status: int
    """Exit status, or the negative number of the signal that ended it."""
    out: str
    err: str
    cpu_s: float = 0.0

    def command(self) -> str:
        """Return the command line, for messages."""
        return " ".join(("ocgdedup", *self.arguments))


class TortureError(Exception):
    """The attack itself could not be made: a tool is missing, an input cannot be written."""


class PreparationError(Exception):
    """A command failed that only prepares a case: a failure of the program too."""
