"""Duplicates by one key alone, whoever played: groups of equal keys, their kept games and flags.

The keys are those of OCGDB's study and a key of the whole record. Nothing is merged, since the
games of a group may have different players. The caller owns the transaction.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, islice, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

import apsw

from ocgdedup._kernels.chess import start_epd
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.matching.clusters import different_games, same_games, wrongly_represented
from ocgdedup.matching.header_score import header_score
from ocgdedup.matching.kept_game import Member, choose_kept_game, chosen_ids
from ocgdedup.model import BEST_HEADER, GameHeader
from ocgdedup.pipeline.search import resolve
from ocgdedup.pipeline.search.groups import Resolved
from ocgdedup.store import search_reader
from ocgdedup.store.deleted_games import deleted_ids
from ocgdedup.store.duplicates import Flags, write_flags
from ocgdedup.store.merges import read_headers, revert_merges
from ocgdedup.store.names import game_kind
from ocgdedup.store.search_reader import METHODS, RECORD, KeyedGame
from ocgdedup.store.search_state import count_not_truncated
from ocgdedup.wording import EXACT_STATUS, NEAR_IDENTICAL_STATUS, TRUNCATED_STATUS

_GROUPS_AT_ONCE = 5_000  # groups whose headers are in memory
_MOVES = ("moves", "moves+players", RECORD)  # keys that mean equal moves, which are compared
_STANDARD_EPD = start_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


class KeyOptions(NamedTuple):
    """Which games are duplicates: those of equal keys with `min_plies` plies or more.

    `include_shorter`: also games whose moves begin another game. The repr() is stored, so the names
    of the fields must stay.
    """

    key: str
    min_plies: int = 1
    include_shorter: bool = False


class KeyedGroups(NamedTuple):
    """Results of a search by key; `flags`: of all games of groups, by ID.

    `lone_deleted`: deleted games that were searched and are duplicates of no game in Games.
    """

    flags: dict[int, Flags]
    lone_deleted: list[int]


class _Row(NamedTuple):
    """A game of a group; `start` is None for the standard start position."""

    game_id: int
    is_deleted: bool
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
    first_id: int | None = None,
) -> KeyedGroups:
    """Find the groups of games with equal keys, deleted games too, and choose their kept games.

    `decided`: the user's (ID, ID, whether they are the same game); different games get separate
    groups. `choices`: for each game that the user wants to keep, the games it replaces. `first_id`:
    leave out groups without a game from this ID on. Raises UsageError for an unknown key, and for a
    database without hash columns.
    """
    options = options._replace(min_plies=max(1, options.min_plies))  # no moves: all keys are equal
    decided = list(decided)
    lowest, different = same_games(decided), different_games(decided)
    groups = (
        part
        for group in _groups(connection, options)
        for part in _split(group, lowest, different)
        if first_id is None or any(row.game_id >= first_id for row in part)
    )
    kind, choices = game_kind(connection), choices or {}
    flags: dict[int, Flags] = {}
    lone: set[int] = set()
    while batch := list(islice(groups, _GROUPS_AT_ONCE)):
        headers = iter(read_headers(connection, [row.game_id for group in batch for row in group]))
        for group in batch:
            members = _members(group, list(islice(headers, len(group))))
            present = [index for index, row in enumerate(group) if not row.is_deleted]
            ids = [group[index].game_id for index in present]
            kept_id = choose_kept_game(
                [members[index] for index in present], criterion=keep,
                chosen=chosen_ids(ids, choices) if choices else (), kind=kind,
            )  # fmt: skip
            kept = present[ids.index(kept_id)]  # never a deleted game
            flags.update(_flags(group, members, kept, search_reader.reason_of(options.key)))
            # A truncated game replaces a deleted longer one only if the user chose it.
            if members[kept].is_truncated and kept_id not in choices:
                lone.update(
                    row.game_id
                    for row, member in zip(group, members, strict=True)
                    if row.is_deleted and not member.is_truncated
                )
    lone.update(set(deleted_ids(connection, options.min_plies)).difference(flags))
    return KeyedGroups(flags, sorted(lone))


def flags_to_write(
    connection: apsw.Connection, keyed_groups: KeyedGroups, stored: Mapping[int, Flags]
) -> dict[int, Flags]:
    """Add the flags of deleted, unsearched games to those of a search; return all flags."""
    deleted = frozenset(deleted_ids(connection))
    unsearched = sorted(deleted.difference(keyed_groups.flags))
    keyed_groups.flags.update(
        (game_id, stored[game_id]) for game_id in unsearched if game_id in stored
    )
    resolve.follow_kept_games(keyed_groups.flags, unsearched, deleted)
    return keyed_groups.flags


def wrongly_deleted(
    keyed_groups: KeyedGroups,
    stored: Mapping[int, Flags],
    deleted: Collection[int],
    decisions: Sequence[tuple[int, int, bool]],
) -> list[int]:
    """Return the deleted, unsearched games that differ from their kept game by user decisions.

    `stored`: the flags before the search.
    """
    flags = keyed_groups.flags
    kept = {
        game_id: stored[game_id].group
        for game_id in same_games(decisions)
        if game_id in deleted and game_id in stored and game_id not in flags
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
    """Write flags, and revert all merges of headers."""
    revert_merges(connection, None)
    changed = write_flags(connection, new_flags, stored or None)
    resolve.write_user_choices(connection, choices)
    groups = {new_flags[game_id].group for game_id in changed if game_id in new_flags}
    return counted_groups(connection, new_flags)._replace(changed_groups=len(groups))


def counted_groups(connection: apsw.Connection, flags: Mapping[int, Flags]) -> Resolved:
    """Count the groups and duplicates, by status, of games that are not deleted."""
    deleted = frozenset(deleted_ids(connection))
    present = {game_id: row for game_id, row in flags.items() if game_id not in deleted}
    truncated = [(i, row.group) for i, row in present.items() if row.status == TRUNCATED_STATUS]
    longer, diverging = count_not_truncated(connection, truncated)
    return Resolved(
        *resolve.count_group_duplicates(present.values()), longer=longer, diverging=diverging
    )


# --- groups ---------------------------------------------------------------------------------------


def _groups(connection: apsw.Connection, options: KeyOptions) -> Iterable[list[_Row]]:
    """Return the groups of two or more games, each sorted by ID."""
    row_of = _row_maker(game_kind(connection))
    groups = _groups_of_keys(connection, options, row_of)
    if options.include_shorter:
        return _with_shorter([*groups], _chains(connection, options, row_of))
    return groups


def _groups_of_keys(
    connection: apsw.Connection, options: KeyOptions, row_of: Callable[[KeyedGame], _Row]
) -> Iterator[list[_Row]]:
    """Yield the groups of two or more games with equal keys, each sorted by ID."""
    games = search_reader.keyed_games(connection, options.key, options.min_plies, with_deleted=True)
    for _, keyed in groupby(games, key=attrgetter("key")):
        parts: dict[tuple[str | None, bytes] | None, list[_Row]] = {}
        for row in map(row_of, keyed):
            # Equal hashes of moves only propose a group; equal moves decide.
            same = (row.start, row.moves) if options.key in _MOVES else None
            parts.setdefault(same, []).append(row)
        yield from (group for group in parts.values() if len(group) > 1)


def _row_maker(kind: GameKind) -> Callable[[KeyedGame], _Row]:
    start_of = cache(_STARTS[kind])

    def row_of(game: KeyedGame) -> _Row:
        start = start_of(game.fen) if game.fen else None
        return _Row(game.game_id, bool(game.is_deleted), start, game.moves)

    return row_of


def _start(fen: str) -> str | None:
    """Return the normal form of a start position; None for the standard position."""
    epd = start_epd(fen)
    return None if epd == _STANDARD_EPD else epd


# Functions that return the normal form of a start position. Go stores normal forms.
_STARTS: dict[GameKind, Callable[[str], str | None]] = {CHESS: _start, GO: str}


def _chains(
    connection: apsw.Connection, options: KeyOptions, row_of: Callable[[KeyedGame], _Row]
) -> Iterator[list[_Row]]:
    """Yield lists of games in which the moves of each game begin, or equal, those of the next."""

    def rows(has_start: bool) -> Iterator[tuple[_Line, _Row]]:
        for game in search_reader.games_by_moves(
            connection, options.key, options.min_plies, has_start=has_start
        ):
            row = row_of(game)
            yield (game.key, row.start or "", row.moves, row.game_id), row

    chain: list[_Row] = []
    last: _Line | None = None
    # Normal forms are sorted differently from FENs, which can be the standard position too.
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
    """Put each game whose moves begin another game into the group of that game."""
    indexes = {row.game_id: index for index, group in enumerate(groups) for row in group}
    added: dict[int, list[_Row]] = {}
    moved: set[int] = set()
    for chain in chains:
        longest = chain[-1]
        shorter = [row for row in chain if len(row.moves) < len(longest.moves)]
        if not shorter:
            continue
        index = indexes.get(longest.game_id)
        if index is None:
            index = len(groups)
            groups.append([longest])
        added.setdefault(index, []).extend(shorter)
        moved.update(row.game_id for row in shorter)
    completed = (
        [row for row in group if row.game_id not in moved] + added.get(index, [])
        for index, group in enumerate(groups)
    )
    return [sorted(group) for group in completed if len(group) > 1]


def _split(
    group: list[_Row], lowest: Mapping[int, int], different: Mapping[int, Collection[int]]
) -> Iterator[list[_Row]]:
    """Yield parts of two or more games, not all deleted, without two that the user separated."""
    parts: list[tuple[list[_Row], set[int]]] = [([], set())]
    for row in group:
        lowest_id = lowest.get(row.game_id, row.game_id)
        excluded = different.get(lowest_id, ())
        for rows, ids in parts:
            if ids.isdisjoint(excluded):
                rows.append(row)
                ids.add(lowest_id)
                break
        else:
            parts.append(([row], {lowest_id}))
    for rows, _ in parts:
        if len(rows) > 1 and not all(row.is_deleted for row in rows):
            yield rows


# --- kept games and flags -------------------------------------------------------------------------


def _members(group: Sequence[_Row], headers: Sequence[GameHeader]) -> list[Member]:
    """Return the members of a group; games whose moves begin those of another are truncated."""
    lines = sorted({(row.start or "", row.moves) for row in group})
    truncated = {
        line
        for line, longer in pairwise(lines)
        if line[0] == longer[0] and longer[1].startswith(line[1])
    }
    return [
        Member(header, (row.start or "", row.moves) in truncated)
        for row, header in zip(group, headers, strict=True)
    ]


def _flags(
    group: Sequence[_Row], members: Sequence[Member], kept_index: int, reason: str
) -> Iterator[tuple[int, Flags]]:
    kept = group[kept_index]
    for row, member in zip(group, members, strict=True):
        status, why = (None, None) if row is kept else (_status(row, kept), reason)
        yield row.game_id, Flags(status, kept.game_id, why, header_score(member.header))


def _status(row: _Row, kept: _Row) -> str:
    if row.start != kept.start:
        return NEAR_IDENTICAL_STATUS
    if row.moves == kept.moves:
        return EXACT_STATUS
    shorter, longer = sorted((row.moves, kept.moves), key=len)
    return TRUNCATED_STATUS if longer.startswith(shorter) else NEAR_IDENTICAL_STATUS


class MethodResult(NamedTuple):
    """Results of one method; `reported` and `true` count games after the first of a group.

    `rejected`: reported games that verification rejected; `reported_pairs`, `true_pairs`: all pairs
    of games of a group. Times are wall and processor seconds, including verification.
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
    """Run each method over all games of `min_plies` plies or more (at least 1); change nothing.

    Raises UsageError for an unknown method, and for a database without hash columns.
    """
    # All keys of games without moves are equal. SQLite's integers end at 2**63.
    min_plies = min(max(1, min_plies), 2**31)
    start = _STARTS[game_kind(connection)]
    results = []
    for method in methods:
        began_s, cpu_began_s = time.monotonic(), time.process_time()
        games = search_reader.keyed_games(connection, method, min_plies)
        counts = count_groups(((game.key, game.fen, game.moves) for game in games), start)
        results.append(MethodResult(
            method, counts.reported, counts.true, counts.reported - counts.true, counts.groups,
            counts.reported_pairs, counts.true_pairs, time.monotonic() - began_s,
            time.process_time() - cpu_began_s,
        ))  # fmt: skip
    return results


# --- counts of a key ------------------------------------------------------------------------------


# (key, FEN or None, move blob)
KeyedMoves = tuple[Hashable, str | None, bytes]


class KeyCounts(NamedTuple):
    """Duplicates that a key reports, in games and in pairs.

    A group is two or more games with one key. In games, each game of a group after the first is
    reported, as by a program that looks up a key and stores it if it is new. In pairs, a game is
    reported once for each game before it, as OCGDB counts verified duplicates. `true` counts games
    with equal moves and an equal start in the same way. For a group of n games with k different
    mainlines, n - 1 games are reported, and n - k of them are true.
    """

    groups: int = 0
    reported: int = 0
    true: int = 0
    reported_pairs: int = 0
    true_pairs: int = 0


def count_groups(games: Iterable[KeyedMoves], start_epd: Callable[[str], str | None]) -> KeyCounts:
    """Count the duplicates that a key reports; `games` must be sorted by key.

    `start_epd` returns the normal form of a FEN, None for the standard start. The moves of one
    group at a time are in memory.
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
