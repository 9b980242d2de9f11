"""Any bytes as a row of choices, so that mutated bytes make a mutated structure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Choice = TypeVar("Choice")


class Draws:
    """Choices by the bytes of an input, one after the other; 0 when they are used up."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._at = 0

    @property
    def has_more(self) -> bool:
        return self._at < len(self._text)

    def below(self, most: int) -> int:
        """Return a number below `most`, which is 65,536 at most."""
        number = int.from_bytes(self.some(1 if most <= 256 else 2), "little")
        return number % most

    def some(self, count: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        result = self._text[self._at : self._at + count]
        self._at += count
        return result

    def choice(self, choices: Sequence[Choice]) -> Choice:
        return choices[self.below(len(choices))]
