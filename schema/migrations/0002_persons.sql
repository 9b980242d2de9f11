-- Who played: persons, the lists they are looked up in, and what undoes a consolidation.
ALTER TABLE Games ADD COLUMN WhitePersonID INTEGER REFERENCES Persons;
ALTER TABLE Games ADD COLUMN BlackPersonID INTEGER REFERENCES Persons;
ALTER TABLE Games ADD COLUMN CoreHash INTEGER;
ALTER TABLE Games ADD COLUMN BackFilled INTEGER;

CREATE TABLE Persons (
    ID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL,
    FideID INTEGER UNIQUE,
    Title TEXT,
    Country TEXT,
    BirthYear INTEGER
);

CREATE TABLE Resolutions (
    PlayerID INTEGER NOT NULL,
    PersonID INTEGER NOT NULL,
    Scope TEXT NOT NULL,
    Stage TEXT NOT NULL,
    Score REAL,
    Reason TEXT,
    Probability REAL,
    PRIMARY KEY(PlayerID, PersonID)
) WITHOUT ROWID;

CREATE TABLE FidePlayers (
    FideID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL,
    Country TEXT,
    Sex TEXT,
    Title TEXT,
    Rating INTEGER,
    Rapid INTEGER,
    Blitz INTEGER,
    BirthYear INTEGER,
    Flag TEXT
);

CREATE TABLE RatingLists (
    ID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL,
    Kind TEXT NOT NULL,
    Size INTEGER,
    SHA256 TEXT,
    Month TEXT,
    ImportDate TEXT,
    Entries INTEGER
);

CREATE TABLE NameAliases (
    Alias TEXT NOT NULL,
    Name TEXT NOT NULL,
    FideID INTEGER,
    Title TEXT,
    Country TEXT,
    BirthYear INTEGER,
    DeathYear INTEGER,
    PRIMARY KEY(Alias, Name)
) WITHOUT ROWID;

CREATE TABLE NameParts (
    Part TEXT PRIMARY KEY,
    Codes BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE UndoPersons (
    ID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL,
    FideID INTEGER,
    Title TEXT,
    Country TEXT,
    BirthYear INTEGER
);

CREATE TABLE UndoResolutions (
    PlayerID INTEGER NOT NULL,
    PersonID INTEGER NOT NULL,
    Scope TEXT NOT NULL,
    Stage TEXT NOT NULL,
    Score REAL,
    Reason TEXT,
    Probability REAL,
    PRIMARY KEY(PlayerID, PersonID)
) WITHOUT ROWID;

CREATE TABLE UndoGames (
    GameID INTEGER PRIMARY KEY,
    WhitePersonID INTEGER,
    BlackPersonID INTEGER,
    CoreHash INTEGER,
    BackFilled INTEGER,
    HasFields INTEGER,
    ExtraTags TEXT,
    WhiteElo INTEGER,
    BlackElo INTEGER
);
