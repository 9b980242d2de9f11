"""SQL that finds games by some of their moves, by signatures, and by similarity to a game.

Moves are passed as stored numbers and as letters of signatures; this module knows no rules of chess
or Go. Must not know how a user writes moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.model import USUAL_LINES, GameHeader
from ocgdedup.store.connection import column_names, id_list
from ocgdedup.store.current_headers import current_headers
from ocgdedup.store.selection import Criteria, Selection, conditions_of

UNKNOWN, ABSENT = "?", "-"
# Column of Signatures, and the numbers of the moves in it.
SIGNATURE_MOVES = {"SignatureA": (20, 40, 60), "SignatureB": (31, 51, 71)}
_MD5_COLUMNS = ("MovesMD5", "CanonicalMD5", "MovesMD5First100", "MovesMD5First50")
_GLOB = {UNKNOWN: "?", ABSENT: "[?]"}
_SIZE = "SZ[{}]"
_START = "coalesce(nullif(FEN, ''), 'SZ[19]')"


class MoveConstraint(NamedTuple):
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
    wished: dict[int, list[str]] = {}
    for wish in alternative:
        wished.setdefault(wish.number, []).append(wish.letters)
    parts = (wished.get(number, [UNKNOWN * width]) for number in SIGNATURE_MOVES[column])
    return "".join(part[0] for part in parts)


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
        place = 2 * wish.number - 1
        moves = ", ".join(f"x'{value.to_bytes(2, 'little').hex()}'" for value in wish.values)
        if moves:
            tests.append(f"substr(Moves2, {place}, 2) IN ({moves})")
        else:
            negation = "NOT " if ABSENT in wish.letters else ""
            tests.append(f"{negation}coalesce(length(Moves2), 0) > {place}")
    return Statement(f"({' AND '.join(tests)})", values)


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
