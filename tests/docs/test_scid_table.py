"""The commands that docs/how-to.md gives to Scid users run, in the order of the table."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from ocgdedup.cli.parser import NAMES
from scripts.doclib.shell import Shell
from tests.support.pgn_text import game
from tests.support.scid_files import copy_si4

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "scripts" / "demo_games"
_, TABLE = (ROOT / "docs" / "how-to.md").read_text("utf-8").split("\n## What Scid users do\n")
ROWS = re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \| `ocgdedup ([^`]+)` \|$", TABLE, re.MULTILINE)


def test_each_row_has_a_command() -> None:
    assert len(ROWS) == TABLE.count("\n| ") - 1
    assert {line.split()[0] for _, line in ROWS} <= {*NAMES}
    tasks = " ".join(task for task, _ in ROWS)
    for word in ("header", "position", "moves", "player", "twins", "undo", "note", "delete",
                 "restore", "merge", "compare", "export", "spelling", "import"):  # fmt: skip
        assert word in tasks


@pytest.mark.slow
def test_the_commands_run(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "work")
    text = "".join(path.read_text("latin-1") for path in sorted(DEMO.glob("*.pgn")))
    (shell.folder / "old.pgn").write_text(text, encoding="latin-1")
    new = game("1. e4 e5 2. f4 d5 1-0", White="Tal, Mihail", Black="Other, A", Result="1-0")
    (shell.folder / "new.pgn").write_text(new)
    shutil.copy(DEMO / "spelling.ssp", shell.folder)
    copy_si4(shell.folder, "base")
    assert shell.run("ocgdedup create other.db3 new.pgn -q").status == 0
    for task, line in ROWS:
        done = shell.run(f"ocgdedup {line}")
        assert done.status in (0, 1), "\n".join([task, line, *done.lines])
        assert "no game found" not in " ".join(done.lines), line
