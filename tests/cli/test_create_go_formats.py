"""create and run with GIB, NGF and UGF files, odd SGF files and charsets."""

import zipfile
from pathlib import Path

import pytest

from tests.support.databases import query, value

POINTS = [(15, 3), (3, 3), (15, 15), *((column, 5 + column % 7) for column in range(17))]
SIDES = "BW" * 10
GIB = (
    "\\HS\n\\[GIBOKIND=Korea\\]\n\\[GAMEBLACKNAME=이창호 (9단)\\]\n\\[GAMEWHITENAME=birch (1D)\\]\n"
    "\\[GAMEDATE=2015- 8- 9\\]\n\\HE\n\\GS\n2 1 0\n5 0 &4\nINI 0 1 0 &4\n"
    + "".join(f"STO 0 {n} {1 + n % 2} {x} {y}\n" for n, (x, y) in enumerate(POINTS, start=2))
    + "\\GE\n"
)
NGF = (
    "Rated game\n19\nbirch  1D*\n이창호  9단\nexample.org\n0\n0\n6\n20150809 [09:37]\n15\n"
    "Black wins by resign!\n20\n"
    + "".join(
        f"PMA{chr(66 + n)}{SIDES[n]}{chr(66 + x)}{chr(66 + y)}{chr(66 + y)}{chr(66 + x)}\n"
        for n, (x, y) in enumerate(POINTS)
    )
)
UGF = (
    "[Header]\nVer=UGF3,200\nSize=19\nHdcp=0,6.50\nDate=2015/08/09,,,\nPlayerB=이창호,9단,,\n"
    "PlayerW=birch,1d,,\nCoordinateType=IGS\n[Data]\n"
    + "".join(
        f"{chr(65 + x)}{chr(83 - y)},{SIDES[n]}1,{n + 1},0\n" for n, (x, y) in enumerate(POINTS)
    )
)
SGF = (
    "(;GM[1]SZ[19]PB[이창호]PW[birch]DT[2015-08-09]"
    + "".join(f";{SIDES[n]}[{chr(97 + x)}{chr(97 + y)}]" for n, (x, y) in enumerate(POINTS))
    + ")\n"
)
FILES = {"a.gib": GIB, "b.NGF": NGF, "c.ugf": UGF, "d.ugi": UGF, "e.sgf": SGF}
NAMES = (
    "SELECT Black.Name, White.Name, Date FROM Games JOIN Players AS White ON White.ID = WhiteID "
    "JOIN Players AS Black ON Black.ID = BlackID"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name, text in FILES.items():
        Path("in", name).write_bytes(text.encode("cp949" if name == "a.gib" else "utf-8"))
    return tmp_path


@pytest.mark.parametrize("kind", ["folder", "zip", "files", "append"])
def test_kinds_of_input(command, folder, kind):
    files = [f"in/{name}" for name in FILES]
    if kind == "zip":
        with zipfile.ZipFile("in.zip", "w") as archive:
            for name in files:
                archive.write(name)
    inputs = {"folder": ["in"], "zip": ["in.zip"], "files": files, "append": files[:1]}[kind]
    done = command("create", "a.db3", *inputs)
    assert done.status == 0
    if kind == "append":
        assert command("create", "a.db3", *files[1:], "--append", "-q").status == 0
    assert query("a.db3", NAMES) == [("이창호", "birch", "2015.08.09")] * len(FILES)
    assert query("a.db3", "SELECT count(DISTINCT MoveHash) FROM Games") == [(1,)]
    assert query("a.db3", "SELECT Charset FROM Games WHERE ID = 1") == [("cp949",)]


def test_a_clean_file(command, folder):
    """The five records are one game; exported and read again, it is the same."""
    assert command("run", "in", "-o", "out.sgf").status == 0
    text = Path("out.sgf").read_text()
    assert text.count("(;") == 1
    assert "PB[이창호]\nPW[birch]\n" in text
    command("create", "b.db3", "out.sgf", "-q")
    assert query("b.db3", NAMES) == [("이창호", "birch", "2015.08.09")]


@pytest.mark.parametrize("name", ["game.txt", "game.dat"])
def test_a_folder_with_games_of_other_names(command, folder, name):
    for path in Path("in").iterdir():
        path.unlink()
    Path("in", name).write_text(GIB)
    assert command("create", "a.db3", "in", "-q").status == 0
    assert value("a.db3", "SELECT PlyCount FROM Games") == 20


def test_damaged_files(command, folder):
    Path("cut.gib").write_text(GIB.replace("15 15", "15 25").replace("3 3\n", "3 3\n\n", 1))
    status, _, err = command("create", "a.db3", "cut.gib")
    assert (status, err) == (1, "cut.gib:14: game 1, after move 2: point off the board: B[pz]\n")
    Path("bad.gib").write_text("no game\n")
    status, _, err = command("create", "b.db3", "bad.gib")
    assert status == 1
    assert "bad.gib: no game was found in it: text that belongs to no game" in err
    assert Path("b.rejects.sgf").read_text().startswith("% bad.gib line 1 game 1: ")


def test_chess_and_other_formats(command, folder):
    Path("chess.pgn").write_text('[Event "x"]\n\n1. e4 *\n')
    done = command("create", "a.db3", "chess.pgn", "in/a.gib")
    assert done.status == 2
    assert "in/a.gib: holds Go" in done.err


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("iso2022_jp", "ISO-2022-JP"), ("iso2022_jp", ""), ("cp932", "Shift_JIS"), ("utf-16", ""),
        ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16"), ("euc_jp", "EUC-JP"), ("hz", "HZ"),
    ],
)  # fmt: skip
def test_charsets(command, folder, codec, declared):
    name = "林海峰" if codec == "hz" else "依田紀基ソ表"
    ca = f"CA[{declared}]" if declared else ""
    text = f"(;GM[1]{ca}PB[{name}]PW[大竹英]\n;B[pd]C[{name}];W[dd])\n"
    Path("a.sgf").write_bytes(
        text.encode(codec) + (text * 2).encode(codec)[2 * (codec == "utf-16") :]
    )
    assert command("create", "a.db3", "a.sgf", "-q").status == 0
    assert (
        query("a.db3", "SELECT Name, PlyCount FROM Games JOIN Players ON Players.ID = BlackID")
        == [(name, 2)] * 3
    )
    assert query("a.db3", "SELECT DISTINCT Comment FROM Comments") == [(name,)]
    charset = query("a.db3", "SELECT DISTINCT Charset FROM Games")
    assert charset == [(None if codec.startswith("utf") else codec,)]


