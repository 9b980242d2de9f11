"""Names of players compared pair by pair, without a rating list: kernels/names/player_names.pyx.

A name is text, or bytes of any kind. Letters that are not ASCII count as they are: fold them first
where spellings with and without accents shall meet.

The package calls relation(). Only tests call the other functions: they show the parts of names
that the kernels compare in C.
"""

UNKNOWN: int
EQUAL: int
COMPATIBLE: int
SIMILAR: int
NAMESAKE: int
DIFFERENT: int

def relation(left: str | bytes, right: str | bytes) -> int:
    """Return how two names go together, whatever their order.

    UNKNOWN: one is nobody. EQUAL: the same words, a full given name among them. COMPATIBLE: equal
    surnames, given names shorter or missing. SIMILAR: a slip or another transliteration apart.
    NAMESAKE: surnames equal or alike, given names of two people. DIFFERENT: other surnames.
    """

def surname_keys(name: str | bytes) -> tuple[int, ...]:
    """Return 64-bit keys of the words that may be the surname, by their sound.

    With a comma one, of the first word before it; else of the first and the last word; none if
    the name is nobody's.
    """

def is_unknown(name: str | bytes) -> bool:
    """Return whether a name stands for nobody: empty, ?, NN, Unknown and the like."""

def name_words(name: str | bytes) -> tuple[tuple[bytes, ...], int, int]:
    """Return a name's words, how many of them are the surname, and its generation.

    0 words of surname: the order is not known. Generation: 1 senior, 2 junior, 3 the third, 0 not
    said.
    """

def name_hash(name: str | bytes) -> int:
    """Return a 64-bit hash of a name's words, their order and the generation."""

def word_sounds(word: bytes) -> bytes:
    """Return what keys are made of: up to eight consonants of a word in small letters.

    Raise ValueError for words of more than 23 letters.
    """

def word_edits(left: bytes, right: bytes, limit: int) -> int:
    """Return the restricted Damerau-Levenshtein distance of two words, `limit` + 1 if it is more.

    Raise ValueError for words of more than 64 letters and for limits beyond 0 to 64.
    """
