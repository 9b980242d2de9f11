"""Read answers of the user: one key if the terminal allows it, otherwise a line.

The terminal is changed only while it waits for a key, and is as it was on any way out of that.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

_END_OF_INPUT = "\x04"  # Ctrl-D
_ESCAPE = b"\x1b"  # begins what arrows and function keys send
_KEY_BYTES = 64  # bytes of one key, or typed ahead
_SIGNAL_WAIT_S = 0.25


class Keys:
    """Reads answers from standard input."""

    def __init__(self) -> None:
        self._termios = _terminal_module()
        self._typed = ""  # ahead

    def read(self, ask: Callable[[], None]) -> str | None:
        """Return the next answer in lower case, without blanks; None at the end of the input.

        A key that is not a letter or digit, such as an arrow, is "". `ask` prints the question,
        after the terminal has been set to return single keys.
        """
        if self._termios is None:
            ask()
            if sys.stdin is None:  # closed by the caller
                return None
            line = sys.stdin.buffer.readline()
            return line.decode("utf-8", "replace").strip().lower() if line else None
        if self._typed:
            ask()
        else:
            with self._one_key_mode(self._termios, sys.stdin.fileno()):
                ask()
                typed = _typed_bytes(sys.stdin.fileno())
            self._typed = " " if typed.startswith(_ESCAPE) else typed.decode("utf-8", "replace")
            if not typed:  # the terminal was closed
                self._typed = _END_OF_INPUT
        key, self._typed = self._typed[:1], self._typed[1:]
        return None if key == _END_OF_INPUT else key.strip().lower()

    @staticmethod
    @contextlib.contextmanager
    def _one_key_mode(termios: ModuleType, descriptor: int) -> Iterator[None]:
        import tty  # 2 ms

        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSANOW)
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSANOW, before)


def _typed_bytes(descriptor: int) -> bytes:
    """Wait for a key; return its bytes and what was typed ahead, b"" at the end of the input."""
    # A signal just before a wait does not end it: Python handles that signal after the wait.
    while not select.select([descriptor], [], [], _SIGNAL_WAIT_S)[0]:
        pass
    return os.read(descriptor, _KEY_BYTES)


def _terminal_module() -> ModuleType | None:
    """Return termios if single keys can be read, else None."""
    if sys.stdin is None or not sys.stdin.isatty() or os.environ.get("TERM") == "dumb":
        return None
    try:
        import termios  # 1 ms

        termios.tcgetattr(sys.stdin.fileno())
    except ImportError:  # not a Unix
        return None
    except (termios.error, OSError):
        return None
    return termios
