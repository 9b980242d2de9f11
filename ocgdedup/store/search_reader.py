"""Read what the search for duplicates needs: names, events, sites, and games by its kernel.

Owns the SQL for this, and the rule that verdicts rest on headers as imported, not as merged. Also
groups games by keys computed on import: the six of OCGDB's study, and that of a whole record.
Callers must check whether equal keys mean equal moves.
"""

from __future__ import annotations

import contextlib
import json
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import apsw

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import CONSTANTS, GameBatch
from ocgdedup._kernels.search import TAKE_GAME as _TAKE_GAME
from ocgdedup.errors import StoreError, UsageError
from ocgdedup.game_kind import GO
from ocgdedup.store.connection import column_names, file_bytes, id_list, kernel_errors
from ocgdedup.store.games import (
    GAME_TABLES,
    count_games,
    id_span,
    is_searched,
    load_kernel,
    tables_with_games,
)
from ocgdedup.store.names import game_kind
from ocgdedup.wording import counted

# The kernel's COLUMN_ constants.
_COLUMNS = {
    "ID": "ID", "WHITE": "WhiteID", "BLACK": "BlackID", "WHITE_PERSON": "WhitePersonID",
    "BLACK_PERSON": "BlackPersonID", "CORE_HASH": "CoreHash", "EVENT": "EventID",
    "SITE": "SiteID", "DATE": "Date", "ROUND": "Round", "RESULT": "Result",
    "WHITE_ELO": "WhiteElo", "BLACK_ELO": "BlackElo", "TAGS": "ExtraTags", "FILLED": "BackFilled",
    "FEN": "FEN",
    "MOVES": "Moves2", "FINAL": "FinalZobrist", "HASH": "MoveHash", "SOURCE": "SourceID",
    "COMMENTS": "HasComments",
}  # fmt: skip
# In the order that the kernel expects, after the ID; a header has HEADER_COLUMNS only.
_COLUMNS_BY_INDEX = {
    index: _COLUMNS[name.removeprefix("COLUMN_")]
    for name, index in CONSTANTS.items()
    if name.startswith("COLUMN_")
}
GAME_COLUMNS = tuple(_COLUMNS_BY_INDEX[index] for index in range(1, CONSTANTS["GAME_END"]))
HEADER_COLUMNS = GAME_COLUMNS[: CONSTANTS["HEADER_END"] - 1]
_HEADERS = ", ".join(HEADER_COLUMNS)
# Go setup stones between moves, which are not replayed.
_SET_UP = """
    Ply >= 0 AND Variation NOT LIKE '(%' AND (
        instr(Variation, 'AB[') OR instr(Variation, 'AW[') OR instr(Variation, 'AE[')
    )
"""
_SET_UP_GAMES = f"""
    WITH SetUp (SetUpGame, Text) AS MATERIALIZED (
        SELECT GameID, group_concat(Ply || Variation) FROM (
            SELECT GameID, Ply, Variation FROM Annotations WHERE {_SET_UP}
            AND Ply < (
                SELECT PlyCount - 1 FROM Games WHERE Games.ID = GameID
                UNION ALL SELECT PlyCount - 1 FROM RemovedGames WHERE RemovedGames.ID = GameID
            )
            ORDER BY ID
        ) GROUP BY GameID
    )
"""
# A FEN followed by text that cannot be parsed equals only itself: the game is compared only with
# games of the same setup.
_START_WITH_SET_UP = "CASE WHEN Text IS NULL THEN FEN ELSE coalesce(FEN, '') || Text END"
_LEAST_GAME_BYTES = 128  # if IDs have large gaps, they do not show the number of games
_NEAR_BYTES = 1 << 25  # of games in memory at a time, if only a few games are needed
Address = tuple[str, bool]  # normal form, and whether a game has no other

RECORD = "record"  # equal start, moves, seven tags and annotations
# The columns of each key. The first is an indexed hash; the others refine it.
_STUDY_COLUMNS = {
    "last-position": ("FinalZobrist",),
    "last-position+length": ("FinalZobrist", "PlyCount"),
    "all-positions": ("PositionsKey",),
    "every-5": ("SampledKey", "FinalZobrist"),  # the last position, and every fifth
    "moves": ("MoveHash",),
    "moves+players": ("MoveHash", "White", "Black"),
}
_KEY_COLUMNS = {**_STUDY_COLUMNS, RECORD: ("GameHash",)}
METHODS, KEYS = tuple(_STUDY_COLUMNS), tuple(_KEY_COLUMNS)
_SIDES = ("White", "Black")
_MERGED = "HeaderOptimized"  # in the first version with UnmergedHeaders


