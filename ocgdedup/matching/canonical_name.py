"""The spelling in which a name is written: one for each player and for each unresolved name.

Must not know which player a name means.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ocgdedup._kernels import names as name_kernel
from ocgdedup.matching.name_choice import best_names
from ocgdedup.matching.names.name_form import is_full, latin_name, name_form, without_titles

_MOST_VOTES = 64  # of one player that are compared; frequencies beyond are scaled down
_NUMBERED = re.compile(r"(\D*\s\D*[^\W\d_])(\d+)")
_MANY_TIMES = 10  # the games of a full name beside which another one is rare
# Returns the group of each name, None for a name without letters.
FoldGroups = Callable[[Sequence[str]], Sequence[int | str | None]]


class WrittenName(NamedTuple):
    """A name that is written for players; `fide_id`: 0 if the players have none."""

    name: str
    fide_id: int


def best_spelling(games: Mapping[str, int]) -> str:
    """Return the best spelling of one player's name, given the games with each spelling."""
    if len(games) == 1:
        return without_titles(next(iter(games)))
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


def fold_groups(names: Sequence[str]) -> Sequence[int | None]:
    """Return a number for each name, equal for names that differ only in how they are written.

    That is in case, accents, blanks, punctuation, titles or the order of their words. None for a
    name without letters.
    """
    groups = name_kernel.fold_groups(list(names), latin_name, _unnamed)
    return [None if number < 0 else number for number in groups]


def _unnamed(name: str, is_handle: bool) -> tuple[str, tuple[str, str] | None]:
    """Return the letters of a name that is no surname with given names; "NN" and "N.N.", not "?".

    In nicknames and programs, "_" and "-" count. For "Li Chao2", which is "Li, Chao2", also return
    the name for the kernel, and the number.
    """
    letters = "".join(
        c
        for c in unicodedata.normalize("NFKC", name).casefold()
        if c.isalnum() or (is_handle and c in "_-")
    )
    numbered = _NUMBERED.fullmatch(name) if is_handle else None
    if numbered is None:
        return letters, None
    return letters, (latin_name(numbered[1]) or numbered[1], numbered[2])


def are_same_words(name: str, other: str) -> bool:
    """Return whether two names have the same letters in the same order."""
    left, right = name_form(name), name_form(other)
    return "".join(left.words) == "".join(right.words) and left.number == right.number


def open_spellings(
    names: Mapping[str, int], written: Iterable[WrittenName], groups_of: FoldGroups = fold_groups
) -> Iterator[tuple[str, str]]:
    """Yield each unresolved name with its spelling, unless that is the name itself.

    `names`: the games with each unresolved name; `written`: the names of players. Names that
    differ only in how they are written get one spelling: that of a player, or else the best one.
    """
    players = [*{*written}]
    groups = groups_of([*names, *(player.name for player in players)])
    members: defaultdict[int | str | None, dict[str, int]] = defaultdict(dict)
    for group, (name, games) in zip(groups, names.items(), strict=False):
        if group is not None:
            members[group][name] = games
    of_players: defaultdict[int | str | None, list[WrittenName]] = defaultdict(list)
    for group, player in zip(groups[len(names) :], players, strict=True):
        if group in members:
            of_players[group].append(player)
    for group, spellings in members.items():
        of_group = sorted(of_players[group], key=lambda player: (not player.fide_id, player.name))
        best = None if of_group else best_spelling(spellings)
        for name in spellings:
            chosen = best or _nearest(name, [player.name for player in of_group])
            if chosen != name:
                yield name, chosen


def _nearest(name: str, spellings: list[str]) -> str:
    """Return the spelling with the words of a name in the same order, or else the first one."""
    if len(spellings) == 1:
        return spellings[0]
    return next((other for other in spellings if are_same_words(name, other)), spellings[0])
