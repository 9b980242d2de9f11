"""Where a command may write: checked before any work, so that nothing is lost or done in vain."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ocgdedup.errors import StoreError, UsageError
from ocgdedup.store.connection import publish_file


def check_outputs(outputs: Sequence[str], inputs: Sequence[str]) -> None:
    """Refuse a folder, an absent folder, one file for two outputs, and an input as output."""
    taken = {os.path.realpath(path): path for path in inputs if path != "-"}
    for path in outputs:
        if not path:
            raise UsageError("an empty name is no file")
        if path == "-":
            raise UsageError("-: standard output is no place for this; name a file")
        if os.path.isdir(path):
            raise UsageError(f"{path}: is a folder; name a file")
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder):
            raise UsageError(f"{path}: there is no such folder")
        place = os.path.realpath(path)
        if place in taken:
            raise UsageError(f"{path}: is named twice; it would overwrite {taken[place]}")
        taken[place] = path


def is_special(path: str) -> bool:
    """Tell if a path is a device or a pipe: it is written into, never replaced."""
    if path.startswith(("/dev/", "/proc/")):
        return True  # /dev/stdout, whatever stands behind it
    return os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode)


@contextlib.contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Open a file that gets its name only when it is whole; a device or pipe is opened itself."""
    if is_special(path):
        try:
            with open(path, "wb") as handle:
                yield handle
        except BrokenPipeError:
            raise
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from error
        return
    place = os.path.realpath(path)  # behind a link, not over it
    partial = place + ".partial"
    try:
        with open(partial, "wb") as handle:
            yield handle
        publish_file(partial, place)
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            os.remove(partial)
        if isinstance(error, OSError) and error.filename in (None, partial):
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from error
        raise


class NewFiles:
    """Files that get their names together, when all of them are whole; see new_files()."""

    def __init__(self) -> None:
        self._whole: list[tuple[str, str, str]] = []

    @contextlib.contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """Open one of them; a device or pipe is opened itself."""
        if is_special(path):
            with new_file(path) as handle:
                yield handle
            return
        place = os.path.realpath(path)
        partial = place + ".partial"
        self._whole.append((path, partial, place))
        try:
            with open(partial, "wb") as handle:
                yield handle
        except OSError as error:
            if error.filename in (None, partial):
                raise _unwritten(path, error) from error
            raise

    def publish(self) -> None:
        """Give all files their names."""
        while self._whole:
            path, partial, place = self._whole[0]
            try:
                publish_file(partial, place)
            except OSError as error:
                raise _unwritten(path, error) from error
            del self._whole[0]

    def discard(self) -> None:
        """Remove what has no name yet."""
        for _, partial, _ in self._whole:
            with contextlib.suppress(FileNotFoundError):
                os.remove(partial)


@contextlib.contextmanager
def new_files() -> Iterator[NewFiles]:
    """Give what opens files that get their names at the end, none of them if the block fails."""
    files = NewFiles()
    try:
        yield files
        files.publish()
    finally:
        files.discard()


def _unwritten(path: str, error: OSError) -> StoreError:
    return StoreError(f"{path}: cannot be written: {error.strerror}")
