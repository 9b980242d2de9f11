"""Does a variation replay? Only then is it stored as a variation.

The text between the parentheses is kept unchanged. But a reader may lose track of the mainline too
if it meets a variation that cannot be played. So a variation that is illegal, is at the wrong move,
or has piece letters of another language is stored as a comment.
"""

from libc.stdint cimport uint8_t

from chess_types cimport move16_t
from game_buffers cimport RESULT_NONE
from pgn_lex cimport comment_end, is_newline, line_end, variation_end
from position cimport Position, play_null
from san_read cimport has_square, play_san, token_end
from termination_marker cimport result_at

cdef extern from "lex_tables.h" nogil:
    const uint8_t OCG_CLASS[256]
    enum:
        OCG_WORD, OCG_DIGIT, OCG_SAN, OCG_OPEN_BRACE, OCG_OPEN_PAREN, OCG_SEMICOLON, OCG_PERCENT,
        OCG_GLYPH

cdef enum:
    DEEPEST_VARIATION = 100

ctypedef struct Line:
    Position pos
    Position before        # the last move
    int plies


cdef inline const uint8_t *play_token(Line *line, const uint8_t *p) noexcept nogil:
    """Play or skip a word; return NULL for a move that cannot be played, and for castling."""
    cdef Position last = line.pos
    cdef move16_t move
    cdef const uint8_t *stop = play_san(&line.pos, p, &move)
    if stop != NULL:
        line.before = last
        line.plies += 1
        return stop
    stop = token_end(p)
    if has_square(p, stop) or ((p[0] | 32) == b'o' and p[1] == b'-'):
        return NULL
    return stop


cdef inline int null_size(const uint8_t *p, const uint8_t *stop) noexcept nogil:
    """Return 2 if the run of signs [p, stop) is a null move, alone or with "!" and "?", else 0."""
    if stop - p < 2 or p[0] != b'-' or p[1] != b'-':
        return 0
    while stop > p + 2 and ((stop - 1)[0] == b'!' or (stop - 1)[0] == b'?'):
        stop -= 1
    return 2 if stop == p + 2 else 0


cdef inline const uint8_t *play_sign(Line *line, const uint8_t *p) noexcept nogil:
    """Skip a run of signs, or play a null move; return NULL if a null move is uncertain."""
    cdef const uint8_t *stop = p
    cdef bint dashes = False
    while OCG_CLASS[stop[0]] == OCG_GLYPH:
        dashes = dashes or (stop[0] == b'-' and stop[1] == b'-')
        stop += 1
    if not dashes:
        return stop
    if not null_size(p, stop):
        return NULL
    line.before = line.pos
    play_null(&line.pos)
    line.plies += 1
    return stop


cdef inline const uint8_t *digits_end(const uint8_t *p) noexcept nogil:
    while b'0' <= p[0] <= b'9':
        p += 1
    return p


cdef inline const uint8_t *play_inner(
    const Line *line, const uint8_t *base, const uint8_t *p, const uint8_t *stop, int depth
) noexcept nogil:
    """Check the inner variation that begins at `p`; return its end, or NULL."""
    cdef bint closed = True
    cdef const uint8_t *end = variation_end(base, p + 1, stop, &closed)
    if line.plies == 0 or depth >= DEEPEST_VARIATION:
        return NULL
    if not variation_replays(&line.before, base, p + 1, end, depth + 1):
        return NULL
    return end + closed


cdef inline bint variation_replays(
    const Position *start, const uint8_t *base, const uint8_t *p, const uint8_t *stop, int depth
) noexcept nogil:
    """Return whether the text [p, stop) is one or more legal moves from `start`, in plain SAN."""
    cdef Line line
    cdef int byte_class, length
    cdef bint closed = True
    line.pos = start[0]
    line.plies = 0
    while p != NULL and p < stop:
        byte_class = OCG_CLASS[p[0]]
        if byte_class == OCG_SAN or byte_class == OCG_WORD:
            p = play_token(&line, p)
        elif byte_class == OCG_DIGIT and result_at(p, &length) != RESULT_NONE:
            p += length
        elif byte_class == OCG_DIGIT:
            p = digits_end(p)
            if p[0] == b'-' or p[0] == b'/':           # castling with zeros
                return False
        elif byte_class == OCG_GLYPH:
            p = play_sign(&line, p)
        elif byte_class == OCG_OPEN_BRACE:
            p = comment_end(base, p + 1, stop, &closed) + 1
        elif byte_class == OCG_SEMICOLON or (byte_class == OCG_PERCENT and is_newline((p - 1)[0])):
            p = line_end(p, stop)
        elif byte_class == OCG_OPEN_PAREN:
            p = play_inner(&line, base, p, stop, depth)
        else:
            p += 1
    return p != NULL and line.plies > 0
