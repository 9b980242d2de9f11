"""What a step of tidying changed; each step is a tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Replaced(NamedTuple):
    """A value that another one replaced, in so many games."""

    before: str
    after: str
    games: int


class TidiedTag(NamedTuple):
    """Games whose tag was empty and is filled in, and games whose value was replaced.

    `values`: the replaced values, if the step lists them.
    """

    tag: str
    filled: int = 0
    replaced: int = 0
    values: Sequence[Replaced] = ()
