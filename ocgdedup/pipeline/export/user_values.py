"""What the user wrote about games, in their text: corrected names, notes, and IDs of games."""

from __future__ import annotations

from collections.abc import Sequence

from ocgdedup.game_columns import BY_NAME, PRINTED_COLUMNS
from ocgdedup.game_kind import CHESS
from ocgdedup.pipeline.corrections.values import ID_TAG, NOTE_TAG
from ocgdedup.pipeline.export.text_form import Names, TextForm, tags_of
from ocgdedup.store import corrections, games, names
from ocgdedup.store.connection import Database
from ocgdedup.store.names import game_kind

# The column and the index of the list of names, by tag.
_NAME_COLUMNS = {
    BY_NAME[name].tag: (name, names.NAME_TABLES.index(BY_NAME[name].references))
    for name in PRINTED_COLUMNS
    if BY_NAME[name].references in names.NAME_TABLES
}


class UserValues:
    """Adds corrected values, notes and IDs to rows of games.

    `name_tags`: the tags for the original event, site, White and Black.
    """

    def __init__(self, database: Database, form: TextForm, name_tags: Sequence[str]) -> None:
        self._database, self._form = database, form
        self._name_tags = dict(zip(_NAME_COLUMNS, name_tags, strict=True))
        self._has_corrections = corrections.has_corrections(database.connection)
        self._has_notes = corrections.has_notes(database.connection)
        self._with_ids = form.ids and game_kind(database.connection) is CHESS
        self._indexes: dict[tuple[int, str], int] = {}  # in the lists of names

    def added(
        self, rows: list[games.Row], lists: Names, *, read: Sequence[games.Row] | None = None
    ) -> list[games.Row]:
        """Return the rows; `read`: as stored, before canonical names, whose corrected tags stay."""
        if not (self._has_corrections or self._has_notes or self._with_ids):
            return rows
        ids = [row[0] for row in rows]
        connection = self._database.connection
        shown = corrections.shown_values(connection, ids) if self._has_corrections else {}
        notes = corrections.notes_on(connection, ids) if self._has_notes else {}
        added = []
        for number, row in enumerate(rows):
            values = shown.get(row[0])
            if values:
                row = self._corrected(row, values, lists, None if read is None else read[number])
            new = {NOTE_TAG: notes.get(row[0]), ID_TAG: str(row[0]) if self._with_ids else None}
            if any(new.values()):
                tags = {tag: text for tag, text in self._tags(row).items() if not new.get(tag)}
                tags |= {tag: text for tag, text in new.items() if text}
                row = games.with_printed(row, ExtraTags=tags)
            added.append(row)
        return added

    def _corrected(
        self,
        row: games.Row,
        values: corrections.ShownValues,
        lists: Names,
        read: games.Row | None,
    ) -> games.Row:
        tags = dict(self._tags(row))
        stored = None if read is None else self._tags(read)
        changes: dict[str, object] = {}
        for tag, (value, read_value) in values.items():
            if tag in _NAME_COLUMNS:
                text = read_value if self._form.original_names else value
                column, table = _NAME_COLUMNS[tag]
                changes[column] = self._index(lists, table, text)
                if read_value and not self._form.original_names:
                    tags[self._name_tags[tag]] = read_value
            elif stored is not None:
                for key in [key for key in tags if key.lower() == tag.lower()]:
                    del tags[key]
                tags |= {key: stored[key] for key in stored if key.lower() == tag.lower()}
        return games.with_printed(row, **changes, ExtraTags=tags)

    def _index(self, lists: Names, table: int, text: str | None) -> int | None:
        if text is None:
            return None
        index = self._indexes.get((table, text))
        if index is None or index >= len(lists[table]) or lists[table][index] != text:
            index = self._indexes[table, text] = len(lists[table])
            lists[table].append(text)
        return index

    def _tags(self, row: games.Row) -> dict[str, str]:
        return tags_of(row, self._database.path)
