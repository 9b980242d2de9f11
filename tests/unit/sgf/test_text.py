"""Escapes and line ends of SGF text, beside sgfmill."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from ocgdedup.sgf.properties import simple_text_of, text_of, value_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"), ("a\\]b\\\\c", "a]b\\c"), ("a\\:b", "a:b"), ("a\\\nb", "ab"),
        ("a\\\r\nb", "ab"), ("a\r\nb\rc", "a\nb\nc"), ("a\tb\vc", "a b c"), ("柯\\]", "柯]"),
        ("a\\", "a"), ("\\n", "n"), ("\0x", " x"),
    ],
)  # fmt: skip
def test_text(value, text):
    assert text_of(value) == text


def test_simple_text():
    assert simple_text_of(" a\nb\\\nc ") == "a bc"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\\]:\n")))
def test_encode_and_decode_round_trip(text):
    assert text_of(value_text(text)[1:-1]) == text
    assert sgf_grammar.text_value(value_text(text)[1:-1].encode()).decode() == text
