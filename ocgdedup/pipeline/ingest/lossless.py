"""Lossless tables: rows of a database to columns, and columns to rows of an import.

A game is one row with all imported values, its annotations and its faults; names replace their IDs.
Values that follow from the moves are for other programs; an import computes them again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ocgdedup import game_columns
from ocgdedup.errors import IntegrityError
from ocgdedup.files.manifest import Manifest
from ocgdedup.game_columns import LOADED_COLUMNS, ROSTER
from ocgdedup.game_kind import GameKind
from ocgdedup.matching.clusters import contradictions
from ocgdedup.pgn.odd_values import RESULTS
from ocgdedup.pipeline.check.game_values import read_stored_date, stored_keys
from ocgdedup.store import games, possible_duplicates, selection
from ocgdedup.store.duplicates import groups_of
from ocgdedup.store.games import Row
from ocgdedup.store.names import NAME_TABLES, names_by_id
from ocgdedup.tables.columns import DECISIONS, LOSSLESS_GAMES, SOURCES, Columns
from ocgdedup.tables.parquet_file import read_parquet
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

if TYPE_CHECKING:
    import apsw

    from ocgdedup._kernels.chess import NameTables


_BATCH_ROWS = 2_000
# Columns of LOADED_COLUMNS that hold the ID of a name, with the index of its table in NAME_TABLES.
_NAME_COLUMNS = tuple(
    (column.name, NAME_TABLES.index(column.references))
    for column in game_columns.GAME_COLUMNS
    if column.references in NAME_TABLES
)
# Columns whose values are stored unchanged.
_UNCHANGED = tuple(
    name for name in LOADED_COLUMNS if game_columns.BY_NAME[name].references not in NAME_TABLES
)
_SOURCE = LOADED_COLUMNS.index("SourceID")
_NOTE_COLUMNS = {NOTE_COMMENT: "Comment", NOTE_NAG: "NAG", NOTE_VARIATION: "Variation"}


class LosslessReader:
    """Reads a database as lossless tables; call games() first, which collects sources and IDs."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._names = [names_by_id(connection, table) for table in NAME_TABLES]
        self._fault_ids = selection.fault_ids(connection)
        self._has_notes = games.has_notes(connection)
        self._games_read = Counter[int | None]()  # by source
        self._decisions = possible_duplicates.decisions(connection)
        decided = {game_id for row in self._decisions for game_id in row.games}
        self._kept = groups_of(connection, decided)
        self._records = decided | {self._kept[game_id] for game_id in decided & self._kept.keys()}
        self._records_read = set[int]()  # of games with a decision

    def games(self, game_ids: Iterable[list[int]]) -> Iterator[Columns]:
        """Yield columns of LOSSLESS_GAMES for games in the order of their IDs."""
        for ids in game_ids:
            self._records_read.update(self._records.intersection(ids))
            for start in range(0, len(ids), _BATCH_ROWS):
                batch = ids[start : start + _BATCH_ROWS]
                for rows in selection.loaded_rows_of(self._connection, batch):
                    yield self._columns(rows)

    def sources(self) -> Iterator[Columns]:
        """Yield columns of SOURCES for the sources of these games, and for sources without games.

        A source has a SHA-256, by which an import skips its text, only if all its games were read.
        """
        stored = selection.games_by_source(self._connection)
        rows = []
        for source_id, name, size, sha256, imported in selection.source_rows(self._connection):
            missing = stored.get(source_id, 0) - self._games_read[source_id]
            if self._games_read[source_id] or not missing:
                rows.append((source_id, name, size, None if missing else sha256, imported))
        yield list(zip(*rows, strict=True)) if rows else [[] for _ in SOURCES.columns]

    def decisions(self) -> Iterator[Columns]:
        """Yield columns of DECISIONS: the user's decisions about these games.

        A decision about a duplicate that was not read is about its kept game.
        """

        def records_of(game_id: int, _is_same: bool) -> set[int]:
            is_read = game_id in self._records_read
            return {game_id if is_read else self._kept.get(game_id, 0)} & self._records_read

        passed = possible_duplicates.passed_on(self._decisions, records_of)
        rows = sorted(passed, key=lambda row: row.games)
        yield list(zip(*rows, strict=True)) if rows else [[] for _ in DECISIONS.columns]

    def _columns(self, rows: Sequence[Row]) -> Columns:
        columns: list[Sequence[object]] = list(zip(*rows, strict=True))
        self._games_read.update(row[_SOURCE] for row in rows)
        for column, table in _NAME_COLUMNS:
            index, names = LOADED_COLUMNS.index(column), self._names[table]
            columns[index] = [None if row[index] is None else names[row[index]] for row in rows]
        columns.extend(self.annotations_and_faults([row[0] for row in rows]))
        return columns

    def annotations_and_faults(self, ids: Sequence[int]) -> tuple[list[object], list[object]]:
        """Return the columns Annotations and Faults of games, by their IDs."""
        notes = games.notes_of(self._connection, ids) if self._has_notes else {}
        annotations: list[object] = [
            [
                {"Ply": ply, "Position": position, _NOTE_COLUMNS[kind]: value}
                for ply, position, kind, value in notes.get(game_id, ())
            ]
            or None
            for game_id in ids
        ]
        fault_ids = [fault for game_id in ids for fault in self._fault_ids.get(game_id, ())]
        faults: dict[int, list[dict[str, object]]] = {}
        for game_id, *values in selection.faults_by_id(self._connection, fault_ids):
            fault = dict(zip(games.FAULT_COLUMNS[1:], values, strict=True))
            faults.setdefault(game_id, []).append(fault)
        return annotations, [faults.get(game_id) for game_id in ids]


