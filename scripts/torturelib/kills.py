"""Every command that writes, killed at any moment or system call, then repeated once."""

from __future__ import annotations

import shutil
import signal
import threading
import time
from pathlib import Path
from typing import NamedTuple

from torturelib.commands import WRITING, Writing
from torturelib.model import Case, Outcome
from torturelib.running import FAILED, crash, finish, kill_group, run, start
from torturelib.snapshots import Snapshot, difference, snapshot
from torturelib.starting_points import start_folder
from torturelib.system_calls import run_hit


class Undisturbed(NamedTuple):
    """What a command leaves that nothing disturbs."""

    once: Snapshot
    twice: Snapshot
    status: int
    second_status: int
    calls: int
    elapsed_s: float


KNOWN: dict[tuple[tuple[str, ...], str], Undisturbed] = {}


def undisturbed(case: Case, writing: Writing) -> Undisturbed | str:
    """Run a command twice in a folder like the case's; or return what went wrong."""
    key = (case.program, writing.name)
    if key not in KNOWN:
        shutil.rmtree(case.folder)
        case.folder.mkdir()
        start_folder(case, writing.start, case.folder)
        begin = time.monotonic()
        first, counted = run_hit(case, *writing.words, at=0)
        elapsed_s = time.monotonic() - begin
        once = snapshot(case.folder)
        second = run(case, *writing.words)
        problem = crash(first) or crash(second)
        if problem is None and first.status == FAILED:
            problem = f"`{first.command()}`: exit status 2: {first.err}"
        if problem:
            return f"undisturbed: {problem}"
        KNOWN[key] = Undisturbed(
            once, snapshot(case.folder), first.status, second.status, counted.calls, elapsed_s
        )
    shutil.rmtree(case.folder)
    case.folder.mkdir()
    start_folder(case, writing.start, case.folder)
    return KNOWN[key]


def command_of(case: Case) -> Writing:
    """Return every command in turn, so that each is hit as often, and neighbours differ."""
    return WRITING[case.seed * 29 % len(WRITING)]


def run_case(case: Case) -> str | None:
    rng = case.random()
    writing = command_of(case)
    expected = undisturbed(case, writing)
    if isinstance(expected, str):
        return expected
    if rng.random() < 0.25:
        after_s = rng.uniform(0.2, 1.05) * expected.elapsed_s
        where = killed_after(case, writing, after_s)
    else:
        at = rng.randint(1, max(1, expected.calls))
        _, hit = run_hit(case, *writing.words, at=at, torn=rng.random() < 0.5)
        where = f"killed at {hit}"
    again = run(case, *writing.words)
    problem = after_repetition(case.folder, writing, expected, again)
    return f"{writing.name}, {where}: {problem}" if problem else None


def killed_after(case: Case, writing: Writing, after_s: float) -> str:
    process = start(case, *writing.words)
    killer = threading.Timer(after_s, kill_group, [process])
    killer.start()
    outcome = finish(process, writing.words)
    killer.cancel()
    return f"killed after {after_s:.2f} s" if outcome.status == -signal.SIGKILL else "not killed"


def after_repetition(
    folder: Path, writing: Writing, expected: Undisturbed, again: Outcome
) -> str | None:
    """Return how the end differs from that of an undisturbed run."""
    problem = crash(again)
    if problem:
        return f"repeated: {problem}"
    state = snapshot(folder)
    different = difference(state, expected.once)
    if different is None:
        # What was done needs not be done again; but a load must know that it was.
        if again.status == FAILED and writing.words[0] in ("create", "run"):
            return f"repeated: exit status 2: {again.err}"
        return None
    if writing.repeats and difference(state, expected.twice) is None:
        return None
    return f"repeated (exit status {again.status}): {different}"
