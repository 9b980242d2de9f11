-- The user's decisions about names, and what was there without them.
CREATE TABLE NameDecisions (
    ID INTEGER PRIMARY KEY,
    Decision TEXT NOT NULL CHECK (Decision IN ('same', 'different', 'name')),
    Name TEXT NOT NULL,
    GameID INTEGER,
    OtherName TEXT NOT NULL,
    OtherGameID INTEGER,
    DecidedAt TEXT
);
CREATE TABLE UndecidedPersons (
    ID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL,
    FideID INTEGER,
    Title TEXT,
    Country TEXT,
    BirthYear INTEGER
);
CREATE TABLE UndecidedResolutions (
    PlayerID INTEGER NOT NULL,
    PersonID INTEGER NOT NULL,
    Scope TEXT NOT NULL,
    Stage TEXT NOT NULL,
    Score REAL,
    Reason TEXT,
    Probability REAL,
    PRIMARY KEY(PlayerID, PersonID)
) WITHOUT ROWID;
CREATE TABLE UndecidedSides (
    GameID INTEGER NOT NULL,
    Side INTEGER NOT NULL,
    PlayerID INTEGER NOT NULL,
    PersonID INTEGER,
    BackFilled INTEGER,
    PRIMARY KEY(GameID, Side, PlayerID)
) WITHOUT ROWID;

-- Which files gave each alias.
CREATE TABLE AliasOrigins (
    ListID INTEGER NOT NULL,
    Alias TEXT NOT NULL,
    Name TEXT NOT NULL,
    PRIMARY KEY(ListID, Alias, Name)
) WITHOUT ROWID;

-- How names are written that do not surely mean a player, and beside which names FIDE IDs are. The next run of players
-- fills both.
CREATE TABLE OpenNames (
    PlayerID INTEGER PRIMARY KEY,
    Spelling TEXT NOT NULL
);

CREATE TABLE FideIDNames (
    FideID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL
);

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

-- Only short forms that are nearly certain are kept.
DELETE FROM FideAliases WHERE Probability < 0.95;

-- The compiled index of the lists, in place of the phonetic codes of their words.
DROP TABLE NameParts;
CREATE TABLE NameIndex (
    State TEXT PRIMARY KEY,
    Data BLOB NOT NULL
);
DELETE FROM Info WHERE Name = 'Phonetic encoder';
