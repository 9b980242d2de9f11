"""scripts/torture: failures are reported with what repeats them, runs can be resumed."""

import contextlib
import importlib
import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TORTURE = ROOT / "scripts" / "torture"
CAMPAIGNS = {"kills", "faults", "sequences", "races", "environments", "known_defects", "web"}


def torture(*arguments):
    return subprocess.run(
        [sys.executable, TORTURE, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True
    )


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return lambda name: importlib.import_module(f"torturelib.{name}")


@pytest.fixture
def program(tmp_path):
    """Return what writes a program of these lines of Python."""

    def write(text):
        path = tmp_path / "program"
        path.write_text(f"#!{sys.executable}\n{text}\n")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def case(module, tmp_path, program):
    """Return what makes a case of a program of these lines."""

    def make(text):
        for name in ("folder", "kept"):
            (tmp_path / name).mkdir(exist_ok=True)
        return module("model").Case(
            "kills", 0, tmp_path / "folder", tmp_path / "kept", (str(program(text)),)
        )

    return make


def test_campaigns_are_listed():
    listed = torture("--list")
    assert listed.returncode == 0
    assert {line.split()[0] for line in listed.stdout.splitlines()} >= CAMPAIGNS


def test_unknown_campaign():
    refused = torture("--only", "wars")
    assert refused.returncode == 2
    assert "no such campaign: wars" in refused.stderr


def test_missing_program():
    refused = torture("--only", "environments", "--program", "/nonexistent/ocgdedup")
    assert refused.returncode == 2
    assert refused.stderr == "torture: error: /nonexistent/ocgdedup: no such program\n"


def test_failing_case_is_reported_in_one_line(program):
    broken = program("import sys; print('Traceback (most recent call last)'); sys.exit(1)")
    done = torture("--only", "environments", "--cases", 1, "--program", broken)
    assert done.returncode == 1, done.stderr
    [failure, heading, row, closing] = done.stdout.splitlines()
    assert failure.startswith("FAIL environments seed 0: ")
    command = f"scripts/torture --only environments --seed 0 --cases 1 --program {broken}"
    assert failure.endswith(f" | {command}")
    assert heading.split() == ["campaign", "cases", "failures", "seconds", "s/case"]
    assert row.split()[:3] == ["environments", "1", "1"]
    assert closing == "0 passed, 1 failed"


def test_installed_package_passes_a_case():
    done = torture("--only", "environments", "--cases", 1, "--seed", 4)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_run_is_resumed(program, tmp_path):
    broken = program("raise SystemExit(9)")
    state = tmp_path / "state.json"
    words = ("--only", "environments", "--cases", 2, "--program", broken, "--resume", state)
    first = torture(*words, "--seed", 5)
    assert "seed 5" in first.stdout
    counts = json.loads(state.read_text())["environments"]
    assert (counts["next_seed"], counts["cases"], counts["failures"]) == (7, 2, 2)
    second = torture(*words)
    assert "seed 7" in second.stdout
    assert "seed 5" not in second.stdout
    assert second.stdout.splitlines()[-1] == "0 passed, 4 failed"


def test_state_of_other_campaigns_stays(program, tmp_path):
    state = tmp_path / "state.json"
    kept = {"next_seed": 9, "cases": 9, "failures": 0, "elapsed_s": 1.0}
    state.write_text(json.dumps({"kills": kept}))
    broken = program("raise SystemExit(9)")
    torture("--only", "environments", "--cases", 1, "--program", broken, "--resume", state)
    stored = json.loads(state.read_text())
    assert stored["kills"] == kept
    assert stored["environments"]["cases"] == 1


def test_file_that_is_no_state(tmp_path):
    state = tmp_path / "state.json"
    state.write_text("[]")
    refused = torture("--only", "environments", "--cases", 1, "--resume", state)
    assert refused.returncode == 2
    assert "not a file of --resume" in refused.stderr


def test_broken_campaign_is_a_failure(module, monkeypatch, tmp_path):
    loader = importlib.machinery.SourceFileLoader("torture_script", str(TORTURE))
    script = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("torture_script", loader)
    )
    loader.exec_module(script)
    model = module("model")

    def run_case(case):
        raise KeyError("seed")

    campaign = module("campaigns").Campaign("x", "", run_case)
    problem = script.run_one(campaign, model.Case("x", 1, tmp_path, tmp_path, ("true",)))
    assert problem == "the campaign itself broke: KeyError: 'seed'"


WRITES = "import pathlib\nfor at in range(4): pathlib.Path(f'{at}.txt').write_text('text')"


def test_kill_at_a_system_call(module, case):
    calls = module("system_calls")
    writer = case(WRITES)
    outcome, hit = calls.run_hit(writer, at=0, calls=("open",))
    assert (outcome.status, hit.calls, hit.number) == (0, 4, 0)
    for path in writer.folder.iterdir():
        path.unlink()
    outcome, hit = calls.run_hit(writer, at=3, calls=("open",))
    assert (outcome.status, hit.call, Path(hit.path).name) == (-signal.SIGKILL, "open", "2.txt")
    assert sorted(path.name for path in writer.folder.iterdir()) == ["0.txt", "1.txt"]


def test_failing_system_call(module, case):
    calls = module("system_calls")
    number, _ = calls.ERRORS["ENOSPC"]
    outcome, hit = calls.run_hit(case(WRITES), at=2, number=number, calls=("write",))
    assert "OSError: [Errno 28] No space left on device" in outcome.err
    assert hit.number == 2


