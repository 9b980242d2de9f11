"""What a fuzzer is made of: a target, its laws, and failures."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple


class Failure(NamedTuple):
    """A broken law: equal kinds are taken for one bug."""

    kind: str
    detail: str


class Laws(NamedTuple):
    """How an input is checked: the seed of what is drawn, and how slow this build may be."""

    seed: int
    slow_factor: float = 1.0

    def random(self) -> random.Random:
        return random.Random(self.seed)


class Target(NamedTuple):
    """One thing that is fuzzed.

    `check` yields broken laws, and in between the names of behaviour that it saw: plain strings. An
    input that shows new behaviour is worth keeping.
    """

    name: str
    about: str
    seeds: Callable[[], list[bytes]]
    make_case: Callable[[random.Random, Sequence[bytes]], bytes]
    check: Callable[[bytes, Laws], Iterator[Failure | str]]
