"""Slow reference of the kernel name_skeleton: the rules as regular expressions."""

from __future__ import annotations

import re

# In this order. A capital stands for a sound that has no letter of its own: C as in "church",
# S as in "ship", T as in "tsar", Z as in "measure".
_SOUNDS = (
    ("schtsch", "S"), ("shch", "S"), ("stsch", "S"), ("szcz", "S"), ("dzh", "j"), ("dsch", "j"),
    ("tsch", "C"), ("tch", "C"), ("sch", "S"), ("sh", "S"), ("sz", "S"), ("cz", "C"), ("cs", "C"),
    ("ch", "C"), ("zh", "Z"), ("kh", "h"), ("ck", "k"), ("ph", "f"), ("th", "t"), ("dh", "d"),
    ("bh", "b"), ("gh", "g"), ("rh", "r"), ("tz", "T"), ("ts", "T"), ("x", "ks"), ("qu", "k"),
    ("q", "k"), ("w", "v"), ("ou", "u"), ("oo", "u"), ("ee", "i"), ("y", "i"), ("j", "i"),
)  # fmt: skip
_GLIDE = re.compile(r"([aeou])i(?=[aeou])")
_HARD_C = re.compile(r"c(?![eiyj])")
_REPEATED = re.compile(r"(.)\1+", re.DOTALL)
# Not of Isaev and Guliev: there the letters are two sounds.
_UMLAUT = re.compile(r"([aou])e(?![vwf])")
_RUSSIAN_END = re.compile(r"(?<=[oe])f+\Z")
# Marks of a German transliteration of a Russian name, in which "ch" sounds as in "loch".
_GERMAN_RUSSIAN = re.compile(r"tsch|(?:ow|ew|owa|ewa)\Z")
_GERMAN_CH = re.compile(r"(?<=[aeiouy])ch(?![ck])")


def _german(word: str) -> str:
    return word.replace("schtsch", "S").replace("tsch", "C").replace("sch", "S")


def skeleton(word: str) -> str:
    """Return the skeleton of a lower-case word, rule by rule."""
    key = word
    if "ch" in key and _GERMAN_RUSSIAN.search(key):
        key = _GERMAN_CH.sub("h", _german(key))
    key = _UMLAUT.sub(r"\1", key)
    for spelling, sound in _SOUNDS:
        if spelling in key:
            key = key.replace(spelling, sound)
    key = _RUSSIAN_END.sub("v", key)
    key = _HARD_C.sub("k", key)
    key = _REPEATED.sub(r"\1", key)
    key = _GLIDE.sub(r"\1", key).replace("ie", "e")
    return _REPEATED.sub(r"\1", key)
