"""Names of players split into words: titles, generations, initials, numbers."""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from name_sounds cimport (
    WORD_ROOM, is_capital, is_digit, is_letter, is_small, is_vowel,
)

cdef extern from *:
    """
    #include "compiler.h"
    #include <string.h>
    enum {
        OCG_TITLE = 1,       /* before or behind a name, in any case */
        OCG_CAPITALS = 2,    /* a title only in capitals: Wim and Mi are names */
        OCG_PARTICLE = 4,
        OCG_SOFT = 8,        /* particles that are Asian surnames too: Le Quang Liem */
        OCG_NOBODY = 16,
        OCG_GUEST = 32,      /* nobody without a comma and a number: Black, Joseph is somebody */
        OCG_JUNIOR = 64,
        OCG_SENIOR = 128,
        OCG_THIRD = 256,
        OCG_DOTTED = 512,    /* only with a full stop: Jun is a name */
        OCG_LATE = 1024      /* only behind a whole name: Deep Junior is none */
    };
    #define T OCG_TITLE
    #define C OCG_CAPITALS
    #define P OCG_PARTICLE
    #define S OCG_PARTICLE | OCG_SOFT
    #define N OCG_NOBODY
    #define G OCG_GUEST
    static const struct { char text[16]; int kind; } OCG_WORDS[] = {
        {"gm", T}, {"fm", T}, {"cm", T}, {"nm", T}, {"wgm", T}, {"wfm", T}, {"wcm", T}, {"wnm", T},
        {"agm", T}, {"igm", T}, {"hgm", T}, {"dr", T}, {"prof", T}, {"mr", T}, {"mrs", T},
        {"ms", T}, {"miss", T}, {"sir", T}, {"mgr", T}, {"dipl", T}, {"phd", T}, {"rndr", T},
        {"mudr", T}, {"judr", T}, {"phdr", T}, {"ing", T}, {"rev", T}, {"capt", T},
        {"captain", T}, {"herr", T}, {"frau", T}, {"mme", T},
        {"im", C}, {"wim", C}, {"aim", C}, {"afm", C}, {"acm", C}, {"mi", C}, {"mf", C}, {"lm", C},
        {"sm", C}, {"gmi", C},
        {"de", P}, {"del", P}, {"della", P}, {"dello", P}, {"delle", P}, {"dei", P}, {"degli", P},
        {"dal", P}, {"dalla", P}, {"van", P}, {"von", P}, {"vom", P}, {"den", P}, {"der", P},
        {"la", P}, {"el", P}, {"al", P}, {"bin", P}, {"ibn", P}, {"dos", P}, {"das", P},
        {"te", P},  /* codespell:ignore te */
        {"ter", P}, {"ten", P}, {"zum", P}, {"zur", P}, {"st", P}, {"af", P}, {"av", P},
        {"las", P}, {"los", P}, {"het", P}, {"tot", P}, {"op", P},
        {"le", S}, {"du", S}, {"di", S}, {"da", S}, {"zu", S},
        {"n", N}, {"nn", N}, {"unknown", N}, {"unk", N}, {"noname", N}, {"none", N}, {"null", N},
        {"na", N}, {"unbekannt", N}, {"anonym", N}, {"desconocido", N}, {"inconnu", N},
        {"player", G}, {"opponent", G}, {"white", G}, {"black", G}, {"guest", G}, {"anon", G},
        {"anonymous", G},
        {"jr", OCG_JUNIOR}, {"ii", OCG_JUNIOR}, {"jun", OCG_JUNIOR | OCG_DOTTED},
        {"junior", OCG_JUNIOR | OCG_LATE}, {"sr", OCG_SENIOR}, {"sen", OCG_SENIOR | OCG_DOTTED},
        {"senior", OCG_SENIOR | OCG_LATE}, {"iii", OCG_THIRD},
    };
    #undef T
    #undef C
    #undef P
    #undef S
    #undef N
    #undef G
    enum { OCG_WORD_COUNT = sizeof OCG_WORDS / sizeof OCG_WORDS[0] };
    /* By first letter: one more than the place of the first word, and of the next after a word. */
    static uint8_t OCG_FIRST_WORD[256], OCG_NEXT_WORD[OCG_WORD_COUNT];
    OCG_AT_LOAD(ocg_index_words) {
        for (int i = OCG_WORD_COUNT - 1; i >= 0; i--) {
            uint8_t first = (uint8_t)OCG_WORDS[i].text[0];
            OCG_NEXT_WORD[i] = OCG_FIRST_WORD[first];
            OCG_FIRST_WORD[first] = (uint8_t)(i + 1);
        }
    }
    /* `word` has at least 16 bytes, 0 behind its letters. */
    static inline int ocg_kind_of_word(const uint8_t *word) {
        for (int i = OCG_FIRST_WORD[word[0]]; i; i = OCG_NEXT_WORD[i - 1])
            if (memcmp(word, OCG_WORDS[i - 1].text, 16) == 0)
                return OCG_WORDS[i - 1].kind;
        return 0;
    }
    """
    enum:
        OCG_TITLE
        OCG_CAPITALS
        OCG_PARTICLE
        OCG_SOFT
        OCG_NOBODY
        OCG_GUEST
        OCG_JUNIOR
        OCG_SENIOR
        OCG_THIRD
        OCG_DOTTED
        OCG_LATE
    int ocg_kind_of_word(const uint8_t *word) nogil

