"""A block of PGN text: parse its games, count its lines, find where to cut it."""

from libc.stdint cimport uint8_t, uint32_t

from game_buffers cimport ACCEPTED, FAULT_TOO_LONG, NO_FAULT, GameRecord, add_game
from movetext cimport Reader
from pgn_game cimport read_game, skip_between
from pgn_lex cimport LOOK_AHEAD, is_hard_boundary


cdef inline void parse_block(
    Reader *r, bint final, bint has_more, bint use_ni, size_t *consumed
) noexcept nogil:
    """Parse game after game; keep complete games.

    `has_more`: more text follows, but the block has the maximum length of a game.

    Unless `final`, a game is complete only if LOOK_AHEAD bytes follow it: it might continue, or be
    parsed differently with what follows. The next block begins with it.
    """
    cdef Py_ssize_t needed = 0 if final else LOOK_AHEAD
    cdef const uint8_t *p = skip_between(r, r.base, final)
    cdef const uint8_t *stop
    cdef GameRecord *game
    while p < r.end and r.end - p >= needed:
        game = add_game(&r.out)
        if game == NULL:
            return
        stop = read_game(r, p, game, use_ni)
        if r.out.out_of_memory:
            return
        if r.end - stop < needed:
            r.out.game_count -= 1
            r.out.tag_count = game.first_tag
            r.out.item_count = game.first_item
            r.out.move_count = game.first_move
            break
        if has_more and stop >= r.end and game.rejection == ACCEPTED:
            if game.fault == NO_FAULT:
                game.fault_at = <uint32_t>(r.end - r.base)
            game.fault = FAULT_TOO_LONG
        p = skip_between(r, stop if stop > p else p + 1, final)
    if not final and p == r.end and p > r.base and (p - 1)[0] == b'\r':
        p -= 1                                        # a line feed may follow
    consumed[0] = p - r.base


cdef inline size_t count_byte(const uint8_t *p, const uint8_t *stop, uint8_t byte) noexcept nogil:
    """Count a byte, in strides short enough for 8-bit counters, so that the compiler uses SIMD."""
    cdef size_t count = 0
    cdef uint8_t partial
    cdef int i
    while stop - p >= 128:
        partial = 0
        for i in range(128):
            partial += p[i] == byte
        count += partial
        p += 128
    while p < stop:
        count += p[0] == byte
        p += 1
    return count


cdef inline size_t count_lines(const uint8_t *p, const uint8_t *stop) noexcept nogil:
    """Count line feeds, and carriage returns that no line feed follows."""
    cdef size_t lines = count_byte(p, stop, 10)
    if count_byte(p, stop, 13):
        while p < stop:
            lines += p[0] == 13 and p[1] != 10
            p += 1
    return lines


cdef inline Py_ssize_t last_boundary(
    const uint8_t *base, Py_ssize_t at, const uint8_t *end
) noexcept nogil:
    """Return the last offset up to `at` where a game begins whatever precedes it, or 0."""
    while at > 0:
        if base[at] == b'[' and (base[at - 1] == b'\n' or base[at - 1] == b'\r'):
            if is_hard_boundary(base, base + at, end):
                break
        at -= 1
    return at


cdef inline Py_ssize_t first_boundary(
    const uint8_t *base, Py_ssize_t most, const uint8_t *end
) noexcept nogil:
    """Return the first offset up to `most` where a game begins whatever precedes it, or 0."""
    cdef Py_ssize_t at
    for at in range(1, most + 1):
        if base[at] == b'[' and (base[at - 1] == b'\n' or base[at - 1] == b'\r'):
            if is_hard_boundary(base, base + at, end):
                return at
    return 0
