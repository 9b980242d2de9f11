"""Patterns, compared with python-chess and boards row by row."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import apsw
import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel
from ocgdedup._kernels.chess import PATTERN_CONSTANTS, PatternFinder
from ocgdedup.errors import UsageError
from ocgdedup.pipeline.find.pattern import read_chess_pattern, read_go_pattern
from ocgdedup.store.find import positions_of_pattern
from tests.reference import patterns as reference
from tests.reference.move_blobs import encode_game, random_board, random_moves
from tests.support.go_games import random_go

# --- what is compared -----------------------------------------------------------------------------


def games_table(games, path=":memory:"):
    """Return a database of (start, blob), IDs from 1."""
    connection = apsw.Connection(path)
    connection.execute("CREATE TABLE Games (ID INTEGER PRIMARY KEY, FEN TEXT, Moves2 BLOB)")
    connection.executemany("INSERT INTO Games (FEN, Moves2) VALUES (?, ?)", games)
    return connection


def places(connection, expected, ids=None):
    return [
        (place.game_id, place.plies)
        for place in positions_of_pattern(connection, expected.finder, ids)
    ]


def random_game(seed, plies=50):
    """Return start, blob and all positions."""
    rng = random.Random(seed)
    board = random_board(rng)
    start = board.fen()
    moves = random_moves(board.copy(), rng, plies)
    blob, _ = encode_game(board.copy(), moves)
    boards = [board.copy()]
    for move in moves:
        board.push(move)
        boards.append(board.copy())
    return start, blob, boards


GAMES = [random_game(seed) for seed in range(25)]
CHESS = games_table([(start, blob) for start, blob, _ in GAMES])

# --- chess ----------------------------------------------------------------------------------------

PIECES = st.sampled_from([*"KQRBNPkqrbnp", "white", "black"])
FILES, RANKS = "abcdefgh", "12345678"


@st.composite
def squares(draw):
    """A set of squares: as text after the name of a piece, and as squares."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return "", frozenset(range(64))
    if kind == 1:
        text = draw(st.sampled_from([*FILES, *RANKS, *chess.SQUARE_NAMES]))
        return text, named(text)
    parts = draw(st.lists(ranges(), min_size=1, max_size=3))
    joined = draw(st.sampled_from([", ", ",", " ,"])).join(text for text, _ in parts)
    return f"[{joined}]", frozenset().union(*(result for _, result in parts))


@st.composite
def ranges(draw):
    names = draw(st.sampled_from([FILES, RANKS, chess.SQUARE_NAMES]))
    left, right = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    if draw(st.booleans()):
        return left, named(left)
    if len(left) == 2:  # along the ranks, from a8
        page = [chess.square(file, rank) for rank in range(7, -1, -1) for file in range(8)]
        low, high = sorted(page.index(chess.parse_square(name)) for name in (left, right))
        return f"{left} - {right}", frozenset(page[low : high + 1])
    low, high = sorted(map(names.index, (left, right)))
    result = frozenset().union(*(named(name) for name in names[low : high + 1]))
    return f"{left}-{right}", result


def named(text):
    return frozenset(
        square for square in chess.SQUARES if set(text) <= set(chess.square_name(square))
    )


@st.composite
def counts(draw):
    piece, (text, result) = draw(PIECES), draw(squares())
    return f"{piece}{text}", (piece, result)


NUMBERS = st.integers(0, 9).map(lambda number: (str(number), number))


def grouped(operands, signs):
    """Write operands with operators between them; each takes all to its right."""

    @st.composite
    def draw_group(draw):
        parts = draw(st.lists(operands, min_size=1, max_size=3))
        text, tree = parts.pop()
        while parts:
            left, left_tree = parts.pop()
            sign = draw(st.sampled_from(signs))
            tree = (dict.fromkeys(("&&",), "and").get(sign, sign), left_tree, tree)
            text = f"{left} {sign} {text}"
        return text, tree

    return draw_group()


FACTORS = counts() | NUMBERS
SUMS = grouped(grouped(FACTORS, ["*", "/"]), ["+", "-"])
CONDITIONS = grouped(SUMS, ["=", "!=", "<", "<=", ">", ">="])
QUERIES = grouped(CONDITIONS, ["and", "or", "&&"])
BRACKETED = QUERIES.map(lambda query: (f"({query[0]})", query[1]))


