"""SQL on the data for resolving names: rating lists, spelling files, their index.

All writes belong to the transaction of the caller. Must not know how names are compared.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ocgdedup._kernels import names as name_kernel
from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.names import AliasRows, ListedPlayers
from ocgdedup.model import AliasGroup, Person, PlayerColumns, SpellingLine
from ocgdedup.store.connection import column_names, count_rows, has_rows, id_list
from ocgdedup.store.games import insert_statements, using_kernel
from ocgdedup.store.names import read_state, write_state

if TYPE_CHECKING:
    from typing_extensions import Buffer

_STORED = "Stored FIDE list"  # in Info: "players of games" if only listed players of games are kept
_REDUCED = "players of games"
_LIST_TABLES = ("FidePlayers", "NameIndex", "FideAliases")
_INSERT_PLAYERS = insert_statements(
    "FidePlayers",
    ("FideID", "Name", "Country", "Sex", "Title", "Rating", "Rapid", "Blitz", "BirthYear", "Flag"),
    verb="INSERT OR IGNORE",
)
_INSERT_LISTED_ALIASES = insert_statements("FideAliases", ("FideID", "Alias", "Probability"))
_MOST_PLAYERS = 1 << 17  # in memory, 10 MB; sorted by ID they are inserted in half the time
_SELECT_PLAYERS = (
    "SELECT Name, FideID, BirthYear, Rating, coalesce(Title, '') || char(31) || "
    "coalesce(Country, '') || char(31) || coalesce(Sex, '') || char(31) || "
    "(instr(coalesce(Flag, ''), 'i') = 0) FROM FidePlayers ORDER BY FideID"
)
_PLAYER_TYPES = "string", "int64", "int32", "int32", "string"
# Including players that decisions hide.
_NEEDED_IDS = (
    "SELECT FideID FROM Persons WHERE FideID NOTNULL "
    "UNION SELECT FideID FROM UndecidedPersons WHERE FideID NOTNULL"
)
_INSERT_LIST = (
    "INSERT INTO RatingLists (Name, Kind, Size, SHA256, Month, Entries, IsWhole, ImportDate) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'))"
)
_SELECT_LIST = (
    "SELECT Name, Kind, Size, SHA256, Month, Entries, ImportDate FROM RatingLists "
    "WHERE Kind = ? ORDER BY ID DESC LIMIT 1"
)
_INSERT_ALIAS = (
    "INSERT OR REPLACE INTO NameAliases "
    "(Alias, Name, FideID, Title, Country, BirthYear, DeathYear) "
    "VALUES (?, ?, ?, nullif(?, ''), nullif(?, ''), ?, ?)"
)
_INSERT_LINE = (
    "INSERT INTO SpellingLines (ListID, Line, Section, Kind, Name, Value) VALUES (?, ?, ?, ?, ?, ?)"
)
# Of most kinds, what counts is the sites or players; a right part of a name has many wrong ones.
_COUNT_LINES = (
    "SELECT Kind, count(DISTINCT iif(Kind IN ('prefix', 'infix', 'suffix', 'other'), "
    "Section || ' ' || Value, Name)) FROM SpellingLines WHERE {lists} GROUP BY Kind"
)
_IN_LISTS = "ListID IN (SELECT value FROM json_each(?1))"
_SELECT_ALIASES = (
    "SELECT Name, coalesce(Title, ''), coalesce(Country, ''), BirthYear, DeathYear, FideID, Alias "
    "FROM NameAliases ORDER BY 1, 6, 4, 5, 2, 3, 7"
)
_SELECT_LISTED = (
    "SELECT Name, FideID, coalesce(Title, ''), coalesce(Country, ''), BirthYear, Rating "
    "FROM FidePlayers WHERE Name IN (SELECT value FROM json_each(?))"
)
_SELECT_SPELLED = (
    "SELECT Alias, Name, FideID, coalesce(Title, ''), coalesce(Country, ''), BirthYear "
    "FROM NameAliases WHERE Alias IN (SELECT value FROM json_each(?1)) "
    "UNION SELECT Name, Name, FideID, coalesce(Title, ''), coalesce(Country, ''), BirthYear "
    "FROM NameAliases WHERE Name IN (SELECT value FROM json_each(?1))"
)


class RatingList(NamedTuple):
    """A file of players that was read; `month` is "YYYY-MM" or None if unknown.

    `kind` is "fide" or "aliases"; `import_date` (UTC) is set when the list is recorded.
    """

    name: str
    kind: str
    size_bytes: int | None
    sha256: str | None
    month: str | None
    entries: int
    import_date: str = ""


def replace_fide_players(
    connection: apsw.Connection, players: ListedPlayers, steps: Iterable[object]
) -> int:
    """Replace the stored players by those that the steps add; return the number left out.

    A player with the FIDE ID of an earlier one is left out.
    """
    connection.execute("DELETE FROM FidePlayers; DELETE FROM FideAliases; DELETE FROM NameIndex")
    for _ in steps:
        if len(players) >= _MOST_PLAYERS:
            _insert_players(connection, players)
    _insert_players(connection, players)
    return players.added - fide_player_count(connection)


def _insert_players(connection: apsw.Connection, players: ListedPlayers) -> None:
    with using_kernel(connection, name_kernel, "cannot be written"):
        players.insert(connection, _INSERT_PLAYERS)


def fide_players(connection: apsw.Connection) -> PlayerColumns:
    """Return the players of the list by FIDE ID."""
    with using_kernel(connection, search_kernel, "cannot be read"):
        _, columns = search_kernel.read_columns(connection, _SELECT_PLAYERS, _PLAYER_TYPES)
    names, facts = (columns[index][4] or b"" for index in (0, 4))
    name_ends, fact_ends = (_array("I", columns[index][3])[1:] for index in (0, 4))
    fide_ids, born, ratings = (
        _array(code, column[4]) for code, column in zip("Qii", columns[1:4], strict=True)
    )
    del columns
    rows, texts = name_kernel.distinct_texts(facts, fact_ends)
    return PlayerColumns(
        bytes(names), name_ends, fide_ids, array("H", born), array("H", ratings), rows,
        list(map(_fact_row, texts)),
    )  # fmt: skip


def _fact_row(text: bytes) -> tuple[str, str, str, bool]:
    title, country, *sex, is_active = text.decode().split("\x1f")
    return title, country, "".join(sex), is_active == "1"


def _array(typecode: str, values: Buffer | None) -> array[int]:
    """Return a part of a column: values of one type in a row."""
    result: array[int] = array(typecode)
    result.frombytes(values or b"")
    return result


def fide_player_count(connection: apsw.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM FidePlayers").get)


def has_fide_list(connection: apsw.Connection) -> bool:
    """Return whether a list was read; reads a database of any version."""
    return has_rows(connection, "FidePlayers")


def stores_whole_list(connection: apsw.Connection) -> bool:
    """Return whether the whole FIDE list is stored, as it is unless reduce_list() was called."""
    return read_state(connection, _STORED) != _REDUCED


def lacks_players(connection: apsw.Connection) -> bool:
    """Return whether a list was read, but this connection sees only the players of games."""
    return (
        not stores_whole_list(connection)
        and last_list(connection, "fide") is not None
        and not _has_temporary_list(connection)
    )


def read_aside(connection: apsw.Connection) -> None:
    """Make this connection read the next list into temporary tables, until reduce_list().

    They hide the tables of the database, which are not changed.
    """
    for table in _LIST_TABLES:
        sql = connection.execute("SELECT sql FROM main.sqlite_master WHERE name = ?", (table,)).get
        connection.execute(sql.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))


def store_whole_list(connection: apsw.Connection) -> None:
    """Store whole lists from now on."""
    write_state(connection, _STORED, None)


def reduce_list(connection: apsw.Connection) -> bool:
    """Keep only the listed players of games from now on; return whether the list was whole.

    The index of names is deleted too.
    """
    main_has_players = connection.execute("SELECT EXISTS (SELECT 1 FROM main.FidePlayers)").get
    was_whole = bool(main_has_players) and stores_whole_list(connection)
    write_state(connection, _STORED, _REDUCED)
    if _has_temporary_list(connection):
        for table in ("FidePlayers", "FideAliases"):
            connection.execute(
                f"DELETE FROM main.{table}; INSERT INTO main.{table} SELECT * FROM temp.{table} "
                f"WHERE FideID IN ({_NEEDED_IDS})"
            )
        for table in _LIST_TABLES:
            connection.execute(f"DROP TABLE temp.{table}")
    else:
        for table in ("FidePlayers", "FideAliases"):
            connection.execute(f"DELETE FROM {table} WHERE FideID NOT IN ({_NEEDED_IDS})")
    connection.execute("DELETE FROM main.NameIndex")
    return was_whole


def _has_temporary_list(connection: apsw.Connection) -> bool:
    sql = "SELECT EXISTS (SELECT 1 FROM temp.sqlite_master WHERE name = ?)"
    return bool(connection.execute(sql, (_LIST_TABLES[0],)).get)


def lacks_listed_aliases(connection: apsw.Connection) -> bool:
    """Return whether the list is whole but has no short forms, as written by older versions."""
    has_aliases = has_rows(connection, "FideAliases")
    return has_fide_list(connection) and not has_aliases and not lacks_players(connection)


def store_listed_aliases(
    connection: apsw.Connection, rows: AliasRows, fide_ids: array[int]
) -> None:
    """Store the aliases of listed players, each once; `fide_ids`: of persons, 0 for none."""
    with using_kernel(connection, name_kernel, "cannot be written"):
        rows.insert(connection, _INSERT_LISTED_ALIASES, fide_ids)


def listed_alias(connection: apsw.Connection, fide_id: int) -> tuple[str, float] | None:
    """Return the alias of a listed player and its probability; reads a database of any version."""
    if not column_names(connection, "FideAliases"):
        return None
    sql = "SELECT Alias, Probability FROM FideAliases WHERE FideID = ?"
    row: tuple[str, float] | None = connection.execute(sql, (fide_id,)).fetchone()
    return row


def record_list(
    connection: apsw.Connection, rating_list: RatingList, *, is_whole: bool | None = None
) -> int:
    """Store that a list was read, and the time; return its ID.

    `is_whole`: the database has all spellings of a spelling file.
    """
    connection.execute(_INSERT_LIST, (*rating_list[:-1], is_whole))
    return connection.last_insert_rowid()


def set_month(connection: apsw.Connection, month: str) -> None:
    """Set the month ("YYYY-MM") of the rating list that was read last."""
    connection.execute(
        "UPDATE RatingLists SET Month = ? WHERE ID = "
        "(SELECT max(ID) FROM RatingLists WHERE Kind = 'fide')",
        (month,),
    )


def last_list(connection: apsw.Connection, kind: str) -> RatingList | None:
    """Return the list of a kind that was read last."""
    row = connection.execute(_SELECT_LIST, (kind,)).fetchone()
    return None if row is None else RatingList._make(row)


def add_aliases(connection: apsw.Connection, groups: Iterable[AliasGroup]) -> None:
    """Add the aliases of a file; facts that it does not give stay as an earlier file gave them.

    The canonical name is stored as an alias of itself, since it may have no other.
    """
    stored: defaultdict[str, list[AliasGroup]] = defaultdict(list)
    for group in aliases(connection):
        stored[group.name].append(group)
    for group in groups:
        connection.executemany(_INSERT_ALIAS, _alias_rows(group, stored.get(group.name, ())))
    connection.execute("DELETE FROM NameIndex")


def _alias_rows(group: AliasGroup, stored: Collection[AliasGroup]) -> Iterator[tuple[object, ...]]:
    """Yield rows of NameAliases; `stored`: groups of earlier files with the same canonical name."""
    fitting = [other for other in stored if not _contradict(other, group)]
    spellings = dict.fromkeys((group.name, *group.aliases))
    if len(fitting) == 1:
        [earlier] = fitting
        spellings |= dict.fromkeys(earlier.aliases)
        facts = zip(group[2:], earlier[2:], strict=True)
        group = AliasGroup._make((*group[:2], *(new or old for new, old in facts)))
    elif fitting:  # namesakes, whose spellings stay with them
        taken = {group.name}.union(*(other.aliases for other in fitting))
        spellings = dict.fromkeys(spelling for spelling in spellings if spelling not in taken)
    if len(spellings) > 1 and any(not other.aliases for other in stored if other not in fitting):
        spellings.pop(group.name, None)  # the only row of a namesake
    for spelling in spellings:
        yield (
            spelling, group.name, group.fide_id, group.title, group.country, group.birth_year,
            group.death_year,
        )  # fmt: skip


def _contradict(left: AliasGroup, right: AliasGroup) -> bool:
    """Return whether FIDE IDs or years show that two groups are different players."""
    if left.fide_id and right.fide_id:
        return left.fide_id != right.fide_id
    years = ((left.birth_year, right.birth_year), (left.death_year, right.death_year))
    return any(one and other and abs(one - other) > 1 for one, other in years)


def note_origins(connection: apsw.Connection, list_id: int, groups: Iterable[AliasGroup]) -> None:
    """Store that a list gave some aliases."""
    connection.executemany(
        "INSERT OR IGNORE INTO AliasOrigins (ListID, Alias, Name) VALUES (?, ?, ?)",
        ((list_id, alias, row.name) for row in groups for alias in (row.name, *row.aliases)),
    )


def store_spelling_lines(
    connection: apsw.Connection, list_id: int, lines: Iterable[SpellingLine]
) -> None:
    """Store the lines of a spelling file that are kept for later use."""
    connection.executemany(_INSERT_LINE, ((list_id, *line) for line in lines))


def spelling_line_counts(
    connection: apsw.Connection, list_ids: Iterable[int] | None = None
) -> Mapping[str, int]:
    """Return how many sites, events and others the stored lines are about, by kind.

    `list_ids`: only of these files. Reads a database of any version.
    """
    if not column_names(connection, "SpellingLines"):
        return {}
    if list_ids is None:
        return dict(connection.execute(_COUNT_LINES.format(lists=True)))
    return dict(connection.execute(_COUNT_LINES.format(lists=_IN_LISTS), (id_list(list_ids),)))


def spelling_files(connection: apsw.Connection, sha256: str) -> list[int]:
    """Return the IDs of the spelling files with a digest in the order in which they were read."""
    sql = "SELECT ID FROM RatingLists WHERE Kind = 'aliases' AND SHA256 = ? ORDER BY ID"
    return [list_id for (list_id,) in connection.execute(sql, (sha256,))]


def is_last_whole(connection: apsw.Connection, list_id: int) -> bool:
    """Return whether a spelling file was read last, and the database has all its spellings."""
    sql = "SELECT ID = ?1 AND IsWhole IS 1 FROM RatingLists WHERE Kind = 'aliases' ORDER BY ID DESC"
    return bool(connection.execute(f"{sql} LIMIT 1", (list_id,)).get)


def forget_spelling_files(connection: apsw.Connection, list_ids: Iterable[int]) -> None:
    """Delete what is stored about spelling files, but not their aliases."""
    lists = id_list(list_ids)
    for table in ("AliasOrigins", "SpellingLines"):
        connection.execute(f"DELETE FROM {table} WHERE {_IN_LISTS}", (lists,))
    connection.execute(f"DELETE FROM RatingLists WHERE {_IN_LISTS.removeprefix('List')}", (lists,))


class RemovedSpellings(NamedTuple):
    """Result of removing spellings: their number, and see spelling_line_counts().

    `files`: files with the name, `unknown_files`: those whose spellings are not known.
    """

    spellings: int
    lines: Mapping[str, int]
    files: int
    unknown_files: int


def remove_aliases(connection: apsw.Connection, name: str) -> RemovedSpellings:
    """Remove the aliases and other lines of the files with this name, else this alias.

    An alias that another file gave too stays when a file is removed. The spellings of a file that
    an older version read are not known: they stay, as the file does.
    """
    connection.execute("DELETE FROM NameIndex")
    before = count_rows(connection, "NameAliases")
    sql = (
        "SELECT ID, IsWhole NOTNULL OR Entries = 0 "
        "OR EXISTS (SELECT 1 FROM AliasOrigins WHERE ListID = RatingLists.ID) "
        "FROM RatingLists WHERE Kind = 'aliases' AND Name = ?"
    )
    files = dict(connection.execute(sql, (name,)))
    known = [list_id for list_id, is_known in files.items() if is_known]
    lines = spelling_line_counts(connection, known)
    if files:
        connection.execute(
            "DELETE FROM NameAliases WHERE (Alias, Name) IN "
            f"(SELECT Alias, Name FROM AliasOrigins WHERE {_IN_LISTS}) AND (Alias, Name) NOT IN "
            f"(SELECT Alias, Name FROM AliasOrigins WHERE NOT {_IN_LISTS})",
            (id_list(known),),
        )
        forget_spelling_files(connection, known)
    else:
        connection.execute(
            "UPDATE RatingLists SET IsWhole = 0 WHERE IsWhole "
            "AND ID IN (SELECT ListID FROM AliasOrigins WHERE Alias = ?)",
            (name,),
        )
        for table in ("NameAliases", "AliasOrigins"):
            connection.execute(f"DELETE FROM {table} WHERE Alias = ?", (name,))
    removed = before - count_rows(connection, "NameAliases")
    return RemovedSpellings(removed, lines, len(files), len(files) - len(known))


def aliases(connection: apsw.Connection) -> Iterator[AliasGroup]:
    """Yield the stored groups by canonical name, the aliases of each in order.

    Namesakes (one canonical name, other facts) are groups of their own.
    """
    rows = connection.execute(_SELECT_ALIASES)
    for (name, *facts), members in groupby(rows, key=lambda row: row[:-1]):
        yield AliasGroup(name, tuple(row[-1] for row in members if row[-1] != name), *facts)


def players_called(connection: apsw.Connection, names: Collection[str]) -> dict[str, list[Person]]:
    """Return the players of the lists who are called exactly by one of some names."""
    listed: dict[str, list[Person]] = {}
    text = json.dumps(list(names))
    for name, fide_id, title, country, born, rating in connection.execute(_SELECT_LISTED, (text,)):
        person = Person(name, fide_id, title, country, born, rating=rating)
        listed.setdefault(name, []).append(person)
    spelled: dict[str, list[Person]] = {}
    for spelling, name, fide_id, title, country, born in connection.execute(
        _SELECT_SPELLED, (text,)
    ):
        person = Person(name, fide_id, title, country, born)
        spelled.setdefault(spelling, []).append(person)
    return spelled | listed


def ratings(connection: apsw.Connection, fide_ids: Iterable[int]) -> dict[int, int | None]:
    """Return the standard ratings of listed players by FIDE ID."""
    sql = "SELECT FideID, Rating FROM FidePlayers WHERE FideID IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(sql, (id_list(fide_ids),)))


def lists_state(connection: apsw.Connection) -> str:
    """Return a text that changes with the lists in the database."""
    counts = (
        "SELECT max(ID) FROM RatingLists",
        *(f"SELECT count(*) FROM {table}" for table in ("FidePlayers", "NameAliases")),
    )
    return " ".join(str(connection.execute(sql).get) for sql in counts)


@contextmanager
def name_index(connection: apsw.Connection, state: str) -> Iterator[apsw.Blob | None]:
    """Open the stored index of the lists; None if there is none, or one of another state."""
    row: tuple[int] | None = None
    if column_names(connection, "NameIndex"):
        sql = "SELECT rowid FROM NameIndex WHERE State = ? AND typeof(Data) = 'blob'"
        row = connection.execute(sql, (state,)).fetchone()
    if row is None:
        yield None
    else:
        with connection.blob_open(*_place_of_index(connection), row[0], False) as blob:
            yield blob


def store_name_index(connection: apsw.Connection, state: str, parts: Sequence[Buffer]) -> None:
    """Replace the stored index by the bytes of the parts together."""
    size = sum(memoryview(part).nbytes for part in parts)
    connection.execute("DELETE FROM NameIndex")
    connection.execute("INSERT INTO NameIndex VALUES (?, zeroblob(?))", (state, size))
    # Written part by part: SQLite copies a value that is bound.
    place = _place_of_index(connection)
    with connection.blob_open(*place, connection.last_insert_rowid(), True) as blob:
        for part in parts:
            blob.write(part)


def _place_of_index(connection: apsw.Connection) -> tuple[str, str, str]:
    """Return database, table and column of the index, which read_aside() makes temporary."""
    return "temp" if _has_temporary_list(connection) else "main", "NameIndex", "Data"
