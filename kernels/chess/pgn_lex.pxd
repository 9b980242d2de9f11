"""Lexer for PGN text: where lines, tag pairs, comments and variations begin and end.

All functions look at [p, end) of a block that is followed by at least 64 readable zero bytes.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp

from game_columns cimport TAG_COUNT, ocg_tag_number
from thresholds cimport NESTED_BYTES, NESTED_DEPTH


# --- lines, tags and comments ---------------------------------------------------------------------

cdef enum:
    # How far the lexers look ahead after the end of a game. Bounds keep the time linear, and a game
    # that is followed by LOOK_AHEAD bytes is parsed the same wherever the block ends.
    LOOK_AHEAD = 8192
    LINE_BYTES = 1024      # for a sign on the same line
    COMMENT_WINDOW = 65536  # bytes of a comment that are searched at a time


cdef inline const uint8_t *find_byte(const uint8_t *p, int byte, const uint8_t *end) noexcept nogil:
    """Return the first occurrence of a byte, or `end`."""
    cdef const void *hit = memchr(p, byte, end - p) if p < end else NULL
    return end if hit == NULL else <const uint8_t *>hit


cdef inline bint is_newline(uint8_t c) noexcept nogil:
    return c == b'\n' or c == b'\r'


cdef inline const uint8_t *line_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end and not is_newline(p[0]):
        p += 1
    return p


cdef inline const uint8_t *find_on_line(
    const uint8_t *p, uint8_t byte, const uint8_t *end
) noexcept nogil:
    """Return the first occurrence of a byte within LINE_BYTES of the line, else the line's end."""
    cdef int _i
    if end - p > LINE_BYTES:
        end = p + LINE_BYTES
        for _i in range(3):                           # not within a letter of UTF-8
            end -= (end[0] & 0xC0) == 0x80
    while p < end and p[0] != byte and not is_newline(p[0]):
        p += 1
    return p


cdef inline const uint8_t *next_line(const uint8_t *p, const uint8_t *end) noexcept nogil:
    p = line_end(p, end)
    if p + 1 < end and p[0] == b'\r' and p[1] == b'\n':
        return p + 2
    return p + 1 if p < end else end


cdef inline bint is_blank(uint8_t c) noexcept nogil:
    # Joined files have NUL bytes and DOS end-of-file signs between games.
    return c <= b' ' and (c == 0 or b'\t' <= c <= b'\r' or c == b' ' or c == 0x1A)


cdef inline int invisible_size(const uint8_t *p) noexcept nogil:
    """Return the length of an invisible non-ASCII character at `p`, 0 if there is none.

    Byte order mark, no-break space (also the lone A0 of 8-bit text), zero-width space and joiners,
    line and paragraph separator.
    """
    if p[0] < 0x80:
        return 0
    if p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF:
        return 3
    if p[0] == 0xC2 and p[1] == 0xA0:
        return 2
    if p[0] == 0xE2 and p[1] == 0x80 and (0x8B <= p[2] <= 0x8F or p[2] == 0xA8 or p[2] == 0xA9):
        return 3
    return p[0] == 0xA0


cdef inline bint is_bom(const uint8_t *p) noexcept nogil:
    return p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF


cdef inline bint at_line_start(const uint8_t *base, const uint8_t *p) noexcept nogil:
    """Return whether only blanks, NUL bytes or a byte order mark precede `p` on its line."""
    while p > base and not is_newline((p - 1)[0]):
        if is_blank((p - 1)[0]):
            p -= 1
        elif p - base >= 3 and is_bom(p - 3):
            p -= 3
        else:
            return False
    # The byte before a block is NUL, or another byte if the block begins inside a line.
    return p > base or (p - 1)[0] == 0


