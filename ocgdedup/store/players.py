"""SQL on players: the names that refer to them, who played each game, and what games lack.

The kernel owns the bits of Games.BackFilled and the rules for filling in FIDE ID, title and Elo of
a player who certainly played (filled_fields.pxi). A title is not used for games from before the
player is known to have had it, a rating for no game more than a month away. Other modules decide
what a name means. All writes belong to the transaction of the caller.
"""

# Not `from __future__ import annotations`: a named tuple would compile each annotation.
import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

import apsw

from ocgdedup._kernels import names as name_kernel
from ocgdedup._kernels.names import ELO, ELO_WAS_0, FIDE_ID, TITLE, GameRows
from ocgdedup.store.connection import column_names, has_rows, id_list, kernel_errors
from ocgdedup.store.duplicates import mark_stale
from ocgdedup.store.fide_players import last_list
from ocgdedup.store.games import (
    Row,
    as_imported,
    build_indexes,
    imported_tables,
    kept_and_deleted,
    load_kernel,
    tables_with_games,
    using_kernel,
)
from ocgdedup.store.names import PLAYERS_STATE, read_state, write_state

_OTHER_STATE = "changed"  # no state of a real run, so that the next run resolves all names again
_HIGHEST_ID = "Highest person ID"  # in Info: highest ID ever used, so that no ID is reused
_SELECT_NAMES = """
    SELECT Players.ID, Players.Name, sum(Sides.Games) FROM ({sides}) AS Sides
    JOIN Players ON Players.ID = Sides.PlayerID
    GROUP BY Players.ID ORDER BY Players.Name
"""
_SIDES = (
    "SELECT WhiteID AS PlayerID, count(*) AS Games FROM {table} GROUP BY WhiteID "
    "UNION ALL SELECT BlackID, count(*) FROM {table} GROUP BY BlackID"
)
_OPEN_SIDES = (
    "SELECT WhiteID AS PlayerID FROM {table} WHERE WhitePersonID IS NULL "
    "UNION ALL SELECT BlackID FROM {table} WHERE BlackPersonID IS NULL"
)
_SELECT_OPEN = """
    SELECT Name, count(*), {candidates} FROM ({sides}) JOIN Players ON Players.ID = PlayerID
    WHERE Name IS NOT NULL GROUP BY Players.ID ORDER BY 2 DESC, 1
"""
_CANDIDATES = ", ".join(
    f"(SELECT {column} FROM NameCandidates AS C WHERE C.PlayerID = Players.ID)"
    for column in ("Reason", "Candidates")
)
_SELECT_MERGES = """
    WITH Sides AS (
        SELECT WhiteID AS PlayerID, WhitePersonID AS PersonID FROM Games
        UNION ALL SELECT BlackID, BlackPersonID FROM Games
    ), Counted AS (
        SELECT PlayerID, PersonID, count(*) AS Games FROM Sides
        WHERE PersonID IS NOT NULL GROUP BY PlayerID, PersonID
    )
    SELECT Players.Name, coalesce(Counted.Games, 0), Persons.Name, Persons.FideID, Scope, Stage,
        Score, Reason
    FROM Resolutions JOIN Persons ON Persons.ID = Resolutions.PersonID
    JOIN Players ON Players.ID = Resolutions.PlayerID
    LEFT JOIN Counted ON Counted.PlayerID = Resolutions.PlayerID
        AND Counted.PersonID = Resolutions.PersonID
    {where}
    ORDER BY Persons.Name, Persons.ID, Players.Name
"""
# In one SELECT without subqueries, SQLite would read all rows.
_COUNT = "SELECT (SELECT count(*) FROM {table}), (SELECT max(ID) FROM {table})"
_COUNT_AFTER = "SELECT count(*), max(ID) FROM {table} WHERE ID > :last"
_NEWEST = re.compile("([0-9]{1,18}),([0-9]{1,18}),([0-9]{1,18}),([0-9]{1,18})(?=;|$)")
_SELECT_GAMES = (
    "SELECT {key}, WhiteID, BlackID, WhitePersonID, BlackPersonID, CoreHash, BackFilled, Date, "
    "ExtraTags, WhiteElo, BlackElo FROM {table} WHERE {condition} ORDER BY {key}"
)
_UPDATE_GAME = (
    "UPDATE {table} SET WhitePersonID = ?2, BlackPersonID = ?3, CoreHash = ?4, BackFilled = ?5, "
    "ExtraTags = ?6, WhiteElo = ?7, BlackElo = ?8 WHERE {key} = ?1"
)
_IS_NOT_MERGED = "ID NOT IN (SELECT GameID FROM UnmergedHeaders)"

