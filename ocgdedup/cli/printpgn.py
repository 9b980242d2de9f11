"""The command printpgn: games as PGN or SGF, or pairs of them side by side."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags, add_games, add_names, ids_of
from ocgdedup.cli.terminal import choose_reporter, tell, write_result, write_table
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.pipeline.search.pairs import ShownPair


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_games(command)
    compared = command.add_mutually_exclusive_group()
    compared.add_argument("--diff", nargs=2, type=int)
    compared.add_argument("--pairs", nargs="?", const="")
    compared.add_argument("--group", type=int)
    add_flags(command, "--signature")
    add_names(command)


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print the games or pairs that the options name."""
    games = ids_of(options)
    compares = (options.diff, options.pairs, options.group) != (None, None, None)
    if not games and not compares:
        raise UsageError("printpgn: name games by their IDs, or give --diff, --pairs or --group")
    if games and compares:
        raise UsageError(
            "printpgn: --diff, --pairs and --group print pairs; leave out the IDs before them"
        )
    if compares and (options.names or options.signature):
        option = "--names" if options.names else "--signature"
        raise UsageError(f"printpgn: {option} goes with IDs of games, not with pairs")
    if options.names and options.signature:
        raise UsageError("printpgn: a signature has no names; leave out --names")
    if options.signature:
        _show_signatures(options.database, games)
    elif options.diff is not None:
        from ocgdedup.commands.printpgn import compared_games  # 45 ms
        from ocgdedup.reports.pair_evidence import evidence_text  # 32 ms

        write_result(evidence_text(*compared_games(options.database, *options.diff)))
    elif compares:
        _show_pairs(options)
    else:
        from ocgdedup.commands.printpgn import printpgn  # 37 ms

        write_result(printpgn(options.database, games, options.names))
    return ExitStatus.DONE


def _show_signatures(path: str, games: Sequence[int]) -> None:
    """Print the signatures of games instead of the games."""
    from ocgdedup.cli.signatures import signature_line  # 2 ms
    from ocgdedup.commands.signatures import read_signatures  # 49 ms

    write_table(map(signature_line, read_signatures(path, games)))


def _show_pairs(options: argparse.Namespace) -> None:
    """Print pairs of games side by side: from a file, a group, or the possible duplicates."""
    from ocgdedup.commands.printpgn import opened_pairs  # 39 ms
    from ocgdedup.reports.pair_files import fits, read_rows  # 62 ms
    from ocgdedup.reports.side_by_side import pairs_text  # 44 ms

    rows = read_rows(options.pairs) if options.pairs else None
    asked_pairs = None if rows is None else [(row.first, row.second) for row in rows]
    shown = 0
    strange: list[int] = []

    def checked(pairs: Iterable[ShownPair]) -> Iterator[ShownPair]:
        for index, pair in enumerate(pairs):
            if rows is not None and not fits(rows[index], pair):
                strange.append(index + 1)
            yield pair

    with opened_pairs(options.database, asked_pairs, options.group) as pairs:
        for text in pairs_text(checked(pairs)):
            write_result(text)
            shown += 1
    if strange:
        choose_reporter(options).warn(
            f"{options.pairs}: players or moves of {len(strange):,} of {counted(shown, 'pair')} "
            f"are different in {options.database}, first in pair {strange[0]}; check that the "
            "report is of this database"
        )
    if not shown:
        tell("no possible duplicates to decide about; to search for them, run 'ocgdedup dedup'")


COMMAND = Command("printpgn", _add_options, run_command)
