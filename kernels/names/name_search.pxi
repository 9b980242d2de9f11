"""Candidates for a name: listed names with a word that is equal, near, or of the same skeleton.

Results do not depend on earlier searches: what a thread remembers are results of pure functions.
"""

from game_record cimport count_below, ocg_prefetch
from name_entries cimport Entry
from name_search cimport (
    EntryRow, NearHit, NearRow, PersonColumns, WeighedName, WrittenName,
)

cdef enum:
    # Bounds: a key that more names share is no evidence, so only the nearest are compared. In
    # FIDE's list up to 12 words share a skeleton, 145 are near one word, 2,097 persons share a
    # surname, and a name has up to 1,152 candidates. Unlisted names of 400,000 games have up to
    # 134.
    MOST_OF_SKELETON = 128
    MOST_NEAR_WORDS = 256
    MOST_BEARERS = 4096
    MOST_CANDIDATES = 4096
    MOST_AMONG = 256
    MOST_WEIGHED = 64
    FEW_BEARERS = 8            # of a surname: all are candidates
    MANY_BEARERS = 100         # of a surname: only those with initials of the same class
    SHORTEST_NEAR = 4          # characters; shorter words have no near words,
    LONGEST_NEAR = 64          # nor have words of more bytes
    MOST_HITS = 1 << 22        # near words that a thread remembers

cdef uint64_t ANY_INITIALS = <uint64_t>0xFFFFFFFFFFFFFFFF
cdef uint64_t NARROW_INITIALS = 0xFFFFFFFF
cdef uint64_t WIDE_INITIALS = <uint64_t>0xFFFFFFFF00000000


cdef class NameSearch:
    """What one thread reads and remembers while it looks up names in a list."""
    cdef const WordStore *store
    cdef const NameEntries *names
    cdef const NearIndex *near
    cdef const NameWeights *weights
    cdef const GivenTable *given
    cdef const double *surname_shares
    cdef const double *given_shares
    cdef const WordStore *counted  # words by which shares are counted
    cdef double given_total
    cdef PersonColumns persons
    cdef bint is_with_itself
    cdef size_t most               # candidates of one word
    cdef ListedNames listed

    cdef NearSearch near_search
    cdef NearRow *near_rows        # of words
    cdef uint32_t *given_of        # of words: index + 1 in the given words, 0 for none
    cdef size_t near_capacity, given_of_capacity
    cdef GivenWord *given_words
    cdef size_t given_count, given_capacity
    cdef NearHit *hits
    cdef size_t hit_count, hit_capacity
    cdef uint32_t round            # of hits
    cdef LevelMemo levels
    cdef uint32_t *stamps          # of entries
    cdef uint32_t *word_stamps     # of entries, for one word of the surname
    cdef uint8_t *matched          # words of the surname that an entry matches
    cdef uint32_t stamp
    cdef EntryRow whole            # entries with the same letters, then Korean ones
    cdef size_t same_letters       # of them
    cdef EntryRow matches          # of one word
    cdef EntryRow found
    cdef EntryRow candidates
    cdef EntryRow fitting
    cdef WeighedName *weighed
    cdef size_t weighed_count, weighed_capacity

    def __cinit__(self, ListedNames listed not None):
        cdef size_t entries = listed.names.count
        self.listed = listed
        self.stamps = <uint32_t *>allocate_zeros(entries, sizeof(uint32_t))
        self.word_stamps = <uint32_t *>allocate_zeros(entries, sizeof(uint32_t))
        self.matched = <uint8_t *>allocate_zeros(entries, 1)
        open_levels(&self.levels)
        open_near_search(&self.near_search, listed.near.words.word_count)
        self.round = 1

    def __dealloc__(self):
        close_near_search(&self.near_search)
        close_levels(&self.levels)
        free(self.near_rows)
        free(self.given_of)
        free(self.given_words)
        free(self.hits)
        free(self.stamps)
        free(self.word_stamps)
        free(self.matched)
        free(self.whole.entries)
        free(self.matches.entries)
        free(self.found.entries)
        free(self.candidates.entries)
        free(self.fitting.entries)
        free(self.weighed)

    cdef int begin(self, const PersonColumns *persons) except -1:
        """Read the list as it is now; its words may be new, its entries are not."""
        cdef ListedNames listed = self.listed
        cdef size_t before = self.near_capacity
        self.store = &listed.store
        self.names = &listed.names
        self.near = &listed.near
        self.weights = &listed.weights
        self.given = &listed.given.table
        self.surname_shares = listed.surname_shares
        self.given_shares = listed.given_shares
        self.counted = &listed.counted().store
        self.given_total = max(listed.counted().given_words, <uint64_t>LEAST_WORDS)
        self.is_with_itself = listed.is_compared_with_itself
        self.most = MOST_AMONG if self.is_with_itself else MOST_CANDIDATES
        self.persons = persons[0]
        self.weighed_count = 0
        reserve(
            <void **>&self.near_rows, &self.near_capacity, listed.store.count, sizeof(NearRow)
        )
        memset(self.near_rows + before, 0, (self.near_capacity - before) * sizeof(NearRow))
        before = self.given_of_capacity
        reserve(
            <void **>&self.given_of, &self.given_of_capacity, listed.store.count, sizeof(uint32_t)
        )
        memset(self.given_of + before, 0, (self.given_of_capacity - before) * sizeof(uint32_t))


