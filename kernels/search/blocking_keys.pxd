"""Blocking keys: two games that share a key are a candidate pair.

Sources of keys: runs of moves, whoever played them (winnowing: Schleimer, Wilkerson, Aiken 2003);
three moves of the middle game; the last position; the two players; one player with the year and the
opening, or with the day. A key is a 38-bit hash followed by the game's index, so that sorting
brings games with equal hashes together. A chance collision of 38 bits costs one comparison and
nothing else.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from board_symmetry cimport write_shape
from game_record cimport (
    MOST_IN_LARGE_PAGES, Game, Games, are_of_one_line, hash_bytes, is_somebody, joined, moves_of,
    ocg_prefetch, ocg_use_large_pages, prefetch_moves, prefetch_names,
)
from go_symmetry cimport GO_SYMMETRIES, go_map_move
from memory cimport allocate_zeros, reserve
from sorted_numbers cimport BUCKET_COUNT, Buckets, Numbers, add_number, add_number_to, free_numbers
from thresholds cimport FIRST_RUN, GO_START_PLIES, OPENING_KEY_PLIES, RUN_PLIES, RUN_WINDOW

# --- sets of keys ---------------------------------------------------------------------------------

# A blocked Bloom filter of blocking keys (Putze, Sanders, Singler 2007): each key sets two bits of
# one 64-bit word, so that a lookup costs one access to memory. It may report a few keys that were
# not added.

cdef enum:
    BITS_A_KEY = 4             # 16 bits per key, as a power of two: 2 % false positives
    LEAST_SET_BITS = 12
    MOST_SET_BITS = 26         # at most 8 MB: 20 bits of the 38 of a key choose a word, 12 two bits
    WORD_BITS = 6              # of 64 bits, as a power of two

ctypedef struct KeySet:
    uint64_t *words
    size_t count               # keys that were added, including equal ones
    int shift                  # of a key, to get its word


cdef inline int open_key_set(KeySet *keys, size_t count) except -1 nogil:
    """Make an empty set for about `count` keys."""
    cdef int bits = LEAST_SET_BITS
    while bits < MOST_SET_BITS and (<size_t>1 << bits) >> BITS_A_KEY < count:
        bits += 1
    keys.shift = 64 + WORD_BITS - bits
    keys.words = <uint64_t *>allocate_zeros(<size_t>1 << (bits - WORD_BITS), sizeof(uint64_t))


cdef inline void close_key_set(KeySet *keys) noexcept nogil:
    free(keys.words)
    memset(keys, 0, sizeof(KeySet))


cdef inline uint64_t bits_of_key(const KeySet *keys, uint64_t key) noexcept nogil:
    """Return the bits of a key in its word, from the bits of the key that follow the word's."""
    cdef int second = keys.shift - WORD_BITS
    return <uint64_t>1 << (key >> second & 63) | <uint64_t>1 << (key >> (second - WORD_BITS) & 63)


cdef inline void enter_key(KeySet *keys, uint64_t key) noexcept nogil:
    keys.count += 1
    keys.words[key >> keys.shift] |= bits_of_key(keys, key)


cdef inline bint may_have_key(const KeySet *keys, uint64_t key) noexcept nogil:
    """Return whether a key may be in the set; False means that it is not."""
    cdef uint64_t bits = bits_of_key(keys, key)
    return keys.words[key >> keys.shift] & bits == bits


# --- blocking keys --------------------------------------------------------------------------------

cdef enum:
    INDEX_BITS = 26            # low bits of a key; more games do not fit into memory yet
    KEYS_A_GAME = 10           # approximate number, from moves or from players

cdef enum:
    # Kinds of keys; mixed into the hash.
    BY_RUN = 1
    BY_END
    BY_PAIR_AND_YEAR
    BY_PAIR_AND_OPENING
    BY_CORE_AND_YEAR
    BY_SIDE_AND_OPENING
    BY_SIDE_AND_DAY
    BY_SIGNATURE_A
    BY_SIGNATURE_B
    BY_START
    AHEAD = 8                  # games or keys to prefetch

