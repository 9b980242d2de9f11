"""Names and players of a database by ID: facts about each, looked up once and read often.

Works without the GIL, which it takes to raise. Must not know the tables.
"""

from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from field_rules cimport Text, is_blank
from memory cimport allocate_zeros, append_bytes
from sqlite_api cimport (
    IS_NULL, IS_TEXT, OCG_SQLITE_DONE, OCG_SQLITE_ROW, ocg_sqlite_api, refuse, sqlite3,
    sqlite3_stmt,
)

cdef enum:
    IS_CACHED = 1              # bits of the states of names and players
    EMPTY = 2                  # an empty name
    IS_PLACEHOLDER = 4
    NAMED = 8                  # a player's name; players: has a FIDE ID; events: rank 2
    ASKED = 16                 # NAMED is valid; events: and IS_GENERIC
    ODD = 32                   # not text
    IS_GENERIC = 64            # events: rank 0

cdef enum:
    EVENTS, SITES, PLAYERS, PERSONS, TABLES

ctypedef struct CachedName:
    int64_t id
    size_t text                # offset in the arena: its length, then the text; not of a person
    uint8_t state              # 0: the slot is free

# A hash table with open addressing.
ctypedef struct NameTable:
    CachedName *slots
    size_t capacity            # a power of two, or 0
    size_t count
    size_t last                # slot of the last lookup: neighbours in a table often have the same
    uint8_t *arena
    size_t arena_capacity
    size_t arena_bytes

ctypedef struct NameCache:
    sqlite3 *db
    const ocg_sqlite_api *api
    sqlite3_stmt *lookups[TABLES]      # select the name, or the FIDE ID, by ID
    NameTable tables[TABLES]


cdef inline CachedName *slot_of(NameTable *table, int64_t key) noexcept nogil:
    """Return the slot of an ID, or the free slot where it belongs; there must be one."""
    cdef size_t slot = table.last
    if table.slots[slot].state == 0 or table.slots[slot].id != key:
        slot = (<uint64_t>key * 0x9E3779B97F4A7C15u >> 20) & (table.capacity - 1)
        while table.slots[slot].state and table.slots[slot].id != key:
            slot = (slot + 1) & (table.capacity - 1)
        table.last = slot
    return &table.slots[slot]


cdef inline int grow_table(NameTable *table) except -1 nogil:
    cdef NameTable larger = table[0]
    cdef size_t i
    larger.last = 0
    larger.capacity = 2 * table.capacity if table.capacity else 1024
    larger.slots = <CachedName *>allocate_zeros(larger.capacity, sizeof(CachedName))
    for i in range(table.capacity):
        if table.slots[i].state:
            slot_of(&larger, table.slots[i].id)[0] = table.slots[i]
    free(table.slots)
    table[0] = larger


cdef inline void free_names(NameCache *names) noexcept nogil:
    cdef int i
    for i in range(TABLES):
        free(names.tables[i].slots)
        free(names.tables[i].arena)


cdef inline int append_text(
    uint8_t **arena, size_t *count, size_t *capacity, const uint8_t *text, uint32_t length
) except -1 nogil:
    """Append the length of a text, then the text, to an arena."""
    append_bytes(arena, count, capacity, &length, sizeof(length))
    append_bytes(arena, count, capacity, text, length)


cdef inline Text appended_text(const uint8_t *at) noexcept nogil:
    """Return a text that append_text() wrote."""
    cdef uint32_t length
    memcpy(&length, at, sizeof(length))
    return Text(at + sizeof(length), length)


cdef inline uint8_t state_in_row(
    const ocg_sqlite_api *api, sqlite3_stmt *row, int table
) noexcept nogil:
    cdef int value_type = api.column_type(row, 0)
    cdef Text text
    if value_type == IS_NULL:
        return EMPTY
    if table == PERSONS:
        return NAMED if api.column_int64(row, 0) else 0
    if value_type != IS_TEXT:
        return ODD
    text.text = api.column_text(row, 0)
    text.length = api.column_bytes(row, 0)
    if text.length == 0:
        return EMPTY
    return IS_PLACEHOLDER if is_blank(text) else 0


cdef inline uint8_t state_of(NameCache *names, int table, int64_t key) except 0 nogil:
    """Return the state of a name or a player, by ID; the text of a new name is fetched too."""
    cdef NameTable *cached = &names.tables[table]
    cdef sqlite3_stmt *row = names.lookups[table]
    cdef CachedName *name
    cdef int code
    cdef uint8_t state = IS_CACHED | EMPTY
    if 2 * (cached.count + 1) > cached.capacity:
        grow_table(cached)
    name = slot_of(cached, key)
    if name.state:
        return name.state
    names.api.bind_int64(row, 1, key)
    code = names.api.step(row)
    if code == OCG_SQLITE_ROW:
        state = IS_CACHED | state_in_row(names.api, row, table)
        if table < PERSONS:
            name.text = cached.arena_bytes
            append_text(
                &cached.arena, &cached.arena_bytes, &cached.arena_capacity,
                names.api.column_text(row, 0), names.api.column_bytes(row, 0),
            )
    elif code != OCG_SQLITE_DONE:
        with gil:
            refuse(names.api, names.db)
    names.api.reset(row)
    name.id, name.state = key, state
    cached.count += 1
    return state


cdef inline void set_state(
    NameCache *names, int table, int64_t key, uint8_t state
) noexcept nogil:
    """Change the state of a cached name or player."""
    slot_of(&names.tables[table], key).state = state


cdef inline Text text_of_name(NameCache *names, int table, int64_t key) noexcept nogil:
    """Return the text of a cached name, or none; valid until another name is cached."""
    cdef NameTable *cached = &names.tables[table]
    if key == INT64_MIN:
        return Text(NULL, 0)
    return appended_text(cached.arena + slot_of(cached, key).text)