def test_a_record_of_a_chinese_site(command, folder):
    text = (
        "(\r\nTE[第5届春兰杯]\r\nRD[2003-5-6]\r\nPC[北京]\r\nKO[375]\r\nRE[黑中盘胜]\r\nPB[陈甲]\r\n"
        "PW[李乙]\r\n;B[pd];W[dd];B[pp])\r\n"
    )
    Path("a.sgf").write_bytes(text.encode("gbk"))
    assert command("create", "a.db3", "a.sgf", "-q").status == 0
    sql = "SELECT Events.Name, Date, Result FROM Games JOIN Events ON Events.ID = EventID"
    assert query("a.db3", sql) == [("第5届春兰杯", "2003.05.06", "0-1")]
    assert command("check", "a.db3").status == 0
    assert command("export", "a.db3", "-o", "out.sgf", "-q").status == 0
    written = Path("out.sgf").read_text()
    assert "EV[第5届春兰杯]\nDT[2003-5-6]\n" in written
    assert "KM[375]" in written
    assert "KO[375]" in written
    command("create", "b.db3", "out.sgf", "-q")
    command("export", "b.db3", "-o", "again.sgf", "-q")
    assert Path("again.sgf").read_text() == written
    command("export", "a.db3", "-o", "a.csv", "-q")
    header, row = Path("a.csv").read_text().splitlines()
    assert row.split(",")[header.split(",").index("Komi")] == "7.5"
