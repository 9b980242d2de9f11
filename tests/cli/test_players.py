"""players, and names in create and dedup: results, refusals, undo, both streams."""

from __future__ import annotations

import csv
import gzip
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from ocgdedup.commands import dedup_search
from ocgdedup.errors import StoreError
from ocgdedup.model import Person
from ocgdedup.store.connection import SCHEMA_VERSION
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, dump, is_sound, query, value
from tests.support.persons import crowd, known_persons
from tests.support.pgn_text import QUEENS_GAMBIT, RUY_LOPEZ, game
from tests.support.played_games import copy_of, mainline, pgn_text
from tests.support.played_games import game as played

LIST = "standard_feb25_xml.xml"  # FIDE's names of files tell the month
CARLSEN, KASPAROV = (
    next(person.fide_id for person in known_persons() if person.name == name)
    for name in ("Carlsen, Magnus", "Kasparov, Garry")
)
SUMMARY = re.compile(
    r"FIDE list: (?P<entries>[\d,]+) players, 2025-02 \(from its file name\)\n"
    r"names: 5 spellings of 3 players, 3 with a FIDE ID; 1 unresolved; unknown: 1\n"
    r"games: both players known in 2 of 4 games; by evidence from the games: \d+ names?\n"
    r"filled in: (?P<filled>.+)\n"
    r"undo with: ocgdedup players --undo a\.db3\n"
)
GAMES = (
    game(f"{RUY_LOPEZ} 1-0", White="Carlsen, Magnus", Black="Kasparov, Garry", Date="2025.02.03")
    + game(f"{RUY_LOPEZ} 1-0", White="Magnus Carlsen", Black="Anand, Viswanathan", Event="Other")
    + game(f"{QUEENS_GAMBIT} 1-0", White="?", Black="Carlsen, Magnus", Event="Third")
    + game(f"{QUEENS_GAMBIT} *", White="Zzyxq", Black="?", Event="Fourth")
)
SPELLING = "@PLAYER\nKasparov, Garry #gm RUS\n= Weinstein, Garik Kimovich\n"
PERSONS = (
    "SELECT Players.Name, FideID FROM Resolutions JOIN Players ON Players.ID = PlayerID "
    "JOIN Persons ON Persons.ID = PersonID ORDER BY 1"
)


def xml_list(persons: Iterable[Person]) -> str:
    entries = (
        f"<player><fideid>{person.fide_id}</fideid><name>{escape(person.name)}</name>"
        f"<country>{person.country}</country><sex>M</sex><title>{person.title}</title>"
        f"<rating>{person.rating or 0}</rating><birthday>{person.birth_year}</birthday></player>\n"
        for person in persons
    )
    return f"<playerslist>\n{''.join(entries)}</playerslist>\n"


@pytest.fixture(scope="module")
def list_text() -> str:
    return xml_list([*known_persons(), *crowd(1200)])


@pytest.fixture
def folder(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, list_text: str
) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(GAMES)
    Path(LIST).write_text(list_text)
    Path("names.ssp").write_text(SPELLING)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return tmp_path


def without_times(path: str) -> dict[str, object]:
    """Return the content of a database without times and the stored index."""
    content: dict[str, object] = dict(dump(path))
    for table in ("Info", "RatingLists", "NameIndex"):
        del content[table]
    return content


# --- consolidation ---------------------------------------------------------------------------


def test_names_become_persons(command: Command, folder: Path, list_text: str) -> None:
    status, out, err = command("players", "a.db3", "--fide-xml", LIST)
    assert (status, err) == (0, "")
    result = SUMMARY.fullmatch(out)
    assert result["entries"] == f"{list_text.count('<fideid>'):,}"
    assert dict(query("a.db3", PERSONS))["Magnus Carlsen"] == CARLSEN
    assert value("a.db3", "SELECT count(DISTINCT WhitePersonID) FROM Games WHERE ID < 3") == 1
    assert is_sound("a.db3")


def test_what_is_filled_in(command: Command, folder: Path) -> None:
    out = command("players", "a.db3", "--fide-xml", LIST).out
    # The first game is from the month of the list, the others have no date.
    assert SUMMARY.fullmatch(out)["filled"] == "5 FIDE IDs, 2 titles, 2 Elos"
    sql = "SELECT Value FROM Tags WHERE GameID = ? AND Name = 'BlackFideId'"
    assert value("a.db3", sql, 1) == str(KASPAROV)


def test_no_fill(command: Command, folder: Path) -> None:
    out = command("players", "a.db3", "--fide-xml", LIST, "--no-fill").out
    assert SUMMARY.fullmatch(out)["filled"] == "nothing"
    assert value("a.db3", "SELECT count(*) FROM Tags") == 0


