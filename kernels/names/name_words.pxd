"""Names of players split into words: titles, generations, initials, numbers."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

# --- letters and sounds ---------------------------------------------------------------------------

# Letters and sounds of names: features that transliterations share, and edits between words.

cdef extern from *:
    """
    #include "compiler.h"
    /* Letters in small that stand for one sound in this transliteration or that: a slip between
       them is none. Other bytes are themselves. */
    static const uint8_t OCG_NEAR[256] = {
        ['j'] = 'i', ['y'] = 'i', ['w'] = 'v', ['f'] = 'v', ['c'] = 'k', ['q'] = 'k', ['z'] = 's',
    };
    static inline uint8_t ocg_near_letter(uint8_t letter) {
        return OCG_NEAR[letter] ? OCG_NEAR[letter] : letter;
    }

    /* Spellings of consonants that are not read letter by letter, the longest first: how many
       letters to pass over, and the sound; 0 is none. In the rules of next_sound h is silent
       behind a consonant and neighbours of one sound are one, so kh, sh, th, zh, sz, ss need none
       here. Spellings of the Russian letter in Shchukin are all an s, those of the one in
       Chigorin a k, for ch is that of Alechin too, and of Christiansen. */
    typedef struct { char text[8]; uint8_t size, taken, sound; } ocg_spelling;
    static const ocg_spelling OCG_SPELLINGS[] = {
        {"schtsch", 7, 7, 's'}, {"schtch", 6, 6, 's'}, {"chtsch", 6, 6, 's'},
        {"stsch", 5, 5, 's'}, {"chtch", 5, 5, 's'}, {"szcz", 4, 4, 's'}, {"shch", 4, 4, 's'},
        {"stch", 4, 4, 's'}, {"sch", 3, 3, 's'},
        {"tsch", 4, 4, 'k'}, {"tch", 3, 3, 'k'}, {"tsht", 4, 1, 0}, {"tsh", 3, 3, 'k'},
        {"ths", 3, 2, 0}, {"ts", 2, 1, 0}, {"tz", 2, 1, 0},  /* codespell:ignore ths */
        {"dsch", 4, 4, 'j'}, {"dzh", 3, 3, 'j'}, {"ds", 2, 1, 0}, {"dz", 2, 1, 0}, {"dt", 2, 1, 0},
        {"ch", 2, 2, 'k'}, {"cz", 2, 2, 'k'}, {"cs", 2, 2, 'k'}, {"ck", 2, 2, 'k'},
        {"ce", 2, 1, 's'}, {"ci", 2, 1, 's'}, {"cy", 2, 1, 's'}, {"c", 1, 1, 'k'},
        {"ph", 2, 2, 'v'}, {"f", 1, 1, 'v'}, {"w", 1, 1, 'v'}, {"q", 1, 1, 'k'}, {"z", 1, 1, 's'},
    };
    enum { OCG_SPELLING_COUNT = sizeof OCG_SPELLINGS / sizeof OCG_SPELLINGS[0] };
    /* By first letter: one more than the place of the first spelling, and of the next after one. */
    static uint8_t OCG_FIRST_SPELLING[256], OCG_NEXT_SPELLING[OCG_SPELLING_COUNT];
    OCG_AT_LOAD(ocg_index_spellings) {
        for (int i = OCG_SPELLING_COUNT - 1; i >= 0; i--) {
            uint8_t first = (uint8_t)OCG_SPELLINGS[i].text[0];
            OCG_NEXT_SPELLING[i] = OCG_FIRST_SPELLING[first];
            OCG_FIRST_SPELLING[first] = (uint8_t)(i + 1);
        }
    }
    """
    ctypedef struct ocg_spelling:
        char text[8]
        uint8_t size, taken, sound
    const ocg_spelling OCG_SPELLINGS[1]
    uint8_t OCG_FIRST_SPELLING[1]
    uint8_t OCG_NEXT_SPELLING[1]
    uint8_t ocg_near_letter(uint8_t letter) nogil

cdef enum:
    WORD_ROOM = 24        # bytes; the last is 0, longer words are cut
    KEY_SOUNDS = 8
    JOINED_LETTERS = 64   # of a whole name


# --- words --------------------------------------------------------------------------------------

cdef inline bint is_small(uint8_t c) noexcept nogil:
    return b'a' <= c <= b'z'


cdef inline bint is_capital(uint8_t c) noexcept nogil:
    return b'A' <= c <= b'Z'


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return b'0' <= c <= b'9'


cdef inline bint is_letter(uint8_t c) noexcept nogil:
    return is_small(c) or is_capital(c) or c >= 128


cdef inline bint is_vowel(uint8_t c) noexcept nogil:
    """Return whether a lower-case letter is left out of keys; y and j are equal."""
    return (
        c == b'a' or c == b'e' or c == b'i' or c == b'o' or c == b'u' or c == b'y' or c == b'j'
    )


# --- sounds -------------------------------------------------------------------------------------

cdef inline int next_sound(const uint8_t *word, int at, uint8_t *sound) noexcept nogil:
    """Return the letters of the spelling at a place; `sound` is 0 for none, j for vowels.

    The word is followed by eight bytes of 0.
    """
    cdef const uint8_t *p = word + at
    cdef const ocg_spelling *spelling
    cdef int i
    if is_vowel(p[0]):
        sound[0] = b'j'
        return 1
    # pronounced before a vowel, but not in Bhend, nor in Mahler
    if p[0] == b'h':
        sound[0] = b'k' if is_vowel(p[1]) and (at == 0 or is_vowel(word[at - 1])) else 0
        return 1
    sound[0] = p[0]
    i = OCG_FIRST_SPELLING[p[0]]
    while i:
        spelling = &OCG_SPELLINGS[i - 1]
        if memcmp(p, spelling.text, spelling.size) == 0:
            sound[0] = spelling.sound
            return spelling.taken
        i = OCG_NEXT_SPELLING[i - 1]
    return 1


cdef inline uint64_t sounds_of(const uint8_t *letters, int length) noexcept nogil:
    """Return the first eight consonants of a word, one byte each, normalized across spellings.

    A vowel counts only at the start, as j. Digits and bytes above 127 are sounds of their own.
    """
    cdef uint8_t word[2 * WORD_ROOM + 8]
    cdef uint8_t sound, last = 0
    cdef uint64_t sounds = 0
    cdef int at, count = 0, start, end = 0
    memset(word, 0, sizeof(word))
    for at in range(length):
        if letters[at] == b'x':
            memcpy(word + end, b"ks", 2)
            end += 2
        else:
            word[end] = letters[at]
            end += 1
    at = 0
    while at < end and count < KEY_SOUNDS:
        start = at
        at += next_sound(word, at, &sound)
        if sound == 0 or (sound == last and is_small(sound)):
            continue
        last = sound
        if sound != b'j' or start == 0:
            sounds = sounds << 8 | sound
            count += 1
    return sounds


# --- two words ----------------------------------------------------------------------------------

cdef inline void to_near_letters(uint8_t *letters, int length) noexcept nogil:
    cdef int i
    for i in range(length):
        letters[i] = ocg_near_letter(letters[i])


cdef inline int edits_within(
    const uint8_t *a, int la, const uint8_t *b, int lb, int limit
) noexcept nogil:
    """Return the edits (insert, delete, replace, swap neighbours) from a to b, or limit + 1.

    Restricted Damerau-Levenshtein distance: no letter is edited twice (Boytsov 2011, "Indexing
    methods for approximate dictionary searching", section 2.1). Words have at most JOINED_LETTERS
    letters. Common prefixes and suffixes need no edit.
    """
    cdef int rows[3][JOINED_LETTERS + 2]
    cdef int i, j, best, first, last, far = limit + 1
    while la and lb and a[0] == b[0]:
        a += 1
        b += 1
        la -= 1
        lb -= 1
    while la and lb and a[la - 1] == b[lb - 1]:
        la -= 1
        lb -= 1
    if la - lb > limit or lb - la > limit:
        return far
    if la == 0 or lb == 0:
        return la + lb
    for j in range(lb + 1):
        rows[0][j] = j
    for i in range(1, la + 1):             # cells more than `limit` off the diagonal are too far
        first = i - limit if i > limit else 1
        last = i + limit if i + limit < lb else lb
        rows[i % 3][first - 1] = i if first == 1 else far
        for j in range(first, last + 1):
            best = min(rows[(i - 1) % 3][j], rows[i % 3][j - 1]) + 1
            best = min(best, rows[(i - 1) % 3][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                best = min(best, rows[(i - 2) % 3][j - 2] + 1)
            rows[i % 3][j] = best
        rows[i % 3][last + 1] = far        # the next row looks one further
    return min(rows[la % 3][lb], far)


# --- words of a name ------------------------------------------------------------------------------

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
    NAME_WORDS = 6        # maximum number of words of a name; later words are ignored
    DRAFT_WORDS = 12      # with titles and numbers
    LETTER_H = 1 << 8     # in a set of letters

cdef enum:
    IS_GIVEN = 1          # behind the comma
    IS_CAPITALS = 2
    BEGINS_CAPITAL = 4
    IS_DOTTED = 8
    IS_NUMBER = 16
    HAS_DIGIT = 32
    IS_EXACT = 64         # a syllabic or logographic script: another letter is another name
    IS_PARTICLE = 128

ctypedef struct Draft:
    uint8_t words[DRAFT_WORDS][WORD_ROOM]
    int kinds[DRAFT_WORDS]
    uint8_t lengths[DRAFT_WORDS]
    uint8_t marks[DRAFT_WORDS]
    int count
    int named[2]                           # words other than titles, before and after the comma
    bint is_ordered                        # there are letters before and after a comma
    bint is_shouted                        # entirely in capitals, which are then no evidence


cdef inline void survey(const uint8_t *text, size_t length, Draft *d) noexcept nogil:
    """Find facts needed before the first word is read. Parentheses are skipped."""
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
    """Append a letter to the last word; drop it if the word is full."""
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
    """Split a name at non-letters, and after the comma also at capitals inside a word.

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
    """Return whether a word is a title, or a number that is not part of the name."""
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
    """Return whether two or three capitals are initials: after the comma, or without a vowel."""
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
    """Return the length of a word without a number that distinguishes namesakes: "Li Chao2"."""
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
