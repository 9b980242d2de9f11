"""Find the players of single games whose names alone do not identify them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from ocgdedup.matching.names import evidence
from ocgdedup.matching.names.consolidate import (
    GIVEN_SPELLING,
    Consolidated,
    Identity,
    NameUse,
)
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.model import Reporter
from ocgdedup.pipeline.players.careers import Careers, NumberSet
from ocgdedup.pipeline.players.game_claims import GameClaims, may_be_nickname
from ocgdedup.store.players import PlayedGame

_REPORT_EVERY = 5000

_NO_PERSON = -1


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


class PersonsOfGames(Mapping[tuple[int, int], int | None]):
    """The person ID, or None, by game ID and side."""

    def __init__(self, players: GamePlayers, ids: Mapping[int, int]) -> None:
        """Take sides in the order of game IDs, and the IDs of persons."""
        self._games, self._sides, self._ids = array("q"), array("B"), array("q")
        for game_id, side, _, person, _ in players:
            self._games.append(game_id)
            self._sides.append(side)
            self._ids.append(_NO_PERSON if person is None else ids[person])

    def __getitem__(self, key: tuple[int, int]) -> int | None:
        game_id, side = key
        games = self._games
        index = bisect_left(games, game_id)
        while index < len(games) and games[index] == game_id:
            if self._sides[index] == side:
                return None if self._ids[index] == _NO_PERSON else self._ids[index]
            index += 1
        raise KeyError(key)

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._games, self._sides, strict=True)


def players_by_game(
    games: Callable[[], Iterable[PlayedGame]],
    uses: Sequence[NameUse],
    consolidated: Consolidated,
    claims: GameClaims,
    reporter: Reporter,
) -> GamePlayers:
    """Decide the sides whose name is not resolved, or whose name's person cannot have played.

    Reads the games three times: for careers, for other records of the same games, for the
    decisions. No decision is evidence for another game, so the order of games does not matter.
    """
    judge = Judge({use.player_id: use for use in uses}, consolidated, claims)
    careers = judge.careers = Careers(len(consolidated.persons))
    keys = NumberSet()
    for game in games():
        for side, person in judge.players_by_career(game):
            careers.add(person, game, side, event_key(game.event, game.year))
        if game.key and judge.has_open_name(game):
            keys.add(game.key)
    careers.sort()
    keys.sort()
    if keys:
        sure = judge.sure = SurePlayers(keys)
        for game in games():
            if game.key in keys:
                for side, person in judge.sure_players(game):
                    sure.add(game.key, side, person)
        sure.sort()
    decided = GamePlayers()
    for count, game in enumerate(games(), 1):
        if count % _REPORT_EVERY == 0:
            reporter.advance(count, 0)
        for side, verdict in enumerate(judge.decide_both(game)):
            if verdict is not None:
                decided.add(game.game_id, side, game.players[side], verdict)
    return decided


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
        self._candidates = {
            number
            for identity in consolidated.identities.values()
            if identity.person is None
            for number, _ in identity.candidates
        }

    def players_by_career(self, game: PlayedGame) -> Iterator[tuple[int, int]]:
        """Yield side and person if a game belongs to the career of a candidate of open names."""
        for side, person in self.sure_players(game):
            if self._is_possible(self._identities[game.players[side]], game, side):
                yield side, person

    def sure_players(self, game: PlayedGame) -> Iterator[tuple[int, int]]:
        """Yield side and person of the candidates whose name is resolved in a game."""
        for side, player in enumerate(game.players):
            identity = self._identities.get(player)
            if identity is not None and identity.person in self._candidates:
                yield side, identity.person

    def has_open_name(self, game: PlayedGame) -> bool:
        """Return whether a name in a game is unresolved and has candidates."""
        identities = filter(None, map(self._identities.get, game.players))
        return any(identity.person is None and identity.candidates for identity in identities)

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
        """Return player and probability of a side that the name does not identify, else None."""
        verdict = self._by_name(game, side)
        if verdict is not _OPEN:
            return cast("tuple[int | None, float] | None", verdict)
        identity = self._identities[game.players[side]]
        person, probability = self._choose(identity, self._side(game, side))
        if person is None and identity.person is None:
            return None
        return person, probability

    def _by_name(self, game: PlayedGame, side: int) -> object:
        """Return the result of decide() if name and FIDE ID decide it, else _OPEN."""
        identity = self._identities.get(game.players[side])
        if identity is None:
            return None
        tagged = self._by_fide_id.get(game.fide_ids[side]) if game.fide_ids[side] else None
        if (
            tagged is not None
            and tagged != identity.person
            and tagged in dict(identity.candidates) | dict(identity.tagged)
            and evidence.is_possible(self._persons.years(tagged), game.year)
        ):
            return tagged, 1.0
        if identity.person is not None and self._is_possible(identity, game, side):
            return None
        if self._is_nickname(identity, game):
            return None if identity.person is None else (None, 0.0)
        return _OPEN

    def _is_possible(self, identity: Identity, game: PlayedGame, side: int) -> bool:
        """Return whether a name's person can have played a game."""
        assert identity.person is not None
        if not evidence.is_possible(self._persons.years(identity.person), game.year):
            return False
        if identity.reason == GIVEN_SPELLING:
            return True
        # If the years fit, a FIDE ID in any game of the name decides.
        person = self._persons[identity.person]
        if person.fide_id is None or person.fide_id in self._uses[identity.player_id].fide_ids:
            return True
        if self._is_nickname(identity, game):
            return False
        assert self.claims is not None
        claim = self.claims.claim(game, side)
        return claim is None or not claim.contradicts(person)

    def _is_nickname(self, identity: Identity, game: PlayedGame) -> bool:
        """Return whether a name is a nickname in a game; then only a FIDE ID identifies it."""
        name = self._uses[identity.player_id].name
        assert self.claims is not None
        return may_be_nickname(name) and self.claims.is_on_web(game)

    def _side(self, game: PlayedGame, side: int) -> evidence.GameSide:
        name = self._uses[game.players[side]].name
        assert self.claims is not None
        return evidence.GameSide(
            game.year, game.elos[side], game.titles[side], game.countries[side],
            game.fide_ids[side], event_key(game.event, game.year), game.players[1 - side],
            self.sure.get(game.key, side) if game.key else _NO_PERSONS, game.source,
            self.claims.claim(game, side), bool(name_form(name).number),
        )  # fmt: skip

    def _choose(self, identity: Identity, side: evidence.GameSide) -> tuple[int | None, float]:
        persons, ids = self._persons, self._uses[identity.player_id].fide_ids
        weighed = []
        for number, weight in identity.candidates:
            career = self.careers.get(number)
            weight += evidence.side_evidence(side, persons[number], number, career, ids)
            weighed.append((number, weight))
        somebody_else = evidence.SOMEBODY_ELSE
        if namesake := name_form(self._uses[identity.player_id].name).number:
            somebody_else = evidence.namesakes(namesake, identity.candidates, persons)
        return evidence.choose(weighed, persons, somebody_else)


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
