"""Merge the headers of three records or more into the kept game, as matching/header_merge.py does.

Decides only the most frequent case: spellings of names and ECO codes differ, and the best value of
each does not depend on how much the records are trusted. All other groups are left to that module.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset

from header_rows cimport T_ECO, Header, Headers, MergeRules, is_ascii, says_nothing
from id_numbers cimport PLAYERS, KnownNames, Text, text_of_name
from pair_merge cimport (
    ASK, FIELDS, F_ECO, IS_EXACT, IS_MAJORITY, IS_MISSING, LEAST_CUT, NEITHER, OTHER, REASON_BITS,
    PairMerges, Words, add_merge, are_of_one, begins_with, better_elo, compare_texts, differ,
    fuller_of_plain, header_text, is_code, merit_of_place, read_letters, tags_stay,
)

cdef enum:
    MOST_RECORDS = 8           # real groups seldom have more
    CODE_CHARS = 3             # ECO codes with the same first characters count together
    NO_VALUE = -1              # no value is usable
    UNDECIDED = -2             # Python must decide

# The records of a group, most trusted first: the kept game, then by header score and ID.
ctypedef struct Group:
    int count
    const Header *records[MOST_RECORDS]
    uint32_t taken[MOST_RECORDS]       # bit n: the kept game gets field n from this record
    uint64_t reasons                   # as in PairMerge

# The values of a field, each once, in the order of the records.
ctypedef struct Values:
    int count
    Text texts[MOST_RECORDS]
    int64_t ids[MOST_RECORDS]          # of names
    int first[MOST_RECORDS]            # the first record with the value
    int votes[MOST_RECORDS]            # records with the value


cdef inline void rank_records(const Headers *all, size_t kept, Group *out) noexcept nogil:
    """Order at most MOST_RECORDS records."""
    cdef const Header *record
    cdef size_t i
    cdef int at
    memset(out, 0, sizeof(Group))
    out.records[0] = &all.rows[kept]
    out.count = 1
    for i in range(all.count):
        if i == kept:
            continue
        record = &all.rows[i]
        at = out.count
        while at > 1 and (
            record.score > out.records[at - 1].score
            or record.score == out.records[at - 1].score
            and record.game_id < out.records[at - 1].game_id
        ):
            out.records[at] = out.records[at - 1]
            at -= 1
        out.records[at] = record
        out.count += 1


cdef inline bint only_names_differ(
    const Headers *all, const MergeRules *rules, const Group *group
) noexcept nogil:
    """Return whether no field is merged, and no tag, except for names and ECO codes."""
    cdef uint8_t[FIELDS] choices
    cdef int i, field
    cdef const Header *own = group.records[0]
    for i in range(1, group.count):
        memset(choices, NEITHER, FIELDS)
        compare_texts(all, own, group.records[i], choices, True)
        choices[F_ECO] = NEITHER
        for field in range(FIELDS):
            if choices[field] != NEITHER:
                return False
        if (
            not are_of_one(own, group.records[i]) or not tags_stay(all, own, group.records[i], 0)
            or better_elo(rules, own, group.records[i], 0) != NEITHER
            or better_elo(rules, own, group.records[i], 1) != NEITHER
        ):
            return False
    return True


cdef inline void add_value(Values *out, int record, Text text, int64_t name_id) noexcept nogil:
    cdef int i
    for i in range(out.count):
        if out.ids[i] == name_id and not differ(out.texts[i], text):
            out.votes[i] += 1
            return
    out.ids[out.count] = name_id
    out.texts[out.count] = text
    out.first[out.count] = record
    out.votes[out.count] = 1
    out.count += 1


cdef inline void list_names(
    KnownNames *known, const Group *group, int name, Values *out
) noexcept nogil:
    """List the events, sites or players' names of a group; their texts have been fetched."""
    cdef int i
    cdef int64_t name_id
    out.count = 0
    for i in range(group.count):
        name_id = group.records[i].content.names[name]
        add_value(out, i, text_of_name(known, min(name, <int>PLAYERS), name_id), name_id)


cdef inline void list_codes(const Headers *all, const Group *group, Values *out) noexcept nogil:
    cdef int i
    out.count = 0
    for i in range(group.count):
        add_value(out, i, header_text(all, group.records[i], T_ECO), 0)


