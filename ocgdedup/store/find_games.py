"""SQL that finds games by their moves, signatures, similarity, positions and patterns.

Moves are passed as stored numbers and as letters of signatures; this module knows no rules of chess
or Go. The kernels find_positions (with the help of PositionFilters) and find_patterns read the
rows themselves. Must not know how a user writes moves or a position.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ocgdedup._kernels import find_patterns, find_positions
from ocgdedup.errors import SqliteError
from ocgdedup.files.portable import processors
from ocgdedup.game_kind import GameKind
from ocgdedup.model import USUAL_LINES, GameHeader
from ocgdedup.store.connection import column_names, id_list, kernel_error, readers_beside
from ocgdedup.store.current_headers import current_headers
from ocgdedup.store.games import GAME_TABLES, Row, games_in_ranges
from ocgdedup.store.row_writer import load_kernel
from ocgdedup.store.selection import Criteria, Selection, conditions_of

if TYPE_CHECKING:
    from ocgdedup._kernels.find_patterns import PatternFinder

UNKNOWN, ABSENT = "?", "-"
# Column of Signatures, and the numbers of the moves in it.
SIGNATURE_MOVES = {"SignatureA": (20, 40, 60), "SignatureB": (31, 51, 71)}
_MD5_COLUMNS = ("MovesMD5", "CanonicalMD5", "MovesMD5First100", "MovesMD5First50")
_GLOB = {UNKNOWN: "?", ABSENT: "[?]"}
_SIZE = "SZ[{}]"
_START = "coalesce(nullif(FEN, ''), 'SZ[19]')"


class MoveWish(NamedTuple):
    """A move that a game must have.

    `letters`: as in a signature, UNKNOWN for each that is free, ABSENT for all of them if the game
    must end before; `values`: the allowed stored numbers, rising, empty for no such move and for
    any move. `is_all`: the letters are the whole condition, so that a signature decides.
    """

    number: int
    letters: str
    values: tuple[int, ...]
    is_all: bool = True


# All moves that a game must have; a game must match any one of several alternatives.
Alternative = tuple[MoveWish, ...]


class Conditions(NamedTuple):
    """Conditions on games; `ids` None: any game; `lines`: Go board size."""

    criteria: Criteria
    alternatives: tuple[Alternative, ...] = ()
    ids: Sequence[int] | None = None
    lines: int | None = None

    @property
    def are_none(self) -> bool:
        """Return whether all games fit."""
        is_any = self.criteria.selection == Selection()
        return is_any and not self.alternatives and self.ids is None and self.lines is None


class FoundHeader(NamedTuple):
    """A header, and the group and class of the game if it is a flagged duplicate, else None."""

    header: GameHeader
    status: str | None
    group: int | None


class _Statement(NamedTuple):
    sql: str
    values: Sequence[object]


def most_lines(connection: apsw.Connection) -> int:
    """Return the largest size of a Go board, 19 if there are no games."""
    sql = f"SELECT max(CAST(substr({_START}, 4) AS INTEGER)) FROM Games"
    return int(connection.execute(sql).get or USUAL_LINES)


def find_statement(
    connection: apsw.Connection, search: Conditions, *, has_signatures: bool
) -> _Statement:
    """Return the statement that selects the IDs of the matching games, by rising ID."""
    conditions, values = conditions_of(search.criteria, column_names(connection, "Games"))
    source = "Games"
    if search.lines is not None:
        start = _SIZE.format(search.lines)
        conditions.append(f"substr({_START}, 1, {len(start)}) = ?")
        values.append(start)
    if search.ids is not None:
        conditions.append("ID IN (SELECT value FROM json_each(?))")
        values.append(id_list(search.ids))
    if search.alternatives:
        if has_signatures:
            driver = _driver(search.alternatives)
            if driver is not None:
                source = "Games JOIN Signatures ON GameID = ID"
                conditions.append(f"ID IN ({driver.sql})")
                values += driver.values
        by_signature = "Signatures" in source
        tests = [_alternative_sql(alternative, by_signature) for alternative in search.alternatives]
        conditions.append("(" + " OR ".join(test.sql for test in tests) + ")")
        values += [value for test in tests for value in test.values]
    where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
    return _Statement(f"SELECT ID FROM {source} {where}ORDER BY ID", values)


def games_that_fit(
    connection: apsw.Connection, search: Conditions, *, has_signatures: bool
) -> Iterator[int]:
    """Yield the IDs of the matching games, by rising ID."""
    statement = find_statement(connection, search, has_signatures=has_signatures)
    for (game_id,) in connection.execute(statement.sql, statement.values):
        yield game_id


# --- moves ----------------------------------------------------------------------------------------


def _driver(alternatives: Sequence[Alternative]) -> _Statement | None:
    """Return a statement for IDs from an index of Signatures, None if no such move is given.

    Of the two indexes, the one with the longer known prefix is used. Without a known prefix it is
    scanned, which reads a tenth of the games' size.
    """
    patterns = {
        column: [_pattern(alternative, column) for alternative in alternatives]
        for column in SIGNATURE_MOVES
    }
    known = {
        column: min(len(_beginning(text)) for text in texts) for column, texts in patterns.items()
    }
    wished = [name for name, texts in patterns.items() if any(set(text) - {"?"} for text in texts)]
    if not wished:
        return None
    column = max(wished, key=lambda name: known[name])
    if not known[column]:
        tests = " OR ".join([f"{column} GLOB ?"] * len(alternatives))
        globs = [_glob(text) for text in patterns[column]]
        return _Statement(f"SELECT GameID FROM Signatures WHERE {tests}", globs)
    select = (
        f"SELECT GameID FROM Signatures WHERE {column} >= ? AND {column} < ? AND {column} GLOB ?"
    )
    values = [value for text in patterns[column] for value in (*_range(text), _glob(text))]
    return _Statement(" UNION ALL ".join([select] * len(alternatives)), values)


def _pattern(alternative: Alternative, column: str) -> str:
    """Return the letters of a signature, including UNKNOWN and ABSENT."""
    width = len(alternative[0].letters)
    wished: dict[int, list[str]] = {}
    for wish in alternative:
        wished.setdefault(wish.number, []).append(wish.letters)
    parts = (wished.get(number, [UNKNOWN * width]) for number in SIGNATURE_MOVES[column])
    return "".join(part[0] for part in parts)


def _beginning(pattern: str) -> str:
    return pattern.split(UNKNOWN)[0].replace(ABSENT, "?")


def _range(pattern: str) -> tuple[str, str]:
    start = _beginning(pattern)
    return start, start[:-1] + chr(ord(start[-1]) + 1)


def _glob(pattern: str) -> str:
    return "".join(_GLOB.get(letter, letter) for letter in pattern)


def _alternative_sql(alternative: Alternative, by_signature: bool) -> _Statement:
    tests: list[str] = []
    values: list[object] = []
    left = list(alternative)
    if by_signature:
        for column, numbers in SIGNATURE_MOVES.items():
            pattern = _pattern(alternative, column)
            if set(pattern) - {UNKNOWN}:
                tests.append(f"{column} GLOB ?")
                values.append(_glob(pattern))
            first = {wish.number: wish for wish in reversed(alternative) if wish.number in numbers}
            left = [wish for wish in left if first.get(wish.number) is not wish or not wish.is_all]
    tests += [_wish_sql(wish) for wish in left]
    return _Statement(f"({' AND '.join(tests)})", values)


def _wish_sql(wish: MoveWish) -> str:
    """Test the stored moves; the numbers are the program's own, so they are part of the SQL."""
    place = 2 * wish.number - 1
    if not wish.values:
        has_move = f"coalesce(length(Moves2), 0) > {place}"
        return f"NOT {has_move}" if ABSENT in wish.letters else has_move
    moves = ", ".join(f"x'{value.to_bytes(2, 'little').hex()}'" for value in wish.values)
    return f"substr(Moves2, {place}, 2) IN ({moves})"


