"""SQL of selections: conditions on games, the order of output, and rows of exported tables.

Owns the conditions of a selection, including the user's own SQL, and how names of players are
looked up. The user's SQL can only read the database. Works on databases of OCGDB too; values that
they lack are NULL.
"""

from __future__ import annotations

import contextlib
import json
import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.game_columns import EXPORTED_COLUMNS, LOADED_COLUMNS
from ocgdedup.store.connection import column_names, id_list, views_of_the_file
from ocgdedup.store.games import Row, in_batches, kept_and_deleted
from ocgdedup.store.named_players import YEAR, PlayerKeys
from ocgdedup.wording import STATUSES

ORDERS = ("id", "date", "eco", "white")
PLAYER_FIELDS = ("players", "white", "black", "against")  # of Selection
_MOST_ELO = 9999
GAMES, DELETED_GAMES = "Games", "RemovedGames"
LIST_GAMES = 2000
_UNKNOWN_DATE = "????.??.??"
_KEYS = {
    "id": "",
    # "?" sorts after the digits, so unknown dates come last.
    "date": f"replace(coalesce(nullif(Date, ''), '{_UNKNOWN_DATE}'), '-', '.'), ",
    "eco": "nullif(ECO, '') IS NULL, upper(ECO), ",
    "white": "nullif(WhiteName, '') IS NULL, WhiteName COLLATE NOCASE, WhiteName, ",
}
_WHITE_NAME = "(SELECT Name FROM Players WHERE Players.ID = WhiteID) AS WhiteName"
# Names that the user's SQL may use, besides the columns of FlaggedGames.
_READABLE = """(
    SELECT {table}.*, Events.Name AS Event, Sites.Name AS Site, White.Name AS White,
        Black.Name AS Black, {year} AS Year, {source} AS Source
    FROM {table} LEFT JOIN Events ON Events.ID = EventID LEFT JOIN Sites ON Sites.ID = SiteID
    LEFT JOIN Players AS White ON White.ID = WhiteID
    LEFT JOIN Players AS Black ON Black.ID = BlackID
) AS Games"""
_SOURCE = "(SELECT Sources.Name FROM Sources WHERE Sources.ID = SourceID)"
READABLE_NAMES = "Event, Site, White, Black, Year, Source"
_READING = {
    apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE,
}  # fmt: skip
_FORBIDDEN_FUNCTIONS = ("load_extension", "fts3_tokenizer", "readfile", "writefile", "edit")
_FAULTY = (apsw.SQLError, apsw.AuthError, apsw.BindingsError, apsw.MismatchError, apsw.TooBigError)
_STEPS_BETWEEN_SIGNALS = 1_000_000
_RANK = {status: rank for rank, status in enumerate(STATUSES)}
_RANKS = " ".join(f"WHEN '{status}' THEN {rank}" for status, rank in _RANK.items())
_COPY_KEY = f"CASE DuplicateStatus {_RANKS} ELSE {len(_RANK)} END, coalesce(DuplicateGroup, 0), "

# The columns that game_fields() returns, before the tags.
GAME_FIELDS = (
    *EXPORTED_COLUMNS, "DuplicateStatus", "DuplicateReason", "DuplicateGroup", "HeaderScore",
)  # fmt: skip
_TAG_NAME = re.compile("[A-Za-z]+")


class Selection(NamedTuple):
    """Conditions that a game must meet, all of them, and an order of ORDERS.

    `min_header_points`: see matching/header_score.py; `players`: any of them played; `years`: first
    and last, None for an open end; `eco`: ranges or prefixes of codes, any of them; `events`: parts
    of names of events, any of them; `results`: any of them; `where`: an SQL condition on the
    columns of FlaggedGames, with READABLE_NAMES. `white`, `black`: any of them had this colour;
    `against`: any of them was the opponent of the other players named; `any_player`: a name may
    mean several players. `elo`: of both players, like `years`; `speeds`: any of SPEEDS; `moves`:
    the first ones, and `position`: as the user writes them (pipeline/find/query.py). `opening`: a
    part of the name of the opening that the moves have.
    """

    with_duplicates: bool = False
    min_header_points: int = 0
    min_plies: int = 0
    players: tuple[str, ...] = ()
    years: tuple[int | None, int | None] | None = None
    eco: tuple[tuple[str, str], ...] = ()
    where: str | None = None
    order: str = "id"
    events: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    any_player: bool = False
    elo: tuple[int | None, int | None] | None = None
    is_decisive: bool = False
    speeds: tuple[str, ...] = ()
    moves: str | None = None
    position: str | None = None
    opening: str | None = None

    @property
    def is_plain(self) -> bool:
        """Return whether it selects all games, or all except duplicates, by ID."""
        return self._replace(with_duplicates=False) == Selection()


