"""The spelling in which a name is written: one for each player and for each unresolved name.

Must not know which player a name means.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ocgdedup.matching.name_choice import best_names
from ocgdedup.matching.names.name_form import is_full, is_too_long, name_form, without_titles
from ocgdedup.model import NameForm

_MOST_VOTES = 64  # of one player that are compared; frequencies beyond are scaled down
_NUMBERED = re.compile(r"(\D*\s\D*[^\W\d_])(\d+)")
_MANY_TIMES = 10  # the games of a full name beside which another one is rare
FoldKeys = Callable[[str], tuple[str, ...]]


class WrittenName(NamedTuple):
    """A name that is written for players; `fide_id`: 0 if the players have none."""

    name: str
    fide_id: int


def best_spelling(games: Mapping[str, int]) -> str:
    """Return the best spelling of one player's name, given the games with each spelling."""
    counts: Counter[str] = Counter()
    for name, number in games.items():
        counts[without_titles(name)] += number
    counts = _without_rare_words(counts)
    if len(counts) == 1:
        return next(iter(counts))
    # One vote each, and the others in proportion to the games.
    unit = max(1, sum(counts.values()) // _MOST_VOTES)
    votes = [(name, None) for name in sorted(counts) for _ in range(1 + (counts[name] - 1) // unit)]
    best = best_names(tuple(votes)) or counts
    return max(best, key=lambda name: (counts[name], len(name), name))


def _without_rare_words(counts: Counter[str]) -> Counter[str]:
    """Leave out full names with other words that few of the games have: "Karjakin, Sergey Ukr"."""
    if len(counts) == 1:
        return counts
    forms = {name: name_form(name) for name in counts}
    words = {name: tuple(sorted(form.words)) for name, form in forms.items() if is_full(form)}
    games: Counter[tuple[str, ...]] = Counter()
    for name, key in words.items():
        games[key] += counts[name]
    frequent = max(games, key=lambda key: (games[key], key), default=())

    def is_rare(key: tuple[str, ...]) -> bool:
        is_longer = len(key) == len(frequent) and all(map(str.startswith, key, frequent))
        return games[key] * _MANY_TIMES < games[frequent] and not is_longer

    kept = [name for name in counts if name not in words or not is_rare(words[name])]
    return Counter({name: counts[name] for name in kept})


def fold_keys(name: str) -> tuple[str, ...]:
    """Return texts of which two names share one if they differ only in how they are written.

    That is in case, accents, blanks, punctuation, titles or the order of their words.
    """
    form = name_form(name)
    # "OdoVielander" may be a nickname, and need not be "Vielander, Odo".
    is_one_word = not form.is_ordered and len(form.words) > 1 and len(name.split()) == 1
    if form.surname and not form.is_handle and not is_one_word and not is_too_long(name):
        return _keys_of_form(form)
    # Nicknames and programs, in which "_" and "-" count; "NN" and "N.N.", but not "?".
    letters = "".join(
        c
        for c in unicodedata.normalize("NFKC", name).casefold()
        if c.isalnum() or (form.is_handle and c in "_-")
    )
    keys = (f"={letters}",) if letters else ()
    # "Li Chao2" is "Li, Chao2".
    numbered = _NUMBERED.fullmatch(name) if form.is_handle else None
    if numbered is None:
        return keys
    return keys + _keys_of_form(name_form(numbered[1])._replace(number=numbered[2]))


def _keys_of_form(form: NameForm) -> tuple[str, ...]:
    """Return the words in alphabetical order, surname and given names so, and all letters."""
    keys = [" ".join(sorted(form.words))]
    if form.is_ordered:
        keys.append(" ".join(sorted(("".join(form.surname), "".join(form.given)))))
    # "Ma Xiang Zhi" is "Ma, Xiangzhi", but "Chen, G" is not "Cheng".
    if len(form.words) > 1 and min(map(len, form.words)) > 1:
        keys.append("".join(form.words))
    marks = "|".join(("", form.number, form.generation, str(form.birth_year or "")))
    return tuple(f"{key}{marks}" for key in dict.fromkeys(keys))


def are_same_words(name: str, other: str) -> bool:
    """Return whether two names have the same letters in the same order."""
    left, right = name_form(name), name_form(other)
    return "".join(left.words) == "".join(right.words) and left.number == right.number


class FoldGroups:
    """Groups of names that differ only in how they are written."""

    def __init__(self, keys_of: FoldKeys = fold_keys) -> None:
        self._keys_of = keys_of
        self._parents: dict[str, str] = {}

    def add(self, name: str) -> None:
        """Join the groups of a name's keys."""
        first, *others = map(self._root, self._keys_of(name) or [""])
        for other in others:
            self._parents[other] = first

    def group(self, name: str) -> str | None:
        """Return the key of a name's group; None for a name without letters."""
        keys = self._keys_of(name)
        return self._root(keys[0]) if keys else None

    def _root(self, key: str) -> str:
        root = key
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while (parent := self._parents.get(key, root)) != root:
            self._parents[key], key = root, parent
        return root


def open_spellings(
    names: Mapping[str, int], written: Iterable[WrittenName], keys_of: FoldKeys = fold_keys
) -> Iterator[tuple[str, str]]:
    """Yield each unresolved name with its spelling, unless that is the name itself.

    `names`: the games with each unresolved name; `written`: the names of players. Names that
    differ only in how they are written get one spelling: that of a player, or else the best one.
    """
    players = sorted({*written}, key=lambda spelling: (not spelling.fide_id, spelling.name))
    groups = FoldGroups(keys_of)
    for name in (*names, *(spelling.name for spelling in players)):
        groups.add(name)
    of_players: defaultdict[str | None, list[str]] = defaultdict(list)
    for spelling in players:
        of_players[groups.group(spelling.name)].append(spelling.name)
    members: defaultdict[str | None, dict[str, int]] = defaultdict(dict)
    for name, games in names.items():
        members[groups.group(name)][name] = games
    for group, spellings in members.items():
        if group is None:
            continue
        best = None if group in of_players else best_spelling(spellings)
        for name in spellings:
            chosen = best or _nearest(name, of_players[group])
            if chosen != name:
                yield name, chosen


def _nearest(name: str, spellings: list[str]) -> str:
    """Return the spelling with the words of a name in the same order, or else the first one."""
    if len(spellings) == 1:
        return spellings[0]
    return next((other for other in spellings if are_same_words(name, other)), spellings[0])
