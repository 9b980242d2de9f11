"""Every command that writes, with a failing system call, then repeated without."""

from __future__ import annotations

import errno
import re
from pathlib import Path

from torturelib.commands import Writing
from torturelib.kills import Undisturbed, after_repetition, command_of, undisturbed
from torturelib.model import Case, Outcome
from torturelib.running import DONE, FAILED, REJECTED, crash, refused, run
from torturelib.snapshots import Snapshot, difference, snapshot
from torturelib.system_calls import ERRORS, Hit, run_hit

NOTHING_CHANGED = re.compile(r"nothing (was|is) (changed|written)|left as it (is|was)")
INPUT_FAULTS = (errno.EIO, errno.EACCES)  # of a file; the others are of the system


def run_case(case: Case) -> str | None:
    rng = case.random()
    writing = command_of(case)
    expected = undisturbed(case, writing)
    if isinstance(expected, str):
        return expected
    name = rng.choice(list(ERRORS))
    number, calls = ERRORS[name]
    before = snapshot(case.folder)
    # Reads are many, and most of them are of the database: the first ones are hit more often.
    at = max(1, int(expected.calls ** rng.random()))
    outcome, hit = run_hit(
        case, *writing.words, at=at, number=number, calls=calls, on=rng.random() < 0.5
    )
    if number in INPUT_FAULTS and lacks_an_input(outcome, hit):
        return crash(outcome)
    problem = after_fault(case, writing, outcome, expected, before)
    if problem is None and outcome.status == FAILED:
        again = run(case, *writing.words)
        problem = after_repetition(case.folder, writing, expected, again)
    return f"{writing.name}, {name} at {hit}: {problem}" if problem else None


def lacks_an_input(outcome: Outcome, hit: Hit) -> bool:
    """Return whether a run says that it did without the input whose bytes could not be read."""
    names = re.findall(r"warning: (.+?): (?:cannot be opened|reading failed)", outcome.err)
    return outcome.status == REJECTED and Path(hit.path).name in names


def after_fault(
    case: Case, writing: Writing, outcome: Outcome, expected: Undisturbed, before: Snapshot
) -> str | None:
    """Return what is wrong with a run that met a failing call."""
    if outcome.status in (DONE, REJECTED):
        return crash(outcome) or incomplete(case, outcome, expected)
    problem = crash(outcome) or refused(outcome)
    # A migration is kept even if the command that began with it fails.
    says_so = NOTHING_CHANGED.search(outcome.err) and not writing.start.startswith("old")
    if problem is None and says_so:
        state = snapshot(case.folder)
        after = {name: state.get(name) for name in databases(before)}
        changed = difference(after, databases(before))
        problem = changed and f"says {outcome.err!r}, but {changed}"
    return problem


def incomplete(case: Case, outcome: Outcome, expected: Undisturbed) -> str | None:
    """Return what a run lacks that said it was done; what it could not remove does not count."""
    state = snapshot(case.folder)
    present = {name: state[name] for name in expected.once if name in state}
    different = difference(present, expected.once)
    return different and f"exit status {outcome.status}, but {different}"


def databases(files: Snapshot) -> Snapshot:
    return {name: rows for name, rows in files.items() if isinstance(rows, dict)}
