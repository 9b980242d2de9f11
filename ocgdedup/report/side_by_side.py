"""Two games beside each other as plain text: what differs is marked as `diff -y` does.

Between the columns stands "|" where both differ, "<" or ">" where only that side has something.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ocgdedup.pipeline.pairs import Overlap, ShownGame, ShownPair

MIN_WIDTH = 46
_NARROW = 60  # below it, long labels are cut
_GUTTER = 3
_MIN_LABEL, _MAX_LABEL = len("suspects"), len("MovetextResult")
_MAX_TAG_LINES = 4
_WHITE_CELL = 8  # of SAN: "Qa1xb2+" and a blank
_MOVES_BEFORE = 2  # that are the same, shown before the first that is not
_MOVES_AFTER = 8  # shown from the first difference on
_BOLD, _YELLOW, _PLAIN = "\x1b[1m", "\x1b[33m", "\x1b[0m"
_MIN_TAIL, _MAX_SLIP = 4, 2  # plies that are the same again at the end; plies of a slip


class _Layout(NamedTuple):
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


def pair_text(
    pair: ShownPair, *, title: str = "", width: int = 80, is_coloured: bool = False
) -> str:
    """Return one pair as lines of at most `width` columns (MIN_WIDTH at least).

    `title` is written into the first line. Letters are taken to be one column wide each.
    `is_coloured`: what differs is marked by control codes of terminals besides.
    """
    width = max(width, MIN_WIDTH)
    names = [name for game in (pair.left, pair.right) for name, _ in game.tags]
    longest = _MIN_LABEL if width < _NARROW else _MAX_LABEL
    label = min(max([_MIN_LABEL, *map(len, names)]), longest)
    layout = _Layout(label, (width - label - 2 - _GUTTER) // 2, width)
    lines = [
        (f"== {title} " if title else "")[:width].ljust(width, "="),
        *_heading(pair, layout),
        "-" * width,
        *_tag_lines(pair.left, pair.right, layout),
        "-" * width,
        *_Moves(pair, layout).lines(),
    ]
    if is_coloured:
        lines = [_coloured(line, layout) for line in lines]
    return "\n".join(lines) + "\n"


def pairs_text(pairs: Iterable[ShownPair], *, width: int = 80) -> Iterator[str]:
    """Yield the text of one pair after the other, numbered, with an empty line between two."""
    for number, pair in enumerate(pairs, 1):
        yield "\n" * (number > 1) + pair_text(pair, title=f"pair {number}", width=width)


def _coloured(line: str, layout: _Layout) -> str:
    if line.startswith("=="):
        return f"{_BOLD}{line}{_PLAIN}"
    place = layout.label + 2 + layout.column
    is_marked = line[place : place + 3].strip() in ("|", "<", ">") and line[place] == " "
    return f"{_YELLOW}{line}{_PLAIN}" if is_marked else line


# --- above the moves ------------------------------------------------------------------------------


def _heading(pair: ShownPair, layout: _Layout) -> Iterator[str]:
    left, right = pair.left, pair.right
    for label, texts in (
        ("game", (str(left.game_id), str(right.game_id))),
        ("is", (_standing(left), _standing(right))),
        ("source", (_source(left), _source(right))),
        ("has", (_notes(left), _notes(right))),
    ):
        if any(texts):
            yield from _two_columns(label, *texts, layout, is_marked=False)
    found = pair.suspicion
    if found is None:
        return
    words = [found.kind or "", "" if found.score is None else f"score {found.score:.3g}"]
    words.append(found.evidence or "")
    if found.decision:
        stays = "" if found.master is None else f", {found.master} stays"
        words.append(f"you decided: {found.decision}{stays}")
    yield from layout.across("suspects", _visible("; ".join(filter(None, words))))


def _standing(game: ShownGame) -> str:
    words = []
    if game.group is not None:
        is_master = game.group == game.game_id
        words.append("master" if is_master else f"{game.status or ''} copy of {game.group}".strip())
    words.append(game.reason or "")
    words.append("tags merged" if game.is_merged else "")
    words.append("deleted" if game.is_removed else "")
    return ", ".join(filter(None, words))


def _source(game: ShownGame) -> str:
    if game.source is None:
        return ""
    return game.source if game.number is None else f"{game.source}, game {game.number}"


def _notes(game: ShownGame) -> str:
    kinds = (("comments", game.has_comments), ("variations", game.has_variations))
    return ", ".join(name for name, is_there in kinds if is_there)


def _tag_lines(left: ShownGame, right: ShownGame, layout: _Layout) -> Iterator[str]:
    """Yield all tags: in the order of the left game, then those of the right alone."""
    values, others = dict(left.tags), dict(right.tags)
    for name in {**values, **others}:
        yield from _two_columns(name, values.get(name), others.get(name), layout)


def _two_columns(
    label: str, left: str | None, right: str | None, layout: _Layout, *, is_marked: bool = True
) -> Iterator[str]:
    mark = _mark(left, right) if is_marked else " "
    columns = (_wrapped(left or "", layout.column), _wrapped(right or "", layout.column))
    for number, (one, other) in enumerate(zip_longest(*columns, fillvalue="")):
        yield layout.row("" if number else label, one, " " if number else mark, other)


def _mark(left: str | None, right: str | None) -> str:
    if left == right:
        return " "
    if left is None:
        return ">"
    return "<" if right is None else "|"


def _wrapped(text: str, width: int) -> list[str]:
    """Break a value into lines, only at its blanks if it has some; what is not printed is named."""
    if text.isprintable() and len(text) <= width:
        return [text]
    lines = textwrap.wrap(_visible(text), width, break_on_hyphens=False) or [""]
    if len(lines) > _MAX_TAG_LINES:
        lines = [*lines[: _MAX_TAG_LINES - 1], f"{lines[_MAX_TAG_LINES - 1][: width - 4]} ..."]
    return lines


def _visible(text: str) -> str:
    """Name what is not printed: control codes would reach the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# --- moves ----------------------------------------------------------------------------------------


