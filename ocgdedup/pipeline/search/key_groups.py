"""Duplicates by one key alone, whoever played: groups of equal keys, their kept games and flags.

The keys are those of OCGDB's study, and that of a whole record. Nothing is merged: the games of a
group may have other players. Writes belong to the transaction of the caller.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

import apsw

from ocgdedup._kernels.chess import start_epd
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.matching.canonical import Member, choose_master, chosen_ids
from ocgdedup.matching.clusters import different_games, same_games, wrongly_represented
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import BEST_HEADER, GameHeader
from ocgdedup.pipeline.search.groups import Resolved
from ocgdedup.pipeline.search.resolve import (
    count_group_duplicates,
    follow_kept_games,
    write_user_choices,
)
from ocgdedup.store import hash_groups
from ocgdedup.store.duplicates import Flags, write_flags
from ocgdedup.store.hash_groups import METHODS, RECORD, KeyedGame
from ocgdedup.store.merged_headers import read_headers, take_back_merges
from ocgdedup.store.removed_games import removed_ids
from ocgdedup.store.search_state import count_not_truncated
from ocgdedup.store.variant import game_kind
from ocgdedup.wording import EXACT_STATUS, JOIN_STATUS, SUBSUMPTION_STATUS

_GROUPS_AT_ONCE = 5_000  # whose headers are in memory
_MOVES = ("moves", "moves+players", RECORD)  # keys that mean equal moves, which are compared
_STANDARD_EPD = start_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


class KeyOptions(NamedTuple):
    """Which games are duplicates: of one key, and of `min_plies` plies or more.

    `include_shorter`: those too whose moves begin another game.
    """

    key: str
    min_plies: int = 1
    include_shorter: bool = False


class KeyedGroups(NamedTuple):
    """What a search by key came to; `flags` are those of all games of groups, by ID.

    `lone_deleted`: deleted games that were searched and are duplicates of no game that is there.
    """

    flags: dict[int, Flags]
    lone_deleted: list[int]


class _Row(NamedTuple):
    """A game of a group; `start` is None for the usual start position."""

    game_id: int
    is_removed: bool
    start: str | None
    moves: bytes


# Key, start, moves and ID: an order in which a game comes right before the games that continue it.
_Line = tuple[tuple[int | None, ...], str, bytes, int]


def find_by_key(
    connection: apsw.Connection,
    options: KeyOptions,
    *,
    keep: str = BEST_HEADER,
    decided: Iterable[tuple[int, int, bool]] = (),
    choices: Mapping[int, Collection[int]] | None = None,
) -> KeyedGroups:
    """Find the games with equal keys, deleted ones too, and which of each group is kept.

    Of the user: `decided`: (ID, ID, is one game), of which games that are different stay apart;
    `choices`: for each game that he wants to stay those in whose place. Raises UsageError for an
    unknown key, and for a database without hash columns.
    """
    options = options._replace(min_plies=max(1, options.min_plies))  # no moves: all keys are equal
    decided = list(decided)
    lowest, different = same_games(decided), different_games(decided)
    groups = (
        part for group in _groups(connection, options) for part in _apart(group, lowest, different)
    )
    kind, choices = game_kind(connection), choices or {}
    flags: dict[int, Flags] = {}
    deleted_without_kept_game: list[int] = []
    while some := list(islice(groups, _GROUPS_AT_ONCE)):
        headers = iter(read_headers(connection, [row.game_id for group in some for row in group]))
        for group in some:
            members = _members(group, list(islice(headers, len(group))))
            present = [place for place, row in enumerate(group) if not row.is_removed]
            ids = [group[place].game_id for place in present]
            master_id = choose_master(
                [members[place] for place in present], keep=keep,
                chosen=chosen_ids(ids, choices) if choices else (), kind=kind,
            )  # fmt: skip
            master = present[ids.index(master_id)]  # never a deleted game
            flags.update(_flags(group, members, master, hash_groups.reason_of(options.key)))
            # A truncated game stands for a deleted longer one only if the user chose it.
            if members[master].is_cut and master_id not in choices:
                deleted_without_kept_game += [
                    row.game_id
                    for row, member in zip(group, members, strict=True)
                    if row.is_removed and not member.is_cut
                ]
    lone = set(removed_ids(connection, options.min_plies)).difference(flags)
    return KeyedGroups(flags, sorted(lone.union(deleted_without_kept_game)))


def flags_to_write(
    connection: apsw.Connection, keyed_groups: KeyedGroups, stored: Mapping[int, Flags]
) -> dict[int, Flags]:
    """Return all flags that are to be there: also those of deleted games that were not searched.

    They are added to those found.
    """
    removed = frozenset(removed_ids(connection))
    unsearched = sorted(removed.difference(keyed_groups.flags))
    keyed_groups.flags.update(
        (game_id, stored[game_id]) for game_id in unsearched if game_id in stored
    )
    follow_kept_games(keyed_groups.flags, unsearched, removed)
    return keyed_groups.flags


def wrongly_deleted(
    keyed_groups: KeyedGroups,
    stored: Mapping[int, Flags],
    removed: Collection[int],
    decisions: Sequence[tuple[int, int, bool]],
) -> list[int]:
    """Return removed games, not searched, whose kept game is different by decisions of the user.

    `removed`, `stored`: the removed games, and the flags before the search.
    """
    flags = keyed_groups.flags
    kept = {
        game_id: stored[game_id].group
        for game_id in same_games(decisions)
        if game_id in removed and game_id in stored and game_id not in flags
    }
    return wrongly_represented(
        decisions, kept, lambda game_id: flags[game_id].group if game_id in flags else game_id
    )


def write_groups(
    connection: apsw.Connection,
    new_flags: Mapping[int, Flags],
    stored: Mapping[int, Flags],
    choices: Mapping[int, Collection[int]],
) -> Resolved:
    """Write flags, and take all merges of headers back."""
    take_back_merges(connection, None)
    changed = write_flags(connection, new_flags, stored or None)
    write_user_choices(connection, choices)
    return counted_groups(connection, new_flags)._replace(
        changed_groups=len(
            {new_flags[game_id].group for game_id in changed if game_id in new_flags}
        )
    )


def counted_groups(connection: apsw.Connection, flags: Mapping[int, Flags]) -> Resolved:
    """Return groups and duplicates of games that are not deleted, by status."""
    removed = frozenset(removed_ids(connection))
    present = {game_id: row for game_id, row in flags.items() if game_id not in removed}
    truncated = [(i, row.group) for i, row in present.items() if row.status == SUBSUMPTION_STATUS]
    longer, diverging = count_not_truncated(connection, truncated)
    return Resolved(*count_group_duplicates(present.values()), longer=longer, diverging=diverging)


# --- groups ---------------------------------------------------------------------------------------


def _groups(connection: apsw.Connection, options: KeyOptions) -> Iterable[list[_Row]]:
    """Return the groups of two games or more, each by ID; shorter games need all at once."""
    row_of = _row_maker(game_kind(connection))
    groups = _groups_of_keys(connection, options, row_of)
    if options.include_shorter:
        return _with_shorter([*groups], _chains(connection, options, row_of))
    return groups


def _groups_of_keys(
    connection: apsw.Connection, options: KeyOptions, row_of: Callable[[KeyedGame], _Row]
) -> Iterator[list[_Row]]:
    """Yield the groups of two games or more that have equal keys, each by ID."""
    games = hash_groups.keyed_games(connection, options.key, options.min_plies, with_removed=True)
    for _, keyed in groupby(games, key=attrgetter("key")):
        parts: dict[tuple[str | None, bytes] | None, list[_Row]] = {}
        for row in map(row_of, keyed):
            # Equal hashes of moves only propose a group, equal moves decide.
            same = (row.start, row.moves) if options.key in _MOVES else None
            parts.setdefault(same, []).append(row)
        yield from (group for group in parts.values() if len(group) > 1)


def _row_maker(kind: GameKind) -> Callable[[KeyedGame], _Row]:
    starts: dict[str, str | None] = {}
    start_of = _STARTS[kind]

    def row_of(game: KeyedGame) -> _Row:
        fen = game.fen
        if fen and fen not in starts:
            starts[fen] = start_of(fen)
        return _Row(game.game_id, bool(game.is_removed), starts[fen] if fen else None, game.moves)

    return row_of


def _start(fen: str) -> str | None:
    """Return the normal form of a start position; None for the standard one, as without a FEN."""
    epd = start_epd(fen)
    return None if epd == _STANDARD_EPD else epd


# How a start position becomes its normal form. Go stores normal forms.
_STARTS: dict[GameKind, Callable[[str], str | None]] = {CHESS: _start, GO: str}


def _chains(
    connection: apsw.Connection, options: KeyOptions, row_of: Callable[[KeyedGame], _Row]
) -> Iterator[list[_Row]]:
    """Yield lists of games each of which begins the next or equals it; the last begins no other.

    In the order of their moves as bytes, a game stands right before those that go on from it.
    """

    def rows(has_start: bool) -> Iterator[tuple[_Line, _Row]]:
        for game in hash_groups.games_by_moves(
            connection, options.key, options.min_plies, has_start=has_start
        ):
            row = row_of(game)
            yield (game.key, row.start or "", row.moves, row.game_id), row

    chain: list[_Row] = []
    last: _Line | None = None
    # The order of a start is not that of its FEN, which may be the standard position too.
    for line, row in heapq.merge(rows(False), sorted(rows(True))):
        if last is None or line[:2] != last[:2] or not line[2].startswith(last[2]):
            if chain:
                yield chain
            chain = []
        chain.append(row)
        last = line
    if chain:
        yield chain


def _with_shorter(groups: list[list[_Row]], chains: Iterable[list[_Row]]) -> list[list[_Row]]:
    """Move each game that begins another one into the group of that one."""
    places = {row.game_id: place for place, group in enumerate(groups) for row in group}
    added: dict[int, list[_Row]] = {}
    moved: set[int] = set()
    for chain in chains:
        longest = chain[-1]
        shorter = [row for row in chain if len(row.moves) < len(longest.moves)]
        if not shorter:
            continue
        place = places.get(longest.game_id)
        if place is None:
            place = len(groups)
            groups.append([longest])
        added.setdefault(place, []).extend(shorter)
        moved.update(row.game_id for row in shorter)
    completed = (
        [row for row in group if row.game_id not in moved] + added.get(place, [])
        for place, group in enumerate(groups)
    )
    return [sorted(group) for group in completed if len(group) > 1]


def _apart(
    group: list[_Row], lowest: Mapping[int, int], different: Mapping[int, Collection[int]]
) -> Iterator[list[_Row]]:
    """Yield the parts of a group in which no two games are different by the user's word.

    A part has two games at least, and one that is not deleted. `lowest`, `different`: results of
    same_games() and different_games().
    """
    parts: list[tuple[list[_Row], set[int]]] = [([], set())]
    for row in group:
        own = lowest.get(row.game_id, row.game_id)
        excluded = different.get(own, ())
        for rows, ids in parts:
            if ids.isdisjoint(excluded):
                rows.append(row)
                ids.add(own)
                break
        else:
            parts.append(([row], {own}))
    for rows, _ in parts:
        if len(rows) > 1 and not all(row.is_removed for row in rows):
            yield rows


# --- kept games and flags -------------------------------------------------------------------------


def _members(group: Sequence[_Row], headers: Sequence[GameHeader]) -> list[Member]:
    """Return the members of a group; those are cut whose moves begin another's."""
    lines = sorted({(row.start or "", row.moves) for row in group})
    cut = {
        line
        for line, longer in pairwise(lines)
        if line[0] == longer[0] and longer[1].startswith(line[1])
    }
    return [
        Member(header, (row.start or "", row.moves) in cut)
        for row, header in zip(group, headers, strict=True)
    ]


