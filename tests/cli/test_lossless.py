"""export --lossless and create: a database becomes tables and again the same database."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.wording import counted
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.game_content import contents, differences
from tests.support.pgn_text import game

arrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

ANNOTATED = (
    game("{Before} 1. e4 $1 {good} (1. d4 d5 (1... f5)) e5 $6 $146 2. Nf3 *", Event="Grand Prix")
    + game("1. e4 e5 2. Ke3 Qh4 1-0", White="Fault, A", WhiteElo="2400", BlackElo="2500")
    + game("1. c4 *", White="Fault, A", Date="12.3.1999", EventDate="1999.03.10")
    + "not a game\n\n[Broken\n\n"
)
# Where rows came from, beside contents().
PLACES = (
    "SELECT Sources.Name, Size, SHA256, SourceNumber, SourceOffset, Charset FROM Games "
    "LEFT JOIN Sources ON Sources.ID = SourceID ORDER BY Games.ID"
)
FAULTS = "SELECT GameID, Line, Ply, Reason, Rest FROM Faults ORDER BY ID"
NAMES = "SELECT Name, Elo FROM Players ORDER BY 1"


def make(command: Command, database: str, folder: str = "tables") -> list[str]:
    """Return the differences of a database made from a folder of tables."""
    outcome = command("create", "again.db3", folder, "-q")
    assert (outcome.status, outcome.err) == (0, "")
    changes = differences(contents(database), contents("again.db3"))
    for sql in (PLACES, FAULTS, NAMES):
        if query(database, sql) != query("again.db3", sql):
            changes.append(sql)
    return changes


@pytest.fixture
def annotated(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("notes.pgn").write_text(ANNOTATED, encoding="utf-8")
    Path("more.pgn").write_text(game("1. d4 d5 1-0", Event="Garmisch"), encoding="utf-8")
    assert command("create", "a.db3", "notes.pgn", "more.pgn", "-q").status == 1
    return "a.db3"


@pytest.fixture
def folder(command: Command, annotated: str) -> str:
    """Return the lossless tables of annotated games; their database is a.db3."""
    assert command("export", annotated, "--lossless", "-o", "tables").status == 0
    return "tables"


# --- the way there and back ----------------------------------------------------------------------


@pytest.mark.parametrize("database", ["annotated", "odd", "judged", "go"])
def test_create_makes_the_same_database_again(
    command: Command, request: pytest.FixtureRequest, database: str
) -> None:
    path = request.getfixturevalue(database)
    export = command("export", path, "--all", "--lossless", "-o", "tables")
    games = value(path, "SELECT count(*) FROM Games")
    sources = value(path, "SELECT count(*) FROM Sources")
    rows = f"{counted(games, 'row')} of games, {counted(sources, 'row')} of sources"
    rows += ", 0 rows of decisions"
    assert export == (0, f"wrote {rows} to tables\n", "")
    # Spellings that a merge has replaced are names of no game in the tables.
    assert make(command, path) == ([NAMES] if database == "judged" else [])
    assert command("check", "again.db3").status in (0, 1)


def test_made_database_is_sound_and_exports_the_same_text(
    command: Command, folder: str, annotated: str
) -> None:
    assert make(command, annotated, folder) == []
    assert command("check", "again.db3", "-q").status == command("check", annotated, "-q").status
    first = command("export", annotated, "-o", "-").out
    assert command("export", "again.db3", "-o", "-").out == first
    assert "(1. d4 d5 (1... f5))" in first


def test_a_second_folder_has_the_same_tables(command: Command, folder: str, annotated: str) -> None:
    make(command, annotated, folder)
    assert command("export", "again.db3", "--lossless", "-o", "second").status == 0
    first, second = (parquet.read_table(f"{name}/games.parquet") for name in (folder, "second"))
    assert first.equals(second)


def test_ids_and_sources_follow_the_games_that_are_there(
    command: Command, folder: str, annotated: str
) -> None:
    assert command("create", annotated, "--append", folder, "-q", "--again").status == 0
    assert value(annotated, "SELECT count(*) FROM Games") == 8
    names = [name for (name, *_) in query(annotated, PLACES)]
    assert names == ["notes.pgn"] * 3 + ["more.pgn"] + ["notes.pgn"] * 3 + ["more.pgn"]
    assert value(annotated, "SELECT count(DISTINCT SourceID) FROM Games") == 4


# --- what has been read before -------------------------------------------------------------------


def test_source_files_of_whole_tables_are_not_read_again(command: Command, folder: str) -> None:
    assert command("run", "--db", "b.db3", folder, "-o", "clean.pgn", "-q").status == 0
    outcome = command("run", "--db", "b.db3", "notes.pgn", "-o", "clean.pgn", "--force")
    assert value("b.db3", "SELECT count(*) FROM Games") == 4
    assert re.search(r"\bimported before: \d files?, 4 games\n", outcome.out)


def test_source_files_of_a_selection_are_read_again(command: Command, annotated: str) -> None:
    some = ("--player", "Fault, A", "--lossless", "-o", "some")
    assert command("export", annotated, *some).status == 0
    rows = parquet.read_table("some/sources.parquet").to_pylist()
    assert [(row["Name"], row["SHA256"]) for row in rows] == [("notes.pgn", None)]
    assert command("run", "--db", "b.db3", "some", "-o", "clean.pgn", "-q").status == 0
    assert (
        command("run", "--db", "b.db3", "notes.pgn", "-o", "clean.pgn", "--force", "-q").status == 1
    )
    assert value("b.db3", "SELECT count(*) FROM Games") == 5


def test_tables_are_loaded_once(command: Command, folder: str, annotated: str) -> None:
    for _ in range(2):
        assert (
            command("run", "--db", "b.db3", folder, "-o", "clean.pgn", "--force", "-q").status == 0
        )
        assert value("b.db3", "SELECT count(*) FROM Games") == 4
    assert command("create", "c.db3", folder, "-q").status == 0
    assert command("create", "c.db3", folder).status == 0
    assert value("c.db3", "SELECT count(*) FROM Games") == 4
    # Tables of texts that have been loaded hold nothing new.
    assert command("run", "--db", annotated, folder, "-o", "clean.pgn", "--force", "-q").status == 0
    assert value(annotated, "SELECT count(*) FROM Games") == 4


# --- folders that are not as they should be ------------------------------------------------------


DECIDED = "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects WHERE Decision IS NOT NULL"


def decide(command: Command, path: str, *lines: str) -> None:
    text = "".join(f"{line}\n" for line in ("GameID1,GameID2,Decision,Master", *lines))
    Path("decisions.csv").write_text(text)
    assert command("review", path, "--decide", "decisions.csv").status == 0


def test_decisions_go_with_the_games(command: Command, annotated: str) -> None:
    decide(command, annotated, "1,2,different,", "3,4,same,4")
    expected = query(annotated, DECIDED)
    command("export", annotated, "--all", "--lossless", "-o", "tables")
    assert not make(command, annotated)
    assert query("again.db3", DECIDED) == expected == [(1, 2, "different", None), (3, 4, "same", 4)]
    command("create", "again.db3", "tables", "--append", "--again", "-q")
    assert query("again.db3", DECIDED)[2:] == [(5, 6, "different", None), (7, 8, "same", 8)]


def test_decisions_about_games_that_are_here_already(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of files that --only-new skips; those that were made here count more."""
    monkeypatch.chdir(tmp_path)
    texts = [game(f"1. {move} e5 2. {move[0]}4 *", White="A") for move in ("a3", "b3", "c3", "d3")]
    for number, text in enumerate(texts, 1):
        Path(f"{number}.pgn").write_text(text)
    names = [f"{number}.pgn" for number in range(1, 5)]
    command("create", "there.db3", *names)
    decide(command, "there.db3", "1,2,different,", "2,3,same,3", "3,4,same,", "1,4,different,")
    command("export", "there.db3", "--all", "--lossless", "-o", "tables")
    # Here the files have other IDs: 4, 2, 1 are games 1, 2, 3.
    command("create", "here.db3", "4.pgn", "2.pgn", "1.pgn")
    decide(command, "here.db3", "1,2,different,")
    outcome = command("create", "here.db3", "tables", "--append", "--only-new")
    assert (
        "tables: 2 decisions not loaded: the games are not in this database, or you decided"
        in outcome.err
    )
    assert query("here.db3", DECIDED) == [
        (1, 2, "different", None), (1, 3, "different", None), (2, 3, "different", None),
    ]  # fmt: skip