# --- likeness -------------------------------------------------------------------------------------


class Likeness(NamedTuple):
    """Equal parts of the signatures of two games, one word each, the most significant first."""

    words: str
    sql: str


LIKENESSES = (
    Likeness("same moves", "MovesMD5 = :MovesMD5"),
    Likeness("same, turned", "CanonicalMD5 = :CanonicalMD5"),
    Likeness("first 100", "MovesMD5First100 = :MovesMD5First100"),
    Likeness("A and B", "SignatureA = :SignatureA AND SignatureB = :SignatureB"),
    Likeness("A and B, turned", "SymmetricSignature = :SymmetricSignature"),
    Likeness("first 50", "MovesMD5First50 = :MovesMD5First50"),
)
_BY_SIGNATURE = ("A and B", "A and B, turned")
MD5_WORDS = dict(
    zip(_MD5_COLUMNS, ("all moves", "canonical", "first 100", "first 50"), strict=True)
)


def like_games(connection: apsw.Connection, game_id: int) -> dict[int, str] | None:
    """Return the games that are similar to a game, the most similar first: ID, equal parts.

    None if that game has no signature. A and B of a game without a move 31 are ignored.
    """
    names = ("MovesMD5", "CanonicalMD5", "MovesMD5First100", "SignatureA", "SignatureB",
             "SymmetricSignature", "MovesMD5First50")  # fmt: skip
    sql = f"SELECT {', '.join(names)} FROM Signatures WHERE GameID = ?"
    row = connection.execute(sql, (game_id,)).fetchone()
    if row is None:
        return None
    own = dict(zip(names, row, strict=True))
    is_long = not str(own["SignatureB"]).startswith("?")
    words_by_id: dict[int, str] = {game_id: ""}
    for likeness in LIKENESSES:
        if likeness.words in _BY_SIGNATURE and not is_long:
            continue
        sql = f"SELECT GameID FROM Signatures WHERE {likeness.sql} ORDER BY GameID"
        for (other,) in connection.execute(sql, own):
            words_by_id.setdefault(other, likeness.words)
    del words_by_id[game_id]
    return words_by_id


