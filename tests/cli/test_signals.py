"""SIGINT, SIGTERM and SIGHUP: in the background, during the imports, at odd moments, repeatedly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ocgdedup.files.temporary import TemporaryFile
from tests.support.command_line import Command
from tests.support.databases import dump

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
GAME = '[White "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
NOTHING = "ocgdedup: interrupted; nothing was changed; the same command starts again\n"
# Sends a signal to itself when a module is imported, or when the command runs.
SENDING = """
import importlib.abc, os, runpy, signal, sys
module, number = sys.argv[1], int(sys.argv[2])
class Sender(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == module:
            os.kill(os.getpid(), number)
sys.meta_path.insert(0, Sender())
del sys.argv[1:3]
runpy.run_module("ocgdedup", run_name="__main__", alter_sys=True)
"""
IN_CALLBACK = """
import os, signal, sys, time, weakref
from ocgdedup.cli import dedup, main
class Noted: pass
def run_command(_):
    noted = Noted()
    reference = weakref.ref(noted, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del noted
    time.sleep(60)
dedup.COMMAND = dedup.COMMAND._replace(run=run_command)
sys.exit(main.run(["dedup", "a.db3"]))
"""
LIBRARY_ERROR = """
import os, signal, sys
from ocgdedup.cli import dedup, main
def run_command(_):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except BaseException as error:
        raise SystemError("returned a result with an exception set") from error
dedup.COMMAND = dedup.COMMAND._replace(run=run_command)
sys.exit(main.run(["dedup", "a.db3"]))
"""

# Runs a command again and again; each time a signal comes at the next call or return in the modules
# that make and name output files.
AT_EACH_CALL = """
import os, signal, sys
from ocgdedup.cli import main
from ocgdedup.errors import LastingChanges
def at(number):
    left = number
    def profile(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename.endswith(("/temporary.py", "/outputs.py", "/publication.py")):
            left -= 1
            if left == 0:
                sys.setprofile(None)
                os.kill(os.getpid(), signal.SIGTERM)
    sys.setprofile(profile)
    with LastingChanges() as changes:
        status = main.run(sys.argv[1:])
    sys.setprofile(None)
    # The next command publishes the files of a change that was committed.
    while changes.were_made and main.run(["dedup", "a.db3", "-q"]) == 130:
        pass  # a signal that had to wait came only now
    left_over = [name for name in os.listdir() if name.endswith(".tmp")]
    if left_over or status not in (0, 1, 130):
        sys.exit(f"call {number}: status {status}, {left_over}")
    return left <= 0
signal.signal(signal.SIGTERM, lambda *_: None)  # one that waits may come when the command is done
number = 1
while at(number):
    number += 1
print(number)
"""


def ignoring(*numbers: int):
    def prepare() -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)

    return prepare


def run_code(code: str, *arguments: object, ignored: tuple[int, ...] = (), cwd: object = ROOT):
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")])},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=ignoring(*ignored),
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def loaded(command: Command, work_folder: Path) -> Path:
    (work_folder / "in.pgn").write_text(GAME)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return work_folder / "a.db3"


def append_from_input(spawn, loaded: Path, *ignored: int) -> subprocess.Popen[bytes]:
    """Start an import that has begun its transaction and waits for more input."""
    process = spawn(
        "create", loaded, "-", "--append", "--log-file", loaded.with_name("log"),
        cwd=ROOT, stdin=subprocess.PIPE, preexec_fn=ignoring(*ignored),
    )  # fmt: skip
    process.stdin.write(GAME.encode() * 20_000)
    process.stdin.flush()
    return process


@pytest.mark.parametrize(
    ("ignored", "number"),
    [
        ([signal.SIGINT], signal.SIGTERM),
        ([signal.SIGINT], signal.SIGHUP),
        ([signal.SIGINT, signal.SIGQUIT], signal.SIGTERM),
        ([signal.SIGHUP], signal.SIGTERM),
        ([signal.SIGHUP], signal.SIGINT),
        ([], signal.SIGHUP),
    ],
)
def test_a_background_job_ends_as_on_ctrl_c(
    spawn, loaded: Path, ignored: list[int], number: int
) -> None:
    before = dump(str(loaded))
    process = append_from_input(spawn, loaded, *ignored)
    process.send_signal(number)
    _, err = process.communicate()
    assert (process.returncode, err.decode()) == (130, NOTHING)
    assert dump(str(loaded)) == before
    names = {path.name for path in loaded.parent.iterdir()}
    assert names == {"a.db3", "in.pgn", "log"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ignored_signals_stay_ignored(spawn, loaded: Path, number: int) -> None:
    process = append_from_input(spawn, loaded, number)
    process.send_signal(number)
    _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")


def test_repeated_signals_are_one_interruption(spawn, loaded: Path) -> None:
    process = append_from_input(spawn, loaded)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process.send_signal(number)
    _, err = process.communicate()
    assert (process.returncode, err.decode()) == (130, NOTHING)


@pytest.mark.parametrize("module", ["argparse", "ocgdedup.cli.parser", "ocgdedup.cli.terminal"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_during_the_imports(module: str, number: int) -> None:
    assert run_code(SENDING, module, int(number), "info", "a.db3") == (-number, "", "")


@pytest.mark.parametrize("module", ["ocgdedup.cli.info", "apsw", "ocgdedup.commands.info"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_during_the_imports_of_a_command(module: str, number: int) -> None:
    assert run_code(SENDING, module, int(number), "info", "a.db3") == (130, "", NOTHING)


def test_ignored_during_the_imports(loaded: Path) -> None:
    number = signal.SIGINT
    status, out, err = run_code(SENDING, "argparse", int(number), "info", loaded, ignored=(number,))
    assert (status, err) == (0, "")
    assert "games" in out


def test_a_signal_while_the_process_ends() -> None:
    code = "import atexit\natexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))"
    assert run_code(LIBRARY_ERROR.replace("import os", f"{code}\nimport os")) == (130, "", NOTHING)


@pytest.mark.parametrize("code", [IN_CALLBACK, LIBRARY_ERROR])
def test_at_odd_moments(code: str) -> None:
    """A callback cannot be left by an exception; libraries replace it with another one."""
    assert run_code(code) == (130, "", NOTHING)


def test_a_repeated_signal_that_comes_at_once() -> None:
    """It may arrive before the function that starts its thread has returned."""
    quick = "import sys\nfrom ocgdedup.files import portable\nsys.setswitchinterval(1e-6)"
    code = f"{quick}\nportable._LATER_S = 0\n{IN_CALLBACK}"
    assert {run_code(code) for _ in range(5)} == {(130, "", NOTHING)}


def test_in_code_made_from_text() -> None:
    """CPython remembers such an interruption, and would end the process by SIGINT later."""
    code = LIBRARY_ERROR.replace("os.kill(", "exec('os.kill(os.getpid(), signal.SIGTERM)') or (")
    assert run_code(code) == (130, "", NOTHING)


@pytest.mark.parametrize(
    "arguments",
    [
        "export a.db3 -o o.pgn --force",
        "export a.db3 -o tables --format csv --force",
        "dedup a.db3 --full --report r.csv --force",
        "create a.db3 in.pgn --append --again --rejects j.pgn",
    ],
)
def test_no_temporary_file_stays_whenever_the_signal_comes(loaded: Path, arguments: str) -> None:
    status, out, err = run_code(AT_EACH_CALL, *arguments.split(), cwd=loaded.parent)
    assert status == 0, err
    assert "Traceback" not in err
    assert int(out.splitlines()[-1]) > 30


def test_a_temporary_file_without_an_owner_is_removed(work_folder: Path) -> None:
    """As if a signal came right behind the constructor."""
    file = TemporaryFile(str(work_folder / "o.pgn"))
    assert any(work_folder.iterdir())
    del file
    assert not any(work_folder.iterdir())
