"""Resolve a name to a listed person: stages, thresholds and reasons.

A name resolves if the evidence for one person outweighs that for all other listed persons and
for unlisted persons.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import exp, log
from typing import NamedTuple

from ocgdedup.matching.names.likelihood import (
    PROMINENCE_OF_INACTIVE,
    PROMINENCE_OF_TITLE,
    WEIGHTS,
    NameDifference,
)
from ocgdedup.matching.names.name_form import LONGEST_NAME, is_too_long, name_form, other_forms
from ocgdedup.matching.names.name_list import FideIds, NameList, PersonTable, Weighed
from ocgdedup.matching.names.similarity import MIN_DICE, MIN_SCORE, bigram_dice, name_score
from ocgdedup.model import NameForm, Person

MIN_PROBABILITY = 0.8  # of the best candidate
# Of the best candidate for an abbreviated name, without prominence: it must be unambiguous.
MIN_PROBABILITY_OF_INITIALS = 0.87
MIN_PROBABILITY_OF_TWO_LETTERS = 0.93
# Or, with prominence and without it: at most one other player, who is not prominent.
MIN_PROBABILITY_OF_PROMINENT, MIN_PROBABILITY_BESIDE_PROMINENCE = 0.97, 0.45
# Prominence is not enough: the least evidence of the name, above that for unlisted players.
LEAST_ABOVE_CHANCE = -1.5
# One letter can make another surname, so typing errors need more evidence.
MIN_PROBABILITY_OF_SLIP = 0.95
# Limit for a name that is only similar to a listed one, without other evidence, since it may be the
# name of an unlisted person; nothing is filled in then.
MOST_BY_SIMILARITY = 0.89
# The reason why a name with a number does not resolve to the only listed namesake.
NUMBERED_NAME = "its number says that the source knows several players of this name"
_NAMES_AT_ONCE = 4096  # looked up together
MIN_LETTERS = 5  # of a listed name that is matched by name alone

STAGES = {
    NameDifference.SAME: "exact",
    NameDifference.TURNED: "order",
    NameDifference.SOUND: "phonetic",
    NameDifference.VARIANT: "variant",
    NameDifference.SIMILAR: "similarity",
}


class Candidate(NamedTuple):
    """A possible person of a name.

    `evidence` is a natural logarithm of a probability ratio, from the names alone; `probability`
    (0 to 1) includes prominence.
    """

    person: int
    evidence: float
    probability: float
    stage: str
    score: float


class Resolution(NamedTuple):
    """Result for a name: `person` is None if unresolved; best candidates first.

    `listed`: probability that any listed person is meant.
    """

    person: int | None
    stage: str
    score: float
    reason: str
    candidates: tuple[Candidate, ...]
    listed: float = 0.0


class Persons:
    """The persons of several lists, in sequence."""

    def __init__(self, *tables: PersonTable) -> None:
        self.tables = list(tables)

    def __len__(self) -> int:
        return sum(map(len, self.tables))

    def __getitem__(self, number: int) -> Person:
        table, index = self._locate(number)
        return table[index]

    def years(self, number: int) -> tuple[int, int]:
        """Return the years of birth and death of a person; 0 if unknown."""
        table, index = self._locate(number)
        return table.years(index)

    def fide_id(self, number: int) -> int | None:
        table, index = self._locate(number)
        return table.fide_id(index)

    def _locate(self, number: int) -> tuple[PersonTable, int]:
        for table in self.tables:
            if number < len(table):
                return table, number
            number -= len(table)
        raise IndexError(number)

    def with_fide_ids(self) -> FideIds:
        """Return the numbers of the persons with a FIDE ID, by the ID."""
        return FideIds(self.tables)


class Resolver:
    """Resolves names by lists of persons, who are numbered through all lists."""

    def __init__(self, *lists: NameList) -> None:
        self.persons = Persons()
        self._lists: list[tuple[NameList, int]] = []
        self._unlisted = 0.0
        for names in lists:
            self._lists.append((names, len(self.persons)))
            self.persons.tables.append(names.persons)
            self._unlisted = max(self._unlisted, log(names.unlisted))

    def with_list(self, names: NameList) -> Resolver:
        """Return a resolver for these lists and one more."""
        return Resolver(*(listed for listed, _ in self._lists), names)

    def resolve(self, name: str, *, shown: int = 5) -> Resolution:
        """Resolve a name without games; return the `shown` best candidates."""
        return self.decide(name, self.weigh(name), shown=shown)

    def resolve_each(self, names: Sequence[str], *, shown: int = 5) -> Iterator[Resolution]:
        """Yield resolve() of each name; blocks of names are looked up by several threads."""
        for name, weighed in zip(names, self.weigh_each(names), strict=True):
            yield self.decide(name, weighed, shown=shown)

    def weigh(self, name: str) -> dict[int, Weighed]:
        """Return the persons whom a name may mean, with the evidence for each."""
        [weighed] = self._weigh_block([name])
        return weighed

    def weigh_each(self, names: Iterable[str]) -> Iterator[dict[int, Weighed]]:
        """Yield weigh() of each name; blocks of names are looked up by several threads."""
        remaining = iter(names)
        while block := list(islice(remaining, _NAMES_AT_ONCE)):
            yield from self._weigh_block(block)

    def _weigh_block(self, names: Sequence[str]) -> list[dict[int, Weighed]]:
        numbered = [(number, form) for number, name in enumerate(names) for form in _forms(name)]
        weighed: list[dict[int, Weighed]] = [{} for _ in names]
        for listed, offset in self._lists:
            rows = listed.weigh([form for _, form in numbered])
            for (number, _), by_form in zip(numbered, rows, strict=True):
                _take_best(weighed[number], by_form, offset)
        return weighed

    def decide(
        self,
        name: str,
        weighed: Mapping[int, Weighed],
        *,
        shown: int = 1,
        fide_ids: Container[int] = (),
    ) -> Resolution:
        """Choose among the persons whom a name may mean; return the `shown` best.

        `fide_ids`: FIDE IDs in games with the name.
        """
        form = name_form(name)
        if is_too_long(name):
            reason = f"names of more than {LONGEST_NAME} characters are not matched"
            return Resolution(None, "", 0.0, reason, ())
        if not form.surname:
            return Resolution(None, "", 0.0, "stands for nobody", ())
        if not weighed:
            return Resolution(None, "", 0.0, "no listed player has such a name", ())
        order = sorted(weighed, key=lambda person: (-weighed[person].total, person))
        total = log_sum([self._unlisted, *(match.total for match in weighed.values())])
        candidates = tuple(
            Candidate(
                person,
                match.evidence,
                exp(match.total - total),
                STAGES[match.kind],
                name_score(form, match.listed),
            )
            for person, match in ((person, weighed[person]) for person in order[:shown])
        )
        best = candidates[0]
        by_name = log_sum([self._unlisted, *(match.evidence for match in weighed.values())])
        by_name_alone = exp(best.evidence - by_name)
        refusal = self._refusal(form, best, weighed[best.person].listed, by_name_alone)
        person = None if refusal else best.person
        if best.stage == STAGES[NameDifference.SIMILAR] and not self._is_supported(
            form, best, fide_ids
        ):
            probability = min(best.probability, MOST_BY_SIMILARITY)
            candidates = (best._replace(probability=probability), *candidates[1:])
        listed = 1 - exp(self._unlisted - total)
        return Resolution(person, best.stage, best.score, refusal, candidates, listed)

    def _is_supported(self, form: NameForm, best: Candidate, fide_ids: Container[int]) -> bool:
        """Return whether anything besides a similar name is evidence for a person."""
        person = self.persons[best.person]
        return bool(
            (form.country and form.country == person.country)
            or (form.birth_year and form.birth_year == person.birth_year)
            or person.fide_id in fide_ids
        )

    def _refusal(
        self, form: NameForm, best: Candidate, listed: NameForm, by_name_alone: float
    ) -> str:
        """Return why the best candidate is not accepted; empty if accepted.

        `by_name_alone`: probability if all persons are equally prominent.
        """
        if sum(map(len, listed.words)) < MIN_LETTERS:
            return f"a listed name of fewer than {MIN_LETTERS} letters matches nobody by name alone"
        if best.evidence < self._unlisted + LEAST_ABOVE_CHANCE:
            return "too little evidence"
        if form.number and form.number != listed.number:
            return NUMBERED_NAME
        if best.probability < MIN_PROBABILITY:
            return "others fit as well" if best.evidence > self._unlisted else "too little evidence"
        is_of_country = form.country and form.country == self.persons[best.person].country
        is_clear = bool(by_name_alone >= MIN_PROBABILITY_OF_INITIALS or is_of_country)
        is_clear |= _is_of_prominent(form, listed, best.probability, by_name_alone)
        if not is_clear and _is_abbreviated(form, listed, best.probability):
            return "abbreviated, and somebody else may be meant"
        if form.generation != listed.generation and form.generation:
            return "father or son is not said in the list"
        if best.stage != STAGES[NameDifference.SIMILAR]:
            return ""
        if best.probability < MIN_PROBABILITY_OF_SLIP or by_name_alone < 0.5:
            return "a slip, and not sure enough"
        if best.score < MIN_SCORE:
            dice = bigram_dice("".join(form.words), "".join(listed.words))
            if dice < MIN_DICE:
                return (
                    f"similarity {best.score:.2f} < {MIN_SCORE} and bigrams {dice:.2f} < {MIN_DICE}"
                )
        return ""


def log_sum(evidence: Iterable[float]) -> float:
    """Return the logarithm of a sum of probabilities that are given as logarithms."""
    values = [*evidence]
    top = max(values)
    return top + log(sum(exp(value - top) for value in values))


def _forms(name: str) -> list[NameForm]:
    """Return the forms by which a name is looked up."""
    form = name_form(name)
    if form.is_handle:
        return []  # nicknames and programs are not compared with other names
    return [form] if name.isascii() else [form, *other_forms(name)]


def _take_best(best: dict[int, Weighed], weighed: Mapping[int, Weighed], offset: int) -> None:
    """Add the persons of a list who fit better by another form of the name."""
    if not best and not offset:
        best.update(weighed)
        return
    for person, match in weighed.items():
        before = best.get(person + offset)
        if before is None or match.evidence > before.evidence:
            best[person + offset] = match


def _is_of_prominent(
    form: NameForm, listed: NameForm, probability: float, by_name_alone: float
) -> bool:
    """Return whether surname and initial are those of a player who is far more prominent."""
    if by_name_alone < MIN_PROBABILITY_BESIDE_PROMINENCE or len(form.words) < 2:
        return False
    first = (form.given or form.surname)[0]
    words = {*listed.words, *(word[0] for word in listed.words)}
    return probability >= MIN_PROBABILITY_OF_PROMINENT and {form.surname[-1], first} <= words


def _is_abbreviated(form: NameForm, listed: NameForm, probability: float) -> bool:
    """Return whether a name is shorter than the listed one; then prominence alone is not enough."""
    if form.generation:
        return True
    if not form.is_ordered:
        return any(len(word) == 1 for word in form.surname) or len(form.surname) == 1
    first = form.given[0] if form.given else ""
    if first in listed.words:
        return False
    # Two letters distinguish namesakes ("Williams,Si1"), so they are stronger evidence than one.
    return len(first) < 2 or (len(first) == 2 and probability < MIN_PROBABILITY_OF_TWO_LETTERS)


def prominence(person: Person) -> float:
    """Return the logarithm of the ratio of a person's published games to those of others."""
    return prominence_of_rank(person.rating or 0, person.title, person.is_active)


@lru_cache(maxsize=1 << 14)
def prominence_of_rank(rating: int, title: str, is_active: bool) -> float:
    """Return prominence() by rating (0: none), title and activity."""
    by_rating = max(rating - WEIGHTS.least_rating, 0) / WEIGHTS.rating_unit
    value = max(min(by_rating, WEIGHTS.most_by_rating), PROMINENCE_OF_TITLE.get(title, 0.0))
    return value if is_active else value + PROMINENCE_OF_INACTIVE
