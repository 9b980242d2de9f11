"""Map a function over items in two processes at once.

The second process is a fork, which reads the parent's memory without copying it. Results come back
in order. The function must not use a database or write anything.
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

_BLOCK = 128  # neighbouring items that stay in one process, since they share cached values
_FEWEST = 2000  # a fork of a large process takes some hundredths of a second
_FIRST_FILE, _MOST_FILES = 3, 1 << 20  # after the standard streams


def map_in_two(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    fewest: int = _FEWEST,
    report: Callable[[int], object] = lambda _: None,
) -> list[Result]:
    """Return the result of each item, in order.

    One process does all if there are fewer than `fewest` items, if a fork is not safe, or with one
    processor. `report` is called now and then with the approximate number of processed items.
    """
    if len(items) < fewest or not _can_fork():
        return list(_work_in_order(work, items, report))
    halves = [
        [item for index, item in enumerate(items) if index // _BLOCK % 2 == half] for half in (0, 1)
    ]
    results = [iter(part) for part in _both(work, halves[0], halves[1], report)]
    return [next(results[index // _BLOCK % 2]) for index in range(len(items))]


def _can_fork() -> bool:
    return CAN_FORK and processors() > 1


def _work_in_order(
    work: Callable[[Item], Result], items: Sequence[Item], report: Callable[[int], object]
) -> Iterator[Result]:
    for count, item in enumerate(items):
        if count % _BLOCK == 0:
            report(count)
        yield work(item)


def _both(
    work: Callable[[Item], Result],
    first_half: Sequence[Item],
    second_half: Sequence[Item],
    report: Callable[[int], object],
) -> tuple[list[Result], list[Result]]:
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    read_end, write_end = os.pipe()
    child: int | None = None
    status = 1
    with open(read_end, "rb") as pipe:
        try:
            # An exception of a signal handler in the child must not leave _run_child().
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            with contextlib.suppress(OSError):  # if there can be no child, the parent does it all
                child = os.fork()
            if child == 0:
                _run_child(work, second_half, write_end, mask)
            os.close(write_end)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            results = list(_work_in_order(work, first_half, lambda count: report(2 * count)))
            answer = pipe.read()
        except BaseException:
            if child:
                os.kill(child, signal.SIGKILL)
            else:
                os.close(write_end)
            raise
        finally:
            if child:
                status = os.waitpid(child, 0)[1]
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if status == 0:
        return results, pickle.loads(answer)  # the bytes come from our own fork
    # The child failed or was killed, or there was none: in the parent, an error has a traceback.
    return results, [work(item) for item in second_half]


def _run_child(
    work: Callable[[Item], Result], items: Sequence[Item], write_end: int, mask: Iterable[int]
) -> NoReturn:
    """Write results to a pipe, and end the process; `mask`: the signals blocked before."""
    status = 1
    try:
        _take_signals(mask)
        # Only the parent may finalize its garbage: a finalizer can flush a file, for example.
        gc.freeze()
        # The child must not share files: otherwise their locks would outlive a killed parent.
        os.closerange(_FIRST_FILE, write_end)
        os.closerange(write_end + 1, _MOST_FILES)
        with open(write_end, "wb") as pipe:
            parent = os.getppid()

            def check_parent(_: int) -> None:
                if os.getppid() != parent:
                    raise ProcessLookupError("the first process has ended")

            results = list(_work_in_order(work, items, check_parent))
            pickle.dump(results, pipe, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _take_signals(mask: Iterable[int]) -> None:
    """Replace the parent's signal handlers, which may raise, by the default actions."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
