"""Group the edges of one component, strongest first; contradicting games never share a group.

Union-find with a veto (Kruskal's order). A duplicate that matches two contradicting games joins the
one that it matches clearly better, or neither. The result depends on scores and contents alone, not
on the order of the input. Games of two components share no edge, so each component is a separate
task. Within a component, a game is identified by its index in the rising order of places.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from blocking_keys cimport PLACE_BITS
from candidate_pairs cimport Edge, Edges, PairSet, Search, add_edge, add_pair, has_pair
from evidence cimport (
    KIND_NONE, MATCH, NON_MATCH, RULE_DECIDED_DIFFERENT, RULE_DECIDED_SAME, RULE_OUTSIDE_GATES,
    RULE_SAME_ADDRESS, Judgement, decide, judge,
)
from game_record cimport (
    ANY_ADDRESS, ONLY_ADDRESS, Game, are_equal_records, are_of_one_line, are_other_addresses,
    have_other_addresses, mixed, reserve,
)
from sorted_numbers cimport Numbers, add_number_to, free_numbers, sort_few_records, sort_part
from thresholds cimport DECISION_SCORE, MOST_MAINLINES, MOST_ROUNDS, SAME_LINE

cdef enum:
    NOBODY = 0xFFFFFFFF

ctypedef struct Groups:
    Numbers places             # of the games of the component, rising
    size_t room                # allocated size of the arrays by member
    Edge *edges                # between members, strongest first
    size_t edge_count
    size_t edge_room
    Edge *apart                # pairs that the user declared non-matches
    size_t apart_count
    size_t apart_room
    uint32_t *home             # by member: its group, named by the group's first member
    uint32_t *next             # linked list of the members of a group, NOBODY at its end
    uint32_t *last
    uint32_t *size
    uint32_t *next_representative      # linked list of members that are compared
    uint32_t *representatives  # by home: number of representatives
    uint32_t *partners         # by home: number of possible duplicates listed so far
    uint8_t *is_ambiguous      # matches two groups about equally well
    uint64_t *address          # by home: the only address that its games can have, 0 if unknown
    double *best               # highest score of a game's edges within its group
    uint8_t *decided           # the user decided which group the game belongs to
    PairSet refused[2]         # states of two contradicting groups; [1]: also by the user's gates
    PairSet passed             # states of two groups that do not contradict, user's gates ignored
    PairSet listed             # pairs of groups whose strongest edge is processed
    bint has_decisions         # the user declared at least one match
    bint out_of_memory


cdef inline bint reserve_members(Groups *g, size_t count) noexcept nogil:
    """Allocate the arrays for `count` members; return False if out of memory."""
    if count <= g.room:
        return True
    free_members(g)
    g.room = 2 * count + 64
    g.home = <uint32_t *>malloc(g.room * sizeof(uint32_t))
    g.next = <uint32_t *>malloc(g.room * sizeof(uint32_t))
    g.last = <uint32_t *>malloc(g.room * sizeof(uint32_t))
    g.size = <uint32_t *>malloc(g.room * sizeof(uint32_t))
    g.next_representative = <uint32_t *>malloc(g.room * sizeof(uint32_t))
    g.representatives = <uint32_t *>malloc(g.room * sizeof(uint32_t))
    g.partners = <uint32_t *>malloc(g.room * sizeof(uint32_t))
    g.is_ambiguous = <uint8_t *>malloc(g.room)
    g.decided = <uint8_t *>malloc(g.room)
    g.address = <uint64_t *>malloc(g.room * sizeof(uint64_t))
    g.best = <double *>malloc(g.room * sizeof(double))
    return (
        g.home != NULL and g.next != NULL and g.last != NULL and g.size != NULL
        and g.is_ambiguous != NULL and g.decided != NULL and g.partners != NULL
        and g.best != NULL and g.address != NULL and g.next_representative != NULL
        and g.representatives != NULL
    )


cdef inline void free_members(Groups *g) noexcept nogil:
    free(g.home)
    free(g.next)
    free(g.last)
    free(g.size)
    free(g.next_representative)
    free(g.representatives)
    free(g.partners)
    free(g.is_ambiguous)
    free(g.decided)
    free(g.address)
    free(g.best)


cdef inline void forget_answers(Groups *g) noexcept nogil:
    free(g.refused[0].slots)
    free(g.refused[1].slots)
    free(g.passed.slots)
    free(g.listed.slots)
    memset(&g.listed, 0, sizeof(PairSet))
    memset(g.refused, 0, sizeof(g.refused))
    memset(&g.passed, 0, sizeof(PairSet))


cdef inline void close_groups(Groups *g) noexcept nogil:
    free_members(g)
    free_numbers(&g.places)
    free(g.edges)
    free(g.apart)
    forget_answers(g)


cdef inline const Game *game_of(const Search *s, const Groups *g, uint32_t number) noexcept nogil:
    return &s.all.games[g.places.items[number]]


cdef inline void clear_groups(const Search *s, Groups *g) noexcept nogil:
    cdef size_t i
    cdef uint64_t address
    if g.refused[0].room or g.refused[1].room or g.passed.room or g.listed.room:
        forget_answers(g)
    for i in range(g.places.count):
        g.home[i] = <uint32_t>i
        g.last[i] = <uint32_t>i
        g.next[i] = NOBODY
        g.size[i] = 1
        g.next_representative[i] = NOBODY
        g.representatives[i] = 1
        g.best[i] = -1e300
        address = game_of(s, g, <uint32_t>i).address
        g.address[i] = address if address & ONLY_ADDRESS else 0


cdef inline int by_certainty(const void *a, const void *b) noexcept nogil:
    cdef const Edge *left = <const Edge *>a
    cdef const Edge *right = <const Edge *>b
    if left.verdict != right.verdict:
        return -1 if left.verdict > right.verdict else 1
    if left.score != right.score:
        return -1 if left.score > right.score else 1
    if left.left != right.left:
        return -1 if left.left < right.left else 1
    return (left.right > right.right) - (left.right < right.right)


cdef inline bint are_apart(const Groups *g, uint32_t a, uint32_t b) noexcept nogil:
    """Return whether the user declared members of the two groups to be different games."""
    cdef size_t i
    cdef uint32_t left, right
    for i in range(g.apart_count):
        left = g.home[g.apart[i].left]
        right = g.home[g.apart[i].right]
        if (left == a and right == b) or (left == b and right == a):
            return True
    return False


cdef inline bint exclude(
    const Search *s, const Groups *g, uint32_t left, uint32_t right, bint with_gates
) noexcept nogil:
    """Return whether two games cannot be in one group.

    `with_gates`: also apply the gates that the user named, not only evidence against a match.
    """
    cdef Judgement judgement
    if left == right:
        return False
    if have_other_addresses(game_of(s, g, left), game_of(s, g, right)):
        return True
    judge(
        s.all, &s.rules, &s.standard, game_of(s, g, min(left, right)),
        game_of(s, g, max(left, right)), True, NULL, &judgement,
    )
    if judgement.kind == KIND_NONE or (with_gates and judgement.refused):
        return True
    return judgement.rule != RULE_SAME_ADDRESS and judgement.score < s.rules.weights.contradiction


cdef inline bint contradict(
    const Search *s, const Groups *g, const Edge *edge, bint with_gates
) noexcept nogil:
    """Return whether the two groups that an edge would join have contradicting members.

    User decisions come first. If members contradict each other but share a group because the user
    said so, they cannot veto games that join through the other member.
    """
    cdef uint32_t left = g.home[edge.left]
    cdef uint32_t right = g.home[edge.right]
    if are_apart(g, left, right):
        return True
    if g.representatives[left] + g.representatives[right] > SAME_LINE * MOST_MAINLINES:
        return True
    if are_other_addresses(g.address[left], g.address[right]):
        return True
    while left != NOBODY:
        right = g.home[edge.right]
        while right != NOBODY:
            if exclude(s, g, left, right, with_gates) and not (
                g.has_decisions and (
                    exclude(s, g, left, edge.left, with_gates)
                    or exclude(s, g, right, edge.right, with_gates)
                )
            ):
                return True
            right = g.next_representative[right]
        left = g.next_representative[left]
    return False


cdef inline uint64_t group_states(const Groups *g, const Edge *edge) noexcept nogil:
    """Return a hash of the current members of the two groups; it changes with the last member."""
    cdef uint64_t left = g.home[edge.left]
    cdef uint64_t right = g.home[edge.right]
    return mixed(left << 32 | g.last[left]) + mixed(right << 32 | g.last[right])


cdef inline bint are_contradictory(
    const Search *s, Groups *g, const Edge *edge, bint with_gates
) noexcept nogil:
    """Call contradict() once per state of two groups, since many edges may join them."""
    cdef uint64_t states = group_states(g, edge)
    cdef uint32_t high = <uint32_t>(states >> 32)
    cdef uint32_t low = <uint32_t>states
    cdef bint is_refused
    if g.has_decisions:                # the answer then depends on the edge too
        return contradict(s, g, edge, with_gates)
    if has_pair(&g.refused[with_gates], high, low):
        return True
    if not with_gates and has_pair(&g.passed, high, low):
        return False
    is_refused = contradict(s, g, edge, with_gates)
    if (is_refused or not with_gates) and not add_pair(
        &g.refused[with_gates] if is_refused else &g.passed, high, low
    ):
        g.out_of_memory = True
    return is_refused


cdef inline void add_representative(
    const Search *s, Groups *g, uint32_t home, uint32_t member
) noexcept nogil:
    """Make a member a representative unless SAME_LINE representatives share its mainline."""
    cdef uint32_t at = home
    cdef uint32_t last = home
    cdef int same = 0
    while at != NOBODY:
        same += are_of_one_line(s.all, g.places.items[at], g.places.items[member])
        last = at
        at = g.next_representative[at]
    if same < SAME_LINE:
        g.next_representative[last] = member
        g.next_representative[member] = NOBODY
        g.representatives[home] += 1


cdef inline bint enter_decision(
    Search *s, uint32_t left, uint32_t right, bint is_same, Edges *edges
) noexcept nogil:
    """Add the user's decision on two places (left < right); return False if out of memory."""
    cdef PairSet *pairs = &s.same if is_same else &s.different
    if has_pair(pairs, left, right):
        return True
    if not add_pair(pairs, left, right):
        return False
    if is_same:
        return add_edge(edges, left, right, DECISION_SCORE, MATCH, RULE_DECIDED_SAME)
    return add_edge(edges, left, right, 0.0, NON_MATCH, RULE_DECIDED_DIFFERENT)