class _Moves:
    """The mainlines of a pair; places count plies from the position where both games stand."""

    def __init__(self, pair: ShownPair, layout: _Layout) -> None:
        # Without a position in common, the first moves stand beside each other.
        overlap = pair.overlap or Overlap(0, 0, 0, 0)
        self.pair = pair
        self.layout = layout
        self.shared = overlap.shared
        self.left = pair.left.san[overlap.left_start :]
        self.right = pair.right.san[overlap.right_start :]
        self.plies_before = overlap.left_start
        self.offset = _plies_before(pair.left.fen) + overlap.left_start
        rests = (len(self.left) - self.shared, len(self.right) - self.shared)
        self.tail = _tail(overlap.tail, max(rests) - overlap.tail)
        self.ends = (len(self.left) - self.tail, len(self.right) - self.tail)

    def lines(self) -> Iterator[str]:
        totals = [str(len(game.san)) for game in (self.pair.left, self.pair.right)]
        yield self.layout.row("plies", totals[0], _mark(*totals), totals[1])
        if self.left and self.right:
            yield from self._shared_lines()
            if not self._is_same():
                yield from self._differing_lines()
        yield from self.layout.across("", " ".join(filter(None, self._words())))

    def _is_same(self) -> bool:
        return self.shared == len(self.left) == len(self.right)

    def _move(self, place: int) -> int:
        """Return the number of the move that a place belongs to, as the left game counts."""
        return (place + self.offset) // 2 + 1

    def _places(self, move: int) -> tuple[int, int]:
        """Return the places of White's and Black's half of a move; some may lie outside."""
        place = (move - 1) * 2 - self.offset
        return place, place + 1

    def _first_shown(self) -> int:
        return max(self._move(self.shared) - _MOVES_BEFORE, self._move(0))

    def _shared_lines(self) -> Iterator[str]:
        """Yield what stands before the moves that are shown in columns."""
        end = self.shared if self._is_same() else max(self._places(self._first_shown())[0], 0)
        if end:
            label = f"{self._move(0)}-{self._move(end - 1)}."
            yield from self._line_of_moves(label, "the same", 0, end)

    def _line_of_moves(self, label: str, words: str, start: int, end: int) -> list[str]:
        text = f"{words}, {_plies(end - start)}: "
        room = self.layout.width - self.layout.label - 2 - len(text)
        return self.layout.across(label, text + _short_line(self._numbered(start, end), room))

    def _numbered(self, start: int, end: int) -> list[str]:
        """Return the left game's SAN with move numbers, a move an item."""
        return _numbered(self.left, start, end, self.offset)

    def _differing_lines(self) -> Iterator[str]:
        """Yield moves in two columns from a little before the first difference on."""
        last = self._move(max(self.ends) - 1)
        beyond = self._move(self.shared) + _MOVES_AFTER
        for move in range(self._first_shown(), min(last + 1, beyond)):
            yield from self._move_lines(move)
        left, right = (max(end - self._places(beyond)[0], 0) for end in self.ends)
        if left or right:
            texts = [f"{_plies(more)} more" if more else None for more in (left, right)]
            yield self.layout.row("...", texts[0] or "", _mark(*texts), texts[1] or "")
        if self.tail:
            yield from self._line_of_moves("...", "the same again", self.ends[0], len(self.left))

    def _move_lines(self, move: int) -> Iterator[str]:
        places = self._places(move)
        left, right = ([self._cell(side, place) for place in places] for side in (0, 1))
        texts = [
            _two_halves(cells) if any(0 <= place < end for place in places) else None
            for cells, end in zip((left, right), self.ends, strict=True)
        ]
        yield self.layout.row(f"{move}.", _two_halves(left), _mark(*texts), _two_halves(right))
        if self.shared in places:
            half = places.index(self.shared)
            carets = [_two_halves(_caret(cells, half)) for cells in (left, right)]
            yield self.layout.row(f"ply {self._ply()}", carets[0], " ", carets[1])

    def _cell(self, side: int, place: int) -> str:
        san, end = (self.left, self.right)[side], self.ends[side]
        if 0 <= place < end:
            return san[place]
        if place == end == self.shared:
            return "(gap)" if self.tail else "(end)"
        return ""

    # --- in words ---

    def _words(self) -> Iterator[str]:
        left, right = self.pair.left, self.pair.right
        names = [dict(game.tags) for game in (left, right)]
        white, black = ([tags.get(side) for tags in names] for side in ("White", "Black"))
        if white == black[::-1] and white[0] != black[0]:
            yield "White and Black are the other way round."
        empty = [game for game in (left, right) if not game.san]
        if empty:
            yield (
                "Neither game has moves."
                if len(empty) == 2
                else (f"Game {empty[0].game_id} has no moves.")
            )
        else:
            yield self._start_words()
            yield self._difference_words()

    def _ply(self) -> int:
        """Return the first half-move that differs, as the left game counts, from 1."""
        return self.plies_before + self.shared + 1

    def _start_words(self) -> str:
        overlap, left, right = self.pair.overlap, self.pair.left, self.pair.right
        if overlap is None:
            return "They start from different positions."
        if overlap.left_start:
            plies, long, short = overlap.left_start, left, right
        else:
            plies, long, short = overlap.right_start, right, left
        if not plies:
            return ""
        return (
            f"Game {short.game_id} starts from the position after ply {plies} of game "
            f"{long.game_id}."
        )

    def _difference_words(self) -> str:
        ids = (self.pair.left.game_id, self.pair.right.game_id)
        if self._is_same():
            return f"The same moves: {_plies(self.shared)}."
        rests = [len(san) - self.shared for san in (self.left, self.right)]
        if not all(rests):
            ended, other = ids if rests[1] else ids[::-1]
            return f"Game {ended} ends where game {other} goes on for {_plies(max(rests))}."
        at = f"ply {self._ply()}"
        if self.pair.left.san != self.left or self.pair.right.san != self.right:
            at += f" of game {ids[0]}"
        middle = [end - self.shared for end in self.ends]
        if not all(middle):
            lacking, other = ids if middle[1] else ids[::-1]
            return f"Game {lacking} lacks {_plies(max(middle))} of game {other}, from {at} on."
        if self.tail and middle == [1, 1]:
            return f"They differ at {at} alone."
        until = "" if self.tail else " to the end"
        return f"They part at {at} for {middle[0]} and {_plies(middle[1])}{until}."


