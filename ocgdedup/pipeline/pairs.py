"""Pairs of games for people to look at: what both say, and where their moves part."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels.blob_compare import common_plies, common_tail
from ocgdedup._kernels.move_decode import decode_san, final_fen, start_epd
from ocgdedup.errors import UsageError, damaged_moves
from ocgdedup.model import extra_tags_of
from ocgdedup.store import pairs as store
from ocgdedup.store.connection import Database
from ocgdedup.store.pairs import StoredPair, Suspicion
from ocgdedup.store.upgrade import pgn_date

_STANDARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_PLY_BYTES = 2


class ShownGame(NamedTuple):
    """A game as people read it: the tags in the order of an export, the mainline in SAN.

    `fen` is None for the standard start. `is_merged`: its tags have values of other games of its
    group. `source` and `number` say where it came from, if that is known.
    """

    game_id: int
    tags: list[tuple[str, str]]
    san: list[str]
    moves: bytes
    fen: str | None = None
    status: str | None = None
    group: int | None = None
    reason: str | None = None
    has_comments: bool = False
    has_variations: bool = False
    is_merged: bool = False
    source: str | None = None
    number: int | None = None
    is_removed: bool = False


class Overlap(NamedTuple):
    """How two mainlines lie beside each other, in plies.

    Both games stand in one position after `left_start` plies of the left and `right_start` of
    the right: one of these is 0, both are if the games start alike. From there `shared` plies are
    the same; where these do not use up a game, the last `tail` plies of both are the same again.
    """

    left_start: int
    right_start: int
    shared: int
    tail: int


class ShownPair(NamedTuple):
    """Two games; `overlap` is None if neither starts in a position of the other."""

    left: ShownGame
    right: ShownGame
    overlap: Overlap | None
    suspicion: Suspicion | None


class ReportedPair(NamedTuple):
    """A copy and its master, or two suspects, for a report.

    `first_difference` is the half-move, from 1, at which their mainlines differ or only one still
    has a move; None if they are the same, 0 if the start positions are not.
    """

    pair: StoredPair
    first_difference: int | None


def reported_pairs(connection: apsw.Connection) -> Iterator[ReportedPair]:
    """Yield each copy with its master, group by group, then the suspects."""
    for pair in store.stored_pairs(connection):
        game, master = pair.game, pair.master
        yield ReportedPair(
            pair, first_difference(game.moves or b"", master.moves or b"", game.fen, master.fen)
        )


def first_difference(
    left: bytes, right: bytes, left_fen: str | None = None, right_fen: str | None = None
) -> int | None:
    """Return where two mainlines part, as ReportedPair has it."""
    if left_fen != right_fen and _start(left_fen) != _start(right_fen):
        return 0
    return None if left == right else common_plies(left, right) + 1


def pairs_of(database: Database, ids: Collection[tuple[int, int]]) -> Iterator[ShownPair]:
    """Yield two games each, in the order asked for.

    Raises UsageError that names unknown IDs before the first is yielded.
    """
    require_known(database, [game_id for pair in ids for game_id in pair])
    left: ShownGame | None = None
    for left_id, right_id in ids:
        if left is None or left.game_id != left_id:  # a master comes once for each of its copies
            left = _game(database, left_id)
        yield _pair(database, left, _game(database, right_id))


def pairs_of_group(database: Database, game_id: int) -> Iterator[ShownPair]:
    """Yield the master (left) with each copy of the group that a game is in.

    Raises UsageError if there is no such game, or it is in no group.
    """
    yield from pairs_of(database, ids_of_group(database, game_id))


def ids_of_group(database: Database, game_id: int) -> list[tuple[int, int]]:
    """Return (master, copy) of the group that a game is in; raise UsageError as pairs_of_group."""
    require_known(database, [game_id])
    members = store.group_ids(database.connection, game_id)
    if not members:
        raise UsageError(
            f"{database.path}: game {game_id} is in no group of duplicates; "
            "'ocgdedup dedup' looks for them"
        )
    master, *copies = members
    return [(master, copy) for copy in copies]


def fen_before_difference(pair: ShownPair) -> str | None:
    """Return the position in which two games part, with the left game's counters.

    None if they do not, or have no position in common.
    """
    overlap, left, right = pair.overlap, pair.left, pair.right
    if overlap is None:
        return None
    rests = (len(left.san) - overlap.left_start, len(right.san) - overlap.right_start)
    if overlap.shared == rests[0] == rests[1]:
        return None
    return shared_fen(left, overlap)


def shared_fen(left: ShownGame, overlap: Overlap) -> str:
    """Return the last position that two games have in common, with the left game's counters."""
    plies = overlap.left_start + overlap.shared
    return final_fen(left.moves[: plies * _PLY_BYTES], left.fen)


