"""Turn the user's selection of games into criteria, with names of players and events looked up."""

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
_LEAST_SIMILARITY = 65
_NOBODY = "?"
_NO_LETTERS = re.compile(r"[\W_]+")
_OTHER_SCRIPTS = re.compile("[\u0530-\u1dff\u2e80-\U0010ffff]")
_LEAST_LETTERS = 3  # of a surname that is compared


class _NamesOfKind(NamedTuple):
    """Functions for looking up chess or Go players.

    `fuller` returns the longer and shorter names that may mean the same player; `spellings` the
    name in other letters; `comparable` the names among which to search for similar ones, and a
    function that makes them comparable.
    """

    fuller: Callable[[str, Sequence[str]], set[str]]
    spellings: Callable[[str, Sequence[str]], list[str]]
    comparable: Callable[[Sequence[str]], tuple[Sequence[str], Callable[[str], str]]]


def criteria_of(database: Database, selection: Selection, reporter: Reporter) -> Criteria:
    """Return a selection with its names looked up.

    Raises UsageError for unknown players and events, and for those without games. Warns about the
    spellings that are searched for a name that no game has.
    """
    players: PlayerKeys | None = None
    if selection.players:
        keys = [_one_player(database, name, reporter) for name in selection.players]
        for name, player in zip(selection.players, keys, strict=True):
            if not _has_games(database, player):
                raise UsageError(f"{database.path}: there is no game of the player {name!r}")
        names, persons = (frozenset[int]().union(*parts) for parts in zip(*keys, strict=True))
        players = PlayerKeys(names, persons)
    events: frozenset[int] | None = None
    if selection.events:
        events = store.find_events(database.connection, selection.events)
        if not _has_games(database, None, events):
            parts = " or ".join(map(repr, selection.events))
            raise UsageError(f"{database.path}: no event of a game has {parts} in its name")
    return Criteria(selection, players, header_score, events)


def _has_games(
    database: Database, players: PlayerKeys | None, events: frozenset[int] | None = None
) -> bool:
    return store.has_games(
        database.connection, Criteria(Selection(), players, header_score, events)
    )


def _one_player(database: Database, name: str, reporter: Reporter) -> PlayerKeys:
    connection = database.connection
    names_of = _NAMES[game_kind(connection)]
    keys = store.find_player(connection, [name], _plain)
    if keys is not None and keys.persons:
        return keys
    stored = store.player_names(connection)
    if keys is not None:
        _warn_of_other_names(database, name, names_of.fuller(name, stored), reporter)
        return keys
    same = _same_names(name, stored, store.name_aliases(connection), names_of)
    keys = store.find_player(connection, same, _plain)
    if keys is None:
        similar = _similar_names(connection, name, stored, names_of)
        raise UsageError(f"{database.path}: there is no player {name!r}{similar}")
    spellings = set(map(_plain, same))
    matching = [candidate for candidate in stored if _plain(candidate) in spellings]
    reporter.warn(
        f"{database.path}: there is no player {name!r}; searching for spellings of this name: "
        f"{'; '.join(sorted(matching))}"
    )
    return keys


def _plain(name: str) -> str:
    """Return the letters and digits of a name in lower case, without accents."""
    if name.isascii():
        return _NO_LETTERS.sub("", name).casefold() or name
    if not _OTHER_SCRIPTS.search(name):
        return _NO_LETTERS.sub("", plain_letters(name)).casefold() or name
    # Combining marks are accents of Latin, Greek and Cyrillic letters; in other scripts they count.
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in plain if c.isalnum() or unicodedata.category(c)[0] == "M") or name


def _warn_of_other_names(
    database: Database, name: str, candidates: Iterable[str], reporter: Reporter
) -> None:
    """Warn of other names that may mean the same player, since they are not searched."""
    plain = _plain(name)
    others = sorted(candidate for candidate in candidates if _plain(candidate) != plain)
    if others:
        more = len(others) - _SHOWN_NAMES
        reporter.warn(
            f"{database.path}: only the name {name!r} is searched; these names may be of the same "
            f"player: {'; '.join(others[:_SHOWN_NAMES])}"
            f"{f' and {more} more' if more > 0 else ''}; name one of them, or resolve names with "
            "'ocgdedup players'"
        )


