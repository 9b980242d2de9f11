"""Work that shares much memory and no state, done by two processes at once.

The second process is a fork: it sees all that is in memory without a copy. Results come back in
order. What is done may not touch a database or write anything.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# Neighbours stay together: they share what is cached on the way.
_BLOCK = 128
# A fork of a large process takes some hundredths of a second.
_FEWEST = 2000


def map_in_two(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    fewest: int = _FEWEST,
    tell: Callable[[int], object] = lambda _: None,
) -> list[Result]:
    """Return the result of each item, in order; items fewer than `fewest` need no second process.

    `tell` is called now and then with the number of items that are done, by both about.
    Neither do systems where a fork is not safe, or that have one processor for us.
    """
    if len(items) < fewest or not _can_fork():
        return list(_told(work, items, 1, tell))
    own, others = (
        [item for place, item in enumerate(items) if place // _BLOCK % 2 == side] for side in (0, 1)
    )
    results = [iter(found) for found in _both(work, own, others, tell)]
    return [next(results[place // _BLOCK % 2]) for place in range(len(items))]


def _can_fork() -> bool:
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _told(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    processes: int,
    tell: Callable[[int], object],
) -> Iterator[Result]:
    for done, item in enumerate(items):
        if done % _BLOCK == 0:
            tell(processes * done)
        yield work(item)


def _both(
    work: Callable[[Item], Result],
    own: Sequence[Item],
    others: Sequence[Item],
    tell: Callable[[int], object],
) -> tuple[list[Result], list[Result]]:
    listening, telling = os.pipe()
    child = os.fork()
    if not child:
        os.close(listening)
        _tell(work, others, telling)
    os.close(telling)
    with open(listening, "rb") as pipe:
        try:
            found = list(_told(work, own, 2, tell))
            told = pipe.read()
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            _, status = os.waitpid(child, 0)
    if status == 0:
        # The bytes are of our own fork.
        return found, pickle.loads(told)
    # It failed, or the system ended it: here an error shows where it comes from.
    return found, [work(item) for item in others]


def _tell(work: Callable[[Item], Result], items: Sequence[Item], telling: int) -> None:
    """Do the work and write the results; end the process, without what others do at its end."""
    status = 1
    try:
        with open(telling, "wb") as pipe:
            pickle.dump([work(item) for item in items], pipe, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)
