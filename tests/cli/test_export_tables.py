"""export --format: values against plain SQL and python-chess, odd text, databases of all kinds."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import struct
from pathlib import Path

import apsw
import chess
import pytest

from ocgdedup.tables.columns import ALIASES, GAMES, PLAYER_NAMES, PLAYERS, TABLES
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.pgn_text import game
from tests.support.tables import (
    CASTLING_960,
    FEN_START,
    FORMS,
    TEXT_FORMS,
    as_text,
    columns_of,
    export,
    games_of,
    need,
    read,
)

MERGED = ("--names", "merged")
# Columns that are exported as Games and DuplicateFlags store them.
AS_STORED = (
    "ID", "Date", "Round", "Result", "WhiteElo", "BlackElo", "ECO", "TimeControl", "PlyCount",
    "FEN", "WhitePersonID", "BlackPersonID", "MoveHash", "FinalZobrist", "DuplicateStatus",
    "DuplicateGroup", "DuplicateReason", "HeaderScore", "SourceNumber", "ExtraTags", "CoreHash",
    "PositionsKey", "SampledKey", "HasComments", "HasVariations",
)  # fmt: skip
NAMES_BY_SQL = """
    SELECT Games.ID, Events.Name, Sites.Name, White.Name, Black.Name, WhitePerson.Name,
        BlackPerson.Name, Sources.Name, Sources.ImportDate
    FROM Games JOIN Events ON Events.ID = EventID JOIN Sites ON Sites.ID = SiteID
    JOIN Players AS White ON White.ID = WhiteID JOIN Players AS Black ON Black.ID = BlackID
    LEFT JOIN Persons AS WhitePerson ON WhitePerson.ID = WhitePersonID
    LEFT JOIN Persons AS BlackPerson ON BlackPerson.ID = BlackPersonID
    JOIN Sources ON Sources.ID = SourceID ORDER BY Games.ID
