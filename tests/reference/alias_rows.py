"""The short forms of a list as rows, written in Python as alias_rows.pxi writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocgdedup.matching.names import name_words
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.short_forms import alias_text, listed_aliases, short_form

_MARKS = str.maketrans("", "", " -'.")
_LIKE_WORDS = (name_words.TITLES - name_words.DOTTED_TITLES) | (
    name_words.GENERATIONS - name_words.DOTTED_GENERATIONS
)


class ListedAlias(NamedTuple):
    """A short form that only one person of a list has; `person`: the number in the list."""

    alias: str
    person: int
    probability: float


def unique_short_forms(names: NameList) -> Iterator[ListedAlias]:
    """Yield the short forms that only one person of a list has, in the order of the list."""
    return map(ListedAlias._make, listed_aliases(names, 0.0).rows_of_persons())


def alias_rows(names: NameList, chances: Sequence[float]) -> Iterator[ListedAlias]:
    """Yield the short forms; `chances`: of entries, negative if another person has the form."""
    first_of = _persons_with_readings(names, chances)
    last = -1
    for entry, person in enumerate(names.person_of):
        if chances[entry] < 0 or person <= last or first_of.get(person, entry) != entry:
            continue
        form, name = names.forms[entry], names.persons.name(person)
        initials = "".join(word[0] for word in form.given)
        alias = _plain_alias(name, "".join(form.surname), initials) or alias_text(name, form)
        if alias is not None:
            last = person
            yield ListedAlias(alias, person, chances[entry])


def _persons_with_readings(names: NameList, chances: Sequence[float]) -> dict[int, int]:
    """Return the first entry of each person whose listed name has several transliterations.

    -1 if another person has the short form of one of them.
    """
    person_of = names.person_of
    entries: dict[int, int] = {}
    for second, (person, before) in enumerate(zip(person_of[1:], person_of, strict=False), 1):
        if person != before:
            continue
        first = entries.setdefault(person, second - 1)
        if first < 0 or chances[second] >= 0:
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
    return f"{surname}, {shown_initials(initials)}"


def shown_initials(initials: str) -> str:
    """Return initials together, "JP", unless they would look like a word or a federation."""
    together = initials.upper()
    is_apart = len(together) > 3 or together in name_words.FEDERATIONS or initials in _LIKE_WORDS
    return " ".join(together) if is_apart else together
