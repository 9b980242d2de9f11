"""What a merge makes of the kept game of two: merge_headers() in matching/header_merge.py.

A merge that is not decided here as there is left to that module.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memcpy

from copy_game cimport reserve
from field_of_two cimport (
    ASK, NEITHER, OTHER, OWN, TIED, better_code, better_date, better_result, better_round, has,
    is_code, of_known,
)
from header_rows cimport (
    Content, Header, Headers, N_WHITE_ELO, NO_TEXT, P_LEAST_ELO, P_MOST_ELO, Rules, T_DATE, T_ECO,
    T_RESULT, T_TAGS, T_TIME_CONTROL, says_nothing, text_of,
)
from id_texts cimport Text

# Fields in the order of _FIELDS in header_merge.py.
cdef enum:
    F_EVENT = 0
    F_SITE = 1
    F_DATE = 2
    F_ROUND = 3
    F_WHITE = 4
    F_BLACK = 5
    F_WHITE_ELO = 6
    F_BLACK_ELO = 7
    F_RESULT = 8
    F_TIME_CONTROL = 9
    F_ECO = 10
    FIELDS = 11

cdef enum:
    T_ROUND = 1
    N_QUALITY = 4
    MONTH_CHARS = 7

# Why a value takes the place of the kept game's, in the order of _REASONS in merged_headers.py.
cdef enum:
    IS_MISSING = 0             # the kept game has none
    IS_SUPPORTED = 1           # all records decide so
    IS_RELIABLE = 2            # both are good, its record has fewer fields that are worse
    IS_EXACT = 3               # it says more
    REASONS = 4

ctypedef struct PairMerge:
    int64_t game_id            # the kept game
    int64_t from_id
    size_t text[2]             # texts of both, one behind the other, in the arena of the merges
    Content content[2]
    uint32_t taken             # bit n: field n is the other one's now
    uint32_t reasons           # of field n in two bits, see IS_MISSING

ctypedef struct PairMerges:
    PairMerge *rows
    size_t room
    size_t count
    Headers texts              # its arena


cdef inline Text header_text(const Headers *all, const Header *header, int text) noexcept nogil:
    cdef Text found
    found.text = text_of(all, header, text, &found.length)
    return found


cdef inline bint differ(Text own, Text other) noexcept nogil:
    if own.text == NULL or other.text == NULL:
        return own.text != other.text
    return own.length != other.length or memcmp(own.text, other.text, own.length) != 0


cdef inline bint is_elo(const Rules *rules, const Header *header, int side) noexcept nogil:
    return not header.content.nulls >> (N_WHITE_ELO + side) & 1 and (
        rules.points[P_LEAST_ELO] <= header.content.numbers[N_WHITE_ELO + side]
        <= rules.points[P_MOST_ELO]
    )


cdef inline int better_elo(
    const Rules *rules, const Header *own, const Header *other, int side
) noexcept nogil:
    cdef int place = N_WHITE_ELO + side
    if (
        own.content.numbers[place] == other.content.numbers[place]
        and (own.content.nulls ^ other.content.nulls) >> place & 1 == 0
    ):
        return NEITHER
    return of_known(is_elo(rules, own, side), is_elo(rules, other, side))


cdef inline void compare_texts(
    const Headers *all, const Header *own, const Header *other, uint8_t *found, bint asks_days
) noexcept nogil:
    """Compare the fields that are texts; `asks_days`: other games may tell the day."""
    cdef Text left[T_TAGS + 1]
    cdef Text right[T_TAGS + 1]
    cdef int i
    for i in range(T_TAGS + 1):
        left[i] = header_text(all, own, i)
        right[i] = header_text(all, other, i)
    if differ(left[T_DATE], right[T_DATE]):
        found[F_DATE] = better_date(
            left[T_DATE], right[T_DATE],
            own.content.numbers[N_QUALITY], other.content.numbers[N_QUALITY],
            asks_days or has(left[T_TAGS], b'"EventDate"', 11)
            or has(right[T_TAGS], b'"EventDate"', 11),
        )
    if differ(left[T_ROUND], right[T_ROUND]):
        found[F_ROUND] = better_round(left[T_ROUND], right[T_ROUND], left[T_DATE], right[T_DATE])
    if differ(left[T_RESULT], right[T_RESULT]):
        found[F_RESULT] = better_result(
            left[T_RESULT], right[T_RESULT], left[T_TAGS], right[T_TAGS], own.plies, other.plies
        )
    if differ(left[T_TIME_CONTROL], right[T_TIME_CONTROL]):
        found[F_TIME_CONTROL] = of_known(
            not says_nothing(left[T_TIME_CONTROL].text, left[T_TIME_CONTROL].length),
            not says_nothing(right[T_TIME_CONTROL].text, right[T_TIME_CONTROL].length),
        )
    if differ(left[T_ECO], right[T_ECO]):
        found[F_ECO] = better_code(left[T_ECO], right[T_ECO])


cdef inline int64_t taken_fields(
    const Headers *all, const Header *own, const Header *other, const uint8_t *found
) noexcept nogil:
    """Return the fields that the kept game gets of the other one, as bits; -1 if one is ASK.

    Values that are equally good come from the record with fewer fields that are worse.
    """
    cdef int field, worse = 0
    cdef int64_t taken = 0
    cdef Text date, other_date
    for field in range(FIELDS):
        if found[field] == ASK:
            return -1
        worse += (found[field] == OTHER) - (found[field] == OWN)
        if found[field] == OTHER:
            taken |= 1 << field
    for field in range(FIELDS):
        if found[field] != TIED or worse < 0:
            continue
        if worse == 0:
            if field != F_DATE:
                continue
            date = header_text(all, own, T_DATE)
            other_date = header_text(all, other, T_DATE)
            if memcmp(other_date.text, date.text, min(date.length, other_date.length)) <= 0:
                continue
        taken |= 1 << field
    return taken


cdef inline bint has_empty_tag(Text tags) noexcept nogil:
    """Tell if a tag says nothing: _EMPTY_TAG in header_merge.py."""
    cdef size_t i = 0
    while i + 2 < tags.length:
        if tags.text[i] == c":" and tags.text[i + 1] == c'"':
            i += 2
            while i < tags.length and (tags.text[i] == c"?" or tags.text[i] == c"."):
                i += 1
            if i < tags.length and tags.text[i] == c'"':
                return True
        else:
            i += 1
    return False


cdef inline bint tags_stay(
    const Headers *all, const Header *own, const Header *other, int64_t taken
) noexcept nogil:
    """Tell if a merge surely leaves the tags as they are, and takes no date from them."""
    cdef Text tags = header_text(all, own, T_TAGS)
    cdef Text others = header_text(all, other, T_TAGS)
    cdef Text date = header_text(all, other if taken >> F_DATE & 1 else own, T_DATE)
    cdef uint32_t gone = 1 << F_WHITE_ELO | 1 << F_BLACK_ELO | 1 << F_DATE | 1 << F_RESULT
    if tags.length == 0 and others.length == 0:
        return True
    if others.text != NULL and differ(tags, others):
        return False
    if (
        (has(tags, b'"EventDate"', 11) or has(others, b'"EventDate"', 11))
        and (date.length < MONTH_CHARS or has_unknown(date))
    ):
        return False
    return not taken & gone and not has_empty_tag(tags)


cdef inline bint has_unknown(Text text) noexcept nogil:
    return has(text, b"?", 1)


cdef inline uint32_t reasons_of(
    const Headers *all, const Rules *rules, const Header *own, const uint8_t *found,
    uint32_t outweighed, uint32_t empty_names,
) noexcept nogil:
    """Return the reasons for the fields of PairMerge; those of fields not taken mean nothing."""
    cdef int[4] texts = [T_DATE, T_ROUND, T_RESULT, T_TIME_CONTROL]
    cdef int[4] fields = [F_DATE, F_ROUND, F_RESULT, F_TIME_CONTROL]
    cdef uint32_t missing = empty_names
    cdef uint32_t reasons = 0
    cdef int i, reason
    cdef Text text
    for i in range(4):
        text = header_text(all, own, texts[i])
        if says_nothing(text.text, text.length) or (text.length == 1 and text.text[0] == c"*"):
            missing |= 1 << fields[i]
    if not is_code(header_text(all, own, T_ECO)):
        missing |= 1 << F_ECO
    for i in range(2):
        if not is_elo(rules, own, i):
            missing |= 1 << (F_WHITE_ELO + i)
    for i in range(FIELDS):
        reason = IS_EXACT
        if missing >> i & 1:
            reason = IS_MISSING
        elif outweighed >> i & 1:
            reason = IS_SUPPORTED
        elif found[i] == TIED:
            reason = IS_RELIABLE
        reasons |= reason << 2 * i
    return reasons


cdef inline bint are_of_one(const Header *own, const Header *other) noexcept nogil:
    """Tell if two records know the same of who the players are."""
    return (
        own.content.numbers[0] == other.content.numbers[0]
        and own.content.numbers[1] == other.content.numbers[1]
        and (own.content.nulls ^ other.content.nulls) & 3 == 0
        and own.core_hash == other.core_hash and own.has_core_hash == other.has_core_hash
    )


cdef inline bint put_texts(
    const Headers *all, const Header *header, Headers *merges, size_t *place
) noexcept nogil:
    """Copy the texts of a header but its tags; False without memory."""
    cdef size_t length = 0
    cdef int i
    for i in range(T_TAGS):
        if header.content.lengths[i] != NO_TEXT:
            length += header.content.lengths[i]
    place[0] = merges.arena_bytes
    if not reserve(
        <void **>&merges.arena, &merges.arena_room, merges.arena_bytes + length + 16, 1
    ):
        return False
    if length:
        memcpy(merges.arena + merges.arena_bytes, all.arena + header.text, length)
    merges.arena_bytes += length
    return True


cdef inline bint add_merge(
    const Headers *all, const Header *own, const Header *other, int64_t taken, uint32_t reasons,
    PairMerges *merges,
) noexcept nogil:
    """Note what the kept game gets of the other one; False without memory."""
    cdef PairMerge *row
    if not reserve(
        <void **>&merges.rows, &merges.room, merges.count + 1, sizeof(PairMerge)
    ):
        return False
    row = &merges.rows[merges.count]
    row.game_id = own.game_id
    row.from_id = other.game_id
    row.taken = <uint32_t>taken
    row.reasons = reasons
    row.content[0] = own.content
    row.content[1] = other.content
    if not (
        put_texts(all, own, &merges.texts, &row.text[0])
        and put_texts(all, other, &merges.texts, &row.text[1])
    ):
        return False
    merges.count += 1
    return True
