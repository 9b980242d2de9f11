"""The reject file: blocks of text that are no game, as they are, each after a line with its place.

The line begins with "%", which PGN readers skip (PGN standard 6), so the file can be mended and
read again.
"""

from __future__ import annotations

import os
import shutil
from typing import BinaryIO

from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.model import RejectNotice


class RejectFile:
    """Collects rejects beside the final name; nothing is made unless there are any."""

    def __init__(self, path: str, *, append: bool) -> None:
        self.path = path
        self._append = append
        self._file: TemporaryFile | None = None
        self._handle: BinaryIO | None = None

    def add(self, notice: RejectNotice, text: bytes) -> None:
        """Keep the raw text of one block."""
        if self._handle is None:
            self._file = TemporaryFile(self.path)
            self._handle = self._file.open()
        place = f"% {notice.source} line {notice.line} game {notice.number}: {notice.reason}\n"
        self._handle.write(place.encode("utf-8", "surrogateescape"))
        self._handle.write(text if text.endswith((b"\n", b"\r")) else text + b"\n")
        self._handle.write(b"\n")

    def publish(self) -> bool:
        """Give the file its name; tell if there were any rejects.

        With `append` it goes behind what the file held, else it takes the file's place.
        """
        if self._handle is None or self._file is None:
            return False
        self._handle.close()
        self._handle = None
        self._file.place = os.path.realpath(self.path)
        if self._append and os.path.exists(self.path):
            with open(self._file.name, "rb") as new, open(self.path, "ab") as old:
                shutil.copyfileobj(new, old)
                old.flush()
                os.fsync(old.fileno())
            self._file.discard()
        else:
            self._file.publish()
            self._file.release()
        return True

    def remove_stale(self) -> None:
        """Remove the reject file of a database that has been replaced, if it is one of ours."""
        if os.path.isfile(self.path):
            with open(self.path, "rb") as handle:
                is_ours = handle.read(2) == b"% "
            if is_ours:
                os.remove(self.path)

    def discard(self) -> None:
        """Throw away what was collected, after a failure."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None
        if self._file is not None:
            self._file.discard()
