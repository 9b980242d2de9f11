"""The best spelling of a player's name among records of one game.

Owns what makes one spelling better than another, and when two names are of different people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import combinations
from typing import Protocol, TypeVar

from ocgdedup._kernels.names import COMPATIBLE, DIFFERENT, EQUAL, NAMESAKE, SIMILAR
from ocgdedup._kernels.search import fuller_of_plain
from ocgdedup.matching.header_score import is_named
from ocgdedup.matching.names.letters import plain_letters, skeleton
from ocgdedup.matching.names.name_form import name_form, relation
from ocgdedup.matching.names.name_words import CHESS_TITLES, GENERATIONS, PARTICLES, TITLES
from ocgdedup.model import NameForm

# The name of one side in a record, and the FIDE ID of the person to whom it was resolved.
Vote = tuple[str | None, int | None]
AreStrangers = Callable[[Vote, Vote], bool]
_Name = TypeVar("_Name", str, Vote)

# Penalties of spellings: the lowest sum wins.
_NOT_A_LETTER_OF_NAMES = 8  # "?", "@", other digits than that of a namesake
_ONE_CASE = 6  # KASPAROV, GARRY
_NO_COMMA = 4  # Garry Kasparov; Alexander2 Molchanov
_TITLED = 4  # GM Kasparov, Garry
_ODD_CAPITALS = 4  # Kasparov, garry; KAsparov, Garry
_ODD_BLANKS = 2  # Kasparov ,Garry
_NUMBERED = 1  # Molchanov, Alexander2

_WORD = re.compile(r"[^\W\d_]+")
_JUNK = re.compile(r"[^\w\s,.'\u2019`()-]|[\d_]")
_USUAL_BLANKS = re.compile(r"\S+(?: \S+)*")
_DIGITS = re.compile(r"\d+")
_NUMBER_OF_NAMESAKE = re.compile(r"(?<=[^\W\d_]) ?\d{1,2}(?![^\s,])")
_SMALL_LETTER_IN_FRONT = re.compile(r"(?<![^\W\d_'\u2019`])[a-z]+")
_CAPITALS_IN_FRONT = re.compile(r"[A-Z]{2}[a-z]")
_BLANK_BY_COMMA = re.compile(r"\s,|,(?=\S)")
NO_GIVEN_NAMES = TITLES | GENERATIONS
# Transliterations of Slavic names that FIDE's lists do not use: German, French, Polish.
_NOT_FIDES = re.compile(r"tsch|sch|tch|w|(?<=[oe])ff\b|j(?=[aeou])|(?<=[a-z])i\b")
_EQUAL_CHARS = 3  # "Kaspa" is "Kasparov, Garry" truncated
_AGREEING_RECORDS = 2  # records that name one player and outvote fewer records
_MOST_NAMES = 64  # of one side that are compared, the most frequent ones; real groups have fewer


def strangers_to_first(votes: Sequence[Vote], are_strangers: AreStrangers) -> list[int]:
    """Return the indexes of names that are of other people than the first name.

    Return none if two or more records name one of these people, and fewer name the first.
    """
    strangers = [index for index, vote in enumerate(votes) if are_strangers(votes[0], vote)]
    if len(strangers) < _AGREEING_RECORDS:
        return strangers
    supporters = sum(is_named(name) for name, _ in votes) - len(strangers)
    counts = Counter(votes[index] for index in strangers)
    others = _most_frequent(counts, counts)
    most = max(
        sum(counts[other] for other in others if not are_strangers(candidate, other))
        for candidate in others
    )
    return [] if most >= _AGREEING_RECORDS and most > supporters else strangers


def _most_frequent(names: Collection[_Name], counts: Mapping[_Name, int]) -> Collection[_Name]:
    """Return the _MOST_NAMES most frequent names."""
    if len(names) <= _MOST_NAMES:
        return names
    return nsmallest(_MOST_NAMES, names, key=lambda name: (-counts[name], repr(name)))


def are_strangers(left: Vote, right: Vote) -> bool:
    """Return whether two names are of different people, by the names and FIDE's list.

    They are if the surnames differ and neither is a given name of the other person: "Hussein,HA"
    may be "Al-Ali, Hussein".
    """
    (name, fide_id), (other, other_fide_id) = left, right
    if not name or not other or name[:_EQUAL_CHARS].lower() == other[:_EQUAL_CHARS].lower():
        return False
    if fide_id is not None and fide_id == other_fide_id:
        return False
    if relation(name, other) != DIFFERENT:
        return False
    form, other_form = name_form(name), name_form(other)
    return (
        set(form.surname).isdisjoint(other_form.words)
        and set(other_form.surname).isdisjoint(form.words)
        and not is_contained_in(form, other_form)
        and not is_contained_in(other_form, form)
    )


def may_be_one(name: str, other: str) -> bool:
    """Return whether two names may be of one player; given names may be shortened or missing."""
    return relation(name, other) in (EQUAL, COMPATIBLE, SIMILAR)


@lru_cache(maxsize=1 << 14)  # the same names are compared many times
def best_names(votes: tuple[Vote, ...]) -> Sequence[str]:
    """Return the best spellings of one side's name, several if they are equally good.

    Names of unknown players do not count; [] if there are no others. The criteria, in this order:

    1. names of the player in FIDE's list whom most records name;
    2. of names with the same letters, the tidiest: "Kasparov, Garry", not "Garry Kasparov";
    3. the support of most records: "Kasparov,G" supports "Kasparov, Garry", but not vice versa;
    4. full given names before initials, initials before no given name;
    5. "Surname, Given" without titles, capitals and digits; more words;
    6. more records;
    7. of several transliterations, FIDE's.
    """
    (best, fide_id), *others = votes
    for name, other_fide_id in others:
        if not (best and name and fide_id == other_fide_id):
            return _best_spellings(votes)
        best = best if best == name else _fuller_of_plain(best, name)
    return (best,) if best and is_named(best) else _best_spellings(votes)


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

    For most pairs this gives the result of _best_spellings() in a tenth of the time: one name
    contains the other, so the support of other names does not matter.
    """
    best = fuller_of_plain(left, right)
    if best is None or NO_GIVEN_NAMES.isdisjoint(_WORD.findall(best.partition(",")[2].lower())):
        return best
    return None


