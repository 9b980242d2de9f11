"""delete and restore: the games that the user does not want, and the groups without them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest

import ocgdedup
from tests.support.command_line import Command
from tests.support.databases import change, is_sound, query, value
from tests.support.dedup_results import groups, ids, labels
from tests.support.played_games import collection_text

_HEADER = (
    "Event, Site, Date, Round, White, WhiteElo, Black, BlackElo, Result, ECO, TimeControl, "
    "PlyCount, WhitePlayer, BlackPlayer, DuplicateStatus, DuplicateGroup, DuplicateReason, "
    "HeaderScore"
)
_RESULTS = (
    f"SELECT ID, {_HEADER} FROM GamesNamed ORDER BY ID",
    "SELECT ID, HeaderOptimized, DateQuality, ExtraTags FROM Games ORDER BY ID",
    "SELECT GameID1, GameID2, Class, Score, Evidence, Decision, MasterID FROM Suspects "
    "JOIN Games AS First ON First.ID = GameID1 JOIN Games AS Other ON Other.ID = GameID2 "
    "ORDER BY 1, 2",
    "SELECT * FROM MergedTags",
    "SELECT GameID, FromGameID, NoteTable, count(*) FROM MergedNotes GROUP BY 1, 2, 3",
    "SELECT GameID, Ply, Position, Comment FROM Comments WHERE GameID IN (SELECT ID FROM Games) "
    "ORDER BY 1, 2, 3, 4",
)


def results(path: str) -> list[list[tuple[Any, ...]]]:
    return [query(path, sql) for sql in _RESULTS]


def by_user(path: str) -> set[int]:
    return {row[0] for row in query(path, "SELECT ID FROM RemovedGames WHERE RemovedBy = 'user'")}


def by_dedup(path: str) -> set[int]:
    return {row[0] for row in query(path, "SELECT ID FROM RemovedGames WHERE RemovedBy IS NULL")}


def searched_without(command: Command, original: bytes, path: str, deleted: set[int]) -> str:
    """Return a searched copy of an import that never had some games, with the same decisions."""
    Path("without.db3").write_bytes(original)
    chosen = f"({', '.join(map(str, deleted)) or 'NULL'})"
    for table, key in (("Games", "ID"), ("Comments", "GameID"), ("Annotations", "GameID")):
        change("without.db3", f"DELETE FROM {table} WHERE {key} IN {chosen}")
    for row in query(path, "SELECT * FROM Suspects WHERE Decision IS NOT NULL"):
        if deleted.isdisjoint(row[:2]):
            values = (*row[:2], *row[5:])
            sql = "INSERT INTO Suspects VALUES (?, ?, '', 0, '', ?, ?, ?)"
            change("without.db3", sql, *values)
    assert command("dedup", "without.db3", "-q").status == 0
    return "without.db3"


# --- delete --------------------------------------------------------------------------------------


def a_group(path: str) -> list[int]:
    """Return the IDs of a group of three or more games, the kept game first."""
    sql = "SELECT DuplicateGroup FROM DuplicateFlags GROUP BY 1 HAVING count(*) > 2 ORDER BY 1"
    kept = value(path, f"{sql} LIMIT 1")
    members = "SELECT GameID FROM DuplicateFlags WHERE DuplicateGroup = ? AND GameID <> ?"
    return [kept, *(row[0] for row in query(path, members, kept, kept))]


def test_another_game_is_kept(command: Command, judged: str) -> None:
    kept, *others = a_group(judged)
    status, out, _ = command("delete", judged, str(kept))
    assert status == 0
    assert out.startswith("deleted: 1 game\nduplicates: ")
    new = value(judged, "SELECT DuplicateGroup FROM DuplicateFlags WHERE GameID = ?", others[0])
    assert new in others
    assert sorted(a for (a,) in query(
        judged, "SELECT GameID FROM DuplicateFlags WHERE DuplicateGroup = ?", new
    )) == others  # fmt: skip
    assert by_user(judged) == {kept}
    assert is_sound(judged)
    command("export", judged, "-o", "out.pgn", "--ids")
    shown = command("find", judged, "--where", f"ID = {kept}", "--json").out
    assert shown == ""


def test_the_last_game_leaves_no_group(command: Command, judged: str) -> None:
    members = a_group(judged)
    assert command("delete", judged, *map(str, members)).status == 0
    flags = f"DuplicateGroup IN ({', '.join(map(str, members))})"
    assert value(judged, f"SELECT count(*) FROM DuplicateFlags WHERE {flags}") == 0


def test_dedup_never_brings_it_back(command: Command, judged: str) -> None:
    kept, *_ = a_group(judged)
    assert command("delete", judged, str(kept)).status == 0
    for options in ("--restore", "--full", "--delete", "--restore", "--reset"):
        assert command("dedup", judged, options, "-q").status == 0
        assert by_user(judged) == {kept}
        assert kept not in labels(judged)


def test_deleted_duplicates_are_wanted_no_more(command: Command, judged: str) -> None:
    kept, *others = a_group(judged)
    assert command("dedup", judged, "--delete", "-q").status == 0
    assert command("delete", judged, str(others[0])).status == 0
    assert by_user(judged) == {others[0]}
    # The kept game of deleted duplicates: one of them is restored.
    assert command("delete", judged, str(kept)).status == 0
    assert set(others[1:]) & set(labels(judged))
    assert is_sound(judged)


def test_restore(command: Command, judged: str) -> None:
    before = results(judged)
    kept, other, *_ = a_group(judged)
    assert command("delete", judged, str(kept), str(other)).status == 0
    assert command("restore", judged, str(other)).out.startswith("restored: 1 game\n")
    assert by_user(judged) == {kept}
    assert command("restore", judged).status == 0
    assert results(judged) == before
    error = command("restore", judged, "1").err
    assert error.endswith("no deleted game has ID 1\n")


def test_a_selection_needs_yes(command: Command, judged: str) -> None:
    games = value(judged, "SELECT count(*) FROM Games WHERE Result = '1-0'")
    status, _, err = command("delete", judged, "--result", "1-0")
    assert status == 2
    assert f"{games} games would be deleted; to delete them, add --yes" in err
    assert by_user(judged) == set()
    out = command("delete", judged, "--result", "1-0", "--yes", "--json").out
    assert f'"games_deleted": {games}' in out
    assert len(by_user(judged)) == games
    assert value(judged, "SELECT count(*) FROM Games WHERE Result = '1-0'") == 0


@pytest.mark.parametrize("arguments", [[], ["1", "--result", "1-0"], ["1", "--source", "in.pgn"]])
def test_games_are_named_in_one_way(command: Command, made: str, arguments: list[str]) -> None:
    assert "delete: name games by their IDs, or choose" in command("delete", made, *arguments).err


def test_unknown_games(command: Command, made: str) -> None:
    assert "there is no game with ID 4711" in command("delete", made, "1", "4711").err
    assert by_user(made) == set()
    assert "no input file has this name" in command("delete", made, "--source", "no.pgn").err


def test_an_input_file_is_deleted(command: Command, made: str) -> None:
    count = value(made, "SELECT count(*) FROM Games")
    Path("in.pgn").write_text(collection_text(), encoding="utf-8")
    Path("more").mkdir()
    shutil.copy("in.pgn", "more/bad.pgn")
    assert command("create", made, "more/bad.pgn", "--append", "-q").status == 0
    before = groups(made)
    assert command("dedup", made, "--delete", "-q").status == 0
    out = command("delete", made, "--source", "bad.pgn", "--yes").out
    assert out.startswith(f"deleted: {count} games\n")
    assert min(by_user(made)) == count + 1
    assert before == set()
    assert command("dedup", made, "--restore", "-q").status == 0
    assert sorted(ids(made).values()) == list(range(1, count + 1))


# --- import --------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_purged", [False, True])
def test_a_deleted_record_does_not_come_back(
    command: Command, made: str, *, is_purged: bool
) -> None:
    Path("in.pgn").write_text(collection_text(), encoding="utf-8")
    games = value(made, "SELECT count(*) FROM Games")
    command("delete", made, "1", "2")
    if is_purged:
        assert command("dedup", made, "--purge", "-q").status == 0
        assert value(made, "SELECT count(*) FROM UnwantedRecords") == 2
        assert by_user(made) == set()
    Path("other.pgn").write_text(f"\n{collection_text()}", encoding="utf-8")
    status, out, _ = command("create", made, "other.pgn", "--append")
    assert status == 0
    assert "deleted before: 2 games, stored as deleted" in out
    assert value(made, "SELECT count(*) FROM Games") == 2 * games - 4
    unwanted = by_user(made)
    assert {games + 1, games + 2} <= unwanted
    assert is_sound(made)
    command("create", made, "other.pgn", "--append", "--again")
    assert value(made, "SELECT count(*) FROM Games") == 3 * games - 4
    assert by_user(made) == unwanted


def test_another_header_is_another_record(command: Command, made: str) -> None:
    command("delete", made, "1")
    record = collection_text().split("\n\n[Event")[0]
    assert record.count("[Round ") == 1
    Path("other.pgn").write_text(record.replace("[Round ", '[Round "99"]\n[X '))
    assert "deleted before" not in command("create", made, "other.pgn", "--append").out
    Path("same.pgn").write_text(record)
    assert "deleted before: 1 game" in command("create", made, "same.pgn", "--append").out


# --- laws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_results_are_those_of_a_search_of_the_other_games(
    command: Command, made: str, made_bytes: bytes, seed: int
) -> None:
    draw = random.Random(seed)
    assert command("dedup", made, "-q").status == 0
    for _ in range(8):
        games, wanted = sorted(labels(made)), by_user(made)
        grouped = [row[0] for row in query(made, "SELECT GameID FROM DuplicateFlags")]
        chosen = draw.sample(draw.choice([games, grouped or games]), draw.randint(1, 3))
        step = draw.choice(["delete", "delete", "restore", "dedup", "dedup --delete", "decide"])
        if step == "delete":
            assert command("delete", made, *map(str, chosen)).status == 0
            assert by_user(made) == wanted.union(chosen)
        elif step == "restore" and wanted:
            back = draw.sample(sorted(wanted), draw.randint(1, len(wanted)))
            assert command("restore", made, *map(str, back)).status == 0
            assert by_user(made) == wanted.difference(back)
        elif step == "decide" and len(chosen) > 1:
            words = draw.choice(["same", "different", "none"])
            command("decide", made, *map(str, chosen[:2]), words, "--note", f"note {seed}")
        elif step.startswith("dedup"):
            assert command(*step.split(), made, "-q").status == 0
        assert is_sound(made)
    shutil.copy(made, "all.db3")
    assert command("dedup", "all.db3", "--restore", "-q").status == 0
    assert command("dedup", "all.db3", "-q").status == 0
    expected = searched_without(command, made_bytes, "all.db3", by_user(made))
    assert results("all.db3") == results(expected)


@pytest.mark.parametrize("seed", range(6))
def test_groups_are_settled_at_once(
    command: Command, judged: str, made_bytes: bytes, seed: int
) -> None:
    draw = random.Random(seed)
    grouped = [row[0] for row in query(judged, "SELECT GameID FROM DuplicateFlags")]
    for _ in range(2):
        chosen = draw.sample(grouped, 4)
        assert command("delete", judged, *map(str, chosen)).status == 0
        after = results(judged)
        assert command("dedup", judged, "-q").status == 0
        assert results(judged) == after
        assert command("dedup", judged, "--full", "-q").status == 0
        assert results(judged) == after


def test_python(made: str) -> None:
    ocgdedup.dedup(made)
    result = ocgdedup.delete(made, [1, 2])
    assert result.games == 2
    assert by_user(made) == {1, 2}
    assert ocgdedup.delete(made, selection=ocgdedup.Selection(min_plies=1000)).games == 0
    assert ocgdedup.restore(made, [2]).games == 1
    assert by_user(made) == {1}
    assert ocgdedup.decide(made, 2, 3, "different", note="seen both") == 1
    with apsw.Connection(made) as connection:
        rows = connection.execute("SELECT Decision, Note FROM Suspects WHERE GameID1 = 2")
        assert ("different", "seen both") in rows.fetchall()
