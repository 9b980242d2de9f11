"""Choose the best value of each header field among records of one played game.

Owns the rules for better values, except for names of players; the choice of the record if several
have an equally good value; and the reason for each change. Works for any number of records.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.string cimport memcmp

from field_rules cimport (
    CODE_CHARS, DATE_BYTES, RoundReader, begins_with, bytes_of_chars, char_count, contains, differ,
    event_date, has_country, has_private_number, has_two_countries, is_code, is_in_one_case,
    may_be_same_day, next_in_round, read_round,
)
from find_bytes cimport is_study_address
from header_fields cimport (
    CONFIRMED, EXACT, FIDE, MAJORITY, MISSING, RELIABLE, ROUND_DAY, SUPPORTED, reason_names,
)
from header_rows cimport TEXT_DATE, TEXT_ECO, TEXT_RESULT, TEXT_ROUND, TEXT_TIME_CONTROL
from header_text cimport is_study_name, plain, read_event
from thresholds cimport NEAR_PLIES
from value_pairs cimport FIELD_PAIRS, FieldPair, field_pair, names_agree, values_agree

from ocgdedup.model import GameHeader

# By field.
cdef const char *TAGS[FIELDS]
TAGS[:] = [
    b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"WhiteElo", b"BlackElo", b"Result",
    b"TimeControl", b"ECO",
]
FIELD_TAGS = tuple([tag.decode() for tag in TAGS[:FIELDS]])

# By field: the text of a stored header; -1: none.
cdef int[FIELDS] TEXT_OF_FIELD = [
    -1, -1, TEXT_DATE, TEXT_ROUND, -1, -1, -1, -1, TEXT_RESULT, TEXT_TIME_CONTROL, TEXT_ECO,
]

REASON_NAMES = reason_names()          # in model.Reason

cdef enum:
    LEAST_CUT_CHARS = 3        # a text that is the beginning of a longer one is that text truncated
    FEW_VALUES = 16            # that are compared one by one

# The values of a record, for a choice.
ctypedef struct Record:
    Text texts[FIELDS]         # none for Elos
    Text tags
    int64_t elos[2]            # INT64_MIN: none
    int64_t quality            # of the date
    int64_t plies
    int event_rank             # needed if records differ in the event
    bint has_fide_id[2]

# The values of one field, each once, in the order of the records.
ctypedef struct FieldValues:
    size_t count
    uint32_t *value_of         # by record
    uint32_t *first            # by value: the first record with it
    uint32_t *votes            # by value: records with it
    uint8_t *is_best           # by value
    size_t best_count
    bint is_masked
    uint8_t *considers         # by record, if masked: whether the record counts
    bint is_outweighed         # the kept game's value loses against all records of the database

# The letters of a value, or of a site.
cdef struct Key:
    Text letters
    size_t offset              # in the arena, until all letters are written
    uint32_t value
    Key *beginning             # of the values whose letters begin these, the longest
    int64_t votes              # of those values and this one

# The digits of a date that two masks share, and the votes of the dates with these digits.
ctypedef struct DateKey:
    uint32_t digits
    int64_t votes

ctypedef struct Merit:
    bint is_usable
    int64_t high
    int64_t low


cdef int compare_keys(const void *left, const void *right) noexcept nogil:
    cdef const Key *a = <const Key *>left
    cdef const Key *b = <const Key *>right
    cdef size_t shorter = min(a.letters.length, b.letters.length)
    cdef int order = memcmp(a.letters.text, b.letters.text, shorter) if shorter else 0
    return order or order_of(<uint64_t>a.letters.length, <uint64_t>b.letters.length)


cdef int compare_dates(const void *left, const void *right) noexcept nogil:
    return order_of((<const DateKey *>left).digits, (<const DateKey *>right).digits)


cdef bint is_of_study(const Record *record) noexcept nogil:
    """Return whether the event of a record is the name of a study."""
    cdef EventText event
    cdef Text text = record.texts[FIELD_EVENT]
    if is_study_address(record.texts[FIELD_SITE].text, record.texts[FIELD_SITE].length):
        return True
    if not contains(record.tags, b"/", 1):
        return False
    read_event(text.text, text.length, &event)
    return is_study_name(&event, record.tags.text, record.tags.length)


cdef uint32_t digits_of(Text date, uint32_t *mask) noexcept nogil:
    """Return the known digits of a date, four bits each; `mask`: set to 15 for each of them."""
    cdef uint32_t digits = 0
    cdef int i
    mask[0] = 0
    for i in range(DATE_BYTES):
        if i != 4 and i != 7:
            digits <<= 4
            mask[0] <<= 4
            if date.text[i] != c"?":
                digits |= date.text[i] - c"0"
                mask[0] |= 15
    return digits


cdef class HeaderChooser:
    """Chooses among the records that its owner has filled in: see the stub."""
    cdef object letters_of             # the letters and digits of a non-ASCII text
    cdef object event_rank             # how well a text names an event
    cdef int64_t least_elo, most_elo
    cdef size_t count
    cdef size_t records_capacity, merits_capacity, keys_capacity, sites_capacity
    cdef size_t worse_capacity, dates_capacity, slots_capacity
    cdef Record *records
    cdef FieldValues[FIELDS] fields
    cdef void *indexes                 # memory of the fields
    cdef size_t indexes_capacity
    cdef Merit *merits                 # by value
    cdef Key *keys
    cdef Key *sites
    cdef uint32_t *worse               # by record: fields in which another record is better
    cdef bint has_worse
    cdef DateKey *dates
    cdef uint32_t *slots               # hash table of values
    cdef size_t slot_count
    cdef uint8_t *arena                # of letters
    cdef size_t arena_capacity, arena_bytes
    cdef object eco_of                 # the code of a game's moves by its ID, or None; or None
    cdef int64_t kept_id
    cdef bint has_confirmed_code       # one of the best codes is that of the moves
    cdef bint[2] kept_is_named         # the kept game's players
    cdef bint[FIELDS] is_asked         # fields whose best values Python chose
    cdef size_t[FIELDS] givers         # record whose value is chosen; 0: the kept game
    cdef int[FIELDS] reasons

    def __cinit__(self, letters_of not None, event_rank not None, least_elo, most_elo):
        self.letters_of, self.event_rank = letters_of, event_rank
        self.least_elo, self.most_elo = least_elo, most_elo

    def __dealloc__(self):
        free(self.records)
        free(self.indexes)
        free(self.merits)
        free(self.keys)
        free(self.sites)
        free(self.worse)
        free(self.dates)
        free(self.slots)
        free(self.arena)

    # --- records and their values ---

    cdef int begin(self, size_t count) except -1 nogil:
        """Reserve memory for records, which the owner then fills in, the kept game first."""
        cdef size_t per_field = count * (3 * sizeof(uint32_t) + 2)
        cdef uint8_t *at
        cdef FieldValues *values
        cdef int field
        reserve(<void **>&self.records, &self.records_capacity, count, sizeof(Record))
        reserve(<void **>&self.merits, &self.merits_capacity, count, sizeof(Merit))
        reserve(<void **>&self.keys, &self.keys_capacity, count, sizeof(Key))
        reserve(<void **>&self.sites, &self.sites_capacity, count, sizeof(Key))
        reserve(<void **>&self.worse, &self.worse_capacity, count, sizeof(uint32_t))
        reserve(<void **>&self.dates, &self.dates_capacity, count, sizeof(DateKey))
        reserve(<void **>&self.slots, &self.slots_capacity, 4 * count, sizeof(uint32_t))
        self.slot_count = 1
        while self.slot_count < 2 * count:
            self.slot_count <<= 1              # half of the slots at least stay free
        reserve(&self.indexes, &self.indexes_capacity, per_field * FIELDS + 64, 1)
        memset(self.records, 0, count * sizeof(Record))
        self.count = count
        self.has_worse = False
        memset(self.is_asked, 0, sizeof(self.is_asked))
        at = <uint8_t *>self.indexes
        for field in range(FIELDS):
            values = &self.fields[field]
            values.value_of = <uint32_t *>at
            values.first = values.value_of + count
            values.votes = values.first + count
            at += 3 * count * sizeof(uint32_t)
            values.is_masked = values.is_outweighed = False
        for field in range(FIELDS):
            self.fields[field].is_best, self.fields[field].considers = at, at + count
            at += 2 * count

    cdef void mask(self, int field, size_t record) noexcept nogil:
        """Leave out a record when the best value of a field is chosen."""
        cdef FieldValues *values = &self.fields[field]
        if not values.is_masked:
            memset(values.considers, 1, self.count)
            values.is_masked = True
        values.considers[record] = False

    cdef bint is_considered(self, int field, size_t record) noexcept nogil:
        return not self.fields[field].is_masked or self.fields[field].considers[record]

    cdef bint have_same(self, int field, size_t left, size_t right) noexcept nogil:
        if field == FIELD_WHITE_ELO or field == FIELD_BLACK_ELO:
            return self.records[left].elos[field - FIELD_WHITE_ELO] == (
                self.records[right].elos[field - FIELD_WHITE_ELO]
            )
        return not differ(self.records[left].texts[field], self.records[right].texts[field])

    cdef size_t slot_of(self, int field, size_t record) noexcept nogil:
        """Return the slot of a record's value in the hash table, or a free slot."""
        cdef Text text = self.records[record].texts[field]
        cdef uint64_t hashed
        cdef size_t slot
        if field == FIELD_WHITE_ELO or field == FIELD_BLACK_ELO:
            hashed = <uint64_t>self.records[record].elos[field - FIELD_WHITE_ELO]
        else:
            hashed = hash_bytes(text.text, text.length) if text.text != NULL else 1
        slot = ((hashed * 0x9E3779B97F4A7C15u) >> 20) & (self.slot_count - 1)
        while self.slots[slot] and not self.have_same(
            field, self.fields[field].first[self.slots[slot] - 1], record
        ):
            slot = (slot + 1) & (self.slot_count - 1)
        return slot

    cdef void find_values(self, int field) noexcept nogil:
        cdef FieldValues *values = &self.fields[field]
        cdef size_t i, value, slot = 0
        cdef bint is_hashed = self.count > FEW_VALUES
        values.count = values.best_count = 0
        if is_hashed:
            memset(self.slots, 0, self.slot_count * sizeof(uint32_t))
        for i in range(self.count):
            if is_hashed:
                slot = self.slot_of(field, i)
                value = self.slots[slot] - 1 if self.slots[slot] else values.count
            else:
                value = 0
                while value < values.count and not self.have_same(field, values.first[value], i):
                    value += 1
            if value == values.count:
                values.count += 1
                values.first[value] = <uint32_t>i
                values.votes[value] = 0
                if is_hashed:
                    self.slots[slot] = <uint32_t>values.count
            values.value_of[i] = <uint32_t>value
            values.votes[value] += 1
        memset(values.is_best, 0, values.count)

    cdef void set_best(self, int field, size_t value) noexcept nogil:
        """Mark a value as one of the best; for fields whose rules the owner has."""
        self.fields[field].is_best[value] = True
        self.fields[field].best_count += 1

    # --- the best values ---

    cdef bint is_usable(self, int field, const Record *record) noexcept nogil:
        """Return whether a record has a value of a field that is no name of a player."""
        cdef Text text = record.texts[field]
        cdef int64_t elo
        if field == FIELD_EVENT and is_of_study(record):
            return False
        if field == FIELD_DATE:
            return is_date_text(text)
        if field == FIELD_ECO:
            return is_code(text)
        if field == FIELD_RESULT:
            return text.text != NULL and not (text.length == 1 and text.text[0] == c"*")
        if field == FIELD_WHITE_ELO or field == FIELD_BLACK_ELO:
            elo = record.elos[field - FIELD_WHITE_ELO]
            return self.least_elo <= elo <= self.most_elo
        return not is_blank(text)

    cdef int find_best(self, int field) except -1 nogil:
        """Find the best values of a field in which the records differ."""
        cdef FieldValues *values = &self.fields[field]
        cdef size_t value, record
        cdef Merit *merit
        memset(self.merits, 0, values.count * sizeof(Merit))
        for record in range(self.count):
            if self.is_considered(field, record) and self.is_usable(field, &self.records[record]):
                merit = &self.merits[values.value_of[record]]
                merit.is_usable = True
                merit.high += 1                # votes
        if field == FIELD_EVENT or field == FIELD_SITE:
            self.rank_events_or_sites(field)
        elif field == FIELD_DATE:
            self.rank_dates()
        elif field == FIELD_ROUND:
            self.rank_rounds()
        elif field == FIELD_RESULT:
            self.rank_results()
        elif field == FIELD_ECO:
            self.rank_codes()
        values.best_count = 0
        merit = NULL
        for value in range(values.count):
            if self.merits[value].is_usable and (
                merit == NULL or self.merits[value].high > merit.high
                or self.merits[value].high == merit.high and self.merits[value].low > merit.low
            ):
                merit = &self.merits[value]
        for value in range(values.count):
            if self.merits[value].is_usable and (
                self.merits[value].high == merit.high and self.merits[value].low == merit.low
            ):
                self.set_best(field, value)

    cdef int rank_events_or_sites(self, int field) except -1 nogil:
        """Rank events, or sites.

        The worst texts are addresses of studies. The next have a bracket without its other half.
        Then come events that name nothing, then texts with the number of a private list, then
        events that are only the beginning of a site, then texts that end with two countries. Of the
        other texts, the best has the most records, counting truncated texts and other spellings of
        the same letters. Ties go to an event that is not the nickname of a game, then to a text
        with a country, then to a text that is not in capitals, then to the longest.
        """
        cdef FieldValues *values = &self.fields[field]
        cdef size_t i, keys = 0, sites = 0
        cdef Merit *merit
        cdef Text text
        cdef const Record *record
        self.arena_bytes = 0
        for i in range(values.count):
            if self.merits[i].is_usable:
                self.add_letters(&self.keys[keys], self.records[values.first[i]].texts[field])
                self.keys[keys].value = <uint32_t>i
                keys += 1
        for i in range(self.count if field == FIELD_EVENT else 0):
            text = self.records[i].texts[FIELD_SITE]
            if text.length and self.is_considered(field, i):
                self.add_letters(&self.sites[sites], text)
                sites += 1
        self.set_letters(self.sites, sites)
        self.set_letters(self.keys, keys)
        self.add_support(keys, LEAST_CUT_CHARS)
        for i in range(keys):
            merit = &self.merits[self.keys[i].value]
            record = &self.records[values.first[self.keys[i].value]]
            text = record.texts[field]
            merit.high |= (
                <int64_t>(not is_study_address(text.text, text.length)) << 45
                | <int64_t>(count_char(text, c"[") == count_char(text, c"]")) << 44
                | <int64_t>(field == FIELD_SITE or record.event_rank > 0) << 43
                | <int64_t>(not has_private_number(text)) << 42
                | <int64_t>(not self.begins_a_site(self.keys[i].letters, sites)) << 41
                | <int64_t>(not has_two_countries(text)) << 40
            )
            merit.low = (
                <int64_t>(field == FIELD_EVENT and record.event_rank == 2) << 42
                | <int64_t>has_country(text) << 41
                | <int64_t>(not is_in_one_case(text)) << 40
                | <int64_t>char_count(text)
            )

    cdef int add_letters(self, Key *key, Text text) except -1 nogil:
        """Append letters and digits in lower case to the arena; Python reads non-ASCII text."""
        cdef size_t i
        cdef uint8_t char
        key.offset = self.arena_bytes
        reserve(<void **>&self.arena, &self.arena_capacity, self.arena_bytes + text.length + 1, 1)
        for i in range(text.length):
            char = plain(text.text[i])
            if char >= 128:
                self.arena_bytes = key.offset
                self.ask_letters(text)
                break
            if char:
                self.arena[self.arena_bytes] = char
                self.arena_bytes += 1
        key.letters.length = self.arena_bytes - key.offset

    cdef int ask_letters(self, Text text) except -1 with gil:
        cdef str decoded = text.text[:text.length].decode("utf-8", "replace")
        cdef bytes letters = self.letters_of(decoded).encode("utf-8", "replace")
        reserve(<void **>&self.arena, &self.arena_capacity, self.arena_bytes + len(letters) + 1, 1)
        memcpy(self.arena + self.arena_bytes, <const char *>letters, len(letters))
        self.arena_bytes += len(letters)

    cdef void set_letters(self, Key *keys, size_t count) noexcept nogil:
        """Sort keys by their letters, when the arena no longer moves."""
        cdef size_t i
        for i in range(count):
            keys[i].letters.text = self.arena + keys[i].offset
        if count > 1:
            qsort(keys, count, sizeof(Key), compare_keys)

    cdef void add_support(self, size_t count, size_t least_chars) noexcept nogil:
        """Give each value the votes of all values whose letters are a prefix of its letters.

        The keys are sorted, so a prefix comes first. A prefix of fewer than `least_chars`
        characters does not count.
        """
        cdef size_t first = 0, end, i
        cdef Key *key
        cdef Key *beginning = NULL     # the longest one of the current key
        cdef int64_t votes, others
        while first < count:
            key = &self.keys[first]
            while beginning != NULL and not begins_with(key.letters, beginning.letters):
                beginning = beginning.beginning
            others = 0 if beginning == NULL else beginning.votes
            votes = 0
            end = first
            while end < count and compare_keys(key, &self.keys[end]) == 0:
                votes += self.merits[self.keys[end].value].high
                end += 1
            key.beginning = beginning
            key.votes = others + (votes if char_count(key.letters) >= least_chars else 0)
            for i in range(first, end):
                self.merits[self.keys[i].value].high = votes + others
            beginning = key
            first = end

    cdef bint begins_a_site(self, Text letters, size_t count) noexcept nogil:
        """Return whether the letters of a site begin with these; the sites are sorted."""
        cdef Key target
        cdef size_t low = 0, high = count, middle
        target.letters = letters
        while low < high:
            middle = (low + high) >> 1
            if compare_keys(&self.sites[middle], &target) < 0:
                low = middle + 1
            else:
                high = middle
        return low < count and begins_with(self.sites[low].letters, letters)

    cdef void rank_dates(self) noexcept nogil:
        """Rank dates: the most exact, not before the event, of most records, read most reliably."""
        cdef FieldValues *values = &self.fields[FIELD_DATE]
        cdef size_t i
        cdef Text date, first_day
        cdef Merit *merit
        cdef int64_t quality
        first_day.text = NULL
        for i in range(self.count):
            date = event_date(self.records[i].tags)
            if (
                self.is_considered(FIELD_DATE, i) and date.text != NULL
                and not count_char(date, c"?")
            ):
                if first_day.text == NULL or memcmp(date.text, first_day.text, date.length) < 0:
                    first_day = date
            merit = &self.merits[values.value_of[i]]
            if merit.is_usable and self.is_considered(FIELD_DATE, i):
                quality = self.records[i].quality % 10
                merit.low = max(merit.low, quality + 10 if quality < 0 else quality)
        for i in range(values.count):
            self.keys[i].votes = self.merits[i].high
            self.merits[i].high = 0
        self.add_agreeing_votes()
        for i in range(values.count):
            date = self.records[values.first[i]].texts[FIELD_DATE]
            if self.merits[i].is_usable:
                self.merits[i].high |= (
                    <int64_t>(date.length - count_char(date, c"?")) << 41
                    | <int64_t>(
                        first_day.text == NULL
                        or memcmp(date.text, first_day.text, date.length) >= 0
                    ) << 40
                )

    cdef void add_agreeing_votes(self) noexcept nogil:
        """Give each date the votes of all dates that may be the same day.

        A mask says which digits of a date are known. Dates are looked up by the digits that are
        known in two masks. Real groups have one or two masks, and any group has at most 256.
        """
        cdef FieldValues *values = &self.fields[FIELD_DATE]
        cdef size_t i, count, left, right
        cdef uint32_t masks[256]
        cdef size_t mask_count = 0
        cdef uint32_t mask
        cdef DateKey target
        cdef DateKey *match
        for i in range(values.count):
            self.keys[i].value = 0             # digits
            self.keys[i].offset = 256          # number of the mask
            if not self.merits[i].is_usable:
                continue
            self.keys[i].value = digits_of(self.records[values.first[i]].texts[FIELD_DATE], &mask)
            left = 0
            while left < mask_count and masks[left] != mask:
                left += 1
            if left == mask_count:
                masks[left] = mask
                mask_count += 1
            self.keys[i].offset = left
        for right in range(mask_count):
            for left in range(mask_count):
                mask = masks[left] & masks[right]
                count = 0
                for i in range(values.count):
                    if self.keys[i].offset == right:
                        self.dates[count] = DateKey(self.keys[i].value & mask, self.keys[i].votes)
                        count += 1
                count = self.merge_equal_dates(count)
                for i in range(values.count):
                    if self.keys[i].offset == left:
                        target.digits = self.keys[i].value & mask
                        match = <DateKey *>bsearch(
                            &target, self.dates, count, sizeof(DateKey), compare_dates
                        )
                        if match != NULL:
                            self.merits[i].high += match.votes

    cdef size_t merge_equal_dates(self, size_t count) noexcept nogil:
        """Sort dates and sum the votes of equal digits; return the number of distinct ones."""
        cdef size_t i, last = 0
        if count > 1:
            qsort(self.dates, count, sizeof(DateKey), compare_dates)
        for i in range(1, count):
            if self.dates[i].digits == self.dates[last].digits:
                self.dates[last].votes += self.dates[i].votes
            else:
                last += 1
                self.dates[last] = self.dates[i]
        return min(last + 1, count)

    cdef int rank_rounds(self) except -1 nogil:
        """Rank rounds: without "?", and of most records; "3" also supports "3.2".

        Some collections write round 1 for an unknown round, with a date without a day. Any other
        round is better than such a round.
        """
        cdef FieldValues *values = &self.fields[FIELD_ROUND]
        cdef size_t i, keys = 0
        cdef Text text
        cdef Merit *merit
        self.arena_bytes = 0
        for i in range(values.count):
            merit = &self.merits[i]
            if merit.is_usable:
                self.add_round(&self.keys[keys], self.records[values.first[i]].texts[FIELD_ROUND])
                self.keys[keys].value = <uint32_t>i
                keys += 1
        if keys > 1:
            for i in range(values.count):
                text = self.records[values.first[i]].texts[FIELD_ROUND]
                if self.merits[i].is_usable and text.length == 1 and text.text[0] == c"1":
                    if self.is_dateless(i):
                        self.merits[i].is_usable = False
                        self.merits[i].high = 0
        self.set_letters(self.keys, keys)
        self.add_support(keys, 0)
        for i in range(keys):
            merit = &self.merits[self.keys[i].value]
            text = self.records[values.first[self.keys[i].value]].texts[FIELD_ROUND]
            merit.high |= <int64_t>(count_char(text, c"?") == 0) << 40

    cdef bint is_dateless(self, size_t value) noexcept nogil:
        """Return whether no record with a round has a full date."""
        cdef size_t i
        cdef Text date
        for i in range(self.count):
            date = self.records[i].texts[FIELD_DATE]
            if (
                self.fields[FIELD_ROUND].value_of[i] == value and self.is_considered(FIELD_ROUND, i)
                and date.length and count_char(date, c"?") == 0
            ):
                return False
        return True

    cdef int add_round(self, Key *key, Text text) except -1 nogil:
        """Append the parts of a round to the arena."""
        cdef RoundReader reader = read_round(text)
        cdef int char = next_in_round(&reader)
        key.offset = self.arena_bytes
        reserve(<void **>&self.arena, &self.arena_capacity, self.arena_bytes + text.length + 2, 1)
        while char >= 0:
            self.arena[self.arena_bytes] = <uint8_t>char
            self.arena_bytes += 1
            char = next_in_round(&reader)
        key.letters.length = self.arena_bytes - key.offset

    cdef void rank_results(self) noexcept nogil:
        """Rank results: of most records, not contradicted by a movetext, of the longer records."""
        cdef size_t i
        cdef int64_t longest = 0
        cdef Merit *merit
        for i in range(self.count):
            if self.is_considered(FIELD_RESULT, i):
                longest = max(longest, self.records[i].plies)
        for i in range(self.count):
            merit = &self.merits[self.fields[FIELD_RESULT].value_of[i]]
            if merit.is_usable and self.is_considered(FIELD_RESULT, i):
                if not contains(self.records[i].tags, b"MovetextResult", 14):
                    merit.low |= 2
                if self.records[i].plies >= longest - NEAR_PLIES:
                    merit.low |= 1

    cdef int rank_codes(self) except -1 nogil:
        """Rank ECO codes: confirmed by the moves, of most records, then the longest.

        Codes with the same first characters count together.
        """
        cdef FieldValues *values = &self.fields[FIELD_ECO]
        cdef size_t i, first = 0, end, count = 0
        cdef int64_t votes
        cdef uint8_t[CODE_CHARS] confirmed
        cdef Text code
        memset(confirmed, 0, CODE_CHARS)
        for i in range(values.count):
            if self.merits[i].is_usable:
                code = self.records[values.first[i]].texts[FIELD_ECO]
                self.merits[i].low = <int64_t>char_count(code)
                code.length = bytes_of_chars(code, CODE_CHARS)
                self.keys[count].letters, self.keys[count].value = code, <uint32_t>i
                count += 1
        if count > 1:
            qsort(self.keys, count, sizeof(Key), compare_keys)
        self.has_confirmed_code = False
        if count > 1 and compare_keys(&self.keys[0], &self.keys[count - 1]) != 0:
            self.ask_code(&confirmed[0])
        while first < count:
            end = first
            votes = 0
            while end < count and compare_keys(&self.keys[first], &self.keys[end]) == 0:
                votes += self.merits[self.keys[end].value].high
                end += 1
            code = self.keys[first].letters
            if code.length == CODE_CHARS and memcmp(code.text, confirmed, CODE_CHARS) == 0:
                votes |= <int64_t>1 << 40
                self.has_confirmed_code = True
            for i in range(first, end):
                self.merits[self.keys[i].value].high = votes
            first = end

    cdef int ask_code(self, uint8_t *code) except -1 with gil:
        """Ask Python for the code of the kept game's moves; 0 bytes if there is none."""
        cdef bytes text
        cdef int i
        found = None if self.eco_of is None else self.eco_of(self.kept_id)
        if found is not None:
            text = found.encode()
            for i in range(min(CODE_CHARS, <int>len(text))):
                code[i] = <uint8_t>text[i]

    # --- the choice ---

    cdef void count_worse(self) noexcept nogil:
        """Count for each record the fields in which another record is better."""
        cdef size_t i
        cdef int field
        cdef const FieldValues *values
        memset(self.worse, 0, self.count * sizeof(uint32_t))
        for field in range(FIELDS):
            values = &self.fields[field]
            if values.best_count:
                for i in range(self.count):
                    self.worse[i] += not values.is_best[values.value_of[i]]
        self.has_worse = True

    cdef int choose(self) except -1 nogil:
        """Choose the record that gives each field; the best values are found."""
        cdef int field, pair
        cdef FieldValues *values
        self.has_worse = False
        for field in range(FIELDS):
            values = &self.fields[field]
            self.givers[field] = 0
            if values.best_count:
                self.givers[field] = self.giver_of(field)
        for pair in range(FIELD_PAIRS):
            self.settle_pair(field_pair(pair))
        for field in range(FIELDS):
            if self.givers[field]:
                self.reasons[field] = self.reason_of(field)

    cdef size_t giver_of(self, int field) noexcept nogil:
        """Return the record that gives a field with best values; the kept game if it has one."""
        cdef const FieldValues *values = &self.fields[field]
        cdef size_t value = 0, giver
        if values.best_count > 1:
            giver = self.most_trusted(field)
        else:
            while not values.is_best[value]:
                value += 1
            giver = values.first[value]
        return 0 if values.value_of[giver] == values.value_of[0] else giver

    cdef int settle_pair(self, FieldPair pair) except -1 nogil:
        """Choose the second value of a pair again if no record agrees with both values.

        Then only records that agree with the first value give the second. But if the site would
        lose its country, the event is chosen again.
        """
        cdef FieldValues *values
        cdef size_t i
        if self.is_asked[pair.first] or self.is_asked[pair.second]:
            return 0
        for i in range(self.count):
            if self.agrees(pair.first, pair.second, i) and self.agrees(pair.second, pair.first, i):
                return 0
        if pair.second == FIELD_SITE and self.is_only_site_with_country():
            pair = FieldPair(FIELD_SITE, FIELD_EVENT)
        values = &self.fields[pair.second]
        for i in range(self.count):
            if not self.agrees(pair.first, pair.second, i):
                self.mask(pair.second, i)
        if not self.has_usable(pair.second):   # all their values are outweighed
            for i in range(self.count):
                values.considers[i] = self.agrees(pair.first, pair.second, i)
        if not self.has_worse:
            self.count_worse()                 # by the values that are best without pairs
        memset(values.is_best, 0, values.count)
        self.find_best(pair.second)
        self.givers[pair.second] = self.giver_of(pair.second)

    cdef bint is_only_site_with_country(self) noexcept nogil:
        """Return whether records with the chosen site have an event, and those with the chosen
        event have no site with a country, unlike the chosen site.
        """
        cdef size_t i
        cdef bint has_event = False
        if not has_country(self.records[self.givers[FIELD_SITE]].texts[FIELD_SITE]):
            return False
        for i in range(self.count):
            if (
                self.agrees(FIELD_EVENT, FIELD_SITE, i)
                and has_country(self.records[i].texts[FIELD_SITE])
            ):
                return False
            has_event = has_event or (
                self.agrees(FIELD_SITE, FIELD_EVENT, i) and self.is_considered(FIELD_EVENT, i)
                and self.is_usable(FIELD_EVENT, &self.records[i])
            )
        return has_event

    cdef bint agrees(self, int field, int other_field, size_t record) noexcept nogil:
        """Return whether the value of a record agrees with the chosen value of the field."""
        return values_agree(
            field, other_field, self.records[record].texts[field],
            self.records[self.givers[field]].texts[field],
        )

    cdef bint has_usable(self, int field) noexcept nogil:
        """Return whether a record that counts has a value."""
        cdef size_t i
        for i in range(self.count):
            if self.is_considered(field, i) and self.is_usable(field, &self.records[i]):
                return True
        return False

    cdef size_t most_trusted(self, int field) noexcept nogil:
        """Return the record with one of the best values that has the fewest worse fields.

        Ties go to the most moves, of dates then to the latest, then to the first record.
        """
        cdef const FieldValues *values = &self.fields[field]
        cdef size_t i, best = self.count
        cdef bint is_better
        if not self.has_worse:
            self.count_worse()
        for i in range(self.count):
            if not values.is_best[values.value_of[i]]:
                continue
            if best == self.count:
                is_better = True
            elif self.worse[i] != self.worse[best]:
                is_better = self.worse[i] < self.worse[best]
            elif self.records[i].plies != self.records[best].plies:
                is_better = self.records[i].plies > self.records[best].plies
            else:
                is_better = field == FIELD_DATE and self.is_later(i, best)
            if is_better:
                best = i
        return best

    cdef bint is_later(self, size_t record, size_t other) noexcept nogil:
        cdef Text date = self.records[record].texts[FIELD_DATE]
        cdef Text other_date = self.records[other].texts[FIELD_DATE]
        cdef int order = memcmp(date.text, other_date.text, min(date.length, other_date.length))
        return order > 0 or order == 0 and date.length > other_date.length

    cdef int reason_of(self, int field) noexcept nogil:
        """Return why the value of another record replaces the kept game's."""
        cdef const FieldValues *values = &self.fields[field]
        cdef size_t giver = self.givers[field]
        cdef int side = field - FIELD_WHITE
        if 0 <= side < 2:
            if not self.kept_is_named[side]:
                return MISSING
        elif not self.is_usable(field, self.records):
            return MISSING
        if field == FIELD_ECO and self.has_confirmed_code:
            return CONFIRMED
        if values.is_outweighed:
            return ROUND_DAY if field == FIELD_DATE else SUPPORTED
        if 0 <= side < 2 and (
            self.records[giver].has_fide_id[side] and not self.records[0].has_fide_id[side]
        ):
            return FIDE
        if values.votes[values.value_of[giver]] > values.votes[values.value_of[0]]:
            return MAJORITY
        return RELIABLE if values.best_count > 1 else EXACT

    # --- headers that Python passes ---

    def chosen(
        self, headers not None, best_of not None, strangers not None, outweighed not None,
        eco_of=None,
    ):
        cdef int field
        self.eco_of = eco_of
        self.load(headers)
        self.rank(headers, best_of, strangers, outweighed)
        for side in range(2):
            self.kept_is_named[side] = True
            if self.fields[FIELD_WHITE + side].best_count:
                best = best_of[FIELD_TAGS[FIELD_WHITE + side]](headers[:1])
                self.kept_is_named[side] = len(best) > 0
        self.choose()
        return [
            (FIELD_TAGS[field], self.givers[field], REASON_NAMES[self.reasons[field]])
            for field in range(FIELDS) if self.givers[field]
        ]

    def best_values(self, headers not None, str tag not None):
        cdef int field = FIELD_TAGS.index(tag)
        cdef size_t value
        if field == FIELD_WHITE or field == FIELD_BLACK:
            raise ValueError(f"the kernel does not compare names: {tag}")
        self.load(headers)
        self.find_values(field)
        self.set_event_ranks(headers, field)
        self.find_best(field)
        return [
            headers[self.fields[field].first[value]][HEADER_INDEXES[field]]
            for value in range(self.fields[field].count) if self.fields[field].is_best[value]
        ]

    def worse_fields(self, headers not None, best_of not None):
        cdef size_t i
        self.load(headers)
        self.rank(headers, best_of, {}, {})
        self.count_worse()
        return [self.worse[i] for i in range(self.count)]

    cdef int load(self, headers) except -1:
        """Fill in records from headers, which must outlive them."""
        cdef size_t i
        cdef int field
        cdef Record *record
        self.begin(len(headers))
        self.kept_id = headers[0].game_id if headers else 0
        for i in range(self.count):
            header = headers[i]
            record = &self.records[i]
            for field in range(FIELDS):
                value = header[HEADER_INDEXES[field]]
                if field == FIELD_WHITE_ELO or field == FIELD_BLACK_ELO:
                    record.elos[field - FIELD_WHITE_ELO] = INT64_MIN if value is None else value
                else:
                    record.texts[field] = text_of_value(value)
            record.tags = text_of_value(header.extra_tags)
            record.quality = header.date_quality or 0
            record.plies = header.plies
            record.has_fide_id[0] = bool(header.white_fide_id)
            record.has_fide_id[1] = bool(header.black_fide_id)

    cdef int rank(self, headers, best_of, strangers, outweighed) except -1:
        """Find the best values of the fields in which headers differ."""
        cdef int field
        for field in range(FIELDS):
            self.find_values(field)
            if self.fields[field].count < 2:
                continue
            tag = FIELD_TAGS[field]
            self.mask_records(
                headers, field, strangers.get(tag.removesuffix("Elo"), ()), outweighed.get(tag, ())
            )
            if tag in best_of:
                self.take_best(headers, field, best_of[tag])
                continue
            self.set_event_ranks(headers, field)
            self.find_best(field)

    cdef int set_event_ranks(self, headers, int field) except -1:
        """Ask how well the events name an event, if the field is the event."""
        cdef size_t i
        for i in range(self.count if field == FIELD_EVENT else 0):
            event = headers[i].event
            self.records[i].event_rank = self.event_rank(event) if event else 0

    cdef int mask_records(self, headers, int field, strangers, losers) except -1:
        """Mask records of strangers, and records with a value of `losers` unless all have one."""
        cdef size_t i
        cdef list masked
        if strangers:
            for i in range(self.count):
                if headers[i].game_id in strangers:
                    self.mask(field, i)
        if losers:
            index = HEADER_INDEXES[field]
            masked = [
                i for i in range(self.count)
                if self.is_considered(field, i) and headers[i][index] in losers
            ]
            left = sum([self.is_considered(field, i) for i in range(self.count)])
            if len(masked) < left:
                for i in masked:
                    self.mask(field, i)
            self.fields[field].is_outweighed = headers[0][index] in losers

    cdef int take_best(self, headers, int field, best) except -1:
        """Ask Python which values are the best."""
        cdef size_t i, value
        self.is_asked[field] = True
        index = HEADER_INDEXES[field]
        values = set(best([headers[i] for i in range(self.count) if self.is_considered(field, i)]))
        for value in range(self.fields[field].count):
            if headers[self.fields[field].first[value]][index] in values:
                self.set_best(field, value)


