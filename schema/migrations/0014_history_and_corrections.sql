-- What was done to the database. The old content of changed pages, which undoes it, is in a folder beside the file.
CREATE TABLE Steps (
    ID INTEGER PRIMARY KEY,
    Number INTEGER NOT NULL,
    Kind TEXT,
    Time TEXT NOT NULL,
    Command TEXT,
    Changes TEXT,
    Token TEXT NOT NULL
);

-- The history replaces the tables with the rows before the last runs of players and dedup.
DROP TABLE UndoPersons;

DROP TABLE UndoResolutions;

DROP TABLE UndoGames;

DROP TABLE UndoNameCandidates;

DROP TABLE UndoInfo;

DROP TABLE UndoFlags;

DROP TABLE UndoSuspects;

DROP TABLE UndoMerges;

DROP TABLE UndoMergedTags;

DROP TABLE UndoMergedNotes;

DROP TABLE UndoRemovedGames;

UPDATE Info SET Name = 'Players consolidated at' WHERE Name = 'Undo of consolidation';

DELETE FROM Info WHERE Name IN ('Undo of dedup', 'Undo of dedup clears');

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

-- Values and remarks of the user: see schema/README.md.
CREATE TABLE Corrections (
    GameID INTEGER NOT NULL,
    Tag TEXT NOT NULL,
    Value TEXT,
    ReadValue TEXT,
    CorrectedAt TEXT NOT NULL,
    PRIMARY KEY(GameID, Tag)
) WITHOUT ROWID;

CREATE TABLE GameNotes (
    GameID INTEGER PRIMARY KEY,
    Note TEXT NOT NULL,
    NotedAt TEXT NOT NULL
);
