"""Databases with values that the program never stores: commands work or name the value."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import apsw
import pytest

import ocgdedup
from ocgdedup.errors import StoreError
from ocgdedup.game_kind import CHESS
from ocgdedup.store import checks
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.find import PositionSearch, WantedPosition
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import DROP_VIEWS, change, query, value

DEEP = '{"A":' * 3000 + '"x"' + "}" * 3000
READING = [
    ("info",),
    ("info", "--json"),
    ("export", "-o", "-"),
    ("export", "-o", "-", "--all", "--sort", "white", "--min-header-quality", "1"),
    ("export", "--format", "jsonl", "-o", "tables"),
    ("printpgn", "-g", "1", "2"),
    ("printpgn", "--diff", "1", "2"),
    ("find", "--player", "Müller, Hans"),
    ("find", "--position", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"),
    ("dedup", "--explain", "1", "2"),
    ("dedup", "--method", "all"),
    ("review", "--list"),
    ("signatures", "1", "2"),
    ("players", "--show", "Müller"),
]
WRITING = [
    ("dedup", "--full", "--report", "r.html"),
    ("dedup", "--full", "--delete"),
    ("dedup", "--undo"),
    ("dedup", "--restore"),
    ("players", "--again"),
    ("players", "--undo"),
    ("signatures",),
    ("create", "in.pgn", "--append"),
    ("check", "--repair"),
]
ODD = {
    "text in Moves2": "UPDATE Games SET Moves2 = 'e2e4' WHERE ID = 2",
    "text in PlyCount": "UPDATE Games SET PlyCount = 'many' WHERE ID = 2",
    "huge PlyCount": "UPDATE Games SET PlyCount = 4611686018427387904 WHERE ID = 2",
    "text in WhiteElo": "UPDATE Games SET WhiteElo = 'high' WHERE ID = 2",
    "negative Elo": "UPDATE Games SET WhiteElo = -5 WHERE ID = 2",
    "text in EventID": "UPDATE Games SET EventID = 'x' WHERE ID = 2",
    "text in WhiteID": "UPDATE Games SET WhiteID = 'x' WHERE ID = 2",
    "text in MoveHash": "UPDATE Games SET MoveHash = 'x' WHERE ID = 2",
    "text in DuplicateGroup": "UPDATE DuplicateFlags SET DuplicateGroup = 'x' WHERE GameID = 2",
    "text as a HeaderScore": "UPDATE DuplicateFlags SET HeaderScore = 'x'",
    "Latin-1 in DuplicateStatus": "UPDATE DuplicateFlags SET DuplicateStatus = CAST(x'e9' AS TEXT)",
    "flags of no game": "INSERT INTO DuplicateFlags VALUES (88888, 'exact', 88888, NULL, NULL)",
    "text in NAG": "UPDATE Annotations SET NAG = 'x' WHERE NAG IS NOT NULL",
    "text in Ply": "UPDATE Comments SET Ply = 'x'",
    "bytes as a comment": "UPDATE Comments SET Comment = x'41ff'",
    "bytes as an import date": "UPDATE Sources SET ImportDate = x'41ff'",
    "bytes as a name": "UPDATE Players SET Name = x'41ff' WHERE ID = 2",
    "NULL as a name": "UPDATE Players SET Name = NULL WHERE ID = 2",
    "number as a date": "UPDATE Games SET Date = x'31393939' WHERE ID = 2",
    "player is gone": "DELETE FROM Players WHERE ID = (SELECT WhiteID FROM Games WHERE ID = 2)",
    "all names are gone": "DELETE FROM Players",
    "far ID": "UPDATE Players SET ID = 4000000000000 WHERE ID = 2",
    "negative ID": "UPDATE Players SET ID = -2 WHERE ID = 2",
    "deep tags": f"UPDATE Games SET ExtraTags = '{DEEP}' WHERE ID = 2",
    "tags of a list": "UPDATE Games SET ExtraTags = '[1]' WHERE ID = 2",
    "tags of text": "UPDATE Games SET ExtraTags = 'WhiteTitle' WHERE ID = 2",
    "bytes as tags": "UPDATE Games SET ExtraTags = x'ff' WHERE ID = 2",
    "Latin-1 in Round": "UPDATE Games SET Round = CAST(x'e9' AS TEXT) WHERE ID = 2",
    "Latin-1 in Info": "INSERT INTO Info VALUES (CAST(x'e9' AS TEXT), CAST(x'e9' AS TEXT))",
    "Latin-1 in Persons": "UPDATE Persons SET Name = CAST(x'e9' AS TEXT)",
    "Latin-1 in Sources": "UPDATE Sources SET Name = CAST(x'e9' AS TEXT)",
    "Latin-1 in Comments": "UPDATE Comments SET Comment = CAST(x'e9' AS TEXT)",
    "Latin-1 in tags": "UPDATE Games SET ExtraTags = CAST(x'7b2241223a22e9227d' AS TEXT)",
    "text in Info": "UPDATE Info SET Value = 'many' WHERE Name = 'GameCount'",
    "no rows of Info": "DELETE FROM Info",
    "numbers in Info": "UPDATE Info SET Value = 9e18",
    "bytes in Info": "UPDATE Info SET Value = x'ff00'",
    "NULL in Info": "UPDATE Info SET Value = NULL",
    "Latin-1 in all of Info": "UPDATE Info SET Value = CAST(x'e9' AS TEXT)",
    "no JSON in Info": "UPDATE Info SET Value = Value || '['",
    "other JSON in Info": "UPDATE Info SET Value = '[[1, {}]]' WHERE Name <> 'Variant'",
    "numbers in JSON": "UPDATE Info SET Value = replace(Value, '1', '1e30')",
    "lists in JSON": """UPDATE Info
        SET Value = replace(replace(Value, '[', '[[],'), ':', ':[[],')""",
    "odd options": """INSERT OR REPLACE INTO Info
        VALUES ('Duplicates options', '{"plycount": "x"}')""",
    "huge options": """INSERT OR REPLACE INTO Info
        VALUES ('Duplicates options', '{"join_min_ply": 1e99}')""",
    "an odd month": """INSERT INTO RatingLists (Name, Kind, SHA256, Month)
        VALUES ('a', 'fide', 'x', 'abc')""",
    "an odd number of players": """INSERT INTO RatingLists (Name, Kind, SHA256, Month, Entries)
        VALUES ('a', 'fide', 'x', '2020-01', x'4de9')""",
    "a huge rating": """INSERT OR REPLACE INTO FidePlayers (FideID, Name, Rating)
        VALUES (1, 'A', 1 << 40)""",
    "a huge year": """INSERT OR REPLACE INTO FidePlayers (FideID, Name, BirthYear)
        VALUES (1, 'A', 1 << 32)""",
    "a year before all time": """INSERT INTO NameAliases (Alias, Name, BirthYear)
        VALUES ('a', 'b', -1 << 62)""",
    "NUL in a file name": """INSERT INTO UnpublishedFiles
        VALUES (1, 'file', x'610062', x'63', 1, '', NULL)""",
    "NUL in a text as a file name": """INSERT INTO UnpublishedFiles
        VALUES (1, 'file', 'a', 'b' || char(0), 1, '', NULL)""",
    "table is gone": "DROP TABLE PositionFilters",
    "column is gone": f"{DROP_VIEWS} ALTER TABLE Suspects DROP COLUMN Score",
    "games are a view": "ALTER TABLE Games RENAME TO G; CREATE VIEW Games AS SELECT * FROM G",
}


def spoil(path: str, sql: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)


def rows_of(path: str) -> list[bytes]:
    """Return the content of a database with any texts."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return [
            repr(row).encode()
            for (name,) in tables.fetchall()
            for row in connection.execute(f"SELECT * FROM {name.decode()}")
        ]


