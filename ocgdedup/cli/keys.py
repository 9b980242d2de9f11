"""Read answers of the user: one key if the terminal allows it, otherwise a line.

The terminal is changed only while it waits for a key, and is as it was on any way out of that.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

_END_OF_INPUT = "\x04"  # Ctrl-D
_ESCAPE = b"\x1b"  # begins what arrows and function keys send
_KEY_BYTES = 64  # bytes of one key, or typed ahead


class Keys:
    """Reads answers from standard input."""

    def __init__(self) -> None:
        self._termios = _terminal_module()
        self._typed = ""  # ahead

    def read(self, ask: Callable[[], None]) -> str | None:
        """Return the next answer in lower case, without blanks; None at the end of the input.

        What is not text, and a key that is no letter, is "". `ask` puts the question; it is
        called when one key is enough, so that no answer comes too early to be one.
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
            self._typed = self._wait(self._termios, ask)
        key, self._typed = self._typed[:1], self._typed[1:]
        return None if key == _END_OF_INPUT else key.strip().lower()

    def _wait(self, termios: ModuleType, ask: Callable[[], None]) -> str:
        descriptor = sys.stdin.fileno()
        with self._one_key_mode(termios, descriptor):
            ask()
            typed = os.read(descriptor, _KEY_BYTES)
        if not typed:
            return _END_OF_INPUT  # the terminal was closed
        if typed.startswith(_ESCAPE):
            return " "
        return typed.decode("utf-8", "replace")

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


def _terminal_module() -> ModuleType | None:
    """Return termios if single keys can be read, else None."""
    if sys.stdin is None or not sys.stdin.isatty() or os.environ.get("TERM") == "dumb":
        return None
    try:
        import termios  # 1 ms
    except ImportError:  # not a Unix
        return None
    try:
        termios.tcgetattr(sys.stdin.fileno())
    except (termios.error, OSError):
        return None
    return termios
