"""Which games a user wants: names of players looked up, headers weighed, IDs in output order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels import names as name_kernel
from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.matching.header_score import header_score
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import Reporter
from ocgdedup.store import selection as store
from ocgdedup.store.connection import Database
from ocgdedup.store.names import game_kind
from ocgdedup.store.selection import Criteria, PlayerKeys, Selection

_SHOWN_NAMES = 3
_LEAST_LIKENESS = 65
_NOBODY = "?"
_NO_LETTERS = re.compile(r"[\W_]+")
_OTHER_SCRIPTS = re.compile("[\u0530-\u1dff\u2e80-\U0010ffff]")
_LEAST_LETTERS = 3  # of a surname that says anything


class _NamesOfKind(NamedTuple):
    """How players of a kind of games are looked up.

    `fuller`: returns the names that say more or less than a name and may mean the same player;
    `spellings`: the name in other letters; `comparable`: names to search for similar ones, and the
    function that makes them comparable.
    """

    fuller: Callable[[str, Sequence[str]], set[str]]
    spellings: Callable[[str, Sequence[str]], list[str]]
    comparable: Callable[[Sequence[str]], tuple[Sequence[str], Callable[[str], str]]]


def criteria_of(database: Database, selection: Selection, reporter: Reporter) -> Criteria:
    """Return a selection with its names looked up.

    Raises UsageError for a player's name that nobody has, and for events that no game has. The
    reporter is told which spellings were taken for a name that no game has.
    """
    players: PlayerKeys | None = None
    if selection.players:
        keys = [_one_player(database, name, reporter) for name in selection.players]
        names, persons = (frozenset[int]().union(*parts) for parts in zip(*keys, strict=True))
        players = PlayerKeys(names, persons)
    events: frozenset[int] | None = None
    if selection.events:
        events = store.find_events(database.connection, selection.events)
        if not events:
            parts = " or ".join(map(repr, selection.events))
            raise UsageError(f"{database.path}: no event has {parts} in its name")
    return Criteria(selection, players, header_score, events)


def _one_player(database: Database, name: str, reporter: Reporter) -> PlayerKeys:
    connection = database.connection
    names_of = _NAMES[game_kind(connection)]
    keys = store.find_player(connection, [name], _plain)
    if keys is not None and keys.persons:
        return keys
    known = store.player_names(connection)
    if keys is not None:
        _warn_of_other_names(database, name, names_of.fuller(name, known), reporter)
        return keys
    same = _same_names(name, known, store.name_aliases(connection), names_of)
    keys = store.find_player(connection, same, _plain)
    if keys is None:
        near = _near_names(connection, name, known, names_of)
        raise UsageError(f"{database.path}: there is no player {name!r}{near}")
    spellings = set(map(_plain, same))
    matching = [candidate for candidate in known if _plain(candidate) in spellings]
    reporter.warn(
        f"{database.path}: there is no player {name!r}; searching for spellings of this name: "
        f"{'; '.join(sorted(matching))}"
    )
    return keys


def _plain(name: str) -> str:
    """Return the letters and digits of a name: case, accents, blanks and signs do not count.

    Marks above and below are accents where letters are Latin, Greek or Cyrillic, else letters.
    """
    if name.isascii():
        return _NO_LETTERS.sub("", name).casefold() or name
    if not _OTHER_SCRIPTS.search(name):
        return _NO_LETTERS.sub("", plain_letters(name)).casefold() or name
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in plain if c.isalnum() or unicodedata.category(c)[0] == "M") or name


def _warn_of_other_names(
    database: Database, name: str, candidates: Iterable[str], reporter: Reporter
) -> None:
    """Say which other names here may mean the same player, since they are not looked for."""
    own = _plain(name)
    others = sorted(candidate for candidate in candidates if _plain(candidate) != own)
    if others:
        more = len(others) - _SHOWN_NAMES
        reporter.warn(
            f"{database.path}: only the name {name!r} is searched; these names may be of the same "
            f"player: {'; '.join(others[:_SHOWN_NAMES])}"
            f"{f' and {more} more' if more > 0 else ''}; name one of them, or resolve names with "
            "'ocgdedup players'"
        )


def _fuller(name: str, known: Sequence[str]) -> set[str]:
    """Return names with the surname and given names that are longer or shorter."""
    surname = _plain(re.split(r"[,\s]", name.strip())[0])
    if len(surname) < _LEAST_LETTERS:
        return set()
    kinds = (name_kernel.EQUAL, name_kernel.COMPATIBLE)
    letters = plain_letters(name)
    return {
        candidate
        for candidate in known
        # Most names begin with another letter, which is quickly seen.
        if (not candidate.isascii() or candidate[:1].casefold() == surname[0])
        and _plain(candidate).startswith(surname)
        and name_kernel.relation(plain_letters(candidate), letters) in kinds
    }


def _fuller_in_go(name: str, known: Sequence[str]) -> set[str]:
    """Return names of one player with all words of a name and more, or in other letters."""
    from ocgdedup.matching.names.go_name import go_name  # 10 ms

    words = set(go_name(name).words)
    fuller = {candidate for candidate in known if words and words < set(go_name(candidate).words)}
    return fuller.union(_go_spellings(name, known))


def _same_names(
    name: str, known: Sequence[str], aliases: Sequence[tuple[str, str]], names_of: _NamesOfKind
) -> list[str]:
    """Return other names of a player: in other letters (Go), and what a list has for him."""
    listed = {text for pair in aliases for text in pair}
    own = _plain(name)
    same = {candidate for candidate in listed if _plain(candidate) == own}
    same |= set(names_of.spellings(name, [*known, *listed]))
    canonical = {pair[1] for pair in aliases if not same.isdisjoint(pair)}
    return [*(same | canonical), *(alias for alias, candidate in aliases if candidate in canonical)]


def _go_spellings(name: str, known: Sequence[str]) -> list[str]:
    """Return the names that may be a Go player's name in other letters."""
    from ocgdedup.matching.names.go_spelling import may_be_one, spelling  # 12 ms

    own_spelling = spelling(name)
    if not own_spelling.key:
        return []
    return sorted(
        other
        for other, other_spelling in zip(known, map(spelling, known), strict=True)
        if other_spelling.key == own_spelling.key or may_be_one(other_spelling, own_spelling)
    )


