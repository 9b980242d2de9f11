"""Searches after new games, killed or with damaged files: always the rows of a full search."""

from __future__ import annotations

import shutil
from pathlib import Path

from torturelib.model import Case
from torturelib.running import crash
from torturelib.sequences import DATABASE, Sequence, unexpected
from torturelib.system_calls import run_hit

CALLS = 150  # of a first search that changes files, about
EVENTS = {"nothing": 6, "kill": 6, "damage": 3, "old": 1, "block": 1, "review": 2, "players": 1}


class SearchHistory(Sequence):
    """One collection that is searched after each few new games."""

    calls = CALLS

    @property
    def files(self) -> Path:
        return self.folder / f"{DATABASE}-search"

    def event(self) -> str | None:
        """Let something happen between new games and the search that must cope with it."""
        [name] = self.rng.choices(list(EVENTS), list(EVENTS.values()))
        problem: str | None = getattr(self, name)()
        return problem

    def nothing(self) -> None:
        pass

    def kill(self) -> str | None:
        """Kill a search when it makes one of its changes, torn or not."""
        at = self.rng.randint(1, self.calls + self.calls // 10)
        outcome, hit = run_hit(self.case, "dedup", DATABASE, at=at, torn=self.rng.random() < 0.5)
        self.calls = max(hit.calls, CALLS // 10) if not hit.number else self.calls
        self.done.append(f"dedup {DATABASE}, killed at {hit}")
        return None if hit.number else crash(outcome) or unexpected(outcome)

    def damage(self) -> None:
        """Flip a bit of one of the files, cut it off, or delete it."""
        files = [path for path in sorted(self.files.glob("*")) if path.stat().st_size]
        if not files:
            return
        path = self.rng.choice(files)
        content = bytearray(path.read_bytes())
        kind = self.rng.choice(("bit", "end", "all"))
        if kind == "bit":
            content[self.rng.randrange(len(content))] ^= 1 << self.rng.randrange(8)
        path.write_bytes(content[: self.rng.randrange(len(content))] if kind == "end" else content)
        if kind == "all":
            path.unlink()
        self.done.append(f"damage {path.name}: {kind}")

    def old(self) -> None:
        """Put the files of an earlier search in place of the newest."""
        kept = self.folder / "kept-search"
        if kept.exists() and not self.files.is_file():
            shutil.rmtree(self.files, ignore_errors=True)
            kept.rename(self.files)
            self.done.append("old files")
        elif self.files.is_dir():
            shutil.copytree(self.files, kept)

    def block(self) -> None:
        """Have no files, and a place where none can be made."""
        if self.files.is_dir():
            shutil.rmtree(self.files)
            self.files.write_bytes(b"")
            self.done.append("block the folder")
        elif self.files.exists():
            self.files.unlink()


def run_case(case: Case) -> str | None:
    history = SearchHistory(case)
    problem = history.begin() or history.step("dedup", DATABASE)
    for _ in range(history.rng.randint(5, 12)):
        problem = problem or history.append() or history.event()
        problem = problem or history.step("dedup", DATABASE)
        if problem:
            return f"step {len(history.done)}, {history.done[-3:]}: {problem}"
    return None
