"""The counts of a search as bytes, for the next search after new games.

Names have their index by rising ID, which stays the same when names are added. Numbers are in the
byte order of the machine. Contests are the values in which the records of a group differ: only
these groups may be merged otherwise when counts change.
"""

from id_list cimport Ids, holds_id
from memory cimport append_items
from name_counts cimport MOST_GROUP_VALUES, depends_on_counts, ids_of_names

cdef enum:
    CONTEST_WORDS = 3          # before its values: their numbers and marks, and the ID of the group
    IS_BY_EVENT = 1            # marks of a contest: see GroupValues
    HAS_MORE = 2
    MOST_NEW_PARTS = 8         # new rows are at most one of so many of the others

# First words of the bytes.
cdef uint64_t COUNTS_MAGIC = 0x31746E756F43474F
cdef uint64_t ROWS_MAGIC = 0x31737961444347F0
cdef uint64_t CONTESTS_MAGIC = 0x3174736574434FF0

ctypedef struct Words:
    uint32_t *items
    size_t count
    size_t capacity


cdef class StoredHeaderCounts:
    """The counts of an earlier search; see the stub."""
    cdef list held                     # the bytes
    cdef size_t[COUNTED_TABLES] sizes
    cdef int64_t[COUNTED_TABLES] last_ids     # of the names
    cdef const uint32_t *counts[COUNTED_TABLES]
    cdef const EventRow *rows[STORED_RUNS]
    cdef size_t[STORED_RUNS] row_counts
    cdef const uint32_t *contests
    cdef size_t contest_words

    def __cinit__(self, counts not None, days not None, new_days not None, contests not None):
        cdef size_t size, table
        cdef const int64_t *numbers
        cdef const uint32_t *at
        self.held = []
        numbers = <const int64_t *>self.content(counts, COUNTS_MAGIC, &size)
        if size < 2 * COUNTED_TABLES * sizeof(int64_t):
            raise ValueError("counts of the last search are damaged")
        size = (size - 2 * COUNTED_TABLES * sizeof(int64_t)) // sizeof(uint32_t)
        at = <const uint32_t *>(numbers + 2 * COUNTED_TABLES)
        for table in range(COUNTED_TABLES):
            self.sizes[table] = <size_t>numbers[2 * table]
            self.last_ids[table] = numbers[2 * table + 1]
            if self.sizes[table] > size:
                raise ValueError("counts of the last search are damaged")
            self.counts[table] = at
            at += self.sizes[table]
            size -= self.sizes[table]
        for table in range(STORED_RUNS):
            self.rows[table] = <const EventRow *>self.content(
                new_days if table else days, ROWS_MAGIC, &size
            )
            self.row_counts[table] = size // sizeof(EventRow)
        self.contests = <const uint32_t *>self.content(contests, CONTESTS_MAGIC, &size)
        self.contest_words = size // sizeof(uint32_t)

    cdef const uint8_t *content(self, blob, uint64_t magic, size_t *size) except NULL:
        """Return the bytes after the first word, aligned for numbers, and their number."""
        cdef const uint8_t[::1] view = blob
        if view.shape[0] >= <Py_ssize_t>sizeof(uint64_t) and <uintptr_t>&view[0] & 7:
            view = bytes(view)
        if (
            view.shape[0] < <Py_ssize_t>sizeof(uint64_t)
            or (<const uint64_t *>&view[0])[0] != magic
        ):
            raise ValueError("counts of the last search are damaged")
        self.held.append(view)
        size[0] = view.shape[0] - sizeof(uint64_t)
        return &view[0] + sizeof(uint64_t)

    cdef int copy_counts(self, NameCounts *names, const Games *all) except -1:
        cdef size_t table, size
        for table in range(COUNTED_TABLES):
            size = self.sizes[table]
            if size > names.sizes[table] or (
                size and ids_of_names(all, <int>table)[size - 1] != self.last_ids[table]
            ):
                raise ValueError("counts of the last search are of other names")
            memcpy(names.counts[table], self.counts[table], size * sizeof(uint32_t))

    def unsettled_groups(
        self, GameBatch batch not None, const int64_t[::1] events not None,
        const int64_t[::1] sites not None, const int64_t[::1] players not None,
    ):
        cdef NameCounts names
        cdef NameChanges changes
        cdef GroupValues values
        cdef size_t at = 0
        found = array.array("q")
        memset(&names, 0, sizeof(NameCounts))
        memset(&changes, 0, sizeof(NameChanges))
        changes.old_names = self.sizes[PLAYER]
        try:
            open_counts(&names, &batch.all, True)
            self.copy_counts(&names, &batch.all)
            for table, ids in enumerate((events, sites, players)):
                add_names(&names, &batch.all, table, ids)
            while at < self.contest_words:
                at = self.next_contest(at, &values)
                if is_unsettled(&names, &values) or are_likelier(
                    &changes, &names, &batch.all, &values
                ):
                    found.append(id_in_contest(self.contests + at - contest_size(&values)))
        finally:
            free_counts(&names)
            free_changes(&changes)
        return found

    cdef size_t next_contest(self, size_t at, GroupValues *values) except 0:
        """Read a contest; return the index of the next one."""
        cdef const uint32_t *words = self.contests + at
        cdef size_t i, table
        memset(values, 0, sizeof(GroupValues))
        if at + CONTEST_WORDS > self.contest_words:
            raise ValueError("contests of the last search are damaged")
        for table in range(COUNTED_TABLES):
            values.counts[table] = min(words[0] >> 8 * table & 0xFF, <uint32_t>MOST_GROUP_VALUES)
        values.is_by_event = words[0] >> 24 & IS_BY_EVENT != 0
        values.has_more = words[0] >> 24 & HAS_MORE != 0
        at += contest_size(values)
        if at > self.contest_words:
            raise ValueError("contests of the last search are damaged")
        words += CONTEST_WORDS
        for table in range(COUNTED_TABLES):
            for i in range(values.counts[table]):
                if words[i] >= self.sizes[table]:
                    raise ValueError("contests of the last search are damaged")
                values.values[table][i] = words[i]
            words += values.counts[table]
        return at


