"""Names and explanations of verdicts; constraints on the weights."""

from __future__ import annotations

import runpy

import pytest

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.cli.parser import build_parser
from ocgdedup.game_kind import GO
from ocgdedup.matching import evidence
from ocgdedup.matching.evidence import (
    ACCURACIES,
    CONTINUATION,
    EXACT,
    MATCH,
    NEAR_IDENTICAL,
    NO_MOVES,
    NON_MATCH,
    POSSIBLE_MATCH,
    RULE_NONE,
    RULE_OUTSIDE_GATES,
    RULES,
    STATUS_OF_KIND,
    TERMS,
    TRUNCATED,
    TRUNCATED_WITH_SLIP,
    Gates,
    Weights,
    explain,
    status_of,
    summary_of,
)
from ocgdedup.model import Comparison, Terms

ALIKE = Comparison(
    kind=EXACT,
    is_swapped=False,
    in_gates=False,
    plies=60,
    first_difference=60,
    transposed=0,
    differences=0,
    longer=0,
    ratio=0.0,
    winkler=0.0,
    distance=0,
    refused=0,
    sides=(1, 2),
    date=1,
    round=1,
    event=1,
    site=1,
    theory=9,
    symmetry=0,
    terms=Terms(24.0, 0.0, 4.0, 3.5, 4.0, 3.0, 2.0, 1.0, 0.7, 2.0, -0.5, 0.0),
    score=43.7,
    verdict=MATCH,
    rule=RULE_NONE,
)
WEIGHTS = Weights()


def explanation(**fields: object) -> str:
    return "\n".join(explain(ALIKE._replace(**fields), WEIGHTS))


# --- status ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (EXACT, ("exact", None)),
        (TRUNCATED, ("subsumption", None)),
        (TRUNCATED_WITH_SLIP, ("subsumption", "partial")),
        (CONTINUATION, ("subsumption", "continues from FEN")),
        (NO_MOVES, ("subsumption", "placeholder")),
        (NEAR_IDENTICAL, ("join", None)),
        (0, ("join", None)),  # of one group through others
    ],
)
def test_status_of(kind: int, expected: tuple[str, str | None]) -> None:
    assert status_of(ALIKE._replace(kind=kind)) == expected


def test_swapped_colours_are_a_reason() -> None:
    assert status_of(ALIKE._replace(is_swapped=True)) == ("exact", "colours swapped")


def test_a_turned_board_is_a_reason_unless_there_is_another() -> None:
    assert status_of(ALIKE._replace(symmetry=3)) == ("exact", "rotated")
    assert status_of(ALIKE._replace(symmetry=3, kind=TRUNCATED_WITH_SLIP)) == (
        "subsumption",
        "partial",
    )
    assert status_of(ALIKE._replace(symmetry=3, is_swapped=True)) == ("exact", "colours swapped")


@pytest.mark.parametrize("symmetry", range(1, len(evidence.SYMMETRY_WORDS)))
def test_the_rotation_is_explained(symmetry: int) -> None:
    assert f"board of the second game: {evidence.SYMMETRY_WORDS[symmetry]}\n" in explanation(
        symmetry=symmetry
    )


def test_weights_of_go_have_the_limits_of_chess() -> None:
    """Reports name the limits once."""
    assert evidence.GO_WEIGHTS.accept == WEIGHTS.accept
    assert evidence.GO_WEIGHTS.possible_match == WEIGHTS.possible_match


def test_each_kind_has_a_status() -> None:
    assert sorted(STATUS_OF_KIND) == [1, 2, 3, 4, 5, 6]
    assert {status for status, _ in STATUS_OF_KIND.values()} == {"exact", "subsumption", "join"}


# --- summary ---------------------------------------------------------------------------------


def test_summary() -> None:
    terms = Terms(12.5, -0.5, 3.5, 0.0, -6.0, 0.04, 0.0, -0.1, 0.0, 0.0, -0.5, 0.0)
    assert summary_of(ALIKE._replace(terms=terms)) == (
        "moves +12.5, differences -0.5, White +3.5, date -6.0, site -0.1, source -0.5"
    )
    assert summary_of(ALIKE._replace(terms=Terms(*[0.0] * len(TERMS)))) == ""


# --- explain ---------------------------------------------------------------------------------


def test_a_whole_explanation() -> None:
    assert explain(ALIKE, WEIGHTS) == [
        "By their moves: exact.",
        "  shared plies: 60, the first 60 identical; unrelated games share 9",
        "Evidence, as match weights (above 0: the same game, below 0: different games):",
        "  moves        +24.0",
        "  White         +4.0  the same name",
        "  Black         +3.5  compatible names",
        "  date          +4.0  the same day",
        "  round         +3.0  the same",
        "  event         +2.0  the same",
        "  site          +1.0  the same",
        "  result        +0.7",
        "  Elo           +2.0",
        "  source        -0.5",
        "  sum          +43.7",
        "Verdict: duplicate, because the sum is at least 8.",
    ]


