"""Guess the 8-bit charset of bytes that are not UTF-8.

Owns how to recognize each charset. Must not know tags, games or files.

PGN standard 4.1: "PGN data is represented using a subset of the eight bit ISO 8859/1 (Latin 1)
character set"; but programs wrote the charset of Windows or DOS. A wrong guess only affects how the
text is shown: encoding it always gives the same bytes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LATIN = "windows-1252"
LATIN_ANY_BYTE = "latin-1"
CENTRAL_EUROPEAN = "windows-1250"
CYRILLIC = "windows-1251"
DOS_US = "cp437"
DOS_WESTERN = "cp850"

# Patterns stay text: re compiles each once, when first used, so import is cheap.

# All bytes except an ellipsis, quotes, dashes and a no-break space in the Windows charsets. Other
# signs are included: otherwise DOS words would be cut into pieces that look Russian.
_WORD = rb"[A-Za-z\x80-\x83\x86-\x90\x98-\x9F\xA1-\xAA\xAC-\xBA\xBC-\xFF]+"
_HIGH_LETTERS = bytes(range(0xC0, 0x100))
_ASCII_LETTER = rb"[A-Za-z]"

# windows-1251: C0-DF and A8 are capitals, E0-FF and B8 small letters. The case pattern excludes
# KOI8-R (case reversed) and the two-byte charsets of East Asia (no case).
_RUSSIAN_WORD = rb"[\xC0-\xDF\xA8]?[\xE0-\xFF\xB8]{2,}|[\xC0-\xDF\xA8]{3,}"
_RUSSIAN_VOWEL = (
    rb"[\xC0\xC5\xA8\xC8\xCE\xD3\xDB\xDD\xDE\xDF\xE0\xE5\xB8\xE8\xEE\xF3\xFB\xFD\xFE\xFF]"
)

# Letters of both windows-1250 and windows-1252, and l-stroke, which may be next to another one.
_LETTER = rb"[A-Za-z\x8A\x8E\x9A\x9E\xB3\xC0-\xFF]"

# windows-1250: bytes that are letters there and symbols in windows-1252.
_CENTRAL_EUROPEAN_LETTER = (
    # a-ogonek, z-dot, l-caron (both), z-acute, t-caron between letters; "¿" can open a word.
    rb"(?<=%(letter)b)[\xB9\xBF\xBC\xBE\x9F\x9D](?=%(letter)b)"
    # l-stroke also ends names (Michal, Pawel); two letters before it, as "m³" is cubic metres.
    rb"|(?<=%(letter)b)\xB3(?=%(letter)b)|(?<=%(letter)b%(letter)b)\xB3"
    # L-stroke and Z-dot open a word; a pound sign has digits after it.
    rb"|(?<!%(letter)b)[\xA3\xAF](?=[a-z\xE0-\xFF]{2})"
    # s-acute is the oe ligature in windows-1252, which comes before e, i, u (coeur, oeil).
    rb"|(?<=%(letter)b)\x9C(?=[a-df-hj-tv-z\xE0-\xFF\xB3])" % {b"letter": _LETTER}
)

# DOS code pages: bytes that are letters there and no letters in windows-1252.
_DOS_LETTER = (
    # u-diaeresis, e-acute, a-circumflex, a-diaeresis, a-ring, c-cedilla, e-circumflex,
    # e-diaeresis, i-diaeresis, o-diaeresis, o-stroke between letters.
    rb"(?<=[A-Za-z])[\x81-\x84\x86-\x89\x8B\x94\x9B](?=[A-Za-z\x81\x84\x94\xE1])"
    # Two of them at the end of a name, where a closing quote or a dagger is unlikely.
    rb"|(?<=[A-Za-z]{2})[\x81\x82](?![A-Za-z])"
    # u-diaeresis, E-acute, A-ring, O-diaeresis, O-stroke open a word.
    rb"|(?<![A-Za-z\x80-\xFF])[\x81\x90\x8F\x99\x9D](?=[a-z]{2})"
)

# Letters that only cp850 has: o-stroke, O-stroke, and accented capitals among the line drawing.
_CP850_LETTER = rb"[\x9B\x9D\xB5-\xB7\xC6\xC7\xD2-\xD4\xD6-\xD8\xE0\xE2-\xE5\xE9-\xEB](?=[A-Za-z])"


def guess_charset(raw: bytes) -> str:
    """Return the most likely 8-bit charset of bytes that are not UTF-8; it can decode them."""
    for charset in _likely_charsets(raw):
        try:
            raw.decode(charset)
        except UnicodeDecodeError:
            continue
        return charset
    return LATIN_ANY_BYTE


def _likely_charsets(raw: bytes) -> list[str]:
    """Return the charsets to try, the most likely first."""
    words = (match[0] for match in re.finditer(_WORD, raw))  # no list: a game may be 8 MB
    russian_letters, latin_letters = _count_russian(word for word in words if not word.isascii())
    if russian_letters > latin_letters:
        return [CYRILLIC, LATIN]
    central = sum(1 for _ in re.finditer(_CENTRAL_EUROPEAN_LETTER, raw))
    dos = sum(1 for _ in re.finditer(_DOS_LETTER, raw))
    # Sharp s is the one frequent DOS letter among the letters of windows-1252 (0xE1).
    if dos > central and dos > latin_letters - raw.count(b"\xe1"):
        return [DOS_WESTERN if re.search(_CP850_LETTER, raw) else DOS_US]
    return [CENTRAL_EUROPEAN, LATIN] if central else [LATIN]


def _count_russian(words: Iterable[bytes]) -> tuple[int, int]:
    """Count the letters in words that look Russian, and the high letters in Latin words."""
    russian = latin = 0
    for word in words:
        if re.fullmatch(_RUSSIAN_WORD, word) and re.search(_RUSSIAN_VOWEL, word):
            russian += len(word)
        elif re.search(_ASCII_LETTER, word):
            latin += len(word) - len(word.translate(None, _HIGH_LETTERS))
    return russian, latin


def decoded(raw: bytes) -> str:
    """Decode bytes as UTF-8, or else by their most likely charset."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode(guess_charset(raw))
