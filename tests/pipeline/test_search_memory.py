"""The search in parts, with little memory and on threads gives the same result."""

from __future__ import annotations

import errno
import mmap
import os
import random
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import apsw
import pytest

from ocgdedup._kernels.search import GameBatch
from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.errors import StoreError, UsageError
from ocgdedup.pipeline.search import spill, stages
from ocgdedup.pipeline.search.detect import SearchOptions, SearchResult, find_duplicates
from ocgdedup.pipeline.search.spill import Resources, SpillFiles
from ocgdedup.pipeline.search.stages import read_games
from ocgdedup.store import connection as connections
from ocgdedup.store.connection import column_names, readers_beside
from ocgdedup.store.database import open_database
from ocgdedup.store.games import count_games
from ocgdedup.store.history import transaction
from ocgdedup.store.search_reader import GameReader, NameForms
from tests.support.databases import Silent
from tests.support.played_games import collection, mainline, pgn_text, san_of

GO_DEMO = Path(__file__).parents[2] / "scripts" / "demo_go"
PLAYED = 120
PART_BYTES = 20_000  # some 60 games
NO_LIMIT = 1 << 40
DECISIONS = [(1, 2, True), (3, 4, False)]


def pgn() -> str:
    """Return records of games by few players, with duplicates of every kind."""
    rng = random.Random(4)
    games = []
    for number in range(PLAYED):
        moves = san_of(mainline(number))
        for _ in range(rng.choice((1, 1, 2, 3))):
            white, black = rng.sample(("Tal, Mihail", "Tal, M", "Keres, Paul", "Petrosian, T"), 2)
            date = rng.choice(("1959.09.07", "1959.09.??", "1962.05.02"))
            end = rng.choice((len(moves), len(moves), rng.randrange(len(moves))))
            games.append(
                f'[White "{white}"]\n[Black "{black}"]\n[Date "{date}"]\n[Round "{number % 9}"]\n'
                f'[Result "*"]\n\n{" ".join(moves[:end])} *\n\n'
            )
    rng.shuffle(games)
    return "".join(games) + "".join(map(pgn_text, collection()))


