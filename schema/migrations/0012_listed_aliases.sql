-- The next run of players fills it from the list in FidePlayers.
CREATE TABLE FideAliases (
    FideID INTEGER PRIMARY KEY,
    Alias TEXT NOT NULL,
    Probability REAL NOT NULL
);
