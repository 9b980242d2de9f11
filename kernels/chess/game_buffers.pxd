"""Parser output for a block in C: records of games, moves, annotations, tags.

Offsets count from the start of the block. Arrays grow by doubling. A failed allocation sets
`out_of_memory` and ends the parsing; nothing is written past an end.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from chess_types cimport move16_t, zobrist_t
from game_columns cimport TAG_COUNT
from memory cimport allocate, allocate_zeros, reserve, try_new_item, try_reserve

# --- distinct names -------------------------------------------------------------------------------

# A table of distinct names in C: bytes to consecutive IDs, without a Python object per lookup. Open
# addressing over a 32-bit hash (slots of 8 bytes, since lookups are bound by cache misses), names
# in one arena. ID 1 is the empty name.

ctypedef struct NameSlot:
    uint32_t hash
    uint32_t id            # 0: free

ctypedef struct NameEntry:
    uint64_t start         # in the arena
    uint64_t key_start     # of its text in CoreHash, 0 if not computed yet (players only)
    uint32_t length
    uint32_t key_length
    int32_t elo            # highest so far, 0 if none (players only)
    int32_t stored_elo     # the value in the database

ctypedef struct Names:
    NameSlot *slots
    uint64_t mask
    NameEntry *entries     # by ID; entry 0 is not used
    uint32_t count         # highest ID
    size_t capacity
    uint32_t[2] recent     # IDs of the last names looked up; the next game often has them too
    uint8_t *arena
    size_t arena_used, arena_capacity


cdef inline uint32_t name_hash(const uint8_t *p, size_t length) noexcept nogil:
    cdef uint64_t h = <uint64_t>0x9E3779B97F4A7C15 ^ length
    cdef uint64_t word
    while length >= 8:
        memcpy(&word, p, 8)
        h = (h ^ word) * <uint64_t>0xFF51AFD7ED558CCD
        h ^= h >> 32
        p += 8
        length -= 8
    if length:
        word = 0
        memcpy(&word, p, length)
        h = (h ^ word) * <uint64_t>0xFF51AFD7ED558CCD
        h ^= h >> 32
    return <uint32_t>(h * <uint64_t>0xC4CEB9FE1A85EC53 >> 32)


cdef inline int open_names(Names *n) except -1:
    n.mask = 4095
    n.slots = <NameSlot *>allocate_zeros(n.mask + 1, sizeof(NameSlot))
    n.capacity = 2048
    n.entries = <NameEntry *>allocate_zeros(n.capacity, sizeof(NameEntry))
    n.arena_used = 1                       # so that no key starts at 0
    # The recent names are entry 0, which is zeroed and equals the empty name.
    return reserve(<void **>&n.arena, &n.arena_capacity, 65536, 1)


cdef inline void close_names(Names *n) noexcept nogil:
    free(n.slots)
    free(n.entries)
    free(n.arena)


cdef inline bint double_slots(Names *n) noexcept nogil:
    cdef uint64_t mask = n.mask * 2 + 1
    cdef NameSlot *larger = <NameSlot *>calloc(mask + 1, sizeof(NameSlot))
    cdef uint64_t i, at
    if larger == NULL:
        return False
    for i in range(n.mask + 1):
        if n.slots[i].id:
            at = n.slots[i].hash & mask
            while larger[at].id:
                at = (at + 1) & mask
            larger[at] = n.slots[i]
    free(n.slots)
    n.slots = larger
    n.mask = mask
    return True


cdef inline bint reserve_name(Names *n, uint32_t id, size_t length) noexcept nogil:
    """Reserve memory for one more name; return False if out of memory."""
    return (
        try_reserve(<void **>&n.entries, &n.capacity, id + 1, sizeof(NameEntry))
        and try_reserve(<void **>&n.arena, &n.arena_capacity, n.arena_used + length, 1)
        and (<uint64_t>n.count * 2 < n.mask or double_slots(n))
    )


cdef inline bint is_name(
    const Names *n, uint32_t id, const uint8_t *p, size_t length
) noexcept nogil:
    cdef const NameEntry *entry = &n.entries[id]
    return entry.length == length and memcmp(n.arena + entry.start, p, length) == 0


cdef inline uint32_t note_recent(Names *n, uint32_t id) noexcept nogil:
    n.recent[1] = n.recent[0]
    n.recent[0] = id
    return id


cdef inline uint32_t enter_name(
    Names *n, const uint8_t *p, size_t length, uint32_t hash, uint32_t id
) noexcept nogil:
    """Add a name that is not in the table; return its ID, 0 if out of memory."""
    cdef uint64_t at
    cdef NameEntry *entry
    if not reserve_name(n, id, length):
        return 0
    at = hash & n.mask
    while n.slots[at].id:
        at = (at + 1) & n.mask
    n.slots[at].hash = hash
    n.slots[at].id = id
    entry = &n.entries[id]
    entry.start = n.arena_used
    entry.length = <uint32_t>length
    entry.key_start = 0
    entry.elo = entry.stored_elo = 0
    memcpy(n.arena + n.arena_used, p, length)
    n.arena_used += length
    if id > n.count:
        n.count = id
    return note_recent(n, id)


cdef inline uint32_t intern_name(
    Names *n, const uint8_t *p, size_t length, uint32_t new_id
) noexcept nogil:
    """Return the ID of a name; a new name gets `new_id`, or the next ID if that is 0.

    Return 0 if out of memory.
    """
    cdef uint32_t hash
    cdef uint64_t at
    if length and is_name(n, n.recent[0], p, length):
        return n.recent[0]
    if length and is_name(n, n.recent[1], p, length):
        return n.recent[1]
    hash = name_hash(p, length)
    at = hash & n.mask
    while n.slots[at].id:
        if n.slots[at].hash == hash and is_name(n, n.slots[at].id, p, length):
            return note_recent(n, n.slots[at].id)
        at = (at + 1) & n.mask
    return enter_name(n, p, length, hash, new_id if new_id else n.count + 1)


# --- records of a block ---------------------------------------------------------------------------

cdef enum Termination:
    RESULT_NONE            # no marker found
    RESULT_WHITE, RESULT_BLACK, RESULT_DRAW, RESULT_OPEN

cdef enum Fault:
    # In the order of fault_reason().
    NO_FAULT, FAULT_ILLEGAL, FAULT_AMBIGUOUS, FAULT_UNREADABLE, FAULT_OPEN_COMMENT
    FAULT_OPEN_VARIATION
    FAULT_POSITION         # moves after a FEN on which none can be played; they are kept as text
    FAULT_TOO_LONG         # its text continues after the text that is parsed at a time

cdef enum Rejection:
    ACCEPTED, REJECT_NO_GAME, REJECT_VARIANT

cdef enum ItemType:
    ITEM_COMMENT = 1       # text between braces
    ITEM_LINE_COMMENT = 2  # text between ; and the end of the line
    ITEM_TEXT = 3          # bare words in the movetext
    ITEM_NAG = 4           # its number is in `length`
    ITEM_VARIATION = 5     # text between the parentheses
    ITEM_LOOSE_VARIATION = 6   # a variation that does not replay: kept as a comment

cdef enum:
    ITEM_TYPE_BITS = 3
    MOST_BLOCK_BYTES = 0x3FFFFFFF  # so that its plies fit the other bits

cdef enum:
    ODD_TAGS = 1           # some tag never has a column, or has escapes
    REPEATED_TAGS = 2      # some tag that has a column occurs twice
    ODD_FEN = 4            # the value of the FEN tag is not a board
    ENCODED_TAGS = 8       # some value may have entities or escapes of other formats

cdef enum GameFlag:
    HAS_COMMENTS = 1
    HAS_VARIATIONS = 2
    HAS_CHESS960_CASTLING = 4
    HAS_NULL_MOVES = 8
    HAS_HIGH_BYTES = 16    # not pure ASCII
    HAS_STANDARD_START = 32

ctypedef struct Span:
    uint32_t start, length

cdef inline int item_ply(const Item *item) noexcept nogil:
    """Return the 0-based ply before an item, -1 before the first ply."""
    return <int>(item.ply_and_type >> ITEM_TYPE_BITS) - 1


cdef inline int type_of_item(const Item *item) noexcept nogil:
    return item.ply_and_type & ((1 << ITEM_TYPE_BITS) - 1)


ctypedef struct TagRecord:
    Span name, value
    uint8_t tag            # TAG_... or TAG_COUNT
    uint8_t escaped        # the value has backslash escapes
    uint8_t encoded        # the value may have entities or escapes of other formats

ctypedef struct Item:      # as small as can be: a NAG takes two bytes of text
    uint32_t ply_and_type  # see item_ply(), type_of_item()
    uint32_t start, length

ctypedef struct GameRecord:
    Span[TAG_COUNT] values  # values of the tags; length 0 if absent or empty
    uint32_t start, end    # of the whole text of the game
    uint32_t first_tag, tag_count  # of all its tags in `tags`, those with a column too
    uint32_t first_item, item_count
    uint32_t first_move, ply_count
    uint64_t mainline_hash
    zobrist_t final_zobrist, positions_key, sampled_key
    uint32_t fault_at
    Span odd_result        # the text of a result that ends the game, if it is no termination marker
    uint8_t fault, rejection, result, flags
    uint8_t language       # row of language_table.h
    uint8_t odd_tags       # ODD_TAGS, REPEATED_TAGS, ODD_FEN, ENCODED_TAGS

ctypedef struct Buffers:
    GameRecord *games
    size_t game_count, game_capacity
    TagRecord *tags
    size_t tag_count, tag_capacity
    Item *items
    size_t item_count, item_capacity
    size_t expected_items     # at least as many as a real block has
    move16_t *moves        # memory for every ply that the block can hold
    size_t move_count
    uint8_t *message       # to hash
    size_t message_capacity
    bint out_of_memory


cdef inline GameRecord *add_game(Buffers *b) noexcept nogil:
    """Return the next record, not cleared; NULL if out of memory."""
    return <GameRecord *>try_new_item(
        <void **>&b.games, &b.game_count, &b.game_capacity, sizeof(GameRecord), &b.out_of_memory
    )


cdef inline TagRecord *add_tag(Buffers *b) noexcept nogil:
    return <TagRecord *>try_new_item(
        <void **>&b.tags, &b.tag_count, &b.tag_capacity, sizeof(TagRecord), &b.out_of_memory
    )


cdef inline void add_item(
    Buffers *b, int ply, int item_type, size_t start, size_t length
) noexcept nogil:
    cdef Item *item
    if b.items == NULL:                               # at once: a copy would take as much again
        try_reserve(<void **>&b.items, &b.item_capacity, b.expected_items, sizeof(Item))
    item = <Item *>try_new_item(
        <void **>&b.items, &b.item_count, &b.item_capacity, sizeof(Item), &b.out_of_memory
    )
    if item == NULL:
        return
    item.ply_and_type = <uint32_t>(ply + 1) << ITEM_TYPE_BITS | <uint32_t>item_type
    item.start = <uint32_t>start
    item.length = <uint32_t>length


cdef inline int open_buffers(Buffers *b, size_t block_bytes) except -1 nogil:
    """Reserve memory for a block, in which a ply takes at least two bytes."""
    reserve(<void **>&b.games, &b.game_capacity, block_bytes // 512 + 16, sizeof(GameRecord))
    reserve(<void **>&b.tags, &b.tag_capacity, block_bytes // 64 + 64, sizeof(TagRecord))
    reserve(<void **>&b.message, &b.message_capacity, 8192, 1)
    b.moves = <move16_t *>allocate(block_bytes // 2 + 64, sizeof(move16_t))
    b.expected_items = block_bytes // 2 + 64


cdef inline void close_buffers(Buffers *b) noexcept nogil:
    free(b.games)
    free(b.tags)
    free(b.items)
    free(b.moves)
    free(b.message)
