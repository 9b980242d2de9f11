-- What other tables of a database written by OCGDB lack; Games: ocgdedup/game_columns.py.
ALTER TABLE Comments ADD COLUMN Position INTEGER;
