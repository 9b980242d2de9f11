"""Databases as inputs of create and run: the result is that of importing their PGN files."""

from __future__ import annotations

import contextlib
import gzip
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.store.games import core_hash
from tests.support.command_line import Command
from tests.support.databases import change, dump, query, value
from tests.support.game_content import contents, differences
from tests.support.pgn_text import OPERA, game

NOTES = (
    game("{Before} 1. e4 $1 {good} (1. d4 d5 (1... f5)) e5 $6 $146 2. Nf3 *", Event="Grand Prix")
    + game("1. e4 e5 2. Ke3 Qh4 1-0", White="Fault, A", WhiteElo="2400", BlackElo="2500")
    + game("1. c4 *", White="Fault, A", Date="12.3.1999", EventDate="1999.03.10")
    + "not a game\n\n[Broken\n\n"
)
# Records of one game: the second adds a date, an Elo and annotations to the first.
RECORDS = (
    game(OPERA, White="Morphy, Paul", Black="Karl, D", Site="Paris FRA", Annotator="Löwenthal")
    + game(
        OPERA.replace("1. e4", "1. e4 {best by test}"), White="Morphy, P", Black="Karl, Duke",
        Site="Paris", Date="1858.11.02", Round="1", WhiteElo="2690",
    )
    + game(
        OPERA.replace("17. Rd8# ", "").replace("d6 ", "d6 {solid} ", 1), White="Morphy, P.",
        Black="Karl, D", Date="1858.??.??",
    )
)  # fmt: skip
PLACES = (
    "SELECT Sources.Name, Size, SHA256, SourceNumber, SourceOffset, Charset, CoreHash, GameHash "
    "FROM Games LEFT JOIN Sources ON Sources.ID = SourceID ORDER BY Games.ID"
)
FAULTS = "SELECT GameID, Line, Ply, Reason, Rest FROM Faults ORDER BY ID"
REJECTS = (
    "SELECT Name, SourceNumber, SourceOffset, Line, Reason FROM Rejects "
    "JOIN Sources ON Sources.ID = SourceID"
)
NAMES = "SELECT Name, Elo FROM Players ORDER BY 1"
INFO = "SELECT * FROM Info ORDER BY 1"
DECIDED = (
    "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects WHERE Decision NOTNULL ORDER BY 1"
)
NAME_DECISIONS = "SELECT Decision, Name, GameID, OtherName, OtherGameID FROM NameDecisions"


def unlike(path: str, other: str) -> list[Any]:
    """Return the differences of two databases but for their IDs of names and sources."""
    changes: list[Any] = list(differences(contents(path), contents(other)))
    for sql in (PLACES, FAULTS, REJECTS, NAMES, INFO):
        if query(path, sql) != query(other, sql):
            changes.append((sql, query(path, sql), query(other, sql)))
    return changes


@pytest.fixture
def folder(command: Command, work_folder: Path) -> Path:
    """Return a folder with a.db3 and b.db3 from PGN files, and ab.db3 from both."""
    Path("notes.pgn").write_text(NOTES, encoding="utf-8")
    Path("records.pgn").write_text(RECORDS, encoding="utf-8")
    Path("more.pgn").write_text(game("1. d4 d5 1-0", Event="Garmisch", White="Alpha, A"))
    for name, *files in (
        ("a", "notes.pgn"),
        ("b", "more.pgn", "records.pgn"),
        ("ab", "notes.pgn", "more.pgn", "records.pgn"),
    ):
        command("create", f"{name}.db3", *files, "-q")
    return work_folder


