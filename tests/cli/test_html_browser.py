"""The report in a browser: pairs, boards, keys, filters, decisions, on a desktop and a phone."""

from __future__ import annotations

import base64
import random
from pathlib import Path
from typing import Any

import chess
import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from tests.reference.move_blobs import encode_game
from tests.support.browser import PHONE, is_in_view, opened, violations
from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.html_page import Page
from tests.support.played_games import EXPECTED_COPIES, EXPECTED_SUSPECTS

pytestmark = pytest.mark.browser

POSITIONS = """([start, blob, count]) => {
  const line = { start, moves: decodeMoves(blob) };
  return [...Array(count + 1).keys()].map((ply) => positionAfter(line, ply));
}"""


@pytest.fixture
def report(command: Command, made: str) -> Page:
    command("dedup", made, "--report", "r.html")
    return Page.of("r.html")


def address(pair: dict[str, Any] | None = None) -> str:
    path = Path("r.html").absolute().as_uri()
    return path if pair is None else f"{path}#pair={pair['left']}-{pair['right']}"


def text(page: Browser, selector: str) -> str:
    return page.locator(selector).inner_text()


def first_of(report: Page, kind: str) -> dict[str, Any]:
    return next(row for row in report.pairs() if row["kind"] == kind)


# --- the list -------------------------------------------------------------------------------------


def test_a_reader_goes_through_the_pairs(report: Page) -> None:
    pairs = report.pairs()
    joins = [row for row in pairs if row["kind"] == "join"]
    with opened(address()) as page:
        assert page.locator("#pair-list button").count() == len(EXPECTED_SUSPECTS) + len(joins)
        first = text(page, "#pair .verdict")
        assert f"#{pairs[0]['left']} and #{pairs[0]['right']} are possible duplicates" in first
        page.keyboard.press("j")
        assert page.evaluate("location.hash") == f"#pair={pairs[1]['left']}-{pairs[1]['right']}"
        assert text(page, "#pair-place").startswith("pair 2 of ")
        page.click("[data-go=previous]")
        assert text(page, "#pair .verdict") == first
        page.keyboard.press("/")
        page.keyboard.type(f"#{joins[0]['right']}")
        expect(page.locator("#pair-count")).to_have_text("1 pair")
        assert f"#{joins[0]['right']} is a duplicate of #{joins[0]['left']}" in text(page, "#pair")
        page.locator("#pair-list button").focus()
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        page.locator("#pair-search").fill("")
        page.select_option("#pair-kind", "all")
        total = len(EXPECTED_COPIES) + len(EXPECTED_SUSPECTS)
        expect(page.locator("#pair-count")).to_have_text(f"{total} pairs")


def test_a_filter_changes_the_address(report: Page) -> None:
    exact = first_of(report, "exact")
    with opened(address()) as page:
        page.keyboard.press("j")
        page.select_option("#pair-kind", "exact")
        assert page.evaluate("location.hash") == f"#pair={exact['left']}-{exact['right']}"
        page.locator("#pair-search").fill("nobody of this name")
        expect(page.locator("#pair")).to_have_text("No pair matches the filter.")
        assert page.evaluate("location.hash") == ""


def test_the_list_is_one_tab_stop(report: Page) -> None:
    with opened(address()) as page:
        page.locator("#pair-search").focus()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('#pair-list') !== null")
        page.keyboard.press("ArrowDown")
        assert text(page, "#pair-place").startswith("pair 2 of ")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('#pair-list') === null")


# --- the board ------------------------------------------------------------------------------------


def test_the_board_is_in_view_at_the_first_difference(report: Page) -> None:
    join = first_of(report, "join")
    with opened(address(join)) as page:
        assert is_in_view(page, "#board svg")
        assert is_in_view(page, ".steps")
        assert "The games differ from here on" in text(page, "#board-place")
        assert page.locator("#board polygon.left, #board polygon.right").count() == 2
        before = text(page, "#board-place")
        page.keyboard.press("ArrowRight")
        after = text(page, "#board-place")
        assert after != before
        assert page.locator("#board polygon").count() == 0
        page.click("[data-step=back]")
        assert text(page, "#board-place") == before
        page.keyboard.press("f")
        assert page.locator("[data-game='1']").get_attribute("aria-pressed") == "true"
        assert "The games differ from here on" in text(page, "#board-place")
        page.keyboard.press("End")
        assert page.locator("[data-step=last]").get_attribute("aria-disabled") == "true"
        page.keyboard.press("Home")
        assert text(page, "#board-place").startswith("Start position")
        page.keyboard.press("g")
        assert "The games differ from here on" in text(page, "#board-place")
        page.locator("[data-side='0'][data-ply='3']").click()
        assert text(page, "#board-place").startswith("2. ")
        assert page.locator("[aria-current=step]").count() == 1


