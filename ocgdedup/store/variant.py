"""What kind of games a database holds: Info.Variant."""

from __future__ import annotations

import apsw

from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.store.names import read_state, write_state

_VARIANT = "Variant"


def game_kind(connection: apsw.Connection) -> GameKind:
    """Return the kind of the games; a database that does not name another one holds chess."""
    return GO if read_state(connection, _VARIANT) == GO.variant else CHESS


def set_variant(connection: apsw.Connection, kind: GameKind) -> None:
    """Say what a database holds: before its first game is loaded."""
    write_state(connection, _VARIANT, kind.variant)


def holds_go(connection: apsw.Connection) -> bool:
    return game_kind(connection) is GO
