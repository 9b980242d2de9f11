"""The columns of the table Games, declared once: name, type, tag, meaning and use of each.

The statements of the store, the rows of the kernels (scripts/kernel_columns.py), the columns of
exported tables and the table in schema/README.md are made from this list. The SQL in schema/ is
compared with it by tests. Imports nothing of ocgdedup, since a build of the kernels reads it.
"""

from typing import Literal, NamedTuple, TypeAlias

# "int32" and "int64" are signed; "text" is UTF-8; "word" is text of which many rows have the same;
# "rows" is a list of rows with columns of their own.
Kind: TypeAlias = Literal["int32", "int64", "real", "text", "word", "bytes", "rows"]
_SQL_TYPES = {"int32": "INTEGER", "int64": "INTEGER", "bytes": "BLOB"}


class GameColumn(NamedTuple):
    """A column of Games.

    `kind`: its type in exported tables, too. `meaning`: for schema/README.md. `tag`, `sgf`: the PGN
    tag and the SGF property whose value it holds. `references`: the table whose ID it is. `field`:
    what holds it in a GameHeader. `of_ocgdb`: OCGDB has it. `is_read`: a load fills it; if not, a
    later command does. `is_merged`: a merge may change it, so that UnmergedHeaders and UndoMerges
    have it. `is_exported`: exported tables are made from it.
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


# In the order of the table.
GAME_COLUMNS = (
    GameColumn(
        "ID",
        "int64",
        of_ocgdb=True,
        meaning="key; rises in the order of the input, whatever `--jobs` was; never reused",
    ),
    GameColumn(
        "EventID",
        "int64",
        tag="Event",
        sgf="EV",
        references="Events",
        field="event",
        of_ocgdb=True,
        is_merged=True,
        meaning="Events.ID",
    ),
    GameColumn(
        "SiteID",
        "int64",
        tag="Site",
        sgf="PC",
        references="Sites",
        field="site",
        of_ocgdb=True,
        is_merged=True,
        meaning="Sites.ID",
    ),
    GameColumn(
        "Date",
        "word",
        tag="Date",
        sgf="DT",
        field="date",
        of_ocgdb=True,
        is_merged=True,
        meaning="`YYYY.MM.DD` with `?` for unknown digits; `????.??.??` if nothing is known. If "
        "only EventDate is known: its year and month (DateQuality 11 or 21). A date in "
        "another form is in ExtraTags as `OriginalDate`",
    ),
    GameColumn(
        "Round",
        "word",
        tag="Round",
        sgf="RO",
        field="round",
        of_ocgdb=True,
        is_merged=True,
        meaning="value of the tag; NULL for `?` or none",
    ),
    GameColumn(
        "WhiteID",
        "int64",
        tag="White",
        sgf="PW",
        references="Players",
        field="white",
        of_ocgdb=True,
        is_merged=True,
        meaning="Players.ID",
    ),
    GameColumn(
        "WhiteElo",
        "int32",
        tag="WhiteElo",
        field="white_elo",
        of_ocgdb=True,
        is_merged=True,
        meaning="Elo points; NULL for none, `?`, `-`. Any other value that is not a number of "
        "up to four digits is in ExtraTags as `WhiteElo`",
    ),
    GameColumn(
        "BlackID",
        "int64",
        tag="Black",
        sgf="PB",
        references="Players",
        field="black",
        of_ocgdb=True,
        is_merged=True,
        meaning="Players.ID",
    ),
    GameColumn(
        "BlackElo",
        "int32",
        tag="BlackElo",
        field="black_elo",
        of_ocgdb=True,
        is_merged=True,
        meaning="see WhiteElo; in ExtraTags `BlackElo`",
    ),
    GameColumn(
        "Result",
        "word",
        tag="Result",
        sgf="RE",
        field="result",
        of_ocgdb=True,
        is_merged=True,
        meaning="`1-0`, `0-1`, `1/2-1/2` or `*`. From the tag; if the tag is absent or `*`, "
        "from the termination marker in the movetext. A tag in another form is in "
        "ExtraTags as `OriginalResult`, a marker that contradicts the tag as "
        "`MovetextResult`",
    ),
    GameColumn(
        "TimeControl",
        "word",
        tag="TimeControl",
        sgf="TM",
        field="time_control",
        of_ocgdb=True,
        is_merged=True,
        meaning="value of the tag; NULL for `?` or none",
    ),
    GameColumn(
        "ECO",
        "word",
        tag="ECO",
        field="eco",
        of_ocgdb=True,
        is_merged=True,
        meaning="value of the tag; NULL for `?` or none",
    ),
    GameColumn(
        "PlyCount",
        "int32",
        field="plies",
        of_ocgdb=True,
        meaning="half-moves stored in Moves2",
    ),
    GameColumn(
        "FEN",
        "text",
        tag="FEN",
        of_ocgdb=True,
        meaning="start position, the value of the tag; NULL: none. An unreadable FEN is in "
        "ExtraTags as `OriginalFEN`",
    ),
    GameColumn(
        "Moves2",
        "bytes",
        of_ocgdb=True,
        meaning="mainline, 2 bytes a half-move",
    ),
    GameColumn(
        "MoveHash",
        "int64",
        meaning="first 8 bytes of SHA-256 over start position and moves; signed; NULL: the "
        "moves do not replay (only in files of OCGDB)",
    ),
    GameColumn(
        "FinalZobrist",
        "int64",
        meaning="Polyglot key of the final position; signed; NULL: see MoveHash",
    ),
    GameColumn(
        "PositionsKey",
        "int64",
        meaning="sum modulo 2⁶⁴ of the Polyglot keys after each half-move; signed; NULL: see "
        "MoveHash",
    ),
    GameColumn(
        "SampledKey",
        "int64",
        meaning="the same after half-moves 5, 10, 15 … only; signed; NULL: see MoveHash",
    ),
    GameColumn(
        "SourceID",
        "int64",
        meaning="Sources.ID; NULL in files of OCGDB",
    ),
    GameColumn(
        "SourceNumber",
        "int64",
        meaning="number in its source, from 1, rejected texts counted too; NULL: see SourceID",
    ),
    GameColumn(
        "SourceOffset",
        "int64",
        is_exported=False,
        meaning="bytes of the source before the game, after decompression; NULL: see SourceID",
    ),
    GameColumn(
        "DateQuality",
        "int32",
        field="date_quality",
        is_merged=True,
        is_exported=False,
        meaning="tens digit: precision (1 year, 2 month, 3 day); ones digit: certainty (3 "
        "standard form, 2 another form with one reading, 1 a guess); 1 to 3 without "
        "tens: the year is incomplete; 0: nothing is known",
    ),
    GameColumn(
        "HasComments",
        "int32",
        field="has_comments",
        is_merged=True,
        meaning="1 if the game has rows in Comments, else 0",
    ),
    GameColumn(
        "HasVariations",
        "int32",
        field="has_variations",
        is_merged=True,
        meaning="1 if the game has variations in Annotations, else 0",
    ),
    GameColumn(
        "SpecialMoves",
        "int32",
        is_exported=False,
        meaning="1 Chess960 castling, 2 null moves, 3 both: OCGDB cannot replay these; else 0",
    ),
    GameColumn(
        "Charset",
        "word",
        is_exported=False,
        meaning="8-bit charset of text that was not UTF-8 (encode with it to get the original "
        "bytes); NULL: UTF-8 or ASCII",
    ),
    GameColumn(
        "ExtraTags",
        "text",
        field="extra_tags",
        is_merged=True,
        meaning="JSON object of all tags without a column, in their order; a second tag with "
        "the same name is `Name_2`; NULL: none",
    ),
    GameColumn(
        "WhitePersonID",
        "int64",
        references="Persons",
        field="white_person_id",
        is_read=False,
        is_merged=True,
        meaning="Persons.ID; NULL: not known who played",
    ),
    GameColumn(
        "BlackPersonID",
        "int64",
        references="Persons",
        field="black_person_id",
        is_read=False,
        is_merged=True,
        meaning="see WhitePersonID",
    ),
    GameColumn(
        "CoreHash",
        "int64",
        field="core_hash",
        is_merged=True,
        meaning="first 8 bytes of SHA-256 over the keys of both players; signed. Before "
        "`players`: over their names as written. NULL: the game was read by an older "
        "version or by OCGDB, and `players` has not run",
    ),
    GameColumn(
        "BackFilled",
        "int32",
        is_read=False,
        is_merged=True,
        is_exported=False,
        meaning="what `players` filled in, as a sum: 1 WhiteFideId, 2 BlackFideId, 4 "
        "WhiteTitle, 8 BlackTitle (these four in ExtraTags), 16 WhiteElo, 32 BlackElo; "
        "64 and 128: WhiteElo and BlackElo were 0 before, not NULL; NULL or 0: nothing",
    ),
    GameColumn(
        "HeaderOptimized",
        "int32",
        is_read=False,
        is_exported=False,
        meaning="1: fields or annotations of duplicates were merged into this kept game; NULL: "
        "nothing was merged",
    ),
    GameColumn(
        "GameHash",
        "int64",
        meaning="first 8 bytes of SHA-256 over the record as it was read: start, moves, seven "
        "tags and annotations; signed. NULL: the game was read by an older version or "
        "by OCGDB",
    ),
)

# The tag names of PGN's Seven Tag Roster (standard 8.1.1).
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
# What follows from start and moves.
MOVE_KEYS = ("MoveHash", "FinalZobrist", "PositionsKey", "SampledKey")
# Over a record as it is read: a load computes them from the other columns.
RECORD_HASHES = ("CoreHash", "GameHash")
LOADED_COLUMNS = tuple(c.name for c in GAME_COLUMNS if c.is_read and c.name not in RECORD_HASHES)
# What a load inserts.
INSERTED_COLUMNS = (*LOADED_COLUMNS, *RECORD_HASHES)
# What games are written from.
PRINTED_COLUMNS = ("ID", *(c.name for c in GAME_COLUMNS if c.tag), "ExtraTags", "Moves2")
# Tags of text, apart from ROSTER and FEN, in the order in which they are written.
OPTIONAL_TAGS = ("ECO", "TimeControl")
# What headers are compared and scored by: ID; IDs of names; numbers; texts; the rest.
HEADER_COLUMNS = (
    *("ID", "EventID", "SiteID", "WhiteID", "BlackID"),
    *("WhitePersonID", "BlackPersonID", "WhiteElo", "BlackElo", "DateQuality"),
    *("Date", "Round", "Result", "TimeControl", "ECO", "ExtraTags"),
    *("PlyCount", "HasComments", "HasVariations", "CoreHash"),
)
# What a merge may change.
MERGED_COLUMNS = tuple(c.name for c in GAME_COLUMNS if c.is_merged)
EXPORTED_COLUMNS = tuple(c.name for c in GAME_COLUMNS if c.is_exported)
BY_NAME = {column.name: column for column in GAME_COLUMNS}