def test_list_month(command: Command, folder: Path) -> None:
    Path(LIST).rename("list.xml")
    out = command("players", "a.db3", "--fide-xml", "list.xml", "--no-fill").out
    assert (
        "players, month unknown; set it with --list-month YYYY-MM to fill in titles and Elos\n"
        in out
    )
    out = command("players", "a.db3", "--list-month", "2025-01", "--fill").out
    assert "filled in: 5 FIDE IDs, 2 titles, 2 Elos\n" in out
    out = command("players", "a.db3", "--fide-xml", "list.xml", "--list-month", "2019-01").out
    assert "players, 2019-01 (from --list-month)\n" in out
    out = command("players", "a.db3", "--fide-xml", "list.xml", "--again").out
    assert "players, 2019-01 (already in the database)\n" in out


def test_list_month_of_the_rating_periods(command: Command, folder: Path) -> None:
    text = Path(LIST).read_text().replace("</player>", "<period>2022-Sep-01</period></player>")
    Path("list.xml").write_text(text)
    out = command("players", "a.db3", "--fide-xml", "list.xml").out
    assert "players, 2022-09 (from its newest rating period)\n" in out
    Path("older.xml").write_text(text.replace("2022-Sep", "2022-Aug"))
    before = dump("a.db3")
    status, _, err = command("players", "a.db3", "--fide-xml", "older.xml")
    assert (status, "the rating list of 2022-08 is older than" in err) == (2, True)
    assert dump("a.db3") == before
    command("players", "a.db3", "--fide-xml", "older.xml", "--replace-list")
    assert value("a.db3", "SELECT Month FROM RatingLists ORDER BY ID DESC LIMIT 1") == "2022-08"


def test_month_and_rating_periods_contradict_each_other(command: Command, folder: Path) -> None:
    text = Path(LIST).read_text().replace("</player>", "<period>2022-Sep-01</period></player>")
    for name, is_told in (("standard_oct22.xml", False), ("standard_nov22.xml", True)):
        Path(name).write_text(f"{text}\n" if is_told else text)  # the same is not read again
        err = command("players", "a.db3", "--fide-xml", name).err
        says = f"{name}: its file name says 2022-11, but the newest rating period in the list is "
        assert (says in err) is is_told


def test_create_takes_the_month_too(command: Command, folder: Path) -> None:
    Path(LIST).rename("list.xml")
    Path("b.pgn").write_text(GAMES)
    words = ["create", "b.db3", "b.pgn", "--list-month", "2025-01"]
    assert "--list-month is of a rating list" in command(*words).err
    out = command(*words, "--fide-xml", "list.xml").out
    assert "players, 2025-01 (from --list-month)\n" in out
    assert value("b.db3", "SELECT Month FROM RatingLists") == "2025-01"


def test_an_older_list_is_refused(command: Command, folder: Path) -> None:
    newer, older = Path("players_2022-02.xml"), Path("players_2004-04.xml")
    newer.write_bytes(Path(LIST).read_bytes())
    older.write_bytes(newer.read_bytes().replace(b"</playerslist>", b"\n</playerslist>"))
    command("players", "a.db3", "--fide-xml", str(newer))
    before = dump("a.db3")
    for words in (["players", "a.db3"], ["dedup", "a.db3"]):
        status, _, err = command(*words, "--fide-xml", str(older))
        assert status == 2
        assert err == (
            f"ocgdedup: error: {older}: the rating list of 2004-04 is older than the one in the "
            f"database, {newer} of 2022-02; add --replace-list to use it all the same\n"
        )
        assert dump("a.db3") == before
    Path("more.pgn").write_text(GAMES + "\n")
    append = ("create", "a.db3", "more.pgn", "--append", "-q", "--fide-xml", str(older))
    assert command(*append).status == 2
    assert dump("a.db3") == before
    assert command(*append, "--replace-list").status == 0
    command("players", "a.db3", "--fide-xml", str(newer))
    out = command("players", "a.db3", "--fide-xml", str(older), "--list-month", "2022-03").out
    assert "players, 2022-03 (from --list-month)\n" in out
    command("players", "a.db3", "--fide-xml", str(newer), "--list-month", "2022-04")
    done = command("players", "a.db3", "--fide-xml", str(older), "--replace-list")
    assert (done.status, "players, 2004-04 (from its file name)\n" in done.out) == (0, True)


def test_second_run_has_nothing_to_do(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST)
    before = dump("a.db3")
    status, out, err = command("players", "a.db3")
    assert (status, err) == (0, "")
    assert out.startswith(
        "names: 5 spellings of 3 players, 3 with a FIDE ID; 1 unresolved; unknown: 1\n"
    )
    assert out.endswith("\nnothing is new since the last run; nothing was changed\n")
    assert dump("a.db3") == before
    assert "nothing is new" not in command("players", "a.db3", "--again").out


def test_spelling_file(command: Command, folder: Path) -> None:
    Path("more.pgn").write_text(game("1. e4 *", White="Weinstein, Garik Kimovich"))
    command("create", "a.db3", "more.pgn", "--append")
    out = command("players", "a.db3", "--fide-xml", LIST, "--aliases", "names.ssp").out
    assert "spelling file: 1 player\n" in out
    assert dict(query("a.db3", PERSONS))["Weinstein, Garik Kimovich"] == KASPAROV


