"""The form of a player's name: surname and given names in plain lower case, without titles.

Brings a name into plain Latin letters; the kernel parses it (name_form.pxd). Other modules decide
which person is meant.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ocgdedup._kernels import names as name_kernel
from ocgdedup.matching.names.letters import expanded_umlauts, plain_letters
from ocgdedup.matching.names.name_words import FEDERATIONS
from ocgdedup.matching.names.pinyin import chinese_reading, pinyin_of_characters
from ocgdedup.model import NameForm

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_CHARACTERS = re.compile("[\u4e00-\u9fff]{2,4}")
_BETWEEN_CHARACTERS = re.compile(r"[\s,]+")
_HANGUL_FIRST = re.compile(r"\s*[\uac00-\ud7a3]")
LONGEST_NAME = name_kernel.LONGEST_NAME
_NO_FORM = NameForm((), (), False)


# In these positions the letters are titles, not initials.
_FIDE_TITLES = "GM|IM|FM|CM|WGM|WIM|WFM|WCM"
_TITLE_OR_COUNTRY = (
    re.compile(rf"^(?:{_FIDE_TITLES})\.?\s+"),
    re.compile(rf"[\s,]+\(?(?:{_FIDE_TITLES})\)?$"),
    # Any of 212 codes; as alternatives they would take ten times as long to compile.
    re.compile(r"\s*\(([A-Z]{3})\)$"),
    re.compile(r"(?<=[^,\s])\s+([A-Z]{3})$"),
)
_ANY_WORD = re.compile(r"[^\W\d_]+")


def without_titles(name: str) -> str:
    """Return a name without FIDE title and country code, otherwise as written.

    A code without parentheses counts only after "Surname, Given", and only if two or more words
    are left.
    """
    text = name.strip()
    for pattern in _TITLE_OR_COUNTRY:
        shorter = pattern.sub(
            lambda match: match[0] if match.re.groups and match[1] not in FEDERATIONS else "", text
        )
        if shorter == text:
            continue
        is_sure = len(_ANY_WORD.findall(shorter)) > 1 and (
            pattern is not _TITLE_OR_COUNTRY[-1] or "," in shorter
        )
        if is_sure:
            text = shorter
    return text


def is_too_long(name: str) -> bool:
    return len(name) > LONGEST_NAME


def is_unknown(name: str) -> bool:
    """Return whether a name means no player: empty, ?, NN, N.N., Unknown, NN (GER) and the like."""
    latin = name if name.isascii() else _for_kernel(_in_latin(name))
    return not is_too_long(name) and name_kernel.is_unknown(latin)


def name_key(name: str) -> str:
    """Return the text of an unresolved name in CoreHash: its normal form, "?" if unknown.

    A name that is too long to be matched stays as written. RowWriter computes keys of ASCII names
    itself (kernels/chess/player_keys.pxd).
    """
    return name if is_too_long(name) else name_kernel.name_key(_for_kernel(_in_latin(name)))


@lru_cache(maxsize=1 << 15)  # the same name is parsed several times
def name_form(name: str) -> NameForm:
    """Parse a name; the name of nobody, or a too long one, has no words."""
    return _form_of(name, _in_latin(name))


def _form_of(name: str, latin: str) -> NameForm:
    return _NO_FORM if is_too_long(name) else name_kernel.parse(_for_kernel(latin))


def latin_name(name: str) -> str | None:
    """Return a name in the letters that the kernel parses; None if that is the name itself."""
    if is_too_long(name):
        return ""
    return None if name.isascii() else _for_kernel(_in_latin(name))


def _for_kernel(latin: str) -> str:
    """Return a text without accents; other letters in lower case, other signs as blanks."""
    if latin.isascii():
        return latin
    text = plain_letters(latin)
    return "".join(
        char if char.isascii() else char.lower() if char.isalpha() else " " for char in text
    )


def other_forms(name: str) -> list[NameForm]:
    """Return the forms of other transliterations: umlauts as two letters, ISO 9."""
    written = name_form(name)
    texts = [expanded_umlauts(_in_latin(name))]
    if _CYRILLIC.search(name):
        texts += _latin_forms(name)[1:]
    forms: list[NameForm] = []
    for text in texts:
        form = _form_of(name, text)
        if form != written and form not in forms:
            forms.append(form)
    return forms


def _in_latin(name: str) -> str:
    if name.isascii():
        return name
    text = unicodedata.normalize("NFKC", name)
    if _CYRILLIC.search(text):
        return _latin_forms(text)[0]
    if not _HANGUL_FIRST.match(text):
        return text
    from ocgdedup.matching.names.hangul import romanise  # 3 ms

    korean = romanise(text)
    return text if korean is None else ", ".join(korean)


def _latin_forms(text: str) -> tuple[str, ...]:
    from ocgdedup.matching.names.cyrillic import latin_forms  # 3 ms

    return latin_forms(text)


# --- names for the search ---------------------------------------------------------------------


def letters_for_search(name: str) -> str:
    """Return a name as the search compares it: accents removed, Cyrillic in Latin letters."""
    return plain_letters(_latin_forms(name)[0] if _CYRILLIC.search(name) else name)


def reading_for_search(name: str) -> str | None:
    """Return the usual Latin spelling of a name in Hangul or Chinese characters, if certain.

    The search compares it with names in other scripts. Two names in Hangul, and two in characters,
    are compared as written, since different names have the same spelling.
    """
    text = unicodedata.normalize("NFKC", name)
    if _HANGUL_FIRST.match(text):
        from ocgdedup.matching.names.hangul import usual_spelling  # 3 ms

        return usual_spelling(text)
    characters = _BETWEEN_CHARACTERS.sub("", text)
    return pinyin_of_characters(characters) if _CHARACTERS.fullmatch(characters) else None


def relation(left: str, right: str) -> int:
    """Return the relation of two names as the search for duplicates sees it."""
    if left.isascii() and right.isascii():
        return name_kernel.relation(left, right)
    readings = reading_for_search(left), reading_for_search(right)
    if None in readings:
        left, right = (
            letters_for_search(name) if reading is None else reading
            for name, reading in zip((left, right), readings, strict=True)
        )
    elif left == right:
        return name_kernel.EQUAL
    return name_kernel.relation(letters_for_search(left), letters_for_search(right))


def is_full(form: NameForm) -> bool:
    """Return whether a name has more than a surname and initials."""
    if form.is_ordered:
        longest = max(map(len, form.given), default=0)
        # "Wu, Di" is not abbreviated.
        return longest > 2 or (longest == 2 and bool(chinese_reading(form.words)))
    return sum(len(word) > 1 for word in form.surname) > 1 or form.is_handle
