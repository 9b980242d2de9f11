"""Find the players of single games whose names alone do not identify them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

import apsw

from ocgdedup.matching.names import evidence
from ocgdedup.matching.names.consolidate import (
    GIVEN_SPELLING,
    Consolidated,
    Identity,
    NameUse,
    is_contradicted,
    is_doubtful,
)
from ocgdedup.matching.names.likelihood import NameDifference
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.resolve import MIN_PROBABILITY, STAGES
from ocgdedup.model import Person, Reporter
from ocgdedup.pipeline.players.careers import Careers, NumberSet
from ocgdedup.pipeline.players.game_claims import GameClaims, may_be_nickname
from ocgdedup.store import players as store
from ocgdedup.store.players import PlayedGame
from ocgdedup.thresholds import SURE_PROBABILITY

_REPORT_EVERY = 5000

_NO_PERSON = -1
_NAMES_READY = 1 << 12  # names whose candidates are in memory as records
_PERSONS_READY = 1 << 14  # persons of names, in memory as records


class GamePlayers:
    """The players of sides of games that are not the persons of their names; 33 bytes for each."""

    def __init__(self) -> None:
        self._games, self._sides = array("q"), array("B")
        self._players, self._persons = array("q"), array("q")
        self._probabilities = array("d")

    def add(self, game_id: int, side: int, player: int, verdict: tuple[int | None, float]) -> None:
        """Add a side; `verdict`: person or None, and probability."""
        person, probability = verdict
        self._games.append(game_id)
        self._sides.append(side)
        self._players.append(player)
        self._persons.append(_NO_PERSON if person is None else person)
        self._probabilities.append(probability)

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[tuple[int, int, int, int | None, float]]:
        """Yield (game ID, side, player ID, person, probability) in the order of add()."""
        columns = self._games, self._sides, self._players, self._persons, self._probabilities
        for game_id, side, player, person, probability in zip(*columns, strict=True):
            yield game_id, side, player, None if person == _NO_PERSON else person, probability


def players_by_game(
    connection: apsw.Connection,
    uses: Sequence[NameUse],
    consolidated: Consolidated,
    claims: GameClaims,
    reporter: Reporter,
) -> GamePlayers:
    """Decide the sides whose name is not resolved, or whose name's person may not have played.

    Reads the games of such names twice, at first only their moves' hashes, and those of their
    candidates once. No decision is evidence for another game, so the order of games does not
    matter.
    """
    judge = Judge({use.player_id: use for use in uses}, consolidated, claims)
    judged = judge.judged_names
    keys = NumberSet()
    for key in store.keys_of_names(connection, judge.open_names()):
        keys.add(key)
    keys.sort()
    careers, sure = Careers(len(consolidated.persons)), SurePlayers(keys)
    for game in store.games_of_names(connection, judge.names_of_candidates()):
        for side, person in judge.sure_players(game):
            sure.add(game.key, side, person)
        for side, person in judge.players_by_career(game):
            careers.add(person, game, side, event_key(game.event, game.year))
    careers.sort()
    sure.sort()
    judge.careers, judge.sure = careers, sure
    decided = GamePlayers()
    for count, game in enumerate(store.games_of_names(connection, judged), 1):
        if count % _REPORT_EVERY == 0:
            reporter.advance(count, 0)
        for side, verdict in enumerate(judge.decide_both(game)):
            if verdict is not None:
                decided.add(game.game_id, side, game.players[side], verdict)
    return decided


def settled(
    consolidated: Consolidated, by_game: GamePlayers, uses: Mapping[int, NameUse]
) -> tuple[Consolidated, GamePlayers]:
    """Revise doubtful names by the decisions on their games; return also the sides that differ.

    A name none of whose games is the person's has no person: its other games stay unresolved. So
    has a name that was enough alone, if half of its games contradict the person. A name all of
    whose games are the person's is as probable as the least of them.
    """
    identities = dict(consolidated.identities)
    doubtful = {
        player
        for player in {player for _, _, player, _, _ in by_game}
        if player in identities
        and is_doubtful(uses[player], identities[player], consolidated.persons)
    }
    agreed: dict[int, list[float]] = {}
    differing: Counter[int] = Counter()
    refused: Counter[int] = Counter()
    for _, _, player, person, probability in by_game:
        if player not in doubtful:
            continue
        if person == identities[player].person:
            agreed.setdefault(player, []).append(probability)
        elif person is None:
            refused[player] += 1
        else:
            differing[player] += 1
    for player in (differing.keys() | refused.keys()) - agreed.keys():
        identity, use = identities[player], uses[player]
        assert identity.person is not None
        contradicting = differing[player] + refused[player]
        is_refuted = contradicting == use.games
        if differing[player] and identity.probability < SURE_PROBABILITY:
            is_refuted = True
        elif differing[player] and 2 * contradicting >= use.games:
            # Not if the years alone contradict: they say nothing about the other games.
            named = consolidated.persons[identity.person]
            is_refuted = is_refuted or use.tags.contradicts(named, has_rival=True)
        if is_refuted:
            identities[player] = identity._replace(
                person=None, reason=CONTRADICTED, probability=0.0
            )
    for player, probabilities in agreed.items():
        identity = identities[player]
        if identity.stage == _SIMILARITY:
            continue  # a similar name may be that of an unlisted player
        if len(probabilities) == uses[player].games and min(probabilities) > identity.probability:
            identities[player] = identity._replace(probability=min(probabilities), reason=CONFIRMED)
    others = GamePlayers()
    for game_id, side, player, person, probability in by_game:
        if player not in identities or person != identities[player].person:
            others.add(game_id, side, player, (person, probability))
    return consolidated._replace(identities=identities), others


_SIMILARITY = STAGES[NameDifference.SIMILAR]
CONTRADICTED = "its games are by other players"
CONFIRMED = "all its games agree"


class SurePlayers:
    """The certain players of each side of given moves, in any game; 8 bytes for each."""

    def __init__(self, keys: NumberSet) -> None:
        """Take the sorted keys of the moves (PlayedGame.key); other keys are ignored."""
        self._keys = keys
        self._persons = NumberSet(_SIDE_AND_PERSON_BITS)

    def add(self, key: int, side: int, person: int) -> None:
        """Add a person; call sort() before the next lookup."""
        index = self._keys.index(key)
        if index is not None:
            self._persons.add(index << _SIDE_AND_PERSON_BITS | side << _PERSON_BITS | person)

    def sort(self) -> None:
        self._persons.sort()

    def get(self, key: int, side: int) -> frozenset[int]:
        """Return the persons who certainly played a side."""
        index = self._keys.index(key)
        if index is None:
            return _NO_PERSONS
        first = index << _SIDE_AND_PERSON_BITS | side << _PERSON_BITS
        numbers = self._persons.between(first, first + (1 << _PERSON_BITS))
        return frozenset(number - first for number in numbers) if numbers else _NO_PERSONS


_PERSON_BITS = 32
_SIDE_AND_PERSON_BITS = _PERSON_BITS + 1
_NO_PERSONS = frozenset[int]()
_NO_COUNTRIES = frozenset[str]()


_OPEN = object()  # the result of _by_name() if only evidence can decide


class Judge:
    """Collects the evidence of games for persons, then decides single sides.

    `claims`: of the database whose games are judged. `careers`: of the candidates of unresolved
    names. `sure`: the certain players of moves that also occur under an unresolved name.
    """

    def __init__(
        self, uses: Mapping[int, NameUse], consolidated: Consolidated, claims: GameClaims | None
    ) -> None:
        self.claims = claims
        self.careers: Mapping[int, evidence.AnyCareer] | Careers = {}
        self.sure = SurePlayers(NumberSet())
        self._persons, self._identities = consolidated
        self._uses = uses
        self._by_fide_id = consolidated.persons.with_fide_ids()
        self._candidates_of = lru_cache(maxsize=_NAMES_READY)(self._read_candidates)
        self._person = lru_cache(maxsize=_PERSONS_READY)(consolidated.persons.__getitem__)
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
        if not (
            evidence.is_possible(years, use.first_year)
            and evidence.is_possible(years, use.last_year)
        ):
            return True
        fide_id = self._persons.fide_id(identity.person)
        if use.fide_ids and use.fide_ids.keys() != {fide_id}:
            return True
        if fide_id is None or fide_id in use.fide_ids:
            return False
        if use.highest != evidence.NO_CLAIM and use.highest.contradicts(
            self._persons[identity.person]
        ):
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

    def needs_evidence(self, game: PlayedGame) -> bool:
        """Return whether careers or equal games are needed to decide a game."""
        return any(self._by_name(game, side) is _OPEN for side in (0, 1))

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
        candidates = self._candidates_of(identity.player_id)
        chosen = evidence.choose(
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
        probability = evidence.revised_probability(
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
        person = self._candidates_of(identity.player_id).persons[identity.person]
        elo, country = game.elos[side], game.countries[side]
        countries = frozenset((country,)) if country else _NO_COUNTRIES
        tags = evidence.TagSummary(game.titles[side].upper(), elo, elo, countries)
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
        assert self.claims is not None
        claim = self.claims.claim(game, side)
        return claim is None or not claim.contradicts(person)

    def _is_old_enough(self, person: Person, game: PlayedGame, side: int) -> bool:
        """Return whether a person was alive and no small child."""
        assert self.claims is not None
        has_id = bool(game.fide_ids[side]) and game.fide_ids[side] == person.fide_id
        years = person.birth_year or 0, person.death_year or 0
        as_child = has_id or self.claims.is_youth(game)
        return evidence.is_possible(years, game.year, as_child=as_child)

    def _is_nickname(self, identity: Identity, game: PlayedGame) -> bool:
        """Return whether a name is a nickname in a game; then only a FIDE ID identifies it."""
        name = self._uses[identity.player_id].name
        assert self.claims is not None
        return may_be_nickname(name) and self.claims.is_on_web(game)

    def _side(self, game: PlayedGame, side: int, *, is_numbered: bool) -> evidence.GameSide:
        assert self.claims is not None
        # Rivals are not present under a doubtful name, but its person may be under no other one.
        ignores_presence = is_numbered or game.players[side] in self.doubtful_names
        return evidence.GameSide(
            game.year, game.elos[side], game.titles[side], game.countries[side],
            game.fide_ids[side], event_key(game.event, game.year), game.players[1 - side],
            self.sure.get(game.key, side) if game.key else _NO_PERSONS, game.source,
            self.claims.claim(game, side), ignores_presence, self.claims.is_youth(game),
        )  # fmt: skip

    def _weigh(
        self, identity: Identity, game: PlayedGame, side: int
    ) -> list[tuple[int, float, float]]:
        """Return (person, evidence of the name, evidence of name and game) of each candidate."""
        candidates = self._candidates_of(identity.player_id)
        game_side = self._side(game, side, is_numbered=candidates.is_numbered)
        own = identity.person if self._is_sure(identity) else None
        if own is not None:  # the games of a name are no evidence for the name itself
            game_side = game_side._replace(in_duplicates=game_side.in_duplicates - {own})
        ids = self._uses[identity.player_id].fide_ids
        careers, persons = self.careers, candidates.persons
        weighed = []
        for number, weight in candidates.weighed:
            career = careers.get(number) if number != own else None
            value = evidence.side_evidence(game_side, persons[number], number, career, ids)
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
        somebody_else = evidence.SOMEBODY_ELSE
        if namesake:
            somebody_else = evidence.namesakes(namesake, weighed, persons)
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

    def merge(self, other: CareerNotes) -> None:
        self.years |= other.years
        self.opponents |= other.opponents
        for event, sources in other.events.items():
            self.events.setdefault(event, set()).update(sources)
        for year, (total, count) in other.elos.items():
            elos = self.elos.setdefault(year, [0, 0])
            elos[0] += total
            elos[1] += count

    def career(self) -> evidence.Career:
        elos = {year: total / count for year, (total, count) in self.elos.items()}
        first, last = min(self.years, default=0), max(self.years, default=0)
        return evidence.Career(first, last, self.events, frozenset(self.opponents), elos)


def event_key(event: int, year: int) -> int:
    """Return one number for an event ID and a year, 0 if either is unknown (event 1 is "")."""
    return event << 12 | year if event > 1 and year else 0