cdef inline void apply_decision(
    const Search *s, const Game *first, const Game *second, Judgement *judgement
) noexcept nogil:
    """Override the evidence with the user's decision on two games, which are in move order."""
    cdef uint32_t left = <uint32_t>(first - s.all.games)
    cdef uint32_t right = <uint32_t>(second - s.all.games)
    if has_pair(&s.different, left, right):
        decide(judgement, NON_MATCH, RULE_DECIDED_DIFFERENT)
    elif has_pair(&s.same, left, right):
        decide(judgement, MATCH, RULE_DECIDED_SAME)


cdef inline void unite(const Search *s, Groups *g, uint32_t a, uint32_t b) noexcept nogil:
    """Join two groups; members of the smaller group get the home of the larger."""
    cdef uint32_t member, following
    if g.size[a] < g.size[b] or (g.size[a] == g.size[b] and b < a):
        a, b = b, a
    member = b
    while member != NOBODY:
        g.home[member] = a
        member = g.next[member]
    member = b
    while member != NOBODY:
        following = g.next_representative[member]
        add_representative(s, g, a, member)
        member = following
    if g.address[a] == 0:
        g.address[a] = g.address[b]
    elif are_other_addresses(g.address[a], g.address[b]):
        g.address[a] = ANY_ADDRESS     # two addresses, joined by a decision of the user
    g.next[g.last[a]] = b
    g.last[a] = g.last[b]
    g.size[a] += g.size[b]


