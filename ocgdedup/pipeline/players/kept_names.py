"""Names that an update does not look up again: those without new games since the last run.

A list gives the same answer for a name as long as its games and the list stay the same. Names that
depend on other names are looked up again: those of unlisted players are compared with new names,
and an unresolved name may mean a new player with the same surname.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

import apsw

from ocgdedup._kernels.names import NameGames
from ocgdedup.matching.names.consolidate import NOT_LISTED, Identity
from ocgdedup.matching.names.name_form import is_full, name_form
from ocgdedup.matching.names.name_list import PersonTable
from ocgdedup.store import players as store

_UNRESOLVED = "unresolved before"


class KeptNames(NamedTuple):
    """Names that keep their players, by name ID; by default none.

    `identities`: of the names, and of unlisted full names; these have no person yet. `persons`:
    stored player IDs, 0 for an unresolved name. `resolutions`: of single games, and the
    `persons_of_games`, by number in the list. `with_open_games`: names that have games without a
    player.
    """

    identities: Mapping[int, Identity] = {}
    persons: Mapping[int, int] = {}
    resolutions: Sequence[store.Resolution] = ()
    persons_of_games: Sequence[int] = ()
    with_open_games: Set[int] = frozenset()

    def open_among(self, players: Iterable[int]) -> Iterator[int]:
        """Yield the names that are looked up, or compared with unlisted names."""
        for player in players:
            identity = self.identities.get(player)
            if identity is None or identity.reason == NOT_LISTED:
                yield player


def kept_names(
    connection: apsw.Connection, listed: PersonTable, games: NameGames, names: Mapping[int, str]
) -> KeptNames:
    """Return the names of a database that keep their players; `listed`: the persons of the list."""
    numbers = listed.with_fide_ids()
    fide_ids = {row.person_id: row.fide_id for row in store.stored_persons(connection)}
    by_name: dict[int, store.Resolution] = {}
    by_game: defaultdict[int, list[store.Resolution]] = defaultdict(list)
    for row in store.stored_resolutions(connection):
        if row.scope == "name":
            by_name[row.player_id] = row
        else:
            by_game[row.player_id].append(row)
    changed = set(games.names(is_new=True))
    surnames = {word for player in changed for word in name_form(names[player]).surname}
    identities: dict[int, Identity] = {}
    persons: dict[int, int] = {}
    resolutions: list[store.Resolution] = []
    persons_of_games: set[int] = set()
    for player in games.names():
        of_games = [numbers.get(fide_ids[row.person_id]) for row in by_game.get(player, ())]
        if player in changed or None in of_games:
            continue
        stored = by_name.get(player)
        if stored is None:
            if not surnames.isdisjoint(name_form(names[player]).surname):
                continue
            identity = Identity(player, None, "", 0.0, _UNRESOLVED)
        else:
            number = numbers.get(fide_ids[stored.person_id])
            is_unlisted = number is None and stored.reason == NOT_LISTED
            if number is None and not (is_unlisted and is_full(name_form(names[player]))):
                continue
            identity = Identity(
                player, number, stored.stage, stored.score or 0.0, stored.reason or "",
                stored.probability,
            )  # fmt: skip
        identities[player] = identity
        persons[player] = stored.person_id if stored is not None else 0
        resolutions += by_game.get(player, ())
        persons_of_games.update(number for number in of_games if number is not None)
    with_open_games = persons.keys() & store.names_with_candidates(connection)
    return KeptNames(identities, persons, resolutions, sorted(persons_of_games), with_open_games)
