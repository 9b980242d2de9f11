"""What one game says about who played it: the weights, and the decision.

For a name that may be several persons'. All values are natural logarithms of probability ratios,
as in likelihood.py; set by hand, the large ones only where one fact is nearly proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from math import exp, log
from typing import NamedTuple, Protocol

from ocgdedup.matching.names.likelihood import country_evidence
from ocgdedup.matching.names.resolve import Persons, log_sum, prominence
from ocgdedup.model import Person

# How probable a person must be to have played a game, and what all others count who may have.
MIN_PROBABILITY = 0.95
SOMEBODY_ELSE = log(2e4)

_SAME_FIDE_ID = 12.0
_OTHER_FIDE_ID = -2.0
_FIDE_ID_OF_THIS_NAME = 8.0
_SAME_GAME = 9.0  # the same long game stands elsewhere under his full name
_SAME_EVENT = 4.0  # as another source has it
_SAME_EVENT_OF_THIS_SOURCE = -3.0  # in one source he stands there under one name
_SAME_OPPONENT = 1.0
_SAME_TITLE = 1.5
_HIGHER_TITLE = -3.0  # than he ever had
_ACTIVE_THEN = 1.0
_YEARS_APART = -3.0  # 25 years from any game that is surely his
_IN_THIS_COLLECTION = 2.0

_YOUNGEST, _OLDEST = 5, 100  # years of age at a game
_YOUNGEST_BY_SLIP = 8  # whose name is written otherwise than in the list
_IMPOSSIBLE = -1e9

_TITLES = ("", "WCM", "CM", "WFM", "FM", "WIM", "IM", "WGM", "GM")
# The rating that FIDE asks for before it gives a title: of two titles, which one is above.
_RATING_OF_TITLE = {
    "WCM": 2000, "WFM": 2100, "CM": 2200, "WIM": 2200, "FM": 2300, "WGM": 2300, "IM": 2400,
    "GM": 2500,
}  # fmt: skip
_MOST_ABOVE_LIST = 400  # points of Elo


class Claim(NamedTuple):
    """What a game says of a player's strength: title ("" none) and Elo (0 none)."""

    title: str
    elo: int

    def contradicts(self, person: Person) -> bool:
        """Tell if it is too much for a player of FIDE's list: a higher title, a far higher Elo."""
        if person.fide_id is None:
            return False
        if _RATING_OF_TITLE.get(self.title, 0) > _RATING_OF_TITLE.get(person.title, 0):
            return True
        return person.rating is not None and self.elo > person.rating + _MOST_ABOVE_LIST


class GameSide(NamedTuple):
    """One side of a game; 0 or "" where it says nothing.

    `opponent` is the other's player ID, `event` a key of the event and year, `twins` the persons
    who surely played this side of the same moves elsewhere, `source` the ID of the source,
    `claim` what it says of its player's strength, if that can be held against a list.
    `is_numbered`: the name has a number, by which its source tells namesakes apart.
    """

    year: int
    elo: int
    title: str
    country: str
    fide_id: int
    event: int
    opponent: int
    twins: frozenset[int]
    source: int = 0
    claim: Claim | None = None
    is_numbered: bool = False


class Career(NamedTuple):
    """What the games that are surely a person's say of him.

    `events`: the sources of each event, by its key; `elos`: mean rating by year.
    """

    first_year: int
    last_year: int
    events: Mapping[int, Set[int]]
    opponents: frozenset[int]
    elos: Mapping[int, float]

    def is_of_another_source(self, event: int, source: int) -> bool | None:
        """Tell if a source but this one has him in an event; None if none has."""
        sources = self.events.get(event)
        return bool(sources - {source}) if sources else None

    def has_met(self, opponent: int) -> bool:
        return opponent in self.opponents

    def elos_near(self, year: int) -> list[float]:
        """Return his mean ratings within two years of a year."""
        return [elo for of_year, elo in self.elos.items() if abs(of_year - year) <= 2]


class AnyCareer(Protocol):
    """What is asked of a career, however it is kept."""

    @property
    def first_year(self) -> int: ...

    @property
    def last_year(self) -> int: ...

    def is_of_another_source(self, event: int, source: int) -> bool | None: ...

    def has_met(self, opponent: int) -> bool: ...

    def elos_near(self, year: int) -> list[float]: ...


def is_possible(years: tuple[int, int], year: int) -> bool:
    """Tell if a person can have played in a year (0 unknown): born in time, not yet dead.

    `years`: those of birth and death, 0 unknown.
    """
    return not year or can_have_played(years, year, year)


def can_have_played(years: tuple[int, int], first_year: int, last_year: int) -> bool:
    """Tell if a person can have played in any of the years; `years`: as above."""
    born, died = years
    if born and not (last_year >= born + _YOUNGEST and first_year <= born + _OLDEST):
        return False
    # A year of grace: a correspondence game ends when it ends.
    return not (died and first_year > died + 1)


