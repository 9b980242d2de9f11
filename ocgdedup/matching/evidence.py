"""Evidence for and against two records being of one played game: all weights and limits.

Every weight is a natural logarithm of a likelihood ratio (Fellegi, Sunter 1969): how much more
often two records of one game agree in this way than two records of different games that share a
blocking key. The sum decides. docs/duplicates.md explains the weights; the search kernel
adds them up.
"""

# No `from __future__ import annotations`: a named tuple compiles each annotation that is a string.
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from ocgdedup import thresholds, wording
from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.data_files import read_sections
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.model import Comparison, Terms

_Words = TypeVar("_Words")


def _words(prefix: str, words: Mapping[str, _Words]) -> dict[int, _Words]:
    """Return words by the kernel's codes; every code but NONE must have words."""
    codes = {name: code for name, code in CONSTANTS.items() if name.startswith(prefix)}
    codes.pop(f"{prefix}NONE", None)
    _require_same(f"{prefix} codes", codes, [prefix + name for name in words])
    return {codes[prefix + name]: text for name, text in words.items()}


_TABLE = read_sections(__file__, "verdict_words.txt")


def _words_of(prefix: str) -> dict[int, str]:
    return _words(prefix, dict(line.split(" ", 1) for line in _TABLE[prefix].splitlines()))


def _require_same(title: str, of_kernel: Iterable[str], ours: Iterable[str]) -> None:
    different = set(of_kernel).symmetric_difference(ours)
    if different:
        raise ImportError(
            f"{title}: the search kernel and Python differ in: "
            f"{', '.join(sorted(different))}; build the kernels again"
        )


class Weights(NamedTuple):
    """Weights and limits. The build makes the struct of the search kernel from these fields."""

    # Moves. A ply beyond opening theory counts fully from ply 24 on, and less from ply 12 on.
    ply: float = 0.5
    early_ply: float = 0.25
    most_plies: float = 25.0  # for all plies
    known_line: float = -3.0  # unrelated games share all plies
    few_plies: float = -5.0  # for no plies; shrinks with each ply up to twelve
    difference: float = -0.5  # for each missing or extra move; a wrong move counts twice
    transposed: float = -2.0  # the same opening moves in another order
    most_differences: float = -12.0  # for all differences
    outside_gates: float = -4.0  # near-identical, but not by all measures
    part: float = -1.0  # truncated, and the common part has a slip
    # Players, for each side.
    same_person: float = 4.0
    name_equal: float = 4.0
    name_compatible: float = 3.5
    name_similar: float = 2.5
    namesake: float = -6.0
    name_different: float = -13.0
    name_conflict: float = -2.0  # equal names with different identification numbers
    # Date.
    same_day: float = 4.0
    near: float = 1.0
    date_slip: float = -5.0
    same_month: float = 2.0
    same_year: float = 1.0
    other_day: float = -6.0
    other_month: float = -8.0
    other_year: float = -5.0
    years_apart: float = -14.0
    # Replaces `near` and `other_day` if the same short or known line was played on two days of one
    # event: the players meet there again. Like `known_line`, it fades out with the plies beyond
    # opening theory. All other evidence adds up to less than 14, so 16 plies never reach `accept`.
    event_days: float = -10.0
    # Round.
    same_round: float = 3.0
    same_round_only: float = 1.0  # of different events
    part_of_round: float = 1.0
    other_round: float = -10.0
    other_round_elsewhere: float = -2.0
    # Event and site.
    event_equal: float = 2.0
    event_similar: float = 1.0
    event_other: float = -0.5
    site_equal: float = 1.0
    site_similar: float = 0.5
    site_other: float = -0.3
    # Result, Elo of each player, source.
    result_decided: float = 0.7
    result_draw: float = 0.4
    result_other: float = -2.0
    elo_equal: float = 1.0
    elo_other: float = -0.5
    one_source: float = -0.5
    # Kinds.
    colours: float = -5.0  # swapped in the headers
    no_moves: float = -6.0  # one or both games have none
    # Limits.
    accept: float = 8.0  # least sum of a match
    suspect: float = 0.0  # least sum of a possible match
    long_exact: float = 10.0  # of plies: equal games are possible matches, whatever the headers
    contradiction: float = -6.0  # two games with a lower sum are never in one group
    margin: float = 3.0  # required lead of one match over another, else the game is ambiguous
    strong: float = 9.0  # of the headers: moves are compared thoroughly