def test_databases_become_what_their_files_become(command: Command, folder: Path) -> None:
    before = Path("a.db3").read_bytes(), Path("b.db3").read_bytes()
    assert command("create", "c.db3", "a.db3", "b.db3", "-q").status == 0
    assert unlike("c.db3", "ab.db3") == []
    assert command("create", "d.db3", "a.db3", "-q").status == 0
    assert command("create", "d.db3", "b.db3", "--append", "-q").status == 0
    assert unlike("d.db3", "ab.db3") == []
    assert command("check", "d.db3", "-q").status == command("check", "ab.db3", "-q").status
    assert (Path("a.db3").read_bytes(), Path("b.db3").read_bytes()) == before
    sources = [name for (name,) in query("d.db3", "SELECT Name FROM Sources ORDER BY ID")]
    assert sources == ["notes.pgn", "a.db3", "more.pgn", "records.pgn", "b.db3"]


def test_merges_and_players_are_found_again(command: Command, folder: Path) -> None:
    """A database with merged headers, annotations and filled-in fields gives what was read."""
    Path("list.txt").write_text("Morphy, Paul\n\tMorphy, P\n\tMorphy, P.\n")
    for name in ("a.db3", "b.db3"):
        command("players", name, "--aliases", "list.txt")
        command("dedup", name, "--merge-variations")
    assert value("b.db3", "SELECT count(*) FROM UnmergedHeaders") > 0
    assert value("b.db3", "SELECT count(*) FROM MergedNotes") > 0
    before = Path("b.db3").read_bytes()
    assert command("create", "c.db3", "a.db3", "b.db3", "-q").status == 0
    assert unlike("c.db3", "ab.db3") == []
    assert Path("b.db3").read_bytes() == before
    assert not [path for path in folder.iterdir() if path.name.endswith(".tmp")]


def test_filled_in_fields_are_not_read(command: Command, folder: Path) -> None:
    """BackFilled 1 + 64 + 16: WhiteFideId and WhiteElo, which was 0."""
    change("a.db3", "UPDATE Games SET BackFilled = 1 + 16, WhitePersonID = 1, WhiteElo = 2400, "
           "CoreHash = 7, ExtraTags = '{\"WhiteFideId\":\"5\"}' WHERE ID = 1")  # fmt: skip
    change("a.db3", "INSERT INTO Persons (ID, Name) VALUES (1, 'Alpha')")
    command("create", "c.db3", "a.db3", "b.db3", "-q")
    assert unlike("c.db3", "ab.db3") == []


def test_the_same_database_is_imported_once(command: Command, folder: Path) -> None:
    command("create", "c.db3", "a.db3", "-q")
    Path("copy.db3").write_bytes(Path("a.db3").read_bytes())
    again = command("create", "c.db3", "copy.db3", "--append", "--only-new")
    assert again.status == 0
    outcome = command("run", "copy.db3", "--db", "c.db3", "-o", "c.pgn")
    assert "skipped 1 file: already imported" in outcome.out
    assert value("c.db3", "SELECT count(*) FROM Games") == 3
    assert "already" in command("create", "c.db3", "a.db3", "--append").out
    assert value("c.db3", "SELECT count(*) FROM Games") == 3


def test_files_that_are_here_already_are_skipped(command: Command, folder: Path) -> None:
    """The games of more.pgn are here; those of records.pgn come from the database."""
    command("create", "c.db3", "notes.pgn", "more.pgn", "-q")
    command("create", "c.db3", "b.db3", "--append", "--only-new", "-q")
    assert unlike("c.db3", "ab.db3") == []


