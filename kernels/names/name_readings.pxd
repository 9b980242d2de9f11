"""The possible surnames and given names in a name, as ranges of its words."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from memory cimport allocate_zeros
from word_store cimport WordStore, hash_on

# --- pairs of words that fit ----------------------------------------------------------------------

# Cache of pairs of words that fit: a hash table that is emptied when it is too large.

cdef enum:
    UNKNOWN, MISFITS, FITS
    MOST_SLOTS = 1 << 22       # 32 MB

# A slot is two word numbers of 31 bits and their state; 0 is free.
ctypedef struct FitMemo:
    uint64_t *slots
    uint32_t slot_count
    uint32_t used
    uint32_t epoch             # number of times it was emptied, from 1


cdef inline int open_fits(FitMemo *memo) except -1:
    memo.used = 0
    memo.epoch = 1
    memo.slot_count = 1 << 10
    memo.slots = <uint64_t *>allocate_zeros(memo.slot_count, sizeof(uint64_t))


cdef inline void empty_fits(FitMemo *memo) noexcept nogil:
    memset(memo.slots, 0, <size_t>memo.slot_count * sizeof(uint64_t))
    memo.used = 0
    memo.epoch += 1


cdef inline void close_fits(FitMemo *memo) noexcept:
    free(memo.slots)


cdef inline uint64_t pair_key(uint32_t written, uint32_t listed) noexcept nogil:
    return (<uint64_t>written << 31 | listed) << 2


cdef inline uint32_t fit_slot(const FitMemo *memo, uint64_t key) noexcept nogil:
    cdef uint32_t mask = memo.slot_count - 1
    cdef uint32_t slot = <uint32_t>((key * 0x9E3779B97F4A7C15u) >> 32) & mask
    while memo.slots[slot] and memo.slots[slot] & ~(<uint64_t>3) != key:
        slot = (slot + 1) & mask
    return slot


cdef inline int fit_of(const FitMemo *memo, uint32_t written, uint32_t listed) noexcept nogil:
    return <int>(memo.slots[fit_slot(memo, pair_key(written, listed))] & 3)


cdef inline int widen_fits(FitMemo *memo) except -1:
    cdef uint64_t *before = memo.slots
    cdef uint32_t count = memo.slot_count, i
    if count >= MOST_SLOTS:
        empty_fits(memo)
        return 0
    memo.slots = <uint64_t *>allocate_zeros(<size_t>count * 2, sizeof(uint64_t))
    memo.slot_count = count * 2
    for i in range(count):
        if before[i]:
            memo.slots[fit_slot(memo, before[i] & ~(<uint64_t>3))] = before[i]
    free(before)


cdef inline int set_fit(FitMemo *memo, uint32_t written, uint32_t listed, int fit) except -1:
    cdef uint64_t key = pair_key(written, listed)
    if memo.used * 2 >= memo.slot_count:
        widen_fits(memo)
    cdef uint32_t slot = fit_slot(memo, key)
    memo.used += memo.slots[slot] == 0
    memo.slots[slot] = key | fit


# --- readings of a name ---------------------------------------------------------------------------

cdef enum:
    MOST_READINGS = 5

# Words [begin, end), followed by [further, further_end).
ctypedef struct Part:
    int begin
    int end
    int further
    int further_end

ctypedef struct Reading:
    Part surname
    Part given

# A name: numbers of its words, surname words first; `surname` is their number.
ctypedef struct NameWords:
    const uint32_t *numbers
    int surname
    int count
    bint is_ordered


cdef inline Part part(int begin, int end, int further=0, int further_end=0) noexcept nogil:
    return Part(begin, end, further, further_end)


cdef inline int part_length(const Part *of) noexcept nogil:
    return of.end - of.begin + of.further_end - of.further


cdef inline uint32_t word_in(const NameWords *name, const Part *of, int index) noexcept nogil:
    """Return the number of a word by its index in a part."""
    if index < of.end - of.begin:
        return name.numbers[of.begin + index]
    return name.numbers[of.further + index - (of.end - of.begin)]


cdef inline bint holds(const NameWords *name, int begin, int end, uint32_t number) noexcept nogil:
    cdef int i
    for i in range(begin, end):
        if name.numbers[i] == number:
            return True
    return False


cdef inline int readings_of(const NameWords *name, Reading *readings) noexcept nogil:
    """Write the readings of a name by itself; return their number."""
    cdef int words = name.count
    if name.is_ordered or words < 2:
        readings[0] = Reading(part(0, name.surname), part(name.surname, words))
        return 1
    readings[0] = Reading(part(words - 1, words), part(0, words - 1))
    readings[1] = Reading(part(0, 1), part(1, words))
    if words == 2:
        return 2
    readings[2] = Reading(part(words - 2, words), part(0, words - 2))
    readings[3] = Reading(part(0, 2), part(2, words))
    return 4


cdef inline int readings_beside(
    const NameWords *name, const NameWords *listed, Reading *readings
) noexcept nogil:
    """Write the readings of a name as written; return their number.

    A name with a comma also has reversed and misplaced readings, if a word is in the other part of
    `listed`.
    """
    cdef int words = name.count, surname = name.surname, count = readings_of(name, readings), i
    if not name.is_ordered:
        return count
    for i in range(surname, words):
        if holds(listed, 0, listed.surname, name.numbers[i]):
            readings[count] = Reading(part(surname, words), part(0, surname))
            count += 1
            break
    if words - surname > 1 and holds(listed, 0, listed.surname, name.numbers[surname]):
        readings[count] = Reading(part(0, surname + 1), part(surname + 1, words))
        count += 1
    if surname > 1 and holds(listed, listed.surname, listed.count, name.numbers[0]):
        readings[count] = Reading(part(1, surname), part(0, 1, surname, words))
        readings[count + 1] = Reading(part(1, surname), part(surname, words, 0, 1))
        count += 2
    return count


cdef inline bint same_letters(
    const WordStore *store, const NameWords *name, const Part *of, const NameWords *other,
    const Part *of_other,
) noexcept nogil:
    """Return whether two parts have the same number of letters and the same hash of them."""
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
