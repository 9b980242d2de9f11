"""Random commands on one collection, undone back to each step of the history and redone."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from torturelib.model import Case
from torturelib.running import DONE, FAILED
from torturelib.sequences import DATABASE, STEPS, Sequence
from torturelib.snapshots import Rows, dump, row_difference

LENGTH = 14


class HistorySequence(Sequence):
    """Keeps the rows after each step, to compare with those that undo and redo restore."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.states: dict[int, Rows] = {}

    def step(self, *words: str, loads: bool = False, purges: bool = False) -> str | None:
        """Run a command with all checks, then note the state that it leaves."""
        problem = super().step(*words, loads=loads, purges=purges)
        if problem is None:
            steps = self.history()
            if isinstance(steps, str):
                return steps
            if steps:
                self.states[steps[0]["number"]] = self.all_rows()
        return problem

    def history(self) -> list[dict[str, Any]] | str:
        """Return the steps, the last one first, or what is wrong."""
        outcome = self.run("history", DATABASE, "--json")
        if outcome.status != DONE:
            return f"history: exit status {outcome.status}: {outcome.err}"
        return [step for step in json.loads(outcome.out) if not step["undone"]]

    def all_rows(self) -> Rows:
        rows = dump(self.folder / DATABASE, leave_out=("Steps",))
        return {"unreadable": [(rows,)]} if isinstance(rows, str) else rows

    def difference(self, number: int) -> str | None:
        actual, expected = self.all_rows(), self.states[number]
        return None if actual == expected else row_difference(actual, expected)

    def back_to(self, number: int) -> str | None:
        outcome = self.run("undo", DATABASE, str(number))
        self.done.append(f"undo {DATABASE} {number}")
        if outcome.status != DONE:
            return f"undo {number}: exit status {outcome.status}: {outcome.err}"
        problem = self.difference(number) or self.unsound()
        return f"undo to {number}: {problem}" if problem else None

    def forth_to(self, number: int) -> str | None:
        """Redo steps up to one."""
        while True:
            steps = self.history()
            if isinstance(steps, str):
                return steps
            if steps[0]["number"] >= number:
                break
            outcome = self.run("redo", DATABASE)
            self.done.append(f"redo {DATABASE}")
            if outcome.status != DONE:
                return f"redo: exit status {outcome.status}: {outcome.err}"
        problem = self.difference(number)
        return f"redo to {number}: {problem}" if problem else None

    def there_and_back(self) -> str | None:
        """Undo back to each step and redo; then undo step by step, without redo."""
        steps = self.history()
        if isinstance(steps, str):
            return steps
        last = steps[0]["number"]
        # A step can be reached if all later ones can be undone.
        reachable = [last]
        for step, before in pairwise(steps):
            if not step["can_be_undone"]:
                break
            reachable.append(before["number"])
        for number in self.rng.sample(reachable, len(reachable)):
            problem = self.back_to(number) or self.forth_to(last)
            if problem:
                return problem
        for number in reachable[1:]:
            problem = self.back_to(number)
            if problem:
                return problem
        if self.rng.random() < 0.5:
            return self.forth_to(last)
        outcome = self.run("dedup", DATABASE, "--full")  # what was undone is gone
        if outcome.status != DONE:
            return f"dedup after undo: exit status {outcome.status}: {outcome.err}"
        if self.run("redo", DATABASE).status != FAILED:
            return "redo after another command"
        return self.unsound()


def run_case(case: Case) -> str | None:
    sequence = HistorySequence(case)
    problem = sequence.begin()
    while problem is None and len(sequence.done) < LENGTH:
        [name] = sequence.rng.choices(list(STEPS), list(STEPS.values()))
        problem = getattr(sequence, name)()
    problem = problem or sequence.there_and_back()
    sequence.folder.mkdir(exist_ok=True)
    (case.folder.parent / "commands").write_text("\n".join(sequence.done) + "\n", "utf-8")
    return f"step {len(sequence.done)}, `{sequence.done[-1]}`: {problem}" if problem else None
