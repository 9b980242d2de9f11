"""export and printpgn of a Go database: SGF; options for chess are refused."""

import gzip
from pathlib import Path

import pytest

from tests.support.databases import change, dump, flag
from tests.support.go_games import GoGame, write_go_database
from tests.support.sgf_trees import parsed

PLAYED = (
    GoGame(
        "Bpd Wdd Bpp", white="Honinbo Shusai", black="Go Seigen", event="Game of the century",
        site="Tokyo", date="1933.10.16", result="1-0",
        tags={"KM": "0", "RE": "W+2", "DT": "1933-10-16,17"},
        comments=((-1, 0, "Played [over\nweeks]"), (1, 0, "Usual")),
        notes=((1, 1, "TE[1]BL[30]"), (1, 2, "(;W[dp]C[else];B[dd])"), (2, 0, ";C[done]")),
    ),
    GoGame("Baa B Wii", start="SZ[9]AB[cc][gg]", white="Lee", black="Cho", date="2001.05.??"),
    GoGame("", white="Cho", result="0-1", date="1999.??.??", tags={"RE": "B+R"}),
    GoGame("Bpd", white="Lee", event="E", tags={"DUPGROUP": "77"}),
)  # fmt: skip
FORMAT = {"GM": ["1"], "FF": ["4"], "CA": ["UTF-8"], "SZ": ["19"]}


