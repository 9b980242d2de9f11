"""Edges of the previous search, and the games for which they are no longer valid.

The previous search had all games up to an ID; only new games have been added since. Verdicts may
change for new games, and for equal records of a new game from several sources. New games also
change the opening theory of games. With more theory a match may become weaker, but no other pair
becomes a match, so only the edges of such a game are judged again. A game with less theory, which
is rare, counts as new.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from blocking_keys cimport (
    INDEX_BITS, KeySet, Keys, add_end_key, add_move_keys, add_player_keys, enter_key, free_keys,
    may_have_key,
)
from candidate_pairs cimport (
    ALWAYS, Edge, Edges, Search, add_candidate, add_edge, have_more_theory, is_paired_in_line,
)
from equal_records cimport roster_hash
from game_record cimport (
    MARK_HAS_CHOSEN_KEY, MARK_HAS_NEW_LINE, MARK_IS_IN_SCOPE, MARK_IS_NEW, MARK_IS_OPEN,
    MARK_IS_TOUCHED, Game, Games, are_of_one_line,
)
from memory cimport allocate, reserve
from sorted_numbers cimport BUCKET_COUNT, Buckets, Numbers, order_of, sort_few_records, sort_records
from web_addresses cimport add_address_keys

cdef enum:
    # Sources of blocking keys: indexes in SOURCES.
    BY_MOVES = 0
    BY_PLAYERS
    BY_ADDRESS

cdef enum:
    EDGE_BYTES = 18            # stored: two games by rising ID, score, verdict, rule; little-endian
    ROSTER_BITS = 12           # of the hash of a roster, to look for it among those of new games


cdef inline void mark_line(Games *all, size_t first, size_t end) noexcept nogil:
    """Mark the games of a mainline that has new games, and equal records of these.

    A few records with another Seven Tag Roster may be marked as equal records. If the first game is
    new and the stored last positions differ, all games are marked, since the first game has
    blocking keys on behalf of all.
    """
    cdef uint64_t[1 << (ROSTER_BITS - 6)] rosters      # of new games: a set of bits
    cdef uint64_t bit
    cdef size_t i
    cdef bint are_all_touched = False
    memset(rosters, 0, sizeof(rosters))
    if all.marks[first] & MARK_IS_NEW:
        for i in range(first, end):
            are_all_touched |= all.games[i].final_key != all.games[first].final_key
    for i in range(first, end):
        all.marks[i] |= MARK_HAS_NEW_LINE
        if all.marks[i] & MARK_IS_NEW or are_all_touched:
            all.marks[i] |= MARK_IS_TOUCHED
            bit = roster_hash(&all.games[i]) >> (64 - ROSTER_BITS)
            rosters[bit >> 6] |= <uint64_t>1 << (bit & 63)
    for i in range(first, end):
        bit = roster_hash(&all.games[i]) >> (64 - ROSTER_BITS)
        if rosters[bit >> 6] >> (bit & 63) & 1:
            all.marks[i] |= MARK_IS_TOUCHED


cdef inline void mark_games(Games *all, int64_t last_id, size_t first, size_t end) noexcept nogil:
    """Mark new games of a range of whole lines, and the games of their mainlines.

    Games whose theory changed are already marked: see find_theory_again().
    """
    cdef size_t begin = first, i
    cdef bint has_new = False
    for i in range(first, end + 1):
        if i == end or not are_of_one_line(all, begin, i):
            if has_new:
                mark_line(all, begin, i)
            begin = i
            has_new = False
        if i == end:
            return
        if all.games[i].game_id > last_id:
            all.marks[i] |= MARK_IS_NEW
            has_new = True


cdef inline bint load_edges(
    Search *s, const uint8_t *stored, size_t count, const uint32_t *sorted_indexes, size_t games
) except -1 nogil:
    """Append stored edges; return False if an edge has an unknown game.

    `sorted_indexes`: by index of rising ID, the index of a game in move order.
    """
    cdef uint32_t pair[2]
    cdef Edge *edge
    cdef size_t _i
    reserve(
        <void **>&s.previous.items, &s.previous.capacity, s.previous.count + count, sizeof(Edge)
    )
    for _i in range(count):
        memcpy(pair, stored, 8)
        if pair[0] >= games or pair[1] >= games or pair[0] == pair[1]:
            return False
        edge = &s.previous.items[s.previous.count]
        edge.left = min(sorted_indexes[pair[0]], sorted_indexes[pair[1]])
        edge.right = max(sorted_indexes[pair[0]], sorted_indexes[pair[1]])
        memcpy(&edge.score, stored + 8, 8)
        edge.verdict = stored[16]
        edge.rule = stored[17]
        s.previous.count += 1
        stored += EDGE_BYTES
    return True


cdef inline void store_edge(
    const Edge *edge, uint32_t left, uint32_t right, uint8_t *out
) noexcept nogil:
    """Write an edge; its games are indexes by rising ID."""
    memcpy(out, &left, 4)
    memcpy(out + 4, &right, 4)
    memcpy(out + 8, &edge.score, 8)
    out[16] = edge.verdict
    out[17] = edge.rule


cdef inline int by_indexes(const void *a, const void *b) noexcept nogil:
    cdef const Edge *left = <const Edge *>a
    cdef const Edge *right = <const Edge *>b
    return order_of(left.left, right.left) or order_of(left.right, right.right)


cdef inline void sort_edges(Edges *edges) noexcept nogil:
    """Sort edges by the indexes of their games, so that their order is independent of threads."""
    cdef size_t first = 0, i
    if edges.count == 0:
        return
    sort_records(
        edges.items, edges.count, sizeof(Edge), &edges.items.left, sizeof(uint32_t), by_indexes
    )
    for i in range(1, edges.count + 1):
        if i == edges.count or edges.items[i].left != edges.items[first].left:
            sort_few_records(edges.items + first, i - first, sizeof(Edge), by_indexes)
            first = i


cdef inline int sort_previous_edges(Search *s) except -1 nogil:
    """Sort previous edges by number_of(): by the bucket of the later game, then as sort_edges()."""
    cdef size_t starts[BUCKET_COUNT + 1]
    cdef Edges *previous = &s.previous
    cdef Edge *sorted_edges
    cdef size_t i, bucket
    if previous.count == 0:
        return 0
    sorted_edges = <Edge *>allocate(previous.count, sizeof(Edge))
    sort_edges(previous)
    memset(starts, 0, sizeof(starts))
    for i in range(previous.count):
        starts[(previous.items[i].right >> s.all.low_bits) + 1] += 1
    for bucket in range(BUCKET_COUNT):
        starts[bucket + 1] += starts[bucket]
    for i in range(previous.count):
        bucket = previous.items[i].right >> s.all.low_bits
        sorted_edges[starts[bucket]] = previous.items[i]
        starts[bucket] += 1
    free(previous.items)
    previous.items = sorted_edges
    previous.capacity = previous.count


# --- which keys are made again ------------------------------------------------------------------

# A key that no touched game has makes the same pairs as in the previous search, and their verdicts
# are stored. So only the keys of touched games are made, but for all games, since the limits of a
# key depend on the number of games that share it. A previous edge stays if its games share none of
# these keys. If they share one, or are of one mainline with a new game, other games may now
# separate them; then all keys that both games have are made and decide.

cdef inline size_t count_touched(const Games *all) noexcept nogil:
    cdef size_t i, touched = 0
    for i in range(all.count):
        touched += all.marks[i] & MARK_IS_TOUCHED != 0
    return touched


cdef inline int add_source_keys(
    const Games *all, size_t first, size_t end, int source, Keys *work
) except -1 nogil:
    """Add the keys of a range of games from one source; `source`: index in SOURCES."""
    if source == BY_ADDRESS:
        return add_address_keys(all, first, end, work)
    if source == BY_PLAYERS:
        return add_player_keys(all, first, end, work)
    return add_move_keys(all, first, end, work)


cdef inline int list_source_keys(
    const Games *all, size_t index, int source, Keys *work
) except -1 nogil:
    """Add the keys of a game from one source; `source`: index in SOURCES."""
    cdef const Game *game = &all.games[index]
    cdef const Game *leader = &all.games[game.line]
    if source == BY_MOVES and not all.is_go and game.final_key != leader.final_key:
        # The first game of the mainline has this key on behalf of all.
        add_end_key(leader, index, work)
    add_source_keys(all, index, index + 1, source, work)


cdef inline int list_keys(const Games *all, size_t index, Keys *work) except -1 nogil:
    cdef int source
    work.listed.count = 0
    for source in range(BY_MOVES, BY_ADDRESS + 1):
        list_source_keys(all, index, source, work)


cdef inline int choose_keys(
    const Games *all, size_t first, size_t end, KeySet *chosen
) except -1 nogil:
    """Add the keys of the touched games of a range."""
    cdef Keys work
    cdef size_t i, k
    memset(&work, 0, sizeof(Keys))
    try:
        for i in range(first, end):
            if all.marks[i] & MARK_IS_TOUCHED:
                list_keys(all, i, &work)
                for k in range(work.listed.count):
                    enter_key(chosen, work.listed.items[k])
    finally:
        free_keys(&work)


cdef inline bint has_key(const Numbers *keys, uint64_t key) noexcept nogil:
    """Return whether a key, ignoring its index, is in a list."""
    cdef size_t i
    for i in range(keys.count):
        if keys.items[i] >> INDEX_BITS == key >> INDEX_BITS:
            return True
    return False


cdef inline bint choose_shared(
    const Numbers *left, const Numbers *right, bint in_any_case, KeySet *chosen
) noexcept nogil:
    """Return whether two games share a key of a set; if so, add all keys that they share.

    `in_any_case`: add them and return True, whether they share one or not.
    """
    cdef bint shares_chosen = in_any_case
    cdef size_t i
    for i in range(left.count):
        if may_have_key(chosen, left.items[i]) and has_key(right, left.items[i]):
            shares_chosen = True
    if shares_chosen:
        for i in range(left.count):
            if has_key(right, left.items[i]):
                enter_key(chosen, left.items[i])
    return shares_chosen


cdef inline bint has_chosen(const Numbers *keys, const KeySet *chosen) noexcept nogil:
    cdef size_t i
    for i in range(keys.count):
        if may_have_key(chosen, keys.items[i]):
            return True
    return False


cdef inline int settle_edges(
    Search *s, size_t first, size_t end, size_t *kept, KeySet *chosen, Edges *settled,
    Buckets *pairs,
) except -1 nogil:
    """Copy previous edges of a range that remain valid.

    Edges that are judged again, and edges that are valid only if their games become candidates
    again, move to the front of the previous edges, after the first `kept`. The former also become
    candidate pairs. Edges of touched games are dropped: all their pairs are judged again.
    """
    cdef const Games *all = s.all
    cdef Edge *edge
    cdef Keys left, right
    cdef bint is_separated                 # by games between them in their mainline
    cdef bint depends_on_keys
    cdef size_t i
    cdef int64_t listed = -1               # the index whose keys `left` holds
    memset(&left, 0, sizeof(Keys))
    memset(&right, 0, sizeof(Keys))
    try:
        for i in range(first, end):
            edge = &s.previous.items[i]
            if (all.marks[edge.left] | all.marks[edge.right]) & MARK_IS_TOUCHED:
                all.marks[edge.left] |= MARK_IS_IN_SCOPE
                all.marks[edge.right] |= MARK_IS_IN_SCOPE
                continue
            depends_on_keys = False
            is_separated = all.marks[edge.left] & MARK_HAS_NEW_LINE and are_of_one_line(
                all, edge.left, edge.right
            )
            if (chosen.count or is_separated) and not is_paired_in_line(
                all, edge.left, edge.right
            ) and (
                all.loaded == NULL or is_separated
                or all.marks[edge.left] & all.marks[edge.right] & MARK_HAS_CHOSEN_KEY
            ):
                if listed != edge.left:
                    list_keys(all, edge.left, &left)
                    listed = edge.left
                if is_separated or has_chosen(&left.listed, chosen):
                    list_keys(all, edge.right, &right)
                    depends_on_keys = choose_shared(
                        &left.listed, &right.listed, is_separated, chosen
                    )
            if depends_on_keys or have_more_theory(all, edge.left, edge.right):
                if not depends_on_keys:
                    add_candidate(all, pairs, edge.left, edge.right, ALWAYS)
                all.marks[edge.left] |= MARK_IS_OPEN
                all.marks[edge.right] |= MARK_IS_OPEN
                s.previous.items[kept[0]] = edge[0]
                kept[0] += 1
            else:
                add_edge(settled, edge.left, edge.right, edge.score, edge.verdict, edge.rule)
    finally:
        free_keys(&left)
        free_keys(&right)
