"""A search in parts: the kernels give the same results for parts as for the whole."""

from __future__ import annotations

import random
from array import array

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import BUCKETS, SOURCES, DuplicateFinder, EdgeList, NumberBuckets
from ocgdedup.matching.evidence import (
    GO_WEIGHTS,
    MATCH,
    NON_MATCH,
    POSSIBLE_MATCH,
    UNRELATED,
    Weights,
)
from ocgdedup.model import EqualRecord
from ocgdedup.pipeline.search.detect import SearchOptions, unsearched_finder
from ocgdedup.pipeline.search.stages import run_stages
from tests.support.copy_games import GATES, WEIGHTS, Record, batch_of, database, line
from tests.support.random_copies import collections

INDEX_BITS = 26
RANK = {NON_MATCH: 0, POSSIBLE_MATCH: 1, MATCH: 2}
DATES = ("1929.09.06", "1929.09.07", "1929.??.??", "1929.11.06", "1930.09.06")


def ordered(records: list) -> DuplicateFinder:
    finder = unsearched_finder(database(records), SearchOptions())
    for stage in (finder.find_lines, finder.find_shared, finder.find_theory, finder.find_ends):
        stage(0, finder.games)
    return finder


def pairs_by_keys(
    finder: DuplicateFinder, source: str, *, by_line: bool = False
) -> set[tuple[int, int]]:
    """Return the candidate pairs of the search itself, with any condition."""
    keys, pairs = NumberBuckets(64), NumberBuckets(finder.pair_bits)
    finder.add_keys(source, 0, finder.games, keys, by_line)
    for bucket in range(BUCKETS):
        finder.pair_by_keys(source, keys, bucket, pairs, by_line)
    made = search_kernel.pairs_of(finder, pairs)
    return set(zip(made.left, made.right, strict=True))


def pairs_in_parts(
    finder: DuplicateFinder, source: str, rng: random.Random
) -> set[tuple[int, int]]:
    """Return the IDs of pairs of pair_keyed_games(), with spread places and shuffled rows."""
    facts = search_kernel.order_facts(finder)
    outlines = search_kernel.game_summaries(finder)
    keys = NumberBuckets(64)
    finder.add_keys(source, 0, finder.games, keys)
    rows = []
    for bucket in range(BUCKETS):
        for number in memoryview(keys.items(bucket)).cast("B").cast("Q"):
            place = number & ((1 << INDEX_BITS) - 1)
            key = number >> INDEX_BITS
            outline = outlines[2 * place : 2 * place + 2]
            line, ends_at = 7 * facts.lines[place], 7 * facts.ends[place]
            rows.append((key, 7 * place, line, facts.is_open[place], ends_at, outline))
    rng.shuffle(rows)
    columns = list(zip(*rows, strict=True)) or [()] * 6
    sent = numpy.array(columns[5], "<u8").reshape(-1, 2) if source == "players" else None
    made = search_kernel.pair_keyed_games(
        source, array("q", columns[0]), array("q", columns[1]), array("q", columns[2]),
        array("B", columns[3]), array("q", columns[4]), sent,
    )  # fmt: skip
    places = zip(made.left, made.right, strict=True)
    pairs = [(facts.ids[a // 7], facts.ids[b // 7]) for a, b in places]
    assert len(pairs) == len(set(pairs))
    return set(pairs)


def pairs_of_equal_games(finder: DuplicateFinder) -> set[tuple[int, int]]:
    pairs = NumberBuckets(finder.pair_bits)
    finder.pair_equal_games(0, finder.games, pairs)
    made = search_kernel.pairs_of(finder, pairs)
    return set(zip(made.left, made.right, strict=True))


@given(collections, st.integers(0, 30), st.integers(0, 20))
def test_one_game_of_each_mainline_has_keys_for_all(
    records: list, more_of_first: int, more_of_last: int
) -> None:
    """Large sets of one key, and mainlines with more games than are all paired, included."""
    records = [*records, *records[:1] * more_of_first, *records[-1:] * more_of_last]
    finder = ordered(records)
    equal = pairs_of_equal_games(finder)
    for source in SOURCES:
        by_line = pairs_by_keys(finder, source, by_line=True)
        by_game = pairs_by_keys(finder, source)
        assert by_line | equal == by_game | equal
        assert by_line <= by_game


@given(collections, st.lists(st.sampled_from([None, 0, 7]), min_size=9, max_size=9))
def test_stored_last_positions_that_differ_lose_no_pair(
    records: list, final_keys: list[int | None]
) -> None:
    """Damaged values of FinalZobrist within a mainline; then a game has an end key of its own."""
    records = [
        record if key is None else record._replace(final_key=key)
        for record, key in zip(records, final_keys, strict=False)
    ]
    finder = ordered(records)
    found = pairs_by_keys(finder, "moves", by_line=True) | pairs_of_equal_games(finder)
    assert pairs_by_keys(finder, "moves") <= found


def test_many_equal_games_with_damaged_last_positions_make_few_pairs() -> None:
    game = Record(line(1, 60))
    records = [game._replace(final_key=7) if i % 3 else game for i in range(2000)]
    finder = ordered([*records, Record(line(2, 60), final_key=7)])
    assert len(pairs_by_keys(finder, "moves", by_line=True)) < 10 * len(records)


@given(collections, st.randoms(use_true_random=False))
def test_pairs_by_keys_equal_those_of_one_search(records: list, rng: random.Random) -> None:
    finder = ordered(records)
    for source in SOURCES:
        assert pairs_in_parts(finder, source, rng) == pairs_by_keys(finder, source)


@given(collections)
def test_line_keys_sort_as_mainlines_do(records: list) -> None:
    finder = ordered(records)
    keys = [key for _, key in search_kernel.line_keys(finder)]
    assert keys == sorted(keys)
    facts = search_kernel.order_facts(finder)
    assert [game_id for game_id, _ in search_kernel.line_keys(finder)] == facts.ids.tolist()
    for place, first in enumerate(facts.lines):
        assert keys[place] == keys[first]
        assert first <= place


@given(st.integers(1, 30), st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29))))
def test_components_equal_those_of_a_plain_search(count: int, links: list[tuple[int, int]]) -> None:
    links = [(a % count, b % count) for a, b in links]
    actual = search_kernel.components(
        array("q", [a for a, _ in links]), array("q", [b for _, b in links]), count
    )
    expected = list(range(count))
    for _ in range(count):
        for a, b in links:
            expected[a] = expected[b] = min(expected[a], expected[b])
    assert actual.tolist() == expected


