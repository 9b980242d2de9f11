"""Hypothesis strategies: games that may or may not be records of the same few played games."""

from __future__ import annotations

import random
from typing import Any

import chess
from hypothesis import strategies as st

from tests.support.copy_games import Moves, Record, line

_SHUFFLE = (11, 12, 13, 14)  # knights out and back

# Three games, two of which share an opening, one that repeats its moves, and two short ones.
_LINES: tuple[Moves, ...] = (
    line(1, 44),
    line(1, 18) + line(2, 22),
    line(1, 9) + _SHUFFLE * 6 + line(3, 6),
    line(4, 13),
    line(5, 5),
)
# Two games with a common start, and the start, which matches both.
_BRANCHES: tuple[Moves, ...] = (line(1, 44), line(1, 22) + line(6, 20), line(1, 22), line(1, 22))

_NAMES = (
    "Alekhine, Alexander", "Aljechin, A", "Alekhine", "GM Alekhine,A.", "Bogoljubow, Efim",
    "Bogoljubov, E", "Bogolubov", "Bogoljubow, Fritz", "Euwe, Max", "Max Euwe", "Petrosian, T",
    "Петросян, Тигран", "Müller, Karsten", "Mueller, K", "?", "NN", "Unknown", None,
)  # fmt: skip
_DATES = (
    "1929.09.06", "1929.09.06", "1929.09.08", "1929.06.09", "1929.09.20", "1929.12.06",
    "1930.09.06", "1930.09.??", "1929.09.??", "1929.??.??", "1931.??.??", "1954.01.02",
    "1929.10.??", "????.??.??", None,
)  # fmt: skip
_ROUNDS = ("4", "4.1", "4.2", "5", "Final", "?", "", "12", None)
_EVENTS = (
    "Candidates Final", "candidates  final", "Candidates", "Wch Candidates 1929", "Olympiad",
    "A very long name of a festival, group A", "A very long name of a festival, group B", "?",
    "Städtekampf", None,
)  # fmt: skip
_SITES = (
    "Wiesbaden", "Wiesbaden GER", "Berlin", "?", "", None, "https://lichess.org/abcd1234",
    "https://lichess.org/abcd1234/black", "https://lichess.org/wxyz9876",
)  # fmt: skip
_RESULTS = ("1-0", "1-0", "0-1", "1/2-1/2", "*", None)


def _mostly(usual: object, *choices: object) -> st.SearchStrategy[Any]:
    """Draw the usual value half of the time, so that many fields of two games agree."""
    return st.one_of(st.just(usual), st.sampled_from(choices))


@st.composite
def mainlines(draw: st.DrawFn, lines: tuple[Moves, ...] = _LINES) -> Moves:
    """Draw one of the lines, some truncated, some with slips or a transposed opening."""
    moves = list(draw(st.sampled_from(lines)))
    rng = random.Random(draw(st.integers(0, 999)))
    if draw(st.integers(0, 3)) == 0:
        transpose(moves, rng)
    if draw(st.integers(0, 2)) == 0:
        del moves[draw(st.integers(0, 44)) :]
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 2, 5]))):
        at = rng.randrange(len(moves) + 1)
        change = rng.randrange(4)
        if change == 0:
            del moves[at : at + rng.choice([1, 1, 4, 12])]
        elif change == 1:
            moves[at : at + 1] = [rng.randrange(1, 0x5000)]
        elif change == 2:
            moves[at : at + 3] = reversed(moves[at : at + 3])
        else:
            moves[at:at] = [rng.randrange(1, 0x5000) for _ in range(rng.choice([1, 4, 10]))]
    return tuple(moves)


def transpose(moves: list[int], rng: random.Random) -> None:
    """Put the first moves of each side in another order."""
    plies = rng.choice([4, 8, 12, 16, 20, 30])
    for side in (0, 1):
        own = moves[side:plies:2]
        rng.shuffle(own)
        moves[side:plies:2] = own


