-- A hash of each record as it is read. NULL: the game was read before there was this column.
ALTER TABLE Games ADD COLUMN GameHash INTEGER;
ALTER TABLE RemovedGames ADD COLUMN GameHash INTEGER;