def test_a_decision_about_a_duplicate_is_exported_for_its_kept_game(
    command: Command, annotated: str
) -> None:
    decide(command, annotated, "1,4,same,4", "1,2,different,", "1,3,different,")
    command("dedup", annotated)
    command("export", annotated, "--lossless", "-o", "tables")
    command("create", "again.db3", "tables", "-q")
    assert query("again.db3", "SELECT count(*) FROM Games") == [(3,)]
    assert query("again.db3", DECIDED) == [(1, 3, "different", None), (2, 3, "different", None)]


def test_a_row_that_is_no_decision_is_refused(command: Command, annotated: str) -> None:
    decide(command, annotated, "1,2,different,")
    command("export", annotated, "--all", "--lossless", "-o", "tables")
    table = parquet.read_table("tables/decisions.parquet")
    odd = table.set_column(2, "Decision", [["perhaps"]])
    parquet.write_table(odd.cast(table.schema), "tables/decisions.parquet")
    renew_manifest("decisions.parquet")
    outcome = command("create", "again.db3", "tables")
    assert outcome.status == 2
    assert "games 1 and 2: 'perhaps', kept game None: is not a decision" in outcome.err


def renew_manifest(name: str) -> None:
    manifest = json.loads(Path("tables/manifest.json").read_text())
    for file in manifest["files"]:
        if file["name"] == name:
            file.update(bytes=Path("tables", name).stat().st_size, sha256=None)
    Path("tables/manifest.json").write_text(json.dumps(manifest))


