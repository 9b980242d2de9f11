"""The published experiment on signatures, repeated on a collection.

Counts distinct signatures, and classifies the pairs of different games with both signatures equal:
one game with a slip, a truncated game, or perhaps two games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import apsw
from rapidfuzz.distance import LCSseq

from ocgdedup._kernels.chess import moves_at, signature_rows, symmetric_form
from ocgdedup._kernels.search import common_plies
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.matching.move_differences import differences
from ocgdedup.model import PLY_BYTES, Reporter
from ocgdedup.pipeline.search.go_records import sgf_moves
from ocgdedup.store import find as store
from ocgdedup.store.games import Row, count_games
from ocgdedup.store.names import game_kind

SLIP, ENDING, PREFIX, SETUP, OTHER = "slip", "ending", "prefix", "setup", "other"
KINDS = (SLIP, ENDING, PREFIX, SETUP, OTHER)

# In larger groups with both signatures equal, only pairs with the first game are compared: the
# number of all pairs grows with the square.
MOST_BY_PAIRS = 50
MOST_ALONE = 1_000  # listed pairs that share A alone, and B alone
# Least share of equal moves after the first difference, of the shorter game.
_AGREEING = 0.5
# Fewer moves than these cannot show whether the moves agree again.
_ENDING_MOVES = 10
_MOST_SLIPS = 6
_PROMOTIONS = ("", "", "n", "b", "r", "q", "", "")


class MoveDifference(NamedTuple):
    """The moves of one number, from 1, that differ; None if a game has no such move."""

    number: int
    left: str | None
    right: str | None


class SignaturePair(NamedTuple):
    """Two games with both signatures equal and different moves.

    `shared`: moves before the first difference; `plies`: of both games; `total`: number of
    differences; `differences`: the first ones; `other_setup`: the start positions differ.
    """

    left: int
    right: int
    kind: str
    shared: int
    plies: tuple[int, int]
    total: int
    differences: list[MoveDifference]
    other_setup: bool


class SignatureReport(NamedTuple):
    """Results; `unreadable`: games without signatures; `short`: move sequences left out.

    `only_a`, `only_b`: numbers of pairs of games with different moves and only that signature
    equal; `pairs_a`, `pairs_b`: the first of these. `moves`: the numbers of the moves that were
    asked for; they are A, and there is no B.
    `large_groups`: groups of more than `most_by_pairs` games, which were compared only with the
    game of the lowest ID.
    """

    kind: GameKind
    unreadable: int
    counts: store.DistinctCounts
    only_a: int
    only_b: int
    short: int
    large_groups: int
    pairs: list[SignaturePair]
    pairs_a: list[SignaturePair]
    pairs_b: list[SignaturePair]
    moves: tuple[int, ...] | None = None

    @property
    def most_by_pairs(self) -> int:
        return MOST_BY_PAIRS

    def count_of(self, kind: str) -> int:
        return sum(pair.kind == kind for pair in self.pairs)


def signature_report(
    connection: apsw.Connection, reporter: Reporter, numbers: Sequence[int] | None = None
) -> SignatureReport:
    """Count distinct signatures, and compare games with both or one of them equal.

    Games with the same moves count once. Signatures that the database lacks are computed.
    `numbers`: moves to use instead of those of A and B.
    """
    kind = game_kind(connection)
    moves = None if numbers is None else tuple(sorted(set(numbers)))
    table = _table(connection, reporter, kind, moves)
    counts = store.distinct_counts(connection, table)
    letters = kind.move_letters
    if moves is not None and len(moves) == 1:
        letters = 0  # the first move, not the second one, must exist

    def compared(pairs: Iterable[tuple[int, int]]) -> list[SignaturePair]:
        pairs = list(pairs)
        games = store.played_games_of(connection, [*{*chain.from_iterable(pairs)}])
        return sorted(
            (compare(games[left], games[right], kind) for left, right in pairs),
            key=lambda pair: (KINDS.index(pair.kind), pair.left, pair.right),
        )

    pairs: list[SignaturePair] = []
    large_groups = 0
    for ids in store.equal_signatures(connection, table, letters):
        large_groups += len(ids) > MOST_BY_PAIRS
        pairs += compared(_pairs(ids))
    pairs.sort(key=lambda pair: (KINDS.index(pair.kind), pair.left, pair.right))
    short = store.count_short(connection, table, letters)
    unreadable = count_games(connection) - counts.games
    alone, pairs_a, pairs_b = (0, 0), list[SignaturePair](), list[SignaturePair]()
    if moves is None:
        alone = store.count_pairs_of_one(connection, table, letters)
        pairs_a, pairs_b = (
            compared(store.pairs_of_one(connection, table, letters, name, most=MOST_ALONE))
            for name in "AB"
        )
    return SignatureReport(
        kind, unreadable, counts, *alone, short, large_groups, pairs, pairs_a, pairs_b, moves
    )


def _pairs(ids: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Return the pairs of a group, sorted by ID, that are compared."""
    if len(ids) > MOST_BY_PAIRS:
        return ((ids[0], other) for other in ids[1:])
    return combinations(ids, 2)


