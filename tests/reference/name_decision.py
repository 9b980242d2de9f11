"""Decisions about names by plain loops: the oracle of kernels/names/name_decision.pxi."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log
from typing import NamedTuple

from ocgdedup.matching.names.evidence import Claim
from ocgdedup.matching.names.likelihood import LIMITS, NameDifference
from ocgdedup.matching.names.name_form import name_form, other_forms
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.resolve import GamesOfName
from ocgdedup.model import NameForm, Person
from tests.reference.name_score import bigram_dice, name_score
from tests.support.player_age import age_evidence, is_possible


class Fit(NamedTuple):
    """A person whom a name may mean."""

    number: int
    person: Person
    listed: NameForm
    evidence: float
    total: float
    kind: NameDifference
    is_tagged: bool


class SlowDecision(NamedTuple):
    """The fields of a Decision; `fits`: all possible persons, the best ones first."""

    person: int | None
    score: float
    refusal: str
    probability: float
    listed: float
    fits: list[Fit]
    probabilities: list[float]


def slow_decision(lists: list[NameList], name: str, games: GamesOfName) -> SlowDecision:
    form = name_form(name)
    fits = _fits(lists, name, games)
    if not fits:
        return SlowDecision(None, 0.0, "NOT_LISTED", 0.0, 0.0, [], [])
    unlisted = max(log(names.unlisted) for names in lists)
    total = _log_sum([unlisted, *(fit.total for fit in fits)])
    by_name = _log_sum([unlisted, *(fit.evidence for fit in fits)])
    fits.sort(key=lambda fit: (-fit.total, fit.number))
    best = fits[0]
    probabilities = [exp(fit.total - total) for fit in fits]
    score = name_score(form, best.listed)
    by_name_alone = exp(best.evidence - by_name)
    refusal = _refusal(form, best, probabilities[0], by_name_alone, unlisted)
    if best.kind is NameDifference.SIMILAR and not _is_supported(form, best):
        probabilities[0] = min(probabilities[0], LIMITS.most_by_similarity)
    person = None if refusal else best.number
    listed = 1 - exp(unlisted - total)
    return SlowDecision(person, score, refusal, probabilities[0], listed, fits, probabilities)


def _fits(lists: list[NameList], name: str, games: GamesOfName) -> list[Fit]:
    form = name_form(name)
    forms = [] if form.is_handle else [form]
    forms += [] if form.is_handle or name.isascii() else other_forms(name)
    fits: dict[int, Fit] = {}
    offset = 0
    for names in lists:
        for rows in names.weigh([[form] for form in forms]):
            for row in rows:
                person, number = names.persons[row.person], offset + row.person
                is_tagged = person.fide_id in games.fide_ids
                before = fits.get(number)
                fit = Fit(
                    number, person, names.forms[row.entry], row.evidence,
                    row.evidence + row.prominence, NameDifference(row.kind), is_tagged,
                )  # fmt: skip
                if before is None or fit.evidence > before.evidence:
                    fits[number] = fit
        offset += len(names.persons)
    return [_with_age(fit, games) for fit in fits.values() if _can_be_meant(fit, games)]


def _can_be_meant(fit: Fit, games: GamesOfName) -> bool:
    years = fit.person.birth_year or 0, fit.person.death_year or 0
    as_child = fit.is_tagged or games.is_youth
    first, last = games.first_year, games.last_year
    if first:
        if fit.kind is NameDifference.SIMILAR:
            can_play = all(is_possible(years, year, as_child=as_child) for year in (first, last))
        else:
            born, died = years
            youngest = 6 if as_child else 9
            can_play = not born or (last >= born + youngest and first <= born + 100)
            can_play &= not died or first <= died + 1
        if not can_play:
            return False
    claims = [Claim(*claim) for claim in games.claims]
    if fit.is_tagged or not claims:
        return True
    return not all(claim.contradicts(fit.person) for claim in claims)


def _with_age(fit: Fit, games: GamesOfName) -> Fit:
    if not games.first_year:
        return fit
    years = fit.person.birth_year or 0, fit.person.death_year or 0
    value = age_evidence(years, games.first_year, games.last_year, is_youth=games.is_youth)
    prominence = fit.total - fit.evidence
    return fit._replace(evidence=fit.evidence + value, total=fit.evidence + value + prominence)


def _is_supported(form: NameForm, best: Fit) -> bool:
    return bool(
        (form.country and form.country == best.person.country)
        or (form.birth_year and form.birth_year == best.person.birth_year)
        or best.is_tagged
    )


def _refusal(
    form: NameForm, best: Fit, probability: float, by_name_alone: float, unlisted: float
) -> str:
    listed = best.listed
    if sum(map(len, listed.words)) < LIMITS.min_letters:
        return "SHORT"
    if best.evidence < unlisted + LIMITS.least_above_chance:
        return "TOO_LITTLE"
    if form.number and form.number != listed.number:
        return "NUMBERED"
    if probability < LIMITS.min_probability:
        return "AMBIGUOUS" if best.evidence > unlisted else "TOO_LITTLE"
    is_clear = by_name_alone >= LIMITS.min_probability_of_initials or (
        form.country and form.country == best.person.country
    )
    is_clear = is_clear or _is_of_prominent(form, listed, probability, by_name_alone)
    if not is_clear and _is_abbreviated(form, listed, probability):
        return "ABBREVIATED"
    if form.generation and form.generation != listed.generation:
        return "GENERATION"
    if best.kind is not NameDifference.SIMILAR:
        return ""
    if probability < LIMITS.min_probability_of_slip or by_name_alone < 0.5:
        return "SLIP"
    dice = bigram_dice("".join(form.words), "".join(listed.words))
    is_dissimilar = name_score(form, listed) < LIMITS.min_score and dice < LIMITS.min_dice
    return "DISSIMILAR" if is_dissimilar else ""


def _is_of_prominent(
    form: NameForm, listed: NameForm, probability: float, by_name_alone: float
) -> bool:
    if by_name_alone < LIMITS.min_probability_beside_prominence or len(form.words) < 2:
        return False
    first = (form.given or form.surname)[0]
    words = {*listed.words, *(word[0] for word in listed.words)}
    is_prominent = probability >= LIMITS.min_probability_of_prominent
    return is_prominent and {form.surname[-1], first} <= words


def _is_abbreviated(form: NameForm, listed: NameForm, probability: float) -> bool:
    if form.generation:
        return True
    if not form.is_ordered:
        return any(len(word) == 1 for word in form.surname) or len(form.surname) == 1
    first = form.given[0] if form.given else ""
    if first in listed.words:
        return False
    return len(first) < 2 or (
        len(first) == 2 and probability < LIMITS.min_probability_of_two_letters
    )


def _log_sum(evidence: Iterable[float]) -> float:
    values = [*evidence]
    top = max(values)
    return top + log(sum(exp(value - top) for value in values))
