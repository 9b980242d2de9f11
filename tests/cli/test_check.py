"""check: each kind of damage is reported, repaired if possible, and then no longer reported."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from ocgdedup.pipeline.check.findings import KINDS
from ocgdedup.store.connection import SCHEMA_VERSION
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import REMOVE, change, dump, is_sound, query, value
from tests.support.persons import known_persons, write_list
from tests.support.pgn_text import THREE_GAMES, game

ROOT = Path.cwd()
VERSIONS = ROOT / "tests" / "schema"
CHESS960 = (
    '[Event "?"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n[Variant "Chess960"]\n'
    '[FEN "1k6/8/8/8/8/8/8/1K1R4 w D - 0 1"]\n[SetUp "1"]\n\n1. O-O Kb7 2. -- Kb6 *\n\n'
)
ANNOTATED = (
    '[Event "Notes"]\n[Site "?"]\n[Date "12 Mar 1998"]\n[Round "1"]\n[White "Carlsen, M."]\n'
    '[Black "Nobody, Known"]\n[Result "1-0"]\n\n{before} 1. e4 {open} e5 $1 2. Nf3 (2. f4 exf4) '
    "Nc6 3. Bb5 a6 1-0\n\n"
)


class Damage(NamedTuple):
    """Statements that damage a valid database, and the kinds of findings that result."""

    name: str
    statements: tuple[str, ...]
    kinds: frozenset[str]
    total: int = 1


def damage(name: str, kinds: str, *statements: str, total: int = 1) -> Damage:
    return Damage(name, statements, frozenset(kinds.split()), total)


COPY = "(SELECT min(ID) FROM FlaggedGames WHERE DuplicateStatus = 'exact')"
MASTER = f"(SELECT DuplicateGroup FROM FlaggedGames WHERE ID = {COPY})"
MERGED = "(SELECT min(GameID) FROM UnmergedHeaders)"
# A game in no group, whose flags nothing depends on.
SINGLE = "(SELECT min(ID) FROM FlaggedGames WHERE DuplicateGroup IS NULL AND PlyCount > 9)"
PLAYED = (
    f"(SELECT min(ID) FROM FlaggedGames WHERE ID > {SINGLE} AND DuplicateGroup IS NULL "
    "AND WhitePersonID IS NOT NULL)"
)
NOTED = "(SELECT min(GameID) FROM Comments WHERE GameID IN (SELECT ID FROM Games))"

REPAIRED = [
    damage("plies", "ply-count", f"UPDATE Games SET PlyCount = 3 WHERE ID = {SINGLE}"),
    damage("no plies", "ply-count", f"UPDATE Games SET PlyCount = NULL WHERE ID = {SINGLE}"),
    damage("PlyCount tag", "ply-count-tag",
           f"UPDATE Games SET ExtraTags = '{{\"PlyCount\":\"3\"}}' WHERE ID = {SINGLE}"),
    damage("MoveHash", "keys", f"UPDATE Games SET MoveHash = 1 WHERE ID = {SINGLE}"),
    damage("no hash", "keys", f"UPDATE Games SET MoveHash = NULL WHERE ID = {SINGLE}"),
    damage("FinalZobrist", "keys", f"UPDATE Games SET FinalZobrist = 1 WHERE ID = {SINGLE}"),
    damage("PositionsKey", "keys", f"UPDATE Games SET PositionsKey = 1 WHERE ID = {SINGLE}"),
    damage("SampledKey", "keys", f"UPDATE Games SET SampledKey = 1 WHERE ID = {SINGLE}"),
    damage("all games", "keys", "UPDATE Games SET SampledKey = 77", total=0),
    damage("signatures", "signatures position-filters",
           "INSERT INTO Signatures VALUES (1, '', '', '', x'', x'', x'', x'')", total=0),
    damage("filters", "position-filters", "INSERT INTO PositionFilters VALUES (1, x'00')", total=0),
    damage("special", "special-moves", f"UPDATE Games SET SpecialMoves = 2 WHERE ID = {SINGLE}"),
    damage("960", "special-moves", "UPDATE Games SET SpecialMoves = 0 WHERE FEN LIKE '1k6/8/%'"),
    damage("quality", "date-quality", "UPDATE Games SET DateQuality = 13 WHERE ID = 1"),
    damage("no quality", "date-quality", "UPDATE Games SET DateQuality = NULL WHERE ID = 1"),
    damage(
        "odd date",
        "date-quality",
        "UPDATE Games SET DateQuality = 0 WHERE ExtraTags ->> 'OriginalDate' = '12 Mar 1998'",
    ),
    damage(
        "CoreHash",
        "core-hash",
        f"UPDATE Games SET CoreHash = 5 WHERE ID = {SINGLE}",
    ),
    damage(
        "CoreHash of a merged header",
        "core-hash",
        f"UPDATE UnmergedHeaders SET CoreHash = 5 WHERE GameID = {MERGED}",
    ),
    damage(
        "person",
        "persons",
        "UPDATE Games SET WhitePersonID = 4711 WHERE ExtraTags ->> 'OriginalDate' = '12 Mar 1998'",
    ),
    damage(
        "somebody else",
        "wrong-persons core-hash",
        f"UPDATE Games SET WhitePersonID = (SELECT max(ID) FROM Persons WHERE ID NOT IN (SELECT "
        f"PersonID FROM Resolutions WHERE PlayerID = Games.WhiteID)) WHERE ID = {PLAYED}",
    ),
    damage(
        "deleted game of nobody",
        "group-removed",
        f"{REMOVE} FROM Games WHERE ID = {SINGLE}",
        "DELETE FROM Games WHERE ID IN (SELECT ID FROM RemovedGames)",
        "INSERT INTO DuplicateFlags SELECT ID, 'exact', 88888, NULL, NULL FROM RemovedGames",
        "UPDATE Info SET Value = Value - 1 WHERE Name = 'GameCount'",
    ),
    damage(
        "resolution",
        "resolutions",
        "INSERT INTO Resolutions VALUES (987654, 1, 'name', 'exact', 1.0, NULL, 1.0)",
    ),
    damage("HasComments", "note-flags", f"UPDATE Games SET HasComments = 0 WHERE ID = {NOTED}"),
    damage("HasVariations", "note-flags", f"UPDATE Games SET HasVariations=1 WHERE ID = {SINGLE}"),
    damage("comment", "orphan-notes counts",
           "INSERT INTO Comments VALUES (9999, 88888, 1, 'x', 0)"),
    damage(
        "annotation",
        "orphan-notes",
        "INSERT INTO Annotations VALUES (9999, 88888, 1, 0, 4, NULL)",
    ),
    damage(
        "master unflagged",
        "group-master",
        "DELETE FROM DuplicateFlags "
        "WHERE GameID = (SELECT min(ID) FROM FlaggedGames AS One WHERE DuplicateGroup = ID AND 1 = "
        "(SELECT count(*) FROM FlaggedGames WHERE DuplicateGroup = One.ID AND ID <> One.ID))",
    ),
    damage(
        "group is a game that is not there",
        "group-master",
        f"INSERT INTO DuplicateFlags VALUES ({SINGLE}, NULL, 88888, NULL, NULL)",
    ),
    damage(
        "copy of a game that is none",
        "group-master",
        f"INSERT INTO DuplicateFlags VALUES ({SINGLE}, 'join', 88888, NULL, NULL)",
    ),
    damage(
        "flags of a game that is not there",
        "flags",
        f"INSERT INTO DuplicateFlags VALUES (88888, 'exact', {MASTER}, NULL, 5)",
    ),
    damage("copy of itself", "group-alone",
           f"INSERT INTO DuplicateFlags VALUES ({SINGLE}, NULL, {SINGLE}, NULL, NULL)"),
    damage("class", "group-class",
           f"UPDATE DuplicateFlags SET DuplicateStatus = 'alike' WHERE GameID = {COPY}"),
    damage("reason", "group-class",
           f"UPDATE DuplicateFlags SET DuplicateReason = 'so' WHERE GameID = {COPY}"),
    damage(
        "moves of a copy",
        "group-moves",
        f"INSERT INTO DuplicateFlags VALUES ({SINGLE}, 'exact', {MASTER}, NULL, 0)",
    ),
    damage(
        "suspect", "suspects",
        "INSERT INTO Suspects VALUES (1, 88888, 'exact', 1, '', NULL, NULL, NULL)",
    ),
    damage(
        "merged tag", "merges", "INSERT INTO MergedTags VALUES (88888, 'Site', 'a', 'b', 1, NULL)"
    ),
    damage("merged note", "merges", f"INSERT INTO MergedNotes VALUES ({SINGLE}, 'Comments', 1, 2)"),
    damage("merged header", "merges",
           f"UPDATE Games SET HeaderOptimized = NULL WHERE ID = {MERGED}"),
    damage("header without a game", "merges",
           "INSERT INTO UnmergedHeaders (GameID, DateQuality) VALUES (88888, 0)"),
    damage("correction", "corrections",
           "INSERT INTO Corrections VALUES (88888, 'Round', '1', '2', '2020-01-01')"),
    damage("note of the user", "corrections",
           "INSERT INTO GameNotes VALUES (88888, 'mine', '2020-01-01')"),
    damage("note index", "indexes", "DROP INDEX CommentsGameID"),
    damage("hash index", "indexes", "DROP INDEX GamesSampledKey"),
    damage("player index", "indexes", "DROP INDEX GamesCoreHash"),
    damage("flag index", "indexes", "DROP INDEX DuplicateFlagsGroup"),
    damage("count", "counts", "UPDATE Info SET Value = '1' WHERE Name = 'GameCount'"),
    damage("no count", "counts", "DELETE FROM Info WHERE Name = 'SiteCount'"),
]  # fmt: skip

LEFT_ALONE = [
    damage("odd blob", "moves", "UPDATE Games SET Moves2 = x'0C' WHERE ID = 1"),
    damage("illegal", "moves", "UPDATE Games SET Moves2 = x'FFFF' WHERE ID = 1"),
    damage("no blob", "moves", "UPDATE Games SET Moves2 = 'e2e4' WHERE ID = 1"),
    damage("other moves", "changed-moves",
           f"UPDATE Games SET Moves2 = substr(Moves2, 1, 6) WHERE ID = {SINGLE}"),
    damage("FEN", "moves", "UPDATE Games SET FEN = 'nonsense' WHERE ID = 1"),
    damage("date", "date", "UPDATE Games SET Date = '1998-03-12' WHERE ID = 1"),
    damage("event", "names", "UPDATE Games SET EventID = 88888 WHERE ID = 1"),
    damage("player", "names", "UPDATE Games SET BlackID = 88888 WHERE ID = 1"),
    damage("source", "sources", "UPDATE Games SET SourceID = 88888 WHERE ID = 1"),
    damage("reject", "sources", "INSERT INTO Rejects VALUES (77, 88888, 1, 1, 1, 'x')"),
    damage("no JSON", "extra-tags", "UPDATE Games SET ExtraTags = '{\"a\":' WHERE ID = 1"),
    damage("no object", "extra-tags", "UPDATE Games SET ExtraTags = '[1]' WHERE ID = 1"),
    damage("no text", "extra-tags",
           "UPDATE Games SET ExtraTags = '{\"a\":{\"b\":1}}' WHERE ID = 1"),
    damage("no name", "tag-names",
           "UPDATE Games SET ExtraTags = '{\"A\\\"]\":\"b\"}' WHERE ID = 1"),
    damage("other start", "tag-names",
           "UPDATE Games SET ExtraTags = '{\"Fen\":\"8/8 w\"}' WHERE ID = 1"),
    damage("open variation", "variations note-flags",
           "INSERT INTO Annotations (GameID, Ply, Position, Variation) VALUES (1, 0, 9, 'e4 ) *')"),
    damage("open comment", "variations note-flags",
           "INSERT INTO Annotations (GameID, Ply, Position, Variation) VALUES (1, 0, 9, 'e4 {a')"),
    damage("two tables", "in-two-tables",
           f"{REMOVE} FROM Games WHERE ID = 1"),
    damage("name", "names-twice counts", "INSERT INTO Sites VALUES (5555, NULL), (5556, NULL)"),
    damage("decision", "constraints",
           "INSERT INTO Suspects VALUES (1, 3, 'join', 1, '', 'maybe', NULL, NULL)"),
    damage("chosen game", "constraints",
           "INSERT INTO Suspects VALUES (1, 3, 'join', 1, '', 'same', 2, NULL)"),
    damage("number", "values", "UPDATE Games SET Round = x'31' WHERE ID = 1"),
    damage("low Elo", "elo", "UPDATE Games SET WhiteElo = 99 WHERE ID = 1"),
    damage("high Elo", "elo", "UPDATE Games SET BlackElo = 4001 WHERE ID = 1"),
    damage("future", "future-date",
           "UPDATE Games SET Date = strftime('%Y', 'now', '+1 year') || '.??.??', DateQuality = 13 "
           "WHERE ID = 1"),
    damage("far note", "note-plies",
           f"UPDATE Comments SET Ply = 999 WHERE ID = (SELECT min(ID) FROM Comments "
           f"WHERE GameID = {NOTED})"),
]  # fmt: skip


@pytest.fixture(scope="session")
def whole_bytes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return {}


@pytest.fixture
def whole(command: Command, made: str, whole_bytes: dict[str, bytes]) -> str:
    """Return the generated collection after all phases, with annotated and odd games added."""
    if not whole_bytes:
        Path("more.pgn").write_text(ANNOTATED + CHESS960, encoding="utf-8")
        fide = write_list(Path(), known_persons())
        assert command("create", made, "more.pgn", "--append", "-q").status == 0
        assert command("players", made, "--fide-xml", fide, "-q").status == 0
        assert command("dedup", made, "-q").status == 0
        whole_bytes["a.db3"] = Path(made).read_bytes()
    Path(made).write_bytes(whole_bytes["a.db3"])
    return made


def findings(command: Command, *arguments: object) -> dict[str, dict[str, Any]]:
    outcome = command("check", *arguments, "--json")
    output = json.loads(outcome.out)
    faults, remarks = output["faults"], output["remarks"]
    assert outcome.status == bool(faults) == (not output["clean"])
    assert not any(KINDS[finding["kind"]].is_remark for finding in faults)
    assert all(KINDS[finding["kind"]].is_remark for finding in remarks)
    return {finding["kind"]: finding for finding in [*faults, *remarks]}


def spoil(path: str, expected: Damage) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in expected.statements:
            assert connection.execute(statement).rowcount != 0
    connection.close()


# --- what is sound ---------------------------------------------------------------------------


def test_a_sound_database(command: Command, whole: str) -> None:
    before = Path(whole).read_bytes()
    games = value(whole, "SELECT count(*) FROM Games")
    assert command("check", whole) == (0, f"a.db3: no problems in {games} games\n", "")
    assert command("check", whole, "-q") == (0, "", "")
    assert command("check", whole, "--repair").status == 0
    assert Path(whole).read_bytes() == before
    assert not list(Path().glob("a.db3.*"))


@pytest.mark.parametrize(
    "steps",
    [
        ["dedup"],
        ["dedup --merge-variations"],
        ["dedup --delete"],
        ["dedup --delete", "dedup --purge"],
        ["dedup --delete --purge", "dedup"],
        ["dedup --delete", "dedup --restore"],
        ["dedup --delete", "dedup --undo"],
        ["dedup", "dedup --delete", "dedup --undo"],
        ["dedup --keep first", "dedup --keep longest --merge-variations", "dedup --undo"],
        ["players --again", "dedup", "players --undo", "dedup"],
    ],
    ids=", ".join,
)
def test_after_any_run_a_database_is_sound(
    command: Command, whole: str, made_bytes: bytes, steps: list[str]
) -> None:
    Path("b.db3").write_bytes(made_bytes)
    for path in (whole, "b.db3"):
        for step in steps:
            name, *options = step.split()
            assert command(name, path, *options, "-q").status == 0
        assert findings(command, path) == {}


@pytest.mark.parametrize("text", [THREE_GAMES, CHESS960 * 3, ANNOTATED], ids=["3", "960", "notes"])
def test_small_files(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(text, encoding="utf-8")
    command("create", "n.db3", "in.pgn", "--no-index", "-q")
    assert findings(command, "n.db3") == {}
    assert command("check", "n.db3", "--repair").status == 0


# --- what is damaged -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("expected", REPAIRED, ids=lambda case: case.name)
def test_problems_that_a_repair_fixes(command: Command, whole: str, expected: Damage) -> None:
    spoil(whole, expected)
    damaged = dump(whole)
    problems = findings(command, whole)
    assert expected.kinds <= problems.keys() <= expected.kinds
    main = expected.kinds and problems[min(expected.kinds, key=list(KINDS).index)]
    assert main["count"] == (expected.total or value(whole, "SELECT count(*) FROM Games"))
    assert main["repairable"]
    assert not main["repaired"]
    assert main["examples"]
    assert dump(whole) == damaged
    repaired = findings(command, whole, "--repair")
    assert all(finding["repaired"] for finding in repaired.values())
    assert repaired.keys() == problems.keys()
    assert findings(command, whole) == {}
    assert dump("a.db3.before-repair") == damaged
    assert is_sound(whole)


@pytest.mark.parametrize("expected", LEFT_ALONE, ids=lambda case: case.name)
def test_problems_that_are_only_listed(command: Command, whole: str, expected: Damage) -> None:
    spoil(whole, expected)
    kind = min(expected.kinds, key=list(KINDS).index)
    problems = findings(command, whole)
    assert kind in problems
    assert problems[kind]["advice"]
    assert not problems[kind]["repairable"]
    games = "SELECT ID, EventID, BlackID, Date, hex(Round), FEN, hex(Moves2), MoveHash, ExtraTags "
    before = query(whole, f"{games} FROM Games ORDER BY 1")
    repaired = findings(command, whole, "--repair")
    assert not repaired[kind]["repaired"]
    assert kind in findings(command, whole)
    assert query(whole, f"{games} FROM Games ORDER BY 1") == before


def test_every_kind_is_tested() -> None:
    tested = {kind for case in (*REPAIRED, *LEFT_ALONE) for kind in case.kinds}
    others = {"file", "schema", "index-content"}
    others |= {"costly-schema", "states"}  # test_hostile_schema.py, test_odd_content.py
    others |= {"text", "foreign-text"}  # test_odd_content.py
    others |= {"undecided"}  # test_player_decisions.py
    others |= {"start", "board-result"}  # test_go_check.py, test_check_results.py
    assert set(KINDS) - tested == others


def test_missing_keys_are_computed_again(command: Command, whole: str) -> None:
    """As for a game that another program inserted; the advice of the check says so."""
    change(whole, f"UPDATE Games SET Moves2 = substr(Moves2, 1, 6) WHERE ID = {SINGLE}")
    assert findings(command, whole, "--repair").keys() == {"changed-moves"}
    change(whole, f"UPDATE Games SET MoveHash = NULL WHERE ID = {SINGLE}")
    assert findings(command, whole, "--repair").keys() == {"keys", "ply-count"}
    assert findings(command, whole) == {}


def test_a_repaired_value_is_the_one_of_before(command: Command, whole: str) -> None:
    games = dump(whole)["Games"]
    for columns in ("PlyCount", "MoveHash = NULL, SampledKey", "FinalZobrist", "SpecialMoves",
                    "DateQuality", "HasComments", "HasVariations"):  # fmt: skip
        change(whole, f"UPDATE Games SET {columns} = 9")
    change(whole, "UPDATE Games SET CoreHash = 9 WHERE HeaderOptimized IS NULL")
    assert command("check", whole, "--repair", "-q").status == 1
    # How sure a date is that was not read from another form, its text does not say.
    repaired = dump(whole)["Games"]
    assert repaired == games


def test_dissolved_groups_are_found_again(command: Command, whole: str) -> None:
    flags = (
        "SELECT ID, DuplicateStatus, DuplicateGroup, HeaderScore, HeaderOptimized, WhiteID "
        "FROM FlaggedGames ORDER BY ID"
    )
    before = query(whole, flags)
    odd = "UPDATE DuplicateFlags SET DuplicateStatus = 'alike' WHERE DuplicateStatus IS NOT NULL"
    change(whole, odd)
    assert command("check", whole, "--repair", "-q").status == 1
    assert value(whole, "SELECT count(DuplicateGroup) FROM FlaggedGames") == 0
    assert value(whole, "SELECT count(*) FROM UnmergedHeaders") == 0
    assert command("dedup", whole, "-q").status == 0
    assert query(whole, flags) == before
    assert findings(command, whole) == {}


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE Games SET FinalZobrist = 1 WHERE ID = {SINGLE}",
        f"UPDATE Games SET DateQuality = 13 WHERE ID = {SINGLE}",
        f"UPDATE Games SET CoreHash = 13 WHERE ID = {SINGLE}",
        f"UPDATE DuplicateFlags SET DuplicateReason = 'so' WHERE GameID = {COPY}",
    ],
)
def test_the_next_search_judges_anew(command: Command, whole: str, statement: str) -> None:
    """Its inputs may have been wrong at the last search."""
    stale = "SELECT count(*) FROM Info WHERE Name = 'Duplicates stale'"
    change(whole, statement)
    assert value(whole, stale) == 0
    command("check", whole, "--repair", "-q")
    assert value(whole, stale) == 1


def test_a_repair_can_be_undone(command: Command, whole: str) -> None:
    change(whole, f"UPDATE Games SET HasComments = 0 WHERE ID = {NOTED}")
    command("check", whole, "--repair", "-q")
    assert findings(command, whole) == {}
    assert command("undo", whole).status == 0
    assert value(whole, f"SELECT HasComments FROM Games WHERE ID = {NOTED}") == 0


def test_lost_persons_are_found_again(command: Command, whole: str) -> None:
    players = "SELECT ID, WhitePersonID, BlackPersonID, CoreHash FROM Games ORDER BY ID"
    command("dedup", whole, "--undo", "-q")
    before = query(whole, players)
    assert any(white for _, white, _, _ in before)
    change(whole, "DELETE FROM Persons")
    assert {"persons", "resolutions"} <= findings(command, whole, "--repair").keys()
    assert findings(command, whole) == {}
    assert command("players", whole, "-q").status == 0
    assert [row[3] for row in query(whole, players)] == [row[3] for row in before]


def test_the_text(command: Command, whole: str) -> None:
    change(whole, "UPDATE Games SET Moves2 = x'FFFF' WHERE ID = 1")
    change(whole, "UPDATE Games SET PlyCount = 3 WHERE ID IN (4, 5)")
    status, out, err = command("check", whole)
    assert (status, err) == (1, "")
    unwrapped = re.sub(r"\n    +", " ", out)
    assert max(len(line) for line in out.splitlines() if "  ID" not in line) <= 100
    assert unwrapped.splitlines() == [
        f"{KINDS['moves'].description}: 1",
        "  ID 1: in.pgn, game 1; ply 1 of 1: stored move 0xffff is not legal".replace(
            "in.pgn", value(whole, "SELECT Name FROM Sources WHERE ID = 1")
        ),
        f"  what to do: {KINDS['moves'].advice}",
        f"{KINDS['ply-count'].description}: 2",
        "  ID 4, 5",
        "repair with: ocgdedup check --repair a.db3",
    ]
    out = command("check", whole, "--repair").out
    assert f"{KINDS['ply-count'].description}: 2; repaired\n" in out
    assert out.endswith("the repair: a.db3.before-repair\n")
    out = command("check", whole).out
    assert out.endswith("'ocgdedup check --repair' cannot repair any of these problems\n")
    change(whole, "UPDATE Games SET PlyCount = 3")
    games = value(whole, "SELECT count(*) FROM Games")
    out = command("check", whole).out
    assert (
        f"{KINDS['ply-count'].description}: {games - 1}\n  ID 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 ...\n"
        in out
    )


# --- damage of the file ------------------------------------------------------------------------


def test_a_damaged_page(command: Command, whole: str) -> None:
    root = value(whole, "SELECT rootpage FROM sqlite_master WHERE name = 'Games'")
    size = value(whole, "PRAGMA page_size")
    raw = bytearray(Path(whole).read_bytes())
    raw[(root - 1) * size : root * size] = bytes(size)
    Path(whole).write_bytes(raw)
    for option in ("--json", "--repair"):
        status, out, err = command("check", whole, option)
        assert (status, err) == (1, "")
        assert "restore the file from a backup" in " ".join(out.split())
    assert Path(whole).read_bytes() == raw
    assert not list(Path().glob("a.db3.before*"))


def test_a_damaged_first_page(command: Command, whole: str) -> None:
    raw = bytearray(Path(whole).read_bytes())
    raw[100:8192] = bytes(8092)
    Path(whole).write_bytes(raw)
    status, out, err = command("check", whole)
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: a.db3: ")
    assert "Traceback" not in err


def test_an_index_that_lacks_rows(command: Command, whole: str) -> None:
    """As after a program that sorts texts or numbers in another way."""
    with sqlite3.connect(whole) as connection:
        name = "DuplicateFlagsGroup"
        row = connection.execute("SELECT * FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = ?", (name,))
    connection.close()
    change(whole, f"INSERT INTO DuplicateFlags VALUES ({SINGLE}, NULL, {SINGLE}, NULL, NULL)")
    with sqlite3.connect(whole) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row)
    connection.close()
    assert len(query(whole, "PRAGMA integrity_check")) > 1
    problems = findings(command, whole, "--repair")
    assert problems["index-content"]["repaired"]
    assert is_sound(whole)
    assert findings(command, whole) == {}


def test_a_name_that_its_index_lacks(command: Command, whole: str) -> None:
    """The index that should refuse a second row for a name is damaged."""
    parts = "SELECT * FROM sqlite_master WHERE tbl_name = 'Sites' ORDER BY name"
    rows = query(whole, parts)
    _replace_schema(whole, [(*rows[0][:4], rows[0][4].replace(" UNIQUE", ""))])
    change(whole, "UPDATE Sites SET Name = (SELECT Name FROM Sites WHERE ID = 2) WHERE ID = 3")
    _replace_schema(whole, rows)
    assert [row[1] for row in rows] == ["Sites", "sqlite_autoindex_Sites_1"]
    for option in ([], ["--repair"]):
        problems = findings(command, whole, *option)
        assert "index-content" in problems
        assert problems["names-twice"]["examples"] == [{"game": None, "text": "Sites: ID 2, 3"}]
        assert not problems["names-twice"]["repaired"]


def _replace_schema(path: str, rows: list[Any]) -> None:
    """Declare the table Sites and its index as rows of sqlite_master say."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE tbl_name = 'Sites'")
        connection.executemany("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()


def test_a_row_that_breaks_a_rule(command: Command, whole: str) -> None:
    spoil(
        whole, damage("", "", "INSERT INTO Suspects VALUES (9, 3, 'join', 1, 'e', 'same', 9, 'n')")
    )
    assert findings(command, whole, "--repair").keys() == {"constraints", "suspects"}
    assert query(whole, "SELECT * FROM Suspects WHERE Decision = 'same'") == [
        (3, 9, "join", 1.0, "e", "same", 9, "n")
    ]
    assert findings(command, whole) == {}


def test_a_table_that_is_missing(command: Command, whole: str) -> None:
    change(whole, "ALTER TABLE Games DROP COLUMN Charset")
    change(whole, "DROP TABLE Suspects")
    problems = findings(command, whole, "--repair")
    assert problems.keys() == {"schema"}
    assert {example["text"] for example in problems["schema"]["examples"]} >= {
        "Suspects.Class",
        "Games.Charset",
    }


# --- databases of others and of older versions ---------------------------------------------------


def test_a_database_of_ocgdb(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_ocgdb(
        "o.db3", [OcgdbGame("A", "B", "e4 e5", comments=[(0, "x")]), OcgdbGame("A", "C", "")]
    )
    assert findings(command, "o.db3") == {}
    change("o.db3", "UPDATE Games SET Moves2 = x'0102', EventID = 99 WHERE ID = 1")
    change("o.db3", "INSERT INTO Comments VALUES (7, 99, 0, 'lost')")
    before = Path("o.db3").read_bytes()
    status, out, _ = command("check", "o.db3")
    assert status == 1
    assert "  ID 1: no source; ply 1 of 1: stored move 0x0201 is not legal\n" in out
    assert "run 'ocgdedup dedup --upgrade' first, then repair it" in out
    assert findings(command, "o.db3").keys() == {"moves", "names", "orphan-notes"}
    status, out, err = command("check", "o.db3", "--repair")
    assert (status, out) == (2, "")
    assert "dedup --upgrade" in err
    assert Path("o.db3").read_bytes() == before


def test_an_upgraded_database(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_ocgdb(
        "o.db3", [OcgdbGame("A", "B", "e4 e5", comments=[(0, "x")]), OcgdbGame("A", "C", "")]
    )
    command("dedup", "o.db3", "--upgrade", "-q")
    assert findings(command, "o.db3") == {}


@pytest.mark.parametrize("table", ["Games", "Comments", "Players", "GamesMoveHash"])
def test_a_damaged_leaf(command: Command, whole: str, table: str) -> None:
    """With some of them SQLite's own check gives up, which must not look like success."""
    connection = apsw.Connection(whole)
    sql = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY 1 LIMIT 1"
    page = connection.execute(sql, (table,)).get
    size = connection.pragma("page_size")
    connection.close()
    raw = bytearray(Path(whole).read_bytes())
    raw[(page - 1) * size : page * size] = bytes(size)
    Path(whole).write_bytes(raw)
    status, out, _ = command("check", whole)
    assert status == 1
    assert out.startswith(f"{KINDS['file'].description}: ")


def test_a_file_that_was_cut_short(command: Command, whole: str) -> None:
    raw = Path(whole).read_bytes()
    Path(whole).write_bytes(raw[: len(raw) // 2])
    status, out, err = command("check", whole)
    assert (status, out) == (2, "")
    assert err.startswith(
        "ocgdedup: error: a.db3: cannot be opened: database disk image is malformed; take a backup"
    )


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_an_older_version(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    old = gzip.decompress((VERSIONS / f"version-{version}.db3.gz").read_bytes())
    monkeypatch.chdir(tmp_path)
    Path("v.db3").write_bytes(old)
    assert findings(command, "v.db3") == {}
    change("v.db3", "UPDATE Games SET PlyCount = 99 WHERE ID = 2")
    change("v.db3", "INSERT INTO Comments (GameID, Ply, Comment) VALUES (999, 0, 'lost')")
    damaged = Path("v.db3").read_bytes()
    assert findings(command, "v.db3").keys() >= {"ply-count", "orphan-notes"}
    assert Path("v.db3").read_bytes() == damaged
    problems = findings(command, "v.db3", "--repair")
    assert all(finding["repaired"] for finding in problems.values())
    assert value("v.db3", "PRAGMA user_version") == SCHEMA_VERSION
    assert findings(command, "v.db3") == {}


def test_hashes_of_names_where_players_found_nobody(command: Command, tmp_path: Path) -> None:
    """They are hashes of normal forms; the names as they are written have others."""
    (tmp_path / "a.pgn").write_text(game("1. e4 *", White="Petrosian, T", Black="Chilov, A"))
    command("create", tmp_path / "a.db3", tmp_path / "a.pgn", "-q")
    command("players", tmp_path / "a.db3", "-q")
    assert query(tmp_path / "a.db3", "SELECT * FROM Persons") == []
    assert findings(command, tmp_path / "a.db3") == {}


def test_what_is_no_database(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(THREE_GAMES)
    for name in ("a.pgn", "none.db3"):
        status, out, err = command("check", tmp_path / name)
        assert (status, out) == (2, "")
        assert err.startswith("ocgdedup: error: ")


def test_the_keys_of_json_are_documented(command: Command, whole: str) -> None:
    change(whole, "UPDATE Games SET PlyCount = 3 WHERE ID = 4")
    output = json.loads(command("check", whole, "--json").out)
    text = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    fault = output["faults"][0].keys() - {"what"}  # deprecated
    for name in (*output, *fault, *output["faults"][0]["examples"][0], *KINDS):
        assert f"`{name}`" in text, name
