-- Loads that are finished, and files that get their names after a commit.
CREATE TABLE Loads (
    ID INTEGER PRIMARY KEY,
    Fingerprint TEXT NOT NULL,
    InputBytes INTEGER,
    LoadDate TEXT NOT NULL,
    FirstGameID INTEGER NOT NULL,
    Games INTEGER NOT NULL,
    Faults INTEGER NOT NULL,
    Rejects INTEGER NOT NULL,
    Damaged INTEGER NOT NULL
);

CREATE TABLE UnpublishedFiles (
    ID INTEGER PRIMARY KEY,
    Kind TEXT NOT NULL,
    TemporaryName BLOB NOT NULL,
    Name BLOB NOT NULL,
    Size INTEGER NOT NULL,
    SHA256 TEXT NOT NULL,
    SHA256Before TEXT
);

-- Older versions gave the ID of a person who was gone to another one.
INSERT INTO Info
SELECT 'Highest person ID', max(ID) FROM (
    SELECT max(ID) AS ID FROM Persons
    UNION ALL SELECT max(ID) FROM UndoPersons
    UNION ALL SELECT max(WhitePersonID) FROM Games
    UNION ALL SELECT max(BlackPersonID) FROM Games
    UNION ALL SELECT max(WhitePersonID) FROM RemovedGames
    UNION ALL SELECT max(BlackPersonID) FROM RemovedGames
    UNION ALL SELECT max(WhitePersonID) FROM UnmergedHeaders
    UNION ALL SELECT max(BlackPersonID) FROM UnmergedHeaders
    UNION ALL SELECT max(WhitePersonID) FROM UndoGames
    UNION ALL SELECT max(BlackPersonID) FROM UndoGames
    UNION ALL SELECT max(WhitePersonID) FROM UndoMerges
    UNION ALL SELECT max(BlackPersonID) FROM UndoMerges
) HAVING max(ID) IS NOT NULL;

-- They gave removed games no new persons either: the next look-up does.
UPDATE RemovedGames SET WhitePersonID = NULL, BlackPersonID = NULL, CoreHash = NULL
WHERE WhitePersonID IS NOT NULL OR BlackPersonID IS NOT NULL OR CoreHash IS NOT NULL;

-- A removed game used to name the kept game of the time of removal, which may be none any more.
UPDATE RemovedGames SET DuplicateStatus = NULL, DuplicateGroup = NULL, DuplicateReason = NULL,
    HeaderScore = NULL
WHERE DuplicateGroup NOT IN (
    SELECT ID FROM Games WHERE DuplicateStatus IS NULL
);