def test_names_without_a_list(command: Command, folder: Path) -> None:
    status, out, err = command("players", "a.db3")
    assert (status, err) == (0, "")
    assert re.match(r"names: 5 spellings of \d players?, 0 with a FIDE ID", out)


def test_quiet(command: Command, folder: Path) -> None:
    assert command("players", "a.db3", "--fide-xml", LIST, "-q") == (0, "", "")
    assert value("a.db3", "SELECT count(*) FROM Persons") == 3
    assert command("players", "a.db3", "--undo", "-q") == (0, "", "")
    assert value("a.db3", "SELECT count(*) FROM Persons") == 0


def test_entries_that_are_left_out_are_told(command: Command, folder: Path, list_text: str) -> None:
    twice = re.search(r"<player>.*\n", list_text)[0]
    bad = "<player><fideid></fideid><name>Nobody, Is</name></player>\n"
    Path(LIST).write_text(list_text.replace("</playerslist>", f"{twice}{bad}</playerslist>"))
    status, _, err = command("players", "a.db3", "--fide-xml", LIST)
    assert status == 0
    count = list_text.count("<fideid>")
    assert err == (
        f"ocgdedup: warning: {LIST}: skipped 1 unreadable entry, the first at "
        f"player {count + 2}\n"
        f"ocgdedup: warning: {LIST}: skipped 1 entry with the FIDE ID of an "
        "earlier entry\n"
    )


# --- report ----------------------------------------------------------------------------------


