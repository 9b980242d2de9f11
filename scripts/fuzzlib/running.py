"""A run of one target: cases in batches, each batch in a child; failures are minimised and kept."""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from fuzzlib.children import follow_child, start_child
from fuzzlib.corpus import save
from fuzzlib.model import Failure, Laws, Target

BATCH_CASES = 100  # in one child process
HANG_S = 20.0
MINIMISE_TRIES = 250
MINIMISE_S = 20.0
KEPT_BYTES = 4_000  # of an input that is kept for its behaviour


class Options(NamedTuple):
    """How a target is run."""

    seconds: float
    seed: int
    slow_factor: float
    folder: Path  # of errors, and of what is kept
    save: Path | None = None


def findings(target: Target, text: bytes, laws: Laws) -> Iterator[Failure | str]:
    """Yield what is wrong with an input, and the behaviour it showed; no exception is right."""
    unraised: list[Failure] = []
    # A failed bounds check in a noexcept function of a kernel is only reported, not raised.
    sys.unraisablehook = lambda args: unraised.append(
        Failure(f"unraised {type(args.exc_value).__name__}", f"{args.object!r}: {args.exc_value}")
    )
    try:
        yield from target.check(text, laws)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno} {place.name}"
        yield Failure(f"{type(error).__name__} in {where}", f"{error}"[:300])
    finally:
        sys.unraisablehook = sys.__unraisablehook__
    yield from unraised


def failures_apart(target: Target, text: bytes, laws: Laws, errors: Path) -> list[Failure]:
    """Return the failures of an input, checked in a child."""

    def work(report: Callable[[object], None]) -> None:
        for result in findings(target, text, laws):
            if isinstance(result, Failure):
                report(result)

    hang_s = HANG_S * laws.slow_factor
    return [Failure(*result) for result in follow_child(start_child(work, errors), hang_s)]


class Run:
    """One run: how many cases, which behaviour was seen, one example of each kind of failure."""

    def __init__(self, target: Target, seeds: list[bytes], options: Options) -> None:
        self._target = target
        self._seeds = seeds
        self._options = options
        self._errors = options.folder / "errors"
        self._began = time.monotonic()
        self._seen: set[str] = set()
        self.counts: dict[str, int] = {}
        self.cases = 0

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._began

    def make_case(self, number: int) -> bytes:
        """Return input `number`: the stored ones first, then what is made of them."""
        if number < len(self._seeds):
            return self._seeds[number]
        rng = random.Random(f"{self._options.seed}:{number}")
        return self._target.make_case(rng, self._seeds)

    def run(self) -> None:
        while self.elapsed_s < self._options.seconds:
            self._run_batch(self.cases)

    def run_one(self, number: int) -> None:
        text = self.make_case(number)
        for failure in failures_apart(self._target, text, self._laws(number), self._errors):
            self._note(number, failure)
        self.cases = 1

    def _laws(self, number: int) -> Laws:
        return Laws(number, self._options.slow_factor)

    def _run_batch(self, first: int) -> None:
        """Check cases from `first` on in one child, up to the first that ends it."""

        def work(report: Callable[[object], None]) -> None:
            known = set(self._seen)
            for number in range(first, first + BATCH_CASES):
                if self.elapsed_s >= self._options.seconds:
                    return
                report(number)
                for result in findings(self._target, self.make_case(number), self._laws(number)):
                    if isinstance(result, Failure) or result not in known:
                        report(result)
                    if isinstance(result, str):
                        known.add(result)

        child = start_child(work, self._errors)
        number = first
        for report in follow_child(child, HANG_S * self._options.slow_factor):
            if isinstance(report, int):
                number = report
                self.cases = number + 1
            elif isinstance(report, str):
                self._keep_for_behaviour(number, report)
            else:
                self._note(number, Failure(*report))

    def _keep_for_behaviour(self, number: int, behaviour: str) -> None:
        self._seen.add(behaviour)
        text = self.make_case(number)
        if self._options.save and number >= len(self._seeds) and len(text) <= KEPT_BYTES:
            save(self._options.save / self._target.name / "new", behaviour, text)

    def _note(self, number: int, failure: Failure) -> None:
        seen = self.counts.get(failure.kind, 0)
        self.counts[failure.kind] = seen + 1
        if seen:
            return
        text = self.make_case(number)
        small = self._minimise(text, self._laws(number), failure.kind)
        print(f"\ncase {number}: {failure.kind}\n  {failure.detail}")
        print(f"  {len(text)} bytes, minimised {len(small)}: {small[:400]!r}", flush=True)
        if self._options.save:
            path = save(self._options.save / self._target.name, failure.kind, small)
            print(f"  kept as {path}", flush=True)

    def _minimise(self, text: bytes, laws: Laws, kind: str) -> bytes:
        """Return a shorter input that fails in the same way: parts are left out by bisection."""
        stop_at = time.monotonic() + MINIMISE_S * (1 if kind != "hang" else 6)
        tries = 0
        part = max(1, len(text) // 2)
        at = 0
        while part and tries < MINIMISE_TRIES and time.monotonic() < stop_at:
            shorter = text[:at] + text[at + part :]
            tries += 1
            result = failures_apart(self._target, shorter, laws, self._errors)
            if any(kind == failure.kind for failure in result):
                text = shorter
            else:
                at += part
            if at >= len(text):
                at, part = 0, part // 2
        return text

    def summary(self) -> str:
        per_minute = 60 * self.cases / max(self.elapsed_s, 0.001)
        return (
            f"{self._target.name}: {self.cases:,} cases in {self.elapsed_s:,.0f} s "
            f"({per_minute:,.0f} a minute) from {len(self._seeds):,} seeds, "
            f"{len(self._seen):,} kinds of behaviour, {len(self.counts)} kinds of failure"
        )


def all_failures(target: Target, paths: list[Path]) -> list[tuple[Path, Failure]]:
    """Return what is wrong with stored inputs, read in this process and not by the clock."""
    laws = Laws(1, float("inf"))
    return [
        (path, result)
        for path in paths
        for result in findings(target, path.read_bytes(), laws)
        if isinstance(result, Failure)
    ]
