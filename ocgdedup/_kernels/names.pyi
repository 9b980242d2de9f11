"""Player names: parse, compare, look them up in a list, decide games; read rating lists."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self, TypeAlias

import apsw
from typing_extensions import Buffer, disjoint_base

from ocgdedup.model import NameForm

ENTRY_POINT: str  # of the SQLite extension that the module also is

# --- given_names ----------------------------------------------------------------------------------

GIVEN_LEVELS: dict[str, int]

def trim_memory() -> None:
    """Return freed memory to the system, where the C library can: 20 MB after a list was read."""

def skeleton(word: str) -> str:
    """Return a key that is equal for common transliterations of a lower-case word."""

def slavic_skeleton(word: str) -> str:
    """Return a key that is equal for spellings of a given name in lower case; for tests."""

def initial_class(word: str) -> str:
    """Return the class of the first letter; letters for the same sound have the same class."""

def beginnings(word: str) -> str:
    """Return letters for the possible first sounds of a word."""

@disjoint_base
class GivenNames:
    """The table of given names. Several threads may use one object.

    Words are single, in lower case. Of a word the first 64 letters count.
    """

    def __new__(
        cls,
        names: list[tuple[tuple[str, ...], str, tuple[str, ...], set[int], bool]],
        shared: Iterable[str],
    ) -> Self:
        """Load the names.

        A name has its spellings, the key first; its sex ("M", "F" or ""); its female forms that do
        not follow a rule; the numbers of the groups of short and foreign forms that it belongs to;
        whether a spelling begins another form of it. `shared`: spellings that are names of both
        sexes. Raises ValueError for another sex, letters other than a to z, and repeated words.
        """

    def relation(self, left: str, right: str) -> int:
        """Return the number of the relation of two given names; for tests."""

    def level(self, written: str, listed: str) -> int:
        """Return one of GIVEN_LEVELS, 0 if the written word does not mean the listed one."""

    def key(self, word: str) -> str:
        """Return the first spelling of a name, the word itself if it is unknown; for tests."""

    def sex_of(self, word: str) -> str:
        """Return "M" or "F" if the name is certain, else "" (unknown, or both); for tests."""

    def first_letters(self, word: str) -> int:
        """Return the possible first letters of related words: bits from "a" on, then all others."""

# --- syllables ------------------------------------------------------------------------------------

@disjoint_base
class SyllableTable:
    """Chinese and Korean names. Languages are bits: 1 Chinese, 2 Korean."""

    surnames: dict[str, int]
    def __new__(cls, syllables: Iterable[str], surnames: dict[str, int], given: GivenNames) -> Self:
        """Load Chinese syllables, surnames with their languages, and other given names."""

    def languages(self, word: str) -> int:
        """Return the languages of whose syllables a lower-case given name is made."""

def has_korean_syllables(letters: str) -> bool:
    """Return whether lower-case letters can be one to three Korean syllables."""

# --- name_distance --------------------------------------------------------------------------------

@disjoint_base
class WordIndex:
    """Words, numbered as given, found by sound or by nearly equal spelling."""

    def __new__(cls, words: list[bytes], codes: list[bytes]) -> Self:
        """Index words (lower-case ASCII) by their codes (little-endian 32-bit values)."""

    def near(
        self, word: bytes, codes: bytes, limit: int, index: int = 0
    ) -> list[tuple[int, int, bool]]:
        """Return (number, distance, shares a code) of the words within `limit` edits, sorted.

        Candidates share a code or a spelling with one letter left out; the word itself is excluded.
        If more than 1024 words share a code, only the neighbours of word `index` are candidates.
        Raises ValueError for a word of more than 64 letters.
        """

# --- player_names ---------------------------------------------------------------------------------
# Parse names of players and compare them pair by pair.
#
# A name is text, or bytes of any kind. Non-ASCII letters are compared as they are; fold them first
# if spellings with and without accents must match.
#
# The package calls parse(), name_key(), is_unknown(), relation() and word_edits(). Only tests call
# the other functions, which show the parts of names that the kernels compare in C.

UNKNOWN: int
EQUAL: int
COMPATIBLE: int
SIMILAR: int
NAMESAKE: int
DIFFERENT: int
MOST_LETTERS: int  # of words that word_edits() compares
LONGEST_NAME: int  # characters; longer names are stored but not matched

def parse(name: str) -> NameForm:
    """Parse a name in plain letters, as name_form.py makes them.

    A placeholder and a title alone have no words.
    """

def name_key(name: str) -> str:
    """Return the text in CoreHash of a name in plain letters: its words, "?" for a placeholder.

    Words are separated by blanks; a comma ends the surname. The key of a title alone is empty.
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
    """Entries, numbered in the order they were added.

    While a batch is weighed, nothing can be added: methods that would raise ValueError.
    """

    surname_words: int
    given_words: int
    is_compared_with_itself: bool
    def __new__(
        cls,
        given: GivenNames,
        weights: Mapping[str, float],
        encode: Callable[[bytearray, array[int]], tuple[Buffer, Buffer]],
        syllables: SyllableTable,
        shares: ListedNames | None = None,
        is_compared_with_itself: bool = False,
    ) -> Self:
        """Make an empty list.

        `weights`: the fields of NameWeights in likelihood.py. `encode` computes the phonetic codes
        of words as Rules.encode() does. `shares`: the list from which frequencies of words are
        taken. `is_compared_with_itself`: the names to look up are those of the list, in sorted
        order.
        """

    def __len__(self) -> int: ...
    def add(self, form: NameForm) -> int:
        """Add a parsed name; return its number. Raises ValueError for more than 255 words."""

    def add_plain(self, text: Buffer, begins: Buffer, ends: Buffer, start: int) -> int:
        """Add and count names from `start` on, up to one that is not plain; return its index.

        The names are parts of a text in UTF-8, with 32-bit offsets. The result is their number if
        all were plain: in ASCII, and with nothing but words. Raises ValueError for a start beyond
        the names, and for offsets outside the text.
        """

    def count(self, entry: int) -> None:
        """Count the words of an entry as common ones; raise IndexError for an unknown entry."""

    def counts(self, word: str) -> tuple[int, int]:
        """Return how often a word was counted in surnames and in given names."""

    def form(self, entry: int) -> NameForm:
        """Return a parsed name; raise IndexError for an unknown entry."""

    def with_surname(self, word: str) -> list[int]:
        """Return the entries with a word in their surname."""

    def dump(self) -> list[bytes | bytearray | memoryview]:
        """Return the list as bytes, for load() of this version on a machine of this kind.

        Some parts are views of the list, which are valid until it is changed or freed.
        """

    def load(self, read: Callable[[memoryview], object], size: int) -> None:
        """Read a list into an empty one; raise ValueError for bytes of another kind.

        `read` fills a buffer with the bytes that follow; `size` of them are the list's.

        The list is of no use after an error.
        """

    def shares_of(self, word: str) -> tuple[float, float]:
        """Return the shares of a word in surnames and in given names, never 0.

        The share of a single letter in given names is that of all names with an initial of its
        class.
        """

    def near_words(self, word: str) -> dict[str, tuple[int, bool]]:
        """Return the words near a word, with (edits, sounds alike): see NameList.near()."""

    def short_forms(
        self,
        persons: Buffer,
        prominence: Buffer,
        factors: dict[str, float],
        initials: dict[str, tuple[str, float]],
    ) -> array[float]:
        """Return the probability of each entry that its short form means its player.

        -1 if the entry has no short form, or another player has it. `persons` and `prominence` (a
        factor): of entries, by number. `factors`: those of ShortFormWeights, by name. `initials`:
        for the letters a to z their class and their share among given names. Raises ValueError for
        arrays of another length and other letters, KeyError for a missing factor.
        """

    def prominence(self, columns: tuple[Buffer, ...]) -> array[float]:
        """Return how prominent the player of each entry is, as a factor.

        `columns`: see PersonTable.columns(). Raises ValueError as NameBatch does.
        """

