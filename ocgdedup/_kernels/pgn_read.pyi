"""Read a block of PGN: tags, fully legal moves, annotations, hashes; then insert it."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import apsw

ENTRY_POINT: str
COLUMNS: tuple[str, ...]
HAVE_SHA_NI: bool

# First game ID, source ID, and the number of blocks, bytes and lines of the source before.
BlockPlace: TypeAlias = tuple[int, int, int, int, int]
# Of events, sites and players.
NameTables: TypeAlias = tuple[NameTable, NameTable, NameTable]
# GameID, Line, Ply, Reason, Rest, SourceNumber.
FaultRow: TypeAlias = tuple[int, int, int, str, str, int]
# SourceNumber, SourceOffset, Line, Reason, raw bytes.
RejectRow: TypeAlias = tuple[int, int, int, str, bytes]
# Number of games, number of comments, faults, rejects.
WrittenBlock: TypeAlias = tuple[int, int, list[FaultRow], list[RejectRow]]
# An INSERT of one row, and one of up to 64 rows.
Inserts: TypeAlias = tuple[str, str]

class OddValues(Protocol):
    """Decodes values that are not in standard form; rare, so plain Python is fast enough."""

    def date(self, text: str) -> tuple[str, int]:
        """Return the date in PGN form and its DateQuality."""

    def result(self, text: str) -> str | None:
        """Return a result in PGN form, None if the text is not a result."""

    def charset(self, raw: bytes) -> str:
        """Return the 8-bit charset of bytes that are not valid UTF-8."""

    def name(self, text: str) -> str:
        """Return a name, an event or a site with garbled characters repaired."""

    def variation(self, text: str) -> str:
        """Return a variation without line comments and escape lines, on one line."""

    def extra_tags(
        self,
        pairs: list[tuple[str, str]],
        odd_elos: list[tuple[str, str]],
        originals: tuple[str | None, ...],
        date: str,
        quality: int,
    ) -> tuple[str | None, int]:
        """Return the JSON object of the extra tags and the DateQuality.

        `odd_elos`: Elo tags that are not numbers. `originals`: the text of Date, Result, the end of
        the movetext, and FEN; each is None if the column preserves it.
        """

class NameTable:
    """Distinct names with their IDs; lists the names added since loading."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def load(self, name_id: int, name: str, elo: int | None = None) -> None:
        """Add a name of the database."""

    def intern(self, name: str, elo: int | None = None) -> int:
        """Return the ID of a name, adding it if it is new; `elo`: of a player in a game."""

    def new_rows(self) -> list[tuple[int, str, int | None]]:
        """Return (ID, name, highest Elo or None) of each name added since the last load().

        Only tests call it: RowWriter.write_names() writes these rows.
        """

    def raised_elos(self) -> list[tuple[int, int]]:
        """Return (Elo, ID) of each stored player whose highest Elo has risen."""

class Block:
    """A block of PGN text and its parsed games."""

    size: int
    consumed: int
    parsed: bool
    def __init__(
        self, text: bytes | memoryview, more: bytes | memoryview = b"", mid_line: bool = False
    ) -> None:
        """Copy the text, and `more` that follows it; `mid_line`: the text begins inside a line."""

    def parse(self, final: bool, use_ni: bool | None = None, has_more: bool = False) -> int:
        """Parse all games; return the number of games and rejected texts.

        Unless `final`, a game that reaches the end of the text is left out, and `consumed` (bytes)
        is its start. If `final` and `has_more` are set, that game is cut as too long. `use_ni`
        False selects the portable SHA-256.
        """

    @property
    def game_count(self) -> int:
        """Number of games and rejected texts."""

    @property
    def ends_mid_line(self) -> bool:
        """Whether the consumed part ends inside a line."""

    @property
    def newlines(self) -> int:
        """Number of line ends in the consumed part."""

    @property
    def ply_count(self) -> int:
        """Number of plies of all games."""

    def rows(
        self, tables: NameTables, odd_values: OddValues, place: BlockPlace
    ) -> tuple[
        int,
        list[tuple[int | str | bytes | None, ...]],
        list[tuple[int, int, str, int]],
        list[tuple[int, int, int, int | None, str | None]],
        list[FaultRow],
        list[RejectRow],
    ]:
        """Return the number of games, and rows for Games, Comments, Annotations, Faults, Rejects.

        The rows that RowWriter.write_block() inserts, as Python values: slow, for tests.
        """

class RowWriter:
    """Inserts rows into a database through the SQLite library of its connection."""

    def __init__(self, connection: apsw.Connection, statements: Sequence[Inserts]) -> None:
        """Prepare the statements of Games, Comments and Annotations.

        The connection must have just loaded this module as an extension by ENTRY_POINT. Raises
        ValueError if it has not or if its SQLite is too old, and SqliteError.
        """

    def close(self) -> None:
        """Finalize the statements; call it before the connection is closed."""

    def write_block(
        self, block: Block, tables: NameTables, odd_values: OddValues, place: BlockPlace
    ) -> WrittenBlock:
        """Insert the games, comments and annotations of a parsed block. Raise SqliteError."""

    def write_names(self, table: NameTable, statements: Inserts) -> None:
        """Insert (ID, name) or (ID, name, highest Elo) of the new names. Raise SqliteError."""

def find_last_boundary(text: bytes | memoryview) -> int:
    """Return the last offset at which the text may be cut between games, or 0."""

def is_played_variant(value: bytes) -> bool:
    """Return whether the games of a Variant tag are read: those of chess and Chess960."""
