"""The command tidy: what it writes, what it keeps, and how it is undone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import dump, query, value
from tests.support.go_games import GoGame, write_go_database
from tests.support.pgn_text import OPERA, QUEENS_GAMBIT, RUY_LOPEZ, game

ENGLISH = "1. c4 e6 2. Nc3 d5 3. d4 Nf6 4. Bg5 Be7"  # another order of QUEENS_GAMBIT


@pytest.fixture
def games(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    text = (
        game(RUY_LOPEZ + " *", Round="1")
        + game(QUEENS_GAMBIT + " *", Round="2", ECO="E00")
        + game(ENGLISH + " *", Round="3", ECO="D53c", Opening="Orthodox")
        + game("1. e4 c5 *", Round="4", ECO="??")
        + game("*", Round="5")
        + game("1. Kb1 Kb8 *", Round="6", FEN="k7/8/8/8/8/8/8/K7 w - - 0 1", SetUp="1")
    )
    Path("in.pgn").write_text(text)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def codes(games: str) -> list[object]:
    return [row[0] for row in query(games, "SELECT ECO FROM Games ORDER BY ID")]


def test_missing_codes(command: Command, games: str) -> None:
    done = command("tidy", games, "--eco")
    assert done.out == "ECO: 1 game filled in, 1 game replaced\n"
    assert codes(games) == ["C70", "E00", "D53c", "B20", None, None]
    assert command("tidy", games, "--eco").out == "ECO: nothing to change\n"
    assert command("check", games).status == 0


def test_all_codes_and_names(command: Command, games: str) -> None:
    done = json.loads(command("tidy", games, "--eco", "all", "--opening", "--json").out)
    counts = [(step["tag"], step["filled"], step["replaced"]) for step in done["tidied"]]
    assert counts == [("ECO", 1, 2), ("Opening", 3, 0)]
    assert codes(games) == ["C70", "D53", "D53c", "B20", None, None]
    text = command("printpgn", games, "4").out
    assert '[Opening "Sicilian Defense"]' in text
    assert '[Opening "Orthodox"]' in command("printpgn", games, "3").out
    command("tidy", games, "--opening", "all")
    text = command("printpgn", games, "3").out
    assert '[Opening "Queen\'s Gambit Declined"]' in text


def test_what_was_read_stays(command: Command, games: str) -> None:
    before = dump(games)
    command("tidy", games, "--eco", "all")
    assert query(games, "SELECT GameID, Before, After, Reason FROM MergedTags ORDER BY 1") == [
        (1, "?", "C70", "tidied"), (2, "E00", "D53", "tidied"), (4, "??", "B20", "tidied"),
    ]  # fmt: skip
    assert "E00 -> D53" in command("dedup", games, "--explain", "2").out
    assert value(games, "SELECT ECO FROM UnmergedHeaders WHERE GameID = 2") == "E00"
    command("undo", games)
    assert dump(games) == before


def test_values_of_the_user_stay(command: Command, games: str) -> None:
    command("edit", games, "1", "--set", "ECO=A00", "--set", "Opening=Mine")
    command("tidy", games, "--eco", "all", "--opening", "all")
    assert codes(games)[0] == "A00"
    assert '[Opening "Mine"]' in command("printpgn", games, "1").out
    command("edit", games, "2", "--set", "ECO=A01")
    command("dedup", games)
    assert codes(games)[:2] == ["A00", "A01"]
    assert "A01" in command("printpgn", games, "2").out


def test_tidied_values_outlive_a_search(command: Command, games: str) -> None:
    command("tidy", games, "--eco", "all", "--opening")
    tidied = codes(games)
    command("dedup", games)
    assert codes(games) == tidied
    Path("new.pgn").write_text(
        game(RUY_LOPEZ + " *", Round="1") + game(QUEENS_GAMBIT + " *", Round="2", ECO="D53a")
    )
    command("create", games, "new.pgn", "--append")
    for option in ((), ("--full",)):
        command("dedup", games, *option)
        groups = query(games, "SELECT DuplicateGroup FROM DuplicateFlags WHERE GameID > 6")
        assert groups == [(1,), (2,)]
        # A duplicate gives game 2 a code that its moves confirm.
        assert codes(games)[:6] == [tidied[0], "D53a", *tidied[2:]]
    assert value(games, "SELECT count(*) FROM MergedTags WHERE Tag = 'Opening'") == 3
    assert command("check", games).status == 0


def test_run_fills_in_missing_codes(command: Command, games: str) -> None:
    done = command("run", "in.pgn", "-o", "out.pgn")
    assert "tidied      ECO: 1 game filled in, 1 game replaced" in done.out
    assert codes("out.db3") == ["C70", "E00", "D53c", "B20", None, None]
    assert Path("out.pgn").read_text().count("[ECO ") == 4
    assert '"merged_headers": 0' in command("info", "out.db3", "--json").out
    assert "tidied" not in command("run", "-o", "out.pgn").out
    done = command("run", "-o", "out.pgn", "--tidy", "eco=all, opening", "--json")
    steps = [
        (step["tag"], step["filled"], step["replaced"]) for step in json.loads(done.out)["tidied"]
    ]
    assert steps == [("ECO", 0, 1), ("Opening", 3, 0)]
    command("run", "in.pgn", "-o", "none.pgn", "--tidy", "none")
    assert codes("none.db3") == [None, "E00", "D53c", "??", None, None]


def test_undo_of_a_search_undoes_the_tidying_of_the_same_run(command: Command, games: str) -> None:
    text = game(OPERA, White="Morphy, Paul", Black="Duke Karl", Date="1858.11.02")
    Path("opera.pgn").write_text(text * 2)
    command("run", "opera.pgn", "-o", "out.pgn")
    assert codes("out.db3") == ["C41", "C41"]
    assert command("dedup", "out.db3", "--undo").status == 0
    assert codes("out.db3") == [None, None]
    command("run", "-o", "out.pgn")
    command("create", "out.db3", "in.pgn", "--append")  # which stays
    assert command("dedup", "out.db3", "--undo").status == 0
    assert codes("out.db3") == [None, None, None, "E00", "D53c", "??", None, None]
    assert command("check", "out.db3").status == 0
    command("dedup", "out.db3")
    command("tidy", "out.db3", "--eco")
    done = command("dedup", "out.db3", "--undo")
    assert (done.status, "later steps depend" in done.err) == (2, True)


@pytest.mark.parametrize("words", ["dogs", "eco=some", "eco,", "", "eco all", "none,eco"])
def test_run_refuses_other_words(command: Command, games: str, words: str) -> None:
    done = command("run", "in.pgn", "-o", "out.pgn", "--tidy", words)
    assert (done.status, Path("out.pgn").exists()) == (2, False)


def test_refused(command: Command, games: str, tmp_path: Path) -> None:
    done = command("tidy", games)
    assert (done.status, "name what to tidy: --eco" in done.err) == (2, True)
    assert command("tidy", games, "--eco", "some").status == 2
    assert command("tidy", "absent.db3", "--eco").status == 2
    write_go_database(tmp_path / "go.db3", [GoGame("Bpd", black="Lee Changho")])
    done = command("tidy", "go.db3", "--eco")
    assert (done.status, "only tags of chess games can be tidied" in done.err) == (2, True)
