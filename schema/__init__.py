"""SQL of the database, read with importlib.resources; installed as ocgdedup.schema."""
