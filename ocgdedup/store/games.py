"""SQL on Games and its annotations.

Kernels insert games, annotations and names, and read games as columns: this module owns the SQL
for that, and gives the kernels, which SQLite loads as extensions, access to a connection.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from sys import getsizeof
from types import ModuleType
from typing import TYPE_CHECKING, Any

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import search as search_kernel
from ocgdedup.errors import StoreError
from ocgdedup.game_columns import (
    GAME_COLUMNS,
    INSERTED_COLUMNS,
    MERGED_COLUMNS,
    PRINTED_COLUMNS,
)
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.model import GameHeader
from ocgdedup.store.connection import (
    column_names,
    has_rows,
    id_list,
    kernel_errors,
    little_memory,
    schema_sql,
)
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

if TYPE_CHECKING:
    import hashlib

    from ocgdedup._kernels.chess import Block, BlockOrigin, NameTables, OddValues, WrittenBlock
    from ocgdedup._kernels.search import Column

Row = tuple[Any, ...]
GAME_TABLES = ("Games", "RemovedGames")
COMMENT_COLUMNS = ("GameID", "Ply", "Comment", "Position")
ANNOTATION_COLUMNS = ("GameID", "Ply", "Position", "NAG", "Variation")
NOTE_INDEXES = ("CommentsGameID", "AnnotationsGameID")
RECORD_INDEX = "GamesGameHash"  # built by `create --index-records`
HASH_INDEXES = ("GamesMoveHash", "GamesFinalZobrist", "GamesPositionsKey", "GamesSampledKey")
FAULT_COLUMNS = ("GameID", "Line", "Ply", "Reason", "Rest")
REJECT_COLUMNS = ("SourceID", "SourceNumber", "SourceOffset", "Line", "Reason")
_LOADED_COLUMNS = {
    "Games": INSERTED_COLUMNS, "Comments": COMMENT_COLUMNS, "Annotations": ANNOTATION_COLUMNS,
    "Faults": FAULT_COLUMNS, "Rejects": REJECT_COLUMNS,
}  # fmt: skip
_ROWS_AT_ONCE = 250
# Games in memory at a time.
RANGE_GAMES = 50_000
# IDs end at 2**63 - 1; no load can reach that from here.
_LAST_WITH_ROOM = 2**63 - 2**40
# What is in memory at a time of games that are written: moves and tags, annotations of a batch
# (with the memory that Python needs for each row), and of a game with more than these.
BATCH_BYTES = 1 << 22
_PRINTED_BYTES = 2_000
NOTES_BYTES = 1 << 23
_NOTE_BYTES = 200
_PART_NOTES = 4096
_NOTES_BETWEEN = "GameID BETWEEN ? AND ?"
_NOTES_OF = "GameID IN (SELECT value FROM json_each(?))"
_COMMENTS_OF_GAME = f"""
    SELECT ID, coalesce(Ply, -1) AS Ply, coalesce(Position, 0) AS Position,
        {NOTE_COMMENT} AS Kind, Comment AS Value
    FROM Comments WHERE GameID = :game AND Comment IS NOT NULL
"""
_ANNOTATIONS_OF_GAME = f"""
    SELECT ID, Ply, Position, CASE WHEN NAG IS NULL THEN {NOTE_VARIATION} ELSE {NOTE_NAG} END,
        coalesce(NAG, Variation)
    FROM Annotations WHERE GameID = :game
"""
_IS_NOT_REPLACED = """
    ID NOT IN (
        SELECT NoteID FROM MergedNotes
        WHERE GameID = :game AND FromGameID = :game AND NoteTable = '{table}'
    )
"""
_EVENT_DATE = "ExtraTags ->> 'EventDate'"
_EVENT_MONTH = f"substr({_EVENT_DATE}, 6, 2) BETWEEN '01' AND '12'"
_FILL_DATES = f"""
    UPDATE Games SET
        Date = substr({_EVENT_DATE}, 1, 4)
            || CASE WHEN {_EVENT_MONTH} THEN substr({_EVENT_DATE}, 5, 3) ELSE '.??' END || '.??',
        DateQuality = CASE WHEN {_EVENT_MONTH} THEN 21 ELSE 11 END,
        ExtraTags = '{{"OriginalDate":"????.??.??",' || substr(ExtraTags, 2)
    WHERE ID >= ? AND coalesce(Date, '????.??.??') = '????.??.??' AND ExtraTags IS NOT NULL
        AND ExtraTags ->> 'OriginalDate' IS NULL AND {_EVENT_DATE} GLOB '[12][0-9][0-9][0-9].??.??'