def games_of(database: Database, game_ids: Sequence[int]) -> list[ShownGame]:
    """Return games in the order asked for; raise UsageError that names unknown IDs."""
    require_known(database, game_ids)
    return [_game(database, game_id) for game_id in game_ids]


def require_known(database: Database, game_ids: Sequence[int]) -> None:
    """Raise UsageError that names the IDs that no game has, a deleted one neither."""
    unknown = store.unknown_ids(database.connection, game_ids)
    if unknown:
        listed = ", ".join(map(str, unknown))
        raise UsageError(f"{database.path}: there is no game with ID {listed}")


def _game(database: Database, game_id: int) -> ShownGame:
    row = store.game_row(database.connection, game_id)
    assert row is not None, "asked for before"
    moves, fen = row.moves or b"", row.fen or None
    try:
        san = decode_san(moves, fen)
    except ValueError as error:
        raise damaged_moves(f"{database.path}: game {game_id}", error) from error
    date = row.date if database.is_ours else pgn_date(row.date)
    return ShownGame(
        game_id,
        _tags(row._replace(date=date)),
        san,
        moves,
        fen,
        row.status,
        row.group,
        row.reason,
        bool(row.has_comments),
        bool(row.has_variations),
        bool(row.header_optimized),
        row.source,
        row.number,
        bool(row.is_removed),
    )


def _tags(row: store.GameRow) -> list[tuple[str, str]]:
    """Return the tags: the seven that each game has, then those that it has besides."""
    roster = {
        "Event": row.event, "Site": row.site, "Date": row.date, "Round": row.round,
        "White": row.white, "Black": row.black,
    }  # fmt: skip
    others = {
        "WhiteElo": row.white_elo, "BlackElo": row.black_elo, "ECO": row.eco,
        "TimeControl": row.time_control, "FEN": row.fen,
    }  # fmt: skip
    extra = extra_tags_of(row.game_id, row.extra_tags)
    return [
        *((name, value or "?") for name, value in roster.items()),
        ("Result", row.result or "*"),
        *((name, str(value)) for name, value in {**others, **extra}.items() if value),
    ]


def _pair(database: Database, left: ShownGame, right: ShownGame) -> ShownPair:
    suspicion = store.suspicion_of(database.connection, left.game_id, right.game_id)
    return ShownPair(left, right, overlap_of(left, right), suspicion)


def overlap_of(left: ShownGame, right: ShownGame) -> Overlap | None:
    """Lay two mainlines beside each other."""
    if left.fen == right.fen or _start(left.fen) == _start(right.fen):
        return _overlap(left.moves, right.moves, 0, 0)
    found = [_overlap(left.moves, right.moves, plies, 0) for plies in _plies_to(left, right.fen)]
    found += [_overlap(left.moves, right.moves, 0, plies) for plies in _plies_to(right, left.fen)]
    return max(found, key=_shared, default=None)


def _shared(overlap: Overlap) -> int:
    return overlap.shared


def _overlap(left: bytes, right: bytes, left_start: int, right_start: int) -> Overlap:
    rest, other = left[left_start * _PLY_BYTES :], right[right_start * _PLY_BYTES :]
    shared = common_plies(rest, other)
    used = shared * _PLY_BYTES
    return Overlap(left_start, right_start, shared, common_tail(rest[used:], other[used:]))


def _plies_to(game: ShownGame, fen: str | None) -> list[int]:
    """Return after how many plies a game stands in a position: several, if it comes again."""
    wanted = _start(fen)
    return [
        plies
        for plies in range(1, len(game.san) + 1)
        if start_epd(final_fen(game.moves[: plies * _PLY_BYTES], game.fen)) == wanted
    ]


def _start(fen: str | None) -> str:
    """Return the normal form of a start position: counters do not make two of one."""
    return start_epd(fen or _STANDARD_FEN)
