"""How the moves of two games differ: in two columns and in words.

A Go game that was turned to the orientation of the other is shown turned. In chess two half-moves
share a move number, in Go each move has its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ocgdedup.game_kind import CHESS, GO
from ocgdedup.matching.evidence import SYMMETRY_WORDS
from ocgdedup.matching.move_differences import Difference, differences, joined
from ocgdedup.model import PLY_BYTES, plies_of
from ocgdedup.pipeline.search.go_records import lines_of
from ocgdedup.pipeline.search.pairs import Overlap, ShownPair
from ocgdedup.wording import counted
from ocgdedup.wording import joined as listed


class Layout(NamedTuple):
    """Columns of text: the label, two blanks, the left game, a mark, the right game."""

    label: int
    column: int
    width: int

    def row(self, label: str, left: str, mark: str, right: str) -> str:
        start = f"{label[: self.label]:{self.label}}  {left:{self.column}}"
        return f"{start} {mark} {right}".rstrip()

    def across(self, label: str, text: str) -> list[str]:
        """Return lines of a text that runs over both columns."""
        lines = textwrap.wrap(text, self.width - self.label - 2) or [""]
        return [
            f"{start[: self.label]:{self.label}}  {line}".rstrip()
            for start, line in zip_longest([label], lines, fillvalue="")
        ]


def mark_of(left: str | None, right: str | None) -> str:
    """Return "|" where both differ, "<" or ">" where only that side has something."""
    if left == right:
        return " "
    if left is None:
        return ">"
    return "<" if right is None else "|"


class Counting(NamedTuple):
    """How a kind of game counts: `halves` that share a number, the words for units."""

    halves: int
    unit: str
    units: str

    def words(self, count: int, adjective: str = "") -> str:
        """Return "1 ply", "2 plies"; with the adjective "more " "1 more ply"."""
        return counted(count, f"{adjective}{self.unit}", f"{adjective}{self.units}")

    def numbered(
        self, texts: Sequence[str], start: int, end: int, before: int, *, follows: bool = False
    ) -> list[str]:
        """Return moves with their numbers, an item for each number.

        `before`: half-moves before the first text. `follows`: behind a move that is shown.
        """
        if self.halves == 1:
            return [f"{index + before + 1} {texts[index]}" for index in range(start, end)]
        items: list[str] = []
        for index in range(start, end):
            number, is_black = divmod(index + before, 2)
            if not is_black:
                items.append(f"{number + 1}. {texts[index]}")
            elif items:
                items[-1] += f" {texts[index]}"
            else:
                items.append(texts[index] if follows else f"{number + 1}... {texts[index]}")
        return items


_COUNTINGS = {CHESS: Counting(2, CHESS.unit, CHESS.units), GO: Counting(1, GO.unit, GO.units)}


def short_line(moves: Sequence[str], width: int) -> str:
    """Join moves; leave out moves before the last one if they do not fit."""
    line, kept = " ".join(moves), [*moves]
    while len(line) > width and len(kept) > 2:
        del kept[-2]
        line = " ".join([*kept[:-1], "...", kept[-1]])
    return line


def plies_before(fen: str | None) -> int:
    """Return the plies before a chess position by its move number and side to move."""
    fields = (fen or "").split()
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    return 2 * (max(number, 1) - 1) + (len(fields) > 1 and fields[1] == "b")


_WHITE_CELL = 8  # of SAN: "Qa1xb2+" and a blank
_MOVES_BEFORE = 2  # that are the same, shown before the first that is not
_MOVES_AFTER = 8  # shown from the first difference on
_MOVES_IN_LINE = 16  # plies from the first difference on, where a line has all of them
_MIN_TAIL, _MAX_SLIP = 4, 2  # plies that are the same again, and not by chance; plies of a slip
_MOST_PARTS = 4  # parts that differ, each named
_MOST_ALIGNED = 1000  # plies after the first difference; aligning takes the square of that
_MOST_LISTED = 12  # that are listed one by one
_RARE = 4  # of so many moves at most one differs, where a list of them says more than the columns


class ComparedMoves:
    """The mainlines of a pair; indexes count plies from the position that both games reach."""

    def __init__(self, pair: ShownPair, layout: Layout) -> None:
        # Without a common position, the first moves are compared.
        overlap = pair.overlap or Overlap(0, 0, 0, 0)
        self.pair = pair
        self.layout = layout
        self.starts = (overlap.left_start, overlap.right_start)
        self.shared = overlap.shared
        self.left = pair.left.texts[overlap.left_start :]
        self.right = pair.right.texts[overlap.right_start :]
        self.counting = _COUNTINGS[pair.left.kind]
        self.plies_before = overlap.left_start
        before = plies_before(pair.left.fen) if pair.left.kind is CHESS else 0
        self.offset = overlap.left_start + before
        rests = (len(self.left) - self.shared, len(self.right) - self.shared)
        self.tail = _tail(overlap.tail, max(rests) - overlap.tail)
        self.ends = (len(self.left) - self.tail, len(self.right) - self.tail)

    def lines(self) -> Iterator[str]:
        totals = [str(len(game.texts)) for game in (self.pair.left, self.pair.right)]
        yield self.layout.row(self.counting.units, totals[0], mark_of(*totals), totals[1])
        if self.left and self.right:
            yield from self._shared_lines()
            if not self._is_same():
                yield from self._differing_lines()
        yield from self.layout.across("", " ".join(filter(None, self._words())))

    def short_lines(self) -> Iterator[str]:
        """Yield how the games differ, and the next moves of both from there, a line for each."""
        words = " ".join(filter(None, self._words()))
        yield from self.layout.across(self.counting.units, words)
        if self._is_same():
            return
        width = self.layout.width - self.layout.label - 2
        games = (self.pair.left, self.pair.right)
        for game, texts in zip(games, (self.left, self.right), strict=True):
            end = min(self.shared + _MOVES_IN_LINE, len(texts))
            line = " ".join(self.counting.numbered(texts, self.shared, end, self.offset))
            yield from self.layout.across(str(game.game_id), line[:width] or "(ends here)")

    def _is_same(self) -> bool:
        return self.shared == len(self.left) == len(self.right)

    def _move(self, index: int) -> int:
        """Return the number of the move that an index belongs to, as the left game counts."""
        return (index + self.offset) // self.counting.halves + 1

    def _indexes(self, move: int) -> range:
        """Return the indexes of a move, in chess of both halves; some may lie outside."""
        index = (move - 1) * self.counting.halves - self.offset
        return range(index, index + self.counting.halves)

    def _first_shown(self) -> int:
        return max(self._move(self.shared) - _MOVES_BEFORE, self._move(0))

    def _shared_lines(self) -> Iterator[str]:
        """Yield the lines before the moves that are shown in columns."""
        end = self.shared if self._is_same() else max(self._indexes(self._first_shown())[0], 0)
        if end:
            label = f"{self._move(0)}-{self._label(self._move(end - 1))}"
            yield from self._line_of_moves(label, "the same", 0, end)

    def _label(self, move: int) -> str:
        return f"{move}." if self.counting.halves > 1 else str(move)

    def _line_of_moves(self, label: str, words: str, start: int, end: int) -> list[str]:
        text = f"{words}, {self.counting.words(end - start)}: "
        width = self.layout.width - self.layout.label - 2 - len(text)
        moves = self.counting.numbered(self.left, start, end, self.offset)
        return self.layout.across(label, text + short_line(moves, width))

    def _differing_lines(self) -> Iterator[str]:
        """Yield moves in two columns from a little before the first difference on."""
        last = self._move(max(self.ends) - 1)
        beyond = self._move(self.shared) + _MOVES_AFTER
        for move in range(self._first_shown(), min(last + 1, beyond)):
            yield from self._move_lines(move)
        left, right = (max(end - self._indexes(beyond)[0], 0) for end in self.ends)
        if left or right:
            words = self.counting.words
            texts = [f"{words(more)} more" if more else None for more in (left, right)]
            yield self.layout.row("...", texts[0] or "", mark_of(*texts), texts[1] or "")
        if self.tail:
            yield from self._line_of_moves("...", "the same again", self.ends[0], len(self.left))

    def _move_lines(self, move: int) -> Iterator[str]:
        indexes = self._indexes(move)
        left, right = ([self._cell(side, index) for index in indexes] for side in (0, 1))
        texts = [
            _two_halves(cells) if any(0 <= index < end for index in indexes) else None
            for cells, end in zip((left, right), self.ends, strict=True)
        ]
        halves = [_two_halves(cells) for cells in (left, right)]
        yield self.layout.row(self._label(move), halves[0], mark_of(*texts), halves[1])
        if self.shared in indexes:
            half = indexes.index(self.shared)
            carets = [" " * _WHITE_CELL * half + "^" * len(cells[half]) for cells in (left, right)]
            yield self.layout.row(self._at(), carets[0], " ", carets[1])

    def _cell(self, side: int, index: int) -> str:
        texts, end = (self.left, self.right)[side], self.ends[side]
        if 0 <= index < end:
            return texts[index]
        if index == end == self.shared:
            return "(gap)" if self.tail else "(end)"
        return ""

    # --- in words ---

    def _words(self) -> Iterator[str]:
        left, right = self.pair.left, self.pair.right
        names = [dict(game.tags) for game in (left, right)]
        white, black = ([tags.get(side) for tags in names] for side in ("White", "Black"))
        if white == black[::-1] and white[0] != black[0]:
            yield "White and Black are swapped."
        empty = [game for game in (left, right) if not game.texts]
        if empty:
            first = f"Game {empty[0].game_id} has no moves."
            yield first if len(empty) == 1 else "Neither game has moves."
        elif self.pair.left.kind is GO and self.pair.overlap is None:
            lines = [lines_of(game.fen) for game in (left, right)]
            yield f"The boards have {lines[0]} and {lines[1]} lines."
        else:
            if self.pair.symmetry:
                yield f"Game {right.game_id} is shown {SYMMETRY_WORDS[self.pair.symmetry]}."
            yield self._start_words()
            yield self._difference_words()
            slips = [
                f"move {index + self.offset + 1}: {self.left[index]} - {self.right[index]}"
                for index in self._slips()
            ]
            if slips:
                yield f"Different: {', '.join(slips)}."

    def _ply(self) -> int:
        """Return the first half-move that differs, as the left game counts, from 1."""
        return self.plies_before + self.shared + 1

    def _at(self) -> str:
        return f"{self.counting.unit} {self._ply()}"

    def _start_words(self) -> str:
        overlap, left, right = self.pair.overlap, self.pair.left, self.pair.right
        if overlap is None:
            return "The games start from different positions."
        if overlap.left_start:
            plies, long, short = overlap.left_start, left, right
        else:
            plies, long, short = overlap.right_start, right, left
        if not plies:
            has_other_stones = left.kind is GO and left.fen != right.fen
            return "The games start with different setup stones." if has_other_stones else ""
        after = f"{self.counting.unit} {plies} of game {long.game_id}"
        return f"Game {short.game_id} starts from the position after {after}."

    def _difference_words(self) -> str:
        ids = (self.pair.left.game_id, self.pair.right.game_id)
        words = self.counting.words
        if self._is_same():
            return f"The same moves: {words(self.shared)}."
        rests = [len(texts) - self.shared for texts in (self.left, self.right)]
        if not all(rests):
            ended, other = ids if rests[1] else ids[::-1]
            return f"Game {ended} ends where game {other} has {words(max(rests), 'more ')}."
        at = self._at()
        if self.pair.left.texts != self.left or self.pair.right.texts != self.right:
            at += f" of game {ids[0]}"
        middle = [end - self.shared for end in self.ends]
        if not all(middle):
            lacking, other = ids if middle[1] else ids[::-1]
            return f"Game {lacking} lacks {words(max(middle))} of game {other}, from {at} on."
        if self.tail and middle == [1, 1]:
            return f"The games differ only at {at}."
        slips = len(self._slips())
        if slips:
            longer = ids[middle[1] > middle[0]]
            more = abs(middle[0] - middle[1])
            rest = f" Game {longer} has {words(more, 'more ')}." if more else ""
            return f"The games differ in {words(slips)}, first at {at}.{rest}"
        is_long = max(middle) > _MOST_ALIGNED
        parts = [] if is_long else self._parts()
        if len(parts) > 1:
            named = [self._part_words(part) for part in parts[:_MOST_PARTS]]
            if parts[_MOST_PARTS:]:
                named.append(counted(len(parts[_MOST_PARTS:]), "later part"))
            return f"The games differ in {listed(named, 'and')}, and agree elsewhere."
        if self.tail and middle[0] == middle[1]:
            last = self._ply() + middle[0] - 1
            return (
                f"The games differ in {self.counting.units} {self._ply()}-{last} and agree from "
                f"{self.counting.unit} {last + 1} on."
            )
        plies = f"({middle[0]} and {words(middle[1])})"
        if self.tail:
            return f"The games differ from {at} on {plies} and then agree again."
        return f"The games differ from {at} {'on' if is_long else 'to the end'} {plies}."

    def _parts(self) -> list[Difference]:
        """Return the parts that differ, with at least _MIN_TAIL equal plies between two of them."""
        games = (self.pair.left, self.pair.right)
        left, right = (
            plies_of(game.moves[(start + self.shared) * PLY_BYTES : (start + end) * PLY_BYTES])
            for game, start, end in zip(games, self.starts, self.ends, strict=True)
        )
        return joined(differences(left, right), _MIN_TAIL - 1)

    def _part_words(self, part: Difference) -> str:
        """Return the plies of a part that differs: "plies 5-8 (7-8 of game 12)"."""
        left, right = (
            (first + start + self.shared + 1, end + start + self.shared)
            for first, end, start in zip(part[::2], part[1::2], self.starts, strict=True)
        )
        first, second = self.pair.left.game_id, self.pair.right.game_id
        if left[0] > left[1]:
            return f"{self._range_words(right)} of game {second} (missing in game {first})"
        if right[0] > right[1]:
            return f"{self._range_words(left)} (missing in game {second})"
        other = "" if left == right else f" ({_range(right)} of game {second})"
        return f"{self._range_words(left)}{other}"

    def _range_words(self, plies: tuple[int, int]) -> str:
        unit = self.counting.unit if plies[0] == plies[1] else self.counting.units
        return f"{unit} {_range(plies)}"

    def _slips(self) -> list[int]:
        """Return the indexes of moves of a Go game that differ, if the list is short."""
        last = min(self.ends)
        if self.pair.left.kind is not GO or last <= self.shared:
            return []
        indexes = [
            index for index in range(self.shared, last) if self.left[index] != self.right[index]
        ]
        is_rare = self.ends[0] == self.ends[1] or len(indexes) * _RARE <= last - self.shared
        return indexes if is_rare and len(indexes) <= _MOST_LISTED else []


def _range(plies: tuple[int, int]) -> str:
    first, last = plies
    return str(first) if first == last else f"{first}-{last}"


def _tail(plies: int, plies_between: int) -> int:
    """Return how many plies at the end to call the same; a few after much else are chance."""
    return plies if plies >= _MIN_TAIL or plies_between <= _MAX_SLIP else 0


def _two_halves(cells: Sequence[str]) -> str:
    return "".join(f"{cell:{_WHITE_CELL}}" for cell in cells).rstrip()


def difference_words(pair: ShownPair) -> str:
    """Say in a few sentences how the mainlines of a pair differ."""
    return " ".join(filter(None, ComparedMoves(pair, Layout(0, 0, 0))._words()))