"""

# SQL of the fields of GameHeader that are not plain columns.
_MADE_FIELDS = {
    "game_id": "{game_id}",
    "event": "nullif(Events.Name, '')",
    "site": "nullif(Sites.Name, '')",
    "white": "nullif(White.Name, '')",
    "black": "nullif(Black.Name, '')",
    "core_hash": "CASE WHEN {WhitePersonID} NOTNULL OR {BlackPersonID} NOTNULL THEN {CoreHash} END",
    "plies": "coalesce({PlyCount}, 0)",
    "has_comments": "coalesce({HasComments}, 0)",
    "has_variations": "coalesce({HasVariations}, 0)",
    "white_fide_id": "{white_fide_id}",
    "black_fide_id": "{black_fide_id}",
}
_COLUMNS_BY_FIELD = {column.field: column.name for column in GAME_COLUMNS if column.field}
_OWN_COLUMNS = tuple(_COLUMNS_BY_FIELD.values())
_SELECTED = ", ".join(
    _MADE_FIELDS.get(field) or f"{{{_COLUMNS_BY_FIELD[field]}}}" for field in GameHeader._fields
)
_HEADERS = f"""
    SELECT {_SELECTED}
    FROM {{source}}
    LEFT JOIN Events ON Events.ID = H.EventID
    LEFT JOIN Sites ON Sites.ID = H.SiteID
    LEFT JOIN Players AS White ON White.ID = H.WhiteID
    LEFT JOIN Players AS Black ON Black.ID = H.BlackID
    {{joins}}
    WHERE {{game_id}} IN (SELECT value FROM json_each(?))
