"""dedup: output about pairs (--explain, --method, --report); options that exclude each other."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from ocgdedup.commands import outputs
from tests.support.command_line import Command
from tests.support.databases import change, dump, is_sound
from tests.support.dedup_results import ids, labels
from tests.support.played_games import (
    EXPECTED_COPIES,
    EXPECTED_SUSPECTS,
    copy_of,
    game,
    game_of,
    pgn_text,
    san_of,
    with_wrong_move,
)

# --- evidence in tables ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_evidence_of_each_pair(command: Command, made: str, kind: str) -> None:
    """The same as --explain prints, for duplicates and possible duplicates."""
    command("dedup", made, "--report", f"pairs.{kind}")
    text = Path(f"pairs.{kind}").read_text(encoding="utf-8")
    rows = json.loads(text) if kind == "json" else list(csv.DictReader(text.splitlines()))
    statuses = set()
    for row in rows:
        terms = [value for name, value in row.items() if name.endswith("Evidence")][1:]
        said = command("dedup", made, "--explain", row["MasterID"], row["GameID"]).out
        if row["Evidence"] == "only through other records of the group":
            assert "Their moves differ too much" in said
            assert set(terms) <= {"", None}
            continue
        assert sum(map(float, terms)) == pytest.approx(float(row["Score"]), abs=0.01)
        assert f"  sum         {float(row['Score']):+6.1f}\n" in said
        for term in row["Evidence"].split(", "):
            name, value = term.rsplit(" ", 1)
            assert f"  {name:<12}{value:>6}" in said
            column = f"{name[0].upper()}{name[1:]}Evidence"
            assert float(row[column]) == pytest.approx(float(value), abs=0.051)
        statuses.add(row["Status"])
    assert statuses >= {"exact", "subsumption", "join", "suspect"}


# --- --explain -------------------------------------------------------------------------------


def test_explain(command: Command, made: str) -> None:
    """The same words before and after a search; nothing is changed."""
    of = ids(made)
    arguments = ("dedup", made, "--explain", of["14"], of["14 exchanged"])
    before = Path(made).read_bytes()
    status, out, err = command(*arguments)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "By their moves: near-identical."
    assert re.fullmatch(r"  shared plies: 68, the first \d+ identical; .+", lines[1])
    assert "within the gates for near-identical games" in lines[2]
    assert re.search(r"^  White +\+3\.5  compatible names$", out, re.MULTILINE)
    assert re.search(r"^  sum +\+\d+\.\d$", out, re.MULTILINE)
    assert "Verdict: duplicate, because the sum is at least 8." in lines
    assert lines[-1] == "The search puts them in one group."
    assert Path(made).read_bytes() == before
    command("dedup", made)
    assert command(*arguments).out == out
    assert command(*arguments, "-q").out == out


def test_explain_two_games(command: Command, made: str) -> None:
    of = ids(made)
    out = command("dedup", made, "--explain", of["17"], of["18"]).out
    assert out == (
        "Their moves differ too much for two records of one game with these headers.\n"
        "The search keeps them apart.\n"
    )
    out = command("dedup", made, "--explain", of["23"], of["24"]).out
    assert out.startswith("By their moves: exact.\n")
    assert "different players" in out
    assert (
        "\nVerdict: different games, because the sum is below 0.\nThe search keeps them apart.\n"
    ) in out


def test_explain_what_the_search_made_of_a_pair(command: Command, made: str) -> None:
    """A record that matches two games equally well: by the sum, it matches both."""
    of = ids(made)
    pair = sorted((of["33"], of["35"]))
    out = command("dedup", made, "--explain", *pair).out
    assert (
        "\nVerdict: duplicate, because the sum is at least 8.\n"
        "The search lists them as possible duplicates.\n"
    ) in out
    command("dedup", made)
    sql = "UPDATE Suspects SET Decision = ? WHERE (GameID1, GameID2) = (?, ?)"
    for decision, verdict, words in (
        ("same", "duplicate, because you decided that they are the same game", "puts them in"),
        ("different", "different games, because you decided that they are different", "keeps"),
    ):
        change(made, sql, decision, *pair)
        out = command("dedup", made, "--explain", *pair).out
        assert re.search(f"^Verdict: {verdict}.*\nThe search {words}", out, re.MULTILINE)


def evidence_of(out: str) -> str:
    """Omit the differing moves, which depend on the order of the games."""
    return re.sub(r"Moves that differ.*\n(  .*\n)*", "", out)


@pytest.mark.parametrize("first", [30, 31])
def test_explain_tells_the_moves_that_differ(command: Command, made: str, first: int) -> None:
    record = game(1)
    wrong = with_wrong_move(record.moves, first)
    ply = next(ply for ply, move in enumerate(wrong) if move != record.moves[ply])
    Path("more.pgn").write_text(pgn_text(copy_of(record, "mistyped", moves=wrong)))
    assert command("create", made, "more.pgn", "--append", "-q").status == 0
    of = ids(made)
    out = command("dedup", made, "--explain", of["1"], of["1 mistyped"]).out
    own, other = (san_of(moves)[ply] for moves in (record.moves, wrong))
    place = f"move {ply // 2 + 1}, {'Black' if ply % 2 else 'White'}"
    assert f"\n  {place}: {own} - {other}\n" in out


def test_explain_is_symmetric(command: Command, made: str) -> None:
    of = ids(made)
    for left, right in (("5", "5 swapped"), ("11", "11 from position"), ("9 partial", "9")):
        forward = command("dedup", made, "--explain", of[left], of[right]).out
        back = command("dedup", made, "--explain", of[right], of[left]).out
        assert evidence_of(forward) == evidence_of(back)
        assert forward.startswith("By their moves: ")


@pytest.mark.parametrize(
    ("asked", "options", "message"),
    [
        ((1, 999), [], "a.db3: there is no game with ID 999\n"),
        ((0, 1), [], "there is no game with ID 0"),
        ((-5, 1), [], "there is no game with ID -5"),
        ((10**20, 1), [], "there is no game with ID 100000000000000000000"),
        ((1, -(10**20)), [], "there is no game with ID -100000000000000000000"),
        ((3, 3), [], "--explain needs two different games, not 3 twice"),
        (
            (1, 2),
            ["--plycount", "1000"],
            "there is no game with ID 1 that has as many plies as --plycount",
        ),
    ],
)
def test_explain_what_is_not_there(
    command: Command, made: str, asked: tuple[int, int], options: list[str], message: str
) -> None:
    status, out, err = command("dedup", made, "--explain", *asked, *options)
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: ")
    assert message in err


# --- --method --------------------------------------------------------------------------------


def test_methods(command: Command, made: str) -> None:
    before = Path(made).read_bytes()
    status, out, err = command("dedup", made, "--method", "all")
    assert (status, err) == (0, "")
    head, *rows = out.rstrip("\n").splitlines()
    assert head.split()[:4] == ["method", "reported", "true", "rejected"]
    assert [row.split()[0] for row in rows] == [
        "last-position", "last-position+length", "all-positions", "every-5", "moves",
        "moves+players",
    ]  # fmt: skip
    assert Path(made).read_bytes() == before


def test_some_methods(command: Command, made: str) -> None:
    arguments = ["--method", "moves", "--method", "every-5", "--method", "moves"]
    out = command("dedup", made, *arguments).out
    assert [row.split()[0] for row in out.splitlines()[1:]] == ["moves", "every-5"]
    (moves,) = (row.split() for row in out.splitlines() if row.startswith("moves"))
    # All with equal moves: exact copies but those without moves, quick draws, and a known line.
    exact = sum(status == "exact" for status, _ in EXPECTED_COPIES.values()) - 1
    assert moves[1:4] == [str(exact + 3 + 1)] * 2 + ["0"]
    out = command("dedup", made, "--method", "moves", "--plycount", 17).out
    assert out.splitlines()[1].split()[1] == str(exact)


# --- what does not go together ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--dry-run --delete", "--delete does not go with --dry-run"),
        ("--dry-run --purge", "--purge does not go with --dry-run"),
        ("--dry-run --report r.csv", "--report does not go with --dry-run"),
        ("--dry-run --no-merge", "--no-merge does not go with --dry-run"),
        ("--dry-run --merge-variations", "--merge-variations does not go with --dry-run"),
        ("--purge --keep first", "--keep does not go with --purge unless --delete is given too"),
        ("--purge --defaults", "--defaults does not go with --purge unless --delete is given too"),
        ("--purge --plycount 3", "--plycount does not go with --purge unless --delete"),
        ("--purge --gate-min-ply 3", "--gate-min-ply does not go with --purge unless --delete"),
        ("--purge --by moves", "--by does not go with --purge unless --delete"),
        ("--purge --no-merge", "--no-merge does not go with --purge unless --delete"),
        ("--purge --full", "--full does not go with --purge unless --delete"),
        ("--purge --fide-xml l.xml", "--fide-xml does not go with --purge unless --delete"),
        ("--undo --delete", "--delete does not go with --undo"),
        ("--undo --full", "--full does not go with --undo"),
        ("--undo --plycount 3", "--plycount does not go with --undo"),
        ("--undo --gate-dynamic", "--gate-dynamic does not go with --undo"),
        ("--undo --gate-min-ply 3", "--gate-min-ply does not go with --undo"),
        ("--undo --no-players", "--no-players does not go with --undo"),
        ("--undo --upgrade", "--upgrade does not go with --undo"),
        ("--explain 1 2 --full", "--full does not go with --explain"),
        ("--explain 1 2 --report r.csv", "--report does not go with --explain"),
        ("--explain 1 2 --fide-xml list.xml", "--fide-xml does not go with --explain"),
        ("--method moves --delete", "--delete does not go with --method"),
        ("--method moves --monge-elkan", "--monge-elkan does not go with --method"),
        ("--method moves --gate-min-compare 5", "--gate-min-compare does not go with --method"),
        ("--force", "name one with --report FILE"),
        ("--min-header-quality 50", "--min-header-quality goes with --delete"),
        ("--merge-variations --no-merge", "--merge-variations does not go with --no-merge"),
        (
            "--report r.txt",
            "r.txt: a report is written as .csv, .json, .parquet or .html; name it so",
        ),
        ("--report absent/r.csv", "absent/r.csv: there is no such folder"),
        ("--report .", ".: a report is written as .csv, .json, .parquet or .html"),
        ("--no-players --aliases x.ssp", "with --no-players; leave out one of them"),
    ],
)
def test_misuse(command: Command, made: str, line: str, message: str) -> None:
    files_before = set(Path().iterdir())
    before = Path(made).read_bytes()
    status, out, err = command("dedup", made, *line.split())
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: ")
    assert err.count("\n") == 1
    assert message in err
    assert Path(made).read_bytes() == before
    assert set(Path().iterdir()) == files_before


# --- report ----------------------------------------------------------------------------------


def report_rows(path: str) -> list[dict[str, object]]:
    if path.endswith(".json"):
        return json.loads(Path(path).read_text(encoding="utf-8"))
    with open(path, encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


@pytest.mark.parametrize("path", ["r.csv", "r.json"])
def test_report(command: Command, made: str, path: str) -> None:
    status, _, err = command("dedup", made, "--report", path)
    assert status == 0
    assert f"\nreport: {path}\n" in err
    rows = report_rows(path)
    of = labels(made)
    copies = [row for row in rows if row["Status"] != "suspect"]
    assert {of[int(row["GameID"])]: row["Status"] for row in copies} == {
        label: status for label, (status, _) in EXPECTED_COPIES.items()
    }
    assert all(game_of(of[int(row["GameID"])]) == of[int(row["MasterID"])] for row in copies)
    suspects = [(row["GameID"], row["MasterID"]) for row in rows if row["Status"] == "suspect"]
    assert {frozenset(of[int(number)] for number in pair) for pair in suspects} == EXPECTED_SUSPECTS
    # A run that has nothing new to judge reports the same.
    before = Path(path).read_bytes()
    command("dedup", made, "--report", path, "--force")
    assert Path(path).read_bytes() == before


def test_both_reports_say_the_same(command: Command, made: str) -> None:
    command("dedup", made, "--report", "r.csv")
    command("dedup", made, "--report", "r.json")
    as_json = [
        {name: "" if text is None else str(text) for name, text in row.items()}
        for row in report_rows("r.json")
    ]
    assert report_rows("r.csv") == as_json


def test_report_is_not_overwritten_unasked(command: Command, made: str) -> None:
    Path("r.csv").write_text("mine")
    before = Path(made).read_bytes()
    status, out, err = command("dedup", made, "--report", "r.csv")
    assert (status, out) == (2, "")
    assert err == "ocgdedup: error: r.csv: already exists; overwrite it with --force\n"
    assert (Path("r.csv").read_text(), Path(made).read_bytes()) == ("mine", before)
    assert command("dedup", made, "--report", "r.csv", "--force").status == 0
    assert Path("r.csv").read_text().startswith("Group,GameID,")


def test_a_report_made_meanwhile_is_not_replaced(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run may make the file between the first look and the writing."""
    before = Path(made).read_bytes()
    monkeypatch.setattr(outputs, "check_free", lambda path, force: Path(path).write_text("mine"))
    status, out, err = command("dedup", made, "--report", "r.csv")
    assert (status, out) == (2, "")
    assert err == "ocgdedup: error: r.csv: already exists; overwrite it with --force\n"
    assert (Path("r.csv").read_text(), Path(made).read_bytes()) == ("mine", before)


def test_report_does_not_overwrite_the_database(command: Command, made: str) -> None:
    Path(made).rename("a.csv")
    before = Path("a.csv").read_bytes()
    status, _, err = command("dedup", "a.csv", "--report", "./a.csv", "--force")
    assert status == 2
    assert "is an input" in err
    assert Path("a.csv").read_bytes() == before


def test_report_of_what_is_deleted(command: Command, made: str) -> None:
    command("dedup", made, "--report", "r.csv", "--delete")
    assert len(report_rows("r.csv")) == len(EXPECTED_COPIES) + len(EXPECTED_SUSPECTS)


def test_report_that_cannot_be_written_changes_nothing(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "r.csv")

    before = dump(made)
    monkeypatch.setattr("ocgdedup.reports.pair_files.write_report", fail)
    status, out, err = command("dedup", made, "--report", "r.csv")
    assert (status, out) == (2, "")
    assert "No space left on device" in err
    assert dump(made) == before
    assert is_sound(made)
