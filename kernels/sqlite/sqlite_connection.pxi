"""A connection of apsw that the kernels use through SQLite's extension interface."""

from libc.stdint cimport uintptr_t

from memory cimport require_memory
from sqlite_api cimport (
    OCG_SQLITE_DONE, OCG_SQLITE_NOMEM, OCG_SQLITE_OK, OCG_SQLITE_ROW, ocg_sqlite_api, open_sqlite,
    prepared, refuse, sqlite3, sqlite3_mutex, sqlite3_stmt,
)


cdef class SqliteConnection:
    """Holds SQLite's functions and the mutex of an apsw.Connection, which must outlive statements.

    The connection must have just loaded this module by ENTRY_POINT, in this thread.
    """
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef sqlite3_mutex *mutex
    cdef object connection

    def __cinit__(self, connection not None):
        self.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.api = open_sqlite(self.db)
        self.mutex = self.api.db_mutex(self.db)
        self.connection = connection

    cdef sqlite3_stmt *prepare(self, str sql) except NULL:
        """Return a prepared statement, which the caller finalizes; raise SqliteError."""
        return prepared(self.api, self.db, sql)

    cdef int check(self, int code) except -1:
        """Raise MemoryError or SqliteError if a result code is an error."""
        require_memory(code != OCG_SQLITE_NOMEM)
        if code not in (OCG_SQLITE_OK, OCG_SQLITE_ROW, OCG_SQLITE_DONE):
            refuse(self.api, self.db)
