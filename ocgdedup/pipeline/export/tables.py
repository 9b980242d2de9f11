"""Read games, persons and names of a database as the columns of tables/columns.py."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from ocgdedup._kernels.chess import decode_texts, final_fen
from ocgdedup._kernels.go import keys_of as go_keys_of
from ocgdedup.errors import damaged_moves
from ocgdedup.game_columns import ROSTER
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.garbled import repaired_name
from ocgdedup.model import ORIGINAL_GO_NAMES, ORIGINAL_NAMES, Reporter
from ocgdedup.pipeline.corrections.values import NAME_TAGS
from ocgdedup.pipeline.export.emit import CanonicalNames, has_canonical_names
from ocgdedup.pipeline.export.text_form import TextForm
from ocgdedup.pipeline.search.go_records import lines_of, sgf_moves
from ocgdedup.sgf.root_values import komi_points, shown_result
from ocgdedup.store import selection
from ocgdedup.store.connection import Database
from ocgdedup.store.corrections import has_corrections, notes_on, shown_values
from ocgdedup.store.corrections import has_notes as has_user_notes
from ocgdedup.store.fide_players import last_list
from ocgdedup.store.games import (
    Row,
    core_hash,
    game_hash,
    has_notes,
    notes_of,
    pgn_date,
    prepare_notes,
)
from ocgdedup.store.names import game_kind, names_by_id
from ocgdedup.store.players import Person, fide_number, stored_persons, stored_resolutions
from ocgdedup.tables.columns import GAMES_OF_KIND, Columns, Table
from ocgdedup.tables.table_file import TableFile

BATCH_ROWS = 2000

Texts: TypeAlias = "list[str | None]"
Fields: TypeAlias = dict[str, Sequence[Any]]
_MovesOf: TypeAlias = "Callable[[bytes, str | None], tuple[str, ...]]"
_DATE = re.compile(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
_SMALL_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
# Tags whose columns do not show their text unchanged.
_CHESS_TAGS = ("WhiteFideId", "BlackFideId")
_REPAIRED = ("Event", "Site", "White", "Black")  # columns that may have garbled names in the source
_GO_TAGS = ("RE", "KM", "HA")
# Columns with values of players or of the source, which a correction replaces.
_CORRECTED = (*NAME_TAGS, "WhiteFideID", "BlackFideID", "WhiteTitle", "BlackTitle")


def write_table(
    target: TableFile, batches: Iterable[Columns], total: int | None, reporter: Reporter
) -> int:
    """Write a table; return its number of rows. `total`: the expected number, if known."""
    reporter.start("writing", None, total)
    count = 0
    try:
        for columns in batches:
            target.write(columns)
            count += len(columns[0])
            reporter.advance(count, 0)
        target.finish()
    except BaseException:
        target.discard()
        raise
    reporter.finish()
    return count


class _Names(NamedTuple):
    """Names, persons and sources by the IDs in rows of games."""

    events: dict[int, str | None]
    sites: dict[int, str | None]
    players: dict[int, str | None]
    sources: dict[int, str | None]
    import_dates: dict[int, str | None]
    persons: dict[int, str | None]
    fide_ids: dict[int, int | None]


class _KindColumns(NamedTuple):
    """The columns of one kind of games: `columns` makes them from `tags` and `texts` of moves."""

    tags: tuple[str, ...]
    texts: _MovesOf
    columns: Callable[[Fields, _Names, Sequence[tuple[str, ...]]], dict[str, Sequence[object]]]


class TableReader:
    """Reads the tables of a database; call games() first, which counts the games of players.

    `names`: of the players in games, one of text_form.NAMES; None for the default.
    """

    def __init__(self, database: Database, names: str | None = None) -> None:
        self._database = database
        self._connection = database.connection
        self._kind = game_kind(self._connection)
        version = int(self._connection.pragma("user_version"))
        self._version = version if database.is_ours else None
        self._has_notes = has_notes(self._connection)
        if self._has_notes and not database.is_ours:
            prepare_notes(self._connection)
        self._persons = list(stored_persons(self._connection))
        self._names = _Names(
            events=self._names_of("Events"),
            sites=self._names_of("Sites"),
            players=self._names_of("Players"),
            sources=self._names_of("Sources"),
            import_dates=selection.texts_by_id(self._connection, "Sources", "ImportDate"),
            persons={row.person_id: row.name for row in self._persons},
            fide_ids={row.person_id: row.fide_id for row in self._persons},
        )
        form = TextForm().with_names(names)
        original_names = ORIGINAL_GO_NAMES if self._kind.is_go else ORIGINAL_NAMES
        self._original_tags = original_names if form.original_names else ()
        self._canonical: CanonicalNames | None = None
        if has_canonical_names(form, database):
            players = names_by_id(self._connection, "Players")
            self._canonical = CanonicalNames(database, players, None)
            self._name_and_number = lru_cache(maxsize=1 << 16)(partial(_named, self._canonical))
        self._titled = {row.person_id for row in self._persons if row.title}
        # Number of games by (player ID, person ID), from both sides of each game.
        self._sides: Counter[tuple[int | None, int | None]] = Counter()

    @property
    def games_table(self) -> Table:
        return GAMES_OF_KIND[self._kind]

    def games(self, game_ids: Iterable[list[int]]) -> Iterator[Columns]:
        """Yield games in the order of the IDs, at most BATCH_ROWS at a time.

        Raises IntegrityError for a game whose moves do not replay.
        """
        shown = self.games_table.tags.values()
        tags = (*_KIND_COLUMNS[self._kind].tags, *shown, *self._original_tags)
        for ids in game_ids:
            for start in range(0, len(ids), BATCH_ROWS):
                batch = ids[start : start + BATCH_ROWS]
                for rows in selection.game_fields(self._connection, batch, tags):
                    yield self._columns(rows, tags)

    def players(self) -> Iterator[Columns]:
        """Yield all persons; their numbers of games count those that games() has yielded."""
        games: Counter[int | None] = Counter()
        for (_, person_id), count in self._sides.items():
            games[person_id] += count
        facts = selection.listed_facts(self._connection)
        rating_list = last_list(self._connection, "fide") if facts else None
        month = rating_list.month if rating_list is not None else None
        names: dict[int, list[str]] = {}
        for resolution in stored_resolutions(self._connection):
            name = self._names.players.get(resolution.player_id)
            if name is not None:
                names.setdefault(resolution.person_id, []).append(name)

        def row_of(row: Person) -> Row:
            person = row.person_id
            listed: Row = (*facts[person], month) if person in facts else (None,) * 6
            others = sorted({*names.get(person, ())} - {row.name})
            other_names = json.dumps(others, ensure_ascii=False) if others else None
            return (*row, games[person], *listed, other_names)

        yield from _in_batches(map(row_of, self._persons))

    def player_names(self) -> Iterator[Columns]:
        """Yield each name with each of its persons, or without a person if it is unresolved."""
        yield from _in_batches(self._name_rows())

    def aliases(self) -> Iterator[Columns]:
        """Yield the unique short forms of listed players, also of players without games."""
        yield from _in_batches(selection.listed_aliases(self._connection))

    def _name_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield a row for each resolution of a name, then rows for its other games."""
        resolutions: dict[int, list[Row]] = {}
        for resolution in stored_resolutions(self._connection):
            player, person_id, scope, stage, score, reason, probability = resolution
            row = (person_id, scope, stage, score, probability, reason)
            resolutions.setdefault(player, []).append(row)
        unresolved: dict[int | None, list[int | None]] = {}
        resolved = {(name, row[0]) for name, rows in resolutions.items() for row in rows}
        for name_id, other_id in self._sides.keys() - resolved:
            unresolved.setdefault(name_id, []).append(other_id)
        no_person = (None,) * 5
        for name_id, name in sorted(self._names.players.items()):
            if name is None:
                continue
            rows = resolutions.get(name_id, [])
            others = sorted(unresolved.get(name_id, ()), key=lambda i: (i is None, i))
            rows += [(other_id, *no_person) for other_id in others or ([] if rows else [None])]
            for other_id, *facts in rows:
                person = self._names.persons.get(other_id)
                yield (name_id, name, other_id, person, *facts, self._sides[name_id, other_id])

    def _columns(self, rows: Sequence[Row], tags: Sequence[str]) -> Columns:
        kind_columns = _KIND_COLUMNS[self._kind]
        shown = self.games_table.tags
        names = (*selection.GAME_FIELDS, *tags)
        fields: Fields = dict(zip(names, zip(*rows, strict=True), strict=True))
        self._sides.update(zip(fields["WhiteID"], fields["WhitePersonID"], strict=True))
        self._sides.update(zip(fields["BlackID"], fields["BlackPersonID"], strict=True))
        dates = list(fields["Date"])
        if not self._database.is_ours:
            dates = [pgn_date(date) or None for date in dates]
        values: Fields = _common(fields, self._names, dates)
        values |= {column: _none_if_unknown(fields[tag]) for column, tag in shown.items()}
        values |= kind_columns.columns(fields, self._names, self._moves(fields, kind_columns.texts))
        values["SchemaVersion"] = [self._version] * len(rows)
        values["CoreHash"], values["GameHash"] = self._hashes(fields, values)
        for column, tag in zip(_REPAIRED, self._original_tags, strict=False):
            values[column] = list(map(_as_in_source, values[column], fields[tag]))
        if self._canonical is not None:
            values |= self._canonical_columns(self._canonical, fields, dates)
        self._add_user_values(values, fields["ID"])
        return [values[name] for name in self.games_table.column_names]

    def _add_user_values(self, values: dict[str, Sequence[Any]], ids: Sequence[int]) -> None:
        """Add the notes of the user, and the values that he corrected where names differ."""
        notes = notes_on(self._connection, ids) if has_user_notes(self._connection) else {}
        values["UserNote"] = [notes.get(game_id) for game_id in ids]
        corrected = shown_values(self._connection, ids) if has_corrections(self._connection) else {}
        changed: dict[str, list[object]] = {}
        for row, game_id in enumerate(ids):
            for tag, (value, read) in corrected.get(game_id, {}).items():
                column = tag.replace("FideId", "FideID")
                if column not in _CORRECTED or column not in values:
                    continue
                shown: object = read if tag in NAME_TAGS and self._original_tags else value
                if column.endswith("FideID"):
                    shown = fide_number(shown) or None
                if column not in changed:
                    values[column] = changed[column] = list(values[column])
                changed[column][row] = shown

    def _canonical_columns(
        self, names: CanonicalNames, fields: Fields, dates: Texts
    ) -> dict[str, Sequence[object]]:
        """Return the names of the players, for chess also their FIDE IDs and titles."""
        values: dict[str, Sequence[object]] = {}
        nothing = [None] * len(dates)
        for side in ("White", "Black"):
            ids, persons = fields[f"{side}ID"], fields[f"{side}PersonID"]
            tags = fields.get(f"{side}FideId", nothing)
            values[side], numbers = zip(
                *map(self._name_and_number, ids, persons, tags), strict=True
            )
            if self._kind.is_go:
                continue
            values[f"{side}FideID"] = numbers
            titles = list(fields[f"{side}Title"])
            for row, (title, person) in enumerate(zip(titles, persons, strict=True)):
                if title is None and person in self._titled:
                    titles[row] = names.missing_title(ids[row], person, dates[row])
            values[f"{side}Title"] = _none_if_unknown(titles)
        return values

    def _hashes(self, fields: Fields, values: Fields) -> tuple[Sequence[int], Sequence[int]]:
        """Return the stored CoreHash and GameHash; where they are missing, compute them."""
        stored = list(zip(fields["CoreHash"], fields["GameHash"], strict=True))
        if not any(None in hashes for hashes in stored):
            return fields["CoreHash"], fields["GameHash"]
        from ocgdedup.matching.names.name_form import name_key  # 19 ms

        ids = fields["ID"]
        notes = notes_of(self._connection, ids) if self._has_notes else {}
        rosters = zip(*(values[name] for name in ROSTER), strict=True)
        starts = _none_if_unknown(fields["FEN"])
        hashes: list[tuple[int, int]] = []
        for game_id, start, moves, roster, (core, full) in zip(
            ids, starts, fields["Moves2"], rosters, stored, strict=True
        ):
            white, black = (roster[ROSTER.index(side)] or "" for side in ("White", "Black"))
            hashes.append(
                (
                    core_hash(name_key(white), name_key(black)) if core is None else core,
                    game_hash(start, moves or b"", roster, notes.get(game_id, ()), self._kind)
                    if full is None
                    else full,
                )
            )
        cores, wholes = zip(*hashes, strict=True)
        return cores, wholes

    def _moves(self, fields: Fields, decode: _MovesOf) -> list[tuple[str, ...]]:
        texts = []
        for game_id, moves, fen in zip(
            fields["ID"], fields["Moves2"], _none_if_unknown(fields["FEN"]), strict=True
        ):
            try:
                texts.append(decode(moves or b"", fen))
            except ValueError as error:
                raise damaged_moves(f"{self._database.path}: game {game_id}", error) from error
        return texts

    def _names_of(self, table: str) -> dict[int, str | None]:
        names = selection.texts_by_id(self._connection, table)
        return dict(zip(names, _none_if_unknown(list(names.values())), strict=True))


