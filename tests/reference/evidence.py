"""Sum of evidence of moves and headers: reference of kernels/search/evidence.pxd."""

from __future__ import annotations

from typing import Any

from ocgdedup._kernels import names as name_kernel
from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.matching.evidence import (
    CONTINUATION,
    EXACT,
    MATCH,
    NEAR_IDENTICAL,
    NO_MOVES,
    NON_MATCH,
    POSSIBLE_MATCH,
    RULE_NONE,
    RULE_OUTSIDE_GATES,
    TRUNCATED,
    TRUNCATED_WITH_SLIP,
    Gates,
    Weights,
)
from ocgdedup.matching.names.name_form import relation
from ocgdedup.model import Comparison, Terms
from tests.reference.equal_records import are_equal_records, share_source
from tests.reference.game_record import Game, have_other_addresses, share_address
from tests.reference.header_text import compare_dates, compare_events, compare_rounds
from tests.reference.move_distances import common_tail
from tests.reference.move_evidence import Alike, compare_moves

SAME_PERSON, CONFLICT = CONSTANTS["SIDE_SAME_PERSON"], CONSTANTS["SIDE_CONFLICT"]
UNSURE = CONSTANTS["SIDE_UNSURE"]
_SHORTER = CONSTANTS["GATE_SHORTER"]
_TRUNCATED = (TRUNCATED, TRUNCATED_WITH_SLIP, CONTINUATION, NO_MOVES)
_SAME_TEXT = (CONSTANTS["TEXT_EQUAL"], CONSTANTS["TEXT_SIMILAR"])

_NAME_WEIGHTS = {
    name_kernel.UNKNOWN: None,
    name_kernel.EQUAL: "name_equal",
    name_kernel.COMPATIBLE: "name_compatible",
    name_kernel.SIMILAR: "name_similar",
    name_kernel.NAMESAKE: "namesake",
    name_kernel.DIFFERENT: "name_different",
    SAME_PERSON: "same_person",
    CONFLICT: "name_conflict",
    UNSURE: None,
}
_DATE_WEIGHTS = {
    "UNKNOWN": None, "SAME_DAY": "same_day", "NEAR": "near", "SLIP": "date_slip",
    "SAME_MONTH": "same_month", "SAME_YEAR": "same_year", "OTHER_DAY": "other_day",
    "OTHER_MONTH": "other_month", "OTHER_YEAR": "other_year", "YEARS_APART": "years_apart",
}  # fmt: skip
_DATES = {CONSTANTS[f"DATE_{name}"]: weight for name, weight in _DATE_WEIGHTS.items()}
_TEXTS = {CONSTANTS[f"TEXT_{name.upper()}"]: f"_{name}" for name in ("equal", "similar", "other")}


def judge(
    a: Game,
    b: Game,
    theory: int,
    weights: Weights,
    gates: Gates,
    *,
    lenient: bool,
    named: Gates | None = None,
    min_shorter: int = 0,
) -> Comparison:
    """Return the verdict; only kind 0 if the moves cannot be of one game."""
    alike = compare_moves(a, b, gates, thorough=lenient, named=named)
    headers = _headers(a, b, weights)
    if not alike.kind and not lenient and _is_worth_more(a, b, alike, headers, theory, weights):
        alike = compare_moves(a, b, gates, thorough=True, named=named)
    if not alike.kind and lenient and a.start != b.start:
        alike = alike._replace(kind=CONTINUATION)
    result = _settled(
        alike, headers, theory, weights, gates, lenient,
        is_equal=are_equal_records(a, b), doubtful=_are_doubtful(a, b),
    )  # fmt: skip
    result = _by_address(a, b, result)
    if result.kind in _TRUNCATED and _missing_plies(a, b, result) < min_shorter:
        result = result._replace(refused=_SHORTER)
    if result.refused and result.verdict == MATCH:
        result = result._replace(verdict=POSSIBLE_MATCH, rule=RULE_OUTSIDE_GATES)
    return result


