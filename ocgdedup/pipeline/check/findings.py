"""Findings of a check: their kinds, what each means for the user, and the counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ocgdedup.data_files import read_sections

EXAMPLES = 10  # of each kind that are reported
START = "start"  # of Go

FILE, SCHEMA = "file", "schema"
MOVES, CHANGED_MOVES = "moves", "changed-moves"
BOARD_RESULT = "board-result"


class Kind(NamedTuple):
    """A kind of damage; `advice` is what the user can do, None if a repair mends it.

    A remark is about a value that is unlikely, but may be what the source says.
    """

    description: str
    advice: str | None = None
    is_remark: bool = False


class Example(NamedTuple):
    """One thing that is wrong: the ID of a game, or a text, or both."""

    game_id: int | None
    text: str | None


class Finding(NamedTuple):
    """What was found of one kind, and the first examples of it."""

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
    """Counts what is found, by kind."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[Example]] = {}

    def add(self, kind: str, example: object, text: str | None = None) -> None:
        """Count one more; `example` is the ID of a game or a text, `text` says more of a game."""
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
        """Return what was found, in the order of KINDS."""
        return [
            Finding(kind, self._counts[kind], self._examples[kind])
            for kind in KINDS
            if kind in self._counts
        ]
