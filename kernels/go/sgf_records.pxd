"""Parser output for a block of SGF in C: games, root properties, annotations, moves.

Offsets count from the start of the block. Arrays grow by half. A failed allocation sets
`out_of_memory`; nothing is written past an end.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free

from go_board cimport GoKeys
from memory cimport try_new_item, try_reserve

cdef enum SgfFault:
    SGF_NO_FAULT
    SGF_OFF_BOARD              # a point outside the board
    SGF_NO_POINT = 2           # a move that is not a point
    SGF_OPEN_VALUE = 3         # an unclosed value
    SGF_NO_VALUE = 4           # a property without a value
    SGF_STRAY = 5              # text where a property or a node should be
    SGF_OPEN_TREE = 6          # the text ends inside the game
    SGF_TOO_LONG = 7           # its text continues after the text that is parsed at a time
    SGF_TOO_DEEP = 8           # branches within branches

cdef enum SgfRejection:
    SGF_ACCEPTED = 0
    SGF_REJECT_NO_GAME = 1     # text between games
    SGF_REJECT_OTHER_GAME = 2  # declared by GM
    SGF_REJECT_BOARD = 3       # its size

cdef enum SgfAnnotationType:
    SGF_COMMENT = 1            # the text of a value
    SGF_PROPERTIES = 2         # properties, as written
    SGF_NODE = 3               # a node without a move: ";" and properties
    SGF_BRANCH = 4             # a branch other than the mainline, with its parentheses

cdef enum DoubleByteCharset:
    # In the last two a bracket may be the second byte of a letter; pairs: GB18030, Big5, Johab.
    SGF_SINGLE_BYTE, SGF_SHIFT_JIS, SGF_PAIRS

# A property of the root: its name and the text between the brackets of each value.
ctypedef struct SgfProperty:
    uint32_t name, name_length
    uint32_t start, length     # of the whole property, name to last bracket
    uint32_t value, value_length   # of its first value
    uint32_t values            # number of values
    uint32_t code              # see sgf_code()

ctypedef struct SgfAnnotation:
    int32_t ply                # move of the annotation, -1 before the first move
    uint32_t type
    uint32_t start, length
    uint32_t before            # index of the annotation that a branch precedes

ctypedef struct SgfRecord:
    uint32_t start, end
    uint32_t first_property, property_count
    uint32_t first_annotation, annotation_count
    uint32_t first_move, move_count
    uint32_t first_letter, start_length    # of the start, in `letters`
    uint32_t fault_at
    uint32_t charset, charset_length       # value of CA, in the block
    uint8_t fault, rejection, has_branches
    uint8_t double_byte        # bracket mode, see DoubleByteCharset
    GoKeys keys

ctypedef struct SgfBuffers:
    SgfRecord *games
    size_t game_count, game_capacity
    SgfProperty *properties
    size_t property_count, property_capacity
    SgfAnnotation *annotations
    size_t annotation_count, annotation_capacity
    uint16_t *moves
    size_t move_count, move_capacity
    uint8_t *letters
    size_t letter_count, letter_capacity
    uint8_t *message           # to hash
    size_t message_capacity
    bint out_of_memory


cdef inline bint sgf_reserve(
    SgfBuffers *b, void **memory, size_t *capacity, size_t count, size_t size
) noexcept nogil:
    """Reserve memory for `count` items of `size` bytes."""
    if not try_reserve(memory, capacity, count, size):
        b.out_of_memory = True
    return not b.out_of_memory


cdef inline SgfRecord *sgf_add_game(SgfBuffers *b) noexcept nogil:
    """Return the next record, not cleared; NULL if out of memory."""
    return <SgfRecord *>try_new_item(
        <void **>&b.games, &b.game_count, &b.game_capacity, sizeof(SgfRecord), &b.out_of_memory
    )


cdef inline SgfProperty *sgf_add_property(SgfBuffers *b) noexcept nogil:
    return <SgfProperty *>try_new_item(
        <void **>&b.properties, &b.property_count, &b.property_capacity, sizeof(SgfProperty),
        &b.out_of_memory,
    )


cdef inline SgfAnnotation *sgf_add_annotation(SgfBuffers *b) noexcept nogil:
    return <SgfAnnotation *>try_new_item(
        <void **>&b.annotations, &b.annotation_count, &b.annotation_capacity,
        sizeof(SgfAnnotation), &b.out_of_memory,
    )


cdef inline void sgf_add_move(SgfBuffers *b, uint16_t move) noexcept nogil:
    if sgf_reserve(b, <void **>&b.moves, &b.move_capacity, b.move_count + 1, sizeof(uint16_t)):
        b.moves[b.move_count] = move
        b.move_count += 1


cdef inline void sgf_close(SgfBuffers *b) noexcept nogil:
    free(b.games)
    free(b.properties)
    free(b.annotations)
    free(b.moves)
    free(b.letters)
    free(b.message)
