"""Words that the whole program shares: counted nouns, classes of duplicates and their reasons."""

from __future__ import annotations

from collections.abc import Sequence

# DuplicateStatus: the classes of duplicates, the surest first.
STATUSES = EXACT_STATUS, SUBSUMPTION_STATUS, JOIN_STATUS = ("exact", "subsumption", "join")
# In the words of the user: messages have these, SQL and JSON the statuses.
CLASS_WORDS = dict(zip(STATUSES, ("exact", "truncated", "near-identical"), strict=True))
SUSPECT = "suspect"  # what reports call a possible duplicate, which has no status
# DuplicateReason, but for duplicates by a key (store/hash_groups.py).
REASONS = SWAPPED, CONTINUES_FROM_FEN, PLACEHOLDER, PARTIAL, ROTATED, TRANSPOSED = (
    "colours swapped", "continues from FEN", "placeholder", "partial", "rotated", "transposed",
)  # fmt: skip


def joined(words: Sequence[str], last: str) -> str:
    """Return words as a list, "a, b and c"; `last`: the word before the last one."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def class_words(stored: str | None) -> str:
    """Return a class of the database in the words of the user: "truncated (partial)"."""
    status, blank, reason = (stored or "").partition(" ")
    return f"{CLASS_WORDS.get(status, status)}{blank}{reason}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return "1 game", "2 games", "1,000 games"; `plural`: if it is not the noun with an s."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
