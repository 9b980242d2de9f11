"""Hashed phonetic codes of a word by three systems, which find similar words.

A hash is the low PHONETIC_BITS of the CRC-32 of the code, with the system in the two bits above.
The hashes are stored.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memmove

from daitch_mokotoff cimport DAITCH_CODES, DAITCH_DIGITS, DIGIT_BITS, daitch_codes
from double_metaphone cimport Metaphone, double_metaphone
from phonetic_rules cimport (
    Row, Rows, Table, Work, encode, guess_languages, language_number, row_at, text_of,
)
from thresholds cimport PHONETIC_BITS, PHONETIC_LETTERS

# Stored: never renumber.
cdef enum:
    DOUBLE_METAPHONE = 0
    DAITCH_MOKOTOFF = 1
    BEIDER_MORSE = 2

cdef enum:
    BEIDER_MORSE_CODES = 32    # of a word, those with the lowest hashes; one word in ten has more
    WORD_CODES = 2 + DAITCH_CODES + BEIDER_MORSE_CODES


cdef inline uint32_t hash_code(
    const Table *t, uint32_t system, const uint8_t *code, size_t length
) noexcept nogil:
    cdef uint32_t crc = 0xFFFFFFFF
    cdef size_t i
    for i in range(length):
        crc = t.crc[(crc ^ code[i]) & 0xFF] ^ crc >> 8
    return system << PHONETIC_BITS | (~crc & ((<uint32_t>1 << PHONETIC_BITS) - 1))


cdef inline size_t add_hash(
    uint32_t *codes, size_t count, size_t capacity, uint32_t code
) noexcept nogil:
    """Insert a hash into the sorted, distinct lowest ones; return their number."""
    cdef size_t i = count
    if i == capacity and code >= codes[i - 1]:
        return count
    while i > 0 and codes[i - 1] > code:
        i -= 1
    if i > 0 and codes[i - 1] == code:
        return count
    if count < capacity:
        count += 1
    memmove(codes + i + 1, codes + i, (count - 1 - i) * sizeof(uint32_t))
    codes[i] = code
    return count


cdef inline size_t hash_metaphone(
    const Table *t, const uint8_t *word, Py_ssize_t length, uint32_t *codes
) noexcept nogil:
    cdef Metaphone m
    cdef size_t count = 0
    double_metaphone(word, length, &m)
    if m.primary_length:
        count = add_hash(codes, count, 2, hash_code(
            t, DOUBLE_METAPHONE, <const uint8_t *>m.primary, m.primary_length
        ))
    if m.secondary_length:
        count = add_hash(codes, count, 2, hash_code(
            t, DOUBLE_METAPHONE, <const uint8_t *>m.secondary, m.secondary_length
        ))
    return count


cdef inline size_t hash_daitch(
    const Table *t, const uint8_t *word, Py_ssize_t length, uint32_t *codes
) noexcept nogil:
    """Hash the codes of a word, for a word without letters 000000."""
    cdef uint32_t branches[DAITCH_CODES]
    cdef uint8_t digits[DAITCH_DIGITS]
    cdef int i, k, branch_count = daitch_codes(word, length, branches)
    cdef size_t count = 0
    for i in range(branch_count):
        for k in range(DAITCH_DIGITS):
            digits[DAITCH_DIGITS - 1 - k] = c"0" + (branches[i] >> DIGIT_BITS * k & 0xF)
        count = add_hash(
            codes, count, DAITCH_CODES, hash_code(t, DAITCH_MOKOTOFF, digits, DAITCH_DIGITS)
        )
    return count


cdef inline size_t hash_spellings(const Table *t, const Rows *rows, uint32_t *codes) noexcept nogil:
    cdef size_t count = 0, i
    cdef Row *row
    for i in range(rows.count):
        row = row_at(rows, i)
        if row.length > 0:
            count = add_hash(
                codes, count, BEIDER_MORSE_CODES,
                hash_code(t, BEIDER_MORSE, text_of(row), row.length),
            )
    return count


cdef inline int encode_letters(
    const Table *t, Work *w, const uint8_t *word, const uint8_t *numbers, Py_ssize_t length,
    uint32_t *codes,
) except -1 nogil:
    """Write the hashes of a word's codes, up to WORD_CODES; return their number.

    They are distinct and ascending, since each system's are above those of the one before. A word
    is lower-case ASCII, up to PHONETIC_LETTERS letters; others than a to z have no sound.
    `numbers`: the same letters as the rules number them. `w` is memory for one word at a time, all
    0 at first; free_work() frees it.
    """
    cdef uint32_t languages = guess_languages(t, numbers, length)
    cdef size_t count
    if length == 0:
        return 0
    count = hash_metaphone(t, word, length, codes)
    count += hash_daitch(t, word, length, codes + count)
    encode(t, w, numbers, length, language_number(t, languages), languages)
    return <int>(count + hash_spellings(t, &w.spellings, codes + count))