def test_both_lists_of_moves_show_the_same_place(report: Page) -> None:
    late = max(
        (row for row in report.pairs() if row["kind"] == "join"),
        key=lambda row: row["detail"]["overlap"][2],
    )
    with opened(address(late)) as page:
        for side in (0, 1):
            ply = late["detail"]["overlap"][side] + late["detail"]["overlap"][2]
            result = page.evaluate(
                """([side, ply]) => {
                  const move = document.querySelector(`[data-side="${side}"][data-ply="${ply}"]`);
                  const [inner, outer] = [move, move.parentElement].map(
                    (element) => element.getBoundingClientRect());
                  return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
                }""",
                [side, ply],
            )
            assert result


def letters(board: chess.Board) -> list[str]:
    pieces = map(board.piece_at, chess.SQUARES)
    return [piece.symbol() if piece else "" for piece in pieces]


def played(seed: int, board: chess.Board, plies: int) -> tuple[str, list[list[str]]]:
    """Play at random, rare moves first; return the blob in base64 and all positions."""
    chance = random.Random(seed)
    start, moves, positions = board.copy(), [], [letters(board)]
    while len(moves) < plies and (legal := list(board.legal_moves)):
        rare = [
            move
            for move in legal
            if board.is_castling(move) or board.is_en_passant(move) or move.promotion
        ]
        move = chance.choice(rare or legal)
        moves.append(move)
        board.push(move)
        positions.append(letters(board))
    blob, _ = encode_game(start, moves)
    return base64.b64encode(blob).decode(), positions


def test_positions_are_those_of_python_chess(report: Page) -> None:
    """Castling, en passant, promotions, Chess960: every position that the page shows."""
    starts = [chess.Board() for _ in range(12)]
    starts += [chess.Board.from_chess960_pos(number) for number in range(0, 960, 80)]
    starts += [chess.Board("4k3/PPPPpppp/8/8/8/8/ppppPPPP/4K3 b - - 0 1") for _ in range(4)]
    with opened(address()) as page:
        for seed, board in enumerate(starts):
            fen = " ".join(board.fen().split()[:2])
            blob, positions = played(seed, board, 160)
            shown = page.evaluate(POSITIONS, [fen, blob, len(positions) - 1])
            assert shown == positions, (seed, fen)


def test_both_mainlines_are_put_together(report: Page, made: str) -> None:
    """The right game comes as its own moves only; the page adds those that both have."""
    rows = [row for row in report.pairs() if row["detail"]]
    with opened(address()) as page:
        for number, row in enumerate(rows):
            plies = [
                value(made, "SELECT PlyCount FROM Games WHERE ID = ?", row[side])
                for side in ("left", "right")
            ]
            blobs = [
                value(made, "SELECT Moves2 FROM Games WHERE ID = ?", row[side]) or b""
                for side in ("left", "right")
            ]
            lines = page.evaluate(f"mainlinesOf(report.details[{number}])")
            assert [len(line["texts"]) for line in lines] == plies
            packed = [
                b"".join(move.to_bytes(2, "little") for move in line["moves"]) for line in lines
            ]
            assert packed == blobs


# --- decisions, kept in the page ------------------------------------------------------------------


def test_decisions_are_downloaded_and_read_by_review(
    report: Page, command: Command, made: str
) -> None:
    pairs = report.pairs()
    with opened(address()) as page:
        page.keyboard.press("s")
        page.keyboard.press("r")
        page.keyboard.press("d")
        page.keyboard.press("u")
        assert "2 of 2 possible duplicates decided" in text(page, "#progress-words")
        with page.expect_download() as download:
            page.click("#download")
        download.value.save_as("decisions.tsv")
        page.evaluate("changes.length = 0")
    assert command("review", made, "--decide", "decisions.tsv").status == 0
    sql = (
        "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects WHERE Decision <> '' ORDER BY 1"
    )
    first, second = pairs[:2]
    assert query(made, sql) == sorted(
        [
            (*sorted((first["left"], first["right"])), "same", None),
            (*sorted((second["left"], second["right"])), "same", second["right"]),
        ]
    )


