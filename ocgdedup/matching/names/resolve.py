"""Resolve a name to a listed person: stages, and reasons why not.

The kernel weighs the persons and decides: kernels/names/name_decision.pxi.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, islice, repeat
from math import log
from types import MappingProxyType
from typing import NamedTuple

from ocgdedup._kernels.names import REFUSALS, NameDecisions
from ocgdedup.matching.names.likelihood import (
    LIMITS,
    RATING_OF_TITLE,
    NameDifference,
)
from ocgdedup.matching.names.name_form import LONGEST_NAME, is_too_long, name_form, other_forms
from ocgdedup.matching.names.name_list import FideIds, NameList, PersonTable, Weighed, in_threads
from ocgdedup.model import NameForm, Person

MIN_PROBABILITY = LIMITS.min_probability
# The reason why a name with a number does not resolve to the only listed namesake.
NUMBERED_NAME = "its number says that the source knows several players of this name"
OTHERS_FIT = "others fit as well"
_NAMES_AT_ONCE = 4096  # looked up together

STAGES = {
    NameDifference.SAME: "exact",
    NameDifference.TURNED: "order",
    NameDifference.SOUND: "phonetic",
    NameDifference.VARIANT: "variant",
    NameDifference.SIMILAR: "similarity",
}
_STAGES = [STAGES[kind] for kind in NameDifference]
_DISSIMILAR = REFUSALS["DISSIMILAR"]
_TEXTS = {
    "": "",
    "NOT_LISTED": "no listed player has such a name",
    "SHORT": f"a listed name of fewer than {LIMITS.min_letters} letters matches nobody by name "
    "alone",
    "TOO_LITTLE": "too little evidence",
    "NUMBERED": NUMBERED_NAME,
    "AMBIGUOUS": OTHERS_FIT,
    "ABBREVIATED": "abbreviated, and somebody else may be meant",
    "GENERATION": "father or son is not said in the list",
    "SLIP": "a slip, and not sure enough",
    "DISSIMILAR": "similarity {:.2f} < {} and bigrams {:.2f} < {}",
}
_REASONS = [_TEXTS[name] for name, _ in sorted(REFUSALS.items(), key=lambda item: item[1])]


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


class GamesOfName(NamedTuple):
    """What the games of a name say, 0 for unknown years.

    `claims`: the lowest titles and Elos; empty if a game has no claim that can be compared with a
    list.
    """

    fide_ids: Collection[int] = ()
    first_year: int = 0
    last_year: int = 0
    is_youth: bool = False
    claims: Collection[tuple[str, int]] = ()


NO_GAMES = GamesOfName()


class _Columns(NamedTuple):
    """The result of NameDecisions.decide(): columns of names, then of their best candidates."""

    means: array[int]
    refusals: array[int]
    listed: array[float]
    dice: array[float]
    ends: array[int]
    tagged: array[float]
    persons: array[int]
    evidence: array[float]
    probabilities: array[float]
    differences: array[int]
    scores: array[float]


class Decision(NamedTuple):
    """The decision about a name: the person, None if unresolved, and the best candidates.

    `probability`, `score`: of the best candidate. `listed`: probability that any listed person is
    meant. `tagged`: the evidence for the persons with the FIDE IDs in the games, in the order of
    the IDs; NaN if the name cannot mean them.
    """

    person: int | None
    stage: str
    score: float
    reason: str
    probability: float
    listed: float
    tagged: array[float]
    columns: _Columns
    begin: int
    end: int

    def candidates(self) -> tuple[Candidate, ...]:
        columns = self.columns
        return tuple(
            Candidate(
                columns.persons[row], columns.evidence[row], columns.probabilities[row],
                _STAGES[columns.differences[row]], columns.scores[row],
            )
            for row in range(self.begin, self.end)
        )  # fmt: skip

    def weighed_persons(self) -> bytes:
        """Return the persons of the candidates in 4 bytes each, then the evidence in 8."""
        rows = slice(self.begin, self.end)
        return self.columns.persons[rows].tobytes() + self.columns.evidence[rows].tobytes()

    def likeliest(self, most: int) -> bytes:
        """Return at most so many candidates, one for a sure name; then their probabilities."""
        is_sure = self.person is not None and self.probability >= LIMITS.sure_probability
        rows = slice(self.begin, min(self.end, self.begin + (1 if is_sure else most)))
        return self.columns.persons[rows].tobytes() + self.columns.probabilities[rows].tobytes()


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
        self._lists = lists
        self.persons = Persons(*(names.persons for names in lists))
        self._unlisted = max((log(names.unlisted) for names in lists), default=0.0)

    def with_list(self, names: NameList) -> Resolver:
        """Return a resolver for these lists and one more."""
        return Resolver(*self._lists, names)

    def resolve(self, name: str, *, shown: int = 5, games: GamesOfName = NO_GAMES) -> Resolution:
        """Resolve a name; return the `shown` best candidates."""
        [resolution] = self._resolutions([name], [games], shown)
        return resolution

    def resolve_each(self, names: Sequence[str], *, shown: int = 5) -> Iterator[Resolution]:
        """Yield resolve() of each name; blocks of names are looked up by several threads."""
        return self._resolutions(names, repeat(NO_GAMES, len(names)), shown)

    def _resolutions(
        self, names: Sequence[str], games: Iterable[GamesOfName], shown: int
    ) -> Iterator[Resolution]:
        decisions = self.decide_each(names, games, most=shown, most_of_sure=shown, scored=shown)
        for name, decision in zip(names, decisions, strict=True):
            reason = decision.reason
            if is_too_long(name):
                reason = f"names of more than {LONGEST_NAME} characters are not matched"
            elif not name_form(name).surname:
                reason = "stands for nobody"
            candidates = decision.candidates()
            yield Resolution(*decision[:3], reason, candidates, decision.listed)

    def decide_each(
        self,
        names: Iterable[str],
        games: Iterable[GamesOfName],
        *,
        most: int,
        most_of_sure: int,
        scored: int = 1,
        by_fide_id: Mapping[int, int] = MappingProxyType({}),
        are_excluded: bytes | bytearray = b"",
    ) -> Iterator[Decision]:
        """Yield a decision about each name; blocks of names are looked up by several threads.

        `most`, `most_of_sure`: number of candidates of a name, and of one that surely means a
        person; `scored`: of candidates with a score; `by_fide_id`: the persons whom `tagged` is
        about; `are_excluded`: 1 for persons whom no name means, by number.
        """
        remaining = zip(names, games, strict=True)
        while block := list(islice(remaining, _NAMES_AT_ONCE)):
            facts = [of_name for _, of_name in block]
            forms = [_forms(name) for name, _ in block]
            decisions = NameDecisions(
                [listed.batch(forms) for listed in self._lists], _game_columns(facts, by_fide_id),
                LIMITS._asdict(), self._unlisted, are_excluded,
            )  # fmt: skip
            decide = partial(decisions.decide, most=most, most_of_sure=most_of_sure, scored=scored)
            ids = (len(of_name.fide_ids) for of_name in facts)
            for part in in_threads(decide, len(block)):
                yield from _decisions(_Columns(*part), ids)


def weigh_each(listed: NameList, names: Iterable[str]) -> Iterator[list[Weighed]]:
    """Yield for each name the persons of a list whom it may mean."""
    remaining = iter(names)
    while block := list(islice(remaining, _NAMES_AT_ONCE)):
        yield from listed.weigh(list(map(_forms, block)))


def _game_columns(
    games: Sequence[GamesOfName], by_fide_id: Mapping[int, int]
) -> tuple[array[int], ...]:
    """Return the columns of NameDecisions."""
    fide_ids = [fide_id for of_name in games for fide_id in sorted(of_name.fide_ids)]
    claims = [
        (RATING_OF_TITLE.get(title, 0), elo) for of_name in games for title, elo in of_name.claims
    ]
    return (
        array("H", chain.from_iterable((it.first_year, it.last_year) for it in games)),
        array("B", [of_name.is_youth for of_name in games]),
        array("I", accumulate(len(of_name.fide_ids) for of_name in games)),
        array("q", fide_ids),
        array("q", [by_fide_id.get(fide_id, -1) for fide_id in fide_ids]),
        array("I", accumulate(len(of_name.claims) for of_name in games)),
        array("q", chain.from_iterable(claims)),
    )


def _decisions(columns: _Columns, ids: Iterator[int]) -> Iterator[Decision]:
    """Yield the decisions about some names; `ids`: numbers of FIDE IDs of each name."""
    begin = first_id = 0
    verdicts = zip(columns.means, columns.refusals, columns.listed, columns.ends, ids, strict=False)
    for index, (means, refusal, listed, end, of_name) in enumerate(verdicts):
        stage, score, probability = "", 0.0, 0.0
        if end > begin:
            stage = _STAGES[columns.differences[begin]]
            score, probability = columns.scores[begin], columns.probabilities[begin]
        reason = _REASONS[refusal]
        if refusal == _DISSIMILAR:
            reason = reason.format(score, LIMITS.min_score, columns.dice[index], LIMITS.min_dice)
        yield Decision(
            means if means >= 0 else None, stage, score, reason, probability, listed,
            columns.tagged[first_id : first_id + of_name], columns, begin, end,
        )  # fmt: skip
        begin, first_id = end, first_id + of_name


def _forms(name: str) -> list[NameForm]:
    """Return the forms by which a name is looked up."""
    form = name_form(name)
    if form.is_handle:
        return []  # nicknames and programs are not compared with other names
    return [form] if name.isascii() else [form, *other_forms(name)]