cdef inline bint are_one_record(const Game *a, const Game *b) noexcept nogil:
    """Return whether two sources have the same record: if one is ambiguous, so is the other."""
    return are_equal_records(a, b) or (a.content == b.content and a.source != b.source)


cdef inline void join_edges(const Search *s, Groups *g) noexcept nogil:
    """Make groups of the accepted edges; the edges are sorted.

    An ambiguous game is joined only with the same record in other sources.
    """
    cdef size_t i
    cdef const Edge *edge
    cdef uint32_t a, b
    clear_groups(s, g)
    for i in range(g.edge_count):
        edge = &g.edges[i]
        if edge.verdict != MATCH:
            break
        if (g.is_ambiguous[edge.left] or g.is_ambiguous[edge.right]) and not are_one_record(
            game_of(s, g, edge.left), game_of(s, g, edge.right)
        ):
            continue
        a = g.home[edge.left]
        b = g.home[edge.right]
        if a == b or are_apart(g, a, b):
            continue
        # An edge between two single games is already judged. The user's decision overrides a veto.
        if (
            edge.rule == RULE_DECIDED_SAME or (g.size[a] == 1 and g.size[b] == 1)
            or not are_contradictory(s, g, edge, True)
        ):
            unite(s, g, a, b)


cdef inline bint are_apart_by_gates(
    const Search *s, Groups *g, const Edge *edge
) noexcept nogil:
    """Return whether only the user's gates keep the groups of a match apart."""
    if edge.rule == RULE_OUTSIDE_GATES:
        return True
    if edge.verdict != MATCH or not (s.rules.has_named or s.rules.min_shorter):
        return False
    if g.is_ambiguous[edge.left] or g.is_ambiguous[edge.right]:
        return False
    return not are_contradictory(s, g, edge, False)