cdef inline uint32_t copy_lines(
    const uint8_t *text, uint32_t length, int depth, uint8_t *out
) noexcept nogil:
    """Copy the text of a comment (`depth` 1) or variation (0) with line feeds as line ends.

    Between the moves of a variation they are layout, and become spaces. Return the number of bytes
    written, at most `length`.
    """
    cdef uint32_t i, n = 0
    for i in range(length):
        if text[i] == b'\r' and i + 1 < length and text[i + 1] == b'\n':
            continue
        if text[i] == b'{':
            depth += 1
        elif text[i] == b'}':
            depth -= depth > 0
        out[n] = text[i]
        if is_newline(text[i]):
            out[n] = b'\n' if depth else b' '
        n += 1
    return n


cdef inline bint is_letter(uint8_t c) noexcept nogil:
    return b'a' <= (c | 32) <= b'z'


cdef inline bint is_hex_digit(uint8_t c) noexcept nogil:
    return b'0' <= c <= b'9' or b'a' <= (c | 32) <= b'f'


cdef inline bint may_be_escape(const uint8_t *p) noexcept nogil:
    """Return whether a sign may begin an entity or escape of another format.

    "&eacute;", "%C3", "=C3", "\\u00e9"; _MAYBE_ENCODED in garbled.py finds the same.
    """
    if p[0] == b'&':
        p += 1 + (p[1] == b'#')
        while is_letter(p[0]) or b'0' <= p[0] <= b'9':
            p += 1
        return p[0] == b';'
    if p[0] == b'\\':
        return p[1] in (b'u', b'x', b"'", b'"', b'/')
    if p[0] == b'=':
        # The first byte of a letter in UTF-8, or a letter of Windows-1252: no number, as in "d=26".
        return p[1] == b'?' or (b'C' <= p[1] <= b'F' and is_hex_digit(p[2]))
    return p[0] == b'%' and (p - 1)[0] != b'[' and (
        p[1] == b'u' or (is_hex_digit(p[1]) and is_hex_digit(p[2]))
    )


cdef inline bint has_escape(const uint8_t *p, const uint8_t *end, uint8_t sign) noexcept nogil:
    """Return whether a sign may begin an escape in [p, end)."""
    p = find_byte(p, sign, end)
    while p < end:
        if may_be_escape(p):
            return True
        p = find_byte(p + 1, sign, end)
    return False


cdef inline bint has_escapes(const uint8_t *p, const uint8_t *end) noexcept nogil:
    return has_escape(p, end, b'&') or has_escape(p, end, b'\\') or has_escape(p, end, b'=')


cdef inline bint is_tag_name_char(uint8_t c) noexcept nogil:
    # PGN standard 8.1.1: letters, digits, underscore; real files also use + # = : -
    return (is_letter(c) or b'0' <= c <= b'9' or c == b'_' or c == b'+' or c == b'#'
            or c == b'=' or c == b':' or c == b'-' or c == b'.' or c == b'/')


cdef inline const uint8_t *tag_value(
    const uint8_t *p, const uint8_t *end, const uint8_t **name, const uint8_t **name_end
) noexcept nogil:
    """Return where the value of the tag pair at `p` begins, after its quote.

    Return NULL if `p` does not begin a tag pair: bracket, name, quoted value. The NUL bytes after
    the text end each loop.
    """
    if p[0] != b'[':
        return NULL
    p += 1
    while p[0] == b' ' or p[0] == b'\t':
        p += 1
    # Some programs begin names with a digit, or write them in other alphabets.
    if not (is_letter(p[0]) or b'0' <= p[0] <= b'9' or p[0] == b'_' or p[0] >= 0x80):
        return NULL
    name[0] = p
    while is_tag_name_char(p[0]) or (p[0] >= 0x80 and not invisible_size(p)):
        p += 1
    name_end[0] = p
    if p[0] != b' ' and p[0] != b'\t' and p[0] != b'"':
        return NULL
    while p[0] == b' ' or p[0] == b'\t':
        p += 1
    return p + 1 if p[0] == b'"' and p < end else NULL


