"""The command signatures: it prints a summary, one line per game, or a report."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags, add_games, ids_of, positive
from ocgdedup.cli.terminal import choose_reporter, plain, show, write_result, write_table
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.wording import counted, joined

if TYPE_CHECKING:
    from ocgdedup.game_kind import GameKind
    from ocgdedup.pipeline.find.signature_report import (
        MoveDifference,
        SignaturePair,
        SignatureReport,
    )
    from ocgdedup.pipeline.ingest.signatures import ChosenMoves, GameSignatures

_LABEL_CHARS = 40
# Names of the fields of GameSignatures in the line of a game.
_NAMES = {
    "a": "A",
    "b": "B",
    "symmetric_a": "symmetric-A",
    "symmetric_b": "symmetric-B",
    "md5_first50": "first50",
    "md5_first100": "first100",
    "canonical_md5": "canonical",
}
_KINDS = {
    "slip": "slips: the moves agree again after them",
    "ending": "only the last moves differ",
    "prefix": "one game is truncated",
    "setup": "equal moves, other start position",
    "other": "the moves do not agree again",
}


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_games(command)
    command.add_argument("--moves", type=move_numbers)
    add_flags(command, "--report", "--json")


def move_numbers(text: str) -> list[int]:
    """Parse move numbers separated by commas."""
    try:
        return [positive(number.strip()) for number in text.split(",")]
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no list of moves such as 10,13,16"
        ) from error


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Compute, print or count signatures, as the options require."""
    games = ids_of(options)
    if options.report:
        if games:
            raise UsageError("signatures: --report is about all games; leave out the IDs")
        return _report(options)
    from ocgdedup.commands.signatures import read_moves, read_signatures  # 38 ms

    rows: Iterable[GameSignatures | ChosenMoves]
    if options.moves:
        rows = read_moves(options.database, games or None, options.moves)
    elif games:
        rows = read_signatures(options.database, games)
    else:
        return _fill(options)
    write_table(json.dumps(_object(row)) if options.json else signature_line(row) for row in rows)
    return ExitStatus.DONE


def _fill(options: argparse.Namespace) -> ExitStatus:
    reporter = choose_reporter(options)
    from ocgdedup.commands.signatures import fill_database  # 37 ms

    filled = fill_database(options.database, reporter)
    if options.json:
        write_result(f"{json.dumps(filled._asdict())}\n")
    elif not options.quiet:
        show(f"games: {filled.games:,}, signatures written: {filled.written:,}")
    if not filled.unreadable:
        return ExitStatus.DONE
    reporter.warn(
        f"{options.database}: start position or moves of {counted(filled.unreadable, 'game')} "
        "cannot be read; no signature written for them, run 'ocgdedup check' for details"
    )
    return ExitStatus.DONE_WITH_REJECTS


def _object(game: GameSignatures | ChosenMoves) -> dict[str, object]:
    """Return the JSON object of a game; docs/go.md explains the keys."""
    return {name: value for name, value in game._asdict().items() if value is not None}


def signature_line(game: GameSignatures | ChosenMoves) -> str:
    """Write the signatures of a game: its ID, then NAME=VALUE separated by spaces."""
    named = _object(game)
    parts = [str(named.pop("game_id"))]
    parts += (f"{_NAMES.get(name, name)}={value}" for name, value in named.items())
    return " ".join(parts)


