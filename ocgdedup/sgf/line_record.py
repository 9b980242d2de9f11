"""A game of another format as SGF text, line for line.

Line n of the SGF text has what line n of the file says, so that the line of a fault is that of the
user's file. A line end inside a value is a carriage return, which readers count as one, too.

Must not know any of the formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ocgdedup.model import USUAL_LINES
from ocgdedup.sgf.properties import value_text

_FORMAT = "(;GM[1]FF[4]CA[UTF-8]"
BLACK, WHITE = "B", "W"
_OTHER = {BLACK: WHITE, WHITE: BLACK}
_EARLY_MOVES = 30  # none is on a handicap stone
# The usual places of handicap stones on 19 lines. Servers leave different corners free for three.
_CORNERS, _SIDES, _MIDDLES = ("pd", "dp", "dd", "pp"), ("dj", "pj"), ("jd", "jp")
_HANDICAPS = {
    2: (_CORNERS[:2],),
    3: (_CORNERS[:3], ("pd", "dp", "pp")),
    4: (_CORNERS,),
    5: ((*_CORNERS, "jj"),),
    6: ((*_CORNERS, *_SIDES),),
    7: ((*_CORNERS, *_SIDES, "jj"),),
    8: ((*_CORNERS, *_SIDES, *_MIDDLES),),
    9: ((*_CORNERS, *_SIDES, *_MIDDLES, "jj"),),
}


class LineRecord:
    """Collects the root and the moves of one game; `lines`: how many the file has for it."""

    def __init__(self, lines: int) -> None:
        self.size = USUAL_LINES
        self.moves: list[str] = []  # ";B[pd]"
        self._root: list[str] = []
        self._lines: list[str] = [""] * lines
        self._places: list[int] = []  # the line of each move
        self._notes: dict[int, list[str]] = {}  # by the number of moves before them
        self._comments: dict[int, list[str]] = {}
        self._branches: dict[int, list[str]] = {}
        self._has_setup = False
        self._played_stones = 0  # handicap stones that the file has as moves
        self.is_complete = True

    def put(self, name: str, value: str) -> None:
        """Add a root property, unless the value is empty."""
        value = value.strip()
        if value:
            self._root.append(name + value_of(value))

    def put_player(self, colour: str, name: str, rank: str) -> None:
        self.put(f"P{colour}", name)
        self.put(f"{colour}R", rank)

    def put_handicap(self, stones: int) -> None:
        """Add a handicap, after the moves: the first ones may be the stones, or show a free corner.

        Without such moves, the stones are on their usual points.
        """
        if stones < 2:
            return
        self._root.append(f"HA[{stones}]")
        if self._has_setup:
            return
        if [move[1] for move in self.moves[:stones]] == [BLACK] * stones:
            self.set_up(BLACK, [move[3:5] for move in self.moves[:stones]])
            del self.moves[:stones], self._places[:stones]
            self._played_stones = stones
        elif stones in _HANDICAPS and self.size == USUAL_LINES:
            early = {move[3:5] for move in self.moves[:_EARLY_MOVES]}
            layouts = _HANDICAPS[stones]
            self.set_up(
                BLACK, next((some for some in layouts if not early & set(some)), layouts[0])
            )

    def set_up(self, colour: str, points: Iterable[str]) -> None:
        self._has_setup = True
        self._root.append(f"A{colour}" + "".join(f"[{point}]" for point in points))

    def move(self, line: int, colour: str, point: str, properties: str = "") -> None:
        """Add a move; `point`: "" for a pass."""
        self.moves.append(f";{colour}[{point}]{properties}")
        self._places.append(line)

    def pass_move(self, line: int, first: str) -> None:
        """Add a pass of the side whose turn it is; `first`: who begins."""
        self.move(line, _OTHER[self.moves[-1][1]] if self.moves else first, "")

    def fault(self, line: int, text: str) -> None:
        """Add a line that is no move, at which the reader will stop."""
        self._lines[line] += text

    def moves_of(self, number: int) -> int:
        """Return how many moves of the record the first moves of the file are."""
        return max(number - self._played_stones, 0)

    def comment(self, moves: int, text: str) -> None:
        """Add a comment on the position after so many moves."""
        if text.strip():
            self._comments.setdefault(min(moves, len(self.moves)), []).append(text.strip())

    def note(self, moves: int, properties: str) -> None:
        self._notes.setdefault(min(moves, len(self.moves)), []).append(properties)

    def branch(self, moves: int, text: str) -> None:
        """Add a variation, "(;B[pd])", to the position after so many moves."""
        self._branches.setdefault(min(moves, len(self.moves)), []).append(text)

    def text(self) -> list[str]:
        """Return the lines of the record."""
        nodes = [f"{_FORMAT}SZ[{self.size}]" + "".join(self._root), *self.moves]
        lines = list(self._lines)
        open_branches: list[list[str]] = []
        for number, (node, line) in enumerate(zip(nodes, [0, *self._places], strict=True)):
            comment = "\n".join(self._comments.get(number, []))
            node += "".join(self._notes.get(number, [])) + (comment and "C" + value_of(comment))
            if branches := self._branches.get(number):
                open_branches.append(branches)
                node += "(" if number < len(self.moves) else "(;"
            # A fault is after the moves of its line.
            lines[line] = node + lines[line]
        if self.is_complete:
            lines[-1] += "".join(")" + "".join(texts) for texts in reversed(open_branches)) + ")"
        return lines


def value_of(text: str) -> str:
    """Return a text as a value in brackets, with carriage returns as line ends."""
    return value_text(text).replace("\n", "\r")


def sgf_point(column: int, row: int) -> str:
    """Return a point; both numbers begin with 0 at the upper left."""
    return f"{chr(97 + column)}{chr(97 + row)}"


def branch_text(moves: Sequence[str]) -> str:
    return f"({''.join(moves)})"


def day_of(text: str) -> str:
    """Return the first day in a text as a DT value, "" if there is none."""
    match = re.search(
        r"(?<!\d)(\d{4})(?:\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})|(\d\d)(\d\d))(?!\d)", text
    )
    if match is None:
        return ""
    month, day = match[2] or match[4], match[3] or match[5]
    return f"{match[1]}-{int(month):02}-{int(day):02}"


def number_of(text: str, *, digits: int = 2) -> int | None:
    """Return a number of at most so many digits, None if the text is another one."""
    return int(text) if re.fullmatch(f"[0-9]{{1,{digits}}}", text) else None


def plain_number(text: str) -> str:
    """Return a number without zeros at its end."""
    return f"{float(text):g}"


def overtime(periods: str, seconds: str) -> str:
    """Return an OT value, "" if there is no overtime."""
    return f"{int(periods)}x{int(seconds)} byo-yomi" if int(periods) and int(seconds) else ""
