"""The HTML report of a Go database: boards with stones, moves in place of plies, no chess."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup._kernels.go import board_after
from ocgdedup.commands.outputs import new_file
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.reports.report_file import write_report
from ocgdedup.store.database import open_database
from tests.reference.go_symmetries import rotated
from tests.support.browser import opened
from tests.support.databases import flag
from tests.support.go_games import GoGame, blob_of, write_go_database
from tests.support.go_moves_text import made_moves
from tests.support.html_page import Page

MOVES = made_moves(5, 150)
SLIP = [*MOVES[:71], MOVES[150 - 1], *MOVES[72:149], "B"]
GAME = GoGame(
    " ".join(MOVES), None, "Yi Ch'ang-ho", "Cho Hun-hyeon", "Myeongin", "Seoul", "1991.02.03",
    "3", "1-0", {"KM": "5.5", "RE": "W+R"},
)  # fmt: skip


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """Return the report of a game, a duplicate with a slip, and a rotated one, flagged by hand."""
    monkeypatch.chdir(tmp_path)
    copies = (MOVES, SLIP, rotated(MOVES, 6))
    write_go_database(Path("go.db3"), [GAME._replace(moves=" ".join(copy)) for copy in copies])
    flag("go.db3", 1, None, 1)
    flag("go.db3", 2, "join", 1)
    flag("go.db3", 3, "exact", 1, "rotated")
    database = open_database("go.db3")
    assert write_report("r.html", database, SearchOptions(), new_file) == 2
    database.close()
    return Page.of("r.html")


def test_a_rotated_duplicate_is_mentioned(page: Page) -> None:
    slip, rotated = (
        next(row for row in page.pairs() if row["right"] == game_id) for game_id in (2, 3)
    )
    assert slip["detail"]["overlap"][2] == 71
    assert rotated["detail"]["words"] == (
        "Game 3 is shown rotated 90 degrees to the left. The same moves: 150 moves."
    )


def test_no_chess_words_in_a_go_report(page: Page) -> None:
    assert page.data["isGo"] is True
    assert "Moves of all records" in page.words
    for word in ("plies", "Half-moves", "FIDE", "Elo", "ECO", "88"):
        assert word not in page.words
    assert not any(name == "symbol" for name, _ in page.elements)
    assert page.figures["lengths"][0][0] == "moves"
    assert page.figures["lengths"][8][0] == "140 and more"  # bars of 20 moves


@pytest.mark.browser
@pytest.mark.parametrize("copy", [2, 3])
def test_a_browser_draws_the_board(page: Page, copy: int) -> None:
    """The board has all stones after each move, and two rings where games differ."""
    row = next(row for row in page.pairs() if row["right"] == copy)
    with opened(f"{Path('r.html').absolute().as_uri()}#pair=1-{copy}") as browser:
        plies = range(len(MOVES) + 1)
        shown = browser.evaluate(
            "view.lines.map((line) => [...Array(151).keys()].map((ply) => "
            "positionAfter(line, ply).map((row) => row.join(''))))"
        )
        # A turned copy is shown like the kept game.
        right = MOVES if copy == 3 else SLIP
        for side, moves in enumerate((MOVES, right)):
            blob = blob_of(" ".join(moves))
            assert shown[side] == [board_after(blob, None, ply) for ply in plies]
        rows = "".join(board_after(blob_of(GAME.moves), None, row["detail"]["overlap"][2]))
        for sign, colour in (("X", "black"), ("O", "white")):
            stones = browser.locator(f"#board .stone.{colour}").count()
            assert stones == rows.count(sign) > 0
        assert browser.locator("#board .handicap").count() == 9
        assert browser.locator("#board .ring").count() == (2 if copy == 2 else 0)
        text = browser.inner_text("#pair")
        words = "exact (the same moves, recorded with the board rotated or mirrored)"
        assert (words in text) == (copy == 3)
        assert "ECO" not in text
        assert "150 moves" in text
