"""Flags of games, gathered in memory and written in table order.

Rows go to SQLite through prepared statements; SQLite loads this module as an extension (see
sqlite_api.h). 24 bytes per game. Must not know the tables.
"""

from libc.stdint cimport int16_t

from flag_sums cimport (
    FLAG_NUMBERS, IS_CLEARED, IS_DELETED, IS_UNCHANGED, NO_FLAG_TEXT, SUMMED_TEXTS, Flag, FlagSums,
    add_flags,
)
from id_list cimport Ids, append_id, count_id, sort_ids


cdef enum:
    MOST_TEXTS = 255
    STORED_COLUMNS = 6         # ID, status, group, reason, score, whether the game is removed
    PARAMETERS = 5             # ID and the four flags: see insert() and write() in the stub
    MOST_STATEMENTS = 4
    FLAGS_AT_ONCE = 50000       # rows written between two checks for signals


cdef int check_ends(const uint64_t[:] ends, Py_ssize_t games) except -1:
    """Raise ValueError unless groups end in rising order and at `games`."""
    cdef uint64_t last = 0
    cdef Py_ssize_t group
    for group in range(ends.shape[0]):
        if ends[group] < last or ends[group] > <uint64_t>games:
            raise ValueError(f"group {group} ends at {ends[group]} of {games} games")
        last = ends[group]


ctypedef struct Texts:
    const char *texts[MOST_TEXTS]
    int lengths[MOST_TEXTS]


cdef int list_texts(list texts, Texts *out) except -1:
    """List texts by their codes; `texts` must keep them in memory."""
    cdef int i
    for i in range(<int>len(texts)):
        out.texts[i] = PyBytes_AS_STRING(texts[i])
        out.lengths[i] = <int>PyBytes_GET_SIZE(texts[i])


cdef inline void put_code(
    Inserter *inserter, int column, const Texts *texts, uint8_t code
) noexcept nogil:
    if code == NO_FLAG_TEXT:
        put_null(inserter, column)
    else:
        put_text(
            inserter, column, <const uint8_t *>texts.texts[code], texts.lengths[code], OCG_STATIC
        )


cdef inline void insert_flag(
    Inserter *inserter, const Texts *texts, const Flag *row
) noexcept nogil:
    begin_row(inserter)
    put_int(inserter, 0, row.game_id)
    put_code(inserter, 1, texts, row.status)
    put_int(inserter, 2, row.group)
    put_code(inserter, 3, texts, row.reason)
    put_int(inserter, 4, row.score)
    end_row(inserter)


