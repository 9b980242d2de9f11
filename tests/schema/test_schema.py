"""The schema: OCGDB's tables first, then ours, all documented; databases of OCGDB."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import sqlite3
from pathlib import Path

import apsw
import chess.pgn
import pytest

from ocgdedup.game_columns import GAME_COLUMNS, MERGED_COLUMNS
from scripts.doclib.reference import SCHEMA_PARTS, with_parts
from tests.reference.ocgdb_database import OCGDB_SCHEMA, OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import (
    change,
    columns,
    dump,
    is_sound,
    query,
    tables,
    value,
)
from tests.support.pgn_text import THREE_GAMES, game

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree

# facts of OCGDB's builder, written down by hand and not taken from the twin in tests/reference
OCGDB_COLUMNS = {
    "Info": ["Name", "Value"],
    "Events": ["ID", "Name"],
    "Sites": ["ID", "Name"],
    "Players": ["ID", "Name", "Elo"],
    "Games": [
        "ID", "EventID", "SiteID", "Date", "Round", "WhiteID", "WhiteElo", "BlackID", "BlackElo",
        "Result", "TimeControl", "ECO", "PlyCount", "FEN", "Moves2",
    ],
    "Comments": ["ID", "GameID", "Ply", "Comment"],
}  # fmt: skip
OUR_COLUMNS = {
    "Games": [
        "MoveHash", "FinalZobrist", "PositionsKey", "SampledKey", "SourceID", "SourceNumber",
        "SourceOffset", "DateQuality", "HasComments", "HasVariations", "SpecialMoves", "Charset",
        "ExtraTags", "WhitePersonID", "BlackPersonID", "CoreHash", "BackFilled", "HeaderOptimized",
        "GameHash",
    ],
    "Comments": ["Position"],
}  # fmt: skip
PERSON = ["ID", "Name", "FideID", "Title", "Country", "BirthYear"]
HEADER = [
    "EventID", "SiteID", "Date", "Round", "WhiteID", "WhiteElo", "BlackID", "BlackElo", "Result",
    "TimeControl", "ECO", "DateQuality", "ExtraTags", "WhitePersonID", "BlackPersonID",
    "CoreHash", "BackFilled", "HasComments", "HasVariations",
]  # fmt: skip
POSSIBLE_DUPLICATE = ["GameID1", "GameID2", "Class", "Score", "Evidence", "Decision", "MasterID"]
FLAGS = ["DuplicateStatus", "DuplicateGroup", "DuplicateReason", "HeaderScore"]
MERGED_TAG = ["GameID", "Tag", "Before", "After", "FromGameID", "Reason"]
MERGED_NOTE = ["GameID", "NoteTable", "NoteID", "FromGameID"]
NAME_CANDIDATE = ["PlayerID", "Reason", "Candidates"]
RESOLUTION = ["PlayerID", "PersonID", "Scope", "Stage", "Score", "Reason", "Probability"]
OUR_TABLES = {
    "Annotations": ["ID", "GameID", "Ply", "Position", "NAG", "Variation"],
    "Sources": ["ID", "Name", "Size", "SHA256", "ImportDate"],
    "Faults": ["ID", "GameID", "Line", "Ply", "Reason", "Rest"],
    "Rejects": ["ID", "SourceID", "SourceNumber", "SourceOffset", "Line", "Reason"],
    "Persons": PERSON,
    "Resolutions": RESOLUTION,
    "FidePlayers": [
        "FideID", "Name", "Country", "Sex", "Title", "Rating", "Rapid", "Blitz", "BirthYear",
        "Flag",
    ],
    "FideAliases": ["FideID", "Alias", "Probability"],
    "RatingLists": ["ID", "Name", "Kind", "Size", "SHA256", "Month", "ImportDate", "Entries",
                    "IsWhole"],
    "NameAliases": ["Alias", "Name", "FideID", "Title", "Country", "BirthYear", "DeathYear"],
    "AliasOrigins": ["ListID", "Alias", "Name"],
    "SpellingLines": ["ListID", "Line", "Section", "Kind", "Name", "Value"],
    "NameIndex": ["State", "Data"],
    "NameDecisions": [
        "ID", "Decision", "Name", "GameID", "OtherName", "OtherGameID", "DecidedAt",
    ],
    "UndecidedPersons": PERSON,
    "UndecidedResolutions": RESOLUTION,
    "UndecidedSides": ["GameID", "Side", "PlayerID", "PersonID", "BackFilled"],
    "Suspects": [*POSSIBLE_DUPLICATE, "Note"],
    "MergedTags": MERGED_TAG,
    "UnmergedHeaders": ["GameID", *HEADER],
    "MergedNotes": MERGED_NOTE,
    "RemovedGames": [
        *OCGDB_COLUMNS["Games"], *OUR_COLUMNS["Games"][:-1], "RemovedAt", "GameHash", "RemovedBy",
    ],
    "UnwantedRecords": ["GameHash", "RemovedAt"],
    "DuplicateFlags": ["GameID", *FLAGS],
    "Signatures": [
        "GameID", "SignatureA", "SignatureB", "SymmetricSignature", "MovesMD5", "MovesMD5First50",
        "MovesMD5First100", "CanonicalMD5",
    ],
    "PositionFilters": ["GameID", "Filter"],
    "Loads": [
        "ID", "Fingerprint", "InputBytes", "LoadDate", "FirstGameID", "Games", "Faults", "Rejects",
        "Damaged",
    ],
    "UnpublishedFiles": [
        "ID", "Kind", "TemporaryName", "Name", "Size", "SHA256", "SHA256Before",
    ],
    "Verdicts": ["ID", "Edges"],
    "Steps": ["ID", "Number", "Kind", "Time", "Command", "Changes", "Token"],
    "Corrections": ["GameID", "Tag", "Value", "ReadValue", "CorrectedAt"],
    "GameNotes": ["GameID", "Note", "NotedAt"],
    "OpenNames": ["PlayerID", "Spelling"],
    "FideIDNames": ["FideID", "Name"],
    "NameCandidates": NAME_CANDIDATE,
}  # fmt: skip
APPLICATION_ID = 0x4F434744
SCHEMA_VERSION = 14
INDEXES = {
    "GamesMoveHash", "GamesFinalZobrist", "GamesPositionsKey", "GamesSampledKey",
    "CommentsGameID", "AnnotationsGameID",
}  # fmt: skip

README = Path(__file__).parents[2] / "schema" / "README.md"


@pytest.fixture
def fresh(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def column_facts(path: str, table: str) -> list[tuple[str, str, int, int]]:
    return query(path, 'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', table)


# --- a fresh database ------------------------------------------------------------------------


def test_tables(fresh: str) -> None:
    assert tables(fresh) == {*OCGDB_COLUMNS, *OUR_TABLES}
    assert tables(fresh, "view") == {
        "Tags", "FlaggedGames", "FlaggedRemovedGames", "GamesNamed", "DuplicatePairs",
        "PossibleDuplicates",
    }  # fmt: skip
    assert tables(fresh, "index") == INDEXES
    assert tables(fresh, "trigger") == set()


@pytest.mark.parametrize("table", OCGDB_COLUMNS)
def test_ocgdb_columns_come_first(fresh: str, table: str) -> None:
    assert columns(fresh, table) == OCGDB_COLUMNS[table] + OUR_COLUMNS.get(table, [])


@pytest.mark.parametrize("table", OUR_TABLES)
def test_our_tables(fresh: str, table: str) -> None:
    assert columns(fresh, table) == OUR_TABLES[table]


@pytest.mark.parametrize("table", ["Games", "RemovedGames"])
def test_games_can_be_read_with_their_flags(fresh: str, table: str) -> None:
    assert columns(fresh, f"Flagged{table}") == [*columns(fresh, table), *FLAGS]
    if table == "RemovedGames":
        removed = "INSERT INTO RemovedGames (ID, RemovedAt) SELECT ID, 'now' FROM Games"
        change(fresh, removed)
    change(fresh, "INSERT INTO DuplicateFlags VALUES (2, 'join', 1, 'partial', 61)")
    assert query(fresh, f"SELECT ID, {', '.join(FLAGS)} FROM Flagged{table} ORDER BY ID") == [
        (1, None, None, None, None), (2, "join", 1, "partial", 61), (3, None, None, None, None),
    ]  # fmt: skip


@pytest.mark.parametrize("table", OCGDB_COLUMNS)
def test_ocgdb_columns_have_its_types(fresh: str, table: str) -> None:
    with contextlib.closing(sqlite3.connect("ocgdb.db3")) as connection:
        connection.executescript(OCGDB_SCHEMA)
    theirs = column_facts("ocgdb.db3", table)
    assert column_facts(fresh, table)[: len(theirs)] == theirs


def test_application_id_and_user_version(fresh: str) -> None:
    assert value(fresh, "PRAGMA application_id") == APPLICATION_ID
    assert value(fresh, "PRAGMA user_version") == SCHEMA_VERSION
    assert value(fresh, "PRAGMA encoding") == "UTF-8"
    assert value(fresh, "PRAGMA journal_mode") == "delete"
    assert is_sound(fresh)
    assert query(fresh, "PRAGMA foreign_key_check") == []


def test_info(fresh: str) -> None:
    info = dict(query(fresh, "SELECT Name, Value FROM Info"))
    assert info == {
        "Data Structure Version": "0.6", "Version": "0.1", "Variant": "standard",
        "License": "free", "Description": "", "GameCount": "3", "PlayerCount": "5",
        "EventCount": "2", "SiteCount": "1", "CommentCount": "0",
    }  # fmt: skip


@pytest.mark.parametrize("table", ["Events", "Sites", "Players"])
def test_id_1_is_the_empty_name(fresh: str, table: str) -> None:
    assert value(fresh, f"SELECT Name FROM {table} WHERE ID = 1") == ""


def test_tags_can_be_queried(command: Command, fresh: str) -> None:
    Path("more.pgn").write_text(game("1. e4 *", WhiteFideId="1503014", Opening="King's Pawn"))
    command("create", fresh, "more.pgn", "--append")
    assert query(fresh, "SELECT GameID, Name, Value FROM Tags ORDER BY Name") == [
        (4, "Opening", "King's Pawn"), (4, "WhiteFideId", "1503014"),
    ]  # fmt: skip


def documented(readme: str) -> dict[str, set[str]]:
    """Return the columns that the README describes, by table.

    A heading names the table; the rows below it begin with | `Column` |.
    """
    columns_by_table: dict[str, set[str]] = {}
    for section in re.split(r"^#+ ", readme, flags=re.MULTILINE)[1:]:
        heading = section.splitlines()[0]
        names = set(re.findall(r"^\| *`(\w+)`", section, re.MULTILINE))
        for table in re.findall(r"\w+", heading):
            columns_by_table.setdefault(table, set()).update(names)
    return columns_by_table


def test_every_column_is_documented(fresh: str) -> None:
    actual = documented(README.read_text(encoding="utf-8"))
    for table in tables(fresh) | tables(fresh, "view"):
        assert table in actual, f"no heading names {table}"
        if table.startswith("Flagged"):  # the columns of two tables that are documented
            games = actual[table.removeprefix("Flagged")]
            assert set(columns(fresh, table)) <= games | actual["DuplicateFlags"] - {"GameID"}
        else:
            assert set(columns(fresh, table)) <= actual[table], table


def test_columns_of_games_are_those_declared(fresh: str) -> None:
    declared = {column.name: column.sql_type for column in GAME_COLUMNS}
    types = {name: kind for name, kind, *_ in column_facts(fresh, "Games")}
    assert list(types.items()) == list(declared.items())
    removed = {name: kind for name, kind, *_ in column_facts(fresh, "RemovedGames")}
    assert removed == {**declared, "RemovedAt": "TEXT", "RemovedBy": "TEXT"}
    assert {*columns(fresh, "UnmergedHeaders")} == {"GameID", *MERGED_COLUMNS}
    of_ocgdb = [column.name for column in GAME_COLUMNS if column.of_ocgdb]
    assert of_ocgdb == OCGDB_COLUMNS["Games"]


def test_generated_parts_of_the_documentation_are_up_to_date() -> None:
    text = README.read_text(encoding="utf-8")
    assert re.findall(r"<!-- made: (\w+) -->", text) == list(SCHEMA_PARTS)
    assert with_parts(text) == text, "run scripts/update_docs schema/README.md"


# --- a database that OCGDB wrote -------------------------------------------------------------

ITALIAN = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"
ENDING = "8/P3k3/8/8/8/8/4K3/8 w - - 0 1"
OCGDB_GAMES = [
    OcgdbGame("Alpha, A", "Beta, B", ITALIAN, white_elo=2500, comments=[(-1, "Start"), (2, "Ok")]),
    OcgdbGame("Gamma, G", "Beta, B", ITALIAN, date="1950-11-11", event="", result="0-1"),
    OcgdbGame("Delta, D", "Alpha, A", "a8=N Kd6 Nb6", date="", fen=ENDING, result="*"),
    OcgdbGame("Alpha, A", "Delta, D", "", result="1-0"),
]
AS_PGN = (
    game(
        "{Start} 1. e4 e5 2. Nf3 {Ok} Nc6 3. Bc4 Bc5 4. O-O 1-0", Date="1999.01.02", WhiteElo="2500"
    )
    + game("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 0-1", Date="1950.11.11", White="Gamma, G")
    + game("1. a8=N Kd6 2. Nb6 *", White="Delta, D", Black="Alpha, A", SetUp="1", FEN=ENDING)
    + game("1-0", Black="Delta, D", Date="1999.01.02")
)
KEYS = "SELECT MoveHash, FinalZobrist, PositionsKey, SampledKey FROM Games ORDER BY ID"


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_ocgdb("o.db3", OCGDB_GAMES)
    Path("in.pgn").write_text(AS_PGN)
    return "o.db3"


def export(command: Command, database: str) -> str:
    status, out, err = command("export", database, "-o", "-")
    assert (status, err) == (0, "")
    return out


def test_foreign_games_are_exported_unchanged(command: Command, foreign: str) -> None:
    before = Path(foreign).read_bytes()
    handle = io.StringIO(export(command, foreign))
    games = list(iter(lambda: chess.pgn.read_game(handle), None))
    assert [str(result.board().variation_san(result.mainline_moves())) for result in games] == [
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O",
        "1. a8=N Kd6 2. Nb6",
        "",
    ]
    assert [result.headers["Date"] for result in games] == [
        "1999.01.02", "1950.11.11", "????.??.??", "1999.01.02",
    ]  # fmt: skip
    assert [result.headers["Event"] for result in games] == ["Test", "?", "Test", "Test"]
    assert games[0].comment == "Start"
    assert games[0].variations[0].variations[0].variations[0].comment == "Ok"
    assert games[0].headers["WhiteElo"] == "2500"
    assert games[2].headers["FEN"] == ENDING
    assert Path(foreign).read_bytes() == before
    assert {path.name for path in Path().iterdir()} == {foreign, "in.pgn"}


def test_foreign_games_are_printed(command: Command, foreign: str) -> None:
    """OCGDB's Comments have no Position, which once caused a traceback."""
    before = Path(foreign).read_bytes()
    status, out, err = command("printpgn", foreign, "-g", 1, "-g", 2, "-g", 3, "-g", 4)
    assert (status, err) == (0, "")
    assert re.sub("^% game .*\n", "", out, flags=re.MULTILINE) == export(command, foreign)
    assert Path(foreign).read_bytes() == before