# Returns the games, of these IDs of a table, that fulfil a condition.
GameFilter = Callable[[apsw.Connection, Sequence[int], str], Collection[int]]


class Criteria(NamedTuple):
    """A selection with values from outside the store.

    `players`: by field of the selection; `events` (IDs of Events), `moves` (the first ones, as
    stored) and `time_controls` are None for no condition; `filters`: what SQL cannot test.
    """

    selection: Selection = Selection()
    players: Mapping[str, PlayerKeys] = {}
    events: frozenset[int] | None = None
    moves: bytes | None = None
    time_controls: Collection[str] | None = None
    filters: tuple[GameFilter, ...] = ()


class SelectedGames(NamedTuple):
    """IDs in output order, and the number of duplicates left out that meet all conditions."""

    ids: array[int]
    left_out: int


class Copy(NamedTuple):
    """A game flagged as a duplicate; `table` is GAMES or DELETED_GAMES."""

    status: str
    group: int
    game_id: int
    table: str


def selected_games(connection: apsw.Connection, criteria: Criteria) -> SelectedGames:
    """Return the selected games; raise UsageError for a condition that SQLite rejects."""
    wants_copies = criteria.selection.with_duplicates
    ids, left_out = array("q"), 0
    for game_id, status, _ in _matching(connection, criteria, GAMES):
        if status is None or wants_copies:
            ids.append(game_id)
        else:
            left_out += 1
    return SelectedGames(ids, left_out)


class SelectedDuplicates:
    """Duplicates by class, group and ID, in 20 bytes of memory each.

    `removed` counts those of DELETED_GAMES.
    """

    def __init__(self) -> None:
        self._statuses: list[str] = []  # few distinct values: the array holds indexes
        self._tables: dict[str, tuple[array[int], array[int], array[int]]] = {}

    def add_table(self, table: str, rows: Iterable[tuple[int, str, int]]) -> None:
        """Add (ID, status, group) of the duplicates of a table, in order."""
        ids, statuses, groups = self._tables[table] = array("q"), array("i"), array("q")
        for game_id, status, group in rows:
            if status not in self._statuses:
                self._statuses.append(status)
            ids.append(game_id)
            statuses.append(self._statuses.index(status))
            groups.append(group)

    def __len__(self) -> int:
        return sum(len(ids) for ids, _, _ in self._tables.values())

    def __iter__(self) -> Iterator[Copy]:
        def copies_of(table: str) -> Iterator[Copy]:
            for game_id, status, group in zip(*self._tables[table], strict=True):
                yield Copy(self._statuses[status], group, game_id, table)

        def place(copy: Copy) -> tuple[int, int, int]:
            return _RANK.get(copy.status, len(_RANK)), copy.group, copy.game_id

        return merge(*map(copies_of, self._tables), key=place)

    @property
    def removed(self) -> int:
        return len(self._tables[DELETED_GAMES][0]) if DELETED_GAMES in self._tables else 0


def selected_duplicates(connection: apsw.Connection, criteria: Criteria) -> SelectedDuplicates:
    """Return the duplicates in a selection, deleted ones included.

    Raises UsageError for a condition that SQLite rejects.
    """
    copies = SelectedDuplicates()
    for table in (GAMES, DELETED_GAMES):
        if column_names(connection, table):
            rows = _matching(connection, criteria, table, copies_alone=True)
            copies.add_table(table, ((row[0], str(row[1]), row[2] or 0) for row in rows))
    return copies


def id_lists(ids: array[int]) -> Iterator[list[int]]:
    """Yield IDs in lists of bounded length, in order."""
    for start in range(0, len(ids), LIST_GAMES):
        yield ids[start : start + LIST_GAMES].tolist()


def find_events(connection: apsw.Connection, parts: Collection[str]) -> frozenset[int]:
    """Return the IDs of events whose names contain one of some texts, in any case."""
    folded_parts = [part.casefold() for part in parts]
    rows = connection.execute("SELECT ID, Name FROM Events WHERE Name <> ''")
    return frozenset(
        event_id for event_id, name in rows if any(part in name.casefold() for part in folded_parts)
    )


