"""Words of names: letters, sounds and edits between words, which transliterations share."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

# --- letters and sounds ---------------------------------------------------------------------------

cdef extern from *:
    """
    #include "compiler.h"
    /* Small letters for one sound in different transliterations: exchanging them is no slip. Other
       bytes are themselves. */
    static const uint8_t OCG_NEAR[256] = {
        ['j'] = 'i', ['y'] = 'i', ['w'] = 'v', ['f'] = 'v', ['c'] = 'k', ['q'] = 'k', ['z'] = 's',
    };
    static inline uint8_t ocg_near_letter(uint8_t letter) {
        return OCG_NEAR[letter] ? OCG_NEAR[letter] : letter;
    }

    /* Spellings of consonants that are not read letter by letter, the longest first: the number of
       letters to skip, and the sound, 0 for none. In next_sound() an h after a consonant is silent,
       and neighbours of one sound count once, so kh, sh, th, zh, sz, ss are not listed. All
       spellings of the Russian letter in Shchukin are an s. Those of the letter in Chigorin are a
       k, since ch is also the sound in Alechin and Christiansen. */
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
    /* Index + 1 of the first spelling by first letter, and of the next spelling; 0: none. */
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
    WORD_BYTES = 24            # bytes; the last is 0, longer words are cut
    KEY_SOUNDS = 8
    JOINED_LETTERS = 64        # of a whole name
    LETTER_H = 1 << 8          # in a set of letters


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
    return c == b'a' or c == b'e' or c == b'i' or c == b'o' or c == b'u' or c == b'y' or c == b'j'


# --- sounds -------------------------------------------------------------------------------------

cdef inline int next_sound(const uint8_t *word, int at, uint8_t *sound) noexcept nogil:
    """Return the letters of the spelling at an index; `sound` is 0 for none, j for vowels.

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
    cdef uint8_t word[2 * WORD_BYTES + 8]
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
    cdef int *row = &rows[0][0]
    cdef int *above = &rows[1][0]
    cdef int *over = &rows[2][0]
    cdef int i, j, best, first, last, least = 0, before, far = limit + 1
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
    if la == lb == 1:
        return 1
    if limit == 1:
        return 1 if la == lb == 2 and a[0] == b[1] and a[1] == b[0] else far
    for j in range(lb + 1):
        row[j] = j
    for i in range(1, la + 1):             # cells more than `limit` off the diagonal are too far
        row, above, over = over, row, above
        first = i - limit if i > limit else 1
        last = i + limit if i + limit < lb else lb
        row[first - 1] = i if first == 1 else far
        before, least = least, row[first - 1]
        for j in range(first, last + 1):
            best = min(above[j], row[j - 1]) + 1
            best = min(best, above[j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                best = min(best, over[j - 2] + 1)
            row[j] = best
            least = min(least, best)
        if least > limit and before > limit:
            return far
        row[last + 1] = far                # the next row looks one further
    return min(row[lb], far)
