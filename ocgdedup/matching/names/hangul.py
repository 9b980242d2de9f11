"""Korean names: Hangul to Latin letters, and one key for the Latin spellings of a name.

Most Koreans use no official romanisation for their own name: the player 이세돌 is Lee Sedol, Yi
Se-tol and Ri Sedol. Names with the same key may differ: 정 and 중 are both written Jung.

Sources: Revised Romanisation of Korean (2000), section on personal names (no sound changes between
the syllables of a name); McCune-Reischauer (1939); Unicode, chapter 3.12.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ocgdedup._kernels.names import has_korean_syllables
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.name_words import read_table

_LONG_SURNAMES = frozenset(["남궁", "선우", "제갈", "황보", "독고", "사공", "서문", "동방"])

_TABLE = read_table("korean_names")
_SURNAME_KEYS: dict[str, str] = {}
for _key, *_spellings in map(str.split, _TABLE["surnames"].splitlines()):
    for _spelling in (_key, *_spellings):
        _SURNAME_KEYS.setdefault(_spelling, _key)

_FIRST_SYLLABLE, _LAST_SYLLABLE = 0xAC00, 0xD7A3
_USUAL_SURNAMES, _USUAL_SYLLABLES = (
    dict(pair.split("=") for pair in _TABLE[title].split())
    for title in ("usual surnames", "usual syllables")
)

_INITIALS, _MEDIALS, _FINALS = map(str.split, _TABLE["letters"].splitlines())


def is_hangul(text: str) -> bool:
    """Return whether all characters of a composed text are syllables of Hangul."""
    return all(_FIRST_SYLLABLE <= ord(char) <= _LAST_SYLLABLE for char in text)


def syllable_letters(char: str) -> tuple[str, str, str]:
    """Return initial, vowel and final of a syllable, "-" if silent."""
    code, final = divmod(ord(char) - _FIRST_SYLLABLE, len(_FINALS))
    initial, medial = divmod(code, len(_MEDIALS))
    return _INITIALS[initial], _MEDIALS[medial], _FINALS[final]


def _spelt(text: str) -> Iterator[str]:
    return ("".join(syllable_letters(char)).replace("-", "") for char in text)


def romanise(text: str) -> tuple[str, str] | None:
    """Return surname and given name of a Hangul name in lower-case Revised Romanisation.

    The given name has a hyphen between its syllables, as the rules of 2000 permit: 이세돌 gives
    ("i", "se-dol"). A space or comma ends the surname; without one it is the first syllable,
    or the first two of the few long surnames. None unless `text` is all Hangul, of two syllables or
    more.
    """
    words = unicodedata.normalize("NFC", text).replace(",", " ").split()
    letters = "".join(words)
    if len(letters) < 2 or not is_hangul(letters):
        return None
    size = 2 if letters[:2] in _LONG_SURNAMES and len(letters) > 2 else 1
    size = len(words[0]) if len(words) > 1 else size
    return "".join(_spelt(letters[:size])), "-".join(_spelt(letters[size:]))


def usual_spelling(text: str) -> str | None:
    """Return "Surname, Given" of a Hangul name as most Koreans spell it: Lee, Sedol."""
    romanised = romanise(text)
    if romanised is None or not romanised[1]:
        return None
    surname, given = romanised
    syllables = [_USUAL_SYLLABLES.get(syllable, syllable) for syllable in given.split("-")]
    spelling = _USUAL_SURNAMES.get(surname, surname)
    return f"{spelling.capitalize()}, {''.join(syllables).capitalize()}"


def korean_surnames() -> Iterable[str]:
    """Return all Latin spellings of Korean surnames, in lower case."""
    return _SURNAME_KEYS


def korean_surname_key(surname: str) -> str | None:
    """Return the key of all spellings of a Korean surname, None for other surnames.

    `surname` is in lower-case Latin letters. "yi", "rhee" and "lee" have the key of "i". Two
    surnames that share a spelling share a key ("chun" is 전 or 천).
    """
    is_plain = surname.isascii() and surname.isalpha() and surname.islower()
    return _SURNAME_KEYS.get(surname if is_plain else _NOT_LETTER.sub("", _plain(surname)))


_NOT_LETTER = re.compile("[^a-z]+")
# The breve of McCune-Reischauer makes another letter, so replace it before accents are removed.
_BREVES = {ord("ŏ"): "eo", ord("ŭ"): "eu"}


def _plain(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).lower().translate(_BREVES)
    return plain_letters(composed).replace("'", "")


# Plain and aspirated stops have one key: for the same ㄱ one system writes g, another k.
_CONSONANTS = {"ck": "k", "sh": "s", "wh": "hw", "tch": "c", "ch": "c", "j": "c", "g": "k"}
_CONSONANTS |= {"d": "t", "b": "p", "r": "l"}
_CONSONANT = re.compile("ck|sh|wh|tch|ch|[jgdbr]")
_SILENT_H = re.compile("h(?![aeiouwy])")

# U is ㅓ, ㅜ or ㅡ, which many people write "u"; E is ㅐ or ㅔ, which sound alike.
_VOWELS = {"weo": "wo", "woo": "U", "wu": "U", "wae": "wE", "we": "wE", "oe": "wE", "yi": "i"}
_VOWELS |= dict.fromkeys(("yeo", "yoo", "yuo", "you", "yu"), "yU")
_VOWELS |= dict.fromkeys(("eo", "eu", "oo", "ou", "u"), "U")
_VOWELS |= dict.fromkeys(("yae", "ye"), "yE") | dict.fromkeys(("ae", "e"), "E")
_VOWELS |= dict.fromkeys(("eui", "ui", "ee"), "i")
# "su-in" and "ju-in" are two syllables, any other "ui" is ㅢ; "ga-eun", "je-eun" and "so-eun"
# hold "eu".
_VOWEL = re.compile(
    "yeo|yoo|yuo|you|yu|yae|ye|yi|weo|woo|wu|wae|we|eui|(?<![sc])ui"
    "|ee(?![uo])|oe(?![uo])|ae(?!u)|eo|eu|oo|ou|u|e"
)
# Before a final consonant "yo" is ㅕ without its breve (hyon, myong): ㅛ occurs there in "yong"
# and "ryong" only. "Sung-yong" is not "sun-gyong".
_LOST_BREVE = re.compile("yo(?=(?:[mklpt]|n(?!k))(?![aiouEUwy]))|(?<=[hkmp])(?<!nk)yo(?=nk)")


def _fold(piece: str) -> str:
    text = _CONSONANT.sub(lambda m: _CONSONANTS[m[0]], piece)
    text = _VOWEL.sub(lambda m: _VOWELS[m[0]], _SILENT_H.sub("", text))
    return _LOST_BREVE.sub("yU", text)


def korean_given_key(given: str) -> str:
    """Return a key that is equal for spellings of the same Korean given name.

    `given` is a Latin spelling in any system or by habit, in one or several words: Sedol, Se-tol
    and Se Dol have the same key. Names that are not Korean get a key, too: see `looks_korean`.
    """
    # "ng" stays n + g, so that "mingyu" (min-gyu) equals "minkyu" without a split into syllables.
    return "".join(_fold(piece) for piece in _NOT_LETTER.split(_plain(given)))


def looks_korean(surname: str, given: str) -> bool:
    """Return whether a name in lower-case Latin letters can be a Korean one.

    True if the surname is in the table and the given name can be one to three Korean syllables.
    Some Western names fit, too ("lee", "daniel"), so True alone proves nothing.
    """
    if korean_surname_key(surname) is None:
        return False
    return has_korean_syllables(_NOT_LETTER.sub("", _plain(given)))
