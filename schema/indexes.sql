-- Secondary indexes, built after a load (create) or when a command first needs them.
CREATE INDEX IF NOT EXISTS GamesMoveHash ON Games(MoveHash);
CREATE INDEX IF NOT EXISTS GamesFinalZobrist ON Games(FinalZobrist);
CREATE INDEX IF NOT EXISTS GamesPositionsKey ON Games(PositionsKey);
CREATE INDEX IF NOT EXISTS GamesSampledKey ON Games(SampledKey);
CREATE INDEX IF NOT EXISTS GamesCoreHash ON Games(CoreHash);
CREATE INDEX IF NOT EXISTS GamesGameHash ON Games(GameHash);
CREATE INDEX IF NOT EXISTS DuplicateFlagsGroup ON DuplicateFlags(DuplicateGroup);
CREATE INDEX IF NOT EXISTS CommentsGameID ON Comments(GameID);
CREATE INDEX IF NOT EXISTS AnnotationsGameID ON Annotations(GameID);
CREATE INDEX IF NOT EXISTS SignaturesA ON Signatures(SignatureA);
CREATE INDEX IF NOT EXISTS SignaturesB ON Signatures(SignatureB);
CREATE INDEX IF NOT EXISTS SignaturesSymmetric ON Signatures(SymmetricSignature);
CREATE INDEX IF NOT EXISTS SignaturesMD5 ON Signatures(MovesMD5);
CREATE INDEX IF NOT EXISTS SignaturesMD5First50 ON Signatures(MovesMD5First50);
CREATE INDEX IF NOT EXISTS SignaturesMD5First100 ON Signatures(MovesMD5First100);
CREATE INDEX IF NOT EXISTS SignaturesCanonicalMD5 ON Signatures(CanonicalMD5);
