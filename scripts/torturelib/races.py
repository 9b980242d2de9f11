"""Two commands at once on one database or one output, each pair in turn."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from torturelib.collection import Collection, Moves, read, stored_moves
from torturelib.model import Case, Outcome
from torturelib.running import DONE, FAILED, REJECTED, crash, finish, refused, run, start
from torturelib.snapshots import Snapshot, difference, snapshot
from torturelib.starting_points import start_folder

# All start from a database that was searched, with inputs beside it.
COMMANDS = (
    "create g.db3 more.pgn --append --rejects 1.rejects",
    "create g.db3 club_library.pgn --append --rejects 2.rejects",
    "create g.db3 club_library.pgn --force",
    "create n.db3 more.pgn",
    "create n.db3 club_library.pgn",
    "players g.db3",
    "players g.db3 --fide-xml players_2013-01.xml --aliases spelling.ssp",
    "players g.db3 --undo",
    "dedup g.db3 --full --keep first",
    "dedup g.db3 --delete",
    "dedup g.db3 --undo",
    "dedup g.db3 --report r.csv --force",
    "dedup g.db3 --report r.html",
    "review g.db3 --decide decisions.csv --apply",
    "signatures g.db3",
    "check g.db3 --repair",
    "export g.db3 -o o.pgn",
    "export g.db3 -o o.pgn --force --all",
    "export g.db3 -o tables --format csv",
    "export g.db3 -o part.pgn --split 10",
    "run club_library.pgn more.pgn -o u.pgn --db g.db3",
    "run magazine_archive.pgn -o u.pgn --db n.db3",
    "info g.db3",
    "find g.db3 --year 1900-",
    "check g.db3",
)
READERS = ("info", "find", "check")
PAIRS = [
    pair
    for pair in combinations_with_replacement(COMMANDS, 2)
    if not all(line.split()[0] in READERS and "--repair" not in line for line in pair)
]


class Serial(NamedTuple):
    """What one order leaves, and how the commands ended."""

    files: Snapshot
    statuses: tuple[int, int]


def run_case(case: Case) -> str | None:
    # Steps of a number without common factors: neighbouring seeds take pairs of all kinds.
    pair = PAIRS[case.seed * 101 % len(PAIRS)]
    rng = case.random()
    start_folder(case, "decided", case.folder)
    before = moves_of(case)
    processes = [start(case, *pair[0].split())]
    if rng.random() < 0.7:
        time.sleep(rng.uniform(0, 0.3))  # nothing depends on how long
    processes.append(start(case, *pair[1].split()))
    outcomes = [
        finish(process, line.split()) for process, line in zip(processes, pair, strict=True)
    ]
    problem = judge(case, pair, outcomes, before)
    return f"`{pair[0]}` and `{pair[1]}`: {problem}" if problem else None


def moves_of(case: Case) -> dict[int, Moves]:
    with read(case.folder / "g.db3") as connection:
        return stored_moves(connection, "Games")


def judge(
    case: Case, pair: tuple[str, str], outcomes: Sequence[Outcome], before: dict[int, Moves]
) -> str | None:
    for outcome in outcomes:
        problem = crash(outcome)
        if problem is None and outcome.status == FAILED:
            problem = refused(outcome)
        if problem:
            return problem
    state = snapshot(case.folder)
    problem = lost(case, pair, before) or left_over(state)
    if problem:
        return problem
    statuses = (outcomes[0].status, outcomes[1].status)
    different = [
        difference(state, serial.files)
        for serial in serial_orders(case, pair, statuses)
        if same_success(serial.statuses, statuses)
    ]
    if None in different or refused_at_its_output(case, pair, statuses):
        return None
    return f"statuses {statuses}: as after neither order: {different[:1] or 'no such statuses'}"


def refused_at_its_output(case: Case, pair: tuple[str, str], statuses: tuple[int, int]) -> bool:
    """Return whether a `run` found its output taken only after its database was written.

    With another output it then completes, as if it came second.
    """
    for at, status in enumerate(statuses):
        line, other = pair[at], pair[1 - at]
        if status == FAILED and line.startswith("run ") and statuses[1 - at] != FAILED:
            elsewhere = line.replace("-o u.pgn", "-o v.pgn")
            if run(case, *elsewhere.split()).status == FAILED:
                return False
            state = snapshot(case.folder)
            serial = run_in_order(case, [(0, other), (1, elsewhere)])
            return difference(state, serial.files) is None
    return False


def lost(case: Case, pair: tuple[str, str], before: dict[int, Moves]) -> str | None:
    """Return what is wrong with the games that were there before."""
    if any("g.db3 club_library.pgn --force" in line for line in pair):
        return None
    collection = Collection(case.folder / "g.db3", moves=dict(before))
    return collection.after_step(loads=True)


def left_over(result: Snapshot) -> str | None:
    names = [
        name
        for name in result
        if name.endswith(("-journal", "-wal", "-shm", ".tmp", ".partial", ".lock"))
    ]
    return f"left over: {', '.join(names)}" if names else None


def same_success(serial: tuple[int, int], together: tuple[int, int]) -> bool:
    """Return whether the same commands succeeded in both orders; the later one may be refused."""
    return [status == FAILED for status in serial] == [status == FAILED for status in together]


def serial_orders(case: Case, pair: tuple[str, str], statuses: tuple[int, int]) -> list[Serial]:
    """Run the commands one after another, both ways; one that was refused is left out too."""
    orders = [[(0, pair[0]), (1, pair[1])], [(1, pair[1]), (0, pair[0])]]
    for at, command in enumerate(pair):
        if command.endswith(" --apply"):  # two transactions, the other command may come between
            first = command.removesuffix(" --apply")
            orders.append([(at, first), (1 - at, pair[1 - at]), (at, command)])
    done = [(at, pair[at]) for at, status in enumerate(statuses) if status in (DONE, REJECTED)]
    if len(done) < 2:
        orders.append(done)
    return [run_in_order(case, order) for order in orders]


def run_in_order(case: Case, order: Sequence[tuple[int, str]]) -> Serial:
    """Run commands with their places in the pair, from the same folder as both at once."""
    shutil.rmtree(case.folder)
    case.folder.mkdir()
    start_folder(case, "decided", case.folder)
    ends = [FAILED, FAILED]
    for at, command in order:
        ends[at] = run(case, *command.split()).status
    return Serial(snapshot(case.folder), (ends[0], ends[1]))
