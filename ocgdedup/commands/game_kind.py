"""What fits the kind of games of a database: PGN is chess, SGF is Go."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ocgdedup.errors import UsageError
from ocgdedup.files.compress import extension_of
from ocgdedup.store.connection import Database
from ocgdedup.store.games import has_games
from ocgdedup.store.selection import Selection
from ocgdedup.store.variant import holds_go
from ocgdedup.tables.formats import PGN, SGF


def text_kind(database: Database) -> str:
    """Return what the games of a database are written as: PGN or SGF."""
    return SGF if holds_go(database.connection) else PGN


def check_endings(database: Database, paths: Iterable[str | None]) -> None:
    """Refuse a file of games whose name says that it has the other kind of games.

    A database without games has no kind yet.
    """
    if not has_games(database.connection):
        return
    kind = text_kind(database)
    other = PGN if kind == SGF else SGF
    for path in paths:
        if path is not None and _ending(path) == other:
            raise UsageError(
                f"{path}: {_what_it_holds(database)}; name a file that ends in .{kind}"
            )


def check_names(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output whose name says the other kind of games than those of all inputs.

    Before anything is read; of inputs whose names do not say, the games will tell.
    """
    kinds = {_ending(path) for path in inputs}
    for path in outputs:
        for kind, other in ((PGN, SGF), (SGF, PGN)):
            if kinds == {kind} and _ending(path) == other:
                raise UsageError(
                    f"{path}: the inputs are .{kind}; name an output that ends in .{kind}"
                )


def check_format(database: Database, wanted: str | None) -> None:
    """Refuse a format that a database cannot be written in; None: whichever fits."""
    if wanted not in (None, text_kind(database)):
        raise UsageError(f"{_what_it_holds(database)}; leave out --format {wanted}")


def check_chess_options(
    database: Database, selection: Selection, *, keep_evp: bool = False, strip_evp: bool = False
) -> None:
    """Refuse options that only chess has an answer to, if the games are games of Go."""
    if text_kind(database) == PGN:
        return
    given = {
        "--eco": bool(selection.eco),
        "--sort eco": selection.order == "eco",
        "--keep-evp": keep_evp,
        "--strip evp": strip_evp,
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError(
                f"{database.path}: {option} is for chess, and this database holds Go "
                "games; leave it out"
            )


def _what_it_holds(database: Database) -> str:
    if text_kind(database) == SGF:
        return f"{database.path} holds Go games, which are written as SGF"
    return f"{database.path} holds chess games, which are written as PGN"


def _ending(path: str) -> str:
    """Return the ending of a name without its dot, that of a compressed file behind it left out."""
    compression = extension_of(path)
    stem = path.removesuffix(compression) if compression else path
    return os.path.splitext(stem)[1].removeprefix(".").lower()
