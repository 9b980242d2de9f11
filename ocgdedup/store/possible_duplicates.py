"""SQL on Suspects: possible duplicates, and the user's decisions about pairs of games.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.store.connection import column_names, id_list
from ocgdedup.store.duplicates import are_known
from ocgdedup.store.games import Row

SAME, DIFFERENT = "same", "different"
_COLUMNS = "GameID1, GameID2, Class, Score, Evidence, Decision"
_WRITE = (
    "INSERT INTO Suspects (GameID1, GameID2, Class, Score, Evidence) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET Class = excluded.Class, Score = excluded.Score, "
    "Evidence = excluded.Evidence"
)
_PAIR = "GameID1 = ? AND GameID2 = ?"
# Without a decision, only games in Games are possible duplicates.
_IS_NONE = "(Class = '' OR EXISTS (SELECT 1 FROM RemovedGames WHERE ID IN (GameID1, GameID2)))"
# No Class: they are not possible duplicates.
_DECIDE = (
    "INSERT INTO Suspects VALUES (?1, ?2, '', 0, '', ?3, ?4, nullif(?5, '')) "
    "ON CONFLICT DO UPDATE SET Decision = excluded.Decision, MasterID = excluded.MasterID, "
    "Note = CASE WHEN ?5 IS NULL THEN Note ELSE excluded.Note END"
)
_IDS = "GameID1", "GameID2"
_EQUAL_RECORDS = """
    SELECT ID FROM FlaggedGames
    WHERE GameHash = (SELECT GameHash FROM RemovedGames WHERE ID = ?) AND DuplicateGroup = ?
"""


class PossiblePair(NamedTuple):
    """Two games (first < second) that are possible duplicates.

    `duplicate_class`: the class in which they would be duplicates. `evidence`: a text for the user.
    `decision`: SAME, DIFFERENT or None. `kept_game`: the game of a SAME pair that the user wants to
    keep. `note`: the user's on the decision.
    """

    first: int
    second: int
    duplicate_class: str
    score: float | None
    evidence: str
    decision: str | None = None
    kept_game: int | None = None
    note: str | None = None

    @property
    def games(self) -> tuple[int, int]:
        """The IDs of the two games."""
        return self.first, self.second


class Decision(NamedTuple):
    """The user's decision about two games (first < second): see PossiblePair."""

    first: int
    second: int
    decision: str
    kept_game: int | None = None
    note: str | None = None

    @property
    def games(self) -> tuple[int, int]:
        """The IDs of the two games."""
        return self.first, self.second

    @property
    def is_same(self) -> bool:
        return self.decision == SAME

    @property
    def choice(self) -> tuple[int, int] | None:
        """The game to keep and the other one; None if the user did not choose."""
        if self.kept_game is None:
            return None
        return self.kept_game, self.first + self.second - self.kept_game


def stored_possible_duplicates(
    connection: apsw.Connection,
    condition: str = "1",
    order: str = "GameID1, GameID2",
    *,
    scope: Collection[int] | None = None,
) -> Iterator[PossiblePair]:
    """Yield all pairs, including decided ones; none in an older database.

    `condition`: SQL; yield only the pairs for which it is true. `order`: by which columns. `scope`:
    yield only the pairs of which the first game is in it.
    """
    existing = column_names(connection, "Suspects")
    if not existing:
        return iter(())
    later = ", ".join(name if name in existing else "NULL" for name in ("MasterID", "Note"))
    if scope is not None:
        condition += " AND GameID1 IN (SELECT value FROM json_each(?1))"
    sql = f"SELECT {_COLUMNS}, {later} FROM Suspects WHERE {condition} ORDER BY {order}"
    return map(
        PossiblePair._make, connection.execute(sql, () if scope is None else (id_list(scope),))
    )


def possible_duplicate(connection: apsw.Connection, first: int, second: int) -> PossiblePair | None:
    """Return the stored pair of two games in any order, None if there is none."""
    condition = f"GameID1 = {min(first, second)} AND GameID2 = {max(first, second)}"
    return next(stored_possible_duplicates(connection, condition), None)


def listed_possible_duplicates(connection: apsw.Connection) -> Iterator[PossiblePair]:
    """Yield stored_possible_duplicates() without the pairs of which a game was purged."""
    return stored_possible_duplicates(connection, are_known(connection, ("GameID1", "GameID2")))


def possible_duplicates_with(
    connection: apsw.Connection, game_ids: Iterable[int]
) -> Iterator[tuple[int, int]]:
    """Yield the IDs of the last possible duplicates that contain one of some games."""
    sql = (
        "WITH Asked AS MATERIALIZED (SELECT value FROM json_each(?)) "
        "SELECT GameID1, GameID2 FROM Suspects WHERE Class <> '' "
        "AND (GameID1 IN (SELECT value FROM Asked) OR GameID2 IN (SELECT value FROM Asked))"
    )
    return iter(connection.execute(sql, (id_list(game_ids),)))


def count_possible_duplicates(connection: apsw.Connection) -> int:
    """Return the number of possible duplicates of the last search without a decision."""
    if not column_names(connection, "Suspects"):
        return 0
    return int(connection.execute("SELECT count(*) FROM Suspects WHERE Decision IS NULL").get)