def test_report(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST, "--report", "r.csv")
    with open("r.csv", encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert list(rows[0]) == [
        "Name", "Games", "Person", "FideID", "Scope", "Stage", "Score", "Reason", "Candidates",
        "DecidedBy",
    ]  # fmt: skip
    of_carlsen = [(row["Name"], row["Games"]) for row in rows if row["FideID"] == str(CARLSEN)]
    assert of_carlsen == [("Carlsen, Magnus", "2"), ("Magnus Carlsen", "1")]
    assert {row["Person"] for row in rows if row["FideID"] == str(CARLSEN)} == {"Carlsen, Magnus"}


def test_report_of_an_unchanged_database(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST, "--report", "r.csv")
    command("players", "a.db3", "--report", "again.csv")
    assert Path("again.csv").read_bytes() == Path("r.csv").read_bytes()


def test_report_is_not_overwritten_unasked(command: Command, folder: Path) -> None:
    Path("r.csv").write_text("mine")
    before = dump("a.db3")
    status, out, err = command("players", "a.db3", "--fide-xml", LIST, "--report", "r.csv")
    assert (status, out) == (2, "")
    assert err == "ocgdedup: error: r.csv: already exists; overwrite it with --force\n"
    assert (Path("r.csv").read_text(), dump("a.db3")) == ("mine", before)
    assert command("players", "a.db3", "--report", "r.csv", "--force").status == 0
    assert Path("r.csv").read_text().startswith("Name,Games,")
    for taken in ("a.db3", LIST):
        arguments = ("players", "a.db3", "--fide-xml", LIST, "--force", "--report", taken)
        assert "is an input" in command(*arguments).err


# --- undo ------------------------------------------------------------------------------------


def test_undo(command: Command, folder: Path) -> None:
    before = without_times("a.db3")
    command("players", "a.db3", "--fide-xml", LIST)
    assert without_times("a.db3") != before
    assert command("players", "--undo", "a.db3") == (0, "undone: 3 games changed back\n", "")
    after = without_times("a.db3")
    for table in ("FidePlayers", "FideAliases"):
        assert after.pop(table)  # what was read stays
        before.pop(table)
    for content in (after, before):
        content["sqlite_master"] = None  # an index stays, too
    assert after == before


def test_undo_without_a_consolidation(command: Command, folder: Path) -> None:
    before = dump("a.db3")
    status, out, err = command("players", "a.db3", "--undo")
    assert (status, out) == (2, "")
    assert err == (
        "ocgdedup: error: a.db3: nothing to undo: players has not changed this database\n"
    )
    assert dump("a.db3") == before


# --- --show ----------------------------------------------------------------------------------


def test_show(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST)
    content = Path("a.db3").read_bytes()
    arguments = ("players", "a.db3", "--show", "Magnus Carlsen", "--show", "Kasparov, Garry")
    status, out, err = command(*arguments)
    assert (status, err) == (0, "")
    first, second = out.split("Kasparov, Garry\n", 1)
    assert first.startswith("Magnus Carlsen\n")
    assert f"FIDE ID {CARLSEN}" in first
    assert f"FIDE ID {KASPAROV}" in second
    assert Path("a.db3").read_bytes() == content


def test_show_without_a_database(command: Command, folder: Path) -> None:
    before = set(folder.iterdir())
    status, out, err = command("players", "--fide-xml", LIST, "--show", "Magnus Carlsen")
    assert (status, err) == (0, "")
    assert f"FIDE ID {CARLSEN}" in out
    assert set(folder.iterdir()) == before


def test_show_takes_an_argument_that_is_no_utf8(command: Command, folder: Path) -> None:
    name = b"M\xfcller, Karsten".decode("utf-8", "surrogateescape")
    status, out, _ = command("players", "--fide-xml", LIST, "--show", name)
    assert (status, out.split("\n")[0]) == (0, "Müller, Karsten")


# --- --resolve -------------------------------------------------------------------------------

NAMES = (
    b"\xef\xbb\xbfCarlsen, Magnus\r\n"
    b"Zzyxq, Nobody\n"
    b"\n"
    b"Magnus\tCarlsen\n"
    b"M\xfcller, Karsten\n"
    b"M\xc3\xbcller, Karsten\n"
    b"Carlsen, Magnus"
)


def resolved_rows(text: str) -> list[list[str]]:
    assert text.endswith("\n")
    return [line.split("\t") for line in text[:-1].split("\n")]


def test_resolve(command: Command, folder: Path) -> None:
    Path("names.txt").write_bytes(NAMES)
    status, out, err = command("players", "--fide-xml", LIST, "--resolve", "names.txt")
    assert status == 0
    rows = resolved_rows(out)
    carlsen = ["Carlsen, Magnus", str(CARLSEN), "Carlsen, Magnus", "exact", "1.000"]
    assert rows[0] == rows[-1] == carlsen
    assert [row[0] for row in rows] == [
        "Carlsen, Magnus", "Zzyxq, Nobody", "", "Magnus Carlsen", "Müller, Karsten",
        "Müller, Karsten", "Carlsen, Magnus",
    ]  # fmt: skip
    assert [row[2] for row in rows[1:6]] == [
        "", "", "Carlsen, Magnus", "Mueller, Karsten", "Mueller, Karsten"
    ]  # fmt: skip
    assert all(len(row) == 5 and re.fullmatch(r"\d\.\d{3}", row[4]) for row in rows)
    assert err.startswith("names: 7, resolved: 5 (5 with a FIDE ID), unresolved: 2; by stage: ")


def test_resolve_from_standard_input_to_a_file(command: Command, folder: Path) -> None:
    arguments = ("players", "--fide-xml", LIST, "--resolve", "-")
    whole = command(*arguments, stdin=NAMES).out
    status, out, err = command(*arguments, "-o", "out.tsv", "-q", stdin=NAMES)
    assert (status, out, err) == (0, "", "")
    assert Path("out.tsv").read_text(encoding="utf-8") == whole
    status, out, err = command(*arguments, "-o", "out.tsv", stdin=b"Changed\n")
    assert (status, out) == (2, "")
    assert err == "ocgdedup: error: out.tsv: already exists; overwrite it with --force\n"
    assert Path("out.tsv").read_text(encoding="utf-8") == whole
    assert command(*arguments, "-o", "out.tsv", "--force", stdin=b"Changed\n").status == 0
    assert Path("out.tsv").read_text().startswith("Changed\t")


def test_resolve_nothing(command: Command, folder: Path) -> None:
    status, out, err = command("players", "--fide-xml", LIST, "--resolve", "-", stdin=b"")
    assert (status, out, err) == (
        0,
        "",
        "names: 0, resolved: 0 (0 with a FIDE ID), unresolved: 0\n",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "names.txt: No such file or directory"),
        ("Carlsen".encode("utf-16"), "names.txt: is UTF-16; save it as UTF-8"),
    ],
)
def test_resolve_what_cannot_be_read(
    command: Command, folder: Path, content: bytes | None, message: str
) -> None:
    if content is not None:
        Path("names.txt").write_bytes(content)
    arguments = ("players", "--fide-xml", LIST, "--resolve", "names.txt", "-o", "out.tsv")
    assert command(*arguments) == (2, "", f"ocgdedup: error: {message}\n")
    assert not list(folder.glob("out.tsv*"))


def test_resolve_does_not_overwrite_its_input(command: Command, folder: Path) -> None:
    Path("names.txt").write_bytes(NAMES)
    arguments = ("players", "--fide-xml", LIST, "--resolve", "names.txt", "--force", "-o")
    for taken in ("names.txt", LIST):
        assert "is an input" in command(*arguments, taken).err
    assert Path("names.txt").read_bytes() == NAMES


# --- of the list, only the players of the games ------------------------------------------------


PLAYERS_OF_GAMES = "FIDE list reduced to the players of this database"


def listed_ids(path: str) -> set[int]:
    return {fide_id for (fide_id,) in query(path, "SELECT FideID FROM FidePlayers")}


def without_list(path: str) -> dict[str, object]:
    content = without_times(path)
    del content["FidePlayers"], content["FideAliases"]
    return content


