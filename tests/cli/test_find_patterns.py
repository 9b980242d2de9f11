"""find --pattern: output, combination with other options, refusals."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.found_games import LONG, found_games, ids

# OCGDB's own examples, in its README.
EXAMPLES = (
    "Q = 3",
    "r[e4, e5, d4, d5] = 2",
    "P[d4, e5, f4, g4] = 4 and kb7",
    "B[c-f] + b[c-f] = 2",
    "white6 = 5",
)


def played(path: str) -> dict[int, list[chess.Board]]:
    """Return the positions of all games."""
    positions = {}
    for game_id, fen, blob in query(path, "SELECT ID, FEN, Moves2 FROM Games ORDER BY ID"):
        board = chess.Board(fen or chess.STARTING_FEN)
        positions[game_id] = [board.copy()]
        for at in range(0, len(blob), 2):
            number = int.from_bytes(blob[at : at + 2], "little")
            board.push(chess.Move(number & 63, number >> 6 & 63, number >> 12 & 7 or None))
            positions[game_id].append(board.copy())
    return positions


@pytest.mark.slow
def test_a_query(command: Command, signed: str) -> None:
    expected = []
    for game_id, boards in played(signed).items():
        plies = (
            n
            for n, b in enumerate(boards)
            if len(b.pieces(chess.ROOK, chess.WHITE)) < 2 and b.piece_at(chess.G8)
        )
        if (ply := next(plies, None)) is not None:
            expected.append((game_id, ply))
    assert expected
    text = "R < 2 and white[g8] + black[g8] = 1"
    games = found_games(command, signed, "--pattern", text)
    assert [(game["id"], game["found_after"]) for game in games] == expected
    Path("query.txt").write_text(f"{text}  // lost a rook\n", encoding="utf-8")
    assert found_games(command, signed, "--pattern", "@query.txt") == games
    assert found_games(command, signed, "--pattern", text, "--limit", 1) == games[:1]
    first = games[0]
    at_ply = found_games(command, signed, "--pattern", text, "--at", first["found_after"])
    assert first in at_ply
    # What else narrows comes first.
    chosen = found_games(command, signed, "--pattern", text, "--player", first["white"])
    assert first in chosen
    assert {game["id"] for game in chosen} <= {game["id"] for game in games}
    line = command("find", signed, "--pattern", text).out.splitlines()[1]
    assert f"ply {first['found_after']}" in line


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_of_ocgdb(command: Command, signed: str, text: str) -> None:
    assert command("find", signed, "--pattern", text).status == 0


@pytest.mark.slow
def test_a_board(command: Command, signed: str) -> None:
    board = played(signed)[1][6]
    rows = str(board).replace(" ", "").split("\n")
    text = "/".join(row.replace(".", "1")[:4] + "????" for row in rows)
    game = found_games(command, signed, "--pattern", text)[0]
    assert game["id"] == 1
    board_rows = str(played(signed)[1][int(str(game["found_after"]))]).replace(" ", "").split("\n")
    assert [row[:4] for row in board_rows] == [row[:4] for row in rows]


def test_with_a_position(command: Command, signed: str) -> None:
    """Both must hold for a game; the reported place is that of the position."""
    fen = played(signed)[1][9].board_fen()
    at_position = found_games(command, signed, "--position", fen)
    both = found_games(command, signed, "--position", fen, "--pattern", "K = 1")
    assert both == at_position
    assert found_games(command, signed, "--position", fen, "--pattern", "K = 2") == []


def test_part_of_a_go_board(command: Command, go: str) -> None:
    first, second = LONG[:2]
    text = f"SZ[19]VW[aa:ss]AB[{first}]AW[{second}]"
    assert ids(command, go, "--pattern", text, "--at", 2)[:4] == [1, 3, 4, 5]
    games = found_games(command, go, "--pattern", text, "--symmetric")
    assert {2: True, 1: False}.items() <= {game["id"]: game["turned"] for game in games}.items()
    other = f"SZ[19]AW[{first}]AB[{second}]"
    assert ids(command, go, "--pattern", other, "--at", 2) == []
    games = found_games(command, go, "--pattern", other, "--at", 2, "--swap-colours")
    assert [(game["id"], game["colours_swapped"]) for game in games] == [
        (number, True) for number in (1, 3, 4, 5, 47)
    ]
    shown = command("find", go, "--pattern", other, "--at", 2, "--swap-colours").out
    assert "move 2 swapped" in shown


def test_part_of_a_small_go_board(command: Command, go: str) -> None:
    assert ids(command, go, "--pattern=---+/.X.|/...|", "--size", 9) == []
    assert ids(command, go, "--pattern=+---/|..?", "--size", 9) == [6]
    assert ids(command, go, "--pattern", "SZ[9]AB[gc]MA[aa]") == [6]
    assert ids(command, go, "--pattern", "|.........|") == [6]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--at", "3"], "--at goes with --pattern"),
        (["--pattern", "Q = ", "--at", "3"], "the end: expected a number, a piece"),
        (["--pattern", "@none.txt"], "none.txt: cannot be read"),
        (["--pattern", "Q", "--swap-colours"], "--swap-colours is for Go"),
        (["--pattern", "Q", "--symmetric"], "--symmetric is for Go"),
        (["--pattern", "Q", "--at", "-1"], "no whole number from 0 on"),
    ],
)
def test_refused_of_chess(command: Command, signed: str, words: list[str], message: str) -> None:
    status, out, err = command("find", signed, *words)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--swap-colours"], "--swap-colours goes with --pattern"),
        (["--pattern", "Q = 3"], "is not a board pattern"),
        (["--pattern", "SZ[9]AB[aa]", "--size", "13"], "has 9 lines, the board 13"),
        (["--pattern", "|X.|", "--size", "13"], "has 2 lines, the board 13"),
    ],
)
def test_refused_of_go(command: Command, go: str, words: list[str], message: str) -> None:
    status, out, err = command("find", go, *words)
    assert (status, out) == (2, "")
    assert message in err


def test_a_query_that_is_no_utf_8(command: Command, signed: str) -> None:
    Path("query.txt").write_bytes(b"Q = 3 // \xe9")
    assert "query.txt: is not UTF-8" in command("find", signed, "--pattern", "@query.txt").err