def games_with_md5(connection: apsw.Connection, digest: bytes) -> dict[int, str]:
    """Return the games that have an MD5 in any column: ID, and the meaning of the column."""
    words_by_id: dict[int, str] = {}
    for column, words in MD5_WORDS.items():
        sql = f"SELECT GameID FROM Signatures WHERE {column} = ? ORDER BY GameID"
        for (game_id,) in connection.execute(sql, (digest,)):
            words_by_id.setdefault(game_id, words)
    return words_by_id


# --- output ---------------------------------------------------------------------------------------


def found_headers(connection: apsw.Connection, ids: Iterable[int]) -> list[FoundHeader]:
    """Return the headers of games in the order of the IDs; raise KeyError for an unknown ID."""
    game_ids = list(ids)
    sql = (
        "SELECT ID, DuplicateStatus, DuplicateGroup FROM FlaggedGames "
        "WHERE ID IN (SELECT value FROM json_each(?)) AND DuplicateStatus IS NOT NULL"
    )
    flags = {row[0]: row[1:] for row in connection.execute(sql, (id_list(game_ids),))}
    headers = {header.game_id: header for header in current_headers(connection, game_ids)}
    return [
        FoundHeader(headers[game_id], *flags.get(game_id, (None, None))) for game_id in game_ids
    ]


def has_game(connection: apsw.Connection, game_id: int) -> bool:
    """Return whether there is a game with an ID in Games."""
    sql = "SELECT EXISTS (SELECT 1 FROM Games WHERE ID = ?)"
    return bool(connection.execute(sql, (game_id,)).get)


# --- position filters -----------------------------------------------------------------------------


# Between two calls of the kernel Python handles Ctrl-C.
_GAMES_AT_ONCE = 20_000