cdef enum:
    NAME_WORDS = 6        # that count; what follows is left out
    DRAFT_WORDS = 12      # with titles and numbers
    LETTER_H = 1 << 8     # in a set of letters

cdef enum:
    IS_GIVEN = 1          # behind the comma
    IS_CAPITALS = 2
    BEGINS_CAPITAL = 4
    IS_DOTTED = 8
    IS_NUMBER = 16
    HAS_DIGIT = 32
    IS_EXACT = 64         # a script of syllables or words: another letter is another name
    IS_PARTICLE = 128

ctypedef struct Draft:
    uint8_t words[DRAFT_WORDS][WORD_ROOM]
    int kinds[DRAFT_WORDS]
    uint8_t lengths[DRAFT_WORDS]
    uint8_t marks[DRAFT_WORDS]
    int count
    int named[2]                           # words that are no title, before and behind the comma
    bint is_ordered                        # letters stand before a comma and behind it
    bint is_shouted                        # in capitals throughout: they tell nothing


cdef inline void survey(const uint8_t *text, size_t length, Draft *d) noexcept nogil:
    """Find out what must be known before the first word is read. Parentheses are passed over."""
    cdef bint is_hidden = False, has_comma = False
    cdef int letters = 0, capitals = 0, small = 0
    cdef size_t i
    for i in range(length):
        if is_hidden or text[i] == b'(':
            is_hidden = text[i] != b')'
        elif text[i] == b',' and letters and not has_comma:
            has_comma = True
            letters = 0
        elif is_letter(text[i]):
            letters += 1
            capitals += is_capital(text[i])
            small += is_small(text[i])
    d.is_ordered = has_comma and letters > 0
    d.is_shouted = small == 0 and capitals > 4


cdef inline void add_letter(Draft *d, uint8_t c) noexcept nogil:
    """Append a letter to the last word; what does not fit in is cut off."""
    cdef int i = d.count - 1
    cdef uint8_t marks = d.marks[i]
    if not is_capital(c):
        marks &= ~IS_CAPITALS
    if is_digit(c):
        marks |= HAS_DIGIT
    else:
        marks &= ~IS_NUMBER
    if c >= 0xE0:                          # in UTF-8, all but Latin, Greek, Cyrillic and Hebrew
        marks |= IS_EXACT
    d.marks[i] = marks
    if d.lengths[i] < WORD_ROOM - 1:
        d.words[i][d.lengths[i]] = c | 32 if is_capital(c) else c
        d.lengths[i] += 1


