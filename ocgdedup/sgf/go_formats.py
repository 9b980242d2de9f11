"""Recognize GIB, NGF and UGF, and convert a file to SGF, line for line.

Owns charsets and where a game begins. gib.py, ngf.py and ugf.py know the formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ocgdedup.files.other_formats import FORMAT_BYTES
from ocgdedup.sgf import gib, ngf, ugf
from ocgdedup.sgf.charsets import charset_of, escapes_of, without_escapes

ENDINGS = (".gib", ".ngf", ".ugf", ".ugi")
_BOM = "\ufeff"


class GoFormat(NamedTuple):
    """Patterns: `start` of a file, `first_line` of each game, `declared` charset.

    A declared charset is a key of `charsets` or a name as in `CA`.
    """

    start: str
    first_line: str
    record_of: Callable[[list[str]], list[str]]
    declared: bytes
    charsets: dict[bytes, str]


_FORMATS = (
    GoFormat(gib.START, gib.FIRST_LINE, gib.record_of, gib.DECLARED, gib.CHARSETS),
    GoFormat(ugf.START, ugf.FIRST_LINE, ugf.record_of, ugf.DECLARED, ugf.CHARSETS),
    GoFormat(ngf.START, ngf.FIRST_LINE, ngf.record_of, ngf.DECLARED, ngf.CHARSETS),
)


def format_of(head: bytes) -> GoFormat | None:
    """Return the format of a text by its first bytes, None for SGF and PGN."""
    if head.startswith(b"("):
        return None
    text = _with_plain_lines(head[:FORMAT_BYTES].decode("latin-1")).removeprefix("\xef\xbb\xbf")
    return next((other for other in _FORMATS if re.match(other.start, text)), None)


def converted(text: bytes, other: GoFormat) -> tuple[bytes, str | None]:
    """Return a text as SGF in UTF-8, and its charset, None for UTF-8."""
    charset = escapes_of(text)
    if charset:
        text = without_escapes(text, charset)
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        match = re.search(other.declared, text, re.MULTILINE)
        name = match[1] if match else b""
        charset = charset_of(other.charsets.get(name, name.decode("latin-1")), text)
        decoded = text.decode(charset, "replace")
    lines = _with_plain_lines(decoded.removeprefix(_BOM)).split("\n")
    heads = [number for number, line in enumerate(lines) if re.match(other.first_line, line)]
    starts = [0, *heads[1:]]
    ends = [*starts[1:], len(lines)]
    records = (other.record_of(lines[start:end]) for start, end in zip(starts, ends, strict=True))
    return "\n".join(line for record in records for line in record).encode(), charset


def _with_plain_lines(text: str) -> str:
    """Return a text whose lines end with line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
