"""kill -9 at any moment: no incomplete database under the final name, and the next run succeeds.

Moments are random within the time that an undisturbed run takes; each loop is bounded in time.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command, command_line
from tests.support.databases import Row, change, columns, dump, is_sound, query, value
from tests.support.dedup_results import content
from tests.support.persons import crowd, known_persons, write_list
from tests.support.pgn_text import NO_GAME, RUY_LOPEZ, THREE_GAMES, game, many_games
from tests.support.played_games import EXPECTED_COPIES, collection_text, mainline, san_of

pytestmark = pytest.mark.slow
ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
LOOP_S = 4
KILLS = 30


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    Path("big.pgn").write_bytes(NO_GAME.encode() + many_games(12_000))
    return tmp_path


def duration_s(*arguments: object) -> float:
    began = time.monotonic()
    subprocess.run(command_line(*arguments), cwd=ROOT, capture_output=True, check=False)
    return time.monotonic() - began


def killed_runs(whole_s: float, *arguments: object, loop_s: float = LOOP_S) -> Iterator[bool]:
    """Start and kill the command repeatedly; yield whether it was killed while working."""
    ends = time.monotonic() + loop_s
    rng = random.Random()
    hits = 0
    for _ in range(KILLS):
        process = subprocess.Popen(
            command_line(*arguments),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # The first part of the time is the start of Python.
        began = time.monotonic()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(whole_s * rng.uniform(0.3, 1))
            whole_s = min(whole_s, time.monotonic() - began)
        process.kill()
        hit = process.wait() < 0
        hits += hit
        yield hit
        if time.monotonic() > ends and hits > 2:
            return
    assert hits, "no run was hit: the test tests nothing"


def committed(database: Path) -> dict[str, list[Row]]:
    """Return the rows without the list of unpublished files."""
    tables = dump(database)
    tables.pop("UnpublishedFiles", None)
    return tables


def remove(*patterns: str) -> None:
    for pattern in patterns:
        for path in Path().glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_create(command: Command, folder: Path) -> None:
    database = folder / "a.db3"
    arguments = ("create", database, folder / "big.pgn")
    whole_s = duration_s(*arguments)
    expected = committed(database)
    remove("a.*")
    for hit in killed_runs(whole_s, *arguments):
        if database.exists():
            # It may be killed while the rejects get their name: that uses up the journal.
            assert command("printpgn", database, "-g", 3).status == 0
            assert committed(database) == expected
            assert is_sound(database)
        else:
            assert hit
        remove("a.db3", "a.rejects.pgn")  # but not what else a killed run may have left
    assert command(*arguments).status == 1
    assert committed(database) == expected
    assert {*os.listdir()} - {"a.db3-history"} == {"a.db3", "a.rejects.pgn", "big.pgn", "in.pgn"}


def test_create_force_keeps_the_old_one(command: Command, folder: Path) -> None:
    database = folder / "a.db3"
    arguments = ("create", database, folder / "big.pgn", "--force")
    whole_s = duration_s(*arguments)
    new = committed(database)
    remove("a.*")
    command("create", database, "in.pgn", "-q")
    kept = database.read_bytes()
    old = committed(database)
    for _ in killed_runs(whole_s, *arguments):
        # It may be killed while the rejects get their name: that uses up the journal.
        assert command("printpgn", database, "-g", 1).status == 0
        assert committed(database) in (old, new)
        database.write_bytes(kept)
    assert command(*arguments).status == 1
    assert committed(database) == new
    assert {*os.listdir()} - {"a.db3-history"} == {"a.db3", "a.rejects.pgn", "big.pgn", "in.pgn"}


def test_decisions_about_names(command: Command, folder: Path) -> None:
    database = folder / "a.db3"
    command("create", database, folder / "big.pgn", "-q")
    command("players", database, "-q")
    names = [row[0] for row in query(database, "SELECT DISTINCT White FROM GamesNamed LIMIT 3")]
    arguments = ("players", database, "--same", *names, "--as", "Somebody, Else")
    kept = database.read_bytes()

    def state() -> tuple[dict[str, list[Row]], list[Row]]:
        tables = committed(database)
        return tables, [row[:-1] for row in tables.pop("NameDecisions")]  # without the time

    old = state()
    whole_s = duration_s(*arguments)
    new = state()
    assert new != old
    database.write_bytes(kept)
    for _ in killed_runs(whole_s, *arguments):
        assert command("printpgn", database, "-g", 3).status == 0
        assert is_sound(database)
        assert state() in (old, new)
        remove("a.*")
        database.write_bytes(kept)


def test_append(command: Command, folder: Path) -> None:
    database = folder / "a.db3"
    arguments = ("create", database, folder / "big.pgn", "--append", "--jobs", 1)
    command("create", database, "in.pgn", "-q")
    kept = database.read_bytes()
    old = committed(database)
    whole_s = duration_s(*arguments)
    new = committed(database)
    remove("a.*")
    database.write_bytes(kept)
    old = committed(database)
    for _ in killed_runs(whole_s, *arguments):
        assert command("printpgn", database, "-g", 3).status == 0  # whatever the kill left there
        assert is_sound(database)
        assert committed(database) in (old, new)
        remove("a.*")
        database.write_bytes(kept)
    assert command(*arguments).status == 1
    assert committed(database) == new
    assert {*os.listdir()} - {"a.db3-history"} == {"a.db3", "a.rejects.pgn", "big.pgn", "in.pgn"}


def test_dedup(command: Command, folder: Path) -> None:
    database = folder / "a.db3"
    command("create", database, folder / "big.pgn", "-q")
    change(database, "INSERT INTO Info VALUES ('Players consolidated', 'an older state')")
    kept = database.read_bytes()
    flags = (  # and who played: both are written by one run, or neither
        "SELECT ID, DuplicateStatus, DuplicateGroup, WhitePersonID FROM FlaggedGames ORDER BY ID"
    )
    clear = query(database, flags)
    whole_s = duration_s("dedup", database)
    flagged = query(database, flags)
    assert flagged[11_999][:3] == (12_000, "exact", 11_991)
    assert clear[11_999][3] is None
    assert flagged[11_999][3] is not None
    remove("a.db3*")
    database.write_bytes(kept)
    for _ in killed_runs(whole_s, "dedup", database):
        assert command("printpgn", database, "-g", 3).status == 0
        assert is_sound(database)
        assert query(database, flags) in (clear, flagged)
        remove("a.db3*")
        database.write_bytes(kept)
    assert command("dedup", database).status == 0
    assert query(database, flags) == flagged


def rows_without_times(database: Path) -> dict[str, list[Row]]:
    """Return the content without the times of removal, the third column from the end."""
    after = content(database)
    after.pop("UnpublishedFiles", None)
    after["RemovedGames"] = [(*row[:-3], *row[-2:]) for row in after["RemovedGames"]]
    return after


@pytest.mark.parametrize(
    "options", [[], ["--delete", "--merge-variations"], ["--delete", "--purge"]], ids=" ".join
)
def test_dedup_with_merges(command: Command, folder: Path, options: list[str]) -> None:
    """After repeated kills, a complete run gives the result of an undisturbed run."""
    database = folder / "a.db3"
    Path("made.pgn").write_text(collection_text() * 30, encoding="utf-8")
    command("create", database, "made.pgn", "-q")
    kept = database.read_bytes()
    old = rows_without_times(database)
    whole_s = duration_s("dedup", database, *options)
    new = rows_without_times(database)
    assert old != new
    remove("a.*")
    database.write_bytes(kept)
    for number, _ in enumerate(killed_runs(whole_s, "dedup", database, *options, loop_s=2)):
        assert command("printpgn", database, "-g", 3).status == 0  # whatever the kill left there
        assert is_sound(database)
        actual = rows_without_times(database)
        if "--purge" not in options:
            assert actual in (old, new)
        # What is no longer in the database is in a file that is whole.
        gone = len(old["Games"]) - len(actual["Games"])
        files = [*folder.glob("a.removed-*.pgn"), *folder.glob(".a.removed-*.tmp")]
        games = [path.read_bytes().count(b"[Event ") for path in files]
        assert gone == 0 or gone in games
        if number % 2 or actual != old:  # else the next one starts from what this one has left
            remove("a.*")
            database.write_bytes(kept)
    assert command("dedup", database, *options).status == 0
    assert rows_without_times(database) == new
    assert value(database, "SELECT count(*) FROM UnpublishedFiles") == 0
    assert not list(folder.glob(".*"))
    count = value(database, "SELECT count(*) FROM Games WHERE ExtraTags ->> 'Label' = '1 again'")
    assert (count == 0) == bool(options)
    assert "1 again" in EXPECTED_COPIES


def dump_without_times(database: Path) -> dict[str, list[tuple[object, ...]]]:
    content = committed(database)
    times = ("Players consolidated at",)
    content["Info"] = [(name, name in times or text) for name, text in content["Info"]]
    return content


def test_players(command: Command, folder: Path) -> None:
    """Unchanged, without the list, or with all names resolved and all results."""
    database = folder / "a.db3"
    persons = [*known_persons(), *crowd(3000)]
    fide = write_list(folder, persons)
    text = "".join(
        game(f"{RUY_LOPEZ} *", White=white.name, Black=black.name[: 9 + number % 9])
        for number, (white, black) in enumerate(zip(persons, persons[::-1], strict=True))
    )
    Path("names.pgn").write_text(text)
    command("create", database, "names.pgn", "-q")
    kept = database.read_bytes()
    old = dump_without_times(database)
    arguments = ("players", database, "--fide-xml", fide)
    whole_s = duration_s(*arguments)
    new = dump_without_times(database)
    assert len(new["Persons"]) > 2000
    assert old["FidePlayers"] == old["Persons"] == []
    remove("a.db3*")
    database.write_bytes(kept)
    for _ in killed_runs(whole_s, *arguments):
        assert command("printpgn", database, "-g", 3).status == 0  # whatever the kill left there
        assert is_sound(database)
        assert dump_without_times(database) in (old, new)
        remove("a.db3*")
        database.write_bytes(kept)
    assert command(*arguments).status == 0
    assert dump_without_times(database) == new


def test_upgrade(command: Command, folder: Path) -> None:
    database = folder / "o.db3"
    moves = " ".join(san_of(mainline(1)))
    write_ocgdb(database, [OcgdbGame("Alpha, A", "Beta, B", moves, result="1-0")])
    for _ in range(13):
        change(
            database,
            "INSERT INTO Games (EventID, Round, WhiteID, BlackID, Date, PlyCount, Moves2) "
            "SELECT EventID, Round, WhiteID, BlackID, Date, PlyCount, Moves2 FROM Games",
        )
    kept = database.read_bytes()
    arguments = ("dedup", database, "--upgrade")
    whole_s = duration_s(*arguments)
    assert value(database, "SELECT count(*) FROM FlaggedGames WHERE DuplicateGroup = 1") == 8192
    remove("o.db3*")
    database.write_bytes(kept)
    old = committed(database)
    for _ in killed_runs(whole_s, *arguments):
        assert command("printpgn", database, "-g", 3).status == 0
        assert is_sound(database)
        if value(database, "PRAGMA application_id"):  # upgraded: then all of it, and with a copy
            assert query(database, "SELECT count(*), count(MoveHash) FROM Games") == [(8192, 8192)]
            assert dump(folder / "o.db3.before-upgrade") == old
        else:
            assert "MoveHash" not in columns(database, "Games")
        remove("o.db3*")
        database.write_bytes(kept)


def test_repair(command: Command, folder: Path) -> None:
    """All damage is repaired or none; the backup copy is complete."""
    database = folder / "a.db3"
    command("create", database, folder / "big.pgn", "-q")
    command("dedup", database, "-q")
    sound = without_states(database)
    change(database, "UPDATE Games SET PlyCount = 1, SampledKey = 1, DateQuality = 13")
    change(database, "INSERT INTO Comments (GameID, Ply, Comment) VALUES (99999, 0, 'lost')")
    kept = database.read_bytes()
    damaged = without_states(database)
    arguments = ("check", database, "--repair")
    whole_s = duration_s(*arguments)
    assert without_states(database) == sound
    remove("a.*")
    database.write_bytes(kept)
    for _ in killed_runs(whole_s, *arguments):
        assert command("printpgn", database, "-g", 3).status == 0  # whatever the kill left there
        assert is_sound(database)
        result = without_states(database)
        assert result in (damaged, sound)
        if result == sound:
            assert without_states(folder / "a.db3.before-repair") == damaged
        remove("a.*")
        database.write_bytes(kept)
    assert command(*arguments).status == 1
    assert without_states(database) == sound


def without_states(database: Path) -> dict[str, list[Row]]:
    """Return the rows of all tables except Info, which then marks the search as stale."""
    return {
        table: rows
        for table, rows in committed(database).items()
        if table not in ("Info", "sqlite_sequence")
    }


def leave_hot_journal(command: Command) -> None:
    """Make a.db3 and its journal as left by a run killed while writing; live.db3 is intact."""
    command("create", "live.db3", "big.pgn", "-q")
    with contextlib.closing(sqlite3.connect("live.db3", isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 10")  # so that pages go to the file before COMMIT
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE Games SET Round = 'spoilt', Moves2 = x'00'")
        for suffix in ("", "-journal"):  # the files as a kill at this moment would leave them
            shutil.copyfile(f"live.db3{suffix}", f"a.db3{suffix}")
        connection.execute("ROLLBACK")
    assert b"spoilt" in Path("a.db3").read_bytes()


def test_overwriting_what_a_killed_run_left(command: Command, folder: Path) -> None:
    """The old journal was once rolled into the new database, which damaged it."""
    leave_hot_journal(command)
    assert command("create", "a.db3", "in.pgn", "--force").status == 0
    assert not Path("a.db3-journal").exists()
    assert value("a.db3", "SELECT count(*) FROM Games") == 3
    assert is_sound("a.db3")


@pytest.mark.parametrize(
    "arguments",
    [
        ["printpgn", "a.db3", "-g", "3"],
        ["export", "a.db3", "-o", "out.pgn"],
        ["info", "a.db3"],
        ["check", "a.db3"],
        ["dedup", "a.db3", "--dry-run"],
        ["dedup", "a.db3"],
        ["create", "a.db3", "in.pgn", "--append"],
    ],
    ids=" ".join,
)
def test_reading_after_a_killed_write(command: Command, folder: Path, arguments: list[str]) -> None:
    """A journal that must be rolled back once made every command that only reads fail."""
    leave_hot_journal(command)
    old = dump("live.db3")
    assert command(*arguments).status == 0
    games = "SELECT count(*), sum(Round = 'spoilt') FROM Games WHERE ID <= 12000"
    assert query("a.db3", games) == [(12_000, 0)]
    assert is_sound("a.db3")
    if arguments[0] in ("printpgn", "export", "info", "check"):
        assert dump("a.db3") == old


def test_nothing_that_stops_the_next_and_nothing_of_the_users(
    command: Command, folder: Path
) -> None:
    """Files of other programs were once deleted."""
    names = [
        "a.db3.partial",
        "a.db3.partial.lock",
        "a.db3.partial-journal",
        "a.rejects.pgn.partial",
    ]
    for name in names:
        Path(name).write_bytes(b"mine" * 999)
    assert command("create", "a.db3", "big.pgn").status == 1
    assert value("a.db3", "SELECT count(*) FROM Games") == 12_000
    assert is_sound("a.db3")
    assert {Path(name).read_bytes() for name in names} == {b"mine" * 999}