def _by_address(a: Game, b: Game, comparison: Comparison) -> Comparison:
    """Override the verdict by web addresses."""
    if have_other_addresses(a, b) and comparison.verdict != NON_MATCH:
        return comparison._replace(verdict=NON_MATCH, rule=CONSTANTS["RULE_OTHER_ADDRESS"])
    others = (name_kernel.NAMESAKE, name_kernel.DIFFERENT, CONFLICT)
    is_shared = share_address(a, b) and not set(comparison.sides) & set(others)
    if is_shared and comparison.kind and comparison.verdict != MATCH:
        return comparison._replace(verdict=MATCH, rule=CONSTANTS["RULE_SAME_ADDRESS"])
    return comparison


def _missing_plies(a: Game, b: Game, comparison: Comparison) -> int:
    plies = abs(len(a.moves) - len(b.moves))
    return max(plies, comparison.longer) if comparison.kind == CONTINUATION else plies


def _is_worth_more(
    a: Game, b: Game, alike: Alike, headers: Comparison, theory: int, weights: Weights
) -> bool:
    """Return whether the evidence is strong enough for the thorough comparison of moves."""
    if share_address(a, b):
        return True
    if not alike.first_difference or headers.is_swapped:
        return False
    if compare_dates(a.date, b.date) >= CONSTANTS["DATE_OTHER_DAY"]:
        return False
    known = _unique_plies(alike.first_difference, theory, weights)
    known += weights.ply * max(0, common_tail(a.moves, b.moves) - CONSTANTS["CHANCE_PLIES"])
    return headers.score + known >= weights.strong


def _settled(
    alike: Alike,
    headers: Comparison,
    theory: int,
    weights: Weights,
    gates: Gates,
    lenient: bool,
    *,
    is_equal: bool,
    doubtful: bool,
) -> Comparison:
    kind = alike.kind
    if headers.is_swapped and kind != EXACT and not lenient:
        kind = 0
    together = (
        headers.round == CONSTANTS["ROUND_SAME"] or headers.date == CONSTANTS["DATE_SAME_DAY"]
    )
    if (
        kind == TRUNCATED_WITH_SLIP
        and not lenient
        and alike.plies < CONSTANTS["SURE_TRUNCATED"]
        and not together
    ):
        kind = 0
    if not kind:
        return headers._replace(kind=0, theory=theory, score=0.0)
    unique = _shared_unique_plies(alike, theory, weights)
    moves = _moves_term(alike, unique, weights)
    differences = _differences_term(alike, headers, weights, gates)
    differences += _transposition_cost(alike, unique, weights)
    terms = headers.terms._replace(moves=moves, differences=differences)
    if terms.source and headers.event in _SAME_TEXT:
        terms = _with_rounds_of_source(terms, headers.round, unique, weights, doubtful=doubtful)
    if unique < CONSTANTS["KNOWN_LINE_WEIGHT"] and _is_on_other_day_of_event(headers):
        known = 1 - unique / CONSTANTS["KNOWN_LINE_WEIGHT"]
        date = terms.date + (weights.event_days - terms.date) * known
        terms = terms._replace(date=date)
    verdict, rule = _classified(kind, sum(terms), moves, weights)
    if verdict != MATCH and is_equal and CONFLICT not in headers.sides:
        verdict, rule = MATCH, CONSTANTS["RULE_EQUAL_RECORDS"]
    return headers._replace(
        kind=kind,
        theory=theory,
        terms=terms,
        score=sum(terms),
        verdict=verdict,
        rule=rule,
        **_without_kind(alike),
    )


def _are_doubtful(a: Game, b: Game) -> bool:
    """Return whether the rounds differ unless one of them stands for an unknown round."""
    is_doubtful = (a.is_round_doubtful or b.is_round_doubtful) and a.date == b.date
    return is_doubtful and compare_rounds(a.round, b.round) == CONSTANTS["ROUND_OTHER"]


def _with_rounds_of_source(
    terms: Terms, round_: int, unique: float, weights: Weights, *, doubtful: bool
) -> Terms:
    """Weigh different rounds that one source gives two records of one event."""
    if round_ == CONSTANTS["ROUND_OTHER"] and terms.moves < weights.slip_of_round:
        return terms._replace(round=weights.other_round_of_source)
    if doubtful and unique < CONSTANTS["KNOWN_LINE_WEIGHT"]:
        known = 1 - unique / CONSTANTS["KNOWN_LINE_WEIGHT"]
        return terms._replace(round=weights.other_round * known)
    return terms


