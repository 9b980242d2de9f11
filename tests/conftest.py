"""Run commands: in this process with both streams captured, or as a separate process.

Hypothesis tests use the same examples each time and have no deadline; for other examples:
`pytest --hypothesis-profile=random`.
"""

from __future__ import annotations

import contextlib
import gc
import io
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ocgdedup.cli.main import run
from tests.support.command_line import Command, Outcome, command_line

settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("random"), derandomize=True)
settings.load_profile("same")

# Of a background job SIGINT is ignored, below nohup SIGHUP, and processes of tests inherit that.
for _number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(_number) is signal.SIG_IGN:
        _default = signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL
        signal.signal(_number, _default)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name == "spark":
            item.add_marker("spark")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser"):
        from tests.support.browser import CHROMIUM

        if CHROMIUM is None:
            pytest.skip("no Chromium; on Debian: apt-get install chromium")


@pytest.fixture(autouse=True, scope="session")
def _state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Keep records of temporary files out of the user's home."""
    with pytest.MonkeyPatch.context() as patch:
        folder = str(tmp_path_factory.mktemp("state"))
        patch.setenv("XDG_STATE_HOME", folder)
        yield folder


@pytest.fixture
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty current folder; records of temporary files go to a folder beside it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Command]:
    """Return a function that runs one command line in process."""

    def run_command(*arguments: object, stdin: bytes | None = None) -> Outcome:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        try:
            status = run([str(argument) for argument in arguments])
        except SystemExit as ending:  # argparse: usage errors, --help, --version
            status = int(ending.code or 0)
        return Outcome(status, *capsys.readouterr())

    yield run_command
    gc.enable()


@pytest.fixture
def spawn() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Return a function that starts a command as a process, which is killed after the test."""
    with contextlib.ExitStack() as stack:

        def start(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
            process: subprocess.Popen[bytes] = subprocess.Popen(
                command_line(*arguments),
                **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},  # type: ignore[call-overload]
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        yield start
