"""Names and persons of a database by ID: what is known of each, looked up once.

Works without the GIL, which it takes to raise. Must not know the tables.
"""

from libc.stdint cimport INT64_MIN, int64_t, uint8_t

from header_rows cimport IS_NULL, IS_TEXT, says_nothing
from id_numbers cimport IdNumbers, free_id_numbers, number_of_id, set_number
from id_texts cimport IdTexts, Text, forget_texts, has_id_text, keep_id_text, text_of_id
from sqlite_api cimport (
    OCG_SQLITE_DONE, OCG_SQLITE_ROW, ocg_sqlite_api, refuse, sqlite3, sqlite3_stmt,
)

cdef enum:
    KNOWN = 1                  # states of names and persons
    EMPTY = 2                  # no name at all
    BLANK = 4                  # one that says nothing
    NAMED = 8                  # somebody's; of persons: has a FIDE ID; of events: is event-like
    ASKED = 16                 # whether it is somebody's is known
    ODD = 32                   # no text

cdef enum:
    EVENTS = 0
    SITES = 1
    PLAYERS = 2
    PERSONS = 3
    TABLES = 4

ctypedef struct KnownNames:
    sqlite3 *db
    const ocg_sqlite_api *api
    sqlite3_stmt *lookups[TABLES]      # select the name, or the FIDE ID, by ID
    IdNumbers states[TABLES]
    IdTexts texts[PERSONS]


cdef inline void forget_names(KnownNames *names) noexcept nogil:
    cdef int i
    for i in range(TABLES):
        free_id_numbers(&names.states[i])
    for i in range(PERSONS):
        forget_texts(&names.texts[i])


cdef inline int keep_state(
    KnownNames *names, int table, int64_t key, uint8_t state
) except -1 nogil:
    if not set_number(&names.states[table], key, state):
        with gil:
            raise MemoryError("no memory for names")
    return 0


cdef inline uint8_t state_in_row(
    const ocg_sqlite_api *api, sqlite3_stmt *row, int table
) noexcept nogil:
    cdef int kind = api.column_type(row, 0)
    cdef size_t length
    cdef const uint8_t *text
    if kind == IS_NULL:
        return EMPTY
    if table == PERSONS:
        return NAMED if api.column_int64(row, 0) else 0
    if kind != IS_TEXT:
        return ODD
    text = api.column_text(row, 0)
    length = api.column_bytes(row, 0)
    if length == 0:
        return EMPTY
    return BLANK if says_nothing(text, length) else 0


cdef inline uint8_t state_of(KnownNames *names, int table, int64_t key) except 0 nogil:
    """Return what is known of a name or a person, by ID."""
    cdef uint8_t found = <uint8_t>number_of_id(&names.states[table], key)
    cdef sqlite3_stmt *row = names.lookups[table]
    cdef int code
    if found:
        return found
    names.api.bind_int64(row, 1, key)
    code = names.api.step(row)
    if code == OCG_SQLITE_ROW:
        found = KNOWN | state_in_row(names.api, row, table)
    elif code == OCG_SQLITE_DONE:
        found = KNOWN | EMPTY
    else:
        with gil:
            refuse(names.api, names.db)
    names.api.reset(row)
    keep_state(names, table, key, found)
    return found


cdef inline int fetch_text(KnownNames *names, int table, int64_t key) except -1 nogil:
    """Have the text of a name at hand."""
    cdef sqlite3_stmt *row = names.lookups[table]
    cdef bint ok
    if key == INT64_MIN or has_id_text(&names.texts[table], key):
        return 0
    names.api.bind_int64(row, 1, key)
    if names.api.step(row) != OCG_SQLITE_ROW:
        with gil:
            refuse(names.api, names.db)
    ok = keep_id_text(
        &names.texts[table], key, names.api.column_text(row, 0), names.api.column_bytes(row, 0)
    )
    names.api.reset(row)
    if not ok:
        with gil:
            raise MemoryError("no memory for names")
    return 0


cdef inline Text text_of_name(KnownNames *names, int table, int64_t key) noexcept nogil:
    """Return the text of a name that was fetched, or none; valid until the next is fetched."""
    cdef Text found
    found.text = NULL
    found.length = 0
    return found if key == INT64_MIN else text_of_id(&names.texts[table], key)
