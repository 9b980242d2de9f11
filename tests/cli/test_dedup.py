"""dedup: flags, second runs, refused databases, both streams."""

from __future__ import annotations

import os
import re
import resource
import sqlite3
from pathlib import Path

import pytest

from ocgdedup.store.connection import SCHEMA_VERSION
from tests.support.command_line import Command
from tests.support.databases import Row, change, dump, is_sound, query, value
from tests.support.dedup_results import content, statuses
from tests.support.pgn_text import QUEENS_GAMBIT, RUY_LOPEZ, game
from tests.support.played_games import QUICK_DRAW, Record, copy_of, mainline, moves_of, pgn_text
from tests.support.played_games import game as played

# OCGDB's own line, as its author published it, is of this form.
OCGDB_LINE = re.compile(
    r"#games: (\d+), elapsed: (\d+)ms (\d\d:)?\d\d:\d\d, speed: \d+ games/s, #duplicates: (\d+)\n"
)
FLAGS = "SELECT ID, DuplicateStatus, DuplicateGroup FROM FlaggedGames ORDER BY ID"
FLAGGED = [(1, None, 1), (2, None, None), (3, "exact", 1)]
SUMMARY = (
    "duplicates: 1 in 1 group: 1 exact, 0 truncated, 0 near-identical\n"
    "possible duplicates: 0 pairs\n"
    "changed groups: 1, games with merged headers: 0\n"
    "undo with: ocgdedup dedup --undo a.db3\n"
)
ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
UNCHANGED = "nothing changed since the last search; use --full to search again\n"


def clear(*ids: int) -> list[Row]:
    return [(number, None, None) for number in ids]


def duplicates(out: str) -> int:
    result = OCGDB_LINE.fullmatch(out)
    assert result, out
    return int(result[4])


