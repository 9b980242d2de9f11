"""Choose how open names are written, and beside which name each FIDE ID of the games is written.

A name is open if it does not surely mean one player. The choice follows from the players in the
database and is stored, so that all outputs agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

import apsw

from ocgdedup.matching.canonical_name import FoldKeys, WrittenName, fold_keys, open_spellings
from ocgdedup.store import canonical_names as store
from ocgdedup.store.names import game_kind, read_state, write_state
from ocgdedup.store.selection import texts_by_id

_CHOICE = "Spellings"  # in Info: the version of the choice, so that older databases get this one
_VERSION = "1"


def lacks_spellings(connection: apsw.Connection) -> bool:
    """Return whether an older version, which chose no spellings, resolved the names."""
    return read_state(connection, _CHOICE) != _VERSION


def write_spellings(connection: apsw.Connection) -> None:
    """Choose and store the spellings, none without players; call it after every change of these."""
    if not store.are_resolved(connection):
        store.write_open_names(connection, ())
        store.write_names_of_ids(connection, {})
        write_state(connection, _CHOICE, None)
        return
    names = texts_by_id(connection, "Players")
    sure = {row[:2]: WrittenName(row.name, row.fide_id) for row in store.sure_names(connection)}
    open_games: Counter[int] = Counter()
    written: set[WrittenName] = set()
    for player, person, games in store.games_by_name(connection):
        if (player, person) in sure:
            written.add(sure[player, person])
        else:
            open_games[player] += games
    open_names = {name: games for i, games in open_games.items() if (name := names.get(i))}
    spellings = dict(open_spellings(open_names, written, _keys_of(connection)))
    numbered = ((player, spellings.get(names.get(player) or "")) for player in sorted(open_games))
    rows = [(player, spelling) for player, spelling in numbered if spelling is not None]
    store.write_open_names(connection, rows)
    store.write_names_of_ids(connection, _names_of_ids(connection, names, sure, dict(rows)))
    write_state(connection, _CHOICE, _VERSION)


def _keys_of(connection: apsw.Connection) -> FoldKeys:
    if not game_kind(connection).is_go:
        return fold_keys
    from ocgdedup.matching.names.go_spelling import spelling  # 12 ms

    return lambda name: (key,) if (key := spelling(name).key) else ()


def _names_of_ids(
    connection: apsw.Connection,
    names: Mapping[int, str | None],
    sure: Mapping[tuple[int, int], WrittenName],
    spellings: Mapping[int, str],
) -> dict[int, str]:
    """Return the name beside which each FIDE ID is written that is not a sure player's."""
    of_players = {written.fide_id for written in sure.values()}
    games_of: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for player, person, fide_id, games in store.games_by_fide_id(connection):
        if fide_id and fide_id not in of_players:
            written = sure.get((player, person))
            name = written.name if written else spellings.get(player) or names.get(player) or ""
            games_of[fide_id][name] += games
    return {
        fide_id: max(counts, key=lambda name: (counts[name], name))
        for fide_id, counts in sorted(games_of.items())
    }
