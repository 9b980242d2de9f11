"""The fuzzers: stored inputs break no law, cases repeat, failures and new behaviour are kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus" / "fuzz"
TARGETS = sorted(path.name for path in CORPUS.iterdir())


@pytest.fixture(autouse=True)
def _scripts_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


@pytest.mark.parametrize("name", TARGETS)
def test_stored_inputs_break_no_law(name: str) -> None:
    from fuzzlib.corpus import stored_inputs
    from fuzzlib.running import all_failures
    from fuzzlib.targets import TARGETS

    paths = stored_inputs(name)
    assert paths
    assert all_failures(TARGETS[name], paths) == []


def test_all_targets_have_stored_inputs() -> None:
    from fuzzlib.targets import TARGETS as targets

    assert sorted(targets) == TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_cases_repeat(name: str, tmp_path: Path) -> None:
    from fuzzlib.running import Options, Run
    from fuzzlib.targets import TARGETS

    target = TARGETS[name]
    runs = [Run(target, target.seeds(), Options(1, seed, 1, tmp_path)) for seed in (1, 1, 2)]
    made = [[run.make_case(number) for number in range(1000, 1010)] for run in runs]
    assert made[0] == made[1] != made[2]


def test_what_is_found_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from fuzzlib.model import Failure, Target
    from fuzzlib.running import Options, Run

    def check(text: bytes, laws: Any) -> Iterator[Failure | str]:
        yield f"length {len(text)}"
        if b"x" in text:
            yield Failure("has an x", repr(text))
        if b"!" in text:
            raise KeyError("unexpected")

    inputs = [b"aaa", b"aaaaaxaa", b"bb!b"]
    target = Target("letters", "", list, lambda rng, seeds: b"new", check)
    run = Run(target, inputs, Options(60, 1, 1, tmp_path, tmp_path / "kept"))
    for number in range(3):
        run.run_one(number)
    assert [kind.partition(" in ")[0] for kind in run.counts] == ["has an x", "KeyError"]
    assert [path.read_bytes() for path in sorted((tmp_path / "kept/letters").glob("h*"))] == [b"x"]


def test_a_crash_is_a_failure(tmp_path: Path) -> None:
    from fuzzlib.model import Laws, Target
    from fuzzlib.running import failures_apart

    def check(text: bytes, laws: Any) -> Iterator[Any]:
        os.kill(os.getpid(), signal.SIGKILL)
        yield

    target = Target("crash", "", list, lambda rng, seeds: b"", check)
    (failure,) = failures_apart(target, b"", Laws(1), tmp_path / "errors")
    assert failure.kind == "crash: status -9"


def test_command() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "fuzz"), "moves", "--seconds", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "moves: " in done.stdout.splitlines()[-1]
    assert " cases in " in done.stdout.splitlines()[-1]