# --- rows of entries ------------------------------------------------------------------------------

cdef inline int append_entry(EntryRow *row, uint32_t entry) except -1 nogil:
    if row.count == row.capacity:
        reserve(<void **>&row.entries, &row.capacity, row.count + 1, sizeof(uint32_t))
    row.entries[row.count] = entry
    row.count += 1


cdef size_t index_in(const EntryRow *row, uint32_t entry) noexcept nogil:
    """Return the index of the first entry of a sorted row that is not less."""
    return count_below(<const uint32_t *>row.entries, row.count, entry)


cdef inline size_t first_neighbour(size_t count, size_t index, size_t most) noexcept nogil:
    """Return the first of `most` indexes around an index, of more than `most`."""
    cdef size_t first = index - most // 2 if index > most // 2 else 0
    return min(first, count - most)


cdef int by_entry(const void *left, const void *right) noexcept nogil:
    cdef uint32_t a = (<const uint32_t *>left)[0], b = (<const uint32_t *>right)[0]
    return (a > b) - (a < b)


cdef inline void sort_row(EntryRow *row) noexcept nogil:
    cdef size_t i = 1
    while i < row.count and row.entries[i - 1] < row.entries[i]:
        i += 1
    if i < row.count:              # not the bearers of one surname only
        qsort(row.entries, row.count, sizeof(uint32_t), by_entry)


# --- near words -----------------------------------------------------------------------------------

cdef int by_place(const void *left, const void *right) noexcept nogil:
    cdef const NearHit *a = <const NearHit *>left
    cdef const NearHit *b = <const NearHit *>right
    return (a.place > b.place) - (a.place < b.place)


cdef inline int most_edits(const StoredWord *word) noexcept nogil:
    return 1 if word.characters < 5 else 2 if word.characters < 9 else 3


cdef int find_near(NameSearch s, uint32_t number) except -1 nogil:
    """Store the words near a word.

    At most one edit for four letters, two from five on, three from nine on; words of the same
    skeleton at any distance, as (0, True).
    """
    cdef const StoredWord *word = &s.store.words[number]
    cdef const uint8_t *letters = s.store.letters + word.begin
    cdef NearRow *row = &s.near_rows[number]
    cdef size_t count, i
    cdef uint32_t place
    cdef NearHit hit
    if s.hit_count > MOST_HITS:
        s.hit_count = 0
        s.round += 1
    row.round = s.round
    row.begin = <uint32_t>s.hit_count
    row.count = 0
    if not may_be_near(word):
        return 0
    place = place_of_word(s.near, letters, word.length)
    count = near_by_key(
        &s.near.words, &s.near_search, letters, <int>word.length,
        <const uint8_t *>(s.near.codes + s.near.code_begins[number]), s.near.code_counts[number],
        most_edits(word), 2 if word.characters > 6 else 1, place,
    )
    for i in range(count):
        hit.place = s.near_search.found[i]
        hit.word = s.near.numbers[hit.place]
        hit.edits = s.near_search.by_sound[i] >> 1
        hit.sounds = s.near_search.by_sound[i] & 1
        add_hit(s, row, &hit)
    if row.count:
        qsort(s.hits + row.begin, row.count, sizeof(NearHit), by_place)
    add_same_skeleton(s, number, row, place)
    if row.count > MOST_NEAR_WORDS:
        keep_nearest(s, row, place)


