"""An index of listed persons by the words, the letters and the sound of their names.

Finds the candidates for a name and counts how common each word is. resolve.py chooses among them.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate, islice, pairwise
from string import ascii_lowercase
from typing import NamedTuple, TypeAlias

from ocgdedup._kernels.names import AliasRows, ListedNames, NameBatch
from ocgdedup.files.portable import processors
from ocgdedup.matching.names.given_names import given_names
from ocgdedup.matching.names.hangul import korean_given_key, korean_surname_key, looks_korean
from ocgdedup.matching.names.letters import initial_class
from ocgdedup.matching.names.likelihood import (
    PROMINENCE_OF_INACTIVE,
    PROMINENCE_OF_TITLE,
    WEIGHTS,
    NameDifference,
    country_evidence,
)
from ocgdedup.matching.names.name_form import is_full, name_form, other_forms
from ocgdedup.matching.names.name_words import PARTICLES
from ocgdedup.matching.names.syllabic import syllable_table
from ocgdedup.model import NameForm, Person


class PersonTable:
    """Persons by number, in a quarter of the memory of Person records."""

    def __init__(self, persons: Iterable[Person] = ()) -> None:
        self._names: list[str] = []
        self._fide_ids = array("Q")
        self._years = array("H")  # birth, death; 0 unknown
        self._ratings = array("H")
        self._facts = array("I")  # numbers of title, country, sex and activity
        self._fact_rows: dict[tuple[str, str, str, bool], int] = {}
        self._fact_list: list[tuple[str, str, str, bool]] = []
        self._by_title, self._by_activity = array("d"), array("d")  # prominence, of rows of facts
        self._by_fide_id: dict[int, int] | None = None
        for person in persons:
            self.append(person)

    def append(self, person: Person) -> None:
        self._by_fide_id = None
        self._names.append(person.name)
        self._fide_ids.append(person.fide_id or 0)
        self._years.append(person.birth_year or 0)
        self._years.append(person.death_year or 0)
        self._ratings.append(person.rating or 0)
        facts = (person.title, person.country, person.sex, person.is_active)
        number = self._fact_rows.setdefault(facts, len(self._fact_list))
        if number == len(self._fact_list):
            self._fact_list.append(facts)
        self._facts.append(number)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: int) -> Person:
        title, country, sex, is_active = self._fact_list[self._facts[number]]
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

    def names(self) -> list[str]:
        """Return the names of all persons; read-only."""
        return self._names

    def fide_ids(self) -> array[int]:
        """Return the FIDE IDs of all persons, 0 for none; read-only."""
        return self._fide_ids

    def fact_rows(self) -> list[tuple[str, str, str, bool]]:
        """Return the distinct titles, countries, sexes and activities of persons; read-only."""
        return self._fact_list

    def rename(self, number: int, name: str) -> None:
        self._names[number] = name

    def fide_id(self, number: int) -> int | None:
        return self._fide_ids[number] or None

    def years(self, number: int) -> tuple[int, int]:
        """Return the years of birth and death of a person; 0 if unknown."""
        return self._years[2 * number], self._years[2 * number + 1]

    def __iter__(self) -> Iterator[Person]:
        return (self[number] for number in range(len(self)))

    def with_fide_ids(self) -> dict[int, int]:
        """Return the numbers of the persons with a FIDE ID, by ID; read-only."""
        if self._by_fide_id is None:
            numbered = enumerate(self._fide_ids)
            self._by_fide_id = {fide_id: number for number, fide_id in numbered if fide_id}
        return self._by_fide_id

    def dump(self) -> list[bytes]:
        """Return the persons as bytes, for load()."""
        columns = self._fide_ids, self._years, self._ratings, self._facts
        names = json.dumps([self._names, self._fact_list], ensure_ascii=False)
        return [names.encode("utf-8", "surrogatepass"), *(column.tobytes() for column in columns)]

    @classmethod
    def load(cls, parts: Sequence[bytes]) -> PersonTable:
        """Return the persons of dump(); raise ValueError if the parts are of other lengths."""
        table = cls()
        names, *columns = parts
        table._names, facts = json.loads(names.decode("utf-8", "surrogatepass"))
        table._fact_list = list(map(tuple, facts))
        table._fact_rows = {row: number for number, row in enumerate(table._fact_list)}
        own = table._fide_ids, table._years, table._ratings, table._facts
        for column, data, width in zip(own, columns, (1, 2, 1, 1), strict=True):
            column.frombytes(data)
            if len(column) != width * len(table._names):
                raise ValueError(f"{len(column)} values of {len(table._names)} persons")
        return table

    def columns(self, person_of: array[int], countries: Iterable[str] = ()) -> PersonColumns:
        """Return the columns for weighing; `countries`: of the names as written."""
        facts = self._fact_list
        new = facts[len(self._by_title) :]
        self._by_title.extend(PROMINENCE_OF_TITLE.get(title, 0.0) for title, *_ in new)
        self._by_activity.extend(0.0 if row[-1] else PROMINENCE_OF_INACTIVE for row in new)
        by_country = (country_evidence(code, row[1]) for code in countries for row in facts)
        return (
            person_of, self._ratings, self._years, self._facts, self._by_title, self._by_activity,
            array("d", by_country),
        )  # fmt: skip


def core_words(words: Sequence[str]) -> Sequence[str]:
    """Return the words without particles; all words if there are only particles."""
    core = [word for word in words if word not in PARTICLES]
    return core or words


# Persons by entry; ratings, years and facts by person; prominence by title and by activity,
# by facts; evidence by country and facts.
PersonColumns: TypeAlias = "tuple[array[int] | array[float], ...]"
# The result of NameBatch.weigh().
WeighedColumns: TypeAlias = (
    "tuple[array[int], array[int], array[int], array[float], array[float], array[int]]"
)

# Computes the phonetic codes of each word, as phonetic.py does.
Encoder = Callable[[Sequence[str]], Sequence[bytes]]

_PERSONS_AT_ONCE = 4096
_DIGEST_BYTES, _PARTS = 32, 8  # of a list as bytes
_NAMES_IN_PART = 512  # that one thread looks up
# Only there names are read as Korean: elsewhere such similarities are common.
_KOREAN = frozenset(["KOR", "PRK", ""])


class Forms:
    """The parsed names of a list, by number, built on demand from the words in the kernel."""

    def __init__(self, names: ListedNames) -> None:
        self._names = names

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: int) -> NameForm:
        return self._names.form(number)


class Weighed(NamedTuple):
    """How well a person fits a name, by the person's best listed spelling."""

    evidence: float
    prominence: float
    kind: NameDifference
    entry: int
    forms: Forms

    @property
    def total(self) -> float:
        return self.evidence + self.prominence

    @property
    def listed(self) -> NameForm:
        return self.forms[self.entry]


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
        self._shares: NameList = shares or self
        self.persons = PersonTable()
        # Persons by the exact spellings that a file of the user gives to them alone
        self.given_spellings: dict[str, int] = {}
        # Each spelling of a person is an entry; its words, form and person have the same number.
        self._entries: ListedNames = ListedNames(
            given_names(), WEIGHTS._asdict(), encode, syllable_table(),
            shares._entries if shares else None, is_compared_with_itself,
        )  # fmt: skip
        self.forms = Forms(self._entries)
        self.person_of = array("I")
        self._by_korean_key: dict[tuple[str, str], list[int]] = {}
        remaining = iter(persons)
        while batch := list(islice(remaining, _PERSONS_AT_ONCE)):
            self._add_persons(batch)

    def dump(self) -> bytes:
        """Return the list as bytes, for load()."""
        koreans = [(*key, entries) for key, entries in self._by_korean_key.items()]
        parts: list[bytes | bytearray] = [
            self._entries.dump(), self.person_of.tobytes(),
            json.dumps([koreans, self.given_spellings]).encode(), *self.persons.dump(),
        ]  # fmt: skip
        parts.insert(0, array("Q", map(len, parts)).tobytes())
        digest = sha256()
        for part in parts:
            digest.update(part)
        return b"".join([digest.digest(), *parts])

    @classmethod
    def load(cls, data: bytes, encode: Encoder) -> NameList:
        """Return the list of dump(); raise ValueError if the bytes are damaged or of old code."""
        view = memoryview(data)
        if sha256(view[_DIGEST_BYTES:]).digest() != view[:_DIGEST_BYTES]:
            raise ValueError("list of names: wrong checksum")
        sizes = array("Q", view[_DIGEST_BYTES : _DIGEST_BYTES + 8 * _PARTS].tobytes())
        ends = list(accumulate(sizes, initial=_DIGEST_BYTES + 8 * _PARTS))
        parts = [view[begin:end] for begin, end in pairwise(ends)]
        names = cls((), encode)
        names._entries.load(parts[0])
        names.person_of.frombytes(parts[1])
        koreans, names.given_spellings = json.loads(bytes(parts[2]))
        names._by_korean_key = {(surname, given): entries for surname, given, entries in koreans}
        names.persons = PersonTable.load([bytes(part) for part in parts[3:]])
        if len(names.person_of) != len(names.forms):
            raise ValueError(f"{len(names.person_of)} persons of {len(names.forms)} names")
        return names

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
        entry = self._entries.add(form)
        self.person_of.append(person)
        return entry

    def with_surname(self, word: str) -> list[int]:
        """Return the entries with a word in their surname."""
        return self._entries.with_surname(word)

    def with_korean_key(self, form: NameForm) -> list[int]:
        """Return the entries that are another romanisation of a Korean name."""
        key = korean_key(form) if self._by_korean_key else None
        return self._by_korean_key.get(key, []) if key is not None else []

    def batch(self, forms: list[NameForm]) -> NameBatch:
        """Return the batch that looks up parsed names in the kernel."""
        numbers: dict[str, int] = {}
        for form in forms:
            if form.country:
                numbers.setdefault(form.country, len(numbers))
        return NameBatch(
            self._entries,
            forms,
            [is_full(form) for form in forms],
            [self.with_korean_key(form) for form in forms],
            [numbers.get(form.country, -1) for form in forms],
            self.persons.columns(self.person_of, numbers),
        )

    def weigh(self, forms: list[NameForm]) -> Iterator[dict[int, Weighed]]:
        """Yield for each name the persons whom it may mean, with the evidence for each."""
        kinds = tuple(NameDifference)
        for ends, *columns in _weigh_in_threads(self.batch(forms)):
            rows = zip(*columns, strict=True)
            begin = 0
            for end in ends:
                yield {
                    person: Weighed(evidence, prominence, kinds[kind], entry, self.forms)
                    for person, entry, evidence, prominence, kind in islice(rows, end - begin)
                }
                begin = end

    def candidates(self, form: NameForm) -> list[int]:
        """Return the candidate entries of a name, in order."""
        return self.batch([form]).candidates(0)

    def near(self, word: str) -> dict[str, tuple[int, bool]]:
        """Return the similar words of the list, with (edits, sounds alike).

        At most one edit for four letters, two from five on, three from nine on; words of the same
        skeleton at any distance, as (0, True).
        """
        return self._entries.near_words(word)

    def surname_share(self, word: str) -> float:
        """Return the share of a word among the surnames' words; never 0."""
        return self._entries.shares_of(word)[0]

    def given_share(self, word: str) -> float:
        """Return the share of a word, or of an initial, among the given names; never 0."""
        return self._entries.shares_of(word)[1]

    def prominence(self) -> array[float]:
        """Return how prominent the person of each entry is, as a factor."""
        return self._entries.prominence(self.persons.columns(self.person_of))

    def own_short_forms(self, prominence: array[float], costs: Mapping[str, float]) -> array[float]:
        """Return the probability of each entry that its short form means its person.

        -1 if the entry has no short form, or another person has it. `prominence`: of entries, as a
        factor; `costs`: SHORT_FORM_COSTS.
        """
        initials = {
            letter: (initial_class(letter), self.given_share(letter)) for letter in ascii_lowercase
        }
        factors = {**costs, "unlisted": self.unlisted}
        return self._entries.short_forms(self.person_of, prominence, factors, initials)

    def aliases(
        self,
        chances: array[float],
        alias_of: Callable[[str, NameForm], str | None],
        least: float,
    ) -> AliasRows:
        """Return the short forms that have at least a probability, one of a person.

        `chances`: the result of own_short_forms(); `alias_of` writes a name that is not plain.
        """
        names = self.persons.names()
        return AliasRows(self._entries, self.person_of, chances, names, alias_of, least)


def _weigh_in_threads(batch: NameBatch) -> Iterable[WeighedColumns]:
    """Return the results of the parts of a batch, in order."""
    if len(batch) <= _NAMES_IN_PART or processors() == 1:
        return [batch.weigh(0, len(batch))]
    from concurrent.futures import ThreadPoolExecutor  # 11 ms

    begins = range(0, len(batch), _NAMES_IN_PART)
    with ThreadPoolExecutor(processors()) as pool:
        return pool.map(
            lambda begin: batch.weigh(begin, min(begin + _NAMES_IN_PART, len(batch))), begins
        )


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


# Bounds of the estimated number of unlisted players: for a world list at most one in twenty.
_LEAST_UNLISTED, _MOST_UNLISTED = 2e3, 2e4
