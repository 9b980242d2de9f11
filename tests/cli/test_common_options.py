"""Options that several commands have: --json, -v, --log-file, --fail-on, -q; and hints."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.cli.terminal import RunLog
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.pgn_text import ILLEGAL_GAME, RUY_LOPEZ, game

REJECTED = "no game, but text\n\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["dedpu", "a.db3"], "did you mean dedup?"),
        (["xyzzy"], "distributed)\n"),
        (["dedup", "a.db3", "--forse"], "unrecognized arguments: --forse; did you mean --force?"),
        (["export", "a.db3", "--outptu=x"], "did you mean --output?"),
        (["dedup", "a.db3", "--xyzzy"], "unrecognized arguments: --xyzzy\n"),
        # A synonym, and only for commands that have it.
        (["run", "a.pgn", "-o", "b.pgn", "--load-fide-data", "x"], "did you mean --fide-xml?"),
        (["run", "a.pgn", "-o", "b.pgn", "--load-fide-data=x"], "did you mean --fide-xml?"),
        (["find", "a.db3", "--load-fide-data"], "unrecognized arguments: --load-fide-data\n"),
        (["dedup", "a.db3", "--delet"], "did you mean --delete?"),
        (["dedup", "a.db3", "--fide"], "did you mean --fide-xml?"),
        # Near in letters, but of another meaning.
        (["dedup", "a.db3", "--out"], "unrecognized arguments: --out\n"),
        (["dedup", "a.db3", "--player"], "unrecognized arguments: --player\n"),
        (["export", "a.db3", "--size", "9"], "unrecognized arguments: --size 9\n"),
        (["find", "a.db3", "--lime"], "unrecognized arguments: --lime\n"),
        (["find", "a.db3", "--rating"], "unrecognized arguments: --rating\n"),
        (["dedup", "a.db3", "--restoer"], "did you mean --restore?"),
    ],
)
def test_did_you_mean(command: Command, words: list[str], hint: str) -> None:
    status, out, err = command(*words)
    assert (status, out) == (2, "")
    assert hint in err


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mega.CBH", "in ChessBase make a new database of type PGN"),
        ("my.sg4", "give the file .si4 or .si5 of the same name"),
        ("https://example.org/a.pgn", "download it first: curl -LO 'https://example.org/a.pgn'"),
    ],
)
def test_inputs_of_other_programs(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = command("create", "a.db3", name)
    assert status == 2
    assert hint in err
    assert not Path("a.db3").exists()


@pytest.mark.parametrize("name", ["out.json", "out.JSON.gz", "out.xlsx"])
def test_endings_that_are_known_are_named(command: Command, made: str, name: str) -> None:
    status, _, err = command("export", made, "-o", name)
    assert status == 2
    assert "name a file that ends in .pgn, .sgf, .parquet, .csv or .jsonl" in err


def test_every_summary_is_json_too(command: Command, made: str) -> None:
    def json_of(*words: object) -> Any:
        status, out, _ = command(*words, "--json")
        assert status == 0, words
        return json.loads(out)

    games = value(made, "SELECT count(*) FROM Games")
    assert json_of("dedup", made, "--dry-run")["games"] == games
    result = json_of("dedup", made)
    copies = dict(
        query(
            made,
            "SELECT DuplicateStatus, count(*) FROM FlaggedGames "
            "WHERE DuplicateStatus <> '' GROUP BY 1",
        )
    )
    assert result["resolved"]["duplicates"] == copies
    assert result["possible_duplicates"] == value(made, "SELECT count(*) FROM Suspects")
    listed = json_of("review", made, "--list")
    pairs = query(made, "SELECT GameID1, GameID2 FROM Suspects ORDER BY 1, 2")
    assert [(row["first"], row["second"]) for row in listed] == pairs
    written = json_of("export", made, "-o", "out.pgn")
    assert written["games"] == games - sum(copies.values())
    assert json_of("export", made, "-o", "out.csv")["rows"]["games"] > 0
    assert json_of("players", made)["summary"]["games"] == games
    ((first, second),) = query(made, "SELECT GameID1, GameID2 FROM Suspects LIMIT 1")
    pair = json_of("dedup", made, "--explain", first, second)
    assert f"Verdict: {pair['verdict']}, because" in pair["lines"][-2]
    assert sum(pair["evidence"].values()) == pytest.approx(pair["score"])
    assert pair["game_ids"] == [first, second]
    ((kept, in_group),) = query(
        made,
        "SELECT DuplicateGroup, count(*) FROM FlaggedGames WHERE DuplicateGroup NOTNULL "
        "GROUP BY 1 ORDER BY 1 LIMIT 1",
    )
    merge = json_of("dedup", made, "--explain", kept)
    assert (merge["kept_game_id"], merge["duplicates"]) == (kept, in_group - 1)
    methods = json_of("dedup", made, "--method", "all")
    assert {"all-positions", "moves+players"} <= {method["method"] for method in methods}
    assert json_of("players", made, "--undo")["games_changed_back"] >= 0
    json_of("dedup", made)
    assert json_of("dedup", made, "--undo")["games_changed_back"] > 0
    assert json_of("create", "b.db3", "out.pgn")["summary"]["games"] == written["games"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["export", "a.db3", "-o", "-", "--json"], "leave out one"),
        (["review", "a.db3", "--json"], "--json goes with --list"),
        (["players", "a.db3", "--show", "Tal", "--json"], "--json does not go with --show"),
    ],
)
def test_where_json_has_no_place(
    command: Command, made: str, words: list[str], reason: str
) -> None:
    status, _, err = command(*words)
    assert status == 2
    assert reason in err


def test_the_log_has_phases_warnings_and_the_end(command: Command, made: str) -> None:
    assert command("dedup", made, "-q", "--log-file", "log.txt") == (0, "", "")
    assert command("find", made, "--like", "999", "--log-file", "log.txt").status == 2
    lines = Path("log.txt").read_text(encoding="utf-8").splitlines()
    times = [re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} ", line) for line in lines]
    assert all(times)
    texts = [line.split(" ", 1)[1] for line in lines]
    assert re.fullmatch(r"ocgdedup \S+: dedup a\.db3 -q --log-file log\.txt", texts[0])
    assert any(re.fullmatch(r"duplicates: search: \d+\.\d\d s", text) for text in texts)
    assert "exit status 0" in texts
    assert texts[-1].startswith("ended by UsageError: a.db3: ")
    status, _, err = command("dedup", made, "--log-file", "no/folder.txt")
    assert status == 2
    assert "no/folder.txt: cannot be written" in err
    assert value(made, "SELECT count(*) FROM Info WHERE Name = 'Duplicates flagged'") == 1


@pytest.mark.parametrize("name", ["a.db3", "in.txt"])
def test_a_log_never_goes_into_another_file(command: Command, made: str, name: str) -> None:
    Path("in.txt").write_text(game("1. e4 *"), encoding="utf-8")
    before = Path(name).read_bytes()
    status, _, err = command("dedup", made, "--log-file", name)
    assert status == 2
    assert f"{name}: already exists and is not a log" in err or name == "a.db3"
    assert Path(name).read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_under_the_log_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = RunLog(str(tmp_path / "log.txt"), is_verbose=False)
    log._file = open("/dev/full", "w")  # noqa: SIM115
    for _ in range(3):
        log.note("a phase")
    log.close()
    assert capsys.readouterr().err.count("the log ends here: No space left on device") == 1


def test_verbose_prints_phases(command: Command, made: str) -> None:
    status, _, err = command("dedup", made, "-v")
    assert status == 0
    assert re.search(r"^\d\d:\d\d:\d\d  duplicates: search: \d+\.\d\d s$", err, re.MULTILINE)
    assert command("dedup", made, "-v", "-q").status == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        (game(f"{RUY_LOPEZ} *"), {"rejects": 0, "faults": 0, "never": 0}),
        (ILLEGAL_GAME, {"rejects": 0, "faults": 1, "never": 0}),
        (REJECTED + game(f"{RUY_LOPEZ} *"), {"rejects": 1, "faults": 1, "never": 0}),
    ],
)
def test_fail_on(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    statuses: dict[str, int],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(text, encoding="utf-8")
    for place, (choice, status) in enumerate(statuses.items()):
        done = command("create", f"{place}.db3", "in.pgn", "-q", "--fail-on", choice)
        assert done.status == status, choice
        output = f"run{place}.pgn"
        done = command("run", "in.pgn", "-o", output, "-q", "--fail-on", choice)
        assert done.status == status, choice
    assert command("create", "d.db3", "in.pgn", "-q").status == statuses["faults"]


def test_quiet_means_quiet(command: Command, made: str) -> None:
    """A name that only a list has causes a warning, which --quiet omits."""
    command("dedup", made, "-q")
    loud = command("dedup", made, "--method", "moves")
    assert loud.status == 0
    Path("in.pgn").write_text(ILLEGAL_GAME, encoding="utf-8")
    assert "warning" in command("run", "in.pgn", "-o", "a.pgn").err
    assert command("run", "in.pgn", "-o", "b.pgn", "-q") == (1, "", "")
