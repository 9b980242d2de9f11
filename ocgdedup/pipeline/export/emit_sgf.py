"""Write Go games as SGF: rows of a database to records of ocgdedup.sgf."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from ocgdedup.errors import damaged_moves
from ocgdedup.game_columns import PRINTED_COLUMNS
from ocgdedup.model import ORIGINAL_GO_NAMES
from ocgdedup.pgn.dates import parse_date
from ocgdedup.pgn.strip import CLOCK_MARKS, AnnotationFilter
from ocgdedup.pipeline.export.text_form import Names, NoteParts, Notes, TextForm, tags_of
from ocgdedup.sgf import writer
from ocgdedup.sgf.root_values import UNKNOWN_DATE, read_date
from ocgdedup.sgf.tree import Note
from ocgdedup.store import games
from ocgdedup.store.connection import Database
from ocgdedup.thresholds import NOTE_COMMENT


class SgfText:
    """Writes rows and their notes as SGF; implements GameText."""

    name_tags = ORIGINAL_GO_NAMES
    duplicate_tags = ("DUPSTATUS", "DUPGROUP", "DUPSOURCE", "DUPOF")
    unnamed = ""

    def __init__(self, database: Database, form: TextForm) -> None:
        self._path = database.path
        self._writer = writer.SgfWriter(form.width, lru_cache(maxsize=1 << 14)(date_of))
        self._variations = form.strip.variations
        self._stripped = _stripped_properties(form.strip)

    def write(self, rows: list[games.Row], lists: Names, notes: Notes) -> bytes:
        """Return the games as text; raise IntegrityError if moves or tags are damaged."""
        return b"".join([self._text(row, lists, notes.get(row[0], ())) for row in rows])

    def write_in_parts(self, row: games.Row, lists: Names, parts: NoteParts) -> bytes:
        """Return a game as text."""
        return self._text(row, lists, list(chain.from_iterable(parts())))

    def _text(self, row: games.Row, lists: Names, notes: Sequence[games.Row]) -> bytes:
        values = dict(zip(PRINTED_COLUMNS, row, strict=True))
        events, sites, players = lists
        game_id = values["ID"]
        header = writer.Header(
            _name(events, values["EventID"]), _name(sites, values["SiteID"]), values["Date"],
            values["Round"], _name(players, values["WhiteID"]), _name(players, values["BlackID"]),
            values["Result"], values["TimeControl"],
            tags_of(row, self._path),
        )  # fmt: skip
        try:
            kept = self._kept(notes) if notes else ()
            return self._writer.write(
                writer.Record(header, values["FEN"], values["Moves2"] or b"", kept)
            )
        except ValueError as error:
            raise damaged_moves(f"{self._path}: game {game_id}", error) from error

    def _kept(self, notes: Sequence[games.Row]) -> list[Note]:
        """Return the annotations that are not stripped; raise ValueError if one is not a text."""
        kept = []
        for ply, _, kind, value in notes:
            is_comment = kind == NOTE_COMMENT
            if not isinstance(value, str):
                raise ValueError(f"an annotation at ply {ply + 1} is not text: {value!r}")
            text: str | None = value
            if is_comment:
                text = None if writer.COMMENT in self._stripped else value
            elif self._stripped or self._variations:
                text = writer.stripped_text(value, self._stripped, variations=self._variations)
            if text is not None:
                kept.append(Note(ply, is_comment, text))
        return kept


def date_of(text: str) -> str:
    """Return the Date column for a DT value, in SGF's form or a usual one."""
    date, _ = read_date(text)
    return date if date != UNKNOWN_DATE else parse_date(text)[0]


def _stripped_properties(strip: AnnotationFilter) -> frozenset[str]:
    """Return the SGF properties that correspond to the stripped parts of PGN."""
    names: frozenset[str] = frozenset((writer.COMMENT,) if strip.comments else ())
    if strip.nags:
        names |= writer.JUDGEMENTS
    if set(CLOCK_MARKS) <= set(strip.marks):
        names |= writer.CLOCKS
    return names


def _name(names: Sequence[str | None], key: int | None) -> str | None:
    return names[key] if key is not None and 0 <= key < len(names) else None
