"""Given names that belong together: reads the table for the kernel that compares words.

The names are in `given_names.txt`, the rules in `kernels/names/given_names.pxd`. Words are single,
in lower-case ASCII (`jürgen` as "juergen" or "jurgen"); the caller splits names of two words. Must
not know surnames, players or games.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import NamedTuple

from ocgdedup._kernels.names import GivenNames
from ocgdedup.matching.names.name_words import read_table


class GivenNameTable(NamedTuple):
    """The parsed table: groups by word, sexes and numbers of shared forms by key."""

    groups: dict[str, tuple[str, ...]]
    sexes: dict[str, set[str]]
    forms: dict[str, set[int]]
    short: set[str]
    women: str
    shared: list[str]


@cache
def given_names() -> GivenNames:
    """Return the names of the table, read once and not on import, since it takes 50 ms."""
    rows = read_given_names()
    return GivenNames(_names_of(rows), rows.shared)


def is_given_name(word: str) -> bool:
    """Return whether the table has a word as the name of men or of women, not of both.

    This needs only the parsed table, which takes a third of the time.
    """
    rows = read_given_names()
    if word not in rows.groups or word in rows.shared:
        return False
    return rows.sexes[rows.groups[word][0]] in ({"M"}, {"F"})


@cache
def read_given_names() -> GivenNameTable:
    """Return the parsed table. `women`: lines of women's names by a man's name."""
    table = read_table("given_names")
    shared = table["shared names"].split()
    rows = GivenNameTable({}, {}, {}, set(), table["female of male"], shared)
    kinds = ("M", "male"), ("F", "female")
    for sex, kind in kinds:
        for words in (*table[f"{kind} spellings"].splitlines(), *table[f"{kind} names"].split()):
            _add_group(rows, tuple(words.split()), sex)
    numbers = count()
    for sex, kind in kinds:
        for line in table[f"{kind} forms"].splitlines():
            _add_forms(rows, line, sex, numbers)
    for word in shared:
        if word not in rows.groups:
            _add_group(rows, (word,), "")
    return rows


def _add_group(rows: GivenNameTable, words: tuple[str, ...], sex: str) -> None:
    rows.groups.update(dict.fromkeys(words, words))
    rows.sexes[words[0]] = {sex}


def _add_forms(rows: GivenNameTable, line: str, sex: str, numbers: Iterator[int]) -> None:
    """Give the words of a line of forms a shared number: all of them, or each with the head."""
    words = line.replace(":", "").split()
    keys: list[str] = []
    for word in words:
        if word not in rows.groups:
            _add_group(rows, (word,), sex)
        keys.append(rows.groups[word][0])
        if len(rows.groups[word]) == 1:
            rows.sexes[word].add(sex)
    joined = [[keys[0], key] for key in keys[1:]] if ":" in line else [keys]
    for group in joined:
        number = next(numbers)
        for key in group:
            rows.forms.setdefault(key, set()).add(number)
    rows.short.update(
        short for short in words for long in words if long != short and long.startswith(short)
    )


def _names_of(
    rows: GivenNameTable,
) -> list[tuple[tuple[str, ...], str, tuple[str, ...], set[int], bool]]:
    women: dict[str, tuple[str, ...]] = {}
    for line in rows.women.splitlines():
        man, *others = line.replace(":", "").split()
        key = rows.groups[man][0]
        spellings = tuple(spelling for word in others for spelling in rows.groups[word])
        women[key] = women.get(key, ()) + spellings
    return [
        (
            group,
            "".join(rows.sexes[group[0]]) if len(rows.sexes[group[0]]) == 1 else "",
            women.get(group[0], ()),
            rows.forms.get(group[0], set()),
            not rows.short.isdisjoint(group),
        )
        for group in dict.fromkeys(rows.groups.values())
    ]
