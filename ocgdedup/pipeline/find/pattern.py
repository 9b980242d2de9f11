"""Parse position patterns into programs for the chess kernel.

A chess pattern is a board with wildcard squares, or a query in OCGDB's Position Query Language with
OCGDB's meaning: operators of equal precedence are right-associative, and a range of squares runs
along the ranks from a8 to h1. A Go pattern is drawn in rows, as in GNU Go's pattern files, or given
as SGF (FF[4]: AB, AW, AE, MA, VW). Pure: reads no database. Raises UsageError for invalid patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ocgdedup._kernels.chess import PATTERN_CONSTANTS, PatternFinder
from ocgdedup.errors import UsageError
from ocgdedup.model import MOST_LINES
from ocgdedup.pipeline.find import query
from ocgdedup.pipeline.search.go_records import rotated_point

if TYPE_CHECKING:
    from ocgdedup._kernels.chess import GoPattern, Point, Step

_ANYWHERE, _FAR_EDGE = PATTERN_CONSTANTS["ANYWHERE"], PATTERN_CONSTANTS["FAR_EDGE"]
_EMPTY, _BLACK, _WHITE = (PATTERN_CONSTANTS[name] for name in ("EMPTY", "BLACK", "WHITE"))
# Limits that keep the kernel's stack from overflowing.
_MOST_MIXED, _MOST_BRACKETS = 12, 4
_MOST_DIGITS = 9
_MOST_SHOWN = 80  # letters of a query in an error
_ANY_ORDER = {"and", "or", "+", "*"}


class ParsedPattern(NamedTuple):
    """A parsed pattern; `lines`: the only board size that it can match, None if any.

    `ways`: for each pattern of the kernel, whether it is rotated or reflected, and whether its
    colours are swapped.
    """

    finder: PatternFinder
    ways: Sequence[tuple[bool, bool]] = ((False, False),)
    lines: int | None = None


# --- chess ----------------------------------------------------------------------------------------

_PIECES = {
    letter: 8 * (letter.islower()) + 1 + "pnbrqk".index(letter.lower()) for letter in "PNBRQKpnbrqk"
}
_ALL = {"white": 7, "black": 15}
_EVERY_SQUARE = (1 << 64) - 1
_BOARD = re.compile(r"[PNBRQKpnbrqk1-8?]+(?:/[PNBRQKpnbrqk1-8?]+){7}")
_WORD = re.compile(
    r"\s*(?://[^\n]*\n?\s*)*(?:(?P<fen>fen)\s*\[(?P<fens>[^\]]*)\]|(?P<number>[0-9]+)|"
    r"(?P<name>[A-Za-z][A-Za-z0-9]*)|(?P<sign>==|<>|!=|<=|>=|&&|\|\||[-=<>+*/()\[\],]))"
)
_END = re.compile(r"\s*(?://[^\n]*\n?\s*)*\Z")
_SAME_SIGNS = {"==": "=", "<>": "!=", "&&": "and", "||": "or", "AND": "and", "OR": "or"}
_RANKS: tuple[tuple[str, ...], ...] = (
    ("and", "or"), ("=", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/"),
)  # fmt: skip
_SQUARE = re.compile(r"(?:[a-h][1-8]?|[1-8])")


def read_chess_pattern(text: str, at: int | None) -> ParsedPattern:
    """Parse a board such as "????k???/8/…" or a query such as "Q = 3 and P[d4, e5] = 2"."""
    board = text.strip()
    if _BOARD.fullmatch(board):
        return ParsedPattern(PatternFinder.of_chess(_board_steps(board), [], at))
    steps, positions = _Query(text).read()
    return ParsedPattern(PatternFinder.of_chess(steps, positions, at))


def _board_steps(text: str) -> list[Step]:
    """Return a program that counts the pieces of each kind, and the empty squares."""
    squares: dict[int, int] = {}
    for rank, row in zip(range(7, -1, -1), text.split("/"), strict=True):
        letters = "".join("." * int(char) if char.isdigit() else char for char in row)
        if len(letters) != 8:
            raise UsageError(f"--pattern: {row!r} has {len(letters)} squares, a rank has 8")
        for file, letter in enumerate(letters):
            kind = _PIECES.get(letter, -1 if letter == "." else -2)
            squares[kind] = squares.get(kind, 0) | 1 << 8 * rank + file
    steps = [_step("NUMBER", 1)]
    for kind, mask in squares.items():
        if kind >= 0:
            steps += [_count(kind, mask), _step("NUMBER", mask.bit_count()), _step("=")]
        elif kind == -1:
            steps += [_count(_ALL["white"], mask), _count(_ALL["black"], mask), _step("+")]
            steps += [_step("NUMBER", 0), _step("=")]
        if kind >= -1:
            steps.append(_step("and"))
    return steps


def _step(operation: str, value: int = 0) -> Step:
    return PATTERN_CONSTANTS[operation], 0, value


def _count(kind: int, squares: int) -> Step:
    return PATTERN_CONSTANTS["COUNT"], kind, squares


class _Word(NamedTuple):
    kind: str | None
    text: str
    offset: int


class _Query:
    """Recursive-descent parser of a query, with one token of lookahead.

    clause = condition {("and" | "or") condition}; condition = sum {comparison sum}; sum and product
    as usual; factor = number | "(" clause ")" | pieces | "fen" "[" FEN {"," FEN} "]". Operators are
    right-associative: 5 - 2 - 1 is 4.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = list(self._split())
        self._next = 0
        self._depth = 0
        self._positions: list[tuple[str, int]] = []

    def read(self) -> tuple[list[Step], list[tuple[str, int]]]:
        """Return the program, and the positions that its FEN steps refer to."""
        steps = self._group(0)
        word = self._words[self._next]
        if word.kind is not None:
            raise self._error(word, "expected and, or, or the end of the query")
        return steps, self._positions

    def _split(self) -> Iterator[_Word]:
        offset = 0
        while not (end := _END.match(self._text, offset)):
            match = _WORD.match(self._text, offset)
            if match is None:
                rest = self._text[offset:].lstrip()
                word = _Word(None, rest[:1], len(self._text) - len(rest))
                raise self._error(word, "unexpected character")
            kind = str(match.lastgroup)
            if kind == "fens":
                yield _Word("fen", match["fens"], match.start("fen"))
            else:
                text = _SAME_SIGNS.get(match[kind], match[kind])
                yield _Word("sign" if text in ("and", "or") else kind, text, match.start(kind))
            offset = match.end()
        yield _Word(None, "", end.start())

    def _error(self, word: _Word, problem: str) -> UsageError:
        shown = repr(word.text) if word.text else "the end"
        text = self._text.strip()
        text = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
        return UsageError(
            f"--pattern: {text!r}: column {word.offset + 1}, {shown}: {problem} "
            "('ocgdedup find --help' has examples)"
        )

    def _take(self) -> _Word:
        word = self._words[self._next]
        self._next += word.kind is not None
        return word

    def _is_sign(self, *signs: str) -> bool:
        word = self._words[self._next]
        return word.kind == "sign" and word.text in signs

    def _group(self, rank: int) -> list[Step]:
        """Parse operands and the operators of one precedence between them."""
        if rank == len(_RANKS):
            return self._factor()
        operands, operators = [self._group(rank + 1)], []
        while self._is_sign(*_RANKS[rank]):
            operators.append(self._take())
            operands.append(self._group(rank + 1))
        signs = {word.text for word in operators}
        if len(signs) == 1 and signs <= _ANY_ORDER:  # this order needs a smaller stack
            last_step = _step(signs.pop())
            return operands[0] + [step for steps in operands[1:] for step in (*steps, last_step)]
        if len(operators) > _MOST_MIXED:
            raise self._error(operators[-1], f"{_MOST_MIXED} operators side by side at most")
        steps = [step for operand in operands for step in operand]
        return steps + [_step(word.text) for word in reversed(operators)]

    def _factor(self) -> list[Step]:
        word = self._take()
        if word.kind == "number":
            if len(word.text) > _MOST_DIGITS:
                raise self._error(word, f"a number has {_MOST_DIGITS} digits at most")
            return [_step("NUMBER", int(word.text))]
        if word.kind == "fen":
            steps = []
            for fen in word.text.split(","):
                position = query.read_chess_position(fen.strip(), option="--pattern: fen[...]")
                steps.append(_step("FEN", len(self._positions)))
                steps += [_step("or")] * (len(steps) > 1)
                self._positions.append((position.boards[0], position.fields))
            return steps
        if word.kind == "name":
            return self._pieces(word)
        if word.text != "(":
            raise self._error(word, "expected a number, a piece such as Q or black, or (")
        self._depth += 1
        if self._depth > _MOST_BRACKETS:
            raise self._error(word, f"brackets go {_MOST_BRACKETS} deep at most")
        steps = self._group(0)
        self._depth -= 1
        close = self._take()
        if close.text != ")":
            raise self._error(close, "expected )")
        return steps

    def _pieces(self, word: _Word) -> list[Step]:
        name = next((name for name in _ALL if word.text.startswith(name)), word.text[0])
        kind = _ALL.get(name, _PIECES.get(name))
        if kind is None:
            raise self._error(word, "pieces are K Q R B N P, k q r b n p, white and black")
        squares = 0
        if suffix := word.text[len(name) :]:
            squares = self._squares(_Word("name", suffix, word.offset + len(name)))
        if self._is_sign("["):
            squares |= self._set_of_squares()
        return [_count(kind, squares or _EVERY_SQUARE)]

    def _set_of_squares(self) -> int:
        """Parse squares, files, ranks and ranges of them, up to the closing bracket."""
        self._take()
        squares = 0
        while not self._is_sign("]"):
            if self._is_sign(","):
                self._take()
                continue
            first = self._take()
            if self._is_sign("-"):
                self._take()
                squares |= self._range(first, self._take())
            else:
                squares |= self._squares(first)
        self._take()
        return squares

    def _squares(self, word: _Word) -> int:
        """Return the squares of "e4", of the file "e" or of the rank "4"."""
        if not _SQUARE.fullmatch(word.text):
            raise self._error(word, "expected a square, file or rank, such as e4, e or 4")
        files = [ord(char) - ord("a") for char in word.text if char.isalpha()] or range(8)
        ranks = [int(char) - 1 for char in word.text if char.isdigit()] or range(8)
        return sum(1 << 8 * rank + file for rank in ranks for file in files)

    def _range(self, first: _Word, last: _Word) -> int:
        corner, opposite = self._squares(first), self._squares(last)
        if len(first.text) != len(last.text) or first.text.isdigit() != last.text.isdigit():
            raise self._error(last, "expected a range such as e4-h4, a-c or 5-7")
        if len(first.text) == 1:
            low, high = sorted((first.text, last.text))
            codes = range(ord(low), ord(high) + 1)
            return sum(self._squares(_Word("name", chr(code), last.offset)) for code in codes)
        # Along the ranks, from a8.
        start, end = sorted((square.bit_length() - 1) ^ 56 for square in (corner, opposite))
        return sum(1 << (square ^ 56) for square in range(start, end + 1))


