"""Findings of a check: kinds of damage with advice for the user, counts and examples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ocgdedup.data_files import read_sections

EXAMPLES = 10  # that are reported of each kind
START = "start"  # of Go

FILE, SCHEMA = "file", "schema"
MOVES, CHANGED_MOVES = "moves", "changed-moves"
BOARD_RESULT = "board-result"


class Kind(NamedTuple):
    """A kind of damage; `advice` for the user is None if --repair repairs it.

    A remark is about a value that is unlikely, but may be that of the source.
    """

    description: str
    advice: str | None = None
    is_remark: bool = False


class Example(NamedTuple):
    """One damaged value: the ID of its game, or a text, or both."""

    game_id: int | None
    text: str | None


class Finding(NamedTuple):
    """The number of findings of one kind, and the first examples."""

    kind: str
    total: int
    examples: list[Example]

    @property
    def description(self) -> str:
        return KINDS[self.kind].description

    @property
    def is_remark(self) -> bool:
        return KINDS[self.kind].is_remark

    @property
    def advice(self) -> str | None:
        return KINDS[self.kind].advice


def _read_kinds() -> dict[str, Kind]:
    """Return the kinds of kinds.txt by name, in order."""
    kinds: dict[str, Kind] = {}
    for title, text in read_sections(__file__, "kinds.txt").items():
        description, *lines = text.splitlines()
        name, _, remark = title.partition(" ")
        advice: str | None = " ".join(map(str.strip, lines)) or None
        if advice and advice.startswith("= "):
            advice = kinds[advice.removeprefix("= ")].advice
        kinds[name] = Kind(description, advice, bool(remark))
    return kinds


KINDS = _read_kinds()


class Tally:
    """Counts findings by kind."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[Example]] = {}

    def add(self, kind: str, example: object, text: str | None = None) -> None:
        """Count a finding; `example`: the ID of a game or a text; `text`: details about a game."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        examples = self._examples.setdefault(kind, [])
        if len(examples) < EXAMPLES:
            is_game = isinstance(example, int)
            examples.append(
                Example(example, text) if is_game else Example(None, str(example))  # type: ignore[arg-type]
            )

    def add_all(self, kind: str, examples: Iterable[object]) -> None:
        for example in examples:
            self.add(kind, example)

    def has(self, kind: str) -> bool:
        return kind in self._counts

    def findings(self) -> list[Finding]:
        """Return the findings in the order of KINDS."""
        return [
            Finding(kind, self._counts[kind], self._examples[kind])
            for kind in KINDS
            if kind in self._counts
        ]
