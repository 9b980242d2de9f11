"""Check and repair stored values that follow from a game's moves, date and players.

Wrong signatures and position filters are written again: with a wrong filter, `find` misses a game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

import apsw

from ocgdedup._kernels import go as go_kernel
from ocgdedup._kernels.chess import board_result, filter_of, keys_of, signature_rows
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.model import Person
from ocgdedup.pgn.dates import UNKNOWN_DATE, parse_date
from ocgdedup.pipeline.check.findings import BOARD_RESULT, CHANGED_MOVES, MOVES, START, Tally
from ocgdedup.pipeline.ingest.signatures import fill_signatures, wants_signatures
from ocgdedup.pipeline.search.go_records import normal_start
from ocgdedup.sgf.root_values import read_date
from ocgdedup.store import checks, find
from ocgdedup.store.games import GAME_TABLES, Row, core_hash, delete_rows_of
from ocgdedup.store.merges import games_with_merged_players, has_final_merges, merged_ids
from ocgdedup.store.names import game_kind

_OF_CHESS960, _OF_NULL_MOVES = 1, 2  # bits of SpecialMoves

_MOVE_COLUMNS = (
    "PlyCount", "MoveHash", "FinalZobrist", "PositionsKey", "SampledKey", "SpecialMoves",
)  # fmt: skip

_RESULTS = ("1-0", "0-1", "1/2-1/2")
# The tag with the date of the source, and the functions that may have read it.
_SOURCE_DATES = {CHESS: ("OriginalDate", (parse_date,)), GO: ("DT", (read_date, parse_date))}

# Rows by the columns that they set; each ends with the game's ID.
Changes = Mapping[tuple[str, ...], list[Row]]
_Changes = defaultdict[tuple[str, ...], list[Row]]


class PlayerKeys:
    """The text of each person and name in CoreHash, read from the database at the first use.

    Loads of older versions made CoreHash of the names as written, which counts as correct for a
    game without players until `players` replaces it.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._by_name: dict[int, str] = {}

    def right_hash(self, game: checks.StoredGame) -> int | None:
        """Return the correct CoreHash of a game; the stored one if a name does not exist."""
        white = self._key(game.white_person, game.white)
        black = self._key(game.black_person, game.black)
        if white is None or black is None:
            return game.core_hash
        expected = core_hash(white, black)
        if expected != game.core_hash and game.white_person is None and game.black_person is None:
            white, black = (
                "?" if player is None else self._names[player] or "?"
                for player in (game.white, game.black)
            )
            if core_hash(white, black) == game.core_hash:
                return game.core_hash
        return expected

    @cached_property
    def _names(self) -> dict[int, str]:
        names = checks.key_texts(self._connection, "Players")
        return {name_id: name.decode(errors="replace") for name_id, name in names}

    @cached_property
    def _by_person(self) -> dict[int, str]:
        from ocgdedup.pipeline.players.persons import person_key  # 67 ms

        return {
            person_id: person_key(
                Person(name.decode(errors="replace"), fide_id=fide_id, birth_year=born)
            )
            for person_id, name, fide_id, born in checks.key_texts(self._connection, "Persons")
        }

    def _key(self, person: int | None, player: int | None) -> str | None:
        if player is None:
            return ""
        # A person that does not exist is another finding; then the name counts.
        key = None if person is None else self._by_person.get(person)
        if key is None:
            key = self._by_name.get(player)
        if key is None and player in self._names:
            from ocgdedup.matching.names.name_form import name_key  # 19 ms

            key = self._by_name[player] = name_key(self._names[player])
        return key


def renew_player_hashes(connection: apsw.Connection) -> None:
    """Compute CoreHash again for games whose merged players a purge may have made final."""
    if not has_final_merges(connection):
        return
    ids = games_with_merged_players(connection)
    originals = ids.intersection(merged_ids(connection))
    keys = PlayerKeys(connection)
    for table in (*GAME_TABLES, "UnmergedHeaders"):
        chosen = originals if table == "UnmergedHeaders" else ids - originals
        renew_hashes_of(connection, table, chosen, keys)