def _classified(kind: int, score: float, moves: float, weights: Weights) -> tuple[int, int]:
    """Return verdict and rule."""
    if score >= weights.accept:
        return MATCH, RULE_NONE
    if score >= weights.possible_match:
        return POSSIBLE_MATCH, RULE_NONE
    if kind == EXACT and moves >= weights.long_exact:
        return POSSIBLE_MATCH, CONSTANTS["RULE_LONG_EQUAL_MOVES"]
    return NON_MATCH, RULE_NONE


def _without_kind(alike: Alike) -> dict[str, Any]:
    return {name: value for name, value in alike._asdict().items() if name != "kind"}


# --- moves --------------------------------------------------------------------------------------


def _unique_plies(plies: int, theory: int, weights: Weights) -> float:
    """Weigh the first plies that are beyond opening theory and the opening."""
    counted = range(max(theory, CONSTANTS["EARLY"]), plies)
    return sum(weights.early_ply if ply < CONSTANTS["MIDDLE"] else weights.ply for ply in counted)


def _shared_unique_plies(alike: Alike, theory: int, weights: Weights) -> float:
    first, early = alike.first_difference, CONSTANTS["EARLY"]
    unique = _unique_plies(min(first, alike.plies), theory, weights)
    if alike.transposed:
        start = max(theory, alike.transposed) + CONSTANTS["THEORY_FURTHER"]
        unique += _unique_plies(alike.plies, start, weights)
    elif alike.plies > first:
        # After a difference there is no theory, but a few plies may agree by chance.
        unique += weights.ply * max(0, alike.plies - max(first, early) - CONSTANTS["CHANCE_PLIES"])
    return unique


def _moves_term(alike: Alike, unique: float, weights: Weights) -> float:
    early = CONSTANTS["EARLY"]
    term = min(unique, weights.most_plies)
    if unique < CONSTANTS["KNOWN_LINE_WEIGHT"]:
        term += weights.known_line * (1 - unique / CONSTANTS["KNOWN_LINE_WEIGHT"])
    if alike.plies < early and alike.kind != NO_MOVES:
        term += weights.few_plies * (1 - alike.plies / early)
    return term


def _differences_term(alike: Alike, headers: Comparison, weights: Weights, gates: Gates) -> float:
    term = max(weights.difference * alike.differences, weights.most_differences)
    if alike.kind == TRUNCATED_WITH_SLIP:
        term += weights.truncated_with_slip
    if alike.kind == NO_MOVES:
        term += weights.no_moves
    near = alike.kind in (TRUNCATED_WITH_SLIP, NEAR_IDENTICAL)
    refused = (
        alike.ratio < gates.min_truncated_ratio
        if alike.kind == TRUNCATED_WITH_SLIP
        else not alike.in_gates
    )
    is_slip = (
        alike.kind == NEAR_IDENTICAL
        and alike.differences <= 2
        and headers.round == CONSTANTS["ROUND_SAME"]
        and headers.event in _SAME_TEXT
    )
    if near and refused and not is_slip:
        term += weights.outside_gates
    never_again = alike.plies < alike.first_difference + CONSTANTS["RESUMED"]
    if near and not alike.in_gates and never_again and _is_contradicted(headers):
        term += weights.outside_gates
    return term


def _transposition_cost(alike: Alike, unique: float, weights: Weights) -> float:
    if not alike.transposed:
        return 0.0
    cost = weights.transposed
    is_known = unique < CONSTANTS["KNOWN_LINE_WEIGHT"]
    if is_known and alike.plies < alike.transposed + CONSTANTS["SURE_TRANSPOSITION"]:
        cost += weights.outside_gates * (1 - unique / CONSTANTS["KNOWN_LINE_WEIGHT"])
    return cost


def _is_on_other_day_of_event(headers: Comparison) -> bool:
    is_unknown_round = headers.round == CONSTANTS["ROUND_UNKNOWN"]
    are_days_apart = headers.date in (CONSTANTS["DATE_NEAR"], CONSTANTS["DATE_OTHER_DAY"])
    return are_days_apart and is_unknown_round and headers.event in _SAME_TEXT


def _is_contradicted(headers: Comparison) -> bool:
    other_round = headers.round == CONSTANTS["ROUND_OTHER"] and headers.event in _SAME_TEXT
    return other_round or headers.date >= CONSTANTS["DATE_OTHER_DAY"]