cdef int add_names(
    NameCounts *names, const Games *all, int table, const int64_t[::1] ids
) except -1:
    """Count one more record for each of some names by ID."""
    cdef uint32_t index
    cdef Py_ssize_t i
    for i in range(ids.shape[0]):
        index = index_of_name(names, all, table, ids[i])
        if index != NO_NAME:
            names.counts[table][index] += 1
            names.added[table][index] += 1


cdef inline size_t contest_size(const GroupValues *values) noexcept nogil:
    return CONTEST_WORDS + values.counts[EVENT] + values.counts[SITE] + values.counts[PLAYER]


cdef inline int64_t id_in_contest(const uint32_t *words) noexcept nogil:
    return <int64_t>(<uint64_t>words[1] | <uint64_t>words[2] << 32)


cdef int add_contest(Words *out, int64_t group, const GroupValues *values) except -1:
    cdef uint32_t[CONTEST_WORDS] head
    cdef int table
    head[0] = (
        (IS_BY_EVENT if values.is_by_event else 0) | (HAS_MORE if values.has_more else 0)
    ) << 24
    head[1], head[2] = <uint32_t>group, <uint32_t>(<uint64_t>group >> 32)
    for table in range(COUNTED_TABLES):
        head[0] |= <uint32_t>values.counts[table] << 8 * table
    add_words(out, head, CONTEST_WORDS)
    for table in range(COUNTED_TABLES):
        add_words(out, values.values[table], values.counts[table])


cdef int add_words(Words *out, const uint32_t *words, size_t count) except -1:
    append_items(
        <void **>&out.items, &out.count, &out.capacity, words, count, sizeof(uint32_t)
    )


