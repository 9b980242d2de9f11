"""Unique short forms of listed names ("Carlsen, M"), with their probability.

A short form is the surname and the initials of all given names. Weights are those of likelihood.py
and resolve.py; a kernel computes the sums over a list of half a million names. This module does
not know the evidence of games.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Set
from functools import lru_cache
from math import exp
from typing import NamedTuple

from ocgdedup.matching.names import name_words
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.likelihood import SHORT_FORM_COSTS
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.resolve import prominence_of_rank
from ocgdedup.model import NameForm

# Of the aliases of listed players: other short forms may be those of a prominent player.
LEAST_OF_ALIAS = 0.95
# Characters between and after the letters of a surname.
_MARKS = str.maketrans("", "", " -'.")
# More initials are separated by spaces, and so are initials that are words: JR, DR.
_MOST_TOGETHER = 3
_LIKE_WORDS = (name_words.TITLES - name_words.DOTTED_TITLES) | (
    name_words.GENERATIONS - name_words.DOTTED_GENERATIONS
)


class ListedAlias(NamedTuple):
    """A short form that only one person of a list has.

    `person`: the person's number in the list; `probability` (0 to 1): that the short form means
    this person, among listed players with this spelling of the surname and unlisted players.
    """

    alias: str
    person: int
    probability: float


def short_form(form: NameForm) -> tuple[tuple[str, ...], str] | None:
    """Return the words of the surname and the initials; None without a comma or a given name."""
    if not form.is_ordered or not form.given:
        return None
    return form.surname, "".join(word[0] for word in form.given)


def listed_aliases(names: NameList) -> Iterator[ListedAlias]:
    """Yield the short forms by which one person of a list is almost surely meant."""
    return (row for row in unique_short_forms(names) if row.probability >= LEAST_OF_ALIAS)


def unique_short_forms(names: NameList) -> Iterator[ListedAlias]:
    """Yield the short forms that only one person of a list has, in the order of the list.

    They are short forms of the listed name, not of other spellings. If its letters have another
    transliteration (ü as ue), the short form of that must be unique, too.
    """
    rank, text = names.persons.rank, names.persons.name
    factors = array("d", (_factor(*rank(person)) for person in names.person_of))
    unique = names.own_short_forms(factors, SHORT_FORM_COSTS)
    person_of = names.person_of
    entry_of = _persons_with_readings(names, {*unique[0]})
    last = -1
    for entry, probability, letters, initials in zip(*unique, strict=True):
        person = person_of[entry]
        if person <= last or entry_of.get(person, entry) != entry:
            continue
        name = text(person)
        alias = _plain_alias(name, letters, initials) or alias_text(name, names.forms[entry])
        if alias is not None:
            last = person
            yield ListedAlias(alias, person, probability)


def _persons_with_readings(names: NameList, unique: Set[int]) -> dict[int, int]:
    """Return the first entry of each person whose listed name has several transliterations.

    -1 if another person has the short form of one of them. `unique`: the entries with a unique
    short form.
    """
    person_of = names.person_of
    entries: dict[int, int] = {}
    for second, (person, before) in enumerate(zip(person_of[1:], person_of, strict=False), 1):
        if person != before:
            continue
        first = entries.setdefault(person, second - 1)
        if first < 0 or second in unique:
            continue
        if short_form(names.forms[second]) != short_form(names.forms[first]):
            entries[person] = -1
    return entries


def _plain_alias(name: str, letters: str, initials: str) -> str | None:
    """Return the short form of a name, None if the surname differs in more than case and marks."""
    surname = name.partition(",")[0].strip()
    lower = surname.lower()
    if lower != letters and lower.translate(_MARKS) != letters:
        return None
    if surname.isupper() or not surname.isascii() or letters in name_words.UNKNOWN_NAMES:
        return None
    return f"{surname}, {_shown_initials(initials)}"


@lru_cache(maxsize=1 << 14)
def _factor(rating: int, title: str, is_active: bool) -> float:
    return exp(prominence_of_rank(rating, title, is_active))


def alias_text(name: str, form: NameForm) -> str | None:
    """Return the short form of a listed name with the letters as written; None if it has none.

    The short form of the text is the same.
    """
    short = short_form(form)
    if short is None:
        return None
    words, initials = short
    if name_words.UNKNOWN_NAMES.issuperset((*words, initials)):
        return None  # "Black, N" may be nobody
    apart = " ".join(initials.upper())
    written = (surname for surname in _surnames(name) if _letters(surname) == "".join(words))
    for surname in (*written, " ".join(words).title()):
        # Behind a surname in capitals, initials could be a given name.
        for shown in (apart if surname.isupper() else _shown_initials(initials), apart):
            alias = f"{surname}, {shown}"
            if short_form(name_form(alias)) == short:
                return alias
    return None


def _letters(surname: str) -> str:
    return plain_letters(surname).lower().translate(_MARKS)


def _surnames(name: str) -> Iterator[str]:
    """Yield the surname as written, also preceded by the particles after the given name."""
    surname, _, given = name.partition(",")
    surname = surname.strip()
    if not plain_letters(surname).isascii():
        return  # the initials would be in another script
    yield surname.title() if surname.isupper() else surname
    words = given.split()
    first = len(words)
    while first and words[first - 1].lower() in name_words.PARTICLES:
        first -= 1
        yield " ".join([*words[first:], surname])


@lru_cache(maxsize=1 << 12)
def _shown_initials(initials: str) -> str:
    """Return initials together, "JP", unless they would look like a word or a federation."""
    together = initials.upper()
    is_apart = (
        len(together) > _MOST_TOGETHER
        or together in name_words.FEDERATIONS
        or initials in _LIKE_WORDS
    )
    return " ".join(together) if is_apart else together
