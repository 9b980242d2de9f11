"""Does a variation replay? Only then is it kept as one.

What stands between parentheses is kept as text, as it was. But a reader that is given a variation
which cannot be played may lose its way in the mainline too; so one that is illegal, stands at the
wrong move, or is written in other letters than English ones is kept as a comment.
"""

from libc.stdint cimport uint8_t

from chess_types cimport move16_t
from pgn_lex cimport comment_end, is_newline, line_end, variation_end
from position cimport Position, play_null
from san_read cimport play_san
from san_tolerant cimport has_square, token_end

cdef extern from "lex_tables.h" nogil:
    const uint8_t OCG_CLASS[256]
    enum:
        OCG_WORD
        OCG_DIGIT
        OCG_SAN
        OCG_OPEN_BRACE
        OCG_OPEN_PAREN
        OCG_SEMICOLON
        OCG_PERCENT
        OCG_GLYPH
        OCG_STAR

cdef enum:
    DEEPEST_VARIATION = 100

ctypedef struct Line:
    Position pos
    Position before        # the last move
    int plies


cdef inline const uint8_t *play_token(Line *line, const uint8_t *p) noexcept nogil:
    """Play or step over a word; NULL if it is a move that cannot be played, or castling."""
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


cdef inline const uint8_t *play_sign(Line *line, const uint8_t *p) noexcept nogil:
    """Step over a run of signs, or play a null move; NULL if others could see one in it."""
    cdef const uint8_t *stop = p
    cdef bint dashes = False
    while OCG_CLASS[stop[0]] == OCG_GLYPH:
        dashes = dashes or (stop[0] == b'-' and stop[1] == b'-')
        stop += 1
    if not dashes:
        return stop
    if stop - p != 2:
        return NULL
    line.before = line.pos
    play_null(&line.pos)
    line.plies += 1
    return stop


cdef inline const uint8_t *skip_number(const uint8_t *p) noexcept nogil:
    """Step over a move number; NULL if it is castling with zeros or part of a result."""
    while b'0' <= p[0] <= b'9':
        p += 1
    if p[0] == b'-' or p[0] == b'/':
        return NULL
    return p


cdef inline const uint8_t *play_inner(
    const Line *line, const uint8_t *base, const uint8_t *p, const uint8_t *stop, int depth
) noexcept nogil:
    """Check the variation inside that begins at `p`; return the place after it, or NULL."""
    cdef bint closed = True
    cdef const uint8_t *end = variation_end(base, p + 1, stop, &closed)
    if not closed or line.plies == 0 or depth >= DEEPEST_VARIATION:
        return NULL
    if not variation_replays(&line.before, base, p + 1, end, depth + 1):
        return NULL
    return end + 1


cdef inline bint variation_replays(
    const Position *start, const uint8_t *base, const uint8_t *p, const uint8_t *stop, int depth
) noexcept nogil:
    """Tell if the text [p, stop) is one or more legal moves from `start`, in plain SAN."""
    cdef Line line
    cdef int kind
    cdef bint closed = True
    line.pos = start[0]
    line.plies = 0
    while p != NULL and p < stop:
        kind = OCG_CLASS[p[0]]
        if kind == OCG_SAN or kind == OCG_WORD:
            p = play_token(&line, p)
        elif kind == OCG_DIGIT:
            p = skip_number(p)
        elif kind == OCG_GLYPH:
            p = play_sign(&line, p)
        elif kind == OCG_OPEN_BRACE:
            p = comment_end(base, p + 1, stop, &closed) + 1
        elif kind == OCG_SEMICOLON or (kind == OCG_PERCENT and is_newline((p - 1)[0])):
            p = line_end(p, stop)
        elif kind == OCG_OPEN_PAREN:
            p = play_inner(&line, base, p, stop, depth)
        elif kind == OCG_STAR:
            return False
        else:
            p += 1
    return p != NULL and line.plies > 0
