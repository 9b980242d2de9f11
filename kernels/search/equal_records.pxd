"""Equal records in several sources: equal moves, equal Seven Tag Roster, named players.

A source may have a record twice because the game was played twice. So the records of two sources
are paired one to one: with k records in one source and m in the other, max(k, m) games are real. If
one source has both records of a pair, or equal ones, the pair is judged as two records of one
source.
"""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from candidate_pairs cimport ALWAYS, add_candidate
from game_record cimport NO_NAME, Game, Games, are_of_one_line, is_somebody, joined
from memory cimport new_item, reserve
from sorted_numbers cimport Buckets, order_of, sort_few_records
from thresholds cimport DOUBTFUL_ROUND

ctypedef struct Entry:
    uint64_t roster            # hash of the Seven Tag Roster
    uint64_t content
    int64_t game_id            # tie-breaker between records with equal contents in one source
    uint32_t index
    uint16_t source

ctypedef struct Entries:
    Entry *entries             # of games with equal moves
    size_t count
    size_t capacity
    uint32_t *last_source            # by rank: number of the last source with a record of this rank
    size_t last_source_capacity
    uint32_t sources           # sources of a roster that have been ranked


cdef inline bint has_players(const Games *all, const Game *game) noexcept nogil:
    """Return whether both players are named and are two different players."""
    return (
        is_somebody(all, game.names[0]) and is_somebody(all, game.names[1])
        and game.names[0] != game.names[1]
    )


cdef inline uint64_t roster_hash(const Game *game) noexcept nogil:
    """Return a hash of the Seven Tag Roster as written; equal texts have equal indexes."""
    cdef uint64_t key = joined(game.written, game.names[0])
    key = joined(key, game.names[1])
    key = joined(key, game.event)
    return joined(key, game.site)


cdef inline bint has_enough_evidence(const Games *all, const Game *game) noexcept nogil:
    """Return whether a record has more than two names: moves, a day, a round or an event."""
    if not has_players(all, game):
        return False
    if game.plies or game.date & 31 or (game.round and not game.round & DOUBTFUL_ROUND):
        return True
    return game.event != NO_NAME and all.events.texts[game.event].key != 0


cdef inline int by_roster(const void *a, const void *b) noexcept nogil:
    cdef const Entry *left = <const Entry *>a
    cdef const Entry *right = <const Entry *>b
    return (
        order_of(left.roster, right.roster) or order_of(left.source, right.source)
        or order_of(left.content, right.content) or order_of(left.game_id, right.game_id)
    )


cdef inline size_t end_of_source(const Entry *entries, size_t first, size_t count) noexcept nogil:
    cdef size_t last = first
    while last < count and entries[last].source == entries[first].source:
        last += 1
    return last


cdef inline int add_source(Games *all, uint16_t source) except -1 nogil:
    (<uint16_t *>new_item(
        <void **>&all.roster_sources, &all.roster_count, &all.roster_capacity, sizeof(uint16_t)
    ))[0] = source


cdef inline int add_roster(Games *all, const Entry *entries, size_t count) except -1 nogil:
    """Store which sources have an equal record."""
    cdef size_t start = all.roster_count
    cdef uint16_t sources = 0
    cdef size_t first = 0, i
    add_source(all, 0)
    while first < count:
        add_source(all, entries[first].source)
        sources += 1
        first = end_of_source(entries, first, count)
    all.roster_sources[start] = sources
    for i in range(count):
        all.games[entries[i].index].roster = <uint32_t>start


cdef inline void largest_source(
    const Entry *entries, size_t count, size_t *first, size_t *last
) noexcept nogil:
    """Find the source with the most records; ties go to the least first content."""
    cdef size_t begin = 0, end
    first[0] = last[0] = 0
    while begin < count:
        end = end_of_source(entries, begin, count)
        if end - begin > last[0] - first[0] or (
            end - begin == last[0] - first[0]
            and entries[begin].content < entries[first[0]].content
        ):
            first[0] = begin
            last[0] = end
        begin = end


