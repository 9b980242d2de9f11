"""The tables that export writes: their columns, in order, with their types.

docs/tables.md describes each column; a test compares the two. Must not know where values come from
or how files are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

from ocgdedup.data_files import read_sections
from ocgdedup.game_columns import BY_NAME, LOADED_COLUMNS, Kind
from ocgdedup.game_kind import CHESS, GO

# Rows as one sequence of values per column; None is NULL.
Columns: TypeAlias = Sequence[Sequence[object]]


class Column(NamedTuple):
    """One column, which may be NULL.

    `columns`: of a nested table, if each value is a list of rows. `tag`: the PGN tag or SGF
    property that the column shows, if Games has no column for it.
    """

    name: str
    kind: Kind
    columns: tuple[Column, ...] = ()
    tag: str = ""


class Table(NamedTuple):
    """One table; its file has the same name."""

    name: str
    columns: tuple[Column, ...]

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def tags(self) -> dict[str, str]:
        """The tags of columns, by column name."""
        return {column.name: column.tag for column in self.columns if column.tag}


def _read_columns() -> dict[str, tuple[Column, ...]]:
    """Return the columns of each section of columns.txt by its title."""
    sections: dict[str, tuple[Column, ...]] = {}
    for title, text in read_sections(__file__, "columns.txt").items():
        columns: list[Column] = []
        for kind, words in (line.split(maxsplit=1) for line in text.splitlines()):
            if kind == "*":
                columns += sections[words]
                continue
            for name, _, tag in (word.partition("=") for word in words.split()):
                columns.append(Column(name, cast("Kind", kind), tag=tag))
        sections[title] = tuple(columns)
    return sections


COLUMNS_OF = _read_columns()
GAMES = Table("games", COLUMNS_OF["chess games"])
GO_GAMES = Table("games", COLUMNS_OF["Go games"])
PLAYERS, PLAYER_NAMES, ALIASES, SOURCES, DECISIONS = (
    Table(name, COLUMNS_OF[name])
    for name in ("players", "player_names", "aliases", "sources", "decisions")
)
TABLES = (GAMES, PLAYERS, PLAYER_NAMES, ALIASES)
GAMES_OF_KIND = {CHESS: GAMES, GO: GO_GAMES}


# Chess or Go games with every stored value.
LOSSLESS_GAMES = Table(
    "games",
    (
        *(
            # The text of a name instead of its ID.
            Column(column.tag, "word") if column.references else Column(column.name, column.kind)
            for column in map(BY_NAME.__getitem__, LOADED_COLUMNS)
        ),
        Column("Annotations", "rows", COLUMNS_OF["annotations"]),
        Column("Faults", "rows", COLUMNS_OF["faults"]),
    ),
)
LOSSLESS_TABLES = (LOSSLESS_GAMES, SOURCES, DECISIONS)
