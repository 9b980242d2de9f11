"""Order, opening theory, keys and candidate pairs: reference of four headers in kernels/search.

A place is the index of a game in sorted order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from ocgdedup._kernels.names import surname_keys
from ocgdedup._kernels.search import CONSTANTS
from tests.reference.equal_records import are_equal_records, with_rosters
from tests.reference.game_record import Game, read_game, share_address
from tests.reference.header_text import compare_dates, date_number
from tests.reference.move_distances import common_plies
from tests.reference.search_hashes import hash_run, joined_all, opening_lanes
from tests.support.copy_games import Record, blob_of

RUN, WINDOW, FIRST_RUN = CONSTANTS["RUN_PLIES"], CONSTANTS["RUN_WINDOW"], CONSTANTS["FIRST_RUN"]
_OPENING_PLIES = CONSTANTS["OPENING_PLIES"]
_NEIGHBOURS = CONSTANTS["MOST_NEIGHBOURS"]

Key = tuple[int, int]


class Line(NamedTuple):
    """A start position and a mainline."""

    start: int
    moves: tuple[int, ...]


def line_of(game: Game) -> Line:
    return Line(game.start, game.moves)


def sorted_games(records: Iterable[Record]) -> list[Game]:
    """Return the games in sorted order: a mainline right before the mainlines that continue it."""
    games = [read_game(number, record) for number, record in enumerate(records)]
    return with_rosters(sorted(games, key=lambda game: (game.start, game.moves, game.content)))


# --- theory -------------------------------------------------------------------------------------


def shared_plies(a: Game, b: Game) -> int:
    return common_plies(a.moves, b.moves) if a.start == b.start else 0


def is_another_game(a: Game, b: Game) -> bool:
    """Return whether the headers show that two games are different games."""
    if None in (*a.names, *b.names):
        return False
    theirs = [set(surname_keys(name or "")) for name in b.names]
    shared = sum(any(keys & set(surname_keys(name or "")) for keys in theirs) for name in a.names)
    dates = compare_dates(a.date, b.date)
    return (
        shared == 0
        or dates in (CONSTANTS["DATE_OTHER_MONTH"], CONSTANTS["DATE_YEARS_APART"])
        or (shared == 1 and dates == CONSTANTS["DATE_OTHER_YEAR"])
    )


def _nearest(games: Sequence[Game], at: int) -> Iterator[tuple[int, Game]]:
    """Yield (shared plies, game) on both sides of a place by falling plies; earlier games first."""
    shared = [shared_plies(games[at], game) for game in games]
    around = [place for place in range(len(games)) if place != at]
    around.sort(key=lambda place: (-shared[place], place > at, abs(place - at)))
    return ((shared[place], games[place]) for place in around)


def theory_of(games: Sequence[Game], at: int) -> int:
    """Return the plies shared with the second unrelated game."""
    first = None
    for steps, (shared, game) in enumerate(_nearest(games, at)):
        if not shared or steps == 2 * _NEIGHBOURS:
            return 0 if first is None else shared
        if is_another_game(games[at], game):
            if first is None:
                first = game
            elif is_another_game(first, game):
                return shared
    return 0


# --- keys ---------------------------------------------------------------------------------------


def run_keys(game: Game) -> list[int]:
    """Return the smallest hash of each WINDOW neighbouring runs: robust winnowing.

    A selected hash stays while it is in the window; then the last of the smallest is selected.
    """
    first = 0 if game.start else FIRST_RUN
    hashes = [
        hash_run(blob_of(game.moves[at : at + RUN]))
        for at in range(first, len(game.moves) - RUN + 1)
    ]
    chosen: list[int] = []
    least = -1
    for end in range(1, len(hashes) + 1):
        begin = max(0, end - WINDOW)
        if least < begin:
            least = min(range(begin, end), key=lambda at: (hashes[at], -at))
        elif hashes[end - 1] < hashes[least]:
            least = end - 1
        if end >= WINDOW and least not in chosen[-1:]:
            chosen.append(least)
    return [hashes[at] for at in chosen]


def move_keys(game: Game) -> list[int]:
    keys = [joined_all(CONSTANTS["BY_RUN"], result) for result in run_keys(game)]
    for kind, numbers in (("BY_SIGNATURE_A", (20, 40, 60)), ("BY_SIGNATURE_B", (31, 51, 71))):
        if len(game.moves) >= numbers[-1]:
            first, second, third = (game.moves[number - 1] for number in numbers)
            keys.append(joined_all(CONSTANTS[kind], first << 32 | second << 16 | third))
    if len(game.moves) > FIRST_RUN:
        keys.append(joined_all(CONSTANTS["BY_END"], game.final_key))
    return keys


def player_keys(game: Game) -> list[int]:
    keys = []
    opening = joined_all(game.start, *game.moves[: CONSTANTS["OPENING_KEY_PLIES"]])
    surnames = [surname_keys(name) if name is not None else () for name in game.names]
    year = game.date.year
    for result in surnames:
        for surname in result:
            if len(game.moves) >= CONSTANTS["OPENING_KEY_PLIES"]:
                keys.append(joined_all(CONSTANTS["BY_SIDE_AND_OPENING"], surname, year, opening))
            if game.date.day:
                keys.append(
                    joined_all(CONSTANTS["BY_SIDE_AND_DAY"], surname, date_number(game.date))
                )
    if all(surnames):
        for both in product(*surnames):
            pair = joined_all(*sorted(both))
            keys.append(joined_all(CONSTANTS["BY_PAIR_AND_YEAR"], pair, year))
            keys.append(joined_all(CONSTANTS["BY_PAIR_AND_OPENING"], pair, opening))
    if all(game.persons):
        core_hash = game.core_hash % (1 << 64)
        keys.append(joined_all(CONSTANTS["BY_CORE_AND_YEAR"], core_hash, year))
    return keys


# --- candidate pairs ----------------------------------------------------------------------------


def share_opening(a: Game, b: Game) -> bool:
    """Return whether one of the first four blocks of four plies is equal in both games."""
    if a.start != b.start or min(len(a.moves), len(b.moves)) < _OPENING_PLIES:
        return True
    lanes = [opening_lanes(blob_of(game.moves[:_OPENING_PLIES])) for game in (a, b)]
    return any(left == right for left, right in zip(*lanes, strict=True))


def needs_players(a: Game, b: Game) -> bool:
    """Return whether games with a common player are compared: long games share a run anyway."""
    plies = min(len(a.moves), len(b.moves))
    if plies > CONSTANTS["LONG_PLIES"]:
        return False
    if a.date == b.date and plies <= CONSTANTS["SHORT_PLIES"]:
        return True
    return share_opening(a, b)


class Candidates:
    """Candidate pairs of places, each once; `pairs` are those whose moves may be of one game."""

    def __init__(self, games: Sequence[Game], is_kept: Callable[[int, int], bool]) -> None:
        self.pairs: dict[tuple[int, int], None] = {}
        self._seen: set[tuple[int, int]] = set()
        self._games = games
        self._is_kept = is_kept
        self._try_addresses()
        self._try_equal_records()
        self._try_equal_games()
        self._try_keys(move_keys, CONSTANTS["MOST_OF_MOVES"], lambda a, b: line_of(a) != line_of(b))
        self._try_keys(player_keys, CONSTANTS["MOST_OF_PLAYERS"], needs_players)

    @property
    def judged(self) -> int:
        return len(self._seen)

    def _try_pair(self, left: int, right: int) -> None:
        if left == right or (left, right) in self._seen:
            return
        self._seen.add((left, right))
        if self._is_kept(left, right):
            self.pairs[left, right] = None

    def _try_addresses(self) -> None:
        games = self._games
        for left, right in combinations(range(len(games)), 2):
            if share_address(games[left], games[right]):
                self._try_pair(left, right)

    def _try_equal_records(self) -> None:
        for left, right in combinations(range(len(self._games)), 2):
            if are_equal_records(self._games[left], self._games[right]):
                self._try_pair(left, right)

    def _try_equal_games(self) -> None:
        by_line = defaultdict(list)
        for place, game in enumerate(self._games):
            if game.moves:
                by_line[line_of(game)].append(place)
        for places in by_line.values():
            for i, right in enumerate(places):
                few = len(places) <= CONSTANTS["MOST_OF_PLAYERS"]
                for left in places[0 if few else max(0, i - CONSTANTS["NEIGHBOURS"]) : i]:
                    self._try_pair(left, right)

    def _try_keys(
        self,
        keys_of: Callable[[Game], list[int]],
        most: int,
        is_wanted: Callable[[Game, Game], bool],
    ) -> None:
        by_key = defaultdict(list)
        for place, game in enumerate(self._games):
            for key in keys_of(game):
                by_key[key >> CONSTANTS["INDEX_BITS"]].append(place)
        for _, places in sorted(by_key.items()):
            if len(places) > most:
                self._try_neighbours(places)
            else:
                for left, right in combinations(places, 2):
                    if is_wanted(self._games[left], self._games[right]):
                        self._try_pair(left, right)

    def _try_neighbours(self, places: list[int]) -> None:
        """Pair a game with a few games before it, and with the games that it continues."""
        lines = [line_of(self._games[place]) for place in places]
        starts: list[int] = []  # indexes in `places` of games, each a prefix of the next game
        for i, place in enumerate(places):
            for k in range(1, CONSTANTS["NEIGHBOURS"] + 1):
                if k <= i:
                    self._try_pair(places[i - k], place)
            while starts and not _is_start(lines[starts[-1]], lines[i]):
                starts.pop()
            for result in starts:
                self._try_pair(places[result], place)
            is_new = not starts or lines[starts[-1]] != lines[i]
            if is_new and len(starts) < CONSTANTS["ANCESTORS"]:
                starts.append(i)


def _is_start(a: Line, b: Line) -> bool:
    return a.start == b.start and b.moves[: len(a.moves)] == a.moves
