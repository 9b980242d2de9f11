"""Differing moves of a duplicate as a variation: its place and length."""

from __future__ import annotations

from typing import NamedTuple

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ocgdedup.pipeline.search.variations import differing_moves
from tests.support.played_games import (
    Moves,
    mainline,
    mainline_from,
    moves_of,
    with_repetition,
    with_swapped_moves,
    with_wrong_move,
)

Found = list[tuple[int, str]]

ITALIAN = moves_of("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 a7a6")


def blob_of(moves: Moves) -> bytes:
    changed = bytearray()
    for move in map(chess.Move.from_uci, moves):
        code = move.from_square | move.to_square << 6 | (move.promotion or 0) << 12
        changed += code.to_bytes(2, "little")
    return bytes(changed)


class Finder(NamedTuple):
    """The interface of the kernel that differing_moves() uses."""

    blobs: dict[int, bytes]
    elsewhere: frozenset[int] = frozenset()
    is_go: bool = False

    def mainline(self, game_id: int) -> bytes:
        return self.blobs[game_id]

    def mainline_beside(self, game_id: int, _other: int) -> bytes:
        return self.blobs[game_id]

    def starts_alike(self, first: int, second: int) -> bool:
        return self.starts_elsewhere(first) == self.starts_elsewhere(second)

    def starts_elsewhere(self, game_id: int) -> bool:
        return game_id in self.elsewhere


def variations(master: Moves, copy: Moves) -> Found:
    finder = Finder({1: blob_of(master), 2: blob_of(copy)})
    rows = list(differing_moves(finder, [(1, 2)]))  # type: ignore[arg-type]
    assert all((row.kept, row.duplicate) == (1, 2) for row in rows)
    return [(row.ply, row.text) for row in rows]


def changed(*plies: tuple[int, str], drop: int = 0) -> Moves:
    """Return the Italian with other moves at some plies, without its last `drop` plies."""
    moves = list(ITALIAN[: len(ITALIAN) - drop])
    for ply, move in plies:
        moves[ply] = move
    return tuple(moves)


CASES: dict[str, tuple[Moves, Moves, Found]] = {
    "White's move": (ITALIAN, changed((8, "d2d4")), [(8, "5. d4")]),
    "Black's move": (ITALIAN, changed((9, "h7h6")), [(9, "5... h6")]),
    "two in a row": (ITALIAN, changed((8, "b1a3"), (9, "h7h6")), [(8, "5. Na3 h6")]),
    "the first move": (ITALIAN, changed((0, "e2e3"), (4, "f1c4")), [(0, "1. e3")]),
    "only the first of two slips": (
        ITALIAN,
        changed((7, "g8e7"), (11, "h7h6")),
        [(7, "4... Nge7")],
    ),
    "the last move": (ITALIAN, changed((11, "h7h6")), [(11, "6... h6")]),
    "moves exchanged": (ITALIAN, changed((6, "d2d3"), (8, "c2c3")), [(6, "4. d3 Nf6")]),
    "a cut-off copy": (ITALIAN, changed(drop=3), []),
    "a cut-off master": (changed(drop=3), ITALIAN, []),
    "the same": (ITALIAN, ITALIAN, []),
    "no moves": (ITALIAN, (), []),
    "a cut-off copy with a slip": (ITALIAN, changed((5, "f8e7"), drop=4), [(5, "3... Be7")]),
}


@pytest.mark.parametrize("case", CASES)
def test_place_of_the_variation(case: str) -> None:
    master, copy, expected = CASES[case]
    assert variations(master, copy) == expected


def test_a_lost_repetition() -> None:
    """The duplicate's move differs from the kept game's, whatever the length of equal parts."""
    shuffle = ("f3g1", "f6g8", "g1f3", "g8f6")
    whole = (*ITALIAN[:8], *shuffle, *shuffle, *ITALIAN[8:])
    assert variations(whole, ITALIAN) == [(8, "5. d3")]
    assert variations(ITALIAN, whole) == [(8, "5. Ng1 Ng8 6. Nf3 Nf6 7. Ng1 Ng8 8. Nf3 Nf6")]
    fewer = (*ITALIAN[:8], *shuffle, *ITALIAN[8:])
    assert variations(whole, fewer) == [(12, "7. d3")]


def test_a_long_variation_is_truncated() -> None:
    other = (*mainline(1)[:20], *mainline_from(mainline(1)[:20], 7, 40))
    assert other[20] != mainline(1)[20]
    [(ply, text)] = variations(mainline(1), other)
    assert ply == 20
    assert len([word for word in text.split() if not word.endswith(".")]) == 12


def test_games_that_start_elsewhere_have_none() -> None:
    blobs = {1: blob_of(ITALIAN), 2: blob_of(changed((9, "h7h6")))}
    for elsewhere in ({1}, {2}, {1, 2}):
        finder = Finder(blobs, frozenset(elsewhere))
        assert list(differing_moves(finder, [(1, 2)])) == []  # type: ignore[arg-type]


def test_moves_that_do_not_replay_have_none() -> None:
    """As in databases of OCGDB; other duplicates have their variations."""
    blobs = {1: blob_of(ITALIAN), 2: b"\xff\xff" * 12, 3: blob_of(changed((9, "h7h6")))}
    differences = differing_moves(Finder(blobs), [(1, 2), (1, 3)])  # type: ignore[arg-type]
    assert [(row.duplicate, row.text) for row in differences] == [(3, "5... h6")]


def test_one_slip_in_several_copies() -> None:
    slip = changed((9, "h7h6"))
    blobs = {1: blob_of(ITALIAN), 2: blob_of(slip), 3: blob_of(slip[:-1]), 4: blob_of(ITALIAN)}
    differences = differing_moves(Finder(blobs), [(1, 2), (1, 3), (4, 3)])  # type: ignore[arg-type]
    assert [(row.kept, row.duplicate) for row in differences] == [(1, 2), (4, 3)]


def test_several_copies_of_several_masters() -> None:
    blobs = {
        1: blob_of(ITALIAN),
        2: blob_of(changed((9, "h7h6"))),
        3: blob_of(changed((8, "d2d4"))),
        4: blob_of(mainline(4)),
        5: blob_of(with_wrong_move(mainline(4))),
    }
    differences = differing_moves(Finder(blobs), [(1, 2), (1, 3), (4, 5)])  # type: ignore[arg-type]
    assert [(row.kept, row.duplicate) for row in differences] == [(1, 2), (1, 3), (4, 5)]


@pytest.mark.slow
@settings(max_examples=50)
@given(
    st.integers(1, 12),
    st.sampled_from([with_wrong_move, with_swapped_moves, with_repetition]),
    st.booleans(),
)
def test_variations_replay_and_differ_from_the_kept_game(seed, change, is_longer) -> None:
    """It is legal in the kept game's position, and the duplicate continues so."""
    games = [mainline(seed), change(mainline(seed))]
    master, copy = games if is_longer else reversed(games)
    shorter = min(map(len, games))
    assume(master[:shorter] != copy[:shorter])  # a repetition at the end, once more
    [(ply, text)] = variations(master, copy)
    board = chess.Board()
    for move in master[:ply]:
        board.push_uci(move)
    played = []
    for word in text.split():
        if not word.endswith("."):
            played.append(board.push_san(word).uci())
    assert tuple(played) == copy[ply : ply + len(played)]
    assert played[0] != master[ply]
