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
