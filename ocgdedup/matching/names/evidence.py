"""Evidence of a single game about who played it: the weights, and what contradicts a player.

Used for names that may mean several persons. All values are natural logarithms of probability
ratios, as in likelihood.py, set by hand; only facts that nearly prove a person have large ones. The
kernel adds the evidence up and decides: kernels/names/game_judge.pxi.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import NamedTuple

from ocgdedup._kernels import names
from ocgdedup.matching.names.likelihood import RATING_OF_TITLE, country_evidence
from ocgdedup.matching.names.resolve import MIN_PROBABILITY
from ocgdedup.model import Person
from ocgdedup.thresholds import SURE_PROBABILITY


class GameWeights(NamedTuple):
    """Weights of the evidence of a game. The build makes the struct of the kernel from them."""

    game_has_fide_id: float = 12.0
    other_fide_id: float = -2.0  # weak: some sources give a person two IDs
    fide_id_of_name: float = 8.0  # in other games of the name
    same_game: float = 9.0  # another record of the long game has the person's full name
    same_event: float = 4.0  # by another source
    same_event_of_source: float = -3.0  # a player has only one name in an event of a source
    same_opponent: float = 1.0
    same_title: float = 1.5
    higher_title: float = -3.0  # than the person ever had
    active_then: float = 1.0
    years_apart: float = -3.0  # 25 years from all games that are surely the person's
    in_collection: float = 2.0
    somebody_else: float = log(2e4)  # weight of all persons who are no candidates
    least_of_game: float = 0.95  # probability of the person who is accepted
    least_of_name: float = MIN_PROBABILITY  # of a doubtful name's person in a possible game
    sure_probability: float = SURE_PROBABILITY
    # At most so much less evidence than the person of a name has another of that name.
    rival: float = 5.0


GAME_WEIGHTS = GameWeights()

_TITLES = ("", "WCM", "CM", "WFM", "FM", "WIM", "IM", "WGM", "GM")
_RANK_OF_TITLE = {title: rank for rank, title in enumerate(_TITLES)}


def required_rating(title: str) -> int:
    """Return the rating that FIDE requires for a title in capitals, 0 for another text."""
    return RATING_OF_TITLE.get(title, 0)


def title_ranks(titles: Iterable[str]) -> list[tuple[str, int, int]]:
    """Return titles, and all that FIDE awards, with rank and required rating; "" is the first."""
    texts = dict.fromkeys((*_TITLES, *titles))
    return [(text, _RANK_OF_TITLE.get(text, 0), required_rating(text)) for text in texts]


class Claim(NamedTuple):
    """Title ("" none) and Elo (0 none) of a player in a game."""

    title: str
    elo: int

    def contradicts(self, person: Person) -> bool:
        """Return whether the title or Elo is too high for a player of FIDE's list."""
        return names.claim_is_too_high(
            required_rating(self.title),
            self.elo,
            has_fide_id=person.fide_id is not None,
            listed_title=required_rating(person.title),
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
        return names.tags_contradict(
            required_rating(self.title),
            (self.lowest_elo, self.highest_elo),
            has_fide_id=person.fide_id is not None,
            listed_title=required_rating(person.title),
            rating=person.rating or 0,
            has_rival=has_rival,
        )


NO_TAGS = TagSummary()


def _higher_title(left: str, right: str) -> str:
    return max(left, right, key=lambda title: (required_rating(title), title))


def can_have_played(years: tuple[int, int], first_year: int, last_year: int) -> bool:
    """Return whether a person was alive and old enough in one of the years of some games.

    `years`: years of birth and death, 0 unknown.
    """
    return names.can_have_played(*years, first_year, last_year, as_child=False)
