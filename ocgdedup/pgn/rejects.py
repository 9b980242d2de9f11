"""The reject file: rejected texts, unchanged, each after a line with its source and reason.

The line begins with "%", which PGN readers skip (PGN standard 6), so the file can be repaired and
read again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import BinaryIO

from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.model import RejectNotice


class RejectFile:
    """Collects rejected texts in a temporary file, made with the first one."""

    def __init__(self, make_file: Callable[[], TemporaryFile]) -> None:
        self._make_file = make_file
        self._file: TemporaryFile | None = None
        self._handle: BinaryIO | None = None

    def add(self, notice: RejectNotice, text: bytes) -> None:
        """Append a rejected text."""
        if self._file is None or self._handle is None:
            self._file = self._make_file()
            self._handle = self._file.open()
        line = f"% {notice.source} line {notice.line} game {notice.number}: {notice.reason}\n"
        with self._file.errors():
            self._handle.write(line.encode("utf-8", "surrogateescape"))
            self._handle.write(text if text.endswith((b"\n", b"\r")) else text + b"\n")
            self._handle.write(b"\n")

    def close(self, path: str | None = None) -> None:
        """Close the file; `path`: its final name, if that has changed."""
        if self._file is None or self._handle is None:
            return
        with self._file.errors():
            self._handle.close()
        if path is not None:
            self._file.path, self._file.place = path, os.path.realpath(path)


def is_reject_file(path: str) -> bool:
    """Return whether a file begins like a reject file."""
    with open(path, "rb") as handle:
        return handle.read(2) == b"% "
