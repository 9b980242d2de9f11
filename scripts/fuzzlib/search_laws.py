"""The searches for duplicates and positions on databases of any content."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import apsw

from fuzzlib.draws import Draws
from fuzzlib.model import Failure, Laws, Target
from fuzzlib.mutating import mutate_often
from fuzzlib.pgn_cases import FEN_TAGS
from ocgdedup.errors import OcgdedupError
from ocgdedup.game_kind import GO, kind_of
from ocgdedup.pipeline.ingest.signatures import fill_signatures
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.store.database import create_database
from ocgdedup.store.find import PositionSearch, WantedPosition
from ocgdedup.store.names import set_variant

MOST_GAMES = 60
GAME_BYTES = 24  # about as many choices as a game takes
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
COLUMNS = (
    "EventID", "SiteID", "Date", "Round", "WhiteID", "WhiteElo", "BlackID", "BlackElo", "Result",
    "PlyCount", "FEN", "Moves2", "MoveHash", "FinalZobrist", "SourceID", "ExtraTags",
    "WhitePersonID", "BlackPersonID", "CoreHash",
)  # fmt: skip
NAMES = (
    "Alekhine, Alexander", "Aljechin, A", "Alekhine", "GM Alekhine,A.", "Bogoljubow, Efim", "?",
    "Bogoljubov, E", "Euwe, Max", "Max Euwe", "", "NN", "\u041f\u0435\u0442\u0440",
    "a " * 400, "x" * 5000, "," * 30, "\u674e\u4e16\u4e6d", "\0", "Jr. III Sr.", "O'\u0308",
)  # fmt: skip
DATES = (
    "1929.09.06", "1929.09.08", "1929.09.??", "1929.??.??", "????.??.??", "", None, "9999.99.99",
    "0000.00.00", "1929-09-06", "x" * 300, "1929.9.6", "\0", "\uff11\uff19\uff12\uff19",
)  # fmt: skip
ROUNDS = ("4", "4.1", "?", "", None, "99999999999999999999", "1.2.3.4.5", "-", "Final", "4" * 300)
EVENTS = ("Candidates Final", "candidates  final", "?", "", "Wch 1929", "e" * 4000, "\u0301" * 50)
RESULTS = ("1-0", "0-1", "1/2-1/2", "*", None, "", "2-0", "x" * 100)
TAGS = (
    None, '{"WhiteFideId":"1"}', '{"WhiteFideId":"99999999999999999999"}', "{", "[]", "",
    '{"BlackFideId":"1","WhiteFideId":"2"}', '{"Variant":"Chess960"}', '{"a":' * 900,
)  # fmt: skip
NUMBERS = (0, 1, 2, 3, 2500, -1, 1 << 31, (1 << 63) - 1, -(1 << 63), None)
STARTS = (None, None, None, "", START_FEN, *FEN_TAGS, "19/AB[dd][pp]", "9", "\0")
ODD = ("text", b"\xff\xfe", 1.5, float("inf"), -1, None, b"", "\0", 1 << 62, "x" * 70_000)
TOKENS: tuple[bytes, ...] = (b"\0" * 8, b"\xff" * 8, b"\0\1\2\3", bytes(range(64)), b"\x80\x00")
_NAME_TABLES = ("Players", "Events", "Sites")


def make_case(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    if rng.random() < 0.3:
        return rng.randbytes(rng.randrange(GAME_BYTES * 20))
    return mutate_often(rng, rng.choice(seeds), TOKENS, seeds, most_bytes=GAME_BYTES * 200)


def check_input(text: bytes, laws: Laws) -> Iterator[Failure | str]:
    """Yield each law that a search of the collection breaks, which an input describes."""
    draws = Draws(text)
    is_go, options = draws.below(4) == 0, search_options(draws)
    connection = create_database(":memory:")
    try:
        fill(connection, draws, is_go)
        yield from check_copies(connection, options, laws.random())
        yield from check_positions(connection, draws, is_go)
    finally:
        connection.close()


def search_options(draws: Draws) -> SearchOptions:
    fields = SearchOptions._fields
    chosen: dict[str, Any] = {}
    if "min_plies" in fields and draws.below(8) == 0:
        chosen["min_plies"] = draws.below(60)
    return SearchOptions(**chosen)


def fill(connection: apsw.Connection, draws: Draws, is_go: bool) -> None:
    """Write a collection of games that have much in common, now and then of odd types."""
    if is_go:
        set_variant(connection, GO)
    for table, texts in zip(_NAME_TABLES, (NAMES, EVENTS, EVENTS), strict=True):
        for number, name in enumerate(texts, 2):
            connection.execute(
                f"INSERT OR IGNORE INTO {table} (ID, Name) VALUES (?, ?)", (number, name)
            )
    blobs = [draws.some(2 * draws.below(100)) for _ in range(3)]
    places = ", ".join("?" * len(COLUMNS))
    sql = f"INSERT INTO Games ({', '.join(COLUMNS)}) VALUES ({places})"
    with_odd_values = draws.below(4) == 0
    for _ in range(MOST_GAMES):
        if not draws.has_more:
            break
        row = game(draws, blobs)
        if with_odd_values and draws.below(20) == 0:
            row[draws.below(len(row))] = draws.choice(ODD)
        connection.execute(sql, row)


def game(draws: Draws, blobs: Sequence[bytes]) -> list[Any]:
    """Return a row of Games."""
    moves = draws.choice(blobs)
    match draws.below(6):
        case 0:
            moves = moves[: 2 * draws.below(100)]
        case 1:
            at = 2 * draws.below(100)
            moves = moves[:at] + draws.some(2) + moves[at + 2 * draws.below(3) :]
        case 2:
            moves = moves * draws.below(12)
    return [
        draws.below(len(EVENTS) + 2), draws.below(len(EVENTS) + 2), draws.choice(DATES),
        draws.choice(ROUNDS), draws.below(len(NAMES) + 2), draws.choice(NUMBERS),
        draws.below(len(NAMES) + 2), draws.choice(NUMBERS), draws.choice(RESULTS),
        len(moves) // 2, draws.choice(STARTS), moves, hash(moves) % 1000, draws.below(5),
        draws.below(3), draws.choice(TAGS), draws.choice(NUMBERS), draws.choice(NUMBERS),
        draws.below(3),
    ]  # fmt: skip


def check_copies(
    connection: apsw.Connection, options: SearchOptions, rng: random.Random
) -> Iterator[Failure | str]:
    """Search twice: groups are disjoint, of known games, and the same again."""
    try:
        result = find_duplicates(connection, options)
        again = find_duplicates(connection, options)
    except (OcgdedupError, TypeError) as error:  # a TypeError: a value of another type
        yield f"refused: {type(error).__name__}"
        return
    ids = [row[0] for row in connection.execute("SELECT ID FROM Games ORDER BY ID")]
    if (result.groups, result.possible_duplicates) != (again.groups, again.possible_duplicates):
        yield Failure("a second search finds something else", "")
    grouped = [game_id for group in result.groups for game_id in group.ids]
    if len(grouped) != len(set(grouped)) or not set(grouped) <= set(ids):
        yield Failure("groups overlap, or hold unknown games", repr(grouped)[:300])
    if any(len(group.ids) < 2 or group.ids != sorted(group.ids) for group in result.groups):
        yield Failure("a group is too small or not sorted", "")
    counts = (len(result.groups).bit_length(), len(result.possible_duplicates).bit_length())
    yield f"{counts[0]} groups, {counts[1]} suspects"
    pairs = [pair for group in result.groups for pair in pairwise(group.ids)][:20]
    pairs += [(rng.choice(ids), rng.choice(ids)) for _ in range(10) if ids]
    for first, second in pairs:
        if first in result.finder and second in result.finder:
            compare(result.finder, first, second)
            yield f"symmetry {result.finder.symmetry(first, second)}"


def compare(finder: Any, first: int, second: int) -> None:
    """Ask all that can be asked of two games."""
    for lenient in (False, True):
        finder.compare(first, second, lenient)
    for ask in (
        finder.are_together, finder.has_swapped_colours, finder.mainline_beside,
        finder.starts_alike, finder.symmetry,
    ):  # fmt: skip
        ask(first, second)
    for tell in (finder.mainline, finder.starts_elsewhere, finder.stones):
        tell(first)


def check_positions(
    connection: apsw.Connection, draws: Draws, is_go: bool
) -> Iterator[Failure | str]:
    """Look for a position without filters and with them: in the same games."""
    boards = ("19", "19/AB[dd]") if is_go else (draws.choice((START_FEN, *FEN_TAGS)),)
    expected = WantedPosition(boards, 1 + draws.below(4))
    places = []
    for _ in range(2):
        try:
            search = PositionSearch(connection, expected, kind_of(is_go))
            try:
                places.append(sorted(search.places()))
            finally:
                search.close()
            with connection:
                fill_signatures(connection)
        except (OcgdedupError, ValueError, TypeError) as error:
            yield f"position refused: {type(error).__name__}"
            return
    yield f"{len(places[0]).bit_length()} positions"
    if places[0] != places[1]:
        yield Failure("filters change where a position is found", f"{places}"[:300])


def seeds() -> list[bytes]:
    """Return collections of some size: chess and Go."""
    return [random.Random(number).randbytes(GAME_BYTES * (4 << number % 5)) for number in range(10)]


TARGET = Target("search", "searches for duplicates and positions", seeds, make_case, check_input)
