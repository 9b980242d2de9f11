"""Parse the conditions of `find` into stored values: moves, signatures, MD5s and positions.

Pure: reads no database. All functions raise UsageError for invalid conditions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

from ocgdedup._kernels import go as go_kernel
from ocgdedup._kernels.chess import final_fen, start_epd
from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.model import MOST_LINES, USUAL_LINES
from ocgdedup.pipeline.search.go_records import rotated_point, start_of
from ocgdedup.store import find as store

_MOVE = re.compile(r"(\d+)([wb]?)=(.*)", re.ASCII | re.DOTALL)
_MOST_DIGITS = 5  # of the number of a move
_ANY = str.maketrans("_*", store.UNKNOWN * 2)
_GO_LETTERS = "abcdefghijklmnopqrstuvwxy"
_GO_PASS, _PASS_WORDS = "tt", ("pass", "tt")
_FILES, _RANKS = "abcdefgh", "12345678"
_PROMOTIONS = {"n": 2, "b": 3, "r": 4, "q": 5}
_CASTLING_BIT = 0x8000
_NULL_MOVE = "0000"
_FEN_FIELDS = (
    "[pnbrqkPNBRQK1-8/]+", "[wb]", "-|[KQkqA-Ha-h]{1,4}", "-|[a-h][36]", r"\d+", r"\d+",
)  # fmt: skip
_MOVE_NUMBER = re.compile(r"\d+\s*\.[.\s]*|\.\.+|…")
_CHESS_MOVE = re.compile(r"\b(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8]|[O0]-[O0])")
_PROPERTY = re.compile(r"([A-Z]{1,2})((?:\s*\[[^\]]*\])+)\s*")
_VALUE = re.compile(r"\[\s*([^\]]*?)\s*\]")


def read_alternatives(
    signatures: dict[str, str], moves: Iterable[str], kind: GameKind, lines: int | None = None
) -> tuple[store.Alternative, ...]:
    """Return the moves that a game must have: of `signatures` by column, and of "N=MOVE".

    `lines`: of the Go board, to rotate and reflect the moves; None: do not rotate. Moves of
    signatures with only unknown letters are no condition; "N=__" means any move.
    """
    form = _FORMS[kind]
    read = form.read
    letters = [
        (number, move)
        for column, text in signatures.items()
        for number, move in _signature_moves(column, text, form)
        if set(move) != {store.UNKNOWN}
    ]
    letters += [_numbered_move(text, form) for text in moves]
    if not letters:
        return ()
    if lines is None:
        return (tuple(read(number, text) for number, text in letters),)
    rotated = (
        tuple((number, _rotated(text, lines, symmetry)) for number, text in letters)
        for symmetry in range(go_kernel.SYMMETRIES)
    )
    return tuple(tuple(read(*move) for move in moves_of) for moves_of in dict.fromkeys(rotated))


def read_md5(text: str) -> bytes:
    """Return the 16 bytes of an MD5 in hexadecimal."""
    if not re.fullmatch(r"[0-9a-fA-F]{32}", text):
        raise UsageError(f"--md5: {text!r} is not an MD5; it has 32 digits from 0 to f")
    return bytes.fromhex(text)


# --- moves ----------------------------------------------------------------------------------------


class _MoveForm(NamedTuple):
    """How moves of chess or Go are written, with examples for messages.

    `letters`: the letters allowed at each index of a move; `promotions` may follow; `other`: a move
    of other letters. `has_sides`: "10b" is a move number. `completed` expands a short form.
    """

    letters: tuple[str, ...]
    promotions: Collection[str]
    other: str | None
    has_sides: bool
    completed: Callable[[str], str]
    read: Callable[[int, str], store.MoveConstraint]
    signature_example: str
    numbered_example: str
    expected: str


def _signature_moves(column: str, text: str, form: _MoveForm) -> Iterator[tuple[int, str]]:
    """Yield number and letters of the three moves of a signature; ABSENT means no such move."""
    option = "--signature-a" if column == "SignatureA" else "--signature-b"
    width = len(form.letters)
    written = text.strip().lower()
    letters = written.translate(_ANY)
    if len(letters) != 3 * width:
        raise UsageError(
            f"{option}: {text!r} has {len(text.strip())} letters, a signature has {3 * width}, "
            f"such as {form.signature_example}"
        )
    # A printed signature ends in ? for moves that the game does not have.
    parts = [written[start : start + width] for start in range(0, len(written), width)]
    played = len(parts)
    while played and parts[played - 1] == store.UNKNOWN * width:
        played -= 1
    for index, number in enumerate(store.SIGNATURE_MOVES[column]):
        move = parts[index].translate(_ANY) if index < played else store.ABSENT * width
        _check_letters(move, form, f"{option}: {text!r}", move)
        yield number, move


def _numbered_move(text: str, form: _MoveForm) -> tuple[int, str]:
    match = _MOVE.fullmatch(text.strip())
    example = form.numbered_example
    if not match:
        raise UsageError(f"--move: {text!r} is not a number and a move, such as {example}")
    if len(match[1].lstrip("0")) > _MOST_DIGITS:
        raise UsageError(f"--move: {text!r}: no game has so many moves")
    number, side = int(match[1]), match[2]
    if side:
        if not form.has_sides:
            raise UsageError(
                f"--move: {text!r}: Go moves are given by a number alone, such as {example}"
            )
        number = 2 * number - (side == "w")
    if number < 1:
        raise UsageError(f"--move: {text!r}: moves are counted from 1")
    move = form.completed(match[3].strip().lower().translate(_ANY))
    _check_letters(move, form, f"--move: {text!r}", match[3].strip())
    return number, move


def _check_letters(move: str, form: _MoveForm, option: str, written: str) -> None:
    """Raise UsageError unless the letters, some of them unknown or all absent, can be a move."""
    width = len(form.letters)
    body, promotion = move[:width], move[width:]
    fits = len(body) == width and all(
        letter == store.UNKNOWN or letter in letters
        for letter, letters in zip(body, form.letters, strict=True)
    )
    if (fits and (not promotion or promotion in form.promotions)) or move == store.ABSENT * width:
        return
    if move == form.other:
        return
    raise UsageError(
        f"{option}: {written!r} is not a move: {form.expected}; ? or _ stands for an unknown "
        f"letter, {store.ABSENT * width} for no such move"
    )


def _chess_move(written: str) -> str:
    """Return a move with both squares for a move that may be written as its second square."""
    if len(written) != 2:
        return written
    return store.ABSENT * 4 if written == store.ABSENT * 2 else store.UNKNOWN * 2 + written


def _chess_constraint(number: int, text: str) -> store.MoveConstraint:
    letters, promotion = text[:4], text[4:]
    if letters == store.ABSENT * 4:
        return store.MoveConstraint(number, letters, ())
    if text == store.UNKNOWN * 4:
        return store.MoveConstraint(number, letters, (), is_all=False)
    if letters == _NULL_MOVE:
        return store.MoveConstraint(number, letters, (0,))
    starts, targets = (
        [
            file + 8 * rank
            for file in _indexes(square[0], _FILES)
            for rank in _indexes(square[1], _RANKS)
        ]
        for square in (letters[:2], letters[2:])
    )
    kinds = [_PROMOTIONS[promotion]] if promotion else [0, *_PROMOTIONS.values()]
    plain = {
        start | target << 6 | kind << 12 for start, target, kind in product(starts, targets, kinds)
    }
    if not promotion:
        plain |= {start | target << 6 | _CASTLING_BIT for start in starts for target in targets}
    plain.discard(0)  # a null move, not one from a1 to a1
    return store.MoveConstraint(number, letters, tuple(sorted(plain)), not promotion)


def _go_constraint(number: int, text: str) -> store.MoveConstraint:
    if text in (store.ABSENT * 2, store.UNKNOWN * 2):
        return store.MoveConstraint(number, text, (), is_all=text == store.ABSENT * 2)
    columns, rows = (_indexes(letter, _GO_LETTERS) for letter in text)
    points = {column | row << 5 for column in columns for row in rows}
    if all(letter in (store.UNKNOWN, "t") for letter in text):
        points.add(go_kernel.PASS)
    values = sorted(point | colour for point in points for colour in (0, go_kernel.COLOUR))
    return store.MoveConstraint(number, text, tuple(values))


_FORMS = {
    CHESS: _MoveForm(
        letters=(_FILES, _RANKS) * 2,
        promotions=_PROMOTIONS,
        other=_NULL_MOVE,
        has_sides=True,
        completed=_chess_move,
        read=_chess_constraint,
        signature_example="g8f6d2d4e7e5, or ????d2d4____",
        numbered_example="20=e2e4, 20=e4 or 10b=e2e4",
        expected="two squares, such as e2e4, or the second alone, e4 (castling: e1g1, promotion: "
        "e7e8q)",
    ),
    GO: _MoveForm(
        letters=(_GO_LETTERS,) * 2,
        promotions=(),
        other=None,
        has_sides=False,
        completed=lambda written: _GO_PASS if written in _PASS_WORDS else written,
        read=_go_constraint,
        signature_example="qoqghn, or qo__hn",
        numbered_example="20=qo",
        expected="two letters from a to y, such as qo, or tt for a pass",
    ),
}


def _indexes(letter: str, letters: str) -> range:
    """Return the indexes of the letters that match a letter, which may be UNKNOWN."""
    if letter == store.UNKNOWN:
        return range(len(letters))
    return range(letters.index(letter), letters.index(letter) + 1)


def needed_lines(
    alternatives: Iterable[store.Alternative],
) -> tuple[int, store.MoveConstraint | None]:
    """Return the lines that a Go board needs for the moves, and the move that needs them.

    A pass and unknown letters need one line.
    """
    needed: tuple[int, store.MoveConstraint | None] = 0, None
    for move in chain.from_iterable(alternatives):
        lines = 1
        if not set(move.letters) <= {store.UNKNOWN, "t"}:  # a single t may be half of a pass
            lines = max(_GO_LETTERS.find(letter) + 1 for letter in move.letters)
        if lines > needed[0]:
            needed = lines, move
    return needed


# --- rotated boards -------------------------------------------------------------------------------


def _rotated(point: str, lines: int, symmetry: int) -> str:
    """Return a point on the rotated board; a pass and unknown letters stay."""
    if point in (_GO_PASS, store.ABSENT * 2) and lines <= USUAL_LINES:
        return point
    for letter in point:
        if letter in _GO_LETTERS[lines:]:
            raise UsageError(
                f"find: {point!r} is not a point of a board of {lines} lines; name another point, "
                "or --size"
            )
    return rotated_point(point, lines, symmetry)


# --- positions ------------------------------------------------------------------------------------


def read_moves(text: str, option: str) -> bytes:
    """Return the first moves of a chess game, in SAN or UCI with or without numbers, as stored."""
    import chess  # 60 ms

    board = chess.Board()
    moves = bytearray()
    for word in _MOVE_NUMBER.sub(" ", text).split():
        written = word.rstrip("!?")
        try:
            try:
                move = board.parse_san(written)
            except ValueError:
                move = board.parse_uci(written.lower())
        except ValueError as error:
            number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
            raise UsageError(
                f"{option}: {text!r}: {number} {word} is not a legal move there; write the moves "
                "from the start of the game, such as '1. e4 c5 2. Nf3'"
            ) from error
        board.push(move)
        value = move.from_square | move.to_square << 6 | (move.promotion or 0) << 12
        moves += value.to_bytes(2, "little")
    if not moves:
        raise UsageError(f"{option}: {text!r} has no moves; write them as '1. e4 c5 2. Nf3'")
    return bytes(moves)


def read_position(
    text: str, kind: GameKind, *, symmetric: bool = False
) -> tuple[store.WantedPosition, int | None]:
    """Read a position: a FEN, chess moves, or Go stones.

    Also returns the number of lines of the Go board, None for chess.
    """
    if kind is GO:
        return read_go_position(text, symmetric=symmetric)
    if "/" in text or not _CHESS_MOVE.search(text):
        return read_chess_position(text), None
    return store.WantedPosition((final_fen(read_moves(text, "--position")),)), None


def read_chess_position(text: str, option: str = "--position") -> store.WantedPosition:
    """Return the position of a FEN, or of its first one to four fields.

    `option`: the option that errors name, also in the functions below.
    """
    fields = text.replace("_", " ").split()
    if not 0 < len(fields) <= len(_FEN_FIELDS) or not all(
        re.fullmatch(kind, field) for kind, field in zip(_FEN_FIELDS, fields, strict=False)
    ):
        raise UsageError(
            f"{option}: {text!r} is not a FEN, such as "
            "'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -'; "
            "its first field alone finds the pieces, whoever is to move; or moves, such as "
            "'1. e4 c5'"
        )
    ranks = [sum(int(s) if s.isdigit() else 1 for s in rank) for rank in fields[0].split("/")]
    if ranks != [8] * 8:
        raise UsageError(f"{option}: {text!r}: the pieces do not stand on 8 ranks of 8 squares")
    counted = min(len(fields), 4)
    # Without the side to move, a king in check shows it.
    tries = [fields] if len(fields) > 1 else [[*fields, "w"], [*fields, "b"]]
    for attempt in tries:
        fen = " ".join([*attempt, *("-", "-", "0", "1")[max(len(attempt) - 2, 0) :]])
        try:
            start_epd(fen, is_legal=True)
        except ValueError:
            continue
        return store.WantedPosition((fen,), counted)
    raise UsageError(
        f"{option}: {text!r} is not a legal position: one king each, and the side that has just "
        "moved is not in check"
    )


def read_go_position(text: str, *, symmetric: bool) -> tuple[store.WantedPosition, int]:
    """Return the position of stones in SGF, AB[..]AW[..] and SZ[..], and the lines of its board.

    `symmetric`: include all rotations and reflections.
    """
    values = properties_of(text, ("SZ", "AB", "AW"))
    lines = board_lines(values["SZ"], text)
    stones = {
        name: [point for value in values[name] for point in points_of_value(value, lines)]
        for name in ("AB", "AW")
    }
    if both := set(stones["AB"]) & set(stones["AW"]):
        raise UsageError(f"--position: {min(both)} has both a black and a white stone")
    boards = [
        start_of(lines, {name: [rotated_point(point, lines, symmetry) for point in points]
                         for name, points in stones.items()})
        for symmetry in range(go_kernel.SYMMETRIES if symmetric else 1)
    ]  # fmt: skip
    return store.WantedPosition(tuple(dict.fromkeys(boards))), lines


def properties_of(
    text: str, names: Sequence[str], option: str = "--position"
) -> dict[str, list[str]]:
    """Return the values of the properties of an SGF node; raise UsageError for other ones."""
    bare = text.strip().removeprefix("(").removeprefix(";").removesuffix(")").strip()
    matches = list(_PROPERTY.finditer(bare))
    others = [match[1] for match in matches if match[1] not in names]
    if not matches or others or "".join(match[0] for match in matches).strip() != bare:
        raise UsageError(
            f"{option}: {text!r} is not a list of stones, such as 'AB[pd][dp]AW[dd]', with SZ[13] "
            f"in front if the board has not {USUAL_LINES} lines"
            + (f"; leave out {others[0]}" if others else "")
        )
    values: dict[str, list[str]] = {name: [] for name in names}
    for match in matches:
        values[match[1]] += _VALUE.findall(match[2])
    return values


def board_lines(values: Sequence[str], text: str, option: str = "--position") -> int:
    """Return the board size that SZ gives, 19 by default."""
    size = values[-1] if values else str(USUAL_LINES)
    if not (size.isascii() and size.isdigit() and 1 <= int(size) <= MOST_LINES):
        raise UsageError(f"{option}: {text!r}: SZ is one number from 1 to {MOST_LINES}")
    return int(size)


def points_of_value(value: str, lines: int, option: str = "--position") -> Iterator[str]:
    """Yield the points of a value: one point, or a rectangle as "aa:cc"."""
    corners = value.split(":")
    if len(corners) > 2 or any(
        len(corner) != 2 or not set(corner) <= set(_GO_LETTERS[:lines]) for corner in corners
    ):
        raise UsageError(f"{option}: {value!r} is not a point of a board of {lines} lines")
    ends = [sorted(map(ord, pair)) for pair in zip(corners[0], corners[-1], strict=True)]
    (left, right), (top, bottom) = ends
    for column in range(left, right + 1):
        for row in range(top, bottom + 1):
            yield chr(column) + chr(row)
