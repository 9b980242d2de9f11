"""run and export: one name for each player, with and without a list; FIDE IDs beside one name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocgdedup.matching.canonical_name import WrittenName, best_spelling, fold_groups, open_spellings
from tests.support.command_line import Command
from tests.support.databases import query

# Two sources of an event, and other names that differ only in how they are written.
SIDES = [
    ("Karjakin, Sergey", "Topalov, Veselin"), ("Karjakin,Sergey", "TOPALOV, VESELIN"),
    ("Ma Xiangzhi", "Hou, Yi Fan"), ("Ma, Xiang Zhi", "Yifan Hou"),
    ("Müller, K", "GM Oster, J."), ("Muller,K", "Oster,J"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def game(white: str, black: str, number: int, *tags: str) -> str:
    move = f"{'abcdefgh'[number % 8]}{3 + number // 8 % 2}"
    roster = {"Event": "Open", "Date": "2013.02.01", "Round": str(number), "White": white,
              "Black": black, "Result": "1-0"}  # fmt: skip
    lines = [f'[{tag} "{text}"]' for tag, text in roster.items()]
    return "\n".join((*lines, *tags, "", f"1. {move} e5 1-0", "", ""))


def written(path: str) -> list[tuple[str, str]]:
    text = Path(path).read_text()
    return re.findall(r'\[White "(.*)"\]\n\[Black "(.*)"\]', text)


def test_run_writes_one_name_without_a_list(command: Command) -> None:
    Path("in.pgn").write_text("".join(game(*sides, n) for n, sides in enumerate(SIDES)))
    assert command("run", "in.pgn", "-o", "out.pgn", "--no-ids", "-q").status == 0
    pairs = written("out.pgn")
    assert pairs[0] == pairs[1] == ("Karjakin, Sergey", "Topalov, Veselin")
    assert pairs[2] == pairs[3]
    assert pairs[4] == pairs[5] == ("Müller, K", "Oster, J.")
    for options, same in (((), True), (("--names", "merged"), False)):
        assert command("export", "out.db3", "-o", "b.pgn", "--force", *options).status == 0
        assert (Path("b.pgn").read_text() == Path("out.pgn").read_text()) is same
    assert "TOPALOV" in Path("b.pgn").read_text()


def test_without_players_names_are_those_of_headers(command: Command) -> None:
    Path("in.pgn").write_text("".join(game(*sides, n) for n, sides in enumerate(SIDES)))
    command("create", "a.db3", "in.pgn", "-q")
    command("export", "a.db3", "-o", "b.pgn", "-q")
    assert written("b.pgn") == SIDES


def test_undo_takes_the_spellings_back(command: Command) -> None:
    Path("in.pgn").write_text("".join(game(*sides, n) for n, sides in enumerate(SIDES)))
    command("create", "a.db3", "in.pgn", "-q")
    command("players", "a.db3", "-q")
    assert query("a.db3", "SELECT Spelling FROM OpenNames ORDER BY 1")[-1] == ("Oster, J.",)
    command("players", "a.db3", "--undo", "-q")
    assert query("a.db3", "SELECT * FROM OpenNames") == []


def test_an_id_is_beside_one_name(command: Command) -> None:
    """The ID of an open name is left out where it is another name's."""
    ids = '[WhiteFideId "77"]', '[WhiteFideID "77"]', '[WhiteFideId "0"]', '[WhiteFideId "-"]'
    names = "Oster, J", "Wester, K", "Oster, J", "Oster, J", "Wester, K", "Oster, J"
    tags = ids[0], ids[0], ids[0], ids[2], ids[3], ids[1]
    games = enumerate(zip(names, tags, strict=True))
    Path("in.pgn").write_text("".join(game(name, "?", n, tag) for n, (name, tag) in games))
    command("run", "in.pgn", "-o", "out.pgn", "-q", "--names", "canonical")
    text = Path("out.pgn").read_text()
    blocks = text.split("[Event ")[1:]
    assert [re.findall('FideI[dD] "(.*)"', block) for block in blocks] == [
        ["77"], [], ["77"], [], [], ["77"],
    ]  # fmt: skip
    command("export", "out.db3", "-o", "m.pgn", "--names", "merged")
    assert Path("m.pgn").read_text().count("FideI") == 6