ctypedef struct Keys:
    Buckets *keys              # destination; NULL: keys go to `listed`
    Numbers listed
    const KeySet *chosen       # only keys in this set are kept; NULL: all are kept
    bint by_line               # keys of moves only for the first game of a mainline; not for Go
    uint16_t *shape            # rotation-invariant shape of the current Go game
    size_t shape_capacity
    uint64_t *hashes           # of the runs of a game
    size_t hash_capacity
    Numbers made               # hashes of the last mainline


cdef inline int add_key(Keys *all, uint64_t hashed, size_t index) except -1 nogil:
    cdef uint64_t key = hashed >> INDEX_BITS << INDEX_BITS | index
    if all.chosen != NULL and not may_have_key(all.chosen, key):
        return 0
    if all.keys == NULL:
        return add_number_to(&all.listed, key)
    add_number(all.keys, key)


cdef inline int note_key(Keys *all, uint64_t hashed) except -1 nogil:
    """Add a hash that is a key of each game of a mainline."""
    if all.chosen != NULL and not may_have_key(all.chosen, hashed):
        return 0
    add_number_to(&all.made, hashed)


cdef inline void free_keys(Keys *all) noexcept nogil:
    """Free the working memory of key making, but not the keys."""
    free(all.shape)
    free(all.hashes)
    free_numbers(&all.made)
    free_numbers(&all.listed)


