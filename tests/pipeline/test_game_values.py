"""Values derived from the moves of a game, against a plain parse of the blob."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.pipeline.check.findings import EXAMPLES, KINDS, Tally
from ocgdedup.pipeline.check.game_values import special_moves

MOVES = st.lists(st.sampled_from([0, 1, 0x0100, 0x00FF, 0x070C, 0x7FFF, 0x8000, 0x8304]))


@given(MOVES)
def test_special_moves(moves: list[int]) -> None:
    expected = (1 if any(move & 0x8000 for move in moves) else 0) + (2 if 0 in moves else 0)
    assert special_moves(struct.pack(f"<{len(moves)}H", *moves)) == expected


def test_a_tally_keeps_the_first_examples_in_the_order_of_the_kinds() -> None:
    tally = Tally()
    for game_id in range(1, 100):
        tally.add("keys", game_id)
    tally.add("moves", 5, "ply 1")
    first, second = tally.findings()
    assert (first.kind, first.total, first.examples) == ("moves", 1, [(5, "ply 1")])
    assert (second.kind, second.total) == ("keys", 99)
    assert second.examples == [(game_id, None) for game_id in range(1, EXAMPLES + 1)]
    assert tally.has("keys")
    assert not tally.has("date")


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_in_words(kind: str) -> None:
    assert KINDS[kind].description[0].islower() or KINDS[kind].description.startswith("Go ")
    assert KINDS[kind].advice != ""
