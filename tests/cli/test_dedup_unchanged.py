"""dedup without changes: it reads no table, and notices writes by any program."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from ocgdedup.store import connection as connections
from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.dedup_results import content

UNCHANGED = "nothing changed since the last search"
_TABLE = re.compile(r"\b(?:FROM|JOIN) (?:main\.)?(\w+)")
_SMALL_TABLES = {"Info", "UnpublishedFiles", "sqlite_master", "pragma_table_info",
                 "pragma_table_xinfo"}  # fmt: skip


class Reads:
    """The tables named by statements, and the pages read, since the last clear()."""

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self.pages = 0
        self._open: list[apsw.Connection] = []

    def watch(self, connection: apsw.Connection) -> None:
        self._open.append(connection)
        connection.set_exec_trace(self._note)

    def _note(self, cursor: apsw.Cursor, sql: str, _bindings: object) -> bool:
        if not sql.startswith("CREATE TEMP VIEW"):  # which reads nothing
            self.tables |= set(_TABLE.findall(sql)) - _SMALL_TABLES
        status = cursor.connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)
        self.pages = max(self.pages, status[0])
        return True

    def clear(self) -> None:
        self.tables, self.pages = set(), 0


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reads]:
    result = Reads()
    monkeypatch.setattr(connections, "_MAPPED_BYTES", 0)  # mapped pages are not counted
    apsw.connection_hooks.append(result.watch)
    yield result
    apsw.connection_hooks.remove(result.watch)


@pytest.fixture
def large(made: str) -> str:
    """The generated collection with each game many times, after a search."""
    columns = [row[1] for row in query(made, "PRAGMA table_info(Games)") if row[1] != "ID"]
    names = ", ".join(columns)
    copies = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
    change(made, f"{copies} INSERT INTO Games ({names}) SELECT {names} FROM Games, n")
    return made


def test_a_second_run_reads_no_table(command: Command, large: str, reads: Reads) -> None:
    first = command("dedup", large)
    before = Path(large).read_bytes()
    reads.clear()
    second = command("dedup", large)
    assert UNCHANGED in second.err
    assert second.err.splitlines()[0] == first.err.splitlines()[0]
    assert second.out.split("#duplicates")[1] == first.out.split("#duplicates")[1]
    assert reads.tables == set()
    assert 0 < reads.pages < 30 < 150 < value(large, "PRAGMA page_count")
    assert Path(large).read_bytes() == before


def test_a_second_run_after_players_reads_no_table(
    command: Command, judged: str, reads: Reads
) -> None:
    command("dedup", judged)
    command("dedup", judged)
    reads.clear()
    assert UNCHANGED in command("dedup", judged).err
    assert reads.tables == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["info"],
        ["info", "--json"],
        ["check"],
        ["export", "-o", "out.pgn"],
        ["review", "--list"],
        ["dedup", "--dry-run"],
        ["dedup", "--report", "report.html"],
        ["dedup", "--report", "report.csv"],
    ],
)
def test_other_commands_force_no_scan(
    command: Command, made: str, reads: Reads, arguments: list[str]
) -> None:
    command("dedup", made)
    command(arguments[0], made, *arguments[1:])
    reads.clear()
    assert UNCHANGED in command("dedup", made).err
    assert reads.tables == set()


def test_run_forces_no_scan(command: Command, made: str, reads: Reads) -> None:
    """It notes what it wrote in the database."""
    for _ in range(2):
        assert command("run", "--db", made, "-o", "out.pgn").status == 0
    reads.clear()
    assert UNCHANGED in command("dedup", made, "--no-players").err
    assert reads.tables == set()


def test_a_first_report_or_deletion_is_noted_too(command: Command, made: str, reads: Reads) -> None:
    """They publish a file in a second transaction."""
    command("dedup", made, "--delete", "--report", "report.html")
    left = value(made, "SELECT count(*) FROM Games")
    reads.clear()
    outcome = command("dedup", made)
    assert UNCHANGED in outcome.err
    assert f"#games: {left}," in outcome.out
    assert outcome.out.endswith("#duplicates: 0\n")
    assert reads.tables == set()


def test_after_a_scan_that_found_nothing_new_the_next_run_scans_no_more(
    command: Command, made: str, reads: Reads
) -> None:
    command("dedup", made)
    change(made, "INSERT INTO Info VALUES ('x', 'y')")
    for scanned in (True, False):
        reads.clear()
        outcome = command("dedup", made).err
        assert UNCHANGED in outcome
        assert (
            "if another program changed games, run 'ocgdedup dedup --full'" in outcome
        ) == scanned
        assert ("Games" in reads.tables) == scanned


CHANGES = {
    "flag": "UPDATE DuplicateFlags SET DuplicateStatus = 'join' WHERE DuplicateStatus = 'exact'",
    "score": (
        "UPDATE DuplicateFlags SET HeaderScore = HeaderScore + 1 WHERE DuplicateGroup = GameID"
    ),
    "no flags": "DELETE FROM DuplicateFlags",
    "lost game": "DELETE FROM Games WHERE ID = (SELECT min(DuplicateGroup) FROM DuplicateFlags)",
    "decision": "UPDATE Suspects SET Decision = 'same'",
}


@pytest.mark.parametrize("mode", ["delete", "truncate", "persist", "wal"])
@pytest.mark.parametrize("name", CHANGES)
def test_changes_by_other_programs_are_noticed(
    command: Command, made: str, mode: str, name: str
) -> None:
    change(made, f"PRAGMA journal_mode = {mode}")
    command("dedup", made)
    command("dedup", made)
    _write(made, CHANGES[name])
    assert UNCHANGED not in command("dedup", made).err
    assert UNCHANGED in command("dedup", made).err


def _write(path: str, sql: str) -> None:
    """Change a database; in WAL mode the file itself is unchanged until a checkpoint."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    with connection:
        assert connection.execute(sql).rowcount > 0
    connection.close()


