"""The speed of a game by its time control."""

from __future__ import annotations

import pytest

from ocgdedup.cli.options.selection import SPEED_CHOICES
from ocgdedup.pgn.time_control import SPEEDS, speed_of


@pytest.mark.parametrize(
    ("time_control", "speed"),
    [
        ("60", "bullet"), ("60+1", "bullet"), ("60+2", "bullet"), ("60+3", "blitz"),
        ("179", "bullet"), ("180", "blitz"), ("180+2", "blitz"), ("300+4", "blitz"),
        ("479", "blitz"), ("480", "rapid"), ("300+5", "rapid"), ("1499+0", "rapid"),
        ("1500", "classical"), ("900+15", "classical"), ("900+10", "rapid"), ("0+1", "bullet"),
        ("40/7200:3600", "classical"), ("40/7200:20/3600:900+30", "classical"),
        ("40/300", "blitz"), ("1/5", "blitz"), ("1/86400", "classical"), ("*180", "blitz"),
        ("10+0.1", "bullet"), ("5400+30", "classical"), ("40/5400+30:1800+30", "classical"),
        ("", None), ("?", None), ("-", None), ("0", None), ("90 min", None), ("1/", None),
        ("300:?", None), ("\u0661\u0662\u0660", None), ("9" * 5000, None), ("300+", None),
    ],
)  # fmt: skip
def test_speed(time_control: str, speed: str | None) -> None:
    assert speed_of(time_control) == speed


def test_speeds_of_the_command_line() -> None:
    assert tuple(SPEEDS) == SPEED_CHOICES
