"""Decisions of the user in another database whose games an import copies."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.matching.names.name_decisions import NAME, NameDecisions
from ocgdedup.pipeline.ingest.lossless import write_decisions
from ocgdedup.store.copied_games import NewIDs, OtherDatabase
from ocgdedup.store.name_decisions import name_decisions, write_name_decisions
from ocgdedup.store.possible_duplicates import decisions
from ocgdedup.store.selection import games_at


def copy_decisions(
    connection: apsw.Connection,
    source: OtherDatabase,
    sources: Mapping[int, int | str],
    new: NewIDs,
) -> int:
    """Copy decisions about pairs of games and about names; return how many are left out.

    Decisions here win over those of the other database that contradict them. `sources`: see
    OtherDatabase.copy().
    """
    pairs, of_names = decisions(source.other), name_decisions(source.other)
    decided = {game_id for row in pairs for game_id in row.games}
    decided.update(name.game_id for row in of_names for name in row[1:] if name.game_id)
    ids: dict[int, int] = {}
    skipped: list[tuple[int, str, int]] = []
    for game_id, source_id, number in source.places(decided):
        new_source = sources.get(source_id)
        if isinstance(new_source, str):
            skipped.append((game_id, new_source, number))
        else:
            ids[game_id] = game_id + new.shift
    ids.update(games_at(connection, skipped))
    left_out = write_decisions(connection, pairs, ids)
    stored = NameDecisions(name_decisions(connection))
    for row in of_names:
        name, other = (
            each._replace(game_id=each.game_id and ids.get(each.game_id, 0)) for each in row[1:]
        )
        new_row = row._replace(name=name, other=other)
        is_named = row.decision == NAME and NAME in [each.decision for each in stored.about(name)]
        try:
            if is_named or 0 in (name.game_id, other.game_id):
                left_out += new_row not in stored.rows
            else:
                stored.add(new_row)
        except UsageError:
            left_out += 1
    write_name_decisions(connection, stored.rows)
    return left_out
