"""What is measured, and what a measurement is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median


class BenchError(Exception):
    """The run cannot go on; the message says why."""


@dataclass(frozen=True)
class Stage:
    """One thing to measure; its command writes into a folder of its own, emptied before."""

    name: str
    label: str
    command: tuple[str, ...]
    copied: tuple[Path, Path] | None = None  # from, to: before each run, not measured
    accepted: tuple[int, ...] = (0,)
    is_probe: bool = False  # prints its own figures as JSON: only a part of it counts
    output: Path | None = None  # a file that is there, and not empty, if all went well
    absent: bool = False
    missing: str = ""  # why the stage is skipped

    def problem(self) -> str:
        """Return why the stage cannot run, "" if it can."""
        return "not installed" if self.absent else self.missing


@dataclass(frozen=True)
class Run:
    """One run. cpu_s and wall_s are what counts; of a probe that is only a part of process_*."""

    cpu_s: float
    wall_s: float
    peak_rss_mb: float
    games: int
    plies: int
    process_user_s: float
    process_system_s: float
    process_wall_s: float
    exit_code: int
    output_bytes: int


@dataclass
class Result:
    """All measured runs of a stage, or why there are none."""

    stage: Stage
    runs: list[Run] = field(default_factory=list)
    problem: str = ""

    def summary(self, key: str, choose: Callable[[list[float]], float] = median) -> float:
        return float(choose([getattr(run, key) for run in self.runs]))

    def games_per_s(self, key: str, choose: Callable[[list[float]], float] = median) -> float:
        return self.runs[0].games / max(self.summary(key, choose), 1e-9)


@dataclass(frozen=True)
class Process:
    """A process that has ended."""

    exit_code: int
    user_s: float
    system_s: float
    wall_s: float
    peak_rss_mb: float
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Corpus:
    """The input files, and how much the reading kernel finds in them."""

    files: tuple[str, ...]
    size_bytes: int
    games: int
    plies: int