def _chess_texts(moves: bytes, start: str | None) -> tuple[str, str, str]:
    """Return moves in UCI and SAN, and the final FEN; raise ValueError if they do not replay."""
    return (*decode_texts(moves, start), final_fen(moves, start))


def _sgf_text(moves: bytes, start: str | None) -> tuple[str]:
    """Return the moves as SGF nodes; raise ValueError if they do not replay."""
    go_keys_of(moves, start)
    return (";" + ";".join(sgf_moves(moves)) if moves else "",)


def _common(fields: Fields, names: _Names, dates: Texts) -> dict[str, Sequence[object]]:
    """Return the columns that chess and Go games have."""
    years, months, days = zip(*map(_date_parts, dates), strict=True)
    return {
        **fields,
        "Event": _looked_up(names.events, fields["EventID"]),
        "Site": _looked_up(names.sites, fields["SiteID"]),
        "Date": dates,
        "Year": years,
        "Month": months,
        "Day": days,
        "Round": _none_if_unknown(fields["Round"]),
        "White": _looked_up(names.players, fields["WhiteID"]),
        "Black": _looked_up(names.players, fields["BlackID"]),
        "Result": _none_if_unknown(fields["Result"]),
        "TimeControl": _none_if_unknown(fields["TimeControl"]),
        # OCGDB stores no PlyCount for a game without moves.
        "PlyCount": [
            len(moves or b"") // 2 if plies is None else plies
            for plies, moves in zip(fields["PlyCount"], fields["Moves2"], strict=True)
        ],
        "WhitePerson": _looked_up(names.persons, fields["WhitePersonID"]),
        "BlackPerson": _looked_up(names.persons, fields["BlackPersonID"]),
        "Source": _looked_up(names.sources, fields["SourceID"]),
        "ImportDate": _looked_up(names.import_dates, fields["SourceID"]),
    }


