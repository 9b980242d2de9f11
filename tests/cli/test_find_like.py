"""find --like FILE: games of a file that a database has; the verdicts: pipeline/test_new_games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ocgdedup
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.dedup_results import ids
from tests.support.played_games import game, pgn_text

GO_DEMO = Path(__file__).parents[2] / "scripts" / "demo_go"


def found(command: Command, *words: object) -> dict[int, str]:
    """Return in what games fit, in the order of the output."""
    lines = command("find", *words, "--json").out.splitlines()
    return {row["id"]: row["similarity"] for row in map(json.loads, lines)}


def test_games_of_a_file(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    of = ids(made)
    unknown = pgn_text(
        game(98)._replace(tags={"White": "Nobody, N", "Black": "Stranger, S", "Result": "*"})
    )
    Path("new.pgn").write_text(pgn_text(game(16)) + pgn_text(game(99)) + unknown, encoding="utf-8")
    before = Path(made).read_bytes()
    games = found(command, made, "--like", "new.pgn")
    assert games[of["16"]] == "game 1: duplicate"
    assert set(games) >= {of["16"], of["16 wrong move"]}
    err = command("find", made, "--like", "new.pgn").err.splitlines()
    assert err[-1].startswith("new.pgn: 2 of 3 games not found: 2, 3")
    assert found(command, made, "--like", "new.pgn", "--where", f"ID = {of['16']}") == {
        of["16"]: "game 1: duplicate"
    }
    assert [row.header.game_id for row in ocgdedup.find(made, like=Path("new.pgn"))] == [*games]
    text = Path("new.pgn").read_bytes()
    piped = command("find", made, "--like", "-", stdin=text)
    assert piped.out == command("find", made, "--like", "new.pgn").out
    assert Path(made).read_bytes() == before


def test_words_of_signatures(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    command("signatures", made)
    of = ids(made)
    Path("new.pgn").write_text(pgn_text(game(16)), encoding="utf-8")
    like_id = found(command, made, "--like", of["16"])
    like_file = found(command, made, "--like", "new.pgn")
    assert like_file[of["16"]] == "game 1: duplicate, same moves"
    assert {
        game_id: words.removeprefix("game 1: ").removeprefix("duplicate, ")
        for game_id, words in like_file.items()
    }.items() >= like_id.items()


def test_kept_game_of_a_deleted_duplicate(command: Command, made: str) -> None:
    command("dedup", made, "--delete", "-q")
    deleted = query(made, "SELECT ID, DuplicateGroup FROM FlaggedRemovedGames WHERE ID > 1")
    assert deleted
    for game_id, kept in deleted:
        text = command("printpgn", made, "-g", kept).out.partition("\n")[2]
        Path("new.pgn").write_text(text, encoding="utf-8")
        games = found(command, made, "--like", "new.pgn")
        assert kept in games
        assert game_id not in games


def test_file_without_games(command: Command, made: str) -> None:
    Path("none.pgn").write_text("no game\n")
    status, out, err = command("find", made, "--like", "none.pgn")
    assert (status, out) == (0, "")
    assert err.splitlines()[-2:] == [f"{made}: no game found", "none.pgn: no game"]
    assert "none.pgn: the game is not" not in err
    assert command("find", made, "--like", "missing.pgn").status == 2


def test_of_another_kind(command: Command, made: str) -> None:
    status, _, err = command("find", made, "--like", GO_DEMO)
    assert status == 2
    assert "Go games" in err


@pytest.mark.parametrize("searched", [True, False])
def test_go(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, searched: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    command("create", "go.db3", GO_DEMO, "-q")
    if searched:
        command("dedup", "go.db3", "-q")
    command("export", "go.db3", "-o", "go.sgf", "-q")
    games = found(command, "go.db3", "--like", "go.sgf")
    assert len(games) == value("go.db3", "SELECT count(*) FROM Games")
    assert "duplicate" in games[1]


@pytest.mark.parametrize("has_files", [True, False])
def test_database_as_file(command: Command, made: str, has_files: bool) -> None:
    command("dedup", made, "-q", *([] if has_files else ["--no-search-file"]))
    command("export", made, "-o", "same.pgn", "-q")
    command("create", "same.db3", "same.pgn", "-q")
    assert found(command, made, "--like", "same.db3") == found(command, made, "--like", "same.pgn")
    assert not [path for path in Path().iterdir() if "found-" in path.name]
