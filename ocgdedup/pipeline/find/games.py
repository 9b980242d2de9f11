"""Find games: read the user's conditions, and test the most selective condition first."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from enum import IntEnum
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from ocgdedup.errors import UsageError, unknown_games
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.model import MOST_LINES, USUAL_LINES, GameHeader, Reporter
from ocgdedup.pipeline.export.select import criteria_of
from ocgdedup.pipeline.find import query
from ocgdedup.pipeline.find.pattern import ParsedPattern, read_chess_pattern, read_go_pattern
from ocgdedup.store import find as store
from ocgdedup.store.connection import Database
from ocgdedup.store.games import can_be_id
from ocgdedup.store.names import game_kind, read_state
from ocgdedup.store.selection import Selection, selected_games

# Headers read at once: few at first, so that the first results come soon.
_FIRST_HEADERS, _MOST_HEADERS = 50, 2000


class FindRequest(NamedTuple):
    """Conditions that a game must all fulfil, as the user writes them (pipeline/find/query.py).

    `signatures`: by column of Signatures; `moves`: as "20=qo"; `like`: the ID of a similar game, or
    a file of games; `at`: match the `pattern` after so many plies, None: after any number. Only for
    Go: `lines` of the board, `symmetric`, and `swap_colours` of the pattern. `limit` 0: all games.
    """

    signatures: dict[str, str]
    moves: tuple[str, ...] = ()
    like: int | str | None = None
    md5: str | None = None
    pattern: str | None = None
    at: int | None = None
    swap_colours: bool = False
    selection: Selection = Selection()
    lines: int | None = None
    symmetric: bool = False
    limit: int = 0

    @property
    def has_moves(self) -> bool:
        return bool(self.signatures or self.moves or self.selection.position or self.pattern)


class FoundGame(NamedTuple):
    """A game that fulfils all conditions.

    `status`, `group`: of a flagged duplicate, else None; `similarity`: the equal parts, in words;
    `plies`: the number of plies before the position or, without one, the pattern first occurs;
    `is_rotated`: there rotated or reflected; `is_swapped`: with colours exchanged.
    """

    header: GameHeader
    status: str | None
    group: int | None
    similarity: str | None
    plies: int | None
    is_rotated: bool
    is_swapped: bool = False


class MatchDetail(IntEnum):
    """Which details are reported of each game.

    SHORT: duplicate and ply of the position or pattern; LONG: also the equal parts.
    """

    NONE = 0
    SHORT = 1
    LONG = 2


class FoundGames(NamedTuple):
    """The games, yielded while they are found, and their kind; `note`: of SimilarGames."""

    kind: GameKind
    games: Generator[FoundGame, None, None]
    detail: MatchDetail
    note: str | None = None


class SimilarGames(NamedTuple):
    """The games that are like those of a file: how, in words, by ID, the most similar first.

    `note`: a message on the games of the file.
    """

    words: Mapping[int, str]
    note: str


class _MatchPosition(NamedTuple):
    plies: int | None
    is_rotated: bool
    is_swapped: bool = False


def find_games(
    database: Database,
    request: FindRequest,
    reporter: Reporter,
    similar: SimilarGames | None = None,
) -> FoundGames:
    """Find games in the order of their IDs, or the most similar first.

    `similar`: if `like` is a file. The database must stay open until all games are yielded. Raises
    UsageError for invalid conditions before the search starts.
    """
    kind = game_kind(database.connection)
    search = _Search(database, request, kind, reporter, similar)
    note = None if similar is None else similar.note
    return FoundGames(kind, search.games(), search.detail, note)


class _Search:
    """One search: reads the request, then finds the games."""

    def __init__(
        self,
        database: Database,
        request: FindRequest,
        kind: GameKind,
        reporter: Reporter,
        similar: SimilarGames | None,
    ) -> None:
        self._database = database
        self._connection = database.connection
        self._request = request
        self._kind = kind
        self._reporter = reporter
        _check_request(request, kind)
        self._lines = request.lines
        self._position = self._read_position()
        self._pattern = self._read_pattern()
        if request.symmetric and self._lines is None and (request.signatures or request.moves):
            self._lines = USUAL_LINES
        lines = self._lines if request.symmetric else None
        self._alternatives = query.read_alternatives(
            request.signatures, request.moves, kind, lines=lines
        )
        if kind is GO:
            self._check_points()
        md5 = None if request.md5 is None else query.read_md5(request.md5)
        # The position is searched in its own way, which tells where it occurs.
        selection = request.selection._replace(position=None)
        self._criteria = criteria_of(database, selection, reporter)
        self._similarity = self._read_similarity(md5, similar)
        # Games that fulfil the user's condition in SQL, and what SQL cannot test; None: any.
        self._selected: set[int] | None = None
        if selection.where is not None or self._criteria.filters:
            criteria = self._criteria._replace(selection=selection._replace(with_duplicates=True))
            self._selected = set(selected_games(self._connection, criteria).ids)

    @cached_property
    def _unsigned(self) -> int:
        """The number of games without signatures; counting takes longer than many searches."""
        return store.count_unsigned(self._connection)

    def _read_position(self) -> store.WantedPosition | None:
        request = self._request
        if request.selection.position is None:
            return None
        position, lines = query.read_position(
            request.selection.position, self._kind, symmetric=request.symmetric
        )
        if self._lines not in (None, lines):
            raise UsageError(f"--position: has {lines} lines, --size {self._lines}")
        self._lines = lines
        return position

    def _read_pattern(self) -> ParsedPattern | None:
        request = self._request
        if request.pattern is None:
            return None
        if self._kind is CHESS:
            return read_chess_pattern(request.pattern, request.at)
        pattern = read_go_pattern(
            request.pattern, request.at, symmetric=request.symmetric,
            swap_colours=request.swap_colours,
        )  # fmt: skip
        if self._lines is not None and pattern.lines not in (None, self._lines):
            raise UsageError(f"--pattern: has {pattern.lines} lines, the board {self._lines}")
        return pattern

    def _check_points(self) -> None:
        """Raise UsageError for a move at a point that none of the boards has."""
        needed, move = query.needed_lines(self._alternatives)
        if move is None or needed <= (self._lines or USUAL_LINES):
            return
        problem = f"find: move {move.number}: {move.letters!r} is not a point of a board of"
        if self._lines is not None:
            raise UsageError(f"{problem} {self._lines} lines; name another point, or --size")
        most = store.most_lines(self._connection)
        if needed > most:
            raise UsageError(f"{problem} {most} lines; {self._database.path} has no larger one")

    def _read_similarity(
        self, md5: bytes | None, similar: SimilarGames | None
    ) -> Mapping[int, str] | None:
        """Return the equal parts of the games that --like and --md5 select, the best first."""
        alike = None if similar is None else similar.words
        like = self._request.like
        if isinstance(like, int):
            alike = self._like_game(like)
        if md5 is None:
            return alike
        self._require_signatures()
        same_md5 = store.games_with_md5(self._connection, md5)
        if alike is None:
            return same_md5
        return {game_id: words for game_id, words in alike.items() if game_id in same_md5}

    def _like_game(self, like: int) -> Mapping[int, str]:
        if not can_be_id(like):
            raise unknown_games(self._database.path, like)
        self._require_signatures()
        alike = store.like_games(self._connection, like)
        if alike is None:
            path = self._database.path
            if not store.has_game(self._connection, like):
                raise unknown_games(path, like)
            raise UsageError(
                f"{path}: game {like} has no signature; run 'ocgdedup signatures {path}'"
            )
        return alike

    def _require_signatures(self) -> None:
        path = self._database.path
        games = self._unsigned
        if games and not store.has_signatures(self._connection):
            raise UsageError(
                f"{path}: has no signatures, which this search needs; add them with "
                f"'ocgdedup signatures {path}'"
            )
        if games:
            self._reporter.warn(
                f"{path}: {games} games have no signature, which this search needs; "
                f"'ocgdedup signatures {path}' writes them"
            )

    @property
    def detail(self) -> MatchDetail:
        if self._similarity is not None:
            return MatchDetail.LONG
        has_copies = read_state(self._connection, "Duplicates flagged") is not None
        return MatchDetail.SHORT if has_copies or self._searches_boards else MatchDetail.NONE

    @property
    def _searches_boards(self) -> bool:
        return self._position is not None or self._pattern is not None

    def games(self) -> Generator[FoundGame, None, None]:
        """Yield the games that fulfil all conditions, up to the limit."""
        similarity: Mapping[int, str] = self._similarity or {}
        matches: dict[int, _MatchPosition] = {}
        ids = self._board_matches(matches) if self._searches_boards else self._ids()
        if self._similarity is not None:
            order = {game_id: index for index, game_id in enumerate(self._similarity)}
            ids = iter(sorted(ids, key=order.__getitem__))
        for row in self._headers(islice(ids, self._request.limit or None)):
            game_id = row.header.game_id
            match = matches.pop(game_id, _MatchPosition(None, False))
            yield FoundGame(*row, similarity.get(game_id), *match)

    def _ids(self) -> Iterator[int]:
        return store.games_that_fit(
            self._connection,
            self._conditions(),
            has_signatures=bool(self._alternatives) and not self._unsigned,
        )

    def _conditions(self) -> store.Conditions:
        ids = None if self._similarity is None else list(self._similarity)
        if self._selected is not None:
            ids = sorted(self._selected if ids is None else self._selected.intersection(ids))
        # A position includes the board size.
        lines = self._lines if self._alternatives or self._position is None else None
        return store.Conditions(self._criteria, self._alternatives, ids, lines)

    def _board_matches(self, matches: dict[int, _MatchPosition]) -> Iterator[int]:
        """Yield the games that match the given position, pattern, or both; fill `matches`."""
        if self._pattern is None:
            assert self._position is not None
            return self._position_matches(self._position, matches)
        if self._position is None:
            ids = None if self._conditions().are_none else list(self._ids())
            return self._pattern_matches(self._pattern, ids, matches)
        at_position: dict[int, _MatchPosition] = {}
        ids = list(self._position_matches(self._position, at_position))
        both = list(self._pattern_matches(self._pattern, ids, {}))
        matches.update((game_id, at_position[game_id]) for game_id in both)
        return iter(both)

    def _pattern_matches(
        self, pattern: ParsedPattern, ids: Sequence[int] | None, matches: dict[int, _MatchPosition]
    ) -> Iterator[int]:
        for match in store.positions_of_pattern(self._connection, pattern.finder, ids):
            matches[match.game_id] = _MatchPosition(match.plies, *pattern.ways[match.which])
            yield match.game_id

    def _position_matches(
        self, position: store.WantedPosition, matches: dict[int, _MatchPosition]
    ) -> Iterator[int]:
        """Yield the games with the position that fulfil all other conditions."""
        conditions = self._conditions()
        ids = None if conditions.are_none else list(self._ids())
        with closing(store.PositionSearch(self._connection, position, self._kind, ids)) as search:
            if search.unfiltered:
                path = self._database.path
                self._reporter.warn(
                    f"{path}: {search.unfiltered} games have no filter of positions and are "
                    f"replayed; 'ocgdedup signatures {path}' writes filters, then it is faster"
                )
            for match in search.places():
                matches[match.game_id] = _MatchPosition(match.plies, match.which > 0)
                yield match.game_id

    def _headers(self, ids: Iterator[int]) -> Iterator[store.FoundHeader]:
        size = _FIRST_HEADERS
        while batch := list(islice(ids, size)):
            yield from store.found_headers(self._connection, batch)
            size = min(2 * size, _MOST_HEADERS)


def _check_request(request: FindRequest, kind: GameKind) -> None:
    """Raise UsageError for options that do not apply, and for a request without conditions."""
    if kind is CHESS and (request.symmetric or request.lines is not None):
        option = "--symmetric" if request.symmetric else "--size"
        raise UsageError(f"find: {option} is for Go, and this database holds chess games")
    if request.lines is not None and not 1 <= request.lines <= MOST_LINES:
        raise UsageError(f"find: --size {request.lines}: boards have 1 to {MOST_LINES} lines")
    if request.symmetric and not request.has_moves:
        raise UsageError(
            "find: --symmetric turns --signature-a, --signature-b, --move, --position and "
            "--pattern; give one of them (--like and --md5 find games turned or mirrored anyway)"
        )
    if request.swap_colours and not kind.has_symmetry:
        raise UsageError(
            "find: --swap-colours is for Go, and this database holds chess games; name the "
            "other pieces in the pattern: q for Q"
        )
    if request.pattern is None and (request.at is not None or request.swap_colours):
        option = "--swap-colours" if request.at is None else "--at"
        raise UsageError(f"find: {option} goes with --pattern; name a pattern, or leave it out")
    selection = request.selection._replace(any_player=False)
    conditions = request._replace(limit=0, symmetric=False, selection=selection)
    if conditions == FindRequest({}):
        raise UsageError(
            "find: say what the games have: --signature-a, --signature-b, --move, --moves, "
            "--like, --md5, --position, --pattern, --player, --white, --black, --year, --event, "
            "--result, --decisive, --elo, --speed, --eco, --min-plies, --min-header-quality, "
            "--where or, for Go games, --size ('ocgdedup find --help' has examples)"
        )