def _report(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.signatures import report  # 38 ms

    experiment = report(options.database, choose_reporter(options), options.moves)
    if options.json:
        write_result(f"{json.dumps(_report_object(experiment), indent=2)}\n")
        return ExitStatus.DONE
    write_table(f"{label:<{_LABEL_CHARS}} {count:>10,}" for label, count in _counts(experiment))
    write_table(_sentences(experiment))
    write_table(_pair_line(pair, experiment.kind) for pair in experiment.pairs)
    for name, pairs, count in (
        ("A", experiment.pairs_a, experiment.only_a), ("B", experiment.pairs_b, experiment.only_b),
    ):  # fmt: skip
        write_table(f"only {name}: {_pair_line(pair, experiment.kind)}" for pair in pairs)
        if count > len(pairs):
            write_table([f"only {name}: and {counted(count - len(pairs), 'more pair')}"])
    return ExitStatus.DONE


def _counts(report: SignatureReport) -> Iterator[tuple[str, int]]:
    counts = report.counts
    names = "A and B" if report.moves is None else "moves"
    yield "games", counts.games
    if report.moves is None:
        yield "different A", counts.a
        yield "different B", counts.b
        yield "different A and B together", counts.both
    else:
        yield "different moves", counts.a
    if report.kind.has_symmetry:
        yield f"different {names}, board rotated", counts.symmetric
    yield "different MD5", counts.md5
    if report.kind.has_symmetry:
        yield "different canonical MD5", counts.canonical_md5
    if report.moves is None:
        yield "pairs with equal A, different B", report.only_a
        yield "pairs with equal B, different A", report.only_b
    yield f"pairs with equal {names}, different MD5", len(report.pairs)
    for kind, words in _KINDS.items():
        yield f"  {words}", report.count_of(kind)
    if report.large_groups:
        yield f"  over {report.most_by_pairs} games: lowest ID only", report.large_groups
    if report.short:
        least = 40 if report.moves is None else report.moves[:2][-1]
        yield f"left out: fewer than {least} moves", report.short
    if report.unreadable:
        yield "games that cannot be read", report.unreadable


def _sentences(report: SignatureReport) -> Iterator[str]:
    """Yield sentences with the results of the published experiment (docs/go.md)."""
    counts = report.counts
    if not counts.games:
        return
    unit = report.kind.plain_units
    if report.moves is None:
        yield (
            f"Among {counts.games:,} games, A takes {counts.a:,} values and B {counts.b:,}; all "
            f"{unit} together make {counts.md5:,} different MD5s."
        )
        yield (
            f"Two games with different {unit} share A alone in {report.only_a:,} pairs, B alone "
            f"in {report.only_b:,}, and both in {len(report.pairs):,}."
        )
    else:
        numbers = joined([*map(str, report.moves)], "and")
        yield (
            f"Among {counts.games:,} games, {unit} {numbers} take {counts.a:,} values; all {unit} "
            f"together make {counts.md5:,} different MD5s."
        )
        pairs = counted(len(report.pairs), "pair")
        yield f"Two games with different {unit} share {unit} {numbers} in {pairs}."
    if report.pairs:
        shared = "both" if report.moves is None else "them"
        one_game = len(report.pairs) - report.count_of("other")
        yield (
            f"Of the {len(report.pairs):,} that share {shared}, {one_game:,} are most likely one "
            f"game (slips, different last {unit}, or truncated) and "
            f"{report.count_of('other'):,} are not."
        )


def _pair_line(pair: SignaturePair, kind: GameKind) -> str:
    start = f"{pair.kind} {pair.left} {pair.right} moves {pair.plies[0]} {pair.plies[1]}"
    start += f" alike {pair.shared}"
    if pair.other_setup:
        start += ", other start"
    if not pair.differences:
        return start
    if pair.kind == "other":
        return f"{start}: {_difference_text(pair.differences[0], kind)} ..."
    texts = [_difference_text(difference, kind) for difference in pair.differences]
    if pair.total > len(texts):
        texts.append(f"and {pair.total - len(texts)} more")
    return f"{start}: {', '.join(texts)}"


def _difference_text(pair: MoveDifference, kind: GameKind) -> str:
    return f"{kind.unit} {pair.number}: {pair.left or 'none'} - {pair.right or 'none'}"


def _report_object(report: SignatureReport) -> dict[str, object]:
    """Return the JSON object of a report."""
    return {
        **report.counts._asdict(),
        "only_a": report.only_a,
        "only_b": report.only_b,
        "sentences": list(_sentences(report)),
        "unreadable": report.unreadable,
        "short": report.short,
        "large_groups": report.large_groups,
        "kinds": {kind: report.count_of(kind) for kind in _KINDS},
        "moves": report.moves,
        "pairs": plain(report.pairs),
        "pairs_a": plain(report.pairs_a),
        "pairs_b": plain(report.pairs_b),
    }


COMMAND = Command("signatures", _add_options, run_command)
