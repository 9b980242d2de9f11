"""The reject file: text that is no game, as it is, each block after a line with its place.

The line begins with "%", which PGN readers skip (PGN standard 6), so the file can be mended and
read again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import BinaryIO

from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.model import RejectNotice


class RejectFile:
    """Collects rejects in a temporary file that is made only if there are any."""

    def __init__(self, make_file: Callable[[], TemporaryFile]) -> None:
        self._make_file = make_file
        self._file: TemporaryFile | None = None
        self._handle: BinaryIO | None = None

    def add(self, notice: RejectNotice, text: bytes) -> None:
        """Keep the raw text of one block."""
        if self._file is None or self._handle is None:
            self._file = self._make_file()
            self._handle = self._file.open()
        place = f"% {notice.source} line {notice.line} game {notice.number}: {notice.reason}\n"
        with self._file.errors():
            self._handle.write(place.encode("utf-8", "surrogateescape"))
            self._handle.write(text if text.endswith((b"\n", b"\r")) else text + b"\n")
            self._handle.write(b"\n")

    def close(self, path: str | None = None) -> None:
        """End the file; `path`: the name that it is to get, if it is another than at first."""
        if self._file is None or self._handle is None:
            return
        with self._file.errors():
            self._handle.close()
        if path is not None:
            self._file.path, self._file.place = path, os.path.realpath(path)


def is_reject_file(path: str) -> bool:
    """Tell if a file begins as reject files do."""
    with open(path, "rb") as handle:
        return handle.read(2) == b"% "