cdef class FlagRows:
    """Flags of games; see the stub."""
    cdef Flag *rows
    cdef size_t capacity, count
    cdef bint sorted
    cdef bint lacks_score              # a stored flag has no score
    cdef dict codes                    # code of each text
    cdef list texts                    # by code, as UTF-8; code 0 is None

    def __cinit__(self):
        self.codes = {None: NO_FLAG_TEXT}
        self.texts = [b""]
        self.sorted = True

    def __dealloc__(self):
        free(self.rows)

    def __len__(self):
        return self.count

    cdef uint8_t code(self, text) except? 255:
        found = self.codes.get(text)
        if found is None:
            found = len(self.texts)
            if found >= MOST_TEXTS:
                raise ValueError("too many distinct statuses and reasons")
            self.codes[text] = found
            self.texts.append(text.encode())
        return found

    cdef int reserve_rows(self, size_t games) except -1:
        """Reserve memory for the flags of more games."""
        return reserve(<void **>&self.rows, &self.capacity, self.count + games, sizeof(Flag))

    cdef inline Flag *next_row(self, int64_t game_id) noexcept nogil:
        """Return cleared flags of one more game, for which memory is reserved."""
        cdef Flag *row = &self.rows[self.count]
        if self.count and self.rows[self.count - 1].game_id >= game_id:
            self.sorted = False
        self.count += 1
        row.game_id = game_id
        row.group = row.score = row.status = row.reason = row.marks = 0
        return row

    cdef Flag *append(self, int64_t game_id) except NULL:
        self.reserve_rows(1)
        return self.next_row(game_id)

    def add(self, int64_t game_id, status, int64_t group, reason, int score):
        cdef uint8_t status_code = self.code(status)
        cdef uint8_t reason_code = self.code(reason)
        cdef Flag *row = self.append(game_id)
        row.group = group
        row.score = <int16_t>score
        row.status = status_code
        row.reason = reason_code

    def add_cleared(self, int64_t game_id):
        self.append(game_id).marks = IS_CLEARED

    def add_groups(
        self, const int64_t[:] ids not None, const uint64_t[:] ends not None,
        const int64_t[:] kept_ids not None, const int16_t[:] scores not None,
        const uint8_t[:] needs not None, int left_out, status not None,
    ):
        cdef uint8_t status_code = self.code(status)
        cdef size_t group, i, start = 0
        cdef Py_ssize_t duplicates = 0
        cdef Flag *row
        check_ends(ends, min(ids.shape[0], scores.shape[0]))
        if kept_ids.shape[0] != ends.shape[0] or needs.shape[0] != ends.shape[0]:
            raise ValueError(
                f"{kept_ids.shape[0]} kept games and {needs.shape[0]} needs for "
                f"{ends.shape[0]} groups"
            )
        self.reserve_rows(ids.shape[0])
        for group in range(<size_t>ends.shape[0]):
            if not needs[group] & left_out and ends[group] > start:
                for i in range(start, ends[group]):
                    row = self.next_row(ids[i])
                    row.group = kept_ids[group]
                    row.score = scores[i]
                    row.status = NO_FLAG_TEXT if ids[i] == kept_ids[group] else status_code
                duplicates += ends[group] - start - 1
            start = ends[group]
        return duplicates

    def set_reason(self, int64_t game_id, reason not None):
        cdef uint8_t code = self.code(reason)
        cdef size_t i = self.count
        while i:
            i -= 1
            if self.rows[i].game_id == game_id:
                self.rows[i].reason = code
                return
        raise KeyError(game_id)

    cdef int sort(self) except -1:
        """Sort by ID; raise ValueError if a game is flagged twice."""
        cdef size_t i
        if self.sorted:
            return 0
        with nogil:
            sort_by_id(self.rows, self.count, sizeof(Flag))
        for i in range(1, self.count):
            if self.rows[i].game_id == self.rows[i - 1].game_id:
                raise ValueError(f"game {self.rows[i].game_id} is flagged twice")
        self.sorted = True

    cdef Flag *flag_of(self, int64_t game_id) except? NULL:
        self.sort()
        if self.count == 0:
            return NULL
        return <Flag *>bsearch(&game_id, self.rows, self.count, sizeof(Flag), by_id)

    def __contains__(self, int64_t game_id):
        """Return whether a game has flags."""
        return self.flag_of(game_id) != NULL

    def group_of(self, int64_t game_id):
        cdef Flag *row = self.flag_of(game_id)
        return None if row == NULL or row.marks & IS_CLEARED else row.group

    def get(self, int64_t game_id):
        cdef Flag *row = self.flag_of(game_id)
        if row == NULL or row.marks & IS_CLEARED:
            return None
        return self.text(row.status), row.group, self.text(row.reason), row.score

    cdef object text(self, uint8_t code):
        return None if code == NO_FLAG_TEXT else (<bytes>self.texts[code]).decode()

    # --- stored flags ---

    def read(self, connection not None, str sql not None, str text=None):
        cdef SqliteConnection source = SqliteConnection(connection)
        cdef const ocg_sqlite_api *api = source.api
        cdef sqlite3_stmt *statement = source.prepare(sql)
        cdef bytes parameter = b"" if text is None else text.encode()
        cdef int code
        try:
            if text is not None:
                bind_static_text(
                    api, statement, 1, PyBytes_AS_STRING(parameter),
                    <int>PyBytes_GET_SIZE(parameter),
                )
            if api.column_count(statement) != STORED_COLUMNS:
                raise ValueError(f"statement does not have {STORED_COLUMNS} columns")
            while True:
                with nogil:
                    code = api.step(statement)
                if code != OCG_SQLITE_ROW:
                    break
                self.enter(api, statement)
            source.check(code)
        finally:
            api.finalize(statement)

    cdef int enter(self, const ocg_sqlite_api *api, sqlite3_stmt *statement) except -1:
        cdef uint8_t status = self.column_code(api, statement, 1)
        cdef uint8_t reason = self.column_code(api, statement, 3)
        cdef Flag *row = self.append(api.column_int64(statement, 0))
        row.status = status
        row.reason = reason
        row.group = api.column_int64(statement, 2)
        row.score = <int16_t>api.column_int64(statement, 4)
        self.lacks_score |= api.column_type(statement, 4) == IS_NULL
        if api.column_int64(statement, 5):
            row.marks = IS_DELETED

    cdef uint8_t column_code(
        self, const ocg_sqlite_api *api, sqlite3_stmt *statement, int column
    ) except? 255:
        cdef const char *text = <const char *>api.column_text(statement, column)
        return NO_FLAG_TEXT if text == NULL else self.code(text.decode())

    def unchanged_groups(self, const int64_t[:] ids not None, const uint64_t[:] ends not None):
        cdef size_t group, i, start = 0
        cdef Flag *row
        cdef int64_t stored_group = 0
        cdef bint same, has_kept_game
        cdef Ids sizes                     # the group of each stored row, rising
        cdef bytearray unchanged = bytearray(ends.shape[0])
        cdef uint8_t[:] result = unchanged
        check_ends(ends, ids.shape[0])
        self.sort()
        sizes = Ids(<int64_t *>allocate(self.count, sizeof(int64_t)), self.count, self.count)
        for i in range(self.count):
            sizes.ids[i] = self.rows[i].group
        sort_ids(&sizes)
        for group in range(<size_t>ends.shape[0]):
            same, has_kept_game = True, False
            for i in range(start, ends[group]):
                row = self.flag_of(ids[i])
                if row == NULL or (i > start and row.group != stored_group):
                    same = False
                    break
                stored_group = row.group
                has_kept_game = has_kept_game or ids[i] == stored_group
            result[group] = same and has_kept_game and (
                count_id(&sizes, stored_group) == ends[group] - start
            )
            start = ends[group]
        free(sizes.ids)
        return unchanged

    def mark_unchanged(self, int64_t game_id):
        cdef Flag *row = self.flag_of(game_id)
        if row != NULL:
            row.marks |= IS_UNCHANGED

    def mark_groups_unchanged(
        self, const int64_t[:] ids not None, const uint64_t[:] ends not None,
        const uint8_t[:] are_unchanged not None,
    ):
        cdef size_t group, i, start = 0
        cdef Flag *row
        check_ends(ends, ids.shape[0])
        if are_unchanged.shape[0] != ends.shape[0]:
            raise ValueError(f"{are_unchanged.shape[0]} marks for {ends.shape[0]} groups")
        for group in range(<size_t>ends.shape[0]):
            if are_unchanged[group]:
                for i in range(start, ends[group]):
                    row = self.flag_of(ids[i])
                    if row == NULL:
                        raise ValueError(f"game {ids[i]} has no flags to mark_unchanged")
                    row.marks |= IS_UNCHANGED
            start = ends[group]

    def is_unchanged(self, int64_t game_id):
        cdef Flag *row = self.flag_of(game_id)
        return row != NULL and row.marks & IS_UNCHANGED != 0

    def is_changed(self, int64_t game_id):
        cdef Flag *row = self.flag_of(game_id)
        return row != NULL and row.marks & IS_UNCHANGED == 0

    def changed_ids(self):
        cdef array.array ids = array.array("q")
        cdef size_t i
        for i in range(self.count):
            if not self.rows[i].marks & IS_UNCHANGED:
                ids.append(self.rows[i].game_id)
        return ids

    @property
    def all_unchanged(self):
        cdef size_t i
        for i in range(self.count):
            if not self.rows[i].marks & IS_UNCHANGED:
                return False
        return True

    def clear_changed(self, FlagRows stored not None):
        cdef size_t i, at = 0, end
        self.sort()
        stored.sort()
        end = self.count                   # new rows are appended
        for i in range(stored.count):
            while at < end and self.rows[at].game_id < stored.rows[i].game_id:
                at += 1
            if stored.rows[i].marks & IS_UNCHANGED:
                continue
            if at == end or self.rows[at].game_id != stored.rows[i].game_id:
                self.append(stored.rows[i].game_id).marks = IS_CLEARED

    def counts(self, bint unchanged_in_games):
        cdef Ids groups
        cdef size_t[MOST_TEXTS + 1] by_status
        cdef size_t i, distinct = 0
        cdef Flag *row
        memset(&groups, 0, sizeof(Ids))
        memset(by_status, 0, sizeof(by_status))
        try:
            for i in range(self.count):
                row = &self.rows[i]
                if unchanged_in_games and (not row.marks & IS_UNCHANGED or row.marks & IS_DELETED):
                    continue
                if row.status != NO_FLAG_TEXT:
                    append_id(&groups, row.group)
                    by_status[row.status] += 1
            sort_ids(&groups)
            for i in range(groups.count):
                distinct += i == 0 or groups.ids[i] != groups.ids[i - 1]
        finally:
            free(groups.ids)
        return distinct, {
            self.text(<uint8_t>i): by_status[i] for i in range(1, len(self.texts)) if by_status[i]
        }

    def sums(self, FlagRows stored not None):
        cdef FlagSums totals
        cdef int i
        if stored.lacks_score or len(stored.texts) + len(self.texts) > SUMMED_TEXTS:
            return None
        memset(&totals, 0, sizeof(FlagSums))
        codes = bytes([stored.code(self.text(<uint8_t>i)) for i in range(len(self.texts))])
        if not (
            add_flags(self.rows, self.count, IS_CLEARED, 0, codes, &totals)
            and add_flags(
                stored.rows, stored.count, IS_UNCHANGED, IS_UNCHANGED, bytes(range(256)), &totals
            )
        ):
            return None
        return [
            (stored.text(<uint8_t>(i // SUMMED_TEXTS)), stored.text(<uint8_t>(i % SUMMED_TEXTS)),
             *(<int64_t[:FLAG_NUMBERS]>totals.totals[i]))
            for i in range(SUMMED_TEXTS * SUMMED_TEXTS) if totals.totals[i][0]
        ]

    def insert(self, connection not None, statements not None):
        cdef sqlite3 *db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        cdef const ocg_sqlite_api *api = open_sqlite(db)
        cdef Texts texts
        cdef Inserter inserter
        cdef Failure failure
        cdef size_t start, i, flagged = 0
        memset(&inserter, 0, sizeof(Inserter))
        memset(&failure, 0, sizeof(Failure))
        inserter.api, inserter.db, inserter.failure = api, db, &failure
        self.sort()
        list_texts(self.texts, &texts)
        for i in range(self.count):
            flagged += not self.rows[i].marks & IS_CLEARED
        try:
            open_inserter(&inserter, statements)
            if inserter.columns != PARAMETERS:
                raise ValueError(f"statement does not have {PARAMETERS} parameters")
            begin_rows(&inserter, flagged)
            for start in range(0, self.count, FLAGS_AT_ONCE):
                with nogil:
                    # Held for these rows, so that each call finds it already locked.
                    api.mutex_enter(api.db_mutex(db))
                    for i in range(start, min(start + FLAGS_AT_ONCE, self.count)):
                        if not self.rows[i].marks & IS_CLEARED:
                            insert_flag(&inserter, &texts, &self.rows[i])
                    api.mutex_leave(api.db_mutex(db))
                raise_failure(&failure)
                PyErr_CheckSignals()
        finally:
            finalize(&inserter)

    def write(self, connection not None, flagging not None, unflagging not None):
        cdef sqlite3 *db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        cdef const ocg_sqlite_api *api = open_sqlite(db)
        cdef int code
        cdef size_t start, count
        cdef Writer writer = Writer()
        self.sort()
        writer.db, writer.api, writer.held = db, api, self.texts
        list_texts(self.texts, &writer.texts)
        for sql in (*flagging, *unflagging):
            writer.prepare(sql)
        writer.flagging = <int>len(flagging)
        for start in range(0, self.count, FLAGS_AT_ONCE):
            count = min(<size_t>FLAGS_AT_ONCE, self.count - start)
            with nogil:
                code = writer.write(self.rows + start, count)
            if code != OCG_SQLITE_OK:
                refuse(api, db)
            PyErr_CheckSignals()


cdef class Writer:
    """Prepared statements and their bound values."""
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef sqlite3_stmt *statements[MOST_STATEMENTS]
    cdef int count
    # the first `flagging` statements flag a game, the others clear it
    cdef int flagging
    cdef list held                     # keeps the texts alive
    cdef Texts texts

    def __dealloc__(self):
        cdef int i
        for i in range(self.count):
            self.api.finalize(self.statements[i])

    cdef int prepare(self, str sql) except -1:
        if self.count == MOST_STATEMENTS:
            raise ValueError("too many statements")
        self.statements[self.count] = prepared(self.api, self.db, sql)
        self.count += 1
        if self.api.bind_parameter_count(self.statements[self.count - 1]) != PARAMETERS:
            raise ValueError(f"statement does not have {PARAMETERS} parameters")

    cdef int write(self, const Flag *rows, size_t count) noexcept nogil:
        """Return OCG_SQLITE_OK, or SQLite's error code."""
        cdef size_t i
        cdef int j, first, end, code
        for i in range(count):
            first, end = 0, self.flagging
            if rows[i].marks & IS_CLEARED:
                first, end = self.flagging, self.count
            for j in range(first, end):
                self.bind(self.statements[j], &rows[i])
                code = self.api.step(self.statements[j])
                if code != OCG_SQLITE_DONE:
                    return code
                self.api.reset(self.statements[j])
        return OCG_SQLITE_OK

    cdef void bind(self, sqlite3_stmt *statement, const Flag *row) noexcept nogil:
        self.bind_text(statement, 1, row.status)
        self.bind_text(statement, 3, row.reason)
        bind_number(self.api, statement, 2, row.group, row.marks & IS_CLEARED)
        bind_number(self.api, statement, 4, row.score, row.marks & IS_CLEARED)
        self.api.bind_int64(statement, 5, row.game_id)

    cdef void bind_text(self, sqlite3_stmt *statement, int parameter, uint8_t text) noexcept nogil:
        bind_static_text(
            self.api, statement, parameter,
            NULL if text == NO_FLAG_TEXT else self.texts.texts[text], self.texts.lengths[text],
        )
