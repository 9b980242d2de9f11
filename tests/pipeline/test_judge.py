"""Verdicts on a few games equal those of a search of the whole collection."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest
from ocgdedup.pipeline.search import judge
from ocgdedup.pipeline.search.detect import SearchOptions, ordered_finder, searched_finder
from ocgdedup.pipeline.search.judge import Judge
from ocgdedup.store import search_reader
from ocgdedup.store.database import open_database
from ocgdedup.store.possible_duplicates import listed_possible_duplicates
from tests.support.databases import Silent
from tests.support.played_games import collection, mainline, pgn_text, san_of

GO_DEMO = Path(__file__).parents[2] / "scripts" / "demo_go"
RECORDS = 900
SOURCES = 3
PART_BYTES = 20_000  # some 90 games
PEOPLE = [f"{name}, {initial}" for name in ("Tal", "Keres", "Fine", "Hort") for initial in "ABC"]


def record(rng: random.Random) -> str:
    """Return a record that follows a common line, at least for some plies."""
    moves = san_of(mainline(rng.randrange(4), 20))[: rng.choice((5, 6, 12, 20))]
    white, black = rng.sample(PEOPLE, 2)
    date = rng.choice(("1959.09.07", "1962.05.02"))
    return (
        f'[White "{white}"]\n[Black "{black}"]\n[Date "{date}"]\n[Result "*"]\n\n'
        f"{' '.join(moves)} *\n\n"
    )


def sources(folder: Path) -> list[str]:
    """Write files with some records in several files."""
    rng = random.Random(5)
    texts: list[list[str]] = [[] for _ in range(SOURCES)]
    for _ in range(RECORDS):
        text = record(rng)
        for source in rng.sample(texts, rng.choice((1, 1, 2, 3))):
            source.append(text)
    texts[0] += map(pgn_text, collection())
    paths = [folder / f"{number}.pgn" for number in range(SOURCES)]
    for path, games in zip(paths, texts, strict=True):
        path.write_text("".join(games), encoding="utf-8")
    return [str(path) for path in paths]


@pytest.fixture(scope="module", params=["chess", "go"])
def connection(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[apsw.Connection]:
    folder = tmp_path_factory.mktemp("judge")
    inputs = sources(folder) if request.param == "chess" else [str(GO_DEMO)]
    create(CreateRequest(str(folder / "games.db3"), inputs), Silent())
    database = open_database(str(folder / "games.db3"))
    yield database.connection
    database.close()


def game_ids(connection: apsw.Connection) -> list[int]:
    return [game_id for (game_id,) in connection.execute("SELECT ID FROM Games")]


@pytest.mark.parametrize("part_bytes", [PART_BYTES, 1 << 25])
def test_few_games_get_the_verdicts_of_the_whole_search(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch, part_bytes: int
) -> None:
    monkeypatch.setattr(search_reader, "_NEAR_BYTES", part_bytes)
    rng = random.Random(6)
    ids = game_ids(connection)
    decisions = [(ids[0], ids[1], True)]
    whole = searched_finder(connection, SearchOptions(), decisions)
    seen = set()
    for _ in range(20):
        asked = {*rng.sample(ids, 6), *ids[:2]}
        few = ordered_finder(connection, SearchOptions(), decisions, asked)
        for first in asked:
            assert few.mainline(first) == whole.mainline(first)
            for second in asked - {first}:
                verdict = whole.compare(first, second)
                assert few.compare(first, second) == verdict
                seen.add((verdict.theory > 0, verdict.rule))
    assert len(seen) > 2 or whole.is_go


def test_any_games_get_the_verdicts_of_the_whole_search(connection: apsw.Connection) -> None:
    ids = game_ids(connection)
    whole = searched_finder(connection, SearchOptions(), ())
    ordered = ordered_finder(connection, SearchOptions(), ())
    for first, second in zip(ids, ids[7:], strict=False):
        assert ordered.compare(first, second) == whole.compare(first, second)


def test_missing_games(connection: apsw.Connection) -> None:
    few = ordered_finder(connection, SearchOptions(), (), [10**6])
    assert 10**6 not in few
    with pytest.raises(KeyError):
        few.compare(10**6, 1)


@pytest.fixture
def searched(tmp_path: Path) -> Iterator[apsw.Connection]:
    path = str(tmp_path / "games.db3")
    create(CreateRequest(path, sources(tmp_path)), Silent())
    dedup(DedupRequest(path), may_upgrade=lambda _: False, reporter=Silent())
    database = open_database(path, writable=True)
    yield database.connection
    database.close()


def shown_pairs(connection: apsw.Connection) -> list[tuple[int, int]]:
    groups = connection.execute(
        "SELECT DuplicateGroup, ID FROM FlaggedGames WHERE DuplicateStatus IS NOT NULL LIMIT 20"
    )
    suspects = [(row.first, row.second) for row in listed_possible_duplicates(connection)]
    ids = game_ids(connection)
    return [*groups, *suspects[:20], *zip(ids, ids[20:40], strict=False)]


def test_stored_results_are_those_of_a_search(
    searched: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = shown_pairs(searched)
    asked = {game_id for pair in pairs for game_id in pair}
    options = SearchOptions()
    with monkeypatch.context() as patched:
        patched.setattr(judge, "_are_stored", lambda *_: False)
        live = Judge(searched, options, asked)
        expected = [(live.explained(*pair), live.in_words(*pair)) for pair in pairs]
    monkeypatch.delattr(judge.detect, "searched_finder")
    stored = Judge(searched, options, asked)
    assert [(stored.explained(*pair), stored.in_words(*pair)) for pair in pairs] == expected
    assert {actual[1:] for actual, _ in expected} == {(True, False), (False, True), (False, False)}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE Info SET Value = '0' WHERE Name = 'Duplicates searched in'",
        "DELETE FROM Info WHERE Name = 'Duplicates searched by'",
        "INSERT INTO Info VALUES ('Duplicates stale', 'yes')",
        "INSERT INTO Games (WhiteID, BlackID, Moves2) VALUES (1, 1, x'')",
    ],
)
def test_results_that_no_longer_hold_are_searched_for(
    searched: apsw.Connection, change: str
) -> None:
    searched.execute(change)
    (first, second), *_ = shown_pairs(searched)
    searched.execute("DELETE FROM DuplicateFlags")
    assert Judge(searched, SearchOptions(), (first, second)).explained(first, second).are_together


def test_other_options_are_searched_for(searched: apsw.Connection) -> None:
    (first, second), *_ = shown_pairs(searched)
    searched.execute("DELETE FROM DuplicateFlags")
    for options, are_together in ((SearchOptions(), False), (SearchOptions(min_shorter=1), True)):
        explained = Judge(searched, options, (first, second)).explained(first, second)
        assert explained.are_together == are_together
