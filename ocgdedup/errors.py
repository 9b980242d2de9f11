"""All exceptions of the program, each with its exit code; the running command, and its changes.

A message says what is wrong, where (file, byte, game number) and what to do about it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class ExitStatus(IntEnum):
    """Exit codes of all commands."""

    DONE = 0
    DONE_WITH_REJECTS = 1
    FAILED = 2
    BUG = 70  # EX_SOFTWARE of sysexits.h
    INTERRUPTED = 130


# For the help, the manual and docs/reference.md.
EXIT_MEANINGS = {
    ExitStatus.DONE: "done",
    ExitStatus.DONE_WITH_REJECTS: "done, but with problems in the input or the database, or "
    "differences (compare)",
    ExitStatus.FAILED: "failed",
    ExitStatus.BUG: "failed because of a bug in ocgdedup (please report it)",
    ExitStatus.INTERRUPTED: "interrupted by a signal (SIGINT, SIGTERM or SIGHUP)",
}


class LastingChanges:
    """A `with` block that notes whether the code in it made lasting changes, for messages.

    The enclosing blocks take note, too, unless `is_draft`: the changes are not published yet.
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
    """Note a lasting change in all LastingChanges blocks that the running code is in."""
    for block in _BLOCKS.get():
        block.were_made = True


class UserCommand:
    """A command of the user: all its transactions are one step of the history, with one number.

    `words`: the command line, None for a call from Python.
    """

    def __init__(self, words: Sequence[str] | None) -> None:
        self.words = words
        self.number: int | None = None


_COMMAND: ContextVar[UserCommand | None] = ContextVar("command", default=None)


def current_command() -> UserCommand | None:
    """Return the command that the running code belongs to."""
    return _COMMAND.get()


@contextlib.contextmanager
def one_command(words: Sequence[str] | None = None) -> Iterator[None]:
    """Run a block as one command of the user, unless it is a part of one already."""
    if _COMMAND.get() is not None:
        yield
        return
    token = _COMMAND.set(UserCommand(words))
    try:
        yield
    finally:
        _COMMAND.reset(token)


class SqliteError(Exception):
    """An error of SQLite in a kernel: its extended result code and its message.

    The store turns it into a StoreError for users.
    """


class OcgdedupError(Exception):
    """Base of all errors that a user can see and mend."""

    exit_code: ExitStatus = ExitStatus.FAILED


class UsageError(OcgdedupError):
    """The command line asks for something that cannot be done."""


class SeveralPlayersError(UsageError):
    """A name may mean several players; `candidates`: a line for each of them."""

    def __init__(self, message: str, candidates: Iterable[str]) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return "\n".join((*self.args, *self.candidates))


def raise_errors(errors: Sequence[str], plural: str, *, most: int = 10) -> None:
    """Raise UsageError with the first errors, if there are any; `plural`: what has an error."""
    if errors:
        more = len(errors) - most
        omitted = [f"and {more} more such {plural}"] if more > 0 else []
        raise UsageError("; ".join([*errors[:most], *omitted]))


def unknown_games(path: str, *game_ids: int) -> UsageError:
    """Return the error that a database has no games with these IDs."""
    ids = ", ".join(map(str, game_ids))
    return UsageError(f"{path}: there is no game with ID {ids}")


class StoreError(OcgdedupError):
    """A database cannot be opened, read or written."""


class SchemaVersionError(StoreError):
    """A database was written by a newer version of the program."""


class PgnReadError(OcgdedupError):
    """An input file cannot be read to its end: absent, damaged or truncated."""


class ResourceError(OcgdedupError):
    """The system refuses memory or open files: no input is at fault, so none may be skipped."""


class SparkError(OcgdedupError):
    """Apache Spark could not be started, or could not finish a stage."""


class RatingListError(OcgdedupError):
    """A rating list or spelling file cannot be read: absent, foreign, damaged or truncated."""


class IntegrityError(OcgdedupError):
    """Stored data are inconsistent; for example, a move blob does not replay."""


def damaged_moves(location: str, error: ValueError) -> IntegrityError:
    """Return the error for stored moves that do not replay; `location`: file and game."""
    return IntegrityError(
        f"{location}: {error}; the stored moves are damaged, restore the file from a backup or "
        "create it again from the PGN or SGF"
    )