def _chess_columns(
    fields: Fields, names: _Names, moves: Sequence[tuple[str, ...]]
) -> dict[str, Sequence[object]]:
    uci, san, last = zip(*moves, strict=True)
    return {
        "ECO": _none_if_unknown(fields["ECO"]),
        "FEN": _none_if_unknown(fields["FEN"]),
        "WhiteFideID": _fide_ids(names, fields["WhitePersonID"], fields["WhiteFideId"]),
        "BlackFideID": _fide_ids(names, fields["BlackPersonID"], fields["BlackFideId"]),
        "MovesUCI": uci,
        "MovesSAN": san,
        "FinalFEN": last,
    }


def _go_columns(
    fields: Fields, _: _Names, moves: Sequence[tuple[str, ...]]
) -> dict[str, Sequence[object]]:
    starts = _none_if_unknown(fields["FEN"])
    results = zip(_none_if_unknown(fields["RE"]), fields["Result"], strict=True)
    return {
        "ResultSGF": [shown_result(result, text) for text, result in results],
        "Komi": [komi_points(text) if isinstance(text, str) else None for text in fields["KM"]],
        "Handicap": [int(text) if _fits(_SMALL_NUMBER, text) else None for text in fields["HA"]],
        "BoardLines": list(map(lines_of, starts)),
        "Start": starts,
        "MovesSGF": [text for (text,) in moves],
    }


