"""review at a terminal: one key is an answer; the terminal is always restored."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import termios
from collections.abc import Callable, Iterator
from fcntl import ioctl
from pathlib import Path
from struct import pack
from typing import Any

import pytest

from ocgdedup.cli import keys
from tests.support.command_line import Command, command_line
from tests.support.databases import change, query

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
WAIT_S = 60  # for what is bound to come
DECISIONS = "SELECT Decision FROM Suspects WHERE Decision IS NOT NULL ORDER BY GameID1, GameID2"
UP = b"\x1b[A"  # the key of an arrow


class Terminal:
    """A review at a pseudo-terminal."""

    def __init__(
        self, path: Path, words: tuple[str, ...], columns: int, **environment: str
    ) -> None:
        self.ours, self.theirs = pty.openpty()
        ioctl(self.theirs, termios.TIOCSWINSZ, pack("HHHH", 24, columns, 0, 0))
        self.mode = termios.tcgetattr(self.theirs)
        self.text = ""
        self.process = subprocess.Popen(
            command_line("review", path, *words),
            cwd=ROOT,
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={"PATH": os.environ["PATH"], "TERM": "xterm", **environment},
            start_new_session=True,
            preexec_fn=self._own,
        )

    def _own(self) -> None:
        ioctl(self.theirs, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches the process

    def read_until(self, text: str) -> str:
        """Return the output up to a text."""
        output = ""
        while text not in output:
            output += self._some()
        self.text += output
        return output

    def _some(self) -> str:
        assert select.select([self.ours], [], [], WAIT_S)[0], self.text
        return os.read(self.ours, 10_000).decode()

    def press(self, key: bytes) -> None:
        os.write(self.ours, key)

    def end(self) -> int:
        """Wait for the end; return the exit status."""
        return self.process.wait(WAIT_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


Open = Callable[..., Terminal]


@pytest.fixture
def terminal(command: Command, made: str) -> Iterator[Open]:
    """Return a function that opens a review of the generated collection at a terminal."""
    command("dedup", made, "-q")
    path = Path(made).absolute()
    with contextlib.ExitStack() as stack:

        def start(*words: str, columns: int = 80, **environment: Any) -> Terminal:
            opened = Terminal(path, words, columns, **environment)
            stack.callback(opened.close)
            return opened

        yield start


def test_one_key_is_an_answer(terminal: Open) -> None:
    """Without Enter; other keys are ignored."""
    opened = terminal()
    assert "== 1 of 2, 0 decided; this pair is undecided, both games" in opened.read_until(
        "q quit, ?:"
    )
    assert not termios.tcgetattr(opened.theirs)[3] & termios.ICANON
    opened.press(UP)
    opened.read_until("q quit, ?:")
    opened.press(b"d")
    assert "-> different games" in opened.read_until("q quit, ?:")
    opened.press(b"q")
    assert "decided: 1, undecided: 1 of 2" in opened.read_until("to apply your decisions")
    assert opened.end() == 0
    assert termios.tcgetattr(opened.theirs) == opened.mode
    assert query("a.db3", DECISIONS) == [("different",)]


def test_keys_typed_ahead(terminal: Open) -> None:
    opened = terminal()
    opened.read_until("q quit, ?:")
    opened.press(b"dbsdq")
    opened.read_until("to apply your decisions")
    assert opened.end() == 0
    assert query("a.db3", DECISIONS) == [("same",), ("different",)]


@pytest.mark.parametrize(
    ("key", "status"), [(b"\x03", 130), (b"\x04", 0)], ids=["Ctrl-C", "Ctrl-D"]
)
def test_the_terminal_is_as_it_was(terminal: Open, key: bytes, status: int) -> None:
    opened = terminal()
    opened.read_until("q quit, ?:")
    opened.press(b"d")
    opened.read_until("q quit, ?:")
    opened.press(key)
    assert opened.end() == status
    assert termios.tcgetattr(opened.theirs) == opened.mode
    assert query("a.db3", DECISIONS) == [("different",)]


CONTROL = re.compile(r"\x1b\[[0-9;]*m")


def test_a_pair_fits_the_screen(terminal: Open) -> None:
    """Players, differences, board and verdict of each pair fit into 24 lines of 80 columns."""
    opened = terminal("--near-identical")
    first = opened.read_until("q quit, ?:")
    count = int(re.search(r"1 of (\d+), 0 decided", first)[1])  # type: ignore[index]
    assert count > 3
    for number in range(1, count + 1):
        screen = CONTROL.sub("", first[first.rindex(f"== {number} of ") :])
        lines = screen.replace("\r", "").split("\n")
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 80
        for text in (f"{number} of {count}", "White", "Black", "Verdict: ", "sum ", "a b c d"):
            assert text in screen, (number, text)
        opened.press(b"k")
        if number < count:
            first = opened.read_until("q quit, ?:")
    assert "That was the last pair" in opened.read_until("any other key quits:")


def test_more_pages_through_the_whole_pair(terminal: Open) -> None:
    opened = terminal()
    short = opened.read_until("q quit, ?:")
    assert "Evidence, as match weights" not in short
    opened.press(b"m")
    page = opened.read_until("any key for more, q to leave it:")
    assert CONTROL.sub("", page).count("\n") <= 24 + 1
    opened.press(b"   ")  # as many pages as there are
    rest = opened.read_until("q quit, ?:")
    assert "Evidence, as match weights" in page + rest
    opened.press(b"m")
    opened.read_until("any key for more, q to leave it:")
    opened.press(b"q")
    assert "Evidence, as match weights" not in opened.read_until("q quit, ?:")
    opened.press(b"q")
    assert opened.end() == 0


def test_asked_to_end(terminal: Open) -> None:
    opened = terminal()
    opened.read_until("q quit, ?:")
    opened.process.send_signal(signal.SIGTERM)
    assert opened.end() == 130
    assert termios.tcgetattr(opened.theirs) == opened.mode


def test_a_signal_just_before_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python handles it at the end of the wait, which must not last until a key is pressed."""
    ours, theirs = pty.openpty()
    waits = 0

    def wait(*arguments: Any) -> Any:
        nonlocal waits
        waits += 1
        if waits == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    real = select.select
    monkeypatch.setattr(keys.select, "select", wait)
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("waits for a key in read()"))
    try:
        with pytest.raises(KeyboardInterrupt):
            keys._typed_bytes(theirs)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("is_wal", [False, True])