# For Go. 200 equal moves are stronger evidence than names, which have many spellings: if both names
# differ but the day is the same, the pair is still a duplicate. Rounds are words, which differ
# between collections: "Losers' section, semi-final", "Losers section round 4". A pair outside the
# gates with different dates must be a possible duplicate, and so must one game that is ascribed to
# two masters, decades apart.
GO_WEIGHTS = Weights(
    most_plies=32.0,
    outside_gates=-8.0,
    years_apart=-20.0,
    other_round=-2.0,
    other_round_elsewhere=-1.0,
)


class Gates(NamedTuple):
    """Limits of near-identical games.

    As evidence (SearchOptions.gates), a pair outside the gates costs `outside_gates`. Gates that
    the user named (SearchOptions.named) are conditions.

    `join_start`: ply from which similarity is measured; if fewer than `join_compare` plies of the
    shorter game are left, it is measured from the first ply. `join_min`: least plies of both games.
    `join_indel`: most missing and added moves; a wrong move counts as both. `join_ratio`: least
    longest common subsequence divided by the longer length. `join_winkler`: least Jaro-Winkler
    similarity of the moves, 0 for no limit. `join_length`: largest difference in length, as a share
    of the longer game. `dynamic`: the limits of indel, ratio and winkler follow the length.
    `monge_elkan`: least Monge-Elkan similarity, 0 for no limit.

    For evidence only: `part_ratio`: join_ratio for a truncated game. `join_least`: least share of
    equal moves, whatever the header evidence is.
    """

    join_start: int = 15
    join_compare: int = 10
    join_min: int = 10
    join_indel: int = 4
    join_ratio: float = 0.95
    join_winkler: float = 0.95
    join_length: float = 0.15
    part_ratio: float = 0.95
    join_least: float = 0.6
    dynamic: bool = False
    monge_elkan: float = 0.0


# --accuracy
ACCURACIES = {
    "strict": Gates(join_indel=2, join_ratio=0.98, join_winkler=0.98),
    "normal": Gates(),
    "tolerant": Gates(join_indel=8, join_ratio=0.90, join_winkler=0.92),
}


def go_gates(gates: Gates) -> Gates:
    """Return the gates for Go: they follow the length, since games of 250 moves are usual.

    There is no limit of Jaro-Winkler. Half of all points are played in a game, so a wrong move is
    often played again later. Jaro-Winkler matches it there, and counts all moves between as
    transposed.
    """
    return gates._replace(dynamic=True, join_winkler=0.0)


def gates_for(kind: GameKind, gates: Gates) -> Gates:
    """Return the gates for a kind of games; those that a user names are for chess."""
    return gates if kind is CHESS else go_gates(gates)


_require_same(
    "thresholds",
    [f"{name} = {value}" for name, value in CONSTANTS.items() if hasattr(thresholds, name)],
    [f"{name} = {value}" for name, value in vars(thresholds).items() if type(value) is int],
)
_require_same("weights", search_kernel.WEIGHTS, Weights._fields)
_require_same("gates", search_kernel.GATES, Gates._fields)
_require_same("terms", search_kernel.TERMS, Terms._fields)