_FILLED_SIDES = ("White", "Black")
# Of BackFilled, for White; the bits for Black are one further left.
_ALL = FIDE_ID | TITLE | ELO | ELO_WAS_0
_FILLED_COLUMNS = ("ExtraTags", "WhiteElo", "BlackElo", "BackFilled")
_SELECT_TITLES = """
    SELECT Date, ExtraTags ->> '$.{side}Title', ID, {side}ID, {side}PersonID FROM {table}
    WHERE ExtraTags LIKE '%"{side}Title"%' AND coalesce(BackFilled, 0) & {bit} = 0
"""
_OF_NAMES_OF_PERSONS = """
    AND {side}ID IN (
        SELECT PlayerID FROM Resolutions WHERE PersonID IN (SELECT value FROM json_each(?))
    )
"""
_FIELDS = (
    (FIDE_ID, "ExtraTags ->> '$.WhiteFideId'"), (FIDE_ID << 1, "ExtraTags ->> '$.BlackFideId'"),
    (TITLE, "ExtraTags ->> '$.WhiteTitle'"), (TITLE << 1, "ExtraTags ->> '$.BlackTitle'"),
    (ELO | ELO_WAS_0, "WhiteElo"), ((ELO | ELO_WAS_0) << 1, "BlackElo"),
)  # fmt: skip
_REPLACED = " | ".join(
    f"CASE WHEN Games.{field} IS NOT Saved.{field} THEN {bits} ELSE 0 END"
    for bits, field in _FIELDS
)
_FORGET_REPLACED = f"""
    UPDATE Games SET BackFilled = nullif(Games.BackFilled & ~({_REPLACED}), 0)
    FROM UnmergedHeaders AS Saved
    WHERE ID = GameID AND Games.BackFilled <> 0 AND ID IN (SELECT value FROM json_each(?))
"""
_NO_PLAYER = 0  # no ID of a player
Titles: TypeAlias = Mapping[tuple[int, str], str]
# (name ID, player ID or 0, games), or (name ID, FIDE ID, games).
SideCounts: TypeAlias = list[tuple[int, int, int]]


class Person(NamedTuple):
    """A player; later runs keep the ID for the same player and never reuse it."""

    person_id: int
    name: str
    fide_id: int | None
    title: str | None
    country: str | None
    birth_year: int | None


class Resolution(NamedTuple):
    """A name that refers to a player: in "name" scope always, in "game" scope in some games."""

    player_id: int
    person_id: int
    scope: str
    stage: str
    score: float | None
    reason: str | None
    probability: float


class GamePersons(NamedTuple):
    """Who played: by name, with exceptions: (game ID, side, player), by game ID; 0 White, 1 Black.

    Each name in games without a player needs its key, and so does each player. `kept`: names that
    keep the exceptions in games up to the ID `newest`, with their stored players (0 for none); only
    games with other names and of the players in `changed` are written.
    """

    by_name: Mapping[int, int | None]
    by_game: Iterable[tuple[int, int, int | None]]
    key_of_name: Mapping[int, str]
    key_of_person: Mapping[int, str]
    kept: Mapping[int, int] = {}
    changed: Collection[int] = ()
    newest: int = 0