_INSERT = "INSERT INTO PositionFilters (GameID, Filter) VALUES (?1, ?2)"
_LACKING = """
    SELECT ID, nullif(FEN, ''), Moves2 FROM {table}
    WHERE ID >= {first} AND NOT EXISTS (SELECT 1 FROM PositionFilters WHERE GameID = {table}.ID)
    ORDER BY ID LIMIT {limit}
"""
_ALL_FILTERS = "SELECT GameID, Filter FROM PositionFilters ORDER BY GameID"
_FILTER_OF = "SELECT Filter FROM PositionFilters WHERE GameID = ?1"
_ALL_GAMES = "SELECT ID FROM Games"
_GAME = "SELECT {start}, Moves2 FROM Games WHERE ID = ?1"


class Place(NamedTuple):
    """The first occurrence of a position in a game: plies before it, and index of the board."""

    game_id: int
    plies: int
    which: int


class WantedPosition(NamedTuple):
    """A position in the kernel's format.

    `boards`: one FEN, or starts of Go games: one board in all orientations; `fields`: how many of 4
    fields of the FEN are compared.
    """

    boards: tuple[str, ...]
    fields: int = 4


def fill_filters(connection: apsw.Connection, kind: GameKind, first_id: int | None = None) -> int:
    """Write the filters of the games, including removed games, that lack one, from an ID on.

    Returns the number of filters. Works within the transaction of the caller. Raises StoreError.
    """
    return sum(
        _fill_filters(connection, table, kind, -(2**63) if first_id is None else first_id)
        for table in GAME_TABLES
    )


def _fill_filters(connection: apsw.Connection, table: str, kind: GameKind, first_id: int) -> int:
    written = 0
    while True:
        select = _LACKING.format(table=table, first=first_id, limit=_GAMES_AT_ONCE)
        with kernel_errors(connection, "cannot be written"):
            load_kernel(connection, find_positions)
            count, last_id = find_positions.write_filters(connection, select, _INSERT, kind.is_go)
        written += count
        if count < _GAMES_AT_ONCE:
            return written
        first_id = last_id + 1


def has_filters(connection: apsw.Connection) -> bool:
    """Return whether any game has a filter; False for a database of an older version."""
    if not column_names(connection, "PositionFilters"):
        return False
    return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM PositionFilters)").get)


def stored_filters(connection: apsw.Connection, table: str) -> Iterator[list[Row]]:
    """Yield (ID, start, moves, MoveHash, filter or None) of the games of a table, in ranges."""
    sql = (
        "SELECT ID, CAST(FEN AS BLOB), Moves2, MoveHash, Filter FROM "
        f"{table} LEFT JOIN PositionFilters ON GameID = ID WHERE ID > ? ORDER BY ID LIMIT ?"
    )
    for rows in games_in_ranges(connection, sql):
        yield [
            # A start that is not UTF-8 cannot be read, whatever replaces its bytes.
            (row[0], None if row[1] is None else row[1].decode(errors="replace"), *row[2:])
            for row in rows
        ]


def delete_filters(connection: apsw.Connection, game_ids: Iterable[int]) -> None:
    """Delete the filters of these games."""
    sql = "DELETE FROM PositionFilters WHERE GameID IN (SELECT value FROM json_each(?))"
    connection.execute(sql, (id_list(game_ids),))