def _numbered(
    san: Sequence[str], start: int, end: int, plies_before: int, *, follows: bool = False
) -> list[str]:
    """Return SAN with move numbers, a move an item; `follows`: behind a move that is shown."""
    items: list[str] = []
    for place in range(start, end):
        number, is_black = divmod(place + plies_before, 2)
        if not is_black:
            items.append(f"{number + 1}. {san[place]}")
        elif items:
            items[-1] += f" {san[place]}"
        else:
            items.append(san[place] if follows else f"{number + 1}... {san[place]}")
    return items


def _tail(plies: int, plies_between: int) -> int:
    """Return how many plies at the end to call the same; a few after much else are chance."""
    return plies if plies >= _MIN_TAIL or plies_between <= _MAX_SLIP else 0


def _two_halves(cells: Sequence[str]) -> str:
    return f"{cells[0]:{_WHITE_CELL}}{cells[1]}".rstrip()


def _caret(cells: Sequence[str], half: int) -> list[str]:
    return ["^" * len(cell) if number == half else "" for number, cell in enumerate(cells)]


def _plies(count: int) -> str:
    return f"{count} ply" if count == 1 else f"{count} plies"


def _short_line(moves: Sequence[str], room: int) -> str:
    """Join moves; leave out some before the last if they do not fit."""
    line, kept = " ".join(moves), [*moves]
    while len(line) > room and len(kept) > 2:
        del kept[-2]
        line = " ".join([*kept[:-1], "...", kept[-1]])
    return line