def read_games(manifest: Manifest) -> Iterator[tuple[str, Columns, float]]:
    """Yield (path of the file, columns of LOSSLESS_GAMES, share of the games read so far)."""
    read, rows = 0, manifest.rows_of(LOSSLESS_GAMES.name)
    for path in manifest.paths_of(LOSSLESS_GAMES.name):
        for columns in read_parquet(path, LOSSLESS_GAMES):
            read += len(columns[0])
            yield path, columns, min(1.0, read / max(1, rows))


def read_decisions(manifest: Manifest) -> Iterator[possible_duplicates.Decision]:
    """Yield the decisions of a folder, with the IDs of its games.

    Raises IntegrityError for a row that is not a decision.
    """
    for path in manifest.paths_of(DECISIONS.name):
        for columns in read_parquet(path, DECISIONS):
            for first, second, decision, kept, note in zip(*columns, strict=True):
                if (
                    decision not in (possible_duplicates.SAME, possible_duplicates.DIFFERENT)
                    or first == second
                    or kept not in (None, first, second)
                ):
                    raise IntegrityError(
                        f"{path}: games {first} and {second}: {decision!r}, kept game {kept}: is "
                        "not a decision; write the folder again"
                    )
                yield possible_duplicates.Decision(first, second, decision, kept, note)


def write_decisions(
    connection: apsw.Connection,
    loaded: Iterable[possible_duplicates.Decision],
    ids: Mapping[int, int],
) -> int:
    """Write the decisions of an input about games in the database; return how many are left out.

    A decision that differs from stored decisions, or contradicts them, is left out. `ids`: of the
    input's games in the database.
    """
    decided = {row.games: row.is_same for row in possible_duplicates.decisions(connection)}
    new: dict[tuple[int, int], possible_duplicates.Decision] = {}
    left_out = 0
    for row in loaded:
        if row.first not in ids or row.second not in ids:
            left_out += 1
            continue
        first, second = sorted((ids[row.first], ids[row.second]))
        if (first, second) not in decided:
            kept = None if row.kept_game is None else ids[row.kept_game]
            new[first, second] = row._replace(first=first, second=second, kept_game=kept)
        elif decided[first, second] != row.is_same:
            left_out += 1
    decided.update((pair, row.is_same) for pair, row in new.items())
    for pair, chain in contradictions((*pair, is_same) for pair, is_same in decided.items()):
        for link in (pair, *pairwise(chain)):
            left_out += new.pop((min(link), max(link)), None) is not None
    for row in new.values():
        possible_duplicates.write_decision(connection, *row)
    return left_out


def read_sources(manifest: Manifest) -> Iterator[Row]:
    """Yield rows of SOURCES."""
    for path in manifest.paths_of(SOURCES.name):
        for columns in read_parquet(path, SOURCES):
            yield from zip(*columns, strict=True)


# Rows of an import by table, for insert_rows().
LoadedRows = dict[str, list[Row]]


