"""Connected components of games: what the grouping takes at a time.

Union-find by the earlier place; edges are then taken in the order of their components.
"""

from libc.stdint cimport uint32_t, uint64_t

from copy_game cimport reserve
from copy_groups cimport Groups, load_component, make_groups
from copy_keys cimport PLACE_BITS
from copy_numbers cimport Numbers, add_number_to, sort_numbers
from copy_evidence cimport NON_MATCH
from copy_pairs cimport Edge, Edges, Search
from copy_results cimport Results, add_groups, add_possible_duplicates

cdef enum:
    EDGE_BITS = 38             # of a number of the order: the edge, below its component's place


cdef inline size_t edge_in(uint64_t number) noexcept nogil:
    return number & (<uint64_t>1 << EDGE_BITS) - 1


cdef inline uint32_t root_of(uint32_t *parents, uint32_t place) noexcept nogil:
    """Return the first place of a component; halve the way there."""
    while parents[place] != place:
        parents[place] = parents[parents[place]]
        place = parents[place]
    return place


cdef inline void unite_edges(uint32_t *parents, const Edges *edges) noexcept nogil:
    """Make components of edges, except of those that keep games apart."""
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
    """List the edges within components, sorted by component; False if there is no memory."""
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
    """Return where the first component begins that begins there or later."""
    if at == 0 or at >= order.count:
        return min(at, order.count)
    if order.items[at] >> EDGE_BITS != order.items[at - 1] >> EDGE_BITS:
        return at
    return bound_of_component(order, at, (order.items[at] >> EDGE_BITS) + 1)


cdef inline size_t bound_of_component(
    const Numbers *order, size_t low, uint64_t component
) noexcept nogil:
    """Return the first place from `low` on whose component is not before one."""
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
    """Note for each place of a component where its group begins."""
    cdef size_t i
    for i in range(g.places.count):
        homes[g.places.items[i]] = <uint32_t>g.places.items[g.home[i]]


cdef inline bint group_edges(
    const Search *s, const Edges *edges, const Numbers *order, size_t first, size_t end,
    Groups *g, Edges *component, uint32_t *homes, Results *out,
) noexcept nogil:
    """Group the components of a range of the order; False if there is no memory.

    `component`: room for the edges of one.
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
