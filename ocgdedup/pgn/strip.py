"""Annotations left out of PGN text: marks of programs in comments, and what variations hold.

Works on the text of one comment or one variation. Must not know games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from ocgdedup._kernels.chess import movetext_tokens

CLOCK_MARKS = ("clk", "emt", "egt", "mct")
EVALUATION_PROFILE = "evp"  # ChessBase's: a number for each move, of use to its own graph alone

_NUMBER_OF_BLACK = re.compile(r"\d+\.{2,}")
_NAG = re.compile(r"\$\d+")
_TRAILING_SIGNS = re.compile(r"[!?]+$")


class AnnotationFilter(NamedTuple):
    """What to leave out; `marks` are names of marks in comments, such as "clk" for [%clk ...]."""

    comments: bool = False
    variations: bool = False
    nags: bool = False
    marks: tuple[str, ...] = ()


NOTHING = AnnotationFilter()


class Stripper:
    """Leaves out of texts what a AnnotationFilter says."""

    def __init__(self, what: AnnotationFilter) -> None:
        self.what = what
        names = "|".join(map(re.escape, what.marks))
        mark = rf"\[%(?:{names})(?![A-Za-z0-9_])[^\]]*\]"
        self._marks = re.compile(rf"\s*(?:{mark}\s*)+") if names else None
        # What a comment must have, else it stays: most have no mark, or none that goes.
        self._sign = f"[%{names}" if len(what.marks) == 1 else "[%"

    def keeps_comment(self, text: str) -> bool:
        """Tell quickly if a comment surely stays as it is."""
        return not self.what.comments and self._sign not in text

    def comment(self, text: str) -> str | None:
        """Return what stays of a comment, None if that is nothing."""
        if self.what.comments:
            return None
        if self._marks is None or self._sign not in text:
            return text
        kept = self._marks.sub(_gap, text)
        return text if kept == text else kept if kept.strip() else None

    def variation(self, text: str) -> str | None:
        """Return what stays of the text between the parentheses of a variation.

        The text is one of variation_text.py's: signs that stand alone are NAGs by now.
        """
        if self.what.variations:
            return None
        has_mark = self._marks is not None and self._marks.search(text) is not None
        if not (self.what.comments or self.what.nags or has_mark):
            return text
        return _joined(self._kept_steps(text))

    def _kept_steps(self, text: str) -> Iterator[str]:
        """Yield what stays; behind a comment that goes, Black's move needs no number any more."""
        before = "("
        is_gap = False
        for step in movetext_tokens(text):
            if step.isspace():
                continue
            kept = self._kept(step)
            if kept is None:
                is_gap = True
                continue
            is_number = _NUMBER_OF_BLACK.fullmatch(step) is not None
            if is_number and is_gap and before not in "()" and before[0] != "{":
                continue
            if kept != step or not is_number:
                before = kept
            is_gap = False
            yield kept

    def _kept(self, step: str) -> str | None:
        if step[0] == "{":
            inner = self.comment(step[1:].removesuffix("}"))
            return None if inner is None else f"{{{inner}}}"
        if step in "()" or not self.what.nags:
            return step
        return _TRAILING_SIGNS.sub("", _NAG.sub("", step)) or None


def _gap(match: re.Match[str]) -> str:
    """Return the blank that parts what stood on both sides of a mark."""
    return " " if match.start() > 0 and match.end() < len(match.string) else ""


def _joined(steps: Iterator[str]) -> str:
    """Join steps by blanks, but for those inside of parentheses."""
    text = StringIO()
    before = "("
    for step in steps:
        if step != ")" and before != "(":
            text.write(" ")
        text.write(step)
        before = step
    return text.getvalue()
