"""Find and resolve duplicate chess games: PGN in, SQLite database out."""

__version__ = "0.1.0"
