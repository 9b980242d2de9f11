"""Text output: a growing buffer, and lines that break at blanks.

No chess here. Room must be reserved before anything is written to lines. A line end replaces a
blank, so breaking lines never needs more memory.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, strlen

from game_columns cimport (
    OCG_TEXT_TAGS, OPTIONAL_TAGS, PRINTED_BLACK_ELO, PRINTED_BLACK_ID, PRINTED_DATE,
    PRINTED_EVENT_ID, PRINTED_FEN, PRINTED_ID, PRINTED_RESULT, PRINTED_ROUND, PRINTED_SITE_ID,
    PRINTED_WHITE_ELO, PRINTED_WHITE_ID, ocg_text_tag,
)
from memory cimport append_bytes, reserve
from pgn_lex cimport is_blank, is_newline
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


cdef inline bint is_single_blank(
    const uint8_t *p, const uint8_t *start, const uint8_t *end
) noexcept nogil:
    """Return whether the blank or line end at `p` parts two words."""
    return p > start and p + 1 < end and not is_blank((p - 1)[0]) and not is_blank(p[1])


cdef inline void write_words(Lines *l, const uint8_t *p, size_t length) noexcept nogil:
    """Write text; single blanks may become line ends, which readers turn into blanks again."""
    cdef const uint8_t *start = p
    cdef const uint8_t *end = p + length
    cdef uint8_t byte
    while p < end:
        byte = p[0]
        if byte == b' ':
            if is_single_blank(p, start, end) and may_start_line(p + 1, end):
                end_word(l)
                l.gap = l.at
        elif byte >= 0x80:
            l.line += (byte & 0xC0) == 0x80
        elif is_newline(byte):
            # A blank line may end a game, if a result precedes it and "1." follows.
            if is_single_blank(p, start, end) and may_start_line(p + 1, end):
                end_word(l)
                l.line = l.at + 1
                l.gap = NULL
            else:
                byte = b' '
        l.at[0] = byte
        l.at += 1
        p += 1


# --- tag pairs ------------------------------------------------------------------------------------

# Tag pairs of an exported game. PGN standard 8.1. Runs with the GIL. A row has PRINTED_COLUMNS of
# ocgdedup/game_columns.py; event, site, white and black are indexes into lists of names.

cdef inline int add_pair(
    Text *text, const char *name, size_t name_length, const char *value, size_t length
) except -1:
    """Append a tag pair (PGN standard 8.1): quotes and backslashes escaped, one line."""
    cdef size_t i
    cdef char *out
    grow(text, name_length + 2 * length + 6)
    out = <char *>text.data + text.size
    out[0] = b'['
    memcpy(out + 1, name, name_length)
    out += name_length + 1
    memcpy(out, b' "', 2)
    out += 2
    for i in range(length):
        if value[i] == b'"' or value[i] == b'\\':
            out[0] = b'\\'
            out += 1
        elif value[i] == b'\r' and i + 1 < length and value[i + 1] == b'\n':
            continue
        out[0] = b' ' if is_newline(value[i]) else value[i]
        out += 1
    memcpy(out, b'"]\n', 3)
    text.size = out + 3 - <char *>text.data


cdef inline int add_tag(Text *text, const char *name, value, const char *otherwise) except -1:
    """Append a tag; a value that is None or empty is replaced by `otherwise`."""
    cdef Py_ssize_t length = 0
    cdef const char *utf8 = b""
    if value is not None:
        utf8 = PyUnicode_AsUTF8AndSize(value, &length)
    if length == 0:
        utf8 = otherwise
        length = <Py_ssize_t>strlen(otherwise)
    return add_pair(text, name, strlen(name), utf8, length)


cdef inline int add_elo(Text *text, const char *name, value, game_id) except -1:
    cdef uint8_t digits[20]
    cdef int64_t elo
    if value is None:
        return 0
    elo = value
    if elo < 0:
        raise OverflowError(f"game {game_id}: Elo is negative: {elo}")
    return add_pair(
        text, name, strlen(name), <const char *>digits, write_number(elo, digits) - digits
    )


cdef inline object name_of(list names, key):
    """Return the name with an ID, None if there is none."""
    cdef Py_ssize_t index
    if key is None:
        return None
    index = key
    return names[index] if 0 <= index < len(names) else None


cdef inline const char *result_of(result) except NULL:
    """Return the termination marker that goes with a Result tag."""
    if result == "1-0":
        return b"1-0"
    if result == "0-1":
        return b"0-1"
    return b"1/2-1/2" if result == "1/2-1/2" else b"*"


cdef inline int add_tags(Text *text, tuple row, list events, list sites, list players) except -1:
    cdef ocg_text_tag tag
    add_tag(text, b"Event", name_of(events, row[PRINTED_EVENT_ID]), b"?")
    add_tag(text, b"Site", name_of(sites, row[PRINTED_SITE_ID]), b"?")
    add_tag(text, b"Date", row[PRINTED_DATE], b"????.??.??")
    add_tag(text, b"Round", row[PRINTED_ROUND], b"?")
    add_tag(text, b"White", name_of(players, row[PRINTED_WHITE_ID]), b"?")
    add_tag(text, b"Black", name_of(players, row[PRINTED_BLACK_ID]), b"?")
    add_tag(text, b"Result", row[PRINTED_RESULT], b"*")
    add_elo(text, b"WhiteElo", row[PRINTED_WHITE_ELO], row[PRINTED_ID])
    add_elo(text, b"BlackElo", row[PRINTED_BLACK_ELO], row[PRINTED_ID])
    for tag in OCG_TEXT_TAGS[:OPTIONAL_TAGS]:
        if row[tag.printed] is not None:
            add_tag(text, tag.name, row[tag.printed], b"")
    if row[PRINTED_FEN]:
        add_pair(text, b"SetUp", 5, b"1", 1)
        add_tag(text, b"FEN", row[PRINTED_FEN], b"")


cdef inline int add_extra_tags(Text *text, pairs) except -1:
    cdef Py_ssize_t name_length = 0, length = 0
    cdef const char *name_utf8
    cdef const char *utf8
    for name, value in pairs:
        name_utf8 = PyUnicode_AsUTF8AndSize(name, &name_length)
        utf8 = PyUnicode_AsUTF8AndSize(value, &length)
        add_pair(text, name_utf8, name_length, utf8, length)