# --- names, colours, odd text ---------------------------------------------------------------------


def test_names_are_sorted_by_any_column(command: Command, judged: str) -> None:
    command("dedup", judged, "--full", "--report", "r.html")
    with opened(address()) as page:
        page.locator("#names-table input[type=checkbox]").uncheck()
        column = page.locator("#names-table tbody td:first-child")
        page.locator("#names-table .sort").first.click()
        names = column.all_inner_texts()
        assert len(names) > 10
        assert names == sorted(names, key=str.casefold)
        page.locator("#names-table .sort").first.click()
        assert column.all_inner_texts() == names[::-1]
        heading = page.locator("#names-table th").first
        assert heading.get_attribute("aria-sort") == "descending"


def test_unresolved_names_are_sorted_and_searched(command: Command, judged: str) -> None:
    rows = query(judged, "SELECT WhiteID, count(*) FROM Games GROUP BY 1 ORDER BY 2 LIMIT 3")
    for number, (player, _) in enumerate(rows):
        change(
            judged, f"INSERT INTO NameCandidates VALUES ({player}, 'reason {number}', 'X{number}')"
        )
        change(judged, f"UPDATE Games SET WhitePersonID = NULL WHERE WhiteID = {player}")
    command("dedup", judged, "--full", "--report", "r.html")
    with opened(address()) as page:
        table = page.locator("#unresolved-table")
        column = table.locator("tbody td:nth-child(4)")
        reasons = [f"reason {number}" for number in range(3)]
        assert sorted(column.all_inner_texts()) == reasons
        table.locator(".sort").nth(3).click()
        assert column.all_inner_texts() == reasons
        table.locator(".sort").nth(3).click()
        assert column.all_inner_texts() == reasons[::-1]
        table.locator("input[type=search]").fill("x1")
        expect(table.locator("output")).to_have_text("1 name")
        assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(report: Page, dark: bool) -> None:
    with opened(address(first_of(report, "join")), dark=dark) as page:
        page.locator("summary").first.click()
        assert violations(page) == []


def test_a_phone_shows_the_list_or_the_pair(report: Page) -> None:
    with opened(address(), PHONE, dark=True) as page:
        assert not page.locator("#pair").is_visible()
        page.locator("#pair-list button").nth(1).tap()
        assert is_in_view(page, "#board svg")
        assert not page.locator("#pair-list").is_visible()
        before = text(page, "#board-place")
        page.evaluate(
            """() => {
              const frame = document.getElementById("board");
              for (const [kind, x] of [["touchstart", 100], ["touchend", 200]]) {
                const touch = new Touch({ identifier: 1, target: frame, clientX: x, clientY: 50 });
                frame.dispatchEvent(new TouchEvent(kind, {
                  touches: kind === "touchstart" ? [touch] : [], changedTouches: [touch],
                }));
              }
            }"""
        )
        assert text(page, "#board-place") != before
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert violations(page) == []
        page.locator("[data-go=list]").tap()
        assert page.locator("#pair-list").is_visible()
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(21, 23, 26)"


def test_odd_names_do_nothing(command: Command, made: str) -> None:
    odd = "</script><img src=x onerror=document.title='bad'> &lt;"
    sql = "UPDATE Players SET Name = ? WHERE ID = (SELECT max(WhiteID) FROM Games)"
    command("dedup", made)
    change(made, sql, odd)
    command("dedup", made, "--full", "--report", "r.html")
    assert value(made, "SELECT count(*) FROM Players WHERE Name = ?", odd) == 1
    with opened(address()) as page:
        page.select_option("#pair-kind", "all")
        for _ in range(len(EXPECTED_COPIES)):
            page.keyboard.press("j")
        assert page.title() == "Duplicates in a.db3"
        assert page.locator("main img").count() == 0
