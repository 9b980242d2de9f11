"""Merge the headers of two records into the kept game, as matching/header_merge.py does.

A merge for which the rules here do not suffice is left to that module. group_merge.pxd merges three
records or more.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

from game_record cimport reserve
from header_rows cimport (
    NAME_COUNT, NO_TEXT, N_QUALITY, N_WHITE_ELO, P_LEAST_ELO, P_MOST_ELO, T_DATE, T_ECO, T_RESULT,
    T_ROUND, T_TAGS, T_TIME_CONTROL, Content, Header, Headers, MergeRules, says_nothing, text_of,
)
from id_numbers cimport PLAYERS, KnownNames, Text, text_of_name

# --- the better of two values ---------------------------------------------------------------------

# Which of two values of a field is better: matching/field_choice.py for two records. ASK means that
# Python must decide (non-ASCII text, very long text).

cdef enum:
    NEITHER = 0                # neither value is usable
    OWN = 1                    # the kept game's
    OTHER = 2
    TIED = 3
    ASK = 4

cdef enum:
    MOST_LETTERS = 200
    MOST_ROUND = 60
    LEAST_CUT = 3              # _LEAST_CUT_CHARS in field_choice.py
    NEAR_PLIES = 4             # _NEAR_PLIES there
    COUNTRY_CHARS = 4          # " CZE"
    SUPPORT_BITS = 8
    MOST_SUPPORT = 255

ctypedef struct Words:
    uint8_t letters[MOST_LETTERS]
    size_t length


cdef inline int better(int64_t own, int64_t other) noexcept nogil:
    return OWN if own > other else OTHER if other > own else TIED


cdef inline int of_known(bint own, bint other) noexcept nogil:
    """Return what follows from which of two values are usable; TIED if both are."""
    return (OWN if own else 0) | (OTHER if other else 0)


cdef inline bint has(Text text, const char *what, size_t length) noexcept nogil:
    cdef const uint8_t *at = text.text
    cdef const uint8_t *end = text.text + text.length
    while <size_t>(end - at) >= length:
        at = <const uint8_t *>memchr(at, what[0], end - at - length + 1)
        if at == NULL:
            return False
        if memcmp(at, what, length) == 0:
            return True
        at += 1
    return False


cdef inline int64_t count_char(Text text, uint8_t char) noexcept nogil:
    cdef size_t i
    cdef int64_t matches = 0
    for i in range(text.length):
        matches += text.text[i] == char
    return matches


# --- dates --------------------------------------------------------------------------------------

cdef inline bint is_date(Text date) noexcept nogil:
    """Return whether a text has the form of a date and at least one digit."""
    cdef size_t i
    cdef bint has_digit = False
    if date.text == NULL or date.length != 10:
        return False
    for i in range(10):
        if i == 4 or i == 7:
            if date.text[i] != c".":
                return False
        elif c"0" <= date.text[i] <= c"9":
            has_digit = True
        elif date.text[i] != c"?":
            return False
    return has_digit


cdef inline int better_date(
    Text own, Text other, int64_t quality, int64_t other_quality, bint has_event_date
) noexcept nogil:
    cdef int winner = of_known(is_date(own), is_date(other))
    if winner != TIED:
        return winner
    winner = better(count_char(other, c"?"), count_char(own, c"?"))
    if winner != TIED:
        return winner
    if has_event_date or quality < 0 or other_quality < 0:
        return ASK
    return better(quality % 10, other_quality % 10)


# --- rounds -------------------------------------------------------------------------------------

cdef inline size_t round_parts(Text text, uint8_t *out) noexcept nogil:
    """Write the parts of a round, without leading zeros, each followed by a full stop."""
    cdef size_t i, length = 0
    cdef bint is_first = True
    for i in range(text.length):
        if text.text[i] == c")":
            continue
        if text.text[i] == c"(" or text.text[i] == c".":
            out[length] = c"."
            is_first = True
        elif text.text[i] == c"0" and is_first:
            continue
        else:
            out[length] = text.text[i]
            is_first = False
        length += 1
    out[length] = c"."
    return length + 1


cdef inline bint is_dateless_one(Text text, Text date) noexcept nogil:
    """Return whether a round is 1 in a record without a known day."""
    return text.length == 1 and text.text[0] == c"1" and (
        date.length == 0 or memchr(date.text, c"?", date.length) != NULL
    )


cdef inline int better_round(Text own, Text other, Text date, Text other_date) noexcept nogil:
    cdef uint8_t parts[MOST_ROUND + 1]
    cdef uint8_t other_parts[MOST_ROUND + 1]
    cdef size_t length, other_length
    cdef int winner = of_known(
        not says_nothing(own.text, own.length), not says_nothing(other.text, other.length)
    )
    if winner != TIED:
        return winner
    if own.length > MOST_ROUND or other.length > MOST_ROUND:
        return ASK
    if is_dateless_one(own, date):
        return OTHER
    if is_dateless_one(other, other_date):
        return OWN
    winner = better(count_char(own, c"?") == 0, count_char(other, c"?") == 0)
    if winner != TIED:
        return winner
    length = round_parts(own, parts)
    other_length = round_parts(other, other_parts)
    if length == other_length and memcmp(parts, other_parts, length) == 0:
        return TIED
    if memcmp(parts, other_parts, min(length, other_length)) == 0:
        return better(length, other_length)    # a prefix is contained in the longer value
    return TIED


# --- events and sites ---------------------------------------------------------------------------

cdef inline bint read_letters(Text text, Words *out) noexcept nogil:
    """Write letters and digits in lower case; return False for non-ASCII ones."""
    cdef size_t i
    cdef uint8_t char
    out.length = 0
    if text.length > MOST_LETTERS:
        return False
    for i in range(text.length):
        char = text.text[i]
        if char >= 128 or char < 32:
            return False
        if c"A" <= char <= c"Z":
            char += 32
        if c"a" <= char <= c"z" or c"0" <= char <= c"9":
            out.letters[out.length] = char
            out.length += 1
    return True


cdef inline bint begins_with(const Words *all, const Words *first) noexcept nogil:
    return all.length >= first.length and memcmp(all.letters, first.letters, first.length) == 0


cdef inline bint has_country(Text text) noexcept nogil:
    """Return whether a text ends with a country, as in "Monaco MNC"."""
    cdef const uint8_t *at
    cdef int i
    if text.length < 5:
        return False
    at = text.text + text.length - 5
    for i in range(2, 5):
        if not c"A" <= at[i] <= c"Z":
            return False
    return at[1] == c" " and (c"a" <= at[0] <= c"z" or at[0] == c")")


cdef inline bint has_two_countries(Text text) noexcept nogil:
    """Return whether a text ends with two countries, as in "Nachod CZE RUS": one is wrong."""
    cdef const uint8_t *at
    cdef int i
    if text.length < 8:
        return False
    at = text.text + text.length - 8
    for i in range(1, 8):
        if i != 4 and not c"A" <= at[i] <= c"Z":
            return False
    return at[0] == c" " and at[4] == c" "


cdef inline bint is_in_one_case(Text text) noexcept nogil:
    cdef size_t i
    cdef bint has_small = False, has_capital = False
    for i in range(text.length):
        has_small |= c"a" <= text.text[i] <= c"z"
        has_capital |= c"A" <= text.text[i] <= c"Z"
    return text.length > 4 and has_small != has_capital


cdef inline int64_t merit_of_place(
    Text text, const Words *own, int support, const Words *sites, int site_count,
    bint is_event_like,
) noexcept nogil:
    """Return the merit of an event or site as one number.

    `support`: records with this text, also truncated, of at most MOST_SUPPORT.
    """
    cdef bint is_place = False
    cdef int i
    cdef int64_t merit = count_char(text, c"[") == count_char(text, c"]")
    for i in range(site_count):
        is_place |= begins_with(&sites[i], own)
    merit = merit << 1 | (not is_place)
    merit = merit << 1 | (not has_two_countries(text))
    merit = merit << SUPPORT_BITS | support
    merit = merit << 1 | is_event_like
    merit = merit << 1 | has_country(text)
    merit = merit << 1 | (not is_in_one_case(text))
    return merit << 32 | <int64_t>text.length


cdef inline int support_of(const Words *own, const Words *other) noexcept nogil:
    """Return how many of two records have a text, also truncated."""
    return 1 + (LEAST_CUT <= other.length < own.length and begins_with(own, other))


cdef inline bint may_be_outweighed(Text left, Text right, bint is_site) noexcept nogil:
    """Return whether all records may decide between two events or sites.

    They may not if one is a prefix of the other, except that a site which only adds a country may
    be outweighed: see matching/consensus.py.
    """
    cdef Words letters
    cdef Words other_letters
    cdef size_t longest = max(left.length, right.length)
    if not read_letters(left, &letters) or not read_letters(right, &other_letters):
        return True
    if begins_with(&letters, &other_letters) or begins_with(&other_letters, &letters):
        return is_site and longest - min(left.length, right.length) == COUNTRY_CHARS
    return True


cdef inline int better_place(
    Text own, Text other, const Text *site_texts, int site_count, bint own_is_event_like,
    bint other_is_event_like,
) noexcept nogil:
    """Compare two events, or two sites, of records without sites."""
    cdef Words letters
    cdef Words other_letters
    cdef Words sites[2]
    cdef int i, count = 0
    cdef int winner = of_known(
        not says_nothing(own.text, own.length), not says_nothing(other.text, other.length)
    )
    if winner != TIED:
        return winner
    if not read_letters(own, &letters) or not read_letters(other, &other_letters):
        return ASK
    for i in range(site_count):
        if site_texts[i].length:
            if not read_letters(site_texts[i], &sites[count]):
                return ASK
            count += 1
    return better(
        merit_of_place(
            own, &letters, support_of(&letters, &other_letters), sites, count, own_is_event_like
        ),
        merit_of_place(
            other, &other_letters, support_of(&other_letters, &letters), sites, count,
            other_is_event_like,
        ),
    )


# --- the others ---------------------------------------------------------------------------------

cdef inline int better_result(
    Text own, Text other, Text tags, Text other_tags, int64_t plies, int64_t other_plies
) noexcept nogil:
    cdef int64_t longest = max(plies, other_plies) - NEAR_PLIES
    cdef int winner = of_known(
        own.text != NULL and not (own.length == 1 and own.text[0] == c"*"),
        other.text != NULL and not (other.length == 1 and other.text[0] == c"*"),
    )
    if winner != TIED:
        return winner
    return better(
        2 * (not has(tags, b"MovetextResult", 14)) + (plies >= longest),
        2 * (not has(other_tags, b"MovetextResult", 14)) + (other_plies >= longest),
    )


cdef inline bint is_code(Text eco) noexcept nogil:
    return eco.length >= 3 and (
        c"A" <= eco.text[0] <= c"E" and c"0" <= eco.text[1] <= c"9" and c"0" <= eco.text[2] <= c"9"
    )


cdef inline int better_code(Text own, Text other) noexcept nogil:
    cdef size_t i
    for i in range(own.length):
        if own.text[i] >= 128:
            return ASK
    for i in range(other.length):
        if other.text[i] >= 128:
            return ASK
    if is_code(own) and is_code(other):
        return better(own.length, other.length)
    return of_known(is_code(own), is_code(other))


# --- names of players ---------------------------------------------------------------------------

cdef inline size_t capitalised(const uint8_t *text, size_t at, size_t end) noexcept nogil:
    """Return the end of the capitalised words that begin at `at`; `at` if there are none.

    Blanks or hyphens separate them: _CAPITALISED in name_choice.py.
    """
    cdef size_t start = at
    while True:
        if at >= end or not c"A" <= text[at] <= c"Z":
            return start if at == start else at - 1
        at += 1
        while at < end and c"a" <= text[at] <= c"z":
            at += 1
        if at >= end or (text[at] != c" " and text[at] != c"-"):
            return at
        at += 1


cdef inline size_t plain_given(Text name, size_t *surname) noexcept nogil:
    """Return where the given names of "Surname, Given" begin, 0 if a name is not so simple."""
    cdef size_t at
    surname[0] = capitalised(name.text, 0, name.length)
    at = surname[0]
    if at == 0 or at >= name.length or name.text[at] != c",":
        return 0
    at += 1
    if at < name.length and name.text[at] == c" ":
        at += 1
    return at if at < name.length and capitalised(name.text, at, name.length) == name.length else 0


cdef inline int fuller_of_plain(Text own, Text other, size_t *given) noexcept nogil:
    """Return which of "Kasparov,G" and "Kasparov, Garry" is better; ASK if not so simple.

    `given`: set to the start of the given names of the better name, to check for titles.
    """
    cdef size_t surname, other_surname, at, other_at, length, other_length
    at = plain_given(own, &surname)
    other_at = plain_given(other, &other_surname)
    if (
        at == 0 or other_at == 0 or surname != other_surname or surname < 3
        or memcmp(own.text, other.text, surname) != 0
    ):
        return ASK
    length = own.length - at
    other_length = other.length - other_at
    if memcmp(own.text + at, other.text + other_at, min(length, other_length)) != 0:
        return ASK
    if length == other_length:
        given[0] = at if at == surname + 2 else other_at
        return OWN if at == surname + 2 else OTHER
    given[0] = at if length > other_length else other_at
    return OWN if length > other_length else OTHER


# --- the merge of two records ---------------------------------------------------------------------

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
    MONTH_CHARS = 7


cdef inline int field_of_name(int name) noexcept nogil:
    """Return the field of an event (0), a site, White (2) or Black."""
    return F_EVENT + name if name < 2 else F_WHITE + name - 2


cdef inline int name_of_field(int field) noexcept nogil:
    """Return the name of a field, -1 if the field is no name."""
    if field == F_EVENT or field == F_SITE:
        return field - F_EVENT
    return field - F_WHITE + 2 if field == F_WHITE or field == F_BLACK else -1


# Why a value replaces that of the kept game, in the order of _REASONS in merged_headers.py.
cdef enum:
    IS_MISSING = 0             # the kept game has no value
    IS_SUPPORTED = 1           # supported by all records
    IS_RELIABLE = 2            # both are usable, its record has fewer worse fields
    IS_EXACT = 3               # it is more exact
    IS_MAJORITY = 4            # more records have it
    REASONS = 5
    REASON_BITS = 3
    REASON_MASK = 7

# What a kept game gets from one record. The rows of a kept game are next to each other.
ctypedef struct PairMerge:
    int64_t game_id            # the kept game
    int64_t from_id
    # texts of both records, and names in the fields that are taken, in the arena of the merges
    size_t text[2]
    size_t name_texts[2]
    Content content[2]
    uint32_t taken             # bit n: field n now comes from the other record
    uint64_t reasons           # of field n in REASON_BITS bits, see IS_MISSING

ctypedef struct PairMerges:
    PairMerge *rows
    size_t room
    size_t count
    Headers texts              # arena of texts


cdef inline Text header_text(const Headers *all, const Header *header, int text) noexcept nogil:
    cdef Text copied
    copied.text = text_of(all, header, text, &copied.length)
    return copied


cdef inline bint differ(Text own, Text other) noexcept nogil:
    if own.text == NULL or other.text == NULL:
        return own.text != other.text
    return own.length != other.length or memcmp(own.text, other.text, own.length) != 0


cdef inline bint is_elo(const MergeRules *rules, const Header *header, int side) noexcept nogil:
    return not header.content.nulls >> (N_WHITE_ELO + side) & 1 and (
        rules.points[P_LEAST_ELO] <= header.content.numbers[N_WHITE_ELO + side]
        <= rules.points[P_MOST_ELO]
    )


cdef inline int better_elo(
    const MergeRules *rules, const Header *own, const Header *other, int side
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
    """Compare the text fields; `asks_days`: other games may determine the day."""
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
    """Return the fields that the kept game gets from the other, as bits; -1 if one is ASK.

    Values that are equally good come from the record with fewer worse fields.
    """
    cdef int field, worse = 0
    cdef int64_t taken = 0
    cdef Text date, other_date
    cdef size_t shorter
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
            shorter = min(date.length, other_date.length)
            if shorter == 0 or memcmp(other_date.text, date.text, shorter) <= 0:
                continue
        taken |= 1 << field
    return taken


cdef inline bint has_empty_tag(Text tags) noexcept nogil:
    """Return whether a tag is empty: _EMPTY_TAG in header_merge.py."""
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
    """Return whether a merge certainly leaves the tags unchanged and takes no date from them."""
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


cdef inline uint64_t reasons_of(
    const Headers *all, const MergeRules *rules, const Header *own, const uint8_t *found,
    uint32_t outweighed, uint32_t empty_names,
) noexcept nogil:
    """Return the reasons for the fields of PairMerge; those of unchanged fields mean nothing."""
    cdef int[4] texts = [T_DATE, T_ROUND, T_RESULT, T_TIME_CONTROL]
    cdef int[4] fields = [F_DATE, F_ROUND, F_RESULT, F_TIME_CONTROL]
    cdef uint32_t missing = empty_names
    cdef uint64_t reason, reasons = 0
    cdef int i
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
        reasons |= reason << REASON_BITS * i
    return reasons


cdef inline bint are_of_one(const Header *own, const Header *other) noexcept nogil:
    """Return whether two records have the same facts about their players."""
    return (
        own.content.numbers[0] == other.content.numbers[0]
        and own.content.numbers[1] == other.content.numbers[1]
        and (own.content.nulls ^ other.content.nulls) & 3 == 0
        and own.core_hash == other.core_hash and own.has_core_hash == other.has_core_hash
    )


cdef inline bint put_texts(
    const Headers *all, const Header *header, Headers *merges, size_t *place
) noexcept nogil:
    """Copy the texts of a header except its tags; return False if out of memory."""
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


cdef inline bint put_names(
    KnownNames *known, const Header *header, int64_t taken, Headers *merges, size_t *place
) noexcept nogil:
    """Copy the names in the fields that are taken; return False if out of memory."""
    cdef Text text
    cdef uint32_t length
    cdef int name
    place[0] = merges.arena_bytes
    for name in range(NAME_COUNT):
        if not taken >> field_of_name(name) & 1:
            continue
        text = text_of_name(known, min(name, <int>PLAYERS), header.content.names[name])
        length = <uint32_t>text.length
        if not reserve(
            <void **>&merges.arena, &merges.arena_room,
            merges.arena_bytes + sizeof(length) + length, 1,
        ):
            return False
        memcpy(merges.arena + merges.arena_bytes, &length, sizeof(length))
        if length:
            memcpy(merges.arena + merges.arena_bytes + sizeof(length), text.text, length)
        merges.arena_bytes += sizeof(length) + length
    return True


cdef inline Text name_in_merge(
    const PairMerge *row, const uint8_t *arena, int which, int field
) noexcept nogil:
    """Return the name in a taken field of one of the two records."""
    cdef Text text
    cdef uint32_t length
    cdef const uint8_t *at = arena + row.name_texts[which]
    cdef int name
    for name in range(NAME_COUNT):
        if row.taken >> field_of_name(name) & 1:
            memcpy(&length, at, sizeof(length))
            at += sizeof(length)
            if field_of_name(name) == field:
                break
            at += length
    text.text = at
    text.length = length
    return text


cdef inline bint add_merge(
    KnownNames *known, const Headers *all, const Header *own, const Header *other, int64_t taken,
    uint64_t reasons, PairMerges *merges,
) noexcept nogil:
    """Store what the kept game gets from the other; return False if out of memory."""
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
        and put_names(known, own, taken, &merges.texts, &row.name_texts[0])
        and put_names(known, other, taken, &merges.texts, &row.name_texts[1])
    ):
        return False
    merges.count += 1
    return True
