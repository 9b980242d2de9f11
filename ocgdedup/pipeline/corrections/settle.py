"""Show the corrections of the user: in the games and in the kept games of their groups.

Whatever a load, a look-up, a merge or a repair wrote before, the headers of corrected games have
the corrected values after settle_corrections(). The caller owns the transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

import apsw

from ocgdedup.pipeline.check.game_values import renew_hashes_of
from ocgdedup.pipeline.corrections.values import read_value, with_value, with_value_of
from ocgdedup.store import corrections as store
from ocgdedup.store.corrections import MOVETEXT, Correction, Header
from ocgdedup.store.games import GAME_TABLES
from ocgdedup.store.names import name_of

_PLAYERS = {"White", "Black"}
_TABLES = ("UnmergedHeaders", *GAME_TABLES)  # the original header of a game is in the first one


def settle_corrections(connection: apsw.Connection) -> None:
    """Write the corrected values into all headers that lack them."""
    if not store.has_corrections(connection):
        return
    corrected = {
        game_id: [row for row in rows if row.tag != MOVETEXT]
        for game_id, rows in store.corrections(connection).items()
    }
    originals = correct_originals(connection, corrected)
    _merge(connection, corrected, originals)


def original_headers(
    connection: apsw.Connection, ids: Iterable[int]
) -> dict[int, tuple[str, Header]]:
    """Return the table and the header before merges of each game; unknown games are left out."""
    found: dict[int, tuple[str, Header]] = {}
    for table in _TABLES:
        for game_id, header in store.stored_headers(connection, table, ids).items():
            found.setdefault(game_id, (table, header))
    return found


def correct_originals(
    connection: apsw.Connection, corrected: Mapping[int, Iterable[Correction]]
) -> dict[int, Header]:
    """Write corrected values into the headers before merges; return these."""
    originals: dict[int, Header] = {}
    changes: dict[str, dict[int, Header]] = {table: {} for table in _TABLES}
    name_id = partial(store.name_id, connection)
    before = original_headers(connection, corrected)
    for game_id, (table, header) in before.items():
        changed = header
        for row in corrected[game_id]:
            changed = with_value(changed, game_id, row.tag, row.value, name_id)
        originals[game_id] = changed
        if changed != header:
            changes[table][game_id] = changed
    corrected_tags = {game_id: {row.tag for row in corrected[game_id]} for game_id in before}
    for table, headers in changes.items():
        store.write_headers(connection, table, headers)
        named = [
            i for i, tags in corrected_tags.items() if before[i][0] == table and _PLAYERS & tags
        ]
        for game_id, core_hash in renew_hashes_of(connection, table, named).items():
            originals[game_id]["CoreHash"] = core_hash
    return originals


def _merge(
    connection: apsw.Connection,
    corrected: Mapping[int, Iterable[Correction]],
    originals: Mapping[int, Header],
) -> None:
    """Write corrected values into the merged headers of groups.

    A correction of the kept game itself wins, then the latest.
    """
    merged = store.stored_headers(connection, "UnmergedHeaders", originals)
    groups = {game_id: game_id for game_id in merged}
    groups |= dict(store.kept_games_of(connection, originals))
    chosen: dict[int, dict[str, Correction]] = {}
    for game_id, kept in groups.items():
        if kept == game_id and kept not in merged:
            chosen.setdefault(kept, {})
        for row in corrected[game_id]:
            other = chosen.setdefault(kept, {}).get(row.tag)
            if other is None or _rank(row, kept) > _rank(other, kept):
                chosen[kept][row.tag] = row
    shown = store.stored_headers(connection, "Games", chosen)
    before = original_headers(connection, chosen)
    headers, changes = {}, []
    for kept, header in shown.items():
        rows = chosen[kept]
        # Without other values, the header of the game itself is not a merged one.
        if kept not in merged and before[kept][0] == "Games" and _are_own(rows, kept):
            continue
        headers[kept] = header
        for tag, row in rows.items():
            source = originals[row.game_id]
            headers[kept] = with_value_of(headers[kept], source, kept, tag)
            read = row.read_value
            if row.game_id != kept:
                read = read_value(before[kept][1], kept, tag, partial(name_of, connection))
            changes.append((kept, tag, read, row.value, row.game_id))
    store.merge_corrections(connection, headers, changes)
    renew_hashes_of(connection, "Games", [i for i in headers if _PLAYERS & set(chosen[i])])


def _rank(row: Correction, kept: int) -> tuple[bool, str, int]:
    return row.game_id == kept, row.corrected_at, row.game_id


def _are_own(rows: Mapping[str, Correction], kept: int) -> bool:
    return all(row.game_id == kept for row in rows.values())
