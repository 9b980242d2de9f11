"""Refuse what does not fit the kind of games of a database: PGN is chess, SGF is Go."""

from __future__ import annotations

from collections.abc import Iterable

from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS
from ocgdedup.store.connection import Database
from ocgdedup.store.games import has_games
from ocgdedup.store.names import game_kind
from ocgdedup.store.selection import Selection
from ocgdedup.tables.formats import TEXT_FORMATS, named_format


def check_endings(database: Database, paths: Iterable[str | None]) -> None:
    """Refuse a file of games whose name says that it has the other kind of games.

    A database without games has no kind yet.
    """
    if not has_games(database.connection):
        return
    fitting = game_kind(database.connection).text_format
    for path in paths:
        if path is not None and named_format(path) in {*TEXT_FORMATS} - {fitting}:
            raise UsageError(
                f"{path}: {_what_it_holds(database)}; name a file that ends in .{fitting}"
            )


def check_names(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output whose name says the other kind of games than those of all inputs.

    Before anything is read; of inputs whose names do not say, the games will tell.
    """
    endings = {named_format(path) for path in inputs}
    if len(endings) != 1 or endings.isdisjoint(TEXT_FORMATS):
        return
    (ending,) = endings
    for path in outputs:
        if named_format(path) in {*TEXT_FORMATS} - {ending}:
            raise UsageError(
                f"{path}: the inputs are .{ending}; name an output that ends in .{ending}"
            )


def check_format(database: Database, text_format: str | None) -> None:
    """Refuse a format that a database cannot be written in; None: whichever fits."""
    if text_format not in (None, game_kind(database.connection).text_format):
        raise UsageError(f"{_what_it_holds(database)}; leave out --format {text_format}")


def check_chess_options(
    database: Database, selection: Selection, *, keep_evp: bool = False, strip_evp: bool = False
) -> None:
    """Refuse options for chess alone, if the games are Go games."""
    if game_kind(database.connection) is CHESS:
        return
    options = {
        "--eco": bool(selection.eco),
        "--sort eco": selection.order == "eco",
        "--keep-evp": keep_evp,
        "--strip evp": strip_evp,
    }
    for option, is_given in options.items():
        if is_given:
            raise UsageError(
                f"{database.path}: {option} is for chess, and this database holds Go "
                "games; leave it out"
            )


def _what_it_holds(database: Database) -> str:
    kind = game_kind(database.connection)
    return (
        f"{database.path} holds {kind.title} games, which are written as {kind.text_format.upper()}"
    )