@pytest.mark.parametrize("has_whole_list_before", [False, True])
def test_no_store_list(command: Command, folder: Path, has_whole_list_before: bool) -> None:
    Path("b.db3").write_bytes(Path("a.db3").read_bytes())
    out = command("players", "b.db3", "--fide-xml", LIST).out.replace("b.db3", "a.db3")
    stored = value("b.db3", "SELECT count(*) FROM Persons WHERE FideID NOTNULL")
    line = f"stored: only the {stored} FIDE list entries of players in this database"
    if has_whole_list_before:
        assert command("players", "a.db3", "--fide-xml", LIST).out == out
        assert command("players", "a.db3", "--no-store-list").out.startswith(PLAYERS_OF_GAMES)
    else:
        reduced = command("players", "a.db3", "--fide-xml", LIST, "--no-store-list").out
        assert reduced.splitlines()[1] == f"{line} (--no-store-list)"
        assert [*reduced.splitlines()[:1], *reduced.splitlines()[2:]] == out.splitlines()
    assert line in command("players", "a.db3", "--no-store-list").out
    assert line not in command("players", "a.db3").out
    assert without_list("a.db3") == without_list("b.db3")
    playing = {fide_id for (fide_id,) in query("a.db3", "SELECT FideID FROM Persons")}
    assert listed_ids("a.db3") == playing < listed_ids("b.db3")
    aliases = {row for row in query("b.db3", "SELECT * FROM FideAliases") if row[0] in playing}
    assert set(query("a.db3", "SELECT * FROM FideAliases")) == aliases != set()
    assert value("a.db3", "SELECT count(*) FROM NameIndex") == 0
    assert Path("a.db3").stat().st_size < Path("b.db3").stat().st_size
    assert is_sound("a.db3")
    for name in ("a", "b"):  # the list's names of the players are still there
        command("export", f"{name}.db3", "-o", f"{name}.pgn", "--names", "canonical")
    assert Path("a.pgn").read_bytes() == Path("b.pgn").read_bytes()


def test_no_store_list_without_a_list(command: Command, folder: Path) -> None:
    """It counts for the next list."""
    out = command("players", "a.db3", "--no-store-list").out
    assert out.startswith("no FIDE list entry is stored; of a later list, only the entries of ")
    assert "stored: only the" in command("players", "a.db3", "--fide-xml", LIST).out
    assert listed_ids("a.db3") == {
        fide_id for (fide_id,) in query("a.db3", "SELECT FideID FROM Persons")
    }


def test_a_decision_about_a_player_who_is_not_stored(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST, "--no-store-list")
    polgar = next(person for person in known_persons() if person.name == "Polgar, Judit")
    assert polgar.fide_id not in listed_ids("a.db3")
    outcome = command("players", "a.db3", "--name", "Zzyxq", polgar.name)
    assert outcome.status == 0
    assert "ocgdedup: warning: a decided name may be in the FIDE list" in outcome.err
    assert "'ocgdedup players a.db3 --fide-xml LIST --again'" in outcome.err
    assert dict(query("a.db3", PERSONS))["Zzyxq"] is None
    command("players", "a.db3", "--fide-xml", LIST, "--again")
    assert dict(query("a.db3", PERSONS))["Zzyxq"] == polgar.fide_id
    assert command("players", "a.db3", "--forget", "Zzyxq").err == ""


def test_new_names_need_the_list_again(command: Command, folder: Path) -> None:
    """Among only the players of games, a namesake would be unique."""
    command("players", "a.db3", "--fide-xml", LIST, "--no-store-list")
    assert command("players", "a.db3").status == 0  # nothing is new
    Path("new.pgn").write_text(game(f"{RUY_LOPEZ} 1-0", White="Carlsen, M", Black="Hou, Yifan"))
    command("create", "--append", "a.db3", "new.pgn")
    content = dump("a.db3")
    for arguments in (("players", "a.db3"), ("dedup", "a.db3")):
        status, _, err = command(*arguments)
        assert status == 2
        assert "give the list: --fide-xml LIST" in err
        assert dump("a.db3") == content
    assert command("players", "a.db3", "--fide-xml", LIST).status == 0
    Path("new.db3").unlink(missing_ok=True)
    command("create", "new.db3", "in.pgn", "new.pgn", "-q")
    command("players", "new.db3", "--fide-xml", LIST, "--no-store-list")
    assert query("a.db3", PERSONS) == query("new.db3", PERSONS)
    assert listed_ids("a.db3") == listed_ids("new.db3")


def test_the_same_list_is_read_again_only_for_new_names(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST, "--no-store-list")
    before = listed_ids("a.db3")
    out = command("players", "a.db3", "--fide-xml", LIST).out
    assert "nothing is new since the last run" in out
    assert listed_ids("a.db3") == before
    out = command("players", "a.db3", "--fide-xml", LIST, "--aliases", "names.ssp").out
    assert "undo with" in out
    assert listed_ids("a.db3") == before


@pytest.mark.parametrize("option", ["--no-store-list", "--store-list"])
def test_a_list_that_is_read_again_keeps_its_month(
    command: Command, folder: Path, option: str
) -> None:
    """A later month that was set does not make the list older than itself, either."""
    command("players", "a.db3", "--fide-xml", LIST, option, "--list-month", "2031-05")
    command("create", "--append", "a.db3", "in.pgn", "-q")
    assert command("players", "a.db3", "--fide-xml", LIST, "--again").status == 0
    assert query("a.db3", "SELECT Month FROM RatingLists ORDER BY ID DESC LIMIT 1") == [
        ("2031-05",)
    ]


