"""Who played single games, with plain dicts: reference of kernels/names/game_judge.pxi."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from math import exp, log
from typing import NamedTuple, cast

from ocgdedup.matching.names.consolidate import (
    FIDE_ID_STAGE,
    GIVEN_SPELLING,
    Consolidated,
    Identity,
    NameUse,
)
from ocgdedup.matching.names.evidence import (
    NO_CLAIM,
    Claim,
    TagSummary,
)
from ocgdedup.matching.names.likelihood import country_evidence
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.resolve import MIN_PROBABILITY, Persons
from ocgdedup.model import Person
from ocgdedup.pipeline.players.game_claims import may_be_nickname
from ocgdedup.thresholds import SURE_PROBABILITY
from tests.reference.played_games import Claims, PlayedGame, event_key
from tests.reference.prominence import log_sum, prominence
from tests.support.player_age import age_evidence, is_possible

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

_IMPROVING = 25
_IMPOSSIBLE = -1e9
_MOST_SHARE = 50.0
_TITLES = ("", "WCM", "CM", "WFM", "FM", "WIM", "IM", "WGM", "GM")
_RANK_OF_TITLE = {title: rank for rank, title in enumerate(_TITLES)}


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


def side_evidence(
    side: GameSide,
    person: Person,
    number: int,
    career: Career | None,
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


def _by_career(side: GameSide, career: Career) -> float:
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


def _by_rating(side: GameSide, person: Person, career: Career | None) -> float:
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


def namesakes(
    number: str, candidates: Iterable[tuple[int, float]], persons: Mapping[int, Person]
) -> float:
    """Return the evidence that a name with a number means no candidate.

    The source has at least that many namesakes, who match as well as the best candidate.
    `candidates`: (person, evidence of the name alone).
    """
    fitting = [evidence + 0.5 * prominence(persons[person]) for person, evidence in candidates]
    return max(SOMEBODY_ELSE, max(fitting, default=0.0) + log(max(int(number) - 1, 1)))


def choose(
    candidates: Iterable[tuple[int, float]],
    persons: Mapping[int, Person],
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
    persons: Mapping[int, Person],
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


def is_doubtful(use: NameUse, identity: Identity, persons: Persons) -> bool:
    """Return whether the games of a resolved name decide, too: the person may be another one."""
    if identity.person is None or identity.stage == FIDE_ID_STAGE or not identity.candidates:
        return False
    if identity.probability < SURE_PROBABILITY:
        return True
    by_name = dict(identity.candidates)
    least = by_name[identity.person] - 5.0
    has_rival = any(value > least for number, value in by_name.items() if number != identity.person)
    span = use.first_year, use.last_year
    return is_contradicted(use.tags, span, persons[identity.person], has_rival=has_rival)


def is_contradicted(
    tags: TagSummary, span: tuple[int, int], person: Person, *, has_rival: bool
) -> bool:
    """Return whether games may contradict a person by the tags, or by the age.

    `span`: the first and the last year, 0 unknown.
    """
    if tags.contradicts(person, has_rival=has_rival):
        return True
    years = person.birth_year or 0, person.death_year or 0
    return any(
        not is_possible(years, year) or age_evidence(years, year, year) for year in span if year
    )


def _is_youth(claims: Claims, game: PlayedGame) -> bool:
    return game.event in claims.youth_events or game.site in claims.youth_sites


def players_by_game(
    games: Sequence[PlayedGame], judge: Judge
) -> list[tuple[int, int, int, int | None, float]]:
    """Return (game ID, side, player ID, person, probability) as the kernel decides."""
    notes: dict[int, CareerNotes] = {}
    open_names = set(judge.open_names())
    keys = {game.key for game in games if not open_names.isdisjoint(game.players)} - {0}
    for game in games:
        for side, person in judge.players_by_career(game):
            notes.setdefault(person, CareerNotes()).add(game, side)
        for side, person in judge.sure_players(game):
            if game.key in keys:
                judge.sure.setdefault((game.key, side), set()).add(person)
    judge.careers = {person: of_person.career() for person, of_person in notes.items()}
    return [
        (game.game_id, side, game.players[side], *verdict)
        for game in games
        for side, verdict in enumerate(judge.decide_both(game))
        if verdict is not None
    ]


_OPEN = object()  # the result of _by_name() if only evidence can decide


class Judge:
    """Collects the evidence of games for persons, then decides single sides.

    `claims`: of the database whose games are judged. `careers`: of the candidates of unresolved
    names. `sure`: the certain players of moves that also occur under an unresolved name.
    """

    def __init__(
        self, uses: Mapping[int, NameUse], consolidated: Consolidated, claims: Claims
    ) -> None:
        self.claims = claims
        self.careers: dict[int, Career] = {}
        self.sure: dict[tuple[int, int], set[int]] = {}
        self._persons, self._identities = consolidated
        self._uses = uses
        self._by_fide_id = consolidated.persons.with_fide_ids()
        self._person = consolidated.persons.__getitem__
        self.doubtful_names = {
            player
            for player, identity in self._identities.items()
            if is_doubtful(uses[player], identity, self._persons)
        }
        self._candidates = {
            number
            for player, identity in self._identities.items()
            if identity.person is None or player in self.doubtful_names
            for number, _ in identity.candidates
        }

    @cached_property
    def judged_names(self) -> Set[int]:
        """The names, by player ID, some games of which decide() may decide."""
        return {
            player for player, identity in self._identities.items() if self._is_judged(identity)
        }

    def _is_judged(self, identity: Identity) -> bool:
        if identity.person is None:
            return bool(identity.candidates or identity.tagged)
        if identity.player_id in self.doubtful_names:
            return True
        use = self._uses[identity.player_id]
        years = self._persons.years(identity.person)
        if not (is_possible(years, use.first_year) and is_possible(years, use.last_year)):
            return True
        fide_id = self._persons.fide_id(identity.person)
        if use.fide_ids and use.fide_ids.keys() != {fide_id}:
            return True
        if fide_id is None or fide_id in use.fide_ids:
            return False
        if use.highest != NO_CLAIM and use.highest.contradicts(self._persons[identity.person]):
            return True
        return may_be_nickname(use.name)

    def names_of_candidates(self) -> list[int]:
        """Return the names, by player ID, that are resolved to a candidate of another name."""
        return list(self._sure_names)

    @cached_property
    def _sure_names(self) -> dict[int, int]:
        """The candidates of other names, by the ID of a name that is resolved to them."""
        return {
            player: identity.person
            for player, identity in self._identities.items()
            if identity.person is not None
            and identity.person in self._candidates
            and self._is_sure(identity)
        }

    def players_by_career(self, game: PlayedGame) -> Iterator[tuple[int, int]]:
        """Yield side and person if a game belongs to the career of a candidate of open names."""
        for side, person in self.sure_players(game):
            player = game.players[side]
            if player not in self.judged_names or self._is_possible(
                self._identities[player], game, side
            ):
                yield side, person

    def sure_players(self, game: PlayedGame) -> Iterator[tuple[int, int]]:
        """Yield side and person of the candidates whose name is resolved in a game."""
        for side, player in enumerate(game.players):
            person = self._sure_names.get(player)
            if person is not None:
                yield side, person

    def open_names(self) -> list[int]:
        """Return the names, by player ID, that are unresolved or doubtful, with candidates."""
        return [
            player
            for player, identity in self._identities.items()
            if identity.candidates and (identity.person is None or player in self.doubtful_names)
        ]

    def decide_both(self, game: PlayedGame) -> list[tuple[int | None, float] | None]:
        """Decide both sides; a player matched to both sides is assigned to neither."""
        verdicts = [self.decide(game, side) for side in (0, 1)]
        persons: list[int | None] = []
        for verdict, player in zip(verdicts, game.players, strict=True):
            identity = self._identities.get(player)
            of_name = identity.person if identity is not None else None
            persons.append(of_name if verdict is None else verdict[0])
        if persons[0] is None or persons[0] != persons[1]:
            return verdicts
        return [
            (None, 0.0) if verdict is not None and not game.fide_ids[side] else verdict
            for side, verdict in enumerate(verdicts)
        ]

    def decide(self, game: PlayedGame, side: int) -> tuple[int | None, float] | None:
        """Return player and probability of a side that the name does not identify, else None.

        For a doubtful name, the player may be that of the name.
        """
        verdict = self._by_name(game, side)
        if verdict is not _OPEN:
            return cast("tuple[int | None, float] | None", verdict)
        identity = self._identities[game.players[side]]
        weighed = self._weigh(identity, game, side)
        candidates = self._read_candidates(identity.player_id)
        chosen = choose(
            [(number, together) for number, _, together in weighed],
            candidates.persons,
            candidates.somebody_else,
        )
        if chosen[0] is None and identity.person is None:
            return None
        if chosen[0] is not None or identity.player_id not in self.doubtful_names:
            return chosen
        if not self._is_possible(identity, game, side):
            return chosen
        assert identity.person is not None
        probability = revised_probability(
            identity.person, identity.probability, weighed, candidates.persons
        )
        return None if probability >= MIN_PROBABILITY else (None, probability)

    def _by_name(self, game: PlayedGame, side: int) -> object:
        """Return the result of decide() if name and FIDE ID decide it, else _OPEN."""
        player = game.players[side]
        if player not in self.judged_names:
            return None
        identity = self._identities[player]
        tagged = self._by_fide_id.get(game.fide_ids[side]) if game.fide_ids[side] else None
        if (
            tagged is not None
            and tagged != identity.person
            and tagged in dict(identity.candidates) | dict(identity.tagged)
            and self._is_old_enough(self._person(tagged), game, side)
        ):
            return tagged, 1.0
        if (
            identity.person is not None
            and not self._is_doubtful(identity, game, side)
            and self._is_possible(identity, game, side)
        ):
            return None
        if self._is_nickname(identity, game):
            return None if identity.person is None else (None, 0.0)
        return _OPEN

    def _is_doubtful(self, identity: Identity, game: PlayedGame, side: int) -> bool:
        """Return whether a game of a doubtful name may be another person's.

        If the name alone is enough, those games are that contradict its person.
        """
        if identity.player_id not in self.doubtful_names or identity.person is None:
            return False
        if identity.probability < SURE_PROBABILITY:
            return True
        person = self._read_candidates(identity.player_id).persons[identity.person]
        elo, country = game.elos[side], game.countries[side]
        countries = frozenset((country,)) if country else frozenset[str]()
        tags = TagSummary(game.titles[side].upper(), elo, elo, countries)
        return is_contradicted(tags, (game.year, game.year), person, has_rival=True)

    def _is_possible(self, identity: Identity, game: PlayedGame, side: int) -> bool:
        """Return whether a name's person can have played a game."""
        assert identity.person is not None
        person = self._person(identity.person)
        if not self._is_old_enough(person, game, side):
            return False
        if identity.reason == GIVEN_SPELLING:
            return True
        # If the years fit, a FIDE ID in any game of the name decides.
        if person.fide_id is None or person.fide_id in self._uses[identity.player_id].fide_ids:
            return True
        if self._is_nickname(identity, game):
            return False
        claim = self.claims.claim(game, side)
        return claim is None or not claim.contradicts(person)

    def _is_old_enough(self, person: Person, game: PlayedGame, side: int) -> bool:
        """Return whether a person was alive and no small child."""
        has_id = bool(game.fide_ids[side]) and game.fide_ids[side] == person.fide_id
        years = person.birth_year or 0, person.death_year or 0
        as_child = has_id or _is_youth(self.claims, game)
        return is_possible(years, game.year, as_child=as_child)

    def _is_nickname(self, identity: Identity, game: PlayedGame) -> bool:
        """Return whether a name is a nickname in a game; then only a FIDE ID identifies it."""
        name = self._uses[identity.player_id].name
        return may_be_nickname(name) and self.claims.is_on_web(game)

    def _side(self, game: PlayedGame, side: int, *, is_numbered: bool) -> GameSide:
        # Rivals are not present under a doubtful name, but its person may be under no other one.
        ignores_presence = is_numbered or game.players[side] in self.doubtful_names
        return GameSide(
            game.year, game.elos[side], game.titles[side], game.countries[side],
            game.fide_ids[side], event_key(game.event, game.year), game.players[1 - side],
            frozenset(self.sure.get((game.key, side), ())), game.source,
            self.claims.claim(game, side), ignores_presence, _is_youth(self.claims, game),
        )  # fmt: skip

    def _weigh(
        self, identity: Identity, game: PlayedGame, side: int
    ) -> list[tuple[int, float, float]]:
        """Return (person, evidence of the name, evidence of name and game) of each candidate."""
        candidates = self._read_candidates(identity.player_id)
        game_side = self._side(game, side, is_numbered=candidates.is_numbered)
        own = identity.person if self._is_sure(identity) else None
        if own is not None:  # the games of a name are no evidence for the name itself
            game_side = game_side._replace(in_duplicates=game_side.in_duplicates - {own})
        ids = self._uses[identity.player_id].fide_ids
        careers, persons = self.careers, candidates.persons
        weighed = []
        for number, weight in candidates.weighed:
            career = careers.get(number) if number != own else None
            value = side_evidence(game_side, persons[number], number, career, ids)
            weighed.append((number, weight, weight + value))
        return weighed

    def _is_sure(self, identity: Identity) -> bool:
        """Return whether the games of a name count as those of its person."""
        return identity.person is not None and (
            identity.probability >= SURE_PROBABILITY
            or identity.player_id not in self.doubtful_names
        )

    def _read_candidates(self, player: int) -> _Candidates:
        identity, namesake = self._identities[player], name_form(self._uses[player].name).number
        weighed = tuple(identity.candidates)
        persons = {number: self._persons[number] for number, _ in weighed}
        somebody_else = SOMEBODY_ELSE
        if namesake:
            somebody_else = namesakes(namesake, weighed, persons)
        return _Candidates(weighed, persons, somebody_else, bool(namesake))


class _Candidates(NamedTuple):
    """The candidates of a name, with the evidence of the name, and the evidence for all others."""

    weighed: tuple[tuple[int, float], ...]
    persons: Mapping[int, Person]
    somebody_else: float
    is_numbered: bool


class CareerNotes:
    """Facts from the games of one person; facts of several parts of the games can be merged."""

    def __init__(self) -> None:
        self.years: set[int] = set()
        self.events: dict[int, set[int]] = {}
        self.opponents: set[int] = set()
        self.elos: dict[int, list[int]] = {}  # sum and count, by year

    def add(self, game: PlayedGame, side: int) -> None:
        if game.year:
            self.years.add(game.year)
            self.events.setdefault(event_key(game.event, game.year), set()).add(game.source)
            if game.elos[side]:
                elos = self.elos.setdefault(game.year, [0, 0])
                elos[0] += game.elos[side]
                elos[1] += 1
        self.opponents.add(game.players[1 - side])

    def career(self) -> Career:
        elos = {year: total / count for year, (total, count) in self.elos.items()}
        first, last = min(self.years, default=0), max(self.years, default=0)
        return Career(first, last, self.events, frozenset(self.opponents), elos)
