"""The numbers of matching/evidence.py reach the kernel under their names."""

from __future__ import annotations

import pytest

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import GameBatch
from ocgdedup.matching.evidence import TERMS, Gates, explain, summary_of
from ocgdedup.pipeline.search.stages import run_stages
from tests.support.copy_games import (
    GATES,
    WEIGHTS,
    Record,
    Search,
    batch_of,
    database,
    finder_of,
    line,
    others,
    search,
)

GAME = Record(line(1, 60))


def test_weights_and_gates_of_other_names_are_refused() -> None:
    weights, gates = WEIGHTS._asdict(), GATES._asdict()
    del weights["ply"], gates["dynamic"]
    with pytest.raises(ValueError, match=r"^weights: missing or unknown: ply$"):
        search_kernel.DuplicateFinder(GameBatch(), weights, GATES._asdict())
    with pytest.raises(ValueError, match=r"^weights: missing or unknown: plies, ply$"):
        search_kernel.DuplicateFinder(GameBatch(), {**weights, "plies": 0.5}, GATES._asdict())
    with pytest.raises(ValueError, match=r"^gates: missing or unknown: dynamic$"):
        search_kernel.DuplicateFinder(GameBatch(), WEIGHTS._asdict(), gates)
    with pytest.raises(ValueError, match=r"^gates: missing or unknown: dynamic$"):
        search_kernel.DuplicateFinder(GameBatch(), WEIGHTS._asdict(), GATES._asdict(), named=gates)


def test_a_tuple_of_weights_has_no_names() -> None:
    with pytest.raises(ValueError, match=r"^weights: missing or unknown: "):
        search_kernel.DuplicateFinder(GameBatch(), WEIGHTS, GATES._asdict())  # type: ignore[arg-type]


def test_names_may_come_in_any_order() -> None:
    weights = dict(reversed(WEIGHTS._asdict().items()))
    gates = dict(reversed(GATES._asdict().items()))
    connection = database([GAME, GAME._replace(source=2)])
    finders = [
        search_kernel.DuplicateFinder(batch_of(connection), weights, gates),
        finder_of(connection),
    ]
    for finder in finders:
        run_stages(finder)
    assert finders[0].compare(1, 2) == finders[1].compare(1, 2)


def term(result: Search, name: str) -> float:
    return result.compare().terms[TERMS.index(name)]


# Of each weight that no test of headers asks for: two games and the term it is in.
_OF_MOVES = {
    "ply": (GAME, GAME, "moves"),
    "early_ply": (GAME, GAME, "moves"),
    "known_line": (Record(line(1, 13)), Record(line(1, 13)), "moves"),
    "few_plies": (Record(line(1, 6)), Record(line(1, 6)), "moves"),
    "difference": (GAME, Record(line(1, 40) + line(1, 60)[41:]), "differences"),
    "outside_gates": (GAME, Record(line(1, 50) + line(2, 8)), "differences"),
    "truncated_with_slip": (GAME, Record(line(1, 20) + line(1, 40)[21:]), "differences"),
    "colours": (GAME, GAME._replace(white=GAME.black, black=GAME.white), "colours"),
    "no_moves": (GAME, Record(), "differences"),
    "one_source": (GAME, GAME, "source"),
}


@pytest.mark.parametrize("name", _OF_MOVES)
def test_each_weight_is_read_by_its_name(name: str) -> None:
    """A small change of a weight changes one term, in the same direction."""
    left, right, where = _OF_MOVES[name]
    usual = search([left, right])
    more = WEIGHTS._replace(**{name: getattr(WEIGHTS, name) + 0.125})
    other = search([left, right], weights=more)
    changed = {
        term_name
        for term_name, before, after in zip(
            TERMS, usual.compare().terms, other.compare().terms, strict=True
        )
        if before != after
    }
    assert changed == {where}
    assert term(other, where) > term(usual, where)


def test_plies_count_up_to_a_limit() -> None:
    long = Record(line(1, 300))
    assert term(search([long, long]), "moves") == WEIGHTS.most_plies
    limit = WEIGHTS._replace(most_plies=3.0)
    assert term(search([long, long], weights=limit), "moves") == 3.0


def test_differences_count_up_to_a_limit() -> None:
    moves = line(1, 60) + line(2, 60)
    wrong = tuple(1 if ply > 60 and ply % 8 == 0 else move for ply, move in enumerate(moves))
    weights = WEIGHTS._replace(most_differences=-2.0, outside_gates=0.0, truncated_with_slip=0.0)
    result = search([Record(moves), Record(wrong)], weights=weights)
    assert result.compare().differences > 4
    assert term(result, "differences") == -2.0


def test_early_plies_prove_little() -> None:
    """No weight before ply 12, then a part, then the full weight of a ply."""
    early, middle = search_kernel.CONSTANTS["EARLY"], search_kernel.CONSTANTS["MIDDLE"]
    weights = WEIGHTS._replace(known_line=0.0, few_plies=0.0)
    for plies in (1, early, early + 1, middle, middle + 1, 40):
        game = Record(line(1, plies))
        result = term(search([game, game], weights=weights), "moves")
        few, many = max(0, min(plies, middle) - early), max(0, plies - middle)
        assert result == pytest.approx(few * weights.early_ply + many * weights.ply)


