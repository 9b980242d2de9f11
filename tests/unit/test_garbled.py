"""Names that were UTF-8, read as an 8-bit charset and written as UTF-8 again."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.garbled import repaired_name

RIGHT = (
    "Müller, Jörg", "François Couperin", "Łukasiewicz, Jan", "Dvořák, Antonín", "Žižka", "Šarūnas",
    "Đorđević, Đura", "Grünfeld, Ernst", "Ståhlberg, Gideon", "Ásgeirsson", "Þórðarson", "İnönü",
    "Tomáš", "\u3000Lukáš\u00a0",
    "Nguyễn Du", "São Paulo", "Besançon", "Âlborg", "Ångström", "Île-de-France", "D´Andrea",
    "«Ñandú»", "D’Alembert", "Malmö – Lund", "„Göteborg“", "Смыслов, Василий", "Καραθεοδωρή",
    "井山裕太", "趙治勲", "오청원", "Ñ", "Ã", "ÃO", "À la carte…", "N°5", "½", "é", "O'Kelly",
)  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_well_written_name_stays(name: str) -> None:
    assert repaired_name(name) == name


def shown_as(name: str, charset: str) -> str:
    """Return UTF-8 text misread in another charset."""
    raw = name.encode()
    if charset == "latin-1":
        return raw.decode("latin-1")
    # Bytes that Windows-1252 has no character for, it shows as control characters.
    return "".join(bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in raw)


@pytest.mark.parametrize("charset", ["latin-1", "windows-1252"])
@pytest.mark.parametrize(
    "name",
    [
        "井山裕太", "趙治勲", "張栩", "이창호", "Müller, Jörg", "François", "Žižka", "Łukasiewicz",
        "Смыслов, Василий", "第5期名人戦",
    ],
)  # fmt: skip
def test_a_garbled_name_is_repaired(name: str, charset: str) -> None:
    garbled = shown_as(name, charset)
    assert garbled != name
    assert repaired_name(garbled) == name


def test_a_name_that_was_garbled_twice() -> None:
    assert repaired_name(shown_as(shown_as("François", "latin-1"), "windows-1252")) == "François"


@pytest.mark.parametrize("name", ["ﬁve", "“A”", "Ａ", "&eacute", "ＦＩＤＥ", "A\u00a0B"])
def test_nothing_else_is_altered(name: str) -> None:
    assert repaired_name(name) == name
    assert repaired_name(f"{name} {shown_as('é', 'latin-1')}") == f"{name} é"


@given(st.text(max_size=12))
def test_what_is_repaired_stays_so(name: str) -> None:
    once = repaired_name(name)
    assert repaired_name(once) == once
    assert once or not name


def test_the_library_is_loaded_only_for_what_may_be_garbled() -> None:
    code = (
        "import sys; from ocgdedup.garbled import repaired_name as r; r('Müller'); "
        "assert 'ftfy' not in sys.modules; r('MÃ¼ller'); assert 'ftfy' in sys.modules"
    )
    subprocess.run([sys.executable, "-X", "utf8", "-c", code], check=True)