@pytest.fixture
def three(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database of two games and a duplicate of the first."""
    monkeypatch.chdir(tmp_path)
    records = played(1), played(17), copy_of(played(1), "again")
    Path("in.pgn").write_text("".join(map(pgn_text, records)))
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def load(command: Command, *games: str | Record) -> str:
    texts = (source if isinstance(source, str) else pgn_text(source) for source in games)
    Path("more.pgn").write_text("".join(texts))
    assert command("create", "b.db3", "more.pgn", "-q", "--force").status == 0
    return "b.db3"


def test_each_duplicate_is_flagged(command: Command, three: str) -> None:
    status, out, err = command("dedup", three, "--no-players")
    assert (status, err) == (0, SUMMARY)
    result = OCGDB_LINE.fullmatch(out)
    assert (result.group(1), result.group(4)) == ("3", "1")
    assert query(three, FLAGS) == FLAGGED


def test_duplicates_are_counted_not_pairs(command: Command, three: str) -> None:
    database = load(command, *[copy_of(played(1), str(number)) for number in range(5)])
    assert duplicates(command("dedup", database).out) == 4
    assert {row[2] for row in query(database, FLAGS)} == {1}


def test_second_run_changes_nothing(command: Command, three: str) -> None:
    command("dedup", three)
    before = Path(three).read_bytes()
    status, out, err = command("dedup", three)
    assert (status, duplicates(out)) == (0, 1)
    assert err == "".join(SUMMARY.splitlines(keepends=True)[:2]) + UNCHANGED
    assert Path(three).read_bytes() == before


def test_a_full_run_over_the_same_writes_the_same(command: Command, three: str) -> None:
    command("dedup", three)
    before = content(three)
    status, out, err = command("dedup", three, "--full")
    # Nothing is new, so it is still the first run that can be undone.
    summary = "".join(SUMMARY.splitlines(keepends=True)[:-1])
    assert (status, duplicates(out), err) == (0, 1, summary)
    assert content(three) == before


def test_other_options_are_a_reason_to_search_anew(command: Command, three: str) -> None:
    command("dedup", three)
    for options in (["--plycount", 71], ["--no-merge"], ["--keep", "first"], ["--defaults"]):
        assert UNCHANGED not in command("dedup", three, *options).err
        assert UNCHANGED in command("dedup", three, *options).err


def test_another_version_is_a_reason_to_search_anew(
    command: Command, three: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its weights may differ."""
    command("dedup", three)
    monkeypatch.setattr("ocgdedup.commands.dedup_search.__version__", "99.0.0")
    assert UNCHANGED not in command("dedup", three).err


def test_outdated_flags_are_removed(command: Command, three: str) -> None:
    command("dedup", three)
    change(three, "DELETE FROM Games WHERE ID = 1")
    assert duplicates(command("dedup", three).out) == 0
    assert query(three, FLAGS) == clear(2, 3)


def test_the_kept_game_is_the_lowest_remaining_id(command: Command, three: str) -> None:
    command("dedup", three)
    command("create", three, "in.pgn", "--append", "--again")
    change(three, "DELETE FROM Games WHERE ID = 1")
    command("dedup", three)
    assert query(three, FLAGS) == [
        (2, None, 2), (3, None, 3), (4, "exact", 3), (5, "exact", 2), (6, "exact", 3),
    ]  # fmt: skip


_INSERT = "INSERT INTO DuplicateFlags (GameID, DuplicateGroup, {0}) VALUES (3, 1, 'odd') "
_SET = _INSERT + "ON CONFLICT DO UPDATE SET {0} = 'odd'"
FOREIGN_FLAGS = (
    "INSERT OR REPLACE INTO DuplicateFlags VALUES (2, 'odd', 77, NULL, NULL)",
    "INSERT OR REPLACE INTO DuplicateFlags VALUES (2, 'join', 1, NULL, NULL)",
    _SET.format("DuplicateStatus"),
    _SET.format("DuplicateReason"),
    "DELETE FROM DuplicateFlags",
    "DELETE FROM DuplicateFlags WHERE GameID = 3",
    "UPDATE DuplicateFlags SET HeaderScore = HeaderScore + 1 WHERE GameID = 1",
    "INSERT INTO DuplicateFlags VALUES (88888, 'exact', 1, NULL, 5)",
)


@pytest.mark.slow
@pytest.mark.parametrize("statement", FOREIGN_FLAGS)
def test_flags_of_a_foreign_hand_are_replaced(command: Command, three: str, statement: str) -> None:
    """Before the first search, and after it without other changes."""
    change(three, statement)
    command("dedup", three)
    flagged = content(three)
    assert query(three, FLAGS) == FLAGGED
    change(three, statement)
    assert UNCHANGED not in command("dedup", three).err
    assert content(three) == flagged
    assert UNCHANGED in command("dedup", three).err


def test_dry_run_changes_no_byte(command: Command, three: str) -> None:
    before = Path(three).read_bytes()
    status, out, err = command("dedup", three, "--dry-run")
    assert (status, err) == (
        0,
        "duplicates: 1 in 1 group: 1 exact, 0 truncated, 0 near-identical\n"
        "possible duplicates: 0 pairs\ndry run: nothing was changed\n",
    )
    assert duplicates(out) == 1
    assert Path(three).read_bytes() == before
    assert {path.name for path in Path().iterdir()} == {three, "in.pgn"}


@pytest.mark.parametrize(("plies", "copies"), [(0, 1), (70, 1), (71, 0), (10**6, 0)])
def test_plycount(command: Command, three: str, plies: int, copies: int) -> None:
    for options in (["--dry-run"], []):
        out = command("dedup", three, "--plycount", plies, *options).out
        assert OCGDB_LINE.fullmatch(out).groups()[::3] == ("3", str(copies))
    assert (
        value(three, "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus = 'exact'") == copies
    )
    assert len(query(three, FLAGS)) == 3


def test_games_without_moves_are_no_copies(command: Command, three: str) -> None:
    """Of the same players at an unknown date: they may have met twice."""
    database = load(command, game("1-0", Result="1-0"), game("1-0", Result="1-0"))
    assert duplicates(command("dedup", database, "--plycount", 0).out) == 0
    assert query(database, FLAGS) == clear(1, 2)


def test_short_games_of_an_unknown_time_are_no_copies(command: Command, three: str) -> None:
    database = load(
        command,
        game(f"{RUY_LOPEZ} *"),
        game(f"{RUY_LOPEZ} 4. Ba4 *"),
        game(f"{QUEENS_GAMBIT} 1-0", White="Somebody", Date="1900.01.01"),
        game(f"{QUEENS_GAMBIT} 0-1", White="Else"),
    )
    command("dedup", database)
    assert query(database, FLAGS) == clear(1, 2, 3, 4)


def test_a_prefix_is_no_exact_duplicate(command: Command, three: str) -> None:
    short = copy_of(played(1), "cut", moves=mainline(1)[:60])
    database = load(command, short, played(1))
    command("dedup", database)
    assert query(database, FLAGS) == [(1, "subsumption", 2), (2, None, 2)]


def test_transpositions_are_no_copies(command: Command, three: str) -> None:
    database = load(command, game("1. Nf3 Nf6 2. Nc3 Nc6 *"), game("1. Nc3 Nc6 2. Nf3 Nf6 *"))
    command("dedup", database)
    assert query(database, FLAGS) == clear(1, 2)


def test_start_positions_count_but_not_their_counters(command: Command, three: str) -> None:
    standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
    ending = "8/P3k3/8/8/8/8/p3K3/8 w - - "
    moves = moves_of("e2d3 e7d6 d3c4 d6c6 c4b4 c6b6 b4c4 b6c6 c4d4 c6d6 d4e4 d6e6")
    ended = played(2, moves=moves)
    database = load(
        command,
        played(1),
        played(1)._replace(fen=f"{standard}0 1"),
        played(1)._replace(fen=f"{standard}7 30"),
        ended._replace(fen=f"{ending}0 1"),
        ended._replace(fen=f"{ending}5 60"),
        ended._replace(fen="8/P3k3/8/8/8/8/p3K2R/8 w - - 0 1"),
    )
    command("dedup", database)
    assert query(database, FLAGS) == [
        (1, None, 1), (2, "exact", 1), (3, "exact", 1), (4, None, 4), (5, "exact", 4), *clear(6),
    ]  # fmt: skip


def test_annotations_do_not_count(command: Command, three: str) -> None:
    annotated = copy_of(played(1), "annotated")._replace(
        notes={0: "{Well}", 8: "$1 {known}", 30: "$5"}
    )
    database = load(command, played(1), annotated)
    command("dedup", database, "--keep", "first")
    assert query(database, FLAGS) == [(1, None, 1), (2, "exact", 1)]


def test_equal_moves_alone_are_no_duplicate(command: Command, three: str) -> None:
    """A quick draw that is played often."""
    database = load(command, *[played(number, moves=QUICK_DRAW) for number in range(1, 6)])
    command("dedup", database)
    assert query(database, FLAGS) == clear(1, 2, 3, 4, 5)


def test_equal_hash_of_different_moves_is_no_duplicate(command: Command, three: str) -> None:
    change(three, "UPDATE Games SET MoveHash = 5")
    command("dedup", three)
    assert query(three, FLAGS) == FLAGGED


def test_works_without_indexes(command: Command, three: str) -> None:
    command("create", "bare.db3", "in.pgn", "--no-index")
    command("dedup", "bare.db3")
    command("dedup", three)
    assert query("bare.db3", FLAGS) == query(three, FLAGS) == FLAGGED


def test_nothing_but_the_flags_is_touched(command: Command, three: str) -> None:
    before = dump(three)
    command("dedup", three, "--no-players")
    assert statuses(three) == {"1 again": ("exact", None, "1")}
    change(three, "DELETE FROM DuplicateFlags")
    change(three, "DELETE FROM Info WHERE Name LIKE '%uplicates%' OR Name LIKE 'Undo of dedup%'")
    change(three, "DELETE FROM Info WHERE Name = 'Verdicts rest on'")
    change(three, "DELETE FROM Verdicts")
    change(three, "DROP INDEX DuplicateFlagsGroup")
    assert dump(three) == before


def test_quiet(command: Command, three: str) -> None:
    assert command("dedup", three, "-q") == (0, "", "")
    assert query(three, FLAGS) == FLAGGED
    assert command("dedup", three, "-q", "--undo") == (0, "", "")
    assert query(three, FLAGS) == clear(1, 2, 3)
    assert command("dedup", three, "-q", "--delete") == (0, "", "")
    assert len(query(three, FLAGS)) == 2


def test_interrupted(command: Command, three: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At any time: before flags are written, and after."""
    before = dump(three)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    dedup, resolve = "ocgdedup.commands.dedup_search", "ocgdedup.pipeline.search.resolve"
    for place in (
        f"{dedup}.find_duplicates", f"{resolve}.resolve", f"{dedup}.write_possible_duplicates",
        f"{dedup}.search_state.write_basis",
    ):  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setattr(place, interrupt)
            status, out, err = command("dedup", three)
        assert (status, out) == (130, "")
        assert err == "ocgdedup: interrupted; nothing was changed; the same command starts again\n"
        assert dump(three) == before


@pytest.mark.parametrize("options", [[], ["--delete"]], ids=" ".join)
def test_full_disk(command: Command, made: str, spawn, options: list[str]) -> None:
    """The file is unchanged, and no partial file is left."""
    before = dump(made)
    limit = Path(made).stat().st_size

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    process = spawn("dedup", Path(made).absolute(), *options, cwd=ROOT, preexec_fn=limit_files)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(b"ocgdedup: error: ")
    assert err.count(b"\n") == 1
    assert b"a.db3: nothing was changed: " in err
    assert dump(made) == before
    assert is_sound(made)
    assert not list(Path().glob("*.partial"))


def test_empty_database(command: Command, three: str) -> None:
    database = load(command)
    for options in ([], ["--dry-run"], ["--full"], ["--delete"], ["--purge"], ["--undo"]):
        status, out, _ = command("dedup", database, *options)
        assert status == 0
        if options != ["--undo"]:
            assert OCGDB_LINE.fullmatch(out).groups()[::3] == ("0", "0")


# --- what is refused, by every command that opens a database ----------------------------------

OPENING = {
    "dedup": ["dedup", "DB"],
    "dedup --dry-run": ["dedup", "DB", "--dry-run"],
    "dedup --undo": ["dedup", "DB", "--undo"],
    "dedup --explain": ["dedup", "DB", "--explain", "1", "2"],
    "dedup --method": ["dedup", "DB", "--method", "moves"],
    "players": ["players", "DB"],
    "players --undo": ["players", "DB", "--undo"],
    "players --show": ["players", "DB", "--show", "Alpha, A"],
    "printpgn": ["printpgn", "DB", "-g", "1"],
    "printpgn --group": ["printpgn", "DB", "--group", "1"],
    "export": ["export", "DB", "-o", "out.pgn"],
    "create --append": ["create", "DB", "in.pgn", "--append"],
}
each_command = pytest.mark.parametrize("arguments", OPENING.values(), ids=OPENING)


def refusal(command: Command, arguments: list[str], database: str) -> str:
    """Return the message; the command must fail and leave only the database."""
    before = set(Path.cwd().iterdir())
    content = Path(database).read_bytes() if Path(database).is_file() else None
    status, out, err = command(*[database if word == "DB" else word for word in arguments])
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: ")
    assert err.count("\n") == 1
    assert set(Path.cwd().iterdir()) == before
    assert content is None or Path(database).read_bytes() == content
    return err


@each_command
def test_newer_schema(command: Command, three: str, arguments: list[str]) -> None:
    change(three, "PRAGMA user_version = 4711")
    message = refusal(command, arguments, three)
    assert "schema version 4711" in message
    assert f"up to {SCHEMA_VERSION};" in message


@each_command
def test_absent_database(command: Command, three: str, arguments: list[str]) -> None:
    assert "absent.db3: there is no such database" in refusal(command, arguments, "absent.db3")
    assert not Path("absent.db3").exists()


@each_command
@pytest.mark.parametrize("content", [b"", b"SQLite", b'[Event "PGN"]\n', b"\0" * 5000])
def test_no_database(command: Command, three: str, arguments: list[str], content: bytes) -> None:
    Path("odd.db3").write_bytes(content)
    assert "odd.db3: is not an SQLite database" in refusal(command, arguments, "odd.db3")


@each_command
def test_another_programs_database(command: Command, three: str, arguments: list[str]) -> None:
    sqlite3.connect("odd.db3").execute("CREATE TABLE Photos (ID INTEGER)").connection.close()
    assert "odd.db3: is not a database of ocgdedup or OCGDB" in refusal(
        command, arguments, "odd.db3"
    )


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
        (["a.db3", "--keep", "all"], "--keep: invalid choice: 'all'"),
        (
            ["a.db3", "--accuracy", "high"],
            "--accuracy: invalid choice: 'high'",
        ),
        (["a.db3", "--gate-diff-ratio", "1.5"], "'1.5' is no number from 0 to 1"),
        (["a.db3", "--gate-diff-ratio", "nan"], "'nan' is no number from 0 to 1"),
        (["a.db3", "--monge-elkan", "much"], "'much' is no number from 0 to 1"),
        (["a.db3", "--gate-min-ply", "-1"], "'-1' is no whole number"),
        (["a.db3", "--explain"], "--explain: expected at least one argument"),
        (["a.db3", "--explain", "1", "x"], "--explain: invalid int value: 'x'"),
        (["a.db3", "--method", "guess"], "--method: invalid choice: 'guess'"),
        (["a.db3", "--dry-run", "--undo"], "not allowed with argument"),
        (["a.db3", "--undo", "--explain", "1", "2"], "not allowed with argument"),
        (["a.db3", "--method", "moves", "--dry-run"], "not allowed with argument"),
    ],
)
def test_usage(command: Command, arguments: list[str], message: str) -> None:
    status, out, err = command("dedup", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup dedup: error: ")
    assert message in err
