-- Foreign keys of Games that name the column they refer to, which Datasette needs. Nothing that the
-- tables hold changes with that: "Making Other Kinds Of Table Schema Changes" in SQLite's documentation
-- of ALTER TABLE describes this.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES Events', 'REFERENCES Events(ID)')
WHERE name = 'Games' AND type = 'table' AND sql NOT LIKE '%REFERENCES Events(%';

UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES Sites', 'REFERENCES Sites(ID)')
WHERE name = 'Games' AND type = 'table' AND sql NOT LIKE '%REFERENCES Sites(%';

UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES Players', 'REFERENCES Players(ID)')
WHERE name = 'Games' AND type = 'table' AND sql NOT LIKE '%REFERENCES Players(%';

UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES Persons', 'REFERENCES Persons(ID)')
WHERE name = 'Games' AND type = 'table' AND sql NOT LIKE '%REFERENCES Persons(%';

PRAGMA writable_schema = RESET;
