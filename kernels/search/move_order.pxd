"""Games in move order: a mainline comes right before the mainlines that continue it.

Multikey quicksort (Bentley, Sedgewick 1997) on blocks of four plies: the start position first, then
the moves. Equal games are sorted by the hash of their content, so that the order does not depend on
IDs. Games that begin with the same four plies are a part of the work for one thread.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from game_record cimport (
    LINE_IS_OPEN, Game, Games, ocg_prefetch, prefetch_game, prefetch_moves, shared_start,
    use_large_pages,
)
from memory cimport allocate
from move_distance cimport common_plies
from thresholds cimport MOST_PAIRED

cdef extern from *:
    """
    #include <string.h>
    /* Four moves as one number that sorts as they do, each plus 1. */
    static inline uint64_t ocg_order_of_four(const void *moves) {
        const uint64_t ones = UINT64_C(0x0001000100010001), tops = UINT64_C(0x8000800080008000);
        uint64_t word;
        memcpy(&word, moves, 8);
        word = ((word & ~tops) + ones) ^ (word & tops);
    #if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
        word = word << 32 | word >> 32;
        word = (word & UINT64_C(0x0000FFFF0000FFFF)) << 16
            | (word >> 16 & UINT64_C(0x0000FFFF0000FFFF));
    #endif
        return word;
    }
    """
    uint64_t ocg_order_of_four(const void *moves) nogil

cdef enum:
    SORT_AHEAD = 16            # games whose moves are prefetched for sorting
    MOVE_AHEAD = 6             # games that are prefetched before they are moved
    LINES_AHEAD = 8            # games whose moves are prefetched for comparison
    FEW_ITEMS = 4              # so few games are likely to have many more plies in common
    MOST_CHAINS = 512
    GAMES_A_CHAIN = 8          # at least, on average
    CHAINS_AT_ONCE = 6         # while a game of one is moved, those of the others are prefetched
    CHAIN_BIT = 63             # of SortItem.moves: a chain begins here, its number is the low bits

# A game to sort, with the location of its moves.
ctypedef struct SortItem:
    uint64_t piece
    uint64_t moves
    uint32_t plies
    uint32_t index

# A sort in progress; the first `standard` items have the standard start position.
ctypedef struct Sort:
    SortItem *items
    size_t standard
    Game *aside                # the game at the first index of each chain: see open_chains()
    size_t chains


cdef inline uint64_t piece_at(const Games *all, const SortItem *item, int depth) noexcept nogil:
    """Return four plies as one number, 0 after the end; depth 0 is the start position."""
    cdef const uint16_t *moves
    cdef size_t first = 4 * <size_t>(depth - 1) if depth else 0
    cdef size_t left
    cdef uint64_t piece = 0
    cdef int i
    if depth == 0:
        return all.games[item.index].start
    if first >= item.plies:
        return 0
    moves = all.arena + item.moves + first
    left = item.plies - first
    if left >= 4:
        return ocg_order_of_four(moves)
    for i in range(4):
        piece <<= 16
        if <size_t>i < left:
            piece |= <uint16_t>(moves[i] + 1)
    return piece


cdef inline void sort_pieces(SortItem *items, size_t count) noexcept nogil:
    """Sort by blocks: three-way quicksort, the longest part last, insertion for a few."""
    cdef size_t low, at, high, i, k
    cdef uint64_t pivot, a, b, c
    cdef SortItem item
    while count > 12:
        a = items[0].piece
        b = items[count // 2].piece
        c = items[count - 1].piece
        pivot = max(min(a, b), min(max(a, b), c))
        low = at = 0
        high = count
        while at < high:
            if items[at].piece < pivot:
                item = items[at]
                items[at] = items[low]
                items[low] = item
                low += 1
                at += 1
            elif items[at].piece > pivot:
                high -= 1
                item = items[at]
                items[at] = items[high]
                items[high] = item
            else:
                at += 1
        if low < count - high:
            sort_pieces(items, low)
            items += high
            count -= high
        else:
            sort_pieces(items + high, count - high)
            count = low
    for i in range(1, count):
        item = items[i]
        k = i
        while k and items[k - 1].piece > item.piece:
            items[k] = items[k - 1]
            k -= 1
        items[k] = item


cdef inline int first_difference(
    const Games *all, const SortItem *items, size_t count, int depth
) noexcept nogil:
    """Return the depth at which games differ whose blocks before `depth` are equal."""
    cdef size_t ply = 4 * <size_t>(depth - 1)
    cdef int shared = <int>items[0].plies - <int>ply
    cdef size_t i
    for i in range(1, count):
        if shared < 4:
            return depth
        shared = common_plies(
            all.arena + items[0].moves + ply, shared,
            all.arena + items[i].moves + ply, <int>items[i].plies - <int>ply,
        )
    return depth + shared // 4


cdef inline void sort_run(
    const Games *all, SortItem *items, size_t count, int depth
) noexcept nogil:
    """Sort games whose blocks before `depth` are equal."""
    cdef size_t i, first
    cdef bint was_equal = False
    while count > 1:
        if depth and (was_equal or count <= FEW_ITEMS):
            depth = first_difference(all, items, count, depth)
        for i in range(count):
            if depth and i + SORT_AHEAD < count:
                ocg_prefetch(all.arena + items[i + SORT_AHEAD].moves + 4 * (depth - 1))
            items[i].piece = piece_at(all, &items[i], depth)
        sort_pieces(items, count)
        first = 0
        for i in range(1, count + 1):
            if i < count and items[i].piece == items[first].piece:
                continue
            if first == 0 and i == count:
                break                      # one run: iterate instead of recursing
            if i - first > 1:
                sort_end(all, items + first, i - first, depth)
            first = i
        if first:
            return
        if depth and not items[0].piece & 0xFFFF:
            sort_content(all, items, count)
            return
        depth += 1
        was_equal = True


cdef inline void sort_end(
    const Games *all, SortItem *items, size_t count, int depth
) noexcept nogil:
    """Sort games with equal blocks by the next blocks, or by content if the games end."""
    if depth and not items[0].piece & 0xFFFF:
        sort_content(all, items, count)
    else:
        sort_run(all, items, count, depth + 1)


cdef inline void sort_content(const Games *all, SortItem *items, size_t count) noexcept nogil:
    """Sort equal games by content, and records with equal contents by ID."""
    cdef size_t first = 0, i, k
    for i in range(count):
        items[i].piece = all.games[items[i].index].content
    sort_pieces(items, count)
    for i in range(1, count + 1):
        if i < count and items[i].piece == items[first].piece:
            continue
        if i - first > 1:
            for k in range(first, i):
                items[k].piece = <uint64_t>all.games[items[k].index].game_id
            sort_pieces(items + first, i - first)
        first = i


cdef inline bint same_moves(const Games *all, const Game *a, const Game *b) noexcept nogil:
    return a.plies == b.plies and a.start == b.start and shared_start(all, a, b) == <int>a.plies


cdef inline size_t open_chains(const Games *all, Sort *sort) noexcept nogil:
    """Divide the permutation that sorts the games into chains; return how many, perhaps none.

    A chain leads from an index to the index at which its game is now, and so on. It ends before the
    first index of any chain. So chains write to no common memory except these first indexes, whose
    games are set aside.
    """
    cdef size_t chain, index
    sort.chains = min(<size_t>MOST_CHAINS, all.count // GAMES_A_CHAIN)
    sort.aside = <Game *>malloc((sort.chains + 1) * sizeof(Game))
    if sort.aside == NULL:
        sort.chains = 0
    for chain in range(sort.chains):
        index = all.count * chain // sort.chains
        sort.aside[chain] = all.games[index]
        sort.items[index].moves = <uint64_t>1 << CHAIN_BIT | chain
    return sort.chains


cdef inline void move_chains(Games *all, Sort *sort, size_t first, size_t end) noexcept nogil:
    """Move the games of a range of chains to their indexes."""
    cdef SortItem *items = sort.items
    cdef size_t[CHAINS_AT_ONCE] indexes
    cdef size_t count = 0, i = 0, index, source
    while True:
        while count < CHAINS_AT_ONCE and first < end:
            indexes[count] = all.count * first // sort.chains
            count += 1
            first += 1
        if count == 0:
            return
        i = i + 1 if i + 1 < count else 0
        index = indexes[i]
        source = items[index].index
        items[index].index = <uint32_t>index
        if items[source].moves >> CHAIN_BIT:
            all.games[index] = sort.aside[<uint32_t>items[source].moves]
            count -= 1
            indexes[i] = indexes[count]
            continue
        all.games[index] = all.games[source]
        indexes[i] = source
        prefetch_game(&all.games[items[source].index])
        ocg_prefetch(&items[items[source].index])


cdef inline void put_in_order(Game *games, SortItem *items, size_t count) noexcept nogil:
    """Move the games that are in no chain to their indexes, along the cycles of the permutation."""
    cdef size_t i, at, source, ahead
    cdef Game displaced
    cdef int _step
    for i in range(count):
        if items[i].index == i:
            continue
        displaced = games[i]
        at = i
        source = ahead = items[at].index
        for _step in range(MOVE_AHEAD):
            ahead = items[ahead].index
        while source != i:
            ahead = items[ahead].index
            prefetch_game(&games[ahead])
            games[at] = games[source]
            items[at].index = <uint32_t>at
            at = source
            source = items[at].index
        games[at] = displaced
        items[at].index = <uint32_t>at


cdef inline int open_sort(const Games *all, Sort *sort) except -1 nogil:
    """List all games by start position, those of the standard one by their first four plies."""
    cdef SortItem *items = <SortItem *>allocate(all.count, sizeof(SortItem))
    cdef size_t i
    sort.items = items
    sort.aside = NULL
    use_large_pages(items, all.count * sizeof(SortItem))
    for i in range(all.count):
        items[i].index = <uint32_t>i
        items[i].moves = all.games[i].moves
        items[i].plies = all.games[i].plies
        items[i].piece = all.games[i].start
    sort_pieces(items, all.count)
    sort.standard = 0
    while sort.standard < all.count and items[sort.standard].piece == 0:
        sort.standard += 1
    for i in range(sort.standard):
        if i + SORT_AHEAD < sort.standard:
            ocg_prefetch(all.arena + items[i + SORT_AHEAD].moves)
        items[i].piece = piece_at(all, &items[i], 1)
    sort_pieces(items, sort.standard)


cdef inline size_t start_of_part(const Sort *sort, size_t at) noexcept nogil:
    """Return the first index from `at` on where an opening begins, at most `standard`."""
    while 0 < at < sort.standard and sort.items[at].piece == sort.items[at - 1].piece:
        at += 1
    return min(at, sort.standard)


cdef inline void sort_part(
    const Games *all, const Sort *sort, size_t first, size_t end
) noexcept nogil:
    """Sort the items of a part, whose bounds are results of start_of_part() or the ends.

    Parts share no memory that is written, so threads can sort them at the same time.
    """
    cdef size_t standard = min(end, sort.standard)
    cdef size_t i
    for i in range(first + 1, standard + 1):
        if i < standard and sort.items[i].piece == sort.items[first].piece:
            continue
        if i - first > 1:
            sort_end(all, sort.items + first, i - first, 1)
        first = i
    if first < end:
        sort_run(all, sort.items + first, end - first, 0)


cdef inline void free_sort(Sort *sort) noexcept nogil:
    free(sort.items)
    free(sort.aside)
    sort.items = NULL
    sort.aside = NULL


cdef inline void close_sort(Games *all, Sort *sort) noexcept nogil:
    """Put the games in the order of the sorted items, after those of the chains."""
    put_in_order(all.games, sort.items, all.count)
    free_sort(sort)


cdef inline int sort_games(Games *all) except -1 nogil:
    cdef Sort sort
    open_sort(all, &sort)
    sort_part(all, &sort, 0, all.count)
    move_chains(all, &sort, 0, open_chains(all, &sort))
    close_sort(all, &sort)


cdef inline size_t copy_moves(
    Games *all, uint16_t *arena, size_t at, size_t first, size_t end
) noexcept nogil:
    """Copy the moves of sorted games to `arena` from index `at` on, in the order of the games.

    Moves equal to those of the previous game are not copied again. Other ranges are not read.
    Return the index after the copies.
    """
    cdef Game *game = NULL
    cdef Game *before = NULL
    cdef const uint16_t *moves
    cdef size_t i
    for i in range(first, end):
        if i + LINES_AHEAD < end:
            prefetch_moves(all, &all.games[i + LINES_AHEAD])
        before = game
        game = &all.games[i]
        moves = all.arena + game.moves
        if before != NULL and before.plies == game.plies and common_plies(
            arena + before.moves, <int>game.plies, moves, <int>game.plies
        ) == <int>game.plies:
            game.moves = before.moves
            continue
        memcpy(arena + at, moves, 2 * <size_t>game.plies)
        game.moves = at
        at += game.plies
    return at


cdef inline size_t start_of_line(const Games *all, size_t index) noexcept nogil:
    """Return the start of the first mainline that does not start before `index`."""
    while 0 < index < all.count and same_moves(all, &all.games[index - 1], &all.games[index]):
        index += 1
    return min(index, all.count)


cdef inline void find_lines(Games *all, size_t first, size_t end) noexcept nogil:
    """Number the mainlines of a range that holds whole lines."""
    cdef size_t begin = first, i, k
    cdef uint32_t line
    for i in range(first + 1, end + 1):
        if i + LINES_AHEAD < all.count:
            prefetch_moves(all, &all.games[i + LINES_AHEAD])
        if i < end and same_moves(all, &all.games[i - 1], &all.games[i]):
            continue
        line = <uint32_t>begin
        if i - begin > MOST_PAIRED or all.games[begin].plies == 0:
            line |= LINE_IS_OPEN
        for k in range(begin, i):
            all.lines[k] = line
            all.games[k].line = <uint32_t>begin
        begin = i
