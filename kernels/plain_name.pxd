"""A plain name cut into words: letters A to Z, with or without a comma.

What is not plain is for name_form.py. Which words are odd, the caller says.
"""

from libc.stdint cimport uint8_t

cdef enum:
    LONGEST_PLAIN = 128  # bytes; longer names are not plain

# A word is letters[begins[i]:begins[i + 1]]. `surname`: how many words stand before the comma,
# -1 if there is none. `has_capitals`: behind the first letter.
ctypedef struct PlainName:
    uint8_t letters[LONGEST_PLAIN + 1]
    uint8_t begins[LONGEST_PLAIN + 2]
    bint has_capitals[LONGEST_PLAIN + 1]
    int words
    int surname


cdef inline bint _is_letter(uint8_t byte) noexcept nogil:
    return c"a" <= (byte | 32) <= c"z"


cdef inline bint _is_odd(uint8_t byte) noexcept nogil:
    """Tell if a byte makes a name one that is not plain."""
    return c"0" <= byte <= c"9" or byte == c"(" or byte == c")" or byte == c"_" or byte == c"'"


cdef inline bint cut_plain_name(const uint8_t *text, int size, PlainName *name) noexcept nogil:
    """Cut a name into words in small letters; tell if it is plain, as far as letters say it."""
    cdef int place = 0, used = 0, i
    cdef bint has_small = False
    name.words = 0
    name.surname = -1
    if size > LONGEST_PLAIN:
        return False
    while place < size:
        if not _is_letter(text[place]):
            if _is_odd(text[place]):
                return False
            if text[place] == c"," and name.surname < 0:
                name.surname = name.words
            place += 1
            continue
        name.begins[name.words] = <uint8_t> used
        name.has_capitals[name.words] = False
        while place < size and _is_letter(text[place]):
            if text[place] >= c"a":
                has_small = True
            elif used > name.begins[name.words]:
                name.has_capitals[name.words] = True
            name.letters[used] = text[place] | 32
            used += 1
            place += 1
        name.words += 1
    name.begins[name.words] = <uint8_t> used
    # Capitals within given names, or within a name without a comma, are several words.
    for i in range(name.surname if name.surname > 0 else 0, name.words):
        if name.has_capitals[i]:
            return False
    return has_small and name.surname != 0 and name.surname != name.words
