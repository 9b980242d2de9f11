"""Values that are not in standard form, for the reading kernel: dates, results, charsets, tags.

Pure functions behind one object; the kernel calls it for the rare value that it cannot decode.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from ocgdedup.pgn.charsets import guess_charset
from ocgdedup.pgn.dates import parse_date
from ocgdedup.pgn.results import parse_result

# Names of the tags that keep what stood in a tag whose column says it in standard form.
ORIGINAL_DATE = "OriginalDate"
ORIGINAL_RESULT = "OriginalResult"
MOVETEXT_RESULT = "MovetextResult"
ORIGINAL_FEN = "OriginalFEN"

_ESCAPE_LINE = re.compile(r"^%[^\r\n]*(?:\r\n|\r|\n|$)", re.MULTILINE)
_COMMENT = re.compile(r"\{[^}]*\}|;([^\r\n]*)")
_LINE_END = re.compile(r"\r\n|\r|\n")


def flatten_variation(text: str) -> str:
    """Put a variation on one line: line comments become brace comments, escape lines go."""

    def braced(found: re.Match[str]) -> str:
        remark: str | None = found.group(1)
        if remark is None:
            return found.group(0)
        return "{" + remark.replace("}", ")").replace("{", "(") + "}"

    return _LINE_END.sub(" ", _COMMENT.sub(braced, _ESCAPE_LINE.sub("", text)))


def _distinct(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return tags by name; a repeated name gets a number, since a game has each tag once."""
    tags: dict[str, str] = {}
    for name, value in pairs:
        key, number = name, 1
        while key in tags or (key == name and name in _COLUMN_TAGS):
            number += 1
            key = f"{name}_{number}"
        tags[key] = value
    return tags


# A second tag of one of these names is no longer that tag: it is kept as White_2 and so on.
_COLUMN_TAGS = frozenset(
    ("Event", "Site", "Date", "Round", "White", "Black", "Result", "TimeControl", "ECO", "FEN")
)


class OddValues:
    """The kernel's OddValues (see ocgdedup/_kernels/pgn_read.pyi)."""

    def __init__(self) -> None:
        self.date = lru_cache(maxsize=4096)(parse_date)
        self.result = parse_result
        self.charset = guess_charset
        self.variation = flatten_variation

    def extra_tags(
        self,
        pairs: list[tuple[str, str]],
        originals: tuple[str | None, str | None, str | None, str | None],
        date: str,
        quality: int,
    ) -> tuple[str | None, int]:
        """Return the JSON object of the extra tags, and the DateQuality."""
        tags = _distinct(pairs)
        names = (ORIGINAL_DATE, ORIGINAL_RESULT, MOVETEXT_RESULT, ORIGINAL_FEN)
        for name, value in zip(names, originals, strict=True):
            if value is not None:
                tags[name] = value
        if originals[0] is None and ORIGINAL_DATE in tags:
            # An export of ours: the date is as sure as what it was read from.
            read, read_quality = parse_date(tags[ORIGINAL_DATE])
            quality = read_quality if read == date else quality
        if not tags:
            return None, quality
        return json.dumps(tags, ensure_ascii=False, separators=(",", ":")), quality
