-- The current schema, complete. Columns and tables are explained in README.md beside this file.
-- Tables and columns up to Games.Moves2, and Comments up to Comment, are OCGDB's.

CREATE TABLE Info (Name TEXT UNIQUE NOT NULL, Value TEXT);

CREATE TABLE Events (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);

CREATE TABLE Sites (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);

CREATE TABLE Players (ID INTEGER PRIMARY KEY, Name TEXT UNIQUE, Elo INTEGER);

CREATE TABLE Games (
    ID INTEGER PRIMARY KEY AUTOINCREMENT,
    EventID INTEGER,
    SiteID INTEGER,
    Date TEXT,
    Round TEXT,
    WhiteID INTEGER,
    WhiteElo INTEGER,
    BlackID INTEGER,
    BlackElo INTEGER,
    Result TEXT,
    TimeControl TEXT,
    ECO TEXT,
    PlyCount INTEGER,
    FEN TEXT,
    Moves2 BLOB DEFAULT NULL,
    MoveHash INTEGER,
    FinalZobrist INTEGER,
    PositionsKey INTEGER,
    SampledKey INTEGER,
    SourceID INTEGER,
    SourceNumber INTEGER,
    SourceOffset INTEGER,
    DateQuality INTEGER,
    HasComments INTEGER,
    HasVariations INTEGER,
    SpecialMoves INTEGER,
    Charset TEXT,
    ExtraTags TEXT,
    WhitePersonID INTEGER REFERENCES Persons(ID),
    BlackPersonID INTEGER REFERENCES Persons(ID),
    CoreHash INTEGER,
    BackFilled INTEGER,
    HeaderOptimized INTEGER,
    GameHash INTEGER,
    FOREIGN KEY(EventID) REFERENCES Events(ID),
    FOREIGN KEY(SiteID) REFERENCES Sites(ID),
    FOREIGN KEY(WhiteID) REFERENCES Players(ID),
    FOREIGN KEY(BlackID) REFERENCES Players(ID)
);

CREATE TABLE Comments (
    ID INTEGER PRIMARY KEY AUTOINCREMENT,
    GameID INTEGER,
    Ply INTEGER,
    Comment TEXT,
    Position INTEGER
);

CREATE TABLE Annotations (
    ID INTEGER PRIMARY KEY,
    GameID INTEGER NOT NULL,
    Ply INTEGER NOT NULL,
    Position INTEGER NOT NULL,
    NAG INTEGER,
    Variation TEXT
);

CREATE TABLE Sources (
    ID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL,
    Size INTEGER,
    SHA256 TEXT,
    ImportDate TEXT
);

CREATE TABLE Faults (
    ID INTEGER PRIMARY KEY,
    GameID INTEGER NOT NULL,
    Line INTEGER NOT NULL,
    Ply INTEGER NOT NULL,
    Reason TEXT NOT NULL,
    Rest TEXT NOT NULL
);

CREATE TABLE Rejects (
    ID INTEGER PRIMARY KEY,
    SourceID INTEGER NOT NULL,
    SourceNumber INTEGER NOT NULL,
    SourceOffset INTEGER NOT NULL,
    Line INTEGER NOT NULL,
    Reason TEXT NOT NULL
);

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

-- The short form of each listed player that no other has: SELECT * FROM FideAliases WHERE Alias = 'Carlsen, M'
CREATE TABLE FideAliases (
    FideID INTEGER PRIMARY KEY,
    Alias TEXT NOT NULL,
    Probability REAL NOT NULL
);

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

CREATE TABLE AliasOrigins (
    ListID INTEGER NOT NULL,
    Alias TEXT NOT NULL,
    Name TEXT NOT NULL,
    PRIMARY KEY(ListID, Alias, Name)
) WITHOUT ROWID;

-- What spelling files say beyond the spellings of players: SELECT * FROM SpellingLines WHERE Kind = 'site'
CREATE TABLE SpellingLines (
    ListID INTEGER NOT NULL,
    Line INTEGER NOT NULL,
    Section TEXT NOT NULL,
    Kind TEXT NOT NULL,
    Name TEXT NOT NULL,
    Value TEXT NOT NULL,
    PRIMARY KEY(ListID, Line)
) WITHOUT ROWID;

