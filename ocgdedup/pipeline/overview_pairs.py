"""Pairs of games to look at: which, in what order, and what speaks for and against each.

The collection is read into the search kernel once; all pairs are compared there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain, islice
from typing import NamedTuple

import apsw

from ocgdedup._kernels.find_copies import CopyFinder
from ocgdedup.errors import IntegrityError
from ocgdedup.matching.evidence import (
    EXACT_STATUS,
    JOIN_STATUS,
    NO_KIND,
    SUBSUMPTION_STATUS,
    TERMS,
    summary_of,
    terms_of,
)
from ocgdedup.model import Comparison
from ocgdedup.pipeline.detect import SearchOptions, ordered_finder
from ocgdedup.pipeline.pairs import (
    ShownPair,
    first_difference,
    go_difference,
    pairs_of,
)
from ocgdedup.pipeline.spill import ONE_THREAD, Resources
from ocgdedup.store.connection import Database
from ocgdedup.store.pairs import StoredPair, stored_pairs
from ocgdedup.store.report_rows import ReportedCopy, classes, likeliest_suspects, reported_copies
from ocgdedup.store.suspects import Suspect, decided_pairs
from ocgdedup.store.variant import holds_go

SUSPECT = "suspect"
THROUGH_OTHERS = "only through other records of the group"
_STORED_TERM = re.compile(r"(.+) ([+-][0-9.]+[0-9])")  # as summary_of() writes it
_ORDER = {JOIN_STATUS: 0, SUBSUMPTION_STATUS: 1, EXACT_STATUS: 2}


class Limits(NamedTuple):
    """How many pairs to list in all, and of each class to show with their moves.

    `rows`: how many names, rejects and games cut at a fault to list, of each.
    """

    listed: int = 100_000
    suspects: int = 2_000
    joins: int = 2_000
    subsumptions: int = 500
    exact: int = 200
    rows: int = 100_000


class Term(NamedTuple):
    """One piece of evidence: a natural logarithm of a likelihood ratio, and what it rests on.

    `value` is None if a stored text is none that this version writes.
    """

    name: str
    value: float | None
    words: str


class PairDetail(NamedTuple):
    """A pair with its moves; `shown` is None if the moves of a game do not replay."""

    shown: ShownPair | None
    terms: list[Term]


class ReviewPair(NamedTuple):
    """A master (left) and its copy, or two suspects.

    `kind` is DuplicateStatus or SUSPECT; `reason` names a special kind of a copy, or the class
    that suspects would have. `score` is the sum of the evidence; None if it is not known.
    `through_others`: they are no copies of each other by their moves, only of a third record.
    """

    left: int
    right: int
    kind: str
    reason: str | None
    score: float | None
    through_others: bool = False
    detail: PairDetail | None = None


class ReportedPair(NamedTuple):
    """A duplicate and its kept game, or two possible duplicates, for a report.

    `first_difference`: see pairs.first_difference(). `terms`: of the score, by name; empty if it
    is not known.
    """

    pair: StoredPair
    first_difference: int | None
    terms: Mapping[str, float | None] = {}  # nobody writes into it


def reported_pairs(
    connection: apsw.Connection, search: SearchOptions, resources: Resources = ONE_THREAD
) -> Iterator[ReportedPair]:
    """Yield each duplicate with its kept game, group by group, then the possible duplicates.

    `search`: the options by which they are compared with each other. Nothing of a pair is kept.
    """
    differ = go_difference if holds_go(connection) else first_difference
    finder: CopyFinder | None = None
    for pair in stored_pairs(connection):
        if finder is None:
            finder = ordered_finder(
                connection, search, decided_pairs(connection), resources=resources
            )
        game, kept = pair.game, pair.master
        difference = differ(game.moves or b"", kept.moves or b"", game.fen, kept.fen)
        yield _with_evidence(ReportedPair(pair, difference), finder)


def _with_evidence(reported: ReportedPair, finder: CopyFinder) -> ReportedPair:
    """Add what was stored of possible duplicates, and what speaks for others now."""
    pair = reported.pair
    verdict = _compare(finder, pair.master.game_id, pair.game.game_id)
    is_comparable = verdict is not None and verdict.kind != NO_KIND
    summary = summary_of(verdict) if verdict is not None and is_comparable else None
    if pair.evidence is not None and pair.evidence != summary:
        stored = {term.name: term.value for term in _stored_terms(pair.evidence)}
        return reported._replace(terms={**dict.fromkeys(TERMS, 0.0), **stored})
    if verdict is None:
        return reported
    if not is_comparable:
        return reported._replace(pair=pair._replace(evidence=THROUGH_OTHERS))
    terms = dict(zip(TERMS, verdict.terms, strict=True))
    pair = pair._replace(score=verdict.score, evidence=summary)
    return reported._replace(pair=pair, terms=terms)


def review_pairs(
    database: Database, search: SearchOptions, limits: Limits, resources: Resources
) -> list[ReviewPair]:
    """Return suspects, then copies: joins, cut-off records, equal ones, the least certain first.

    Suspects that are not decided come before the others, the most likely ones first. No more pairs
    than are listed are in memory at once.
    """
    connection = database.connection
    suspects = list(islice(likeliest_suspects(connection), limits.listed))
    most_copies = limits.listed - len(suspects)
    statuses = _least_certain_classes(connection, most_copies)
    if not suspects and not statuses:
        return []
    finder = ordered_finder(connection, search, decided_pairs(connection), resources=resources)
    pairs = list(map(_suspect_pair, suspects))
    weighed = (_weighed_copy(finder, copy) for copy in reported_copies(connection, statuses))
    pairs += nsmallest(most_copies, weighed, key=_least_certain_first)
    left = {
        SUSPECT: limits.suspects,
        JOIN_STATUS: limits.joins,
        SUBSUMPTION_STATUS: limits.subsumptions,
        EXACT_STATUS: limits.exact,
    }
    for place, pair in enumerate(pairs):
        left[pair.kind] = left.get(pair.kind, 0) - 1
        if left[pair.kind] >= 0:
            stored = suspects[place].evidence if pair.kind == SUSPECT else None
            pairs[place] = _with_detail(database, finder, pair, stored)
    return pairs


def _least_certain_classes(connection: apsw.Connection, most: int) -> list[str]:
    """Return the classes in order, until they have so many copies: the others need no verdict."""
    counts: Counter[str] = Counter()
    for status, _, kept, deleted in classes(connection):
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


def _suspect_pair(row: Suspect) -> ReviewPair:
    return ReviewPair(
        row.first,
        row.second,
        SUSPECT,
        row.kind or None,
        row.score if row.kind else None,
    )


def _weighed_copy(finder: CopyFinder, copy: ReportedCopy) -> ReviewPair:
    pair = ReviewPair(copy.master_id, copy.game_id, copy.status, copy.reason, None)
    verdict = _compare(finder, copy.master_id, copy.game_id)
    if verdict is not None and verdict.kind == NO_KIND:
        return pair._replace(through_others=True)
    return pair if verdict is None else pair._replace(score=verdict.score)


def _least_certain_first(pair: ReviewPair) -> tuple[int, float, int, int]:
    score = float("-inf") if pair.score is None else pair.score
    return _class_order(pair.kind), score, pair.left, pair.right


def _compare(finder: CopyFinder, first: int, second: int) -> Comparison | None:
    """Compare as `dedup --explain` does; None if the search leaves one of them out."""
    if first not in finder or second not in finder:
        return None
    return finder.compare(first, second)


def _with_detail(
    database: Database, finder: CopyFinder, pair: ReviewPair, stored: str | None
) -> ReviewPair:
    """Add moves and evidence; `stored`: the text of the evidence that is stored of a suspect."""
    terms = _terms(_compare(finder, pair.left, pair.right), stored)
    try:
        (shown,) = pairs_of(database, [(pair.left, pair.right)])
    except IntegrityError:
        return pair._replace(detail=PairDetail(None, terms))
    return pair._replace(detail=PairDetail(shown, terms))


def _terms(verdict: Comparison | None, stored: str | None) -> list[Term]:
    """Return the evidence: of suspects what is stored of them, in words if it still holds."""
    if verdict is None or verdict.kind == NO_KIND:
        return list(_stored_terms(stored or ""))
    if stored is None or summary_of(verdict) == stored:
        return [Term(*term) for term in terms_of(verdict)]
    return list(_stored_terms(stored))


def _stored_terms(text: str) -> Iterator[Term]:
    """Read what summary_of() wrote."""
    for part in filter(None, text.split(", ")):
        match = _STORED_TERM.fullmatch(part)
        yield Term(match[1], float(match[2]), "") if match else Term(part, None, "")


def game_ids_of(pairs: Sequence[ReviewPair]) -> set[int]:
    """Return the IDs of the games of pairs."""
    return set(chain.from_iterable((pair.left, pair.right) for pair in pairs))
