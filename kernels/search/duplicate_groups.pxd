"""Group the edges of one component, strongest first; contradicting games never share a group.

Union-find with a veto (Kruskal's order). A duplicate that matches two contradicting games joins the
group that it matches clearly better, or no group. The result depends only on scores and contents,
not on the order of the input. Games of two components share no edge, so each component is a
separate task. Within a component, a game is identified by its member number, in move order.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from blocking_keys cimport INDEX_BITS
from candidate_pairs cimport Edge, Edges, PairSet, Search, add_edge, add_pair, has_pair
from evidence cimport (
    MATCH, NON_MATCH, RELATION_NONE, RULE_DECIDED_DIFFERENT, RULE_DECIDED_SAME, RULE_OUTSIDE_GATES,
    RULE_SAME_ADDRESS, Judgement, decide, judge,
)
from game_record cimport (
    ANY_ADDRESS, ONLY_ADDRESS, Game, are_equal_records, are_of_one_line, are_other_addresses,
    count_below, mixed,
)
from memory cimport reserve
from sorted_numbers cimport (
    Numbers, add_number_to, free_numbers, order_of, sort_few_records, sort_part,
)
from thresholds cimport DECISION_SCORE, MOST_MAINLINES, MOST_ROUNDS, SAME_LINE

cdef enum:
    NOBODY = 0xFFFFFFFF

ctypedef struct GroupGame:
    double best                # highest score of its edges within its group
    uint64_t address           # of a home: the only address that its games can have, 0 if unknown
    uint32_t home              # its group, named by the group's first member
    uint32_t next              # linked list of the members of a group, NOBODY at its end
    uint32_t last              # of a home
    uint32_t size              # of a home
    uint32_t next_compared             # linked list of members that are compared
    uint32_t compared_count    # of a home: number of members that are compared
    uint32_t possible_count    # of a home: number of possible duplicates listed so far
    bint is_ambiguous          # matches two groups about equally well
    bint is_decided            # the user decided which group the game belongs to

ctypedef struct Groups:
    Numbers indexes            # of the games of the component, rising
    GroupGame *games           # by member
    size_t capacity
    Edge *edges                # between members, strongest first
    size_t edge_count
    size_t edge_capacity
    Edge *different            # pairs that the user declared non-matches
    size_t different_count
    size_t different_capacity
    PairSet refused[2]         # states of two contradicting groups; [1]: also by the user's gates
    PairSet passed             # states of two groups that do not contradict, user's gates ignored
    PairSet listed             # pairs of groups whose strongest edge is processed
    bint has_decisions         # the user declared at least one match


cdef inline void forget_answers(Groups *g) noexcept nogil:
    free(g.refused[0].slots)
    free(g.refused[1].slots)
    free(g.passed.slots)
    free(g.listed.slots)
    memset(&g.listed, 0, sizeof(PairSet))
    memset(g.refused, 0, sizeof(g.refused))
    memset(&g.passed, 0, sizeof(PairSet))


cdef inline void close_groups(Groups *g) noexcept nogil:
    free(g.games)
    free_numbers(&g.indexes)
    free(g.edges)
    free(g.different)
    forget_answers(g)


cdef inline const Game *game_of(const Search *s, const Groups *g, uint32_t number) noexcept nogil:
    return &s.all.games[g.indexes.items[number]]


cdef inline void clear_groups(const Search *s, Groups *g) noexcept nogil:
    cdef GroupGame *game
    cdef size_t i
    cdef uint64_t address
    if g.refused[0].capacity or g.refused[1].capacity or g.passed.capacity or g.listed.capacity:
        forget_answers(g)
    for i in range(g.indexes.count):
        game = &g.games[i]
        game.home = game.last = <uint32_t>i
        game.next = game.next_compared = NOBODY
        game.size = game.compared_count = 1
        game.best = -1e300
        address = game_of(s, g, <uint32_t>i).address
        game.address = address if address & ONLY_ADDRESS else 0


cdef inline int by_certainty(const void *a, const void *b) noexcept nogil:
    cdef const Edge *left = <const Edge *>a
    cdef const Edge *right = <const Edge *>b
    return (
        order_of(right.verdict, left.verdict) or order_of(right.score, left.score)
        or order_of(left.left, right.left) or order_of(left.right, right.right)
    )


cdef inline bint are_declared_different(const Groups *g, uint32_t a, uint32_t b) noexcept nogil:
    """Return whether the user declared members of the two groups to be different games."""
    cdef size_t i
    cdef uint32_t left, right
    for i in range(g.different_count):
        left = g.games[g.different[i].left].home
        right = g.games[g.different[i].right].home
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
    if are_other_addresses(game_of(s, g, left).address, game_of(s, g, right).address):
        return True
    judge(
        s.all, &s.rules, &s.standard, game_of(s, g, min(left, right)),
        game_of(s, g, max(left, right)), True, NULL, &judgement,
    )
    if judgement.relation == RELATION_NONE or (with_gates and judgement.refused):
        return True
    return judgement.rule != RULE_SAME_ADDRESS and judgement.score < s.rules.weights.contradiction


cdef inline bint contradict(
    const Search *s, const Groups *g, const Edge *edge, bint with_gates
) noexcept nogil:
    """Return whether the two groups that an edge would join have contradicting members.

    User decisions come first. If members of a group contradict each other but the user declared
    them a match, they cannot veto games that join through the other member.
    """
    cdef uint32_t left = g.games[edge.left].home
    cdef uint32_t right = g.games[edge.right].home
    if are_declared_different(g, left, right):
        return True
    if g.games[left].compared_count + g.games[right].compared_count > SAME_LINE * MOST_MAINLINES:
        return True
    if are_other_addresses(g.games[left].address, g.games[right].address):
        return True
    while left != NOBODY:
        right = g.games[edge.right].home
        while right != NOBODY:
            if exclude(s, g, left, right, with_gates) and not (
                g.has_decisions and (
                    exclude(s, g, left, edge.left, with_gates)
                    or exclude(s, g, right, edge.right, with_gates)
                )
            ):
                return True
            right = g.games[right].next_compared
        left = g.games[left].next_compared
    return False


cdef inline uint64_t group_states(const Groups *g, const Edge *edge) noexcept nogil:
    """Return a hash of the current members of two groups; each new member changes it."""
    cdef uint64_t left = g.games[edge.left].home
    cdef uint64_t right = g.games[edge.right].home
    return mixed(left << 32 | g.games[left].last) + mixed(right << 32 | g.games[right].last)


cdef inline bint are_contradictory(
    const Search *s, Groups *g, const Edge *edge, bint with_gates
) except -1 nogil:
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
    if is_refused or not with_gates:
        add_pair(&g.refused[with_gates] if is_refused else &g.passed, high, low)
    return is_refused


cdef inline void add_compared(
    const Search *s, Groups *g, uint32_t home, uint32_t member
) noexcept nogil:
    """Compare a member with later groups unless SAME_LINE compared members share its mainline."""
    cdef uint32_t at = home, last = home
    cdef int same = 0
    while at != NOBODY:
        same += are_of_one_line(s.all, g.indexes.items[at], g.indexes.items[member])
        last = at
        at = g.games[at].next_compared
    if same < SAME_LINE:
        g.games[last].next_compared = member
        g.games[member].next_compared = NOBODY
        g.games[home].compared_count += 1


cdef inline int enter_decision(
    Search *s, uint32_t left, uint32_t right, bint is_same, Edges *edges
) except -1 nogil:
    """Add the user's decision on two indexes (left < right)."""
    cdef PairSet *pairs = &s.same if is_same else &s.different
    if has_pair(pairs, left, right):
        return 0
    add_pair(pairs, left, right)
    if is_same:
        return add_edge(edges, left, right, DECISION_SCORE, MATCH, RULE_DECIDED_SAME)
    add_edge(edges, left, right, 0.0, NON_MATCH, RULE_DECIDED_DIFFERENT)


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
    if g.games[a].size < g.games[b].size or (g.games[a].size == g.games[b].size and b < a):
        a, b = b, a
    member = b
    while member != NOBODY:
        g.games[member].home = a
        member = g.games[member].next
    member = b
    while member != NOBODY:
        following = g.games[member].next_compared
        add_compared(s, g, a, member)
        member = following
    if g.games[a].address == 0:
        g.games[a].address = g.games[b].address
    elif are_other_addresses(g.games[a].address, g.games[b].address):
        g.games[a].address = ANY_ADDRESS     # two addresses, united by a decision of the user
    g.games[g.games[a].last].next = b
    g.games[a].last = g.games[b].last
    g.games[a].size += g.games[b].size


