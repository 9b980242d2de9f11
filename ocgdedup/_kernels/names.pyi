"""Player names: parse, compare and look them up in a list."""

from collections.abc import Callable, Iterable, Sequence
from typing import Self, TypeAlias

from typing_extensions import Buffer, disjoint_base

from ocgdedup.model import NameForm

# --- name_skeleton --------------------------------------------------------------------------------

def skeleton(word: str) -> str: ...

# --- name_distance --------------------------------------------------------------------------------

@disjoint_base
class WordIndex:
    def __new__(cls, words: list[bytes], codes: list[bytes]) -> Self: ...
    def near(
        self, word: bytes, codes: bytes, limit: int, index: int = 0
    ) -> list[tuple[int, int, bool]]: ...

# --- player_names ---------------------------------------------------------------------------------
# Parse names of players and compare them pair by pair.
#
# A name is text, or bytes of any kind. Non-ASCII letters are compared as they are; fold them first
# if spellings with and without accents must match.
#
# The package calls parse(), is_unknown(), relation() and word_edits(). Only tests call the other
# functions, which show the parts of names that the kernels compare in C.

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

# --- listed_names ---------------------------------------------------------------------------------

@disjoint_base
class ListedNames:
    surname_words: int
    given_words: int
    def __new__(cls, initials_of: Callable[[str], int]) -> Self: ...
    def __len__(self) -> int: ...
    def add(self, surname: tuple[str, ...], given: tuple[str, ...], is_ordered: bool) -> int: ...
    def add_plain(self, names: list[str], start: int) -> int: ...
    def count(self, entry: int) -> None: ...
    def counts(self, word: str) -> tuple[int, int]: ...
    def given_by_first_letter(self) -> dict[str, int]: ...
    def words_of(self, entry: int) -> tuple[tuple[str, ...], tuple[str, ...], bool]: ...
    def words_in_surnames(self) -> list[str]: ...
    def bearers(self, word: str) -> int: ...
    def with_surname(self, word: str, initials: int) -> list[int]: ...
    def with_letters(self, letters: str) -> list[int]: ...
    def forget_surnames_that_fit(self) -> None: ...
    def fitting(
        self,
        numbers: list[int],
        words: tuple[str, ...],
        surname: int,
        is_ordered: bool,
        fits: tuple[
            Callable[[str], str],
            Callable[[str], Iterable[str]],
            Callable[[str], int],
            Callable[[str, str], bool],
        ],
    ) -> list[int]: ...
    def short_forms(
        self,
        persons: Buffer,
        prominence: Buffer,
        factors: dict[str, float],
        initials: dict[str, tuple[str, float]],
        surname_share: Callable[[str], float],
    ) -> tuple[list[int], list[float], list[str], list[str]]: ...

# --- beider_morse ---------------------------------------------------------------------------------
# Beider-Morse phonetic codes by compiled rules.
#
# A set of languages is an integer with a bit for each; bit 0 alone is "any language". Only the
# first 64 letters of a word count.

# Numbers of letter classes, and True if the end of the word must follow. A left context lists them
# from the pattern outwards, and its end is the start of the word.
Context: TypeAlias = tuple[tuple[int, ...], bool]
# ASCII text, and the languages that it requires, or None.
Alternative: TypeAlias = tuple[bytes, int | None]
# Pattern, left context, right context, replacements of the pattern.
Rule: TypeAlias = tuple[bytes, Context, Context, list[Alternative]]
# Numbers of letter classes, at the start, at the end, languages that remain possible.
Guess: TypeAlias = tuple[tuple[int, ...], bool, bool, int]

@disjoint_base
class Rules:
    """Rules for names of one kind. Several threads may use one object."""

    def __new__(
        cls,
        letters: str,
        classes: Sequence[bytes],
        guesses: Sequence[Guess],
        lists: Sequence[Sequence[Rule]],
    ) -> Self:
        """Load compiled rules.

        `letters`: the letters of words, numbered from 1; letter 0 is any other. `classes`: sets of
        letters as 256 bits, the lowest first. `lists`: rules for words of each language, rules
        common to all, final rules of each language; each sorted by the first letter of the pattern.
        Raises ValueError for rules that exceed the kernel's tables.
        """

    def guess(self, word: str) -> int:
        """Return the languages that a lower-case word may be of."""

    def codes(self, word: str, languages: int, *, rules_of: int) -> list[str]:
        """Return the distinct codes of one word, in the order of the rules.

        `languages` filters the output of the rules; the rules themselves are those of `rules_of`,
        or of any language if that is several. A word that no rule matches has the code "". Raises
        ValueError for unknown languages.
        """

    def hash_codes(self, words: list[str], *, max_codes: int, system: int) -> list[list[int]]:
        """Return the lowest hashes of each word's codes except "", sorted and distinct.

        A hash is `system` (0 to 3) in two bits above the low 30 bits of the code's CRC-32.
        `max_codes`: 1 to 256. Works without the GIL except for copying words and hashes.
        """
