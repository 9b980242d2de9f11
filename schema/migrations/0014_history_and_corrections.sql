-- Who deleted a game: NULL is dedup.
ALTER TABLE RemovedGames ADD COLUMN RemovedBy TEXT;

-- Purged games that the user had deleted.
CREATE TABLE UnwantedRecords (
    GameHash INTEGER PRIMARY KEY,
    RemovedAt TEXT NOT NULL
);

-- What the user remarked about a pair.
CREATE TABLE OldSuspects AS SELECT * FROM Suspects;

DROP TABLE Suspects;

CREATE TABLE Suspects (
    GameID1 INTEGER NOT NULL,
    GameID2 INTEGER NOT NULL,
    Class TEXT NOT NULL,
    Score REAL NOT NULL,
    Evidence TEXT NOT NULL,
    Decision TEXT CHECK (Decision IN ('same', 'different')),
    MasterID INTEGER CHECK (MasterID IN (GameID1, GameID2)),
    Note TEXT,
    PRIMARY KEY(GameID1, GameID2),
    CHECK (GameID1 < GameID2)
) WITHOUT ROWID;

INSERT INTO Suspects SELECT *, NULL FROM OldSuspects;

DROP TABLE OldSuspects;
