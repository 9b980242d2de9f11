-- Flags move from Games and RemovedGames to a table of their own: to write them no longer writes every
-- row of Games again.
CREATE TABLE DuplicateFlags (
    GameID INTEGER PRIMARY KEY,
    DuplicateStatus TEXT,
    DuplicateGroup INTEGER NOT NULL,
    DuplicateReason TEXT,
    HeaderScore INTEGER
);

-- A game that is damage in both tables has flags once.
INSERT OR IGNORE INTO DuplicateFlags
SELECT ID, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore FROM Games
WHERE DuplicateGroup IS NOT NULL
UNION ALL
SELECT ID, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore FROM RemovedGames
WHERE DuplicateGroup IS NOT NULL
ORDER BY 1;

DROP VIEW PossibleDuplicates;
DROP VIEW DuplicatePairs;
DROP VIEW GamesNamed;
-- A view that a user made of the old columns must not stop this.
PRAGMA writable_schema = ON;
ALTER TABLE Games DROP COLUMN DuplicateStatus;
ALTER TABLE Games DROP COLUMN DuplicateGroup;
ALTER TABLE Games DROP COLUMN DuplicateReason;
ALTER TABLE Games DROP COLUMN HeaderScore;
ALTER TABLE RemovedGames DROP COLUMN DuplicateStatus;
ALTER TABLE RemovedGames DROP COLUMN DuplicateGroup;
ALTER TABLE RemovedGames DROP COLUMN DuplicateReason;
ALTER TABLE RemovedGames DROP COLUMN HeaderScore;
PRAGMA writable_schema = RESET;

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
