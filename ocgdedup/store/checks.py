"""SQL that finds rows which a valid database cannot have, and SQL that repairs them.

Owns which rows of which tables must agree. Must not know moves, dates or how names are parsed; such
checks use the rows of stored_games.py. Repairs belong to the transaction of the caller.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.store.connection import column_names, count_rows, id_list, schema_sql
from ocgdedup.store.duplicates import build_flag_index, mark_stale
from ocgdedup.store.games import RECORD_INDEX, Row
from ocgdedup.store.hash_groups import KEYS, reason_of
from ocgdedup.store.merged_headers import take_back_merges
from ocgdedup.store.merged_notes import IS_VARIATION
from ocgdedup.store.persons import has_wrong_person
from ocgdedup.store.shape import costly_call
from ocgdedup.store.undo_log import forget_undo
from ocgdedup.store.variant import game_kind
from ocgdedup.wording import EXACT_STATUS, REASONS, ROTATED, STATUSES, SWAPPED

OCGDB_VERSION = 0  # of a database of OCGDB that was not upgraded
_MERGES_VERSION = 3
_FLAGS_VERSION = 10  # first version with a table of flags
_REPRESENTED_VERSION = 6  # first version in which flags of removed games name a new kept game

# The highest ID that a game ever had.
_HIGHEST = (
    "max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'Games'), 0), "
    "coalesce((SELECT max(ID) FROM Games), 0))"
)
# Columns that may name a purged game; only an ID that no game ever had is wrong.
_NEVER_GIVEN = f"({{column}} < 1 OR {{column}} > {_HIGHEST})"
_NO_GAME = (
    "{column} NOT IN (SELECT ID FROM Games) AND {column} NOT IN (SELECT ID FROM RemovedGames)"
)
_NAMED = (
    ("EventID", "Events"), ("SiteID", "Sites"), ("WhiteID", "Players"), ("BlackID", "Players"),
)  # fmt: skip
_SOURCE = (("SourceID", "Sources"),)
_PERSONS = (("WhitePersonID", "Persons"), ("BlackPersonID", "Persons"))
_STATUSES = ", ".join(f"'{status}'" for status in STATUSES)
_REASONS = ", ".join(f"'{reason}'" for reason in (*REASONS, *map(reason_of, KEYS)))


class RowCheck(NamedTuple):
    """A query for wrong rows, and the statements that repair them.

    `kind` is that of pipeline/check/findings.py. The query returns an ID or a text for each row.
    `since`: the schema version that has all tables and columns of the query. `table`: a table that
    OCGDB may have left out.
    """

    kind: str
    since: int
    select: str
    repairs: tuple[str, ...] = ()
    table: str = "Games"


def _unknown(columns: tuple[tuple[str, str], ...]) -> str:
    # In SQLite, NULL NOT IN an empty table is true.
    return " OR ".join(
        f"({column} IS NOT NULL AND {column} NOT IN (SELECT ID FROM {table}))"
        for column, table in columns
    )


# A game that was cut at a fault had as many plies as the tag says.
_WRONG_PLY_COUNT_TAG = """
    ExtraTags LIKE '%"PlyCount":%' AND json_valid(ExtraTags) AND PlyCount IS NOT NULL
    AND ExtraTags ->> 'PlyCount' <> CAST(PlyCount AS TEXT)
    AND ID NOT IN (SELECT GameID FROM Faults)
