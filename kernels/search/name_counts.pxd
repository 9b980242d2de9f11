"""Records of each event, site and player, and the values of groups whose merge depends on them."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from game_record cimport NO_NAME, Game, Games, index_of_id
from memory cimport allocate_zeros
from thresholds cimport (
    ABOVE_RARE, ABOVE_VERY_RARE, EVENT, FEW_RECORDS, FREQUENT_RECORDS, FREQUENT_TIMES, MANY_TIMES,
    PLAYER, RARE_RECORDS, SITE,
)

cdef enum:
    COUNTED_TABLES = 3         # EVENT, SITE, PLAYER
    MOST_GROUP_VALUES = 16     # values of one group that are compared with each other

ctypedef struct NameCounts:
    size_t sizes[COUNTED_TABLES]          # number of events, sites, players
    uint32_t *counts[COUNTED_TABLES]      # records, by the index of a name
    uint32_t *added[COUNTED_TABLES]       # of these, new records; NULL if they are not known

# The names of a group that may outweigh each other: if its records differ in them.
ctypedef struct GroupValues:
    uint32_t values[COUNTED_TABLES][MOST_GROUP_VALUES]
    size_t counts[COUNTED_TABLES]
    bint is_by_event           # records have several days or sites: all records of the events count
    bint has_more              # of one kind more names than fit


cdef inline int open_counts(NameCounts *names, const Games *all, bint has_added) except -1 nogil:
    cdef int table
    names.sizes[EVENT], names.sizes[SITE] = all.events.count, all.sites.count
    names.sizes[PLAYER] = all.name_count
    for table in range(COUNTED_TABLES):
        names.counts[table] = <uint32_t *>allocate_zeros(names.sizes[table], sizeof(uint32_t))
        if has_added:
            names.added[table] = <uint32_t *>allocate_zeros(names.sizes[table], sizeof(uint32_t))


cdef inline void free_counts(NameCounts *names) noexcept nogil:
    cdef int table
    for table in range(COUNTED_TABLES):
        free(names.counts[table])
        free(names.added[table])


cdef inline const int64_t *ids_of_names(const Games *all, int table) noexcept nogil:
    if table == PLAYER:
        return all.name_ids
    return all.sites.ids if table == SITE else all.events.ids


cdef inline uint32_t index_of_name(
    const NameCounts *names, const Games *all, int table, int64_t name_id
) noexcept nogil:
    """Return the index of a name by its ID, NO_NAME if there is none."""
    return index_of_id(ids_of_names(all, table), names.sizes[table], name_id)


cdef inline void count_game(uint32_t **counts, const Game *game) noexcept nogil:
    cdef int side
    if game.event != NO_NAME:
        counts[EVENT][game.event] += 1
    if game.site != NO_NAME:
        counts[SITE][game.site] += 1
    for side in range(2):
        if game.names[side] != NO_NAME:
            counts[PLAYER][game.names[side]] += 1


cdef inline int frequency_rank_of(uint64_t records, uint64_t others) noexcept nogil:
    if records < others:
        return -frequency_rank_of(others, records)
    if others == 0 or records < FREQUENT_TIMES * others:
        return 0
    if others > FEW_RECORDS and records < MANY_TIMES * others:
        return 0
    if others > RARE_RECORDS or records < FREQUENT_RECORDS:
        return 1
    return ABOVE_VERY_RARE if records >= MANY_TIMES * others else ABOVE_RARE


cdef inline bint add_value(GroupValues *group, int table, uint32_t value) noexcept nogil:
    """Add a name to the values of a group; return whether it differs from those before."""
    cdef size_t i, count = group.counts[table]
    if value == NO_NAME:
        return False
    for i in range(count):
        if group.values[table][i] == value:
            return False
    if count == MOST_GROUP_VALUES:
        group.has_more = True
        return True
    group.values[table][count] = value
    group.counts[table] += 1
    return count > 0


cdef inline bint is_changed(
    const NameCounts *names, const GroupValues *group, int table
) noexcept nogil:
    """Return whether a name of a group has new records."""
    cdef size_t i
    for i in range(group.counts[table]):
        if names.added[table][group.values[table][i]]:
            return True
    return False


cdef inline bint is_reordered(
    const NameCounts *names, const GroupValues *group, int table
) noexcept nogil:
    """Return whether new records change which names of a group are clearly more frequent."""
    cdef const uint32_t *counts = names.counts[table]
    cdef const uint32_t *added = names.added[table]
    cdef uint32_t left, right
    cdef size_t i, j
    if not is_changed(names, group, table):
        return False
    for i in range(group.counts[table]):
        left = group.values[table][i]
        for j in range(i):
            right = group.values[table][j]
            if frequency_rank_of(counts[left], counts[right]) != frequency_rank_of(
                counts[left] - added[left], counts[right] - added[right]
            ):
                return True
    return False


cdef inline bint depends_on_counts(const GroupValues *group) noexcept nogil:
    """Return whether the merge of a group may depend on the records of other games."""
    return group.has_more or group.is_by_event or (
        group.counts[EVENT] + group.counts[SITE] + group.counts[PLAYER] > 0
    )


cdef inline bint is_unsettled(const NameCounts *names, const GroupValues *group) noexcept nogil:
    """Return whether new records may change the merge of a group."""
    cdef int table
    if group.has_more or (group.is_by_event and is_changed(names, group, EVENT)):
        return True
    for table in range(COUNTED_TABLES):
        if is_reordered(names, group, table):
            return True
    return False
