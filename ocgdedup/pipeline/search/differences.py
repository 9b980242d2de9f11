"""Find the duplicates among the games of several collections in a temporary database."""

from __future__ import annotations

import apsw

from ocgdedup.model import Reporter
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates, reject_by_kept
from ocgdedup.pipeline.search.groups import GroupBatch, ResolveOptions
from ocgdedup.pipeline.search.key_groups import KeyOptions, find_by_key
from ocgdedup.pipeline.search.resolve import choose_kept_games, plan_groups, resolve
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store.duplicates import write_flags
from ocgdedup.store.games import build_indexes
from ocgdedup.store.possible_duplicates import (
    decided_pairs,
    kept_choices,
    write_possible_duplicates,
)

_OPTIONS = ResolveOptions(merge=False)


def flag_duplicates(
    connection: apsw.Connection, first_id: int, resources: Resources, reporter: Reporter
) -> None:
    """Flag the duplicates in groups with a game from `first_id` on; store possible duplicates."""
    decided, choices = decided_pairs(connection), kept_choices(connection)
    reporter.start("duplicates: search", None, None)
    found = find_duplicates(connection, SearchOptions(), decided, choices, resources)
    groups = GroupBatch.of(group for group in found.groups if group.ids[-1] >= first_id)
    found = found._replace(groups=groups)
    plan = plan_groups(connection, found, _OPTIONS, rewrites_all=True)
    chosen = choose_kept_games(connection, found, plan, _OPTIONS, resources, harmless_changes=0)
    reporter.finish()
    resolve(connection, found, plan, _OPTIONS, reporter, chosen)
    write_possible_duplicates(connection, found.possible_duplicates)


def flag_equal_moves(connection: apsw.Connection, first_id: int, reporter: Reporter) -> None:
    """Flag the games with equal moves, whoever played, in groups with a game from `first_id` on."""
    reporter.start("duplicates: search", None, None)
    build_indexes(connection, ("GamesMoveHash",))
    found = find_by_key(
        connection, KeyOptions("moves"), decided=decided_pairs(connection),
        choices=reject_by_kept(kept_choices(connection)), first_id=first_id,
    )  # fmt: skip
    write_flags(connection, found.flags)
    reporter.finish()
