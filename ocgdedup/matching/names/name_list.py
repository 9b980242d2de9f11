"""An index of listed persons by the words, the letters and the sound of their names.

Finds the candidates for a name and counts how common each word is. resolve.py chooses among them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from string import ascii_lowercase
from typing import TypeVar

from ocgdedup._kernels.names import ListedNames, WordIndex
from ocgdedup.matching.names.hangul import korean_given_key, korean_surname_key, looks_korean
from ocgdedup.matching.names.letters import beginnings, initial_class, skeleton
from ocgdedup.matching.names.name_form import is_full, name_form, other_forms
from ocgdedup.matching.names.name_words import PARTICLES
from ocgdedup.model import NameForm, Person


class PersonTable:
    """Persons by number, in a quarter of the memory of Person records."""

    def __init__(self, persons: Iterable[Person] = ()) -> None:
        self._names: list[str] = []
        self._fide_ids = array("Q")
        self._years = array("H")  # birth, death; 0 unknown
        self._ratings = array("H")
        self._texts: list[tuple[str, str, str, bool]] = []
        self._by_fide_id: dict[int, int] | None = None
        self._shared: dict[tuple[str, str, str, bool], tuple[str, str, str, bool]] = {}
        for person in persons:
            self.append(person)

    def append(self, person: Person) -> None:
        self._by_fide_id = None
        self._names.append(person.name)
        self._fide_ids.append(person.fide_id or 0)
        self._years.append(person.birth_year or 0)
        self._years.append(person.death_year or 0)
        self._ratings.append(person.rating or 0)
        text = (person.title, person.country, person.sex, person.is_active)
        self._texts.append(self._shared.setdefault(text, text))

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: int) -> Person:
        title, country, sex, is_active = self._texts[number]
        return Person(
            self._names[number],
            self._fide_ids[number] or None,
            title,
            country,
            self._years[2 * number] or None,
            self._years[2 * number + 1] or None,
            self._ratings[number] or None,
            sex,
            is_active,
        )

    def name(self, number: int) -> str:
        return self._names[number]

    def rename(self, number: int, name: str) -> None:
        self._names[number] = name

    def fide_id(self, number: int) -> int | None:
        return self._fide_ids[number] or None

    def years(self, number: int) -> tuple[int, int]:
        """Return the years of birth and death of a person; 0 if unknown."""
        return self._years[2 * number], self._years[2 * number + 1]

    def rank(self, number: int) -> tuple[int, str, bool]:
        """Return rating (0: none), title and activity of a person."""
        title, _, _, is_active = self._texts[number]
        return self._ratings[number], title, is_active

    def __iter__(self) -> Iterator[Person]:
        return (self[number] for number in range(len(self)))

    def with_fide_ids(self) -> dict[int, int]:
        """Return the numbers of the persons with a FIDE ID, by ID; read-only."""
        if self._by_fide_id is None:
            numbered = enumerate(self._fide_ids)
            self._by_fide_id = {fide_id: number for number, fide_id in numbered if fide_id}
        return self._by_fide_id


def initials_of(words: Iterable[str]) -> int:
    """Return two bit sets: the classes of the first letters, and their possible sounds.

    The second set, shifted left by 32, is wider: Evgeny and Yevgeny, Sofia and Zsofia.
    """
    bits = 0
    for word in words:
        bits |= 1 << (ord(initial_class(word)) & 31)
        for letter in beginnings(word):
            bits |= 1 << (32 + (ord(letter) & 31))
    return bits


def core_words(words: Sequence[str]) -> Sequence[str]:
    """Return the words without particles; all words if there are only particles."""
    core = [word for word in words if word not in PARTICLES]
    return core or words


_Items = TypeVar("_Items", list[int], list[str], range)

# Computes the phonetic codes of each word, as phonetic.py does.
Encoder = Callable[[Sequence[str]], Sequence[bytes]]

# For given names: the possible first letters (bits from "a" on) of listed names for a written word,
# and whether a written word may mean a listed one.
Fits = tuple[Callable[[str], int], Callable[[str, str], bool]]

_LONGEST_WORD = 64  # in bytes; longer words have no near words,
_SHORTEST_NEAR = 4  # nor have words of fewer letters
_MOST_NEAR = 1 << 15  # size of the cache of near words
# Bounds: a key that more names share is no evidence, so only the nearest are compared. In FIDE's
# list up to 12 words share a skeleton, 145 are near one word, 2,097 persons share a surname, and a
# name has up to 1,152 candidates. Unlisted names of 400,000 games have up to 134.
_MOST_OF_SKELETON, _MOST_NEAR_WORDS, _MOST_BEARERS = 128, 256, 4096
_MOST_LISTED, _MOST_AMONG, _MOST_WEIGHED = 4096, 256, 64
_FEW_BEARERS = 8  # of a surname: all are candidates
_MANY_BEARERS = 100  # of a surname: only those with initials of the same class are candidates
_NARROW, _WIDE = 0xFFFFFFFF, 0xFFFFFFFF00000000
_ANY = 0xFFFFFFFFFFFFFFFF
_PERSONS_AT_ONCE = 4096
_NOTHING_ELSE = NameForm((), (), False)[3:]
# Only there names are read as Korean: elsewhere such similarities are common.
_KOREAN = frozenset(["KOR", "PRK", ""])


class Forms:
    """The parsed names of a list, by number, built on demand from the words in the kernel."""

    def __init__(self, words: ListedNames) -> None:
        self._words = words
        self._others: dict[int, NameForm] = {}  # forms with more than words

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, number: int) -> NameForm:
        form = self._others.get(number)
        return NameForm(*self._words.words_of(number)) if form is None else form

    def append(self, form: NameForm) -> int:
        """Add a form; return its number."""
        number = self._words.add(form.surname, form.given, form.is_ordered)
        if form[3:] != _NOTHING_ELSE:
            self._others[number] = form
        return number


class NameList:
    """The persons of a list, indexed by the words of their names."""

    def __init__(
        self,
        persons: Iterable[Person],
        encode: Encoder,
        *,
        shares: NameList | None = None,
        is_compared_with_itself: bool = False,
    ) -> None:
        """Index `persons`; `shares`: a larger list from which word frequencies are taken.

        `is_compared_with_itself`: the names to look up are those of the list, in sorted order.
        """
        self.is_compared_with_itself = is_compared_with_itself
        self._most = _MOST_AMONG if is_compared_with_itself else _MOST_LISTED
        self._encode = encode
        self._shares = shares or self
        self._near: dict[str, dict[str, tuple[int, bool]]] = {}
        self._word_index: WordIndex | None = None
        self._words: list[str] = []
        self._codes: list[bytes] = []
        self._other_codes: dict[str, bytes] = {}  # codes of words that are not in the list
        self._skeletons: defaultdict[str, list[str]] = defaultdict(list)
        self.persons = PersonTable()
        # Persons by the exact spellings that a file of the user gives to them alone
        self.given_spellings: dict[str, int] = {}
        # Each spelling of a person is an entry; its words, form and person have the same number.
        self._entries = ListedNames(lambda word: initials_of((word,)))
        self.forms = Forms(self._entries)
        self.person_of = array("I")
        self._by_korean_key: dict[tuple[str, str], list[int]] = {}
        self._initials: Counter[str] | None = None
        remaining = iter(persons)
        while batch := list(islice(remaining, _PERSONS_AT_ONCE)):
            self._add_persons(batch)

    @property
    def unlisted(self) -> float:
        """Return an estimate of the number of unlisted players, from the size of the list."""
        return float(min(max(len(self._shares.persons) / 20, _LEAST_UNLISTED), _MOST_UNLISTED))

    def _add_persons(self, persons: Sequence[Person]) -> None:
        names = [person.name for person in persons]
        start = 0
        while start < len(persons):
            end = self._entries.add_plain(names, start)
            for person in persons[start:end]:
                entry = len(self.person_of)
                if person.country in _KOREAN:
                    self._note_korean(entry, self.forms[entry])
                self.person_of.append(len(self.persons))
                self.persons.append(person)
            if end < len(persons):
                self.add_person(persons[end])
            start = end + 1
        self._forget()

    def add_person(self, person: Person) -> int:
        """Add a person; return the person's number."""
        number = len(self.persons)
        self.persons.append(person)
        form = name_form(person.name)
        if person.country in _KOREAN:
            self._note_korean(len(self.forms), form)
        self._entries.count(self._add(number, form))
        if not person.name.isascii():
            for other in other_forms(person.name):
                self._add(number, other)
        return number

    def _note_korean(self, entry: int, form: NameForm) -> None:
        key = korean_key(form)
        if key is not None:
            self._by_korean_key.setdefault(key, []).append(entry)

    def add_spelling(self, person: int, spelling: str) -> None:
        form = name_form(spelling)
        if form.surname:
            self._add(person, form)

    def _add(self, person: int, form: NameForm) -> int:
        self.person_of.append(person)
        self._forget()
        return self.forms.append(form)

    def _forget(self) -> None:
        """Drop the results that depend on all words, since there may be new words."""
        self._initials = None
        self._entries.forget_surnames_that_fit()
        if self._word_index is not None:
            self._word_index = None
            self._words, self._codes = [], []
            self._near.clear()
            self._skeletons.clear()

    def with_surname(self, word: str) -> list[int]:
        """Return the entries with a word in their surname."""
        return self._entries.with_surname(word, _ANY)

    def with_letters(self, form: NameForm) -> list[int]:
        """Return the entries with the same letters in order, whatever the spaces and commas."""
        return self._entries.with_letters("".join(form.words))

    def with_korean_key(self, form: NameForm) -> list[int]:
        """Return the entries that are another romanisation of a Korean name."""
        key = korean_key(form) if self._by_korean_key else None
        return self._by_korean_key.get(key, []) if key is not None else []

    def that_may_be(self, numbers: Iterable[int], form: NameForm, fits: Fits) -> list[int]:
        """Return the entries of `numbers` whose surname and given names fit in some reading.

        `fits` decides on given names. It must be pure: it is called once for each pair.
        """
        return self._entries.fitting(
            list(numbers),
            form.words,
            len(form.surname),
            form.is_ordered,
            (skeleton, self.near, *fits),
        )

    def candidates(self, form: NameForm) -> set[int]:
        """Return the candidate entries: a word of the surname matches, and the initials fit.

        A word matches if it is equal, has the same skeleton, or is near. Names without a comma, or
        with surname and given name swapped, are found by any word. If exactly this name is listed,
        similar surnames are only searched in a list that is compared with itself.
        """
        entries = set(self.with_letters(form))
        first = min(entries, default=0)
        entries.update(self.with_korean_key(form))
        initials = -1  # any
        if form.given:  # narrow for the first given name, wide for all
            initials = initials_of(form.given[:1]) & _NARROW | initials_of(form.given) & _WIDE
        # If exactly this name is listed, similar names do not count.
        is_listed = (
            not self.is_compared_with_itself
            and is_full(form)
            and any(self.forms[n] == form for n in entries)
        )
        by_word: list[set[int]] = []
        words = core_words(form.surname)
        for index, word in enumerate(words):
            matches: set[int] = set()
            if not form.is_ordered and len(words) > 1:
                initials = initials_of((*words[:index], *words[index + 1 :]))
            self._add_equal(matches, word, initials, first)
            for near_word in () if is_listed else self.near(word):
                if len(matches) >= self._most:
                    break
                self._add_equal(matches, near_word, initials, first)
            by_word.append(matches)
        entries |= self._most_probable(form, by_word)
        if form.is_ordered:
            surname_initials = initials_of(form.surname)
            for word in form.given:
                if len(word) > 2:
                    self._add_equal(entries, word, surname_initials, first)
        return entries

    def _most_probable(self, form: NameForm, by_word: Sequence[set[int]]) -> set[int]:
        """Return the entries that match in a word; of very many, the ones that can be chosen."""
        entries = set[int]().union(*by_word)
        if len(entries) <= _MANY_BEARERS:
            return entries
        if form.is_ordered and len(by_word) > 1:
            # If one surname is common, the other one must fit too.
            counted = Counter(number for matches in by_word for number in matches)
            several = {number for number, count in counted.items() if count > 1}
            entries = several or entries
        is_surname_only = not form.given if form.is_ordered else len(form.surname) == 1
        if (is_surname_only or not is_full(form)) and len(entries) > _MANY_BEARERS:
            # With so many bearers nobody can be chosen; the most prominent are enough to see that.
            rank, person_of = self.persons.rank, self.person_of
            ranked = sorted(entries, key=lambda number: (-rank(person_of[number])[0], number))
            return set(ranked[:_MANY_BEARERS])
        return entries

    def _add_equal(self, entries: set[int], word: str, initials: int, own: int) -> None:
        """Add entries with a word in the surname; if it is frequent, those near entry `own`."""
        bearers = self._entries.bearers(word)
        # Short forms can begin with another letter (Bill, William), so a rare surname needs no
        # fitting initials.
        if initials == -1 or bearers <= _FEW_BEARERS:
            initials = _ANY
        else:
            initials &= _WIDE if bearers <= _MANY_BEARERS else _NARROW
        if self.is_compared_with_itself and bearers > _MOST_BEARERS:
            entries.update(neighbours(range(len(self.forms)), own, self._most))
            return
        matches = self._entries.with_surname(word, initials)
        if len(matches) > self._most:
            matches.sort()
            matches = neighbours(matches, bisect_left(matches, own), self._most)
        entries.update(matches)

    def nearest(self, form: NameForm, numbers: list[int]) -> list[int]:
        """Return the entries to weigh; in a list compared with itself, the neighbours in order."""
        if not self.is_compared_with_itself or len(numbers) <= _MOST_WEIGHED:
            return numbers
        own = min(self.with_letters(form), default=0)
        numbers = sorted(numbers)
        return neighbours(numbers, bisect_left(numbers, own), _MOST_WEIGHED)

    def near(self, word: str) -> dict[str, tuple[int, bool]]:
        """Return the similar words of the list, with (edits, sounds alike).

        At most one edit for four letters, two from five on, three from nine on; words of the same
        skeleton at any distance, as (0, True).
        """
        near = self._near.get(word)
        if near is None:
            if len(self._near) >= _MOST_NEAR:
                self._near.clear()
            near = self._near[word] = self._find_near(word)
        return near

    def _find_near(self, word: str) -> dict[str, tuple[int, bool]]:
        encoded = word.encode()
        if len(word) < _SHORTEST_NEAR or len(encoded) > _LONGEST_WORD:
            return {}
        self.prepare()
        assert self._word_index is not None
        edits = 1 if len(word) < 5 else 2 if len(word) < 9 else 3
        [codes] = self.codes_of([word])
        words = self._words
        index = bisect_left(words, word)
        near = {
            words[number]: _shared_nearness(distance, sounds)
            for number, distance, sounds in self._word_index.near(encoded, codes, edits, index)
            if distance == 1 or sounds or (distance == 2 and len(word) > 6)
        }
        same = self._skeletons[skeleton(word)]
        if len(same) > _MOST_OF_SKELETON:
            same = neighbours(same, bisect_left(same, word), _MOST_OF_SKELETON)
        near.update((like, (0, True)) for like in same if like != word)
        if len(near) <= _MOST_NEAR_WORDS:
            return near
        order = {like: (near[like][0], abs(bisect_left(words, like) - index)) for like in near}
        return {like: near[like] for like in sorted(near, key=order.__getitem__)[:_MOST_NEAR_WORDS]}

    def prepare(self) -> None:
        """Index all words by sound and spelling, before the first look-up needs the index."""
        if self._word_index is not None:
            return
        self._words = sorted(
            word
            for word in self._entries.words_in_surnames()
            if len(word) >= _SHORTEST_NEAR and len(word.encode()) <= _LONGEST_WORD
        )
        for word in self._words:
            self._skeletons[skeleton(word)].append(word)
        words = [word.encode() for word in self._words]
        self._codes = list(self._encode(self._words))
        self._word_index = WordIndex(words, self._codes)

    def codes_of(self, words: Sequence[str], encode: Encoder | None = None) -> list[bytes]:
        """Return the phonetic codes of words; `encode` computes missing ones."""
        codes_by_word = {word: self._cached_codes(word) for word in words}
        missing = [word for word, codes in codes_by_word.items() if codes is None]
        if missing:
            new_codes = dict(zip(missing, (encode or self._encode)(missing), strict=True))
            if len(self._other_codes) + len(new_codes) > _MOST_NEAR:
                self._other_codes.clear()
            self._other_codes.update(new_codes)
            codes_by_word.update(new_codes)
        return [codes for codes in map(codes_by_word.__getitem__, words) if codes is not None]

    def _cached_codes(self, word: str) -> bytes | None:
        index = bisect_left(self._words, word)
        if index < len(self._words) and self._words[index] == word:
            return self._codes[index]
        return self._other_codes.get(word)

    def surname_share(self, word: str) -> float:
        """Return the share of a word among the surnames' words; never 0."""
        entries = self._shares._entries
        count, _ = entries.counts(word)
        return (count + _UNSEEN) / max(entries.surname_words, _LEAST_WORDS)

    def given_share(self, word: str) -> float:
        """Return the share of a word, or of an initial, among the given names; never 0."""
        shares = self._shares
        words = shares._entries.given_words
        if len(word) == 1:
            count = shares.given_initials()[initial_class(word)]
            return (count + _INITIALS_UNSEEN) / (words + 26 * _INITIALS_UNSEEN)
        _, count = shares._entries.counts(word)
        return (count + _UNSEEN) / max(words, _LEAST_WORDS)

    def own_short_forms(
        self, prominence: array[float], costs: Mapping[str, float]
    ) -> tuple[list[int], list[float], list[str], list[str]]:
        """Return the entries of persons whose short form is unique, with three values for each.

        The values are the probability, the letters of the surname in a row, and the initials.
        `prominence`: of entries, as a factor; `costs`: SHORT_FORM_COSTS.
        """
        initials = {
            letter: (initial_class(letter), self.given_share(letter)) for letter in ascii_lowercase
        }
        factors = {**costs, "unlisted": self.unlisted}
        return self._entries.short_forms(
            self.person_of, prominence, factors, initials, self.surname_share
        )

    def given_initials(self) -> Counter[str]:
        """Count the given names by class of their initial."""
        if self._initials is None:
            self._initials = Counter()
            for letter, count in self._entries.given_by_first_letter().items():
                self._initials[initial_class(letter)] += count
        return self._initials


