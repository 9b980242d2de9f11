"""Words for messages: counted nouns, classes of duplicates and their reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# DuplicateStatus: the classes of duplicates, the most certain first.
STATUSES = EXACT_STATUS, TRUNCATED_STATUS, NEAR_IDENTICAL_STATUS = ("exact", "subsumption", "join")
# Messages have these words; SQL, JSON and PGN tags have the statuses.
CLASS_WORDS = dict(zip(STATUSES, ("exact", "truncated", "near-identical"), strict=True))
# A "truncated" duplicate may be longer than its kept game, which other rules choose, or of equal
# length, if both differ from a ply to the end. So the class as a whole has other words.
LONGER, DIVERGING = "longer", "diverging"
WHOLE_CLASS_WORDS = {
    **CLASS_WORDS,
    TRUNCATED_STATUS: f"{CLASS_WORDS[TRUNCATED_STATUS]}, {LONGER} or {DIVERGING}",
}
POSSIBLE_DUPLICATE = "suspect"  # what reports call a possible duplicate, which has no status
# DuplicateReason, but for duplicates by a key (store/search_reader.py).
REASONS = SWAPPED, CONTINUES_FROM_FEN, PLACEHOLDER, PARTIAL, ROTATED, TRANSPOSED = (
    "colours swapped", "continues from FEN", "placeholder", "partial", "rotated", "transposed",
)  # fmt: skip

# SpellingLines.Kind: what messages count, in this order, and its plural.
_OF_LINES = {
    "site": ("site", None),
    "event": ("event", None),
    "round": ("round", None),
    "prefix": ("correction of prefixes", "corrections of prefixes"),
    "infix": ("correction of infixes", "corrections of infixes"),
    "suffix": ("correction of suffixes", "corrections of suffixes"),
    "biography": ("biography", "biographies"),
    "rating": ("player with ratings", "players with ratings"),
    "other": ("other line", None),
}


def joined(words: Sequence[str], last: str) -> str:
    """Return words as a list, "a, b and c"; `last`: the word before the last one."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def class_words(stored: str | None, more_plies: int | None = None) -> str:
    """Return a stored class in words: "truncated (partial)".

    `more_plies`: of the duplicate than of its kept game, None if unknown.
    """
    status, blank, reason = (stored or "").partition(" ")
    word = CLASS_WORDS.get(status, status)
    if status == TRUNCATED_STATUS and more_plies is not None:
        if more_plies > 0:
            word = LONGER
        elif more_plies == 0 and reason.strip("()") in ("", PARTIAL):
            word = DIVERGING
    return f"{word}{blank}{reason}"


def counted_classes(duplicates: Mapping[str, int], longer: int, diverging: int) -> str:
    """Return the number of duplicates of each class: "16 exact, 4 truncated, 2 longer".

    `longer`, `diverging`: the numbers with TRUNCATED_STATUS that are not truncated.
    """
    counts: list[tuple[int, str]] = []
    for status, count in duplicates.items():
        if status != TRUNCATED_STATUS:
            counts.append((count, class_words(status)))
            continue
        counts.append((count - longer - diverging, CLASS_WORDS[status]))
        counts += [row for row in ((longer, LONGER), (diverging, DIVERGING)) if row[0]]
    return ", ".join(f"{count:,} {word}" for count, word in counts)


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return "1 game", "2 games", "1,000 games"; `plural`: if not the noun with an s."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def spelling_lines_text(counts: Mapping[str, int]) -> str:
    """Write what the stored lines of spelling files are about, by kind; "" for none."""
    texts = (counted(counts[kind], *nouns) for kind, nouns in _OF_LINES.items() if kind in counts)
    return ", ".join(texts)


def decided_text(decision: str, kept_game: int | None, note: str | None) -> str:
    """Return the user's decision about two games in words."""
    kept = "" if kept_game is None else f", game {kept_game} is kept"
    return f"you decided: {decision}{kept}{f' ({note})' if note else ''}"
