"""Evidence that a name as written means a listed person. Owns all weights of names.

The model is that of Fellegi and Sunter ("A theory for record linkage", JASA 64, 1969). For each
part of a name, it divides the probability of this spelling if the person is meant by the
probability that anybody has such a name. The evidence is the sum of the natural logarithms. A rare
surname counts more than a common one, and a typing error costs more than an initial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from ocgdedup._kernels.names import GIVEN_LEVELS
from ocgdedup.matching.names.given_names import given_names
from ocgdedup.matching.names.letters import skeleton
from ocgdedup.matching.names.name_list import Fits, NameList
from ocgdedup.matching.names.name_words import PARTICLES, SUCCESSORS
from ocgdedup.model import NameForm


class NameDifference(IntEnum):
    """The largest difference between two names that match, in ascending order of cost."""

    SAME = 0
    TURNED = 1
    VARIANT = 2  # initials, missing or additional names, particles, spacing
    SOUND = 3  # another spelling of the same sounds
    SIMILAR = 4  # a typing error


class Ratio(NamedTuple):
    """Evidence (natural logarithm of a probability ratio) and the kind of match."""

    value: float
    kind: NameDifference


class Level(NamedTuple):
    """A comparison level: how similar a written word is to a listed one.

    `cost`: logarithm of the probability that the word is written so if the person is meant. It is
    adjusted for the term frequency, as in splink: a rare word is stronger evidence. `rarest`: the
    least frequency that counts, since a typing error makes any word rare; None: no adjustment.
    """

    cost: float
    kind: NameDifference
    rarest: float | None = 0.0

    def evidence(self, share: float) -> Ratio:
        """Return the evidence of this level; `share`: the word's share of all names."""
        if self.rarest is None:
            return Ratio(self.cost, self.kind)
        return Ratio(self.cost - log(max(share, self.rarest)), self.kind)


# Probabilities of a spelling if the person is meant. Set by hand on one half of 26,000 labelled
# spellings, tested on the other half.
_SAME = log(0.85)
_INITIAL = log(0.3)
_SLIP = {1: log(3e-4), 2: log(2e-5), 3: log(1e-6)}  # by the number of edits
_SLIP_THAT_SOUNDS_ALIKE = {1: log(1e-3), 2: log(1e-4), 3: log(1e-5)}
_SLIP_IN_FIRST_LETTER = log(0.2)
_JOINED = log(0.1)

# Least shares of a word that is not the listed one, in given names and in surnames.
_RAREST_GIVEN = 1e-4
_RAREST_SURNAME = 1e-4 * exp(-4)

# The levels of surnames, of given names with two letters or more, and of initials.
_SAME_WORD = Level(_SAME, NameDifference.SAME)
_SAME_SKELETON = Level(log(0.05), NameDifference.SOUND)
_SURNAME_SLIPS = {
    (edits, sounds, is_first): Level(
        cost + (_SLIP_IN_FIRST_LETTER if is_first else 0.0), NameDifference.SIMILAR, _RAREST_SURNAME
    )
    for sounds, costs in ((False, _SLIP), (True, _SLIP_THAT_SOUNDS_ALIKE))
    for edits, cost in costs.items()
    for is_first in (False, True)
}
_LEVELS_BY_NAME = {
    "SAME": _SAME_WORD,
    "SPELLING": Level(log(0.1), NameDifference.SOUND),
    "BEGINNING": Level(log(0.02), NameDifference.VARIANT, _RAREST_GIVEN),
    "COGNATE": Level(log(3e-3), NameDifference.VARIANT, _RAREST_GIVEN),
    "SLIP": Level(_SLIP[1], NameDifference.SIMILAR, _RAREST_GIVEN),
    "CUT": Level(log(3e-3), NameDifference.VARIANT, _RAREST_GIVEN),
    "CUT_TO_ANOTHER": Level(log(3e-4), NameDifference.VARIANT, _RAREST_GIVEN),
    "INITIAL_FOR_FULL": Level(_INITIAL, NameDifference.VARIANT),
    "FULL_FOR_INITIAL": Level(log(0.25), NameDifference.VARIANT, None),
}
_GIVEN_LEVELS = {number: _LEVELS_BY_NAME[name] for name, number in GIVEN_LEVELS.items()}

