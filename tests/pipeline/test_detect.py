"""The search as called by the commands: input, results, databases of any kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.errors import StoreError
from ocgdedup.matching.evidence import (
    EXACT,
    NEAR_IDENTICAL,
    NON_MATCH,
    Weights,
)
from ocgdedup.pipeline.search.detect import SearchOptions, SearchResult, find_duplicates
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.pipeline.search.judge import Explained, Judge
from ocgdedup.store.database import open_database
from ocgdedup.store.deleted_games import remove_games, restore_games
from ocgdedup.store.history import transaction
from ocgdedup.store.merges import Merge, write_merges
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.databases import Silent
from tests.support.played_games import (
    EXPECTED_SUSPECTS,
    Record,
    collection,
    copy_of,
    expected_groups,
    game,
    mainline,
    pgn_text,
)

Open = Callable[..., apsw.Connection]


def compare_two(
    connection: apsw.Connection,
    options: SearchOptions,
    first: int,
    second: int,
    decisions: Sequence[tuple[int, int, bool]] = (),
) -> Explained:
    return Judge(connection, options, (first, second), decisions).explained(first, second)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a database of some records for writing."""
    connections: list[apsw.Connection] = []

    def open_records(*records: Record) -> apsw.Connection:
        path = tmp_path / f"{len(connections)}.db3"
        source = tmp_path / "in.pgn"
        source.write_text("".join(map(pgn_text, records)), encoding="utf-8")
        create(CreateRequest(str(path), [str(source)]), Silent())
        connections.append(open_database(str(path), writable=True).connection)
        return connections[-1]

    yield open_records
    for connection in connections:
        connection.close()


def found_groups(result: SearchResult, of: dict[int, str]) -> set[frozenset[str]]:
    return {frozenset(of[game_id] for game_id in group.ids) for group in result.groups}


def labels(connection: apsw.Connection) -> dict[int, str]:
    return dict(connection.execute("SELECT ID, ExtraTags ->> 'Label' FROM Games"))


def test_groups_and_possible_duplicates(opened: Open) -> None:
    connection = opened(*collection())
    result = find_duplicates(connection, SearchOptions())
    of = labels(connection)
    assert result.games == len(collection())
    assert result.deleted == frozenset()
    assert found_groups(result, of) == expected_groups()
    assert {
        frozenset((of[pair.first], of[pair.second])) for pair in result.possible_duplicates
    } == (EXPECTED_SUSPECTS)
    assert [group.ids[0] for group in result.groups] == sorted(g.ids[0] for g in result.groups)
    assert all(group.ids == sorted(group.ids) for group in result.groups)


def test_line_numbers_are_equal_for_equal_moves(opened: Open) -> None:
    connection = opened(*collection())
    moves = dict(connection.execute("SELECT ID, coalesce(FEN, '') || hex(Moves2) FROM Games"))
    for group in find_duplicates(connection, SearchOptions()).groups:
        by_line = {
            line: moves[game_id] for game_id, line in zip(group.ids, group.lines, strict=True)
        }
        assert len(set(by_line.values())) == len(by_line)
        assert all(
            by_line[line] == moves[game_id]
            for game_id, line in zip(group.ids, group.lines, strict=True)
        )


def test_nothing_is_written(opened: Open) -> None:
    connection = opened(*collection())
    before = connection.total_changes()
    find_duplicates(connection, SearchOptions())
    compare_two(connection, SearchOptions(), 1, 2)
    assert connection.total_changes() == before


def test_an_empty_database(opened: Open) -> None:
    result = find_duplicates(opened(), SearchOptions())
    assert result[:4] == (0, frozenset(), GroupBatch(), [])


def test_a_possible_duplicate_has_a_class_and_a_reason(opened: Open) -> None:
    connection = opened(*collection())
    for pair in find_duplicates(connection, SearchOptions()).possible_duplicates:
        explained = compare_two(connection, SearchOptions(), pair.first, pair.second)
        result = explained.comparison
        assert (explained.are_together, explained.are_possible_duplicates) == (False, True)
        assert pair.first < pair.second
        assert (pair.duplicate_class, pair.decision) == ("subsumption", None)
        assert pair.score == round(result.score, 2)
        assert pair.evidence.startswith("moves +")


def test_a_reason_follows_the_class(opened: Open) -> None:
    """If no pair is accepted, the same pairs are possible duplicates."""
    tags = game(5).tags
    records = game(5), copy_of(game(5), "swapped", White=tags["Black"], Black=tags["White"])
    options = SearchOptions(weights=Weights(accept=1e6, one_source=-0.123456))
    result = find_duplicates(opened(*records), options)
    assert not result.groups
    (suspect,) = result.possible_duplicates
    assert suspect.duplicate_class == "exact (colours swapped)"
    assert suspect.score == round(suspect.score, 2)


def test_min_plies(opened: Open) -> None:
    connection = opened(game(1), copy_of(game(1), "cut", moves=mainline(1)[:60]), game(2))
    assert len(find_duplicates(connection, SearchOptions(min_plies=60)).groups) == 1
    result = find_duplicates(connection, SearchOptions(min_plies=61))
    assert (result.games, result.groups) == (2, GroupBatch())
    with pytest.raises(KeyError):
        compare_two(connection, SearchOptions(min_plies=61), 1, 2)


def test_gates(opened: Open) -> None:
    connection = opened(game(1), copy_of(game(1), "cut", moves=mainline(1)[:60]))
    for min_shorter, groups in ((10, 1), (11, 0)):
        result = find_duplicates(connection, SearchOptions(min_shorter=min_shorter))
        assert len(result.groups) == groups
        assert len(result.possible_duplicates) == 1 - groups


