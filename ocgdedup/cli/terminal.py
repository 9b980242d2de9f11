"""What is printed: lines for people, results, and progress; the only writer of the three streams.

Lines for people go through printable() here, so that nothing from a tag, a file's name or a
member of an archive acts on the terminal. Results are written as they are.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from ocgdedup.errors import StoreError
from ocgdedup.model import Reporter
from ocgdedup.report.terminal_text import printable


def prepare_streams() -> None:
    """Make the three streams safe to use, whichever of them the caller has closed."""
    for descriptor in range(3):
        # A file opened as one of them, a database above all, would get what is printed.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names are of all the world, whatever the terminal's charset.
        sys.stdout.reconfigure(errors="backslashreplace")


def has_display() -> bool:
    """Tell if a browser can open a window: not over SSH, where one in the terminal would start."""
    is_linux = sys.platform.startswith("linux")
    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return not is_linux or any(os.environ.get(name) for name in names)


def tell(line: str, *, end: str = "\n") -> None:
    """Print a line for people to standard error; the work goes on if nobody can read it."""
    _write_error(printable(line) + end)


def ask(text: str) -> None:
    """Talk to the user in lines that are the program's own: `text` may have several."""
    if sys.stdout is not None:
        sys.stdout.flush()
    _write_error("\n".join(map(printable, text.split("\n"))))


def show(line: str) -> None:
    """Print a line for people to standard output; nothing if that is closed."""
    if sys.stdout is None:
        return
    try:
        print(printable(line))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritten_output(error) from error


def write_result(text: str | bytes) -> None:
    """Write what was asked for to standard output as it is, in UTF-8.

    A lone surrogate, which stands for a byte of a file's name, is written as JSON has it.
    """
    raw = text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
    outputs: Any = importlib.import_module("ocgdedup.commands.outputs")
    with outputs.standard_output() as stream:
        stream.write(raw)


def write_lines(lines: Iterable[str]) -> None:
    """Write lines that were asked for to standard output as write_result() does."""
    outputs: Any = importlib.import_module("ocgdedup.commands.outputs")
    with outputs.standard_output() as stream:
        for line in lines:
            stream.write(f"{line}\n".encode("utf-8", "backslashreplace"))


def write_table(lines: Iterable[str]) -> None:
    """Write lines for people that were asked for to standard output, in UTF-8."""
    write_lines(map(printable, lines))


def unwritten_output(error: OSError) -> StoreError:
    """Return the error of a full disk, say, behind standard output."""
    return StoreError(f"standard output: cannot be written: {error.strerror}; make room for it")


def give_up(stream: TextIO) -> None:
    """Let Python write nowhere, at its end, what could not be written: else it fails once more."""
    with contextlib.suppress(OSError, ValueError):  # closed, or no file, as in some tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write_error(text: str) -> None:
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except OSError:  # a full disk behind it, or a reader that has gone
        give_up(sys.stderr)


class PlainReporter:
    """Prints warnings, no progress: for pipes, files and --quiet."""

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        return None

    def advance(self, games: int, position_bytes: int) -> None:
        return None

    def warn(self, message: str) -> None:
        tell(f"ocgdedup: warning: {message}")

    def finish(self) -> None:
        return None


class BarReporter:
    """Shows games, MB, speed and time left."""

    def __init__(self) -> None:
        # tqdm takes 40 ms to import; only a person at a terminal waits for it.
        self._tqdm: Any = importlib.import_module("tqdm").tqdm
        self._bar: Any = None
        self._by_bytes = False

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        self.finish()
        self._by_bytes = total_games is None
        self._bar = self._tqdm(
            total=total_bytes if self._by_bytes else total_games,
            desc=printable(phase),
            unit="B" if self._by_bytes else f" {unit}",
            unit_scale=True,
            leave=False,
            file=sys.stderr,
            bar_format=None if total_bytes or total_games else "{desc} ... {elapsed}",
        )
        self._began = self._bar._time()

    def advance(self, games: int, position_bytes: int) -> None:
        if self._by_bytes:
            elapsed_s = max(self._bar._time() - self._began, 1e-3)
            self._bar.set_postfix_str(f"{games:,} games, {games / elapsed_s:,.0f} games/s", False)
        self._bar.update((position_bytes if self._by_bytes else games) - self._bar.n)

    def warn(self, message: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        tell(f"ocgdedup: warning: {message}")

    def finish(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def choose_reporter(*, quiet: bool) -> Reporter:
    """Return a bar on a terminal, else a reporter of warnings alone."""
    if quiet or not sys.stderr.isatty():
        return PlainReporter()
    return BarReporter()
