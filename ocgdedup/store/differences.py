"""SQL that compares two collections in one temporary database with flags: the first and the other.

`first_id` is the ID of the first game of the other collection: all earlier IDs are of the first
collection. Games that the first collection deleted are not new, and an equal record is not better.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import apsw

from ocgdedup.store.games import Row

NEW, BETTER, LONGER, POSSIBLE = DIFFERENCES = ("new", "better", "longer", "possible")
_FIND = f"""
    CREATE TEMP TABLE Differences AS
    SELECT '{NEW}' AS Difference, ID AS GameID, NULL AS FirstID, NULL AS Score
    FROM Games LEFT JOIN DuplicateFlags ON GameID = ID
    WHERE ID >= :first AND DuplicateStatus IS NULL AND (
        DuplicateGroup IS NULL
        OR DuplicateGroup NOT IN (SELECT DuplicateGroup FROM DuplicateFlags WHERE GameID < :first)
    ) AND coalesce(GameHash NOT IN (
        SELECT GameHash FROM RemovedGames
        WHERE ID < :first AND RemovedBy = 'user' AND GameHash IS NOT NULL
        UNION ALL SELECT GameHash FROM UnwantedRecords
    ), 1)
    UNION ALL
    SELECT iif(Kept.PlyCount > max(Mine.PlyCount), '{LONGER}', '{BETTER}'), Kept.ID, Mine.ID, NULL
    FROM DuplicateFlags JOIN Games AS Mine ON Mine.ID = GameID
    JOIN Games AS Kept ON Kept.ID = DuplicateGroup
    WHERE GameID < :first AND DuplicateGroup >= :first AND coalesce(
        Kept.GameHash NOT IN (
            SELECT GameHash FROM RemovedGames WHERE ID < :first AND GameHash IS NOT NULL
        ), 1
    )
    GROUP BY Kept.ID
    UNION ALL
    SELECT '{POSSIBLE}', GameID2, GameID1, Score FROM Suspects
    WHERE GameID1 < :first AND GameID2 >= :first AND Decision IS NULL
"""
_GAME = (
    "LEFT JOIN Games AS {0} ON {0}.ID = {1} LEFT JOIN Sources AS {0}Source "
    "ON {0}Source.ID = {0}.SourceID"
)
_SELECT = f"""
    SELECT Difference, Game.ID, GameSource.Name, Game.SourceNumber, Whites.Name, Blacks.Name,
        Game.Date, Game.Round, Events.Name, Game.Result, Game.PlyCount,
        Mine.ID, MineSource.Name, Mine.SourceNumber, Mine.PlyCount, Score
    FROM temp.Differences
    {_GAME.format("Game", "GameID")}
    {_GAME.format("Mine", "FirstID")}
    LEFT JOIN Players AS Whites ON Whites.ID = Game.WhiteID
    LEFT JOIN Players AS Blacks ON Blacks.ID = Game.BlackID
    LEFT JOIN Events ON Events.ID = Game.EventID
    ORDER BY temp.Differences.rowid
"""


def find_differences(connection: apsw.Connection, first_id: int) -> dict[str, int]:
    """Find the differences, and return their numbers."""
    connection.execute(_FIND, {"first": first_id})
    rows = connection.execute("SELECT Difference, count(*) FROM temp.Differences GROUP BY 1")
    return dict.fromkeys(DIFFERENCES, 0) | dict(rows)


def new_games(connection: apsw.Connection) -> array[int]:
    """Return the IDs of the games that the first games lack."""
    sql = f"SELECT GameID FROM temp.Differences WHERE Difference = '{NEW}' ORDER BY GameID"
    return array("q", (game_id for (game_id,) in connection.execute(sql)))


def difference_rows(connection: apsw.Connection) -> Iterator[Row]:
    """Yield a row for each difference: both games, and the score of a possible duplicate."""
    return iter(connection.execute(_SELECT))