def test_decisions(opened: Open) -> None:
    connection = opened(game(1), copy_of(game(1), "again"), game(2))
    assert not find_duplicates(connection, SearchOptions(), [(1, 2, False)]).groups
    result = find_duplicates(connection, SearchOptions(), [(3, 1, True)])
    assert [group.ids for group in result.groups] == [[1, 2, 3]]
    # One of the games is gone.
    assert len(find_duplicates(connection, SearchOptions(), [(1, 99, True)]).groups) == 1


def test_merged_headers_do_not_count(opened: Open) -> None:
    """Merged values of a game are no evidence."""
    connection = opened(game(1), copy_of(game(1), "again"), game(2))
    before = compare_two(connection, SearchOptions(), 1, 2)
    values = {"Date": "1801.01.01", "Round": "77", "White": game(2).tags["White"]}
    with transaction(connection):
        write_merges(connection, [Merge(1, values)])
    assert compare_two(connection, SearchOptions(), 1, 2) == before
    connection.execute("DELETE FROM UnmergedHeaders")
    assert compare_two(connection, SearchOptions(), 1, 2).comparison.score < before.comparison.score


def test_removed_games_still_match_new_ones(opened: Open) -> None:
    """A duplicate of only the removed record belongs to its group."""
    cut = copy_of(game(1), "cut", moves=mainline(1)[:60])
    connection = opened(game(1), cut, game(2), copy_of(game(2), "again"))
    with transaction(connection):
        remove_games(connection, [2, 3, 4])
    result = find_duplicates(connection, SearchOptions())
    assert (result.games, result.deleted) == (1, {2, 3, 4})
    assert [group.ids for group in result.groups] == [[1, 2]]  # the other has none that is there


def test_removed_games_are_no_suspects(opened: Open) -> None:
    connection = opened(*collection())
    of = {label: game_id for game_id, label in labels(connection).items()}
    with transaction(connection):
        remove_games(connection, [of["33"]])
    result = find_duplicates(connection, SearchOptions())
    pairs = result.possible_duplicates
    assert {pair.first for pair in pairs} | {pair.second for pair in pairs} <= {
        of["34"], of["35"],
    }  # fmt: skip


def test_another_game_of_the_group_replaces_a_removed_suspect(opened: Open) -> None:
    whole = collection()
    thirty_three = next(record for record in whole if record.label == "33")
    connection = opened(*whole, copy_of(thirty_three, "again"))
    of = {label: game_id for game_id, label in labels(connection).items()}
    before = find_duplicates(connection, SearchOptions()).possible_duplicates
    for first, second in (("33", "33 again"), ("33 again", "33")):
        with transaction(connection):
            remove_games(connection, [of[first]])
        result = find_duplicates(connection, SearchOptions()).possible_duplicates
        assert len(result) == len(before) > 0
        assert of[second] in {number for pair in result for number in pair[:2]}
        with transaction(connection):
            restore_games(connection, None)


def test_compare_two(opened: Open) -> None:
    connection = opened(game(1), copy_of(game(1), "again"), game(2))
    explained = compare_two(connection, SearchOptions(), 1, 2)
    assert (explained.are_together, explained.are_possible_duplicates) == (True, False)
    result = explained.comparison
    assert (result.kind, result.plies, result.differences) == (EXACT, 70, 0)
    assert result.score == pytest.approx(sum(result.terms))
    assert compare_two(connection, SearchOptions(), 2, 1) == explained
    apart = compare_two(connection, SearchOptions(), 1, 2, [(1, 2, False)])
    decided = result._replace(verdict=NON_MATCH, rule=CONSTANTS["RULE_DECIDED_DIFFERENT"])
    assert apart == (decided, False, False)
    assert compare_two(connection, SearchOptions(), 1, 3)[1:] == (False, False)
    for pair in ((1, 99), (99, 1), (0, 1), (-1, 1)):
        with pytest.raises(KeyError):
            compare_two(connection, SearchOptions(), *pair)


def test_each_game_of_a_group_is_related_to_the_first(opened: Open) -> None:
    connection = opened(*collection())
    result = find_duplicates(connection, SearchOptions())
    of = {label: game_id for game_id, label in labels(connection).items()}
    verdict = result.compare(of["16 wrong move"], of["16"])
    assert (verdict.kind, verdict.differences) == (NEAR_IDENTICAL, 2)
    for group in result.groups:
        assert all(result.compare(group.ids[0], other).kind for other in group.ids[1:])


def test_a_database_of_ocgdb(tmp_path: Path) -> None:
    """Without our columns, and with dates in its own form."""
    path = tmp_path / "o.db3"
    write_ocgdb(path, [OcgdbGame("Alpha, A", "Beta, B", "e4 e5 Nf3 Nc6 Bb5 a6", result="1-0")] * 3)
    connection = open_database(str(path)).connection
    try:
        assert find_duplicates(connection, SearchOptions()).games == 3
        assert compare_two(connection, SearchOptions(), 1, 2).comparison.kind == EXACT
    finally:
        connection.close()


def test_a_database_that_cannot_be_read(opened: Open) -> None:
    connection = opened(game(1))
    connection.execute("DROP TABLE Games")
    with pytest.raises(StoreError, match=r"0\.db3: games cannot be read: no such table: Games"):
        find_duplicates(connection, SearchOptions())
