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
# Databases store the repr() of Weights and Gates, with these names of fields.
_STORED_NAMES = {
    "truncated_with_slip": "part", "possible_match": "suspect", "start_ply": "join_start",
    "min_measured": "join_compare", "min_plies": "join_min", "max_indel": "join_indel",
    "min_ratio": "join_ratio", "min_winkler": "join_winkler", "max_length_share": "join_length",
    "min_truncated_ratio": "part_ratio", "min_shared": "join_least",
}  # fmt: skip


def _words(prefix: str, words: Mapping[str, _Words]) -> dict[int, _Words]:
    """Return words by the kernel's codes; every code but NONE must have words."""
    codes = {name: code for name, code in CONSTANTS.items() if name.startswith(prefix)}
    codes.pop(f"{prefix}NONE", None)
    _require_same(f"{prefix} codes", codes, [prefix + name for name in words])
    return {codes[prefix + name]: text for name, text in words.items()}


_TABLE = read_sections(__file__, "verdict_words.txt")


def _words_from_table(prefix: str) -> dict[int, str]:
    return _words(prefix, dict(line.split(" ", 1) for line in _TABLE[prefix].splitlines()))


def _require_same(title: str, of_kernel: Iterable[str], ours: Iterable[str]) -> None:
    different = set(of_kernel).symmetric_difference(ours)
    if different:
        raise ImportError(
            f"{title}: the search kernel and Python differ in: "
            f"{', '.join(sorted(different))}; build the kernels again"
        )


def _stored_text(limits: "Weights | Gates") -> str:
    fields = limits._asdict().items()
    values = ", ".join(f"{_STORED_NAMES.get(name, name)}={value!r}" for name, value in fields)
    return f"{type(limits).__name__}({values})"


class Weights(NamedTuple):
    """Weights and limits. The build makes the struct of the search kernel from these fields."""

    # Moves. A ply beyond opening theory counts fully from ply 24 on, and less from ply 12 on.
    ply: float = 0.5
    early_ply: float = 0.25
    most_plies: float = 25.0  # limit for all plies together
    known_line: float = -3.0  # unrelated games share all plies
    few_plies: float = -5.0  # no plies; shrinks with each ply up to twelve
    difference: float = -0.5  # for each missing or extra move; a wrong move counts twice
    transposed: float = -2.0  # the same opening moves in another order
    most_differences: float = -12.0  # limit for all differences together
    outside_gates: float = -4.0  # near-identical, but not by all measures
    truncated_with_slip: float = -1.0  # truncated, with a slip in the shared moves
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
    # event, where the two players may meet twice. Like `known_line`, it fades out with the plies
    # beyond opening theory. All other evidence is below 14, so 16 plies never reach `accept`.
    event_days: float = -10.0
    # Round.
    same_round: float = 3.0
    same_round_only: float = 1.0  # of different events
    part_of_round: float = 1.0
    other_round: float = -10.0
    other_round_elsewhere: float = -2.0
    # Replaces `other_round` for two records of one source, unless the moves weigh `slip_of_round`
    # or more: a source numbers the games of a match one by one, and the shortest game that real
    # sources have twice by a slip has 51 plies. No other evidence outweighs it.
    other_round_of_source: float = -40.0
    slip_of_round: float = 14.0
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
    # Other.
    colours: float = -5.0  # swapped in the headers
    no_moves: float = -6.0  # one or both games have no moves
    # Limits.
    accept: float = 8.0  # least sum of a match
    possible_match: float = 0.0  # least sum of a possible match
    long_exact: float = 10.0  # weight of equal moves from which any headers give a possible match
    contradiction: float = -6.0  # two games with a lower sum are never in one group
    margin: float = 3.0  # required lead of one match over another, else the game is ambiguous
    strong: float = 9.0  # weight of the headers from which moves are compared thoroughly

    def __repr__(self) -> str:
        return _stored_text(self)


