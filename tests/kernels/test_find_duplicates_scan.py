"""Input of the finder: odd values, older columns, original headers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import apsw
import pytest

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import DuplicateFinder, GameBatch
from ocgdedup.errors import SqliteError, StoreError
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.name_form import relation
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.pipeline.search.stages import run_stages
from ocgdedup.store.games import load_kernel
from ocgdedup.store.search_reader import GAME_COLUMNS, GameReader, NameForms
from tests.reference.evidence import CONFLICT, SAME_PERSON
from tests.support.copy_games import (
    Record,
    batch_of,
    blob_of,
    database,
    finder_of,
    line,
    search,
)
from tests.support.databases import DROP_VIEWS

GAME = Record(line(1, 60))


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    """Two records of one game, with the IDs 1 and 2."""
    made = database([GAME, GAME._replace(source=2)])
    yield made
    made.close()


def groups_of(connection: apsw.Connection) -> list[list[int]]:
    return [group.ids for group in find_duplicates(connection, SearchOptions()).groups]


def scan(
    batch: GameBatch, connection: apsw.Connection, sql: str, headers: str | None = None
) -> None:
    batch.open_scan(connection, sql, headers)
    while not batch.is_read:
        batch.scan_more()


def searched(connection: apsw.Connection) -> DuplicateFinder:
    finder = finder_of(connection)
    run_stages(finder)
    return finder


# --- tags that have no column -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tags", "side"),
    [
        ('{"WhiteFideId":"7"}', SAME_PERSON),
        ('{"WhiteFideId": 7}', SAME_PERSON),
        ('{"A":"b","BlackFideId":"9","WhiteFideId":"7"}', SAME_PERSON),
        ('{"WhiteFideId":"007"}', SAME_PERSON),
        ('{"WhiteFideId":"8"}', CONFLICT),
        ('{"WhiteFideId":"70"}', CONFLICT),
        ('{"WhiteFideId":"4294967303"}', CONFLICT),  # 7 in 32 bits
        ('{"WhiteFideId":""}', 1),
        ('{"WhiteFideId":"x7"}', 1),
        ('{"WhiteFideId"', 1),
        ('{"BlackFideId":"7"}', 1),
        ('{"WhiteFideIdx":"7"}', 1),
        ("{}", 1),
        ("", 1),
        (None, 1),
    ],
)
def test_fide_ids(connection: apsw.Connection, tags: str | None, side: int) -> None:
    connection.execute("""UPDATE Games SET ExtraTags = '{"WhiteFideId":"7"}' WHERE ID = 1""")
    connection.execute("UPDATE Games SET ExtraTags = ? WHERE ID = 2", (tags,))
    verdict = searched(connection).compare(1, 2)
    assert verdict.sides == (side, 1)


# --- odd values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "WhiteID = NULL, BlackID = NULL",
        "WhiteID = -1, BlackID = 1 << 40",
        "EventID = NULL, SiteID = 77",
        "Date = 19290906, Round = 4, Result = 5",
        "Date = '', Round = '', Result = ''",
        "WhiteElo = 1 << 40, BlackElo = -9000000000",
        "FinalZobrist = NULL, MoveHash = NULL, SourceID = NULL",
        "WhitePersonID = 1 << 40, SourceID = 1 << 40",
        "PlyCount = NULL",
        "FEN = ''",
    ],
)
def test_odd_values_in_one_record(connection: apsw.Connection, change: str) -> None:
    connection.execute(f"UPDATE Games SET {change} WHERE ID = 2")
    assert groups_of(connection) == [[1, 2]]
    connection.execute(f"UPDATE Games SET {change}")
    assert find_duplicates(connection, SearchOptions()).games == 2


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ("WhiteID = 'x'", 1),
        ("CoreHash = 'x'", 5),
        ("Date = x'00ff00ff00ff00ff00ff00'", 8),
        ("WhiteElo = 'high'", 11),
        ("ExtraTags = x'0102'", 13),
        ("BackFilled = 'x'", 14),
        ("Moves2 = 'text'", 16),
        ("Moves2 = 7", 16),
        ("FinalZobrist = 'x'", 17),
        ("MoveHash = 1.5", 18),
    ],
)
def test_values_of_a_wrong_type(connection: apsw.Connection, change: str, column: int) -> None:
    connection.execute(f"UPDATE Games SET {change} WHERE ID = 2")
    with pytest.raises(TypeError, match=f"game 2: column {column} of the statement"):
        finder_of(connection)


@pytest.mark.parametrize("moves", [b"", b"\1", b"\xff" * 81, bytes(2000), None])
def test_odd_move_blobs(connection: apsw.Connection, moves: object) -> None:
    """Half a move at the end is skipped; null moves and invalid moves count as moves."""
    connection.execute("UPDATE Games SET Moves2 = ?", (moves,))
    assert groups_of(connection) == [[1, 2]]
    connection.execute("UPDATE Games SET Moves2 = ? WHERE ID = 1", (blob_of(GAME.moves),))
    assert find_duplicates(connection, SearchOptions()).games == 2


def test_mainlines_are_the_blobs(connection: apsw.Connection) -> None:
    connection.execute("UPDATE Games SET Moves2 = x'010203' WHERE ID = 2")
    finder = searched(connection)
    assert finder.mainline(1) == blob_of(GAME.moves)
    assert finder.mainline(2) == b"\1\2"
    assert not finder.starts_elsewhere(1)


def test_start_positions() -> None:
    records = [GAME, GAME._replace(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]
    finder = searched(database(records))
    assert [finder.starts_elsewhere(game_id) for game_id in (1, 2)] == [False, True]


def test_ids_with_gaps() -> None:
    ids = [-9, 5, 6, 7, 1 << 40, (1 << 62) + 3]
    records = [GAME._replace(source=number) for number in range(6)]
    assert search(records, ids=ids).search_result.groups[0].ids == ids
    assert search(records, ids=ids[::-1]).search_result.groups[0].ids == ids


@pytest.mark.parametrize("game_id", ["3 - ID", "7"])
def test_ids_must_rise(connection: apsw.Connection, game_id: str) -> None:
    sql = f"SELECT {game_id}, {', '.join(GAME_COLUMNS)} FROM Games ORDER BY ID"
    batch = GameBatch()
    load_kernel(connection, search_kernel)
    with pytest.raises(ValueError, match="ID"):
        scan(batch, connection, sql)


def test_games_are_read_once(connection: apsw.Connection) -> None:
    batch = batch_of(connection)
    sql = f"SELECT ID, {', '.join(GAME_COLUMNS)} FROM Games ORDER BY ID"
    load_kernel(connection, search_kernel)
    with pytest.raises(ValueError, match="read"):
        scan(batch, connection, sql)


def test_names_and_texts_of_other_scripts() -> None:
    other = GAME._replace(white="Алехин, Александр", black="Боголюбов, Ефим", event="Турнир")
    assert search([other, other._replace(source=2)]).groups == [[0, 1]]
    accents = GAME._replace(white="Müller, Jörg", source=2)
    assert search([GAME._replace(white="Muller, Jorg"), accents]).compare().sides == (1, 1)


NAMES = (
    "Carlsen, Magnus", "Carlsen, M", "Magnus Carlsen", "Karlsen, Magnus", "Carlsson, Magnus",
    "Carlsen, Sven", "N.N.", "van der Haas, Jan", "Jan de Haas", "Haas, J. P.", "Smith, John Jr",
    "Smith, John Sr", "Smyslov, Vasily", "Shchukin, Yevgeniy", "Schukin, Evgeny", "Stockfish 12",
    "Deep Fritz 8", "Fritz", "王皓", "王昊", "Алехин, Александр", "Alekhine, Alexander", "X",
    "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
    "Bcdfghklmnpqrstvbcdfghk, Bcdfghklmnpqrstvbcdfghk", "Garcia Lopez de la Torre Ruiz, Jose Luis",
    "Lopez Garcia de la Torre Ruiz Perez, Jose", "Kramnik,V", "Kramnik, Vladimir B.",
)  # fmt: skip


def test_packed_names_compare_as_names_do() -> None:
    """The search packs names; unpacked names must be those that player_names compares."""
    finder = finder_of(database([GAME._replace(white=name) for name in NAMES]))
    run_stages(finder)
    for (first, left), (second, right) in product(enumerate(NAMES, 1), repeat=2):
        code = relation(left, right)
        comparison = finder.compare(first, second)
        assert comparison.sides[0] == code, (left, right)


# --- headers, removed games, older databases ------------------------------------------------------


def test_original_headers_count_not_merged_ones(connection: apsw.Connection) -> None:
    columns = (
        "WhiteID, BlackID, WhitePersonID, BlackPersonID, CoreHash, EventID, SiteID, Date, Round, "
        "Result, WhiteElo, BlackElo, ExtraTags"
    )
    connection.execute(
        f"INSERT INTO UnmergedHeaders (GameID, {columns}) "
        f"SELECT ID, {columns} FROM Games WHERE ID = 2"
    )
    before = searched(connection).compare(1, 2)
    connection.execute("UPDATE Games SET Date = '1950.01.01', Result = '0-1' WHERE ID = 2")
    assert searched(connection).compare(1, 2) == before
    connection.execute("UPDATE UnmergedHeaders SET Date = '1951.01.01', GameID = 77")
    assert searched(connection).compare(1, 2) != before


def test_headers_of_missing_games_are_skipped() -> None:
    connection = database([GAME, GAME._replace(date="1951.01.01")], [5, 9])
    columns = (
        "WhiteID, BlackID, WhitePersonID, BlackPersonID, CoreHash, EventID, SiteID, Date, Round, "
        "Result, WhiteElo, BlackElo, ExtraTags"
    )
    for game_id in (2, 7, 9, 12):
        connection.execute(
            f"INSERT INTO UnmergedHeaders (GameID, {columns}) "
            f"SELECT {game_id}, {columns} FROM Games WHERE ID = 5"
        )
    assert searched(connection).compare(5, 9).date == searched(connection).compare(9, 5).date == 1


def test_sqlite_errors_of_the_header_statement_are_raised(connection: apsw.Connection) -> None:
    sql = f"SELECT ID, {', '.join(GAME_COLUMNS)} FROM Games ORDER BY ID"
    for headers, message in (
        ("SELECT", "incomplete input"),
        ("SELECT abs(-9223372036854775808)", "integer overflow"),
    ):
        batch = GameBatch()
        load_kernel(connection, search_kernel)
        with pytest.raises(SqliteError, match=message):
            scan(batch, connection, sql, headers)


def test_columns_that_an_older_database_lacks() -> None:
    connection = database([GAME, GAME])
    connection.execute(DROP_VIEWS)
    for column in ("CoreHash", "ExtraTags", "MoveHash", "FinalZobrist", "SourceID"):
        connection.execute(f"ALTER TABLE Games DROP COLUMN {column}")
    connection.execute("DROP TABLE UnmergedHeaders")
    assert groups_of(connection) == [[1, 2]]


def test_sqlite_errors_name_the_place(connection: apsw.Connection) -> None:
    connection.execute(f"{DROP_VIEWS} ALTER TABLE Games RENAME COLUMN PlyCount TO Plies")
    reader = GameReader(connection, NameForms(plain_letters), min_plies=1)
    with pytest.raises(StoreError, match="memory: games cannot be read: no such column: PlyCount"):
        reader.open()
    connection.execute("ALTER TABLE Players RENAME COLUMN Name TO Text")
    with pytest.raises(StoreError, match="memory: games cannot be read: no such column: Name"):
        batch_of(connection)


@pytest.mark.parametrize("table", ["Players", "Events", "Sites"])
@pytest.mark.parametrize(
    ("value", "error"), [("x'4142'", TypeError), ("cast(x'ff' AS TEXT)", UnicodeDecodeError)]
)
def test_names_that_are_not_text(
    connection: apsw.Connection, table: str, value: str, error: type[Exception]
) -> None:
    connection.execute(f"UPDATE {table} SET Name = {value} WHERE ID = 1")
    with pytest.raises(error):
        batch_of(connection)


def test_a_statement_that_sqlite_refuses(connection: apsw.Connection) -> None:
    batch = GameBatch()
    for sql, message in (
        ("SELECT", "incomplete input"),
        ("SELECT * FROM Missing", "no such table: Missing"),
        ("SELECT abs(-9223372036854775808)", "integer overflow"),
    ):
        load_kernel(connection, search_kernel)
        with pytest.raises(SqliteError) as caught:
            scan(batch, connection, sql)
        assert caught.value.args[1] == message


def test_a_connection_that_has_not_loaded_the_kernel(connection: apsw.Connection) -> None:
    batch = GameBatch()
    with pytest.raises(ValueError, match="has not just loaded"):
        scan(batch, connection, "SELECT 1")