@pytest.fixture(scope="module", params=["chess", "go"])
def connection(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[apsw.Connection]:
    folder = tmp_path_factory.mktemp("memory")
    source = GO_DEMO
    if request.param == "chess":
        source = folder / "games.pgn"
        source.write_text(pgn(), encoding="utf-8")
    create(CreateRequest(str(folder / "games.db3"), [str(source)]), Silent())
    database = open_database(str(folder / "games.db3"))
    yield database.connection
    database.close()


def results(result: SearchResult) -> tuple[object, ...]:
    compared = [result.compare(group.ids[0], group.ids[-1]) for group in result.groups]
    return result.groups.ids, result.groups.ends, result.possible_duplicates, compared


def in_parts(
    monkeypatch: pytest.MonkeyPatch, folder: Path, part_bytes: int, memory_bytes: int
) -> list[SpillFiles]:
    """Make each search work in parts; return the temporary spaces that they use."""
    spaces: list[SpillFiles] = []

    def spill_files_for(*_: object) -> SpillFiles:
        spaces.append(SpillFiles(str(folder), memory_bytes, part_bytes, jobs=3))
        return spaces[-1]

    monkeypatch.setattr(spill, "spill_files_for", spill_files_for)
    monkeypatch.setattr(stages, "_PART_GAMES", 17)
    monkeypatch.setattr(stages, "_LEAST_RANGE_GAMES", 10)
    monkeypatch.setattr(stages, "_STEP_GAMES", 4)
    monkeypatch.setattr(stages, "_SPILLED_GAMES", 50)
    monkeypatch.setattr(stages, "_SPILLED_PAIRS", 7)
    monkeypatch.setattr(stages, "_SPILLED_EDGES", 5)
    monkeypatch.setattr(spill, "_SAMPLES_A_RUN", 20)
    return spaces


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("part_bytes", [3_000, PART_BYTES, NO_LIMIT])
@pytest.mark.parametrize("memory_bytes", [0, NO_LIMIT])
def test_result_is_independent_of_memory_and_threads(
    connection: apsw.Connection,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    jobs: int,
    part_bytes: int,
    memory_bytes: int,
) -> None:
    expected = results(find_duplicates(connection, SearchOptions(), DECISIONS))
    spaces = in_parts(monkeypatch, tmp_path, part_bytes, memory_bytes)
    result = find_duplicates(connection, SearchOptions(), DECISIONS, resources=Resources(jobs))
    assert results(result) == expected
    assert len(spaces) == 1
    assert not list(tmp_path.iterdir())


def test_no_games_are_long_enough(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    in_parts(monkeypatch, tmp_path, PART_BYTES, 0)
    result = find_duplicates(connection, SearchOptions(min_plies=9_999))
    assert (result.games, len(result.groups), result.possible_duplicates) == (0, 0, [])


def test_games_of_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ranges of places end at the end of a line of any length."""
    text = "".join(f'[White "A{n}"]\n[Black "B"]\n\n1. e4 *\n\n' for n in range(300))
    Path(tmp_path / "a.pgn").write_text(text + '[White "C"]\n\n1. d4 *\n\n')
    create(CreateRequest(str(tmp_path / "a.db3"), [str(tmp_path / "a.pgn")]), Silent())
    database = open_database(str(tmp_path / "a.db3"))
    expected = results(find_duplicates(database.connection, SearchOptions()))
    in_parts(monkeypatch, tmp_path, PART_BYTES, 0)
    assert results(find_duplicates(database.connection, SearchOptions())) == expected
    database.close()


def test_threads_in_memory(connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = results(find_duplicates(connection, SearchOptions()))
    monkeypatch.setattr(stages, "_PART_GAMES", 17)
    monkeypatch.setattr(stages, "_LEAST_RANGE_GAMES", 10)
    monkeypatch.setattr(stages, "_STEP_GAMES", 4)
    result = find_duplicates(connection, SearchOptions(), resources=Resources(3))
    assert results(result) == expected


# --- several connections ------------------------------------------------------------------------


@pytest.fixture
def chess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[apsw.Connection]:
    """A database that one connection may change, read in parts of a few games."""
    (tmp_path / "a.pgn").write_text(pgn(), encoding="utf-8")
    create(CreateRequest(str(tmp_path / "a.db3"), [str(tmp_path / "a.pgn")]), Silent())
    monkeypatch.setattr(stages, "_PART_GAMES", 17)
    database = open_database(str(tmp_path / "a.db3"), writable=True)
    yield database.connection
    database.close()


def parts_read(connection: apsw.Connection, jobs: int = 3) -> int:
    """Return the number of parts read by several connections; check that all games are read."""
    reader, parts = CountingReader(connection, NameForms(str)), []
    reader.parts = parts
    read_games(connection, reader, jobs=jobs)
    assert reader.batch.is_read
    assert reader.batch.games == count_games(connection)
    return len(parts)


class CountingReader(GameReader):
    parts: list[range]

    def read_part(self, connection: apsw.Connection, ids: range) -> GameBatch:
        self.parts.append(ids)
        return super().read_part(connection, ids)


def test_parts_are_read_by_several_connections(chess: apsw.Connection) -> None:
    assert parts_read(chess) == -(-count_games(chess) // 17)
    assert parts_read(chess, jobs=1) == 0


def test_deleted_games_are_read_in_parts_too(chess: apsw.Connection) -> None:
    expected = results(find_duplicates(chess, SearchOptions()))
    path = chess.filename
    columns = ", ".join(column_names(chess, "Games") & column_names(chess, "RemovedGames"))
    chess.execute(
        f"INSERT INTO RemovedGames ({columns}, RemovedAt) "
        f"SELECT {columns}, '2026-01-01' FROM Games WHERE ID % 5 = 0"
    )
    chess.execute("DELETE FROM Games WHERE ID % 5 = 0")
    database = open_database(path)
    result = find_duplicates(database.connection, SearchOptions())
    three = find_duplicates(database.connection, SearchOptions(), resources=Resources(3))
    assert results(result) == results(three) != expected
    database.close()


def test_uncommitted_games_are_read_by_their_connection(chess: apsw.Connection) -> None:
    with transaction(chess):
        assert parts_read(chess) > 1
        chess.execute("UPDATE Games SET Date = '1900.01.01'")
        assert parts_read(chess) == 0


def test_other_connections_do_not_read_a_log(chess: apsw.Connection) -> None:
    chess.pragma("journal_mode", "wal")
    assert parts_read(chess) == 0


def test_nobody_writes_while_parts_are_read(chess: apsw.Connection) -> None:
    other = apsw.Connection(chess.filename)
    with readers_beside(chess, 2) as readers:
        assert len(readers) == 2
        with pytest.raises(apsw.BusyError):
            other.execute("DELETE FROM Suspects")
    other.execute("DELETE FROM Suspects")
    other.close()


def test_a_file_locked_by_its_own_connection(chess: apsw.Connection) -> None:
    chess.execute("BEGIN EXCLUSIVE")
    assert parts_read(chess) == 0
    chess.execute("ROLLBACK")


def test_few_games_with_high_ids(chess: apsw.Connection) -> None:
    path = chess.filename
    chess.execute(f"UPDATE Games SET ID = {1 << 60} WHERE ID = 7")
    database = open_database(path)
    assert parts_read(database.connection) == 0
    database.close()


def test_an_odd_value_in_a_part_is_an_error(chess: apsw.Connection) -> None:
    path = chess.filename
    chess.execute("UPDATE Games SET Moves2 = 'text' WHERE ID = 100")
    database = open_database(path)
    with pytest.raises(TypeError, match="game 100: column"):
        parts_read(database.connection)
    database.close()


def test_a_part_belongs_to_its_batch() -> None:
    batch = GameBatch()
    with pytest.raises(ValueError, match="only a completely read part of this batch"):
        batch.append(GameBatch())
    with pytest.raises(ValueError, match="only a completely read part"):
        batch.append(batch.part())
    with pytest.raises(ValueError, match="shares the texts of its batch"):
        batch.part().load_events(apsw.Connection(":memory:"), "SELECT 1, 'x'")
    with pytest.raises(ValueError, match="shares the texts of its batch"):
        batch.part().part()


class MemoryMap(mmap.mmap):
    """A memory map that counts how often memory is released."""

    advised = 0

    def madvise(self, option: int, *rest: int) -> None:
        MemoryMap.advised += option == mmap.MADV_DONTNEED
        super().madvise(option, *rest)


def test_memory_is_handed_back(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Mapped memory is released when the process exceeds its limit, and at the end."""
    monkeypatch.setattr(mmap, "mmap", MemoryMap)
    for memory_bytes, is_short in ((0, True), (NO_LIMIT, False)):
        MemoryMap.advised = 0
        in_parts(monkeypatch, tmp_path, PART_BYTES, memory_bytes)
        find_duplicates(connection, SearchOptions())
        assert (MemoryMap.advised > 20) is is_short
        assert (MemoryMap.advised == 2) is not is_short  # of the two files, at the end


def test_a_full_disk_is_an_error(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Full(BytesIO):
        def write(self, data: memoryview) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    in_parts(monkeypatch, tmp_path, PART_BYTES, 0)
    monkeypatch.setattr(SpillFiles, "new_file", lambda _: Full())
    with pytest.raises(StoreError, match=r"No space left on device; .* --temp-dir"):
        find_duplicates(connection, SearchOptions())


def test_memory_decides_where_games_go(connection: apsw.Connection) -> None:
    assert spill.spill_files_for(connection, Resources(memory_bytes=NO_LIMIT)) is None
    with pytest.raises(UsageError, match=r"100 MB of memory are too little .* at least --memory"):
        spill.spill_files_for(connection, Resources(memory_bytes=100_000_000))
    assert spill.spill_files_for(connection, Resources(memory_bytes=150_000_000)) is not None


def test_memory_decides_if_the_file_is_mapped(connection: apsw.Connection) -> None:
    size = int(connection.pragma("page_count")) * int(connection.pragma("page_size"))
    search = spill._search_bytes(size)
    assert spill.may_map_file(connection, Resources(memory_bytes=int(search) + size + 1))
    assert not spill.may_map_file(connection, Resources(memory_bytes=int(search) + size - 1))
    twice = Resources(memory_bytes=int(search) + 2 * size + 1)
    assert spill.may_map_file(connection, twice, 2)
    assert not spill.may_map_file(connection, twice, 3)


def test_memory_decides_if_moves_are_copied(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copies take two bytes a ply more than a search needs otherwise."""
    size = int(connection.pragma("page_count")) * int(connection.pragma("page_size"))
    (plies,) = connection.execute("SELECT sum(PlyCount) FROM Games").fetchone() or (0,)
    monkeypatch.setattr(stages, "_MANY_GAMES", 0)
    needed = int(spill._search_bytes(size)) + 2 * plies
    copied = []
    copy_moves = stages._Stages.copy_moves

    def counted(self: stages._Stages) -> None:
        copied.append(needed)
        copy_moves(self)

    monkeypatch.setattr(stages._Stages, "copy_moves", counted)
    mapped = needed + size
    assert size > 2 * plies
    for memory, copies in ((needed + 1, 1), (needed - 1, 0), (mapped + 1, 1), (mapped - 1, 0)):
        copied.clear()
        find_duplicates(connection, SearchOptions(), resources=Resources(memory_bytes=memory))
        assert len(copied) == copies


def test_threads_map_the_file_if_the_connection_does(
    chess: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that seek map nearly all of it, each, and mapped pages count as memory."""
    monkeypatch.setattr(connections, "_MAPPED_BYTES", 8192)
    size = int(chess.pragma("page_count")) * int(chess.pragma("page_size"))
    connections.map_file(chess)
    assert chess.pragma("mmap_size") == size > 8192
    for named, mapped in (
        ({"seeks": True, "maps_file": False}, 8192),
        ({"seeks": True}, size),
        ({"maps_file": False}, 0),
        ({}, size),
    ):
        with readers_beside(chess, 2, **named) as readers:
            assert [reader.pragma("mmap_size") for reader in readers] == [mapped, mapped]


def test_a_missing_folder_is_an_error(connection: apsw.Connection, tmp_path: Path) -> None:
    resources = Resources(memory_bytes=150_000_000, temp_folder=str(tmp_path / "missing"))
    with pytest.raises(StoreError, match="missing: cannot be written"):
        find_duplicates(connection, SearchOptions(), resources=resources)