cdef inline void rank_source(
    Games *all, Entries *e, const Entry *model, uint32_t ranks, const Entry *records, size_t count
) noexcept nogil:
    """Give each record of a source the rank of a record in `model`, of equal content if any.

    `model`: records of the largest source, whose ranks are their indexes. Both are sorted.
    """
    cdef Game *game
    cdef size_t i
    cdef uint32_t rank = 0
    e.sources += 1
    for i in range(count):
        game = &all.games[records[i].index]
        game.rank = ranks
        while rank < ranks and model[rank].content < records[i].content:
            rank += 1
        if rank < ranks and model[rank].content == records[i].content:
            game.rank = rank
            e.last_source[rank] = e.sources
            rank += 1
    rank = 0
    for i in range(count):
        game = &all.games[records[i].index]
        if game.rank < ranks:
            continue
        while e.last_source[rank] == e.sources:      # ends: no source has more than `model`
            rank += 1
        game.rank = rank
        rank += 1


cdef inline int pair_roster(
    Games *all, Entries *e, const Entry *records, size_t count, Buckets *pairs
) except -1 nogil:
    """Rank the records of one roster and pair equal ranks."""
    cdef size_t largest, end, first, i
    cdef uint32_t index, other
    if records[0].source == records[count - 1].source:
        return 0
    largest_source(records, count, &largest, &end)
    add_roster(all, records, count)
    reserve(<void **>&e.last_source, &e.last_source_capacity, end - largest, sizeof(uint32_t))
    memset(e.last_source, 0, (end - largest) * sizeof(uint32_t))
    e.sources = 0
    first = 0
    while first < count:
        i = end_of_source(records, first, count)
        rank_source(
            all, e, records + largest, <uint32_t>(end - largest), records + first, i - first
        )
        first = i
    for i in range(count):
        if not largest <= i < end:
            index = records[i].index
            other = records[largest + all.games[index].rank].index
            add_candidate(all, pairs, min(index, other), max(index, other), ALWAYS)


cdef inline int add_entries(const Games *all, size_t first, size_t end, Entries *e) except -1 nogil:
    """Add the games with named players of a range of indexes."""
    cdef const Game *game
    cdef size_t i
    e.count = 0
    reserve(<void **>&e.entries, &e.capacity, end - first, sizeof(Entry))
    for i in range(first, end):
        game = &all.games[i]
        if has_enough_evidence(all, game):
            e.entries[e.count] = Entry(
                roster_hash(game), game.content, game.game_id, <uint32_t>i, game.source
            )
            e.count += 1


cdef inline int pair_equal_line(
    Games *all, Entries *e, size_t first, size_t end, Buckets *pairs
) except -1 nogil:
    """Pair records of several sources among games with equal moves, which are neighbours."""
    cdef size_t i, begin
    cdef bint is_mixed = False
    for i in range(first + 1, end):
        is_mixed = is_mixed or all.games[i].source != all.games[first].source
    if not is_mixed:
        return 0
    add_entries(all, first, end, e)
    sort_few_records(e.entries, e.count, sizeof(Entry), by_roster)
    begin = 0
    for i in range(1, e.count + 1):
        if i == e.count or e.entries[i].roster != e.entries[begin].roster:
            if i - begin > 1:
                pair_roster(all, e, e.entries + begin, i - begin, pairs)
            begin = i


cdef inline int pair_equal_records(
    Games *all, size_t first, size_t end, Buckets *pairs
) except -1 nogil:
    """Pair equal records of several sources: one record of a source with one of each other.

    A range holds whole lines, and the ranges come in order.
    """
    cdef Entries e
    cdef size_t begin = first, i
    memset(&e, 0, sizeof(Entries))
    if all.roster_count == 0:
        add_source(all, 0)                     # index 0 means no roster
    try:
        for i in range(first + 1, end + 1):
            if i < end and are_of_one_line(all, begin, i):
                continue
            if i - begin > 1:
                pair_equal_line(all, &e, begin, i, pairs)
            begin = i
    finally:
        free(e.entries)
        free(e.last_source)