def are_together(initials: str) -> bool:
    """Return whether initials are written together: they look like no word and no federation."""

@disjoint_base
class AliasRows:
    """Short forms by which one person of a list is meant, in the order of the list."""

    def __new__(
        cls,
        listed: ListedNames,
        person_of: Buffer,
        chances: Buffer,
        names: tuple[Buffer, Buffer, Buffer],
        alias_of: Callable[[str, NameForm], str | None],
        least: float,
    ) -> Self:
        """Write the short forms that have at least the probability `least`.

        `person_of` and `chances` (those of short_forms()): of entries; `names`: of persons, as
        text, begins and ends of add_plain().
        `alias_of` writes the short form of a name that is not plain. A person whose name has
        several transliterations has a row only if all their short forms are the person's alone.
        Raises ValueError for arrays of another length and other persons.
        """

    def __len__(self) -> int: ...
    def rows_of_persons(self) -> list[tuple[str, int, float]]:
        """Return alias, person and probability of the rows."""

    def insert(
        self, connection: apsw.Connection, statements: tuple[str, str], fide_ids: Buffer
    ) -> None:
        """Insert FIDE ID, alias and probability of the rows of persons with a FIDE ID.

        `statements` insert one row and many rows; `fide_ids`: of persons, 0 for none. The
        connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        SqliteError, and ValueError for other statements and too few FIDE IDs.
        """

