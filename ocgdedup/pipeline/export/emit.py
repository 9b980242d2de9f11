"""Export games of a database as text: PGN, or SGF for Go games."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import NamedTuple

from ocgdedup.game_columns import BY_NAME, PRINTED_COLUMNS
from ocgdedup.game_kind import CHESS
from ocgdedup.garbled import repaired_name
from ocgdedup.matching.duplicate_marks import marked_name
from ocgdedup.pipeline.export.emit_pgn import PgnText
from ocgdedup.pipeline.export.text_form import GameText, Names, Notes, TextForm, tags_of
from ocgdedup.pipeline.export.user_values import UserValues
from ocgdedup.store import canonical_names, games, names
from ocgdedup.store.connection import Database
from ocgdedup.store.names import game_kind
from ocgdedup.store.players import Titles, fide_number, fide_tags, first_titles
from ocgdedup.store.selection import Copy

PLAIN_BATCH = 2000  # games
ANNOTATED_BATCH = 16
_PART_OF_GAMES = 8  # of fewer games than one in so many, only the names are looked up

# Columns that hold the ID of a name, with the index of its table in NAME_TABLES.
_NAME_COLUMNS = {
    name: names.NAME_TABLES.index(BY_NAME[name].references)
    for name in PRINTED_COLUMNS
    if BY_NAME[name].references in names.NAME_TABLES
}


class NamedGame(NamedTuple):
    """A game as "White - Black, 1985, 1-0", its moves, and its tag Variant."""

    label: str
    moves: bytes
    variant: str | None


class GameWriter:
    """Writes games of a database as text; holds all its names in memory.

    `titles`: of first_titles(), for a database with a part of the games. `ids`: the only games that
    are written, None for any games. Methods yield the number of games and their text, batch by
    batch.
    """

    def __init__(
        self,
        database: Database,
        form: TextForm,
        *,
        titles: Titles | None = None,
        ids: Collection[int] | None = None,
    ) -> None:
        self._database = database
        connection = database.connection
        events, sites, players = (names.names_by_id(connection, t) for t in names.NAME_TABLES)
        self._names: Names = events, sites, players
        self._imported_players = players
        self._with_notes = _prepare_notes(database)
        self._text = _game_text(database, form)
        self._user_values = UserValues(database, form, self._text.name_tags)
        self._has_original_names = form.original_names
        self._canonical: CanonicalNames | None = None
        if has_canonical_names(form, database):
            few = None
            if ids is not None and _PART_OF_GAMES * len(ids) < games.count_games(connection):
                few = canonical_names.names_of_games(connection, ids)
            self._canonical = CanonicalNames(database, players, titles, few=few)
            self._names = events, sites, self._canonical.players
        self._originals: dict[tuple[int, str], int] = {}  # indexes in the lists of names
        # Annotated games in the next batch: fewer after large texts, to limit memory.
        self._batch_size = ANNOTATED_BATCH

    def all_games(self, *, with_copies: bool = True) -> Iterator[tuple[int, bytes]]:
        """Write all games, or all games that are not duplicates, in the order of their IDs."""
        connection, with_persons = self._database.connection, bool(self._canonical)
        for rows in games.printed_rows(
            connection, with_copies=with_copies, with_persons=with_persons
        ):
            yield from self._texts(self._named(rows))

    def games_of(self, id_lists: Iterable[list[int]]) -> Iterator[tuple[int, bytes]]:
        """Write games in the order of the IDs; raise KeyError for an unknown ID."""
        connection, with_persons = self._database.connection, bool(self._canonical)
        for ids in id_lists:
            for rows in games.printed_rows_of(connection, ids, with_persons=with_persons):
                yield from self._texts(self._named(rows))

    def named_games(self, ids: Sequence[int]) -> dict[int, NamedGame]:
        """Return games in a few words; raise KeyError for an unknown ID."""
        named: dict[int, NamedGame] = {}
        with_persons = bool(self._canonical)
        connection = self._database.connection
        for rows in games.printed_rows_of(connection, ids, with_persons=with_persons):
            for row in self._named(rows):
                white, black = (
                    _name_at(self._names[2], games.printed_value(row, f"{side}ID")) or "?"
                    for side in ("White", "Black")
                )
                date, result = (games.printed_value(row, name) for name in ("Date", "Result"))
                named[row[0]] = NamedGame(
                    f"{white} - {black}, {(date or '????')[:4]}, {result or '*'}",
                    games.printed_value(row, "Moves2") or b"",
                    tags_of(row, self._database.path).get("Variant"),
                )
        return named

    def duplicates(self, duplicates: Iterable[Copy]) -> Iterator[tuple[int, bytes]]:
        """Write duplicates in the given order, each marked in Event, Site and tags.

        Their players have the names of the import.
        """
        queue = iter(duplicates)
        while batch := list(islice(queue, PLAIN_BATCH)):
            by_id = {duplicate.game_id: duplicate for duplicate in batch}
            origins = self._origins(batch)
            for table, in_table in groupby(batch, attrgetter("table")):
                for rows in games.printed_rows_of(
                    self._database.connection, [row.game_id for row in in_table], table
                ):
                    rows = self._user_values.added(
                        self._with_form_names(rows), (*self._names[:2], self._imported_players)
                    )
                    yield from self._texts(*self._marked(rows, by_id, origins))

    def _origins(self, duplicates: Sequence[Copy]) -> dict[int, tuple[str, str]]:
        """Return the source and game number of each duplicate, and the kept game in words."""
        connection = self._database.connection
        kept = games.names_of_games(connection, {duplicate.group for duplicate in duplicates})
        origins: dict[int, tuple[str, str]] = {}
        for table in {duplicate.table for duplicate in duplicates}:
            in_table = [duplicate for duplicate in duplicates if duplicate.table == table]
            sources = games.sources_of(connection, [row.game_id for row in in_table], table)
            for duplicate in in_table:
                source, number = sources.get(duplicate.game_id, (None, None))
                origin = f"{source}, game {number}" if source else ""
                origins[duplicate.game_id] = origin, kept.get(duplicate.group, "")
        return origins

    def _marked(
        self,
        rows: list[games.Row],
        duplicates: dict[int, Copy],
        origins: dict[int, tuple[str, str]],
    ) -> tuple[list[games.Row], Names]:
        """Return rows whose events and sites are indexes in lists of marked names."""
        marked_lists: tuple[list[str | None], list[str | None]] = [], []
        marked = []
        for number, row in enumerate(rows):
            status, kept_id, *_ = duplicates[row[0]]
            for column, stored, names_list in zip(
                ("EventID", "SiteID"), self._names, marked_lists, strict=False
            ):
                name = _name_at(stored, games.printed_value(row, column))
                # Such as "[exact copy of 8]" before the name.
                names_list.append(marked_name(status, kept_id, name or self._text.unnamed))
            tags = tags_of(row, self._database.path)
            # The tags of an imported file of duplicates refer to another database.
            tag_values = status, str(kept_id), *origins[row[0]]
            for tag, value in zip(self._text.duplicate_tags, tag_values, strict=True):
                tags.pop(tag, None)
                if value:
                    tags[tag] = value
            marked.append(games.with_printed(row, EventID=number, SiteID=number, ExtraTags=tags))
        return marked, (*marked_lists, self._imported_players)

    def _texts(
        self, rows: list[games.Row], lists: Names | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Write rows in batches whose annotations take little memory."""
        start = 0
        while start < len(rows):
            batch = rows
            notes: Notes | None = {}
            if self._with_notes:
                batch = rows[start : start + self._batch_size]
                notes = games.few_notes_of(self._database.connection, [row[0] for row in batch])
            if notes is None and len(batch) > 1:
                self._batch_size = len(batch) // 2
                continue
            yield len(batch), self._write(batch, notes, lists or self._names)
            start += len(batch)

    def _named(self, rows: list[games.Row]) -> list[games.Row]:
        named = list(map(self._canonical.named, rows)) if self._canonical else rows
        named = self._with_form_names(named)
        return self._user_values.added(named, self._names, read=rows if self._canonical else None)

    def _with_form_names(self, rows: list[games.Row]) -> list[games.Row]:
        if not self._has_original_names:
            return rows
        name_tags, path = self._text.name_tags, self._database.path
        return [_with_originals(row, self._names, self._originals, name_tags, path) for row in rows]

    def _write(self, rows: list[games.Row], notes: Notes | None, lists: Names) -> bytes:
        if notes is None:
            return _in_parts(self._database, self._text, rows[0], lists)
        text = self._text.write(rows, lists, notes)
        if len(text) > games.BATCH_BYTES:
            self._batch_size = max(1, self._batch_size * games.BATCH_BYTES // len(text))
        else:
            self._batch_size = min(2 * self._batch_size, PLAIN_BATCH)
        return text


def _name_at(names: Sequence[str | None], index: int | None) -> str | None:
    return names[index] if index is not None and index < len(names) else None


def _in_parts(database: Database, text: GameText, row: games.Row, lists: Names) -> bytes:
    """Return the text of a game with more annotations than are read at a time."""
    connection = database.connection
    return text.write_in_parts(row, lists, lambda: games.notes_in_parts(connection, row[0]))


class CanonicalNames:
    """Gives the players of rows their canonical names and FIDE IDs, other names their spellings.

    A FIDE ID that a game gives to another name is left out if it is written beside a third one.
    `game`: the only row that will be named; its player IDs index `ids`, as `players` do. `few`: the
    names and FIDE IDs of the only games that will be named.
    """

    def __init__(
        self,
        database: Database,
        players: Sequence[str | None],
        titles: Titles | None,
        *,
        game: games.Row | None = None,
        ids: Sequence[int] | None = None,
        few: canonical_names.NamesOfGames | None = None,
    ) -> None:
        from ocgdedup.matching.names.name_form import without_titles  # 5 ms

        self._path = database.path
        connection = database.connection
        named, fide_ids = (ids, None) if few is None else few
        spellings = canonical_names.open_names(connection, named)
        places: Iterable[tuple[int, int]] = enumerate(range(len(players)) if ids is None else ids)
        if few is not None:
            places = filter(lambda place: place[0] in few.players, places)
        # The names of persons come after those of the games.
        self.players = list(players)
        for index, number in places:
            name = players[index]
            self.players[index] = spellings.get(number) or (name and without_titles(name))
        if game is not None:
            fide_ids = _fide_ids(tags_of(game, self._path))
        self._name_of_id = canonical_names.names_of_ids(connection, fide_ids)
        self._indexes: dict[tuple[int, int], int] = {}  # by player ID and person ID
        for row in canonical_names.sure_names(connection, named):
            sides = [i for i, number in enumerate(ids or ()) if number == row.player_id]
            for index in [row.player_id] if ids is None else sides:
                self._indexes[index, row.person_id] = len(self.players)
            self.players.append(row.name)
        if self._indexes:  # else an older database may have no persons
            persons = None
            if named is not None:
                persons = [person for _, person in self._indexes]
            self._add_tags = fide_tags(connection, titles, persons)

    def name_and_id(
        self, name_id: int, person: int | None, fide_id: str | None
    ) -> tuple[str | None, str | None]:
        """Return the written name of a side, and the FIDE ID beside it; `fide_id`: of the game."""
        index = self._indexes.get((name_id, person or 0))
        if index is not None:
            fide_id = self._tags_of_player(person, None).get("WhiteFideId", fide_id)
        else:
            index = name_id
        return self._name(index), fide_id if self._fits(fide_id, index) else None

    def missing_title(self, name_id: int, person: int | None, date: str | None) -> str | None:
        """Return the title of a side whose game has none, None if it is unknown."""
        if (name_id, person or 0) not in self._indexes:
            return None
        return self._tags_of_player(person, date).get("WhiteTitle")

    def _tags_of_player(self, person: int | None, date: str | None) -> dict[str, str]:
        tags: dict[str, str] = {}
        self._add_tags(tags, date, "White", person or 0)
        return tags

    def named(self, row: games.Row) -> games.Row:
        """Return a row with canonical names, and without the person IDs."""
        for side in ("White", "Black"):
            name_id = games.printed_value(row, f"{side}ID")
            person = games.printed_value(row, f"{side}PersonID")
            index = self._indexes.get((name_id, person))
            if index is not None:
                tags = tags_of(row, self._path)
                self._add_tags(tags, games.printed_value(row, "Date"), side, person)
                row = games.with_printed(row, **{f"{side}ID": index}, ExtraTags=tags)
            row = self._with_fitting_id(row, side)
        return row[: len(PRINTED_COLUMNS)]

    def _with_fitting_id(self, row: games.Row, side: str) -> games.Row:
        """Return a row without a FIDE ID that is written beside another name."""
        stored = games.printed_value(row, "ExtraTags")
        if not stored or (isinstance(stored, str) and "fideid" not in stored.lower()):
            return row
        tags = tags_of(row, self._path)
        tag = next((tag for tag in tags if tag.lower() == f"{side}fideid".lower()), None)
        if tag is None:
            return row
        if self._fits(tags[tag], games.printed_value(row, f"{side}ID")):
            return row
        return games.with_printed(
            row, ExtraTags={key: value for key, value in tags.items() if key != tag}
        )

    def _fits(self, tag: object, index: int | None) -> bool:
        """Return whether a FIDE ID may be written beside a name."""
        fide_id, name = fide_number(tag), self._name(index)
        return bool(fide_id) and self._name_of_id.get(fide_id, name) == name

    def _name(self, index: int | None) -> str | None:
        return _name_at(self.players, index)


def _with_originals(
    row: games.Row,
    lists: Names,
    originals: dict[tuple[int, str], int],
    name_tags: Sequence[str],
    path: str,
) -> games.Row:
    """Return a row with its garbled names as in the source, unless a merge replaced them."""
    tags = tags_of(row, path)
    changes: dict[str, object] = {}
    for (column, table), tag in zip(_NAME_COLUMNS.items(), name_tags, strict=True):
        original, stored = tags.get(tag), lists[table]
        key = games.printed_value(row, column)
        if original is None or key is None or not 0 <= key < len(stored):
            continue
        if repaired_name(original) == stored[key]:
            del tags[tag]
            changes[column] = originals.setdefault((table, original), len(stored))
            if changes[column] == len(stored):
                stored.append(original)
    if not changes:
        return row
    return games.with_printed(row, **changes, ExtraTags=tags)


def _fide_ids(tags: Mapping[str, str]) -> list[int]:
    """Return the FIDE IDs of a game's tags."""
    texts = (text for tag, text in tags.items() if tag.lower() in ("whitefideid", "blackfideid"))
    return list(filter(None, map(fide_number, texts)))


def pgn_of_games(
    database: Database, game_ids: Iterable[int], form: TextForm | None = None
) -> Iterator[bytes | None]:
    """Yield the text of each game, PGN or SGF, None for an unknown ID.

    Names are looked up game by game, so that one game of a large database is written at once.
    """
    form = form or TextForm()
    with_notes = _prepare_notes(database)
    text = _game_text(database, form)
    user_values = UserValues(database, form, text.name_tags)
    is_canonical = has_canonical_names(form, database)
    titles: Titles = {}  # filled in, or else read once
    if is_canonical and names.read_state(database.connection, names.FILLING_STATE) == "no":
        titles = first_titles(database.connection)
    for game_id in game_ids:
        valid_id = games.can_be_id(game_id)
        row = (
            games.printed_row(database.connection, game_id, with_persons=is_canonical)
            if valid_id
            else None
        )
        if row is None:
            yield None
            continue
        values, lists = _with_names_of_game(database, row)
        read = [values] if is_canonical else None
        if is_canonical:
            ids = [0, *(games.printed_value(row, column) or 0 for column in ("WhiteID", "BlackID"))]
            canonical = CanonicalNames(database, lists[2], titles, game=row, ids=ids)
            values, lists = canonical.named(values), (*lists[:2], canonical.players)
        elif form.original_names:
            values = _with_originals(values, lists, {}, text.name_tags, database.path)
        (values,) = user_values.added([values], lists, read=read)
        notes = games.few_notes_of(database.connection, [game_id]) if with_notes else {}
        if notes is None:
            yield _in_parts(database, text, values, lists)
        else:
            yield text.write([values], lists, notes)


def _with_names_of_game(database: Database, row: games.Row) -> tuple[games.Row, Names]:
    """Return a row whose name columns index lists of the names of this game."""
    lists: Names = [None], [None], [None]
    indexes: dict[str, object] = {}
    for column, table in _NAME_COLUMNS.items():
        indexes[column] = len(lists[table])
        name_id = games.printed_value(row, column)
        lists[table].append(names.name_of(database.connection, names.NAME_TABLES[table], name_id))
    return games.with_printed(row, **indexes), lists


def has_canonical_names(form: TextForm, database: Database) -> bool:
    if form.canonical_names is None:
        return not form.original_names and canonical_names.are_resolved(database.connection)
    return form.canonical_names


def _game_text(database: Database, form: TextForm) -> GameText:
    if game_kind(database.connection) is CHESS:
        return PgnText(database, form)
    from ocgdedup.pipeline.export.emit_sgf import SgfText  # 5 ms

    return SgfText(database, form)


def _prepare_notes(database: Database) -> bool:
    """Return whether there are annotations; index those of a database of OCGDB."""
    if not games.has_notes(database.connection):
        return False
    if not database.is_ours:
        games.prepare_notes(database.connection)
    return True
