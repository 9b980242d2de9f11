"""Name what is wrong in a database that a command could not read.

Called once an error has come up: reading all values takes too long to be done before each command.
"""

from __future__ import annotations

import apsw

from ocgdedup.store import shape
from ocgdedup.store.checks import OCGDB_VERSION, checks_for, wrong_rows
from ocgdedup.store.connection import APPLICATION_ID, missing_basics
from ocgdedup.store.stored_text import OCGDB_TEXTS

# Rows that must be there for a game to be read, and tags that must be JSON.
_PROBLEMS = {
    "names": "names an event, site or player that is in no table",
    "persons": "names a person that is in no table",
    "sources": "names a source that is in no table",
    "resolutions": "names a player or person that is in no table",
    "extra-tags": "its ExtraTags are no JSON object of texts",
}


def first_problem(path: str) -> str | None:
    """Return the first thing found that no version of the program stores, None if there is none.

    What an open transaction has written is not seen: the caller has rolled it back.
    """
    try:
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return None
    try:
        connection.set_busy_timeout(1000)
        return _first_problem(connection)
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError) as error:
        return f"its tables cannot be read: {error}"
    except apsw.Error:  # which says nothing of what is stored
        return None
    finally:
        connection.close(True)


def _first_problem(connection: apsw.Connection) -> str | None:
    is_ours = connection.pragma("application_id") == APPLICATION_ID
    version = connection.pragma("user_version") if is_ours else OCGDB_VERSION
    missing = shape.missing_parts(connection, version) if is_ours else missing_basics(connection)
    if missing:
        return f"lacks {missing[0]}"
    for odd in shape.odd_values(connection, is_ours=is_ours):
        if is_ours or odd.problem != shape.NOT_UTF8 or odd.table not in OCGDB_TEXTS:
            return str(odd)
    for check in checks_for(connection, version):
        if check.kind in _PROBLEMS:
            for row in wrong_rows(connection, check):
                return f"{_named(row)} {_PROBLEMS[check.kind]}"
    return None


def _named(row: object) -> str:
    return f"game {row}:" if isinstance(row, int) else f"{row}:"
