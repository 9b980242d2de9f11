"""What may be surname and what given names in a name, as ranges of its words.

The readings are those of likelihood.py.
"""

from libc.stdint cimport uint32_t

from word_store cimport WordStore, hash_on

cdef enum:
    MOST_READINGS = 5

# Words [begin, end) and, behind them, [further, further_end).
ctypedef struct Part:
    int begin
    int end
    int further
    int further_end


ctypedef struct Reading:
    Part surname
    Part given


# A name: numbers of its words, those of the surname first; `surname` says how many they are.
ctypedef struct NameWords:
    const uint32_t *numbers
    int surname
    int count
    bint is_ordered


cdef inline Part part(int begin, int end, int further=0, int further_end=0) noexcept nogil:
    cdef Part made
    made.begin = begin
    made.end = end
    made.further = further
    made.further_end = further_end
    return made


cdef inline int part_length(const Part *of) noexcept nogil:
    return of.end - of.begin + of.further_end - of.further


cdef inline uint32_t word_in(const NameWords *name, const Part *of, int place) noexcept nogil:
    """Return the number of a word by its place in a part."""
    if place < of.end - of.begin:
        return name.numbers[of.begin + place]
    return name.numbers[of.further + place - (of.end - of.begin)]


cdef inline bint holds(const NameWords *name, int begin, int end, uint32_t number) noexcept nogil:
    cdef int i
    for i in range(begin, end):
        if name.numbers[i] == number:
            return True
    return False


cdef inline int readings_of(const NameWords *name, Reading *readings) noexcept nogil:
    """Write the readings of a name by itself; return how many."""
    cdef int words = name.count
    if name.is_ordered or words < 2:
        readings[0].surname = part(0, name.surname)
        readings[0].given = part(name.surname, words)
        return 1
    readings[0].surname = part(words - 1, words)
    readings[0].given = part(0, words - 1)
    readings[1].surname = part(0, 1)
    readings[1].given = part(1, words)
    if words == 2:
        return 2
    readings[2].surname = part(words - 2, words)
    readings[2].given = part(0, words - 2)
    readings[3].surname = part(0, 2)
    readings[3].given = part(2, words)
    return 4


cdef inline int readings_beside(
    const NameWords *name, const NameWords *listed, Reading *readings
) noexcept nogil:
    """Write the readings of a name as written; return how many.

    With a comma: turned and misplaced ones too, where a word stands in the other place of `listed`.
    """
    cdef int words = name.count, surname = name.surname, count = readings_of(name, readings), i
    if not name.is_ordered:
        return count
    for i in range(surname, words):
        if holds(listed, 0, listed.surname, name.numbers[i]):
            readings[count].surname = part(surname, words)
            readings[count].given = part(0, surname)
            count += 1
            break
    if words - surname > 1 and holds(listed, 0, listed.surname, name.numbers[surname]):
        readings[count].surname = part(0, surname + 1)
        readings[count].given = part(surname + 1, words)
        count += 1
    if surname > 1 and holds(listed, listed.surname, listed.count, name.numbers[0]):
        readings[count].surname = part(1, surname)
        readings[count].given = part(0, 1, surname, words)
        readings[count + 1].surname = part(1, surname)
        readings[count + 1].given = part(surname, words, 0, 1)
        count += 2
    return count


cdef inline bint same_letters(
    const WordStore *store,
    const NameWords *name,
    const Part *of,
    const NameWords *other,
    const Part *of_other,
) noexcept nogil:
    """Tell if two parts are the same letters in a row; by their hash, so they may still differ."""
    cdef size_t letters = 0, other_letters = 0
    cdef uint32_t hashed = 0, other_hashed = 0, number
    cdef int i
    for i in range(part_length(of)):
        letters += store.words[word_in(name, of, i)].length
    for i in range(part_length(of_other)):
        other_letters += store.words[word_in(other, of_other, i)].length
    if letters != other_letters:
        return False
    for i in range(part_length(of)):
        number = word_in(name, of, i)
        hashed = hash_on(
            hashed, store.letters + store.words[number].begin, store.words[number].length
        )
    for i in range(part_length(of_other)):
        number = word_in(other, of_other, i)
        other_hashed = hash_on(
            other_hashed, store.letters + store.words[number].begin, store.words[number].length
        )
    return hashed == other_hashed
