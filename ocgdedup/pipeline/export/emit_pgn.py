"""Write chess games as PGN: prepare rows and annotations for the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup.errors import damaged_moves
from ocgdedup.game_columns import PRINTED_COLUMNS
from ocgdedup.model import ORIGINAL_NAMES, extra_tag_pairs
from ocgdedup.pgn import variation_text
from ocgdedup.pgn.odd_values import writable_tags
from ocgdedup.pgn.strip import AnnotationFilter, Stripper
from ocgdedup.pipeline.export.text_form import Names, NoteParts, Notes, TextForm
from ocgdedup.store import games
from ocgdedup.store.connection import Database
from ocgdedup.store.games import pgn_date
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

if chess_kernel.PRINTED_COLUMNS != PRINTED_COLUMNS:
    raise ImportError(
        f"the chess kernel takes the columns {chess_kernel.PRINTED_COLUMNS}, the store reads "
        f"{PRINTED_COLUMNS}; build the kernels again"
    )


class PgnText:
    """Writes rows and their notes as PGN; implements GameText."""

    name_tags = ORIGINAL_NAMES
    duplicate_tags = ("DuplicateStatus", "DuplicateGroup", "DuplicateSource", "DuplicateOf")
    unnamed = "?"

    def __init__(self, database: Database, form: TextForm) -> None:
        self._database = database
        self._writer = chess_kernel.PgnWriter(form.width)
        self._prepare = _note_filter(form.strip)

    def write(self, rows: list[games.Row], lists: Names, notes: Notes) -> bytes:
        """Return the games as text; raise IntegrityError if moves or tags are damaged."""
        if notes:
            notes = {game_id: _paired(self._prepare(rows)) for game_id, rows in notes.items()}
        try:
            return self._writer.write(self._prepared(rows), *lists, notes)
        except ValueError as error:
            raise damaged_moves(self._database.path, error) from error

    def write_in_parts(self, row: games.Row, lists: Names, parts: NoteParts) -> bytes:
        """Return a game as text; only a part of its annotations is in memory at a time."""
        last = _last_loose_brace(chain.from_iterable(map(self._prepare, parts())))
        notes = _paired_parts(map(self._prepare, parts()), last)
        (prepared,) = self._prepared([row])
        try:
            return self._writer.write_in_parts(prepared, *lists, notes, last >= 0)
        except ValueError as error:
            raise damaged_moves(self._database.path, error) from error

    def _prepared(self, rows: list[games.Row]) -> list[games.Row]:
        prepared = []
        for row in rows:
            changes: dict[str, object] = {}
            tags = games.printed_value(row, "ExtraTags")
            if tags is not None:
                is_read = isinstance(tags, dict)
                pairs = (
                    tags.items() if is_read else extra_tag_pairs(row[0], tags, self._database.path)
                )
                pairs = writable_tags(pairs)
                for tag in ("WhiteElo", "BlackElo"):
                    number = games.printed_value(row, tag)
                    if tag not in tags or number is None:
                        continue
                    if _is_in_tag(str(number), tag, pairs):  # "1500?" is written as it was read
                        changes[tag] = None
                    else:
                        pairs = [pair for pair in pairs if pair[0] != tag]
                changes["ExtraTags"] = pairs
            if not self._database.is_ours:
                changes["Date"] = pgn_date(games.printed_value(row, "Date")) or None
            prepared.append(games.with_printed(row, **changes) if changes else row)
        return prepared


def _is_in_tag(number: str, tag: str, pairs: Iterable[tuple[str, str]]) -> bool:
    return any(name == tag and number in text for name, text in pairs)


def _last_loose_brace(notes: Iterable[games.Row]) -> int:
    """Return the index of the last annotation with a loose brace, -1 if there is none."""
    return max(
        (
            index
            for index, (_, _, kind, value) in enumerate(notes)
            if kind != NOTE_NAG and chess_kernel.has_loose_brace(value)
        ),
        default=-1,
    )


def _has_open_brace(note: games.Row) -> bool:
    return note[2] == NOTE_VARIATION and variation_text.has_open_brace(note[3])


def _paired(notes: list[games.Row]) -> list[games.Row]:
    """Return a game's annotations without open braces in variations that a later note closes."""
    # The kernel pairs the braces of comments.
    if not any(map(_has_open_brace, notes)):
        return notes
    (paired,) = _paired_parts([notes], _last_loose_brace(notes))
    return paired


def _paired_parts(parts: Iterable[list[games.Row]], last: int) -> Iterator[list[games.Row]]:
    """Yield parts of a game's annotations as _paired() does; `last`: of _last_loose_brace()."""
    start = 0
    for notes in parts:
        yield [
            (*note[:3], variation_text.paired_variation(note[3]))
            if index < last and _has_open_brace(note)
            else note
            for index, note in enumerate(notes, start)
        ]
        start += len(notes)


def _standard_notes(notes: list[games.Row]) -> list[games.Row]:
    """Return a game's annotations in the form of the PGN standard."""
    if all(kind != NOTE_VARIATION for _, _, kind, _ in notes):
        return notes
    return [
        (*note[:3], variation_text.closed_variation(variation_text.standard_variation(note[3])))
        if note[2] == NOTE_VARIATION
        else note
        for note in notes
    ]


def _note_filter(stripping: AnnotationFilter) -> Callable[[list[games.Row]], list[games.Row]]:
    """Return a function that strips the annotations of a game."""
    if stripping == AnnotationFilter():
        return _standard_notes
    stripper = Stripper(stripping)
    of_kind = {NOTE_COMMENT: stripper.comment, NOTE_VARIATION: stripper.variation}

    def stripped(notes: list[games.Row]) -> list[games.Row]:
        if all(kind == NOTE_COMMENT and stripper.keeps_comment(text) for *_, kind, text in notes):
            return notes
        kept = []
        for ply, position, kind, value in _standard_notes(notes):
            if kind == NOTE_NAG:
                value = None if stripping.nags else value
            else:
                value = of_kind[kind](value)
                if value is not None and kind == NOTE_VARIATION:
                    value = variation_text.closed_variation(value)
            if value is not None:
                kept.append((ply, position, kind, value))
        return kept

    return stripped
