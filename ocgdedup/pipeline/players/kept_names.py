"""Names that an update does not look up again: those without new games since the last run.

A list gives the same answer for a name as long as its games and the list stay the same. Names that
depend on other names are looked up again: those of unlisted players are compared with each other,
and an unresolved name may mean an unlisted player who has the same surname and new games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import apsw

from ocgdedup._kernels.names import NameGames
from ocgdedup.matching.names.consolidate import NOT_LISTED, Identity
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import PersonTable
from ocgdedup.pipeline.players.game_claims import is_full_name
from ocgdedup.store import players as store

_UNRESOLVED = "unresolved before"


class KeptNames(NamedTuple):
    """Names that keep their players, by name ID; by default none.

    `identities`: of the names, and of unlisted full names, whose persons are made again. `persons`:
    stored player IDs of the names, 0 for an unresolved one. `resolutions`: of single games.
    `ids`: stored IDs of the persons of these, by number in the list. `looked_up`: the other names
    all of whose games have the name's player, with their stored resolutions; None for an unresolved
    name. `newest`: ID of the last game that is not new.
    """

    identities: Mapping[int, Identity] = {}
    persons: Mapping[int, int] = {}
    resolutions: Sequence[store.Resolution] = ()
    ids: Mapping[int, int] = {}
    looked_up: Mapping[int, store.Resolution | None] = {}
    newest: int = 0

    def open_among(self, players: Iterable[int]) -> Iterator[int]:
        """Yield the names that are looked up, or compared with unlisted names."""
        for player in players:
            identity = self.identities.get(player)
            if identity is None or identity.reason == NOT_LISTED:
                yield player


def kept_names(
    connection: apsw.Connection,
    listed: PersonTable,
    games: NameGames,
    names: Mapping[int, str],
    newest: int,
) -> KeptNames:
    """Return the names of a database that keep their players.

    `listed`: the persons of the list; `newest`: ID of the last game that is not new.
    """
    numbers = listed.with_fide_ids()
    masters = _without_fide_id(listed)
    listed_as: dict[int, int | None] = {
        row.person_id: numbers.get(row.fide_id)
        if row.fide_id
        else masters.get((row.name, row.birth_year))
        for row in store.stored_persons(connection)
    }
    by_name: dict[int, store.Resolution] = {}
    by_game: defaultdict[int, list[store.Resolution]] = defaultdict(list)
    for row in store.stored_resolutions(connection):
        if row.scope == "name":
            by_name[row.player_id] = row
        else:
            by_game[row.player_id].append(row)
    changed = set(games.names(is_new=True))
    surnames = {
        word
        for player in changed
        if player not in by_name or listed_as[by_name[player].person_id] is None
        for word in name_form(names[player]).surname
    }
    with_open_games = store.names_with_candidates(connection)
    looked_up: dict[int, store.Resolution | None] = {}
    identities: dict[int, Identity] = {}
    persons: dict[int, int] = {}
    resolutions: list[store.Resolution] = []
    ids: dict[int, int] = {}
    for player in games.names():
        of_games = [listed_as[row.person_id] for row in by_game.get(player, ())]
        stored = by_name.get(player)
        if not of_games and not (stored and player in with_open_games):
            looked_up[player] = stored
        if player in changed or None in of_games:
            continue
        if stored is not None and stored.reason == NOT_LISTED:
            if is_full_name(names[player]):
                identities[player] = _identity(stored, None)
            continue
        if stored is not None:
            number = listed_as[stored.person_id]
            if number is None:  # an abbreviated name of an unlisted player
                continue
            identities[player] = _identity(stored, number)
            ids[number] = stored.person_id
        elif surnames.isdisjoint(name_form(names[player]).surname):
            identities[player] = Identity(player, None, "", 0.0, _UNRESOLVED)
        else:
            continue
        looked_up.pop(player, None)
        persons[player] = stored.person_id if stored is not None else 0
        for row, number in zip(by_game.get(player, ()), of_games, strict=True):
            if number is not None:
                resolutions.append(row)
                ids[number] = row.person_id
    return KeptNames(identities, persons, resolutions, ids, looked_up, newest)


def _identity(stored: store.Resolution, person: int | None) -> Identity:
    return Identity(
        stored.player_id, person, stored.stage, stored.score or 0.0, stored.reason or "",
        stored.probability,
    )  # fmt: skip


def _without_fide_id(listed: PersonTable) -> dict[tuple[str, int | None], int]:
    """Return the numbers of listed persons without a FIDE ID by name and year of birth."""
    fide_ids, numbers = listed.fide_ids(), []
    with suppress(ValueError):
        number = -1
        while True:
            number = fide_ids.index(0, number + 1)
            numbers.append(number)
    persons = ((listed[number], number) for number in numbers)
    return {(person.name, person.birth_year): number for person, number in persons}