def test_deleted_games_stay_deleted(command: Command, folder: Path) -> None:
    command("dedup", "b.db3", "--delete")
    removed = "SELECT ID - (SELECT min(ID) FROM {}), MoveHash, RemovedAt FROM RemovedGames"
    assert value("b.db3", "SELECT count(*) FROM RemovedGames") == 2
    command("create", "c.db3", "a.db3", "b.db3", "-q")
    assert value("c.db3", "SELECT count(*) FROM Games") == 5
    of_c, of_b = (query(name, removed.format("Games")) for name in ("c.db3", "b.db3"))
    assert [row[1:] for row in of_c] == [row[1:] for row in of_b]
    assert value("c.db3", "SELECT Value FROM Info WHERE Name = 'GameCount'") == "5"
    command("dedup", "c.db3")
    assert value("c.db3", "SELECT count(*) FROM RemovedGames") == 2
    assert value("c.db3", "SELECT count(*) FROM DuplicateFlags WHERE GameID > 5") == 2
    command("create", "c.db3", "more.pgn", "--append", "--again", "-q")  # under a new ID
    assert value("c.db3", "SELECT max(ID) FROM Games") == 8
    change("c.db3", "DELETE FROM Games WHERE ID = 8")
    assert command("dedup", "c.db3", "--restore").status == 0
    assert [row[0:3] for row in query("c.db3", PLACES)] == [
        row[0:3] for row in query("ab.db3", PLACES)
    ]


def test_decisions_come_along(command: Command, folder: Path) -> None:
    """Decisions here win over those of the other database."""
    Path("pairs.csv").write_text(
        "GameID1,GameID2,Decision,KeptGameID\n1,2,different,\n2,3,same,3\n"
    )
    assert command("review", "b.db3", "--decide", "pairs.csv").status == 0
    command("players", "b.db3", "--same", "Morphy, P", "Morphy, Paul")
    command("players", "b.db3", "--different", "Alpha, A@1", "Morphy, P.")
    command("create", "c.db3", "a.db3", "-q")
    command("players", "c.db3", "--different", "Alpha, A", "Fault, A")
    assert command("create", "c.db3", "b.db3", "--append", "-q").status == 0
    assert query("c.db3", DECIDED) == [(4, 5, "different", None), (5, 6, "same", 6)]
    assert query("c.db3", NAME_DECISIONS) == [
        ("different", "Alpha, A", None, "Fault, A", None),
        ("same", "Morphy, P", None, "Morphy, Paul", None),
        ("different", "Alpha, A", 4, "Morphy, P.", None),
    ]
    persons = "SELECT count(DISTINCT WhitePersonID) FROM Games WHERE ID IN (5, 6)"
    assert value("c.db3", persons) == 1
    command("create", "d.db3", "notes.pgn", "-q")
    command("players", "d.db3", "--different", "Morphy, Paul", "Morphy, P")
    outcome = command("create", "d.db3", "b.db3", "--append")
    assert "b.db3: 1 decision not loaded" in outcome.err
    command("create", "e.db3", "more.pgn", "records.pgn", "-q")
    assert command("run", "b.db3", "--db", "e.db3", "-o", "e.pgn").status == 0
    assert value("e.db3", "SELECT count(*) FROM Games") == 4
    assert query("e.db3", DECIDED) == [(1, 2, "different", None), (2, 3, "same", 3)]


@pytest.mark.parametrize("version", range(1, 13))
def test_older_versions(command: Command, work_folder: Path, version: int) -> None:
    """A database of each version gives what its migrated copy gives, and stays as it is."""
    root = Path(__file__).parents[1] / "schema"
    packed = gzip.decompress((root / f"version-{version}.db3.gz").read_bytes())
    Path("old.db3").write_bytes(packed)
    assert command("create", "c.db3", "old.db3", "-q").status == 0
    assert Path("old.db3").read_bytes() == packed
    command("dedup", "old.db3")
    command("create", "d.db3", "old.db3", "-q")
    assert differences(contents("c.db3"), contents("d.db3")) == []
    games = "SELECT (SELECT count(*) FROM Games), (SELECT count(*) FROM RemovedGames)"
    assert query("c.db3", games) == query("old.db3", games)