cdef int add_hit(NameSearch s, NearRow *row, const NearHit *hit) except -1 nogil:
    append_items(
        <void **>&s.hits, &s.hit_count, &s.hit_capacity, hit, 1, sizeof(NearHit)
    )
    row.count += 1


cdef int add_same_skeleton(
    NameSearch s, uint32_t number, NearRow *row, uint32_t place
) except -1 nogil:
    """Add the words of the same skeleton to the row of a word."""
    cdef uint64_t skeleton = s.store.words[number].skeleton
    cdef size_t i, low = first_of_skeleton(s.near, skeleton), index = 0, k
    cdef NearHit hit
    s.found.count = 0
    for i in range(low, s.near.words.word_count):
        hit.place = <uint32_t>s.near.by_skeleton[i]
        if s.near.by_skeleton[i] >> 32 != skeleton >> 32:
            break
        if s.store.words[s.near.numbers[hit.place]].skeleton == skeleton:
            append_entry(&s.found, hit.place)
    low = 0
    if s.found.count > MOST_OF_SKELETON:
        low = first_neighbour(s.found.count, index_in(&s.found, place), MOST_OF_SKELETON)
        s.found.count = low + MOST_OF_SKELETON
    k = row.count
    for i in range(low, s.found.count):
        hit = NearHit(s.near.numbers[s.found.entries[i]], s.found.entries[i], 0, True)
        if hit.word == number:
            continue
        index = 0
        while index < k and s.hits[row.begin + index].word != hit.word:
            index += 1
        if index < k:
            s.hits[row.begin + index] = hit
        else:
            add_hit(s, row, &hit)


cdef uint64_t distance_of_hit(const NearHit *hit, uint32_t place) noexcept nogil:
    cdef uint32_t apart = hit.place - place if hit.place > place else place - hit.place
    return <uint64_t>hit.edits << 32 | apart


cdef void keep_nearest(NameSearch s, NearRow *row, uint32_t place) noexcept nogil:
    """Keep the hits of fewest edits, of them the neighbours in the order of words, by distance."""
    cdef NearHit *hits = s.hits + row.begin
    cdef NearHit hit
    cdef size_t i, j
    for i in range(1, row.count):              # stable, and of some hundred words
        hit = hits[i]
        j = i
        while j and distance_of_hit(&hits[j - 1], place) > distance_of_hit(&hit, place):
            hits[j] = hits[j - 1]
            j -= 1
        hits[j] = hit
    s.hit_count -= row.count - MOST_NEAR_WORDS
    row.count = MOST_NEAR_WORDS


cdef const NearRow *near_row(NameSearch s, uint32_t number) except NULL nogil:
    if s.near_rows[number].round != s.round:
        find_near(s, number)
    return &s.near_rows[number]


cdef bint are_similar(
    const WordStore *store, const StoredWord *word, const StoredWord *other
) noexcept nogil:
    """Return whether two words are within the edits of near words."""
    cdef int length = <int>word.length, size = <int>other.length, limit = most_edits(word)
    return (
        -limit <= length - size <= limit
        and differ_little(word.letter_set, other.letter_set, limit)
        and may_be_near(word) and may_be_near(other)
        and edits_within(
            store.letters + word.begin, length, store.letters + other.begin, size, limit
        ) <= limit
    )


cdef int near_hit(
    NameSearch s, uint32_t written, uint32_t listed, const NearHit **hit
) except -1 nogil:
    """Return whether a listed word is near a written one."""
    cdef const NearRow *row = &s.near_rows[written]
    cdef uint32_t i
    # Most words that are compared are not similar; for them the words near one are not searched.
    if row.round != s.round and not are_similar(
        s.store, &s.store.words[written], &s.store.words[listed]
    ):
        return False
    row = near_row(s, written)
    for i in range(row.count):
        if s.hits[row.begin + i].word == listed:
            hit[0] = &s.hits[row.begin + i]
            return True
    return False


# --- candidates -----------------------------------------------------------------------------------

