"""Equal records of several sources: reference of kernels/search/equal_records.pxd."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tests.reference.game_record import Game

Places = list[int]


def with_rosters(games: Sequence[Game]) -> list[Game]:
    """Return the games, in sorted order, with their rosters and ranks."""
    result = list(games)
    by_roster: dict[object, Places] = defaultdict(list)
    for place, game in enumerate(games):
        has_round = bool(game.round) and not game.is_round_doubtful
        is_known = bool(game.moves or game.date.day or has_round or game.event.letters)
        if None not in game.names and not game.is_by_one and is_known:
            by_roster[_record_of(game)].append(place)
    rosters = [places for places in by_roster.values() if len(_sources(games, places)) > 1]
    for number, places in enumerate(rosters, 1):
        sources = frozenset(_sources(games, places))
        for place, rank in _ranks(games, places).items():
            result[place] = games[place]._replace(roster=number, rank=rank, roster_sources=sources)
    return result


def are_equal_records(a: Game, b: Game) -> bool:
    return a.roster > 0 and a.source != b.source and (a.roster, a.rank) == (b.roster, b.rank)


def are_one_record(a: Game, b: Game) -> bool:
    """Return whether two sources have the same record, with or without players."""
    return are_equal_records(a, b) or (a.content == b.content and a.source != b.source)


def share_source(a: Game, b: Game) -> bool:
    """Return whether one source has both games, or equal records."""
    return bool({a.source, *a.roster_sources} & {b.source}) or a.source in b.roster_sources


def _record_of(game: Game) -> object:
    return game.start, game.moves, game.written


def _sources(games: Sequence[Game], places: Places) -> dict[int, Places]:
    """Return the places of each source in order of their contents."""
    by_source: dict[int, Places] = defaultdict(list)
    for place in sorted(places, key=lambda place: (games[place].content, games[place].number)):
        by_source[games[place].source].append(place)
    return by_source


def _ranks(games: Sequence[Game], places: Places) -> dict[int, int]:
    """Rank the records of the largest source; other records get the ranks of equal ones first."""
    by_source = _sources(games, places)
    largest = min(
        sorted(by_source),
        key=lambda source: (-len(by_source[source]), games[by_source[source][0]].content),
    )
    model = [games[place].content for place in by_source[largest]]
    ranks: dict[int, int] = {}
    for own in by_source.values():
        free = list(range(len(model)))
        for place in own:
            equal = [rank for rank in free if model[rank] == games[place].content]
            if equal:
                ranks[place] = equal[0]
                free.remove(equal[0])
        for place in own:
            if place not in ranks:
                ranks[place] = free.pop(0)
    return ranks