def test_go_has_moves_where_chess_has_plies() -> None:
    comparison = ALIKE._replace(kind=TRUNCATED, longer=58)
    lines = explain(comparison, WEIGHTS, GO)
    assert lines[1] == ("  shared moves: 60, the first 60 identical; unrelated games share 9")
    assert lines[2] == "  one game is 58 moves longer"
    assert "  one game is 58 plies longer" in explain(comparison, WEIGHTS)


def test_moves_of_two_games() -> None:
    assert explain(ALIKE._replace(kind=0), WEIGHTS) == [
        "Their moves differ too much for two records of one game with these headers."
    ]


def test_near_identical_games_and_their_gates() -> None:
    fields = {
        "kind": NEAR_IDENTICAL, "first_difference": 31, "differences": 2, "distance": 2,
        "ratio": 0.98333,
    }  # fmt: skip
    text = explanation(**fields, winkler=0.991, in_gates=True)
    assert text.startswith("By their moves: near-identical.\n")
    assert "\n  shared plies: 60, the first 31 identical; " in text
    assert (
        "\n  moves inserted or deleted: 2, in common: 0.983 of the longer game, Jaro-Winkler "
        "similarity: 0.991; within the gates for near-identical games\n"
    ) in text
    # Where one gate refused, those behind it were not asked.
    assert (
        "\n  moves inserted or deleted: 2, in common: 0.983 of the longer game; outside the "
        "gates for near-identical games\n" in explanation(**fields)
    )


def test_a_truncated_game_with_a_slip() -> None:
    """The gates are those of near-identical games."""
    text = explanation(
        kind=TRUNCATED_WITH_SLIP,
        differences=1,
        distance=1,
        ratio=0.96,
        longer=14,
        first_difference=20,
    )
    assert text.startswith("By their moves: truncated, longer or diverging (partial).\n")
    assert (
        "\n  moves inserted or deleted: 1, in common: 0.960 of the longer game\n"
        "  after the common part, a game has 14 plies of its own\n"
    ) in text


def test_a_truncated_game() -> None:
    assert "\n  one game is 12 plies longer\n" in explanation(kind=TRUNCATED, longer=12)
    text = explanation(kind=CONTINUATION, longer=24)
    assert text.startswith("By their moves: truncated (continues from FEN).\n")
    assert "\n  one game starts 24 plies later\n" in text


def test_swapped_colours() -> None:
    terms = ALIKE.terms._replace(colours=-5.0)
    text = explanation(is_swapped=True, terms=terms)
    assert text.startswith("By their moves: exact (colours swapped).\n")
    assert "\n  colours       -5.0  exchanged in one of the headers\n" in text
    assert "colours" not in explanation()


def test_terms_without_weight_are_explained_if_they_have_words() -> None:
    terms = Terms(24.0, *[0.0] * (len(TERMS) - 1))
    text = explanation(terms=terms, sides=(0, 0), date=0, round=0, event=0, site=0)
    for name in ("White", "Black"):
        assert f"\n  {name:<13} +0.0  unknown\n" in text
    for name in ("date", "round", "event", "site"):
        assert f"\n  {name:<13} +0.0  unknown\n" in text
    for name in ("differences", "result", "Elo", "source"):
        assert f"\n  {name} " not in text


@pytest.mark.parametrize(
    ("field", "codes"),
    [("sides", (0, 1, 2, 3, 4, 5, 16, 17, 18)), ("date", range(10)), ("round", range(4)),
     ("event", range(4)), ("site", range(4))],
)  # fmt: skip
def test_each_code_has_words_of_its_own(field: str, codes: range) -> None:
    values = [(code, code) if field == "sides" else code for code in codes]
    assert len({explanation(**{field: value}) for value in values}) == len(values)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (MATCH, "duplicate, because the sum is at least 50.5"),
        (POSSIBLE_MATCH, "possible duplicate, because the sum is at least 2.25 and below 50.5"),
        (NON_MATCH, "different games, because the sum is below 2.25"),
    ],
)
def test_limits_are_those_of_the_weights(verdict: int, expected: str) -> None:
    weights = WEIGHTS._replace(accept=50.5, possible_match=2.25)
    line = explain(ALIKE._replace(verdict=verdict), weights)[-1]
    assert line == f"Verdict: {expected}."


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != RULE_OUTSIDE_GATES])
@pytest.mark.parametrize("kind", [EXACT, 0])
def test_a_rule_that_decides_is_named(rule: int, kind: int) -> None:
    """In place of the sum, which may give another verdict."""
    comparison = ALIKE._replace(kind=kind, rule=rule, verdict=POSSIBLE_MATCH, score=-3.0)
    lines = explain(comparison, WEIGHTS)
    assert lines[-1] == f"Verdict: possible duplicate, because {RULES[rule]}."
    assert "the sum is" not in "\n".join(lines)


