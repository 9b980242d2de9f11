-- Verdicts that a search kept, so that the next one judges only pairs that new games touch.
CREATE TABLE Verdicts (
    ID INTEGER PRIMARY KEY,
    Edges BLOB NOT NULL
);
