"""Short forms that only one listed player has, and their probability: all pairs of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ocgdedup.matching.names.letters import initial_class
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.name_words import PARTICLES
from ocgdedup.model import NameForm

Words = tuple[str, ...]


class Listed(NamedTuple):
    """A listed name, its person, and how prominent that person is, as a factor."""

    form: NameForm
    person: int
    prominence: float


def short_forms(
    names: Sequence[Listed], shares: NameList, costs: Mapping[str, float]
) -> dict[int, float]:
    """Return the probability of each name with a unique short form, by its place."""
    forms = {}
    for place, name in enumerate(names):
        short = short_form(name.form)
        same = [other for other in names if short and short_form(other.form) == short]
        if short and len({other.person for other in same}) == 1 and same[0] is name:
            forms[place] = _probability(name, names, shares, costs)
    return forms


def short_form(form: NameForm) -> tuple[Words, str] | None:
    initials = "".join(word[0] for word in form.given)
    if form.is_ordered and initials and all("a" <= letter <= "z" for letter in initials):
        return form.surname, initials
    return None


def _probability(
    name: Listed, names: Sequence[Listed], shares: NameList, costs: Mapping[str, float]
) -> float:
    short = short_form(name.form)
    assert short is not None
    surname, initials = short
    classes = _classes(name.form.given)
    evidence = 1.0
    for word in surname:
        evidence *= costs["same"] / shares.surname_share(word)
    others = shares.unlisted
    given: set[tuple[int, Words, str]] = set()  # a person's further spellings count once
    for count, letter in enumerate(initials, 1):
        evidence /= shares.given_share(letter)
        for other in names:
            form = short_form(other.form)
            if form is not None:
                key = (count, *form, other.person)
                if key in given:
                    continue
                given.add(key)
            if count == len(initials):
                others += evidence * sum(
                    weight
                    for written, classed, weight, _ in ways(other, costs)
                    if (written, classed) == (surname, classes)
                )
            else:
                added = costs["given_added"] ** (len(initials) - count)
                others += (
                    evidence
                    * added
                    * sum(
                        weight
                        for written, classed, weight, is_whole in ways(other, costs)
                        if is_whole and (written, classed) == (surname, classes[:count])
                    )
                )
    return evidence * name.prominence * _given_cost(name.form.given, costs) / others


def ways(name: Listed, costs: Mapping[str, float]) -> Iterator[tuple[Words, str, float, bool]]:
    """Yield the short forms of a name: surname, initials, weight, whether it is the whole name."""
    words = name.form.surname
    readings = [(name.form.surname, name.form.given, 1.0)]
    if not name.form.is_ordered:
        places = [size for size in (-1, 1, -2, 2) if len(words) > abs(size)]
        readings = [
            (words[size:], words[:size], costs["no_order"])
            if size < 0
            else (words[:size], words[size:], costs["no_order"])
            for size in places
        ]
    for surname, given, cost in readings:
        plain = 0  # given names before the first whose initial is not from A to Z
        while plain < len(given) and "a" <= given[plain][:1] <= "z":
            plain += 1
        if name.form.is_ordered and plain < len(given):
            continue
        for written, surname_cost in _shorter(surname, costs):
            for count in range(1, plain + 1):
                weight = name.prominence * cost * surname_cost
                weight *= _given_cost(given[:count], costs)
                weight *= costs["given_left_out"] ** (len(given) - count)
                is_whole = written == surname and surname_cost == 1 and count == len(given)
                yield written, _classes(given[:count]), weight, is_whole


def _shorter(surname: Words, costs: Mapping[str, float]) -> Iterator[tuple[Words, float]]:
    """Yield a surname and its short forms: without particles, last words, all but the last."""
    yield surname, 1.0
    core = [word for word in surname if word not in PARTICLES]
    if not core or len(surname) == 1:
        return
    left_out, particle = costs["surname_left_out"], costs["particle"]
    particles = len(surname) - len(core)
    seen: list[str] = []
    for place, word in enumerate(surname, 1):
        if word in PARTICLES:
            continue
        seen.append(word)
        cost = left_out ** (len(core) - len(seen))
        kept = place - len(seen)
        if len(seen) < len(core):
            yield surname[:place], cost * particle ** (particles - kept)
        if kept:
            yield tuple(seen), cost * particle**particles
    if len(core) > 1:
        cost = costs["first_surname_left_out"] * left_out ** (len(core) - 2)
        yield (core[-1],), cost * particle**particles


def _given_cost(given: Words, costs: Mapping[str, float]) -> float:
    cost = 1.0
    for word in given:
        cost *= costs["same"] if len(word) == 1 else costs["initial"]
    return cost


def _classes(given: Words) -> str:
    return "".join(initial_class(word) for word in given)
