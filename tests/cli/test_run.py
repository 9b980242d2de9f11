"""run: PGN in, deduplicated PGN out; only new inputs; interrupted and repeated."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pytest

from ocgdedup.commands import outputs, run
from ocgdedup.commands.dedup_search import DedupResult
from ocgdedup.commands.run import RunRequest
from ocgdedup.deprecated import KEYS
from ocgdedup.model import Reporter
from tests.support.command_line import Command, command_line
from tests.support.databases import change, is_sound, query, value
from tests.support.dedup_results import content
from tests.support.pgn_text import ILLEGAL_GAME, NO_GAME
from tests.support.played_games import EXPECTED_COPIES, collection, game, pgn_text

DEMO = Path(__file__).parents[2] / "scripts" / "demo_games"
LIST = DEMO / "players_2013-01.xml"
REFERENCE = Path(__file__).parents[2] / "docs" / "reference.md"
ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of a collection with duplicates within and between them."""
    monkeypatch.chdir(tmp_path)
    texts = [pgn_text(record) for record in collection()]
    half = len(texts) // 2
    Path("one.pgn").write_text("".join(texts[:half]), encoding="utf-8")
    Path("two.pgn").write_text("".join(texts[half:]), encoding="utf-8")
    return tmp_path


def games_in(path: str) -> int:
    count = 0
    with open(path, encoding="utf-8") as handle:
        while chess.pgn.read_game(handle) is not None:
            count += 1
    return count


def summary(out: str) -> dict[str, str]:
    """Return the lines of the summary by label."""
    return dict(line.split(None, 1) for line in out.splitlines() if not line.startswith(" "))


def test_everything_at_once(command: Command, folder: Path) -> None:
    done = command(
        "run", "one.pgn", "two.pgn", "-o", "unique.pgn", "--duplicates", "duplicates.pgn"
    )
    assert done.status == 0, done.err
    copies = value("unique.db3", "SELECT count(DuplicateStatus) FROM FlaggedGames")
    assert copies == len(EXPECTED_COPIES)
    assert games_in("unique.pgn") == len(collection()) - copies
    assert games_in("duplicates.pgn") == copies
    lines = summary(done.out)
    assert lines["read"] == f"{len(collection())} games"
    assert lines["duplicates"].startswith(f"{copies} in ")
    assert lines["possible"] == "2 possible duplicates, both games kept"
    assert lines["written"] == f"{len(collection()) - copies} games to unique.pgn"
    assert f"{copies} duplicates to duplicates.pgn" in done.out
    assert lines["database"] == "unique.db3"
    assert lines["next"] == "ocgdedup review unique.db3"
    assert re.fullmatch(
        r"[\d.]+ s \(reading [\d.]+, players [\d.]+, duplicates [\d.]+, writing [\d.]+\)",
        lines["time"],
    )
    assert len(done.out.splitlines()) <= 16
    assert done.err == ""
    assert "\x1b" not in done.out
    assert "\r" not in done.out


def test_same_as_the_single_commands(command: Command, folder: Path) -> None:
    lists = ("--fide-xml", LIST, "--aliases", DEMO / "spelling.ssp")
    assert command("run", DEMO, "-o", "unique.pgn", *lists).status == 1
    assert command("create", "a.db3", DEMO, "-q").status == 1
    assert command("players", "a.db3", *lists).status == 0
    assert command("dedup", "a.db3").status == 0
    assert command("tidy", "a.db3", "--eco").status == 0
    assert command("export", "a.db3", "-o", "a.pgn", "--names", "canonical", "--ids").status == 0
    assert Path("unique.pgn").read_bytes() == Path("a.pgn").read_bytes()
    assert content("unique.db3") == content("a.db3")


def test_only_what_is_new(command: Command, folder: Path) -> None:
    assert command("run", "one.pgn", "-o", "unique.pgn").status == 0
    done = command("run", "one.pgn", "two.pgn", "-o", "unique.pgn")
    assert done.status == 0, done.err
    in_two = len(collection()) - len(collection()) // 2
    assert summary(done.out)["read"] == f"{in_two} games; skipped 1 file: already imported"
    copies = value("unique.db3", "SELECT count(DuplicateStatus) FROM FlaggedGames")
    assert copies == len(EXPECTED_COPIES)
    assert games_in("unique.pgn") == len(collection()) - copies
    before = Path("unique.pgn").read_bytes()
    again = command("run", "one.pgn", "two.pgn", "-o", "unique.pgn")
    assert again.status == 0
    assert summary(again.out)["read"] == "0 games; skipped 2 files: already imported"
    assert Path("unique.pgn").read_bytes() == before