# Comparison.verdict.
NON_MATCH = CONSTANTS["NON_MATCH"]
POSSIBLE_MATCH = CONSTANTS["POSSIBLE_MATCH"]
MATCH = CONSTANTS["MATCH"]
VERDICTS = {
    NON_MATCH: "different games", POSSIBLE_MATCH: "possible duplicate", MATCH: "duplicate",
}  # fmt: skip
# Comparison.rule: the rule that decided the verdict in place of the sum.
RULE_NONE = CONSTANTS["RULE_NONE"]
RULE_LONG_EQUAL_MOVES = CONSTANTS["RULE_LONG_EQUAL_MOVES"]
RULE_DECIDED_SAME = CONSTANTS["RULE_DECIDED_SAME"]
RULE_DECIDED_DIFFERENT = CONSTANTS["RULE_DECIDED_DIFFERENT"]
RULE_SAME_ADDRESS = CONSTANTS["RULE_SAME_ADDRESS"]
RULE_OTHER_ADDRESS = CONSTANTS["RULE_OTHER_ADDRESS"]
RULE_OUTSIDE_GATES = CONSTANTS["RULE_OUTSIDE_GATES"]
RULE_EQUAL_RECORDS = CONSTANTS["RULE_EQUAL_RECORDS"]
RULES = _words_of("RULE_")
# The bits of Comparison.refused: the limits that a pair fails.
REFUSALS = _words_of("GATE_")
# Comparison.kind: DuplicateStatus and DuplicateReason.
NO_KIND = CONSTANTS["KIND_NONE"]
EXACT = CONSTANTS["KIND_EXACT"]
PREFIX = CONSTANTS["KIND_PREFIX"]
JOIN = CONSTANTS["KIND_JOIN"]
PART = CONSTANTS["KIND_PART"]
CONTINUES = CONSTANTS["KIND_CONTINUES"]
NO_MOVES = CONSTANTS["KIND_NO_MOVES"]
KINDS: dict[int, tuple[str, str | None]] = _words("KIND_", {
    "EXACT": (wording.EXACT_STATUS, None),
    "PREFIX": (wording.SUBSUMPTION_STATUS, None),
    "JOIN": (wording.JOIN_STATUS, None),
    "PART": (wording.SUBSUMPTION_STATUS, wording.PARTIAL),
    "CONTINUES": (wording.SUBSUMPTION_STATUS, wording.CONTINUES_FROM_FEN),
    "NO_MOVES": (wording.SUBSUMPTION_STATUS, wording.PLACEHOLDER),
})  # fmt: skip
# By Comparison.symmetry: how the board of the second record is rotated to match the first.
SYMMETRY_WORDS = ("", *_TABLE["symmetry"].splitlines())

# Names of Terms, in the same order.
TERMS = tuple({"white": "White", "black": "Black", "elo": "Elo"}.get(n, n) for n in Terms._fields)
_SIDES = _words_of("NAME_") | _words_of("SIDE_")
_DATES, _ROUNDS, _TEXTS = map(_words_of, ("DATE_", "ROUND_", "TEXT_"))

_EVIDENCE = "Evidence, as match weights (above 0: the same game, below 0: different games):"


def status_of(comparison: Comparison) -> tuple[str, str | None]:
    """Return DuplicateStatus and DuplicateReason of a duplicate, compared with its kept game.

    Two games may be in one group only through other games of it. Their status is then join.
    """
    status, reason = KINDS.get(comparison.kind, KINDS[JOIN])
    if comparison.is_swapped:
        return status, wording.SWAPPED
    if comparison.transposed:
        return status, reason or wording.TRANSPOSED
    return status, reason or (wording.ROTATED if comparison.symmetry else None)


def summary_of(comparison: Comparison) -> str:
    """Write the terms of a verdict in one line: "moves +12.5, White +3.5, date -6.0"."""
    named = zip(TERMS, comparison.terms, strict=True)
    return ", ".join(f"{name} {value:+.1f}" for name, value in named if abs(value) >= 0.05)


