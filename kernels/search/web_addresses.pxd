"""Web addresses of games: loaded from Python, and pairs of games that share one.

For addresses and their meaning, see matching/addresses.py.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from blocking_keys cimport INDEX_BITS, Keys, add_key, index_of_key
from candidate_pairs cimport ALWAYS, add_candidate, pair_neighbours
from game_record cimport (
    ANY_ADDRESS, NO_NAME, NUMBER_OF_SOURCE, ONLY_ADDRESS, Game, Games, hash_bytes, index_of_game,
    index_of_id, joined,
)
from memory cimport allocate_zeros
from sorted_numbers cimport Buckets, Numbers
from thresholds cimport MOST_OF_PLAYERS


cdef inline uint64_t address_key(str text, bint is_only_one):
    """Return the stored form of an address: a hash, and the bits of game_record.pxd."""
    cdef bytes raw = text.encode()
    cdef uint64_t key = hash_bytes(<const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))
    key = key << 3 | ANY_ADDRESS
    if is_only_one:
        key |= ONLY_ADDRESS
    if text.startswith("source "):
        key |= NUMBER_OF_SOURCE
    return key


cdef inline int enter_site_addresses(Games *all, rows) except -1:
    """Load sites that are addresses: (site ID, address, True if a game has no other address)."""
    cdef uint32_t index
    for site_id, text, is_only_one in rows:
        index = index_of_id(all.sites.ids, all.sites.count, site_id)
        if index == NO_NAME:
            continue
        if all.site_addresses == NULL:
            all.site_addresses = <uint64_t *>allocate_zeros(all.sites.count, sizeof(uint64_t))
        all.site_addresses[index] = address_key(text, is_only_one)


cdef inline list games_without_address(const Games *all, uint8_t flag):
    """Return the IDs of games that have a flag and no address yet."""
    cdef size_t i
    return [
        all.games[i].game_id for i in range(all.count)
        if all.games[i].flags & flag and not all.games[i].address
    ]


cdef inline int enter_addresses(Games *all, rows) except -1:
    """Load addresses of games: (game ID, address, True if the game has no other address)."""
    cdef uint32_t index
    cdef Game *game
    for game_id, text, is_only_one in rows:
        index = index_of_game(all, game_id)
        if index != NO_NAME:
            game = &all.games[index]
            game.address = address_key(text, is_only_one)
            # The number of a source depends on the order in which sources are read.
            if not game.address & NUMBER_OF_SOURCE:
                game.content = joined(game.content, game.address)


cdef inline int pair_shared(
    const Games *all, const uint64_t *keys, size_t count, Buckets *pairs
) except -1 nogil:
    cdef size_t left, right
    if count > MOST_OF_PLAYERS:
        # Neighbours were a pair in the previous search too, in a small set or a large one.
        return pair_neighbours(all, keys, count, ALWAYS, pairs)
    for right in range(1, count):
        for left in range(right):
            add_candidate(all, pairs, index_of_key(keys[left]), index_of_key(keys[right]), ALWAYS)


cdef inline int add_address_keys(
    const Games *all, size_t first, size_t end, Keys *keys
) except -1 nogil:
    """Add the addresses of a range of games as blocking keys."""
    cdef size_t i
    for i in range(first, end):
        if all.games[i].address:
            add_key(keys, all.games[i].address, i)


cdef inline int pair_by_addresses(
    const Games *all, const Numbers *keys, Buckets *pairs
) except -1 nogil:
    """Pair games that share an address, even if moves and players differ; the keys are sorted."""
    cdef size_t first = 0, i
    for i in range(1, keys.count + 1):
        if i < keys.count and keys.items[i] >> INDEX_BITS == keys.items[first] >> INDEX_BITS:
            continue
        pair_shared(all, keys.items + first, i - first, pairs)
        first = i
