"""SQL that finds games by moves, positions, patterns, signatures, and similarity to a game.

Owns Signatures and PositionFilters. Moves are passed as stored numbers and as letters of
signatures; the chess kernel reads the rows for positions and patterns. Must not know how a user
writes moves or positions. All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup.files.portable import processors
from ocgdedup.game_kind import GameKind
from ocgdedup.model import USUAL_LINES, GameHeader
from ocgdedup.store.connection import (
    column_names,
    count_rows,
    has_rows,
    id_list,
    kernel_errors,
    on_threads,
    readers_beside,
)
from ocgdedup.store.games import (
    GAME_TABLES,
    Row,
    build_indexes,
    count_games,
    current_headers,
    games_in_ranges,
    insert_at_once,
    using_kernel,
)
from ocgdedup.store.selection import Criteria, Selection, conditions_of

if TYPE_CHECKING:
    from ocgdedup._kernels.chess import PatternFinder

UNKNOWN, ABSENT = "?", "-"
# Column of Signatures, and the numbers of the moves in it.
SIGNATURE_MOVES = {"SignatureA": (20, 40, 60), "SignatureB": (31, 51, 71)}
_MD5_COLUMNS = ("MovesMD5", "CanonicalMD5", "MovesMD5First100", "MovesMD5First50")
_GLOB = {UNKNOWN: "?", ABSENT: "[?]"}
_SIZE = "SZ[{}]"
_START = "coalesce(nullif(FEN, ''), 'SZ[19]')"

# Between two calls of the kernel Python handles Ctrl-C.
_FILTERS_AT_ONCE = 20_000
_INSERT = "INSERT INTO PositionFilters (GameID, Filter) VALUES (?1, ?2)"
_LACKING = """
    SELECT ID, nullif(FEN, ''), Moves2 FROM {table}
    WHERE ID >= {first} AND NOT EXISTS (SELECT 1 FROM PositionFilters WHERE GameID = {table}.ID)
    ORDER BY ID LIMIT {limit}
