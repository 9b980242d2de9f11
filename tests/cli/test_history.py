"""history, undo and redo: every step, of any command, back and forth; what cannot be undone."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.support.command_line import Command
from tests.support.databases import Row, change, columns, query, tables
from tests.support.pgn_text import THREE_GAMES


def rows(path: str) -> dict[str, list[Row]]:
    """Return all rows of all tables except the history, by table."""
    return {
        table: query(path, f"SELECT * FROM {table} ORDER BY {', '.join(columns(path, table))}")
        for table in sorted(tables(path) - {"Steps"})
    }


def numbers(command: Command, path: str) -> list[int]:
    return [step["number"] for step in history(command, path) if not step["undone"]]


def history(command: Command, path: str) -> list[dict[str, Any]]:
    done = command("history", path, "--json")
    assert done.status == 0, done.err
    steps: list[dict[str, Any]] = json.loads(done.out)
    return steps


@pytest.fixture
def collection(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database made by four steps: import, search, import, search."""
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(2 * THREE_GAMES)
    Path("more.pgn").write_text(3 * THREE_GAMES)
    command("create", "a.db3", "in.pgn")
    command("dedup", "a.db3")
    command("create", "a.db3", "more.pgn", "--append")
    command("dedup", "a.db3")
    return "a.db3"


def test_the_list(command: Command, collection: str) -> None:
    steps = history(command, collection)
    assert [(step["number"], step["kinds"]) for step in steps] == [
        (4, ["dedup"]), (3, ["import"]), (2, ["dedup"]), (1, ["import"]),
    ]  # fmt: skip
    assert [step["can_be_undone"] for step in steps] == [True, True, True, False]
    assert steps[1]["command"] == "ocgdedup create a.db3 more.pgn --append"
    assert "games from more.pgn" in steps[1]["changes"]
    text = command("history", collection).out
    assert text.index("more.pgn") < text.index("in.pgn")


def test_back_and_forth(command: Command, collection: str) -> None:
    states = {4: rows(collection)}
    for number in (3, 2, 1):
        assert command("undo", collection).status == 0
        states[number] = rows(collection)
        assert numbers(command, collection)[0] == number
    assert len({json.dumps(state, default=repr) for state in states.values()}) == 4
    for number in (2, 3, 4):
        assert command("redo", collection).status == 0
        assert rows(collection) == states[number]
    for number in (1, 3, 2):
        while numbers(command, collection)[0] < 4:
            command("redo", collection)
        assert command("undo", collection, number).status == 0
        assert rows(collection) == states[number]
    assert command("check", collection).status == 0


def test_redo_ends_with_another_change(command: Command, collection: str) -> None:
    command("undo", collection)
    assert len([step for step in history(command, collection) if step["undone"]]) == 1
    command("signatures", collection)
    done = command("redo", collection)
    assert (done.status, "nothing to redo" in done.err) == (2, True)
    assert numbers(command, collection) == [4, 3, 2, 1]


def test_the_first_step_made_the_database(command: Command, collection: str) -> None:
    done = command("undo", collection, 0)
    assert (done.status, "step 1 cannot be undone: it made the database" in done.err) == (2, True)
    assert numbers(command, collection) == [4, 3, 2, 1]


def test_an_unknown_number(command: Command, collection: str) -> None:
    done = command("undo", collection, 9)
    assert (done.status, "has no step 9" in done.err) == (2, True)


def test_another_program_has_written(command: Command, collection: str) -> None:
    change(collection, "UPDATE Games SET Round = '7' WHERE ID = 1")
    before = rows(collection)
    done = command("undo", collection)
    assert (done.status, "another program" in done.err) == (2, True)
    assert rows(collection) == before
    command("signatures", collection)  # from here on steps can be undone again
    assert [step["can_be_undone"] for step in history(command, collection)][:2] == [True, False]
    assert command("undo", collection).status == 0
    assert rows(collection) == before


def test_without_its_folder(command: Command, collection: str) -> None:
    shutil.rmtree(f"{collection}-history")
    assert command("undo", collection).status == 2
    assert command("check", collection).status == 0


def test_a_folder_of_another_database(command: Command, collection: str) -> None:
    """A file that was replaced must not get pages of the old one."""
    Path(collection).unlink()
    command("create", collection, "in.pgn")
    for _ in range(3):
        command("signatures", collection)
    before = rows(collection)
    command("undo", collection, 1)
    command("undo", collection)
    assert command("check", collection).status == 0
    assert len(before["Games"]) == len(rows(collection)["Games"])


def test_other_connections_notice(command: Command, collection: str) -> None:
    """SQLite must not take cached pages of a state with the same number of writes for current."""
    reader = apsw.Connection(collection)
    sql = "SELECT count(*) FROM Games"
    games = reader.execute(sql).get
    command("undo", collection, 2)
    assert reader.execute(sql).get < games
    command("redo", collection)
    assert reader.execute(sql).get == games
    reader.close()


def test_a_search_after_undo_knows_that_nothing_changed(command: Command, collection: str) -> None:
    command("undo", collection, 2)
    assert "nothing changed since the last search" in command("dedup", collection).err


def test_run_is_one_step_and_replaces_its_files_after_undo(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    Path("more.pgn").write_text(THREE_GAMES.replace("1-0", "0-1"))
    for name in ("in.pgn", "more.pgn"):
        assert command("run", name, "-o", "out.pgn").status == 0
    assert numbers(command, "out.db3") == [2, 1]
    assert command("undo", "out.db3").status == 0
    assert numbers(command, "out.db3") == [1]
    assert command("run", "more.pgn", "-o", "out.pgn").status == 0


def test_a_purge_cannot_be_undone(command: Command, made: str) -> None:
    command("dedup", made, "--delete", "-q")
    command("dedup", made, "--purge", "-q")
    assert not any(step["can_be_undone"] for step in history(command, made))
    assert not Path(f"{made}-history").exists()


KILLED = """
import os, signal, sys
from ocgdedup.store import history, page_images

left = int(sys.argv[3])

def counted(function):
    def call(*arguments, **options):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call

for name in ("replace", "remove", "fsync", "link", "makedirs"):
    setattr(os, name, counted(getattr(os, name)))
from ocgdedup.cli.main import run
sys.exit(run(sys.argv[1:3]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("word", ["undo", "redo", "dedup"])
def test_killed_at_any_moment(command: Command, collection: str, word: str) -> None:
    """The database is as before or as after, and the history goes on."""
    after = rows(collection)
    command("undo", collection)
    before = rows(collection)
    if word == "undo":
        command("redo", collection)
        before, after = after, before
    kept = Path(f"../kept-{word}")
    shutil.copytree(".", kept)
    for moment in range(100):
        shutil.copytree(kept, ".", dirs_exist_ok=True)
        process = subprocess.run([sys.executable, "-c", KILLED, word, collection, str(moment)])
        assert command("check", collection).status == 0
        state = rows(collection)
        assert len(state["Games"]) in (len(before["Games"]), len(after["Games"]))
        assert state["DuplicateFlags"] in (before["DuplicateFlags"], after["DuplicateFlags"])
        assert command("undo", collection, 2).status == 0
        for path in Path(f"{collection}-history").iterdir():
            path.unlink()
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert 1 < moment < 99
