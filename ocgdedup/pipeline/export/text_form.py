"""Options of text output, and the interface of the writers of chess and Go games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from ocgdedup.model import extra_tags_of
from ocgdedup.pgn.strip import EVALUATION_PROFILE, AnnotationFilter
from ocgdedup.store import games

Names = tuple[list[str | None], list[str | None], list[str | None]]
Notes = dict[int, list[games.Row]]
# Yields the annotations of a game, part by part, from the start at each call.
# Names in the text: of players, of merged headers, or as in the input file.
NAMES = (CANONICAL, MERGED, FILE) = ("canonical", "merged", "file")
NoteParts = Callable[[], Iterator[list[games.Row]]]


class TextForm(NamedTuple):
    """Options of text output; `width`: of lines, 0 for all moves of a game on one line.

    `strip`: the parts to leave out. `original_names`: write garbled names, events and sites as in
    the source. `canonical_names`: write each player's canonical name; None: if names were resolved
    and `original_names` is False. Without either, the names are those of the merged headers. `ids`:
    write the ID of each game as the tag OcgdedupID, by which `edit --from` finds the game.
    """

    width: int = 80
    strip: AnnotationFilter = AnnotationFilter()
    original_names: bool = False
    canonical_names: bool | None = None
    ids: bool = False

    def with_names(self, names: str | None) -> TextForm:
        """Return the form with names of one of NAMES, None for the default."""
        is_canonical = None if names is None else names == CANONICAL
        return self._replace(original_names=names == FILE, canonical_names=is_canonical)


# The default: without evaluation profiles of ChessBase.
CLEAN = TextForm(strip=AnnotationFilter(marks=(EVALUATION_PROFILE,)))


def tags_of(row: games.Row, database: str) -> dict[str, str]:
    """Return the extra tags of a row, which are JSON until they are changed."""
    tags: dict[str, str] | str | None = games.printed_value(row, "ExtraTags")
    return tags if isinstance(tags, dict) else extra_tags_of(row[0], tags, database)


class GameText(Protocol):
    """Interface of the writers, which turn rows of games into text.

    `name_tags`: the tags for the original event, site, White and Black. `duplicate_tags`: the tags
    of a duplicate for its status, the ID of its kept game, its source, and its kept game in words.
    `unnamed`: the text for a missing name.
    """

    name_tags: tuple[str, str, str, str]
    duplicate_tags: tuple[str, str, str, str]
    unnamed: str

    def write(self, rows: list[games.Row], lists: Names, notes: Notes) -> bytes:
        """Return games as text; raise IntegrityError if moves or tags are damaged.

        `rows`: of PRINTED_COLUMNS, ExtraTags as JSON or as a dict. `lists`: the names of events,
        sites and players, which the rows index.
        """

    def write_in_parts(self, row: games.Row, lists: Names, parts: NoteParts) -> bytes:
        """Return one game as text, as write() does."""