class PersonFacts(NamedTuple):
    """Facts of the rating list about a player; `rating` is the standard one, None if missing."""

    fide_id: int | None
    title: str | None
    rating: int | None


class Filling(NamedTuple):
    """What is filled in: facts of players, and the month of their list, "YYYY-MM".

    `unsure`: names and their players, by ID, that are too uncertain to write anything into a game.
    `titles`: from first_titles(), for a database that has a part of the games.
    """

    facts: Mapping[int, PersonFacts]
    list_month: str | None
    unsure: Collection[tuple[int, int]] = ()
    titles: Titles | None = None


NO_FILLING = Filling({}, None)


class WrittenGames(NamedTuple):
    """The number of changed games, and of filled-in fields by name ("WhiteFideId", ...).

    `earlier`: CoreHash before, by ID, of the changed games that were to be listed, 0 if a player
    was unknown; None if they are too many.
    """

    changed: int
    filled: Counter[str]
    earlier: Mapping[int, int] | None


def distinct_names(connection: apsw.Connection) -> Iterator[tuple[int, str, int]]:
    """Yield (name ID, name, games) of all names that have games, by name, including the empty one.

    Deleted games count: their names are resolved like all others.
    """
    sides = kept_and_deleted(connection, _SIDES)
    return iter(connection.execute(_SELECT_NAMES.format(sides=sides)))


def release_memory(connection: apsw.Connection) -> None:
    """Return the memory of the page cache, and freed memory, to the system."""
    connection.execute("PRAGMA shrink_memory")
    name_kernel.trim_memory()


def name_ids(connection: apsw.Connection) -> Iterator[int]:
    """Yield the IDs of all names, in rising order."""
    return (row[0] for row in connection.execute("SELECT ID FROM Players ORDER BY ID"))


def imported_names(connection: apsw.Connection) -> Iterator[tuple[str | None, bool]]:
    """Yield (name, whether it has a player) of names that games had when they were imported.

    Deleted games count, too.
    """
    headers = as_imported(connection, "SELECT WhiteID, BlackID, NULL, NULL, NULL FROM {table}")
    played = {player for player, _, _ in count_sides(connection, headers)[0]}
    resolved = "SELECT PlayerID FROM Resolutions WHERE Scope = 'name'"
    has_player = f"ID IN ({resolved})" if column_names(connection, "Resolutions") else "false"
    rows = connection.execute(f"SELECT ID, Name, {has_player} FROM Players")
    for player, name, is_resolved in rows:
        if player in played:
            yield name, bool(is_resolved)


def names_without_player(
    connection: apsw.Connection,
) -> Iterator[tuple[str, int, str | None, str | None]]:
    """Yield (name, games, reason, candidates) of the names with games of unknown players.

    Names with the most games come first. Reason and candidates are None if the name was not looked
    up yet.
    """
    sides = kept_and_deleted(connection, _OPEN_SIDES)
    has_candidates = column_names(connection, "NameCandidates")
    candidates = _CANDIDATES if has_candidates else "NULL, NULL"
    return iter(connection.execute(_SELECT_OPEN.format(sides=sides, candidates=candidates)))


def names_with_candidates(connection: apsw.Connection) -> set[int]:
    """Return the IDs of the names that have no player in some games."""
    return {row[0] for row in connection.execute("SELECT PlayerID FROM NameCandidates")}


def lacks_candidates(connection: apsw.Connection, newest: int) -> bool:
    """Return whether no candidates are stored for old games without a player.

    A version that did not store candidates resolved the names. `newest`: ID of the last old game.
    """
    if has_rows(connection, "NameCandidates"):
        return False
    is_open = "WhitePersonID IS NULL OR BlackPersonID IS NULL"
    sql = f"SELECT EXISTS (SELECT 1 FROM Games WHERE ID <= ? AND ({is_open}))"
    return bool(connection.execute(sql, (newest,)).get)


