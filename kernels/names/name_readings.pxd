"""The possible surnames and given names in a name, as rows of its words."""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy

cdef enum:
    MOST_WORDS = 255           # of one name
    MOST_READINGS = 5

# The ways to read a name: as written; without a comma; surname and given names exchanged; with the
# comma behind another word.
cdef enum:
    READ_AS_WRITTEN, READ_WITHOUT_ORDER, READ_TURNED, READ_MISPLACED

ctypedef struct WordRow:
    const uint32_t *words
    int count

ctypedef struct Reading:
    WordRow surname
    WordRow given
    int how

ctypedef struct Readings:
    Reading rows[MOST_READINGS]
    int count
    uint32_t joined[2][MOST_WORDS]

# A name: numbers of its words, surname words first; `surname` is their number.
ctypedef struct NameWords:
    const uint32_t *numbers
    int surname
    int count
    bint is_ordered


cdef inline bint holds(const WordRow *row, uint32_t number) noexcept nogil:
    cdef int i
    for i in range(row.count):
        if row.words[i] == number:
            return True
    return False


cdef inline bint are_equal_rows(const WordRow *row, const WordRow *other) noexcept nogil:
    cdef int i
    if row.count != other.count:
        return False
    for i in range(row.count):
        if row.words[i] != other.words[i]:
            return False
    return True


cdef inline WordRow row_of(const NameWords *name, int begin, int end) noexcept nogil:
    return WordRow(name.numbers + begin, end - begin)


cdef inline void add_reading(
    Readings *readings, WordRow surname, WordRow given, int how
) noexcept nogil:
    readings.rows[readings.count] = Reading(surname, given, how)
    readings.count += 1


cdef inline void add_split(
    Readings *readings, const NameWords *name, int words, bint is_surname_last, int how
) noexcept nogil:
    """Add the reading whose surname is the first or last `words` words."""
    cdef int end = name.count
    if is_surname_last:
        add_reading(readings, row_of(name, end - words, end), row_of(name, 0, end - words), how)
    else:
        add_reading(readings, row_of(name, 0, words), row_of(name, words, end), how)


cdef inline void read_by_itself(const NameWords *name, Readings *readings) noexcept nogil:
    """Read a name as written, or without a comma one or two surnames, last or first."""
    cdef int words
    readings.count = 0
    if name.is_ordered or name.count < 2:
        add_split(readings, name, name.surname, False, READ_AS_WRITTEN)
        return
    for words in range(1, 3 if name.count > 2 else 2):
        add_split(readings, name, words, True, READ_WITHOUT_ORDER)
        add_split(readings, name, words, False, READ_WITHOUT_ORDER)


cdef inline void read_beside(
    const NameWords *name, const NameWords *listed, Readings *readings
) noexcept nogil:
    """Read a name as written.

    A name with a comma also has reversed and misplaced readings, if a word is in the other part of
    `listed`.
    """
    cdef WordRow surname = row_of(name, 0, name.surname)
    cdef WordRow given = row_of(name, name.surname, name.count)
    cdef WordRow listed_surname = row_of(listed, 0, listed.surname)
    cdef WordRow listed_given = row_of(listed, listed.surname, listed.count)
    cdef int i
    read_by_itself(name, readings)
    if not name.is_ordered:
        return
    for i in range(given.count):
        if holds(&listed_surname, given.words[i]):
            add_reading(readings, given, surname, READ_TURNED)
            break
    if given.count > 1 and holds(&listed_surname, given.words[0]):
        add_split(readings, name, surname.count + 1, False, READ_MISPLACED)
    if surname.count > 1 and holds(&listed_given, surname.words[0]):
        readings.joined[0][0] = surname.words[0]
        memcpy(&readings.joined[0][1], given.words, given.count * sizeof(uint32_t))
        memcpy(&readings.joined[1][0], given.words, given.count * sizeof(uint32_t))
        readings.joined[1][given.count] = surname.words[0]
        for i in range(2):
            add_reading(
                readings, row_of(name, 1, name.surname),
                WordRow(&readings.joined[i][0], given.count + 1), READ_MISPLACED,
            )