@given(grouped(BRACKETED | CONDITIONS, ["and", "or"]))
@settings(max_examples=150, deadline=None)
def test_queries(query):
    text, tree = query
    expected = [
        (number, ply)
        for number, (_, _, boards) in enumerate(GAMES, 1)
        if (ply := reference.first_ply(tree, boards)) is not None
    ]
    assert places(CHESS, read_chess_pattern(text, None)) == expected


@given(QUERIES, st.integers(0, 55))
@settings(max_examples=100, deadline=None)
def test_queries_after_a_ply(query, at):
    text, tree = query
    expected = [
        (number, at)
        for number, (_, _, boards) in enumerate(GAMES, 1)
        if at < len(boards) and reference.evaluated(tree, boards[at])
    ]
    assert places(CHESS, read_chess_pattern(text, at)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_boards_with_squares_that_may_hold_anything(seed):
    rng = random.Random(seed)
    number = rng.randrange(len(GAMES))
    boards = GAMES[number][2]
    rows = str(boards[rng.randrange(len(boards))]).replace(" ", "").split("\n")
    shown = ["".join(letter if rng.random() < 0.4 else "?" for letter in row) for row in rows]
    expected = []
    for game_id, (_, _, positions) in enumerate(GAMES, 1):
        for ply, board in enumerate(positions):
            board_rows = str(board).replace(" ", "").split("\n")
            if all(
                left in ("?", right)
                for row, other_row in zip(shown, board_rows, strict=True)
                for left, right in zip(row, other_row, strict=True)
            ):
                expected.append((game_id, ply))
                break
    text = "/".join(shown).replace("..", "2").replace(".", "1")
    assert expected
    assert places(CHESS, read_chess_pattern(text, None)) == expected


def test_positions_in_a_query():
    first, second = GAMES[3][2][7], GAMES[11][2][20]
    target = {board.epd(en_passant="legal") for board in (first, second)}
    expected = []
    for number, (_, _, boards) in enumerate(GAMES, 1):
        ply = next((n for n, b in enumerate(boards) if b.epd(en_passant="legal") in target), None)
        if ply is not None:
            expected.append((number, ply))
    text = f"fen[{first.fen()}, {second.fen()}]"
    assert places(CHESS, read_chess_pattern(text, None)) == expected
    text = f"fen[{first.fen()}] or fen[{second.fen()}] // both"
    assert places(CHESS, read_chess_pattern(text, None)) == expected
    text = f"fen[{first.fen()}] or fen[{second.fen()}] and 1 = 2"  # grouped from the right
    assert places(CHESS, read_chess_pattern(text, None)) == expected[:1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the end: expected a number, a piece"),
        ("Q =", "the end: expected a number, a piece"),
        ("Q = 3 R", "column 7, 'R': expected and, or, or the end"),
        ("Qz9", "column 2, 'z9': expected a square"),
        ("W = 1", "'W': pieces are K Q R"),
        ("w = 1", "'w': pieces are"),
        ("Q[d4", "the end: expected a square"),
        ("Q[d4-e]", "expected a range such as"),
        ("(Q = 1", "the end: expected )"),
        ("Q = 1234567890", "9 digits at most"),
        ("Q # 3", "'#': unexpected character"),
        ("((((((Q))))))", "brackets go"),
        ("1 = " + "1 < 2 > " * 20 + "3", "operators side by side"),
        ("fen[8/8]", "do not stand on 8 ranks"),
        ("fen[]", "is not a FEN"),
        ("????????/8/8/8/8/8/8/????????K", "has 9 squares"),
    ],
)
def test_invalid_queries(text, message):
    with pytest.raises(UsageError, match="--pattern") as error:
        read_chess_pattern(text, None)
    assert message in str(error.value)