class PositionSearch:
    """The search for a position in some or all games; close it before the connection is closed.

    `unfiltered`: number of games without a filter, which must be replayed. Raises StoreError.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        position: WantedPosition,
        kind: GameKind,
        ids: Sequence[int] | None = None,
    ) -> None:
        self._connection = connection
        # OCGDB omits columns that were not requested.
        has_starts = "FEN" in column_names(connection, "Games")
        self._game_sql = _GAME.format(start="nullif(FEN, '')" if has_starts else "NULL")
        self.unfiltered = 0
        is_sifted = has_filters(connection)
        with kernel_errors(connection, "cannot be read"):
            load_kernel(connection, find_positions)
            self._finder = find_positions.PositionFinder(
                connection, position.boards, kind.is_go, position.fields
            )
            if ids is not None:
                self._finder.choose(ids, _FILTER_OF if is_sifted else None)
                return
            if is_sifted:
                self._finder.scan_filters(_ALL_FILTERS)
            self.unfiltered = self._finder.scan_games(_ALL_GAMES)

    def places(self) -> Iterator[Place]:
        """Yield the games that have the position, in their order, as they are found."""
        with kernel_errors(self._connection, "cannot be read"):
            while self._finder.left:
                yield from map(Place._make, self._finder.find(self._game_sql, _GAMES_AT_ONCE))

    def close(self) -> None:
        self._finder.close()


@contextlib.contextmanager
def kernel_errors(connection: apsw.Connection, action: str) -> Iterator[None]:
    """Turn SQLite errors of a kernel into StoreError; `action`: what failed."""
    try:
        yield
    except SqliteError as error:
        raise kernel_error(connection, action, error) from error


# --- patterns -------------------------------------------------------------------------------------


# Between two parts Python handles Ctrl-C and shows matches.
_GAMES_OF_A_PART = 8_000
_IDS_AT_ONCE = 1_000
_MOST_THREADS = 4
_LAST_OF_PART = "SELECT max(ID) FROM (SELECT ID FROM Games WHERE ID > ? ORDER BY ID LIMIT ?)"


def places_of_pattern(
    connection: apsw.Connection, finder: PatternFinder, ids: Sequence[int] | None = None
) -> Iterator[Place]:
    """Yield the first match of a pattern, by rising game ID, in these games or in all.

    Replays the games in one thread per processor, at most four. Raises StoreError.
    """
    # OCGDB omits columns that were not requested.
    start = "nullif(FEN, '')" if "FEN" in column_names(connection, "Games") else "NULL"
    select = f"SELECT ID, {start}, Moves2 FROM Games WHERE {{}} ORDER BY ID"
    parts = map(select.format, _all_parts(connection) if ids is None else _parts_of(ids))
    first = list(islice(parts, 2))
    threads = min(processors(), _MOST_THREADS) if len(first) > 1 else 0
    with readers_beside(connection, threads if threads > 1 else 0) as readers:
        if readers:
            yield from _in_threads(finder, readers, [*first, *parts])
        else:
            for sql in (*first, *parts):
                yield from _scan(finder, connection, sql)


def _all_parts(connection: apsw.Connection) -> Iterator[str]:
    """Yield conditions that divide the games into parts."""
    last = -(2**63)
    while True:
        end = connection.execute(_LAST_OF_PART, (last, _GAMES_OF_A_PART)).get
        if end is None:
            return
        yield f"ID > {last} AND ID <= {end}"
        last = end


def _parts_of(ids: Sequence[int]) -> Iterator[str]:
    ordered = iter(sorted(ids))
    while some := list(islice(ordered, _IDS_AT_ONCE)):
        yield f"ID IN ({','.join(map(str, some))})"


def _in_threads(
    finder: PatternFinder, readers: Sequence[apsw.Connection], parts: Sequence[str]
) -> Iterator[Place]:
    from concurrent.futures import Future, ThreadPoolExecutor  # takes 10 ms to import

    free = deque(readers)

    def scan(sql: str) -> list[Place]:
        reader = free.popleft()
        try:
            return _scan(finder, reader, sql)
        finally:
            free.append(reader)

    running: deque[Future[list[Place]]] = deque()
    with ThreadPoolExecutor(len(readers)) as threads:
        try:
            for sql in parts:
                if len(running) == 2 * len(readers):
                    yield from running.popleft().result()
                running.append(threads.submit(scan, sql))
            while running:
                yield from running.popleft().result()
        finally:
            for future in running:
                future.cancel()


def _scan(finder: PatternFinder, connection: apsw.Connection, sql: str) -> list[Place]:
    with kernel_errors(connection, "cannot be read"):
        load_kernel(connection, find_patterns)
        return list(map(Place._make, finder.scan(connection, sql)))
