"""The tables of names in this directory; words in names that are not names, such as titles.

A build makes a table for the name parser of the kernel from name_words.txt
(scripts/kernel_name_words.py). Imports only data_files.py, since a build reads this module.
"""

from __future__ import annotations

from ocgdedup.data_files import read_sections


def read_table(name: str) -> dict[str, str]:
    """Return the sections of a table in this directory, by title."""
    return read_sections(__file__, f"{name}.txt")


_TABLE = read_table("name_words")
# Former codes of federations, with their possible codes now
SUCCESSORS = {
    code: frozenset(successors)
    for code, *successors in map(str.split, _TABLE.pop("successors").splitlines())
}
_WORDS = {kind: frozenset(text.split()) for kind, text in _TABLE.items()}
CHESS_TITLES, FEDERATIONS = _WORDS["CHESS_TITLE"], _WORDS["FEDERATION"]  # in capitals
DOTTED_TITLES = _WORDS["DOTTED_TITLE"]
TITLES = _WORDS["TITLE"] | DOTTED_TITLES
PARTICLES = _WORDS["PARTICLE"] | _WORDS["ASIAN_PARTICLE"] | _WORDS["RARE_PARTICLE"]
GENERATIONS = _WORDS["SENIOR"] | _WORDS["JUNIOR"] | _WORDS["THIRD"] | _WORDS["FOURTH"]
DOTTED_GENERATIONS = _WORDS["DOTTED"]
UNKNOWN_NAMES = _WORDS["GUEST"] | _WORDS["NOBODY"]

# The kinds of words as the kernel names them, in lower case; a word may have several.
KINDS = {kind: frozenset(map(str.lower, words)) for kind, words in _WORDS.items()}
KINDS["PARTICLE"] = PARTICLES
