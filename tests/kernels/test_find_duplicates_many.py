"""Many games: common moves neither make the search quadratic nor lose duplicates."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from functools import cache

import pytest

from tests.reference.candidate_pairs import Candidates, sorted_games, theory_of
from tests.support.copy_games import Moves, Record, line, nobody, search, somebody

COUNT = 20_000
OPENING = line(1, 20)


@cache
def tails(count: int) -> list[Moves]:
    """Return distinct made-up ends of games."""
    draw = random.Random(5)
    return [struct.unpack("<20H", draw.randbytes(40)) for _ in range(count)]


def branched(base: Record, count: int) -> list[Record]:
    """Return games with one opening; every twentieth is a duplicate of the game before."""
    games = [base._replace(moves=base.moves + tail) for tail in tails(count)]
    games[1::20] = games[::20]
    return games


def by_one_pair(count: int = COUNT) -> list[Record]:
    return branched(Record(OPENING), count)


def by_one_player(count: int = COUNT // 4) -> list[Record]:
    others = [f"{a}{b}{c}o, X" for a in "bdfgk" for b in "aeiou" for c in "lmnrs"]
    return [
        record._replace(black=others[number % len(others)])
        for number, record in enumerate(by_one_pair(count))
    ]


def nested(base: Record, count: int = COUNT // 4) -> list[Record]:
    """Return games that are prefixes of the longer ones."""
    moves = line(2, 200)
    return [base._replace(moves=moves[: 30 + number % 170]) for number in range(count)]


SOME = COUNT // 4
MANY: dict[str, Callable[[], list[Record]]] = {
    "one pair, one day": by_one_pair,
    "one pair, no date": lambda: branched(Record(OPENING, date="????.??.??", round="?"), SOME),
    "one player": by_one_player,
    "nobody": lambda: branched(Record(OPENING + line(3, 30), **nobody()), SOME),
    "nobody, one line": lambda: [Record(OPENING, **nobody(), source=n % 7) for n in range(SOME)],
    "starts of one game": lambda: nested(Record()),
    "nobody's starts of one game": lambda: nested(Record(**nobody())),
    "no moves": lambda: [Record(round=str(number % 99)) for number in range(SOME)],
    "one final position": lambda: branched(Record(final_key=5), SOME),
}


@pytest.mark.parametrize("kind", MANY)
def test_a_key_of_many_games_does_not_pair_all_of_them(kind: str) -> None:
    """Each game is compared with some dozens of games, not with thousands."""
    records = MANY[kind]()
    result = search(records).search_result
    assert result.games == len(records)
    assert result.finder.pairs_judged < 80 * len(records)


def test_duplicates_among_many_games_of_two_players_are_found() -> None:
    result = search(by_one_pair(COUNT))
    assert result.groups == [[number, number + 1] for number in range(0, COUNT, 20)]
    assert result.suspects == []
    assert 100 * COUNT < result.search_result.finder.memory < 600 * COUNT


# --- order, theory and candidates of many games ---------------------------------------------------


def crowd(count: int, people: int, seed: int) -> list[Record]:
    """Return short games of two distinct moves, so that many are equal or prefixes of others."""
    draw = random.Random(seed)
    names = [somebody(number) for number in range(people)]
    return [
        Record(
            tuple(draw.choices([7, 70], k=draw.choice([0, 3, 5, 9, 12, 17, 26]))),
            **draw.choice(names),
            date=draw.choice(["1929.09.06", "1929.09.??", "1935.01.01", "????.??.??"]),
            round=str(draw.randrange(9)),
            fen=draw.choice([None] * 9 + ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]),
            source=draw.randrange(3),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize(("people", "seed"), [(2, 1), (6, 2), (40, 3)])
def test_theory_of_many_games_equals_the_reference(people: int, seed: int) -> None:
    """With two players, there are more equal games than theory_of() visits."""
    records = crowd(260, people, seed)
    result = search(records)
    games = sorted_games(records)
    for place, game in enumerate(games):
        theory = result.compare(game.number, game.number).theory
        assert theory == theory_of(games, place)


@pytest.mark.parametrize("people", [1, 3, 12])
def test_candidates_among_many_games_equal_the_reference(people: int) -> None:
    records = crowd(120, people, people)
    result = search(records)
    games = sorted_games(records)

    def is_kept(left: int, right: int) -> bool:
        return result.compare(games[left].number, games[right].number).kind != 0

    assert result.search_result.finder.pairs_judged == Candidates(games, is_kept).judged
