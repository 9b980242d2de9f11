"""Every command that writes, asked to end by SIGINT, SIGTERM or SIGHUP, in the background too."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import threading
import time
from dataclasses import replace
from typing import NamedTuple

from torturelib.commands import Writing
from torturelib.kills import Undisturbed, after_repetition, command_of, undisturbed
from torturelib.model import Case, Outcome
from torturelib.races import left_over
from torturelib.running import finish, run, signal_name, start
from torturelib.snapshots import Snapshot, difference, snapshot

INTERRUPTED = 130
PROMPTLY_S = 10
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# How commands are started: with these signals ignored.
SURROUNDINGS = {
    "in the foreground": (),
    "as a background job": (signal.SIGINT,),
    "below nohup": (signal.SIGHUP,),
    "as a background job below nohup": (signal.SIGINT, signal.SIGHUP),
}
WEIGHTS = (6, 8, 2, 2)
# The last of several comes before the program takes it for a new one: within a second.
MOST_SIGNALS, LONGEST_PAUSE_S = 4, 0.2
INTERRUPTED_LINE = re.compile(
    r"^ocgdedup: interrupted; (nothing was changed|what was done before is kept); .*\n", re.M
)

OURS = re.compile(r"/ocgdedup/(?!__init__|__main__)")  # these two make signals work


class Attack(NamedTuple):
    """Which signals are sent, each after a pause, to one process or to its whole group."""

    surroundings: str
    numbers: tuple[int, ...]
    pauses_s: tuple[float, ...]
    to_group: bool

    @property
    def ignored(self) -> tuple[int, ...]:
        return SURROUNDINGS[self.surroundings]

    @property
    def effective(self) -> list[int]:
        return [number for number in self.numbers if number not in self.ignored]

    def __str__(self) -> str:
        names = ", ".join(map(signal_name, self.numbers))
        target = "group" if self.to_group else "process"
        return f"{self.surroundings}, {names} to the {target} after {self.pauses_s[0]:.3f} s"


def run_case(case: Case) -> str | None:
    rng = case.random()
    writing = command_of(case)
    expected = undisturbed(case, writing)
    if isinstance(expected, str):
        return expected
    attack = new_attack(rng, expected.elapsed_s)
    before = snapshot(case.folder)
    outcome, ended_s = attacked(case, writing, attack)
    problem = judge(case, attack, before, expected, outcome)
    if problem is None and ended_s > PROMPTLY_S:
        problem = f"ended {ended_s:.1f} s after the signal"
    if problem is None:
        again = run(case, *writing.words)
        problem = after_repetition(case.folder, writing, expected, again)
    return f"{writing.name}, {attack}, exit status {outcome.status}: {problem}" if problem else None


def new_attack(rng: random.Random, elapsed_s: float) -> Attack:
    (surroundings,) = rng.choices(list(SURROUNDINGS), WEIGHTS)
    count = 1 if rng.random() < 0.6 else rng.randint(2, MOST_SIGNALS)
    numbers = tuple(rng.choice(ENDING) for _ in range(count))
    # A third while the program starts.
    first_s = rng.uniform(0, 0.2 if rng.random() < 0.35 else 1.1 * elapsed_s)
    pauses = (rng.choice((0, rng.uniform(0, LONGEST_PAUSE_S))) for _ in numbers[1:])
    return Attack(surroundings, numbers, (first_s, *pauses), rng.random() < 0.5)


def attacked(case: Case, writing: Writing, attack: Attack) -> tuple[Outcome, float]:
    """Run the command with the attack; return how long it ran after the first signal for it."""

    def ignore() -> None:
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN if number in attack.ignored else signal.SIG_DFL)

    process = start(case, *writing.words, prepare=ignore)
    sent_s: list[float] = []
    sender = threading.Thread(target=send, args=(process, attack, sent_s))
    sender.start()
    outcome = finish(process, writing.words)
    ended_s = time.monotonic() - sent_s[0] if sent_s else 0.0
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
        outcome = replace(outcome, err=f"{outcome.err}a process is left over\n")
    sender.join()
    return outcome, ended_s


def send(process: subprocess.Popen[bytes], attack: Attack, sent_s: list[float]) -> None:
    for number, pause_s in zip(attack.numbers, attack.pauses_s, strict=True):
        time.sleep(pause_s)
        if process.returncode is not None:
            return
        if number not in attack.ignored:
            sent_s.append(time.monotonic())
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if attack.to_group else os.kill)(process.pid, number)


def judge(
    case: Case, attack: Attack, before: Snapshot, expected: Undisturbed, outcome: Outcome
) -> str | None:
    state = snapshot(case.folder)
    err = without_start(outcome.err) if signal.SIGINT in attack.effective else outcome.err
    if "a process is left over" in err:
        return err
    if "Traceback" in err:
        return f"traceback: {err}"
    said = INTERRUPTED_LINE.findall(err)
    was_before, was_done = difference(state, before), difference(state, expected.once)
    if outcome.status == INTERRUPTED and attack.effective:
        if len(said) != 1 or INTERRUPTED_LINE.sub("", err).count("interrupted"):
            return f"{len(said)} lines of the interruption: {err!r}"
        if said == ["nothing was changed"] and was_before:
            return f"nothing was changed, it says: {was_before}"
        # A committed change lists its output files, which the repetition publishes.
        return left_over(state) if said == ["nothing was changed"] else None
    if said:
        return f"not {INTERRUPTED} after an interruption: {err!r}"
    if -outcome.status in attack.effective or err != outcome.err:
        # Before the command began, or when it was done; or Python itself did not start.
        return None if None in (was_before, was_done) else f"half done: {was_before}; {was_done}"
    if outcome.status != expected.status:
        return f"not {expected.status}: {outcome.err!r}"
    return was_done


def without_start(err: str) -> str:
    """Return standard error without the traceback of Python's own start, which Ctrl-C may meet."""
    begin, mark, traceback = err.rpartition("Traceback (most recent call last)")
    is_start = mark and "KeyboardInterrupt" in traceback and not OURS.search(traceback)
    return begin if is_start else err
