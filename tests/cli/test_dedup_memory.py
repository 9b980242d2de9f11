"""dedup: the options of the last search are used again; --defaults and --reset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.dedup_results import content, differences, groups, ids, statuses, suspects
from tests.support.played_games import collection_text, expected_groups, game, pgn_text

UNCHANGED = "nothing changed since the last search"


def noted(command: Command, database: str) -> dict[str, object]:
    output: dict[str, object] = json.loads(command("info", database, "--json").out)
    return output["duplicates"]["options"]  # type: ignore[index, return-value]


# --- options of the last search --------------------------------------------------------------


def test_unnamed_options_are_those_of_the_last_search(command: Command, made: str) -> None:
    command("dedup", made, "--keep", "longest", "--no-merge", "--plycount", 10)
    searched = content(made)
    assert UNCHANGED in command("dedup", made).err
    command("dedup", made, "--full")
    assert differences(searched, content(made)) == {}
    assert noted(command, made) == {"plycount": 10, "keep": "longest", "no-merge": True}
    command("dedup", made, "--keep", "first")
    assert noted(command, made) == {"plycount": 10, "keep": "first", "no-merge": True}
    assert query(made, "SELECT * FROM MergedTags") == []


def test_a_stored_value_counts_as_named(command: Command, made: str) -> None:
    """Gates stay conditions."""
    command("dedup", made, "-q")
    assert "16 wrong move" in statuses(made)
    command("dedup", made, "-q", "--monge-elkan", 1)
    gated = statuses(made), suspects(made)
    assert "16 wrong move" not in statuses(made)
    Path("more.pgn").write_text(pgn_text(game(99)))
    command("create", made, "more.pgn", "--append", "-q")
    command("dedup", made, "-q")
    assert (statuses(made), suspects(made)) == gated
    assert noted(command, made) == {"monge-elkan": 1.0}


def test_dry_run_and_explain_use_them_and_store_none(command: Command, made: str) -> None:
    of = ids(made)
    pair = of["16"], of["16 wrong move"]
    command("dedup", made, "-q", "--monge-elkan", 1)
    after = content(made)
    refused = "because they are outside the gates that you set (Monge-Elkan similarity)"
    assert refused in command("dedup", made, "--explain", *pair).out
    shown = command("printpgn", made, "--diff", *pair).out
    assert refused in " ".join(shown.split())
    assert refused not in command("dedup", made, "--defaults", "--explain", *pair).out
    counts = {
        command("dedup", made, "--dry-run", *options).err.splitlines()[0]
        for options in ([], ["--defaults"], ["--plycount", 60])
    }
    assert len(counts) == 3
    assert differences(after, content(made)) == {}
    assert noted(command, made) == {"monge-elkan": 1.0}


@pytest.fixture
def short(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two games of 8 plies, which the last search excluded."""
    monkeypatch.chdir(tmp_path)
    Path("short.pgn").write_text(
        "".join(pgn_text(game(number)._replace(moves=game(number).moves[:8])) for number in (1, 1))
    )
    command("create", "s.db3", "short.pgn", "-q")
    assert command("dedup", "s.db3", "--plycount", 10, "-q").status == 0
    return "s.db3"


def test_games_that_the_last_search_left_out_can_be_reviewed(command: Command, short: str) -> None:
    """It once raised KeyError."""
    status, out, err = command("review", short, "--pair", 1, 2, stdin=b"quit\n")
    assert (status, "game" in out) == (0, True), err


def test_games_that_the_last_search_left_out_can_be_explained(command: Command, short: str) -> None:
    for words in (["dedup", short, "--explain", 1, 2], ["printpgn", short, "--diff", 1, 2]):
        status, out, err = command(*words)
        assert (status, out != "") == (0, True), err
    status, _, err = command("dedup", short, "--explain", 1, 2, "--plycount", 10)
    assert status == 2
    assert "there is no game with ID 1 that has as many plies as --plycount" in err


