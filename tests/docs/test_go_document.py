"""docs/go.md: the record that it shows is what export writes."""

import re
from pathlib import Path

from tests.support.go_games import GoGame, write_go_database

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "go.md"
MOVES = "Bpd Wdc Bpq Wqo Bcp Weq Bod Wdj Bcd Wcc Bql Wqq Bpr"


def test_record(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = GoGame(
        MOVES, event="Spring Cup", site="Busan", round="Final 2", black="Ito Jun",
        white="Kim Min", date="1996.05.06", result="0-1",
        tags={"DT": "1996-05-06,07", "RE": "B+R"},
        comments=((-1, 0, "Two days"), (10, 0, "A new move.")),
        notes=((10, 1, "LB[ql:1]"), (10, 2, "(;W[qq]C[The game goes another way.];B[or])")),
    )  # fmt: skip
    write_go_database("go.db3", [game])
    (shown,) = re.findall(r"^```\n(\(;.*?)^```$", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
    assert command("export", "go.db3", "-o", "-").out == shown + "\n"