cdef int find_same_letters(NameSearch s, const NameWords *name) except -1 nogil:
    """Find the entries with the same letters in order, whatever the spaces and commas."""
    cdef WordRow row = WordRow(name.numbers, name.count), other
    cdef uint32_t hashed = hash_letters(s.store, name.numbers, 0, name.count, 0)
    cdef size_t index = first_with_letters(s.names, hashed)
    cdef uint32_t[MOST_WORDS] turned
    cdef NameWords listed
    cdef uint32_t entry
    s.whole.count = 0
    while index < s.names.letters_count and s.names.by_letters[index] >> 32 == hashed:
        entry = <uint32_t>s.names.by_letters[index]
        listed = words_of_entry(s.names, entry)
        other = WordRow(listed.numbers, listed.count)
        if not have_same_letters(s.store, &row, &other):
            turn(&listed, turned)
            other.words = &turned[0]
            if not have_same_letters(s.store, &row, &other):
                index += 1
                continue
        append_entry(&s.whole, entry)
        index += 1
    s.same_letters = s.whole.count


cdef void turn(const NameWords *name, uint32_t *turned) noexcept nogil:
    """Write the given names, then the surname."""
    cdef int i
    for i in range(name.count):
        turned[i] = name.numbers[(name.surname + i) % name.count]


cdef bint is_same_name(NameSearch s, const WrittenName *name, uint32_t entry) noexcept nogil:
    """Return whether an entry of the same letters has the same surname, year and the like."""
    cdef NameWords listed = words_of_entry(s.names, entry)
    cdef NameMarks marks = marks_of_entry(s.names, entry)
    cdef WordRow row = WordRow(name.words.numbers, name.words.surname)
    cdef WordRow other = WordRow(listed.numbers, listed.surname)
    marks.entry = name.marks.entry
    if memcmp(&marks, &name.marks, sizeof(NameMarks)) != 0:
        return False
    return not name.words.is_ordered or (
        listed.is_ordered and have_same_letters(s.store, &row, &other)
    )


cdef int add_bearers(
    NameSearch s, EntryRow *to, uint32_t *stamps, uint32_t word, uint64_t initials, uint32_t own
) except -1 nogil:
    """Add entries with a word in the surname; if it is frequent, those near entry `own`."""
    cdef uint32_t bearers = s.store.words[word].entries, entry
    cdef uint32_t following = s.store.words[word].first
    cdef size_t i, first = 0, end
    # Short forms can begin with another letter (Bill, William), so a rare surname needs no fitting
    # initials.
    if initials == ANY_INITIALS or bearers <= FEW_BEARERS:
        initials = ANY_INITIALS
    else:
        initials &= WIDE_INITIALS if bearers <= MANY_BEARERS else NARROW_INITIALS
    s.found.count = 0
    if s.is_with_itself and bearers > MOST_BEARERS:
        first = first_neighbour(s.names.count, own, s.most)
        for i in range(first, first + s.most):
            append_entry(&s.found, <uint32_t>i)
        first = 0
    else:
        while following:
            if s.names.postings[following - 1].initials & initials:
                append_entry(&s.found, s.names.postings[following - 1].entry)
            following = s.names.postings[following - 1].following
    end = s.found.count
    if end > s.most:
        first = first_neighbour(end, index_in(&s.found, own), s.most)
        end = first + s.most
    for i in range(first, end):
        entry = s.found.entries[i]
        if stamps[entry] != s.stamp:
            stamps[entry] = s.stamp
            append_entry(to, entry)


cdef void next_stamp(NameSearch s) noexcept nogil:
    s.stamp += 1
    if s.stamp == 0:
        memset(s.stamps, 0, s.names.count * sizeof(uint32_t))
        memset(s.word_stamps, 0, s.names.count * sizeof(uint32_t))
        s.stamp = 1


cdef uint64_t initials_of_row(NameSearch s, const WordRow *row, int left_out) noexcept nogil:
    cdef uint64_t initials = 0
    cdef int i
    for i in range(row.count):
        if i != left_out:
            initials |= s.store.words[row.words[i]].initials
    return initials


cdef int write_core(NameSearch s, const NameWords *name, uint32_t *core) noexcept nogil:
    """Write the words of the surname without particles, or all if there are only particles."""
    cdef int i, count = 0
    for i in range(name.surname):
        if not is_particle(s, name.numbers[i]):
            core[count] = name.numbers[i]
            count += 1
    if count:
        return count
    memcpy(core, name.numbers, name.surname * sizeof(uint32_t))
    return name.surname