def require_below(numbers: Buffer, limit: int) -> None:
    """Raise ValueError if one of some 32-bit numbers is not below a limit."""

# --- fold_groups ----------------------------------------------------------------------------------

def fold_groups(
    names: list[str],
    latin_of: Callable[[str], str | None],
    unnamed: Callable[[str, bool], tuple[str, tuple[str, str] | None]],
) -> array[int]:
    """Return a number for each name, equal for names that differ only in how they are written.

    -1 for a name without letters. `latin_of` returns a name for parse(), None for the name itself.
    `unnamed` returns, for a name that is not a surname with given names, its folded letters, and,
    for "Li Chao2", a name for parse() and the number; it is told whether the name is a handle.
    """

# --- filled_fields --------------------------------------------------------------------------------
# Fill FIDE ID, title and Elo of a player into a game. Months are texts: "YYYY-MM", or PGN dates.

# Bits of Games.BackFilled for White; those for Black are one further left. ELO_WAS_0: the Elo was
# 0, not NULL.
FIDE_ID: int
TITLE: int
ELO: int
ELO_WAS_0: int

@disjoint_base
class OneGame:
    """The fields of a game that filling in changes, its date, and the bits of BackFilled."""

    def __new__(
        cls,
        date: str | None,
        tags: str | None,
        white_elo: object,
        black_elo: object,
        bits: int,
    ) -> Self: ...
    def withdraw(self, bits: int) -> None:
        """Remove the filled-in fields that `bits` name."""

    def fill(
        self,
        side: int,
        fide_id: int | None,
        title: str | None,
        rating: int | None,
        since: str | None,
        list_month: str | None,
    ) -> None:
        """Fill in what a side (0 White, 1 Black) lacks.

        `since`: the first known day of the title, `list_month`: of the list with the facts.
        """

    def columns(self) -> tuple[str | None, int | None, int | None, int]:
        """Return tags, both Elos, and the bits of BackFilled."""

def bears_title(date: str | None, since: str | None, list_month: str | None) -> bool:
    """Return whether a player had the title of the list when a game was played."""

# --- game_players ---------------------------------------------------------------------------------

