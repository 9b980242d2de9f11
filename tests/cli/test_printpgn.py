"""printpgn: games by ID on standard output, duplicates side by side."""

from __future__ import annotations

import io
import re
from pathlib import Path

import chess
import chess.pgn
import pytest

from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, query
from tests.support.dedup_results import ids
from tests.support.pgn_text import THREE_GAMES, game
from tests.support.played_games import EXPECTED_COPIES, EXPECTED_SUSPECTS, mainline

ANNOTATED = (
    '[Event "Zürich"]\n[Site "?"]\n[Date "1953.08.30"]\n[Round "?"]\n[White "Смыслов, Василий"]\n'
    '[Black "Beta, B"]\n[Result "1-0"]\n[Annotator "N. N."]\n\n'
    "{Before} 1. e4 $1 {after} (1. d4 d5 (1... Nf6)) 1... e5 1-0\n\n"
)


def without_ids(printed: str) -> str:
    return re.sub("^% game [0-9]+\n", "", printed, flags=re.MULTILINE)


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES + ANNOTATED, encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def test_one_game(command: Command, database: str) -> None:
    assert command("printpgn", database, "-g", 4) == (0, "% game 4\n" + ANNOTATED, "")


def test_order_is_as_asked_for(command: Command, database: str) -> None:
    out = {number: command("printpgn", database, "-g", number).out for number in (1, 2, 3)}
    status, text, _ = command("printpgn", database, "-g", 3, "--game", 1, "-g", 3, "-g", 2)
    assert status == 0
    assert text == out[3] + out[1] + out[3] + out[2]


def test_equals_export(command: Command, database: str) -> None:
    command("export", database, "-o", "out.pgn")
    printed = command("printpgn", database, *[w for n in range(1, 5) for w in ("-g", n)]).out
    remarks = re.findall("^% .*\n", printed, re.MULTILINE)
    assert remarks == [f"% game {number}\n" for number in range(1, 5)]
    assert without_ids(printed) == Path("out.pgn").read_text(encoding="utf-8")


def test_what_is_printed_reads_as_the_same_games(command: Command, database: str) -> None:
    Path("printed.pgn").write_text(command("printpgn", database, "-g", 3, 4, 1).out)
    made = command("create", "again.db3", "printed.pgn")
    assert made.out.startswith("games: 3, read up to an error: 0, rejected texts: 0\n")
    command("export", database, "-o", "all.pgn")
    command("export", "again.db3", "-o", "again.pgn")
    with open("all.pgn") as whole, open("again.pgn") as again:
        games = [str(chess.pgn.read_game(whole)) for _ in range(4)]
        assert [str(chess.pgn.read_game(again)) for _ in range(3)] == [
            games[2], games[3], games[0],
        ]  # fmt: skip


def test_other_readers_skip_the_ids(command: Command, database: str) -> None:
    printed = io.StringIO(command("printpgn", database, "-g", 4, 2).out)
    read = [chess.pgn.read_game(printed) for _ in range(3)]
    assert [game and game.headers["White"] for game in read] == [
        "Смыслов, Василий",
        "Gamma, G",
        None,
    ]
    assert not any(game.errors for game in read if game)


def test_prints_what_is_flagged_too(command: Command, database: str) -> None:
    before = command("printpgn", database, "-g", 3)
    command("dedup", database)
    assert command("printpgn", database, "-g", 3) == before


def test_quiet_still_prints(command: Command, database: str) -> None:
    assert command("printpgn", database, "-q", "-g", 4).out == "% game 4\n" + ANNOTATED


@pytest.mark.parametrize(
    ("asked", "named"), [([9], "9"), ([0], "0"), ([-5], "-5"), ([1, 99, 2, 7], "99, 7")]
)
def test_unknown_id(command: Command, database: str, asked: list[int], named: str) -> None:
    status, out, err = command("printpgn", database, *[f"-g{number}" for number in asked])
    assert (status, out) == (2, "")
    assert err == f"ocgdedup: error: a.db3: there is no game with ID {named}\n"


def test_id_beyond_64_bits(command: Command, database: str) -> None:
    status, out, err = command("printpgn", database, "-g", 10**20)
    assert (status, out) == (2, "")
    assert "100000000000000000000" in err


