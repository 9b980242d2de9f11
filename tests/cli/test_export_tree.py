"""export --tree: one game with variations, compared with a plain reference."""

from __future__ import annotations

import io
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import pytest

from ocgdedup.pipeline.export.opening_tree import NAMED_GAMES
from tests.support.command_line import Command
from tests.support.pgn_text import game

ENDGAME = "8/8/4k3/8/8/3K4/4P3/8 b - - 3 40"
CHESS960 = "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w GDgd - 0 1"
RESULTS = ("1-0", "1/2-1/2", "0-1", "*")


class Record(NamedTuple):
    label: str
    result: str
    sans: tuple[str, ...]


def random_games(seed: int, count: int, fen: str | None = None) -> tuple[str, list[Record]]:
    """Return PGN of games with few different moves, some of no moves, and their records."""
    draw = random.Random(seed)
    records, texts = [], []
    for number in range(count):
        board = chess.Board(fen or chess.STARTING_FEN, chess960=fen == CHESS960)
        sans = []
        for _ in range(draw.choice((0, 1, 3, 4, 6, 8, 8, 8))):
            moves = sorted(board.legal_moves, key=chess.Move.uci)[: draw.choice((1, 1, 2, 3))]
            if not moves:
                break
            move = draw.choice(moves)
            sans.append(board.san(move))
            board.push(move)
        result, year = draw.choice(RESULTS), str(1950 + number)
        tags = {"White": f"W{number}", "Black": "{B}", "Date": f"{year}.01.01", "Result": result}
        if fen:
            tags |= {"SetUp": "1", "FEN": fen}
        if fen == CHESS960:
            tags["Variant"] = "Chess960"
        movetext = " ".join(f"1... {san}" for san in sans)
        texts.append(game(f"{movetext} {result}", Round=str(number), **tags))
        if sans:
            records.append(Record(f"W{number} - (B), {year}, {result}", result, tuple(sans)))
    return "".join(texts), records


def score(records: list[Record]) -> str:
    counts = Counter(record.result for record in records)
    noun = "game" if len(records) == 1 else "games"
    rest = f" *{counts['*']}" if counts["*"] else ""
    return f"{len(records)} {noun}: +{counts['1-0']} ={counts['1/2-1/2']} -{counts['0-1']}{rest}"


