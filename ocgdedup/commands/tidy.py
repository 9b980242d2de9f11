"""tidy: improve the values of tags by the moves and by the other games, as one step."""

from __future__ import annotations

from typing import Any, NamedTuple

import apsw

from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS
from ocgdedup.model import Reporter
from ocgdedup.pipeline.tidy.openings import CHOICES, MISSING, tidy_eco, tidy_opening
from ocgdedup.pipeline.tidy.steps import TidiedTag
from ocgdedup.pipeline.tidy.tournaments import DATE, EVENT, ROUND, SITE, tidy_tournaments
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.history import TIDY, transaction
from ocgdedup.store.migrations import migrate
from ocgdedup.store.names import game_kind, write_info
from ocgdedup.wording import counted, joined

NO_STEP = "none"


class TidySteps(NamedTuple):
    """The tags to tidy. `eco`, `opening`: one of CHOICES, or None to leave the tag as it is."""

    eco: str | None = None
    opening: str | None = None
    events: bool = False
    sites: bool = False
    rounds: bool = False
    dates: bool = False

    @property
    def of_tournaments(self) -> list[str]:
        """The tags that the games of tournaments tidy."""
        chosen = {EVENT: self.events, SITE: self.sites, ROUND: self.rounds, DATE: self.dates}
        return [tag for tag, is_chosen in chosen.items() if is_chosen]


def tidy(path: str, steps: TidySteps, reporter: Reporter) -> list[TidiedTag]:
    """Tidy the tags of a database in one transaction; return what each step changed.

    Raises UsageError for a step that the database's kind of games does not have.
    """
    with open_database(path, writable=True) as database:
        require_ours(database)
        with store_errors(path, "nothing was changed"):
            migrate(database, reporter)
            check_kind(database, steps)
            connection = database.connection
            with transaction(connection, TIDY) as change, result_still_holds(connection):
                tidied = _tidied(connection, steps, reporter)
                counts = [(step.tag, step.filled + step.replaced) for step in tidied]
                change.words = ", ".join(
                    f"{tag} of {counted(games, 'game')}" for tag, games in counts if games
                )
                if change.words:
                    write_info(connection)
            return tidied


def _tidied(connection: apsw.Connection, steps: TidySteps, reporter: Reporter) -> list[TidiedTag]:
    tidied = []
    if steps.of_tournaments:
        tidied += tidy_tournaments(connection, steps.of_tournaments, reporter)
    if steps.eco is not None:
        tidied.append(tidy_eco(connection, checked_choice(steps.eco)))
    if steps.opening is not None:
        tidied.append(tidy_opening(connection, checked_choice(steps.opening)))
    return tidied


def check_kind(database: Database, steps: TidySteps) -> None:
    """Raise UsageError for a step that a database's kind of games does not have."""
    if game_kind(database.connection) is not CHESS and any(steps):
        raise UsageError(f"{database.path}: only tags of chess games can be tidied")


def read_steps(text: str) -> TidySteps:
    """Return the steps of a list such as "eco=all,opening"; "none" has no step.

    A step without a choice takes the first one. Raises UsageError for anything else.
    """
    steps = TidySteps()
    for word in text.split(",") if text != NO_STEP else ():
        name, sign, choice = word.strip().partition("=")
        has_choice = getattr(steps, name, "") is None
        if name not in TidySteps._fields or (sign and not has_choice):
            names = ", ".join(TidySteps._fields)
            raise UsageError(f"{word!r} cannot be tidied; write {names}, or {NO_STEP}")
        value: Any = checked_choice(choice or MISSING) if has_choice else True
        steps = steps._replace(**{name: value})
    return steps


def checked_choice(choice: str) -> str:
    """Return a choice of games; raise UsageError for an unknown choice."""
    if choice not in CHOICES:
        raise UsageError(f"{choice!r} is not a choice of games; write {joined(CHOICES, 'or')}")
    return choice