cdef inline void read_words(const uint8_t *text, size_t length, Draft *d) noexcept nogil:
    """Split a name at all that is no letter, and behind the comma at capitals inside a word too.

    Digits are letters here if there is no comma: "player123", "Stockfish 12".
    """
    cdef bint is_hidden = False, is_open = False, was_small = False
    cdef uint8_t part = 0, c
    cdef size_t i
    for i in range(length):
        c = text[i]
        if is_hidden or c == b'(':
            is_hidden = c != b')'
            is_open = False
        elif is_letter(c) or (is_digit(c) and not d.is_ordered):
            if not is_open or (part and was_small and is_capital(c)):
                if d.count == DRAFT_WORDS:
                    return
                d.marks[d.count] = part | IS_CAPITALS | IS_NUMBER
                if is_capital(c):
                    d.marks[d.count] |= BEGINS_CAPITAL
                d.count += 1
                is_open = True
            add_letter(d, c)
        elif c != b"'" and c != b'`':      # O'Kelly is one word
            if c == b'.' and is_open:
                d.marks[d.count - 1] |= IS_DOTTED
            if c == b',' and d.is_ordered and d.count:
                part = IS_GIVEN
            is_open = False
        was_small = is_small(c)


cdef inline bint is_title(const Draft *d, int i) noexcept nogil:
    if d.kinds[i] & OCG_TITLE:
        return True
    return d.kinds[i] & OCG_CAPITALS and d.marks[i] & IS_CAPITALS and not d.is_shouted


cdef inline bint is_left_out(const Draft *d, int i) noexcept nogil:
    """Tell if a word is a title, or a number that is no part of the name."""
    cdef uint8_t marks = d.marks[i]
    if is_title(d, i):
        # "Kumar, CM" is C. M. Kumar.
        return d.named[marks & IS_GIVEN] > 0 or (marks & IS_GIVEN and not marks & IS_CAPITALS)
    if i > 0 and marks & d.marks[i - 1] & IS_GIVEN and d.lengths[i] == 3 and d.lengths[i - 1] > 2:
        return marks & IS_CAPITALS and not d.is_shouted    # "Ivanov, Alexander USA"
    if marks & IS_NUMBER:                  # a year or a rating, not that of "Deep Fritz 8"
        return d.named[0] == 0 or (d.named[0] > 1 and d.lengths[i] > 2)
    return False


cdef inline int generation_of(const Draft *d, int i) noexcept nogil:
    cdef int kind = d.kinds[i]
    if i == 0 or not kind & (OCG_JUNIOR | OCG_SENIOR | OCG_THIRD):
        return 0
    if kind & OCG_DOTTED and not d.marks[i] & IS_DOTTED:
        return 0
    if kind & OCG_LATE and not d.is_ordered and d.count < 3:
        return 0
    if d.marks[i] & IS_GIVEN and d.marks[i] & IS_CAPITALS and not d.marks[i - 1] & IS_GIVEN:
        return 0                           # "Ivanov, II" is I. I. Ivanov
    return 1 if kind & OCG_SENIOR else 2 if kind & OCG_JUNIOR else 3


cdef inline bint are_initials(const Draft *d, int i) noexcept nogil:
    """Tell if two or three capitals are a word each: behind the comma, or without a vowel."""
    cdef bint has_vowel = False
    cdef int k
    if not d.marks[i] & IS_CAPITALS or not 2 <= d.lengths[i] <= 3:
        return False
    for k in range(d.lengths[i]):
        has_vowel |= is_vowel(d.words[i][k]) and d.words[i][k] != b'j'
    if d.marks[i] & IS_GIVEN:
        return not d.is_shouted or not has_vowel
    # "JP Le Roux"; but "NG Wei" has a surname in capitals.
    return (
        not d.is_ordered and not d.is_shouted and d.named[0] > 1 and not has_vowel
        and memcmp(d.words[i], b"ng", 3) != 0
    )


cdef inline int without_number(const Draft *d, int i) noexcept nogil:
    """Return the length of a word less the number that tells namesakes apart: "Li Chao2"."""
    cdef int length = d.lengths[i]
    cdef int k
    if not d.marks[i] & HAS_DIGIT or not d.marks[i] & BEGINS_CAPITAL or d.named[0] < 2:
        return length
    while length > 1 and d.lengths[i] - length < 2 and is_digit(d.words[i][length - 1]):
        length -= 1
    for k in range(length):
        if is_digit(d.words[i][k]):
            return d.lengths[i]
    return length