def explain(comparison: Comparison, weights: Weights, kind: GameKind = CHESS) -> list[str]:
    """Explain a verdict to the user: class of the moves, measures, evidence, verdict."""
    if comparison.kind not in KINDS:
        lines = ["Their moves differ too much for two records of one game with these headers."]
        return lines + ([] if comparison.rule == RULE_NONE else [verdict_of(comparison, weights)])
    status, reason = status_of(comparison)
    words = (wording.WHOLE_CLASS_WORDS if comparison.kind == PART else wording.CLASS_WORDS)[status]
    lines = [f"By their moves: {words}{f' ({reason})' if reason else ''}."]
    lines += _move_lines(comparison, kind)
    lines.append(_EVIDENCE)
    lines += [
        f"  {name:<12}{value:+6.1f}  {text}".rstrip() for name, value, text in terms_of(comparison)
    ]
    lines.append(f"  {'sum':<12}{comparison.score:+6.1f}")
    lines.append(verdict_of(comparison, weights))
    return lines


def verdict_of(comparison: Comparison, weights: Weights) -> str:
    """Write the verdict, and what decides it: the thresholds of the sum, or a rule."""
    if comparison.rule != RULE_NONE:
        refused = [name for bit, name in REFUSALS.items() if comparison.refused & bit]
        which = f" ({', '.join(refused)})" if comparison.rule == RULE_OUTSIDE_GATES else ""
        return f"Verdict: {VERDICTS[comparison.verdict]}, because {RULES[comparison.rule]}{which}."
    limits = {
        NON_MATCH: f"the sum is below {weights.suspect:g}",
        POSSIBLE_MATCH: f"the sum is at least {weights.suspect:g} and below {weights.accept:g}",
        MATCH: f"the sum is at least {weights.accept:g}",
    }
    return f"Verdict: {VERDICTS[comparison.verdict]}, because {limits[comparison.verdict]}."


def terms_of(comparison: Comparison) -> list[tuple[str, float, str]]:
    """Return (name, weight, reason in words or "") of each term that has a weight or a reason."""
    words = _words_of_terms(comparison)
    named = zip(TERMS, comparison.terms, strict=True)
    terms = [(name, value, words.get(name, "")) for name, value in named]
    return [term for term in terms if term[2] or abs(term[1]) >= 0.05]


def _move_lines(comparison: Comparison, kind: GameKind) -> list[str]:
    lines = [
        f"  shared {kind.units}: {comparison.plies}, "
        f"the first {comparison.first_difference} identical; "
        f"unrelated games share {comparison.theory}"
    ]
    if comparison.symmetry:
        lines.append(f"  board of the second game: {SYMMETRY_WORDS[comparison.symmetry]}")
    if comparison.transposed:
        lines.append(
            f"  the opening is transposed: the same {kind.units} up to {comparison.transposed}, "
            "in another order"
        )
    if comparison.kind in (JOIN, PART) and (comparison.differences or comparison.refused):
        gates = "within" if comparison.in_gates and not comparison.refused else "outside"
        text = (
            f"  moves inserted or deleted: {comparison.distance}, "
            f"in common: {comparison.ratio:.3f} of the longer game"
        )
        if comparison.winkler:
            text += f", Jaro-Winkler similarity: {comparison.winkler:.3f}"
        is_join = comparison.kind == JOIN
        lines.append(text + (f"; {gates} the gates for near-identical games" if is_join else ""))
    if comparison.longer:
        plies = wording.counted(comparison.longer, kind.unit, kind.units)
        if comparison.kind == PART:
            lines.append(f"  after the common part, a game has {plies} of its own")
        else:
            verb, end = ("starts", "later") if comparison.kind == CONTINUES else ("is", "longer")
            lines.append(f"  one game {verb} {plies} {end}")
    return lines


def _words_of_terms(comparison: Comparison) -> dict[str, str]:
    """Return the reasons of terms in words; for the other terms the number is enough."""
    white, black = comparison.sides
    words = {
        "White": _SIDES[white],
        "Black": _SIDES[black],
        "date": _DATES[comparison.date],
        "round": _ROUNDS[comparison.round],
        "event": _TEXTS[comparison.event],
        "site": _TEXTS[comparison.site],
    }
    return words | ({"colours": "exchanged in one of the headers"} if comparison.is_swapped else {})