def run_on(command: Command, path: str, words: tuple[str, ...]) -> tuple[int, str]:
    """Run a command on a database; check that it ended as promised."""
    before, rows = Path(path).read_bytes(), rows_of(path)
    status, _, errors = command(words[0], path, *words[1:])
    assert status in (0, 1, 2), errors
    assert "Traceback" not in errors
    if status == 2:
        lines = [line for line in errors.splitlines() if "error:" in line]
        assert len(lines) == 1, errors
        assert rows_of(path) == rows
    if words in READING:
        assert Path(path).read_bytes() == before
    return status, errors


@pytest.mark.slow
@pytest.mark.parametrize("words", READING, ids=" ".join)
@pytest.mark.parametrize("odd", ODD)
def test_commands_that_read(
    command: Command, judged: str, odd: str, words: tuple[str, ...]
) -> None:
    spoil(judged, ODD[odd])
    run_on(command, judged, words)


@pytest.mark.slow
@pytest.mark.parametrize("odd", ODD)
def test_commands_that_write(command: Command, judged_bytes: bytes, judged: str, odd: str) -> None:
    Path("in.pgn").write_text('[White "A"]\n\n1. e4 e5 *\n', encoding="utf-8")
    for words in WRITING:
        Path(judged).write_bytes(judged_bytes)
        spoil(judged, ODD[odd])
        run_on(command, judged, words)


