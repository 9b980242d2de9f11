"""Candidate pairs and their verdicts: those worth keeping become edges between games.

Games that share a key are compared each with each if they are few; if they are many, the key says
little, and only neighbours in the order of moves are compared, with those that they continue.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from copy_evidence cimport KIND_NONE, MATCH, NON_MATCH, Judgement, Rules, judge
from copy_game cimport (
    OPENING_PLIES, Game, Games, mixed, ocg_fetch, reserve,
    share_address, shared_start,
)
from copy_keys cimport AHEAD, PLACE_BITS, Keys, place_in
from position cimport Position

cdef enum:
    MOST_OF_MOVES = 16         # games of a key by moves that are compared each with each
    MOST_OF_PLAYERS = 24       # of a key by players
    NEIGHBOURS = 3             # that are compared where there are more
    SHORT = 44                 # plies up to which a slip or a transposition leaves no common run
    LONG = 90                  # plies from which on a copy is met by its moves
    SURE = 1000                # added to the score of a match by address: above all sums
    ANCESTORS = 8              # starts of a game that are looked for before it

ctypedef struct Edge:
    double score
    uint32_t left              # places of games, left < right
    uint32_t right
    uint8_t verdict            # MATCH or POSSIBLE_MATCH
    uint8_t rule

ctypedef struct PairSet:
    uint64_t *slots            # left << 32 | right; 0 is free: no game is paired with itself
    size_t count
    size_t room                # a power of two

ctypedef struct Search:
    Games all
    Rules rules
    Position standard
    PairSet seen
    PairSet same               # pairs that the user said are one game
    PairSet different          # and two games
    Edge *edges
    size_t edge_count
    size_t edge_room
    uint64_t judged
    bint out_of_memory


cdef inline bint grow_pairs(PairSet *pairs) noexcept nogil:
    cdef size_t room = 2 * pairs.room if pairs.room else 1 << 12
    cdef uint64_t *slots = <uint64_t *>calloc(room, sizeof(uint64_t))
    cdef size_t i, at
    if slots == NULL:
        return False
    for i in range(pairs.room):
        if pairs.slots[i]:
            at = mixed(pairs.slots[i]) & (room - 1)
            while slots[at]:
                at = (at + 1) & (room - 1)
            slots[at] = pairs.slots[i]
    free(pairs.slots)
    pairs.slots = slots
    pairs.room = room
    return True


cdef inline bint has_pair(const PairSet *pairs, uint32_t left, uint32_t right) noexcept nogil:
    cdef uint64_t pair = <uint64_t>left << 32 | right
    cdef size_t at
    if not pairs.room:
        return False
    at = mixed(pair) & (pairs.room - 1)
    while pairs.slots[at]:
        if pairs.slots[at] == pair:
            return True
        at = (at + 1) & (pairs.room - 1)
    return False


cdef inline bint add_pair(PairSet *pairs, uint32_t left, uint32_t right) noexcept nogil:
    """Add a pair that is not there yet; False if there is no memory."""
    cdef uint64_t pair = <uint64_t>left << 32 | right
    cdef size_t at
    if 2 * pairs.count >= pairs.room and not grow_pairs(pairs):
        return False
    at = mixed(pair) & (pairs.room - 1)
    while pairs.slots[at]:
        at = (at + 1) & (pairs.room - 1)
    pairs.slots[at] = pair
    pairs.count += 1
    return True


cdef inline void add_edge(
    Search *s, uint32_t left, uint32_t right, double score, int verdict, int rule
) noexcept nogil:
    if not reserve(<void **>&s.edges, &s.edge_room, s.edge_count + 1, sizeof(Edge)):
        s.out_of_memory = True
        return
    s.edges[s.edge_count].left = left
    s.edges[s.edge_count].right = right
    s.edges[s.edge_count].score = score
    s.edges[s.edge_count].verdict = verdict
    s.edges[s.edge_count].rule = rule
    s.edge_count += 1


cdef inline double by_address(
    const Search *s, uint32_t left, uint32_t right, int verdict
) noexcept nogil:
    """Return what a match has above its sum for an address in common: it goes before all sums."""
    if verdict == MATCH and share_address(&s.all.games[left], &s.all.games[right]):
        return SURE
    return 0.0


cdef inline void try_pair(Search *s, uint32_t left, uint32_t right) noexcept nogil:
    """Judge two games, left before right in order, unless they have been."""
    cdef Judgement found
    if left == right or has_pair(&s.seen, left, right):
        return
    s.judged += 1
    judge(&s.all, &s.rules, &s.standard, &s.all.games[left], &s.all.games[right], False, &found)
    if found.kind == KIND_NONE:
        return
    if not add_pair(&s.seen, left, right):
        s.out_of_memory = True
    if found.verdict != NON_MATCH:
        found.score += by_address(s, left, right, found.verdict)
        add_edge(s, left, right, found.score, found.verdict, found.rule)


cdef inline bint continues(const Games *all, const Game *start, const Game *game) noexcept nogil:
    """Tell if `start` is the start of `game`, or equal to it."""
    if start.line == game.line:
        return True
    if start.start != game.start or start.plies > game.plies:
        return False
    return shared_start(all, start, game) == <int>start.plies


cdef inline void try_neighbours(Search *s, const uint64_t *keys, size_t count) noexcept nogil:
    """Compare each game of a large set with a few before it, and with those it continues."""
    cdef uint32_t ancestors[ANCESTORS]
    cdef uint32_t place
    cdef int depth = 0
    cdef size_t i, k
    for i in range(count):
        place = place_in(keys[i])
        for k in range(1, NEIGHBOURS + 1):
            if k <= i:
                try_pair(s, place_in(keys[i - k]), place)
        while depth and not continues(
            &s.all, &s.all.games[ancestors[depth - 1]], &s.all.games[place]
        ):
            depth -= 1
        for k in range(<size_t>depth):
            try_pair(s, ancestors[k], place)
        if depth and s.all.games[ancestors[depth - 1]].line == s.all.games[place].line:
            continue
        if depth < ANCESTORS:
            ancestors[depth] = place
            depth += 1


cdef inline bint share_opening(const Game *left, const Game *right) noexcept nogil:
    """Tell if one of the first four pieces of four plies is the same in both."""
    cdef uint64_t different = left.opening ^ right.opening
    if left.plies < OPENING_PLIES or right.plies < OPENING_PLIES or left.start != right.start:
        return True
    # Is one of four 16-bit lanes zero?
    return (
        (different - <uint64_t>0x0001000100010001) & ~different & <uint64_t>0x8000800080008000
    ) != 0


cdef inline bint needs_players(const Game *left, const Game *right) noexcept nogil:
    """Tell if only their players can bring two games together that may be one.

    Long ones nearly always share a run of moves that is a key, whatever slips they have.
    """
    if left.plies > LONG and right.plies > LONG:
        return False
    if left.date == right.date and min(left.plies, right.plies) <= SHORT:
        return True
    return share_opening(left, right)


cdef inline void try_few(
    Search *s, const uint64_t *keys, size_t count, bint by_players
) noexcept nogil:
    """Compare each game of a small set with each, as far as that is new."""
    cdef const Game *games = s.all.games
    cdef uint32_t a, b
    cdef size_t left, right
    for right in range(1, count):
        b = place_in(keys[right])
        for left in range(right):
            a = place_in(keys[left])
            if by_players:
                if needs_players(&games[a], &games[b]):
                    try_pair(s, a, b)
            elif games[a].line != games[b].line:      # else try_equal_games() has done it
                try_pair(s, a, b)


cdef inline void try_keys(
    Search *s, const Keys *keys, size_t most, bint by_players
) noexcept nogil:
    """Compare games that share a key; the keys are sorted."""
    cdef size_t first = 0
    cdef size_t i
    cdef uint64_t ahead
    for i in range(1, keys.count + 1):
        if i + 2 * AHEAD + 1 < keys.count:
            ahead = keys.keys[i + 2 * AHEAD]
            if (
                ahead >> PLACE_BITS == keys.keys[i + 2 * AHEAD - 1] >> PLACE_BITS
                or ahead >> PLACE_BITS == keys.keys[i + 2 * AHEAD + 1] >> PLACE_BITS
            ):
                ocg_fetch(&s.all.games[place_in(ahead)].plies)
        if i < keys.count and keys.keys[i] >> PLACE_BITS == keys.keys[first] >> PLACE_BITS:
            continue
        if i - first > most:
            try_neighbours(s, keys.keys + first, i - first)
        elif i - first > 1:
            try_few(s, keys.keys + first, i - first, by_players)
        first = i


cdef inline void try_equal_games(Search *s) noexcept nogil:
    """Compare games of one mainline, which stand together."""
    cdef size_t first = 0
    cdef size_t i, left, right
    for i in range(1, s.all.count + 1):
        if i < s.all.count and s.all.games[i].line == s.all.games[first].line:
            continue
        # Without moves it takes the same players to be a candidate at all.
        if s.all.games[first].plies:
            for right in range(first + 1, i):
                left = first
                if i - first > MOST_OF_PLAYERS and right - first > NEIGHBOURS:
                    left = right - NEIGHBOURS
                while left < right:
                    try_pair(s, <uint32_t>left, <uint32_t>right)
                    left += 1
        first = i
