"""The IDs of the games of a batch, by which a game is found; a list only if they have gaps."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from copy_game cimport NO_NAME, Games, place_of
from copy_numbers cimport Numbers, add_number_to, sort_numbers

ctypedef struct GameIds:
    size_t count               # of games that were read
    int64_t first_id
    int64_t last_id
    Numbers listed             # rising; empty if there are no gaps


cdef inline uint64_t flipped(uint64_t number) noexcept nogil:
    """Return a signed number so that unsigned ones sort alike, and the other way round."""
    return number ^ <uint64_t>1 << 63


cdef inline bint add_id(GameIds *ids, int64_t game_id) noexcept nogil:
    """Append an ID above the last one; False if there is no memory."""
    cdef size_t known
    if ids.count == 0:
        ids.first_id = game_id
    elif ids.listed.count == 0 and game_id != ids.last_id + 1:
        for known in range(ids.count):
            if not add_number_to(&ids.listed, <uint64_t>ids.first_id + known):
                return False
    if ids.listed.count and not add_number_to(&ids.listed, <uint64_t>game_id):
        return False
    ids.last_id = game_id
    ids.count += 1
    return True


cdef inline bint list_ids(GameIds *ids, const Games *all) noexcept nogil:
    """Take the IDs of games in any order; False if there is no memory."""
    cdef size_t i
    for i in range(all.count):
        if not add_number_to(&ids.listed, flipped(<uint64_t>all.games[i].game_id)):
            return False
    ids.count = all.count
    sort_numbers(&ids.listed, 64)
    for i in range(all.count):
        ids.listed.items[i] = flipped(ids.listed.items[i])
    return True


cdef inline uint32_t index_in(const GameIds *ids, int64_t game_id) noexcept nogil:
    """Return the number of a game by rising ID, NO_NAME if it was not read."""
    if ids.listed.count:
        return place_of(<int64_t *>ids.listed.items, ids.count, game_id)
    if ids.count and ids.first_id <= game_id <= ids.last_id:
        return <uint32_t>(game_id - ids.first_id)
    return NO_NAME
