"""What the search for copies reads: names, events, sites, and the games through its kernel.

Owns the SQL of that, and that verdicts rest on headers as they came, not as they were merged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol

import apsw

from ocgdedup._kernels import find_copies
from ocgdedup.errors import StoreError
from ocgdedup.store.connection import column_names, kernel_error
from ocgdedup.store.games import tables_with_games
from ocgdedup.store.removed_games import removed_ids
from ocgdedup.store.row_writer import load_kernel
from ocgdedup.store.variant import holds_go

# What the kernel calls COLUMN_...
_COLUMNS = {
    "ID": "ID", "WHITE": "WhiteID", "BLACK": "BlackID", "WHITE_PERSON": "WhitePersonID",
    "BLACK_PERSON": "BlackPersonID", "CORE_HASH": "CoreHash", "EVENT": "EventID",
    "SITE": "SiteID", "DATE": "Date", "ROUND": "Round", "RESULT": "Result",
    "WHITE_ELO": "WhiteElo", "BLACK_ELO": "BlackElo", "TAGS": "ExtraTags", "FEN": "FEN",
    "MOVES": "Moves2", "FINAL": "FinalZobrist", "HASH": "MoveHash", "SOURCE": "SourceID",
}  # fmt: skip
# As the kernel takes them, behind the ID; HEADER_COLUMNS alone for a header.
_PLACES = {
    place: _COLUMNS[name.removeprefix("COLUMN_")]
    for name, place in find_copies.CONSTANTS.items()
    if name.startswith("COLUMN_")
}
GAME_COLUMNS = tuple(_PLACES[place] for place in range(1, find_copies.CONSTANTS["GAME_END"]))
HEADER_COLUMNS = GAME_COLUMNS[: find_copies.CONSTANTS["HEADER_END"] - 1]
_HEADERS = ", ".join(HEADER_COLUMNS)

# Stones of Go that are set up or taken off between moves, which nothing plays out.
_SET_UP = """
    Ply >= 0 AND Variation NOT LIKE '(%' AND (
        instr(Variation, 'AB[') OR instr(Variation, 'AW[') OR instr(Variation, 'AE[')
    )
"""
_SET_UP_GAMES = f"""
    WITH SetUp (SetUpGame, Text) AS MATERIALIZED (
        SELECT GameID, group_concat(Ply || Variation) FROM (
            SELECT GameID, Ply, Variation FROM Annotations WHERE {_SET_UP}
            AND Ply < (
                SELECT PlyCount - 1 FROM Games WHERE Games.ID = GameID
                UNION ALL SELECT PlyCount - 1 FROM RemovedGames WHERE RemovedGames.ID = GameID
            )
            ORDER BY ID
        ) GROUP BY GameID
    )
