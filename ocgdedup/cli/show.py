"""What the commands print of their results: the wording of each line."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ocgdedup.cli.terminal import show, tell

if TYPE_CHECKING:
    import argparse

    from ocgdedup.commands.create import CreateResult
    from ocgdedup.commands.dedup import DedupResult, ResetResult
    from ocgdedup.commands.players import PlayersResult, ResolvedNames
    from ocgdedup.commands.removal import Removed
    from ocgdedup.model import FaultNotice
    from ocgdedup.pipeline.groups import Resolved
    from ocgdedup.store.overview import SourceCounts

CLASSES = ("exact", "subsumption", "join")  # of duplicates
# The plural of a filled-in value, by the last part of its tag name.
_FIELDS = {"FideId": "FIDE IDs", "Title": "titles", "Elo": "Elos"}


def show_faults(result: CreateResult, report: str | None) -> None:
    """Print the first errors in the input to standard error, and where to find the others."""
    for fault in result.faults:
        tell(_fault_line(fault, is_go=result.summary.is_go))
    more = result.summary.faults - len(result.faults)
    if more:
        rest = f"all are in {report}" if report else "--report FILE.tsv lists all"
        tell(f"... and {more} more games cut at a fault; {rest}, and so does the table Faults")


def _fault_line(fault: FaultNotice, *, is_go: bool) -> str:
    unit = "move" if is_go else "ply"
    place = f"{fault.source}:{fault.line}: game {fault.number}, after {unit} {fault.ply}"
    return f"{place}: {fault.reason}"


def show_create(result: CreateResult, elapsed_s: float) -> None:
    """Print the summary of an import."""
    summary = result.summary
    speed = summary.games / elapsed_s if elapsed_s else 0
    rejects = f"rejects: {summary.rejects}"
    if result.rejects_path:
        rejects += f" (in {result.rejects_path})"
    if summary.passed_over:
        show(f"files skipped, already imported: {len(summary.passed_over)}")
    show(
        f"games: {summary.games}, cut at a fault: {summary.faults}, {rejects}, "
        f"elapsed: {elapsed_s:.2f} s, speed: {speed:.0f} games/s"
    )


def show_loaded_before(result: CreateResult, database: str) -> None:
    """Print that the files were imported before, and the counts of that import."""
    games = result.summary.games
    show(
        f"{database}: already loaded from these input files on {result.loaded_before}: "
        f"{games:,} game{'s' * (games != 1)}; load them once more with --again"
    )


def ocgdb_line(result: DedupResult, elapsed_s: float) -> str:
    """Write OCGDB's closing line; `#duplicates` counts duplicates, not pairs."""
    whole_s = int(elapsed_s)
    clock = f"{whole_s // 60:02}:{whole_s % 60:02}"
    if whole_s >= 3600:
        clock = f"{whole_s // 3600}:{whole_s // 60 % 60:02}:{whole_s % 60:02}"
    speed = int(result.games / elapsed_s) if elapsed_s else 0
    return (
        f"#games: {result.games}, elapsed: {int(elapsed_s * 1000)}ms {clock}, "
        f"speed: {speed} games/s, #duplicates: {sum(result.resolved.copies.values())}"
    )


def show_dedup(result: DedupResult, options: argparse.Namespace) -> None:
    """Print to standard error what a search found and changed."""
    for line in _dedup_lines(result, options):
        tell(line)


def _dedup_lines(result: DedupResult, options: argparse.Namespace) -> Iterator[str]:
    resolved = result.resolved
    if options.dry_run:
        copies = sum(resolved.copies.values())
        yield f"copies: {copies} in {resolved.groups} groups; suspects: {result.suspects}"
        yield "dry run: nothing was changed"
        return
    if not options.purge or options.delete:  # a purge alone searches nothing
        yield from _search_lines(result)
    if result.removed is not None:
        yield _removed_line(result.removed)
    if options.purge:
        yield _purged_line(result.purged, result.not_purged)
    if options.report is not None:
        yield f"report: {options.report}"
    if result.can_undo:
        yield f"undo with: ocgdedup dedup --undo {shlex.quote(options.database)}"


def _search_lines(result: DedupResult) -> Iterator[str]:
    resolved = result.resolved
    by_class = ", ".join(f"{status}: {resolved.copies.get(status, 0)}" for status in CLASSES)
    yield f"copies in {resolved.groups} groups: {by_class}; suspects: {result.suspects}"
    if result.is_unchanged:
        yield "nothing new since the last search, nothing was judged anew (--full does)"
    else:
        yield f"groups that changed: {resolved.changed_groups}, headers merged: {resolved.merged}"
        annotations = annotations_text(resolved, "see 'ocgdedup export --duplicates FILE'")
        if annotations is not None:
            yield annotations


