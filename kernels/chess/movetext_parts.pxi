"""Parts of movetext for Python: the text of variations, apart from the moves."""

from cpython.unicode cimport Py_UNICODE_ISSPACE

from pgn_lex cimport balanced_brace, find_byte, line_end, nested_window


cdef enum CharacterClass:
    PARENTHESIS, BLANK, OF_WORD


cdef inline const uint8_t *find_part(
    const uint8_t *text, const uint8_t *p, const uint8_t *end, bint by_lines
) noexcept nogil:
    """Return where the first comment or escape line from `p` on begins, or `end`."""
    if not by_lines:
        return find_byte(p, b'{', end)
    while p < end and p[0] != b'{' and p[0] != b';' and not (
        p[0] == b'%' and (p == text or is_newline((p - 1)[0]))
    ):
        p += 1
    return p


cdef inline const uint8_t *part_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the end of the comment or escape line that begins at `p`.

    Unlike comment_end(), this does not look for a game that begins within the comment: the text is
    that of one variation.
    """
    cdef const uint8_t *brace
    if p[0] != b'{':
        return line_end(p, end)
    brace = find_byte(p, b'}', end)
    if brace == end:
        return end
    if find_byte(p + 1, b'{', brace) < brace:
        brace = balanced_brace(p + 1, brace, nested_window(brace, end))
    return brace + 1


cdef inline Py_ssize_t character_count(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return how many characters UTF-8 text has."""
    cdef Py_ssize_t count = 0
    while p < end:
        count += (p[0] & 0xC0) != 0x80
        p += 1
    return count


def movetext_parts(str text not None, bint by_lines=False):
    """Yield the comments of a variation, which begin with a brace, and the text between them."""
    # A lone surrogate, which UTF-8 does not have, becomes another single character.
    cdef bytes utf8 = text.encode("utf-8", "replace")
    cdef const uint8_t *begin = <const uint8_t *>PyBytes_AS_STRING(utf8)
    cdef const uint8_t *end = begin + PyBytes_GET_SIZE(utf8)
    cdef const uint8_t *p = begin
    cdef const uint8_t *stop
    cdef Py_ssize_t index = 0      # of `p`, in characters
    cdef Py_ssize_t next_index
    cdef bint is_escape
    while p < end:
        is_escape = False
        stop = find_part(begin, p, end, by_lines)
        if stop == p:
            is_escape = p[0] == b'%'
            stop = part_end(p, end)
        next_index = index + character_count(p, stop)
        if not is_escape:
            yield text[index:next_index]
        p = stop
        index = next_index


cdef inline CharacterClass class_of(Py_UCS4 c) noexcept:
    # Blanks are those of Unicode, as Python's patterns have them, not those of is_blank().
    if c == u'(' or c == u')':
        return PARENTHESIS
    return BLANK if Py_UNICODE_ISSPACE(c) else OF_WORD


def movetext_tokens(str text not None):
    """Yield the comments, parentheses, words and blanks of a variation on one line."""
    cdef str part
    cdef Py_ssize_t start, stop, length
    cdef CharacterClass char_class
    for part in movetext_parts(text):
        if part[0] == u'{':
            yield part
            continue
        start = 0
        length = len(part)
        while start < length:
            char_class = class_of(part[start])
            stop = start + 1
            if char_class != PARENTHESIS:
                while stop < length and class_of(part[stop]) == char_class:
                    stop += 1
            yield part[start:stop]
            start = stop