def test_each_input_file_has_a_line(command: Command, folder: Path) -> None:
    """Their sums equal the other lines; deleted duplicates still count for their file."""
    done = command("run", DEMO, "-o", "unique.pgn", "--json")
    output = json.loads(done.out)
    files = {Path(source["name"]).name: source for source in output["sources"]}
    assert sorted(files) == sorted(path.name for path in DEMO.glob("*.pgn"))
    sums = {
        key: sum(source[key] for source in files.values()) for key in ("games", "new", "rejected")
    }
    assert sums == {
        "games": output["games"],
        "new": output["games_written"],
        "rejected": output["texts_rejected"],
    }
    duplicates = sum(output["duplicates_by_class"].values())
    assert sum(source["duplicates"] for source in files.values()) == duplicates
    assert (
        sum(source["truncated"] for source in files.values())
        == output["duplicates_by_class"]["subsumption"]
    )
    sql = "SELECT count(*) FROM (SELECT GameID1 FROM Suspects UNION SELECT GameID2 FROM Suspects)"
    pairs = sum(source["possible_duplicates"] for source in files.values())
    assert pairs == value("unique.db3", sql)
    command("dedup", "unique.db3", "--delete")
    text = command("info", "unique.db3", "--json").out
    after = {Path(source["name"]).name: source for source in json.loads(text)["sources"]}
    assert sum(source["duplicates"] for source in after.values()) == duplicates
    assert {name: source["new"] for name, source in after.items()} == {
        name: source["new"] for name, source in files.items()
    }
    text = command("run", DEMO, "-o", "again.pgn").out
    source = files["magazine_archive.pgn"]
    assert (
        f"magazine_archive.pgn: {source['games']} games, {source['new']} new, "
        f"{source['duplicates']} duplicates ({source['truncated']} truncated)"
    ) in " ".join(text.split())


def test_an_update_lists_new_files_first(command: Command, folder: Path) -> None:
    """The most new games first, earlier files in one line; within 80 columns, no word is broken."""
    records = [pgn_text(record) for record in collection()]
    long_name = f"{'a folder/' * 9}{'long-name' * 9}.pgn"
    Path(long_name).parent.mkdir(parents=True)
    for name, texts in (
        ("a.pgn", records[:9]), ("b.pgn", records[9:11]), ("c.pgn", records[11:20]),
        (long_name, records[20:]),
    ):  # fmt: skip
        Path(name).write_text("".join(texts))
    names = ("a.pgn", "b.pgn", "c.pgn", long_name)
    counts = json.loads(command("run", *names, "-o", "b.pgn.gz", "--json").out)["sources"]
    new = {row["name"]: row["new"] for row in counts}
    command("run", "a.pgn", "-o", "unique.pgn")
    done = command("run", *names, "-o", "unique.pgn")
    assert done.status == 0, done.err
    # A name may be too long for a line, but stays whole.
    last_word = long_name.split(" ")[-1]
    assert all(len(line) <= 80 or last_word in line for line in done.out.splitlines())
    text = " ".join(done.out.split())
    places = {name: text.index(f"{name}: ") for name in names[1:]}
    assert sorted(places, key=places.__getitem__) == sorted(places, key=lambda name: -new[name])
    assert "a.pgn: " not in text
    assert text.index("imported before: 1 file, 9 games") > max(places.values())
    again = command("run", *names, "-o", "unique.pgn").out
    assert "\nfiles       imported before: 4 files, " in again


def test_errors_and_truncated_duplicates_have_other_words(command: Command, folder: Path) -> None:
    """A game with an error is no truncated duplicate."""
    short = game(1)._replace(moves=game(1).moves[:40])
    Path("in.pgn").write_text(pgn_text(game(1)) + pgn_text(short) + ILLEGAL_GAME)
    done = command("run", "in.pgn", "-o", "unique.pgn")
    assert summary(done.out)["read"] == "3 games, 1 read up to an error"
    assert "1 truncated" in summary(done.out)["duplicates"]
    assert "truncated" not in done.err
    for words in (
        ["info", "unique.db3"],
        ["create", "c.db3", "in.pgn"],
        ["export", "unique.db3", "-o", "x.pgn"],
    ):
        outcome = command(*words)
        for line in (outcome.out + outcome.err).splitlines():
            assert "truncated" not in line or "1 truncated)" in line


