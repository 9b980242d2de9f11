"""Odd surroundings: closed or full streams, missing folders, unusual names, colliding outputs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from itertools import combinations

from torturelib.model import Case
from torturelib.running import DONE, FAILED, REJECTED, crash, run

GAME_FILES = ("club_library.pgn", "magazine_archive.pgn", "web_download.pgn")


def run_case(case: Case) -> str | None:
    if case.seed < len(DIRECTED):
        return DIRECTED[case.seed](case)
    return case.random().choice(DIRECTED)(case)


def closed_streams(case: Case) -> str | None:
    """Every command does its work with any of its three streams closed."""
    rng = case.random()
    streams = rng.choice([those for size in (1, 2, 3) for those in combinations(range(3), size)])
    if case.seed < len(DIRECTED):
        streams = (2,)

    def close() -> None:
        for stream in streams:
            os.close(stream)

    steps = (
        ("create", "a.db3", case.games),
        ("players", "a.db3"),
        ("dedup", "a.db3"),
        ("export", "a.db3", "-o", "a.pgn"),
        ("check", "a.db3"),
    )
    for words in steps:
        outcome = run(case, *words, prepare=close)
        allowed = (DONE, REJECTED) if words[0] == "create" else (DONE,)
        if 1 in streams:
            allowed += (FAILED,)  # results cannot be printed
        problem = crash(outcome)
        if problem is None and outcome.status not in allowed:
            problem = f"`{outcome.command()}`: exit status {outcome.status}"
        if problem:
            return f"{problem}, with streams {streams} closed"
    missing = [name for name in ("a.db3", "a.pgn") if not (case.folder / name).exists()]
    return f"{', '.join(missing)} not written, with streams {streams} closed" if missing else None


def results_to_a_closed_stream(case: Case) -> str | None:
    """Results that cannot be written are one line and status 2."""
    run(case, "create", "a.db3", case.games)
    for words in (
        ("export", "a.db3", "-o", "-"),
        ("info", "a.db3"),
        ("printpgn", "a.db3", "-g", "1"),
    ):
        outcome = run(case, *words, prepare=lambda: os.close(1))
        problem = crash(outcome)
        if problem is None and outcome.status != FAILED:
            problem = f"`{outcome.command()}`: exit status {outcome.status}, not 2"
        if problem:
            return f"{problem}, with standard output closed"
    return None


def full_device(case: Case) -> str | None:
    """Results written to a device without room are one line and status 2."""
    run(case, "create", "a.db3", case.games)
    with open("/dev/full", "wb") as full:
        for words in (("export", "a.db3", "-o", "-"), ("info", "a.db3"), ("find", "a.db3")):
            outcome = run(case, *words, stdout=full.fileno(), stderr=subprocess.PIPE)
            problem = crash(outcome)
            if problem is None and outcome.status != FAILED:
                problem = f"`{outcome.command()}`: exit status {outcome.status}, not 2"
            if problem:
                return f"{problem}, with standard output on /dev/full"
    return None


DIRECTED: tuple[Callable[[Case], str | None], ...] = (
    closed_streams,
    results_to_a_closed_stream,
    full_device,
)
