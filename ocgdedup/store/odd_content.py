"""Name the invalid value in a database that a command could not read.

Called only after an error, since reading all values before each command takes too long. For a large
database it takes minutes (20 s of CPU for 1.24 million games), so it stops after LIMIT_S.
"""

from __future__ import annotations

import time

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.store import shape
from ocgdedup.store.checks import OCGDB_VERSION, checks_for, integrity_messages
from ocgdedup.store.connection import (
    APPLICATION_ID,
    column_names,
    connect,
    missing_basics,
    replaced_tables,
)
from ocgdedup.store.games import GAME_TABLES
from ocgdedup.store.stored_text import OCGDB_TEXTS
from ocgdedup.store.variant import game_kind

LIMIT_S = 30.0
_INSTRUCTIONS = 100_000  # SQLite instructions between two checks of the clock: about a millisecond

_KEYS_OF = {CHESS: chess_kernel.keys_of, GO: go_kernel.keys_of}
# Rows that are needed to read a game, and tags that must be JSON.
_PROBLEMS = {
    "names": "names an event, site or player that is in no table",
    "persons": "names a person that is in no table",
    "sources": "names a source that is in no table",
    "resolutions": "names a player or person that is in no table",
    "extra-tags": "its ExtraTags are not a JSON object of texts",
    "constraints": "breaks a rule of its table",
}


def first_problem(path: str) -> str | None:
    """Return the first problem that no version of the program writes, None if there is none.

    Does not see changes of an open transaction, which the caller has rolled back. Raises
    TimeoutError if reading takes more than LIMIT_S seconds.
    """
    end = time.monotonic() + LIMIT_S
    try:
        connection = connect(path)
    except apsw.Error:
        return None
    try:
        connection.set_busy_timeout(1000)
        connection.set_progress_handler(lambda: time.monotonic() > end, _INSTRUCTIONS)
        return _first_problem(connection)
    except apsw.InterruptError as error:
        raise TimeoutError(f"the values were read for {LIMIT_S:g} s, and not to the end") from error
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError) as error:
        return f"its tables cannot be read: {error}"
    except UnicodeDecodeError:
        return "the names of its tables and columns are not UTF-8"
    except apsw.Error:  # which does not concern stored values
        return None
    finally:
        connection.close()


def _first_problem(connection: apsw.Connection) -> str | None:
    is_ours = connection.pragma("application_id") == APPLICATION_ID
    version = connection.pragma("user_version") if is_ours else OCGDB_VERSION
    missing = shape.missing_parts(connection, version) if is_ours else missing_basics(connection)
    if missing:
        return f"lacks {missing[0]}"
    if replaced := replaced_tables(connection):
        return replaced[0]
    for odd in shape.odd_values(connection, is_ours=is_ours):
        if is_ours or odd.problem != shape.NOT_UTF8 or odd.table not in OCGDB_TEXTS:
            return str(odd)
    for check in checks_for(connection, version):
        if check.kind in _PROBLEMS:
            for row in check.wrong_rows(connection):
                place = f"game {row}" if isinstance(row, int) else row
                return f"{place}: {_PROBLEMS[check.kind]}"
    damaged = _unreadable_game(connection) or next(iter(integrity_messages(connection)), None)
    return None if damaged is None else " ".join(damaged.split())


def _unreadable_game(connection: apsw.Connection) -> str | None:
    """Return the problem of the first game whose start or moves are invalid."""
    keys_of = _KEYS_OF[game_kind(connection)]
    for table in GAME_TABLES:
        existing = column_names(connection, table)
        start = "CAST(FEN AS BLOB)" if "FEN" in existing else "NULL"
        plies = "PlyCount" if "PlyCount" in existing else "NULL"
        sql = (
            f"SELECT ID, {start}, Moves2, {plies} FROM {table}" if existing else "SELECT 1 LIMIT 0"
        )
        for game_id, fen, moves, ply_count in connection.execute(sql):
            try:
                keys_of(moves or b"", fen.decode(errors="replace") if fen else None)
            except ValueError as error:
                return f"game {game_id}: its moves cannot be played: {error}"
            stored = len(moves or b"") // 2
            if ply_count not in (None, stored):
                return f"game {game_id}: PlyCount is {ply_count}, of {stored} stored moves"
    return None