def test_many_input_files(command: Command, folder: Path) -> None:
    Path("in").mkdir()
    for number in range(23):
        Path(f"in/{number:02}.pgn").write_text(pgn_text(game(number)))
    lines = command("run", "in", "-o", "unique.pgn").out.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("files"))
    assert lines[start + 20].strip() == "and 3 more (see 'ocgdedup info --json')"


def test_many_input_files_of_one_game(command: Command, folder: Path) -> None:
    """Lines for files with a game each would say nothing."""
    for number in range(50):
        Path(f"in/{number % 2}").mkdir(parents=True, exist_ok=True)
        Path(f"in/{number % 2}/{number:02}.pgn").write_text(pgn_text(game(number)))
    lines = command("run", "in", "-o", "unique.pgn").out.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("folders"))
    assert [line[12:].partition(" new")[0] for line in lines[start : start + 2]] == [
        "in/0/ (25 files): 25 games, 25",
        "in/1/ (25 files): 25 games, 25",
    ]
    assert lines[start + 2].startswith("duplicates")


def test_the_same_bytes_under_two_names(command: Command, folder: Path) -> None:
    Path("copy.pgn").write_bytes(Path("one.pgn").read_bytes())
    done = command("run", "one.pgn", "copy.pgn", "-o", "unique.pgn")
    assert "skipped 1 file: already imported" in summary(done.out)["read"]
    assert query("unique.db3", "SELECT Name FROM Sources") == [("one.pgn",)]


def test_a_pipe_is_read_each_time(command: Command, folder: Path) -> None:
    text = Path("one.pgn").read_bytes()
    assert command("run", "-", "-o", "unique.pgn", stdin=text).status == 0
    unique = games_in("unique.pgn")
    assert command("run", "-", "-o", "unique.pgn", stdin=text).status == 0
    assert games_in("unique.pgn") == unique


def test_database_as_it_is(command: Command, folder: Path) -> None:
    assert command("run", "one.pgn", "two.pgn", "-o", "unique.pgn").status == 0
    change("unique.db3", "UPDATE Suspects SET Decision = 'same'")
    done = command("run", "--db", "unique.db3", "-o", "unique.pgn")
    assert done.status == 0, done.err
    assert summary(done.out)["possible"] == "no possible duplicates"
    assert games_in("unique.pgn") < len(collection()) - len(EXPECTED_COPIES)


def test_json(command: Command, folder: Path) -> None:
    done = command("run", "one.pgn", "two.pgn", "-o", "unique.pgn", "--json")
    output = json.loads(done.out)
    assert output["games"] == output["games_read"] == len(collection())
    assert output["games_written"] == games_in("unique.pgn")
    assert sum(output["duplicates_by_class"].values()) == len(EXPECTED_COPIES)
    assert output["possible_duplicates"] == 2
    assert set(output["elapsed_s"]) == {"load", "players", "duplicates", "copies", "export"}
    assert output["database"] == "unique.db3"
    described = REFERENCE.read_text(encoding="utf-8").split("### JSON summary of run")[1]
    assert set(output) - KEYS["run"].keys() <= set(
        re.findall(r"`(\w+)`", described.split("\n## ")[0])
    )


def test_quiet(command: Command, folder: Path) -> None:
    assert command("run", "-q", "one.pgn", "-o", "unique.pgn") == (0, "", "")


def test_to_standard_output(command: Command, folder: Path) -> None:
    done = command("run", "one.pgn", "-o", "-", "--db", "a.db3")
    assert done.status == 0
    assert done.out.startswith("[Event ")
    assert "written" in summary(done.err)
    refused = command("run", "one.pgn", "-o", "-")
    assert refused == (
        2,
        "",
        "ocgdedup: error: run: -o - gives the database no name; name it with --db GAMES.db3\n",
    )


