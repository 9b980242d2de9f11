"""Repair texts that other programs garbled, or left in an encoding of another format.

Garbled: UTF-8 that was read as Windows-1252 or Latin-1, and was written as UTF-8. Encodings: HTML
entities, percent-encoding, backslash escapes of JSON and JavaScript, quoted-printable. Must not
know tags, games or files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

# A first byte of UTF-8 (C2 to F4) as Latin-1 shows it, then a continuation byte (80 to BF) as
# Latin-1 or Windows-1252 shows it. Correct text nearly always has an ASCII character there, so the
# library is rarely loaded. The kernel searches bytes for the same (kernels/text/utf8.pxd).
_MAYBE_GARBLED = re.compile(
    "[\u00c2-\u00f4]"
    "[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014"
    "\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]"
)


def repaired_name(text: str) -> str:
    """Return the original of a garbled or encoded name; return any other name unchanged."""
    text = decoded_value(text)
    return _repaired(text) if _MAYBE_GARBLED.search(text) else text


@lru_cache(maxsize=4096)
def _repaired(text: str) -> str:
    from ftfy import fix_encoding  # 52 ms

    # Not fix_text(), which changes quotes, widths and entities too.
    fixed: str = fix_encoding(text)
    return text if fixed == text else fixed.strip() or text


# The kernel searches for the same (kernels/chess/pgn_lex.pxd: may_be_escape).
_MAYBE_ENCODED = re.compile(r"&#?\w+;|(?<!\[)%u?[0-9A-Fa-f]{2}|\\[ux'\"/]|=[C-F][0-9A-Fa-f]|=\?")
_ADDRESS = re.compile(r"\S*://\S*")
_MOST_LAYERS = 3  # "&amp;#39;" has two

_ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_PERCENT = r"%u[0-9A-Fa-f]{4}|(?:%[0-9A-Fa-f]{2})+"
_BACKSLASH = r"(?:\\u[0-9A-Fa-f]{4})+|(?:\\x[0-9A-Fa-f]{2})+|\\['\"/\\nrt]"
_OF_BACKSLASH = {"n": "\n", "r": "", "t": "\t"}
_QUOTED = r"(?:=[0-9A-F]{2})+"
_ENCODED_WORD = r"=\?[\w-]+\?[QqBb]\?[^?\s]*\?="  # RFC 2047


def decoded_text(text: str) -> str:
    """Return a text without the encoding that another program left in it.

    A text that does not decode as a whole, such as "AT&T" or "100%", stays, and so do addresses.
    """
    if not _MAYBE_ENCODED.search(text) or _ADDRESS.fullmatch(text):
        return text
    for _ in range(_MOST_LAYERS):
        before = text
        for decode in (_without_entities, _without_percents, _without_backslashes, _without_equals):
            text = decode(text) or text
        if text == before:
            break
    return text


def decoded_value(text: str) -> str:
    """Return the value of a tag as decoded_text() does, without new blanks around it."""
    decoded = decoded_text(text)
    return text if decoded == text else decoded.strip() or text


def decoded_comment(text: str) -> str:
    """Return a comment as decoded_text() does, unless it would have other braces then."""
    decoded = decoded_text(text)
    has_same_braces = all(text.count(brace) == decoded.count(brace) for brace in "{}")
    return decoded if has_same_braces else text


def _replaced(pattern: str, decode: Callable[[str], str | None], text: str) -> str | None:
    """Replace all matches; return None if one of them cannot be decoded."""
    matches = set(re.findall(pattern, text))
    decoded = {match: decode(match) for match in matches}
    if None in decoded.values():
        return None
    return re.sub(pattern, lambda match: decoded[match[0]] or "", text)


def _is_escaped(char: str) -> bool:
    """Return whether programs encode a character: no letters and digits of ASCII."""
    return char.isprintable() and not (char.isascii() and char.isalnum())


def _of_bytes(digits: str, *, is_utf8: bool = False) -> str | None:
    """Decode hexadecimal digits as UTF-8, or as letters of Windows-1252 unless `is_utf8`."""
    raw = bytes.fromhex(digits)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
        return text if text.isalpha() and not is_utf8 else None
    return text if all(map(_is_escaped, text)) else None


def _of_utf16(digits: str) -> str | None:
    text = bytes.fromhex(digits).decode("utf-16-be", "replace")
    return text if all(map(_is_escaped, text)) and "\ufffd" not in text else None


def _without_entities(text: str) -> str | None:
    from html import unescape  # 4 ms

    def of_entity(entity: str) -> str | None:
        char = unescape(entity).replace("\xa0", " ")
        is_sensible = len(char) == 1 and (char.isprintable() or char == "\n")
        return char if is_sensible and char != "\ufffd" else None

    return _replaced(_ENTITY, of_entity, text)


def _without_percents(text: str) -> str | None:
    parts = re.findall(_PERCENT, text)
    if not parts or "[%" in text or "%" in re.sub(_PERCENT, "", text):
        return None  # "[%cal" is a command
    # "+" is a blank in forms, which have neither blanks nor "%20".
    if "%20" not in parts and " " not in text.strip():
        text = text.replace("+", " ")
    decoded = _replaced(
        _PERCENT,
        lambda part: _of_utf16(part[2:]) if part[1] == "u" else _of_bytes(part.replace("%", "")),
        text,
    )
    if decoded is None or len(decoded) - len(decoded.strip()) > len(text) - len(text.strip()):
        return None  # "50%20" is no blank
    return decoded


def _without_backslashes(text: str) -> str | None:
    # A path such as C:\\new has no escapes but those.
    if not re.search(r"\\[ux'\"/]", text) or "\\" in re.sub(_BACKSLASH, "", text):
        return None

    def of_escape(escape: str) -> str | None:
        if escape[1] == "u":
            return _of_utf16(escape.replace("\\u", ""))
        if escape[1] == "x":
            return _of_bytes(escape.replace("\\x", ""))
        return _OF_BACKSLASH.get(escape[1], escape[1])

    return _replaced(_BACKSLASH, of_escape, text)


def _without_equals(text: str) -> str | None:
    if re.search(_ENCODED_WORD, text):
        return _of_mail(text)
    if "=" in re.sub(_QUOTED, "", text):
        return None
    within_words = re.findall(rf"(?<=[A-Za-z]){_QUOTED}(?=[a-z])", text)
    decoded = _replaced(
        _QUOTED,
        lambda part: _of_bytes(part.replace("=", ""), is_utf8=part not in within_words),
        text,
    )
    # "depth=20" is no blank.
    return None if decoded is None or decoded.isascii() or "://" in text else decoded


def _of_mail(text: str) -> str | None:
    from email.errors import HeaderParseError  # 20 ms
    from email.header import decode_header, make_header  # 20 ms

    try:
        return str(make_header(decode_header(text)))
    except (HeaderParseError, LookupError, ValueError):
        return None