def has_games(connection: apsw.Connection, criteria: Criteria) -> bool:
    """Return whether a game meets the conditions on players and events."""
    parts, values = conditions_of(criteria, column_names(connection, "Games"))
    sql = f"SELECT EXISTS (SELECT 1 FROM Games WHERE {' AND '.join(parts) or '1'})"
    return bool(connection.execute(sql, values).get)


def standard_moves(
    connection: apsw.Connection, ids: Iterable[int], table: str
) -> Iterator[tuple[int, bytes | None]]:
    """Yield the IDs and moves of those of some games that begin with the standard start."""
    start = "coalesce(FEN, '') = '' AND " if "FEN" in column_names(connection, table) else ""
    sql = f"SELECT ID, Moves2 FROM {table} WHERE {start}ID IN (SELECT value FROM json_each(?))"
    return connection.execute(sql, (id_list(ids),))


def time_controls(connection: apsw.Connection) -> list[str]:
    """Return the distinct values of TimeControl, also of deleted games."""
    if "TimeControl" not in column_names(connection, "Games"):
        return []
    select = kept_and_deleted(connection, "SELECT TimeControl FROM {table}")
    rows = connection.execute(f"SELECT DISTINCT TimeControl FROM ({select})")
    return [text for (text,) in rows if isinstance(text, str)]


def _matching(
    connection: apsw.Connection, criteria: Criteria, table: str, *, copies_alone: bool = False
) -> Iterator[tuple[int, str | None, int | None]]:
    """Yield (ID, DuplicateStatus, DuplicateGroup) of a selection, or of its duplicates alone."""
    selection = criteria.selection
    existing = column_names(connection, table)
    conditions, values = conditions_of(criteria, existing)
    source = f"Flagged{table}"
    if selection.where is not None:
        source_name = _SOURCE if "SourceID" in existing else "NULL"
        source = _READABLE.format(table=source, year=YEAR, source=source_name)
        conditions.append(f"(\n{selection.where}\n)")
    if copies_alone:
        conditions.append("DuplicateStatus IS NOT NULL")
    extra = f", {_WHITE_NAME}" if selection.order == "white" else ""
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"SELECT ID, DuplicateStatus, DuplicateGroup{extra} FROM {source} {where}"
    sql += f" ORDER BY {_COPY_KEY if copies_alone else _KEYS[selection.order]}ID"
    with _reading_only(connection, selection.where, source):
        rows = (row[:3] for row in connection.execute(sql, values))
        if not criteria.filters:
            yield from rows
            return
        while batch := list(islice(rows, LIST_GAMES)):
            ids = [row[0] for row in batch]
            for is_fulfilled in criteria.filters:
                fitting = is_fulfilled(connection, ids, table)
                ids = [game_id for game_id in ids if game_id in fitting]
            good = set(ids)
            yield from (row for row in batch if row[0] in good)


