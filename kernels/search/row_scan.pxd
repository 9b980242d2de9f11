"""Read rows of a SELECT into the records of the search for duplicates, without Python.

The statement either has the columns in the order of the COLUMN_ constants, as in
store/search_reader.py, or one column: the SQL function take_row(), called with the parameter ?1, to
which the scan is bound, and these values. The function saves a fifth of the time, since SQLite
locks the connection for each column read, but not for function arguments. This module must not know
the tables.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from board_symmetry cimport ALL_SYMMETRIES, orient_game, read_go_start, write_shape
from fen cimport is_standard_start, read_fen
from find_bytes cimport ocg_find
from filled_bits cimport FILLED_ELO, FILLED_ELO_0, FILLED_FIDE_ID
from game_record cimport (
    GAME_HAS_ADDRESS_TAG, GAME_HAS_COMMENTS, GAME_REPLAYS, NO_NAME, EventText, Game, Games,
    TextTable, find_row, hash_bytes, index_of_id, joined, opening_lanes, prefetch_name,
    prefetch_text,
)
from go_board cimport GO_DEFAULT_LINES
from header_text cimport (
    FIRST_ROUND, digit, is_study_name, read_date, read_event, read_result, read_round,
)
from memory cimport allocate, require_memory, reserve, try_reserve
from packed_name cimport MOST_PACKED, UNPACKED_BEHIND, NameRecord, pack_name
from parsed_name cimport ParsedName, parse_name
from position cimport Position
from sqlite_api cimport (
    IS_BLOB, IS_INTEGER, IS_NULL, IS_TEXT, OCG_SQLITE_DIRECT_UTF8, OCG_SQLITE_DONE, OCG_SQLITE_OK,
    OCG_SQLITE_ROW, ocg_bound_pointer, ocg_sqlite_api, sqlite3, sqlite3_context, sqlite3_mutex,
    sqlite3_stmt, sqlite3_value,
)
from thresholds cimport DOUBTFUL_ROUND, OPENING_PLIES
from utf8 cimport is_ascii

cdef extern from *:
    """
    /* The SQL function, and the type of the pointer that is its first argument. */
    #define OCG_TAKE_GAME "ocgdedup_take_game"
    """
    const char *OCG_TAKE_GAME

cdef enum:
    # White's columns come right before Black's.
    COLUMN_ID = 0
    COLUMN_WHITE
    COLUMN_BLACK
    COLUMN_WHITE_PERSON
    COLUMN_BLACK_PERSON
    COLUMN_CORE_HASH
    COLUMN_EVENT
    COLUMN_SITE
    COLUMN_DATE
    COLUMN_ROUND
    COLUMN_RESULT
    COLUMN_WHITE_ELO
    COLUMN_BLACK_ELO
    COLUMN_TAGS
    COLUMN_FILLED
    HEADER_END                         # a header has the columns before this
    COLUMN_FEN = HEADER_END
    COLUMN_MOVES
    COLUMN_FINAL
    COLUMN_HASH
    COLUMN_SOURCE
    COLUMN_COMMENTS
    GAME_END

cdef enum:
    OCG_ODD_VALUE = -1                 # not a code of SQLite


ctypedef struct OddValue:
    int64_t game_id
    int column

# Values of a row; NULL for NULL.
ctypedef struct Row:
    const ocg_sqlite_api *api
    sqlite3_value *values[GAME_END]

ctypedef struct Scan:
    const ocg_sqlite_api *api
    sqlite3 *db
    sqlite3_stmt *rows
    # merged or original headers that override those of the games; may be NULL
    sqlite3_stmt *headers
    const int64_t *ids         # rising: the statements are run for each, if not NULL
    size_t id_count
    size_t next_id
    bint has_header            # the statement of headers has a row
    int header_code            # SQLite result code of its last step
    bint is_done
    bint is_by_function        # rows come as arguments of OCG_TAKE_GAME
    OddValue odd
    Games *all                 # while rows are read: where games go
    const Position *standard
    bint has_memory


cdef inline int type_of(int column) noexcept nogil:
    """Return the SQLite type of the non-NULL values of a column."""
    if column == COLUMN_MOVES:
        return IS_BLOB
    if COLUMN_DATE <= column <= COLUMN_RESULT or column == COLUMN_TAGS or column == COLUMN_FEN:
        return IS_TEXT
    return IS_INTEGER


cdef inline int check_row(
    const ocg_sqlite_api *api, sqlite3_value **values, int end, Row *row
) noexcept nogil:
    """Store the values of a row; return the first column of a wrong type, or -1."""
    cdef int column, value_type
    row.api = api
    for column in range(end):
        row.values[column] = values[column]
        value_type = api.value_type(values[column])
        if value_type == IS_NULL:
            row.values[column] = NULL
        elif value_type != type_of(column):
            return column
    return -1


cdef inline int64_t number_in(const Row *row, int column) noexcept nogil:
    """Return an integer, 0 for NULL."""
    if row.values[column] == NULL:
        return 0
    return row.api.value_int64(row.values[column])


cdef inline const uint8_t *bytes_in(const Row *row, int column, size_t *length) noexcept nogil:
    """Return the bytes of a text or blob; NULL if there are none or out of memory."""
    cdef const uint8_t *bytes
    length[0] = 0
    if row.values[column] == NULL:
        return NULL
    bytes = <const uint8_t *>row.api.value_blob(row.values[column])
    if bytes != NULL:
        length[0] = row.api.value_bytes(row.values[column])
    return bytes


cdef inline uint32_t fide_id(const uint8_t *text, size_t length, const char *name) noexcept nogil:
    """Return the number in a member of a JSON object: "WhiteFideId":"1503014"; 0 if none."""
    cdef const char *at = ocg_find(text, length, name, 13)
    cdef const char *end = <const char *>text + length
    cdef uint64_t number = 0
    if at == NULL:
        return 0
    at += 13
    while at < end and (at[0] == 58 or at[0] == 34 or at[0] == 32):      # : " blank
        at += 1
    while at < end and 48 <= at[0] <= 57 and number < 400000000:
        number = 10 * number + (at[0] - 48)
        at += 1
    return <uint32_t>number


cdef inline void take_tags(const Row *row, const Games *all, Game *game) noexcept nogil:
    cdef size_t length
    cdef const uint8_t *text = bytes_in(row, COLUMN_TAGS, &length)
    game.fide_ids[0] = game.fide_ids[1] = 0
    game.flags &= ~GAME_HAS_ADDRESS_TAG
    # An address, or a tag with the number of a game.
    if text != NULL and (
        ocg_find(text, length, b"/", 1) != NULL or ocg_find(text, length, b"Game", 4) != NULL
    ):
        game.flags |= GAME_HAS_ADDRESS_TAG     # tags: matching/addresses.py
        if game.event != NO_NAME and is_study_name(&all.events.texts[game.event], text, length):
            game.event = NO_NAME
    if text != NULL and ocg_find(text, length, b"FideId", 6) != NULL:
        game.fide_ids[0] = fide_id(text, length, b'"WhiteFideId"')
        game.fide_ids[1] = fide_id(text, length, b'"BlackFideId"')


cdef inline int32_t unresolved_person(
    const Games *all, int64_t game_id, int64_t name
) noexcept nogil:
    """Return the number of a name without a player, in this game or in all; 0 if it has none."""
    cdef const int64_t *row
    row = find_row(all.unresolved, all.unresolved_count, 3, game_id, name)
    if row == NULL:
        row = find_row(all.unresolved, all.unresolved_count, 3, 0, name)
    return 0 if row == NULL else <int32_t>row[2]


cdef inline uint64_t take_header(const Row *row, const Games *all, Game *game) noexcept nogil:
    """Read the header of a game; return a hash of what was imported, independent of IDs."""
    cdef const uint8_t *text
    cdef size_t length
    cdef uint64_t key
    cdef int64_t elo, name
    cdef int64_t filled = number_in(row, COLUMN_FILLED)
    cdef uint32_t index
    cdef uint64_t elos = 0, fide_ids = 0
    cdef int side
    for side in range(2):
        game.names[side] = index_of_id(
            all.name_ids, all.name_count, number_in(row, COLUMN_WHITE + side)
        )
        prefetch_name(all, game.names[side])
        game.persons[side] = <int32_t>number_in(row, COLUMN_WHITE_PERSON + side)
        elo = number_in(row, COLUMN_WHITE_ELO + side)
        game.elos[side] = <int16_t>elo if 0 < elo < 5000 else 0
        elos = elos << 16 | (
            0 if filled & (FILLED_ELO | FILLED_ELO_0) << side else <uint64_t>game.elos[side]
        )
    game.core_hash = 0                 # without players the hash covers only the names
    if game.persons[0] or game.persons[1]:
        game.core_hash = number_in(row, COLUMN_CORE_HASH)
    game.event = index_of_id(all.events.ids, all.events.count, number_in(row, COLUMN_EVENT))
    game.site = index_of_id(all.sites.ids, all.sites.count, number_in(row, COLUMN_SITE))
    prefetch_text(all.events.texts, game.event)
    prefetch_text(all.sites.texts, game.site)
    game.address = 0
    if all.site_addresses != NULL and game.site != NO_NAME:
        game.address = all.site_addresses[game.site]
    text = bytes_in(row, COLUMN_DATE, &length)
    game.date = read_date(text, length)
    game.written = hash_bytes(text, length)
    key = game.date
    text = bytes_in(row, COLUMN_ROUND, &length)
    game.round = read_round(text, length)
    game.written = joined(game.written, hash_bytes(text, length))
    if game.round == FIRST_ROUND and digit(text[0]) >= 0 and game.date & 31 == 0 and game.date:
        game.round |= DOUBTFUL_ROUND   # some collections write 1 for an unknown round
    key = joined(key, game.round)
    text = bytes_in(row, COLUMN_RESULT, &length)
    game.result = read_result(text, length)
    game.written = joined(game.written, hash_bytes(text, length))
    take_tags(row, all, game)
    if game.site != NO_NAME and all.sites.texts[game.site].is_study:
        game.event = NO_NAME
    for side in range(2):              # FIDE IDs of players override those of tags
        fide_ids = fide_ids << 32 | (
            0 if filled & FILLED_FIDE_ID << side else game.fide_ids[side]
        )
        index = index_of_id(all.person_ids, all.person_count, game.persons[side])
        if index != NO_NAME:
            game.fide_ids[side] = all.fide_ids[index]
        if all.unresolved_count and game.persons[side] == 0:
            name = number_in(row, COLUMN_WHITE + side)
            game.persons[side] = unresolved_person(all, game.game_id, name)
    key = joined(key, game.result)
    key = joined(key, elos)
    key = joined(key, fide_ids)
    for side in range(2):
        key = joined(key, 0 if game.names[side] == NO_NAME else all.names[game.names[side]].hash)
    key = joined(key, 0 if game.event == NO_NAME else all.events.texts[game.event].key)
    return joined(key, 0 if game.site == NO_NAME else all.sites.texts[game.site].key)


cdef inline uint64_t start_key(
    const uint8_t *fen, size_t length, const Position *standard
) noexcept nogil:
    """Return the Polyglot key of a start position, 0 for the standard one."""
    cdef Position start
    if not read_fen(&start, fen, fen + length):
        return hash_bytes(fen, length) | 1      # no move can be played: a lesson
    return 0 if is_standard_start(&start, standard) else start.key


cdef inline uint64_t go_opening_lanes(const uint16_t *moves, const Game *game) noexcept nogil:
    """Return the same as opening_lanes(), but independent of the board's orientation."""
    cdef uint16_t[OPENING_PLIES] shape
    if game.plies < OPENING_PLIES:
        return 0
    write_shape(moves, OPENING_PLIES, game.lines, shape)
    return opening_lanes(shape, OPENING_PLIES)