def renew_hashes_of(
    connection: apsw.Connection,
    table: str,
    ids: Iterable[int] | None,
    keys: PlayerKeys | None = None,
) -> dict[int, int | None]:
    """Compute CoreHash of games (None: of all) again; return the new ones by game."""
    keys = keys or PlayerKeys(connection)  # which reads all names, but only when it needs one
    renewed: dict[int, int | None] = {}
    chosen = None if ids is None else sorted(ids)
    for rows in checks.stored_games(connection, table, chosen):
        for game in map(checks.StoredGame._make, rows):
            expected = keys.right_hash(game)
            if _has_players(game) and expected != game.core_hash:
                renewed[game.game_id] = expected
    checks.write_values(connection, table, ("CoreHash",), [(h, i) for i, h in renewed.items()])
    return renewed


class ValueChecker:
    """Checks games; caches the values that many of them share.

    `board_results`: (result, game ID) where mate or stalemate contradicts the result of a game.
    """

    def __init__(self, connection: apsw.Connection, version: int) -> None:
        self._connection, self._version = connection, version
        self._kind = game_kind(connection)
        self._keys = PlayerKeys(connection)
        self.board_results: list[tuple[str, int]] = []
        self._good_dates: set[tuple[bytes | None, int | None]] = set()

    def check(self, table: str, rows: Iterable[Row], tally: Tally) -> Changes:
        """Count wrong values in rows of StoredGame of a table; return the correct values."""
        changes: _Changes = defaultdict(list)
        has_moves = table != "UnmergedHeaders"
        has_keys = self._version > checks.OCGDB_VERSION
        for row in rows:
            game = checks.StoredGame._make(row)
            if has_moves:
                self._check_moves(game, tally, changes)
            if has_keys and (game.date, game.date_quality) not in self._good_dates:
                self._check_date(table, game, tally, changes)
            # A merged header may have players of several records: the header before it counts.
            if _has_players(game) and not game.is_merged:
                expected_hash = self._keys.right_hash(game)
                if expected_hash != game.core_hash:
                    tally.add("core-hash", game.game_id)
                    changes[("CoreHash",)].append((expected_hash, game.game_id))
        return changes

    def _check_moves(self, game: checks.StoredGame, tally: Tally, changes: _Changes) -> None:
        moves = game.moves or b""
        try:
            if not isinstance(moves, bytes):
                raise ValueError("the moves are not a blob")
            fen = game.fen.decode(errors="replace") if game.fen else None
            *keys, special = stored_keys(moves, fen, self._kind)
        except ValueError as error:
            tally.add(MOVES, game.game_id, str(error))
            return
        plies = len(moves) // 2
        if self._kind is CHESS and game.result in _RESULTS:
            result = board_result(moves, fen)
            if result not in (None, game.result):
                tally.add(BOARD_RESULT, game.game_id, f"{game.result}, but {result} on the board")
                self.board_results.append((str(result), game.game_id))
        if self._version == checks.OCGDB_VERSION:
            if plies != (game.ply_count or 0):
                tally.add("ply-count", game.game_id)
            return
        if self._kind is GO and normal_start(fen) != fen:
            tally.add(START, game.game_id, fen)
        expected = (plies, *keys, special)
        if game.mainline_hash not in (None, keys[0]) and game.positions_key != keys[2]:
            # No repair overwrites the keys: they may be all that is left of the correct moves.
            tally.add(CHANGED_MOVES, game.game_id, f"{plies} plies, PlyCount {game.ply_count}")
        elif expected != game[3:9]:
            changes[_MOVE_COLUMNS].append((*expected, game.game_id))
            if plies != game.ply_count:
                tally.add("ply-count", game.game_id)
            if tuple(keys) != game[4:8]:
                tally.add("keys", game.game_id)
            if expected[-1] != game.special_moves:
                tally.add("special-moves", game.game_id)

    def _check_date(
        self, table: str, game: checks.StoredGame, tally: Tally, changes: _Changes
    ) -> None:
        date = game.date.decode(errors="replace") if game.date is not None else UNKNOWN_DATE
        parsed, quality = read_stored_date(date, self._kind)
        if parsed != date:
            tally.add("date", game.game_id, repr(date))
        elif _agree(quality, game.date_quality):
            self._good_dates.add((game.date, game.date_quality))
        else:
            tally.add("date-quality", game.game_id)
            # The original date may be less exact than the date that was read from it.
            tag, readers = _SOURCE_DATES[self._kind]
            original = checks.original_date(self._connection, table, game.game_id, tag)
            readings = () if original is None else [read(original) for read in readers]
            right = next((sure for read, sure in readings if read == date), quality)
            changes[("DateQuality",)].append((right, game.game_id))


def _has_players(game: checks.StoredGame) -> bool:
    """Return whether a game has a person or a CoreHash."""
    return (game.white_person, game.black_person, game.core_hash) != (None, None, None)