@disjoint_base
class GamePlayersWriter:
    """Who played each game, by name and by game."""

    def __new__(
        cls,
        names: tuple[Buffer, Buffer, list[str | None]],
        persons: tuple[Buffer, list[str]],
        by_game: tuple[Buffer, Buffer, Buffer],
    ) -> Self:
        """Take columns; IDs are 64-bit and ascend, an ID of a player of 0 is nobody.

        `names`: IDs, IDs of their players, keys; `persons`: IDs and keys; `by_game`: IDs of games,
        sides in one byte each, IDs of their players. Raises ValueError for IDs that do not ascend
        and columns of different lengths.
        """

    def keep(self, names: tuple[Buffer, Buffer], changed: Iterable[int], newest: int) -> None:
        """Keep games with an ID up to `newest`, except those of other names or of changed players.

        `names`: IDs, and the stored IDs of their players; in single games their stored players may
        be others, who stay.
        """

    def person(self, game_id: int, side: int, name: int, stored: int) -> int | None:
        """Return the player of a side of a game, given the name ID and the stored player."""

    def set_facts(
        self,
        facts: Iterable[tuple[int, int | None, str | None, str | None, int | None]],
        unsure: tuple[Buffer, Buffer],
        list_month: str | None,
    ) -> None:
        """Set what is filled in for each player.

        `facts`: player ID, FIDE ID, title, first known day of the title, rating. `unsure`: the IDs
        of names and players for whom nothing is filled in, in order. Raises ValueError as above.
        """

    def write(
        self, connection: apsw.Connection, games: str, update: str, last_noted: int = 0
    ) -> tuple[int, dict[str, int], dict[int, int] | None]:
        """Write players, CoreHash and filled-in fields; return the changes.

        That is the number of games and, by name, of fields that were filled in; last, the CoreHash
        before of each changed game with an ID up to `last_noted`, 0 if a player was unknown, or
        None if these games are too many. `games` selects ID,
        name IDs, player IDs, CoreHash, BackFilled, date, tags and Elos. For each game that changes,
        `save` gets its ID, the player IDs, CoreHash, BackFilled, and, if an earlier run filled
        fields in that change, 1, tags and Elos (else NULL); `update` gets ID, player IDs, CoreHash,
        BackFilled, tags and Elos. The connection must have just loaded this module by ENTRY_POINT,
        in this thread. Raises KeyError for a name or a player without a key, and SqliteError.
        """

@disjoint_base
class NameBatch:
    """Names to look up in one list, by any number of threads."""

    def __new__(
        cls,
        listed: ListedNames,
        names: list[list[NameForm]],
        full: list[bool],
        koreans: list[list[int]],
        countries: list[int],
        columns: tuple[Buffer, ...],
    ) -> Self:
        """Prepare the look-up of names, each by its forms.

        For each form: whether it is full, the entries that are other romanisations of a Korean
        name, and the number of the federation in it, -1 for none. `columns`: see
        PersonTable.columns(). Raises ValueError for columns that are too short or name other rows,
        and while another batch is weighed.
        """

    def __len__(self) -> int: ...
    def weigh(
        self, begin: int, end: int
    ) -> tuple[array[int], array[int], array[int], array[float], array[float], array[int]]:
        """Weigh the names from `begin` to `end`; return the persons whom they may mean.

        First the ends of the rows of each name; then person, entry, evidence, prominence and
        NameDifference of each row. Works without the GIL. Raises ValueError for an unknown range.
        """

    def candidates(self, index: int) -> list[int]:
        """Return the candidate entries of a form, ascending."""

# --- name_score -----------------------------------------------------------------------------------

def name_scores(left: NameForm, right: NameForm) -> tuple[float, float]:
    """Return how similar two names are: a score, and the share of common bigrams, both 0 to 1.

    The score is 0.5 Jaro-Winkler (surname) + 0.3 (given) + 0.2 Damerau-Levenshtein (surname). With
    more than one word on a side, Jaro-Winkler is computed word by word (Monge and Elkan, "The field
    matching problem", KDD 1996), the better of both directions; initials match the words they
    begin. Damerau-Levenshtein is 1 - distance / length of the longer. Raises ValueError for more
    than 255 words.
    """

# --- name_decision --------------------------------------------------------------------------------

REFUSALS: dict[str, int]  # why no person is chosen; "" for none
MOST_ABOVE_LIST: int  # Elo points of a game above the listed rating