cdef inline bint take_game(const Row *row, Games *all, const Position *standard) noexcept nogil:
    """Append a game; return False if out of memory."""
    cdef const uint8_t *text
    cdef size_t size
    cdef Game *game
    cdef uint64_t key
    cdef int symmetries = ALL_SYMMETRIES, lines
    if not try_reserve(<void **>&all.games, &all.capacity, all.count + 1, sizeof(Game)):
        return False
    game = &all.games[all.count]
    memset(game, 0, sizeof(Game))
    game.game_id = number_in(row, COLUMN_ID)
    key = take_header(row, all, game)
    if all.is_go:
        game.lines = GO_DEFAULT_LINES
    text = bytes_in(row, COLUMN_FEN, &size)
    if size and all.is_go:                 # OCGDB writes an empty FEN for the standard start
        game.start = read_go_start(text, size, &lines, &symmetries, &game.stones)
        game.lines = <uint8_t>lines
    elif size:
        game.start = start_key(text, size, standard)
    text = bytes_in(row, COLUMN_MOVES, &size)
    game.plies = <uint32_t>(size // 2)
    if not try_reserve(<void **>&all.arena, &all.moves_capacity, all.moves + game.plies + 8, 2):
        return False
    game.moves = all.moves
    if game.plies:
        memcpy(all.arena + all.moves, text, 2 * <size_t>game.plies)
    if game.lines:
        orient_game(game, all.arena + game.moves, symmetries)
        game.opening = go_opening_lanes(all.arena + game.moves, game)
    else:
        game.opening = opening_lanes(all.arena + game.moves, game.plies)
    all.moves += game.plies
    all.longest = max(all.longest, game.plies)
    game.final_key = <uint64_t>number_in(row, COLUMN_FINAL)
    if row.values[COLUMN_HASH] != NULL:
        game.flags |= GAME_REPLAYS
    if number_in(row, COLUMN_COMMENTS):
        game.flags |= GAME_HAS_COMMENTS
    game.source = <uint16_t>number_in(row, COLUMN_SOURCE)
    game.content = joined(key, hash_bytes(
        <const uint8_t *>(all.arena + game.moves), 2 * <size_t>game.plies
    ))
    all.count += 1
    return True


cdef inline void next_header(Scan *scan) noexcept nogil:
    """Step to the next row of the headers; `scan.header_code` holds the result code."""
    scan.header_code = scan.api.step(scan.headers)
    scan.has_header = scan.header_code == OCG_SQLITE_ROW


cdef inline void patch_header(Scan *scan, Games *all, int *odd_column) noexcept nogil:
    """Override the header of the last game if the statement of headers, by rising ID, has it."""
    cdef Row row
    cdef sqlite3_value *values[HEADER_END]
    cdef int column
    cdef const ocg_sqlite_api *api = scan.api
    cdef Game *game = &all.games[all.count - 1]
    cdef uint64_t key
    while scan.has_header and api.column_int64(scan.headers, COLUMN_ID) < game.game_id:
        next_header(scan)
    if not scan.has_header or api.column_int64(scan.headers, COLUMN_ID) != game.game_id:
        return
    for column in range(HEADER_END):
        values[column] = api.column_value(scan.headers, column)
    odd_column[0] = check_row(api, values, HEADER_END, &row)
    if odd_column[0] < 0:
        key = take_header(&row, all, game)
        game.content = joined(key, hash_bytes(
            <const uint8_t *>(all.arena + game.moves), 2 * <size_t>game.plies
        ))


cdef inline void take_values(Scan *scan, sqlite3_value **values) noexcept nogil:
    """Append a game from its column values; errors go to `has_memory` and `odd`."""
    cdef Row row
    scan.odd.column = check_row(scan.api, values, GAME_END, &row)
    if scan.odd.column < 0:
        scan.has_memory = take_game(&row, scan.all, scan.standard)
        if scan.has_memory and scan.has_header:
            patch_header(scan, scan.all, &scan.odd.column)
    if scan.odd.column >= 0:
        scan.odd.game_id = scan.api.value_int64(values[COLUMN_ID])


cdef inline void take_row(
    sqlite3_context *_context, int _count, sqlite3_value **values
) noexcept nogil:
    """Implement OCG_TAKE_GAME: append a game to the bound scan; without a scan do nothing."""
    cdef Scan *scan = <Scan *>ocg_bound_pointer(values[0], OCG_TAKE_GAME)
    if scan != NULL and scan.all != NULL:
        take_values(scan, values + 1)


cdef inline int open_scan(Scan *scan, const char *statement, const char *headers) noexcept nogil:
    """Prepare the statements; `headers` may be NULL. Return SQLite's extended result code."""
    cdef int code = scan.api.prepare_v2(scan.db, statement, -1, &scan.rows, NULL)
    if code != OCG_SQLITE_OK:          # the connection may not know the function yet
        scan.api.create_function(
            scan.db, OCG_TAKE_GAME, 1 + GAME_END, OCG_SQLITE_DIRECT_UTF8, NULL, take_row, NULL,
            NULL,
        )
        code = scan.api.prepare_v2(scan.db, statement, -1, &scan.rows, NULL)
    scan.is_by_function = code == OCG_SQLITE_OK and scan.api.column_count(scan.rows) == 1
    if scan.is_by_function and scan.api.bind_parameter_count(scan.rows):
        code = scan.api.bind_pointer(scan.rows, 1, scan, OCG_TAKE_GAME, NULL)
    if code == OCG_SQLITE_OK and headers != NULL:
        code = scan.api.prepare_v2(scan.db, headers, -1, &scan.headers, NULL)
        if code == OCG_SQLITE_OK and scan.ids == NULL:
            next_header(scan)
    return OCG_SQLITE_OK if code == OCG_SQLITE_OK else scan.api.extended_errcode(scan.db)


cdef inline int step_row(Scan *scan) noexcept nogil:
    """Step to the next row of a game, and with IDs to its header; return SQLite's result code."""
    cdef const ocg_sqlite_api *api = scan.api
    cdef int code
    if scan.ids == NULL:
        return api.step(scan.rows)
    while scan.next_id < scan.id_count:
        api.reset(scan.rows)
        code = api.bind_int64(scan.rows, 1, scan.ids[scan.next_id])
        if code == OCG_SQLITE_OK:
            code = api.step(scan.rows)
        if code == OCG_SQLITE_ROW and scan.headers != NULL:
            api.reset(scan.headers)
            api.bind_int64(scan.headers, 1, scan.ids[scan.next_id])
            next_header(scan)
        scan.next_id += 1
        if code != OCG_SQLITE_DONE:
            return code
    return OCG_SQLITE_DONE


cdef inline void close_scan(Scan *scan) noexcept nogil:
    if scan.api != NULL:
        scan.api.finalize(scan.rows)
        scan.api.finalize(scan.headers)
    memset(scan, 0, sizeof(Scan))


cdef inline int scan_rows(
    Scan *scan, Games *all, const Position *standard, size_t most_bytes, bint *has_memory,
) noexcept nogil:
    """Append games until they use `most_bytes`; set `scan.is_done` at the end of the rows.

    Return OCG_SQLITE_OK, SQLite's extended result code, or OCG_ODD_VALUE for a value of a wrong
    type, which `scan.odd` names.
    """
    cdef sqlite3_value *values[GAME_END]
    cdef const ocg_sqlite_api *api = scan.api
    cdef sqlite3_mutex *mutex = api.db_mutex(scan.db)
    cdef int code = OCG_SQLITE_ROW, column
    scan.odd.column = -1
    scan.all = all
    scan.standard = standard
    scan.has_memory = True
    api.mutex_enter(mutex)
    while all.count * sizeof(Game) + 2 * all.moves < most_bytes:
        code = step_row(scan)
        if code != OCG_SQLITE_ROW:
            scan.is_done = True
            break
        if not scan.is_by_function:
            for column in range(GAME_END):
                values[column] = api.column_value(scan.rows, column)
            take_values(scan, values)
        if not scan.has_memory:
            break
        if scan.headers != NULL and not scan.has_header and scan.header_code != OCG_SQLITE_DONE:
            code = scan.header_code
            break
        if scan.odd.column >= 0:
            code = OCG_ODD_VALUE
            break
    scan.all = NULL
    has_memory[0] = scan.has_memory
    if code == OCG_SQLITE_DONE or code == OCG_SQLITE_ROW:
        code = OCG_SQLITE_OK
    elif code != OCG_ODD_VALUE:
        code = api.extended_errcode(scan.db)
    api.mutex_leave(mutex)
    return code


# --- names of players, events and sites -----------------------------------------------------------

ctypedef struct TextRow:
    int64_t id
    const uint8_t *text
    size_t length
    bint is_ascii


cdef inline int next_text(
    const ocg_sqlite_api *api, sqlite3_stmt *rows, TextRow *row, int *code
) except -1:
    """Read the next row; return whether there is one. `code` is set to SQLite's error, if any."""
    code[0] = api.step(rows)
    if code[0] != OCG_SQLITE_ROW:
        return 0
    row.id = api.column_int64(rows, 0)
    if api.column_type(rows, 1) != IS_TEXT:
        raise TypeError(f"name {row.id} of a player, event or site is not text")
    row.text = api.column_text(rows, 1)
    require_memory(row.text != NULL)
    row.length = api.column_bytes(rows, 1)
    row.is_ascii = is_ascii(row.text, row.length)
    return 1


cdef inline int add_name(
    Games *all, int64_t id, const uint8_t *text, size_t length, bytes reading
) except -1:
    """Add a name and its reading in Latin letters, if not None."""
    cdef ParsedName name
    cdef NameRecord *record
    cdef NameRecord written
    cdef size_t capacity = all.name_capacity, size
    reserve(<void **>&all.name_ids, &capacity, all.name_count + 1, sizeof(int64_t))
    reserve(<void **>&all.names, &all.name_capacity, all.name_count + 1, sizeof(NameRecord))
    reserve(
        <void **>&all.name_words, &all.name_words_capacity,
        all.name_words_size + 2 * MOST_PACKED + UNPACKED_BEHIND, 1,
    )
    record = &all.names[all.name_count]
    record.words = <uint32_t>(all.name_words_size // 4)
    if reading is not None:
        parse_name(<const uint8_t *>PyBytes_AS_STRING(reading), PyBytes_GET_SIZE(reading), &name)
        size = pack_name(&name, all.name_words + all.name_words_size, record)
        record.reading_size = <uint8_t>(size // 4)
        all.name_words_size += size
    parse_name(text, length, &name)
    size = pack_name(
        &name, all.name_words + all.name_words_size, record if reading is None else &written
    )
    if reading is not None:
        record.hash = written.hash
    all.name_words_size += size
    all.name_ids[all.name_count] = id
    all.name_count += 1


cdef inline int enter_fide_ids(
    Games *all, const int64_t[::1] persons, const uint32_t[::1] fide_ids
) except -1:
    """Load the FIDE IDs of players, by rising player ID."""
    cdef size_t count = 0 if persons is None else persons.shape[0]
    if count == 0 or all.person_count:
        return 0
    if fide_ids is None or <size_t>fide_ids.shape[0] != count:
        raise ValueError("player without a FIDE ID")
    all.person_ids = <int64_t *>allocate(count, sizeof(int64_t))
    all.fide_ids = <uint32_t *>allocate(count, sizeof(uint32_t))
    memcpy(all.person_ids, &persons[0], count * sizeof(int64_t))
    memcpy(all.fide_ids, &fide_ids[0], count * sizeof(uint32_t))
    all.person_count = count


cdef inline int enter_different(
    Games *all, const int64_t[::1] unresolved, const int64_t[::1] different
) except -1:
    """Load the user's decisions about different players."""
    if unresolved.shape[0] % 3 or different.shape[0] % 2:
        raise ValueError("incomplete row of numbers")
    if all.different != NULL or different.shape[0] == 0:
        return 0
    all.unresolved = <int64_t *>allocate(unresolved.shape[0] + 1, sizeof(int64_t))
    all.different = <int64_t *>allocate(different.shape[0], sizeof(int64_t))
    if unresolved.shape[0]:
        memcpy(all.unresolved, &unresolved[0], unresolved.shape[0] * sizeof(int64_t))
    memcpy(all.different, &different[0], different.shape[0] * sizeof(int64_t))
    all.unresolved_count = unresolved.shape[0] // 3
    all.different_count = different.shape[0] // 2


cdef inline int load_names(
    Games *all, const ocg_sqlite_api *api, sqlite3_stmt *rows, fold, read, rewrite
) except -1:
    """Load players by rising ID; return SQLite's last result code.

    `fold` transliterates a name to ASCII; `read`, if given, returns its reading in Latin letters or
    None; `rewrite`, if given, is applied to every name before.
    """
    cdef TextRow row
    cdef bytes raw, reading
    cdef int code
    while next_text(api, rows, &row, &code):
        if row.is_ascii and rewrite is None:
            add_name(all, row.id, row.text, row.length, None)
            continue
        name = (<bytes>row.text[:row.length]).decode()
        if rewrite is not None:
            name = rewrite(name)
        reading = None
        if not name.isascii():
            latin = None if read is None else read(name)
            reading = None if latin is None else latin.encode()
            name = fold(name)
        raw = name.encode()
        add_name(
            all, row.id, <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw), reading
        )
    return code


cdef inline int load_texts(
    const ocg_sqlite_api *api, sqlite3_stmt *rows, TextTable *table
) except -1:
    """Load events or sites by rising ID; return SQLite's last result code."""
    cdef size_t id_capacity
    cdef TextRow row
    cdef int code
    while next_text(api, rows, &row, &code):
        if not row.is_ascii:
            # raises UnicodeDecodeError for invalid text
            (<bytes>row.text[:row.length]).decode()
        id_capacity = table.capacity
        reserve(<void **>&table.ids, &id_capacity, table.count + 1, sizeof(int64_t))
        reserve(<void **>&table.texts, &table.capacity, table.count + 1, sizeof(EventText))
        table.ids[table.count] = row.id
        read_event(row.text, row.length, &table.texts[table.count])
        table.count += 1
    return code