def conditions_of(criteria: Criteria, existing: Collection[str]) -> tuple[list[str], list[object]]:
    """Return the SQL conditions of a selection without the user's own, and their values."""
    selection = criteria.selection
    conditions: list[str] = []
    values: list[object] = []
    if selection.min_plies:
        conditions.append("coalesce(PlyCount, length(Moves2) / 2, 0) >= ?")
        values.append(selection.min_plies)
    if criteria.players:
        test, of_players = _players_sql(criteria.players, has_persons="WhitePersonID" in existing)
        conditions.append(test)
        values += of_players
    if criteria.events is not None:
        conditions.append("EventID IN (SELECT value FROM json_each(?))")
        values.append(id_list(criteria.events))
    if selection.results:
        conditions.append("coalesce(nullif(Result, ''), '*') IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(selection.results))
    if selection.is_decisive:
        conditions.append("Result IN ('1-0', '0-1')")
    if selection.elo is not None:
        least, most = selection.elo
        for column in ("WhiteElo", "BlackElo"):
            conditions.append(f"{column if column in existing else 'NULL'} BETWEEN ? AND ?")
            values += [max(1, least or 1), _MOST_ELO if most is None else most]
    if criteria.time_controls is not None:
        column = "TimeControl" if "TimeControl" in existing else "NULL"
        conditions.append(f"{column} IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(list(criteria.time_controls)))
    if criteria.moves is not None:
        start = "coalesce(FEN, '') = '' AND " if "FEN" in existing else ""
        conditions.append(f"{start}substr(Moves2, 1, ?) = ?")
        values += [len(criteria.moves), criteria.moves]
    if selection.years is not None:
        first, last = selection.years
        year = "substr(Date, 1, 4)"
        conditions.append(f"{year} GLOB '[0-9][0-9][0-9][0-9]' AND {year} BETWEEN ? AND ?")
        values += [f"{first or 1:04}", f"{9999 if last is None else last:04}"]
    if selection.eco:
        eco_range = "substr(upper(ECO), 1, ?) >= ? AND substr(upper(ECO), 1, ?) <= ?"
        conditions.append(f"({' OR '.join([eco_range] * len(selection.eco))})")
        values += [part for low, high in selection.eco for part in (len(low), low, len(high), high)]
    return conditions, values


def _players_sql(
    players: Mapping[str, PlayerKeys], *, has_persons: bool
) -> tuple[str, list[object]]:
    """Return the condition on the players of a game, and its values, which are named by number."""
    values: list[object] = []

    def plays(colour: str, keys: PlayerKeys) -> str:
        names, persons = id_list(keys.names), id_list(keys.persons)
        test = f"{colour}ID IN (SELECT value FROM json_each(?))"
        values.append(names)
        if not has_persons:
            return test
        if keys.persons:  # a game of the name that is another resolved player's does not count
            test = f"({test} AND {colour}PersonID IS NULL)"
        values.append(persons)
        return f"({test} OR {colour}PersonID IN (SELECT value FROM json_each(?)))"

    tests = [
        plays(colour, players[colour.lower()])
        for colour in ("White", "Black")
        if colour.lower() in players
    ]
    against = players.get("against")
    if against is not None and "players" not in players:
        tests.append(plays("Black" if "white" in players else "White", against))
    if "players" in players:
        sides = []
        for colour, other in (("White", "Black"), ("Black", "White")):
            side = plays(colour, players["players"])
            sides.append(side if against is None else f"({side} AND {plays(other, against)})")
        tests.append(f"({' OR '.join(sides)})")
    return " AND ".join(tests), values


def _go_on() -> bool:
    return False


@contextlib.contextmanager
def _reading_only(connection: apsw.Connection, where: str | None, source: str) -> Iterator[None]:
    """Run a block in which the user's condition can only read; refuse an invalid condition."""
    if where is None:
        yield
        return

    def authorize(operation: int, first: str | None, second: str | None, *_: str | None) -> int:
        if operation == apsw.SQLITE_PRAGMA:
            is_allowed = first == "table_info"  # used by column_names()
        else:
            is_allowed = operation in _READING and second not in _FORBIDDEN_FUNCTIONS
        return apsw.SQLITE_OK if is_allowed else apsw.SQLITE_DENY

    connection.authorizer = authorize
    # Python handles Ctrl-C only while it runs, and a condition could keep SQLite busy forever.
    connection.set_progress_handler(_go_on, _STEPS_BETWEEN_SIGNALS)
    # "Whiet" in double quotes is an error, not a text.
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    try:
        with views_of_the_file(connection):
            # It must also be a complete expression: "1) UNION SELECT (1" is not.
            connection.execute(f"SELECT ((\n{where}\n)) FROM {source} LIMIT 0")
            yield
    except _FAULTY as error:
        raise UsageError(
            f"--where: SQLite refuses the condition: {error}; it may name the columns of "
            f"FlaggedGames, and {READABLE_NAMES}, and it can only read"
        ) from error
    except UnicodeEncodeError as error:
        raise UsageError("--where: the condition is not in the terminal's charset") from error
    finally:
        connection.authorizer = None
        connection.set_progress_handler(None)


# --- rows of exported tables ----------------------------------------------------------------------


def game_fields(
    connection: apsw.Connection, ids: Sequence[int], tags: Sequence[str] = ()
) -> Iterator[list[Row]]:
    """Yield GAME_FIELDS of games in the order of their IDs; unknown IDs are left out.

    `tags`: names of tags, of plain letters, whose values follow.
    """
    assert all(map(_TAG_NAME.fullmatch, tags)), tags
    # CROSS JOIN: SQLite then takes the IDs as they come, and looks each game up.
    sql = (
        "SELECT {} FROM json_each(?) AS Chosen CROSS JOIN FlaggedGames AS Games "
        "WHERE Games.ID = Chosen.value"
    )
    existing = column_names(connection, "FlaggedGames")
    # json_each() has a column "id" too.
    fields = [f"Games.{name}" if name in existing else "NULL" for name in GAME_FIELDS]
    # JSON is only parsed where the tag may be.
    tag = "CASE WHEN instr(ExtraTags, '\"{0}\"') THEN ExtraTags ->> '{0}' END"
    in_tags = tag if "ExtraTags" in existing else "NULL"
    fields += [f"Games.{name}" if name in existing else in_tags.format(name) for name in tags]
    return in_batches(connection.execute(sql.format(", ".join(fields)), (id_list(ids),)))


def loaded_rows_of(connection: apsw.Connection, ids: Sequence[int]) -> Iterator[list[Row]]:
    """Yield LOADED_COLUMNS of games in the order of their IDs; unknown IDs are left out."""
    columns = ", ".join(f"Games.{name}" for name in LOADED_COLUMNS)
    sql = (
        f"SELECT {columns} FROM json_each(?) AS Chosen CROSS JOIN Games ON Games.ID = Chosen.value"
    )
    return in_batches(connection.execute(sql, (id_list(ids),)))


def games_at(connection: apsw.Connection, places: Sequence[tuple[int, str, int]]) -> dict[int, int]:
    """Return the ID of the game at each place, deleted or not, if there is one.

    A place is (any number by which the result has it, SHA-256 of the source, SourceNumber).
    """
    sql = (
        "SELECT Place.value ->> 0, min(Game.ID) FROM json_each(?) AS Place "
        "JOIN Sources ON Sources.SHA256 = Place.value ->> 1 "
        f"JOIN ({kept_and_deleted(connection, 'SELECT ID, SourceID, SourceNumber FROM {table}')}) "
        "AS Game "
        "ON Game.SourceID = Sources.ID AND Game.SourceNumber = Place.value ->> 2 GROUP BY 1"
    )
    rows: Iterator[tuple[int, int]] = connection.execute(sql, (json.dumps(places),))
    return dict(rows)


def fault_ids(connection: apsw.Connection) -> dict[int, list[int]]:
    """Return the IDs of the faults of each game that has some."""
    ids_by_game: dict[int, list[int]] = {}
    for game_id, fault_id in connection.execute("SELECT GameID, ID FROM Faults ORDER BY ID"):
        ids_by_game.setdefault(game_id, []).append(fault_id)
    return ids_by_game


def faults_by_id(connection: apsw.Connection, ids: Sequence[int]) -> list[Row]:
    """Return (GameID, Line, Ply, Reason, Rest) of faults in the order of their IDs."""
    sql = (
        "SELECT GameID, Line, Ply, Reason, Rest FROM Faults "
        "WHERE ID IN (SELECT value FROM json_each(?)) ORDER BY ID"
    )
    return connection.execute(sql, (id_list(ids),)).fetchall()


def source_rows(connection: apsw.Connection) -> list[Row]:
    """Return (ID, Name, Size, SHA256, ImportDate) of all sources, by ID."""
    sql = "SELECT ID, Name, Size, SHA256, ImportDate FROM Sources ORDER BY ID"
    return connection.execute(sql).fetchall()


def games_by_source(connection: apsw.Connection) -> dict[int | None, int]:
    """Return the number of games of each source, including deleted games."""
    select = kept_and_deleted(connection, "SELECT SourceID FROM {table}")
    return dict(connection.execute(f"SELECT SourceID, count(*) FROM ({select}) GROUP BY 1"))


def texts_by_id(
    connection: apsw.Connection, table: str, column: str = "Name"
) -> dict[int, str | None]:
    """Return a column of Events, Sites, Players, Sources or Persons; empty without the table."""
    if not column_names(connection, table):
        return {}
    return dict(connection.execute(f"SELECT ID, {column} FROM {table}"))


def listed_facts(connection: apsw.Connection) -> dict[int, Row]:
    """Return (Sex, Rating, Rapid, Blitz, Flag) of players in the FIDE list, by player ID."""
    if not column_names(connection, "Persons"):
        return {}
    sql = (
        "SELECT Persons.ID, Sex, Rating, Rapid, Blitz, Flag FROM Persons "
        "JOIN FidePlayers USING (FideID)"
    )
    return {person_id: tuple(facts) for person_id, *facts in connection.execute(sql)}


def listed_aliases(connection: apsw.Connection) -> Iterator[Row]:
    """Yield (Alias, Probability, FideID, Name, PersonID) of listed players, by FIDE ID."""
    if not column_names(connection, "FideAliases"):
        return iter(())
    sql = (
        "SELECT Alias, Probability, FideID, FidePlayers.Name, Persons.ID FROM FideAliases "
        "JOIN FidePlayers USING (FideID) LEFT JOIN Persons USING (FideID) ORDER BY FideID"
    )
    return iter(connection.execute(sql))