@disjoint_base
class NameDecisions:
    """Names with the evidence of their games, to look up in several lists, by several threads."""

    def __new__(
        cls,
        batches: list[NameBatch],
        games: tuple[Buffer, ...],
        limits: Mapping[str, float],
        unlisted: float,
        are_excluded: Buffer,
    ) -> Self:
        """Prepare the decisions about names.

        `batches`: of the same names, one for each list; the persons of the lists are numbered in
        sequence. `games`: first and last year of each name, whether a game is of a youth event, the
        ends of its FIDE IDs, the IDs, the persons who have them (-1 for nobody), the ends of its
        claims, and the claims as pairs of the rating that FIDE requires for the title and of the
        Elo. `limits`: the fields of NameLimits in likelihood.py. `unlisted`: logarithm of the
        number of unlisted players. `are_excluded`: 1 for each person whom no name means, or empty.
        Raises ValueError for other numbers of names, rows or persons.
        """

    def __len__(self) -> int: ...
    def decide(
        self, begin: int, end: int, *, most: int, most_of_sure: int, scored: int
    ) -> tuple[
        array[int],
        array[int],
        array[float],
        array[float],
        array[int],
        array[float],
        array[int],
        array[float],
        array[float],
        array[int],
        array[float],
    ]:
        """Decide about the names from `begin` to `end`.

        Returns columns of the names: the person or -1, the number of the refusal, the probability
        that any listed person is meant, the share of bigrams of DISSIMILAR names, the ends of the
        rows of candidates; the evidence for the person of each FIDE ID, NaN if the name cannot mean
        the person; then columns of candidates, the best ones first: person, evidence, probability,
        NameDifference and score. A name has up to `most` of them, or `most_of_sure` if the person
        is sure; the first `scored` have a score. Works without the GIL. Raises ValueError for an
        unknown range.
        """

def can_have_played(
    born: int, died: int, first_year: int, last_year: int, *, as_child: bool = False
) -> bool:
    """Return whether a person can have played in one of the years; see evidence.py."""

def age_evidence(
    born: int, died: int, first_year: int, last_year: int, *, is_youth: bool = False
) -> float:
    """Return the evidence of the age at the games of these years; see evidence.py."""

def claim_is_too_high(
    title: int, elo: int, *, has_fide_id: bool, listed_title: int, rating: int
) -> bool:
    """Return whether the title or Elo in a game is too high for a player of FIDE's list.

    0 for none. A title is the rating that FIDE requires for it.
    """