"""
_REMARKS = {
    "elo": "WhiteElo NOT BETWEEN 100 AND 4000 OR BlackElo NOT BETWEEN 100 AND 4000",
    # A question mark sorts after the digits. Tomorrow, because of time zones.
    "future-date": "replace(Date, '?', '0') > strftime('%Y.%m.%d', 'now', '+1 day')",
}

# Unknown persons are reported by the check "persons".
_WRONG_PERSON = " OR ".join(
    f"({side}PersonID IN (SELECT ID FROM Persons) AND {has_wrong_person(side)})"
    for side in ("White", "Black")
)


def _orphans(
    kind: str, tables: tuple[str, ...], where: str, since: int = _MERGES_VERSION
) -> tuple[RowCheck, ...]:
    """Return checks for rows of unknown games; the repair deletes them."""
    condition = where.format(column="GameID")
    return tuple(
        RowCheck(
            kind,
            since,
            f"SELECT '{table}: game ' || GameID FROM {table} WHERE {condition}",
            (f"DELETE FROM {table} WHERE {condition}",),
        )
        for table in tables
    )


def _note_flags(table: str, since: int, kind: GameKind = CHESS) -> RowCheck:
    """Return the check of the flags of games of a kind."""
    comments = "ID IN (SELECT GameID FROM Comments)"
    variations = f"ID IN (SELECT GameID FROM Annotations WHERE {IS_VARIATION[kind]})"
    wrong = f"HasComments IS NOT ({comments}) OR HasVariations IS NOT ({variations})"
    return RowCheck(
        "note-flags",
        since,
        f"SELECT ID FROM {table} WHERE {wrong}",
        (f"UPDATE {table} SET HasComments = {comments}, HasVariations = {variations} "
         f"WHERE {wrong}",),
    )  # fmt: skip


def _note_plies(notes: str, games: str, since: int) -> RowCheck:
    return RowCheck(
        "note-plies",
        since,
        f"SELECT Note.GameID FROM {notes} AS Note JOIN {games} AS Game ON Game.ID = Note.GameID "
        "WHERE coalesce(Ply, -1) NOT BETWEEN -1 AND coalesce(length(Moves2), 0) / 2 - 1",
        table=notes,
    )


def _orphan_notes(table: str, since: int) -> RowCheck:
    has_removed = since >= _MERGES_VERSION
    no_game = _NO_GAME if has_removed else "{column} NOT IN (SELECT ID FROM Games)"
    where = f"GameID IS NULL OR {no_game.format(column='GameID')}"
    select = f"SELECT '{table}: ID ' || ID FROM {table} WHERE {where}"
    return RowCheck("orphan-notes", since, select, (f"DELETE FROM {table} WHERE {where}",), table)


_EXTRA_TAGS = (
    "ExtraTags IS NOT NULL AND CASE WHEN json_valid(ExtraTags) "
    "THEN json_type(ExtraTags) <> 'object' "
    "OR EXISTS (SELECT 1 FROM json_each(ExtraTags) WHERE type <> 'text') ELSE 1 END"
)
# As pgn/odd_values.py writes them under other names.
_ODD_TAG_NAMES = (
    "json_valid(ExtraTags) AND EXISTS (SELECT 1 FROM json_each(ExtraTags) WHERE "
    "key NOT GLOB '[A-Za-z]*' OR key GLOB '*[^-A-Za-z0-9_+#=:./]*' OR lower(key) = 'fen')"
)
_SAVED = (
    "EXISTS (SELECT 1 FROM UnmergedHeaders WHERE GameID = Games.ID) AND HeaderOptimized IS NOT 1"
)
# A purge keeps annotations that those of other games replace.
_NO_MERGE = (
    "{column} NOT IN (SELECT GameID FROM UnmergedHeaders) "
    f"AND (FromGameID <> GameID OR {_NO_GAME})"
)
_UNKNOWN_PAIR = (
    f"{_NEVER_GIVEN.format(column='GameID1')} OR {_NEVER_GIVEN.format(column='GameID2')}"
)
_ODD_DECISION = "Decision NOT IN ('same', 'different') OR MasterID NOT IN (GameID1, GameID2)"
_PAIR_COLUMNS = "Class, Score, Evidence, Decision, MasterID"

# PRAGMA foreign_key_check only tests Games, and only declared keys.
CHECKS: tuple[RowCheck, ...] = (
    RowCheck("names", 0, f"SELECT ID FROM Games WHERE {_unknown(_NAMED)}"),
    RowCheck("names", 3, f"SELECT ID FROM RemovedGames WHERE {_unknown(_NAMED)}"),
    RowCheck("names", 3, f"SELECT GameID FROM UnmergedHeaders WHERE {_unknown(_NAMED)}"),
    *(
        RowCheck(
            "names-twice",
            0,
            # Of rows, not of the index: SQLite reports its damage without the rows, and no NULL.
            f"SELECT '{table}: ID ' || group_concat(ID, ', ') FROM {table} NOT INDEXED "
            "GROUP BY Name HAVING count(*) > 1",
        )
        for table in ("Events", "Sites", "Players")
    ),
    RowCheck("persons", 2, f"SELECT ID FROM Games WHERE {_unknown(_PERSONS)}"),
    RowCheck("persons", 3, f"SELECT ID FROM RemovedGames WHERE {_unknown(_PERSONS)}"),
    RowCheck("persons", 3, f"SELECT GameID FROM UnmergedHeaders WHERE {_unknown(_PERSONS)}"),
    RowCheck("wrong-persons", 2, f"SELECT ID FROM Games WHERE {_WRONG_PERSON}"),
    RowCheck("wrong-persons", 3, f"SELECT ID FROM RemovedGames WHERE {_WRONG_PERSON}"),
    RowCheck("wrong-persons", 3, f"SELECT GameID FROM UnmergedHeaders WHERE {_WRONG_PERSON}"),
    RowCheck(
        "resolutions",
        2,
        "SELECT 'name ' || PlayerID || ', person ' || PersonID FROM Resolutions "
        "WHERE PlayerID NOT IN (SELECT ID FROM Players) "
        "OR PersonID NOT IN (SELECT ID FROM Persons) OR Scope NOT IN ('name', 'game')",
        ("DELETE FROM Resolutions WHERE PlayerID NOT IN (SELECT ID FROM Players) "
         "OR PersonID NOT IN (SELECT ID FROM Persons) OR Scope NOT IN ('name', 'game')",),
    ),
    RowCheck("sources", 1, f"SELECT ID FROM Games WHERE {_unknown(_SOURCE)}"),
    RowCheck(
        "sources",
        1,
        "SELECT 'Rejects: ID ' || ID FROM Rejects WHERE SourceID NOT IN (SELECT ID FROM Sources)",
    ),
    RowCheck("extra-tags", 1, f"SELECT ID FROM Games WHERE {_EXTRA_TAGS}"),
    RowCheck("extra-tags", 3, f"SELECT ID FROM RemovedGames WHERE {_EXTRA_TAGS}"),
    RowCheck("extra-tags", 3, f"SELECT GameID FROM UnmergedHeaders WHERE {_EXTRA_TAGS}"),
    *(
        RowCheck("tag-names", since, f"SELECT ID FROM {table} WHERE {_ODD_TAG_NAMES}")
        for table, since in (("Games", 1), ("RemovedGames", 3))
    ),
    *(
        RowCheck(
            "ply-count-tag",
            since,
            f"SELECT ID FROM {table} WHERE {_WRONG_PLY_COUNT_TAG}",
            (
                f"UPDATE {table} SET ExtraTags = json_set(json_insert(ExtraTags, "
                "'$.OriginalPlyCount', ExtraTags ->> 'PlyCount'), '$.PlyCount', "
                f"CAST(PlyCount AS TEXT)) WHERE {_WRONG_PLY_COUNT_TAG}",
            ),
        )
        for table, since in (("Games", 1), ("RemovedGames", 3))
    ),
    *(
        RowCheck(kind, since, f"SELECT ID FROM {table} WHERE {condition}")
        for kind, condition in _REMARKS.items()
        for table, since in (("Games", 0), ("RemovedGames", 3))
    ),
    RowCheck("in-two-tables", 3, "SELECT ID FROM RemovedGames WHERE ID IN (SELECT ID FROM Games)"),
    _note_plies("Comments", "Games", 0),
    _note_plies("Annotations", "Games", 1),
    _note_plies("Comments", "RemovedGames", 3),
    _note_plies("Annotations", "RemovedGames", 3),
    _orphan_notes("Comments", 3),
    _orphan_notes("Annotations", 3),
    # After the check of annotations without a game, whose repair makes these flags right.
    _note_flags("Games", 1),
    _note_flags("RemovedGames", 3),
    # CHECK constraints of schema.sql, which SQLite does not test on a connection that only reads.
    RowCheck(
        "constraints",
        4,
        "SELECT 'Suspects: Decision or MasterID of games ' || GameID1 || ', ' || GameID2 "
        f"FROM Suspects WHERE {_ODD_DECISION}",
    ),
    RowCheck(
        "constraints",
        2,
        "SELECT 'RatingLists, row ' || ID || ': Month' FROM RatingLists "
        "WHERE Month NOT GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]' "
        "OR substr(Month, 6) NOT BETWEEN '01' AND '12'",
    ),
    RowCheck(
        "suspects",
        3,
        "SELECT GameID1 || ', ' || GameID2 FROM Suspects WHERE GameID1 >= GameID2",
        # A pair in the wrong order was inserted by a user, so its decision is kept.
        (f"INSERT OR IGNORE INTO Suspects SELECT GameID2, GameID1, {_PAIR_COLUMNS} FROM Suspects "
         "WHERE GameID1 > GameID2",
         "DELETE FROM Suspects WHERE GameID1 >= GameID2"),
    ),
    RowCheck(
        "suspects",
        3,
        f"SELECT GameID1 || ', ' || GameID2 FROM Suspects WHERE {_UNKNOWN_PAIR}",
        (f"DELETE FROM Suspects WHERE {_UNKNOWN_PAIR}",),
    ),
    *_orphans("flags", ("DuplicateFlags",), _NO_GAME, _FLAGS_VERSION),
    *_orphans("merges", ("UnmergedHeaders",), _NO_GAME),
    *_orphans("merges", ("MergedNotes",), _NO_MERGE),
    *_orphans("merges", ("MergedTags",), _NEVER_GIVEN),
    RowCheck(
        "merges",
        3,
        f"SELECT ID FROM Games WHERE {_SAVED}",
        (f"UPDATE Games SET HeaderOptimized = 1 WHERE {_SAVED}",),
    ),
    *_orphans(
        "undo",
        ("UndoFlags", "UndoMerges", "UndoMergedTags", "UndoMergedNotes", "UndoRemovedGames"),
        _NO_GAME,
    ),
    *_orphans("undo", ("UndoGames",), _NEVER_GIVEN),
)  # fmt: skip

# Checks for one kind of games that replace some of CHECKS, which are for chess.
_OWN_CHECKS = {
    CHESS: {},
    GO: {
        _note_flags(table, since): _note_flags(table, since, GO)
        for table, since in (("Games", 1), ("RemovedGames", 3))
    },
}

# A rotated duplicate of a Go game has other moves; swapped colours are the first reason.
_MAY_BE_TURNED = (
    "(EXISTS (SELECT 1 FROM Info WHERE Name = 'Variant' AND Value = 'go') "
    f"AND coalesce(Game.DuplicateReason, '') IN ('{ROTATED}', '{SWAPPED}'))"
)

# Each returns the ID of a game and its group, NULL if it has none.
_GROUPED = "SELECT Game.ID, Game.DuplicateGroup FROM FlaggedGames AS Game"
GROUP_CHECKS = {
    "group-master": (
        1,
        f"{_GROUPED} WHERE Game.DuplicateGroup IS NOT NULL AND (NOT EXISTS (SELECT 1 "
        "FROM FlaggedGames AS Master WHERE Master.ID = Game.DuplicateGroup "
        "AND Master.DuplicateGroup = Master.ID AND Master.DuplicateStatus IS NULL) "
        "OR (Game.DuplicateStatus IS NULL) <> (Game.ID = Game.DuplicateGroup)) "
        "UNION ALL SELECT ID, NULL FROM FlaggedGames "
        "WHERE DuplicateStatus IS NOT NULL AND DuplicateGroup IS NULL",
    ),
    "group-removed": (
        _REPRESENTED_VERSION,
        "SELECT ID, DuplicateGroup FROM FlaggedRemovedGames WHERE DuplicateGroup IS NOT NULL "
        "AND DuplicateGroup NOT IN "
        "(SELECT ID FROM FlaggedGames WHERE DuplicateStatus IS NULL)",
    ),
    "group-class": (
        3,
        "SELECT ID, DuplicateGroup FROM FlaggedGames WHERE DuplicateGroup IS NOT NULL AND "
        f"(DuplicateStatus NOT IN ({_STATUSES}) OR DuplicateReason NOT IN ({_REASONS}) "
        "OR (DuplicateStatus IS NULL AND DuplicateReason IS NOT NULL))",
    ),
    "group-moves": (
        3,
        f"{_GROUPED} WHERE Game.DuplicateStatus = '{EXACT_STATUS}' AND EXISTS (SELECT 1 "
        "FROM Games AS Master WHERE Master.ID = Game.DuplicateGroup "
        f"AND Master.MoveHash IS NOT Game.MoveHash) AND NOT {_MAY_BE_TURNED}",
    ),
    # A game whose duplicates were removed is still their kept game.
    "group-alone": (
        3,
        "SELECT min(ID), DuplicateGroup FROM FlaggedGames WHERE DuplicateGroup IS NOT NULL "
        f"AND (SELECT count(*) FROM Games) = {_HIGHEST} GROUP BY 2 "
        "HAVING count(*) = 1 AND min(ID) = DuplicateGroup",
    ),
}

_COUNTED = (
    ("GameCount", "Games"), ("PlayerCount", "Players"), ("EventCount", "Events"),
    ("SiteCount", "Sites"), ("CommentCount", "Comments"),
)  # fmt: skip


def stored_variations(connection: apsw.Connection) -> Iterator[tuple[int, str]]:
    """Yield (game, text) of all variations; none in a database of OCGDB."""
    if not column_names(connection, "Annotations"):
        return iter(())
    sql = "SELECT GameID, Variation FROM Annotations WHERE typeof(Variation) = 'text'"
    return iter(connection.execute(sql))


def wrong_rows(connection: apsw.Connection, check: RowCheck) -> Iterator[object]:
    """Yield the result of a check's query: the ID or text of each wrong row."""
    return (row[0] for row in connection.execute(check.select))