def test_the_gates_that_refuse_a_pair_are_named() -> None:
    comparison = ALIKE._replace(
        kind=NEAR_IDENTICAL, differences=6, distance=5, ratio=0.93, in_gates=True, refused=12,
        verdict=POSSIBLE_MATCH, rule=RULE_OUTSIDE_GATES,
    )  # fmt: skip
    lines = explain(comparison, WEIGHTS)
    assert (
        lines[2]
        == "  moves inserted or deleted: 5, in common: 0.930 of the longer game; outside the "
        "gates for near-identical games"
    )
    assert lines[-1] == (
        "Verdict: possible duplicate, because they are outside the gates that you set "
        "(moves inserted or deleted, moves in common)."
    )


def test_each_limit_has_words() -> None:
    assert list(evidence.REFUSALS) == [1 << bit for bit in range(7)]


def test_a_user_decision_is_a_rule() -> None:
    same = ALIKE._replace(rule=CONSTANTS["RULE_DECIDED_SAME"])
    assert explain(same, WEIGHTS)[-1] == (
        "Verdict: duplicate, because you decided that they are the same game."
    )
    different = ALIKE._replace(kind=0, rule=CONSTANTS["RULE_DECIDED_DIFFERENT"], verdict=NON_MATCH)
    assert explain(different, WEIGHTS) == [
        "Their moves differ too much for two records of one game with these headers.",
        "Verdict: different games, because you decided that they are different games.",
    ]


# --- numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["WEIGHTS", "GATES", "TERMS"])
def test_a_kernel_with_other_names_cannot_be_used(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *rest = getattr(search_kernel, name)
    monkeypatch.setattr(search_kernel, name, (*rest, "zeal"))
    with pytest.raises(ImportError, match=f"^{name.lower()}: .*: {first}, zeal; build the kernels"):
        runpy.run_path(evidence.__file__)


@pytest.mark.parametrize("name", ["RELATION_NEW", "RULE_NEW", "GATE_NEW", "SIDE_NEW", "DATE_NEW"])
def test_each_code_of_the_kernel_must_have_words(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(search_kernel.CONSTANTS, name, 99)
    with pytest.raises(
        ImportError, match=f"^{name.removesuffix('NEW')} codes: .*: {name}; build the kernels"
    ):
        runpy.run_path(evidence.__file__)


def test_agreement_never_weighs_less_than_disagreement() -> None:
    """For any tuning of the weights."""
    w = Weights()
    assert w.same_person >= w.name_equal >= w.name_compatible >= w.name_similar > 0
    assert 0 > w.namesake > w.name_different
    assert w.same_day >= w.same_month >= w.same_year > 0 > w.other_day >= w.other_month
    assert w.other_month > w.years_apart
    assert w.same_round >= w.same_round_only > 0 > w.other_round_elsewhere > w.other_round
    assert w.event_equal >= w.event_similar > 0 >= w.event_other
    assert w.site_equal >= w.site_similar > 0 >= w.site_other
    assert w.result_decided >= w.result_draw > 0 > w.result_other
    assert w.accept > w.possible_match > w.contradiction
    assert w.margin > 0
    assert w.ply > w.early_ply > 0 > w.known_line


def test_accuracies() -> None:
    """As in docs/duplicates.md and the help; each accepts the pairs of the one before."""
    strict, normal, tolerant = (ACCURACIES[name] for name in ("strict", "normal", "tolerant"))
    assert normal == Gates()
    assert (strict.max_indel, normal.max_indel, tolerant.max_indel) == (2, 4, 8)
    assert (strict.min_ratio, normal.min_ratio, tolerant.min_ratio) == (0.98, 0.95, 0.90)
    assert (strict.min_winkler, normal.min_winkler, tolerant.min_winkler) == (0.98, 0.95, 0.92)


def test_defaults_in_the_help_are_those_of_the_gates() -> None:
    """The help is written without loading the module with the gates."""
    actions = build_parser()._subparsers._group_actions[0].choices["dedup"]._actions
    helps = {action.dest: action.help for action in actions}
    gates = Gates()
    for name, value in (
        ("gate_ply_start", gates.start_ply),
        ("gate_min_compare", gates.min_measured),
        ("gate_min_ply", gates.min_plies),
        ("gate_diff_ratio", gates.max_length_share),
    ):
        assert helps[name].endswith(f"(default: {value})")
    choices = {action.dest: action.choices for action in actions}
    assert set(choices["accuracy"]) == set(evidence.ACCURACIES)


def test_databases_store_weights_and_gates_by_their_first_names() -> None:
    """With another text, the next `dedup` would search again and replace the undo of the last."""
    assert repr(Gates()) == (
        "Gates(join_start=15, join_compare=10, join_min=10, join_indel=4, join_ratio=0.95, "
        "join_winkler=0.95, join_length=0.15, part_ratio=0.95, join_least=0.6, dynamic=False, "
        "monge_elkan=0.0)"
    )
    text = repr(Weights())
    assert text.startswith("Weights(ply=0.5, early_ply=0.25, most_plies=25.0, known_line=-3.0, ")
    assert "outside_gates=-4.0, part=-1.0, same_person=4.0" in text
    assert text.endswith(
        "accept=8.0, suspect=0.0, long_exact=10.0, contradiction=-6.0, margin=3.0, strong=9.0)"
    )