_KIND_COLUMNS = {
    CHESS: _KindColumns(_CHESS_TAGS, _chess_texts, _chess_columns),
    GO: _KindColumns(_GO_TAGS, _sgf_text, _go_columns),
}


def _fits(pattern: re.Pattern[str], text: object) -> bool:
    return isinstance(text, str) and pattern.fullmatch(text) is not None


def _in_batches(rows: Iterable[tuple[object, ...]]) -> Iterator[Columns]:
    left = iter(rows)
    while batch := list(islice(left, BATCH_ROWS)):
        yield list(zip(*batch, strict=True))


def _looked_up(names: dict[int, str | None], ids: Sequence[int]) -> Texts:
    return list(map(names.get, ids))


def _none_if_unknown(texts: Sequence[str | None]) -> Texts:
    """Return texts with None for "" and "?"."""
    return [None if text in ("", "?") else text for text in texts]


def _fide_ids(names: _Names, persons: Sequence[Any], tags: Sequence[Any]) -> list[int | None]:
    """Return the FIDE ID of each person, or else of the game's tag."""
    return [
        names.fide_ids.get(person) or _number(tag)
        for person, tag in zip(persons, tags, strict=True)
    ]


def _as_in_source(name: str | None, original: str | None) -> str | None:
    """Return a garbled name as in the source, unless a merge replaced it."""
    return original if original is not None and repaired_name(original) == name else name


def _named(
    names: CanonicalNames, name_id: int, person: int | None, tag: str | None
) -> tuple[str | None, int | None]:
    """Return the written name of a side, and the FIDE ID beside it."""
    name, fide_id = names.name_and_id(name_id, person, tag)
    return None if name in ("", "?") else name, _number(fide_id)


def _number(tag: object) -> int | None:
    """Return the FIDE ID of a tag, None if it is not a positive number."""
    text = str(tag).strip() if tag is not None else ""
    return int(text) or None if _NUMBER.fullmatch(text) else None


@lru_cache(maxsize=1 << 16)
def _date_parts(date: str | None) -> tuple[int | None, int | None, int | None]:
    """Return year, month and day of a PGN date, each None if unknown."""
    match = _DATE.fullmatch(date) if date else None
    if match is None:
        return None, None, None
    year, month, day = (None if part[0] == "?" else int(part) for part in match.groups())
    return year, month, day
