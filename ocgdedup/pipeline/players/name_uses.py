"""What the games of each name say together, for the consolidation of names.

What parts of a collection say of a name can be merged: the order of the parts does not matter.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

import apsw

from ocgdedup.matching.names.consolidate import NameUse
from ocgdedup.matching.names.evidence import Claim
from ocgdedup.pipeline.players.by_game import event_key
from ocgdedup.pipeline.players.game_claims import GameClaims, is_full_name
from ocgdedup.store import players as store
from ocgdedup.store.players import PlayedGame, played_games, players_of_events, year_of

_NO_IDS: Mapping[int, int] = {}  # one for all names, and so are the events and the claims
_NO_EVENTS: Collection[int] = ()
_NO_CLAIMS = frozenset[Claim]()  # a new one takes 216 bytes
# More different players than that in one year have no event in common but its name.
_LARGEST_EVENT = 600


class NameFacts(NamedTuple):
    """What games say of a name.

    `fide_ids`: how often each ID is beside it; the years are those of the first and last game, 0 if
    no date is known. `claims`: the lowest Elo for each title, None if a game says nothing that can
    be held against a list; `is_off_web`: a game was not played on the web.
    """

    player_id: int
    name: str
    games: int
    fide_ids: Mapping[int, int]
    first_year: int
    last_year: int
    claims: Mapping[str, int] | None
    is_off_web: bool


def name_facts(connection: apsw.Connection, claims: GameClaims) -> Iterator[NameFacts]:
    """Yield what the games of a database say of each name that has games."""
    known = _Said(claims)
    for game in played_games(connection):
        known.add(game)
    for player, name, games in store.distinct_names(connection):
        yield known.facts(player, name, games)


class _Said:
    """What the games that were added say of each name, in few bytes a name."""

    def __init__(self, claims: GameClaims) -> None:
        self._numbers: dict[int, int] = {}  # of players, as they come
        self._first_years, self._last_years = array("H"), array("H")  # 0: no date is known
        self._fide_ids: dict[int, dict[int, int]] = {}
        self._claims = claims
        self._least: dict[int, dict[str, int]] = {}  # Elos by title
        self._unclaimed, self._off_web = bytearray(), bytearray()

    def add(self, game: PlayedGame) -> None:
        names = self._number(game.players[0]), self._number(game.players[1])
        is_on_web = self._claims.is_on_web(game)
        year = game.year
        for side, (name, fide_id) in enumerate(zip(names, game.fide_ids, strict=True)):
            if not is_on_web:
                self._off_web[name] = True
            if not self._unclaimed[name]:
                self._add_claim(game, side, name)
            if fide_id:
                counted = self._fide_ids.setdefault(name, {})
                counted[fide_id] = counted.get(fide_id, 0) + 1
            if year:
                if year > self._last_years[name]:
                    self._last_years[name] = year
                if year < self._first_years[name] or not self._first_years[name]:
                    self._first_years[name] = year

    def _add_claim(self, game: PlayedGame, side: int, name: int) -> None:
        claim = self._claims.claim(game, side)
        if claim is None:
            self._unclaimed[name] = True
            self._least.pop(name, None)
        else:
            least = self._least.setdefault(name, {})
            least[claim.title] = min(claim.elo, least.get(claim.title, claim.elo))

    def _number(self, player: int) -> int:
        number = self._numbers.get(player)
        if number is None:
            number = self._numbers[player] = len(self._numbers)
            for column in (self._first_years, self._last_years, self._unclaimed, self._off_web):
                column.append(0)
        return number

    def facts(self, player: int, name: str, games: int) -> NameFacts:
        """Return what was said of a name of the games."""
        number = self._number(player)
        return NameFacts(
            player,
            name,
            games,
            self._fide_ids.get(number, _NO_IDS),
            _shared(self._first_years[number]),
            _shared(self._last_years[number]),
            None if self._unclaimed[number] else self._least.get(number, {}),
            bool(self._off_web[number]),
        )


@lru_cache(maxsize=1 << 12)
def _shared(number: int) -> int:
    """Return one and the same number for all that are equal: years are few."""
    return number


def merged_facts(parts: Iterable[NameFacts]) -> NameFacts:
    """Return what all games of a name say, from what parts of them say."""
    rows = list(parts)
    if len(rows) == 1:
        return rows[0]
    fide_ids: Counter[int] = Counter()
    least: dict[str, int] = {}
    for row in rows:
        fide_ids.update(row.fide_ids)
        for title, elo in (row.claims or {}).items():
            least[title] = min(elo, least.get(title, elo))
    first_years = [row.first_year for row in rows if row.first_year]
    return NameFacts(
        rows[0].player_id,
        rows[0].name,
        sum(row.games for row in rows),
        fide_ids,
        min(first_years, default=0),
        max(row.last_year for row in rows),
        None if any(row.claims is None for row in rows) else least,
        any(row.is_off_web for row in rows),
    )


def name_use(facts: NameFacts, events: Collection[int] = _NO_EVENTS) -> NameUse:
    """Return facts of a name, and the events that its player took part in, for consolidation."""
    claims = _NO_CLAIMS
    if facts.claims is not None:
        claims = frozenset(Claim(title, elo) for title, elo in facts.claims.items())
    return NameUse(
        facts.player_id,
        facts.name,
        facts.games,
        facts.fide_ids,
        events,
        facts.first_year,
        facts.last_year,
        claims,
        not facts.is_off_web and not is_full_name(facts.name or ""),
    )


def name_uses(connection: apsw.Connection, claims: GameClaims) -> list[NameUse]:
    """Return what all games of each name in a database say together."""
    events = events_of_players(players_of_events(connection))
    facts = name_facts(connection, claims)
    return [
        name_use(row, events.pop(row.player_id) if row.player_id in events else _NO_EVENTS)
        for row in facts
    ]


def events_of_players(rows: Iterable[tuple[int, str, int]]) -> dict[int, array[int]]:
    """Return the keys of the events that each player took part in, of which all may have met.

    `rows`: (event ID, date or its year, player ID), all of an event together.
    """
    events: dict[int, array[int]] = {}
    for key, players in small_events(rows):
        for player in players:
            own = events.get(player)
            if own is None:
                own = events[player] = array("q")
            own.append(key)
    return events


def telling_rows(rows: Iterable[tuple[int, str, int]]) -> Iterator[tuple[int, str, int]]:
    """Yield rows of players_of_events(), of a large event as many as show that it is one.

    What small_events() makes of rows from all parts of a collection stays the same.
    """
    for _, of_year in groupby(rows, key=itemgetter(0, 1)):
        yield from islice(of_year, _LARGEST_EVENT + 1)


def small_events(rows: Iterable[tuple[int, str, int]]) -> Iterator[tuple[int, set[int]]]:
    """Yield the key and the players of each event in which all of them may have met."""
    for _, of_event in groupby(rows, key=itemgetter(0)):
        players: defaultdict[int, set[int]] = defaultdict(set)
        for event, date, player in of_event:
            key = event_key(event, year_of(date))
            if key and len(players[key]) <= _LARGEST_EVENT:
                players[key].add(player)
        for key, own in players.items():
            if len(own) <= _LARGEST_EVENT:
                yield key, own