def can_have_played_all(years: tuple[int, int], first_year: int, last_year: int) -> bool:
    """Tell if a person, whose listed name is only similar, can have played in all of the years."""
    born, died = years
    return (not born or born + _YOUNGEST_BY_SLIP <= first_year <= last_year <= born + _OLDEST) and (
        not died or last_year <= died + 1
    )


def side_evidence(
    side: GameSide,
    person: Person,
    number: int,
    career: AnyCareer | None,
    name_ids: Mapping[int, int],
) -> float:
    """Return what a side of a game says for a person, the name apart.

    `name_ids`: how often each FIDE ID stands beside this name in the collection.
    """
    if not is_possible((person.birth_year or 0, person.death_year or 0), side.year):
        return _IMPOSSIBLE
    has_id = person.fide_id is not None and (
        side.fide_id == person.fide_id or person.fide_id in name_ids
    )
    if side.claim is not None and not has_id and side.claim.contradicts(person):
        return _IMPOSSIBLE
    value = _by_tags(side, person, name_ids)
    if number in side.twins:
        value += _SAME_GAME
    value += _by_rating(side, person, career)
    if career is not None:
        value += _by_career(side, career)
        if not side.is_numbered:
            value += _IN_THIS_COLLECTION
    return value


def _by_tags(side: GameSide, person: Person, name_ids: Mapping[int, int]) -> float:
    value = 0.0
    if person.fide_id is not None:
        if side.fide_id == person.fide_id:
            value += _SAME_FIDE_ID
        elif side.fide_id:
            value += _OTHER_FIDE_ID  # weak: sources have given one person two
        elif person.fide_id in name_ids:
            value += _FIDE_ID_OF_THIS_NAME
    if side.title and side.title == person.title:
        value += _SAME_TITLE
    elif _rank(side.title) > _rank(person.title):
        value += _HIGHER_TITLE
    return value + country_evidence(side.country, person.country)


def _rank(title: str) -> int:
    return _TITLES.index(title) if title in _TITLES else 0


def _by_career(side: GameSide, career: AnyCareer) -> float:
    value = 0.0
    elsewhere = career.is_of_another_source(side.event, side.source) if side.event else None
    if elsewhere is not None:
        value += _SAME_EVENT if elsewhere else _SAME_EVENT_OF_THIS_SOURCE
    if career.has_met(side.opponent):
        value += _SAME_OPPONENT
    if side.year and career.first_year:
        if career.first_year - 3 <= side.year <= career.last_year + 3:
            # A source that numbers its namesakes has other names for his other games.
            value += 0.0 if side.is_numbered else _ACTIVE_THEN
        elif side.year < career.first_year - 25 or side.year > career.last_year + 25:
            value += _YEARS_APART
    return value


def _by_rating(side: GameSide, person: Person, career: AnyCareer | None) -> float:
    """Weigh the Elo of the game against that of his games of these years, else of the list."""
    if not side.elo:
        return 0.0
    near = career.elos_near(side.year) if career is not None else []
    if near:
        apart = min(abs(side.elo - elo) for elo in near)
        return 2.5 if apart <= 50 else 1.0 if apart <= 120 else -1.0 if apart <= 250 else -4.0
    if not person.rating:
        return -1.0 if side.elo >= 2300 else 0.0
    # A rating changes with the years: only a large gap says much.
    apart = abs(side.elo - person.rating)
    return 1.5 if apart <= 60 else 0.5 if apart <= 150 else -1.0 if apart <= 350 else -4.0


def namesakes(number: str, candidates: Iterable[tuple[int, float]], persons: Persons) -> float:
    """Return what is to be said for somebody else behind a name with a number.

    Its source knows that many of the name at least, who fit as well as the best candidate.
    `candidates`: (person, evidence of the name alone).
    """
    fitting = [evidence + 0.5 * prominence(persons[one]) for one, evidence in candidates]
    return max(SOMEBODY_ELSE, max(fitting, default=0.0) + log(max(int(number) - 1, 1)))


def choose(
    candidates: Iterable[tuple[int, float]],
    persons: Persons,
    somebody_else: float = SOMEBODY_ELSE,
) -> tuple[int | None, float]:
    """Return the person whom the evidence is for, and how probable he is; None if not enough.

    `candidates`: (person, evidence of name and game together); `somebody_else`: the evidence that
    none of them is meant.
    """
    weighed = [
        (evidence + 0.5 * prominence(persons[number]), -number)
        for number, evidence in candidates
        if evidence > _IMPOSSIBLE / 2
    ]
    if not weighed:
        return None, 0.0
    best, negative = max(weighed)
    probability = exp(best - log_sum([somebody_else, *(value for value, _ in weighed)]))
    return (-negative if probability >= MIN_PROBABILITY else None), probability
