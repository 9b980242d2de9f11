"""Insert rows through prepared statements of SQLite; values are bound without copying.

Handles groups: rows are bound to a statement of many rows while enough rows remain, the last rows
to a statement of one row. Must not know what the columns mean.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport strncpy

from sqlite_api cimport (
    OCG_SQLITE_DONE, OCG_SQLITE_NOMEM, OCG_SQLITE_OK, ocg_destructor, ocg_sqlite_api, sqlite3,
    sqlite3_stmt,
)

cdef enum:
    MOST_ROWS = 64         # of a group
    MOST_COLUMNS = 64      # bits of a mask

# The first error and its message, which SQLite forgets at the next call.
ctypedef struct Failure:
    int code               # OCG_SQLITE_OK if there is no error
    char[256] message

ctypedef struct Inserter:
    const ocg_sqlite_api *api
    sqlite3 *db
    Failure *failure       # shared by all inserters of a writer: after an error no inserter writes
    sqlite3_stmt *row_insert
    sqlite3_stmt *group_insert
    sqlite3_stmt *current  # the statement that the current row is bound to
    int columns
    int rows               # rows per group, inserted by `group_insert`
    int filled             # rows of the group that are bound
    int before             # parameters of the group before the current row
    bint grouped
    size_t left            # remaining rows, including the current one
    # Bit c: the parameter of column c is NULL already and need not be bound to NULL again.
    uint64_t nulls[MOST_ROWS]
    uint64_t row_nulls
    uint64_t *null_columns  # of the current row


cdef inline void forget_bindings(Inserter *i) noexcept nogil:
    """Unbind all values, which may point to memory that is about to be freed."""
    cdef int row
    i.api.clear_bindings(i.row_insert)
    i.api.clear_bindings(i.group_insert)
    for row in range(MOST_ROWS):
        i.nulls[row] = ~<uint64_t>0
    i.row_nulls = ~<uint64_t>0
    i.filled = 0


cdef inline void fail(Failure *failure, int code, const char *message) noexcept nogil:
    if failure.code == OCG_SQLITE_OK:
        failure.code = code
        strncpy(failure.message, message, sizeof(failure.message) - 1)
        failure.message[sizeof(failure.message) - 1] = 0


cdef inline void note_code(Inserter *i, int code) noexcept nogil:
    """Store SQLite's message of a failed call."""
    if code != OCG_SQLITE_OK:
        fail(i.failure, i.api.extended_errcode(i.db), i.api.errmsg(i.db))


cdef inline void fail_for_memory(Inserter *i) noexcept nogil:
    fail(i.failure, OCG_SQLITE_NOMEM, b"out of memory")


cdef inline int raise_failure(const Failure *failure) except -1:
    """Raise SqliteError for the first error, if any."""
    if failure.code != OCG_SQLITE_OK:
        from ocgdedup.errors import SqliteError
        raise SqliteError(failure.code, (<bytes>failure.message).decode("utf-8", "replace"))


cdef inline int open_inserter(Inserter *i, statements) except -1:
    """Prepare statements that insert one row and many rows; `api`, `db`, `failure` are set.

    Raises SqliteError, and ValueError if their parameters do not match.
    """
    cdef bytes row_insert = statements[0].encode()
    cdef bytes group_insert = statements[1].encode()
    cdef int parameters
    note_code(i, i.api.prepare_v2(i.db, row_insert, -1, &i.row_insert, NULL))
    raise_failure(i.failure)
    note_code(i, i.api.prepare_v2(i.db, group_insert, -1, &i.group_insert, NULL))
    raise_failure(i.failure)
    i.columns = i.api.bind_parameter_count(i.row_insert)
    parameters = i.api.bind_parameter_count(i.group_insert)
    i.rows = parameters // i.columns if i.columns else 0
    if i.columns > MOST_COLUMNS or not 0 < i.rows <= MOST_ROWS or parameters % i.columns:
        raise ValueError(f"parameters of the statements do not match: {row_insert} {group_insert}")
    forget_bindings(i)


cdef inline void finalize(Inserter *i) noexcept nogil:
    if i.api != NULL:
        i.api.finalize(i.row_insert)
        i.api.finalize(i.group_insert)
    i.row_insert = i.group_insert = NULL


cdef inline void begin_rows(Inserter *i, size_t count) noexcept nogil:
    """Set the number of rows; exactly as many must follow."""
    i.left = count
    i.filled = 0


cdef inline void begin_row(Inserter *i) noexcept nogil:
    if i.filled == 0:
        i.grouped = i.left >= <size_t>i.rows
    i.current = i.group_insert if i.grouped else i.row_insert
    i.null_columns = &i.nulls[i.filled] if i.grouped else &i.row_nulls
    i.before = i.filled * i.columns + 1


cdef inline void end_row(Inserter *i) noexcept nogil:
    """Insert the group if the row just bound was its last."""
    cdef int code
    i.left -= 1
    i.filled += 1
    if i.filled < i.rows and i.grouped:
        return
    i.filled = 0
    if i.failure.code != OCG_SQLITE_OK:
        return
    code = i.api.step(i.current)
    if code != OCG_SQLITE_DONE:
        note_code(i, code)
    note_code(i, i.api.reset(i.current))


cdef inline void put_null(Inserter *i, int column) noexcept nogil:
    if not i.null_columns[0] >> column & 1:
        i.null_columns[0] |= <uint64_t>1 << column
        note_code(i, i.api.bind_null(i.current, i.before + column))


cdef inline void put_int(Inserter *i, int column, int64_t value) noexcept nogil:
    i.null_columns[0] &= ~(<uint64_t>1 << column)
    note_code(i, i.api.bind_int64(i.current, i.before + column, value))


cdef inline void put_double(Inserter *i, int column, double value) noexcept nogil:
    i.null_columns[0] &= ~(<uint64_t>1 << column)
    note_code(i, i.api.bind_double(i.current, i.before + column, value))


cdef inline void put_text(
    Inserter *i, int column, const uint8_t *text, size_t length, ocg_destructor lifetime
) noexcept nogil:
    """Bind text, in UTF-8; STATIC text must stay in place until the group is inserted."""
    i.null_columns[0] &= ~(<uint64_t>1 << column)
    note_code(i, i.api.bind_text(
        i.current, i.before + column, <const char *>text, <int>length, lifetime
    ))


cdef inline void put_blob(
    Inserter *i, int column, const uint8_t *bytes, size_t length, ocg_destructor lifetime
) noexcept nogil:
    i.null_columns[0] &= ~(<uint64_t>1 << column)
    note_code(i, i.api.bind_blob(i.current, i.before + column, bytes, <int>length, lifetime))