def _plies_before(fen: str | None) -> int:
    """Return the plies before a start position by its move number and side to move."""
    fields = (fen or "").split()
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    return 2 * (max(number, 1) - 1) + (len(fields) > 1 and fields[1] == "b")


# --- in one line each -----------------------------------------------------------------------------


class MoveLines(NamedTuple):
    """The moves of a pair as lines: how they differ in words, what stands before, after, behind.

    `left` and `right` are the first move that differs, or what is there in its place, and some
    moves after it; "" both where the games are the same. `tail`: moves that are the same again.
    """

    words: str
    before: str
    left: tuple[str, str]
    right: tuple[str, str]
    tail: str


def move_lines(pair: ShownPair, *, before: int = 8, after: int = 16) -> MoveLines:
    """Return the lines; `before` and `after` are the most plies to write out."""
    moves = _Moves(pair, _Layout(0, 0, 0))
    words = " ".join(filter(None, moves._words()))
    start = max(moves.shared - before, 0)
    line = _line(moves.left, start, moves.shared, moves.offset)
    shared = f"… {line}" if start else line
    if moves._is_same() or not (moves.left and moves.right):
        return MoveLines(words, shared, ("", ""), ("", ""), "")
    sides = [_continuation(moves, side, after) for side in (0, 1)]
    tail = ""
    if moves.tail:
        end = len(moves.left)
        tail = _short_line(moves._numbered(moves.ends[0], end), 80)
        tail = f"{_plies(moves.tail)}: {tail}"
    return MoveLines(words, shared, sides[0], sides[1], tail)


def _continuation(moves: _Moves, side: int, most: int) -> tuple[str, str]:
    san, end, start = (moves.left, moves.right)[side], moves.ends[side], moves.shared
    if end == start:
        return ("(these moves are missing)" if moves.tail else "(ends here)"), ""
    last = min(start + most, end)
    rest = _line(san, start + 1, last, moves.offset, follows=True)
    return _line(san, start, start + 1, moves.offset), (
        f"{rest} … and {_plies(end - last)} more" if last < end else rest
    )


def _line(
    san: Sequence[str], start: int, end: int, plies_before: int, *, follows: bool = False
) -> str:
    """Write moves with their numbers in one line."""
    return " ".join(_numbered(san, start, end, plies_before, follows=follows))