def test_foreign_database_without_comments_table(command: Command, foreign: str) -> None:
    change(foreign, "DROP TABLE Comments")
    assert "{Start}" not in export(command, foreign)
    assert command("printpgn", foreign, "-g", 1).status == 0
    assert command("dedup", foreign, "--upgrade").status == 0
    assert "Comments" in tables(foreign)


@pytest.mark.parametrize("options", [[], ["--dry-run"], ["--dry-run", "--upgrade"], ["-q"]])
def test_dedup_asks_first(command: Command, foreign: str, options: list[str]) -> None:
    before = Path(foreign).read_bytes()
    status, out, err = command("dedup", foreign, *options, stdin=b"y\n")  # no terminal
    assert (status, out) == (2, "")
    assert "o.db3: OCGDB wrote this file" in err
    assert "--upgrade" in err
    assert Path(foreign).read_bytes() == before
    assert {path.name for path in Path().iterdir()} == {foreign, "in.pgn"}


@pytest.mark.parametrize(("answer", "status"), [("n", 2), ("", 2), ("y", 0), ("YES", 0)])
def test_dedup_asks_at_a_terminal(
    command: Command, foreign: str, spawn, answer: str, status: int
) -> None:
    before = Path(foreign).read_bytes()
    ours, theirs = pty.openpty()
    path = Path(foreign).absolute()
    process = spawn("dedup", path, stdin=theirs, stderr=theirs, cwd=ROOT)
    os.close(theirs)
    shown = b""
    while b"[y/N] " not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, answer.encode() + b"\n")
    assert process.wait(20) == status
    os.close(ours)
    assert (Path(foreign).read_bytes() == before) == (status != 0)
    assert Path("o.db3.before-upgrade").exists() == (status == 0)


