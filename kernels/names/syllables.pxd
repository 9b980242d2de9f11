"""Words that are Chinese or Korean syllables, in lower-case Latin letters."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp, strlen

from word_store cimport WordStore, find_word

cdef extern from *:
    """
    /* The parts of a Korean syllable in any romanisation; the first and the last may be missing. */
    static const char *const OCG_KOREAN_INITIALS[] = {
        "", "kk", "gg", "k", "g", "n", "dd", "tt", "t", "d", "rh", "r", "l", "m", "bb", "pp", "p",
        "b", "ss", "sh", "s", "jj", "tch", "ch", "j", "wh", "h", 0
    };
    static const char *const OCG_KOREAN_VOWELS[] = {
        "yeo", "yae", "yoo", "yuo",  /* codespell:ignore yuo */
        "you", "yo", "yu", "ya", "ye", "yi", "woo", "wae", "weo", "wa",
        "we", "wi", "wo", "wu", "eui", "ae", "eo", "eu", "ee", "oo", "ou", "oe", "ui", "a", "e",
        "i", "o", "u", 0
    };
    static const char *const OCG_KOREAN_FINALS[] = {
        "", "ng", "n", "m", "ck", "k", "g", "l", "t", "d", "p", "b", "h", 0
    };
    """
    const char *OCG_KOREAN_INITIALS[1]
    const char *OCG_KOREAN_VOWELS[1]
    const char *OCG_KOREAN_FINALS[1]

cdef enum:
    MOST_SYLLABIC = 63         # letters of a word that can be syllables
    LONGEST_CHINESE = 6        # letters of a syllable
    MOST_KOREAN = 3            # syllables of a given name

# Languages, as bits.
cdef enum:
    CHINESE = 1
    KOREAN = 2


cdef inline uint64_t ends_of(
    uint64_t begins, const uint8_t *letters, int length, const char **parts
) noexcept nogil:
    """Return the ends of parts of a syllable that begin at any of some places, as bits."""
    cdef uint64_t ends = 0
    cdef int begin, size
    cdef const char **part
    for begin in range(length + 1):
        if not begins >> begin & 1:
            continue
        part = parts
        while part[0]:
            if not part[0][0]:
                ends |= <uint64_t>1 << begin
            elif begin < length and <uint8_t>part[0][0] == letters[begin]:
                size = <int>strlen(part[0])
                if begin + size <= length and memcmp(letters + begin, part[0], size) == 0:
                    ends |= <uint64_t>1 << (begin + size)
            part += 1
    return ends


cdef inline bint are_korean_syllables(const uint8_t *letters, size_t length) noexcept nogil:
    """Return whether lower-case letters can be one to three Korean syllables."""
    cdef uint64_t ends = 1
    cdef int _, size = <int>length
    if length > MOST_SYLLABIC:
        return False
    for _ in range(MOST_KOREAN):
        ends = ends_of(ends, letters, size, OCG_KOREAN_INITIALS)
        ends = ends_of(ends, letters, size, OCG_KOREAN_VOWELS)
        ends = ends_of(ends, letters, size, OCG_KOREAN_FINALS)
        if not ends:
            return False
        if ends >> size & 1:
            return True
    return False


cdef inline bint are_chinese_syllables(
    const WordStore *syllables, const uint8_t *letters, size_t length
) noexcept nogil:
    """Return whether a word is completely pinyin; v, u and the yu of passports are one letter."""
    cdef uint8_t plain[MOST_SYLLABIC]
    cdef uint64_t ends = 1
    cdef size_t i
    cdef int count = 0, begin, end
    if length > MOST_SYLLABIC:
        return False
    for i in range(length):
        if (letters[i] == c"u" or letters[i] == c"v") and i > 1 and letters[i - 1] == c"y" and (
            letters[i - 2] == c"l" or (letters[i - 2] == c"n" and i == 2)
        ):
            count -= 1
        plain[count] = c"u" if letters[i] == c"v" else letters[i]
        count += 1
    for end in range(1, count + 1):
        for begin in range(max(0, end - LONGEST_CHINESE), end):
            if ends >> begin & 1 and find_word(syllables, plain + begin, end - begin):
                ends |= <uint64_t>1 << end
                break
        if end >= LONGEST_CHINESE and not ends >> (end - LONGEST_CHINESE + 1):
            return False
    return count > 0 and ends >> count & 1
