"""The content of a report: counts of a database and its duplicates, and the pairs to review.

Owns which values are counted, and which pairs are listed in which order. The collection is read
into the search kernel once; all pairs are compared there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from heapq import nsmallest
from itertools import chain, islice
from typing import NamedTuple

import apsw

from ocgdedup import wording
from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.errors import IntegrityError, UsageError
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.matching.evidence import (
    DIFFERENT_MOVES,
    NON_MATCH,
    TERMS,
    UNRELATED,
    class_of,
    summary_of,
    terms_of,
)
from ocgdedup.matching.header_score import header_score
from ocgdedup.model import Comparison
from ocgdedup.pipeline.players.unresolved_names import UnresolvedName, unresolved_names
from ocgdedup.pipeline.search.detect import SearchOptions, ordered_finder
from ocgdedup.pipeline.search.pairs import DIFFERENCES, ShownPair, pairs_of
from ocgdedup.pipeline.search.spill import ONE_THREAD, Resources
from ocgdedup.store import possible_duplicates, reports
from ocgdedup.store.connection import Database, count_rows
from ocgdedup.store.duplicates import StoredPair, are_stale, searched_at, stored_pairs
from ocgdedup.store.games import count_games, current_headers
from ocgdedup.store.merges import merged_tags
from ocgdedup.store.names import game_kind
from ocgdedup.store.players import count_persons, merges
from ocgdedup.store.possible_duplicates import Decision, decided_pairs, decisions
from ocgdedup.store.search_state import last_key

THROUGH_OTHERS = "only through other records of the group"
_STORED_TERM = re.compile(r"(.+) ([+-][0-9.]+[0-9])")  # as summary_of() writes it
_ORDER = {status: index for index, status in enumerate(reversed(wording.STATUSES))}


class Limits(NamedTuple):
    """How many pairs to list in all, and how many of each class to show with their moves.

    `rows`: how many names, rejects and games truncated at a fault to list, of each.
    """

    listed: int = 100_000
    possible_duplicates: int = 2_000
    near_identical: int = 2_000
    truncated: int = 500
    exact: int = 200
    rows: int = 100_000


class Term(NamedTuple):
    """One piece of evidence: the natural logarithm of a likelihood ratio, and its basis in words.

    `value` is None if this version does not know the stored text.
    """

    name: str
    value: float | None
    words: str


class PairDetail(NamedTuple):
    """A pair with its moves; `shown` is None if the moves of a game do not replay."""

    shown: ShownPair | None
    terms: list[Term]


class ReviewPair(NamedTuple):
    """A kept game (left) and its duplicate, or two possible duplicates.

    `status`: DuplicateStatus or POSSIBLE_DUPLICATE; `reason`: a special case of it, or the class
    that possible duplicates would have. `score`: the sum of the evidence, None if unknown.
    `through_others`: the two do not match each other, but both match a third record.
    """

    left: int
    right: int
    status: str
    reason: str | None
    score: float | None
    through_others: bool = False
    detail: PairDetail | None = None


class ReportedPair(NamedTuple):
    """A duplicate and its kept game, or two possible duplicates, for a report.

    `first_difference`: see pairs.first_difference(). `terms`: of the score, by name; empty if
    unknown. `suspected_false`: 1 for a duplicate by a key alone that is a non-match by evidence, 0
    for other duplicates by a key, None for pairs by evidence.
    """

    pair: StoredPair
    first_difference: int | None
    terms: Mapping[str, float | None] = {}  # nobody writes into it
    suspected_false: int | None = None


def reported_pairs(
    connection: apsw.Connection, search: SearchOptions, resources: Resources = ONE_THREAD
) -> Iterator[ReportedPair]:
    """Yield each duplicate with its kept game, group by group, then the possible duplicates.

    `search`: the options for comparing the games of a pair.
    """
    differ = DIFFERENCES[game_kind(connection)]
    is_by_key = last_key(connection) is not None
    finder: DuplicateFinder | None = None
    for pair in stored_pairs(connection):
        if finder is None:
            finder = ordered_finder(
                connection, search, decided_pairs(connection), resources=resources
            )
        game, kept = pair.game, pair.kept
        difference = differ(game.moves or b"", kept.moves or b"", game.fen, kept.fen)
        yield _with_evidence(ReportedPair(pair, difference), finder, is_by_key=is_by_key)


def _with_evidence(
    reported: ReportedPair, finder: DuplicateFinder, *, is_by_key: bool
) -> ReportedPair:
    """Add the stored evidence to possible duplicates, and new evidence to other pairs."""
    pair = reported.pair
    verdict = _compare(finder, pair.kept.game_id, pair.game.game_id)
    is_comparable = verdict is not None and verdict.kind != UNRELATED
    summary = summary_of(verdict) if verdict is not None and is_comparable else None
    is_duplicate = pair.status != wording.POSSIBLE_DUPLICATE
    if is_by_key and is_duplicate and verdict is not None:
        is_false = not is_comparable or verdict.verdict == NON_MATCH
        reported = reported._replace(suspected_false=int(is_false))
    if pair.evidence is not None and pair.evidence != summary:
        stored = {term.name: term.value for term in _stored_terms(pair.evidence)}
        return reported._replace(terms={**dict.fromkeys(TERMS, 0.0), **stored})
    if verdict is None:
        return reported
    if not is_comparable:
        through_others = is_duplicate and not is_by_key
        evidence = THROUGH_OTHERS if through_others else DIFFERENT_MOVES
        return reported._replace(pair=pair._replace(evidence=evidence))
    terms = dict(zip(TERMS, verdict.terms, strict=True))
    if not is_duplicate and pair.kind is None:
        pair = pair._replace(kind=class_of(verdict))  # decided, but no search has listed it
    pair = pair._replace(score=verdict.score, evidence=summary)
    return reported._replace(pair=pair, terms=terms)


def review_pairs(
    database: Database, search: SearchOptions, limits: Limits, resources: Resources
) -> list[ReviewPair]:
    """Return possible, near-identical, truncated and exact duplicates, the least certain first.

    Undecided possible duplicates come first, the most likely before the others. Only the listed
    pairs are in memory at once.
    """
    connection = database.connection
    possible = list(islice(reports.likeliest_possible_duplicates(connection), limits.listed))
    most_duplicates = limits.listed - len(possible)
    statuses = _least_certain_classes(connection, most_duplicates)
    if not possible and not statuses:
        return []
    finder = ordered_finder(connection, search, decided_pairs(connection), resources=resources)
    pairs = []
    for row in possible:
        reason, score = (row.duplicate_class, row.score) if row.duplicate_class else (None, None)
        pairs.append(ReviewPair(row.first, row.second, wording.POSSIBLE_DUPLICATE, reason, score))
    duplicates = reports.reported_duplicates(connection, statuses)
    weighed = (_weighed(finder, duplicate) for duplicate in duplicates)
    pairs += nsmallest(most_duplicates, weighed, key=_least_certain_first)
    left = {
        wording.POSSIBLE_DUPLICATE: limits.possible_duplicates,
        wording.NEAR_IDENTICAL_STATUS: limits.near_identical,
        wording.TRUNCATED_STATUS: limits.truncated,
        wording.EXACT_STATUS: limits.exact,
    }
    for index, pair in enumerate(pairs):
        left[pair.status] = left.get(pair.status, 0) - 1
        if left[pair.status] >= 0:
            stored = possible[index].evidence if pair.status == wording.POSSIBLE_DUPLICATE else None
            pairs[index] = _with_detail(database, finder, pair, stored)
    return pairs


def _least_certain_classes(connection: apsw.Connection, most: int) -> list[str]:
    """Return the least certain classes, in order, until they have `most` duplicates."""
    counts: Counter[str] = Counter()
    for status, _, kept, deleted in reports.classes(connection):
        counts[status] += kept + deleted
    statuses: list[str] = []
    for status in sorted(counts, key=lambda status: (_class_order(status), status)):
        is_next = not statuses or _class_order(status) > _class_order(statuses[-1])
        if most <= 0 and is_next:
            break
        statuses.append(status)
        most -= counts[status]
    return statuses


def _class_order(status: str) -> int:
    return _ORDER.get(status, -1)


def _weighed(finder: DuplicateFinder, row: reports.ReportedDuplicate) -> ReviewPair:
    pair = ReviewPair(row.master_id, row.game_id, row.status, row.reason, None)
    verdict = _compare(finder, row.master_id, row.game_id)
    if verdict is not None and verdict.kind == UNRELATED:
        return pair._replace(through_others=True)
    return pair if verdict is None else pair._replace(score=verdict.score)


def _least_certain_first(pair: ReviewPair) -> tuple[int, float, int, int]:
    score = float("-inf") if pair.score is None else pair.score
    return _class_order(pair.status), score, pair.left, pair.right


def _compare(finder: DuplicateFinder, first: int, second: int) -> Comparison | None:
    """Return the verdict on two games; None if the search leaves one of them out."""
    if first not in finder or second not in finder:
        return None
    return finder.compare(first, second)


def _with_detail(
    database: Database, finder: DuplicateFinder, pair: ReviewPair, stored: str | None
) -> ReviewPair:
    """Add moves and evidence to a pair; `stored` evidence replaces evidence that differs."""
    verdict = _compare(finder, pair.left, pair.right)
    terms = list(_stored_terms(stored or ""))
    if verdict is not None and verdict.kind != UNRELATED and stored in (None, summary_of(verdict)):
        terms = [Term(*term) for term in terms_of(verdict)]
    shown: ShownPair | None = None
    with suppress(IntegrityError):
        (shown,) = pairs_of(database, [(pair.left, pair.right)])
    return pair._replace(detail=PairDetail(shown, terms))


def _stored_terms(text: str) -> Iterator[Term]:
    """Yield the terms of a text that summary_of() wrote."""
    for part in filter(None, text.split(", ")):
        match = _STORED_TERM.fullmatch(part)
        yield Term(match[1], float(match[2]), "") if match else Term(part, None, "")


def game_ids_of(pairs: Sequence[ReviewPair]) -> set[int]:
    return set(chain.from_iterable((pair.left, pair.right) for pair in pairs))


POINTS_A_BIN = 8
_SCORES_AT_ONCE = 5_000  # headers in memory
REST_CHARS = 200  # of the text of a game after the fault at which it was truncated
_DEFAULT_SEARCH, _DEFAULT_LIMITS = SearchOptions(), Limits()


class Totals(NamedTuple):
    """Counts of a database.

    `duplicates`: flagged games that are not deleted. `possible_duplicates`: undecided pairs;
    `same`, `different`: pairs that the user has decided. `names`: spellings of the `persons`;
    `unresolved_names`: names with games of unknown players, 0 before names are resolved.
    """

    games: int
    deleted: int
    duplicates: int
    groups: int
    with_merged_header: int
    with_merged_notes: int
    possible_duplicates: int
    same: int
    different: int
    rejects: int
    cuts: int
    persons: int
    persons_with_fide_id: int
    names: int
    unresolved_names: int
    sources: int

    @property
    def unique(self) -> int:
        return self.games - self.duplicates


class ClassCount(NamedTuple):
    """Counts of the duplicates of one class; `reason`: a special case of it."""

    status: str
    reason: str | None
    present: int
    deleted: int


class SourcePair(NamedTuple):
    """Number of duplicates by the sources of kept game and duplicate; None: unknown source."""

    kept_game: str | None
    duplicate: str | None
    games: int


class Bin(NamedTuple):
    """A bin of two histograms: counts of the values from `first` up to the next bin."""

    first: int
    left: int
    right: int


class NameMerge(NamedTuple):
    """A resolved name and its person, as in Resolutions and Persons; `games`: of the name."""

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

    `years`: (year or None, duplicates). `lengths`: all records and duplicates by plies (Go: moves).
    `qualities`: kept games before and after the merge, by header score. `pairs`: in the order of
    review; `games`: of the pairs, by ID. `tags_before`: (tag, value before the merge), by game ID.
    `files`: results for each input file.
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
    rejects: list[reports.Reject]
    cuts: list[reports.Cut]
    pairs: list[ReviewPair]
    games: Mapping[int, reports.ReportedGame]
    tags_before: Mapping[int, list[tuple[str, str | None]]]
    limits: Limits
    kind: GameKind = CHESS
    unresolved_names: Sequence[UnresolvedName] = ()
    files: Sequence[reports.SourceCounts] = ()
    decisions: Sequence[Decision] = ()


def overview_of(
    database: Database,
    search: SearchOptions = _DEFAULT_SEARCH,
    limits: Limits = _DEFAULT_LIMITS,
    *,
    resources: Resources = ONE_THREAD,
) -> Overview:
    """Return the content of a report; the connection may be in a transaction.

    `search`: the options of the last search, for comparing pairs. Raises UsageError for a database
    of OCGDB or of an older version.
    """
    connection = database.connection
    if not database.is_ours or not reports.has_current_schema(connection):
        raise UsageError(
            f"{database.path}: has duplicate columns of an older version; run "
            f"'ocgdedup dedup {database.path}' first"
        )
    pairs = review_pairs(database, search, limits, resources)
    games = reports.reported_games(connection, game_ids_of(pairs))
    by_id = {game.game_id: game for game in games}
    tags_before: dict[int, list[tuple[str, str | None]]] = {}
    for game_id, tag, before, *_ in merged_tags(connection):
        if game_id in by_id and by_id[game_id].has_merged_header:
            tags_before.setdefault(game_id, []).append((tag, before))
    classes = _classes(connection)
    has_players = count_persons(connection)[0] > 0
    unresolved = list(unresolved_names(connection)) if has_players else []
    return Overview(
        path=database.path, flagged_at=searched_at(connection), is_stale=are_stale(connection),
        totals=_totals(connection, classes, len(unresolved)), classes=classes,
        sources=[SourcePair(*row) for row in reports.source_pairs(connection)],
        years=_years(connection), lengths=_lengths(connection), qualities=_qualities(connection),
        names=[NameMerge(*row) for row in islice(merges(connection), limits.rows)],
        rejects=list(islice(reports.reported_rejects(connection), limits.rows)),
        cuts=list(islice(reports.reported_cuts(connection, REST_CHARS + 1), limits.rows)),
        pairs=pairs, games=by_id, tags_before=tags_before, limits=limits,
        kind=game_kind(connection), unresolved_names=unresolved[: limits.rows],
        files=reports.sum_up_sources(connection), decisions=decisions(connection),
    )  # fmt: skip


def _totals(connection: apsw.Connection, classes: Sequence[ClassCount], unresolved: int) -> Totals:
    decided = Counter(
        row.decision for row in possible_duplicates.stored_possible_duplicates(connection)
    )
    persons, with_fide_id = count_persons(connection)
    merged_headers, merged_notes = reports.count_merged(connection)
    return Totals(
        games=count_games(connection), deleted=count_rows(connection, "RemovedGames"),
        duplicates=sum(row.present for row in classes), groups=reports.count_groups(connection),
        with_merged_header=merged_headers, with_merged_notes=merged_notes,
        possible_duplicates=decided[None],
        same=decided[possible_duplicates.SAME], different=decided[possible_duplicates.DIFFERENT],
        rejects=count_rows(connection, "Rejects"), cuts=reports.count_cuts(connection),
        persons=persons, persons_with_fide_id=with_fide_id,
        names=reports.count_resolved_names(connection), unresolved_names=unresolved,
        sources=count_rows(connection, "Sources"),
    )  # fmt: skip


def _classes(connection: apsw.Connection) -> list[ClassCount]:
    counts: dict[tuple[str, str | None], list[int]] = {}
    for status, reason, is_deleted, duplicates in reports.classes(connection):
        counts.setdefault((status, reason), [0, 0])[is_deleted] += duplicates
    class_counts = [ClassCount(*key, *count) for key, count in counts.items()]
    return sorted(
        class_counts, key=lambda row: (-row.present - row.deleted, row.status, row.reason or "")
    )


def _years(connection: apsw.Connection) -> list[tuple[int | None, int]]:
    counts: Counter[int | None] = Counter()
    for text, duplicates in reports.years(connection):
        is_year = text is not None and text.isascii() and text.isdecimal()
        counts[int(text) if is_year and text else None] += duplicates
    return sorted(counts.items(), key=lambda row: (row[0] is None, row[0] or 0))


def _lengths(connection: apsw.Connection) -> list[Bin]:
    width = reports.BIN_WIDTHS[game_kind(connection)]
    games, duplicates = reports.lengths(connection, width)
    return [
        Bin(number * width, games.get(number, 0), duplicates.get(number, 0))
        for number in range(max(games, default=-1) + 1)
    ]


def _qualities(connection: apsw.Connection) -> list[Bin]:
    before: Counter[int] = Counter()
    after: Counter[int] = Counter()
    scores = reports.kept_game_scores(connection)
    while scores_by_id := dict(islice(scores, _SCORES_AT_ONCE)):
        before.update(max(score, 0) // POINTS_A_BIN for score in scores_by_id.values())
        headers = current_headers(connection, list(scores_by_id))
        after.update(max(header_score(header), 0) // POINTS_A_BIN for header in headers)
    return [
        Bin(number * POINTS_A_BIN, before[number], after[number])
        for number in range(max([*before, *after], default=-1) + 1)
    ]
