"""What the search for copies found, as Python lists."""

from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memset

from copy_evidence cimport RULE_LONG_EQUAL_MOVES, Judgement
from copy_game cimport Game, Games
from copy_groups cimport NOBODY, Groups, are_apart, are_apart_by_gates, are_contradictory
from copy_pairs cimport Edge, Search, by_address
from copy_weights cimport T_COUNT

cdef enum:
    MOST_SUSPECTS = 4          # others that a group may be suspected to be


cdef inline tuple verdict(const Judgement *found, int theory, int turn):
    """Return the fields of Comparison in matching/evidence.py."""
    cdef int i
    return (
        found.kind, found.swapped, found.in_gates, found.plies, found.first_difference,
        found.transposed, found.differences, found.longer, found.ratio, found.winkler,
        found.distance, found.refused,
        (found.sides[0], found.sides[1]), found.date, found.round, found.event, found.site,
        theory, turn, tuple([found.terms[i] for i in range(T_COUNT)]), found.score, found.verdict,
        found.rule,
    )


cdef inline list list_groups(const Games *all, Groups *groups, const uint32_t *places):
    """Return (IDs, rising, number of each mainline) of each group of two or more games.

    `places`: in sorted order, of the games by rising ID.
    """
    cdef size_t i
    cdef uint32_t home, member
    cdef const Game *game
    cdef list found = []
    cdef list group
    for i in range(all.count):
        home = groups.home[places[i]]
        # Of each group when the first of its IDs comes: so they need not be sorted.
        if groups.size[home] < 2 or groups.listed[home]:
            continue
        groups.listed[home] = True
        group = []
        member = home
        while member != NOBODY:
            game = &all.games[member]
            group.append((game.game_id, game.line))
            member = groups.next[member]
        group.sort()
        found.append(([pair[0] for pair in group], [pair[1] for pair in group]))
    memset(groups.listed, 0, all.count)
    return found


cdef inline bint may_be_suspect(Search *s, Groups *groups, size_t edge) noexcept nogil:
    cdef uint32_t left = s.edges[edge].left
    cdef uint32_t right = s.edges[edge].right
    if are_apart(groups, groups.home[left], groups.home[right]):
        return False
    if s.edges[edge].rule == RULE_LONG_EQUAL_MOVES:
        return True                    # whatever the headers say
    if groups.doubtful[left] or groups.doubtful[right]:
        return True
    return not are_contradictory(s, groups, &s.edges[edge], False)


cdef inline tuple suspect(const Search *s, size_t edge):
    """Return (ID, ID, score) of an edge, the lower ID first."""
    cdef const Edge *found = &s.edges[edge]
    cdef int64_t left = s.all.games[found.left].game_id
    cdef int64_t right = s.all.games[found.right].game_id
    cdef double score = found.score - by_address(s, found.left, found.right, found.verdict)
    return min(left, right), max(left, right), score


cdef inline list list_suspects(Search *s, Groups *groups):
    """Return (ID, ID, score) of pairs of groups by their surest edge, see suspects_found()."""
    cdef size_t i
    cdef uint32_t left, right
    cdef dict best = {}
    cdef dict partners = {}
    cdef list refused = []             # by gates that the user named
    for i in range(s.edge_count):
        left = groups.home[s.edges[i].left]
        right = groups.home[s.edges[i].right]
        pair = (min(left, right), max(left, right))
        if left == right or pair in best:
            continue
        if are_apart_by_gates(s, groups, &s.edges[i]):
            if may_be_suspect(s, groups, i):
                refused.append(suspect(s, i))   # however many: each would be a duplicate
            best[pair] = None
            continue
        if partners.get(left, 0) > MOST_SUSPECTS or partners.get(right, 0) > MOST_SUSPECTS:
            continue
        if may_be_suspect(s, groups, i):
            partners[left] = partners.get(left, 0) + 1
            partners[right] = partners.get(right, 0) + 1
            best[pair] = i
        else:
            best[pair] = None
    return sorted(refused + [
        suspect(s, edge) for (one, other), edge in best.items()
        if edge is not None
        and partners[one] <= MOST_SUSPECTS and partners[other] <= MOST_SUSPECTS
    ])
