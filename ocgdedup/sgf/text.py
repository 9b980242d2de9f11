"""Text of SGF values: escapes and line ends, both ways.

SGF FF[4], "Text": a backslash is the escape character, what follows it is taken as it stands, and a
line end behind a backslash is no text at all. In SimpleText every line end is a blank.
"""

from __future__ import annotations

import re

_ESCAPED = r"\\(\r\n|\n\r|[\s\S]|$)"
_LINE_END = r"\r\n|\n\r|\r"
_BLANKS = "\t\v\f\0"
_TO_BLANKS = dict.fromkeys(map(ord, _BLANKS), " ")


def text_of(value: str) -> str:
    """Return what a value of Text says; line ends stay, each as one line feed."""
    if value.isprintable() and "\\" not in value:
        return value
    if "\r" in value:
        value = re.sub(_LINE_END, "\n", value)
    if "\\" in value:
        value = re.sub(_ESCAPED, _verbatim, value)
    if any(blank in value for blank in _BLANKS):
        value = value.translate(_TO_BLANKS)
    return value


def simple_text_of(value: str) -> str:
    """Return what a value of SimpleText says, on one line, without blanks around it."""
    text = text_of(value)
    return " ".join(text.split("\n")).strip() if "\n" in text else text.strip()


def _verbatim(match: re.Match[str]) -> str:
    return "" if "\n" in match[1] else match[1]


def escaped(text: str) -> str:
    """Return text as a value: brackets that close and backslashes get a backslash."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
