"""Evidence of a single game about who played it: the weights, and the decision.

Used for names that may mean several persons. All values are natural logarithms of probability
ratios, as in likelihood.py, set by hand; only facts that nearly prove a person have large ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import reduce
from math import exp, log
from typing import NamedTuple, Protocol, TypeAlias

from ocgdedup._kernels import names
from ocgdedup.matching.names.likelihood import country_evidence
from ocgdedup.matching.names.resolve import Persons, log_sum, prominence
from ocgdedup.model import Person

# Least probability of the person who is accepted, and the weight of all others.
MIN_PROBABILITY_OF_GAME = 0.95
SOMEBODY_ELSE = log(2e4)

_GAME_HAS_FIDE_ID = 12.0
_OTHER_FIDE_ID = -2.0
_FIDE_ID_OF_THIS_NAME = 8.0
_SAME_GAME = 9.0  # another record of the long game has the person's full name
_SAME_EVENT = 4.0  # by another source
_SAME_EVENT_OF_THIS_SOURCE = -3.0  # a player has only one name in an event of a source
_SAME_OPPONENT = 1.0
_SAME_TITLE = 1.5
_HIGHER_TITLE = -3.0  # than the person ever had
_ACTIVE_THEN = 1.0
_YEARS_APART = -3.0  # 25 years from all games that are surely the person's
_IN_THIS_COLLECTION = 2.0

_IMPROVING = 25  # the age up to which a player may be much weaker, or stronger, than in the list
_IMPOSSIBLE = -1e9
_MOST_SHARE = 50.0  # a logarithm, so that no share overflows

_TITLES = ("", "WCM", "CM", "WFM", "FM", "WIM", "IM", "WGM", "GM")
_RANK_OF_TITLE = {title: rank for rank, title in enumerate(_TITLES)}
# The rating that FIDE requires for a title: it orders titles.
_RATING_OF_TITLE = {
    "WCM": 2000, "WFM": 2100, "CM": 2200, "WIM": 2200, "FM": 2300, "WGM": 2300, "IM": 2400,
    "GM": 2500,
}  # fmt: skip
_MOST_BELOW_LIST = 350  # Elo points
_UNRATED = 1900  # taken for the rating of a player without one


AnyPersons: TypeAlias = Persons | Mapping[int, Person]  # by number


class Claim(NamedTuple):
    """Title ("" none) and Elo (0 none) of a player in a game."""

    title: str
    elo: int

    def contradicts(self, person: Person) -> bool:
        """Return whether the title or Elo is too high for a player of FIDE's list."""
        return names.claim_is_too_high(
            _RATING_OF_TITLE.get(self.title, 0),
            self.elo,
            has_fide_id=person.fide_id is not None,
            listed_title=_RATING_OF_TITLE.get(person.title, 0),
            rating=person.rating or 0,
        )

    def joined_with(self, other: Claim) -> Claim:
        """Return the higher title and the higher Elo of two claims."""
        return Claim(_higher_title(self.title, other.title), max(self.elo, other.elo))


NO_CLAIM = Claim("", 0)


class TagSummary(NamedTuple):
    """What the tags of all games of a name say: "" or 0 for nothing.

    `title`: the highest; `is_youth`: a game was played in a youth event.
    """

    title: str = ""
    lowest_elo: int = 0
    highest_elo: int = 0
    countries: frozenset[str] = frozenset()
    is_youth: bool = False

    def joined_with(self, other: TagSummary) -> TagSummary:
        """Return the summary of the games of both."""
        elos = [elo for elo in (self.lowest_elo, other.lowest_elo) if elo]
        return TagSummary(
            _higher_title(self.title, other.title), min(elos, default=0),
            max(self.highest_elo, other.highest_elo), self.countries | other.countries,
            self.is_youth or other.is_youth,
        )  # fmt: skip

    def contradicts(self, person: Person, *, has_rival: bool) -> bool:
        """Return whether a game of the name may be another player's, by the tags.

        `has_rival`: another player has the name, too. Then an Elo far below the person's counts;
        else he was probably weaker in his youth.
        """
        if any(country_evidence(country, person.country) < 0 for country in self.countries):
            return True
        if person.fide_id is None:
            return False
        if _RATING_OF_TITLE.get(self.title, 0) > _RATING_OF_TITLE.get(person.title, 0):
            return True
        rating = person.rating or _UNRATED
        is_weaker = has_rival and 0 < self.lowest_elo < rating - _MOST_BELOW_LIST
        return is_weaker or self.highest_elo > rating + names.MOST_ABOVE_LIST


