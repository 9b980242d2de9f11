"""What the search for copies found, as Python objects: groups as arrays, pairs as lists."""

from cpython cimport array
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memset

from copy_evidence cimport RULE_LONG_EQUAL_MOVES, Judgement
from copy_game cimport Game, Games
from copy_groups cimport NOBODY, Groups, are_apart, are_apart_by_gates, are_contradictory
from copy_pairs cimport Edge, Search, by_address

cdef enum:
    MOST_SUSPECTS = 4          # others that a group may be suspected to be


cdef inline dict fields_of(const Judgement *found, int theory, int turn):
    """Return the fields of model.Comparison but its terms."""
    return {
        "kind": found.kind, "is_swapped": found.swapped, "in_gates": found.in_gates,
        "plies": found.plies, "first_difference": found.first_difference,
        "transposed": found.transposed, "differences": found.differences,
        "longer": found.longer, "ratio": found.ratio, "winkler": found.winkler,
        "distance": found.distance, "refused": found.refused,
        "sides": (found.sides[0], found.sides[1]), "date": found.date, "round": found.round,
        "event": found.event, "site": found.site, "theory": theory, "turn": turn,
        "score": found.score, "verdict": found.verdict, "rule": found.rule,
    }


ctypedef struct GroupMember:
    int64_t game_id
    uint32_t line


cdef inline int by_game_id(const void *a, const void *b) noexcept nogil:
    cdef int64_t left = (<const GroupMember *>a).game_id
    cdef int64_t right = (<const GroupMember *>b).game_id
    return (left > right) - (left < right)


cdef inline void list_members(
    const Games *all, const Groups *groups, uint32_t home, GroupMember *members
) noexcept nogil:
    """Write the games of a group by rising ID."""
    cdef size_t count = 0
    cdef uint32_t member = home
    while member != NOBODY:
        members[count].game_id = all.games[member].game_id
        members[count].line = all.games[member].line
        count += 1
        member = groups.next[member]
    qsort(members, count, sizeof(GroupMember), by_game_id)


cdef inline tuple list_groups(const Games *all, Groups *groups, const uint32_t *places):
    """Return arrays of the groups of two or more games: see groups_found() in the stub.

    `places`: in sorted order, of the games by rising ID.
    """
    cdef size_t i, j
    cdef uint32_t home
    cdef size_t largest = 0, games = 0, count = 0
    cdef GroupMember *members
    for i in range(all.count):
        home = groups.home[i]
        if home == i and groups.size[home] >= 2:
            largest = max(largest, <size_t>groups.size[home])
            games += groups.size[home]
            count += 1
    ids = array.clone(array.array("q"), games, False)
    lines = array.clone(array.array("I"), games, False)
    ends = array.clone(array.array("Q"), count, False)
    members = <GroupMember *>malloc((largest + 1) * sizeof(GroupMember))
    if members == NULL:
        raise MemoryError("no memory to list the groups")
    games = count = 0
    for i in range(all.count):
        home = groups.home[places[i]]
        # Of each group when the first of its IDs comes: so they need not be sorted.
        if groups.size[home] < 2 or groups.listed[home]:
            continue
        groups.listed[home] = True
        list_members(all, groups, home, members)
        for j in range(groups.size[home]):
            (<array.array>ids).data.as_longlongs[games] = members[j].game_id
            (<array.array>lines).data.as_uints[games] = members[j].line
            games += 1
        (<array.array>ends).data.as_ulonglongs[count] = games
        count += 1
    memset(groups.listed, 0, all.count)
    free(members)
    return ids, lines, ends


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
