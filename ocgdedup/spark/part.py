"""A part of the games as a database in memory, on which the stages of the search run.

Part of the work of a Spark worker; knows nothing of Spark itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ocgdedup.store import games
from ocgdedup.store.connection import create_database
from ocgdedup.store.games import LOADED_COLUMNS
from ocgdedup.store.names import NAME_TABLES, insert_names
from ocgdedup.store.variant import GO, set_variant

_ANNOTATIONS = "Annotations"
_NAMES = {"EventID": ("Event", 0), "SiteID": ("Site", 1), "WhiteID": ("White", 2),
          "BlackID": ("Black", 2)}  # fmt: skip
# Columns of games that a search reads.
SEARCHED = (
    "ID", "Event", "Site", "Date", "Round", "White", "WhiteElo", "Black", "BlackElo", "Result",
    "PlyCount", "FEN", "Moves2", "MoveHash", "FinalZobrist", "SourceID", "ExtraTags",
)  # fmt: skip


class Part:
    """Games of a part, with the IDs that they have in the whole collection.

    `columns`: lists by the names of LOSSLESS_GAMES; what is missing is NULL. The text of a name and
    its ID: `name_ids` and `names`, by the place of its table in NAME_TABLES.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], *, is_go: bool) -> None:
        self.connection = create_database(":memory:")
        self.name_ids: list[dict[str, int]] = [{"": 1} for _ in NAME_TABLES]
        ids = columns["ID"]
        loaded: dict[str, Sequence[Any]] = {}
        for name in LOADED_COLUMNS:
            if name in _NAMES:
                text, table = _NAMES[name]
                loaded[name] = self._ids_of(table, columns[text])
            elif name in columns:
                loaded[name] = columns[name]
        with self.connection:
            if is_go:
                set_variant(self.connection, GO)
            for table_name, known in zip(NAME_TABLES, self.name_ids, strict=True):
                by_id = ((number, text) for text, number in known.items())
                insert_names(self.connection, table_name, by_id)
            rows = sorted(zip(*loaded.values(), strict=True))
            games.insert_games(self.connection, rows, tuple(loaded))
            if _ANNOTATIONS in columns:
                self._insert_annotations(ids, columns[_ANNOTATIONS])
        games.build_note_indexes(self.connection)
        self.names = [{number: text for text, number in known.items()} for known in self.name_ids]

    def _ids_of(self, table: int, texts: Iterable[str | None]) -> list[int]:
        known = self.name_ids[table]
        return [known.setdefault(text or "", len(known) + 1) for text in texts]

    def _insert_annotations(
        self, ids: Sequence[int], annotations: Iterable[Sequence[Mapping[str, Any]] | None]
    ) -> None:
        comments, others = [], []
        for game_id, notes in zip(ids, annotations, strict=True):
            for note in notes or ():
                ply, position, comment, nag, variation = note.values()
                if comment is not None:
                    comments.append((game_id, ply, comment, position))
                else:
                    others.append((game_id, ply, position, nag, variation))
        games.insert_comments(self.connection, comments)
        games.insert_annotations(self.connection, others)

    def close(self) -> None:
        self.connection.close()


class Quiet:
    """A reporter for workers, where nobody reads."""

    def start(self, *_: object, **__: object) -> None: ...
    def advance(self, *_: object) -> None: ...
    def finish(self) -> None: ...
    def warn(self, message: str) -> None: ...