class LosslessRows:
    """Makes rows of an import from columns of LOSSLESS_GAMES.

    `sources`: by source ID of the folder, the source ID in the database, or the SHA-256 of a text
    whose games are skipped. `decided`: the folder's IDs of games with decisions. Of these games,
    `new_ids` gets the new IDs, and `skipped` the sources and numbers, for games_at().
    """

    def __init__(
        self,
        tables: NameTables,
        sources: Mapping[int, int | str],
        decided: Collection[object],
        kind: GameKind,
    ) -> None:
        self.new_ids: dict[int, int] = {}
        self.skipped: list[tuple[int, str, int]] = []
        self._tables = tables
        self._decided = decided
        self._sources = sources
        self._kind = kind

    def rows(self, columns: Columns, next_id: int, path: str) -> LoadedRows:
        """Return the rows of games, with IDs from `next_id` on.

        Raises IntegrityError for values that contradict each other, or that no import stores.
        """
        loaded: LoadedRows = {"Games": [], "Comments": [], "Annotations": [], "Faults": []}
        for values in zip(*columns, strict=True):
            game = dict(zip(LOSSLESS_GAMES.column_names, values, strict=True))
            try:
                self._add(game, next_id + len(loaded["Games"]), loaded)
            except (ValueError, OverflowError, RecursionError) as error:
                raise IntegrityError(
                    f"{path}: game {game['ID']}: {error}; write the folder again"
                ) from error
        return loaded

    def _add(self, game: dict[str, Any], game_id: int, loaded: LoadedRows) -> None:
        source = game["SourceID"]
        if source is not None:
            if source not in self._sources:
                raise ValueError(f"its source {source} is not listed")
            source = self._sources[source]
            if isinstance(source, str):
                if game["ID"] in self._decided:
                    self.skipped.append((game["ID"], source, game["SourceNumber"]))
                return
        _check(game)
        if game["ID"] in self._decided:
            self.new_ids[game["ID"]] = game_id
        moves = game["Moves2"] or b""
        *keys, special = stored_keys(moves, game["FEN"], self._kind)
        if game["MoveHash"] not in (None, keys[0]):
            raise ValueError("its moves and its MoveHash do not agree")
        notes = game["Annotations"] or []
        roster = [game[tag] for tag in ROSTER]
        events, sites, players = self._tables
        white = players.intern(game["White"] or "", game["WhiteElo"])
        black = players.intern(game["Black"] or "", game["BlackElo"])
        loaded["Games"].append(
            games.inserted_row(
                {name: game[name] for name in _UNCHANGED}
                | dict(zip(game_columns.MOVE_KEYS, keys, strict=True))
                | {
                    "ID": game_id,
                    "EventID": events.intern(game["Event"] or ""),
                    "SiteID": sites.intern(game["Site"] or ""),
                    "WhiteID": white,
                    "BlackID": black,
                    "CoreHash": games.core_hash(players.key(white), players.key(black)),
                    "GameHash": games.game_hash(
                        game["FEN"], moves, roster, _note_rows(notes), self._kind
                    ),
                    "PlyCount": len(moves) // 2,
                    "Moves2": moves,
                    "SourceID": source,
                    "DateQuality": _date_quality(game["Date"], game["DateQuality"], self._kind),
                    "HasComments": int(any(note["Comment"] is not None for note in notes)),
                    "HasVariations": int(any(note["Variation"] is not None for note in notes)),
                    "SpecialMoves": special,
                }
            )
        )
        games.add_annotations(game_id, notes, loaded["Comments"], loaded["Annotations"])
        loaded["Faults"] += ((game_id, *fault.values()) for fault in game["Faults"] or ())


def _note_rows(notes: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Yield annotations as (ply, position, kind, value)."""
    for note in notes:
        for kind, column in _NOTE_COLUMNS.items():
            if note[column] is not None:
                yield note["Ply"], note["Position"], kind, note[column]


def _check(game: Mapping[str, Any]) -> None:
    """Raise ValueError for values that no import stores."""
    if game["Result"] not in RESULTS:
        raise ValueError(f"{game['Result']!r} is not a PGN result")
    if game["ExtraTags"] is not None and not isinstance(json.loads(game["ExtraTags"]), dict):
        raise ValueError("ExtraTags is not a JSON object")
    for note in game["Annotations"] or ():
        if note["Ply"] is None or note["Position"] is None:
            raise ValueError("an annotation has no Ply or no Position")


@lru_cache(maxsize=1 << 16)
def _date_quality(date: str | None, quality: int | None, kind: GameKind) -> int:
    """Return DateQuality, which a table may lack; raise ValueError for a date that is not PGN."""
    if date is None:
        raise ValueError("its Date is missing; PGN has ????.??.?? for an unknown date")
    parsed, exact = read_stored_date(date, kind)
    if parsed != date:
        raise ValueError(f"{date!r} is not a PGN date")
    return exact if quality is None else quality