@pytest.mark.parametrize(
    ("name", "steps"), [("accept", ["suspects", "one"]), ("possible_match", ["two", "suspects"])]
)
def test_limits_of_the_sum(name: str, steps: list[str]) -> None:
    """At the limit a pair has the verdict, just below it has not."""
    pair = [GAME, GAME._replace(round="5", date="1929.12.01", source=2)]
    weights = WEIGHTS._replace(accept=1000.0, possible_match=-1000.0, long_exact=1000.0)
    score = search(pair, weights=weights).compare().score
    for limit, expected in zip((score + 1e-9, score), steps, strict=True):
        limits = weights._replace(**{name: limit})
        assert search(pair, weights=limits).verdict == expected


def test_long_equal_games_are_possible_duplicates_with_any_headers() -> None:
    other = GAME._replace(white="Euwe, Max", black="Tal, Mihail", date="1960.01.01")
    result = search([GAME, other])
    assert result.compare().score < WEIGHTS.possible_match
    assert term(result, "moves") >= WEIGHTS.long_exact
    assert result.verdict == "suspects"
    moves = term(result, "moves")
    assert search([GAME, other], weights=WEIGHTS._replace(long_exact=moves + 0.1)).verdict == "two"
    # Not so where one goes on, or where others have played it too.
    assert search([GAME, other._replace(moves=line(1, 61))]).verdict == "two"
    assert not search([GAME, other, *others(line(1, 60))]).groups


def test_contradiction() -> None:
    """Two games with a third between them are one group unless they contradict each other."""
    first = GAME._replace(date="1929.09.06", round="?")
    last = GAME._replace(date="1936.09.06", round="?", source=2)
    between = GAME._replace(date="????.??.??", round="?", source=3)
    records = [first, last, between]
    weights = WEIGHTS._replace(years_apart=-30.0)
    score = search(records, weights=weights).compare(0, 1, lenient=True).score
    result = search(records, weights=weights._replace(contradiction=score))
    assert result.groups == [[0, 1, 2]]
    two = search(records, weights=weights._replace(contradiction=score + 1e-9))
    assert two.groups == []
    assert two.suspects == [(0, 2), (1, 2)]


def test_margin() -> None:
    """A common start of two games joins the one that it matches better by the margin."""
    start = GAME._replace(moves=line(1, 22), source=3)
    right = GAME._replace(moves=line(1, 22) + line(5, 20))
    wrong = GAME._replace(moves=line(1, 22) + line(6, 20), date="1929.09.07")
    records = [start, right, wrong]
    scores = [search(records).compare(0, other).score for other in (1, 2)]
    better = scores[0] - scores[1]
    assert scores[1] > WEIGHTS.accept
    assert better > 0
    clear = search(records, weights=WEIGHTS._replace(margin=better))
    assert clear.groups == [[0, 1]]
    assert clear.suspects == []
    unclear = search(records, weights=WEIGHTS._replace(margin=better + 1e-9))
    assert unclear.groups == []
    assert unclear.suspects == [(0, 1), (0, 2)]


def test_strong_evidence_lets_moves_be_compared_thoroughly() -> None:
    # Two lost repetitions of four plies: more than a join may lack.
    lost = line(1, 60)[:30] + line(1, 60)[34:40] + line(1, 60)[48:]
    records = [GAME, Record(lost)]
    for strong, kind in ((0.0, 3), (1000.0, 0)):
        assert search(records, weights=WEIGHTS._replace(strong=strong)).compare().kind == kind


def test_explanations_name_all_terms() -> None:
    result = search([GAME, Record(line(1, 40) + line(1, 60)[41:], "?", "Euwe, Max")]).compare()
    lines = "\n".join(explain(result, WEIGHTS))
    for name, value in zip(TERMS, result.terms, strict=True):
        if abs(value) >= 0.05:
            assert name in lines
            assert f"{name} {value:+.1f}" in summary_of(result)
    nothing = search([GAME, Record(line(2, 60))]).compare()
    assert len(explain(nothing, WEIGHTS)) == 1


@pytest.mark.parametrize(
    ("gates", "kind"),
    [
        (Gates(), 3),
        (Gates(max_indel=1), 0),
        (Gates(min_ratio=0.99), 0),
        (Gates(min_winkler=0.999), 0),
        (Gates(min_plies=61), 0),
        (Gates(monge_elkan=0.999), 0),
        (Gates(dynamic=True), 3),
    ],
)
def test_each_gate_is_read_by_its_name(gates: Gates, kind: int) -> None:
    """A wrong move: near-identical within the gates, else unrelated, unless headers are strong."""
    wrong = Record((*line(1, 40), 7, *line(1, 60)[41:]))
    weights = WEIGHTS._replace(strong=1000.0)
    result = search([GAME, wrong], gates=gates._replace(min_shared=1.0), weights=weights).compare()
    assert result.kind == kind
    assert result.in_gates == bool(kind)
