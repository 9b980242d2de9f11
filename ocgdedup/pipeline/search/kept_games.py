"""Choose the kept game of a group by the rules of matching/kept_game.py. Writes nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import apsw

from ocgdedup._kernels.chess import decode_san
from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.game_kind import CHESS, GO, kind_of
from ocgdedup.matching import kept_game
from ocgdedup.matching.kept_game import Length, Member, choose_kept_game
from ocgdedup.model import GameHeader
from ocgdedup.pipeline.search.detect import SearchResult
from ocgdedup.pipeline.search.groups import Group
from ocgdedup.store.merges import read_headers


def kept_game_index(
    search_result: SearchResult, group: Group, headers: Sequence[GameHeader], keep: str
) -> int:
    """Return the index of the kept game of a group."""
    chosen: Collection[int] = ()
    if search_result.choices:
        chosen = kept_game.chosen_ids(set(group.ids) - search_result.deleted, search_result.choices)
    if not chosen:  # moves and annotations of the user are kept
        chosen = search_result.corrected.intersection(group.ids) - search_result.deleted
    if len(set(group.lines)) == 1:
        members = [Member(header) for header in headers]
    else:
        members = _with_ends(search_result.finder, group.ids, headers)
    if search_result.deleted:
        members = [row for row in members if row.header.game_id not in search_result.deleted]
    kind = search_result.kind
    return group.ids.index(choose_kept_game(members, criterion=keep, chosen=chosen, kind=kind))


def default_kept_game(
    connection: apsw.Connection, finder: DuplicateFinder, ids: Sequence[int]
) -> int:
    """Return the record of a game that the rules keep if the user chooses none.

    Raises KeyError for an unknown ID.
    """
    members = _with_ends(finder, ids, read_headers(connection, ids))
    return choose_kept_game(members, kind=kind_of(finder.is_go))


def _with_ends(
    finder: DuplicateFinder, ids: Sequence[int], headers: Sequence[GameHeader]
) -> list[Member]:
    """Return the members of a group, marked if their beginning or end is missing."""
    lengths, lack_beginnings = _ENDS[kind_of(finder.is_go)](finder, ids, headers)
    return [
        Member(header, length.is_truncated or lacks, length.has_tail)
        for header, length, lacks in zip(headers, lengths, lack_beginnings, strict=True)
    ]


def _chess_ends(
    finder: DuplicateFinder, ids: Sequence[int], _: Sequence[GameHeader]
) -> tuple[list[Length], list[bool]]:
    """Return how long the mainlines of chess games are, and which of them lack their beginning."""
    mainlines = [finder.mainline(game_id) for game_id in ids]
    # A record that starts from a position of another lacks the moves before.
    starts_late = [finder.starts_elsewhere(game_id) for game_id in ids]
    lengths = kept_game.true_lengths(mainlines)
    if not any(starts_late):
        lengths = _with_mates(mainlines, lengths)
    if all(starts_late):
        starts_late = [False] * len(starts_late)
    return lengths, starts_late


def _go_ends(
    finder: DuplicateFinder, ids: Sequence[int], headers: Sequence[GameHeader]
) -> tuple[list[Length], list[bool]]:
    """Return the lengths of the mainlines of Go games, and which mainlines lack their beginning.

    A game that begins with an empty board lacks its beginning if another game begins with stones
    and has more stones and moves together than it has moves. Otherwise its first moves may be these
    stones.
    """
    records = [(header.plies, finder.stones(header.game_id)) for header in headers]
    most_plies = max((plies + stones for plies, stones in records if stones), default=0)
    lacks_stones = [not stones and plies < most_plies for plies, stones in records]
    return kept_game.go_lengths([finder.mainline(game_id) for game_id in ids]), lacks_stones


_ENDS = {CHESS: _chess_ends, GO: _go_ends}


def _with_mates(mainlines: Sequence[bytes], lengths: list[Length]) -> list[Length]:
    """Correct the lengths if a record ends in mate: records without the mate are truncated."""
    lines = set(mainlines)
    if not any(line != other and line.startswith(other) for line in lines for other in lines):
        return lengths

    def ends_in_mate(mainline: bytes) -> bool:
        try:
            return bool(mainline) and decode_san(mainline)[-1].endswith("#")
        except ValueError:  # moves that do not replay, only in files of OCGDB
            return False

    mates = list(map(ends_in_mate, mainlines))
    if not any(mates):
        return lengths
    return [
        Length() if is_mate else length._replace(is_truncated=True)
        for length, is_mate in zip(lengths, mates, strict=True)
    ]
