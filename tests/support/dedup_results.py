"""Results of a run of dedup in a database, by the labels of played_games or row by row."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.support.databases import Row, columns, dump, query
from tests.support.game_content import contents

_LABEL = "(SELECT ExtraTags ->> 'Label' FROM Games WHERE ID = {})"
_WITH_NOTES = ("Comments", "Annotations")
_OF_SEARCHES = (
    "sqlite_master",
    "Info",
    "NameIndex",
    "Steps",
    "Verdicts",
)  # or compared by themselves
# Stored by a run about itself: its time, its inputs.
_OF_RUNS = (
    "Files written by run",
    "New games of run",
    "Duplicates %",
    "Search files of",
    "Verdicts rest on",
    "Verdicts without",
    "Players consolidated%",
    "Highest person ID",
)


def labels(path: Path | str) -> dict[int, str]:
    """Return the label of each game in Games, by ID."""
    return dict(query(path, "SELECT ID, ExtraTags ->> 'Label' FROM Games"))


def ids(path: Path | str) -> dict[str, int]:
    """Return the ID of each game in Games, by label."""
    return {label: game_id for game_id, label in labels(path).items()}


def groups(path: Path | str) -> set[frozenset[str]]:
    """Return the labels of the games of each group."""
    labels_by_group: defaultdict[int, set[str]] = defaultdict(set)
    sql = "SELECT ExtraTags ->> 'Label', DuplicateGroup FROM FlaggedGames"
    for label, group in query(path, f"{sql} WHERE DuplicateGroup IS NOT NULL"):
        labels_by_group[group].add(label)
    return set(map(frozenset, labels_by_group.values()))


def statuses(path: Path | str) -> dict[str, Row]:
    """Return (DuplicateStatus, DuplicateReason, label of the kept game) of duplicates, by label."""
    sql = (
        "SELECT ExtraTags ->> 'Label', DuplicateStatus, DuplicateReason, "
        f"{_LABEL.format('Copy.DuplicateGroup')} FROM FlaggedGames AS Copy "
        "WHERE DuplicateStatus IS NOT NULL"
    )
    return {label: tuple(row) for label, *row in query(path, sql)}


def suspects(path: Path | str) -> set[frozenset[str]]:
    """Return the labels of each pair of possible duplicates."""
    sql = f"SELECT {_LABEL.format('GameID1')}, {_LABEL.format('GameID2')} FROM Suspects"
    return {frozenset(pair) for pair in query(path, sql)}


def content(path: Path | str, *, note_ids: bool = True) -> dict[str, list[Row]]:
    """Return all rows of all tables, except data of a run about itself.

    Without `note_ids`, annotations inserted in another order compare as equal.
    """
    tables = {table: rows for table, rows in dump(path).items() if table not in _OF_SEARCHES}
    conditions = " AND ".join(f"Name NOT LIKE '{name}'" for name in _OF_RUNS)
    tables["Info"] = query(path, f"SELECT * FROM Info WHERE {conditions} ORDER BY 1")
    for table in () if note_ids else _WITH_NOTES:
        names = ", ".join(name for name in columns(path, table) if name != "ID")
        tables[table] = query(path, f"SELECT {names} FROM {table} ORDER BY {names}")
    if not note_ids:
        tables["MergedNotes"] = query(
            path,
            "SELECT GameID, FromGameID, NoteTable, count(*) FROM MergedNotes "
            "GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
        )
    return tables


def content_hash(path: Path | str) -> str:
    """Return a hash of content(), including the times of removal."""
    return hashlib.sha256(repr(sorted(content(path).items())).encode()).hexdigest()


def differences(left: dict[str, list[Row]], right: dict[str, list[Row]]) -> dict[str, Any]:
    """Return the rows of each table that only one database has."""
    return {
        table: (
            [row for row in left[table] if row not in right[table]],
            [row for row in right[table] if row not in left[table]],
        )
        for table in left.keys() | right.keys()
        if left.get(table) != right.get(table)
    }


def by_label(path: Path | str) -> dict[str, tuple[Any, ...]]:
    """Return flags and content of each game by label, independent of its ID.

    The content is that of game_content, merged values included; the flags are (DuplicateStatus,
    DuplicateReason, label of the kept game, HeaderScore, HeaderOptimized).
    """
    sql = (
        "SELECT ID, DuplicateStatus, DuplicateReason, "
        f"{_LABEL.format('Game.DuplicateGroup')}, HeaderScore, HeaderOptimized "
        "FROM FlaggedGames AS Game ORDER BY ID"
    )
    of = labels(path)
    rows = zip(query(path, sql), contents(path), strict=True)
    return {of[game_id]: (tuple(flags), made) for (game_id, *flags), made in rows}
