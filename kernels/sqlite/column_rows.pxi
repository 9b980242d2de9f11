"""Insert columns of Arrow arrays into SQLite and read them back, without Python objects.

Buffers have Arrow's columnar format, version 1: validity bitmap, 32-bit offsets of text and bytes,
values. Rows go to SQLite through prepared statements; SQLite loads this module as an extension (see
sqlite_api.h). Must not know the tables.
"""

from libc.stdint cimport INT32_MAX, INT32_MIN, int32_t

from memory cimport try_reserve
from row_insert cimport MOST_COLUMNS, forget_bindings, put_blob


cdef const char *NO_BYTES = b""

cdef enum ColumnType:
    INT32, INT64, TEXT, BYTES

COLUMN_TYPES = {"int32": INT32, "int64": INT64, "string": TEXT, "binary": BYTES}

ctypedef struct Column:
    int type
    int64_t first              # offset of the first row in the buffers
    const uint8_t *valid       # NULL if no value is NULL
    const uint8_t *offsets     # of text and bytes
    const uint8_t *values
    int64_t size_bytes         # of values


cdef inline int32_t offset_at(const Column *column, int64_t row) noexcept nogil:
    cdef int32_t offset
    memcpy(&offset, column.offsets + 4 * row, 4)
    return offset


cdef inline bint put_value(
    Inserter *i, int index, const Column *column, int64_t row
) noexcept nogil:
    """Bind a value; return False if its bytes are not in the buffer."""
    cdef int64_t at = column.first + row, large
    cdef int32_t small, end
    if column.valid != NULL and not column.valid[at >> 3] >> (at & 7) & 1:
        put_null(i, index)
    elif column.type == INT32:
        memcpy(&small, column.values + 4 * at, 4)
        put_int(i, index, small)
    elif column.type == INT64:
        memcpy(&large, column.values + 8 * at, 8)
        put_int(i, index, large)
    else:
        small, end = offset_at(column, at), offset_at(column, at + 1)
        if not 0 <= small <= end <= column.size_bytes:
            return False
        if column.type == TEXT:
            put_text(i, index, column.values + small, end - small, OCG_STATIC)
        else:
            put_blob(i, index, column.values + small, end - small, OCG_STATIC)
    return True


cdef class ColumnWriter:
    """Inserts into one table; see the stub."""
    cdef Inserter inserter
    cdef Failure failure
    cdef Column[MOST_COLUMNS] columns
    cdef SqliteConnection target   # None after close()

    def __cinit__(self, connection not None, statements not None):
        self.target = SqliteConnection(connection)
        self.inserter.api = self.target.api
        self.inserter.db = self.target.db
        self.inserter.failure = &self.failure
        open_inserter(&self.inserter, statements)

    def __dealloc__(self):
        finalize(&self.inserter)

    def close(self):
        finalize(&self.inserter)
        self.target = None

    def write(self, columns not None, Py_ssize_t rows):
        cdef bint is_whole = True
        cdef int64_t row = 0
        cdef int index
        buffers = []
        if self.target is None:
            raise ValueError("the writer is closed")
        if len(columns) != self.inserter.columns or rows < 0:
            raise ValueError(f"{len(columns)} columns for {self.inserter.columns}, {rows} rows")
        for index in range(self.inserter.columns):
            open_column(&self.columns[index], columns[index], rows, buffers)
        self.failure.code = OCG_SQLITE_OK
        begin_rows(&self.inserter, rows)
        with nogil:
            # Held for all rows, so that each call finds it already locked.
            self.inserter.api.mutex_enter(self.target.mutex)
            while row < rows and is_whole and self.failure.code == OCG_SQLITE_OK:
                begin_row(&self.inserter)
                for index in range(self.inserter.columns):
                    if not put_value(&self.inserter, index, &self.columns[index], row):
                        is_whole = False
                        break
                else:
                    end_row(&self.inserter)
                row += 1
            forget_bindings(&self.inserter)
            self.inserter.api.mutex_leave(self.target.mutex)
        raise_failure(&self.failure)
        if not is_whole:
            raise ValueError(f"row {row - 1}: offsets point outside the buffer of the column")


