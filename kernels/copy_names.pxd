"""Names of players, events and sites for the search for duplicates, from rows of (ID, text)."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from copy_game cimport EventText, Games, reserve
from copy_scan cimport SQLITE_IS_TEXT
from copy_text cimport read_event
from packed_name cimport MOST_PACKED, UNPACKED_BEHIND, NameRecord, pack_name
from parsed_name cimport ParsedName, parse_name
from sqlite_api cimport OCG_SQLITE_DONE, OCG_SQLITE_ROW, ocg_sqlite_api, sqlite3_stmt

ctypedef struct TextRow:
    int64_t id
    const uint8_t *text
    size_t length
    bint is_ascii


cdef inline bint is_ascii(const uint8_t *text, size_t length) noexcept nogil:
    cdef uint8_t bits = 0
    cdef size_t i
    for i in range(length):
        bits |= text[i]
    return bits < 128


cdef inline int next_text(
    const ocg_sqlite_api *api, sqlite3_stmt *rows, TextRow *row, int *code
) except -1:
    """Read the next row; return whether there is one. `code`: of SQLite, if it refused."""
    code[0] = api.step(rows)
    if code[0] != OCG_SQLITE_ROW:
        return 0
    row.id = api.column_int64(rows, 0)
    if api.column_type(rows, 1) != SQLITE_IS_TEXT:
        raise TypeError(f"name {row.id} of a player, event or site is no text")
    row.text = api.column_text(rows, 1)
    if row.text == NULL:
        raise MemoryError("no memory for a name")
    row.length = api.column_bytes(rows, 1)
    row.is_ascii = is_ascii(row.text, row.length)
    return 1


cdef inline int add_name(Games *all, int64_t id, const uint8_t *text, size_t length) except -1:
    cdef ParsedName name
    cdef NameRecord *record
    cdef size_t room = all.name_room
    if not (
        reserve(<void **>&all.name_ids, &room, all.name_count + 1, sizeof(int64_t))
        and reserve(<void **>&all.names, &all.name_room, all.name_count + 1, sizeof(NameRecord))
        and reserve(
            <void **>&all.name_words, &all.name_words_room,
            all.name_words_size + MOST_PACKED + UNPACKED_BEHIND, 1,
        )
    ):
        raise MemoryError("no memory for the names of players")
    parse_name(text, length, &name)
    record = &all.names[all.name_count]
    record.words = <uint32_t>(all.name_words_size // 4)
    all.name_words_size += pack_name(&name, all.name_words + all.name_words_size, record)
    all.name_ids[all.name_count] = id
    all.name_count += 1
    return 0


cdef inline int enter_fide_ids(
    Games *all, const int64_t[::1] persons, const uint32_t[::1] fide_ids
) except -1:
    """Enter the FIDE IDs of persons, by rising ID of these."""
    cdef size_t count = 0 if persons is None else persons.shape[0]
    cdef size_t room = 0
    if count == 0 or all.person_count:
        return 0
    if fide_ids is None or <size_t>fide_ids.shape[0] != count:
        raise ValueError("each person in the list needs a FIDE ID")
    if not reserve(<void **>&all.person_ids, &room, count, sizeof(int64_t)):
        raise MemoryError("no memory for the IDs of persons")
    room = 0
    if not reserve(<void **>&all.fide_ids, &room, count, sizeof(uint32_t)):
        raise MemoryError("no memory for the FIDE IDs of persons")
    memcpy(all.person_ids, &persons[0], count * sizeof(int64_t))
    memcpy(all.fide_ids, &fide_ids[0], count * sizeof(uint32_t))
    all.person_count = count
    return 0


cdef inline int load_names(
    Games *all, const ocg_sqlite_api *api, sqlite3_stmt *rows, fold, rewrite
) except -1:
    """Enter players by rising ID; return the code at which SQLite ended.

    `fold` brings a name that is not ASCII to ASCII; `rewrite`, if given, takes every name before.
    """
    cdef TextRow row
    cdef bytes raw
    cdef int code
    while next_text(api, rows, &row, &code):
        if row.is_ascii and rewrite is None:
            add_name(all, row.id, row.text, row.length)
            continue
        name = (<bytes>row.text[:row.length]).decode()
        if rewrite is not None:
            name = rewrite(name)
        if not name.isascii():
            name = fold(name)
        raw = name.encode()
        add_name(all, row.id, <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))
    return code


cdef inline int load_texts(
    const ocg_sqlite_api *api, sqlite3_stmt *rows, int64_t **ids, EventText **texts,
    size_t *count, size_t *room,
) except -1:
    """Enter events or sites by rising ID; return the code at which SQLite ended."""
    cdef size_t id_room
    cdef TextRow row
    cdef int code
    while next_text(api, rows, &row, &code):
        if not row.is_ascii:
            (<bytes>row.text[:row.length]).decode()        # raises what a text that is none does
        id_room = room[0]
        if not (
            reserve(<void **>ids, &id_room, count[0] + 1, sizeof(int64_t))
            and reserve(<void **>texts, room, count[0] + 1, sizeof(EventText))
        ):
            raise MemoryError("no memory for events and sites")
        ids[0][count[0]] = row.id
        read_event(row.text, row.length, &texts[0][count[0]])
        count[0] += 1
    return code