# --- phonetic_rules -------------------------------------------------------------------------------
# Phonetic codes of three systems; those of Beider-Morse by compiled rules.
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
        ValueError for unknown languages. For tests, as is guess().
        """

    def encode(self, words: Buffer, ends: Buffer) -> tuple[bytes, bytes]:
        """Return where the hashes of each word end, and the hashes, as 32-bit values in a row.

        `words`: UTF-8, one after another; `ends`: 32-bit offsets of their ends. The hashes of a
        word are distinct and ascending: of Double Metaphone, of Daitch-Mokotoff, and the 32 lowest
        of Beider-Morse. Words are in lower case; letters other than a to z have a sound in
        Beider-Morse alone. Works without the GIL. Raises ValueError for ends outside the words.
        """

# --- fide_list ------------------------------------------------------------------------------------

# The fields of FidePlayer, in its order.
Player: TypeAlias = tuple[
    int, str, str, str, str, int | None, int | None, int | None, int | None, str
]

@disjoint_base
class ListedPlayers:
    """Players of one rating list in little memory, until they are taken or inserted.

    Both methods that scan a list return the offsets of the first record that is not plain, and the
    number of line ends before it. The caller reads that record and goes on behind it. `title_of`
    returns the highest title for titles as written, and is called once for most of them.
    """

    added: int  # players since the object was made

    def __len__(self) -> int:
        """Return the number of players that were neither taken nor inserted."""

    def add(self, player: Player) -> None:
        """Add a player."""

    def add_xml(
        self,
        text: bytes,
        start: int,
        end: int,
        *,
        rating_field: int,
        title_of: Callable[[str], str],
        note_period: Callable[[str], None],
    ) -> tuple[int, int, int]:
        """Add the players of text[start:end], up to one that is not plain.

        `text`: UTF-8; behind `end` there may be the beginning of another player. Two equal offsets
        before `end`: text that is not a plain <player> begins there. `rating_field`: 0 to 2, which
        rating <rating> is in a list with one rating. `title_of` gets <title> and <w_title>, with a
        NUL between them. `note_period` is called at least once with each <period>.
        """

    def add_lines(
        self,
        text: bytes,
        start: int,
        columns: Sequence[tuple[int, int]],
        *,
        most: int,
        title_of: Callable[[str], str],
    ) -> tuple[int, int, int]:
        """Add up to `most` players of whole lines from `start` on, up to a line that is not plain.

        Two equal offsets: `most` players or all. `columns`: begin and end of FIDE ID, name,
        federation, sex, titles, rating, rapid, blitz, birthday and flag.
        """

    def take(self) -> list[Player]:
        """Return the players in the order they were added, and forget them."""

    def insert(self, connection: apsw.Connection, statements: tuple[str, str]) -> None:
        """Insert the players, sorted by FIDE ID, and forget them.

        `statements` insert one row and many rows of the fields of FidePlayer; an absent text is
        NULL. The connection must have just loaded this module by ENTRY_POINT, in this thread.
        Raises SqliteError, and ValueError for other statements.
        """

def distinct_texts(text: Buffer, ends: Buffer) -> tuple[array[int], list[bytes]]:
    """Return the numbers of texts that follow each other, equal for equal texts, and the texts.

    `ends` are 32-bit offsets. Raises ValueError for offsets outside the text.
    """

# --- players of games -----------------------------------------------------------------------------

def tags_contradict(
    title: int,
    elos: tuple[int, int],
    *,
    has_fide_id: bool,
    listed_title: int,
    rating: int,
    has_rival: bool,
) -> bool:
    """Return whether the title or the Elos of games may be another player's than a listed one's.

    `elos`: the lowest and the highest; see claim_is_too_high(). `has_rival`: another player has the
    name, too. Then an Elo far below the person's counts; else he was probably weaker in his youth.
    """

@disjoint_base
class GameRows:
    """The rows of a query, which GameJudge and NameGames read; they raise ValueError if closed."""

    def __new__(cls, connection: apsw.Connection, sql: str, ids: str | None = None) -> Self:
        """Prepare a query; bind `ids` to its first parameter.

        `connection` has just loaded this module as an extension, in this thread. Raises
        SqliteError.
        """

    def close(self) -> None: ...

@disjoint_base
class ClaimRules:
    """Which games of a database can contradict a rating list by title or Elo, and why."""

    def __new__(
        cls,
        list_month: int,
        *,
        sites: Iterable[int],
        events: Iterable[int],
        youth_sites: Iterable[int],
        youth_events: Iterable[int],
        has_nicknames: Callable[[str], bool],
    ) -> Self:
        """Take the month of the list, from year 0 (0: no list), and IDs of sites and events.

        `sites`, `events`: those on the web; `has_nicknames`: whether the address of a game is that
        of a website where players have nicknames.
        """

@disjoint_base
class NameGames:
    """What the games of each name say about its player. Not for several threads at a time."""

    def __new__(
        cls,
        names: Buffer,
        titles: list[tuple[str, int]],
        claims: ClaimRules,
        *,
        newest: int,
        largest_event: int,
    ) -> Self:
        """Take the rising IDs (int64) of all names.

        `titles`: in capitals, with the rating that FIDE requires, the lowest first. Games with a
        higher ID than `newest` are new. In an event with more players than `largest_event` not all
        of them may have met. Raises ValueError if the IDs do not rise.
        """

    def read(self, rows: GameRows) -> None:
        """Add games, once; a second call raises ValueError."""

    def facts(
        self, player: int
    ) -> (
        tuple[
            int,
            dict[int, int] | None,
            int,
            int,
            tuple[str, int, int, frozenset[str], bool],
            dict[str, int] | None,
            tuple[str, int],
            bool,
        ]
        | None
    ):
        """Return the fields of NameFacts from `games` on; None for a name without games."""

    def events_of(self, player: int) -> Sequence[int]:
        """Return a number for each event in which a name played, without those too large."""

    def names(self, *, is_new: bool = False) -> list[int]:
        """Return the IDs of the names with games; `is_new`: with new games."""

    def met(self) -> tuple[array[int], array[int]]:
        """Return pairs of names that played each other, the lower ID first, in rising order."""

    def players_of_events(self) -> tuple[array[int], array[int]]:
        """Return the number of an event and the ID of a name that played in it, sorted."""

@disjoint_base
class ListedPersons:
    """Persons of several tables, numbered in sequence, as candidates for games."""

    @property
    def count(self) -> int: ...
    def __new__(
        cls,
        weights: Mapping[str, float],
        tables: Sequence[tuple[tuple[Buffer, ...], Buffer, Buffer]],
        titles: list[tuple[str, int, int]],
        countries: list[str],
        evidence: Buffer,
    ) -> Self:
        """Take the columns of persons, which must not change.

        `weights`: of NameWeights. `tables`: PersonTable.columns(), numbers of titles and of
        federations of rows of facts. `titles`: (title, rank, required rating), the
        empty one first. `evidence`: of a written federation for a listed one, in rows of the
        written; the last row is that of any other text. Raises ValueError for wrong numbers.
        """

@disjoint_base
class PlayerCareers:
    """The careers of persons from the games that are surely theirs, in sorted arrays."""

    def __new__(cls, persons: int) -> Self: ...
    def dump(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Return the careers as bytes, for load() in a process on the same kind of computer."""

    def load(self, parts: tuple[bytes, bytes, bytes, bytes]) -> None:
        """Add the careers of dump(), of the same persons and names; raise ValueError if damaged."""

