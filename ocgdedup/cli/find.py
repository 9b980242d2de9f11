"""The command find: games that fit, as a table or as JSON."""

from __future__ import annotations

import argparse
import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ocgdedup.cli.terminal import choose_reporter
from ocgdedup.errors import ExitStatus

if TYPE_CHECKING:
    from ocgdedup.pipeline.find import FindRequest, FoundGames

_WIDTH = 80  # where there is no terminal


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print the games that fit the options."""
    command = importlib.import_module("ocgdedup.commands.find")
    request = request_of(options)
    reporter = choose_reporter(quiet=options.quiet)
    shown = 0
    with command.opened_search(options.database, request, reporter) as found:
        for line in _lines(found, options):
            # Games are of all the world, whatever the terminal's charset.
            sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
            shown += 1
    sys.stdout.buffer.flush()
    if not shown and not options.quiet:
        print(f"{options.database}: no game fits", file=sys.stderr)
    return ExitStatus.DONE


def request_of(options: argparse.Namespace) -> FindRequest:
    """Return what the options ask for."""
    selection = importlib.import_module("ocgdedup.store.selection").Selection(
        players=tuple(options.player), years=options.year
    )
    signatures = {"SignatureA": options.signature_a, "SignatureB": options.signature_b}
    request: FindRequest = importlib.import_module("ocgdedup.pipeline.find").FindRequest(
        signatures={column: text for column, text in signatures.items() if text is not None},
        moves=tuple(options.move),
        like=options.like,
        md5=options.md5,
        position=options.position,
        selection=selection,
        lines=options.size,
        symmetric=options.symmetric,
        limit=options.limit,
    )
    return request


def _lines(found: FoundGames, options: argparse.Namespace) -> Iterator[str]:
    report: Any = importlib.import_module("ocgdedup.report.found_games")
    if options.json:
        for game in found.games:
            yield json.dumps(report.found_object(game, is_go=found.is_go), ensure_ascii=False)
        return
    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else _WIDTH
    yield from report.found_lines(found.games, is_go=found.is_go, width=width, fits=found.fits)
