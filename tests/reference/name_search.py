"""Names looked up in a list by plain loops: slow reference of the kernel."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from ocgdedup._kernels.names import beginnings
from ocgdedup.matching.names.letters import initial_class
from ocgdedup.matching.names.likelihood import WEIGHTS, country_evidence
from ocgdedup.matching.names.name_form import is_full
from ocgdedup.matching.names.name_list import NameList, core_words
from ocgdedup.model import NameForm
from tests.reference.given_names import level
from tests.reference.name_distance import near_words
from tests.reference.name_likelihood import (
    KOREAN_SPELLING,
    SAME_LETTERS,
    Likelihood,
    Ratio,
    readings,
    usual_readings,
)
from tests.reference.name_skeleton import skeleton
from tests.reference.prominence import prominence

Bits = tuple[frozenset[str], frozenset[str]]


class SlowSearch:
    """Looks names up in a list that is not compared with itself; `codes`: of all words."""

    def __init__(self, names: NameList, codes: dict[str, set[int]]) -> None:
        self.names = names
        self.forms = [names.forms[number] for number in range(len(names.forms))]
        self._codes = codes
        self._bearers: defaultdict[str, list[int]] = defaultdict(list)
        for number, form in enumerate(self.forms):
            for word in dict.fromkeys(form.surname):
                self._bearers[word].append(number)
        self._words = sorted(word for word in self._bearers if len(word) >= 4)
        self._likelihood = Likelihood(names, self.near)

    def near(self, word: str) -> dict[str, tuple[int, bool]]:
        if len(word) < 4:
            return {}
        limit = 1 if len(word) < 5 else 2 if len(word) < 9 else 3
        encoded = [word.encode() for word in self._words]
        codes = [self._codes[word] for word in self._words]
        near = {
            self._words[number]: (edits, sounds)
            for number, edits, sounds in near_words(
                encoded, codes, word.encode(), self._codes[word], limit
            )
            if edits == 1 or sounds or (edits == 2 and len(word) > 6)
        }
        for like in self._words:
            if like != word and skeleton(like) == skeleton(word):
                near[like] = 0, True
        return near

    def candidates(self, form: NameForm) -> list[int]:
        letters = "".join(form.words)
        same = {n for n, listed in enumerate(self.forms) if letters in _letters_of(listed)}
        initials = _initials(form.given[:1], form.given) if form.given else None
        is_listed = is_full(form) and any(_is_same_name(form, self.forms[n]) for n in same)
        if not is_listed:
            same.update(self.names.with_korean_key(form))
        by_word: list[set[int]] = []
        words = core_words(form.surname)
        for index, word in enumerate(words):
            if not form.is_ordered and len(words) > 1:
                others = (*words[:index], *words[index + 1 :])
                initials = _initials(others, others)
            near = [] if is_listed else self.near(word)
            by_word.append({n for like in (word, *near) for n in self._equal(like, initials)})
        entries = same | self._most_probable(form, by_word)
        if form.is_ordered:
            for word in form.given:
                if len(word) > 2:
                    entries |= self._equal(word, _initials(form.surname, form.surname))
        return sorted(entries)

    def _equal(self, word: str, initials: Bits | None) -> set[int]:
        bearers = self._bearers.get(word, [])
        if initials is None or len(bearers) <= 8:
            return set(bearers)
        is_wide = len(bearers) <= 100
        return {
            number
            for number in bearers
            if _initials(*[_given_part(self.forms[number])] * 2)[is_wide] & initials[is_wide]
        }

    def _most_probable(self, form: NameForm, by_word: Sequence[set[int]]) -> set[int]:
        entries = set[int]().union(*by_word)
        if len(entries) <= 100:
            return entries
        if form.is_ordered and len(by_word) > 1:
            counted = Counter(number for matches in by_word for number in matches)
            entries = {number for number, count in counted.items() if count > 1} or entries
        is_surname_only = not form.given if form.is_ordered else len(form.surname) == 1
        if (is_surname_only or not is_full(form)) and len(entries) > 100:
            persons, person_of = self.names.persons, self.names.person_of
            return set(
                sorted(entries, key=lambda n: (-(persons[person_of[n]].rating or 0), n))[:100]
            )
        return entries

    def weigh(self, form: NameForm) -> dict[int, tuple[float, float, int]]:
        """Return evidence, prominence and kind of each person."""
        letters = "".join(form.words)
        koreans = self.names.with_korean_key(form)
        weighed: dict[int, tuple[float, float, int]] = {}
        for number in self.candidates(form):
            listed = self.forms[number]
            whole = SAME_LETTERS if letters in _letters_of(listed) else None
            if whole is None and number in koreans:
                whole = KOREAN_SPELLING
            if whole is None and not self._may_mean(form, listed):
                continue
            ratio = self._likelihood.of(form, listed, whole)
            if ratio.value >= WEIGHTS.least_evidence:
                self._add(weighed, form, number, ratio)
        return weighed

    def _add(
        self, weighed: dict[int, tuple[float, float, int]], form: NameForm, entry: int, ratio: Ratio
    ) -> None:
        number = self.names.person_of[entry]
        person = self.names.persons[number]
        evidence = ratio.value + country_evidence(form.country, person.country)
        if form.birth_year and person.birth_year:
            apart = abs(form.birth_year - person.birth_year)
            born = WEIGHTS.next_birth_year if apart == 1 else WEIGHTS.other_birth_year
            evidence += WEIGHTS.same_birth_year if apart == 0 else born
        if form.number:
            is_same = form.number == self.forms[entry].number
            evidence += WEIGHTS.same_number if is_same else WEIGHTS.numbered
        if number not in weighed or evidence > weighed[number][0]:
            weighed[number] = evidence, prominence(person), int(ratio.kind)

    def _may_mean(self, form: NameForm, listed: NameForm) -> bool:
        return any(
            self._surnames_fit(surname, other_surname) and _given_names_fit(given, other_given)
            for surname, given, *_ in readings(form, listed)
            for other_surname, other_given, *_ in usual_readings(listed)
        )

    def _surnames_fit(self, surname: Iterable[str], listed: Iterable[str]) -> bool:
        return "".join(surname) == "".join(listed) or any(
            word == other
            or (
                min(len(word), len(other)) > 2
                and (skeleton(word) == skeleton(other) or other in self.near(word))
            )
            for word in surname
            for other in listed
        )


def _given_names_fit(given: Sequence[str], listed: Sequence[str]) -> bool:
    if not given or not listed or "".join(given) == "".join(listed):
        return True
    return any(level(word, other) for word in given for other in listed)


def _letters_of(form: NameForm) -> set[str]:
    return {"".join(form.words), "".join(form.given + form.surname)}


def _given_part(form: NameForm) -> tuple[str, ...]:
    return form.given or form.surname


def _initials(first: Sequence[str], words: Sequence[str]) -> Bits:
    """Return the classes of the initials of `first`, and the possible sounds for `words`."""
    sounds = frozenset(letter for word in words for letter in beginnings(word))
    return frozenset(map(initial_class, first)), sounds


def _is_same_name(form: NameForm, listed: NameForm) -> bool:
    if form[3:] != listed[3:]:
        return False
    if not form.is_ordered:
        return True
    return listed.is_ordered and "".join(form.surname) == "".join(listed.surname)
