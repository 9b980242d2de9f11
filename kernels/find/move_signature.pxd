"""Signatures of one game: a few of its moves as text, and MD5s of all of them.

Defines their content (docs/file-format.md). Nothing is replayed: signatures describe the moves as
written, legal or not.
"""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcmp, memcpy

from chess_types cimport KNIGHT, NULL_MOVE, QUEEN, stored_move
from fen cimport is_standard_start, read_start_fen, write_epd
from go_board cimport GO_POINT, GoBoard, go_count_stones, go_is_move, go_read_start
from go_symmetry cimport GO_SYMMETRIES, GoLetters, go_fill_letters, go_write_stones
from memory cimport reserve
from position cimport Position
from sha256 cimport HASH_PADDING, MD5_BLOCK, MD5_BYTES, md5_digests, pad_message

cdef enum:
    SIGNATURE_MOVES = 3        # of SignatureA, and of SignatureB
    ALL_MOVES = 2 * SIGNATURE_MOVES
    GO_LETTERS = 2             # of a move in a signature
    CHESS_LETTERS = 4
    CHESS_MD5_LETTERS = 5      # maximum letters of a move in the text to hash
    SHORT_MD5 = 50             # number of moves in the MD5s of a start
    LONGER_MD5 = 100
    EPD_BYTES = 128
    QUESTION_MARK = 63
    NEW_LINE = 10

ctypedef struct StoredMoves:
    const uint8_t *moves       # little-endian, two bytes each
    size_t count
    const uint8_t *start       # NULL: the standard start
    size_t start_bytes

ctypedef struct Signatures:
    uint8_t[ALL_MOVES * CHESS_LETTERS] moves      # A, then B
    uint8_t[ALL_MOVES * CHESS_LETTERS] symmetric
    uint8_t[MD5_BYTES] all_moves
    uint8_t[MD5_BYTES] first50
    uint8_t[MD5_BYTES] first100
    uint8_t[MD5_BYTES] canonical

ctypedef struct Scratch:
    # Buffers kept from one game to the next: begin with zeros; the owner frees the text.
    uint8_t *text
    size_t capacity
    GoLetters letters


cdef inline size_t signature_number(int index) noexcept nogil:
    """Return the number of a move of a signature: A has 20, 40, 60, and B has 31, 51, 71."""
    return 20 + 20 * index if index < SIGNATURE_MOVES else 31 + 20 * (index - SIGNATURE_MOVES)


cdef inline void md5_of(uint8_t *message, const uint8_t *end, uint8_t *digest) noexcept nogil:
    """Hash a message that HASH_PADDING writable bytes follow."""
    md5_digests(message, 0, pad_message(message, end - message, 0, False), 1, digest)


cdef inline void md5_of_start(
    const uint8_t *message, const uint8_t *end, uint8_t *buffer, uint8_t *digest
) noexcept nogil:
    """Hash the start of a message and a line feed, using `buffer`."""
    cdef size_t length = end - message
    memcpy(buffer, message, length)
    buffer[length] = NEW_LINE
    md5_of(buffer, buffer + length + 1, digest)


# --- Go -----------------------------------------------------------------------------------------

cdef inline bint go_is_on_board(const StoredMoves *game, int lines) noexcept nogil:
    """Return whether all moves are passes or points of the board."""
    cdef size_t i
    for i in range(game.count):
        if not go_is_move(stored_move(game.moves, i), lines):
            return False
    return True


cdef inline void go_write_signature(
    const StoredMoves *game, const GoLetters *letters, int symmetry, uint8_t *out
) noexcept nogil:
    cdef int i
    cdef size_t number
    for i in range(ALL_MOVES):
        number = signature_number(i)
        if number > game.count:
            out[0] = out[1] = QUESTION_MARK
        else:
            memcpy(out, letters.texts[symmetry][stored_move(game.moves, number - 1) & GO_POINT], 2)
        out += GO_LETTERS


cdef inline void go_write_message(
    const StoredMoves *game, const GoBoard *start, const GoLetters *letters, int symmetry,
    bint has_stones, uint8_t *out,
) noexcept nogil:
    cdef uint8_t *at = go_write_stones(out, start, symmetry) if has_stones else out
    cdef size_t i
    for i in range(game.count):
        memcpy(at, letters.texts[symmetry][stored_move(game.moves, i) & GO_POINT], GO_LETTERS)
        at += GO_LETTERS
    at[0] = NEW_LINE


