"""Insert a row for each item of an array, without the GIL. Must not know what the items are."""

from row_insert cimport (
    Failure, Inserter, begin_rows, finalize, forget_bindings, open_inserter, raise_failure,
)

# Insert the row of an item by its index, or no row.
ctypedef void (*RowInserter)(Inserter *, const void *, size_t) noexcept nogil


cdef int insert_rows(
    connection, statements, int columns, RowInserter insert_row, const void *items, size_t count,
    size_t rows,
) except -1:
    """Insert the rows of `count` items, which are `rows` rows of `columns` columns.

    Raises SqliteError, and ValueError for statements with other parameters.
    """
    cdef SqliteConnection target = SqliteConnection(connection)
    cdef Inserter inserter
    cdef Failure failure
    cdef size_t i
    memset(&inserter, 0, sizeof(Inserter))
    memset(&failure, 0, sizeof(Failure))
    inserter.api = target.api
    inserter.db = target.db
    inserter.failure = &failure
    try:
        open_inserter(&inserter, statements)
        if inserter.columns != columns:
            raise ValueError(f"{inserter.columns} parameters for {columns} columns")
        with nogil:
            inserter.api.mutex_enter(target.mutex)
            begin_rows(&inserter, rows)
            for i in range(count):
                if failure.code != OCG_SQLITE_OK:
                    break
                insert_row(&inserter, items, i)
            forget_bindings(&inserter)
            inserter.api.mutex_leave(target.mutex)
        raise_failure(&failure)
    finally:
        finalize(&inserter)
