"""An index of listed persons by the words, the letters and the sound of their names.

Finds the candidates for a name and counts how common each word is. resolve.py chooses among them.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar
from zlib import crc32

from ocgdedup._kernels.names import AliasRows, ListedNames, NameBatch, require_below
from ocgdedup.files.portable import processors
from ocgdedup.matching.names.given_names import given_names
from ocgdedup.matching.names.hangul import korean_given_key, korean_surname_key, looks_korean
from ocgdedup.matching.names.letters import initial_class
from ocgdedup.matching.names.likelihood import (
    PROMINENCE_OF_INACTIVE,
    PROMINENCE_OF_TITLE,
    RATING_OF_TITLE,
    WEIGHTS,
    country_evidence,
)
from ocgdedup.matching.names.name_form import is_full, name_form, other_forms
from ocgdedup.matching.names.name_words import PARTICLES
from ocgdedup.matching.names.syllabic import syllable_table
from ocgdedup.model import NameForm, Person, PlayerColumns

if TYPE_CHECKING:
    from typing_extensions import Buffer


# Fills a buffer with the bytes of a stored list that follow.
Reader: TypeAlias = "Callable[[bytearray | array[int] | memoryview], object]"


def _read_array(typecode: str, size: int, read: Reader) -> array[int]:
    numbers: array[int] = array(typecode, [0])
    if size % numbers.itemsize:
        raise ValueError(f"list of names: {size} bytes of numbers")
    numbers *= size // numbers.itemsize
    read(numbers)
    return numbers


class PersonTable:
    """Persons by number, in a tenth of the memory of Person records."""

    def __init__(self, persons: Iterable[Person] = ()) -> None:
        self._text = bytearray()  # names in UTF-8
        self._begins, self._ends = array("I"), array("I")  # of names in the text
        self._fide_ids = array("Q")
        self._years = array("H")  # birth, death; 0 unknown
        self._ratings = array("H")
        self._facts = array("I")  # numbers of title, country, sex and activity
        self._fact_rows: dict[tuple[str, str, str, bool], int] = {}
        self._fact_list: list[tuple[str, str, str, bool]] = []
        self._by_title, self._by_activity = array("d"), array("d")  # prominence, of rows of facts
        self._by_country: dict[str, array[float]] = {}  # evidence by written country, of rows
        self._ascending = 0  # persons, the first ones, whose FIDE IDs ascend
        self._later: dict[int, int] = {}  # other persons by FIDE ID
        for person in persons:
            self.append(person)

    @classmethod
    def of_players(cls, players: PlayerColumns) -> PersonTable:
        """Return a table of the players of a rating list."""
        table = cls()
        table._text += players.names
        table._ends = players.ends
        table._begins = array("I", [0, *players.ends[:-1]]) if players.ends else array("I")
        table._fide_ids, table._ratings = players.fide_ids, players.ratings
        table._ascending = len(players.fide_ids)
        table._years = array("H", bytes(4 * len(players.ends)))
        table._years[::2] = players.birth_years
        table._facts, table._fact_list = players.facts, players.fact_list
        table._fact_rows = {row: number for number, row in enumerate(players.fact_list)}
        return table

    def append(self, person: Person) -> None:
        number, fide_id = len(self), person.fide_id or 0
        if self._ascending == number and fide_id > (self._fide_ids[-1] if number else 0):
            self._ascending += 1
        elif fide_id:
            self._later[fide_id] = number
        self._begins.append(len(self._text))
        self._text += person.name.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._text))
        self._fide_ids.append(fide_id)
        self._years.append(person.birth_year or 0)
        self._years.append(person.death_year or 0)
        self._ratings.append(person.rating or 0)
        facts = (person.title, person.country, person.sex, person.is_active)
        row = self._fact_rows.setdefault(facts, len(self._fact_list))
        if row == len(self._fact_list):
            self._fact_list.append(facts)
        self._facts.append(row)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> Person:
        title, country, sex, is_active = self._fact_list[self._facts[number]]
        return Person(
            self.name(number),
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
        text = self._text[self._begins[number] : self._ends[number]]
        return text.decode("utf-8", "surrogatepass")

    def names(self) -> tuple[bytearray, array[int], array[int]]:
        """Return all names as a text in UTF-8 and their begins and ends there; read-only."""
        return self._text, self._begins, self._ends

    def with_countries(self, countries: Collection[str]) -> Iterator[int]:
        """Yield the persons of one of the federations, in order."""
        rows = {number for number, row in enumerate(self._fact_list) if row[1] in countries}
        return (number for number, row in enumerate(self._facts) if row in rows)

    def fide_ids(self) -> array[int]:
        """Return the FIDE IDs of all persons, 0 for none; read-only."""
        return self._fide_ids

    def fact_rows(self) -> list[tuple[str, str, str, bool]]:
        """Return the distinct titles, countries, sexes and activities of persons; read-only."""
        return self._fact_list

    def rename(self, number: int, name: str) -> None:
        self._begins[number] = len(self._text)
        self._text += name.encode("utf-8", "surrogatepass")
        self._ends[number] = len(self._text)

    def fide_id(self, number: int) -> int | None:
        return self._fide_ids[number] or None

    def years(self, number: int) -> tuple[int, int]:
        """Return the years of birth and death of a person; 0 if unknown."""
        return self._years[2 * number], self._years[2 * number + 1]

    def __iter__(self) -> Iterator[Person]:
        return (self[number] for number in range(len(self)))

    def with_fide_id(self, fide_id: int | None) -> int | None:
        """Return the last person with a FIDE ID, None if there is none."""
        if not fide_id:
            return None
        number = self._later.get(fide_id)
        if number is None:
            number = bisect_left(self._fide_ids, fide_id, 0, self._ascending)
            if number == self._ascending or self._fide_ids[number] != fide_id:
                return None
        return number

    def with_fide_ids(self) -> FideIds:
        return FideIds([self])

    def dump(self) -> list[memoryview]:
        """Return the persons as bytes, for load()."""
        facts = json.dumps([self._fact_list, self._ascending, list(self._later.items())]).encode()
        columns = (memoryview(column).cast("B") for column in self._columns())
        return [memoryview(self._text), *columns, memoryview(facts)]

    def _columns(self) -> tuple[array[int], ...]:
        return (
            self._begins, self._ends, self._fide_ids, self._years, self._ratings, self._facts,
        )  # fmt: skip

    @classmethod
    def load(cls, sizes: Sequence[int], read: Reader) -> PersonTable:
        """Read the parts of dump(), of these sizes; raise ValueError if they do not fit."""
        table = cls()
        table._text = bytearray(sizes[0])
        read(table._text)
        columns = [
            _read_array(column.typecode, size, read)
            for column, size in zip(table._columns(), sizes[1:-1], strict=True)
        ]
        table._begins, table._ends, table._fide_ids, table._years, *_ = columns
        table._ratings, table._facts = columns[4:]
        facts = bytearray(sizes[-1])
        read(facts)
        fact_list, table._ascending, later = json.loads(facts)
        table._fact_list, table._later = list(map(tuple, fact_list)), dict(later)
        table._fact_rows = {row: number for number, row in enumerate(table._fact_list)}
        if any(len(column) != len(table) for column in (*columns[:3], *columns[4:])) or (
            len(table._years) != 2 * len(table)
        ):
            raise ValueError(f"other columns than those of {len(table)} persons")
        require_below(table._ends, len(table._text) + 1)
        require_below(table._facts, len(table._fact_list))
        return table

    def columns(
        self, person_of: array[int], countries: Mapping[str, int] = MappingProxyType({})
    ) -> PersonColumns:
        """Return the columns for weighing; `countries`: of the names as written, numbered."""
        facts = self._fact_list
        new = facts[len(self._by_title) :]
        self._by_title.extend(PROMINENCE_OF_TITLE.get(title, 0.0) for title, *_ in new)
        self._by_activity.extend(0.0 if row[-1] else PROMINENCE_OF_INACTIVE for row in new)
        nations = [row[1] for row in facts]
        if new:
            self._by_country.clear()
        by_country = array("d")
        for code in countries:
            if code not in self._by_country:
                by_nation = {nation: country_evidence(code, nation) for nation in set(nations)}
                self._by_country[code] = array("d", map(by_nation.__getitem__, nations))
            by_country += self._by_country[code]
        return (
            person_of, self._ratings, self._years, self._facts, self._by_title, self._by_activity,
            by_country, array("i", [countries.get(nation, -2) for nation in nations]),
            array("H", [RATING_OF_TITLE.get(row[0], 0) for row in facts]), self._fide_ids,
        )  # fmt: skip


class FideIds(Mapping[int, int]):
    """The numbers of persons by FIDE ID, in little memory; tables are numbered on.

    Of several persons with an ID it has the last one.
    """

    def __init__(self, tables: Sequence[PersonTable]) -> None:
        self._tables = tables

    def __getitem__(self, fide_id: int) -> int:
        number = self.get(fide_id)
        if number is None:
            raise KeyError(fide_id)
        return number

    def get(self, fide_id: int | None, default: None = None) -> int | None:  # type: ignore[override]
        offset, last = 0, default
        for table in self._tables:
            number = table.with_fide_id(fide_id)
            if number is not None:
                last = offset + number
            offset += len(table)
        return last

    def __contains__(self, fide_id: object) -> bool:
        return isinstance(fide_id, int) and self.get(fide_id) is not None

    def __iter__(self) -> Iterator[int]:
        ids = (fide_id for table in self._tables for fide_id in table.fide_ids() if fide_id)
        return iter(dict.fromkeys(ids))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def core_words(words: Sequence[str]) -> Sequence[str]:
    """Return the words without particles; all words if there are only particles."""
    core = [word for word in words if word not in PARTICLES]
    return core or words


# Persons by entry; ratings, years and facts by person; prominence by title and by activity,
# by facts; evidence by country and facts; by facts the number of the country and the rating that
# the title requires; FIDE IDs by person.
PersonColumns: TypeAlias = "tuple[array[int] | array[float], ...]"

# Computes the phonetic codes of words, as phonetic.py does.
Encoder: TypeAlias = "Callable[[bytearray, array[int]], tuple[Buffer, Buffer]]"

_PARTS = 11  # of a list as bytes
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

    person: int
    entry: int
    evidence: float
    prominence: float
    kind: int  # NameDifference


class NameList:
    """The persons of a list, indexed by the words of their names."""

    def __init__(
        self,
        persons: Iterable[Person] | PersonTable,
        encode: Encoder,
        *,
        shares: NameList | None = None,
        is_compared_with_itself: bool = False,
    ) -> None:
        """Index `persons`; `shares`: a larger list from which word frequencies are taken.

        `is_compared_with_itself`: the names to look up are those of the list, in sorted order.
        """
        self._shares = shares
        self.persons = persons if isinstance(persons, PersonTable) else PersonTable(persons)
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
        self._add_names()

    def dump(self) -> Sequence[Buffer]:
        """Return the list as bytes in several parts, to be joined for load().

        They are valid until the list is changed or freed.
        """
        koreans = [(*key, entries) for key, entries in self._by_korean_key.items()]
        entries = self._entries.dump()
        parts: list[bytes | bytearray | memoryview] = [
            memoryview(self.person_of).cast("B"),
            json.dumps([koreans, self.given_spellings]).encode(), *self.persons.dump(),
        ]  # fmt: skip
        sizes = array("Q", [sum(map(len, entries)), *map(len, parts)])
        parts = [sizes.tobytes(), *entries, *parts]
        checksum = 0
        for part in parts:
            checksum = crc32(part, checksum)
        return [array("Q", [checksum]).tobytes(), *parts]

    @classmethod
    def load(cls, read: Reader, size: int, encode: Encoder) -> NameList:
        """Read the list of dump(), of `size` bytes; raise ValueError if it is damaged."""
        checksum, left = 0, size - 8

        def read_part(part: bytearray | array[int] | memoryview) -> None:
            nonlocal checksum, left
            read(part)
            checksum = crc32(part, checksum)
            left -= memoryview(part).nbytes
            if not left and checksum != expected[0]:
                raise ValueError("list of names: wrong checksum")

        if size < 8 * (1 + _PARTS):
            raise ValueError(f"list of names: only {size} bytes")
        expected = _read_array("Q", 8, read)
        sizes = _read_array("Q", 8 * _PARTS, read_part)
        if sum(sizes) != left:
            raise ValueError(f"list of names: parts of {sum(sizes)} of {left} bytes")
        names = cls((), encode)
        names._entries.load(read_part, sizes[0])
        names.person_of = _read_array("I", sizes[1], read_part)
        texts = bytearray(sizes[2])
        read_part(texts)
        # Its last part is read, and the checksum is right, before a text is parsed.
        names.persons = PersonTable.load(sizes[3:], read_part)
        koreans, names.given_spellings = json.loads(texts)
        names._by_korean_key = {(surname, given): entries for surname, given, entries in koreans}
        if len(names.person_of) != len(names.forms):
            raise ValueError(f"{len(names.person_of)} persons of {len(names.forms)} names")
        require_below(names.person_of, len(names.persons))
        return names

    @property
    def unlisted(self) -> float:
        """Return an estimate of the number of unlisted players, from the size of the list."""
        players = len((self._shares or self).persons)
        return float(min(max(players / 20, _LEAST_UNLISTED), _MOST_UNLISTED))

    def _add_names(self) -> None:
        """Add the names of all persons."""
        start = 0
        while start < len(self.persons):
            end = self._entries.add_plain(*self.persons.names(), start)
            self.person_of.extend(range(start, end))
            if end < len(self.persons):
                self._add_name(end)
            start = end + 1
        for person in self.persons.with_countries(_KOREAN):
            self._note_korean(bisect_left(self.person_of, person))

    def add_person(self, person: Person) -> int:
        """Add a person; return the person's number."""
        number = len(self.persons)
        self.persons.append(person)
        entry = self._add_name(number)
        if person.country in _KOREAN:
            self._note_korean(entry)
        return number

    def _add_name(self, person: int) -> int:
        """Add and count the name of a person; return its entry, which other forms follow."""
        name = self.persons.name(person)
        entry = self._add(person, name_form(name))
        self._entries.count(entry)
        if not name.isascii():
            for other in other_forms(name):
                self._add(person, other)
        return entry

    def _note_korean(self, entry: int) -> None:
        key = korean_key(self.forms[entry])
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

    def batch(self, names: list[list[NameForm]]) -> NameBatch:
        """Return the batch that looks up names in the kernel, each by one or several forms."""
        forms = [form for forms in names for form in forms]
        numbers: dict[str, int] = {}
        for form in forms:
            if form.country:
                numbers.setdefault(form.country, len(numbers))
        return NameBatch(
            self._entries,
            names,
            [is_full(form) for form in forms],
            [self.with_korean_key(form) for form in forms],
            [numbers.get(form.country, -1) for form in forms],
            self.persons.columns(self.person_of, numbers),
        )

    def weigh(self, names: list[list[NameForm]]) -> Iterator[list[Weighed]]:
        """Yield for each name the persons whom it may mean, with the evidence for each."""
        batch = self.batch(names)
        for ends, persons, entries, evidence, prominence, kinds in in_threads(
            batch.weigh, len(batch)
        ):
            rows = map(Weighed, persons, entries, evidence, prominence, kinds)
            begin = 0
            for end in ends:
                yield list(islice(rows, end - begin))
                begin = end

    def candidates(self, form: NameForm) -> list[int]:
        """Return the candidate entries of a name, in order."""
        return self.batch([[form]]).candidates(0)

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
        return AliasRows(
            self._entries, self.person_of, chances, self.persons.names(), alias_of, least
        )


_Part = TypeVar("_Part")


def in_threads(work: Callable[[int, int], _Part], count: int) -> Iterable[_Part]:
    """Return the results of `work` for the parts of a batch of names, in order."""
    if count <= _NAMES_IN_PART or processors() == 1:
        return [work(0, count)]
    from concurrent.futures import ThreadPoolExecutor  # 11 ms

    begins = range(0, count, _NAMES_IN_PART)
    with ThreadPoolExecutor(processors()) as pool:
        return pool.map(lambda begin: work(begin, min(begin + _NAMES_IN_PART, count)), begins)


def korean_key(form: NameForm) -> tuple[str, str] | None:
    """Return a key that is equal for romanisations of a Korean name; None for other names."""
    if form.is_ordered:
        surname, given = form.surname, form.given
    else:
        surname, given = form.surname[:1], form.surname[1:]
    if len(surname) != 1 or not 0 < len(given) <= 3:
        return None
    key, name = korean_surname_key(surname[0]), "-".join(given)
    if key is None or not looks_korean(surname[0], name):
        return None
    return key, korean_given_key(name)


# Bounds of the estimated number of unlisted players: for a world list at most one in twenty.
_LEAST_UNLISTED, _MOST_UNLISTED = 2e3, 2e4