class AddressReader(NamedTuple):
    """How the web address of a game is read; functions return None if there is none.

    `of_text` takes the text of a Site tag; `in_comment` a comment before the first move; `in_tags`
    the tags of `tags` that a game has, its Site tag and the ID of its source.
    """

    of_text: Callable[[str], Address | None]
    in_comment: Callable[[str], Address | None]
    in_tags: Callable[[Mapping[str, str], str, int | None], Address | None]
    tags: Sequence[str]


class NameForms(NamedTuple):
    """The forms of a player's name that are compared: see GameBatch.load_players().

    `fold` transliterates a name to ASCII; `read` returns the reading of a name in Hangul or Chinese
    characters; `rewrite`, if given, is applied to every name before.
    """

    fold: Callable[[str], str]
    read: Callable[[str], str | None] | None = None
    rewrite: Callable[[str], str] | None = None


class DifferentPlayers(NamedTuple):
    """Players that the user decided are different: see GameBatch.set_different_players()."""

    unresolved: Iterable[tuple[int, int, int]]
    different: Iterable[tuple[int, int]]


class GameReader:
    """Read the games of a database with at least `min_plies` plies into a batch.

    The constructor loads all texts into `batch`. All methods raise StoreError.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        names: NameForms,
        *,
        min_plies: int = 0,
        addresses: AddressReader | None = None,
        different: DifferentPlayers | None = None,
    ) -> None:
        self.batch = GameBatch(game_kind(connection).is_go)
        self._connection = connection
        self._addresses = addresses
        site_addresses = () if addresses is None else _site_addresses(connection, addresses)
        persons = _persons_with_fide_ids(connection)
        players, events, sites = (
            f"SELECT ID, Name FROM {table} WHERE Name IS NOT NULL ORDER BY ID"
            for table in ("Players", "Events", "Sites")
        )
        with self._errors(connection, self.batch):
            load_kernel(connection, search_kernel)
            if different is not None:
                rows = (array("q", chain.from_iterable(sorted(part))) for part in different)
                self.batch.set_different_players(*rows)
            self.batch.load_players(connection, players, *names, *persons)
            self.batch.load_events(connection, events)
            self.batch.load_sites(connection, sites, site_addresses)
        # Stones that are set up between moves are part of the start: such a game is no equal
        # record of one without them.
        sql = f"SELECT EXISTS (SELECT 1 FROM Annotations WHERE {_SET_UP})"
        self._has_set_up = game_kind(connection) is GO and bool(connection.execute(sql).get)
        # An older database lacks some columns.
        columns = {name: name for name in column_names(connection, "Games")}
        if self._has_set_up:
            columns["FEN"] = _START_WITH_SET_UP
        self._columns = ", ".join(["ID", *(columns.get(name, "NULL") for name in GAME_COLUMNS)])
        # Deleted duplicates show which group a new game belongs to.
        self._tables = tables_with_games(connection)
        # OCGDB writes NULL for a game without moves.
        self._long_enough = f"coalesce(PlyCount, 0) >= {min_plies}" if min_plies else "1"
        self._has_unmerged = bool(column_names(connection, "UnmergedHeaders"))

    def expect_all(self) -> None:
        """Reserve memory for all games, since growing step by step costs more."""
        low, high = id_span(self._connection) or (0, -1)
        most = file_bytes(self._connection) // _LEAST_GAME_BYTES
        self.batch.expect(min(high - low + 1, most))

    def open(self, condition: str = "") -> None:
        """Start reading games; call read() until the batch `is_read`.

        `condition`: SQL that follows the column ID, such as "IN (1, 2)"; without it, all games.
        """
        self._open(self._connection, self.batch, condition, is_range=not condition)

    def read(self, most_bytes: int | None = None) -> None:
        """Read games until the batch uses `most_bytes`."""
        with self._errors(self._connection, self.batch):
            self.batch.scan_more(*(() if most_bytes is None else (most_bytes,)))
            self._load_addresses(self.batch)

    def read_games(self, ids: Iterable[int]) -> GameBatch:
        """Return a part of the batch with the games of some IDs."""
        part = self.batch.part()
        rising = array("q", sorted(ids))
        if rising:
            self._open(self._connection, part, "= ?1", is_range=False, ids=rising)
            with self._errors(self._connection, part):
                part.scan_more()
                self._load_addresses(part)
        return part

    def read_near(self, ids: Collection[int]) -> None:
        """Read these games, and only those other games that their verdicts need."""
        chosen = f"(SELECT value FROM json_each('{id_list(ids)}'))"
        rising = array("q", sorted(set(ids)))
        for condition in (f"IN {chosen}", f"NOT IN {chosen}"):
            self.open(condition)
            while not self.batch.is_read:
                self.read(_NEAR_BYTES)
                self.batch.keep_neighbours(rising)
        self.batch.use_neighbours()

    def ranges(self, games: int) -> list[range]:
        """Divide the IDs of all games into ranges of about `games` games.

        Returns no ranges if most IDs are unused, since the ranges would then differ much in size.
        """
        low, high = id_span(self._connection) or (0, -1)
        if high - low >= 2 * count_games(self._connection):
            return []
        return [range(start, min(start + games, high + 1)) for start in range(low, high + 1, games)]

    def read_part(self, connection: apsw.Connection, ids: range) -> GameBatch:
        """Return the games of a range of IDs, read by another connection, in any thread."""
        part = self.batch.part()
        part.expect(len(ids))
        between = f"BETWEEN {ids.start} AND {ids.stop - 1}"
        self._open(connection, part, between, is_range=True)
        with self._errors(connection, part):
            part.scan_more()
        return part

    def append(self, part: GameBatch) -> None:
        """Append the games of a part to the games read before."""
        with self._errors(self._connection, self.batch):
            self._load_addresses(part)
            self.batch.append(part)

    def _open(
        self,
        connection: apsw.Connection,
        batch: GameBatch,
        condition: str,
        *,
        is_range: bool,
        ids: array[int] | None = None,
    ) -> None:
        columns = self._columns
        if is_range and len(self._tables) == 1 and not self._has_set_up:
            # The kernel takes the range itself: SQLite must not sort, it would call the function
            # before.
            columns = f"{_TAKE_GAME}(?1, {columns})"
        join = "LEFT JOIN SetUp ON SetUpGame = ID" if self._has_set_up else ""
        chosen = f"AND ID {condition}" if condition else ""
        games = " UNION ALL ".join(
            f"SELECT {columns} FROM {table} {join} "
            f"WHERE {self._long_enough} AND {is_searched(connection, table)} {chosen}"
            for table in self._tables
        )
        order = "" if ids is not None else "ORDER BY ID"
        sql = f"{_SET_UP_GAMES if self._has_set_up else ''}{games} {order}"
        chosen = f"WHERE GameID {condition}" if condition else ""
        order = "" if ids is not None else "ORDER BY GameID"
        headers = f"SELECT GameID, {_HEADERS} FROM UnmergedHeaders {chosen} {order}"
        with self._errors(connection, batch):
            load_kernel(connection, search_kernel)
            batch.open_scan(connection, sql, headers if self._has_unmerged else None, ids)

    def _load_addresses(self, batch: GameBatch) -> None:
        if self._addresses is not None:
            batch.load_addresses(
                partial(_tag_addresses, self._connection, self._addresses),
                partial(_comment_addresses, self._connection, self._addresses),
            )

    @contextlib.contextmanager
    def _errors(self, connection: apsw.Connection, batch: GameBatch) -> Iterator[None]:
        try:
            with kernel_errors(connection, "games cannot be read"):
                yield
        except BaseException as error:
            batch.end_scan()
            # store_errors() finds the invalid text.
            if isinstance(error, ValueError) and not isinstance(error, UnicodeDecodeError):
                name = connection.filename or "the database in memory"
                raise StoreError(f"{name}: games cannot be read: {error}") from error
            raise


def prepare_to_read_moves(connection: apsw.Connection) -> str:
    """Make a connection load the search kernel; return a statement for moves by ID, for it."""
    load_kernel(connection, search_kernel)
    tables = tables_with_games(connection)
    return " UNION ALL ".join(f"SELECT Moves2 FROM {table} WHERE ID = ?1" for table in tables)


def name_ids_after(
    connection: apsw.Connection, last_id: int, min_plies: int
) -> tuple[array[int], array[int], array[int]]:
    """Return the IDs of the events, sites and players of all games after an ID ("q").

    The games have no merged header, and at least `min_plies` plies.
    """
    events, sites, players = array("q"), array("q"), array("q")
    for table in tables_with_games(connection):
        rows = connection.execute(
            f"SELECT EventID, SiteID, WhiteID, BlackID FROM {table} WHERE ID > ? "
            f"AND coalesce(PlyCount, 0) >= ? AND {is_searched(connection, table)}",
            (last_id, min_plies),
        )
        for event, site, *sides in rows:
            for ids, values in ((events, [event]), (sites, [site]), (players, sides)):
                ids.extend(value for value in values if value is not None)
    return events, sites, players


def _site_addresses(
    connection: apsw.Connection, reader: AddressReader
) -> Iterator[tuple[int, str, bool]]:
    for site, name in connection.execute("SELECT ID, Name FROM Sites WHERE instr(Name, '/')"):
        address = reader.of_text(name)
        if address is not None:
            yield site, *address


def _persons_with_fide_ids(connection: apsw.Connection) -> tuple[array[int], array[int]]:
    """Return the players who have a FIDE ID, by rising ID, and the FIDE IDs."""
    persons, fide_ids = array("q"), array("I")
    if column_names(connection, "Persons"):
        sql = "SELECT ID, FideID FROM Persons WHERE FideID BETWEEN 1 AND 0xFFFFFFFF ORDER BY ID"
        for person, fide_id in connection.execute(sql):
            persons.append(person)
            fide_ids.append(fide_id)
    return persons, fide_ids


def _tag_addresses(
    connection: apsw.Connection, reader: AddressReader, ids: Sequence[int]
) -> Iterator[tuple[int, str, bool]]:
    """Yield the web addresses in tags of games, as written."""
    if not ids:
        return
    tags = ", ".join(f"Header.ExtraTags ->> '$.{tag}'" for tag in reader.tags)
    site = "(SELECT Name FROM Sites WHERE Sites.ID = Header.SiteID)"
    condition = "ID IN (SELECT value FROM json_each(?1))"
    has_merged = column_names(connection, "UnmergedHeaders")
    for table in tables_with_games(connection):
        header, other = f"FROM {table} AS Header WHERE Header.{condition}", ""
        if has_merged:
            header += " AND ID NOT IN (SELECT GameID FROM UnmergedHeaders)"
            other = (
                f" UNION ALL SELECT ID, {site}, SourceID, {tags} FROM {table} "
                f"JOIN UnmergedHeaders AS Header ON GameID = ID WHERE {condition}"
            )
        sql = f"SELECT ID, {site}, SourceID, {tags} {header}{other}"
        for game_id, name, source, *values in connection.execute(sql, (json.dumps(ids),)):
            fields = {
                tag: str(value)
                for tag, value in zip(reader.tags, values, strict=True)
                if value is not None
            }
            address = reader.in_tags(fields, name or "", source)
            if address is not None:
                yield game_id, *address


def _comment_addresses(
    connection: apsw.Connection, reader: AddressReader, ids: Sequence[int]
) -> Iterator[tuple[int, str, bool]]:
    """Yield the web addresses in the first comments of games, as written."""
    if not ids:
        return
    merged = ""
    if column_names(connection, "MergedNotes"):
        merged = """AND NOT EXISTS (
            SELECT 1 FROM MergedNotes WHERE MergedNotes.GameID = value
            AND NoteTable = 'Comments' AND NoteID = Comments.ID AND FromGameID <> value
        )"""
    sql = f"""
        SELECT value, Comment FROM json_each(?) JOIN Comments ON Comments.ID = (
            SELECT min(ID) FROM Comments WHERE GameID = value
        ) WHERE Ply < 0 AND instr(Comment, '/') {merged}
    """
    for game_id, text in connection.execute(sql, (json.dumps(ids),)):
        address = reader.in_comment(text)
        if address is not None:
            yield game_id, *address


# --- keys -----------------------------------------------------------------------------------------


def reason_of(method: str) -> str:
    """Return the DuplicateReason of games that are duplicates by a key alone."""
    return f"by {method}"


class KeyedGame(NamedTuple):
    """A game and its key; `fen` is as stored, `is_deleted` 1 for one of RemovedGames."""

    key: tuple[int | None, ...]
    game_id: int
    is_deleted: int
    fen: str | None
    moves: bytes


# The inner query uses only the index of the hash, if it exists; blobs are read only of games that
# share a hash.
_SELECT = """
    SELECT {key}, ID, IsRemoved, FEN, Moves2 FROM ({games})
    WHERE {hash} IN (SELECT {hash} FROM ({hashes}) GROUP BY {hash} HAVING count(*) > 1)
        AND PlyCount >= ?
    ORDER BY {key}, ID
