"""Tags of games that SQLite stores as the text of a JSON object: Games.ExtraTags."""

import json

from libc.string cimport memchr, memcmp

from listed_players cimport Span

cdef enum:
    FIDE_ID_TAG                # of White, then of Black
    TITLE_TAG = 2
    COUNTRY_TAG = 4
    LINK_TAG = 6
    FICS_NUMBER_TAG
    GAME_TAGS

_TAG_NAMES = (
    b"WhiteFideId", b"BlackFideId", b"WhiteTitle", b"BlackTitle", b"WhiteCountry",
    b"BlackCountry", b"Link", b"FICSGamesDBGameNo",
)
cdef Span[GAME_TAGS] TAG_NAMES

for _index, _name in enumerate(_TAG_NAMES):
    TAG_NAMES[_index] = Span(<const uint8_t *>PyBytes_AS_STRING(_name), len(_name))


cdef inline const uint8_t *end_of_string(const uint8_t *at, const uint8_t *end) noexcept nogil:
    """Return the closing quote of a JSON string; `at`: behind the opening one. NULL without one."""
    cdef const uint8_t *quote = at
    cdef const uint8_t *before
    while quote < end:
        quote = <const uint8_t *>memchr(quote, c'"', end - quote)
        if quote == NULL:
            return NULL
        before = quote
        while before > at and (before - 1)[0] == c"\\":
            before -= 1
        if (quote - before) % 2 == 0:
            return quote
        quote += 1
    return NULL


cdef const uint8_t *end_of_value(const uint8_t *at, const uint8_t *end) noexcept nogil:
    """Return the end of a JSON value that is no string."""
    cdef int depth = 0
    while at < end:
        if at[0] == c'"':
            at = end_of_string(at + 1, end)
            if at == NULL:
                return end
        elif at[0] in (c"{", c"["):
            depth += 1
        elif at[0] in (c"}", c"]"):
            if depth == 0:
                return at
            depth -= 1
        elif depth == 0 and at[0] == c",":
            return at
        at += 1
    return end


cdef inline int tag_number(const uint8_t *name, size_t length) noexcept nogil:
    """Return the number of a tag, GAME_TAGS for another one."""
    cdef int i
    for i in range(GAME_TAGS):
        if length == TAG_NAMES[i].length and memcmp(name, TAG_NAMES[i].at, length) == 0:
            return i
    return GAME_TAGS


cdef bint find_tags(Span text, Span *tags) noexcept nogil:
    """Set the value of each tag, empty if it is missing; return whether one has escapes.

    Of two tags with a name, the first counts, as for SQLite's json_extract().
    """
    cdef const uint8_t *at = text.at
    cdef const uint8_t *end = text.at + text.length
    cdef const uint8_t *quote
    cdef Span name, value
    cdef int number
    cdef bint has_escapes = False
    memset(tags, 0, GAME_TAGS * sizeof(Span))
    while at < end:
        at = <const uint8_t *>memchr(at, c'"', end - at)
        quote = NULL if at == NULL else end_of_string(at + 1, end)
        if quote == NULL:
            break
        name = Span(at + 1, quote - at - 1)
        at = quote + 1
        while at < end and (at[0] == c":" or at[0] <= c" "):
            at += 1
        if at < end and at[0] == c'"':
            quote = end_of_string(at + 1, end)
            if quote == NULL:
                break
            value = Span(at + 1, quote - at - 1)
            at = quote + 1
        else:
            quote = end_of_value(at, end)
            value = Span(at, 0 if at < end and at[0] == c"n" else quote - at)      # null
            at = quote
        number = tag_number(name.at, name.length)
        if number < GAME_TAGS and tags[number].at == NULL:
            tags[number] = value
            has_escapes |= has_escape(value)
    return has_escapes


cdef inline bint has_escape(Span value) noexcept nogil:
    return value.length and memchr(value.at, c"\\", value.length) != NULL


cdef list unescape_tags(Span *tags):
    """Replace values with escapes; return the objects whose memory they use."""
    cdef bytes value
    kept = []
    for i in range(GAME_TAGS):
        if has_escape(tags[i]):
            text = (<const char *>tags[i].at)[:tags[i].length].decode("utf-8", "replace")
            try:
                value = json.loads(f'"{text}"', strict=False).encode("utf-8", "replace")
            except ValueError:                 # no escape of JSON
                value = b""
            kept.append(value)
            tags[i] = Span(<const uint8_t *>PyBytes_AS_STRING(value), len(value))
    return kept