@pytest.fixture
def go(tmp_path, monkeypatch):
    """Return a Go database in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_go_database("go.db3", PLAYED)
    return "go.db3"


def exported(command, database, *options):
    before = dump(database)
    status, out, err = command("export", database, "-o", "-", *options)
    assert (status, err) == (0, "")
    assert dump(database) == before
    return parsed(out.encode())


def test_all_games(command, go):
    first, second, third, fourth = exported(command, go)
    assert first.properties == FORMAT | {
        "EV": ["Game of the century"], "PC": ["Tokyo"], "PB": ["Go Seigen"],
        "PW": ["Honinbo Shusai"], "KM": ["0"], "RE": ["W+2"], "DT": ["1933-10-16,17"],
        "C": ["Played [over\nweeks]"],
    }  # fmt: skip
    (move,) = first.children
    reply, other = move.children[0], move.children[0].children[1]
    assert (move.move, reply.move) == ("Bpd", "Wdd")
    assert reply.properties == {"C": ["Usual"], "TE": ["1"], "BL": ["30"]}
    assert other == ("Wdp", {"C": ["else"]}, [("Bdd", {}, [])])
    assert reply.children[0] == ("Bpp", {}, [(None, {"C": ["done"]}, [])])
    assert second.properties == FORMAT | {
        "SZ": ["9"], "AB": ["cc", "gg"], "DT": ["2001-05"], "PB": ["Cho"], "PW": ["Lee"],
    }  # fmt: skip
    assert third == (None, FORMAT | {"PW": ["Cho"], "DT": ["1999"], "RE": ["B+R"]}, [])
    assert fourth.properties["DUPGROUP"] == ["77"]


def test_file_of_games(command, go):
    status, out, err = command("export", go, "-o", "x.sgf.gz", "--player", "Cho", "--sort", "date")
    assert (status, out, err) == (0, "wrote 2 games to x.sgf.gz\n", "")
    text = gzip.decompress(Path("x.sgf.gz").read_bytes())
    assert [game.properties["DT"] for game in parsed(text)] == [["1999"], ["2001-05"]]


def test_split(command, go):
    assert command("export", go, "-o", "x.sgf", "--split", "3", "-q").status == 0
    names = sorted(path.name for path in Path().glob("*.sgf"))
    assert names == ["x-001.sgf", "x-002.sgf"]
    assert [len(parsed(Path(name).read_bytes())) for name in names] == [3, 1]


def test_copies_are_marked(command, go):
    for game_id in (2, 4):
        flag(go, game_id, "exact", 1)
    out = command("export", go, "-o", "x.sgf", "--duplicates", "d.sgf").out
    assert out == ("wrote 2 games to x.sgf; left out 2 duplicates\nwrote 2 duplicates to d.sgf\n")
    second, fourth = parsed(Path("d.sgf").read_bytes())
    assert second.properties["EV"] == second.properties["PC"] == ["[exact copy of 1]"]
    assert fourth.properties["EV"] == ["[exact copy of 1] E"]
    for game in (second, fourth):
        assert game.properties["DUPSTATUS"] == ["exact"]
        assert game.properties["DUPGROUP"] == ["1"]
    assert len(parsed(Path("x.sgf").read_bytes())) == 2


@pytest.mark.parametrize(
    ("kinds", "gone"),
    [
        ("comments", ["C[Pl", "C[Us", "C[else", "done"]),
        ("variations", ["W[dp]"]),
        ("nags", ["TE["]),
        ("clocks", ["BL["]),
    ],
)
def test_strip(command, go, kinds, gone):
    words = ["C[Pl", "C[Us", "C[else", "done", "W[dp]", "TE[", "BL[", "B[pp]"]
    whole = command("export", go, "-o", "-").out
    assert all(word in whole for word in words)
    text = command("export", go, "-o", "-", "--strip", kinds).out
    # Without its branch a comment of the branch goes too.
    left = [
        word for word in words if word not in gone and (kinds, word) != ("variations", "C[else")
    ]
    assert [word for word in words if word in text] == left
    assert len(parsed(text.encode())) == len(PLAYED)


def test_strip_all(command, go):
    games = exported(command, go, "--strip", "comments,variations,nags,clocks")
    assert games[0].children == [("Bpd", {}, [("Wdd", {}, [("Bpp", {}, [])])])]


def test_width(command, go):
    text = command("export", go, "-o", "-", "--width", "0").out
    assert text.count("\n") == len(PLAYED) + 1  # one within a comment
    assert ";B[aa];B[];W[ii])\n" in text


def test_printpgn(command, go):
    status, out, err = command("printpgn", go, "-g", "2", "1")
    assert (status, err) == (0, "")
    assert out.startswith("% game 2\n(;")
    assert "\n% game 1\n(;" in out
    second, first = parsed(out.encode())
    assert second.properties["PW"] == ["Lee"]
    assert [first, second] == exported(command, go)[:2]


def test_what_is_printed_reads_as_the_same_games(command, go):
    """Also from a pipe, whose name does not end in .sgf."""
    Path("printed.txt").write_text(command("printpgn", go, "-g", "1", "2").out)
    made = command("create", "again.db3", "printed.txt")
    assert made.out.startswith("games: 2, read up to an error: 0, rejected texts: 0\n")
    assert exported(command, "again.db3") == exported(command, go)[:2]


def test_a_player_in_another_spelling(command, go):
    """For games and duplicates alike; the message appears once."""
    flag(go, 4, "exact", 2)
    change(go, "UPDATE Players SET Name = 'Lee Changho' WHERE Name = 'Lee'")
    options = ["-o", "x.sgf", "--duplicates", "d.sgf", "--player", "Yi Ch'ang-ho"]
    status, _, err = command("export", go, *options)
    assert status == 0
    assert err.count("Yi Ch'ang-ho") == err.count("spellings of this name: Lee Changho\n") == 1
    assert [game.properties["PB"] for game in parsed(Path("x.sgf").read_bytes())] == [["Cho"]]
    assert len(parsed(Path("d.sgf").read_bytes())) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "-", "--format", "csv", "--eco", "B20"], "go.db3: --eco is for chess"),
        (["-o", "-", "--format", "csv", "--sort", "eco"], "go.db3: --sort eco is for chess"),
        (["-o", "x.pgn"], "x.pgn: go.db3 holds Go games, which are written as SGF; name a file"),
        (["-o", "X.PGN.gz"], "X.PGN.gz: go.db3 holds Go games"),
        (["-o", "x.sgf", "--duplicates", "y.pgn"], "y.pgn: go.db3 holds Go games"),
        (["-o", "-", "--format", "pgn"], "written as SGF; leave out --format pgn"),
        (["-o", "-", "--eco", "B20"], "go.db3: --eco is for chess"),
        (["-o", "-", "--sort", "eco"], "go.db3: --sort eco is for chess"),
        (["-o", "-", "--keep-evp"], "go.db3: --keep-evp is for chess"),
        (["-o", "-", "--strip", "evp"], "go.db3: --strip evp is for chess"),
        (["-o", "-", "--strip", "nags,evp"], "go.db3: --strip evp is for chess"),
    ],
)
def test_what_does_not_fit_go(command, go, options, message):
    status, out, err = command("export", go, *options)
    assert (status, out) == (2, "")
    assert message in err
    assert sorted(path.name for path in Path().iterdir()) == ["go.db3"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "x.sgf"], "x.sgf: a.db3 holds chess games, which are written as PGN; name a"),
        (["-o", "-", "--format", "sgf"], "written as PGN; leave out --format sgf"),
    ],
)
def test_chess_is_no_sgf(command, made, options, message):
    status, out, err = command("export", made, *options)
    assert (status, out) == (2, "")
    assert message in err
    assert not Path("x.sgf").exists()


@pytest.mark.parametrize("options", [["--format", "sgf"], []])
def test_any_other_name_will_do(command, go, options):
    assert command("export", go, "-o", "games", *options, "-q").status == 0
    assert len(parsed(Path("games").read_bytes())) == len(PLAYED)


@pytest.mark.parametrize(
    ("change_of_it", "message"),
    [
        ("Moves2 = x'7f02'", "go.db3: game 1: ply 1 of 1: stored move 0x027f is not on the board"),
        ("Moves2 = x'00'", "go.db3: game 1: odd move blob of 1 bytes"),
        ("FEN = 'x'", "go.db3: game 1: not a start position of a Go game: 'x'"),
        ("ExtraTags = '[]'", "game 1: its ExtraTags are not a JSON object"),
    ],
)
def test_damage_is_an_error_that_names_the_game(command, go, change_of_it, message):
    change(go, f"UPDATE Games SET {change_of_it} WHERE ID = 1")
    for arguments in (["export", go, "-o", "x.sgf"], ["printpgn", go, "-g", "1"]):
        status, out, err = command(*arguments)
        assert (status, out) == (2, "")
        assert message in err
        assert "Traceback" not in err
    assert not Path("x.sgf").exists()


@pytest.mark.parametrize("values", ["6, NULL", "NULL, NULL", "NULL, x'00'"])
def test_an_annotation_that_is_no_text(command, go, values):
    change(go, "DELETE FROM Annotations")
    change(
        go,
        "INSERT INTO Annotations (GameID, Ply, Position, NAG, Variation) "
        f"VALUES (1, 0, 0, {values})",
    )
    status, out, err = command("export", go, "-o", "-")
    assert (status, out) == (2, "")
    assert "go.db3: game 1: an annotation at ply 1 is not text" in err


def test_a_merged_date_is_written(command, go):
    change(go, "UPDATE Games SET Date = '1933.10.15' WHERE ID = 1")
    assert exported(command, go)[0].properties["DT"] == ["1933-10-15"]


def test_a_date_as_people_write_it_stands(command, go):
    change(go, """UPDATE Games SET Date = '2001.05.14', ExtraTags = '{"DT": "14-05-2001"}'""")
    assert exported(command, go)[0].properties["DT"] == ["14-05-2001"]
