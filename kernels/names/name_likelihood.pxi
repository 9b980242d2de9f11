"""The evidence that a written name means a listed one; model and weights are in likelihood.py."""

from libc.math cimport log

from name_readings cimport (
    MOST_WORDS, READ_MISPLACED, READ_TURNED, READ_WITHOUT_ORDER, NameWords,
    Reading, Readings, WordRow, are_equal_rows, read_beside, read_by_itself,
)
from thresholds cimport NameWeights
from word_levels cimport (
    UNKNOWN_LEVEL, LevelMemo, close_levels, level_of_pair, open_levels, set_level,
)

# The largest difference between two names that match, in ascending order of cost: NameDifference.
cdef enum:
    DIFFERS_IN_NOTHING, DIFFERS_IN_ORDER, DIFFERS_IN_WORDS, DIFFERS_IN_SPELLING, DIFFERS_BY_SLIP

ctypedef struct Match:
    double value
    int difference

# Pairs of words of two rows: `other[i]` is the index of the partner of word i, -1 for none.
ctypedef struct Alignment:
    Match match
    int count
    int other[MOST_WORDS]
    bint is_taken[MOST_WORDS]  # of the words of the other row

cdef Match IMPOSSIBLE = Match(-1e9, DIFFERS_BY_SLIP)


cdef inline bint is_possible(const Match *match) noexcept nogil:
    return match.value > -1e9


cdef inline int larger(int difference, int other) noexcept nogil:
    return difference if difference > other else other


cdef inline bint is_particle(NameSearch s, uint32_t word) noexcept nogil:
    return s.store.words[word].marks & MARK_PARTICLE


cdef bint have_same_letters(
    const WordStore *store, const WordRow *row, const WordRow *other
) noexcept nogil:
    """Return whether the words of two rows have the same letters, whatever the spaces."""
    cdef const StoredWord *word
    cdef const StoredWord *partner
    cdef size_t letters = 0, at = 0, partner_at = 0, size
    cdef int i, j = 0
    for i in range(row.count):
        letters += store.words[row.words[i]].length
    for i in range(other.count):
        letters -= store.words[other.words[i]].length
    if letters:
        return False
    for i in range(row.count):
        word = &store.words[row.words[i]]
        at = 0
        while at < word.length:
            partner = &store.words[other.words[j]]
            size = min(word.length - at, partner.length - partner_at)
            if memcmp(
                store.letters + word.begin + at, store.letters + partner.begin + partner_at, size
            ):
                return False
            at += size
            partner_at += size
            if partner_at == partner.length:
                j += 1
                partner_at = 0
    return True


# --- single words ---------------------------------------------------------------------------------

cdef inline double evidence_of(double cost, double share, double rarest) noexcept nogil:
    """Return the evidence of a level: a rare word is stronger evidence."""
    return cost - log(max(share, rarest))


cdef double slip_cost(const NameWeights *w, int edits, bint sounds_alike) noexcept nogil:
    if edits == 1:
        return w.sounding_slip if sounds_alike else w.slip
    if edits == 2:
        return w.two_sounding_slips if sounds_alike else w.two_slips
    return w.three_sounding_slips if sounds_alike else w.three_slips


cdef int compare_surname_words(
    NameSearch s, uint32_t written, uint32_t listed, Match *match
) except -1 nogil:
    """Compare two words of surnames; return False if they do not match."""
    cdef const StoredWord *word = &s.store.words[written]
    cdef const StoredWord *other = &s.store.words[listed]
    cdef const NearHit *hit = NULL
    cdef double share = s.surname_shares[written], cost
    if written == listed:
        match[0] = Match(evidence_of(s.weights.same, share, 0.0), DIFFERS_IN_NOTHING)
        return True
    if word.characters < 3 or other.characters < 3:
        return False
    if word.skeleton == other.skeleton:
        match[0] = Match(evidence_of(s.weights.same_skeleton, share, 0.0), DIFFERS_IN_SPELLING)
        return True
    if not near_hit(s, written, listed, &hit):
        return False
    cost = slip_cost(s.weights, hit.edits, hit.sounds)
    if word.letter != other.letter:
        cost += s.weights.slip_in_first_letter
    match[0] = Match(evidence_of(cost, share, s.weights.rarest_surname), DIFFERS_BY_SLIP)
    return True