def test_database_of_ocgdb(command: Command, folder: Path) -> None:
    """Its games get the database as their source, and their IDs as numbers."""
    with contextlib.closing(sqlite3.connect("o.db3")) as connection, connection:
        connection.executescript(
            "CREATE TABLE Info (Name TEXT, Value TEXT);"
            "CREATE TABLE Events (ID INTEGER PRIMARY KEY, Name TEXT);"
            "CREATE TABLE Sites (ID INTEGER PRIMARY KEY, Name TEXT);"
            "CREATE TABLE Players (ID INTEGER PRIMARY KEY, Name TEXT, ELO INTEGER);"
            "CREATE TABLE Games (ID INTEGER PRIMARY KEY, EventID INTEGER, SiteID INTEGER, "
            "Date TEXT, Round TEXT, WhiteID INTEGER, WhiteElo INTEGER, BlackID INTEGER,"
            "BlackElo INTEGER,"
            "Result TEXT, TimeControl TEXT, ECO TEXT, PlyCount INTEGER, FEN TEXT, Moves2 BLOB);"
            "CREATE TABLE Comments (ID INTEGER PRIMARY KEY, GameID INTEGER, Ply INTEGER, "
            "Comment TEXT);"
            "INSERT INTO Players VALUES (3, 'Alpha, A', 0), (4, 'Omega', 0);"
            "INSERT INTO Games (ID, Date, WhiteID, BlackID, Result, Moves2) "
            "VALUES (7, '1999-01-02', 3, 4, '1-0', x'');"
            "INSERT INTO Comments VALUES (1, 7, 0, 'well');"
        )
    before = Path("o.db3").read_bytes()
    assert command("create", "c.db3", "more.pgn", "o.db3", "-q").status == 0
    core = core_hash("alpha, a", "omega")
    row = (
        "SELECT Sources.Name, SourceNumber, Date, White.Name, Events.Name, Comment, CoreHash "
        "FROM Games JOIN Sources ON Sources.ID = SourceID JOIN Players AS White ON White.ID = "
        "WhiteID JOIN Events ON Events.ID = EventID JOIN Comments ON GameID = Games.ID"
    )
    assert query("c.db3", row) == [("o.db3", 7, "1999.01.02", "Alpha, A", "", "well", core)]
    assert value("c.db3", "SELECT count(*) FROM Players WHERE Name = 'Alpha, A'") == 1
    assert Path("o.db3").read_bytes() == before


def test_go_and_chess_are_not_mixed(command: Command, folder: Path) -> None:
    Path("go.sgf").write_text("(;GM[1]FF[4]SZ[19]PB[A]PW[B];B[pd];W[dd])")
    command("create", "go.db3", "go.sgf", "-q")
    assert command("create", "c.db3", "go.db3", "-q").status == 0
    assert value("c.db3", "SELECT count(*) FROM Games") == 1
    outcome = command("create", "c.db3", "a.db3", "--append")
    assert (outcome.status, "a database holds one kind" in outcome.err) == (2, True)
    assert value("c.db3", "SELECT count(*) FROM Games") == 1


def test_foreign_and_damaged_databases(command: Command, folder: Path) -> None:
    """An SQLite file that is not a database of games is refused, and nothing is written."""
    with contextlib.closing(sqlite3.connect("other.db3")) as connection, connection:
        connection.execute("CREATE TABLE Things (ID)")
    outcome = command("create", "c.db3", "other.db3")
    assert outcome.status == 2
    assert "other.db3: is not a database of ocgdedup or OCGDB" in outcome.err
    Path("costly.db3").write_bytes(Path("b.db3").read_bytes())
    change("costly.db3", "ALTER TABLE Games ADD COLUMN Much AS (zeroblob(1 << 30))")
    outcome = command("create", "c.db3", "costly.db3")
    assert outcome.status == 2
    assert "costly.db3: Games: column Much computes zeroblob()" in outcome.err
    content = Path("b.db3").read_bytes()
    Path("cut.db3").write_bytes(content[: len(content) // 2])
    before = dump("a.db3")
    outcome = command("create", "a.db3", "cut.db3", "--append")
    assert (outcome.status, "cut.db3" in outcome.err) == (2, True)
    assert dump("a.db3") == before
    assert not Path("c.db3").exists()
