"""Similarity of two mainlines: common ends, edit distance, Jaro-Winkler, Monge-Elkan.

A mainline is an array of stored moves (docs/file-format.md) and its number of plies. Only
Monge-Elkan interprets moves, as origin and target square. Nothing is allocated on the heap; arrays
on the stack take 25 kB at most. Buffers need not be aligned, since moves are loaded by memcpy. The
byte order of the host matters only for the order of moves in a word and for squares.

Callers must not exceed MOST_PLIES, so that sums of plies fit into an int.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from chess_types cimport stored_move
from thresholds cimport MOST_EDITS, PREFIX_PLIES, REACH

cdef extern from *:
    """
    #include "compiler.h"
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define ocg_first_move(word) ((63 - OCG_HIGHEST_BIT(word)) >> 4)
    #define ocg_last_move(word) (OCG_LOWEST_BIT(word) >> 4)
    #else
    #define ocg_first_move(word) (OCG_LOWEST_BIT(word) >> 4)
    #define ocg_last_move(word) ((63 - OCG_HIGHEST_BIT(word)) >> 4)
    #endif
    #define ocg_lowest_bit(word) OCG_LOWEST_BIT(word)
    """
    # In a word of four moves that is not 0: number of moves before the first, after the last set
    # one.
    int ocg_first_move(uint64_t word) nogil
    int ocg_last_move(uint64_t word) nogil
    int ocg_lowest_bit(uint64_t word) nogil

cdef enum:
    MOST_PLIES = 1 << 20   # of a mainline; chess games end after 17,697 (FIDE Laws 9.6.2)
    INDEXED_PLIES = 2048   # longer games take slower algorithms with the same results
    INDEXED_WORDS = 32     # 64-bit words, one bit per ply; Cython makes no constant of a "//"
    SLOTS = 4096           # a power of two, at least twice INDEXED_PLIES
    NO_PLY = 0xFFFF
    ORIGIN = 0x003F        # bits of a move
    TARGET = 0x0FC0


# --- shared ends --------------------------------------------------------------------------------

cdef inline uint16_t move_at(const uint16_t *moves, int ply) noexcept nogil:
    cdef uint16_t move
    memcpy(&move, <const uint8_t *>(moves + ply), 2)
    return move


cdef inline uint64_t four_moves(const uint16_t *moves, int ply) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, <const uint8_t *>(moves + ply), 8)
    return word


cdef inline int equal_plies(
    const uint16_t *a, int i, const uint16_t *b, int j, int plies
) noexcept nogil:
    """Return the number of equal moves from a[i] and b[j] on, at most `plies` (0 if < 0)."""
    cdef int equal = 0
    cdef uint64_t difference
    while equal + 4 <= plies:
        difference = four_moves(a, i + equal) ^ four_moves(b, j + equal)
        if difference:
            return equal + ocg_first_move(difference)
        equal += 4
    while equal < plies and move_at(a, i + equal) == move_at(b, j + equal):
        equal += 1
    return equal


cdef inline int common_plies(const uint16_t *a, int la, const uint16_t *b, int lb) noexcept nogil:
    """Return the number of leading plies that two mainlines share."""
    return equal_plies(a, 0, b, 0, la if la < lb else lb)


cdef inline int common_tail(const uint16_t *a, int la, const uint16_t *b, int lb) noexcept nogil:
    """Return how many trailing plies two mainlines share; these may overlap the leading ones."""
    cdef int plies = la if la < lb else lb
    cdef int equal = 0
    cdef uint64_t difference
    while equal + 4 <= plies:
        difference = four_moves(a, la - equal - 4) ^ four_moves(b, lb - equal - 4)
        if difference:
            return equal + ocg_last_move(difference)
        equal += 4
    while equal < plies and move_at(a, la - equal - 1) == move_at(b, lb - equal - 1):
        equal += 1
    return equal


# --- insertions and deletions -------------------------------------------------------------------
#
# Myers, "An O(N*D) difference algorithm and its variations" (1986). Diagonal k holds the points at
# which i plies of a and i - k plies of b are consumed. After round d, furthest[k] is the largest i
# that d edits can reach on k. It may lie one past the end of a or b; no path leads back from there,
# and it is too large only where it hides no shorter path to the end.

cdef inline void next_round(
    int *furthest, int edits, int low, int high,
    const uint16_t *a, int la, const uint16_t *b, int lb,
) noexcept nogil:
    """Apply one more edit on the diagonals low, low + 2 .. high, then follow all equal moves.

    Both limits have the parity of `edits` and lie within -edits .. edits.
    """
    cdef int k, i, left
    furthest[-edits - 1] = -1
    furthest[edits + 1] = -1
    for k in range(low, high + 1, 2):
        i = furthest[k - 1] + 1            # delete a ply of a
        if furthest[k + 1] > i:
            i = furthest[k + 1]            # insert a ply of b
        left = la - i
        if lb - (i - k) < left:
            left = lb - (i - k)
        furthest[k] = i + equal_plies(a, i, b, i - k, left)


cdef inline int indel_within(
    const uint16_t *a, int la, const uint16_t *b, int lb, int most
) noexcept nogil:
    """Return the least number of insertions plus deletions that turn a into b; at most most + 1.

    A replaced move counts 2, two exchanged moves of a player 4. `most` is 0 to MOST_EDITS; larger
    values are reduced to that.
    """
    cdef int[2 * MOST_EDITS + 3] reached
    cdef int *furthest = reached + (MOST_EDITS + 1)
    cdef int end = la - lb             # the diagonal on which both are consumed
    cdef int edits, low, high, limit
    most = most if most < MOST_EDITS else MOST_EDITS
    if end > most or -end > most:
        return most + 1
    limit = most - ((most - end) & 1)  # the distance has the parity of la + lb
    for edits in range(limit + 1):
        # From other diagonals the remaining edits cannot reach the end.
        low = end - (limit - edits)
        high = end + (limit - edits)
        next_round(
            furthest, edits, low if low > -edits else -edits, high if high < edits else edits,
            a, la, b, lb,
        )
        # The end diagonal is reached in this round only if it has the parity of the edits.
        if -edits <= end <= edits and not (edits - end) & 1 and furthest[end] >= la:
            return edits
    return most + 1


cdef inline int prefix_indel_within(
    const uint16_t *a, int la, const uint16_t *b, int lb, int most, int *matched
) noexcept nogil:
    """Return the least number of insertions plus deletions between a and any prefix of b.

    `matched` is set to the plies of that prefix: of several at the same distance the longest, which
    shares the longest subsequence with a. If the distance exceeds `most` (0 to MOST_EDITS, larger
    values are reduced), return most + 1 and set `matched` to 0.
    """
    cdef int[2 * MOST_EDITS + 3] reached
    cdef int *furthest = reached + (MOST_EDITS + 1)
    cdef int edits, low, k
    most = most if most < MOST_EDITS else MOST_EDITS
    matched[0] = 0
    if la - lb > most:
        return most + 1
    for edits in range(most + 1):
        # Prefixes end on diagonals from la - lb on; from below, edits must lead back up.
        low = la - lb - (most - edits)
        low = low + ((low - edits) & 1) if low > -edits else -edits
        next_round(furthest, edits, low, edits, a, la, b, lb)
        for k in range(low, edits + 1, 2):
            # Points past the end of b come from (la, lb) or later, so a prefix is found before
            # them.
            if furthest[k] >= la:
                matched[0] = la - k
                return edits
    return most + 1


# --- index of moves -----------------------------------------------------------------------------

ctypedef struct MoveIndex:             # plies of each move of a mainline, ascending
    uint16_t slots[SLOTS]              # 1 + the last ply of a move, which identifies the move
    uint16_t first[INDEXED_PLIES]      # by that last ply: first ply not consumed yet
    uint16_t further[INDEXED_PLIES]    # by ply: next ply of the same move, or NO_PLY
    int mask                           # slots in use less 1
    int shift                          # shift that leaves as many hash bits as the mask has


cdef inline int find_slot(const MoveIndex *index, const uint16_t *a, uint16_t move) noexcept nogil:
    """Return the slot of a move, or the empty slot where it belongs."""
    # Fibonacci hashing (Knuth, vol. 3, 6.4) spreads neighbouring squares.
    cdef int slot = <uint16_t>(move * 40503u) >> index.shift
    while index.slots[slot] and move_at(a, index.slots[slot] - 1) != move:
        slot = (slot + 1) & index.mask
    return slot


cdef inline void index_moves(MoveIndex *index, const uint16_t *a, int la) noexcept nogil:
    """Index a mainline of at most INDEXED_PLIES; `a` must outlive the index."""
    cdef int ply, slot, last, slots = 64
    index.shift = 10
    while slots < 2 * la:
        slots *= 2
        index.shift -= 1
    index.mask = slots - 1
    memset(index.slots, 0, slots * sizeof(uint16_t))
    for ply in range(la - 1, -1, -1):
        slot = find_slot(index, a, move_at(a, ply))
        if index.slots[slot] == 0:
            index.slots[slot] = <uint16_t>(ply + 1)
            index.further[ply] = NO_PLY
            index.first[ply] = <uint16_t>ply
        else:
            last = index.slots[slot] - 1
            index.further[ply] = index.first[last]
            index.first[last] = <uint16_t>ply


cdef inline uint16_t *first_ply_from(
    MoveIndex *index, const uint16_t *a, uint16_t move, int from_ply
) noexcept nogil:
    """Return a pointer to the first ply of a move that is not before `from_ply`.

    Earlier plies are dropped, so the next call for the move must not need them. Return NULL if the
    mainline does not have the move. The value is NO_PLY if no more plies are left.
    """
    cdef int slot = find_slot(index, a, move)
    cdef uint16_t *first
    if index.slots[slot] == 0:
        return NULL
    first = &index.first[index.slots[slot] - 1]
    while first[0] != NO_PLY and first[0] < from_ply:
        first[0] = index.further[first[0]]
    return first


# --- Jaro-Winkler -------------------------------------------------------------------------------

ctypedef struct JaroCount:
    int common                         # pairs of equal moves, no further apart than the window
    int out_of_order                   # how many of them differ when both sides are aligned


cdef inline JaroCount jaro_by_index(
    const uint16_t *a, int la, const uint16_t *b, int lb, int window
) noexcept nogil:
    """Count for Jaro; a has at most INDEXED_PLIES."""
    cdef MoveIndex index
    cdef uint16_t[INDEXED_PLIES] order  # common moves, in the order of b
    cdef uint64_t[INDEXED_WORDS] common
    cdef int words = (la + 63) >> 6
    cdef JaroCount count
    cdef int j, ply, last = la - 1
    cdef uint16_t *first
    count.common = 0
    count.out_of_order = 0
    memset(common, 0, words * sizeof(uint64_t))
    index_moves(&index, a, la)
    for j in range(lb if lb < la + window else la + window):
        first = first_ply_from(&index, a, move_at(b, j), j - window)
        if first == NULL:
            continue
        ply = first[0]
        if ply <= (j + window if j + window < last else last):
            first[0] = index.further[ply]
            common[ply >> 6] |= <uint64_t>1 << (ply & 63)
            order[count.common] = move_at(b, j)
            count.common += 1
    ply = 0
    for j in range(words):
        while common[j]:
            count.out_of_order += move_at(a, 64 * j + ocg_lowest_bit(common[j])) != order[ply]
            common[j] &= common[j] - 1
            ply += 1
    return count


cdef inline bint is_paired(
    const uint16_t *a, int la, const uint16_t *b, int lb, int window, int ply
) noexcept nogil:
    """Return whether Jaro pairs a[ply] with a move of b.

    Jaro pairs each move of b with the first equal and free move of a within the window. For a
    single move this is one walk along its plies in both, and the same walk from b.
    """
    cdef uint16_t move = move_at(a, ply)
    cdef int i = 0, j = 0
    while True:
        while move_at(a, i) != move:   # ends at `ply`
            i += 1
        while j < lb and move_at(b, j) != move:
            j += 1
        if j == lb:
            return False
        if j + window < i:
            j += 1
        elif i == ply:
            return i + window >= j
        else:
            j += i + window >= j
            i += 1


cdef inline JaroCount jaro_by_search(
    const uint16_t *a, int la, const uint16_t *b, int lb, int window
) noexcept nogil:
    """Count for Jaro without an index, in quadratic time."""
    cdef JaroCount count
    cdef int i, j = -1
    count.common = 0
    count.out_of_order = 0
    for i in range(la):
        if is_paired(a, la, b, lb, window, i):
            j += 1
            while not is_paired(b, lb, a, la, window, j):    # b has as many as a
                j += 1
            count.common += 1
            count.out_of_order += move_at(a, i) != move_at(b, j)
    return count


cdef inline double jaro(const uint16_t *a, int la, const uint16_t *b, int lb) noexcept nogil:
    """Return the Jaro similarity (1989) of two mainlines, 1.0 if both are empty."""
    cdef JaroCount count
    cdef int shared, window
    cdef double common
    if la > lb:
        a, la, b, lb = b, lb, a, la
    if la == 0:
        return lb == 0
    window = lb // 2 - 1 if lb > 3 else 0
    shared = common_plies(a, la, b, lb)   # Jaro pairs these with each other
    if la - shared <= INDEXED_PLIES:
        count = jaro_by_index(a + shared, la - shared, b + shared, lb - shared, window)
    else:
        count = jaro_by_search(a + shared, la - shared, b + shared, lb - shared, window)
    common = count.common + shared
    if common == 0:
        return 0.0
    # Half of an odd number is rounded down, as in rapidfuzz and Winkler's strcmp95.
    return (common / la + common / lb + (common - count.out_of_order // 2) / common) / 3.0


cdef inline double jaro_winkler(
    const uint16_t *a, int la, const uint16_t *b, int lb
) noexcept nogil:
    """Return the Jaro-Winkler similarity (1990) of two mainlines (moves for letters), 0.0 to 1.0.

    Above 0.7, a tenth of the remaining distance is added for each of the first four common plies.
    If more than INDEXED_PLIES of both remain after the common opening, the time is quadratic.
    """
    cdef double similarity = jaro(a, la, b, lb)
    cdef int shared
    if similarity > 0.7:
        shared = common_plies(a, la, b, lb)
        shared = shared if shared < PREFIX_PLIES else PREFIX_PLIES
        similarity += shared * 0.1 * (1.0 - similarity)
    return similarity if similarity < 1.0 else 1.0


# --- Monge-Elkan --------------------------------------------------------------------------------

cdef inline int best_similarity(
    int move, const uint16_t *b, int from_ply, int to_ply
) noexcept nogil:
    """Return 2 if `move` is between two plies, 1 if a move with an equal square is, else 0."""
    cdef int best = 0, j, difference
    for j in range(from_ply, to_ply):
        difference = move ^ stored_move(<const uint8_t *>b, j)
        if difference == 0:
            return 2
        best |= not difference & ORIGIN or not difference & TARGET
    return best


cdef inline double mean_similarity(
    const uint16_t *a, int la, const uint16_t *b, int lb
) noexcept nogil:
    cdef int total = 0, i
    for i in range(la if la < lb + REACH else lb + REACH):
        total += best_similarity(
            stored_move(<const uint8_t *>a, i), b, i - REACH if i > REACH else 0,
            i + REACH + 1 if i + REACH < lb else lb,
        )
    return total / (2.0 * la)


cdef inline double monge_elkan(const uint16_t *a, int la, const uint16_t *b, int lb) noexcept nogil:
    """Return the Monge-Elkan similarity (1996) of two mainlines (moves for words), 0.0 to 1.0.

    From one side: the mean over its plies i of the best similarity to plies i - REACH .. i + REACH
    of the other side. Equal moves count 1, moves with an equal origin or target square 0.5, others
    and missing plies 0. The result is the mean of both sides: 1.0 for two empty mainlines, 0.0 if
    one is empty.
    """
    if la == 0 or lb == 0:
        return la == lb
    return (mean_similarity(a, la, b, lb) + mean_similarity(b, lb, a, la)) / 2.0