"""
_FIDE_IDS = ("WhitePerson.FideID", "BlackPerson.FideID")
_PERSONS = (
    "LEFT JOIN Persons AS WhitePerson ON WhitePerson.ID = H.WhitePersonID "
    "LEFT JOIN Persons AS BlackPerson ON BlackPerson.ID = H.BlackPersonID"
)
if chess_kernel.INSERTED_COLUMNS != INSERTED_COLUMNS:
    raise ImportError(
        f"the chess kernel inserts the columns {chess_kernel.INSERTED_COLUMNS}, and the store "
        f"{INSERTED_COLUMNS}; build the kernels again"
    )

# Rows per statement: each statement opens the tables and looks up the last ID once.
_GROUP_ROWS = 16
_UNWRITTEN = "cannot be written"
_NAME_COLUMNS = {
    "Events": ("ID", "Name"),
    "Sites": ("ID", "Name"),
    "Players": ("ID", "Name", "Elo"),
}
_OCGDB_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")


def pgn_date(date: str | None) -> str | None:
    """Return a date of OCGDB (with hyphens) in PGN form; any other date unchanged."""
    return _OCGDB_DATE.sub(r"\1.\2.\3", date) if date else date


def insert_rows(connection: apsw.Connection, table: str, rows: Iterable[Row]) -> None:
    """Insert rows that a load makes, of the columns above, such as COMMENT_COLUMNS."""
    columns = _LOADED_COLUMNS[table]
    names, placeholders = ", ".join(columns), ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({placeholders})", rows)


def insert_at_once(connection: apsw.Connection, head: str, rows: Sequence[Row]) -> None:
    """Insert rows, many with each statement, which takes a fifth less time; `head` begins it."""
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        batch = rows[start : start + _ROWS_AT_ONCE]
        values = ", ".join([f"({', '.join('?' * len(batch[0]))})"] * len(batch))
        connection.execute(f"{head} VALUES {values}", tuple(chain.from_iterable(batch)))


_NO_VALUES = dict.fromkeys(INSERTED_COLUMNS)


def inserted_row(values: Mapping[str, object]) -> Row:
    """Return a row of INSERTED_COLUMNS; a column that `values` does not name is NULL."""
    row = {**_NO_VALUES, **values}
    if len(row) != len(_NO_VALUES):
        raise ValueError(f"no columns that a load inserts: {sorted(row.keys() - _NO_VALUES)}")
    return tuple(row.values())


def game_hash(
    start: str | None,
    moves: bytes,
    roster: Sequence[str | None],
    notes: Iterable[Row],
    kind: GameKind,
) -> int:
    """Return GameHash of a record, signed 64-bit.

    `start`: None for the standard start; `roster`: values of ROSTER, None if not known; `notes`:
    (ply, position, kind, value) in any order. The bytes are part of the file format
    (docs/file-format.md). The kernel does the same for PGN (kernels/chess/record_hash.pxd).
    """
    texts = [text if text not in (None, "?") else "" for text in (start, *roster)]
    parts = [f"{text}\0".encode() for text in texts]
    parts += [len(moves).to_bytes(4, "little"), moves]
    in_order = sorted(notes, key=_order_of_note)
    annotations = "".join(f"{ply} {sort} {value}\0" for ply, _, sort, value in in_order)
    # Other programs break the lines of comments in PGN.
    parts.append((annotations.replace("\n", " ") if kind is CHESS else annotations).encode())
    return _first_8_bytes(b"".join(parts))


def core_hash(white_key: str, black_key: str) -> int:
    """Return Games.CoreHash, signed 64-bit: a hash of the keys of both players.

    Its bytes are part of the file format (docs/file-format.md).
    """
    return _first_8_bytes(f"{white_key}:{black_key}".encode())


def _first_8_bytes(message: bytes) -> int:
    """Return the first 8 bytes of the SHA-256 of a message, read big-endian, signed."""
    return int.from_bytes(_sha256()(message).digest()[:8], "big", signed=True)


@cache  # an import statement takes longer than the hash
def _sha256() -> Callable[[bytes], hashlib._Hash]:
    from hashlib import sha256  # 4 ms

    return sha256


def add_annotations(
    game_id: int, notes: Iterable[Mapping[str, Any]], comments: list[Row], annotations: list[Row]
) -> None:
    """Add annotations of a game as rows of COMMENT_COLUMNS and of ANNOTATION_COLUMNS.

    `notes`: rows of the column Annotations of lossless tables.
    """
    for note in notes:
        ply, position, comment, nag, variation = note.values()
        if comment is not None:
            comments.append((game_id, ply, comment, position))
        else:
            annotations.append((game_id, ply, position, nag, variation))


def faulty_games(connection: apsw.Connection, *, with_copies: bool = True) -> set[int]:
    """Return the IDs of games whose text goes on after a fault; none in a database of OCGDB."""
    if not column_names(connection, "Faults"):
        return set()
    chosen = "" if with_copies else "WHERE DuplicateStatus IS NULL"
    # Some may be in RemovedGames.
    flagged = f"SELECT ID FROM FlaggedGames {chosen}"
    sql = f"SELECT GameID FROM Faults WHERE Rest <> '' AND GameID IN ({flagged})"
    return {row[0] for row in connection.execute(sql)}


def fill_dates(connection: apsw.Connection, first_id: int) -> None:
    """Give games without a date, from an ID on, the year and month in which their event began.

    DateQuality marks it as a guess, and the tag OriginalDate has the original text.
    """
    connection.execute(_FILL_DATES, (first_id,))


def id_span(connection: apsw.Connection) -> tuple[int, int] | None:
    """Return the lowest and highest ID of all games, deleted ones included; None if no games."""
    # In one SELECT without subqueries, SQLite would read all rows.
    limits_of = "SELECT (SELECT min(ID) FROM {table}), (SELECT max(ID) FROM {table})"
    limits = [
        limit
        for table in tables_with_games(connection)
        for limit in connection.execute(limits_of.format(table=table)).get
        if limit is not None
    ]
    return (min(limits), max(limits)) if limits else None


def next_id(connection: apsw.Connection, table: str) -> int:
    """Return one more than the highest ID ever given in Games, or now there in Sources.

    Raises StoreError if no higher ID is left, or if SQLite's stored sequence is not a number.
    """
    name = connection.filename or "the database in memory"
    highest = connection.execute(f"SELECT max(ID) FROM {table}").get
    used = 0
    if table == "Games":
        used = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'Games'").get
        if not isinstance(used, int | None):
            raise StoreError(
                f"{name}: the highest ID ever given, in sqlite_sequence, is not a number; "
                "export the games and create a new database from them"
            )
    last = max(used or 0, int(highest or 0))
    if last > _LAST_WITH_ROOM:
        raise StoreError(
            f"{name}: no more rows can be added to {table}, whose last ID is {last}, the highest "
            "possible; export the games and create a new database from them"
        )
    return last + 1


def count_games(connection: apsw.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM Games").get)


def has_games(connection: apsw.Connection) -> bool:
    return has_rows(connection, "Games")


def build_note_indexes(connection: apsw.Connection) -> None:
    """Build the indexes of annotations by game."""
    build_indexes(connection, NOTE_INDEXES)


def build_hash_indexes(connection: apsw.Connection) -> None:
    """Build the indexes on the hash columns."""
    build_indexes(connection, HASH_INDEXES)


def build_indexes(connection: apsw.Connection, names: Collection[str]) -> None:
    """Build the named indexes of indexes.sql that do not exist yet."""
    for line in schema_sql("indexes.sql").splitlines():
        match = re.match(r"CREATE INDEX IF NOT EXISTS (\w+) ", line)
        if match and match.group(1) in names:
            connection.execute(line)


_PERSON_COLUMNS = ("WhitePersonID", "BlackPersonID")
_PRINTED_INDEXES = {name: index for index, name in enumerate((*PRINTED_COLUMNS, *_PERSON_COLUMNS))}


def printed_value(row: Row, column: str) -> Any:
    """Return the value of a column in a row of PRINTED_COLUMNS, which players may follow."""
    return row[_PRINTED_INDEXES[column]]


def with_printed(row: Row, **values: object) -> Row:
    """Return a row of PRINTED_COLUMNS with other values, by the names of their columns."""
    changed = list(row)
    for column, value in values.items():
        changed[_PRINTED_INDEXES[column]] = value
    return tuple(changed)


def printed_rows(
    connection: apsw.Connection, *, with_copies: bool = True, with_persons: bool = False
) -> Iterator[list[Row]]:
    """Yield lists of rows of PRINTED_COLUMNS by ID, of all games or without duplicates.

    `with_persons`: WhitePersonID and BlackPersonID follow.
    """
    source = "Games" if with_copies else "FlaggedGames WHERE DuplicateStatus IS NULL"
    columns = _printed_columns(connection, with_persons=with_persons)
    rows = connection.execute(f"SELECT {columns} FROM {source} ORDER BY ID")
    yield from in_batches(rows, _printed_size)


def _printed_size(row: Row) -> int:
    """Return about how many bytes a row of PRINTED_COLUMNS takes in memory."""
    moves, tags = printed_value(row, "Moves2"), printed_value(row, "ExtraTags")
    return _PRINTED_BYTES + len(moves or b"") + len(tags or "")


def in_batches(
    rows: Iterable[Row], size_bytes: Callable[[Row], int] = lambda row: sum(map(getsizeof, row))
) -> Iterator[list[Row]]:
    """Yield rows in lists; a list ends with the row that takes it past BATCH_BYTES."""
    batch: list[Row] = []
    left = BATCH_BYTES
    for row in rows:
        batch.append(row)
        left -= size_bytes(row)
        if left < 0:
            yield batch
            batch = []
            left = BATCH_BYTES
    if batch:
        yield batch


def printed_rows_of(
    connection: apsw.Connection,
    ids: Sequence[int],
    table: str = "Games",
    *,
    with_persons: bool = False,
) -> Iterator[list[Row]]:
    """Yield lists of rows of PRINTED_COLUMNS in the order of the IDs; see printed_rows().

    `table` may be RemovedGames. Raises KeyError for an unknown ID.
    """
    columns = _printed_columns(connection, with_persons=with_persons)
    sql = (
        f"SELECT {columns} FROM (SELECT value AS ChosenID FROM json_each(?)) "
        f"CROSS JOIN {table} ON ID = ChosenID"  # in the order of the IDs
    )
    expected = iter(ids)
    for rows in in_batches(connection.execute(sql, (id_list(ids),)), _printed_size):
        for row in rows:
            if row[0] != (game_id := next(expected)):
                raise KeyError(game_id)
        yield rows
    for game_id in expected:
        raise KeyError(game_id)


def sources_of(
    connection: apsw.Connection, ids: Iterable[int], table: str = "Games"
) -> dict[int, tuple[str | None, int | None]]:
    """Return the input file of each game and its number there; none in a database of OCGDB."""
    if "SourceNumber" not in column_names(connection, table):
        return {}
    sql = (
        f"SELECT {table}.ID, Sources.Name, SourceNumber FROM {table} "
        "JOIN Sources ON Sources.ID = SourceID "
        f"WHERE {table}.ID IN (SELECT value FROM json_each(?))"
    )
    rows = connection.execute(sql, (id_list(ids),))
    return {game_id: (name, number) for game_id, name, number in rows}


def names_of_games(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return games in words, "White - Black, date, event"; unknown IDs are left out."""
    sql = (
        "SELECT Games.ID, White.Name, Black.Name, Date, Events.Name FROM Games "
        "LEFT JOIN Players AS White ON White.ID = WhiteID "
        "LEFT JOIN Players AS Black ON Black.ID = BlackID LEFT JOIN Events ON Events.ID = EventID "
        "WHERE Games.ID IN (SELECT value FROM json_each(?))"
    )
    return {
        game_id: f"{white or '?'} - {black or '?'}, {date or '????.??.??'}, {event or '?'}"
        for game_id, white, black, date, event in connection.execute(sql, (id_list(ids),))
    }


