"""The files of an export that is split: their names, and which of them are there already."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ocgdedup.files.compress import extension_of

_LEAST_DIGITS = 3


def part_names(output: str, parts: int) -> list[str]:
    """Return the names of so many parts: "x.pgn.gz" becomes "x-001.pgn.gz" and so on.

    Numbers are as wide as the last one needs, and have three digits at least.
    """
    stem, extension = _cut(output)
    digits = max(_LEAST_DIGITS, len(str(parts)))
    return [f"{stem}-{number:0{digits}}{extension}" for number in range(1, parts + 1)]


def present_parts(output: str) -> list[str]:
    """Return the files that look like parts of this output, of an earlier export perhaps."""
    folder = os.path.dirname(output)
    paths = (os.path.join(folder, entry) for entry in sorted(os.listdir(folder or ".")))
    return [path for path in paths if is_part_name(output, path)]


def is_part_name(output: str, path: str) -> bool:
    """Tell if a file has a name that a part of this output could have."""
    stem, extension = _cut(_place(output))
    name = re.escape(stem) + rf"-\d{{{_LEAST_DIGITS},}}" + re.escape(extension)
    return re.fullmatch(name, _place(path)) is not None


def _place(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)


def left_parts(output: str, written: Sequence[str]) -> list[str]:
    """Return the files that look like parts and are none of those written."""
    places = {os.path.realpath(path) for path in written}
    return [path for path in present_parts(output) if os.path.realpath(path) not in places]


def _cut(output: str) -> tuple[str, str]:
    compression = extension_of(output)
    stem, extension = os.path.splitext(output.removesuffix(compression) if compression else output)
    return stem, extension + compression
