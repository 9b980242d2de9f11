"""Results of the search: groups and possible duplicates, as arrays and as Python objects."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy, memset
from cpython cimport array

from candidate_pairs cimport Edge, Edges, Search, add_pair, by_address, has_pair
from duplicate_groups cimport (
    NOBODY, Groups, are_apart, are_apart_by_gates, are_contradictory, game_of, load_component,
    make_groups,
)
from evidence cimport NON_MATCH, RULE_LONG_EQUAL_MOVES, Judgement
from game_record cimport Game, reserve
from sorted_numbers cimport Numbers, add_number_to, sort_by_id, sort_numbers
from thresholds cimport MOST_SUSPECTS

ctypedef struct Member:
    int64_t game_id
    uint32_t line

ctypedef struct GroupSpan:
    int64_t lowest             # lowest ID of its members
    size_t first               # index of its first member
    size_t count

ctypedef struct PossibleDuplicate:
    int64_t first              # the lower ID
    int64_t second
    double score
    uint32_t homes[2]          # groups of the two games while the component is processed
    bint is_limited            # counts towards MOST_SUSPECTS

ctypedef struct Results:
    GroupSpan *groups
    size_t group_count
    size_t group_room
    Member *members            # grouped, by rising ID within a group
    size_t count
    size_t room
    PossibleDuplicate *pairs
    size_t pair_count
    size_t pair_room


cdef inline void free_results(Results *out) noexcept nogil:
    free(out.groups)
    free(out.members)
    free(out.pairs)


cdef inline int by_pair(const void *a, const void *b) noexcept nogil:
    cdef const PossibleDuplicate *left = <const PossibleDuplicate *>a
    cdef const PossibleDuplicate *right = <const PossibleDuplicate *>b
    if left.first != right.first:
        return -1 if left.first < right.first else 1
    return (left.second > right.second) - (left.second < right.second)


cdef inline bint add_groups(const Search *s, const Groups *g, Results *out) noexcept nogil:
    """Add the groups of a component that have two or more games; return False if out of memory."""
    cdef GroupSpan *group
    cdef const Game *game
    cdef uint32_t home, member
    for home in range(<uint32_t>g.places.count):
        if g.home[home] != home or g.size[home] < 2:
            continue
        if not reserve(
            <void **>&out.members, &out.room, out.count + g.size[home], sizeof(Member)
        ) or not reserve(
            <void **>&out.groups, &out.group_room, out.group_count + 1, sizeof(GroupSpan)
        ):
            return False
        group = &out.groups[out.group_count]
        group.first = out.count
        group.count = g.size[home]
        member = home
        while member != NOBODY:
            game = game_of(s, g, member)
            out.members[out.count].game_id = game.game_id
            out.members[out.count].line = game.line
            out.count += 1
            member = g.next[member]
        sort_by_id(out.members + group.first, group.count, sizeof(Member))
        group.lowest = out.members[group.first].game_id
        out.group_count += 1
    return True


# --- possible duplicates ------------------------------------------------------------------------

cdef inline bint may_be_suspect(const Search *s, Groups *g, const Edge *edge) noexcept nogil:
    if are_apart(g, g.home[edge.left], g.home[edge.right]):
        return False
    if edge.rule == RULE_LONG_EQUAL_MOVES:
        return True                    # equal long moves outweigh the headers
    if g.is_ambiguous[edge.left] or g.is_ambiguous[edge.right]:
        return True
    return not are_contradictory(s, g, edge, False)


cdef inline bint add_pair_of_edge(
    const Search *s, const Groups *g, const Edge *edge, bint is_limited, Results *out
) noexcept nogil:
    cdef PossibleDuplicate *pair
    cdef int64_t left = game_of(s, g, edge.left).game_id
    cdef int64_t right = game_of(s, g, edge.right).game_id
    if not reserve(
        <void **>&out.pairs, &out.pair_room, out.pair_count + 1, sizeof(PossibleDuplicate)
    ):
        return False
    pair = &out.pairs[out.pair_count]
    pair.first = min(left, right)
    pair.second = max(left, right)
    pair.score = edge.score - by_address(
        s, <uint32_t>g.places.items[edge.left], <uint32_t>g.places.items[edge.right], edge.verdict
    )
    pair.homes[0] = g.home[edge.left]
    pair.homes[1] = g.home[edge.right]
    pair.is_limited = is_limited
    out.pair_count += 1
    return True


cdef inline bint add_edge_between(
    const Search *s, Groups *g, const Edge *edge, Results *out
) noexcept nogil:
    """Add the strongest edge between groups that may match; return False if out of memory."""
    cdef uint32_t left = g.home[edge.left]
    cdef uint32_t right = g.home[edge.right]
    if are_apart_by_gates(s, g, edge):
        # No limit here: each would be a duplicate if the user had not named gates.
        if may_be_suspect(s, g, edge) and not add_pair_of_edge(s, g, edge, False, out):
            return False
        return add_pair(&g.listed, min(left, right), max(left, right))
    if g.partners[left] > MOST_SUSPECTS or g.partners[right] > MOST_SUSPECTS:
        return True
    if may_be_suspect(s, g, edge):
        g.partners[left] += 1
        g.partners[right] += 1
        if not add_pair_of_edge(s, g, edge, True, out):
            return False
    return add_pair(&g.listed, min(left, right), max(left, right))


cdef inline bint add_possible_duplicates(
    const Search *s, Groups *g, Results *out
) noexcept nogil:
    """Add pairs of groups by their strongest edge; return False if out of memory.

    See suspects_found() for the rules.
    """
    cdef const Edge *edge
    cdef PossibleDuplicate *pair
    cdef uint32_t left, right
    cdef size_t first = out.pair_count
    cdef size_t kept, i
    for i in range(g.edge_count):
        edge = &g.edges[i]
        left = g.home[edge.left]
        right = g.home[edge.right]
        if left == right or has_pair(&g.listed, min(left, right), max(left, right)):
            continue
        if not add_edge_between(s, g, edge, out):
            return False
    kept = first
    for i in range(first, out.pair_count):
        pair = &out.pairs[i]
        if not pair.is_limited or (
            g.partners[pair.homes[0]] <= MOST_SUSPECTS
            and g.partners[pair.homes[1]] <= MOST_SUSPECTS
        ):
            out.pairs[kept] = pair[0]
            kept += 1
    out.pair_count = kept
    return True


# --- conversion to Python -------------------------------------------------------------------------

cdef inline dict fields_of(const Judgement *j, int theory, int symmetry, terms):
    """Return the fields of model.Comparison, in their order."""
    return {
        "kind": j.kind, "is_swapped": j.swapped, "in_gates": j.in_gates,
        "plies": j.plies, "first_difference": j.first_difference,
        "transposed": j.transposed, "differences": j.differences,
        "longer": j.longer, "ratio": j.ratio, "winkler": j.winkler,
        "distance": j.distance, "refused": j.refused,
        "sides": (j.sides[0], j.sides[1]), "date": j.date, "round": j.round,
        "event": j.event, "site": j.site, "theory": theory, "symmetry": symmetry,
        "terms": terms, "score": j.score, "verdict": j.verdict, "rule": j.rule,
    }


cdef inline tuple field_names():
    cdef Judgement nothing
    memset(&nothing, 0, sizeof(Judgement))
    return tuple(fields_of(&nothing, 0, 0, None))


cdef inline bint append_results(Results *out, const Results *more) noexcept nogil:
    """Append the results of another task; return False if out of memory."""
    cdef size_t i
    if not (
        reserve(<void **>&out.members, &out.room, out.count + more.count, sizeof(Member))
        and reserve(
            <void **>&out.groups, &out.group_room, out.group_count + more.group_count,
            sizeof(GroupSpan),
        )
        and reserve(
            <void **>&out.pairs, &out.pair_room, out.pair_count + more.pair_count,
            sizeof(PossibleDuplicate),
        )
    ):
        return False
    for i in range(more.group_count):
        out.groups[out.group_count + i] = more.groups[i]
        out.groups[out.group_count + i].first += out.count
    if more.count:                         # memcpy() may not be given NULL, even for no bytes
        memcpy(out.members + out.count, more.members, more.count * sizeof(Member))
    if more.pair_count:
        memcpy(out.pairs + out.pair_count, more.pairs, more.pair_count * sizeof(PossibleDuplicate))
    out.group_count += more.group_count
    out.count += more.count
    out.pair_count += more.pair_count
    return True


cdef inline void sort_results(Results *out) noexcept nogil:
    """Sort groups by their lowest ID, and pairs by their IDs."""
    sort_by_id(out.groups, out.group_count, sizeof(GroupSpan))
    if out.pair_count:
        qsort(out.pairs, out.pair_count, sizeof(PossibleDuplicate), by_pair)


cdef inline tuple list_groups(const Results *out):
    """Return arrays of the groups of two or more games: see groups_found() in the stub."""
    cdef const Member *members
    cdef size_t games = 0
    cdef size_t i, k
    ids = array.clone(array.array("q"), out.count, False)
    lines = array.clone(array.array("I"), out.count, False)
    ends = array.clone(array.array("Q"), out.group_count, False)
    for i in range(out.group_count):
        members = out.members + out.groups[i].first
        for k in range(out.groups[i].count):
            (<array.array>ids).data.as_longlongs[games] = members[k].game_id
            (<array.array>lines).data.as_uints[games] = members[k].line
            games += 1
        (<array.array>ends).data.as_ulonglongs[i] = games
    return ids, lines, ends


cdef inline list list_pairs(const Results *out):
    """Return (ID, ID, score) of possible duplicates, the lower ID first."""
    cdef size_t i
    return [
        (out.pairs[i].first, out.pairs[i].second, out.pairs[i].score)
        for i in range(out.pair_count)
    ]


# --- connected components -------------------------------------------------------------------------

# Connected components of games, the unit of grouping. Union-find by the lowest place. Edges are
# then processed component by component.

cdef enum:
    EDGE_BITS = 38             # low bits of an order number: edge index; the component is above


cdef inline size_t edge_in(uint64_t number) noexcept nogil:
    return number & (<uint64_t>1 << EDGE_BITS) - 1


cdef inline uint32_t root_of(uint32_t *parents, uint32_t place) noexcept nogil:
    """Return the first place of a component, with path halving."""
    while parents[place] != place:
        parents[place] = parents[parents[place]]
        place = parents[place]
    return place


cdef inline void unite_edges(uint32_t *parents, const Edges *edges) noexcept nogil:
    """Unite the games of all edges, except edges that declare two games different."""
    cdef uint32_t left, right
    cdef size_t i
    for i in range(edges.count):
        if edges.items[i].verdict == NON_MATCH:
            continue
        left = root_of(parents, edges.items[i].left)
        right = root_of(parents, edges.items[i].right)
        if left < right:
            parents[right] = left
        else:
            parents[left] = right


cdef inline bint order_edges(uint32_t *parents, const Edges *edges, Numbers *order) noexcept nogil:
    """List the edges within components, sorted by component; return False if out of memory."""
    cdef uint32_t root
    cdef size_t i
    for i in range(edges.count):
        root = root_of(parents, edges.items[i].left)
        if edges.items[i].verdict == NON_MATCH:
            if root_of(parents, edges.items[i].right) != root:
                continue
        if not add_number_to(order, <uint64_t>root << EDGE_BITS | i):
            return False
    sort_numbers(order, 64)
    return True


cdef inline size_t end_of_component(const Numbers *order, size_t first) noexcept nogil:
    cdef size_t end = first
    while end < order.count and order.items[end] >> EDGE_BITS == order.items[first] >> EDGE_BITS:
        end += 1
    return end


cdef inline size_t start_of_component(const Numbers *order, size_t at) noexcept nogil:
    """Return where the first component starts that starts at `at` or later."""
    if at == 0 or at >= order.count:
        return min(at, order.count)
    if order.items[at] >> EDGE_BITS != order.items[at - 1] >> EDGE_BITS:
        return at
    return bound_of_component(order, at, (order.items[at] >> EDGE_BITS) + 1)


cdef inline size_t bound_of_component(
    const Numbers *order, size_t low, uint64_t component
) noexcept nogil:
    """Return the first place from `low` on whose component does not start before `bound`."""
    cdef size_t high = order.count
    cdef size_t middle
    while low < high:
        middle = (low + high) >> 1
        if order.items[middle] >> EDGE_BITS < component:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline void note_groups(uint32_t *homes, const Groups *g) noexcept nogil:
    """Store for each place of a component the place that names its group."""
    cdef size_t i
    for i in range(g.places.count):
        homes[g.places.items[i]] = <uint32_t>g.places.items[g.home[i]]


cdef inline bint group_edges(
    const Search *s, const Edges *edges, const Numbers *order, size_t first, size_t end,
    Groups *g, Edges *component, uint32_t *homes, Results *out,
) noexcept nogil:
    """Group the components of a range of the order; return False if out of memory.

    `component`: buffer for the edges of one component.
    """
    cdef size_t last, i
    first = start_of_component(order, first)
    end = start_of_component(order, end)
    while first < end:
        last = end_of_component(order, first)
        if not reserve(
            <void **>&component.items, &component.room, last - first, sizeof(Edge)
        ):
            return False
        for i in range(first, last):
            component.items[i - first] = edges.items[edge_in(order.items[i])]
        if not load_component(g, component.items, last - first):
            return False
        make_groups(s, g)
        if not add_groups(s, g, out) or not add_possible_duplicates(s, g, out) or g.out_of_memory:
            return False
        note_groups(homes, g)
        first = last
    return True