def checks_for(connection: apsw.Connection, version: int) -> list[RowCheck]:
    """Return the checks for a database of a schema version."""
    own = _OWN_CHECKS[game_kind(connection)]
    chosen = [own.get(check, check) for check in CHECKS if check.since <= version]
    if version < _MERGES_VERSION:
        chosen += [_orphan_notes("Comments", 0), _orphan_notes("Annotations", 1)]
    return [check for check in chosen if column_names(connection, check.table)]


def broken_groups(connection: apsw.Connection, kind: str) -> Iterator[tuple[int, int | None]]:
    """Yield (game, group) of the games that break a group, by a key of GROUP_CHECKS."""
    return iter(connection.execute(f"{GROUP_CHECKS[kind][1]} ORDER BY 1"))


def wrong_counts(connection: apsw.Connection) -> list[str]:
    """Return the counts of Info that differ from those of their tables, as texts."""
    stored = dict(connection.execute("SELECT Name, Value FROM Info"))
    problems = []
    for name, table in _COUNTED:
        count = count_rows(connection, table)
        if stored.get(name) != str(count):
            problems.append(f"{name} is {stored.get(name)}, not {count}")
    return problems


class Indexes(NamedTuple):
    """Names of the secondary indexes that exist, and of those that are missing."""

    present: list[str]
    missing: list[str]


