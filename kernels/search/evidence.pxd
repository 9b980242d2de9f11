"""Evidence that two records are the same game: a sum of weights over moves and headers.

The weights come from Python (match_weights.pxd).
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport abs as distance_of
from libc.string cimport memcmp, memset

from board_symmetry cimport add_rotated_record, share_most_moves, symmetry_by_votes
from game_record cimport (
    GAME_REPLAYS, NO_NAME, NUMBER_OF_SOURCE, RESULT_DRAW, RESULT_UNDECIDED, Game, Games,
    are_equal_records, are_other_addresses, find_row, is_of_source, mixed, moves_of, share_address,
    shared_start,
)
from header_text cimport (
    DATE_NEAR, DATE_OTHER_DAY, DATE_SAME_DAY, ROUND_OTHER, ROUND_PART, ROUND_SAME, ROUND_UNKNOWN,
    TEXT_EQUAL, TEXT_OTHER, TEXT_SIMILAR, TEXT_UNKNOWN, compare_dates, compare_events,
    compare_rounds,
)
from match_weights cimport GATE_SHORTER, Measured, first_measured, limits_for, refused_by
from move_distance cimport (
    common_plies, common_tail, four_moves, jaro_winkler, monge_elkan, prefix_indel_within,
)
from pair_memo cimport SLOT_BITS_OF_NAMES, NameAnswer, slot_of
from packed_name cimport unpack_name
from parsed_name cimport ParsedName
from player_name cimport (
    NAME_COMPATIBLE, NAME_DIFFERENT, NAME_EQUAL, NAME_NAMESAKE, NAME_SIMILAR, NAME_UNKNOWN,
    name_relation,
)
from position cimport Position, move_is_legal, play_move
from thresholds cimport (
    CHANCE_PLIES, DOUBTFUL_ROUND, EARLY, FEW_TRANSPOSED, KNOWN_LINE_WEIGHT, LITTLE_LONGER, MIDDLE,
    MOST_DIFFERENCES, MOST_TRANSPOSED, RESUMED, SURE_TRANSPOSITION, SURE_TRUNCATED, THEORY_FURTHER,
    VOTERS, Gates, Terms, Weights,
)

cdef enum:
    # How the moves of two records are related.
    RELATION_NONE = 0
    RELATION_EXACT = 1
    RELATION_TRUNCATED = 2     # one is a prefix of the other (exact truncation)
    RELATION_NEAR_IDENTICAL = 3  # near-identical
    RELATION_TRUNCATED_WITH_SLIP = 4  # one is a prefix of the other except for a slip
    RELATION_CONTINUES = 5     # one starts from a position of the other
    RELATION_NO_MOVES = 6      # one of them has no moves

cdef enum:
    # Verdicts on a pair.
    NON_MATCH = 0
    POSSIBLE_MATCH = 1
    MATCH = 2

cdef enum:
    # Rules that decide a verdict in place of the sum of evidence. Their texts: RULES in
    # matching/evidence.py.
    RULE_NONE = 0              # the sum decides
    RULE_LONG_EQUAL_MOVES = 1
    RULE_DECIDED_SAME = 2      # by the user
    RULE_DECIDED_DIFFERENT = 3
    RULE_SAME_ADDRESS = 4
    RULE_OTHER_ADDRESS = 5
    RULE_OUTSIDE_GATES = 6     # gates named by the user
    RULE_EQUAL_RECORDS = 7     # in two sources

cdef enum:
    # Codes for a side, in addition to those of names.
    SIDE_SAME_PERSON = 16
    SIDE_CONFLICT = 17
    SIDE_UNSURE = 18
    SIDE_DECIDED = 19          # different players by the user's decision

ctypedef struct Rules:
    Weights weights
    Gates gates                # evidence: whether moves are near-identical
    bint has_user_gates
    Gates user_gates           # of the user: near-identical games outside are not grouped
    int min_shorter            # plies that a truncated game must lack to be grouped
    int few_differences        # limit of the quick comparison

ctypedef struct Judgement:
    int relation
    bint swapped               # the colours are swapped in the headers
    bint in_gates
    int symmetry               # found by votes that rotates the later game, else 0
    int plies                  # shared, in order
    int first_difference       # plies before the first difference
    int transposed             # plies after which a transposed opening converges, else 0
    int differences            # indel distance; for a transposed opening, after it
    int longer                 # plies by which a longer game continues a truncated one
    double ratio
    double winkler
    int distance               # indel distance as the gates measure it
    int refused                # gates of the user that the pair fails: GATE_...
    int sides[2]
    int date
    int round
    int event
    int site
    Terms terms
    double score
    int verdict
    int rule


# --- moves --------------------------------------------------------------------------------------

cdef inline double unique_plies(const Weights *w, int theory, int first, int last) noexcept nogil:
    """Return the weight of the plies first + 1 to last that are beyond opening theory."""
    cdef double weight = 0.0
    first = max(first, max(theory, EARLY))
    if last <= first:
        return 0.0
    if first < MIDDLE:
        weight = w.early_ply * (min(last, MIDDLE) - first)
    return weight + w.ply * max(0, last - max(first, MIDDLE))


cdef inline bint theory_only_weakens(const Weights *w) noexcept nogil:
    """Return whether, with these weights, more theory can only lower the score of a pair.

    Then more theory never turns a pair into a match: weigh_moves() and judge() use theory only in
    unique_plies(), and never subtract its result.
    """
    return (
        w.ply >= 0.0 and w.early_ply >= 0.0 and w.known_line <= 0.0 and w.outside_gates <= 0.0
        and w.event_days <= min(w.near, w.other_day)
        and w.other_round <= 0.0 and w.other_round_of_source <= w.other_round
    )


cdef inline bint are_of_same_event(const Judgement *j) noexcept nogil:
    return j.event == TEXT_EQUAL or j.event == TEXT_SIMILAR


cdef inline bint is_on_other_day_of_event(const Judgement *j) noexcept nogil:
    """Return whether dates of one event are days apart and no round suggests a match."""
    return (
        (j.date == DATE_NEAR or j.date == DATE_OTHER_DAY) and j.round == ROUND_UNKNOWN
        and are_of_same_event(j)
    )


cdef inline bint are_doubtful_rounds(const Game *a, const Game *b) noexcept nogil:
    """Return whether the rounds differ unless one of them stands for an unknown round.

    A source of many sources, where round 1 may be unknown, has dates of different precision too.
    """
    cdef uint32_t mask = ~<uint32_t>DOUBTFUL_ROUND
    return (a.round | b.round) & DOUBTFUL_ROUND and a.date == b.date and (
        compare_rounds(a.round & mask, b.round & mask) == ROUND_OTHER
    )


cdef inline void weigh_rounds_of_source(
    const Weights *w, const Game *a, const Game *b, double theory_share, Judgement *out
) noexcept nogil:
    """Weigh the rounds of two records of one event in one source.

    `theory_share`: 1.0 for a known line, 0.0 if many moves are unique.
    """
    if out.round == ROUND_OTHER and out.terms.moves < w.slip_of_round:
        out.terms.round = w.other_round_of_source
    elif theory_share > 0.0 and are_doubtful_rounds(a, b):
        out.terms.round = w.other_round * theory_share


cdef inline void weigh_moves(
    const Rules *rules, bint is_go, const Game *a, const Game *b, Judgement *out
) noexcept nogil:
    """Weigh the plies that two games share: the common line, then plies after a difference."""
    cdef const Weights *w = &rules.weights
    cdef int theory = max(a.theory, b.theory)
    cdef double unique, theory_share = 0.0
    unique = unique_plies(w, theory, 0, min(out.first_difference, out.plies))
    if out.transposed:
        # Many move orders reach the same position, so theory goes on longer than in any one line.
        unique += unique_plies(w, 0, max(theory, out.transposed) + THEORY_FURTHER, out.plies)
    elif out.plies > out.first_difference:
        # After a difference there is no theory, but a few plies may agree by chance.
        unique += w.ply * max(0, out.plies - max(out.first_difference, EARLY) - CHANCE_PLIES)
    out.terms.moves = min(unique, w.most_plies)
    if unique < KNOWN_LINE_WEIGHT:
        # Known lines are played again, and two different games may begin with one.
        theory_share = 1.0 - unique / KNOWN_LINE_WEIGHT
        out.terms.moves += w.known_line * theory_share
        if is_on_other_day_of_event(out):
            out.terms.date += (w.event_days - out.terms.date) * theory_share
    if out.transposed:
        out.terms.differences += w.transposed
        if unique < KNOWN_LINE_WEIGHT and out.plies < out.transposed + SURE_TRANSPOSITION:
            # Two different games may reach the same known line.
            out.terms.differences += w.outside_gates * theory_share
    if out.plies < EARLY and out.relation != RELATION_NO_MOVES:
        out.terms.moves += w.few_plies * (1.0 - <double>out.plies / EARLY)
    out.terms.differences += max(w.difference * out.differences, w.most_differences)
    if out.terms.source and not is_go and are_of_same_event(out):
        weigh_rounds_of_source(w, a, b, theory_share, out)


cdef inline bint in_gates(
    const Rules *rules, const uint16_t *a, int la, const uint16_t *b, int lb, Judgement *out
) noexcept nogil:
    """Return whether two games are near-identical by each measure; a is not longer than b."""
    cdef Gates limits = limits_for(&rules.gates, la)
    cdef int start = first_measured(&rules.gates, la)
    start = out.transposed if out.transposed else min(start, out.first_difference)
    # LCS = (la + lb - indel) / 2, relative to the longer length.
    out.ratio = 1.0 - <double>(out.differences + lb - la) / (2.0 * max(1, lb - start))
    if la < limits.min_plies or out.differences > limits.max_indel:
        return False
    if lb - la > limits.max_length_share * lb or out.ratio < limits.min_ratio:
        return False
    out.winkler = jaro_winkler(a + start, la - start, b + start, lb - start)
    if out.winkler < limits.min_winkler:
        return False
    return limits.monge_elkan <= 0.0 or monge_elkan(a, la, b, lb) >= limits.monge_elkan


cdef inline void apply_user_gates(
    const Rules *rules, const uint16_t *a, int la, const uint16_t *b, int lb, Judgement *out
) noexcept nogil:
    """Store which gates of the user a near-identical pair fails; a is not longer than b.

    A pair within the user's gates gets no penalty for being outside the default gates.
    """
    cdef Measured measured
    out.refused = refused_by(&rules.user_gates, a, la, b, lb, &measured)
    out.distance = measured.indel
    out.ratio = measured.ratio
    out.winkler = measured.winkler
    out.in_gates = out.in_gates or not out.refused


cdef inline bint share_four(const uint16_t *a, const uint16_t *b) noexcept nogil:
    """Return whether two of the first five blocks of four plies are equal, the first pair aside."""
    cdef uint64_t pieces[5]
    cdef uint64_t piece
    cdef bint has_equal = False
    cdef int i, k
    for k in range(5):
        pieces[k] = four_moves(b, k)
    for i in range(5):
        piece = four_moves(a, i)
        for k in range(5):
            has_equal |= piece == pieces[k] and (i or k) != 0
    return has_equal


cdef inline bint may_resume(
    const uint16_t *a, int la, const uint16_t *b, int lb, int first
) noexcept nogil:
    """Return whether two games continue together soon after their first difference.

    A quick pre-test for prefix_indel_within(): one wrong move, up to four moves missing on either
    side, two moves exchanged.
    """
    cdef int i, k, run
    if la - first <= 4:
        return True
    # All runs accepted below begin with four equal plies or reach the end of the game.
    if la - first >= 8 and not share_four(a + first, b + first):
        return False
    for i in range(5):
        for k in range(5):
            if first + i < la and first + k < lb and (i or k):
                run = common_plies(a + first + i, la - first - i, b + first + k, lb - first - k)
                if run >= 6 or first + i + run == la:
                    return True
    return False


cdef inline void compare_rest(
    const Rules *rules, const uint16_t *a, int la, const uint16_t *b, int lb, int first,
    bint thorough, Judgement *out,
) noexcept nogil:
    """Compare two games from ply `first` on, before which they agree; a is not longer than b.

    The thorough comparison also accepts games outside the gates of near-identical games: games that
    diverge after long agreement and may converge again. The differences count against a match.
    """
    cdef int matched = 0, most = rules.few_differences, distance, unmatched
    if not thorough and not may_resume(a, la, b, lb, first):
        return
    distance = prefix_indel_within(a + first, la - first, b + first, lb - first, most, &matched)
    if distance > most and thorough:
        most = MOST_DIFFERENCES
        distance = prefix_indel_within(a + first, la - first, b + first, lb - first, most, &matched)
    if distance > most:
        return
    matched += first
    unmatched = lb - matched
    out.plies = (la + matched - distance) // 2
    out.differences = distance + unmatched
    out.in_gates = in_gates(rules, a, la, b, lb, out)
    out.distance = out.differences
    if rules.has_user_gates:
        apply_user_gates(rules, a, la, b, lb, out)
    if out.in_gates or unmatched <= LITTLE_LONGER:
        if out.in_gates or out.plies >= rules.gates.min_shared * lb:
            out.relation = RELATION_NEAR_IDENTICAL
        return
    # A truncated game with a slip: the plies after the prefix are not differences.
    out.differences = out.distance = distance
    out.longer = unmatched
    out.ratio = <double>out.plies / max(1, la)
    if out.ratio >= (rules.gates.min_shared if thorough else rules.gates.min_truncated_ratio):
        out.relation = RELATION_TRUNCATED_WITH_SLIP


cdef inline bint share_quad(const uint16_t *a, const uint16_t *b, int la, int ply) noexcept nogil:
    """Return whether four plies at `ply` are equal; a has la plies, b no fewer."""
    return 0 <= ply <= la - 4 and memcmp(a + ply, b + ply, 8) == 0


cdef inline int transposed_plies(
    const uint16_t *a, int la, const uint16_t *b, int first
) noexcept nogil:
    """Return the ply up to which both sides played the same moves in another order, or 0.

    The games differ after `first` plies; a is not longer than b. The same moves of both sides lead
    to the same position. Most pairs are rejected at once, because the plies where they should
    converge differ.
    """
    cdef uint64_t sums[2]              # of hashes: 0 if the moves of a side are the same
    cdef int last = first              # last ply that differs
    cdef int transposed = 0, i
    if first >= MOST_TRANSPOSED or not (
        share_quad(a, b, la, FEW_TRANSPOSED) or share_quad(a, b, la, MOST_TRANSPOSED)
        or share_quad(a, b, la, la - 4)
    ):
        return 0
    sums[0] = sums[1] = 0
    for i in range(first, min(la, MOST_TRANSPOSED)):
        if a[i] != b[i]:
            last = i
            sums[i & 1] += mixed(a[i] + 1) - mixed(b[i] + 1)
        if sums[0] == 0 and sums[1] == 0:
            transposed = last + 1
    return transposed


cdef inline void compare_transposed(
    const Rules *rules, const uint16_t *a, int la, const uint16_t *b, int lb, bint thorough,
    Judgement *out,
) noexcept nogil:
    """Compare two games from the end of a transposed opening, if there is one."""
    cdef int first = transposed_plies(a, la, b, out.first_difference)
    if first == 0:
        return
    out.transposed = first
    first += common_plies(a + first, la - first, b + first, lb - first)
    compare_rest(rules, a, la, b, lb, first, thorough, out)
    if out.relation == RELATION_NONE:
        out.transposed = 0


cdef inline void compare_near(
    const Rules *rules, const uint16_t *a, int la, const uint16_t *b, int lb, bint is_go,
    bint thorough, Judgement *out,
) noexcept nogil:
    """Compare two games that differ somewhere; a is not longer than b."""
    compare_rest(rules, a, la, b, lb, out.first_difference, False, out)
    if out.relation == RELATION_NONE and not is_go:
        compare_transposed(rules, a, la, b, lb, thorough, out)
    if thorough and out.relation == RELATION_NONE:
        compare_rest(rules, a, la, b, lb, out.first_difference, True, out)


cdef inline void compare_continuation(
    const Games *all, const Position *standard, const Game *whole, const Game *part, Judgement *out
) noexcept nogil:
    """Check whether `part` starts from a position of `whole` and continues as it does."""
    cdef Position pos = standard[0]
    cdef const uint16_t *moves = moves_of(all, whole)
    cdef int ply, left, plies = part.plies
    if whole.start or not part.start or not whole.flags & GAME_REPLAYS or plies < 4:
        return
    for ply in range(<int>whole.plies):
        if pos.key == part.start:
            left = <int>whole.plies - ply
            out.plies = common_plies(moves + ply, left, moves_of(all, part), plies)
            if out.plies == min(left, plies) and out.plies >= 4:
                out.relation = RELATION_CONTINUES
                out.first_difference = ply + out.plies
                out.longer = ply
                return
        if not move_is_legal(&pos, moves[ply]):
            return
        play_move(&pos, moves[ply])
    out.plies = 0


cdef inline void compare_from_other_start(
    const Games *all, const Rules *rules, const Game *shorter, const Game *longer, bint thorough,
    Judgement *out,
) noexcept nogil:
    """Compare Go games with different starts: handicap stones omitted, or played as moves."""
    cdef int la = shorter.plies, lb = longer.plies
    if la < max(rules.gates.min_plies, SURE_TRUNCATED):
        return
    if not shorter.lines or shorter.lines != longer.lines:
        return
    out.first_difference = shared_start(all, shorter, longer)
    if out.first_difference < la:
        compare_near(
            rules, moves_of(all, shorter), la, moves_of(all, longer), lb, True, thorough, out
        )
        return
    out.plies = la
    out.ratio = 1.0
    out.in_gates = la == lb
    out.relation = RELATION_NEAR_IDENTICAL if la == lb else RELATION_TRUNCATED_WITH_SLIP
    out.longer = lb - la
    if rules.has_user_gates and la == lb:
        apply_user_gates(rules, moves_of(all, shorter), la, moves_of(all, longer), lb, out)


cdef inline void compare_moves(
    const Games *all, const Rules *rules, const Position *standard, const Game *a, const Game *b,
    bint thorough, Judgement *out,
) noexcept nogil:
    """Find how the moves of two games are related."""
    cdef const Game *shorter = a if a.plies <= b.plies else b
    cdef const Game *longer = b if a.plies <= b.plies else a
    cdef int la = shorter.plies, lb = longer.plies
    if all.is_go and a.start != b.start:
        compare_from_other_start(all, rules, shorter, longer, thorough, out)
    elif a.start != b.start:
        compare_continuation(all, standard, a, b, out)
        if out.relation == RELATION_NONE:
            compare_continuation(all, standard, b, a, out)
    elif la == 0:
        out.relation = RELATION_EXACT if lb == 0 else RELATION_NO_MOVES
        out.longer = lb
    elif a.line == b.line:
        out.relation = RELATION_EXACT
        out.plies = out.first_difference = la
    else:
        out.first_difference = shared_start(all, shorter, longer)
        if out.first_difference == la:
            out.plies = la
            out.longer = lb - la
            out.relation = RELATION_TRUNCATED
        else:
            compare_near(
                rules, moves_of(all, shorter), la, moves_of(all, longer), lb, all.is_go, thorough,
                out,
            )


# --- headers ------------------------------------------------------------------------------------

cdef inline int relation_of_names(
    const Games *all, uint32_t left, uint32_t right, NameAnswer *answers
) noexcept nogil:
    cdef ParsedName left_name, right_name
    cdef uint64_t pair = <uint64_t>left << 32 | right
    cdef NameAnswer *answer = NULL
    cdef bint as_written
    if left == right:
        return NAME_EQUAL if all.names[left].is_full else NAME_COMPATIBLE
    if answers != NULL:
        answer = &answers[slot_of(pair, SLOT_BITS_OF_NAMES)]
        if answer.pair == pair:
            return answer.relation
    as_written = all.names[left].reading_size and all.names[right].reading_size
    unpack_name(&all.names[left], all.name_words, as_written, &left_name)
    unpack_name(&all.names[right], all.name_words, as_written, &right_name)
    if answer == NULL:
        return name_relation(&left_name, &right_name)
    answer.pair = pair
    answer.relation = name_relation(&left_name, &right_name)
    return answer.relation


cdef inline int compare_side(
    const Games *all, const Game *a, int side, const Game *b, int other, NameAnswer *answers
) noexcept nogil:
    """Return the code of a side, from identification numbers if they decide, else from names."""
    cdef uint32_t left = a.names[side]
    cdef uint32_t right = b.names[other]
    cdef int code
    if left == NO_NAME or right == NO_NAME or a.names[0] == a.names[1] or b.names[0] == b.names[1]:
        return NAME_UNKNOWN            # nobody plays against himself: one of the names is a slip
    if all.names[left].is_unknown or all.names[right].is_unknown:
        return NAME_UNKNOWN            # identification numbers without a name are slips
    if a.persons[side] > 0 and a.persons[side] == b.persons[other]:
        return SIDE_SAME_PERSON
    if all.different_count and find_row(
        all.different, all.different_count, 2, a.persons[side], b.persons[other]
    ) != NULL:
        return SIDE_DECIDED
    code = relation_of_names(all, left, right, answers)
    if a.fide_ids[side] and b.fide_ids[other]:
        if a.fide_ids[side] == b.fide_ids[other]:
            # An equal number with contradicting names: a marriage or a slip.
            return SIDE_SAME_PERSON if code <= NAME_SIMILAR else SIDE_UNSURE
        return SIDE_CONFLICT if code <= NAME_SIMILAR else code
    # In chess, two players without FIDE IDs may be one player whose spellings differ too much.
    if all.is_go and a.persons[side] > 0 and b.persons[other] > 0 and code <= NAME_SIMILAR:
        return SIDE_CONFLICT
    return code


cdef inline double side_weight(const Weights *w, int code) noexcept nogil:
    cdef double[6] by_name = [
        0.0, w.name_equal, w.name_compatible, w.name_similar, w.namesake, w.name_different,
    ]
    if code == SIDE_SAME_PERSON:
        return w.same_person
    if code == SIDE_CONFLICT:
        return w.name_conflict
    if code == SIDE_DECIDED:
        return w.name_different
    return by_name[code] if code <= NAME_DIFFERENT else 0.0


cdef inline double date_weight(const Weights *w, int code) noexcept nogil:
    cdef double[10] by_code = [
        0.0, w.same_day, w.near, w.date_slip, w.same_month, w.same_year, w.other_day,
        w.other_month, w.other_year, w.years_apart,
    ]
    return by_code[code]


cdef inline double text_weight(int code, double equal, double similar, double other) noexcept nogil:
    """Return the weight of an event or a site."""
    cdef double[4] by_code = [0.0, equal, similar, other]
    return by_code[code]


cdef inline double round_weight(const Weights *w, int code, int event) noexcept nogil:
    cdef bint same_event = event == TEXT_EQUAL or event == TEXT_SIMILAR
    if code == ROUND_SAME:
        return w.same_round if same_event else w.same_round_only
    if code == ROUND_PART:
        return w.part_of_round
    if code == ROUND_OTHER:
        return w.other_round if same_event else w.other_round_elsewhere
    return 0.0


cdef inline double result_weight(const Weights *w, const Game *a, const Game *b) noexcept nogil:
    if a.result == RESULT_UNDECIDED or b.result == RESULT_UNDECIDED:
        return 0.0
    if a.result != b.result:
        return w.result_other
    return w.result_draw if a.result == RESULT_DRAW else w.result_decided


cdef inline double elo_weight(
    const Weights *w, const Game *a, const Game *b, bint swapped
) noexcept nogil:
    cdef double weight = 0.0
    cdef int side, right
    for side in range(2):
        right = b.elos[1 - side if swapped else side]
        if a.elos[side] and right:
            weight += w.elo_equal if a.elos[side] == right else w.elo_other
    return weight


cdef inline double set_sides(const Weights *w, const int *codes, Judgement *out) noexcept nogil:
    """Store the evidence of the two sides and its terms; return their sum."""
    out.sides[0] = codes[0]
    out.sides[1] = codes[1]
    out.terms.white = side_weight(w, codes[0])
    out.terms.black = side_weight(w, codes[1])
    return out.terms.white + out.terms.black


cdef inline void compare_players(
    const Games *all, const Weights *w, const Game *a, const Game *b, NameAnswer *answers,
    Judgement *out,
) noexcept nogil:
    """Compare both sides; if they agree better crosswise, the colours are swapped."""
    cdef int codes[2]
    cdef int side
    cdef double straight, crossed
    for side in range(2):
        codes[side] = compare_side(all, a, side, b, side, answers)
    straight = set_sides(w, codes, out)
    if straight >= 0.0:
        return
    crossed = w.colours
    for side in range(2):
        codes[side] = compare_side(all, a, side, b, 1 - side, answers)
        crossed += side_weight(w, codes[side])
    if crossed > straight and crossed > 0.0:
        out.swapped = True
        out.terms.colours = w.colours
        set_sides(w, codes, out)


cdef inline void compare_headers(
    const Games *all, const Weights *w, const Game *a, const Game *b, NameAnswer *answers,
    Judgement *out,
) noexcept nogil:
    compare_players(all, w, a, b, answers, out)
    out.date = compare_dates(a.date, b.date)
    out.terms.date = date_weight(w, out.date)
    out.event = out.site = TEXT_UNKNOWN
    if a.event != NO_NAME and b.event != NO_NAME:
        out.event = compare_events(&all.events.texts[a.event], &all.events.texts[b.event])
    if a.site != NO_NAME and b.site != NO_NAME:
        out.site = compare_events(&all.sites.texts[a.site], &all.sites.texts[b.site])
    out.round = compare_rounds(a.round, b.round)
    out.terms.event = text_weight(out.event, w.event_equal, w.event_similar, w.event_other)
    out.terms.site = text_weight(out.site, w.site_equal, w.site_similar, w.site_other)
    out.terms.round = round_weight(w, out.round, out.event)
    out.terms.result = result_weight(w, a, b)
    out.terms.elo = elo_weight(w, a, b, out.swapped)
    if not are_equal_records(a, b) and (
        is_of_source(all, a, b.source) or is_of_source(all, b, a.source)
    ):
        out.terms.source = w.one_source


# --- verdict ------------------------------------------------------------------------------------

cdef inline double header_score(const Judgement *j) noexcept nogil:
    cdef const Terms *t = &j.terms
    return (
        t.white + t.black + t.date + t.round + t.event + t.site + t.result + t.elo + t.source
        + t.colours
    )


cdef inline bint is_contradicted(const Judgement *j, bint is_go) noexcept nogil:
    """Return whether date or (in chess, since Go rounds are words) round contradict a match."""
    return (
        (j.round == ROUND_OTHER and are_of_same_event(j) and not is_go)
        or j.date >= DATE_OTHER_DAY
    )


cdef inline bint is_slip_in_round(const Judgement *j) noexcept nogil:
    """Return whether one move differs in a round of one event: two players meet there once."""
    return j.differences <= 2 and j.round == ROUND_SAME and are_of_same_event(j)


cdef inline void finish_score(
    const Rules *rules, bint is_go, bint lenient, Judgement *out
) noexcept nogil:
    """Reject impossible pairs, add the penalties for the relation of the moves, set the score."""
    cdef const Weights *w = &rules.weights
    if out.swapped and out.relation != RELATION_EXACT and not lenient and not is_go:
        out.relation = RELATION_NONE
    if out.relation == RELATION_TRUNCATED_WITH_SLIP:
        out.terms.differences += w.truncated_with_slip
        if out.ratio < rules.gates.min_truncated_ratio:
            out.terms.differences += w.outside_gates
        if (
            not lenient and out.plies < SURE_TRUNCATED
            and out.round != ROUND_SAME and out.date != DATE_SAME_DAY
        ):
            out.relation = RELATION_NONE
    elif (
        out.relation == RELATION_NEAR_IDENTICAL and not out.in_gates and not is_slip_in_round(out)
    ):
        out.terms.differences += w.outside_gates
    if (
        out.relation in (RELATION_TRUNCATED_WITH_SLIP, RELATION_NEAR_IDENTICAL)
        and not out.in_gates and (out.plies < out.first_difference + RESUMED or is_go)
        and is_contradicted(out, is_go)
    ):
        # The games diverge and never converge: a player's preparation, used twice. Or, in Go, these
        # are versions of one game that was handed down in two ways.
        out.terms.differences += w.outside_gates
    if out.relation == RELATION_NO_MOVES:
        out.terms.differences += w.no_moves
    out.score = out.terms.moves + out.terms.differences + header_score(out)


cdef inline bint are_long_and_alike(
    const Rules *rules, bint is_go, const Judgement *j
) noexcept nogil:
    """Return whether the moves alone make two games possible duplicates.

    In chess this takes equal moves. Nobody repeats a long Go game, not even nearly.
    """
    cdef double moves = j.terms.moves
    if is_go:
        moves += j.terms.differences
    elif j.relation != RELATION_EXACT:
        return False
    return moves >= rules.weights.long_exact


cdef inline int missing_plies(const Game *a, const Game *b, const Judgement *j) noexcept nogil:
    """Return by how many plies a truncated game is shorter, including a missing start."""
    cdef int plies = distance_of(<int>a.plies - <int>b.plies)
    return max(plies, j.longer) if j.relation == RELATION_CONTINUES else plies


cdef inline void decide(Judgement *out, int verdict, int rule) noexcept nogil:
    """Set a verdict, and the rule that decides it in place of the sum."""
    out.verdict = verdict
    out.rule = rule


cdef inline bint may_be_players(const Judgement *j) noexcept nogil:
    """Return whether the names of two records can be of the same players."""
    cdef int side
    for side in range(2):
        if j.sides[side] in (NAME_NAMESAKE, NAME_DIFFERENT, SIDE_CONFLICT, SIDE_DECIDED):
            return False
    return True


cdef inline bint is_identity_disputed(const Judgement *j) noexcept nogil:
    """Return whether equal names may be of different players, by their numbers or the user."""
    cdef int side
    for side in range(2):
        if j.sides[side] in (SIDE_CONFLICT, SIDE_DECIDED):
            return True
    return False


cdef inline bint is_number_again(const Game *a, const Judgement *j, bint is_go) noexcept nogil:
    """Return whether a source seems to have reused a number: some count anew in each event."""
    if not a.address & NUMBER_OF_SOURCE:
        return False
    return is_contradicted(j, is_go) or j.event == TEXT_OTHER


cdef inline void classify(
    const Games *all, const Rules *rules, const Game *a, const Game *b, Judgement *out
) noexcept nogil:
    """Decide the verdict by the sum, unless a rule overrides it."""
    if out.relation == RELATION_NONE:
        return
    if are_other_addresses(a.address, b.address):
        if out.score >= rules.weights.possible_match or are_long_and_alike(rules, all.is_go, out):
            decide(out, NON_MATCH, RULE_OTHER_ADDRESS)
    elif out.score >= rules.weights.accept:
        decide(out, MATCH, RULE_NONE)
    elif are_equal_records(a, b) and not is_identity_disputed(out):
        decide(out, MATCH, RULE_EQUAL_RECORDS)
    elif share_address(a, b) and may_be_players(out) and not is_number_again(a, out, all.is_go):
        decide(out, MATCH, RULE_SAME_ADDRESS)
    elif out.score >= rules.weights.possible_match:
        decide(out, POSSIBLE_MATCH, RULE_NONE)
    elif are_long_and_alike(rules, all.is_go, out):
        decide(out, POSSIBLE_MATCH, RULE_LONG_EQUAL_MOVES)
    if out.relation != RELATION_NEAR_IDENTICAL:
        out.refused = 0
    if (
        (out.relation == RELATION_TRUNCATED or out.relation >= RELATION_TRUNCATED_WITH_SLIP)
        and missing_plies(a, b, out) < rules.min_shorter
    ):
        out.refused = GATE_SHORTER
    if out.refused and out.verdict == MATCH:
        decide(out, POSSIBLE_MATCH, RULE_OUTSIDE_GATES)


cdef inline bint is_rotated(
    const Games *all, const Game *a, const Game *b, Judgement *out
) noexcept nogil:
    """Return whether a rotation aligns two Go games whose orientations differ after a slip."""
    if not a.lines or a.lines != b.lines or out.first_difference > VOTERS // 2:
        return False
    out.symmetry = symmetry_by_votes(all, a, b)
    return out.symmetry != 0


cdef inline void judge(
    const Games *all, const Rules *rules, const Position *standard, const Game *a, const Game *b,
    bint lenient, NameAnswer *answers, Judgement *out,
) noexcept nogil:
    """Compare two games; the relation is RELATION_NONE if their moves cannot be of one game.

    `lenient`: the games are in one group, so only the relation of their moves is asked for.
    `answers`: cache of name comparisons, see pair_memo.pxd; may be NULL.
    """
    cdef double weight
    cdef int end                       # plies that the ends share
    cdef Game rotated
    memset(out, 0, sizeof(Judgement))
    compare_moves(all, rules, standard, a, b, lenient, out)
    if out.relation == RELATION_NONE and is_rotated(all, a, b, out):
        add_rotated_record(all, b, out.symmetry, &rotated)
        b = &rotated
        compare_moves(all, rules, standard, a, b, lenient, out)
    if out.relation == RELATION_NONE and lenient and a.start != b.start and not all.is_go:
        out.relation = RELATION_CONTINUES  # a third game may connect the two
    if out.relation == RELATION_NONE:
        if lenient:
            return
        if share_address(a, b) or (all.is_go and share_most_moves(all, a, b)):
            compare_headers(all, &rules.weights, a, b, answers, out)
        elif out.first_difference == 0 or compare_dates(a.date, b.date) >= DATE_OTHER_DAY:
            return
        else:
            weight = unique_plies(&rules.weights, max(a.theory, b.theory), 0, out.first_difference)
            end = common_tail(moves_of(all, a), a.plies, moves_of(all, b), b.plies)
            weight += rules.weights.ply * max(0, end - CHANCE_PLIES)
            if all.is_go and weight < KNOWN_LINE_WEIGHT:
                return                     # two games of one day, practically never a match
            compare_headers(all, &rules.weights, a, b, answers, out)
            if out.swapped or header_score(out) + weight < rules.weights.strong:
                return
        compare_moves(all, rules, standard, a, b, True, out)
        if out.relation == RELATION_NONE:
            return
    else:
        compare_headers(all, &rules.weights, a, b, answers, out)
    weigh_moves(rules, all.is_go, a, b, out)
    finish_score(rules, all.is_go, lenient, out)
    classify(all, rules, a, b, out)
