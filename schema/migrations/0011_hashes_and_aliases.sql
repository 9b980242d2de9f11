-- A hash of each record as it is read. NULL: the game was read before there was this column.
ALTER TABLE Games ADD COLUMN GameHash INTEGER;
ALTER TABLE RemovedGames ADD COLUMN GameHash INTEGER;

-- The next run of players fills it from the list in FidePlayers.
CREATE TABLE FideAliases (
    FideID INTEGER PRIMARY KEY,
    Alias TEXT NOT NULL,
    Probability REAL NOT NULL
);
