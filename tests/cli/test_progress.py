"""Bars on a terminal: units, whole numbers, a sign of life while nothing is reported."""

from __future__ import annotations

import contextlib
import io
import re
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
        wait_for(screen, "12,345 of 26,845 names")


LONGEST = "indexing the lists of players"


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 132])
@pytest.mark.parametrize("phase", ["reading", LONGEST])
@pytest.mark.parametrize("sizes", [(12_345_678_901, None), (None, 30_000_000), (None, None)])
def test_a_bar_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
    phase: str,
    sizes: tuple[int | None, int | None],
) -> None:
    """Parts that do not fit are left out, none is cut."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("ocgdedup.cli.terminal._REDRAWN_S", 0.02)
    with bar(phase, *sizes, "games") as (reporter, screen):
        reporter.advance(12_345_678, 5_000_000_000)
        wait_for(screen, phase, 3)
    lines = [line.rstrip() for line in screen.getvalue().split("\r") if line.strip()]
    assert all(len(line) < max(columns, len(phase) + 6) for line in lines)
    counts = r"[\d,]+ games(?:/s)?|[\d,]+ of [\d,]+ (?:games|MB)"
    part = rf"(?:{counts}|(?:\d+:)?\d+:\d\d(?: left| [|/\\-])?)"
    whole = re.compile(rf"{phase} (?:\.\.\.|[ \d]+%)(?: \|[# ]+\|)?(?: {part}(?:, {part})*)?")
    for line in lines:
        assert whole.fullmatch(line), line
    if columns == 80 and sizes[1]:
        assert "12,345,678 of 30,000,000 games" in lines[-1]
        assert "left" in lines[-1] or phase == LONGEST


@pytest.mark.parametrize("total", [None, 100])
def test_a_bar_moves_while_nothing_is_reported(total: int | None) -> None:
    with bar("indexing", None, total, "games") as (_, screen):
        wait_for(screen, "indexing", 4)
    if total is None:
        assert {"|", "/", "-"} & set(screen.getvalue())