"""
# The text behind a FEN is no start that can be read, so that it equals only itself: the game is
# compared with those of the same set-up alone.
_START_WITH_SET_UP = (
    "CASE WHEN Text IS NULL THEN nullif(FEN, '') ELSE coalesce(FEN, '') || Text END"
)


Address = tuple[str, bool]  # normal form, and whether a game has no other


class AddressReader(NamedTuple):
    """How the address of a game on the web is read; None where there is none.

    `of_text` takes what a Site tag says, `in_tags` the tags of `tags` that a game has, its Site
    tag and the ID of its source.
    """

    of_text: Callable[[str], Address | None]
    in_tags: Callable[[Mapping[str, str], str, int | None], Address | None]
    tags: Sequence[str]


class Parts(Protocol):
    """Where parts of a collection go that memory does not hold as a whole."""

    part_bytes: int

    def keep(self, finder: find_copies.CopyFinder) -> None:
        """Take the games that the finder has read last."""


def open_finder(
    connection: apsw.Connection,
    weights: Mapping[str, float],
    gates: Mapping[str, float],
    fold: Callable[[str], str],
    *,
    named: Mapping[str, float] | None = None,
    min_shorter: int = 0,
    min_plies: int = 0,
    rewrite: Callable[[str], str] | None = None,
    addresses: AddressReader | None = None,
    parts: Parts | None = None,
) -> find_copies.CopyFinder:
    """Return a finder that holds all games of at least `min_plies` plies; raise StoreError.

    `named` and `min_shorter`: see the finder. `fold` brings a name to ASCII; `rewrite`, if given,
    is what every name goes through before. `parts`: where games go that memory does not hold.
    """
    finder = find_copies.CopyFinder(weights, gates, holds_go(connection), named, min_shorter)
    players = _named(connection, "Players")
    if rewrite is not None:
        players = ((player, rewrite(name)) for player, name in players)
    finder.load_players(players, fold)
    finder.load_events(_named(connection, "Events"))
    sites = _site_addresses(connection, addresses) if addresses is not None else ()
    finder.load_sites(_named(connection, "Sites"), sites)
    headers = None
    if column_names(connection, "UnmergedHeaders"):
        headers = f"SELECT GameID, {_HEADERS} FROM UnmergedHeaders ORDER BY GameID"
    try:
        load_kernel(connection, find_copies)
        finder.open_scan(connection, _games_sql(connection, min_plies), headers)
        while not finder.is_read:
            finder.scan_more(*(() if parts is None else (parts.part_bytes,)))
            if addresses is not None:
                finder.load_addresses(partial(_tag_addresses, connection, addresses))
            if parts is not None:
                parts.keep(finder)
    except find_copies.SqliteError as error:
        raise kernel_error(connection, "games cannot be read", error) from error
    except ValueError as error:
        place = connection.filename or "the database in memory"
        raise StoreError(f"{place}: games cannot be read: {error}") from error
    finally:
        finder.end_scan()
    return finder


def _site_addresses(
    connection: apsw.Connection, reader: AddressReader
) -> Iterator[tuple[int, str, bool]]:
    for site, name in connection.execute("SELECT ID, Name FROM Sites WHERE instr(Name, '/')"):
        found = reader.of_text(name)
        if found is not None:
            yield site, *found


def _tag_addresses(
    connection: apsw.Connection, reader: AddressReader, ids: Sequence[int]
) -> Iterator[tuple[int, str, bool]]:
    """Yield the addresses that tags of games hold, as they came."""
    if not ids:
        return
    tags = ", ".join(f"Header.ExtraTags ->> '$.{tag}'" for tag in reader.tags)
    site = "(SELECT Name FROM Sites WHERE Sites.ID = Header.SiteID)"
    wanted = "ID IN (SELECT value FROM json_each(?1))"
    has_merged = column_names(connection, "UnmergedHeaders")
    for table in tables_with_games(connection):
        header, other = f"FROM {table} AS Header WHERE Header.{wanted}", ""
        if has_merged:
            header += " AND ID NOT IN (SELECT GameID FROM UnmergedHeaders)"
            other = (
                f" UNION ALL SELECT ID, {site}, SourceID, {tags} FROM {table} "
                f"JOIN UnmergedHeaders AS Header ON GameID = ID WHERE {wanted}"
            )
        sql = f"SELECT ID, {site}, SourceID, {tags} {header}{other}"
        for game_id, name, source, *values in connection.execute(sql, (json.dumps(ids),)):
            given = {
                tag: str(value)
                for tag, value in zip(reader.tags, values, strict=True)
                if value is not None
            }
            found = reader.in_tags(given, name or "", source)
            if found is not None:
                yield game_id, *found


def _named(connection: apsw.Connection, table: str) -> Iterable[tuple[int, str]]:
    rows: Iterable[tuple[int, str]] = connection.execute(
        f"SELECT ID, Name FROM {table} WHERE Name IS NOT NULL ORDER BY ID"
    )
    return rows


def _games_sql(connection: apsw.Connection, min_plies: int) -> str:
    """Name the columns; those that an older database lacks are NULL.

    Games that were removed as copies still say to which game a new one belongs. Where stones are
    set up between moves the start says so: such a game is no equal copy of one without them.
    """
    there = column_names(connection, "Games")
    columns = ", ".join(name if name in there else "NULL" for name in GAME_COLUMNS)
    has_set_up = (
        holds_go(connection)
        and connection.execute(f"SELECT EXISTS (SELECT 1 FROM Annotations WHERE {_SET_UP})").get
    )
    # OCGDB writes NULL for a game without moves, and an empty FEN for none.
    start = _START_WITH_SET_UP if has_set_up else "nullif(FEN, '')"
    sql = f"SELECT ID, {columns.replace('FEN', start)} FROM Games"
    if has_set_up:
        sql += " LEFT JOIN SetUp ON SetUpGame = ID"
    sql += f" WHERE coalesce(PlyCount, 0) >= {int(min_plies)}"
    if removed_ids(connection):
        sql += f" UNION ALL {sql.replace('FROM Games', 'FROM RemovedGames')}"
    return f"{_SET_UP_GAMES if has_set_up else ''}{sql} ORDER BY ID"
