"""Checks that files and options fit the kind of games: PGN is chess, SGF is Go."""

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
    """Raise UsageError for a file with the ending of the other kind of games.

    A database without games has no kind yet.
    """
    if not has_games(database.connection):
        return
    ending = game_kind(database.connection).text_format
    for path in paths:
        if path is not None and named_format(path) in {*TEXT_FORMATS} - {ending}:
            raise UsageError(
                f"{path}: {_games_in_words(database)}; name a file that ends in .{ending}"
            )


def check_names(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Raise UsageError for an output with another ending than all inputs.

    This is a check before reading; if the inputs' names do not show the kind of games, it passes.
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
    """Raise UsageError for the text format of the other kind of games; None is valid for both."""
    if text_format not in (None, game_kind(database.connection).text_format):
        raise UsageError(f"{_games_in_words(database)}; leave out --format {text_format}")


def check_chess_options(
    database: Database,
    selection: Selection,
    *,
    keep_evp: bool = False,
    strip_evp: bool = False,
    tree: bool = False,
) -> None:
    """Raise UsageError for options for chess alone if the games are Go games."""
    if game_kind(database.connection) is CHESS:
        return
    options = {
        "--eco": bool(selection.eco),
        "--opening": selection.opening is not None,
        "--elo": selection.elo is not None,
        "--speed": bool(selection.speeds),
        "--moves": selection.moves is not None,
        "--sort eco": selection.order == "eco",
        "--keep-evp": keep_evp,
        "--strip evp": strip_evp,
        "--tree": tree,
    }
    for option, is_given in options.items():
        if is_given:
            raise UsageError(
                f"{database.path}: {option} is for chess, and this database holds Go "
                "games; leave it out"
            )


def _games_in_words(database: Database) -> str:
    kind = game_kind(database.connection)
    return (
        f"{database.path} holds {kind.title} games, which are written as {kind.text_format.upper()}"
    )