_SURNAME_LEFT_OUT = log(0.12)
_FIRST_SURNAME_LEFT_OUT = log(0.01)
_SURNAME_ADDED = log(0.04)
_FIRST_SURNAME_ADDED = log(0.004)
_SURNAME_INITIAL = log(0.1)
_PARTICLE = log(0.7)
_SURNAME_CONFLICT = log(1e-4)

_NO_GIVEN = log(0.02)
_GIVEN_LEFT_OUT = log(0.17)
_GIVEN_ADDED = log(0.1)
_FIRST_GIVEN_SKIPPED = log(0.03)
_GIVEN_OUT_OF_ORDER = log(0.1)
_GIVEN_CONFLICT = -20.0  # Tigran V. and Tigran L.

_TURNED = log(0.01)
_NO_ORDER = log(0.3)
_COMMA_MISPLACED = log(3e-3)

_SAME_COUNTRY = 3.0
_OTHER_COUNTRY = -2.3
_SAME_BIRTH_YEAR = 4.0
_NEXT_BIRTH_YEAR = 1.0
_OTHER_BIRTH_YEAR = -9.0
_GENERATION_UNSAID = -5.0
_YEAR_UNSAID = log(0.3)
_OTHER_GENERATION = -20.0
NUMBERED = log(0.3)
SAME_NUMBER = log(2)

# Costs of writing a name as surname and initials, as factors, for short_forms.py.
SHORT_FORM_COSTS = {
    name: exp(cost)
    for name, cost in {
        "same": _SAME,
        "initial": _INITIAL,
        "given_left_out": _GIVEN_LEFT_OUT,
        "given_added": _GIVEN_ADDED,
        "surname_left_out": _SURNAME_LEFT_OUT,
        "first_surname_left_out": _FIRST_SURNAME_LEFT_OUT,
        "particle": _PARTICLE,
        "no_order": _NO_ORDER,
    }.items()
}

# The same letters with other spaces ("Ding, Li Ren"); another romanisation of Korean.
SAME_LETTERS = Ratio(_JOINED, NameDifference.VARIANT)
KOREAN_SPELLING = Ratio(log(0.02), NameDifference.SOUND)

_IMPOSSIBLE = Ratio(-1e9, NameDifference.SIMILAR)


