"""What the verdicts on a few games rest on, of a collection that is read part by part.

A verdict takes the two records, how far each follows a known line, and which sources have them.
How far a game follows a known line depends on the 2 * MOST_NEIGHBOURS games that theory_of() looks
at: those that share most with it. Of these, the ones that are in a part of the collection are among
the first of that part too, so all others can be dropped from each part. The sources of a record
depend on the equal records of the same line.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memset

from copy_game cimport NO_NAME, Games, place_of, shared_start
from copy_order cimport same_moves
from copy_records cimport roster_hash
from copy_runs cimport append_games
from copy_theory cimport MOST_NEIGHBOURS


cdef inline uint32_t shared_plies(const Games *all, size_t place) noexcept nogil:
    """Return how many plies a game shares with the one before it; games are sorted."""
    if place == 0 or place >= all.count or all.games[place - 1].start != all.games[place].start:
        return 0
    return shared_start(all, &all.games[place - 1], &all.games[place])


cdef inline void mark_neighbours(const Games *all, size_t at, uint8_t *marks) noexcept nogil:
    """Mark a game and those that theory_of() may look at."""
    cdef size_t below = at
    cdef size_t above = at
    cdef uint32_t down = shared_plies(all, at)
    cdef uint32_t up = shared_plies(all, at + 1)
    cdef int _step
    marks[at] = True
    for _step in range(2 * MOST_NEIGHBOURS):
        if not down and not up:
            return
        if down >= up:
            below -= 1
            marks[below] = True
            down = min(down, shared_plies(all, below))
        else:
            above += 1
            marks[above] = True
            up = min(up, shared_plies(all, above + 1))


cdef inline void mark_equal_records(const Games *all, size_t at, uint8_t *marks) noexcept nogil:
    """Mark the games with the moves and the Seven Tag Roster of a game."""
    cdef size_t i = at
    while i and same_moves(all, &all.games[i - 1], &all.games[at]):
        i -= 1
    while i < all.count and same_moves(all, &all.games[i], &all.games[at]):
        if roster_hash(&all.games[i]) == roster_hash(&all.games[at]):
            marks[i] = True
        i += 1


cdef inline bint move_near(
    Games *all, const int64_t *ids, size_t count, uint8_t *marks, Games *near
) noexcept nogil:
    """Move what verdicts on some games need to `near`, and forget the others.

    `all` is sorted, `ids` rise; `marks` has room for a mark a game. False if there is no memory.
    """
    cdef size_t i
    memset(marks, 0, all.count)
    for i in range(all.count):
        if place_of(ids, count, all.games[i].game_id) != NO_NAME:
            mark_neighbours(all, i, marks)
            mark_equal_records(all, i, marks)
    near.count = near.moves = 0
    for i in range(all.count):
        if marks[i] and not append_games(near, all, i, i + 1, 1):
            return False
    all.count = all.moves = 0
    return True
