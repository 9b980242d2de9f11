"""Random commands on one collection, undone back to each step of the history and redone."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from typing import Any

from torturelib.model import Case
from torturelib.running import DONE, FAILED, crash
from torturelib.sequences import COPY, DATABASE, STEPS, Sequence, read, unexpected
from torturelib.snapshots import Rows, dump, row_difference

LENGTH = 14
HISTORY_STEPS = {name: weight for name, weight in STEPS.items() if name != "export"} | {
    "edit": 3, "delete": 2, "restore_any": 2, "decide": 2, "undo_any": 2, "append_database": 1,
}  # fmt: skip
TAGS = (
    "White=Abel, Anna", "Round=3", "Date=1999.12.31", "Result=1/2-1/2", "ECO=B20", "WhiteElo=2400",
    "Annotator=N.N.", "Event=Club",
)  # fmt: skip


class HistorySequence(Sequence):
    """Keeps the rows after each step, to compare with those that undo and redo restore."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.states: dict[int, Rows] = {}

    def step(self, *words: str, loads: bool = False, purges: bool = False) -> str | None:
        """Run a command and check the database, then note the state that it leaves."""
        self.done.append(" ".join(words))
        outcome = self.run(*words)
        self.status = outcome.status
        problem = crash(outcome) or (None if may_refuse(words) else unexpected(outcome))
        problem = problem or self.unsound()
        if problem is None:
            steps = self.history()
            if isinstance(steps, str):
                return steps
            if steps:
                self.states[steps[0]["number"]] = self.all_rows()
        return problem

    def games(self, count: int) -> list[str]:
        """Return the IDs of some games."""
        with read(self.folder / DATABASE) as connection:
            ids = [str(game) for (game,) in connection.execute("SELECT ID FROM Games")]
        return self.rng.sample(ids, min(count, len(ids)))

    def edit(self) -> str | None:
        change = self.rng.choice(
            (["--set", self.rng.choice(TAGS)], ["--clear", "Round"], ["--note", "mine"])
        )
        return self.step("edit", DATABASE, *self.games(self.rng.randint(1, 3)), *change)

    def delete(self) -> str | None:
        return self.step("delete", DATABASE, *self.games(self.rng.randint(1, 4)))

    def restore_any(self) -> str | None:
        return self.step("restore", DATABASE)

    def decide(self) -> str | None:
        decision = self.rng.choice(("same", "different", "none"))
        return self.step("decide", DATABASE, *self.games(2), decision, "--note", "seen")

    def undo_any(self) -> str | None:
        problem = self.step("undo", DATABASE)
        return problem or (self.step("redo", DATABASE) if self.rng.random() < 0.5 else None)

    def append_database(self) -> str | None:
        """Append a copy of the database itself, after an edit, which makes it another file."""
        shutil.copy(self.folder / DATABASE, self.folder / COPY)
        self.run("edit", COPY, *self.games(1), "--note", str(len(self.done)))
        problem = self.step("create", DATABASE, COPY, "--append")
        self.remove_copy()
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


def may_refuse(words: tuple[str, ...]) -> bool:
    """Return whether a command may have nothing to do, or contradict a decision."""
    return words[0] in ("undo", "redo", "restore", "decide", "delete", "edit")


def run_case(case: Case) -> str | None:
    sequence = HistorySequence(case)
    problem = sequence.begin()
    while problem is None and len(sequence.done) < LENGTH:
        [name] = sequence.rng.choices(list(HISTORY_STEPS), list(HISTORY_STEPS.values()))
        problem = getattr(sequence, name)()
    problem = problem or sequence.there_and_back()
    sequence.folder.mkdir(exist_ok=True)
    (case.folder.parent / "commands").write_text("\n".join(sequence.done) + "\n", "utf-8")
    return f"step {len(sequence.done)}, `{sequence.done[-1]}`: {problem}" if problem else None
