"""How far a spelling is ahead of another, by the records that have each."""

from __future__ import annotations

from ocgdedup.thresholds import (
    ABOVE_RARE,
    ABOVE_VERY_RARE,
    FEW_RECORDS,
    FREQUENT_RECORDS,
    FREQUENT_TIMES,
    MANY_TIMES,
    RARE_RECORDS,
)


def frequency_rank(records: int, others: int) -> int:
    """Return the rank as HeaderCounts does; negative if the other spelling is ahead."""
    if records < others:
        return -frequency_rank(others, records)
    if not others or records < FREQUENT_TIMES * others:
        return 0
    has_many = records >= MANY_TIMES * others
    if others > FEW_RECORDS and not has_many:
        return 0
    if others > RARE_RECORDS or records < FREQUENT_RECORDS:
        return 1
    return ABOVE_VERY_RARE if has_many else ABOVE_RARE
