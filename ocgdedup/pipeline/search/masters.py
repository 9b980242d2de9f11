"""Choose the kept game of a group, by headers and by how the records end.

The rules are matching/canonical.py's. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import apsw

from ocgdedup._kernels.chess import decode_san
from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.game_kind import CHESS, GO, kind_of
from ocgdedup.matching import canonical
from ocgdedup.matching.canonical import Length, Member, choose_master
from ocgdedup.model import GameHeader
from ocgdedup.pipeline.search.detect import SearchResult
from ocgdedup.pipeline.search.groups import Group
from ocgdedup.store.merges import read_headers


def place_of_master(
    search_result: SearchResult, group: Group, headers: Sequence[GameHeader], keep: str
) -> int:
    """Return which header is the master's."""
    chosen: Collection[int] = ()
    if search_result.choices:
        chosen = canonical.chosen_ids(set(group.ids) - search_result.removed, search_result.choices)
    if len(set(group.lines)) == 1:
        members = [Member(header) for header in headers]
    else:
        members = _with_ends(search_result.finder, group.ids, headers)
    if search_result.removed:
        members = [row for row in members if row.header.game_id not in search_result.removed]
    kind = search_result.kind
    return group.ids.index(choose_master(members, keep=keep, chosen=chosen, kind=kind))


def usual_master(connection: apsw.Connection, finder: DuplicateFinder, ids: Sequence[int]) -> int:
    """Return which of some records of one game the rules keep, if the user chooses none.

    Raises KeyError for a game that is not there.
    """
    members = _with_ends(finder, ids, read_headers(connection, ids))
    return choose_master(members, kind=kind_of(finder.is_go))


def _with_ends(
    finder: DuplicateFinder, ids: Sequence[int], headers: Sequence[GameHeader]
) -> list[Member]:
    """Return the members with what is known of their beginnings and ends."""
    lengths, lack_beginnings = _ENDS[kind_of(finder.is_go)](finder, ids, headers)
    return [
        Member(header, length.is_cut or lacks, length.has_tail)
        for header, length, lacks in zip(headers, lengths, lack_beginnings, strict=True)
    ]


def _chess_ends(
    finder: DuplicateFinder, ids: Sequence[int], _: Sequence[GameHeader]
) -> tuple[list[Length], list[bool]]:
    """Return how long the mainlines of chess games are, and which of them lack their beginning."""
    mainlines = [finder.mainline(game_id) for game_id in ids]
    # One that starts from a position of another lacks what was played before.
    starts_late = [finder.starts_elsewhere(game_id) for game_id in ids]
    lengths = canonical.true_lengths(mainlines)
    if not any(starts_late):
        lengths = _with_mates(mainlines, lengths)
    if all(starts_late):
        starts_late = [False] * len(starts_late)
    return lengths, starts_late


def _go_ends(
    finder: DuplicateFinder, ids: Sequence[int], headers: Sequence[GameHeader]
) -> tuple[list[Length], list[bool]]:
    """Return how long the mainlines of Go games are, and which of them lack their beginning.

    A game that begins with an empty board lacks its beginning if another one begins with stones,
    and has more stones and moves together than it has moves: else its first moves may be these
    stones.
    """
    records = [(header.plies, finder.stones(header.game_id)) for header in headers]
    most_stones = max((own + count for own, count in records if count), default=0)
    lacks_stones = [not count and own < most_stones for own, count in records]
    return canonical.go_lengths([finder.mainline(game_id) for game_id in ids]), lacks_stones


_ENDS = {CHESS: _chess_ends, GO: _go_ends}


def _with_mates(mainlines: Sequence[bytes], lengths: list[Length]) -> list[Length]:
    """Correct the lengths where a record ends in mate: then the game is over, and not before."""
    lines = set(mainlines)
    if not any(line != other and line.startswith(other) for line in lines for other in lines):
        return lengths

    def ends_in_mate(mainline: bytes) -> bool:
        try:
            return bool(mainline) and decode_san(mainline)[-1].endswith("#")
        except ValueError:  # moves that do not replay, only in files of OCGDB: no mate is known
            return False

    mates = list(map(ends_in_mate, mainlines))
    if not any(mates):
        return lengths
    return [
        Length() if is_mate else length._replace(is_cut=True)
        for length, is_mate in zip(lengths, mates, strict=True)
    ]
