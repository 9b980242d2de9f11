"""Laws of a search: order does not matter, groups are disjoint and without contradictions."""

from __future__ import annotations

import random
import struct
from itertools import combinations, combinations_with_replacement, pairwise

import chess
import pytest
from chess.polyglot import zobrist_hash
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.search import BUCKETS, EdgeList, NumberBuckets
from ocgdedup.model import Comparison
from ocgdedup.pipeline.search import stages
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.pipeline.search.stages import run_stages
from tests.reference.candidate_pairs import (
    FIRST_RUN,
    RUN,
    WINDOW,
    Candidates,
    move_keys,
    player_keys,
)
from tests.reference.game_record import read_game
from tests.support.copy_games import (
    WEIGHTS,
    Moves,
    Record,
    Search,
    append,
    database,
    finder_of,
    line,
    nobody,
    search,
    somebody,
)
from tests.support.random_copies import collections

fixed = settings(max_examples=50)
_WITHOUT_CASTLING = chess.STARTING_FEN.replace("KQkq", "-")

Contents = list[list[Record]]


def contents(result: Search, records: list[Record]) -> tuple[Contents, Contents]:
    """Return groups and possible duplicates as records, independent of IDs.

    Among equal records in two sources, the ID determines which is named.
    """
    records = [record._replace(source=0) for record in records]
    groups = [sorted((records[place] for place in group), key=repr) for group in result.groups]
    pairs = [sorted((records[place] for place in pair), key=repr) for pair in result.suspects]
    return sorted(groups, key=repr), sorted(pairs, key=repr)


def _start_key(record: Record) -> int:
    return 0 if record.fen is None else zobrist_hash(chess.Board(record.fen))


@pytest.mark.slow
@fixed
@given(collections, st.integers(1, 9), st.randoms(use_true_random=False))
def test_parts_of_a_sort_may_be_sorted_in_any_order(
    records: list[Record], parts: int, draw: random.Random
) -> None:
    records = [
        record._replace(fen=_WITHOUT_CASTLING) if draw.randrange(4) == 0 else record
        for record in records
    ]
    finders = []
    for is_whole in (True, False):
        connection = database(records)
        finder = finder_of(connection)
        connection.close()
        if is_whole:
            finder.sort()
        else:
            ranges = finder.begin_sort(parts)
            assert [0, *(end for _, end in ranges)] == [
                *(first for first, _ in ranges),
                len(records),
            ]
            draw.shuffle(ranges)
            for span in ranges:
                finder.sort_part(*span)
            ranges = finder.begin_reordering(parts)
            draw.shuffle(ranges)
            for span in ranges:
                finder.reorder_part(*span)
            finder.end_sort()
        finders.append(finder)
    in_order = sorted((_start_key(record), record.moves) for record in records)
    begins = [i for i, key in enumerate(in_order) if i == 0 or key != in_order[i - 1]]
    for finder in finders:
        assert sorted({finder.start_of_line(i) for i in range(len(records))} - {len(records)}) == (
            begins
        )
    found = []
    for finder in finders:
        pairs = NumberBuckets(finder.pair_bits)
        finder.find_lines(0, len(records))
        finder.pair_equal_games(0, len(records), pairs)
        found.append([bytes(pairs.items(bucket)) for bucket in range(BUCKETS)])
    assert found[0] == found[1]