cdef uint32_t index_of_given(NameSearch s, uint32_t number) except? 0xFFFFFFFF nogil:
    """Return the index of a word in ASCII in the given words, which is read once."""
    cdef const StoredWord *word = &s.store.words[number]
    cdef OtherLetters others
    if not s.given_of[number]:
        reserve(
            <void **>&s.given_words, &s.given_capacity, s.given_count + 1, sizeof(GivenWord)
        )
        others.count = 0
        read_given(
            s.given, &others, s.store.letters + word.begin, word.length,
            &s.given_words[s.given_count],
        )
        s.given_count += 1
        s.given_of[number] = <uint32_t>s.given_count
    return s.given_of[number] - 1


cdef int level_of_words(NameSearch s, uint32_t written, uint32_t listed) except -1 nogil:
    """Return the level of two given names."""
    cdef const StoredWord *word = &s.store.words[written]
    cdef const StoredWord *other = &s.store.words[listed]
    cdef bint are_ascii = word.characters == word.length and other.characters == other.length
    cdef GivenWord given, other_given
    cdef OtherLetters others
    cdef uint32_t index, other_index
    cdef int level
    if written == listed:
        return LEVEL_SAME
    if are_ascii:
        index = index_of_given(s, written)
        if not s.given_words[index].beginnings & letter_bit(<uint8_t>other.letter):
            return LEVEL_NONE      # as given_level(), without a look at the other word
    level = level_of_pair(&s.levels, written, listed)
    if level != UNKNOWN_LEVEL:
        return level
    if are_ascii:
        other_index = index_of_given(s, listed)
        level = given_level(s.given, &s.given_words[index], &s.given_words[other_index])
    else:
        others.count = 0
        read_given(s.given, &others, s.store.letters + word.begin, word.length, &given)
        read_given(s.given, &others, s.store.letters + other.begin, other.length, &other_given)
        level = given_level(s.given, &given, &other_given)
    set_level(&s.levels, written, listed, level)
    return level


cdef int compare_given_words(
    NameSearch s, uint32_t written, uint32_t listed, Match *match
) except -1 nogil:
    cdef int level = level_of_words(s, written, listed)
    cdef double share = s.given_shares[written], rare = s.weights.rarest_given
    cdef const NameWeights *w = s.weights
    if level == LEVEL_NONE:
        return False
    if level == LEVEL_SAME:
        match[0] = Match(evidence_of(w.same, share, 0.0), DIFFERS_IN_NOTHING)
    elif level == LEVEL_SPELLING:
        match[0] = Match(evidence_of(w.given_spelling, share, 0.0), DIFFERS_IN_SPELLING)
    elif level == LEVEL_BEGINNING:
        match[0] = Match(evidence_of(w.given_beginning, share, rare), DIFFERS_IN_WORDS)
    elif level == LEVEL_COGNATE:
        match[0] = Match(evidence_of(w.given_cognate, share, rare), DIFFERS_IN_WORDS)
    elif level == LEVEL_SLIP:
        match[0] = Match(evidence_of(w.given_slip, share, rare), DIFFERS_BY_SLIP)
    elif level == LEVEL_CUT:
        match[0] = Match(evidence_of(w.cut_to_a_name, share, rare), DIFFERS_IN_WORDS)
    elif level == LEVEL_CUT_TO_ANOTHER:
        match[0] = Match(evidence_of(w.cut_to_another_name, share, rare), DIFFERS_IN_WORDS)
    elif level == LEVEL_INITIAL_FOR_FULL:
        match[0] = Match(evidence_of(w.initial, share, 0.0), DIFFERS_IN_WORDS)
    else:
        match[0] = Match(w.full_for_initial, DIFFERS_IN_WORDS)
    return True


# --- rows of words --------------------------------------------------------------------------------

cdef int align(
    NameSearch s, const WordRow *written, const WordRow *listed, bint are_given, Alignment *pairs
) except -1 nogil:
    """Pair each written word with the best listed word."""
    cdef Match match, best
    cdef int i, j, partner, is_match
    pairs.match = Match(0.0, DIFFERS_IN_NOTHING)
    pairs.count = 0
    memset(pairs.is_taken, 0, listed.count * sizeof(bint))
    for i in range(written.count):
        partner = -1
        for j in range(listed.count):
            if pairs.is_taken[j]:
                continue
            if are_given:
                is_match = compare_given_words(s, written.words[i], listed.words[j], &match)
            else:
                is_match = compare_surname_words(s, written.words[i], listed.words[j], &match)
            if is_match and (partner < 0 or match.value > best.value):
                best = match
                partner = j
        pairs.other[i] = partner
        if partner >= 0:
            pairs.is_taken[partner] = True
            pairs.count += 1
            pairs.match.value += best.value
            pairs.match.difference = larger(pairs.match.difference, best.difference)


