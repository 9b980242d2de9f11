"""Write the merges of the search kernel through prepared statements, or look them up.

The connection's SQLite loads this module as an extension (see sqlite_api.h). Must not know the
tables.
"""

from libc.string cimport strlen

from header_fields cimport REASONS
from merge_store cimport REASON_MASK, name_in_merge, name_of_field

cdef extern from "compiler.h":
    int OCG_COUNT_BITS(uint64_t word) nogil


cdef enum:
    QUALITY_PARAMETER = 13     # after the ID and the fields
    CHANGE_PARAMETERS = 6      # ID, tag, values before and after, ID of the other game, reason
    MERGES_AT_ONCE = 4096       # between two looks for signals

# By tag name, which is the order of the table of changes.
cdef int[FIELDS] SORTED_FIELDS = [
    FIELD_BLACK, FIELD_BLACK_ELO, FIELD_DATE, FIELD_ECO, FIELD_EVENT, FIELD_RESULT,
    FIELD_ROUND, FIELD_SITE, FIELD_TIME_CONTROL, FIELD_WHITE, FIELD_WHITE_ELO,
]

# A value as shown to users: a text, or a number without a text.
ctypedef struct Shown:
    Text text
    int64_t number


def merged_games(bytes merges not None):
    cdef const PairMerge *rows = <const PairMerge *>PyBytes_AS_STRING(merges)
    cdef size_t i
    return [
        rows[i].game_id for i in range(<size_t>PyBytes_GET_SIZE(merges) // sizeof(PairMerge))
        if i == 0 or rows[i].game_id != rows[i - 1].game_id
    ]


def write_merges(
    connection not None, bytes merges not None, bytes texts not None, update not None,
    log not None, reasons not None,
):
    cdef MergeWriter writer = MergeWriter(connection, texts, reasons)
    cdef bytearray rows = bytearray(merges)
    cdef PairMerge *first = <PairMerge *><char *>rows
    cdef size_t count = <size_t>len(rows) // sizeof(PairMerge)
    sort_by_id(first, count, sizeof(PairMerge))
    writer.write(first, count, update, log)


def logged_games(
    connection not None, bytes merges not None, bytes texts not None, has_number not None,
    find not None, reasons not None,
):
    cdef MergeWriter writer = MergeWriter(connection, texts, reasons)
    cdef const PairMerge *rows = <const PairMerge *>PyBytes_AS_STRING(merges)
    cdef size_t count = <size_t>PyBytes_GET_SIZE(merges) // sizeof(PairMerge)
    cdef size_t end, start = 0
    games = []
    writer.statement = prepared(writer.api, writer.db, has_number)
    writer.find = prepared(writer.api, writer.db, find)
    while start < count:
        end = start + 1
        while end < count and rows[end].game_id == rows[start].game_id:
            end += 1
        if writer.are_logged(&rows[start], end - start):
            games.append(rows[start].game_id)
        start = end
    return games


cdef inline bint is_elo_field(int field) noexcept nogil:
    return field == FIELD_WHITE_ELO or field == FIELD_BLACK_ELO


cdef class MergeWriter:
    """Writes or looks up merges of one connection."""
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef sqlite3_stmt *statement       # for the game
    cdef sqlite3_stmt *find            # a change
    cdef Inserter log                  # of changes
    cdef Failure failure
    cdef const char *texts
    cdef list kept                     # objects whose memory is used
    cdef const char *reasons[REASONS]

    def __cinit__(self, connection, bytes texts, reasons):
        cdef int i
        self.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.api = open_sqlite(self.db)
        self.log.api, self.log.db, self.log.failure = self.api, self.db, &self.failure
        if len(reasons) != REASONS:
            raise ValueError(f"unexpected number of reasons: {len(reasons)}")
        self.kept = [texts, *[reason.encode() for reason in reasons]]
        self.texts = PyBytes_AS_STRING(texts)
        for i in range(REASONS):
            self.reasons[i] = PyBytes_AS_STRING(self.kept[i + 1])

    def __dealloc__(self):
        if self.api != NULL:
            self.api.finalize(self.statement)
            self.api.finalize(self.find)
        finalize(&self.log)

    cdef int write(self, const PairMerge *rows, size_t count, update, log) except -1:
        cdef size_t i, start, changes = 0
        cdef int code = OCG_SQLITE_OK
        self.statement = prepared(self.api, self.db, update)
        open_inserter(&self.log, log)
        if self.log.columns != CHANGE_PARAMETERS:
            raise ValueError(f"statement does not have {CHANGE_PARAMETERS} parameters")
        for i in range(count):
            changes += OCG_COUNT_BITS(rows[i].taken)
        begin_rows(&self.log, changes)
        for start in range(0, count, MERGES_AT_ONCE):
            with nogil:
                # Held for these rows, so that each call finds it already locked.
                self.api.mutex_enter(self.api.db_mutex(self.db))
                for i in range(start, min(start + MERGES_AT_ONCE, count)):
                    # After an error no call may follow: SQLite would forget the message.
                    if code == OCG_SQLITE_OK and self.failure.code == OCG_SQLITE_OK:
                        code = self.update(&rows[i])
                        if code == OCG_SQLITE_OK:
                            self.log_changes(&rows[i])
                self.api.mutex_leave(self.api.db_mutex(self.db))
            raise_failure(&self.failure)
            if code != OCG_SQLITE_OK:
                refuse(self.api, self.db)
            PyErr_CheckSignals()

    cdef int update(self, const PairMerge *row) noexcept nogil:
        """Set the values of a game that come from the other game; return SQLite's code."""
        cdef int field, code
        self.api.bind_int64(self.statement, 1, row.game_id)
        for field in range(FIELDS):
            if row.taken >> field & 1:
                self.bind(2 + field, row, field)
            else:
                self.api.bind_null(self.statement, 2 + field)
        bind_number(
            self.api, self.statement, QUALITY_PARAMETER,
            row.content[1].numbers[NUMBER_DATE_QUALITY],
            row.content[1].nulls >> NUMBER_DATE_QUALITY & 1,
        )
        code = self.api.step(self.statement)
        if code != OCG_SQLITE_DONE:
            return code
        self.api.reset(self.statement)
        return OCG_SQLITE_OK

    cdef void bind(self, int parameter, const PairMerge *row, int field) noexcept nogil:
        """Bind the value of a field in the other record; a name as its ID."""
        cdef int name = name_of_field(field)
        cdef int elo = NUMBER_WHITE_ELO + field - FIELD_WHITE_ELO
        if name >= 0:
            bind_number(
                self.api, self.statement, parameter, row.content[1].names[name],
                row.content[1].names[name] == INT64_MIN,
            )
        elif is_elo_field(field):
            bind_number(
                self.api, self.statement, parameter, row.content[1].numbers[elo],
                row.content[1].nulls >> elo & 1,
            )
        else:
            self.bind_text(self.statement, parameter, self.text_of(row, 1, field))

    cdef void bind_text(self, sqlite3_stmt *statement, int parameter, Text text) noexcept nogil:
        bind_static_text(self.api, statement, parameter, <const char *>text.text, text.length)

    # --- the log of changes ---

    cdef void log_changes(self, const PairMerge *row) noexcept nogil:
        """Log the old and new values, the game of the new values, and the reasons."""
        cdef int i, field, record
        cdef Shown value
        for i in range(FIELDS):
            field = SORTED_FIELDS[i]
            if not row.taken >> field & 1:
                continue
            begin_row(&self.log)
            put_int(&self.log, 0, row.game_id)
            self.log_text(1, TAGS[field])
            for record in range(2):
                value = self.shown(row, record, field)
                if value.text.text == NULL:
                    put_int(&self.log, 2 + record, value.number)
                else:
                    put_text(&self.log, 2 + record, value.text.text, value.text.length, OCG_STATIC)
            put_int(&self.log, 4, row.from_id)
            self.log_text(5, self.reason_of(row, field))
            end_row(&self.log)

    cdef void log_text(self, int column, const char *text) noexcept nogil:
        put_text(&self.log, column, <const uint8_t *>text, strlen(text), OCG_STATIC)

    cdef const char *reason_of(self, const PairMerge *row, int field) noexcept nogil:
        return self.reasons[row.reasons >> REASON_BITS * field & REASON_MASK]

    cdef Shown shown(self, const PairMerge *row, int record, int field) noexcept nogil:
        """Return the value of a field in one of the two records as shown to users."""
        cdef Shown value = Shown(Text(NULL, 0), 0)
        cdef int elo = NUMBER_WHITE_ELO + field - FIELD_WHITE_ELO
        if name_of_field(field) >= 0:
            value.text = name_in_merge(row, <const uint8_t *>self.texts, record, field)
        elif not is_elo_field(field):
            value.text = self.text_of(row, record, field)
        elif not row.content[record].nulls >> elo & 1:
            value.number = row.content[record].numbers[elo]
            return value
        if value.text.length == 0:
            value.text = Text(<const uint8_t *>b"?", 1)
        return value

    cdef Text text_of(self, const PairMerge *row, int record, int field) noexcept nogil:
        """Return a text field, other than a name, of one of the two records."""
        return text_in(
            &row.content[record], <const uint8_t *>self.texts + row.text[record],
            TEXT_OF_FIELD[field],
        )

    cdef bint are_logged(self, const PairMerge *rows, size_t count) except -1:
        """Return whether all changes of a game are logged, and no others."""
        cdef size_t i
        cdef int field, changes = 0
        for i in range(count):
            changes += OCG_COUNT_BITS(rows[i].taken)
            for field in range(FIELDS):
                if rows[i].taken >> field & 1:
                    self.bind_change(&rows[i], field)
                    if not self.has_row(self.find):
                        return False
        self.api.bind_int64(self.statement, 1, rows.game_id)
        self.api.bind_int64(self.statement, 2, changes)
        return self.has_row(self.statement)

    cdef void bind_change(self, const PairMerge *row, int field) noexcept nogil:
        """Bind what log_changes() logs."""
        cdef int record
        cdef Shown value
        cdef const char *reason = self.reason_of(row, field)
        self.api.bind_int64(self.find, 1, row.game_id)
        self.api.bind_text(self.find, 2, TAGS[field], -1, OCG_STATIC)
        for record in range(2):
            value = self.shown(row, record, field)
            if value.text.text == NULL:
                self.api.bind_int64(self.find, 3 + record, value.number)
            else:
                self.bind_text(self.find, 3 + record, value.text)
        self.api.bind_int64(self.find, 5, row.from_id)
        self.api.bind_text(self.find, 6, reason, -1, OCG_STATIC)

    cdef bint has_row(self, sqlite3_stmt *statement) except -1:
        cdef int code = self.api.step(statement)
        if code != OCG_SQLITE_ROW and code != OCG_SQLITE_DONE:
            refuse(self.api, self.db)
        self.api.reset(statement)
        return code == OCG_SQLITE_ROW