def test_defaults(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    usual = content(made, note_ids=False)
    command("dedup", made, "-q", "--keep", "first", "--accuracy", "strict", "--no-merge")
    command("dedup", made, "-q", "--defaults")
    assert differences(usual, content(made, note_ids=False)) == {}
    assert noted(command, made) == {}
    command("dedup", made, "-q", "--keep", "first", "--accuracy", "strict")
    command("dedup", made, "-q", "--defaults", "--keep", "first")
    assert noted(command, made) == {"keep": "first"}


def test_of_two_options_that_exclude_each_other_the_named_one_counts(
    command: Command, made: str
) -> None:
    command("dedup", made, "-q", "--no-merge")
    command("dedup", made, "-q", "--merge-variations")
    assert noted(command, made) == {"merge-variations": True}
    command("dedup", made, "-q", "--no-merge")
    assert noted(command, made) == {"no-merge": True}


def test_naming_a_default_is_noted_though_nothing_changes(command: Command, made: str) -> None:
    command("dedup", made)
    assert UNCHANGED in command("dedup", made, "--keep", "best-header").err
    assert noted(command, made) == {"keep": "best-header"}
    assert UNCHANGED not in command("dedup", made, "--accuracy", "normal").err


def test_undo_brings_the_options_back(command: Command, made: str) -> None:
    command("dedup", made, "-q", "--keep", "first")
    command("dedup", made, "-q", "--keep", "longest", "--plycount", 60)
    command("dedup", made, "-q", "--undo")
    assert noted(command, made) == {"keep": "first"}
    command("dedup", made, "-q", "--plycount", 60)
    assert noted(command, made) == {"plycount": 60, "keep": "first"}


def test_review_applies_with_them(command: Command, made: str) -> None:
    command("dedup", made, "-q", "--keep", "first", "--no-merge")
    of = ids(made)
    Path("mine.tsv").write_text(f"GameID1\tGameID2\tDecision\n{of['17']}\t{of['18']}\tsame\n")
    assert command("review", made, "--decide", "mine.tsv", "--apply", "-q").status == 0
    assert noted(command, made) == {"keep": "first", "no-merge": True}
    assert query(made, "SELECT * FROM MergedTags") == []
    assert {"17", "18"} in groups(made)


def test_run_takes_and_uses_them(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(collection_text(), encoding="utf-8")
    options = "--plycount 10 --keep first --no-merge --gate-min-ply 20 --gate-dynamic"
    assert (
        command("run", "in.pgn", "-o", "one.pgn", "-q", "--tidy", "none", *options.split()).status
        == 0
    )
    assert command("create", "two.db3", "in.pgn", "-q").status == 0
    assert command("players", "two.db3", "-q").status == 0
    command("dedup", "two.db3", "-q", *options.split())
    assert noted(command, "one.db3") == noted(command, "two.db3")
    assert differences(content("one.db3"), content("two.db3")) == {}
    named = noted(command, "one.db3")
    assert len(named) == 7  # two of five have an old name too
    command("run", "--db", "one.db3", "-o", "one.pgn", "-q", "--accuracy", "tolerant")
    assert noted(command, "one.db3") == {
        **named,
        "accuracy": "tolerant",
        "join-accuracy": "tolerant",
    }
    command("run", "--db", "one.db3", "-o", "one.pgn", "-q", "--defaults")
    assert noted(command, "one.db3") == {}
    assert groups("one.db3") == expected_groups()


def test_options_that_cannot_be_read(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    for text in ("[1]", "{", '{"keeps": 1}'):
        change(made, "UPDATE Info SET Value = ? WHERE Name = 'Duplicates options'", text)
        status, _, err = command("dedup", made)
        assert status == 2
        assert "the options of the last search cannot be read" in err
        assert "--defaults" in err
    assert command("dedup", made, "--defaults").status == 0


# --- --reset ---------------------------------------------------------------------------------


def searched_often(command: Command, database: str) -> None:
    """Search with deletion, then with other options: two runs with merges and suspects."""
    command("dedup", database, "-q", "--delete")
    Path("more.pgn").write_text(pgn_text(game(1)) + pgn_text(game(2)))
    command("create", database, "more.pgn", "--append", "-q")
    command("dedup", database, "-q", "--merge-variations", "--keep", "longest")


def test_reset_takes_back_all_runs(command: Command, made: str) -> None:
    fresh = content(made, note_ids=False)
    searched_often(command, made)
    number = value(made, "SELECT count(*) FROM RemovedGames")
    assert number > 0
    status, out, err = command("dedup", made, "--reset")
    assert (status, err) == (0, "")
    assert f"restored: {number} deleted games\n" in out
    assert f"undo with: ocgdedup dedup --undo {made}\n" in out
    change(made, "DELETE FROM Games WHERE ID IN (SELECT max(ID) FROM Games)")
    change(made, "DELETE FROM Games WHERE ID IN (SELECT max(ID) FROM Games)")
    assert differences(fresh, content(made, note_ids=False)).keys() <= {"Sources", "Loads", "Info"}
    assert query(made, "SELECT * FROM Info WHERE Name GLOB 'Duplicates *'") == []
    assert noted_state(command, made) is None


def noted_state(command: Command, database: str) -> object:
    return json.loads(command("info", database, "--json").out)["duplicates"]


def test_a_reset_counts_groups_of_deleted_games(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    flagged = command("dedup", made, "--reset").out.splitlines()[0].partition(";")[0]
    command("dedup", made, "-q", "--delete")
    assert command("dedup", made, "--reset").out.startswith(flagged)


def test_a_reset_can_be_undone(command: Command, made: str) -> None:
    searched_often(command, made)
    before = content(made, note_ids=False)
    options = noted(command, made)
    command("dedup", made, "-q", "--reset")
    assert differences(before, content(made, note_ids=False)) != {}
    command("dedup", made, "-q", "--undo")
    assert differences(before, content(made, note_ids=False)) == {}
    assert noted(command, made) == options
    assert UNCHANGED in command("dedup", made).err


def test_after_a_reset_a_search_is_the_first_one(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    first = content(made, note_ids=False)
    command("dedup", made, "-q", "--keep", "first", "--accuracy", "strict")
    command("dedup", made, "-q", "--reset")
    command("dedup", made, "-q")
    assert differences(first, content(made, note_ids=False)) == {}


def test_what_the_user_decided_stays(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    change(made, "UPDATE Suspects SET Decision = 'same' WHERE GameID1 = (SELECT min(GameID1) "
                 "FROM Suspects)")  # fmt: skip
    decided = query(made, "SELECT * FROM Suspects WHERE Decision IS NOT NULL")
    out = command("dedup", made, "--reset").out
    assert f"kept: {len(decided)} decisions of yours, for the next search\n" in out
    assert query(made, "SELECT * FROM Suspects") == decided


def test_what_was_purged_cannot_be_reset(command: Command, made: str) -> None:
    command("dedup", made, "-q", "--delete", "--purge")
    number = value(made, "SELECT count(*) FROM Games")
    out = command("dedup", made, "--reset").out
    assert "kept: headers and annotations that were merged from purged games\n" in out
    assert value(made, "SELECT count(*) FROM Games") == number


def test_nothing_to_reset_leaves_the_undo(command: Command, made: str) -> None:
    before = content(made)
    assert command("dedup", made, "--reset").out == "nothing to reset: no search has been run\n"
    command("dedup", made, "-q")
    command("dedup", made, "-q", "--undo")
    assert command("dedup", made, "--reset").out == "nothing to reset: no search has been run\n"
    assert differences(before, content(made)) == {}


@pytest.mark.parametrize("option", ["--plycount 3", "--keep first", "--delete", "--defaults"])
def test_options_that_a_reset_refuses(command: Command, made: str, option: str) -> None:
    status, _, err = command("dedup", made, "--reset", *option.split())
    assert status == 2
    assert f"dedup: {option.split()[0]} does not go with --reset; leave it out" in err
