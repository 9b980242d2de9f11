"""Strip annotations from PGN text: marks of programs in comments, and the text of variations.

Works on one comment or one variation. Must not know games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from ocgdedup._kernels.chess import movetext_tokens

CLOCK_MARKS = ("clk", "emt", "egt", "mct")
EVALUATION_PROFILE = "evp"  # a number for each move, which only the graph of ChessBase uses

_NUMBER_OF_BLACK = re.compile(r"\d+\.{2,}")
_NAG = re.compile(r"\$\d+")
_TRAILING_SIGNS = re.compile(r"[!?]+$")


class AnnotationFilter(NamedTuple):
    """Which annotations to leave out; `marks`: names of marks such as "clk" for [%clk ...]."""

    comments: bool = False
    variations: bool = False
    nags: bool = False
    marks: tuple[str, ...] = ()


class Stripper:
    """Strips texts as a AnnotationFilter says."""

    def __init__(self, stripping: AnnotationFilter) -> None:
        self._stripping = stripping
        names = "|".join(map(re.escape, stripping.marks))
        mark = rf"\[%(?:{names})(?![A-Za-z0-9_])[^\]]*\]"
        self._marks = re.compile(rf"\s*(?:{mark}\s*)+") if names else None
        # Only a comment with this text can have a mark to leave out: a quick test.
        self._sign = f"[%{names}" if len(stripping.marks) == 1 else "[%"

    def keeps_comment(self, text: str) -> bool:
        """Return quickly whether a comment certainly stays unchanged."""
        return not self._stripping.comments and self._sign not in text

    def comment(self, text: str) -> str | None:
        """Return the stripped comment, None if nothing is left."""
        if self._stripping.comments:
            return None
        if self._marks is None or self._sign not in text:
            return text
        stripped = self._marks.sub(_gap, text)
        return text if stripped == text else stripped if stripped.strip() else None

    def variation(self, text: str) -> str | None:
        """Return the stripped text between the parentheses of a variation.

        The text comes from variation_text.py, so its annotation signs are NAGs.
        """
        if self._stripping.variations:
            return None
        has_mark = self._marks is not None and self._marks.search(text) is not None
        if not (self._stripping.comments or self._stripping.nags or has_mark):
            return text
        return _joined(self._stripped_tokens(text))

    def _stripped_tokens(self, text: str) -> Iterator[str]:
        """Yield the stripped tokens, without numbers of Black's moves after a deleted comment."""
        before = "("
        is_gap = False
        for token in movetext_tokens(text):
            if token.isspace():
                continue
            stripped = self._stripped(token)
            if stripped is None:
                is_gap = True
                continue
            is_number = _NUMBER_OF_BLACK.fullmatch(token) is not None
            if is_number and is_gap and before not in "()" and before[0] != "{":
                continue
            if stripped != token or not is_number:
                before = stripped
            is_gap = False
            yield stripped

    def _stripped(self, token: str) -> str | None:
        if token[0] == "{":
            inner = self.comment(token[1:].removesuffix("}"))
            return None if inner is None else f"{{{inner}}}"
        if token in "()" or not self._stripping.nags:
            return token
        return _TRAILING_SIGNS.sub("", _NAG.sub("", token)) or None


def _gap(match: re.Match[str]) -> str:
    """Return a blank if there is text on both sides of a mark."""
    return " " if match.start() > 0 and match.end() < len(match.string) else ""


def _joined(tokens: Iterator[str]) -> str:
    """Join tokens by blanks, without blanks inside of parentheses."""
    text = StringIO()
    before = "("
    for token in tokens:
        if token != ")" and before != "(":
            text.write(" ")
        text.write(token)
        before = token
    return text.getvalue()
