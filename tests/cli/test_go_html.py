"""The HTML report of a Go database: boards with stones, moves in place of plies, no chess."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ocgdedup._kernels.go_moves import board_after
from ocgdedup.commands.outputs import new_file
from ocgdedup.pipeline.detect import SearchOptions
from ocgdedup.report.report_file import write_report
from ocgdedup.store.connection import open_database
from tests.reference.go_turns import turned
from tests.support.databases import change
from tests.support.go_games import GoGame, blob_of, write_go_database
from tests.support.go_moves_text import made_moves
from tests.support.html_page import Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
MOVES = made_moves(5, 150)
SLIP = [*MOVES[:71], MOVES[150 - 1], *MOVES[72:149], "B"]
GAME = GoGame(
    " ".join(MOVES), None, "Yi Ch'ang-ho", "Cho Hun-hyeon", "Myeongin", "Seoul", "1991.02.03",
    "3", "1-0", {"KM": "5.5", "RE": "W+R"},
)  # fmt: skip


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """Return the report of a game, a copy with a slip, and a turned one, flagged by hand."""
    monkeypatch.chdir(tmp_path)
    copies = (MOVES, SLIP, turned(MOVES, 6))
    write_go_database(Path("go.db3"), [GAME._replace(moves=" ".join(copy)) for copy in copies])
    change("go.db3", "UPDATE Games SET DuplicateGroup = 1")
    change("go.db3", "UPDATE Games SET DuplicateStatus = 'join' WHERE ID = 2")
    sql = "UPDATE Games SET DuplicateStatus = 'exact', DuplicateReason = 'rotated' WHERE ID = 3"
    change("go.db3", sql)
    database = open_database("go.db3")
    assert write_report("r.html", database, SearchOptions(), new_file) == 2
    database.close()
    return Page.of("r.html")


def test_boards_are_where_the_games_part(page: Page) -> None:
    slip, rotated = (
        next(row for row in page.pairs() if row["right"] == game_id) for game_id in (2, 3)
    )
    assert slip["detail"]["rows"] == board_after(blob_of(GAME.moves), None, 71)
    assert slip["detail"]["moves"] == [f"{move[0]}[{move[1:]}]" for move in (MOVES[71], SLIP[71])]
    assert rotated["detail"]["rows"] == board_after(blob_of(GAME.moves))
    assert rotated["detail"]["moves"] == ["", ""]
    assert rotated["detail"]["words"] == (
        "Game 3 is shown turned a quarter to the left. The same moves: 150 moves."
    )
    assert {row["detail"]["fen"] for row in (slip, rotated)} == {""}


def test_nothing_speaks_of_chess(page: Page) -> None:
    assert page.data["isGo"] is True
    assert "Moves of all records" in page.words
    for word in ("plies", "Half-moves", "FIDE", "Elo", "ECO", "88"):
        assert word not in page.words
    assert not any(name == "symbol" for name, _ in page.elements)
    assert page.figures["lengths"][0][0] == "moves"
    assert page.figures["lengths"][8][0] == "140 and more"  # bars of 20 moves


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium to show the page in")
@pytest.mark.parametrize("copy", [2, 3])
def test_a_browser_draws_the_board(page: Page, tmp_path: Path, copy: int) -> None:
    """The page that a browser makes has a stone for each on the board, and no fault."""
    assert CHROMIUM is not None
    address = f"{Path('r.html').absolute().as_uri()}#pair=1-{copy}"
    done = subprocess.run(
        [
            CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={tmp_path / 'p'}", "--virtual-time-budget=20000", "--dump-dom",
            address,
        ],
        capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    dom = done.stdout.decode("utf-8")
    assert "data-fault" not in dom[: dom.index("<body")]
    shown = dom[dom.index('id="pair"') : dom.index('id="names"')]
    row = next(row for row in page.pairs() if row["right"] == copy)
    rows = "".join(row["detail"]["rows"])
    for sign, colour in (("X", "black"), ("O", "white")):
        assert len(re.findall(f'class="stone {colour}"', shown)) == rows.count(sign) > 0
    assert len(re.findall('class="handicap"', shown)) == 9
    assert len(re.findall('class="ring (?:left|right)"', shown)) == (2 if copy == 2 else 0)
    words = "exact (the same moves, written down with the board turned or mirrored)"
    assert (words in shown) == (copy == 3)
    assert "ECO" not in shown
    assert 'scope="row">moves' in shown
