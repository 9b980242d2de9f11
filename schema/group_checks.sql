-- Games whose group of duplicates contradicts itself: their IDs and groups, NULL if they have none.
-- The format is that of checks.sql; a repair dissolves the groups.

-- [group-master] FlaggedGames 1
SELECT Game.ID, Game.DuplicateGroup FROM FlaggedGames AS Game
WHERE Game.DuplicateGroup IS NOT NULL AND (NOT EXISTS (
    SELECT 1 FROM FlaggedGames AS Master WHERE Master.ID = Game.DuplicateGroup
    AND Master.DuplicateGroup = Master.ID AND Master.DuplicateStatus IS NULL
) OR (Game.DuplicateStatus IS NULL) <> (Game.ID = Game.DuplicateGroup))
UNION ALL
SELECT ID, NULL FROM FlaggedGames WHERE DuplicateStatus IS NOT NULL AND DuplicateGroup IS NULL
ORDER BY 1;

-- [group-removed] FlaggedRemovedGames 6
-- The first version in which flags of removed games name a new kept game.
SELECT ID, DuplicateGroup FROM FlaggedRemovedGames WHERE DuplicateGroup IS NOT NULL
    AND DuplicateGroup NOT IN (SELECT ID FROM FlaggedGames WHERE DuplicateStatus IS NULL)
ORDER BY 1;

-- [group-class] FlaggedGames 3
SELECT ID, DuplicateGroup FROM FlaggedGames WHERE DuplicateGroup IS NOT NULL AND (
    DuplicateStatus NOT IN ({statuses}) OR DuplicateReason NOT IN ({reasons})
    OR (DuplicateStatus IS NULL AND DuplicateReason IS NOT NULL)
) ORDER BY 1;

-- [group-moves] FlaggedGames 3
-- A rotated duplicate of a Go game has other moves; swapped colours are the first reason.
SELECT Game.ID, Game.DuplicateGroup FROM FlaggedGames AS Game
WHERE Game.DuplicateStatus = '{exact}' AND EXISTS (
    SELECT 1 FROM Games AS Master
    WHERE Master.ID = Game.DuplicateGroup AND Master.MoveHash IS NOT Game.MoveHash
) AND NOT (
    EXISTS (SELECT 1 FROM Info WHERE Name = 'Variant' AND Value = 'go')
    AND coalesce(Game.DuplicateReason, '') IN ('{rotated}', '{swapped}')
) ORDER BY 1;

-- [group-alone] FlaggedGames 3
-- A game whose duplicates were removed is still their kept game.
SELECT min(ID), DuplicateGroup FROM FlaggedGames WHERE DuplicateGroup IS NOT NULL
    AND (SELECT count(*) FROM Games) = {highest}
GROUP BY 2 HAVING count(*) = 1 AND min(ID) = DuplicateGroup ORDER BY 1;