cdef inline bint find_ambiguous(const Search *s, Groups *g) noexcept nogil:
    """Mark games that match two groups about equally well; return False if there are none."""
    cdef size_t i
    cdef const Edge *edge
    cdef double margin = s.rules.weights.margin
    cdef bint has_new = False
    for i in range(g.edge_count):
        edge = &g.edges[i]
        if g.home[edge.left] == g.home[edge.right] and edge.rule != RULE_DECIDED_SAME:
            g.best[edge.left] = max(g.best[edge.left], edge.score)
            g.best[edge.right] = max(g.best[edge.right], edge.score)
    for i in range(g.edge_count):
        edge = &g.edges[i]
        if g.home[edge.left] == g.home[edge.right]:
            continue
        if edge.verdict != MATCH:
            break
        if edge.rule == RULE_DECIDED_SAME:
            continue
        if g.is_ambiguous[edge.left] or g.is_ambiguous[edge.right]:
            continue
        if are_apart(g, g.home[edge.left], g.home[edge.right]):
            continue
        if are_apart_by_gates(s, g, edge):
            continue                   # other versions of the same game, not another game
        if -1e299 < g.best[edge.left] < edge.score + margin and not g.decided[edge.left]:
            g.is_ambiguous[edge.left] = has_new = True
        if -1e299 < g.best[edge.right] < edge.score + margin and not g.decided[edge.right]:
            g.is_ambiguous[edge.right] = has_new = True
    return has_new


cdef inline uint32_t number_of(const Groups *g, uint32_t place) noexcept nogil:
    """Return the index of a place among the games of the component."""
    cdef size_t low = 0
    cdef size_t high = g.places.count
    cdef size_t middle
    while low < high:
        middle = (low + high) >> 1
        if g.places.items[middle] < place:
            low = middle + 1
        else:
            high = middle
    return <uint32_t>low


cdef inline bint list_places(Groups *g, const Edge *edges, size_t count) noexcept nogil:
    """List the games of some edges; return False if out of memory."""
    cdef size_t i, kept = 0
    g.places.count = 0
    for i in range(count):
        if not (
            add_number_to(&g.places, edges[i].left) and add_number_to(&g.places, edges[i].right)
        ):
            return False
    sort_part(g.places.items, g.places.count, PLACE_BITS)
    for i in range(g.places.count):
        if i == 0 or g.places.items[i] != g.places.items[kept - 1]:
            g.places.items[kept] = g.places.items[i]
            kept += 1
    g.places.count = kept
    return True


cdef inline bint load_component(Groups *g, const Edge *edges, size_t count) noexcept nogil:
    """Load the edges of a component, in any order; return False if out of memory."""
    cdef Edge *edge
    cdef size_t i
    if not list_places(g, edges, count) or not reserve_members(g, g.places.count):
        return False
    if not (
        reserve(<void **>&g.edges, &g.edge_room, count, sizeof(Edge))
        and reserve(<void **>&g.apart, &g.apart_room, count, sizeof(Edge))
    ):
        return False
    memset(g.is_ambiguous, 0, g.places.count)
    memset(g.decided, 0, g.places.count)
    memset(g.partners, 0, g.places.count * sizeof(uint32_t))
    g.edge_count = g.apart_count = 0
    g.has_decisions = False
    for i in range(count):
        if edges[i].verdict == NON_MATCH:
            edge = &g.apart[g.apart_count]
            g.apart_count += 1
        else:
            edge = &g.edges[g.edge_count]
            g.edge_count += 1
        edge[0] = edges[i]
        edge.left = number_of(g, edges[i].left)
        edge.right = number_of(g, edges[i].right)
        if edge.rule == RULE_DECIDED_SAME:
            g.decided[edge.left] = g.decided[edge.right] = g.has_decisions = True
    sort_few_records(g.edges, g.edge_count, sizeof(Edge), by_certainty)
    return True


cdef inline void make_groups(const Search *s, Groups *g) noexcept nogil:
    """Join all edges, exclude ambiguous games, and repeat until no more are found."""
    cdef int _round
    for _round in range(MOST_ROUNDS):
        join_edges(s, g)
        if not find_ambiguous(s, g):
            return
    join_edges(s, g)
