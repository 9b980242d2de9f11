"""Parse names of players and compare them pair by pair: kernels/names/player_names.pyx.

A name is text, or bytes of any kind. Non-ASCII letters are compared as they are; fold them first if
spellings with and without accents must match.

The package calls parse(), is_unknown(), relation() and word_edits(). Only tests call the other
functions, which show the parts of names that the kernels compare in C.
"""

from ocgdedup.model import NameForm

UNKNOWN: int
EQUAL: int
COMPATIBLE: int
SIMILAR: int
NAMESAKE: int
DIFFERENT: int
MOST_LETTERS: int  # of words that word_edits() compares

def parse(name: str) -> NameForm:
    """Parse a name in plain letters, as name_form.py makes them.

    A placeholder and a title alone have no words.
    """

def relation(left: str | bytes, right: str | bytes) -> int:
    """Return the relation of two names, whatever the order of their words.

    UNKNOWN: one is not a player's name. EQUAL: the same words, including a full given name.
    COMPATIBLE: equal surnames, given names shorter or missing. SIMILAR: a slip or another
    transliteration. NAMESAKE: equal or similar surnames, given names of different people.
    DIFFERENT: different surnames.
    """

def surname_keys(name: str | bytes) -> tuple[int, ...]:
    """Return 64-bit phonetic keys of the words that may be the surname.

    With a comma one key, of the first word before it; else keys of the first and the last word. No
    keys if the name is not a player's.
    """

def is_unknown(name: str | bytes) -> bool:
    """Return whether a name is a placeholder: empty, ?, NN, Unknown and the like."""

def name_words(name: str | bytes) -> tuple[tuple[bytes, ...], int, int]:
    """Return a name's words, the number of words of the surname, and the generation.

    0 words of surname: the order is unknown. Generation: 1 senior, 2 junior, 3 the third, 0
    unknown.
    """

def name_hash(name: str | bytes) -> int:
    """Return a 64-bit hash of a name's words, their order and the generation."""

def word_sounds(word: bytes) -> bytes:
    """Return the input of surname keys: up to eight consonants of a lower-case word.

    Raises ValueError for words of more than 23 letters.
    """

def word_edits(left: bytes, right: bytes, limit: int) -> int:
    """Return the restricted Damerau-Levenshtein distance of two words, at most `limit` + 1.

    Raises ValueError for words of more than MOST_LETTERS letters and for limits outside 0 to
    MOST_LETTERS.
    """
