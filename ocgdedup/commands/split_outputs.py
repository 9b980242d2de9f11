"""The files of an export that is split: their names, and which of them are there already."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ocgdedup.pgn.compress import extension_of

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
    stem, extension = _cut(output)
    folder, name = os.path.split(stem)
    pattern = re.compile(rf"{re.escape(name)}-\d{{{_LEAST_DIGITS},}}{re.escape(extension)}")
    found = (entry for entry in os.listdir(folder or ".") if pattern.fullmatch(entry))
    return [os.path.join(folder, entry) for entry in sorted(found)]


def left_parts(output: str, written: Sequence[str]) -> list[str]:
    """Return the files that look like parts and are none of those written."""
    places = {os.path.realpath(path) for path in written}
    return [path for path in present_parts(output) if os.path.realpath(path) not in places]


def _cut(output: str) -> tuple[str, str]:
    compression = extension_of(output)
    stem, extension = os.path.splitext(output.removesuffix(compression) if compression else output)
    return stem, extension + compression
