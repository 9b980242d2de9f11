"""Write the merges of the kernel resolve_groups through prepared statements, or look them up.

The connection's SQLite loads this module as an extension (see sqlite_api.h). Must not know the
tables.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport INT64_MIN, int64_t, uintptr_t

from header_rows cimport N_WHITE_ELO, NO_TEXT, T_DATE, T_ECO, T_RESULT, T_TIME_CONTROL
from pair_merge cimport (
    F_BLACK, F_BLACK_ELO, F_DATE, F_ECO, F_EVENT, F_RESULT, F_ROUND, F_SITE, F_TIME_CONTROL,
    F_WHITE, F_WHITE_ELO, FIELDS, N_QUALITY, PairMerge, T_ROUND,
)
from sorted_numbers cimport sort_by_id
from sqlite_api cimport (
    OCG_SQLITE_DONE, OCG_SQLITE_OK, OCG_SQLITE_ROW, OCG_STATIC, ocg_sqlite_api, open_sqlite,
    prepared, refuse, sqlite3, sqlite3_stmt,
)

ENTRY_POINT = "ocgdedup_rows_init"     # of the extension: see sqlite_api.h

# Owners of the statements for tags, and number of parameters of the other statement.
FIELD_TAGS = (
    "Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "Result",
    "TimeControl", "ECO",
)

cdef enum:
    QUALITY_PARAMETER = 13     # after the ID and the fields

# By tag name, which is the order of the table of changes.
cdef int[FIELDS] SORTED_FIELDS = [
    F_BLACK, F_BLACK_ELO, F_DATE, F_ECO, F_EVENT, F_RESULT, F_ROUND, F_SITE, F_TIME_CONTROL,
    F_WHITE, F_WHITE_ELO,
]


def merged_games(bytes merges not None):
    """Return the IDs of the games that values are merged into."""
    cdef const PairMerge *rows = <const PairMerge *>PyBytes_AS_STRING(merges)
    cdef size_t i
    return [rows[i].game_id for i in range(<size_t>PyBytes_GET_SIZE(merges) // sizeof(PairMerge))]


def write_merges(
    connection not None, bytes merges not None, bytes texts not None, update not None,
    tags not None,
):
    """Step the statements for each merge: see the stub."""
    cdef MergeWriter writer = MergeWriter()
    cdef bytearray rows = bytearray(merges)
    cdef PairMerge *first = <PairMerge *><char *>rows
    cdef size_t count = <size_t>len(rows) // sizeof(PairMerge)
    cdef int code
    writer.open(connection, texts)
    try:
        writer.prepare(tags, update)
        with nogil:
            sort_by_id(first, count, sizeof(PairMerge))
            code = writer.write(first, count)
        if code != OCG_SQLITE_OK:
            refuse(writer.api, writer.db)
    finally:
        writer.close()


def noted_games(
    connection not None, bytes merges not None, bytes texts not None, has_number not None,
    tags not None,
):
    """Return the IDs of the games whose logged changes are those of the merges: see the stub."""
    cdef MergeWriter writer = MergeWriter()
    cdef const PairMerge *rows = <const PairMerge *>PyBytes_AS_STRING(merges)
    cdef size_t i
    games = []
    writer.open(connection, texts)
    try:
        writer.prepare(tags, has_number)
        for i in range(<size_t>PyBytes_GET_SIZE(merges) // sizeof(PairMerge)):
            if writer.is_noted(&rows[i]):
                games.append(rows[i].game_id)
    finally:
        writer.close()
    return games


cdef class MergeWriter:
    """Prepared statements for tags, followed by a statement for the game."""
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef sqlite3_stmt *statements[FIELDS + 1]
    cdef int count
    cdef const char *texts

    cdef int open(self, connection, bytes texts) except -1:
        self.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.api = open_sqlite(self.db)
        self.texts = PyBytes_AS_STRING(texts)
        return 0

    cdef int close(self) except -1:
        cdef int i
        for i in range(self.count):
            self.api.finalize(self.statements[i])
        self.count = 0
        return 0

    cdef int prepare(self, tags, str statement) except -1:
        if len(tags) != FIELDS:
            raise ValueError(f"unexpected number of statements for tags: {len(tags)}")
        for sql in [*tags, statement]:
            self.statements[self.count] = prepared(self.api, self.db, sql)
            self.count += 1
        return 0

    cdef int write(self, const PairMerge *rows, size_t count) noexcept nogil:
        """Return OCG_SQLITE_OK, or SQLite's error code."""
        cdef size_t i
        cdef int j, field, code
        for i in range(count):
            code = self.update(&rows[i])
            for j in range(FIELDS):
                field = SORTED_FIELDS[j]
                if code == OCG_SQLITE_OK and rows[i].taken >> field & 1:
                    code = self.note(&rows[i], field)
            if code != OCG_SQLITE_OK:
                return code
        return OCG_SQLITE_OK

    cdef int step(self, sqlite3_stmt *statement) noexcept nogil:
        cdef int code = self.api.step(statement)
        if code != OCG_SQLITE_DONE:
            return code
        self.api.reset(statement)
        return OCG_SQLITE_OK

    cdef int update(self, const PairMerge *row) noexcept nogil:
        """Set the values of a game that come from the other game."""
        cdef sqlite3_stmt *statement = self.statements[FIELDS]
        cdef int field
        self.api.bind_int64(statement, 1, row.game_id)
        for field in range(FIELDS):
            if row.taken >> field & 1:
                self.bind(statement, 2 + field, row, 1, field)
            else:
                self.api.bind_null(statement, 2 + field)
        if row.content[1].nulls >> N_QUALITY & 1:
            self.api.bind_null(statement, QUALITY_PARAMETER)
        else:
            self.api.bind_int64(statement, QUALITY_PARAMETER, row.content[1].numbers[N_QUALITY])
        return self.step(statement)

    cdef bint is_noted(self, const PairMerge *row) except -1:
        """Return whether all changes of a game are logged, and no others."""
        cdef sqlite3_stmt *has_number = self.statements[FIELDS]
        cdef int field
        cdef int64_t changes = 0
        for field in range(FIELDS):
            if row.taken >> field & 1:
                changes += 1
                self.bind_change(row, field)
                if not self.has_row(self.statements[field]):
                    return False
        self.api.bind_int64(has_number, 1, row.game_id)
        self.api.bind_int64(has_number, 2, changes)
        return self.has_row(has_number)

    cdef bint has_row(self, sqlite3_stmt *statement) except -1:
        cdef int code = self.api.step(statement)
        if code != OCG_SQLITE_ROW and code != OCG_SQLITE_DONE:
            refuse(self.api, self.db)
        self.api.reset(statement)
        return code == OCG_SQLITE_ROW

    cdef int note(self, const PairMerge *row, int field) noexcept nogil:
        """Log the old and new value of a field, the game of the new value, and the reason."""
        self.bind_change(row, field)
        return self.step(self.statements[field])

    cdef void bind_change(self, const PairMerge *row, int field) noexcept nogil:
        cdef sqlite3_stmt *statement = self.statements[field]
        self.api.bind_int64(statement, 1, row.game_id)
        self.bind(statement, 2, row, 0, field)
        self.bind(statement, 3, row, 1, field)
        self.api.bind_int64(statement, 4, row.from_id)
        self.api.bind_int64(statement, 5, row.reasons >> 2 * field & 3)

    cdef void bind(
        self, sqlite3_stmt *statement, int place, const PairMerge *row, int which, int field
    ) noexcept nogil:
        """Bind the value of a field in one of the two records."""
        if field == F_EVENT or field == F_SITE:
            self.bind_name(statement, place, row.content[which].names[field])
        elif field == F_WHITE or field == F_BLACK:
            self.bind_name(statement, place, row.content[which].names[2 + field - F_WHITE])
        elif field == F_WHITE_ELO or field == F_BLACK_ELO:
            self.bind_elo(statement, place, row, which, N_WHITE_ELO + field - F_WHITE_ELO)
        elif field == F_DATE:
            self.bind_text(statement, place, row, which, T_DATE)
        elif field == F_ROUND:
            self.bind_text(statement, place, row, which, T_ROUND)
        elif field == F_RESULT:
            self.bind_text(statement, place, row, which, T_RESULT)
        elif field == F_TIME_CONTROL:
            self.bind_text(statement, place, row, which, T_TIME_CONTROL)
        else:
            self.bind_text(statement, place, row, which, T_ECO)

    cdef void bind_name(self, sqlite3_stmt *statement, int place, int64_t name) noexcept nogil:
        if name == INT64_MIN:
            self.api.bind_null(statement, place)
        else:
            self.api.bind_int64(statement, place, name)

    cdef void bind_elo(
        self, sqlite3_stmt *statement, int place, const PairMerge *row, int which, int number
    ) noexcept nogil:
        if row.content[which].nulls >> number & 1:
            self.api.bind_null(statement, place)
        else:
            self.api.bind_int64(statement, place, row.content[which].numbers[number])

    cdef void bind_text(
        self, sqlite3_stmt *statement, int place, const PairMerge *row, int which, int text
    ) noexcept nogil:
        cdef size_t at = row.text[which]
        cdef int i
        for i in range(text):
            if row.content[which].lengths[i] != NO_TEXT:
                at += row.content[which].lengths[i]
        if row.content[which].lengths[text] == NO_TEXT:
            self.api.bind_null(statement, place)
        else:
            self.api.bind_text(
                statement, place, self.texts + at, <int>row.content[which].lengths[text],
                OCG_STATIC,
            )
