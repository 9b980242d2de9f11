"""Content of a report: the pairs with their boards, omitted pairs and reasons."""

from __future__ import annotations

import contextlib
import gc
import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import chess
import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest
from ocgdedup.errors import UsageError
from ocgdedup.matching.evidence import ACCURACIES
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import GameHeader
from ocgdedup.pipeline.search import overview as pipeline_overview
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.overview import Limits, Overview, ReviewPair, overview_of
from ocgdedup.store.database import open_database
from ocgdedup.store.games import current_headers
from ocgdedup.store.merges import read_headers
from ocgdedup.wording import POSSIBLE_DUPLICATE
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.databases import Silent, change, query, value
from tests.support.played_games import collection_text

USUAL_SEARCH, USUAL_LIMITS = SearchOptions(), Limits()


@pytest.fixture(scope="module")
def made_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("made")
    (folder / "in.pgn").write_text(collection_text(), encoding="utf-8")
    create(CreateRequest(str(folder / "a.db3"), [str(folder / "in.pgn")]), Silent())
    dedup(DedupRequest(str(folder / "a.db3")), may_upgrade=lambda _: False, reporter=Silent())
    return (folder / "a.db3").read_bytes()


@pytest.fixture
def path(made_bytes: bytes, tmp_path: Path) -> Path:
    (tmp_path / "a.db3").write_bytes(made_bytes)
    return tmp_path / "a.db3"


def overview(
    path: Path, search: SearchOptions = USUAL_SEARCH, limits: Limits = USUAL_LIMITS
) -> Overview:
    database = open_database(str(path))
    try:
        return overview_of(database, search, limits)
    finally:
        database.close()


def test_games_differ_where_the_overlap_ends(path: Path) -> None:
    """Replayed by python-chess, both games reach one position, and the next moves differ."""
    differing = 0
    for pair in overview(path).pairs:
        assert pair.detail is not None
        shown = pair.detail.shown
        assert shown is not None
        if shown.overlap is None:
            continue
        lines = [list(_lines(game.fen, game.texts)) for game in (shown.left, shown.right)]
        starts = (shown.overlap.left_start, shown.overlap.right_start)
        places = [
            line[start + shown.overlap.shared] for line, start in zip(lines, starts, strict=True)
        ]
        (position, move), (other_position, other_move) = places
        assert position == other_position
        assert move != other_move or (move, other_move) == ("", "")
        differing += bool(move and other_move)
    assert differing > 3


