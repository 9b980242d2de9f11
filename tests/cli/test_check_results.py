"""check: results that contradict mate or stalemate on the board, and tags PlyCount."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, dump, is_sound, query

GAME = """[Event "A"]
[Site "B"]
[Date "1999.01.01"]
[Round "{round}"]
[White "Aa, B"]
[Black "Cc, D"]
[Result "{result}"]
{tags}
{moves} {result}

"""
MATE = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#"
FOOLS_MATE = "1. f3 e5 2. g4 Qh4#"
STALEMATE = (
    "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 "
    "9. Qxc8 Kg6 10. Qe6"
)
OPEN = "1. e4 e5 2. Nf3"
GAMES = [
    (MATE, "1-0"), (MATE, "0-1"), (MATE, "1/2-1/2"), (MATE, "*"), (FOOLS_MATE, "1-0"),
    (FOOLS_MATE, "0-1"), (STALEMATE, "1/2-1/2"), (STALEMATE, "1-0"), (OPEN, "1-0"),
]  # fmt: skip
WRONG = {2: "1-0", 3: "1-0", 5: "0-1", 8: "1/2-1/2"}


@pytest.fixture
def games(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    text = "".join(
        GAME.format(round=number, result=result, tags="", moves=moves)
        for number, (moves, result) in enumerate(GAMES)
    )
    Path("games.pgn").write_text(text)
    command("create", "games.db3", "games.pgn", "-q")
    return "games.db3"


def results(path: str) -> dict[int, tuple[str, str | None]]:
    sql = "SELECT ID, Result, ExtraTags ->> 'OriginalResult' FROM Games"
    return {game_id: (result, original) for game_id, result, original in query(path, sql)}


def test_results_that_contradict_the_board_are_remarks(command: Command, games: str) -> None:
    done = command("check", games)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[:3] == [
        f"{games}: no problems in {len(GAMES)} games",
        "remark: games whose result contradicts mate or stalemate on the board: 4",
        "  ID 2: 0-1, but 1-0 on the board",
    ]
    output = json.loads(command("check", games, "--json").out)
    assert (output["clean"], output["faults"]) == (True, [])
    (problem,) = output["remarks"]
    assert [example["game"] for example in problem["examples"]] == list(WRONG)
    assert not problem["repairable"]


def test_results_are_taken_from_the_board_if_asked_for(command: Command, games: str) -> None:
    before = results(games)
    assert command("check", games, "--repair").status == 0
    assert results(games) == before
    command("dedup", games, "-q")
    before_fixing = dump(games)
    done = command("check", games, "--fix-results")
    assert done.status == 0
    assert "on the board: 4; repaired\n" in done.out
    assert "before the repair: games.db3.before-repair" in done.out
    assert dump("games.db3.before-repair") == before_fixing
    after = results(games)
    for game_id, (result, _) in before.items():
        expected = (WRONG[game_id], result) if game_id in WRONG else (result, None)
        assert after[game_id] == expected
    assert command("check", games, "--fix-results").out.count("\n") == 1
    assert "nothing changed since" not in command("dedup", games).err
    assert is_sound(games)


@pytest.mark.parametrize(("unmerged", "original"), [("0-1", "0-1"), ("1-0", None)])
def test_a_merged_result_is_fixed_where_it_came_from(
    command: Command, tmp_path: Path, unmerged: str, original: str | None
) -> None:
    path = str(tmp_path / "a.db3")
    games = [
        GAME.format(round="1", result=result, tags=tags, moves=MATE).replace("Aa, B", white)
        for result, tags, white in (
            ("0-1", '[WhiteElo "2000"]\n[BlackElo "2000"]\n[ECO "C20"]\n', "Aa, B"),
            ("0-1", "", "Aa, Bernd"),
        )
    ]
    (tmp_path / "a.pgn").write_text("".join(games))
    command("create", path, str(tmp_path / "a.pgn"), "-q")
    command("dedup", path, "-q")
    assert query(path, "SELECT GameID, Result FROM UnmergedHeaders") == [(1, "0-1")]
    change(path, f"UPDATE UnmergedHeaders SET Result = '{unmerged}'")
    command("check", path, "--fix-results")
    before_merge = "SELECT Result, ExtraTags ->> 'OriginalResult' FROM UnmergedHeaders"
    assert query(path, before_merge) == [("1-0", original)]
    command("dedup", path, "-q")
    assert query(path, "SELECT Result FROM Games") == [("1-0",), ("1-0",)]
    command("dedup", path, "--undo")
    assert query(path, "SELECT Result FROM Games") == [("1-0",), ("1-0",)]


def test_a_wrong_tag_ply_count(command: Command, tmp_path: Path) -> None:
    path = str(tmp_path / "a.db3")
    counts = (("3", OPEN), ("99", MATE), ("99", "1. e4 e5 2. Qxh8"))
    games = [
        GAME.format(round=number, result="1-0", tags=f'[PlyCount "{count}"]\n', moves=moves)
        for number, (count, moves) in enumerate(counts)
    ]
    (tmp_path / "a.pgn").write_text("".join(games))
    command("create", path, str(tmp_path / "a.pgn"), "-q")
    done = command("check", path)
    assert done.status == 1
    assert "games whose tag PlyCount does not agree with their moves: 1\n  ID 2\n" in done.out
    assert command("check", path, "--repair").status == 1
    tags = "SELECT ExtraTags ->> 'PlyCount', ExtraTags ->> 'OriginalPlyCount' FROM Games"
    # The third game was cut at a fault: the tag says how long it was.
    assert query(path, tags) == [("3", None), ("7", "99"), ("99", None)]
    assert command("check", path).status == 0
    change(path, "UPDATE Games SET ExtraTags = json_set(ExtraTags, '$.PlyCount', '5')")
    command("check", path, "--repair")
    assert query(path, tags)[:2] == [("3", "5"), ("7", "99")]