def test_every_game_is_put_in_order() -> None:
    """Those that no chain leads to, too; a chain that was left out would lose a game."""
    draw = random.Random(5)
    for count in (7, 8, 40, 5000):
        records = [Record(line(draw.randrange(200), 30)) for _ in range(count)]
        connection = database(records)
        finder = finder_of(connection)
        with pytest.raises(ValueError, match=r"begin_sort\(\) has not been called"):
            finder.begin_reordering(3)
        (whole,) = finder.begin_sort(1)
        with pytest.raises(ValueError, match="ranges that were not passed: 1"):
            finder.begin_reordering(3)
        finder.sort_part(*whole)
        with pytest.raises(ValueError, match="range from 0 to 1 is unknown"):
            finder.reorder_part(0, 1)
        ranges = finder.begin_reordering(3)
        assert [end - first for first, end in ranges] == {
            7: [], 8: [1], 40: [1, 2, 2], 5000: [170, 171, 171],
        }[count]  # fmt: skip
        for span in ranges[1:]:
            finder.reorder_part(*span)
            with pytest.raises(ValueError, match="passed before"):
                finder.reorder_part(*span)
        if ranges:
            for early in (finder.end_sort, lambda finder=finder: finder.begin_reordering(3)):
                with pytest.raises(ValueError, match="ranges that were not passed: 1"):
                    early()
            finder.reorder_part(*ranges[0])
        with pytest.raises(ValueError, match="already being put in order"):
            finder.begin_reordering(3)
        finder.end_sort()
        moves_in_order = sorted(record.moves for record in records)
        starts = [i for i in range(count) if finder.start_of_line(i) == i]
        assert starts == [
            i for i in range(count) if i == 0 or moves_in_order[i] != moves_in_order[i - 1]
        ]
        for stage in (finder.find_lines, finder.find_shared, finder.find_theory, finder.find_ends):
            stage(0, count)
        finder.connect(EdgeList())
        finder.finish()
        moves = [finder.mainline(game_id) for game_id in range(1, count + 1)]
        stored = connection.execute("SELECT Moves2 FROM Games ORDER BY ID")
        assert moves == [blob for (blob,) in stored]
        connection.close()


@pytest.mark.slow
@fixed
@given(collections, st.integers(1, 3))
def test_moves_in_order_change_no_result(records: list[Record], jobs: int) -> None:
    found = []
    copied = []

    class Counted(stages._Stages):
        def copy_moves(self) -> None:
            copied.append(len(records))
            super().copy_moves()

    for fewest in (len(records) + 1, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stages, "_MANY_GAMES", fewest)
            patch.setattr(stages, "_LEAST_RANGE_GAMES", 4)
            patch.setattr(stages, "_Stages", Counted)
            connection = database(records)
            finder = finder_of(connection)
            connection.close()
            edges: list[bytes] = []
            run_stages(finder, jobs=jobs, store_edges=edges.extend)
        moves = [finder.mainline(game_id) for game_id in range(1, len(records) + 1)]
        found.append((edges, moves, *map(bytes, finder.groups_found()[:2])))
    assert found[0] == found[1]
    assert copied == [len(records)]


def test_moves_are_copied_once() -> None:
    connection = database([Record(line(seed % 3, 30)) for seed in range(9)])
    finder = finder_of(connection)
    connection.close()
    with pytest.raises(ValueError, match=r"begin_sort\(\) has not been called"):
        finder.begin_move_copy([(0, 9)])
    finder.sort()
    with pytest.raises(ValueError, match="range from 0 to 9 is unknown"):
        finder.copy_moves(0, 9)
    with pytest.raises(ValueError, match=r"begin_move_copy\(\) has not been called"):
        finder.end_move_copy()
    for ranges in ([(0, 3), (0, 3), (6, 9)], [(0, 3), (4, 9)], [(0, 8)], [(0, 3), (3, 10)]):
        with pytest.raises(ValueError, match="range"):
            finder.begin_move_copy(ranges)
    assert finder.begin_move_copy([(0, 3), (3, 9)])
    with pytest.raises(ValueError, match="being copied"):
        finder.begin_move_copy([(0, 9)])
    assert finder.copy_moves(3, 9) == 2 * 30  # two mainlines, three records of each
    with pytest.raises(ValueError, match="ranges that were not passed: 1"):
        finder.end_move_copy()
    with pytest.raises(ValueError, match="range from 3 to 9 is unknown, or was passed before"):
        finder.copy_moves(3, 9)
    assert finder.copy_moves(0, 3) == 30
    finder.end_move_copy()
    with pytest.raises(ValueError, match="has not been called"):
        finder.end_move_copy()


