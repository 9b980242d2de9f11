"""The reject file: blocks of text that are no game, as they are, each after a line with its place.

The line begins with "%", which PGN readers skip (PGN standard 6), so the file can be mended and
read again.
"""

from __future__ import annotations

import os
import shutil
from typing import BinaryIO

from ocgdedup.model import RejectNotice


class RejectFile:
    """Collects rejects beside the final name; nothing is made unless there are any."""

    def __init__(self, path: str, *, append: bool) -> None:
        self.path = path
        self._append = append
        self._partial = path + ".partial"
        self._handle: BinaryIO | None = None

    def add(self, notice: RejectNotice, text: bytes) -> None:
        """Keep the raw text of one block."""
        if self._handle is None:
            self._handle = open(self._partial, "wb")  # noqa: SIM115 closed by publish/discard
        place = f"% {notice.source} line {notice.line} game {notice.number}: {notice.reason}\n"
        self._handle.write(place.encode("utf-8", "surrogateescape"))
        self._handle.write(text if text.endswith((b"\n", b"\r")) else text + b"\n")
        self._handle.write(b"\n")

    def publish(self) -> bool:
        """Give the file its name; tell if there were any rejects.

        With `append` it goes behind what the file held, else it takes the file's place.
        """
        if self._handle is None:
            return False
        self._handle.flush()
        os.fsync(self._handle.fileno())
        self._handle.close()
        self._handle = None
        if self._append and os.path.exists(self.path):
            with open(self._partial, "rb") as new, open(self.path, "ab") as old:
                shutil.copyfileobj(new, old)
                old.flush()
                os.fsync(old.fileno())
            os.remove(self._partial)
        else:
            os.replace(self._partial, self.path)
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
            os.remove(self._partial)
