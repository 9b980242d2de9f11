-- Who deleted a game: NULL is dedup.
ALTER TABLE RemovedGames ADD COLUMN RemovedBy TEXT;

-- Purged games that the user had deleted.
CREATE TABLE UnwantedRecords (
    GameHash INTEGER PRIMARY KEY
);

-- What the user remarked about a pair.
ALTER TABLE Suspects ADD COLUMN Note TEXT;
