"""SQLite's functions for extensions (see sqlite_api.h), and how a kernel gets them."""

from libc.stdint cimport int64_t

cdef extern from "sqlite_api.h" nogil:
    ctypedef struct sqlite3:
        pass
    ctypedef struct sqlite3_stmt:
        pass
    ctypedef struct sqlite3_mutex:
        pass
    ctypedef struct sqlite3_value:
        pass
    ctypedef struct sqlite3_context:
        pass
    ctypedef void (*ocg_destructor)(void *) noexcept nogil
    ctypedef void (*ocg_row_function)(
        sqlite3_context *, int, sqlite3_value **
    ) noexcept nogil
    ctypedef void (*ocg_last_function)(sqlite3_context *) noexcept nogil
    ctypedef struct ocg_sqlite_api:
        int (*bind_blob)(sqlite3_stmt *, int, const void *, int, ocg_destructor) noexcept nogil
        int (*bind_double)(sqlite3_stmt *, int, double) noexcept nogil
        int (*bind_int64)(sqlite3_stmt *, int, int64_t) noexcept nogil
        int (*bind_null)(sqlite3_stmt *, int) noexcept nogil
        int (*bind_parameter_count)(sqlite3_stmt *) noexcept nogil
        int (*bind_text)(sqlite3_stmt *, int, const char *, int, ocg_destructor) noexcept nogil
        int (*bind_value)(sqlite3_stmt *, int, const sqlite3_value *) noexcept nogil
        const void *(*column_blob)(sqlite3_stmt *, int) noexcept nogil
        int (*column_bytes)(sqlite3_stmt *, int) noexcept nogil
        int (*column_count)(sqlite3_stmt *) noexcept nogil
        int64_t (*column_int64)(sqlite3_stmt *, int) noexcept nogil
        const unsigned char *(*column_text)(sqlite3_stmt *, int) noexcept nogil
        int (*column_type)(sqlite3_stmt *, int) noexcept nogil
        sqlite3_value *(*column_value)(sqlite3_stmt *, int) noexcept nogil
        int (*create_function)(
            sqlite3 *, const char *, int, int, void *, ocg_row_function, ocg_row_function,
            ocg_last_function
        ) noexcept nogil
        const char *(*errmsg)(sqlite3 *) noexcept nogil
        int (*finalize)(sqlite3_stmt *) noexcept nogil
        int (*reset)(sqlite3_stmt *) noexcept nogil
        int (*step)(sqlite3_stmt *) noexcept nogil
        const void *(*value_blob)(sqlite3_value *) noexcept nogil
        int (*value_bytes)(sqlite3_value *) noexcept nogil
        int64_t (*value_int64)(sqlite3_value *) noexcept nogil
        int (*value_type)(sqlite3_value *) noexcept nogil
        int (*prepare_v2)(
            sqlite3 *, const char *, int, sqlite3_stmt **, const char **
        ) noexcept nogil
        int (*clear_bindings)(sqlite3_stmt *) noexcept nogil
        void (*mutex_enter)(sqlite3_mutex *) noexcept nogil
        void (*mutex_leave)(sqlite3_mutex *) noexcept nogil
        sqlite3_mutex *(*db_mutex)(sqlite3 *) noexcept nogil
        int (*extended_errcode)(sqlite3 *) noexcept nogil
        int (*bind_pointer)(
            sqlite3_stmt *, int, void *, const char *, ocg_destructor
        ) noexcept nogil
    int OCG_SQLITE_OK, OCG_SQLITE_NOMEM, OCG_SQLITE_ROW, OCG_SQLITE_DONE
    int OCG_SQLITE_DIRECT_UTF8
    ocg_destructor OCG_STATIC, OCG_TRANSIENT
    const ocg_sqlite_api *ocg_take_sqlite(const sqlite3 *db)
    int ocg_check_sqlite(const ocg_sqlite_api *api, sqlite3 *db)
    void *ocg_bound_pointer(sqlite3_value *value, const char *type)


cdef enum:
    # Types of values, as SQLite numbers them.
    IS_INTEGER = 1, IS_TEXT = 3, IS_BLOB, IS_NULL


cdef inline int refuse(const ocg_sqlite_api *api, sqlite3 *db) except -1:
    """Raise SQLite's last error as SqliteError."""
    from ocgdedup.errors import SqliteError
    cdef bytes message = api.errmsg(db)
    raise SqliteError(api.extended_errcode(db), message.decode("utf-8", "replace"))


cdef inline sqlite3_stmt *prepared(const ocg_sqlite_api *api, sqlite3 *db, str sql) except NULL:
    """Return a prepared statement, which the caller finalizes; raise SqliteError."""
    cdef sqlite3_stmt *statement = NULL
    cdef bytes text = sql.encode()
    if api.prepare_v2(db, text, -1, &statement, NULL) != OCG_SQLITE_OK or statement == NULL:
        refuse(api, db)
    return statement


cdef inline void bind_number(
    const ocg_sqlite_api *api, sqlite3_stmt *statement, int parameter, int64_t number, bint is_null
) noexcept nogil:
    if is_null:
        api.bind_null(statement, parameter)
    else:
        api.bind_int64(statement, parameter, number)


cdef inline void bind_static_text(
    const ocg_sqlite_api *api, sqlite3_stmt *statement, int parameter, const char *text,
    size_t length,
) noexcept nogil:
    """Bind a text that outlives the binding; NULL is NULL."""
    if text == NULL:
        api.bind_null(statement, parameter)
    else:
        api.bind_text(statement, parameter, text, <int>length, OCG_STATIC)


cdef inline const ocg_sqlite_api *open_sqlite(sqlite3 *db) except NULL:
    """Return the SQLite functions of a connection that has just loaded this module."""
    cdef const ocg_sqlite_api *api = ocg_take_sqlite(db)
    if api == NULL:
        raise ValueError("the connection has not just loaded this module as an extension")
    if not ocg_check_sqlite(api, db):
        raise ValueError(
            "SQLite is older than 3.46 or has an incompatible extension interface; "
            "install another apsw"
        )
    return api