CREATE TABLE NameIndex (
    State TEXT PRIMARY KEY,
    Data BLOB NOT NULL
);

-- What the user decided about names: two belong to the same player or to different ones, or the canonical name of a
-- player. With a GameID, the decision is about one game.
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

-- How names are written that do not surely mean a player.
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

CREATE TABLE MergedTags (
    GameID INTEGER NOT NULL,
    Tag TEXT NOT NULL,
    Before TEXT,
    After TEXT,
    FromGameID INTEGER,
    Reason TEXT,
    PRIMARY KEY(GameID, Tag)
) WITHOUT ROWID;

-- Values that the user corrected: SELECT * FROM Corrections WHERE Tag = 'White'
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

CREATE TABLE UnmergedHeaders (
    GameID INTEGER PRIMARY KEY,
    EventID INTEGER,
    SiteID INTEGER,
    Date TEXT,
    Round TEXT,
    WhiteID INTEGER,
    WhiteElo INTEGER,
    BlackID INTEGER,
    BlackElo INTEGER,
    Result TEXT,
    TimeControl TEXT,
    ECO TEXT,
    DateQuality INTEGER,
    ExtraTags TEXT,
    WhitePersonID INTEGER,
    BlackPersonID INTEGER,
    CoreHash INTEGER,
    BackFilled INTEGER,
    HasComments INTEGER,
    HasVariations INTEGER
);

CREATE TABLE MergedNotes (
    GameID INTEGER NOT NULL,
    NoteTable TEXT NOT NULL,
    NoteID INTEGER NOT NULL,
    FromGameID INTEGER NOT NULL,
    PRIMARY KEY(GameID, NoteTable, NoteID)
) WITHOUT ROWID;

CREATE TABLE RemovedGames (
    ID INTEGER PRIMARY KEY,
    EventID INTEGER,
    SiteID INTEGER,
    Date TEXT,
    Round TEXT,
    WhiteID INTEGER,
    WhiteElo INTEGER,
    BlackID INTEGER,
    BlackElo INTEGER,
    Result TEXT,
    TimeControl TEXT,
    ECO TEXT,
    PlyCount INTEGER,
    FEN TEXT,
    Moves2 BLOB,
    MoveHash INTEGER,
    FinalZobrist INTEGER,
    PositionsKey INTEGER,
    SampledKey INTEGER,
    SourceID INTEGER,
    SourceNumber INTEGER,
    SourceOffset INTEGER,
    DateQuality INTEGER,
    HasComments INTEGER,
    HasVariations INTEGER,
    SpecialMoves INTEGER,
    Charset TEXT,
    ExtraTags TEXT,
    WhitePersonID INTEGER,
    BlackPersonID INTEGER,
    CoreHash INTEGER,
    BackFilled INTEGER,
    HeaderOptimized INTEGER,
    RemovedAt TEXT NOT NULL,
    GameHash INTEGER,
    RemovedBy TEXT
);

-- Purged games that you had deleted: an import does not bring back a record with this GameHash.
CREATE TABLE UnwantedRecords (
    GameHash INTEGER PRIMARY KEY,
    RemovedAt TEXT NOT NULL
);

-- Games of a group of duplicates, removed ones too. Not columns of Games: whose rows are twenty times
-- as large, and would all be written again.
CREATE TABLE DuplicateFlags (
    GameID INTEGER PRIMARY KEY,
    DuplicateStatus TEXT,
    DuplicateGroup INTEGER NOT NULL,
    DuplicateReason TEXT,
    HeaderScore INTEGER
);

CREATE TABLE Signatures (
    GameID INTEGER PRIMARY KEY,
    SignatureA TEXT NOT NULL,
    SignatureB TEXT NOT NULL,
    SymmetricSignature TEXT NOT NULL,
    MovesMD5 BLOB NOT NULL,
    MovesMD5First50 BLOB NOT NULL,
    MovesMD5First100 BLOB NOT NULL,
    CanonicalMD5 BLOB NOT NULL
);

CREATE TABLE PositionFilters (
    GameID INTEGER PRIMARY KEY,
    Filter BLOB NOT NULL
);

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

-- What was done to the database, one row for each transaction: SELECT * FROM Steps ORDER BY ID DESC
CREATE TABLE Steps (
    ID INTEGER PRIMARY KEY,
    Number INTEGER NOT NULL,
    Kind TEXT,
    Time TEXT NOT NULL,
    Command TEXT,
    Changes TEXT,
    Token TEXT NOT NULL
);

