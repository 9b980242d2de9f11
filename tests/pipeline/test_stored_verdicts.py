"""A search after new games reuses verdicts, and gives the result of a full search."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest
from ocgdedup.commands.review import decide_all
from ocgdedup.errors import StoreError
from ocgdedup.model import GivenDecision
from ocgdedup.pipeline.search import stages
from ocgdedup.pipeline.search.detect import (
    SearchOptions,
    SearchResult,
    find_duplicates,
    searched_finder,
    verdict_options,
)
from ocgdedup.pipeline.search.key_groups import KeyOptions
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.pipeline.search.stages import run_stages
from ocgdedup.store import file_state
from ocgdedup.store.database import open_database
from ocgdedup.store.file_state import (
    Verdicts,
    games_are_added,
    has_verdicts,
    note_result,
    search_token,
    stored_verdicts,
    unchanged_result,
    verdicts_still_hold,
)
from ocgdedup.store.history import transaction
from ocgdedup.store.names import SEARCH_TOKEN, read_state, write_state
from tests.pipeline.test_search_memory import in_parts
from tests.support.copy_games import Moves, Record, database, finder_of, line
from tests.support.databases import Silent
from tests.support.played_games import mainline, san_of

NAMES = ("Tal, Mihail", "Tal, M", "Keres, Paul", "Petrosian, T", "Geller, E", "Smyslov, V")
DATES = ("1959.09.07", "1959.09.??", "1959.??.??", "1962.05.02", "????.??.??")
OTHER = Record(line(99, 40), "Reti, Richard", "Vidmar, Milan", "1921.03.04")
EDGE_BYTES = 18
# Of games_of_few_lines(): some, and those of which each finds another mistake.
SEEDS = (*range(24), 155, 179, 184, 229, 236, 288, 300, 302, 308, 333, 349, 379, 390)


def texts(seed: int, played: int = 60) -> list[str]:
    """Return records of games as texts, in random order.

    Long common starts and few players make many share a key, and some a mainline.
    """
    rng = random.Random(seed)
    games = []
    for number in range(played):
        moves = mainline(number)
        if number % 3 == 0:
            moves = mainline(3 * (number // 30))
        for _ in range(rng.choice((1, 1, 2, 3))):
            end = rng.choice((len(moves), len(moves), rng.randrange(len(moves))))
            white, black = rng.sample(NAMES, 2)
            games.append(
                f'[Event "E{number % 4}"]\n[Site "{rng.choice("AB")}"]\n'
                f'[Date "{rng.choice(DATES)}"]\n[Round "{number % 9}"]\n[White "{white}"]\n'
                f'[Black "{black}"]\n[Result "*"]\n\n{" ".join(san_of(moves[:end]))} *\n\n'
            )
    games += rng.sample(games, len(games) // 4)  # equal records of other sources
    rng.shuffle(games)
    return games


def add(path: Path, games: list[str]) -> None:
    """Load games as a separate source."""
    source = path.with_name(f"{len(list(path.parent.iterdir()))}.pgn")
    source.write_text("".join(games))
    create(CreateRequest(str(path), [str(source)], append=path.exists()), Silent())


def searched(path: Path) -> None:
    dedup(DedupRequest(str(path)), may_upgrade=lambda _: False, reporter=Silent())


def results(result: SearchResult) -> tuple[object, ...]:
    return result.groups.ids, result.groups.ends, result.possible_duplicates


def stored_edges(path: Path, known: Verdicts | None = None) -> bytes:
    """Search and return all edges; `known`: see run_stages()."""
    database = open_database(str(path))
    edges: list[bytes] = []
    searched_finder(
        database.connection, SearchOptions(), (), last_verdicts=known, store_edges=edges.extend
    )
    database.close()
    return b"".join(edges)


def edges_of(records: list[Record], known: Verdicts | None = None) -> bytes:
    """Search records and return all edges; `known`: see run_stages()."""
    edges: list[bytes] = []
    run_stages(finder_of(database(records)), last_verdicts=known, store_edges=edges.extend)
    return b"".join(edges)


def judged(path: Path) -> tuple[int, int, bool]:
    """Search with and without stored verdicts.

    Return the numbers of pairs judged without and with them, and whether verdicts are stored;
    check that the results are the same.
    """
    database = open_database(str(path))
    connection = database.connection
    options = SearchOptions()
    whole = find_duplicates(connection, options)
    are_stored = stored_verdicts(connection, verdict_options(connection, options)) is not None
    result = find_duplicates(connection, options, judge_all=False)
    assert results(result) == results(whole)
    counts = whole.finder.pairs_judged, result.finder.pairs_judged
    database.close()
    return *counts, are_stored


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database that was searched before its last games were imported."""
    games = texts(7)
    add(tmp_path / "a.db3", games[:-9])
    searched(tmp_path / "a.db3")
    add(tmp_path / "a.db3", games[-9:])
    return tmp_path / "a.db3"


