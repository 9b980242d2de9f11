"""The six methods on real moves: reported duplicates, compared with the moves."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.errors import UsageError
from ocgdedup.pipeline.search.key_groups import MethodResult, compare_methods
from ocgdedup.store.database import open_database
from tests.support.databases import Silent, change, dump
from tests.support.pgn_text import game

LINE = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7"
SWAPPED = "1. Nf3 e5 2. e4 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7"  # two moves, other positions
LONGER = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bc4 Nf6 5. Bb5 Ng8 6. Ba4 Nf6 7. O-O Be7"
VERSION_1 = Path(__file__).parent.parent / "schema" / "version-1.db3.gz"

Load = Callable[[str], apsw.Connection]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Return a function that makes a database of a PGN text and opens it to read."""
    opened = []

    def make(text: str) -> apsw.Connection:
        path = tmp_path / "in.pgn"
        path.write_text(text)
        create(CreateRequest(str(tmp_path / "a.db3"), [str(path)]), Silent())
        opened.append(open_database(str(tmp_path / "a.db3")))
        return opened[-1].connection

    yield make
    for database in opened:
        database.close()


def counts(connection: apsw.Connection, **options: int) -> dict[str, tuple[int, int, int]]:
    """Return (reported, true, rejected) by method."""
    results = compare_methods(connection, **options)
    return {r.method: (r.reported, r.true, r.rejected) for r in results}


def test_each_method_is_fooled_by_other_games(load: Load) -> None:
    texts = [LINE, LINE, SWAPPED, LONGER]
    assert counts(load("".join(game(f"{text} *") for text in texts))) == {
        "last-position": (3, 1, 2),
        "last-position+length": (2, 1, 1),
        "all-positions": (1, 1, 0),
        "every-5": (2, 1, 1),
        "moves": (1, 1, 0),
        "moves+players": (1, 1, 0),
    }


def test_players_keep_games_of_others_apart(load: Load) -> None:
    others = game(f"{LINE} *", White="Gamma, G")
    results = counts(load(game(f"{LINE} *") * 2 + others * 3))
    assert results["moves"] == (4, 4, 0)
    assert results["moves+players"] == (3, 3, 0)


def test_all_figures_of_one_method(load: Load) -> None:
    text = game(f"{LINE} *") * 3 + game(f"{SWAPPED} *") * 2
    (result,) = compare_methods(load(text), ["last-position"])
    assert result[:-2] == ("last-position", 4, 3, 1, 1, 10, 4)
    assert isinstance(result, MethodResult)
    assert result.elapsed_s > 0
    assert 0 <= result.cpu_s < 60


def test_shorter_games_are_left_out(load: Load) -> None:
    connection = load(game(f"{LINE} *") * 2 + game("1. e4 *") * 3)
    assert counts(connection, min_plies=2)["moves"] == (1, 1, 0)
    assert counts(connection, min_plies=11)["moves"] == (0, 0, 0)
    assert counts(connection, min_plies=10**30)["moves"] == (0, 0, 0)


def test_games_without_moves_are_never_compared(load: Load) -> None:
    connection = load(game("*") * 3 + game(f"{LINE} *"))
    assert set(counts(connection, min_plies=0).values()) == {(0, 0, 0)}


def test_start_positions_count_without_their_counters(load: Load) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - {}"
    other = "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1"
    starts = [fen.format("0 1"), fen.format("7 31"), fen.format("0 1"), other]
    texts = [game("1. e4 *", FEN=start, SetUp="1") for start in starts]
    assert counts(load("".join(texts)))["moves"] == (2, 2, 0)


def test_the_standard_start_may_be_named(load: Load) -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    texts = [game("1. e4 *"), game("1. e4 *", FEN=start, SetUp="1")]
    assert counts(load("".join(texts)))["last-position"] == (1, 1, 0)


def test_a_database_of_version_1(tmp_path: Path) -> None:
    path = tmp_path / "old.db3"
    path.write_bytes(gzip.decompress(VERSION_1.read_bytes()))
    columns = "MoveHash, FinalZobrist, PositionsKey, SampledKey, PlyCount, Moves2"
    for black in (2, 2, 3):
        change(
            path,
            f"INSERT INTO Games (WhiteID, BlackID, {columns}) "
            f"SELECT 1, {black}, {columns} FROM Games WHERE PlyCount > 0 ORDER BY ID LIMIT 1",
        )
    before = dump(path)
    database = open_database(str(path))
    results = counts(database.connection)
    database.close()
    assert results["moves"] == results["last-position"] == (4, 4, 0)
    assert results["moves+players"] == (1, 1, 0)
    assert dump(path) == before


def test_unknown_method(load: Load) -> None:
    with pytest.raises(UsageError, match="colours: unknown key; known are "):
        compare_methods(load(game(f"{LINE} *")), ["moves", "colours"])