cdef double surname_initials(
    NameSearch s, const WordRow *written, const WordRow *listed, Alignment *pairs
) noexcept nogil:
    """Pair single letters with remaining surnames ("Santamaria V, Miguel")."""
    cdef const StoredWord *word
    cdef double cost = 0.0
    cdef int i, j
    for i in range(written.count):
        word = &s.store.words[written.words[i]]
        if pairs.other[i] >= 0 or word.characters != 1:
            continue
        for j in range(listed.count):
            if not pairs.is_taken[j] and s.store.words[listed.words[j]].letter == word.letter:
                pairs.other[i] = j
                pairs.is_taken[j] = True
                pairs.count += 1
                cost += s.weights.surname_initial
                break
    return cost


cdef double surnames_missing(
    NameSearch s, const WordRow *row, const bint *is_present, double first, double other,
    bint *has_core
) noexcept nogil:
    """Weigh words that the other name lacks; `first`: cost of the first one except particles.

    `has_core`: whether one of them is not a particle.
    """
    cdef double value = 0.0
    cdef bint is_first = True
    cdef int i
    has_core[0] = False
    for i in range(row.count):
        if is_particle(s, row.words[i]):
            value += 0.0 if is_present[i] else s.weights.particle
            continue
        if not is_present[i]:
            value += first if is_first else other
            has_core[0] = True
        is_first = False
    return value


cdef Match joined_surnames(
    NameSearch s, const WordRow *written, const WordRow *listed
) noexcept nogil:
    cdef double shares = 0.0
    cdef int i
    if not have_same_letters(s.store, written, listed):
        return IMPOSSIBLE
    for i in range(listed.count):
        shares += log(s.surname_shares[listed.words[i]])
    return Match(s.weights.joined - shares, DIFFERS_IN_WORDS)


cdef bint has_core_pair(
    NameSearch s, const WordRow *written, const Alignment *pairs
) noexcept nogil:
    """Return whether a written word that is no particle has a partner; of particles alone, any."""
    cdef bint has_core = False
    cdef int i
    for i in range(written.count):
        if not is_particle(s, written.words[i]):
            has_core = True
            if pairs.other[i] >= 0:
                return True
    return not has_core and pairs.count > 0


cdef int compare_surnames(
    NameSearch s, const WordRow *written, const WordRow *listed, Match *match
) except -1 nogil:
    cdef Alignment pairs
    cdef Match joined
    cdef bint[MOST_WORDS] is_paired
    cdef bint lacks_core, adds_core
    cdef int i
    match[0] = Match(0.0, DIFFERS_IN_NOTHING)
    if are_equal_rows(written, listed):
        for i in range(written.count):
            match.value += s.weights.same - log(s.surname_shares[written.words[i]])
        return 0
    align(s, written, listed, False, &pairs)
    if not has_core_pair(s, written, &pairs):
        match[0] = joined_surnames(s, written, listed)
        return 0
    match[0] = pairs.match
    if pairs.count == written.count == listed.count:
        return 0
    match.value += surname_initials(s, written, listed, &pairs)
    match.value += surnames_missing(
        s, listed, pairs.is_taken, s.weights.first_surname_left_out, s.weights.surname_left_out,
        &lacks_core,
    )
    for i in range(written.count):
        is_paired[i] = pairs.other[i] >= 0
    match.value += surnames_missing(
        s, written, is_paired, s.weights.first_surname_added, s.weights.surname_added, &adds_core
    )
    if lacks_core and adds_core:
        match.value += s.weights.surname_conflict
    match.difference = larger(match.difference, DIFFERS_IN_WORDS)
    joined = joined_surnames(s, written, listed)
    if joined.value > match.value:
        match[0] = joined


cdef int compare_given_names(
    NameSearch s, const WordRow *written, const WordRow *listed, Match *match
) except -1 nogil:
    cdef int i
    match[0] = Match(0.0, DIFFERS_IN_NOTHING)
    if are_equal_rows(written, listed):
        for i in range(written.count):
            match.value += s.weights.same - log(s.given_shares[written.words[i]])
    elif not written.count or not listed.count:
        match[0] = Match(s.weights.no_given, DIFFERS_IN_WORDS)
    elif have_same_letters(s.store, written, listed):
        for i in range(listed.count):
            match.value += log(s.given_shares[listed.words[i]])
        match[0] = Match(s.weights.joined - match.value, DIFFERS_IN_WORDS)
    elif written.count == listed.count == 1:
        if not compare_given_words(s, written.words[0], listed.words[0], match):
            match[0] = IMPOSSIBLE
    else:
        align_given_names(s, written, listed, match)


