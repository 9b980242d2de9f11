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


DRAW = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. Re1 Nd6 6. Nxe5 Be7 7. Bf1 Nxe5 1/2-1/2"
IDS = ("145565031374", "145565039999")
FORMS = {
    "link": {"Link": "https://www.chess.com/game/{}"},
    "old link": {"Link": "https://www.chess.com/game/live/{}?move=3"},
    "site": {"Site": "OGS: https://online-go.com/game/{}"},
    "source": {"Source": "chess.com/pt-BR/game/live/{}"},
    "game": {"GameURL": "https://lichess.org/{:.8}"},
    "playok": {"URL": "https://www.playok.com/p/?g=ch{}.txt"},
}


def kept(command: Command, source: Path) -> int:
    database = str(source.with_suffix(".db3"))
    assert command("create", database, str(source)).status == 0
    assert command("dedup", database).status == 0
    return int(
        query(database, "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus IS NULL")[0][0]
    )


def written(path: Path, *texts: str) -> Path:
    path.write_text("".join(texts), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", FORMS)
def test_two_rematches_with_equal_moves_are_two_games(
    command: Command, tmp_path: Path, form: str
) -> None:
    ids = ("abcd1234", "wxyz9876") if form == "game" else IDS
    texts = [
        played("Chess.com", DRAW, **{tag: text.format(n) for tag, text in FORMS[form].items()})
        for n in ids
    ]
    assert kept(command, written(tmp_path / "two.pgn", *texts)) == 2
    assert kept(command, written(tmp_path / "one.pgn", texts[0], texts[0])) == 1


def test_an_address_in_the_first_comment(command: Command, tmp_path: Path) -> None:
    texts = [played("Chess.com", f"{{[%link https://www.chess.com/game/{n}]}} {DRAW}") for n in IDS]
    assert kept(command, written(tmp_path / "two.pgn", *texts)) == 2
    other = played("Chess.com", DRAW, Link=f"https://www.chess.com/live/game/{IDS[0]}")
    later = other.replace("2025.05.01", "2024.01.01")
    assert kept(command, written(tmp_path / "one.pgn", texts[0], later)) == 1


def test_a_merged_comment_is_no_address(command: Command, tmp_path: Path) -> None:
    """Else a second search would not equal the first."""
    texts = [
        played("London", MOVES, Round="1"),
        played("London", f"{{[%link https://lichess.org/abcd1234]}} {MOVES}"),
        played("London", f"{{[%link https://lichess.org/wxyz9876]}} {MOVES}", Date="2025.??.??"),
    ]
    source = written(tmp_path / "three.pgn", *texts)
    assert kept(command, source) == 2
    flags = "SELECT ID, DuplicateGroup FROM FlaggedGames ORDER BY ID"
    before = query(str(source.with_suffix(".db3")), flags)
    assert command("dedup", str(source.with_suffix(".db3")), "--full").status == 0
    assert query(str(source.with_suffix(".db3")), flags) == before


@pytest.mark.parametrize(
    "root",
    [
        "PC[OGS: https://online-go.com/game/{}]", "GC[https://online-go.com/game/view/{}]",
        "SO[http://files.gokgs.com/games/2015/5/3/a-b-{}.sgf]",
        "PC[http://wars.fm/go9#/game/r{}]", "GC[http://h5.foxwq.com/txwqshare/?chessid={}]",
    ],
)  # fmt: skip
def test_addresses_of_go_games(command: Command, tmp_path: Path, root: str) -> None:
    moves = ";B[pd];W[dd];B[pq];W[dp];B[fq];W[cn];B[jp];W[qf];B[nc];W[rd];B[qc];W[qi]"
    two, one = (
        [f"(;GM[1]SZ[19]PB[a]PW[b]DT[2020-01-02]{root.format(n)}{moves})\n" for n in numbers]
        for numbers in ((17, 18), (17, 17))
    )
    assert kept(command, written(tmp_path / "two.sgf", *two)) == 2
    assert kept(command, written(tmp_path / "one.sgf", *one)) == 1
