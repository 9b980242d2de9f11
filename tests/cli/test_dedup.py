"""dedup: what is flagged, options, databases that are refused, both streams."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import Row, change, dump, query, value
from tests.support.pgn_text import QUEENS_GAMBIT, RUY_LOPEZ, THREE_GAMES, game

# OCGDB's own line, as its author published it, is of this form.
OCGDB_LINE = re.compile(
    r"#games: (\d+), elapsed: (\d+)ms (\d\d:)?\d\d:\d\d, speed: \d+ games/s, #duplicates: (\d+)\n"
)
FLAGS = "SELECT ID, DuplicateStatus, DuplicateGroup FROM Games ORDER BY ID"


def clear(*ids: int) -> list[Row]:
    return [(number, None, None) for number in ids]


@pytest.fixture
def three(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def load(command: Command, *games: str) -> str:
    Path("more.pgn").write_text("".join(games))
    assert command("create", "b.db3", "more.pgn", "-q").status == 0
    return "b.db3"


def test_flags_each_copy(command: Command, three: str) -> None:
    status, out, err = command("dedup", three, "--no-players")
    assert (status, err) == (0, "")
    found = OCGDB_LINE.fullmatch(out)
    assert (found.group(1), found.group(4)) == ("3", "1")
    assert query(three, FLAGS) == [(1, None, 1), (2, None, None), (3, "exact", 1)]


def test_counts_copies_not_pairs(command: Command, three: str) -> None:
    database = load(command, *[game(f"{RUY_LOPEZ} 1-0", Round=str(n)) for n in range(5)])
    assert OCGDB_LINE.fullmatch(command("dedup", database).out).group(4) == "4"
    assert {row[2] for row in query(database, FLAGS)} == {1}


def test_second_run_changes_nothing(command: Command, three: str) -> None:
    command("dedup", three)
    flags = query(three, FLAGS)
    assert OCGDB_LINE.fullmatch(command("dedup", three).out).group(4) == "1"
    assert query(three, FLAGS) == flags


def test_flags_that_no_longer_hold_are_taken_back(command: Command, three: str) -> None:
    command("dedup", three)
    change(three, "DELETE FROM Games WHERE ID = 1")
    assert OCGDB_LINE.fullmatch(command("dedup", three).out).group(4) == "0"
    assert query(three, FLAGS) == clear(2, 3)


def test_master_is_the_lowest_id_that_is_left(command: Command, three: str) -> None:
    command("dedup", three)
    command("create", three, "in.pgn", "--append")
    change(three, "DELETE FROM Games WHERE ID = 1")
    command("dedup", three)
    assert query(three, FLAGS) == [
        (2, None, 2), (3, None, 3), (4, "exact", 3), (5, "exact", 2), (6, "exact", 3),
    ]  # fmt: skip


def test_flags_of_a_foreign_hand_are_replaced(command: Command, three: str) -> None:
    change(three, "UPDATE Games SET DuplicateGroup = 77, DuplicateStatus = 'odd' WHERE ID = 2")
    command("dedup", three)
    command("dedup", three)
    assert query(three, FLAGS) == [(1, None, 1), (2, None, None), (3, "exact", 1)]


def test_dry_run_changes_no_byte(command: Command, three: str) -> None:
    before = Path(three).read_bytes()
    status, out, err = command("dedup", three, "--dry-run")
    assert (status, err) == (0, "")
    assert OCGDB_LINE.fullmatch(out).group(4) == "1"
    assert Path(three).read_bytes() == before


@pytest.mark.parametrize(("plies", "copies"), [(0, 1), (6, 1), (7, 0), (10**6, 0)])
def test_plycount(command: Command, three: str, plies: int, copies: int) -> None:
    out = command("dedup", three, "--plycount", plies).out
    assert OCGDB_LINE.fullmatch(out).groups()[::3] == ("3", str(copies))
    assert len(query(three, FLAGS + "")) == 3
    assert value(three, "SELECT count(*) FROM Games WHERE DuplicateStatus = 'exact'") == copies


def test_games_without_moves_are_no_copies(command: Command, three: str) -> None:
    database = load(command, game("1-0", Result="1-0"), game("1-0", Result="1-0"))
    out = command("dedup", database, "--plycount", 0).out
    assert OCGDB_LINE.fullmatch(out).group(4) == "0"
    assert query(database, FLAGS) == clear(1, 2)


def test_a_prefix_is_no_exact_copy(command: Command, three: str) -> None:
    database = load(command, game(f"{RUY_LOPEZ} *"), game(f"{RUY_LOPEZ} 4. Ba4 *"))
    command("dedup", database)
    assert query(database, FLAGS) == clear(1, 2)


def test_transpositions_are_no_copies(command: Command, three: str) -> None:
    database = load(command, game("1. Nf3 Nf6 2. Nc3 Nc6 *"), game("1. Nc3 Nc6 2. Nf3 Nf6 *"))
    command("dedup", database)
    assert query(database, FLAGS) == clear(1, 2)


def test_start_positions_count_but_not_their_counters(command: Command, three: str) -> None:
    standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
    ending = "8/P3k3/8/8/8/8/p3K3/8 w - - "
    database = load(
        command,
        game("1. e4 *"),
        game("1. e4 *", FEN=standard + "0 1", SetUp="1"),
        game("1. e4 *", FEN=standard + "7 30", SetUp="1"),
        game("1. Kd3 *", FEN=ending + "0 1", SetUp="1"),
        game("1. Kd3 *", FEN=ending + "5 60", SetUp="1"),
        game("1. Kd3 *", FEN="8/P3k3/8/8/8/8/p3K2R/8 w - - 0 1", SetUp="1"),
    )
    command("dedup", database)
    assert query(database, FLAGS) == [
        (1, None, 1), (2, "exact", 1), (3, "exact", 1), (4, None, 4), (5, "exact", 4), *clear(6),
    ]  # fmt: skip


def test_tags_and_annotations_do_not_count(command: Command, three: str) -> None:
    database = load(
        command,
        game(f"{QUEENS_GAMBIT} 1-0", White="Somebody", Date="1900.01.01"),
        game(f"{{Well}} {QUEENS_GAMBIT} $1 {{known}} (4... Be7) 0-1", White="Else"),
    )
    command("dedup", database)
    assert query(database, FLAGS) == [(1, None, 1), (2, "exact", 1)]


def test_equal_hash_of_other_moves_is_no_copy(command: Command, three: str) -> None:
    change(three, "UPDATE Games SET MoveHash = 5")
    command("dedup", three)
    assert query(three, FLAGS) == [(1, None, 1), (2, None, None), (3, "exact", 1)]


def test_works_without_indexes(command: Command, three: str) -> None:
    command("create", "bare.db3", "in.pgn", "--no-index")
    command("dedup", "bare.db3")
    command("dedup", three)
    assert query("bare.db3", FLAGS) == query(three, FLAGS)


def test_nothing_but_the_flags_is_touched(command: Command, three: str) -> None:
    before = dump(three)
    command("dedup", three, "--no-players")
    change(three, "UPDATE Games SET DuplicateStatus = NULL, DuplicateGroup = NULL")
    change(three, "DELETE FROM Info WHERE Name LIKE '%uplicates%'")
    assert dump(three) == before


def test_quiet(command: Command, three: str) -> None:
    assert command("dedup", three, "-q") == (0, "", "")
    assert query(three, FLAGS)[2] == (3, "exact", 1)


def test_empty_database(command: Command, three: str) -> None:
    status, out, _ = command("dedup", load(command))
    assert status == 0
    assert OCGDB_LINE.fullmatch(out).groups()[::3] == ("0", "0")


# --- what is refused, by every command that opens a database ----------------------------------

OPENING = {
    "dedup": ["dedup", "DB"],
    "dedup --dry-run": ["dedup", "DB", "--dry-run"],
    "players": ["players", "DB"],
    "players --undo": ["players", "DB", "--undo"],
    "players --show": ["players", "DB", "--show", "Alpha, A"],
    "printpgn": ["printpgn", "DB", "-g", "1"],
    "export": ["export", "DB", "-o", "out.pgn"],
    "create --append": ["create", "DB", "in.pgn", "--append"],
}
each_command = pytest.mark.parametrize("arguments", OPENING.values(), ids=OPENING)


def refusal(command: Command, arguments: list[str], database: str) -> str:
    """Return the message; the command must fail and leave no file behind but the database."""
    there = set(Path.cwd().iterdir())
    content = Path(database).read_bytes() if Path(database).is_file() else None
    status, out, err = command(*[database if word == "DB" else word for word in arguments])
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: ")
    assert err.count("\n") == 1
    assert set(Path.cwd().iterdir()) == there
    assert content is None or Path(database).read_bytes() == content
    return err


@each_command
def test_newer_schema(command: Command, three: str, arguments: list[str]) -> None:
    change(three, "PRAGMA user_version = 4711")
    message = refusal(command, arguments, three)
    assert "schema version 4711" in message
    assert "up to 2;" in message


@each_command
def test_absent_database(command: Command, three: str, arguments: list[str]) -> None:
    assert "absent.db3: there is no such database" in refusal(command, arguments, "absent.db3")
    assert not Path("absent.db3").exists()


@each_command
@pytest.mark.parametrize("content", [b"", b"SQLite", b'[Event "PGN"]\n', b"\0" * 5000])
def test_no_database(command: Command, three: str, arguments: list[str], content: bytes) -> None:
    Path("odd.db3").write_bytes(content)
    assert "odd.db3: is no SQLite database" in refusal(command, arguments, "odd.db3")


@each_command
def test_another_programs_database(command: Command, three: str, arguments: list[str]) -> None:
    sqlite3.connect("odd.db3").execute("CREATE TABLE Photos (ID INTEGER)").connection.close()
    assert "odd.db3: is no database of chess games" in refusal(command, arguments, "odd.db3")


@each_command
def test_damaged_database(command: Command, three: str, arguments: list[str]) -> None:
    Path("odd.db3").write_bytes(Path(three).read_bytes()[:300] + b"\xff" * 3000)
    refusal(command, arguments, "odd.db3")


@each_command
def test_folder_as_database(command: Command, three: str, arguments: list[str]) -> None:
    Path("folder").mkdir()
    assert "folder: " in refusal(command, arguments, "folder")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "GAMES.db3"),
        (["a.db3", "--plycount", "-1"], "--plycount: '-1' is no whole number"),
        (["a.db3", "--plycount", "x"], "--plycount: 'x' is no whole number"),
        (["a.db3", "b.db3"], "unrecognized arguments: b.db3"),
    ],
)
def test_usage(command: Command, arguments: list[str], message: str) -> None:
    status, out, err = command("dedup", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: ocgdedup")
    assert message in err
