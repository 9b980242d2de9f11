"""What there is to say about a database and its duplicates as a whole: what a report shows.

Owns what is counted and which pairs are chosen. Pairs one by one: overview_pairs.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.matching.header_score import header_score
from ocgdedup.pipeline.detect import SearchOptions
from ocgdedup.pipeline.overview_pairs import Limits, ReviewPair, game_ids_of, review_pairs
from ocgdedup.pipeline.spill import ONE_THREAD, Resources
from ocgdedup.store import report_rows
from ocgdedup.store.connection import Database, count_rows
from ocgdedup.store.current_headers import current_headers
from ocgdedup.store.duplicates import are_stale, searched_at
from ocgdedup.store.games import count_games
from ocgdedup.store.merged_headers import merged_tags
from ocgdedup.store.overview import SourceCounts, sum_up_sources
from ocgdedup.store.persons import count_persons, merges
from ocgdedup.store.report_rows import MOVES_A_BIN, PLIES_A_BIN, Cut, Reject, ReportedGame
from ocgdedup.store.suspects import DIFFERENT, SAME, Decision, decisions, stored_suspects
from ocgdedup.store.variant import holds_go

POINTS_A_BIN = 8
HEADERS_AT_ONCE = 5_000  # that are in memory
REST_CHARS = 200  # of the text of a game that was cut at a fault
_USUAL_SEARCH, _USUAL_LIMITS = SearchOptions(), Limits()


class Totals(NamedTuple):
    """Rows of a database by what they are.

    `copies` are flagged games that are there, `deleted` those that were taken out. `suspects` are
    the pairs that nobody has decided, `same` and `different` those that somebody has. `names`
    stand for `persons`.
    """

    games: int
    deleted: int
    copies: int
    groups: int
    merged: int
    suspects: int
    same: int
    different: int
    rejects: int
    cuts: int
    persons: int
    persons_with_fide_id: int
    names: int
    sources: int

    @property
    def unique(self) -> int:
        return self.games - self.copies


class ClassCount(NamedTuple):
    """Copies of one class; `reason` names a special kind."""

    status: str
    reason: str | None
    there: int
    deleted: int


class SourcePair(NamedTuple):
    """Copies by where master and copy came from; None: not known."""

    master: str | None
    copy: str | None
    copies: int


class Bin(NamedTuple):
    """A bar of two series: values from `first` on, to the next bin."""

    first: int
    left: int
    right: int


class NameMerge(NamedTuple):
    """A name that stands for a person, as Resolutions and Persons have it; `games` with both."""

    name: str
    games: int | None
    person: str
    fide_id: int | None
    scope: str
    stage: str
    score: float | None
    reason: str | None


class Overview(NamedTuple):
    """Everything that a report shows.

    `years`: (year or None, copies). `lengths`: all records and copies, by plies. `qualities`:
    masters before and after the merge, by points of the header. `pairs` come in the order in
    which to look at them; `games` are those of the pairs, by ID. `tags_before`: game, tag, value
    before the merge. Plies of Go are its moves. `files`: what became of each input file.
    """

    path: str
    flagged_at: str | None
    is_stale: bool
    totals: Totals
    classes: list[ClassCount]
    sources: list[SourcePair]
    years: list[tuple[int | None, int]]
    lengths: list[Bin]
    qualities: list[Bin]
    names: list[NameMerge]
    rejects: list[Reject]
    cuts: list[Cut]
    pairs: list[ReviewPair]
    games: Mapping[int, ReportedGame]
    tags_before: Mapping[int, list[tuple[str, str | None]]]
    limits: Limits
    is_go: bool = False
    files: Sequence[SourceCounts] = ()
    decisions: Sequence[Decision] = ()


def overview_of(
    database: Database,
    search: SearchOptions = _USUAL_SEARCH,
    limits: Limits = _USUAL_LIMITS,
    *,
    resources: Resources = ONE_THREAD,
) -> Overview:
    """Gather what a report shows; the connection may be within a transaction.

    `search`: the options of the last search, by which pairs are weighed. Raises UsageError for a
    database of OCGDB or of an older version.
    """
    connection = database.connection
    if not database.is_ours or not report_rows.has_current_schema(connection):
        raise UsageError(
            f"{database.path}: has duplicate columns of an older version; run "
            f"'ocgdedup dedup {database.path}' first"
        )
    pairs = review_pairs(database, search, limits, resources)
    games = report_rows.reported_games(connection, game_ids_of(pairs))
    by_id = {game.game_id: game for game in games}
    classes = _classes(connection)
    return Overview(
        path=database.path,
        flagged_at=searched_at(connection),
        is_stale=are_stale(connection),
        totals=_totals(connection, classes),
        classes=classes,
        sources=[SourcePair(*row) for row in report_rows.source_pairs(connection)],
        years=_years(connection),
        lengths=_lengths(connection),
        qualities=_qualities(connection),
        names=[NameMerge(*row) for row in islice(merges(connection), limits.rows)],
        rejects=list(islice(report_rows.reported_rejects(connection), limits.rows)),
        cuts=list(islice(report_rows.reported_cuts(connection, REST_CHARS + 1), limits.rows)),
        pairs=pairs,
        games=by_id,
        tags_before=_tags_before(connection, by_id),
        limits=limits,
        is_go=holds_go(connection),
        files=sum_up_sources(connection),
        decisions=decisions(connection),
    )


def _totals(connection: apsw.Connection, classes: Sequence[ClassCount]) -> Totals:
    decided = Counter(row.decision for row in stored_suspects(connection))
    persons, with_fide_id = count_persons(connection)
    return Totals(
        games=count_games(connection),
        deleted=count_rows(connection, "RemovedGames"),
        copies=sum(row.there for row in classes),
        groups=report_rows.count_groups(connection),
        merged=report_rows.count_merged(connection),
        suspects=decided[None],
        same=decided[SAME],
        different=decided[DIFFERENT],
        rejects=count_rows(connection, "Rejects"),
        cuts=report_rows.count_cuts(connection),
        persons=persons,
        persons_with_fide_id=with_fide_id,
        names=report_rows.count_resolved_names(connection),
        sources=count_rows(connection, "Sources"),
    )


def _classes(connection: apsw.Connection) -> list[ClassCount]:
    counts: dict[tuple[str, str | None], list[int]] = {}
    for status, reason, is_deleted, copies in report_rows.classes(connection):
        counts.setdefault((status, reason), [0, 0])[is_deleted] += copies
    class_counts = [ClassCount(*kind, *count) for kind, count in counts.items()]
    return sorted(
        class_counts, key=lambda row: (-row.there - row.deleted, row.status, row.reason or "")
    )


def _years(connection: apsw.Connection) -> list[tuple[int | None, int]]:
    counts: Counter[int | None] = Counter()
    for text, copies in report_rows.years(connection):
        is_year = text is not None and text.isascii() and text.isdecimal()
        counts[int(text) if is_year and text else None] += copies
    known = sorted((year, count) for year, count in counts.items() if year is not None)
    return [*known, *([(None, counts[None])] if counts[None] else [])]


def _lengths(connection: apsw.Connection) -> list[Bin]:
    width = MOVES_A_BIN if holds_go(connection) else PLIES_A_BIN
    every = report_rows.lengths_of_all(connection, width)
    copies = report_rows.lengths_of_copies(connection, width)
    return [
        Bin(number * width, every.get(number, 0), copies.get(number, 0))
        for number in range(max(every, default=-1) + 1)
    ]


def _qualities(connection: apsw.Connection) -> list[Bin]:
    counts: Counter[int] = Counter()
    after: Counter[int] = Counter()
    scores = report_rows.master_scores(connection)
    while some := dict(islice(scores, HEADERS_AT_ONCE)):
        counts.update(max(score, 0) // POINTS_A_BIN for score in some.values())
        headers = current_headers(connection, list(some))
        after.update(max(header_score(header), 0) // POINTS_A_BIN for header in headers)
    return [
        Bin(number * POINTS_A_BIN, counts[number], after[number])
        for number in range(max([*counts, *after], default=-1) + 1)
    ]


def _tags_before(
    connection: apsw.Connection, games: Mapping[int, ReportedGame]
) -> dict[int, list[tuple[str, str | None]]]:
    tags_by_game: dict[int, list[tuple[str, str | None]]] = {}
    for game_id, tag, before, *_ in merged_tags(connection):
        if game_id in games and games[game_id].is_merged:
            tags_by_game.setdefault(game_id, []).append((tag, before))
    return tags_by_game
