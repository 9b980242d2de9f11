"""Which record of a group of equal mainlines is kept, and what the group then needs."""

from header_rows cimport Header, Headers, are_equal, may_lack_month

cdef enum:
    IS_OPEN = 1
    HAS_HEADERS = 2
    HAS_NOTES = 4
    HAS_COLOURS = 8


cdef inline size_t best_of_equal(const Headers *all) noexcept nogil:
    """Return the place of the kept game: best_of_equal() in matching/canonical.py."""
    cdef size_t i, best = 0
    cdef const Header *one
    cdef const Header *other
    for i in range(1, all.count):
        one = &all.rows[best]
        other = &all.rows[i]
        if other.score != one.score:
            best = i if other.score > one.score else best
        elif other.plies != one.plies:
            best = i if other.plies > one.plies else best
        elif other.notes != one.notes:
            best = i if other.notes > one.notes else best
        elif other.game_id < one.game_id:
            best = i
    return best


cdef inline bint have_other_players(const Header *one, const Header *other) noexcept nogil:
    return (
        one.content.names[2] != other.content.names[2]
        and one.content.names[3] != other.content.names[3]
    )


cdef inline int needs(const Headers *all, size_t kept) noexcept nogil:
    """Return what a group needs, as bits."""
    cdef size_t i
    cdef const Header *master = &all.rows[kept]
    cdef const Header *other
    cdef int found = HAS_HEADERS if may_lack_month(all, master) else 0
    for i in range(all.count):
        other = &all.rows[i]
        if not found & HAS_HEADERS and not are_equal(all, master, other):
            found |= HAS_HEADERS
        if other.notes and i != kept:
            found |= HAS_NOTES
        if have_other_players(other, master):
            found |= HAS_COLOURS
    return found