# --- Go -------------------------------------------------------------------------------------------

_LETTERS = {
    ".": _EMPTY, "X": _BLACK, "O": _WHITE, "x": _EMPTY | _BLACK, "o": _EMPTY | _WHITE,
    "?": _EMPTY | _BLACK | _WHITE,
}  # fmt: skip
_ANYTHING = _LETTERS["?"]
_SWAPPED = {
    _BLACK: _WHITE, _WHITE: _BLACK, _BLACK | _EMPTY: _WHITE | _EMPTY,
    _WHITE | _EMPTY: _BLACK | _EMPTY,
}  # fmt: skip
_EDGE_ROW = re.compile(r"\+?-+\+?")
_ROW = re.compile(r"(\|?)([.XOxo?]+)(\|?)")
_POINTS = "abcdefghijklmnopqrstuvwxy"


class _BoardPart(NamedTuple):
    """A part of a Go board: the allowed contents of each point, row by row.

    `edges`: whether it touches the left, top, right and bottom edge. `corner`: column and row of
    its first point; None: anywhere. `lines`: of the board, 0: any.
    """

    rows: tuple[tuple[int, ...], ...]
    edges: tuple[bool, bool, bool, bool] = (False, False, False, False)
    corner: tuple[int, int] | None = None
    lines: int = 0


