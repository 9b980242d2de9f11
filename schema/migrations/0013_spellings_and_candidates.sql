-- What spelling files say beyond the spellings of players.
CREATE TABLE SpellingLines (
    ListID INTEGER NOT NULL,
    Line INTEGER NOT NULL,
    Section TEXT NOT NULL,
    Kind TEXT NOT NULL,
    Name TEXT NOT NULL,
    Value TEXT NOT NULL,
    PRIMARY KEY(ListID, Line)
) WITHOUT ROWID;

-- Older versions stored only a part of a spelling file: it is read again when it is given again.
CREATE TABLE OldRatingLists AS SELECT * FROM RatingLists;

DROP TABLE RatingLists;

CREATE TABLE RatingLists (
    ID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL,
    Kind TEXT NOT NULL,
    Size INTEGER,
    SHA256 TEXT,
    Month TEXT,
    ImportDate TEXT,
    Entries INTEGER,
    IsWhole INTEGER
);

INSERT INTO RatingLists SELECT *, NULL FROM OldRatingLists;

DROP TABLE OldRatingLists;

-- Why a name has no player in some of its games, and who may be meant.
CREATE TABLE NameCandidates (
    PlayerID INTEGER PRIMARY KEY,
    Reason TEXT NOT NULL,
    Candidates TEXT NOT NULL
);

CREATE TABLE UndoNameCandidates (
    PlayerID INTEGER PRIMARY KEY,
    Reason TEXT NOT NULL,
    Candidates TEXT NOT NULL
);
