"""Print messages, results and progress; the only module that writes to the three streams.

Lines for people go through printable() here, so that nothing from a tag, a file's name or a
member of an archive acts on the terminal. Results are written as they are.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from ocgdedup.cli.command import columns_of
from ocgdedup.errors import StoreError, UsageError
from ocgdedup.reports.terminal_text import printable

if TYPE_CHECKING:
    import argparse
    import threading

    from tqdm import tqdm

    from ocgdedup.model import Reporter


_LOG_TIME, _LOG_START_BYTES = "%Y-%m-%dT%H:%M:%S%z", 40
_LABEL, _LINE = 12, 80  # columns of a summary
_REDRAWN_S = 0.4
_LEAST_BAR, _MOST_BAR = 8, 30  # columns of a bar
_SPINNER = "|/-\\"


def prepare_streams() -> None:
    """Make the three streams safe to use, even if the caller has closed some of them."""
    for descriptor in range(3):
        # Otherwise the next file that is opened, such as a database, would get the messages.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Player names may have letters that the charset of the terminal lacks.
        sys.stdout.reconfigure(errors="backslashreplace")


def has_display() -> bool:
    """Return whether a browser can open a window: over SSH a text browser would start instead."""
    is_linux = sys.platform.startswith("linux")
    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return not is_linux or any(os.environ.get(name) for name in names)


def tell(line: str, *, end: str = "\n") -> None:
    """Print a message to standard error; ignore errors if the stream is closed."""
    _write_error(printable(line) + end)


def ask(text: str) -> None:
    """Print a question or an answer to the user; `text` may have several lines."""
    if sys.stdout is not None:
        sys.stdout.flush()
    _write_error("\n".join(map(printable, text.split("\n"))))


def is_interactive() -> bool:
    """Return whether the user can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str) -> bool:
    """Ask whether to go on; return False if the user cannot be asked."""
    if not is_interactive():
        return False
    tell(f"{question} [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def show(line: str) -> None:
    """Print a line of a summary to standard output; print nothing if it is closed."""
    if sys.stdout is None:
        return
    try:
        print(printable(line))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritten_output(error) from error


def wrapped_lines(text: str, label: str = "") -> list[str]:
    """Return a text of a summary in lines of 80 columns, broken at blanks; commands stay whole.

    `label`: begins the first line; the others are indented.
    """
    head = f"{label:<{_LABEL}}" if label else ""
    if len(head) + len(text) <= _LINE or "ocgdedup " in text:
        return [head + text]
    import textwrap  # 2 ms

    return textwrap.wrap(
        text,
        _LINE,
        initial_indent=head,
        subsequent_indent=" " * (len(head) + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )


def show_wrapped(text: str) -> None:
    """Print a text of a summary as show() does, in lines of 80 columns."""
    for line in wrapped_lines(text):
        show(line)


def write_result(text: str | bytes) -> None:
    """Write a result to standard output unchanged, in UTF-8.

    A lone surrogate, which represents a byte of a file name, is written as a JSON escape.
    """
    raw = text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
    from ocgdedup.commands.outputs import standard_output  # 22 ms

    with standard_output() as stream:
        stream.write(raw)


def write_lines(lines: Iterable[str]) -> None:
    """Write lines of a result to standard output, as write_result() does."""
    from ocgdedup.commands.outputs import standard_output  # 23 ms

    with standard_output() as stream:
        for line in lines:
            stream.write(f"{line}\n".encode("utf-8", "backslashreplace"))


def write_table(lines: Iterable[str]) -> None:
    """Write lines of a table to standard output, in UTF-8."""
    write_lines(map(printable, lines))


def unwritten_output(error: OSError) -> StoreError:
    """Return the error for a failed write to standard output, such as a full disk."""
    return StoreError(f"standard output: cannot be written: {error.strerror}; make room for it")


def give_up(stream: TextIO) -> None:
    """Discard unwritten output, so that Python does not fail again when it exits."""
    with contextlib.suppress(OSError, ValueError):  # closed, or no file, as in some tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write_error(text: str) -> None:
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except OSError:  # full disk, or the reader has closed the pipe
        give_up(sys.stderr)


class PlainReporter:
    """Prints warnings, each once, and no progress: for pipes, files and --quiet."""

    def __init__(self) -> None:
        self._warned: set[str] = set()

    def start(self, *_: Any, **__: Any) -> None: ...
    def advance(self, *_: Any, **__: Any) -> None: ...
    def finish(self) -> None: ...

    def warn(self, message: str) -> None:
        if message not in self._warned:
            tell(f"ocgdedup: warning: {message}")
        self._warned.add(message)


class BarReporter(PlainReporter):
    """Shows games, MB, speed and time left; a thread redraws it while nothing is reported."""

    def __init__(self) -> None:
        super().__init__()
        from tqdm import tqdm  # 39 ms

        self._tqdm = tqdm
        self._bar: tqdm | None = None
        self._by_bytes = False
        self._unit = ""
        self._games = self._turns = 0
        self._is_over: threading.Event | None = None

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        self.finish()
        self._by_bytes = total_games is None
        self._unit = unit
        self._games = self._turns = 0
        self._bar = self._tqdm(
            total=total_bytes if self._by_bytes else total_games,
            desc=printable(phase),
            leave=False,
            file=sys.stderr,
            delay=sys.float_info.min,  # nothing is drawn before the next line
        )
        setattr(self._bar, "format_meter", self._line)  # noqa: B010  # mypy: a method
        self._bar.refresh()
        import threading  # a command without a bar starts 1.6 ms earlier

        self._is_over = threading.Event()
        threading.Thread(target=self._redraw, args=(self._bar, self._is_over), daemon=True).start()

    def advance(self, games: int, position_bytes: int) -> None:
        bar = self._bar
        assert bar is not None
        self._games = games
        bar.update((position_bytes if self._by_bytes else games) - bar.n)

    def warn(self, message: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        super().warn(message)

    def finish(self) -> None:
        if self._bar is not None and self._is_over is not None:
            self._is_over.set()
            self._bar.close()
            self._bar = None

    def _redraw(self, bar: tqdm, is_over: threading.Event) -> None:
        """Redraw a bar until it ends."""
        while not is_over.wait(_REDRAWN_S):
            self._turns += 1
            bar.refresh()

    def _line(self, n: int, total: int | None, elapsed: float, **state: Any) -> str:
        """Return the bar as tqdm draws it; what does not fit is left out, never cut."""
        phase, columns = state["prefix"], columns_of(sys.stderr) - 1
        elapsed = max(elapsed, 1e-3)
        if not total:
            counts = f"{self._games:,} {self._unit}, " if self._games else ""
            parts = [f"{counts}{clock(elapsed)} {_SPINNER[self._turns % len(_SPINNER)]}"]
            return _fitting(f"{phase} ...", parts, columns)
        parts = [f"{self._games:,}{'' if self._by_bytes else f' of {total:,}'} {self._unit}"]
        if n:
            parts.append(f"{clock((total - n) * elapsed / n)} left")
        parts.append(f"{self._games / elapsed:,.0f} {self._unit}/s")
        if self._by_bytes:
            parts.append(f"{n / 1e6:,.0f} of {total / 1e6:,.0f} MB")
        head = f"{phase} {100 * n // total:3}%"
        line = _fitting(f"{head} |{' ' * _LEAST_BAR}|", parts, columns)
        if len(line) > columns:
            return _fitting(head, parts, columns)
        width = min(_LEAST_BAR + columns - len(line), _MOST_BAR)
        bar = ("#" * (width * n // total)).ljust(width)
        return line.replace(" " * _LEAST_BAR, bar, 1)


def clock(elapsed_s: float) -> str:
    """Return a time as 1:05 or 2:00:00."""
    minutes, seconds = divmod(int(elapsed_s), 60)
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _fitting(head: str, parts: Iterable[str], columns: int) -> str:
    """Return the head and the parts, the first ones first, that fit; a longer head alone."""
    line = head
    for part in parts:
        longer = f"{line}{' ' if line == head else ', '}{part}"
        line = longer if len(longer) <= columns else line
    return line


class QuietReporter(PlainReporter):
    """Prints nothing: for --quiet."""

    def warn(self, message: str) -> None: ...


class RunLog:
    """Log the steps of a command with times: to --log-file, to standard error (--verbose), or both.

    A log is appended to. Raises UsageError for a file that is something else, StoreError if it
    cannot be opened. A log that cannot be written any more does not stop the command.
    """

    def __init__(self, path: str | None, *, is_verbose: bool) -> None:
        self._path = path
        self._is_verbose = is_verbose
        self._file: TextIO | None = None
        if path is None:
            return
        from ocgdedup.files.decompress import refuse_address  # 4 ms
        from ocgdedup.tables.formats import check_name  # 6 ms

        try:
            refuse_address(path, is_output=True)
            check_name(path, "log")
            _require_log(path)
            self._file = open(path, "a", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
        except OSError as error:
            raise StoreError(
                f"{path}: cannot be written: {error.strerror}; name another --log-file"
            ) from error

    def write(self, text: str) -> None:
        """Write a line with the time."""
        if self._is_verbose:
            tell(f"{time.strftime('%H:%M:%S')}  {text}")
        self.note(text)

    def note(self, text: str) -> None:
        """Write a line to the file only; the command itself prints it."""
        if self._file is None:
            return
        try:
            line = f"{time.strftime(_LOG_TIME)} {printable(text)}"
            print(line, file=self._file, flush=True)
        except OSError as error:
            give_up(self._file)
            self._file = None
            tell(f"ocgdedup: warning: {self._path}: the log ends here: {error.strerror}")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _require_log(path: str) -> None:
    """Refuse an existing file that is not a log, such as games or a database."""
    try:
        with open(path, "rb") as handle:
            start = handle.read(_LOG_START_BYTES).decode("ascii", "replace")
    except FileNotFoundError:
        return
    if start and not re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} ocgdedup ", start):
        raise UsageError(f"{path}: already exists and is not a log of ocgdedup; name another file")


class LoggedReporter:
    """Logs phases with times, and warnings, and passes them on to another reporter."""

    def __init__(self, reporter: Reporter, log: RunLog) -> None:
        self._reporter = reporter
        self._log = log
        self._phase: str | None = None
        self._began_s = 0.0

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        self._end_phase()
        self._phase, self._began_s = phase, time.monotonic()
        self._log.write(f"{phase} ...")
        self._reporter.start(phase, total_bytes, total_games, unit)

    def advance(self, games: int, position_bytes: int) -> None:
        self._reporter.advance(games, position_bytes)

    def warn(self, message: str) -> None:
        self._log.note(f"warning: {message}")
        self._reporter.warn(message)

    def finish(self) -> None:
        self._reporter.finish()
        self._end_phase()

    def _end_phase(self) -> None:
        if self._phase is not None:
            self._log.write(f"{self._phase}: {time.monotonic() - self._began_s:.2f} s")
            self._phase = None


def choose_reporter(options: argparse.Namespace) -> Reporter:
    """Return a progress bar on a terminal, otherwise a reporter of warnings; none with --quiet."""
    reporter: Reporter
    if options.quiet:
        reporter = QuietReporter()
    else:
        reporter = BarReporter() if sys.stderr.isatty() else PlainReporter()
    return reporter if options.log is None else LoggedReporter(reporter, options.log)


def json_text(result: object) -> str:
    """Return the result of a command as JSON; keys of objects are the names of fields."""
    return f"{json.dumps(plain(result), ensure_ascii=False, indent=2)}\n"


def plain(value: object) -> Any:
    """Return a value as JSON has it: records and mappings as dictionaries, sets as lists."""
    from ocgdedup.deprecated import with_old_fields  # 1 ms

    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        fields = {name: plain(part) for name, part in value._asdict().items()}
        return with_old_fields(type(value), fields)
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(part) for part in value]
    return value