def _flags(
    group: Sequence[_Row], members: Sequence[Member], master: int, reason: str
) -> Iterator[tuple[int, Flags]]:
    kept = group[master]
    for row, member in zip(group, members, strict=True):
        is_kept = row.game_id == kept.game_id
        own = (None, None) if is_kept else (_status(row, kept), reason)
        yield row.game_id, Flags(own[0], kept.game_id, own[1], header_score(member.header))


def _status(row: _Row, kept: _Row) -> str:
    if row.start != kept.start:
        return JOIN_STATUS
    if row.moves == kept.moves:
        return EXACT_STATUS
    shorter, longer = sorted((row.moves, kept.moves), key=len)
    return SUBSUMPTION_STATUS if longer.startswith(shorter) else JOIN_STATUS


class MethodResult(NamedTuple):
    """What one method found. `reported` and `true` count games after the first of a group.

    `rejected` is what verification threw out of `reported`; `reported_pairs` and `true_pairs`
    count every two games of a group. Times are wall and processor seconds, verification included.
    """

    method: str
    reported: int
    true: int
    rejected: int
    groups: int
    reported_pairs: int
    true_pairs: int
    elapsed_s: float
    cpu_s: float


def compare_methods(
    connection: apsw.Connection, methods: Sequence[str] = METHODS, min_plies: int = 1
) -> list[MethodResult]:
    """Run each method over all games of `min_plies` plies or more (1 at least); change nothing.

    Raises UsageError for an unknown method, and for a database without hash columns.
    """
    # Games without moves have all keys in common. SQLite's numbers end at 2**63.
    min_plies = min(max(1, min_plies), 2**31)
    start = _STARTS[game_kind(connection)]
    return [_run(connection, method, min_plies, start) for method in methods]