def _romanised(known: Sequence[str]) -> tuple[Sequence[str], Callable[[str], str]]:
    # Romanisations differ more in letters than names do: "Yi Ch'ang-ho" is "Lee Changho".
    from ocgdedup.matching.names.go_spelling import plain_go_name  # 12 ms

    return [name for name in known if plain_go_name(name) != _NOBODY], plain_go_name


_NAMES = {
    CHESS: _NamesOfKind(_fuller, lambda *_: [], lambda known: (known, str)),
    GO: _NamesOfKind(_fuller_in_go, _go_spellings, _romanised),
}


def _near_names(
    connection: apsw.Connection, name: str, known: Sequence[str], names_of: _NamesOfKind
) -> str:
    """Write which names come near: those with this word, the most frequent first, or like it."""
    word = _plain(name)
    with_word = [
        candidate for candidate in known if word in map(_plain, re.split(r"[,\s]+", candidate))
    ]
    counts = store.count_games_of(connection, with_word)
    if counts:
        frequent = sorted(counts, key=lambda candidate: (-counts[candidate], candidate))[
            :_SHOWN_NAMES
        ]
        shown = "; ".join(f"{candidate} (games: {counts[candidate]})" for candidate in frequent)
        return f"; names with this word: {shown}"
    return _like_names(name, *names_of.comparable(known))


def _like_names(name: str, known: Sequence[str], plain: Callable[[str], str]) -> str:
    """Write which names are like one; rapidfuzz is loaded for this slip alone."""
    from rapidfuzz import fuzz, process, utils  # 9 ms

    matches = process.extract(
        name.encode("utf-8", "replace").decode(),
        known,
        # A single word is mostly a surname.
        scorer=fuzz.token_sort_ratio if len(name.split()) > 1 else fuzz.partial_ratio,
        processor=lambda text: utils.default_process(plain(text)),
        limit=_SHOWN_NAMES,
        score_cutoff=_LEAST_LIKENESS,
    )
    if not matches:
        return "; give a name as it stands in the games, or a FIDE ID"
    return f"; near names: {'; '.join(near for near, *_ in matches)}"