def test_damaged_moves(command: Command, database: str) -> None:
    change(database, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 2")
    status, out, err = command("printpgn", database, "-g", 2)
    assert (status, out) == (2, "")
    assert "a.db3" in err
    assert "game 2" in err
    assert command("printpgn", database, "-g", 1).status == 0


def test_game_without_anything(command: Command, database: str) -> None:
    Path("bare.pgn").write_text(game("*"))
    command("create", "b.db3", "bare.pgn")
    status, out, _ = command("printpgn", "b.db3", "-g", 1)
    assert status == 0
    assert '[Result "*"]\n\n*\n\n' in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.db3"], "name games by their IDs, or give --diff, --pairs or --group"),
        (["a.db3", "-g", "1", "--group", "1"], "leave out the IDs before them"),
        (["a.db3", "1", "--diff", "1", "2"], "leave out the IDs before them"),
        (["a.db3", "--group", "1", "--names", "file"], "--names goes with IDs of games"),
        (["a.db3", "one"], "ID: invalid int value: 'one'"),
        (["a.db3", "--pairs", "x", "--group", "1"], "not allowed with argument --pairs"),
        (["a.db3", "--group", "one"], "--group: invalid int value: 'one'"),
        (["a.db3", "--pairs", "--diff", "1", "2"], "not allowed with argument --pairs"),
        (["a.db3", "--diff", "1"], "--diff: expected 2 arguments"),
        (["a.db3", "--diff", "1", "one"], "--diff: invalid int value: 'one'"),
        (["-g", "1"], "GAMES.db3"),
        (["a.db3", "-g", "one"], "-g/--game: invalid int value: 'one'"),
    ],
)
def test_usage(command: Command, arguments: list[str], message: str) -> None:
    status, out, err = command("printpgn", *arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_ids_need_no_option(command: Command, database: str) -> None:
    """In any place, as after the older -g."""
    expected = command("printpgn", database, "-g", 3, 1, "--names", "file")
    assert expected.status == 0
    for words in (
        [database, 3, 1, "--names", "file"],
        [database, "--names", "file", 3, 1],
        ["--names", "file", database, 3, 1],
        [database, 3, "-g", 1, "--names", "file"],
    ):
        assert command("printpgn", *words) == expected


# --- copies side by side ---------------------------------------------------------------------


GAMES = re.compile(r"^game +(\d+) +(\d+)$", re.MULTILINE)


def heads(out: str) -> list[tuple[int, int]]:
    """Return the IDs of each printed pair."""
    return [(int(left), int(right)) for left, right in re.findall(GAMES, out)]


@pytest.mark.parametrize("report", ["r.csv", "r.json"])
def test_pairs_of_a_report(command: Command, made: str, report: str) -> None:
    """All pairs, the kept game on the left, including possible duplicates."""
    command("dedup", made, "--report", report)
    before = Path(made).read_bytes()
    status, out, err = command("printpgn", made, "--pairs", report)
    assert (status, err) == (0, "")
    of = ids(made)
    pairs = heads(out)
    assert len(pairs) == len(EXPECTED_COPIES) + len(EXPECTED_SUSPECTS)
    assert (of["13"], of["13 wrong move"]) in pairs
    assert (of["16"], of["16 cut"]) in pairs
    assert out.count("== pair ") == len(pairs)
    assert Path(made).read_bytes() == before


def test_pairs_of_a_list(command: Command, made: str) -> None:
    """In the order of the list; also of other games, and before any search."""
    of = ids(made)
    asked = [(of["17"], of["18"]), (of["1 again"], of["1"])]
    Path("pairs.txt").write_text("# mine\n" + "".join(f"{a}\t{b}\n" for a, b in asked))
    status, out, err = command("printpgn", made, "--pairs", "pairs.txt")
    assert (status, err) == (0, "")
    assert heads(out) == asked
    assert "The same moves: 70 plies." in out


def test_a_group(command: Command, made: str) -> None:
    """By the ID of any of its games."""
    command("dedup", made)
    of = ids(made)
    copies = sorted(of[label] for label in ("16 again", "16 wrong move", "16 cut"))
    expected = command("printpgn", made, "--group", of["16"])
    assert (expected.status, expected.err) == (0, "")
    assert heads(expected.out) == [(of["16"], copy) for copy in copies]
    for copy in copies:
        assert command("printpgn", made, "--group", copy) == expected
        assert command("printpgn", made, "-q", "--group", copy) == expected
    assert re.search(r"^is +kept game, headers merged,? +", expected.out, re.MULTILINE)
    assert "annotations merged" in expected.out
    assert re.search(r"^TimeControl +40/7200 +<?", expected.out, re.MULTILINE)


def test_divergence_of_two_games(command: Command, made: str) -> None:
    command("dedup", made)
    out = command("printpgn", made, "--group", ids(made)["13 wrong move"]).out
    assert re.search(r"^ply \d+ +\^+ +\^+$", out, re.MULTILINE)
    assert re.search(r"The games differ only at ply \d+\.", out)


def test_a_deleted_copy_is_still_shown(command: Command, made: str) -> None:
    """Its row exists until the purge."""
    of = ids(made)
    Path("pairs.txt").write_text(f"{of['1']} {of['1 again']}\n")
    command("dedup", made, "--delete")
    status, out, _ = command("printpgn", made, "--pairs", "pairs.txt")
    assert status == 0
    assert re.search(r"deleted$", out, re.MULTILINE)
    command("dedup", made, "--purge")
    assert command("printpgn", made, "--pairs", "pairs.txt").status == 2


def test_names_are_utf8_whatever_the_terminal(command: Command, database: str) -> None:
    Path("pairs.txt").write_text("4 1\n")
    assert "Смыслов, Василий" in command("printpgn", database, "--pairs", "pairs.txt").out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--group 999", "a.db3: there is no game with ID 999"),
        ("--group 100000000000000000000", "no game with ID 100000000000000000000"),
        ("--group SINGLE", "is in no group of duplicates; run 'ocgdedup dedup' to search for them"),
        ("--pairs absent.csv", "absent.csv: cannot be read: No such file or directory"),
        ("--pairs .", ".: cannot be read: Is a directory"),
        ("--pairs empty.txt", "empty.txt: has no pairs of games"),
        ("--pairs odd.txt", "odd.txt:2: "),
        ("--pairs a.db3", "a.db3: byte 99 is not UTF-8 text"),
        ("--pairs same.txt", "same.txt:1: "),
        ("--pairs unknown.txt", "a.db3: there is no game with ID 777, 888"),
    ],
)
def test_games_that_cannot_be_shown(command: Command, made: str, line: str, message: str) -> None:
    """Then nothing is printed."""
    Path("empty.txt").write_text("# nothing\n\n")
    Path("odd.txt").write_text("1 2\n3\n")
    Path("same.txt").write_text("5 5\n")
    Path("unknown.txt").write_text("1 2\n888 777\n")
    command("dedup", made)
    single = str(ids(made)["17"])
    status, out, err = command("printpgn", made, *line.replace("SINGLE", single).split())
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: ")
    assert message in err