def write_name_candidates(
    connection: apsw.Connection, rows: Iterable[tuple[int, str, str]], kept: Iterable[int] = ()
) -> None:
    """Replace reason and candidates of the names without a player, given by name ID.

    `kept`: names whose candidates stay.
    """
    connection.execute(
        "DELETE FROM NameCandidates WHERE PlayerID NOT IN (SELECT value FROM json_each(?))",
        (id_list(kept),),
    )
    connection.executemany("INSERT INTO NameCandidates VALUES (?, ?, ?)", rows)


def stored_persons(connection: apsw.Connection, copy: str = "") -> Iterator[Person]:
    """Yield the players by ID; none in a database of OCGDB. `copy`: see stored_resolutions()."""
    if not column_names(connection, f"{copy}Persons"):
        return iter(())
    sql = f"SELECT ID, Name, FideID, Title, Country, BirthYear FROM {copy}Persons ORDER BY ID"
    return map(Person._make, connection.execute(sql))


def write_persons(connection: apsw.Connection, persons: Iterable[Person]) -> None:
    """Replace the stored players by these; store the highest ID."""
    connection.execute("DELETE FROM Persons")
    connection.executemany(
        "INSERT INTO Persons (ID, Name, FideID, Title, Country, BirthYear) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        persons,
    )
    highest = next_person_id(connection) - 1
    if highest:
        write_state(connection, _HIGHEST_ID, str(highest))


def next_person_id(connection: apsw.Connection) -> int:
    """Return one more than the highest player ID that was ever used."""
    sql = (
        "SELECT max(coalesce((SELECT max(ID) FROM Persons), 0), "
        "coalesce((SELECT CAST(Value AS INTEGER) FROM Info WHERE Name = ?), 0))"
    )
    return int(connection.execute(sql, (_HIGHEST_ID,)).get) + 1


def stored_resolutions(connection: apsw.Connection, copy: str = "") -> Iterator[Resolution]:
    """Yield the resolutions by player ID and person ID; none in a database of OCGDB.

    `copy`: the beginning of the names of copied tables, "Undecided".
    """
    if not column_names(connection, f"{copy}Resolutions"):
        return iter(())
    sql = (
        "SELECT PlayerID, PersonID, Scope, Stage, Score, Reason, Probability "
        f"FROM {copy}Resolutions ORDER BY PlayerID, PersonID"
    )
    return map(Resolution._make, connection.execute(sql))


