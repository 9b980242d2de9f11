-- How open names are written, and beside which names FIDE IDs are. The next run of players fills both.
CREATE TABLE OpenNames (
    PlayerID INTEGER PRIMARY KEY,
    Spelling TEXT NOT NULL
);

CREATE TABLE FideIDNames (
    FideID INTEGER PRIMARY KEY,
    Name TEXT NOT NULL
);
