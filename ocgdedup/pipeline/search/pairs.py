"""Pairs of games to show: the tags of both, and the first difference of their moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from ocgdedup._kernels import go as go_kernel
from ocgdedup._kernels.chess import decode_san, final_fen, start_epd
from ocgdedup._kernels.search import common_plies, common_tail
from ocgdedup.errors import UsageError, damaged_moves, unknown_games
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.model import PLY_BYTES, extra_tags_of
from ocgdedup.pipeline.search import go_records
from ocgdedup.store import duplicates as store
from ocgdedup.store.connection import Database
from ocgdedup.store.games import pgn_date
from ocgdedup.store.names import game_kind
from ocgdedup.store.possible_duplicates import PossiblePair, possible_duplicate
from ocgdedup.wording import CONTINUES_FROM_FEN

STANDARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class ShownGame(NamedTuple):
    """A game to show: the tags in the order of an export, the mainline as texts.

    `texts`: moves in SAN, in Go as SGF writes them; plies of Go are its moves. `fen` is None for
    the standard start. `has_merged_header`, `has_merged_notes`: the game has tags, or annotations,
    of other games of its group. `source`, `number`: the input file and the game's number in it, if
    known. `more_plies`: how much longer a duplicate is than its kept game, None if the lengths are
    unknown or not comparable.
    """

    game_id: int
    tags: list[tuple[str, str]]
    texts: list[str]
    moves: bytes
    fen: str | None = None
    status: str | None = None
    group: int | None = None
    reason: str | None = None
    has_comments: bool = False
    has_variations: bool = False
    has_merged_header: bool = False
    has_merged_notes: bool = False
    source: str | None = None
    number: int | None = None
    is_deleted: bool = False
    kind: GameKind = CHESS
    more_plies: int | None = None


class Overlap(NamedTuple):
    """How the plies of two mainlines correspond.

    Both games reach the same position after `left_start` plies of the left and `right_start` of the
    right: one of these is 0, both are if the games start alike. From there `shared` plies are
    equal. If both games have more plies, their last `tail` plies are equal again. Go games are
    aligned in this way even if they start with different stones.
    """

    left_start: int
    right_start: int
    shared: int
    tail: int


class ShownPair(NamedTuple):
    """Two games; `overlap` is None if neither starts in a position of the other.

    In Go, the right game is rotated to match the left one; `symmetry`: the index in SYMMETRY_WORDS.
    """

    left: ShownGame
    right: ShownGame
    overlap: Overlap | None
    state: PossiblePair | None
    symmetry: int = 0


def first_difference(
    left: bytes, right: bytes, left_fen: str | None = None, right_fen: str | None = None
) -> int | None:
    """Return the ply, from 1, at which two mainlines differ or only one still has a move.

    None if the mainlines are equal, 0 if the start positions differ.
    """
    if left_fen != right_fen and _start(left_fen) != _start(right_fen):
        return 0
    return None if left == right else common_plies(left, right) + 1


def go_difference(
    left: bytes, right: bytes, left_start: str | None = None, right_start: str | None = None
) -> int | None:
    """Return the first difference of two Go games, the right one rotated to match the left."""
    symmetry = go_records.best_symmetry(left, right, left_start, right_start)
    if left_start != go_records.rotated_start(right_start, symmetry):
        return 0
    right = go_kernel.rotate_moves(right, go_records.lines_of(right_start), symmetry)
    return None if left == right else common_plies(left, right) + 1


DIFFERENCES = {CHESS: first_difference, GO: go_difference}


def pairs_of(database: Database, ids: Collection[tuple[int, int]]) -> Iterator[ShownPair]:
    """Yield pairs of games in the given order.

    Raises UsageError that names unknown IDs before the first pair is yielded.
    """
    require_game_ids(database, [game_id for pair in ids for game_id in pair])
    left: ShownGame | None = None
    for left_id, right_id in ids:
        if left is None or left.game_id != left_id:  # a kept game comes once per duplicate
            left = _game(database, left_id)
        state = possible_duplicate(database.connection, left_id, right_id)
        right, overlap, symmetry = _BESIDE[left.kind](left, _game(database, right_id))
        yield ShownPair(left, right, overlap, state, symmetry)


def ids_of_group(database: Database, game_id: int) -> list[tuple[int, int]]:
    """Return (kept game, duplicate) of the group of a game.

    Raises UsageError if there is no such game, or it is in no group.
    """
    require_game_ids(database, [game_id])
    members = store.group_ids(database.connection, game_id)
    if not members:
        raise UsageError(
            f"{database.path}: game {game_id} is in no group of duplicates; "
            "run 'ocgdedup dedup' to search for them"
        )
    kept_game, *duplicates = members
    return [(kept_game, duplicate) for duplicate in duplicates]


def fen_before_difference(pair: ShownPair) -> str | None:
    """Return the position before the first difference, with the left game's counters.

    None for Go, and if the games do not differ or have no position in common.
    """
    plies = _plies_to_difference(pair)
    if plies is None or pair.left.kind is not CHESS:
        return None
    return final_fen(pair.left.moves[: plies * PLY_BYTES], pair.left.fen)


def board_before_difference(pair: ShownPair) -> list[str] | None:
    """Return the Go board before the first difference, as rows; None for chess and equal games."""
    plies = _plies_to_difference(pair)
    if plies is None or pair.left.kind is not GO:
        return None
    return go_kernel.board_after(pair.left.moves, pair.left.fen, plies)


def first_different_moves(pair: ShownPair) -> tuple[str, str]:
    """Return the first move of each game after the shared ones; "" where a game has ended."""
    overlap = pair.overlap or Overlap(0, 0, 0, 0)
    starts = (overlap.left_start, overlap.right_start)
    left, right = (
        "".join(game.texts[start + overlap.shared :][:1])
        for game, start in zip((pair.left, pair.right), starts, strict=True)
    )
    return left, right


def _plies_to_difference(pair: ShownPair) -> int | None:
    """Return the plies of the left game before the first difference; None if there is none."""
    if pair.overlap is None:
        return None
    left_start, right_start, shared, _ = pair.overlap
    rests = len(pair.left.texts) - left_start, len(pair.right.texts) - right_start
    return None if shared == rests[0] == rests[1] else left_start + shared


def games_of(database: Database, game_ids: Sequence[int]) -> list[ShownGame]:
    """Return games in the given order; raise UsageError that names unknown IDs."""
    require_game_ids(database, game_ids)
    return [_game(database, game_id) for game_id in game_ids]


def require_game_ids(database: Database, game_ids: Sequence[int]) -> None:
    """Raise UsageError that names the IDs that neither a game nor a deleted game has."""
    unknown = store.unknown_ids(database.connection, game_ids)
    if unknown:
        raise unknown_games(database.path, *unknown)


def _game(database: Database, game_id: int) -> ShownGame:
    row = store.game_row(database.connection, game_id)
    assert row is not None, "require_game_ids() was called"
    moves, fen = row.moves or b"", row.fen or None
    kind = game_kind(database.connection)
    try:
        texts = _TEXTS[kind](moves, fen)
    except ValueError as error:
        raise damaged_moves(f"{database.path}: game {game_id}", error) from error
    date = row.date if database.is_ours else pgn_date(row.date)
    more_plies = None if row.kept_plies is None else len(texts) - row.kept_plies
    if more_plies == 0 and row.reason == CONTINUES_FROM_FEN:
        more_plies = None  # the lengths are not comparable
    return ShownGame(
        game_id, _tags(row._replace(date=date), kind.start_tag), texts, moves, fen, row.status,
        row.group, row.reason, bool(row.has_comments), bool(row.has_variations),
        bool(row.has_merged_header), bool(row.has_merged_notes), row.source,
        row.number, bool(row.is_deleted), kind, more_plies,
    )  # fmt: skip


def _go_texts(moves: bytes, start: str | None) -> list[str]:
    """Return the moves as SGF writes them; raise ValueError if one cannot be played."""
    go_kernel.keys_of(moves, start)
    return go_records.sgf_moves(moves)


_TEXTS: Mapping[GameKind, Callable[[bytes, str | None], list[str]]] = {
    CHESS: decode_san,
    GO: _go_texts,
}


def _tags(row: store.GameRow, start_name: str) -> list[tuple[str, str]]:
    """Return the tags: the Seven Tag Roster, then all others."""
    roster = {
        "Event": row.event, "Site": row.site, "Date": row.date, "Round": row.round,
        "White": row.white, "Black": row.black,
    }  # fmt: skip
    others = {
        "WhiteElo": row.white_elo, "BlackElo": row.black_elo, "ECO": row.eco,
        "TimeControl": row.time_control, start_name: row.fen,
    }  # fmt: skip
    extra = extra_tags_of(row.game_id, row.extra_tags)
    return [
        *((name, value or "?") for name, value in roster.items()),
        ("Result", row.result or "*"),
        *((name, str(value)) for name, value in {**others, **extra}.items() if value),
    ]


def _go_beside(left: ShownGame, right: ShownGame) -> tuple[ShownGame, Overlap | None, int]:
    """Return the right game, rotated so that most moves match the left one, and the symmetry."""
    symmetry = go_records.best_symmetry(left.moves, right.moves, left.fen, right.fen)
    if symmetry:
        moves = go_kernel.rotate_moves(right.moves, go_records.lines_of(right.fen), symmetry)
        start = go_records.rotated_start(right.fen, symmetry)
        tags = [
            (tag, start or value if tag == GO.start_tag else value) for tag, value in right.tags
        ]
        right = right._replace(moves=moves, fen=start, texts=go_records.sgf_moves(moves), tags=tags)
    return right, _go_overlap(left, right), symmetry


# By game kind: functions that return the right game as shown, the overlap, and the symmetry.
_BESIDE = {CHESS: lambda left, right: (right, overlap_of(left, right), 0), GO: _go_beside}


def _go_overlap(left: ShownGame, right: ShownGame) -> Overlap | None:
    """Align two Go games; None if their boards differ in size."""
    if go_records.lines_of(left.fen) != go_records.lines_of(right.fen):
        return None
    overlap = _overlap(left.moves, right.moves, 0, 0)
    if left.fen == right.fen:
        return overlap
    overlaps = [_overlap(left.moves, right.moves, plies, 0) for plies in _moves_to(left, right)]
    overlaps += [_overlap(left.moves, right.moves, 0, plies) for plies in _moves_to(right, left)]
    return max([*overlaps, overlap], key=attrgetter("shared"))


def _moves_to(game: ShownGame, other: ShownGame) -> list[int]:
    """Return the numbers of moves after which a game has the setup position of the other."""
    if not go_records.stones_of(other.fen):
        return []
    board = go_kernel.board_after(b"", other.fen)
    return [
        plies
        for plies in range(1, len(game.texts) + 1)
        if go_kernel.board_after(game.moves, game.fen, plies) == board
    ]


def overlap_of(left: ShownGame, right: ShownGame) -> Overlap | None:
    """Align two mainlines of chess; None if neither starts in a position of the other."""
    if left.fen == right.fen or _start(left.fen) == _start(right.fen):
        return _overlap(left.moves, right.moves, 0, 0)
    overlaps = [_overlap(left.moves, right.moves, plies, 0) for plies in _plies_to(left, right.fen)]
    overlaps += [
        _overlap(left.moves, right.moves, 0, plies) for plies in _plies_to(right, left.fen)
    ]
    return max(overlaps, key=attrgetter("shared"), default=None)


def _overlap(left: bytes, right: bytes, left_start: int, right_start: int) -> Overlap:
    rest, other = left[left_start * PLY_BYTES :], right[right_start * PLY_BYTES :]
    shared = common_plies(rest, other)
    used = shared * PLY_BYTES
    return Overlap(left_start, right_start, shared, common_tail(rest[used:], other[used:]))


def _plies_to(game: ShownGame, fen: str | None) -> list[int]:
    """Return the numbers of plies after which a game has a position."""
    start = _start(fen)
    return [
        plies
        for plies in range(1, len(game.texts) + 1)
        if start_epd(final_fen(game.moves[: plies * PLY_BYTES], game.fen)) == start
    ]


def _start(fen: str | None) -> str:
    """Return the normal form of a start position, which has no move counters."""
    return start_epd(fen or STANDARD_FEN)
