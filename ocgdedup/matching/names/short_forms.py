"""Short forms of listed names, "Carlsen, M": who is the only one to have one, how sure that is.

A short form is the surname and the initials of all given names. Weights are those of likelihood.py
and resolve.py; the sums over a list of half a million names are made by a kernel. The evidence of
games is no matter of this module.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Set
from functools import lru_cache
from math import exp
from typing import NamedTuple

from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.likelihood import SHORT_FORM_COSTS
from ocgdedup.matching.names.name_form import NameForm, name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.name_words import PARTICLES, UNKNOWN_NAMES
from ocgdedup.matching.names.resolve import prominence_of_rank

# What may stand between and behind the letters of a surname.
_MARKS = str.maketrans("", "", " -'.")


class ListedAlias(NamedTuple):
    """A short form that one person of a list has alone.

    `person`: the person's number in the list; `probability` (0 to 1): that whoever is called so is
    that person, among the listed players whose surname is spelled so and those in no list.
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
    """Yield the short forms that one person of a list has alone, in the order of the list.

    It is that of the name in the list, not of further spellings. If its letters can be read in
    another way too (ü as ue), nobody else may have that short form either.
    """
    rank, text = names.persons.rank, names.persons.name
    factors = array("d", (_factor(*rank(person)) for person in names.person_of))
    own = names.own_short_forms(factors, SHORT_FORM_COSTS)
    person_of = names.person_of
    several = _other_readings(names, {*own[0]})
    before = -1
    for entry, probability, letters, initials in zip(*own, strict=True):
        person = person_of[entry]
        if person <= before or several.get(person, entry) != entry:
            continue
        name = text(person)
        alias = _plain_alias(name, letters, initials) or alias_text(name, names.forms[entry])
        if alias is not None:
            before = person
            yield ListedAlias(alias, person, probability)


def _other_readings(names: NameList, own: Set[int]) -> dict[int, int]:
    """Return the entry that counts of each person whose listed name has several readings.

    It is the first one; -1 if somebody else has the short form of one of them. `own`: the entries
    that alone have theirs.
    """
    person_of = names.person_of
    found: dict[int, int] = {}
    for second, (person, before) in enumerate(zip(person_of[1:], person_of, strict=False), 1):
        if person != before:
            continue
        first = found.setdefault(person, second - 1)
        if first < 0 or second in own:
            continue
        if short_form(names.forms[second]) != short_form(names.forms[first]):
            found[person] = -1
    return found


def _plain_alias(name: str, letters: str, initials: str) -> str | None:
    """Write the short form of a name whose surname is as written but for case and marks."""
    surname = name.partition(",")[0].strip()
    lower = surname.lower()
    if lower != letters and lower.translate(_MARKS) != letters:
        return None
    if surname.isupper() or not surname.isascii() or letters in UNKNOWN_NAMES:
        return None
    return f"{surname}, {_shown_initials(initials)}"


@lru_cache(maxsize=1 << 14)
def _factor(rating: int, title: str, is_active: bool) -> float:
    return exp(prominence_of_rank(rating, title, is_active))


def alias_text(name: str, form: NameForm) -> str | None:
    """Write the short form of a listed name with the name's own letters; None if it has none.

    The text is read as that short form again.
    """
    short = short_form(form)
    if short is None:
        return None
    words, initials = short
    written = (one for one in _surnames(name) if _letters(one) == "".join(words))
    for surname in (*written, " ".join(words).title()):
        for shown in (_shown_initials(initials), " ".join(initials.upper())):
            alias = f"{surname}, {shown}"
            if short_form(name_form(alias)) == short:
                return alias
    return None


def _letters(surname: str) -> str:
    return plain_letters(surname).lower().translate(_MARKS)


def _surnames(name: str) -> Iterator[str]:
    """Yield the surname as written, and with the particles that stand behind the given name."""
    surname, _, given = name.partition(",")
    surname = surname.strip()
    if not plain_letters(surname).isascii():
        return  # the initials would be in another script
    yield surname.title() if surname.isupper() else surname
    words = given.split()
    first = len(words)
    while first and words[first - 1].lower() in PARTICLES:
        first -= 1
        yield " ".join([*words[first:], surname])


@lru_cache(maxsize=1 << 12)
def _shown_initials(initials: str) -> str:
    """Write initials together, "JP", unless that would be read as something else."""
    together = initials.upper()
    read = name_form(f"Nobodaddy, {together}")
    if read == NameForm(("nobodaddy",), tuple(initials), True):
        return together
    return " ".join(together)