def stored_indexes(connection: apsw.Connection) -> Indexes:
    """Return which indexes of indexes.sql exist.

    Not counted as missing: indexes of an empty Signatures, indexes of tables that an older version
    lacks, and GamesGameHash, which is optional.
    """
    declared = re.findall(r"CREATE INDEX IF NOT EXISTS (\w+) ON (\w+)", schema_sql("indexes.sql"))
    expected = [name for name, table in declared if column_names(connection, table)]
    is_signed = (
        column_names(connection, "Signatures")
        and connection.execute("SELECT EXISTS (SELECT 1 FROM Signatures)").get
    )
    if not is_signed:
        expected = [name for name in expected if not name.startswith("Signatures")]
    sql = "SELECT name FROM sqlite_master WHERE type = 'index'"
    existing = {row[0] for row in connection.execute(sql)}
    return Indexes(
        [name for name in expected if name in existing],
        [name for name in expected if name not in existing and name != RECORD_INDEX],
    )


def integrity_messages(connection: apsw.Connection) -> list[str]:
    """Return the results of SQLite's own integrity check, at most 100 messages."""
    chosen = _tables_to_check(connection)
    try:
        rows = [
            str(row[0])
            for each in chosen
            for row in connection.execute(f"PRAGMA integrity_check({each})")
        ]
    except apsw.CorruptError as error:  # pages so damaged that the check itself gives up
        return [str(error)]
    return [row for row in rows if row != "ok"][:100]


