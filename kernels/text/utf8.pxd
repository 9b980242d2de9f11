"""Validate UTF-8 as strictly as Python's decoder: no surrogates, no overlong forms."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memchr, memcpy


cdef inline bint is_ascii(const uint8_t *text, size_t length) noexcept nogil:
    cdef uint8_t bits = 0
    cdef size_t i
    for i in range(length):
        bits |= text[i]
    return bits < 128


cdef inline bint continues(const uint8_t *p, int count) noexcept nogil:
    """Return whether `count` bytes from p are continuation bytes."""
    cdef int i
    for i in range(count):
        if p[i] & 0xC0 != 0x80:
            return False
    return True


cdef inline bint may_be_garbled(const uint8_t *p, size_t length) noexcept nogil:
    """Return whether UTF-8 may contain UTF-8 that was misread as Latin-1 or Windows-1252.

    True for a letter from U+00C2 to U+00F4, followed by a character that these charsets have for a
    continuation byte: U+0080 to U+00BF, U+0152 to U+017E, U+0192, U+02C6, U+02DC, U+20xx, U+2122.
    """
    cdef const uint8_t *end = p + length
    while p + 3 < end:
        p = <const uint8_t *>memchr(p, 0xC3, end - p - 3)
        if p == NULL:
            return False
        if 0x82 <= p[1] <= 0xB4 and (
            p[2] == 0xC2 or p[2] == 0xC5 or p[2] == 0xC6 or p[2] == 0xCB or p[2] == 0xE2
        ):
            return True
        p += 2
    return False


cdef inline int utf8_length(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the length of the non-ASCII character at `p`; 0 if it is invalid."""
    cdef uint8_t lead = p[0]
    cdef uint8_t second
    if end - p < 2:
        return 0
    second = p[1]
    if 0xC2 <= lead <= 0xDF:
        return 2 if continues(p + 1, 1) else 0
    if 0xE0 <= lead <= 0xEF:
        if (lead == 0xE0 and second < 0xA0) or (lead == 0xED and second > 0x9F):
            return 0
        return 3 if end - p >= 3 and continues(p + 1, 2) else 0
    if 0xF0 <= lead <= 0xF4:
        if (lead == 0xF0 and second < 0x90) or (lead == 0xF4 and second > 0x8F):
            return 0
        return 4 if end - p >= 4 and continues(p + 1, 3) else 0
    return 0


cdef inline bint is_utf8(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether all bytes are valid UTF-8."""
    cdef uint64_t word
    cdef int length
    while p < end:
        if end - p >= 8:
            memcpy(&word, p, 8)
            if word & <uint64_t>0x8080808080808080 == 0:
                p += 8
                continue
        if p[0] < 0x80:
            p += 1
            continue
        length = utf8_length(p, end)
        if length == 0:
            return False
        p += length
    return True
