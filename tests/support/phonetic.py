"""Phonetic codes of words, for tests; codes that a test chooses, for an index of names."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

from ocgdedup.matching.names import phonetic
from ocgdedup.matching.names.name_list import Encoder


def codes_of(words: Sequence[str]) -> list[array[int]]:
    """Return the 32-bit hashes of the codes of each word."""
    coded = [word.encode() for word in words]
    ends = array("I", accumulate(map(len, coded)))
    ends, codes = (array("I", values) for values in phonetic.encode(b"".join(coded), ends))
    return [codes[start:end] for start, end in pairwise([0, *ends])]


def encoder(codes_of_word: Callable[[str], Sequence[int]]) -> Encoder:
    """Return an encoder of an index that gives these codes to each word."""

    def encode(text: bytearray, ends: array[int]) -> tuple[bytes, bytes]:
        codes, code_ends = array("I"), array("I")
        for start, end in pairwise([0, *ends]):
            codes.extend(codes_of_word(text[start:end].decode()))
            code_ends.append(len(codes))
        return code_ends.tobytes(), codes.tobytes()

    return encode