def _lines(fen: str | None, san: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each position and the move that follows, "" at the end."""
    board = chess.Board(fen or chess.STARTING_FEN)
    for text in san:
        before = board.epd()
        move = board.push_san(text)
        yield before, move.uci()
    yield board.epd(), ""


def test_limits(path: Path) -> None:
    everything = overview(path)
    kinds = Counter(pair.status for pair in everything.pairs)
    assert set(kinds) == {POSSIBLE_DUPLICATE, "join", "subsumption", "exact"}
    limits = Limits(possible_duplicates=1, near_identical=2, truncated=0, exact=1)
    shown = overview(path, limits=limits).pairs
    assert [pair._replace(detail=None) for pair in shown] == [
        pair._replace(detail=None) for pair in everything.pairs
    ]
    detailed = Counter(pair.status for pair in shown if pair.detail is not None)
    assert detailed == {POSSIBLE_DUPLICATE: 1, "join": 2, "exact": 1}
    few = overview(path, limits=Limits(listed=5))
    assert few.pairs == everything.pairs[:5]
    assert few.games.keys() == {
        game_id for pair in few.pairs for game_id in (pair.left, pair.right)
    }
    assert few.totals == everything.totals


def test_names_rejects_and_cut_games_are_limited(path: Path) -> None:
    for number in (1, 2):
        change(path, f"INSERT INTO Persons (ID, Name) VALUES ({number}, 'P')")
        change(path, f"INSERT INTO Resolutions VALUES ({number}, {number}, 'name', '', 1, '', 1)")
        change(path, f"INSERT INTO Rejects VALUES ({number}, 1, {number}, 0, 1, 'odd')")
        change(path, f"INSERT INTO Faults VALUES ({number}, {number}, 1, 2, 'odd', 'rest')")
    everything, few = overview(path), overview(path, limits=Limits(rows=1))
    assert everything.totals == few.totals
    assert (few.totals.names, few.totals.rejects, few.totals.cuts) == (2, 2, 2)
    for field in ("names", "rejects", "cuts"):
        assert len(getattr(everything, field)) == 2
        assert getattr(few, field) == getattr(everything, field)[:1]
    assert few.totals.unresolved_names == len(everything.unresolved_names) > 1
    assert few.unresolved_names == everything.unresolved_names[:1]


def test_no_more_pairs_are_in_memory_than_are_listed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weighed_copy = pipeline_overview._weighed
    others, most = _pairs_in_memory(), 0

    def counted(*arguments: Any) -> ReviewPair:
        nonlocal most
        most = max(most, _pairs_in_memory() - others)
        return weighed_copy(*arguments)

    monkeypatch.setattr(pipeline_overview, "_weighed", counted)
    few = overview(path, limits=Limits(listed=5))
    assert len(few.pairs) == 5
    assert few.totals.duplicates > 2 * 5
    assert most <= 5 + 1  # and the one that is compared with those


def test_evidence_is_computed_for_listed_pairs_only(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = overview(path).pairs
    weighed_copy = pipeline_overview._weighed
    for listed in range(len(everything) + 2):
        weighed: set[str] = set()

        def noted(finder: Any, copy: Any, weighed: set[str] = weighed) -> ReviewPair:
            weighed.add(copy.status)
            return weighed_copy(finder, copy)

        monkeypatch.setattr(pipeline_overview, "_weighed", noted)
        few = overview(path, limits=Limits(listed=listed)).pairs
        assert few == everything[:listed]
        assert weighed == {pair.status for pair in few} - {POSSIBLE_DUPLICATE}


def _pairs_in_memory() -> int:
    gc.collect()
    return sum(type(value) is ReviewPair for value in gc.get_objects())


def test_headers_are_read_some_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = overview(path).qualities
    asked: list[int] = []

    def counted(connection: apsw.Connection, ids: list[int]) -> Iterator[GameHeader]:
        asked.append(len(ids))
        return current_headers(connection, ids)

    monkeypatch.setattr(pipeline_overview, "_SCORES_AT_ONCE", 3)
    monkeypatch.setattr(pipeline_overview, "current_headers", counted)
    assert overview(path).qualities == whole
    assert max(asked) == 3 < sum(asked)


def test_evidence_uses_the_options_of_the_search(path: Path) -> None:
    tolerant = overview(path, SearchOptions(gates=ACCURACIES["strict"]))
    usual = overview(path)

    def sums(of: Overview) -> dict[tuple[int, int], float | None]:
        return {(pair.left, pair.right): pair.score for pair in of.pairs if pair.status == "join"}

    assert sums(tolerant).keys() == sums(usual).keys()
    assert sums(tolerant) != sums(usual)


def test_games_that_the_search_excludes_have_no_score(path: Path) -> None:
    pairs = overview(path, SearchOptions(min_plies=1000)).pairs
    assert {pair.score for pair in pairs if pair.status != POSSIBLE_DUPLICATE} == {None}
    assert all(pair.score is not None for pair in pairs if pair.status == POSSIBLE_DUPLICATE)


def test_suspects_that_were_dropped_are_left_out(path: Path) -> None:
    before = [pair for pair in overview(path).pairs if pair.status == POSSIBLE_DUPLICATE]
    change(path, "INSERT INTO Suspects VALUES (99998, 99999, 'exact', 5, '', NULL, NULL, NULL)")
    result = overview(path)
    assert [pair for pair in result.pairs if pair.status == POSSIBLE_DUPLICATE] == before
    assert result.totals.possible_duplicates == len(before) + 1


def test_current_headers_are_merged_ones(path: Path) -> None:
    ids = [game_id for (game_id,) in query(path, "SELECT ID FROM Games WHERE HeaderOptimized = 1")]
    database = open_database(str(path))
    with contextlib.closing(database.connection):
        now = {header.game_id: header for header in current_headers(database.connection, ids)}
        then = read_headers(database.connection, ids)
    assert now.keys() == set(ids)
    for header in then:
        own = now[header.game_id]
        assert header_score(own) >= header_score(header)
        sql = "SELECT Date FROM Games WHERE ID = ?"
        assert own.date == value(path, sql, header.game_id)
    assert any(now[header.game_id] != header for header in then)


def test_stale_flags_are_reported(path: Path) -> None:
    assert not overview(path).is_stale
    change(path, "INSERT INTO Info VALUES ('Duplicates stale', 'yes')")
    assert overview(path).is_stale


def test_nothing_is_written(path: Path) -> None:
    before = path.read_bytes()
    overview(path)
    assert path.read_bytes() == before


def test_other_databases_are_refused(tmp_path: Path) -> None:
    write_ocgdb(tmp_path / "ocgdb.db3", [OcgdbGame("Alpha", "Beta", "e4 e5")])
    packed = Path(__file__).parent.parent / "schema" / "version-2.db3.gz"
    (tmp_path / "old.db3").write_bytes(gzip.decompress(packed.read_bytes()))
    for name in ("ocgdb.db3", "old.db3"):
        with pytest.raises(
            UsageError,
            match=f"{name}: has duplicate columns of an older version; run 'ocgdedup dedup ",
        ):
            overview(tmp_path / name)
