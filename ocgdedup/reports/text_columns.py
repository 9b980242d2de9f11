"""Columns of plain text for two games beside each other, and the signs between them."""

from __future__ import annotations

import textwrap
from itertools import zip_longest
from typing import NamedTuple


class Layout(NamedTuple):
    """Columns of text: the label, two blanks, the left game, a mark, the right game."""

    label: int
    column: int
    width: int

    def row(self, label: str, left: str, mark: str, right: str) -> str:
        start = f"{label[: self.label]:{self.label}}  {left:{self.column}}"
        return f"{start} {mark} {right}".rstrip()

    def across(self, label: str, text: str) -> list[str]:
        """Return lines of a text that runs over both columns."""
        lines = textwrap.wrap(text, self.width - self.label - 2) or [""]
        return [
            f"{start[: self.label]:{self.label}}  {line}".rstrip()
            for start, line in zip_longest([label], lines, fillvalue="")
        ]


def mark_of(left: str | None, right: str | None) -> str:
    """Return "|" where both differ, "<" or ">" where only that side has something."""
    if left == right:
        return " "
    if left is None:
        return ">"
    return "<" if right is None else "|"
