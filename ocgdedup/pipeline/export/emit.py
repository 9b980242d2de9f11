"""Phase 5: games of a database to text: PGN, or SGF for Go games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter

from ocgdedup.game_columns import BY_NAME, PRINTED_COLUMNS
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.garbled import repaired_name
from ocgdedup.matching.copy_marks import marked_name
from ocgdedup.pipeline.export.emit_pgn import PgnText
from ocgdedup.pipeline.export.text_form import GameText, Names, Notes, TextForm, tags_of
from ocgdedup.store import games, names
from ocgdedup.store.connection import Database
from ocgdedup.store.names import game_kind
from ocgdedup.store.players import Titles, fide_tags, sure_names
from ocgdedup.store.selection import Copy
from ocgdedup.thresholds import EXPORTED_PROBABILITY

PLAIN_BATCH = 2000  # games
ANNOTATED_BATCH = 16

# Columns that hold the ID of a name, with the place of its table.
_NAME_COLUMNS = {
    name: names.NAME_TABLES.index(BY_NAME[name].references)
    for name in PRINTED_COLUMNS
    if BY_NAME[name].references in names.NAME_TABLES
}


class GameWriter:
    """Writes games of a database; holds all its names, so that one serves for many games.

    `titles`: of first_titles(), for a database that has a part of the games. Methods yield the
    number of games and their text, batch by batch.
    """

    def __init__(self, database: Database, form: TextForm, *, titles: Titles | None = None) -> None:
        self._database = database
        connection = database.connection
        events, sites, players = (names.names_by_id(connection, t) for t in names.NAME_TABLES)
        self._names: Names = events, sites, players
        self._read_players = players  # as the records of duplicates have them
        self._with_notes = _prepare_notes(database)
        self._text = _game_text(database, form)
        self._has_original_names = form.original_names
        self._by_person = _PersonNames(database, players, titles) if form.canonical_names else None
        if self._by_person:
            self._names = events, sites, self._by_person.players
        self._originals: dict[tuple[int, str], int] = {}  # places in the lists of names
        # How many annotated games to take next: it follows the size of the texts, so that memory
        # does not grow with the comments of games.
        self._batch_size = ANNOTATED_BATCH

    def all_games(self, *, with_copies: bool = True) -> Iterator[tuple[int, bytes]]:
        """Write all games by rising ID, or all games that are not duplicates."""
        connection, with_persons = self._database.connection, bool(self._by_person)
        for rows in games.printed_rows(
            connection, with_copies=with_copies, with_persons=with_persons
        ):
            yield from self._texts(self._named(rows))

    def games_of(self, id_lists: Iterable[list[int]]) -> Iterator[tuple[int, bytes]]:
        """Write games in the order of their IDs; raise KeyError for one that is not there."""
        connection, with_persons = self._database.connection, bool(self._by_person)
        for ids in id_lists:
            for rows in games.printed_rows_of(connection, ids, with_persons=with_persons):
                yield from self._texts(self._named(rows))

    def copies(self, copies: Iterable[Copy]) -> Iterator[tuple[int, bytes]]:
        """Write duplicates in their order, each marked as one in Event, Site and two tags.

        Their players are named as they were read.
        """
        queue = iter(copies)
        while some_copies := list(islice(queue, PLAIN_BATCH)):
            marks = {copy.game_id: copy for copy in some_copies}
            places = self._places(some_copies)
            for table, ids in groupby(some_copies, attrgetter("table")):
                for rows in games.printed_rows_of(
                    self._database.connection, [copy.game_id for copy in ids], table
                ):
                    yield from self._texts(*self._marked(self._as_asked(rows), marks, places))

    def _places(self, copies: Sequence[Copy]) -> dict[int, tuple[str, str]]:
        """Return of each duplicate where it was read, and the kept game in words."""
        connection = self._database.connection
        kept = games.names_of_games(connection, {copy.group for copy in copies})
        places: dict[int, tuple[str, str]] = {}
        for table in {copy.table for copy in copies}:
            own = [copy for copy in copies if copy.table == table]
            sources = games.sources_of(connection, [copy.game_id for copy in own], table)
            for copy in own:
                source, number = sources.get(copy.game_id, (None, None))
                place = f"{source}, game {number}" if source else ""
                places[copy.game_id] = place, kept.get(copy.group, "")
        return places

    def _marked(
        self, rows: list[games.Row], copies: dict[int, Copy], places: dict[int, tuple[str, str]]
    ) -> tuple[list[games.Row], Names]:
        """Return rows whose events and sites are places in lists of marked names."""
        marked_lists: tuple[list[str | None], list[str | None]] = [], []
        marked = []
        for number, row in enumerate(rows):
            copy = copies[row[0]]
            for column, known, names_list in zip(
                ("EventID", "SiteID"), self._names, marked_lists, strict=False
            ):
                key = games.printed_value(row, column)
                name = known[key] if key is not None and key < len(known) else None
                # Such as "[exact copy of 8]" before the name.
                names_list.append(marked_name(copy.status, copy.group, name or self._text.unnamed))
            tags = tags_of(row, self._database.path)
            # The tags of an imported file of duplicates refer to another database.
            tag_values = copy.status, str(copy.group), *places[row[0]]
            for tag, value in zip(self._text.copy_tags, tag_values, strict=True):
                tags.pop(tag, None)
                if value:
                    tags[tag] = value
            marked.append(games.with_printed(row, EventID=number, SiteID=number, ExtraTags=tags))
        return marked, (*marked_lists, self._read_players)

    def _texts(
        self, rows: list[games.Row], lists: Names | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Write rows in parts so small that their annotations take little memory."""
        start = 0
        while start < len(rows):
            some = rows
            notes: Notes | None = {}
            if self._with_notes:
                some = rows[start : start + self._batch_size]
                notes = games.few_notes_of(self._database.connection, [row[0] for row in some])
            if notes is None and len(some) > 1:
                self._batch_size = len(some) // 2
                continue
            yield len(some), self._write(some, notes, lists or self._names)
            start += len(some)

    def _named(self, rows: list[games.Row]) -> list[games.Row]:
        return self._as_asked(list(map(self._by_person.named, rows)) if self._by_person else rows)

    def _as_asked(self, rows: list[games.Row]) -> list[games.Row]:
        return list(map(self._with_originals, rows)) if self._has_original_names else rows

    def _with_originals(self, row: games.Row) -> games.Row:
        """Return a row with the names as they stood in the source, if they were garbled there.

        A name that is no longer the repaired one, since a merge gave another, stays.
        """
        tags = tags_of(row, self._database.path)
        changes: dict[str, object] = {}
        for (column, kind), tag in zip(_NAME_COLUMNS.items(), self._text.name_tags, strict=True):
            original, known = tags.get(tag), self._names[kind]
            key = games.printed_value(row, column)
            if original is None or key is None or not 0 <= key < len(known):
                continue
            if repaired_name(original) == known[key]:
                del tags[tag]
                changes[column] = self._originals.setdefault((kind, original), len(known))
                if changes[column] == len(known):
                    known.append(original)
        if not changes:
            return row
        return games.with_printed(row, **changes, ExtraTags=tags)

    def _write(self, rows: list[games.Row], notes: Notes | None, lists: Names) -> bytes:
        if notes is None:
            return _in_parts(self._database, self._text, rows[0], lists)
        text = self._text.write(rows, lists, notes)
        if len(text) > games.BATCH_BYTES:
            self._batch_size = max(1, self._batch_size * games.BATCH_BYTES // len(text))
        else:
            self._batch_size = min(2 * self._batch_size, PLAIN_BATCH)
        return text


def _in_parts(database: Database, text: GameText, row: games.Row, lists: Names) -> bytes:
    """Write a game with more annotations than are read at a time."""
    connection = database.connection
    return text.write_in_parts(row, lists, lambda: games.notes_in_parts(connection, row[0]))


class _PersonNames:
    """Names players as the FIDE list does, with their FIDE IDs; others without titles."""

    def __init__(
        self, database: Database, players: Sequence[str | None], titles: Titles | None
    ) -> None:
        from ocgdedup.matching.names.name_form import without_titles  # 5 ms

        self._path = database.path
        # Names of the list follow those of the players.
        self.players = [name if name is None else without_titles(name) for name in players]
        self._places: dict[tuple[int, int], int] = {}  # by IDs of a name and a player
        for player, person, name in sure_names(database.connection, EXPORTED_PROBABILITY):
            self._places[player, person] = len(self.players)
            self.players.append(name)
        if self._places:  # else an older database may have no persons
            self._add_tags = fide_tags(database.connection, titles)

    def named(self, row: games.Row) -> games.Row:
        """Return a row without its players' IDs."""
        for side in ("White", "Black"):
            person = games.printed_value(row, f"{side}PersonID")
            place = self._places.get((games.printed_value(row, f"{side}ID"), person))
            if place is not None:
                tags = tags_of(row, self._path)
                self._add_tags(tags, games.printed_value(row, "Date"), side, person)
                row = games.with_printed(row, **{f"{side}ID": place}, ExtraTags=tags)
        return row[: len(PRINTED_COLUMNS)]


def pgn_of_games(
    database: Database, game_ids: Iterable[int], *, width: int = 80
) -> Iterator[bytes | None]:
    """Yield the text of each game, PGN or SGF, None where there is no game of that ID."""
    with_notes = _prepare_notes(database)
    text = _game_text(database, TextForm(width))
    for game_id in game_ids:
        valid_id = games.can_be_id(game_id)
        row = games.printed_row(database.connection, game_id) if valid_id else None
        if row is None:
            yield None
            continue
        lists: Names = [None], [None], [None]  # of the game's own names
        places: dict[str, object] = {}
        for column, kind in _NAME_COLUMNS.items():
            places[column] = len(lists[kind])
            name_id, table = games.printed_value(row, column), names.NAME_TABLES[kind]
            lists[kind].append(names.name_of(database.connection, table, name_id))
        values = games.with_printed(row, **places)
        notes = games.few_notes_of(database.connection, [game_id]) if with_notes else {}
        if notes is None:
            yield _in_parts(database, text, values, lists)
        else:
            yield text.write([values], lists, notes)


def _game_text(database: Database, form: TextForm) -> GameText:
    return _WRITERS[game_kind(database.connection)](database, form)


def _sgf_text(database: Database, form: TextForm) -> GameText:
    from ocgdedup.pipeline.export.emit_sgf import SgfText  # 5 ms

    return SgfText(database, form)


_WRITERS: Mapping[GameKind, Callable[[Database, TextForm], GameText]] = {
    CHESS: PgnText,
    GO: _sgf_text,
}


def _prepare_notes(database: Database) -> bool:
    """Tell if there are annotations; make those of a foreign database quick to find."""
    if not games.has_notes(database.connection):
        return False
    if not database.is_ours:
        games.prepare_notes(database.connection)
    return True
