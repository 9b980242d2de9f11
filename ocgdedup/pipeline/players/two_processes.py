"""Work that shares much memory and no state, done by two processes at once.

The second process is a fork: it sees all that is in memory without a copy. Results come back in
order. What is done may not touch a database or write anything.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn, TypeVar

from ocgdedup.files.portable import CAN_FORK, processors

Item = TypeVar("Item")
Result = TypeVar("Result")

# Neighbours stay together: they share what is cached on the way.
_BLOCK = 128
# A fork of a large process takes some hundredths of a second.
_FEWEST = 2000
_FIRST_FILE, _MOST_FILES = 3, 1 << 20  # behind the standard streams


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
        return list(_work_in_order(work, items, tell))
    own, others = (
        [item for place, item in enumerate(items) if place // _BLOCK % 2 == side] for side in (0, 1)
    )
    results = [iter(half) for half in _both(work, own, others, tell)]
    return [next(results[place // _BLOCK % 2]) for place in range(len(items))]


def _can_fork() -> bool:
    return CAN_FORK and processors() > 1


def _work_in_order(
    work: Callable[[Item], Result], items: Sequence[Item], tell: Callable[[int], object]
) -> Iterator[Result]:
    for done, item in enumerate(items):
        if done % _BLOCK == 0:
            tell(done)
        yield work(item)


def _both(
    work: Callable[[Item], Result],
    own: Sequence[Item],
    others: Sequence[Item],
    tell: Callable[[int], object],
) -> tuple[list[Result], list[Result]]:
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    listening, telling = os.pipe()
    child: int | None = None
    status = 1
    with open(listening, "rb") as pipe:
        try:
            # What a signal's handler raises in the child must not get out of _tell().
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            with contextlib.suppress(OSError):  # no room for a process: this one does it all
                child = os.fork()
            if child == 0:
                _tell(work, others, telling, mask)
            os.close(telling)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            own_results = list(_work_in_order(work, own, lambda done: tell(2 * done)))
            answer = pipe.read()
        except BaseException:
            if child:
                os.kill(child, signal.SIGKILL)
            else:
                os.close(telling)
            raise
        finally:
            if child:
                status = os.waitpid(child, 0)[1]
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if status == 0:
        # The bytes are of our own fork.
        return own_results, pickle.loads(answer)
    # It failed, the system ended it, or there was none: here an error shows where it comes from.
    return own_results, [work(item) for item in others]


def _tell(
    work: Callable[[Item], Result], items: Sequence[Item], telling: int, mask: Iterable[int]
) -> NoReturn:
    """Do the work and write the results; end the process, without what others do at its end.

    Called with signals blocked, `mask` are those that were before. Flushes nothing of the parent.
    """
    status = 1
    try:
        _take_signals(mask)
        # What is garbage of the parent is for the parent to finish: files to flush, say.
        gc.freeze()
        # Locks of files end with the parent, also if it is killed, only if nobody shares them.
        os.closerange(_FIRST_FILE, telling)
        os.closerange(telling + 1, _MOST_FILES)
        with open(telling, "wb") as pipe:
            first = os.getppid()

            def check_first(_: int) -> None:
                """Give up if the first process was killed: nobody waits for the results."""
                if os.getppid() != first:
                    raise ProcessLookupError("the first process has ended")

            results = list(_work_in_order(work, items, check_first))
            pickle.dump(results, pipe, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _take_signals(mask: Iterable[int]) -> None:
    """Let signals end this process rather than run the parent's handlers, which may raise."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
