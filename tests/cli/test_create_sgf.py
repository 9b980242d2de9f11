"""create with Go records: kinds of input, one kind of game per database, faults, rejects."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from ocgdedup._kernels import go as go_kernel
from tests.support.databases import change, dump, is_sound, query, tables, value
from tests.support.pgn_text import THREE_GAMES

GAME = "(;GM[1]FF[4]SZ[19]PB[Rin Kaiho]PW[Cho Chikun]DT[1983-02-16]RE[W+R];B[pd];W[dp])\n"
MOVES = "SELECT Moves2, FEN, MoveHash FROM Games"
SMALL = "(;SZ[9]PB[a]PW[b]C[root];B[ee]C[mid](;W[gc])(;W[cc]))\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("go.sgf").write_text(GAME)
    Path("two.sgf").write_text(GAME + SMALL)
    Path("chess.pgn").write_text(THREE_GAMES)
    return tmp_path


def test_without_indexes(command, folder):
    """Also without indexes of signatures, which `find` does not need."""
    assert command("create", "a.db3", "two.sgf", "--no-index", "-q").status == 0
    assert tables("a.db3", "index") == {"CommentsGameID", "AnnotationsGameID"}
    assert command("create", "a.db3", "go.sgf", "--append", "--no-index", "-q").status == 0
    assert tables("a.db3", "index") == {"CommentsGameID", "AnnotationsGameID"}
    assert command("check", "a.db3").status == 0
    assert "missing index   GamesMoveHash: slows down" in command("info", "a.db3").out
    assert "SignaturesA: slows down find by signature A" in command("info", "a.db3").out
    assert command("find", "a.db3", "--like", "1", "-q").out.count("Cho Chikun") == 1
    change("a.db3", "DELETE FROM Signatures WHERE GameID = 2")
    command("check", "a.db3", "--repair", "-q")
    assert value("a.db3", "SELECT count(*) FROM Signatures") == 3
    assert "SignaturesA" not in tables("a.db3", "index")
    assert command("create", "a.db3", "go.sgf", "--append", "-q").status == 0
    assert len(tables("a.db3", "index")) == 2 + 4 + 7


def test_a_collection(command, folder):
    status, out, err = command("create", "a.db3", "two.sgf")
    assert (status, err) == (0, "")
    assert out.startswith("games: 2, read up to an error: 0, rejected texts: 0\n")
    assert value("a.db3", "SELECT Value FROM Info WHERE Name = 'Variant'") == "go"
    assert value("a.db3", "SELECT Value FROM Info WHERE Name = 'GameCount'") == "2"
    sql = (
        "SELECT Games.ID, White.Name, Black.Name, Date, Result, FEN, Moves2, ExtraTags "
        "FROM Games JOIN Players AS White ON White.ID = WhiteID "
        "JOIN Players AS Black ON Black.ID = BlackID"
    )
    first, second = query("a.db3", sql)
    assert first[:6] == (1, "Cho Chikun", "Rin Kaiho", "1983.02.16", "1-0", None)
    assert go_kernel.move_texts(first[6]) == ["Bpd", "Wdp"]
    assert json.loads(first[7]) == {"RE": "W+R"}
    assert second[1:6] == ("b", "a", "????.??.??", "*", "SZ[9]")
    assert query("a.db3", "SELECT GameID, Ply, Comment, Position FROM Comments") == [
        (2, -1, "root", 0), (2, 0, "mid", 0),
    ]  # fmt: skip
    assert query("a.db3", "SELECT GameID, Ply, Position, NAG, Variation FROM Annotations") == [
        (2, 0, 1, None, "(;W[cc])")
    ]
    assert query("a.db3", "SELECT HasComments, HasVariations FROM Games") == [(0, 0), (1, 1)]
    assert is_sound("a.db3")


def test_keys(command, folder):
    assert command("create", "a.db3", "two.sgf", "-q").status == 0
    sql = (
        "SELECT Moves2, FEN, MoveHash, FinalZobrist, PositionsKey, SampledKey, SpecialMoves "
        "FROM Games"
    )
    for moves, start, *keys in query("a.db3", sql):
        assert tuple(keys) == go_kernel.keys_of(moves, start)


def test_a_fault_is_told_by_its_move(command, folder):
    Path("cut.sgf").write_text("(;GM[1]SZ[19];B[pd];W[dd];B[zz];W[pp])")
    status, _, err = command("create", "a.db3", "cut.sgf", "--report", "f.tsv")
    assert (status, err) == (
        1,
        "cut.sgf:1: game 1, after move 2: point off the board: B[zz]\n",
    )
    assert "\tply\t" in Path("f.tsv").read_text().splitlines()[0].lower()


@pytest.mark.parametrize(
    ("value", "result"),
    [("黑中盘胜", "0-1"), ("백 3집반승", "1-0"), ("持碁", "1/2-1/2"), ("打掛", "*")],
)
def test_results_in_words_stay_as_they_are(command, folder, value, result):
    text = f"(;GM[1]KM[6.5]RE[{value}]SZ[19]DT[昭和45年3月2日]PB[a];B[pd];W[dd])"
    Path("in.sgf").write_text(text, encoding="utf-8")
    sql = "SELECT Result, Date, DateQuality, ExtraTags FROM Games"
    tags = f'{{"DT":"昭和45年3月2日","RE":"{value}","KM":"6.5"}}'
    for name in ("a.db3", "b.db3"):
        assert command("create", name, "in.sgf", "-q").status == 0
        assert query(name, sql) == [(result, "1970.03.02", 32, tags)]
        assert command("export", name, "-o", "in.sgf", "--force", "-q").status == 0
    written = Path("in.sgf").read_text(encoding="utf-8")
    assert f"DT[昭和45年3月2日]\nPB[a]\nRE[{value}]\nKM[6.5]\n" in written


@pytest.mark.parametrize("name", ["bare.sgf", "bare.txt"])
def test_a_missing_parenthesis_at_the_start(command, folder, name):
    """After export and import it is the same game."""
    Path(name).write_text(SMALL.replace("SZ[9]", "GM[1]SZ[9]")[1:])
    assert command("create", "a.db3", name).out.startswith(
        "games: 1, read up to an error: 0, rejected texts: "
    )
    assert command("export", "a.db3", "-o", "b.sgf").status == 0
    assert Path("b.sgf").read_text().startswith("(;GM[1]FF[4]CA[UTF-8]SZ[9]\nPB[a]\nPW[b]\n")
    command("create", "b.db3", "b.sgf", "-q")
    command("create", "whole.db3", "two.sgf", "-q")
    assert query("a.db3", MOVES) == query("b.db3", MOVES) == query("whole.db3", MOVES)[1:]


def test_where_games_come_from(command, folder):
    assert command("create", "a.db3", "go.sgf", "two.sgf", "-q").status == 0
    sql = "SELECT SourceID, SourceNumber, SourceOffset FROM Games"
    assert query("a.db3", sql) == [(1, 1, 0), (2, 1, 0), (2, 2, len(GAME))]


@pytest.mark.parametrize("kind", ["folder", "zip", "gz", "stdin"])
def test_kinds_of_input(command, folder, kind):
    argument = f"in.{kind}"
    given = None
    if kind == "folder":
        argument = "sub"
        Path("sub").mkdir()
        Path("sub/b.SGF").write_text(GAME)
    elif kind == "zip":
        with zipfile.ZipFile(argument, "w") as archive:
            archive.writestr("a/b.sgf", GAME)
            archive.writestr("a/readme.txt", "no game")
    elif kind == "gz":
        argument = "in.sgf.gz"
        Path(argument).write_bytes(gzip.compress(GAME.encode()))
    else:
        argument, given = "-", GAME.encode()
    assert command("create", "a.db3", argument, "-q", stdin=given).status == 0
    assert query("a.db3", "SELECT PlyCount FROM Games") == [(2,)]


@pytest.mark.parametrize("order", [("go.sgf", "chess.pgn"), ("chess.pgn", "go.sgf")])
def test_one_kind_of_game(command, folder, order):
    status, _, err = command("create", "a.db3", *order)
    kinds = ("chess", "Go") if order[0] == "chess.pgn" else ("Go", "chess")
    assert status == 2
    assert (
        f"{order[1]}: holds {kinds[1]}, but the games before it are {kinds[0]}; "
        "a database holds one kind: load this file into another" in err
    )
    assert not Path("a.db3").exists()


@pytest.mark.parametrize("order", [("go.sgf", "chess.pgn"), ("chess.pgn", "go.sgf")])
def test_no_other_kind_is_added(command, folder, order):
    assert command("create", "a.db3", order[0], "-q").status == 0
    before = dump("a.db3")
    assert command("create", "a.db3", order[1], "--append").status == 2
    assert dump("a.db3") == before


def test_append(command, folder):
    assert command("create", "a.db3", "go.sgf", "-q").status == 0
    assert command("create", "a.db3", "two.sgf", "--append", "-q").status == 0
    assert query("a.db3", "SELECT ID, WhiteID FROM Games") == [(1, 2), (2, 2), (3, 4)]


def test_only_new(command, folder):
    assert command("create", "a.db3", "go.sgf", "-q").status == 0
    assert command("create", "a.db3", ".", "--append", "--only-new", "-q").status == 2  # chess.pgn
    Path("chess.pgn").unlink()
    assert command("create", "a.db3", ".", "--append", "--only-new", "-q").status == 0
    assert value("a.db3", "SELECT count(*) FROM Games") == 3


def test_fault_and_rejects(command, folder):
    Path("bad.sgf").write_text("(;PB[x];B[aa]\n;W[zz];B[bb])\n(;GM[2];B[f5])\n" + GAME)
    status, out, _ = command("create", "a.db3", "bad.sgf")
    assert status == 1
    assert "games: 2, read up to an error: 1, rejected texts: 1 (see a.rejects.sgf)" in out
    assert query("a.db3", "SELECT GameID, Line, Ply, Reason, Rest FROM Faults") == [
        (1, 2, 1, "point off the board: W[zz]", "W[zz];B[bb])")
    ]
    assert query("a.db3", "SELECT SourceNumber, Line, Reason FROM Rejects") == [
        (2, 3, "not a game of Go (GM)")
    ]
    assert Path("a.rejects.sgf").read_text() == (
        "% bad.sgf line 3 game 2: not a game of Go (GM)\n(;GM[2];B[f5])\n\n"
    )


def test_charsets(command, folder):
    for name, declared in (("gb18030", "GB2312"), ("cp949", "EUC-KR"), ("cp932", "")):
        text = GAME.replace("Cho Chikun", "趙治勲" if name != "cp949" else "조치훈")
        text = text.replace("GM[1]", f"GM[1]CA[{declared}]" if declared else "GM[1]WR[九段]")
        Path(f"{name}.sgf").write_bytes(text.encode(name))
    files = ["gb18030.sgf", "cp949.sgf", "cp932.sgf"]
    assert command("create", "a.db3", *files, "-q").status == 0
    sql = "SELECT Charset, Name FROM Games JOIN Players ON Players.ID = WhiteID"
    assert query("a.db3", sql) == [
        ("gb18030", "趙治勲"), ("cp949", "조치훈"), ("cp932", "趙治勲"),
    ]  # fmt: skip


def test_the_same_bytes_many_times(command, folder):
    names = [f"{number}.sgf" for number in range(9)]
    for name in names:
        Path(name).write_text(GAME)
    status, _, err = command("create", "a.db3", *names)
    assert status == 0
    assert err.count("has the same bytes as 0.sgf") == 5
    assert "3 more inputs have the same bytes as an earlier one" in err


@pytest.mark.slow
def test_jobs_do_not_matter(command, folder):
    Path("many.sgf").write_text(
        "".join(GAME.replace("[pd]", f"[{chr(97 + n % 19)}{chr(97 + n // 19 % 19)}]")
                for n in range(6000))
    )  # fmt: skip
    assert command("create", "a.db3", "many.sgf", "-q", "--jobs", "1").status == 0
    assert command("create", "b.db3", "many.sgf", "-q", "--jobs", "4").status == 0
    assert dump("a.db3") == dump("b.db3")
    assert value("a.db3", "SELECT count(DISTINCT MoveHash) FROM Games") == 361