NO_TAGS = TagSummary()


def _higher_title(left: str, right: str) -> str:
    return max(left, right, key=lambda title: (_RATING_OF_TITLE.get(title, 0), title))


def highest_title(titles: Iterable[str]) -> str:
    """Return the title for which FIDE requires the highest rating, in capitals; "" for none."""
    return reduce(_higher_title, (title.upper() for title in titles), "")


class GameSide(NamedTuple):
    """One side of a game; 0 or "" for missing values.

    `opponent`: player ID of the opponent; `event`: key of event and year; `in_duplicates`: persons
    who surely played this side in other records of the same moves; `source`: ID of the source;
    `claim`: title and Elo, if they can be compared with a list; `ignores_presence`: other games of
    a candidate are no evidence by themselves; `is_youth`: the event is one for children or juniors.
    """

    year: int
    elo: int
    title: str
    country: str
    fide_id: int
    event: int
    opponent: int
    in_duplicates: frozenset[int]
    source: int = 0
    claim: Claim | None = None
    ignores_presence: bool = False
    is_youth: bool = False


class Career(NamedTuple):
    """Summary of the games that a person surely played.

    `events`: the sources of each event, by event key; `elos`: mean rating by year.
    """

    first_year: int
    last_year: int
    events: Mapping[int, Set[int]]
    opponents: frozenset[int]
    elos: Mapping[int, float]

    def is_of_another_source(self, event: int, source: int) -> bool | None:
        """Return whether another source has the person in an event; None if no source does."""
        sources = self.events.get(event)
        return bool(sources - {source}) if sources else None

    def has_met(self, opponent: int) -> bool:
        return opponent in self.opponents

    def elos_near(self, year: int) -> list[float]:
        """Return the mean ratings within two years of a year."""
        return [elo for of_year, elo in self.elos.items() if abs(of_year - year) <= 2]


class AnyCareer(Protocol):
    """Interface of a career, independent of its storage."""

    @property
    def first_year(self) -> int: ...
    @property
    def last_year(self) -> int: ...
    def is_of_another_source(self, event: int, source: int) -> bool | None: ...
    def has_met(self, opponent: int) -> bool: ...
    def elos_near(self, year: int) -> list[float]: ...


def is_possible(years: tuple[int, int], year: int, *, as_child: bool = False) -> bool:
    """Return whether a person was alive and old enough in a year (0 unknown).

    `years`: years of birth and death, 0 unknown; `as_child`: the game has the child's FIDE ID, or
    is of a youth event.
    """
    return not year or can_have_played(years, year, year, as_child=as_child)


def can_have_played(
    years: tuple[int, int], first_year: int, last_year: int, *, as_child: bool = False
) -> bool:
    """Return whether a person can have played in one of the years; arguments as above."""
    return names.can_have_played(*years, first_year, last_year, as_child=as_child)


def can_have_played_all(
    years: tuple[int, int], first_year: int, last_year: int, *, as_child: bool = False
) -> bool:
    """Return whether a person can have played in all of the years; arguments as above."""
    return all(is_possible(years, year, as_child=as_child) for year in (first_year, last_year))


def age_evidence(
    years: tuple[int, int], first_year: int, last_year: int, *, is_youth: bool = False
) -> float:
    """Return the evidence of the age at the games of these years, which are known.

    Children and old people play few published games. Someone else with the name played in the
    years in which the person cannot have played. `is_youth`: a game is of a youth event, where only
    small children are few.
    """
    return names.age_evidence(*years, first_year, last_year, is_youth=is_youth)


def side_evidence(
    side: GameSide,
    person: Person,
    number: int,
    career: AnyCareer | None,
    name_ids: Mapping[int, int],
) -> float:
    """Return the evidence of a side of a game for a person, apart from the name.

    `name_ids`: number of games with this name and each FIDE ID.
    """
    years = person.birth_year or 0, person.death_year or 0
    has_this_id = bool(side.fide_id) and side.fide_id == person.fide_id
    if not is_possible(years, side.year, as_child=side.is_youth or has_this_id):
        return _IMPOSSIBLE
    has_id = has_this_id or person.fide_id in name_ids
    if side.claim is not None and not has_id and side.claim.contradicts(person):
        return _IMPOSSIBLE
    value = _by_tags(side, person, name_ids)
    if side.year:
        value += age_evidence(years, side.year, side.year, is_youth=side.is_youth)
    if number in side.in_duplicates:
        value += _SAME_GAME
    value += _by_rating(side, person, career)
    if career is not None:
        value += _by_career(side, career)
        value += 0.0 if side.ignores_presence else _IN_THIS_COLLECTION
    return value


