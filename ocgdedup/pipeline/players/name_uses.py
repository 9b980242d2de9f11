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

from ocgdedup._kernels.names import ClaimRules, NameGames
from ocgdedup.matching.names.consolidate import NameUse
from ocgdedup.matching.names.evidence import Claim, TagSummary, required_rating
from ocgdedup.matching.names.likelihood import RATING_OF_TITLE
from ocgdedup.pipeline.players.game_claims import is_full_name
from ocgdedup.store import players as store
from ocgdedup.store.selection import texts_by_id

# Names without facts share these; an empty frozenset takes 216 bytes.
_NO_IDS: Mapping[int, int] = {}
_NO_EVENTS: Collection[int] = ()
_NO_CLAIMS = frozenset[Claim]()
# Events of one name and year with more players are several events.
LARGEST_EVENT = 600
# In rising order of the rating that FIDE requires.
_TITLES = sorted(
    ((title, required_rating(title)) for title in ("", *RATING_OF_TITLE)),
    key=lambda title: title[::-1],
)


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


def read_games(connection: apsw.Connection, claims: ClaimRules, newest: int = 0) -> NameGames:
    """Read what the games of a database say about each name; `newest`: the last old game."""
    games = NameGames(
        array("q", store.name_ids(connection)), _TITLES, claims, newest=newest,
        largest_event=LARGEST_EVENT,
    )  # fmt: skip
    with store.reading_games(connection) as reader:
        games.read(reader.all_games())
    return games


def names_with_text(connection: apsw.Connection) -> dict[int, str]:
    """Return the names in a database, by name ID."""
    return {player: name or "" for player, name in texts_by_id(connection, "Players").items()}


def name_facts(games: NameGames, names: Mapping[int, str]) -> Iterator[NameFacts]:
    """Yield facts of names with games, by name ID; `names`: texts by name ID."""
    for player, name in names.items():
        facts = games.facts(player)
        if facts is not None:
            count, fide_ids, first_year, last_year, tags, least, highest, is_off_web = facts
            yield NameFacts(
                player, name, count, fide_ids or _NO_IDS, first_year, last_year,
                _shared_tags(TagSummary(*tags)), least, Claim(*highest), is_off_web,
            )  # fmt: skip


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


def name_uses(games: NameGames, names: Mapping[int, str]) -> list[NameUse]:
    """Return the facts and events of names; arguments as of name_facts()."""
    return [name_use(row, games.events_of(row.player_id)) for row in name_facts(games, names)]


def limited_events(rows: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield sorted rows of event and player, at most one more of an event than LARGEST_EVENT.

    The result of events_that_met() for all parts of a collection stays the same.
    """
    for _, of_event in groupby(rows, key=itemgetter(0)):
        yield from islice(of_event, LARGEST_EVENT + 1)


def events_that_met(rows: Iterable[tuple[int, int]]) -> Iterator[tuple[int, list[int]]]:
    """Yield the key and the players of each event so small that all of them may have met.

    `rows`: sorted; see NameGames.players_of_events().
    """
    for key, of_event in groupby(rows, key=itemgetter(0)):
        players = [player for _, player in of_event]
        if len(players) <= LARGEST_EVENT:
            yield key, players
