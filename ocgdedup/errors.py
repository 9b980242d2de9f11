"""The whole exception tree, each class with the exit code it ends the program with.

A message says what is wrong, where (file, byte, game number) and what to do about it.
Knows nothing of the rest of the package.
"""

from __future__ import annotations

from contextvars import ContextVar
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class ExitStatus(IntEnum):
    """Exit codes of every command; the one table of them."""

    DONE = 0
    DONE_WITH_REJECTS = 1
    FAILED = 2
    BUG = 70  # EX_SOFTWARE of sysexits.h
    INTERRUPTED = 130


# What the help, the manual and docs/reference.md say of each.
EXIT_MEANINGS = {
    ExitStatus.DONE: "done",
    ExitStatus.DONE_WITH_REJECTS: "done, but with problems in the input or the database",
    ExitStatus.FAILED: "failed",
    ExitStatus.BUG: "failed because of a bug in ocgdedup (please report it)",
    ExitStatus.INTERRUPTED: "interrupted by a signal (SIGINT, SIGTERM or SIGHUP)",
}


class LastingChanges:
    """Whether a block of its caller has changed anything for good: what an interruption says.

    The blocks around it take note, too, unless `is_draft`: what it changes is not published yet.
    """

    def __init__(self, *, is_draft: bool = False) -> None:
        self.were_made = False
        self._is_draft = is_draft

    def __enter__(self) -> Self:
        self._outer = _BLOCKS.set((self,) if self._is_draft else (*_BLOCKS.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _BLOCKS.reset(self._outer)


_BLOCKS: ContextVar[tuple[LastingChanges, ...]] = ContextVar("blocks", default=())


def note_lasting_change() -> None:
    """Tell the blocks that the running code is in."""
    for block in _BLOCKS.get():
        block.were_made = True


class SqliteError(Exception):
    """SQLite refused what a kernel asked of it: its extended result code and its message.

    No user meets it: the store turns it into a StoreError.
    """


class OcgdedupError(Exception):
    """Base of all errors that a user can meet and mend."""

    exit_code: ExitStatus = ExitStatus.FAILED


class UsageError(OcgdedupError):
    """The command line asks for something that cannot be done."""


class StoreError(OcgdedupError):
    """A database cannot be opened, read or written."""


class SchemaVersionError(StoreError):
    """A database was written by a newer version of the program."""


class PgnReadError(OcgdedupError):
    """An input file cannot be read to its end: absent, damaged or truncated."""


class ResourceError(OcgdedupError):
    """The system refuses memory or open files: no input is at fault, and none may be left out."""


class SparkError(OcgdedupError):
    """Apache Spark could not be started, or could not finish a stage."""


class RatingListError(OcgdedupError):
    """A rating list or spelling file cannot be read: absent, foreign, damaged or truncated."""


class IntegrityError(OcgdedupError):
    """Stored data contradict each other: a move blob does not replay, say."""


def damaged_moves(place: str, error: ValueError) -> IntegrityError:
    """Return the error of a game whose stored moves do not replay; `place`: file, perhaps game."""
    return IntegrityError(
        f"{place}: {error}; the stored moves are damaged, restore the file from a backup or create "
        "it again from the PGN or SGF"
    )
