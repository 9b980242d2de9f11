"""A folder of files that belong together: they get their names only when all are whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import BinaryIO, TypeAlias

from ocgdedup.commands.outputs import check_outputs, new_files
from ocgdedup.errors import UsageError
from ocgdedup.files.records import is_temporary_name, remove_leftovers, was_left_published
from ocgdedup.files.temporary import TemporaryFolder

OpenMember: TypeAlias = Callable[[str], AbstractContextManager[BinaryIO]]


def check_folder(path: str, names: Sequence[str], inputs: Sequence[str], *, force: bool) -> None:
    """Refuse a folder that files of these names must not be written to.

    It may be absent, or empty; in any other, `force` replaces files of these names, and no others.
    What a killed run left in it does not count.
    """
    if not path:
        raise UsageError("an empty name is not a folder")
    if not os.path.isdir(path):
        if os.path.lexists(path):
            raise UsageError(f"{path}: is a file, not a folder; name a folder for the tables")
        if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise UsageError(f"{path}: its parent folder does not exist")
        return
    if not force and not all(_is_left(path, entry) for entry in os.listdir(path)):
        raise UsageError(
            f"{path}: is a folder with files in it; name another, or write {', '.join(names)} "
            "into it with --force"
        )
    check_outputs([os.path.join(path, name) for name in names], inputs)


def _is_left(folder: str, entry: str) -> bool:
    return is_temporary_name(entry) or was_left_published(os.path.join(folder, entry))


@contextlib.contextmanager
def new_folder(path: str, names: Sequence[str], inputs: Sequence[str] = ()) -> Iterator[OpenMember]:
    """Give what opens files of these names; in the end they stand in the folder `path`.

    A folder that is not there yet appears as a whole. In one that is there the files are renamed
    one after the other. If anything fails, all is as before.
    """
    place = os.path.realpath(path)
    if os.path.isdir(place):
        with new_files(inputs) as files:
            yield lambda name: files.opened(os.path.join(path, name))
        return
    remove_leftovers(os.path.dirname(place))
    folder = TemporaryFolder(path, names)
    try:
        yield folder.opened
        folder.publish()
    finally:
        folder.discard()