-- All tags without a column, a row each: SELECT * FROM Tags WHERE Name = 'WhiteFideId'
CREATE VIEW Tags AS
SELECT Games.ID AS GameID, Tag.key AS Name, Tag.value AS Value
FROM Games, json_each(Games.ExtraTags) AS Tag;

CREATE TABLE Verdicts (
    ID INTEGER PRIMARY KEY,
    Edges BLOB NOT NULL
);

-- Games with their flags: SELECT * FROM FlaggedGames WHERE DuplicateStatus IS NULL
CREATE VIEW FlaggedGames AS
SELECT Games.*, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore
FROM Games LEFT JOIN DuplicateFlags ON GameID = Games.ID;

CREATE VIEW FlaggedRemovedGames AS
SELECT RemovedGames.*, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore
FROM RemovedGames LEFT JOIN DuplicateFlags ON GameID = RemovedGames.ID;

-- Games with names in place of IDs: SELECT * FROM GamesNamed WHERE White LIKE 'Tal,%'
CREATE VIEW GamesNamed AS
SELECT Game.ID AS ID, Events.Name AS Event, Sites.Name AS Site, Date, Round,
    Whites.Name AS White, WhiteElo, Blacks.Name AS Black, BlackElo, Result, ECO, TimeControl,
    PlyCount, FEN, WhitePerson.Name AS WhitePlayer, WhitePerson.FideID AS WhiteFideID,
    BlackPerson.Name AS BlackPlayer, BlackPerson.FideID AS BlackFideID,
    Sources.Name AS Source, SourceNumber, DuplicateStatus, DuplicateGroup, DuplicateReason,
    HeaderScore
FROM FlaggedGames AS Game
LEFT JOIN Events ON Events.ID = EventID
LEFT JOIN Sites ON Sites.ID = SiteID
LEFT JOIN Players AS Whites ON Whites.ID = WhiteID
LEFT JOIN Players AS Blacks ON Blacks.ID = BlackID
LEFT JOIN Persons AS WhitePerson ON WhitePerson.ID = WhitePersonID
LEFT JOIN Persons AS BlackPerson ON BlackPerson.ID = BlackPersonID
LEFT JOIN Sources ON Sources.ID = SourceID;

-- Each flagged duplicate beside the kept game of its group.
CREATE VIEW DuplicatePairs AS
SELECT Duplicate.DuplicateGroup AS DuplicateGroup, Duplicate.DuplicateStatus AS DuplicateStatus,
    Duplicate.DuplicateReason AS DuplicateReason, Duplicate.ID AS GameID, Kept.ID AS KeptGameID,
    Duplicate.White AS White, Kept.White AS KeptWhite, Duplicate.Black AS Black,
    Kept.Black AS KeptBlack, Duplicate.Date AS Date, Kept.Date AS KeptDate,
    Duplicate.Event AS Event, Kept.Event AS KeptEvent, Duplicate.Result AS Result,
    Kept.Result AS KeptResult, Duplicate.PlyCount AS PlyCount, Kept.PlyCount AS KeptPlyCount,
    Duplicate.Source AS Source, Kept.Source AS KeptSource
FROM GamesNamed AS Duplicate
JOIN GamesNamed AS Kept ON Kept.ID = Duplicate.DuplicateGroup
WHERE Duplicate.DuplicateStatus IS NOT NULL;

-- Pairs that may be one game, with what the user decided.
CREATE VIEW PossibleDuplicates AS
SELECT GameID1, GameID2, Score, Class, Decision, MasterID AS KeptGameID, Evidence,
    First.White AS White1, Second.White AS White2, First.Black AS Black1, Second.Black AS Black2,
    First.Date AS Date1, Second.Date AS Date2, First.Event AS Event1, Second.Event AS Event2,
    First.Result AS Result1, Second.Result AS Result2, First.PlyCount AS PlyCount1,
    Second.PlyCount AS PlyCount2, First.Source AS Source1, Second.Source AS Source2
FROM Suspects
JOIN GamesNamed AS First ON First.ID = GameID1
JOIN GamesNamed AS Second ON Second.ID = GameID2;
