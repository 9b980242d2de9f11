"""Unique short forms of listed names ("Carlsen, M"), with their probability.

A short form is the surname and the initials of all given names. Weights are those of likelihood.py
and resolve.py; a kernel computes the sums over a list of half a million names. This module does
not know the evidence of games.
"""

from __future__ import annotations

from collections.abc import Iterator

from ocgdedup._kernels.names import AliasRows, are_together
from ocgdedup.matching.names import name_words
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.likelihood import SHORT_FORM_COSTS
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.model import NameForm

# Of the aliases of listed players: other short forms may be those of a prominent player.
LEAST_OF_ALIAS = 0.95
# Characters between and after the letters of a surname.
_MARKS = str.maketrans("", "", " -'.")


def short_form(form: NameForm) -> tuple[tuple[str, ...], str] | None:
    """Return the words of the surname and the initials; None without a comma or a given name."""
    if not form.is_ordered or not form.given:
        return None
    return form.surname, "".join(word[0] for word in form.given)


def listed_aliases(names: NameList, least: float = LEAST_OF_ALIAS) -> AliasRows:
    """Return the short forms by which one person of a list is almost surely meant, as rows.

    They are short forms of the listed name, not of other spellings. If its letters have another
    transliteration (ü as ue), the short form of that must be unique, too.
    """
    chances = names.own_short_forms(names.prominence(), SHORT_FORM_COSTS)
    return names.aliases(chances, alias_text, least)


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


def _shown_initials(initials: str) -> str:
    return initials.upper() if are_together(initials) else " ".join(initials.upper())