"""


# --- values ------------------------------------------------------------------------------------


def test_values_are_those_of_plain_sql(command: Command, judged: str) -> None:
    records = games_of(command, judged, "jsonl", *MERGED)
    assert all(tuple(record) == GAMES.column_names for record in records)
    stored = query(judged, f"SELECT {', '.join(AS_STORED)} FROM FlaggedGames ORDER BY ID")
    assert columns_of(records, *AS_STORED) == stored
    assert {row[AS_STORED.index("DuplicateStatus")] for row in stored} > {None, "exact"}
    names = ("ID", "Event", "Site", "White", "Black", "WhitePerson", "BlackPerson", "Source",
             "ImportDate")  # fmt: skip
    expected = [
        tuple(None if actual == "" else actual for actual in row)
        for row in query(judged, NAMES_BY_SQL)
    ]
    assert columns_of(records, *names) == expected
    assert sum(row[5] is not None for row in expected) > 20


def test_moves_are_those_of_python_chess(command: Command, judged: str) -> None:
    for record in games_of(command, judged):
        board = chess.Board(record["FEN"] or chess.STARTING_FEN)
        moves = [chess.Move.from_uci(word) for word in record["MovesUCI"].split()]
        assert record["MovesSAN"].split() == [board.san_and_push(move) for move in moves]
        assert len(moves) == record["PlyCount"]
        assert record["FinalFEN"] == board.fen(en_passant="legal")
        assert "  " not in record["MovesUCI"] + record["MovesSAN"]


def test_tags_with_columns_of_their_own(command: Command, tmp_path: Path) -> None:
    names = (
        "WhiteTitle", "BlackTitle", "WhiteTeam", "BlackTeam", "EventDate", "Opening", "Variation",
        "Annotator", "Termination",
    )  # fmt: skip
    (tmp_path / "a.pgn").write_text(
        game("1. e4 *", **{name: f"the {name}" for name in names}) + game("*")
    )
    path = str(tmp_path / "a.db3")
    command("create", path, tmp_path / "a.pgn", "-q")
    first, second = games_of(command, path)
    assert [first[name] for name in names] == [f"the {name}" for name in names]
    assert {second[name] for name in names} == {None}
    assert first["SchemaVersion"] == value(path, "PRAGMA user_version")
    hashes = "SELECT CoreHash, GameHash FROM Games ORDER BY ID"
    stored = query(path, hashes)
    assert [(row["CoreHash"], row["GameHash"]) for row in (first, second)] == stored
    # Of a database that has none: the same, as long as nothing has changed the record.
    change(path, "UPDATE Games SET CoreHash = NULL, GameHash = NULL")
    computed = [(row["CoreHash"], row["GameHash"]) for row in games_of(command, path)]
    assert computed == stored
    # As the command players makes it where it finds nobody.
    command("players", path, "-q")
    assert [row["CoreHash"] for row in games_of(command, path)] == [
        core for core, _ in query(path, hashes)
    ]


def test_players_have_what_the_list_says(command: Command, judged: str) -> None:
    change(judged, "UPDATE Persons SET FideID = 1000 + ID")
    change(
        judged,
        "INSERT OR REPLACE INTO FidePlayers (FideID, Name, Sex, Rapid, Flag) "
        "SELECT FideID, Name, 'M', 2500, 'i' FROM Persons WHERE ID % 2",
    )
    export(command, judged, "--all", "--format", "jsonl", "-o", "tables")
    players = {record["ID"]: record for record in read("tables/players.jsonl")}
    names = ("Sex", "Rating", "Rapid", "Blitz", "Flag")
    sql = f"SELECT ID, {', '.join(names)} FROM Persons LEFT JOIN FidePlayers USING (FideID)"
    for person_id, *facts in query(judged, sql):
        assert [players[person_id][name] for name in names] == facts
    assert {record["Rapid"] for record in players.values()} == {None, 2500}
    for person_id, record in players.items():
        aliases = query(
            judged,
            "SELECT DISTINCT Players.Name FROM Resolutions JOIN Players ON Players.ID = PlayerID "
            "JOIN Persons ON Persons.ID = PersonID WHERE PersonID = ? "
            "AND Players.Name <> Persons.Name ORDER BY 1",
            person_id,
        )
        expected = [name for (name,) in aliases] or None
        assert json.loads(record["Aliases"] or "null") == expected
    assert any(record["Aliases"] for record in players.values())


def test_hashes_of_whole_records(command: Command, tmp_path: Path) -> None:
    """By the bytes of docs/file-format.md, which cover the whole record."""
    names = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
    tags = dict(zip(names, ("E", "?", "2001.02.03", "1", "A", "B", "*"), strict=True))
    noted = "1. e4 {best} e5 $1 (1... c5 2. Nf3) *"
    others = [{**tags, name: "1-0" if name == "Result" else "1999.01.01"} for name in names]
    texts = [
        game(noted, **tags), game(noted, **tags),
        game("1. e4 {good} e5 $1 (1... c5 2. Nf3) *", **tags),
        game("1. e4 {best} e5 $2 (1... c5 2. Nf3) *", **tags),
        game("1. e4 {best} e5 $1 (1... c5 2. Nc3) *", **tags), game("1. e4 e5 *", **tags),
        game("1. e4 {best} c5 $1 (1... c5 2. Nf3) *", **tags),
        *(game(noted, **other) for other in others),
    ]  # fmt: skip
    (tmp_path / "a.pgn").write_text("".join(texts))
    path = str(tmp_path / "a.db3")
    command("create", path, tmp_path / "a.pgn", "-q")
    records = games_of(command, path)
    hashes = [record["GameHash"] for record in records]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == len(hashes) - 1
    (moves,) = query(path, "SELECT Moves2 FROM Games WHERE ID = 1")[0]
    message = b"\0".join([b"", b"E", b"", b"2001.02.03", b"1", b"A", b"B", b"*", b""])
    message += struct.pack("<I", len(moves)) + moves
    variation = value(path, "SELECT Variation FROM Annotations WHERE GameID = 1 AND NAG IS NULL")
    notes = query(path, "SELECT Ply, Position FROM Annotations WHERE GameID = 1 ORDER BY Position")
    assert len(notes) == 2
    ply = value(path, "SELECT Ply FROM Comments WHERE GameID = 1")
    message += f"{ply} 1 best\0{notes[0][0]} 2 1\0{notes[1][0]} 3 {variation}\0".encode()
    assert hashes[0] == struct.unpack(">q", hashlib.sha256(message).digest()[:8])[0]


def test_moves_of_odd_games(command: Command, odd: str) -> None:
    assert columns_of(games_of(command, odd), "FEN", "MovesUCI", "MovesSAN", "PlyCount") == [
        (None, "e2e4 e7e5", "e4 e5", 2),
        (None, "f2f3 e7e5 g2g4 d8h4", "f3 e5 g4 Qh4#", 4),
        (FEN_START, "e8d7 a1b2 e2e1q", "Kd7 Kb2 e1=Q", 3),
        (CASTLING_960, "f1g1 f8b8", "O-O O-O-O", 2),
        (None, "e2e4 0000 d2d4 d7d5", "e4 -- d4 d5", 4),
        (None, "", "", 0),
    ]


def test_headers_of_odd_games(command: Command, odd: str) -> None:
    records = games_of(command, odd)
    assert columns_of(records, "Date", "Year", "Month", "Day") == [
        ("????.??.??", None, None, None),
        ("2001.02.03", 2001, 2, 3),
        ("1999.??.??", 1999, None, None),
        ("1999.12.??", 1999, 12, None),
        ("????.??.??", None, None, None),
        ("????.??.??", None, None, None),
    ]
    first, second, *_, last = records
    names = ("White", "Black", "Event", "Site")
    assert [first[name] for name in names] == ['Quo"ted, "A"', "Comma, B", "=1+1", "Zoë 🎲 Ж"]
    assert [last[name] for name in names] == [None] * 4
    assert (second["Round"], second["ECO"], second["WhiteElo"]) == ("1.2", "A00", 2100)
    assert (second["BlackElo"], second["TimeControl"]) == (None, "40/7200")
    assert (second["WhiteFideID"], second["BlackFideID"]) == (4100018, None)
    assert json.loads(second["ExtraTags"])["Annotator"] == 'A "b" \\ c'


def test_fide_id_is_the_persons_or_else_the_tags(command: Command, odd: str) -> None:
    change(odd, "INSERT INTO Persons (ID, Name, FideID) VALUES (7, 'One', 11), (8, 'Two', NULL)")
    change(odd, "UPDATE Games SET WhitePersonID = 7, BlackPersonID = 8 WHERE ID = 2")
    change(odd, "UPDATE Games SET WhitePersonID = 8, BlackPersonID = 7 WHERE ID = 1")
    first, second, *_ = games_of(command, odd, "jsonl", *MERGED)
    assert (first["WhiteFideID"], first["BlackFideID"]) == (None, 11)
    assert (second["WhiteFideID"], second["BlackFideID"]) == (11, None)
    change(odd, "UPDATE Games SET WhitePersonID = 8 WHERE ID = 2")
    assert games_of(command, odd, "jsonl", *MERGED)[1]["WhiteFideID"] == 4100018


@pytest.mark.parametrize("tag", ["", "0", "-5", "1e3", "9" * 30, "１２"])
def test_a_tag_that_is_no_fide_id(command: Command, odd: str, tag: str) -> None:
    change(odd, "UPDATE Games SET ExtraTags = ? WHERE ID = 1", json.dumps({"WhiteFideId": tag}))
    assert games_of(command, odd)[0]["WhiteFideID"] is None


def add_aliases(path: str) -> list[tuple[object, ...]]:
    """Store aliases of a player with games and one without; return them as rows of the table."""
    name, person = query(path, "SELECT Name, ID FROM Persons ORDER BY ID")[0]
    change(path, "UPDATE Persons SET FideID = 900 WHERE ID = ?", person)
    change(path, "INSERT INTO FidePlayers (FideID, Name) VALUES (900, ?), (7, 'Ö, \"Ä\"')", name)
    change(path, "INSERT INTO FideAliases VALUES (900, 'First, F', 0.9991), (7, 'Ö, Ä', 0.25)")
    return [("Ö, Ä", 0.25, 7, 'Ö, "Ä"', None), ("First, F", 0.9991, 900, name, person)]


def test_aliases(command: Command, judged: str) -> None:
    """Including listed players without games, by FIDE ID."""
    expected = add_aliases(judged)
    export(command, judged, "--format", "jsonl", "-o", "out")
    records = read("out/aliases.jsonl")
    assert columns_of(records, *ALIASES.column_names) == expected
    assert [tuple(record) for record in records] == [ALIASES.column_names] * 2


def test_aliases_of_an_older_database(command: Command, judged: str) -> None:
    change(judged, "DROP TABLE FideAliases")
    change(judged, "PRAGMA user_version = 10")
    export(command, judged, "--format", "jsonl", "-o", "out")
    assert read("out/aliases.jsonl") == []


def test_forms_hold_the_same(command: Command, judged: str) -> None:
    add_aliases(judged)
    for form in FORMS:
        export(command, judged, "--format", need(form), "-o", form)
    for table in TABLES:
        expected = read(f"jsonl/{table.name}.jsonl")
        assert expected
        assert read(f"parquet/{table.name}.parquet") == expected
        assert read(f"csv/{table.name}.csv") == as_text(expected)


def test_players(command: Command, judged: str) -> None:
    export(command, judged, "--format", "jsonl", "-o", "out")
    records = read("out/players.jsonl")
    stored = ("ID", "Name", "FideID", "Title", "Country", "BirthYear")
    assert all(tuple(record) == PLAYERS.column_names for record in records)
    assert columns_of(records, *stored) == query(
        judged, f"SELECT {', '.join(stored)} FROM Persons ORDER BY ID"
    )
    games = (
        "SELECT (SELECT count(*) FROM Games WHERE WhitePersonID = Persons.ID) + "
        "(SELECT count(*) FROM Games WHERE BlackPersonID = Persons.ID) FROM Persons ORDER BY ID"
    )
    assert columns_of(records, "Games") == query(judged, games)


def test_player_names(command: Command, judged: str) -> None:
    export(command, judged, "--format", "jsonl", "-o", "out")
    records = read("out/player_names.jsonl")
    assert all(tuple(record) == PLAYER_NAMES.column_names for record in records)
    resolved = (
        "SELECT PlayerID, Players.Name, PersonID, Persons.Name, Scope, Stage, Score, Probability, "
        "Reason FROM Resolutions JOIN Players ON Players.ID = PlayerID "
        "JOIN Persons ON Persons.ID = PersonID ORDER BY PlayerID, PersonID"
    )
    rows = columns_of(records, *PLAYER_NAMES.column_names[:-1])
    assert [row for row in rows if row[4] is not None] == query(judged, resolved)
    names = query(judged, "SELECT ID, Name FROM Players WHERE Name <> ''")
    assert sorted({row[:2] for row in rows}) == sorted(names)
    sides = (
        "SELECT ID, PersonID, count(*) FROM (SELECT WhiteID AS ID, WhitePersonID AS PersonID "
        "FROM Games UNION ALL SELECT BlackID, BlackPersonID FROM Games) "
        "WHERE ID IN (SELECT ID FROM Players WHERE Name <> '') GROUP BY ID, PersonID"
    )
    counted = columns_of(records, "PlayerID", "PersonID", "Games")
    assert {row for row in counted if row[2]} == set(query(judged, sides))
    assert len(counted) == len({row[:2] for row in counted})
    known = {row[0] for row in counted if row[1] is not None}
    assert not [row for row in counted if row[1:] == (None, 0) and row[0] in known]


def test_a_name_that_is_open_in_some_games(command: Command, odd: str) -> None:
    alpha = value(odd, "SELECT ID FROM Players WHERE Name = 'Alpha, A'")
    change(odd, "INSERT INTO Persons (ID, Name) VALUES (5, 'Alpha, Anna'), (6, 'Alpha, Aron')")
    change(
        odd,
        "INSERT INTO Resolutions VALUES (?, 5, 'game', 'evidence', 0.5, 'event', 0.75), "
        "(?, 6, 'game', 'evidence', NULL, NULL, NULL)",
        alpha, alpha,
    )  # fmt: skip
    change(odd, "UPDATE Games SET WhitePersonID = 5 WHERE ID IN (2, 3)")
    export(command, odd, "--format", "jsonl", "-o", "out")
    rows = columns_of(read("out/player_names.jsonl"), *PLAYER_NAMES.column_names[1:])
    assert [row for row in rows if row[0] == "Alpha, A"] == [
        ("Alpha, A", 5, "Alpha, Anna", "game", "evidence", 0.5, 0.75, "event", 2),
        ("Alpha, A", 6, "Alpha, Aron", "game", "evidence", None, None, None, 0),
        ("Alpha, A", None, None, None, None, None, None, None, 2),
    ]
    assert ("Comma, B", None, None, None, None, None, None, None, 1) in rows


def test_parquet_has_exact_types_and_row_groups(command: Command, judged: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    add_aliases(judged)
    export(command, judged, "--format", "parquet", "-o", "out")
    kinds = {"int32": "int32", "int64": "int64", "real": "double", "text": "string"}
    for table in TABLES:
        file = parquet.ParquetFile(f"out/{table.name}.parquet")
        types = {field.name: str(field.type) for field in file.schema_arrow}
        assert types == {column.name: kinds.get(column.kind, "string") for column in table.columns}
        group = file.metadata.row_group(0)
        for number, column in enumerate(table.columns):
            chunk = group.column(number)
            assert chunk.compression == "ZSTD"
            assert ("RLE_DICTIONARY" in chunk.encodings) == (column.kind == "word")


def test_row_groups_are_cut(command: Command, odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    monkeypatch.setattr("ocgdedup.tables.parquet_file.ROW_GROUP_ROWS", 4)
    monkeypatch.setattr("ocgdedup.pipeline.export.tables.BATCH_ROWS", 2)
    export(command, odd, "-o", "games.parquet")
    metadata = parquet.ParquetFile("games.parquet").metadata
    assert [metadata.row_group(number).num_rows for number in range(2)] == [4, 2]
    assert columns_of(read("games.parquet"), "ID") == [(1,), (2,), (3,), (4,), (5,), (6,)]


def test_batches_do_not_matter(
    command: Command, judged: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = games_of(command, judged, form)
    monkeypatch.setattr("ocgdedup.pipeline.export.tables.BATCH_ROWS", 7)
    monkeypatch.setattr("ocgdedup.store.selection.LIST_GAMES", 10)
    assert games_of(command, judged, form) == whole


# --- odd text ----------------------------------------------------------------------------------

ODD_TEXTS = (
    'a "b", c', "two\nlines", "cr\rlf\r\n", "lone\rcr",
    "nul\0behind", "🎲 𝔘 Ж", "tab\tx", "\u2028\u2029\x85",
    "back\\slash", " blanks ", ",", '"', "\x1b[31m",
)  # fmt: skip


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_text_comes_back(command: Command, odd: str, form: str, text: str) -> None:
    change(odd, "UPDATE Games SET Round = ? WHERE ID = 2", text)
    change(odd, "UPDATE Players SET Name = ? WHERE Name = 'Alpha, A'", text)
    export(command, odd, "--format", form, "-o", "out")
    second = read(f"out/games.{form}")[1]
    assert (second["Round"], second["White"]) == (text, text)
    assert text in [record["Name"] for record in read(f"out/player_names.{form}")]


def test_csv_is_that_of_the_standard_library(command: Command, judged: str) -> None:
    change(judged, "UPDATE Games SET Round = char(34, 44, 13, 10, 39) WHERE ID = 3")
    records = games_of(command, judged)
    games_of(command, judged, "csv")
    expected = io.StringIO(newline="")
    writer = csv.writer(expected)  # its default dialect is that of RFC 4180
    writer.writerow(GAMES.column_names)
    writer.writerows(record.values() for record in records)
    assert Path("games.csv").read_bytes() == expected.getvalue().encode()


def test_json_lines_are_plain_json(command: Command, odd: str) -> None:
    games_of(command, odd)
    for line in Path("games.jsonl").read_text(encoding="utf-8").splitlines():
        assert line == json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))


# --- databases of all kinds --------------------------------------------------------------------


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests write tables into the current folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database of OCGDB with some bytes that are not UTF-8."""
    monkeypatch.chdir(tmp_path)
    games = [
        OcgdbGame("Muller", "Beta, B", "e4 e5 Nf3", white_elo=2400),
        OcgdbGame("", "Beta, B", "", result="*", date=""),
        OcgdbGame("Gamma, G", "Beta, B", "Kd7 Kb2 e1=Q", fen=FEN_START, event=""),
    ]
    write_ocgdb("o.db3", games)
    change("o.db3", "UPDATE Players SET Name = CAST(x'4dfc6c6c6572' AS TEXT) WHERE Name = 'Muller'")
    change("o.db3", "UPDATE Games SET Round = CAST(x'c3a9' AS TEXT) WHERE ID = 1")
    change("o.db3", "UPDATE Games SET Round = CAST(x'e9' AS TEXT) WHERE ID = 3")
    return "o.db3"


