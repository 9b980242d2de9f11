"""decide: decisions about single pairs, and notes on decisions."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ocgdedup.cli import terminal
from tests.support.command_line import Command
from tests.support.databases import query, value

NOTE = "same scoresheet, see page 7"
_DECISIONS = (
    "SELECT GameID1, GameID2, Decision, MasterID, Note FROM Suspects WHERE Decision NOTNULL"
)


def possible(path: str) -> tuple[int, int]:
    return query(path, "SELECT GameID1, GameID2 FROM Suspects ORDER BY 1 LIMIT 1")[0]


def test_a_decision_is_stored_and_applied(command: Command, judged: str) -> None:
    first, second = possible(judged)
    arguments = (judged, str(second), str(first), "same", "--keep", str(second), "--note", NOTE)
    status, out, err = command("decide", *arguments)
    assert (status, out) == (0, f"games {first} and {second}: same\n")
    assert "to apply your decisions, run: ocgdedup dedup a.db3" in err
    assert query(judged, _DECISIONS) == [(first, second, "same", second, NOTE)]
    assert command("decide", *arguments).out == f"games {first} and {second}: same, as before\n"
    assert command("decide", *arguments[:6], "--apply").status == 0
    flags = f"SELECT DuplicateGroup FROM DuplicateFlags WHERE GameID = {first}"
    assert value(judged, flags) == second
    assert query(judged, _DECISIONS) == [(first, second, "same", second, NOTE)]  # the note stays


def test_a_decision_is_taken_back(command: Command, judged: str) -> None:
    pair = [str(game_id) for game_id in possible(judged)]
    before = query(judged, "SELECT * FROM Suspects")
    assert command("decide", judged, *pair, "different", "--note", NOTE).status == 0
    assert command("decide", judged, *pair, "none").out.endswith(": undecided\n")
    assert query(judged, "SELECT * FROM Suspects") == before
    assert command("decide", judged, *pair, "different", "--note", NOTE).status == 0
    assert command("decide", judged, *pair, "different", "--note", "").status == 0
    assert query(judged, _DECISIONS)[0][4] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1", "1", "same"], "decide: names game 1 twice"),
        (["1", "2", "different", "--keep", "1"], "goes only with the decision same"),
        (["1", "2", "same", "--keep", "3"], "the kept game 3 is neither of the two games"),
        (["1", "4711", "same"], "there is no game with ID 4711"),
    ],
)
def test_refused(command: Command, made: str, arguments: list[str], message: str) -> None:
    status, _, err = command("decide", made, *arguments)
    assert status == 2
    assert message in err
    assert query(made, _DECISIONS) == []


def test_the_note_is_shown(command: Command, judged: str) -> None:
    pair = [str(game_id) for game_id in possible(judged)]
    assert command("decide", judged, *pair, "different", "--note", NOTE).status == 0
    assert command("dedup", judged, "-q", "--report", "pairs.csv").status == 0
    shown = f"you decided: different ({NOTE})"
    assert shown in command("dedup", judged, "--explain", *pair).out.splitlines()
    assert shown in " ".join(command("review", judged, "--pair", *pair, stdin=b"q").out.split())
    assert command("review", judged, "--list").out.splitlines()[1].endswith(f"\t{NOTE}")
    assert json.loads(command("review", judged, "--list", "--json").out)[0]["note"] == NOTE
    with Path("pairs.csv").open(encoding="utf-8-sig") as lines:
        assert NOTE in {row["Note"] for row in csv.DictReader(lines)}


def test_notes_stay(command: Command, judged: str) -> None:
    first, second = possible(judged)
    Path("notes.csv").write_text(f"GameID1,GameID2,Decision,Note\n{first},{second},same,{NOTE!r}\n")
    assert command("review", judged, "--decide", "notes.csv").status == 0
    stored = query(judged, _DECISIONS)
    for options in ("--full", "--reset", "--undo", "--full", "--delete"):
        assert command("dedup", judged, options, "-q").status == 0
        assert query(judged, _DECISIONS) == stored
    other = value(judged, "SELECT max(ID) FROM Games WHERE ID NOT IN (?, ?)", first, second)
    command("decide", judged, str(first), str(other), "different", "--note", "carried")
    command("dedup", judged, "-q")
    assert command("dedup", judged, "--purge", "-q").status == 0
    assert "carried" in {row[4] for row in query(judged, _DECISIONS)}


def test_decisions_about_deleted_games_wait(command: Command, judged: str) -> None:
    first, second = possible(judged)
    command("decide", judged, str(first), str(second), "same", "--note", NOTE, "--apply")
    stored = query(judged, _DECISIONS)
    assert command("delete", judged, str(second)).status == 0
    assert command("review", judged, "--list").out.count(NOTE) == 0
    assert query(judged, _DECISIONS) == stored
    assert command("decide", judged, str(first), str(second), "none").status == 2
    assert command("restore", judged, str(second)).status == 0
    assert command("review", judged, "--list").out.count(NOTE) == 1
    kept = "SELECT count(DISTINCT DuplicateGroup) FROM DuplicateFlags WHERE GameID IN (?, ?)"
    assert value(judged, kept, first, second) == 1


def test_notes_go_into_lossless_tables(command: Command, judged: str) -> None:
    first, second = possible(judged)
    command("decide", judged, str(first), str(second), "different", "--note", NOTE)
    command("dedup", judged, "-q")
    exported = command(
        "export", judged, "--format", "parquet", "--lossless", "-o", "tables", "--all"
    )
    assert exported.status == 0, exported.err
    assert command("create", "again.db3", "tables", "-q").status == 0
    assert [row[2:] for row in query("again.db3", _DECISIONS)] == [("different", None, NOTE)]


def test_the_user_is_asked(command: Command, made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "is_interactive", lambda: True)
    games = value(made, "SELECT count(*) FROM Games WHERE Result = '1-0'")
    refused = command("delete", made, "--result", "1-0", stdin=b"n\n")
    assert f"a.db3: delete {games} games? [y/N] " in refused.err
    assert "nothing was deleted" in refused.err
    assert value(made, "SELECT count(*) FROM RemovedGames") == 0
    assert command("delete", made, "--result", "1-0", stdin=b"y\n").status == 0
    assert value(made, "SELECT count(*) FROM RemovedGames") == games