cdef int find_candidates(NameSearch s, const WrittenName *name) except -1 nogil:
    """Find the candidate entries: a word of the surname matches, and the initials fit.

    A word matches if it is equal, has the same skeleton, or is near. Names without a comma, or with
    surname and given name swapped, are found by any word. If exactly this name is listed, similar
    surnames are only searched in a list that is compared with itself.
    """
    cdef const NameWords *words = &name.words
    cdef uint32_t own
    cdef size_t i
    cdef bint is_listed = False
    find_same_letters(s, words)
    own = s.whole.entries[0] if s.whole.count else 0
    if name.is_full and not s.is_with_itself:
        for i in range(s.same_letters):
            is_listed = is_listed or is_same_name(s, name, s.whole.entries[i])
    for i in range(name.koreans):
        append_entry(&s.whole, name.korean[i])
    s.candidates.count = 0
    next_stamp(s)
    add_by_surname(s, name, own, is_listed)
    if s.candidates.count > MANY_BEARERS:
        keep_most_probable(s, name)
    next_stamp(s)
    for i in range(s.candidates.count):
        s.stamps[s.candidates.entries[i]] = s.stamp
    for i in range(s.same_letters if is_listed else s.whole.count):
        if s.stamps[s.whole.entries[i]] != s.stamp:
            s.stamps[s.whole.entries[i]] = s.stamp
            append_entry(&s.candidates, s.whole.entries[i])
    add_by_given_names(s, words, own)
    sort_row(&s.candidates)


cdef int add_by_surname(
    NameSearch s, const WrittenName *name, uint32_t own, bint is_listed
) except -1 nogil:
    """Add the entries that match in a word of the surname; count the words of each."""
    cdef const NameWords *words = &name.words
    cdef uint32_t[MOST_WORDS] core
    cdef WordRow row = WordRow(&core[0], write_core(s, words, core))
    cdef WordRow given = WordRow(words.numbers + words.surname, words.count - words.surname)
    cdef WordRow first_given = WordRow(given.words, 1)
    cdef uint64_t initials = ANY_INITIALS
    cdef uint32_t stamp = s.stamp, entry
    cdef size_t i
    cdef int index
    if given.count:
        initials = initials_of_row(s, &first_given, -1) & NARROW_INITIALS
        initials |= initials_of_row(s, &given, -1) & WIDE_INITIALS
    for index in range(row.count):
        if not words.is_ordered and row.count > 1:
            initials = initials_of_row(s, &row, index)
        next_stamp(s)
        find_matches(s, core[index], initials, own, is_listed)
        for i in range(s.matches.count):
            entry = s.matches.entries[i]
            if s.stamps[entry] < stamp:
                s.stamps[entry] = stamp
                s.matched[entry] = 0
                append_entry(&s.candidates, entry)
            s.matched[entry] += 1


cdef int find_matches(
    NameSearch s, uint32_t word, uint64_t initials, uint32_t own, bint is_listed
) except -1 nogil:
    """Find the entries with a word, or one near it, in the surname."""
    cdef const NearRow *row
    cdef uint32_t i
    s.matches.count = 0
    add_bearers(s, &s.matches, s.word_stamps, word, initials, own)
    if is_listed:
        return 0
    row = near_row(s, word)
    for i in range(row.count):
        if s.matches.count >= s.most:
            break
        add_bearers(s, &s.matches, s.word_stamps, s.hits[row.begin + i].word, initials, own)


cdef int by_rank(const void *left, const void *right) noexcept nogil:
    """Order rating << 32 | entry by falling ratings, then by entry; ratings are inverted."""
    cdef uint64_t a = (<const uint64_t *>left)[0], b = (<const uint64_t *>right)[0]
    return (a > b) - (a < b)