def move_blobs(
    connection: apsw.Connection, ids: Iterable[int]
) -> Iterator[tuple[int, bytes | None]]:
    """Yield (ID, move blob) of games by ID; unknown IDs are left out."""
    sql = (
        "SELECT Games.ID, Moves2 FROM json_each(?) AS Chosen "
        "CROSS JOIN Games ON Games.ID = Chosen.value"
    )
    return iter(connection.execute(sql, (id_list(ids),)))


def can_be_id(number: int) -> bool:
    """Return whether a number fits into a 64-bit ID of SQLite."""
    return -(2**63) < number < 2**63


def printed_row(
    connection: apsw.Connection, game_id: int, *, with_persons: bool = False
) -> Row | None:
    """Return the row of one game as printed_rows() does, None if there is no such game."""
    columns = _printed_columns(connection, with_persons=with_persons)
    sql = f"SELECT {columns} FROM Games WHERE ID = ?"
    row: Row | None = connection.execute(sql, (game_id,)).fetchone()
    return row


def _printed_columns(connection: apsw.Connection, *, with_persons: bool = False) -> str:
    """Return the SQL of the columns, NULL for columns that a database of OCGDB lacks."""
    existing = column_names(connection, "Games")
    columns = (*PRINTED_COLUMNS, *_PERSON_COLUMNS) if with_persons else PRINTED_COLUMNS
    return ", ".join(name if name in existing else "NULL" for name in columns)


