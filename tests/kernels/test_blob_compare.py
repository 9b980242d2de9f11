"""Similarity of two move blobs: against slow references, rapidfuzz, known values, laws."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel, JaroWinkler, LCSseq

from ocgdedup._kernels import search as search_kernel
from tests.reference import move_distances as reference
from tests.reference.move_blobs import encode_san

fixed = settings(max_examples=400)
few = settings(fixed, max_examples=60)

MEASURES = [
    search_kernel.common_plies,
    search_kernel.common_tail,
    search_kernel.indel_distance,
    search_kernel.prefix_indel_distance,
    search_kernel.jaro_winkler,
    search_kernel.monge_elkan,
]
SYMMETRIC = [measure for measure in MEASURES if measure is not search_kernel.prefix_indel_distance]
MOST_PLIES = 1 << 20

e2e4, e7e5, g1f3, b8c6, f1b5, a7a6, e2e3, d2e3 = (
    start | target << 6
    for start, target in [
        (12, 28), (52, 36), (6, 21), (57, 42), (5, 33), (48, 40), (12, 20), (11, 20),
    ]
)  # fmt: skip

# Few moves, so that many are equal; some share a square, some differ in their highest bits alone.
few_moves = st.sampled_from([0x0000, e2e4, e2e4 | 0x8000, e2e3, d2e3, 0xFFFF])
short_games = st.lists(few_moves, max_size=14)
any_games = st.lists(st.integers(0, 0xFFFF), max_size=90)


@st.composite
def copies(draw, plies=150):
    """Return a game, and a copy with up to 12 moves inserted, omitted or replaced."""
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    kinds = draw(st.sampled_from([3, 40, 4000]))
    game = [rng.randrange(kinds) for _ in range(rng.randrange(plies))]
    copy = list(game)
    for _ in range(rng.randrange(12)):
        place = rng.randrange(len(copy) + 1)
        copy[place : place + rng.randrange(2)] = [rng.randrange(kinds)] * rng.randrange(2)
    return game, copy[: rng.choice([None, rng.randrange(plies)])]


pairs = st.one_of(
    st.tuples(short_games, short_games),
    st.tuples(any_games, any_games),
    copies(),
)


def blob(moves):
    return b"".join(move.to_bytes(2, "little") for move in moves)


def long_game(seed, plies, kinds=600):
    rng = random.Random(seed)
    return [rng.randrange(kinds) for _ in range(plies)]


def with_slips(moves, seed, slips, kinds=600):
    rng = random.Random(seed)
    copy = list(moves)
    for _ in range(slips):
        place = rng.randrange(len(copy))
        copy[place : place + rng.randrange(3)] = [rng.randrange(kinds)] * rng.randrange(2)
    return copy


# --- shared ends --------------------------------------------------------------------------------


@pytest.mark.slow
@fixed
@given(pairs)
def test_shared_ends_equal_the_reference(pair):
    a, b = pair
    assert search_kernel.common_plies(blob(a), blob(b)) == reference.common_plies(a, b)
    assert search_kernel.common_tail(blob(a), blob(b)) == reference.common_tail(a, b)


@pytest.mark.parametrize("plies", [1, 3, 4, 5, 7, 8, 9, 31])
def test_shared_ends_around_one_changed_move(plies):
    # The change may be in either byte of any move of a word.
    game = [0x0102 * (i + 1) for i in range(plies)]
    for place in range(plies):
        for bit in (1, 0x0080, 0x0100, 0x8000):
            other = list(game)
            other[place] ^= bit
            assert search_kernel.common_plies(blob(game), blob(other)) == place
            assert search_kernel.common_tail(blob(game), blob(other)) == plies - 1 - place


# --- insertions and deletions -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nc6 Bb5 a6", 0),
        ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nc6 Bb5", 1),
        ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nc6 Bc4 a6", 2),  # replaced
        ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 a6 Bb5 Nc6", 4),  # Black's moves swapped
        ("e4 e5 Nf3 Nc6 Bb5 a6", "Nf3 e5 e4 Nc6 Bb5 a6", 4),  # White's
        ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O", 3),
        ("e4 e5", "d4 d5 c4", 5),
        ("", "e4 e5 Nf3", 3),
        ("", "", 0),
    ],
)
def test_indel_distance_of_known_games(left, right, distance):
    a, b = (encode_san(None, san)[0] for san in (left, right))
    assert search_kernel.indel_distance(a, b) == distance
    assert search_kernel.indel_distance(b, a) == distance
    for most in range(9):
        assert search_kernel.indel_distance(a, b, most=most) == min(distance, most + 1)


@pytest.mark.slow
@fixed
@given(pairs, st.integers(0, 64))
def test_indel_distance_equals_the_reference(pair, most):
    a, b = pair
    distance = reference.indel_distance(a, b)
    assert search_kernel.indel_distance(blob(a), blob(b), most=most) == min(distance, most + 1)
    assert search_kernel.indel_distance(blob(a), blob(b)) == min(distance, 65)


@few
@given(st.lists(st.integers(0, 3), max_size=9), st.lists(st.integers(0, 3), max_size=9))
def test_each_limit_of_the_indel_distance(a, b):
    distance = reference.indel_distance(a, b)
    for most in range(20):
        assert search_kernel.indel_distance(blob(a), blob(b), most=most) == min(distance, most + 1)


@pytest.mark.slow
@fixed
@given(copies(plies=700), st.integers(0, 64))
def test_indel_distance_equals_that_of_rapidfuzz(pair, most):
    distance = Indel.distance(*pair, score_cutoff=most)
    assert search_kernel.indel_distance(*map(blob, pair), most=most) == distance


def test_indel_distance_at_the_highest_limit():
    game = long_game(1, 200)
    assert search_kernel.indel_distance(blob(game), blob(game[64:])) == 64
    assert search_kernel.indel_distance(blob(game), blob(game[65:])) == 65
    assert search_kernel.indel_distance(blob(game[:32]), blob(range(700, 732))) == 64
    assert search_kernel.indel_distance(blob(game[:33]), blob(range(700, 733))) == 65


def test_indel_distance_of_very_long_games():
    game = long_game(2, 20_000)
    copy = with_slips(game, 3, 15)
    distance = Indel.distance(game, copy)
    assert 10 < distance < 64
    assert search_kernel.indel_distance(blob(game), blob(copy)) == distance
    assert search_kernel.indel_distance(blob(copy), blob(game), most=distance - 1) == distance


@pytest.mark.slow
@fixed
@given(pairs)
def test_indel_distance_is_what_the_lcs_leaves(pair):
    a, b = pair
    distance = len(a) + len(b) - 2 * LCSseq.similarity(a, b)
    assert search_kernel.indel_distance(blob(a), blob(b)) == min(distance, 65)


@pytest.mark.slow
@fixed
@given(short_games, short_games, short_games)
def test_indel_distance_obeys_the_triangle(a, b, c):
    a, b, c = map(blob, (a, b, c))
    through_b = search_kernel.indel_distance(a, b) + search_kernel.indel_distance(b, c)
    assert search_kernel.indel_distance(a, c) <= through_b


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("e4 e5 Nf3", "e4 e5 Nf3 Nc6 Bb5 a6", (0, 3)),
        ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3", (3, 3)),
        ("e4 e5 Bc4", "e4 e5 Nf3 Nc6 Bb5 a6", (1, 2)),  # the last ply alone is wrong
        ("e4 e5 Bc4 Nc6", "e4 e5 Nf3 Nc6 Bb5 a6", (2, 4)),
        ("e4 e5 Nc3 Nc6 Bb5", "e4 e5 Nf3 Nc6 Bb5 a6", (2, 5)),
        ("d4 d5", "e4 e5 Nf3", (2, 0)),
        ("", "e4 e5 Nf3", (0, 0)),
        ("e4", "", (1, 0)),
        ("", "", (0, 0)),
    ],
)
def test_prefix_distance_of_known_games(left, right, expected):
    a, b = (encode_san(None, san)[0] for san in (left, right))
    assert search_kernel.prefix_indel_distance(a, b) == expected
    if expected[0] > 0:
        assert search_kernel.prefix_indel_distance(a, b, most=expected[0] - 1) == (expected[0], 0)


@pytest.mark.slow
@fixed
@given(pairs, st.integers(0, 64))
def test_prefix_distance_equals_the_reference(pair, most):
    a, b = pair
    expected = reference.prefix_indel_distance(a, b)
    if expected[0] > most:
        expected = (most + 1, 0)
    assert search_kernel.prefix_indel_distance(blob(a), blob(b), most=most) == expected


@few
@given(st.lists(st.integers(0, 3), max_size=9), st.lists(st.integers(0, 3), max_size=9))
def test_each_limit_of_the_prefix_distance(a, b):
    distance, plies = reference.prefix_indel_distance(a, b)
    for most in range(12):
        expected = (distance, plies) if distance <= most else (most + 1, 0)
        assert search_kernel.prefix_indel_distance(blob(a), blob(b), most=most) == expected


@pytest.mark.slow
@fixed
@given(pairs)
def test_prefix_distance_is_that_to_the_prefix_it_names(pair):
    a, b = map(blob, pair)
    distance, plies = search_kernel.prefix_indel_distance(a, b)
    assert distance <= search_kernel.indel_distance(a, b)
    if distance <= 64:
        assert search_kernel.indel_distance(a, b[: 2 * plies]) == distance
        # Of the plies of a and of the prefix, those that are not edited are the common ones.
        common = (len(a) // 2 + plies - distance) // 2
        assert LCSseq.similarity(pair[0], pair[1][:plies]) == common


@pytest.mark.slow
@fixed
@given(any_games, any_games)
def test_prefix_distance_of_a_prefix_is_none(a, b):
    assert search_kernel.prefix_indel_distance(blob(a), blob(a + b)) == (0, len(a))


# --- Jaro-Winkler -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "similarity"),
    [
        # Winkler, "String comparator metrics and enhanced decision rules" (1990), table of pairs.
        ("MARTHA", "MARHTA", 0.9611),
        ("DWAYNE", "DUANE", 0.84),
        ("DIXON", "DICKSONX", 0.8133),
        ("ABROMS", "ABRAMS", 0.9222),
        ("CAT", "DOG", 0.0),
        ("A", "A", 1.0),
        ("", "A", 0.0),
        ("", "", 1.0),
    ],
)
def test_jaro_winkler_of_known_words(left, right, similarity):
    a, b = (blob(map(ord, word)) for word in (left, right))
    assert search_kernel.jaro_winkler(a, b) == pytest.approx(similarity, abs=5e-5)


@fixed
@given(pairs)
@example(([1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 5, 6]))  # three out of order: half is rounded down
def test_jaro_winkler_equals_the_reference(pair):
    a, b = pair
    expected = pytest.approx(reference.jaro_winkler(a, b), abs=1e-12)
    assert search_kernel.jaro_winkler(blob(a), blob(b)) == expected


@fixed
@given(st.integers(0, 1 << 32), st.integers(0, 300), st.integers(0, 300), st.integers(1, 100))
def test_jaro_winkler_equals_that_of_rapidfuzz(seed, plies, other_plies, kinds):
    a, b = long_game(seed, plies, kinds), long_game(seed + 1, other_plies, kinds)
    expected = pytest.approx(JaroWinkler.similarity(a, b), abs=1e-12)
    assert search_kernel.jaro_winkler(blob(a), blob(b)) == expected
    expected = pytest.approx(JaroWinkler.similarity(a, a[:9] + b), abs=1e-12)
    assert search_kernel.jaro_winkler(blob(a), blob(a[:9] + b)) == expected


@few
@given(copies(plies=700))
def test_jaro_winkler_of_copies_equals_that_of_rapidfuzz(pair):
    expected = pytest.approx(JaroWinkler.similarity(*pair), abs=1e-12)
    assert search_kernel.jaro_winkler(*map(blob, pair)) == expected


@pytest.mark.parametrize("plies", [2047, 2048, 2049, 2500])
@pytest.mark.parametrize("kinds", [3, 600])
def test_jaro_winkler_of_long_games(plies, kinds):
    game = [601, *long_game(8, plies - 1, kinds)]
    for other in (
        [602, *long_game(9, 2100, kinds)],
        [602, *with_slips(game[1:], 10, 300, kinds), *game[:60]],
        [*game[:20], *long_game(11, plies, kinds)],
    ):
        expected = pytest.approx(JaroWinkler.similarity(game, other), abs=1e-12)
        assert search_kernel.jaro_winkler(blob(game), blob(other)) == expected
        assert search_kernel.jaro_winkler(blob(other), blob(game)) == expected


# --- Monge-Elkan --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "similarity"),
    [
        ([], [], 1.0),
        ([], [e2e4], 0.0),
        ([e2e4, e7e5], [e2e4, e7e5], 1.0),
        ([e2e4], [e2e3], 0.5),  # equal origin
        ([e2e3], [d2e3], 0.5),  # equal target
        ([e2e4], [e2e4 | 2 << 12], 0.5),  # another promotion
        ([e2e4], [d2e3], 0.0),
        ([e2e4, g1f3], [g1f3, e2e4], 1.0),
        ([e2e4], [e2e4, e7e5], (1 + 1 / 2) / 2),
        ([e2e4, e7e5, g1f3], [e2e3, e7e5, f1b5], (1.5 / 3 + 1.5 / 3) / 2),
        ([e2e4], [a7a6] * 4 + [e2e4], (1 + 1 / 5) / 2),  # four places off
        ([e2e4], [a7a6] * 5 + [e2e4], 0.0),  # five
    ],
)
def test_monge_elkan_of_known_games(a, b, similarity):
    assert search_kernel.monge_elkan(blob(a), blob(b)) == similarity
    assert reference.monge_elkan(a, b) == similarity


@fixed
@given(pairs)
def test_monge_elkan_equals_the_reference(pair):
    expected = pytest.approx(reference.monge_elkan(*pair), abs=1e-12)
    assert search_kernel.monge_elkan(*map(blob, pair)) == expected


# --- all of them --------------------------------------------------------------------------------


@fixed
@given(pairs)
def test_measures_are_symmetric(pair):
    a, b = map(blob, pair)
    for measure in SYMMETRIC:
        assert measure(a, b) == measure(b, a), measure.__name__


@fixed
@given(any_games)
def test_a_game_is_like_itself(game):
    a, plies = blob(game), len(game)
    expected = [plies, plies, 0, (0, plies), 1.0, 1.0]
    assert [measure(a, a) for measure in MEASURES] == expected


@few
@given(pairs)
def test_any_buffer_will_do(pair):
    a, b = map(blob, pair)
    for measure in MEASURES:
        expected = measure(a, b)
        # Behind one more byte, moves lie across the places where a processor likes them.
        assert measure(memoryview(b"." + a)[1:], b) == expected
        assert measure(bytearray(a), memoryview(b"." + b)[1:]) == expected


@pytest.mark.parametrize("measure", MEASURES)
def test_measures_refuse_invalid_blobs(measure):
    for left, right in [(b"abc", b""), (b"", b"abc"), (b"ab", b"abc")]:
        with pytest.raises(ValueError, match="odd move blob of 3 bytes"):
            measure(left, right)
    for left, right in [(None, b""), (b"", None), ("ab", b"ab"), (memoryview(b"abcd")[::2], b"")]:
        with pytest.raises((TypeError, ValueError, BufferError)):
            measure(left, right)


@pytest.mark.parametrize("measure", MEASURES)
def test_measures_have_a_longest_game(measure):
    longest, longer = bytes(2 * MOST_PLIES), bytes(2 * MOST_PLIES + 2)
    measure(longest, b"ab")
    for left, right in [(longer, b""), (b"", longer)]:
        with pytest.raises(ValueError, match=r"2097154 bytes: more than 2097152"):
            measure(left, right)


@pytest.mark.parametrize(
    "measure", [search_kernel.indel_distance, search_kernel.prefix_indel_distance]
)
@pytest.mark.parametrize("most", [-1, 65])
def test_distances_refuse_other_limits(measure, most):
    with pytest.raises(ValueError, match=rf"most is out of range \(0 to 64\): {most}"):
        measure(b"", b"", most=most)
