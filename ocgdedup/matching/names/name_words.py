"""The tables of names in this folder; words in names that are not names, such as titles.

A table is a text file in sections: a section begins with its title in brackets, and lines that
begin with "#" are comments. A build makes a table for the kernel that parses names of
name_words.txt (scripts/kernel_name_words.py); written_name.pxd has the rules. Imports nothing of
the package, since a build reads this module before the package can be imported.
"""

from __future__ import annotations

import os


def read_table(name: str) -> dict[str, str]:
    """Return the text of each section of a table, by its title, without comments.

    `name`: of a table in this folder, or the path of another, without ".txt".
    """
    path = os.path.join(os.path.dirname(__file__), f"{name}.txt")
    with open(path, encoding="utf-8") as handle:
        _, *sections = f"\n{handle.read()}".split("\n[")
    texts: dict[str, str] = {}
    for section in sections:
        title, *lines = section.splitlines()
        kept = [line for line in lines if line and line[0] != "#"]
        texts[title.removesuffix("]")] = "\n".join(kept)
    return texts


_TABLE = read_table("name_words")
# Former codes of federations, with those that a name with this code may have now.
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
