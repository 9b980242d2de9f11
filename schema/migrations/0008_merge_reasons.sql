-- Why a merged value was chosen.
CREATE TABLE OldMergedTags AS SELECT * FROM MergedTags;

DROP TABLE MergedTags;

CREATE TABLE MergedTags (
    GameID INTEGER NOT NULL,
    Tag TEXT NOT NULL,
    Before TEXT,
    After TEXT,
    FromGameID INTEGER,
    Reason TEXT,
    PRIMARY KEY(GameID, Tag)
) WITHOUT ROWID;

INSERT INTO MergedTags SELECT *, NULL FROM OldMergedTags;

DROP TABLE OldMergedTags;

CREATE TABLE OldUndoMergedTags AS SELECT * FROM UndoMergedTags;

DROP TABLE UndoMergedTags;

CREATE TABLE UndoMergedTags (
    GameID INTEGER NOT NULL,
    Tag TEXT NOT NULL,
    Before TEXT,
    After TEXT,
    FromGameID INTEGER,
    Reason TEXT,
    PRIMARY KEY(GameID, Tag)
) WITHOUT ROWID;

INSERT INTO UndoMergedTags SELECT *, NULL FROM OldUndoMergedTags;

DROP TABLE OldUndoMergedTags;

-- Headers are merged by what all records say now: the next search looks at all groups again.
DELETE FROM Verdicts;
DELETE FROM Info WHERE Name = 'Verdicts rest on';
