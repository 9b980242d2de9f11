"""Choose the kept game of a group, by headers and by how the records end.

The rules are matching/canonical.py's. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import apsw

from ocgdedup._kernels.chess import decode_san
from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.game_kind import CHESS, GO, kind_of
from ocgdedup.matching.canonical import (
    Length,
    Member,
    choose_master,
    chosen_ids,
    go_lengths,
    true_lengths,
)
from ocgdedup.model import GameHeader
from ocgdedup.pipeline.search.detect import SearchResult
from ocgdedup.pipeline.search.groups import Group
from ocgdedup.store.merged_headers import read_headers


def place_of_master(
    search_result: SearchResult, group: Group, headers: Sequence[GameHeader], keep: str
) -> int:
    """Return which header is the master's."""
    chosen: Collection[int] = ()
    if search_result.choices:
        chosen = chosen_ids(set(group.ids) - search_result.removed, search_result.choices)
    members = _members(search_result, group, headers)
    if search_result.removed:
        members = [row for row in members if row.header.game_id not in search_result.removed]
    kind = search_result.kind
    return group.ids.index(choose_master(members, keep=keep, chosen=chosen, kind=kind))


def _members(
    search_result: SearchResult, group: Group, headers: Sequence[GameHeader]
) -> list[Member]:
    """Return the members with what is known of their ends."""
    if len(set(group.lines)) == 1:
        return [Member(header) for header in headers]
    return _with_ends(search_result.finder, group.ids, headers)


def usual_master(connection: apsw.Connection, finder: DuplicateFinder, ids: Sequence[int]) -> int:
    """Return which of some records of one game the rules keep, if the user chooses none.

    Raises KeyError for a game that is not there.
    """
    members = _with_ends(finder, ids, read_headers(connection, ids))
    return choose_master(members, kind=kind_of(finder.is_go))


def _with_ends(
    finder: DuplicateFinder, ids: Sequence[int], headers: Sequence[GameHeader]
) -> list[Member]:
    return _ENDS[kind_of(finder.is_go)](finder, ids, headers)


def _with_ends_of_chess(
    finder: DuplicateFinder, ids: Sequence[int], headers: Sequence[GameHeader]
) -> list[Member]:
    mainlines = [finder.mainline(game_id) for game_id in ids]
    # One that starts from a position of another lacks what was played before.
    starts_late = [finder.starts_elsewhere(game_id) for game_id in ids]
    lengths = true_lengths(mainlines)
    if not any(starts_late):
        lengths = _with_mates(mainlines, lengths)
    if all(starts_late):
        starts_late = [False] * len(starts_late)
    return [
        Member(header, length.is_cut or is_late, length.has_tail)
        for header, length, is_late in zip(headers, lengths, starts_late, strict=True)
    ]


def _with_ends_of_go(
    finder: DuplicateFinder, ids: Sequence[int], headers: Sequence[GameHeader]
) -> list[Member]:
    lengths = go_lengths([finder.mainline(game_id) for game_id in ids])
    lacks_stones = _lack_stones([finder.stones(n) for n in ids], [h.plies for h in headers])
    return [
        Member(header, length.is_cut or lacks, length.has_tail)
        for header, length, lacks in zip(headers, lengths, lacks_stones, strict=True)
    ]


_ENDS = {CHESS: _with_ends_of_chess, GO: _with_ends_of_go}


def _lack_stones(stones: Sequence[int], plies: Sequence[int]) -> list[bool]:
    """Tell which records begin with an empty board, though others have stones on it.

    What has as many moves more may have them as its first moves, and lacks nothing.
    """
    records = list(zip(plies, stones, strict=True))
    most_stones = max((own + count for own, count in records if count), default=0)
    return [not count and own < most_stones for own, count in records]


def _ends_in_mate(mainline: bytes) -> bool:
    try:
        return bool(mainline) and decode_san(mainline)[-1].endswith("#")
    except ValueError:  # moves that do not replay, only in files of OCGDB: no mate is known
        return False


def _with_mates(mainlines: Sequence[bytes], lengths: list[Length]) -> list[Length]:
    """Correct the lengths where a record ends in mate: then the game is over, and not before."""
    lines = set(mainlines)
    if not any(line != other and line.startswith(other) for line in lines for other in lines):
        return lengths
    mates = [_ends_in_mate(blob) for blob in mainlines]
    if not any(mates):
        return lengths
    return [
        Length() if is_mate else length._replace(is_cut=True)
        for length, is_mate in zip(lengths, mates, strict=True)
    ]