def test_append_needs_an_upgrade(command: Command, foreign: str) -> None:
    before = Path(foreign).read_bytes()
    status, _, err = command("create", foreign, "in.pgn", "--append")
    assert status == 2
    assert "dedup --upgrade" in err
    assert Path(foreign).read_bytes() == before


def test_upgrade(command: Command, foreign: str) -> None:
    before = dump(foreign)
    exported = export(command, foreign)
    status, out, err = command("dedup", foreign, "--upgrade")
    assert status == 0
    assert out.startswith("#games: 4,")
    assert "o.db3.before-upgrade" in err
    assert dump("o.db3.before-upgrade") == before
    assert value(foreign, "PRAGMA application_id") == APPLICATION_ID
    assert value(foreign, "PRAGMA user_version") == SCHEMA_VERSION
    assert is_sound(foreign)
    assert export(command, foreign) == exported


def test_upgraded_schema_equals_new_schema(command: Command, foreign: str, tmp_path: Path) -> None:
    command("dedup", foreign, "--upgrade", "--no-players")
    command("create", "fresh.db3", "in.pgn")
    for table in (*OCGDB_COLUMNS, *OUR_TABLES):
        assert sorted(column_facts(foreign, table)) == sorted(column_facts("fresh.db3", table))
        assert columns(foreign, table) == columns("fresh.db3", table)
    # A search for duplicates builds the index of flagged games, create does not.
    assert tables(foreign, "index") - {"DuplicateFlagsGroup"} == tables("fresh.db3", "index")
    assert tables(foreign, "view") == tables("fresh.db3", "view")
    assert query(foreign, KEYS) == query("fresh.db3", KEYS)
    same = (
        "SELECT Date, DateQuality, PlyCount, coalesce(Moves2, x''), HasComments, HasVariations, "
        "SpecialMoves FROM Games ORDER BY ID"
    )
    assert query(foreign, same) == query("fresh.db3", same)