def _best_spellings(votes: Iterable[Vote]) -> Sequence[str]:
    named = [vote for vote in votes if is_named(vote[0])]
    counts = Counter(str(text) for text, _ in named)
    texts = _tidiest(sorted(_most_frequent(_listed_names(named) or counts.keys(), counts)))
    if len(texts) < 2:
        return texts
    supporters = {text: counts[text] for text in {*texts, *_most_frequent(counts, counts)}}
    forms = _forms(supporters)
    best = best_by_criteria(
        texts,
        # the number of records with this spelling or a shorter form of it
        lambda text: sum(
            count
            for other, count in supporters.items()
            if other == text or is_contained_in(forms[other], forms[text])
        ),
        lambda text: sum(len(word) > 1 for word in forms[text].words),
        lambda text: -untidiness(text, forms[text]),
        lambda text: len(forms[text].words),
        lambda text: counts[text],
    )
    if len({tuple(sorted(map(skeleton, forms[text].words))) for text in best}) > 1:
        return best  # not transliterations of one name
    return best_by_criteria(
        best, lambda text: -len(_NOT_FIDES.findall(" ".join(forms[text].words)))
    )


class NameCounts(Protocol):
    """Counts over all names of players of a database, as they were read."""

    def count_names_with(self, word: str) -> int:
        """Return how many names have a word, in plain lower-case letters."""

    def count_records_of(self, name: str) -> int:
        """Return how many records have a name, in any case and with any blanks."""


def likeliest(names: Iterable[str], counts: NameCounts) -> Sequence[str]:
    """Return the likeliest of equally good spellings, whatever their order.

    A slip makes a word that no other name has ("Gtuman, Lev"), or letters that are rare in names.
    If neither name has such a word, the more frequent name counts. A hyphen is often left out.
    Names of namesakes are no spellings of one name: all are returned.
    """
    texts = sorted({*names})
    if len(texts) < 2 or any(relation(*pair) == NAMESAKE for pair in combinations(texts, 2)):
        return texts
    from ocgdedup.matching.names.letter_frequency import letter_frequency  # 1 ms

    words = {text: {*name_form(text).words} for text in texts}
    shared = set.intersection(*words.values())
    likely = best_by_criteria(
        texts,
        lambda text: all(counts.count_names_with(word) > 1 for word in words[text] - shared),
        counts.count_records_of,
        lambda text: min(map(letter_frequency, words[text] - shared), default=0.0),
        lambda text: text.count("-"),
    )
    if len({name_form(text).given for text in likely}) > 1:
        likely = best_by_criteria(likely, _given_names_in_place)
    return likely[:1]


