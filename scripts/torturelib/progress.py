"""Which case comes next, what was found so far, and the file from which a run goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from torturelib.model import TortureError


@dataclass
class Count:
    """What one campaign has done."""

    next_seed: int
    cases: int = 0
    failures: int = 0
    elapsed_s: float = 0.0


class Progress:
    """Counts of all campaigns; kept in a file, if one is given, after each case."""

    def __init__(self, names: Iterable[str], first_seed: int, file: Path | None) -> None:
        self.file = file
        self.counts = {name: Count(first_seed) for name in names}
        self.others: dict[str, Count] = {}  # campaigns of an earlier run, not in this one
        if file is not None and file.exists():
            self._read(file)

    def _read(self, file: Path) -> None:
        try:
            stored = json.loads(file.read_text(encoding="utf-8"))
            counts = {name: Count(**count) for name, count in stored.items()}
        except (ValueError, TypeError, AttributeError) as error:
            raise TortureError(f"{file}: not a file of --resume: {error}") from error
        self.others = {name: count for name, count in counts.items() if name not in self.counts}
        self.counts.update({name: counts[name] for name in self.counts if name in counts})

    def note(self, name: str, elapsed_s: float, *, failed: bool) -> None:
        """Count one case, and keep the counts."""
        count = self.counts[name]
        count.next_seed += 1
        count.cases += 1
        count.failures += failed
        count.elapsed_s += elapsed_s
        if self.file is not None:
            self._write(self.file)

    def _write(self, file: Path) -> None:
        whole = {name: asdict(count) for name, count in (self.others | self.counts).items()}
        new = file.with_name(f"{file.name}.new")
        new.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        os.replace(new, file)

    def table(self) -> str:
        """Return the summary: a line for each campaign."""
        lines = [f"{'campaign':14}{'cases':>8}{'failures':>10}{'seconds':>10}{'s/case':>8}"]
        for name, count in self.counts.items():
            each = count.elapsed_s / count.cases if count.cases else 0.0
            lines.append(
                f"{name:14}{count.cases:8,}{count.failures:10,}{count.elapsed_s:10.1f}{each:8.2f}"
            )
        return "\n".join(lines)

    def closing_line(self) -> str:
        failed = sum(count.failures for count in self.counts.values())
        passed = sum(count.cases for count in self.counts.values()) - failed
        return f"{passed:,} passed, {failed:,} failed"

    def failed(self) -> bool:
        return any(count.failures for count in self.counts.values())