@pytest.mark.parametrize("seed", range(12))
def test_result_equals_that_of_a_full_search(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    games = texts(seed, rng.choice((5, 30, 90)))
    path = tmp_path / "a.db3"
    start = 0
    while start < len(games):
        end = start + 1 + rng.randrange(len(games) if start == 0 else 20)
        add(path, games[start:end])
        whole, rest, are_stored = judged(path)
        assert are_stored == (start > 0)
        assert rest <= whole
        searched(path)
        start = end


@pytest.mark.parametrize("few", [0, 1, 1 << 60], ids=["chosen", "often chosen", "all made"])
@pytest.mark.parametrize("seed", range(8))
def test_chosen_keys_leave_the_same_edges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, few: int
) -> None:
    monkeypatch.setattr(stages, "_FEW_TOUCHED", few)
    rng = random.Random(seed)
    games = texts(seed, 90)
    path = tmp_path / "a.db3"
    start, end = 0, rng.randrange(len(games))
    while start < len(games):
        before = path.exists() and stored_edges(path)
        add(path, games[start:end])
        if start:
            assert stored_edges(path, Verdicts(start, iter([before]))) == stored_edges(path)
        start, end = end, end + rng.choice((1, 3, 20))


def games_of_few_lines(seed: int) -> list[Record]:
    """Return games of a few mainlines, truncated, longer, with slips, or equal records.

    Some have the last position of other games, as a damaged file may say.
    """
    rng = random.Random(seed)
    root = line(50, 30)
    lines = [
        root[: rng.choice((0, 0, 12, 30))] + line(number, rng.choice((0, 8, 16, 24, 40, 80)))
        for number in range(rng.choice((1, 2, 3, 6)))
    ]

    def moves() -> Moves:
        own = rng.choice(lines)
        change = rng.random()
        if change < 0.2:
            return own[: rng.randrange(len(own) + 1)]
        if change < 0.35 and len(own) > 3:
            ply = rng.randrange(len(own))
            return (*own[:ply], rng.choice((5, 6, 7)), *own[ply + 1 :])
        return own + line(rng.randrange(70, 73), rng.choice((2, 10, 30))) if change < 0.45 else own

    names = (*rng.sample(NAMES, rng.choice((2, 4))), "?", None)
    games = [
        Record(
            moves(), rng.choice(names), rng.choice(names), rng.choice(DATES),
            event=rng.choice(("Candidates", None)), source=rng.randrange(1, 4),
            final_key=rng.choice((None, None, 1 << 40, 2 << 40)),
        )
        for _ in range(rng.choice((20, 60, 150)))
    ]  # fmt: skip
    return [rng.choice(games) if rng.random() < 0.3 else game for game in games]


@pytest.mark.parametrize("few", [0, 1 << 60], ids=["chosen", "all made"])
@pytest.mark.parametrize("seed", SEEDS)
def test_new_games_of_a_mainline_leave_the_edges_that_a_full_search_finds(
    monkeypatch: pytest.MonkeyPatch, seed: int, few: int
) -> None:
    monkeypatch.setattr(stages, "_FEW_TOUCHED", few)
    rng = random.Random(seed)
    games = games_of_few_lines(seed)
    old = len(games) - rng.choice((1, 2, 8))
    before = edges_of(games[:old])
    assert edges_of(games, Verdicts(old, iter([before]))) == edges_of(games)


def test_only_pairs_that_new_games_touch_are_judged(path: Path) -> None:
    whole, rest, are_stored = judged(path)
    assert are_stored
    assert 0 < rest < whole / 2
    searched(path)
    assert judged(path)[1:] == (0, True)


