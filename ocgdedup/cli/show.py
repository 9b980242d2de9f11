"""The lines that commands print about their results."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.terminal import show, show_wrapped, tell
from ocgdedup.game_kind import kind_of
from ocgdedup.wording import STATUSES, counted, counted_classes, spelling_lines_text

if TYPE_CHECKING:
    import argparse

    from ocgdedup.commands.create import CreateResult
    from ocgdedup.commands.dedup_search import DedupResult
    from ocgdedup.commands.dedup_undo import ResetResult
    from ocgdedup.commands.name_decisions import DecisionResult
    from ocgdedup.commands.players import PlayersResult, ResolvedNames
    from ocgdedup.pipeline.players.persons import PlayersSummary
    from ocgdedup.pipeline.search.groups import Resolved
    from ocgdedup.pipeline.tidy.steps import TidiedTag
    from ocgdedup.store.reports import SourceCounts

# What is filled in, by the end of the tag's name.
_FIELDS = {"FideId": "FIDE ID", "Title": "title", "Elo": "Elo"}


def show_faults(result: CreateResult, report: str | None) -> None:
    """Print the first errors in the input to standard error, and where to find the others."""
    unit = kind_of(result.summary.is_go).unit
    for fault in result.faults:
        place = f"{fault.source}:{fault.line}: game {fault.number}, after {unit} {fault.ply}"
        tell(f"{place}: {fault.reason}")
    more = result.summary.faults - len(result.faults)
    if more:
        place = f"{report} and" if report else "--report FILE.tsv and"
        games = f"{counted(more, 'more game')} read up to an error"
        tell(f"... and {games}; {place} the table Faults list all of them")


def show_create(result: CreateResult, elapsed_s: float) -> None:
    """Print the summary of an import."""
    summary = result.summary
    speed = summary.games / elapsed_s if elapsed_s else 0
    rejects = f"rejected texts: {summary.rejects:,}"
    if result.rejects_path:
        rejects += f" (see {result.rejects_path})"
    if summary.skipped:
        show(f"skipped {counted(len(summary.skipped), 'file')}: already imported")
    if summary.unwanted:
        show(f"deleted before: {unwanted_text(summary.unwanted)}")
    show_wrapped(f"games: {summary.games:,}, read up to an error: {summary.faults:,}, {rejects}")
    show(f"elapsed: {elapsed_s:.2f} s, speed: {speed:,.0f} games/s")


def tidied_text(step: TidiedTag) -> str:
    """Write what a step of tidying changed."""
    counts = {"filled in": step.filled, "replaced": step.replaced}
    parts = [f"{counted(games, 'game')} {word}" for word, games in counts.items() if games]
    return f"{step.tag}: {', '.join(parts) or 'nothing to change'}"


def unwanted_text(count: int) -> str:
    """Write how many records of an import are those of games that the user deleted."""
    return f"{counted(count, 'game')}, stored as deleted ('ocgdedup restore' restores them)"


def show_loaded_before(result: CreateResult, database: str) -> None:
    """Print that the files were imported before, and the counts of that import."""
    show(
        f"{database}: already loaded from these input files on {result.loaded_before}: "
        f"{counted(result.summary.games, 'game')}; load them once more with --again"
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
        f"speed: {speed} games/s, #duplicates: {sum(result.resolved.duplicates.values())}"
    )


def dedup_lines(result: DedupResult, options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines that say what a search found and changed."""
    if options.dry_run:
        yield from _found_lines(result)
        yield "dry run: nothing was changed"
        return
    # A purge alone searches only to apply decisions.
    if not options.purge or options.delete or not result.is_unchanged:
        yield from _search_lines(result)
    if (removed := result.deleted) is not None:
        games = f"{counted(removed.games, 'game')}; backup: {removed.backup_path}"
        yield f"deleted: {games if removed.games else 'nothing'}"
    if options.purge:
        yield _purged_line(result)
    if options.report not in (None, "-"):
        yield f"report: {options.report}"
    if result.can_undo:
        yield f"undo with: ocgdedup dedup --undo {shlex.quote(options.database)}"


def _found_lines(result: DedupResult) -> Iterator[str]:
    yield f"duplicates: {duplicates_text(result.resolved)}"
    pairs = counted(result.possible_duplicates, "pair")
    kept = ", both games kept (see 'ocgdedup review')" if result.possible_duplicates else ""
    yield f"possible duplicates: {pairs}{kept}"


def duplicates_text(resolved: Resolved) -> str:
    """Write how many duplicates there are, in how many groups, and of each class."""
    copies = {**dict.fromkeys(STATUSES, 0), **resolved.duplicates}
    classes = counted_classes(copies, resolved.longer, resolved.diverging)
    return f"{sum(copies.values()):,} in {counted(resolved.groups, 'group')}: {classes}"


def _search_lines(result: DedupResult) -> Iterator[str]:
    resolved = result.resolved
    yield from _found_lines(result)
    if result.is_unchanged:
        yield "nothing changed since the last search; use --full to search again"
    else:
        yield (
            f"changed groups: {resolved.changed_groups:,}, "
            f"games with merged headers: {resolved.merged:,}"
        )
        annotations = annotations_text(resolved, "see 'ocgdedup export --duplicates FILE'")
        if annotations is not None:
            yield annotations


def annotations_text(resolved: Resolved, place: str) -> str | None:
    """Write how many games got annotations; `place` has the others; None without annotations."""
    if not resolved.annotations_merged and not resolved.annotations_left:
        return None
    text = f"annotations merged into {counted(resolved.annotations_merged, 'game')}"
    if resolved.annotations_left:
        words = ("duplicate keeps annotations of its", "duplicates keep annotations of their")
        text += f"; {counted(resolved.annotations_left, *words)} own ({place})"
    return text