def annotations_text(resolved: Resolved, place: str) -> str | None:
    """Write how many games got annotations; None if no duplicate has any.

    `place`: where those are that were not merged.
    """
    if not resolved.noted and not resolved.annotated:
        return None
    text = f"annotations merged into {resolved.noted:,} game{'s' * (resolved.noted != 1)}"
    if resolved.annotated == 1:
        return f"{text}; 1 duplicate keeps annotations of its own ({place})"
    if resolved.annotated:
        return f"{text}; {resolved.annotated:,} duplicates keep annotations of their own ({place})"
    return text


def reset_lines(result: ResetResult | None, database: str) -> Iterator[str]:
    """Yield what a reset undid, and what it kept."""
    if result is None:
        yield "nothing to reset: there was no search"
        return
    yield (
        f"reset: {result.groups:,} groups, {result.duplicates:,} duplicates, {result.suspects:,} "
        f"possible duplicates, {result.merged:,} merged headers; deleted games put back: "
        f"{result.put_back:,}"
    )
    if result.decisions:
        yield f"kept: {result.decisions:,} of your decisions, for the next search"
    if result.has_final_merges:
        yield "kept: headers that were merged from purged games"
    yield f"undo with: ocgdedup dedup --undo {shlex.quote(database)}"


def _removed_line(removed: Removed) -> str:
    if not removed.games:
        return "deleted: nothing"
    return f"deleted: {removed.games} games, written to {removed.backup_path} before"


def _purged_line(purged: int | None, not_purged: int) -> str:
    rest = ""
    if not_purged:
        kept = "1 deleted game stays" if not_purged == 1 else f"{not_purged:,} deleted games stay"
        rest = f"; {kept} until a search finds which game represents each"
        rest += ": run 'ocgdedup dedup --plycount 0'"
    if not purged:
        return f"purged nothing{rest or ', there are no deleted games'}"
    return f"purged {purged:,} deleted {'game' if purged == 1 else 'games'}{rest}"


def show_players(
    result: PlayersResult, database: str, write_line: Callable[[str], None] = show
) -> None:
    """Print what a consolidation found and changed, by default to standard output."""
    for line in _players_lines(result, database):
        write_line(line)


def _players_lines(result: PlayersResult, database: str) -> Iterator[str]:
    summary = result.summary
    if result.fide_list is not None:
        yield f"FIDE list: {list_text(result)}"
    if result.has_reduced_list:
        yield "FIDE list reduced to the players of this database, file shrunk"
    if result.aliases is not None:
        yield f"spelling file: {result.aliases} players"
    of_fide = "" if summary.is_go else f" (FIDE: {summary.fide_persons})"
    yield (
        f"names: {summary.names}, persons: {summary.persons}{of_fide}, "
        f"open: {summary.open_names}, unknown: {summary.unknown_names}"
    )
    both = f"games with both players known: {summary.games_with_both} of {summary.games}"
    if summary.is_unchanged:
        yield both
        yield "nothing new since the last consolidation, nothing was changed"
        return
    yield f"{both}; by the games' evidence: {summary.games_by_evidence} names in games"
    if not summary.is_go:
        yield f"filled in: {_filled_text(summary.filled)}"
    yield f"undo with: ocgdedup players --undo {shlex.quote(database)}"


MONTH_UNKNOWN = "month unknown; set it with --list-month YYYY-MM to fill in titles and Elos"


def list_text(result: PlayersResult) -> str:
    """Return the number of players in the rating list, its month, and the source of the month."""
    assert result.fide_list is not None
    players = f"{result.fide_list.entries:,} players"
    if result.month:
        return f"{players}, {result.month} ({result.month_source})"
    return f"{players}, {MONTH_UNKNOWN}"


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


def source_text(source: SourceCounts) -> str:
    """Return how many games of an input file were kept, and how many were duplicates."""
    truncated = f" ({source.truncated:,} truncated)" if source.truncated else ""
    parts = [f"{source.new:,} new", f"{source.duplicates:,} duplicates{truncated}"]
    if source.possible_duplicates:
        parts.append(f"{source.possible_duplicates:,} in possible duplicates")
    if source.rejected:
        parts.append(f"{source.rejected:,} rejected")
    return ", ".join(parts)
