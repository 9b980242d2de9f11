"""The options of create."""

from __future__ import annotations

from ocgdedup.cli.options.shared import (
    Commands,
    add_command,
    add_fail_on,
    add_json,
    add_list_month,
    add_lists,
    positive,
)


def add_create(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "create",
        "Read PGN or SGF into a new database. Moves are checked for legality; a game with "
        "an error is kept up to it and listed, text that is no game goes to the reject file.",
        "ocgdedup create games.db3 twic*.zip mygames.pgn",
        "ocgdedup create go.db3 mygames.sgf",
    )
    command.add_argument("database", metavar="GAMES.db3", help="the database to make")
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="PGN or SGF file, folder of them, .gz .bz2 .xz .zst, .tar or .zip of them, or - for "
        "standard input; a database holds one kind of game",
    )
    existing = command.add_mutually_exclusive_group()
    existing.add_argument("--append", action="store_true", help="add to a database that is there")
    existing.add_argument("--force", action="store_true", help="overwrite what is there")
    command.add_argument(
        "--only-new",
        action="store_true",
        help="pass over files that were loaded before, by their bytes, whatever their name",
    )
    command.add_argument(
        "--again",
        action="store_true",
        help="load these input files once more; without it, a load that is in the database "
        "already is not repeated",
    )
    command.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="threads that parse (default: one for each processor, at most 4); "
        "the result is the same for any number",
    )
    command.add_argument(
        "--no-index",
        action="store_true",
        help="build no indexes on the hash columns and on signatures",
    )
    command.add_argument(
        "--index-records",
        action="store_true",
        help="index GameHash, for queries for equal records and 'dedup --by record'",
    )
    command.add_argument(
        "--signatures",
        action="store_true",
        help="sign the games, as the command signatures does; Go games, and those added to signed "
        "ones, always are",
    )
    add_fail_on(command)
    add_json(command)
    command.add_argument(
        "--rejects",
        metavar="FILE.pgn",
        help="where rejected text goes (default: GAMES.rejects.pgn, for Go games "
        "GAMES.rejects.sgf); made only if there is any",
    )
    command.add_argument(
        "--report",
        metavar="FILE.tsv",
        help="list all faults: file, line, game number, ply (Go: move), reason (else the first "
        "20 are shown)",
    )
    add_lists(command, "after the load, find out who played, as the command players does, by ")
    add_list_month(command)