# Whose values follow from others, or are dropped.
UNSEEN = ("text in Info", "NUL in a file name")


@pytest.mark.parametrize("odd", [odd for odd in ODD if odd not in UNSEEN])
def test_a_check_names_it(command: Command, judged: str, odd: str) -> None:
    spoil(judged, ODD[odd])
    assert command("check", judged).status == 1
    assert command("check", judged, "--json").status == 1


def test_the_game_is_named(command: Command, judged: str) -> None:
    change(judged, "UPDATE Games SET WhiteElo = 'high' WHERE ID = 2")
    status, errors = run_on(command, judged, ("export", "--all", "-o", "out.pgn"))
    assert status == 2
    assert errors == (
        "ocgdedup: error: a.db3: cannot be read: game 2: WhiteElo is text; "
        "run 'ocgdedup check a.db3'\n"
    )
    assert not Path("out.pgn").exists()


def test_the_search_names_the_game(command: Command, judged: str) -> None:
    change(judged, "UPDATE Games SET Moves2 = 'e2e4' WHERE ID = 3")
    status, errors = run_on(command, judged, ("dedup", "--full"))
    assert status == 2
    assert "game 3: Moves2 is text; run 'ocgdedup check a.db3'" in errors


def test_the_highest_id_is_no_number(command: Command, judged: str) -> None:
    change(judged, "UPDATE sqlite_sequence SET seq = 'abc' WHERE name = 'Games'")
    Path("in.pgn").write_text('[Event "?"]\n\n1. e4 *\n')
    status, _, err = command("create", judged, "in.pgn", "--append")
    assert status == 2
    assert "the highest ID ever given, in sqlite_sequence, is not a number" in err


def test_a_bug_is_not_taken_for_damage(judged: str) -> None:
    with pytest.raises(TypeError, match="a bug"), store_errors(judged, "cannot be read"):
        raise TypeError("a bug")


@pytest.mark.parametrize("limit", ["now", "after the values of the tables"])
def test_a_large_database_is_not_read_to_its_end(
    judged: str, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """After an error, all values, moves and pages were once read, which took minutes."""
    change(judged, "UPDATE Games SET WhiteElo = 'high' WHERE ID = 2")
    monkeypatch.setattr(checks, "_INSTRUCTIONS", 1)
    monkeypatch.setattr(checks, "LIMIT_S", 0.0)
    if limit != "now":  # as if the tables were sound and large
        monkeypatch.setattr(checks, "odd_values", lambda *_, **__: ())
    not_read = pytest.raises(StoreError, match=r"x: internal error.* check a\.db3' reads them all")
    with not_read as refused, store_errors(judged, "x"):
        raise apsw.SQLError("internal error")
    assert "WhiteElo" not in str(refused.value)
    with pytest.raises(TypeError, match="a bug") as bug, store_errors(judged, "x"):
        raise TypeError("a bug")
    assert "'ocgdedup check a.db3' reads them all" in bug.value.__notes__[0]


def test_a_database_without_a_file_is_no_damage() -> None:
    with pytest.raises(KeyError), store_errors("/no/such/file.db3", "cannot be read"):
        raise KeyError("a bug")


DAMAGED_STATES = {
    "Search files of": ("", "x 1", "[]", '["x", "1"]'),
    "Duplicates unchanged since": ("[]", "x", '{"result": [1]}', '{"file": "x"}', "null", "{"),
    "Duplicates chosen by hand": ("{}", "[1]", "[[1]]", "[[1, 12345678901234567890]]"),
    "Verdicts without": ("[1]", '{"1": 2}'),
    "Verdicts rest on": ("[]", '["a", "b", "c"]', "1"),
    "Files written by run": ("[1]", '{"a": "b"}'),
    "New games of run": ("[1]", "[true]", '["a", true]', "[12345678901234567890, true]"),
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in DAMAGED_STATES.items() for text in texts]
)
def test_states_are_derived_again(command: Command, judged: str, name: str, text: str) -> None:
    change(judged, "INSERT OR REPLACE INTO Info VALUES (?, ?)", name, text)
    for words in (("info",), ("info", "--json"), ("signatures",), ("players",), ("dedup",)):
        assert command(words[0], judged, *words[1:]).status in (0, 1), words
    change(judged, "INSERT OR REPLACE INTO Info VALUES (?, ?)", name, text)
    assert name in command("check", judged).out
    assert command("check", judged, "--repair").status == 1
    assert command("check", judged).status == 0
    assert not query(judged, "SELECT 1 FROM Info WHERE Name = ?", name)