def _tables_to_check(connection: apsw.Connection) -> list[str]:
    """Return the arguments of SQLite's check: all tables, unless some are costly to check."""
    rows: list[tuple[Any, ...]] = connection.execute(
        "SELECT tbl_name, sql FROM main.sqlite_master WHERE type IN ('table', 'index')"
    ).fetchall()
    costly = {table for table, sql in rows if sql is not None and costly_call(sql)}
    if not costly:
        return ["100"]
    return [apsw.format_sql_value(name) for name in sorted({table for table, _ in rows} - costly)]


_MEMBERS = """
    FROM DuplicateFlags WHERE GameID IN (SELECT value FROM json_each(?))
        OR DuplicateGroup IN (SELECT value FROM json_each(?))
"""


def repair_rows(connection: apsw.Connection, check: RowCheck) -> None:
    """Run the repair of a check."""
    for statement in check.repairs:
        connection.execute(statement)


def write_values(
    connection: apsw.Connection, table: str, columns: Sequence[str], rows: Iterable[Row]
) -> None:
    """Set columns of Games, RemovedGames or UnmergedHeaders; each row ends with the game's ID."""
    key = "GameID" if table == "UnmergedHeaders" else "ID"
    settings = ", ".join(f"{name} = ?" for name in columns)
    connection.executemany(f"UPDATE {table} SET {settings} WHERE {key} = ?", rows)


