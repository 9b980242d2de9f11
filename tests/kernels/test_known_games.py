"""The order that an earlier search left: what does not fit is refused; see test_new_games.py."""

from __future__ import annotations

import struct
from array import array

import pytest

from ocgdedup._kernels.search import ORDINAL_BITS, KnownOrder

GAMES = 3
ROWS = b"".join(struct.pack("=6I4H4B", 0, 0, 0, 0, 0, n, *(0,) * 8) for n in range(GAMES))
SPANS = struct.pack("=QQ", 0, 0)
IDS = array("q", (1, 3, 7, 8))


def test_it_fits() -> None:
    assert KnownOrder(ROWS, SPANS, IDS).games == GAMES


@pytest.mark.parametrize(
    ("rows", "spans", "ids"),
    [
        (ROWS[:-1], SPANS, IDS),
        (b"", SPANS, IDS),
        (ROWS, SPANS[:-1], IDS),
        (ROWS, b"", IDS),
        (ROWS, struct.pack("=QQ", 0, 1), IDS),
        (ROWS, struct.pack("=4Q", 0, 0, 9, GAMES), IDS),
        (ROWS, struct.pack("=6Q", 0, 0, 8, 2, 9, 1), IDS),
        (ROWS, SPANS, IDS[:2]),
        (ROWS, SPANS, array("q")),
    ],
)
def test_what_does_not_fit_is_refused(rows: bytes, spans: bytes, ids: array[int]) -> None:
    with pytest.raises(ValueError, match=r"order of games|IDs for 3 games"):
        KnownOrder(rows, spans, ids)


def test_unknown_games_are_refused() -> None:
    order = KnownOrder(ROWS, SPANS, IDS)
    keys, known = array("Q", [1 << ORDINAL_BITS]), array("Q", [1 << ORDINAL_BITS | 2])
    unknown = array("Q", [1 << ORDINAL_BITS | GAMES])
    with pytest.raises(ValueError, match="unknown game"):
        order.ask(unknown)
    with pytest.raises(ValueError, match="find_asked"):
        order.choose_by_keys("moves", keys, known)
    order.ask(known)
    order.find_asked()
    with pytest.raises(ValueError, match="unknown game"):
        order.choose_by_keys("moves", keys, unknown)
    with pytest.raises(ValueError, match="out of range"):  # no new game was placed
        order.choose_by_keys("moves", keys, known)
    assert order.chosen_games() == (array("q"), array("i"))
