"""Which header values agree: they are equal, or one is less precise.

Values of two fields that belong together come from one record, or from records that agree.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp

from field_rules cimport (
    RoundReader, Text, digit_count, is_blank, is_date_text, may_be_same_day, next_in_round,
    read_round,
)
from header_fields cimport FIELD_DATE, FIELD_EVENT, FIELD_ROUND, FIELD_SITE
from header_text cimport plain, read_digits

cdef enum:
    FIELD_PAIRS = 3
    MONTHS_OF_EVENT = 1        # from a month of an event to its other months


# The second field of a pair gives way.
ctypedef struct FieldPair:
    int first
    int second


cdef inline FieldPair field_pair(int index) noexcept nogil:
    """Return a pair of fields; an earlier pair does not depend on a later one."""
    if index == 0:
        return FieldPair(FIELD_DATE, FIELD_ROUND)
    return FieldPair(FIELD_DATE, FIELD_EVENT) if index == 1 else FieldPair(FIELD_EVENT, FIELD_SITE)


cdef inline int next_letter(const uint8_t **at, const uint8_t *end) noexcept nogil:
    """Return the next letter or digit as plain() returns it, and step over it; -1 at the end."""
    cdef uint8_t letter
    while at[0] < end:
        letter = plain(at[0][0])
        at[0] += 1
        if letter:
            return letter
    return -1


cdef inline bint begin_alike(Text left, Text right) noexcept nogil:
    """Return whether the letters and digits of one text begin those of the other."""
    cdef const uint8_t *at = left.text
    cdef const uint8_t *other_at = right.text
    cdef int char, other
    while True:
        char = next_letter(&at, left.text + left.length)
        other = next_letter(&other_at, right.text + right.length)
        if char < 0 or other < 0:
            return True
        if char != other:
            return False


cdef inline Text next_word(const uint8_t **at, const uint8_t *end) noexcept nogil:
    """Return the next run of letters and digits and step over it; an empty text at the end."""
    cdef const uint8_t *start
    cdef const uint8_t *p = at[0]
    while p < end and not plain(p[0]):
        p += 1
    start = p
    while p < end and plain(p[0]):
        p += 1
    at[0] = p
    return Text(start, p - start)


cdef inline bint words_agree(Text left, Text right) noexcept nogil:
    """Return whether one word is the other abbreviated: "w", "women"; "5", "5th"."""
    cdef size_t digits = digit_count(left)
    if digits != digit_count(right):
        return False
    if digits and memcmp(left.text, right.text, digits) != 0:
        return False
    return begin_alike(
        Text(left.text + digits, left.length - digits),
        Text(right.text + digits, right.length - digits),
    )


cdef inline bint has_all_words(Text text, Text words) noexcept nogil:
    """Return whether a text has the words of another one in their order, with others between."""
    cdef const uint8_t *at = words.text
    cdef const uint8_t *text_at = text.text
    cdef Text word = next_word(&at, words.text + words.length)
    cdef Text other
    while word.length:
        other = next_word(&text_at, text.text + text.length)
        if other.length == 0:
            return False
        if words_agree(word, other):
            word = next_word(&at, words.text + words.length)
    return True


cdef inline bint names_agree(Text left, Text right) noexcept nogil:
    """Return whether one text begins the other, or has words that the other also has."""
    return (
        is_blank(left) or is_blank(right) or begin_alike(left, right)
        or has_all_words(left, right) or has_all_words(right, left)
    )


cdef inline bint rounds_agree(Text left, Text right) noexcept nogil:
    """Return whether the parts of one round begin those of the other."""
    cdef RoundReader reader = read_round(left)
    cdef RoundReader other_reader = read_round(right)
    cdef int char, other
    if is_blank(left) or is_blank(right):
        return True
    while True:
        char = next_in_round(&reader)
        other = next_in_round(&other_reader)
        if char < 0 or other < 0:
            return True
        if char != other:
            return False


cdef inline int month_in(Text date, bint is_last) noexcept nogil:
    """Return the first or last month, counted from year 0, that a date may have; -1: any."""
    cdef int months = 12 * read_digits(date.text, 4)
    if memchr(date.text, c"?", 4) != NULL:
        return -1
    if memchr(date.text + 5, c"?", 2) != NULL:
        return months + (12 if is_last else 1)
    return months + read_digits(date.text + 5, 2)


cdef inline bint may_be_one_event(Text left, Text right) noexcept nogil:
    """Return whether two dates may be days of one event, such as one over the turn of the year."""
    if not is_date_text(left) or not is_date_text(right):
        return True
    if month_in(left, False) < 0 or month_in(right, False) < 0:
        return True
    return (
        month_in(left, False) <= month_in(right, True) + MONTHS_OF_EVENT
        and month_in(right, False) <= month_in(left, True) + MONTHS_OF_EVENT
    )


cdef inline bint values_agree(int field, int other_field, Text left, Text right) noexcept nogil:
    """Return whether two values of a field agree, as far as the other field of a pair needs it."""
    if field == FIELD_EVENT or field == FIELD_SITE:
        return names_agree(left, right)
    if field == FIELD_ROUND:
        return rounds_agree(left, right)
    if other_field == FIELD_EVENT:
        return may_be_one_event(left, right)
    return not is_date_text(left) or not is_date_text(right) or may_be_same_day(left, right)