def test_a_replaced_database(terminal: Open, made: str, is_wal: bool) -> None:
    if is_wal:
        change(made, "PRAGMA journal_mode = wal")
    opened = terminal()
    opened.read_until("q quit, ?:")
    shutil.copy(made, "b.db3")
    os.rename(made, "moved.db3")
    os.rename("b.db3", made)
    opened.press(b"d")
    opened.read_until(
        "was replaced, moved or deleted during the review; start 'ocgdedup review' again"
    )
    assert opened.end() == 2
    assert query(made, DECISIONS) == query("moved.db3", DECISIONS) == []


def test_a_changed_game(terminal: Open, made: str) -> None:
    opened = terminal()
    opened.read_until("q quit, ?:")
    first = query(made, "SELECT min(GameID1) FROM Suspects")[0][0]
    change(made, "UPDATE Games SET Round = '99' WHERE ID = ?", first)
    opened.press(b"s")
    opened.read_until(f"game {first} has changed since it was shown")
    assert opened.end() == 2
    assert query(made, DECISIONS) == []


@pytest.mark.parametrize("columns", [46, 60, 100])
def test_width(terminal: Open, columns: int) -> None:
    opened = terminal(columns=columns, NO_COLOR="1")
    text = opened.read_until("k skip").rpartition("\n")[0]
    text = text[text.index("== 1 of") :]  # behind the bar of progress
    lines = text.replace("\r", "").split("\n")
    assert len(lines[0]) == columns
    assert max(map(len, lines)) == columns


def test_colours(terminal: Open) -> None:
    assert "\x1b[33m" in terminal().read_until("q quit, ?:")


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours(terminal: Open, environment: dict[str, str]) -> None:
    opened = terminal(**environment)
    assert "\x1b" not in opened.read_until("q quit, ?:")
    opened.press(b"q\n")  # a line where keys cannot be had
    assert opened.end() == 0