def has_notes(connection: apsw.Connection) -> bool:
    """Return whether any game has annotations."""
    return any(has_rows(connection, table) for table in ("Comments", "Annotations"))


def prepare_notes(connection: apsw.Connection) -> None:
    """Make a temporary, indexed copy of the annotations of a database of OCGDB."""
    connection.execute(
        "CREATE TEMP TABLE SortedComments AS SELECT ID, GameID, Ply, Comment, 0 AS Position "
        "FROM Comments ORDER BY GameID, Ply, ID"
    )
    connection.execute("DROP VIEW IF EXISTS temp.Comments")
    connection.execute("ALTER TABLE temp.SortedComments RENAME TO Comments")
    connection.execute("CREATE INDEX temp.ForeignComments ON Comments(GameID)")


def notes_of(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, list[Row]]:
    """Return the annotations of these games, in order, by game.

    Each is (ply, position, kind, comment text | NAG number | variation text).
    """
    return _by_game(_notes(connection, _NOTES_OF, (id_list(ids),)))


def few_notes_of(connection: apsw.Connection, ids: Sequence[int]) -> dict[int, list[Row]] | None:
    """Return the annotations of these games, None if they take more than NOTES_BYTES."""
    chosen = set(ids)
    first, last = min(ids), max(ids)
    notes = _notes(connection, _NOTES_OF, (id_list(ids),))
    if last - first < 2 * len(ids):  # quicker, where it reads little that is not wanted
        notes = _notes(connection, _NOTES_BETWEEN, (first, last))
    few = []
    left = NOTES_BYTES
    for note in notes:
        if note[0] in chosen:
            few.append(note)
            left -= getsizeof(note[1][-1]) + _NOTE_BYTES
            if left < 0:
                return None
    return _by_game(few)