# The same moves of a legal game, from its start and from positions of it.
_LEGAL = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5"


def legal_game(first: int, last: int) -> Record:
    """Return plies first to last of a legal game, from a FEN unless `first` is its first ply."""
    board = chess.Board()
    fen = None
    moves = []
    for ply, written in enumerate(_LEGAL.split()[:last]):
        if ply == first and first:
            fen = board.fen()
        move = chess.Move.from_uci(written)
        if ply >= first:
            moves.append(move.from_square | move.to_square << 6)
        board.push(move)
    return Record(tuple(moves), fen=fen)


_legal_games = st.builds(legal_game, st.sampled_from([0, 0, 4, 7, 10]), st.integers(8, 18))


@st.composite
def records(draw: st.DrawFn, lines: tuple[Moves, ...]) -> Record:
    """Draw a game; one in eight is legal, and may start from a position of another game."""
    is_legal = draw(st.integers(0, 7)) == 0
    base = draw(_legal_games) if is_legal else Record(draw(mainlines(lines)))
    return base._replace(
        white=draw(_mostly("Alekhine, Alexander", *_NAMES)),
        black=draw(_mostly("Bogoljubow, Efim", *_NAMES)),
        date=draw(_mostly("1929.09.06", *_DATES)),
        round=draw(_mostly("4", *_ROUNDS)),
        event=draw(_mostly("Candidates Final", *_EVENTS)),
        site=draw(_mostly("Wiesbaden", *_SITES)),
        result=draw(_mostly("1-0", *_RESULTS)),
        elos=draw(_mostly((0, 0), (2500, 2600), (2500, 0), (2600, 2500), (2400, 2400))),
        fide_ids=draw(_mostly((0, 0), (1, 2), (1, 3), (2, 1), (0, 2), (399_999_999, 1))),
        source=draw(st.integers(1, 3)),
        persons=draw(_mostly((0, 0), (1, 2), (2, 1), (1, 0), (1, 3), (21, 22), (22, 23), (21, 3))),
        core_hash=draw(st.sampled_from([5, -7])),
        replays=draw(st.integers(0, 9)) > 0,
    )


@st.composite
def versions(draw: st.DrawFn) -> Record:
    """Draw a record of one of two games, which may lack players, date and round."""
    return Record(
        draw(mainlines(_BRANCHES)),
        white=draw(_mostly("Alekhine, Alexander", "Alekhine", "?")),
        black=draw(_mostly("Bogoljubow, Efim", "?")),
        date=draw(_mostly("1929.09.06", "1929.09.12", "1929.??.??", "1934.04.01")),
        round=draw(_mostly("4", "5", "?")),
        event=draw(_mostly("Candidates Final", "?")),
        source=draw(st.integers(1, 2)),
    )


_mixed_collections = st.lists(records(_LINES), min_size=2, max_size=9)
_few_games = st.sampled_from(_LINES).flatmap(
    lambda line: st.lists(records((line,)), min_size=2, max_size=7)
)
_one_or_two_games = st.lists(versions(), min_size=3, max_size=8)
# Short records in several sources, some of them twice.
_short_records = st.fixed_dictionaries(
    {
        "moves": st.sampled_from([line(1, 0), line(1, 1), line(1, 13)]),
        "white": _mostly("Alekhine, Alexander", "NN"),
        "date": st.sampled_from(["1929.??.??", "????.??.??", "1929.09.06"]),
        "round": st.just("?"),
        "elos": st.sampled_from([(0, 0), (2500, 2600), (2500, 0)]),
        "fide_ids": _mostly((0, 0), (1, 2), (1, 3)),
        "source": st.integers(1, 3),
    }
).map(lambda fields: Record(**fields))
_equal_records = st.lists(_short_records, min_size=2, max_size=9)
collections = st.one_of(_mixed_collections, _few_games, _one_or_two_games, _equal_records)
