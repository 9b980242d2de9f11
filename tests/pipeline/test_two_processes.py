"""Work in two processes: the same results in order, the same errors, no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ocgdedup.pipeline.players import two_processes
from ocgdedup.pipeline.players.two_processes import map_in_two

may_fork = sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1
can_fork = pytest.mark.skipif(not may_fork, reason="no Linux, or one processor")

# Prints what stands in the buffer of stdout once for each process that gets to its end.
INTERRUPTED = """
import os, signal
from ocgdedup.pipeline.players.two_processes import map_in_two

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
from ocgdedup.pipeline.players.two_processes import map_in_two

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


# The first process is killed while the second has work for an hour.
KILLED = """
import os, signal, sys, time
from ocgdedup.pipeline.players.two_processes import map_in_two

this = os.getpid()

def work(item):
    if os.getpid() == this:
        time.sleep(0.2)
        with open(f"/proc/self/task/{this}/children") as children:
            os.write(1, children.read().encode())
        os.kill(this, signal.SIGKILL)
    time.sleep(0.001)

os.close(2)
map_in_two(work, range(7_000_000), fewest=1)
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
def test_out_of_memory_in_the_other_process_is_tried_again_in_this_one():
    this = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != this:
            raise MemoryError
        return item

    assert map_in_two(work, range(1000), fewest=1) == list(range(1000))
    assert children() == []


@can_fork
def test_the_other_process_ends_after_a_kill_of_the_first():
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    second = int(done.stdout)
    for _ in range(200):
        try:
            os.kill(second, 0)
        except ProcessLookupError:
            return
        if "Z" in Path(f"/proc/{second}/stat").read_text().rpartition(")")[2].split()[:1]:
            return
        time.sleep(0.05)
    pytest.fail("it still works, for nobody")


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
    """In a separate process, since a thread of this one may receive the signal."""
    command = [sys.executable, "-c", ENDED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("interrupted\n[] True\n", "")


@can_fork
def test_without_room_for_a_process_one_does_it_all(monkeypatch):
    def no_fork() -> int:
        raise BlockingIOError("no more processes")

    files, before = os.listdir("/proc/self/fd"), blocked_signals()
    monkeypatch.setattr(os, "fork", no_fork)
    assert map_in_two(lambda item: item, range(1000), fewest=1) == list(range(1000))
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
def test_progress_is_reported(fewest: int) -> None:
    reported: list[int] = []
    result = map_in_two(lambda item: item * 2, range(1000), fewest=fewest, report=reported.append)
    assert result == [item * 2 for item in range(1000)]
    assert reported == sorted(reported)
    assert reported[0] == 0
    assert 500 < reported[-1] <= 1000
