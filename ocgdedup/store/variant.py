"""What kind of game a database holds: Info.Variant."""

from __future__ import annotations

import apsw

from ocgdedup.store.names import read_state, write_state

CHESS = "standard"
GO = "go"
_VARIANT = "Variant"


def holds_go(connection: apsw.Connection) -> bool:
    """Tell if the games are games of Go; all that says nothing else is chess."""
    return read_state(connection, _VARIANT) == GO


def set_variant(connection: apsw.Connection, variant: str) -> None:
    """Say what a database holds, GO or CHESS: before its first game is loaded."""
    write_state(connection, _VARIANT, variant)