cdef inline bint is_tag_pair(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether `p` begins a tag pair: bracket, name, quoted value."""
    cdef const uint8_t *name
    cdef const uint8_t *name_end
    return tag_value(p, end, &name, &name_end) != NULL


cdef inline bint is_unquoted_tag(
    const uint8_t *base, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether a tag with a number, without proper quotes, is at `p`, alone on its line."""
    cdef const uint8_t *name = p + 1
    cdef const uint8_t *stop = name
    if not is_letter(p[1]) or not at_line_start(base, p):
        return False
    while stop < end and is_tag_name_char(stop[0]):
        stop += 1
    if stop[0] != b' ' or ocg_tag_number(name, stop - name) == TAG_COUNT:
        return False
    p = find_on_line(stop, 0, end)
    while p > stop and is_blank((p - 1)[0]):
        p -= 1
    return (p - 1)[0] == b']'


cdef inline bint is_tag_line(
    const uint8_t *base, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether a tag pair begins at `p`; one without quotes only at the start of a line."""
    return is_tag_pair(p, end) or (p[0] == b'[' and is_unquoted_tag(base, p, end))


cdef inline bint tag_follows(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether another tag pair follows the one at `p`, on its line or the next."""
    cdef const uint8_t *after = find_on_line(p, b']', end)
    if after[0] == b']':
        after += 1
    while after < end and (after[0] == b' ' or after[0] == b'\t'):
        after += 1
    if after < end and is_newline(after[0]):
        after = next_line(after, end)
    return after < end and is_tag_pair(after, end)


cdef inline bint ends_in_result(const uint8_t *base, const uint8_t *p) noexcept nogil:
    """Return whether the text before `p` ends in a termination marker."""
    if p - base >= 1 and (p - 1)[0] == b'*':
        return True
    if p - base >= 3 and (memcmp(p - 3, b"1-0", 3) == 0 or memcmp(p - 3, b"0-1", 3) == 0):
        return True
    return p - base >= 3 and memcmp(p - 3, b"1/2", 3) == 0


cdef inline bint result_before(const uint8_t *base, const uint8_t *p) noexcept nogil:
    """Return whether only white space separates `p` from a preceding termination marker."""
    while p > base and is_blank((p - 1)[0]):
        p -= 1
    return p == base or ends_in_result(base, p)


cdef inline bint blank_line_before(const uint8_t *base, const uint8_t *p) noexcept nogil:
    cdef int newlines = 0
    while p > base and is_blank((p - 1)[0]):
        newlines += (p - 1)[0] == b'\n' or ((p - 1)[0] == b'\r' and p[0] != b'\n')
        p -= 1
    return newlines >= 2


cdef inline bint starts_section(const uint8_t *base, const uint8_t *p) noexcept nogil:
    """Return whether a blank line or a termination marker precedes `p`, a line start."""
    return blank_line_before(base, p) or result_before(base, p)


cdef inline bint is_hard_boundary(
    const uint8_t *base, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether a new game begins at `p` whatever precedes it, even an open comment.

    True for an Event tag at the start of a line, after a blank line or a termination marker, and
    followed by another tag; but not after a comment, which may belong to this game. Blocks are cut
    only at such boundaries, so that the cut never changes the result.
    """
    cdef const uint8_t *before = p
    if p[0] != b'[' or memcmp(p, b"[Event ", 7) != 0 or not is_tag_pair(p, end):
        return False
    while before > base and is_blank((before - 1)[0]):
        before -= 1
    if before == base or (before - 1)[0] == b'}':
        return False
    return starts_section(base, p) and tag_follows(p, end)


cdef inline bint interrupts_comment(
    const uint8_t *base, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether a new game's tag section begins at `p`, inside an unclosed comment.

    A comment may quote one line that looks like a tag. But an Event tag after a result and a blank
    line is not a quote, nor are two tags after a blank line, nor three tags.
    """
    cdef const uint8_t *second
    if not is_tag_pair(p, end):
        return False
    if memcmp(p, b"[Event ", 7) == 0 and result_before(base, p):
        return True
    if not tag_follows(p, end):
        return False
    second = next_line(p, end)
    return starts_section(base, p) or (is_tag_pair(second, end) and tag_follows(second, end))


cdef inline const uint8_t *find_interruption(
    const uint8_t *base, const uint8_t *p, const uint8_t *stop, const uint8_t *end
) noexcept nogil:
    """Return where a new game begins inside the comment text [p, stop), or `stop`.

    It begins at its tags or, for games without tags, at a "1." after a result and a blank line.
    """
    cdef const uint8_t *at = find_byte(p, b'[', stop)
    while at < stop:
        if is_newline((at - 1)[0]) and interrupts_comment(base, at, end):
            stop = at
            break
        at = find_byte(at + 1, b'[', stop)
    p = find_byte(p, b'\n', stop)
    while p < stop:
        p += 1
        if p[0] == b'1' and p[1] == b'.' and blank_line_before(base, p) and result_before(base, p):
            return p
        p = find_byte(p, b'\n', stop)
    return stop


cdef inline const uint8_t *balanced_brace(
    const uint8_t *p, const uint8_t *first, const uint8_t *end
) noexcept nogil:
    """Return the brace before `end` that closes the comment if inner braces are counted.

    If there is none, return `first`, the first closing brace. `p`: where the comment's text begins.
    """
    cdef int depth = 1
    while p < end:
        if p[0] == b'{':
            depth += 1
            if depth > NESTED_DEPTH:
                break
        elif p[0] == b'}':
            depth -= 1
            if depth == 0:
                return p
        p += 1
    return first


cdef inline const uint8_t *nested_window(const uint8_t *first, const uint8_t *end) noexcept nogil:
    """Return the end of the text in which a brace may balance those before `first`."""
    return first + NESTED_BYTES if end - first > NESTED_BYTES else end


cdef inline const uint8_t *comment_end(
    const uint8_t *base, const uint8_t *p, const uint8_t *end, bint *closed
) noexcept nogil:
    """Return the closing brace of the comment whose text begins at `p`.

    If there is none, set `closed` to False and return where the next game begins, or `end`.
    Comments do not nest (PGN standard 5), so the first brace closes the comment, unless inner
    braces are balanced before the next game begins.
    """
    cdef const uint8_t *text = p
    cdef const uint8_t *window
    cdef const uint8_t *brace
    cdef const uint8_t *stop
    closed[0] = False
    while True:
        window = p + COMMENT_WINDOW if end - p > COMMENT_WINDOW else end
        brace = find_byte(p, b'}', window)
        stop = find_interruption(base, p, brace, end)
        if stop < brace:
            return stop
        if brace < window:
            break
        if window == end:
            return end
        p = window
    closed[0] = True
    if find_byte(text, b'{', brace) == brace:
        return brace
    stop = find_interruption(base, brace, nested_window(brace, end), end)
    return balanced_brace(text, brace, stop)


cdef inline const uint8_t *variation_end(
    const uint8_t *base, const uint8_t *p, const uint8_t *end, bint *closed
) noexcept nogil:
    """Return the parenthesis that closes the variation whose text begins at `p`.

    Inner comments are skipped. If the variation is never closed, set `closed` to False and return
    where the next game begins, or `end`.
    """
    cdef int depth = 1
    cdef bint comment_closed = True
    closed[0] = True
    while p < end:
        if p[0] == b'{':
            p = comment_end(base, p + 1, end, &comment_closed)
            if not comment_closed:
                break
        elif p[0] == b';' or (p[0] == b'%' and is_newline((p - 1)[0])):
            p = line_end(p, end)
            continue
        elif p[0] == b'(':
            depth += 1
        elif p[0] == b')':
            depth -= 1
            if depth == 0:
                return p
        elif p[0] == b'[' and is_newline((p - 1)[0]) and is_tag_line(base, p, end):
            break
        p += 1
    closed[0] = False
    return p
