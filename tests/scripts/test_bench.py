"""scripts/bench: the stages run, and the table and the JSON have all that is promised."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "scripts" / "bench"
OWN_STAGES = [
    "kernel",
    "kernel-portable",
    "create-no-index",
    "create",
    "create-jobs-2",
    "find",
    "dedup",
    "dedup-jobs-2",
    "dedup-no-index",
    "dedup-new",
    "dedup-again",
    "export",
]
RUN_KEYS = {
    "cpu_s",
    "wall_s",
    "peak_rss_mb",
    "games",
    "plies",
    "process_user_s",
    "process_system_s",
    "process_wall_s",
    "exit_code",
    "output_bytes",
}
GAME = (
    '[Event "{}"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n'
)


def run_bench(*arguments):
    return subprocess.run(
        [sys.executable, BENCH, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def pgn(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "three games.pgn"
    path.write_text("".join(GAME.format(name) for name in ("one", "two", "three")))
    return path


@pytest.fixture(scope="module")
def measured(pgn):
    target = pgn.parent / "figures.json"
    kept = pgn.parent / "kept"
    done = run_bench(
        pgn, "--rounds", 1, "--only", ",".join(OWN_STAGES), "--json", target, "--keep", kept
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, json.loads(target.read_text()), kept


@pytest.fixture
def benchlib(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return lambda name: importlib.import_module(f"benchlib.{name}")


def test_each_stage_has_one_run_with_all_figures(measured):
    _, figures, _ = measured
    assert list(figures["stages"]) == OWN_STAGES
    for stage in figures["stages"].values():
        assert stage["problem"] is None
        assert stage["command"]
        [run] = stage["runs"]
        assert set(run) == RUN_KEYS
        assert (run["games"], run["plies"]) == (3, 15)
        assert run["peak_rss_mb"] > 0


def test_json_says_what_ran_where(measured, pgn):
    _, figures, _ = measured
    assert figures["corpus"] == {
        "files": [str(pgn)],
        "size_bytes": pgn.stat().st_size,
        "games": 3,
        "plies": 15,
    }
    for key in ("cpu", "cores", "python", "sqlite", "cython", "package"):
        assert figures["machine"][key], key
    assert figures["stages"]["dedup"]["before_each_run"].startswith("cp ")
    assert "--jobs 2" in figures["stages"]["create-jobs-2"]["command"]


def test_ratios_are_of_stages_that_ran(measured):
    _, figures, _ = measured
    assert list(figures["ratios"]) == [
        "dedup, 1 % new, part of a full run, CPU",
        "dedup, nothing new, part of a full run, CPU",
        "create --jobs 2 vs 1, CPU seconds spent",
        "create --jobs 2 vs 1, wall, times as fast",
        "dedup --jobs 2 vs 1, CPU seconds spent",
        "dedup --jobs 2 vs 1, wall, times as fast",
    ]


def test_table_is_aligned_and_complete(measured):
    text, _, _ = measured
    lines = text.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("stage "))
    rows = lines[begin : begin + 1 + len(OWN_STAGES)]
    assert len({len(row) for row in rows}) == 1
    assert rows[0].endswith("peak MB")
    labels = ("kernel alone ", "kernel, portable SHA-256 ", "create --jobs 1 --no-index ")
    assert all(row.startswith(label) for row, label in zip(rows[1:4], labels, strict=True))


def test_kept_folder_holds_what_the_stages_wrote(measured):
    _, _, kept = measured
    assert (kept / "create" / "games.db3").stat().st_size
    assert (kept / "export" / "games.pgn").read_text().count("[Event ") == 3


def test_samples_are_compared_by_the_time_for_one_game(benchlib):
    model, report = benchlib("model"), benchlib("report")
    results = []
    for name, cpu_s, games in (("create", 2.0, 100), ("python-chess", 3.0, 10)):
        run = model.Run(cpu_s, cpu_s, 1.0, games, 0, 0.0, 0.0, 0.0, 0, 0)
        results.append(model.Result(model.Stage(name, name, ()), [run]))
    assert report.ratios(results) == {
        "create vs python-chess, CPU": {"by_median": 15.0, "by_minimum": 15.0}
    }


def test_absent_peer_is_named_and_skipped(benchlib, monkeypatch, tmp_path):
    stages = benchlib("stages")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(stages, "GAMES_FOLDERS", (str(tmp_path),))
    peers = list(stages.peer_stages(["x.pgn"], tmp_path))
    absent = [peer.name for peer in peers if peer.absent and peer.name != "python-chess"]
    assert absent == ["pgn-extract-D", "pgn-extract", "scid"]
    result = benchlib("model").Result(peers[0], problem="not installed")
    assert "pgn-extract -s -D -o: not installed" in benchlib("report").table([result], 1.0)


def test_failing_stage_is_named_and_the_others_go_on(benchlib, tmp_path):
    model, running = benchlib("model"), benchlib("running")
    fails = model.Stage("a", "a", (sys.executable, "-c", "raise SystemExit('broken')"))
    writes_nothing = model.Stage("b", "b", (sys.executable, "-c", ""), output=tmp_path / "none")
    works = model.Stage("c", "c", (sys.executable, "-c", ""))
    results = [model.Result(stage) for stage in (fails, writes_nothing, works)]
    running.run_rounds(results, 2, tmp_path, model.Corpus((), 0, 1, 1))
    assert [len(result.runs) for result in results] == [0, 0, 2]
    assert results[0].problem.endswith("exit code 1: broken")
    assert "did not write" in results[1].problem


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "nothing"], "no such stage: nothing"),
        (["--rounds", "0"], "--rounds must be 1 or more"),
        (["--keep", "."], "bench: error:"),
    ],
)
def test_wrong_options_are_told(pgn, arguments, message):
    done = run_bench(pgn, *arguments)
    assert done.returncode == 2
    assert message in done.stderr


PLAYERS_STAGES = ["players-first", "players-listed", "players-new", "players-again"]


def test_players_are_resolved_by_a_list(pgn, tmp_path):
    target = tmp_path / "figures.json"
    done = run_bench(
        pgn, "--rounds", 1, "--only", ",".join(PLAYERS_STAGES), "--json", target,
        "--fide-xml", ROOT / "scripts" / "demo_games" / "players_2013-01.xml",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    stages = json.loads(target.read_text())["stages"]
    assert list(stages) == PLAYERS_STAGES
    assert all(len(stage["runs"]) == 1 for stage in stages.values())
    assert "--fide-xml" in stages["players-first"]["command"]
    assert "--fide-xml" not in stages["players-listed"]["command"]


def test_players_are_skipped_without_a_list(pgn):
    done = run_bench(pgn, "--rounds", 1, "--only", "players-first,kernel")
    assert done.returncode == 0, done.stderr
    reason = "skipped: name a list of FIDE with --fide-xml"
    assert f"players, list read for the first time: {reason}" in done.stdout


def test_go_records(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;SZ[9];B[ee];W[gc])\n" * 3)
    done = run_bench(path, "--rounds", 1, "--only", "kernel,create,sgfmill")
    assert done.returncode == 0, done.stderr
    assert "3 games, 6 plies" in done.stdout
    assert "kernel vs sgfmill, CPU" in done.stdout