# --- any two games, suspects, reports of other databases --------------------------------------


def test_two_games(command: Command, made: str) -> None:
    """In the given order: tags, moves, the board at the divergence, the evidence."""
    of = ids(made)
    before = Path(made).read_bytes()
    status, out, err = command("printpgn", made, "--diff", of["13 wrong move"], of["13"])
    assert (status, err) == (0, "")
    assert heads(out) == [(of["13 wrong move"], of["13"])]
    assert re.search(r"^ply \d+ +\^+ +\^+$", out, re.MULTILINE)
    explained = command("dedup", made, "--explain", of["13 wrong move"], of["13"]).out
    explained, count = re.subn(r"Moves that differ.*\n(  .*\n)*", "", explained)
    assert count == 1  # here they stand side by side
    board = r"^[1-8]  [.\w](?: [.\w]){7}|^   a b c d e f g h|^   \w+ to move"
    plain = " ".join(re.sub(board, "", out, flags=re.MULTILINE).split())
    for line in explained.splitlines():
        assert " ".join(line.split()) in plain
    assert Path(made).read_bytes() == before


def test_the_board_at_the_divergence(command: Command, made: str) -> None:
    """The position after the common moves."""
    of = ids(made)
    out = command("printpgn", made, "--diff", of["13"], of["13 wrong move"]).out
    drawn = re.findall(r"^[1-8]  ([.\w](?: [.\w]){7})", out, re.MULTILINE)
    ply = int(re.search(r"^ply (\d+)", out, re.MULTILINE)[1])
    board = chess.Board()
    for move in mainline(13)[: ply - 1]:
        board.push_uci(move)
    assert "\n".join(drawn) == str(board)
    assert f"{'White' if board.turn else 'Black'} to move" in out


