"""Rules for single values of header fields: dates, rounds, ECO codes, names of events and players.

Text is UTF-8; characters are code points, classified as Python classifies them.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from find_bytes cimport ocg_find
from utf8 cimport utf8_length

cdef extern from "Python.h" nogil:
    bint Py_UNICODE_ISDECIMAL(uint32_t char)
    bint Py_UNICODE_ISLOWER(uint32_t char)
    bint Py_UNICODE_ISTITLE(uint32_t char)
    bint Py_UNICODE_ISUPPER(uint32_t char)

# Which of two names is better.
cdef enum:
    LEFT = 1
    RIGHT = 2                  # LEFT | RIGHT: they are equally good; 0: neither is usable
    ASK = 4                    # Python must decide

cdef enum:
    DATE_BYTES = 10            # of "1999.12.31"
    CODE_CHARS = 3             # ECO codes with the same first characters count together
    MOST_SMALL_NAMES = 4       # characters of a text that may be in one case


ctypedef struct Text:
    const uint8_t *text
    size_t length


# --- characters -----------------------------------------------------------------------------------

cdef inline uint32_t next_char(const uint8_t **at, const uint8_t *end) noexcept nogil:
    """Return the next character and step over it; a byte that is not UTF-8 is U+FFFD."""
    cdef const uint8_t *p = at[0]
    cdef uint32_t char = p[0]
    cdef int i, length
    if char < 0x80:
        at[0] = p + 1
        return char
    length = utf8_length(p, end)
    if length == 0:
        at[0] = p + 1
        return 0xFFFD
    char &= 0xFF >> (length + 1)
    for i in range(1, length):
        char = char << 6 | (p[i] & 0x3F)
    at[0] = p + length
    return char


cdef inline size_t char_count(Text text) noexcept nogil:
    cdef size_t i, count = 0
    for i in range(text.length):
        count += text.text[i] & 0xC0 != 0x80
    return count


cdef inline size_t bytes_of_chars(Text text, size_t chars) noexcept nogil:
    """Return the number of bytes of the first characters."""
    cdef size_t at = 0
    while at < text.length:
        if text.text[at] & 0xC0 != 0x80:
            if chars == 0:
                break
            chars -= 1
        at += 1
    return at


cdef inline size_t count_char(Text text, uint8_t char) noexcept nogil:
    cdef size_t i, count = 0
    for i in range(text.length):
        count += text.text[i] == char
    return count


cdef inline size_t digit_count(Text text) noexcept nogil:
    """Return the number of digits with which a text begins."""
    cdef size_t digits = 0
    while digits < text.length and c"0" <= text.text[digits] <= c"9":
        digits += 1
    return digits


cdef inline bint contains(Text text, const char *part, size_t length) noexcept nogil:
    return text.length >= length and ocg_find(text.text, text.length, part, length) != NULL


cdef inline bint begins_with(Text text, Text first) noexcept nogil:
    return text.length >= first.length and (
        first.length == 0 or memcmp(text.text, first.text, first.length) == 0
    )


cdef inline bint differ(Text left, Text right) noexcept nogil:
    """Return whether two texts differ; no text differs from the empty text."""
    if left.text == NULL or right.text == NULL:
        return left.text != right.text
    return left.length != right.length or memcmp(left.text, right.text, left.length) != 0


cdef inline bint is_blank(Text text) noexcept nogil:
    """Return whether a text is missing or one of EMPTY_TEXTS in matching/header_score.py."""
    if text.text == NULL or text.length == 0:
        return True
    if text.length == 1:
        return text.text[0] == c"?" or text.text[0] == c"-"
    if text.length <= 3:
        return memcmp(text.text, b"???", text.length) == 0
    return text.length == 10 and memcmp(text.text, b"????.??.??", 10) == 0


cdef inline bint is_in_one_case(Text text) noexcept nogil:
    """Return whether a text is all in capitals or all in small letters; False for a short text."""
    cdef const uint8_t *at = text.text
    cdef const uint8_t *end = text.text + text.length
    cdef uint32_t char
    cdef bint has_small = False, has_capital = False
    if char_count(text) <= MOST_SMALL_NAMES:
        return False
    while at < end:
        char = next_char(&at, end)
        if Py_UNICODE_ISTITLE(char):
            return False
        has_small |= Py_UNICODE_ISLOWER(char)
        has_capital |= Py_UNICODE_ISUPPER(char)
    return has_small != has_capital


# --- dates, rounds, codes -------------------------------------------------------------------------

cdef inline bint is_date_text(Text date) noexcept nogil:
    """Return whether a text has the form of a date and at least one digit."""
    cdef int i
    cdef bint has_digit = False
    if date.text == NULL or date.length != DATE_BYTES:
        return False
    for i in range(DATE_BYTES):
        if i == 4 or i == 7:
            if date.text[i] != c".":
                return False
        elif c"0" <= date.text[i] <= c"9":
            has_digit = True
        elif date.text[i] != c"?":
            return False
    return has_digit


cdef inline bint may_be_same_day(Text left, Text right) noexcept nogil:
    """Return whether two dates may be the same day."""
    cdef int i
    for i in range(DATE_BYTES):
        if left.text[i] != right.text[i] and left.text[i] != c"?" and right.text[i] != c"?":
            return False
    return True


cdef inline Text event_date(Text tags) noexcept nogil:
    """Return the first day of the event, from the tag EventDate; no text if it is unknown."""
    cdef const char *at = NULL
    cdef Text date
    if tags.length:
        at = ocg_find(tags.text, tags.length, b'"EventDate":"', 13)
    if at == NULL:
        return Text(NULL, 0)
    date.text = <const uint8_t *>at + 13
    date.length = min(<size_t>(tags.text + tags.length - date.text), <size_t>DATE_BYTES)
    return date if is_date_text(date) else Text(NULL, 0)


# Reads a round as parts that end with full stops: "1(2)" and "01.2" are both "1.2.".
ctypedef struct RoundReader:
    const uint8_t *at
    const uint8_t *end
    bint is_first              # of a part
    bint is_over


cdef inline RoundReader read_round(Text text) noexcept nogil:
    cdef RoundReader reader
    reader.at, reader.end = text.text, text.text + text.length
    reader.is_first, reader.is_over = True, False
    return reader


cdef inline int next_in_round(RoundReader *r) noexcept nogil:
    """Return the next byte of the parts, -1 after the full stop of the last part."""
    cdef uint8_t char
    while r.at < r.end:
        char = r.at[0]
        r.at += 1
        if char == c")" or (char == c"0" and r.is_first):
            continue
        r.is_first = char == c"(" or char == c"."
        return c"." if r.is_first else char
    if r.is_over:
        return -1
    r.is_over = True
    return c"."


cdef inline bint is_code(Text eco) noexcept nogil:
    """Return whether a text begins as a code of the Encyclopaedia of Chess Openings: A00 to E99."""
    cdef const uint8_t *at = eco.text + 1
    cdef const uint8_t *end = eco.text + eco.length
    cdef int _i
    if eco.length < CODE_CHARS or not c"A" <= eco.text[0] <= c"E":
        return False
    for _i in range(1, CODE_CHARS):
        if at >= end or not Py_UNICODE_ISDECIMAL(next_char(&at, end)):
            return False
    return True


# --- events and sites -----------------------------------------------------------------------------

cdef inline bint is_country(const uint8_t *at) noexcept nogil:
    """Return whether a blank and three capitals follow."""
    cdef int i
    for i in range(1, 4):
        if not c"A" <= at[i] <= c"Z":
            return False
    return at[0] == c" "


cdef inline size_t without_line_end(Text text) noexcept nogil:
    """Return the length without a line end, which the end of a pattern may precede."""
    return text.length - (text.length > 0 and text.text[text.length - 1] == c"\n")


cdef inline bint has_country(Text text) noexcept nogil:
    """Return whether a text ends with a country, as in "Monaco MNC"."""
    cdef size_t end = without_line_end(text)
    return end >= 5 and is_country(text.text + end - 4) and (
        c"a" <= text.text[end - 5] <= c"z" or text.text[end - 5] == c")"
    )


cdef inline bint has_two_countries(Text text) noexcept nogil:
    """Return whether a text ends with two countries, as in "Nachod CZE RUS": one is wrong."""
    cdef size_t end = without_line_end(text)
    return end >= 8 and is_country(text.text + end - 4) and is_country(text.text + end - 8)


cdef inline bint has_private_number(Text text) noexcept nogil:
    """Return whether a text begins with a number of a private list: "087.New York"."""
    cdef size_t digits = digit_count(text)
    return (
        (digits >= 3 or (digits == 2 and text.text[0] == c"0")) and digits + 1 < text.length
        and text.text[digits] == c"." and text.text[digits + 1] != c" "
    )


# --- names of players -----------------------------------------------------------------------------

cdef inline size_t capitalised(const uint8_t *text, size_t at, size_t end) noexcept nogil:
    """Return the end of the capitalised words that begin at `at`; `at` if there are none.

    Blanks or hyphens separate them.
    """
    cdef size_t start = at
    while True:
        if at >= end or not c"A" <= text[at] <= c"Z":
            return start if at == start else at - 1
        at += 1
        while at < end and c"a" <= text[at] <= c"z":
            at += 1
        if at >= end or (text[at] != c" " and text[at] != c"-"):
            return at
        at += 1


cdef inline size_t plain_given(Text name, size_t *surname) noexcept nogil:
    """Return where the given names of "Surname, Given" begin, 0 if a name is not so simple."""
    cdef size_t at
    surname[0] = capitalised(name.text, 0, name.length)
    at = surname[0]
    if at == 0 or at >= name.length or name.text[at] != c",":
        return 0
    at += 1
    if at < name.length and name.text[at] == c" ":
        at += 1
    return at if at < name.length and capitalised(name.text, at, name.length) == name.length else 0


cdef inline int compare_plain(Text left, Text right, size_t *given) noexcept nogil:
    """Return which of "Kasparov,G" and "Kasparov, Garry" is better; ASK if not so simple.

    `given`: set to the start of the given names of the better name, to check for titles.
    """
    cdef size_t surname, right_surname, at, right_at, length, right_length
    at = plain_given(left, &surname)
    right_at = plain_given(right, &right_surname)
    if (
        at == 0 or right_at == 0 or surname != right_surname or surname < 3
        or memcmp(left.text, right.text, surname) != 0
    ):
        return ASK
    length = left.length - at
    right_length = right.length - right_at
    if memcmp(left.text + at, right.text + right_at, min(length, right_length)) != 0:
        return ASK
    if length == right_length:
        given[0] = at if at == surname + 2 else right_at
        return LEFT if at == surname + 2 else RIGHT
    given[0] = at if length > right_length else right_at
    return LEFT if length > right_length else RIGHT


cdef inline int usable_sides(bint left, bint right) noexcept nogil:
    """Return which of two values are usable, as LEFT and RIGHT."""
    return (LEFT if left else 0) | (RIGHT if right else 0)
