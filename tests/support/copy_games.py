"""Made-up games for the search for duplicates, in databases in memory, and its results.

Moves are numbers: the search compares them, and replays only games that start from a FEN.
"""

from __future__ import annotations

import hashlib
import json
import random
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import apsw
import chess
import chess.polyglot

from ocgdedup._kernels.search import DuplicateFinder, GameBatch
from ocgdedup.matching.evidence import Gates, Weights
from ocgdedup.matching.names.name_form import letters_for_search, reading_for_search
from ocgdedup.model import Comparison
from ocgdedup.pipeline.search.detect import SearchOptions, SearchResult, find_duplicates
from ocgdedup.pipeline.search.stages import read_games
from ocgdedup.store.database import create_database
from ocgdedup.store.search_reader import GameReader, NameForms

WEIGHTS, GATES = Weights(), Gates()

# Persons who have a FIDE ID, by ID; others have none.
LISTED = {21: 1, 22: 2, 23: 399_999_998}

Moves = tuple[int, ...]
Pair = tuple[int, int]


class Record(NamedTuple):
    """A stored game. A name, event or site that is None has no ID.

    `final_key` None: a hash of the moves. `source`, `persons`: IDs, 0 for none.
    """

    moves: Moves = ()
    white: str | None = "Alekhine, Alexander"
    black: str | None = "Bogoljubow, Efim"
    date: str | None = "1929.09.06"
    round: str | None = "4"
    event: str | None = "Candidates Final"
    site: str | None = "Wiesbaden"
    result: str | None = "1-0"
    elos: Pair = (0, 0)
    fide_ids: Pair = (0, 0)
    source: int = 1
    persons: Pair = (0, 0)
    core_hash: int = 0
    fen: str | None = None
    replays: bool = True
    tags: tuple[tuple[str, str], ...] = ()
    final_key: int | None = None


def fide_ids_of(record: Record) -> Pair:
    """Return the FIDE IDs of the persons who played, else those of the tags."""
    white, black = (
        LISTED.get(person, fide_id)
        for person, fide_id in zip(record.persons, record.fide_ids, strict=True)
    )
    return white, black


@cache
def line(number: int, plies: int) -> Moves:
    """Return a made-up mainline; of one number, shorter ones are prefixes of longer ones."""
    draw = random.Random(number)
    return tuple(draw.randrange(1, 0x5000) for _ in range(plies))


def somebody(number: int) -> dict[str, Any]:
    """Return two names that are not similar to those of other numbers."""
    draw = random.Random(number)
    names = ["".join(draw.choices("bdgklmnprst", k=4)) for _ in range(4)]
    words = [f"{name[:2]}a{name[2:]}o{name[:1]}".capitalize() for name in names]
    return {"white": f"{words[0]}, {words[1]}", "black": f"{words[2]}, {words[3]}"}


def nobody() -> dict[str, Any]:
    return {"white": "?", "black": "NN"}


def others(moves: Moves, count: int = 2) -> list[Record]:
    """Return games of other players with this line, which makes it opening theory."""
    return [
        Record(
            moves, **somebody(1000 + number), date=f"19{60 + 5 * number}.05.0{number + 1}",
            round="1", event=f"Memorial {'xyz'[number % 3] * 5}", site=None,
        )
        for number in range(count)
    ]  # fmt: skip


# --- databases ----------------------------------------------------------------------------------

_COLUMNS = (
    "ID", "EventID", "SiteID", "Date", "Round", "WhiteID", "WhiteElo", "BlackID", "BlackElo",
    "Result", "PlyCount", "FEN", "Moves2", "MoveHash", "FinalZobrist", "SourceID", "ExtraTags",
    "WhitePersonID", "BlackPersonID", "CoreHash",
)  # fmt: skip
_INSERT = f"INSERT INTO Games ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"


def batch_of(connection: apsw.Connection) -> GameBatch:
    """Return all games of a database, not yet searched."""
    reader = GameReader(connection, NameForms(letters_for_search, reading_for_search))
    read_games(connection, reader)
    return reader.batch


def finder_of(connection: apsw.Connection) -> DuplicateFinder:
    """Return a finder of a database, with the weights and gates of the tests."""
    return DuplicateFinder(batch_of(connection), WEIGHTS._asdict(), GATES._asdict())


def database(
    records: Sequence[Record], ids: Sequence[int] | None = None, *, order: Sequence[int] = ()
) -> apsw.Connection:
    """Return a database in memory with the records under these IDs, else 1, 2, 3 ...

    `order`: of the records, in which names, events and sites get their IDs.
    """
    connection = create_database(":memory:")
    append(connection, records, ids or range(1, len(records) + 1), order=order)
    return connection