@pytest.mark.parametrize("few", [0, 1 << 60], ids=["chosen", "all made"])
@pytest.mark.parametrize("jobs", [1, 3])
def test_in_parts_and_on_threads(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, few: int
) -> None:
    monkeypatch.setattr(stages, "_FEW_TOUCHED", few)
    expected = judged(path)
    spaces = in_parts(monkeypatch, tmp_path, 20_000, 0)
    database = open_database(str(path))
    resources = Resources(jobs)
    result = find_duplicates(
        database.connection, SearchOptions(), resources=resources, judge_all=False
    )
    whole = find_duplicates(database.connection, SearchOptions())
    assert results(result) == results(whole)
    assert result.finder.pairs_judged == expected[1]
    assert len(spaces) == 2
    database.close()


@pytest.mark.parametrize("jobs", [1, 3])
def test_stored_verdicts_do_not_depend_on_threads(
    path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr(stages, "_LEAST_RANGE_GAMES", 10)
    monkeypatch.setattr(stages, "_STEP_GAMES", 4)
    monkeypatch.setattr(stages, "STORED_EDGES", 7)
    database = open_database(str(path), writable=True)
    connection = database.connection
    stored = []
    for resources in (Resources(), Resources(jobs)):
        with transaction(connection):
            find_duplicates(connection, SearchOptions(), resources=resources, stores_verdicts=True)
        stored.append(connection.execute("SELECT Edges FROM Verdicts ORDER BY ID").fetchall())
    assert stored[0] == stored[1]
    assert len(stored[0]) > 1
    database.close()


def pairs_judged(records: list[Record], old: int) -> tuple[int, int]:
    """Return the numbers of pairs judged by a full search, and by one with stored verdicts."""
    edges: list[bytes] = []
    run_stages(finder_of(database(records[:old])), store_edges=edges.extend)
    whole, rest = finder_of(database(records)), finder_of(database(records))
    run_stages(whole)
    run_stages(rest, last_verdicts=Verdicts(old, iter(edges)))
    assert rest.groups_found() == whole.groups_found()
    assert rest.possible_duplicates() == whole.possible_duplicates()
    return whole.pairs_judged, rest.pairs_judged


def test_pairs_that_a_new_game_makes_candidates_are_judged() -> None:
    """Two players with so many long games that one more game is paired with neighbours only."""
    records = [
        Record(line(number, 120), "Tal, Mihail", "Keres, Paul", date=f"1959.{number:02}.0{day}")
        for number in range(1, 13)
        for day in (1, 7)
    ]
    records = [
        record._replace(moves=line(100 + number, 120)) for number, record in enumerate(records)
    ]
    assert pairs_judged(records, 23) == (0, 0)
    records.append(records[0]._replace(moves=line(99, 120), date="1959.12.24"))
    assert pairs_judged(records, 24) == (69, 69)


def test_an_edge_stays_if_a_new_game_shares_another_key_than_made_it_a_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two long games are a pair by their moves; the new game shares only their players.

    Their mainlines differ; equal mainlines would always be a pair.
    """
    monkeypatch.setattr(stages, "_FEW_TOUCHED", 0)
    records = [
        Record(line(1, 120), "Tal, Mihail", "Keres, Paul", "1959.09.07"),
        Record(line(1, 118), "Tal, Mihail", "Keres, Paul", "1959.09.07", source=2),
        Record(line(99, 120), "Tal, Mihail", "Keres, Paul", "1959.02.03"),
    ]
    edges = edges_of(records[:2])
    assert len(edges) == EDGE_BYTES
    assert edges_of(records, Verdicts(2, iter([edges]))) == edges


@pytest.mark.parametrize("number", range(6))
def test_a_new_game_separates_neighbours_of_a_mainline(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Short games of one known player have no keys: near neighbours of a mainline are pairs."""
    monkeypatch.setattr(stages, "_FEW_TOUCHED", 0)
    games = [
        Record(line(1, 8), black="?", date="1929.??.??", elos=(2000 + elo, 0), source=elo % 5 + 1)
        for elo in range(40)
    ]
    new = Record(line(1, 8), "?", "?", date=None, elos=(number, 0), event=None)
    before, whole = edges_of(games), edges_of([*games, new])
    assert edges_of([*games, new], Verdicts(40, iter([before]))) == whole != before


def test_only_edges_of_a_game_with_more_theory_are_judged_again() -> None:
    """Two unrelated games share 20 and 30 plies with three others; the new one shares 40."""
    records = [
        Record(line(1, 60)),
        Record(line(1, 56), source=2),
        Record((*line(1, 45), *line(2, 30)), date="1930.01.01", round="9"),
        Record((*line(1, 20), *line(7, 30)), "Euwe, Max", "Flohr, Salo", "1950.01.01"),
        Record((*line(1, 30), *line(8, 30)), "Reti, Richard", "Vidmar, Milan", "1921.03.04"),
        Record((*line(1, 40), *line(9, 30)), "Tal, Mihail", "Geller, Efim", "1971.03.04"),
    ]
    # Three pairs with the new game, and the edge; the two pairs that are none stay as they are.
    assert pairs_judged(records, 5) == (6, 3 + 1)


@pytest.mark.parametrize("move", [1, 0x5000], ids=["before", "after"])
@pytest.mark.parametrize("nameless", range(92, 97))
def test_verdicts_do_not_hold_where_the_first_game_not_visited_is_new(
    nameless: int, move: int
) -> None:
    """Theory is sought in 96 neighbours at most; then the plies shared with the next one count."""
    start = line(1, 40)
    records = [
        Record(start),
        Record((*start, 5), source=2),
        Record((*start[:38], 7, 8), "Euwe, Max", "Flohr, Salo", "1950.01.01"),
    ]
    records += [Record((*start[:36], 100 + n, 9), "?", "?", None) for n in range(nameless)]
    records.append(Record((*start[:35], move, 9), "?", "?", None))
    known = Verdicts(len(records) - 1, iter([edges_of(records[:-1])]))
    assert edges_of(records, known) == edges_of(records)


def test_verdicts_do_not_hold_where_a_new_game_makes_a_line_known() -> None:
    """Two unrelated games share 40 plies with a pair; the second makes these opening theory."""
    records = [
        Record(line(1, 60)),
        Record(line(1, 56), source=2),
        Record((*line(1, 40), *line(7, 30)), "Euwe, Max", "Flohr, Salo", "1950.01.01"),
        Record((*line(1, 40), *line(8, 30)), "Reti, Richard", "Vidmar, Milan", "1921.03.04"),
    ]
    edges: list[bytes] = []
    run_stages(finder_of(database(records[:3])), store_edges=edges.extend)
    wrong = b"".join(edges)
    assert len(wrong) == EDGE_BYTES
    wrong = wrong[:16] + b"\x01" + wrong[17:]  # a possible duplicate only
    touched, kept = finder_of(database(records)), finder_of(database([*records[:3], OTHER]))
    run_stages(touched, last_verdicts=Verdicts(3, iter([wrong])))
    run_stages(kept, last_verdicts=Verdicts(3, iter([wrong])))
    assert touched.groups_found()[0].tolist() == [1, 2]
    assert kept.groups_found()[0].tolist() == []


def test_equal_records_of_a_new_source_concern_all_games_with_these_moves() -> None:
    same = [Record(line(1, 60), source=number) for number in (1, 1, 2)]
    others = [Record(line(number, 60), "A", "B", source=1) for number in range(2, 9)]
    assert pairs_judged([*others, *same[:2], same[2]], len(others) + 2) == (3, 3)


# --- when they hold -----------------------------------------------------------------------------


def test_decisions_do_not_change_verdicts(path: Path) -> None:
    searched(path)
    decide_all(str(path), [GivenDecision("line 1", 1, 2, "same")], Silent())
    assert judged(path)[1:] == (0, True)
    searched(path)
    assert judged(path)[1:] == (0, True)


def test_a_run_after_a_revoked_decision_keeps_verdicts(path: Path) -> None:
    searched(path)
    for decision in ("same", None):
        decide_all(str(path), [GivenDecision("line 1", 1, 2, decision)], Silent())
    searched(path)
    assert judged(path)[1:] == (0, True)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE Games SET Date = '1901.01.01' WHERE ID = 3",
        "UPDATE Players SET Name = 'Nobody' WHERE ID = 3",
        "DELETE FROM Games WHERE ID = 3",
        "INSERT INTO Info VALUES ('Whatever', '1')",
    ],
)
def test_a_change_by_another_program_invalidates_verdicts(path: Path, sql: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()
    whole, rest, are_stored = judged(path)
    assert not are_stored
    assert rest == whole


def test_other_options_judge_all_pairs(path: Path) -> None:
    database = open_database(str(path))
    connection = database.connection
    assert has_verdicts(connection)
    for options in (SearchOptions(min_plies=3), SearchOptions(min_shorter=2)):
        assert stored_verdicts(connection, verdict_options(connection, options)) is None
    assert stored_verdicts(connection, verdict_options(connection, SearchOptions())) is not None
    database.close()


def test_a_change_in_the_same_transaction_may_invalidate_verdicts(path: Path) -> None:
    database = open_database(str(path), writable=True)
    with transaction(database.connection):
        assert has_verdicts(database.connection)
        database.connection.execute("UPDATE Games SET Date = '1901.01.01' WHERE ID = 3")
        assert not has_verdicts(database.connection)
    database.close()


def test_full_search_judges_all_pairs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        "ocgdedup.pipeline.search.detect.stored_verdicts", lambda *_: asked.append(1)
    )
    dedup(DedupRequest(str(path), full=True), may_upgrade=lambda _: False, reporter=Silent())
    assert not asked