cdef inline bint are_one_record(const Game *a, const Game *b) noexcept nogil:
    """Return whether two sources have the same record, which is ambiguous in both or in neither."""
    return are_equal_records(a, b) or (a.content == b.content and a.source != b.source)


cdef inline bint is_ambiguous(const Groups *g, const Edge *edge) noexcept nogil:
    return g.games[edge.left].is_ambiguous or g.games[edge.right].is_ambiguous


cdef inline int unite_matches(const Search *s, Groups *g) except -1 nogil:
    """Make groups of the accepted edges; the edges are sorted.

    An ambiguous game is united only with the same record in other sources.
    """
    cdef size_t i
    cdef const Edge *edge
    cdef uint32_t a, b
    clear_groups(s, g)
    for i in range(g.edge_count):
        edge = &g.edges[i]
        if edge.verdict != MATCH:
            break
        if is_ambiguous(g, edge) and not are_one_record(
            game_of(s, g, edge.left), game_of(s, g, edge.right)
        ):
            continue
        a = g.games[edge.left].home
        b = g.games[edge.right].home
        if a == b or are_declared_different(g, a, b):
            continue
        # An edge between two single games is already judged. The user's decision overrides a veto.
        if (
            edge.rule == RULE_DECIDED_SAME or (g.games[a].size == 1 and g.games[b].size == 1)
            or not are_contradictory(s, g, edge, True)
        ):
            unite(s, g, a, b)


