"""Candidate pairs as numbers, and their verdicts: matches and possible matches become edges.

If few games share a key, all of them are paired with each other. If many games share it, the key
proves little: each game is paired only with its neighbours in move order and with the games that it
continues.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from blocking_keys cimport AHEAD, INDEX_BITS, index_of_key
from evidence cimport MATCH, NON_MATCH, Judgement, Rules, judge
from game_record cimport (
    LINE_IS_OPEN, MARK_HAS_MORE_THEORY, MARK_IS_NEW, MARK_IS_OPEN, MARK_IS_TOUCHED, Game,
    GameSummary, Games, are_of_covered_line, are_of_one_line, mixed, ocg_prefetch, prefetch_game,
    prefetch_moves, prefetch_name, prefetch_text, prefetch_words_of, share_address, summary_of,
)
from memory cimport allocate_zeros, append_items, new_item
from pair_memo cimport Memo, RecordAnswer, answer_for
from position cimport Position
from sorted_numbers cimport (
    Buckets, Numbers, add_number, add_number_to, free_numbers, has_number,
)
from thresholds cimport (
    ADDRESS_SCORE, ANCESTORS, LONG_PLIES, MOST_OF_MOVES, MOST_OF_PLAYERS, NEIGHBOURS, OPENING_PLIES,
    SHORT_PLIES,
)

cdef enum:
    PAIRS_AHEAD = 4            # pairs between two steps of prefetching
    # A pair as a number: the bucket of the later index, the earlier index, the remaining bits of
    # the later index, and the condition of the pair. So a bucket lists the earlier games in order,
    # and the later games are close together in memory.
    CONDITION_BITS = 2
    ALWAYS = 0
    IF_PLAYERS_ARE_NEEDED = 1  # see needs_players()
    IS_FRESH = 2               # the previous search may not have had this pair

ctypedef struct Edge:
    double score
    uint32_t left              # indexes of games, left < right
    uint32_t right
    uint8_t verdict            # MATCH or POSSIBLE_MATCH; NON_MATCH: declared by the user
    uint8_t rule

ctypedef struct Edges:
    Edge *items
    size_t count
    size_t capacity
    uint64_t judged            # pairs whose moves were compared

ctypedef struct PairSet:
    uint64_t *slots            # left << 32 | right; 0 is free, since no game is paired with itself
    size_t count
    size_t capacity            # a power of two

ctypedef struct Search:
    Games *all
    Rules rules
    Position standard
    Edges previous             # of the previous search, by number_of(); see previous_verdicts.pxd
    PairSet same               # pairs that the user declared matches
    PairSet different          # pairs that the user declared non-matches


cdef inline uint64_t *slot_of_pair(const PairSet *pairs, uint64_t pair) noexcept nogil:
    """Return the slot of a pair, or the free slot where it belongs; there must be one."""
    cdef size_t at = mixed(pair) & (pairs.capacity - 1)
    while pairs.slots[at] and pairs.slots[at] != pair:
        at = (at + 1) & (pairs.capacity - 1)
    return &pairs.slots[at]


cdef inline int grow_pairs(PairSet *pairs) except -1 nogil:
    cdef PairSet larger
    cdef size_t i
    larger.count = pairs.count
    larger.capacity = 2 * pairs.capacity if pairs.capacity else 1 << 4
    larger.slots = <uint64_t *>allocate_zeros(larger.capacity, sizeof(uint64_t))
    for i in range(pairs.capacity):
        if pairs.slots[i]:
            slot_of_pair(&larger, pairs.slots[i])[0] = pairs.slots[i]
    free(pairs.slots)
    pairs[0] = larger


cdef inline bint has_pair(const PairSet *pairs, uint32_t left, uint32_t right) noexcept nogil:
    return pairs.capacity != 0 and slot_of_pair(pairs, <uint64_t>left << 32 | right)[0] != 0


cdef inline int add_pair(PairSet *pairs, uint32_t left, uint32_t right) except -1 nogil:
    """Add a pair that is not in the set yet."""
    if 2 * pairs.count >= pairs.capacity:
        grow_pairs(pairs)
    slot_of_pair(pairs, <uint64_t>left << 32 | right)[0] = <uint64_t>left << 32 | right
    pairs.count += 1


cdef inline int add_edge(
    Edges *edges, uint32_t left, uint32_t right, double score, int verdict, int rule
) except -1 nogil:
    cdef Edge *edge
    edge = <Edge *>new_item(<void **>&edges.items, &edges.count, &edges.capacity, sizeof(Edge))
    edge[0] = Edge(score, left, right, <uint8_t>verdict, <uint8_t>rule)


cdef inline int append_edges(Edges *to, const Edges *more) except -1 nogil:
    to.judged += more.judged
    return append_items(
        <void **>&to.items, &to.count, &to.capacity, more.items, more.count, sizeof(Edge)
    )


cdef inline double by_address(
    const Search *s, uint32_t left, uint32_t right, int verdict
) noexcept nogil:
    """Return the bonus of a match by a common address, which ranks it above all sums."""
    if verdict == MATCH and share_address(&s.all.games[left], &s.all.games[right]):
        return ADDRESS_SCORE
    return 0.0


# --- candidate pairs ----------------------------------------------------------------------------

cdef inline uint64_t number_of(const Games *all, uint32_t left, uint32_t right) noexcept nogil:
    """Return a pair as a number, without its condition."""
    cdef uint64_t number = <uint64_t>(right >> all.low_bits) << INDEX_BITS | left
    return number << all.low_bits | (right & ((1 << all.low_bits) - 1))


cdef inline bint may_change(const Games *all, uint32_t left, uint32_t right) noexcept nogil:
    """Return whether a candidate pair of the previous search may get another verdict."""
    cdef int both = all.marks[left] & all.marks[right]
    return both & MARK_IS_OPEN or (all.marks[left] | all.marks[right]) & MARK_IS_TOUCHED


cdef inline int add_candidate(
    const Games *all, Buckets *pairs, uint32_t left, uint32_t right, int condition
) except -1 nogil:
    """Add a pair, left before right; a pair whose verdict is settled may be left out."""
    if (
        all.skips_settled and not may_change(all, left, right)
        and (condition != IS_FRESH or is_paired_in_line(all, left, right))
    ):
        return 0
    add_number(pairs, number_of(all, left, right) << CONDITION_BITS | condition)


cdef inline bint share_opening(const GameSummary *left, const GameSummary *right) noexcept nogil:
    """Return whether one of the first four blocks of four plies is equal in both games."""
    cdef uint64_t different = left.opening ^ right.opening
    if left.start != right.start:
        return True
    if min(left.date_and_plies & 0xFF, right.date_and_plies & 0xFF) < OPENING_PLIES:
        return True
    # True if one of four 16-bit lanes is zero.
    return (
        (different - <uint64_t>0x0001000100010001) & ~different & <uint64_t>0x8000800080008000
    ) != 0


cdef inline bint needs_players(const GameSummary *left, const GameSummary *right) noexcept nogil:
    """Return whether only blocking keys of players can pair two games that may match.

    Long duplicates nearly always share a run of moves that is a key, even if they have slips.
    """
    cdef uint32_t shorter = min(left.date_and_plies & 0xFF, right.date_and_plies & 0xFF)
    if shorter > LONG_PLIES:
        return False
    if shorter <= SHORT_PLIES and (left.date_and_plies ^ right.date_and_plies) >> 8 == 0:
        return True
    return share_opening(left, right)


cdef inline int pair_by_players(
    const Games *all, Buckets *pairs, uint32_t left, uint32_t right, int condition
) except -1 nogil:
    """Add a pair that shares a key of players, unless it is known not to need players.

    If the games are not in memory, this is checked when the pair is judged, in move order.
    """
    if all.summaries == NULL:
        return add_candidate(all, pairs, left, right, IF_PLAYERS_ARE_NEEDED)
    if needs_players(&all.summaries[left], &all.summaries[right]):
        add_candidate(all, pairs, left, right, condition)


cdef inline bint may_pair_anew(
    const Games *all, const uint64_t *keys, size_t count, size_t most
) noexcept nogil:
    """Return whether the previous search may not have paired two earlier games of a set.

    New games move earlier games apart. So games that are neighbours in a set of more than `most`
    games were neighbours in the previous search too, unless the set was smaller then, or an earlier
    game has left it. In a few
    mainlines the new first game has another stored last position than the previous first game,
    which changes the sets of both keys.
    """
    cdef size_t earlier = 0, i
    cdef uint32_t index, line
    if all.marks == NULL:
        return False
    if has_number(all.left, all.left_count, keys[0] >> INDEX_BITS):
        return True
    for i in range(count):
        index = index_of_key(keys[i])
        if all.marks[index] & MARK_IS_NEW:
            continue
        earlier += 1
        line = all.lines[index] & ~<uint32_t>LINE_IS_OPEN
        if (
            all.marks[line] & MARK_IS_NEW
            and all.games[line].final_key != all.games[index].final_key
        ):
            return True
    return earlier <= most < count


cdef inline int pair_neighbours(
    const Games *all, const uint64_t *keys, size_t count, int condition, Buckets *pairs
) except -1 nogil:
    """Pair each game of a large set with a few neighbours before it, and with games it continues.

    The neighbours depend on the whole set.
    """
    cdef uint32_t ancestors[ANCESTORS]
    cdef uint32_t index
    cdef int depth = 0
    cdef size_t i, k
    for i in range(count):
        index = index_of_key(keys[i])
        for k in range(1, NEIGHBOURS + 1):
            if k <= i and index_of_key(keys[i - k]) != index:
                add_candidate(all, pairs, index_of_key(keys[i - k]), index, condition)
        while depth and all.ends[ancestors[depth - 1]] <= index:
            depth -= 1
        for k in range(<size_t>depth):
            if ancestors[k] != index:
                add_candidate(all, pairs, ancestors[k], index, condition)
        if depth and are_of_one_line(all, ancestors[depth - 1], index):
            continue
        if depth < ANCESTORS:
            ancestors[depth] = index
            depth += 1


cdef inline int pair_few(
    const Games *all, const uint64_t *keys, size_t count, bint by_players, int condition,
    Buckets *pairs,
) except -1 nogil:
    """Pair all games of a small set, except pairs that pair_equal_games() makes."""
    cdef uint32_t a, b
    cdef size_t left, right
    for right in range(1, count):
        b = index_of_key(keys[right])
        for left in range(right):
            a = index_of_key(keys[left])
            if a == b:
                continue
            if by_players:
                if not are_of_covered_line(all, a, b):
                    pair_by_players(all, pairs, a, b, condition)
            elif not are_of_one_line(all, a, b):
                add_candidate(all, pairs, a, b, condition)


cdef inline void prefetch_index(const Games *all, uint32_t index) noexcept nogil:
    ocg_prefetch(&all.lines[index])
    if all.summaries != NULL:
        ocg_prefetch(&all.summaries[index])


cdef inline int pair_set(
    const Games *all, const uint64_t *keys, size_t count, bint by_players, Buckets *pairs
) except -1 nogil:
    """Pair the games that share one key."""
    cdef size_t most = MOST_OF_PLAYERS if by_players else MOST_OF_MOVES
    cdef int condition
    if count < 2:
        return 0
    condition = IS_FRESH if may_pair_anew(all, keys, count, most) else ALWAYS
    if count > most:
        return pair_neighbours(all, keys, count, condition, pairs)
    pair_few(all, keys, count, by_players, condition, pairs)


cdef inline int add_games_of_lines(
    const Games *all, const uint64_t *keys, size_t count, Numbers *whole
) except -1 nogil:
    """List the games of a set; the first game of a mainline stands for all its games.

    Nothing is listed if the games are of one mainline and pair_equal_games() makes all their pairs.
    """
    cdef size_t first = 0, i, line, end, index, _k
    whole.count = 0
    line = index_of_key(keys[0])
    if not all.lines[line] & LINE_IS_OPEN and are_of_one_line(
        all, line, index_of_key(keys[count - 1])
    ):
        return 0
    for i in range(1, count + 1):
        line = index_of_key(keys[first])
        if i < count and index_of_key(keys[i]) == line:
            continue                   # a key that a game has twice
        end = line + 1
        if all.lines[line] & ~<uint32_t>LINE_IS_OPEN == line:
            while end < all.count and are_of_one_line(all, line, end):
                end += 1
        # Else the key belongs to this game alone: its stored last position differs.
        for index in range(line, end):
            if whole.count and index <= index_of_key(whole.items[whole.count - 1]):
                continue               # listed with its mainline
            for _k in range(first, i):
                add_number_to(whole, keys[first] >> INDEX_BITS << INDEX_BITS | index)
        first = i


cdef inline int pair_by_keys(
    const Games *all, const Numbers *keys, bint by_players, bint by_line, Buckets *pairs
) except -1 nogil:
    """Pair games that share a key; the keys are sorted.

    With `by_line`, only the first game of each mainline has keys, on behalf of all its games.
    """
    cdef Numbers whole
    cdef size_t first = 0, i
    memset(&whole, 0, sizeof(Numbers))
    try:
        for i in range(1, keys.count + 1):
            if i + 2 * AHEAD < keys.count:
                prefetch_index(all, index_of_key(keys.items[i + 2 * AHEAD]))
            if i < keys.count and keys.items[i] >> INDEX_BITS == keys.items[first] >> INDEX_BITS:
                continue
            if by_line:
                add_games_of_lines(all, keys.items + first, i - first, &whole)
                pair_set(all, whole.items, whole.count, by_players, pairs)
            else:
                pair_set(all, keys.items + first, i - first, by_players, pairs)
            first = i
    finally:
        free_numbers(&whole)


cdef inline bint has_plies(const Games *all, uint32_t index) noexcept nogil:
    if all.summaries == NULL:
        return all.games[index].plies != 0
    return all.summaries[index].date_and_plies & 0xFF != 0


cdef inline bint is_paired_in_line(const Games *all, uint32_t left, uint32_t right) noexcept nogil:
    """Return whether pair_equal_games() makes a pair, left before right."""
    if not are_of_one_line(all, left, right) or not has_plies(all, right):
        return False
    return not all.lines[right] & LINE_IS_OPEN or right - left <= NEIGHBOURS


cdef inline int pair_equal_games(
    const Games *all, size_t first, size_t end, Buckets *pairs
) except -1 nogil:
    """Pair games of one mainline, which are neighbours; a range holds whole lines.

    Games without moves are candidates only if their players are the same.
    """
    cdef size_t begin = first, right, left
    for right in range(first, end):
        if not are_of_one_line(all, begin, right):
            begin = right
        if all.games[right].plies == 0:
            continue
        left = begin
        if all.lines[right] & LINE_IS_OPEN and right - begin > NEIGHBOURS:
            left = right - NEIGHBOURS
        while left < right:
            add_candidate(all, pairs, <uint32_t>left, <uint32_t>right, ALWAYS)
            left += 1


# --- verdicts -----------------------------------------------------------------------------------

cdef inline uint32_t left_of(const Games *all, uint64_t pair) noexcept nogil:
    return index_of_key(pair >> (all.low_bits + CONDITION_BITS))


cdef inline uint32_t right_of(const Games *all, uint64_t pair) noexcept nogil:
    cdef uint64_t high = pair >> (INDEX_BITS + all.low_bits + CONDITION_BITS)
    cdef uint64_t low = (pair >> CONDITION_BITS) & ((<uint64_t>1 << all.low_bits) - 1)
    return <uint32_t>(high << all.low_bits | low)


cdef inline void prefetch_rest(const Games *all, uint64_t pair) noexcept nogil:
    """Prefetch the moves, names and texts of a pair as far as they differ."""
    cdef const Game *left = &all.games[left_of(all, pair)]
    cdef const Game *right = &all.games[right_of(all, pair)]
    cdef int side
    if left.line != right.line:
        prefetch_moves(all, left)
        prefetch_moves(all, right)
    for side in range(2):
        if left.names[side] != right.names[side]:
            prefetch_name(all, left.names[side])
            prefetch_name(all, right.names[side])
    if left.event != right.event:
        prefetch_text(all.events.texts, left.event)
        prefetch_text(all.events.texts, right.event)
    if left.site != right.site:
        prefetch_text(all.sites.texts, left.site)
        prefetch_text(all.sites.texts, right.site)


cdef inline void prefetch_words(const Games *all, uint64_t pair) noexcept nogil:
    """Prefetch the words of the names of a pair."""
    cdef const Game *left = &all.games[left_of(all, pair)]
    cdef const Game *right = &all.games[right_of(all, pair)]
    cdef int side
    for side in range(2):
        if left.names[side] != right.names[side]:
            prefetch_words_of(all, left.names[side])
            prefetch_words_of(all, right.names[side])


cdef inline bint is_candidate(
    const Games *all, uint32_t left, uint32_t right, int always, int if_needed
) noexcept nogil:
    """Return whether a pair is a candidate, directly or because it needs its players."""
    cdef GameSummary left_summary, right_summary
    if always or not if_needed:
        return always != 0
    left_summary = summary_of(&all.games[left])
    right_summary = summary_of(&all.games[right])
    return needs_players(&left_summary, &right_summary)


cdef inline size_t first_previous(const Search *s, uint64_t number) noexcept nogil:
    """Return the index of the first previous edge that is not before a pair."""
    cdef size_t low = 0, high = s.previous.count, middle
    while low < high:
        middle = (low + high) >> 1
        if number_of(s.all, s.previous.items[middle].left, s.previous.items[middle].right) < number:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline bint is_settled(
    const Games *all, uint32_t left, uint32_t right, int flags
) noexcept nogil:
    """Return whether the previous search judged a pair, which cannot have become a match since."""
    if all.marks == NULL or (all.marks[left] | all.marks[right]) & MARK_IS_TOUCHED:
        return False
    return is_candidate(all, left, right, flags & 1 << ALWAYS, flags & 1 << IF_PLAYERS_ARE_NEEDED)


cdef inline bint have_more_theory(const Games *all, uint32_t left, uint32_t right) noexcept nogil:
    return (all.marks[left] | all.marks[right]) & MARK_HAS_MORE_THEORY != 0


cdef inline int judge_pair(
    const Search *s, uint32_t left, uint32_t right, Memo *memo, Edges *edges
) except -1 nogil:
    """Judge a pair; add an edge for a match or possible match."""
    cdef Judgement judgement
    cdef const Games *all = s.all
    cdef RecordAnswer *answer = answer_for(all, memo, left, right)
    edges.judged += 1
    if not answer.is_used:
        judge(
            all, &s.rules, &s.standard, &all.games[left], &all.games[right], False, memo.names,
            &judgement,
        )
        answer.verdict = <uint8_t>judgement.verdict
        answer.rule = <uint8_t>judgement.rule
        answer.score = judgement.score + by_address(s, left, right, judgement.verdict)
        answer.is_used = True
    if answer.verdict != NON_MATCH:
        add_edge(edges, left, right, answer.score, answer.verdict, answer.rule)


cdef inline int judge_pairs(
    const Search *s, const Numbers *pairs, size_t first, size_t end, Memo *memo, Edges *edges
) except -1 nogil:
    """Judge the distinct pairs of a sorted range; reuse verdicts of the previous search."""
    cdef const Games *all = s.all
    cdef const Edge *previous = s.previous.items
    cdef size_t at = 0, i = first
    cdef uint64_t number
    cdef uint32_t left, right
    cdef int flags
    while first and i < pairs.count and pairs.items[i] >> CONDITION_BITS == (
        pairs.items[first - 1] >> CONDITION_BITS
    ):
        i += 1
    if i < end and s.previous.count:
        at = first_previous(s, pairs.items[i] >> CONDITION_BITS)
    while i < end:
        if all.marks == NULL and i + 3 * PAIRS_AHEAD < end:
            prefetch_game(&all.games[right_of(all, pairs.items[i + 3 * PAIRS_AHEAD])])
            prefetch_game(&all.games[left_of(all, pairs.items[i + 3 * PAIRS_AHEAD])])
            prefetch_rest(all, pairs.items[i + 2 * PAIRS_AHEAD])
            prefetch_words(all, pairs.items[i + PAIRS_AHEAD])
        number = pairs.items[i] >> CONDITION_BITS
        left = left_of(all, pairs.items[i])
        right = right_of(all, pairs.items[i])
        flags = 0
        while i < pairs.count and pairs.items[i] >> CONDITION_BITS == number:
            flags |= 1 << (pairs.items[i] & ((1 << CONDITION_BITS) - 1))
            i += 1
        if is_settled(all, left, right, flags):
            while at < s.previous.count and (
                number_of(all, previous[at].left, previous[at].right) < number
            ):
                at += 1
            if at == s.previous.count or previous[at].left != left or previous[at].right != right:
                continue
            if have_more_theory(all, left, right):
                judge_pair(s, left, right, memo, edges)
            else:
                add_edge(
                    edges, left, right, previous[at].score, previous[at].verdict, previous[at].rule
                )
            continue
        if not is_candidate(
            all, left, right, flags & (1 << ALWAYS | 1 << IS_FRESH),
            flags & (1 << IF_PLAYERS_ARE_NEEDED | 1 << (IS_FRESH | IF_PLAYERS_ARE_NEEDED)),
        ):
            continue
        judge_pair(s, left, right, memo, edges)
