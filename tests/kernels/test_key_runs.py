"""Packed blocking keys: looked up, merged and damaged."""

from __future__ import annotations

import random
from array import array

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.search import BUCKETS, SOURCES, KeyRuns, NumberBuckets, pack_keys, run_end
from ocgdedup.pipeline.search.detect import SearchOptions, unsearched_finder
from tests.reference import key_runs as reference
from tests.reference.key_runs import HASH_BITS, INDEX_BITS, Key, bucket_of, run_of
from tests.support.copy_games import database
from tests.support.random_copies import collections

GAMES = 1 << INDEX_BITS
# Hashes at the edges of buckets, close together, and anywhere.
hashes = st.one_of(
    st.integers(0, (1 << HASH_BITS) - 1),
    st.integers(0, BUCKETS - 1).map(lambda bucket: bucket << 32),
    st.integers(0, BUCKETS - 1).map(lambda bucket: (bucket << 32) + (1 << 32) - 1),
    st.integers(0, 300),
)
keys = st.lists(
    st.tuples(hashes, st.one_of(st.integers(0, 40), st.integers(0, GAMES - 1))), max_size=40
)


def random_keys(rng: random.Random, *, count: int, spread: int, repeats: int) -> list[Key]:
    """Return keys: `repeats` or fewer for each of `count` hashes, in a range of `spread`."""
    first = rng.randrange((1 << HASH_BITS) - spread + 1)
    games = rng.choice((1, 2, 1000, GAMES))
    return [
        (hashed, rng.randrange(games))
        for hashed in (first + rng.randrange(spread) for _ in range(count))
        for _ in range(rng.randint(1, repeats))
    ]


def looked_up(runs: KeyRuns, source: str, wanted: set[int]) -> list[int]:
    return runs.lookup(source, array("Q", sorted(wanted)), GAMES).tolist()


@given(st.lists(keys, max_size=4), st.sets(hashes, max_size=20))
@example([[(5, 1)] * 300, [(5, 0), (6, 0)]], {4, 5, 6})
@example([[(0, 0)], [((1 << HASH_BITS) - 1, GAMES - 1)]], {0, 1, (1 << HASH_BITS) - 1})
def test_lookup_filters_the_keys_of_all_runs(parts: list[list[Key]], others: set[int]) -> None:
    runs = KeyRuns([run_of({"players": part, "moves": [(1, 1)]}) for part in parts])
    every = [key for part in parts for key in part]
    for wanted in ({hashed for hashed, _ in every} | others, others):
        assert looked_up(runs, "players", wanted) == reference.lookup(every, wanted)


