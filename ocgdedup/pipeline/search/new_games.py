"""Verdicts on new games and those of a collection, which stays as it is.

A few new games are compared by the files of the last search: the games that share a blocking key
with them, and the neighbours that opening theory depends on, are copied to a small database in
memory. For more games, and without these files, a temporary copy of the collection is searched. The
verdicts are the same: those of a search after the games were added.
"""

from __future__ import annotations

import contextlib
import struct
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from operator import sub
from typing import NamedTuple

import apsw

from ocgdedup._kernels.search import (
    BUCKETS,
    ORDINAL_BITS,
    SOURCES,
    DuplicateFinder,
    KnownOrder,
    NumberBuckets,
)
from ocgdedup.errors import StoreError
from ocgdedup.game_kind import CHESS
from ocgdedup.matching.evidence import MATCH
from ocgdedup.pipeline.search import detect
from ocgdedup.pipeline.search.delta import dropped_keys, verdicts_on_new_games
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.search_files import SearchFiles
from ocgdedup.pipeline.search.spill import ONE_THREAD, Resources
from ocgdedup.pipeline.search.stages import IDS, ORDER, STARTS, judge_new_games
from ocgdedup.store.connection import SCHEMA_VERSION, map_file
from ocgdedup.store.file_state import Verdicts, search_token, stored_verdicts
from ocgdedup.store.game_sample import attach_collection, copy_games
from ocgdedup.store.games import id_span
from ocgdedup.store.name_decisions import has_decisions
from ocgdedup.store.names import game_kind
from ocgdedup.store.search_reader import prepare_to_read_moves

_EDGE = struct.Struct("=IIdBB")  # as kernels/search/previous_verdicts.pxd stores it
MOST_FEW = 500  # from more new games on, a search of all games takes less time


class NewMatch(NamedTuple):
    """A match or, if not `is_match`, a possible match of a new game and one of the collection."""

    new_id: int
    game_id: int
    is_match: bool
    score: float


class LastSearch(NamedTuple):
    """The files of the last search, and its verdicts, which may be read once."""

    files: SearchFiles
    verdicts: Verdicts


def last_search(connection: apsw.Connection, options: SearchOptions) -> LastSearch | None:
    """Return what the last search left if it had all games, in their present state.

    None as well if names of new games depend on decisions of the user.
    """
    if game_kind(connection) is not CHESS or connection.pragma("user_version") != SCHEMA_VERSION:
        return None
    token = search_token(connection)
    verdicts = stored_verdicts(connection, detect.verdict_options(connection, options))
    if token is None or verdicts is None or verdicts.changed or has_decisions(connection):
        return None
    if (id_span(connection) or (0, 0))[1] != verdicts.last_id:
        return None
    files = SearchFiles.open(connection.filename, token)
    return None if files is None else LastSearch(files, verdicts)


def match_few(
    collection: apsw.Connection, sample: apsw.Connection, files: SearchFiles, options: SearchOptions
) -> list[NewMatch] | None:
    """Compare the new games of a sample (store/game_sample.py) with those of its collection.

    `collection` is in a transaction. None if the files are damaged or do not fit.
    """
    with contextlib.suppress(ValueError):
        return _match_few(collection, sample, files, options)
    return None


def _match_few(
    collection: apsw.Connection, sample: apsw.Connection, files: SearchFiles, options: SearchOptions
) -> list[NewMatch]:
    map_file(collection)
    attach_collection(sample, collection)
    first_id = (id_span(sample) or (1, 0))[0]
    ids, theory = _related_games(collection, sample, files, options)
    copy_games(sample, ids)
    finder = detect.unsorted_finder(sample, options)
    edges = judge_new_games(finder, first_id - 1, ids, theory)
    return _matches(finder, edges, first_id)


def match_many(
    copy: apsw.Connection, first_id: int, files: SearchFiles, last: Verdicts, options: SearchOptions
) -> list[NewMatch] | None:
    """Do the work of match_all() by the files of the last search.

    `last`: the stored verdicts of the collection. None if the files are damaged or do not fit.
    """
    new = detect.read_new_games(copy, options, ONE_THREAD, files, last)
    if new is None:
        return None
    with contextlib.suppress(ValueError, StoreError):
        return _matches(new.finder, verdicts_on_new_games(new), first_id)
    return None


def match_all(
    copy: apsw.Connection, first_id: int, options: SearchOptions, resources: Resources = ONE_THREAD
) -> list[NewMatch]:
    """Compare the games from an ID on with those before, in a copy of a collection."""
    edges: list[bytes] = []
    finder = detect.searched_finder(copy, options, (), resources, None, edges.extend)
    return _matches(finder, edges, first_id)


def _related_games(
    collection: apsw.Connection, sample: apsw.Connection, files: SearchFiles, options: SearchOptions
) -> tuple[array[int], array[int]]:
    """Return the games that verdicts on the new games depend on, and their theory."""
    finder = detect.unsearched_finder(sample, options)
    finder.find_lines(0, finder.games)
    # The whole order has too many bytes for a checksum: what is read of it is compared with games.
    order = KnownOrder(files.map(ORDER), files.bytes(STARTS), array("q", files.bytes(IDS)))
    order.place(finder, collection, prepare_to_read_moves(collection))
    keys = {source: _keys(finder, source) for source in SOURCES}
    entries, dropped = {}, set(dropped_keys(files))
    for source, numbers in keys.items():
        hashes = array("Q", sorted({number >> ORDINAL_BITS for number in numbers}))
        found = files.runs.lookup(source, hashes, order.games)
        entries[source] = array("Q", (key for key in found if key not in dropped))
        order.ask(entries[source])
    order.find_asked()
    for source, numbers in keys.items():
        order.choose_by_keys(source, numbers, entries[source])
    return order.chosen_games()


def _keys(finder: DuplicateFinder, source: str) -> array[int]:
    """Return the blocking keys of all games of a finder, with their indexes, rising."""
    buckets, numbers = NumberBuckets(64), array("Q")
    finder.add_keys(source, 0, finder.games, buckets, by_line=True)
    for bucket in range(BUCKETS):
        numbers.frombytes(buckets.items(bucket))
    return array("Q", sorted(numbers))


def _matches(finder: DuplicateFinder, edges: Iterable[bytes], first_id: int) -> list[NewMatch]:
    """Return the edges between a new game and one of the collection, the best ones first."""
    ranges = finder.id_ranges()
    # By range of IDs, the ordinal of the first game; the ordinal of a game is its index by ID.
    firsts: list[int] = list(accumulate(map(sub, ranges[1::2], ranges[::2]), initial=0))

    def id_of(ordinal: int) -> int:
        at = bisect_right(firsts, ordinal) - 1
        return ranges[2 * at] + ordinal - firsts[at]

    matches = []
    for left, right, score, verdict, _ in _EDGE.iter_unpack(b"".join(edges)):
        pair = sorted((id_of(left), id_of(right)))
        if pair[0] < first_id <= pair[1]:
            matches.append(NewMatch(pair[1], pair[0], verdict == MATCH, score))
    return sorted(matches, key=best_first)


def best_first(match: NewMatch) -> tuple[float, ...]:
    """Return the place of a match among others."""
    return match.new_id, not match.is_match, -match.score, match.game_id