@lru_cache(maxsize=16)
def _shared_nearness(edits: int, sounds: bool) -> tuple[int, bool]:
    """Return a shared pair for equal values, to save memory."""
    return edits, sounds


def neighbours(ordered: _Items, index: int, most: int) -> _Items:
    """Return `most` items around an index of a sequence, or all if there are fewer."""
    first = max(0, min(index - most // 2, len(ordered) - most))
    return ordered[first : first + most]


def korean_key(form: NameForm) -> tuple[str, str] | None:
    """Return a key that is equal for romanisations of a Korean name; None for other names."""
    if form.is_ordered:
        surname, given = form.surname, form.given
    else:
        surname, given = form.surname[:1], form.surname[1:]
    if len(surname) != 1 or not 0 < len(given) <= 3:
        return None
    name = "-".join(given)
    if not looks_korean(surname[0], name):
        return None
    return korean_surname_key(surname[0]) or "", korean_given_key(name)


_UNSEEN = 0.3  # added to the count of each word
_INITIALS_UNSEEN = 10  # added to the count of each initial
# A shorter list counts as part of a longer one, so that its words do not seem more common.
_LEAST_WORDS = 300_000
# Bounds of the estimated number of unlisted players: for a world list at most one in twenty.
_LEAST_UNLISTED, _MOST_UNLISTED = 2e3, 2e4