def special_moves(moves: bytes) -> int:
    """Return SpecialMoves of a blob."""
    bits = 0
    if not moves[1::2].isascii():  # a move has bit 15
        bits |= _OF_CHESS960
    offset = -1
    while (offset := moves.find(b"\0\0", offset + 1)) >= 0:
        if offset % 2 == 0:
            return bits | _OF_NULL_MOVES
    return bits


def _agree(quality: int, stored: int | None) -> bool:
    """Return whether a stored DateQuality has the precision of the date and a valid certainty."""
    if stored is None or not isinstance(stored, int):
        return False
    if quality == 0:
        return stored == 0
    return stored // 10 == quality // 10 and 1 <= stored % 10 <= 3


_STORED_KEYS: dict[GameKind, Callable[[bytes, str | None], tuple[int, ...]]] = {
    CHESS: lambda moves, start: (*keys_of(moves, start), special_moves(moves)),
    GO: go_kernel.keys_of,
}
# Go games may be older than PGN allows.
_DATE_READERS: dict[GameKind, Callable[[str], tuple[str, int]]] = {
    CHESS: parse_date,
    GO: lambda date: read_date(date.replace(".", "-")),
}


def stored_keys(moves: bytes, start: str | None, kind: GameKind) -> tuple[int, ...]:
    """Return the four keys and SpecialMoves; raise ValueError if the moves cannot be played."""
    return _STORED_KEYS[kind](moves, start)


def read_stored_date(date: str, kind: GameKind) -> tuple[str, int]:
    """Return a stored date and its quality."""
    return _DATE_READERS[kind](date)


# --- signatures and position filters --------------------------------------------------------------


def check_signatures(connection: apsw.Connection) -> Iterator[int]:
    """Yield the IDs of games whose signatures are wrong, and of rows without a game.

    Missing signatures count as wrong, except in a chess database that stores none. A game whose
    moves contradict its MoveHash is left out, since its signatures may be those of the correct
    moves.
    """
    if not wants_signatures(connection):
        return
    kind = game_kind(connection)
    for table in GAME_TABLES:
        for rows in find.stored_signatures(connection, table):
            expected = signature_rows([game for game, _, _ in rows], kind.is_go)
            for (game, mainline_hash, stored), row in zip(rows, expected, strict=True):
                if row is None:
                    wrong = False  # the moves are damaged
                elif stored is None:
                    wrong = True
                else:
                    signature = [v.encode() if isinstance(v, str) else v for v in row[1:]]
                    wrong = tuple(signature) != stored and has_hash(game, mainline_hash, kind)
                if wrong:
                    yield game[0]
    yield from find.lost_signatures(connection)


def repair_signatures(connection: apsw.Connection) -> None:
    """Rewrite the signatures that check_signatures() reports; the caller owns the transaction."""
    wrong = list(check_signatures(connection))
    if wrong:
        # A database with signatures may have been made without indexes.
        with_indexes = not find.has_signatures(connection)
        delete_rows_of(connection, "Signatures", wrong)
        fill_signatures(connection, with_indexes=with_indexes)


def has_hash(game: Row, mainline_hash: int | None, kind: GameKind) -> bool:
    """Return whether the moves of a game fit its MoveHash, or it has none."""
    if mainline_hash is None:
        return True
    try:
        return stored_keys(game[2] or b"", game[1], kind)[0] == mainline_hash
    except ValueError:
        return False


def check_filters(connection: apsw.Connection) -> Iterator[int]:
    """Yield the IDs of games whose filter is wrong or missing.

    In Go databases, and in chess databases with signatures or filters, each game with a signature
    has a filter. A game whose moves contradict its MoveHash is left out.
    """
    if not wants_signatures(connection) and not find.has_filters(connection):
        return
    kind = game_kind(connection)
    for table in GAME_TABLES:
        for rows in find.stored_filters(connection, table):
            for game_id, start, moves, mainline_hash, stored in rows:
                if filter_of(moves or b"", start, kind.is_go) != stored:
                    game = (game_id, start, moves)
                    if stored is None or has_hash(game, mainline_hash, kind):
                        yield game_id


def repair_filters(connection: apsw.Connection) -> None:
    """Rewrite the filters that check_filters() reports; the caller owns the transaction."""
    wrong = list(check_filters(connection))
    if wrong:
        delete_rows_of(connection, "PositionFilters", wrong)
        find.fill_filters(connection, game_kind(connection))