def test_a_run_by_key_keeps_the_verdicts_of_the_previous_search(path: Path) -> None:
    searched(path)
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE Games SET Date = '1901.01.01' WHERE ID = 3")
    connection.close()
    request = DedupRequest(str(path), by_key=KeyOptions("moves"))
    dedup(request, may_upgrade=lambda _: False, reporter=Silent())
    assert not judged(path)[2]


def test_a_load_without_games_leaves_the_note(path: Path) -> None:
    searched(path)
    database = open_database(str(path), writable=True)
    connection = database.connection
    before = path.read_bytes()
    with transaction(connection), games_are_added(connection):
        pass
    assert path.read_bytes() == before
    with transaction(connection), games_are_added(connection):
        connection.execute("INSERT INTO Info VALUES ('Whatever', '1')")
    database.close()
    database = open_database(str(path))
    assert unchanged_result(database.connection) is not None
    assert has_verdicts(database.connection)
    database.close()


def test_damaged_verdicts_are_an_error(path: Path) -> None:
    searched(path)
    database = open_database(str(path), writable=True)
    connection = database.connection
    with transaction(connection), verdicts_still_hold(connection):
        connection.execute("UPDATE Verdicts SET Edges = substr(Edges, 19)")
    database.close()
    with pytest.raises(StoreError, match=r"a\.db3: the verdicts .* damaged; run .* --full"):
        judged(path)
    dedup(DedupRequest(str(path), full=True), may_upgrade=lambda _: False, reporter=Silent())
    assert judged(path)[1:] == (0, True)


