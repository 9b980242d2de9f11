"""Count the sides of games by name and player, and by name and FIDE ID, in one pass."""

from pair_table cimport PairSlot, PairTable, pair_slot

cdef enum SideColumn:
    SIDE_NAMES, SIDE_PLAYERS = 2, SIDE_TAGS = 4, SIDE_COLUMNS


cdef int count_row(GameRows rows, PairTable *by_player, PairTable *by_fide_id) except -1 nogil:
    """Count the sides of the current game."""
    cdef int64_t name, fide_id
    cdef int side
    rows.read_tags(SIDE_TAGS)
    for side in range(2):
        name = rows.number(SIDE_NAMES + side)
        if not name and rows.source.api.column_type(rows.rows, SIDE_NAMES + side) == IS_NULL:
            continue
        pair_slot(by_player, name, rows.number(SIDE_PLAYERS + side)).value += 1
        fide_id = read_fide_id(rows.tags[FIDE_ID_TAG + side])
        if fide_id:
            pair_slot(by_fide_id, name, fide_id).value += 1


cdef list rows_of_counts(const PairTable *counts):
    cdef const PairSlot *slot
    cdef size_t i
    cdef list found = []
    for i in range(counts.capacity):
        slot = &counts.slots[i]
        if slot.value:
            found.append((slot.first, slot.second, slot.value))
    return found


def count_sides(connection not None, str sql not None):
    cdef GameRows rows = GameRows(connection, sql)
    cdef PairTable[2] counts
    memset(counts, 0, sizeof(counts))
    try:
        rows.require_columns(SIDE_COLUMNS)
        with nogil:
            while rows.step():
                count_row(rows, &counts[0], &counts[1])
        return rows_of_counts(&counts[0]), rows_of_counts(&counts[1])
    finally:
        rows.close()
        free(counts[0].slots)
        free(counts[1].slots)
