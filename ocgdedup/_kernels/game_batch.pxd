"""Declarations of GameBatch for the other kernels of the search."""

from libc.stdint cimport int64_t

from game_record cimport EventText, Games
from id_list cimport GameIds
from position cimport Position
from row_scan cimport Scan
from sqlite_api cimport sqlite3_stmt


cdef class GameBatch:
    cdef Games all
    cdef Games samples             # split points of sorted runs
    cdef Games near                # see keep_near()
    cdef bint is_near              # the other games are not read yet
    cdef Position standard
    cdef Scan scan
    cdef object connection         # the connection that is read
    cdef object texts              # the batch that owns the texts; None: this batch
    cdef object mapped             # buffers of the files that hold the games
    cdef object release            # hands mapped memory back; may be None
    cdef bint is_complete          # all games have been read
    cdef GameIds ids               # of all games

    cdef int require_read(self, bint ok, int code) except -1
    cdef int read_texts(
        self, connection, str sql, int64_t **ids, EventText **texts, size_t *count, size_t *room
    ) except -1
    cdef int require_own_texts(self) except -1
    cdef int take_connection(self, connection) except -1
    cdef sqlite3_stmt *texts_in(self, connection, str sql) except NULL
    cdef int require_done(self, int code) except -1
    cdef int note_ids(self, size_t first) except -1
