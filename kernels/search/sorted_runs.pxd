"""Sorted runs of games, for collections larger than memory: written, searched, read again.

A run is two arrays: records, and moves in the order of the records. The caller handles files.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from equal_records cimport roster_hash
from game_record cimport NO_NAME, Game, Games, index_of_id, moves_of, shared_start
from memory cimport reserve
from move_order cimport same_moves
from sorted_numbers cimport order_of
from thresholds cimport MOST_NEIGHBOURS

cdef inline uint64_t piece_of(const Games *all, const Game *game, size_t ply) noexcept nogil:
    """Return the sort key of a ply; 0 after the last one."""
    return <uint16_t>(moves_of(all, game)[ply] + 1) if ply < game.plies else 0


cdef inline int compare_games(
    const Games *all, const Game *a, const Games *others, const Game *b
) noexcept nogil:
    """Compare two games of two batches by start, moves, content and ID, as sort_games() does."""
    cdef size_t ply = 0
    if a.start != b.start:
        return order_of(a.start, b.start)
    while ply < a.plies and ply < b.plies and moves_of(all, a)[ply] == moves_of(others, b)[ply]:
        ply += 1
    return (
        order_of(piece_of(all, a, ply), piece_of(others, b, ply)) or order_of(a.content, b.content)
        or order_of(<uint64_t>a.game_id, <uint64_t>b.game_id)
    )


cdef inline size_t bound_in_run(
    const Games *run, const Games *samples, const Game *splitter
) noexcept nogil:
    """Return the number of games in a sorted run that come before another game."""
    cdef size_t low = 0, high = run.count, middle
    while low < high:
        middle = (low + high) >> 1
        if compare_games(run, &run.games[middle], samples, splitter) < 0:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline void borrow_texts(Games *part, const Games *all) noexcept nogil:
    """Let a batch without games use the players, events and sites of another."""
    part[0] = all[0]
    part.games = NULL
    part.arena = part.shared = part.roster_sources = NULL
    part.lines = part.ends = NULL
    part.summaries = NULL
    part.marks = part.reach = part.loaded = NULL
    part.rows = NULL
    part.count = part.capacity = part.moves = part.moves_capacity = part.longest = 0
    part.roster_count = part.roster_capacity = 0
    part.has_own_texts = part.is_mapped = False


cdef inline int append_games(
    Games *to, const Games *source, size_t first, size_t end, size_t step
) except -1 nogil:
    """Append every `step`th game of a range."""
    cdef const Game *game
    cdef size_t i = first
    while i < end:
        game = &source.games[i]
        reserve(<void **>&to.games, &to.capacity, to.count + 1, sizeof(Game))
        reserve(<void **>&to.arena, &to.moves_capacity, to.moves + game.plies + 8, 2)
        to.games[to.count] = game[0]
        to.games[to.count].moves = to.moves
        memcpy(to.arena + to.moves, moves_of(source, game), 2 * <size_t>game.plies)
        to.moves += game.plies
        to.longest = max(to.longest, game.plies)
        to.count += 1
        i += step


cdef inline size_t pack_moves(
    Games *all, size_t first, size_t base, uint16_t *out, size_t capacity, size_t *written
) noexcept nogil:
    """Write the moves of games from index `first` on, in order, until `out` is full.

    Their records get offsets from `base` on; return the index after the last game. The move arena
    must not be used afterwards.
    """
    cdef Game *game
    written[0] = 0
    while first < all.count:
        game = &all.games[first]
        if written[0] + game.plies > capacity and written[0]:
            break
        if game.plies > capacity:
            break
        memcpy(out + written[0], moves_of(all, game), 2 * <size_t>game.plies)
        game.moves = base + written[0]
        written[0] += game.plies
        first += 1
    return first


# --- verdicts on a few games ----------------------------------------------------------------------

# Inputs of the verdicts on a few games, from a collection that is read part by part. A verdict
# needs the two records, their opening theory and their sources. The theory of a game depends on the
# 2 * MOST_NEIGHBOURS games that theory_of() visits: the games that share most plies with it. In
# each part of the collection these are the nearest neighbours within the part, so all other games
# can be dropped. The sources of a record depend on equal records with the same line.

cdef inline uint32_t shared_plies(const Games *all, size_t index) noexcept nogil:
    """Return the number of plies a game shares with the previous game; games are sorted."""
    if index == 0 or index >= all.count or all.games[index - 1].start != all.games[index].start:
        return 0
    return shared_start(all, &all.games[index - 1], &all.games[index])


cdef inline void mark_neighbours(const Games *all, size_t at, uint8_t *marks) noexcept nogil:
    """Mark a game and the games that theory_of() may visit."""
    cdef size_t below = at, above = at
    cdef uint32_t down = shared_plies(all, at)
    cdef uint32_t up = shared_plies(all, at + 1)
    cdef int _step
    marks[at] = True
    for _step in range(2 * MOST_NEIGHBOURS):
        if not down and not up:
            return
        if down >= up:
            below -= 1
            marks[below] = True
            down = min(down, shared_plies(all, below))
        else:
            above += 1
            marks[above] = True
            up = min(up, shared_plies(all, above + 1))


cdef inline void mark_equal_records(const Games *all, size_t at, uint8_t *marks) noexcept nogil:
    """Mark the games with the same moves and Seven Tag Roster as a game."""
    cdef size_t i = at
    while i and same_moves(all, &all.games[i - 1], &all.games[at]):
        i -= 1
    while i < all.count and same_moves(all, &all.games[i], &all.games[at]):
        if roster_hash(&all.games[i]) == roster_hash(&all.games[at]):
            marks[i] = True
        i += 1


cdef inline int move_neighbours(
    Games *all, const int64_t *ids, size_t count, uint8_t *marks, Games *neighbours
) except -1 nogil:
    """Move the games that verdicts on some games need to `neighbours`, and drop the others.

    `all` is sorted, `ids` rise; `marks`: memory for one mark per game.
    """
    cdef size_t i
    memset(marks, 0, all.count)
    for i in range(all.count):
        if index_of_id(ids, count, all.games[i].game_id) != NO_NAME:
            mark_neighbours(all, i, marks)
            mark_equal_records(all, i, marks)
    neighbours.count = neighbours.moves = 0
    for i in range(all.count):
        if marks[i]:
            append_games(neighbours, all, i, i + 1, 1)
    all.count = all.moves = 0
