"""The command printpgn: games as PGN or SGF, or pairs of them side by side."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags, add_names
from ocgdedup.cli.terminal import choose_reporter, tell, write_result, write_table
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.pipeline.search.pairs import ShownPair


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    shown = command.add_mutually_exclusive_group(required=True)
    shown.add_argument("-g", "--game", dest="games", type=int, action="extend", nargs="+")
    shown.add_argument("--diff", nargs=2, type=int)
    shown.add_argument("--pairs", nargs="?", const="")
    shown.add_argument("--group", type=int)
    add_flags(command, "--signature")
    add_names(command)


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print the games or pairs that the options name."""
    if options.names and (options.games is None or options.signature):
        raise UsageError("printpgn: --names goes with -g; compared games keep their own headers")
    if options.signature:
        _show_signatures(options)
    elif options.diff is not None:
        from ocgdedup.commands.printpgn import compared_games  # 45 ms
        from ocgdedup.reports.pair_evidence import evidence_text  # 32 ms

        write_result(evidence_text(*compared_games(options.database, *options.diff)))
    elif options.games is None:
        _show_pairs(options)
    else:
        from ocgdedup.commands.printpgn import printpgn  # 37 ms

        write_result(printpgn(options.database, options.games, options.names))
    return ExitStatus.DONE


def _show_signatures(options: argparse.Namespace) -> None:
    """Print the signatures of games instead of the games."""
    if options.games is None:
        raise UsageError("printpgn: --signature goes with -g; name the games by their IDs")
    from ocgdedup.cli.signatures import signature_line  # 2 ms
    from ocgdedup.commands.signatures import read_signatures  # 49 ms

    write_table(map(signature_line, read_signatures(options.database, options.games)))


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