def test_a_game_is_selected_by_the_name_as_written(command: Command) -> None:
    Path("in.pgn").write_text("".join(game(*sides, n) for n, sides in enumerate(SIDES)))
    command("run", "in.pgn", "-o", "out.pgn", "-q")
    for name in {name for pair in written("out.pgn") for name in pair}:
        games = sum(name in pair for pair in written("out.pgn"))
        command("export", "out.db3", "-o", "b.pgn", "--force", "--player", name, "-q")
        assert sum(name in pair for pair in written("b.pgn")) == games, name


def test_names_of_a_spelling_file_are_the_users_word(command: Command) -> None:
    listed = Path(__file__).parents[2] / "scripts" / "demo_games" / "players_2013-01.xml"
    Path("in.pgn").write_text(game("Kasparov, Garry", "Carlsen, Magnus", 1))
    Path("names.ssp").write_text("@PLAYER\nKasparov, Garry Kimovich\n= Kasparov, Garry\n")
    command("create", "a.db3", "in.pgn", "-q")
    command("players", "a.db3", "-q", "--fide-xml", str(listed), "--aliases", "names.ssp")
    command("export", "a.db3", "-o", "b.pgn", "-q")
    assert written("b.pgn") == [("Kasparov, Garry Kimovich", "Carlsen, Magnus")]
    assert '[WhiteFideId "' in Path("b.pgn").read_text()


def test_go_players_have_one_name(command: Command) -> None:
    names = ("Otake Hideo", "OTAKE HIDEO", "Otake Hideo", "Ohtake Hideo")
    texts = (
        f"(;GM[1]SZ[19]PB[{name}]PW[Gennan Inseki];B[q{point}];W[dc])"
        for name, point in zip(names, "defg", strict=True)
    )
    Path("a.sgf").write_text("".join(texts))
    assert command("run", "a.sgf", "-o", "b.sgf", "-q").status == 0
    assert set(re.findall(r"PB\[(.*?)\]", Path("b.sgf").read_text())) == {"Otake Hideo"}


@pytest.mark.parametrize(
    ("games", "best"),
    [
        ({"Adams,M": 9, "Adams, Michael": 2}, "Adams, Michael"),
        ({"ADAMS, MICHAEL": 9, "Michael Adams": 5, "Adams, Michael": 2}, "Adams, Michael"),
        ({"GM Adams, Michael (ENG)": 3}, "Adams, Michael"),
        ({"Oster,Jan": 1, "Oster, Jan": 1}, "Oster, Jan"),
        ({"NN": 2, "N.N.": 5}, "N.N."),
        ({"Wester, Ann": 20, "WESTER, ANN": 60, "Ann Wester Swe": 7}, "Wester, Ann"),
        ({"Wester,Wi": 50, "Wester, Wilhelm": 2}, "Wester, Wilhelm"),
        ({"Wester, Ann": 20, "Wester, Ann Lea": 2, "Wester,A": 90}, "Wester, Ann Lea"),
    ],
)
def test_best_spelling(games: dict[str, int], best: str) -> None:
    assert best_spelling(games) == best


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("Ding, Liren", "liren DING", True),
        ("Ma Xiang Zhi", "Ma, Xiangzhi", True),
        ("Van der Berg, J.P.", "van der berg, jp", True),
        ("Li Chao2", "Li,Chao2", True),
        ("Li Chao2", "Li, Chao", False),
        ("Chen, G", "Cheng", False),
        ("Ilic, Dragan M", "Milic, Dragan", False),
        ("Stockfish 15", "Stockfish 16", False),
        ("moth_99", "moth99", False),
        ("Moth99", "moth99", True),
        ("NN", "N.N.", True),
        ("?", "", False),
    ],
)
def test_folds(name: str, other: str, expected: bool) -> None:
    left, right = fold_groups([name, other])
    assert (left is not None and left == right) is expected


def test_an_open_name_has_the_spelling_of_a_player() -> None:
    names = {"Wang Yue": 2, "YUE, WANG": 1, "Fischer, R": 3}
    players = [WrittenName("Yue, Wang", 0), WrittenName("Wang, Yue", 8)]
    assert dict(open_spellings(names, players)) == {
        "Wang Yue": "Wang, Yue",
        "YUE, WANG": "Yue, Wang",
    }
