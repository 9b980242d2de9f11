"""Who played, game by game, where the name alone does not say it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from ocgdedup.matching.names.consolidate import Consolidated, Identity, NameUse
from ocgdedup.matching.names.evidence import (
    SOMEBODY_ELSE,
    Career,
    GameSide,
    choose,
    is_possible,
    namesakes,
    side_evidence,
)
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.model import Reporter
from ocgdedup.pipeline.game_claims import GameClaims, may_be_nickname
from ocgdedup.store.player_games import PlayedGame

_TOLD_EVERY = 5000

Games = Callable[[], Iterable[PlayedGame]]


class GamePlayers(NamedTuple):
    """(game ID, side) to (person or None, probability), where it differs from the name's person.

    `players` holds the player ID of each of those sides.
    """

    persons: dict[tuple[int, int], tuple[int | None, float]]
    players: dict[tuple[int, int], int]

    def by_name(self) -> Iterator[tuple[tuple[int, int | None], float]]:
        """Yield ((player ID, person), probability) of each side."""
        for place, (person, probability) in self.persons.items():
            yield (self.players[place], person), probability


def players_by_game(
    games: Games,
    uses: Sequence[NameUse],
    found: Consolidated,
    claims: GameClaims,
    reporter: Reporter,
) -> GamePlayers:
    """Decide the sides that names leave open, and those whose name's person is not possible.

    Reads the games three times: careers, the same games elsewhere, decisions. Nothing decided here
    is evidence for the next game, so the order does not matter.
    """
    judge = Judge({use.player_id: use for use in uses}, found, claims)
    for game in games():
        judge.note_career(game)
    judge.careers = {person: notes.career() for person, notes in judge.take_notes().items()}
    if judge.keys:
        for game in games():
            if game.key in judge.keys:
                for side, person in judge.sure_players(game):
                    judge.add_sure_player(game.key, side, person)
    decided = GamePlayers({}, {})
    for count, game in enumerate(games(), 1):
        if count % _TOLD_EVERY == 0:
            reporter.advance(count, 0)
        for side, verdict in enumerate(judge.decide_both(game)):
            if verdict is not None:
                decided.persons[game.game_id, side] = verdict
                decided.players[game.game_id, side] = game.players[side]
    return decided


# What _by_name() says of a side that only evidence decides.
_OPEN = object()


class Judge:
    """Collects what games say of persons, then decides single sides.

    `claims`: of the database whose games are judged. `careers`: of the persons in `wanted`, who may
    be meant by names that are open; `keys`: of the games under such names.
    """

    def __init__(
        self, uses: Mapping[int, NameUse], found: Consolidated, claims: GameClaims | None
    ) -> None:
        self.claims = claims
        self.careers: dict[int, Career] = {}
        self.keys: set[int] = set()
        self._found = found
        self._uses = uses
        self._by_fide_id = found.persons.with_fide_ids()
        self._wanted = {
            number
            for identity in found.identities.values()
            if identity.person is None
            for number, _ in identity.candidates
        }
        self._sure: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        self._notes: dict[int, CareerNotes] = {}

    def note_career(self, game: PlayedGame) -> None:
        """Note a game for persons who may be meant by open names."""
        for side in (0, 1):
            identity = self._found.identities.get(game.players[side])
            if identity is None:
                continue
            if identity.person is None:
                if identity.candidates and game.key:
                    self.keys.add(game.key)
            elif identity.person in self._wanted and self._is_possible(identity, game, side):
                self._notes.setdefault(identity.person, CareerNotes()).add(game, side)

    def take_notes(self) -> dict[int, CareerNotes]:
        """Return the notes by person, and forget them."""
        notes, self._notes = self._notes, {}
        return notes

    def sure_players(self, game: PlayedGame) -> Iterator[tuple[int, int]]:
        """Yield side and person of the players whose name says who they are."""
        for side in (0, 1):
            identity = self._found.identities.get(game.players[side])
            if identity is not None and identity.person in self._wanted:
                yield side, identity.person

    def add_sure_player(self, key: int, side: int, person: int) -> None:
        """Note who surely played a game whose moves are also there under an open name."""
        self._sure[key, side].add(person)

    def needs_evidence(self, game: PlayedGame) -> bool:
        """Tell if careers or equal games are needed to decide a game."""
        return any(self._by_name(game, side) is _OPEN for side in (0, 1))

    def decide_both(self, game: PlayedGame) -> list[tuple[int | None, float] | None]:
        """Decide both sides. Nobody plays himself: whoever evidence puts on both is on neither."""
        verdicts = [self.decide(game, side) for side in (0, 1)]
        persons = [
            verdict[0] if verdict is not None else self._person_of_name(player)
            for verdict, player in zip(verdicts, game.players, strict=True)
        ]
        if persons[0] is None or persons[0] != persons[1]:
            return verdicts
        return [
            (None, 0.0) if verdict is not None and not game.fide_ids[side] else verdict
            for side, verdict in enumerate(verdicts)
        ]

    def _person_of_name(self, player: int) -> int | None:
        identity = self._found.identities.get(player)
        return identity.person if identity is not None else None

    def decide(self, game: PlayedGame, side: int) -> tuple[int | None, float] | None:
        """Return who played a side, if the name does not say it or says what cannot be."""
        verdict = self._by_name(game, side)
        if verdict is not _OPEN:
            return cast("tuple[int | None, float] | None", verdict)
        identity = self._found.identities[game.players[side]]
        person, probability = self._choose(identity, self._side(game, side))
        if person is None and identity.person is None:
            return None
        return person, probability

    def _by_name(self, game: PlayedGame, side: int) -> object:
        """Return what decide() does if name and FIDE ID decide it, else _OPEN."""
        identity = self._found.identities.get(game.players[side])
        if identity is None:
            return None
        tagged = self._by_fide_id.get(game.fide_ids[side]) if game.fide_ids[side] else None
        if (
            tagged is not None
            and tagged != identity.person
            and tagged in self._fitting(identity)
            and is_possible(self._found.persons.years(tagged), game.year)
        ):
            return tagged, 1.0
        if identity.person is not None and self._is_possible(identity, game, side):
            return None
        if self._is_nickname(identity, game):
            return None if identity.person is None else (None, 0.0)
        return _OPEN

    def _fitting(self, identity: Identity) -> Mapping[int, float]:
        """Return the persons whose FIDE ID may stand beside a name."""
        return dict(identity.candidates) | dict(identity.tagged)

    def _is_possible(self, identity: Identity, game: PlayedGame, side: int) -> bool:
        """Tell if a name's person can have played a game; a FIDE ID beside the name says so."""
        assert identity.person is not None
        if not is_possible(self._found.persons.years(identity.person), game.year):
            return False
        person = self._found.persons[identity.person]
        if person.fide_id is None or person.fide_id in self._uses[identity.player_id].fide_ids:
            return True
        if self._is_nickname(identity, game):
            return False
        assert self.claims is not None
        claim = self.claims.claim(game, side)
        return claim is None or not claim.contradicts(person)

    def _is_nickname(self, identity: Identity, game: PlayedGame) -> bool:
        """Tell if a name is a nickname in a game, so that only a FIDE ID says whose it is."""
        name = self._uses[identity.player_id].name
        assert self.claims is not None
        return may_be_nickname(name) and self.claims.is_on_web(game)

    def _side(self, game: PlayedGame, side: int) -> GameSide:
        name = self._uses[game.players[side]].name
        assert self.claims is not None
        return GameSide(
            game.year,
            game.elos[side],
            game.titles[side],
            game.countries[side],
            game.fide_ids[side],
            event_key(game.event, game.year),
            game.players[1 - side],
            frozenset(self._sure.get((game.key, side), ())) if game.key else frozenset(),
            game.source,
            self.claims.claim(game, side),
            bool(name_form(name).number),
        )

    def _choose(self, identity: Identity, side: GameSide) -> tuple[int | None, float]:
        persons = self._found.persons
        ids = self._uses[identity.player_id].fide_ids
        weighed = [
            (
                number,
                evidence
                + side_evidence(side, persons[number], number, self.careers.get(number), ids),
            )
            for number, evidence in identity.candidates
        ]
        number = name_form(self._uses[identity.player_id].name).number
        somebody_else = SOMEBODY_ELSE
        if number:
            somebody_else = namesakes(number, identity.candidates, persons)
        return choose(weighed, persons, somebody_else)


class CareerNotes:
    """What games of one person say of him; notes of several parts of the games can be merged."""

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

    def career(self) -> Career:
        return Career(
            min(self.years, default=0),
            max(self.years, default=0),
            self.events,
            frozenset(self.opponents),
            {year: total / count for year, (total, count) in self.elos.items()},
        )


def event_key(event: int, year: int) -> int:
    """Return one number for an event (its ID) in a year; 0 if either is unknown.

    The first event ID is the empty name's.
    """
    return event << 12 | year if event > 1 and year else 0
