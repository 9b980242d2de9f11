"""The kind of games in a database: Info.Variant."""

from __future__ import annotations

import apsw

from ocgdedup.game_kind import CHESS, GAME_KINDS, GameKind
from ocgdedup.store.names import read_state, write_state

_VARIANT = "Variant"
_KINDS: dict[str | None, GameKind] = {kind.variant: kind for kind in GAME_KINDS}


def game_kind(connection: apsw.Connection) -> GameKind:
    """Return the kind of the games; chess if the database does not name one."""
    return _KINDS.get(read_state(connection, _VARIANT), CHESS)


def set_variant(connection: apsw.Connection, kind: GameKind) -> None:
    """Store the kind of games, before the first game is loaded."""
    write_state(connection, _VARIANT, kind.variant)