def test_second_dedup_needs_no_upgrade(command: Command, foreign: str) -> None:
    command("dedup", foreign, "--upgrade")
    Path("o.db3.before-upgrade").unlink()
    flagged = dump(foreign)
    status, _, err = command("dedup", foreign, "--upgrade")
    assert status == 0
    assert "upgrade" not in err
    flagged.pop("Info")
    again = dump(foreign)
    again.pop("Info")
    assert again == flagged
    assert not Path("o.db3.before-upgrade").exists()


def test_append_after_the_upgrade(command: Command, foreign: str) -> None:
    command("dedup", foreign, "--upgrade")
    assert command("create", foreign, "in.pgn", "--append").status == 0
    assert query(foreign, "SELECT count(*), max(ID) FROM Games") == [(8, 8)]
    keys = query(foreign, KEYS)
    assert keys[:4] == keys[4:]
    names = query(foreign, "SELECT Name, Elo FROM Players ORDER BY ID")
    assert len(names) == len(set(names)) == 5  # found again, not entered twice
    assert value(foreign, "SELECT Value FROM Info WHERE Name = 'GameCount'") == "8"
    exported = export(command, foreign)
    assert exported.count("{Start} 1. e4 e5") == 2
    assert command("dedup", foreign).out.startswith("#games: 8,")


def test_moves_that_do_not_replay(command: Command, foreign: str) -> None:
    change(foreign, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 2")
    status, out, err = command("dedup", foreign, "--upgrade")
    assert status == 0
    assert out.endswith("#duplicates: 0\n")
    assert "the moves of 1 game cannot be replayed" in err
    assert "ID 2" in err
    assert query(foreign, "SELECT Moves2, MoveHash FROM Games WHERE ID = 2") == [
        (b"\xff\xff", None)
    ]


def test_failed_upgrade_changes_nothing(
    command: Command, foreign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(foreign)
    monkeypatch.setattr(
        "ocgdedup.store.migrations.stamp",
        lambda _: (_ for _ in ()).throw(apsw.FullError("disk full")),
    )
    status, _, err = command("dedup", foreign, "--upgrade")
    assert status == 2
    assert "disk full" in err
    assert dump(foreign) == before
    assert is_sound(foreign)


def test_without_moves2(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "text.db3"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(OCGDB_SCHEMA.replace("Moves2 BLOB DEFAULT NULL", "Moves TEXT"))
    status, _, err = command("export", path, "-o", "-")
    assert status == 2
    assert "without Moves2" in err
