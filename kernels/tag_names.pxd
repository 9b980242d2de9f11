"""Names of tags: those that have a column of their own, or decide how a game is read."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from game_buffers cimport (
    KNOWN_TAGS, TAG_BLACK, TAG_BLACK_ELO, TAG_DATE, TAG_ECO, TAG_EVENT, TAG_FEN, TAG_RESULT,
    TAG_ROUND, TAG_SETUP, TAG_SITE, TAG_TIME_CONTROL, TAG_VARIANT, TAG_WHITE, TAG_WHITE_ELO,
)

cdef extern from "lex_tables.h" nogil:
    const uint64_t OCG_FIRST_BYTES[9]


cdef inline uint64_t load8(const uint8_t *p) noexcept nogil:
    cdef uint64_t value
    memcpy(&value, p, 8)
    return value


cdef inline uint64_t small_letters(const uint8_t *p, size_t length) noexcept nogil:
    """Return the first 8 bytes as a number, those from `length` on as 0, capitals made small.

    Used on tag names and their constants alike, so the order of bytes does not matter.
    """
    cdef uint64_t word = load8(p) | <uint64_t>0x2020202020202020
    return word if length >= 8 else word & OCG_FIRST_BYTES[length]


cdef inline bint is_name(uint64_t word, const char *name, size_t length) noexcept nogil:
    return word == small_letters(<const uint8_t *>name, length)


cdef inline int known_tag(const uint8_t *p, size_t length) noexcept nogil:
    """Return the index of a tag that has a column, KNOWN_TAGS for any other; case is ignored."""
    cdef uint64_t word = small_letters(p, length)
    if length == 5:
        if is_name(word, b"event\0\0\0", 5):
            return TAG_EVENT
        if is_name(word, b"white\0\0\0", 5):
            return TAG_WHITE
        if is_name(word, b"black\0\0\0", 5):
            return TAG_BLACK
        if is_name(word, b"round\0\0\0", 5):
            return TAG_ROUND
        return TAG_SETUP if is_name(word, b"setup\0\0\0", 5) else KNOWN_TAGS
    if length == 4:
        if is_name(word, b"site\0\0\0\0", 4):
            return TAG_SITE
        return TAG_DATE if is_name(word, b"date\0\0\0\0", 4) else KNOWN_TAGS
    if length == 8:
        if is_name(word, b"whiteelo", 8):
            return TAG_WHITE_ELO
        return TAG_BLACK_ELO if is_name(word, b"blackelo", 8) else KNOWN_TAGS
    if length == 3:
        if is_name(word, b"eco\0\0\0\0\0", 3):
            return TAG_ECO
        return TAG_FEN if is_name(word, b"fen\0\0\0\0\0", 3) else KNOWN_TAGS
    if length == 6:
        return TAG_RESULT if is_name(word, b"result\0\0", 6) else KNOWN_TAGS
    if length == 7:
        return TAG_VARIANT if is_name(word, b"variant\0", 7) else KNOWN_TAGS
    if length == 11 and is_name(word, b"timecont", 8) and is_name(
        small_letters(p + 3, 8), b"econtrol", 8
    ):
        return TAG_TIME_CONTROL
    return KNOWN_TAGS