@pytest.mark.parametrize("edges", [b"1", bytes(18), b"\xff" * 18])
def test_the_kernel_refuses_edges_of_missing_games(path: Path, edges: bytes) -> None:
    database = open_database(str(path))
    known = Verdicts(5, iter([edges]))
    with pytest.raises(ValueError, match="edge"):
        searched_finder(database.connection, SearchOptions(), (), last_verdicts=known)
    database.close()


def test_the_token_of_a_search_lasts_while_games_and_decisions_are_added(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def token() -> str | None:
        with open_database(str(path), writable=False) as database:
            return search_token(database.connection)

    searched(path)
    with open_database(str(path), writable=True) as database, transaction(database.connection):
        result = unchanged_result(database.connection)
        assert result is not None
        note_result(database.connection, result, verdicts=True, token="0123456789abcdef")
    assert token() == "0123456789abcdef"
    add(path, texts(99, 3))
    decide_all(str(path), [GivenDecision("line 1", 1, 2, "same")], Silent())
    assert token() == "0123456789abcdef"
    # Versions without tokens leave them as they are.
    note = file_state._note

    def note_as_before(connection: apsw.Connection, noted: file_state._Noted, _: object) -> None:
        before = read_state(connection, SEARCH_TOKEN)
        note(connection, noted, None)
        write_state(connection, SEARCH_TOKEN, before)

    monkeypatch.setattr(file_state, "_note", note_as_before)
    add(path, texts(98, 3))
    assert token() is None
    with open_database(str(path), writable=False) as database:
        assert read_state(database.connection, SEARCH_TOKEN) is not None
        assert has_verdicts(database.connection)


def test_another_search_or_another_program_ends_the_token(path: Path) -> None:
    def search_again() -> None:
        request = DedupRequest(str(path), full=True)
        dedup(request, may_upgrade=lambda _: False, reporter=Silent())

    def change_a_game() -> None:
        apsw.Connection(str(path)).execute("UPDATE Games SET Round = '9' WHERE ID = 1")

    searched(path)
    for change in (search_again, change_a_game):
        with open_database(str(path), writable=True) as database, transaction(database.connection):
            result = unchanged_result(database.connection)
            assert result is not None
            note_result(database.connection, result, verdicts=True, token="0123456789abcdef")
        change()
        with open_database(str(path), writable=False) as database:
            assert search_token(database.connection) != "0123456789abcdef"