class Likelihood:
    """Compares parsed names, weighted by how common each word is in a list."""

    def __init__(self, names: NameList) -> None:
        self._names = names
        self._surname = lru_cache(maxsize=1 << 15)(self._surname_word)
        self._given = lru_cache(maxsize=1 << 16)(self._given_word)
        self._surnames = lru_cache(maxsize=1 << 14)(self._compare_surnames)
        self._given_names = lru_cache(maxsize=1 << 15)(self._compare_given)

        # If given names do not fit by these functions, of() finds them impossible too.
        # The level is not cached: most pairs do not fit and occur only once.
        self.fits: Fits = (
            given_names().first_letters, lambda *words: given_names().level(*words) != 0,
        )  # fmt: skip

    def of(self, written: NameForm, listed: NameForm, whole: Ratio | None = None) -> Ratio:
        """Return the evidence that `written` is the name of the person listed as `listed`.

        `whole`: evidence that the names match as a whole although their words differ.
        """
        if whole is None and written.is_ordered and listed.is_ordered:
            is_plain = not _has_other_readings(written, listed)
            if is_plain and self._given_names(written.given, listed.given) is _IMPOSSIBLE:
                return _IMPOSSIBLE  # a cheap test that rejects most candidates
        best = _IMPOSSIBLE
        listed_readings = _usual_readings(listed)
        for surname, given, cost, kind in _readings(written, listed):
            for other_surname, other_given, other_cost, other_kind in listed_readings:
                ratio = self._reading(surname, given, other_surname, other_given)
                value = ratio.value + cost + other_cost
                if value > best.value:
                    best = Ratio(value, max(ratio.kind, kind, other_kind))
        if whole is not None:
            value = whole.value - sum(
                log(max(self._names.given_share(word), self._names.surname_share(word)))
                for word in listed.words
            )
            best = Ratio(value, whole.kind) if value > best.value else best
        if written.generation == listed.generation and not listed.birth_year:
            return best
        return Ratio(best.value + _generations(written, listed), best.kind)

    def _reading(
        self,
        surname: tuple[str, ...],
        given: tuple[str, ...],
        other_surname: tuple[str, ...],
        other_given: tuple[str, ...],
    ) -> Ratio:
        # Given names first: they are cached, and they reject most candidates.
        second = self._given_names(given, other_given)
        if second is _IMPOSSIBLE:
            return second
        ratio = self._surnames(surname, other_surname)
        return Ratio(ratio.value + second.value, max(ratio.kind, second.kind))

    def _compare_surnames(self, written: tuple[str, ...], listed: tuple[str, ...]) -> Ratio:
        if written == listed:
            value = sum(_SAME - log(self._names.surname_share(word)) for word in written)
            return Ratio(value, NameDifference.SAME)
        value, kind, pairs = _align(written, listed, self._surname)
        core = [i for i, word in enumerate(written) if word not in PARTICLES] or range(len(written))
        if not any(i in pairs for i in core):
            return self._joined_surnames(written, listed)
        matched = set(pairs.values())
        added = [i for i in range(len(written)) if i not in pairs]
        left = [j for j in range(len(listed)) if j not in matched]
        if not added and not left:
            return Ratio(value, kind)
        value += _surname_initials(written, listed, added, left)
        value += _surnames_missing(
            listed, left, first=_FIRST_SURNAME_LEFT_OUT, other=_SURNAME_LEFT_OUT
        )
        value += _surnames_missing(written, added, first=_FIRST_SURNAME_ADDED, other=_SURNAME_ADDED)
        if _has_core(written, added) and _has_core(listed, left):
            value += _SURNAME_CONFLICT
        joined = self._joined_surnames(written, listed)
        if joined.value > value:
            return joined
        return Ratio(value, max(kind, NameDifference.VARIANT))

    def _joined_surnames(self, written: tuple[str, ...], listed: tuple[str, ...]) -> Ratio:
        if "".join(written) != "".join(listed):
            return _IMPOSSIBLE
        value = _JOINED - sum(log(self._names.surname_share(word)) for word in listed)
        return Ratio(value, NameDifference.VARIANT)

    def _surname_word(self, written: str, listed: str) -> Ratio | None:
        if written == listed:
            level = _SAME_WORD
        elif len(written) < 3 or len(listed) < 3:
            return None
        elif skeleton(written) == skeleton(listed):
            level = _SAME_SKELETON
        else:
            nearness = self._names.near(written).get(listed)
            if nearness is None:
                return None
            level = _SURNAME_SLIPS[*nearness, written[0] != listed[0]]
        return level.evidence(self._names.surname_share(written))

    def _compare_given(self, written: tuple[str, ...], listed: tuple[str, ...]) -> Ratio:
        if written == listed:
            value = sum(_SAME - log(self._names.given_share(word)) for word in written)
            return Ratio(value, NameDifference.SAME)
        if not written or not listed:
            return Ratio(_NO_GIVEN, NameDifference.VARIANT)
        if "".join(written) == "".join(listed):
            value = _JOINED - sum(log(self._names.given_share(word)) for word in listed)
            return Ratio(value, NameDifference.VARIANT)
        if len(written) == len(listed) == 1:
            return self._given(written[0], listed[0]) or _IMPOSSIBLE
        value, kind, pairs = _align(written, listed, self._given)
        if not pairs:
            return _IMPOSSIBLE
        added, left = len(written) - len(pairs), len(listed) - len(pairs)
        value += added * _GIVEN_ADDED + left * _GIVEN_LEFT_OUT
        if added and left:
            value += _GIVEN_CONFLICT
        if pairs.get(0) != 0:
            value += _FIRST_GIVEN_SKIPPED
        order = list(pairs.values())
        if order != sorted(order):
            value += _GIVEN_OUT_OF_ORDER
        return Ratio(value, max(kind, NameDifference.VARIANT) if added or left else kind)

    def _given_word(self, written: str, listed: str) -> Ratio | None:
        level = _GIVEN_LEVELS.get(given_names().level(written, listed))
        return None if level is None else level.evidence(self._names.given_share(written))