"""
# Each game comes right before the games that continue it.
_IN_ORDER = """
    SELECT {key}, ID, IsRemoved, FEN, Moves2 FROM ({games})
    WHERE MoveHash IS NOT NULL AND PlyCount >= ? AND FEN IS {start}
    ORDER BY {scope} Moves2, ID
"""


def keyed_games(
    connection: apsw.Connection, method: str, min_plies: int, *, with_deleted: bool = False
) -> Iterator[KeyedGame]:
    """Yield all games of `min_plies` plies or more that share the hash of a method, by key and ID.

    Some keys have only one game. Raises UsageError for a method that is not in KEYS, and for a
    database without hash columns.
    """
    columns = _key_columns(connection, method)
    if method == RECORD:  # databases of an older version or of OCGDB
        without = connection.execute("SELECT count(*) FROM Games WHERE GameHash IS NULL").get
        if without:
            raise UsageError(
                f"{RECORD}: {counted(without, 'game has', 'games have')} no GameHash, because an "
                "older version or another program read them; import the files again with "
                "'ocgdedup create'"
            )
    sql = _SELECT.format(
        key=", ".join(columns),
        hash=columns[0],
        games=_games(connection, columns, with_deleted=with_deleted),
        hashes=_games(connection, columns[:1], with_deleted=with_deleted),
    )
    return _rows(connection, sql, min_plies)


def games_by_moves(
    connection: apsw.Connection, method: str, min_plies: int, *, has_start: bool
) -> Iterator[KeyedGame]:
    """Yield games of `min_plies` plies or more, including deleted games, by their moves as bytes.

    If the method uses players, games are first sorted by players: the key is what must be equal in
    games of which one may be a prefix of the other. `has_start`: games with a start position of
    their own, else the others.
    """
    scope = [name for name in _key_columns(connection, method) if name in _SIDES]
    sql = _IN_ORDER.format(
        key=", ".join(scope or ["NULL"]),
        games=_games(connection, ["MoveHash", *scope], with_deleted=True),
        start="NOT NULL" if has_start else "NULL",
        scope="".join(f"{name}, " for name in scope),
    )
    return _rows(connection, sql, min_plies)


def _rows(connection: apsw.Connection, sql: str, min_plies: int) -> Iterator[KeyedGame]:
    for *key, game_id, is_deleted, fen, moves in connection.execute(sql, (min_plies,)):
        yield KeyedGame(tuple(key), game_id, is_deleted, fen, moves or b"")


def _key_columns(connection: apsw.Connection, method: str) -> tuple[str, ...]:
    if method not in _KEY_COLUMNS:
        raise UsageError(f"{method}: unknown key; known are {', '.join(KEYS)}")
    existing = column_names(connection, "Games")
    columns = _KEY_COLUMNS[method]
    if columns[0] not in existing:
        raise UsageError(
            f"{method}: the database has no column {columns[0]} yet; 'ocgdedup dedup --upgrade' "
            "adds it"
        )
    return columns


def _games(connection: apsw.Connection, columns: Sequence[str], *, with_deleted: bool) -> str:
    """Return a query for games with these columns of a key, optionally with deleted games."""
    selects = []
    for is_deleted, table in enumerate(GAME_TABLES if with_deleted else ("Games",)):
        existing = column_names(connection, table)
        selected = ", ".join(
            f"{_player(name, existing, table)} AS {name}" if name in _SIDES else f"{table}.{name}"
            for name in columns
            if name != "PlyCount"
        )
        unmerged = ""
        if table == "Games" and any(name in _SIDES for name in columns) and _MERGED in existing:
            unmerged = "LEFT JOIN UnmergedHeaders AS Unmerged ON GameID = Games.ID"
        if existing:
            selects.append(
                f"SELECT {selected}, {table}.PlyCount, {table}.ID, {is_deleted} AS IsRemoved, "
                f"{table}.FEN, {table}.Moves2 FROM {table} {unmerged} "
                f"WHERE {is_searched(connection, table)}"
            )
    return " UNION ALL ".join(selects)


def _player(side: str, existing: set[str], table: str) -> str:
    """Return the SQL of the player ID of a side, or of a negative ID of its name if unresolved."""
    current, before = (
        f"coalesce({name}.{side}PersonID, -{name}.{side}ID)"
        if f"{side}PersonID" in existing
        else f"-{name}.{side}ID"
        for name in (table, "Unmerged")
    )
    if table != "Games" or _MERGED not in existing:
        return current
    return f"CASE WHEN GameID IS NULL THEN {current} ELSE {before} END"