def test_only_ranges_of_a_begun_sort_are_sorted() -> None:
    connection = database([Record(line(1, 30))])
    finder = finder_of(connection)
    connection.close()
    with pytest.raises(ValueError, match="unknown"):
        finder.sort_part(0, 1)
    ((first, end),) = finder.begin_sort(4)
    with pytest.raises(ValueError, match="unknown"):
        finder.sort_part(first, end + 1)
    finder.sort_part(first, end)
    finder.end_sort()
    with pytest.raises(ValueError, match="passed before"):
        finder.sort_part(first, end)
    with pytest.raises(ValueError, match="already sorted"):
        finder.begin_sort(4)


@pytest.mark.slow
@fixed
@given(collections, st.randoms(use_true_random=False))
def test_the_order_of_games_and_names_does_not_matter(
    records: list[Record], draw: random.Random
) -> None:
    expected = contents(search(records), records)
    shuffled = draw.sample(records, len(records))
    order = draw.sample(range(len(records)), len(records))
    ids = sorted(draw.sample(range(1, 10_000), len(records)))
    result = search(shuffled, ids=ids, order=order)
    assert contents(result, shuffled) == expected


@pytest.mark.slow
@fixed
@given(collections, st.data())
def test_games_added_in_parts_give_the_same_result(
    records: list[Record], data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(records)), max_size=3)))
    connection = database([])
    for first, last in pairwise([0, *cuts, len(records)]):
        append(connection, records[first:last], range(first + 1, last + 1))
        find_duplicates(connection, SearchOptions())  # what came of it is not part of the database
    result = find_duplicates(connection, SearchOptions())
    whole = search(records).search_result
    assert (result.groups, result.possible_duplicates) == (whole.groups, whole.possible_duplicates)


@pytest.mark.slow
@fixed
@given(collections)
def test_groups_are_parts_without_contradictions(records: list[Record]) -> None:
    """Groups are disjoint, no game is a possible duplicate of its group, no pair contradicts."""
    result = search(records)
    places = [place for group in result.groups for place in group]
    assert len(places) == len(set(places))
    for pair in result.suspects:
        assert len(set(pair)) == 2
        assert not any(set(pair) <= set(group) for group in result.groups)
    for group in result.groups:
        for left, right in combinations(group, 2):
            assert may_be_one(result, left, right)


def may_be_one(result: Search, left: int, right: int) -> bool:
    """Return whether two games pass the veto; it does not apply to two single games."""
    verdict = result.compare(left, right, lenient=True)
    passes = verdict.kind != 0 and verdict.score >= WEIGHTS.contradiction
    return passes or result.compare(left, right).score >= WEIGHTS.accept


@fixed
@given(collections)
def test_verdicts(records: list[Record]) -> None:
    """They are within bounds, and do not depend on the order of the games."""
    result, turned = search(records), search(records[::-1])
    last = len(records) - 1
    for left, right in combinations_with_replacement(range(len(records)), 2):
        verdict = result.compare(left, right)
        assert verdict == result.compare(right, left)
        # Of records that are equal in every field, IDs say which is paired with which.
        if records.count(records[left]) == records.count(records[right]) == 1:
            assert verdict == turned.compare(last - right, last - left)
        assert_in_bounds(verdict, records[left].moves, records[right].moves)


def assert_in_bounds(verdict: Comparison, left: Moves, right: Moves) -> None:
    shorter, longer = sorted((len(left), len(right)))
    assert 0 <= verdict.theory <= longer
    if verdict.kind:
        assert 0 <= verdict.plies <= shorter
        assert 0 <= verdict.longer <= longer
        assert 0.0 <= verdict.ratio <= 1.0
        assert 0.0 <= verdict.winkler <= 1.0
        assert abs(verdict.score - sum(verdict.terms)) < 1e-9


