"""What an earlier search found: its edges, and which games they no longer hold for.

The games of that search are those up to an ID; only new ones have come since. Verdicts are others
for new games, for games whose theory is another through them, and for games with the moves of a
new one: these may be equal records of several sources.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

from copy_game cimport MARK_IS_NEW, MARK_IS_TOUCHED, Game, Games, are_of_one_line, reserve
from copy_numbers cimport BUCKETS
from copy_pairs cimport Edge, Edges, Search
from copy_theory cimport MOST_THEORY, theory_of

cdef enum:
    EDGE_BYTES = 18            # stored: two games by rising ID, score, verdict, rule; little-endian


cdef inline void mark_games(Games *all, int64_t last_id, size_t first, size_t end) noexcept nogil:
    """Mark the games of a range of whole lines, once their theory is known."""
    cdef size_t begin = first
    cdef size_t i, k
    cdef uint8_t marks = 0
    for i in range(first, end + 1):
        if i == end or not are_of_one_line(all, begin, i):
            if marks & MARK_IS_NEW:
                for k in range(begin, i):
                    all.marks[k] |= MARK_IS_TOUCHED
            begin = i
            marks = 0
        if i == end:
            return
        all.marks[i] = mark_of(all, last_id, i)
        marks |= all.marks[i]


cdef inline uint8_t mark_of(const Games *all, int64_t last_id, size_t place) noexcept nogil:
    cdef const Game *game = &all.games[place]
    if game.game_id > last_id:
        return MARK_IS_NEW | MARK_IS_TOUCHED
    if game.theory != min(theory_of(all, all.shared, place, last_id), <uint32_t>MOST_THEORY):
        return MARK_IS_TOUCHED
    return 0


cdef inline bint load_edges(
    Search *s, const uint8_t *stored, size_t count, const uint32_t *places, size_t games
) noexcept nogil:
    """Append stored edges; False if there is no memory, or if a game of one is not there.

    `places`: of the `games` games by rising ID.
    """
    cdef uint32_t pair[2]
    cdef Edge *edge
    cdef size_t _i
    if not reserve(<void **>&s.known.items, &s.known.room, s.known.count + count, sizeof(Edge)):
        return False
    for _i in range(count):
        memcpy(pair, stored, 8)
        if pair[0] >= games or pair[1] >= games or pair[0] == pair[1]:
            return False
        edge = &s.known.items[s.known.count]
        edge.left = min(places[pair[0]], places[pair[1]])
        edge.right = max(places[pair[0]], places[pair[1]])
        memcpy(&edge.score, stored + 8, 8)
        edge.verdict = stored[16]
        edge.rule = stored[17]
        s.known.count += 1
        stored += EDGE_BYTES
    return True


cdef inline void store_edge(
    const Edge *edge, uint32_t left, uint32_t right, uint8_t *out
) noexcept nogil:
    """Write an edge; its games are numbers by rising ID."""
    memcpy(out, &left, 4)
    memcpy(out + 4, &right, 4)
    memcpy(out + 8, &edge.score, 8)
    out[16] = edge.verdict
    out[17] = edge.rule


cdef inline int by_places(const void *a, const void *b) noexcept nogil:
    cdef const Edge *left = <const Edge *>a
    cdef const Edge *right = <const Edge *>b
    if left.left != right.left:
        return -1 if left.left < right.left else 1
    return (left.right > right.right) - (left.right < right.right)


cdef inline void sort_edges(Edges *edges) noexcept nogil:
    """Sort edges by the places of their games: their order owes nothing to threads then."""
    if edges.count:
        qsort(edges.items, edges.count, sizeof(Edge), by_places)


cdef inline bint sort_known(Search *s) noexcept nogil:
    """Sort known edges by number_of(): by the bucket of the later place, then as sort_edges().

    False if there is no memory.
    """
    cdef size_t starts[BUCKETS + 1]
    cdef Edges *known = &s.known
    cdef Edge *sorted_edges
    cdef size_t i, bucket
    if known.count == 0:
        return True
    sorted_edges = <Edge *>malloc(known.count * sizeof(Edge))
    if sorted_edges == NULL:
        return False
    sort_edges(known)
    memset(starts, 0, sizeof(starts))
    for i in range(known.count):
        starts[(known.items[i].right >> s.all.low_bits) + 1] += 1
    for bucket in range(BUCKETS):
        starts[bucket + 1] += starts[bucket]
    for i in range(known.count):
        bucket = known.items[i].right >> s.all.low_bits
        sorted_edges[starts[bucket]] = known.items[i]
        starts[bucket] += 1
    free(known.items)
    known.items = sorted_edges
    known.room = known.count
    return True