def test_database_of_ocgdb(command: Command, foreign: str, form: str) -> None:
    before = Path(foreign).read_bytes()
    export(command, foreign, "--format", form, "-o", "out")
    assert Path(foreign).read_bytes() == before
    nothing = "" if form in TEXT_FORMS else None
    records = read(f"out/games.{form}")
    assert columns_of(records, "White", "Round", "Date", "Event", "MovesSAN") == [
        ("Müller", "é", "1999.01.02", "Test", "e4 e5 Nf3"),
        (nothing, "1", nothing, "Test", ""),
        ("Gamma, G", "é", "1999.01.02", nothing, "Kd7 Kb2 e1=Q"),
    ]
    assert [str(result) for (result,) in columns_of(records, "PlyCount")] == ["3", "0", "3"]
    for name in ("MoveHash", "DuplicateGroup", "Source", "ExtraTags", "WhitePersonID"):
        assert {record[name] for record in records} == {nothing}
    assert read(f"out/players.{form}") == []
    names = columns_of(read(f"out/player_names.{form}"), "Name", "Games")
    assert [(name, str(games)) for name, games in names] == [
        ("Müller", "1"), ("Beta, B", "3"), ("Gamma, G", "1"),
    ]  # fmt: skip


def test_empty_database(command: Command, odd: str, form: str) -> None:
    Path("empty.pgn").touch()
    command("create", "e.db3", "empty.pgn")
    assert command("export", "e.db3", "--format", form, "-o", "out") == (
        0,
        "wrote 0 rows of games, 0 rows of players, 0 rows of player_names, 0 rows of aliases to "
        "out\n",
        "",
    )  # fmt: skip
    for table in TABLES:
        assert read(f"out/{table.name}.{form}") == []
    if form == "csv":
        assert Path("out/games.csv").read_text().strip() == ",".join(GAMES.column_names)