cdef int align_given_names(
    NameSearch s, const WordRow *written, const WordRow *listed, Match *match
) except -1 nogil:
    """Compare given names word by word."""
    cdef Alignment pairs
    cdef int added, left, i, last = -1
    align(s, written, listed, True, &pairs)
    if not pairs.count:
        match[0] = IMPOSSIBLE
        return 0
    match[0] = pairs.match
    added = written.count - pairs.count
    left = listed.count - pairs.count
    match.value += added * s.weights.given_added + left * s.weights.given_left_out
    if added and left:
        match.value += s.weights.given_conflict
    if pairs.other[0] != 0:
        match.value += s.weights.first_given_skipped
    for i in range(written.count):
        if 0 <= pairs.other[i] < last:
            match.value += s.weights.given_out_of_order
            break
        last = larger(last, pairs.other[i])
    if added or left:
        match.difference = larger(match.difference, DIFFERS_IN_WORDS)


# --- syllables ------------------------------------------------------------------------------------

# A given name of Chinese or Korean syllables, perhaps with a Western name: the words that are
# syllables, and the number of others.
ctypedef struct Syllables:
    uint32_t words[MOST_WORDS]
    int count
    int others
    bint is_first              # a syllable comes first


cdef size_t join_letters(
    const WordStore *store, const WordRow *row, uint8_t *letters, size_t capacity
) noexcept nogil:
    """Write the letters of words in a row; return their number, 0 if there are too many."""
    cdef const StoredWord *word
    cdef size_t length = 0
    cdef int i
    for i in range(row.count):
        word = &store.words[row.words[i]]
        if length + word.length > capacity:
            return 0
        memcpy(letters + length, store.letters + word.begin, word.length)
        length += word.length
    return length


cdef int languages_of_surname(NameSearch s, const WordRow *surname) noexcept nogil:
    """Return the languages that have a surname, however it is spaced."""
    cdef uint8_t letters[LONGEST_NEAR]
    cdef size_t length
    cdef uint32_t number
    if surname.count == 1:
        return s.store.words[surname.words[0]].surname_languages
    length = join_letters(s.store, surname, letters, LONGEST_NEAR)
    number = find_word(s.store, letters, length) if length else 0
    return s.store.words[number - 1].surname_languages if number else 0


cdef bint read_syllables(NameSearch s, const Reading *reading, Syllables *syllables) noexcept nogil:
    """Read a given name of Chinese or Korean syllables; return False for other names."""
    cdef int languages = languages_of_surname(s, &reading.surname), i
    cdef const StoredWord *word
    syllables.count = syllables.others = 0
    syllables.is_first = False
    if not languages:
        return False
    for i in range(reading.given.count):
        word = &s.store.words[reading.given.words[i]]
        if word.characters < 2:
            return False       # initials could be of any syllable
        if word.given_languages:
            languages &= word.given_languages
            syllables.words[syllables.count] = reading.given.words[i]
            syllables.count += 1
            syllables.is_first |= i == 0
        else:
            syllables.others += 1
    return languages and syllables.count


cdef double share_of_row(NameSearch s, const WordRow *row) noexcept nogil:
    cdef double share = 1.0
    cdef int i
    for i in range(row.count):
        share *= s.given_shares[row.words[i]]
    return share


cdef double share_of_syllables(
    NameSearch s, const WordRow *letters, const WordRow *row, const WordRow *other
) noexcept nogil:
    """Return the share of a name in all its spellings: its syllables are not independent."""
    cdef uint8_t text[LONGEST_LISTED]
    cdef size_t length = join_letters(s.store, letters, text, LONGEST_LISTED)
    cdef uint32_t number = find_word(s.counted, text, length) if length else 0
    cdef uint32_t count = s.counted.words[number - 1].in_given if number else 0
    cdef double share = (count + UNSEEN) / s.given_total
    return max(share, max(share_of_row(s, row), share_of_row(s, other)))


