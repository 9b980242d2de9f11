"""How games are written, whatever the game: what the user asks for, and what a writer is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from ocgdedup.model import extra_tags_of
from ocgdedup.pgn.strip import EVALUATION_PROFILE, AnnotationFilter
from ocgdedup.store import games

Names = tuple[list[str | None], list[str | None], list[str | None]]
Notes = dict[int, list[games.Row]]
# Reads the annotations of a game, a part at a time; each call begins anew.
NoteParts = Callable[[], Iterator[list[games.Row]]]


class TextForm(NamedTuple):
    """How games are written: columns of a line (0: a game's moves on one), what is left out.

    `original_names`: names, events and sites that were garbled, as they stood in the source.
    `canonical_names`: players by their names in the FIDE list, others without titles.
    """

    width: int = 80
    strip: AnnotationFilter = AnnotationFilter()
    original_names: bool = False
    canonical_names: bool = False


# Without evaluation profiles of ChessBase: how games are written unless the user says otherwise.
CLEAN = TextForm(strip=AnnotationFilter(marks=(EVALUATION_PROFILE,)))


def tags_of(row: games.Row, database: str) -> dict[str, str]:
    """Return the extra tags of a row, which has them as JSON until something changes them."""
    tags: dict[str, str] | str | None = games.printed_value(row, "ExtraTags")
    return tags if isinstance(tags, dict) else extra_tags_of(row[0], tags, database)


class GameText(Protocol):
    """What turns rows of games into text.

    `name_tags`: the tags that keep event, site, White and Black as they stood. `copy_tags`: the
    tags that say of a duplicate what it is, of which game by its ID, where it was read, and which
    game is kept; `unnamed`: what stands for a name that
    is absent.
    """

    name_tags: tuple[str, str, str, str]
    copy_tags: tuple[str, str, str, str]
    unnamed: str

    def write(self, rows: list[games.Row], lists: Names, notes: Notes) -> bytes:
        """Return games as text: rows of PRINTED_COLUMNS, lists of names that these index.

        ExtraTags of a row may be a dict of tags in place of JSON.

        `lists`: of events, sites and players. Raises IntegrityError if moves or tags are damaged.
        """

    def write_in_parts(self, row: games.Row, lists: Names, parts: NoteParts) -> bytes:
        """Return one game as text, as write() does."""