def test_store_list(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST, "--no-store-list")
    status, _, err = command("players", "a.db3", "--store-list")
    assert status == 2
    assert "give the list: --fide-xml LIST" in err
    assert command("players", "a.db3", "--fide-xml", LIST, "--store-list").status == 0
    assert len(listed_ids("a.db3")) > 1200
    command("create", "--append", "a.db3", "in.pgn", "-q")
    assert command("players", "a.db3").status == 0


def test_undo_without_the_list(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST, "--no-store-list")
    persons, listed = query("a.db3", "SELECT * FROM Persons"), listed_ids("a.db3")
    Path("other.ssp").write_text("@PLAYER\nZzyxq, Anton #gm RUS\n= Zzyxq\n")
    command("players", "a.db3", "--fide-xml", LIST, "--aliases", "other.ssp")
    assert query("a.db3", "SELECT * FROM Persons") != persons
    command("players", "a.db3", "--undo")
    assert query("a.db3", "SELECT * FROM Persons") == persons
    assert listed <= listed_ids("a.db3")


def test_message_about_an_omitted_list(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST)
    assert "searched only" not in command("players", "a.db3", "--show", "Anand, V").out
    command("players", "a.db3", "--no-store-list")
    assert (
        "searched only the FIDE list entries"
        in command("players", "a.db3", "--show", "Anand, V").out
    )
    assert "FIDE list reduced to the players" in command("info", "a.db3").out


# --- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no database is named"),
        ("--undo", "no database is named"),
        (f"--fide-xml {LIST}", "no database is named"),
        ("--show X", "--show without a database needs a FIDE list"),
        ("--show X --aliases names.ssp", "--show without a database needs a FIDE list"),
        ("--resolve in.pgn", "--resolve needs a FIDE list"),
        (f"a.db3 --fide-xml {LIST} --resolve in.pgn", "leave out a.db3, or --resolve"),
        (f"a.db3 --show X --fide-xml {LIST}", "leave out --fide-xml, or the database"),
        ("a.db3 --show X --again", "--again does not go with --show with a database"),
        (f"a.db3 --undo --fide-xml {LIST}", "--fide-xml does not go with --undo"),
        ("a.db3 --undo --report r.csv", "--report does not go with --undo"),
        ("a.db3 --undo --no-fill", "--no-fill does not go with --undo"),
        ("a.db3 --fill --no-fill", "not allowed with argument"),
        ("a.db3 --undo --no-store-list", "--no-store-list does not go with --undo"),
        ("a.db3 -o out.tsv", "--output goes with --resolve, --decisions or --unresolved only"),
        ("a.db3 --force", "name one with --report"),
        (f"--fide-xml {LIST} --resolve in.pgn --report r.csv", "--report does not go with"),
        (f"--fide-xml {LIST} --resolve in.pgn --list-month 2025-01", "--list-month does not go"),
        ("a.db3 --undo --show X", "not allowed with argument"),
        ("a.db3 --list-month 2025-13", "'2025-13' is no month such as 2025-02"),
        ("a.db3 --list-month 25-1", "'25-1' is no month such as 2025-02"),
        ("a.db3 --fide-xml absent.xml", "absent.xml: cannot be opened"),
        ("a.db3 --fide-xml in.pgn", "in.pgn: line 1: is not a FIDE list"),
        ("a.db3 --fide-xml -", "a list is read more than once"),
        (f"a.db3 --aliases {LIST}", f"{LIST}: line 1: is not a spelling file"),
        ("absent.db3", "absent.db3: there is no such database"),
        ("absent.db3 --undo", "absent.db3: there is no such database"),
        ("absent.db3 --show X", "absent.db3: there is no such database"),
        ("in.pgn", "in.pgn: is not an SQLite database"),
    ],
)
def test_refusals(command: Command, folder: Path, line: str, message: str) -> None:
    before = set(folder.iterdir())
    content = Path("a.db3").read_bytes()
    status, out, err = command("players", *line.split())
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert set(folder.iterdir()) == before
    assert Path("a.db3").read_bytes() == content


@pytest.mark.parametrize("options", [[], ["--undo"], ["--show", "X"]])
def test_database_of_ocgdb(command: Command, folder: Path, options: list[str]) -> None:
    write_ocgdb(Path("o.db3"), [OcgdbGame("Alpha, A", "Beta, B", "e4 e5", result="1-0")])
    content = Path("o.db3").read_bytes()
    status, out, err = command("players", "o.db3", *options)
    assert (status, out) == (2, "")
    assert "o.db3: OCGDB wrote this file; run 'ocgdedup dedup --upgrade' on it first\n" in err
    assert Path("o.db3").read_bytes() == content