def test_rejects_are_kept(command: Command, folder: Path) -> None:
    Path("bad.pgn").write_text(NO_GAME)
    done = command("run", "one.pgn", "bad.pgn", "-o", "unique.pgn")
    assert done.status == 1
    assert summary(done.out)["rejected"] == (
        "1 text that is not a game, written to unique.rejects.pgn"
    )
    assert NO_GAME.strip() in Path("unique.rejects.pgn").read_text()


@pytest.mark.parametrize("output", ["unique.pgn", "duplicates.pgn", "report.csv"])
def test_files_of_other_programs_are_not_overwritten(
    command: Command, folder: Path, output: str
) -> None:
    arguments = ("run", "one.pgn", "-o", "unique.pgn", "--duplicates", "duplicates.pgn")
    arguments = (*arguments, "--report", "report.csv")
    Path(output).write_text("mine")
    done = command(*arguments)
    assert done.status == 2
    assert done.err.startswith(f"ocgdedup: error: {output}: already exists, and no run wrote it")
    assert not Path("unique.db3").exists()
    assert command(*arguments, "--force").status == 0
    assert command(*arguments).status == 0  # it may replace what it wrote
    Path(output).write_text("changed by hand")
    assert command(*arguments).status == 2
    assert Path(output).read_text() == "changed by hand"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("one.pgn", "-o", "one.pgn"), "is an input, which would be overwritten"),
        (("absent.pgn", "-o", "unique.pgn"), "cannot be opened"),
        (("-o", "unique.pgn"), "there is no such database; name input files to create it"),
        (("one.pgn", "-o", "unique.pgn", "--report", "report.txt"), "a report is written as"),
        (("one.pgn", "-o", "unique.pgn", "--fide-xml", "one.pgn"), "one.pgn"),
        (("one.pgn", "-o", "no/unique.pgn"), "there is no such folder"),
    ],
)
def test_refused_before_any_work(
    command: Command, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    before = set(os.listdir())
    done = command("run", *arguments)
    assert done.status == 2
    assert message in done.err
    assert set(os.listdir()) == before


@pytest.mark.parametrize("text", ["", "(;GM[2])"])
def test_a_first_input_without_games_does_not_decide_the_kind(
    command: Command, folder: Path, text: str
) -> None:
    Path("none.sgf").write_text(text)
    Path("one.sgf").write_text("(;PB[a]PW[b];B[aa];W[bb])")
    assert command("run", "none.sgf", "-o", "all.sgf").status in (0, 1)
    done = command("run", "one.sgf", "-o", "all.sgf")
    assert done.status in (0, 1), done.err
    assert ";B[aa]" in Path("all.sgf").read_text()


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on(command: Command, folder: Path) -> None:
    arguments = ("run", DEMO, "-o", folder / "unique.pgn", "--fide-xml", LIST)
    assert command(*arguments).status == 1
    expected, text = content("unique.db3"), Path("unique.pgn").read_bytes()
    for delay in range(1, 12):
        for path in folder.glob("unique.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        process = subprocess.Popen(
            command_line(*arguments), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(delay * 0.08)
        process.kill()
        process.wait()
        assert command(*arguments).status in (0, 1)
        assert is_sound("unique.db3")
        assert content("unique.db3") == expected
        assert Path("unique.pgn").read_bytes() == text


def test_a_run_merges_headers_again_without_a_warning(command: Command, folder: Path) -> None:
    """Original names are resolved with new games; headers are merged again afterwards."""
    lists = ("--fide-xml", LIST)
    assert command("run", "one.pgn", "-o", "unique.pgn", *lists).status == 0
    done = command("run", "one.pgn", "two.pgn", "-o", "unique.pgn")
    assert done.status == 0
    assert done.err == ""
    assert value("unique.db3", "SELECT count(*) FROM MergedTags") > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "g.rejects.pgn", "--db", "g.db3"),
        ("-o", "h.pgn", "--rejects", "h.pgn"),
        ("-o", "h.pgn", "--rejects", "i.pgn", "--duplicates", "i.pgn"),
        ("-o", "h.pgn", "--rejects", "i.csv", "--report", "i.csv"),
    ],
)
def test_rejects_have_a_file_of_their_own(
    command: Command, folder: Path, arguments: tuple[str, ...]
) -> None:
    Path("bad.pgn").write_text(NO_GAME)
    before = set(os.listdir())
    done = command("run", "bad.pgn", "one.pgn", *arguments)
    assert done.status == 2
    assert "is named twice" in done.err
    assert set(os.listdir()) == before