def test_other_folders_are_searched_for_pgn(command: Command, folder: str) -> None:
    Path("plain").mkdir()
    shutil.copy("more.pgn", "plain")
    Path("plain/manifest.json").write_text('{"name": "of a web page"}', encoding="utf-8")
    assert command("create", "b.db3", "plain", "-q").status == 0
    assert value("b.db3", "SELECT count(*) FROM Games") == 1


@pytest.mark.parametrize("name", ["games.parquet", "sources.parquet"])
def test_changed_file_is_refused(command: Command, folder: str, name: str) -> None:
    path = Path(folder, name)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    outcome = command("create", "b.db3", folder)
    assert outcome.status == 2
    assert f"{folder}/{name}: is not the file that manifest.json lists" in outcome.err
    assert not Path("b.db3").exists()


def test_column_that_occurs_twice(command: Command, folder: str) -> None:
    path, manifest = Path(folder, "sources.parquet"), Path(folder, "manifest.json")
    table = parquet.read_table(path)
    parquet.write_table(table.append_column("Name", table.column("Name")), path)
    content = json.loads(manifest.read_text())
    for entry in content["files"]:
        if entry["name"] == "sources.parquet":
            entry.update(bytes=path.stat().st_size, sha256=None)
    manifest.write_text(json.dumps(content))
    outcome = command("create", "b.db3", folder)
    assert outcome.status == 2
    assert "column Name of table sources occurs twice" in outcome.err


def test_missing_file_and_newer_version_are_named(command: Command, folder: str) -> None:
    Path(folder, "sources.parquet").unlink()
    assert "sources.parquet: cannot be opened" in command("create", "b.db3", folder).err
    manifest = Path(folder, "manifest.json")
    content = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(content | {"version": 2}))
    assert "version 2 of the format" in command("create", "b.db3", folder).err
    content["files"][0]["name"] = "../games.parquet"
    manifest.write_text(json.dumps(content))
    assert "is not a file of the folder" in command("create", "b.db3", folder).err


Change = Callable[[list[dict[str, Any]]], object]


def rewrite(folder: str, change_rows: Change) -> None:
    """Change the rows of the games, and omit the checksums from the manifest."""
    path = Path(folder, "games.parquet")
    table = parquet.read_table(path)
    rows = table.to_pylist()
    change_rows(rows)
    parquet.write_table(arrow.Table.from_pylist(rows, table.schema), path)
    manifest = Path(folder, "manifest.json")
    content = json.loads(manifest.read_text())
    content["files"][0] |= {"bytes": path.stat().st_size, "sha256": None}
    manifest.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("column", "wrong", "problem"),
    [
        ("Moves2", b"\x01\x02\x03", "odd move blob"),
        ("Moves2", b"\x00\x01", "ply 1"),
        ("MoveHash", 17, "its moves and its MoveHash do not agree"),
        ("Date", "1999-03-12", "'1999-03-12' is not a PGN date"),
        ("Date", None, "its Date is missing"),
        ("Result", "2-0", "'2-0' is not a PGN result"),
        ("ExtraTags", "[1]", "ExtraTags is not a JSON object"),
        ("FEN", "no position", "FEN"),
        ("SourceID", 9, "its source 9 is not listed"),
    ],
)
def test_value_that_no_load_stores_is_refused(
    command: Command, folder: str, column: str, wrong: object, problem: str
) -> None:
    rewrite(folder, lambda rows: rows[2].update({column: wrong}))
    outcome = command("create", "b.db3", folder)
    assert outcome.status == 2
    assert f"{folder}/games.parquet: game 3: " in outcome.err
    assert problem in outcome.err
    assert not Path("b.db3").exists()


def test_tables_of_another_program_need_no_keys(command: Command, folder: str) -> None:
    derived = ("MoveHash", "FinalZobrist", "PositionsKey", "SampledKey", "PlyCount", "DateQuality")
    rewrite(folder, lambda rows: [row.update(dict.fromkeys(derived)) for row in rows])
    expected = contents("a.db3")
    # The date of game 3 was read from another form: only its source says how sure that is.
    expected[2]["DateQuality"] = 33
    assert command("create", "b.db3", folder, "-q").status == 0
    assert differences(expected, contents("b.db3")) == []


def test_both_kinds_of_games_are_not_mixed(command: Command, folder: str, go: str) -> None:
    assert command("export", go, "--lossless", "-o", "go-tables").status == 0
    outcome = command("create", "b.db3", folder, "go-tables")
    assert outcome.status == 2
    assert "go-tables: holds Go, but the games before it are chess" in outcome.err


# --- the command line ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--format", "csv", "-o", "t"), "--lossless is for Parquet"),
        (("-o", "games.parquet"), "lossless tables are several files"),
        (("-o", "-"), "Parquet is not written to standard output"),
        (("-o", "t", "--strip", "comments"), "--strip is for PGN and SGF"),
    ],
)
def test_options_that_do_not_go_together(
    command: Command, annotated: str, arguments: tuple[str, ...], problem: str
) -> None:
    outcome = command("export", annotated, "--lossless", *arguments)
    assert outcome.status == 2
    assert problem in outcome.err
