"""A collection of Go games of which some share moves, and the output of `find` as objects."""

from __future__ import annotations

import json
import random

from tests.support.command_line import Command
from tests.support.go_games import GoGame
from tests.support.signed_games import rotated


def random_points(seed: int, plies: int) -> list[str]:
    """Return moves on few points, so that many games share some."""
    rng = random.Random(seed)
    return ["tt" if rng.random() < 0.02 else rng.choice("cdpq") + rng.choice("cdpq")
            for _ in range(plies)]  # fmt: skip


def written(points: list[str]) -> str:
    colours = "BW" * len(points)
    return " ".join(colour + ("" if point == "tt" else point)
                    for colour, point in zip(colours, points, strict=False))  # fmt: skip


LONG = random_points(0, 120)
SLIP = [*LONG[:104], "aa", *LONG[105:]]
EARLY_SLIP = [*LONG[:10], "aa", *LONG[11:]]
RECORDS = (
    GoGame(written(LONG), black="Go Seigen", white="Kitani Minoru", date="1933.01.05",
           event="Jigo Cup", result="0-1", tags={"RE": "B+3.5"}),
    GoGame(written([rotated(point, 6) for point in LONG]), black="呉清源", white="木谷實",
           date="1933.??.??"),
    GoGame(written(SLIP), black="Go Seigen", white="Kitani Minoru", date="1934.01.05"),
    GoGame(written(LONG[:70]), black="Cho Chikun", white="Otake Hideo", date="1980.02.03"),
    GoGame(written(LONG[:55]), black="Cho Chikun", white="Otake Hideo", date="1981.02.03"),
    GoGame("Baa B W", start="SZ[9]AB[gc]", black="Mouse", white="Cat", date="1990.??.??"),
    GoGame("", black="Nobody", white="Cat"),
    *(GoGame(written(random_points(seed, 40 + seed)), black=f"P{seed % 3}", white=f"Q{seed % 5}",
             date=f"{1950 + seed}.01.01") for seed in range(1, 40)),
    GoGame(written(EARLY_SLIP), black="Go Seigen jr", white="K. Minoru"),
    GoGame(written([rotated(point, 2) for point in EARLY_SLIP]), black="G.", white="K."),
)  # fmt: skip


def found_games(command: Command, path: str, *arguments: object) -> list[dict[str, object]]:
    status, out, err = command("find", path, *arguments, "--json")
    assert status == 0, err
    assert err.startswith(f"{path}: ")  # the count; no warning
    assert err.count("\n") == 1
    return [json.loads(line) for line in out.splitlines()]


def ids(command: Command, path: str, *arguments: object) -> list[object]:
    return [game["id"] for game in found_games(command, path, *arguments)]