def _given_names_in_place(text: str) -> int:
    """Return how many common given names follow the surname, less those in the surname."""
    from ocgdedup.matching.names.given_names import is_given_name  # 5 ms

    form = name_form(text)
    return sum(map(is_given_name, form.given)) - sum(map(is_given_name, form.surname))


def best_by_criteria(values: Iterable[_Name], *criteria: Callable[[_Name], float]) -> list[_Name]:
    """Return the values that are highest by the first criterion, of these by the next, and so on.

    Most choices need few criteria, and some criteria are slow.
    """
    best = list(values)
    for criterion in criteria:
        if len(best) < 2:
            break
        scores = list(map(criterion, best))
        highest = max(scores)
        best = [value for value, score in zip(best, scores, strict=True) if score == highest]
    return best


def _tidiest(texts: list[str]) -> list[str]:
    """Return the tidiest of the names that have the same letters."""
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


def _listed_names(votes: Iterable[Vote]) -> set[str]:
    """Return the names of the player in FIDE's list whom most records name; of several if tied."""
    listed = [(str(text), fide_id) for text, fide_id in votes if fide_id]
    counts = Counter(fide_id for _, fide_id in listed)
    most = max(counts.values(), default=0)
    return {text for text, fide_id in listed if counts[fide_id] == most}


def is_contained_in(form: NameForm, full: NameForm) -> bool:
    """Return whether the full name has all words of a name; an initial matches a longer word."""
    surname = [(word, len(word) == 1) for word in sorted(form.surname)]
    given = [(word, True) for word in sorted(form.given, key=len)[::-1]]
    return words_match(surname + given, full.words)


def words_match(words: Iterable[tuple[str, bool]], full: Iterable[str]) -> bool:
    """Return whether each word, in this order, matches a different word of the full name.

    `words`: (word, whether it may be the beginning of the matched word).
    """
    unmatched = list(full)
    for word, is_beginning in words:
        match = word if word in unmatched else None
        if match is None and is_beginning:
            match = next((other for other in unmatched if other.startswith(word)), None)
        if match is None:
            return False
        unmatched.remove(match)
    return True


def _forms(texts: Collection[str]) -> dict[str, NameForm]:
    """Return the parsed names. "Mi3 Silva" is no nickname if another name is "Silva,Mi"."""
    forms = {text: name_form(text) for text in texts}
    if any(form.is_ordered for form in forms.values()):
        for text, form in forms.items():
            if form.is_handle:
                forms[text] = name_form(_DIGITS.sub("", text))
    return forms


def untidiness(text: str, form: NameForm) -> int:
    """Return how much a name differs from the usual form "Surname, Given"; 0 is tidy."""
    has_odd_capitals = _CAPITALS_IN_FRONT.search(text) or not PARTICLES.issuperset(
        _SMALL_LETTER_IN_FRONT.findall(text)
    )
    has_title = any(
        word.lower() not in form.words and (word in CHESS_TITLES or word.lower() in TITLES)
        for word in _WORD.findall(text)
    )
    lacks_comma = " " in text and "," not in text if form.is_handle else not form.is_ordered
    plain = _NUMBER_OF_NAMESAKE.sub("", text, count=1) if form.is_ordered else text
    penalties = (
        (_NO_COMMA, lacks_comma),
        (_NUMBERED, plain != text),
        (_NOT_A_LETTER_OF_NAMES, not form.is_handle and _JUNK.search(plain)),
        (_ONE_CASE, is_in_one_case(text)),
        (_ODD_CAPITALS, has_odd_capitals and not is_in_one_case(text)),
        (_TITLED, has_title),
        (_ODD_BLANKS, _BLANK_BY_COMMA.search(text) or not _USUAL_BLANKS.fullmatch(text)),
    )
    return sum(penalty for penalty, applies in penalties if applies)


def is_in_one_case(text: str) -> bool:
    """Return whether a text of more than four characters is all in capitals or in small letters."""
    return len(text) > 4 and (text.isupper() or text.islower())