def test_a_dump_read_into_a_new_file_is_searched_by_its_tables(command: Command, made: str) -> None:
    """Its count of transactions may reach the stored count."""
    command("dedup", made)
    noted = int(value(made, "SELECT Value ->> '$.file[0]' FROM Info WHERE Name GLOB '*since'"))
    with sqlite3.connect(made) as source, sqlite3.connect("b.db3") as target:
        target.executescript("\n".join(source.iterdump()))
        for name in ("application_id", "user_version"):
            target.execute(f"PRAGMA {name} = {value(made, f'PRAGMA {name}')}")
    while _counter("b.db3") < noted - 1:
        change("b.db3", "UPDATE Info SET Value = Value || '.' WHERE Name = 'Version'")
    assert _counter("b.db3") == noted - 1
    change("b.db3", CHANGES["flag"])
    assert UNCHANGED not in command("dedup", "b.db3").err


def _counter(path: str) -> int:
    return int.from_bytes(Path(path).read_bytes()[24:28], "big")


def test_the_count_is_right_when_a_change_did_not_fit_into_memory(
    command: Command, large: str, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite then writes to the file before the commit."""
    monkeypatch.setattr(connections, "_CACHE_KB", 64)
    command("dedup", large)
    reads.clear()
    assert UNCHANGED in command("dedup", large).err
    assert reads.tables == set()


def test_a_change_that_is_rolled_back_leaves_the_note_right(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("dedup", made)
    before = content(made)
    with monkeypatch.context() as patched:
        patched.setattr("ocgdedup.commands.publication.Publication.list_in", _interrupt)
        assert command("dedup", made, "--keep", "first").status == 130
    assert content(made) == before
    assert UNCHANGED in command("dedup", made).err
    assert UNCHANGED not in command("dedup", made, "--keep", "first").err


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_backup_that_is_put_back_is_as_it_was(command: Command, made: str) -> None:
    command("dedup", made)
    backup = Path(made).read_bytes()
    change(made, CHANGES["no flags"])
    Path(made).write_bytes(backup)
    assert UNCHANGED in command("dedup", made).err
    change(made, CHANGES["no flags"])
    assert UNCHANGED not in command("dedup", made).err
