"""dedup: games that were played on the web, from PGN text to groups and explanations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.pgn_text import game

MOVES = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 "
    "9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ "
    "Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0"
)


def played(site: str, movetext: str = MOVES, **tags: str) -> str:
    given = {"Site": site, "Date": "2025.05.01", "White": "anna", "Black": "moth99", **tags}
    return game(movetext, Result="1-0", **given)


@pytest.fixture
def made(tmp_path: Path, command: Command) -> str:
    """Return a database: two records of one short game, one of another, and of FICS and chess.com.

    Their players are the same, and so are the moves of those of one length.
    """
    short = "1. e4 e5 1-0"
    texts = [
        played("https://lichess.org/abcd1234", short),
        played("https://lichess.org/abcd1234/black", short, Date="2024.04.01", Event="Mine"),
        played("https://lichess.org/wxyz9876"),
        played("FICS freechess.org", FICSGamesDBGameNo="347574120"),
        played("Chess.com", Link="https://www.chess.com/game/live/1"),
    ]
    source = tmp_path / "web.pgn"
    source.write_text("".join(texts), encoding="utf-8")
    database = str(tmp_path / "web.db3")
    assert command("create", database, str(source)).status == 0
    return database


def test_addresses_decide(command: Command, made: str) -> None:
    assert command("dedup", made).status == 0
    rows = query(made, "SELECT ID, DuplicateStatus, DuplicateGroup FROM FlaggedGames ORDER BY ID")
    assert [row[2] for row in rows[:2]] == [1, 1] or [row[2] for row in rows[:2]] == [2, 2]
    assert [row[1:] for row in rows[2:]] == [(None, None)] * 3
    assert query(made, "SELECT * FROM Suspects") == []


def test_explain_names_the_address(command: Command, made: str) -> None:
    out = command("dedup", made, "--explain", "1", "2").out
    assert "Verdict: duplicate, because both have the same game address, and" in out
    assert out.endswith("The search puts them in one group.\n")
    for other in ("4", "5"):
        out = command("dedup", made, "--explain", "3", other).out
        assert "Verdict: different games, because they are online games with different game" in out
        assert "The search keeps them apart" in out