def test_equal_games_have_no_board(command: Command, made: str) -> None:
    of = ids(made)
    out = command("printpgn", made, "--diff", of["1"], of["1 again"]).out
    assert "By their moves: exact." in out
    assert "a b c d e f g h" not in out


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ((1, 1), "--diff needs two different games, not 1 twice"),
        ((1, 999), "a.db3: there is no game with ID 999"),
        ((10**20, 1), "there is no game with ID 100000000000000000000"),
    ],
)
def test_no_two_games(command: Command, made: str, asked: tuple[int, int], message: str) -> None:
    status, out, err = command("printpgn", made, "--diff", *asked)
    assert (status, out) == (2, "")
    assert message in err


def test_two_games_of_ocgdb(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "o.db3"
    write_ocgdb(path, [OcgdbGame("A, B", "C, D", "e4 e5"), OcgdbGame("A, B", "C, D", "e4 c5")])
    status, out, _ = command("printpgn", path, "--diff", 1, 2)
    assert status == 0
    assert "By their moves: " in out or "Their moves differ" in out
    assert command("printpgn", path, "--pairs") == (
        0, "", "no possible duplicates to decide about; to search for them, run 'ocgdedup dedup'\n",
    )  # fmt: skip


def test_suspects(command: Command, made: str) -> None:
    """Without a file: undecided pairs."""
    command("dedup", made)
    stored = query(made, "SELECT GameID1, GameID2 FROM Suspects ORDER BY 1, 2")
    status, out, err = command("printpgn", made, "--pairs")
    assert (status, err) == (0, "")
    assert heads(out) == stored
    assert out.count("; undecided, both games are kept; score") == len(stored)
    first, second = stored[0]
    sql = "UPDATE Suspects SET Decision = 'same', MasterID = GameID2 WHERE GameID2 = ?"
    change(made, sql, second)
    assert heads(command("printpgn", made, "--pairs").out) == stored[1:]
    out = command("printpgn", made, "--diff", first, second).out
    assert f"you decided: same, game {second} is kept" in " ".join(out.split())


@pytest.mark.parametrize("report", ["r.csv", "r.json"])
@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("SELECT 1", 0),
        ("UPDATE Games SET Moves2 = substr(Moves2, 1, 40) WHERE ID = {}", 1),
        ("UPDATE Games SET WhiteID = 1, BlackID = 1 WHERE ID = {}", 1),
        ("UPDATE Games SET WhiteID = 1 WHERE ID = {}", 0),  # a merge may do that
    ],
)
def test_a_report_of_another_database(
    command: Command, made: str, report: str, sql: str, count: int
) -> None:
    command("dedup", made, "--report", report, "--no-merge")
    change(made, sql.format(ids(made)["16 wrong move"]))
    status, _, err = command("printpgn", made, "--pairs", report)
    assert status == 0
    total = len(EXPECTED_COPIES) + len(EXPECTED_SUSPECTS)
    message = f"{report}: players or moves of {count} of {total} pairs are different in a.db3"
    assert (message in err) == (count > 0)
    assert bool(err) == (count > 0)


def test_names_are_those_of_export(command: Command, tmp_path: Path) -> None:
    demo = Path(__file__).parents[2] / "scripts" / "demo_games"
    base = str(tmp_path / "names.db3")
    listed = ("--fide-xml", str(demo / "players_2013-01.xml"))
    assert command("create", base, *map(str, sorted(demo.glob("*.pgn"))), *listed).status in (0, 1)
    numbers = [row[0] for row in query(base, "SELECT ID FROM Games ORDER BY ID")]
    texts = []
    for names in ([], ["--names", "canonical"], ["--names", "merged"], ["--names", "file"]):
        command("export", base, "-o", str(tmp_path / "o.pgn"), "--all", "--force", *names)
        printed = without_ids(command("printpgn", base, *names, "-g", *numbers).out)
        assert printed == (tmp_path / "o.pgn").read_text(encoding="utf-8")
        texts.append(printed)
    assert texts[0] == texts[1] != texts[2]
    assert command("printpgn", base, "--pairs", "--names", "file").status == 2
