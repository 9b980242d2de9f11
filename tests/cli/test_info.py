"""info: output equals that of plain SQL, for files of every kind and state."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.deprecated import KEYS
from ocgdedup.matching.evidence import GO_WEIGHTS, Gates, Weights
from ocgdedup.pipeline.search.groups import ResolveOptions
from ocgdedup.store.connection import SCHEMA_VERSION
from ocgdedup.version import __version__
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.go_games import GoGame, write_go_database
from tests.support.persons import known_persons, write_list
from tests.support.pgn_text import NO_GAME, THREE_GAMES, game

ROOT = Path.cwd()
SEARCHED_BY = "SELECT Value FROM Info WHERE Name = 'Duplicates searched by'"


def info_of(command: Command, path: object) -> dict[str, Any]:
    status, out, err = command("info", path, "--json")
    assert (status, err) == (0, "")
    output: dict[str, Any] = json.loads(out)
    return output


def lines(command: Command, path: object) -> dict[str, str]:
    """Return the text of each label; continuation lines are joined with "; "."""
    status, out, err = command("info", path)
    assert (status, err) == (0, "")
    texts: dict[str, str] = {}
    label = ""
    for line in out.splitlines():
        label = line[:15].strip() or label
        texts[label] = f"{texts[label]}; {line[16:]}" if label in texts else line[16:]
    return texts


@pytest.fixture
def whole(command: Command, made: str) -> str:
    """Return the generated collection after players and dedup."""
    fide = write_list(Path(), known_persons())
    command("players", made, "--fide-xml", fide, "-q")
    command("dedup", made, "-q")
    return made


def test_openings(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    codes = ("C67", "c67a", "B20", "A", "?", "C50", "F10", "B20", "C67b")
    Path("a.pgn").write_text("".join(game("1. e4 *", ECO=code) for code in codes))
    command("create", "a.db3", "a.pgn", "-q")
    assert info_of(command, "a.db3")["openings"] == {"C67": 3, "B20": 2, "C50": 1}
    assert lines(command, "a.db3")["openings"] == (
        "6 games with an ECO code: 2 B, 4 C; most frequent: 3 C67, 2 B20, 1 C50"
    )


def test_counts_are_those_of_plain_sql(command: Command, whole: str) -> None:
    before = Path(whole).read_bytes()
    info = info_of(command, whole)
    assert Path(whole).read_bytes() == before
    assert info["size_bytes"] == len(before)
    assert info["path"] == whole
    assert (info["format"], info["schema_version"], info["upgrade"]) == (
        "ocgdedup",
        SCHEMA_VERSION,
        None,
    )
    games = info["games"]
    for key, sql in {
        "count": "count(*)",
        "average_plies": "round(avg(PlyCount), 1)",
        "first_year": "min(CAST(substr(Date, 1, 4) AS INTEGER)) FILTER (WHERE Date < '?')",
        "last_year": "max(CAST(substr(Date, 1, 4) AS INTEGER)) FILTER (WHERE Date < '?')",
        "with_fen": "count(FEN)",
        "with_comments": "sum(HasComments)",
        "with_variations": "sum(HasVariations)",
    }.items():
        assert games[key] == value(whole, f"SELECT {sql} FROM Games"), key
    for table in ("Persons", "Comments", "Annotations", "Rejects"):
        assert info[table.lower()] == value(whole, f"SELECT count(*) FROM {table}")
    for key in ("events", "sites"):
        sql = f"SELECT count(*) FROM {key} WHERE Name <> ''"
        assert info["names"][key] == value(whole, sql) > 0
    assert games["with_comments"] > 0


def test_phases(command: Command, whole: str) -> None:
    info = info_of(command, whole)
    (person,) = info["players"]["lists"]
    assert person["kind"] == "fide"
    assert person["entries"] == len(known_persons())
    assert info["players"]["current"] is True
    assert info["players"]["games_not_looked_up"] == 0
    duplicates = info["duplicates"]
    sql = "SELECT DuplicateStatus, count(*) FROM FlaggedGames"
    copies = query(whole, f"{sql} WHERE DuplicateStatus NOTNULL GROUP BY 1")
    assert duplicates["by_class"] == dict(copies)
    sql = "SELECT count(DISTINCT DuplicateGroup) FROM FlaggedGames"
    assert duplicates["groups"] == value(whole, sql) > 5
    assert (
        duplicates["possible_duplicates_undecided"]
        == value(whole, "SELECT count(*) FROM Suspects")
        > 0
    )
    assert (
        duplicates["merged_headers"]
        == value(whole, "SELECT count(DISTINCT GameID) FROM MergedTags")
        > 0
    )
    assert duplicates["current"] is True
    assert duplicates["options"] == {}
    assert duplicates["at"] == value(whole, "SELECT Value FROM Info WHERE Name LIKE '%s flagged'")
    assert info["undo"]["players"] == info["players"]["at"]
    assert info["undo"]["dedup"] is not None
    assert info["indexes"]["missing"] == []
    assert len(info["indexes"]["present"]) == 8


def test_before_any_phase(command: Command, made: str) -> None:
    info = info_of(command, made)
    assert info["players"] is None
    assert info["duplicates"] is None
    assert info["undo"] == {"players": None, "dedup": None}
    assert set(info["indexes"]["missing"]) == {"GamesCoreHash", "DuplicateFlagsGroup"}
    text = lines(command, made)
    assert text["players"] == "not resolved yet (run 'ocgdedup players')"
    assert text["duplicates"] == "not searched yet (run 'ocgdedup dedup')"
    assert text["indexes"] == "6 of 6"
    assert "can be undone" not in text


def test_the_text(command: Command, whole: str) -> None:
    result, text = info_of(command, whole), lines(command, whole)
    assert text["database"].startswith("a.db3, ")
    assert text["kind"] == (f"ocgdedup, schema version {SCHEMA_VERSION} (current)")
    assert text["games"].startswith(f"{result['games']['count']:,}; ")
    assert f"{result['names']['players']} player names" in text["names"]
    assert f"groups: {result['duplicates']['groups']}; duplicates in Games: " in text["duplicates"]
    assert "options: defaults" in text["duplicates"]
    assert "possible duplicates: 2 undecided, 0 decided" in text["duplicates"]
    assert "have changed since" not in text["duplicates"]
    assert "ocgdedup players --undo (run of 20" in text["can be undone"]
    assert "ocgdedup dedup --undo (run of 20" in text["can be undone"]
    assert len(command("info", whole).out.splitlines()) < 24


def test_changes_since_the_last_search(command: Command, whole: str) -> None:
    Path("more.pgn").write_text(THREE_GAMES)
    command("create", whole, "more.pgn", "--append", "-q")
    info = info_of(command, whole)
    assert (info["players"]["current"], info["duplicates"]["current"]) == (False, False)
    assert info["players"]["games_not_looked_up"] == 3
    text = lines(command, whole)
    waiting = "new games or names since then: run 'ocgdedup players' (3 new games)"
    assert waiting in text["players"]
    assert "have changed since then: run 'ocgdedup dedup'" in text["duplicates"]
    command("dedup", whole, "-q")
    info = info_of(command, whole)
    assert info["duplicates"]["current"] is True
    change(whole, "UPDATE Suspects SET Decision = 'same'")
    info = info_of(command, whole)
    assert info["duplicates"]["possible_duplicates_undecided"] == 0
    assert info["duplicates"]["possible_duplicates_decided"] == 2
    assert info["duplicates"]["current"] is False


def test_options_of_a_search(command: Command, made: str) -> None:
    command("dedup", made, "-q", "--keep", "first", "--plycount", 9, "--gate-diff-ratio", 0.2)
    assert info_of(command, made)["duplicates"]["options"] == {
        "plycount": 9,
        "gate-diff-ratio": 0.2,
        "join-diff-ratio": 0.2,
        "keep": "first",
    }
    words = "options: --plycount 9 --gate-diff-ratio 0.2 --keep first"
    assert words in lines(command, made)["duplicates"]
    command("dedup", made, "-q", "--no-merge")
    assert f"{words} --no-merge" in lines(command, made)["duplicates"]
    command("dedup", made, "-q", "--defaults")
    assert info_of(command, made)["duplicates"]["options"] == {}
    assert "options: defaults" in lines(command, made)["duplicates"]


def test_a_search_by_a_version_that_noted_no_options(command: Command, made: str) -> None:
    command("dedup", made, "-q", "--keep", "first")
    change(made, "DELETE FROM Info WHERE Name = 'Duplicates options'")
    assert info_of(command, made)["duplicates"]["options"] is None
    assert "options: not stored" in lines(command, made)["duplicates"]


def test_inputs_of_a_chess_search(command: Command, made: str) -> None:
    """Weights of Go are not included."""
    command("dedup", made, "-q")
    usual = (__version__, Gates(), Weights(), 0, None, 0, ResolveOptions())
    assert value(made, SEARCHED_BY) == repr(usual)


def test_options_of_a_search_of_go(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "go.db3"
    write_go_database(path, [GoGame("Bpd Wdd")])
    command("dedup", path, "-q")
    assert repr(GO_WEIGHTS) in value(path, SEARCHED_BY)
    assert repr(Weights()) not in value(path, SEARCHED_BY)
    assert info_of(command, path)["duplicates"]["options"] == {}
    command("dedup", path, "-q", "--plycount", 9)
    assert info_of(command, path)["duplicates"]["options"] == {"plycount": 9}


def test_after_a_removal(command: Command, whole: str) -> None:
    copies = sum(info_of(command, whole)["duplicates"]["by_class"].values())
    command("dedup", whole, "--delete", "-q")
    info = info_of(command, whole)
    assert info["games"]["deleted"] == copies
    assert info["duplicates"]["by_class"] == {}
    text = lines(command, whole)
    assert f"{copies} deleted as duplicates (can be restored)" in text["games"]
    assert f"ocgdedup restore ({copies} games)" in text["can be undone"]


def test_sources(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for number in range(9):
        Path(f"in/{number}.pgn").write_text(game("1. e4 e5 *", Round=str(number)))
    Path("in/9.pgn").write_text(NO_GAME + game("1. e4 e5 2. e5 *", Round="bad"))
    command("create", "s.db3", "in", "-q")
    info = info_of(command, "s.db3")
    assert [source["name"] for source in info["sources"]] == [
        f"in/{number}.pgn" for number in range(10)
    ]
    assert [source["games"] for source in info["sources"]] == [1] * 10
    assert info["sources"][0]["size_bytes"] == Path("in/0.pgn").stat().st_size
    assert (info["rejects"], info["games"]["truncated_at_error"]) == (1, 1)
    text = lines(command, "s.db3")
    assert text["sources"].count("in/") == 6
    assert text["sources"].endswith("; and 4 more with 4 games")
    assert text["rejected texts"] == "1"
    assert "1 read up to an error" in text["games"]


def test_indexes_that_are_missing(command: Command, whole: str) -> None:
    change(whole, "DROP INDEX CommentsGameID")
    change(whole, "DROP INDEX GamesCoreHash")
    assert info_of(command, whole)["indexes"]["missing"] == ["GamesCoreHash", "CommentsGameID"]
    assert (
        "CommentsGameID: slows down printpgn and export" in lines(command, whole)["missing index"]
    )


def test_pages(command: Command, whole: str) -> None:
    pages = info_of(command, whole)["pages"]
    assert pages["size_bytes"] * pages["count"] == Path(whole).stat().st_size
    assert sum(pages["tables"].values()) == pages["size_bytes"] * (pages["count"] - pages["free"])
    assert pages["free"] == value(whole, "PRAGMA freelist_count")
    change(whole, "DROP TABLE FidePlayers")
    change(whole, "CREATE TABLE FidePlayers (FideID INTEGER PRIMARY KEY, Name TEXT NOT NULL)")
    freed = info_of(command, whole)["pages"]["free"]
    assert freed == value(whole, "PRAGMA freelist_count")
    assert (
        "VACUUM in any SQLite client frees it" in lines(command, whole).get("free", "")
    ) == bool(freed)


def test_a_large_file_is_not_measured(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ocgdedup.store.reports.MEASURED_BYTES", 1000)
    assert info_of(command, made)["pages"]["tables"] is None
    assert "largest" not in lines(command, made)


# --- databases of others, of older versions, and none --------------------------------------------


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_version(command: Command, tmp_path: Path, version: int) -> None:
    path = tmp_path / "v.db3"
    name = f"version-{version}.db3.gz"
    path.write_bytes(gzip.decompress((ROOT / "tests" / "schema" / name).read_bytes()))
    before = path.read_bytes()
    info = info_of(command, path)
    assert (info["schema_version"], info["upgrade"]) == (version, "dedup")
    assert info["games"]["count"] == value(path, "SELECT count(*) FROM Games")
    assert (info["persons"] is None) == (version == 1)
    assert info["duplicates"]["current"] is False
    assert info["duplicates"]["options"] is None
    assert "the next command that writes upgrades it" in lines(command, path)["kind"]
    assert path.read_bytes() == before


def test_a_database_of_ocgdb(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "o.db3"
    write_ocgdb(path, [OcgdbGame("A", "B", "e4 e5", comments=[(0, "x")]), OcgdbGame("A", "C", "")])
    info = info_of(command, path)
    assert (info["format"], info["schema_version"]) == ("ocgdb", None)
    assert info["upgrade"] == "dedup --upgrade"
    assert info["games"] == {
        "count": 2, "average_plies": 1.0, "first_year": 1999, "last_year": 1999, "with_fen": 0,
        "with_comments": 0, "with_variations": 0, "truncated_at_error": 0, "cut_at_a_fault": 0,
        "deleted": 0, "removed": 0,
    }  # fmt: skip
    assert (info["comments"], info["annotations"], info["persons"]) == (1, 0, None)
    text = lines(command, path)
    assert text["sources"] == "unknown"
    assert "dedup --upgrade" in text["kind"]
    assert "missing index" not in text


def test_a_database_without_games(command: Command, made: str) -> None:
    change(made, "DELETE FROM Games")
    info = info_of(command, made)
    assert info["games"]["count"] == 0
    assert info["games"]["average_plies"] is None
    assert lines(command, made)["games"].startswith("0; years unknown")


def test_what_is_no_database(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(THREE_GAMES)
    for name in ("a.pgn", "none.db3"):
        status, out, err = command("info", tmp_path / name)
        assert (status, out) == (2, "")
        assert err.startswith("ocgdedup: error: ")


def test_damage_says_what_to_do(command: Command, made: str) -> None:
    raw = bytearray(Path(made).read_bytes())
    root = value(made, "SELECT rootpage FROM sqlite_master WHERE name = 'Games'")
    raw[(root - 1) * 8192 : root * 8192] = bytes(8192)
    Path(made).write_bytes(raw)
    status, out, err = command("info", made)
    assert (status, out) == (2, "")
    assert "'ocgdedup check' may say more" in err


def test_the_keys_of_json_are_documented(command: Command, whole: str) -> None:
    text = (ROOT / "docs" / "info.md").read_text(encoding="utf-8")

    def names(result: object) -> set[str]:
        if isinstance(result, list):
            return set().union(*map(names, result)) if result else set()
        if not isinstance(result, dict):
            return set()
        return {
            name
            for key, inner in result.items()
            for name in (
                {key}
                | (
                    names(inner)
                    if key not in ("tables", "by_class", "copies", "openings")
                    else set()
                )
            )
        }

    result = names(info_of(command, whole))
    old = {path.rpartition(".")[2] for path in KEYS["info"]} - {
        "kind"
    }  # a list of names has it too
    assert "possible_duplicates_undecided" in result
    for name in result - old:
        assert f"`{name}`" in text, name