def test_a_repair_makes_texts_utf_8(command: Command, judged: str) -> None:
    spoil(judged, "UPDATE Events SET Name = CAST(x'4de9' AS TEXT) WHERE ID = 2;"
                  "UPDATE Games SET Round = CAST(x'e9' AS TEXT) WHERE ID = 1")  # fmt: skip
    outcome = command("check", judged, "--repair")
    assert "texts that are not UTF-8: 2; repaired" in outcome.out
    assert value(judged, "SELECT Name FROM Events WHERE ID = 2") == "Mé"
    assert value(judged, "SELECT Round FROM Games WHERE ID = 1") == "é"
    assert command("check", judged).status == 0


def test_a_full_disk_is_said_once(judged: str) -> None:
    expected = pytest.raises(StoreError, match="x: database or disk is full; the disk is full")
    with expected, store_errors(judged, "x"):
        raise apsw.FullError("not an error")


def test_a_statement_left_open_does_not_hide_an_error(judged: str) -> None:
    """After a failed search; SQLite closes no file with an open statement."""
    database = open_database(judged)
    start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    search = PositionSearch(database.connection, WantedPosition((start,)), CHESS, [1, 2, 3])
    list(search.places())
    database.close()
    search.close()


@pytest.fixture
def ocgdb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database of OCGDB with names and a comment in windows-1252."""
    monkeypatch.chdir(tmp_path)
    games = [
        OcgdbGame("Müller, Hans", "Tal, Mihail", "e4 e5 Nf3 Nc6", comments=[(1, "schön")]),
        OcgdbGame("Tal, Mihail", "Mueller, H.", "d4 d5", event="Köln"),
        OcgdbGame("Muller, Jan", "Мюллер", "c4 c5"),
    ]
    write_ocgdb("o.db3", games)
    for table, column in (("Players", "Name"), ("Events", "Name"), ("Comments", "Comment")):
        for row_id, text in query("o.db3", f"SELECT ID, {column} FROM {table}"):
            charset = "cp1251" if text == "Мюллер" else "cp1252"
            raw = text.encode(charset).hex()
            change(
                "o.db3", f"UPDATE {table} SET {column} = CAST(x'{raw}' AS TEXT) WHERE ID = {row_id}"
            )
    return "o.db3"


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_database_of_ocgdb_is_read(command: Command, ocgdb: str, words: tuple[str, ...]) -> None:
    before = Path(ocgdb).read_bytes()
    status, out, errors = command(words[0], ocgdb, *words[1:])
    assert "Traceback" not in errors
    if status == 2:
        assert "OCGDB wrote this file" in errors or "--upgrade" in errors, errors
    if words == ("export", "-o", "-"):
        assert '[White "Müller, Hans"]' in out
        assert '[Event "Köln"]' in out
        assert '[Black "Мюллер"]' in out
        assert "{ schön }" in out or "{schön}" in out
    if words[0] == "find" and "--player" in words:
        assert status == 0
    assert Path(ocgdb).read_bytes() == before


def test_tables_of_a_database_of_ocgdb(command: Command, ocgdb: str) -> None:
    assert command("export", ocgdb, "--format", "csv", "-o", "tables").status == 0
    text = Path("tables/games.csv").read_text(encoding="utf-8")
    assert "Müller, Hans" in text
    assert "Köln" in text


def test_a_check_of_a_database_of_ocgdb(command: Command, ocgdb: str) -> None:
    outcome = command("check", ocgdb)
    assert outcome.status == 1
    assert "texts that are not UTF-8, as OCGDB stores them: 4" in outcome.out


def test_an_upgrade_makes_texts_utf_8(command: Command, ocgdb: str) -> None:
    assert command("dedup", ocgdb, "--upgrade", "-q").status == 0
    assert {row[0] for row in query(ocgdb, "SELECT Name FROM Players")} >= {
        "Müller, Hans",
        "Мюллер",
    }
    assert value(ocgdb, "SELECT Comment FROM Comments") == "schön"
    assert command("players", ocgdb, "-q").status == 0
    assert command("check", ocgdb).status == 0


def test_an_upgrade_joins_a_name_in_two_charsets(command: Command, ocgdb: str) -> None:
    change(ocgdb, "INSERT INTO Players VALUES (99, 'Müller, Hans', NULL)")
    change(ocgdb, "UPDATE Games SET BlackID = 99 WHERE ID = 3")
    assert command("dedup", ocgdb, "--upgrade", "-q").status == 0
    names = "SELECT {}.Name FROM Games JOIN Players AS {} ON {}.ID = {}ID WHERE Games.ID = {}"
    for side, game in (("White", 1), ("Black", 3)):
        sql = names.format(side, side, side, side, game)
        assert value(ocgdb, sql) == "Müller, Hans"
    assert value(ocgdb, "SELECT count(*) FROM Players WHERE Name = 'Müller, Hans'") == 1


def test_a_round_that_is_a_number(command: Command, ocgdb: str) -> None:
    """As older versions of OCGDB store it."""
    spoil(ocgdb, "ALTER TABLE Games DROP COLUMN Round; ALTER TABLE Games ADD COLUMN Round INTEGER;"
                 "UPDATE Games SET Round = 7")  # fmt: skip
    assert '[Round "7"]' in command("export", ocgdb, "-o", "-").out


@pytest.mark.parametrize("name", ["Games", "Players", "Info"])
def test_a_missing_table(command: Command, judged: str, name: str) -> None:
    change(judged, f"DROP TABLE {name}")
    for words in (*READING, *WRITING):
        if words[0] != "check":
            assert run_on(command, judged, words)[0] == 2
    assert command("check", judged).status == 1


def test_a_version_that_never_was(command: Command, judged: str) -> None:
    change(judged, "PRAGMA user_version = 0")
    for words in (("info",), ("dedup",), ("check",)):
        status, errors = run_on(command, judged, words)
        assert status == 2
        assert "has schema version 0, which no version of ocgdedup writes" in errors


def test_the_interface_for_python_names_it(judged: str) -> None:
    change(judged, "UPDATE Games SET WhiteElo = 'high'")
    with ocgdedup.open(judged) as database:
        for read in (database.pgn, lambda _: list(database.games())):
            with pytest.raises(StoreError, match="game 1: WhiteElo is text"):
                read(1)
        with pytest.raises(KeyError):
            database.pgn(99999)


def test_moves_that_cannot_be_played_are_named(command: Command, judged: str) -> None:
    change(judged, "UPDATE Games SET Moves2 = substr(Moves2, 1, 7)")
    for words in (("dedup", "--full", "--report", "r.json"), ("dedup", "--full", "--delete")):
        assert "Traceback" not in run_on(command, judged, words)[1]


def test_text_in_utf_16(command: Command, judged: str) -> None:
    with contextlib.closing(sqlite3.connect(judged)) as source:
        lines = list(source.iterdump())
    Path(judged).unlink()
    with contextlib.closing(sqlite3.connect(judged)) as copy:
        copy.executescript("PRAGMA encoding = 'UTF-16'; PRAGMA application_id = 1329809220;")
        copy.executescript("PRAGMA user_version = 6;" + "".join(lines))
    outcome = command("info", judged)
    assert outcome.status == 2
    assert "stores text as UTF-16le, only UTF-8 can be read" in outcome.err
