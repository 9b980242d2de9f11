"""Work in two processes: the same results in order, the same errors, no process left behind."""

from __future__ import annotations

import os
import signal

import pytest

from ocgdedup.pipeline import two_processes
from ocgdedup.pipeline.two_processes import map_in_two

can_fork = pytest.mark.skipif(not two_processes._can_fork(), reason="there is one processor")


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


@pytest.mark.parametrize("fewest", [0, 10_000])
def test_tells_how_far_it_is(fewest: int) -> None:
    told: list[int] = []
    found = map_in_two(lambda item: item * 2, range(1000), fewest=fewest, tell=told.append)
    assert found == [item * 2 for item in range(1000)]
    assert told == sorted(told)
    assert told[0] == 0
    assert 500 < told[-1] <= 1000
