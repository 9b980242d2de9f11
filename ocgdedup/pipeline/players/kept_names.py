"""Names that an update does not look up again: those without new games since the last run.

A list gives the same answer for a name as long as its games and the list stay the same. Names that
depend on other names are looked up again: those of unlisted players are compared with each other,
and an unresolved name may mean an unlisted player who has the same surname and new games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
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
    """Names that keep their players, by name ID.

    `identities`: of the names, and of unlisted full names, whose persons are made again. `persons`:
    stored player IDs of the names, 0 for an unresolved one. `resolutions`: of single games.
    `ids`: stored IDs of the persons of these, by number in the list. `looked_up`: the other names
    all of whose games have the name's player, with their stored resolutions; None for an unresolved
    name. `newest`: ID of the last game that is not new.
    """

    identities: dict[int, Identity]
    persons: dict[int, int]
    resolutions: list[store.Resolution]
    ids: dict[int, int]
    looked_up: dict[int, store.Resolution | None]
    newest: int = 0

    def open_among(self, players: Iterable[int]) -> Iterator[int]:
        """Yield the names that are looked up, or compared with unlisted names."""
        for player in players:
            identity = self.identities.get(player)
            if identity is None or identity.reason == NOT_LISTED:
                yield player


class _Stored(NamedTuple):
    """Stored resolutions by name ID, of all games or of single ones; `listed`: see _listed()."""

    by_name: Mapping[int, store.Resolution]
    by_game: Mapping[int, Sequence[store.Resolution]]
    listed: Mapping[int, int | None]

    def is_listed(self, player: int) -> bool:
        row = self.by_name.get(player)
        return row is not None and self.listed[row.person_id] is not None


def no_kept_names() -> KeptNames:
    return KeptNames({}, {}, [], {}, {})


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
    stored = _stored(connection, listed)
    changed = set(games.names(is_new=True))
    unlisted = (player for player in changed if not stored.is_listed(player))
    surnames = {word for player in unlisted for word in name_form(names[player]).surname}
    with_candidates = store.names_with_candidates(connection)
    kept = KeptNames({}, {}, [], {}, {}, newest)
    for player in games.names():
        row, rows = stored.by_name.get(player), stored.by_game.get(player, ())
        identity = None
        if player not in changed and all(stored.listed[of.person_id] is not None for of in rows):
            identity = _identity(player, names[player], row, stored, surnames)
        if identity is not None:
            kept.identities[player] = identity
        if identity is not None and identity.reason != NOT_LISTED:
            kept.persons[player] = row.person_id if row is not None else 0
            kept.resolutions.extend(rows)
            for of in rows if row is None else (row, *rows):
                kept.ids[stored.listed[of.person_id] or 0] = of.person_id
        elif not rows and not (row and player in with_candidates):
            kept.looked_up[player] = row
    return kept


def _stored(connection: apsw.Connection, listed: PersonTable) -> _Stored:
    by_name: dict[int, store.Resolution] = {}
    by_game: defaultdict[int, list[store.Resolution]] = defaultdict(list)
    for row in store.stored_resolutions(connection):
        if row.scope == "name":
            by_name[row.player_id] = row
        else:
            by_game[row.player_id].append(row)
    return _Stored(by_name, by_game, _listed(connection, listed))


def _listed(connection: apsw.Connection, listed: PersonTable) -> dict[int, int | None]:
    """Return the number in the list of each stored player, None if he is not listed."""
    numbers = listed.with_fide_ids()
    masters = _without_fide_id(listed)
    return {
        row.person_id: numbers.get(row.fide_id)
        if row.fide_id
        else masters.get((row.name, row.birth_year))
        for row in store.stored_persons(connection)
    }


def _identity(
    player: int, name: str, row: store.Resolution | None, stored: _Stored, surnames: Set[str]
) -> Identity | None:
    """Return the identity that a name without new games keeps, None if it must be looked up.

    `surnames`: words of unlisted players with new games.
    """
    if row is None:
        may_be_unlisted = not surnames.isdisjoint(name_form(name).surname)
        return None if may_be_unlisted else Identity(player, None, "", 0.0, _UNRESOLVED)
    number = stored.listed[row.person_id] if row.reason != NOT_LISTED else None
    if number is None and not (row.reason == NOT_LISTED and is_full_name(name)):
        return None  # an abbreviated name of an unlisted player
    return Identity(player, number, row.stage, row.score or 0.0, row.reason or "", row.probability)


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
