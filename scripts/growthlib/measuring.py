"""Run commands on an input of one size, each as a process, and see what the system charges."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from benchlib.running import megabytes

from growthlib.cases import COMMANDS, Case
from growthlib.texts import names_alike

MOST_RATIO = 2.3
AT_ONCE_S = 1.0
# The memory of a command above that on next to nothing: so many times a game, if it is huge, and
# what batches of usual games and page caches take.
MOST_OF_GAME, BATCHES_MB = 12, 32.0
# Below these a ratio says nothing.
LEAST_S, LEAST_MB = 0.15, 12.0


class Cost(NamedTuple):
    """What a process used, and why it counts as failed, if it does.

    `game_mb`: the size of a game, if that bounds the memory.
    """

    cpu_s: float
    peak_mb: float
    problem: str = ""
    game_mb: float = 0


class Growth(NamedTuple):
    """What one command used at n and 2n; `start`: on next to nothing."""

    command: str
    start: Cost
    at_n: Cost
    at_2n: Cost
    at_once: bool = False

    @property
    def problem(self) -> str:
        """Why the growth is too fast, or empty."""
        if self.at_n.problem or self.at_2n.problem:
            return self.at_n.problem or self.at_2n.problem
        if self.at_once:
            return "slow" if max(self.at_n.cpu_s, self.at_2n.cpu_s) > AT_ONCE_S else ""
        grown = {"time": (self.cpu_ratio, LEAST_S), "memory": (self.memory_ratio, LEAST_MB)}
        if any(map(self._is_over_bound, (self.at_n, self.at_2n))):
            return f"more memory than {MOST_OF_GAME} times the game"
        return ", ".join(what for what, (ratio, _) in grown.items() if ratio > MOST_RATIO)

    def _is_over_bound(self, cost: Cost) -> bool:
        most_mb = MOST_OF_GAME * cost.game_mb + BATCHES_MB
        return bool(cost.game_mb) and cost.peak_mb - self.start.peak_mb > most_mb

    @property
    def is_close(self) -> bool:
        """Whether a busy machine can be the reason for the problem."""
        stopped = self.at_n.problem or self.at_2n.problem
        return not stopped and max(self.cpu_ratio, self.memory_ratio) < 2 * MOST_RATIO

    @property
    def cpu_ratio(self) -> float:
        return _ratio(self.at_n.cpu_s, self.at_2n.cpu_s, self.start.cpu_s, LEAST_S)

    @property
    def memory_ratio(self) -> float:
        return _ratio(self.at_n.peak_mb, self.at_2n.peak_mb, self.start.peak_mb, LEAST_MB)


def _ratio(at_n: float, at_2n: float, start: float, least: float) -> float:
    return max(0.0, at_2n - start) / max(at_n - start, least)


class Program(NamedTuple):
    """The program that is measured, and after how much work it is stopped."""

    words: tuple[str, ...]
    limit_s: float

    def run(self, arguments: Sequence[str], folder: Path) -> Cost:
        """Run one command to its end in a folder."""
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                (*self.words, *arguments), cwd=folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, preexec_fn=self._limit,
            )  # fmt: skip
            clock = threading.Timer(10 * self.limit_s, process.kill)
            clock.start()
            _, status, usage = os.wait4(process.pid, 0)
            clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return Cost(
            usage.ru_utime + usage.ru_stime,
            megabytes(usage.ru_maxrss),
            self._problem(process.returncode, folder / "log"),
        )

    def _limit(self) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(self.limit_s), int(self.limit_s) + 5))

    def _problem(self, status: int, log: Path) -> str:
        lines = log.read_text(errors="replace").splitlines() or [""]
        if status in (0, 1, 2) and not any(line.startswith("Traceback") for line in lines):
            return ""
        if status in (-24, -9):
            return f"stopped after {self.limit_s:.0f} s"
        return f"exit status {status}: {lines[-1][:60]}"


def measure(program: Program, case: Case, folder: Path, n: int) -> dict[str, Cost]:
    """Make an input of size n and run the commands of a case on it."""
    source = folder / f"input{case.suffix}"
    case.make(source, n)
    names = folder / "names.txt"
    names.write_text("".join(f"{name}\n" for name in islice(names_alike(), 1_000)))
    costs = {}
    for command in case.commands.split():
        words = [
            word.format(db="games.db3", input=source.name, names=names.name, suffix=case.suffix)
            for word in COMMANDS[command]
        ]
        game_mb = source.stat().st_size / 1e6 / case.games if case.games else 0
        costs[command] = program.run(words, folder)._replace(game_mb=game_mb)
        if costs[command].problem:
            break
    return costs


def least(costs: Sequence[dict[str, Cost]]) -> dict[str, Cost]:
    """Return the least cost of each command: what a busy machine added is left out."""
    return {
        command: min(cost[command] for cost in costs)
        for command in costs[0]
        if all(command in cost for cost in costs)
    }
