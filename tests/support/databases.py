"""A database as plain Python values, read by the standard library's sqlite3; small databases."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.history import last_of, state_before
from ocgdedup.pipeline.players.name_lists import import_aliases, import_fide_list
from ocgdedup.pipeline.players.persons import PlayersSummary, consolidate, undo_consolidation
from ocgdedup.store.database import create_database, open_database
from ocgdedup.store.history import DEDUP, IMPORT, PLAYERS, UNDO_OF, transaction
from ocgdedup.store.undo import old_state

Row = tuple[Any, ...]
# The time of a run is not part of its results.
_TIMES = {"Sources": {"ImportDate"}, "RatingLists": {"ImportDate"}}


def query(path: Path | str, sql: str, *values: object) -> list[Row]:
    """Return all rows of one SELECT."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, values).fetchall()


# Needed before dropping a column or table that they name.
DROP_VIEWS = "".join(
    f"DROP VIEW {name};"
    for name in (
        "PossibleDuplicates", "DuplicatePairs", "GamesNamed", "FlaggedRemovedGames",
        "FlaggedGames", "Tags",
    )
)  # fmt: skip


def _removing() -> str:
    with contextlib.closing(create_database(":memory:")) as connection:
        names = ", ".join(row[1] for row in connection.execute("PRAGMA table_info(Games)"))
    return f"INSERT INTO RemovedGames ({names}, RemovedAt) SELECT {names}, 'now'"


# Before "FROM Games WHERE ...".
REMOVE = _removing()


def change(path: Path | str, sql: str, *values: object) -> None:
    """Run one statement and commit."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


def flag(
    path: Path | str,
    game_id: int,
    status: str | None,
    group: int,
    reason: str | None = None,
    score: int | None = None,
) -> None:
    """Replace the flags of one game."""
    sql = "INSERT OR REPLACE INTO DuplicateFlags VALUES (?, ?, ?, ?, ?)"
    change(path, sql, game_id, status, group, reason, score)


def value(path: Path | str, sql: str, *values: object) -> Any:
    """Return the only value of a SELECT."""
    ((result,),) = query(path, sql, *values)
    return result


def columns(path: Path | str, table: str) -> list[str]:
    """Return the columns of a table in order."""
    return [name for (name,) in query(path, "SELECT name FROM pragma_table_info(?)", table)]


def tables(path: Path | str, kind: str = "table") -> set[str]:
    """Return the names of all tables (or views, or indexes), without SQLite's own."""
    rows = query(path, "SELECT name FROM sqlite_master WHERE type = ?", kind)
    return {name for (name,) in rows if not name.startswith("sqlite_")}


def dump(path: Path | str) -> dict[str, list[Row]]:
    """Return all rows of tables without times and commands, and the schema with its versions."""
    content = {"sqlite_master": query(path, "SELECT type, name, sql FROM sqlite_master ORDER BY 2")}
    for pragma in ("application_id", "user_version"):
        content[pragma] = query(path, f"PRAGMA {pragma}")
    for table in sorted(tables(path) - {"Loads", "Steps"}):  # the commands
        kept = [name for name in columns(path, table) if name not in _TIMES.get(table, ())]
        content[table] = query(path, f"SELECT {', '.join(kept)} FROM {table} ORDER BY 1, 2")
    if "Info" in content:
        content["Info"] = [row for row in content["Info"] if row[0] != "Search files of"]  # random
    return content


def is_sound(path: Path | str) -> bool:
    """Return whether SQLite's integrity check passes."""
    return value(path, "PRAGMA integrity_check") == "ok"


class Silent:
    """A reporter that stores warnings and prints nothing."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None: ...
    def advance(self, games: int, position_bytes: int) -> None: ...
    def finish(self) -> None: ...

    def warn(self, message: str) -> None:
        self.warnings.append(message)


class Collection:
    """A database from PGN texts, one file each, whose names are resolved in this process.

    Games are identified by their Round, which must be unique.
    """

    def __init__(self, folder: Path, *texts: str, name: str = "a") -> None:
        self.path = folder / f"{name}.db3"
        self._load(texts, append=False)

    def append(self, *texts: str) -> None:
        self._load(texts, append=True)

    def _load(self, texts: tuple[str, ...], *, append: bool) -> None:
        inputs = [self.path.with_suffix(f".{number}.pgn") for number in range(len(texts))]
        for path, text in zip(inputs, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        create(CreateRequest(str(self.path), [*map(str, inputs)], append=append), Silent())

    def read_lists(self, fide: Path | None = None, aliases: Path | None = None) -> None:
        """Read lists into the database without resolving names."""
        with self._writing() as connection:
            if fide is not None:
                import_fide_list(connection, str(fide), Silent())
            if aliases is not None:
                import_aliases(connection, str(aliases), Silent())

    def consolidate(self, fide: Path | None = None, **options: Any) -> PlayersSummary:
        """Read a list, if one is given, and resolve names; options as for the function."""
        self.read_lists(fide)
        with self._writing() as connection:
            return consolidate(connection, Silent(), **options)

    def undo(self) -> int:
        path = str(self.path)
        kinds = (PLAYERS, IMPORT, DEDUP, UNDO_OF.format(PLAYERS), None)
        with state_before(path, last_of(path, PLAYERS, kinds)) as old:
            database = open_database(path, writable=True)
            with (
                database,
                old_state(database.connection, old),
                transaction(database.connection, UNDO_OF.format(PLAYERS)),
            ):
                return undo_consolidation(database.connection)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        database = open_database(str(self.path), writable=True)
        try:
            with transaction(database.connection, PLAYERS):
                yield database.connection
        finally:
            database.close()

    def persons(self) -> dict[str, tuple[str | None, str | None]]:
        """Return the names of both players of each game, White first, by Round."""
        sql = (
            "SELECT Round, White.Name, Black.Name FROM Games "
            "LEFT JOIN Persons AS White ON White.ID = WhitePersonID "
            "LEFT JOIN Persons AS Black ON Black.ID = BlackPersonID"
        )
        return {number: (white, black) for number, white, black in query(self.path, sql)}

    def white(self) -> list[str | None]:
        """Return the name of the player of White of each game, by Round."""
        return [white for _, (white, _) in sorted(self.persons().items())]

    def column(self, name: str) -> list[Any]:
        """Return one column of the games, by Round."""
        return [
            result for (result,) in query(self.path, f"SELECT {name} FROM Games ORDER BY Round")
        ]

    def content(self) -> dict[str, list[Row]]:
        """Return all rows of all tables except Info, which has times."""
        result = dump(self.path)
        return {
            table: rows for table, rows in result.items() if table not in ("Info", "sqlite_master")
        }


def whites_of(folder: Path, fide: Path, *games: str) -> list[str | None]:
    """Return the player of White of each game, by Round, with a FIDE list."""
    collection = Collection(folder, "".join(games))
    collection.consolidate(fide)
    return collection.white()
