"""Databases of older schema versions: read unchanged, migrated before writing."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from ocgdedup.errors import SchemaVersionError, StoreError
from ocgdedup.store import migrations
from ocgdedup.store.database import open_database
from ocgdedup.store.migrations import migrate
from tests.support.command_line import Command
from tests.support.databases import change, columns, dump, is_sound, query, tables, value
from tests.support.pgn_text import THREE_GAMES

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
# Of each older version: how many games the file has, and the columns of Games that came with it.
GAMES = {1: 5, 2: 7, 3: 9, 4: 9, 5: 9, 6: 9, 7: 9, 8: 9, 9: 10, 10: 10, 11: 10, 12: 10}
NEW_COLUMNS = {
    2: ["WhitePersonID", "BlackPersonID", "CoreHash", "BackFilled"],
    3: ["DuplicateReason", "HeaderScore", "HeaderOptimized"],
    4: [],
    5: [],
    6: [],
    7: [],
    8: [],
    9: [],
    10: [],
    11: ["GameHash"],
    12: [],
    13: [],
    14: [],
}
FLAG_TABLE = 10
# Columns of Games and RemovedGames that version 10 has moved to DuplicateFlags.
FLAGS = ["DuplicateStatus", "DuplicateGroup", "DuplicateReason", "HeaderScore"]
WITH_FLAGS = ("Games", "RemovedGames")
# Games and their groups; version 9 has deleted game 11.
GROUPS = {version: [(1, 1), (2, 1), (10, 10), (11, 10)] for version in (9, 10, 11)}
GROUPS[12] = [(1, 1), (2, 1), (4, 6), (6, 6), (10, 10), (11, 10)]
# Other tables that a version has changed, with how many columns it added behind the others.
NEW_ELSEWHERE = {
    "Suspects": (4, 1),
    "UndoSuspects": (4, 1),
    "MergedTags": (8, 1),
    "UndoMergedTags": (8, 1),
    "RatingLists": (13, 1),
}
CURRENT = max(NEW_COLUMNS)
HIGHEST_PERSON = {2: [("Highest person ID", "5")]}


class Warnings:
    """A reporter that stores messages."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def warn(self, message: str) -> None:
        self.messages.append(message)

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None: ...

    def advance(self, games: int, position_bytes: int) -> None: ...

    def finish(self) -> None: ...