def notes_in_parts(connection: apsw.Connection, game_id: int) -> Iterator[list[Row]]:
    """Yield the annotations of one game, in order, a part at a time.

    SQLite sorts them, in a temporary file if they are many.
    """
    has_annotations = column_names(connection, "Annotations")
    selects = [_COMMENTS_OF_GAME, _ANNOTATIONS_OF_GAME] if has_annotations else [_COMMENTS_OF_GAME]
    if column_names(connection, "MergedNotes"):
        selects = [
            f"{select} AND {_IS_NOT_REPLACED.format(table=table)}"
            for select, table in zip(selects, ("Comments", "Annotations"), strict=False)
        ]
    sql = (
        f"SELECT Ply, Position, Kind, Value FROM ({' UNION ALL '.join(selects)}) "
        f"ORDER BY Ply, Position, Kind <> {NOTE_NAG}, Kind > {NOTE_COMMENT}, ID"
    )
    with little_memory(connection):  # the sort takes as much as the page cache may
        cursor = connection.execute(sql, {"game": game_id})
        while notes := list(islice(cursor, _PART_NOTES)):
            yield notes


def _by_game(notes: Iterable[tuple[int, Row]]) -> dict[int, list[Row]]:
    notes_by_game: dict[int, list[Row]] = {}
    for game_id, note in notes:
        notes_by_game.setdefault(game_id, []).append(note)
    for rows in notes_by_game.values():
        rows.sort(key=_order_of_note)
    return notes_by_game


def _notes(
    connection: apsw.Connection, chosen: str, values: tuple[int | str, ...]
) -> Iterator[tuple[int, Row]]:
    """Yield (game, annotation), in no order; none that those of other games replace."""
    replaced: set[tuple[str, int]] = set()
    if column_names(connection, "MergedNotes"):
        sql = f"SELECT NoteTable, NoteID FROM MergedNotes WHERE FromGameID = GameID AND {chosen}"
        replaced.update(connection.execute(sql, values))
    comments = (
        "SELECT ID, GameID, coalesce(Ply, -1), Position, Comment FROM Comments "
        f"WHERE {chosen} AND Comment IS NOT NULL"
    )
    for row_id, game_id, ply, position, text in connection.execute(comments, values):
        if not replaced or ("Comments", row_id) not in replaced:
            yield game_id, (ply, position or 0, NOTE_COMMENT, text)
    if column_names(connection, "Annotations"):
        others = f"SELECT ID, GameID, Ply, Position, NAG, Variation FROM Annotations WHERE {chosen}"
        for row_id, game_id, ply, position, nag, text in connection.execute(others, values):
            kind, value = (NOTE_NAG, nag) if nag is not None else (NOTE_VARIATION, text)
            if not replaced or ("Annotations", row_id) not in replaced:
                yield game_id, (ply, position, kind, value)


def _order_of_note(note: Row) -> tuple[int, int, bool]:
    return note[0], note[1], note[2] != NOTE_NAG  # a merged NAG follows the move


def games_in_ranges(connection: apsw.Connection, sql: str) -> Iterator[list[Row]]:
    """Yield lists of rows that begin with the game's ID; `sql` takes a last ID and a limit.

    No statement is open between two lists, so that the games may be written.
    """
    last_id = -(2**63)
    rows: list[Row]
    while rows := connection.execute(sql, (last_id, RANGE_GAMES)).fetchall():
        yield rows
        last_id = rows[-1][0]


