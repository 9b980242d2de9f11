"""find --position: results equal those of a slow scan; filters are checked."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest

from ocgdedup._kernels import go as go_kernel
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, dump, query
from tests.support.found_games import LONG, found_games, ids, written
from tests.support.go_games import GoGame, blob_of, write_go_database
from tests.support.signed_games import sign_games

LETTERS = "abcdefghijklmnopqrs"


def board_text(moves: str, start: str | None = None) -> str:
    """Write the stones after some moves, white ones first, as a user may."""
    rows = go_kernel.board_after(blob_of(moves), start)
    stones: dict[str, list[str]] = {"O": [], "X": []}
    for row, text in enumerate(rows):
        for column, sign in enumerate(text):
            if sign != ".":
                stones[sign].append(f"[{LETTERS[column]}{LETTERS[row]}]")
    return "AW" + "".join(stones["O"]) + " AB" + "".join(stones["X"])


@pytest.mark.parametrize("has_filters", [True, False])
def test_position_of_go(command: Command, go: str, has_filters: bool) -> None:
    warned = "games have no filter of positions and are replayed"
    if not has_filters:
        change(go, "DELETE FROM PositionFilters")
    text = board_text(written(LONG[:45]))
    first = next(n for n in range(46) if board_text(written(LONG[:n])) == text)
    _, out, err = command("find", go, "--position", text, "--json")
    games = [json.loads(line) for line in out.splitlines()]
    assert [(g["id"], g["found_after"], g["turned"]) for g in games] == [
        (number, first, False) for number in (1, 3, 4, 5)
    ]
    assert (warned in err) == (not has_filters)
    _, out, _ = command("find", go, "--position", text, "--symmetric", "--json")
    games = [json.loads(line) for line in out.splitlines()]
    assert [(g["id"], g["turned"]) for g in games] == [
        (1, False), (2, True), (3, False), (4, False), (5, False),
    ]  # fmt: skip
    # What else narrows comes first: no game but these is looked at.
    _, out, err = command("find", go, "--position", text, "--player", "cho CHIKUN", "--json")
    assert [json.loads(line)["id"] for line in out.splitlines()] == [4, 5]
    assert err == "g.db3: 2 games found\n"


def test_position_on_a_small_board(command: Command, go: str) -> None:
    game = found_games(command, go, "--position", "SZ[9]AB[gc][aa]")
    assert [(row["id"], row["found_after"]) for row in game] == [(6, 1)]
    assert ids(command, go, "--position", "(;SZ[9] AB[dd])", "--symmetric") == []
    assert ids(command, go, "--position", "SZ[9]AB[gg]", "--symmetric") == [6]
    assert ids(command, go, "--position", "AB[gc]") == []
    assert ids(command, go, "--size", 9) == ids(command, go, "--player", "Mouse") == [6]


@pytest.mark.parametrize("corners", ["cc:ed", "ed:cc", "ec:cd"])
def test_rectangles_of_stones(command: Command, tmp_path: Path, corners: str) -> None:
    path = str(tmp_path / "r.db3")
    block = "".join(f"[{column}{row}]" for column in "cde" for row in "cd")
    write_go_database(path, [GoGame("", start=f"SZ[9]AB{block}"), GoGame("", start="SZ[9]AB[cc]")])
    sign_games(path)
    assert ids(command, path, "--position", f"SZ[9]AB[{corners}]") == [1]
    assert ids(command, path, "--position", f"SZ[9]AB[ec] [{corners}]") == [1]


@pytest.mark.slow
def test_position_of_chess(command: Command, signed: str) -> None:
    """The same games as python-chess finds by replaying all games."""
    games = query(signed, "SELECT ID, FEN, Moves2 FROM Games ORDER BY ID")
    played: dict[int, list[str]] = {}
    for game_id, fen, blob in games:
        board = chess.Board(fen or chess.STARTING_FEN)
        played[game_id] = [board.fen()]
        for at in range(0, len(blob), 2):
            number = int.from_bytes(blob[at : at + 2], "little")
            promotion = number >> 12 & 7 or None
            board.push(chess.Move(number & 63, number >> 6 & 63, promotion))
            played[game_id].append(board.fen(en_passant="legal"))
    for ply in (0, 1, 8, 30):
        target = played[1][ply]
        key = target.split()[:3]
        expected = [
            (game_id, next(n for n, fen in enumerate(fens) if fen.split()[:3] == key))
            for game_id, fens in played.items()
            if any(fen.split()[:3] == key for fen in fens)
        ]
        for text in (target, " ".join(key), "_".join(key)):
            shown = found_games(command, signed, "--position", text)
            assert [(game["id"], game["found_after"]) for game in shown] == expected
        only = [game["id"] for game in found_games(command, signed, "--position", key[0])]
        assert set(only) >= {game_id for game_id, _ in expected}


def test_pieces_alone_where_a_king_stands_in_check(command: Command, tmp_path: Path) -> None:
    path = str(tmp_path / "o.db3")
    write_ocgdb(path, [OcgdbGame("A", "B", "e4 f5 Qh5+ g6"), OcgdbGame("A", "C", "e4 e5")])
    board = chess.Board()
    for san in ("e4", "f5", "Qh5"):
        board.push_san(san)
    _, out, err = command("find", path, "--position", board.board_fen(), "--json")
    assert [json.loads(line)["id"] for line in out.splitlines()] == [1]
    assert "2 games have no filter of positions" in err
    change(path, "ALTER TABLE Games DROP COLUMN FEN")
    assert command("find", path, "--position", board.board_fen(), "--json").out == out


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE PositionFilters SET Filter = zeroblob(length(Filter)) WHERE GameID = 2",
        "UPDATE PositionFilters SET Filter = x'' WHERE GameID = 2",
        "DELETE FROM PositionFilters WHERE GameID = 2",
    ],
)
def test_check_mends_filters(command: Command, go: str, statement: str) -> None:
    before = dump(go)
    change(go, statement)
    findings = json.loads(command("check", go, "--json").out)["faults"]
    mine = [finding for finding in findings if finding["kind"] == "position-filters"]
    assert [finding["count"] for finding in mine] == [1]
    command("check", go, "--repair")
    assert dump(go)["PositionFilters"] == before["PositionFilters"]
