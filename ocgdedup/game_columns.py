"""The columns of the table Games, declared once: name, type, tag, meaning and use of each.

The store's statements, the kernels' rows (scripts/kernel_columns.py), the columns of exported
tables and the table in schema/README.md are made from this list. Tests compare the SQL in schema/
with it. Imports only data_files.py, since a build of the kernels reads this module.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from ocgdedup.data_files import read_data

# "int32" and "int64" are signed; "text" is UTF-8; "word" is text of which many rows have the same;
# "rows" is a list of rows with columns of their own.
Kind: TypeAlias = Literal["int32", "int64", "real", "text", "word", "bytes", "rows"]
_SQL_TYPES = {"int32": "INTEGER", "int64": "INTEGER", "bytes": "BLOB"}


class GameColumn(NamedTuple):
    """A column of Games.

    `kind`: its type, also in exported tables. `meaning`: for schema/README.md. `tag`, `sgf`: the
    PGN tag and the SGF property with its value. `references`: the table whose IDs it has. `field`:
    its field in GameHeader. `of_ocgdb`: OCGDB has it. `is_read`: a load fills it, not a later
    command. `is_merged`: a merge may change it, so UnmergedHeaders has it.
    `is_exported`: exported tables are made from it.
    """

    name: str
    kind: Kind
    meaning: str
    tag: str = ""
    sgf: str = ""
    references: str = ""
    field: str = ""
    of_ocgdb: bool = False
    is_read: bool = True
    is_merged: bool = False
    is_exported: bool = True

    @property
    def sql_type(self) -> str:
        return _SQL_TYPES.get(self.kind, "TEXT")


def _read_columns() -> Iterator[GameColumn]:
    """Read game_columns.txt: name, kind, fields with a value, and flags ("-": not set)."""
    for paragraph in read_data(__file__, "game_columns.txt").split("\n\n")[1:]:
        head, *lines = paragraph.splitlines()
        name, kind, *words = head.split()
        values: dict[str, Any] = {}
        for word in words:
            field, equals, text = word.partition("=")
            values[field.removeprefix("-")] = text if equals else field[0] != "-"
        meaning = " ".join(map(str.strip, lines))
        yield GameColumn(name, cast("Kind", kind), meaning, **values)


GAME_COLUMNS = tuple(_read_columns())  # in the order of the table

# The tag names of PGN's Seven Tag Roster (standard 8.1.1).
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
# Derived from start position and moves
MOVE_KEYS = ("MoveHash", "FinalZobrist", "PositionsKey", "SampledKey")
# Derived by a load from the other columns of a record
RECORD_HASHES = ("CoreHash", "GameHash")
LOADED_COLUMNS = tuple(c.name for c in GAME_COLUMNS if c.is_read and c.name not in RECORD_HASHES)
INSERTED_COLUMNS = (*LOADED_COLUMNS, *RECORD_HASHES)  # by a load
# For writing games as PGN or SGF
PRINTED_COLUMNS = ("ID", *(c.name for c in GAME_COLUMNS if c.tag), "ExtraTags", "Moves2")
# Text tags apart from ROSTER and FEN, in the order in which they are written
OPTIONAL_TAGS = ("ECO", "TimeControl")
# For comparing and scoring headers: ID; IDs of names; numbers; texts; other columns
HEADER_COLUMNS = (
    *("ID", "EventID", "SiteID", "WhiteID", "BlackID"),
    *("WhitePersonID", "BlackPersonID", "WhiteElo", "BlackElo", "DateQuality"),
    *("Date", "Round", "Result", "TimeControl", "ECO", "ExtraTags"),
    *("PlyCount", "HasComments", "HasVariations", "CoreHash"),
)
MERGED_COLUMNS = tuple(c.name for c in GAME_COLUMNS if c.is_merged)
EXPORTED_COLUMNS = tuple(c.name for c in GAME_COLUMNS if c.is_exported)
BY_NAME = {column.name: column for column in GAME_COLUMNS}
