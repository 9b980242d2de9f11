"""Bars on a terminal: units, whole numbers, a sign of life while nothing is reported."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Iterator

import pytest

from ocgdedup.cli.terminal import BarReporter


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextlib.contextmanager
def bar(
    phase: str, size: int | None, total: int | None, unit: str
) -> Iterator[tuple[BarReporter, Screen]]:
    screen = Screen()
    with contextlib.redirect_stderr(screen):
        reporter = BarReporter()
        reporter.start(phase, size, total, unit)
        yield reporter, screen
        reporter.finish()


def wait_for(screen: Screen, text: str, times: int = 1) -> None:
    """Wait until the bar has shown a text so many times: a thread draws it."""
    for _ in range(400):
        if screen.getvalue().count(text) >= times:
            return
        time.sleep(0.05)
    raise AssertionError(screen.getvalue())


def test_players_of_a_list_are_players() -> None:
    with bar("reading the FIDE list", 1_000_000, None, "players") as (reporter, screen):
        reporter.advance(1234, 500_000)
        wait_for(screen, "1,234 players")
    assert "games" not in screen.getvalue()


def test_names_are_whole_numbers() -> None:
    with bar("players", None, 26_845, "names") as (reporter, screen):
        reporter.advance(12_345, 0)
        wait_for(screen, "12345/26845")


@pytest.mark.parametrize("total", [None, 100])
def test_a_bar_moves_while_nothing_is_reported(total: int | None) -> None:
    with bar("indexing", None, total, "games") as (_, screen):
        wait_for(screen, "indexing", 4)
    if total is None:
        assert {"|", "/", "-"} & set(screen.getvalue())