def test_the_longest_queries_fit_on_the_stack():
    mixed = " < ".join(["1 - 2 + 3 - 4 + 5 - 6 + 7 - 8 + 9 - 1 + 2 - 3 * 4 / 5 * 6"] * 12)
    deep = "1"
    for _ in range(4):
        deep = f"1 and 0 or {mixed} < 1 - 2 + 3 * 4 / ({deep})"
        read_chess_pattern(deep, None)
    read_chess_pattern(" or ".join(["Q = 1"] * 3000), None)


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [(PATTERN_CONSTANTS["+"], 0, 0)],
        [(PATTERN_CONSTANTS["NUMBER"], 0, 1)] * 2,
        [(PATTERN_CONSTANTS["NUMBER"], 0, 1)] * 400,
        [(PATTERN_CONSTANTS["FEN"], 0, 0)],
        [(99, 0, 0)],
        [(PATTERN_CONSTANTS["COUNT"], 16, 0)],
    ],
)
def test_invalid_programs(steps):
    with pytest.raises(ValueError, match=r"program|position"):
        PatternFinder.of_chess(steps, [])


# --- Go -------------------------------------------------------------------------------------------


GO_GAMES = [
    (f"SZ[{lines}]" + ("AB[aa]AW[bb]" if seed % 3 else ""), random_go(seed, lines, 60))
    for seed, lines in enumerate([5, 6, 7, 9, 13] * 4)
]
GO = games_table(GO_GAMES)
GO_BOARDS = [
    [go_kernel.board_after(blob, start, ply) for ply in range(len(blob) // 2 + 1)]
    for start, blob in GO_GAMES
]


@st.composite
def parts_of_boards(draw):
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    row = st.text(st.sampled_from("..XXOOxo??"), min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    edges = draw(st.sampled_from(["", "", "l", "t", "r", "b", "lt", "tr", "rb", "lb", "lr", "tb"]))
    return rows, edges


def drawn(rows, edges):
    lines = [f"{'|' * ('l' in edges)}{row}{'|' * ('r' in edges)}" for row in rows]
    line = "+" + "-" * len(rows[0]) + "+"
    return "\n".join([line] * ("t" in edges) + lines + [line] * ("b" in edges))


@given(parts_of_boards(), st.booleans(), st.booleans(), st.none() | st.integers(0, 61))
@settings(max_examples=150, deadline=None)
def test_parts_of_a_board(part, symmetric, swap, at):
    rows, edges = part
    if symmetric:
        ways = reference.all_ways(rows, edges, swap=swap)
    else:
        ways = reference.all_ways(rows, edges, swap=swap)[:: 8 if swap else 99]
    expected = []
    for number, boards in enumerate(GO_BOARDS, 1):
        plies = range(len(boards)) if at is None else [at] if at < len(boards) else []
        for ply in plies:
            if any(reference.lies_on(way, boards[ply], sides) for way, sides in ways):
                expected.append((number, ply))
                break
    target = read_go_pattern(drawn(rows, edges), at, symmetric=symmetric, swap_colours=swap)
    assert places(GO, target) == expected


@pytest.mark.parametrize("seed", range(12))
def test_parts_of_a_board_as_sgf(seed):
    """A rotated part of an existing board is found there, only at its own place."""
    rng = random.Random(seed)
    number = rng.randrange(len(GO_BOARDS))
    board = GO_BOARDS[number][30]
    lines = len(board)
    left, top = rng.randrange(lines - 2), rng.randrange(lines - 2)
    letters = "abcdefghijklmnopqrs"
    right, bottom = left + 2, top + 1
    text = f"SZ[{lines}]VW[{letters[left]}{letters[top]}:{letters[right]}{letters[bottom]}]"
    rows = [row[left : right + 1] for row in board[top : bottom + 1]]
    free = rng.randrange(3)
    rows[0] = rows[0][:free] + "?" + rows[0][free + 1 :]
    for name, sign in (("AB", "X"), ("AW", "O"), ("MA", "?")):
        points = [
            f"[{letters[left + column]}{letters[top + row]}]"
            for row in range(2)
            for column in range(3)
            if rows[row][column] == sign
        ]
        text += name * bool(points) + "".join(points)
    matches = places(GO, read_go_pattern(text, None, symmetric=False, swap_colours=False))
    expected = []
    for game_id, boards in enumerate(GO_BOARDS, 1):
        for ply, played in enumerate(boards):
            if len(played) == lines and reference.lies_on(rows, played, place=(left, top)):
                expected.append((game_id, ply))
                break
    assert matches == expected
    assert number + 1 in dict(matches)
    turned = dict(places(GO, read_go_pattern(text, None, symmetric=True, swap_colours=False)))
    turned_boards = [(way, sides) for way, sides in reference.all_ways(rows, "", swap=False)]
    for game_id, ply in matches:
        assert turned[game_id] <= ply
    for game_id, ply in turned.items():
        assert any(reference.lies_on(way, GO_BOARDS[game_id - 1][ply]) for way, _ in turned_boards)


def test_a_whole_board_as_sgf_turned():
    """All points count, including the empty points of a board with one stone."""
    text = "SZ[5]AB[ba]"
    table = games_table([("SZ[5]", go([(3, 4)])), ("SZ[5]", go([(3, 3)])), ("SZ[6]", go([(1, 0)]))])
    assert places(table, read_go_pattern(text, None, symmetric=True, swap_colours=False)) == [
        (1, 1)
    ]
    assert places(table, read_go_pattern(text, None, symmetric=False, swap_colours=False)) == []


def go(points):
    return struct.pack(f"<{len(points)}H", *(column | row << 5 for column, row in points))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a board pattern"),
        ("XO/X", "rows of equal length"),
        ("|XO/XO", "rows of equal length"),
        ("XZ", "is not a board pattern"),
        ("---", "is not a board pattern"),
        ("X" * 26, "25 lines at most"),
        ("---/|X.|/---", "is not square"),
        ("AB[zz]", "is not a point of a board of 19 lines"),
        ("SZ[9]AB[pp]", "is not a point of a board of 9 lines"),
        ("AB[aa]KM[6]", "leave out KM"),
        ("AB[aa", "is not a list of stones"),
    ],
)
def test_invalid_board_patterns(text, message):
    with pytest.raises(UsageError, match="--pattern") as error:
        read_go_pattern(text, None, symmetric=False, swap_colours=False)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "pattern",
    [
        (26, 0, 0, 1, 1, []),
        (0, -3, 0, 1, 1, []),
        (0, 0, 0, 0, 1, []),
        (0, 0, 0, 1, 26, []),
        (0, 0, 0, 1, 1, [(1, 0, 1)]),
        (0, 0, 0, 1, 1, [(0, 0, 8)]),
    ],
)
def test_invalid_patterns(pattern):
    with pytest.raises(ValueError, match="pattern"):
        PatternFinder.of_go([pattern])


