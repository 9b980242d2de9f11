-- Games by a few of their moves, and by their positions.
CREATE TABLE Signatures (
    GameID INTEGER PRIMARY KEY,
    SignatureA TEXT NOT NULL,
    SignatureB TEXT NOT NULL,
    SymmetricSignature TEXT NOT NULL,
    MovesMD5 BLOB NOT NULL,
    MovesMD5First50 BLOB NOT NULL,
    MovesMD5First100 BLOB NOT NULL,
    CanonicalMD5 BLOB NOT NULL
);

CREATE TABLE PositionFilters (
    GameID INTEGER PRIMARY KEY,
    Filter BLOB NOT NULL
);