def test_removed_games_are_not_written(command: Command, odd: str) -> None:
    change(odd, "DELETE FROM Games WHERE ID IN (1, 4)")
    assert columns_of(games_of(command, odd), "ID") == [(2,), (3,), (5,), (6,)]


def test_damaged_moves(command: Command, odd: str, form: str) -> None:
    change(odd, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 2")
    for output in (f"games.{form}", "out"):
        status, out, err = command("export", odd, "--format", form, "-o", output)
        assert (status, out) == (2, "")
        assert "a.db3: game 2: ply 1 of 1" in err
        assert err.count("\n") == 1
    assert set(os.listdir()) == {"a.db3", "in.pgn"}


def test_a_number_that_is_none(command: Command, odd: str) -> None:
    need("parquet")
    change(odd, "UPDATE Games SET WhiteElo = 'high' WHERE ID = 2")
    status, _, err = command("export", odd, "-o", "games.parquet")
    assert status == 2
    assert "column WhiteElo of table games" in err
    assert set(os.listdir()) == {"a.db3", "in.pgn"}
    assert games_of(command, odd)[1]["WhiteElo"] == "high"


def test_one_state_is_written(command: Command, odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ocgdedup.store.selection.LIST_GAMES", 1)
    refused = []

    def disturb(blob: bytes, fen: str | None) -> tuple[str, str]:
        # Not by sqlite3: that is another library, which would undo the locks of this process.
        with contextlib.closing(apsw.Connection(odd)) as other:
            try:
                other.execute("UPDATE Games SET Result = '0-1'")
            except apsw.BusyError:
                refused.append(odd)
        return "", ""

    monkeypatch.setattr("ocgdedup.pipeline.export.tables.decode_texts", disturb)
    results = columns_of(games_of(command, odd), "Result")
    assert results == [("1-0",), ("0-1",), ("*",), ("*",), ("*",), ("*",)]
    assert len(refused) == 6
