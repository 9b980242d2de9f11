"""run --new-games: the games that this run imported and kept; --no-output."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
from pathlib import Path

import chess.pgn
import pytest

from ocgdedup.commands import run
from tests.cli.test_run import failing
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.pgn_text import ILLEGAL_GAME
from tests.support.played_games import collection, copy_of, game, pgn_text

GO = "(;GM[1]PB[{}]PW[b]DT[2001-02-03];B[aa];W[bb];B[cc];W[dd])"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Old games in a database a.db3, and new.pgn with new ones and records of old ones."""
    monkeypatch.chdir(tmp_path)
    records = collection()
    write("old.pgn", *records[: len(records) // 2])
    write("new.pgn", *records[len(records) // 2 :])
    return tmp_path


def write(path: str, *records: object) -> None:
    Path(path).write_text("".join(map(pgn_text, records)), encoding="utf-8")


def games_of(text: str) -> dict[int, str]:
    """Return the text of each game by its ID in the database."""
    games = re.split(r"(?m)^(?=\[Event )", text)[1:]
    return {int(re.search(r'OcgdedupID "(\d+)"', each)[1]): each for each in games}


def labels(path: str) -> list[str]:
    handle = io.StringIO(Path(path).read_text(encoding="utf-8"))
    return [read.headers["Label"] for read in iter(lambda: chess.pgn.read_game(handle), None)]


def kept_ids(first: int) -> list[int]:
    """Return the kept games from an ID on."""
    sql = "SELECT ID FROM FlaggedGames WHERE ID >= ? AND DuplicateStatus IS NULL ORDER BY ID"
    return [row[0] for row in query("a.db3", sql, first)]


@pytest.mark.parametrize("seed", range(4))
def test_new_games_are_those_of_the_clean_file(command: Command, folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    records = list(collection())
    rng.shuffle(records)
    first = 1
    for week in range(5):
        write(f"week{week}.pgn", *records[week::5])
        names = ("-o", "all.pgn", "--new-games", "n.pgn", "--duplicates", "d.pgn")
        done = command("run", f"week{week}.pgn", "--db", "a.db3", *names)
        assert done.status == 0, done.err
        new, everything = (games_of(Path(name).read_text()) for name in ("n.pgn", "all.pgn"))
        assert list(new) == kept_ids(first)
        assert new == {i: text for i, text in everything.items() if i >= first}
        assert f"{len(new)} new games to n.pgn" in done.out
        first = value("a.db3", "SELECT max(ID) + 1 FROM Games")
    assert len(new) < len(records[4::5])


def test_the_kept_record_counts(command: Command, folder: Path) -> None:
    cut = copy_of(game(1), "cut", moves=game(1).moves[:40])
    write("old.pgn", cut, game(2))
    write("new.pgn", game(1), game(3), copy_of(game(3), "again"), copy_of(game(2), "again"))
    assert command("run", "old.pgn", "--db", "a.db3", "--no-output").status == 0
    assert command("run", "new.pgn", "--db", "a.db3", "--new-games", "n.pgn").status == 0
    assert labels("n.pgn") == ["1", "3"]
    # Games of which all records were there before.
    write("more.pgn", copy_of(game(2), "a third time"), copy_of(game(3), "a third time"))
    assert command("run", "more.pgn", "--db", "a.db3", "--new-games", "n.pgn").status == 0
    assert labels("n.pgn") == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("new.pgn", "nothing to write; name the clean file with -o CLEAN.pgn"),
        ("new.pgn --db a.db3", "nothing to write"),
        ("new.pgn --new-games n.pgn", "without -o, name the database with --db GAMES.db3"),
        ("new.pgn --no-output", "without -o, name the database"),
        ("new.pgn -o x.pgn --no-output", "--no-output writes none; leave one out"),
        ("new.pgn --db a.db3 -o - --new-games -", "only one of the files of games"),
        ("new.pgn --db a.db3 --new-games - --duplicates -", "only one of the files of games"),
        ("new.pgn -o x.pgn --new-games x.pgn", "is named twice"),
        ("new.pgn -o x.pgn --new-games x.db3", "is named twice"),
        ("new.pgn --db a.db3 --new-games new.pgn", "is an input"),
        ("new.pgn --db a.db3 --new-games n.sgf", "n.sgf"),
        ("new.pgn --db a.db3 --new-games n.csv", "n.csv"),
        ("new.pgn --db a.db3 --new-games old.pgn", "old.pgn: already exists, and no run wrote it"),
        ("--db a.db3 --new-games n.pgn", "there is no such database"),
    ],
)
def test_contradictory_options(command: Command, folder: Path, words: str, message: str) -> None:
    before = sorted(path.name for path in folder.iterdir())
    done = command("run", *words.split())
    assert done.status == 2
    assert message in done.err
    assert sorted(path.name for path in folder.iterdir()) == before


def test_without_new_games_the_file_is_empty(command: Command, folder: Path) -> None:
    words = ("run", "old.pgn", "--db", "a.db3", "--new-games", "n.pgn")
    assert command(*words).status == 0
    assert labels("n.pgn")
    done = command(*words, "--json")
    output = json.loads(done.out)
    assert (output["new_games"], output["new_games_written"]) == ("n.pgn", 0)
    assert (output["output"], output["games_written"]) == (None, 0)
    assert Path("n.pgn").read_bytes() == b""
    assert command("run", "--db", "a.db3", "--new-games", "n.pgn").status == 0
    # Games of other commands are not those of a run.
    assert command("create", "a.db3", "new.pgn", "--append", "-q").status == 0
    assert command("run", "--db", "a.db3", "--new-games", "n.pgn").status == 0
    assert Path("n.pgn").read_bytes() == b""


def test_standard_output(command: Command, folder: Path) -> None:
    done = command("run", "old.pgn", "--db", "a.db3", "--new-games", "-", "--no-ids")
    assert done.out.startswith("[Event ")
    assert "OcgdedupID" not in done.out
    assert "new games to -" in done.err
    done = command("run", "new.pgn", "--db", "a.db3", "-o", "-", "--new-games", "n.pgn")
    assert set(games_of(Path("n.pgn").read_text())) < set(games_of(done.out))
    done = command("run", "--db", "a.db3", "--no-output", "--duplicates", "-")
    assert done.out.startswith("[Event ")
    assert "duplicates to -" in done.err


def test_only_the_database(command: Command, folder: Path) -> None:
    done = command("run", "old.pgn", "--db", "a.db3", "--no-output")
    assert done.status == 0
    assert "written" not in done.out
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        "a.db3", "new.pgn", "old.pgn",
    ]  # fmt: skip
    done = command("run", "new.pgn", "--db", "a.db3", "--no-output", "--duplicates", "d.pgn.gz")
    assert done.status == 0, done.err
    assert re.search(r"written +\d+ duplicates to d.pgn.gz", done.out)
    copies = value("a.db3", "SELECT count(DuplicateStatus) FROM DuplicateFlags")
    assert gzip.decompress(Path("d.pgn.gz").read_bytes()).count(b"[Event ") == copies


@pytest.mark.parametrize("phase", ["_find", "_tidy", "_export"])
def test_a_repeated_run_writes_the_games_of_the_failed_one(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    assert command("run", "old.pgn", "--db", "a.db3", "--no-output").status == 0
    first = value("a.db3", "SELECT max(ID) + 1 FROM Games")
    words = ("run", "new.pgn", "--db", "a.db3", "--new-games", "n.pgn")
    with monkeypatch.context() as patch:
        patch.setattr(run, phase, failing(getattr(run, phase)))
        assert command(*words).status == 70
    write("more.pgn", game(700))
    assert command(*words[:2], "more.pgn", *words[2:]).status == 0
    assert list(games_of(Path("n.pgn").read_text())) == kept_ids(first)
    assert labels("n.pgn")[-1] == "700"


def test_an_undone_import(command: Command, folder: Path) -> None:
    write("more.pgn", game(700), game(701))
    assert command("run", "old.pgn", "--db", "a.db3", "--no-output").status == 0
    assert command("run", "more.pgn", "--db", "a.db3", "--new-games", "n.pgn").status == 0
    text = Path("n.pgn").read_bytes()
    assert command("undo", "a.db3").status == 0
    assert command("run", "more.pgn", "--db", "a.db3", "--new-games", "n.pgn").status == 0
    assert Path("n.pgn").read_bytes() == text
    assert command("undo", "a.db3").status == 0
    first = value("a.db3", "SELECT max(ID) + 1 FROM Games")
    assert command("run", "new.pgn", "--db", "a.db3", "--new-games", "n.pgn").status == 0
    assert list(games_of(Path("n.pgn").read_text())) == kept_ids(first)
    assert "700" not in labels("n.pgn")


def test_go(command: Command, folder: Path) -> None:
    Path("one.sgf").write_text(GO.format("a"))
    Path("two.sgf").write_text(GO.format("a") + GO.format("c").replace("cc", "ee"))
    assert command("run", "one.sgf", "--db", "a.db3", "--no-output").status == 0
    assert command("run", "two.sgf", "--db", "a.db3", "--new-games", "n.pgn").status == 2
    assert command("run", "two.sgf", "--db", "a.db3", "--new-games", "n.sgf").status == 0
    text = Path("n.sgf").read_text()
    assert text.count("(;") == 1
    assert "PB[c]" in text


def test_edited_new_games_are_taken_in(command: Command, folder: Path) -> None:
    words = ("run", "old.pgn", "--db", "a.db3", "--new-games", "n.pgn")
    assert command(*words).status == 0
    text = Path("n.pgn").read_text()
    game_id, old = next(iter(games_of(text).items()))
    new = re.sub(r'\[Site "[^"]*"\]', '[Site "Reykjavik"]', old)
    Path("n.pgn").write_text(text.replace(old, new))
    refused = command("run", "new.pgn", *words[2:])
    assert refused.status == 2
    assert f"has been changed since a run wrote it: game {game_id}; take the" in refused.err
    assert command("edit", "a.db3", "--from", "n.pgn").status == 0
    assert value("a.db3", f"SELECT Site FROM GamesNamed WHERE ID = {game_id}") == "Reykjavik"
    assert command("run", "new.pgn", *words[2:]).status == 0
    Path("n.pgn").write_text("mine")
    assert command(*words).status == 2
    assert command(*words, "--force").status == 0


def test_only_errors_in_new_games_are_reported(command: Command, folder: Path) -> None:
    Path("old.pgn").write_text(ILLEGAL_GAME)
    assert "read only up to an error" in command(
        "run", "old.pgn", "--db", "a.db3", "--new-games", "n.pgn"
    ).err  # fmt: skip
    done = command("run", "new.pgn", "--db", "a.db3", "--new-games", "n.pgn")
    assert (done.status, done.err) == (0, "")
