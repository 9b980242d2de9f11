"""Groups of games with equal keys, against a comparison of every two games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import chess
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.errors import UsageError
from ocgdedup.pipeline.search.key_groups import KeyOptions, find_by_key
from ocgdedup.store.database import open_database
from ocgdedup.store.search_reader import METHODS
from tests.support.databases import Silent
from tests.support.pgn_text import game

# Two orders of the same moves; a line that comes back to a position; lines that go on from these.
LINES = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
    "g1f3 e7e5 e2e4 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 a4b5 f6g8 b5a4 g8f6 e1g1 f8e7",
    "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
)
STARTS = (None, chess.STARTING_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1")
Made = tuple[int, int, int, int]  # line, plies, start, players


@cache
def positions(line: int, plies: int, start: int) -> tuple[int, ...]:
    """Return the keys of the positions after each half-move."""
    board = chess.Board(STARTS[start] or chess.STARTING_FEN)
    hashes = []
    for text in LINES[line].split()[:plies]:
        board.push_uci(text)
        hashes.append(chess.polyglot.zobrist_hash(board))
    return tuple(hashes)


def san(line: int, plies: int, start: int) -> str:
    board = chess.Board(STARTS[start] or chess.STARTING_FEN)
    return board.variation_san([chess.Move.from_uci(uci) for uci in LINES[line].split()[:plies]])


def moves_of(made: Made) -> tuple[object, ...]:
    line, plies, start, _ = made
    return (start == 2, *LINES[line].split()[:plies])


def key_of(made: Made, key: str) -> object:
    line, plies, start, players = made
    keys = positions(line, plies, start)
    return {
        "last-position": keys[-1],
        "last-position+length": (keys[-1], plies),
        "all-positions": sum(keys),
        "every-5": (sum(keys[4::5]), keys[-1]),
        "moves": moves_of(made),
        "moves+players": (moves_of(made), players),
    }[key]


def begins(left: Made, right: Made, key: str) -> bool:
    mine, theirs = moves_of(left), moves_of(right)
    same_players = key != "moves+players" or left[3] == right[3]
    return same_players and len(mine) < len(theirs) and theirs[: len(mine)] == mine


@cache
def database_of(games: tuple[Made, ...], folder: Path) -> str:
    texts = []
    for line, plies, start, players in games:
        tags = {"White": f"White {players}", "Black": f"Black {players}"}
        if STARTS[start]:
            tags["FEN"] = str(STARTS[start])
        texts.append(game(f"{san(line, plies, start)} *", **tags))
    path = folder / f"{abs(hash(games))}.pgn"
    path.write_text("".join(texts))
    create(CreateRequest(str(path.with_suffix(".db3")), [str(path)]), Silent())
    return str(path.with_suffix(".db3"))


def groups(path: str, options: KeyOptions, **others: object) -> dict[int, set[int]]:
    """Return the IDs of each group by that of the kept game."""
    database = open_database(path)
    try:
        flags = find_by_key(database.connection, options, **others).flags
    finally:
        database.close()
    groups_by_id: dict[int, set[int]] = {}
    for game_id, row in flags.items():
        groups_by_id.setdefault(row.group, set()).add(game_id)
        assert (row.status is None) == (row.group == game_id)
        assert row.reason == (None if row.status is None else f"by {options.key}")
    return groups_by_id


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    return tmp_path_factory.mktemp("keys")


MADE = st.tuples(
    st.integers(0, len(LINES) - 1), st.integers(1, 14), st.integers(0, 2), st.integers(0, 1)
).map(lambda made: (made[0], min(made[1], len(LINES[made[0]].split())), *made[2:]))


@settings(max_examples=60)
@given(st.lists(MADE, min_size=2, max_size=12), st.sampled_from(METHODS), st.integers(0, 6))
def test_games_are_grouped_by_equal_keys(
    folder: Path, games: list[Made], key: str, min_plies: int
) -> None:
    groups_by_id = groups(database_of(tuple(games), folder), KeyOptions(key, min_plies))
    place = {game_id: kept for kept, ids in groups_by_id.items() for game_id in ids}
    assert not any(games[game_id - 1][1] < min_plies for game_id in place)
    for (left, left_game), (right, other) in combinations(enumerate(games, 1), 2):
        if min(left_game[1], other[1]) >= min_plies:
            are_together = left in place and place[left] == place.get(right)
            assert are_together == (key_of(left_game, key) == key_of(other, key))


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(MADE, min_size=2, max_size=12), st.sampled_from(METHODS), st.integers(0, 6))
def test_a_truncated_game_is_grouped_with_one_longer_game(
    folder: Path, games: list[Made], key: str, min_plies: int
) -> None:
    path = database_of(tuple(games), folder)
    groups_by_id = groups(path, KeyOptions(key, min_plies, include_shorter=True))
    place = {game_id: kept for kept, ids in groups_by_id.items() for game_id in ids}
    long_enough = {n: made for n, made in enumerate(games, 1) if made[1] >= min_plies}
    longest = {
        number: made
        for number, made in long_enough.items()
        if not any(begins(made, other, key) for other in long_enough.values())
    }
    for number, made in long_enough.items():
        if number not in longest:
            group = groups_by_id[place[number]]
            assert any(begins(made, longest[n], key) for n in group if n in longest)
            assert place[number] in longest  # a game that begins another is never kept
    for (left, left_game), (right, other) in combinations(longest.items(), 2):
        are_together = left in place and place[left] == place.get(right)
        assert are_together == (key_of(left_game, key) == key_of(other, key))


def test_order_of_games_does_not_matter(folder: Path) -> None:
    chance = random.Random(1)
    games = [(line, plies, 0, 0) for line in range(4) for plies in (3, 5, 8) for _ in "ab"]
    texts = set()
    for number in range(3):
        chance.shuffle(games)
        path = database_of((*games, (0, 1, 0, number)), folder)
        groups_by_id = groups(path, KeyOptions("moves", include_shorter=True))
        texts.add(
            frozenset(
                frozenset((games[n - 1], len(ids)) for n in ids if n <= len(games))
                for ids in groups_by_id.values()
            )
        )
    assert len(texts) == 1


def test_relation_of_a_duplicate_to_the_kept_game(folder: Path) -> None:
    games = ((0, 10, 0, 0), (1, 10, 0, 0), (0, 10, 1, 1), (2, 14, 0, 0))
    path = database_of(games, folder)
    database = open_database(path)
    flags = find_by_key(database.connection, KeyOptions("last-position"), keep="first").flags
    database.close()
    assert [(number, row.status) for number, row in sorted(flags.items())] == [
        (1, None), (2, "join"), (3, "exact"), (4, "join"),
    ]  # fmt: skip
    repeated = database_of(((3, 4, 0, 0), (3, 8, 0, 0)), folder)
    database = open_database(repeated)
    flags = find_by_key(database.connection, KeyOptions("last-position")).flags
    database.close()
    assert [(number, row.status) for number, row in sorted(flags.items())] == [
        (1, "subsumption"), (2, None),
    ]  # fmt: skip


def test_pairs_that_the_user_declared_non_matches(folder: Path) -> None:
    path = database_of(((0, 8, 0, 0), (0, 8, 0, 1), (0, 8, 0, 0), (0, 8, 1, 1)), folder)
    moves = KeyOptions("moves")
    assert groups(path, moves) == {1: {1, 2, 3, 4}}
    apart = groups(path, moves, decided=[(1, 2, False), (3, 2, False), (1, 3, True)])
    assert apart == {1: {1, 3, 4}}
    assert groups(path, moves, choices={3: {1}}) == {3: {1, 2, 3, 4}}


def test_an_unknown_key(folder: Path) -> None:
    path = database_of(((0, 8, 0, 0), (0, 8, 0, 1)), folder)
    with pytest.raises(UsageError, match="round"):
        groups(path, KeyOptions("round"))
