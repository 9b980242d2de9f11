"""Find the player whom a name means, as people type it: "Kasparov", "garry kasparov", a FIDE ID.

A full name as it is written in the games means that name, or the resolved player. Any other name is
compared with all names of the same surname: a short form such as "Kasparov,G" belongs to a player
only if it cannot be another player's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ocgdedup._kernels import names as name_kernel
from ocgdedup.errors import SeveralPlayersError, UsageError
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.matching.names import name_form
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import Reporter
from ocgdedup.store import named_players as store
from ocgdedup.store.connection import Database
from ocgdedup.store.named_players import CareerSpan, PlayerKeys
from ocgdedup.store.names import game_kind
from ocgdedup.wording import counted

_SHOWN_NAMES = 3
_SHOWN_CANDIDATES = 20
_MOST_GROUPED = 400  # names, since each is compared with each
_LEAST_SIMILARITY = 65
_NOBODY = "?"
_NO_LETTERS = re.compile(r"[\W_]+")
_OTHER_SCRIPTS = re.compile("[\u0530-\u1dff\u2e80-\U0010ffff]")
_TEAM = re.compile(r"[&+:;/]")
_SAME = (name_kernel.EQUAL, name_kernel.COMPATIBLE)


class _NamesOfKind(NamedTuple):
    """Functions for the names of chess or Go players.

    `is_full`: whether a name has more than a surname and initials; `relation`: of two names, by the
    numbers of the kernel; `namesakes`: the names that share the surname; `has_other_form`: whether
    a name has a nickname or foreign form of the given name of another; `spellings`: a name in other
    letters; `comparable`: the names among which to search for similar ones, and a function that
    makes them comparable.
    """

    is_full: Callable[[str], bool]
    relation: Callable[[str, str], int]
    namesakes: Callable[[str, Iterable[str]], Iterator[str]]
    has_other_form: Callable[[str, str], bool]
    spellings: Callable[[str, Sequence[str]], list[str]]
    comparable: Callable[[Sequence[str]], tuple[Sequence[str], Callable[[str], str]]]


class _Candidate:
    """A player whom a name may mean: spellings, the one to show first, and IDs of the database.

    `aliases`: spellings that always mean this resolved player.
    """

    def __init__(self, text: str, names: Iterable[int] = (), *, fide_id: int | None = None) -> None:
        self.texts = [text]
        self.aliases: list[str] = []
        self.names = set(names)
        self.persons: set[int] = set()
        self.fide_id = fide_id

    @property
    def keys(self) -> PlayerKeys:
        return PlayerKeys(frozenset(self.names), frozenset(self.persons))


class PlayerLookup:
    """The players of a database, to look up names; `is_any`: several players are no error."""

    def __init__(self, database: Database, reporter: Reporter, *, is_any: bool) -> None:
        self._database = database
        self._reporter = reporter
        self._is_any = is_any
        self._players = store.all_players(database.connection)
        self._kind = _NAMES[game_kind(database.connection)]
        persons = (name for name, _ in self._players.persons.values())
        self._stored = list(dict.fromkeys([*self._players.names.values(), *persons]))

    def keys_of(self, names: Sequence[str]) -> PlayerKeys:
        """Return the players that have one of these names.

        Raises UsageError for a name of nobody, and SeveralPlayersError. Warns of spellings that the
        user did not type, and of other names that may mean the same player.
        """
        return _united(self._keys_of(name.strip()) for name in names)

    def _keys_of(self, name: str) -> PlayerKeys:
        exact = self._named_exactly([name])
        if exact is not None and (self._kind.is_full(name) or name.isdecimal()):
            named = self._resolved({person: [] for person in exact.persons})
            if named and not self._is_any:
                chosen, _ = self._choose(name, named)
                return exact._replace(persons=chosen.keys.persons)
            if not exact.persons:
                near = self._namesakes(name).union(self._kind.spellings(name, self._stored))
                self._warn_of_others(name, self._same(name, near))
            return exact
        candidates, others = self._candidates(name)
        if not candidates:
            return exact or self._in_other_spellings(name)
        if self._is_any:
            return _united(candidate.keys for candidate in [*candidates, *others])
        candidate, not_searched = self._choose(name, candidates, others)
        self._warn_of_spellings(name, candidate)
        short_forms = [text for other in not_searched for text in other.texts]
        self._warn_of_others(candidate.texts[0], short_forms)
        return candidate.keys

    def _named_exactly(self, spellings: Iterable[str]) -> PlayerKeys | None:
        """Return the players with one of these names or FIDE IDs, None if there are none.

        A name that always means one player selects all names of that player.
        """
        wanted = set(map(_plain, spellings))
        tables = (self._players.names, self._players.open_names)
        names = {key for table in tables for key, text in table.items() if _plain(text) in wanted}
        persons = {
            key
            for key, (text, fide_id) in self._players.persons.items()
            if _plain(text) in wanted or str(fide_id) in wanted
        }
        persons.update(p for n, p, is_all in self._players.resolved if is_all and n in names)
        return PlayerKeys(frozenset(names), frozenset(persons)) if names or persons else None

    # --- candidates -------------------------------------------------------------------------------

    def _candidates(self, name: str) -> tuple[list[_Candidate], list[_Candidate]]:
        """Return the players whom a name may mean, and the names that may be of several players."""
        relation = self._kind.relation
        namesakes = self._namesakes(name)
        is_grouped = len(namesakes) <= _MOST_GROUPED
        if not is_grouped:  # so many that a short form may be anybody's
            namesakes = set(filter(self._kind.is_full, self._same(name, namesakes)))
        candidates = self._resolved_players(namesakes)
        shared = self._add_open_names(candidates, namesakes, is_grouped=is_grouped)
        equal, compatible, similar = [], [], []
        for candidate in candidates:
            relations = [relation(text, name) for text in candidate.texts]
            by_alias = [relation(text, name) for text in candidate.aliases]
            is_similar = relations[0] == name_kernel.SIMILAR
            if name_kernel.EQUAL in (*relations, *by_alias):
                equal.append(candidate)
            elif all(kind in _SAME for kind in relations) or (
                is_similar and name_kernel.COMPATIBLE in by_alias
            ):
                compatible.append(candidate)
            elif is_similar:  # another transliteration of a given name
                similar.append(candidate)
        chosen = equal or compatible or similar
        if not chosen:
            chosen = [c for c in candidates if self._kind.has_other_form(name, c.texts[0])]
        others = [candidate for candidate in shared if self._same(name, candidate.texts)]
        return (chosen, others) if chosen else (others, [])

    def _namesakes(self, name: str) -> set[str]:
        return set(self._kind.namesakes(name, self._stored))

    def _same(self, name: str, texts: Iterable[str]) -> list[str]:
        return [text for text in texts if self._kind.relation(text, name) in _SAME]

    def _resolved(self, aliases: dict[int, list[str]]) -> list[_Candidate]:
        """Return resolved players; those outside the FIDE list who share a name are one."""
        candidates: dict[int | str, _Candidate] = {}
        for person, texts in sorted(aliases.items()):
            text, fide_id = self._players.persons[person]
            key = fide_id or _plain(text)
            candidate = candidates.setdefault(key, _Candidate(text, fide_id=fide_id))
            candidate.persons.add(person)
            candidate.aliases += texts
        return list(candidates.values())

    def _resolved_players(self, namesakes: set[str]) -> list[_Candidate]:
        """Return the resolved players with one of some names."""
        persons = self._players.persons
        aliases: dict[int, list[str]] = {
            key: [] for key, (text, _) in persons.items() if text in namesakes
        }
        for name, person, is_all in self._players.resolved:
            text = self._players.names.get(name)
            if is_all and text in namesakes and person in persons:
                aliases.setdefault(person, []).append(text)
        return self._resolved(aliases)

    def _add_open_names(
        self, candidates: list[_Candidate], namesakes: set[str], *, is_grouped: bool
    ) -> list[_Candidate]:
        """Add each unresolved name to the player whom it must mean; return names of several.

        Full names come first: each that fits no player before it is another player.
        """
        sure = {name for name, _, is_all in self._players.resolved if is_all}
        open_names = [
            (text, key)
            for key, text in self._players.names.items()
            if key not in sure and text in namesakes
        ]
        open_names.sort(key=lambda n: (not self._kind.is_full(n[0]), -len(_plain(n[0])), n[0]))
        shared: dict[str, _Candidate] = {}  # by plain text
        for text, key in open_names:
            fitting = [
                candidate
                for candidate in (candidates if is_grouped else ())
                if len(self._same(text, candidate.texts)) == len(candidate.texts)
            ]
            if not fitting:
                candidates.append(_Candidate(text, [key]))
                continue
            owner = fitting[0] if len(fitting) == 1 else shared.get(_plain(text))
            if owner is None:
                shared[_plain(text)] = _Candidate(text, [key])
            else:
                owner.texts.append(text)
                owner.names.add(key)
        return list(shared.values())

    def _choose(
        self, name: str, candidates: list[_Candidate], others: Sequence[_Candidate] = ()
    ) -> tuple[_Candidate, Sequence[_Candidate]]:
        """Return the only candidate with games, or the one written so, and the other candidates.

        Raises SeveralPlayersError with a list of the candidates.
        """
        if len(candidates) == 1:
            return candidates[0], others
        spans = self._spans([*candidates, *others])
        if len(spans) <= 1:
            return (spans[0][0] if spans else candidates[0]), ()
        if len(name.split()) > 1 or "," in name:
            for candidate, _ in spans:
                if name in candidate.texts and candidate in others:
                    rest = [other for other, _ in spans if other is not candidate]
                    return candidate, rest
        is_open = not self._players.persons
        hint = "; 'ocgdedup players' joins the spellings of a player" if is_open else ""
        raise SeveralPlayersError(
            f"{self._database.path}: {name!r} may be any of {len(spans):,} players; give the full "
            f"name or the FIDE ID of one of them, or add --any{hint}",
            self._table(spans),
        )

    def _spans(self, candidates: Sequence[_Candidate]) -> list[tuple[_Candidate, CareerSpan]]:
        """Return the candidates that have games, with their games, the most games first."""
        keys = [candidate.keys for candidate in candidates]
        spans = zip(candidates, store.career_spans(self._database.connection, keys), strict=True)
        return sorted(
            (pair for pair in spans if pair[1].games),
            key=lambda pair: (-pair[1].games, pair[0].texts[0]),
        )

    def _table(self, spans: Sequence[tuple[_Candidate, CareerSpan]]) -> Iterator[str]:
        """Yield a line for each candidate: name, FIDE ID, games, years."""
        shown = spans[:_SHOWN_CANDIDATES]
        rows = [
            (
                candidate.texts[0],
                str(candidate.fide_id or ""),
                counted(span.games, "game"),
                "-".join(dict.fromkeys(str(year) for year in span[1:] if year is not None)),
            )
            for candidate, span in shown
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            aligned = zip(row, "<>>>", widths, strict=True)
            cells = (f"{text:{align}{width}}" for text, align, width in aligned if width)
            yield f"  {'  '.join(cells)}".rstrip()
        if len(spans) > len(shown):
            yield f"  and {len(spans) - len(shown):,} more with fewer games"

    # --- other spellings --------------------------------------------------------------------------

    def _in_other_spellings(self, name: str) -> PlayerKeys:
        """Return the player by lists of aliases or in other letters; raise UsageError for none."""
        aliases = store.name_aliases(self._database.connection)
        same = _same_names(name, self._stored, aliases, self._kind)
        keys = self._named_exactly(same)
        if keys is None:
            raise UsageError(
                f"{self._database.path}: there is no player {name!r}{self._similar_names(name)}"
            )
        spellings = set(map(_plain, same))
        matching = sorted(text for text in self._stored if _plain(text) in spellings)
        self._reporter.warn(
            f"{self._database.path}: there is no player {name!r}; searching for spellings of this "
            f"name: {'; '.join(matching)}"
        )
        return keys

    def _similar_names(self, name: str) -> str:
        """Return a text that lists the most frequent names with this word, or similar names."""
        word = _plain(name)
        with_word = {
            text for text in self._stored if word and word in map(_plain, re.split(r"[,\s]+", text))
        }
        candidates = self._resolved_players(with_word)
        self._add_open_names(candidates, with_word, is_grouped=False)
        if spans := self._spans(candidates):
            shown = "; ".join(
                f"{candidate.texts[0]} (games: {span.games})"
                for candidate, span in spans[:_SHOWN_NAMES]
            )
            return f"; names with this word: {shown}"
        from rapidfuzz import fuzz, process, utils  # 9 ms

        names, plain = self._kind.comparable(self._stored)
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

    # --- warnings ---------------------------------------------------------------------------------

    def _warn_of_spellings(self, name: str, candidate: _Candidate) -> None:
        """Warn of a name that is not written as typed, and of names that may be of other people."""
        shown, *others = candidate.texts
        known = [shown, *candidate.aliases]
        if others or not self._same(name, known):
            also = f", also in the spellings {_listed(others)}" if others else ""
            self._reporter.warn(f"{self._database.path}: {name!r} is searched as {shown}{also}")

    def _warn_of_others(self, name: str, texts: Iterable[str]) -> None:
        """Warn of other names that may mean the same player, since they are not searched."""
        plain = _plain(name)
        if others := sorted(text for text in texts if _plain(text) != plain):
            self._reporter.warn(
                f"{self._database.path}: only the name {name!r} is searched; these names may be of "
                f"the same player: {_listed(others)}; name one of them, or resolve names with "
                "'ocgdedup players'"
            )


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - _SHOWN_NAMES
    return "; ".join(texts[:_SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")


def _united(keys: Iterable[PlayerKeys]) -> PlayerKeys:
    names, persons = zip(*keys, strict=True)
    return PlayerKeys(frozenset().union(*names), frozenset().union(*persons))


# --- chess ----------------------------------------------------------------------------------------


def _is_full(name: str) -> bool:
    return name_form.is_full(name_form.name_form(name))


def _relation(left: str, right: str) -> int:
    """Return the relation of two names; a surname of two words alone is compatible, too."""
    if bool(_TEAM.search(left)) != bool(_TEAM.search(right)):
        return name_kernel.DIFFERENT
    relation = name_form.relation(left, right)
    for surname, name in () if relation in _SAME else ((left, right), (right, left)):
        words = _NO_LETTERS.split(surname)
        is_surname = len(words) > 1 and "," not in surname
        if is_surname and all(name_form.relation(word, name) in _SAME for word in words):
            return name_kernel.COMPATIBLE
    return relation


def _namesakes(name: str, stored: Iterable[str]) -> Iterator[str]:
    latin = name_form.reading_for_search(name) or name_form.letters_for_search(name)
    words = list(filter(None, _NO_LETTERS.split(latin.casefold())))
    words = [word for word in words if len(word) > 1] or words
    for text in stored:
        letters = text if text.isascii() else name_form.letters_for_search(text)
        folded = letters.casefold()
        # Most names have none of the words, which is faster to see.
        if any(word in folded for word in words) and any(
            _relation(query, text) in _SAME for query in (name, *words)
        ):
            yield text


def _has_other_form(name: str, stored: str) -> bool:
    """Return whether names have one surname, and given names such as Bobby and Robert."""
    from ocgdedup.matching.names.given_names import given_names  # 3 ms

    form, words = name_form.name_form(stored), name_form.name_form(name).words
    given = [word for word in words if word not in form.surname]
    if not given or not form.given or len(given) + len(form.surname) != len(words):
        return False
    levels = name_kernel.GIVEN_LEVELS
    return 0 < given_names().level(given[0], form.given[0]) <= levels["COGNATE"]


# --- Go -------------------------------------------------------------------------------------------


def _is_full_in_go(name: str) -> bool:
    from ocgdedup.matching.names.go_name import go_name  # 10 ms

    parsed = go_name(name)
    return len(parsed.words) > 1 or bool(parsed.members)


def _relation_in_go(left: str, right: str) -> int:
    from ocgdedup.matching.names.go_name import go_name  # 10 ms
    from ocgdedup.matching.names.go_spelling import may_be_one, spelling  # 12 ms

    names = go_name(left), go_name(right)
    left_words, right_words = (set(name.words) for name in names)
    if names[0].number != names[1].number:
        return name_kernel.DIFFERENT
    if not left_words or not right_words:  # nobody, or a team
        return name_kernel.EQUAL if _plain(left) == _plain(right) else name_kernel.DIFFERENT
    if left_words == right_words:
        return name_kernel.EQUAL
    if left_words < right_words or right_words < left_words:
        return name_kernel.COMPATIBLE
    spellings = spelling(left), spelling(right)
    is_same = spellings[0].key and spellings[0].key == spellings[1].key
    return name_kernel.COMPATIBLE if is_same or may_be_one(*spellings) else name_kernel.DIFFERENT


def _namesakes_in_go(name: str, stored: Iterable[str]) -> Iterator[str]:
    """Yield the names with all words of a name."""
    from ocgdedup.matching.names.go_name import go_name  # 10 ms

    words = set(go_name(name).words)
    return (text for text in stored if words and words <= set(go_name(text).words))


def _plain(name: str) -> str:
    """Return the letters and digits of a name in lower case, without accents."""
    if name.isascii():
        return _NO_LETTERS.sub("", name).casefold() or name
    if not _OTHER_SCRIPTS.search(name):
        return _NO_LETTERS.sub("", plain_letters(name)).casefold() or name
    # Combining marks are accents of Latin, Greek and Cyrillic letters; in other scripts they count.
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in plain if c.isalnum() or unicodedata.category(c)[0] == "M") or name


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
    CHESS: _NamesOfKind(
        _is_full, _relation, _namesakes, _has_other_form, lambda *_: [],
        lambda stored: (stored, str),
    ),
    GO: _NamesOfKind(
        _is_full_in_go, _relation_in_go, _namesakes_in_go, lambda *_: False, _go_spellings,
        _romanised,
    ),
}  # fmt: skip