@pytest.fixture(params=GAMES)
def version(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture
def old(version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    return unpacked(version)


def unpacked(version: int) -> str:
    packed = Path(__file__).with_name(f"version-{version}.db3.gz")
    Path("old.db3").write_bytes(gzip.decompress(packed.read_bytes()))
    return "old.db3"


def migrated(path: str) -> list[str]:
    """Migrate; return the messages to the user."""
    warnings = Warnings()
    database = open_database(path, writable=True)
    try:
        migrate(database, warnings)
    finally:
        database.close()
    return warnings.messages


def added_since(version: int) -> list[str]:
    return [name for number, names in NEW_COLUMNS.items() if number > version for name in names]


def test_the_old_file_has_its_schema_version(old: str, version: int) -> None:
    assert value(old, "PRAGMA user_version") == version
    assert value(old, "SELECT count(*) FROM Games") == GAMES[version]
    flagged = "FlaggedGames" if version >= FLAG_TABLE else "Games"
    assert value(old, f"SELECT count(*) FROM {flagged} WHERE DuplicateStatus = 'exact'") == 1
    assert not set(added_since(version)) & set(columns(old, "Games"))
    assert set(NEW_COLUMNS.get(version, ())) <= set(columns(old, "Games"))


def test_migrated_schema_equals_new_schema(command: Command, old: str) -> None:
    migrated(old)
    for index in tables(old, "index"):  # which create does not build
        if index in ("GamesCoreHash", "DuplicateFlagsGroup") or index.startswith("Signatures"):
            change(old, f"DROP INDEX {index}")
    assert command("create", "fresh.db3", "in.pgn", "-q").status == 0
    for kind in ("table", "view", "index"):
        assert tables(old, kind) == tables("fresh.db3", kind)
    for table in sorted(tables("fresh.db3")):
        for pragma in ("table_xinfo", "foreign_key_list", "index_list"):
            sql = f"SELECT * FROM pragma_{pragma}(?)"
            assert query(old, sql, table) == query("fresh.db3", sql, table), (table, pragma)
        flags = "SELECT type, ncol, wr, strict FROM pragma_table_list WHERE name = ?"
        assert query(old, flags, table) == query("fresh.db3", flags, table)
        if table not in WITH_FLAGS:  # new columns of these stand behind, on a line of their own
            text = "SELECT sql FROM sqlite_master WHERE name = ?"  # with its CHECKs
            assert query(old, text, table) == query("fresh.db3", text, table)
    for pragma in ("application_id", "user_version"):
        assert value(old, f"PRAGMA {pragma}") == value("fresh.db3", f"PRAGMA {pragma}")
    assert is_sound(old)


def rows_without_flags(path: str, table: str) -> list[tuple[Any, ...]]:
    names = ", ".join(name for name in columns(path, table) if name not in FLAGS)
    return query(path, f"SELECT {names} FROM {table} ORDER BY 1, 2")


def test_migration_keeps_data(old: str, version: int) -> None:
    before = dump(old)
    kept = {table: rows_without_flags(old, table) for table in WITH_FLAGS if table in before}
    migrated(old)
    after = dump(old)
    for table in set(before) - {"sqlite_master", "user_version", *WITH_FLAGS, "Info", "NameParts"}:
        since, count = NEW_ELSEWHERE.get(table, (0, 0))
        new = [None] * count * (version < since)
        assert after[table] == [(*row, *new) for row in before[table]], table
    new = [name for name in added_since(version) if name not in FLAGS]
    assert after["Games"] == [(*row, *[None] * len(new)) for row in kept["Games"]]
    removed = [None] * (version < 11)  # GameHash
    assert after["RemovedGames"] == [(*row, *removed) for row in kept.get("RemovedGames", [])]
    assert columns(old, "Games")[-len(new) or None :] == (new or columns(old, "Games"))


def test_flags_move_to_the_flags_table(old: str, version: int) -> None:
    """Flags of removed games too; scores and reasons are new in version 3."""
    views = ["FlaggedGames", "FlaggedRemovedGames"]
    with_flags = [table for table in WITH_FLAGS if table in tables(old)]
    if version >= FLAG_TABLE:
        with_flags = views
    present = [name if name in columns(old, with_flags[0]) else "NULL" for name in FLAGS]
    select = f"SELECT ID, {', '.join(present)} FROM {{}} WHERE DuplicateGroup IS NOT NULL"
    expected = query(old, " UNION ALL ".join(map(select.format, with_flags)) + " ORDER BY 1")
    migrated(old)
    assert query(old, "SELECT * FROM DuplicateFlags ORDER BY 1") == expected
    groups = GROUPS.get(version, [(1, 1), (2, 1)])
    assert [(game_id, group) for game_id, _, group, *_ in expected] == groups
    select = f"SELECT ID, {', '.join(FLAGS)} FROM {{}} WHERE DuplicateGroup IS NOT NULL"
    assert sorted(row for view in views for row in query(old, select.format(view))) == expected


@pytest.mark.parametrize("option", ["--undo", "--restore"])
def test_a_game_deleted_before_the_migration_can_be_restored(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """With its flags; the last run on the file of version 9 deleted game 11."""
    monkeypatch.chdir(tmp_path)
    old = unpacked(9)
    flags = query(old, "SELECT ID, DuplicateStatus, DuplicateGroup, HeaderScore FROM RemovedGames")
    assert flags == [(11, "exact", 10, 31)]
    migrated(old)
    before = query(old, "SELECT * FROM DuplicateFlags")
    assert command("dedup", old, option, "-q").status == 0
    assert value(old, "SELECT count(*) FROM RemovedGames") == 0
    assert query(old, "SELECT * FROM DuplicateFlags") == before
    sql = "SELECT ID, DuplicateStatus, DuplicateGroup, HeaderScore FROM FlaggedGames WHERE ID = 11"
    assert query(old, sql) == flags


@pytest.fixture
def before_flag_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database of the last version that had flags in Games."""
    monkeypatch.chdir(tmp_path)
    return unpacked(9)


def test_indexes_and_views_of_a_user_do_not_stop_it(before_flag_table: str) -> None:
    old = before_flag_table
    change(old, 'CREATE INDEX "mine ""1" ON Games(DuplicateStatus)')
    change(old, "CREATE INDEX Partial ON Games(Date) WHERE DuplicateGroup IS NULL")
    change(old, "CREATE INDEX Dates ON Games(Date)")
    change(old, "CREATE VIEW Mine AS SELECT ID FROM Games WHERE DuplicateStatus IS NULL")
    migrated(old)
    assert value(old, "PRAGMA user_version") == CURRENT
    indexes = tables(old, "index")
    assert "Dates" in indexes
    assert not {'mine "1', "Partial", "GamesDuplicateGroup"} & indexes


def test_a_game_in_both_tables_has_flags_once(before_flag_table: str) -> None:
    old = before_flag_table
    removed, kept = query(old, "SELECT ID, DuplicateGroup FROM RemovedGames")[0]
    change(
        old,
        "INSERT INTO Games (ID, DuplicateStatus, DuplicateGroup) "
        f"VALUES ({removed}, 'join', {kept})",
    )
    migrated(old)
    assert value(old, f"SELECT count(*) FROM DuplicateFlags WHERE GameID = {removed}") == 1


def test_flags_of_an_old_version_are_stale(old: str, version: int) -> None:
    """Versions before 3 only compared moves."""
    before = dump(old)["Info"]
    migrated(old)
    renamed = [(name.replace("Exact d", "D"), value) for name, value in before]
    stale = [("Duplicates stale", "yes")] if version < 3 else []
    assert dump(old)["Info"] == sorted([*renamed, *stale, *HIGHEST_PERSON.get(version, [])])


def test_migrated_database_passes_the_check(command: Command, old: str) -> None:
    """A search before version 3 built no index of flags."""
    migrated(old)
    done = command("check", old)
    assert (done.status, "indexes" in done.out) == (0, False), done.out
    assert "DuplicateFlagsGroup" in tables(old, "index")


def test_without_a_search_nothing_is_stale(old: str) -> None:
    change(old, "DELETE FROM Info WHERE Name = 'Exact duplicates flagged'")
    before = dump(old)["Info"]
    migrated(old)
    new = set(dump(old)["Info"]).difference(before)
    assert set(before) <= set(dump(old)["Info"])
    assert {name for name, _ in new} <= {"Highest person ID"}


def test_a_copy_is_kept_and_named(old: str, version: int) -> None:
    before = dump(old)
    kept = f"old.db3.version-{version}"
    assert migrated(old) == [
        f"old.db3: schema version {version} -> {CURRENT}; a copy of the file is {kept}"
    ]
    assert dump(kept) == before


def test_no_copy_is_overwritten(old: str, version: int) -> None:
    kept = Path(f"old.db3.version-{version}")
    kept.write_text("precious")
    assert f"{kept}-2" in migrated(old)[0]
    assert kept.read_text() == "precious"


def test_a_current_file_is_left_alone(old: str, version: int) -> None:
    migrated(old)
    Path(f"old.db3.version-{version}").unlink()
    before = Path(old).read_bytes()
    assert migrated(old) == []
    assert Path(old).read_bytes() == before
    assert {path.name for path in Path().iterdir()} == {old, "in.pgn"}


def test_a_failing_migration_leaves_the_file(
    old: str, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(old)
    sql_of = migrations.migration_sql
    monkeypatch.setattr(
        migrations, "migration_sql", lambda number: sql_of(number) + "SELECT no_such_function();"
    )
    with pytest.raises(apsw.SQLError, match="no_such_function"):
        migrated(old)
    assert dump(old) == before
    assert is_sound(old)


# A process that kills itself before its n-th statement.
KILLED = """
import os, signal, sys
from ocgdedup.cli.terminal import PlainReporter
from ocgdedup.store.database import open_database
from ocgdedup.store.migrations import migrate

left = int(sys.argv[2])

def count(*_):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return True

database = open_database(sys.argv[1], writable=True)
database.connection.exec_trace = count
migrate(database, PlainReporter())
"""


@pytest.mark.slow
def test_a_killed_migration_leaves_a_whole_file(old: str, version: int) -> None:
    """All steps are one transaction, so that only one copy of the file is made."""
    content = Path(old).read_bytes()
    before = dump(old)
    versions = []
    for statements in range(200):
        Path(old).write_bytes(content)
        process = subprocess.run(
            [sys.executable, "-c", KILLED, str(Path(old).absolute()), str(statements)],
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
        )
        open_database(old).close()  # heals what the run left
        versions.append(value(old, "PRAGMA user_version"))
        if versions[-1] == version:
            assert dump(old) == before
        assert is_sound(old)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert versions[-1] == CURRENT
    changes = 0  # each change of the schema is a moment to be killed at, and what is around it
    for number in range(version + 1, CURRENT + 1):
        changes += migrations.migration_sql(number).count(";")
    assert len(versions) > changes
    assert versions == sorted(versions)
    assert set(versions[:-1]) == {version}
    assert [path.name for path in Path().glob("*version*")] == [f"old.db3.version-{version}"]


@pytest.mark.parametrize("newer", [CURRENT + 1, 4711])
def test_newer_version_is_refused(old: str, newer: int) -> None:
    change(old, f"PRAGMA user_version = {newer}")
    with pytest.raises(SchemaVersionError, match=f"schema version {newer}.* up to {CURRENT};"):
        open_database(old, writable=True)


def test_an_unknown_old_version_is_refused(old: str) -> None:
    change(old, "PRAGMA user_version = 0")
    with pytest.raises(StoreError, match="schema version 0"):
        migrated(old)
    assert {path.name for path in Path().iterdir()} == {old, "in.pgn"}


def test_user_decisions_are_kept(command: Command, old: str, version: int) -> None:
    """From version 3 on; the next search uses them."""
    if version < 3:
        return
    sql = "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects"
    chosen = 6 if version > 3 else None
    expected = [(4, 6, "same", chosen), (8, 9, "different", None)]
    assert command("dedup", old).status == 0
    assert query(old, sql) == expected
    assert value(old, "SELECT DuplicateGroup FROM FlaggedGames WHERE ID = 4") is not None
    assert (
        value(old, "SELECT count(*) FROM FlaggedGames WHERE ID IN (8, 9) AND DuplicateGroup > 0")
        == 0
    )


def test_a_stored_list_gets_aliases(command: Command, old: str, version: int) -> None:
    """By the next run of players; the migration leaves the table empty."""
    if version < 2:
        return  # it has no lists
    change(old, "DELETE FROM FidePlayers")
    change(old, "INSERT INTO FidePlayers (FideID, Name) VALUES (5, 'Zyxberg, Jan Pieter')")
    migrated(old)
    sql = "SELECT FideID, Alias, Probability > 0.9 FROM FideAliases"
    assert query(old, sql) == []
    assert command("players", old).status == 0
    assert query(old, sql) == [(5, "Zyxberg, JP", 1)]


@pytest.mark.parametrize("version", [11], indirect=True)
def test_uncertain_aliases_are_dropped(old: str) -> None:
    change(old, "DELETE FROM FideAliases")
    for fide_id, probability in enumerate((0.053, 0.949, 0.95, 0.999), 1):
        change(old, f"INSERT INTO FideAliases VALUES ({fide_id}, 'A, B{fide_id}', {probability})")
    migrated(old)
    assert query(old, "SELECT FideID FROM FideAliases ORDER BY 1") == [(3,), (4,)]


# --- through the commands ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["printpgn", "old.db3", "-g", "1", "-g", "5"],
        ["export", "old.db3", "-o", "-"],
        ["dedup", "old.db3", "--dry-run"],
    ],
)
def test_reading_changes_nothing(command: Command, old: str, arguments: list[str]) -> None:
    before = Path(old).read_bytes()
    status, out, err = command(*arguments)
    assert status == 0
    assert out
    assert "schema" not in err
    assert Path(old).read_bytes() == before
    assert {path.name for path in Path().iterdir()} == {old, "in.pgn"}


def test_export_is_the_same_after_migration(command: Command, old: str, version: int) -> None:
    before = command("export", old, "-o", "-", "--all").out
    migrated(old)
    assert command("export", old, "-o", "-", "--all").out == before
    assert before.count("[Event ") == GAMES[version]


@pytest.mark.parametrize(
    ("arguments", "more"),
    [(["dedup", "old.db3"], 0), (["create", "old.db3", "in.pgn", "--append"], 3)],
)
def test_writing_migrates(
    command: Command, old: str, version: int, arguments: list[Any], more: int
) -> None:
    status, _, err = command(*arguments)
    assert status == 0
    kept = f"old.db3.version-{version}"
    assert f"old.db3: schema version {version} -> {CURRENT}; a copy of the file is {kept}\n" in err
    assert value(old, "PRAGMA user_version") == CURRENT
    assert value(old, "SELECT count(*) FROM Games") == GAMES[version] + more
    assert value(kept, "SELECT count(*) FROM Games") == GAMES[version]
    assert "schema version" not in command("dedup", old).err