cdef inline bint have_equal_texts(const Values *values) noexcept nogil:
    """Return whether two different names have one text, as other programs may write them."""
    cdef int i, j
    for i in range(values.count):
        for j in range(i):
            if not differ(values.texts[i], values.texts[j]):
                return True
    return False


cdef inline int highest(const int64_t *merits, int count) noexcept nogil:
    """Return the index of the highest merit; NO_VALUE if all are negative, UNDECIDED for a tie."""
    cdef int i, best = NO_VALUE
    cdef bint is_tied = False
    for i in range(count):
        if merits[i] >= 0 and (best == NO_VALUE or merits[i] >= merits[best]):
            is_tied = best != NO_VALUE and merits[i] == merits[best]
            best = i
    return UNDECIDED if is_tied else best


cdef inline int best_place(
    const Values *values, const Values *sites, const bint *are_event_like
) noexcept nogil:
    """Return the best of several events, or of several sites if `sites` is NULL."""
    cdef Words[MOST_RECORDS] letters
    cdef Words[MOST_RECORDS] places
    cdef int64_t[MOST_RECORDS] merits
    cdef int i, j, support, place_count = 0
    if sites != NULL:
        for i in range(sites.count):
            if sites.texts[i].length:
                if not read_letters(sites.texts[i], &places[place_count]):
                    return UNDECIDED
                place_count += 1
    for i in range(values.count):
        if not read_letters(values.texts[i], &letters[i]):
            return UNDECIDED
    for i in range(values.count):
        merits[i] = -1
        if is_empty(values, i):
            continue
        support = 0
        for j in range(values.count):
            if not is_empty(values, j) and begins_with(&letters[i], &letters[j]) and (
                letters[j].length == letters[i].length or letters[j].length >= LEAST_CUT
            ):
                support += values.votes[j]
        merits[i] = merit_of_place(
            values.texts[i], &letters[i], support, places, place_count, are_event_like[i]
        )
    return highest(merits, values.count)


cdef inline bint is_empty(const Values *values, int value) noexcept nogil:
    return says_nothing(values.texts[value].text, values.texts[value].length)


cdef inline int best_code(const Values *values) noexcept nogil:
    """Return the best of several ECO codes: that of most records, then the longest."""
    cdef int64_t[MOST_RECORDS] merits
    cdef int64_t votes
    cdef int i, j
    for i in range(values.count):
        if not is_ascii(values.texts[i].text, values.texts[i].length):
            return UNDECIDED
    for i in range(values.count):
        merits[i] = -1
        if not is_code(values.texts[i]):
            continue
        votes = 0
        for j in range(values.count):
            if is_code(values.texts[j]) and memcmp(
                values.texts[i].text, values.texts[j].text, CODE_CHARS
            ) == 0:
                votes += values.votes[j]
        merits[i] = votes << 32 | <int64_t>values.texts[i].length
    return highest(merits, values.count)


cdef inline int fullest_of_plain(const Values *values) noexcept nogil:
    """Return the best of names like "Kasparov,G"; UNDECIDED if any is not so simple."""
    cdef size_t given
    cdef int i, winner, best = 0
    for i in range(1, values.count):
        winner = fuller_of_plain(values.texts[best], values.texts[i], &given)
        if winner == ASK:
            return UNDECIDED
        if winner == OTHER:
            best = i
    return best


cdef inline void take_value(
    Group *group, const Values *values, int best, int field, bint is_missing
) noexcept nogil:
    """Note the best value of a field; value 0 is the kept game's. `is_missing`: it is unusable."""
    cdef uint64_t reason = IS_EXACT
    if best <= 0:
        return
    if is_missing:
        reason = IS_MISSING
    elif values.votes[best] > values.votes[0]:
        reason = IS_MAJORITY
    group.taken[values.first[best]] |= <uint32_t>1 << field
    group.reasons |= reason << REASON_BITS * field


cdef inline bint add_group(
    KnownNames *known, const Headers *all, const Group *group, PairMerges *out
) noexcept nogil:
    """Store what the kept game gets from each record; return False if out of memory."""
    cdef int i
    for i in range(1, group.count):
        if group.taken[i] and not add_merge(
            known, all, group.records[0], group.records[i], group.taken[i], group.reasons, out
        ):
            return False
    return True