def write_resolutions(connection: apsw.Connection, rows: Iterable[Resolution]) -> None:
    """Replace the stored resolutions by these."""
    connection.execute("DELETE FROM Resolutions")
    connection.executemany(
        "INSERT INTO Resolutions (PlayerID, PersonID, Scope, Stage, Score, Reason, Probability) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def newest_ids(connection: apsw.Connection, before: str | None = None) -> str:
    """Return a text that changes with each new game and each new name.

    A deleted game is not new, and does not make others new. `before`: an earlier text, if since
    then games and names were only added; then only these are counted.
    """
    known = None if before is None else _NEWEST.match(before)
    games, newest, names, newest_name = (0, 0, 0, 0) if known is None else map(int, known.groups())
    sql = _COUNT if known is None else _COUNT_AFTER

    def counted(tables: Sequence[str], count: int, last: int) -> Iterator[int | None]:
        rows = [connection.execute(sql.format(table=table), {"last": last}).get for table in tables]
        yield count + sum(more for more, _ in rows)
        yield max((more_id or 0 for _, more_id in rows), default=0) or last or None

    numbers = (
        *counted(tables_with_games(connection), games, newest),
        *counted(["Players"], names, newest_name),
    )
    return ",".join(map(str, numbers))


def newest_game(state: str) -> int:
    """Return the highest game ID in a text that begins like newest_ids(); 0 if it does not."""
    ids = re.match("[0-9]+,([0-9]{1,18}),", state)
    return 0 if ids is None else int(ids[1])


def persons_of_games(
    connection: apsw.Connection, ids: Collection[int]
) -> dict[int, tuple[int | None, int | None]]:
    """Return the player IDs of White and Black, by game ID."""
    sql = (
        "SELECT ID, WhitePersonID, BlackPersonID FROM Games "
        "WHERE ID IN (SELECT value FROM json_each(?))"
    )
    return {row[0]: row[1:] for row in connection.execute(sql, (id_list(ids),))}


def count_sides(connection: apsw.Connection, games: str) -> tuple[SideCounts, SideCounts]:
    """Count the sides of games by name and player, and by name and FIDE ID.

    `games`: a query for the name IDs and player IDs of White and Black, and the tags.
    """
    with using_kernel(connection, name_kernel, "the players of games cannot be read"):
        return name_kernel.count_sides(connection, games)


def count_persons(connection: apsw.Connection) -> tuple[int, int]:
    """Return the number of players, and of players with a FIDE ID."""
    persons, with_fide_id = connection.execute("SELECT count(*), count(FideID) FROM Persons").get
    return persons, with_fide_id


def count_games_with_both(connection: apsw.Connection) -> int:
    """Return the number of games of which both sides are resolved."""
    sql = "SELECT count(*) FROM Games WHERE WhitePersonID IS NOT NULL AND BlackPersonID IS NOT NULL"
    return int(connection.execute(sql).get)


def merges(connection: apsw.Connection) -> Iterator[Row]:
    """Yield (name, games, person, FIDE ID, scope, stage, score, reason) by person, then name."""
    return iter(connection.execute(_SELECT_MERGES.format(where="")))


def merges_of_name(connection: apsw.Connection, name: str) -> Iterator[Row]:
    """Yield the rows of merges() for one name."""
    return iter(connection.execute(_SELECT_MERGES.format(where="WHERE Players.Name = ?"), (name,)))


def build_person_indexes(connection: apsw.Connection) -> None:
    """Build the indexes on the columns that resolving players writes."""
    build_indexes(connection, ("GamesCoreHash",))


def write_players(
    connection: apsw.Connection,
    who: GamePersons,
    filling: Filling = NO_FILLING,
    *,
    last_noted: int = 0,
) -> WrittenGames:
    """Set the players and CoreHash of all games, and fill games in by their players.

    Deleted games are included. In games with merged headers, the original ones are changed.
    `last_noted`: list changed games up to this ID. Fields that an earlier run filled in are removed
    first, so the result does not depend on earlier runs; those with another value now are counted
    again. Raises KeyError if a name or a player of a game has no key.
    """
    players = _players_of_games(who)
    before: Titles = {}
    titles = filling.titles
    if titles is None and any(facts.title for facts in filling.facts.values()):
        before, titles = _first_titles(connection, players.person)
    if who.kept:
        kept = sorted(who.kept.items())
        titled = {person for (person, _), _ in set((titles or {}).items()) ^ set(before.items())}
        players.keep((_column(0, kept), _column(1, kept)), titled.union(who.changed), who.newest)
    facts = [
        (person, fide_id, title, (titles or {}).get((person, title or "")), rating)
        for person, (fide_id, title, rating) in filling.facts.items()
    ]
    unsure = sorted(filling.unsure)
    players.set_facts(facts, (_column(0, unsure), _column(1, unsure)), filling.list_month)
    changed, filled = 0, Counter[str]()
    noted: dict[int, int] | None = {}
    for source in _written_headers(connection):
        select, update = _SELECT_GAMES.format_map(source), _UPDATE_GAME.format_map(source)
        with using_kernel(connection, name_kernel, "cannot be written"):
            count, fields, earlier = players.write(connection, select, update, last_noted)
        changed += count
        filled.update(fields)
        noted = None if noted is None or earlier is None else noted | earlier
    return WrittenGames(changed, filled, noted)


def _written_headers(connection: apsw.Connection) -> Iterator[dict[str, str]]:
    """Yield the tables, with conditions, of the headers of all games before a merge."""
    has_merges = has_rows(connection, "UnmergedHeaders")
    for table in tables_with_games(connection):
        is_own = has_merges and table == "Games"
        yield {"table": table, "key": "ID", "condition": _IS_NOT_MERGED if is_own else "true"}
    if has_merges:
        yield {"table": "UnmergedHeaders", "key": "GameID", "condition": "true"}


def _players_of_games(who: GamePersons) -> name_kernel.GamePlayersWriter:
    names = sorted(who.by_name.keys() | who.key_of_name.keys())
    persons = sorted(who.key_of_person)
    games, sides, of_games = array("q"), array("B"), array("q")
    for game_id, side, person in who.by_game:
        games.append(game_id)
        sides.append(side)
        of_games.append(person or _NO_PLAYER)
    return name_kernel.GamePlayersWriter(
        (
            array("q", names),
            array("q", (who.by_name.get(name) or _NO_PLAYER for name in names)),
            [who.key_of_name.get(name) for name in names],
        ),
        (array("q", persons), [who.key_of_person[person] for person in persons]),
        (games, sides, of_games),
    )


def _column(number: int, rows: Iterable[Row]) -> "array[int]":
    return array("q", (row[number] for row in rows))


def forget_wrong_persons(connection: apsw.Connection) -> int:
    """Clear the player of a side if he does not exist or no longer has the name.

    CoreHash is cleared with the player. Returns the number of games, including deleted games and
    saved headers of kept games. If there are any, the next run of `players` resolves all names
    again.
    """
    wrong = 0
    for table in ("Games", "RemovedGames", "UnmergedHeaders"):
        settings = ", ".join(
            f"{side}PersonID = CASE WHEN {has_wrong_person(side)} THEN NULL ELSE {side}PersonID END"
            for side in ("White", "Black")
        )
        connection.execute(
            f"UPDATE {table} SET {settings}, CoreHash = NULL "
            f"WHERE {has_wrong_person('White')} OR {has_wrong_person('Black')}"
        )
        wrong += connection.changes()
    if wrong:
        judge_players_anew(connection)
        mark_stale(connection)
    return wrong


def has_wrong_person(side: str) -> str:
    """Return the SQL condition that no resolution of the name on a side is its player."""
    return (
        f"({side}PersonID IS NOT NULL AND NOT EXISTS (SELECT 1 FROM Resolutions "
        f"JOIN Persons ON Persons.ID = Resolutions.PersonID "
        f"WHERE PlayerID = {side}ID AND PersonID = {side}PersonID))"
    )


def judge_players_anew(connection: apsw.Connection) -> None:
    """Make the next run of `players`, if names were resolved before, resolve all names again."""
    if read_state(connection, PLAYERS_STATE) is not None:
        write_state(connection, PLAYERS_STATE, _OTHER_STATE)


# --- evidence in games ----------------------------------------------------------------------------


# Equal moves of at least this many plies by players with compatible names are one game.
MIN_PLIES = 30
# The kernel reads these rows, whose columns kernels/names/played_games.pxi numbers.
_SELECT_PLAYED = f"""
    SELECT ID, WhiteID, BlackID, Date, EventID, SiteID, SourceID,
        CASE WHEN PlyCount >= {MIN_PLIES} THEN MoveHash END,
        BackFilled, WhiteElo, BlackElo, ExtraTags FROM {{table}}
"""
_IS_OF_NAMES = (
    "(WhiteID IN (SELECT value FROM json_each(?1)) OR BlackID IN (SELECT value FROM json_each(?1)))"
)
_SELECT_KEYS = (
    f"SELECT MoveHash FROM {{table}} "
    f"WHERE {_IS_OF_NAMES} AND PlyCount >= {MIN_PLIES} AND MoveHash <> 0"
)


class GamesOfNames:
    """Queries for the kernel that decides who played; from reading_games()."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._opened: list[GameRows] = []

    def of_names(self, names: Iterable[int]) -> GameRows:
        """Return the games, by ID, in which one of the names played."""
        select = f"{_SELECT_PLAYED} WHERE {_IS_OF_NAMES}"
        return self._rows(f"{as_imported(self._connection, select)} ORDER BY 1", names)

    def keys_of_names(self, names: Iterable[int]) -> GameRows:
        """Return the MoveHash of the long games in which one of the names played."""
        return self._rows(as_imported(self._connection, _SELECT_KEYS), names)

    def all_games(self) -> GameRows:
        """Return all games, by ID; deleted games are evidence, too."""
        return self._rows(f"{as_imported(self._connection, _SELECT_PLAYED)} ORDER BY 1")

    def _rows(self, sql: str, names: Iterable[int] | None = None) -> GameRows:
        load_kernel(self._connection, name_kernel)
        rows = GameRows(self._connection, sql, None if names is None else id_list(names))
        self._opened.append(rows)
        return rows

    def close(self) -> None:
        for rows in self._opened:
            rows.close()


@contextmanager
def reading_games(connection: apsw.Connection) -> Iterator[GamesOfNames]:
    """Let the kernel read games in this thread; raise StoreError for the errors of SQLite."""
    with kernel_errors(connection, "the games of players cannot be read"):
        games = GamesOfNames(connection)
        try:
            yield games
        finally:
            games.close()


def games_under_other_names(connection: apsw.Connection) -> Iterator[tuple[int, int, int]]:
    """Yield (MoveHash, WhiteID, BlackID) of games whose moves occur under more than one name."""
    records_sql = as_imported(
        connection,
        f"SELECT MoveHash, WhiteID, BlackID FROM {{table}} WHERE PlyCount >= {MIN_PLIES}",
    )
    yield from connection.execute(
        f"SELECT * FROM ({records_sql}) WHERE MoveHash IN (SELECT MoveHash FROM ({records_sql}) "
        "GROUP BY MoveHash HAVING min(WhiteID) < max(WhiteID) OR min(BlackID) < max(BlackID))"
    )


def played_days(connection: apsw.Connection) -> Iterator[tuple[int, int, str, int]]:
    """Yield (WhiteID, BlackID, date, MoveHash) of the games with a known day."""
    select = (
        "SELECT coalesce(WhiteID, 0), coalesce(BlackID, 0), Date, coalesce(MoveHash, ID) "
        "FROM {table} WHERE Date GLOB '[0-9][0-9][0-9][0-9].[0-9][0-9].[0-9][0-9]'"
    )
    yield from connection.execute(as_imported(connection, select))


def fide_number(text: object) -> int:
    """Return the FIDE ID in a tag, 0 if there is none."""
    if text is None:
        return 0
    digits = str(text).strip()
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= 10
    return int(digits) if is_number else 0


# --- filling in -----------------------------------------------------------------------------------


class FilledFields(NamedTuple):
    """The fields of a game that filling in changes, its date, and the bits of BackFilled."""

    date: str | None
    tags: str | None
    white_elo: int | None
    black_elo: int | None
    bits: int


class SideFiller:
    """Fills in single sides of games by the rules of write_players()."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @cached_property
    def _month(self) -> str | None:
        return _list_month(self._connection)

    @cached_property
    def _titles(self) -> Titles:
        return first_titles(self._connection)

    def refill(
        self, game: FilledFields, side: int, person: int | None, facts: PersonFacts | None
    ) -> FilledFields:
        """Fill in a side for another player; nothing without facts."""
        fields = name_kernel.OneGame(*game)
        fields.withdraw(_ALL << side)
        if person is not None and facts is not None:
            since = self._titles.get((person, facts.title or ""))
            fields.fill(side, facts.fide_id, facts.title, facts.rating, since, self._month)
        return FilledFields(game.date, *fields.columns())


def filled_bits(game: FilledFields, side: int) -> int:
    """Return the bits of the fields of a side that were filled in."""
    return game.bits & _ALL << side


def fide_tags(
    connection: apsw.Connection,
    titles: Titles | None = None,
    person_ids: Collection[int] | None = None,
) -> Callable[[dict[str, str], str | None, str, int], None]:
    """Return a function that adds the FIDE ID and a missing title of a player to a game's tags.

    The function takes the tags, the date, the side and its player. The FIDE ID replaces another
    one, and the title follows the rules of write_players(); `titles`: see Filling. The database is
    not changed. `person_ids`: the players who are needed, None for all.
    """
    list_month = _list_month(connection)
    titled_since = first_titles(connection, person_ids) if titles is None else titles
    sql = "SELECT ID, FideID, Title FROM Persons WHERE FideID IS NOT NULL"
    among = "" if person_ids is None else " AND ID IN (SELECT value FROM json_each(?))"
    rows = connection.execute(sql + among, () if person_ids is None else (id_list(person_ids),))
    persons = {person: (str(fide_id), title) for person, fide_id, title in rows}

    def add_tags(tags: dict[str, str], date: str | None, side: str, person: int) -> None:
        if person not in persons:
            return
        fide_id, title = persons[person]
        by_name = {tag.lower(): tag for tag in tags}
        if tags.get(f"{side}FideId") != fide_id:
            tags[by_name.get(f"{side}FideId".lower(), f"{side}FideId")] = fide_id
        has_title = f"{side}Title".lower() in by_name
        if title and not has_title:
            since = titled_since.get((person, title))
            if name_kernel.bears_title(date, since, list_month):
                tags[f"{side}Title"] = title

    return add_tags


def keep_merged_fields(connection: apsw.Connection, ids: str) -> None:
    """Protect fields that merges gave to games from later runs, before they become final.

    `ids` is a text of id_list(), of games in UnmergedHeaders.
    """
    connection.execute(_FORGET_REPLACED, (ids,))


def _list_month(connection: apsw.Connection) -> str | None:
    fide_list = last_list(connection, "fide")
    return fide_list.month if fide_list else None


def first_titles(
    connection: apsw.Connection, person_ids: Collection[int] | None = None
) -> dict[tuple[int, str], str]:
    """Return, by player ID and title, the latest possible day of the first game with the title.

    `person_ids`: the players who are needed, None for all.
    """
    return _first_titles(connection, lambda _game, _side, _name, stored: stored, person_ids)[1]


def _first_titles(
    connection: apsw.Connection,
    person_of: Callable[[int, int, int, int], int | None],
    person_ids: Collection[int] | None = None,
) -> tuple[dict[tuple[int, str], str], dict[tuple[int, str], str]]:
    """Return first_titles() by the stored players, and by those who played.

    `person_of` returns the player of a game ID, a side, a name ID and the stored player (0 none).
    """
    among = "" if person_ids is None else _OF_NAMES_OF_PERSONS
    persons = () if person_ids is None else (id_list(person_ids),)
    before: dict[tuple[int, str], str] = {}
    since: dict[tuple[int, str], str] = {}
    for (side, color), table in product(enumerate(_FILLED_SIDES), imported_tables(connection)):
        select = (_SELECT_TITLES + among).format(side=color, table=table, bit=TITLE << side)
        for date, title, game_id, name, stored in connection.execute(select, persons):
            day = date.replace("?", "9") if date else "9999"
            person = None if name is None else person_of(game_id, side, name, stored or 0)
            for days, player in ((before, stored), (since, person)):
                if player:
                    key = player, str(title)
                    days[key] = min(days.get(key, day), day)
    return before, since
