"""Standard streams that are closed or on a full disk; unexpected errors: status 70."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from ocgdedup.cli import find
from ocgdedup.errors import EXIT_MEANINGS, ExitStatus
from tests.support.command_line import Command, Outcome, command_line

# Each command with the status it ends with on the judged collection; those that ask are answered
# by a standard input without a line.
COMMANDS = {
    "create n.db3 g.pgn": 0,
    "run g.pgn -o n.pgn": 0,
    "dedup a.db3": 0,
    "dedup a.db3 --explain 1 2": 0,
    "players a.db3 --again": 0,
    "review a.db3 --list": 0,
    "find a.db3 --move 1=e4": 0,
    "printpgn a.db3 --diff 1 2": 0,
    "signatures a.db3": 0,
    "export a.db3 -o n.pgn": 0,
    "export a.db3 -o -": 0,
    "export a.db3 -o - --format csv": 0,
    "info a.db3": 0,
    "info a.db3 --json": 0,
    "check a.db3": 0,
    "absent a.db3": 2,
    "info absent.db3": 2,
    "--version": 0,
}
# Without standard output these still do what they are for: the rest of them is a summary.
WRITERS = {
    "create n.db3 g.pgn", "run g.pgn -o n.pgn", "dedup a.db3", "players a.db3 --again",
    "signatures a.db3", "export a.db3 -o n.pgn", "--version",
}  # fmt: skip
GAME = '[White "Morphy, Paul"]\n[Black "Anderssen, Adolf"]\n\n1. e4 e5 2. f4 exf4 1-0\n'


def run_shell(command: str, redirection: str) -> Outcome:
    """Run a command with its streams buffered, as users do."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    line = f"{shlex.join(command_line(*shlex.split(command)))} {redirection}"
    done = subprocess.run(
        ["sh", "-c", line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture(params=COMMANDS)
def line(request: pytest.FixtureRequest, judged: str) -> str:
    """Return a command line, in a folder in which it succeeds."""
    Path("g.pgn").write_text(GAME)
    return str(request.param)


@pytest.mark.slow
def test_a_closed_standard_error_changes_nothing(line: str) -> None:
    done = run_shell(line, "2>&-")
    assert done.status == COMMANDS[line]
    assert "Traceback" not in done.out
    for name in ("n.db3", "n.pgn"):
        assert Path(name).exists() or name not in line


def test_a_full_disk_behind_standard_error_changes_nothing(line: str) -> None:
    assert run_shell(line, "2>/dev/full").status == COMMANDS[line]


def test_a_closed_standard_input_is_an_empty_one(line: str) -> None:
    done = run_shell(line, "<&-")
    assert done.status == COMMANDS[line]
    assert "Traceback" not in done.err


def test_a_closed_standard_output_is_one_line_where_a_result_is_lost(line: str) -> None:
    done = run_shell(line, ">&-")
    assert "Traceback" not in done.err
    if COMMANDS[line] == 0 and line not in WRITERS:
        assert done.status == 2
        assert "ocgdedup: error: standard output: is closed; " in done.err
    else:
        assert done.status == COMMANDS[line]


def test_a_full_disk_behind_standard_output_is_one_line(line: str) -> None:
    done = run_shell(line, ">/dev/full")
    assert "Traceback" not in done.err
    assert "Exception ignored" not in done.err
    if COMMANDS[line] == 0:
        errors = [text for text in done.err.splitlines() if "error: " in text]
        assert (done.status, len(errors)) == (2, 1)
        assert errors[0].startswith("ocgdedup: error: standard output: cannot be written: No space")
    else:
        assert done.status == COMMANDS[line]


def test_names_of_a_closed_standard_stream_are_refused(judged: str) -> None:
    for command in ("create n.db3 -", "review a.db3 --decide -", "printpgn a.db3 --pairs -"):
        done = run_shell(command, "<&-")
        assert done.status == 2
        assert done.err.count("\n") == 1


def test_nothing_is_printed_into_a_database(judged: str) -> None:
    """A database opened as descriptor 2 would receive output of the C library."""
    numbers = run_shell("check a.db3", "2>&- <&-")
    assert numbers.status == 0


def raise_it(error: BaseException) -> object:
    def run_command(options: object) -> ExitStatus:
        raise error

    return run_command


def test_a_bug_is_status_70_with_a_traceback(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        find, "COMMAND", find.COMMAND._replace(run=raise_it(KeyError("oh \x1b[31m")))
    )
    done = command("find", "a b.db3", "--move", "1=e4")
    assert (done.status, done.out) == (70, "")
    assert done.err.startswith("Traceback (most recent call last):\n")
    assert "KeyError: 'oh \\x1b[31m'" in done.err
    for text in ("please report it", "ocgdedup 0.", "Python 3.", "ocgdedup find 'a b.db3' --move"):
        assert text in done.err
    assert EXIT_MEANINGS[ExitStatus.BUG] in " ".join(command("--help").out.split())


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (MemoryError(), 2, "ocgdedup: error: out of memory: "),
        (OSError(28, "No space left on device"), 2, "ocgdedup: error: the system: No space left"),
        (OSError(13, "Permission denied", "x\n.db3"), 2, "ocgdedup: error: x\\n.db3: Permission"),
        (BrokenPipeError(), 0, ""),
        (KeyboardInterrupt(), 130, "ocgdedup: interrupted"),
    ],
)
def test_what_is_no_bug_is_one_line(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    status: int,
    text: str,
) -> None:
    monkeypatch.setattr(find, "COMMAND", find.COMMAND._replace(run=raise_it(error)))
    monkeypatch.setattr("ocgdedup.cli.main.give_up", lambda stream: None)
    done = command("find", "a.db3", "--move", "1=e4")
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith(text)
    assert done.err.count("\n") == bool(text)