cdef Text text_of_value(value) except *:
    """Return the UTF-8 of a text, which must outlive it, or no text for None."""
    cdef Py_ssize_t length
    cdef const uint8_t *text
    if value is None:
        return Text(NULL, 0)
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where a header has text")
    text = <const uint8_t *>PyUnicode_AsUTF8AndSize(value, &length)
    return Text(text, length)


def is_date(date) -> bool:
    return is_date_text(text_of_value(date))


def dates_agree(str left not None, str right not None) -> bool:
    cdef Text date = text_of_value(left)
    cdef Text other = text_of_value(right)
    if date.length != DATE_BYTES or other.length != DATE_BYTES:
        raise ValueError(f"not dates: {left!r}, {right!r}")
    return may_be_same_day(date, other)


def are_of_one_name(str left not None, str right not None) -> bool:
    return names_agree(text_of_value(left), text_of_value(right))


def day_of_event(tags) -> str | None:
    cdef Text date = event_date(text_of_value(tags))
    return None if date.text == NULL else date.text[:date.length].decode("ascii")


def fuller_of_plain(str left not None, str right not None) -> str | None:
    cdef size_t given
    cdef int better = compare_plain(text_of_value(left), text_of_value(right), &given)
    return None if better == ASK else left if better == LEFT else right


# By field: its index in GameHeader.
HEADER_INDEXES = tuple([
    GameHeader._fields.index(name) for name in (
        "event", "site", "date", "round", "white", "black", "white_elo", "black_elo", "result",
        "time_control", "eco",
    )
])