def _table(
    connection: apsw.Connection,
    reporter: Reporter,
    kind: GameKind,
    numbers: Sequence[int] | None,
) -> str:
    """Return the name of a table with the signatures of all games, a temporary one if needed.

    `numbers`: of the moves that are A; B is empty.
    """
    if (
        numbers is None
        and store.has_signatures(connection)
        and not store.count_unsigned(connection)
    ):
        return store.SIGNATURES
    store.make_reported_table(connection)
    reporter.start("signatures", None, count_games(connection))
    count = 0
    for games in store.played_games(connection):
        rows = [
            row if numbers is None else _with_moves(row, game, numbers, kind)
            for game, row in zip(games, signature_rows(games, kind.is_go), strict=True)
            if row is not None
        ]
        store.insert_signatures(connection, rows, store.REPORTED)
        count += len(games)
        reporter.advance(count, 0)
    reporter.finish()
    return store.REPORTED


def _with_moves(row: Row, game: Row, numbers: Sequence[int], kind: GameKind) -> Row:
    """Return a row of Signatures whose A has these moves."""
    game_id, start, blob = game
    moves = moves_at(blob or b"", numbers, kind.is_go)
    symmetric = symmetric_form(moves, start) if kind.has_symmetry else None
    return (game_id, moves, "", symmetric, *row[4:])


def compare(left: Row, right: Row, kind: GameKind) -> SignaturePair:
    """Classify the difference of two games, each (ID, start, moves)."""
    blobs = left[2] or b"", right[2] or b""
    shared = common_plies(*blobs)
    difference = _kind(*blobs, shared)
    texts_of = _TEXTS[kind]
    texts = texts_of(blobs[0]), texts_of(blobs[1])
    differences = _slip_differences(*texts) if difference == SLIP else _differences_in_place(*texts)
    return SignaturePair(
        left[0], right[0], difference, shared, (len(texts[0]), len(texts[1])), len(differences),
        differences[:_MOST_SLIPS], left[1] != right[1],
    )  # fmt: skip


def _kind(left: bytes, right: bytes, shared: int) -> str:
    if left == right:
        return SETUP
    rests = [memoryview(moves)[shared * PLY_BYTES :].cast("H") for moves in (left, right)]
    shorter = min(map(len, rests))
    if not shorter:
        return PREFIX
    if LCSseq.similarity(*rests) >= _AGREEING * shorter:
        return SLIP
    return ENDING if shorter <= _ENDING_MOVES else OTHER


def _chess_texts(moves: bytes) -> list[str]:
    """Return the moves in UCI: e2e4, e7e8q."""
    plies = range(len(moves) // PLY_BYTES)
    return [
        moves_at(moves, [ply + 1], False) + _PROMOTIONS[moves[PLY_BYTES * ply + 1] >> 4 & 7]
        for ply in plies
    ]


_TEXTS = {CHESS: _chess_texts, GO: sgf_moves}


def _slip_differences(left: list[str], right: list[str]) -> list[MoveDifference]:
    """Return the differences of two games, move by move or, if that is shorter, aligned."""
    in_place = _differences_in_place(left, right)
    if len(in_place) <= _MOST_SLIPS:
        return in_place
    # With so many differences, one game lacks moves of the other.
    aligned = []
    for i, left_end, j, right_end in differences(left, right):
        if i == len(left) or j == len(right):
            continue  # one game continues the other
        for step in range(max(left_end - i, right_end - j)):
            left_move = left[i + step] if i + step < left_end else None
            right_move = right[j + step] if j + step < right_end else None
            number = (j if left_move is None else i) + step + 1
            aligned.append(MoveDifference(number, left_move, right_move))
    return aligned if len(aligned) < len(in_place) else in_place


def _differences_in_place(left: list[str], right: list[str]) -> list[MoveDifference]:
    """Return the moves that differ at the same number, up to the end of the shorter game."""
    return [
        MoveDifference(number, left_move, right_move)
        for number, (left_move, right_move) in enumerate(zip(left, right, strict=False), start=1)
        if left_move != right_move
    ]
