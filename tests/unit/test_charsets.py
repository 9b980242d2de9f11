"""Charsets: what real names look like in each, and bytes that always come back."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.charsets import guess_charset

CHARSETS = {"windows-1252", "latin-1", "windows-1251", "windows-1250", "cp437", "cp850"}


def decode(raw: bytes) -> tuple[str, str | None]:
    """Decode as the reader does: UTF-8, else by the charset that is guessed."""
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError:
        charset = guess_charset(raw)
        return raw.decode(charset), charset


def assert_guessed(text: str, charset: str) -> None:
    raw = text.encode(charset)
    assert (guess_charset(raw), decode(raw)) == (charset, (text, charset))


@pytest.mark.parametrize(
    "text",
    [
        "Müller, Karl",
        "Hübner",
        "Saint-Étienne",
        "São Paulo",
        "Grünfeld \u2013 Slav",
        "Ñíguez",
        "O\u2019Kelly de Galway",
        "\u201eSchach\u201c",
        "Jørgensen, Åse",
        "£100 entry",
        "5 m³ ½ m²",
        "¿Qué?",
        "Sacré-C\u0153ur",
        "Škoda",
        "Besan\u00e7on\u2026",
        "Smith\u2122",
        "Café\u2020",
        "Ö",
        "M\u00aa José, n\u00ba 3",
        "\u201cMüller\u201d",
        "\u20ac 50",
        "Mu\u00f1oz\u2014x",
    ],
)
def test_western(text: str) -> None:
    assert_guessed(text, "windows-1252")


@pytest.mark.parametrize(
    "text",
    [
        "Карпов",
        "Карпов, А",
        "КАРПОВ",
        "Алёхин, Александр",
        "Karpov - Kasparov, Москва",
        "\u00abСпартак\u00bb, Москва",
        "Ботвинник \u2014 Таль",
    ],
)
def test_russian(text: str) -> None:
    assert_guessed(text, "windows-1251")


@pytest.mark.parametrize(
    "text",
    [
        "Wałbrzych",
        "Michał Krasenkow",
        "Łódź",
        "Woźniak",
        "Leśniak",
        "Dąbrowski",
        "Różański",
        "Żywiec",
        "Kraków, Małopolska",
        "Gdańsk, Stanisław",
        "Šťastný",
        "Bołbochan, Śląsk",
    ],
)
def test_central_european(text: str) -> None:
    assert_guessed(text, "windows-1250")


@pytest.mark.parametrize(
    "text", ["Müller", "Hübner, Köln", "Österreich", "Gößnitz", "Åse", "André"]
)
def test_dos(text: str) -> None:
    assert_guessed(text, "cp437")


@pytest.mark.parametrize("text", ["Jørgensen", "Øystein", "København, Ølstykke", "Álvaro Müller"])
def test_dos_western(text: str) -> None:
    assert_guessed(text, "cp850")


def test_bytes_undefined_in_cp1252_are_latin_1() -> None:
    assert decode(b"x \x8d \x90 \xe9") == ("x \x8d \x90 \xe9", "latin-1")


@pytest.mark.parametrize("text", ["", "Karpov", "Müller", "Карпов", "\ufeffKarpov"])
def test_utf8_has_no_charset(text: str) -> None:
    assert decode(text.encode()) == (text, None)


@given(st.binary())
def test_random_bytes_come_back(raw: bytes) -> None:
    text, charset = decode(raw)
    assert text.encode(charset or "utf-8") == raw


@given(st.lists(st.sampled_from([b"a", b"Kar", b" ", b"\x81", b"\x9d", b"\xb3", b"\xea\xe0\xf0"])))
def test_likely_bytes_come_back(parts: list[bytes]) -> None:
    raw = b"".join(parts)
    text, charset = decode(raw)
    assert text.encode(charset or "utf-8") == raw


@given(st.binary())
def test_guess_is_one_of_the_known_charsets(raw: bytes) -> None:
    charset = guess_charset(raw)
    assert charset in CHARSETS
    assert codecs.lookup(charset)
    assert raw.decode(charset).encode(charset) == raw
