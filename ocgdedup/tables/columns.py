"""The tables that export writes for other programs: their columns, in order, with their types.

What each column means is in docs/tables.md; a test holds the two together. Must not know how a
value is found, nor how a file is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

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


# Of chess and Go games alike: the first ones, those from the moves on, and the last ones.
_FIRST_COLUMNS = (
    Column("ID", "int64"),
    Column("Event", "word"),
    Column("Site", "word"),
    Column("Date", "word"),
    Column("Year", "int32"),
    Column("Month", "int32"),
    Column("Day", "int32"),
    Column("Round", "word"),
    Column("White", "word"),
    Column("Black", "word"),
)
_SEARCH_COLUMNS = (
    Column("MoveHash", "int64"),
    Column("FinalZobrist", "int64"),
    Column("DuplicateStatus", "word"),
    Column("DuplicateGroup", "int64"),
    Column("DuplicateReason", "word"),
    Column("HeaderScore", "int32"),
    Column("Source", "word"),
    Column("SourceNumber", "int64"),
    Column("ExtraTags", "text"),
)
_RECORD_COLUMNS = (
    Column("CoreHash", "int64"),
    Column("GameHash", "int64"),
    Column("PositionsKey", "int64"),
    Column("SampledKey", "int64"),
    Column("HasComments", "int32"),
    Column("HasVariations", "int32"),
    Column("ImportDate", "word"),
    Column("SchemaVersion", "int32"),
)
GAMES = Table(
    "games",
    (
        *_FIRST_COLUMNS,
        Column("Result", "word"),
        Column("WhiteElo", "int32"),
        Column("BlackElo", "int32"),
        Column("ECO", "word"),
        Column("TimeControl", "word"),
        Column("PlyCount", "int32"),
        Column("FEN", "text"),
        Column("WhitePersonID", "int64"),
        Column("BlackPersonID", "int64"),
        Column("WhitePerson", "word"),
        Column("BlackPerson", "word"),
        Column("WhiteFideID", "int64"),
        Column("BlackFideID", "int64"),
        Column("MovesUCI", "text"),
        Column("MovesSAN", "text"),
        *_SEARCH_COLUMNS,
        Column("WhiteTitle", "word", tag="WhiteTitle"),
        Column("BlackTitle", "word", tag="BlackTitle"),
        Column("WhiteTeam", "word", tag="WhiteTeam"),
        Column("BlackTeam", "word", tag="BlackTeam"),
        Column("EventDate", "word", tag="EventDate"),
        Column("Opening", "word", tag="Opening"),
        Column("Variation", "word", tag="Variation"),
        Column("Annotator", "word", tag="Annotator"),
        Column("Termination", "word", tag="Termination"),
        Column("FinalFEN", "text"),
        *_RECORD_COLUMNS,
    ),
)
GO_GAMES = Table(
    "games",
    (
        *_FIRST_COLUMNS,
        Column("WhiteRank", "word", tag="WR"),
        Column("BlackRank", "word", tag="BR"),
        Column("Result", "word"),
        Column("ResultSGF", "word"),
        Column("Komi", "real"),
        Column("Handicap", "int32"),
        Column("Rules", "word", tag="RU"),
        Column("TimeControl", "word"),
        Column("BoardLines", "int32"),
        Column("PlyCount", "int32"),
        Column("Start", "text"),
        Column("WhitePersonID", "int64"),
        Column("BlackPersonID", "int64"),
        Column("WhitePerson", "word"),
        Column("BlackPerson", "word"),
        Column("MovesSGF", "text"),
        *_SEARCH_COLUMNS,
        *_RECORD_COLUMNS,
    ),
)
PLAYERS = Table(
    "players",
    (
        Column("ID", "int64"),
        Column("Name", "text"),
        Column("FideID", "int64"),
        Column("Title", "word"),
        Column("Country", "word"),
        Column("BirthYear", "int32"),
        Column("Games", "int64"),
        Column("Sex", "word"),
        Column("Rating", "int32"),
        Column("Rapid", "int32"),
        Column("Blitz", "int32"),
        Column("Flag", "word"),
        Column("ListMonth", "word"),
        Column("Aliases", "text"),
    ),
)
PLAYER_NAMES = Table(
    "player_names",
    (
        Column("PlayerID", "int64"),
        Column("Name", "text"),
        Column("PersonID", "int64"),
        Column("Person", "word"),
        Column("Scope", "word"),
        Column("Stage", "word"),
        Column("Score", "real"),
        Column("Probability", "real"),
        Column("Reason", "word"),
        Column("Games", "int64"),
    ),
)
ALIASES = Table(
    "aliases",
    (
        Column("Alias", "text"),
        Column("Probability", "real"),
        Column("FideID", "int64"),
        Column("Name", "text"),
        Column("PersonID", "int64"),
    ),
)
TABLES = (GAMES, PLAYERS, PLAYER_NAMES, ALIASES)
GAMES_OF_KIND = {CHESS: GAMES, GO: GO_GAMES}


def _loaded(name: str) -> Column:
    """Return a column of Games as lossless tables have it: a name in place of its ID."""
    column = BY_NAME[name]
    return Column(column.tag, "word") if column.references else Column(name, column.kind)


# Games with all that a load stores of them: chess games and Go games alike.
LOSSLESS_GAMES = Table(
    "games",
    (
        *map(_loaded, LOADED_COLUMNS),
        Column(
            "Annotations",
            "rows",
            (
                Column("Ply", "int32"),
                Column("Position", "int32"),
                Column("Comment", "text"),
                Column("NAG", "int64"),
                Column("Variation", "text"),
            ),
        ),
        Column(
            "Faults",
            "rows",
            (
                Column("Line", "int64"),
                Column("Ply", "int32"),
                Column("Reason", "text"),
                Column("Rest", "text"),
            ),
        ),
    ),
)
SOURCES = Table(
    "sources",
    (
        Column("ID", "int64"),
        Column("Name", "text"),
        Column("Size", "int64"),
        Column("SHA256", "text"),
        Column("ImportDate", "text"),
    ),
)
DECISIONS = Table(
    "decisions",
    (
        Column("GameID1", "int64"),
        Column("GameID2", "int64"),
        Column("Decision", "word"),
        Column("KeptGameID", "int64"),
    ),
)
LOSSLESS_TABLES = (LOSSLESS_GAMES, SOURCES, DECISIONS)