def expected(
    records: list[Record], plies: int, least: int, ply: int = 0
) -> list[tuple[str, str, list]]:  # type: ignore[type-arg]
    """Return (move, comment, next moves) of the moves after `ply`, in order."""
    by_move: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if len(record.sans) > ply and ply < plies:
            by_move[record.sans[ply]].append(record)
    nodes = []
    for san, games in sorted(by_move.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(games) < least:
            continue
        following = expected(games, plies, least, ply + 1)
        comment = score(games) if len(games) < len(records) else ""
        ended = [record.label for record in games if len(record.sans) == ply + 1]
        if len(games) == 1:
            comment = games[0].label if len(records) > 1 else ""
        elif ended:
            verb = "game ends" if len(ended) == 1 else "games end"
            such = ", such as " if len(ended) > NAMED_GAMES else ": "
            comment += f"{'; ' if comment else ''}{len(ended)} {verb} here{such}"
            comment += "; ".join(ended[:NAMED_GAMES])
        nodes.append((san, comment, following))
    return nodes


def written(node: chess.pgn.GameNode) -> list[tuple[str, str, list]]:  # type: ignore[type-arg]
    return [
        (child.san(), child.comment.replace("\n", " "), written(child)) for child in node.variations
    ]


def read_tree(text: str) -> chess.pgn.Game:
    stream = io.StringIO(text)
    tree = chess.pgn.read_game(stream)
    assert tree is not None
    assert not tree.errors
    assert chess.pgn.read_game(stream) is None
    return tree


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fen", [None, ENDGAME, CHESS960])
def test_tree_is_that_of_the_games(
    command: Command, tmp_path: Path, seed: int, fen: str | None
) -> None:
    text, records = random_games(seed, 60, fen)
    (tmp_path / "in.pgn").write_text(text)
    database = str(tmp_path / "a.db3")
    assert command("create", database, str(tmp_path / "in.pgn"), "-q").status == 0
    plies, least, width = ((8, 1, 80), (20, 1, 0), (5, 2, 80), (1, 1, 20))[seed % 4]
    status, out, _ = command(
        "export", database, "-o", "-", "-q", "--tree", str(plies), "--min-games", str(least),
        "--width", str(width),
    )  # fmt: skip
    assert status == 0
    tree = read_tree(out)
    assert tree.headers["Event"] == f"Openings of {len(records)} games"
    assert tree.comment.split() == score(records).split()
    assert written(tree) == expected(records, plies, least)
    longest = max(map(len, out.split("\n\n")[1].splitlines()))
    assert longest <= width if width else longest > 200


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(
        game("1. e4 e5 1-0", White="Tal, M", Date="1960.??.??", Result="1-0")
        + game("1. e4 e5 2. Nf3 0-1", White="% Odd", Black="[Odd }", Result="0-1")
        + game("1. d4 *")
        + game("*", White="No moves")
        + game("40... Kd6 *", SetUp="1", FEN=ENDGAME)
    )
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def test_games_without_moves_and_from_other_positions_are_left_out(
    command: Command, database: str
) -> None:
    status, out, err = command("export", database, "-o", "tree.pgn", "--tree", "9", "--width", "9")
    assert (status, out) == (0, "wrote the openings of 3 games to tree.pgn\n")
    assert "left out of the tree: 2 games without moves or from another start position" in err
    tree = read_tree(Path("tree.pgn").read_text())
    assert written(tree) == [
        ("e4", "2 games: +1 =0 -1", [
            ("e5", "1 game ends here: Tal, M - Beta, B, 1960, 1-0", [
                ("Nf3", "% Odd - [Odd ), ????, 0-1", []),
            ]),
        ]),
        ("d4", "Alpha, A - Beta, B, ????, *", []),
    ]  # fmt: skip


def test_tree_of_a_selection(command: Command, database: str) -> None:
    options = ["--tree", "9", "-o", "-", "-q"]
    _, out, _ = command("export", database, *options, "--white", "Tal")
    assert [child.san() for child in read_tree(out).mainline()] == ["e4", "e5"]
    _, out, _ = command("export", database, *options, "--where", "FEN <> ''")
    assert read_tree(out).headers["FEN"] == ENDGAME
    _, out, _ = command("export", database, *options, "--min-plies", "99")
    assert not read_tree(out).variations


def test_equal_positions_with_other_counters_are_one_start(
    command: Command, tmp_path: Path
) -> None:
    later = ENDGAME.replace("3 40", "7 44")
    (tmp_path / "in.pgn").write_text(
        game("40... Kd6 *", SetUp="1", FEN=ENDGAME) + game("44... Kd6 *", SetUp="1", FEN=later)
        + game("1. e4 *")
    )  # fmt: skip
    database = str(tmp_path / "a.db3")
    command("create", database, str(tmp_path / "in.pgn"), "-q")
    _, out, _ = command("export", database, "-o", "-", "-q", "--tree", "2")
    tree = read_tree(out)
    assert (tree.headers["Event"], tree.headers["FEN"]) == ("Openings of 2 games", ENDGAME)
    assert [child.san() for child in tree.variations] == ["Kd6"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-o", "t.pgn", "--tree", "0"], "--tree"),
        (["-o", "t.pgn", "--min-games", "2"], "--min-games goes with --tree"),
        (["--duplicates", "d.pgn", "--tree", "9"], "name it with -o"),
        (["-o", "t.pgn", "--split", "9", "--tree", "9"], "--split does not go with --tree"),
        (["-o", "t.pgn", "--strip", "nags", "--tree", "9"], "--strip does not go with --tree"),
        (["-o", "t.pgn", "--ids", "--tree", "9"], "--ids does not go with --tree"),
        (["-o", "t.pgn", "--sort", "eco", "--tree", "9"], "leave out --sort"),
        (["-o", "t.csv", "--tree", "9"], "--tree is for PGN and SGF, not for tables"),
    ],
)
def test_options_that_do_not_go_with_a_tree(
    command: Command, database: str, options: list[str], problem: str
) -> None:
    status, out, err = command("export", database, *options)
    assert (status, out) == (2, "")
    assert problem in err
    assert not Path("t.pgn").exists()


def test_go_games_have_no_tree(command: Command, tmp_path: Path) -> None:
    (tmp_path / "in.sgf").write_text("(;GM[1]SZ[19];B[pd];W[dd])")
    database = str(tmp_path / "go.db3")
    command("create", database, str(tmp_path / "in.sgf"), "-q")
    status, _, err = command("export", database, "-o", str(tmp_path / "t.sgf"), "--tree", "9")
    assert status == 2
    assert "--tree is for chess, and this database holds Go games" in err
