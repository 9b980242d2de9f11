"""Write PGN text: a growing buffer, and lines that break at blanks.

Knows neither moves nor tags. Memory must be reserved before anything is written to lines. A line
end replaces a blank, so breaking lines never needs more memory.
"""

from libc.stdint cimport uint8_t, uint64_t

from memory cimport append_bytes, reserve
from pgn_lex cimport (
    blank_line_before, interrupts_comment, is_blank, is_newline, result_before,
)
from position cimport ocg_unlikely

ctypedef struct Text:              # bytes that grow
    uint8_t *data
    size_t size
    size_t capacity

ctypedef struct Lines:
    uint8_t *at
    uint8_t *line                  # start of the line, plus 1 for each byte that takes no column
    uint8_t *gap                   # last blank of the line that may become a line end
    Py_ssize_t width


cdef inline int grow(Text *text, size_t more) except -1 nogil:
    """Reserve memory for `more` bytes at the end."""
    return reserve(<void **>&text.data, &text.capacity, text.size + more, 1)


cdef inline size_t add_bytes(Text *text, const void *data, size_t length) except? 0:
    """Append bytes; return their offset."""
    cdef size_t offset = text.size
    append_bytes(&text.data, &text.size, &text.capacity, data, length)
    return offset


cdef inline uint8_t *write_number(uint64_t number, uint8_t *out) noexcept nogil:
    cdef uint8_t digits[20]
    cdef int i = 20
    if number < 100:                                  # nearly every move number
        out[0] = <uint8_t>(c'0' + number // 10)
        out += number >= 10
        out[0] = <uint8_t>(c'0' + number % 10)
        return out + 1
    while True:
        i -= 1
        digits[i] = <uint8_t>(c'0' + number % 10)
        number //= 10
        if number == 0:
            break
    while i < 20:
        out[0] = digits[i]
        out += 1
        i += 1
    return out


cdef inline void break_line(Lines *l) noexcept nogil:
    """Begin a new line with the word after the gap; the gap becomes the line end."""
    cdef uint8_t *p = l.gap + 1
    l.gap[0] = b'\n'
    l.gap = NULL
    l.line = p
    while p < l.at:
        l.line += (p[0] & 0xC0) == 0x80               # UTF-8 continuation byte: same column
        p += 1


cdef inline void end_word(Lines *l) noexcept nogil:
    if ocg_unlikely(l.at - l.line > l.width) and l.gap != NULL:
        break_line(l)


cdef inline void begin_word(Lines *l) noexcept nogil:
    """Separate the next word from the text of the line."""
    if l.at != l.line:
        l.gap = l.at
        l.at[0] = b' '
        l.at += 1


cdef inline void end_line(Lines *l) noexcept nogil:
    l.at[0] = b'\n'
    l.at += 1
    l.line = l.at
    l.gap = NULL


cdef inline bint may_start_line(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether the text at `p`, after blanks, is harmless at the start of a line.

    "%" there is an escape line (PGN standard 6), "[" looks like a tag pair; "[%clk" does not.
    """
    while p < end and is_blank(p[0]):
        p += 1
    if p >= end:
        return True
    return p[0] != b'%' and (p[0] != b'[' or (p + 1 < end and p[1] == b'%'))


cdef inline bint begins_game(
    const uint8_t *start, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether a reader may take the line of a comment at `p` for the next game.

    As in find_interruption() of pgn_lex.pxd. 8 bytes after `end` must be readable, the first NUL.
    """
    if p[0] == b'[':
        return interrupts_comment(start, p, end)
    return p[0] == b'1' and p[1] == b'.' and (
        blank_line_before(start, p) and result_before(start, p)
    )


cdef inline bint is_single_blank(
    const uint8_t *p, const uint8_t *start, const uint8_t *end
) noexcept nogil:
    """Return whether the blank at `p` parts two words."""
    return p > start and p + 1 < end and not is_blank((p - 1)[0]) and not is_blank(p[1])


cdef inline void write_text(Lines *l, const uint8_t *p, size_t length, int depth) noexcept nogil:
    """Write the text of a comment (`depth` 1) or variation (0); see begins_game() for its end.

    Comments keep their line ends and get no others. Elsewhere single blanks may become line ends,
    which readers turn into blanks again.
    """
    cdef const uint8_t *start = p
    cdef const uint8_t *end = p + length
    cdef uint8_t byte
    while p < end:
        byte = p[0]
        if byte >= 0x80:
            l.line += (byte & 0xC0) == 0x80
        elif byte == b'{':
            depth += 1
        elif byte == b'}':
            depth -= depth > 0
        elif byte == b' ' and depth == 0:
            if is_single_blank(p, start, end) and may_start_line(p + 1, end):
                end_word(l)
                l.gap = l.at
        elif is_newline(byte):
            if byte == b'\r' and p[1] == b'\n':
                p += 1
            byte = b' '
            if depth and not begins_game(start, p + 1, end):
                end_word(l)
                byte = b'\n'
                l.line = l.at + 1
                l.gap = NULL
        l.at[0] = byte
        l.at += 1
        p += 1