cdef inline bint are_separated_by_gates(
    const Search *s, Groups *g, const Edge *edge
) except -1 nogil:
    """Return whether only the user's gates separate the groups of a match."""
    if edge.rule == RULE_OUTSIDE_GATES:
        return True
    if edge.verdict != MATCH or not (s.rules.has_user_gates or s.rules.min_shorter):
        return False
    if is_ambiguous(g, edge):
        return False
    return not are_contradictory(s, g, edge, False)


cdef inline bint find_ambiguous(const Search *s, Groups *g) except -1 nogil:
    """Mark games that match two groups about equally well; return False if there are none."""
    cdef size_t i
    cdef const Edge *edge
    cdef GroupGame *ends[2]
    cdef int k
    cdef bint has_new = False
    for i in range(g.edge_count):
        edge = &g.edges[i]
        ends[0], ends[1] = &g.games[edge.left], &g.games[edge.right]
        if ends[0].home == ends[1].home and edge.rule != RULE_DECIDED_SAME:
            ends[0].best = max(ends[0].best, edge.score)
            ends[1].best = max(ends[1].best, edge.score)
    for i in range(g.edge_count):
        edge = &g.edges[i]
        ends[0], ends[1] = &g.games[edge.left], &g.games[edge.right]
        if ends[0].home == ends[1].home:
            continue
        if edge.verdict != MATCH:
            break
        if edge.rule == RULE_DECIDED_SAME or is_ambiguous(g, edge):
            continue
        if are_declared_different(g, ends[0].home, ends[1].home):
            continue
        if are_separated_by_gates(s, g, edge):
            continue                   # other versions of the same game, not another game
        for k in range(2):
            if not ends[k].is_decided and (
                -1e299 < ends[k].best < edge.score + s.rules.weights.margin
            ):
                ends[k].is_ambiguous = has_new = True
    return has_new


cdef inline uint32_t member_of(const Groups *g, uint32_t index) noexcept nogil:
    """Return the member number of a game of the component."""
    return <uint32_t>count_below(<const int64_t *>g.indexes.items, g.indexes.count, index)


cdef inline int list_members(Groups *g, const Edge *edges, size_t count) except -1 nogil:
    """List the games of edges."""
    cdef size_t i, kept = 0
    g.indexes.count = 0
    for i in range(count):
        add_number_to(&g.indexes, edges[i].left)
        add_number_to(&g.indexes, edges[i].right)
    sort_part(g.indexes.items, g.indexes.count, INDEX_BITS)
    for i in range(g.indexes.count):
        if i == 0 or g.indexes.items[i] != g.indexes.items[kept - 1]:
            g.indexes.items[kept] = g.indexes.items[i]
            kept += 1
    g.indexes.count = kept


cdef inline int load_component(Groups *g, const Edge *edges, size_t count) except -1 nogil:
    """Load the edges of a component, in any order."""
    cdef Edge *edge
    cdef size_t i
    list_members(g, edges, count)
    reserve(<void **>&g.games, &g.capacity, g.indexes.count, sizeof(GroupGame))
    reserve(<void **>&g.edges, &g.edge_capacity, count, sizeof(Edge))
    reserve(<void **>&g.different, &g.different_capacity, count, sizeof(Edge))
    memset(g.games, 0, g.indexes.count * sizeof(GroupGame))
    g.edge_count = g.different_count = 0
    g.has_decisions = False
    for i in range(count):
        if edges[i].verdict == NON_MATCH:
            edge = &g.different[g.different_count]
            g.different_count += 1
        else:
            edge = &g.edges[g.edge_count]
            g.edge_count += 1
        edge[0] = edges[i]
        edge.left = member_of(g, edges[i].left)
        edge.right = member_of(g, edges[i].right)
        if edge.rule == RULE_DECIDED_SAME:
            g.games[edge.left].is_decided = g.games[edge.right].is_decided = g.has_decisions = True
    sort_few_records(g.edges, g.edge_count, sizeof(Edge), by_certainty)


cdef inline int make_groups(const Search *s, Groups *g) except -1 nogil:
    """Unite games by all edges, exclude ambiguous games, and repeat until there are no more."""
    cdef int _round
    for _round in range(MOST_ROUNDS):
        unite_matches(s, g)
        if not find_ambiguous(s, g):
            return 0
    unite_matches(s, g)