cdef inline int expect_keys(const Games *all, const Keys *work, size_t games) except -1 nogil:
    """Reserve memory for the keys of `games` games, since a bucket that grows is copied."""
    cdef Buckets *keys = work.keys
    cdef size_t more = games * KEYS_A_GAME // BUCKET_COUNT
    cdef uint64_t i
    if keys == NULL or work.chosen != NULL or more == 0:        # few keys are kept
        return 0
    for i in range(keys.first, keys.end):
        reserve(
            <void **>&keys.parts[i].items, &keys.parts[i].capacity, keys.parts[i].count + more,
            sizeof(uint64_t),
        )
        if not all.is_mapped:              # memory is short if the games are mapped
            ocg_use_large_pages(
                keys.parts[i].items,
                min(8 * keys.parts[i].capacity, <size_t>MOST_IN_LARGE_PAGES // BUCKET_COUNT),
            )


cdef inline uint32_t index_of_key(uint64_t key) noexcept nogil:
    """Return the index of the game that a key belongs to."""
    return <uint32_t>(key & ((<uint64_t>1 << INDEX_BITS) - 1))


cdef inline uint64_t hash_run(const uint16_t *moves) noexcept nogil:
    cdef uint64_t words[2]
    cdef uint64_t key
    memcpy(words, moves, 2 * RUN_PLIES)
    key = words[0] * <uint64_t>0x9E3779B97F4A7C15 ^ words[1] * <uint64_t>0xC2B2AE3D27D4EB4F
    key = (key ^ key >> 29) * <uint64_t>0xBF58476D1CE4E5B9
    return key ^ key >> 32


cdef inline int note_runs(const Games *all, size_t index, Keys *keys) except -1 nogil:
    """Add the smallest hash of each RUN_WINDOW neighbouring runs (winnowing).

    Two games that share RUN_WINDOW + RUN_PLIES - 1 consecutive plies, even at different ply
    numbers, share a key. Of equal hashes the first is selected; when it leaves the window, the
    last.
    """
    cdef const Game *game = &all.games[index]
    cdef const uint16_t *moves = keys.shape if game.lines else moves_of(all, game)
    cdef uint64_t *hashes
    cdef int first = 0 if game.start and not game.lines else FIRST_RUN
    cdef int count = <int>game.plies - RUN_PLIES + 1 - first
    cdef int i, least, behind
    if count < RUN_WINDOW:
        return 0
    reserve(<void **>&keys.hashes, &keys.hash_capacity, count, sizeof(uint64_t))
    hashes = keys.hashes
    for i in range(count):
        hashes[i] = hash_run(moves + first + i)
    least = least_of(hashes, 0, RUN_WINDOW, True)
    while True:
        note_key(keys, joined(BY_RUN, hashes[least]))
        behind = min(least + RUN_WINDOW, count)
        i = max(least + 1, RUN_WINDOW)
        # Runs before RUN_WINDOW are not smaller, nor are those between two smallest ones.
        while i < behind and hashes[i] >= hashes[least]:
            i += 1
        if i < behind:
            least = i
        elif behind < count:
            least = least_of(hashes, least + 1, behind + 1, False)
        else:
            return 0


cdef inline int least_of(const uint64_t *hashes, int first, int end, bint is_first) noexcept nogil:
    """Return the index of the smallest hash: the first or the last of equal ones."""
    cdef uint64_t least = hashes[first]
    cdef int index = first, i
    for i in range(first + 1, end):
        index = i if hashes[i] < least or (hashes[i] == least and not is_first) else index
        least = min(least, hashes[i])
    return index


cdef inline uint64_t signature(
    const uint16_t *moves, int lines, int first, int second, int third
) noexcept nogil:
    """Return three moves, numbered from 1, as one number; in Go the least of eight forms."""
    cdef uint64_t least = (
        <uint64_t>moves[first - 1] << 32 | <uint64_t>moves[second - 1] << 16 | moves[third - 1]
    )
    cdef uint64_t rotated
    cdef int symmetry
    if lines:
        for symmetry in range(1, GO_SYMMETRIES):
            rotated = go_map_move(moves[first - 1], lines, symmetry)
            rotated = rotated << 16 | go_map_move(moves[second - 1], lines, symmetry)
            rotated = rotated << 16 | go_map_move(moves[third - 1], lines, symmetry)
            least = min(least, rotated)
    return least


cdef inline int note_signatures(const Games *all, size_t index, Keys *keys) except -1 nogil:
    """Add Dyer signatures as keys; they may match even if each run has a slip."""
    cdef const Game *game = &all.games[index]
    cdef const uint16_t *moves = moves_of(all, game)
    cdef uint64_t moves_key
    if game.plies >= 60:
        moves_key = signature(moves, game.lines, 20, 40, 60)
        note_key(keys, joined(BY_SIGNATURE_A, moves_key))
    if game.plies >= 71:
        moves_key = signature(moves, game.lines, 31, 51, 71)
        return note_key(keys, joined(BY_SIGNATURE_B, moves_key))


cdef inline int add_shape(const Games *all, size_t index, Keys *keys) except -1 nogil:
    """Write the rotation-invariant shape of a Go game, and add the key of its start.

    A game that was truncated early has no selected run.
    """
    cdef const Game *game = &all.games[index]
    cdef uint64_t start
    reserve(<void **>&keys.shape, &keys.shape_capacity, game.plies + RUN_PLIES, 2)
    write_shape(moves_of(all, game), game.plies, game.lines, keys.shape)
    if game.plies < GO_START_PLIES:
        return 0
    start = hash_bytes(<const uint8_t *>moves_of(all, game), 2 * GO_START_PLIES)
    add_key(keys, joined(joined(BY_START, game.start), start), index)


cdef inline int add_end_key(const Game *game, size_t index, Keys *keys) except -1 nogil:
    """Add the key of the last position of a game as a key of the game at an index."""
    if game.plies > FIRST_RUN:
        add_key(keys, joined(BY_END, game.final_key), index)


cdef inline int add_move_keys(
    const Games *all, size_t first, size_t end, Keys *keys
) except -1 nogil:
    """Add the keys of the moves of a range of indexes."""
    cdef const Game *game
    cdef size_t index, i
    cdef bint is_first
    expect_keys(all, keys, end - first)
    for index in range(first, end):
        game = &all.games[index]
        if index + AHEAD < end:
            prefetch_moves(all, game + AHEAD)
        if game.lines:
            add_shape(all, index, keys)
        is_first = index == first or game.lines or not are_of_one_line(all, index - 1, index)
        if is_first:
            keys.made.count = 0
            note_runs(all, index, keys)
            note_signatures(all, index, keys)
        if is_first or not keys.by_line:
            for i in range(keys.made.count):
                add_key(keys, keys.made.items[i], index)
        elif game.final_key == all.games[game.line].final_key:
            continue
        add_end_key(game, index, keys)


cdef inline uint64_t opening_hash(const Games *all, const Game *game) noexcept nogil:
    cdef size_t size = min(OPENING_KEY_PLIES, <int>game.plies) * sizeof(uint16_t)
    return joined(game.start, hash_bytes(<const uint8_t *>moves_of(all, game), size))


cdef inline int add_side_keys(
    const Games *all, size_t index, int side, uint64_t opening, Keys *keys
) except -1 nogil:
    """Add the keys of one player, one for each surname that the name may have."""
    cdef const Game *game = &all.games[index]
    cdef uint64_t surname, key
    cdef int i
    for i in range(2):
        surname = all.names[game.names[side]].keys[i]
        if surname == 0 or (i and surname == all.names[game.names[side]].keys[0]):
            continue
        key = joined(joined(joined(BY_SIDE_AND_OPENING, surname), game.date >> 9), opening)
        if game.plies >= OPENING_KEY_PLIES:
            add_key(keys, key, index)
        if game.date & 31:
            key = joined(joined(BY_SIDE_AND_DAY, surname), game.date)
            add_key(keys, key, index)


cdef inline int add_pair_keys(
    const Games *all, size_t index, uint64_t opening, Keys *keys
) except -1 nogil:
    """Add the keys of both players regardless of colour, one for each pair of surnames."""
    cdef const Game *game = &all.games[index]
    cdef const uint64_t *white = all.names[game.names[0]].keys
    cdef const uint64_t *black = all.names[game.names[1]].keys
    cdef uint64_t pair
    cdef int i, k
    for i in range(1 + (white[1] != white[0])):
        for k in range(1 + (black[1] != black[0])):
            pair = joined(min(white[i], black[k]), max(white[i], black[k]))
            add_key(keys, joined(joined(BY_PAIR_AND_YEAR, pair), game.date >> 9), index)
            add_key(keys, joined(joined(BY_PAIR_AND_OPENING, pair), opening), index)


cdef inline uint64_t core_key(const Game *game, int64_t core_hash) noexcept nogil:
    """Return the hash of the key of a game whose players are known, for a CoreHash."""
    return joined(joined(BY_CORE_AND_YEAR, <uint64_t>core_hash), game.date >> 9)


cdef inline int add_player_keys(
    const Games *all, size_t first, size_t end, Keys *keys
) except -1 nogil:
    """Add the keys of the players of a range of indexes."""
    cdef const Game *game
    cdef bint has_name[2]
    cdef uint64_t opening
    cdef size_t index
    cdef int side
    expect_keys(all, keys, end - first)
    for index in range(first, end):
        if index + AHEAD < end:
            ocg_prefetch(moves_of(all, &all.games[index + AHEAD]))
            prefetch_names(all, &all.games[index + AHEAD])
        game = &all.games[index]
        opening = opening_hash(all, game)
        for side in range(2):
            has_name[side] = is_somebody(all, game.names[side])
            if has_name[side]:
                add_side_keys(all, index, side, opening, keys)
        if has_name[0] and has_name[1]:
            add_pair_keys(all, index, opening, keys)
        if game.persons[0] > 0 and game.persons[1] > 0:
            add_key(keys, core_key(game, game.core_hash), index)
