"""The tables that export writes for other programs: their columns, in order, with their types.

What each column means is in docs/tables.md; a test holds the two together. Must not know how a
value is found, nor how a file is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

from ocgdedup.game_columns import BY_NAME, LOADED_COLUMNS, Kind
from ocgdedup.game_kind import CHESS, GO

# The values of some rows, one sequence a column; None is NULL.
Columns: TypeAlias = Sequence[Sequence[object]]


class Column(NamedTuple):
    """One column; every one may be NULL.

    `columns`: of the rows that a value is a list of. `tag`: the tag, or the property of SGF, whose
    value it shows and for which Games has no column.
    """

    name: str
    kind: Kind
    columns: tuple[Column, ...] = ()
    tag: str = ""


class Table(NamedTuple):
    """One table; a file of it bears its name."""

    name: str
    columns: tuple[Column, ...]

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def tags(self) -> dict[str, str]:
        """The tags that columns show, by the names of these."""
        return {column.name: column.tag for column in self.columns if column.tag}


def columns_of(*runs: str) -> tuple[Column, ...]:
    """Return columns in runs of a kind: "word Event Site"; "WhiteRank=WR" shows the tag WR."""
    return tuple(
        Column(name, cast("Kind", kind), tag=tag)
        for kind, *words in map(str.split, runs)
        for name, _, tag in (word.partition("=") for word in words)
    )


# Of chess and Go games alike: the first ones, those from the moves on, and the last ones.
_FIRST_COLUMNS = columns_of(
    "int64 ID", "word Event Site Date", "int32 Year Month Day", "word Round White Black"
)
_SEARCH_COLUMNS = columns_of(
    "int64 MoveHash FinalZobrist",
    "word DuplicateStatus",
    "int64 DuplicateGroup",
    "word DuplicateReason",
    "int32 HeaderScore",
    "word Source",
    "int64 SourceNumber",
    "text ExtraTags",
)
_RECORD_COLUMNS = columns_of(
    "int64 CoreHash GameHash PositionsKey SampledKey",
    "int32 HasComments HasVariations",
    "word ImportDate",
    "int32 SchemaVersion",
)
GAMES = Table(
    "games",
    (
        *_FIRST_COLUMNS,
        *columns_of(
            "word Result",
            "int32 WhiteElo BlackElo",
            "word ECO TimeControl",
            "int32 PlyCount",
            "text FEN",
            "int64 WhitePersonID BlackPersonID",
            "word WhitePerson BlackPerson",
            "int64 WhiteFideID BlackFideID",
            "text MovesUCI MovesSAN",
        ),
        *_SEARCH_COLUMNS,
        *columns_of(
            "word WhiteTitle=WhiteTitle BlackTitle=BlackTitle WhiteTeam=WhiteTeam",
            "word BlackTeam=BlackTeam EventDate=EventDate Opening=Opening Variation=Variation",
            "word Annotator=Annotator Termination=Termination",
            "text FinalFEN",
        ),
        *_RECORD_COLUMNS,
    ),
)
GO_GAMES = Table(
    "games",
    (
        *_FIRST_COLUMNS,
        *columns_of(
            "word WhiteRank=WR BlackRank=BR Result ResultSGF",
            "real Komi",
            "int32 Handicap",
            "word Rules=RU TimeControl",
            "int32 BoardLines PlyCount",
            "text Start",
            "int64 WhitePersonID BlackPersonID",
            "word WhitePerson BlackPerson",
            "text MovesSGF",
        ),
        *_SEARCH_COLUMNS,
        *_RECORD_COLUMNS,
    ),
)
PLAYERS = Table(
    "players",
    columns_of(
        "int64 ID",
        "text Name",
        "int64 FideID",
        "word Title Country",
        "int32 BirthYear",
        "int64 Games",
        "word Sex",
        "int32 Rating Rapid Blitz",
        "word Flag ListMonth",
        "text Aliases",
    ),
)
PLAYER_NAMES = Table(
    "player_names",
    columns_of(
        "int64 PlayerID",
        "text Name",
        "int64 PersonID",
        "word Person Scope Stage",
        "real Score Probability",
        "word Reason",
        "int64 Games",
    ),
)
ALIASES = Table(
    "aliases",
    columns_of("text Alias", "real Probability", "int64 FideID", "text Name", "int64 PersonID"),
)
TABLES = (GAMES, PLAYERS, PLAYER_NAMES, ALIASES)
GAMES_OF_KIND = {CHESS: GAMES, GO: GO_GAMES}


# Games with all that a load stores of them: chess games and Go games alike.
_NOTES = columns_of("int32 Ply Position", "text Comment", "int64 NAG", "text Variation")
_FAULTS = columns_of("int64 Line", "int32 Ply", "text Reason Rest")
LOSSLESS_GAMES = Table(
    "games",
    (
        *(
            # A name in place of its ID.
            Column(column.tag, "word") if column.references else Column(column.name, column.kind)
            for column in map(BY_NAME.__getitem__, LOADED_COLUMNS)
        ),
        Column("Annotations", "rows", _NOTES),
        Column("Faults", "rows", _FAULTS),
    ),
)
SOURCES = Table(
    "sources", columns_of("int64 ID", "text Name", "int64 Size", "text SHA256 ImportDate")
)
DECISIONS = Table(
    "decisions", columns_of("int64 GameID1 GameID2", "word Decision", "int64 KeptGameID")
)
LOSSLESS_TABLES = (LOSSLESS_GAMES, SOURCES, DECISIONS)