# 200 equal moves of Go are stronger evidence than names, which have many spellings: if both names
# differ but the day is the same, the pair is a match. Rounds are words, which differ between
# collections: "Losers' section, semi-final", "Losers section round 4". Two cases must be possible
# matches: a pair outside the gates with different dates, and one game that is ascribed to two
# masters, decades apart.
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
    the user set (SearchOptions.named) are conditions.

    `start_ply`: ply from which similarity is measured; if fewer than `min_measured` plies of the
    shorter game follow, it is measured from the first ply. `min_plies`: of both games.
    `max_indel`: missing and added moves; a wrong move counts as both. `min_ratio`: longest common
    subsequence divided by the longer length. `min_winkler`: Jaro-Winkler similarity of the moves, 0
    for no limit. `max_length_share`: difference in length, as a share of the longer game.
    `dynamic`: the limits of indel, ratio and winkler follow the length. `monge_elkan`: least
    Monge-Elkan similarity, 0 for no limit.

    For evidence only: `min_truncated_ratio`: min_ratio for a truncated game. `min_shared`: least
    share of equal moves, whatever the header evidence is.
    """

    start_ply: int = 15
    min_measured: int = 10
    min_plies: int = 10
    max_indel: int = 4
    min_ratio: float = 0.95
    min_winkler: float = 0.95
    max_length_share: float = 0.15
    min_truncated_ratio: float = 0.95
    min_shared: float = 0.6
    dynamic: bool = False
    monge_elkan: float = 0.0

    def __repr__(self) -> str:
        return _stored_text(self)


# --accuracy
ACCURACIES = {
    "strict": Gates(max_indel=2, min_ratio=0.98, min_winkler=0.98),
    "normal": Gates(),
    "tolerant": Gates(max_indel=8, min_ratio=0.90, min_winkler=0.92),
}


def gates_for(kind: GameKind, gates: Gates) -> Gates:
    """Return the gates for a kind of games; `gates` are for chess.

    For Go they follow the length, since games of 250 moves are usual, without a limit of
    Jaro-Winkler: half of all points are played in a game, so a wrong move is often played again
    later. Jaro-Winkler matches it there, and counts all moves between as transposed.
    """
    return gates if kind is CHESS else gates._replace(dynamic=True, min_winkler=0.0)


_require_same(
    "thresholds",
    [f"{name} = {value}" for name, value in CONSTANTS.items() if hasattr(thresholds, name)],
    [f"{name} = {value}" for name, value in vars(thresholds).items() if type(value) is int],
)
_require_same("weights", search_kernel.WEIGHTS, Weights._fields)
_require_same("gates", search_kernel.GATES, Gates._fields)
_require_same("terms", search_kernel.TERMS, Terms._fields)

# Comparison.verdict
NON_MATCH = CONSTANTS["NON_MATCH"]
POSSIBLE_MATCH = CONSTANTS["POSSIBLE_MATCH"]
MATCH = CONSTANTS["MATCH"]
VERDICTS = {
    NON_MATCH: "different games", POSSIBLE_MATCH: "possible duplicate", MATCH: "duplicate",
}  # fmt: skip
# Comparison.rule: the rule that decided the verdict in place of the sum.
RULE_NONE = CONSTANTS["RULE_NONE"]
RULE_OUTSIDE_GATES = CONSTANTS["RULE_OUTSIDE_GATES"]
RULES = _words_from_table("RULE_")
# The bits of Comparison.refused: the limits that a pair fails.
REFUSALS = _words_from_table("GATE_")
# Comparison.kind: how the moves of two games are related.
UNRELATED = CONSTANTS["RELATION_NONE"]
EXACT = CONSTANTS["RELATION_EXACT"]
TRUNCATED = CONSTANTS["RELATION_TRUNCATED"]
NEAR_IDENTICAL = CONSTANTS["RELATION_NEAR_IDENTICAL"]
TRUNCATED_WITH_SLIP = CONSTANTS["RELATION_TRUNCATED_WITH_SLIP"]
CONTINUATION = CONSTANTS["RELATION_CONTINUES"]
NO_MOVES = CONSTANTS["RELATION_NO_MOVES"]
# DuplicateStatus and DuplicateReason
STATUS_OF_KIND: dict[int, tuple[str, str | None]] = _words("RELATION_", {
    "EXACT": (wording.EXACT_STATUS, None),
    "TRUNCATED": (wording.TRUNCATED_STATUS, None),
    "NEAR_IDENTICAL": (wording.NEAR_IDENTICAL_STATUS, None),
    "TRUNCATED_WITH_SLIP": (wording.TRUNCATED_STATUS, wording.PARTIAL),
    "CONTINUES": (wording.TRUNCATED_STATUS, wording.CONTINUES_FROM_FEN),
    "NO_MOVES": (wording.TRUNCATED_STATUS, wording.PLACEHOLDER),
})  # fmt: skip
# By Comparison.symmetry: how the board of the second record is rotated to match the first.
SYMMETRY_WORDS = ("", *_TABLE["symmetry"].splitlines())

# Names of Terms, in the same order.
TERMS = tuple({"white": "White", "black": "Black", "elo": "Elo"}.get(n, n) for n in Terms._fields)
_SIDES = _words_from_table("NAME_") | _words_from_table("SIDE_")
_DATES, _ROUNDS, _TEXTS = map(_words_from_table, ("DATE_", "ROUND_", "TEXT_"))

DIFFERENT_MOVES = "moves differ too much for one game"
_EVIDENCE = "Evidence, as match weights (above 0: the same game, below 0: different games):"


def status_of(comparison: Comparison) -> tuple[str, str | None]:
    """Return DuplicateStatus and DuplicateReason of a duplicate, compared with its kept game.

    If the two games are in one group only through other games of it, the status is "join".
    """
    status, reason = STATUS_OF_KIND.get(comparison.kind, STATUS_OF_KIND[NEAR_IDENTICAL])
    if comparison.is_swapped:
        return status, wording.SWAPPED
    if comparison.transposed:
        return status, reason or wording.TRANSPOSED
    return status, reason or (wording.ROTATED if comparison.symmetry else None)


def class_of(comparison: Comparison) -> str:
    """Return the class of a pair as Suspects has it: "join (rotated)"."""
    status, reason = status_of(comparison)
    return f"{status} ({reason})" if reason else status


def summary_of(comparison: Comparison) -> str:
    """Return the terms of a verdict in one line: "moves +12.5, White +3.5, date -6.0"."""
    named = zip(TERMS, comparison.terms, strict=True)
    return ", ".join(f"{name} {value:+.1f}" for name, value in named if abs(value) >= 0.05)


def explain(comparison: Comparison, weights: Weights, kind: GameKind = CHESS) -> list[str]:
    """Return lines that explain a verdict: class of the moves, measures, evidence, verdict."""
    if comparison.kind not in STATUS_OF_KIND:
        lines = ["Their moves differ too much for two records of one game with these headers."]
        return lines + ([] if comparison.rule == RULE_NONE else [verdict_of(comparison, weights)])
    status, reason = status_of(comparison)
    words = (
        wording.WHOLE_CLASS_WORDS if comparison.kind == TRUNCATED_WITH_SLIP else wording.CLASS_WORDS
    )[status]
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
    """Return the verdict with its reason: the thresholds of the sum, or a rule."""
    if comparison.rule != RULE_NONE:
        reason = RULES[comparison.rule]
        if comparison.rule == RULE_OUTSIDE_GATES:
            refused = [name for bit, name in REFUSALS.items() if comparison.refused & bit]
            reason += f" ({', '.join(refused)})"
    else:
        reason = {
            NON_MATCH: f"the sum is below {weights.possible_match:g}",
            POSSIBLE_MATCH: (
                f"the sum is at least {weights.possible_match:g} and below {weights.accept:g}"
            ),
            MATCH: f"the sum is at least {weights.accept:g}",
        }[comparison.verdict]
    return f"Verdict: {VERDICTS[comparison.verdict]}, because {reason}."


def terms_of(comparison: Comparison) -> list[tuple[str, float, str]]:
    """Return (name, weight, reason in words or "") of each term that has a weight or a reason."""
    white, black = comparison.sides
    words = {
        "White": _SIDES[white],
        "Black": _SIDES[black],
        "date": _DATES[comparison.date],
        "round": _ROUNDS[comparison.round],
        "event": _TEXTS[comparison.event],
        "site": _TEXTS[comparison.site],
        "colours": "exchanged in one of the headers" if comparison.is_swapped else "",
    }
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
    is_near = comparison.kind in (NEAR_IDENTICAL, TRUNCATED_WITH_SLIP)
    if is_near and (comparison.differences or comparison.refused):
        gates = "within" if comparison.in_gates and not comparison.refused else "outside"
        text = (
            f"  moves inserted or deleted: {comparison.distance}, "
            f"in common: {comparison.ratio:.3f} of the longer game"
        )
        if comparison.winkler:
            text += f", Jaro-Winkler similarity: {comparison.winkler:.3f}"
        if comparison.kind == NEAR_IDENTICAL:
            text += f"; {gates} the gates for near-identical games"
        lines.append(text)
    if comparison.longer:
        plies = wording.counted(comparison.longer, kind.unit, kind.units)
        if comparison.kind == TRUNCATED_WITH_SLIP:
            lines.append(f"  after the common part, a game has {plies} of its own")
        else:
            verb, end = ("starts", "later") if comparison.kind == CONTINUATION else ("is", "longer")
            lines.append(f"  one game {verb} {plies} {end}")
    return lines
