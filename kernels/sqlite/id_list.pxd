"""Lists of game IDs: of a batch of games, and of any games."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from game_record cimport NO_NAME, Games, count_below, index_of_id
from memory cimport new_item
from sorted_numbers cimport Numbers, add_number_to, sort_by_id, sort_numbers

# --- IDs of a batch -------------------------------------------------------------------------------

# The IDs of the games of a batch, to look up games; a list only if IDs have gaps.

ctypedef struct GameIds:
    size_t count               # of games read
    int64_t first_id
    int64_t last_id
    Numbers listed             # rising; empty if there are no gaps


cdef inline uint64_t flipped(uint64_t number) noexcept nogil:
    """Map signed numbers to unsigned ones of the same order, and back."""
    return number ^ <uint64_t>1 << 63


cdef inline int add_id(GameIds *ids, int64_t game_id) except -1 nogil:
    """Append an ID above the last one."""
    cdef size_t i
    if ids.count == 0:
        ids.first_id = game_id
    elif ids.listed.count == 0 and game_id != ids.last_id + 1:
        for i in range(ids.count):
            add_number_to(&ids.listed, <uint64_t>ids.first_id + i)
    if ids.listed.count:
        add_number_to(&ids.listed, <uint64_t>game_id)
    ids.last_id = game_id
    ids.count += 1


cdef inline int list_ids(GameIds *ids, const Games *all) except -1 nogil:
    """List the IDs of games in any order."""
    cdef size_t i
    for i in range(all.count):
        add_number_to(&ids.listed, flipped(<uint64_t>all.games[i].game_id))
    ids.count = all.count
    sort_numbers(&ids.listed, 64)
    for i in range(all.count):
        ids.listed.items[i] = flipped(ids.listed.items[i])


cdef inline uint32_t index_in(const GameIds *ids, int64_t game_id) noexcept nogil:
    """Return the index of a game by rising ID, NO_NAME if it was not read."""
    if ids.listed.count:
        return index_of_id(<int64_t *>ids.listed.items, ids.count, game_id)
    if ids.count and ids.first_id <= game_id <= ids.last_id:
        return <uint32_t>(game_id - ids.first_id)
    return NO_NAME


cdef inline size_t count_up_to(const GameIds *ids, int64_t game_id) noexcept nogil:
    """Return how many games have this ID or a lower one."""
    cdef const int64_t *listed = <int64_t *>ids.listed.items
    cdef size_t at
    if ids.listed.count:
        at = count_below(listed, ids.count, game_id)
        return at + (at < ids.count and listed[at] == game_id)
    if ids.count == 0 or game_id < ids.first_id:
        return 0
    return ids.count if game_id >= ids.last_id else <size_t>(game_id - ids.first_id) + 1


cdef inline int64_t id_at(const GameIds *ids, size_t index) noexcept nogil:
    """Return the ID at an index by rising ID."""
    return <int64_t>ids.listed.items[index] if ids.listed.count else ids.first_id + <int64_t>index


# --- lists of IDs ---------------------------------------------------------------------------------

ctypedef struct Ids:
    int64_t *ids
    size_t count
    size_t capacity


cdef inline int append_id(Ids *all_ids, int64_t game_id) except -1 nogil:
    (<int64_t *>new_item(
        <void **>&all_ids.ids, &all_ids.count, &all_ids.capacity, sizeof(int64_t)
    ))[0] = game_id


cdef inline bint holds_id(const Ids *sorted_ids, int64_t game_id) noexcept nogil:
    """Return whether an ID is in a rising list; without gaps this takes constant time."""
    cdef const int64_t *ids = sorted_ids.ids
    cdef size_t count = sorted_ids.count, at
    if count == 0 or game_id < ids[0] or game_id > ids[count - 1]:
        return False
    at = <size_t>(<uint64_t>game_id - <uint64_t>ids[0])
    if at < count and ids[at] == game_id:
        return True
    at = count_below(ids, count, game_id)
    return at < count and ids[at] == game_id


cdef inline void sort_ids(Ids *all_ids) noexcept nogil:
    sort_by_id(all_ids.ids, all_ids.count, sizeof(int64_t))


cdef inline size_t count_id(const Ids *sorted_ids, int64_t game_id) noexcept nogil:
    """Return how often an ID is in a rising list."""
    cdef size_t first = count_below(sorted_ids.ids, sorted_ids.count, game_id)
    cdef size_t at = first
    while at < sorted_ids.count and sorted_ids.ids[at] == game_id:
        at += 1
    return at - first