cdef inline bint sign_go(
    Scratch *scratch, const StoredMoves *game, Signatures *out
) except -1 nogil:
    """Make the signatures of a Go game; return False if it is invalid."""
    cdef GoBoard start
    cdef uint8_t[GO_SYMMETRIES * MD5_BYTES] digests
    cdef uint8_t[ALL_MOVES * GO_LETTERS] rotated
    cdef const uint8_t *smallest = digests
    cdef uint8_t *text
    cdef uint8_t *buffer
    cdef size_t length, stride, size, before, blocks = 0
    cdef int i
    if not go_read_start(&start, game.start, game.start + game.start_bytes):
        return False
    go_fill_letters(&scratch.letters, start.lines)
    if not go_is_on_board(game, start.lines):
        return False
    before = GO_LETTERS * <size_t>go_count_stones(&start) if game.start_bytes else 0
    length = before + GO_LETTERS * game.count + 1
    stride = (length + HASH_PADDING) // MD5_BLOCK * MD5_BLOCK
    # After the eight forms: memory for a start, and what padding clears after the last form.
    size = (GO_SYMMETRIES + 1) * stride + 2 * HASH_PADDING
    reserve(<void **>&scratch.text, &scratch.capacity, size, 1)
    text = scratch.text
    for i in range(GO_SYMMETRIES):
        go_write_message(game, &start, &scratch.letters, i, before > 0, text + stride * i)
        blocks = pad_message(text + stride * i, length, 0, False)
    md5_digests(text, stride, blocks, GO_SYMMETRIES, digests)
    for i in range(1, GO_SYMMETRIES):
        if memcmp(digests + MD5_BYTES * i, smallest, MD5_BYTES) < 0:
            smallest = digests + MD5_BYTES * i
    memcpy(out.all_moves, digests, MD5_BYTES)
    memcpy(out.canonical, smallest, MD5_BYTES)
    buffer = text + GO_SYMMETRIES * stride
    go_sign_start(game, text, before, SHORT_MD5, buffer, digests, out.first50)
    go_sign_start(game, text, before, LONGER_MD5, buffer, digests, out.first100)
    go_write_signature(game, &scratch.letters, 0, out.moves)
    memcpy(out.symmetric, out.moves, sizeof(rotated))
    for i in range(1, GO_SYMMETRIES):
        go_write_signature(game, &scratch.letters, i, rotated)
        if memcmp(rotated, out.symmetric, sizeof(rotated)) < 0:
            memcpy(out.symmetric, rotated, sizeof(rotated))
    return True


cdef inline void go_sign_start(
    const StoredMoves *game, const uint8_t *message, size_t before, size_t moves, uint8_t *buffer,
    const uint8_t *all_moves, uint8_t *digest
) noexcept nogil:
    """Hash the first moves of a message, whose setup stones take `before` bytes."""
    if game.count <= moves:
        memcpy(digest, all_moves, MD5_BYTES)
    else:
        md5_of_start(message, message + before + GO_LETTERS * moves, buffer, digest)


# --- chess --------------------------------------------------------------------------------------

cdef inline void write_squares(uint8_t *out, uint16_t move) noexcept nogil:
    """Write from and to square, "e2e4"; a null move is "0000"."""
    if move == NULL_MOVE:
        memcpy(out, b"0000", CHESS_LETTERS)
        return
    out[0] = <uint8_t>(97 + (move & 7))
    out[1] = <uint8_t>(49 + (move >> 3 & 7))
    out[2] = <uint8_t>(97 + (move >> 6 & 7))
    out[3] = <uint8_t>(49 + (move >> 9 & 7))


cdef inline void write_chess_signature(const StoredMoves *game, uint8_t *out) noexcept nogil:
    cdef int i
    cdef size_t number
    for i in range(ALL_MOVES):
        number = signature_number(i)
        if number > game.count:
            out[0] = out[1] = out[2] = out[3] = QUESTION_MARK
        else:
            write_squares(out, stored_move(game.moves, number - 1))
        out += CHESS_LETTERS


cdef inline uint8_t *write_chess_moves(
    uint8_t *out, const StoredMoves *game, size_t first, size_t end
) noexcept nogil:
    """Write moves as UCI without blanks; return the end, NULL for an invalid promotion."""
    cdef size_t i
    cdef int promotion
    for i in range(first, end):
        write_squares(out, stored_move(game.moves, i))
        out += CHESS_LETTERS
        promotion = stored_move(game.moves, i) >> 12 & 7
        if promotion:
            if promotion < KNIGHT or promotion > QUEEN:
                return NULL
            out[0] = (b"  nbrq")[promotion]
            out += 1
    return out


cdef inline uint8_t *write_chess_start(
    uint8_t *out, const StoredMoves *game, const Position *standard
) noexcept nogil:
    """Write EPD and a line feed unless the start is standard; return NULL for an invalid FEN."""
    cdef Position start
    if game.start_bytes == 0:
        return out
    if not read_start_fen(&start, game.start, game.start + game.start_bytes, game.count > 0):
        return NULL
    if is_standard_start(&start, standard):
        return out
    out += write_epd(&start, out)
    out[0] = NEW_LINE
    return out + 1


cdef inline bint sign_chess(
    Scratch *scratch, const StoredMoves *game, const Position *standard, Signatures *out
) except -1 nogil:
    """Make the signatures of a chess game; return as sign_go()."""
    cdef size_t message_bytes = EPD_BYTES + CHESS_MD5_LETTERS * game.count + 1 + HASH_PADDING
    cdef uint8_t *message
    cdef uint8_t *at
    cdef uint8_t *spare
    cdef size_t first50 = min(<size_t>SHORT_MD5, game.count)
    cdef size_t first100 = min(<size_t>LONGER_MD5, game.count)
    reserve(<void **>&scratch.text, &scratch.capacity, 2 * message_bytes, 1)
    message = scratch.text
    spare = message + message_bytes
    at = write_chess_start(message, game, standard)
    if at != NULL:
        at = write_chess_moves(at, game, 0, first50)
    if at == NULL:
        return False
    md5_of_start(message, at, spare, out.first50)
    at = write_chess_moves(at, game, first50, first100)
    if at == NULL:
        return False
    md5_of_start(message, at, spare, out.first100)
    at = write_chess_moves(at, game, first100, game.count)
    if at == NULL:
        return False
    at[0] = NEW_LINE
    md5_of(message, at + 1, out.all_moves)
    memcpy(out.canonical, out.all_moves, MD5_BYTES)
    write_chess_signature(game, out.moves)
    memcpy(out.symmetric, out.moves, sizeof(out.moves))
    return True
