"""Work in two processes: the same results in order, the same errors, no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from ocgdedup.pipeline import two_processes
from ocgdedup.pipeline.two_processes import map_in_two

may_fork = sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1
can_fork = pytest.mark.skipif(not may_fork, reason="no Linux, or one processor")

# Prints what stands in the buffer of stdout once for each process that gets to its end.
INTERRUPTED = """
import os, signal
from ocgdedup.pipeline.two_processes import map_in_two

fork = os.fork

def interrupted_fork():
    child = fork()
    if not child:
        os.kill(os.getpid(), signal.SIGINT)
    return child

os.fork = interrupted_fork
print("begun")
try:
    print(len(map_in_two(lambda item: item, range(1000), fewest=1)), "done")
except BaseException as error:
    print("unwound", repr(error))
"""


# Ctrl-C reaches the first process when the second has begun. Prints what is left of that.
ENDED = """
import os, signal
from ocgdedup.pipeline.two_processes import map_in_two

fork, before = os.fork, signal.pthread_sigmask(signal.SIG_BLOCK, ())

def interrupted_fork():
    child = fork()
    if child:
        os.kill(os.getpid(), signal.SIGINT)
    return child

os.fork = interrupted_fork
try:
    map_in_two(lambda item: item, range(1000), fewest=1)
except KeyboardInterrupt:
    print("interrupted")
with open(f"/proc/self/task/{os.getpid()}/children") as children:
    print(children.read().split(), signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before)
"""


def blocked_signals() -> set[int]:
    return signal.pthread_sigmask(signal.SIG_BLOCK, ())


def children() -> list[str]:
    with open(f"/proc/self/task/{os.getpid()}/children") as handle:
        return handle.read().split()


@pytest.mark.parametrize("count", [1, 127, 128, 129, 1000])
def test_results_come_in_order(count):
    assert map_in_two(lambda item: item * item, range(count), fewest=1) == [
        item * item for item in range(count)
    ]


def test_nothing_to_do_needs_no_process():
    assert map_in_two(lambda item: item, [], fewest=0) == []


@can_fork
def test_two_processors_are_seen():
    assert two_processes._can_fork()


@can_fork
def test_two_processes_work():
    done_by = map_in_two(lambda item: os.getpid(), range(1000), fewest=1)
    assert len(set(done_by)) == 2
    assert os.getpid() in done_by
    assert children() == []


def test_few_items_stay_in_this_process():
    assert set(map_in_two(lambda item: os.getpid(), range(1000), fewest=1001)) == {os.getpid()}


def test_one_processor_is_enough(monkeypatch):
    monkeypatch.setattr(two_processes, "_can_fork", lambda: False)
    assert set(map_in_two(lambda item: os.getpid(), range(1000), fewest=1)) == {os.getpid()}


@can_fork
@pytest.mark.parametrize("bad", [0, 200], ids=["of this process", "of the other"])
def test_an_error_shows_itself(bad):
    def work(item: int) -> int:
        if item == bad:
            raise ZeroDivisionError(f"item {item}")
        return item

    with pytest.raises(ZeroDivisionError, match=f"item {bad}"):
        map_in_two(work, range(1000), fewest=1)
    assert children() == []


@can_fork
def test_the_other_process_may_be_ended():
    this = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != this:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    assert map_in_two(work, range(1000), fewest=1) == list(range(1000))
    assert children() == []


@can_fork
def test_control_c_ends_both():
    def work(item: int) -> int:
        if item == 5:
            raise KeyboardInterrupt
        return item

    with pytest.raises(KeyboardInterrupt):
        map_in_two(work, range(1000), fewest=1)
    assert children() == []


@can_fork
def test_control_c_at_the_fork_stays_in_the_child():
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("begun\n1000 done\n", "")


@can_fork
def test_control_c_at_the_fork_ends_the_child():
    """Where there are threads, as here, one of them may take the signal: hence another process."""
    command = [sys.executable, "-c", ENDED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("interrupted\n[] True\n", "")


@can_fork
def test_a_fork_that_fails_leaves_all_as_it_was(monkeypatch):
    def no_fork() -> int:
        raise OSError("no more processes")

    files, before = os.listdir("/proc/self/fd"), blocked_signals()
    monkeypatch.setattr(os, "fork", no_fork)
    with pytest.raises(OSError, match="no more processes"):
        map_in_two(lambda item: item, range(1000), fewest=1)
    assert os.listdir("/proc/self/fd") == files
    assert blocked_signals() == before


@can_fork
def test_the_child_takes_signals_and_leaves_their_handlers():
    seen = map_in_two(
        lambda item: (os.getpid(), blocked_signals(), signal.getsignal(signal.SIGINT)),
        range(1000),
        fewest=1,
    )
    assert all(not blocked for _, blocked, _ in seen)
    assert {handler for pid, _, handler in seen if pid != os.getpid()} == {signal.SIG_DFL}


@pytest.mark.parametrize("fewest", [0, 10_000])
def test_tells_how_far_it_is(fewest: int) -> None:
    told: list[int] = []
    found = map_in_two(lambda item: item * 2, range(1000), fewest=fewest, tell=told.append)
    assert found == [item * 2 for item in range(1000)]
    assert told == sorted(told)
    assert told[0] == 0
    assert 500 < told[-1] <= 1000
