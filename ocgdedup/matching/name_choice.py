"""The best spelling of a player's name among records of one game.

Owns what makes one spelling better than another. All names are taken for spellings of one player,
unless a name contradicts what more records say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import TypeVar

from ocgdedup._kernels.names import COMPATIBLE, DIFFERENT, EQUAL, SIMILAR, relation
from ocgdedup._kernels.search import fuller_of_plain
from ocgdedup.matching.header_score import is_named
from ocgdedup.matching.names.letters import plain_letters, skeleton
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_words import CHESS_TITLES, GENERATIONS, PARTICLES, TITLES
from ocgdedup.model import NameForm

# The name of one side in a record, and the FIDE ID of the person to whom it was resolved.
Vote = tuple[str | None, int | None]
AreStrangers = Callable[[Vote, Vote], bool]
_Name = TypeVar("_Name", str, Vote)

# Penalties of spellings: the lowest sum wins.
_NOT_A_LETTER_OF_NAMES = 4  # digits, "?", "@"
_ONE_CASE = 3  # KASPAROV, GARRY
_NO_COMMA = 2  # Garry Kasparov
_TITLED = 2  # GM Kasparov, Garry
_ODD_CAPITALS = 2  # Kasparov, garry; KAsparov, Garry
_ODD_BLANKS = 1  # Kasparov ,Garry

_WORD = re.compile(r"[^\W\d_]+")
_JUNK = re.compile(r"[^\w\s,.'\u2019`()-]|[\d_]")
_USUAL_BLANKS = re.compile(r"\S+(?: \S+)*")
_DIGITS = re.compile(r"\d+")
_SMALL_LETTER_IN_FRONT = re.compile(r"(?<![^\W\d_'\u2019`])[a-z]+")
_CAPITALS_IN_FRONT = re.compile(r"[A-Z]{2}[a-z]")
_BLANK_BY_COMMA = re.compile(r"\s,|,(?=\S)")
NO_GIVEN_NAMES = TITLES | GENERATIONS
# Transliterations of Slavic names that FIDE's lists do not use: German, French, Polish.
_NOT_FIDES = re.compile(r"tsch|sch|tch|w|(?<=[oe])ff\b|j(?=[aeou])|(?<=[a-z])i\b")
_ALIKE_CHARS = 3  # "Kaspa" is "Kasparov, Garry" truncated
_AGREEING_RECORDS = 2  # so many records that name one player outvote fewer
# Most names of one side that are compared with each other: the most frequent ones. Real groups have
# fewer.
_MOST_NAMES = 64


def strangers_to_first(votes: Sequence[Vote], are_strangers: AreStrangers) -> list[int]:
    """Return the places of names that are of other people than the first name.

    Return none if two or more records name one of these people, and fewer name the first.
    """
    own = votes[0]
    strangers = [place for place, vote in enumerate(votes) if are_strangers(own, vote)]
    if len(strangers) < _AGREEING_RECORDS:
        return strangers
    own_count = sum(is_named(name) for name, _ in votes) - len(strangers)
    counts = Counter(votes[place] for place in strangers)
    others = _commonest(counts, counts)
    most = max(
        sum(counts[other] for other in others if not are_strangers(candidate, other))
        for candidate in others
    )
    return [] if most >= _AGREEING_RECORDS and most > own_count else strangers


def _commonest(names: Collection[_Name], counts: Mapping[_Name, int]) -> Collection[_Name]:
    """Return the _MOST_NAMES most frequent names, or all if there are no more than that."""
    if len(names) <= _MOST_NAMES:
        return names
    return nsmallest(_MOST_NAMES, names, key=lambda name: (-counts[name], repr(name)))


def are_strangers(left: Vote, right: Vote) -> bool:
    """Tell if two names are of different people, by the names and FIDE's list.

    They are if the surnames differ and neither is another name of the other person: "Hussein,HA"
    may be "Al-Ali, Hussein".
    """
    (name, fide_id), (other, other_fide_id) = left, right
    if not name or not other or name[:_ALIKE_CHARS].lower() == other[:_ALIKE_CHARS].lower():
        return False
    if fide_id is not None and fide_id == other_fide_id:
        return False
    if relation(_ascii(name), _ascii(other)) != DIFFERENT:
        return False
    form, other_form = name_form(name), name_form(other)
    has_surname = not (
        set(form.surname).isdisjoint(other_form.words)
        and set(other_form.surname).isdisjoint(form.words)
    )
    return not (has_surname or says(form, other_form) or says(other_form, form))


def may_be_one(name: str, other: str) -> bool:
    """Tell if two names may be of one player: given names may be shortened or missing."""
    return relation(_ascii(name), _ascii(other)) in (EQUAL, COMPATIBLE, SIMILAR)


def _ascii(name: str) -> str:
    return name if name.isascii() else plain_letters(name)


@lru_cache(maxsize=1 << 14)  # the same names are compared many times
def best_names(votes: tuple[Vote, ...]) -> Sequence[str]:
    """Return the best spellings of one side's name, several if they are equally good.

    Names of unknown players are left out; [] if there are no others. The criteria, in this order:

    1. names in FIDE's list, of the player whom most records mean;
    2. of names with the same letters, the tidiest: "Kasparov, Garry", not "Garry Kasparov";
    3. what most records say; "Kasparov,G" supports "Kasparov, Garry" too, but not vice versa;
    4. full given names before initials, initials before no given name;
    5. "Surname, Given" without titles, capitals and digits; more words;
    6. of several transliterations, FIDE's.
    """
    (best, fide_id), *others = votes
    for name, other_fide_id in others:
        if not (best and name and fide_id == other_fide_id):
            return _best_by_merit(votes)
        best = best if best == name else _fuller_of_plain(best, name)
    return (best,) if best and is_named(best) else _best_by_merit(votes)


@lru_cache(maxsize=1 << 16)  # the same names are compared many times
def best_of_two_names(
    name: str | None, fide_id: int | None, other: str | None, other_fide_id: int | None
) -> Sequence[str] | None:
    """Return best_names() of two votes, None if they name different people."""
    votes = (name, fide_id), (other, other_fide_id)
    if are_strangers(*votes) or are_strangers(*votes[::-1]):
        return None
    return best_names(votes)


def _fuller_of_plain(left: str, right: str) -> str | None:
    """Return the better of "Kasparov,G" and "Kasparov, Garry"; None for less simple names.

    For most different names this gives the result of _best_by_merit() in a tenth of the time. One
    name contains the other, so no other names are needed to judge.
    """
    best = fuller_of_plain(left, right)
    if best is None or NO_GIVEN_NAMES.isdisjoint(_WORD.findall(best.partition(",")[2].lower())):
        return best
    return None


def _best_by_merit(votes: Iterable[Vote]) -> Sequence[str]:
    known = [vote for vote in votes if is_named(vote[0])]
    counts = Counter(str(text) for text, _ in known)
    texts = _tidiest(sorted(_commonest(_in_the_list(known) or counts.keys(), counts)))
    if len(texts) < 2:
        return texts
    said = {text: counts[text] for text in {*texts, *_commonest(counts, counts)}}
    forms = _forms(said)
    best = best_in_turn(
        texts,
        # In how many records the spelling is this one, or one that says no more.
        lambda text: sum(
            count
            for other, count in said.items()
            if other == text or says(forms[other], forms[text])
        ),
        lambda text: sum(len(word) > 1 for word in forms[text].words),
        lambda text: -untidiness(text, forms[text]),
        lambda text: len(forms[text].words),
    )
    return _in_fides_spelling(best, forms)


def best_in_turn(values: Iterable[_Name], *criteria: Callable[[_Name], int]) -> list[_Name]:
    """Return the values that are highest by the first criterion, of these by the next, and so on.

    Most choices need few criteria, and some criteria are slow.
    """
    best = list(values)
    for criterion in criteria:
        if len(best) < 2:
            break
        merits = list(map(criterion, best))
        highest = max(merits)
        best = [value for value, merit in zip(best, merits, strict=True) if merit == highest]
    return best


def _tidiest(texts: list[str]) -> list[str]:
    """Leave out each name of which another one is a tidier spelling with the same letters."""
    if len(texts) < 2:
        return texts
    letters = {
        text: "".join(sorted(plain_letters("".join(_WORD.findall(text))).lower())) for text in texts
    }
    if len(set(letters.values())) == len(texts):
        return texts
    faults = {text: untidiness(text, name_form(text)) for text in texts}
    least: dict[str, int] = {}
    for text in texts:
        least[letters[text]] = min(faults[text], least.get(letters[text], faults[text]))
    return [text for text in texts if faults[text] == least[letters[text]]]


def _in_the_list(votes: Iterable[Vote]) -> set[str]:
    """Return the names in FIDE's list that mean the player whom most records mean, if any.

    If several players are meant equally often, the names of all of them.
    """
    listed = [(str(text), fide_id) for text, fide_id in votes if fide_id]
    counts = Counter(fide_id for _, fide_id in listed)
    most = max(counts.values(), default=0)
    return {text for text, fide_id in listed if counts[fide_id] == most}


def says(form: NameForm, full: NameForm) -> bool:
    """Tell if a full name has all words of a name; an initial matches a word that it begins."""
    surname = [(word, len(word) == 1) for word in sorted(form.surname)]
    given = [(word, True) for word in sorted(form.given, key=len)[::-1]]
    return stand_in(surname + given, full.words)


def stand_in(words: Iterable[tuple[str, bool]], full: Iterable[str]) -> bool:
    """Tell if each word, in this order, matches a different word of the full name.

    Each word comes with whether it may also match a word that begins with it.
    """
    left = list(full)
    for word, may_begin in words:
        match = word if word in left else None
        if match is None and may_begin:
            match = next((other for other in left if other.startswith(word)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _forms(texts: Collection[str]) -> dict[str, NameForm]:
    """Return the parsed names. "Mi3 Silva" beside "Silva,Mi" is not a nickname."""
    forms = {text: name_form(text) for text in texts}
    if any(form.is_ordered for form in forms.values()):
        for text, form in forms.items():
            if form.is_handle:
                forms[text] = name_form(_DIGITS.sub("", text))
    return forms


def untidiness(text: str, form: NameForm) -> int:
    """Return how much a name differs from the usual form "Surname, Given"; 0 is tidy."""
    value = 0
    if form.is_handle and " " in text and "," not in text:
        value += _NO_COMMA  # "Alexander2 Molchanov"
    if not form.is_handle:
        if _JUNK.search(text):
            value += _NOT_A_LETTER_OF_NAMES
        if not form.is_ordered:
            value += _NO_COMMA
    if is_in_one_case(text):
        value += _ONE_CASE
    elif _CAPITALS_IN_FRONT.search(text) or not PARTICLES.issuperset(
        _SMALL_LETTER_IN_FRONT.findall(text)
    ):
        value += _ODD_CAPITALS
    if any(
        word.lower() not in form.words and (word in CHESS_TITLES or word.lower() in TITLES)
        for word in _WORD.findall(text)
    ):
        value += _TITLED
    if _BLANK_BY_COMMA.search(text) or not _USUAL_BLANKS.fullmatch(text):
        value += _ODD_BLANKS
    return value


def is_in_one_case(text: str) -> bool:
    """Tell if a text is all in capitals or all in small letters; short ones may be."""
    return len(text) > 4 and (text.isupper() or text.islower())


def _in_fides_spelling(texts: list[str], forms: dict[str, NameForm]) -> list[str]:
    """Return the spellings closest to FIDE's, if all are transliterations of one name."""
    if len(texts) < 2:
        return texts
    sounds = {tuple(sorted(map(skeleton, forms[text].words))) for text in texts}
    if len(sounds) > 1:
        return texts
    marks = {text: len(_NOT_FIDES.findall(" ".join(forms[text].words))) for text in texts}
    fewest = min(marks.values())
    return [text for text in texts if marks[text] == fewest]