def write_results(
    connection: apsw.Connection, table: str, results: Iterable[tuple[str, int]]
) -> None:
    """Set results of games, (result, ID), and keep the previous ones as tags OriginalResult."""
    rows = list(results)
    for name, key in ((table, "ID"), ("UnmergedHeaders", "GameID")):
        connection.executemany(
            f"UPDATE {name} SET Result = ?1, ExtraTags = CASE "
            "WHEN json_valid(coalesce(ExtraTags, '{}')) THEN "
            "json_insert(coalesce(ExtraTags, '{}'), '$.OriginalResult', Result) "
            f"ELSE ExtraTags END WHERE {key} = ?2 AND Result IS NOT ?1",
            rows,
        )


def dissolve_groups(connection: apsw.Connection, broken: Sequence[tuple[int, int | None]]) -> None:
    """Clear the flags of all games of the groups of (game, group); undo their merges.

    The next search judges everything again, and the last run of dedup cannot be undone any more.
    """
    build_flag_index(connection)
    chosen = (
        id_list(sorted({game for game, _ in broken})),
        id_list(sorted({group for _, group in broken if group is not None})),
    )
    members = [row[0] for row in connection.execute(f"SELECT GameID {_MEMBERS}", chosen)]
    take_back_merges(connection, members)
    connection.execute(f"DELETE {_MEMBERS}", chosen)
    forget_undo(connection)
    mark_stale(connection)


def rebuild_indexes(connection: apsw.Connection) -> None:
    """Rebuild all indexes from their tables; an index that contradicts its rows stays.

    Rebuilds all, not only those that SQLite names: it names a few at a time, and repeating the
    check takes longer.
    """
    select = "SELECT format('REINDEX \"%w\"', name) FROM sqlite_master WHERE type = 'index'"
    rows: list[Row] = connection.execute(select).fetchall()
    for (statement,) in rows:
        # The check after each repair finds what is still wrong.
        with contextlib.suppress(apsw.ConstraintError):
            connection.execute(statement)
