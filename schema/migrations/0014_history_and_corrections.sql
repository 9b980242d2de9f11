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