def _run(
    connection: apsw.Connection, method: str, min_plies: int, start: Callable[[str], str | None]
) -> MethodResult:
    began_s, cpu_began_s = time.monotonic(), time.process_time()
    games = hash_groups.keyed_games(connection, method, min_plies)
    counts = count_groups(((game.key, game.fen, game.moves) for game in games), start)
    return MethodResult(
        method, counts.reported, counts.true, counts.reported - counts.true, counts.groups,
        counts.reported_pairs, counts.true_pairs, time.monotonic() - began_s,
        time.process_time() - cpu_began_s,
    )  # fmt: skip


# --- counts of a key ------------------------------------------------------------------------------


# (key, FEN or None, move blob)
KeyedMoves = tuple[Hashable, str | None, bytes]


class KeyCounts(NamedTuple):
    """What a key reports, in games and in pairs.

    A group is two or more games with one key. In games, each game of a group after the first is
    reported: so counts a program that looks a key up and stores it if it is new. In pairs, a game
    is reported once for each game before it: so OCGDB counts verified duplicates. `true` counts
    games with equal moves and an equal start in the same way. A group of n games with k different
    mainlines reports n - 1 games, and n - k of them are true.
    """

    groups: int = 0
    reported: int = 0
    true: int = 0
    reported_pairs: int = 0
    true_pairs: int = 0


def count_groups(games: Iterable[KeyedMoves], start_epd: Callable[[str], str | None]) -> KeyCounts:
    """Count what a key reports; `games` must be sorted by key.

    `start_epd` returns the normal form of a FEN, None for the standard start. The moves of one
    group at a time are in memory, equal blobs once.
    """
    groups = reported = true = reported_pairs = true_pairs = 0
    for _, members in groupby(games, key=itemgetter(0)):
        parts = Counter((start_epd(fen) if fen else None, blob) for _, fen, blob in members)
        size = parts.total()
        if size == 1:
            continue
        groups += 1
        reported += size - 1
        true += size - len(parts)
        reported_pairs += _pairs(size)
        true_pairs += sum(map(_pairs, parts.values()))
    return KeyCounts(groups, reported, true, reported_pairs, true_pairs)


def _pairs(size: int) -> int:
    return size * (size - 1) // 2
