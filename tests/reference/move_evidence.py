"""Relation of the moves of two games: reference of that part of search/evidence.pxd."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import chess
import chess.polyglot

from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.matching.evidence import (
    CONTINUATION,
    EXACT,
    NEAR_IDENTICAL,
    NO_MOVES,
    TRUNCATED,
    TRUNCATED_WITH_SLIP,
    Gates,
)
from tests.reference.game_record import Game
from tests.reference.move_distances import (
    common_plies,
    indel_distance,
    jaro_winkler,
    monge_elkan,
    prefix_indel_distance,
)

_MOST_EDITS = CONSTANTS["MOST_EDITS"]
Moves = tuple[int, ...]


class Alike(NamedTuple):
    """The fields of model.Comparison about moves; kind 0: not of one game."""

    kind: int = 0
    in_gates: bool = False
    plies: int = 0
    first_difference: int = 0
    transposed: int = 0
    differences: int = 0
    longer: int = 0
    ratio: float = 0.0
    winkler: float = 0.0
    distance: int = 0
    refused: int = 0


def compare_moves(
    a: Game, b: Game, gates: Gates, *, thorough: bool, named: Gates | None = None
) -> Alike:
    if a.start != b.start:
        return max(_continuation(a, b), _continuation(b, a))
    short, long = sorted((a.moves, b.moves), key=len)
    if not short:
        return Alike(NO_MOVES if long else EXACT, longer=len(long))
    if short == long:
        return Alike(EXACT, plies=len(short), first_difference=len(short))
    first = common_plies(short, long)
    if first < len(short):
        return _compare_near(short, long, first, gates, thorough, named)
    return Alike(TRUNCATED, plies=first, first_difference=first, longer=len(long) - len(short))


def _continuation(whole: Game, part: Game) -> Alike:
    """Check whether `part` starts from a position of `whole` and continues as it does."""
    if whole.start or not part.start or not whole.replays or len(part.moves) < 4:
        return Alike()
    board = chess.Board()
    for ply in range(len(whole.moves)):
        rest = whole.moves[ply:]
        shared = common_plies(rest, part.moves)
        if (
            chess.polyglot.zobrist_hash(board) == part.start
            and shared >= 4
            and shared in (len(rest), len(part.moves))
        ):
            return Alike(CONTINUATION, plies=shared, first_difference=ply + shared, longer=ply)
        move = _move_of(whole.moves[ply])
        if move not in board.legal_moves:
            break
        board.push(move)
    return Alike()


def _move_of(stored: int) -> chess.Move:
    return chess.Move(stored & 63, stored >> 6 & 63, stored >> 12 & 7 or None)


def _compare_near(
    short: Moves, long: Moves, first: int, gates: Gates, thorough: bool, named: Gates | None
) -> Alike:
    nothing = Alike(first_difference=first)
    alike = _compare_rest(short, long, first, nothing, gates, named, thorough=False)
    met = _transposed_plies(short, long, first)
    if met and not alike.kind:
        resumed = met + common_plies(short[met:], long[met:])
        result = nothing._replace(transposed=met)
        alike = _compare_rest(short, long, resumed, result, gates, named, thorough=thorough)
        alike = alike if alike.kind else nothing
    if thorough and not alike.kind:
        alike = _compare_rest(short, long, first, nothing, gates, named, thorough=True)
    return alike


def _transposed_plies(short: Moves, long: Moves, first: int) -> int:
    """Return the ply up to which both sides played the same moves in another order, or 0."""
    most, few = CONSTANTS["MOST_TRANSPOSED"], CONSTANTS["FEW_TRANSPOSED"]
    # Four plies each where the games usually agree again.
    places = [place for place in (few, most, len(short) - 4) if 0 <= place <= len(short) - 4]
    if not any(short[place : place + 4] == long[place : place + 4] for place in places):
        return 0
    if first >= most:
        return 0
    result = 0
    for plies in range(first + 1, min(len(short), most) + 1):
        sides = [(short[side:plies:2], long[side:plies:2]) for side in (0, 1)]
        if short[plies - 1] != long[plies - 1]:
            last = plies
        if all(Counter(left) == Counter(right) for left, right in sides):
            result = last
    return result


def _compare_rest(
    short: Moves,
    long: Moves,
    first: int,
    nothing: Alike,
    gates: Gates,
    named: Gates | None,
    *,
    thorough: bool,
) -> Alike:
    """Compare two games from ply `first` on, before which they agree or are transposed."""
    if not thorough and not _may_resume(short[first:], long[first:]):
        return nothing
    result, matched = prefix_indel_distance(short[first:], long[first:])
    if result > CONSTANTS["MOST_DIFFERENCES" if thorough else "FEW_DIFFERENCES"]:
        return nothing
    rest = len(long) - first - matched
    plies = (len(short) + first + matched - result) // 2
    alike = nothing._replace(plies=plies, differences=result + rest, distance=result + rest)
    alike = _in_gates(alike, short, long, gates)
    if named is not None:
        measured = measure(short, long, named)
        refused = refusals(short, long, named)
        alike = alike._replace(
            **measured._asdict(), refused=refused, in_gates=alike.in_gates or not refused
        )
    if alike.in_gates or rest <= CONSTANTS["LITTLE_LONGER"]:
        enough = alike.in_gates or plies >= gates.min_shared * len(long)
        return alike._replace(kind=NEAR_IDENTICAL if enough else 0)
    # A truncated game with a slip: plies after the prefix are no difference.
    ratio = plies / len(short)
    enough = ratio >= (gates.min_shared if thorough else gates.min_truncated_ratio)
    return alike._replace(
        kind=TRUNCATED_WITH_SLIP if enough else 0,
        differences=result,
        distance=result,
        longer=rest,
        ratio=ratio,
        refused=0,
    )


class Measured(NamedTuple):
    """Measures of similarity of two games from the ply on that the gates name."""

    distance: int
    ratio: float
    winkler: float


def measure(short: Moves, long: Moves, gates: Gates) -> Measured:
    start = gates.start_ply if len(short) - gates.start_ply >= gates.min_measured else 0
    left, right = short[start:], long[start:]
    distance = min(indel_distance(left, right), _MOST_EDITS + 1)
    shared = (len(left) + len(right) - distance) // 2
    winkler = jaro_winkler(left, right) if gates.min_winkler else 0.0
    return Measured(distance, shared / max(1, len(right)), winkler)


def refusals(short: Moves, long: Moves, gates: Gates) -> int:
    """Return the limits that two games fail, as bits."""
    limits = _followed(gates, len(short)) if gates.dynamic else gates
    result = measure(short, long, gates)
    kept = {
        "PLIES": len(short) >= limits.min_plies,
        "LENGTH": len(long) - len(short) <= limits.max_length_share * len(long),
        "INDEL": result.distance <= limits.max_indel,
        "RATIO": result.ratio >= limits.min_ratio,
        "WINKLER": not gates.min_winkler or result.winkler >= limits.min_winkler,
        "MONGE_ELKAN": not limits.monge_elkan or monge_elkan(short, long) >= limits.monge_elkan,
    }
    return sum(CONSTANTS[f"GATE_{name}"] for name, is_kept in kept.items() if not is_kept)


def _may_resume(short: Moves, long: Moves) -> bool:
    """Return whether two games continue together within four moves of their first difference."""
    if len(short) <= 4:
        return True
    for i in range(5):
        for k in range(5):
            run = common_plies(short[i:], long[k:])
            at_end = i + run == len(short) and k < len(long)
            if (i or k) and i < len(short) and (run >= 6 or at_end):
                return True
    return False


def _in_gates(alike: Alike, short: Moves, long: Moves, gates: Gates) -> Alike:
    """Measure two games, from `start_ply` on if enough plies follow and they differ later."""
    start = gates.start_ply if len(short) - gates.start_ply >= gates.min_measured else 0
    start = alike.transposed or min(start, alike.first_difference)
    limits = _followed(gates, len(short)) if gates.dynamic else gates
    apart = alike.differences + len(long) - len(short)
    ratio = 1 - apart / (2 * (len(long) - start))
    alike = alike._replace(ratio=ratio)
    if (
        len(short) < gates.min_plies
        or alike.differences > limits.max_indel
        or len(long) - len(short) > gates.max_length_share * len(long)
        or ratio < limits.min_ratio
    ):
        return alike
    winkler = jaro_winkler(short[start:], long[start:])
    passes = winkler >= limits.min_winkler and (
        not gates.monge_elkan or monge_elkan(short, long) >= gates.monge_elkan
    )
    return alike._replace(winkler=winkler, in_gates=passes)


def _followed(gates: Gates, plies: int) -> Gates:
    """Scale the gates, which are for 60 plies, with the length."""
    slack = min(2.0, max(0.5, plies / 60))
    return gates._replace(
        max_indel=int(gates.max_indel * slack + 0.5),
        min_ratio=1 - (1 - gates.min_ratio) / slack,
        min_winkler=1 - (1 - gates.min_winkler) / slack,
    )