cdef int keep_most_probable(NameSearch s, const WrittenName *name) except -1 nogil:
    """Keep the candidates that can be chosen among very many."""
    cdef const NameWords *words = &name.words
    cdef EntryRow *row = &s.candidates
    cdef uint64_t *ranked
    cdef size_t i, several = 0
    cdef uint32_t rating
    if words.is_ordered:
        # If one surname is common, the other one must fit too.
        for i in range(row.count):
            several += s.matched[row.entries[i]] > 1
        if several:
            several = 0
            for i in range(row.count):
                if s.matched[row.entries[i]] > 1:
                    row.entries[several] = row.entries[i]
                    several += 1
            row.count = several
    if row.count <= MANY_BEARERS or not (
        not name.is_full or (words.count == words.surname if words.is_ordered
                             else words.surname == 1)
    ):
        return 0
    # With so many bearers nobody can be chosen; the most prominent are enough to see that.
    ranked = <uint64_t *>allocate(row.count, sizeof(uint64_t))
    for i in range(row.count):
        rating = s.persons.ratings[s.persons.person_of[row.entries[i]]]
        ranked[i] = <uint64_t>(0xFFFF - rating) << 32 | row.entries[i]
    qsort(ranked, row.count, sizeof(uint64_t), by_rank)
    row.count = MANY_BEARERS
    for i in range(row.count):
        row.entries[i] = <uint32_t>ranked[i]
    free(ranked)


cdef int add_by_given_names(NameSearch s, const NameWords *name, uint32_t own) except -1 nogil:
    """Add the entries whose surname is a given name, since both may be swapped."""
    cdef WordRow surname = WordRow(name.numbers, name.surname)
    cdef uint64_t initials = initials_of_row(s, &surname, -1)
    cdef int i
    if not name.is_ordered:
        return 0
    for i in range(name.surname, name.count):
        if s.store.words[name.numbers[i]].characters > 2:
            add_bearers(s, &s.candidates, s.stamps, name.numbers[i], initials, own)


# --- names that fit -------------------------------------------------------------------------------

cdef int surnames_fit(NameSearch s, const WordRow *row, const WordRow *listed) except -1 nogil:
    """Return whether a word of a surname fits a listed one, or all letters are equal."""
    cdef Match match
    cdef int i, j
    for i in range(row.count):
        for j in range(listed.count):
            if compare_surname_words(s, row.words[i], listed.words[j], &match):
                return True
    return have_same_letters(s.store, row, listed)


cdef int given_names_fit(NameSearch s, const WordRow *row, const WordRow *listed) except -1 nogil:
    cdef int i, j
    if not row.count or not listed.count:
        return True
    for i in range(row.count):
        for j in range(listed.count):
            if level_of_words(s, row.words[i], listed.words[j]) != LEVEL_NONE:
                return True
    return have_same_letters(s.store, row, listed)


cdef int may_mean(NameSearch s, const NameWords *name, uint32_t entry) except -1 nogil:
    """Return whether in some reading a surname word and a given name fit: a quick test."""
    cdef NameWords listed = words_of_entry(s.names, entry)
    cdef Readings readings, others
    cdef int i, j
    read_beside(name, &listed, &readings)
    read_by_itself(&listed, &others)
    for i in range(readings.count):
        for j in range(others.count):
            # Surnames first: in most readings they do not fit.
            if surnames_fit(
                s, &readings.rows[i].surname, &others.rows[j].surname
            ) and given_names_fit(s, &readings.rows[i].given, &others.rows[j].given):
                return True
    return False


# --- weights --------------------------------------------------------------------------------------

cdef double prominence_of(
    const NameWeights *w, const PersonColumns *persons, uint32_t person
) noexcept nogil:
    """Return the logarithm of the ratio of a person's published games to those of others."""
    cdef uint32_t facts = persons.facts[person]
    cdef double by_rating = max(persons.ratings[person] - w.least_rating, 0.0) / w.rating_unit
    return max(min(by_rating, w.most_by_rating), persons.titles[facts]) + persons.activity[facts]


cdef double evidence_of_marks(
    NameSearch s, const WrittenName *name, uint32_t person, const NameMarks *listed
) noexcept nogil:
    """Return the evidence of federation, year of birth, and the number of a namesake."""
    cdef int apart
    cdef uint16_t born = s.persons.years[2 * person]
    cdef double evidence = 0.0
    if name.country >= 0:
        evidence += s.persons.countries[
            name.country * s.persons.fact_count + s.persons.facts[person]
        ]
    if name.marks.birth_year and born:
        apart = <int>name.marks.birth_year - <int>born
        if apart == 0:
            evidence += s.weights.same_birth_year
        elif -1 <= apart <= 1:
            evidence += s.weights.next_birth_year
        else:
            evidence += s.weights.other_birth_year
    if name.marks.number[0]:
        if memcmp(name.marks.number, listed.number, sizeof(listed.number)) == 0:
            evidence += s.weights.same_number
        else:
            evidence += s.weights.numbered
    return evidence