@disjoint_base
class GameJudge:
    """Collects careers of candidates, then decides the sides of games that names leave open.

    Call add() for all names, then set_claims(); the games of GamesOfNames (store/players.py)
    follow. Not for several threads at a time.
    """

    @property
    def careers(self) -> PlayerCareers: ...
    def __new__(
        cls,
        weights: Mapping[str, float],
        names: Buffer,
        persons: ListedPersons,
        may_be_nickname: Callable[[str], bool],
        number_of: Callable[[str], str],
    ) -> Self:
        """Take the rising IDs (int64) of all names.

        `weights`: of GameWeights. `number_of`: the number of a namesake in a name, "" for none.
        Raises ValueError if the IDs do not rise.
        """

    def add(self, use: object, identity: object, *, is_given: bool, is_by_fide_id: bool) -> None:
        """Add the person and the candidates of a name: NameUse and Identity.

        `is_given`: a file of the user has the name; `is_by_fide_id`: the FIDE ID of games resolved
        it. Raises ValueError for a name or person that does not exist.
        """

    def add_resolved(self, player: int, person: int, *, is_sure: bool) -> None:
        """Add a name whose games are not decided; those of a sure name are its person's."""

    def set_claims(self, claims: ClaimRules) -> None:
        """Set the facts of the database whose games follow."""

    def is_doubtful(self, player: int) -> bool:
        """Return whether the games of a resolved name decide, too.

        The name alone is not enough, or its games contradict the person.
        """

    def judged_names(self) -> list[int]:
        """Return the names, by player ID, some games of which may be decided."""

    def open_names(self) -> list[int]:
        """Return the names, by player ID, that are unresolved or doubtful, with candidates."""

    def names_of_candidates(self) -> list[int]:
        """Return the names, by player ID, that are resolved to a candidate of another name."""

    def add_keys(self, rows: GameRows) -> None:
        """Add the moves, by MoveHash, whose certain players are evidence; before collect()."""

    def add_sure(self, keys: Buffer, sides: Buffer, persons: Buffer) -> None:
        """Add certain players (int64) of moves; instead of add_keys() and collect()."""

    def collect(self, rows: GameRows, most: int) -> int:
        """Add up to `most` games to the careers and the certain players; return their number."""

    def decide(self, rows: GameRows, most: int) -> int:
        """Decide the sides of up to `most` games; return the number of games."""

    def split(self, rows: GameRows) -> None:
        """Decide the games that need no careers; note the other games, and the certain players."""

    def take_decided(
        self,
    ) -> tuple[array[int], array[int], array[int], array[int], array[float]]:
        """Return game IDs, sides, player IDs, persons (-1: none), probabilities, and forget them.

        These are the sides of decided games whose player is not the person of the name, or for a
        doubtful name may be.
        """

    def take_sure(self) -> bytes:
        """Return rows of key, person and side (int64) of split(), and forget them."""

    def take_open(self) -> bytes:
        """Return rows of game ID and key (int64) of split(), and forget them."""

# --- side_counts ----------------------------------------------------------------------------------

def count_sides(
    connection: apsw.Connection, sql: str
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """Count sides of games: (name ID, player ID or 0, games) and (name ID, FIDE ID, games).

    The query selects the name IDs and the player IDs of White and Black, and the tags. Sides
    without a name do not count. The connection must have just loaded this module by ENTRY_POINT, in
    this thread. Raises ValueError for a query with other columns, and SqliteError.
    """
