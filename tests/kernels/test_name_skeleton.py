"""Skeletons of words: the kernel against the rules as regular expressions."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.names import skeleton
from tests.reference.name_skeleton import skeleton as reference

fixed = settings(max_examples=2000)


# Letters that rules are about, so that most of these words meet some.
@fixed
@given(st.text("aeiouychszktwvfxqdjgrpbé", max_size=14))
@example("schtschowa")
@example("tschechow")
@example("michalewa")
@example("xxxxxxxx")
@example("aiaiaia")
@example("offf")
@example("ff")
def test_kernel_follows_the_rules(word):
    assert skeleton(word) == reference(word)


@fixed
@given(st.text(max_size=12))
@example("\n\n")
@example("chow\n")
@example("off\n")
def test_any_letters_are_read(word):
    assert skeleton(word) == reference(word)


def test_long_word_is_levelled_whole():
    assert skeleton("x" * 5000) == "ks" * 5000


def test_none_is_refused():
    with pytest.raises(TypeError):
        skeleton(None)
