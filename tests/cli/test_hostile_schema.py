"""Triggers, views and expressions that another program put into a database are not run."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import apsw
import pytest

import ocgdedup
from ocgdedup.errors import UsageError
from ocgdedup.store import selection
from ocgdedup.store.database import open_database
from ocgdedup.store.selection import Criteria, Selection
from tests.support.command_line import Command
from tests.support.databases import DROP_VIEWS, query, value
from tests.support.pgn_text import game

NUMBERS = "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N)"
ENDLESS = f"{NUMBERS} SELECT I AS ID FROM N WHERE I < 0"
NAMES = {"White": "Steinitz, Wilhelm", "Black": "Zukertort, Johannes"}
GAMES = game("1. e4 e5 2. Nf3 Nc6 *", **NAMES) * 2 + game("1. d4 d5 *", Round="2", **NAMES)
WRITING = [
    ("dedup",),
    ("dedup", "--full", "--delete"),
    ("dedup", "--purge"),
    ("dedup", "--reset"),
    ("players",),
    ("players", "--again"),
    ("signatures",),
    ("check", "--repair"),
    ("create", "in.pgn", "--append", "--again"),
]
READING = [
    ("info",),
    ("check",),
    ("export", "-o", "-"),
    ("export", "-o", "-", "--all", "--where", "DuplicateStatus IS NULL"),
    ("find", "--player", "Steinitz, Wilhelm"),
    ("printpgn", "--pairs"),
    ("review", "--list"),
    ("dedup", "--explain", "1", "2"),
]


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(GAMES, encoding="utf-8")
    assert command("create", "g.db3", "in.pgn").status == 0
    assert command("dedup", "g.db3").status == 0
    return "g.db3"


def run_script(path: str, sql: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)


def make_costly(path: str, name: str) -> None:
    """Have a table or index compute for minutes in place of abs(1)."""
    slow = "hex(zeroblob(300000)) GLOB ''*0*0*0*0*1''"
    run_script(
        path,
        f"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'abs(1)', "
        f"'{slow}') WHERE name = '{name}'; PRAGMA writable_schema = RESET",
    )


@pytest.mark.slow
def test_triggers_do_not_run_and_stay(command: Command, database: str) -> None:
    triggers = [
        f"CREATE TRIGGER {event}{table} AFTER {event} ON {table} BEGIN {action}; END"
        for table in ("Games", "Info", "DuplicateFlags", "Players")
        for event in ("INSERT", "UPDATE", "DELETE")
        for action in (f"INSERT INTO Comments (Ply) {ENDLESS}",)
    ]
    run_script(database, ";".join(triggers))
    for words in WRITING:
        result = command(words[0], database, *words[1:])
        assert result.status in (0, 1), result.err
        if words[0] != "check":  # which may find nothing to repair
            assert result.err.count("which ocgdedup does not run: INSERTGames") == 1
    assert value(database, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 12
    assert value(database, "SELECT count(*) FROM Games") > 1


def test_run_warns_of_triggers_once(command: Command, database: str) -> None:
    run_script(database, "CREATE TRIGGER T AFTER UPDATE ON Games BEGIN DELETE FROM Games; END")
    Path("more.pgn").write_text(game("1. c4 c5 *", White="D"), encoding="utf-8")
    result = command("run", "more.pgn", "--db", database, "-o", "u.pgn")
    assert result.err.count("does not run: T") == 1


def test_views_of_the_file_are_not_read_and_stay(command: Command, database: str) -> None:
    run_script(
        database,
        f"DROP VIEW FlaggedGames; CREATE VIEW FlaggedGames AS {ENDLESS};"
        f"CREATE VIEW Mine AS {ENDLESS}; CREATE VIEW Short AS SELECT count(*) FROM Games",
    )
    for words in (*READING, *WRITING):
        assert command(words[0], database, *words[1:]).status in (0, 1), words
    with ocgdedup.open(database) as games:
        # The user asks for it.
        assert games.execute("SELECT * FROM Short") == games.execute("SELECT count(*) FROM Games")
    views = query(database, "SELECT name FROM sqlite_master WHERE type = 'view'")
    assert {("FlaggedGames",), ("Mine",), ("Short",)} <= {*views}


def test_a_condition_may_name_views_of_the_file(command: Command, database: str) -> None:
    run_script(
        database,
        "CREATE VIEW Short AS SELECT ID AS Game FROM Games WHERE PlyCount = 2;"
        "CREATE VIEW Mine AS SELECT Game FROM Short;"
        "CREATE VIEW Extended AS SELECT load_extension('x') AS Game",
    )
    condition = "EXISTS (SELECT 1 FROM Mine WHERE Game = Games.ID)"
    assert command("export", database, "-o", "-", "--where", condition).out.count("[Event ") == 1
    assert command("find", database, "--where", condition).status == 0
    result = command("export", database, "-o", "-", "--where", "ID IN (SELECT Game FROM Extended)")
    assert result.status == 2
    assert "load_extension" in result.err


def test_a_view_in_a_condition_can_be_interrupted(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_script(database, f"CREATE VIEW Endless AS {ENDLESS}")
    monkeypatch.setattr(selection, "_go_on", lambda: True)
    criteria = Criteria(Selection(where="ID IN (SELECT ID FROM Endless)"))
    with contextlib.closing(open_database(database)) as opened:
        with pytest.raises(apsw.InterruptError):
            selection.selected_games(opened.connection, criteria)
        assert opened.connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, -1) == 0


@pytest.mark.parametrize("table", ["Games", "Comments", "Info", "Suspects", "DuplicateFlags"])
@pytest.mark.parametrize("body", [f"VIEW {{}} AS {ENDLESS}", "VIRTUAL TABLE {} USING fts5(ID)"])
def test_a_table_is_replaced(command: Command, database: str, table: str, body: str) -> None:
    run_script(database, f"{DROP_VIEWS} DROP TABLE {table}; CREATE {body.format(table)}")
    kind = "view" if body.startswith("VIEW") else "virtual table"
    for words in (*READING, *WRITING):
        result = command(words[0], database, *words[1:])
        if words[0] == "check":
            assert result.status == (1 if words == ("check",) else result.status)
        else:
            assert result.status == 2
            assert f"{table} is a {kind}, not a table" in result.err


# The SQL, and the table and part that the message names.
COSTLY = {
    "index": ("CREATE INDEX Slow ON Games(ECO, abs(1))", "Games", "index Slow"),
    "partial index": ("CREATE INDEX Slow ON Info(Name) WHERE abs(1)", "Info", "index Slow"),
    "check": ("ALTER TABLE Games ADD COLUMN Slow CHECK (abs(1))", "Games", "column Slow"),
    "generated": ("ALTER TABLE Info ADD COLUMN Slow AS (abs(1)) NOT NULL", "Info", "column Slow"),
}


@pytest.mark.parametrize("case", COSTLY)
def test_expressions_that_compute_too_much(command: Command, database: str, case: str) -> None:
    sql, table, part = COSTLY[case]
    message = f"{table}: {part} computes hex(); drop {part} with any SQLite client"
    run_script(database, sql)
    make_costly(database, "Slow" if "INDEX" in sql else sql.split()[2])
    for words in READING:
        result = command(words[0], database, *words[1:])
        assert result.status == (1 if words == ("check",) else 0), result.err
    assert "compute too much" in command("check", database).out
    for words in WRITING[:-2]:
        result = command(words[0], database, *words[1:])
        assert result.status == 2
        assert message in result.err


def test_a_generated_column(command: Command, database: str) -> None:
    run_script(database, "ALTER TABLE Games ADD COLUMN Year AS (substr(Date, 1, 4))")
    assert command("export", database, "-o", "-").status == 0
    assert (
        "Games: column Year is generated; drop column Year with" in command("dedup", database).err
    )
    assert command("check", database).status == 1


def test_a_table_of_another_program_that_computes_too_much(command: Command, database: str) -> None:
    run_script(database, "CREATE TABLE Mine (A CHECK (abs(1) = 1)); INSERT INTO Mine VALUES (1)")
    make_costly(database, "Mine")
    for words in (*READING, *WRITING):
        assert command(words[0], database, *words[1:]).status == 0, words


def test_plain_indexes_and_columns_of_others(command: Command, database: str) -> None:
    run_script(
        database,
        "CREATE INDEX Mine1 ON Games(ECO) WHERE ECO IS NOT NULL;"
        "CREATE INDEX Mine2 ON Games(ExtraTags ->> 'WhiteFideId', substr(Date, 1, 4));"
        "ALTER TABLE Games ADD COLUMN Note VARCHAR(20) DEFAULT 'x';"
        "ALTER TABLE Games ADD COLUMN Like Glob;"
        "ALTER TABLE Comments ADD COLUMN Regexp DECIMAL(9,2);"
        "CREATE INDEX Match ON Games(Like, round(WhiteElo), trim(ECO)) WHERE NOT Like IS NULL;",
    )
    for words in (*READING, *WRITING):
        assert command(words[0], database, *words[1:]).status == 0, words


@pytest.mark.parametrize("name", ["", ":memory:", "file:g.db3", "file::memory:?cache=shared"])
def test_names_that_mean_no_file(
    command: Command, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(GAMES, encoding="utf-8")
    before = sorted(path.name for path in Path.cwd().iterdir())
    for words in (*READING, *WRITING[:-1], ("create", "in.pgn")):
        result = command(words[0], name, *words[1:])
        assert result.status == 2
        assert "is not the name of a database file" in result.err, words
    assert command("run", "in.pgn", "--db", name, "-o", "u.pgn").status == 2
    with pytest.raises(UsageError):
        ocgdedup.create(name, ["in.pgn"])
    with pytest.raises(UsageError):
        ocgdedup.open(name)
    assert sorted(path.name for path in Path.cwd().iterdir()) == before