cdef int open_column(Column *column, described, Py_ssize_t rows, list buffers) except -1:
    """Get the buffers of a column, which must have at least `rows` rows."""
    cdef int64_t width
    value_type, first, valid, offsets, values = described
    memset(column, 0, sizeof(Column))
    column.type = COLUMN_TYPES[value_type]
    column.first = first
    if column.first < 0:
        raise ValueError(f"first row of a column is negative: {first}")
    if valid is not None:
        column.valid = bytes_of(valid, (column.first + rows + 7) // 8, buffers)
    if column.type in (TEXT, BYTES):
        if rows:
            column.offsets = bytes_of(offsets, 4 * (column.first + rows + 1), buffers)
        column.size_bytes = 0 if values is None else memoryview(values).nbytes
        column.values = <const uint8_t *>NO_BYTES    # a NULL address would become an SQL NULL
        if column.size_bytes:
            column.values = bytes_of(values, 0, buffers)
    elif rows:
        width = 4 if column.type == INT32 else 8
        column.values = bytes_of(values, width * (column.first + rows), buffers)


cdef const uint8_t *bytes_of(buffer, int64_t least, list buffers) except? NULL:
    """Return the address of a buffer, which is valid as long as it is in `buffers`."""
    bytes_view = memoryview(buffer).cast("B")
    cdef const uint8_t[::1] view = bytes_view
    buffers.append(bytes_view)
    if view.shape[0] < least:
        raise ValueError(f"buffer has {view.shape[0]} bytes, {least} are needed")
    return &view[0] if view.shape[0] else NULL


# --- rows to columns -----------------------------------------------------------------------------

ctypedef struct Bytes:
    uint8_t *items
    size_t count
    size_t capacity

ctypedef struct Growing:
    int type
    Bytes valid                # bitmap
    Bytes offsets
    Bytes values

cdef enum Trouble:
    FINE, NO_MEMORY, WRONG_TYPE, TOO_LARGE


cdef inline bint append(Bytes *to, const void *data, size_t count) noexcept nogil:
    """Append bytes, zeros if there are no data; return False if out of memory."""
    if not try_reserve(<void **>&to.items, &to.capacity, to.count + count, 1):
        return False
    if count and data == NULL:
        memset(to.items + to.count, 0, count)
    elif count:
        memcpy(to.items + to.count, data, count)
    to.count += count
    return True


cdef inline Trouble take_column_value(
    const ocg_sqlite_api *api, sqlite3_stmt *rows, int index, Growing *column, int64_t row
) noexcept nogil:
    """Append a value of the current row of a statement."""
    cdef int value_type = api.column_type(rows, index)
    cdef const void *data = NULL
    cdef int64_t number = 0
    cdef int32_t small
    if row & 7 == 0 and not append(&column.valid, NULL, 1):
        return NO_MEMORY
    if value_type != IS_NULL:
        column.valid.items[row >> 3] |= 1 << (row & 7)
    if column.type in (INT32, INT64):
        if value_type not in (IS_INTEGER, IS_NULL):
            return WRONG_TYPE
        number = api.column_int64(rows, index)
        if column.type == INT64:
            return FINE if append(&column.values, &number, 8) else NO_MEMORY
        if not INT32_MIN <= number <= INT32_MAX:
            return TOO_LARGE
        small = <int32_t>number
        return FINE if append(&column.values, &small, 4) else NO_MEMORY
    if value_type != IS_NULL:
        data = (
            <const void *>api.column_text(rows, index) if column.type == TEXT
            else api.column_blob(rows, index)
        )
        number = api.column_bytes(rows, index)
        if data == NULL and number:
            return NO_MEMORY
    if data != NULL and not append(&column.values, data, number):
        return NO_MEMORY
    if column.values.count > INT32_MAX:
        return TOO_LARGE
    small = <int32_t>column.values.count
    return FINE if append(&column.offsets, &small, 4) else NO_MEMORY


cdef class ColumnBuffers:
    """Growing columns, freed with this object."""
    cdef Growing[MOST_COLUMNS] columns

    def __dealloc__(self):
        cdef int index
        for index in range(MOST_COLUMNS):
            free(self.columns[index].valid.items)
            free(self.columns[index].offsets.items)
            free(self.columns[index].values.items)


def read_columns(connection not None, str sql not None, types not None):
    """Return the rows of a query as columns: see the stub."""
    cdef SqliteConnection source = SqliteConnection(connection)
    cdef const ocg_sqlite_api *api = source.api
    cdef sqlite3_stmt *rows
    cdef ColumnBuffers result = ColumnBuffers()
    cdef int count = len(types), index = 0, code = OCG_SQLITE_DONE
    cdef int64_t row = 0
    cdef Trouble trouble = FINE
    if count > MOST_COLUMNS:
        raise ValueError(f"{count} columns, at most {MOST_COLUMNS} can be read")
    for index in range(count):
        result.columns[index].type = COLUMN_TYPES[types[index]]
        if result.columns[index].type in (TEXT, BYTES):
            if not append(&result.columns[index].offsets, NULL, 4):
                raise MemoryError
    rows = source.prepare(sql)
    try:
        if api.column_count(rows) != count:
            raise ValueError(f"{count} types for {api.column_count(rows)} columns")
        with nogil:
            api.mutex_enter(source.mutex)
            code = api.step(rows)
            while code == OCG_SQLITE_ROW and trouble == FINE:
                for index in range(count):
                    trouble = take_column_value(api, rows, index, &result.columns[index], row)
                    if trouble != FINE:
                        break
                else:
                    row += 1
                    code = api.step(rows)
            api.mutex_leave(source.mutex)
        if trouble == NO_MEMORY:
            raise MemoryError
        if trouble != FINE:
            raise ValueError(f"row {row}, column {index}: value is not {types[index]}")
        source.check(code)
    finally:
        api.finalize(rows)
    return row, [described(&result.columns[index], types[index]) for index in range(count)]


cdef tuple described(const Growing *column, value_type):
    offsets = bytes_in(&column.offsets) if column.type in (TEXT, BYTES) else None
    return value_type, 0, bytes_in(&column.valid), offsets, bytes_in(&column.values)


cdef bytes bytes_in(const Bytes *bytes):
    return PyBytes_FromStringAndSize(<const char *>bytes.items, bytes.count) if bytes.count else b""