def test_a_stale_file_of_rejects(command: Command, folder: Path) -> None:
    Path("unique.rejects.pgn").write_text("mine")
    done = command("run", "one.pgn", "-o", "unique.pgn")
    assert done.status == 2
    assert "unique.rejects.pgn: already exists" in done.err
    assert command("run", "one.pgn", "-o", "unique.pgn", "--force").status == 0


def test_a_file_that_came_meanwhile_is_not_overwritten(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(request: RunRequest, reporter: Reporter) -> DedupResult:
        Path("unique.pgn").write_text("mine")
        return result(request, reporter)

    result = run._find
    monkeypatch.setattr(run, "_find", find)
    done = command("run", "one.pgn", "-o", "unique.pgn")
    assert done.status == 2
    assert "no run wrote it" in done.err
    assert Path("unique.pgn").read_text() == "mine"


@pytest.mark.parametrize("phase", ["_find", "_export"])
def test_a_run_continues_after_a_failure(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    """Files of the failed or an earlier run do not prevent it."""
    arguments = ("run", "one.pgn", "-o", "unique.pgn", "--report", "report.csv")
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(run, phase, failing(getattr(run, phase)))
            assert command(*arguments).status == 70
        assert command(*arguments).status == 0


def failing(work: Callable[..., object]) -> Callable[..., object]:
    def fail(*arguments: object) -> object:
        work(*arguments)
        raise ZeroDivisionError

    return fail


def test_killed_between_a_file_and_the_note_of_it(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(*_: object) -> None:
        raise ZeroDivisionError  # as good as dead: nothing is noted any more

    with monkeypatch.context() as patch:
        patch.setattr(outputs, "_note", note)
        assert command("run", "one.pgn", "-o", "unique.pgn").status == 70
    assert Path("unique.pgn").exists()
    assert command("run", "one.pgn", "-o", "unique.pgn").status == 0


def test_what_came_after_a_kill_is_not_overwritten(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stored state of the killed run once let the next run replace any file."""

    def die(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("ocgdedup.commands.run._export", die)
        assert command("run", "one.pgn", "-o", "unique.pgn").status == 70
    Path("unique.pgn").write_text("mine")
    assert command("run", "one.pgn", "-o", "unique.pgn").status == 2
    assert Path("unique.pgn").read_text() == "mine"


@pytest.mark.parametrize("report", [[], ["--report", "report.csv"]])
def test_after_the_folder_was_renamed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: list[str]
) -> None:
    arguments = ["run", "one.pgn", "-o", "unique.pgn", "--duplicates", "duplicates.pgn", *report]
    (tmp_path / "old").mkdir()
    monkeypatch.chdir(tmp_path / "old")
    Path("one.pgn").write_text(pgn_text(collection()[0]))
    assert command(*arguments).status == 0
    os.rename(tmp_path / "old", tmp_path / "new")
    monkeypatch.chdir(tmp_path / "new")
    assert command(*arguments).status == 0
    shutil.copytree(tmp_path / "new", tmp_path / "copied")
    monkeypatch.chdir(tmp_path / "copied")
    assert command(*arguments).status == 0
    Path("unique.pgn").write_text("changed by hand")
    assert command(*arguments).status == 2


@pytest.mark.parametrize("name", ["unique.db3", "unique.json", "unique.pgn.rar"])
def test_no_pgn_under_a_name_of_something_else(command: Command, folder: Path, name: str) -> None:
    before = set(os.listdir())
    done = command("run", "one.pgn", "-o", name)
    assert done.status == 2
    assert done.err.startswith(f"ocgdedup: error: {name}: ")
    assert set(os.listdir()) == before


@pytest.mark.parametrize("head", ['<?xml version="1.0"?>\n<playerslist>', "<playerslist>"])
def test_a_rating_list_is_no_pgn(command: Command, folder: Path, head: str) -> None:
    Path("list.xml").write_text(f"{head}</playerslist>", encoding="utf-8-sig")
    before = set(os.listdir())
    done = command("run", "list.xml", "-o", "unique.pgn")
    assert done.status == 2
    assert (
        "is XML, not a file of games; if it is a rating list of FIDE, name it with --fide-xml"
        in done.err
    )
    assert set(os.listdir()) == before
