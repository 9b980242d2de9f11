"""Which games a user wants: names of players looked up, headers weighed, IDs in output order."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from ocgdedup.errors import UsageError
from ocgdedup.matching.header_score import header_score
from ocgdedup.store import selection as store
from ocgdedup.store.connection import Database
from ocgdedup.store.selection import Copy, Criteria, PlayerKeys, SelectedGames, Selection

_SHOWN_NAMES = 3
_LEAST_LIKENESS = 65


def select_games(database: Database, selection: Selection) -> SelectedGames:
    """Return the games that a selection holds, in its order.

    store.selection.id_lists() hands the IDs out list by list. Raises UsageError for a player whom
    nobody is called and for a condition that SQLite refuses.
    """
    return store.selected_games(database.connection, criteria_of(database, selection))


def select_copies(database: Database, selection: Selection) -> list[Copy]:
    """Return the flagged copies of a selection, removed ones too: by class, group and ID."""
    return store.selected_copies(database.connection, criteria_of(database, selection))


def criteria_of(database: Database, selection: Selection) -> Criteria:
    """Return a selection with its names looked up; raise UsageError for one that nobody has."""
    return Criteria(selection, _player_keys(database, selection.players), header_score)


def _player_keys(database: Database, names: Sequence[str]) -> PlayerKeys | None:
    if not names:
        return None
    found = [_one_player(database, name) for name in names]
    return PlayerKeys(
        frozenset().union(*(keys.names for keys in found)),
        frozenset().union(*(keys.persons for keys in found)),
    )


def _one_player(database: Database, name: str) -> PlayerKeys:
    keys = store.find_player(database.connection, name)
    if keys is None:
        raise UsageError(
            f"{database.path}: there is no player {name!r}{_near_names(database, name)}"
        )
    return keys


def _near_names(database: Database, name: str) -> str:
    """Write which names come near; rapidfuzz is loaded for this slip alone."""
    process, fuzz, utils = (
        importlib.import_module(f"rapidfuzz.{part}") for part in ("process", "fuzz", "utils")
    )
    found = process.extract(
        name.encode("utf-8", "replace").decode(),
        store.player_names(database.connection),
        # A single word is mostly a surname.
        scorer=fuzz.token_sort_ratio if len(name.split()) > 1 else fuzz.partial_ratio,
        processor=utils.default_process,
        limit=_SHOWN_NAMES,
        score_cutoff=_LEAST_LIKENESS,
    )
    if not found:
        return "; give a name as it stands in the games, or a FIDE ID"
    return f"; near names: {'; '.join(near for near, *_ in found)}"