def read_go_pattern(
    text: str, at: int | None, *, symmetric: bool, swap_colours: bool
) -> ParsedPattern:
    """Parse rows or SGF; `symmetric`: in all eight orientations, `swap_colours`: swapped too."""
    part = _of_sgf(text) if "[" in text else _of_rows(text)
    ways: dict[_BoardPart, tuple[bool, bool]] = {}
    for symmetry in range(8 if symmetric else 1):
        rotated = _rotated(part, symmetry)
        ways.setdefault(rotated, (symmetry > 0, False))
        if swap_colours:
            rows = tuple(tuple(_SWAPPED.get(point, point) for point in row) for row in rotated.rows)
            ways.setdefault(rotated._replace(rows=rows), (symmetry > 0, True))
    finder = PatternFinder.of_go(map(_pattern, ways), at)
    return ParsedPattern(finder, list(ways.values()), part.lines or None)


def _of_rows(text: str) -> _BoardPart:
    lines = [line.strip() for line in re.split(r"[/\n]", text) if line.strip()]
    edges = [bool(lines) and bool(_EDGE_ROW.fullmatch(lines[index])) for index in (0, -1)]
    rows = lines[edges[0] : len(lines) - (edges[1] and len(lines) > 1)]
    matches = [_ROW.fullmatch(row) for row in rows]
    sides = {(match[1], match[3]) for match in matches if match is not None}
    if not rows or None in matches or len(sides) != 1 or len({len(row) for row in rows}) != 1:
        raise UsageError(
            f"--pattern: {text!r} is not a board pattern; write rows of equal length with / "
            "between them: X black, O white, . empty, x and o that stone or empty, ? anything, "
            "| and - for edges of the board, such as '+---/|.X./|?O.'"
        )
    points = tuple(tuple(_LETTERS[letter] for letter in row.strip("|")) for row in rows)
    if max(len(points), len(points[0])) > MOST_LINES:
        raise UsageError(f"--pattern: boards have {MOST_LINES} lines at most; draw less of it")
    (left, right), (top, bottom) = next(iter(sides)), edges
    if left and right and top and bottom and len(points) != len(points[0]):
        raise UsageError(f"--pattern: {text!r} has all four edges of the board, but is not square")
    # A part between two opposite edges is as wide, or as high, as the board.
    size = len(points[0]) if left and right else len(points) if top and bottom else 0
    return _BoardPart(points, (bool(left), top, bool(right), bottom), lines=size)


