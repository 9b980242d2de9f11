-- Rows that a valid database cannot have, and statements that repair them; read by store/checks.py.
--
-- "[KIND] TABLE SINCE, ..." begins the check of some tables for a kind of damage, which
-- pipeline/check/kinds.txt describes. SINCE is the schema version that has all that the query
-- reads; "SINCE-LAST" ends with a version. The query returns an ID or a text for each wrong row.
-- Further statements repair the rows. In braces: {table} and its key, {id}; {wrong}, the condition
-- of the query; and conditions of other modules, which checks.py names.
--
-- PRAGMA foreign_key_check only tests Games, and only declared keys.

-- [names] Games 0, RemovedGames 3, UnmergedHeaders 3
-- In SQLite, NULL NOT IN an empty table is true.
SELECT {id} FROM {table} WHERE (EventID IS NOT NULL AND EventID NOT IN (SELECT ID FROM Events))
    OR (SiteID IS NOT NULL AND SiteID NOT IN (SELECT ID FROM Sites))
    OR (WhiteID IS NOT NULL AND WhiteID NOT IN (SELECT ID FROM Players))
    OR (BlackID IS NOT NULL AND BlackID NOT IN (SELECT ID FROM Players));

-- [names-twice] Events 0, Sites 0, Players 0
-- Of rows, not of the index: SQLite reports its damage without the rows, and no NULL.
SELECT '{table}: ID ' || group_concat(ID, ', ') FROM {table} NOT INDEXED
GROUP BY Name HAVING count(*) > 1;

-- [persons] Games 2, RemovedGames 3, UnmergedHeaders 3
SELECT {id} FROM {table}
WHERE (WhitePersonID IS NOT NULL AND WhitePersonID NOT IN (SELECT ID FROM Persons))
    OR (BlackPersonID IS NOT NULL AND BlackPersonID NOT IN (SELECT ID FROM Persons));

-- [wrong-persons] Games 2, RemovedGames 3, UnmergedHeaders 3
-- Unknown persons are reported by the check "persons".
SELECT {id} FROM {table}
WHERE (WhitePersonID IN (SELECT ID FROM Persons) AND {wrong_white})
    OR (BlackPersonID IN (SELECT ID FROM Persons) AND {wrong_black});

-- [resolutions] Resolutions 2
SELECT 'name ' || PlayerID || ', person ' || PersonID FROM Resolutions
WHERE PlayerID NOT IN (SELECT ID FROM Players)
    OR PersonID NOT IN (SELECT ID FROM Persons) OR Scope NOT IN ('name', 'game');
DELETE FROM Resolutions WHERE {wrong};

-- The players without the user's decisions, which are stored while decisions apply.
-- [undecided] UndecidedResolutions 12
SELECT 'name ' || PlayerID || ', person ' || PersonID FROM UndecidedResolutions
WHERE PersonID NOT IN (SELECT ID FROM UndecidedPersons);

-- [undecided] UndecidedSides 12
SELECT 'game ' || GameID FROM UndecidedSides WHERE NOT {are_applied}
    OR (PersonID IS NOT NULL AND PersonID NOT IN (SELECT ID FROM UndecidedPersons));

-- [undecided] Resolutions 12
SELECT 'name ' || PlayerID FROM Resolutions WHERE Stage <> 'decision' AND {are_applied}
    AND PlayerID NOT IN (SELECT PlayerID FROM UndecidedResolutions);

-- [sources] Games 1
SELECT ID FROM Games WHERE (SourceID IS NOT NULL AND SourceID NOT IN (SELECT ID FROM Sources));

-- [sources] Rejects 1
SELECT 'Rejects: ID ' || ID FROM Rejects WHERE SourceID NOT IN (SELECT ID FROM Sources);

-- [extra-tags] Games 1, RemovedGames 3, UnmergedHeaders 3
SELECT {id} FROM {table} WHERE ExtraTags IS NOT NULL AND CASE WHEN json_valid(ExtraTags)
    THEN json_type(ExtraTags) <> 'object'
    OR EXISTS (SELECT 1 FROM json_each(ExtraTags) WHERE type <> 'text') ELSE 1 END;

-- [tag-names] Games 1, RemovedGames 3
-- As pgn/odd_values.py writes them under other names.
SELECT ID FROM {table} WHERE json_valid(ExtraTags) AND EXISTS (
    SELECT 1 FROM json_each(ExtraTags) WHERE
    key NOT GLOB '[A-Za-z]*' OR key GLOB '*[^-A-Za-z0-9_+#=:./]*' OR lower(key) = 'fen'
);

-- [ply-count-tag] Games 1, RemovedGames 3
-- A game that was cut at a fault had as many plies as the tag says.
SELECT ID FROM {table} WHERE ExtraTags LIKE '%"PlyCount":%' AND json_valid(ExtraTags)
    AND PlyCount IS NOT NULL AND ExtraTags ->> 'PlyCount' <> CAST(PlyCount AS TEXT)
    AND ID NOT IN (SELECT GameID FROM Faults);
UPDATE {table} SET ExtraTags = json_set(
    json_insert(ExtraTags, '$.OriginalPlyCount', ExtraTags ->> 'PlyCount'),
    '$.PlyCount', CAST(PlyCount AS TEXT)
) WHERE {wrong};