cdef bytes with_magic(uint64_t magic, const void *content, size_t size):
    cdef bytes blob = PyBytes_FromStringAndSize(NULL, sizeof(magic) + size)
    cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(blob)
    memcpy(out, &magic, sizeof(magic))
    if size:
        memcpy(out + sizeof(magic), content, size)
    return blob


def packed_counts(HeaderCounts counts not None):
    cdef const NameCounts *names = &counts.names
    cdef int64_t[2 * COUNTED_TABLES] head
    cdef int table
    cdef size_t size
    for table in range(COUNTED_TABLES):
        size = names.sizes[table]
        head[2 * table] = size
        head[2 * table + 1] = ids_of_names(counts.games.s.all, table)[size - 1] if size else 0
    return b"".join([
        with_magic(COUNTS_MAGIC, head, sizeof(head)),
        *(
            (<const char *>names.counts[table])[:names.sizes[table] * sizeof(uint32_t)]
            for table in range(COUNTED_TABLES)
        ),
    ])


def packed_days(HeaderCounts counts not None):
    cdef EventRows merged
    cdef size_t most
    memset(&merged, 0, sizeof(EventRows))
    counts.collect_all_events()
    if counts.stored is None:
        days = with_magic(ROWS_MAGIC, counts.rows.rows, counts.rows.count * sizeof(EventRow))
        return days, with_magic(ROWS_MAGIC, NULL, 0)
    most = counts.stored.row_counts[0] // MOST_NEW_PARTS
    try:
        merge_runs(counts, 2, &merged)
        if merged.count <= most:
            return None, with_magic(ROWS_MAGIC, merged.rows, merged.count * sizeof(EventRow))
        free_rows(&merged)
        merge_runs(counts, 1, &merged)
        days = with_magic(ROWS_MAGIC, merged.rows, merged.count * sizeof(EventRow))
        return days, with_magic(ROWS_MAGIC, NULL, 0)
    finally:
        free_rows(&merged)


cdef int merge_runs(HeaderCounts counts, int first, EventRows *out) except -1:
    """Merge the own rows of counts with those of the stored runs from number `first` on."""
    cdef const EventRow *rows
    cdef size_t i, count
    cdef int run
    for run in (0, *range(first, counts.runs())):
        rows = counts.run_of(run, &count)
        for i in range(count):
            add_row(out, &rows[i])
    sort_rows(out)


def packed_contests(
    HeaderCounts counts not None, const int64_t[::1] ids not None,
    const uint64_t[::1] ends not None, const int64_t[::1] scope=None,
):
    cdef StoredHeaderCounts stored = counts.stored
    cdef Words out
    cdef GroupValues values, other
    cdef Ids of_scope
    cdef int64_t stored_id
    cdef size_t group, start = 0, at = 0, next_at
    memset(&out, 0, sizeof(Words))
    memset(&of_scope, 0, sizeof(Ids))
    if (stored is None) != (scope is None):
        raise ValueError("the games of the groups are needed with stored counts alone")
    if scope is not None and scope.shape[0]:
        of_scope = Ids(<int64_t *>&scope[0], scope.shape[0], 0)
    try:
        for group in range(<size_t>ends.shape[0] + 1):
            # Contests of other groups stay, in the order of their IDs.
            while stored is not None and at < stored.contest_words:
                next_at = stored.next_contest(at, &other)
                stored_id = id_in_contest(stored.contests + at)
                if group < <size_t>ends.shape[0] and stored_id > ids[start]:
                    break
                if not holds_id(&of_scope, stored_id):
                    add_words(&out, stored.contests + at, next_at - at)
                at = next_at
            if group < <size_t>ends.shape[0]:
                counts.list_values(ids, start, ends[group], &values)
                if depends_on_counts(&values):
                    add_contest(&out, ids[start], &values)
                start = ends[group]
        return with_magic(CONTESTS_MAGIC, out.items, out.count * sizeof(uint32_t))
    finally:
        free(out.items)