def test_database_of_an_older_version(command: Command, folder: Path) -> None:
    packed = Path(__file__).parents[1] / "schema" / "version-1.db3.gz"
    Path("old.db3").write_bytes(gzip.decompress(packed.read_bytes()))
    status, out, err = command("players", "old.db3", "--show", "X")
    assert (status, out) == (2, "")
    assert "run 'ocgdedup players old.db3' first\n" in err
    assert value("old.db3", "PRAGMA user_version") == 1
    assert "nothing to undo" in command("players", "old.db3", "--undo").err
    assert not Path("old.db3.version-1").exists()
    status, out, err = command("players", "old.db3")
    assert status == 0
    versions = f"schema version 1 -> {SCHEMA_VERSION}"
    assert f"{versions}; a copy of the file is old.db3.version-1\n" in err
    assert "undo with: ocgdedup players --undo old.db3\n" in out


def test_damaged_list_changes_nothing(command: Command, folder: Path, list_text: str) -> None:
    """The damage is far after the header, which is checked first."""
    command("players", "a.db3", "--fide-xml", LIST)
    before = dump("a.db3")
    Path("cut.xml").write_text(list_text[: len(list_text) // 2])
    status, out, err = command("players", "a.db3", "--fide-xml", "cut.xml")
    assert (status, out) == (2, "")
    assert "cut.xml" in err
    assert dump("a.db3") == before


# --- create ----------------------------------------------------------------------------------


def test_create_consolidates(command: Command, folder: Path) -> None:
    lists = ("--fide-xml", LIST, "--aliases", "names.ssp")
    status, out, err = command("create", "b.db3", "in.pgn", *lists)
    assert (status, err) == (0, "")
    assert out.startswith("games: 4, read up to an error: 0, ")
    assert "\nnames: 5 spellings of 3 players, 3 with a FIDE ID; 1 unresolved; unknown: 1\n" in out
    assert out.endswith("undo with: ocgdedup players --undo b.db3\n")
    command("players", "a.db3", *lists)
    assert without_times("b.db3").keys() == without_times("a.db3").keys()
    for table in ("Persons", "Resolutions", "Games"):
        assert without_times("b.db3")[table] == without_times("a.db3")[table]
    assert "nothing is new" in command("players", "b.db3").out


def test_create_without_a_list_leaves_names_alone(command: Command, folder: Path) -> None:
    assert value("a.db3", "SELECT count(*) FROM Persons") == 0
    command("players", "a.db3", "--fide-xml", LIST)
    before = query("a.db3", "SELECT * FROM Games")
    command("create", "a.db3", "in.pgn", "--append")
    assert query("a.db3", "SELECT * FROM Games WHERE ID < 5") == before
    assert value("a.db3", "SELECT count(WhitePersonID) FROM Games WHERE ID > 4") == 0


def test_create_append_consolidates(command: Command, folder: Path) -> None:
    assert command("create", "a.db3", "in.pgn", "--append", "--fide-xml", LIST).status == 0
    sql = "SELECT count(*) FROM Games WHERE WhitePersonID IS NOT NULL AND ID {} 4"
    assert value("a.db3", sql.format("<=")) == value("a.db3", sql.format(">")) > 0


def test_create_with_a_wrong_list_reads_no_games(command: Command, folder: Path) -> None:
    before = set(folder.iterdir())
    arguments = ("create", "b.db3", "-", "--fide-xml", "in.pgn")
    status, out, err = command(*arguments, stdin=None)  # standard input is never asked
    assert (status, out) == (2, "")
    assert "in.pgn: line 1: is not a FIDE list" in err
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("options", [[], ["--append"]])
def test_create_with_a_damaged_list_leaves_nothing(
    command: Command, folder: Path, list_text: str, options: list[str]
) -> None:
    Path("cut.xml").write_text(list_text[: len(list_text) // 2])
    Path("in.pgn").write_text(f"{GAMES}This is prose, so that there is a reject file.\n\n{GAMES}")
    files_before = set(folder.iterdir())
    before = dump("a.db3")
    target = "a.db3" if options else "b.db3"
    status, out, err = command("create", target, "in.pgn", "--fide-xml", "cut.xml", *options)
    assert (status, out) == (2, "")
    assert "cut.xml" in err
    assert set(folder.iterdir()) == files_before
    assert dump("a.db3") == before


def test_create_does_not_overwrite_a_list(command: Command, folder: Path) -> None:
    arguments = ("create", "b.db3", "in.pgn", "--fide-xml", LIST, "--force", "--report", LIST)
    assert "is an input" in command(*arguments).err


# --- dedup -----------------------------------------------------------------------------------


def test_dedup_consolidates_first(command: Command, folder: Path) -> None:
    status, out, err = command("dedup", "a.db3", "--fide-xml", LIST)
    assert status == 0
    assert re.fullmatch(r"#games: 4, .+ #duplicates: 0\n", out)  # nothing else
    of_players = SUMMARY.match(err)
    assert of_players
    assert err[of_players.end() :].startswith("duplicates: 0 in 0 groups: ")
    assert value("a.db3", "SELECT count(*) FROM Persons") == 3


def test_dedup_finds_duplicates_under_other_spellings_of_one_person(
    command: Command, folder: Path
) -> None:
    """Of a game so short that different names would make it two games."""
    text = played(1, moves=mainline(1)[:20], White="Kasparov, Garry", Date="1995.02.03")
    other = copy_of(text, "other name", White="Weinstein, Garik Kimovich")
    Path("short.pgn").write_text(pgn_text(text) + pgn_text(other))
    command("create", "b.db3", "short.pgn")
    assert "#duplicates: 0\n" in command("dedup", "b.db3").out
    arguments = ("dedup", "b.db3", "--fide-xml", LIST, "--aliases", "names.ssp")
    assert "#duplicates: 1\n" in command(*arguments).out


def test_dedup_consolidates_what_is_new(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST)
    assert "spellings of " not in command("dedup", "a.db3").err
    Path("more.pgn").write_text(game("1. e4 *", White="Garry Kasparov"))
    command("create", "a.db3", "more.pgn", "--append")
    assert "spellings of " in command("dedup", "a.db3").err
    assert dict(query("a.db3", PERSONS))["Garry Kasparov"] == KASPAROV


def test_dedup_without_a_list(command: Command, folder: Path) -> None:
    """Names that were never resolved stay so; after that, new names are resolved."""
    assert "spellings of " not in command("dedup", "a.db3").err
    assert value("a.db3", "SELECT count(*) FROM Persons") == 0
    command("players", "a.db3", "--fide-xml", LIST)
    assert "spellings of " not in command("dedup", "a.db3").err  # nothing new
    Path("more.pgn").write_text(game("1. e4 *", White="Newcomer, Noel"))
    command("create", "a.db3", "more.pgn", "--append")
    assert re.match(r"names: 7 spellings of [1-9]", command("dedup", "a.db3").err)
    command("players", "a.db3", "--undo")
    # Who took it back does not want it.
    assert "spellings of " not in command("dedup", "a.db3").err


@pytest.mark.parametrize("option", ["--no-players", "--dry-run"])
def test_dedup_leaves_names_alone(command: Command, folder: Path, option: str) -> None:
    hashes = query("a.db3", "SELECT CoreHash FROM Games ORDER BY ID")
    command("players", "a.db3", "--fide-xml", LIST)
    command("players", "--undo", "a.db3")
    change("a.db3", "INSERT INTO Info VALUES ('Players consolidated', 'an older state')")
    status, _, err = command("dedup", "a.db3", option)
    assert status == 0
    assert "spellings of " not in err
    assert value("a.db3", "SELECT count(*) FROM Persons") == 0
    assert query("a.db3", "SELECT CoreHash FROM Games ORDER BY ID") == hashes


def test_dedup_with_lists_that_are_not_used(command: Command, folder: Path) -> None:
    before = dump("a.db3")
    status, _, err = command("dedup", "a.db3", "--fide-xml", LIST, "--dry-run")
    assert status == 0
    warning = "ocgdedup: warning: --dry-run changes nothing: --fide-xml and --aliases are ignored\n"
    assert err.startswith(f"{warning}duplicates: 0 in 0 groups")
    status, out, err = command("dedup", "a.db3", "--fide-xml", LIST, "--no-players")
    assert (status, out) == (2, "")
    assert "--no-players; leave out one of them\n" in err
    assert command("dedup", "a.db3", "--dry-run", "--aliases", LIST).status == 2
    assert dump("a.db3") == before


def test_dedup_that_fails_leaves_names_as_they_were(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("no")

    before = dump("a.db3")
    monkeypatch.setattr(dedup_search, "find_duplicates", fail)
    assert command("dedup", "a.db3", "--fide-xml", LIST).status == 2
    assert dump("a.db3") == before


def test_undo_makes_flags_stale(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--fide-xml", LIST)
    command("dedup", "a.db3")
    assert command("players", "a.db3", "--undo").status == 0
    assert value("a.db3", "SELECT Value FROM Info WHERE Name = 'Duplicates stale'") == "yes"


# --- start-up --------------------------------------------------------------------------------


# What takes a name apart, to see if two may be one player's. Their tables are small.
NAME_FORMS = {
    f"ocgdedup.matching.names{module}"
    for module in (
        "",
        ".cyrillic",
        ".hangul",
        ".letters",
        ".name_decisions",
        ".name_form",
        ".name_words",
        ".pinyin",
    )
}


@pytest.mark.parametrize(
    "line",
    ["--help", "export a.db3 -o out.pgn", "dedup a.db3 --no-players", "create b.db3 in.pgn"],
)
def test_commands_without_names_do_not_load_what_compares_names(folder: Path, line: str) -> None:
    program = (
        "import sys\n"
        "from ocgdedup.cli.main import run\n"
        "try:\n"
        "    assert run(sys.argv[1:]) == 0\n"
        "except SystemExit:\n"
        "    pass\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *line.split()],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    loaded = set(done.stderr.split("\n"))
    assert "ocgdedup.cli.main" in loaded
    heavy = ("ocgdedup.matching.names", "ocgdedup.fide.", "ocgdedup.commands.players", "lxml")
    if line.startswith("dedup"):
        loaded -= NAME_FORMS
    assert [name for name in loaded if name.startswith(heavy)] == []