def _by_tags(side: GameSide, person: Person, name_ids: Mapping[int, int]) -> float:
    value = 0.0
    if person.fide_id is not None:
        if side.fide_id == person.fide_id:
            value += _GAME_HAS_FIDE_ID
        elif side.fide_id:
            value += _OTHER_FIDE_ID  # weak: some sources give a person two IDs
        elif person.fide_id in name_ids:
            value += _FIDE_ID_OF_THIS_NAME
    if side.title and side.title == person.title:
        value += _SAME_TITLE
    elif _RANK_OF_TITLE.get(side.title, 0) > _RANK_OF_TITLE.get(person.title, 0):
        value += _HIGHER_TITLE
    return value + country_evidence(side.country, person.country)


def _by_career(side: GameSide, career: AnyCareer) -> float:
    value = 0.0
    elsewhere = career.is_of_another_source(side.event, side.source) if side.event else None
    if elsewhere is not None:
        value += _SAME_EVENT if elsewhere else _SAME_EVENT_OF_THIS_SOURCE
    if career.has_met(side.opponent):
        value += _SAME_OPPONENT
    if side.year and career.first_year:
        if career.first_year - 3 <= side.year <= career.last_year + 3:
            # No evidence: a source that numbers namesakes would have the number in the other games.
            value += 0.0 if side.ignores_presence else _ACTIVE_THEN
        elif side.year < career.first_year - 25 or side.year > career.last_year + 25:
            value += _YEARS_APART
    return value


def _by_rating(side: GameSide, person: Person, career: AnyCareer | None) -> float:
    """Compare the Elo of the game with the person's games of these years, else with the list."""
    if not side.elo:
        return 0.0
    near = career.elos_near(side.year) if career is not None else []
    if near:
        gap = min(abs(side.elo - elo) for elo in near)
        return 2.5 if gap <= 50 else 1.0 if gap <= 120 else -1.0 if gap <= 250 else -4.0
    if not person.rating:
        return -1.0 if side.elo >= 2300 else 0.0
    # Ratings change over the years, so only a large difference counts much, and less for the young.
    gap = abs(side.elo - person.rating)
    value = 1.5 if gap <= 60 else 0.5 if gap <= 150 else -1.0 if gap <= 350 else -4.0
    if value < 0 and side.year and person.birth_year and side.year < person.birth_year + _IMPROVING:
        return value / 2 if side.elo > person.rating else 0.0
    return value


def namesakes(number: str, candidates: Iterable[tuple[int, float]], persons: AnyPersons) -> float:
    """Return the evidence that a name with a number means no candidate.

    The source has at least that many namesakes, who match as well as the best candidate.
    `candidates`: (person, evidence of the name alone).
    """
    fitting = [evidence + 0.5 * prominence(persons[person]) for person, evidence in candidates]
    return max(SOMEBODY_ELSE, max(fitting, default=0.0) + log(max(int(number) - 1, 1)))


def choose(
    candidates: Iterable[tuple[int, float]],
    persons: AnyPersons,
    somebody_else: float = SOMEBODY_ELSE,
) -> tuple[int | None, float]:
    """Return the person with the most evidence, None if it is not enough, and the probability.

    `candidates`: (person, evidence of name and game together); `somebody_else`: the evidence that
    no candidate is meant.
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
    return (-negative if probability >= MIN_PROBABILITY_OF_GAME else None), probability


def revised_probability(
    person: int,
    probability: float,
    candidates: Sequence[tuple[int, float, float]],
    persons: AnyPersons,
) -> float:
    """Return the probability of a name's person after the evidence of a game.

    `probability` is that of the name alone. `candidates` are triples: a person, the evidence of the
    name, and the evidence of name and game together. All others keep their share.
    """
    least = {number: by_name for number, by_name, _ in candidates}[person]
    top = least + prominence(persons[person])
    before = after = of_person = 0.0
    for number, by_name, together in candidates:
        share = exp(min(by_name + prominence(persons[number]) - top, _MOST_SHARE))
        before += share
        share = 0.0 if together < _IMPOSSIBLE / 2 else share * exp(together - by_name)
        after += share
        if number == person:
            of_person = share
    others = max(1 / probability - before, 0.0)
    return of_person / (others + after) if of_person else 0.0