cdef inline void prefetch_entries(NameSearch s, size_t index) noexcept nogil:
    """Ask for the memory of the next candidates: entries, then their numbers, then a word."""
    cdef const uint32_t *candidates = s.candidates.entries + index
    cdef size_t following = s.candidates.count - index
    cdef const Entry *entry
    if following > 6:
        ocg_prefetch(&s.names.entries[candidates[6]])
    if following > 4:
        ocg_prefetch(s.names.numbers + s.names.entries[candidates[4]].begin)
    if following > 2:
        entry = &s.names.entries[candidates[2]]
        if entry.words > entry.surname:
            ocg_prefetch(&s.store.words[s.names.numbers[entry.begin + entry.surname]])


cdef int find_fitting(NameSearch s, const WrittenName *name) except -1 nogil:
    """Find the candidates to weigh; in a list compared with itself, the neighbours in order."""
    cdef size_t i, first
    cdef uint32_t own
    s.fitting.count = 0
    for i in range(s.candidates.count):
        prefetch_entries(s, i)
        if may_mean(s, &name.words, s.candidates.entries[i]):
            append_entry(&s.fitting, s.candidates.entries[i])
    if s.is_with_itself and s.fitting.count > MOST_WEIGHED:
        own = s.whole.entries[0] if s.same_letters else 0
        first = first_neighbour(s.fitting.count, index_in(&s.fitting, own), MOST_WEIGHED)
        memmove(s.fitting.entries, s.fitting.entries + first, MOST_WEIGHED * sizeof(uint32_t))
        s.fitting.count = MOST_WEIGHED
    next_stamp(s)
    for i in range(s.fitting.count):
        s.stamps[s.fitting.entries[i]] = s.stamp


cdef int weigh_name(NameSearch s, const WrittenName *name, size_t first) except -1 nogil:
    """Append the persons whom a name may mean, each with the best listed spelling.

    The persons of other forms of the same name begin at `first`.
    """
    cdef size_t i, whole
    cdef Match same = Match(s.weights.joined, DIFFERS_IN_WORDS)
    cdef Match korean = Match(s.weights.korean_spelling, DIFFERS_IN_SPELLING)
    cdef const Match *match
    cdef uint32_t entry
    if not name.words.count:
        return 0
    find_candidates(s, name)
    find_fitting(s, name)
    for i in range(s.candidates.count):
        entry = s.candidates.entries[i]
        whole = 0
        while whole < s.whole.count and s.whole.entries[whole] != entry:
            whole += 1
        if whole == s.whole.count and s.stamps[entry] != s.stamp:
            continue
        match = NULL if whole == s.whole.count else &same if whole < s.same_letters else &korean
        weigh_entry(s, name, entry, match, first)


cdef int weigh_entry(
    NameSearch s, const WrittenName *name, uint32_t entry, const Match *whole, size_t first
) except -1 nogil:
    """Weigh an entry; the persons of the name begin at `first`."""
    cdef NameMarks marks = marks_of_entry(s.names, entry)
    cdef uint32_t person = s.persons.person_of[entry]
    cdef Match match
    cdef double evidence
    cdef WeighedName *weighed
    cdef size_t i = first
    likelihood_of(s, name, entry, whole, &match)
    if match.value < s.weights.least_evidence:
        return 0
    evidence = match.value + evidence_of_marks(s, name, person, &marks)
    while i < s.weighed_count and s.weighed[i].person != person:
        i += 1
    if i == s.weighed_count:
        reserve(<void **>&s.weighed, &s.weighed_capacity, i + 1, sizeof(WeighedName))
        s.weighed_count += 1
    elif evidence <= s.weighed[i].evidence:
        return 0
    weighed = &s.weighed[i]
    weighed.person = person
    weighed.entry = entry
    weighed.evidence = evidence
    weighed.prominence = prominence_of(s.weights, &s.persons, person)
    weighed.difference = match.difference
