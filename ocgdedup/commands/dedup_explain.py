"""dedup --explain and --method: explain verdicts, merges and keys in words; change nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.matching.evidence import TERMS, VERDICTS
from ocgdedup.pipeline.search.named_options import NamedOptions, options_over_last
from ocgdedup.pipeline.search.pairs import require_game_ids
from ocgdedup.store.connection import one_state
from ocgdedup.store.corrections import MOVETEXT, corrections, has_corrections
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.duplicates import game_row, groups_of
from ocgdedup.store.games import can_be_id
from ocgdedup.store.merges import MergedNotes, MergedTag, merged_notes, merged_tags
from ocgdedup.store.possible_duplicates import decided_pairs, possible_duplicate
from ocgdedup.store.search_reader import METHODS
from ocgdedup.wording import counted, decided_text

if TYPE_CHECKING:
    import apsw

    from ocgdedup.pipeline.search.key_groups import MethodResult


class ExplainedPair(NamedTuple):
    """The verdict on two games, their stored state, and both in words."""

    game_ids: tuple[int, int]
    verdict: str
    score: float
    evidence: Mapping[str, float]
    are_in_one_group: bool
    are_possible_duplicates: bool
    lines: Sequence[str]


class ExplainedMerge(NamedTuple):
    """What was merged into the kept game of a game's group, also in words.

    `annotations`: those from the kept game itself are replaced by the others.
    """

    game_id: int
    kept_game_id: int
    duplicates: int
    merged: Sequence[MergedTag]
    annotations: Sequence[MergedNotes]
    lines: Sequence[str]


def explain_pair(
    path: str, named: NamedOptions, first: int, second: int, *, defaults: bool = False
) -> ExplainedPair:
    """Explain the verdict on two games; change nothing.

    Raises UsageError for equal or unknown IDs.
    """
    if first == second:
        raise UsageError(f"{path}: --explain needs two different games, not {first} twice")
    from ocgdedup.pipeline.search.judge import Judge  # 2 ms

    with open_database(path) as database, store_errors(path, "cannot be read"):
        search = options_over_last(database.connection, named, defaults).search()
        # The user may name games that were too short for the last search.
        search = search._replace(min_plies=named.plycount or 0)
        connection = database.connection
        with one_state(connection):
            game_ids = [game_id for game_id in (first, second) if can_be_id(game_id)]
            judge = Judge(
                connection, search, game_ids, decided_pairs(connection), decisions_count=True
            )
            for game_id in (first, second):
                if game_id not in game_ids or game_id not in judge.finder:
                    among = " that has as many plies as --plycount" if search.min_plies else ""
                    raise UsageError(f"{path}: there is no game with ID {game_id}{among}")
            explanation = judge.explained(first, second)
            state = possible_duplicate(connection, first, second)
            decision = []
            if state is not None and state.decision is not None:
                decision = [decided_text(state.decision, state.kept_game, state.note)]
            return ExplainedPair(
                (first, second),
                VERDICTS[explanation.comparison.verdict],
                explanation.comparison.score,
                dict(zip(TERMS, explanation.comparison.terms, strict=True)),
                explanation.are_together,
                explanation.are_possible_duplicates,
                [*judge.in_words(first, second, with_moves=True), *decision],
            )


def explain_merge(path: str, game_id: int) -> ExplainedMerge:
    """Explain what was merged into the kept game of a game's group; change nothing.

    Raises UsageError for an unknown ID.
    """
    with open_database(path) as database, store_errors(path, "cannot be read"):
        connection = database.connection
        require_game_ids(database, [game_id])
        ids = groups_of(connection, [game_id])
        kept_id = ids.get(game_id, game_id)
        duplicates = max(len(ids) - 1, 0)
        changes = list(merged_tags(connection, kept_id))
        notes = merged_notes(connection, kept_id)
        kept = game_row(connection, kept_id)
        corrected = _correction_lines(connection, game_id)
    lines = [f"Game {kept_id} is the kept game of {counted(duplicates, 'duplicate')}."]
    if kept_id != game_id:
        lines.insert(0, f"Game {game_id} is a duplicate of game {kept_id}.")
    if not duplicates:
        lines = [f"Game {game_id} has no duplicates."]
    has_notes = kept is not None and bool(kept.has_merged_notes)
    if duplicates or changes or has_notes:  # those of purged duplicates stay merged
        lines += _merge_lines(changes)
    if has_notes and not notes:
        lines.append("Annotations merged from duplicates that were purged since.")
    lines += map(_notes_line, notes, repeat(kept_id))
    lines += corrected
    return ExplainedMerge(game_id, kept_id, duplicates, changes, notes, lines)


def _correction_lines(connection: apsw.Connection, game_id: int) -> list[str]:
    rows = (
        corrections(connection, [game_id]).get(game_id, ()) if has_corrections(connection) else ()
    )
    if not rows:
        return []
    lines = [
        "  moves and annotations"
        if row.tag == MOVETEXT
        else f"  {row.tag}  {row.read_value or '?'} -> {row.value or '?'}"
        for row in rows
    ]
    return [f"Your corrections of game {game_id}:", *lines] if lines else []


def _merge_lines(changes: Sequence[MergedTag]) -> list[str]:
    if not changes:
        return ["Nothing was merged into its header."]
    cells = [
        (
            row.tag,
            f"{row.before or '?'} -> {row.after or '?'}",
            "" if row.from_game_id is None else f"game {row.from_game_id}",
            row.reason or "",
        )
        for row in changes
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]


def _notes_line(notes: MergedNotes, kept_id: int) -> str:
    nouns = (
        ("comment", None), ("NAG", None), ("variation", None), ("SGF property", "SGF properties"),
    )  # fmt: skip
    counts = [counted(count, *noun) for count, noun in zip(notes[1:], nouns, strict=True) if count]
    if notes.from_game_id == kept_id:
        return f"Annotations of its own that these replace: {', '.join(counts)}."
    return f"Annotations merged from game {notes.from_game_id}: {', '.join(counts)}."


def compare_by_methods(
    path: str, methods: Sequence[str] | None, min_plies: int
) -> list[MethodResult]:
    """Compare the duplicates by keys alone with the games' moves; `methods` None: by all keys."""
    from ocgdedup.pipeline.search.key_groups import compare_methods  # 6 ms

    with open_database(path) as database, store_errors(path, "cannot be read"):
        return compare_methods(database.connection, methods or METHODS, min_plies)
