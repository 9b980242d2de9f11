"""Which games a user wants: names of players looked up, headers weighed, IDs in output order."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from ocgdedup.errors import UsageError
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import Reporter
from ocgdedup.store import selection as store
from ocgdedup.store.connection import Database
from ocgdedup.store.selection import Copy, Criteria, PlayerKeys, SelectedGames, Selection
from ocgdedup.store.variant import holds_go

_SHOWN_NAMES = 3
_LEAST_LIKENESS = 65
_NOBODY = "?"


def select_games(database: Database, criteria: Criteria) -> SelectedGames:
    """Return the games that a selection holds, in its order.

    store.selection.id_lists() hands the IDs out list by list. Raises UsageError for a condition
    that SQLite refuses.
    """
    return store.selected_games(database.connection, criteria)


def select_copies(database: Database, criteria: Criteria) -> list[Copy]:
    """Return the flagged copies of a selection, removed ones too: by class, group and ID."""
    return store.selected_copies(database.connection, criteria)


def criteria_of(database: Database, selection: Selection, reporter: Reporter) -> Criteria:
    """Return a selection with its names looked up; raise UsageError for one that nobody has.

    The reporter is told which names were taken for one that nobody writes so.
    """
    return Criteria(selection, _player_keys(database, selection.players, reporter), header_score)


def _player_keys(database: Database, names: Sequence[str], reporter: Reporter) -> PlayerKeys | None:
    if not names:
        return None
    found = [_one_player(database, name, reporter) for name in names]
    return PlayerKeys(
        frozenset().union(*(keys.names for keys in found)),
        frozenset().union(*(keys.persons for keys in found)),
    )


def _one_player(database: Database, name: str, reporter: Reporter) -> PlayerKeys:
    keys = store.find_player(database.connection, name)
    if keys is not None:
        return keys
    known = store.player_names(database.connection)
    is_go = holds_go(database.connection)
    same = _go_spellings(name, known) if is_go else []
    keys = store.find_player(database.connection, *same)
    if keys is None:
        near = _near_names(name, known, is_go=is_go)
        raise UsageError(f"{database.path}: there is no player {name!r}{near}")
    reporter.warn(
        f"{database.path}: there is no player {name!r}; taken as spellings of this name: "
        f"{'; '.join(same)}"
    )
    return keys


def _go_spellings(name: str, known: Sequence[str]) -> list[str]:
    """Return the names that may be a Go player's name in other letters."""
    spelt: Any = importlib.import_module("ocgdedup.matching.names.go_spelling")
    wanted = spelt.spelling(name)
    if not wanted.key:
        return []
    return sorted(
        other
        for other, one in zip(known, map(spelt.spelling, known), strict=True)
        if one.key == wanted.key or spelt.may_be_one(one, wanted)
    )


def _near_names(name: str, known: Sequence[str], *, is_go: bool) -> str:
    """Write which names come near; rapidfuzz is loaded for this slip alone."""
    process, fuzz, utils = (
        importlib.import_module(f"rapidfuzz.{part}") for part in ("process", "fuzz", "utils")
    )
    plain: Callable[[str], str] = str
    if is_go:
        # Romanisations differ more in letters than names do: "Yi Ch'ang-ho" is "Lee Changho".
        plain = importlib.import_module("ocgdedup.matching.names.go_plain").plain_go_name
        known = [one for one in known if plain(one) != _NOBODY]
    found = process.extract(
        name.encode("utf-8", "replace").decode(),
        known,
        # A single word is mostly a surname.
        scorer=fuzz.token_sort_ratio if len(name.split()) > 1 else fuzz.partial_ratio,
        processor=lambda text: utils.default_process(plain(text)),
        limit=_SHOWN_NAMES,
        score_cutoff=_LEAST_LIKENESS,
    )
    if not found:
        return "; give a name as it stands in the games, or a FIDE ID"
    return f"; near names: {'; '.join(near for near, *_ in found)}"
