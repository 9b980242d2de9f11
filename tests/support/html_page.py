"""An HTML report, parsed by the standard library: totals, tables, scripts, data."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

# Elements without an end tag.
_VOID = {"meta", "input", "br", "img", "link", "hr", "area", "base", "col", "embed", "source"}


class Page(HTMLParser):
    """A page whose elements must all be closed, in order.

    `elements`: (name, attributes) in order. `totals`: figure by label. `figures`: rows of texts of
    the tables of each figure, by its ID. `scripts`, `styles`: the texts of these elements.
    """

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.totals: dict[str, int] = {}
        self.figures: dict[str, list[list[str]]] = {}
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.words = ""
        self._open: list[str] = []
        self._figure = ""
        self._label = ""
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    @classmethod
    def of(cls, path: Path | str) -> Page:
        return cls(Path(path).read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = dict(attrs)
        assert len(result) == len(attrs), f"an attribute twice in {tag}: {attrs}"
        self.elements.append((tag, result))
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "figure":
            self._figure = result["id"] or ""
            self.figures[self._figure] = []
        if tag == "tr" and self._figure:
            self.figures[self._figure].append([])
        if tag in ("th", "td") and self._figure:
            self.figures[self._figure][-1].append("")
        if tag == "dt":
            self._label = ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"{tag} was not open"
        assert self._open.pop() == tag, f"{tag} ends within another element"
        if tag == "figure":
            self._figure = ""

    def handle_data(self, data: str) -> None:
        inner = self._open[-1] if self._open else ""
        if inner in ("script", "style"):
            (self.scripts if inner == "script" else self.styles).append(data)
            return
        self.words += data
        if inner == "dt":
            self._label += data
        elif inner == "dd" and "main" in self._open:
            self.totals[self._label] = int(data.replace(",", ""))
        elif inner in ("th", "td") and self._figure:
            self.figures[self._figure][-1][-1] += data

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.scripts[0])

    def counts(self, figure: str, label_columns: int = 1, column: int = 1) -> dict[Any, int]:
        """Return a column of numbers of a figure's tables by label, without the headings."""
        numbers = {}
        for row in self.figures[figure]:
            digits = row[column].replace(",", "") if len(row) > column else ""
            if digits.isdecimal():
                label = tuple(row[:label_columns])
                numbers[label if label_columns > 1 else label[0]] = int(digits)
        return numbers

    def pairs(self) -> list[dict[str, Any]]:
        """Return the pairs with texts and IDs in place of indexes; `detail` is None if missing."""
        data = self.data
        texts, games, pairs = data["texts"], data["games"], data["pairs"]
        decisions = {(first, second): word for first, second, word, _ in data["decisions"]}
        return [
            {
                "left": games["id"][left],
                "right": games["id"][right],
                "kind": texts[pairs["kind"][row]],
                "reason": texts[pairs["reason"][row]] or None,
                "score": pairs["score"][row],
                "decision": decisions.get(tuple(sorted((games["id"][left], games["id"][right])))),
                "deleted": bool(games["flags"][right] & 2),
                "detail": data["details"].get(str(row)),
            }
            for row, (left, right) in enumerate(zip(pairs["left"], pairs["right"], strict=True))
        ]
