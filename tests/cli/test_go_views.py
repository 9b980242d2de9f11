"""Commands that show Go games, on a database that dedup has searched."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import ocgdedup
from ocgdedup.errors import UsageError
from ocgdedup.pipeline.search.key_groups import compare_methods
from ocgdedup.store.database import open_database
from tests.reference.go_symmetries import rotated
from tests.support.command_line import Command
from tests.support.databases import change, dump, query
from tests.support.go_games import GoGame, write_go_database
from tests.support.go_moves_text import made_moves

MOVES = [move for move in made_moves(5, 150) if move[1:] != "ss"]
SLIP = [*MOVES[:70], f"{MOVES[70][0]}ss", *MOVES[71:]]
GAME = GoGame(
    " ".join(MOVES), None, "Yi Ch'ang-ho", "Cho Hun-hyeon", "Myeongin", "Seoul", "1991.02.03",
    "3", "1-0", {"KM": "5.5", "RE": "W+R"},
)  # fmt: skip
OTHER = GAME._replace(moves=" ".join(made_moves(8, 120)), date="1992.03.04", round="1")
SAID = (
    f"The games differ only at move 71. Different: move 71: {MOVES[70][0]}[{MOVES[70][1:]}] - "
    f"{MOVES[70][0]}[ss]."
)


@pytest.fixture
def go(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database: game 2 is 1 with a slip, 3 is another game, 4 is 1 turned."""
    monkeypatch.chdir(tmp_path)
    games = [
        GAME,
        GAME._replace(moves=" ".join(SLIP)),
        OTHER,
        GAME._replace(moves=" ".join(rotated(MOVES, 3))),
    ]
    write_go_database(Path("go.db3"), games)
    return "go.db3"


@pytest.fixture
def searched_games(command: Command, go: str) -> str:
    assert command("dedup", go, "-q").status == 0
    ungrouped = "SELECT DISTINCT DuplicateGroup IS NULL FROM FlaggedGames WHERE ID < 3"
    assert query(go, ungrouped) == [(0,)]
    return go


def flat(text: str) -> str:
    return " ".join(text.split())


def test_diff(command: Command, go: str) -> None:
    status, out, err = command("printpgn", go, "--diff", 1, 2)
    assert (status, err) == (0, "")
    assert SAID in flat(out)
    assert "   a b c d e f g h i j k l m n o p q r s\n" in out
    assert "X Black, O White" in out
    assert "KM        5.5                                 5.5\n" in out


def test_tags_stand_as_go_players_know_them(command: Command, tmp_path: Path) -> None:
    """Black first, the result as RE; Result only where there is none."""
    path = tmp_path / "t.db3"
    games = [
        GAME._replace(tags={"KM": "5.5", "RE": "B+10"}, result="0-1"),
        GAME._replace(result="1/2-1/2", tags=None),
        *[GAME._replace(result="*", tags={"RE": "W+R"})] * 2,
    ]
    write_go_database(path, games)
    change(str(path), "UPDATE Games SET TimeControl = '3600' WHERE ID < 3")

    def shown(left: int, right: int) -> list[list[str]]:
        lines = command("printpgn", path, "--diff", left, right).out.splitlines()
        start, end = [place for place, line in enumerate(lines) if line.startswith("--")][:2]
        return [line.split() for line in lines[start + 1 : end]]

    names = ["Event", "Site", "Date", "Round", "Black", "White"]
    rows = shown(1, 2)
    assert [row[0] for row in rows] == [*names, "RE", "TM", "KM"]
    assert rows[4][:3] == ["Black", "Cho", "Hun-hyeon"]
    assert rows[6:8] == [["RE", "B+10", "|", "0"], ["TM", "3600", "3600"]]
    # What RE says otherwise than the column has given way to it.
    assert [row[0] for row in shown(3, 4)] == [*names, "Result"]


def test_explain_says_moves_and_plycount_only_if_it_was_given(command: Command, go: str) -> None:
    out = command("dedup", go, "--explain", 1, 2).out
    assert f"\n  shared moves: {len(MOVES) - 1}, the first 70 identical" in out
    assert "plies" not in out
    missing = "go.db3: there is no game with ID 99"
    done = command("dedup", go, "--explain", 1, 99)
    assert (done.status, done.err) == (2, f"ocgdedup: error: {missing}\n")
    err = command("dedup", go, "--explain", 1, 99, "--plycount", 5).err
    assert err == f"ocgdedup: error: {missing} that has as many plies as --plycount\n"


def test_diff_of_a_turned_game(command: Command, go: str) -> None:
    out = flat(command("printpgn", go, "--diff", 1, 4).out)
    words = "Game 4 is shown mirrored along the diagonal from the upper left."
    assert f"{words} The same moves: {len(MOVES)} moves." in out
    back = flat(command("printpgn", go, "--diff", 4, 2).out)
    assert "Game 2 is shown mirrored along the diagonal from the upper left." in back
    assert "The games differ only at move 71." in back


