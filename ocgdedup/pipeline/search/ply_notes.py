"""Which annotations of a duplicate at one ply of a chess game are new.

Owns the rule for machine-made annotations: a ply has one set of them, of one record. Words of
people are never left out because of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ocgdedup.pgn.machine_notes import (
    ANALYSIS,
    EVALUATION,
    LINE,
    VERDICT,
    Line,
    MachinePart,
    best_move,
    machine_parts,
    read_line,
    without_parts,
    words_of,
)
from ocgdedup.store.games import Row
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

# NAGs that programs give with a verdict, by what they judge: the move, the position.
_ABOUT_MOVE, _ABOUT_POSITION = range(1, 7), range(10, 20)
_FAULTS = (2, 4, 6)  # with an evaluation, these are a verdict without words


class _Comment(NamedTuple):
    parts: Sequence[MachinePart]
    words: str


# A comment, a variation, a NAG, or a value of another type.
_Content = _Comment | Line | int | None


def _content(note: Row) -> _Content:
    kind, value = note[2], note[3]
    if kind == NOTE_NAG and isinstance(value, int):
        return value
    if kind == NOTE_COMMENT and isinstance(value, str):
        return _Comment(machine_parts(value), words_of(value))
    if kind == NOTE_VARIATION and isinstance(value, str):
        return read_line(value)
    return None


class _Notes:
    """The annotations of one record at a ply; `parts`: the machine-made parts of its comments."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.contents = list(map(_content, rows))
        comments = [content for content in self.contents if isinstance(content, _Comment)]
        self.parts = {part for comment in comments for part in comment.parts}
        self.words = {comment.words for comment in comments} - {""}
        self.kinds = {part.kind for part in self.parts}
        if EVALUATION in self.kinds and not self.words and self._has_fault():
            self.kinds.add(VERDICT)
        if any(isinstance(line, Line) and self.is_of_engine(line) for line in self.contents):
            self.kinds.add(LINE)

    def _has_fault(self) -> bool:
        return any(isinstance(nag, int) and nag in _FAULTS for nag in self.contents)

    def is_of_engine(self, line: Line) -> bool:
        if line.has_words:
            return False
        best = best_move(self.parts)
        return line.has_evaluation or (VERDICT in self.kinds and best in (None, line.first_move))


class PlyNotes:
    """The annotations at one ply: those of the kept game, then new ones of other records."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self._unread = list(rows)
        self._is_empty = not rows
        self._parts: set[MachinePart] = set()
        self._kinds: set[str] = set()
        self._words: set[str] = set()
        self._nags: set[int] = set()
        self._lines: set[tuple[str, ...]] = set()

    def take(self, rows: Sequence[Row]) -> tuple[Sequence[Row], bool]:
        """Add the new annotations of a record; return them, and whether nothing else is left.

        A repetition of annotations at the ply does not count as left.
        """
        is_whole = True
        if not self._is_empty:
            if self._unread:
                self._add(self._unread)
            rows, is_whole = self._new(rows)
        self._unread = list(rows)
        self._is_empty = self._is_empty and not rows
        return rows, is_whole

    def _add(self, rows: Sequence[Row]) -> None:
        notes = _Notes(rows)
        self._parts |= notes.parts
        self._kinds |= notes.kinds
        self._words |= notes.words
        for content in notes.contents:
            if isinstance(content, Line):
                self._lines.add(content.moves_and_words)
            elif isinstance(content, int):
                self._nags.add(content)

    def _new(self, rows: Sequence[Row]) -> tuple[Sequence[Row], bool]:
        notes = _Notes(rows)
        excluded = self._excluded_kinds(notes)
        new: list[Row] = []
        is_whole = True
        for row, content in zip(rows, notes.contents, strict=True):
            if isinstance(content, _Comment):
                dropped = {
                    part for part in content.parts if part in self._parts or part.kind in excluded
                }
                is_whole = is_whole and dropped <= self._parts
                row = (*row[:3], self._reduced(row[3], content, dropped))
                new += [row] if row[3].strip() else []
            elif isinstance(content, Line):
                if content.moves_and_words in self._lines:
                    continue
                if LINE in excluded and notes.is_of_engine(content):
                    is_whole = False
                else:
                    new.append(row)
            elif isinstance(content, int) and self._has_mark_like(content, notes, excluded):
                is_whole = is_whole and content in self._nags
            else:
                new.append(row)
        return new, is_whole

    def _excluded_kinds(self, notes: _Notes) -> Collection[str]:
        """Return the kinds of machine-made annotations that the record does not give.

        Numbers of two analyses are not mixed: evaluation, verdict and line come from one record, or
        from records with the same evaluation.
        """
        evaluations = {part for part in notes.parts if part.kind == EVALUATION}
        if self._kinds.isdisjoint(ANALYSIS) or not evaluations.isdisjoint(self._parts):
            return self._kinds
        return self._kinds | ANALYSIS

    def _has_mark_like(self, nag: int, notes: _Notes, excluded: Collection[str]) -> bool:
        """Return whether a NAG of an engine has a rival: one NAG judges a move, one a position."""
        judged = next((nags for nags in (_ABOUT_MOVE, _ABOUT_POSITION) if nag in nags), None)
        if judged is None or VERDICT not in notes.kinds:
            return False
        return VERDICT in excluded or not self._nags.isdisjoint(judged)

    def _reduced(self, text: str, comment: _Comment, dropped: Collection[MachinePart]) -> str:
        """Return a comment without dropped parts, and without words that are there already."""
        if comment.parts and comment.words in self._words:
            return " ".join(part.text for part in comment.parts if part not in dropped)
        return without_parts(text, dropped) if dropped else text
