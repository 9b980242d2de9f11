"""Verdicts on the games of a file equal those of a search after the file was added."""

from __future__ import annotations

import json
import random
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest

from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest
from ocgdedup.commands.find_like import FileMatches, matches_of_file
from ocgdedup.commands.players import PlayersRequest, consolidate_players
from ocgdedup.matching.evidence import Weights
from ocgdedup.pipeline.search import detect, new_games
from ocgdedup.pipeline.search.delta import dropped_keys
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.named_options import NamedOptions
from ocgdedup.pipeline.search.new_games import NewMatch
from ocgdedup.pipeline.search.search_files import SearchFiles, folder_of
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store.connection import one_state
from ocgdedup.store.database import open_database
from tests.pipeline.test_partial_results import texts
from tests.support.copy_games import Moves
from tests.support.databases import Silent, change, query
from tests.support.played_games import mainline, san_of

WAYS = ("match_few", "match_many", "match_all")


def search(path: Path, **request: object) -> None:
    dedup(
        DedupRequest(str(path), **request),  # type: ignore[arg-type]
        may_upgrade=lambda _: False,
        reporter=Silent(),
    )


def add(path: Path, records: list[str]) -> Path:
    """Write records to a file beside a database, and add them to it."""
    source = path.with_suffix(".pgn")
    source.write_text("".join(records), encoding="utf-8")
    create(CreateRequest(str(path), [str(source)], append=path.exists()), Silent())
    return source


def expected(path: Path, source: Path, *, with_players: bool = True) -> set[NewMatch]:
    """Return the matches of a search after the file was added to a copy of the database."""
    copied = path.with_name("copy.db3")
    shutil.copy(path, copied)
    ids = "SELECT ID FROM Games UNION SELECT ID FROM RemovedGames ORDER BY 1"
    last_id = query(path, ids)[-1][0]
    create(CreateRequest(str(copied), [str(source)], append=True, again=True), Silent())
    no_files = Resources(keeps_search_files=False)
    search(copied, with_players=with_players, resources=no_files)
    games = [row[0] for row in query(copied, ids)]
    edges = b"".join(row[0] for row in query(copied, "SELECT Edges FROM Verdicts ORDER BY ID"))
    found = set()
    for left, right, score, verdict, _ in struct.iter_unpack("=IIdBB", edges):
        first, second = sorted((games[left], games[right]))
        if first <= last_id < second:
            found.add(NewMatch(second, first, verdict == new_games.MATCH, score))
    copied.unlink()
    return found


