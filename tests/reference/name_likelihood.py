"""The evidence that a name as written means a listed person: slow reference of the kernel.

The weights are those of ocgdedup.matching.names.likelihood.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, prod
from typing import NamedTuple

from ocgdedup.matching.names.likelihood import WEIGHTS as W
from ocgdedup.matching.names.likelihood import NameDifference
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.name_words import PARTICLES
from ocgdedup.model import NameForm
from tests.reference.given_names import level as given_level
from tests.reference.name_skeleton import skeleton
from tests.reference.syllabic_names import SyllabicName, syllabic_name


class Ratio(NamedTuple):
    """Evidence (natural logarithm of a probability ratio) and the kind of match."""

    value: float
    kind: NameDifference


class Level(NamedTuple):
    """A comparison level; `rarest`: the least frequency that counts, None: no adjustment."""

    cost: float
    kind: NameDifference
    rarest: float | None = 0.0

    def evidence(self, share: float) -> Ratio:
        if self.rarest is None:
            return Ratio(self.cost, self.kind)
        return Ratio(self.cost - log(max(share, self.rarest)), self.kind)


_SLIPS = {
    (1, False): W.slip,
    (2, False): W.two_slips,
    (3, False): W.three_slips,
    (1, True): W.sounding_slip,
    (2, True): W.two_sounding_slips,
    (3, True): W.three_sounding_slips,
}
_SAME_WORD = Level(W.same, NameDifference.SAME)
_SAME_SYLLABLES = Level(W.same_syllables, NameDifference.VARIANT)
_SAME_SKELETON = Level(W.same_skeleton, NameDifference.SOUND)
_GIVEN_LEVELS = {
    "SAME": _SAME_WORD,
    "SPELLING": Level(W.given_spelling, NameDifference.SOUND),
    "INITIAL": Level(W.given_beginning, NameDifference.VARIANT, W.rarest_given),
    "COGNATE": Level(W.given_cognate, NameDifference.VARIANT, W.rarest_given),
    "CLOSE": Level(W.given_slip, NameDifference.SIMILAR, W.rarest_given),
    "CUT": Level(W.cut_to_a_name, NameDifference.VARIANT, W.rarest_given),
    "CUT_TO_ANOTHER": Level(W.cut_to_another_name, NameDifference.VARIANT, W.rarest_given),
    "INITIAL_FOR_FULL": Level(W.initial, NameDifference.VARIANT),
    "FULL_FOR_INITIAL": Level(W.full_for_initial, NameDifference.VARIANT, None),
}
SAME_LETTERS = Ratio(W.joined, NameDifference.VARIANT)
KOREAN_SPELLING = Ratio(W.korean_spelling, NameDifference.SOUND)
_IMPOSSIBLE = Ratio(-1e9, NameDifference.SIMILAR)


class Likelihood:
    """Compares parsed names, weighted by how common each word is in a list."""

    def __init__(
        self, names: NameList, near: Callable[[str], Mapping[str, tuple[int, bool]]]
    ) -> None:
        self._names = names
        self._near = near

    def of(self, written: NameForm, listed: NameForm, whole: Ratio | None = None) -> Ratio:
        """Return the evidence that `written` is the name of the person listed as `listed`.

        `whole`: evidence that the names match as a whole although their words differ.
        """
        best = _IMPOSSIBLE
        listed_readings = _plausible(usual_readings(listed))
        for surname, given, cost, kind in _plausible(readings(written, listed)):
            for other_surname, other_given, other_cost, other_kind in listed_readings:
                ratio = self._reading(surname, given, other_surname, other_given)
                value = ratio.value + cost + other_cost
                if value > best.value:
                    best = Ratio(value, max(ratio.kind, kind, other_kind))
        if whole is not None:
            value = whole.value - log(max(map(self._share_of_words, (written, listed))))
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
        syllables = syllabic_name(surname, given)
        others = syllabic_name(other_surname, other_given) if syllables else None
        if syllables and others:
            second = self._compare_syllables(syllables, others, given, other_given)
        else:
            second = self._compare_given(given, other_given)
        if second is _IMPOSSIBLE:
            return second
        ratio = self._compare_surnames(surname, other_surname)
        return Ratio(ratio.value + second.value, max(ratio.kind, second.kind))

    def _compare_surnames(self, written: tuple[str, ...], listed: tuple[str, ...]) -> Ratio:
        if written == listed:
            value = sum(W.same - log(self._names.surname_share(word)) for word in written)
            return Ratio(value, NameDifference.SAME)
        value, kind, pairs = _align(written, listed, self._surname_word)
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
            listed, left, first=W.first_surname_left_out, other=W.surname_left_out
        )
        value += _surnames_missing(
            written, added, first=W.first_surname_added, other=W.surname_added
        )
        if _has_core(written, added) and _has_core(listed, left):
            value += W.surname_conflict
        joined = self._joined_surnames(written, listed)
        if joined.value > value:
            return joined
        return Ratio(value, max(kind, NameDifference.VARIANT))

    def _joined_surnames(self, written: tuple[str, ...], listed: tuple[str, ...]) -> Ratio:
        if "".join(written) != "".join(listed):
            return _IMPOSSIBLE
        value = W.joined - sum(log(self._names.surname_share(word)) for word in listed)
        return Ratio(value, NameDifference.VARIANT)

    def _surname_word(self, written: str, listed: str) -> Ratio | None:
        if written == listed:
            level = _SAME_WORD
        elif len(written) < 3 or len(listed) < 3:
            return None
        elif skeleton(written) == skeleton(listed):
            level = _SAME_SKELETON
        else:
            nearness = self._near(written).get(listed)
            if nearness is None:
                return None
            cost = _SLIPS[nearness] + (W.slip_in_first_letter if written[0] != listed[0] else 0.0)
            level = Level(cost, NameDifference.SIMILAR, W.rarest_surname)
        return level.evidence(self._names.surname_share(written))

    def _compare_given(self, written: tuple[str, ...], listed: tuple[str, ...]) -> Ratio:
        if written == listed:
            value = sum(W.same - log(self._names.given_share(word)) for word in written)
            return Ratio(value, NameDifference.SAME)
        if not written or not listed:
            return Ratio(W.no_given, NameDifference.VARIANT)
        if "".join(written) == "".join(listed):
            value = W.joined - sum(log(self._names.given_share(word)) for word in listed)
            return Ratio(value, NameDifference.VARIANT)
        if len(written) == len(listed) == 1:
            return self._given_word(written[0], listed[0]) or _IMPOSSIBLE
        value, kind, pairs = _align(written, listed, self._given_word)
        if not pairs:
            return _IMPOSSIBLE
        added, left = len(written) - len(pairs), len(listed) - len(pairs)
        value += added * W.given_added + left * W.given_left_out
        if added and left:
            value += W.given_conflict
        if pairs.get(0) != 0:
            value += W.first_given_skipped
        order = list(pairs.values())
        if order != sorted(order):
            value += W.given_out_of_order
        return Ratio(value, max(kind, NameDifference.VARIANT) if added or left else kind)

    def _compare_syllables(
        self,
        written: SyllabicName,
        listed: SyllabicName,
        words: tuple[str, ...],
        listed_words: tuple[str, ...],
    ) -> Ratio:
        """Compare Chinese or Korean given names; `words`: all words of the written one."""
        if written.letters != listed.letters:
            return _IMPOSSIBLE  # one letter makes another syllable
        if written.others and listed.others:
            return self._compare_given(words, listed_words)
        level = _SAME_WORD if words == listed_words else _SAME_SYLLABLES
        ratio = level.evidence(self._share_of_syllables(written.letters, words, listed_words))
        others = written.others * W.given_added + listed.others * W.given_left_out
        if written.is_first != listed.is_first:
            others += W.first_given_skipped
        return Ratio(ratio.value + others, ratio.kind)

    def _share_of_words(self, name: NameForm) -> float:
        """Return the share of a name, whichever of its words is the surname."""
        given, surname = self._names.given_share, self._names.surname_share
        return prod(max(given(word), surname(word)) for word in name.words)

    def _share_of_syllables(self, letters: str, *spellings: tuple[str, ...]) -> float:
        """Return the share of a name in all its spellings: its syllables are not independent."""
        shares = self._names.given_share
        return max(shares(letters), *(prod(map(shares, words)) for words in spellings))

    def _given_word(self, written: str, listed: str) -> Ratio | None:
        level = _given_level(written, listed)
        return None if level is None else level.evidence(self._names.given_share(written))


def _given_level(written: str, listed: str) -> Level | None:
    how = given_level(written, listed)
    return _GIVEN_LEVELS[how] if how else None


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
            cost += W.surname_initial
    return cost


def _surnames_missing(
    words: tuple[str, ...], missing: list[int], *, first: float, other: float
) -> float:
    """Weigh words that the other name lacks; `first`: cost of the first one except particles."""
    value, has_core = 0.0, False
    for index, word in enumerate(words):
        is_particle = word in PARTICLES
        if index in missing:
            value += W.particle if is_particle else other if has_core else first
        has_core |= not is_particle
    return value


Reading = tuple[tuple[str, ...], tuple[str, ...], float, NameDifference]


def _plausible(readings: list[Reading]) -> list[Reading]:
    """Return the readings as a Chinese or Korean name if there are some, else all."""
    return [reading for reading in readings if syllabic_name(*reading[:2])] or readings


def readings(form: NameForm, listed: NameForm) -> list[Reading]:
    """Return the possible surnames and given names of a name as written.

    Swapped or misplaced words are considered only if the listed name has a word in that place.
    """
    surname, given = form.surname, form.given
    readings = usual_readings(form)
    if not form.is_ordered:
        return readings
    misplaced = []
    if any(word in listed.surname for word in given):
        readings.append((given, surname, W.turned, NameDifference.TURNED))
        if len(given) > 1 and given[0] in listed.surname:
            misplaced.append((surname + given[:1], given[1:]))
    if len(surname) > 1 and surname[0] in listed.given:
        misplaced.append((surname[1:], surname[:1] + given))
        misplaced.append((surname[1:], given + surname[:1]))
    return readings + [(*names, W.comma_misplaced, NameDifference.VARIANT) for names in misplaced]


def usual_readings(form: NameForm) -> list[Reading]:
    """Return the name as written, or without a comma one or two surnames, first or last."""
    words = form.surname
    if form.is_ordered or len(words) == 1:
        return [(words, form.given, 0.0, NameDifference.SAME)]
    orders = [(words[-1:], words[:-1]), (words[:1], words[1:])]
    if len(words) > 2:
        orders += [(words[-2:], words[:-2]), (words[:2], words[2:])]
    return [(*names, W.no_order, NameDifference.TURNED) for names in orders]


def _generations(written: NameForm, listed: NameForm) -> float:
    """Weigh the marks of father and son, and a year that only the listed name has."""
    if listed.birth_year and not written.birth_year:
        return W.year_unsaid
    if written.generation == listed.generation:
        return 0.0
    if written.generation and listed.generation:
        return W.other_generation
    return W.generation_unsaid
