"""What the reader fills for a block: records of games, moves, annotations, tags, all in C.

Offsets count from the start of the block. Arrays grow by doubling; a failed allocation sets
`out_of_memory` and ends the reading, nothing is written past an end.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc

from chess_types cimport move16_t, zobrist_t

cdef enum:
    # Tags that have a column of their own, or that decide how the game is read.
    TAG_EVENT
    TAG_SITE
    TAG_DATE
    TAG_ROUND
    TAG_WHITE
    TAG_BLACK
    TAG_RESULT
    TAG_WHITE_ELO
    TAG_BLACK_ELO
    TAG_TIME_CONTROL
    TAG_ECO
    TAG_FEN
    TAG_SETUP
    TAG_VARIANT
    KNOWN_TAGS

cdef enum Termination:
    RESULT_NONE = 0        # no marker found
    RESULT_WHITE = 1
    RESULT_BLACK = 2
    RESULT_DRAW = 3
    RESULT_OPEN = 4

cdef enum Fault:
    NO_FAULT = 0
    FAULT_ILLEGAL = 1
    FAULT_AMBIGUOUS = 2
    FAULT_UNREADABLE = 3
    FAULT_OPEN_COMMENT = 4
    FAULT_OPEN_VARIATION = 5
    FAULT_POSITION = 6     # the FEN tag
    FAULT_TOO_LONG = 7     # its text goes on behind what is read at a time

cdef enum Rejection:
    ACCEPTED = 0
    REJECT_NO_GAME = 1
    REJECT_VARIANT = 2

cdef enum ItemKind:
    ITEM_COMMENT = 1       # text between braces
    ITEM_LINE_COMMENT = 2  # text between ; and the end of the line
    ITEM_TEXT = 3          # words that stand bare in the movetext
    ITEM_NAG = 4           # its number stands in `length`
    ITEM_VARIATION = 5     # text between the parentheses
    ITEM_LOOSE_VARIATION = 6   # the same, but it does not replay: kept as a comment

cdef enum:
    ODD_TAGS = 1           # some tag has no column always, or escapes
    REPEATED_TAGS = 2      # some tag that has a column stands twice

cdef enum GameFlag:
    HAS_COMMENTS = 1
    HAS_VARIATIONS = 2
    HAS_CHESS960_CASTLING = 4
    HAS_NULL_MOVES = 8
    HAS_HIGH_BYTES = 16    # not ASCII throughout
    HAS_STANDARD_START = 32

ctypedef struct Span:
    uint32_t start
    uint32_t length

ctypedef struct TagRecord:
    Span name
    Span value
    uint8_t known          # TagIndex or KNOWN_TAGS
    uint8_t escaped        # the value has backslash escapes

ctypedef struct Item:
    int32_t ply            # 0-based ply that it follows, -1 before the first
    uint32_t kind
    uint32_t start
    uint32_t length

ctypedef struct GameRecord:
    Span known[14]         # values of the known tags; length 0 if absent or empty
    uint32_t start         # of the whole block of text
    uint32_t end
    uint32_t first_tag     # of all its tags in `tags`, known ones too
    uint32_t tag_count
    uint32_t first_item
    uint32_t item_count
    uint32_t first_move
    uint32_t ply_count
    uint64_t mainline_hash
    zobrist_t final_zobrist
    zobrist_t positions_key
    zobrist_t sampled_key
    uint32_t fault_at
    uint8_t fault
    uint8_t rejection
    uint8_t result
    uint8_t flags
    uint8_t language       # row of language_table.h
    uint8_t odd_tags       # ODD_TAGS, REPEATED_TAGS

ctypedef struct Buffers:
    GameRecord *games
    size_t game_count, game_room
    TagRecord *tags
    size_t tag_count, tag_room
    Item *items
    size_t item_count, item_room
    move16_t *moves        # room for every ply that the block can hold
    size_t move_count
    uint8_t *message       # what is hashed
    size_t message_room
    bint out_of_memory


cdef inline void *grown(void *array, size_t *room, size_t item_size, bint *failed) noexcept nogil:
    """Double an array; on failure return the old one and set `failed`."""
    cdef size_t wanted = room[0] * 2 if room[0] else 256
    cdef void *larger = realloc(array, wanted * item_size)
    if larger == NULL:
        failed[0] = True
        return array
    room[0] = wanted
    return larger


cdef inline GameRecord *add_game(Buffers *b) noexcept nogil:
    """Return the next record, not cleared; NULL if there is no memory."""
    if b.game_count == b.game_room:
        b.games = <GameRecord *>grown(b.games, &b.game_room, sizeof(GameRecord), &b.out_of_memory)
        if b.game_count == b.game_room:
            return NULL
    b.game_count += 1
    return &b.games[b.game_count - 1]


cdef inline TagRecord *add_tag(Buffers *b) noexcept nogil:
    if b.tag_count == b.tag_room:
        b.tags = <TagRecord *>grown(b.tags, &b.tag_room, sizeof(TagRecord), &b.out_of_memory)
        if b.tag_count == b.tag_room:
            return NULL
    b.tag_count += 1
    return &b.tags[b.tag_count - 1]


cdef inline void add_item(
    Buffers *b, int ply, int kind, size_t start, size_t length
) noexcept nogil:
    cdef Item *item
    if b.item_count == b.item_room:
        b.items = <Item *>grown(b.items, &b.item_room, sizeof(Item), &b.out_of_memory)
        if b.item_count == b.item_room:
            return
    item = &b.items[b.item_count]
    item.ply = ply
    item.kind = kind
    item.start = <uint32_t>start
    item.length = <uint32_t>length
    b.item_count += 1


cdef inline bint open_buffers(Buffers *b, size_t block_bytes) noexcept nogil:
    """Make room for a block: a ply takes two bytes of text at least. False if no memory."""
    b.game_room = block_bytes // 512 + 16
    b.games = <GameRecord *>malloc(b.game_room * sizeof(GameRecord))
    b.tag_room = block_bytes // 64 + 64
    b.tags = <TagRecord *>malloc(b.tag_room * sizeof(TagRecord))
    b.moves = <move16_t *>malloc((block_bytes // 2 + 64) * sizeof(move16_t))
    b.message_room = 8192
    b.message = <uint8_t *>malloc(b.message_room)
    return b.games != NULL and b.tags != NULL and b.moves != NULL and b.message != NULL


cdef inline void close_buffers(Buffers *b) noexcept nogil:
    free(b.games)
    free(b.tags)
    free(b.items)
    free(b.moves)
    free(b.message)
    b.games = NULL
    b.tags = NULL
    b.items = NULL
    b.moves = NULL
    b.message = NULL
