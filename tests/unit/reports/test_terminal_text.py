"""Text made safe for a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.reports.terminal_text import printable

UNSAFE = [
    *map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029", "\udc80", "\ud800",
    *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)),
]  # fmt: skip


@pytest.mark.parametrize("sign", UNSAFE)
def test_control_characters_are_named(sign: str) -> None:
    shown = printable(f"a{sign}b")
    assert shown.isascii()
    assert shown.isprintable()
    assert shown.startswith("a\\")


@given(st.text(st.characters()))
def test_no_control_code_is_left(text: str) -> None:
    shown = printable(text)
    assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in shown)
    assert printable(shown) == shown


@pytest.mark.parametrize(
    "text", ["Müller", "李昌鎬\u3000九段", "Карпов", "a\xa0b", "نیم\u200cفاصله", "👍🏽"]
)
def test_letters_of_the_world_stay(text: str) -> None:
    assert printable(text) == text
