"""Columns of Arrow arrays to rows of SQLite, without a Python object for each value.

Buffers are those of Arrow's columnar format, version 1: a bitmap of values that are not NULL,
32-bit offsets of text and bytes, values. Rows go to SQLite through prepared statements; this module
is opened as its loadable extension (see sqlite_api.h). Must not know the tables.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uintptr_t
from libc.string cimport memcpy, memset

from row_insert cimport (
    Failure, Inserter, MOST_COLUMNS, begin_row, begin_rows, end_row, finalize, forget_bindings,
    prepare, put_blob, put_int, put_null, put_text,
)
from sqlite_api cimport (
    OCG_SQLITE_OK, OCG_STATIC, ocg_sqlite_api, open_sqlite, sqlite3, sqlite3_mutex,
)

from ocgdedup.errors import SqliteError

ENTRY_POINT = "ocgdedup_rows_init"     # of the extension: see sqlite_api.h

cdef const char *EMPTY = b""

cdef enum Kind:
    INT32, INT64, TEXT, BYTES

KINDS = {"int32": INT32, "int64": INT64, "string": TEXT, "binary": BYTES}

ctypedef struct Column:
    int kind
    int64_t first              # rows in the buffers before the first one
    const uint8_t *valid       # NULL if no value is NULL
    const uint8_t *offsets     # of text and bytes
    const uint8_t *values
    int64_t size_bytes         # of values


cdef inline int32_t offset_at(const Column *column, int64_t row) noexcept nogil:
    cdef int32_t offset
    memcpy(&offset, column.offsets + 4 * row, 4)
    return offset


cdef inline bint put_value(
    Inserter *i, int place, const Column *column, int64_t row
) noexcept nogil:
    """Bind a value; False if its bytes are not in the buffer."""
    cdef int64_t at = column.first + row, large
    cdef int32_t small, end
    if column.valid != NULL and not column.valid[at >> 3] >> (at & 7) & 1:
        put_null(i, place)
    elif column.kind == INT32:
        memcpy(&small, column.values + 4 * at, 4)
        put_int(i, place, small)
    elif column.kind == INT64:
        memcpy(&large, column.values + 8 * at, 8)
        put_int(i, place, large)
    else:
        small, end = offset_at(column, at), offset_at(column, at + 1)
        if not 0 <= small <= end <= column.size_bytes:
            return False
        if column.kind == TEXT:
            put_text(i, place, column.values + small, end - small, OCG_STATIC)
        else:
            put_blob(i, place, column.values + small, end - small, OCG_STATIC)
    return True


cdef class ColumnWriter:
    """Inserts into one table; see the stub."""
    cdef Inserter inserter
    cdef Failure failure
    cdef Column[MOST_COLUMNS] columns
    cdef sqlite3_mutex *mutex
    cdef object connection

    def __cinit__(self, connection not None, statements not None):
        cdef sqlite3 *db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        cdef const ocg_sqlite_api *api = open_sqlite(db)
        cdef bytes one = statements[0].encode()
        cdef bytes many = statements[1].encode()
        self.connection = connection              # must not be freed before the statements
        self.mutex = api.db_mutex(db)
        self.inserter.api = api
        self.inserter.db = db
        self.inserter.failure = &self.failure
        if not prepare(&self.inserter, one, many):
            self.check()
            raise ValueError(f"parameters of these statements do not fit together: {one} {many}")

    def __dealloc__(self):
        finalize(&self.inserter)

    def close(self):
        finalize(&self.inserter)
        self.connection = None

    cdef int check(self) except -1:
        """Raise what SQLite refused."""
        cdef bytes message = self.failure.message
        if self.failure.code != OCG_SQLITE_OK:
            raise SqliteError(self.failure.code, message.decode("utf-8", "replace"))
        return 0

    def write(self, columns not None, Py_ssize_t rows):
        cdef bint is_whole = True
        cdef int64_t row = 0
        cdef int place
        held = []
        if self.connection is None:
            raise ValueError("the writer is closed")
        if len(columns) != self.inserter.columns or rows < 0:
            raise ValueError(f"{len(columns)} columns for {self.inserter.columns}, {rows} rows")
        for place in range(self.inserter.columns):
            open_column(&self.columns[place], columns[place], rows, held)
        self.failure.code = OCG_SQLITE_OK
        begin_rows(&self.inserter, rows)
        with nogil:
            # Held for the whole stretch, so that each call finds it held already.
            self.inserter.api.mutex_enter(self.mutex)
            while row < rows and is_whole and self.failure.code == OCG_SQLITE_OK:
                begin_row(&self.inserter)
                for place in range(self.inserter.columns):
                    if not put_value(&self.inserter, place, &self.columns[place], row):
                        is_whole = False
                        break
                else:
                    end_row(&self.inserter)
                row += 1
            forget_bindings(&self.inserter)
            self.inserter.api.mutex_leave(self.mutex)
        self.check()
        if not is_whole:
            raise ValueError(f"row {row - 1}: its bytes are not in the buffer of its column")


cdef int open_column(Column *column, described, Py_ssize_t rows, list held) except -1:
    """Take the buffers of a column, which must be long enough for so many rows."""
    cdef int64_t width
    kind, first, valid, offsets, values = described
    memset(column, 0, sizeof(Column))
    column.kind = KINDS[kind]
    column.first = first
    if column.first < 0:
        raise ValueError(f"a column cannot begin at row {first}")
    if valid is not None:
        column.valid = bytes_of(valid, (column.first + rows + 7) // 8, held)
    if column.kind in (TEXT, BYTES):
        if rows:
            column.offsets = bytes_of(offsets, 4 * (column.first + rows + 1), held)
        column.size_bytes = 0 if values is None else memoryview(values).nbytes
        column.values = <const uint8_t *>EMPTY    # of NULL, SQLite would make NULL
        if column.size_bytes:
            column.values = bytes_of(values, 0, held)
    elif rows:
        width = 4 if column.kind == INT32 else 8
        column.values = bytes_of(values, width * (column.first + rows), held)
    return 0


cdef const uint8_t *bytes_of(buffer, int64_t least, list held) except? NULL:
    """Return where the bytes of a buffer are; it stays as long as it is held."""
    own = memoryview(buffer).cast("B")
    cdef const uint8_t[::1] view = own
    held.append(own)
    if view.shape[0] < least:
        raise ValueError(f"a buffer of {view.shape[0]} bytes where {least} are needed")
    return &view[0] if view.shape[0] else NULL
