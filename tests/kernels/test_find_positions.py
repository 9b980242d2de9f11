"""Filters and position search, compared with python-chess and boards row by row."""

from __future__ import annotations

import random

import apsw
import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel
from ocgdedup.game_kind import GO, kind_of
from ocgdedup.store.find import PositionSearch, WantedPosition, fill_filters
from tests.reference import position_filters as reference
from tests.reference.move_blobs import encode_game, random_board, random_moves
from tests.support.go_games import blob_of, random_go

LETTERS = "abcdefghijklmnopqrs"
# A capture, a stone on a stone, a suicide, passes: what makes boards that are hard to follow.
ODD_GO = "Bab Waa Bba B W Wca Wbb Bab Baa Wtt"


def games_table(games, *, filters=True, is_go=False):
    """Return a database of (start, blob), IDs from 1."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE Games (ID INTEGER PRIMARY KEY, FEN TEXT, Moves2 BLOB)")
    connection.execute("CREATE TABLE PositionFilters (GameID INTEGER PRIMARY KEY, Filter BLOB)")
    connection.execute("CREATE TABLE RemovedGames (ID INTEGER PRIMARY KEY, FEN, Moves2)")
    connection.executemany("INSERT INTO Games (FEN, Moves2) VALUES (?, ?)", games)
    if filters:
        assert fill_filters(connection, kind_of(is_go)) == len(games)
    return connection


def places(connection, board, *, is_go=False, fields=4, ids=None):
    """Return (ID, plies) of the games in which a position occurs."""
    boards = (board,) if isinstance(board, str) else tuple(board)
    search = PositionSearch(connection, WantedPosition(boards, fields), kind_of(is_go), ids)
    try:
        return [(result.game_id, result.plies) for result in search.places()]
    finally:
        search.close()


def random_game(seed, plies=60):
    rng = random.Random(seed)
    board = random_board(rng)
    start = board.fen()
    moves = random_moves(board.copy(), rng, plies)
    blob, _ = encode_game(board.copy(), moves)
    return start, moves, blob, board.chess960


def stones_of(rows):
    """Write a board as a start."""
    text = f"SZ[{len(rows)}]"
    for name, sign in (("AB", "X"), ("AW", "O")):
        points = [
            f"[{chr(97 + column)}{chr(97 + row)}]"
            for column in range(len(rows))
            for row in range(len(rows))
            if rows[row][column] == sign
        ]
        text += name * bool(points) + "".join(points)
    return text


def turned(rows, turn):
    """Return a board in one of eight orientations."""
    if turn & 4:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    if turn & 1:
        rows = [row[::-1] for row in rows]
    return rows[::-1] if turn & 2 else rows


# --- filters ------------------------------------------------------------------------------------


def test_known_filters():
    """The bytes are a file format, shown in docs/file-format.md."""
    blob, _ = encode_game(chess.Board(), [chess.Move.from_uci(u) for u in ("e2e4", "e7e5")])
    assert chess_kernel.filter_of(blob, None, False).hex() == "79c70a"
    assert chess_kernel.filter_of(blob_of("Bpd Wdd"), None, True).hex() == "41f489"
    assert chess_kernel.filter_of(b"", None, True).hex() == "01"


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(0, 120))
def test_a_chess_filter_equals_the_reference(seed, plies):
    start, moves, blob, chess960 = random_game(seed, plies)
    keys = reference.chess_keys(start, moves, chess960=chess960)
    assert chess_kernel.filter_of(blob, start, False) == reference.filter_of(keys)


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from([5, 9, 19, 25]), st.integers(0, 80))
def test_a_go_filter_equals_the_reference(seed, lines, plies):
    start = None if lines == 19 else f"SZ[{lines}]AB[aa][bc]AW[cc]"
    blob = random_go(seed, lines, plies)
    assert chess_kernel.filter_of(blob, start, True) == reference.filter_of(
        reference.go_keys(start, blob)
    )


def test_captures_stay_in_the_key():
    blob = blob_of(ODD_GO.replace("Wtt", "W"))
    assert chess_kernel.filter_of(blob, "SZ[5]", True) == reference.filter_of(
        reference.go_keys("SZ[5]", blob)
    )


def test_a_filter_leaves_few_games():
    blob = random_go(1, 19, 200)
    bits = chess_kernel.filter_of(blob, None, True)
    tries = 20_000
    left = sum(
        all(bits[at >> 3] >> (at & 7) & 1 for at in reference.places(key, len(bits)))
        for key in range(tries)
    )
    assert left / tries < 0.03


# --- the search ---------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 60), st.booleans())
def test_a_position_of_chess_is_found_where_python_chess_has_it(seed, at, filters):
    games = [random_game(seed + i) for i in range(3)]
    connection = games_table([(start, blob) for start, _, blob, _ in games], filters=filters)
    start, moves, _, chess960 = games[1]
    board = chess.Board(start, chess960=chess960)
    for move in moves[:at]:
        board.push(move)
    target = board.fen(en_passant="fen")
    expected = []
    for number, (other, line, _, is_960) in enumerate(games, 1):
        played = chess.Board(other, chess960=is_960)
        for plies in range(len(line) + 1):
            if played._transposition_key() == board._transposition_key():
                expected.append((number, plies))
                break
            if plies < len(line):
                played.push(line[plies])
    assert places(connection, target) == expected
    assert places(connection, target, ids=[1, 3]) == [row for row in expected if row[0] != 2]


def test_fields_of_a_fen_count():
    line = "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"
    moves = [chess.Move.from_uci(uci) for uci in line.split()]
    kings = "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8"
    lost_rights = [chess.Move.from_uci(uci) for uci in kings.split()]
    connection = games_table(
        [(None, encode_game(chess.Board(), text)[0]) for text in (moves, lost_rights)]
    )
    board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    assert places(connection, f"{board} w KQkq - 0 1") == [(1, 2), (2, 2)]
    assert places(connection, f"{board} w - - 0 1") == [(2, 6)]
    assert places(connection, f"{board} w - - 0 1", fields=3) == [(2, 6)]
    assert places(connection, f"{board} w - - 0 1", fields=2) == [(1, 2), (2, 2)]
    assert places(connection, f"{board} b - - 0 1", fields=2) == []
    assert places(connection, f"{board} b - - 0 1", fields=1) == [(1, 2), (2, 2)]
    # A pawn stands ready to take nowhere here: the square is no part of the position.
    assert places(connection, f"{board} w KQkq e6 0 1") == [(1, 2), (2, 2)]


@pytest.mark.parametrize("filters", [True, False])
@pytest.mark.parametrize("lines", [9, 19])
def test_go_boards_are_found_in_all_orientations(lines, filters):
    start = None if lines == 19 else f"SZ[{lines}]"
    blobs = [random_go(seed, lines, 40) for seed in range(3)]
    connection = games_table([(start, blob) for blob in blobs], filters=filters, is_go=True)
    rows = go_kernel.board_after(blobs[1], start, 30)
    forms = [stones_of(turned(rows, turn)) for turn in range(8)]
    first = next(p for p in range(31) if go_kernel.board_after(blobs[1], start, p) == rows)
    assert places(connection, forms[0], is_go=True) == [(2, first)]
    assert places(connection, forms[5], is_go=True) == []
    assert places(connection, forms[5:] + forms[:5], is_go=True) == [(2, first)]


def test_the_start_and_the_end_are_positions():
    connection = games_table([("SZ[9]AB[cc]", blob_of("Waa"))], is_go=True)
    assert places(connection, "SZ[9]AB[cc]", is_go=True) == [(1, 0)]
    assert places(connection, "SZ[9]AB[cc]AW[aa]", is_go=True) == [(1, 1)]
    assert places(connection, "SZ[19]AB[cc]AW[aa]", is_go=True) == []


def test_a_game_without_a_filter_is_replayed():
    blobs = [(None, blob_of("Bpd")), (None, blob_of("Bpd Wdd")), (None, blob_of("Bpd"))]
    connection = games_table(blobs, is_go=True)
    connection.execute("DELETE FROM PositionFilters WHERE GameID = 2")
    expected = WantedPosition(("SZ[19]AB[pd]AW[dd]",))
    search = PositionSearch(connection, expected, GO)
    assert search.unfiltered == 1
    assert [actual.game_id for actual in search.places()] == [2]
    search.close()
    assert places(connection, "SZ[19]AB[pd]", is_go=True) == [(1, 1), (2, 1), (3, 1)]
    assert fill_filters(connection, GO) == 1
    assert fill_filters(connection, GO) == 0


def test_ids_with_gaps_and_filters_of_lost_games():
    connection = games_table([(None, blob_of("Bpd"))] * 4, is_go=True)
    connection.execute("UPDATE Games SET ID = 2 * ID + 100 WHERE ID > 1")
    connection.execute("UPDATE PositionFilters SET GameID = 2 * GameID + 100 WHERE GameID IN (2,3)")
    assert places(connection, "SZ[19]AB[pd]", is_go=True) == [(1, 1), (104, 1), (106, 1), (108, 1)]


@pytest.mark.parametrize(
    ("start", "blob"),
    [
        (None, b"\xff\xff" * 3),
        (None, b"\x0c\x07\x0c\x07"),
        (None, b"\x0c"),
        ("rubbish", b"\x0c\x07"),
        (None, None),
    ],
)
@pytest.mark.parametrize("is_go", [True, False])
def test_damaged_games_are_searched_as_far_as_they_go(start, blob, is_go):
    connection = games_table([(start, blob), (None, b"")], is_go=is_go)
    expected = "SZ[19]" if is_go else f"{chess.STARTING_BOARD_FEN} w KQkq - 0 1"
    readable = [] if start else [(1, 0)]
    assert places(connection, expected, is_go=is_go) == [*readable, (2, 0)]


@pytest.mark.parametrize(
    ("boards", "is_go"),
    [((), True), (("SZ[19]", "SZ[9]"), True), (("x",), True), (("8/8 w",), False)],
)
def test_invalid_positions_are_refused(boards, is_go):
    connection = games_table([], is_go=is_go)
    with pytest.raises(ValueError, match=r"position|board"):
        PositionSearch(connection, WantedPosition(boards), kind_of(is_go))


def test_a_stone_captured_after_replacing_an_equal_one():
    """The key changes as for a stone on an empty point; the board does not."""
    start, moves = "SZ[19]AB[aa]AW[ab][ba]", blob_of("Baa Wdd Bpp")
    assert go_kernel.board_after(moves, start)[0].startswith(".O")
    expected = reference.filter_of(reference.go_keys(start, moves))
    assert chess_kernel.filter_of(moves, start, True) == expected


@pytest.mark.parametrize("call", ["scan_filters", "scan_games", "choose", "find"])
def test_a_closed_finder_finds_nothing(call):
    connection = apsw.Connection(":memory:")
    connection.enable_load_extension(True)
    connection.load_extension(chess_kernel.__file__, chess_kernel.ENTRY_POINT)
    finder = chess_kernel.PositionFinder(connection, ["SZ[19]AB[aa]"], True)
    finder.close()
    arguments = {"choose": ([1], "SELECT 1"), "find": ("SELECT 1", 5)}.get(call, ("SELECT 1",))
    with pytest.raises(ValueError, match="the finder is closed"):
        getattr(finder, call)(*arguments)
