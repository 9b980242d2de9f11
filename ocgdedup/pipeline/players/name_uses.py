"""Facts about each name from all its games, for the consolidation of names.

Facts of several parts of a collection can be merged; the order of the parts does not matter.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

import apsw

from ocgdedup.matching.names.consolidate import NameUse
from ocgdedup.matching.names.evidence import NO_CLAIM, Claim, TagSummary, highest_title
from ocgdedup.pipeline.players.game_claims import GameClaims, is_full_name
from ocgdedup.store import players as store

# Names without facts share these; an empty frozenset takes 216 bytes.
_NO_IDS: Mapping[int, int] = {}
_NO_EVENTS: Collection[int] = ()
_NO_CLAIMS = frozenset[Claim]()
_NO_TEXTS = frozenset[str](), frozenset[str]()
# Events of one name and year with more players are several events.
_LARGEST_EVENT = 600


class NameFacts(NamedTuple):
    """Facts about a name from its games.

    `fide_ids`: the number of games by FIDE ID; the years are those of the first and last game, 0 if
    unknown. `claims`: the lowest Elo by title, None if a game has no claim that can contradict a
    rating list; `highest`: the highest title and the highest Elo of the claims; `is_off_web`: a
    game was not played on the web.
    """

    player_id: int
    name: str
    games: int
    fide_ids: Mapping[int, int]
    first_year: int
    last_year: int
    tags: TagSummary
    claims: Mapping[str, int] | None
    highest: Claim
    is_off_web: bool


def name_facts(connection: apsw.Connection, claims: GameClaims) -> Iterator[NameFacts]:
    """Yield facts of each name that has games in a database."""
    fide_ids = store.fide_ids_of_names(connection)
    texts = store.titles_and_countries(connection)
    claims_of_names = _Claims(claims)
    for row in store.summaries_of_names(connection, claims.youth_events, claims.youth_sites):
        titles, countries = texts.get(row.player_id, _NO_TEXTS)
        tags = TagSummary(
            highest_title(titles), row.lowest_elo, row.highest_elo, frozenset(countries),
            row.is_youth,
        )  # fmt: skip
        yield NameFacts(
            row.player_id, row.name, row.games, fide_ids.get(row.player_id, _NO_IDS),
            _shared(row.first_year), _shared(row.last_year), _shared_tags(tags),
            *claims_of_names.of(row.player_id, row.games),
        )  # fmt: skip


class _Claims:
    """The claims of the games of each name, in few bytes a name; counts are of sides."""

    def __init__(self, claims: GameClaims) -> None:
        self._numbers: dict[int, int] = {}  # from 0, by player ID
        self._claimed, self._on_web = array("I"), array("I")
        self._least: dict[int, dict[str, int]] = {}  # Elos by title
        self._highest: dict[int, Claim] = {}
        for game in claims.games():
            is_on_web = claims.is_on_web(game)
            for side, player in enumerate(game.players):
                claim = claims.claim(game, side)
                if claim is not None:
                    self._add(self._number(player), claim, is_on_web=is_on_web)

    def _add(self, name: int, claim: Claim, *, is_on_web: bool) -> None:
        self._claimed[name] += 1
        self._on_web[name] += is_on_web
        least = self._least.setdefault(name, {})
        least[claim.title] = min(claim.elo, least.get(claim.title, claim.elo))
        if claim.title or claim.elo:
            highest = self._highest.get(name)
            self._highest[name] = claim if highest is None else highest.joined_with(claim)

    def _number(self, player: int) -> int:
        number = self._numbers.get(player)
        if number is None:
            number = self._numbers[player] = len(self._numbers)
            self._claimed.append(0)
            self._on_web.append(0)
        return number

    def of(self, player: int, games: int) -> tuple[Mapping[str, int] | None, Claim, bool]:
        """Return `claims`, `highest` and `is_off_web` of NameFacts."""
        number = self._numbers.get(player)
        if number is None:
            return None, NO_CLAIM, True
        least = self._least[number] if self._claimed[number] == games else None
        return least, self._highest.get(number, NO_CLAIM), self._on_web[number] < games


@lru_cache(maxsize=1 << 12)
def _shared(number: int) -> int:
    """Return the same object for equal numbers, to save memory."""
    return number


@lru_cache(maxsize=1 << 12)
def _shared_tags(tags: TagSummary) -> TagSummary:
    """Return the same object for equal summaries, to save memory."""
    return tags


def merged_facts(parts: Iterable[NameFacts]) -> NameFacts:
    """Merge the facts of a name from several parts of a collection."""
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
        rows[0].player_id, rows[0].name, sum(row.games for row in rows), fide_ids,
        min(first_years, default=0), max(row.last_year for row in rows),
        reduce(TagSummary.joined_with, (row.tags for row in rows)),
        None if any(row.claims is None for row in rows) else least,
        reduce(Claim.joined_with, (row.highest for row in rows)),
        any(row.is_off_web for row in rows),
    )  # fmt: skip


def name_use(facts: NameFacts, events: Collection[int] = _NO_EVENTS) -> NameUse:
    """Return the facts of a name and the events of its player in the form for consolidation."""
    claims = _NO_CLAIMS
    if facts.claims is not None:
        claims = frozenset(Claim(title, elo) for title, elo in facts.claims.items())
    return NameUse(
        facts.player_id, facts.name, facts.games, facts.fide_ids, events, facts.first_year,
        facts.last_year, facts.tags, claims, facts.highest,
        not facts.is_off_web and not is_full_name(facts.name or ""),
    )  # fmt: skip


def name_uses(connection: apsw.Connection, claims: GameClaims) -> list[NameUse]:
    """Return the facts and events of each name in a database."""
    events = events_of_players(store.players_of_events(connection))
    facts = name_facts(connection, claims)
    return [
        name_use(row, events.pop(row.player_id) if row.player_id in events else _NO_EVENTS)
        for row in facts
    ]


def events_of_players(rows: Iterable[tuple[int, str, int]]) -> dict[int, array[int]]:
    """Return the keys of the events of each player, as of events_that_met().

    `rows`: (event ID, date or its year, player ID), sorted by event.
    """
    events: dict[int, array[int]] = {}
    for key, players in events_that_met(rows):
        for player in players:
            keys = events.get(player)
            if keys is None:
                keys = events[player] = array("q")
            keys.append(key)
    return events


def limited_event_rows(rows: Iterable[tuple[int, str, int]]) -> Iterator[tuple[int, str, int]]:
    """Yield rows of players_of_events(), at most one more of an event than _LARGEST_EVENT.

    The result of events_that_met() for all parts of a collection stays the same.
    """
    for _, of_year in groupby(rows, key=itemgetter(0, 1)):
        yield from islice(of_year, _LARGEST_EVENT + 1)


def events_that_met(rows: Iterable[tuple[int, str, int]]) -> Iterator[tuple[int, list[int]]]:
    """Yield the key and the players of each event so small that all of them may have met."""
    for (event, date), of_year in groupby(rows, key=itemgetter(0, 1)):
        key = event_key(event, store.year_of(date))
        players = [player for _, _, player in of_year]
        if key and len(players) <= _LARGEST_EVENT:
            yield key, players


def event_key(event: int, year: int) -> int:
    """Return one number for an event ID and a year, 0 if either is unknown (event 1 is "")."""
    return event << 12 | year if event > 1 and year else 0
