"""The numbers in docs/duplicates.md are those of the thresholds and weights that count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocgdedup import thresholds as t
from ocgdedup.matching.evidence import ACCURACIES, GO_WEIGHTS, Gates, Weights

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "duplicates.md").read_text(encoding="utf-8")
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
W, GO, GATES = Weights(), GO_WEIGHTS, Gates()


def shown(weight: float) -> str:
    """Write a weight as the document does: +4, 0, −0.5."""
    return f"{weight:+g}".replace("-", "−") if weight else "0"


def plain(number: float) -> str:
    return f"{number:g}"


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


MOVES = [
    row(f"each shared ply beyond opening theory, from ply {t.MIDDLE} on", shown(W.ply)),
    row(f"the same, between plies {t.EARLY} and {t.MIDDLE}", shown(W.early_ply)),
    row("all shared plies together", f"at most {shown(W.most_plies)}"),
    f"these plies are worth less than {t.KNOWN_LINE_WEIGHT} points "
    f"| down to {shown(W.known_line)} |",
    row(f"fewer than {t.EARLY} shared plies", f"down to {shown(W.few_plies)} more"),
    row(
        "each missing or added move; each wrong move",
        f"{shown(W.difference)}; {shown(2 * W.difference)}",
    ),
    row("all differences together", f"at most {shown(W.most_differences)}"),
    f"gates](#limits-for-near-identical-games) `normal` | {shown(W.outside_gates)} |",
    row(
        "`transposed`; `partial`; `placeholder`",
        "; ".join(map(shown, (W.transposed, W.truncated_with_slip, W.no_moves))),
    ),
]
PLAYERS = {
    "same player (FIDE ID, or resolved by `players`)": W.same_person,
    "same full name": W.name_equal,
    "compatible: `Carlsen,M`": W.name_compatible,
    "similar: a slip, a transliteration": W.name_similar,
    "names agree, FIDE IDs differ": W.name_conflict,
    "namesake: `Polgar, Zs` and `Polgar, J`": W.namesake,
    "different people": W.name_different,
    "colours exchanged in one header (only with equal moves)": W.colours,
}
DATES = {
    "same day": W.same_day,
    f"up to {t.NEAR_DAYS} days apart": W.near,
    "one number differs": W.date_slip,
    "same month, a day unknown": W.same_month,
    "same year, a month unknown": W.same_year,
    f"{t.NEAR_DAYS + 1} to {t.MONTH_DAYS} days apart": W.other_day,
    f"{t.MONTH_DAYS + 1} to {t.YEAR_DAYS} days apart": W.other_month,
    "consecutive years, a day unknown": W.other_year,
    "more than a year apart": W.years_apart,
}
OTHERS = {
    "same round, same or similar event": (W.same_round,),
    "same round, event unknown or different": (W.same_round_only,),
    "rounds 3 and 3.2": (W.part_of_round,),
    "different round, same or similar event": (W.other_round,),
    "different round, event unknown or different": (W.other_round_elsewhere,),
    "event the same, similar, different": (W.event_equal, W.event_similar, W.event_other),
    "site the same, similar, different": (W.site_equal, W.site_similar, W.site_other),
    "result decided alike, both drawn, different": (
        *(W.result_decided, W.result_draw, W.result_other),
    ),
    "each Elo the same, different": (W.elo_equal, W.elo_other),
    "both from one source": (W.one_source,),
}
OF_GO = [
    f"| {shown(W.most_plies)} | {shown(GO.most_plies)} |",
    f"| {shown(W.other_round)} | {shown(GO.other_round)} |",
    f"| {shown(W.other_round_elsewhere)} | {shown(GO.other_round_elsewhere)} |",
    f"| {shown(W.years_apart)} | {shown(GO.years_apart)} |",
    f"| {shown(W.outside_gates)} | {shown(GO.outside_gates)}; {shown(2 * GO.outside_gates)} if",
]
SENTENCES = [
    row(f"{W.accept:g} or more", "match", "duplicate: grouped and flagged"),
    f"| {W.possible_match:g} or more, but less than {W.accept:g} | possible match |",
    row(f"below {W.possible_match:g}", "non-match", "different games"),
    f"Two full dates up to {t.MONTH_DAYS} days apart cost {-W.event_days:g} points for a known",
    f"when the shared plies are worth {t.KNOWN_LINE_WEIGHT} points.",
    f"if their moves are worth {W.long_exact:g} points: about {W.long_exact / W.ply:g} plies",
    f"plays the same moves within the first {t.MOST_TRANSPOSED} plies in another order",
    f"only from {WORDS[t.THEORY_FURTHER]} plies beyond the transposition",
    f"If fewer than {t.SURE_TRANSPOSITION} equal plies follow and they are worth less than "
    f"{t.KNOWN_LINE_WEIGHT} points, the pair costs up to {-W.outside_gates:g} points more.",
    f"(`partial`) also need the same round or day, or {t.SURE_TRUNCATED} shared plies.",
    f"whose evidence is higher by {W.margin:g} points or more",
    f"a game has more than {WORDS[t.MOST_POSSIBLE_DUPLICATES]} other games as possible duplicates",
    f"Games that end up to {WORDS[t.NEAR_PLIES]} plies apart count as equally long",
    f"occurs at most {WORDS[t.FEW_RECORDS]} times and at most half as often, or at most a tenth",
    f"more than half of the first {t.VOTERS} moves must agree",
    f"the pair is near-identical, from {t.SURE_TRUNCATED} moves on",
    f"equal, up to {t.MOST_DIFFERENCES} differences",
    f"a run of {WORDS[t.RUN_PLIES]} plies from ply {t.FIRST_RUN} on",
    f"Of each {t.RUN_WINDOW} neighbouring runs the one with the smallest hash",
    f"wherever they share {t.RUN_WINDOW + t.RUN_PLIES - 1} plies in a row",
    f"by moves with more than {t.MOST_OF_MOVES} games, or one by players with more than "
    f"{t.MOST_OF_PLAYERS}, says little",
    row("`--gate-ply-start`", plain(GATES.start_ply), "ply from which"),
    row("`--gate-min-compare`", plain(GATES.min_measured), "if fewer plies"),
    row("`--gate-diff-ratio`", plain(GATES.max_length_share), "largest difference"),
    row("`--gate-min-ply`", plain(GATES.min_plies), "least number"),
    f"A pair outside them loses {-W.outside_gates:g} points and can still be a",
    f"At least {100 * GATES.min_shared:g} % of the longer game must agree",
    f"If the games differ before ply {GATES.start_ply}, they are measured from there.",
    *(
        row(f"`{name}`", f"{g.min_winkler:.2f}", f"{g.min_ratio:.2f}", str(g.max_indel))
        for name, g in ACCURACIES.items()
    ),
]
IN_TABLE = [
    *(row(text, shown(weight)) for text, weight in (PLAYERS | DATES).items()),
    *(row(text, ", ".join(map(shown, weights))) for text, weights in OTHERS.items()),
]


@pytest.mark.parametrize("text", [*MOVES, *IN_TABLE, *OF_GO, *SENTENCES])
def test_each_number_is_the_one_that_counts(text: str) -> None:
    """A number that was changed must be changed in the document, too."""
    assert text.removesuffix(" |").rstrip() in re.sub(r"\s*\n *", " ", TEXT)
