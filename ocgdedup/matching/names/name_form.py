"""The normal form of a name: surname and given names in plain lower case, without titles.

Parses names as written. Other modules decide which person is meant.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from ocgdedup.matching.names.letters import expanded_umlauts, plain_letters
from ocgdedup.matching.names.name_words import (
    CHESS_TITLES,
    DOTTED_GENERATIONS,
    FEDERATIONS,
    GENERATIONS,
    GUESTS,
    PARTICLES,
    PROGRAM_WORDS,
    TITLES,
    UNKNOWN_NAMES,
)
from ocgdedup.matching.names.pinyin import looks_chinese


class NameForm(NamedTuple):
    """A parsed name; words are in plain lower-case letters, in the order written.

    `is_ordered`: a comma shows which words are the surname; without a comma all words are in
    `surname`. `generation` is "1" for a father, "2" for a son, "" if not given. `number`: digits
    by which a source tells namesakes apart. `is_handle`: a nickname or a program, with its digits.
    """

    surname: tuple[str, ...]
    given: tuple[str, ...]
    is_ordered: bool
    country: str = ""
    birth_year: int | None = None
    generation: str = ""
    number: str = ""
    is_handle: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return self.surname + self.given


# A run of letters and apostrophes, and the characters after it that matter.
_WORD = re.compile(r"([^\W\d_]+(?:'[^\W\d_]+)*)(\.?)|(\d+)")
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_GLUED_DIGITS = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_PROGRAM = re.compile(rf"\b({'|'.join(sorted(PROGRAM_WORDS))})\b", re.IGNORECASE)
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_PARENTHESES = re.compile(r"\([^)]*\)?")
_INITIALS_ALONE = re.compile(r"\s*[A-Z]{2,3}\s*")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_FIRST_YEAR, _LAST_YEAR = 1800, 2035
# Characters of a name as written. Nobody has a longer name: it is kept but not matched.
LONGEST_NAME = 200


# FIDE titles, which are no initials in these places.
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
        shorter = pattern.sub(_unless_unknown_code, text)
        is_sure = len(_ANY_WORD.findall(shorter)) > 1 and (
            pattern is not _TITLE_OR_COUNTRY[-1] or "," in shorter
        )
        if is_sure:
            text = shorter
    return text


def _unless_unknown_code(match: re.Match[str]) -> str:
    return "" if not match.re.groups or match[1] in FEDERATIONS else match[0]


def is_too_long(name: str) -> bool:
    """Tell if a name is too long to be matched."""
    return len(name) > LONGEST_NAME


def is_unknown(name: str) -> bool:
    """Tell if a name stands for nobody: empty, ?, NN, N.N., Unknown, NN (GER) and the like."""
    text = _PARENTHESES.sub(" ", plain_letters(name))
    words = [word for word in _NO_LETTERS.split(text.lower()) if word]
    if any(word in GUESTS for word in words) and any(map(str.isdigit, name)):
        return False  # "player123" is a person
    return all(word in UNKNOWN_NAMES for word in words) or "".join(words) in UNKNOWN_NAMES


@lru_cache(maxsize=1 << 15)  # the same name is parsed several times
def name_form(name: str) -> NameForm:
    """Parse a name. An unknown or too long name has no words."""
    return _take_apart(name, plain_letters(_in_latin(name)))


def other_forms(name: str) -> list[NameForm]:
    """Return other readings of the same letters: umlauts as two letters, ISO 9."""
    written = name_form(name)
    texts = [expanded_umlauts(_in_latin(name))]
    if _CYRILLIC.search(name):
        texts += _latin_forms(name)[1:]
    forms: list[NameForm] = []
    for text in texts:
        form = _take_apart(name, plain_letters(text))
        if form != written and form not in forms:
            forms.append(form)
    return forms


def _in_latin(name: str) -> str:
    if name.isascii():
        return name
    from ocgdedup.matching.names.hangul import romanise  # as in _latin_forms()

    text = unicodedata.normalize("NFKC", name)
    if _CYRILLIC.search(text):
        return _latin_forms(text)[0]
    korean = romanise(text)
    return text if korean is None else ", ".join(korean)


def _latin_forms(text: str) -> tuple[str, ...]:
    # Imported only here: most collections have no such names, and its patterns compile slowly.
    from ocgdedup.matching.names.cyrillic import latin_forms

    return latin_forms(text)


class _Words:
    """Collects the words and other attributes of one name."""

    def __init__(self) -> None:
        self.country = self.generation = self.number = ""
        self.birth_year: int | None = None

    def read(self, text: str, *, is_given: bool) -> list[str]:
        """Return the name words of a text; `is_given`: the surname stood before it."""
        words: list[str] = []
        for match in _WORD.finditer(text):
            word, dot, digits = match.groups()
            if digits:
                self._read_number(digits)
            elif not self._is_no_name(word, dot, is_given or bool(words)):
                words += _split(word.replace("'", ""), is_given=is_given)
        return words

    def _read_number(self, digits: str) -> None:
        if len(digits) == 4 and _FIRST_YEAR <= int(digits) <= _LAST_YEAR:
            self.birth_year = int(digits)
        elif len(digits) <= 2:
            self.number = digits

    def _is_no_name(self, word: str, dot: str, is_late: bool) -> bool:
        """Note and tell what is no name; `is_late`: it may be one, a name went before."""
        lower = word.lower()
        if word in CHESS_TITLES or (lower in TITLES and (lower not in ("med", "mag") or dot)):
            return True
        if not is_late:
            return False
        if word in FEDERATIONS:
            self.country = word
            return True
        generation = GENERATIONS.get(word) or GENERATIONS.get(lower)
        if generation and (dot or lower not in DOTTED_GENERATIONS):
            self.generation = generation
            return True
        return False


def _split(word: str, *, is_given: bool) -> list[str]:
    """Split initials that are written together (JP, JuM); keep other words.

    Two or three capitals in a row are initials if they are in the place of given names.
    """
    if not is_given or len(word) == 1:
        return [word.lower()]
    if word.isupper() and len(word) <= 3:
        return list(word.lower())
    return [part.lower() for part in _CAMEL.split(word)]


def _is_handle(text: str) -> bool:
    """Tell if a name without a comma is a nickname or a program: digits, but no year of birth."""
    if _PROGRAM.search(text) or _GLUED_DIGITS.search(text):
        return True
    words = [word for word in _ALPHANUMERIC.findall(text) if not word.isdigit()]
    numbers = [word for word in _ALPHANUMERIC.findall(text) if word.isdigit()]
    return any(
        len(words) < 2 or len(number) != 4 or not _FIRST_YEAR <= int(number) <= _LAST_YEAR
        for number in numbers
    )


def _take_apart(name: str, latin: str) -> NameForm:
    if is_too_long(name) or is_unknown(name):
        return NameForm((), (), False)
    text = latin.replace("(", " ").replace(")", " ").replace("_", " ")
    if text.isupper() and len(text) > 4:
        text = text.title()
    before, comma, after = text.partition(",")
    words = _Words()
    if comma and (surname := words.read(before, is_given=False)):
        given = words.read(after, is_given=True)
        if not given and _INITIALS_ALONE.fullmatch(after):
            given = list(after.strip().lower())  # "Kumar, CM" is C. M. Kumar
        return _ordered(surname, given, words)
    if _is_handle(text):
        # "player123" and "player124" are different, and so are "Stockfish 12" and "Stockfish 13".
        parts = tuple(part.lower() for part in _ALPHANUMERIC.findall(text))
        return NameForm(parts, (), False, is_handle=True)
    joined = _CAMEL.sub(" ", text) if " " not in text.strip(" ,.") else text
    everything = words.read(joined, is_given=False)
    return _made(everything, [], False, words)


def _ordered(surname: list[str], given: list[str], words: _Words) -> NameForm:
    """Move particles from the given name to the surname: "Wit, Jan de" is "De Wit, Jan"."""
    moved = len(given)
    while moved > 1 and given[moved - 1] in PARTICLES and len(given[moved - 1]) > 1:
        moved -= 1
    return _made(given[moved:] + surname, given[:moved], True, words)


def _made(surname: list[str], given: list[str], is_ordered: bool, words: _Words) -> NameForm:
    return NameForm(
        tuple(map(intern, surname)),  # half a million names have few distinct words
        tuple(map(intern, given)),
        is_ordered,
        words.country,
        words.birth_year,
        words.generation,
        words.number,
    )


def form_key(form: NameForm) -> str:
    """Return the words of a form as one text, which is equal for equal names."""
    if not form.is_ordered:
        return " ".join(form.surname)
    return f"{' '.join(form.surname)}, {' '.join(form.given)}"


def is_full(form: NameForm) -> bool:
    """Tell if a name has more than a surname and initials."""
    if form.is_ordered:
        if any(len(word) > 2 for word in form.given):
            return True
        # "Wu, Di" is not abbreviated.
        return any(len(word) == 2 for word in form.given) and looks_chinese(form.words)
    return sum(len(word) > 1 for word in form.surname) > 1 or form.is_handle