@given(
    st.sampled_from([WEIGHTS, GO_WEIGHTS]),
    st.integers(0, 60),
    st.integers(0, 6),
    st.sampled_from(DATES),
    st.booleans(),
    st.booleans(),
)
def test_more_theory_never_strengthens_a_pair(
    weights: Weights, shared: int, missing: int, date: str, are_named: bool, is_transposed: bool
) -> None:
    """What a search after new games relies on: see theory_only_weakens()."""
    moves = (*line(1, shared), *line(2, 70 - shared))
    if is_transposed:
        moves = (*moves[2:4], *moves[:2], *moves[4:])
    other = Record(moves[: 70 - missing], date=date, source=2)
    if not are_named:
        other = other._replace(white="Euwe, Max", event=None)
    batch = batch_of(database([Record(line(1, 70)), other]))
    finder = DuplicateFinder(batch, weights._asdict(), GATES._asdict())
    run_stages(finder)
    strengths = []
    for theory in range(0, 75, 3):
        search_kernel.set_theory(finder, array("q", [1, 2]), array("I", [theory, theory // 2]))
        comparison = finder.compare(1, 2)
        is_pair = comparison.kind != UNRELATED
        strengths.append((is_pair * RANK[comparison.verdict], comparison.score if is_pair else -99))
    assert strengths == sorted(strengths, reverse=True)


def test_invalid_facts_of_a_part_are_refused() -> None:
    finder = ordered([])
    assert search_kernel.equal_records(finder) == []
    with pytest.raises(KeyError):
        search_kernel.set_theory(finder, array("q", [1]), array("I", [3]))
    with pytest.raises(KeyError):
        search_kernel.set_equal_records(finder, [EqualRecord(1, 2, 0, [1, 2])])
    with pytest.raises(ValueError, match="not a multiple of 18"):
        search_kernel.load_edges_of(finder, b"abc")
    with pytest.raises(ValueError, match="number out of range"):
        search_kernel.components(array("q", [3]), array("q", [0]), 2)
    with pytest.raises(ValueError, match="different lengths"):
        search_kernel.pair_keyed_games(
            "moves", array("q", [1]), array("q"), array("q"), array("B"), array("q")
        )
    with pytest.raises(ValueError, match="2 summaries for 1 rows"):
        search_kernel.pair_keyed_games(
            "players", array("q", [1]), array("q", [0]), array("q", [0]), array("B", [0]),
            array("q", [1]), numpy.zeros((2, 2), "<u8"),
        )  # fmt: skip
    with pytest.raises(ValueError, match="index or key out of range"):
        search_kernel.pair_keyed_games(
            "moves", array("q", [1 << 38]), array("q", [0]), array("q", [0]), array("B", [0]),
            array("q", [1]),
        )  # fmt: skip


def test_order_is_forgotten_once_games_are_grouped() -> None:
    finder = ordered([])
    finder.connect(EdgeList())
    assert search_kernel.order_facts(finder).ids.tolist() == []


def test_names_have_the_same_hash_in_every_process() -> None:
    assert search_kernel.name_hash("") == 0
    assert search_kernel.name_hash("Carlsen, Magnus") == search_kernel.name_hash("Carlsen, Magnus")
    assert search_kernel.name_hash("Zoë") != search_kernel.name_hash("Zoe")
