"""Words that all messages share: counted nouns, and what people call the classes of duplicates."""

from __future__ import annotations

from collections.abc import Sequence

# DuplicateStatus in the words of the user: messages have these, SQL and JSON the keys.
CLASS_WORDS = {"exact": "exact", "subsumption": "truncated", "join": "near-identical"}


def joined(words: Sequence[str], last: str) -> str:
    """Return words as a list, "a, b and c"; `last`: the word before the last one."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return "1 game", "2 games", "1,000 games"; `plural`: if it is not the noun with an s."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
