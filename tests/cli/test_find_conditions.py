"""find and export: colours, Elo, speed, first moves and positions, against python-chess."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest

import ocgdedup
from ocgdedup.store.selection import Selection
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change
from tests.support.go_games import GoGame, write_go_database
from tests.support.pgn_text import game

PLAYERS = ("Tal, Mihail", "Botvinnik, Mikhail", "Fischer, Robert", "Larsen, Bent")
TIME_CONTROLS = ("60+1", "180", "300+5", "40/7200:3600", "900", "?", "-", None)
OPENINGS = (
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4", "e4 c5 Nf3 Nc6", "Nf3 c5 e4 d6", "d4 d5 c4", "e4 e5 Nf3 Nc6 Bb5",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O",
)  # fmt: skip
Test = Callable[[chess.pgn.Game], bool]


def ids(command: Command, database: str, *options: str) -> list[int]:
    """Return the games found; unlike that of tests/support, with warnings of missing filters."""
    status, out, err = command("find", database, "--json", *options)
    assert status == 0, err
    return [json.loads(line)["id"] for line in out.splitlines()]


def random_game(chance: random.Random, number: int) -> str:
    board = chess.Board()
    opening = chance.choice(OPENINGS).split()
    for word in opening[: chance.randint(0, len(opening))]:
        board.push_san(word)
    for _ in range(chance.randint(0, 6)):
        board.push(chance.choice(list(board.legal_moves)))
    white, black = chance.sample(PLAYERS, 2)
    tags = {"Round": str(number), "ECO": f"B{chance.randint(85, 99)}", "TimeControl": None}
    tags["TimeControl"] = chance.choice(TIME_CONTROLS)
    for tag in ("WhiteElo", "BlackElo"):
        tags[tag] = chance.choice([None, "0", "2199", "2200", "2500", "2600", "2601", "2850"])
    tags = {tag: text for tag, text in tags.items() if text}
    result = chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
    moves = chess.Board().variation_san(board.move_stack)
    return game(f"{moves} {result}", White=white, Black=black, Result=result, **tags)


@pytest.fixture(scope="module")
def texts() -> str:
    chance = random.Random(46)
    fen = '[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1"]\n'
    games = [random_game(chance, number) for number in range(1, 301)]
    games.append(f'[Round "301"]\n{fen}\n1. e4 c5 2. Nf3 d6 *\n\n')
    return "".join(games)


@pytest.fixture
def database(command: Command, texts: str, tmp_path: Path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(texts, encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def elos(least: int, most: int) -> Test:
    return lambda g: all(
        least <= int(g.headers.get(tag) or 0) <= most for tag in ("WhiteElo", "BlackElo")
    )


def begins(*moves: str) -> Test:
    return lambda g: (
        [move.uci() for move in g.mainline_moves()][: len(moves)] == [*moves]
        and ("FEN" not in g.headers)
    )


def reaches(*moves: str) -> Test:
    board = chess.Board()
    for word in moves:
        board.push_san(word)

    def occurs(g: chess.pgn.Game) -> bool:
        boards = [g.board(), *(node.board() for node in g.mainline())]
        return any(other.epd() == board.epd() for other in boards)

    return occurs


def plays(white: str, black: str) -> Test:
    return lambda g: g.headers["White"].startswith(white) and g.headers["Black"].startswith(black)


def either(*tests: Test) -> Test:
    return lambda g: any(test(g) for test in tests)


NAJDORF = "1. e4 c5 2.Nf3 d6"
FEN = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"
CASES: dict[tuple[str, ...], Test] = {
    ("--white", "tal"): plays("Tal", ""),
    ("--black", "Mihail Tal", "--black", "larsen"): either(plays("", "Tal"), plays("", "Larsen")),
    ("--white", "tal", "--against", "larsen"): plays("Tal", "Larsen"),
    ("--black", "tal", "--against", "larsen"): plays("Larsen", "Tal"),
    ("--white", "tal", "--black", "larsen"): plays("Tal", "Larsen"),
    ("--player", "tal", "--against", "larsen", "--against", "Robert Fischer"): either(
        plays("Tal", "Larsen"), plays("Larsen", "Tal"), plays("Tal", "F"), plays("F", "Tal")
    ),
    ("--player", "tal", "--white", "larsen"): plays("Larsen", "Tal"),
    ("--player", "tal", "--white", "tal", "--against", "larsen"): plays("Tal", "Larsen"),
    ("--elo", "2600-"): elos(2600, 9999),
    ("--elo", "2500-2600"): elos(2500, 2600),
    ("--elo", "-2200"): elos(1, 2200),
    ("--elo", "2200"): elos(2200, 2200),
    ("--decisive",): lambda g: g.headers["Result"] in ("1-0", "0-1"),
    ("--decisive", "--result", "1-0"): lambda g: g.headers["Result"] == "1-0",
    ("--speed", "bullet"): lambda g: g.headers.get("TimeControl") == "60+1",
    ("--speed", "blitz"): lambda g: g.headers.get("TimeControl") == "180",
    ("--speed", "rapid", "--speed", "blitz"): lambda g: (
        g.headers.get("TimeControl") in ("180", "900", "300+5")
    ),
    ("--speed", "classical"): lambda g: g.headers.get("TimeControl") == "40/7200:3600",
    ("--eco", "B90-B99"): lambda g: "B90" <= g.headers.get("ECO", "") <= "B99",
    ("--moves", NAJDORF): begins("e2e4", "c7c5", "g1f3", "d7d6"),
    ("--moves", "e4 c5 Nf3 d6"): begins("e2e4", "c7c5", "g1f3", "d7d6"),
    ("--moves", "e2e4 c7c5 2. Nf3!? 2... d6"): begins("e2e4", "c7c5", "g1f3", "d7d6"),
    ("--moves", "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0"): begins(
        *["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"]
    ),
    ("--position", NAJDORF): reaches(*["e4", "c5", "Nf3", "d6"]),
    ("--position", FEN): reaches(*["e4", "c5", "Nf3", "d6"]),
    ("--position", "e2e4"): reaches("e4"),
    ("--moves", "e4", "--position", FEN, "--decisive"): lambda g: (
        begins("e2e4")(g)
        and reaches(*["e4", "c5", "Nf3", "d6"])(g)
        and g.headers["Result"] in ("1-0", "0-1")
    ),
    ("--position", FEN, "--where", "ID % 2", "--min-plies", "5"): lambda g: (
        reaches(*["e4", "c5", "Nf3", "d6"])(g)
        and int(g.headers["Round"]) % 2 == 1
        and g.end().ply() >= 5
    ),
}


@pytest.mark.parametrize("has_filters", [False, True])
def test_find_and_export_like_python_chess(
    command: Command, database: str, texts: str, has_filters: bool
) -> None:
    if has_filters:
        assert command("signatures", database, "-q").status == 0
    games = read_games(texts)
    assert len(games) == 301
    for options, test in CASES.items():
        expected = [int(g.headers["Round"]) for g in games if test(g)]
        assert 0 < len(expected) < 250, options
        assert ids(command, database, *options) == expected, options
        out = command("export", database, "-o", "-", *options).out
        assert out.count("[Event ") == len(expected), options
        rounds = [line for line in out.splitlines() if line.startswith("[Round ")]
        assert rounds == [f'[Round "{number}"]' for number in expected], options


def read_games(text: str) -> list[chess.pgn.Game]:
    handle = io.StringIO(text)
    return [*iter(lambda: chess.pgn.read_game(handle), None)]


def test_positions_of_deleted_duplicates(command: Command, database: str, texts: str) -> None:
    Path("twice.pgn").write_text(texts * 2, encoding="utf-8")
    assert command("create", "t.db3", "twice.pgn", "-q").status == 0
    assert command("dedup", "t.db3", "--delete", "-q").status == 0
    written = []
    for options in ([], ["--position", NAJDORF]):
        work = ("export", "t.db3", "--duplicates", "-", *options)
        written.append(read_games(command(*work).out))
    every, selected = written
    expected = [g.headers["Round"] for g in every if reaches(*["e4", "c5", "Nf3", "d6"])(g)]
    assert 0 < len(expected) < len(every)
    assert [g.headers["Round"] for g in selected] == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--moves", "1. e4 e4"], "--moves: '1. e4 e4': 1... e4 is not a legal move there"),
        (["--moves", "1."], "--moves: '1.' has no moves; write them as"),
        (["--moves", ""], "has no moves"),
        (["--position", "1. Ke2"], "--position: '1. Ke2': 1. Ke2 is not a legal move there"),
        (["--position", "nonsense"], "--position: 'nonsense' is not a FEN"),
        (["--against", "tal"], "--against names the opponent of --player, --white or --black"),
        (["--white", "tal", "--black", "larsen", "--against", "tal"], "--against names the"),
        (["--elo", "2600-2500"], "are no Elos; write 2500-2600, 2600- or -2200"),
        (["--elo", "x"], "are no Elos"),
        (["--speed", "fast"], "invalid choice: 'fast'"),
        (["--any"], "say what the games have"),
    ],
)
def test_wrong_conditions(
    command: Command, database: str, options: list[str], message: str
) -> None:
    status, out, err = command("find", database, *options)
    assert (status, out) == (2, "")
    assert message in err


def test_the_python_interface(command: Command, database: str) -> None:
    selection = Selection(
        white=("tal",), against=("larsen",), elo=(2000, None), is_decisive=True,
        speeds=("rapid", "classical"), moves="e4 c5", position="1. e4 c5",
    )  # fmt: skip
    options = (
        "--white", "tal", "--against", "larsen", "--elo", "2000-", "--decisive", "--speed",
        "rapid", "--speed", "classical", "--moves", "e4 c5", "--position", "1. e4 c5",
    )  # fmt: skip
    change(database, "UPDATE Games SET WhiteElo = 2500, BlackElo = 2500, TimeControl = '900'")
    expected = ids(command, database, *options)
    assert expected
    assert [found.header.game_id for found in ocgdedup.find(database, selection=selection)] == (
        expected
    )
    found = ocgdedup.find(database, selection=selection, position="1. e4 c5 2. Nf3")
    assert {game.plies for game in found} <= {3}
    with ocgdedup.open(database) as games:
        assert [row["ID"] for row in games.rows(selection)] == expected
    assert ocgdedup.export(database, "x.pgn", selection=selection).games == len(expected)


def test_go_games(command: Command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_go_database("g.db3", [GoGame("Bpd Wdd"), GoGame("Bdd Wpd")])
    board = ("--position", "AB[pd]AW[dd]")
    assert ids(command, "g.db3", *board) == [1]
    assert command("export", "g.db3", "-o", "-", *board).out.count("(;") == 1
    for option in (["--moves", "e4"], ["--elo", "2600-"], ["--speed", "blitz"]):
        for work in (["find"], ["export", "-o", "-"]):
            err = command(*work, "g.db3", *option).err
            assert f"g.db3: {option[0]} is for chess" in err


def test_a_database_of_ocgdb(command: Command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_ocgdb("o.db3", [
        OcgdbGame("Tal, Mihail", "B", "e4 c5", white_elo=2700),
        OcgdbGame("Larsen, Bent", "Tal, Mihail", "d4 d5"),
    ])  # fmt: skip
    assert ids(command, "o.db3", "--white", "tal") == [1]
    assert ids(command, "o.db3", "--player", "mihail tal", "--against", "larsen") == [2]
    assert ids(command, "o.db3", "--moves", "d4") == [2]
    assert ids(command, "o.db3", "--position", "1. d4") == [2]
    assert ids(command, "o.db3", "--elo", "2000-") == []
    assert ids(command, "o.db3", "--speed", "blitz") == []