# --- headers ------------------------------------------------------------------------------------


def _headers(a: Game, b: Game, weights: Weights) -> Comparison:
    """Compare headers; the fields of moves are empty, and the score is of the headers only."""
    sides, is_swapped = _sides(a, b, weights)
    date = compare_dates(a.date, b.date)
    event, site = compare_events(a.event, b.event), compare_events(a.site, b.site)
    round_ = _round_code(a, b)
    terms = Terms(
        moves=0.0,
        differences=0.0,
        white=_side_weight(sides[0], weights),
        black=_side_weight(sides[1], weights),
        date=_weight(weights, _DATES[date]),
        round=_round_weight(round_, event, weights),
        event=_weight(weights, "event" + _TEXTS[event]) if event else 0.0,
        site=_weight(weights, "site" + _TEXTS[site]) if site else 0.0,
        result=_result_weight(a.result, b.result, weights),
        elo=_elo_weight(a.elos, b.elos[::-1] if is_swapped else b.elos, weights),
        source=weights.one_source if _is_one_source(a, b) else 0.0,
        colours=weights.colours if is_swapped else 0.0,
    )
    return Comparison(
        0, is_swapped, False, 0, 0, 0, 0, 0, 0.0, 0.0, 0, 0, sides, date, round_, event, site, 0, 0,
        terms, sum(terms), NON_MATCH, RULE_NONE,
    )  # fmt: skip


def _round_code(a: Game, b: Game) -> int:
    if a.is_round_doubtful or b.is_round_doubtful:
        return CONSTANTS["ROUND_UNKNOWN"]
    return compare_rounds(a.round, b.round)


def _is_one_source(a: Game, b: Game) -> bool:
    return share_source(a, b) and not are_equal_records(a, b)


def _weight(weights: Weights, name: str | None) -> float:
    return getattr(weights, name) if name else 0.0


def _side_weight(code: int, weights: Weights) -> float:
    return _weight(weights, _NAME_WEIGHTS[code])


def _sides(a: Game, b: Game, weights: Weights) -> tuple[tuple[int, int], bool]:
    """Compare the players, with swapped colours if they then agree better."""
    straight = (_side(a, 0, b, 0), _side(a, 1, b, 1))
    crossed = (_side(a, 0, b, 1), _side(a, 1, b, 0))
    weight = sum(_side_weight(code, weights) for code in straight)
    other = weights.colours + sum(_side_weight(code, weights) for code in crossed)
    if weight < 0 < other and other > weight:
        return crossed, True
    return straight, False


def _side(a: Game, side: int, b: Game, other: int) -> int:
    """Return the code of two names, changed by identification numbers."""
    left, right = a.names[side], b.names[other]
    if left is None or right is None or a.is_by_one or b.is_by_one:
        return name_kernel.UNKNOWN
    persons = a.persons[side], b.persons[other]
    fide_ids = a.fide_ids[side], b.fide_ids[other]
    code = relation(left, right)
    agree = code <= name_kernel.SIMILAR
    if all(persons) and persons[0] == persons[1]:
        return SAME_PERSON
    if all(fide_ids):
        if fide_ids[0] == fide_ids[1]:
            return SAME_PERSON if agree else UNSURE
        return CONFLICT if agree else code
    return code


def _round_weight(code: int, event: int, weights: Weights) -> float:
    same_event = event in _SAME_TEXT
    return {
        CONSTANTS["ROUND_UNKNOWN"]: 0.0,
        CONSTANTS["ROUND_SAME"]: weights.same_round if same_event else weights.same_round_only,
        CONSTANTS["ROUND_PART"]: weights.part_of_round,
        CONSTANTS["ROUND_OTHER"]: (
            weights.other_round if same_event else weights.other_round_elsewhere
        ),
    }[code]


def _result_weight(a: str, b: str, weights: Weights) -> float:
    if not a or not b:
        return 0.0
    if a != b:
        return weights.result_other
    return weights.result_draw if a == "draw" else weights.result_decided


def _elo_weight(a: tuple[int, int], b: tuple[int, int], weights: Weights) -> float:
    known = [pair for pair in zip(a, b, strict=True) if all(pair)]
    return sum(weights.elo_equal if left == right else weights.elo_other for left, right in known)
