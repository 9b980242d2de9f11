-- Which of two games that are one is to stay, if the user chose.
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
    PRIMARY KEY(GameID1, GameID2),
    CHECK (GameID1 < GameID2)
) WITHOUT ROWID;

INSERT INTO Suspects SELECT *, NULL FROM OldSuspects;

DROP TABLE OldSuspects;

CREATE TABLE OldUndoSuspects AS SELECT * FROM UndoSuspects;

DROP TABLE UndoSuspects;

CREATE TABLE UndoSuspects (
    GameID1 INTEGER NOT NULL,
    GameID2 INTEGER NOT NULL,
    Class TEXT,
    Score REAL,
    Evidence TEXT,
    Decision TEXT,
    MasterID INTEGER,
    PRIMARY KEY(GameID1, GameID2)
) WITHOUT ROWID;

INSERT INTO UndoSuspects SELECT *, NULL FROM OldUndoSuspects;

DROP TABLE OldUndoSuspects;