def test_other_games_are_shown_as_they_are(command: Command, go: str) -> None:
    out = flat(command("printpgn", go, "--diff", 1, 3).out)
    assert "is shown" not in out
    assert f"The games differ from move 1 to the end ({len(MOVES)} and 120 moves)." in out


def test_groups_and_files_of_pairs(command: Command, searched_games: str) -> None:
    assert "The games differ only at move 71." in flat(
        command("printpgn", searched_games, "--group", 1).out
    )
    Path("pairs.txt").write_text("1 2\n3 1\n")
    out = flat(command("printpgn", searched_games, "--pairs", "pairs.txt").out)
    assert SAID in out
    assert "== pair 2" in out


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_reports_are_read_again(command: Command, searched_games: str, kind: str) -> None:
    assert command("dedup", searched_games, "-q", "--report", f"r.{kind}").status == 0
    text = Path(f"r.{kind}").read_text(encoding="utf-8")
    rows = json.loads(text) if kind == "json" else list(csv.DictReader(io.StringIO(text)))
    slip = next(row for row in rows if {int(row["GameID"]), int(row["MasterID"])} == {1, 2})
    assert (int(slip["FirstDifference"]), int(slip["Plies"])) == (71, len(MOVES))
    status, out, err = command("printpgn", searched_games, "--pairs", f"r.{kind}")
    assert (status, err) == (0, "")
    assert "The games differ only at move 71." in flat(out)


def test_review(command: Command, searched_games: str) -> None:
    status, out, _ = command("review", searched_games, "--pair", 1, 2, stdin=b"d\n")
    assert status == 0
    assert "The games differ only at move 71." in flat(out)
    assert "X Black, O White" in out
    assert query(searched_games, "SELECT GameID1, GameID2, Decision FROM Suspects") == [
        (1, 2, "different")
    ]


def test_the_study_of_methods(command: Command, go: str) -> None:
    change(go, "INSERT INTO Players (ID, Name) VALUES (77, 'N.N.')")
    names = "EventID, SiteID, Date, BlackID, Result, PlyCount, FEN, Moves2, MoveHash"
    names += ", FinalZobrist, PositionsKey, SampledKey, SourceID, DateQuality"
    copied = f"INSERT INTO Games (WhiteID, {names}) SELECT 77, {names} FROM Games WHERE ID = 1"
    change(go, copied)
    database = open_database(go)
    results = {row.method: (row.reported, row.true) for row in compare_methods(database.connection)}
    database.close()
    assert results["moves"] == results["all-positions"] == (1, 1)
    assert results["moves+players"] == (0, 0)
    change(go, "UPDATE Games SET FEN = 'SZ[19]AB[ss]' WHERE ID = 5")
    database = open_database(go)
    (result,) = compare_methods(database.connection, ["moves"])
    database.close()
    assert (result.reported, result.true) == (1, 0)  # starts differ, equal hash or not
    status, _, err = command("dedup", go, "--method", "moves")
    assert (status, err) == (0, "")


def test_python(go: str) -> None:
    with ocgdedup.open(go) as database:
        assert database.is_go
        assert database.moves(2)[70] == f"{MOVES[70][0]}[ss]"
        assert len(database.moves(4)) == len(MOVES)
        assert len(next(database.move_arrays()).ids) == 4
        with pytest.raises(KeyError):
            database.moves(99)
        with pytest.raises(UsageError, match=r"go\.db3: holds Go games"):
            database.game(1)
        with pytest.raises(UsageError, match="which python-chess cannot represent"):
            next(iter(database.games()))


def test_run_refuses_the_other_kind_of_output_before_its_work(command: Command, go: str) -> None:
    before = dump(go)
    status, _, err = command("run", "--db", go, "-o", "out.pgn")
    assert status == 2
    assert "out.pgn: go.db3 holds Go games" in err
    assert dump(go) == before
    Path("in.sgf").write_text("(;GM[1]SZ[19];B[pd];W[dd])")
    status, _, err = command("run", "in.sgf", "--db", "new.db3", "-o", "out.pgn.gz")
    assert status == 2
    assert "out.pgn.gz: the inputs are .sgf; name an output that ends in .sgf" in err
    assert not Path("new.db3").exists()
    Path("in.txt").write_text(Path("in.sgf").read_text())  # whose name does not tell
    status, _, err = command("run", "in.txt", "--db", "new.db3", "-o", "out.pgn.gz")
    assert status == 2
    assert "out.pgn.gz: new.db3 holds Go games" in err
    assert query("new.db3", "SELECT count(*) FROM Games") == [(1,)]
    assert not query("new.db3", "SELECT 1 FROM Info WHERE Name = 'Duplicates flagged'")
    assert command("run", "in.sgf", "-o", "out.sgf.gz", "-q").status == 0
    assert Path("out.db3").exists()
