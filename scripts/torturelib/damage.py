"""Hostile databases: odd values and texts, foreign triggers and views, odd schemas, broken pages.

Each case damages a copy of a sound database and runs some commands on copies of that. A command
works or fails with one line, and soon; one that reads leaves the file as it was, one that fails
leaves what it holds, and one that writes loses no moves.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from torturelib import running
from torturelib.forked import run_forked
from torturelib.model import Case, Outcome
from torturelib.starting_points import OCGDB_SCHEMA

Runner = Callable[[Path, Sequence[str]], Outcome]
COMMANDS_A_CASE = 4
MOST_DAMAGE = 3
LONGEST_S = 10  # of CPU time
# What sqlite3 raises for damage; its messages may name what it cannot decode.
_UNREADABLE = (sqlite3.Error, UnicodeError, OverflowError)
OCGDB, CHESS, GO = "ocgdb", "chess", "go"

_NUMBERS = "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N)"
_ENDLESS = f"{_NUMBERS} SELECT I AS ID FROM N WHERE I < 0"


def _slow(sql: str, name: str) -> str:
    """Return SQL that makes a table or index whose abs() takes minutes, when it is used later."""
    slow = "hex(zeroblob(200000)) GLOB '*0*0*0*1'"
    return (
        f"{sql}; PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = "
        f"replace(sql, 'abs(1)', '{slow.replace(chr(39), chr(39) * 2)}') WHERE name = '{name}'; "
        "PRAGMA writable_schema = RESET"
    )


# Values that a column may not hold, as SQL: of each type, and the limits of each.
_DEEP = '{"A":' * 3000 + '"x"' + "}" * 3000
VALUES = (
    "NULL", "0", "-1", "1", "65536", "4294967297", "9223372036854775807", "-9223372036854775808",
    "0.5", "-1e300", "9e999", "''", "'abc'", "'12abc'", "' '", "'?'", "'a' || char(0) || 'b'",
    "x''", "x'00'", "x'fffe41'", "x'4de96c6c6572'", "zeroblob(100001)",
    "CAST(x'4de96c6c6572' AS TEXT)", "CAST(x'fffe41c0af' AS TEXT)", "CAST(x'eda080' AS TEXT)",
    "CAST(x'7b2241223a22e9227d' AS TEXT)", "replace(hex(zeroblob(50000)), '0', 'a ')",
    "'{'", "'[]'", "'[1,2]'", "'{\"A\":1}'", "'{\"A\":null}'", "'{\"A\":{\"B\":[]}}'", "'null'",
    "'{\"WhiteFideId\":\"99999999999999999999\"}'", "'{\"A\":\"1\",\"A\":\"2\"}'", f"'{_DEEP}'",
    "'8/8/8/8/8/8/8/8 w - - 0 1'", "'9999.99.99'", "'0000.00.00'", "'1-0 '", "'other'",
    "char(27) || '[2J' || char(10)", "'[1e999]'", "'[[1]]'", "'{\"A\":1e400,\"B\":-1}'", "'true'",
    "'A\"]' || char(10) || '[Event \"B\"]' || char(10) || char(10) || '*'", "'e4) *'", "'{'",
    "'{\"A\\\"]\\n\\n*\\n\\n[Event \\\"B\":\"]\"}'", "'Nf3 } * ; ) ('", "char(10) || '%'",
    "'12345678901234567890123'", "1e18", "-0.0", "'../' || char(0)", "'/etc/passwd'",
)  # fmt: skip
STATEMENTS = (
    "DELETE FROM Players WHERE ID = (SELECT WhiteID FROM Games ORDER BY random() LIMIT 1)",
    "DELETE FROM Events WHERE ID = (SELECT EventID FROM Games ORDER BY random() LIMIT 1)",
    "UPDATE Games SET Moves2 = substr(Moves2, 1, 7)",
    "UPDATE Games SET Moves2 = (SELECT Moves2 FROM Games ORDER BY ID DESC LIMIT 1)",
    "UPDATE Games SET ID = 9223372036854775807 WHERE ID = (SELECT max(ID) FROM Games)",
    "UPDATE Games SET ID = -5 WHERE ID = 1",
    "UPDATE Games SET ID = 0 WHERE ID = 2",
    "UPDATE Players SET ID = 9223372036854775807 WHERE ID = 2",
    "UPDATE Players SET ID = 4000000000000 WHERE ID = 3",
    "UPDATE Players SET ID = -1 WHERE ID = 2",
    "UPDATE Events SET ID = 9223372036854775807 WHERE ID = 2",
    "INSERT OR REPLACE INTO DuplicateFlags SELECT ID, 'exact', ID + 1, NULL, NULL FROM Games",
    "INSERT OR REPLACE INTO DuplicateFlags SELECT ID, 'join', 1, NULL, NULL FROM Games",
    "UPDATE DuplicateFlags SET GameID = GameID + 1000",
    "UPDATE Games SET WhitePersonID = 999, BlackPersonID = -3",
    "UPDATE Games SET EventID = 9e12, SiteID = -9",
    "UPDATE sqlite_sequence SET seq = 'abc'",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "DELETE FROM sqlite_sequence",
    "CREATE TRIGGER Stop BEFORE UPDATE ON Games BEGIN SELECT RAISE(ABORT, 'stopped'); END",
    "CREATE TRIGGER Drop1 AFTER UPDATE ON Games BEGIN DELETE FROM Comments; END",
    "CREATE TRIGGER Loud AFTER INSERT ON Games BEGIN UPDATE Games SET Round = x'ff'; END",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 0", "PRAGMA user_version = 3", "PRAGMA user_version = 99",
    "PRAGMA user_version = -7", "PRAGMA application_id = 0", "PRAGMA application_id = 77",
    "PRAGMA auto_vacuum = FULL; VACUUM", "PRAGMA encoding = 'UTF-16'; VACUUM",
    "CREATE TABLE Foreign1 (A, B); INSERT INTO Foreign1 VALUES (CAST(x'ff' AS TEXT), x'00')",
    "CREATE VIRTUAL TABLE Search USING fts5(Text)",
    "ALTER TABLE Games ADD COLUMN Extra TEXT DEFAULT 'x'",
    "DELETE FROM Games", "DELETE FROM Info", "DELETE FROM Players", "DELETE FROM Sources",
    "INSERT INTO Info VALUES (CAST(x'ff' AS TEXT), 'a')", "UPDATE Info SET Value = NULL",
    f"CREATE TRIGGER Loop1 BEFORE UPDATE ON Games BEGIN INSERT INTO Comments (Ply) {_ENDLESS}; END",
    f"CREATE TRIGGER Loop2 AFTER INSERT ON Info BEGIN INSERT INTO Comments (Ply) {_ENDLESS}; END",
    f"CREATE TRIGGER Loop3 AFTER DELETE ON Info BEGIN {_ENDLESS}; END",
    f"DROP VIEW IF EXISTS FlaggedGames; CREATE VIEW FlaggedGames AS {_ENDLESS}",
    f"DROP VIEW IF EXISTS GamesNamed; CREATE VIEW GamesNamed AS {_ENDLESS}",
    f"CREATE VIEW Mine AS {_ENDLESS}",
    f"DROP TABLE Suspects; CREATE VIEW Suspects AS {_ENDLESS}",
    f"DROP TABLE Comments; CREATE VIEW Comments AS {_ENDLESS}",
    f"DROP TABLE Info; CREATE VIEW Info AS {_ENDLESS}",
    "CREATE INDEX Plain1 ON Games(ECO) WHERE ECO IS NOT NULL",
    "CREATE INDEX Plain2 ON Games(substr(Date, 1, 4))",
    "CREATE UNIQUE INDEX Only1 ON Info(substr(Name, 1, 0))",
    "CREATE UNIQUE INDEX Only2 ON Games(ID, Round)",
    "CREATE INDEX Odd1 ON Games(Round COLLATE NOCASE DESC, FEN)",
)  # fmt: skip


# After these SQLite itself may need minutes for a change: nothing else is damaged then.
SLOW_STATEMENTS = (
    _slow("CREATE INDEX Slow1 ON Games(ECO, abs(1) + ID)", "Slow1"),
    _slow("CREATE INDEX Slow2 ON Players(Name) WHERE abs(1) > ID", "Slow2"),
    _slow("ALTER TABLE Games ADD COLUMN Slow3 CHECK (abs(1) = 1)", "Games"),
    _slow("ALTER TABLE Games ADD COLUMN Slow4 AS (abs(1))", "Games"),
    _slow("ALTER TABLE Info ADD COLUMN Slow5 AS (abs(1)) NOT NULL", "Info"),
    _slow("CREATE TABLE Mine2 (ID CHECK (abs(1) = 1)); INSERT INTO Mine2 VALUES (1)", "Mine2"),
)


class Action(NamedTuple):
    """A command line behind the program; `{db}` is the database. `writes`: it may change it."""

    words: tuple[str, ...]
    writes: bool = False


ACTIONS = (
    Action(("info", "{db}")),
    Action(("info", "{db}", "--json")),
    Action(("check", "{db}")),
    Action(("check", "{db}", "--json")),
    Action(("check", "{db}", "--repair"), True),
    Action(("export", "{db}", "-o", "out.{pgn}")),
    Action(("export", "{db}", "-o", "out.{pgn}", "--all", "--sort", "date", "--split", "7")),
    Action(("export", "{db}", "-o", "o.{pgn}", "--duplicates", "d.{pgn}", "--player", "Müller")),
    Action(("export", "{db}", "--format", "csv", "-o", "tables")),
    Action(("export", "{db}", "--format", "jsonl", "-o", "tables", "--all")),
    Action(("export", "{db}", "--format", "parquet", "-o", "tables")),
    Action(("export", "{db}", "-o", "-", "--min-header-quality", "20", "--sort", "white")),
    Action(("printpgn", "{db}", "-g", "1", "2", "3", "17", "20")),
    Action(("printpgn", "{db}", "--diff", "1", "2")),
    Action(("printpgn", "{db}", "--pairs")),
    Action(("printpgn", "{db}", "--group", "1")),
    Action(("printpgn", "{db}", "-g", "1", "2", "--signature")),
    Action(("signatures", "{db}"), True),
    Action(("signatures", "{db}", "1", "2", "--json")),
    Action(("signatures", "{db}", "--report")),
    Action(("find", "{db}", "--player", "a", "--limit", "5")),
    Action(("find", "{db}", "--player", "Kasparov, Garry", "--year", "1980-2000", "--json")),
    Action(("find", "{db}", "--like", "3")),
    Action(("find", "{db}", "--move", "2=??")),
    Action(("find", "{db}", "--position", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")),
    Action(("find", "{db}", "--signature-a", "??????")),
    Action(("review", "{db}", "--list")),
    Action(("review", "{db}", "--decide", "decisions.csv", "--apply"), True),
    Action(("players", "{db}"), True),
    Action(("players", "{db}", "--again", "--report", "names.csv"), True),
    Action(("players", "{db}", "--undo"), True),
    Action(("players", "{db}", "--show", "Kasparov")),
    Action(("players", "{db}", "--fide-xml", "fide.xml", "--aliases", "spelling.ssp"), True),
    Action(("dedup", "{db}"), True),
    Action(("dedup", "{db}", "--full", "--report", "r.html"), True),
    Action(("dedup", "{db}", "--full", "--merge-variations", "--keep", "first"), True),
    Action(("dedup", "{db}", "--full", "--report", "r.csv", "--delete"), True),
    Action(("dedup", "{db}", "--upgrade", "--no-players", "--report", "r.json"), True),
    Action(("dedup", "{db}", "--delete", "--purge"), True),
    Action(("dedup", "{db}", "--purge"), True),
    Action(("dedup", "{db}", "--undo"), True),
    Action(("dedup", "{db}", "--restore"), True),
    Action(("dedup", "{db}", "--dry-run")),
    Action(("dedup", "{db}", "--explain", "1", "2")),
    Action(("dedup", "{db}", "--method", "all")),
    Action(("create", "{db}", "more.{pgn}", "--append", "--rejects", "x.{pgn}"), True),
    Action(("create", "{db}", "more.{pgn}", "--append", "--only-new"), True),
    Action(("run", "more.{pgn}", "--db", "{db}", "-o", "unique.{pgn}"), True),
)  # fmt: skip


def run_case(case: Case) -> str | None:
    """Damage a database and run commands on copies of it; return what went wrong."""

    def runner(folder: Path, words: Sequence[str]) -> Outcome:
        return run_forked(replace(case, folder=folder), *words)

    return attack(case, case.random(), runner)


def attack(case: Case, rng: random.Random, runner: Runner) -> str | None:
    """As run_case(); `runner` runs one command in a folder."""
    kind = rng.choice((CHESS, CHESS, CHESS, GO, OCGDB, OCGDB))
    bad = case.folder / "bad.db3"
    shutil.copy(sound_database(case, kind), bad)
    done = [_damage(bad, rng) for _ in range(rng.randint(1, MOST_DAMAGE))]
    if rng.random() < 0.1:
        with contextlib.suppress(*_UNREADABLE), _opened(bad, rng) as connection:
            done.append(rng.choice(SLOW_STATEMENTS))
            connection.executescript(done[-1])
    for action in rng.sample(ACTIONS, COMMANDS_A_CASE):
        folder = case.folder / "run"
        problem = _try(case, action, folder, bad, kind, runner)
        shutil.rmtree(folder)
        if problem is not None:
            return f"{kind} database, {'; '.join(done)}: {problem}"
    return None


def _try(
    case: Case, action: Action, folder: Path, bad: Path, kind: str, runner: Runner
) -> str | None:
    folder.mkdir()
    for path in filter(Path.is_file, bad.parent.glob("bad.db3*")):
        shutil.copy(path, folder / path.name.replace("bad", "g"))
    pgn = "sgf" if kind == GO else "pgn"
    shutil.copy(_more(case, kind), folder / f"more.{pgn}")
    shutil.copy(case.games / "players_2013-01.xml", folder / "fide.xml")
    shutil.copy(case.games / "spelling.ssp", folder)
    (folder / "decisions.csv").write_text("GameID1,GameID2,Decision\n1,2,same\n3,4,different\n")
    database = folder / "g.db3"
    before, content, moves = database.read_bytes(), None, None
    if action.writes:
        content, moves = _content(database), _moves(database)
    inputs = {path.name for path in folder.iterdir()}
    words = [word.format(db="g.db3", pgn=pgn) for word in action.words]
    outcome = runner(folder, words)
    problem = running.crash(outcome)
    if problem is None and outcome.status == running.FAILED:
        problem = running.refused(outcome)
    if problem is None and outcome.cpu_s > LONGEST_S:
        problem = f"`{outcome.command()}`: took {outcome.cpu_s:.0f} s of CPU time"
    if problem is None and moves and "--purge" not in action.words:
        lost = moves - (_moves(database) or Counter())
        if lost:
            problem = f"`{outcome.command()}`: lost the moves of {lost.total()} games"
    if problem is not None:
        return problem
    return _lasting_harm(action, outcome, database, before, content) or _leftovers(
        folder, inputs, outcome
    )


def _lasting_harm(
    action: Action, outcome: Outcome, database: Path, before: bytes, content: object
) -> str | None:
    """Return what is wrong with what a command left in the file."""
    if database.read_bytes() == before:
        return None
    if not action.writes:
        return f"`{outcome.command()}` only reads, and has changed the file"
    if outcome.status != running.FAILED or _has_steps(action, outcome) or content is None:
        return None
    if _content(database) != content:
        return f"`{outcome.command()}` failed, and has changed the rows: {outcome.err!r}"
    return None


def _has_steps(action: Action, outcome: Outcome) -> bool:
    """Return whether a command has several steps, of which only the last may have failed."""
    steps = action.words[0] == "run" or "--apply" in action.words
    return steps or "upgraded" in outcome.err or "schema version" in outcome.err


def _leftovers(folder: Path, inputs: set[str], outcome: Outcome) -> str | None:
    endings = (".tmp", ".partial", ".lock")
    left = [path.name for path in folder.iterdir() if path.name.endswith(endings)]
    if outcome.status == running.FAILED:
        left += [path.name for path in folder.iterdir() if path.name.startswith(("out.", "r."))]
    left = sorted(set(left) - inputs)
    return f"`{outcome.command()}` left {', '.join(left)}" if left else None


def _content(database: Path) -> object:
    """Return all rows with the types of their values; None if SQLite cannot read them."""
    uri = f"file:{database}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.text_factory = bytearray  # a text is not taken for a blob
            schema = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
            contents: dict[str, object] = {repr(row): None for row in schema}
            tables = [bytes(name).decode() for kind, name, sql in schema if _has_rows(kind, sql)]
            for table in tables:
                names = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
                columns = ", ".join(f'"{bytes(name).decode()}"' for (name,) in names)
                rows = connection.execute(f'SELECT {columns} FROM "{table}"')
                contents[f"rows of {table}"] = sorted(map(repr, rows))
            return contents
    except _UNREADABLE:
        return None


def _moves(database: Path) -> Counter[object] | None:
    """Return the moves of all games; None if SQLite cannot read them."""
    moves: Counter[object] = Counter()
    uri = f"file:{database}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.text_factory = bytes
            for table in {b"Games", b"RemovedGames"}.intersection(
                name for (name,) in connection.execute("SELECT name FROM sqlite_master")
            ):
                moves.update(connection.execute(f"SELECT Moves2 FROM {table.decode()}"))
    except _UNREADABLE:
        return None
    return moves


def _has_rows(kind: bytearray, sql: bytearray | None) -> bool:
    return kind == b"table" and not (sql or b"").startswith(b"CREATE VIRTUAL")


def _damage(path: Path, rng: random.Random) -> str:
    """Do one kind of damage; return what was done."""
    ways: list[Callable[[Path, random.Random], str]] = [_odd_value] * 12
    ways += [_odd_state] * 5 + [_odd_row] * 4 + [_statement] * 5 + [_odd_table] * 2 + [_bytes] * 3
    for _ in range(20):
        try:
            return rng.choice(ways)(path, rng)
        except (*_UNREADABLE, LookupError):
            continue  # the file may be too damaged for more by now
    return "no damage"


def _tables(connection: sqlite3.Connection) -> list[str]:
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return [name for (name,) in connection.execute(sql + " ORDER BY name")]


def _opened(path: Path, rng: random.Random) -> contextlib.closing[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.create_function("random", 0, lambda: rng.getrandbits(62))
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return contextlib.closing(connection)


def _odd_value(path: Path, rng: random.Random) -> str:
    with _opened(path, rng) as connection:
        tables = [table for table in _tables(connection) if _is_filled(connection, table)]
        tables += ["Games"] * (len(tables) // 2) if "Games" in tables else []
        table = rng.choice(tables)
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        key, column = columns[0], rng.choice(columns)
        condition = f'"{key}" IN (SELECT "{key}" FROM "{table}" ORDER BY random() LIMIT 1)'
        chosen, odd = rng.choice(("1", condition)), rng.choice(VALUES)
        if rng.random() < 0.2:
            _drop_rules(connection, table)
        sql = f'UPDATE OR IGNORE "{table}" SET "{column}" = {odd} WHERE {chosen}'
        connection.execute(sql)
        return sql if len(sql) < 300 else f"{sql[:200]} ..."


def _odd_state(path: Path, rng: random.Random) -> str:
    """Change a value of Info, often to something near it."""
    with _opened(path, rng) as connection:
        table = rng.choice([name for name in _tables(connection) if name.endswith("Info")])
        rows = connection.execute("SELECT Name, Value FROM Info").fetchall()
        name, value = rng.choice(rows)
        odd = rng.choice(VALUES)
        if isinstance(value, str) and rng.random() < 0.5:
            odd = f"'{_near(value, rng)}'"
        sql = f"INSERT OR REPLACE INTO {table} VALUES ('{name}', {odd})"
        connection.execute(sql)
        return sql[:300]


def _near(text: str, rng: random.Random) -> str:
    """Return JSON with one odd part, or a text with one odd letter."""
    try:
        value = json.loads(text)
        places = [value]
        for place in places:
            if isinstance(place, list | dict):
                places += place.values() if isinstance(place, dict) else place
        place = rng.choice([each for each in places if isinstance(each, list | dict)])
        key = rng.choice([*place] if isinstance(place, dict) else range(len(place)))
        place[key] = rng.choice(
            (None, -1, 1 << 70, 0.5, "x", [], {}, [[1]], {"a": "b"}, "9" * 5000)
        )
        text = json.dumps(value)
    except (ValueError, IndexError):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("", "9" * 30, ",", "[", "\n", "é")) + text[at + 1 :]
    return text.replace("'", "''")


def _odd_row(path: Path, rng: random.Random) -> str:
    """Insert a row of odd values into any table."""
    with _opened(path, rng) as connection:
        table = rng.choice(_tables(connection))
        if rng.random() < 0.2:
            _drop_rules(connection, table)
        count = len(connection.execute(f'PRAGMA table_info("{table}")').fetchall())
        odd = [rng.choice(("NULL", "1", "2", "'x'", rng.choice(VALUES))) for _ in range(count)]
        sql = f'INSERT OR IGNORE INTO "{table}" VALUES ({", ".join(odd)})'
        connection.execute(sql)
        return sql[:300]


def _is_filled(connection: sqlite3.Connection, table: str) -> bool:
    return connection.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone() is not None


def _drop_rules(connection: sqlite3.Connection, table: str) -> None:
    """Make a table take NULL and any value, as a file of another program may."""
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(
        "UPDATE sqlite_master SET sql = replace(replace(sql, 'NOT NULL', ''), 'INTEGER,', ',') "
        "WHERE name = ?",
        (table,),
    )
    connection.execute("PRAGMA writable_schema = RESET")


def _statement(path: Path, rng: random.Random) -> str:
    with _opened(path, rng) as connection:
        sql = rng.choice(STATEMENTS)
        connection.executescript(sql.replace("UPDATE ", "UPDATE OR IGNORE "))
        return sql


def _odd_table(path: Path, rng: random.Random) -> str:
    with _opened(path, rng) as connection:
        table = rng.choice(_tables(connection))
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        column = rng.choice(columns)
        indexes = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall()
        names = ", ".join(columns)
        ways = [
            f'DROP TABLE "{table}"',
            f'ALTER TABLE "{table}" DROP COLUMN "{column}"',
            f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "Odd"',
            f'ALTER TABLE "{table}" RENAME TO "Odd"; CREATE VIEW "{table}" AS SELECT * FROM "Odd"',
            f'DELETE FROM "{table}"',
            f'DELETE FROM "{table}" WHERE random() % 2',
            f'DROP TABLE "{table}"; CREATE VIRTUAL TABLE "{table}" USING fts5({names})',
        ]
        ways += [f'DROP INDEX "{name}"' for (name,) in indexes[:1]]
        sql = rng.choice(ways)
        connection.executescript(sql)
        return sql


def _bytes(path: Path, rng: random.Random) -> str:
    raw = bytearray(path.read_bytes())
    if len(raw) < 1000:
        raise sqlite3.Error("too short for more")
    way = rng.choice(("flip", "flip", "flip", "cut", "page", "swap", "header", "behind", "empty"))
    if way == "flip":
        for _ in range(rng.choice((1, 5, 50))):
            raw[rng.randrange(100, len(raw))] ^= 1 << rng.randrange(8)
    elif way == "cut":
        del raw[rng.randrange(len(raw)) :]
    elif way in ("page", "swap"):
        pages = len(raw) // 4096
        place, other = rng.randrange(pages) * 4096, rng.randrange(pages) * 4096
        new = rng.randbytes(4096) if way == "page" else raw[other : other + 4096]
        raw[place : place + 4096] = new
    elif way == "header":
        raw[rng.randrange(100)] = rng.randrange(256)
    elif way == "behind":
        raw += rng.randbytes(5000)
    else:
        raw.clear()
    path.write_bytes(raw)
    return f"bytes: {way}"


def _more(case: Case, kind: str) -> Path:
    return case.go_games / "web.sgf" if kind == GO else case.games / "web_download.pgn"


def sound_database(case: Case, kind: str) -> Path:
    """Return a sound database, made on first use."""
    path = case.kept / f"{kind}.db3"
    if not path.exists():
        case.kept.mkdir(parents=True, exist_ok=True)
        {CHESS: _make_chess, GO: _make_go, OCGDB: _make_ocgdb}[kind](case, path)
    return path


def _make_chess(case: Case, path: Path) -> None:
    work = path.with_name(f"made-{path.name}")
    fide, aliases = case.games / "players_2013-01.xml", case.games / "spelling.ssp"
    for words in (
        ("create", work, case.games / "club_library.pgn", case.games / "magazine_archive.pgn"),
        ("players", work, "--fide-xml", fide, "--aliases", aliases),
        ("dedup", work, "--delete"),
        ("create", work, case.games / "web_download.pgn", "--append"),
        ("players", work),
        ("dedup", work),
        ("signatures", work),
    ):
        outcome = run_forked(replace(case, folder=case.kept), *map(str, words), "-q")
        assert outcome.status in (0, 1), outcome
    work.rename(path)


def _make_go(case: Case, path: Path) -> None:
    work = path.with_name(f"made-{path.name}")
    for words in (
        ("create", work, case.go_games / "club.sgf", case.go_games / "web.sgf"),
        ("players", work),
        ("dedup", work),
    ):
        outcome = run_forked(replace(case, folder=case.kept), *map(str, words), "-q")
        assert outcome.status in (0, 1), outcome
    work.rename(path)


_OCGDB_GAMES = (
    "ID, EventID, SiteID, replace(Date, '.', '-'), Round, WhiteID, WhiteElo, BlackID, BlackElo, "
    "Result, TimeControl, ECO, PlyCount, FEN, Moves2"
)


def _make_ocgdb(case: Case, path: Path) -> None:
    """Write the games as OCGDB does, with a name in an 8-bit charset."""
    source, work = sound_database(case, CHESS), path.with_name(f"made-{path.name}")
    with contextlib.closing(sqlite3.connect(work)) as connection:
        connection.executescript(OCGDB_SCHEMA)
        connection.execute("ATTACH ? AS Ours", (str(source),))
        for table in ("Events", "Sites", "Players"):
            columns = "ID, Name, Elo" if table == "Players" else "ID, Name"
            connection.execute(f"INSERT INTO {table} SELECT {columns} FROM Ours.{table}")
        connection.execute(f"INSERT INTO Games SELECT {_OCGDB_GAMES} FROM Ours.Games")
        connection.execute(
            "INSERT INTO Comments SELECT ID, GameID, Ply, Comment FROM Ours.Comments"
        )
        connection.execute("UPDATE Players SET Name = CAST(x'4de96c6c6572' AS TEXT) WHERE ID = 2")
        connection.commit()
    work.rename(path)
