"""A folder of files that belong together: they get their names only when all are whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence

from ocgdedup.commands.outputs import check_outputs, hold
from ocgdedup.errors import UsageError
from ocgdedup.store.connection import publish_file

_PARTIAL = "tables.partial"


def check_folder(path: str, names: Sequence[str], inputs: Sequence[str], *, force: bool) -> None:
    """Refuse a folder that files of these names must not be written to.

    It may be absent, or empty; in any other, `force` replaces files of these names, and no others.
    """
    if not path:
        raise UsageError("an empty name is no folder")
    if not os.path.isdir(path):
        if os.path.lexists(path):
            raise UsageError(f"{path}: is a file, no folder; name a folder for the tables")
        if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise UsageError(f"{path}: there is no folder to make it in")
        return
    if not force and set(os.listdir(path)) - {_PARTIAL}:
        raise UsageError(
            f"{path}: is a folder with files in it; name another, or write {', '.join(names)} "
            "into it with --force"
        )
    check_outputs([os.path.join(path, name) for name in names], inputs)


@contextlib.contextmanager
def new_folder(path: str, names: Sequence[str]) -> Iterator[str]:
    """Give a folder to write files of these names in; in the end they stand in `path`.

    A folder that is not there yet appears as a whole. In one that is there the files are renamed
    one after the other. If anything fails, all is as before.
    """
    place = os.path.realpath(path)
    is_new = not os.path.isdir(place)
    work = f"{place}.partial" if is_new else os.path.join(place, _PARTIAL)
    lock = _hold_empty(work, names, path)
    try:
        if is_new and os.path.lexists(place):
            raise UsageError(f"{path}: has come into being meanwhile; nothing was written")
        yield work
        if is_new:
            publish_file(work, place)
            return
        for name in names:
            publish_file(os.path.join(work, name), os.path.join(place, name))
        os.rmdir(work)
    except BaseException:
        _remove(work, names)
        raise
    finally:
        os.close(lock)


def _hold_empty(work: str, names: Sequence[str], path: str) -> int:
    """Make the folder and lock it, as hold() does; one that a killed run left is emptied first."""
    lock = _hold_folder(work, path)
    _remove_files(work, names)
    if os.listdir(work):
        os.close(lock)
        raise _in_the_way(work)
    return lock


def _hold_folder(work: str, path: str) -> int:
    while True:
        with contextlib.suppress(FileExistsError):
            os.mkdir(work)
        try:
            return hold(work, os.O_RDONLY | os.O_DIRECTORY, path)
        except FileNotFoundError:
            continue  # another run has just ended
        except NotADirectoryError as error:
            raise _in_the_way(work) from error


def _in_the_way(work: str) -> UsageError:
    return UsageError(f"{work}: is in the way; move or remove it")


def _remove(work: str, names: Sequence[str]) -> None:
    """Remove the folder and the files of a run in it; leave it if there is anything else."""
    _remove_files(work, names)
    with contextlib.suppress(OSError):
        os.rmdir(work)


def _remove_files(work: str, names: Sequence[str]) -> None:
    for name in names:
        for file in (name, f"{name}.partial"):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                os.remove(os.path.join(work, file))