# --- rows -----------------------------------------------------------------------------------------


def test_damaged_games_have_no_patterns():
    odd = games_table([("no FEN", b"\1\2"), (None, b"\xff\xff" * 3), (None, b""), (None, b"\1")])
    assert places(odd, read_chess_pattern("K = 1", None)) == [(2, 0), (3, 0), (4, 0)]
    assert places(odd, read_chess_pattern("K = 1", 1)) == []
    expected = read_go_pattern("X", None, symmetric=False, swap_colours=False)
    assert places(odd, expected) == []


def test_many_games_in_threads(tmp_path: Path):
    """Games are sorted by ID, independent of threads, also for chosen games."""
    path = str(tmp_path / "many.db3")
    rows = [(start, blob) for start, blob, _ in GAMES] * 1400
    connection = games_table(rows, path)
    connection.close()
    connection = apsw.Connection(path)
    expected = read_chess_pattern("q = 0 and Q = 1", None)
    few = dict(places(CHESS, expected))
    matches = places(connection, expected)
    assert matches == [
        (number, few[(number - 1) % len(GAMES) + 1])
        for number in range(1, len(rows) + 1)
        if (number - 1) % len(GAMES) + 1 in few
    ]
    chosen = [game_id for game_id, _ in matches][1::3]
    assert [game_id for game_id, _ in places(connection, expected, chosen)] == chosen
    assert places(connection, expected, []) == []


def test_a_connection_must_have_loaded_the_kernel():
    finder = read_chess_pattern("Q", None).finder
    with pytest.raises(ValueError, match="just loaded"):
        finder.scan(CHESS, "SELECT ID, FEN, Moves2 FROM Games")
    assert chess_kernel.ENTRY_POINT