def compared(path: Path, source: Path) -> FileMatches:
    before = path.read_bytes()
    with open_database(str(path)) as database, one_state(database.connection):
        found = matches_of_file(database, str(source), Silent())
    assert path.read_bytes() == before
    assert len(set(found.matches)) == len(found.matches)
    return found


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ways in which games were compared that had a result."""
    used: list[str] = []

    def noted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def called(*arguments: object) -> object:
            result = function(*arguments)
            if result is not None:
                used.append(name)
            return result

        return called

    for name in WAYS:
        monkeypatch.setattr(new_games, name, noted(name, getattr(new_games, name)))
    return used


@pytest.mark.parametrize("seed", range(4))
def test_after_players_between_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str], seed: int
) -> None:
    """Keys that games had before their players changed are in the files still."""
    rng = random.Random(seed)
    path, source = tmp_path / "games.db3", tmp_path / "new.pgn"
    for count in (400, 100, 100):
        add(path, texts(rng, count))
        consolidate_players(PlayersRequest(str(path)), Silent())
        search(path)
    token, _ = json.loads(
        query(path, "SELECT Value FROM Info WHERE Name = 'Search files of'")[0][0]
    )
    files = SearchFiles.open(str(path), token)
    assert files is not None
    assert len(dropped_keys(files))
    for count in (1, 10):
        source.write_text("".join(texts(rng, count)), encoding="utf-8")
        wished = expected(path, source, with_players=False)
        for most_few in (count, 0):
            monkeypatch.setattr(new_games, "MOST_FEW", most_few)
            assert set(compared(path, source).matches) == wished
    assert {*ways} >= {"match_few", "match_many"}


@pytest.mark.parametrize("seed", range(8))
def test_as_if_the_file_was_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str], seed: int
) -> None:
    """With 300 games, many share the players and the year: more than are all paired."""
    rng = random.Random(seed)
    path, source = tmp_path / "games.db3", tmp_path / "new.pgn"
    add(path, texts(rng, rng.choice((20, 300))))
    search(path)
    if seed % 3 == 0:
        add(path, texts(rng, 20))
        search(path, delete=True)
    if seed % 4 == 0:
        search(path, options=NamedOptions(plycount=12, accuracy="strict"))
    for count in (1, 3, 30):
        source.write_text("".join(texts(rng, count)), encoding="utf-8")
        wished = expected(path, source)
        for most_few in (count, 0):
            monkeypatch.setattr(new_games, "MOST_FEW", most_few)
            found = compared(path, source)
            assert set(found.matches) == wished
            assert found.games == count
        assert ways[-2:] == ["match_few", "match_many"]
    assert query(path, "SELECT 1 FROM Info WHERE Name LIKE '%found%'") == []


@pytest.mark.parametrize("count", [1, 70])
def test_games_of_one_mainline(tmp_path: Path, ways: list[str], count: int) -> None:
    """More games have one mainline than are all paired; shorter and longer ones continue it."""
    path, source = tmp_path / "games.db3", tmp_path / "new.pgn"
    moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3"
    words = moves.split()

    def record(number: int, end: int) -> str:
        return (
            f'[White "Tal, M{number % 7}"]\n[Black "Keres, P"]\n'
            f'[Date "1959.09.{number % 28 + 1:02}"]\n[Round "{number % 5}"]\n[Result "*"]\n\n'
            f"{' '.join(words[:end])} *\n\n"
        )

    add(path, [record(n, len(words) - n % 9) for n in range(count)] * 2 + [record(3, 0)] * count)
    search(path)
    for end in (len(words), len(words) - 4, 5, 0):
        source.write_text(record(3, end) + record(9, end), encoding="utf-8")
        assert set(compared(path, source).matches) == expected(path, source)
    assert set(ways) == {"match_few"}


def _overwrite(path: Path) -> None:
    path.write_bytes(b"\x55" * len(path.read_bytes()))


def _exchange_halves(path: Path) -> None:
    content = path.read_bytes()
    middle = len(content) // 72 * 36  # between two rows of the order
    path.write_bytes((content[middle:] + content[:middle])[:: -1 if middle == 0 else 1])


@pytest.mark.parametrize("harm", [_overwrite, _exchange_halves, Path.unlink])
@pytest.mark.parametrize("name", ["order", "starts", "ids", "keys", "MANIFEST"])
def test_damaged_files(
    tmp_path: Path, ways: list[str], name: str, harm: Callable[[Path], None]
) -> None:
    rng = random.Random(name)
    path, source = tmp_path / "games.db3", tmp_path / "new.pgn"
    add(path, texts(rng, 100))
    search(path)
    source.write_text("".join(texts(rng, 9)), encoding="utf-8")
    (file,) = Path(folder_of(str(path))).glob(f"{name}*")
    if harm is _exchange_halves and name == "starts":
        pytest.skip("one start")
    harm(file)
    assert set(compared(path, source).matches) == expected(path, source)
    assert ways == ["match_all"]


@pytest.mark.parametrize("reason", ["no search", "new games", "another program", "WAL"])
def test_without_files_of_this_state(tmp_path: Path, ways: list[str], reason: str) -> None:
    rng = random.Random(reason)
    path, source = tmp_path / "games.db3", tmp_path / "new.pgn"
    add(path, texts(rng, 100))
    if reason != "no search":
        search(path)
    if reason == "new games":
        add(path, texts(rng, 9))
    if reason == "another program":
        change(path, "UPDATE Games SET Round = '9' WHERE ID % 2")
    if reason == "WAL":
        change(path, "PRAGMA journal_mode = wal")
    source.write_text("".join(texts(rng, 9)), encoding="utf-8")
    assert set(compared(path, source).matches) == expected(path, source)
    assert ways == ["match_all"]


START = mainline(1)[:48]


def record(rng: random.Random, moves: Moves, number: int) -> str:
    names = rng.sample("ABCDEFGHIJ", 2) if rng.random() < 0.5 else (f"W{number}", f"B{number}")
    return (
        f'[White "{names[0]}ov, A"]\n[Black "{names[1]}ov, B"]\n'
        f'[Date "19{rng.randrange(50, 99)}"]\n[Result "*"]\n\n{" ".join(san_of(moves))} *\n\n'
    )


def lines(rng: random.Random, count: int) -> list[Moves]:
    """Return mainlines with a long common start: some end there, the others go on at random."""
    made = []
    for _ in range(count):
        board = chess.Board()
        for move in START[: rng.choice((48, 48, 48, 48, 45, 40, 30, rng.randrange(20)))]:
            board.push_uci(move)
        for _ in range(rng.choice((0, 1, 2, 8, 30, 30)) if board.ply() == len(START) else 0):
            if moves := list(board.legal_moves):
                board.push(rng.choice(moves))
        made.append(tuple(move.uci() for move in board.move_stack))
    return made


def records(rng: random.Random, moves: list[Moves]) -> list[str]:
    return [record(rng, line, number) for number, line in enumerate(moves)]


@pytest.mark.parametrize("seed", range(4))
def test_candidates_among_many_games_with_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str], seed: int
) -> None:
    """With these weights all candidate pairs match that are not wholly different games."""
    weights = Weights()._replace(accept=-1e6, possible_match=-1e6)
    monkeypatch.setattr(SearchOptions, "weights_for", lambda *_: weights)
    rng = random.Random(seed)
    path, source = tmp_path / "games.db3", tmp_path / "new.pgn"
    add(path, records(rng, lines(rng, 400)))
    search(path)
    for moves in ([START[:45]], [START[:-2]], lines(rng, 20)):
        count = len(moves)
        source.write_text("".join(records(rng, moves)), encoding="utf-8")
        found = []
        for most_few in (count, 0):
            monkeypatch.setattr(new_games, "MOST_FEW", most_few)
            found.append(compared(path, source).matches)
        assert found[0] == found[1] == sorted(expected(path, source), key=new_games.best_first)
        assert len(found[0]) >= count
    assert ways == ["match_few", "match_many"] * 3


def theory_of(finder: DuplicateFinder) -> dict[int, int]:
    """Return the theory of each game by ID."""
    ranges = finder.id_ranges()
    game_ids = [
        game_id
        for first, end in zip(ranges[::2], ranges[1::2], strict=True)
        for game_id in range(first, end)
    ]
    rows = struct.iter_unpack("=6I4H4B", finder.order_rows(0, finder.games))
    return {game_ids[row[5]]: row[8] for row in rows}


@pytest.mark.parametrize("seed", range(4))
def test_theory_of_all_games_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    path, source = tmp_path / "games.db3", tmp_path / "new.pgn"
    old = lines(rng, 500)
    add(path, records(rng, old) + texts(rng, 100))
    search(path)
    finders: list[DuplicateFinder] = []
    judge = new_games.judge_new_games

    def noted(finder: DuplicateFinder, *arguments: Any) -> list[bytes]:
        finders.append(finder)
        return judge(finder, *arguments)

    monkeypatch.setattr(new_games, "judge_new_games", noted)
    # Other players repeat a whole game, so that its moves become theory.
    repeated = [record(rng, max(old, key=len), number) for number in (1000, 1001, 1002)]
    source.write_text("".join(repeated), encoding="utf-8")
    compared(path, source)
    create(CreateRequest(str(path), [str(source)], append=True), Silent())
    with open_database(str(path)) as database:
        whole = detect.unsearched_finder(database.connection, SearchOptions())
        for stage in (whole.find_lines, whole.find_shared, whole.find_theory):
            stage(0, whole.games)
        expected_theory = theory_of(whole)
    (finder,) = finders
    found = theory_of(finder)
    assert len(found) < len(expected_theory)
    assert found.items() <= expected_theory.items()
