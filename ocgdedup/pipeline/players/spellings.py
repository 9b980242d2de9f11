"""Choose how open names are written, and beside which name each FIDE ID of the games is written.

A name is open if it does not surely mean one player. The choice follows from the players in the
database and is stored, so that all outputs agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import apsw

from ocgdedup.matching.canonical_name import FoldGroups, WrittenName, fold_groups, open_spellings
from ocgdedup.store import canonical_names as store
from ocgdedup.store.names import game_kind, read_state, write_state
from ocgdedup.store.selection import texts_by_id

_CHOICE = "Spellings"  # in Info: the version of the choice, so that older databases get this one
_VERSION = "1"


def outdate_spellings(connection: apsw.Connection) -> None:
    """Note that players have changed: the next update_spellings() chooses the spellings again."""
    write_state(connection, _CHOICE, None)


def update_spellings(connection: apsw.Connection) -> None:
    """Choose and store the spellings, none without players, if these have changed.

    Also in a database whose names an older version resolved.
    """
    if read_state(connection, _CHOICE) == _VERSION:
        return
    if not store.are_resolved(connection):
        store.write_open_names(connection, {})
        store.write_names_of_ids(connection, {})
        return
    names = texts_by_id(connection, "Players")
    chosen = choose_spellings(
        {number: name for number, name in names.items() if name},
        store.sure_names(connection),
        *store.count_games(connection),
        _groups_of(connection),
    )
    store.write_open_names(connection, chosen.spellings)
    store.write_names_of_ids(connection, chosen.names_of_ids)
    write_state(connection, _CHOICE, _VERSION)


class Spellings(NamedTuple):
    """The spellings of open names, by name ID; the names beside which FIDE IDs are written."""

    spellings: dict[int, str]
    names_of_ids: dict[int, str]


def choose_spellings(
    names: Mapping[int, str],
    sure_names: Iterable[store.SureName],
    games_by_name: Iterable[tuple[int, int, int]],
    games_by_fide_id: Iterable[tuple[int, int, int]],
    groups_of: FoldGroups = fold_groups,
) -> Spellings:
    """Choose the spellings; names and games as of the store's sure_names() and count_games()."""
    sure: dict[tuple[int, int], WrittenName] = {}
    written: dict[int, str] = {}
    of_players: dict[int, str] = {}
    for player, person, name, fide_id, scope in sure_names:
        sure[player, person] = WrittenName(name, fide_id)
        if scope == "name":
            written[player] = name
        if fide_id:
            of_players[fide_id] = name
    open_games: Counter[int] = Counter()
    players: set[WrittenName] = set()
    for player, person, games in games_by_name:
        if (player_name := sure.get((player, person))) is not None:
            players.add(player_name)
        else:
            open_games[player] += games
    by_text = {names[player]: games for player, games in open_games.items() if player in names}
    spellings = dict(open_spellings(by_text, players, groups_of))
    of_names = {
        player: spellings[names[player]]
        for player in sorted(open_games)
        if names.get(player) in spellings
    }
    games_of: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for player, fide_id, games in games_by_fide_id:
        name = written.get(player) or of_names.get(player) or names.get(player, "")
        if name != of_players.get(fide_id):  # an ID that is beside that name alone is left out
            games_of[fide_id][name] += games
    return Spellings(of_names, dict(_names_of_ids(games_of, of_players)))


def _names_of_ids(
    games_of: Mapping[int, Counter[str]], of_players: Mapping[int, str]
) -> Iterator[tuple[int, str]]:
    """Yield each FIDE ID with its player's name, or else that of most games."""
    for fide_id, games in sorted(games_of.items()):
        name = of_players.get(fide_id)
        yield fide_id, max(games, key=lambda name: (games[name], name)) if name is None else name


def _groups_of(connection: apsw.Connection) -> FoldGroups:
    if not game_kind(connection).is_go:
        return fold_groups
    from ocgdedup.matching.names.go_spelling import spelling  # 12 ms

    return lambda names: [spelling(name).key or None for name in names]