-- [elo] Games 0, RemovedGames 3
SELECT ID FROM {table} WHERE WhiteElo NOT BETWEEN 100 AND 4000 OR BlackElo NOT BETWEEN 100 AND 4000;

-- [future-date] Games 0, RemovedGames 3
-- A question mark sorts after the digits. Tomorrow, because of time zones.
SELECT ID FROM {table} WHERE replace(Date, '?', '0') > strftime('%Y.%m.%d', 'now', '+1 day');

-- [in-two-tables] RemovedGames 3
SELECT ID FROM RemovedGames WHERE ID IN (SELECT ID FROM Games);

-- [note-plies] Comments 0, Annotations 1
SELECT Note.GameID FROM {table} AS Note JOIN Games AS Game ON Game.ID = Note.GameID
WHERE coalesce(Ply, -1) NOT BETWEEN -1 AND coalesce(length(Moves2), 0) / 2 - 1;

-- [note-plies] Comments 3, Annotations 3
SELECT Note.GameID FROM {table} AS Note JOIN RemovedGames AS Game ON Game.ID = Note.GameID
WHERE coalesce(Ply, -1) NOT BETWEEN -1 AND coalesce(length(Moves2), 0) / 2 - 1;

-- [orphan-notes] Comments 3, Annotations 3
SELECT '{table}: ID ' || ID FROM {table} WHERE GameID IS NULL OR {no_game};
DELETE FROM {table} WHERE {wrong};

-- [orphan-notes] Comments 0-2, Annotations 1-2
SELECT '{table}: ID ' || ID FROM {table}
WHERE GameID IS NULL OR GameID NOT IN (SELECT ID FROM Games);

-- [note-flags] Games 1, RemovedGames 3
-- After the check of annotations without a game, whose repair makes these flags right.
SELECT ID FROM {table} WHERE HasComments IS NOT (ID IN (SELECT GameID FROM Comments))
    OR HasVariations IS NOT (ID IN (SELECT GameID FROM Annotations WHERE {is_variation}));
UPDATE {table} SET HasComments = ID IN (SELECT GameID FROM Comments),
    HasVariations = ID IN (SELECT GameID FROM Annotations WHERE {is_variation})
WHERE {wrong};

-- CHECK constraints of schema.sql, which SQLite does not test on a connection that only reads.
-- [constraints] Suspects 4
SELECT 'Suspects: Decision or MasterID of games ' || GameID1 || ', ' || GameID2 FROM Suspects
WHERE Decision NOT IN ('same', 'different') OR MasterID NOT IN (GameID1, GameID2);

-- [constraints] RatingLists 2
SELECT 'RatingLists, row ' || ID || ': Month' FROM RatingLists
WHERE Month NOT GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]'
    OR substr(Month, 6) NOT BETWEEN '01' AND '12';

-- [suspects] Suspects 3-13
SELECT GameID1 || ', ' || GameID2 FROM Suspects WHERE GameID1 >= GameID2;

-- [suspects] Suspects 14
-- A pair in the wrong order was inserted by a user, so its decision is kept.
SELECT GameID1 || ', ' || GameID2 FROM Suspects WHERE GameID1 >= GameID2;
INSERT OR IGNORE INTO Suspects
    SELECT GameID2, GameID1, Class, Score, Evidence, Decision, MasterID, Note FROM Suspects
    WHERE GameID1 > GameID2;
DELETE FROM Suspects WHERE {wrong};

-- Columns that may name a purged game: only an ID that no game ever had is wrong.
-- [suspects] Suspects 3
SELECT GameID1 || ', ' || GameID2 FROM Suspects
WHERE (GameID1 < 1 OR GameID1 > {highest}) OR (GameID2 < 1 OR GameID2 > {highest});
DELETE FROM Suspects WHERE {wrong};

-- [flags] DuplicateFlags 10
SELECT '{table}: game ' || GameID FROM {table} WHERE {no_game};
DELETE FROM {table} WHERE {wrong};

-- [corrections] Corrections 14, GameNotes 14
SELECT '{table}: game ' || GameID FROM {table} WHERE {no_game};
DELETE FROM {table} WHERE {wrong};

-- [merges] UnmergedHeaders 3
SELECT '{table}: game ' || GameID FROM {table} WHERE {no_game};
DELETE FROM {table} WHERE {wrong};

-- [merges] MergedNotes 3
-- A purge keeps annotations that those of other games replace.
SELECT '{table}: game ' || GameID FROM {table}
WHERE GameID NOT IN (SELECT GameID FROM UnmergedHeaders) AND (FromGameID <> GameID OR {no_game});
DELETE FROM {table} WHERE {wrong};

-- [merges] MergedTags 3
SELECT '{table}: game ' || GameID FROM {table} WHERE (GameID < 1 OR GameID > {highest});
DELETE FROM {table} WHERE {wrong};

-- [merges] Games 3
SELECT ID FROM Games WHERE EXISTS (SELECT 1 FROM UnmergedHeaders WHERE GameID = Games.ID)
    AND coalesce(HeaderOptimized, 0) NOT IN (1, 2);
UPDATE Games SET HeaderOptimized = 1 WHERE {wrong};
