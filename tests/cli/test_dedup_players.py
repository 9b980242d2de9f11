"""dedup and players in turn: original names are resolved, not merged ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, is_sound, query, value
from tests.support.dedup_results import (
    by_label,
    content,
    content_hash,
    differences,
    groups,
    ids,
    suspects,
)
from tests.support.played_games import (
    collection,
    copy_of,
    expected_groups,
    game,
    pgn_text,
)

DEMO = Path(__file__).resolve().parents[2] / "scripts" / "demo_games"
NOTHING_NEW = "nothing changed since the last search"
# A copy whose names are the better ones, so that a merge changes who plays.
FULLER = [
    pgn_text(copy_of(game(50), "short", White="Botvinnik,M", Black="Smyslov,V")._replace(
        tags={**game(50).tags, "White": "Botvinnik,M", "Black": "Smyslov,V"})),
    pgn_text(copy_of(game(50), "fuller", White="Botvinnik, Mikhail", Black="Smyslov, Vasily",
                     ECO=None, WhiteFideId="0", TimeControl="40/7200")),
]  # fmt: skip


@pytest.fixture
def fuller(command: Command, made: str) -> str:
    """Return the generated collection, with a kept game that gets names from a duplicate."""
    append(command, made, "".join(FULLER))
    return made


def append(command: Command, database: str, text: str, *options: str) -> None:
    Path("more.pgn").write_text(text, encoding="utf-8")
    assert command("create", database, "more.pgn", "--append", "-q", *options).status == 0


def copied(database: str, name: str) -> str:
    Path(name).write_bytes(Path(database).read_bytes())
    return name


def is_stale(database: str) -> bool:
    return bool(query(database, "SELECT 1 FROM Info WHERE Name = 'Duplicates stale'"))


def merges(database: str) -> int:
    return value(database, "SELECT count(*) FROM UnmergedHeaders")


def test_a_merge_changes_who_plays(command: Command, fuller: str) -> None:
    """The other tests rely on this."""
    command("dedup", fuller)
    sql = "SELECT Tag FROM MergedTags WHERE GameID = ?"
    tags = {tag for (tag,) in query(fuller, sql, ids(fuller)["50 short"])}
    assert {"White", "Black", "TimeControl"} <= tags


def test_players_after_dedup(command: Command, fuller: str) -> None:
    """As without dedup; after the next dedup, as if players had run first."""
    other = copied(fuller, "b.db3")
    command("dedup", fuller)
    assert command("players", fuller).status == 0
    assert merges(fuller) == 0
    assert is_stale(fuller)
    command("players", other)
    for table in ("Persons", "Resolutions", "Comments", "Annotations"):
        assert content(fuller)[table] == content(other)[table]
    headers = "SELECT ID, WhiteID, BlackID, WhitePersonID, BlackPersonID, CoreHash, Date, " \
        "TimeControl, ExtraTags, BackFilled, HeaderOptimized FROM Games"  # fmt: skip
    assert query(fuller, headers) == query(other, headers)
    command("dedup", fuller)
    command("dedup", other)
    changes = differences(content(fuller, note_ids=False), content(other, note_ids=False))
    assert changes == {}
    assert not is_stale(fuller)
    assert is_sound(fuller)


def test_players_with_nothing_new_leaves_merges(command: Command, fuller: str) -> None:
    command("players", fuller)
    command("dedup", fuller)
    before = Path(fuller).read_bytes()
    assert "nothing is new since the last run" in command("players", fuller).out
    assert Path(fuller).read_bytes() == before
    assert merges(fuller) > 0


def test_players_again(command: Command, fuller: str) -> None:
    """Names are resolved again although nothing is new; merges stay if no player changes."""
    command("players", fuller)
    command("dedup", fuller)
    flagged = content(fuller, note_ids=False)
    assert "merge" not in command("players", fuller, "--again").err
    assert merges(fuller) > 0
    changes = differences(content(fuller, note_ids=False), flagged)
    assert changes.keys() <= {"Info"}
    command("dedup", fuller)
    assert differences(content(fuller, note_ids=False), flagged) == {}


def test_undo_of_players_after_dedup(command: Command, fuller: str) -> None:
    """All results of the resolving are gone, also from headers merged later."""
    before = content(fuller)
    hashes = "SELECT ID, CoreHash FROM Games ORDER BY ID"
    as_written = query(fuller, hashes)
    command("players", fuller)
    assert query(fuller, hashes) != as_written
    command("dedup", fuller)
    assert command("players", "--undo", fuller).status == 0
    assert (merges(fuller), is_stale(fuller)) == (0, True)
    assert value(fuller, "SELECT count(WhitePersonID) + count(BlackPersonID) FROM Games") == 0
    assert query(fuller, hashes) == as_written
    after = content(fuller)
    for table in ("Persons", "Resolutions", "Comments", "Annotations"):
        assert after[table] == before[table]
    command("dedup", fuller, "--no-players")
    other = copied(fuller, "b.db3")
    command("dedup", other, "--full", "--no-players")
    assert differences(content(fuller, note_ids=False), content(other, note_ids=False)) == {}


def test_dedup_cannot_be_undone_past_players(command: Command, fuller: str) -> None:
    """Its undo would restore the previous players."""
    command("dedup", fuller)
    command("players", fuller)
    before = content_hash(fuller)
    status, _, err = command("dedup", "--undo", fuller)
    assert (status, "players (step" in err) == (2, True)
    assert content_hash(fuller) == before


def test_second_run_of_dedup_with_players(command: Command, fuller: str) -> None:
    command("players", fuller)
    command("dedup", fuller)
    before = Path(fuller).read_bytes()
    assert NOTHING_NEW in command("dedup", fuller).err
    assert Path(fuller).read_bytes() == before


def test_a_deletion_is_no_reason_to_look_names_up_again(command: Command, fuller: str) -> None:
    command("players", fuller)
    before = content_hash(fuller)
    command("dedup", fuller, "--delete")
    bytes_before = Path(fuller).read_bytes()
    assert NOTHING_NEW in command("dedup", fuller).err
    assert "nothing is new since" in command("players", fuller).out
    assert Path(fuller).read_bytes() == bytes_before
    assert command("dedup", fuller, "--undo").err == ""
    assert content_hash(fuller) == before


@pytest.mark.slow
@pytest.mark.parametrize("in_create", [False, True])
def test_new_games_are_looked_up_before_copies_are(
    command: Command, fuller: str, tmp_path: Path, in_create: bool
) -> None:
    """Imports in parts give the same groups, kept games, merges and players as one import."""
    Path("names.ssp").write_text("@PLAYER\nKasparov, Garry #gm RUS\n= Weinstein, Garik\n")
    lists = ["--aliases", "names.ssp"]
    records = list(collection())
    parts = records[:20], records[20:40], records[40:]
    Path("all.pgn").write_text("".join(map(pgn_text, records)), encoding="utf-8")
    command("create", "fresh.db3", "all.pgn", "-q")
    command("players", "fresh.db3", *lists)
    command("dedup", "fresh.db3")
    for number, part in enumerate(parts):
        Path("part.pgn").write_text("".join(map(pgn_text, part)), encoding="utf-8")
        options = ["--append"] * (number > 0) + (lists if in_create else [])
        assert command("create", "grown.db3", "part.pgn", "-q", *options).status == 0
        if number == 0 and not in_create:
            command("players", "grown.db3", *lists)
        assert command("dedup", "grown.db3").status == 0
    assert groups("grown.db3") == groups("fresh.db3") == expected_groups()
    assert suspects("grown.db3") == suspects("fresh.db3")
    assert by_label("grown.db3") == by_label("fresh.db3")
    who = (
        "SELECT Games.ID, White.Name, Black.Name, CoreHash FROM Games "
        "LEFT JOIN Persons AS White ON White.ID = WhitePersonID "
        "LEFT JOIN Persons AS Black ON Black.ID = BlackPersonID ORDER BY 1"
    )
    assert query("grown.db3", who) == query("fresh.db3", who)


def test_a_list_in_dedup(command: Command, fuller: str) -> None:
    """Read twice: the second time nothing is new."""
    Path("names.ssp").write_text("@PLAYER\nKasparov, Garry #gm RUS\n= Weinstein, Garik\n")
    command("dedup", fuller, "--aliases", "names.ssp")
    flagged = content(fuller, note_ids=False)
    err = command("dedup", fuller, "--aliases", "names.ssp").err
    assert NOTHING_NEW in err
    after = content(fuller, note_ids=False)
    for result in (flagged, after):
        result.pop("RatingLists")
        result.pop("NameAliases")
    assert differences(flagged, after) == {}
    assert merges(fuller) > 0


def test_a_full_run_after_players_can_be_undone(command: Command, fuller: str) -> None:
    command("dedup", fuller)
    command("players", fuller)  # takes merges back, and the undo of them
    before = value(fuller, "SELECT count(*) FROM MergedTags")
    assert before == 0
    done = command("dedup", fuller, "--full")
    assert "undo with" in done.err
    assert value(fuller, "SELECT count(*) FROM MergedTags") > 0
    status, _, err = command("dedup", "--undo", fuller)
    assert status == 0
    assert (
        "headers that earlier runs merged are not, because names or headers have changed since"
        in err
    )
    assert value(fuller, "SELECT count(*) FROM MergedTags") == 0


def test_persons_are_there_after_a_restoration(command: Command, fuller: str) -> None:
    """Restored games never refer to persons that do not exist."""
    command("players", fuller)
    command("dedup", fuller, "--delete")
    change(fuller, "UPDATE RemovedGames SET BlackPersonID = 99999, CoreHash = 1")
    assert "nothing is new since" in command("players", fuller).out
    command("dedup", fuller, "--restore")
    assert value(fuller, "SELECT count(*) FROM Games WHERE BlackPersonID = 99999") == 0
    assert "nothing is new since" not in command("players", fuller).out
    assert command("check", fuller).status == 0
    other = copied(fuller, "b.db3")
    command("players", other, "--again")
    who = "SELECT ID, WhitePersonID, BlackPersonID, CoreHash FROM Games ORDER BY ID"
    assert query(fuller, who) == query(other, who)


def test_names_that_a_merge_has_replaced_are_not_counted(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such names were once subtracted from the unresolved ones, which could become negative."""
    monkeypatch.chdir(tmp_path)
    command("create", "a.db3", DEMO, "-q")
    command("dedup", "a.db3", "-q")
    command("players", "a.db3", "--fide-xml", DEMO / "players_2013-01.xml", "-q")
    command("dedup", "a.db3", "--delete", "-q")
    summary = json.loads(command("players", "a.db3", "--json").out)["summary"]
    unresolved = value(
        "a.db3",
        "SELECT count(*) FROM Players WHERE Name NOT IN ('', '?', 'NN') AND ID IN ("
        "SELECT WhiteID FROM Games UNION SELECT BlackID FROM Games "
        "UNION SELECT WhiteID FROM RemovedGames UNION SELECT BlackID FROM RemovedGames) "
        "AND ID NOT IN (SELECT PlayerID FROM Resolutions WHERE Scope = 'name')",
    )
    assert summary["unresolved_names"] == unresolved > 0
    assert summary["names"] == summary["resolved"] + unresolved