def _align(
    written: tuple[str, ...], listed: tuple[str, ...], compare: Callable[[str, str], Ratio | None]
) -> tuple[float, NameDifference, dict[int, int]]:
    """Pair each written word with the best listed word; return value, kind, pairs."""
    value, kind = 0.0, NameDifference.SAME
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for i, word in enumerate(written):
        best, match = None, -1
        for j, other in enumerate(listed):
            if j in taken:
                continue
            ratio = compare(word, other)
            if ratio is not None and (best is None or ratio.value > best.value):
                best, match = ratio, j
        if best is not None:
            taken.add(match)
            pairs[i] = match
            value += best.value
            kind = max(kind, best.kind)
    return value, kind, pairs


def _has_core(words: Sequence[str], indexes: Sequence[int]) -> bool:
    return any(words[i] not in PARTICLES for i in indexes)


def _surname_initials(
    written: tuple[str, ...], listed: tuple[str, ...], added: list[int], left: list[int]
) -> float:
    """Pair single letters with remaining surnames ("Santamaria V, Miguel"), and remove both."""
    cost = 0.0
    for i in list(added):
        match = next((j for j in left if listed[j][0] == written[i]), None)
        if len(written[i]) == 1 and match is not None:
            added.remove(i)
            left.remove(match)
            cost += _SURNAME_INITIAL + 2.5
    return cost


def _surnames_missing(
    words: tuple[str, ...], missing: list[int], *, first: float, other: float
) -> float:
    """Weigh words that the other name lacks; `first`: cost of the first one except particles."""
    value, has_core = 0.0, False
    for index, word in enumerate(words):
        is_particle = word in PARTICLES
        if index in missing:
            value += _PARTICLE if is_particle else other if has_core else first
        has_core |= not is_particle
    return value


Reading = tuple[tuple[str, ...], tuple[str, ...], float, NameDifference]


def _has_other_readings(form: NameForm, listed: NameForm) -> bool:
    has_given_first = len(form.surname) > 1 and form.surname[0] in listed.given
    return has_given_first or any(word in listed.surname for word in form.given)


def _readings(form: NameForm, listed: NameForm) -> list[Reading]:
    """Return the possible surnames and given names of a name as written.

    Swapped or misplaced words are considered only if the listed name has a word in that place.
    """
    surname, given = form.surname, form.given
    readings = _usual_readings(form)
    if not form.is_ordered:
        return readings
    misplaced = []
    if any(word in listed.surname for word in given):
        readings.append((given, surname, _TURNED, NameDifference.TURNED))
        if len(given) > 1 and given[0] in listed.surname:
            misplaced.append((surname + given[:1], given[1:]))
    if len(surname) > 1 and surname[0] in listed.given:
        misplaced.append((surname[1:], surname[:1] + given))
        misplaced.append((surname[1:], given + surname[:1]))
    return readings + [(*names, _COMMA_MISPLACED, NameDifference.VARIANT) for names in misplaced]


def _usual_readings(form: NameForm) -> list[Reading]:
    """Return the name as written, or without a comma one or two surnames, first or last."""
    words = form.surname
    if form.is_ordered or len(words) == 1:
        return [(words, form.given, 0.0, NameDifference.SAME)]
    orders = [(words[-1:], words[:-1]), (words[:1], words[1:])]
    if len(words) > 2:
        orders += [(words[-2:], words[:-2]), (words[:2], words[2:])]
    return [(*names, _NO_ORDER, NameDifference.TURNED) for names in orders]


def _generations(written: NameForm, listed: NameForm) -> float:
    """Weigh the marks of father and son, and a year that only the listed name has."""
    if listed.birth_year and not written.birth_year:
        return _YEAR_UNSAID
    if written.generation == listed.generation:
        return 0.0
    if written.generation and listed.generation:
        return _OTHER_GENERATION
    return _GENERATION_UNSAID


def country_evidence(written: str, listed: str) -> float:
    """Return the evidence of two federation codes; players sometimes change federation."""
    if not written or not listed:
        return 0.0
    if written == listed or listed in SUCCESSORS.get(written, ()):
        return _SAME_COUNTRY
    return _OTHER_COUNTRY


def birth_evidence(written: int | None, listed: int | None) -> float:
    if written is None or listed is None:
        return 0.0
    if written == listed:
        return _SAME_BIRTH_YEAR
    return _NEXT_BIRTH_YEAR if abs(written - listed) == 1 else _OTHER_BIRTH_YEAR
