"""Opening theory of a game: the plies it shares with unrelated games, which prove nothing.

In move order, the games that share the longest beginning are neighbours. For each game, the search
visits the nearest neighbours on both sides until two of them are certainly other games: by other
players or of another time. The plies shared with the second are the theory of the game. The first
does not count, since it may be the same game under wrong names.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from game_record cimport (
    MARK_HAS_MORE_THEORY, MARK_IS_TOUCHED, Game, Games, is_somebody, moves_of, ocg_prefetch,
    prefetch_names, shared_start,
)
from header_text cimport DATE_OTHER_MONTH, DATE_OTHER_YEAR, DATE_YEARS_APART, compare_dates
from packed_name cimport NameRecord
from sorted_numbers cimport Numbers, add_number_to
from thresholds cimport MOST_NEIGHBOURS

cdef enum:
    MOST_THEORY = 0xFFFF

cdef extern from *:
    """
    #define OCG_ANY_ID INT64_MAX
    """
    const int64_t ANY_ID "OCG_ANY_ID"


cdef inline bint share_surname(const NameRecord *a, const NameRecord *b) noexcept nogil:
    return (
        a.keys[0] == b.keys[0] or a.keys[0] == b.keys[1]
        or a.keys[1] == b.keys[0] or a.keys[1] == b.keys[1]
    )


# What the theory of other games depends on.
ctypedef struct Facts:
    uint32_t names[2]
    uint32_t date
    int64_t game_id


cdef inline Facts facts_of(const Games *all, size_t index) noexcept nogil:
    cdef Facts facts
    if all.rows == NULL:
        memcpy(facts.names, all.games[index].names, sizeof(facts.names))
        facts.date = all.games[index].date
        facts.game_id = all.games[index].game_id
    else:
        memcpy(facts.names, all.rows[index].names, sizeof(facts.names))
        facts.date = all.rows[index].date
        facts.game_id = 0
    return facts


cdef inline int shared_players(const Games *all, const Facts *a, const Facts *b) noexcept nogil:
    """Return how many players of `a` may be players of `b` too, by surname; -1 if unknown."""
    cdef int side, other, shared = 0
    for side in range(2):
        if not is_somebody(all, a.names[side]) or not is_somebody(all, b.names[side]):
            return -1
    for side in range(2):
        for other in range(2):
            if share_surname(&all.names[a.names[side]], &all.names[b.names[other]]):
                shared += 1
                break
    return shared


cdef inline bint is_another_game(const Games *all, const Facts *a, const Facts *b) noexcept nogil:
    """Return whether the headers of two games show that they are different games."""
    cdef int shared = shared_players(all, a, b)
    cdef int dates
    if shared < 0:
        return False
    if shared == 0:
        return True
    dates = compare_dates(a.date, b.date)
    return (
        dates == DATE_OTHER_MONTH or dates == DATE_YEARS_APART
        or (shared == 1 and dates == DATE_OTHER_YEAR)
    )


cdef inline uint32_t theory_of(
    const Games *all, size_t at, int64_t last_id, bint skips_new, bint *is_by_new, uint8_t *reach
) noexcept nogil:
    """Return the plies shared with the second unrelated game.

    `is_by_new` is set if games with IDs above `last_id` may count. With `skips_new` they do not.
    `reach`: set to the number of games before it and after it that were visited.
    """
    cdef const uint16_t *shared = all.shared
    cdef size_t below = at, above = at, visited
    cdef uint32_t down, up, plies
    cdef int steps = 0
    cdef bint has_first = False
    cdef Facts here = facts_of(all, at), first, other
    is_by_new[0] = False
    reach[0] = reach[1] = 0
    down = shared[at] if at else 0     # not more than its own plies
    up = shared[at + 1] if at + 1 < all.count else 0
    while steps < 2 * MOST_NEIGHBOURS:
        if not down and not up:
            return 0
        if down >= up:
            plies = down
            visited = below = below - 1
            reach[0] += 1
            down = min(down, shared[below]) if below else 0
        else:
            plies = up
            visited = above = above + 1
            reach[1] += 1
            up = min(up, shared[above + 1]) if above + 1 < all.count else 0
        other = facts_of(all, visited)
        if other.game_id > last_id:
            is_by_new[0] = True
            if skips_new:
                continue
        steps += 1
        if not is_another_game(all, &here, &other):
            continue
        if not has_first:
            first = other
            has_first = True
        # else the two may be the same game and count once
        elif is_another_game(all, &first, &other):
            return plies
    # All visited games are duplicates of one game, so they say nothing about theory.
    if not has_first:
        return 0
    # The next game on each side may be another one.
    while below and facts_of(all, below - 1).game_id > last_id:
        is_by_new[0] = True
        if not skips_new:
            break
        below -= 1
        down = min(down, shared[below]) if below else 0
    while above + 1 < all.count and facts_of(all, above + 1).game_id > last_id:
        is_by_new[0] = True
        if not skips_new:
            break
        above += 1
        up = min(up, shared[above + 1]) if above + 1 < all.count else 0
    return max(down, up)


cdef inline uint16_t shared_with_last(const Games *all, size_t index) noexcept nogil:
    """Return the number of plies a game shares with the previous game in move order."""
    cdef const Game *game = &all.games[index]
    cdef const Game *before = game - 1
    if index == 0 or before.start != game.start:
        return 0
    if before.line == game.line:
        return <uint16_t>min(game.plies, MOST_THEORY)
    return <uint16_t>min(shared_start(all, before, game), MOST_THEORY)


cdef inline void find_shared(Games *all, size_t first, size_t end) noexcept nogil:
    """Fill Games.shared for a range of games; lines must be numbered."""
    cdef size_t i
    for i in range(first, end):
        if i + 8 < all.count:
            ocg_prefetch(moves_of(all, &all.games[i + 8]))
        all.shared[i] = shared_with_last(all, i)


cdef inline void find_theory(Games *all, size_t first, size_t end) noexcept nogil:
    """Fill Game.theory and Games.reach for a range of games; Games.shared must be complete."""
    cdef size_t i
    cdef bint is_by_new
    for i in range(first, end):
        if i + 4 < all.count:
            prefetch_names(all, &all.games[i + 4])
        all.games[i].theory = <uint16_t>min(
            theory_of(all, i, ANY_ID, False, &is_by_new, all.reach + 2 * i), <uint32_t>MOST_THEORY
        )


cdef inline void find_theory_again(
    Games *all, size_t first, size_t end, int64_t last_id, bint only_weakens
) noexcept nogil:
    """Fill Game.theory and mark games whose theory differs from the previous search.

    The previous search had the games up to `last_id`. `only_weakens`: theory_only_weakens().
    """
    cdef uint32_t theory, before
    cdef uint8_t reach[2]
    cdef size_t i
    cdef bint is_by_new
    for i in range(first, end):
        if i + 4 < all.count:
            prefetch_names(all, &all.games[i + 4])
        theory = before = theory_of(all, i, last_id, False, &is_by_new, all.reach + 2 * i)
        if is_by_new:
            before = theory_of(all, i, last_id, True, &is_by_new, reach)
        all.games[i].theory = <uint16_t>min(theory, <uint32_t>MOST_THEORY)
        all.marks[i] = 0
        before = min(before, <uint32_t>MOST_THEORY)
        if all.games[i].theory != before:
            all.marks[i] = (
                MARK_HAS_MORE_THEORY if only_weakens and all.games[i].theory > before
                else MARK_IS_TOUCHED
            )


cdef inline int find_ends(
    Games *all, size_t first, size_t end, Numbers *open_lines
) except -1 nogil:
    """Fill Games.ends for a range of games; the ranges come in order.

    `open_lines`: earlier games that the next game may continue, (index, plies) as one number; empty
    at first. Games.shared must be complete.
    """
    cdef const Game *game
    cdef size_t i
    for i in range(first, end):
        game = &all.games[i]
        if i and all.games[i - 1].start != game.start:
            close_lines(all, open_lines, 0, i, True)
        else:
            close_lines(all, open_lines, all.shared[i], i, False)
        add_number_to(open_lines, <uint64_t>i << 16 | min(game.plies, MOST_THEORY))
    if end == all.count:
        close_lines(all, open_lines, 0, end, True)


cdef inline void close_lines(
    Games *all, Numbers *open_lines, uint16_t shared, size_t end, bint is_all
) noexcept nogil:
    """Set Games.ends for open games that have more than `shared` plies."""
    cdef uint64_t last
    while open_lines.count:
        last = open_lines.items[open_lines.count - 1]
        if not is_all and (last & 0xFFFF) <= shared:
            return
        all.ends[last >> 16] = <uint32_t>end
        open_lines.count -= 1