"""
_ALL_FILTERS = "SELECT GameID, Filter FROM PositionFilters ORDER BY GameID"
_FILTER_OF = "SELECT Filter FROM PositionFilters WHERE GameID = ?1"
_ALL_GAMES = "SELECT ID FROM Games"
_GAME = "SELECT {start}, Moves2 FROM {table} WHERE ID = ?1"

# Between two parts Python handles Ctrl-C and shows matches.
_GAMES_AT_ONCE = 8_000
_IDS_AT_ONCE = 1_000
_MOST_THREADS = 4
_LAST_OF_PART = "SELECT max(ID) FROM (SELECT ID FROM Games WHERE ID > ? ORDER BY ID LIMIT ?)"

SIGNATURE_INDEXES = (
    "SignaturesA", "SignaturesB", "SignaturesSymmetric", "SignaturesMD5", "SignaturesMD5First50",
    "SignaturesMD5First100", "SignaturesCanonicalMD5",
)  # fmt: skip
SIGNATURES = "Signatures"
REPORTED = "temp.ReportedSignatures"
_SIGNATURE_COLUMNS = (
    "GameID", "SignatureA", "SignatureB", "SymmetricSignature", "MovesMD5", "MovesMD5First50",
    "MovesMD5First100", "CanonicalMD5",
)  # fmt: skip
# Columns for kernels/find/signatures.pxi. A start that is not UTF-8 must not stop a whole load.
_PLAYED = "ID, CAST(FEN AS BLOB), Moves2"
_IN_GAMES = "GameID IN (SELECT ID FROM Games)"
# Columns that the fields of DistinctCounts count.
_COUNTED = (
    "GameID", "SignatureA", "SignatureB", "SignatureA, SignatureB", "SymmetricSignature",
    "MovesMD5", "CanonicalMD5",
)  # fmt: skip
_NO_GAME = "GameID NOT IN (SELECT ID FROM Games) AND GameID NOT IN (SELECT ID FROM RemovedGames)"


class MoveConstraint(NamedTuple):
    """A move that a game must have.

    `letters`: the letters of the move in a signature; UNKNOWN for a letter that may be any, ABSENT
    for all letters if the game must end before. `values`: the allowed stored numbers, rising; empty
    if the game must end before, or if any move is allowed. `is_all`: the letters are the whole
    condition, so the signature suffices.
    """

    number: int
    letters: str
    values: tuple[int, ...]
    is_all: bool = True


# All moves that a game must have; a game must match any one of several alternatives.
Alternative = tuple[MoveConstraint, ...]


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


class Statement(NamedTuple):
    """SQL, and the values that it binds."""

    sql: str
    values: Sequence[object]


def most_lines(connection: apsw.Connection) -> int:
    """Return the largest size of a Go board, 19 if there are no games."""
    sql = f"SELECT max(CAST(substr({_START}, 4) AS INTEGER)) FROM Games"
    return int(connection.execute(sql).get or USUAL_LINES)


def find_statement(
    connection: apsw.Connection, search: Conditions, *, has_signatures: bool
) -> Statement:
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
        driver = _driver(search.alternatives) if has_signatures else None
        if driver is not None:
            source = "Games JOIN Signatures ON GameID = ID"
            conditions.append(f"ID IN ({driver.sql})")
            values += driver.values
        tests = [
            _alternative_sql(alternative, driver is not None) for alternative in search.alternatives
        ]
        conditions.append("(" + " OR ".join(test.sql for test in tests) + ")")
        values += [value for test in tests for value in test.values]
    where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
    return Statement(f"SELECT ID FROM {source} {where}ORDER BY ID", values)


def games_that_fit(
    connection: apsw.Connection, search: Conditions, *, has_signatures: bool
) -> Iterator[int]:
    """Yield the IDs of the matching games, by rising ID."""
    statement = find_statement(connection, search, has_signatures=has_signatures)
    for (game_id,) in connection.execute(statement.sql, statement.values):
        yield game_id


# --- moves ----------------------------------------------------------------------------------------


def _driver(alternatives: Sequence[Alternative]) -> Statement | None:
    """Return SQL for IDs from an index of Signatures; None if no index covers a given move."""
    # The index with the longer prefix of given moves. Without such a prefix SQLite scans the index,
    # which reads a tenth of the games' size.
    patterns = {
        column: [_pattern(alternative, column) for alternative in alternatives]
        for column in SIGNATURE_MOVES
    }
    prefix_lengths = {
        column: min(len(_beginning(text)) for text in texts) for column, texts in patterns.items()
    }
    wished = [name for name, texts in patterns.items() if any(set(text) - {"?"} for text in texts)]
    if not wished:
        return None
    column = max(wished, key=lambda name: prefix_lengths[name])
    if not prefix_lengths[column]:
        tests = " OR ".join([f"{column} GLOB ?"] * len(alternatives))
        globs = list(map(_glob, patterns[column]))
        return Statement(f"SELECT GameID FROM Signatures WHERE {tests}", globs)
    select = (
        f"SELECT GameID FROM Signatures WHERE {column} >= ? AND {column} < ? AND {column} GLOB ?"
    )
    values = []
    for text in patterns[column]:
        start = _beginning(text)
        values += [start, start[:-1] + chr(ord(start[-1]) + 1), _glob(text)]
    return Statement(" UNION ALL ".join([select] * len(alternatives)), values)


def _pattern(alternative: Alternative, column: str) -> str:
    """Return the letters of a signature, including UNKNOWN and ABSENT."""
    width = len(alternative[0].letters)
    wished = {wish.number: wish.letters for wish in reversed(alternative)}  # the first counts
    return "".join(wished.get(number, UNKNOWN * width) for number in SIGNATURE_MOVES[column])


def _beginning(pattern: str) -> str:
    return pattern.split(UNKNOWN)[0].replace(ABSENT, "?")


def _glob(pattern: str) -> str:
    return "".join(_GLOB.get(letter, letter) for letter in pattern)


def _alternative_sql(alternative: Alternative, by_signature: bool) -> Statement:
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
    for wish in left:  # the numbers are the program's own, so they are part of the SQL
        offset = 2 * wish.number - 1
        moves = ", ".join(f"x'{value.to_bytes(2, 'little').hex()}'" for value in wish.values)
        if moves:
            tests.append(f"substr(Moves2, {offset}, 2) IN ({moves})")
        else:
            negation = "NOT " if ABSENT in wish.letters else ""
            tests.append(f"{negation}coalesce(length(Moves2), 0) > {offset}")
    return Statement(f"({' AND '.join(tests)})", values)


# --- similarity -----------------------------------------------------------------------------------


class SignatureMatch(NamedTuple):
    """Equal parts of the signatures of two games, one word each, the most significant first."""

    words: str
    sql: str


SIGNATURE_MATCHES = (
    SignatureMatch("same moves", "MovesMD5 = :MovesMD5"),
    SignatureMatch("same, turned", "CanonicalMD5 = :CanonicalMD5"),
    SignatureMatch("first 100", "MovesMD5First100 = :MovesMD5First100"),
    SignatureMatch("A and B", "SignatureA = :SignatureA AND SignatureB = :SignatureB"),
    SignatureMatch("A and B, turned", "SymmetricSignature = :SymmetricSignature"),
    SignatureMatch("first 50", "MovesMD5First50 = :MovesMD5First50"),
)
_BY_SIGNATURE = ("A and B", "A and B, turned")
MD5_WORDS = dict(
    zip(_MD5_COLUMNS, ("all moves", "canonical", "first 100", "first 50"), strict=True)
)


def like_games(connection: apsw.Connection, game_id: int) -> dict[int, str] | None:
    """Return the games that are similar to a game, the most similar first: ID, equal parts.

    None if that game has no signature. A and B of a game without a move 31 are ignored.
    """
    sql = f"SELECT {', '.join(_SIGNATURE_COLUMNS)} FROM Signatures WHERE GameID = ?"
    row = connection.execute(sql, (game_id,)).fetchone()
    return None if row is None else games_like_row(connection, row)


def games_like_row(connection: apsw.Connection, row: Sequence[Any]) -> dict[int, str]:
    """Return like_games() of a game, in this database or not, by its row of Signatures."""
    values = dict(zip(_SIGNATURE_COLUMNS, row, strict=True))
    is_long = not str(values["SignatureB"]).startswith("?")
    words_by_id: dict[int, str] = {values["GameID"]: ""}
    for likeness in SIGNATURE_MATCHES:
        if likeness.words in _BY_SIGNATURE and not is_long:
            continue
        sql = f"SELECT GameID FROM Signatures WHERE {likeness.sql} ORDER BY GameID"
        for (other,) in connection.execute(sql, values):
            words_by_id.setdefault(other, likeness.words)
    del words_by_id[values["GameID"]]
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
    """Return whether Games has a game with this ID."""
    sql = "SELECT EXISTS (SELECT 1 FROM Games WHERE ID = ?)"
    return bool(connection.execute(sql, (game_id,)).get)


# --- positions ------------------------------------------------------------------------------------


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
    """Write the filters of the games, including deleted games, that lack one, from an ID on.

    Returns the number of filters. Works within the transaction of the caller. Raises StoreError.
    """
    written = 0
    for table in GAME_TABLES:
        next_id, count = -(2**63) if first_id is None else first_id, _FILTERS_AT_ONCE
        while count == _FILTERS_AT_ONCE:
            select = _LACKING.format(table=table, first=next_id, limit=_FILTERS_AT_ONCE)
            with using_kernel(connection, chess_kernel, "cannot be written"):
                count, last_id = chess_kernel.write_filters(connection, select, _INSERT, kind.is_go)
            written += count
            next_id = last_id + 1
    return written


def has_filters(connection: apsw.Connection) -> bool:
    """Return whether any game has a filter; False for a database of an older version."""
    return has_rows(connection, "PositionFilters")


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


class PositionSearch:
    """The search for a position in some or all games; close it before the connection is closed.

    `ids`: games of a table; None: all games. `unfiltered`: number of games without a filter, which
    must be replayed. Raises StoreError.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        position: WantedPosition,
        kind: GameKind,
        ids: Sequence[int] | None = None,
        *,
        table: str = "Games",
    ) -> None:
        self._connection = connection
        # OCGDB omits columns that were not requested.
        start = "nullif(FEN, '')" if "FEN" in column_names(connection, "Games") else "NULL"
        self._game_sql = _GAME.format(start=start, table=table)
        self.unfiltered = 0
        is_sifted = has_filters(connection)
        with using_kernel(connection, chess_kernel, "cannot be read"):
            self._finder = chess_kernel.PositionFinder(
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
                yield from map(Place._make, self._finder.find(self._game_sql, _FILTERS_AT_ONCE))

    def close(self) -> None:
        self._finder.close()


# --- patterns -------------------------------------------------------------------------------------


def positions_of_pattern(
    connection: apsw.Connection, finder: PatternFinder, ids: Sequence[int] | None = None
) -> Iterator[Place]:
    """Yield the first match of a pattern, by rising game ID, in these games or in all.

    Replays the games in one thread per processor, at most four. Raises StoreError.
    """
    # OCGDB omits columns that were not requested.
    start = "nullif(FEN, '')" if "FEN" in column_names(connection, "Games") else "NULL"
    select = f"SELECT ID, {start}, Moves2 FROM Games WHERE {{}} ORDER BY ID"
    parts = map(select.format, _conditions(connection, ids))
    first = list(islice(parts, 2))
    threads = min(processors(), _MOST_THREADS) if len(first) > 1 else 0

    def scan(reader: apsw.Connection, sql: str) -> list[Place]:
        with using_kernel(reader, chess_kernel, "cannot be read"):
            return list(map(Place._make, finder.scan(reader, sql)))

    with readers_beside(connection, threads if threads > 1 else 0) as readers:
        if readers:
            with on_threads(readers, scan, [*first, *parts]) as found:
                yield from chain.from_iterable(found)
        else:
            for sql in chain(first, parts):
                yield from scan(connection, sql)


def _conditions(connection: apsw.Connection, ids: Sequence[int] | None) -> Iterator[str]:
    """Yield conditions that divide the games, or all games, into parts."""
    if ids is not None:
        ordered = iter(sorted(ids))
        while batch := list(islice(ordered, _IDS_AT_ONCE)):
            yield f"ID IN ({','.join(map(str, batch))})"
        return
    last = -(2**63)
    while (end := connection.execute(_LAST_OF_PART, (last, _GAMES_AT_ONCE)).get) is not None:
        yield f"ID > {last} AND ID <= {end}"
        last = end


# --- signatures -----------------------------------------------------------------------------------


def has_signatures(connection: apsw.Connection) -> bool:
    """Return whether any game has a row; False for a database of an older version."""
    return has_rows(connection, "Signatures")


def count_unsigned(connection: apsw.Connection) -> int:
    """Return the number of games without a row; deleted games do not count."""
    if not column_names(connection, "Signatures"):
        return count_games(connection)
    # By rising ID the rows are met in their order; by an index of hashes it takes twenty times
    # as long.
    sql = "SELECT count(*) FROM Games NOT INDEXED WHERE ID NOT IN (SELECT GameID FROM Signatures)"
    return int(connection.execute(sql).get)


def unsigned_games(
    connection: apsw.Connection, table: str, first_id: int | None = None
) -> Iterator[list[Row]]:
    """Yield (ID, start, moves) of games of a table without a row, from an ID on, in ranges.

    The rows of a range may be written before the next range is read.
    """
    after = "?" if first_id is None else f"max(?, {first_id - 1})"
    sql = (
        f"SELECT {_PLAYED} FROM {table} WHERE ID > {after} "
        "AND ID NOT IN (SELECT GameID FROM Signatures) ORDER BY ID LIMIT ?"
    )
    return map(_decoded, games_in_ranges(connection, sql))


def played_games(connection: apsw.Connection) -> Iterator[list[Row]]:
    """Yield (ID, start, moves) of all games, in ranges; of a database of OCGDB too."""
    sql = _played_sql(connection, "ID > ?") + " LIMIT ?"
    return map(_decoded, games_in_ranges(connection, sql))


def played_games_of(connection: apsw.Connection, ids: Sequence[int]) -> dict[int, Row]:
    """Return (ID, start, moves) of these games, by ID; unknown IDs are left out."""
    sql = _played_sql(connection, "ID IN (SELECT value FROM json_each(?))")
    rows = connection.execute(sql, (id_list(ids),)).fetchall()
    return {row[0]: row for row in _decoded(rows)}


def _played_sql(connection: apsw.Connection, where: str) -> str:
    start = "CAST(FEN AS BLOB)" if "FEN" in column_names(connection, "Games") else "NULL"
    return f"SELECT ID, {start}, Moves2 FROM Games WHERE {where} ORDER BY ID"


def _decoded(rows: list[Row]) -> list[Row]:
    """Return the rows with the start as text."""
    return [
        (game_id, None if start is None else start.decode(errors="replace"), moves)
        for game_id, start, moves in rows
    ]


def insert_signatures(
    connection: apsw.Connection, rows: Sequence[Row], table: str = SIGNATURES
) -> None:
    """Insert rows as kernels/find/signatures.pxi makes them."""
    insert_at_once(connection, f"INSERT INTO {table} ({', '.join(_SIGNATURE_COLUMNS)})", rows)


def make_reported_table(connection: apsw.Connection) -> None:
    """Create the temporary table REPORTED for a report; insert_signatures() fills it."""
    connection.execute(f"CREATE TEMP TABLE {REPORTED} ({', '.join(_SIGNATURE_COLUMNS)})")


class DistinctCounts(NamedTuple):
    """Number of games with signatures, and numbers of distinct signatures."""

    games: int
    a: int
    b: int
    both: int
    symmetric: int
    md5: int
    canonical_md5: int


def distinct_counts(connection: apsw.Connection, table: str) -> DistinctCounts:
    """Count in Signatures, or in REPORTED; deleted games do not count."""
    # SELECT DISTINCT reads an index, if it exists, without sorting.
    return DistinctCounts._make(
        count_rows(connection, f"(SELECT DISTINCT {columns} FROM {table} WHERE {_IN_GAMES})")
        for columns in _COUNTED
    )


def equal_signatures(connection: apsw.Connection, table: str, letters: int) -> Iterator[list[int]]:
    """Yield the games, one for each MovesMD5, that share both signatures.

    `letters`: number of letters of a move. Games without a move 40 are left out.
    """
    rows = connection.execute(
        f"WITH Sequences(A, B, ID) AS ({_sequences(table, letters, '<>')}) "
        "SELECT group_concat(ID) FROM Sequences GROUP BY A, B HAVING count(*) > 1 ORDER BY min(ID)"
    )
    return (sorted(map(int, ids.split(","))) for (ids,) in rows)


def count_pairs_of_one(connection: apsw.Connection, table: str, letters: int) -> tuple[int, int]:
    """Return the number of pairs that share signature A but not B, and B but not A.

    Counts the games of equal_signatures(): one for each MovesMD5, no short ones.
    """
    sequences = f"WITH Sequences(A, B, ID) AS ({_sequences(table, letters, '<>')}) "
    pairs = f"{sequences}SELECT coalesce(sum(n * (n - 1) / 2), 0) FROM "
    groups = "(SELECT count(*) AS n FROM Sequences GROUP BY {})"
    of_a, of_b, of_both = (
        int(connection.execute(pairs + groups.format(columns)).get)
        for columns in ("A", "B", "A, B")
    )
    return of_a - of_both, of_b - of_both


def pairs_of_one(
    connection: apsw.Connection, table: str, letters: int, equal: str, *, most: int
) -> list[tuple[int, int]]:
    """Return the first of the pairs that count_pairs_of_one() counts, by their IDs.

    `equal`: "A" or "B".
    """
    different = "B" if equal == "A" else "A"
    rows = connection.execute(
        f"WITH Sequences(A, B, ID) AS MATERIALIZED ({_sequences(table, letters, '<>')}) "
        "SELECT L.ID, R.ID FROM Sequences AS L JOIN Sequences AS R "
        f"ON L.{equal} = R.{equal} AND L.{different} <> R.{different} AND L.ID < R.ID "
        "ORDER BY 1, 2 LIMIT ?",
        (most,),
    )
    return [(left, right) for left, right in rows]


def count_short(connection: apsw.Connection, table: str, letters: int) -> int:
    """Return the number of distinct move sequences that equal_signatures() leaves out."""
    return count_rows(connection, f"({_sequences(table, letters, '=')})")


def _sequences(table: str, letters: int, is_absent: str) -> str:
    return (
        f"SELECT SignatureA, SignatureB, min(GameID) FROM {table} WHERE {_IN_GAMES} "
        f"AND substr(SignatureA, {letters + 1}, 1) {is_absent} '?' "
        "GROUP BY SignatureA, SignatureB, MovesMD5"
    )


def build_signature_indexes(connection: apsw.Connection) -> None:
    """Build the missing indexes."""
    build_indexes(connection, SIGNATURE_INDEXES)


def stored_signatures(
    connection: apsw.Connection, table: str
) -> Iterator[list[tuple[Row, int | None, Row | None]]]:
    """Yield (game as in unsigned_games(), MoveHash, its row or None) of a table, in ranges.

    Texts of the row are bytes, since a damaged one may not be UTF-8.
    """
    columns = ", ".join(f"CAST({name} AS BLOB)" for name in _SIGNATURE_COLUMNS[1:])
    sql = (
        f"SELECT {_PLAYED}, MoveHash, GameID, {columns} FROM {table} "
        "LEFT JOIN Signatures ON GameID = ID WHERE ID > ? ORDER BY ID LIMIT ?"
    )
    for rows in games_in_ranges(connection, sql):
        games = _decoded([row[:3] for row in rows])
        yield [
            (game, row[3], None if row[4] is None else row[5:])
            for game, row in zip(games, rows, strict=True)
        ]


def lost_signatures(connection: apsw.Connection) -> list[int]:
    """Return the IDs of rows without a game, not even a deleted one."""
    rows = connection.execute(f"SELECT GameID FROM Signatures WHERE {_NO_GAME} ORDER BY 1")
    return [row[0] for row in rows]
