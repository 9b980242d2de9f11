-- Duplicates of every kind: why, suspects, merged headers, removed games, and what undoes a run.
ALTER TABLE Games ADD COLUMN DuplicateReason TEXT;
ALTER TABLE Games ADD COLUMN HeaderScore INTEGER;
ALTER TABLE Games ADD COLUMN HeaderOptimized INTEGER;

CREATE TABLE Suspects (
    GameID1 INTEGER NOT NULL,
    GameID2 INTEGER NOT NULL,
    Class TEXT NOT NULL,
    Score REAL NOT NULL,
    Evidence TEXT NOT NULL,
    Decision TEXT CHECK (Decision IN ('same', 'different')),
    PRIMARY KEY(GameID1, GameID2),
    CHECK (GameID1 < GameID2)
) WITHOUT ROWID;

CREATE TABLE MergedTags (
    GameID INTEGER NOT NULL,
    Tag TEXT NOT NULL,
    Before TEXT,
    After TEXT,
    FromGameID INTEGER,
    PRIMARY KEY(GameID, Tag)
) WITHOUT ROWID;

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
    DuplicateStatus TEXT,
    DuplicateGroup INTEGER,
    WhitePersonID INTEGER,
    BlackPersonID INTEGER,
    CoreHash INTEGER,
    BackFilled INTEGER,
    DuplicateReason TEXT,
    HeaderScore INTEGER,
    HeaderOptimized INTEGER,
    RemovedAt TEXT NOT NULL
);

CREATE TABLE UndoInfo (
    Name TEXT PRIMARY KEY,
    Value TEXT
) WITHOUT ROWID;

CREATE TABLE UndoFlags (
    GameID INTEGER PRIMARY KEY,
    DuplicateStatus TEXT,
    DuplicateGroup INTEGER,
    DuplicateReason TEXT,
    HeaderScore INTEGER
);

CREATE TABLE UndoSuspects (
    GameID1 INTEGER NOT NULL,
    GameID2 INTEGER NOT NULL,
    Class TEXT,
    Score REAL,
    Evidence TEXT,
    Decision TEXT,
    PRIMARY KEY(GameID1, GameID2)
) WITHOUT ROWID;

CREATE TABLE UndoMerges (
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
    HasVariations INTEGER,
    HeaderOptimized INTEGER
);

CREATE TABLE UndoMergedTags (
    GameID INTEGER NOT NULL,
    Tag TEXT NOT NULL,
    Before TEXT,
    After TEXT,
    FromGameID INTEGER,
    PRIMARY KEY(GameID, Tag)
) WITHOUT ROWID;

CREATE TABLE UndoMergedNotes (
    GameID INTEGER NOT NULL,
    NoteTable TEXT NOT NULL,
    NoteID INTEGER NOT NULL,
    FromGameID INTEGER NOT NULL,
    Ply INTEGER,
    Position INTEGER,
    NAG INTEGER,
    Text TEXT,
    PRIMARY KEY(GameID, NoteTable, NoteID)
) WITHOUT ROWID;

CREATE TABLE UndoRemovedGames (
    GameID INTEGER PRIMARY KEY,
    RemovedAt TEXT
);

-- Older versions knew copies by their moves alone: what they flagged is to be searched anew.
INSERT OR REPLACE INTO Info
SELECT 'Duplicates stale', 'yes' FROM Info WHERE Name = 'Exact duplicates flagged';

UPDATE OR REPLACE Info SET Name = 'Duplicates flagged' WHERE Name = 'Exact duplicates flagged';