def reset_lines(result: ResetResult | None, database: str) -> Iterator[str]:
    """Yield lines about the results that a reset undid, and those that it kept."""
    if result is None:
        yield "nothing to reset: no search has been run"
        return
    yield (
        f"reset: {counted(result.groups, 'group')}, {counted(result.duplicates, 'duplicate')}, "
        f"{counted(result.possible_duplicates, 'possible duplicate')}, "
        f"{counted(result.merged, 'game')} with merges; "
        f"restored: {counted(result.restored, 'deleted game')}"
    )
    if result.decisions:
        yield f"kept: {counted(result.decisions, 'decision')} of yours, for the next search"
    if result.has_final_merges:
        yield "kept: headers and annotations that were merged from purged games"
    yield f"undo with: ocgdedup dedup --undo {shlex.quote(database)}"


def _purged_line(result: DedupResult) -> str:
    rest = f"; restored {counted(result.restored, 'deleted game')}" if result.restored else ""
    if result.not_purged:
        kept = counted(result.not_purged, "deleted game stays", "deleted games stay")
        rest += f"; {kept}, left out by the last search: run 'ocgdedup dedup --plycount 0'"
    if not result.purged:
        return f"purged nothing{rest or ': there are no deleted games'}"
    return f"purged {counted(result.purged, 'deleted game')}{rest}"


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
    elif result.stored_entries:
        entries = counted(result.stored_entries, "FIDE list entry", "FIDE list entries")
        yield f"stored: only the {entries} of players in this database (--no-store-list)"
    elif result.stored_entries is not None:
        yield (
            "no FIDE list entry is stored; of a later list, only the entries of players in this "
            "database will be (--no-store-list)"
        )
    if (removed := result.removed_spellings) is not None:
        lines = spelling_lines_text(removed.lines)
        spellings = counted(removed.spellings, "spelling")
        yield f"removed: {spellings}{', ' if lines else ''}{lines}"
    if result.aliases is not None:
        lines = spelling_lines_text(result.spelling_lines or {})
        kept = f"; kept: {lines}" if lines else ""
        yield f"spelling file: {counted(result.aliases, 'player')}{kept}"
    unknown = f"; unknown: {summary.unknown_names:,}" if summary.unknown_names else ""
    yield f"names: {spellings_text(summary)}{unknown}"
    games = counted(summary.games, "game")
    both = f"games: both players known in {summary.games_with_both:,} of {games}"
    if summary.is_unchanged:
        yield both
        yield "nothing is new since the last run; nothing was changed"
        return
    yield f"{both}; by evidence from the games: {counted(summary.games_by_evidence, 'name')}"
    if not summary.is_go:
        counts = {
            noun: sum(count for field, count in summary.filled.items() if field.endswith(end))
            for end, noun in _FIELDS.items()
        }
        filled = ", ".join(counted(count, noun) for noun, count in counts.items() if count)
        yield f"filled in: {filled or 'nothing'}"
    yield f"undo with: ocgdedup players --undo {shlex.quote(database)}"


def decision_lines(result: DecisionResult) -> Iterator[str]:
    """Yield lines on decisions about names and the players that the names have now."""
    yield (
        f"decisions: {result.changed:,} new, changed or taken back; {result.decisions:,} in all; "
        f"{counted(result.games, 'game')} changed"
    )
    for name, games, player, fide_id in result.players:
        who = player or "no player"
        fide = f" (FIDE ID {fide_id})" if fide_id is not None else ""
        yield f"{name}: {who}{fide}, {counted(games, 'game')}"


def spellings_text(summary: PlayersSummary) -> str:
    """Write how many names there are, of how many players, and how many are unresolved."""
    fide = "" if summary.is_go else f", {summary.fide_persons:,} with a FIDE ID"
    players = counted(summary.persons, "player")
    spellings = f"{counted(summary.names, 'spelling')} of {players}{fide}"
    return f"{spellings}; {summary.unresolved_names:,} unresolved"


MONTH_UNKNOWN = "month unknown; set it with --list-month YYYY-MM to fill in titles and Elos"


def list_text(result: PlayersResult) -> str:
    """Return the number of players in the rating list, its month, and the source of the month."""
    from ocgdedup.pipeline.players.name_lists import AS_BEFORE  # 57 ms

    assert result.fide_list is not None
    players = counted(result.fide_list.entries, "player")
    if result.month:
        source = result.month_source
        where = source if source == AS_BEFORE else f"from {source}"
        return f"{players}, {result.month} ({where})"
    return f"{players}, {MONTH_UNKNOWN}"


def resolved_line(names: ResolvedNames) -> str:
    """Write how many names of a file were found, and by which stages."""
    text = (
        f"names: {names.names:,}, resolved: {names.resolved:,} "
        f"({names.with_fide_id:,} with a FIDE ID), unresolved: {names.names - names.resolved:,}"
    )
    stages = ", ".join(f"{stage} {count:,}" for stage, count in names.by_stage.most_common())
    return f"{text}; by stage: {stages}" if stages else text


def source_text(source: SourceCounts) -> str:
    """Return how many games of an input file were kept, and how many were duplicates."""
    truncated = f" ({source.truncated:,} truncated)" if source.truncated else ""
    parts = [f"{source.new:,} new", f"{counted(source.duplicates, 'duplicate')}{truncated}"]
    if source.possible_duplicates:
        parts.append(f"{source.possible_duplicates:,} in possible duplicates")
    if source.rejected:
        parts.append(counted(source.rejected, "rejected text"))
    return ", ".join(parts)