UNREAD = "ocgdedup: warning: b.pgn: reading failed at byte 0: Input/output error; check the disk"


@pytest.mark.parametrize(
    ("status", "path", "text", "is_said"),
    [
        (1, "/c/b.pgn", UNREAD, True),
        (1, "/c/b.pgn", "ocgdedup: warning: b.pgn: cannot be opened: Permission denied", True),
        (1, "/c/a.pgn", UNREAD, False),
        (1, "/c/b.pgn", "", False),
        (0, "/c/b.pgn", UNREAD, False),
    ],
)
def test_run_that_says_which_input_it_lacks(module, status, path, text, is_said):
    outcome = module("model").Outcome(("create",), status, "", text)
    hit = module("system_calls").Hit(9, 3, "read", path)
    assert module("faults").lacks_an_input(outcome, hit) is is_said


def test_stuck_program_is_ended_by_its_cpu_time(module, case):
    running = module("running")
    outcome = running.run(case("while True: pass"), cpu_limit_s=1)
    assert "stuck: was ended after 1 s of CPU time" in running.crash(outcome)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("print('fine')", None),
        ("raise SystemExit(70)", "exit status 70"),
        ("1 / 0", "traceback: ZeroDivisionError"),
        ("import os; os.kill(os.getpid(), 11)", "ended by SIGSEGV"),
        ("raise SystemExit(5)", "exit status 5"),
    ],
)
def test_what_a_crash_is(module, case, text, problem):
    running = module("running")
    result = running.crash(running.run(case(text)))
    assert result is None if problem is None else problem in result


def write_collection(path, statements=()):
    schema = (ROOT / "schema" / "schema.sql").read_text()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(schema)
        connection.execute("INSERT INTO Players VALUES (2, 'Tal, Mihail', 2600), (3, 'Reti', 0)")
        connection.execute("INSERT INTO Persons (ID, Name) VALUES (1, 'Tal, Mikhail')")
        for game in (1, 2):
            connection.execute(
                "INSERT INTO Games (ID, WhiteID, BlackID, Moves2, WhitePersonID) "
                "VALUES (?, 2, 3, x'0102', 1)",
                (game,),
            )
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE Games SET Result = '1-0'", None),
        ("DELETE FROM Games WHERE ID = 2", "games [2] are lost"),
        ("UPDATE Games SET Moves2 = x'0304' WHERE ID = 1", "game 1 has other moves than before"),
        ("INSERT INTO Games (ID) VALUES (3)", "games [3] came from nowhere"),
        ("UPDATE Games SET BlackPersonID = 1 WHERE ID = 2", "Black is 'Reti', but person 'Tal"),
        ("UPDATE Games SET BlackPersonID = 9 WHERE ID = 2", "person 9 of Black is not in Persons"),
        ("UPDATE Players SET Name = 'Other' WHERE ID = 3", "player name 3 was 'Reti'"),
        (
            "INSERT INTO DuplicateFlags VALUES (2, 'exact', 1, NULL, NULL)",
            "game 2 is a duplicate of 1, which is no kept game",
        ),
        ("DELETE FROM Signatures WHERE GameID = 1", "games [1] lost their signatures"),
    ],
)
def test_model_of_a_collection(module, tmp_path, change, problem):
    database = tmp_path / "g.db3"
    write_collection(database, ["INSERT INTO Signatures VALUES (1, '', '', '', '', '', '', '')"])
    collection = module("collection").Collection(database)
    assert collection.after_step(loads=True) is None
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(change)
    result = collection.after_step()
    assert result is None if problem is None else problem in result


def test_purged_game_may_go_if_another_represents_it(module, tmp_path):
    database = tmp_path / "g.db3"
    flagged = "INSERT INTO DuplicateFlags (GameID, DuplicateGroup) VALUES (1, 1), (2, 1), (5, 1)"
    removed = "INSERT INTO RemovedGames (ID, Moves2, RemovedAt) VALUES (5, x'01', '')"
    write_collection(database, [flagged, removed])
    collection = module("collection").Collection(database)
    assert collection.after_step(loads=True) is None
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM DuplicateFlags WHERE GameID = 5")
        connection.execute("DELETE FROM RemovedGames")
    assert collection.after_step(purges=True) is None
    assert collection.purged == {5}


def test_snapshots_differ_in_rows_and_names_but_not_in_times(module, tmp_path):
    snapshots = module("snapshots")
    first, second = tmp_path / "one", tmp_path / "other"
    for folder, time in ((first, "2026-11-22T13:00:00Z"), (second, "2026-12-01T01:02:03Z")):
        folder.mkdir()
        write_collection(folder / "g.db3", [f"INSERT INTO Info VALUES ('Duplicates', '{time}')"])
        (folder / f"g.removed-{time[:10].replace('-', '')}-130000.pgn").write_text("game")
    state = snapshots.snapshot(first)
    assert snapshots.difference(state, snapshots.snapshot(second)) is None
    with contextlib.closing(sqlite3.connect(second / "g.db3")) as connection, connection:
        connection.execute("DELETE FROM Games WHERE ID = 2")
    (second / "left").touch()
    assert snapshots.difference(state, snapshots.snapshot(second)).startswith("g.db3: Games has 2")
    (second / "g.db3").unlink()
    (first / "g.db3").unlink()
    left = snapshots.difference(snapshots.snapshot(second), snapshots.snapshot(first))
    assert left == "left is left over"
