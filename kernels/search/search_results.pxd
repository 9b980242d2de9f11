"""Results of the search: groups and possible duplicates, as arrays and as Python objects."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memset
from cpython cimport array

from candidate_pairs cimport Edge, Edges, Search, add_pair, by_address, has_pair
from duplicate_groups cimport (
    NOBODY, Groups, are_contradictory, are_declared_different, are_separated_by_gates, game_of,
    is_ambiguous, load_component, make_groups,
)
from evidence cimport NON_MATCH, RULE_LONG_EQUAL_MOVES, Judgement
from game_record cimport Game
from memory cimport append_items, new_item, reserve
from sorted_numbers cimport Numbers, add_number_to, order_of, sort_by_id, sort_numbers
from thresholds cimport MOST_POSSIBLE_DUPLICATES

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
    bint is_limited            # counts towards MOST_POSSIBLE_DUPLICATES

ctypedef struct Results:
    GroupSpan *groups
    size_t group_count
    size_t group_capacity
    Member *members            # grouped, by rising ID within a group
    size_t count
    size_t capacity
    PossibleDuplicate *pairs
    size_t pair_count
    size_t pair_capacity


cdef inline void free_results(Results *out) noexcept nogil:
    free(out.groups)
    free(out.members)
    free(out.pairs)


cdef inline int by_pair(const void *a, const void *b) noexcept nogil:
    cdef const PossibleDuplicate *left = <const PossibleDuplicate *>a
    cdef const PossibleDuplicate *right = <const PossibleDuplicate *>b
    return order_of(left.first, right.first) or order_of(left.second, right.second)


cdef inline int add_groups(const Search *s, const Groups *g, Results *out) except -1 nogil:
    """Add the groups of a component that have two or more games."""
    cdef GroupSpan *group
    cdef const Game *game
    cdef uint32_t home, member
    for home in range(<uint32_t>g.indexes.count):
        if g.games[home].home != home or g.games[home].size < 2:
            continue
        reserve(
            <void **>&out.members, &out.capacity, out.count + g.games[home].size, sizeof(Member)
        )
        group = <GroupSpan *>new_item(
            <void **>&out.groups, &out.group_count, &out.group_capacity, sizeof(GroupSpan)
        )
        group.first = out.count
        group.count = g.games[home].size
        member = home
        while member != NOBODY:
            game = game_of(s, g, member)
            out.members[out.count] = Member(game.game_id, game.line)
            out.count += 1
            member = g.games[member].next
        sort_by_id(out.members + group.first, group.count, sizeof(Member))
        group.lowest = out.members[group.first].game_id


# --- possible duplicates ------------------------------------------------------------------------

cdef inline bint is_possible_duplicate(
    const Search *s, Groups *g, const Edge *edge
) except -1 nogil:
    if are_declared_different(g, g.games[edge.left].home, g.games[edge.right].home):
        return False
    if edge.rule == RULE_LONG_EQUAL_MOVES:
        return True                    # equal long moves outweigh the headers
    if is_ambiguous(g, edge):
        return True
    return not are_contradictory(s, g, edge, False)


cdef inline int add_pair_of_edge(
    const Search *s, const Groups *g, const Edge *edge, bint is_limited, Results *out
) except -1 nogil:
    cdef PossibleDuplicate *pair
    cdef int64_t left = game_of(s, g, edge.left).game_id
    cdef int64_t right = game_of(s, g, edge.right).game_id
    pair = <PossibleDuplicate *>new_item(
        <void **>&out.pairs, &out.pair_count, &out.pair_capacity, sizeof(PossibleDuplicate)
    )
    pair.first = min(left, right)
    pair.second = max(left, right)
    pair.score = edge.score - by_address(
        s, <uint32_t>g.indexes.items[edge.left], <uint32_t>g.indexes.items[edge.right], edge.verdict
    )
    pair.homes[0] = g.games[edge.left].home
    pair.homes[1] = g.games[edge.right].home
    pair.is_limited = is_limited


cdef inline int add_edge_between(
    const Search *s, Groups *g, const Edge *edge, Results *out
) except -1 nogil:
    """Add the strongest edge between groups that may match."""
    cdef uint32_t left = g.games[edge.left].home
    cdef uint32_t right = g.games[edge.right].home
    if are_separated_by_gates(s, g, edge):
        # No limit here: each would be a duplicate if the user had not named gates.
        if is_possible_duplicate(s, g, edge):
            add_pair_of_edge(s, g, edge, False, out)
        return add_pair(&g.listed, min(left, right), max(left, right))
    if max(g.games[left].possible_count, g.games[right].possible_count) > MOST_POSSIBLE_DUPLICATES:
        return 0
    if is_possible_duplicate(s, g, edge):
        g.games[left].possible_count += 1
        g.games[right].possible_count += 1
        add_pair_of_edge(s, g, edge, True, out)
    add_pair(&g.listed, min(left, right), max(left, right))


cdef inline int add_possible_duplicates(const Search *s, Groups *g, Results *out) except -1 nogil:
    """Add pairs of groups by their strongest edge; for the rules, see the stub."""
    cdef const Edge *edge
    cdef PossibleDuplicate *pair
    cdef uint32_t left, right
    cdef size_t first = out.pair_count, kept, i
    for i in range(g.edge_count):
        edge = &g.edges[i]
        left = g.games[edge.left].home
        right = g.games[edge.right].home
        if left == right or has_pair(&g.listed, min(left, right), max(left, right)):
            continue
        add_edge_between(s, g, edge, out)
    kept = first
    for i in range(first, out.pair_count):
        pair = &out.pairs[i]
        if not pair.is_limited or (
            g.games[pair.homes[0]].possible_count <= MOST_POSSIBLE_DUPLICATES
            and g.games[pair.homes[1]].possible_count <= MOST_POSSIBLE_DUPLICATES
        ):
            out.pairs[kept] = pair[0]
            kept += 1
    out.pair_count = kept


# --- conversion to Python -------------------------------------------------------------------------

cdef inline dict fields_of(const Judgement *j, int theory, int symmetry, terms):
    """Return the fields of model.Comparison, in their order."""
    return {
        "kind": j.relation, "is_swapped": j.swapped, "in_gates": j.in_gates,
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


cdef inline int append_results(Results *out, const Results *more) except -1 nogil:
    cdef size_t members = out.count, i = out.group_count
    append_items(
        <void **>&out.members, &out.count, &out.capacity, more.members, more.count, sizeof(Member)
    )
    append_items(
        <void **>&out.groups, &out.group_count, &out.group_capacity, more.groups, more.group_count,
        sizeof(GroupSpan),
    )
    append_items(
        <void **>&out.pairs, &out.pair_count, &out.pair_capacity, more.pairs, more.pair_count,
        sizeof(PossibleDuplicate),
    )
    while i < out.group_count:
        out.groups[i].first += members
        i += 1


cdef inline void sort_results(Results *out) noexcept nogil:
    """Sort groups by their lowest ID, and pairs by their IDs."""
    sort_by_id(out.groups, out.group_count, sizeof(GroupSpan))
    if out.pair_count:
        qsort(out.pairs, out.pair_count, sizeof(PossibleDuplicate), by_pair)


cdef inline tuple list_groups(const Results *out):
    """Return the fields of model.GroupsFound."""
    cdef const Member *members
    cdef size_t games = 0, i, k
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


# --- connected components -------------------------------------------------------------------------

# Connected components of games, the unit of grouping. Union-find by the lowest index. Edges are
# then processed component by component.

cdef enum:
    EDGE_BITS = 38             # low bits of an order number: edge index; the component is above


cdef inline uint32_t root_of(uint32_t *parents, uint32_t index) noexcept nogil:
    """Return the lowest index of a component, with path halving."""
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index


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


cdef inline int order_edges(uint32_t *parents, const Edges *edges, Numbers *order) except -1 nogil:
    """List the edges within components; edges of one component are adjacent."""
    cdef uint32_t root
    cdef size_t i
    for i in range(edges.count):
        root = root_of(parents, edges.items[i].left)
        if edges.items[i].verdict == NON_MATCH:
            if root_of(parents, edges.items[i].right) != root:
                continue
        add_number_to(order, <uint64_t>root << EDGE_BITS | i)
    sort_numbers(order, 64)


cdef inline size_t start_of_component(const Numbers *order, size_t at) noexcept nogil:
    """Return the start of the first component that does not start before `at`."""
    if at == 0 or at >= order.count:
        return min(at, order.count)
    if order.items[at] >> EDGE_BITS != order.items[at - 1] >> EDGE_BITS:
        return at
    return bound_of_component(order, at, (order.items[at] >> EDGE_BITS) + 1)


cdef inline size_t bound_of_component(
    const Numbers *order, size_t low, uint64_t component
) noexcept nogil:
    """Return the first index in the order, from `low` on, that is not before a component."""
    cdef size_t high = order.count, middle
    while low < high:
        middle = (low + high) >> 1
        if order.items[middle] >> EDGE_BITS < component:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int group_edges(
    const Search *s, const Edges *edges, const Numbers *order, size_t first, size_t end,
    Groups *g, Edges *component, uint32_t *homes, Results *out,
) except -1 nogil:
    """Group the components of a range of the order; `component` is a buffer for edges.

    `homes`: set to the index that names the group of each game.
    """
    cdef uint64_t edge_mask = (<uint64_t>1 << EDGE_BITS) - 1
    cdef size_t last, i
    first = start_of_component(order, first)
    end = start_of_component(order, end)
    while first < end:
        last = first + 1
        while last < end and order.items[last] >> EDGE_BITS == order.items[first] >> EDGE_BITS:
            last += 1
        reserve(<void **>&component.items, &component.capacity, last - first, sizeof(Edge))
        for i in range(first, last):
            component.items[i - first] = edges.items[order.items[i] & edge_mask]
        load_component(g, component.items, last - first)
        make_groups(s, g)
        add_groups(s, g, out)
        add_possible_duplicates(s, g, out)
        for i in range(g.indexes.count):
            homes[g.indexes.items[i]] = <uint32_t>g.indexes.items[g.games[i].home]
        first = last
