-- Loads that are finished, and files that get their names after a commit.
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