cdef int compare_syllables(
    NameSearch s, const Reading *written, const Syllables *syllables, const Reading *listed,
    const Syllables *others, Match *match
) except -1 nogil:
    """Compare Chinese or Korean given names."""
    cdef WordRow row = WordRow(&syllables.words[0], syllables.count)
    cdef WordRow other = WordRow(&others.words[0], others.count)
    cdef bint is_same = are_equal_rows(&written.given, &listed.given)
    if not have_same_letters(s.store, &row, &other):
        match[0] = IMPOSSIBLE  # one letter makes another syllable
        return 0
    if syllables.others and others.others:
        return compare_given_names(s, &written.given, &listed.given, match)
    match.value = evidence_of(
        s.weights.same if is_same else s.weights.same_syllables,
        share_of_syllables(s, &row, &written.given, &listed.given), 0.0,
    )
    match.difference = DIFFERS_IN_NOTHING if is_same else DIFFERS_IN_WORDS
    match.value += (
        syllables.others * s.weights.given_added + others.others * s.weights.given_left_out
    )
    if syllables.is_first != others.is_first:
        match.value += s.weights.first_given_skipped


cdef void keep_plausible(NameSearch s, Readings *readings) noexcept nogil:
    """Keep the readings as a Chinese or Korean name if there are some, else all."""
    cdef Syllables syllables
    cdef int i, kept = 0
    for i in range(readings.count):
        if read_syllables(s, &readings.rows[i], &syllables):
            readings.rows[kept] = readings.rows[i]
            kept += 1
    if kept:
        readings.count = kept


# --- names ----------------------------------------------------------------------------------------

cdef Match cost_of_reading(const NameWeights *w, int how) noexcept nogil:
    if how == READ_WITHOUT_ORDER:
        return Match(w.no_order, DIFFERS_IN_ORDER)
    if how == READ_TURNED:
        return Match(w.turned, DIFFERS_IN_ORDER)
    if how == READ_MISPLACED:
        return Match(w.comma_misplaced, DIFFERS_IN_WORDS)
    return Match(0.0, DIFFERS_IN_NOTHING)


cdef int compare_readings(
    NameSearch s, const Reading *written, const Reading *listed, Match *best
) except -1 nogil:
    """Replace `best` if the evidence of two readings is better."""
    cdef Match surnames, given, cost, listed_cost
    cdef Syllables syllables, others
    cdef double value
    # Given names first: they reject most candidates.
    if read_syllables(s, written, &syllables) and read_syllables(s, listed, &others):
        compare_syllables(s, written, &syllables, listed, &others, &given)
    else:
        compare_given_names(s, &written.given, &listed.given, &given)
    if not is_possible(&given):
        return 0
    compare_surnames(s, &written.surname, &listed.surname, &surnames)
    cost = cost_of_reading(s.weights, written.how)
    listed_cost = cost_of_reading(s.weights, listed.how)
    value = surnames.value + given.value + cost.value + listed_cost.value
    if value > best.value:
        best.value = value
        best.difference = larger(
            larger(surnames.difference, given.difference),
            larger(cost.difference, listed_cost.difference),
        )


cdef double generation_evidence(
    const NameWeights *w, const NameMarks *written, const NameMarks *listed
) noexcept nogil:
    """Weigh the marks of father and son, and a year that only the listed name has."""
    if listed.birth_year and not written.birth_year:
        return w.year_unsaid
    if written.generation == listed.generation:
        return 0.0
    if written.generation and listed.generation:
        return w.other_generation
    return w.generation_unsaid


cdef double share_of_name(NameSearch s, const NameWords *name) noexcept nogil:
    """Return the share of a name, whichever of its words is the surname."""
    cdef double share = 1.0
    cdef uint32_t word
    cdef int i
    for i in range(name.count):
        word = name.numbers[i]
        share *= max(s.given_shares[word], s.surname_shares[word])
    return share


cdef int likelihood_of(
    NameSearch s, const WrittenName *name, uint32_t entry, const Match *whole, Match *best
) except -1 nogil:
    """Compare a name with an entry; `whole`: evidence of the names as a whole, or NULL."""
    cdef NameWords listed = words_of_entry(s.names, entry)
    cdef NameMarks marks = marks_of_entry(s.names, entry)
    cdef Readings readings, listed_readings
    cdef double value
    cdef int i, j
    best[0] = IMPOSSIBLE
    read_beside(&name.words, &listed, &readings)
    read_by_itself(&listed, &listed_readings)
    keep_plausible(s, &readings)
    keep_plausible(s, &listed_readings)
    for i in range(readings.count):
        for j in range(listed_readings.count):
            compare_readings(s, &readings.rows[i], &listed_readings.rows[j], best)
    if whole != NULL:
        value = whole.value - log(max(share_of_name(s, &name.words), share_of_name(s, &listed)))
        if value > best.value:
            best[0] = Match(value, whole.difference)
    if is_possible(best):
        best.value += generation_evidence(s.weights, &name.marks, &marks)