@pytest.mark.parametrize("spread", [1, 50, 5000, 1 << 26, 1 << 33, 1 << HASH_BITS])
@pytest.mark.parametrize("repeats", [1, 2, 40, 700])
def test_many_keys_of_one_run(spread: int, repeats: int) -> None:
    rng = random.Random(f"{spread} {repeats}")
    every = random_keys(rng, count=2000 // repeats, spread=spread, repeats=repeats)
    runs = KeyRuns([run_of({"moves": every})])
    wanted = sorted({hashed for hashed, _ in every})
    for chosen in (wanted, wanted[::7], wanted[-1:], [*range(wanted[0], wanted[0] + 100)]):
        inside = {hashed for hashed in chosen if hashed < 1 << HASH_BITS}
        assert looked_up(runs, "moves", inside) == reference.lookup(every, inside)


@given(st.lists(keys, max_size=4))
def test_merged_runs_are_one_run_of_all_keys(parts: list[list[Key]]) -> None:
    every = [key for part in parts for key in part]
    runs = KeyRuns([run_of({"addresses": part}) for part in parts])
    whole = reference.buckets_of(every)
    for bucket in range(BUCKETS):
        assert runs.merged("addresses", bucket) == pack_keys(whole, bucket)
        assert runs.merged("moves", bucket) == b""


@given(collections, st.booleans())
def test_a_search_packs_its_keys_with_ordinals(records: list, is_by_line: bool) -> None:
    finder = unsearched_finder(database(records), SearchOptions())
    with pytest.raises(ValueError, match="keep_ordinals"):
        finder.pair_by_keys("moves", NumberBuckets(64), 0, NumberBuckets(64), packs=True)
    finder.keep_ordinals()
    for stage in (finder.find_lines, finder.find_shared, finder.find_theory, finder.find_ends):
        stage(0, finder.games)
    ordinals = finder.ordinals_by_index().cast("I").tolist()
    assert sorted(ordinals) == list(range(finder.games))
    for source in SOURCES:
        added, plain = NumberBuckets(64), []
        finder.add_keys(source, 0, finder.games, added, is_by_line)
        for bucket in range(BUCKETS):
            for key in memoryview(added.items(bucket)).cast("Q"):
                plain.append((key >> INDEX_BITS, ordinals[key % GAMES]))
        for bucket in range(BUCKETS):
            packed = finder.pair_by_keys(
                source, added, bucket, NumberBuckets(64), is_by_line, packs=True
            )
            expected = [key for key in plain if bucket_of(key[0]) == bucket]
            assert packed == pack_keys(reference.buckets_of(expected), bucket)


def test_keys_take_about_five_bytes() -> None:
    rng = random.Random(4)
    every = [(rng.randrange(1 << 32), rng.randrange(100_000)) for _ in range(11_000)]
    # 700,000 keys of 100,000 games in 64 buckets.
    assert len(pack_keys(reference.buckets_of(every), 0)) < 5.05 * len(every)


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_damage_is_noticed_or_does_no_harm(rng: random.Random) -> None:
    spread = rng.choice((60, 1 << 20, 1 << 34))
    every = random_keys(rng, count=150, spread=spread, repeats=rng.choice((1, 4)))
    run = run_of({"moves": every, "players": every[:3]})
    wanted = {hashed for hashed, _ in every}
    right = reference.lookup(every, wanted), reference.lookup(every[:3], wanted)
    buckets = sorted({bucket_of(hashed) for hashed in wanted})
    merged = [KeyRuns([run]).merged("moves", bucket) for bucket in buckets]
    noticed = 0
    for bit in rng.sample(range(8 * len(run)), 400):
        damaged = bytearray(run)
        damaged[bit >> 3] ^= 1 << (bit & 7)
        try:
            runs = KeyRuns([damaged])
            found = tuple(looked_up(runs, source, wanted) for source in ("moves", "players"))
            assert found == right
            assert [runs.merged("moves", bucket) for bucket in buckets] == merged
        except ValueError:
            noticed += 1
    assert noticed > 390  # bits that fill the last word of a block count too


@given(st.binary(max_size=4000), st.randoms(use_true_random=False))
def test_foreign_bytes_are_refused(content: bytes, rng: random.Random) -> None:
    with pytest.raises(ValueError, match="damaged"):
        KeyRuns([content])
    run = run_of({"moves": random_keys(rng, count=20, spread=1 << 38, repeats=1)})
    with pytest.raises(ValueError, match="damaged"):
        KeyRuns([run[:-8]])
    with pytest.raises(ValueError, match="damaged"):
        KeyRuns([run[8:]])
    with pytest.raises(ValueError, match="aligned"):
        KeyRuns([memoryview(b"\0" + run)[1:]])


def test_wrong_arguments_are_refused() -> None:
    runs = KeyRuns([run_of({"moves": [(7, 3)]})])
    for wrong in ([2, 1], [1, 1], [1 << HASH_BITS]):
        with pytest.raises(ValueError, match="does not rise"):
            runs.lookup("moves", array("Q", wrong), GAMES)
    with pytest.raises(ValueError, match="damaged"):
        runs.lookup("moves", array("Q", [7]), 3)
    with pytest.raises(ValueError, match="bucket out of range"):
        runs.merged("moves", BUCKETS)
    with pytest.raises(ValueError, match="not made of words"):
        run_end([("moves", 0, 0, 7)])
    assert KeyRuns([]).lookup("moves", array("Q", [7]), 0).tolist() == []
    assert SOURCES == ("moves", "players", "addresses")
