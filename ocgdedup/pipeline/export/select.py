"""Turn the user's selection of games into criteria: names, moves and positions are looked up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import closing

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.matching.field_choice import plain_alphanumerics
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import Reporter
from ocgdedup.pgn.time_control import speed_of
from ocgdedup.store import selection as store
from ocgdedup.store.connection import Database
from ocgdedup.store.games import current_headers
from ocgdedup.store.named_players import PlayerKeys
from ocgdedup.store.names import game_kind
from ocgdedup.store.selection import Criteria, GameFilter, Selection


def criteria_of(database: Database, selection: Selection, reporter: Reporter) -> Criteria:
    """Return a selection with its names, moves and position looked up.

    Raises UsageError for unknown players and events, for a name that may mean several players, and
    for invalid moves and positions. Warns about the spellings that are searched for a name.
    """
    connection = database.connection
    filters: list[GameFilter] = []
    if selection.min_header_points:
        filters.append(_header_filter(selection.min_header_points))
    moves = None
    if selection.moves is not None:
        from ocgdedup.pipeline.find.query import read_moves  # 25 ms

        moves = read_moves(selection.moves, "--moves")
    if selection.position is not None:
        filters.append(_position_filter(database, selection.position))
    if selection.opening is not None:
        filters.append(_opening_filter(selection.opening))
    events: frozenset[int] | None = None
    if selection.events:
        events = store.find_events(connection, selection.events)
        if not store.has_games(connection, Criteria(events=events)):
            parts = " or ".join(map(repr, selection.events))
            raise UsageError(f"{database.path}: no event of a game has {parts} in its name")
    time_controls = None
    if selection.speeds:
        stored = store.time_controls(connection)
        time_controls = [text for text in stored if speed_of(text) in selection.speeds]
    players = _players(database, selection, reporter)
    return Criteria(selection, players, events, moves, time_controls, tuple(filters))


def _players(database: Database, selection: Selection, reporter: Reporter) -> dict[str, PlayerKeys]:
    """Return the players of the options that name some, by field of the selection."""
    names = {name: getattr(selection, name) for name in store.PLAYER_FIELDS}
    names = {name: texts for name, texts in names.items() if texts}
    if not names:
        return {}
    if "against" in names and (len(names) == 1 or {"white", "black"} <= names.keys()):
        raise UsageError(
            "--against names the opponent of --player, --white or --black; give one of them"
        )
    from ocgdedup.pipeline.export.player_lookup import PlayerLookup  # 12 ms

    lookup = PlayerLookup(database, reporter, is_any=selection.any_player)
    players = {name: lookup.keys_of(texts) for name, texts in names.items()}
    for name, keys in players.items():
        if not store.has_games(database.connection, Criteria(players={"players": keys})):
            texts = " or ".join(map(repr, names[name]))
            raise UsageError(f"{database.path}: no game has the player {texts}")
    return players


def _header_filter(least: int) -> GameFilter:
    def has_points(connection: apsw.Connection, ids: Sequence[int], table: str) -> Collection[int]:
        headers = current_headers(connection, ids, table)
        return {header.game_id for header in headers if header_score(header) >= least}

    return has_points


def _opening_filter(text: str) -> GameFilter:
    from ocgdedup.pgn.openings import openings  # 12 ms

    part = plain_alphanumerics(text)
    names = {name for name in openings().names if part and part in plain_alphanumerics(name)}
    if not names:
        raise UsageError(f"--opening: no opening has {text!r} in its name")

    def is_played(connection: apsw.Connection, ids: Sequence[int], table: str) -> Collection[int]:
        games = list(store.standard_moves(connection, ids, table))
        found = openings().of_games([moves for _, moves in games])
        return {
            game_id
            for (game_id, _), opening in zip(games, found, strict=True)
            if opening is not None and opening.name in names
        }

    return is_played


def _position_filter(database: Database, text: str) -> GameFilter:
    from ocgdedup.pipeline.find.query import read_position  # 25 ms
    from ocgdedup.store.find import PositionSearch  # 5 ms

    kind = game_kind(database.connection)
    position, _ = read_position(text, kind)

    def occurs(connection: apsw.Connection, ids: Sequence[int], table: str) -> Collection[int]:
        with closing(PositionSearch(connection, position, kind, ids, table=table)) as search:
            return {place.game_id for place in search.places()}

    return occurs