def _fuller(name: str, stored: Sequence[str]) -> set[str]:
    """Return the names with the same surname and compatible given names."""
    surname = _plain(re.split(r"[,\s]", name.strip())[0])
    if len(surname) < _LEAST_LETTERS:
        return set()
    kinds = (name_kernel.EQUAL, name_kernel.COMPATIBLE)
    letters = plain_letters(name)
    return {
        candidate
        for candidate in stored
        # The first letter quickly excludes most names.
        if (not candidate.isascii() or candidate[:1].casefold() == surname[0])
        and _plain(candidate).startswith(surname)
        and name_kernel.relation(plain_letters(candidate), letters) in kinds
    }


def _fuller_in_go(name: str, stored: Sequence[str]) -> set[str]:
    """Return the names with all words of a name and more, and the name in other letters."""
    from ocgdedup.matching.names.go_name import go_name  # 10 ms

    words = set(go_name(name).words)
    fuller = {candidate for candidate in stored if words and words < set(go_name(candidate).words)}
    return fuller.union(_go_spellings(name, stored))


def _same_names(
    name: str, stored: Sequence[str], aliases: Sequence[tuple[str, str]], names_of: _NamesOfKind
) -> list[str]:
    """Return other names of a player: in other letters (Go), and from lists of aliases."""
    listed = {text for pair in aliases for text in pair}
    plain = _plain(name)
    same = {candidate for candidate in listed if _plain(candidate) == plain}
    same |= set(names_of.spellings(name, [*stored, *listed]))
    canonical = {pair[1] for pair in aliases if not same.isdisjoint(pair)}
    return [*(same | canonical), *(alias for alias, candidate in aliases if candidate in canonical)]


def _go_spellings(name: str, stored: Sequence[str]) -> list[str]:
    """Return the names that may be a Go player's name in other letters."""
    from ocgdedup.matching.names.go_spelling import may_be_one, spelling  # 12 ms

    name_spelling = spelling(name)
    if not name_spelling.key:
        return []
    return sorted(
        other
        for other, other_spelling in zip(stored, map(spelling, stored), strict=True)
        if other_spelling.key == name_spelling.key or may_be_one(other_spelling, name_spelling)
    )


def _romanised(stored: Sequence[str]) -> tuple[Sequence[str], Callable[[str], str]]:
    # Romanisations of a name can differ in most letters: "Yi Ch'ang-ho" is "Lee Changho".
    from ocgdedup.matching.names.go_spelling import plain_go_name  # 12 ms

    return [name for name in stored if plain_go_name(name) != _NOBODY], plain_go_name


_NAMES = {
    CHESS: _NamesOfKind(_fuller, lambda *_: [], lambda stored: (stored, str)),
    GO: _NamesOfKind(_fuller_in_go, _go_spellings, _romanised),
}


def _similar_names(
    connection: apsw.Connection, name: str, stored: Sequence[str], names_of: _NamesOfKind
) -> str:
    """Return a text that lists the most frequent names with this word, or else similar names."""
    word = _plain(name)
    with_word = [
        candidate for candidate in stored if word in map(_plain, re.split(r"[,\s]+", candidate))
    ]
    counts = store.count_games_of(connection, with_word)
    if counts:
        frequent = sorted(counts, key=lambda candidate: (-counts[candidate], candidate))[
            :_SHOWN_NAMES
        ]
        shown = "; ".join(f"{candidate} (games: {counts[candidate]})" for candidate in frequent)
        return f"; names with this word: {shown}"
    from rapidfuzz import fuzz, process, utils  # 9 ms

    names, plain = names_of.comparable(stored)
    matches = process.extract(
        name.encode("utf-8", "replace").decode(),
        names,
        # A single word is mostly a surname.
        scorer=fuzz.token_sort_ratio if len(name.split()) > 1 else fuzz.partial_ratio,
        processor=lambda text: utils.default_process(plain(text)),
        limit=_SHOWN_NAMES,
        score_cutoff=_LEAST_SIMILARITY,
    )
    if not matches:
        return "; give a name as it stands in the games, or a FIDE ID"
    return f"; near names: {'; '.join(near for near, *_ in matches)}"