@fixed
@given(collections, st.data())
def test_user_decisions_are_kept_in_any_order(records: list[Record], data: st.DataObject) -> None:
    """Declared non-matches are never in one group; declared matches are, unless both apply."""
    count = len(records)
    distinct = [record._replace(site=f"Site {place}") for place, record in enumerate(records)]
    pairs = list(combinations(range(count), 2))
    some_pairs = st.lists(st.sampled_from(pairs), max_size=4, unique=True)
    parted, joined = data.draw(some_pairs), data.draw(some_pairs)
    decisions = [(*pair, False) for pair in parted] + [(*pair, True) for pair in joined]
    result = search(distinct, decisions)
    together = {pair for group in result.groups for pair in combinations(group, 2)}
    assert not together & set(parted)
    if not parted:
        assert set(joined) <= together
    turned = [(count - 1 - right, count - 1 - left, same) for left, right, same in decisions]
    again = search(distinct[::-1], data.draw(st.permutations(turned)))
    assert contents(again, distinct[::-1]) == contents(result, distinct)


# --- candidates ---------------------------------------------------------------------------------

SHARED = WINDOW + RUN - 1


@st.composite
def games_with_a_part_in_common(draw: st.DrawFn) -> tuple[Moves, Moves]:
    """Draw two games that share only SHARED plies somewhere after the opening."""
    part = line(draw(st.integers(1, 99)), SHARED)
    before = [draw(st.integers(FIRST_RUN, FIRST_RUN + 30)) for _ in range(2)]
    after = [draw(st.integers(0, 30)) for _ in range(2)]
    numbers = [draw(st.integers(100, 999)), draw(st.integers(1000, 1999))]
    first, second = (
        line(number, begin) + part + line(number + 2000, end)
        for number, begin, end in zip(numbers, before, after, strict=True)
    )
    return first, second


@fixed
@given(games_with_a_part_in_common())
def test_games_that_share_a_run_share_a_key(games: tuple[Moves, Moves]) -> None:
    """With any players; and the finder compares them."""
    records = [Record(moves, **nobody(), final_key=number) for number, moves in enumerate(games)]
    keys = [set(move_keys(read_game(number, record))) for number, record in enumerate(records)]
    assert keys[0] & keys[1]
    assert search(records).search_result.finder.pairs_judged >= 1


@fixed
@given(games_with_a_part_in_common())
def test_games_without_a_key_in_common_are_not_compared(games: tuple[Moves, Moves]) -> None:
    first, second = games
    records = [Record(first, **nobody()), Record(second[: FIRST_RUN + RUN], **nobody())]
    assert search(records).search_result.finder.pairs_judged == 0


def test_common_runs_in_the_opening_are_no_keys() -> None:
    opening = line(1, FIRST_RUN + RUN - 1)
    records = [Record(opening + line(number, 40), **nobody()) for number in (2, 3)]
    assert search(records).search_result.finder.pairs_judged == 0


def test_a_game_from_a_fen_counts_from_its_first_ply() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    whole = line(1, 60)
    records = [Record(whole, **nobody()), Record(whole[20 : 20 + SHARED], **nobody(), fen=fen)]
    assert search(records).search_result.finder.pairs_judged == 1


def test_unknown_players_have_no_keys() -> None:
    blank = Record(line(1, 60), **nobody())
    assert player_keys(read_game(0, blank)) == []
    assert Candidates([read_game(0, blank)], lambda left, right: True).judged == 0


@pytest.mark.parametrize("seed", range(8))
def test_a_cached_verdict_equals_that_of_the_pair(seed: int) -> None:
    """Few distinct records, so that nearly all pairs were compared before.

    Sources and theory are not part of a record's content, but change the score of a pair.
    """
    rng = random.Random(seed)
    names = [somebody(number) for number in range(3)]
    records = [
        Record(
            line(rng.randrange(3), rng.choice((20, 40, 60))),
            **rng.choice(names),
            date=rng.choice(("1929.09.06", "1929.??.??", "1930.01.01")),
            source=rng.randrange(1, 4),
        )
        for _ in range(150)
    ]
    finder = finder_of(database(records))
    edges: list[bytes] = []
    run_stages(finder, store_edges=edges.extend)
    stored = list(struct.iter_unpack("<IIdBB", b"".join(edges)))
    assert stored
    for left, right, score, verdict, rule in stored:
        comparison = finder.compare(left + 1, right + 1)
        assert (score, verdict, rule) == (comparison.score, comparison.verdict, comparison.rule)
