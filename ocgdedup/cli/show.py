"""What the commands print of their results: the wording of each line."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from ocgdedup.commands.create import CreateResult
    from ocgdedup.commands.players import PlayersResult, ResolvedNames
    from ocgdedup.model import ExactSummary, FaultNotice

# The plural of what is filled in, by the end of the tag's name.
_FIELDS = {"FideId": "FIDE IDs", "Title": "titles", "Elo": "Elos"}


def show_faults(result: CreateResult, report: str | None) -> None:
    """Print the first faults to standard error, and where the others are."""
    for fault in result.faults:
        print(_fault_line(fault), file=sys.stderr)
    more = result.summary.faults - len(result.faults)
    if more:
        rest = f"all are in {report}" if report else "--report FILE.tsv lists all"
        print(
            f"... and {more} more games cut at a fault; {rest}, and so does the table Faults",
            file=sys.stderr,
        )


def _fault_line(fault: FaultNotice) -> str:
    place = f"{fault.source}:{fault.line}: game {fault.number}, after ply {fault.ply}"
    return f"{place}: {fault.reason}"


def show_create(result: CreateResult, elapsed_s: float) -> None:
    """Print what a load did."""
    summary = result.summary
    speed = summary.games / elapsed_s if elapsed_s else 0
    rejects = f"rejects: {summary.rejects}"
    if result.rejects_path:
        rejects += f" (in {result.rejects_path})"
    print(
        f"games: {summary.games}, cut at a fault: {summary.faults}, {rejects}, "
        f"elapsed: {elapsed_s:.2f} s, speed: {speed:.0f} games/s"
    )


def ocgdb_line(summary: ExactSummary, elapsed_s: float) -> str:
    """Write OCGDB's closing line; `#duplicates` counts games that are copies, not pairs."""
    whole_s = int(elapsed_s)
    clock = f"{whole_s // 60:02}:{whole_s % 60:02}"
    if whole_s >= 3600:
        clock = f"{whole_s // 3600}:{whole_s // 60 % 60:02}:{whole_s % 60:02}"
    speed = int(summary.games / elapsed_s) if elapsed_s else 0
    return (
        f"#games: {summary.games}, elapsed: {int(elapsed_s * 1000)}ms {clock}, "
        f"speed: {speed} games/s, #duplicates: {summary.copies}"
    )


def show_players(result: PlayersResult, database: str, file: TextIO | None = None) -> None:
    """Print what a consolidation found and changed, by default to standard output."""
    for line in _players_lines(result, database):
        print(line, file=file or sys.stdout)


def _players_lines(result: PlayersResult, database: str) -> Iterator[str]:
    summary = result.summary
    if result.fide_list is not None:
        month = result.month or "month not known"
        yield f"FIDE list: {result.fide_list.entries} players ({month})"
    if result.aliases is not None:
        yield f"spelling file: {result.aliases} players"
    yield (
        f"names: {summary.names}, persons: {summary.persons} (FIDE: {summary.fide_persons}), "
        f"open: {summary.open_names}, unknown: {summary.unknown_names}"
    )
    both = f"games with both players known: {summary.games_with_both} of {summary.games}"
    if summary.is_unchanged:
        yield both
        yield "nothing new since the last consolidation, nothing was changed"
        return
    yield f"{both}; by the games' evidence: {summary.games_by_evidence} names in games"
    yield f"filled in: {_filled_text(summary.filled)}"
    yield f"undo with: ocgdedup players --undo {shlex.quote(database)}"


def _filled_text(filled: Mapping[str, int]) -> str:
    counts = {
        words: sum(count for field, count in filled.items() if field.endswith(end))
        for end, words in _FIELDS.items()
    }
    return ", ".join(f"{count} {words}" for words, count in counts.items() if count) or "nothing"


def resolved_line(found: ResolvedNames) -> str:
    """Write how many names of a file were found, and by which stages."""
    text = (
        f"names: {found.names}, resolved: {found.resolved} (FIDE: {found.with_fide_id}), "
        f"open: {found.names - found.resolved}"
    )
    stages = ", ".join(f"{stage} {count}" for stage, count in found.by_stage.most_common())
    return f"{text}; by stage: {stages}" if stages else text
