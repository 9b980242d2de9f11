"""What must hold for a database whatever was done with it: a model of the collection.

It reads the file with the standard library alone, and knows nothing of how the program works.
"""

from __future__ import annotations

import contextlib
import difflib
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

Moves = tuple[str | None, bytes | None]


@dataclass
class Collection:
    """All games that were ever loaded into one database, and what became of them."""

    database: Path
    moves: dict[int, Moves] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    removed: dict[int, int | None] = field(default_factory=dict)
    """DeletedGames games after the last step, with the kept game of each."""
    signed: set[int] = field(default_factory=set)
    purged: set[int] = field(default_factory=set)

    def after_step(self, *, loads: bool = False, purges: bool = False) -> str | None:
        """Compare the database with the model, then bring the model up to date."""
        with read(self.database) as connection:
            checks: tuple[Callable[[], str | None], ...] = (
                lambda: self._games_lost(connection, loads=loads, purges=purges),
                lambda: self._ids_changed(connection),
                lambda: wrong_person(connection),
                lambda: lost_kept_game(connection),
                lambda: self._signatures_lost(connection),
            )
            return next((problem for check in checks if (problem := check())), None)

    def _games_lost(
        self, connection: sqlite3.Connection, *, loads: bool, purges: bool
    ) -> str | None:
        games = stored_moves(connection, "Games")
        removed = stored_moves(connection, "RemovedGames")
        both = games.keys() & removed.keys()
        if both:
            return f"games {sorted(both)[:5]} are in Games and in RemovedGames"
        result = games | removed
        for game, moves in self.moves.items():
            if game in result and result[game] != moves:
                return f"game {game} has other moves than before"
        new = result.keys() - self.moves.keys()
        if new and (not loads or min(new) <= max(self.moves, default=0)):
            return f"games {sorted(new)[:5]} came from nowhere, or have IDs of other games"
        if new & self.purged:
            return f"games {sorted(new & self.purged)[:5]} were purged and are back"
        problem = self._gone(connection, games, self.moves.keys() - result.keys(), purges=purges)
        for game in self.moves.keys() - result.keys():
            del self.moves[game]
            self.purged.add(game)
        self.moves.update(result)
        self.removed = groups_of_removed(connection)
        return problem

    def _gone(
        self,
        connection: sqlite3.Connection,
        games: dict[int, Moves],
        gone: set[int],
        *,
        purges: bool,
    ) -> str | None:
        """Return what is wrong with games that are nowhere any more."""
        if gone and not purges:
            return f"games {sorted(gone)[:5]} are lost"
        kept = set(games.values())
        for game in sorted(gone):
            represented = kept_game(game, self.removed, set(games)) is not None
            if game in self.removed and not represented and self.moves[game] not in kept:
                return f"game {game} was purged, and its kept game is gone"
        return None

    def _ids_changed(self, connection: sqlite3.Connection) -> str | None:
        names = dict(connection.execute("SELECT ID, Name FROM Players"))
        for player, name in names.items():
            if self.names.get(player, name) != name:
                return f"player name {player} was {self.names[player]!r}, is {name!r}"
        self.names.update(names)
        return None

    def _signatures_lost(self, connection: sqlite3.Connection) -> str | None:
        signed = {game for (game,) in connection.execute("SELECT GameID FROM Signatures")}
        present = {game for (game,) in connection.execute("SELECT ID FROM Games")}
        lost = (self.signed & present) - signed
        if lost:
            return f"games {sorted(lost)[:5]} lost their signatures"
        self.signed |= signed
        return None


@contextlib.contextmanager
def read(database: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        yield connection


def stored_moves(connection: sqlite3.Connection, table: str) -> dict[int, Moves]:
    rows = connection.execute(f"SELECT ID, FEN, Moves2 FROM {table}")
    return {game: (fen, moves) for game, fen, moves in rows}


def words(name: str) -> set[str]:
    """Return the longer words of a name, without accents and case."""
    plain = unicodedata.normalize("NFD", name.casefold())
    letters = "".join(
        sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign)
    )
    return {word for word in letters.split() if len(word) > 2}


def alike(name: str, other: str) -> bool:
    """Return whether two names share a word, or have words that are spelt nearly alike."""
    return any(
        difflib.SequenceMatcher(None, left, right, autojunk=False).ratio() >= 0.8
        for left in words(name)
        for right in words(other)
    )


def wrong_person(connection: sqlite3.Connection) -> str | None:
    """Return a game side whose person is gone, or is somebody with quite another name.

    A person fits a name if a consolidation resolved the name so, or if they share a word or nearly
    so.
    """
    resolved = set(connection.execute("SELECT PlayerID, PersonID FROM Resolutions"))
    persons = dict(connection.execute("SELECT ID, Name FROM Persons"))
    names = dict(connection.execute("SELECT ID, Name FROM Players"))
    for table in ("Games", "RemovedGames"):
        for side in ("White", "Black"):
            sides = f"SELECT ID, {side}ID, {side}PersonID FROM {table}"
            for game, player, person in connection.execute(f"{sides} WHERE {side}PersonID > 0"):
                if person not in persons:
                    return f"{table} {game}: person {person} of {side} is not in Persons"
                if (player, person) in resolved:
                    continue
                if not alike(persons[person], names.get(player) or ""):
                    return (
                        f"{table} {game}: {side} is {names.get(player)!r}, "
                        f"but person {persons[person]!r}"
                    )
    return None


def groups_of_removed(connection: sqlite3.Connection) -> dict[int, int | None]:
    return dict(connection.execute("SELECT ID, DuplicateGroup FROM FlaggedRemovedGames"))


def lost_kept_game(connection: sqlite3.Connection) -> str | None:
    """Return a duplicate without a kept game; the kept game of a removed one may be removed too."""
    kept = {
        game
        for (game,) in connection.execute(
            "SELECT ID FROM FlaggedGames WHERE DuplicateStatus IS NULL AND DuplicateGroup = ID"
        )
    }
    flagged = connection.execute(
        "SELECT ID, DuplicateGroup FROM FlaggedGames WHERE DuplicateStatus IS NOT NULL"
    )
    for game, group in flagged:
        if group not in kept:
            return f"game {game} is a duplicate of {group}, which is no kept game"
    present = {game for (game,) in connection.execute("SELECT ID FROM Games")}
    removed = groups_of_removed(connection)
    for game in removed:
        if kept_game(game, removed, present) is None:
            return f"removed game {game} has no kept game"
    return None


def kept_game(game: int, removed: dict[int, int | None], present: set[int]) -> int | None:
    """Return the game that represents a removed one, if need be by way of other removed ones."""
    passed = set()
    group: int | None = game
    while group is not None and group not in present and group not in passed:
        passed.add(group)
        group = removed.get(group)
    return group if group in present else None