def tables_with_games(connection: apsw.Connection) -> list[str]:
    """Return GAME_TABLES, or Games alone if no game was deleted."""
    return list(GAME_TABLES) if has_rows(connection, "RemovedGames") else ["Games"]


def is_searched(connection: apsw.Connection, table: str) -> str:
    """Return the SQL condition that searches read a game of a table: the user did not delete it."""
    return "RemovedBy IS NOT 'user'" if "RemovedBy" in column_names(connection, table) else "1"


def kept_and_deleted(connection: apsw.Connection, select: str) -> str:
    """Return a statement for the rows of all games, deleted ones included.

    `select`: the statement for one table, named {table} in it.
    """
    return " UNION ALL ".join(select.format(table=name) for name in tables_with_games(connection))


def imported_tables(connection: apsw.Connection) -> list[str]:
    """Return FROM sources of all games with the headers that they had before any merge."""
    if not has_rows(connection, "UnmergedHeaders"):
        return tables_with_games(connection)
    columns = ", ".join(
        f"{'Saved' if name in MERGED_COLUMNS else 'Game'}.{name}"
        for name in sorted(column_names(connection, "Games"))
    )
    merged = "FROM UnmergedHeaders AS Saved CROSS JOIN Games AS Game ON Game.ID = GameID"
    _, *deleted = tables_with_games(connection)
    return [
        "(SELECT * FROM Games WHERE ID NOT IN (SELECT GameID FROM UnmergedHeaders))",
        f"(SELECT {columns} {merged})", *deleted,
    ]  # fmt: skip


def as_imported(connection: apsw.Connection, select: str) -> str:
    """Return kept_and_deleted() with the headers that games had before any merge."""
    return " UNION ALL ".join(select.format(table=name) for name in imported_tables(connection))


def delete_rows_of(connection: apsw.Connection, table: str, game_ids: Iterable[int]) -> None:
    """Delete the rows of some games from a table with a column GameID."""
    sql = f"DELETE FROM {table} WHERE GameID IN (SELECT value FROM json_each(?))"
    connection.execute(sql, (id_list(game_ids),))


def update_games(
    connection: apsw.Connection, columns: Sequence[str], rows: Sequence[Row], table: str = "Games"
) -> None:
    """Set columns of games in one of GAME_TABLES; each row has the values, then the game's ID."""
    settings = ", ".join(f"{name} = Changes.{name}" for name in columns)
    names = ", ".join((*columns, "GameID"))
    placeholders = f"({', '.join('?' * (len(columns) + 1))})"
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        batch = rows[start : start + _ROWS_AT_ONCE]
        values = ", ".join([placeholders] * len(batch))
        connection.execute(
            f"WITH Changes({names}) AS (VALUES {values}) UPDATE {table} SET {settings} "
            "FROM Changes WHERE ID = Changes.GameID",
            list(chain.from_iterable(batch)),
        )


# --- headers --------------------------------------------------------------------------------------


def current_headers(
    connection: apsw.Connection, ids: Sequence[int], table: str = "Games"
) -> Iterator[GameHeader]:
    """Yield the headers of games, by rising ID; `table` may be RemovedGames.

    Fields that a database of OCGDB or of an older version lacks are None.
    """
    sql = f"{header_query(connection, table)} ORDER BY H.ID"
    return map(GameHeader._make, connection.execute(sql, (id_list(ids),)))


def header_query(connection: apsw.Connection, table: str) -> str:
    """Return the statement that reads headers from a table, here H; it binds a text of id_list().

    `table` may be UnmergedHeaders; other columns come from Games.
    """
    existing = column_names(connection, table)
    game_id, source, elsewhere = "H.ID", f"{table} AS H", dict.fromkeys(_OWN_COLUMNS, "NULL")
    if table == "UnmergedHeaders":
        game_id, source = "H.GameID", f"{source} JOIN Games ON Games.ID = H.GameID"
        elsewhere["PlyCount"] = "Games.PlyCount"
    columns = elsewhere | {name: f"H.{name}" for name in _OWN_COLUMNS if name in existing}
    has_persons = "WhitePersonID" in existing
    white_fide_id, black_fide_id = _FIDE_IDS if has_persons else ("NULL", "NULL")
    return _HEADERS.format(
        game_id=game_id, source=source, joins=_PERSONS if has_persons else "",
        white_fide_id=white_fide_id, black_fide_id=black_fide_id, **columns,
    )  # fmt: skip


