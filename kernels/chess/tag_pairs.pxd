"""Write the tag pairs of a game (PGN standard 8.1); only add_pair() runs without the GIL.

A row has PRINTED_COLUMNS of ocgdedup/game_columns.py; event, site, White and Black are indexes into
lists of names.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy, strlen

from game_columns cimport (
    OCG_TEXT_TAGS, OPTIONAL_TAGS, PRINTED_BLACK_ELO, PRINTED_BLACK_ID, PRINTED_DATE,
    PRINTED_EVENT_ID, PRINTED_FEN, PRINTED_ID, PRINTED_RESULT, PRINTED_ROUND, PRINTED_SITE_ID,
    PRINTED_WHITE_ELO, PRINTED_WHITE_ID, ocg_text_tag,
)
from pgn_lex cimport is_newline
from text_lines cimport Text, grow, write_number


cdef inline int add_pair(
    Text *text, const char *name, size_t name_length, const char *value, size_t length
) except -1 nogil:
    """Append a tag pair on one line; quotes and backslashes get a backslash."""
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