def _of_sgf(text: str) -> _BoardPart:
    """Parse the region VW, or the whole board: stones, empty points, MA for anything."""
    values = query.properties_of(text, ("SZ", "AB", "AW", "AE", "MA", "VW"), option="--pattern")
    lines = query.board_lines(values["SZ"], text, option="--pattern")
    board = [[_EMPTY] * lines for _ in range(lines)]
    for name, allowed in (("AB", _BLACK), ("AW", _WHITE), ("AE", _EMPTY), ("MA", _ANYTHING)):
        for column, row in _numbers(values[name], lines):
            board[row][column] = allowed
    inside = set(_numbers(values["VW"], lines))
    if not inside:
        return _BoardPart(tuple(map(tuple, board)), corner=(0, 0), lines=lines)
    columns, rows = ([point[axis] for point in inside] for axis in (0, 1))
    shown = tuple(
        tuple(
            board[row][column] if (column, row) in inside else _ANYTHING
            for column in range(min(columns), max(columns) + 1)
        )
        for row in range(min(rows), max(rows) + 1)
    )
    return _BoardPart(shown, corner=(min(columns), min(rows)), lines=lines)


def _numbers(values: Iterable[str], lines: int) -> Iterator[tuple[int, int]]:
    for value in values:
        for point in query.points_of_value(value, lines, option="--pattern"):
            yield _POINTS.index(point[0]), _POINTS.index(point[1])


def _rotated(part: _BoardPart, symmetry: int) -> _BoardPart:
    """Return a part rotated or reflected with its board; `symmetry`: as in go_symmetry.pxd."""
    height, width = len(part.rows), len(part.rows[0])
    size = max(part.lines, height, width)
    left, top = part.corner or (0, 0)
    points = {
        _moved(left + column, top + row, size, symmetry): part.rows[row][column]
        for row in range(height)
        for column in range(width)
    }
    first = min(column for column, _ in points), min(row for _, row in points)
    is_on_its_side = _moved(1, 0, 2, symmetry)[1] != _moved(0, 0, 2, symmetry)[1]
    width, height = (height, width) if is_on_its_side else (width, height)
    rows = tuple(
        tuple(points[first[0] + column, first[1] + row] for column in range(width))
        for row in range(height)
    )
    # Each edge moves like the point beside it on a board of three lines.
    sides = {(0, 1): 0, (1, 0): 1, (2, 1): 2, (1, 2): 3}
    edges = [False] * 4
    for point, side in sides.items():
        edges[sides[_moved(*point, 3, symmetry)]] = part.edges[side]
    corner = first if part.corner is not None else None
    return part._replace(rows=rows, edges=(*edges,), corner=corner)  # type: ignore[arg-type]


def _moved(column: int, row: int, lines: int, symmetry: int) -> tuple[int, int]:
    point = rotated_point(_POINTS[column] + _POINTS[row], lines, symmetry)
    return _POINTS.index(point[0]), _POINTS.index(point[1])


def _pattern(part: _BoardPart) -> GoPattern:
    """Return a part in the kernel's form, with rare points (stones) first."""
    points: list[Point] = [
        (column, row, allowed)
        for row, allowed_in_row in enumerate(part.rows)
        for column, allowed in enumerate(allowed_in_row)
        if allowed != _ANYTHING
    ]
    points.sort(key=lambda point: bool(point[2] & _EMPTY))
    left, top, right, bottom = part.edges
    width, height = len(part.rows[0]), len(part.rows)
    if part.corner is not None:
        return (part.lines, *part.corner, width, height, points)
    column = 0 if left else _FAR_EDGE if right else _ANYWHERE
    row = 0 if top else _FAR_EDGE if bottom else _ANYWHERE
    return (part.lines, column, row, width, height, points)
