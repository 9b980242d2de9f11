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
from game_record cimport NO_NAME, Game, Games, are_of_one_line, is_somebody, joined, reserve
from sorted_numbers cimport Buckets, sort_few_records

ctypedef struct Entry:
    uint64_t roster            # hash of the Seven Tag Roster
    uint64_t content
    int64_t game_id            # tie-breaker between records with equal contents in one source
    uint32_t place
    uint16_t source

ctypedef struct Entries:
    Entry *entries             # of games with equal moves
    size_t count
    size_t room
    uint32_t *last_source            # by rank: number of the last source with a record of this rank
    size_t last_source_room
    uint32_t sources           # sources of a roster that have been ranked


cdef inline bint has_players(const Games *all, const Game *game) noexcept nogil:
    """Return whether both players are named and are two different players."""
    return (
        is_somebody(all, game.names[0]) and is_somebody(all, game.names[1])
        and game.names[0] != game.names[1]
    )


cdef inline uint64_t roster_hash(const Game *game) noexcept nogil:
    """Return a hash of the Seven Tag Roster as written; equal texts have equal places."""
    cdef uint64_t key = joined(game.written, game.names[0])
    key = joined(key, game.names[1])
    key = joined(key, game.event)
    return joined(key, game.site)


cdef inline bint may_be_known(const Games *all, const Game *game) noexcept nogil:
    """Return whether a record has more than two names: moves, a day, a round or an event."""
    if not has_players(all, game):
        return False
    if game.plies or game.date & 31 or game.round:
        return True
    return game.event != NO_NAME and all.events[game.event].key != 0


cdef inline int by_roster(const void *a, const void *b) noexcept nogil:
    cdef const Entry *left = <const Entry *>a
    cdef const Entry *right = <const Entry *>b
    if left.roster != right.roster:
        return -1 if left.roster < right.roster else 1
    if left.source != right.source:
        return -1 if left.source < right.source else 1
    if left.content != right.content:
        return -1 if left.content < right.content else 1
    return (left.game_id > right.game_id) - (left.game_id < right.game_id)


cdef inline size_t end_of_source(const Entry *entries, size_t first, size_t count) noexcept nogil:
    cdef size_t last = first
    while last < count and entries[last].source == entries[first].source:
        last += 1
    return last


cdef inline bint add_source(Games *all, uint16_t source) noexcept nogil:
    if not reserve(
        <void **>&all.roster_sources, &all.roster_room, all.roster_count + 1, sizeof(uint16_t)
    ):
        return False
    all.roster_sources[all.roster_count] = source
    all.roster_count += 1
    return True


cdef inline bint add_roster(Games *all, const Entry *entries, size_t count) noexcept nogil:
    """Store which sources have an equal record; return False if out of memory."""
    cdef size_t start = all.roster_count
    cdef uint16_t sources = 0
    cdef size_t first = 0
    cdef size_t i
    if not add_source(all, 0):
        return False
    while first < count:
        if not add_source(all, entries[first].source):
            return False
        sources += 1
        first = end_of_source(entries, first, count)
    all.roster_sources[start] = sources
    for i in range(count):
        all.games[entries[i].place].roster = <uint32_t>start
    return True


cdef inline void largest_source(
    const Entry *entries, size_t count, size_t *first, size_t *last
) noexcept nogil:
    """Find the source with the most records; ties go to the least first content."""
    cdef size_t begin = 0
    cdef size_t end
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
        game = &all.games[records[i].place]
        game.rank = ranks
        while rank < ranks and model[rank].content < records[i].content:
            rank += 1
        if rank < ranks and model[rank].content == records[i].content:
            game.rank = rank
            e.last_source[rank] = e.sources
            rank += 1
    rank = 0
    for i in range(count):
        game = &all.games[records[i].place]
        if game.rank < ranks:
            continue
        while e.last_source[rank] == e.sources:      # ends: no source has more than `model`
            rank += 1
        game.rank = rank
        rank += 1


cdef inline bint reserve_ranks(Entries *e, size_t ranks) noexcept nogil:
    """Reserve cleared marks for `ranks` ranks."""
    if not reserve(<void **>&e.last_source, &e.last_source_room, ranks, sizeof(uint32_t)):
        return False
    if ranks:
        memset(e.last_source, 0, ranks * sizeof(uint32_t))
    e.sources = 0
    return True


cdef inline bint pair_roster(
    Games *all, Entries *e, const Entry *records, size_t count, Buckets *pairs
) noexcept nogil:
    """Rank the records of one roster and pair equal ranks; return False if out of memory."""
    cdef size_t largest, end, first, i
    cdef uint32_t place, other
    if records[0].source == records[count - 1].source:
        return True
    largest_source(records, count, &largest, &end)
    if not add_roster(all, records, count) or not reserve_ranks(e, end - largest):
        return False
    first = 0
    while first < count:
        i = end_of_source(records, first, count)
        rank_source(
            all, e, records + largest, <uint32_t>(end - largest), records + first, i - first
        )
        first = i
    for i in range(count):
        if not largest <= i < end:
            place = records[i].place
            other = records[largest + all.games[place].rank].place
            if not add_candidate(all, pairs, min(place, other), max(place, other), ALWAYS):
                return False
    return True


cdef inline bint add_entries(
    const Games *all, size_t first, size_t end, Entries *e
) noexcept nogil:
    """Add the games with named players of a range of places; return False if out of memory."""
    cdef const Game *game
    cdef size_t i
    e.count = 0
    if not reserve(<void **>&e.entries, &e.room, end - first, sizeof(Entry)):
        return False
    for i in range(first, end):
        game = &all.games[i]
        if may_be_known(all, game):
            e.entries[e.count].roster = roster_hash(game)
            e.entries[e.count].content = game.content
            e.entries[e.count].game_id = game.game_id
            e.entries[e.count].place = <uint32_t>i
            e.entries[e.count].source = game.source
            e.count += 1
    return True


cdef inline bint pair_equal_line(
    Games *all, Entries *e, size_t first, size_t end, Buckets *pairs
) noexcept nogil:
    """Pair records of several sources among games with equal moves, which are neighbours."""
    cdef size_t i, begin
    cdef bint is_mixed = False
    for i in range(first + 1, end):
        is_mixed = is_mixed or all.games[i].source != all.games[first].source
    if not is_mixed:
        return True
    if not add_entries(all, first, end, e):
        return False
    sort_few_records(e.entries, e.count, sizeof(Entry), by_roster)
    begin = 0
    for i in range(1, e.count + 1):
        if i == e.count or e.entries[i].roster != e.entries[begin].roster:
            if i - begin > 1 and not pair_roster(all, e, e.entries + begin, i - begin, pairs):
                return False
            begin = i
    return True


cdef inline bint pair_equal_records(
    Games *all, size_t first, size_t end, Buckets *pairs
) noexcept nogil:
    """Pair equal records of several sources: one record of a source with one of each other.

    A range holds whole lines, and the ranges come in order. Return False if out of memory.
    """
    cdef Entries e
    cdef size_t begin = first
    cdef size_t i
    cdef bint ok = True
    memset(&e, 0, sizeof(Entries))
    if all.roster_count == 0:
        ok = add_source(all, 0)                # place 0 means no roster
    for i in range(first + 1, end + 1):
        if i < end and are_of_one_line(all, begin, i):
            continue
        if ok and i - begin > 1:
            ok = pair_equal_line(all, &e, begin, i, pairs)
        begin = i
    free(e.entries)
    free(e.last_source)
    return ok
