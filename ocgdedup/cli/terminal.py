"""Reporters for standard error: a progress bar on a terminal, warnings alone elsewhere."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from ocgdedup.model import Reporter


class PlainReporter:
    """Prints warnings, no progress: for pipes, files and --quiet."""

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        return None

    def advance(self, games: int, position_bytes: int) -> None:
        return None

    def warn(self, message: str) -> None:
        print(f"ocgdedup: warning: {message}", file=sys.stderr)

    def finish(self) -> None:
        return None


class BarReporter:
    """Shows games, MB, speed and time left."""

    def __init__(self) -> None:
        # tqdm takes 40 ms to import; only a person at a terminal waits for it.
        self._tqdm: Any = importlib.import_module("tqdm").tqdm
        self._bar: Any = None
        self._by_bytes = False

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        self.finish()
        self._by_bytes = total_games is None
        self._bar = self._tqdm(
            total=total_bytes if self._by_bytes else total_games,
            desc=phase,
            unit="B" if self._by_bytes else f" {unit}",
            unit_scale=True,
            leave=False,
            file=sys.stderr,
            bar_format=None if total_bytes or total_games else "{desc} ... {elapsed}",
        )
        self._began = self._bar._time()

    def advance(self, games: int, position_bytes: int) -> None:
        if self._by_bytes:
            elapsed_s = max(self._bar._time() - self._began, 1e-3)
            self._bar.set_postfix_str(f"{games:,} games, {games / elapsed_s:,.0f} games/s", False)
        self._bar.update((position_bytes if self._by_bytes else games) - self._bar.n)

    def warn(self, message: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        print(f"ocgdedup: warning: {message}", file=sys.stderr)

    def finish(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def choose_reporter(*, quiet: bool) -> Reporter:
    """Return a bar on a terminal, else a reporter of warnings alone."""
    if quiet or not sys.stderr.isatty():
        return PlainReporter()
    return BarReporter()