# --- rows written and read by kernels -------------------------------------------------------------


class RowWriter:
    """Inserts into one connection; close it before the connection is closed.

    Raises StoreError for SQLite errors, also in later calls.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        statements = (
            insert_statements("Games", INSERTED_COLUMNS),
            insert_statements("Comments", COMMENT_COLUMNS),
            insert_statements("Annotations", ANNOTATION_COLUMNS),
        )
        try:
            with using_kernel(connection, chess_kernel, _UNWRITTEN):
                self._writer = chess_kernel.RowWriter(connection, statements)
        except ValueError as error:
            raise StoreError(str(error)) from error
        self._connection = connection

    def close(self) -> None:
        self._writer.close()

    def write_block(
        self,
        block: Block,
        tables: NameTables,
        odd_values: OddValues,
        origin: BlockOrigin,
        *,
        decode_all: bool = False,
    ) -> WrittenBlock:
        """Insert games and annotations; see RowWriter.write_block() of the kernel."""
        with kernel_errors(self._connection, _UNWRITTEN):
            return self._writer.write_block(block, tables, odd_values, origin, decode_all)

    def write_names(self, names: chess_kernel.NameTable, table: str) -> None:
        """Insert the new names of Events, Sites or Players."""
        with kernel_errors(self._connection, _UNWRITTEN):
            self._writer.write_names(names, insert_statements(table, _NAME_COLUMNS[table]))


class ColumnWriter:
    """Inserts columns of Arrow arrays into a table; close it before the connection is closed."""

    def __init__(self, connection: apsw.Connection, table: str, columns: Sequence[str]) -> None:
        load_kernel(connection, search_kernel)
        self._writer = search_kernel.ColumnWriter(connection, insert_statements(table, columns))
        self._connection = connection

    def close(self) -> None:
        self._writer.close()

    def write(self, columns: Sequence[Column], rows: int) -> None:
        """Insert rows; see the kernel. Raise StoreError for SQLite errors."""
        with kernel_errors(self._connection, _UNWRITTEN):
            self._writer.write(columns, rows)


def game_columns(
    connection: apsw.Connection, columns: Sequence[str], types: Sequence[str]
) -> tuple[int, list[Column]]:
    """Return the number of games and the columns of all games, by ID; see read_columns()."""
    sql = f"SELECT {', '.join(columns)} FROM Games ORDER BY ID"
    with using_kernel(connection, search_kernel, "cannot be read"):
        return search_kernel.read_columns(connection, sql, types)


def load_kernel(connection: apsw.Connection, kernel: ModuleType) -> None:
    """Load a kernel as an extension of a connection, for its next call in this thread.

    Raises StoreError if this apsw cannot load extensions.
    """
    try:
        connection.enable_load_extension(True)
        try:
            connection.load_extension(str(kernel.__file__), kernel.ENTRY_POINT)
        finally:
            connection.enable_load_extension(False)
    except (apsw.Error, AttributeError) as error:
        raise StoreError(
            f"this apsw cannot load extensions of SQLite ({error}); "
            "install the one of PyPI: python3 -m pip install --force-reinstall apsw"
        ) from error


@contextlib.contextmanager
def using_kernel(connection: apsw.Connection, kernel: ModuleType, action: str) -> Iterator[None]:
    """Load a kernel, and raise StoreError for the SQLite errors of a block; `action`: what failed.

    The block must run in this thread.
    """
    load_kernel(connection, kernel)
    with kernel_errors(connection, action):
        yield


def insert_statements(
    table: str, columns: Sequence[str], *, verb: str = "INSERT"
) -> tuple[str, str]:
    """Return the statements that insert one row and _GROUP_ROWS rows."""
    row = f"({', '.join('?' * len(columns))})"
    head = f"{verb} INTO {table} ({', '.join(columns)}) VALUES "
    return head + row, head + ", ".join([row] * _GROUP_ROWS)