def decisions(connection: apsw.Connection) -> list[Decision]:
    """Return the user's decisions, by the IDs of the pairs."""
    return [
        # A user who decides by SQL may leave a choice that is no longer valid.
        Decision(
            *row.games, str(row.decision), row.kept_game if row.decision == SAME else None, row.note
        )
        for row in stored_possible_duplicates(connection, "Decision IS NOT NULL")
    ]


def decided_pairs(connection: apsw.Connection) -> list[tuple[int, int, bool]]:
    """Return (first, second, True for a match) of the user's decisions."""
    return [(row.first, row.second, row.is_same) for row in decisions(connection)]


def kept_choices(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return the user's choices of kept games: (ID of the kept game, ID of the other game)."""
    return [row.choice for row in decisions(connection) if row.choice is not None]


def write_possible_duplicates(
    connection: apsw.Connection,
    rows: Iterable[PossiblePair],
    scope: Collection[int] | None = None,
) -> None:
    """Store these possible duplicates instead of the undecided ones; write only changes.

    `scope`: replace only those of these games. A pair keeps its Decision in the database, whatever
    the row says. A pair with a Decision stays even if it is no longer a possible duplicate. Raises
    apsw.ConstraintError for a pair in the wrong order.
    """
    stored = {row.games: row for row in stored_possible_duplicates(connection, scope=scope)}
    changes: list[Row] = []
    outdated = {pair: row for pair, row in stored.items() if row.decision is None}
    for row in rows:
        outdated.pop(row.games, None)
        old = stored.get(row.games)
        if old is None or old[2:5] != row[2:5]:
            changes.append(row[:5])
    connection.executemany(f"DELETE FROM Suspects WHERE {_PAIR}", outdated)
    connection.executemany(_WRITE, changes)


def write_decision(
    connection: apsw.Connection,
    first: int,
    second: int,
    decision: str | None,
    kept_game: int | None = None,
    note: str | None = None,
) -> None:
    """Store the user's decision about any two games; None clears it with its note.

    `kept_game`: the game of a SAME pair to keep, if the user chose. `note` None: the stored note
    stays. Undoing dedup does not change decisions. Raises apsw.ConstraintError for a kept game that
    is neither of the two.
    """
    pair = min(first, second), max(first, second)
    if decision is not None:
        connection.execute(_DECIDE, (*pair, decision, kept_game, note))
    else:
        sql = f"UPDATE Suspects SET Decision = NULL, MasterID = NULL, Note = NULL WHERE {_PAIR}"
        connection.execute(sql, pair)
        connection.execute(f"DELETE FROM Suspects WHERE {_PAIR} AND {_IS_NONE}", pair)


def passed_on(
    given: Iterable[Decision], records_of: Callable[[int, bool], Collection[int]]
) -> Iterator[Decision]:
    """Yield decisions with each game replaced by its representing records, the lower ID first.

    `records_of`: takes an ID and whether the decision is SAME; returns that game if it stays, else
    the games that represent it. Raises UsageError if one record would represent two games that the
    user decided are different; the next search applies that decision.
    """
    passed: dict[tuple[int, int], str] = {}
    to_pass_on = []
    for row in given:
        left, right = (records_of(game_id, row.is_same) for game_id in row[:2])
        if left == {row.first} and right == {row.second}:
            passed[row.first, row.second] = row.decision
            yield row
        else:
            to_pass_on.append((row, left, right))
    for row, left, right in to_pass_on:
        for first, second in product(left, right):
            pair = min(first, second), max(first, second)
            if first == second and row.is_same:
                continue
            if first == second or passed.get(pair, row.decision) != row.decision:
                kept = f"game {first}" if first == second else f"games {first} and {second}"
                raise UsageError(
                    f"games {row.first} and {row.second} are {row.decision} by your decisions, "
                    f"which {kept} in their place cannot be; run 'ocgdedup dedup' first, which "
                    "applies your decisions"
                )
            if pair not in passed:
                passed[pair] = row.decision
                kept_game = {None: None, row.first: first, row.second: second}[row.kept_game]
                yield Decision(*pair, row.decision, kept_game, row.note)


def carry_decisions(connection: apsw.Connection, purged: Mapping[int, int]) -> None:
    """Pass the decisions on games that are purged to the records that represent them.

    `purged`: the kept game of each purged one. The records are the kept game and, for a decision
    that games are different, other records of the group that are equal to the purged one. Call it
    before the purge. Raises UsageError if the passed decisions would contradict each other.
    """

    def records_of(game_id: int, is_same: bool) -> set[int]:
        if game_id not in purged:
            return {game_id}
        equal = () if is_same else connection.execute(_EQUAL_RECORDS, (game_id, purged[game_id]))
        return {purged[game_id], *(other for (other,) in equal if other not in purged)}

    before = decisions(connection)
    for row in set(passed_on(before, records_of)).difference(before):
        write_decision(connection, *row)
    named = " OR ".join(f"{name} IN (SELECT value FROM json_each(?1))" for name in _IDS)
    connection.execute(f"DELETE FROM Suspects WHERE {named}", (id_list(purged),))
