-- Only short forms that are nearly certain are kept.
DELETE FROM FideAliases WHERE Probability < 0.95;

-- The compiled index of the lists, in place of the phonetic codes of their words.
DROP TABLE NameParts;
CREATE TABLE NameIndex (
    State TEXT PRIMARY KEY,
    Data BLOB NOT NULL
);
DELETE FROM Info WHERE Name = 'Phonetic encoder';