def append(
    connection: apsw.Connection,
    records: Sequence[Record],
    ids: Iterable[int],
    *,
    order: Sequence[int] = (),
) -> None:
    tables = [_Table(connection, name) for name in ("Players", "Players", "Events", "Sites")]
    with connection:
        for place in order:
            _names_of(tables, records[place])
        rows = (
            _row(game_id, record, _names_of(tables, record))
            for game_id, record in zip(ids, records, strict=True)
        )
        connection.executemany(_INSERT, rows)
        played = {person for record in records for person in record.persons}
        connection.executemany(
            "INSERT OR IGNORE INTO Persons (ID, Name, FideID) VALUES (?, ?, ?)",
            [(person, f"Person {person}", LISTED.get(person)) for person in played if person],
        )


class _Table:
    """Names of one table and their IDs."""

    def __init__(self, connection: apsw.Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._ids: dict[str, int] = {}

    def id_of(self, text: str | None) -> int | None:
        """Return the ID of a name, inserting a new one; None for None."""
        if text is None:
            return None
        if text not in self._ids:
            insert = f"INSERT OR IGNORE INTO {self._name} (Name) VALUES (?)"
            self._connection.execute(insert, (text,))
            sql = f"SELECT ID FROM {self._name} WHERE Name = ?"
            ((self._ids[text],),) = self._connection.execute(sql, (text,))
        return self._ids[text]


def _names_of(tables: list[_Table], record: Record) -> list[int | None]:
    names = (record.white, record.black, record.event, record.site)
    return [table.id_of(name) for table, name in zip(tables, names, strict=True)]


def _row(game_id: int, record: Record, names: list[int | None]) -> tuple[object, ...]:
    white, black, event, site = names
    return (
        game_id, event, site, record.date, record.round, white, record.elos[0] or None, black,
        record.elos[1] or None, record.result, len(record.moves), record.fen,
        blob_of(record.moves), 1 if record.replays else None, _signed(final_key_of(record)),
        record.source, _tags_of(record), record.persons[0] or None,
        record.persons[1] or None, record.core_hash or None,
    )  # fmt: skip


def blob_of(moves: Moves) -> bytes:
    return struct.pack(f"<{len(moves)}H", *moves)


def final_key_of(record: Record) -> int:
    """Return an unsigned key of the last position, as in a database."""
    if record.final_key is not None:
        return record.final_key
    start = (record.fen or "").encode()
    return int.from_bytes(hashlib.sha256(start + blob_of(record.moves)).digest()[:8], "big")


def start_key(fen: str | None) -> int:
    """Return the Polyglot key of a start position, 0 for the standard one."""
    board = chess.Board(fen or chess.STARTING_FEN)
    if board.epd() == chess.Board().epd():
        return 0
    return chess.polyglot.zobrist_hash(board)


def _signed(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def _tags_of(record: Record) -> str | None:
    names = ("WhiteFideId", "BlackFideId")
    tags = {
        name: str(result) for name, result in zip(names, record.fide_ids, strict=True) if result
    }
    tags |= dict(record.tags)
    return json.dumps(tags, ensure_ascii=False, separators=(",", ":")) if tags else None


# --- results ------------------------------------------------------------------------------------


class Search(NamedTuple):
    """Results of a search, with indexes of records in place of IDs."""

    groups: list[list[int]]
    suspects: list[Pair]
    search_result: SearchResult
    ids: list[int]

    def compare(self, first: int = 0, second: int = 1, *, lenient: bool = False) -> Comparison:
        finder = self.search_result.finder
        return finder.compare(self.ids[first], self.ids[second], lenient)

    @property
    def verdict(self) -> str:
        """ "one", "two" or "suspects", of two games."""
        if self.groups:
            return "one"
        return "suspects" if self.suspects else "two"


def search(
    records: Sequence[Record],
    decisions: Iterable[tuple[int, int, bool]] = (),
    *,
    gates: Gates = GATES,
    weights: Weights = WEIGHTS,
    min_plies: int = 0,
    named: Gates | None = None,
    min_shorter: int = 0,
    ids: Sequence[int] | None = None,
    order: Sequence[int] = (),
) -> Search:
    """Search records for duplicates; `decisions` name records by index."""
    ids = list(ids or range(1, len(records) + 1))
    connection = database(records, ids, order=order)
    try:
        decided = [(ids[first], ids[second], is_same) for first, second, is_same in decisions]
        options = SearchOptions(gates, weights, min_plies, named=named, min_shorter=min_shorter)
        result = find_duplicates(connection, options, decided)
    finally:
        connection.close()
    number = {game_id: place for place, game_id in enumerate(ids)}
    groups = sorted(sorted(number[game_id] for game_id in group.ids) for group in result.groups)
    suspects = sorted(
        (min(pair), max(pair))
        for pair in (
            (number[pair.first], number[pair.second]) for pair in result.possible_duplicates
        )
    )
    return Search(groups, suspects, result, ids)
