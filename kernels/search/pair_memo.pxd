"""Caches of recent comparisons: pairs of equal names and pairs of equal records.

Large collections have the same records several times, so the same two are compared repeatedly. A
cached answer is used only if everything that it depends on is equal. The tables are small and
belong to one thread; a later answer overwrites an earlier one in the same slot.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp

from game_record cimport Game, Games, are_equal_records, is_of_source
from memory cimport allocate_zeros

cdef enum:
    SLOT_BITS_OF_NAMES = 13
    SLOT_BITS_OF_RECORDS = 12
    # Relation of the sources of two records.
    ARE_EQUAL_RECORDS = 1
    ARE_OF_ONE_SOURCE = 2

ctypedef struct NameAnswer:
    # left << 32 | right; 0 is free, since no name is compared with itself
    uint64_t pair
    int relation

ctypedef struct RecordAnswer:
    uint64_t contents          # of both records, hashed
    double score
    uint32_t left              # indexes of games
    uint32_t right
    uint8_t sources
    uint8_t verdict
    uint8_t rule
    bint is_used

ctypedef struct Memo:
    NameAnswer *names
    RecordAnswer *records


cdef inline int open_memo(Memo *memo) except -1 nogil:
    """Allocate the tables if needed."""
    if memo.names == NULL:
        memo.names = <NameAnswer *>allocate_zeros(1 << SLOT_BITS_OF_NAMES, sizeof(NameAnswer))
    if memo.records == NULL:
        memo.records = <RecordAnswer *>allocate_zeros(
            1 << SLOT_BITS_OF_RECORDS, sizeof(RecordAnswer)
        )


cdef inline void close_memo(Memo *memo) noexcept nogil:
    free(memo.names)
    free(memo.records)


cdef inline size_t slot_of(uint64_t key, int bits) noexcept nogil:
    return <size_t>(key * <uint64_t>0x9E3779B97F4A7C15 >> (64 - bits))


cdef inline bint have_equal_evidence(const Game *a, const Game *b) noexcept nogil:
    """Return whether two records are the same in every comparison, ignoring their sources."""
    return (
        a.line == b.line and a.date == b.date and a.theory == b.theory
        and a.result == b.result and a.flags == b.flags and a.address == b.address
        and a.lines == b.lines and a.symmetry == b.symmetry
        and a.start_symmetries == b.start_symmetries and a.stones == b.stones
        # names, persons, fide_ids, event, site, round, elos
        and memcmp(a.names, b.names, <const uint8_t *>&a.source - <const uint8_t *>a.names) == 0
    )


cdef inline int sources_of(const Games *all, const Game *a, const Game *b) noexcept nogil:
    cdef int sources = 0
    if are_equal_records(a, b):
        sources = ARE_EQUAL_RECORDS
    if is_of_source(all, a, b.source) or is_of_source(all, b, a.source):
        sources |= ARE_OF_ONE_SOURCE
    return sources


cdef inline RecordAnswer *answer_for(
    const Games *all, Memo *memo, uint32_t left, uint32_t right
) noexcept nogil:
    """Return the slot of a pair; its answer is valid if `is_used` is set."""
    cdef const Game *a = &all.games[left]
    cdef const Game *b = &all.games[right]
    cdef uint64_t contents = (a.content << 7 | a.content >> 57) ^ b.content
    cdef RecordAnswer *answer = &memo.records[slot_of(contents, SLOT_BITS_OF_RECORDS)]
    cdef int sources = sources_of(all, a, b)
    answer.is_used = (
        answer.is_used and answer.contents == contents and answer.sources == sources
        and have_equal_evidence(a, &all.games[answer.left])
        and have_equal_evidence(b, &all.games[answer.right])
    )
    if not answer.is_used:
        answer.contents = contents
        answer.sources = <uint8_t>sources
        answer.left = left
        answer.right = right
    return answer
