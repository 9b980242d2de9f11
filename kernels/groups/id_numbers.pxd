"""A map from IDs to numbers: open addressing, for values that are set once and read often."""

from libc.stdint cimport INT64_MIN, UINT32_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from field_rules cimport Text, says_nothing
from game_record cimport reserve
from header_rows cimport IS_NULL, IS_TEXT
from sqlite_api cimport (
    OCG_SQLITE_DONE, OCG_SQLITE_ROW, ocg_sqlite_api, refuse, sqlite3, sqlite3_stmt,
)

ctypedef struct IdNumbers:
    int64_t *ids
    uint32_t *numbers          # 0: the slot is free
    size_t room                # a power of two, or 0
    size_t count
    int64_t last_id            # cache: neighbours in a table often have the same
    uint32_t last_number


cdef inline size_t slot_of(const IdNumbers *map, int64_t key) noexcept nogil:
    cdef uint64_t mixed = <uint64_t>key * 0x9E3779B97F4A7C15u
    cdef size_t slot = (mixed >> 20) & (map.room - 1)
    while map.numbers[slot] and map.ids[slot] != key:
        slot = (slot + 1) & (map.room - 1)
    return slot


cdef inline uint32_t number_of_id(IdNumbers *map, int64_t key) noexcept nogil:
    """Return the number of an ID, 0 if it has none yet."""
    if map.last_number and map.last_id == key:
        return map.last_number
    if map.room == 0:
        return 0
    map.last_id = key
    map.last_number = map.numbers[slot_of(map, key)]
    return map.last_number


cdef inline void free_id_numbers(IdNumbers *map) noexcept nogil:
    free(map.ids)
    free(map.numbers)
    map.ids = NULL
    map.numbers = NULL
    map.room = map.count = 0
    map.last_number = 0


cdef inline bint grow_numbers(IdNumbers *map) noexcept nogil:
    cdef IdNumbers larger
    cdef size_t i, slot
    larger.room = 2 * map.room if map.room else 1024
    larger.ids = <int64_t *>calloc(larger.room, sizeof(int64_t))
    larger.numbers = <uint32_t *>calloc(larger.room, sizeof(uint32_t))
    larger.count = map.count
    larger.last_number = 0
    if larger.ids == NULL or larger.numbers == NULL:
        free(larger.ids)
        free(larger.numbers)
        return False
    for i in range(map.room):
        if map.numbers[i]:
            slot = slot_of(&larger, map.ids[i])
            larger.ids[slot] = map.ids[i]
            larger.numbers[slot] = map.numbers[i]
    free_id_numbers(map)
    map[0] = larger
    return True


cdef inline bint set_number(IdNumbers *map, int64_t key, uint32_t number) noexcept nogil:
    """Set the number of an ID, not 0; return False if out of memory."""
    cdef size_t slot
    if 2 * (map.count + 1) > map.room and not grow_numbers(map):
        return False
    slot = slot_of(map, key)
    map.count += map.numbers[slot] == 0
    map.ids[slot] = key
    map.numbers[slot] = number
    map.last_number = 0
    return True


# --- texts by ID ----------------------------------------------------------------------------------

# A map from IDs to short texts that are read repeatedly.

ctypedef struct IdTexts:
    IdNumbers places           # offset in the arena, plus one
    uint8_t *arena             # each text follows its length
    size_t arena_room
    size_t arena_bytes


cdef inline bint has_id_text(IdTexts *map, int64_t key) noexcept nogil:
    return number_of_id(&map.places, key) != 0


cdef inline Text text_of_id(IdTexts *map, int64_t key) noexcept nogil:
    """Return the text of an ID that has one; it is valid until the next text is stored."""
    cdef Text name_text
    cdef uint32_t length
    cdef const uint8_t *at = map.arena + number_of_id(&map.places, key) - 1
    memcpy(&length, at, sizeof(length))
    name_text.text = at + sizeof(length)
    name_text.length = length
    return name_text


cdef inline void forget_texts(IdTexts *map) noexcept nogil:
    free_id_numbers(&map.places)
    free(map.arena)
    map.arena = NULL
    map.arena_room = map.arena_bytes = 0


cdef inline bint keep_id_text(
    IdTexts *map, int64_t key, const uint8_t *text, size_t length
) noexcept nogil:
    """Store the text of an ID that has none yet; return False if out of memory or above 4 GB."""
    cdef uint32_t bytes = <uint32_t>length
    cdef size_t end = map.arena_bytes + sizeof(bytes) + length
    if end >= UINT32_MAX or not reserve(<void **>&map.arena, &map.arena_room, end, 1):
        return False
    if not set_number(&map.places, key, <uint32_t>(map.arena_bytes + 1)):
        return False
    memcpy(map.arena + map.arena_bytes, &bytes, sizeof(bytes))
    if length:
        memcpy(map.arena + map.arena_bytes + sizeof(bytes), text, length)
    map.arena_bytes = end
    return True


# --- names and persons by ID ----------------------------------------------------------------------

# Names and players of a database by ID: facts about each, looked up once. Works without the GIL,
# which it takes to raise. Must not know the tables.

cdef enum:
    KNOWN = 1                  # states of names and players
    EMPTY = 2                  # an empty name
    IS_PLACEHOLDER = 4                  # a placeholder
    NAMED = 8                  # a player's name; players: has a FIDE ID; events: is event-like
    ASKED = 16                 # NAMED is valid
    ODD = 32                   # not text

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
    return require_names(set_number(&names.states[table], key, state))


cdef inline int require_names(bint ok) except -1 nogil:
    if not ok:
        with gil:
            raise MemoryError("out of memory for names")
    return 0


cdef inline bint keep_row_text(KnownNames *names, int table, int64_t key) noexcept nogil:
    """Store the text in the row of a lookup, unless it is stored; return False if out of memory."""
    cdef sqlite3_stmt *row = names.lookups[table]
    return has_id_text(&names.texts[table], key) or keep_id_text(
        &names.texts[table], key, names.api.column_text(row, 0), names.api.column_bytes(row, 0)
    )


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
    return IS_PLACEHOLDER if says_nothing(text, length) else 0


cdef inline uint8_t state_of(KnownNames *names, int table, int64_t key) except 0 nogil:
    """Return the state of a name or a player, by ID; the text of a new name is fetched too."""
    cdef uint8_t bits = <uint8_t>number_of_id(&names.states[table], key)
    cdef sqlite3_stmt *row = names.lookups[table]
    cdef bint ok = True
    cdef int code
    if bits:
        return bits
    names.api.bind_int64(row, 1, key)
    code = names.api.step(row)
    if code == OCG_SQLITE_ROW:
        bits = KNOWN | state_in_row(names.api, row, table)
        if table < PERSONS:
            ok = keep_row_text(names, table, key)
    elif code == OCG_SQLITE_DONE:
        bits = KNOWN | EMPTY
    else:
        with gil:
            refuse(names.api, names.db)
    names.api.reset(row)
    require_names(ok)
    keep_state(names, table, key, bits)
    return bits


cdef inline Text text_of_name(KnownNames *names, int table, int64_t key) noexcept nogil:
    """Return the text of a name whose state is known, or none; valid until the next new name."""
    cdef Text name_text
    name_text.text = NULL
    name_text.length = 0
    return name_text if key == INT64_MIN else text_of_id(&names.texts[table], key)
